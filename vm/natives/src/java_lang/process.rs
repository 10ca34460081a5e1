//! Processes and their environment.

use crate::{Native, native};
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::host::PID;
use poldet_vm::host::errno::Errno;
use poldet_vm::host::process::Order;
use poldet_vm::host::view::NO_VIEW;
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::stop::Stop;

const HANDLE: &str = "java/lang/ProcessHandleImpl";
const INFO: &str = "java/lang/ProcessHandleImpl$Info";

pub const TABLE: &[Native] = &[
    native("java/lang/ProcessEnvironment", "environ", "()[[B", environ),
    native(HANDLE, "initNative", "()V", super::nothing).leaf(),
    native(HANDLE, "getCurrentPid0", "()J", current_pid).leaf(),
    native(HANDLE, "isAlive0", "(J)J", is_alive),
    native(HANDLE, "parent0", "(JJ)J", parent),
    native(HANDLE, "getProcessPids0", "(J[J[J[J)I", process_pids),
    native(HANDLE, "destroy0", "(JJZ)Z", destroy),
    native(HANDLE, "waitForProcessExit0", "(JZ)I", wait_for_exit),
    native(INFO, "initIDs", "()V", super::nothing).leaf(),
    native(INFO, "info0", "(J)V", super::nothing).leaf(),
    native("java/lang/ProcessImpl", "init", "()V", super::nothing).leaf(),
    native(
        "java/lang/ProcessImpl",
        "forkAndExec",
        "(I[B[B[BI[BI[B[IZ)I",
        fork_and_exec,
    ),
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
    let pid = c.long(0);
    let alive = pid == PID || c.vm.host.processes.alive().contains(&pid);
    Ok(long(if alive { 0 } else { -1 }))
}

fn parent(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let pid = c.long(0);
    Ok(long(match pid {
        PID => 1,
        _ if c.vm.host.processes.is_child(pid) => PID,
        _ => -1,
    }))
}

/// The guest sees itself and the processes it has started, which have no children that it can see.
fn process_pids(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (of, pids, parents, starts) = (c.long(0), c.non_null(2)?, c.obj(3), c.obj(4));
    let children = c.vm.host.processes.alive();
    let mut list = Vec::new();
    if of == 0 {
        list.push((PID, 1));
    }
    if of == 0 || of == PID {
        list.extend(children.into_iter().map(|pid| (pid, PID)));
    }
    let room = c.vm.heap.array_len(pids);
    for (at, (pid, parent)) in (0..room).zip(&list) {
        c.vm.heap.elem_put_i64(pids, at, *pid);
        if !parents.is_null() {
            c.vm.heap.elem_put_i64(parents, at, *parent);
        }
        if !starts.is_null() {
            c.vm.heap.elem_put_i64(starts, at, 0);
        }
    }
    Ok(int(list.len() as i32))
}

fn destroy(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (pid, force) = (c.long(0), c.bool(4));
    Ok(boolean(c.vm.host.processes.kill(pid, force)))
}

/// -2: not a child, and not to be waited for.
fn wait_for_exit(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let pid = c.long(0);
    if !c.vm.host.processes.is_child(pid) {
        return Ok(int(-2));
    }
    match c.vm.host.processes.exit_of(pid) {
        Some(code) => Ok(int(code)),
        None => Err(c.wait_for_end()),
    }
}

/// int forkAndExec(int mode, byte[] helperpath, byte[] prog, byte[] argBlock, int argc, byte[] envBlock, int envc,
/// byte[] dir, int[] fds, boolean redirectErrorStream)
fn fork_and_exec(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (program, args) = (c.non_null(3)?, c.non_null(4)?);
    let program = first_text(c.vm.heap.load_bytes(program));
    let args = texts(c.vm.heap.load_bytes(args), c.int(5));
    let env = match c.obj(6) {
        block if block.is_null() => None,
        block => Some(texts(c.vm.heap.load_bytes(block), c.int(7))),
    };
    let dir = match c.obj(8) {
        dir if dir.is_null() => c.vm.host.env.dir.clone().into_bytes(),
        dir => first_text(c.vm.heap.load_bytes(dir)),
    };
    let fds = c.non_null(9)?;
    let fd = |c: &Ctx<'_>, i| Some(c.vm.heap.elem_load_i32(fds, i)).filter(|fd| *fd >= 0);
    let order = Order {
        streams: [fd(c, 0), fd(c, 1), fd(c, 2)],
        program,
        args,
        env,
        dir,
        merge: c.bool(10),
    };
    let started = match missing_program(c, &order) {
        Some(error) => Err(error),
        None => {
            refuse_unseen(c, &order)?;
            c.vm.host.start_process(&order)
        }
    };
    match started {
        Ok((pid, ends)) => {
            for (i, end) in ends.into_iter().enumerate() {
                c.vm.heap.elem_put_i32(fds, i as u32, end);
            }
            Ok(int(pid as i32))
        }
        Err(NO_VIEW) => Err(Stop::unsupported(format!(
            "a process ({}): the kernel does not let the overlay be mounted for it; --write-through lets it see the real files",
            String::from_utf8_lossy(&order.program)
        ))),
        Err(error) => {
            let message = c.vm.release().exec_failure(error.0, &error.text());
            Err(c.io_exception(&message))
        }
    }
}

/// A program that even the guest does not see cannot be started, wherever that would be.
fn missing_program(c: &Ctx<'_>, order: &Order) -> Option<Errno> {
    let fs = &c.vm.host.fs;
    if !order.program.contains(&b'/') {
        return None;
    }
    let file = in_folder(&fs.absolute(&order.dir), &order.program);
    fs.access(&file, libc::F_OK).err()
}

/// What a path means to a process that starts in a folder.
fn in_folder(dir: &[u8], path: &[u8]) -> Vec<u8> {
    match path.first() {
        Some(b'/') => path.to_vec(),
        _ => [dir, b"/", path].concat(),
    }
}

/// A process would look in vain for files that only the guest can see, and the guest would take that for the truth.
fn refuse_unseen(c: &Ctx<'_>, order: &Order) -> Result<(), Stop> {
    if c.vm.host.processes.have_views() {
        return Ok(());
    }
    let fs = &c.vm.host.fs;
    let dir = fs.absolute(&order.dir);
    let named = |word: &Vec<u8>| in_folder(&dir, word);
    let words = [&order.program]
        .into_iter()
        .chain(&order.args)
        .filter(|w| !w.is_empty());
    let mut paths = [dir.clone()].into_iter().chain(words.map(named));
    let absolute = |path: &Vec<u8>| order.args.contains(path);
    let unseen = |path: &Vec<u8>| {
        let parent = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at);
        fs.is_guests_own(path) || absolute(path) && parent > 0 && fs.is_guests_own(&path[..parent])
    };
    match paths.find(unseen) {
        Some(path) => Err(Stop::unsupported(format!(
            "a process ({}) on files that were written to the overlay, not to the real ones ({}); --write-through lets it \
             see them",
            String::from_utf8_lossy(&order.program),
            String::from_utf8_lossy(&path)
        ))),
        None => Ok(()),
    }
}

fn first_text(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|b| *b == 0).next().unwrap_or_default().to_vec()
}

/// So many texts, each ended by a zero byte.
fn texts(block: &[u8], count: i32) -> Vec<Vec<u8>> {
    block
        .split(|b| *b == 0)
        .take(count.max(0) as usize)
        .map(<[u8]>::to_vec)
        .collect()
}
