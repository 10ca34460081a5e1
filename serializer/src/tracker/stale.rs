//! Values of ThreadLocals that are gone: where nothing but the thread's own table leads to a ThreadLocal, no program can ask
//! for its value any more, and the collector may drop it.

use super::join::gather;
use super::{Changes, Root, Tracker};
use crate::content::{Entry, Items, content};
use crate::diff::{Edge, Path};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::BTreeSet;

const TABLES: [&str; 2] = ["threadLocals", "inheritableThreadLocals"];

/// How the ThreadLocal reads whose value a path leads to, and what follows.
pub(super) fn local_of(path: &Path) -> Option<(String, Vec<Edge>)> {
    let edges = path.edges();
    let is_table = |e: &Edge| matches!(e, Edge::Field(name) if TABLES.contains(name));
    let at = edges.iter().position(is_table)?;
    match &edges[at + 1..] {
        [Edge::Key(key), rest @ ..] => Some((key.clone(), rest.to_vec())),
        _ => None,
    }
}

impl Tracker {
    /// What the running thread keeps for ThreadLocals that are gone shows nowhere.
    pub(super) fn hide_stale_locals(&mut self, vm: &Vm, changed: &[ObjRef], changes: &mut Changes) {
        let thread = vm.thread_object();
        let mut stale: Option<BTreeSet<String>> = None;
        for change in &mut changes.list {
            let of_thread = matches!(change.root, Root::Thread { .. }) && change.way.first() == Some(&thread);
            if !of_thread || !change.observable {
                continue;
            }
            if let Some((key, _)) = local_of(&change.difference.path) {
                let stale = stale.get_or_insert_with(|| self.stale_locals(vm, thread, changed));
                change.stale = stale.contains(&key);
            }
        }
    }

    /// The entries of a thread's tables.
    pub(super) fn locals(&mut self, view: View<'_>, thread: ObjRef) -> Vec<Entry> {
        let shape = self.shapes.of_object(view.vm, thread);
        let tables = TABLES
            .iter()
            .filter_map(|table| shape.off(table).map(|off| view.object(thread).reference(off)));
        let mut all = Vec::new();
        for table in tables.filter(|t| !t.is_null()) {
            if let Items::Map { entries, .. } = content(view, &mut self.shapes, table).items {
                all.extend(entries);
            }
        }
        all
    }

    /// How the ThreadLocals read that only the thread's tables lead to. New objects can be reached through what was
    /// written alone, so only those are walked; what belonged to the state before is asked for its ways.
    fn stale_locals(&mut self, vm: &Vm, thread: ObjRef, changed: &[ObjRef]) -> BTreeSet<String> {
        let view = View::now(vm);
        let mut pending = self.locals(view, thread);
        let keys: Vec<ObjRef> = pending.iter().map(|e| e.key).collect();
        let mut reached: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut queue: Vec<ObjRef> = changed
            .iter()
            .copied()
            .filter(|o| self.ways.contains_key(o) || self.is_root(vm, *o))
            .collect();
        let mut buffer = Vec::new();
        loop {
            while let Some(o) = queue.pop() {
                buffer.clear();
                gather(view, &mut self.shapes, o, &mut buffer);
                for &(child, _) in &buffer {
                    if !self.is_known(vm, child)
                        && !self.is_local(vm, child)
                        && reached.insert(child, ()).is_none()
                    {
                        queue.push(child);
                    }
                }
            }
            // A value is there for those who have its key.
            pending.retain(|entry| {
                let live = reached.contains_key(&entry.key) || self.is_held(vm, entry.key);
                if live && !entry.value.is_null() && !self.is_known(vm, entry.value) {
                    reached.insert(entry.value, ());
                    queue.push(entry.value);
                }
                !live
            });
            if queue.is_empty() {
                break;
            }
        }
        let gone: Vec<ObjRef> = pending.iter().map(|e| e.key).collect();
        let mut texts = |keys: &mut dyn Iterator<Item = ObjRef>| -> BTreeSet<String> {
            let texts = keys.filter_map(|key| match self.key(view, key) {
                Edge::Key(text) => Some(text),
                _ => None,
            });
            texts.collect()
        };
        let live = texts(&mut keys.into_iter().filter(|k| !gone.contains(k)));
        let gone = texts(&mut gone.iter().copied());
        // Two may read alike.
        gone.difference(&live).cloned().collect()
    }

    /// An object that belonged to the state before.
    fn is_known(&self, vm: &Vm, o: ObjRef) -> bool {
        self.ways.contains_key(&o) && vm.heap.is_watched(o) && !vm.heap.logged(o).is_some_and(|l| l.fresh)
    }

    /// Whether something else than one table's entry has been seen to refer to an object of the state before.
    fn is_held(&mut self, vm: &Vm, o: ObjRef) -> bool {
        if !self.is_known(vm, o) {
            return false;
        }
        let Some(way) = self.ways.get(&o).copied() else {
            return false;
        };
        way.shared || way.parent.is_null() || !self.is_local(vm, way.parent)
    }

    /// An entry of some thread's table.
    fn is_local(&mut self, vm: &Vm, o: ObjRef) -> bool {
        self.shapes.of_object(vm, o).name == "java/lang/ThreadLocal$ThreadLocalMap$Entry"
    }
}
