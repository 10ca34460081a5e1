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

/// Appends the innermost frames at an address to a stack, at most so many, innermost frame first.
pub type Reader = fn(usize, usize, &mut Vec<Site>);

/// Knows where the running thread's frames are. Copies know the same.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Rc<Cell<Option<(usize, Reader)>>>);

impl Tracer {
    /// From now on the stack is what `reader` finds at `frames`. Set by the loop only.
    #[inline(always)]
    pub fn set_frames(&self, frames: usize, reader: Reader) {
        self.0.set(Some((frames, reader)));
    }

    /// Puts the stack as it is now behind what is there already, innermost frame first.
    pub fn stack(&self, into: &mut Vec<Site>) {
        self.innermost(usize::MAX, into);
    }

    /// The same, no more than so many frames.
    pub fn innermost(&self, most: usize, into: &mut Vec<Site>) {
        if let Some((frames, reader)) = self.0.get() {
            reader(frames, most, into);
        }
    }
}
