//! Collection as the VM sees it: roots in, references to enqueue out. Runs only at the loop's safepoints.

use crate::ids::{MethodId, ObjRef};
use crate::interp::frame::Frame;
use crate::interp::stubs;
use crate::interp::threads::Thread;
use crate::link::lower::ref_map;
use crate::vm::Vm;

impl Vm {
    /// Collects now. With `clear_soft`, or when memory gets tight, soft references go too; a program that asks for a
    /// collection keeps them.
    pub(crate) fn collect(&mut self, clear_soft: bool) {
        let clear_soft = clear_soft || self.heap.is_tight() && !self.gc_requested;
        self.gc_requested = false;
        let roots = self.roots();
        self.heap.begin_collection();
        self.heap.mark_roots(&roots);
        self.heap.trace(clear_soft);
        let pending = self.follow_classes();
        let heap = &self.heap;
        self.strings.retain(|s| heap.is_marked(s));
        self.identities.retain(|object| heap.is_marked(object));
        if let Some(throws) = &mut self.throws {
            throws.sweep(|object| heap.is_marked(object));
        }
        self.links.sweep_names(|name| heap.is_marked(name));
        let unloaded = self.unload();
        self.heap.sweep();
        if !unloaded.is_empty() {
            self.tell(|part, _| part.classes_unloaded(&unloaded));
        }
        self.collections += 1;
        if !pending.is_empty() {
            self.pending_references.extend(pending);
            self.wake_reference_handler();
        }
    }

    /// Asks for a collection at the next safepoint.
    pub fn request_gc(&mut self) {
        self.gc_requested = true;
        self.end_slice();
    }

    fn roots(&mut self) -> Vec<ObjRef> {
        let mut roots = Vec::with_capacity(4096);
        self.standing_roots(&mut roots);
        for t in 0..self.threads.list.len() {
            thread_roots(&self.threads.list[t], &mut roots);
            for i in 0..self.threads.list[t].frames.len() {
                self.frame_roots(t, i, &mut roots);
            }
        }
        roots
    }

    /// What the VM refers to outside of threads. Every field is named, so that a new one does not compile before it is
    /// said here whether it refers to objects.
    fn standing_roots(&self, roots: &mut Vec<ObjRef>) {
        let Vm {
            classes,
            loaders,
            modules,
            pinned,
            pending_references,
            oom_instance,
            // The log of writes has roots of its own, which count last.
            heap: _,
            // Each thread and each frame is asked for its own.
            threads: _,
            // Interned strings, and objects that have an identity hash, are held weakly.
            strings: _,
            identities: _,
            // What is linked, instrumented or refused refers to objects that are pinned, or is held weakly.
            links: _,
            instrument: _,
            libraries: _,
            verifications: _,
            methods: _,
            ref_maps: _,
            jit: _,
            // Handed on at once: no safepoint lies between.
            host_result: _,
            left: _,
            next: _,
            // The embedder keeps what it refers to alive by itself (`pinned`).
            plug: _,
            // No references to objects.
            config: _,
            syms: _,
            image: _,
            patches: _,
            hot: _,
            fields: _,
            known: _,
            natives: _,
            host: _,
            fit_slots: _,
            slot_types: _,
            constraints: _,
            interface_cache: _,
            interface_count: _,
            free_interfaces: _,
            unloaded_classes: _,
            recent_offsets: _,
            switches: _,
            offset_cache: _,
            boot_cache: _,
            archived_names: _,
            initialized: _,
            signal_handlers: _,
            gc_requested: _,
            last_full: _,
            collections: _,
            ticks: _,
            slice_start: _,
            lacking: _,
            handlers: _,
            frames: _,
            limit: _,
            embedder_classes: _,
            main_failed: _,
            // Its objects are held weakly.
            throws: _,
            asserts: _,
        } = self;
        for class in classes.iter().filter(|c| !c.mortal) {
            roots.extend([class.mirror, class.protection_domain, class.signers]);
        }
        // Old bodies, which nobody finds by their class; what is mortal otherwise is met on the way (`unload.rs`).
        for class in classes.iter().filter(|c| c.mortal && c.version_of.is_some()) {
            self.class_edges(class, roots);
        }
        roots.extend(loaders.list.iter().filter(|l| !l.mortal).map(|l| l.object));
        roots.extend(&modules.all);
        roots.extend([modules.java_base, modules.boot_unnamed, *oom_instance]);
        roots.extend(pinned);
        roots.extend(pending_references);
    }

    fn frame_roots(&mut self, thread: usize, index: usize, roots: &mut Vec<ObjRef>) {
        let frames = &self.threads.list[thread].frames;
        let frame: &Frame = &frames[index];
        roots.push(frame.lock);
        // What runs stays.
        if let Some(method) = self.methods.get(frame.method.index())
            && self.class(method.class).mortal
        {
            roots.push(self.mirror(method.class));
        }
        if let Some(cont) = &frame.cont {
            let done = cont.done.map(|d| match d {
                crate::stop::Completion::Value(v) => v,
                crate::stop::Completion::Thrown(e) => e.bits(),
            });
            let candidates = cont.state.iter().copied().chain(done);
            roots.extend(candidates.filter_map(|bits| self.possible_object(bits)));
            return;
        }
        let base = frame.base as usize;
        let m = frame.method;
        let pc = frame.pc;
        let stubs = [
            stubs::NATIVE.as_ptr(),
            stubs::LOWER.as_ptr(),
            stubs::ENTER.as_ptr(),
            stubs::INVALID.as_ptr(),
        ];
        let regs = &self.threads.list[thread].regs;
        if stubs.contains(&pc) {
            let n = usize::from(self.method(m).arg_slots);
            roots.extend((0..n).filter_map(|i| self.possible_object(regs.get(base + i))));
            return;
        }
        // A call under way has handed its arguments to the callee; an instruction that will run again has not.
        let in_call = frames.get(index + 1).is_some_and(|above| above.cont.is_none());
        let bci = self.bci_of(self.method(m), pc);
        let map = self.reference_map(m, bci, in_call);
        let regs = &self.threads.list[thread].regs;
        roots.extend(
            map.iter()
                .filter_map(|r| self.possible_object(regs.get(base + usize::from(*r)))),
        );
    }

    /// A register the map calls a reference may still be stale when its value was never materialised.
    fn possible_object(&self, bits: u64) -> Option<ObjRef> {
        if bits == 0 || bits > u64::from(u32::MAX) {
            return None;
        }
        let object = ObjRef::from_bits(bits);
        self.heap.is_object(object).then_some(object)
    }

    fn reference_map(&mut self, m: MethodId, bci: u16, in_call: bool) -> std::rc::Rc<[u16]> {
        if let Some(map) = self.ref_maps.get(&(m, bci, in_call)) {
            return map.clone();
        }
        let method = self.method(m);
        let map = self
            .code_file(method.class)
            .and_then(|file| ref_map(file, &file.methods[usize::from(method.slot)], bci, in_call).ok());
        let map: std::rc::Rc<[u16]> = match map {
            Some(map) => map.regs.into(),
            // Cannot happen for lowered code; then every register counts.
            None => (0..self.hot[m.index()].regs as u16).collect(),
        };
        self.ref_maps.insert((m, bci, in_call), map.clone());
        map
    }
}

/// What a thread refers to outside of its frames. Every field is named, as those of the VM are.
fn thread_roots(thread: &Thread, roots: &mut Vec<ObjRef>) {
    let Thread {
        object,
        death,
        waiting,
        scoped_values,
        // Scanned one by one, with their registers.
        frames: _,
        regs: _,
        max_frames: _,
        // The monitor is in a register of the frame that waits for it, too.
        granted: _,
        id: _,
        status: _,
        daemon: _,
        permit: _,
        woken: _,
        blocked_at: _,
        missed: _,
        suspended: _,
        // Methods, not objects.
        started_at: _,
        behalf: _,
    } = thread;
    roots.extend([*object, *death, *scoped_values]);
    roots.extend(waiting.map(|w| w.object));
}
