//! Booting the JDK's class library, and running a program on it, in the order HotSpot does it.

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
use crate::stop::{BlockOn, Call, Completion, Stop, Then};
use crate::sym::{FixedMap, Symbols};
use crate::vm::{Config, NativeIndex, Vm};
use std::path::Path;

/// What threads that have nothing to do wait for; nobody wakes this channel.
const IDLE: BlockOn = BlockOn::Channel {
    id: 1 << 43,
    until: None,
};

/// How a program ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this exit status.
    Status(i32),
    /// All threads wait for each other; the report says who for whom.
    Deadlock(String),
    /// The embedder's deadline has come; the report says where every thread was.
    TimedOut(String),
    /// An agent of the command line could not be started.
    Agent(String),
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
            fit_slots: Default::default(),
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
            free_interfaces: Vec::new(),
            unloaded_classes: 0,
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
        let off = |vm: &mut Vm, field: &'static str| vm.needed_offset(class, field);
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
        self.known.string_value = self.needed_offset(string, "value")?;
        self.known.string_coder = self.needed_offset(string, "coder")?;
        self.known.string_hash = self.needed_offset(string, "hash")?;
        self.known.throwable_backtrace = self.needed_offset(throwable, "backtrace")?;
        self.known.throwable_message = self.needed_offset(throwable, "detailMessage")?;
        self.known.throwable_cause = self.needed_offset(throwable, "cause")?;
        self.known.throwable_stack = self.needed_offset(throwable, "stackTrace")?;
        self.known.throwable_depth = self.needed_offset(throwable, "depth")?;
        self.known.throwable_suppressed = self.needed_offset(throwable, "suppressedExceptions")?;
        self.known.member_clazz = self.needed_offset(member, "clazz")?;
        self.known.member_name_field = self.needed_offset(member, "name")?;
        self.known.member_type = self.needed_offset(member, "type")?;
        self.known.member_flags = self.needed_offset(member, "flags")?;
        self.known.member_method = self.needed_offset(member, "method")?;
        self.known.member_resolution = self.needed_offset(member, "resolution")?;
        self.known.mh_form = self.needed_offset(handle, "form")?;
        self.known.mh_type = self.needed_offset(handle, "type")?;
        let form = self.boot_class("java/lang/invoke/LambdaForm")?;
        self.known.form_vmentry = self.needed_offset(form, "vmentry")?;
        let reference = self.boot_class("java/lang/ref/Reference")?;
        let (referent, next) = (
            self.needed_offset(reference, "referent")?,
            self.needed_offset(reference, "next")?,
        );
        self.heap.set_reference_offsets(referent, next);
        Ok(())
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
        self.make_service_thread("Signal Dispatcher")?;
        self.skip_thread_ids(self.release().hidden_threads());
        self.make_service_thread("Notification Thread")?;
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
        self.set_thread_basics(thread, group).map_err(stop_ended)?;
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

    /// A thread that HotSpot has and programs can list; here it has nothing to do.
    fn make_service_thread(&mut self, name: &str) -> Result<(), Ended> {
        let class = self.known.thread;
        let thread = self.new_object(class).map_err(stop_ended)?;
        self.pinned.push(thread);
        // Pinned while booting: the system group first.
        let group = self.pinned.first().copied().unwrap_or(ObjRef::NULL);
        let name = self.new_string(name).map_err(stop_ended)?;
        let init = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
        self.host_call(class, "<init>", init, &[thread.bits(), group.bits(), name.bits()])?;
        self.set_service_thread(thread);
        // Older releases keep lists of the threads of a group.
        let group_class = self.known.thread_group;
        if let Some(add) = self.declared_method(group_class, "add", "(Ljava/lang/Thread;)V") {
            let added = self.call_java(add, &[group.bits(), thread.bits()]);
            self.host_outcome(added)?;
        }
        let id = self.threads.add(thread, true).map_err(Ended::Bug)?;
        self.heap.put_u32(thread, self.known.thread_vm_id, id.0 + 1);
        self.set_long_field(thread, "java/lang/Thread", "eetop", i64::from(id.0) + 1);
        self.set_thread_status(id, 5);
        self.threads.set_status(id, Status::Blocked(IDLE));
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
    pub(crate) fn host_init(&mut self, name: &'static str) -> Result<(), Ended> {
        let class = self.host_class(name)?;
        self.until_done(|vm| vm.ensure_initialized(class))
    }

    /// A class of the library; agents may have to see it first.
    pub(crate) fn host_class(&mut self, name: &'static str) -> Result<ClassId, Ended> {
        self.until_done(|vm| vm.boot_class(name))
    }

    /// Runs what an operation asks for, from outside the loop, until it has its result.
    fn until_done<T>(&mut self, operation: impl Fn(&mut Vm) -> Result<T, Stop>) -> Result<T, Ended> {
        loop {
            match operation(self) {
                Ok(value) => return Ok(value),
                Err(Stop::Call(call)) => {
                    self.run_call(*call)?;
                }
                Err(other) => return Err(stop_ended(other)),
            }
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
        let id = self.host_class(class)?;
        self.host_call(id, name, desc, args)
    }

    pub(crate) fn host_call(
        &mut self,
        class: ClassId,
        name: &str,
        desc: &str,
        args: &[u64],
    ) -> Result<u64, Ended> {
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
        let (main, kind) = self.main_method(class).map_err(stop_ended)?;
        let array = self
            .new_ref_array(self.known.string, args.len() as i32)
            .map_err(stop_ended)?;
        self.pinned.push(array);
        for (i, arg) in args.iter().enumerate() {
            let arg = self.new_string(arg).map_err(stop_ended)?;
            self.heap.elem_put_ref(array, i as u32, arg);
        }
        let state = vec![
            u64::from(main.0),
            array.bits(),
            u64::from(kind.is_static),
            u64::from(kind.takes_args),
            u64::from(class.0),
        ];
        let call = match self.ensure_initialized(class) {
            Ok(()) => {
                let mut call = launch(self, &state).map_err(stop_ended)?;
                // Below it is no native that waits for a value.
                if let Then::Cont(f, state) = call.then {
                    call.then = Then::RetryAfter(f, state);
                }
                call
            }
            Err(Stop::Call(mut call)) => {
                // The initialiser runs as part of main: what it throws is main's uncaught exception.
                call.outer.push((main_class_initialized, state, false));
                *call
            }
            Err(other) => return Err(stop_ended(other)),
        };
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
        let group = self.main_group();
        self.set_thread_basics(thread, group).map_err(stop_ended)?;
        let name = self.new_string("DestroyJavaVM").map_err(stop_ended)?;
        self.set_ref_field(thread, "java/lang/Thread", "name", name);
        self.set_thread_status(id, 5);
        self.threads.set_status(id, Status::Runnable);
        Ok(id)
    }

    fn main_group(&mut self) -> ObjRef {
        // Pinned while booting: the system group first, then main's.
        self.pinned.get(1).copied().unwrap_or(ObjRef::NULL)
    }
}

/// The main class is ready: go on with `main` itself.
fn main_class_initialized(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => {
            // There may have been more to load before its initialiser could run.
            vm.ensure_initialized(ClassId(state[4] as u32))?;
            Err(Stop::Call(Box::new(launch(vm, state)?)))
        }
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}

/// The call of `main`; of its class's constructor first, where it is an instance method. The state is the method, the
/// arguments, whether it is static, whether it takes them, and the class.
fn launch(vm: &mut Vm, state: &[u64]) -> Result<Call, Stop> {
    let main = MethodId(state[0] as u32);
    let args = |receiver: Option<u64>| receiver.into_iter().chain((state[3] != 0).then_some(state[1]));
    if state[2] != 0 {
        return Ok(Call {
            method: main,
            args: args(None).collect(),
            then: Then::Cont(main_returned, vec![]),
            outer: vec![],
        });
    }
    let class = ClassId(state[4] as u32);
    let object = vm.new_object(class)?;
    vm.pinned.push(object);
    let constructor = vm.declared_method(class, "<init>", "()V");
    let constructor =
        constructor.ok_or_else(|| Stop::bug("the launcher let a class without constructor pass"))?;
    let rest = std::iter::once(state[0])
        .chain(args(Some(object.bits())))
        .collect();
    Ok(Call {
        method: constructor,
        args: vec![object.bits()],
        then: Then::Cont(instance_made, rest),
        outer: vec![],
    })
}

/// The main class's instance is constructed. The state is the method and what it is called with.
fn instance_made(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Err(Stop::call(
            MethodId(state[0] as u32),
            state[1..].to_vec(),
            Then::Cont(main_returned, vec![]),
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

pub(crate) fn stop_ended(stop: Stop) -> Ended {
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
