//! sun.management.ThreadImpl.

use super::nothing;
use crate::{Ctx, Native, native};
use poldet_vm::ids::{LoaderId, ObjRef, ThreadId};
use poldet_vm::interp::threads::Status;
use poldet_vm::stop::{BlockOn, Completion, Stop, Then};
use poldet_vm::vm::Vm;

const THREADS: &str = "sun/management/ThreadImpl";
const THREAD_ARRAY: &str = "()[Ljava/lang/Thread;";
const INFO: &str = "java/lang/management/ThreadInfo";

pub const TABLE: &[Native] = &[
    native(THREADS, "getThreads", THREAD_ARRAY, all_threads),
    native(
        THREADS,
        "getThreadInfo1",
        "([JI[Ljava/lang/management/ThreadInfo;)V",
        thread_infos,
    ),
    native(THREADS, "dumpThreads0", "", dump_threads),
    native(THREADS, "getThreadTotalCpuTime0", "(J)J", cpu_time),
    native(THREADS, "getThreadUserCpuTime0", "(J)J", cpu_time),
    native(THREADS, "getThreadTotalCpuTime1", "([J[J)V", cpu_times),
    native(THREADS, "getThreadUserCpuTime1", "([J[J)V", cpu_times),
    native(THREADS, "getThreadAllocatedMemory0", "", allocated),
    native(THREADS, "getThreadAllocatedMemory1", "", nothing),
    native(THREADS, "getTotalThreadAllocatedMemory", "()J", allocated),
    native(THREADS, "setThreadCpuTimeEnabled0", "(Z)V", nothing),
    native(THREADS, "setThreadAllocatedMemoryEnabled0", "(Z)V", nothing),
    native(THREADS, "setThreadContentionMonitoringEnabled0", "(Z)V", nothing),
    native(THREADS, "findMonitorDeadlockedThreads0", THREAD_ARRAY, deadlocked),
    native(THREADS, "findDeadlockedThreads0", THREAD_ARRAY, deadlocked),
    native(THREADS, "resetPeakThreadCount0", "()V", nothing),
    native(THREADS, "resetContentionTimes0", "(J)V", nothing),
];

/// Live threads in the order they were started.
fn live(vm: &Vm) -> Vec<(ThreadId, ObjRef)> {
    let threads = vm.threads.list.iter();
    threads
        .filter(|t| t.status != Status::Ended && !t.object.is_null())
        .map(|t| (t.id, t.object))
        .filter(|(_, object)| !vm.is_virtual_thread(*object))
        .collect()
}

fn thread_array(vm: &mut Vm, threads: &[ObjRef]) -> Result<ObjRef, Stop> {
    let array = vm.new_ref_array(vm.known.thread, threads.len() as i32)?;
    vm.heap.refs_mut(array).copy_from_slice(threads);
    Ok(array)
}

fn all_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let threads: Vec<ObjRef> = live(c.vm).into_iter().map(|(_, object)| object).collect();
    Ok(thread_array(c.vm, &threads)?.bits())
}

/// All threads do their work on one processor: its time is everybody's.
fn cpu_time(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.now_nanos())
}

fn cpu_times(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.non_null(1)?;
    let now = c.vm.now_nanos() as i64;
    c.vm.heap.longs_mut(result).fill(now);
    Ok(0)
}

fn allocated(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.heap.used_bytes())
}

/// Threads that wait for monitors in a circle; null when there are none.
fn deadlocked(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let waits_for = |vm: &Vm, thread: ThreadId| match vm.threads.get(thread).status {
        Status::Blocked(BlockOn::Monitor(object)) => vm.lock_owner(object),
        _ => None,
    };
    let mut found = Vec::new();
    for (thread, object) in live(c.vm) {
        let mut at = waits_for(c.vm, thread);
        // A circle has no more members than there are threads.
        for _ in 0..c.vm.threads.list.len() {
            match at {
                Some(next) if next == thread => {
                    found.push(object);
                    break;
                }
                Some(next) => at = waits_for(c.vm, next),
                None => break,
            }
        }
    }
    if found.is_empty() {
        Ok(ObjRef::NULL.bits())
    } else {
        Ok(thread_array(c.vm, &found)?.bits())
    }
}

fn by_id(vm: &mut Vm, id: i64) -> ObjRef {
    let found = live(vm)
        .into_iter()
        .find(|(_, object)| vm.load_long_field(*object, "java/lang/Thread", "tid") == id);
    found.map_or(ObjRef::NULL, |(_, object)| object)
}

fn chosen(vm: &mut Vm, ids: ObjRef) -> Vec<ObjRef> {
    if ids.is_null() {
        return live(vm).into_iter().map(|(_, object)| object).collect();
    }
    let ids = vm.heap.load_longs(ids).to_vec();
    ids.into_iter().map(|id| by_id(vm, id)).collect()
}

/// `getThreadInfo1(long[] ids, int maxDepth, ThreadInfo[] result)`.
fn thread_infos(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (ids, depth, result) = (c.non_null(0)?, c.int(1), c.non_null(2)?);
    let threads = chosen(c.vm, ids);
    let threads = thread_array(c.vm, &threads)?;
    next_info(
        c.vm,
        &Walk {
            threads,
            result,
            depth,
            at: 0,
        },
    )
}

/// `dumpThreads0(long[] ids, boolean lockedMonitors, boolean lockedSynchronizers, int maxDepth)`.
fn dump_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (ids, depth) = (c.obj(0), c.int(3));
    let class = c.vm.load_class_by_name(LoaderId::BOOT, INFO)?;
    c.vm.ensure_initialized(class)?;
    let threads = chosen(c.vm, ids);
    let result = c.vm.new_ref_array(class, threads.len() as i32)?;
    let threads = thread_array(c.vm, &threads)?;
    next_info(
        c.vm,
        &Walk {
            threads,
            result,
            depth,
            at: 0,
        },
    )
}

/// One ThreadInfo is made after the other.
struct Walk {
    threads: ObjRef,
    result: ObjRef,
    /// Frames to show; negative for all.
    depth: i32,
    at: u32,
}

impl Walk {
    fn words(&self) -> Vec<u64> {
        vec![
            self.threads.bits(),
            self.result.bits(),
            self.depth as u32 as u64,
            u64::from(self.at),
        ]
    }

    fn of(words: &[u64]) -> Walk {
        Walk {
            threads: ObjRef::from_bits(words[0]),
            result: ObjRef::from_bits(words[1]),
            depth: words[2] as i32,
            at: words[3] as u32,
        }
    }
}

fn next_info(vm: &mut Vm, walk: &Walk) -> Result<u64, Stop> {
    let mut at = walk.at;
    let count = vm.heap.array_len(walk.threads);
    while at < count && vm.heap.elem_load_ref(walk.threads, at).is_null() {
        at += 1;
    }
    if at == count {
        return Ok(walk.result.bits());
    }
    make_info(vm, &Walk { at, ..*walk })
}

/// Calls ThreadInfo's constructor for the VM.
fn make_info(vm: &mut Vm, walk: &Walk) -> Result<u64, Stop> {
    let thread = vm.heap.elem_load_ref(walk.threads, walk.at);
    let trace = shown_frames(vm, thread, walk.depth)?;
    let class = vm.load_class_by_name(LoaderId::BOOT, INFO)?;
    let init = vm.declared_method(
        class,
        "<init>",
        "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;)V",
    );
    let init = init.ok_or_else(|| Stop::unsupported("java.lang.management.ThreadInfo's constructor"))?;
    let info = vm.new_object(class)?;
    let (lock, owner) = waiting_for(vm, thread);
    let status = vm.thread_status(thread);
    let mut args = vec![
        info.bits(),
        thread.bits(),
        u64::from(status as u32),
        lock.bits(),
        owner.bits(),
    ];
    // Blocked count and time, waited count and time: times are unknown while contention is not monitored.
    for value in [0, -1i64, 0, -1] {
        args.extend([value as u64, 0]);
    }
    args.push(trace.bits());
    vm.heap.elem_put_ref(walk.result, walk.at, info);
    Err(Stop::call(init, args, Then::Cont(info_made, walk.words())))
}

fn info_made(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => {
            let walk = Walk::of(state);
            next_info(
                vm,
                &Walk {
                    at: walk.at + 1,
                    ..walk
                },
            )
        }
        Completion::Thrown(error) => Err(Stop::Throw(error)),
    }
}

/// The frames of a thread, no more than asked for; a negative depth shows all.
fn shown_frames(vm: &mut Vm, thread: ObjRef, depth: i32) -> Result<ObjRef, Stop> {
    let trace = match vm.thread_of(thread) {
        Some(id) if depth != 0 => crate::java_lang_thread::thread_trace(vm, id)?,
        _ => return vm.new_ref_array(vm.known.stack_trace_element, 0),
    };
    let length = vm.heap.array_len(trace) as i32;
    if depth < 0 || depth >= length {
        return Ok(trace);
    }
    let array = vm.new_ref_array(vm.known.stack_trace_element, depth)?;
    vm.heap.copy_elements(trace, 0, array, 0, depth as u32);
    Ok(array)
}

/// The object a thread waits for, and who holds it.
fn waiting_for(vm: &mut Vm, thread: ObjRef) -> (ObjRef, ObjRef) {
    let Some(id) = vm.thread_of(thread) else {
        return (ObjRef::NULL, ObjRef::NULL);
    };
    match vm.threads.get(id).status {
        Status::Blocked(BlockOn::Monitor(object)) => {
            let owner = vm
                .lock_owner(object)
                .map_or(ObjRef::NULL, |owner| vm.threads.get(owner).object);
            (object, owner)
        }
        Status::Blocked(BlockOn::Wait { object, .. }) => (object, ObjRef::NULL),
        Status::Blocked(BlockOn::Park { .. }) => (
            vm.load_ref_field(thread, "java/lang/Thread", "parkBlocker"),
            ObjRef::NULL,
        ),
        _ => (ObjRef::NULL, ObjRef::NULL),
    }
}
