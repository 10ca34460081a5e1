//! Whether two structures show the same.

use super::{Differ, same_class};
use crate::twins::twins;
use crate::value::value;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;

/// Pairs compared to say whether two structures are equal, at most: larger ones count as different.
const DEEP: usize = 1 << 22;

impl Differ<'_, '_> {
    /// Whether an old and a new object show the same.
    pub(super) fn same(&mut self, x: ObjRef, y: ObjRef) -> bool {
        x == y || self.pairs(x, y).is_some()
    }

    /// The objects of two structures that show the same, pair by pair where they are not one.
    pub(super) fn pairs(&mut self, x: ObjRef, y: ObjRef) -> Option<Vec<(ObjRef, ObjRef)>> {
        let mut pairs = Vec::new();
        let (before, now) = (self.before(), self.now());
        let mut seen: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let mut back: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let mut work = vec![(x, y)];
        while let Some((x, y)) = work.pop() {
            if x == y {
                continue;
            }
            match (value(before, self.shapes, x), value(now, self.shapes, y)) {
                (Some(v), Some(w)) if v == w && same_class(self.vm, x, y) => continue,
                (None, None) => {}
                _ => return None,
            }
            match self.hidden_by(x, y) {
                (Some(_), Some(_)) => continue,
                (None, None) if same_class(self.vm, x, y) => {}
                _ => return None,
            }
            match (seen.insert(x, y), back.insert(y, x)) {
                (Some(other), Some(_)) if other == y => continue,
                (None, None) => pairs.push((x, y)),
                _ => return None,
            }
            if seen.len() > DEEP {
                return None;
            }
            let twins = twins(before, now, self.shapes, x, y);
            if !twins.same {
                return None;
            }
            work.extend(twins.list.into_iter().map(|t| (t.old, t.new)));
        }
        Some(pairs)
    }
}
