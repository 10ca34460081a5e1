//! What differs between the state before and the state now, beginning at objects that were written.
//!
//! An object that stands in both states at the same place is compared with itself; where a reference was replaced,
//! the old and the new structure are compared side by side until they meet in objects that are the same. Equal copies
//! are no difference; whether they were shared with something else is for the canonical walk to say.

use crate::content::{Content, Entry, Items, Slot, content};
use crate::finding::Kind;
use crate::shape::{Form, RuleNo, Shapes};
use crate::twins::twins;
use crate::value::{Value, describe, describe_ref, element, shorten, value};
use crate::view::View;
use poldet_vm::heap::StackId;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::rc::Rc;

/// The most differences told of one test.
const MOST: usize = 200;
/// The most differences told of one collection or array.
const MOST_ITEMS: usize = 8;
/// Pairs looked at to say whether two structures are equal, at most: larger ones count as different.
const DEEP: usize = 1 << 22;

/// So many equal steps one after the other are written as one, with their number.
const MANY_STEPS: usize = 8;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edge {
    Field(&'static str),
    Index(usize),
    Key(String),
}

impl Edge {
    pub fn text(&self) -> String {
        match self {
            Edge::Field(name) => (*name).to_owned(),
            Edge::Index(i) => format!("[{i}]"),
            Edge::Key(key) => format!("[{key}]"),
        }
    }
}

/// A path, by its last step.
#[derive(Clone, Default)]
pub struct Path(Option<Rc<(Path, Edge)>>);

impl Path {
    pub fn then(&self, edge: Edge) -> Path {
        Path(Some(Rc::new((self.clone(), edge))))
    }

    pub fn of(edges: &[Edge]) -> Path {
        edges.iter().fold(Path::default(), |p, e| p.then(e.clone()))
    }

    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        let mut at = self;
        while let Some(node) = &at.0 {
            edges.push(node.1.clone());
            at = &node.0;
        }
        edges.reverse();
        edges
    }

    pub fn text(&self) -> String {
        let step = |edge: &Edge| match edge {
            Edge::Field(name) => format!(".{name}"),
            _ => edge.text(),
        };
        let edges = self.edges();
        let mut text = String::new();
        for run in edges.chunk_by(|a, b| a == b) {
            let one = step(&run[0]);
            if run.len() < MANY_STEPS {
                text.push_str(&one.repeat(run.len()));
            } else {
                text.push_str(&format!("{one}{{{}}}", run.len()));
            }
        }
        text
    }
}

pub struct Difference {
    pub path: Path,
    pub kind: Kind,
    pub before: String,
    pub after: String,
    pub cause: Option<StackId>,
    /// The slot before and after, where it is one.
    pub slots: Option<(Slot, Slot)>,
    /// The objects that hold the difference, before and after.
    pub holders: (ObjRef, ObjRef),
}

/// A written place: bytes of an object.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub o: ObjRef,
    pub from: u32,
    pub to: u32,
    pub is_ref: bool,
}

pub struct Differ<'a, 'b> {
    pub vm: &'a Vm,
    pub shapes: &'b mut Shapes,
    pub found: Vec<Difference>,
    /// Old objects that were replaced by others which are equal so far, with these.
    pub copies: Vec<(ObjRef, ObjRef)>,
    /// Differences between objects that rules hide.
    pub hidden: Vec<(RuleNo, Difference)>,
    work: Vec<Work>,
    put: Rc<Puts>,
}

/// An element and the node that holds it.
type Held = (ObjRef, ObjRef);

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
    places: &'p [Place],
}

/// Who wrote a reference last, by what it refers to.
pub type Puts = FixedMap<ObjRef, StackId>;

impl<'a, 'b> Differ<'a, 'b> {
    pub fn new(vm: &'a Vm, shapes: &'b mut Shapes, put: Rc<Puts>) -> Differ<'a, 'b> {
        Differ {
            vm,
            shapes,
            found: Vec::new(),
            copies: Vec::new(),
            hidden: Vec::new(),
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
    pub fn slot(&mut self, a: Slot, b: Slot, path: Path, place: Place) {
        let cause = self.cause(place.o, place.from, place.to);
        self.work.push(Work {
            a,
            b,
            path,
            cause,
            holders: (place.o, place.o),
        });
        self.run();
    }

    /// Compares an object with itself as it was; `places` are what was written of it and of its parts.
    pub fn object(&mut self, o: ObjRef, path: &Path, places: &[Place]) {
        let first = places.iter().find(|p| p.is_ref).or(places.first());
        let cause = first.and_then(|p| self.cause(p.o, p.from, p.to));
        self.contents(Spot {
            x: o,
            y: o,
            path,
            cause,
            places,
        });
        self.run();
    }

    fn cause(&self, o: ObjRef, from: u32, to: u32) -> Option<StackId> {
        self.vm.heap.logged(o)?.stack_of(from, to)
    }

    fn run(&mut self) {
        // Breadth first where it matters: the shallowest difference of a structure comes first.
        while !self.work.is_empty() && self.found.len() < MOST {
            for work in std::mem::take(&mut self.work) {
                self.one(work);
            }
        }
        self.work.clear();
    }

    fn one(&mut self, work: Work) {
        let Work {
            a,
            b,
            path,
            cause,
            holders,
        } = work.clone();
        let (x, y) = match (a, b) {
            (Slot::Ref(x), Slot::Ref(y)) => (x, y),
            _ if a == b => return,
            _ => return self.tell(Kind::Changed, work),
        };
        if x == y {
            return;
        }
        let (before, now) = (self.before(), self.now());
        if x.is_null() && self.thread_locals(now, y, &path, cause, holders)
            || y.is_null() && self.thread_locals(before, x, &path, cause, holders)
        {
            return;
        }
        let values = (value(before, self.shapes, x), value(now, self.shapes, y));
        match values {
            (Some(v), Some(w)) if v == w && same_class(self.vm, x, y) => return,
            (Some(_), _) | (_, Some(_)) => {
                return self.tell(Kind::Changed, work);
            }
            (None, None) => {}
        }
        if let (Some(rule), Some(_)) = self.hidden_by(x, y) {
            return self.hide(rule, work);
        }
        if !same_class(self.vm, x, y) {
            return self.tell(Kind::Replaced, work);
        }
        if let Some(mut pairs) = self.pairs(x, y) {
            self.copies.append(&mut pairs);
            return;
        }
        let shape = self.shapes.of_object(self.vm, x);
        if shape.adapter.is_some() {
            // What came and went says more than that the collection is another.
            return self.contents(Spot {
                x,
                y,
                path: &path,
                cause,
                places: &[],
            });
        }
        let resized = matches!(shape.form, Form::RefArray | Form::PrimArray { .. })
            && self.vm.heap.array_len(x) != self.vm.heap.array_len(y);
        let kind = if resized { Kind::Resized } else { Kind::Replaced };
        self.tell(kind, work);
    }

    /// A thread's first values, or its last, are told one by one: its table shows nowhere.
    fn thread_locals(
        &mut self,
        view: View<'_>,
        table: ObjRef,
        path: &Path,
        cause: Option<StackId>,
        holders: (ObjRef, ObjRef),
    ) -> bool {
        if table.is_null()
            || self.shapes.of_object(self.vm, table).adapter != Some(crate::shape::Adapter::ThreadLocalMap)
        {
            return false;
        }
        if let Items::Map { entries, .. } = content(view, self.shapes, table).items {
            for entry in entries {
                let path = path.then(Edge::Key(self.key_text(view, entry.key)));
                if view.is_before() {
                    self.item_removed(entry.value, path, cause, holders);
                } else {
                    let cause = self.put_by(entry.value, entry.node).or(cause);
                    self.item_added(entry.value, path, cause, holders);
                }
            }
        }
        true
    }

    /// The rules that hide objects of these classes.
    fn hidden_by(&mut self, x: ObjRef, y: ObjRef) -> (Option<RuleNo>, Option<RuleNo>) {
        let mut rule = |o: ObjRef| self.shapes.of_object(self.vm, o).rule;
        (rule(x), rule(y))
    }

    /// One object that a rule hides took the place of another.
    fn hide(&mut self, rule: RuleNo, work: Work) {
        let told = self.found.len();
        self.tell(Kind::Replaced, work);
        let hidden = self.found.drain(told..).map(|difference| (rule, difference));
        self.hidden.extend(hidden);
    }

    fn tell(&mut self, kind: Kind, work: Work) {
        let Work {
            a,
            b,
            path,
            cause,
            holders,
        } = work;
        let before = describe(self.before(), self.shapes, a);
        let after = describe(self.now(), self.shapes, b);
        self.push(Difference {
            path,
            kind,
            before,
            after,
            cause,
            slots: Some((a, b)),
            holders,
        });
    }

    fn later(&mut self, spot: Spot<'_>, a: Slot, b: Slot, path: Path, cause: Option<StackId>) {
        self.work.push(Work {
            a,
            b,
            path,
            cause,
            holders: (spot.x, spot.y),
        });
    }

    fn push(&mut self, difference: Difference) {
        if self.found.len() < MOST {
            self.found.push(difference);
        }
    }

    /// Compares what `x` showed with what `y`, of the same class, shows.
    fn contents(&mut self, spot: Spot<'_>) {
        let Spot {
            x, y, path, cause, ..
        } = spot;
        let old: Content = content(self.before(), self.shapes, x);
        let new: Content = content(self.now(), self.shapes, y);
        for ((i, a), (_, b)) in old.fields.iter().zip(&new.fields) {
            if a != b && old.shape.fields[*i].rule.is_none() {
                let field = &old.shape.fields[*i];
                let exact = self.cause_at(y, field.off, field.off + field.size).or(cause);
                let path = path.then(Edge::Field(field.name));
                self.later(spot, *a, *b, path, exact);
            }
        }
        match (old.items, new.items) {
            (Items::Array(a), Items::Array(b)) => self.arrays(spot, &a, &b),
            (
                Items::Prims {
                    letter,
                    size,
                    bytes: a,
                },
                Items::Prims { bytes: b, .. },
            ) => {
                self.primitives(spot, (letter, size), &a, &b);
            }
            (Items::Text(a), Items::Text(b)) if a != b => {
                self.summary(Kind::Changed, spot);
            }
            (Items::List(a), Items::List(b)) => self.lists(spot, &a, &b),
            (Items::Bag(a), Items::Bag(b)) => self.bags(spot, &a, &b),
            (Items::Map { entries: a, ordered }, Items::Map { entries: b, .. }) => {
                self.maps(spot, &a, &b, ordered);
            }
            _ => {}
        }
    }

    fn cause_at(&self, o: ObjRef, from: u32, to: u32) -> Option<StackId> {
        self.vm.heap.logged(o)?.exact_stack_of(from, to)
    }

    fn summary(&mut self, kind: Kind, spot: Spot<'_>) {
        let Spot { x, y, .. } = spot;
        let work = Work {
            a: Slot::Ref(x),
            b: Slot::Ref(y),
            path: spot.path.clone(),
            cause: spot.cause,
            holders: (x, y),
        };
        self.tell(kind, work);
    }

    fn arrays(&mut self, spot: Spot<'_>, a: &[ObjRef], b: &[ObjRef]) {
        let Spot { y, path, cause, .. } = spot;
        if a.len() != b.len() {
            return self.summary(Kind::Resized, spot);
        }
        for (i, (p, q)) in a.iter().zip(b).enumerate() {
            if p != q {
                let off = poldet_vm::heap::ELEMENTS + i as u32 * 4;
                let cause = self.cause_at(y, off, off + 4).or(cause);
                let slots = (Slot::Ref(*p), Slot::Ref(*q));
                self.later(spot, slots.0, slots.1, path.then(Edge::Index(i)), cause);
            }
        }
    }

    fn primitives(&mut self, spot: Spot<'_>, (letter, size): (u8, u32), a: &[u8], b: &[u8]) {
        let Spot {
            x, y, path, cause, ..
        } = spot;
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
            let off = poldet_vm::heap::ELEMENTS + i as u32 * size;
            let cause = self.cause_at(y, off, off + size).or(cause);
            let (p, q) = (element(a, letter, size, i), element(b, letter, size, i));
            let work = Work {
                a: p,
                b: q,
                path: path.then(Edge::Index(i)),
                cause,
                holders: (x, y),
            };
            self.tell(Kind::Changed, work);
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
    fn taken_by(&self, element: ObjRef, node: ObjRef, places: &[Place]) -> Option<StackId> {
        let stood = |p: &&Place| {
            let old = self.before().object(p.o);
            p.is_ref
                && (p.from..p.to).step_by(4).any(|off| {
                    let was = old.reference(off);
                    !was.is_null() && (was == node || was == element)
                })
        };
        let place = places.iter().find(stood)?;
        self.cause(place.o, place.from, place.to)
    }

    fn item_added(&mut self, o: ObjRef, path: Path, cause: Option<StackId>, holders: (ObjRef, ObjRef)) {
        let after = describe_ref(self.now(), self.shapes, o);
        self.push(Difference {
            path,
            kind: Kind::Added,
            before: "(absent)".into(),
            after,
            cause,
            slots: None,
            holders,
        });
    }

    fn item_removed(&mut self, o: ObjRef, path: Path, cause: Option<StackId>, holders: (ObjRef, ObjRef)) {
        let before = describe_ref(self.before(), self.shapes, o);
        self.push(Difference {
            path,
            kind: Kind::Removed,
            before,
            after: "(absent)".into(),
            cause,
            slots: None,
            holders,
        });
    }

    fn lists(&mut self, spot: Spot<'_>, a: &[Held], b: &[Held]) {
        let Spot {
            x,
            y,
            path,
            cause,
            places,
        } = spot;
        if a.len() == b.len() {
            for (i, (p, q)) in a.iter().zip(b).enumerate() {
                if p.0 != q.0 {
                    let cause = self.put_by(q.0, q.1).or(cause);
                    let slots = (Slot::Ref(p.0), Slot::Ref(q.0));
                    self.later(spot, slots.0, slots.1, path.then(Edge::Index(i)), cause);
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
            self.later(
                spot,
                Slot::Ref(a[i].0),
                Slot::Ref(b[j].0),
                path.then(Edge::Index(j)),
                cause,
            );
        }
        let (gone, come) = (&a[prefix..a.len() - suffix], &b[prefix..b.len() - suffix]);
        if !gone.is_empty() && !come.is_empty() || gone.len() + come.len() > MOST_ITEMS {
            let kind = match (gone.is_empty(), come.is_empty()) {
                (true, _) => Kind::Added,
                (_, true) => Kind::Removed,
                _ => Kind::Resized,
            };
            return self.summary(kind, spot);
        }
        for (i, (o, node)) in come.iter().enumerate() {
            let cause = self.put_by(*o, *node).or(cause);
            self.item_added(*o, path.then(Edge::Index(prefix + i)), cause, (x, y));
        }
        for (i, (o, node)) in gone.iter().enumerate() {
            let cause = self.taken_by(*o, *node, places).or(cause);
            self.item_removed(*o, path.then(Edge::Index(prefix + i)), cause, (x, y));
        }
    }

    fn bags(&mut self, spot: Spot<'_>, a: &[Held], b: &[Held]) {
        let Spot {
            x,
            y,
            path,
            cause,
            places,
        } = spot;
        let keys = |list: &[(ObjRef, ObjRef)]| -> Vec<ObjRef> { list.iter().map(|e| e.0).collect() };
        let (both, gone, come) = self.matches(&keys(a), &keys(b));
        for (i, j) in both.into_iter().filter(|(i, j)| a[*i].0 != b[*j].0) {
            self.later(spot, Slot::Ref(a[i].0), Slot::Ref(b[j].0), path.clone(), cause);
        }
        if gone.len() + come.len() > MOST_ITEMS {
            let kind = match (gone.is_empty(), come.is_empty()) {
                (true, _) => Kind::Added,
                (_, true) => Kind::Removed,
                _ => Kind::Resized,
            };
            return self.summary(kind, spot);
        }
        for i in come {
            let (o, node) = b[i];
            let key = describe_ref(self.now(), self.shapes, o);
            let cause = self.put_by(o, node).or(cause);
            self.item_added(o, path.then(Edge::Key(shorten(&key, 60))), cause, (x, y));
        }
        for i in gone {
            let (o, node) = a[i];
            let key = describe_ref(self.before(), self.shapes, o);
            let cause = self.taken_by(o, node, places).or(cause);
            self.item_removed(o, path.then(Edge::Key(shorten(&key, 60))), cause, (x, y));
        }
    }

    fn maps(&mut self, spot: Spot<'_>, a: &[Entry], b: &[Entry], ordered: bool) {
        let Spot {
            x,
            y,
            path,
            cause,
            places,
        } = spot;
        let keys = |list: &[Entry]| -> Vec<ObjRef> { list.iter().map(|e| e.key).collect() };
        let (both, gone, come) = self.matches(&keys(a), &keys(b));
        if gone.len() + come.len() > MOST_ITEMS {
            let kind = match (gone.is_empty(), come.is_empty()) {
                (true, _) => Kind::Added,
                (_, true) => Kind::Removed,
                _ => Kind::Resized,
            };
            self.summary(kind, spot);
        } else {
            for i in come {
                let entry = b[i];
                let key = self.key_text(self.now(), entry.key);
                let cause = self.put_by(entry.value, entry.node).or(cause);
                self.item_added(entry.value, path.then(Edge::Key(key)), cause, (x, y));
            }
            for i in gone {
                let entry = a[i];
                let key = self.key_text(self.before(), entry.key);
                let cause = self.taken_by(entry.value, entry.node, places).or(cause);
                self.item_removed(entry.value, path.then(Edge::Key(key)), cause, (x, y));
            }
        }
        let mut in_order = true;
        let mut last = None;
        for (i, j) in both {
            in_order &= last.is_none_or(|l| l < j);
            last = Some(j);
            let (p, q) = (a[i], b[j]);
            if p.key != q.key {
                let slots = (Slot::Ref(p.key), Slot::Ref(q.key));
                self.later(spot, slots.0, slots.1, path.clone(), cause);
            }
            if p.value != q.value {
                let key = self.key_text(self.now(), q.key);
                let logged = self.vm.heap.logged(q.node);
                let by_node = logged.and_then(|l| l.stack_of(0, u32::MAX));
                let cause = by_node.or(self.put_by(q.value, q.node)).or(cause);
                let slots = (Slot::Ref(p.value), Slot::Ref(q.value));
                self.later(spot, slots.0, slots.1, path.then(Edge::Key(key)), cause);
            }
        }
        if ordered && !in_order {
            self.summary(Kind::Changed, spot);
        }
    }

    pub fn key_text(&mut self, view: View<'_>, key: ObjRef) -> String {
        shorten(&describe_ref(view, self.shapes, key), 60)
    }

    /// Which keys stand in both lists (by place), which only in the first, which only in the second.
    fn matches(&mut self, a: &[ObjRef], b: &[ObjRef]) -> (Vec<(usize, usize)>, Vec<usize>, Vec<usize>) {
        let (before, now) = (self.before(), self.now());
        let mut by_identity: FixedMap<ObjRef, Vec<usize>> = FixedMap::default();
        let mut by_value: FixedMap<Value, Vec<usize>> = FixedMap::default();
        for (j, o) in b.iter().enumerate().rev() {
            match value(now, self.shapes, *o) {
                Some(v) => by_value.entry(v).or_default().push(j),
                None => by_identity.entry(*o).or_default().push(j),
            }
        }
        let mut taken = vec![false; b.len()];
        let (mut both, mut gone) = (Vec::new(), Vec::new());
        for (i, o) in a.iter().enumerate() {
            let found = match value(before, self.shapes, *o) {
                Some(v) => by_value.get_mut(&v).and_then(Vec::pop),
                None => by_identity.get_mut(o).and_then(Vec::pop),
            };
            match found {
                Some(j) => {
                    taken[j] = true;
                    both.push((i, j));
                }
                None => gone.push(i),
            }
        }
        // What is left may be equal copies.
        if gone.len() <= 64 {
            gone.retain(|&i| {
                let equal = (0..b.len()).find(|&j| !taken[j] && self.same(a[i], b[j]));
                if let Some(j) = equal {
                    taken[j] = true;
                    both.push((i, j));
                }
                equal.is_none()
            });
            both.sort_unstable();
        }
        let come = (0..b.len()).filter(|j| !taken[*j]).collect();
        (both, gone, come)
    }

    /// Whether an old and a new object show the same, as far as one looks.
    fn same(&mut self, x: ObjRef, y: ObjRef) -> bool {
        x == y || self.pairs(x, y).is_some()
    }

    /// The objects of two structures that show the same, pair by pair where they are not one.
    fn pairs(&mut self, x: ObjRef, y: ObjRef) -> Option<Vec<(ObjRef, ObjRef)>> {
        let mut pairs = Vec::new();
        let (before, now) = (self.before(), self.now());
        let mut seen: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let mut back: FixedMap<ObjRef, ObjRef> = FixedMap::default();
        let mut work = vec![(x, y)];
        while let Some((x, y)) = work.pop() {
            if x == y {
                continue;
            }
            match (value(before, self.shapes, x), value(now, self.shapes, y)) {
                (Some(v), Some(w)) if v == w && same_class(self.vm, x, y) => continue,
                (None, None) => {}
                _ => return None,
            }
            match self.hidden_by(x, y) {
                (Some(_), Some(_)) => continue,
                (None, None) if same_class(self.vm, x, y) => {}
                _ => return None,
            }
            match (seen.insert(x, y), back.insert(y, x)) {
                (Some(other), Some(_)) if other == y => continue,
                (None, None) => pairs.push((x, y)),
                _ => return None,
            }
            if seen.len() > DEEP {
                return None;
            }
            let twins = twins(before, now, self.shapes, x, y);
            if !twins.same {
                return None;
            }
            work.extend(twins.list.into_iter().map(|t| (t.old, t.new)));
        }
        Some(pairs)
    }
}

fn same_class(vm: &Vm, x: ObjRef, y: ObjRef) -> bool {
    x == y || !x.is_null() && !y.is_null() && vm.heap.class_of(x) == vm.heap.class_of(y)
}
