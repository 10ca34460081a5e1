//! Which parts of two objects stand for each other, where one may be a copy of the other.

use crate::canon;
use crate::content::{Content, Entry, Items, Slot, content};
use crate::shape::Shapes;
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;

/// Where in their owners two references stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// By its place in the shape's fields.
    Field(usize),
    Index(usize),
    /// An element of a collection without order, or a key.
    Member,
    /// The value of this key, as it is now.
    Value(ObjRef),
}

/// References that stand at the same place of an object before and of one now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    pub old: ObjRef,
    pub new: ObjRef,
    pub at: At,
}

pub struct Twins {
    pub list: Vec<Twin>,
    /// All else that the two show is the same.
    pub same: bool,
}

/// Compares what `x` showed before with what `y`, of the same class, shows now. What rules hide is no part of either.
pub fn twins(before: View<'_>, now: View<'_>, shapes: &mut Shapes, x: ObjRef, y: ObjRef) -> Twins {
    let old: Content = content(before, shapes, x);
    let new: Content = content(now, shapes, y);
    let mut twins = Twins {
        list: Vec::new(),
        same: true,
    };
    for (&(i, a), &(_, b)) in old.fields.iter().zip(&new.fields) {
        if old.shape.fields[i].rule.is_some() {
            continue;
        }
        match (a, b) {
            (Slot::Ref(old), Slot::Ref(new)) => twins.push(old, new, At::Field(i)),
            _ => twins.same &= a == b,
        }
    }
    let members =
        |held: Vec<Pair>| -> Vec<Pair> { held.into_iter().map(|(o, _)| (o, ObjRef::NULL)).collect() };
    let entries = |list: Vec<Entry>| -> Vec<Pair> { list.into_iter().map(|e| (e.key, e.value)).collect() };
    match (old.items, new.items) {
        (Items::None, Items::None) => {}
        (Items::Array(a), Items::Array(b)) if a.len() == b.len() => {
            for (i, (old, new)) in a.into_iter().zip(b).enumerate() {
                twins.push(old, new, At::Index(i));
            }
        }
        (Items::List(a), Items::List(b)) if a.len() == b.len() => {
            for (i, (old, new)) in a.into_iter().zip(b).enumerate() {
                twins.push(old.0, new.0, At::Index(i));
            }
        }
        (Items::Bag(a), Items::Bag(b)) if a.len() == b.len() => {
            for (old, new) in matched(before, now, shapes, members(a), members(b)) {
                twins.push(old.0, new.0, At::Member);
            }
        }
        (Items::Map { entries: a, ordered }, Items::Map { entries: b, .. }) if a.len() == b.len() => {
            let pairs = if ordered {
                entries(a).into_iter().zip(entries(b)).collect()
            } else {
                matched(before, now, shapes, entries(a), entries(b))
            };
            for (old, new) in pairs {
                twins.push(old.0, new.0, At::Member);
                twins.push(old.1, new.1, At::Value(new.0));
            }
        }
        (Items::Prims { bytes: a, .. }, Items::Prims { bytes: b, .. }) => twins.same &= a == b,
        (Items::Text(a), Items::Text(b)) => twins.same &= a == b,
        _ => twins.same = false,
    }
    twins
}

/// A key and its value, or an element and nothing.
type Pair = (ObjRef, ObjRef);

/// The entries of two collections without order that stand for each other: those of the same key, then the others in
/// canonical order.
fn matched(
    before: View<'_>,
    now: View<'_>,
    shapes: &mut Shapes,
    a: Vec<Pair>,
    b: Vec<Pair>,
) -> Vec<(Pair, Pair)> {
    let mut places: FixedMap<ObjRef, usize> = b.iter().enumerate().map(|(j, p)| (p.0, j)).collect();
    let mut taken = vec![false; b.len()];
    let mut pairs = Vec::new();
    let mut rest = Vec::new();
    for p in a {
        match places.remove(&p.0) {
            Some(j) => {
                taken[j] = true;
                pairs.push((p, b[j]));
            }
            None => rest.push(p),
        }
    }
    let come = b
        .into_iter()
        .zip(taken)
        .filter(|(_, taken)| !taken)
        .map(|(q, _)| q);
    let come: Vec<Pair> = come.collect();
    let (rest, come) = (
        canon::sorted(before, shapes, rest),
        canon::sorted(now, shapes, come),
    );
    pairs.extend(rest.into_iter().zip(come));
    pairs
}

impl Twins {
    fn push(&mut self, old: ObjRef, new: ObjRef, at: At) {
        self.list.push(Twin { old, new, at });
    }
}
