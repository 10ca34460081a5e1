//! Long chains of nodes as they were at the last boundary.
//!
//! A list that grows from test to test is read at every boundary, before and now, and its nodes lie all over the heap. What
//! it holds now is what the next boundary calls before, and until the first node that was written it is what it was:
//! only the rest is read. Whether a node was written is asked without touching it.

use super::Held;
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use std::rc::Rc;

/// Shorter ones are read.
const LONG: usize = 256;
/// So many are remembered.
const MOST: usize = 64;

#[derive(Default)]
pub struct Chains {
    known: FixedMap<ObjRef, Known>,
    /// A boundary is being looked at: nothing runs until it is over.
    open: bool,
}

struct Known {
    before: Rc<[Held]>,
    now: Option<Rc<[Held]>>,
}

impl Chains {
    /// The interval has ended; the log says what was written in it.
    pub fn begin(&mut self) {
        self.open = true;
    }

    /// What is now is what was before, from here on. To be called while the log is still there.
    pub fn end(&mut self, view: View<'_>) {
        self.open = false;
        self.known.retain(|&o, known| match known.now.take() {
            Some(now) => {
                known.before = now;
                is_old(view, o)
            }
            None => {
                is_old(view, o) && untouched(view, o) && known.before.iter().all(|(_, n)| untouched(view, *n))
            }
        });
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// What a chain held before, if that is remembered.
    pub(super) fn before(&self, view: View<'_>, o: ObjRef) -> Option<&Rc<[Held]>> {
        let known = self.known.get(&o)?;
        (self.open && is_old(view, o)).then_some(&known.before)
    }

    /// What a chain holds now, as far as it is known to be what it held before: all in front of the first node that was written.
    pub(super) fn untouched(&self, view: View<'_>, o: ObjRef) -> Option<&[Held]> {
        let before = self.before(view, o)?;
        let written = before.iter().position(|(_, node)| !untouched(view, *node));
        // The last node of a chain leads nowhere: where it was not written, nothing was added.
        Some(&before[..written.unwrap_or(before.len())])
    }

    /// What a chain holds now, read or remembered.
    pub(super) fn now(&self, view: View<'_>, o: ObjRef) -> Option<&Rc<[Held]>> {
        self.known
            .get(&o)
            .filter(|_| self.open && is_old(view, o))?
            .now
            .as_ref()
    }

    pub(super) fn note(&mut self, view: View<'_>, o: ObjRef, list: &[Held]) {
        let there = self.known.contains_key(&o);
        let room = there || list.len() >= LONG && self.known.len() < MOST;
        if !self.open || !room || !is_old(view, o) {
            return;
        }
        if view.is_before() {
            let before = list.into();
            self.known.insert(o, Known { before, now: None });
        } else if let Some(known) = self.known.get_mut(&o) {
            known.now = Some(list.into());
        }
    }
}

/// It belonged to the state before: another object may have taken the place of one that is gone.
fn is_old(view: View<'_>, o: ObjRef) -> bool {
    let heap = &view.vm.heap;
    heap.is_watched(o) && !heap.logged(o).is_some_and(|l| l.fresh)
}

fn untouched(view: View<'_>, o: ObjRef) -> bool {
    view.vm.heap.logged(o).is_none()
}
