//! The shared state as it goes from test to test: which objects belong to it, how each is reached, and what a stretch
//! of execution did to it.
//!
//! One walk at the start watches every object that static fields and thread-locals reach and remembers through which
//! object it was reached first, and one other that refers to it. From then on the log of the write barrier says what was
//! written: only written objects are looked at, and what they came to refer to joins the state. An object that is no
//! longer reached stays watched until it is written and its remembered ways turn out to be gone; where there may be a
//! third, the walk is made again.

mod compare;
mod join;
mod locate;
mod sharing;
mod stale;

use crate::canon::{self, Digest, Roots};
use crate::content::Slot;
use crate::diff::Difference;
use crate::dump::Snapshot;
use crate::rules::RuleSet;
use crate::shape::{Field, RuleNo, Shapes, has_statics};
use crate::snapshot::snapshot;
use crate::view::View;
use join::Join;
use locate::Whereabouts;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};

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
    /// A value of a ThreadLocal that is gone.
    pub stale: bool,
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
    /// Our fault: what was found cannot be all.
    pub fault: Option<String>,
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
            threads: &self.threads,
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
            threads: &self.threads,
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

fn live_threads(vm: &Vm) -> Vec<ObjRef> {
    let live = vm.threads.list.iter().filter(|t| !t.frames.is_empty());
    live.map(|t| t.object).filter(|o| !o.is_null()).collect()
}
