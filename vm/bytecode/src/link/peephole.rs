//! Small rewrites of emitted ops: setting destinations and offsets, and mending wasteful branches in place.

use crate::link::op::Op;

/// Makes an op write its result to another register. Only for ops that have a result.
#[rustfmt::skip]
pub fn set_dest(op: &mut Op, to: u16) {
    use Op::*;
    match op {
        Mov { d, .. } | Const { d, .. } | Const64 { d, .. } | LdcU { d, .. } | LdcRef { d, .. }
        | AddI { d, .. } | SubI { d, .. } | MulI { d, .. } | DivI { d, .. } | RemI { d, .. }
        | AndI { d, .. } | OrI { d, .. } | XorI { d, .. } | ShlI { d, .. } | ShrI { d, .. } | UshrI { d, .. }
        | NegI { d, .. } | AddIK { d, .. } | MulIK { d, .. } | DivIK { d, .. } | RemIK { d, .. }
        | AndIK { d, .. } | OrIK { d, .. } | XorIK { d, .. } | ShlIK { d, .. } | ShrIK { d, .. }
        | UshrIK { d, .. } | RsubIK { d, .. }
        | AddL { d, .. } | SubL { d, .. } | MulL { d, .. } | DivL { d, .. } | RemL { d, .. }
        | AndL { d, .. } | OrL { d, .. } | XorL { d, .. } | ShlL { d, .. } | ShrL { d, .. } | UshrL { d, .. }
        | NegL { d, .. } | AddLK { d, .. } | MulLK { d, .. } | AndLK { d, .. } | ShlLK { d, .. }
        | ShrLK { d, .. } | UshrLK { d, .. }
        | AddF { d, .. } | SubF { d, .. } | MulF { d, .. } | DivF { d, .. } | RemF { d, .. } | NegF { d, .. }
        | AddD { d, .. } | SubD { d, .. } | MulD { d, .. } | DivD { d, .. } | RemD { d, .. } | NegD { d, .. }
        | I2L { d, .. } | I2F { d, .. } | I2D { d, .. } | L2I { d, .. } | L2F { d, .. } | L2D { d, .. }
        | F2I { d, .. } | F2L { d, .. } | F2D { d, .. } | D2I { d, .. } | D2L { d, .. } | D2F { d, .. }
        | I2B { d, .. } | I2C { d, .. } | I2S { d, .. }
        | CmpL { d, .. } | CmpFl { d, .. } | CmpFg { d, .. } | CmpDl { d, .. } | CmpDg { d, .. }
        | Ld1 { d, .. } | Ld2U { d, .. } | Ld2S { d, .. } | Ld4 { d, .. } | Ld8 { d, .. }
        | ArrayLen { d, .. } | NewArray { d, .. } | ANewArrayU { d, .. } | GetFieldU { d, .. }
        | GetStaticU { d, .. } | NewU { d, .. } | InstanceOfU { d, .. } => *d = to,
        other => debug_assert!(false, "no result: {other:?}"),
    }
}

/// The offset of a branch op.
#[rustfmt::skip]
pub fn offset(op: &mut Op) -> Option<&mut i32> {
    use Op::*;
    match op {
        Jmp { off }
        | JEqI { off, .. } | JNeI { off, .. } | JLtI { off, .. } | JGeI { off, .. } | JGtI { off, .. } | JLeI { off, .. }
        | JEqIK { off, .. } | JNeIK { off, .. } | JLtIK { off, .. } | JGeIK { off, .. } | JGtIK { off, .. }
        | JLeIK { off, .. }
        | JEqA { off, .. } | JNeA { off, .. } | JNull { off, .. } | JNonNull { off, .. }
        | JEqL { off, .. } | JNeL { off, .. } | JLtL { off, .. } | JGeL { off, .. } | JGtL { off, .. } | JLeL { off, .. }
        | JEqF { off, .. } | JNeF { off, .. } | JLtF { off, .. } | JLeF { off, .. } | JGtF { off, .. } | JGeF { off, .. }
        | JNltF { off, .. } | JNleF { off, .. } | JNgtF { off, .. } | JNgeF { off, .. }
        | JEqD { off, .. } | JNeD { off, .. } | JLtD { off, .. } | JLeD { off, .. } | JGtD { off, .. } | JGeD { off, .. }
        | JNltD { off, .. } | JNleD { off, .. } | JNgtD { off, .. } | JNgeD { off, .. }
        | Jsr { off, .. } => Some(off),
        _ => None,
    }
}

pub fn set_offset(op: &mut Op, to: i32) {
    if let Some(off) = offset(op) {
        *off = to;
    }
}

/// The conditional branch taken exactly when `op` is not.
#[rustfmt::skip]
pub fn inverse(op: Op) -> Option<Op> {
    use Op::*;
    Some(match op {
        JEqI { a, b, off } => JNeI { a, b, off }, JNeI { a, b, off } => JEqI { a, b, off },
        JLtI { a, b, off } => JGeI { a, b, off }, JGeI { a, b, off } => JLtI { a, b, off },
        JGtI { a, b, off } => JLeI { a, b, off }, JLeI { a, b, off } => JGtI { a, b, off },
        JEqIK { a, k, off } => JNeIK { a, k, off }, JNeIK { a, k, off } => JEqIK { a, k, off },
        JLtIK { a, k, off } => JGeIK { a, k, off }, JGeIK { a, k, off } => JLtIK { a, k, off },
        JGtIK { a, k, off } => JLeIK { a, k, off }, JLeIK { a, k, off } => JGtIK { a, k, off },
        JEqA { a, b, off } => JNeA { a, b, off }, JNeA { a, b, off } => JEqA { a, b, off },
        JNull { a, off } => JNonNull { a, off }, JNonNull { a, off } => JNull { a, off },
        JEqL { a, b, off } => JNeL { a, b, off }, JNeL { a, b, off } => JEqL { a, b, off },
        JLtL { a, b, off } => JGeL { a, b, off }, JGeL { a, b, off } => JLtL { a, b, off },
        JGtL { a, b, off } => JLeL { a, b, off }, JLeL { a, b, off } => JGtL { a, b, off },
        JEqF { a, b, off } => JNeF { a, b, off }, JNeF { a, b, off } => JEqF { a, b, off },
        JLtF { a, b, off } => JNltF { a, b, off }, JNltF { a, b, off } => JLtF { a, b, off },
        JLeF { a, b, off } => JNleF { a, b, off }, JNleF { a, b, off } => JLeF { a, b, off },
        JGtF { a, b, off } => JNgtF { a, b, off }, JNgtF { a, b, off } => JGtF { a, b, off },
        JGeF { a, b, off } => JNgeF { a, b, off }, JNgeF { a, b, off } => JGeF { a, b, off },
        JEqD { a, b, off } => JNeD { a, b, off }, JNeD { a, b, off } => JEqD { a, b, off },
        JLtD { a, b, off } => JNltD { a, b, off }, JNltD { a, b, off } => JLtD { a, b, off },
        JLeD { a, b, off } => JNleD { a, b, off }, JNleD { a, b, off } => JLeD { a, b, off },
        JGtD { a, b, off } => JNgtD { a, b, off }, JNgtD { a, b, off } => JGtD { a, b, off },
        JGeD { a, b, off } => JNgeD { a, b, off }, JNgeD { a, b, off } => JGeD { a, b, off },
        _ => return None,
    })
}

/// Whether an op may be executed at a second place too. Calls are not: a call site is linked once.
pub fn can_repeat(op: Op) -> bool {
    use Op::*;
    #[rustfmt::skip]
    let simple = matches!(op,
        Mov { .. } | Const { .. } | Const64 { .. } | AddI { .. } | SubI { .. } | MulI { .. } | AndI { .. }
        | AddIK { .. } | MulIK { .. } | AndIK { .. } | ShlIK { .. } | ShrIK { .. } | UshrIK { .. } | AddL { .. }
        | SubL { .. } | AddLK { .. } | AndLK { .. } | I2L { .. } | L2I { .. } | Ld1 { .. } | Ld2U { .. }
        | Ld2S { .. } | Ld4 { .. } | Ld8 { .. } | ArrayLen { .. } | GetFieldU { .. } | GetStaticU { .. });
    simple
}

/// Shortens the given branches once their offsets are known, without moving any op: jumps to jumps go straight to
/// the end, and a jump to a return returns.
pub fn shorten_branches(ops: &mut [Op], jumps: &[(u32, u32)]) {
    use Op::*;
    for &(at, _) in jumps {
        let at = at as usize;
        let Some(&mut off) = offset(&mut ops[at]) else {
            continue;
        };
        let mut target = (at as i64 + i64::from(off)) as usize;
        for _ in 0..8 {
            let Jmp { off } = ops[target] else { break };
            target = (target as i64 + i64::from(off)) as usize;
        }
        let first = ops[target];
        let returns = matches!(
            first,
            RetVoid | Ret { .. } | RetZ { .. } | RetB { .. } | RetC { .. } | RetS { .. }
        );
        if returns && matches!(ops[at], Jmp { .. }) {
            ops[at] = first;
        } else {
            set_offset(&mut ops[at], (target as i64 - at as i64) as i32);
        }
    }
}
