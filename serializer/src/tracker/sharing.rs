//! Whether equal copies changed what is shared with what, and where.

use super::held::Held;
use super::{At, Change, Changes, Tracker, slots_of};
use crate::canon::is_constant_of;
use crate::content::Slot;
use crate::diff::{Difference, Side};
use crate::finding::Kind;
use crate::place::{Key, Path, Root, Step};
use crate::shape::{Field, Form};
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

/// Where two objects were met, by the number of where their owners were. Only the few that are reported need a path.
#[derive(Clone, Copy)]
enum Spot {
    Root(Root),
    /// An element without a place of its own stands where its collection does.
    Inside(u32),
    Step(u32, Step),
}

/// What an object stands for in the other state, and where it was met first.
#[derive(Clone, Copy)]
struct Met {
    other: ObjRef,
    first: u32,
}

/// Walks the state before and the state now side by side, to find an object that stands for two.
struct Sharing<'a, 'b> {
    vm: &'a Vm,
    tracker: &'b mut Tracker,
    /// Which objects were replaced by which equal ones, where others that differ have been reported.
    copies: Option<FixedMap<(ObjRef, ObjRef), ()>>,
    forth: FixedMap<ObjRef, Met>,
    back: FixedMap<ObjRef, Met>,
    queue: VecDeque<(ObjRef, ObjRef, u32)>,
    spots: Vec<Spot>,
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
            spots: Vec::new(),
            found: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Conflict> {
        let vm = self.vm;
        for thread in self.tracker.threads.list.clone() {
            self.pair(thread, thread, Spot::Root(Root::Thread(thread)), ObjRef::NULL, 0);
        }
        for class in self.tracker.compared_classes() {
            let mirror = vm.mirror(class);
            for f in self.tracker.shapes.statics(vm, class).iter() {
                if !f.is_ref() || !f.shows() {
                    continue;
                }
                let root = Spot::Root(Root::Static { class, field: f.name });
                let (Slot::Ref(x), Slot::Ref(y)) = slots_of(vm, mirror, f) else {
                    continue;
                };
                let shapes = &mut self.tracker.shapes;
                if x == y && !x.is_null() && is_constant_of(View::now(vm), shapes, x, class) {
                    // The fields of an enum constant belong to its enum.
                    self.enter(x, y, root);
                } else {
                    self.pair(x, y, root, mirror, f.off);
                }
            }
        }
        while let Some((x, y, spot)) = self.queue.pop_front() {
            if self.found.len() >= MOST_CONFLICTS {
                break;
            }
            self.contents(x, y, spot);
        }
        self.found
    }

    fn pair(&mut self, x: ObjRef, y: ObjRef, spot: Spot, holder: ObjRef, off: u32) {
        let reported = |copies: &FixedMap<(ObjRef, ObjRef), ()>| x != y && !copies.contains_key(&(x, y));
        if x.is_null() || y.is_null() || self.copies.as_ref().is_some_and(reported) {
            return;
        }
        let shapes = &mut self.tracker.shapes;
        let shape = shapes.of_object(self.vm, x);
        let alike = x == y || Rc::ptr_eq(&shape, &shapes.of_object(self.vm, y));
        if shape.form.is_value() || shape.rule.is_some() || !alike {
            return;
        }
        match (self.forth.get(&x), self.back.get(&y)) {
            (Some(p), Some(q)) if p.other == y && q.other == x => {}
            (None, None) => self.enter(x, y, spot),
            (before, now) => {
                let place = |met: &Met| self.place(Spot::Inside(met.first));
                let conflict = Conflict {
                    place: self.place(spot),
                    holder,
                    off,
                    x,
                    y,
                    before: before.map(place),
                    now: now.map(place),
                };
                self.found.push(conflict);
            }
        }
    }

    fn enter(&mut self, x: ObjRef, y: ObjRef, spot: Spot) {
        let here = self.spots.len() as u32;
        self.spots.push(spot);
        for (met, o, other) in [(&mut self.forth, x, y), (&mut self.back, y, x)] {
            met.entry(o)
                .and_modify(|met| met.other = other)
                .or_insert(Met { other, first: here });
        }
        self.queue.push_back((x, y, here));
    }

    fn place(&self, mut spot: Spot) -> Place {
        let mut steps = Vec::new();
        loop {
            let owner = match spot {
                Spot::Root(root) => {
                    steps.reverse();
                    return (root, Path::of(&steps));
                }
                Spot::Inside(owner) => owner,
                Spot::Step(owner, step) => {
                    steps.push(step);
                    owner
                }
            };
            spot = self.spots[owner as usize];
        }
    }

    fn contents(&mut self, x: ObjRef, y: ObjRef, spot: u32) {
        let vm = self.vm;
        let (before, now) = (View::before(vm), View::now(vm));
        let shape = self.tracker.shapes.of_object(vm, y);
        let (old, new) = (before.object(x), now.object(y));
        match shape.form {
            Form::PrimArray { .. } => {}
            Form::RefArray if old.len() != new.len() => {}
            Form::RefArray => {
                for i in 0..new.len() {
                    let at = Spot::Step(spot, Step::Index(i as usize));
                    self.pair(old.element(i), new.element(i), at, y, ELEMENTS + i * 4);
                }
            }
            Form::Object if shape.adapter.is_none() => {
                let shown = |f: &&Field| f.is_ref() && f.shows();
                for field in shape.fields.iter().filter(shown) {
                    let (old, new) = (old.reference(field.off), new.reference(field.off));
                    self.pair(old, new, Spot::Step(spot, Step::Field(field.name)), y, field.off);
                }
            }
            _ => self.members(x, y, spot),
        }
    }

    /// Of what is not read field by field.
    fn members(&mut self, x: ObjRef, y: ObjRef, spot: u32) {
        let vm = self.vm;
        let (before, now) = (View::before(vm), View::now(vm));
        let shape = self.tracker.shapes.of_object(vm, y);
        for Twin { old, new, at } in twins(before, now, &mut self.tracker.shapes, x, y).list {
            let (at, off) = match at {
                Position::Field(i) => {
                    let field = &shape.fields[i];
                    (Spot::Step(spot, Step::Field(field.name)), field.off)
                }
                Position::Index(i) => (Spot::Step(spot, Step::Index(i)), 0),
                Position::Member => (Spot::Inside(spot), 0),
                Position::Value(object) => {
                    let key = Key { object, now: true };
                    (Spot::Step(spot, Step::Key(key)), 0)
                }
            };
            self.pair(old, new, at, y, off);
        }
    }
}
