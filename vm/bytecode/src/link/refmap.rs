//! Which registers of a frame hold references: the collector's view of a lowered method.

use crate::classfile::{ClassFile, MemberInfo};
use crate::link::decode::{bc, u16_at};
use crate::link::flow::Flow;
use crate::link::lower::{Invalid, Lowering, RefMap};
use crate::link::types::{REF, call_desc, call_shape, has_receiver};
use crate::link::values::Loc;

/// The registers that hold references when `method` stands at the instruction at `bci`. With `in_call` the
/// instruction is a call under way: its arguments already belong to the callee and do not count.
///
/// A stack entry counts where it is: one that was never copied to its stack register is in the local it was
/// loaded from, which counts anyway. The block is therefore lowered again up to `bci`.
pub fn ref_map(class: &ClassFile, method: &MemberInfo, bci: u16, in_call: bool) -> Result<RefMap, Invalid> {
    let flow = Flow::analyse(class, method)?;
    let bci = usize::from(bci);
    if !flow.layout.is_start(bci) {
        return Ok(RefMap::default());
    }
    let leaders = &flow.layout.leaders;
    let block = leaders.partition_point(|&l| usize::from(l) <= bci) - 1;
    let leader = usize::from(leaders[block]);
    let mut lowering = Lowering::new(&flow);
    let mut live = lowering.enter(leader);
    let mut at = leader;
    while live && at < bci {
        at = lowering.insn(at, &mut live);
    }
    if !live {
        return Ok(RefMap::default());
    }
    let mut regs = flow.ref_locals(leader, bci)?;
    let stack = lowering.values.entries();
    let args = if in_call {
        arg_slots(class, flow.code, bci)
    } else {
        0
    };
    for entry in &stack[..stack.len().saturating_sub(args)] {
        match entry.loc {
            Loc::Reg(r) if entry.kind == REF => regs.push(r),
            _ => {}
        }
    }
    regs.sort_unstable();
    regs.dedup();
    Ok(RefMap { regs })
}

/// Argument slots, receiver included, of the call at `bci`; none if it is not a call.
fn arg_slots(class: &ClassFile, code: &[u8], bci: usize) -> usize {
    let op = code[bci];
    if !(bc::INVOKEVIRTUAL..=bc::INVOKEDYNAMIC).contains(&op) {
        return 0;
    }
    let shape = call_desc(class, op, u16_at(code, bci + 1)).and_then(call_shape);
    shape.map_or(0, |(slots, _)| slots + usize::from(has_receiver(op)))
}
