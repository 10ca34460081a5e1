//! The stack of the running thread, for those who record who did something: the heap's log and the files' journal.

use crate::ids::MethodId;
use std::cell::Cell;
use std::rc::Rc;

/// A frame of a recorded stack: its method and where its code stood (the address of an op).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub method: MethodId,
    pub pc: usize,
}

/// Reads the frames at an address.
#[derive(Debug)]
pub struct Reader {
    /// Appends the innermost frames to a stack, at most so many, innermost frame first.
    pub read: fn(usize, usize, &mut Vec<Site>),
    /// Whether `read` with the same number of frames would append just these. Copies nothing.
    pub matches: fn(usize, usize, &[Site]) -> bool,
}

/// Knows where the running thread's frames are. Copies know the same.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Rc<Cell<Option<(usize, &'static Reader)>>>);

impl Tracer {
    /// From now on the stack is what `reader` finds at `frames`. Set by the loop only.
    #[inline(always)]
    pub fn set_frames(&self, frames: usize, reader: &'static Reader) {
        self.0.set(Some((frames, reader)));
    }

    /// Puts the stack as it is now behind what is there already, innermost frame first.
    pub fn stack(&self, into: &mut Vec<Site>) {
        self.innermost(usize::MAX, into);
    }

    /// The same for the `most` innermost frames.
    pub fn innermost(&self, most: usize, into: &mut Vec<Site>) {
        if let Some((frames, reader)) = self.0.get() {
            (reader.read)(frames, most, into);
        }
    }

    /// Whether a stack is the one as it is now, as far as the `most` innermost frames go.
    #[inline]
    pub fn is_now(&self, stack: &[Site], most: usize) -> bool {
        let stack = &stack[..stack.len().min(most)];
        match self.0.get() {
            Some((frames, reader)) => (reader.matches)(frames, most, stack),
            None => stack.is_empty(),
        }
    }
}
