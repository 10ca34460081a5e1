//! Class unloading: a loader that nothing refers to goes, with its classes, their mirrors and their static fields.
//!
//! Classes of the JDK's own loaders stay. All others are *mortal*: their mirrors are no roots of the collector. An instance, a
//! frame that runs, an exception whose backtrace names it, and whatever refers to the mirror or to the loader, keep a class; a
//! class keeps its loader, and that all classes which it has defined or passed on. A hidden class that is not tied to its loader is on
//! its own. What a class refers to by number (superclass, resolved constants) or by its code (`pins`) is marked when
//! marking meets its mirror.
//!
//! Numbers of classes, methods and fields are not given again: caches and compiled code may still compare with them, in vain. What
//! is left of a class is its name and its class file, which is read once for all classes of the same bytes.

use crate::classes::class::{Class, CpEntry, InitState};
use crate::heap::Heap;
use crate::ids::{ClassId, LoaderId, MethodId, ObjRef};
use crate::interp::stubs;
use crate::vm::Vm;

impl Vm {
    /// Keeps an object as long as a class, whose code or constants refer to it.
    pub(crate) fn pin(&mut self, class: ClassId, object: ObjRef) {
        let class = self.class(class).version_of.unwrap_or(class);
        if self.class(class).mortal {
            self.class_mut(class).pins.push(object);
        } else {
            self.pinned.push(object);
        }
    }

    /// What a class record refers to, beside what its mirror does.
    pub(crate) fn class_edges(&self, class: &Class, into: &mut Vec<ObjRef>) {
        edges(&self.classes, &self.fields, &self.methods, class, into);
    }

    /// Marks what mortal classes keep alive, processes references in between, and keeps the state before at last; answers the references
    /// that are to be enqueued.
    pub(crate) fn follow_classes(&mut self) -> Vec<ObjRef> {
        let Vm {
            heap,
            classes,
            fields,
            methods,
            loaders,
            known,
            ..
        } = self;
        let mut seen = vec![false; loaders.list.len()];
        let mut follow = |heap: &mut Heap| {
            loop {
                let mut found = Vec::new();
                for mirror in heap.take_met() {
                    let id = ClassId(heap.get_u32(mirror, known.class_vm_id));
                    edges(classes, fields, methods, &classes[id.index()], &mut found);
                }
                for (loader, seen) in loaders.list.iter().zip(&mut seen) {
                    if loader.mortal && !*seen && heap.is_marked(loader.object) {
                        *seen = true;
                        found.extend(&loader.pins);
                        let mut own: Vec<ClassId> = loader.classes.iter().map(|(_, c)| *c).collect();
                        own.sort_unstable();
                        found.extend(own.iter().map(|c| classes[c.index()].mirror));
                    }
                }
                if found.is_empty() {
                    return;
                }
                heap.mark_roots(&found);
                heap.trace_on();
            }
        };
        follow(heap);
        let pending = heap.process_references(&mut follow);
        heap.mark_log();
        follow(heap);
        heap.clean_log();
        pending
    }

    /// Takes down what was not reached; between marking and sweeping. Answers the classes that are gone.
    pub(crate) fn unload(&mut self) -> Vec<ClassId> {
        let mut gone = false;
        for loader in self.loaders.list.iter_mut().filter(|l| l.mortal) {
            if !loader.object.is_null() && !self.heap.is_marked(loader.object) {
                gone = true;
                loader.object = ObjRef::NULL;
                loader.classes = Default::default();
                loader.pins = Vec::new();
            }
        }
        let dead = self.heap.take_dead_mirrors();
        let id = |mirror: &ObjRef| ClassId(self.heap.get_u32(*mirror, self.known.class_vm_id));
        let dead: Vec<ClassId> = dead.iter().map(id).collect();
        for &class in &dead {
            self.take_down(class);
        }
        if gone || !dead.is_empty() {
            self.unloaded_classes += dead.len() as u64;
            self.sweep_tables();
        }
        dead
    }

    fn take_down(&mut self, id: ClassId) {
        let keeps_code = !self.plug.is_empty();
        let class = &mut self.classes[id.index()];
        let methods = std::mem::take(&mut class.methods);
        if class.is_interface() {
            self.free_interfaces.push(class.interface_no);
        }
        let gone = Class {
            access: class.access,
            super_class: None,
            file: class.file,
            source_file: class.source_file,
            hidden: class.hidden,
            state: InitState::Loaded,
            mortal: true,
            unloaded: true,
            ..Class::new(id, class.name, class.loader, class.kind, class.package)
        };
        *class = gone;
        self.heap.forget_class(id);
        for m in methods {
            self.forget_compiled(m);
            let hot = &mut self.hot[m.index()];
            (hot.code, hot.leaf, hot.accessor) = (stubs::INVALID.as_ptr(), None, 0);
            // Recorded stacks name places in the code.
            if !keeps_code {
                let method = &mut self.methods[m.index()];
                (method.ops, method.bcis) = Default::default();
                (method.handlers, method.switches) = Default::default();
                method.invalid = None;
            }
        }
    }

    /// Drops what tables have for classes and loaders that are gone.
    fn sweep_tables(&mut self) {
        let Vm {
            heap,
            classes,
            methods,
            loaders,
            modules,
            links,
            constraints,
            interface_cache,
            slot_types,
            ref_maps,
            verifications,
            instrument,
            ..
        } = self;
        let class_lives = |c: ClassId| classes.get(c.index()).is_some_and(|c| !c.unloaded);
        let method_lives = |m: MethodId| methods.get(m.index()).is_none_or(|m| class_lives(m.class));
        let loader_lives = |l: LoaderId| l == LoaderId::BOOT || !loaders.list[l.index()].object.is_null();
        links.sweep(method_lives, class_lives, loader_lives);
        constraints.sweep(loader_lives, class_lives);
        modules.sweep(|module| heap.is_marked(module), loader_lives);
        interface_cache
            .retain(|(class, m), target| class_lives(*class) && method_lives(*m) && method_lives(*target));
        slot_types.retain(|(class, ..), ty| class_lives(*class) && ty.is_none_or(class_lives));
        ref_maps.retain(|(m, ..), _| method_lives(*m));
        verifications.sweep(class_lives);
        instrument.bases.retain(|class, _| class_lives(*class));
    }
}

fn edges(
    classes: &[Class],
    fields: &[crate::classes::class::Field],
    methods: &[crate::classes::class::Method],
    class: &Class,
    into: &mut Vec<ObjRef>,
) {
    into.extend([class.protection_domain, class.signers]);
    into.extend(&class.pins);
    if let InitState::Failed(cause) = class.state {
        into.push(cause);
    }
    let named = class.cp.iter().filter_map(|entry| match entry {
        CpEntry::Class(c) => Some(*c),
        CpEntry::Field(f) => Some(fields[f.index()].class),
        CpEntry::Method(m) => Some(methods[m.index()].class),
        CpEntry::Unresolved | CpEntry::Value(_) | CpEntry::Failed(_) => None,
    });
    let above = class.super_class.into_iter().chain(class.nest_host);
    let all = named.chain(above).chain(class.array);
    let all = all.chain(class.interfaces.iter().copied());
    let mortal = all.map(|c| &classes[c.index()]).filter(|c| c.mortal);
    into.extend(mortal.map(|c| c.mirror));
}
