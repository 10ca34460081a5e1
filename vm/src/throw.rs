//! Exceptions the VM itself raises, and the backtraces all exceptions carry.

use crate::classfile::descriptor::Prim;
use crate::ids::{ClassId, MethodId, ObjRef, ThreadId};
use crate::interp::stubs;
use crate::stop::Stop;
use crate::vm::Vm;

/// One frame of a stack, for traces and walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameInfo {
    pub method: MethodId,
    pub bci: u16,
    pub native: bool,
}

/// HotSpot's default for -XX:MaxJavaStackTraceDepth.
const MAX_TRACE: usize = 1024;

/// Flags beside the bytecode index in a backtrace: the frame runs native code; hidden frames above it were left out.
const NATIVE_FRAME: i32 = 1 << 16;
const TOP_HIDDEN: i32 = 1 << 17;

impl Vm {
    /// The error of an access to native memory that is not there, such as the end of a mapped file that was cut.
    pub(crate) fn memory_fault(&mut self) -> Stop {
        self.throw("java/lang/InternalError", Some(self.release().memory_fault()))
    }
}

impl Vm {
    /// Raises an exception of a JDK class. If the class must be initialised first, the answer asks for that and
    /// the instruction that failed will fail again.
    pub fn throw(&mut self, class: &'static str, message: Option<&str>) -> Stop {
        match self.new_exception(class, message, None) {
            Ok(e) => Stop::Throw(e),
            Err(stop) => stop,
        }
    }

    pub fn throw_cause(&mut self, class: &'static str, message: Option<&str>, cause: ObjRef) -> Stop {
        match self.new_exception(class, message, Some(cause)) {
            Ok(e) => Stop::Throw(e),
            Err(stop) => stop,
        }
    }

    /// Makes an exception as its constructor would: message, cause, stack trace.
    pub fn new_exception(
        &mut self,
        class: &'static str,
        message: Option<&str>,
        cause: Option<ObjRef>,
    ) -> Result<ObjRef, Stop> {
        let id = self.boot_class(class)?;
        self.ensure_initialized(id)?;
        let message = match message {
            Some(text) => self.new_string(text)?,
            None => ObjRef::NULL,
        };
        let exception = self.new_throwable(id, message)?;
        // These two forbid a later initCause by a null cause.
        let fixed = matches!(
            class,
            "java/lang/ClassNotFoundException" | "java/lang/ExceptionInInitializerError"
        );
        if let Some(cause) = cause {
            self.heap.put_ref(exception, self.known.throwable_cause, cause);
        } else if fixed {
            self.heap
                .put_ref(exception, self.known.throwable_cause, ObjRef::NULL);
        }
        Ok(exception)
    }

    /// The ExceptionInInitializerError around what a static initialiser threw.
    pub(crate) fn new_initializer_error(&mut self, cause: ObjRef) -> Result<ObjRef, Stop> {
        self.new_exception("java/lang/ExceptionInInitializerError", None, Some(cause))
    }

    /// A throwable with its fields as Throwable's field initialisers leave them, and the current backtrace.
    pub fn new_throwable(&mut self, class: ClassId, message: ObjRef) -> Result<ObjRef, Stop> {
        let exception = self.new_object(class)?;
        self.heap
            .put_ref(exception, self.known.throwable_message, message);
        self.heap
            .put_ref(exception, self.known.throwable_cause, exception);
        let suppressed = self.static_ref("java/lang/Throwable", "SUPPRESSED_SENTINEL");
        self.heap
            .put_ref(exception, self.known.throwable_suppressed, suppressed);
        self.fill_in_stack_trace(exception)?;
        // As its fillInStackTrace would: the helpful message can be computed from this backtrace.
        if self.boot_cache.get("java/lang/NullPointerException") == Some(&class)
            && let Some(at) = self.try_off("java/lang/NullPointerException", "extendedMessageState")
        {
            self.heap.put_u32(exception, at, 1);
        }
        Ok(exception)
    }

    /// Stores the current thread's backtrace in a throwable: frames of the throwable's own constructors and
    /// `fillInStackTrace` left out, hidden frames too.
    pub fn fill_in_stack_trace(&mut self, exception: ObjRef) -> Result<(), Stop> {
        let class = self.heap.class_of(exception);
        let mut words = Vec::new();
        let mut held: Vec<ObjRef> = Vec::new();
        let (mut skipping, mut top_hidden) = (true, false);
        for frame in self.stack(self.threads.current) {
            let method = self.method(frame.method);
            if skipping {
                let name = self.syms.bytes(method.name);
                let own = name == b"fillInStackTrace" && self.is_subclass(class, method.class);
                if own || (name == b"<init>" && self.is_subclass(class, method.class)) {
                    continue;
                }
                skipping = false;
            }
            if method.traits.hidden {
                top_hidden |= words.is_empty();
                continue;
            }
            let flags = if frame.native { NATIVE_FRAME } else { 0 };
            let holder = self.class(method.class);
            if holder.mortal && held.last() != Some(&holder.mirror) {
                held.push(holder.mirror);
            }
            words.push(frame.method.0 as i32);
            words.push(i32::from(frame.bci) | flags);
            if words.len() / 2 == MAX_TRACE {
                break;
            }
        }
        if let Some(first) = words.get_mut(1).filter(|_| top_hidden) {
            *first |= TOP_HIDDEN;
        }
        let array = self.new_prim_array(Prim::Int, words.len() as i32)?;
        self.heap.ints_mut(array).copy_from_slice(&words);
        let mut backtrace = array;
        if !held.is_empty() {
            // Methods are named by numbers: their classes must be kept.
            backtrace = self.new_ref_array(self.known.object, held.len() as i32 + 1)?;
            let places = self.heap.refs_mut(backtrace);
            places[0] = array;
            places[1..].copy_from_slice(&held);
        }
        self.heap
            .put_ref(exception, self.known.throwable_backtrace, backtrace);
        self.heap
            .put_u32(exception, self.known.throwable_depth, words.len() as u32 / 2);
        let unassigned = self.static_ref("java/lang/Throwable", "UNASSIGNED_STACK");
        self.heap
            .put_ref(exception, self.known.throwable_stack, unassigned);
        if self.throws.is_some() {
            self.note_made(exception);
        }
        Ok(())
    }

    /// The frames a throwable was made in, top first.
    pub fn backtrace(&self, exception: ObjRef) -> Vec<FrameInfo> {
        let array = self.heap.get_ref(exception, self.known.throwable_backtrace);
        if array.is_null() {
            Vec::new()
        } else {
            self.decode_backtrace(array)
        }
    }

    /// The frames in a throwable's `backtrace`.
    pub fn decode_backtrace(&self, backtrace: ObjRef) -> Vec<FrameInfo> {
        let array = self.backtrace_words(backtrace);
        let decode = |c: &[i32]| FrameInfo {
            method: MethodId(c[0] as u32),
            bci: c[1] as u16,
            native: c[1] & NATIVE_FRAME != 0,
        };
        self.heap.ints(array).chunks_exact(2).map(decode).collect()
    }

    /// The numbers of a backtrace; it may have to hold on to classes beside them.
    fn backtrace_words(&self, backtrace: ObjRef) -> ObjRef {
        if self.heap.is_prim_array(backtrace) {
            backtrace
        } else {
            self.heap.refs(backtrace)[0]
        }
    }

    /// Was the exception raised in a hidden frame, which its backtrace leaves out?
    pub fn backtrace_top_hidden(&self, exception: ObjRef) -> bool {
        let array = self.heap.get_ref(exception, self.known.throwable_backtrace);
        !array.is_null()
            && self
                .heap
                .ints(self.backtrace_words(array))
                .get(1)
                .is_some_and(|w| w & TOP_HIDDEN != 0)
    }

    /// A thread's frames, top first: hidden ones too, the VM's own continuation frames not.
    pub fn stack(&self, thread: ThreadId) -> Vec<FrameInfo> {
        let frames = &self.threads.list[thread.index()].frames;
        let info = |f: &crate::interp::frame::Frame| {
            let method = self.method(f.method);
            if f.pc == stubs::NATIVE.as_ptr() {
                return FrameInfo {
                    method: f.method,
                    bci: 0,
                    native: true,
                };
            }
            let bci = self.bci_of(method, f.pc);
            FrameInfo {
                method: f.method,
                bci,
                native: false,
            }
        };
        frames
            .iter()
            .rev()
            .filter(|f| f.cont.is_none() && f.method != crate::classes::loader::NO_METHOD)
            .map(info)
            .collect()
    }

    /// The source line of a bytecode index, where the class file tells.
    pub fn line_at(&self, method: &crate::classes::class::Method, bci: u16) -> Option<u16> {
        let file = self.class(method.class).file?;
        file.line(&file.methods[usize::from(method.slot)], bci)
    }

    /// The bytecode index of an op of a method.
    pub fn bci_of(&self, method: &crate::classes::class::Method, pc: *const crate::link::op::Op) -> u16 {
        let index =
            (pc as usize).wrapping_sub(method.ops.as_ptr() as usize) / size_of::<crate::link::op::Op>();
        method.bcis.get(index).copied().unwrap_or(0)
    }

    /// The exception as `Throwable.toString` would give it, for messages of our own.
    pub fn describe_throwable(&self, exception: ObjRef) -> String {
        let name = self.java_name(self.heap.class_of(exception));
        let message = self.heap.get_ref(exception, self.known.throwable_message);
        if message.is_null() {
            name
        } else {
            format!("{name}: {}", self.text(message))
        }
    }
}
