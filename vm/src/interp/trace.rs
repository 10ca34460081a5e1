//! Reads the stack of the running thread for those who record who did something.
#![expect(
    unsafe_code,
    reason = "the running thread's frames are read through an address"
)]

use crate::classes::loader::NO_METHOD;
use crate::interp::frame::Frame;

pub use poldet_base::trace::{Site, Tracer};

/// Frames kept of a stack.
const MOST_FRAMES: usize = 128;

/// Names the running thread's frames as the ones to record. They must be those that the loop runs on.
#[inline(always)]
pub(crate) fn set_frames(tracer: &Tracer, frames: *const Vec<Frame>) {
    tracer.set_frames(frames as usize, read);
}

fn read(frames: usize, most: usize, into: &mut Vec<Site>) {
    // SAFETY: set by the loop to the running thread's frames; threads are never dropped and their frames never
    // move, and nothing else touches them while a store or a native is under way.
    let Some(frames) = (unsafe { (frames as *const Vec<Frame>).as_ref() }) else {
        return;
    };
    let real = frames
        .iter()
        .rev()
        .filter(|f| f.cont.is_none() && f.method != NO_METHOD)
        .take(most.min(MOST_FRAMES));
    into.extend(real.map(|f| Site {
        method: f.method,
        pc: f.pc as usize,
    }));
}
