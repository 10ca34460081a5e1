//! Two small executors that must agree: one for the bytecode of the random programs, one for their ops.

use crate::classfile::{ClassFile, tag};
use crate::link::decode::{self, bc::*, u16_at};
use crate::link::op::{Lowered, Op, Op::*};
use crate::link::types::{self, is_wide};

/// What a run has shown: the arguments of every call, and how it ended.
#[derive(Debug, Default, PartialEq)]
pub struct Run {
    pub shown: Vec<u64>,
    pub result: Option<u64>,
    pub thrown: bool,
}

const FUEL: usize = 200_000;
const EXCEPTION: u64 = 0xE;

/// What the called method answers: something that depends on all its arguments.
fn answer(desc: &[u8], args: &[u64], run: &mut Run) -> Option<u64> {
    let mut mix = 17u64;
    let mut at = 0;
    let (ret, _) = types::method_kinds(desc, |kind| {
        run.shown.push(args[at]);
        mix = mix.wrapping_mul(31).wrapping_add(args[at]);
        at += 1 + usize::from(is_wide(kind));
    })?;
    match ret {
        types::TOP => None,
        types::INT => Some(u64::from(mix as u32)),
        types::FLOAT => Some(u64::from(((mix % 7) as f32 - 3.0).to_bits())),
        types::DOUBLE => Some(((mix % 9) as f64 - 4.0).to_bits()),
        _ => Some(mix),
    }
}

/// Results of arithmetic by opcode on register images; `None` for a division by zero.
pub fn arithmetic(op: u8, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (a as i32, b as i32);
    let (l, m) = (a as i64, b as i64);
    let float =
        |f: fn(f32, f32) -> f32| u64::from(f(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits());
    let double = |f: fn(f64, f64) -> f64| f(f64::from_bits(a), f64::from_bits(b)).to_bits();
    let int = |v: i32| u64::from(v as u32);
    Some(match op {
        IADD => int(x.wrapping_add(y)),
        ISUB => int(x.wrapping_sub(y)),
        IMUL => int(x.wrapping_mul(y)),
        IDIV if y != 0 => int(x.wrapping_div(y)),
        IREM if y != 0 => int(x.wrapping_rem(y)),
        ISHL => int(x.wrapping_shl(y as u32)),
        ISHR => int(x.wrapping_shr(y as u32)),
        IUSHR => u64::from((x as u32).wrapping_shr(y as u32)),
        IAND => int(x & y),
        IOR => int(x | y),
        IXOR => int(x ^ y),
        LADD => l.wrapping_add(m) as u64,
        LSUB => l.wrapping_sub(m) as u64,
        LMUL => l.wrapping_mul(m) as u64,
        LDIV if m != 0 => l.wrapping_div(m) as u64,
        LREM if m != 0 => l.wrapping_rem(m) as u64,
        LAND => a & b,
        LOR => a | b,
        LXOR => a ^ b,
        LCMP => int(l.cmp(&m) as i32),
        FADD => float(|a, b| a + b),
        FSUB => float(|a, b| a - b),
        FMUL => float(|a, b| a * b),
        DADD => double(|a, b| a + b),
        DSUB => double(|a, b| a - b),
        DMUL => double(|a, b| a * b),
        FCMPL | FCMPG => {
            let order = f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32));
            int(order.map_or(if op == FCMPG { 1 } else { -1 }, |o| o as i32))
        }
        DCMPL | DCMPG => {
            let order = f64::from_bits(a).partial_cmp(&f64::from_bits(b));
            int(order.map_or(if op == DCMPG { 1 } else { -1 }, |o| o as i32))
        }
        _ => return None,
    })
}

fn holds(cond: u8, a: i64, b: i64) -> bool {
    [a == b, a != b, a < b, a >= b, a > b, a <= b][cond as usize]
}

/// Runs the bytecode on a plain stack machine.
pub fn run_bytecode(class: &ClassFile, args: &[u64]) -> Run {
    let code = class.code(&class.methods[0]).expect("code");
    let ranges = decode::ranges(code.handlers).expect("ranges");
    let bytes = code.bytes;
    let mut locals = args.to_vec();
    locals.resize(code.max_locals.into(), 0);
    let mut stack: Vec<u64> = Vec::new();
    let mut run = Run::default();
    let mut bci = 0;
    for _ in 0..FUEL {
        let op = bytes[bci];
        let mut next = bci + decode::insn_len(bytes, bci).expect("an instruction");
        let mut threw = false;
        if let Some((op, n, k)) = decode::local_operand(bytes, bci) {
            let n = usize::from(n);
            let wide = matches!(op, 22 | 24 | 55 | 57);
            match op {
                ILOAD..=ALOAD => push(&mut stack, locals[n], wide),
                IINC => locals[n] = u64::from((locals[n] as u32).wrapping_add(k as u32)),
                _ => locals[n] = pop(&mut stack, wide),
            }
        } else if let Some(s) = types::shuffle(op) {
            let taken = stack.split_off(stack.len() - s.take);
            stack.extend(s.order.iter().map(|&i| taken[usize::from(i)]));
        } else {
            match op {
                ICONST_M1..=ICONST_5 => push(&mut stack, u64::from((i32::from(op) - 3) as u32), false),
                BIPUSH => push(&mut stack, u64::from(bytes[bci + 1] as i8 as u32), false),
                LDC_W => push(
                    &mut stack,
                    class.word(u16_at(bytes, bci + 1)).expect("a word").into(),
                    false,
                ),
                LDC2_W => push(
                    &mut stack,
                    class.long(u16_at(bytes, bci + 1)).expect("a long"),
                    true,
                ),
                IFEQ..=IFLE | IF_ICMPEQ..=IF_ICMPLE => {
                    let two = op >= IF_ICMPEQ;
                    let b = if two { pop(&mut stack, false) as i32 } else { 0 };
                    let a = pop(&mut stack, false) as i32;
                    let cond = op - if two { IF_ICMPEQ } else { IFEQ };
                    if holds(cond, a.into(), b.into()) {
                        next = decode::branch_target(bytes, bci).expect("a branch") as usize;
                    }
                }
                GOTO => next = decode::branch_target(bytes, bci).expect("a branch") as usize,
                INVOKESTATIC => {
                    let (_, _, desc) = class.member(u16_at(bytes, bci + 1)).expect("a method");
                    let (slots, ret) = types::call_shape(desc).expect("a shape");
                    let args = stack.split_off(stack.len() - slots);
                    if let Some(v) = answer(desc, &args, &mut run) {
                        push(&mut stack, v, is_wide(ret));
                    }
                }
                LRETURN => {
                    run.result = Some(pop(&mut stack, true));
                    return run;
                }
                _ => {
                    let (from, to) = wides(op);
                    let b = pop(&mut stack, from);
                    let a = pop(&mut stack, from);
                    match arithmetic(op, a, b) {
                        Some(v) => push(&mut stack, v, to),
                        None => threw = true,
                    }
                }
            }
        }
        if threw {
            let at = bci as u16;
            let Some(h) = ranges.iter().find(|r| (r.start..r.end).contains(&at)) else {
                run.thrown = true;
                return run;
            };
            stack.clear();
            stack.push(EXCEPTION);
            next = h.target.into();
        }
        bci = next;
    }
    run
}

/// Whether operands and result of a binary instruction take two slots.
fn wides(op: u8) -> (bool, bool) {
    match op {
        LCMP | DCMPL | DCMPG => (true, false),
        IADD..=LXOR => {
            let wide = if op >= IAND {
                (op - IAND) % 2 == 1
            } else {
                (op - IADD) % 2 == 1
            };
            let shift = (ISHL..=LUSHR).contains(&op);
            (wide && !shift, wide)
        }
        _ => (false, false),
    }
}

fn push(stack: &mut Vec<u64>, v: u64, wide: bool) {
    stack.push(v);
    if wide {
        stack.push(0xDEAD);
    }
}

fn pop(stack: &mut Vec<u64>, wide: bool) -> u64 {
    if wide {
        stack.pop();
    }
    stack.pop().expect("a value")
}

/// Runs the ops. Registers start with rubbish, and a call leaves rubbish above its result.
pub fn run_ops(class: &ClassFile, lowered: &Lowered, args: &[u64], first_stack: usize) -> Run {
    let mut regs: Vec<u64> = (0..u64::from(lowered.regs))
        .map(|i| 0xBAD_0000_0000 + i)
        .collect();
    regs[..args.len()].copy_from_slice(args);
    let mut run = Run::default();
    let mut pc = 0usize;
    for _ in 0..FUEL {
        let op = lowered.ops[pc];
        let mut next = pc + 1;
        let mut threw = false;
        if let Some((d, code, a, b)) = binary(op, &regs) {
            match arithmetic(code, a, b) {
                Some(v) => regs[usize::from(d)] = v,
                None => threw = true,
            }
        } else if let Some((taken, off)) = branch(op, &regs) {
            if taken {
                next = (pc as i64 + i64::from(off)) as usize;
            }
        } else {
            match op {
                Mov { d, s } => regs[usize::from(d)] = regs[usize::from(s)],
                Const { d, v } => regs[usize::from(d)] = v.into(),
                Const64 { d, lo, hi } => regs[usize::from(d)] = u64::from(lo) | u64::from(hi) << 32,
                InvokeStaticU { args, n, cp } => {
                    assert_eq!(class.tag(cp), tag::METHOD);
                    let (_, _, desc) = class.member(cp).expect("a method");
                    let at = usize::from(args);
                    let result = answer(desc, &regs[at..at + usize::from(n)], &mut run);
                    regs[at..].fill(0xBAD_CA11);
                    if let Some(v) = result {
                        regs[at] = v;
                    }
                }
                Ret { s } => {
                    run.result = Some(regs[usize::from(s)]);
                    return run;
                }
                other => panic!("unexpected {other:?}"),
            }
        }
        if threw {
            let at = pc as u32;
            let Some(h) = lowered.handlers.iter().find(|h| (h.start..h.end).contains(&at)) else {
                run.thrown = true;
                return run;
            };
            regs[first_stack..].fill(0xBADE);
            regs[first_stack] = EXCEPTION;
            next = h.target as usize;
        }
        pc = next;
    }
    run
}

/// Destination, bytecode and operand values of an arithmetic op.
#[rustfmt::skip]
fn binary(op: Op, regs: &[u64]) -> Option<(u16, u8, u64, u64)> {
    macro_rules! table {
        ($($name:ident $code:ident,)* ; $($kname:ident $kcode:ident,)*) => {
            match op {
                $($name { d, a, b } => Some((d, $code, regs[usize::from(a)], regs[usize::from(b)])),)*
                $($kname { d, a, k } => Some((d, $kcode, regs[usize::from(a)], i64::from(k) as u64)),)*
                RsubIK { d, a, k } => Some((d, ISUB, i64::from(k) as u64, regs[usize::from(a)])),
                _ => None,
            }
        };
    }
    table! {
        AddI IADD, SubI ISUB, MulI IMUL, DivI IDIV, RemI IREM, AndI IAND, OrI IOR, XorI IXOR, ShlI ISHL, ShrI ISHR,
        UshrI IUSHR, AddL LADD, SubL LSUB, MulL LMUL, DivL LDIV, RemL LREM, AndL LAND, OrL LOR, XorL LXOR, CmpL LCMP,
        AddF FADD, SubF FSUB, MulF FMUL, AddD DADD, SubD DSUB, MulD DMUL, CmpFl FCMPL, CmpFg FCMPG, CmpDl DCMPL,
        CmpDg DCMPG, ;
        AddIK IADD, MulIK IMUL, DivIK IDIV, RemIK IREM, AndIK IAND, OrIK IOR, XorIK IXOR, ShlIK ISHL, ShrIK ISHR,
        UshrIK IUSHR, AddLK LADD, MulLK LMUL, AndLK LAND,
    }
}

/// Whether a branch op is taken, and its offset.
#[rustfmt::skip]
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "some ops are taken when a comparison does not hold")]
fn branch(op: Op, regs: &[u64]) -> Option<(bool, i32)> {
    let i = |r: u16| regs[usize::from(r)] as i32;
    let l = |r: u16| regs[usize::from(r)] as i64;
    let f = |r: u16| f32::from_bits(regs[usize::from(r)] as u32);
    let d = |r: u16| f64::from_bits(regs[usize::from(r)]);
    macro_rules! table {
        ($($get:ident $name:ident $op:tt,)* ; $($kname:ident $kop:tt,)* ; $($nget:ident $nname:ident $nop:tt,)*) => {
            match op {
                Jmp { off } => Some((true, off)),
                $($name { a, b, off } => Some(($get(a) $op $get(b), off)),)*
                $($kname { a, k, off } => Some((i(a) $kop k, off)),)*
                $($nname { a, b, off } => Some((!($nget(a) $nop $nget(b)), off)),)*
                _ => None,
            }
        };
    }
    table! {
        i JEqI ==, i JNeI !=, i JLtI <, i JGeI >=, i JGtI >, i JLeI <=,
        l JEqL ==, l JNeL !=, l JLtL <, l JGeL >=, l JGtL >, l JLeL <=,
        f JEqF ==, f JNeF !=, f JLtF <, f JGeF >=, f JGtF >, f JLeF <=,
        d JEqD ==, d JNeD !=, d JLtD <, d JGeD >=, d JGtD >, d JLeD <=, ;
        JEqIK ==, JNeIK !=, JLtIK <, JGeIK >=, JGtIK >, JLeIK <=, ;
        f JNltF <, f JNleF <=, f JNgtF >, f JNgeF >=, d JNltD <, d JNleD <=, d JNgtD >, d JNgeD >=,
    }
}
