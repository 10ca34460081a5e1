//! Who expects an exception: the methods of test libraries that take one, and the try block that fails unless one is thrown.

use super::Expected;
use crate::classfile::ClassFile;
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::ids::{ClassId, MethodId, ObjRef, ThreadId};
use crate::link::decode::{bc, branch_target, insn_len, ranges, u16_at};
use crate::link::op::Op;
use crate::vm::Vm;

/// What a method expects of the exception it catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expectation {
    /// One of the class in this register, or exactly of it.
    Argument { register: usize, exactly: bool },
    /// One of the class in the receiver's field `expected`.
    Field,
    /// Any; the method throws if it is not wanted.
    Any,
    /// Any; whoever does not want it throws another with it as a cause.
    Later,
}

/// Methods that catch what a test expects. A class parameter, where there is one, names what is expected.
const METHODS: &[(&str, &str)] = &[
    ("org/junit/jupiter/api/AssertThrows", "assertThrows"),
    ("org/junit/jupiter/api/AssertThrowsExactly", "assertThrowsExactly"),
    ("org/junit/Assert", "assertThrows"),
    (
        "org/junit/internal/runners/statements/ExpectException",
        "evaluate",
    ),
    (
        "org/junit/rules/ExpectedException$ExpectedExceptionStatement",
        "evaluate",
    ),
    // The built-in JUnit's.
    ("org/junit/runner/Methods", "callExpecting"),
    ("org/assertj/core/api/ThrowableAssert", "catchThrowable"),
    ("org/testng/Assert", "expectThrows"),
];

/// Feature methods of Spock catch what their `when` blocks throw, for `thrown()` to judge.
const SPOCK: (&str, &str) = ("spock/lang/Specification", "$spock_feature_");

impl Vm {
    /// What a method expects, if it does.
    pub(super) fn expectation(&mut self, m: MethodId) -> Option<Expectation> {
        if let Some(known) = self.throws.as_ref()?.expectations.get(&m) {
            return *known;
        }
        let found = self.find_expectation(m);
        self.throws.as_mut()?.expectations.insert(m, found);
        found
    }

    fn find_expectation(&self, m: MethodId) -> Option<Expectation> {
        let method = self.method(m);
        let (class, name) = (self.class_name(method.class), self.syms.str(method.name));
        if name.starts_with(SPOCK.1) {
            let mut supers = self.class(method.class).display.iter();
            return supers
                .any(|c| self.class_name(*c) == SPOCK.0)
                .then_some(Expectation::Later);
        }
        METHODS.iter().find(|row| **row == (class, name))?;
        let (types, _) = method_types(self.syms.bytes(method.desc))?;
        let mut register = usize::from(!method.is_static());
        for ty in &types {
            if matches!(ty, Type::Ref(b"java/lang/Class")) {
                let exactly = name.ends_with("Exactly");
                return Some(Expectation::Argument { register, exactly });
            }
            register += if matches!(ty, Type::Prim(Prim::Long | Prim::Double)) {
                2
            } else {
                1
            };
        }
        let field = self.find_field(method.class, "expected", "Ljava/lang/Class;");
        Some(match field {
            Some(_) => Expectation::Field,
            None => Expectation::Any,
        })
    }

    /// What the exception is to the frame on top, which expects this and has caught it.
    pub(super) fn meets(
        &mut self,
        expectation: Expectation,
        e: ObjRef,
        chain: &[ObjRef],
    ) -> Option<Expected> {
        let (mirror, exactly) = match expectation {
            // A condition that does not hold is no exception that `thrown()` would ask for, and what was swallowed before is the reason.
            Expectation::Later if self.is_assertion_error(e) => return None,
            Expectation::Later => return Some(Expected::Maybe(self.threads.current, usize::MAX)),
            Expectation::Any => {
                let depth = self.threads.cur().frames.len();
                return Some(Expected::Maybe(self.threads.current, depth));
            }
            Expectation::Argument { register, exactly } => (self.top_register(register)?, exactly),
            Expectation::Field => {
                let this = self.top_register(0)?;
                let field = self.find_field(self.heap.class_of(this), "expected", "Ljava/lang/Class;")?;
                (self.heap.get_ref(this, self.field(field).offset), false)
            }
        };
        if mirror.is_null() || self.heap.class_of(mirror) != self.known.class {
            return None;
        }
        let wanted = self.class_of_mirror(mirror);
        let wrapper = "java/lang/reflect/InvocationTargetException";
        let e = match chain.get(1) {
            Some(target) if self.class_name(self.heap.class_of(e)) == wrapper => *target,
            _ => e,
        };
        let class = self.heap.class_of(e);
        let fits = class == wanted || !exactly && self.is_subclass(class, wanted);
        fits.then_some(Expected::Got)
    }

    fn is_assertion_error(&self, e: ObjRef) -> bool {
        let mut supers = self.class(self.heap.class_of(e)).display.iter();
        supers.any(|c| self.class_name(*c) == "java/lang/AssertionError")
    }

    /// An object in a register of the frame on top.
    fn top_register(&mut self, register: usize) -> Option<ObjRef> {
        let thread = self.threads.cur();
        let base = thread.frames.last()?.base as usize;
        let bits = thread.regs.get(base + register);
        self.object_in(bits)
    }

    /// The innermost frame of a thread that expects an exception, as a number of frames.
    pub(super) fn expecting_frame(&mut self, on: ThreadId) -> Option<usize> {
        let frames = &self.threads.list[on.index()].frames;
        let methods: Vec<MethodId> = frames
            .iter()
            .map(|f| match &f.cont {
                Some(_) => crate::classes::loader::NO_METHOD,
                None => f.method,
            })
            .collect();
        let expects =
            |m: &MethodId| *m != crate::classes::loader::NO_METHOD && self.expectation(*m).is_some();
        let mut methods = methods.iter();
        methods.rposition(expects).map(|at| at + 1)
    }

    /// Does the try block whose handler takes the exception fail at its end? Then the exception is what it waits for:
    /// `try { …; fail(); } catch (IOException expected) { }`.
    pub(super) fn fails_unless_thrown(&self, m: MethodId, pc: *const Op, e: ObjRef) -> bool {
        let method = self.method(m);
        if self.is_jdk_class(method.class) {
            return false;
        }
        let Some(file) = self.class(method.class).file else {
            return false;
        };
        let Some(code) = file.code(&file.methods[usize::from(method.slot)]) else {
            return false;
        };
        let bci = self.bci_of(method, pc);
        let Ok(table) = ranges(code.handlers) else {
            return false;
        };
        let class: ClassId = self.heap.class_of(e);
        let range = table.iter().find(|r| {
            (r.start..r.end).contains(&bci) && (r.catch == 0 || self.catches(method.class, r.catch, class))
        });
        range.is_some_and(|r| {
            r.catch != 0 && ends_in_failure(file, code.bytes, usize::from(r.start), usize::from(r.end))
        })
    }
}

/// Whether code that gets to its end has always called a method that fails, or thrown an AssertionError.
fn ends_in_failure(file: &ClassFile, code: &[u8], start: usize, end: usize) -> bool {
    let (mut at, mut last, mut before) = (start, start, start);
    let mut asserts = false;
    while at < end {
        // A jump past the end goes around the failure.
        if branch_target(code, at).is_some_and(|to| to == end as i64) {
            return false;
        }
        if code[at] == bc::NEW {
            let name = file.class_name(u16_at(code, at + 1)).unwrap_or_default();
            asserts |= name.ends_with(b"AssertionError") || name.ends_with(b"AssertionFailedError");
        }
        let Some(len) = insn_len(code, at) else {
            return false;
        };
        (before, last) = (last, at);
        at += len;
    }
    match code[last] {
        bc::ATHROW => asserts,
        // What the method returns is dropped.
        bc::POP => is_failure(file, code, before),
        _ => is_failure(file, code, last),
    }
}

fn is_failure(file: &ClassFile, code: &[u8], at: usize) -> bool {
    if !matches!(code[at], bc::INVOKESTATIC | bc::INVOKEVIRTUAL) {
        return false;
    }
    let member = file.member(u16_at(code, at + 1));
    member.is_some_and(|(_, name, _)| name == b"fail" || name == b"failBecauseExceptionWasNotThrown")
}
