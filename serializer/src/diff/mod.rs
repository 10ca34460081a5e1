//! What differs between the state before and the state now, beginning at objects that were written.
//!
//! An object that stands in both states at the same place is compared with itself; where a reference was replaced,
//! the old and the new structure are compared side by side until they meet in objects that are the same. Equal copies
//! are no difference; whether they were shared with something else is for the canonical walk to say.

mod equal;
mod items;

use crate::content::{Content, Items, Slot, content};
use crate::finding::Kind;
use crate::knowledge::Layout;
use crate::place::{Key, Path, Root, Step};
use crate::rules::RuleNo;
use crate::shape::{Form, Shapes};
use crate::value::value;
use crate::view::View;
use items::Item;
use poldet_vm::heap::StackId;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::rc::Rc;

/// The most differences that are reported of one object.
const MOST: usize = 200;

/// What stands at a place, before or now.
#[derive(Clone, Debug)]
pub enum Side {
    /// Nothing: the element was added, or has gone.
    Absent,
    Slot(Slot),
    /// An object, and where else the same one stands.
    Shared(ObjRef, Option<(Root, Path)>),
}

impl Side {
    pub fn slot(&self) -> Option<Slot> {
        match self {
            Side::Absent => None,
            Side::Slot(slot) => Some(*slot),
            Side::Shared(o, _) => Some(Slot::Ref(*o)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Difference {
    pub path: Path,
    pub kind: Kind,
    pub before: Side,
    pub after: Side,
    pub cause: Option<StackId>,
    /// The objects that hold the difference, before and after.
    pub holders: (ObjRef, ObjRef),
}

impl Difference {
    /// What stood and stands there, where both are.
    pub fn slots(&self) -> Option<(Slot, Slot)> {
        Some((self.before.slot()?, self.after.slot()?))
    }
}

/// A written place: bytes of an object.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    pub o: ObjRef,
    pub from: u32,
    pub to: u32,
    pub is_ref: bool,
}

/// What has been found of one object.
#[derive(Default)]
pub struct Found {
    pub list: Vec<Difference>,
    /// Differences between objects that rules hide.
    pub hidden: Vec<(RuleNo, Difference)>,
    /// Old objects that were replaced by others which are equal so far, with these.
    pub copies: Vec<(ObjRef, ObjRef)>,
}

impl Found {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.hidden.is_empty() && self.copies.is_empty()
    }
}

pub struct Differ<'a, 'b> {
    vm: &'a Vm,
    shapes: &'b mut Shapes,
    found: Found,
    work: Vec<Work>,
    put: Rc<Puts>,
}

/// What stood somewhere and what stands there now, still to be compared.
#[derive(Clone)]
struct Work {
    a: Slot,
    b: Slot,
    path: Path,
    cause: Option<StackId>,
    holders: (ObjRef, ObjRef),
}

/// Two objects of one class, before and now, and what is known of how they came to differ.
#[derive(Clone, Copy)]
struct Spot<'p> {
    x: ObjRef,
    y: ObjRef,
    path: &'p Path,
    cause: Option<StackId>,
    /// What was written of them and of their parts.
    written: &'p [Written],
}

/// Who wrote a reference last, by what it refers to.
pub type Puts = FixedMap<ObjRef, StackId>;

impl<'a, 'b> Differ<'a, 'b> {
    pub fn new(vm: &'a Vm, shapes: &'b mut Shapes, put: Rc<Puts>) -> Differ<'a, 'b> {
        Differ {
            vm,
            shapes,
            found: Found::default(),
            work: Vec::new(),
            put,
        }
    }

    fn before(&self) -> View<'a> {
        View::before(self.vm)
    }

    fn now(&self) -> View<'a> {
        View::now(self.vm)
    }

    /// Compares what stood in a place with what stands there now.
    pub fn slot(mut self, a: Slot, b: Slot, path: Path, place: Written) -> Found {
        let cause = self.cause(place);
        self.work.push(Work {
            a,
            b,
            path,
            cause,
            holders: (place.o, place.o),
        });
        self.run()
    }

    /// Compares an object with itself as it was; `written` is what was written of it and of its parts.
    pub fn object(mut self, o: ObjRef, path: &Path, written: &[Written]) -> Found {
        let first = written.iter().find(|p| p.is_ref).or(written.first());
        let cause = first.and_then(|p| self.cause(*p));
        self.contents(Spot {
            x: o,
            y: o,
            path,
            cause,
            written,
        });
        self.run()
    }

    fn cause(&self, place: Written) -> Option<StackId> {
        self.vm.heap.logged(place.o)?.stack_of(place.from, place.to)
    }

    fn cause_at(&self, o: ObjRef, from: u32, to: u32) -> Option<StackId> {
        self.vm.heap.logged(o)?.exact_stack_of(from, to)
    }

    fn run(mut self) -> Found {
        // Breadth first where it matters: the shallowest difference of a structure comes first.
        while !self.work.is_empty() && self.found.list.len() < MOST {
            for work in std::mem::take(&mut self.work) {
                self.one(work);
            }
        }
        self.found
    }

    fn one(&mut self, work: Work) {
        let (a, b) = (work.a, work.b);
        let (x, y) = match (a, b) {
            (Slot::Ref(x), Slot::Ref(y)) => (x, y),
            _ if a == b => return,
            _ => return self.report(Kind::Changed, work),
        };
        if x == y || self.thread_locals(x, y, &work) {
            return;
        }
        let values = (
            value(self.before(), self.shapes, x),
            value(self.now(), self.shapes, y),
        );
        match values {
            (Some(v), Some(w)) if v == w && same_class(self.vm, x, y) => return,
            (Some(_), _) | (_, Some(_)) => return self.report(Kind::Changed, work),
            (None, None) => {}
        }
        if let (Some(rule), Some(_)) = self.hidden_by(x, y) {
            let difference = difference(Kind::Replaced, work);
            return self.found.hidden.push((rule, difference));
        }
        if !same_class(self.vm, x, y) {
            return self.report(Kind::Replaced, work);
        }
        if let Some(mut pairs) = self.pairs(x, y) {
            return self.found.copies.append(&mut pairs);
        }
        let shape = self.shapes.of_object(self.vm, x);
        if shape.adapter.is_some() {
            // What came and went says more than that the collection is another.
            return self.contents(Spot {
                x,
                y,
                path: &work.path,
                cause: work.cause,
                written: &[],
            });
        }
        let resized = matches!(shape.form, Form::RefArray | Form::PrimArray { .. })
            && self.vm.heap.array_len(x) != self.vm.heap.array_len(y);
        let kind = if resized { Kind::Resized } else { Kind::Replaced };
        self.report(kind, work);
    }

    /// A thread's first values, or its last, are reported one by one: its table shows nowhere.
    fn thread_locals(&mut self, x: ObjRef, y: ObjRef, work: &Work) -> bool {
        let (view, table) = match (x.is_null(), y.is_null()) {
            (true, false) => (self.now(), y),
            (false, true) => (self.before(), x),
            _ => return false,
        };
        if !self.shapes.of_object(self.vm, table).is(Layout::ThreadLocals) {
            return false;
        }
        let Items::Map { entries, .. } = content(view, self.shapes, table).items else {
            return true;
        };
        let now = y == table;
        let spot = Spot {
            x: work.holders.0,
            y: work.holders.1,
            path: &work.path,
            cause: work.cause,
            written: &[],
        };
        for entry in entries {
            let item = Item::of_entry(entry, now);
            if now {
                self.added(spot, item);
            } else {
                self.removed(spot, item);
            }
        }
        true
    }

    /// The rules that hide objects of these classes.
    fn hidden_by(&mut self, x: ObjRef, y: ObjRef) -> (Option<RuleNo>, Option<RuleNo>) {
        let mut rule = |o: ObjRef| self.shapes.of_object(self.vm, o).rule;
        (rule(x), rule(y))
    }

    fn report(&mut self, kind: Kind, work: Work) {
        self.push(difference(kind, work));
    }

    fn push(&mut self, difference: Difference) {
        if self.found.list.len() < MOST {
            self.found.list.push(difference);
        }
    }

    fn later(&mut self, spot: Spot<'_>, (a, b): (Slot, Slot), path: Path, cause: Option<StackId>) {
        self.work.push(Work {
            a,
            b,
            path,
            cause,
            holders: (spot.x, spot.y),
        });
    }

    /// The objects as a whole differ.
    fn summary(&mut self, kind: Kind, spot: Spot<'_>) {
        let work = Work {
            a: Slot::Ref(spot.x),
            b: Slot::Ref(spot.y),
            path: spot.path.clone(),
            cause: spot.cause,
            holders: (spot.x, spot.y),
        };
        self.report(kind, work);
    }

    /// Compares what `x` showed with what `y`, of the same class, shows.
    fn contents(&mut self, spot: Spot<'_>) {
        let old: Content = content(self.before(), self.shapes, spot.x);
        let new: Content = content(self.now(), self.shapes, spot.y);
        for ((i, a), (_, b)) in old.fields.iter().zip(&new.fields) {
            let field = &old.shape.fields[*i];
            if a != b && field.rule.is_none() {
                let exact = self.cause_at(spot.y, field.off, field.off + field.size);
                let path = spot.path.then(Step::Field(field.name));
                self.later(spot, (*a, *b), path, exact.or(spot.cause));
            }
        }
        self.items(spot, old.items, new.items);
    }
}

fn difference(kind: Kind, work: Work) -> Difference {
    Difference {
        path: work.path,
        kind,
        before: Side::Slot(work.a),
        after: Side::Slot(work.b),
        cause: work.cause,
        holders: work.holders,
    }
}

pub(crate) fn same_class(vm: &Vm, x: ObjRef, y: ObjRef) -> bool {
    x == y || !x.is_null() && !y.is_null() && vm.heap.class_of(x) == vm.heap.class_of(y)
}

impl Key {
    pub(crate) fn view<'v>(&self, vm: &'v Vm) -> View<'v> {
        if self.now { View::now(vm) } else { View::before(vm) }
    }
}
