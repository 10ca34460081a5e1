//! Why an operation did not simply produce a value.
//!
//! Three failures are never mixed: `Throw` is a guest exception and the only one guest handlers see,
//! `Unsupported` is our limit, `Bug` is our fault. Beside them stand the requests that keep Java frames off the
//! Rust stack: `Call` asks the loop to run a Java method first, `Block` to park the thread.

use crate::ids::{MethodId, ObjRef};
use crate::vm::Vm;

pub enum Stop {
    /// A Java exception.
    Throw(ObjRef),
    /// Run this Java method on the same thread, then go on as it says.
    Call(Box<Call>),
    /// Park the current thread; when it is woken the instruction or native runs again from its start.
    Block(BlockOn),
    /// A heap allocation did not fit: collect, then run the instruction or native again; a second failure in a
    /// row becomes an OutOfMemoryError.
    OutOfMemory { bytes: u64 },
    /// End the program with this exit status, past every handler (`Runtime.halt`).
    Exit(i32),
    /// Our limit, by name.
    Unsupported(Box<str>),
    /// Our fault.
    Bug(Box<str>),
}

/// A Java method to run on behalf of a native or an instruction.
pub struct Call {
    pub method: MethodId,
    /// Register images in JVM slot order (receiver first; a long or double takes two entries, the second unused).
    pub args: Vec<u64>,
    pub then: Then,
    /// Continuations that run after `then`'s, innermost first; and whether the value is the native's result.
    pub outer: Vec<(ContFn, Vec<u64>, bool)>,
}

pub enum Then {
    /// Discard the result and run the instruction or native again.
    Retry,
    /// The result is the native's result.
    Return,
    /// Hand result or exception to a function; what it returns is the native's outcome. The state words are
    /// scanned as (possible) references by the collector.
    Cont(ContFn, Vec<u64>),
    /// Hand result or exception to a function, drop what it returns, run the instruction or native again.
    RetryAfter(ContFn, Vec<u64>),
}

pub type ContFn = fn(&mut Vm, Completion, &[u64]) -> Result<u64, Stop>;

/// How a called Java method ended.
#[derive(Clone, Copy, Debug)]
pub enum Completion {
    Value(u64),
    Thrown(ObjRef),
}

/// What a parked thread waits for. Waking is the scheduler's business (`interp/threads.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOn {
    /// To own this object's monitor.
    Monitor(ObjRef),
    /// To be notified on this object, until the virtual time (ns) if any.
    Wait {
        object: ObjRef,
        until: Option<u64>,
    },
    Sleep {
        until: u64,
    },
    Park {
        until: Option<u64>,
    },
    /// Another thread is initialising this class.
    ClassInit(crate::ids::ClassId),
    /// The reference pending list is empty.
    ReferencePending,
    /// Something of the in-VM world (a loopback socket, a pipe) identified by a number; woken by
    /// `Vm::wake_channel`, or when the time (ns, virtual) has come.
    Channel {
        id: u64,
        until: Option<u64>,
    },
}

impl Stop {
    pub fn bug(what: impl Into<String>) -> Stop {
        Stop::Bug(what.into().into_boxed_str())
    }

    pub fn unsupported(what: impl Into<String>) -> Stop {
        Stop::Unsupported(what.into().into_boxed_str())
    }

    pub fn call(method: MethodId, args: Vec<u64>, then: Then) -> Stop {
        Stop::Call(Box::new(Call {
            method,
            args,
            then,
            outer: Vec::new(),
        }))
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Throw(o) => write!(f, "Throw({o:?})"),
            Stop::Call(c) => write!(f, "Call({:?})", c.method),
            Stop::Block(b) => write!(f, "Block({b:?})"),
            Stop::OutOfMemory { bytes } => write!(f, "OutOfMemory({bytes})"),
            Stop::Exit(s) => write!(f, "Exit({s})"),
            Stop::Unsupported(s) => write!(f, "Unsupported({s})"),
            Stop::Bug(s) => write!(f, "Bug({s})"),
        }
    }
}
