//! Reads the stack of the running thread for those who record who did something.
#![expect(
    unsafe_code,
    reason = "the running thread's frames are read through an address"
)]

use crate::classes::loader::NO_METHOD;
use crate::interp::frame::Frame;

use poldet_base::trace::Reader;
pub use poldet_base::trace::{Site, Tracer};

/// Frames kept of a stack.
const MOST_FRAMES: usize = 128;

static READER: Reader = Reader { read, matches };

/// Names the running thread's frames as the ones to record. They must be those that the loop runs on.
#[inline(always)]
pub(crate) fn set_frames(tracer: &Tracer, frames: *const Vec<Frame>) {
    tracer.set_frames(frames as usize, &READER);
}

fn read(frames: usize, most: usize, into: &mut Vec<Site>) {
    into.extend(sites(frames, most));
}

fn matches(frames: usize, most: usize, stack: &[Site]) -> bool {
    let most = most.min(MOST_FRAMES);
    let mut wanted = stack.iter();
    for f in shown(frames) {
        match wanted.next() {
            Some(site) if site.pc == f.pc as usize && site.method == f.method => {}
            _ => return false,
        }
        if wanted.len() == 0 && stack.len() == most {
            return true;
        }
    }
    wanted.len() == 0
}

/// The innermost frames that a stack shows, innermost first.
#[inline(always)]
fn sites<'a>(frames: usize, most: usize) -> impl Iterator<Item = Site> + 'a {
    shown(frames).take(most.min(MOST_FRAMES)).map(|f| Site {
        method: f.method,
        pc: f.pc as usize,
    })
}

/// The frames of methods, innermost first.
#[inline(always)]
fn shown<'a>(frames: usize) -> impl Iterator<Item = &'a Frame> {
    // SAFETY: set by the loop to the running thread's frames; threads are never dropped and their frames never
    // move, and nothing else touches them while a store or a native is under way.
    let frames = unsafe { (frames as *const Vec<Frame>).as_ref::<'a>() };
    let frames = frames.map_or(&[][..], Vec::as_slice);
    let shown = |f: &&Frame| f.cont.is_none() && f.method != NO_METHOD;
    frames.iter().rev().filter(shown)
}
