//! Values of ThreadLocals that are gone: where nothing but the thread's own table leads to a ThreadLocal, no program can ask
//! for its value any more, and the collector may drop it.

use super::join::gather;
use super::{Changes, Tracker};
use crate::content::{Entry, Items, content};
use crate::place::{Key, Path, Root, Step};
use crate::shape::Part;
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// The fields of a thread that hold its values.
const TABLES: [&str; 2] = ["threadLocals", "inheritableThreadLocals"];

/// The ThreadLocal whose value a path leads to, and the steps that follow.
pub(super) fn thread_local_of(path: &Path) -> Option<(ObjRef, Vec<Step>)> {
    let steps = path.steps();
    let is_table = |s: &Step| matches!(s, Step::Field(name) if TABLES.contains(name));
    let at = steps.iter().position(is_table)?;
    match &steps[at + 1..] {
        [Step::Key(Key { object, .. }), rest @ ..] => Some((*object, rest.to_vec())),
        _ => None,
    }
}

impl Tracker {
    /// What the running thread keeps for ThreadLocals that are gone shows nowhere.
    pub(super) fn hide_stale_locals(&mut self, vm: &Vm, changed: &[ObjRef], changes: &mut Changes) {
        let thread = vm.thread_object();
        let mut stale: Option<FixedMap<ObjRef, ()>> = None;
        for change in &mut changes.list {
            if change.at.root != Root::Thread(thread) || !change.observable {
                continue;
            }
            if let Some((local, _)) = thread_local_of(&change.difference.path) {
                let stale = stale.get_or_insert_with(|| self.stale_locals(vm, thread, changed));
                change.stale = stale.contains_key(&local);
            }
        }
    }

    /// The entries of a thread's tables.
    pub(crate) fn thread_locals(&mut self, view: View<'_>, thread: ObjRef) -> Vec<Entry> {
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

    /// The ThreadLocals that only the thread's tables lead to. New objects can be reached through what was written alone, so
    /// only those are walked; what belonged to the state before is asked for its links.
    fn stale_locals(&mut self, vm: &Vm, thread: ObjRef, changed: &[ObjRef]) -> FixedMap<ObjRef, ()> {
        let view = View::now(vm);
        let mut pending = self.thread_locals(view, thread);
        let mut reached: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut queue: Vec<ObjRef> = changed
            .iter()
            .copied()
            .filter(|o| self.links.contains_key(o) || self.holder(vm, *o).is_some())
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
        pending.iter().map(|entry| (entry.key, ())).collect()
    }

    /// An object that belonged to the state before.
    fn is_known(&self, vm: &Vm, o: ObjRef) -> bool {
        self.links.contains_key(&o) && vm.heap.is_watched(o) && !vm.heap.logged(o).is_some_and(|l| l.fresh)
    }

    /// Whether something else than one table's entry has been seen to refer to an object of the state before.
    fn is_held(&mut self, vm: &Vm, o: ObjRef) -> bool {
        if !self.is_known(vm, o) {
            return false;
        }
        let Some(link) = self.links.get(&o).copied() else {
            return false;
        };
        link.shared || link.parent.is_null() || !self.is_local(vm, link.parent)
    }

    /// An entry of some thread's table.
    fn is_local(&mut self, vm: &Vm, o: ObjRef) -> bool {
        self.shapes.of_object(vm, o).part == Some(Part::ThreadLocal)
    }
}
