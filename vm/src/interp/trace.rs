//! The stack of the running thread, for those who record who did something: the heap's watch and the files' journal.
#![expect(
    unsafe_code,
    reason = "the running thread's frames are read through a pointer"
)]

use crate::classes::loader::NO_METHOD;
use crate::ids::MethodId;
use crate::interp::frame::Frame;
use std::cell::Cell;
use std::rc::Rc;

/// Frames kept of a stack.
const MOST_FRAMES: usize = 128;

/// A frame of a recorded stack: its method and where its code stood (the address of an op).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub method: MethodId,
    pub pc: usize,
}

/// Knows where the running thread's frames are. Copies know the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracer(Rc<Cell<Option<Frames>>>);

/// Set by the loop only.
#[derive(Clone, Copy, Debug)]
struct Frames(*const Vec<Frame>);

impl Tracer {
    #[inline(always)]
    pub(crate) fn set_frames(&self, frames: *const Vec<Frame>) {
        self.0.set(Some(Frames(frames)));
    }

    /// Puts the stack as it is now behind what is there already, innermost frame first.
    pub(crate) fn stack(&self, into: &mut Vec<Site>) {
        let Some(Frames(frames)) = self.0.get() else {
            return;
        };
        // SAFETY: set by the loop to the running thread's frames; threads are never dropped and their frames never
        // move, and nothing else touches them while a store or a native is under way.
        let Some(frames) = (unsafe { frames.as_ref() }) else {
            return;
        };
        let real = frames
            .iter()
            .rev()
            .filter(|f| f.cont.is_none() && f.method != NO_METHOD)
            .take(MOST_FRAMES);
        into.extend(real.map(|f| Site {
            method: f.method,
            pc: f.pc as usize,
        }));
    }
}
