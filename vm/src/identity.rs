//! Identity hashes: the seed and the order in which they are asked for decide, not the addresses of objects. So they do
//! not depend on what else was allocated, such as the names of the folders a suite lies in.
//!
//! Where every test starts alike, an object of the shared state is older than the test, and another test may or may not have
//! asked for its hash before. Its address decides there, which is the same in all forks, so that asking changes nothing.

use crate::host::rng::Rng;
use crate::ids::ObjRef;
use hashbrown::HashTable;
use std::cell::RefCell;

/// The hashes that were asked for, held weakly: the collector's survivors stay.
pub struct Identities(RefCell<Given>);

struct Given {
    table: HashTable<(ObjRef, i32)>,
    source: Rng,
    /// What the hashes of shared objects follow from, beside their addresses, where tests start alike.
    shared: Option<u64>,
}

impl Identities {
    pub fn new(seed: u64) -> Identities {
        Identities(RefCell::new(Given {
            table: HashTable::new(),
            source: Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)),
            shared: None,
        }))
    }

    /// The hash of an object, never 0; that of null is. `is_shared`: does it belong to the shared state?
    pub fn of(&self, object: ObjRef, is_shared: impl FnOnce() -> bool) -> i32 {
        if object.is_null() {
            return 0;
        }
        let given = &mut *self.0.borrow_mut();
        let Given {
            table,
            source,
            shared,
        } = given;
        let entry = table.entry(
            slot(object),
            |(known, _)| *known == object,
            |(known, _)| slot(*known),
        );
        let make = || {
            let bits = match *shared {
                Some(salt) if is_shared() => Rng::new(salt ^ u64::from(object.0)).next_u64(),
                _ => source.next_u64(),
            };
            (object, ((bits >> 33) as i32).max(1))
        };
        entry.or_insert_with(make).get().1
    }

    /// The hash of an object that was asked for it.
    pub fn given(&self, object: ObjRef) -> Option<i32> {
        let given = self.0.borrow();
        let found = given.table.find(slot(object), |(known, _)| *known == object);
        found.map(|(_, hash)| *hash)
    }

    pub fn retain(&mut self, mut alive: impl FnMut(ObjRef) -> bool) {
        self.0.get_mut().table.retain(|(object, _)| alive(*object));
    }

    /// What the next hashes follow from.
    pub fn source(&self) -> Rng {
        self.0.borrow().source.clone()
    }

    /// A test starts: the next hashes follow from a source of before. Objects that got theirs keep them.
    pub fn start_at(&mut self, mut source: Rng) {
        let given = self.0.get_mut();
        given.shared = Some(source.next_u64());
        given.source = source;
    }
}

/// Where the table looks for an object: references are multiples of a small number.
fn slot(object: ObjRef) -> u64 {
    u64::from(object.0)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(from: &Identities, object: u32) -> i32 {
        from.of(ObjRef(object), || false)
    }

    #[test]
    fn the_order_of_asking_decides() {
        let (a, b) = (Identities::new(1), Identities::new(1));
        assert_eq!([8, 16, 8].map(|o| own(&a, o)), [400, 24, 400].map(|o| own(&b, o)));
        assert_ne!(own(&a, 8), own(&a, 16));
        assert_ne!(own(&a, 8), own(&Identities::new(2), 8));
        assert_eq!(a.of(ObjRef::NULL, || false), 0);
    }

    #[test]
    fn a_dead_object_leaves_its_hash() {
        let mut hashes = Identities::new(1);
        let (first, second) = (own(&hashes, 8), own(&hashes, 16));
        hashes.retain(|o| o == ObjRef(16));
        assert_eq!(own(&hashes, 16), second);
        assert_ne!(own(&hashes, 8), first);
    }

    #[test]
    fn what_starts_alike_gets_the_same_hashes() {
        let mut hashes = Identities::new(1);
        let start = hashes.source();
        hashes.start_at(start.clone());
        let first = own(&hashes, 8);
        hashes.start_at(start);
        assert_eq!(own(&hashes, 16), first);
        assert_eq!(own(&hashes, 8), first);
    }

    #[test]
    fn asking_for_a_shared_object_changes_no_other_hash() {
        let (mut a, mut b) = (Identities::new(1), Identities::new(1));
        a.start_at(a.source());
        b.start_at(b.source());
        let shared = a.of(ObjRef(80), || true);
        assert_eq!(own(&a, 8), own(&b, 8));
        assert_eq!(b.of(ObjRef(80), || true), shared);
    }
}
