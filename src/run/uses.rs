//! What a worker's result depends on: noted in the worker, and collected by the supervisor for as long as somebody wants it.

use poldet_records::{Event, Used};
use poldet_vm::ids::ClassId;
use poldet_vm::plug::Part;
use poldet_vm::vm::Vm;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// In the worker: the classes whose code may have run.
#[derive(Default)]
pub struct Uses {
    classes: BTreeSet<String>,
    /// How often the collector had run the last time.
    collections: u64,
}

impl Part for Uses {
    fn class_initializing(&mut self, vm: &mut Vm, class: ClassId) {
        let name = vm.class_name(class);
        if !self.classes.contains(name) {
            self.classes.insert(name.to_owned());
        }
    }
}

/// From now on the VM notes what it uses.
pub fn attach(vm: &mut Vm) {
    vm.host.fs.log_used();
    vm.plug.attach(Uses::default());
}

/// What was used since the last time; nothing where nobody wants to know.
pub fn take(vm: &mut Vm) -> Option<Event> {
    let files = vm.host.fs.take_used()?;
    let noted = vm.with_part(|uses: &mut Uses, vm| {
        let before = std::mem::replace(&mut uses.collections, vm.collections);
        (std::mem::take(&mut uses.classes), before != vm.collections)
    });
    let (classes, collected) = noted.unwrap_or_default();
    let texts = |paths: BTreeSet<Vec<u8>>| {
        let text = |path: Vec<u8>| String::from_utf8_lossy(&path).into_owned();
        paths.into_iter().map(text).collect()
    };
    let used = Box::new(Used {
        paths: texts(files.asked),
        listed: texts(files.listed),
        classes,
        start: String::new(),
        collected,
        programs: vm.host.processes.started() > 0,
    });
    Some(Event::Used { used })
}

/// In the supervisor: what all workers used, and whether all of them said so.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    pub used: Used,
    /// A worker ended without a word about it.
    pub unknown: bool,
}

static COLLECTED: Mutex<Option<Collected>> = Mutex::new(None);

fn collected() -> MutexGuard<'static, Option<Collected>> {
    COLLECTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to collect.
pub fn collect() {
    *collected() = Some(Collected::default());
}

/// Ends collecting.
pub fn end() -> Option<Collected> {
    collected().take()
}

/// What a worker reports.
pub fn note(event: &Event) {
    if let Event::Used { used } = event
        && let Some(all) = collected().as_mut()
    {
        all.used.add(used);
    }
}

/// A worker ended that did not say what it used.
pub fn note_unknown() {
    if let Some(all) = collected().as_mut() {
        all.unknown = true;
    }
}
