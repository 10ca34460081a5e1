//! The shape of a method to be compiled: where its blocks begin, where the interpreter may come in, and which
//! registers are wanted there.

use super::body::Inlined;
use super::shape::{Flow, Kind, Shape, shape};
use crate::classes::class::Method;
use crate::link::op::{Handler, Op, Switch};
use crate::sym::FixedMap;

/// A set of registers.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct RegSet(Box<[u64]>);

impl RegSet {
    fn new(regs: usize) -> RegSet {
        RegSet(vec![0; regs.div_ceil(64)].into())
    }

    fn insert(&mut self, r: u16) {
        self.0[usize::from(r) / 64] |= 1 << (r % 64);
    }

    fn remove(&mut self, r: u16) {
        self.0[usize::from(r) / 64] &= !(1 << (r % 64));
    }

    fn join(&mut self, other: &RegSet) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u16> {
        let set = |word: u64| (0..64u16).filter(move |i| word >> i & 1 != 0);
        let words = self.0.iter().enumerate();
        words.flat_map(move |(i, &word)| set(word).map(move |r| i as u16 * 64 + r))
    }
}

pub(super) struct Region {
    pub(super) shapes: Vec<Shape>,
    /// Ops at which a block begins.
    pub(super) leaders: Vec<bool>,
    /// Ops that come after a call: what they need is read from memory.
    pub(super) reload: Vec<bool>,
    /// Ops at which the interpreter may come in; the first is the method's start, whatever is there.
    pub(super) entries: Vec<u32>,
    /// By op, the registers that are read before they are written or all are in memory again.
    pub(super) live: Vec<RegSet>,
    /// By register: all that is known of it is that it holds doubles.
    pub(super) doubles: Vec<bool>,
    /// Some op is not resolved yet.
    pub(super) unresolved: bool,
}

/// The op that `off` leads to from the one at `at`.
pub(super) fn target(at: usize, off: i32) -> usize {
    (at as i64 + i64::from(off)) as usize
}

/// Offsets a switch may jump by, the default first.
pub(super) fn offsets(switch: &Switch) -> impl Iterator<Item = i32> {
    let (Switch::Table { default, offs, .. } | Switch::Lookup { default, offs, .. }) = switch;
    std::iter::once(*default).chain(offs.iter().copied())
}

/// Where control goes from an op without leaving the compiled code.
fn successors(at: usize, flow: Flow, switches: &[Switch], mut each: impl FnMut(usize)) {
    match flow {
        Flow::Next | Flow::Inlined => each(at + 1),
        Flow::Branch(off) => {
            each(at + 1);
            each(target(at, off));
        }
        Flow::Jump(off) => each(target(at, off)),
        Flow::Switch(table) => {
            for off in offsets(&switches[table as usize]) {
                each(target(at, off));
            }
        }
        Flow::Call | Flow::Interpreter | Flow::Return => {}
    }
}

impl Region {
    /// `inlined` has the bodies that are put in place of calls, by op.
    pub(super) fn analyse(
        method: &Method,
        ops: &[Op],
        inlined: &FixedMap<u32, Inlined>,
        regs: usize,
    ) -> Region {
        let switches = &*method.switches;
        let mut shapes: Vec<Shape> = ops.iter().map(shape).collect();
        for (at, inlined) in inlined {
            shapes[*at as usize].inline(inlined.args, inlined.reads());
        }
        if method.is_synchronized() {
            // The interpreter gives the monitor up when somebody waits for it.
            let returns = shapes.iter_mut().filter(|s| s.flow == Flow::Return);
            returns.for_each(|s| s.own = false);
        }
        let mut region = Region {
            leaders: vec![false; ops.len()],
            reload: vec![false; ops.len()],
            entries: vec![0],
            live: Vec::new(),
            doubles: doubles(&shapes, regs),
            unresolved: ops.iter().any(is_unresolved),
            shapes,
        };
        region.find_leaders(switches);
        region.find_entries(&method.handlers);
        region.find_live(regs, switches);
        region
    }

    fn find_leaders(&mut self, switches: &[Switch]) {
        self.leaders[0] = true;
        for at in 0..self.shapes.len() {
            let flow = self.shapes[at].flow;
            if flow == Flow::Next {
                continue;
            }
            successors(at, flow, switches, |to| self.leaders[to] = true);
            if at + 1 < self.shapes.len() {
                self.leaders[at + 1] = true;
                self.reload[at + 1] |= flow == Flow::Call;
            }
        }
    }

    /// The interpreter enters at loops, where it has done what compiled code does not, and where an exception is
    /// caught: at the first op there that can be replaced.
    fn find_entries(&mut self, handlers: &[Handler]) {
        let mut wanted = vec![false; self.shapes.len()];
        wanted[0] = true;
        for handler in handlers {
            wanted[handler.target as usize] = true;
        }
        for at in 0..self.shapes.len() {
            match self.shapes[at].flow {
                Flow::Branch(off) | Flow::Jump(off) if off <= 0 => wanted[target(at, off)] = true,
                Flow::Call | Flow::Inlined | Flow::Interpreter if at + 1 < self.shapes.len() => {
                    wanted[at + 1] = true
                }
                _ => {}
            }
        }
        let mut pending = false;
        for (at, wanted) in wanted.into_iter().enumerate() {
            pending |= wanted;
            if pending && self.shapes[at].own {
                pending = false;
                self.leaders[at] = true;
                if at != 0 {
                    self.entries.push(at as u32);
                }
            }
        }
    }

    fn find_live(&mut self, regs: usize, switches: &[Switch]) {
        self.live = vec![RegSet::new(regs); self.shapes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..self.shapes.len()).rev() {
                let shape = &self.shapes[at];
                let mut set = RegSet::new(regs);
                successors(at, shape.flow, switches, |to| {
                    if !self.reload[to] {
                        set.join(&self.live[to]);
                    }
                });
                if let Some((d, _)) = shape.writes {
                    set.remove(d);
                }
                for (r, _) in shape.reads.iter().flatten() {
                    set.insert(*r);
                }
                for r in &shape.args {
                    set.insert(*r);
                }
                if set != self.live[at] {
                    self.live[at] = set;
                    changed = true;
                }
            }
        }
    }
}

/// Registers that are used as doubles only.
fn doubles(shapes: &[Shape], regs: usize) -> Vec<bool> {
    let mut words = vec![false; regs];
    let mut doubles = vec![false; regs];
    let uses = shapes
        .iter()
        .flat_map(|s| s.reads.iter().chain([&s.writes]).flatten());
    for (r, kind) in uses {
        match kind {
            Kind::Word => words[usize::from(*r)] = true,
            Kind::Double => doubles[usize::from(*r)] = true,
            Kind::Any => {}
        }
    }
    doubles
        .iter()
        .zip(words)
        .map(|(double, word)| *double && !word)
        .collect()
}

/// An op that resolves what it names when it first runs.
pub(crate) fn is_unresolved(op: &Op) -> bool {
    matches!(
        op,
        Op::LdcU { .. }
            | Op::GetFieldU { .. }
            | Op::PutFieldU { .. }
            | Op::GetStaticU { .. }
            | Op::PutStaticU { .. }
            | Op::InvokeVirtualU { .. }
            | Op::InvokeSpecialU { .. }
            | Op::InvokeStaticU { .. }
            | Op::InvokeInterfaceU { .. }
            | Op::InvokeDynamicU { .. }
            | Op::NewU { .. }
            | Op::ANewArrayU { .. }
            | Op::CheckCastU { .. }
            | Op::InstanceOfU { .. }
    )
}
