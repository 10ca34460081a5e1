//! Whether equal copies changed what is shared with what, and where.

use super::join::gather;
use super::{Change, Changes, Root, Tracker, slots_of};
use crate::canon;
use crate::content::{Items, Slot, content};
use crate::diff::{Difference, Edge, Path};
use crate::finding::Kind;
use crate::value::describe;
use crate::view::View;
use poldet_vm::heap::{ELEMENTS, StackId};
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;
use std::rc::Rc;

impl Tracker {
    /// Whether no object of these pairs, of an old one and its copy, was or is referred to from two places: then that
    /// one stands for the other changes nothing.
    pub(super) fn alone(&mut self, vm: &Vm, changed: &[ObjRef], copies: &[(ObjRef, ObjRef)]) -> bool {
        if copies.is_empty() {
            return true;
        }
        let was_alone = |(x, _): &(ObjRef, ObjRef)| self.ways.get(x).is_some_and(|way| !way.shared);
        if !copies.iter().all(was_alone) {
            return false;
        }
        let is_new = |o: ObjRef| !vm.heap.is_watched(o) || vm.heap.logged(o).is_some_and(|l| l.fresh);
        if !copies.iter().all(|(_, y)| is_new(*y)) {
            return false;
        }
        // Who refers to something new has been written, or is new itself.
        let mut references: FixedMap<ObjRef, u32> = FixedMap::default();
        let mut queue: Vec<ObjRef> = changed.to_vec();
        let mut children = Vec::new();
        while let Some(o) = queue.pop() {
            children.clear();
            gather(View::now(vm), &mut self.shapes, o, &mut children);
            for &(child, _) in children.iter().filter(|(child, _)| is_new(*child)) {
                let count = references.entry(child).or_default();
                *count += 1;
                if *count == 1 {
                    queue.push(child);
                }
            }
        }
        copies.iter().all(|(_, y)| references.get(y) == Some(&1))
    }

    /// Objects were replaced by equal ones. That is no difference unless one of them was, or now is, shared.
    pub(super) fn compare_sharing(&mut self, vm: &Vm, changes: &mut Changes) {
        let certain = changes.list.iter().any(|c| c.observable && c.rule.is_none());
        if !certain {
            let (before, now) = self.digests(vm);
            if before == now {
                return;
            }
        }
        let conflicts = Sharing::new(vm, self).run();
        for conflict in conflicts {
            let Conflict {
                root,
                path,
                holder,
                off,
                x,
                y,
                before,
                now,
            } = conflict;
            let slots = (Slot::Ref(x), Slot::Ref(y));
            let first_touch = matches!(root, Root::Static { class, .. } if self.touched.contains(&class));
            if first_touch && self.options.common_roots {
                continue;
            }
            let cause = vm.heap.logged(holder).and_then(|l| l.stack_of(off, off + 4));
            let cause = cause.or_else(|| self.any_cause(vm));
            let text = describe(View::now(vm), &mut self.shapes, slots.1);
            changes.list.push(Change {
                difference: Difference {
                    path,
                    kind: Kind::Replaced,
                    before: sharing_text(&text, before),
                    after: sharing_text(&text, now),
                    cause,
                    slots: Some(slots),
                    holders: (holder, holder),
                },
                root,
                observable: true,
                first_touch,
                rule: None,
                way: Vec::new(),
            });
        }
    }

    fn any_cause(&self, vm: &Vm) -> Option<StackId> {
        vm.heap.log().iter().rev().find_map(|l| l.stack_of(0, u32::MAX))
    }
}

struct Conflict {
    root: Root,
    path: Path,
    holder: ObjRef,
    off: u32,
    x: ObjRef,
    y: ObjRef,
    /// Where else the same object stands, before and now.
    before: Option<String>,
    now: Option<String>,
}

fn sharing_text(object: &str, place: Option<String>) -> String {
    match place {
        Some(place) => format!("{object}, the same object as {place}"),
        None => format!("{object}, an object of its own"),
    }
}

/// Walks the state before and the state now side by side, to find an object that stands for two.
struct Sharing<'a, 'b> {
    vm: &'a Vm,
    tracker: &'b mut Tracker,
    forth: FixedMap<ObjRef, ObjRef>,
    back: FixedMap<ObjRef, ObjRef>,
    queue: VecDeque<(ObjRef, ObjRef, Root, Path)>,
    /// Where an object was met first, in the state before and now.
    places: [FixedMap<ObjRef, (Root, Path)>; 2],
    found: Vec<Conflict>,
}

impl<'a, 'b> Sharing<'a, 'b> {
    fn new(vm: &'a Vm, tracker: &'b mut Tracker) -> Sharing<'a, 'b> {
        Sharing {
            vm,
            tracker,
            forth: FixedMap::default(),
            back: FixedMap::default(),
            queue: VecDeque::new(),
            places: Default::default(),
            found: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Conflict> {
        let vm = self.vm;
        for thread in self.tracker.threads.clone() {
            let name = self.tracker.thread_name(View::before(vm), thread);
            self.pair(
                thread,
                thread,
                &Root::Thread { name },
                Path::default(),
                ObjRef::NULL,
                0,
            );
        }
        for class in self.tracker.classes.clone() {
            let mirror = vm.mirror(class);
            for f in self.tracker.shapes.statics(vm, class).iter() {
                if !f.is_ref() || f.rule.is_some() || f.internal {
                    continue;
                }
                let root = Root::Static { class, field: f.name };
                if let (Slot::Ref(x), Slot::Ref(y)) = slots_of(vm, mirror, f) {
                    self.pair(x, y, &root, Path::default(), mirror, f.off);
                }
            }
        }
        while let Some((x, y, root, path)) = self.queue.pop_front() {
            if self.found.len() >= 8 {
                break;
            }
            self.contents(x, y, &root, &path);
        }
        self.found
    }

    fn pair(&mut self, x: ObjRef, y: ObjRef, root: &Root, path: Path, holder: ObjRef, off: u32) {
        if x.is_null() || y.is_null() {
            return;
        }
        let shapes = &mut self.tracker.shapes;
        let (a, b) = (shapes.of_object(self.vm, x), shapes.of_object(self.vm, y));
        if a.form.is_value() || b.form.is_value() || a.rule.is_some() || !Rc::ptr_eq(&a, &b) {
            return;
        }
        match (self.forth.get(&x), self.back.get(&y)) {
            (Some(p), Some(q)) if *p == y && *q == x => {}
            (None, None) => {
                self.forth.insert(x, y);
                self.back.insert(y, x);
                for (places, o) in self.places.iter_mut().zip([x, y]) {
                    places.entry(o).or_insert_with(|| (root.clone(), path.clone()));
                }
                self.queue.push_back((x, y, root.clone(), path));
            }
            _ => {
                let text = |i: usize, o: &ObjRef| {
                    let (root, path) = self.places[i].get(o)?;
                    Some(format!(
                        "{}{}",
                        self.tracker.root_text(self.vm, root),
                        path.text()
                    ))
                };
                let (before, now) = (text(0, &x), text(1, &y));
                self.found.push(Conflict {
                    root: root.clone(),
                    path,
                    holder,
                    off,
                    x,
                    y,
                    before,
                    now,
                });
            }
        }
    }

    fn contents(&mut self, x: ObjRef, y: ObjRef, root: &Root, path: &Path) {
        let vm = self.vm;
        let (before, now) = (View::before(vm), View::now(vm));
        let old = content(before, &mut self.tracker.shapes, x);
        let new = content(now, &mut self.tracker.shapes, y);
        for ((i, a), (_, b)) in old.fields.iter().zip(&new.fields) {
            let f = &old.shape.fields[*i];
            if let (Slot::Ref(p), Slot::Ref(q), None) = (*a, *b, f.rule) {
                self.pair(p, q, root, path.then(Edge::Field(f.name)), y, f.off);
            }
        }
        let index = |i: usize| path.then(Edge::Index(i));
        match (old.items, new.items) {
            (Items::Array(a), Items::Array(b)) if a.len() == b.len() => {
                for (i, (p, q)) in a.into_iter().zip(b).enumerate() {
                    self.pair(p, q, root, index(i), y, ELEMENTS + i as u32 * 4);
                }
            }
            (Items::List(a), Items::List(b)) if a.len() == b.len() => {
                for (i, (p, q)) in a.into_iter().zip(b).enumerate() {
                    self.pair(p.0, q.0, root, index(i), y, 0);
                }
            }
            (Items::Bag(a), Items::Bag(b)) if a.len() == b.len() => {
                let a = canon::sorted(before, &mut self.tracker.shapes, a);
                let b = canon::sorted(now, &mut self.tracker.shapes, b);
                for (p, q) in a.into_iter().zip(b) {
                    self.pair(p.0, q.0, root, path.clone(), y, 0);
                }
            }
            (Items::Map { entries: a, ordered }, Items::Map { entries: b, .. }) if a.len() == b.len() => {
                let pairs =
                    |list: Vec<crate::content::Entry>| list.into_iter().map(|e| (e.key, e.value)).collect();
                let (mut a, mut b): (Vec<_>, Vec<_>) = (pairs(a), pairs(b));
                if !ordered {
                    a = canon::sorted(before, &mut self.tracker.shapes, a);
                    b = canon::sorted(now, &mut self.tracker.shapes, b);
                }
                for (p, q) in a.into_iter().zip(b) {
                    self.pair(p.0, q.0, root, path.clone(), y, 0);
                    let key = self.tracker.key(now, q.0);
                    self.pair(p.1, q.1, root, path.then(key), y, 0);
                }
            }
            _ => {}
        }
    }
}
