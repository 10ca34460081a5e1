//! The shared state as it goes from test to test: which objects belong to it, how each is reached, and what an interval
//! of execution did to it.
//!
//! One walk at the start watches every object that static fields and thread-locals reach and remembers through which
//! object it was reached first, and one other that refers to it. From then on the log of the write barrier says what was
//! written: only written objects are compared, and what they came to refer to joins the state. An object that is no
//! longer reached stays watched until it is written and all references that were ever seen of it turn out to be gone.

mod compare;
mod held;
mod join;
mod layered;
mod locate;
mod parents;
mod path;
mod sharing;
mod stale;
mod undo;

pub use undo::Unit;

use crate::canon::{self, Digest, Roots};
use crate::content::Slot;
use crate::diff::Difference;
use crate::digests::Digests;
use crate::dump::Snapshot;
use crate::knowledge::Knowledge;
use crate::place::{Holder, Path, Root};
use crate::rules::{RuleNo, RuleSet};
use crate::shape::{Field, Shapes, has_statics};
use crate::snapshot::snapshot;
use crate::view::View;
use join::Join;
use layered::Layered;
use locate::Locations;
use parents::Parents;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::BTreeSet;

/// Links are kept to so many objects before those to dead ones are dropped.
const MANY_LINKS: usize = 1 << 17;

/// How an object of the shared state is reached.
#[derive(Clone, Copy)]
struct Link {
    /// The object, mirror or thread that refers to it.
    parent: ObjRef,
    /// Another that was seen to refer to it, the last one, or null.
    other: ObjRef,
    /// Only rules' fields lead to it.
    hidden: bool,
    /// More than one reference to it has been seen; they may still be there.
    shared: bool,
    /// When its parent was last scanned.
    scan: u32,
}

/// Where a change lies, beside its path.
#[derive(Clone, Copy, Debug)]
pub struct At {
    pub root: Root,
    /// The root's class was initialised since the last boundary.
    pub first_touch: bool,
    /// The rule that hides the place.
    pub rule: Option<RuleNo>,
    /// The first thread on the reference path, or null.
    pub thread: ObjRef,
}

/// One difference between the state before and the state now.
pub struct Change {
    pub at: At,
    pub difference: Difference,
    /// It shows through the public API of the types it lies in.
    pub observable: bool,
    /// A value of a ThreadLocal that is gone.
    pub stale: bool,
}

impl Change {
    pub fn new(at: At, difference: Difference, observable: bool) -> Change {
        Change {
            at,
            difference,
            observable,
            stale: false,
        }
    }

    /// Whether it makes the digests of the state before and now differ.
    fn is_certain(&self) -> bool {
        self.observable && self.at.rule.is_none()
    }
}

/// What an interval of execution did to the shared state.
#[derive(Default)]
pub struct Changes {
    pub list: Vec<Change>,
    /// Roots that changed behind rules, compared or not.
    pub hidden: BTreeSet<(RuleNo, Root)>,
    /// Our fault: what was found cannot be all.
    pub fault: Option<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Compare what rules hide as well.
    pub show_hidden: bool,
    /// Only roots that were there before.
    pub common_roots: bool,
}

pub struct Tracker {
    pub shapes: Shapes,
    options: Options,
    links: Layered<Link>,
    /// Who else has been seen to refer to an object.
    parents: Parents,
    /// Watched classes in load order.
    classes: Vec<ClassId>,
    threads: Threads,
    /// Classes initialised since the last boundary.
    touched: BTreeSet<ClassId>,
    begun: bool,
    forget_at: usize,
    /// Counts the objects that were scanned for what they refer to.
    scan: u32,
    found: Locations,
    /// Objects that have joined the state since this was asked for, with the interval in which they did.
    newcomers: Option<Layered<u32>>,
    /// The sum of their mixed addresses.
    newcomers_sum: u64,
    /// The number of the interval, from then on.
    interval: u32,
}

/// Live threads in the order of their start.
#[derive(Default)]
struct Threads {
    list: Vec<ObjRef>,
    set: FixedMap<ObjRef, ()>,
}

impl Threads {
    fn live(vm: &Vm) -> Threads {
        let live = vm.threads.list.iter().filter(|t| !t.frames.is_empty());
        let list: Vec<ObjRef> = live.map(|t| t.object).filter(|o| !o.is_null()).collect();
        let set = list.iter().map(|o| (*o, ())).collect();
        Threads { list, set }
    }
}

/// The end of an interval: keeps the log, and so the state before, until it is dropped. Then the state as it is becomes the
/// one before.
pub struct Boundary<'t, 'v> {
    tracker: &'t mut Tracker,
    vm: &'v mut Vm,
    changed: Vec<ObjRef>,
    changes: Changes,
}

impl Boundary<'_, '_> {
    /// What changed, with what it takes to say more about it.
    pub fn parts(&mut self) -> (&Vm, &mut Tracker, &Changes) {
        (self.vm, self.tracker, &self.changes)
    }
}

impl Drop for Boundary<'_, '_> {
    fn drop(&mut self) {
        self.tracker.advance(self.vm, &self.changed);
    }
}

impl Tracker {
    pub fn new(vm: &Vm, rules: RuleSet, known: Knowledge, options: Options) -> Tracker {
        Tracker {
            shapes: Shapes::new(vm, rules, known),
            options,
            links: Layered::default(),
            parents: Parents::default(),
            classes: Vec::new(),
            threads: Threads::default(),
            touched: BTreeSet::new(),
            begun: false,
            forget_at: MANY_LINKS,
            scan: 0,
            found: Locations::default(),
            newcomers: None,
            newcomers_sum: 0,
            interval: 0,
        }
    }

    /// From now on remembers which objects join the state.
    pub fn note_newcomers(&mut self) {
        self.newcomers = Some(Layered::default());
        self.newcomers_sum = 0;
    }

    /// Before forks: what they share is in tables that none of them has to copy.
    pub fn forks_follow(&mut self) {
        self.links.forks_follow();
        self.newcomers.iter_mut().for_each(Layered::forks_follow);
    }

    /// In a forked process: leaves the pages alone that it shares with its parent.
    pub fn forked(&mut self) {
        self.links.forked();
        self.newcomers.iter_mut().for_each(Layered::forked);
    }

    /// Whether an object has joined the state since `note_newcomers`.
    pub fn is_newcomer(&self, o: ObjRef) -> bool {
        self.newcomers.as_ref().is_some_and(|new| new.contains_key(&o))
    }

    /// In which interval an object has joined the state, if that was since `note_newcomers`.
    pub fn joined(&self, o: ObjRef) -> Option<u32> {
        self.newcomers.as_ref()?.get(&o).copied()
    }

    /// The number of the interval that runs, or that ends.
    pub fn interval(&self) -> u32 {
        self.interval
    }

    pub fn interval_ended(&mut self) {
        self.interval += 1;
    }

    /// The objects that have joined the state since `note_newcomers`, by address.
    pub fn newcomers(&self) -> Vec<ObjRef> {
        let mut all: Vec<ObjRef> = self.newcomers.iter().flat_map(Layered::keys).collect();
        all.sort_unstable();
        all
    }

    /// Tells apart which objects have joined the state: their number and all their addresses in one.
    pub fn newcomers_digest(&self) -> u64 {
        self.newcomers_sum
    }

    /// An object joins the state.
    fn note_newcomer(&mut self, o: ObjRef) {
        if let Some(new) = &mut self.newcomers
            && new.insert(o, self.interval)
        {
            let mixed = (o.bits() + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.newcomers_sum = self.newcomers_sum.wrapping_add(mixed);
        }
    }

    /// The digest of what the static fields of a class lead to, of objects that have joined the state since `note_newcomers`.
    pub fn class_digest(&mut self, vm: &Vm, class: ClassId) -> u64 {
        let newcomers = self.newcomers.as_ref();
        let is_new = |o: ObjRef| newcomers.is_some_and(|new| new.contains_key(&o));
        canon::class_digest(View::now(vm), &mut self.shapes, class, &is_new)
    }

    /// Makes numbers of what places hold. New is what has joined the state since this interval, or since `note_newcomers`.
    pub fn with_digests<T>(&mut self, vm: &Vm, since: Option<u32>, work: impl FnOnce(Digests<'_>) -> T) -> T {
        let (links, newcomers) = (&self.links, self.newcomers.as_ref());
        let is_new = |o: ObjRef| match newcomers.and_then(|new| new.get(&o)) {
            Some(joined) => since.is_none_or(|since| *joined >= since),
            // What rules keep out of the state may be new, too.
            None => !links.contains_key(&o),
        };
        work(Digests::new(vm, &mut self.shapes, &is_new))
    }

    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Objects of the shared state, as far as is known.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Takes the state as it is now for the first one.
    pub fn begin(&mut self, vm: &mut Vm) {
        self.begun = true;
        self.shapes.chains.clear();
        self.classes = (0..vm.classes.len() as u32)
            .map(ClassId)
            .filter(|c| has_statics(vm, *c))
            .collect();
        for i in 0..self.classes.len() {
            self.watch_statics(vm, self.classes[i]);
        }
        self.threads = Threads::live(vm);
        self.build(vm);
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
        let mut join = Join::new(self);
        join.children(vm, mirror, false);
        join.run(vm);
    }

    /// Classes are gone. Nothing referred to them, so nobody can have seen their static fields since: they leave the state
    /// before, too, and that is no change.
    pub fn classes_unloaded(&mut self, gone: &[ClassId]) {
        for class in gone {
            self.shapes.forget(*class);
            self.touched.remove(class);
            if let Ok(at) = self.classes.binary_search(class) {
                self.classes.remove(at);
            }
        }
    }

    /// Walks everything as it is, those parts first that no rule hides.
    fn build(&mut self, vm: &mut Vm) {
        self.links.clear();
        self.parents.clear();
        let roots: Vec<ObjRef> = self.threads.list.clone();
        let mirrors: Vec<ObjRef> = self.classes.iter().map(|c| vm.mirror(*c)).collect();
        let mut join = Join::new(self);
        for thread in roots {
            join.reach(vm, ObjRef::NULL, thread, false);
        }
        for mirror in mirrors {
            join.children(vm, mirror, false);
        }
        join.run(vm);
    }

    /// What was done to the state since the last boundary.
    pub fn boundary<'t, 'v>(&'t mut self, vm: &'v mut Vm) -> Boundary<'t, 'v> {
        let changed: Vec<ObjRef> = vm
            .heap
            .log()
            .iter()
            .filter(|e| !e.fresh && vm.heap.contents(e.object) != e.old_bytes())
            .map(|e| e.object)
            .collect();
        self.shapes.chains.begin();
        let changes = match changed.is_empty() {
            true => Changes::default(),
            false => self.compare(vm, &changed),
        };
        Boundary {
            tracker: self,
            vm,
            changed,
            changes,
        }
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
            self.forget(*o);
        }
        for &o in changed {
            let hidden = match self.links.get(&o) {
                Some(link) => link.hidden,
                None if self.holder(vm, o).is_some() => false,
                None => continue,
            };
            let mut join = Join::new(self);
            join.new_children(vm, o, hidden);
            join.run(vm);
        }
        for o in fresh {
            if !self.links.contains_key(&o) {
                vm.heap.unwatch(o);
            }
        }
        self.shapes.chains.end(View::now(vm));
        vm.heap.clear_log();
        self.touched.clear();
        self.forget_dead(vm);
        self.found = Locations::default();
        let threads = Threads::live(vm);
        if threads.list != self.threads.list {
            for &thread in &threads.list {
                let mut join = Join::new(self);
                join.reach(vm, ObjRef::NULL, thread, false);
                join.run(vm);
            }
            self.threads = threads;
        }
    }

    /// An object is no part of the state any more.
    fn forget(&mut self, o: ObjRef) {
        self.links.remove(&o);
        self.parents.remove(o);
    }

    /// Drops the links to objects that are gone, now and then.
    fn forget_dead(&mut self, vm: &Vm) {
        if self.links.len() > self.forget_at {
            self.links.retain(|o| vm.heap.is_watched(*o));
            self.parents.forget_dead(&vm.heap);
            self.forget_at = self.links.len() * 2 + MANY_LINKS / 2;
        }
    }

    /// What kind of roots an object holds, if any.
    fn holder(&self, vm: &Vm, o: ObjRef) -> Option<Holder> {
        if vm.heap.class_of(o) == vm.known.class {
            let class = vm.class_of_mirror(o);
            return self
                .classes
                .binary_search(&class)
                .is_ok()
                .then_some(Holder::Class(class));
        }
        self.threads.set.contains_key(&o).then_some(Holder::Thread)
    }

    /// The root that leads to an object of the state before, none for a class's mirror, and the rule that hides it; none if
    /// it is not known to belong to the state.
    pub(crate) fn root_of(&mut self, vm: &Vm, o: ObjRef) -> Option<(Option<Root>, Option<RuleNo>)> {
        match self.locate(vm, o) {
            locate::Whereabouts::Known(located) => Some((located.root, located.rule)),
            locate::Whereabouts::Gone => None,
        }
    }

    /// Whether an object belonged to the state before; to be asked before the next state begins.
    pub(crate) fn knew(&self, o: ObjRef) -> bool {
        self.links.contains_key(&o)
    }

    /// Whether the links by which an object was reached before still lead to it.
    pub(crate) fn still_holds(&mut self, vm: &Vm, o: ObjRef) -> bool {
        self.is_held_now(vm, o)
    }

    /// Where an object of the state before still stands.
    pub(crate) fn place_now(&mut self, vm: &Vm, o: ObjRef) -> Option<(Root, Path)> {
        let objects = self.path_now(vm, o)?;
        self.path_through(View::now(vm), &objects)
    }

    /// The classes whose static fields count as roots.
    fn compared_classes(&self) -> Vec<ClassId> {
        let common = self.options.common_roots;
        let counts = |c: &&ClassId| !common || !self.touched.contains(c);
        self.classes.iter().filter(counts).copied().collect()
    }

    /// The digests of the state before and now.
    pub fn digests(&mut self, vm: &Vm) -> (Digest, Digest) {
        let classes = self.compared_classes();
        let roots = Roots {
            threads: &self.threads.list,
            classes: &classes,
        };
        let before = canon::digest(View::before(vm), &mut self.shapes, &roots);
        let now = canon::digest(View::now(vm), &mut self.shapes, &roots);
        (before, now)
    }

    /// The whole state before and now.
    pub fn snapshots(&mut self, vm: &Vm) -> (Snapshot, Snapshot) {
        let classes = self.compared_classes();
        let roots = Roots {
            threads: &self.threads.list,
            classes: &classes,
        };
        let hidden = self.options.show_hidden;
        let before = snapshot(View::before(vm), &mut self.shapes, &roots, hidden);
        let now = snapshot(View::now(vm), &mut self.shapes, &roots, hidden);
        (before, now)
    }
}

/// What stood and stands in a field.
pub(crate) fn slots_of(vm: &Vm, o: ObjRef, field: &Field) -> (Slot, Slot) {
    let slot = |view: View<'_>| field.slot(&view.object(o));
    (slot(View::before(vm)), slot(View::now(vm)))
}
