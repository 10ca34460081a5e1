//! Which parts of two objects stand for each other, where one may be a copy of the other.

use crate::content::{Content, Entry, Held, Items, Slot, content};
use crate::matching::{self, Pair};
use crate::shape::Shapes;
use crate::view::View;
use poldet_vm::ids::ObjRef;

/// The place in their owners at which two references stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
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
    pub at: Position,
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
            (Slot::Ref(old), Slot::Ref(new)) => twins.push(old, new, Position::Field(i)),
            _ => twins.same &= a == b,
        }
    }
    let members =
        |held: Vec<Held>| -> Vec<Pair> { held.into_iter().map(|(o, _)| (o, ObjRef::NULL)).collect() };
    let entries = |list: Vec<Entry>| -> Vec<Pair> { list.into_iter().map(|e| (e.key, e.value)).collect() };
    match (old.items, new.items) {
        (Items::None, Items::None) => {}
        (Items::Array(a), Items::Array(b)) if a.len() == b.len() => {
            for (i, (old, new)) in a.into_iter().zip(b).enumerate() {
                twins.push(old, new, Position::Index(i));
            }
        }
        (Items::List(a), Items::List(b)) if a.len() == b.len() => {
            for (i, (old, new)) in a.into_iter().zip(b).enumerate() {
                twins.push(old.0, new.0, Position::Index(i));
            }
        }
        (Items::Bag(a), Items::Bag(b)) if a.len() == b.len() => {
            for (old, new) in matching::all(before, now, shapes, &members(a), &members(b)) {
                twins.push(old.0, new.0, Position::Member);
            }
        }
        (Items::Map { entries: a, ordered }, Items::Map { entries: b, .. }) if a.len() == b.len() => {
            let pairs = if ordered {
                entries(a).into_iter().zip(entries(b)).collect()
            } else {
                matching::all(before, now, shapes, &entries(a), &entries(b))
            };
            for (old, new) in pairs {
                twins.push(old.0, new.0, Position::Member);
                twins.push(old.1, new.1, Position::Value(new.0));
            }
        }
        (Items::Prims { bytes: a, .. }, Items::Prims { bytes: b, .. }) => twins.same &= a == b,
        (Items::Text(a), Items::Text(b)) => twins.same &= a == b,
        _ => twins.same = false,
    }
    twins
}

impl Twins {
    fn push(&mut self, old: ObjRef, new: ObjRef, at: Position) {
        self.list.push(Twin { old, new, at });
    }
}
