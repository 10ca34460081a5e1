//! What happens to java.lang.ref References whose referents were not reached, in HotSpot's order.
//!
//! Soft and weak references are cleared first. Then the referents of FinalReferences come back to life, with all they
//! reach, so that `finalize` can run; a FinalReference is not cleared but marked as inactive by a `next` that points
//! to itself. Phantom references are cleared last, when their referents are not even reached by finalizable objects.
//! A Reference that is not active (`next` is set) is an ordinary object.

use super::{Heap, Strength};
use poldet_base::ids::ObjRef;

#[derive(Clone, Copy)]
pub(super) struct ReferenceOffsets {
    pub(super) referent: u32,
    pub(super) next: u32,
}

impl Heap {
    /// Clears the References whose referents are gone and returns those the VM must put on its pending list: soft,
    /// weak, final, phantom, each in the order marking met them. `follow` is called when objects were reached that had not
    /// been before, to mark what their classes refer to.
    pub fn process_references(&mut self, mut follow: impl FnMut(&mut Heap)) -> Vec<ObjRef> {
        let mut pending = Vec::new();
        let Some(offsets) = self.references else {
            return pending;
        };
        self.clear_unreached(Strength::Soft, offsets, &mut pending);
        self.clear_unreached(Strength::Weak, offsets, &mut pending);
        self.finalize_unreached(offsets, &mut pending);
        follow(self);
        self.clear_unreached(Strength::Phantom, offsets, &mut pending);
        self.marker.discovered = Vec::new();
        pending
    }

    /// The discovered references of a kind whose referents are still not reached.
    fn unreached(&self, strength: Strength, offsets: ReferenceOffsets) -> Vec<ObjRef> {
        let of_kind = self
            .marker
            .discovered
            .iter()
            .filter(|found| found.strength == strength);
        let all = of_kind.map(|found| found.reference);
        all.filter(|&reference| !self.is_marked(self.get_ref(reference, offsets.referent)))
            .collect()
    }

    fn clear_unreached(&mut self, strength: Strength, offsets: ReferenceOffsets, pending: &mut Vec<ObjRef>) {
        for reference in self.unreached(strength, offsets) {
            // Not a store of the program's: no barrier.
            self.set_ref(reference, offsets.referent, ObjRef::NULL);
            pending.push(reference);
        }
    }

    fn finalize_unreached(&mut self, offsets: ReferenceOffsets, pending: &mut Vec<ObjRef>) {
        let references = self.unreached(Strength::Final, offsets);
        let referents: Vec<ObjRef> = references
            .iter()
            .map(|&r| self.get_ref(r, offsets.referent))
            .collect();
        for &reference in &references {
            self.set_ref(reference, offsets.next, reference);
        }
        pending.extend(references);
        self.marker.discovering = false;
        self.revive(&referents);
    }
}
