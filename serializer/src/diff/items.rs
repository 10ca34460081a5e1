//! What came, went and changed in arrays and collections.

use super::{Differ, Difference, Side, Spot, Work, Written};
use crate::content::{Entry, Held, Items, Slot};
use crate::finding::Kind;
use crate::matching::{self, Matched};
use crate::place::{Key, Step};
use crate::value::element;
use poldet_vm::heap::{ELEMENTS, StackId};
use poldet_vm::ids::ObjRef;

/// The most differences that are reported of one collection or array.
const MOST_ITEMS: usize = 8;

/// An element or entry that came or went.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// The element, or the value of the entry.
    o: ObjRef,
    node: ObjRef,
    step: Step,
}

impl Item {
    pub(super) fn of_entry(entry: Entry, now: bool) -> Item {
        let object = entry.key;
        Item {
            o: entry.value,
            node: entry.node,
            step: Step::Key(Key { object, now }),
        }
    }

    /// An element of a collection without order is its own key.
    fn of_member((o, node): Held, now: bool) -> Item {
        let step = Step::Key(Key { object: o, now });
        Item { o, node, step }
    }

    fn of_index((o, node): Held, index: usize) -> Item {
        let step = Step::Index(index);
        Item { o, node, step }
    }
}

fn refs(a: ObjRef, b: ObjRef) -> (Slot, Slot) {
    (Slot::Ref(a), Slot::Ref(b))
}

impl Differ<'_, '_> {
    pub(super) fn items(&mut self, spot: Spot<'_>, old: Items, new: Items) {
        match (old, new) {
            (Items::Array(a), Items::Array(b)) => self.arrays(spot, &a, &b),
            (
                Items::Prims {
                    letter,
                    size,
                    bytes: a,
                },
                Items::Prims { bytes: b, .. },
            ) => self.primitives(spot, (letter, size), &a, &b),
            (Items::Text(a), Items::Text(b)) if a != b => self.summary(Kind::Changed, spot),
            (Items::List(a), Items::List(b)) => self.lists(spot, &a, &b),
            (Items::Bag(a), Items::Bag(b)) => self.bags(spot, &a, &b),
            (Items::Map { entries: a, ordered }, Items::Map { entries: b, .. }) => {
                self.maps(spot, &a, &b, ordered);
            }
            _ => {}
        }
    }

    fn arrays(&mut self, spot: Spot<'_>, a: &[ObjRef], b: &[ObjRef]) {
        if a.len() != b.len() {
            return self.summary(Kind::Resized, spot);
        }
        for (i, (p, q)) in a.iter().zip(b).enumerate() {
            if p != q {
                let off = ELEMENTS + i as u32 * 4;
                let cause = self.cause_at(spot.y, off, off + 4).or(spot.cause);
                self.later(spot, refs(*p, *q), spot.path.then(Step::Index(i)), cause);
            }
        }
    }

    fn primitives(&mut self, spot: Spot<'_>, (letter, size): (u8, u32), a: &[u8], b: &[u8]) {
        if a.len() != b.len() {
            return self.summary(Kind::Resized, spot);
        }
        if a == b {
            return;
        }
        let differ: Vec<usize> = (0..a.len() / size as usize)
            .filter(|i| {
                let at = i * size as usize..(i + 1) * size as usize;
                a[at.clone()] != b[at] && element(a, letter, size, *i) != element(b, letter, size, *i)
            })
            .collect();
        if differ.len() > MOST_ITEMS {
            return self.summary(Kind::Changed, spot);
        }
        for i in differ {
            let off = ELEMENTS + i as u32 * size;
            let work = Work {
                a: element(a, letter, size, i),
                b: element(b, letter, size, i),
                path: spot.path.then(Step::Index(i)),
                cause: self.cause_at(spot.y, off, off + size).or(spot.cause),
                holders: (spot.x, spot.y),
            };
            self.report(Kind::Changed, work);
        }
    }

    /// Who put the element where it is.
    fn put_by(&self, element: ObjRef, node: ObjRef) -> Option<StackId> {
        let by_node = if node.is_null() { None } else { self.put.get(&node) };
        let by_element = || {
            // A value may have been put elsewhere, too.
            (!element.is_null()).then(|| self.put.get(&element)).flatten()
        };
        by_node.or_else(by_element).copied()
    }

    /// Who took it away: the write to the place where it stood.
    fn taken_by(&self, element: ObjRef, node: ObjRef, written: &[Written]) -> Option<StackId> {
        let stood = |p: &&Written| {
            let old = self.before().object(p.o);
            p.is_ref
                && (p.from..p.to).step_by(4).any(|off| {
                    let was = old.reference(off);
                    !was.is_null() && (was == node || was == element)
                })
        };
        written.iter().find(stood).and_then(|place| self.cause(*place))
    }

    pub(super) fn added(&mut self, spot: Spot<'_>, item: Item) {
        let cause = self.put_by(item.o, item.node).or(spot.cause);
        self.item(spot, item, Kind::Added, cause);
    }

    pub(super) fn removed(&mut self, spot: Spot<'_>, item: Item) {
        let cause = self.taken_by(item.o, item.node, spot.written).or(spot.cause);
        self.item(spot, item, Kind::Removed, cause);
    }

    fn item(&mut self, spot: Spot<'_>, item: Item, kind: Kind, cause: Option<StackId>) {
        let there = Side::Slot(Slot::Ref(item.o));
        let (before, after) = match kind {
            Kind::Added => (Side::Absent, there),
            _ => (there, Side::Absent),
        };
        self.push(Difference {
            path: spot.path.then(item.step),
            kind,
            before,
            after,
            cause,
            holders: (spot.x, spot.y),
        });
    }

    /// Reports what came and went, one by one unless there is too much.
    fn came_and_went(&mut self, spot: Spot<'_>, gone: &[Item], come: &[Item], summarize: bool) {
        if summarize || gone.len() + come.len() > MOST_ITEMS {
            let kind = match (gone.is_empty(), come.is_empty()) {
                (true, _) => Kind::Added,
                (_, true) => Kind::Removed,
                _ => Kind::Resized,
            };
            return self.summary(kind, spot);
        }
        for item in come {
            self.added(spot, *item);
        }
        for item in gone {
            self.removed(spot, *item);
        }
    }

    fn lists(&mut self, spot: Spot<'_>, a: &[Held], b: &[Held]) {
        if a.len() == b.len() {
            for (i, (p, q)) in a.iter().zip(b).enumerate() {
                if p.0 != q.0 {
                    let cause = self.put_by(q.0, q.1).or(spot.cause);
                    self.later(spot, refs(p.0, q.0), spot.path.then(Step::Index(i)), cause);
                }
            }
            return;
        }
        let most = a.len().min(b.len());
        let prefix = (0..most).take_while(|i| self.same(a[*i].0, b[*i].0)).count();
        let suffix = (0..most - prefix)
            .take_while(|i| self.same(a[a.len() - 1 - i].0, b[b.len() - 1 - i].0))
            .count();
        let ends = (0..prefix).map(|i| (i, i));
        let ends = ends.chain((1..=suffix).map(|i| (a.len() - i, b.len() - i)));
        for (i, j) in ends.filter(|(i, j)| a[*i].0 != b[*j].0) {
            // Equal, but not the same.
            let path = spot.path.then(Step::Index(j));
            self.later(spot, refs(a[i].0, b[j].0), path, spot.cause);
        }
        let middle = |list: &[Held]| -> Vec<Item> {
            let items = list[prefix..list.len() - suffix].iter().enumerate();
            items.map(|(i, held)| Item::of_index(*held, prefix + i)).collect()
        };
        let (gone, come) = (middle(a), middle(b));
        let mixed = !gone.is_empty() && !come.is_empty();
        self.came_and_went(spot, &gone, &come, mixed);
    }

    fn bags(&mut self, spot: Spot<'_>, a: &[Held], b: &[Held]) {
        let keys = |list: &[Held]| -> Vec<ObjRef> { list.iter().map(|e| e.0).collect() };
        let Matched { both, gone, come } = self.matched(&keys(a), &keys(b));
        for (i, j) in both.into_iter().filter(|(i, j)| a[*i].0 != b[*j].0) {
            self.later(spot, refs(a[i].0, b[j].0), spot.path.clone(), spot.cause);
        }
        let gone: Vec<Item> = gone.into_iter().map(|i| Item::of_member(a[i], false)).collect();
        let come: Vec<Item> = come.into_iter().map(|j| Item::of_member(b[j], true)).collect();
        if !gone.is_empty() || !come.is_empty() {
            self.came_and_went(spot, &gone, &come, false);
        }
    }

    fn maps(&mut self, spot: Spot<'_>, a: &[Entry], b: &[Entry], ordered: bool) {
        let keys = |list: &[Entry]| -> Vec<ObjRef> { list.iter().map(|e| e.key).collect() };
        let Matched { both, gone, come } = self.matched(&keys(a), &keys(b));
        let gone: Vec<Item> = gone.into_iter().map(|i| Item::of_entry(a[i], false)).collect();
        let come: Vec<Item> = come.into_iter().map(|j| Item::of_entry(b[j], true)).collect();
        self.came_and_went(spot, &gone, &come, false);
        let mut in_order = true;
        let mut last = None;
        for (i, j) in both {
            in_order &= last.is_none_or(|l| l < j);
            last = Some(j);
            self.entries(spot, a[i], b[j]);
        }
        if ordered && !in_order {
            self.summary(Kind::Changed, spot);
        }
    }

    /// Two entries of the same key.
    fn entries(&mut self, spot: Spot<'_>, p: Entry, q: Entry) {
        if p.key != q.key {
            self.later(spot, refs(p.key, q.key), spot.path.clone(), spot.cause);
        }
        if p.value != q.value {
            let logged = self.vm.heap.logged(q.node);
            let by_node = logged.and_then(|l| l.stack_of(0, u32::MAX));
            let cause = by_node.or(self.put_by(q.value, q.node)).or(spot.cause);
            let key = Key {
                object: q.key,
                now: true,
            };
            let path = spot.path.then(Step::Key(key));
            self.later(spot, refs(p.value, q.value), path, cause);
        }
    }

    fn matched(&mut self, a: &[ObjRef], b: &[ObjRef]) -> Matched {
        let (before, now) = (self.before(), self.now());
        let mut matched = matching::by_key(before, now, self.shapes, a, b);
        // What is left may be equal copies.
        matched.by(|i, j| self.same(a[i], b[j]));
        matched
    }
}
