//! What written objects tell: the places that changed, whose they are, and what differs there.

use super::locate::{Located, Whereabouts};
use super::stale::local_of;
use super::{Change, Changes, Root, Tracker, slots_of};
use crate::content::Slot;
use crate::diff::{Differ, Difference, Edge, Path, Place, Puts};
use crate::finding::Kind;
use crate::shape::{Field, Form, RuleNo, Shape};
use crate::value::describe;
use crate::view::View;
use poldet_vm::heap::ELEMENTS;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Written places that belong to one object as far as its API goes.
struct Owner {
    o: ObjRef,
    located: Located,
    places: Vec<Place>,
}

impl Tracker {
    pub(super) fn compare(&mut self, vm: &mut Vm, changed: &[ObjRef], changes: &mut Changes) {
        let located = changed.iter().map(|o| (*o, self.locate(View::before(vm), *o)));
        let mut located: Vec<(ObjRef, Whereabouts)> = located.collect();
        if located.iter().any(|(_, l)| matches!(l, Whereabouts::Unknown)) {
            // Some way is gone: only a walk can tell what is still part of the state.
            self.rebuild(vm, true);
            for (o, l) in &mut located {
                *l = self.locate(View::before(vm), *o);
            }
        }
        let mut owners: Vec<Owner> = Vec::new();
        let mut index: FixedMap<ObjRef, usize> = FixedMap::default();
        for (o, located) in located {
            let Whereabouts::Known(mut located) = located else {
                // What becomes of it is of interest only when it is reached again.
                self.ways.remove(&o);
                vm.heap.unwatch(o);
                continue;
            };
            let places = self.places(vm, o);
            if places.is_empty() {
                continue;
            }
            self.lift(vm, &mut located);
            let owner = *located.way.last().unwrap_or(&o);
            match index.get(&owner) {
                Some(&i) => owners[i].places.extend(places),
                None => {
                    index.insert(owner, owners.len());
                    owners.push(Owner {
                        o: owner,
                        located,
                        places,
                    });
                }
            }
        }
        let mut told: BTreeSet<(RuleNo, String)> = BTreeSet::new();
        let mut copies = Vec::new();
        let mut puts = LazyPuts::default();
        for owner in owners {
            self.compare_owner(vm, owner, changes, &mut told, &mut copies, &mut puts);
        }
        self.hide_stale_locals(vm, changed, changes);
        for (rule, _) in told {
            *changes.hidden.entry(rule).or_default() += 1;
        }
        if !self.alone(vm, changed, &copies) {
            self.compare_sharing(vm, &copies, changes);
        }
    }

    /// The places of an object that hold something else than before.
    fn places(&mut self, vm: &Vm, o: ObjRef) -> Vec<Place> {
        let (old, new) = (View::before(vm).object(o), View::now(vm).object(o));
        let differs = |f: &Field| old.bits(f.off, f.size) != new.bits(f.off, f.size);
        let place = |f: &Field| Place {
            o,
            from: f.off,
            to: f.off + f.size,
            is_ref: f.is_ref(),
        };
        let shape = self.shapes.of_object(vm, o);
        match shape.form {
            Form::Mirror => {
                let class = vm.class_of_mirror(o);
                let statics = self.shapes.statics(vm, class);
                statics.iter().filter(|f| differs(f)).map(place).collect()
            }
            Form::RefArray => {
                let changed = (0..old.len()).filter(|i| old.element(*i) != new.element(*i));
                let place = |i: u32| Place {
                    o,
                    from: ELEMENTS + i * 4,
                    to: ELEMENTS + i * 4 + 4,
                    is_ref: true,
                };
                changed.map(place).collect()
            }
            Form::PrimArray { .. } => vec![Place {
                o,
                from: ELEMENTS,
                to: ELEMENTS + old.bytes().len() as u32,
                is_ref: false,
            }],
            _ => shape.fields.iter().filter(|f| differs(f)).map(place).collect(),
        }
    }

    fn compare_owner(
        &mut self,
        vm: &Vm,
        owner: Owner,
        changes: &mut Changes,
        told: &mut BTreeSet<(RuleNo, String)>,
        copies: &mut Vec<(ObjRef, ObjRef)>,
        puts: &mut LazyPuts,
    ) {
        let holder = owner.located.way[0];
        if self.is_root(vm, owner.o) {
            // Static fields themselves.
            let class = vm.class_of_mirror(owner.o);
            let first_touch = self.touched.contains(&class);
            let statics = self.shapes.statics(vm, class);
            for place in &owner.places {
                let Some(field) = statics.iter().find(|f| f.off == place.from) else {
                    continue;
                };
                let root = Root::Static {
                    class,
                    field: field.name,
                };
                if first_touch && self.options.common_roots {
                    continue;
                }
                if let Some(rule) = field.rule {
                    told.insert((rule, self.root_text(vm, &root)));
                    if !self.options.show_hidden {
                        continue;
                    }
                }
                let (a, b) = slots_of(vm, owner.o, field);
                let mut differ = Differ::new(vm, &mut self.shapes, puts.of(vm));
                differ.slot(a, b, Path::default(), *place);
                copies.append(&mut differ.copies);
                let (found, hidden) = (differ.found, differ.hidden);
                self.tell_hidden(vm, (&root, first_touch), &owner, hidden, changes, told);
                for difference in found {
                    changes.list.push(Change {
                        stale: false,
                        difference,
                        root: root.clone(),
                        observable: !field.internal,
                        first_touch,
                        rule: field.rule,
                        way: owner.located.way.clone(),
                    });
                }
            }
            return;
        }
        let first_touch = self.is_root(vm, holder) && self.touched.contains(&vm.class_of_mirror(holder));
        if first_touch && self.options.common_roots {
            return;
        }
        if let Some(rule) = owner.located.rule {
            // The path may be costly, and only its root is told.
            let way = &owner.located.way;
            let Some((root, _)) = self.path(View::before(vm), &way[..way.len().min(2)]) else {
                return;
            };
            told.insert((rule, self.root_text(vm, &root)));
            if !self.options.show_hidden {
                return;
            }
        }
        let Some((root, path)) = self.path(View::before(vm), &owner.located.way) else {
            return;
        };
        self.hidden_fields(vm, &owner, (&root, &path, first_touch), changes, told, puts);
        let mut differ = Differ::new(vm, &mut self.shapes, puts.of(vm));
        differ.object(owner.o, &path, &owner.places);
        let nothing = differ.found.is_empty() && differ.copies.is_empty() && differ.hidden.is_empty();
        copies.append(&mut differ.copies);
        let (found, hidden) = (differ.found, differ.hidden);
        self.tell_hidden(vm, (&root, first_touch), &owner, hidden, changes, told);
        let first = changes.list.len();
        for difference in found {
            changes.list.push(Change {
                stale: false,
                difference,
                root: root.clone(),
                observable: true,
                first_touch,
                rule: owner.located.rule,
                way: owner.located.way.clone(),
            });
        }
        self.name_thread_locals(vm, &owner.located.way, &mut changes.list[first..]);
        if nothing && let Some(difference) = self.internal(vm, &owner, &path) {
            changes.list.push(Change {
                stale: false,
                difference,
                root,
                observable: false,
                first_touch,
                rule: owner.located.rule,
                way: owner.located.way,
            });
        }
    }

    /// Objects that rules hide took the place of others.
    fn tell_hidden(
        &mut self,
        vm: &Vm,
        (root, first_touch): (&Root, bool),
        owner: &Owner,
        hidden: Vec<(RuleNo, Difference)>,
        changes: &mut Changes,
        told: &mut BTreeSet<(RuleNo, String)>,
    ) {
        for (rule, difference) in hidden {
            let place = format!("{}{}", self.root_text(vm, root), difference.path.text());
            told.insert((rule, place));
            if self.options.show_hidden {
                changes.list.push(Change {
                    stale: false,
                    difference,
                    root: root.clone(),
                    observable: true,
                    first_touch,
                    rule: Some(rule),
                    way: owner.located.way.clone(),
                });
            }
        }
    }

    /// Fields of the owner that were written and that rules hide.
    fn hidden_fields(
        &mut self,
        vm: &Vm,
        owner: &Owner,
        (root, path, first_touch): (&Root, &Path, bool),
        changes: &mut Changes,
        told: &mut BTreeSet<(RuleNo, String)>,
        puts: &mut LazyPuts,
    ) {
        let shape = self.shapes.of_object(vm, owner.o);
        for place in owner.places.iter().filter(|p| p.o == owner.o) {
            let field = shape.fields.iter().find(|f| f.off == place.from && !f.internal);
            let Some((field, rule)) = field.and_then(|f| Some((f, f.rule?))) else {
                continue;
            };
            let path = path.then(Edge::Field(field.name));
            let (a, b) = slots_of(vm, owner.o, field);
            let mut differ = Differ::new(vm, &mut self.shapes, puts.of(vm));
            differ.slot(a, b, path.clone(), *place);
            let found = differ.found;
            if !found.is_empty() {
                told.insert((rule, format!("{}{}", self.root_text(vm, root), path.text())));
            }
            for difference in found.into_iter().filter(|_| self.options.show_hidden) {
                changes.list.push(Change {
                    stale: false,
                    difference,
                    root: root.clone(),
                    observable: true,
                    first_touch,
                    rule: Some(rule),
                    way: owner.located.way.clone(),
                });
            }
        }
    }

    /// A change that no API shows: one of the places that were written.
    fn internal(&mut self, vm: &Vm, owner: &Owner, path: &Path) -> Option<Difference> {
        let place = owner
            .places
            .iter()
            .find(|p| p.o == owner.o)
            .or(owner.places.first())?;
        let shape: Rc<Shape> = self.shapes.of_object(vm, place.o);
        let field = shape.fields.iter().find(|f| f.off == place.from);
        let (path, a, b) = match field {
            Some(field) if field.rule.is_some() => return None,
            Some(field) => {
                let (a, b) = slots_of(vm, place.o, field);
                (path.then(Edge::Field(field.name)), a, b)
            }
            None => (path.clone(), Slot::Ref(place.o), Slot::Ref(place.o)),
        };
        let before = describe(View::before(vm), &mut self.shapes, a);
        let after = describe(View::now(vm), &mut self.shapes, b);
        let logged = vm.heap.logged(place.o)?;
        Some(Difference {
            path,
            kind: Kind::Changed,
            before,
            after,
            cause: logged.stack_of(place.from, place.to),
            slots: Some((a, b)),
            holders: (owner.o, owner.o),
        })
    }

    /// A thread-local value whose ThreadLocal stands in a static field is told by that field, however its thread was
    /// reached.
    fn name_thread_locals(&mut self, vm: &Vm, way: &[ObjRef], from: &mut [Change]) {
        let Some(&thread) = way.iter().find(|o| self.threads.contains(o)) else {
            return;
        };
        let mut names: Option<BTreeMap<String, Root>> = None;
        for change in from {
            let Some((key, rest)) = local_of(&change.difference.path) else {
                continue;
            };
            let names = names.get_or_insert_with(|| self.thread_locals(vm, thread));
            if let Some(root) = names.get(&key) {
                let name = self.thread_name(View::before(vm), thread);
                change.root = root.clone();
                let place = [&[Edge::Key(format!("thread \"{name}\""))], &rest[..]].concat();
                change.difference.path = Path::of(&place);
            }
        }
    }

    /// The static fields that hold a thread's ThreadLocals, by how the keys read.
    fn thread_locals(&mut self, vm: &Vm, thread: ObjRef) -> BTreeMap<String, Root> {
        let mut names = BTreeMap::new();
        for view in [View::before(vm), View::now(vm)] {
            for entry in self.locals(view, thread) {
                let Edge::Key(text) = self.key(view, entry.key) else {
                    continue;
                };
                if let Some(root) = self.static_of(view, entry.key) {
                    names.insert(text, root);
                }
            }
        }
        names
    }

    /// The static field that refers to an object itself.
    fn static_of(&mut self, view: View<'_>, o: ObjRef) -> Option<Root> {
        let holder = match self.ways.get(&o) {
            Some(way) if self.is_root(view.vm, way.parent) => way.parent,
            _ => return None,
        };
        self.path(view, &[holder, o]).map(|(root, _)| root)
    }
}

/// Made when first needed: most tests change nothing that shows.
#[derive(Default)]
struct LazyPuts(Option<Rc<Puts>>);

impl LazyPuts {
    fn of(&mut self, vm: &Vm) -> Rc<Puts> {
        // The last write of a reference wins.
        let make = || Rc::new(vm.heap.reference_writes().collect());
        self.0.get_or_insert_with(make).clone()
    }
}
