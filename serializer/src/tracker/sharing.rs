//! Whether equal copies changed what is shared with what, and where.

use super::join::gather;
use super::{Change, Changes, Root, Tracker, slots_of};
use crate::canon::is_constant_of;
use crate::content::Slot;
use crate::diff::{Difference, Edge, Path};
use crate::finding::Kind;
use crate::shape::Form;
use crate::twins::{At, Twin, twins};
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

    /// Objects were replaced by equal ones, which are given. That is no difference unless one of them was, or now is,
    /// shared.
    pub(super) fn compare_sharing(&mut self, vm: &Vm, copies: &[(ObjRef, ObjRef)], changes: &mut Changes) {
        let certain = changes.list.iter().any(|c| c.observable && c.rule.is_none());
        if !certain {
            let (before, now) = self.digests(vm);
            if before == now {
                return;
            }
        }
        let mut conflicts = Sharing::new(vm, self, Some(copies)).run();
        if conflicts.is_empty() && !certain {
            // Several equal ones may have been matched otherwise; there is nothing else to be told of now.
            conflicts = Sharing::new(vm, self, None).run();
        }
        if conflicts.is_empty() && !certain {
            changes.fault = Some(
                "the shared state before and after differ, but neither the log nor a walk of both says where"
                    .into(),
            );
        }
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
            let cause = vm.heap.logged(holder).and_then(|l| l.stack_of(off, off + 4));
            let put = || vm.heap.reference_writes().filter(|(o, _)| *o == y).last();
            let cause = cause.or_else(|| put().map(|(_, stack)| stack));
            let cause = cause.or_else(|| self.any_cause(vm));
            let text = describe(View::now(vm), &mut self.shapes, slots.1);
            changes.list.push(Change {
                stale: false,
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
    /// Which objects were replaced by which equal ones, where others that differ have been told of.
    copies: Option<FixedMap<(ObjRef, ObjRef), ()>>,
    forth: FixedMap<ObjRef, ObjRef>,
    back: FixedMap<ObjRef, ObjRef>,
    queue: VecDeque<(ObjRef, ObjRef, Root, Path)>,
    /// Where an object was met first, in the state before and now.
    places: [FixedMap<ObjRef, (Root, Path)>; 2],
    found: Vec<Conflict>,
}

impl<'a, 'b> Sharing<'a, 'b> {
    fn new(vm: &'a Vm, tracker: &'b mut Tracker, copies: Option<&[(ObjRef, ObjRef)]>) -> Sharing<'a, 'b> {
        Sharing {
            vm,
            tracker,
            copies: copies.map(|all| all.iter().map(|pair| (*pair, ())).collect()),
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
            let root = Root::Thread { name };
            self.pair(thread, thread, &root, Path::default(), ObjRef::NULL, 0);
        }
        for class in self.tracker.compared_classes() {
            let mirror = vm.mirror(class);
            for f in self.tracker.shapes.statics(vm, class).iter() {
                if !f.is_ref() || f.rule.is_some() || f.internal {
                    continue;
                }
                let root = Root::Static { class, field: f.name };
                let (Slot::Ref(x), Slot::Ref(y)) = slots_of(vm, mirror, f) else {
                    continue;
                };
                let shapes = &mut self.tracker.shapes;
                if x == y && !x.is_null() && is_constant_of(View::now(vm), shapes, x, class) {
                    // The fields of an enum constant belong to its enum.
                    self.enter(x, y, &root, Path::default());
                } else {
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
        let told = |copies: &FixedMap<(ObjRef, ObjRef), ()>| x != y && !copies.contains_key(&(x, y));
        if x.is_null() || y.is_null() || self.copies.as_ref().is_some_and(told) {
            return;
        }
        let shapes = &mut self.tracker.shapes;
        let (a, b) = (shapes.of_object(self.vm, x), shapes.of_object(self.vm, y));
        if a.form.is_value() || b.form.is_value() || a.rule.is_some() || !Rc::ptr_eq(&a, &b) {
            return;
        }
        match (self.forth.get(&x), self.back.get(&y)) {
            (Some(p), Some(q)) if *p == y && *q == x => {}
            (None, None) => self.enter(x, y, root, path),
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

    fn enter(&mut self, x: ObjRef, y: ObjRef, root: &Root, path: Path) {
        self.forth.insert(x, y);
        self.back.insert(y, x);
        for (places, o) in self.places.iter_mut().zip([x, y]) {
            places.entry(o).or_insert_with(|| (root.clone(), path.clone()));
        }
        self.queue.push_back((x, y, root.clone(), path));
    }

    fn contents(&mut self, x: ObjRef, y: ObjRef, root: &Root, path: &Path) {
        let vm = self.vm;
        let (before, now) = (View::before(vm), View::now(vm));
        let shape = self.tracker.shapes.of_object(vm, y);
        let array = shape.form == Form::RefArray;
        for Twin { old, new, at } in twins(before, now, &mut self.tracker.shapes, x, y).list {
            let (path, off) = match at {
                At::Field(i) => (path.then(Edge::Field(shape.fields[i].name)), shape.fields[i].off),
                At::Index(i) if array => (path.then(Edge::Index(i)), ELEMENTS + i as u32 * 4),
                At::Index(i) => (path.then(Edge::Index(i)), 0),
                At::Member => (path.clone(), 0),
                At::Value(key) => (path.then(self.tracker.key(now, key)), 0),
            };
            self.pair(old, new, root, path, y, off);
        }
    }
}
