//! Places to changes: whose the written places are, and what differs there.

use super::held::Held;
use super::locate::{Kept, Located, Whereabouts};
use super::stale::thread_local_of;
use super::{At, Change, Changes, Tracker, slots_of};
use crate::content::Slot;
use crate::diff::{Differ, Difference, Found, Puts, Side, Written};
use crate::finding::Kind;
use crate::place::{Holder, Path, Root, Step};
use crate::rules::RuleNo;
use crate::shape::{Field, Form};
use crate::view::View;
use poldet_vm::heap::ELEMENTS;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::rc::Rc;

/// Written places that belong to one object as far as its API goes.
pub(super) struct Owner {
    pub(super) o: ObjRef,
    pub(super) located: Located,
    pub(super) written: Vec<Written>,
}

impl Tracker {
    pub(super) fn compare(&mut self, vm: &mut Vm, changed: &[ObjRef]) -> Changes {
        let owners = self.owners(vm, changed);
        let mut comparison = Comparison {
            vm,
            tracker: self,
            puts: LazyPuts::default(),
            copies: Vec::new(),
            changes: Changes::default(),
            held: Held::new(changed),
            undecided: false,
            unchanged: None,
        };
        comparison.owners(&owners);
        let Comparison {
            copies,
            mut changes,
            mut held,
            ..
        } = comparison;
        self.hide_stale_locals(vm, changed, &mut changes);
        if !self.is_one_for_one(vm, &mut held, &copies) {
            self.compare_sharing(vm, &copies, &mut changes);
        }
        changes
    }

    /// The objects whose parts were written, in the order of the log.
    pub(super) fn owners(&mut self, vm: &mut Vm, changed: &[ObjRef]) -> Vec<Owner> {
        let located: Vec<Whereabouts> = changed.iter().map(|o| self.locate(vm, *o)).collect();
        let mut owners: Vec<Owner> = Vec::new();
        let mut index: FixedMap<ObjRef, usize> = FixedMap::default();
        for (&o, located) in changed.iter().zip(located) {
            let Whereabouts::Known(located) = located else {
                // What becomes of it is of interest only when it is reached again.
                self.forget(o);
                vm.heap.unwatch(o);
                continue;
            };
            let written = self.written(vm, o);
            if written.is_empty() {
                continue;
            }
            let owner = located.owner;
            match index.get(&owner) {
                Some(&i) => owners[i].written.extend(written),
                None => {
                    index.insert(owner, owners.len());
                    owners.push(Owner {
                        o: owner,
                        located,
                        written,
                    });
                }
            }
        }
        owners
    }

    /// The places of an object that hold something else than before.
    fn written(&mut self, vm: &Vm, o: ObjRef) -> Vec<Written> {
        let (old, new) = (View::before(vm).object(o), View::now(vm).object(o));
        let differs = |f: &Field| old.bits(f.off, f.size) != new.bits(f.off, f.size);
        let place = |f: &Field| Written {
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
                let place = |i: u32| Written {
                    o,
                    from: ELEMENTS + i * 4,
                    to: ELEMENTS + i * 4 + 4,
                    is_ref: true,
                };
                changed.map(place).collect()
            }
            Form::PrimArray { .. } => vec![Written {
                o,
                from: ELEMENTS,
                to: ELEMENTS + old.bytes().len() as u32,
                is_ref: false,
            }],
            _ => shape.fields.iter().filter(|f| differs(f)).map(place).collect(),
        }
    }
}

/// The changes of one boundary, while they are being found.
struct Comparison<'a, 't> {
    vm: &'a Vm,
    tracker: &'t mut Tracker,
    puts: LazyPuts,
    copies: Vec<(ObjRef, ObjRef)>,
    changes: Changes,
    /// What is referred to now.
    held: Held<'a>,
    /// Whether the last owner was passed over until it is known whether both states are equal.
    undecided: bool,
    /// Whether both states have the same digest, once that was asked.
    unchanged: Option<bool>,
}

impl Comparison<'_, '_> {
    /// Compares the owners, first those for which the states as a whole need not be compared: where one of them differs for
    /// certain, that is the answer for the others.
    fn owners(&mut self, owners: &[Owner]) {
        let mut lists: Vec<Vec<Change>> = Vec::with_capacity(owners.len());
        let mut undecided = Vec::new();
        for (i, owner) in owners.iter().enumerate() {
            self.owner(owner);
            lists.push(std::mem::take(&mut self.changes.list));
            if std::mem::take(&mut self.undecided) {
                undecided.push(i);
            }
        }
        if !undecided.is_empty() {
            if lists.iter().flatten().any(Change::is_certain) {
                self.unchanged = Some(false);
            } else {
                let (before, now) = self.tracker.digests(self.vm);
                self.unchanged = Some(before == now);
            }
        }
        for i in undecided {
            self.owner(&owners[i]);
            lists[i] = std::mem::take(&mut self.changes.list);
        }
        self.changes.list = lists.into_iter().flatten().collect();
    }

    fn owner(&mut self, owner: &Owner) {
        match self.tracker.holder(self.vm, owner.o) {
            Some(Holder::Class(class)) => self.statics(owner, class),
            Some(Holder::Thread) | None => self.object(owner),
        }
    }

    /// Whether changes behind a rule are compared; they are counted in any case.
    fn is_compared(&mut self, at: &At) -> bool {
        if let Some(rule) = at.rule {
            self.changes.hidden.insert((rule, at.root));
        }
        at.rule.is_none() || self.tracker.options.show_hidden
    }

    /// Static fields themselves.
    fn statics(&mut self, owner: &Owner, class: ClassId) {
        let first_touch = self.tracker.touched.contains(&class);
        if first_touch && self.tracker.options.common_roots {
            return;
        }
        let statics = self.tracker.shapes.statics(self.vm, class);
        for place in &owner.written {
            let Some(field) = statics.iter().find(|f| f.off == place.from) else {
                continue;
            };
            let root = Root::Static {
                class,
                field: field.name,
            };
            let at = At {
                root,
                first_touch,
                rule: field.rule,
                thread: ObjRef::NULL,
            };
            if self.is_compared(&at) {
                let (a, b) = slots_of(self.vm, owner.o, field);
                let found = self.differ().slot(a, b, Path::default(), *place);
                self.take(&at, found);
            }
        }
    }

    /// An object that static fields or a thread lead to.
    fn object(&mut self, owner: &Owner) {
        let Some(root) = owner.located.root else {
            return;
        };
        let at = At {
            root,
            first_touch: self.is_first_touch(root),
            rule: owner.located.rule,
            thread: owner.located.thread,
        };
        if at.first_touch && self.tracker.options.common_roots || !self.is_compared(&at) {
            return;
        }
        let Some((at, path)) = self.place(at, owner.o) else {
            return;
        };
        self.hidden_fields(owner, &at, &path);
        let found = self.differ().object(owner.o, &path, &owner.written);
        let nothing = found.is_empty();
        self.take(&at, found);
        if nothing && let Some(difference) = self.internal(owner, &path) {
            self.changes.list.push(Change::new(at, difference, false));
        }
    }

    fn is_first_touch(&self, root: Root) -> bool {
        match root {
            Root::Static { class, .. } => self.tracker.touched.contains(&class),
            Root::Thread(_) => false,
        }
    }

    /// The place of an object before, if it is still there: where something on its path was replaced, the object shows
    /// elsewhere or nowhere.
    fn place(&mut self, mut at: At, o: ObjRef) -> Option<(At, Path)> {
        let vm = self.vm;
        let path = self.tracker.path(vm, o);
        if self.tracker.is_in_place(vm, o) {
            return Some((at, path));
        }
        match self.tracker.path_in_both(vm, o) {
            Kept::On(objects) => {
                let (root, path) = self.tracker.path_through(View::before(vm), &objects)?;
                at.root = root;
                at.first_touch = self.is_first_touch(root);
                Some((at, path))
            }
            Kept::Nowhere => None,
            Kept::Unknown if !self.held.leads_to(self.tracker, vm, o) => None,
            // It shows at a place that is new, or is a part of what does. Both states can be equal all the same.
            Kept::Unknown => {
                self.undecided = self.unchanged.is_none();
                (self.unchanged == Some(false)).then_some((at, path))
            }
        }
    }

    fn differ(&mut self) -> Differ<'_, '_> {
        let puts = self.puts.of(self.vm);
        Differ::new(self.vm, &mut self.tracker.shapes, puts)
    }

    /// Takes over what was found at a place, objects that rules hide among it.
    fn take(&mut self, at: &At, found: Found) {
        self.copies.extend(found.copies);
        let hidden = found.hidden.into_iter().map(|(rule, d)| (Some(rule), d));
        let shown = found.list.into_iter().map(|d| (None, d));
        for (rule, difference) in hidden.chain(shown) {
            self.push(at, rule, difference);
        }
    }

    fn push(&mut self, at: &At, rule: Option<RuleNo>, mut difference: Difference) {
        let mut at = At {
            rule: rule.or(at.rule),
            ..*at
        };
        if rule.is_some() && !self.is_compared(&at) {
            return;
        }
        self.name_thread_local(&mut at, &mut difference);
        self.changes.list.push(Change::new(at, difference, true));
    }

    /// Fields of the owner that were written and that rules hide.
    fn hidden_fields(&mut self, owner: &Owner, at: &At, path: &Path) {
        let shape = self.tracker.shapes.of_object(self.vm, owner.o);
        for place in owner.written.iter().filter(|p| p.o == owner.o) {
            let field = shape.fields.iter().find(|f| f.off == place.from && !f.internal);
            let Some((field, rule)) = field.and_then(|f| Some((f, f.rule?))) else {
                continue;
            };
            let path = path.then(Step::Field(field.name));
            let (a, b) = slots_of(self.vm, owner.o, field);
            let found = self.differ().slot(a, b, path, *place);
            for difference in found.list {
                self.push(at, Some(rule), difference);
            }
        }
    }

    /// A change that no API shows: one of the places that were written.
    fn internal(&mut self, owner: &Owner, path: &Path) -> Option<Difference> {
        let written = &owner.written;
        let own = written.iter().find(|p| p.o == owner.o);
        let place = own.or(written.first())?;
        let shape = self.tracker.shapes.of_object(self.vm, place.o);
        let field = shape.fields.iter().find(|f| f.off == place.from);
        let (path, a, b) = match field {
            Some(field) if field.rule.is_some() => return None,
            Some(field) => {
                let (a, b) = slots_of(self.vm, place.o, field);
                (path.then(Step::Field(field.name)), a, b)
            }
            None => (path.clone(), Slot::Ref(place.o), Slot::Ref(place.o)),
        };
        Some(Difference {
            path,
            kind: Kind::Changed,
            before: Side::Slot(a),
            after: Side::Slot(b),
            cause: self.vm.heap.logged(place.o)?.stack_of(place.from, place.to),
            holders: (owner.o, owner.o),
        })
    }

    /// A thread-local value whose ThreadLocal stands in a static field is reported by that field, however its thread was
    /// reached.
    fn name_thread_local(&mut self, at: &mut At, difference: &mut Difference) {
        if at.thread.is_null() {
            return;
        }
        let Some((local, rest)) = thread_local_of(&difference.path) else {
            return;
        };
        let (now, before) = (View::now(self.vm), View::before(self.vm));
        let root = self.tracker.static_of(now, local);
        if let Some(root) = root.or_else(|| self.tracker.static_of(before, local)) {
            at.root = root;
            difference.path = Path::of(&[&[Step::Thread(at.thread)], &rest[..]].concat());
        }
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
