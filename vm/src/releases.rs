//! Where releases of the JDK differ for the VM: every question about the release's number is asked here, by the name of
//! what changed, and so is every field that moved from one class to another.
//!
//! A field or a method that only some releases have is better asked for itself (`Vm::try_off`): updates move them, too.

use crate::ids::{ClassId, LoaderId, MethodId, ObjRef, ThreadId};
use crate::stop::Stop;
use crate::vm::Vm;

const THREAD: &str = "java/lang/Thread";
/// Where later releases keep what `Thread` had itself.
const HOLDER: &str = "java/lang/Thread$FieldHolder";
const LAUNCHER: &str = "sun/launcher/LauncherHelper";
/// The class that the JDK's own loaders are members of, in every release so far, and the one of its platform loader.
const LOADERS: &str = "jdk/internal/loader/ClassLoaders$";
const PLATFORM_LOADER: &str = "jdk/internal/loader/ClassLoaders$PlatformClassLoader";

/// A feature release, e.g. 17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32);

impl Release {
    /// The newest class file version it runs.
    pub fn max_class_version(self) -> u16 {
        self.0 as u16 + 44
    }

    /// Instance main methods and ones without arguments are launched: with preview features from 21 on, by all later
    /// than 24 (JEP 512).
    pub fn launches_any_main(self, preview: bool) -> bool {
        self.0 >= 25 || preview && self.0 >= 21
    }

    /// `Class` has fields for what it asked native methods before.
    pub fn classes_know_their_facts(self) -> bool {
        self.0 >= 21
    }

    /// NoSuchFieldError says which class lacks which field.
    pub fn describes_missing_fields(self) -> bool {
        self.0 >= 21
    }

    /// Hidden classes of lambdas have no number.
    pub fn lambdas_have_no_number(self) -> bool {
        self.0 >= 21
    }

    /// A record's `toString` makes strings of its components one by one.
    pub fn records_stringify(self) -> bool {
        self.0 < 21
    }

    /// What the InternalError of a fault in native memory says.
    pub fn memory_fault(self) -> &'static str {
        if self.0 < 21 {
            "a fault occurred in a recent unsafe memory access operation in compiled Java code"
        } else {
            "a fault occurred in an unsafe memory access operation"
        }
    }

    /// Flags of MemberNames say that the member is hidden.
    pub fn flags_hidden_members(self) -> bool {
        self.0 >= 24
    }

    /// A stack walk reports how many frames a batch has, not where it ends.
    pub fn counts_walked_frames(self) -> bool {
        self.0 >= 24
    }

    /// Frames of a stack walk are ClassFrameInfo objects that know their method themselves.
    pub fn has_class_frames(self) -> bool {
        self.0 >= 22
    }

    /// Where the identity hash begins in the first word of an object.
    pub fn hash_shift(self) -> u32 {
        if self.0 < 24 { 8 } else { 11 }
    }

    /// The version of the interface behind java.lang.management.
    pub fn management_version(self) -> &'static str {
        if self.0 < 19 { "3.0" } else { "4.0" }
    }

    /// Readers are locked by a lock of their own, outside of the methods that read.
    pub fn readers_have_locks(self) -> bool {
        self.0 >= 19
    }

    /// What the IOException of a program that cannot be run says.
    pub fn exec_failure(self, number: i32, text: &str) -> String {
        if self.0 >= 25 {
            format!("Exec failed, error: {number} ({text}) ")
        } else {
            format!("error={number}, {text}")
        }
    }

    /// String builders grow as they did in 17.
    pub fn builders_grow_by_doubling(self) -> bool {
        self.0 <= 21
    }

    /// Compressing UTF-16 reports the first unit that does not fit.
    pub fn compression_says_where(self) -> bool {
        self.0 >= 21
    }

    /// What the first thread after main gets from the VM's counter: threads of HotSpot that Java never sees come before
    /// it, as many as on a machine of two processors.
    pub fn first_thread_id(self) -> u64 {
        if self.0 >= 24 { 12 } else { 9 }
    }

    /// Ids that hidden threads of HotSpot take between its signal dispatcher and its notification thread: compilers,
    /// and the like.
    pub(crate) fn hidden_threads(self) -> u64 {
        if self.0 < 21 { 5 } else { 4 }
    }
}

/// How a program's main method is to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MainKind {
    pub is_static: bool,
    pub takes_args: bool,
}

impl MainKind {
    pub fn descriptor(self) -> &'static str {
        if self.takes_args {
            "([Ljava/lang/String;)V"
        } else {
            "()V"
        }
    }
}

#[cold]
pub(crate) fn lacks(class: &str, field: &str) -> String {
    format!("a JDK whose {} has no field {field}", class.replace('/', "."))
}

impl Vm {
    #[inline]
    pub fn release(&self) -> Release {
        Release(self.config.jdk_release)
    }

    /// Whether loaders of this class are the JDK's own, which live as long as the VM and are named without a number.
    pub(crate) fn is_jdk_loader(&self, class: ClassId) -> bool {
        self.class(class).loader == LoaderId::BOOT && self.class_name(class).starts_with(LOADERS)
    }

    /// Whether the platform loader is of this class.
    pub fn is_platform_loader(&self, class: ClassId) -> bool {
        self.class(class).loader == LoaderId::BOOT && self.class_name(class) == PLATFORM_LOADER
    }

    /// Offset of an instance field the VM cannot do without; a JDK that lacks it is beyond our limits.
    pub(crate) fn needed_offset(&self, class: ClassId, field: &str) -> Result<u32, Stop> {
        let found = self.find_field(class, field, "").map(|f| self.field(f).offset);
        found.ok_or_else(|| Stop::unsupported(lacks(self.class_name(class), field)))
    }

    /// The main method the launcher found. It has checked it; 21 to 24 say its kind in one number, later ones in two fields.
    pub(crate) fn main_method(&mut self, class: ClassId) -> Result<(MethodId, MainKind), Stop> {
        const WITHOUT_ARGS: i32 = 1;
        const NONSTATIC: i32 = 2;
        let launcher = self.boot_class(LAUNCHER)?;
        let launcher = self.mirror(launcher);
        let kind = if let Some(off) = self.try_off(LAUNCHER, "mainType") {
            let kind = self.heap.get_i32(launcher, off);
            MainKind {
                is_static: kind & NONSTATIC == 0,
                takes_args: kind & WITHOUT_ARGS == 0,
            }
        } else if let (Some(is_static), Some(no_args)) = (
            self.try_off(LAUNCHER, "isStaticMain"),
            self.try_off(LAUNCHER, "noArgMain"),
        ) {
            MainKind {
                is_static: self.heap.get_u8(launcher, is_static) != 0,
                takes_args: self.heap.get_u8(launcher, no_args) == 0,
            }
        } else {
            MainKind {
                is_static: true,
                takes_args: true,
            }
        };
        let found = self.find_method(class, "main", kind.descriptor());
        let found = found.filter(|m| self.method(*m).is_static() == kind.is_static);
        match found {
            Some(m) => Ok((m, kind)),
            None => Err(Stop::bug("the main method that the launcher found is not there")),
        }
    }

    /// Gives a thread that the VM made itself its group and priority, where the release keeps them.
    pub(crate) fn set_thread_basics(&mut self, thread: ObjRef, group: ObjRef) -> Result<(), Stop> {
        const NORMAL: i32 = 5;
        if self.try_off(THREAD, "priority").is_some() {
            self.set_int_field(thread, THREAD, "priority", NORMAL);
            self.set_ref_field(thread, THREAD, "group", group);
            return Ok(());
        }
        let class = self.boot_class(HOLDER)?;
        let holder = self.new_object(class)?;
        self.set_ref_field(thread, THREAD, "holder", holder);
        self.set_ref_field(holder, HOLDER, "group", group);
        self.set_int_field(holder, HOLDER, "priority", NORMAL);
        Ok(())
    }

    /// Takes ids for threads that only HotSpot has.
    pub(crate) fn skip_thread_ids(&mut self, n: u64) {
        let cell = self.threads.id_cell;
        if cell != 0 {
            let memory = &mut self.host.memory;
            let next = memory.load_u64(cell).unwrap_or(0) + n;
            memory.store_u64(cell, next);
        } else if let Some(off) = self.try_off(THREAD, "threadSeqNumber") {
            let mirror = self.mirror(self.known.thread);
            let last = self.heap.get_u64(mirror, off);
            self.heap.put_u64(mirror, off, last + n);
        }
    }

    /// Priority and daemon flag of a thread that the VM made itself.
    pub(crate) fn set_service_thread(&mut self, thread: ObjRef) {
        const NEAR_MOST: i32 = 9;
        let (facts, class) = match self.try_off(THREAD, "priority") {
            Some(_) => (thread, THREAD),
            None => (self.get_ref_field(thread, THREAD, "holder"), HOLDER),
        };
        self.set_int_field(facts, class, "priority", NEAR_MOST);
        self.set_bool_field(facts, class, "daemon", true);
    }

    /// The object that has a thread's status and daemon flag: itself, or its holder.
    fn thread_facts(&mut self, thread: ObjRef) -> Option<(ObjRef, &'static str)> {
        if self.try_off(THREAD, "threadStatus").is_some() {
            return Some((thread, THREAD));
        }
        let holder = self.get_ref_field(thread, THREAD, "holder");
        (!holder.is_null()).then_some((holder, HOLDER))
    }

    /// Sets the status that Java reads, as JVMTI numbers it.
    pub(crate) fn set_thread_status(&mut self, id: ThreadId, status: i32) {
        let object = self.threads.get(id).object;
        if object.is_null() {
            return;
        }
        if let Some((facts, class)) = self.thread_facts(object) {
            self.set_int_field(facts, class, "threadStatus", status);
        }
    }

    /// The status that Java reads.
    pub fn thread_status(&mut self, thread: ObjRef) -> i32 {
        match self.thread_facts(thread) {
            Some((facts, class)) => self.load_int_field(facts, class, "threadStatus"),
            None => 0,
        }
    }

    pub(crate) fn thread_is_daemon(&mut self, thread: ObjRef) -> bool {
        match self.thread_facts(thread) {
            Some((facts, class)) => self.get_bool_field(facts, class, "daemon"),
            None => false,
        }
    }

    /// The stack size a thread was made with, in bytes; 0 says that it does not matter.
    pub(crate) fn thread_stack_size(&mut self, thread: ObjRef) -> i64 {
        match self.thread_facts(thread) {
            Some((facts, class)) => self.get_long_field(facts, class, "stackSize"),
            None => 0,
        }
    }

    /// A thread that was stopped before it was started; only older releases know such.
    pub(crate) fn is_stillborn(&mut self, thread: ObjRef) -> bool {
        self.try_off(THREAD, "stillborn").is_some() && self.get_bool_field(thread, THREAD, "stillborn")
    }

    /// Fields of a mirror that some releases have in place of native methods.
    pub(crate) fn set_mirror_facts(&mut self, id: ClassId) {
        if !self.release().classes_know_their_facts() {
            return;
        }
        let mirror = self.mirror(id);
        if let Some(offset) = self.try_off("java/lang/Class", "modifiers") {
            let modifiers = crate::classes::attrs::modifiers(self, id);
            self.heap.put_u16(mirror, offset, modifiers);
        }
        if let Some(offset) = self.try_off("java/lang/Class", "primitive") {
            self.heap
                .put_u8(mirror, offset, u8::from(self.class(id).is_primitive()));
        }
        if let Some(offset) = self.try_off("java/lang/Class", "protectionDomain") {
            self.heap
                .put_ref(mirror, offset, self.class(id).protection_domain);
        }
    }
}
