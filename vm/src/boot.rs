//! Booting the JDK's class library, and running a program on it, in the order HotSpot does it.

use crate::classes::class::acc;
use crate::classes::known::Known;
use crate::classes::loader::{Loaders, prim_index};
use crate::classfile::descriptor::Prim;
use crate::heap::Heap;
use crate::host::{Host, HostOptions};
use crate::ids::{ClassId, LoaderId, MethodId, ObjRef, ThreadId};
use crate::interp::slow::Exit;
use crate::interp::threads::{Status, Threads};
use crate::jar::Jar;
use crate::jimage::JImage;
use crate::natives::{Native, Tables};
use crate::stop::{Completion, Stop};
use crate::sym::{FixedMap, Symbols};
use crate::vm::{Config, NativeIndex, Vm};
use std::path::Path;

/// How a program ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this exit status.
    Status(i32),
    /// All threads wait for each other; the report says who for whom.
    Deadlock(String),
    /// The embedder's deadline has come; the report says where every thread was.
    TimedOut(String),
    /// Our limit.
    Unsupported(String),
    /// Our fault.
    Bug(String),
}

impl From<Exit> for Ended {
    fn from(exit: Exit) -> Ended {
        match exit {
            Exit::Exit(status) => Ended::Status(status),
            Exit::Deadlock(report) => Ended::Deadlock(report),
            Exit::TimedOut(report) => Ended::TimedOut(report),
            Exit::Unsupported(what) => Ended::Unsupported(what),
            Exit::Bug(what) => Ended::Bug(what),
            Exit::Finished | Exit::Returned(_) => Ended::Status(0),
        }
    }
}

/// What the host wants to run.
pub enum Program<'a> {
    Class(&'a str),
    Jar(&'a str),
}

/// Is there room for a heap and a thread's stack of these sizes? Whoever is refused here need not start a VM.
pub fn check_limits(max_heap: u64, stack_size: u64) -> Result<(), String> {
    let mb = |bytes: u64| bytes.div_ceil(1 << 20);
    let heap = Heap::new(max_heap);
    let heap = heap.map_err(|why| {
        let size = mb(max_heap);
        format!("no room for a heap of {size} MB ({why}): raise the limit (ulimit -v) or give a smaller -Xmx")
    })?;
    let stack = Threads::check_stack(stack_size).map_err(|why| {
        let size = mb(stack_size);
        format!(
            "no room for a stack of {size} MB ({why}): raise the limit (ulimit -v) or give a smaller -Xss"
        )
    });
    drop(heap);
    stack
}

impl Vm {
    /// A VM with the class library booted, ready to run a program.
    pub fn boot(config: Config, host: HostOptions) -> Result<Vm, Ended> {
        let mut vm = Vm::bare(config, host).map_err(Ended::Bug)?;
        vm.load_first_classes().map_err(stop_ended)?;
        vm.init_library()?;
        Ok(vm)
    }

    fn bare(config: Config, host: HostOptions) -> Result<Vm, String> {
        let image = JImage::open(&config.java_home.join("lib/modules"))?;
        let patches = Jar::from_bytes(Path::new("patches.jar"), poldet_jdk_stubs::JAR)?;
        let heap = Heap::new(config.max_heap)?;
        let threads = Threads::new(config.stack_size, config.seed);
        let jit = crate::jit::Jit::new(config.compile, &heap);
        let identities = crate::identity::Identities::new(config.seed);
        Ok(Vm {
            jit,
            syms: Symbols::default(),
            heap,
            image: Box::leak(Box::new(image)),
            patches,
            classes: Vec::with_capacity(4096),
            methods: Vec::with_capacity(65536),
            hot: Vec::with_capacity(65536),
            fields: Vec::with_capacity(16384),
            loaders: Loaders::default(),
            slot_types: Default::default(),
            constraints: Default::default(),
            modules: Default::default(),
            threads,
            strings: Default::default(),
            identities,
            known: Known::default(),
            natives: native_index(config.natives),
            host: Host::new(host),
            pinned: Vec::new(),
            pending_references: Vec::new(),
            interface_cache: FixedMap::default(),
            interface_count: 0,
            recent_offsets: Box::new([None; crate::alloc::OFFSET_SLOTS]),
            offset_cache: FixedMap::default(),
            boot_cache: FixedMap::default(),
            oom_instance: ObjRef::NULL,
            archived_names: None,
            initialized: false,
            links: Default::default(),
            signal_handlers: FixedMap::default(),
            host_result: None,
            ref_maps: FixedMap::default(),
            gc_requested: false,
            last_full: None,
            collections: 0,
            ticks: 0,
            slice_start: 0,
            lacking: None,
            handlers: crate::interp::ops::handlers(false),
            frames: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            left: None,
            next: None,
            verifications: Default::default(),
            instrument: Default::default(),
            switches: Default::default(),
            libraries: Default::default(),
            plug: Default::default(),
            embedder_classes: Vec::new(),
            main_failed: false,
            throws: None,
            asserts: None,
            config,
        })
    }

    /// The classes the VM itself cannot do without, and the mirrors of all that came before java.lang.Class.
    fn load_first_classes(&mut self) -> Result<(), Stop> {
        let load = |vm: &mut Vm, name: &str| vm.load_class_by_name(LoaderId::BOOT, name);
        self.known.object = load(self, "java/lang/Object")?;
        self.known.cloneable = load(self, "java/lang/Cloneable")?;
        self.known.serializable = load(self, "java/io/Serializable")?;
        for prim in Prim::ALL {
            self.known.prims[prim_index(prim)] = self.make_primitive(prim);
        }
        let class = load(self, "java/lang/Class")?;
        let off = |vm: &mut Vm, field: &'static str| vm.instance_offset(class, field);
        self.known.class_module = off(self, "module")?;
        self.known.class_loader_field = off(self, "classLoader")?;
        self.known.class_component = off(self, "componentType")?;
        self.known.class_data = off(self, "classData")?;
        self.known.class_name = off(self, "name")?;
        self.known.class = class;
        for i in 0..self.classes.len() {
            self.make_mirror(ClassId(i as u32))?;
        }
        for prim in &Prim::ALL[..8] {
            let array = self.array_class_of(self.known.prims[prim_index(*prim)])?;
            self.known.prim_arrays[prim_index(*prim)] = array;
        }
        self.load_known(load)?;
        self.set_known_offsets()
    }

    fn load_known(&mut self, load: impl Fn(&mut Vm, &str) -> Result<ClassId, Stop>) -> Result<(), Stop> {
        self.known.string = load(self, "java/lang/String")?;
        self.known.throwable = load(self, "java/lang/Throwable")?;
        self.known.thread = load(self, "java/lang/Thread")?;
        self.known.thread_group = load(self, "java/lang/ThreadGroup")?;
        self.known.class_loader = load(self, "java/lang/ClassLoader")?;
        self.known.member_name = load(self, "java/lang/invoke/MemberName")?;
        self.known.method_handle = load(self, "java/lang/invoke/MethodHandle")?;
        self.known.method_type = load(self, "java/lang/invoke/MethodType")?;
        self.known.var_handle = load(self, "java/lang/invoke/VarHandle")?;
        self.known.stack_trace_element = load(self, "java/lang/StackTraceElement")?;
        let boxes = [
            "Boolean",
            "Byte",
            "Character",
            "Short",
            "Integer",
            "Long",
            "Float",
            "Double",
        ];
        for (i, name) in boxes.iter().enumerate() {
            self.known.boxes[i] = load(self, &format!("java/lang/{name}"))?;
        }
        self.known.object_array = self.array_class_of(self.known.object)?;
        self.known.string_array = self.array_class_of(self.known.string)?;
        self.known.class_array = self.array_class_of(self.known.class)?;
        load(self, "java/lang/invoke/ResolvedMethodName")?;
        Ok(())
    }

    fn set_known_offsets(&mut self) -> Result<(), Stop> {
        let k = &self.known;
        let (string, throwable, member, handle) = (k.string, k.throwable, k.member_name, k.method_handle);
        self.known.string_value = self.instance_offset(string, "value")?;
        self.known.string_coder = self.instance_offset(string, "coder")?;
        self.known.string_hash = self.instance_offset(string, "hash")?;
        self.known.throwable_backtrace = self.instance_offset(throwable, "backtrace")?;
        self.known.throwable_message = self.instance_offset(throwable, "detailMessage")?;
        self.known.throwable_cause = self.instance_offset(throwable, "cause")?;
        self.known.throwable_stack = self.instance_offset(throwable, "stackTrace")?;
        self.known.throwable_depth = self.instance_offset(throwable, "depth")?;
        self.known.throwable_suppressed = self.instance_offset(throwable, "suppressedExceptions")?;
        self.known.member_clazz = self.instance_offset(member, "clazz")?;
        self.known.member_name_field = self.instance_offset(member, "name")?;
        self.known.member_type = self.instance_offset(member, "type")?;
        self.known.member_flags = self.instance_offset(member, "flags")?;
        self.known.member_method = self.instance_offset(member, "method")?;
        self.known.member_resolution = self.instance_offset(member, "resolution")?;
        self.known.mh_form = self.instance_offset(handle, "form")?;
        self.known.mh_type = self.instance_offset(handle, "type")?;
        let form = self.boot_class("java/lang/invoke/LambdaForm")?;
        self.known.form_vmentry = self.instance_offset(form, "vmentry")?;
        let reference = self.boot_class("java/lang/ref/Reference")?;
        let (referent, next) = (
            self.instance_offset(reference, "referent")?,
            self.instance_offset(reference, "next")?,
        );
        self.heap.set_reference_offsets(referent, next);
        Ok(())
    }

    fn instance_offset(&mut self, class: ClassId, field: &str) -> Result<u32, Stop> {
        let found = self.find_field(class, field, "").map(|f| self.field(f).offset);
        found.ok_or_else(|| Stop::bug(format!("{} has no field {field}", self.class_name(class))))
    }

    /// HotSpot's initialisation order: the first classes, the main thread, the three phases.
    fn init_library(&mut self) -> Result<(), Ended> {
        let main = self.threads.add(ObjRef::NULL, false).map_err(Ended::Bug)?;
        self.threads.current = main;
        for name in ["java/lang/String", "java/lang/System", "java/lang/Class"] {
            self.host_init(name)?;
        }
        self.make_main_thread(main)?;
        for name in ["java/lang/Module", "jdk/internal/misc/UnsafeConstants"] {
            self.host_init(name)?;
        }
        self.set_unsafe_constants().map_err(stop_ended)?;
        for name in ["java/lang/reflect/Method", "java/lang/ref/Finalizer"] {
            self.host_init(name)?;
        }
        self.host_static("java/lang/System", "initPhase1", "()V", &[])?;
        for name in [
            "java/lang/OutOfMemoryError",
            "java/lang/NullPointerException",
            "java/lang/ClassCastException",
            "java/lang/ArrayStoreException",
            "java/lang/ArithmeticException",
            "java/lang/StackOverflowError",
            "java/lang/IllegalMonitorStateException",
            "java/lang/IllegalArgumentException",
            "java/lang/InterruptedException",
            "java/lang/invoke/MethodHandle",
            "java/lang/invoke/ResolvedMethodName",
            "java/lang/invoke/MethodHandleNatives",
        ] {
            self.host_init(name)?;
        }
        self.oom_instance = self
            .new_exception("java/lang/OutOfMemoryError", Some("Java heap space"), None)
            .map_err(stop_ended)?;
        let status = self.host_static("java/lang/System", "initPhase2", "(ZZ)I", &[1, 1])?;
        if status as u32 != 0 {
            return Err(Ended::Bug("the JDK's module system did not start".into()));
        }
        self.host_static("java/lang/System", "initPhase3", "()V", &[])?;
        self.initialized = true;
        Ok(())
    }

    /// The thread groups and the main thread, whose constructor already asks for the current thread.
    fn make_main_thread(&mut self, main: ThreadId) -> Result<(), Ended> {
        self.host_init("java/lang/ThreadGroup")?;
        let group_class = self.known.thread_group;
        let system = self.new_object(group_class).map_err(stop_ended)?;
        self.pinned.push(system);
        self.host_call(group_class, "<init>", "()V", &[system.bits()])?;
        let group = self.new_object(group_class).map_err(stop_ended)?;
        self.pinned.push(group);
        let name = self.new_string("main").map_err(stop_ended)?;
        let init = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        self.host_call(
            group_class,
            "<init>",
            init,
            &[group.bits(), system.bits(), name.bits()],
        )?;
        let thread_class = self.known.thread;
        let thread = self.new_object(thread_class).map_err(stop_ended)?;
        self.threads.list[main.index()].object = thread;
        self.heap.put_u32(thread, self.known.thread_vm_id, main.0 + 1);
        self.set_long_field(thread, "java/lang/Thread", "eetop", 1);
        if self.try_off("java/lang/Thread", "priority").is_some() {
            self.set_int_field(thread, "java/lang/Thread", "priority", 5);
        } else {
            // Newer releases keep these in a holder object.
            const HOLDER: &str = "java/lang/Thread$FieldHolder";
            let holder_class = self.boot_class(HOLDER).map_err(stop_ended)?;
            let holder = self.new_object(holder_class).map_err(stop_ended)?;
            self.set_ref_field(thread, "java/lang/Thread", "holder", holder);
            self.set_ref_field(holder, HOLDER, "group", group);
            self.set_int_field(holder, HOLDER, "priority", 5);
        }
        self.host_init("java/lang/Thread")?;
        self.host_call(
            thread_class,
            "<init>",
            init,
            &[thread.bits(), group.bits(), name.bits()],
        )?;
        self.set_thread_status(main, 5);
        Ok(())
    }

    fn set_unsafe_constants(&mut self) -> Result<(), Stop> {
        const CLASS: &str = "jdk/internal/misc/UnsafeConstants";
        let class = self.boot_class(CLASS)?;
        let mirror = self.mirror(class);
        let ints = [
            ("ADDRESS_SIZE0", 8),
            ("PAGE_SIZE", 4096),
            ("DATA_CACHE_LINE_FLUSH_SIZE", 0),
        ];
        for (field, value) in ints {
            let off = self.off(CLASS, field)?;
            self.heap.put_u32(mirror, off, value);
        }
        for (field, value) in [("BIG_ENDIAN", 0), ("UNALIGNED_ACCESS", 1)] {
            let off = self.off(CLASS, field)?;
            self.heap.put_u8(mirror, off, value);
        }
        Ok(())
    }

    /// Initialises a boot class from outside the loop.
    fn host_init(&mut self, name: &'static str) -> Result<(), Ended> {
        let class = self.boot_class(name).map_err(stop_ended)?;
        match self.ensure_initialized(class) {
            Ok(()) => Ok(()),
            Err(Stop::Call(call)) => self.run_call(*call).map(|_| ()),
            Err(other) => Err(stop_ended(other)),
        }
    }

    fn host_static(
        &mut self,
        class: &'static str,
        name: &str,
        desc: &str,
        args: &[u64],
    ) -> Result<u64, Ended> {
        self.host_init(class)?;
        let id = self.boot_class(class).map_err(stop_ended)?;
        self.host_call(id, name, desc, args)
    }

    fn host_call(&mut self, class: ClassId, name: &str, desc: &str, args: &[u64]) -> Result<u64, Ended> {
        let m = self
            .declared_method(class, name, desc)
            .ok_or_else(|| Ended::Bug(format!("{}.{name}{desc} is missing", self.class_name(class))))?;
        let exit = self.call_java(m, args);
        self.host_outcome(exit)
    }

    pub(crate) fn host_outcome(&mut self, exit: Exit) -> Result<u64, Ended> {
        match exit {
            Exit::Returned(Completion::Value(v)) => Ok(v),
            Exit::Returned(Completion::Thrown(e)) => {
                let mut text = format!("the class library threw {}", self.describe_throwable(e));
                for frame in self.backtrace(e).into_iter().take(40) {
                    text.push_str(&format!("\n    at {}", self.frame_text(frame)));
                }
                Err(Ended::Bug(text))
            }
            other => Err(other.into()),
        }
    }

    /// Runs a program's `main` and everything it started, then the shutdown hooks.
    pub fn run_program(&mut self, program: &Program<'_>, args: &[String]) -> Ended {
        match self.try_program(program, args) {
            Ok(status) => Ended::Status(status),
            Err(ended) => ended,
        }
    }

    fn try_program(&mut self, program: &Program<'_>, args: &[String]) -> Result<i32, Ended> {
        let (mode, name) = match program {
            Program::Class(name) => (1u64, *name),
            Program::Jar(path) => (2, *path),
        };
        let name = self.new_string(name).map_err(stop_ended)?;
        let main_class = self.host_static(
            "sun/launcher/LauncherHelper",
            "checkAndLoadMain",
            "(ZILjava/lang/String;)Ljava/lang/Class;",
            &[1, mode, name.bits()],
        )?;
        let class = self.class_of_mirror(ObjRef::from_bits(main_class));
        let main = self
            .find_method(class, "main", "([Ljava/lang/String;)V")
            .filter(|m| self.method(*m).access & acc::STATIC != 0)
            .ok_or_else(|| {
                Ended::Unsupported("a main method that is not static void main(String[])".into())
            })?;
        let array = self
            .new_ref_array(self.known.string, args.len() as i32)
            .map_err(stop_ended)?;
        self.pinned.push(array);
        for (i, arg) in args.iter().enumerate() {
            let arg = self.new_string(arg).map_err(stop_ended)?;
            self.heap.elem_put_ref(array, i as u32, arg);
        }
        match self.ensure_initialized(class) {
            Ok(()) => {}
            Err(Stop::Call(mut call)) => {
                // The initialiser runs as part of main: what it throws is main's uncaught exception.
                call.outer.push((
                    main_class_initialized,
                    vec![u64::from(main.0), array.bits()],
                    false,
                ));
                return self.run_main_call(*call);
            }
            Err(other) => return Err(stop_ended(other)),
        }
        let id = self.threads.current;
        self.push_thread_base(id, main, &[array.bits()], main_ended, vec![]);
        self.finish()
    }

    fn run_main_call(&mut self, call: crate::stop::Call) -> Result<i32, Ended> {
        self.push_base_call(call, main_ended);
        self.finish()
    }

    /// Runs until no non-daemon thread is left, then the shutdown sequence.
    fn finish(&mut self) -> Result<i32, Ended> {
        match self.run() {
            Exit::Finished => {}
            other => return Err(other.into()),
        }
        let status = i32::from(self.main_failed);
        let id = self.destroyer_thread()?;
        self.threads.current = id;
        self.host_static("java/lang/Shutdown", "shutdown", "()V", &[])?;
        Ok(status)
    }

    /// The thread that runs the shutdown hooks when the program ends by itself.
    fn destroyer_thread(&mut self) -> Result<ThreadId, Ended> {
        let id = self.threads.add(ObjRef::NULL, false).map_err(Ended::Bug)?;
        let class = self.known.thread;
        let thread = self.new_object(class).map_err(stop_ended)?;
        self.threads.list[id.index()].object = thread;
        self.heap.put_u32(thread, self.known.thread_vm_id, id.0 + 1);
        self.set_long_field(thread, "java/lang/Thread", "eetop", i64::from(id.0) + 1);
        let main = self.threads.list[0].object;
        if self.try_off("java/lang/Thread", "priority").is_some() {
            self.set_int_field(thread, "java/lang/Thread", "priority", 5);
            let root = self.main_group();
            self.set_ref_field(thread, "java/lang/Thread", "group", root);
        } else {
            let holder = self.get_ref_field(main, "java/lang/Thread", "holder");
            self.set_ref_field(thread, "java/lang/Thread", "holder", holder);
        }
        let name = self.new_string("DestroyJavaVM").map_err(stop_ended)?;
        self.set_ref_field(thread, "java/lang/Thread", "name", name);
        self.set_thread_status(id, 5);
        self.threads.list[id.index()].status = Status::Runnable;
        Ok(id)
    }

    fn main_group(&mut self) -> ObjRef {
        // Pinned while booting: the system group first, then main's.
        self.pinned.get(1).copied().unwrap_or(ObjRef::NULL)
    }
}

/// The main class is ready: go on with `main` itself.
fn main_class_initialized(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Err(Stop::call(
            MethodId(state[0] as u32),
            vec![state[1]],
            crate::stop::Then::Cont(main_returned, vec![]),
        )),
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}

fn main_returned(_: &mut Vm, done: Completion, _: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(0),
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}

fn main_ended(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    vm.main_failed = matches!(done, Completion::Thrown(_));
    crate::interp::slow::thread_ended(vm, done, state)
}

fn stop_ended(stop: Stop) -> Ended {
    match stop {
        Stop::Unsupported(what) => Ended::Unsupported(what.into()),
        Stop::Exit(status) => Ended::Status(status),
        other => Ended::Bug(format!("while booting: {other:?}")),
    }
}

fn native_index(tables: Tables) -> NativeIndex {
    let mut index = NativeIndex::default();
    for table in tables {
        for row in *table {
            let rows: &mut Vec<&'static Native> = index.entry((row.class, row.name)).or_default();
            rows.push(row);
        }
    }
    index
}
