//! Processes and their environment. Other processes are outside the VM's world.

use crate::classfile::descriptor::Prim;
use crate::host::PID;
use crate::natives::ctx::{Ctx, boolean, int, long};
use crate::natives::{Native, native};
use crate::stop::Stop;

const HANDLE: &str = "java/lang/ProcessHandleImpl";
const INFO: &str = "java/lang/ProcessHandleImpl$Info";

pub const TABLE: &[Native] = &[
    native("java/lang/ProcessEnvironment", "environ", "()[[B", environ),
    native(HANDLE, "initNative", "()V", super::nothing).leaf(),
    native(HANDLE, "getCurrentPid0", "()J", current_pid).leaf(),
    native(HANDLE, "isAlive0", "(J)J", is_alive).leaf(),
    native(HANDLE, "parent0", "(JJ)J", parent).leaf(),
    native(HANDLE, "getProcessPids0", "(J[J[J[J)I", process_pids),
    native(HANDLE, "destroy0", "(JJZ)Z", destroy).leaf(),
    native(HANDLE, "waitForProcessExit0", "(JZ)I", wait_for_exit).leaf(),
    native(INFO, "initIDs", "()V", super::nothing).leaf(),
    native(INFO, "info0", "(J)V", super::nothing).leaf(),
    native("java/lang/ProcessImpl", "init", "()V", super::nothing).leaf(),
    native(
        "java/lang/ProcessImpl",
        "forkAndExec",
        "(I[B[B[BI[BI[B[IZ)I",
        fork_and_exec,
    )
    .refused(),
];

/// Keys and values in turn, as bytes.
fn environ(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let pairs = c.vm.host.env.vars.clone();
    let element = c.vm.prim_array_class(Prim::Byte);
    let array = c.vm.new_ref_array(element, 2 * pairs.len() as i32)?;
    for (i, (key, value)) in pairs.iter().enumerate() {
        for (j, text) in [key, value].into_iter().enumerate() {
            let bytes = c.vm.new_bytes(text)?;
            c.vm.heap.elem_put_ref(array, (2 * i + j) as u32, bytes);
        }
    }
    Ok(array.bits())
}

fn current_pid(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(PID))
}

/// The start time in milliseconds, -1 for a process that is not there.
fn is_alive(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(if c.long(0) == PID { 0 } else { -1 }))
}

fn parent(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(if c.long(0) == PID { 1 } else { -1 }))
}

/// The guest sees itself alone, without children.
fn process_pids(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (of, pids, parents, starts) = (c.long(0), c.non_null(2)?, c.obj(3), c.obj(4));
    if of != 0 {
        return Ok(int(0));
    }
    if c.vm.heap.array_len(pids) > 0 {
        c.vm.heap.elem_put_i64(pids, 0, PID);
        if !parents.is_null() {
            c.vm.heap.elem_put_i64(parents, 0, 1);
        }
        if !starts.is_null() {
            c.vm.heap.elem_put_i64(starts, 0, 0);
        }
    }
    Ok(int(1))
}

fn destroy(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(false))
}

/// -2: not a child, and not to be waited for.
fn wait_for_exit(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(-2))
}

fn fork_and_exec(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(Stop::unsupported(
        "starting another process (java.lang.ProcessImpl.forkAndExec)",
    ))
}
