//! java.lang.Thread, the monitor methods of Object, and parking.

use crate::{Native, native};
use poldet_vm::ids::{ObjRef, ThreadId};
use poldet_vm::interp::threads::{Status, Waiting};
use poldet_vm::natives::ctx::{Ctx, boolean};
use poldet_vm::stop::{BlockOn, Stop};
use poldet_vm::vm::Vm;

/// What `Thread.yield` takes, in virtual time (ns).
const YIELD_NANOS: u64 = 1_000;

pub const TABLE: &[Native] = &[
    native(
        "java/lang/Thread",
        "currentThread",
        "()Ljava/lang/Thread;",
        current_thread,
    )
    .leaf(),
    native(
        "java/lang/Thread",
        "currentCarrierThread",
        "()Ljava/lang/Thread;",
        current_thread,
    )
    .leaf(),
    native(
        "java/lang/Thread",
        "setCurrentThread",
        "(Ljava/lang/Thread;)V",
        nothing,
    ),
    native("java/lang/Thread", "yield", "()V", yield_now),
    native("java/lang/Thread", "yield0", "()V", yield_now),
    native("java/lang/Thread", "sleep", "(J)V", sleep),
    native("java/lang/Thread", "sleep0", "(J)V", sleep_nanos),
    native("java/lang/Thread", "sleepNanos0", "(J)V", sleep_nanos),
    native("java/lang/Thread", "start0", "()V", start),
    native(
        "java/lang/Thread",
        "holdsLock",
        "(Ljava/lang/Object;)Z",
        holds_lock,
    ),
    native("java/lang/Thread", "setPriority0", "(I)V", nothing).leaf(),
    native("java/lang/Thread", "interrupt0", "()V", interrupt),
    native("java/lang/Thread", "clearInterruptEvent", "()V", nothing).leaf(),
    native(
        "java/lang/Thread",
        "setNativeName",
        "(Ljava/lang/String;)V",
        nothing,
    )
    .leaf(),
    native(
        "java/lang/Thread",
        "getThreads",
        "()[Ljava/lang/Thread;",
        get_threads,
    ),
    native(
        "java/lang/Thread",
        "dumpThreads",
        "([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;",
        dump_threads,
    ),
    native(
        "java/lang/Thread",
        "ensureMaterializedForStackWalk",
        "(Ljava/lang/Object;)V",
        nothing,
    )
    .leaf(),
    native("java/lang/Thread", "stop0", "(Ljava/lang/Object;)V", stop),
    native("java/lang/Thread", "suspend0", "()V", suspend),
    native("java/lang/Thread", "resume0", "()V", resume),
    native("java/lang/Object", "wait", "(J)V", wait),
    native("java/lang/Object", "wait0", "(J)V", wait),
    native("java/lang/Object", "notify", "()V", notify),
    native("java/lang/Object", "notifyAll", "()V", notify_all),
    native("jdk/internal/misc/Unsafe", "park", "(ZJ)V", park),
    native(
        "jdk/internal/misc/Unsafe",
        "unpark",
        "(Ljava/lang/Object;)V",
        unpark,
    ),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

fn current_thread(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.thread_object().bits())
}

fn yield_now(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.clock.spend(YIELD_NANOS);
    c.vm.yield_now();
    Ok(0)
}

fn suspend(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.obj(0);
    if let Some(id) = c.vm.thread_of(thread) {
        c.vm.threads.set_suspended(id, true);
        if id == c.vm.threads.current {
            c.vm.yield_now();
        }
    }
    Ok(0)
}

fn resume(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.obj(0);
    if let Some(id) = c.vm.thread_of(thread) {
        let was = c.vm.threads.set_suspended(id, false);
        let thread = c.vm.threads.get(id);
        // Its turn may have come and gone, or still be to come.
        if was && thread.status == Status::Runnable && !c.vm.threads.queue.contains(&id) {
            c.vm.threads.queue.push_back(id);
        }
    }
    Ok(0)
}

/// Thread.stop: the thread throws this when it next runs, woken if it sleeps, waits or is parked. One that has
/// not been started will not run.
fn stop(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (thread, death) = (c.obj(0), c.obj(1));
    let Some(id) = c.vm.thread_of(thread) else {
        c.vm.set_bool_field(thread, "java/lang/Thread", "stillborn", true);
        return Ok(0);
    };
    if id == c.vm.threads.current {
        return Err(Stop::Throw(death));
    }
    c.vm.threads.list[id.index()].death = death;
    if let Status::Blocked(BlockOn::Sleep { .. } | BlockOn::Wait { .. } | BlockOn::Park { .. }) =
        c.vm.threads.get(id).status
    {
        c.vm.wake(id);
    }
    Ok(0)
}

fn start(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.obj(0);
    if c.vm.heap.load_u32(thread, c.vm.known.thread_vm_id) != 0 {
        return Err(c.vm.throw("java/lang/IllegalThreadStateException", None));
    }
    c.vm.start_thread(thread)?;
    Ok(0)
}

fn holds_lock(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let o = c.non_null(0)?;
    Ok(boolean(c.vm.holds_lock(o)))
}

/// Takes the current thread's interrupted flag; the exception if it was set.
fn check_interrupt(vm: &mut Vm, message: Option<&str>) -> Result<(), Stop> {
    let thread = vm.thread_object();
    if vm.load_bool_field(thread, "java/lang/Thread", "interrupted") {
        let stop = vm.throw("java/lang/InterruptedException", message);
        if let Stop::Throw(_) = stop {
            vm.set_bool_field(thread, "java/lang/Thread", "interrupted", false);
        }
        return Err(stop);
    }
    Ok(())
}

fn sleep(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let millis = c.long(0);
    if millis < 0 {
        return Err(c.vm.throw(
            "java/lang/IllegalArgumentException",
            Some("timeout value is negative"),
        ));
    }
    sleep_for(c, (millis as u64).saturating_mul(1_000_000))
}

fn sleep_nanos(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let nanos = c.long(0).max(0) as u64;
    sleep_for(c, nanos)
}

fn sleep_for(c: &mut Ctx<'_>, nanos: u64) -> Result<u64, Stop> {
    if c.vm.threads.cur().woken {
        check_interrupt(c.vm, Some("sleep interrupted"))?;
        c.vm.threads.cur().woken = false;
        return Ok(0);
    }
    check_interrupt(c.vm, Some("sleep interrupted"))?;
    let until = c.vm.now_nanos().saturating_add(nanos);
    Err(Stop::Block(BlockOn::Sleep { until }))
}

/// Wakes a thread that sleeps, waits or is parked.
fn interrupt(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.obj(0);
    if let Some(id) = c.vm.thread_of(thread) {
        let status = c.vm.threads.get(id).status;
        if let Status::Blocked(
            BlockOn::Sleep { .. } | BlockOn::Wait { .. } | BlockOn::Park { .. } | BlockOn::Channel { .. },
        ) = status
        {
            c.vm.wake(id);
        } else {
            // A park that is about to happen must return at once.
            c.vm.threads.list[id.index()].permit = true;
        }
    }
    Ok(0)
}

fn get_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let live: Vec<ObjRef> =
        c.vm.threads
            .list
            .iter()
            .filter(|t| t.status != Status::Ended && !t.object.is_null())
            .map(|t| t.object)
            .filter(|t| !c.vm.is_virtual_thread(*t))
            .collect();
    let class = c.vm.known.thread;
    let array = c.vm.new_ref_array(class, live.len() as i32)?;
    for (i, t) in live.into_iter().enumerate() {
        c.vm.heap.elem_put_ref(array, i as u32, t);
    }
    Ok(array.bits())
}

fn dump_threads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let threads = c.non_null(0)?;
    let element = c.vm.boot_class("java/lang/StackTraceElement")?;
    c.vm.ensure_initialized(element)?;
    let element_array = c.vm.array_class_of(element)?;
    let n = c.vm.heap.array_len(threads);
    let result = c.vm.new_ref_array(element_array, n as i32)?;
    for i in 0..n {
        let thread = c.vm.heap.elem_load_ref(threads, i);
        let Some(id) = (if thread.is_null() {
            None
        } else {
            c.vm.thread_of(thread)
        }) else {
            continue;
        };
        let trace = thread_trace(c.vm, id)?;
        c.vm.heap.elem_put_ref(result, i, trace);
    }
    Ok(result.bits())
}

/// A thread's stack as StackTraceElement[].
pub(crate) fn thread_trace(vm: &mut Vm, id: ThreadId) -> Result<ObjRef, Stop> {
    let frames: Vec<_> = vm
        .stack(id)
        .into_iter()
        .filter(|f| !vm.method(f.method).traits.hidden)
        .collect();
    let class = vm.known.stack_trace_element;
    let array = vm.new_ref_array(class, frames.len() as i32)?;
    for (i, frame) in frames.into_iter().enumerate() {
        let element = vm.new_object(class)?;
        super::java_lang::throwable::fill_element(vm, element, frame)?;
        vm.heap.elem_put_ref(array, i as u32, element);
    }
    Ok(array)
}

/// Object.wait: gives the monitor up and blocks; run again when woken it takes the monitor back first.
fn wait(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (object, millis) = (c.obj(0), c.long(1));
    let vm = &mut *c.vm;
    if let Some(waiting) = vm
        .threads
        .cur()
        .waiting
        .filter(|w| w.object == object && w.leaving)
    {
        vm.monitor_retake(object, waiting.depth)?;
        vm.threads.cur().waiting = None;
        vm.threads.cur().woken = false;
        let death = std::mem::replace(&mut vm.threads.cur().death, ObjRef::NULL);
        if !death.is_null() {
            return Err(Stop::Throw(death));
        }
        // The exception's class is initialised since boot: no second run that would find the wait over.
        check_interrupt(vm, None)?;
        return Ok(0);
    }
    if millis < 0 {
        return Err(vm.throw(
            "java/lang/IllegalArgumentException",
            Some("timeout value is negative"),
        ));
    }
    if !vm.holds_lock(object) {
        return Err(vm.throw(
            "java/lang/IllegalMonitorStateException",
            Some("current thread is not owner"),
        ));
    }
    check_interrupt(vm, None)?;
    let until = (millis > 0).then(|| {
        vm.now_nanos()
            .saturating_add((millis as u64).saturating_mul(1_000_000))
    });
    let depth = vm.monitor_release_all(object);
    vm.threads.cur().waiting = Some(Waiting {
        object,
        depth,
        leaving: false,
    });
    Err(Stop::Block(BlockOn::Wait { object, until }))
}

fn notify(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    notify_some(c, 1)
}

fn notify_all(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    notify_some(c, usize::MAX)
}

fn notify_some(c: &mut Ctx<'_>, most: usize) -> Result<u64, Stop> {
    let object = c.obj(0);
    if !c.vm.holds_lock(object) {
        return Err(c.vm.throw(
            "java/lang/IllegalMonitorStateException",
            Some("current thread is not owner"),
        ));
    }
    for id in c.vm.waiters(object).into_iter().take(most) {
        c.vm.wake(id);
    }
    Ok(0)
}

fn park(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (absolute, time) = (c.bool(1), c.long(2));
    let vm = &mut *c.vm;
    let thread = vm.threads.cur();
    if thread.woken || thread.permit {
        thread.woken = false;
        thread.permit = false;
        return Ok(0);
    }
    let object = vm.thread_object();
    if vm.load_bool_field(object, "java/lang/Thread", "interrupted") {
        return Ok(0);
    }
    let now = vm.now_nanos();
    let until = match (absolute, time) {
        (true, deadline) => {
            let wait = deadline.saturating_sub(vm.now_millis());
            if wait <= 0 {
                return Ok(0);
            }
            Some(now.saturating_add((wait as u64).saturating_mul(1_000_000)))
        }
        (false, 0) => None,
        (false, nanos) if nanos < 0 => return Ok(0),
        (false, nanos) => Some(now.saturating_add(nanos as u64)),
    };
    Err(Stop::Block(BlockOn::Park { until }))
}

fn unpark(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.obj(1);
    if thread.is_null() {
        return Ok(0);
    }
    if let Some(id) = c.vm.thread_of(thread) {
        if matches!(c.vm.threads.get(id).status, Status::Blocked(BlockOn::Park { .. })) {
            c.vm.wake(id);
        } else {
            c.vm.threads.list[id.index()].permit = true;
        }
    }
    Ok(0)
}
