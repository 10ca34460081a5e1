//! What the loop does outside its fast path: exceptions, calls on behalf of natives, scheduling, thread ends.

use crate::classes::class::Kind;
use crate::classes::loader::NO_METHOD;
use crate::ids::{ClassId, MethodId, ObjRef, ThreadId};
use crate::interp::frame::{Cont, Frame};
use crate::interp::stubs;
use crate::interp::threads::{Next, Status, TICK_NANOS};
use crate::link::lower::Cause;
use crate::link::op::Op;
use crate::stop::{Call, Completion, ContFn, Stop, Then};
use crate::vm::{Compile, HotMethod, Vm};

/// Ticks of a slice where everything is to be compiled early.
const EAGER_SLICE: i64 = 40;

/// Why the loop ended.
#[derive(Debug)]
pub enum Exit {
    /// The host's call of a Java method is done.
    Returned(Completion),
    /// No non-daemon thread is left.
    Finished,
    /// The program asked to end.
    Exit(i32),
    Deadlock(String),
    /// The embedder's deadline has come.
    TimedOut(String),
    Unsupported(String),
    Bug(String),
}

/// Whether the loop goes on.
pub enum Flow {
    Resume,
    Leave(Exit),
}

/// Why the fast path was left.
pub(crate) enum Slow {
    Stop(Stop),
    NullPointer,
    /// Index and length.
    Index(i32, u32),
    DivideByZero,
    StackOverflow,
    /// The slice is used up.
    Poll,
    /// A called method has returned this value to a continuation.
    Continue(u64),
}

impl Vm {
    /// What follows when the fast path was left; the frame's program counter has been saved.
    #[cold]
    #[inline(never)]
    pub(crate) fn slow_path(&mut self, why: Slow) -> Flow {
        let stop = match why {
            Slow::Stop(stop) => stop,
            Slow::NullPointer => self.null_pointer(),
            Slow::Index(index, len) => self.index_out_of_bounds(index, len),
            Slow::DivideByZero => self.throw("java/lang/ArithmeticException", Some("/ by zero")),
            Slow::StackOverflow => self.stack_overflow(),
            Slow::Poll => return self.poll(),
            Slow::Continue(value) => return self.resume_continuation(value),
        };
        self.handle(stop)
    }

    /// Carries out a stop of the running frame.
    pub(crate) fn handle(&mut self, stop: Stop) -> Flow {
        match stop {
            Stop::Throw(e) => self.unwind(e),
            Stop::Call(call) => self.push_call(*call),
            Stop::Block(on) => {
                self.block(on);
                self.switch()
            }
            Stop::OutOfMemory { bytes } => self.out_of_memory(bytes),
            Stop::Exit(status) => Flow::Leave(Exit::Exit(status)),
            Stop::Unsupported(what) => Flow::Leave(Exit::Unsupported(what.into())),
            Stop::Bug(what) => Flow::Leave(Exit::Bug(what.into())),
        }
    }

    /// Collects and tries again; if that was just done, it is an OutOfMemoryError.
    fn out_of_memory(&mut self, bytes: u64) -> Flow {
        // The same instruction again, with no call or loop in between: the collection did not help.
        let now = self.progress();
        let again = self
            .last_full
            .take()
            .is_some_and(|(at, ticks)| at == now.0 && ticks.abs_diff(now.1) <= 2);
        if !again && bytes <= self.heap.max_bytes() {
            self.collect(true);
            self.last_full = Some(now);
            return Flow::Resume;
        }
        match self.throw("java/lang/OutOfMemoryError", Some("Java heap space")) {
            Stop::Throw(e) => self.unwind(e),
            Stop::OutOfMemory { .. } => self.unwind(self.oom_instance),
            other => self.handle(other),
        }
    }

    /// Where the current thread stands: its frame's instruction, and the ticks used so far.
    fn progress(&mut self) -> ((ThreadId, usize, usize), u64) {
        let ticks = self.ticks + (self.slice_start - self.threads.slice).max(0) as u64;
        let thread = self.threads.cur();
        let pc = thread.frames.last().map_or(0, |f| f.pc as usize);
        ((thread.id, thread.frames.len(), pc), ticks)
    }

    /// Finds the handler of an exception, popping frames on the way.
    fn unwind(&mut self, e: ObjRef) -> Flow {
        if self.throws.is_some() {
            self.note_thrown(e);
        }
        loop {
            let Some(frame) = self.threads.cur().frames.last() else {
                return Flow::Leave(Exit::Bug("an exception left its thread".into()));
            };
            if frame.cont.is_some() {
                return self.run_continuation(Completion::Thrown(e));
            }
            let (m, pc, lock, base) = (frame.method, frame.pc, frame.lock, frame.base);
            if let Some((target, register)) = self.find_handler(m, pc, e) {
                if self.throws.is_some() {
                    self.note_caught(e, m, pc);
                }
                let thread = self.threads.cur();
                thread.regs.set(base as usize + register, e.bits());
                if let Some(frame) = thread.frames.last_mut() {
                    frame.pc = target;
                }
                return Flow::Resume;
            }
            if self.throws.is_some() {
                self.note_left(m);
            }
            if !lock.is_null() {
                // The monitor may have been given up by unbalanced code; the exception on its way wins.
                let _ = self.monitor_exit(lock);
            }
            self.threads.cur().frames.pop();
        }
    }

    /// The op to go on at when `e` is thrown at `pc`, and the register that takes it.
    fn find_handler(&self, m: MethodId, pc: *const Op, e: ObjRef) -> Option<(*const Op, usize)> {
        let method = self.method(m);
        if method.handlers.is_empty() {
            return None;
        }
        let index = (pc as usize).wrapping_sub(method.ops.as_ptr() as usize) / size_of::<Op>();
        let index = u32::try_from(index)
            .ok()
            .filter(|i| (*i as usize) < method.ops.len())?;
        let class = self.heap.class_of(e);
        let handler = method.handlers.iter().find(|h| {
            h.start <= index
                && index < h.end
                && (h.catch_cp == 0 || self.catches(method.class, h.catch_cp, class))
        })?;
        let file = self.class(method.class).file?;
        let code = file.code(&file.methods[usize::from(method.slot)])?;
        Some((
            &raw const method.ops[handler.target as usize],
            usize::from(code.max_locals),
        ))
    }

    /// Does a catch clause take exceptions of this class? A class caught must be among the exception's supers, so
    /// nothing needs to be loaded for the answer.
    pub(crate) fn catches(&self, from: ClassId, cp: u16, class: ClassId) -> bool {
        let from = self.class(from);
        if let crate::classes::class::CpEntry::Class(caught) = from.cp[usize::from(cp)] {
            return self.is_subclass(class, caught);
        }
        let Some(name) = from.file.and_then(|f| f.class_name(cp)) else {
            return false;
        };
        let named = self
            .class(class)
            .display
            .iter()
            .find(|c| self.syms.bytes(self.class(**c).name) == name);
        match named {
            None => false,
            Some(c) => match self.find_loaded(from.loader, self.class(*c).name) {
                Some(seen) => seen == *c,
                None => true,
            },
        }
    }

    /// Puts a Java method on the stack for the frame on top, with the continuations it asks for.
    fn push_call(&mut self, call: Call) -> Flow {
        let Call {
            method,
            args,
            then,
            outer,
        } = call;
        for (f, state, deliver) in outer.into_iter().rev() {
            self.push_cont(f, state, deliver);
        }
        match then {
            Then::Retry => self.push_cont(pass, vec![], false),
            Then::RetryAfter(f, state) => self.push_cont(f, state, false),
            Then::Return => self.push_cont(pass, vec![], true),
            Then::Cont(f, state) => self.push_cont(f, state, true),
        }
        self.push_frame(method, &args)
    }

    fn push_cont(&mut self, f: ContFn, state: Vec<u64>, deliver: bool) {
        let thread = self.threads.cur();
        let base = thread.frames.last().map_or(0, |f| f.base + f.regs);
        thread.frames.push(Frame {
            pc: stubs::CONTINUE.as_ptr(),
            method: NO_METHOD,
            base,
            regs: 0,
            lock: ObjRef::NULL,
            cont: Some(Box::new(Cont {
                f,
                state,
                deliver,
                done: None,
            })),
        });
    }

    /// Enters a method above the top frame's window.
    fn push_frame(&mut self, m: MethodId, args: &[u64]) -> Flow {
        let hot = self.hot[m.index()];
        let thread = self.threads.cur();
        let max_frames = thread.max_frames;
        let base = thread.frames.last().map_or(0, |f| f.base + f.regs) as usize;
        if base + (hot.regs as usize).max(args.len()) > thread.regs.len() || thread.frames.len() >= max_frames
        {
            let stop = self.stack_overflow();
            return self.handle(stop);
        }
        for (i, v) in args.iter().enumerate() {
            thread.regs.set(base + i, *v);
        }
        let pc = if hot.flags & HotMethod::SYNCHRONIZED != 0 {
            stubs::ENTER.as_ptr()
        } else {
            hot.code
        };
        thread.frames.push(Frame {
            pc,
            method: m,
            base: base as u32,
            regs: hot.regs,
            lock: ObjRef::NULL,
            cont: None,
        });
        Flow::Resume
    }

    /// The method a continuation waited for has returned this value.
    pub(crate) fn resume_continuation(&mut self, value: u64) -> Flow {
        self.run_continuation(Completion::Value(value))
    }

    fn run_continuation(&mut self, done: Completion) -> Flow {
        let mut done = done;
        loop {
            let Some(frame) = self.threads.cur().frames.last_mut() else {
                return Flow::Leave(Exit::Bug("no continuation".into()));
            };
            // Coming back with an exception supersedes what was to be tried again.
            let base = frame.base;
            let Some(cont) = frame.cont.as_mut() else {
                return Flow::Leave(Exit::Bug("continuation expected".into()));
            };
            if let (Some(before), Completion::Value(_)) = (cont.done.take(), done) {
                done = before;
            }
            let (f, state, deliver) = (cont.f, std::mem::take(&mut cont.state), cont.deliver);
            match f(self, done, &state) {
                Ok(v) => {
                    self.threads.cur().frames.pop();
                    if self.threads.cur().frames.is_empty() {
                        return self.thread_left();
                    }
                    if deliver {
                        return self.native_returns(v);
                    }
                    let below = self.threads.cur().frames.last().is_some_and(|f| f.cont.is_some());
                    if !below {
                        return Flow::Resume;
                    }
                    self.threads.cur().regs.set(base as usize, v);
                    done = Completion::Value(v);
                }
                Err(Stop::Call(call)) => {
                    if matches!(call.then, Then::Retry | Then::RetryAfter(..)) {
                        self.put_back(state, done);
                        return self.push_call(*call);
                    }
                    self.threads.cur().frames.pop();
                    let flow = self.push_call(*call);
                    if !deliver {
                        self.undeliver();
                    }
                    return flow;
                }
                Err(Stop::Throw(e)) => {
                    self.threads.cur().frames.pop();
                    if self.threads.cur().frames.is_empty() {
                        return Flow::Leave(Exit::Bug("an exception left its thread".into()));
                    }
                    return self.unwind(e);
                }
                Err(stop) => {
                    self.put_back(state, done);
                    // Blocked or out of memory: the continuation's op runs again.
                    if let Some(frame) = self.threads.cur().frames.last_mut() {
                        frame.pc = &raw const stubs::CONTINUE[1];
                    }
                    return self.handle(stop);
                }
            }
        }
    }

    fn put_back(&mut self, state: Vec<u64>, done: Completion) {
        if let Some(cont) = self.threads.cur().frames.last_mut().and_then(|f| f.cont.as_mut()) {
            cont.state = state;
            cont.done = Some(done);
        }
    }

    /// The continuation just pushed belongs to one whose value nobody takes.
    fn undeliver(&mut self) {
        if let Some(cont) = self
            .threads
            .cur()
            .frames
            .iter_mut()
            .rev()
            .find_map(|f| f.cont.as_mut())
        {
            cont.deliver = false;
        }
    }

    /// The native frame on top is done.
    fn native_returns(&mut self, v: u64) -> Flow {
        let thread = self.threads.cur();
        let Some(frame) = thread.frames.pop() else {
            return Flow::Leave(Exit::Bug("no native frame to return from".into()));
        };
        thread.regs.set(frame.base as usize, v);
        let Some(caller) = thread.frames.last_mut() else {
            return Flow::Leave(Exit::Bug("native frame without caller".into()));
        };
        caller.pc = caller.pc.wrapping_add(1);
        if !frame.lock.is_null() {
            let _ = self.monitor_exit(frame.lock);
        }
        Flow::Resume
    }

    /// The last frame of the current thread has gone: its thread has ended, or the host's call is done.
    fn thread_left(&mut self) -> Flow {
        if let Some(done) = self.host_result.take() {
            return Flow::Leave(Exit::Returned(done));
        }
        self.switch()
    }

    /// Before the loop's first op: a thread to run.
    pub(crate) fn start_running(&mut self) -> Flow {
        let current = self.threads.current;
        if self.threads.get(current).status == Status::Runnable
            && !self.threads.get(current).frames.is_empty()
        {
            self.threads.slice = self.next_slice();
            self.slice_start = self.threads.slice;
            return Flow::Resume;
        }
        self.switch()
    }

    fn next_slice(&mut self) -> i64 {
        match self.config.compile {
            Compile::Eager => EAGER_SLICE,
            Compile::Never | Compile::Hot => self.threads.next_slice(self.config.seed),
        }
    }

    /// Gives the processor to the next thread.
    fn switch(&mut self) -> Flow {
        self.account();
        match self.schedule() {
            Next::Run(id) => {
                if self.plug.deadline.is_some_and(|at| self.now_nanos() >= at) {
                    return Flow::Leave(Exit::TimedOut(self.timeout_report()));
                }
                self.tell(|part, vm| part.slice_ended(vm));
                self.threads.current = id;
                self.threads.slice = self.next_slice();
                self.slice_start = self.threads.slice;
                if self.threads.get(id).frames.is_empty() {
                    return self.switch();
                }
                match self.stopped() {
                    Some(death) => self.unwind(death),
                    None => Flow::Resume,
                }
            }
            Next::Deadlock => Flow::Leave(Exit::Deadlock(self.deadlock_report())),
            Next::Finished => Flow::Leave(Exit::Finished),
        }
    }

    /// What the current thread was stopped with, if this is a place where it can be thrown: not while it has a monitor
    /// to take back or was handed one, nor while it is about to end.
    fn stopped(&mut self) -> Option<ObjRef> {
        let thread = self.threads.cur();
        let ready = !thread.death.is_null()
            && thread.waiting.is_none()
            && thread.granted.is_null()
            && thread.frames.last().is_some_and(|f| f.cont.is_none());
        if !ready {
            return None;
        }
        thread.woken = false;
        Some(std::mem::replace(&mut thread.death, ObjRef::NULL))
    }

    /// Advances virtual time by the ticks used since it was last done.
    fn account(&mut self) {
        let used = (self.slice_start - self.threads.slice).max(0) as u64;
        self.host.clock.advance(used * TICK_NANOS);
        self.ticks += used;
        self.slice_start = self.threads.slice;
    }

    /// The running thread gets a slice of its own, as if it had just been given the processor.
    pub(crate) fn restart_slice(&mut self) {
        self.account();
        self.threads.slice = self.next_slice();
        self.slice_start = self.threads.slice;
    }

    /// The slice is used up: let time pass, collect if it is due, let others run.
    pub(crate) fn poll(&mut self) -> Flow {
        if let Some(what) = self.lacking.take() {
            return self.handle(Stop::unsupported(what));
        }
        if self.gc_requested || self.heap.should_collect() {
            self.collect(false);
        }
        self.sample();
        self.threads.queue.push_back(self.threads.current);
        self.switch()
    }

    /// `Thread.yield`, and the end of a native that made others runnable.
    pub fn yield_now(&mut self) {
        self.end_slice();
    }

    /// Ends the running thread's turn at the next tick; what is left of it has not been used.
    pub(crate) fn end_slice(&mut self) {
        self.slice_start -= self.threads.slice.max(0);
        self.threads.slice = 0;
    }

    pub(crate) fn stack_overflow(&mut self) -> Stop {
        self.throw("java/lang/StackOverflowError", None)
    }

    pub(crate) fn null_pointer(&mut self) -> Stop {
        let stop = self.throw("java/lang/NullPointerException", None);
        if let Stop::Throw(e) = stop {
            // As if the constructor had run: the message is computed from the bytecode when asked for.
            if let Some(off) = self.try_off("java/lang/NullPointerException", "numStackTracesFilledIn") {
                self.heap.put_u32(e, off, 1);
            }
        }
        stop
    }

    pub(crate) fn index_out_of_bounds(&mut self, index: i32, len: u32) -> Stop {
        let message = format!("Index {index} out of bounds for length {len}");
        self.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&message))
    }

    /// May `value` (not null) be stored in this array of references?
    #[inline]
    pub fn can_store(&self, array: ObjRef, value: ObjRef) -> bool {
        let Kind::Array { component, .. } = self.class(self.heap.class_of(array)).kind else {
            return false;
        };
        let class = self.heap.class_of(value);
        component == self.known.object || class == component || self.is_subclass(class, component)
    }

    pub(crate) fn array_store(&mut self, value: ObjRef) -> Stop {
        let name = self.java_name(self.heap.class_of(value));
        self.throw("java/lang/ArrayStoreException", Some(&name))
    }

    pub(crate) fn op_new_array(&mut self, class: ClassId, len: i32) -> Result<ObjRef, Stop> {
        if self.heap.should_collect() {
            self.collect(false);
        }
        self.new_array(class, len)
    }

    pub(crate) fn op_multi_new_array(&mut self, cp: u16, lens: &[i32]) -> Result<ObjRef, Stop> {
        let from = self.current_class();
        let class = self.resolve_class(from, cp)?;
        if let Some(negative) = lens.iter().find(|l| **l < 0) {
            return Err(self.throw(
                "java/lang/NegativeArraySizeException",
                Some(&negative.to_string()),
            ));
        }
        if self.heap.should_collect() {
            self.collect(false);
        }
        self.new_multi_array(class, lens)
    }

    /// An array of arrays; nothing collects while it is being made.
    pub fn new_multi_array(&mut self, class: ClassId, lens: &[i32]) -> Result<ObjRef, Stop> {
        let array = self.new_array(class, lens[0])?;
        if lens.len() > 1 {
            let Kind::Array { component, .. } = self.class(class).kind else {
                return Err(Stop::bug("multianewarray of no array class"));
            };
            for i in 0..lens[0] as u32 {
                let inner = self.new_multi_array(component, &lens[1..])?;
                self.heap.elem_put_ref(array, i, inner);
            }
        }
        Ok(array)
    }

    /// The class whose code is running.
    pub(crate) fn current_class(&mut self) -> ClassId {
        let m = self.threads.cur().frames.last().map_or(NO_METHOD, |f| f.method);
        self.method(m).class
    }

    pub(crate) fn finalizer_register(&mut self) -> Result<MethodId, Stop> {
        let finalizer = self.boot_class("java/lang/ref/Finalizer")?;
        self.ensure_initialized(finalizer)?;
        self.declared_method(finalizer, "register", "(Ljava/lang/Object;)V")
            .ok_or_else(|| Stop::bug("Finalizer.register is missing"))
    }

    /// A native method without a body of ours.
    pub(crate) fn missing_native(&mut self, m: MethodId) -> Result<u64, Stop> {
        let method = self.method(m);
        let name = self.syms.str(method.name);
        let jdk = self.is_jdk_class(method.class);
        // These only fill caches of JNI ids.
        if matches!(name, "registerNatives" | "initIDs") && jdk {
            return Ok(0);
        }
        let text = self.method_text(m);
        if !jdk {
            return Err(self.unbound_native(&text));
        }
        Err(Stop::unsupported(format!("native method {text}")))
    }

    pub(crate) fn invalid_method(&mut self) -> Stop {
        let m = self.threads.cur().frames.last().map_or(NO_METHOD, |f| f.method);
        match self.method(m).invalid.as_deref().cloned() {
            Some((class, message)) if class == "java/lang/VerifyError" => {
                self.throw("java/lang/VerifyError", Some(&message))
            }
            Some((class, message)) if class.is_empty() => Stop::unsupported(message),
            Some((_, message)) => self.throw("java/lang/ClassFormatError", Some(&message)),
            None => Stop::bug("invalid method without a reason"),
        }
    }

    /// Lowers the method of the top frame and makes the frame start it.
    pub(crate) fn op_lower(&mut self) -> Result<(), Stop> {
        let m = self.threads.cur().frames.last().map_or(NO_METHOD, |f| f.method);
        // Another thread may have been first; its ops are running and must stay.
        if self.method(m).ops.is_empty() {
            self.lower_method(m);
        }
        let hot = self.hot[m.index()];
        let thread = self.threads.cur();
        let regs = thread.regs.len();
        let Some(frame) = thread.frames.last_mut() else {
            return Err(Stop::bug("no frame"));
        };
        if frame.base as usize + hot.regs as usize > regs {
            return Err(self.stack_overflow());
        }
        frame.regs = hot.regs;
        frame.pc = hot.code;
        if hot.code == stubs::LOWER.as_ptr() {
            // Calls of it are noted: it stays behind the stub.
            let ops = self.method(m).ops.as_ptr();
            if let Some(frame) = self.threads.cur().frames.last_mut() {
                frame.pc = ops;
            }
            self.note_call(m);
        }
        Ok(())
    }

    pub(crate) fn lower_method(&mut self, m: MethodId) {
        let lowered = match self.code_to_lower(m) {
            Ok(None) => return,
            Ok(Some(file)) => {
                crate::link::lower::lower(file, &file.methods[usize::from(self.method(m).slot)])
            }
            Err(invalid) => Err(invalid),
        };
        let method = self.method(m);
        match lowered {
            Ok(lowered) => {
                let method = self.method_mut(m);
                method.ops = lowered.ops.into();
                method.bcis = lowered.bcis.into();
                method.handlers = lowered.handlers.into();
                method.switches = lowered.switches.into();
                let code = method.ops.as_ptr();
                let noted = self.is_noted(m);
                let hot = &mut self.hot[m.index()];
                if !noted {
                    hot.code = code;
                }
                hot.regs = lowered.regs;
            }
            Err(invalid) => {
                let why = match invalid.1 {
                    Cause::Limit => ("", format!("method {}: {}", self.method_text(m), invalid.0)),
                    Cause::Code => (
                        "java/lang/VerifyError",
                        format!(
                            "(class: {}, method: {} signature: {}) {}",
                            self.class_name(method.class),
                            self.syms.str(method.name),
                            self.syms.str(method.desc),
                            invalid.0
                        ),
                    ),
                };
                self.method_mut(m).invalid = Some(Box::new((why.0.into(), why.1)));
                self.hot[m.index()].code = stubs::INVALID.as_ptr();
            }
        }
    }

    /// A thread's first frames: what to do at its end, and the method it runs.
    pub(crate) fn push_thread_base(
        &mut self,
        id: ThreadId,
        m: MethodId,
        args: &[u64],
        end: ContFn,
        state: Vec<u64>,
    ) {
        let before = std::mem::replace(&mut self.threads.current, id);
        self.push_cont(end, state, false);
        let _ = self.push_frame(m, args);
        self.threads.current = before;
    }

    /// Calls a Java method from outside on the current (host) thread, and runs until it is done.
    pub fn call_java(&mut self, m: MethodId, args: &[u64]) -> Exit {
        let id = self.threads.current;
        self.push_thread_base(id, m, args, host_returned, vec![]);
        self.threads.set_status(id, Status::Runnable);
        self.run()
    }
}

/// A continuation that hands its value on.
fn pass(_: &mut Vm, done: Completion, _: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(v) => Ok(v),
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}

fn host_returned(vm: &mut Vm, done: Completion, _: &[u64]) -> Result<u64, Stop> {
    vm.host_result = Some(done);
    Ok(0)
}

/// A thread's `run` has returned or thrown: dispatch what it threw, call `Thread.exit`, wake who joins.
pub fn thread_ended(vm: &mut Vm, done: Completion, _: &[u64]) -> Result<u64, Stop> {
    let thread = vm.thread_object();
    let class = vm.heap.class_of(thread);
    if let Completion::Thrown(e) = done
        && let Some(m) = vm.find_method(class, "dispatchUncaughtException", "(Ljava/lang/Throwable;)V")
    {
        return Err(Stop::call(
            m,
            vec![thread.bits(), e.bits()],
            Then::Cont(thread_exits, vec![]),
        ));
    }
    thread_exits(vm, Completion::Value(0), &[])
}

fn thread_exits(vm: &mut Vm, dispatched: Completion, _: &[u64]) -> Result<u64, Stop> {
    let thread = vm.thread_object();
    if let Completion::Thrown(e) = dispatched {
        let line = format!(
            "\nException: {} thrown from the UncaughtExceptionHandler in thread \"{}\"\n",
            vm.java_name(vm.heap.class_of(e)),
            vm.thread_name(thread)
        );
        // A stderr that cannot be written to ends nothing.
        let _ = vm.host.write(2, line.as_bytes());
    }
    let base = vm.known.thread;
    match vm.declared_method(base, "exit", "()V") {
        Some(m) => Err(Stop::call(
            m,
            vec![thread.bits()],
            Then::Cont(thread_gone, vec![]),
        )),
        None => thread_gone(vm, Completion::Value(0), &[]),
    }
}

fn thread_gone(vm: &mut Vm, _: Completion, _: &[u64]) -> Result<u64, Stop> {
    let id = vm.threads.current;
    let thread = vm.thread_object();
    // Or it would end between a joining thread's check of it and its wait.
    vm.monitor_enter(thread)?;
    vm.set_thread_status(id, 2);
    vm.set_long_field(thread, "java/lang/Thread", "eetop", 0);
    for waiter in vm.waiters(thread) {
        vm.wake(waiter);
    }
    vm.monitor_exit(thread)?;
    vm.threads.set_status(id, Status::Ended);
    vm.heap.put_u32(thread, vm.known.thread_vm_id, 0);
    // The main thread's record stays what it is: the first.
    if id != ThreadId(0) {
        // A thread that has ended is an object like any other, and can be collected.
        let is_virtual = usize::from(vm.is_virtual_thread(thread));
        vm.threads.virtual_threads = vm.threads.virtual_threads.saturating_sub(is_virtual);
        vm.threads.cur().object = ObjRef::NULL;
        vm.threads.cur().scoped_values = ObjRef::NULL;
        vm.threads.ended.push_back(id);
    }
    Ok(0)
}

/// Index into `Known::prim_arrays` of a newarray type code (4 boolean … 11 long).
#[inline]
pub fn atype_index(atype: u16) -> usize {
    // Z C F D B S I J
    [0, 2, 6, 7, 1, 3, 4, 5][usize::from(atype.wrapping_sub(4) & 7)]
}

impl Vm {
    /// Runs a call that was asked for outside the loop, on the current (host) thread.
    pub(crate) fn run_call(&mut self, call: Call) -> Result<u64, crate::boot::Ended> {
        self.push_base_call(call, host_returned);
        let exit = self.run();
        self.host_outcome(exit)
    }

    /// Puts a call on the empty stack of the current thread, with `end` below it.
    pub(crate) fn push_base_call(&mut self, call: Call, end: ContFn) {
        self.threads.set_status(self.threads.current, Status::Runnable);
        self.push_cont(end, vec![], false);
        let _ = self.push_call(call);
    }
}
