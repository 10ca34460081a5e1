//! On whose behalf a thread works: on that of whoever started it, or handed over the task that it runs.
//!
//! A task is known by its object. The methods that take tasks are called through the stub that lowers methods, for good, so
//! that each call is noted (`Vm::note_call`); neither the loop nor the compiler knows of it.

use super::Question;
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::ids::{MethodId, ObjRef, ThreadId};
use crate::interp::stubs;
use crate::vm::Vm;

const FORK_JOIN: &str = "java/util/concurrent/ForkJoinPool";
const FORK_JOIN_TASK: &[u8] = b"java/util/concurrent/ForkJoinTask";

/// What a call of a noted method means.
enum Noted {
    /// The object in this register is a task.
    Task(usize),
    Question(Question),
    Assertion,
}

impl Vm {
    /// What calls of a method are noted for.
    fn noted(&self, m: MethodId) -> Option<Noted> {
        if self.is_assertion(m) {
            return Some(Noted::Assertion);
        }
        let throws = self.throws.as_ref()?;
        let method = self.method(m);
        let name = self.syms.str(method.name);
        let desc = self.syms.bytes(method.desc);
        if name == "getDefault" {
            let asks = throws.questions.contains(&Question::Locale)
                && self.class_name(method.class) == "java/util/Locale";
            return asks.then_some(Noted::Question(Question::Locale));
        }
        if method.is_static() || method.is_abstract() || method.is_native() {
            return None;
        }
        match name {
            // Any executor's.
            "execute" if desc == b"(Ljava/lang/Runnable;)V" => Some(Noted::Task(1)),
            "delayedExecute" | "sched" => self
                .class_name(method.class)
                .starts_with("java/util/")
                .then_some(Noted::Task(1)),
            _ if name.contains("ush") || name.contains("ubmit") => {
                let pool = self.class_name(method.class).starts_with(FORK_JOIN);
                pool.then(|| fork_join_task(desc)).flatten().map(Noted::Task)
            }
            _ => None,
        }
    }

    /// Is the method to stay behind the stub?
    pub(crate) fn is_noted(&self, m: MethodId) -> bool {
        (self.throws.is_some() || self.asserts.is_some()) && self.noted(m).is_some()
    }

    /// Methods that were lowered before calls were to be noted go back behind the stub.
    pub(crate) fn note_calls_again(&mut self) {
        for i in 0..self.methods.len() {
            let m = MethodId(i as u32);
            let lowered = !self.method(m).ops.is_empty();
            if lowered && self.hot[i].code == self.method(m).ops.as_ptr() && self.noted(m).is_some() {
                self.forget_compiled(m);
                self.hot[i].code = stubs::LOWER.as_ptr();
            }
        }
    }

    /// A noted method is called; its frame is on top.
    #[cold]
    pub(crate) fn note_call(&mut self, m: MethodId) {
        match self.noted(m) {
            Some(Noted::Task(register)) => {
                let behalf = self.behalf_of(self.threads.current);
                let thread = self.threads.cur();
                let base = thread.frames.last().map_or(0, |f| f.base as usize);
                let bits = thread.regs.get(base + register);
                if let (Some(task), Some(throws)) = (self.object_in(bits), self.throws.as_mut()) {
                    throws.tasks.insert(task, behalf);
                }
            }
            Some(Noted::Question(what)) => self.note_question(what),
            Some(Noted::Assertion) => self.note_assertion(m),
            None => {}
        }
    }

    /// On whose behalf a thread works now: that of the innermost task it runs, or its own.
    pub fn behalf_of(&self, on: ThreadId) -> u32 {
        let thread = &self.threads.list[on.index()];
        let Some(throws) = &self.throws else {
            return thread.behalf;
        };
        if throws.tasks.is_empty() {
            return thread.behalf;
        }
        let frames = thread.frames.iter().rev();
        let methods = frames.filter(|f| f.cont.is_none() && f.method != crate::classes::loader::NO_METHOD);
        let receivers = methods.filter(|f| !self.method(f.method).is_static());
        let mut receivers = receivers.filter_map(|f| self.object_in(thread.regs.get(f.base as usize)));
        let task = receivers.find_map(|this| throws.tasks.get(&this));
        task.copied().unwrap_or(thread.behalf)
    }

    /// The object that a register may hold.
    pub(crate) fn object_in(&self, bits: u64) -> Option<ObjRef> {
        if bits == 0 || bits > u64::from(u32::MAX) {
            return None;
        }
        let object = ObjRef::from_bits(bits);
        self.heap.is_object(object).then_some(object)
    }
}

/// The register of an instance method's ForkJoinTask argument.
fn fork_join_task(desc: &[u8]) -> Option<usize> {
    let (types, _) = method_types(desc)?;
    let mut register = 1;
    for ty in types {
        match ty {
            Type::Ref(FORK_JOIN_TASK) => return Some(register),
            Type::Prim(Prim::Long | Prim::Double) => register += 2,
            _ => register += 1,
        }
    }
    None
}
