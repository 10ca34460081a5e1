//! Green threads on one OS thread, and their scheduler.
//!
//! A thread runs until its slice of ticks (calls and taken backward branches) is used up or it blocks. Time is
//! virtual: ticks advance it, and when every thread waits it jumps to the earliest deadline. Whoever becomes
//! runnable queues at the end, so two runs with the same seed schedule alike.

use crate::ids::{ClassId, ObjRef, ThreadId};
use crate::interp::frame::{Frame, RegStack};
use crate::interp::parked::Parked;
use crate::interp::trace::Site;
use crate::natives::outside::{INPUT_CHANNEL, OUTSIDE};
use crate::stop::{BlockOn, Stop};
use crate::sym::FixedMap;
use crate::vm::Vm;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Threads that can live at once: as many as a lock word can name. Memory ends before.
const MAX_THREADS: usize = (1 << 22) - 2;

/// Threads that the system would have to make: as many as Linux lets all processes have unless told otherwise.
const MAX_PLATFORM_THREADS: usize = 32_000;

/// The least and the most stack that a thread can ask for, in bytes, and what HotSpot gives one that does not ask.
const LEAST_STACK: u64 = 144 << 10;
const MOST_STACK: u64 = 1 << 30;
const HOTSPOT_STACK: u64 = 1 << 20;

/// Virtual nanoseconds per tick.
pub const TICK_NANOS: u64 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Runnable,
    Blocked(BlockOn),
    Ended,
}

/// A thread inside `Object.wait`: what it gave up and must take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub object: ObjRef,
    /// The lock's recursion count when `wait` was called.
    pub depth: u32,
    /// It has been notified, timed out or interrupted, and is taking the monitor back.
    pub leaving: bool,
}

pub struct Thread {
    pub id: ThreadId,
    /// The java.lang.Thread.
    pub object: ObjRef,
    pub frames: Vec<Frame>,
    pub regs: RegStack,
    /// Frames it may have.
    pub max_frames: usize,
    /// Set by `Threads::set_status` only.
    pub status: Status,
    pub daemon: bool,
    /// LockSupport's permit.
    pub permit: bool,
    /// Set when the scheduler ends a sleep, wait or park; the native that blocked takes it.
    pub woken: bool,
    pub waiting: Option<Waiting>,
    /// Order of blocking, for first come first served.
    pub blocked_at: u64,
    /// It was let in to a monitor and found it taken again.
    pub missed: bool,
    /// The monitor that was handed to it and that it has yet to notice.
    pub granted: ObjRef,
    /// `Thread.suspend`: whatever it waits for may come, it does not run.
    pub suspended: bool,
    /// What another thread gave to `Thread.stop`, until this one throws it.
    pub death: ObjRef,
    /// The stack that started it, innermost frame first.
    pub started_at: Rc<[Site]>,
    /// On whose behalf it works, as the embedder numbers them (`throws`).
    pub behalf: u32,
    /// The cache of scoped values, which Java makes and reads.
    pub scoped_values: ObjRef,
}

pub struct Threads {
    pub current: ThreadId,
    /// Boxed: the loop keeps a thread's address while the list grows.
    pub list: Vec<Box<Thread>>,
    /// Threads that have ended and whose records may be taken again.
    pub(crate) ended: VecDeque<ThreadId>,
    /// The blocked ones, by what they wait for and until when.
    pub(crate) parked: Parked,
    /// Non-daemon threads that have not ended.
    live: usize,
    /// Those of them that can go on by themselves: they run, or wait for a time that will come.
    hopeful: usize,
    pub queue: VecDeque<ThreadId>,
    /// Counts blockings.
    pub sequence: u64,
    /// Ticks left in the current slice.
    pub slice: i64,
    /// State of the generator that varies slices with the seed.
    pub rng: u64,
    /// Frames the running thread may have.
    pub max_frames: usize,
    /// Bytes of a thread's stack, as `-Xss` means it.
    stack_size: u64,
    /// Since when only daemon threads have had anything to do, in virtual time.
    pub idle_since: Option<u64>,
    /// The call a leaf native asked for before it was given a frame.
    pub leaf_call: Option<Stop>,
    /// Threads with a monitor handed to them that they have yet to notice.
    pub(crate) granted: u32,
    /// Live virtual threads, which no system limits.
    pub(crate) virtual_threads: usize,
    /// Address of the counter that Java takes thread ids from, where it is the VM's; 0 before it is asked for.
    pub id_cell: u64,
    /// How often monitors are held beyond what their lock words can count. Their objects are in frames of their owners.
    pub(crate) deep_locks: FixedMap<ObjRef, u32>,
}

/// Registers of a thread: a frame of HotSpot's interpreter takes some 100 bytes, ours is accounted alike.
fn max_regs(stack_size: u64) -> usize {
    (stack_size / 2).max(64 << 10) as usize
}

fn max_frames(stack_size: u64) -> usize {
    (stack_size / 80).max(512) as usize
}

impl Thread {
    /// Whether it keeps the program from ending, and whether it can go on by itself.
    fn counts(&self) -> (usize, usize) {
        let live = !self.daemon && self.status != Status::Ended;
        let goes_on = self.status == Status::Runnable || deadline(self.status).is_some();
        (usize::from(live), usize::from(live && goes_on && !self.suspended))
    }
}

/// Until when a thread waits, if it is blocked with a time limit.
pub(crate) fn deadline(status: Status) -> Option<u64> {
    match status {
        Status::Blocked(
            BlockOn::Wait { until, .. } | BlockOn::Park { until } | BlockOn::Channel { until, .. },
        ) => until,
        Status::Blocked(BlockOn::Sleep { until }) => Some(until),
        _ => None,
    }
}

impl Threads {
    /// Could a thread with such a stack be made?
    pub(crate) fn check_stack(stack_size: u64) -> Result<(), String> {
        RegStack::new(max_regs(stack_size)).map(drop)
    }

    pub fn new(stack_size: u64, seed: u64) -> Threads {
        Threads {
            current: ThreadId(0),
            list: Vec::new(),
            ended: VecDeque::new(),
            parked: Parked::default(),
            live: 0,
            hopeful: 0,
            queue: VecDeque::new(),
            sequence: 0,
            slice: 0,
            rng: seed ^ 0x5851_f42d_4c95_7f2d,
            max_frames: max_frames(stack_size),
            stack_size,
            idle_since: None,
            leaf_call: None,
            granted: 0,
            virtual_threads: 0,
            id_cell: 0,
            deep_locks: FixedMap::default(),
        }
    }

    /// The stack for a thread that asked for so many bytes, 0 if it did not. What it asks for is meant for HotSpot's frames:
    /// the default of `--stack` holds about as many as HotSpot's default does.
    pub(crate) fn stack_for(&self, asked: i64) -> u64 {
        let Some(asked) = u64::try_from(asked).ok().filter(|&asked| asked > 0) else {
            return self.stack_size;
        };
        let asked = asked.clamp(LEAST_STACK, MOST_STACK);
        let scaled = u128::from(asked) * u128::from(self.stack_size) / u128::from(HOTSPOT_STACK);
        u64::try_from(scaled).unwrap_or(MOST_STACK).min(2 * MOST_STACK)
    }

    /// Live threads that are not virtual.
    fn platform_threads(&self) -> usize {
        (self.list.len() - self.ended.len()).saturating_sub(self.virtual_threads)
    }

    /// The only way to change a thread's status: keeps what is derived from it.
    pub(crate) fn set_status(&mut self, id: ThreadId, status: Status) {
        self.change(id, |thread, parked| {
            if let Status::Blocked(on) = thread.status {
                parked.remove(on, thread.blocked_at);
            }
            thread.status = status;
            if let Status::Blocked(on) = status {
                parked.insert(on, deadline(status), thread.blocked_at, thread.id);
            }
        });
    }

    /// `Thread.suspend` and `resume`; answers what was before.
    pub fn set_suspended(&mut self, id: ThreadId, suspended: bool) -> bool {
        let mut before = false;
        self.change(id, |thread, _| {
            before = std::mem::replace(&mut thread.suspended, suspended);
        });
        before
    }

    fn change(&mut self, id: ThreadId, change: impl FnOnce(&mut Thread, &mut Parked)) {
        let thread = &mut self.list[id.index()];
        let before = thread.counts();
        change(thread, &mut self.parked);
        let after = thread.counts();
        self.live = self.live - before.0 + after.0;
        self.hopeful = self.hopeful - before.1 + after.1;
    }

    #[inline]
    pub fn cur(&mut self) -> &mut Thread {
        &mut self.list[self.current.index()]
    }

    #[inline]
    pub fn get(&self, id: ThreadId) -> &Thread {
        &self.list[id.index()]
    }

    /// A new thread record, or that of a thread that has ended: nothing refers to it by then.
    pub fn add(&mut self, object: ObjRef, daemon: bool) -> Result<ThreadId, String> {
        self.add_with_stack(object, daemon, self.stack_size)
    }

    /// The same with a stack of this size.
    pub(crate) fn add_with_stack(
        &mut self,
        object: ObjRef,
        daemon: bool,
        stack_size: u64,
    ) -> Result<ThreadId, String> {
        let current = self.current;
        let frames = max_frames(stack_size);
        // The one that is just ending still stands on its stack. Most have stacks of one size: the first will do.
        let free = |id: &ThreadId| *id != current && self.list[id.index()].max_frames == frames;
        let id = match self.ended.iter().position(free) {
            Some(at) => self.ended.remove(at).unwrap_or(current),
            None => self.new_record(stack_size)?,
        };
        let thread = &mut self.list[id.index()];
        thread.frames.clear();
        thread.object = object;
        thread.daemon = daemon;
        thread.permit = false;
        thread.woken = false;
        thread.waiting = None;
        thread.missed = false;
        thread.granted = ObjRef::NULL;
        thread.suspended = false;
        thread.death = ObjRef::NULL;
        thread.started_at = Rc::default();
        thread.behalf = 0;
        thread.scoped_values = ObjRef::NULL;
        self.set_status(id, Status::Runnable);
        Ok(id)
    }

    /// A record of a thread that has not begun.
    fn new_record(&mut self, stack_size: u64) -> Result<ThreadId, String> {
        if self.list.len() >= MAX_THREADS {
            return Err("too many threads".into());
        }
        let id = ThreadId(self.list.len() as u32);
        let max_frames = max_frames(stack_size);
        let mut frames = Vec::new();
        frames
            .try_reserve_exact(max_frames + 16)
            .map_err(|_| "cannot reserve a thread stack")?;
        self.list.push(Box::new(Thread {
            id,
            object: ObjRef::NULL,
            frames,
            regs: RegStack::new(max_regs(stack_size))?,
            max_frames,
            status: Status::Ended,
            daemon: true,
            permit: false,
            woken: false,
            waiting: None,
            blocked_at: 0,
            missed: false,
            granted: ObjRef::NULL,
            suspended: false,
            death: ObjRef::NULL,
            started_at: Rc::default(),
            behalf: 0,
            scoped_values: ObjRef::NULL,
        }));
        Ok(id)
    }

    /// The next slice: a fixed number of ticks, varied when a seed asks for it.
    pub fn next_slice(&mut self, seed: u64) -> i64 {
        if seed == 0 {
            return 20_000;
        }
        self.rng ^= self.rng << 13;
        self.rng ^= self.rng >> 7;
        self.rng ^= self.rng << 17;
        1_000 + (self.rng % 40_000) as i64
    }
}

/// What the scheduler found.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    Run(ThreadId),
    /// No thread can ever run again; some non-daemon thread waits.
    Deadlock,
    /// Only daemon threads are left, or none.
    Finished,
}

impl Vm {
    pub fn thread_object(&self) -> ObjRef {
        self.threads.get(self.threads.current).object
    }

    /// Virtual monotonic time.
    pub fn now_nanos(&self) -> u64 {
        self.host.clock.nanos()
    }

    /// Virtual wall clock.
    pub fn now_millis(&self) -> i64 {
        self.host.clock.wall_millis()
    }

    /// Parks the current thread.
    pub(crate) fn block(&mut self, on: BlockOn) {
        self.threads.sequence += 1;
        let at = self.threads.sequence;
        // Nothing done since it was chosen to run: it tried again what it had been blocked on.
        let at_once = self.threads.slice == self.slice_start;
        let thread = self.threads.cur();
        thread.missed = at_once && matches!(on, BlockOn::Monitor(_));
        thread.blocked_at = at;
        let id = self.threads.current;
        self.threads.set_status(id, Status::Blocked(on));
        self.publish_status(id, on);
    }

    /// Makes a blocked thread runnable again.
    pub fn wake(&mut self, id: ThreadId) {
        let thread = &mut self.threads.list[id.index()];
        if let Status::Blocked(on) = thread.status {
            thread.woken = matches!(
                on,
                BlockOn::Wait { .. } | BlockOn::Sleep { .. } | BlockOn::Park { .. }
            );
            if let (BlockOn::Wait { .. }, Some(w)) = (on, thread.waiting.as_mut()) {
                w.leaving = true;
            }
            self.threads.set_status(id, Status::Runnable);
            self.threads.queue.push_back(id);
            self.publish_runnable(id);
        }
    }

    /// Wakes whoever waits for this, longest waiting first.
    fn wake_all(&mut self, on: BlockOn) {
        for id in self.threads.parked.waiting_for(on) {
            self.wake(id);
        }
    }

    /// Wakes whoever waits for this in-VM channel.
    pub fn wake_channel(&mut self, channel: u64) {
        self.wake_all(BlockOn::Channel {
            id: channel,
            until: None,
        });
    }

    pub(crate) fn wake_class_init(&mut self, class: ClassId) {
        self.wake_all(BlockOn::ClassInit(class));
    }

    pub(crate) fn wake_reference_handler(&mut self) {
        self.wake_all(BlockOn::ReferencePending);
    }

    pub(crate) fn wake_monitor(&mut self, object: ObjRef) {
        self.wake_all(BlockOn::Monitor(object));
    }

    /// Threads in `Object.wait` on this object, longest waiting first.
    pub fn waiters(&self, object: ObjRef) -> Vec<ThreadId> {
        self.threads
            .parked
            .waiting_for(BlockOn::Wait { object, until: None })
    }

    /// Chooses the thread to run next; the current one, if still runnable, must have been queued.
    pub(crate) fn schedule(&mut self) -> Next {
        loop {
            self.wake_expired();
            if self.host.awaits_outside() {
                self.look_outside(0);
            }
            if self.only_daemons_go_on() {
                return Next::Deadlock;
            }
            while let Some(id) = self.threads.queue.pop_front() {
                let thread = self.threads.get(id);
                if thread.status == Status::Runnable && !thread.suspended {
                    return Next::Run(id);
                }
            }
            if self.threads.live == 0 {
                return Next::Finished;
            }
            match self.earliest_deadline() {
                at if self.host.awaits_outside() => self.wait_outside(at),
                Some(at) => self.host.clock.jump_to(at),
                None => return Next::Deadlock,
            }
        }
    }

    /// Wakes those who wait for other processes if one has done something; waits at most this long (ms) for that.
    fn look_outside(&mut self, patience: i32) -> bool {
        let ready = self.host.look_at_processes(patience);
        if ready {
            self.host.processes.clear_awaited();
            self.wake_channel(OUTSIDE);
        }
        for channel in self.host.net.take_wakes() {
            self.wake_channel(channel);
        }
        ready
    }

    /// Every thread waits, some for other processes: these run in real time, and so does the guest until one of them
    /// has done something or a thread's time has come.
    fn wait_outside(&mut self, until: Option<u64>) {
        const STEP: Duration = Duration::from_millis(5);
        let until = until.into_iter().chain(self.plug.deadline).min();
        let started = Instant::now();
        let left = until.map(|at| Duration::from_nanos(at.saturating_sub(self.now_nanos())));
        loop {
            let rest = left.map_or(STEP, |left| left.saturating_sub(started.elapsed()).min(STEP));
            if rest.is_zero() {
                if let Some(at) = until {
                    self.host.clock.jump_to(at);
                }
                // A timeout is reported by the loop, which must get a thread to see it.
                if self.plug.deadline.is_some_and(|at| self.now_nanos() >= at) {
                    self.host.processes.clear_awaited();
                    self.wake_channel(OUTSIDE);
                }
                return;
            }
            if self.look_outside(rest.as_millis().max(1) as i32) {
                return;
            }
            self.tell(|part, vm| part.slice_ended(vm));
        }
    }

    /// Every non-daemon thread waits without a time limit, and has for an hour of virtual time: daemon threads that
    /// wake now and then (the JDK's own cleaner does, each minute) will not free them any more.
    fn only_daemons_go_on(&mut self) -> bool {
        const PATIENCE: u64 = 3_600_000_000_000;
        let stuck = !self.host.awaits_outside() && self.threads.live > 0 && self.threads.hopeful == 0;
        if !stuck {
            self.threads.idle_since = None;
            return false;
        }
        let now = self.now_nanos();
        let since = *self.threads.idle_since.get_or_insert(now);
        now.saturating_sub(since) > PATIENCE
    }

    fn earliest_deadline(&mut self) -> Option<u64> {
        self.threads.parked.earliest(&self.threads.list).map(|(at, _)| at)
    }

    fn wake_expired(&mut self) {
        let now = self.now_nanos();
        while let Some((at, id)) = self.threads.parked.earliest(&self.threads.list)
            && at <= now
        {
            self.wake(id);
        }
    }

    /// java.lang.Thread.State as JVMTI bits, in the field Java reads.
    fn publish_status(&mut self, id: ThreadId, on: BlockOn) {
        const ALIVE: i32 = 1;
        let bits = match on {
            BlockOn::Monitor(_) => 0x400,
            BlockOn::Wait { until: None, .. } => 0x80 | 0x10 | 0x100,
            BlockOn::Wait { .. } => 0x80 | 0x20 | 0x100,
            BlockOn::Sleep { .. } => 0x80 | 0x20 | 0x40,
            BlockOn::Park { until: None } => 0x80 | 0x10 | 0x200,
            BlockOn::Park { .. } => 0x80 | 0x20 | 0x200,
            BlockOn::ClassInit(_) | BlockOn::ReferencePending | BlockOn::Channel { .. } => 4,
        };
        self.set_thread_status(id, ALIVE | bits);
    }

    fn publish_runnable(&mut self, id: ThreadId) {
        self.set_thread_status(id, 5);
    }

    /// The green thread of a java.lang.Thread, if it has been started and has not ended.
    pub fn thread_of(&self, object: ObjRef) -> Option<ThreadId> {
        let id = self.heap.get_u32(object, self.known.thread_vm_id);
        let id = ThreadId(id.checked_sub(1)?);
        (self.threads.get(id).status != Status::Ended).then_some(id)
    }

    /// Whether a java.lang.Thread is a virtual one.
    pub fn is_virtual_thread(&self, object: ObjRef) -> bool {
        let class = self.heap.class_of(object);
        let supers = &self.class(class).display;
        supers
            .iter()
            .any(|&s| self.class_name(s) == "java/lang/BaseVirtualThread")
    }

    /// One line for each thread that can never run again: who waits for whom.
    pub fn deadlock_report(&mut self) -> String {
        let reads = |t: &Thread| {
            matches!(
                t.status,
                Status::Blocked(BlockOn::Channel {
                    id: INPUT_CHANNEL,
                    ..
                })
            )
        };
        let mut out = if self.threads.list.iter().any(|t| reads(t)) {
            String::from("every thread waits, and nothing comes from standard input\n")
        } else {
            String::from("deadlock: every thread waits\n")
        };
        for i in 0..self.threads.list.len() {
            let t = &self.threads.list[i];
            let (status, object, suspended) = (t.status, t.object, t.suspended);
            if t.daemon || status == Status::Ended {
                continue;
            }
            let name = self.thread_name(object);
            let Status::Blocked(on) = status else {
                if suspended {
                    out.push_str(&format!("  \"{name}\" is suspended\n"));
                }
                continue;
            };
            let what = match on {
                BlockOn::Monitor(o) => {
                    let owner = self.lock_owner(o).map(|t| self.threads.get(t).object);
                    let owner = owner.map_or("nobody".into(), |o| format!("\"{}\"", self.thread_name(o)));
                    format!(
                        "waits to lock a {} held by {owner}",
                        self.java_name(self.heap.class_of(o))
                    )
                }
                BlockOn::Wait { object, .. } => {
                    format!(
                        "waits to be notified on a {}",
                        self.java_name(self.heap.class_of(object))
                    )
                }
                BlockOn::Park { .. } => "is parked".into(),
                BlockOn::Sleep { .. } => "sleeps".into(),
                BlockOn::ClassInit(c) => format!("waits for the initialisation of {}", self.java_name(c)),
                BlockOn::ReferencePending => "waits for cleared references".into(),
                BlockOn::Channel {
                    id: INPUT_CHANNEL, ..
                } => "waits for standard input".into(),
                BlockOn::Channel { .. } => "waits for input or output".into(),
            };
            out.push_str(&format!("  \"{name}\" {what}\n"));
            for frame in self.stack(ThreadId(i as u32)) {
                out.push_str(&format!("    at {}\n", self.frame_text(frame)));
            }
        }
        out
    }

    /// What every thread that could go on was doing.
    pub fn timeout_report(&mut self) -> String {
        let mut out = String::new();
        for i in 0..self.threads.list.len() {
            let t = &self.threads.list[i];
            let (runnable, object) = (t.status == Status::Runnable, t.object);
            if t.status == Status::Ended || t.frames.is_empty() || (t.daemon && !runnable) {
                continue;
            }
            let name = self.thread_name(object);
            let state = if runnable { "runs" } else { "waits" };
            out.push_str(&format!("  \"{name}\" {state}\n"));
            for frame in self.stack(ThreadId(i as u32)).into_iter().take(60) {
                out.push_str(&format!("    at {}\n", self.frame_text(frame)));
            }
        }
        out
    }

    pub(crate) fn thread_name(&mut self, thread: ObjRef) -> String {
        let name = self.get_ref_field(thread, "java/lang/Thread", "name");
        self.text(name)
    }

    /// `pkg.Class.method(File.java:12)`.
    pub fn frame_text(&self, frame: crate::throw::FrameInfo) -> String {
        let method = self.method(frame.method);
        let class = self.class(method.class);
        let place = match (frame.native, class.source_file) {
            (true, _) => "Native Method".to_string(),
            (false, Some(source)) => match self.line_at(method, frame.bci) {
                Some(line) => format!("{}:{line}", self.syms.str(source)),
                None => self.syms.str(source).to_string(),
            },
            (false, None) => "Unknown Source".to_string(),
        };
        format!(
            "{}.{}({place})",
            self.java_name(method.class),
            self.syms.str(method.name)
        )
    }

    /// Starts the green thread of a java.lang.Thread: its first frame calls `run()`.
    pub fn start_thread(&mut self, object: ObjRef) -> Result<(), Stop> {
        let class = self.heap.class_of(object);
        // One that was stopped before it was started only ends.
        let run = match self.is_stillborn(object) {
            true => self.declared_method(self.known.thread, "exit", "()V"),
            false => self.find_method(class, "run", "()V"),
        };
        let run = run.ok_or_else(|| Stop::bug("Thread.run is missing"))?;
        let daemon = self.thread_is_daemon(object);
        let asked = self.thread_stack_size(object);
        let stack = self.threads.stack_for(asked);
        let is_virtual = self.is_virtual_thread(object);
        let id = match is_virtual || self.threads.platform_threads() < MAX_PLATFORM_THREADS {
            true => self.threads.add_with_stack(object, daemon, stack).ok(),
            false => None,
        };
        let Some(id) = id else {
            let message =
                "unable to create native thread: possibly out of memory or process/resource limits reached";
            return Err(self.throw("java/lang/OutOfMemoryError", Some(message)));
        };
        self.threads.virtual_threads += usize::from(is_virtual);
        self.threads.list[id.index()].behalf = self.behalf_of(self.threads.current);
        self.heap.put_u32(object, self.known.thread_vm_id, id.0 + 1);
        self.set_long_field(object, "java/lang/Thread", "eetop", i64::from(id.0) + 1);
        self.set_thread_status(id, 5);
        self.push_thread_base(id, run, &[object.bits()], super::step::thread_ended, vec![]);
        let mut stack = Vec::new();
        self.heap.tracer().stack(&mut stack);
        self.threads.list[id.index()].started_at = stack.into();
        self.threads.queue.push_back(id);
        Ok(())
    }
}
