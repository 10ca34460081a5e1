//! Who refers to objects of the shared state beyond the two links that each of them has.
//!
//! With these, all references that were ever seen of an object can be asked whether they still hold: where an object
//! stands, and that it stands nowhere any more, is found without a walk of the whole state.

use poldet_vm::heap::Heap;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;

/// Longer lists have an index.
const FEW: usize = 16;
/// Longer lists lose parents that are gone when they have doubled.
const MANY: usize = 64;

#[derive(Default)]
pub(super) struct Parents(FixedMap<ObjRef, List>);

#[derive(Default)]
struct List {
    all: Vec<ObjRef>,
    index: FixedMap<ObjRef, ()>,
    /// Its length when parents that are gone were last dropped.
    kept: usize,
}

impl Parents {
    /// `parent` has been seen to refer to `o`.
    pub(super) fn add(&mut self, heap: &Heap, o: ObjRef, parent: ObjRef) {
        if !parent.is_null() {
            self.0.entry(o).or_default().add(heap, parent);
        }
    }

    pub(super) fn of(&self, o: ObjRef) -> &[ObjRef] {
        self.0.get(&o).map_or(&[], |list| &list.all)
    }

    /// An object is no part of the state any more.
    pub(super) fn remove(&mut self, o: ObjRef) {
        if !self.0.is_empty() {
            self.0.remove(&o);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Drops what is said of objects that are gone.
    pub(super) fn forget_dead(&mut self, heap: &Heap) {
        self.0.retain(|o, _| heap.is_watched(*o));
        self.0.values_mut().for_each(|list| list.forget_dead(heap));
    }
}

impl List {
    fn add(&mut self, heap: &Heap, parent: ObjRef) {
        let known = match self.index.is_empty() {
            true => self.all.contains(&parent),
            false => self.index.contains_key(&parent),
        };
        if known {
            return;
        }
        self.all.push(parent);
        if self.all.len() > MANY.max(2 * self.kept) {
            self.forget_dead(heap);
        } else if !self.index.is_empty() {
            self.index.insert(parent, ());
        } else if self.all.len() > FEW {
            self.make_index();
        }
    }

    /// An object that is not watched is no part of the state: when it joins it again, it is seen to refer to others again.
    fn forget_dead(&mut self, heap: &Heap) {
        self.all.retain(|parent| heap.is_watched(*parent));
        self.kept = self.all.len();
        self.make_index();
    }

    fn make_index(&mut self) {
        self.index.clear();
        if self.all.len() > FEW {
            self.index.extend(self.all.iter().map(|parent| (*parent, ())));
        }
    }
}
