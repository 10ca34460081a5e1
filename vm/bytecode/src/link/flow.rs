//! Abstract interpretation of one method over value kinds: proves that every reachable instruction finds the
//! operands it needs, and finds the frame's shape at every block leader.
//!
//! Stack maps are not consulted: states are inferred by a fixpoint. A state is merged per leader; locals that
//! differ become `TOP`, stacks must agree. Every cell can only fall once, which bounds the work.
//!
//! Subroutines (jsr/ret) are analysed once per calling context, a context being the chain of jsr sites that led
//! there, each site at most once: what a caller keeps in locals the subroutine does not touch stays known to it
//! after the return, as the `finally` blocks of old compilers need.

use crate::classfile::{ClassFile, Code, MemberInfo};
use crate::link::decode::{self, Layout, Range, SwitchInsn, bad, bc};
use crate::link::lower::{Cause, Invalid};
use crate::link::types::{Frame, Kind, REF, RET, TOP};

/// Bounds on what a hostile class file can make us spend: stored cells, subroutine contexts, and merged cells.
const MAX_CELLS: usize = 1 << 26;
const MAX_CONTEXTS: usize = 1 << 10;
const MAX_WORK: u64 = 1 << 31;

const ACC_STATIC: u16 = 0x0008;

/// How a subroutine was entered.
#[derive(Clone, Copy)]
struct Context {
    parent: u32,
    /// The bci after the jsr.
    resume: u32,
}

pub struct Flow<'a> {
    pub class: &'a ClassFile,
    pub code: &'a [u8],
    pub max_locals: usize,
    pub max_stack: usize,
    /// Letter of the declared return type.
    pub ret: u8,
    pub layout: Layout,
    pub ranges: Vec<Range>,
    /// Context 0 is the method itself.
    contexts: Vec<Context>,
    /// Per context and leader: where its state starts in `cells`, plus one; 0 while unreached.
    states: Vec<u32>,
    /// Per leader, the first state that reached it in any context.
    shapes: Vec<u32>,
    /// Stored states: depth, locals, stack.
    cells: Vec<Kind>,
    dirty: Vec<u64>,
    work: u64,
}

impl<'a> Flow<'a> {
    /// Analyses the method, or says what is wrong with it.
    pub fn analyse(class: &'a ClassFile, method: &MemberInfo) -> Result<Flow<'a>, Invalid> {
        let Some(Code {
            max_stack,
            max_locals,
            bytes,
            handlers,
            ..
        }) = class.code(method)
        else {
            return Err(Invalid("Method has no code".into(), Cause::Code));
        };
        if bytes.is_empty() || bytes.len() > usize::from(u16::MAX) {
            return Err(Invalid("Invalid code length".into(), Cause::Code));
        }
        if usize::from(max_locals) + usize::from(max_stack) + 1 > usize::from(u16::MAX) {
            return Err(Invalid::limit("more than 65535 registers"));
        }
        let ranges = decode::ranges(handlers)?;
        let layout = Layout::scan(bytes, &ranges)?;
        let leaders = layout.leaders.len();
        let mut flow = Flow {
            class,
            code: bytes,
            max_locals: max_locals.into(),
            max_stack: max_stack.into(),
            ret: b'V',
            layout,
            ranges,
            contexts: vec![Context { parent: 0, resume: 0 }],
            states: vec![0; leaders],
            shapes: vec![0; leaders],
            cells: Vec::new(),
            dirty: vec![0; leaders.div_ceil(64)],
            work: 0,
        };
        let mut frame = Frame::new(flow.max_locals, flow.max_stack);
        let desc = class
            .utf8(method.desc)
            .ok_or_else(|| bad(0, "Bad method descriptor"))?;
        flow.ret = frame.enter(method.access & ACC_STATIC != 0, desc)?;
        flow.merge(0, 0, frame.locals(), &[], 0)?;
        flow.fixpoint(&mut frame)?;
        Ok(flow)
    }

    fn fixpoint(&mut self, frame: &mut Frame) -> Result<(), Invalid> {
        let mut active = Vec::new();
        let mut word = 0;
        let mut clean = 0;
        // Leaders in code order, again and again until a whole round finds nothing to do.
        while clean < self.dirty.len() {
            let bits = self.dirty[word];
            if bits == 0 {
                clean += 1;
                word = if word + 1 < self.dirty.len() { word + 1 } else { 0 };
                continue;
            }
            clean = 0;
            let bit = bits.trailing_zeros() as usize;
            self.dirty[word] &= !(1 << bit);
            let item = word * 64 + bit;
            let leaders = self.layout.leaders.len();
            self.block(item / leaders, item % leaders, frame, &mut active)?;
        }
        Ok(())
    }

    /// Interprets from a leader to the end of its block.
    fn block(
        &mut self,
        ctx: usize,
        leader: usize,
        frame: &mut Frame,
        active: &mut Vec<u16>,
    ) -> Result<(), Invalid> {
        let start: usize = self.layout.leaders[leader].into();
        let Some(state) = self.state(ctx, leader) else {
            return Ok(());
        };
        frame.load(state);
        let mut bci = start;
        loop {
            frame.bci = bci;
            if bci == start || self.layout.is_bound(bci) {
                self.enter_ranges(bci, active);
                for &target in &*active {
                    self.merge(ctx, target.into(), frame.locals(), &[REF], bci)?;
                }
            } else if !frame.written.is_empty() && !active.is_empty() {
                self.written_in_range(ctx, frame, active)?;
            }
            self.spend(7)?;
            frame.step(self.class, self.code, self.ret)?;
            let Some(next) = self.leave(ctx, bci, frame)? else {
                return Ok(());
            };
            if next >= self.code.len() {
                return Err(bad(bci, "Control flow falls through code end"));
            }
            if self.layout.is_leader(next) {
                return self.merge(ctx, next, frame.locals(), frame.stack(), bci);
            }
            bci = next;
        }
    }

    /// Finds the (distinct) handlers that cover `bci`.
    fn enter_ranges(&self, bci: usize, active: &mut Vec<u16>) {
        active.clear();
        let covers = |r: &&Range| usize::from(r.start) <= bci && bci < usize::from(r.end);
        active.extend(self.ranges.iter().filter(covers).map(|r| r.target));
        active.sort_unstable();
        active.dedup();
    }

    /// Tells the covering handlers of the locals the previous instruction has written.
    fn written_in_range(&mut self, ctx: usize, frame: &Frame, active: &[u16]) -> Result<(), Invalid> {
        let locals = frame.locals();
        self.spend(active.len())?;
        for &target in active {
            let item = self.item(ctx, target.into());
            let at = self.states[item] as usize; // one past the depth cell: the first local
            let mut changed = false;
            for n in frame.written.clone() {
                changed |= fall(&mut self.cells[at + n], locals[n]);
            }
            if changed {
                self.dirty[item / 64] |= 1 << (item % 64);
            }
        }
        Ok(())
    }

    /// Follows the jumps of the instruction at `bci`; answers where it falls through to, if it does.
    fn leave(&mut self, ctx: usize, bci: usize, frame: &mut Frame) -> Result<Option<usize>, Invalid> {
        let op = self.code[bci];
        let next = bci + decode::insn_len(self.code, bci).unwrap_or(1);
        if let Some(target) = decode::branch_target(self.code, bci) {
            let target = target as usize;
            if op == bc::JSR || op == bc::JSR_W {
                let inner = self.context(ctx, next)?;
                frame.push(RET + inner as Kind)?;
                self.merge(inner, target, frame.locals(), frame.stack(), bci)?;
                return Ok(None);
            }
            self.merge(ctx, target, frame.locals(), frame.stack(), bci)?;
            return Ok((op != bc::GOTO && op != bc::GOTO_W).then_some(next));
        }
        match op {
            bc::IRETURN..=bc::RETURN | bc::ATHROW => Ok(None),
            bc::TABLESWITCH | bc::LOOKUPSWITCH => {
                let switch = SwitchInsn::at(self.code, bci);
                self.merge(ctx, switch.default() as usize, frame.locals(), frame.stack(), bci)?;
                for i in 0..switch.len {
                    self.merge(ctx, switch.target(i) as usize, frame.locals(), frame.stack(), bci)?;
                }
                Ok(None)
            }
            bc::RET | bc::WIDE => match decode::local_operand(self.code, bci) {
                Some((bc::RET, n, _)) => {
                    let Context { parent, resume } = self.contexts[frame.return_address(n)?];
                    if resume as usize >= self.code.len() {
                        return Err(bad(bci, "Control flow falls through code end"));
                    }
                    self.merge(
                        parent as usize,
                        resume as usize,
                        frame.locals(),
                        frame.stack(),
                        bci,
                    )?;
                    Ok(None)
                }
                _ => Ok(Some(next)),
            },
            _ => Ok(Some(next)),
        }
    }

    /// The context of a subroutine called from `ctx`, to be resumed at `resume`.
    fn context(&mut self, ctx: usize, resume: usize) -> Result<usize, Invalid> {
        let mut outer = ctx;
        while outer != 0 {
            if self.contexts[outer].resume as usize == resume {
                return Ok(outer); // left without a ret, and back at the same jsr
            }
            outer = self.contexts[outer].parent as usize;
        }
        let new = Context {
            parent: ctx as u32,
            resume: resume as u32,
        };
        if let Some(known) = self.contexts[1..]
            .iter()
            .position(|c| c.parent == new.parent && c.resume == new.resume)
        {
            return Ok(known + 1);
        }
        let leaders = self.layout.leaders.len();
        if self.contexts.len() == MAX_CONTEXTS || self.states.len() + leaders > MAX_CELLS {
            return Err(Invalid::limit("too many subroutine calls"));
        }
        self.contexts.push(new);
        self.states.resize(self.states.len() + leaders, 0);
        self.dirty.resize(self.states.len().div_ceil(64), 0);
        Ok(self.contexts.len() - 1)
    }

    #[inline]
    fn item(&self, ctx: usize, target: usize) -> usize {
        ctx * self.layout.leaders.len() + self.layout.leader(target)
    }

    fn spend(&mut self, cells: usize) -> Result<(), Invalid> {
        self.work += cells as u64 + 1;
        if self.work > MAX_WORK {
            Err(Invalid::limit("too complex to analyse"))
        } else {
            Ok(())
        }
    }

    /// Lets a state flow from the instruction at `bci` to the leader at `target`.
    fn merge(
        &mut self,
        ctx: usize,
        target: usize,
        locals: &[Kind],
        stack: &[Kind],
        bci: usize,
    ) -> Result<(), Invalid> {
        let item = self.item(ctx, target);
        let at = self.states[item] as usize;
        self.spend(locals.len() + stack.len())?;
        if at == 0 {
            return self.first(item, target, locals, stack, bci);
        }
        let (depth, old) = self.cells[at - 1..].split_first_mut().expect("a stored state");
        let (old_locals, old_stack) = old.split_at_mut(locals.len());
        if usize::from(*depth) != stack.len() || old_stack[..stack.len()] != *stack {
            return Err(bad(bci, "Stack map does not match the one at its jump target"));
        }
        let mut changed = false;
        if *old_locals != *locals {
            for (old, new) in old_locals.iter_mut().zip(locals) {
                changed |= fall(old, *new);
            }
        }
        if changed {
            self.dirty[item / 64] |= 1 << (item % 64);
        }
        Ok(())
    }

    /// The first state to reach a leader in its context. All contexts share one lowered body, so that the
    /// stack must have the same shape in each.
    fn first(
        &mut self,
        item: usize,
        target: usize,
        locals: &[Kind],
        stack: &[Kind],
        bci: usize,
    ) -> Result<(), Invalid> {
        let shape = self.shapes[self.layout.leader(target)] as usize;
        if shape != 0 {
            let known = &self.cells[shape + locals.len()..];
            let same = |(a, b): (&Kind, &Kind)| a == b || (*a >= RET && *b >= RET);
            if usize::from(self.cells[shape - 1]) != stack.len() || !known.iter().zip(stack).all(same) {
                return Err(bad(bci, "Stack map does not match the one at its jump target"));
            }
        }
        if stack.len() > self.max_stack {
            return Err(bad(bci, "Operand stack overflow"));
        }
        self.cells.push(stack.len() as Kind);
        let at = self.cells.len() as u32;
        self.cells.extend_from_slice(locals);
        self.cells.extend_from_slice(stack);
        if self.cells.len() > MAX_CELLS {
            return Err(Invalid::limit("too many branches over too many locals"));
        }
        self.states[item] = at;
        if shape == 0 {
            self.shapes[self.layout.leader(target)] = at;
        }
        self.dirty[item / 64] |= 1 << (item % 64);
        Ok(())
    }

    /// Locals and stack at a leader in a context, if reached.
    fn state(&self, ctx: usize, leader: usize) -> Option<&[Kind]> {
        self.cells_at(self.states[ctx * self.layout.leaders.len() + leader])
    }

    fn cells_at(&self, at: u32) -> Option<&[Kind]> {
        let at = (at as usize).checked_sub(1)?;
        let depth = usize::from(self.cells[at]);
        Some(&self.cells[at + 1..at + 1 + self.max_locals + depth])
    }

    /// The stack's kinds at the leader at `bci`, if it is reachable.
    pub fn stack_at(&self, bci: usize) -> Option<&[Kind]> {
        self.cells_at(self.shapes[self.layout.leader(bci)])
            .map(|cells| &cells[self.max_locals..])
    }

    /// Of every instruction that is reached: where it is, how deep the stack is before it, and the kinds of the locals.
    pub fn states(&self) -> Result<Vec<(usize, usize, Vec<Kind>)>, Invalid> {
        let mut found = Vec::new();
        let mut frame = Frame::new(self.max_locals, self.max_stack);
        for &leader in &self.layout.leaders {
            let mut bci = usize::from(leader);
            let Some(state) = self.cells_at(self.shapes[self.layout.leader(bci)]) else {
                continue;
            };
            frame.load(state);
            loop {
                found.push((bci, frame.stack().len(), frame.locals().to_vec()));
                frame.bci = bci;
                frame.step(self.class, self.code, self.ret)?;
                let falls = crate::link::skip::falls_through(self.code[bci]);
                bci += decode::insn_len(self.code, bci).unwrap_or(1);
                if !falls || bci >= self.code.len() || self.layout.is_leader(bci) {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Locals that hold a reference (in some context) before the instruction at `bci` of the block at `leader`.
    pub fn ref_locals(&self, leader: usize, bci: usize) -> Result<Vec<u16>, Invalid> {
        let mut frame = Frame::new(self.max_locals, self.max_stack);
        let mut is_ref = vec![false; self.max_locals];
        for ctx in 0..self.contexts.len() {
            let Some(state) = self.state(ctx, self.layout.leader(leader)) else {
                continue;
            };
            frame.load(state);
            frame.bci = leader;
            while frame.bci < bci {
                frame.step(self.class, self.code, self.ret)?;
                frame.bci += decode::insn_len(self.code, frame.bci).unwrap_or(1);
            }
            for (is_ref, &kind) in is_ref.iter_mut().zip(frame.locals()) {
                *is_ref |= kind == REF;
            }
        }
        Ok((0..self.max_locals)
            .filter(|&n| is_ref[n])
            .map(|n| n as u16)
            .collect())
    }
}

/// Merges a kind into a cell; whether the cell has changed.
#[inline]
fn fall(cell: &mut Kind, kind: Kind) -> bool {
    let changed = *cell != kind && *cell != TOP;
    if changed {
        *cell = TOP;
    }
    changed
}
