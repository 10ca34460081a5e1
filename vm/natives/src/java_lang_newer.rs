//! Natives of java.lang that came with virtual threads and scoped values (JDK 21 and later). Virtual threads are
//! bound to green threads of their own: the JDK does that by itself where continuations are not supported.

use crate::{Ctx, Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::interp::threads::Status;
use poldet_vm::stop::{BlockOn, Stop};

const THREAD: &str = "java/lang/Thread";
const VIRTUAL: &str = "java/lang/VirtualThread";
const SNAPSHOT: &str = "jdk/internal/vm/ThreadSnapshot";

/// Channel of the thread that would unblock virtual threads on monitors; nobody ever wakes it.
const UNBLOCKER_CHANNEL: u64 = 1 << 42;

pub const TABLE: &[Native] = &[
    native(THREAD, "getNextThreadIdOffset", "()J", next_thread_id_cell),
    native(
        THREAD,
        "findScopedValueBindings",
        "()Ljava/lang/Object;",
        find_bindings,
    ),
    native(THREAD, "scopedValueCache", "()[Ljava/lang/Object;", scoped_values).leaf(),
    native(
        THREAD,
        "setScopedValueCache",
        "([Ljava/lang/Object;)V",
        set_scoped_values,
    )
    .leaf(),
    native(THREAD, "getStackTrace0", "()Ljava/lang/Object;", stack_trace),
    native(VIRTUAL, "registerNatives", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiStart", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiEnd", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiMount", "(Z)V", nothing),
    native(VIRTUAL, "notifyJvmtiUnmount", "(Z)V", nothing),
    native(VIRTUAL, "notifyJvmtiDisableSuspend", "(Z)V", nothing),
    native(VIRTUAL, "notifyJvmtiHideFrames", "(Z)V", nothing),
    native(
        VIRTUAL,
        "takeVirtualThreadListToUnblock",
        "()Ljava/lang/VirtualThread;",
        nobody_to_unblock,
    ),
    native(
        SNAPSHOT,
        "create",
        "(Ljava/lang/Thread;)Ljdk/internal/vm/ThreadSnapshot;",
        snapshot,
    ),
    native(VIRTUAL, "postPinnedEvent", "(Ljava/lang/String;)V", nothing),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// Address of the counter that `Thread` takes its ids from; asked for once.
fn next_thread_id_cell(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let first = c.vm.release().first_thread_id();
    let memory = &mut c.vm.host.memory;
    let Some(cell) = memory.alloc(8) else {
        return Err(c.vm.throw("java/lang/OutOfMemoryError", None));
    };
    memory.store_u64(cell, first);
    c.vm.threads.id_cell = cell;
    Ok(cell)
}

fn stack_trace(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.non_null(0)?;
    match c.vm.thread_of(thread) {
        Some(id) => Ok(super::java_lang_thread::thread_trace(c.vm, id)?.bits()),
        None => Ok(ObjRef::NULL.bits()),
    }
}

/// The bindings in force, from the innermost frame that runs code with some.
fn find_bindings(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.thread();
    let thread = c.vm.threads.get(id);
    let runs_with = |m| {
        let method = c.vm.method(m);
        let class = c.vm.class_name(method.class);
        c.vm.syms.str(method.name) == "runWith"
            && (class == THREAD || class == "java/lang/ScopedValue$Carrier")
    };
    let frames = thread.frames.iter().rev().filter(|f| f.cont.is_none());
    let found = frames.into_iter().find(|f| runs_with(f.method));
    // The first argument after the receiver.
    Ok(found.map_or(0, |f| thread.regs.get(f.base as usize + 1)))
}

fn scoped_values(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.threads.cur().scoped_values.bits())
}

fn set_scoped_values(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.threads.cur().scoped_values = c.obj(0);
    Ok(0)
}

/// Bound threads wait for monitors themselves: there is never a thread to be unblocked.
fn nobody_to_unblock(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(Stop::Block(BlockOn::Channel {
        id: UNBLOCKER_CHANNEL,
        until: None,
    }))
}

/// All about a thread for a thread dump; null if it does not live.
fn snapshot(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const PARK_BLOCKER: i32 = 0;
    const WAITING_TO_LOCK: i32 = 1;
    const WAITING_ON: i32 = 2;
    let thread = c.non_null(0)?;
    let Some(id) = c.vm.thread_of(thread) else {
        return Ok(ObjRef::NULL.bits());
    };
    let class = c.vm.boot_class(SNAPSHOT)?;
    c.vm.ensure_initialized(class)?;
    let trace = super::java_lang_thread::thread_trace(c.vm, id)?;
    let made = c.vm.new_object(class)?;
    let name = c.vm.load_ref_field(thread, THREAD, "name");
    let status = c.vm.thread_status(thread);
    c.vm.set_ref_field(made, SNAPSHOT, "name", name);
    c.vm.set_int_field(made, SNAPSHOT, "threadStatus", status);
    c.vm.set_ref_field(made, SNAPSHOT, "stackTrace", trace);
    let blocker = match c.vm.threads.get(id).status {
        Status::Blocked(BlockOn::Monitor(object)) => Some((WAITING_TO_LOCK, object)),
        Status::Blocked(BlockOn::Wait { object, .. }) => Some((WAITING_ON, object)),
        Status::Blocked(BlockOn::Park { .. }) => {
            let blocker = c.vm.load_ref_field(thread, THREAD, "parkBlocker");
            Some((PARK_BLOCKER, blocker))
        }
        _ => None,
    };
    if let Some((kind, object)) = blocker {
        c.vm.set_int_field(made, SNAPSHOT, "blockerTypeOrdinal", kind);
        c.vm.set_ref_field(made, SNAPSHOT, "blockerObject", object);
    }
    Ok(made.bits())
}
