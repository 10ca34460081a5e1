//! Natives of java.lang that came with virtual threads and scoped values (JDK 21 and later). Virtual threads are
//! bound to green threads of their own: the JDK does that by itself where continuations are not supported.

use crate::{Ctx, Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::stop::Stop;

const THREAD: &str = "java/lang/Thread";
const VIRTUAL: &str = "java/lang/VirtualThread";

pub const TABLE: &[Native] = &[
    native(THREAD, "getNextThreadIdOffset", "()J", next_thread_id_cell),
    native(THREAD, "findScopedValueBindings", "()Ljava/lang/Object;", nothing).leaf(),
    // The cache only makes lookups faster; without one every lookup takes the slow path.
    native(THREAD, "scopedValueCache", "()[Ljava/lang/Object;", nothing).leaf(),
    native(THREAD, "setScopedValueCache", "([Ljava/lang/Object;)V", nothing).leaf(),
    native(THREAD, "getStackTrace0", "()Ljava/lang/Object;", stack_trace),
    native(VIRTUAL, "registerNatives", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiStart", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiEnd", "()V", nothing),
    native(VIRTUAL, "notifyJvmtiMount", "(Z)V", nothing),
    native(VIRTUAL, "notifyJvmtiUnmount", "(Z)V", nothing),
    native(VIRTUAL, "notifyJvmtiDisableSuspend", "(Z)V", nothing),
    native(VIRTUAL, "postPinnedEvent", "(Ljava/lang/String;)V", nothing),
];

/// The primordial thread is number 3; the counter gives what comes after.
const FIRST_THREAD_ID: u64 = 4;

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// Address of the counter that `Thread` takes its ids from; asked for once.
fn next_thread_id_cell(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let memory = &mut c.vm.host.memory;
    let Some(cell) = memory.alloc(8) else {
        return Err(c.vm.throw("java/lang/OutOfMemoryError", None));
    };
    memory.store_u64(cell, FIRST_THREAD_ID);
    Ok(cell)
}

fn stack_trace(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.non_null(0)?;
    match c.vm.thread_of(thread) {
        Some(id) => Ok(super::java_lang_thread::thread_trace(c.vm, id)?.bits()),
        None => Ok(ObjRef::NULL.bits()),
    }
}
