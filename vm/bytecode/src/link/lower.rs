//! Lowers one method's bytecode to register ops, checking what memory safety needs on the way.
//!
//! First the method is analysed (`flow`), which rejects what cannot be run; then its reachable instructions are
//! walked in code order, block by block, and turned into ops (`emit`) over a lazy operand stack (`values`);
//! last, branches get their offsets and the most wasteful shapes are simplified (`peephole`).

use crate::classfile::{ClassFile, MemberInfo};
use crate::link::decode;
use crate::link::flow::Flow;
use crate::link::op::{Handler, Lowered, Switch};
use crate::link::peephole;
use crate::link::types::REF;
use crate::link::values::Values;

pub use crate::link::refmap::ref_map;

/// Why a body cannot be run: the text of the VerifyError, or of what we do not support.
#[derive(Debug)]
pub struct Invalid(pub String, pub Cause);

/// Whose fault it is that a body cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The code is not valid.
    Code,
    /// Ours: HotSpot would run it.
    Limit,
}

impl Invalid {
    pub fn limit(text: &str) -> Invalid {
        Invalid(text.into(), Cause::Limit)
    }
}

/// Which slots of a frame hold references while it stands at a bytecode index.
///
/// Every reference the frame still needs is in one of these registers. They hold nothing else, except in
/// methods with subroutines (jsr): there a register may hold a reference or a primitive value depending on who
/// called the subroutine, and the collector has to treat the content as a possible reference.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct RefMap {
    /// Register numbers, ascending.
    pub regs: Vec<u16>,
}

/// Lowers `method` (which must have a Code attribute) of `class`.
pub fn lower(class: &ClassFile, method: &MemberInfo) -> Result<Lowered, Invalid> {
    let flow = Flow::analyse(class, method)?;
    let mut lowering = Lowering::new(&flow);
    lowering.run();
    Ok(lowering.finish())
}

/// The second pass: a walk over the analysed code that emits ops.
pub struct Lowering<'f> {
    pub flow: &'f Flow<'f>,
    pub values: Values,
    /// Branch ops and the bytecode index they go to.
    pub jumps: Vec<(u32, u32)>,
    pub switches: Vec<Switch>,
    /// The op of each switch. Until `finish` the switches' offsets are bytecode indices.
    pub switch_ops: Vec<u32>,
    /// Where the ops of each instruction start.
    pub op_at: Vec<u32>,
}

impl<'f> Lowering<'f> {
    pub fn new(flow: &'f Flow<'f>) -> Lowering<'f> {
        Lowering {
            flow,
            values: Values::new(flow.max_locals as u16, flow.max_stack as u16, flow.code.len() / 2),
            jumps: Vec::new(),
            switches: Vec::new(),
            switch_ops: Vec::new(),
            op_at: vec![0; flow.code.len() + 1],
        }
    }

    fn run(&mut self) {
        let end = self.flow.code.len();
        let mut live = false;
        let mut bci = 0;
        while bci < end {
            if self.flow.layout.is_leader(bci) {
                if live {
                    self.values.settle_all();
                }
                live = self.enter(bci);
            }
            self.op_at[bci] = self.values.ops.len() as u32;
            bci = if live {
                self.insn(bci, &mut live)
            } else {
                bci + self.len_at(bci)
            };
        }
        self.op_at[end] = self.values.ops.len() as u32;
    }

    /// Starts the block at leader `bci`; whether it is reachable.
    pub fn enter(&mut self, bci: usize) -> bool {
        match self.flow.stack_at(bci) {
            Some(stack) => {
                self.values.enter_block(stack);
                true
            }
            None => false,
        }
    }

    /// Lowers the instruction at `bci` (and the branch after it, when both become one op); answers the index of
    /// the instruction after.
    pub fn insn(&mut self, bci: usize, live: &mut bool) -> usize {
        self.values.bci = bci as u16;
        let next = bci + self.len_at(bci);
        let (after, falls) = self.emit_insn(bci, next);
        if after != next {
            self.op_at[next] = self.values.ops.len() as u32;
        }
        *live = falls;
        after
    }

    fn len_at(&self, bci: usize) -> usize {
        decode::insn_len(self.flow.code, bci).unwrap_or(1)
    }

    fn finish(self) -> Lowered {
        let Lowering {
            flow,
            values,
            jumps,
            mut switches,
            switch_ops,
            op_at,
        } = self;
        let (mut ops, mut bcis) = values.into_ops();
        for &(at, target) in &jumps {
            peephole::set_offset(&mut ops[at as usize], op_at[target as usize] as i32 - at as i32);
        }
        for (switch, &at) in switches.iter_mut().zip(&switch_ops) {
            let fix = |off: &mut i32| *off = op_at[*off as usize] as i32 - at as i32;
            match switch {
                Switch::Table { default, offs, .. } | Switch::Lookup { default, offs, .. } => {
                    fix(default);
                    offs.iter_mut().for_each(fix);
                }
            }
        }
        peephole::shorten_branches(&mut ops, &jumps);
        ops.shrink_to_fit();
        bcis.shrink_to_fit();
        let handlers = handlers(flow, &op_at);
        let regs = (flow.max_locals + flow.max_stack + 1) as u32;
        Lowered {
            ops,
            bcis,
            handlers,
            switches,
            regs,
        }
    }
}

/// The exception table over op indices. Entries that cover no op, or whose handler nothing can reach, go.
fn handlers(flow: &Flow<'_>, op_at: &[u32]) -> Vec<Handler> {
    let mut handlers = Vec::with_capacity(flow.ranges.len());
    for r in &flow.ranges {
        let (start, end) = (op_at[usize::from(r.start)], op_at[usize::from(r.end)]);
        let reachable = flow.stack_at(r.target.into()).is_some_and(|stack| stack == [REF]);
        if start < end && reachable {
            handlers.push(Handler {
                start,
                end,
                target: op_at[usize::from(r.target)],
                catch_cp: r.catch,
            });
        }
    }
    handlers
}
