//! Brings objects into the shared state: the walk that watches what is reached and remembers the links.

use super::{Link, Tracker};
use crate::canon::is_constant_of;
use crate::rules::RuleNo;
use crate::shape::{Form, Shapes};
use crate::view::View;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::vm::Vm;
use std::collections::VecDeque;

/// Brings objects into the shared state.
pub(super) struct Join<'a> {
    tracker: &'a mut Tracker,
    queue: VecDeque<(ObjRef, bool)>,
    /// Links that rules hide: taken when no other is left.
    later: Vec<(ObjRef, ObjRef)>,
    buffer: Vec<(ObjRef, bool)>,
}

impl<'a> Join<'a> {
    pub(super) fn new(tracker: &'a mut Tracker) -> Join<'a> {
        Join {
            tracker,
            queue: VecDeque::new(),
            later: Vec::new(),
            buffer: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, vm: &mut Vm) {
        loop {
            while let Some((o, hidden)) = self.queue.pop_front() {
                self.children(vm, o, hidden);
            }
            if self.later.is_empty() {
                return;
            }
            for (parent, o) in std::mem::take(&mut self.later) {
                self.reach(vm, parent, o, true);
            }
        }
    }

    pub(super) fn reach(&mut self, vm: &mut Vm, parent: ObjRef, o: ObjRef, hidden: bool) {
        let scan = self.tracker.scan;
        let mut fresh = Link {
            parent,
            other: ObjRef::NULL,
            hidden,
            shared: false,
            scan,
        };
        // A new object may have taken the place of one that is gone.
        let is_old = || vm.heap.is_watched(o) && !vm.heap.logged(o).is_some_and(|l| l.fresh);
        let mut is_known = false;
        let Tracker { links, parents, .. } = &mut *self.tracker;
        links.change(o, |link| {
            let Some(link) = link else { return fresh };
            if !is_old() {
                parents.remove(o);
                return fresh;
            }
            let mut known = Link {
                shared: link.shared || link.parent != parent || link.scan == scan,
                scan,
                ..*link
            };
            if link.parent != parent && link.other != parent {
                parents.add(&vm.heap, o, link.other);
                known.other = parent;
            }
            is_known = hidden || !link.hidden;
            if is_known {
                return known;
            }
            for earlier in [known.parent, known.other] {
                parents.add(&vm.heap, o, earlier);
            }
            fresh.shared = known.shared;
            fresh
        });
        if is_known {
            return;
        }
        self.tracker.note_newcomer(o);
        if !vm.heap.watch(o) {
            vm.heap.set_baseline(o);
        }
        self.queue.push_back((o, hidden));
    }

    /// Reaches what an object, or a class's mirror, refers to.
    pub(super) fn children(&mut self, vm: &mut Vm, o: ObjRef, hidden: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.tracker.scan = self.tracker.scan.wrapping_add(1);
        gather(View::now(vm), &mut self.tracker.shapes, o, &mut buffer);
        for &(child, visible) in &buffer {
            if visible || hidden {
                self.reach(vm, o, child, hidden);
            } else {
                self.later.push((o, child));
            }
        }
        self.buffer = buffer;
    }

    /// Reaches what a written object has come to refer to.
    pub(super) fn new_children(&mut self, vm: &mut Vm, o: ObjRef, hidden: bool) {
        let shape = self.tracker.shapes.of_object(vm, o);
        if shape.form != Form::RefArray {
            return self.children(vm, o, hidden);
        }
        // Arrays may be long: only what is new in them.
        let (old, new) = (View::before(vm).object(o), View::now(vm).object(o));
        let elements = (0..new.len()).map(|i| (old.element(i), new.element(i)));
        let come: Vec<ObjRef> = elements.filter(|(a, b)| a != b).map(|(_, b)| b).collect();
        for child in come.into_iter().filter(|c| !c.is_null()) {
            let inner = self.tracker.shapes.of_object(vm, child);
            if inner.form.is_value() {
                continue;
            }
            // It may stand elsewhere in the array, too.
            if let Some(link) = self.tracker.links.get_mut(&child) {
                link.shared = true;
            }
            if inner.rule.is_none() || hidden {
                self.reach(vm, o, child, hidden);
            } else {
                self.later.push((o, child));
            }
        }
    }
}

/// The objects `o` refers to that have a state of their own, and whether no rule hides them.
pub(super) fn gather(view: View<'_>, shapes: &mut Shapes, o: ObjRef, out: &mut Vec<(ObjRef, bool)>) {
    let vm = view.vm;
    let shape = shapes.of_object(vm, o);
    let object = view.object(o);
    let mut push = |shapes: &mut Shapes, child: ObjRef, rule: Option<RuleNo>, own: Option<ClassId>| {
        if child.is_null() {
            return;
        }
        let inner = shapes.of_object(vm, child);
        let counts = match inner.form {
            Form::Enum => own.is_some_and(|class| is_constant_of(view, shapes, child, class)),
            form => !form.is_value(),
        };
        if counts {
            out.push((child, rule.is_none() && inner.rule.is_none()));
        }
    };
    match shape.form {
        Form::Mirror => {
            let class = vm.class_of_mirror(o);
            for f in shapes.statics(vm, class).iter().filter(|f| f.is_ref()) {
                push(shapes, object.reference(f.off), f.rule, Some(class));
            }
        }
        Form::RefArray => {
            for i in 0..object.len() {
                push(shapes, object.element(i), None, None);
            }
        }
        Form::PrimArray { .. } => {}
        _ => {
            for f in shape.fields.iter().filter(|f| f.is_ref()) {
                push(shapes, object.reference(f.off), f.rule, None);
            }
        }
    }
}
