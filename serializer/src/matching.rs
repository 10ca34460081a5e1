//! Which elements of two collections without order stand for each other.

use crate::canon;
use crate::shape::Shapes;
use crate::value::{Value, value};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;

/// A collection before and one now, by the places of their elements.
#[derive(Debug, Default)]
pub struct Matched {
    pub both: Vec<(usize, usize)>,
    /// Only in the first.
    pub gone: Vec<usize>,
    /// Only in the second.
    pub come: Vec<usize>,
}

/// Matches elements that are one object or of one value.
pub fn by_key(before: View<'_>, now: View<'_>, shapes: &mut Shapes, a: &[ObjRef], b: &[ObjRef]) -> Matched {
    let mut matched = Matched::default();
    let mut taken = vec![false; b.len()];
    let mut places: FixedMap<ObjRef, Vec<usize>> = FixedMap::default();
    for (j, o) in b.iter().enumerate().rev() {
        places.entry(*o).or_default().push(j);
    }
    let mut rest = Vec::new();
    for (i, o) in a.iter().enumerate() {
        match places.get_mut(o).and_then(Vec::pop) {
            Some(j) => {
                taken[j] = true;
                matched.both.push((i, j));
            }
            None => rest.push(i),
        }
    }
    let mut values: FixedMap<Value, Vec<usize>> = FixedMap::default();
    if !rest.is_empty() {
        for (j, o) in b.iter().enumerate().rev().filter(|(j, _)| !taken[*j]) {
            if let Some(value) = value(now, shapes, *o) {
                values.entry(value).or_default().push(j);
            }
        }
    }
    for i in rest {
        let value = value(before, shapes, a[i]);
        match value.and_then(|v| values.get_mut(&v)).and_then(Vec::pop) {
            Some(j) => {
                taken[j] = true;
                matched.both.push((i, j));
            }
            None => matched.gone.push(i),
        }
    }
    matched.both.sort_unstable();
    matched.come = (0..b.len()).filter(|j| !taken[*j]).collect();
    matched
}

impl Matched {
    /// Matches what is left where `same` says so, as long as that is not too much to ask.
    pub fn by(&mut self, mut same: impl FnMut(usize, usize) -> bool) {
        /// Elements that are compared with each other, at most.
        const MOST: usize = 64;
        if self.gone.len() > MOST {
            return;
        }
        let (both, come) = (&mut self.both, &mut self.come);
        self.gone.retain(|&i| {
            let equal = come.iter().position(|&j| same(i, j));
            if let Some(at) = equal {
                both.push((i, come.remove(at)));
            }
            equal.is_none()
        });
        both.sort_unstable();
    }
}

/// A key and its value, or an element and null.
pub type Pair = (ObjRef, ObjRef);

/// Pairs all entries of two collections of one size: those of the same key, then the others in canonical order.
pub fn all(
    before: View<'_>,
    now: View<'_>,
    shapes: &mut Shapes,
    a: &[Pair],
    b: &[Pair],
) -> Vec<(Pair, Pair)> {
    let keys = |list: &[Pair]| -> Vec<ObjRef> { list.iter().map(|p| p.0).collect() };
    let Matched { both, gone, come } = by_key(before, now, shapes, &keys(a), &keys(b));
    let mut pairs: Vec<(Pair, Pair)> = both.into_iter().map(|(i, j)| (a[i], b[j])).collect();
    if !gone.is_empty() {
        let old = canon::sorted(before, shapes, gone.into_iter().map(|i| a[i]).collect());
        let new = canon::sorted(now, shapes, come.into_iter().map(|j| b[j]).collect());
        pairs.extend(old.into_iter().zip(new));
    }
    pairs
}
