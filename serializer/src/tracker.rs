//! The shared state as it goes from test to test: which objects belong to it, how each is reached, and what a stretch
//! of execution did to it.
//!
//! One walk at the start watches every object that static fields and thread-locals reach and remembers through which
//! object it was reached first, and one other that refers to it. From then on the log of the write barrier says what was
//! written: only written objects are looked at, and what they came to refer to joins the state. An object that is no
//! longer reached stays watched until it is written and its remembered ways turn out to be gone; where there may be a
//! third, the walk is made again.

use crate::canon::{self, Digest, Roots, is_constant_of};
use crate::content::{Items, Slot, content};
use crate::diff::{Differ, Difference, Edge, Path, Place, Puts};
use crate::dump::Snapshot;
use crate::rules::RuleSet;
use crate::shape::{Adapter, Field, Form, RuleNo, Shape, Shapes, has_statics};
use crate::snapshot::snapshot;
use crate::value::{describe_ref, shorten, string_text};
use crate::view::View;
use hashbrown::hash_map::Entry;
use poldet_vm::heap::{ELEMENTS, StackId};
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// How an object of the shared state is reached.
#[derive(Clone, Copy)]
struct Way {
    /// The object, mirror or thread that refers to it.
    parent: ObjRef,
    /// Another that was seen to refer to it, the last one, or null.
    other: ObjRef,
    /// Only rules' fields lead to it.
    hidden: bool,
    /// More than one reference to it has been seen; they may still be there.
    shared: bool,
    /// When its parent was last looked at.
    scan: u32,
}

/// What the state's changes are told by.
pub struct Change {
    pub difference: Difference,
    /// The root's class and the static field, or the thread.
    pub root: Root,
    pub observable: bool,
    pub first_touch: bool,
    pub rule: Option<RuleNo>,
    /// From the root's holder to the owner of the difference.
    pub way: Vec<ObjRef>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    Static { class: ClassId, field: &'static str },
    Thread { name: String },
}

#[derive(Default)]
pub struct Changes {
    pub list: Vec<Change>,
    /// Roots that changed behind each rule.
    pub hidden: BTreeMap<RuleNo, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Show what rules hide as well.
    pub show_hidden: bool,
    /// Only roots that were there before.
    pub common_roots: bool,
}

pub struct Tracker {
    pub shapes: Shapes,
    options: Options,
    ways: FixedMap<ObjRef, Way>,
    /// Watched classes in load order.
    classes: Vec<ClassId>,
    threads: Vec<ObjRef>,
    /// Classes initialised since the last boundary.
    touched: BTreeSet<ClassId>,
    begun: bool,
    forget_at: usize,
    /// Counts the objects that were looked at for what they refer to.
    scan: u32,
}

/// What the remembered ways say of an object.
enum Whereabouts {
    Known(Located),
    /// Nothing refers to it any more.
    Gone,
    /// The remembered way is gone; there may be another.
    Unknown,
}

/// Where an object stands: the objects from its root's holder down to it, and the first rule on the way.
struct Located {
    way: Vec<ObjRef>,
    rule: Option<RuleNo>,
}

/// Written places that belong to one object as far as its API goes.
struct Owner {
    o: ObjRef,
    located: Located,
    places: Vec<Place>,
}

impl Tracker {
    pub fn new(vm: &Vm, rules: RuleSet, options: Options) -> Tracker {
        Tracker {
            shapes: Shapes::new(vm, rules),
            options,
            ways: FixedMap::default(),
            classes: Vec::new(),
            threads: Vec::new(),
            touched: BTreeSet::new(),
            begun: false,
            forget_at: 1 << 17,
            scan: 0,
        }
    }

    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Objects of the shared state, as far as is known.
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Takes the state as it is now for the first one.
    pub fn begin(&mut self, vm: &mut Vm) {
        self.begun = true;
        self.classes = (0..vm.classes.len() as u32)
            .map(ClassId)
            .filter(|c| has_statics(vm, *c))
            .collect();
        for i in 0..self.classes.len() {
            self.watch_statics(vm, self.classes[i]);
        }
        self.threads = live_threads(vm);
        self.rebuild(vm, false);
        vm.heap.clear_log();
        self.touched.clear();
    }

    fn watch_statics(&mut self, vm: &mut Vm, class: ClassId) {
        let mirror = vm.mirror(class);
        vm.heap.watch(mirror);
        for field in self.shapes.statics(vm, class).iter() {
            vm.heap.watch_slot(mirror.0 + field.off / 8);
        }
    }

    /// A class has just been initialised: its state is the baseline for what comes.
    pub fn class_initialized(&mut self, vm: &mut Vm, class: ClassId) {
        if !self.begun || !has_statics(vm, class) {
            return;
        }
        if let Err(at) = self.classes.binary_search(&class) {
            self.classes.insert(at, class);
        } else {
            return;
        }
        self.touched.insert(class);
        self.watch_statics(vm, class);
        let mirror = vm.mirror(class);
        vm.heap.set_baseline(mirror);
        let mut join = Join::new(self, false);
        join.children(vm, mirror, false);
        join.run(vm);
    }

    /// Walks everything anew, as it is or as it was before, those parts first that no rule hides.
    fn rebuild(&mut self, vm: &mut Vm, before: bool) {
        self.ways.clear();
        let roots: Vec<ObjRef> = self.threads.clone();
        let mirrors: Vec<ObjRef> = self.classes.iter().map(|c| vm.mirror(*c)).collect();
        let mut join = Join::new(self, before);
        for thread in roots {
            join.reach(vm, ObjRef::NULL, thread, false);
        }
        for mirror in mirrors {
            join.children(vm, mirror, false);
        }
        join.run(vm);
    }

    /// What was done to the state since the last boundary. The state now is the next one's beginning.
    /// `look` sees the changes while the log that tells of their writes is still there.
    pub fn boundary(&mut self, vm: &mut Vm, look: impl FnOnce(&Vm, &mut Tracker, &Changes)) -> Changes {
        let changed: Vec<ObjRef> = vm
            .heap
            .log()
            .iter()
            .filter(|e| !e.fresh && vm.heap.contents(e.object) != e.old_bytes())
            .map(|e| e.object)
            .collect();
        let mut changes = Changes::default();
        if !changed.is_empty() {
            self.compare(vm, &changed, &mut changes);
        }
        look(vm, self, &changes);
        self.advance(vm, &changed);
        changes
    }

    /// What was written joins the state; new objects that were followed in vain are left alone.
    fn advance(&mut self, vm: &mut Vm, changed: &[ObjRef]) {
        let fresh: Vec<ObjRef> = vm
            .heap
            .log()
            .iter()
            .filter(|e| e.fresh)
            .map(|e| e.object)
            .collect();
        for o in &fresh {
            self.ways.remove(o);
        }
        for &o in changed {
            let hidden = match self.ways.get(&o) {
                Some(way) => way.hidden,
                None if self.is_root(vm, o) => false,
                None => continue,
            };
            let mut join = Join::new(self, false);
            join.new_children(vm, o, hidden);
            join.run(vm);
        }
        for o in fresh {
            if !self.ways.contains_key(&o) {
                vm.heap.unwatch(o);
            }
        }
        vm.heap.clear_log();
        self.touched.clear();
        self.forget_dead(vm);
        let threads = live_threads(vm);
        if threads != self.threads {
            for &thread in &threads {
                let mut join = Join::new(self, false);
                join.reach(vm, ObjRef::NULL, thread, false);
                join.run(vm);
            }
            self.threads = threads;
        }
    }

    /// Drops the ways to objects that are gone, now and then.
    fn forget_dead(&mut self, vm: &Vm) {
        if self.ways.len() > self.forget_at {
            self.ways.retain(|o, _| vm.heap.is_watched(*o));
            self.forget_at = self.ways.len() * 2 + (1 << 16);
        }
    }

    fn is_root(&self, vm: &Vm, o: ObjRef) -> bool {
        vm.heap.class_of(o) == vm.known.class && self.classes.binary_search(&vm.class_of_mirror(o)).is_ok()
    }

    fn compare(&mut self, vm: &mut Vm, changed: &[ObjRef], changes: &mut Changes) {
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
        for (rule, _) in told {
            *changes.hidden.entry(rule).or_default() += 1;
        }
        if !self.alone(vm, changed, &copies) {
            self.compare_sharing(vm, changes);
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

    /// Whether no object of these pairs, of an old one and its copy, was or is referred to from two places: then that
    /// one stands for the other changes nothing.
    fn alone(&mut self, vm: &Vm, changed: &[ObjRef], copies: &[(ObjRef, ObjRef)]) -> bool {
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

    /// Follows the remembered ways back to a root.
    fn locate(&mut self, view: View<'_>, o: ObjRef) -> Whereabouts {
        let vm = view.vm;
        // Each object with the rule that hides what leads from it to the one before.
        let mut way: Vec<(ObjRef, Option<RuleNo>)> = vec![(o, None)];
        let mut others: Vec<(usize, ObjRef)> = Vec::new();
        let mut tried: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut shared = false;
        while let Some(&(at, _)) = way.last() {
            if self.is_root(vm, at) {
                break;
            }
            let known = self.ways.get(&at).copied();
            if let Some(known) = known {
                shared |= known.shared;
                if known.parent.is_null() && self.threads.contains(&at) {
                    break;
                }
                if !known.other.is_null() {
                    others.push((way.len(), known.other));
                }
            }
            let parent = known.map_or(ObjRef::NULL, |w| w.parent);
            let goes_on = way.len() <= self.ways.len() && (tried.is_empty() || !tried.contains_key(&parent));
            match self.edge(view, parent, at).filter(|_| goes_on) {
                Some(rule) => way.push((parent, rule)),
                None if known.is_some() && !shared => return Whereabouts::Gone,
                None => {
                    tried.extend(way.iter().map(|(o, _)| (*o, ())));
                    if !self.turn(view, &mut way, &mut others, &tried) {
                        return Whereabouts::Unknown;
                    }
                }
            }
            if !tried.is_empty() {
                tried.extend(way.last().map(|(o, _)| (*o, ())));
            }
        }
        let rule = way.iter().rev().find_map(|(_, rule)| *rule);
        let hidden = || self.ways.get(&o).is_some_and(|way| way.hidden);
        if rule.is_some() && !tried.is_empty() && !hidden() {
            // There may be a third way, which no rule hides.
            return Whereabouts::Unknown;
        }
        let way = way.into_iter().rev().map(|(o, _)| o).collect();
        Whereabouts::Known(Located { way, rule })
    }

    /// Goes back to the last object that something else refers to, and on from there.
    fn turn(
        &mut self,
        view: View<'_>,
        way: &mut Vec<(ObjRef, Option<RuleNo>)>,
        others: &mut Vec<(usize, ObjRef)>,
        tried: &FixedMap<ObjRef, ()>,
    ) -> bool {
        while let Some((len, other)) = others.pop() {
            let at = way[len - 1].0;
            if !tried.contains_key(&other)
                && let Some(rule) = self.edge(view, other, at)
            {
                way.truncate(len);
                way.push((other, rule));
                return true;
            }
        }
        false
    }

    /// Whether `parent` refers to `child`, and the rule that hides this, if every reference is hidden.
    fn edge(&mut self, view: View<'_>, parent: ObjRef, child: ObjRef) -> Option<Option<RuleNo>> {
        let vm = view.vm;
        if !vm.heap.is_object(parent) || !vm.heap.is_watched(parent) {
            return None;
        }
        let object = view.object(parent);
        let shape = self.shapes.of_object(vm, parent);
        let child_rule = self.shapes.of_object(vm, child).rule;
        let mut found = None;
        let mut check = |f: &Field| {
            if f.is_ref() && object.reference(f.off) == child {
                let rule = f.rule.or(child_rule);
                if rule.is_none() || found.is_none() {
                    found = Some(rule);
                }
            }
        };
        match shape.form {
            Form::Mirror => {
                let class = vm.class_of_mirror(parent);
                self.shapes.statics(vm, class).iter().for_each(&mut check);
            }
            Form::RefArray => {
                let any = (0..object.len()).any(|i| object.element(i) == child);
                return any.then_some(child_rule);
            }
            _ => shape.fields.iter().for_each(&mut check),
        }
        found
    }

    /// Cuts the way back to the object whose API shows its last part.
    fn lift(&mut self, vm: &Vm, located: &mut Located) {
        let view = View::before(vm);
        let pairs = located.way.windows(2);
        if let Some(at) = pairs.into_iter().position(|w| self.is_works(view, w[0], w[1])) {
            located.way.truncate(at + 1);
        }
        while let [.., outer, inner] = located.way[..] {
            if !self.is_part(vm, outer, inner) {
                break;
            }
            located.way.pop();
        }
    }

    /// Whether `inner` belongs to the works of the collection `outer`: a count, a lock, a view, and all behind them.
    fn is_works(&mut self, view: View<'_>, outer: ObjRef, inner: ObjRef) -> bool {
        let vm = view.vm;
        if self.is_root(vm, outer) {
            return false;
        }
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        let direct = matches!(out.adapter, Some(Adapter::Pair { .. } | Adapter::Single));
        if out.adapter.is_none() || direct || inn.node || inn.adapter.is_some() || array {
            return false;
        }
        let object = view.object(outer);
        let mut leads = out
            .fields
            .iter()
            .filter(|f| f.is_ref() && object.reference(f.off) == inner)
            .peekable();
        leads.peek().is_some() && leads.all(|f| f.internal)
    }

    /// Whether `inner` is a piece of the collection `outer`, or of the piece `outer`, and not an element of it.
    fn is_part(&mut self, vm: &Vm, outer: ObjRef, inner: ObjRef) -> bool {
        if self.is_root(vm, outer) {
            return false;
        }
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        inn.node
            || match out.adapter {
                Some(Adapter::Backed(_) | Adapter::BackedSet(_)) => {
                    // The one field that holds the contents; elements do not hang there directly.
                    array || inn.adapter.is_some()
                }
                // Elements hang in fields of their own.
                Some(Adapter::Pair { .. } | Adapter::Single) => false,
                Some(_) => array,
                None => false,
            }
    }

    /// A thread-local value whose ThreadLocal stands in a static field is told by that field.
    fn name_thread_locals(&mut self, vm: &Vm, thread: ObjRef, from: &mut [Change]) {
        let mut names: Option<BTreeMap<String, Root>> = None;
        for change in from.iter_mut().filter(|c| matches!(c.root, Root::Thread { .. })) {
            let edges = change.difference.path.edges();
            let [
                Edge::Field("threadLocals" | "inheritableThreadLocals"),
                Edge::Key(key),
                rest @ ..,
            ] = &edges[..]
            else {
                continue;
            };
            let names = names.get_or_insert_with(|| self.thread_locals(vm, thread));
            if let Some(root) = names.get(key) {
                let Root::Thread { name } = std::mem::replace(&mut change.root, root.clone()) else {
                    continue;
                };
                let place = [&[Edge::Key(format!("thread \"{name}\""))], rest].concat();
                change.difference.path = Path::of(&place);
            }
        }
    }

    /// The static fields that hold a thread's ThreadLocals, by how the keys read.
    fn thread_locals(&mut self, vm: &Vm, thread: ObjRef) -> BTreeMap<String, Root> {
        let mut names = BTreeMap::new();
        for view in [View::before(vm), View::now(vm)] {
            for field in ["threadLocals", "inheritableThreadLocals"] {
                let shape = self.shapes.of_object(vm, thread);
                let map = shape.off(field).map(|off| view.object(thread).reference(off));
                let Some(map) = map.filter(|m| !m.is_null()) else {
                    continue;
                };
                let Items::Map { entries, .. } = content(view, &mut self.shapes, map).items else {
                    continue;
                };
                for entry in entries {
                    let Edge::Key(text) = self.key(view, entry.key) else {
                        continue;
                    };
                    if let Some(root) = self.static_of(view, entry.key) {
                        names.insert(text, root);
                    }
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
                for difference in differ.found {
                    changes.list.push(Change {
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
        let nothing = differ.found.is_empty() && differ.copies.is_empty();
        copies.append(&mut differ.copies);
        let found = differ.found;
        let first = changes.list.len();
        for difference in found {
            changes.list.push(Change {
                difference,
                root: root.clone(),
                observable: true,
                first_touch,
                rule: owner.located.rule,
                way: owner.located.way.clone(),
            });
        }
        self.name_thread_locals(vm, holder, &mut changes.list[first..]);
        if nothing && let Some(difference) = self.internal(vm, &owner, &path) {
            changes.list.push(Change {
                difference,
                root,
                observable: false,
                first_touch,
                rule: owner.located.rule,
                way: owner.located.way,
            });
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
        let before = crate::value::describe(View::before(vm), &mut self.shapes, a);
        let after = crate::value::describe(View::now(vm), &mut self.shapes, b);
        let logged = vm.heap.logged(place.o)?;
        Some(Difference {
            path,
            kind: crate::finding::Kind::Changed,
            before,
            after,
            cause: logged.stack_of(place.from, place.to),
            slots: Some((a, b)),
            holders: (owner.o, owner.o),
        })
    }

    /// The root and the path of the last object of a way.
    fn path(&mut self, view: View<'_>, way: &[ObjRef]) -> Option<(Root, Path)> {
        let vm = view.vm;
        let (&holder, rest) = way.split_first()?;
        let mut path = Path::default();
        let mut at = holder;
        let mut rest = rest;
        let root = if self.is_root(vm, holder) {
            let (&first, more) = rest.split_first()?;
            let class = vm.class_of_mirror(holder);
            let object = view.object(holder);
            let statics = self.shapes.statics(vm, class);
            let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == first;
            let field = statics
                .iter()
                .filter(|f| f.rule.is_none())
                .find(leads)
                .or(statics.iter().find(leads))?;
            at = first;
            rest = more;
            Root::Static {
                class,
                field: field.name,
            }
        } else {
            Root::Thread {
                name: self.thread_name(view, holder),
            }
        };
        let mut last = at;
        for &next in rest {
            let part = self.is_part(vm, last, next);
            last = next;
            if part || self.shapes.of_object(vm, next).node {
                // Its element, if any, is found by asking the whole.
                continue;
            }
            path = path.then(self.step(view, at, next));
            at = next;
        }
        Some((root, path))
    }

    fn thread_name(&mut self, view: View<'_>, thread: ObjRef) -> String {
        let shape = self.shapes.of_object(view.vm, thread);
        let name = shape.off("name").map(|off| view.object(thread).reference(off));
        name.filter(|n| !n.is_null())
            .map_or_else(String::new, |n| string_text(view, &mut self.shapes, n))
    }

    /// How an object shows another. One that it refers to in a way nobody has a name for is shown all the same: what
    /// changed behind it must not be lost.
    fn step(&mut self, view: View<'_>, from: ObjRef, to: ObjRef) -> Edge {
        let content = content(view, &mut self.shapes, from);
        let index = |list: &[(ObjRef, ObjRef)]| list.iter().position(|(o, _)| *o == to);
        let item = match &content.items {
            Items::Array(list) => list.iter().position(|o| *o == to).map(Edge::Index),
            Items::List(list) => index(list).map(Edge::Index),
            Items::Bag(list) => index(list).map(|_| self.key(view, to)),
            Items::Map { entries, .. } => entries
                .iter()
                .find(|e| e.value == to || e.key == to)
                .map(|e| self.key(view, e.key)),
            Items::None | Items::Prims { .. } | Items::Text(_) => None,
        };
        let field = || {
            let object = view.object(from);
            let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == to;
            content
                .shape
                .fields
                .iter()
                .find(leads)
                .map(|f| Edge::Field(f.name))
        };
        item.or_else(field).unwrap_or(Edge::Field("?"))
    }

    fn key(&mut self, view: View<'_>, key: ObjRef) -> Edge {
        Edge::Key(shorten(&describe_ref(view, &mut self.shapes, key), 60))
    }

    pub fn root_text(&self, vm: &Vm, root: &Root) -> String {
        match root {
            Root::Static { class, field } => format!("{}.{field}", vm.java_name(*class)),
            Root::Thread { name } => format!("thread \"{name}\""),
        }
    }

    /// Whether an object belonged to the state before; to be asked before the next state begins.
    pub(crate) fn knew(&self, o: ObjRef) -> bool {
        self.ways.contains_key(&o)
    }

    /// Whether the way by which an object was reached before still leads to it.
    pub(crate) fn still_holds(&mut self, vm: &Vm, o: ObjRef) -> bool {
        matches!(self.locate(View::now(vm), o), Whereabouts::Known(_))
    }

    /// The digests of the state before and now.
    pub fn digests(&mut self, vm: &Vm) -> (Digest, Digest) {
        let roots = Roots {
            threads: &self.threads,
            classes: &self.classes,
        };
        let before = canon::digest(View::before(vm), &mut self.shapes, &roots);
        let now = canon::digest(View::now(vm), &mut self.shapes, &roots);
        (before, now)
    }

    /// The whole state before and now.
    pub fn snapshots(&mut self, vm: &Vm) -> (Snapshot, Snapshot) {
        let common = self.options.common_roots;
        let known = |c: &&ClassId| !common || !self.touched.contains(c);
        let classes: Vec<ClassId> = self.classes.iter().filter(known).copied().collect();
        let roots = Roots {
            threads: &self.threads,
            classes: &classes,
        };
        let hidden = self.options.show_hidden;
        let before = snapshot(View::before(vm), &mut self.shapes, &roots, hidden);
        let now = snapshot(View::now(vm), &mut self.shapes, &roots, hidden);
        (before, now)
    }

    /// Objects were replaced by equal ones. That is no difference unless one of them was, or now is, shared.
    fn compare_sharing(&mut self, vm: &Vm, changes: &mut Changes) {
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
            let text = crate::value::describe(View::now(vm), &mut self.shapes, slots.1);
            changes.list.push(Change {
                difference: Difference {
                    path,
                    kind: crate::finding::Kind::Replaced,
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

/// What stood and stands in a field.
pub(crate) fn slots_of(vm: &Vm, o: ObjRef, field: &Field) -> (Slot, Slot) {
    let slot = |view: View<'_>| field.slot(&view.object(o));
    (slot(View::before(vm)), slot(View::now(vm)))
}

fn live_threads(vm: &Vm) -> Vec<ObjRef> {
    let live = vm.threads.list.iter().filter(|t| !t.frames.is_empty());
    live.map(|t| t.object).filter(|o| !o.is_null()).collect()
}

/// Brings objects into the shared state.
struct Join<'a> {
    tracker: &'a mut Tracker,
    before: bool,
    queue: VecDeque<(ObjRef, bool)>,
    /// Ways that rules hide: taken when no other is left.
    later: Vec<(ObjRef, ObjRef)>,
    buffer: Vec<(ObjRef, bool)>,
}

impl<'a> Join<'a> {
    fn new(tracker: &'a mut Tracker, before: bool) -> Join<'a> {
        Join {
            tracker,
            before,
            queue: VecDeque::new(),
            later: Vec::new(),
            buffer: Vec::new(),
        }
    }

    fn run(&mut self, vm: &mut Vm) {
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

    fn reach(&mut self, vm: &mut Vm, parent: ObjRef, o: ObjRef, hidden: bool) {
        let scan = self.tracker.scan;
        let mut fresh = Way {
            parent,
            other: ObjRef::NULL,
            hidden,
            shared: false,
            scan,
        };
        match self.tracker.ways.entry(o) {
            Entry::Occupied(mut entry) => {
                let way = entry.get_mut();
                // A new object may have taken the place of one that is gone.
                if vm.heap.is_watched(o) && !vm.heap.logged(o).is_some_and(|l| l.fresh) {
                    if way.parent != parent {
                        way.other = parent;
                        way.shared = true;
                    }
                    way.shared |= way.scan == scan;
                    way.scan = scan;
                    if hidden || !way.hidden {
                        return;
                    }
                    fresh.shared = way.shared;
                }
                *way = fresh;
            }
            Entry::Vacant(entry) => {
                entry.insert(fresh);
            }
        }
        if !vm.heap.watch(o) {
            vm.heap.set_baseline(o);
        }
        self.queue.push_back((o, hidden));
    }

    /// Reaches what an object, or a class's mirror, refers to.
    fn children(&mut self, vm: &mut Vm, o: ObjRef, hidden: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.tracker.scan = self.tracker.scan.wrapping_add(1);
        let view = if self.before {
            View::before(vm)
        } else {
            View::now(vm)
        };
        gather(view, &mut self.tracker.shapes, o, &mut buffer);
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
    fn new_children(&mut self, vm: &mut Vm, o: ObjRef, hidden: bool) {
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
            if let Some(way) = self.tracker.ways.get_mut(&child) {
                way.shared = true;
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
fn gather(view: View<'_>, shapes: &mut Shapes, o: ObjRef, out: &mut Vec<(ObjRef, bool)>) {
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
