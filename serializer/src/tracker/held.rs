//! What is referred to now: by references that were there before and still hold, and by those that have come since.

use super::Tracker;
use super::join::gather;
use crate::shape::Form;
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// By object who has come to refer to it, and whether no rule hides that.
type Come = FixedMap<ObjRef, Vec<(ObjRef, bool)>>;

/// Answers who leads to an object now. What was found out is kept until the comparison ends.
pub(super) struct Held<'a> {
    changed: &'a [ObjRef],
    come: Option<Come>,
    /// Objects to which no root leads.
    unheld: FixedMap<ObjRef, ()>,
}

impl<'a> Held<'a> {
    pub(super) fn new(changed: &'a [ObjRef]) -> Held<'a> {
        Held {
            changed,
            come: None,
            unheld: FixedMap::default(),
        }
    }

    fn come(&mut self, tracker: &mut Tracker, vm: &Vm) -> &Come {
        self.come
            .get_or_insert_with(|| references_come(tracker, vm, self.changed))
    }

    /// Whether a root leads to an object now, behind rules or not.
    pub(super) fn leads_to(&mut self, tracker: &mut Tracker, vm: &Vm, o: ObjRef) -> bool {
        self.come(tracker, vm);
        let Held { come, unheld, .. } = self;
        let now = [View::now(vm)];
        if unheld.contains_key(&o) {
            return false;
        }
        let mut met: FixedMap<ObjRef, ()> = FixedMap::default();
        met.insert(o, ());
        let mut queue = vec![o];
        while let Some(at) = queue.pop() {
            if tracker.holder(vm, at).is_some() {
                return true;
            }
            let mut reach = |parent: ObjRef| {
                if !unheld.contains_key(&parent) && met.insert(parent, ()).is_none() {
                    queue.push(parent);
                }
            };
            let new = come.as_ref().and_then(|come| come.get(&at));
            new.into_iter().flatten().for_each(|(parent, _)| reach(*parent));
            for parent in tracker.referrers(at) {
                if tracker.edge(&now, parent, at).is_some() {
                    reach(parent);
                }
            }
        }
        unheld.extend(met);
        false
    }

    /// The first of these objects that may stand at one place in both states: what shows it before shows it, or what replaced
    /// that shows it, now, and so on up to a root. `copies` says what replaced what.
    pub(super) fn stays(
        &mut self,
        tracker: &mut Tracker,
        vm: &Vm,
        objects: impl Iterator<Item = ObjRef>,
        copies: &FixedMap<ObjRef, ObjRef>,
    ) -> Option<ObjRef> {
        let come = self.come(tracker, vm);
        let mut met: FixedMap<ObjRef, ()> = FixedMap::default();
        for o in objects {
            let mut queue = Vec::new();
            if met.insert(o, ()).is_none() {
                queue.push(o);
            }
            while let Some(at) = queue.pop() {
                if tracker.holder(vm, at).is_some() {
                    return Some(o);
                }
                let before = tracker.shown_by(View::before(vm), at, &Come::default());
                if before.is_empty() {
                    continue;
                }
                let now = tracker.shown_by(View::now(vm), at, come);
                let now: FixedMap<ObjRef, ()> = now.into_iter().map(|h| (h, ())).collect();
                for holder in before {
                    if copies.get(&holder).is_some_and(|copy| now.contains_key(copy)) {
                        return Some(o);
                    }
                    if now.contains_key(&holder) && met.insert(holder, ()).is_none() {
                        queue.push(holder);
                    }
                }
            }
        }
        None
    }
}

impl Tracker {
    /// The objects that may show `o`: those that refer to it where no rule hides that, and collections that do so through
    /// their nodes and arrays.
    fn shown_by(&mut self, view: View<'_>, o: ObjRef, come: &Come) -> Vec<ObjRef> {
        let vm = view.vm;
        let mut seen: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut all = Vec::new();
        // Behind what is no part of a collection by itself, only collections count.
        let mut queue = vec![(o, false)];
        while let Some((at, collections)) = queue.pop() {
            let mut parents = self.referrers(at);
            parents.retain(|parent| {
                let shape = vm
                    .heap
                    .is_object(*parent)
                    .then(|| self.shapes.of_object(vm, *parent));
                let counts = shape.is_some_and(|shape| !collections || shape.adapter.is_some());
                counts && self.edge(&[view], *parent, at) == Some(None)
            });
            let new = come.get(&at).into_iter().flatten();
            parents.extend(new.filter(|(_, visible)| *visible).map(|(parent, _)| *parent));
            for parent in parents {
                let shape = self.shapes.of_object(vm, parent);
                if collections && shape.adapter.is_none() || seen.insert(parent, ()).is_some() {
                    continue;
                }
                if shape.part.is_none() {
                    all.push(parent);
                }
                queue.push((parent, shape.part.is_none()));
            }
        }
        all
    }
}

/// References that were not there before. Who refers to something new has been written, or is new itself.
fn references_come(tracker: &mut Tracker, vm: &Vm, changed: &[ObjRef]) -> Come {
    let is_new = |o: ObjRef| !vm.heap.is_watched(o) || vm.heap.logged(o).is_some_and(|l| l.fresh);
    let mut come = Come::default();
    let mut queue: Vec<ObjRef> = changed.to_vec();
    let mut children = Vec::new();
    while let Some(o) = queue.pop() {
        children.clear();
        gather(View::now(vm), &mut tracker.shapes, o, &mut children);
        if tracker.shapes.of_object(vm, o).form == Form::RefArray && !is_new(o) {
            // Arrays may be long: only what is new in them.
            let (old, new) = (View::before(vm).object(o), View::now(vm).object(o));
            let changed = (0..new.len()).filter(|i| old.element(*i) != new.element(*i));
            let changed: FixedMap<ObjRef, ()> = changed.map(|i| (new.element(i), ())).collect();
            children.retain(|(child, _)| changed.contains_key(child));
        }
        for &(child, visible) in &children {
            let from = come.entry(child).or_default();
            if from.is_empty() && is_new(child) {
                queue.push(child);
            }
            if from.last() != Some(&(o, visible)) {
                from.push((o, visible));
            }
        }
    }
    come
}
