//! The virtual machine's whole state, and what natives and the loop ask of it most.

use crate::classes::class::{Class, Field, Method};
use crate::classes::known::Known;
use crate::classes::loader::Loaders;
use crate::classes::slots::FitSlots;
use crate::heap::Heap;
use crate::host::Host;
use crate::ids::{ClassId, FieldId, MethodId, ObjRef, Sym};
use crate::interp::threads::Threads;
use crate::jimage::JImage;
use crate::link::op::Op;
use crate::strings::StringTable;
use crate::sym::{FixedMap, Symbols};
use std::path::PathBuf;

/// How the VM is to run a program.
#[derive(Clone, Debug)]
pub struct Config {
    pub java_home: PathBuf,
    /// Feature release, e.g. 17.
    pub jdk_release: u32,
    /// `--enable-preview`.
    pub preview: bool,
    /// `-javaagent` in order: an archive, or an archive and options, as `JAR=OPTIONS`.
    pub agents: Vec<String>,
    /// Entries of the class path in order.
    pub class_path: Vec<String>,
    /// `-Dkey=value` in order.
    pub properties: Vec<(String, String)>,
    pub max_heap: u64,
    /// Bytes of a thread's stack, as `-Xss` means it.
    pub stack_size: u64,
    pub seed: u64,
    /// `-ea`.
    pub assertions: bool,
    /// What `sun.java.command` says.
    pub command: String,
    /// Link lambdas, concatenations and record methods in the VM instead of through the JDK's own machinery.
    pub fast_indy: bool,
    pub compile: Compile,
    /// The native methods there are.
    pub natives: crate::natives::Tables,
    /// Extra `jdk.module.*` properties from `--add-opens` and its like.
    pub module_options: Vec<(String, String)>,
}

/// Which methods are compiled, as HotSpot's options -Xint, -Xmixed and -Xcomp say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    Never,
    #[default]
    Hot,
    /// As early as can be, in slices of a few ticks: for tests of compilation.
    Eager,
}

impl std::str::FromStr for Compile {
    type Err = ();

    fn from_str(option: &str) -> Result<Compile, ()> {
        match option {
            "-Xint" => Ok(Compile::Never),
            "-Xmixed" => Ok(Compile::Hot),
            "-Xcomp" => Ok(Compile::Eager),
            _ => Err(()),
        }
    }
}

/// What a call reads of a method: kept apart from the cold record so that calls touch one cache line.
#[derive(Clone, Copy)]
pub struct HotMethod {
    /// First op; a shared stub for methods without a body.
    pub code: *const Op,
    /// Size of the register window.
    pub regs: u32,
    pub arg_slots: u16,
    pub flags: u16,
    /// The native function of a leaf, called without a frame.
    pub leaf: Option<crate::natives::NativeFn>,
    /// For a leaf that only returns a field of its receiver: how it is read (`HotMethod::READ_…`) and from where.
    pub accessor: u32,
    pub(crate) intrinsic: Option<crate::natives::Intrinsic>,
    /// Calls from compiled code while this method was not.
    pub(crate) wanted: u32,
    pub(crate) compiled: Option<crate::jit::Compiled>,
    /// The same for one that is not to be entered just so: a leaf's body, or a synchronized one.
    pub(crate) guarded: Option<crate::jit::Compiled>,
    /// How far the windows of the compiled form reach, with those of the bodies within it.
    pub(crate) reach: u32,
    /// How many frames the bodies within the compiled form may come to.
    pub(crate) depth: u32,
}

impl HotMethod {
    /// Of a method that is neither static, synchronized, a leaf nor compiled.
    pub(crate) fn new(code: *const Op, regs: u32, arg_slots: u16) -> HotMethod {
        HotMethod {
            code,
            regs,
            arg_slots,
            flags: 0,
            leaf: None,
            accessor: 0,
            intrinsic: None,
            wanted: 0,
            compiled: None,
            guarded: None,
            reach: 0,
            depth: 0,
        }
    }

    /// Ways to read a field, in the high byte of `accessor`; the low bytes are the offset.
    pub const READ_4: u32 = 1;
    pub const READ_8: u32 = 2;
    pub const READ_BYTE: u32 = 3;
    pub const READ_BOOLEAN: u32 = 4;
    pub const FAR: u32 = 1 << 24;
    pub const SYNCHRONIZED: u16 = 1;
    pub const STATIC: u16 = 4;
    /// Some class overrides it.
    pub const OVERRIDDEN: u16 = 8;
}

/// Where a native table row was found for a method.
pub type NativeIndex = FixedMap<(&'static str, &'static str), Vec<&'static crate::natives::Native>>;

pub struct Vm {
    pub config: Config,
    pub syms: Symbols,
    pub heap: Heap,
    pub image: &'static JImage,
    /// Our own classes that take the place of the JDK's (`poldet-jdk-stubs`).
    pub(crate) patches: crate::jar::Jar,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
    /// Parallel to `methods`.
    pub hot: Vec<HotMethod>,
    pub fields: Vec<Field>,
    pub loaders: Loaders,
    pub(crate) constraints: crate::classes::constraints::Constraints,
    pub(crate) fit_slots: FitSlots,
    /// By class, whether static, and offset: what a reference field was declared to hold; none for anything.
    pub(crate) slot_types: FixedMap<(ClassId, bool, u32), Option<ClassId>>,
    pub modules: crate::classes::modules::Modules,
    pub threads: Threads,
    pub strings: StringTable,
    pub(crate) identities: crate::identity::Identities,
    pub known: Known,
    pub natives: NativeIndex,
    pub host: Host,
    /// References held by op streams and call sites of classes that stay, and by the VM itself: these never die.
    pub pinned: Vec<ObjRef>,
    /// References the collector has enqueued and the Reference Handler has not yet taken.
    pub pending_references: Vec<ObjRef>,
    /// Interface method selection: (receiver class, interface method) → method.
    pub interface_cache: FixedMap<(ClassId, MethodId), MethodId>,
    /// Number of interfaces loaded so far.
    pub interface_count: u32,
    /// Numbers of those that are gone.
    pub(crate) free_interfaces: Vec<u32>,
    /// Classes that are gone.
    pub unloaded_classes: u64,
    /// Offsets of fields asked for by name.
    pub(crate) recent_offsets: Box<[crate::alloc::RecentOffset; crate::alloc::OFFSET_SLOTS]>,
    pub(crate) offset_cache: FixedMap<(&'static str, &'static str), u32>,
    pub(crate) boot_cache: FixedMap<&'static str, ClassId>,
    /// Preallocated for when there is no memory to make one.
    pub oom_instance: ObjRef,
    /// Names of the JDK's class data archive, once reflection has asked for an order.
    pub archived_names: Option<crate::classes::method_order::ArchivedNames>,
    pub initialized: bool,
    pub links: crate::invoke::Links,
    /// What jdk.internal.misc.Signal has set for each signal.
    pub signal_handlers: FixedMap<i32, i64>,
    /// What the host's call of a Java method came to.
    pub(crate) host_result: Option<crate::stop::Completion>,
    pub(crate) ref_maps: FixedMap<(MethodId, u16, bool), std::rc::Rc<[u16]>>,
    pub(crate) gc_requested: bool,
    /// Where the last allocation failed that a collection was made for.
    pub(crate) last_full: Option<((crate::ids::ThreadId, usize, usize), u64)>,
    pub collections: u64,
    /// Ticks of all threads so far.
    pub ticks: u64,
    pub(crate) slice_start: i64,
    /// A field that natives need and this JDK does not have.
    pub(crate) lacking: Option<String>,
    /// What the loop runs on.
    pub(crate) handlers: crate::interp::ops::Handlers,
    /// What the handlers use of the current thread: its frames, and the end of its register stack.
    pub(crate) frames: *mut Vec<crate::interp::frame::Frame>,
    pub(crate) limit: *mut u64,
    /// Why the handlers were left.
    pub(crate) left: Option<crate::interp::slow::Slow>,
    /// The next instruction, in builds whose handlers do not jump to each other.
    pub(crate) next: Option<(*const Op, crate::interp::ops::Regs, i64)>,
    pub(crate) jit: crate::jit::Jit,
    pub(crate) verifications: crate::verify::Verifications,
    pub instrument: crate::instrument::Instrument,
    pub(crate) switches: crate::switches::Switches,
    pub(crate) libraries: crate::libraries::Libraries,
    /// What whoever embeds the VM has attached.
    pub plug: crate::plug::Plug,
    /// What becomes of certain exceptions, where somebody wants to know.
    pub(crate) throws: Option<Box<crate::throws::Throws>>,
    /// What reaches assertions, where somebody wants to know.
    pub(crate) asserts: Option<Box<crate::asserts::Asserts>>,
    /// Classes outside of the JDK that have natives of the embedder's.
    pub(crate) embedder_classes: Vec<&'static str>,
    /// `main` ended with an exception.
    pub(crate) main_failed: bool,
}

impl Vm {
    /// Adds native methods of the embedder's own, for classes not yet loaded.
    pub fn add_natives(&mut self, table: &'static [crate::natives::Native]) {
        for row in table {
            if !self.embedder_classes.contains(&row.class) {
                self.embedder_classes.push(row.class);
            }
            self.natives.entry((row.class, row.name)).or_default().push(row);
        }
    }

    /// From now on notes what becomes of files, and by whom; `Fs::take_changes` tells.
    pub fn keep_file_journal(&mut self) {
        let tracer = self.heap.tracer().clone();
        self.host.fs.keep_journal(tracer);
    }

    /// Work done so far: ticks and virtual time (ns), up to this moment.
    pub fn work(&self) -> (u64, u64) {
        let pending = (self.slice_start - self.threads.slice).max(0) as u64;
        let nanos = self.now_nanos() + pending * crate::interp::threads::TICK_NANOS;
        (self.ticks + pending, nanos)
    }

    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    #[inline]
    pub fn class_mut(&mut self, id: ClassId) -> &mut Class {
        &mut self.classes[id.index()]
    }

    #[inline]
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    #[inline]
    pub fn method_mut(&mut self, id: MethodId) -> &mut Method {
        &mut self.methods[id.index()]
    }

    #[inline]
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// The java.lang.Class object of a class.
    #[inline]
    pub fn mirror(&self, class: ClassId) -> ObjRef {
        self.classes[class.index()].mirror
    }

    /// The class a java.lang.Class object stands for.
    #[inline]
    pub fn class_of_mirror(&self, mirror: ObjRef) -> ClassId {
        ClassId(self.heap.get_u32(mirror, self.known.class_vm_id))
    }

    #[inline]
    pub fn class_of(&self, object: ObjRef) -> ClassId {
        self.heap.class_of(object)
    }

    /// Internal name (`java/lang/String`).
    pub fn class_name(&self, class: ClassId) -> &'static str {
        self.syms.str(self.class(class).name)
    }

    /// Name as `Class.getName` gives it (`java.lang.String`, `[I`, `pkg.Hidden/0x0000…`).
    pub fn java_name(&self, class: ClassId) -> String {
        java_name_of(self.class_name(class))
    }

    pub fn sym(&mut self, name: &str) -> Sym {
        self.syms.intern(name.as_bytes())
    }
}

/// Internal to external form of a class name.
pub fn java_name_of(internal: &str) -> String {
    // The plus sign of a hidden class's internal name stands for the slash of its external one.
    internal.replace('/', ".").replace("+0x", "/0x")
}
