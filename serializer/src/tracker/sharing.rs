//! Whether equal copies changed what is shared with what, and where.

use super::held::Held;
use super::{At, Change, Changes, Tracker, slots_of};
use crate::canon::is_constant_of;
use crate::content::Slot;
use crate::diff::{Difference, Side};
use crate::finding::Kind;
use crate::place::{Key, Path, Root, Step};
use crate::shape::Form;
use crate::twins::{Position, Twin, twins};
use crate::view::View;
use poldet_vm::heap::{ELEMENTS, StackId};
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;
use std::rc::Rc;

/// Objects whose sharing changed that are reported of one boundary.
const MOST_CONFLICTS: usize = 8;

impl Tracker {
    /// Whether each of these pairs, of an old object and its copy, is two objects that stand for each other and for nothing
    /// else: neither belongs to another pair, and neither stands at a place that shows it in both states. Then no object
    /// stands for two, however many references there are to them: all were compared, and led to these pairs.
    pub(super) fn is_one_for_one(
        &mut self,
        vm: &Vm,
        held: &mut Held<'_>,
        copies: &[(ObjRef, ObjRef)],
    ) -> bool {
        let mut forth: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let mut back: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let apart = copies
            .iter()
            .all(|&(x, y)| *forth.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x);
        // The only reference to an old object that is not shared is the one that was replaced.
        let alone = |o: &ObjRef| self.links.get(o).is_some_and(|link| !link.shared);
        let is_new = |o: &ObjRef| !vm.heap.is_watched(*o) || vm.heap.logged(*o).is_some_and(|l| l.fresh);
        let old = copies.iter().map(|(x, _)| *x).filter(|x| !alone(x));
        let both: Vec<ObjRef> = old
            .chain(copies.iter().map(|(_, y)| *y).filter(|y| !is_new(y)))
            .collect();
        apart && (both.is_empty() || held.stays(self, vm, both.into_iter(), &forth).is_none())
    }

    /// Objects were replaced by equal ones, which are given. That is no difference unless one of them was, or now is,
    /// shared.
    pub(super) fn compare_sharing(&mut self, vm: &Vm, copies: &[(ObjRef, ObjRef)], changes: &mut Changes) {
        let certain = changes.list.iter().any(Change::is_certain);
        if !certain {
            let (before, now) = self.digests(vm);
            if before == now {
                return;
            }
        }
        let mut conflicts = Sharing::new(vm, self, Some(copies)).run();
        if conflicts.is_empty() && !certain {
            // Several equal ones may have been matched otherwise; there is nothing else to report now.
            conflicts = Sharing::new(vm, self, None).run();
        }
        if conflicts.is_empty() && !certain {
            changes.fault = Some(
                "the shared state before and after differ, but neither the log nor a walk of both says where"
                    .into(),
            );
        }
        for conflict in conflicts {
            let change = self.shared(vm, conflict);
            changes.list.push(change);
        }
    }

    fn shared(&self, vm: &Vm, conflict: Conflict) -> Change {
        let Conflict {
            place: (root, path),
            holder,
            off,
            x,
            y,
            before,
            now,
        } = conflict;
        let logged = vm.heap.logged(holder);
        let put = || vm.heap.reference_writes().filter(|(o, _)| *o == y).last();
        let cause = logged
            .and_then(|l| l.stack_of(off, off + 4))
            .or_else(|| put().map(|(_, stack)| stack))
            .or_else(|| self.any_cause(vm));
        let at = At {
            root,
            first_touch: matches!(root, Root::Static { class, .. } if self.touched.contains(&class)),
            rule: None,
            thread: ObjRef::NULL,
        };
        let difference = Difference {
            path,
            kind: Kind::Replaced,
            before: Side::Shared(x, before),
            after: Side::Shared(y, now),
            cause,
            holders: (holder, holder),
        };
        Change::new(at, difference, true)
    }

    fn any_cause(&self, vm: &Vm) -> Option<StackId> {
        vm.heap.log().iter().rev().find_map(|l| l.stack_of(0, u32::MAX))
    }
}

/// A root and the path from there.
type Place = (Root, Path);

struct Conflict {
    place: Place,
    holder: ObjRef,
    off: u32,
    x: ObjRef,
    y: ObjRef,
    /// Where else the same object stands, before and now.
    before: Option<Place>,
    now: Option<Place>,
}

/// Walks the state before and the state now side by side, to find an object that stands for two.
struct Sharing<'a, 'b> {
    vm: &'a Vm,
    tracker: &'b mut Tracker,
    /// Which objects were replaced by which equal ones, where others that differ have been reported.
    copies: Option<FixedMap<(ObjRef, ObjRef), ()>>,
    forth: FixedMap<ObjRef, ObjRef>,
    back: FixedMap<ObjRef, ObjRef>,
    queue: VecDeque<(ObjRef, ObjRef, Place)>,
    /// Where an object was met first, in the state before and now.
    places: [FixedMap<ObjRef, Place>; 2],
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
        for thread in self.tracker.threads.list.clone() {
            let root = Root::Thread(thread);
            self.pair(thread, thread, (root, Path::default()), ObjRef::NULL, 0);
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
                    self.enter(x, y, (root, Path::default()));
                } else {
                    self.pair(x, y, (root, Path::default()), mirror, f.off);
                }
            }
        }
        while let Some((x, y, place)) = self.queue.pop_front() {
            if self.found.len() >= MOST_CONFLICTS {
                break;
            }
            self.contents(x, y, &place);
        }
        self.found
    }

    fn pair(&mut self, x: ObjRef, y: ObjRef, place: Place, holder: ObjRef, off: u32) {
        let reported = |copies: &FixedMap<(ObjRef, ObjRef), ()>| x != y && !copies.contains_key(&(x, y));
        if x.is_null() || y.is_null() || self.copies.as_ref().is_some_and(reported) {
            return;
        }
        let shapes = &mut self.tracker.shapes;
        let (a, b) = (shapes.of_object(self.vm, x), shapes.of_object(self.vm, y));
        if a.form.is_value() || b.form.is_value() || a.rule.is_some() || !Rc::ptr_eq(&a, &b) {
            return;
        }
        match (self.forth.get(&x), self.back.get(&y)) {
            (Some(p), Some(q)) if *p == y && *q == x => {}
            (None, None) => self.enter(x, y, place),
            _ => {
                let [before, now] = [(0, x), (1, y)].map(|(i, o)| self.places[i].get(&o).cloned());
                self.found.push(Conflict {
                    place,
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

    fn enter(&mut self, x: ObjRef, y: ObjRef, place: Place) {
        self.forth.insert(x, y);
        self.back.insert(y, x);
        for (places, o) in self.places.iter_mut().zip([x, y]) {
            places.entry(o).or_insert_with(|| place.clone());
        }
        self.queue.push_back((x, y, place));
    }

    fn contents(&mut self, x: ObjRef, y: ObjRef, (root, path): &Place) {
        let vm = self.vm;
        let (before, now) = (View::before(vm), View::now(vm));
        let shape = self.tracker.shapes.of_object(vm, y);
        let array = shape.form == Form::RefArray;
        for Twin { old, new, at } in twins(before, now, &mut self.tracker.shapes, x, y).list {
            let (path, off) = match at {
                Position::Field(i) => (path.then(Step::Field(shape.fields[i].name)), shape.fields[i].off),
                Position::Index(i) if array => (path.then(Step::Index(i)), ELEMENTS + i as u32 * 4),
                Position::Index(i) => (path.then(Step::Index(i)), 0),
                Position::Member => (path.clone(), 0),
                Position::Value(key) => (
                    path.then(Step::Key(Key {
                        object: key,
                        now: true,
                    })),
                    0,
                ),
            };
            self.pair(old, new, (*root, path), y, off);
        }
    }
}
