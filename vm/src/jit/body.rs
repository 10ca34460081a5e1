//! What is compiled in one piece: a method's body and, in place of small calls, those of the methods called.

use super::Heat;
use super::region::Region;
use crate::ids::MethodId;
use crate::link::op::{Op, Switch};
use crate::natives::Intrinsic;
use crate::sym::FixedMap;
use crate::vm::{HotMethod, Vm};

/// Methods of more ops are called.
const SMALL: usize = 40;
/// The most ops that are put in place of calls in one piece.
const MOST_INLINED: usize = 400;
/// The most bodies within each other.
const DEEPEST: usize = 6;

/// A method's body, on its own or inlined.
pub(super) struct Body {
    pub(super) m: MethodId,
    /// As lowered, without entry points into compiled code.
    pub(super) ops: Box<[Op]>,
    /// Where the interpreter has them.
    pub(super) place: *const Op,
    pub(super) switches: Box<[Switch]>,
    pub(super) region: Region,
    /// The size of the window.
    pub(super) regs: u32,
    pub(super) synchronized: bool,
    /// What is inlined, by the op of the call.
    pub(super) inlined: FixedMap<u32, Inlined>,
}

/// An inlined call.
pub(super) struct Inlined {
    pub(super) m: MethodId,
    /// The register of the first argument, where the method's window begins.
    pub(super) args: u16,
    pub(super) guard: Guard,
    pub(super) what: What,
}

pub(super) enum What {
    Body(Box<Body>),
    /// Reading a field of the receiver, as `HotMethod::accessor` says.
    Field(u32),
    Intrinsic(Intrinsic),
}

/// What must be true of a receiver for the body to be its method's.
#[derive(Clone, Copy)]
pub(super) enum Guard {
    /// There is none.
    Static,
    NonNull,
    /// It is of this class; else there must be a call.
    Class(u32),
}

impl Inlined {
    /// The registers it reads.
    pub(super) fn reads(&self) -> Vec<u16> {
        match &self.what {
            What::Body(body) => body.region.live[0].iter().map(|r| self.args + r).collect(),
            What::Intrinsic(Intrinsic::StringCharAt) => vec![self.args, self.args + 1],
            What::Field(_) | What::Intrinsic(_) => vec![self.args],
        }
    }
}

impl Body {
    /// How far the windows of this body and those within it reach.
    pub(super) fn reach(&self) -> u32 {
        let within = self.bodies().map(|(args, body)| u32::from(args) + body.reach());
        within.max().unwrap_or(0).max(self.regs)
    }

    /// The bodies just within this one, and where their windows begin.
    fn bodies(&self) -> impl Iterator<Item = (u16, &Body)> {
        self.inlined.values().filter_map(|inlined| match &inlined.what {
            What::Body(body) => Some((inlined.args, &**body)),
            _ => None,
        })
    }

    /// How many frames the bodies within this one stand for.
    pub(super) fn depth(&self) -> u32 {
        self.bodies().map(|(_, body)| 1 + body.depth()).max().unwrap_or(0)
    }

    /// Some op of it is not resolved yet.
    pub(super) fn unresolved(&self) -> bool {
        self.region.unresolved || self.bodies().any(|(_, body)| body.unresolved())
    }

    /// Calls `each` with every method that something in this body stands in for.
    pub(super) fn each_inlined(&self, each: &mut impl FnMut(MethodId)) {
        self.inlined.values().for_each(|inlined| each(inlined.m));
        self.bodies().for_each(|(_, body)| body.each_inlined(each));
    }
}

/// Gathers bodies.
pub(super) struct Planner<'a> {
    vm: &'a Vm,
    heat: &'a FixedMap<MethodId, Heat>,
    /// Methods whose bodies are being gathered, each within the one before.
    within: Vec<MethodId>,
    /// Ops that may still be put in place of calls.
    left: usize,
    /// Methods that must not be overridden as long as this is used.
    pub(super) assumed: Vec<MethodId>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(vm: &'a Vm, heat: &'a FixedMap<MethodId, Heat>, inline: bool) -> Planner<'a> {
        Planner {
            vm,
            heat,
            within: Vec::new(),
            left: if inline { MOST_INLINED } else { 0 },
            assumed: Vec::new(),
        }
    }

    pub(super) fn body(&mut self, m: MethodId) -> Body {
        let method = self.vm.method(m);
        let mut ops = method.ops.clone();
        for (at, op) in self.heat.get(&m).map_or(&[][..], |heat| &heat.replaced) {
            ops[*at as usize] = *op;
        }
        self.within.push(m);
        let mut inlined: FixedMap<u32, Inlined> = FixedMap::default();
        for (at, op) in ops.iter().enumerate() {
            if let Some(callee) = self.callee(op) {
                inlined.insert(at as u32, callee);
            }
        }
        self.within.pop();
        let regs = self.vm.hot[m.index()].regs;
        let region = Region::analyse(method, &ops, &inlined, regs as usize);
        Body {
            m,
            place: method.ops.as_ptr(),
            switches: method.switches.clone(),
            region,
            regs,
            synchronized: method.is_synchronized(),
            ops,
            inlined,
        }
    }

    /// The body to be put in place of an op, if it is a call and that is worth it.
    fn callee(&mut self, op: &Op) -> Option<Inlined> {
        let (m, args, guard) = match *op {
            Op::InvokeStatic { args, m } => (m, args, Guard::Static),
            Op::InvokeSpecial { args, m } => (m, args, Guard::NonNull),
            Op::InvokeVirtual { args, m, .. } => (m, args, Guard::NonNull),
            Op::InvokeInterface {
                args, class, target, ..
            } if class != 0 => (target, args, Guard::Class(class)),
            _ => return None,
        };
        let m = MethodId(m);
        let is_virtual = matches!(op, Op::InvokeVirtual { .. });
        let overridden = self.vm.hot[m.index()].flags & HotMethod::OVERRIDDEN != 0;
        if is_virtual && (overridden || self.vm.class(self.vm.method(m).class).is_interface()) {
            return None;
        }
        let what = self.what(m)?;
        if is_virtual {
            self.assumed.push(m);
        }
        Some(Inlined { m, args, guard, what })
    }

    /// How a call that is known to be one of this method can be inlined.
    fn what(&mut self, m: MethodId) -> Option<What> {
        let (method, hot) = (self.vm.method(m), &self.vm.hot[m.index()]);
        if hot.accessor != 0 {
            return Some(What::Field(hot.accessor));
        }
        if hot.leaf.is_some() {
            // What is done in place of a leaf reads without a log.
            let intrinsic = hot.intrinsic.filter(|_| !self.vm.heap.logs_reads());
            return intrinsic.map(What::Intrinsic);
        }
        let size = method.ops.len();
        if hot.code != method.ops.as_ptr()
            || hot.flags & HotMethod::SYNCHRONIZED != 0
            || size == 0
            || size > SMALL.min(self.left)
            || self.within.len() > DEEPEST
            || self.within.contains(&m)
        {
            return None;
        }
        self.left -= size;
        Some(What::Body(Box::new(self.body(m))))
    }
}
