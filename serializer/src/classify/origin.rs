//! Whose a class is, and whose frames are in the stack of a write.

use crate::finding::{Frame, Origin};
use poldet_vm::heap::Site;
use poldet_vm::ids::ClassId;
use poldet_vm::interp::stubs;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// Frames shown of a write's stack when no frame of the suite is in it.
const MOST_FRAMES: usize = 40;

/// Whether a class file, by its path, belongs to what was given to be tested.
pub type Suite = Box<dyn Fn(&str) -> bool>;

pub struct Origins {
    suite: Suite,
    /// Whether a class file stands anywhere on the class path, where that is known.
    on_path: Option<Suite>,
    known: FixedMap<ClassId, Origin>,
    generated: FixedMap<ClassId, bool>,
}

impl Origins {
    pub fn new(suite: Suite, on_path: Option<Suite>) -> Origins {
        Origins {
            suite,
            on_path,
            known: FixedMap::default(),
            generated: FixedMap::default(),
        }
    }

    /// Whether a class was made at run time: it is none of the JDK, and no file of the class path has it.
    pub fn is_generated(&mut self, vm: &Vm, class: ClassId) -> bool {
        let Some(on_path) = &self.on_path else {
            return false;
        };
        if let Some(known) = self.generated.get(&class) {
            return *known;
        }
        let name = vm.class_name(class);
        let hidden = name.contains("+0x") || name.contains("$$Lambda");
        let made = !vm.is_jdk_class(class) && !hidden && !on_path(&format!("{name}.class"));
        self.generated.insert(class, made);
        made
    }

    pub fn origin(&mut self, vm: &Vm, class: ClassId) -> Origin {
        if let Some(known) = self.known.get(&class) {
            return *known;
        }
        let origin = self.find(vm, class);
        self.known.insert(class, origin);
        origin
    }

    fn find(&self, vm: &Vm, class: ClassId) -> Origin {
        if vm.is_jdk_class(class) {
            return Origin::Jdk;
        }
        // A hidden class stands in no file; its host does.
        let name = vm.class_name(class);
        let name = name.split("+0x").next().unwrap_or(name);
        let name = name.split("$$Lambda").next().unwrap_or(name);
        match (self.suite)(&format!("{name}.class")) {
            true => Origin::Suite,
            false => Origin::Library,
        }
    }

    /// A recorded stack down to the last frame of the suite; what called that is JUnit's.
    pub fn frames(&mut self, vm: &Vm, sites: &[Site]) -> Vec<Frame> {
        let visible = sites.iter().filter(|s| !vm.method(s.method).traits.hidden);
        let shown: Vec<(&Site, Origin)> = visible
            .map(|s| (s, self.origin(vm, vm.method(s.method).class)))
            .collect();
        let last = shown.iter().rposition(|(_, origin)| *origin == Origin::Suite);
        let count = last.map_or(MOST_FRAMES, |last| last + 1);
        let shown = shown.into_iter().take(count);
        shown.map(|(site, origin)| frame(vm, site, origin)).collect()
    }
}

fn frame(vm: &Vm, site: &Site, origin: Origin) -> Frame {
    let method = vm.method(site.method);
    let class = vm.class(method.class);
    let native = site.pc == stubs::NATIVE.as_ptr() as usize || method.is_native();
    let bci = vm.bci_of(method, site.pc as *const _);
    let line = vm.line_at(method, bci).filter(|_| !native);
    Frame {
        class: vm.java_name(method.class),
        method: vm.syms.str(method.name).to_owned(),
        file: class.source_file.map(|s| vm.syms.str(s).to_owned()),
        line: line.map(u32::from),
        origin: Some(origin),
    }
}
