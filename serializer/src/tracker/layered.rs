//! A map of objects in a process that is forked. A child adds a few entries; in the map itself they would lie in as many pages, each of
//! which is copied when it is written. So what a child adds, changes and removes goes to a table of its own.

use hashbrown::hash_map::Entry;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;

/// A map of fewer entries lies in few pages.
const LARGE: usize = 1 << 10;
/// With more entries of its own a process goes on in the map itself when it is to be forked in turn.
const MOST_OWN: usize = 1 << 8;

pub(super) struct Layered<V> {
    map: FixedMap<ObjRef, V>,
    /// What differs from the map; None for what is gone.
    own: Option<FixedMap<ObjRef, Option<V>>>,
    len: usize,
}

impl<V> Default for Layered<V> {
    fn default() -> Self {
        Layered {
            map: FixedMap::default(),
            own: None,
            len: 0,
        }
    }
}

impl<V: Copy> Layered<V> {
    /// Before forks: what they would each have to copy is in the map.
    pub(super) fn forks_follow(&mut self) {
        if self.own.as_ref().is_some_and(|own| own.len() > MOST_OWN) {
            self.join();
        }
    }

    /// In a forked process: leaves the pages alone that it shares with its parent.
    pub(super) fn forked(&mut self) {
        if self.own.is_none() && self.map.len() >= LARGE {
            self.own = Some(FixedMap::default());
        }
    }

    fn join(&mut self) {
        let own = self.own.take().into_iter().flatten();
        own.for_each(|(o, value)| {
            match value {
                Some(value) => self.map.insert(o, value),
                None => self.map.remove(&o),
            };
        });
    }

    #[inline]
    pub(super) fn get(&self, o: &ObjRef) -> Option<&V> {
        match self.own.as_ref().and_then(|own| own.get(o)) {
            Some(own) => own.as_ref(),
            None => self.map.get(o),
        }
    }

    pub(super) fn get_mut(&mut self, o: &ObjRef) -> Option<&mut V> {
        let Some(own) = &mut self.own else {
            return self.map.get_mut(o);
        };
        if !own.contains_key(o) {
            own.insert(*o, Some(*self.map.get(o)?));
        }
        own.get_mut(o)?.as_mut()
    }

    pub(super) fn contains_key(&self, o: &ObjRef) -> bool {
        self.get(o).is_some()
    }

    /// Says whether the object is new.
    pub(super) fn insert(&mut self, o: ObjRef, value: V) -> bool {
        let Some(own) = &mut self.own else {
            let is_new = self.map.insert(o, value).is_none();
            self.len += usize::from(is_new);
            return is_new;
        };
        let is_new = match own.insert(o, Some(value)) {
            Some(before) => before.is_none(),
            None => !self.map.contains_key(&o),
        };
        self.len += usize::from(is_new);
        is_new
    }

    /// Gives an object the value that follows from the one it has.
    #[inline]
    pub(super) fn change(&mut self, o: ObjRef, next: impl FnOnce(Option<&V>) -> V) {
        if self.own.is_some() {
            let value = next(self.get(&o));
            self.insert(o, value);
            return;
        }
        match self.map.entry(o) {
            Entry::Occupied(mut entry) => {
                let value = next(Some(entry.get()));
                entry.insert(value);
            }
            Entry::Vacant(entry) => {
                entry.insert(next(None));
                self.len += 1;
            }
        }
    }

    pub(super) fn remove(&mut self, o: &ObjRef) {
        if !self.contains_key(o) {
            return;
        }
        self.len -= 1;
        match &mut self.own {
            Some(own) => {
                own.insert(*o, None);
            }
            None => {
                self.map.remove(o);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn clear(&mut self) {
        *self = Layered::default();
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(&ObjRef) -> bool) {
        self.join();
        self.map.retain(|o, _| keep(o));
        self.len = self.map.len();
    }

    /// All objects, in no particular order.
    pub(super) fn keys(&self) -> impl Iterator<Item = ObjRef> {
        let own = self.own.iter().flatten();
        let here = move |o: &&ObjRef| self.own.as_ref().is_none_or(|own| !own.contains_key(*o));
        let own = own.filter(|(_, value)| value.is_some()).map(|(o, _)| *o);
        self.map.keys().filter(here).copied().chain(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same operations on a map with and without a table of its own.
    #[test]
    fn a_forked_map_has_the_same_entries() {
        let (mut plain, mut forked) = (Layered::default(), Layered::default());
        let mut random = 1_u32;
        for step in 0..60_000_u32 {
            if step % 20_000 == 5_000 {
                forked.forks_follow();
                forked.forked();
                assert!(forked.own.is_some());
            }
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let o = ObjRef(random >> 8 & 0x1fff);
            match random >> 28 {
                0..6 => assert_eq!(plain.insert(o, step), forked.insert(o, step)),
                6..10 => {
                    plain.remove(&o);
                    forked.remove(&o);
                }
                10 => {
                    let next = |value: Option<&u32>| value.map_or(step, |v| v + 7);
                    plain.change(o, next);
                    forked.change(o, next);
                }
                11 => {
                    let both = [plain.get_mut(&o), forked.get_mut(&o)];
                    both.into_iter().flatten().for_each(|value| *value += 1);
                }
                _ => assert_eq!(plain.get(&o), forked.get(&o)),
            }
            assert_eq!(plain.len(), forked.len());
        }
        let sorted = |map: &Layered<u32>| {
            let mut all: Vec<(ObjRef, u32)> = map
                .keys()
                .map(|o| (o, map.get(&o).copied().unwrap_or(0)))
                .collect();
            all.sort_unstable();
            all
        };
        assert_eq!(sorted(&plain), sorted(&forked));
        assert_eq!(sorted(&plain).len(), plain.len());
        let even = |o: &ObjRef| o.0.is_multiple_of(2);
        plain.retain(even);
        forked.retain(even);
        assert_eq!(sorted(&plain), sorted(&forked));
        assert_eq!(plain.len(), forked.len());
    }
}
