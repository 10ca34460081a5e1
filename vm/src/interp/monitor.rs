//! Object monitors. The header's lock word is 0 when free; else bits 0..22 hold the owner's thread id + 1, bits
//! 22..31 how often it holds it beyond the first time; what is more than fits there is counted in a table. Bit 31 says that
//! someone may be waiting to enter.
//!
//! Whoever leaves a monitor may take it again before those it woke have run. A thread that found it taken once more is
//! handed the monitor the next time: slices have a fixed length, so a loop that locks and unlocks could otherwise be
//! interrupted inside the lock each time, and the others would never get in.

use crate::ids::{ObjRef, ThreadId};
use crate::stop::{BlockOn, Stop};
use crate::vm::Vm;

const OWNER: u32 = (1 << 22) - 1;
const ONE: u32 = 1 << 22;
const DEPTH: u32 = 0x7fc0_0000;
const CONTENDED: u32 = 1 << 31;

impl Vm {
    #[inline]
    pub fn monitor_enter(&mut self, object: ObjRef) -> Result<(), Stop> {
        if self.monitor_enter_simply(object) {
            return Ok(());
        }
        let me = self.threads.current.0 + 1;
        let word = self.heap.lock_word(object);
        if word & OWNER == me {
            if self.threads.granted > 0 && self.take_granted(object) {
                return Ok(());
            }
            if word & DEPTH == DEPTH {
                *self.threads.deep_locks.entry(object).or_default() += 1;
            } else {
                self.heap.set_lock_word(object, word + ONE);
            }
            return Ok(());
        }
        self.heap.set_lock_word(object, word | CONTENDED);
        Err(Stop::Block(BlockOn::Monitor(object)))
    }

    #[inline]
    pub fn monitor_exit(&mut self, object: ObjRef) -> Result<(), Stop> {
        if self.monitor_exit_simply(object) {
            return Ok(());
        }
        if !self.holds_lock(object) {
            return Err(self.throw(
                "java/lang/IllegalMonitorStateException",
                Some("current thread is not owner"),
            ));
        }
        if self.heap.lock_word(object) & DEPTH != 0 {
            self.leave_deep(object);
            return Ok(());
        }
        // Somebody waits for it.
        self.heap.set_lock_word(object, 0);
        self.pass_on(object);
        Ok(())
    }

    /// Enters a monitor that is free, or held by this thread; false if there is more to do.
    #[inline]
    pub(crate) fn monitor_enter_simply(&mut self, object: ObjRef) -> bool {
        let me = self.threads.current.0 + 1;
        let word = self.heap.lock_word(object);
        if word & !CONTENDED == 0 {
            self.heap.set_lock_word(object, word | me);
            return true;
        }
        let again = word & OWNER == me && self.threads.granted == 0 && word & DEPTH != DEPTH;
        if again {
            self.heap.set_lock_word(object, word + ONE);
        }
        again
    }

    /// Leaves a monitor of this thread that stays its own or that nobody waits for; false if there is more to do.
    #[inline]
    pub(crate) fn monitor_exit_simply(&mut self, object: ObjRef) -> bool {
        let me = self.threads.current.0 + 1;
        let word = self.heap.lock_word(object);
        if word & OWNER != me || word & (CONTENDED | DEPTH) == CONTENDED || word & DEPTH == DEPTH {
            return false;
        }
        let left = if word & DEPTH != 0 { word - ONE } else { 0 };
        self.heap.set_lock_word(object, left);
        true
    }

    /// The monitor is free: hands it to the longest waiting thread if that has missed it before, else lets all try.
    fn pass_on(&mut self, object: ObjRef) {
        let first = self.threads.parked.first(BlockOn::Monitor(object));
        let first = first.map(|id| &mut *self.threads.list[id.index()]);
        let Some(thread) = first.filter(|t| t.missed) else {
            return self.wake_monitor(object);
        };
        let id = thread.id;
        thread.missed = false;
        thread.granted = object;
        self.threads.granted += 1;
        self.heap.set_lock_word(object, (id.0 + 1) | CONTENDED);
        self.wake(id);
    }

    /// Whether the monitor the current thread owns has been handed to it just now.
    #[cold]
    fn take_granted(&mut self, object: ObjRef) -> bool {
        let thread = self.threads.cur();
        if thread.granted != object {
            return false;
        }
        thread.granted = ObjRef::NULL;
        self.threads.granted -= 1;
        true
    }

    pub fn holds_lock(&self, object: ObjRef) -> bool {
        self.heap.lock_word(object) & OWNER == self.threads.current.0 + 1
    }

    pub fn lock_owner(&self, object: ObjRef) -> Option<ThreadId> {
        (self.heap.lock_word(object) & OWNER).checked_sub(1).map(ThreadId)
    }

    /// Leaves a monitor once that was entered as often as the lock word can count, or oftener.
    #[cold]
    fn leave_deep(&mut self, object: ObjRef) {
        match self.threads.deep_locks.get_mut(&object) {
            Some(more) if *more > 1 => *more -= 1,
            Some(_) => {
                self.threads.deep_locks.remove(&object);
            }
            None => self.heap.set_lock_word(object, self.heap.lock_word(object) - ONE),
        }
    }

    /// Gives the monitor up whatever its depth; answers the depth for `monitor_retake`.
    pub fn monitor_release_all(&mut self, object: ObjRef) -> u32 {
        let word = self.heap.lock_word(object);
        let more = self.threads.deep_locks.remove(&object).unwrap_or(0);
        self.heap.set_lock_word(object, 0);
        if word & CONTENDED != 0 {
            self.pass_on(object);
        }
        (word & DEPTH) / ONE + more
    }

    pub fn monitor_retake(&mut self, object: ObjRef, depth: u32) -> Result<(), Stop> {
        self.monitor_enter(object)?;
        let counted = depth.min(DEPTH / ONE);
        let word = self.heap.lock_word(object);
        self.heap.set_lock_word(object, word | (counted * ONE));
        if depth > counted {
            self.threads.deep_locks.insert(object, depth - counted);
        }
        Ok(())
    }
}
