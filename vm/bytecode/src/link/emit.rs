//! One bytecode instruction to register ops.

use crate::classfile::tag;
use crate::link::decode::{self, SwitchInsn, bc, i16_at, u16_at};
use crate::link::lower::Lowering;
use crate::link::op::{Op, Switch};
use crate::link::peephole;
use crate::link::types::{self, DOUBLE, FLOAT, INT, Kind, LONG, REF, RET, TOP};
use crate::link::values::{Loc, Popped};

/// Makes a branch op from two registers; the offset comes later.
type Branch2 = fn(u16, u16) -> Op;
/// Makes an op from destination and one operand, or two.
type Unary = fn(u16, u16) -> Op;
type Binary = fn(u16, u16, u16) -> Op;
/// Makes an op from destination, operand and constant.
type WithConst = fn(u16, u16, i32) -> Op;

macro_rules! op {
    (d a, $name:ident) => {
        (|d, a| Op::$name { d, a }) as Unary
    };
    (d a b, $name:ident) => {
        (|d, a, b| Op::$name { d, a, b }) as Binary
    };
    (d a k, $name:ident) => {
        (|d, a, k| Op::$name { d, a, k }) as WithConst
    };
    (j a b, $name:ident) => {
        (|a, b| Op::$name { a, b, off: 0 }) as Branch2
    };
}

impl Lowering<'_> {
    /// Emits the ops of the instruction at `bci`, which `next` follows. Answers the bci to go on with and
    /// whether control gets there from here.
    pub fn emit_insn(&mut self, bci: usize, next: usize) -> (usize, bool) {
        let code = self.flow.code;
        let op = code[bci];
        if let Some((op, n, k)) = decode::local_operand(code, bci) {
            return (next, self.local_insn(op, n, k));
        }
        match op {
            bc::NOP => {}
            bc::ACONST_NULL => self.values.push(REF, Loc::Const(0)),
            bc::ICONST_M1..=bc::ICONST_5 => self.int(i32::from(op) - i32::from(bc::ICONST_0)),
            bc::BIPUSH => self.int(i32::from(code[bci + 1] as i8)),
            bc::SIPUSH => self.int(i32::from(i16_at(code, bci + 1))),
            bc::LCONST_0 | bc::LCONST_1 => self.values.push(LONG, Loc::Const64((op - bc::LCONST_0).into())),
            bc::FCONST_0..=bc::FCONST_2 => {
                let v = f32::from(op - bc::FCONST_0);
                self.values.push(FLOAT, Loc::Const(v.to_bits()));
            }
            bc::DCONST_0 | bc::DCONST_1 => {
                let v = f64::from(op - bc::DCONST_0);
                self.values.push(DOUBLE, Loc::Const64(v.to_bits()));
            }
            bc::LDC | bc::LDC_W | bc::LDC2_W => self.constant(types::const_index(code, bci)),
            bc::POP..=bc::SWAP => {
                if let Some(s) = types::shuffle(op) {
                    self.values.shuffle(s.take, s.order);
                }
            }
            bc::IALOAD..=bc::SALOAD | bc::IASTORE..=bc::SASTORE => self.array_access(op),
            bc::IADD..=bc::LXOR => self.arithmetic(op),
            bc::I2L..=bc::I2S => self.convert(op),
            bc::LCMP..=bc::DCMPG => return self.compare(op, next),
            bc::IFEQ..=bc::JSR | bc::IFNULL | bc::IFNONNULL | bc::GOTO_W | bc::JSR_W => {
                return (next, self.branch(op, bci, next));
            }
            bc::TABLESWITCH | bc::LOOKUPSWITCH => {
                self.switch(op, bci);
                return (next, false);
            }
            bc::IRETURN..=bc::RETURN => {
                self.ret(op);
                return (next, false);
            }
            bc::ATHROW => {
                let s = self.values.pop_reg();
                self.values.emit(Op::Throw { s });
                return (next, false);
            }
            bc::GETSTATIC..=bc::PUTFIELD => self.field(op, u16_at(code, bci + 1)),
            bc::INVOKEVIRTUAL..=bc::INVOKEDYNAMIC => self.call(op, u16_at(code, bci + 1)),
            _ => self.object(op, bci),
        }
        (next, true)
    }

    fn int(&mut self, v: i32) {
        self.values.push(INT, Loc::Const(v as u32));
    }

    #[inline]
    fn local_insn(&mut self, op: u8, n: u16, k: i16) -> bool {
        const KINDS: [Kind; 5] = [INT, LONG, FLOAT, DOUBLE, REF];
        match op {
            bc::ILOAD..=bc::ALOAD => self.values.push(KINDS[(op - bc::ILOAD) as usize], Loc::Reg(n)),
            bc::ISTORE..=bc::ASTORE => {
                self.values
                    .store(n, types::is_wide(KINDS[(op - bc::ISTORE) as usize]));
            }
            bc::IINC => {
                self.values.before_write(n);
                self.values.emit(Op::AddIK {
                    d: n,
                    a: n,
                    k: k.into(),
                });
            }
            _ => {
                self.values.emit(Op::RetSub { a: n });
                return false;
            }
        }
        true
    }

    fn constant(&mut self, cp: u16) {
        let class = self.flow.class;
        let kind = types::const_kind(class, cp).unwrap_or(REF);
        match class.tag(cp) {
            tag::INTEGER | tag::FLOAT => {
                self.values
                    .push(kind, Loc::Const(class.word(cp).unwrap_or_default()));
            }
            tag::LONG | tag::DOUBLE => {
                self.values
                    .push(kind, Loc::Const64(class.long(cp).unwrap_or_default()));
            }
            _ => self.values.push_result(kind, |d| Op::LdcU { d, cp }),
        }
    }

    fn array_access(&mut self, op: u8) {
        if op <= bc::SALOAD {
            let (arr, i) = self.values.pop_regs();
            let (kind, load): (Kind, fn(u16, u16, u16) -> Op) = match op {
                bc::IALOAD => (INT, |d, arr, i| Op::Ld4 { d, arr, i }),
                bc::LALOAD => (LONG, |d, arr, i| Op::Ld8 { d, arr, i }),
                bc::FALOAD => (FLOAT, |d, arr, i| Op::Ld4 { d, arr, i }),
                bc::DALOAD => (DOUBLE, |d, arr, i| Op::Ld8 { d, arr, i }),
                bc::AALOAD => (REF, |d, arr, i| Op::Ld4 { d, arr, i }),
                bc::BALOAD => (INT, |d, arr, i| Op::Ld1 { d, arr, i }),
                bc::CALOAD => (INT, |d, arr, i| Op::Ld2U { d, arr, i }),
                _ => (INT, |d, arr, i| Op::Ld2S { d, arr, i }),
            };
            self.values.push_result(kind, |d| load(d, arr, i));
            return;
        }
        let v = self.values.pop();
        let (arr, i) = self.values.pop_regs();
        let v = self.values.reg(v);
        self.values.emit(match op {
            bc::IASTORE | bc::FASTORE => Op::St4 { arr, i, v },
            bc::LASTORE | bc::DASTORE => Op::St8 { arr, i, v },
            bc::AASTORE => Op::StA { arr, i, v },
            bc::BASTORE => Op::St1 { arr, i, v },
            _ => Op::St2 { arr, i, v },
        });
    }

    fn arithmetic(&mut self, op: u8) {
        match op {
            bc::INEG => self.unary(INT, op!(d a, NegI)),
            bc::LNEG => self.unary(LONG, op!(d a, NegL)),
            bc::FNEG => self.unary(FLOAT, op!(d a, NegF)),
            bc::DNEG => self.unary(DOUBLE, op!(d a, NegD)),
            bc::FADD => self.binary(FLOAT, op!(d a b, AddF)),
            bc::FSUB => self.binary(FLOAT, op!(d a b, SubF)),
            bc::FMUL => self.binary(FLOAT, op!(d a b, MulF)),
            bc::FDIV => self.binary(FLOAT, op!(d a b, DivF)),
            bc::FREM => self.binary(FLOAT, op!(d a b, RemF)),
            bc::DADD => self.binary(DOUBLE, op!(d a b, AddD)),
            bc::DSUB => self.binary(DOUBLE, op!(d a b, SubD)),
            bc::DMUL => self.binary(DOUBLE, op!(d a b, MulD)),
            bc::DDIV => self.binary(DOUBLE, op!(d a b, DivD)),
            bc::DREM => self.binary(DOUBLE, op!(d a b, RemD)),
            bc::LADD | bc::LSUB | bc::LMUL | bc::LDIV | bc::LREM | bc::LAND | bc::LOR | bc::LXOR => {
                self.long(op)
            }
            bc::LSHL => self.shift_long(op!(d a b, ShlL), op!(d a k, ShlLK)),
            bc::LSHR => self.shift_long(op!(d a b, ShrL), op!(d a k, ShrLK)),
            bc::LUSHR => self.shift_long(op!(d a b, UshrL), op!(d a k, UshrLK)),
            _ => self.int_arithmetic(op),
        }
    }

    fn unary(&mut self, kind: Kind, op: Unary) {
        let a = self.values.pop_reg();
        self.values.push_result(kind, |d| op(d, a));
    }

    fn binary(&mut self, kind: Kind, op: Binary) {
        let (a, b) = self.values.pop_regs();
        self.values.push_result(kind, |d| op(d, a, b));
    }

    fn with_const(&mut self, kind: Kind, op: WithConst, a: Popped, k: i32) {
        let a = self.values.reg(a);
        self.values.push_result(kind, |d| op(d, a, k));
    }

    fn int_arithmetic(&mut self, op: u8) {
        let (plain, constant): (Binary, WithConst) = match op {
            bc::IADD => (op!(d a b, AddI), op!(d a k, AddIK)),
            bc::ISUB => (op!(d a b, SubI), |d, a, k| Op::AddIK {
                d,
                a,
                k: k.wrapping_neg(),
            }),
            bc::IMUL => (op!(d a b, MulI), op!(d a k, MulIK)),
            bc::IDIV => (op!(d a b, DivI), op!(d a k, DivIK)),
            bc::IREM => (op!(d a b, RemI), op!(d a k, RemIK)),
            bc::IAND => (op!(d a b, AndI), op!(d a k, AndIK)),
            bc::IOR => (op!(d a b, OrI), op!(d a k, OrIK)),
            bc::IXOR => (op!(d a b, XorI), op!(d a k, XorIK)),
            bc::ISHL => (op!(d a b, ShlI), |d, a, k| Op::ShlIK { d, a, k: k & 31 }),
            bc::ISHR => (op!(d a b, ShrI), |d, a, k| Op::ShrIK { d, a, k: k & 31 }),
            _ => (op!(d a b, UshrI), |d, a, k| Op::UshrIK { d, a, k: k & 31 }),
        };
        let b = self.values.pop();
        let a = self.values.pop();
        let divides = op == bc::IDIV || op == bc::IREM;
        if let Some(k) = b.int()
            && !(divides && k == 0)
        {
            return self.with_const(INT, constant, a, k);
        }
        if let Some(k) = a.int() {
            match op {
                bc::IADD | bc::IMUL | bc::IAND | bc::IOR | bc::IXOR => {
                    return self.with_const(INT, constant, b, k);
                }
                bc::ISUB => return self.with_const(INT, op!(d a k, RsubIK), b, k),
                _ => {}
            }
        }
        let (a, b) = (self.values.reg(a), self.values.reg(b));
        self.values.push_result(INT, |d| plain(d, a, b));
    }

    fn long(&mut self, op: u8) {
        let (plain, constant): (Binary, Option<WithConst>) = match op {
            bc::LADD => (op!(d a b, AddL), Some(op!(d a k, AddLK))),
            bc::LSUB => (op!(d a b, SubL), None),
            bc::LMUL => (op!(d a b, MulL), Some(op!(d a k, MulLK))),
            bc::LDIV => (op!(d a b, DivL), None),
            bc::LREM => (op!(d a b, RemL), None),
            bc::LAND => (op!(d a b, AndL), Some(op!(d a k, AndLK))),
            bc::LOR => (op!(d a b, OrL), None),
            _ => (op!(d a b, XorL), None),
        };
        let b = self.values.pop();
        let a = self.values.pop();
        if op == bc::LSUB
            && let Some(k) = b.small_long().and_then(i32::checked_neg)
        {
            return self.with_const(LONG, op!(d a k, AddLK), a, k);
        }
        if let Some(constant) = constant {
            if let Some(k) = b.small_long() {
                return self.with_const(LONG, constant, a, k);
            }
            if let Some(k) = a.small_long() {
                return self.with_const(LONG, constant, b, k);
            }
        }
        let (a, b) = (self.values.reg(a), self.values.reg(b));
        self.values.push_result(LONG, |d| plain(d, a, b));
    }

    fn shift_long(&mut self, plain: Binary, constant: WithConst) {
        let b = self.values.pop();
        let a = self.values.pop();
        if let Some(k) = b.int() {
            return self.with_const(LONG, constant, a, k & 63);
        }
        let (a, b) = (self.values.reg(a), self.values.reg(b));
        self.values.push_result(LONG, |d| plain(d, a, b));
    }

    fn convert(&mut self, op: u8) {
        let (kind, unary): (Kind, Unary) = match op {
            bc::I2L => (LONG, op!(d a, I2L)),
            bc::I2F => (FLOAT, op!(d a, I2F)),
            bc::I2D => (DOUBLE, op!(d a, I2D)),
            bc::L2I => (INT, op!(d a, L2I)),
            bc::L2F => (FLOAT, op!(d a, L2F)),
            bc::L2D => (DOUBLE, op!(d a, L2D)),
            bc::F2I => (INT, op!(d a, F2I)),
            bc::F2L => (LONG, op!(d a, F2L)),
            bc::F2D => (DOUBLE, op!(d a, F2D)),
            bc::D2I => (INT, op!(d a, D2I)),
            bc::D2L => (LONG, op!(d a, D2L)),
            bc::D2F => (FLOAT, op!(d a, D2F)),
            bc::I2B => (INT, op!(d a, I2B)),
            bc::I2C => (INT, op!(d a, I2C)),
            _ => (INT, op!(d a, I2S)),
        };
        self.unary(kind, unary);
    }

    /// A three-way comparison; with the `if` that follows it becomes one branch op.
    fn compare(&mut self, op: u8, next: usize) -> (usize, bool) {
        let (code, layout) = (self.flow.code, &self.flow.layout);
        if next < code.len() && !layout.is_leader(next) && (bc::IFEQ..=bc::IFLE).contains(&code[next]) {
            let (a, b) = self.values.pop_regs();
            let branch = fused(op, code[next]);
            self.jump(branch(a, b), next);
            return (next + 3, true);
        }
        let three_way = match op {
            bc::LCMP => op!(d a b, CmpL),
            bc::FCMPL => op!(d a b, CmpFl),
            bc::FCMPG => op!(d a b, CmpFg),
            bc::DCMPL => op!(d a b, CmpDl),
            _ => op!(d a b, CmpDg),
        };
        self.binary(INT, three_way);
        (next, true)
    }

    /// Emits a branch op to where the branch instruction at `bci` leads. Stacks are settled at branches.
    fn jump(&mut self, op: Op, bci: usize) {
        let target = decode::branch_target(self.flow.code, bci).unwrap_or_default();
        self.values.settle_all();
        self.jumps.push((self.values.next_op(), target as u32));
        self.values.emit(op);
    }

    /// Whether control may go on after the branch.
    fn branch(&mut self, op: u8, bci: usize, next: usize) -> bool {
        match op {
            bc::GOTO | bc::GOTO_W => {
                if !self.repeat_test(bci, next) {
                    self.jump(Op::Jmp { off: 0 }, bci);
                }
                return false;
            }
            bc::JSR | bc::JSR_W => {
                let d = self.values.next_home();
                self.jump(Op::Jsr { d, off: 0 }, bci);
                self.values.push(RET, Loc::Reg(d));
                return false;
            }
            bc::IFNULL | bc::IFNONNULL => {
                let a = self.values.pop_reg();
                self.null_branch(op == bc::IFNULL, a, bci);
            }
            bc::IF_ACMPEQ | bc::IF_ACMPNE => {
                let b = self.values.pop();
                let a = self.values.pop();
                let equal = op == bc::IF_ACMPEQ;
                if b.int() == Some(0) {
                    let a = self.values.reg(a);
                    self.null_branch(equal, a, bci);
                } else if a.int() == Some(0) {
                    let b = self.values.reg(b);
                    self.null_branch(equal, b, bci);
                } else {
                    let (a, b) = (self.values.reg(a), self.values.reg(b));
                    self.jump(
                        if equal {
                            Op::JEqA { a, b, off: 0 }
                        } else {
                            Op::JNeA { a, b, off: 0 }
                        },
                        bci,
                    );
                }
            }
            bc::IFEQ..=bc::IFLE => {
                let a = self.values.pop_reg();
                self.jump(int_branch_const(op - bc::IFEQ, a, 0), bci);
            }
            _ => self.int_branch(op - bc::IF_ICMPEQ, bci),
        }
        true
    }

    /// A jump back to a loop's test: the test is repeated here, inverted, so that a round takes one branch
    /// instead of two. Only for tests of a few ops under the same handlers as the jump. The copies keep the
    /// bytecode indices of their originals: they stand for the same instructions.
    fn repeat_test(&mut self, bci: usize, next: usize) -> bool {
        const MOST: usize = 4;
        let flow = self.flow;
        let target = decode::branch_target(flow.code, bci).unwrap_or_default() as usize;
        if target >= bci {
            return false;
        }
        let first = self.op_at[target] as usize;
        let test = &self.values.ops[first.min(self.values.ops.len())..];
        let Some(len) = test.iter().take(MOST).position(|&op| !peephole::can_repeat(op)) else {
            return false;
        };
        let Some(back) = peephole::inverse(test[len]) else {
            return false;
        };
        let branch = first + len;
        let Ok(jump) = self.jumps.binary_search_by_key(&(branch as u32), |j| j.0) else {
            return false;
        };
        let exit = self.jumps[jump].1;
        let bcis = self.values.bcis_of(first, branch);
        let last = usize::from(bcis[len]);
        let leader = flow.layout.leader(target);
        let in_block = flow
            .layout
            .leaders
            .get(leader + 1)
            .is_none_or(|&l| usize::from(l) > last);
        let covers = |r: &decode::Range, at: usize| usize::from(r.start) <= at && at < usize::from(r.end);
        let same = |r: &decode::Range| {
            bcis[..len]
                .iter()
                .all(|&at| covers(r, at.into()) == covers(r, bci))
        };
        if !in_block || (len > 0 && !flow.ranges.iter().all(same)) {
            return false;
        }
        self.values.settle_all();
        self.values.repeat(first, len);
        let mut back = back;
        peephole::set_offset(
            &mut back,
            (branch as i64 + 1 - i64::from(self.values.next_op())) as i32,
        );
        self.values.emit_as(back, last as u16);
        if exit as usize != next {
            self.jumps.push((self.values.next_op(), exit));
            self.values.emit(Op::Jmp { off: 0 });
        }
        true
    }

    fn null_branch(&mut self, null: bool, a: u16, bci: usize) {
        self.jump(
            if null {
                Op::JNull { a, off: 0 }
            } else {
                Op::JNonNull { a, off: 0 }
            },
            bci,
        );
    }

    fn int_branch(&mut self, cond: u8, bci: usize) {
        let b = self.values.pop();
        let a = self.values.pop();
        if let Some(k) = b.int() {
            let a = self.values.reg(a);
            return self.jump(int_branch_const(cond, a, k), bci);
        }
        if let Some(k) = a.int() {
            // k < b is b > k: eq, ne, lt, ge, gt, le seen from the other side.
            let swapped = [0, 1, 4, 5, 2, 3][cond as usize];
            let b = self.values.reg(b);
            return self.jump(int_branch_const(swapped, b, k), bci);
        }
        let (a, b) = (self.values.reg(a), self.values.reg(b));
        let branch = [
            op!(j a b, JEqI),
            op!(j a b, JNeI),
            op!(j a b, JLtI),
            op!(j a b, JGeI),
            op!(j a b, JGtI),
            op!(j a b, JLeI),
        ][cond as usize];
        self.jump(branch(a, b), bci);
    }

    fn switch(&mut self, op: u8, bci: usize) {
        let a = self.values.pop_reg();
        self.values.settle_all();
        let insn = SwitchInsn::at(self.flow.code, bci);
        let default = insn.default() as i32;
        let offs = (0..insn.len).map(|i| insn.target(i) as i32).collect();
        let table = self.switches.len() as u32;
        self.switch_ops.push(self.values.next_op());
        if op == bc::TABLESWITCH {
            self.switches.push(Switch::Table {
                low: insn.low,
                default,
                offs,
            });
            self.values.emit(Op::TableSwitch { a, table });
        } else {
            let keys = (0..insn.len).map(|i| insn.key(i)).collect();
            self.switches.push(Switch::Lookup { default, keys, offs });
            self.values.emit(Op::LookupSwitch { a, table });
        }
    }

    fn ret(&mut self, op: u8) {
        if op == bc::RETURN {
            return self.values.emit(Op::RetVoid);
        }
        let s = self.values.pop_reg();
        self.values.emit(match self.flow.ret {
            b'Z' => Op::RetZ { s },
            b'B' => Op::RetB { s },
            b'C' => Op::RetC { s },
            b'S' => Op::RetS { s },
            _ => Op::Ret { s },
        });
    }

    fn field(&mut self, op: u8, cp: u16) {
        let kind = types::field_desc(self.flow.class, cp)
            .and_then(types::field_kind)
            .unwrap_or(INT);
        match op {
            bc::GETSTATIC => self.values.push_result(kind, |d| Op::GetStaticU { d, cp }),
            bc::PUTSTATIC => {
                let v = self.values.pop_reg();
                self.values.emit(Op::PutStaticU { v, cp });
            }
            bc::GETFIELD => {
                let obj = self.values.pop_reg();
                self.values.push_result(kind, |d| Op::GetFieldU { d, obj, cp });
            }
            _ => {
                let (obj, v) = self.values.pop_regs();
                self.values.emit(Op::PutFieldU { obj, v, cp });
            }
        }
    }

    fn call(&mut self, op: u8, cp: u16) {
        let shape = types::call_desc(self.flow.class, op, cp).and_then(types::call_shape);
        let (slots, ret) = shape.unwrap_or((0, TOP));
        let slots = slots + usize::from(types::has_receiver(op));
        let args = self.values.args(slots);
        let n = slots as u16;
        self.values.emit(match op {
            bc::INVOKEVIRTUAL => Op::InvokeVirtualU { args, n, cp },
            bc::INVOKESPECIAL => Op::InvokeSpecialU { args, n, cp },
            bc::INVOKESTATIC => Op::InvokeStaticU { args, n, cp },
            bc::INVOKEINTERFACE => Op::InvokeInterfaceU { args, n, cp },
            _ => Op::InvokeDynamicU { args, n, cp },
        });
        if ret != TOP {
            self.values.push(ret, Loc::Reg(args));
        }
    }

    fn object(&mut self, op: u8, bci: usize) {
        let code = self.flow.code;
        let cp = if op == bc::NEWARRAY || bci + 2 >= code.len() {
            0
        } else {
            u16_at(code, bci + 1)
        };
        match op {
            bc::NEW => self.values.push_result(REF, |d| Op::NewU { d, cp }),
            bc::NEWARRAY => {
                let len = self.values.pop_reg();
                let atype = code[bci + 1].into();
                self.values.push_result(REF, |d| Op::NewArray { d, len, atype });
            }
            bc::ANEWARRAY => {
                let len = self.values.pop_reg();
                self.values.push_result(REF, |d| Op::ANewArrayU { d, len, cp });
            }
            bc::MULTIANEWARRAY => {
                let dims = code[bci + 3].into();
                let args = self.values.args(usize::from(dims));
                self.values.emit(Op::MultiNewArray { args, dims, cp });
                self.values.push(REF, Loc::Reg(args));
            }
            bc::ARRAYLENGTH => {
                let arr = self.values.pop_reg();
                self.values.push_result(INT, |d| Op::ArrayLen { d, arr });
            }
            bc::CHECKCAST => {
                // The value stays where it is. A null constant passes any cast, unresolved.
                let value = self.values.pop();
                if let Loc::Reg(s) = value.loc {
                    self.values.emit(Op::CheckCastU { s, cp });
                }
                self.values.push(REF, value.loc);
            }
            bc::INSTANCEOF => {
                let s = self.values.pop_reg();
                self.values.push_result(INT, |d| Op::InstanceOfU { d, s, cp });
            }
            bc::MONITORENTER => {
                let s = self.values.pop_reg();
                self.values.emit(Op::MonitorEnter { s });
            }
            bc::MONITOREXIT => {
                let s = self.values.pop_reg();
                self.values.emit(Op::MonitorExit { s });
            }
            _ => debug_assert!(false, "opcode {op} has passed the analysis"),
        }
    }
}

/// `if<cond>` and `if_icmp<cond>` against a constant; conditions in opcode order: eq, ne, lt, ge, gt, le.
fn int_branch_const(cond: u8, a: u16, k: i32) -> Op {
    let off = 0;
    match cond {
        0 => Op::JEqIK { a, k, off },
        1 => Op::JNeIK { a, k, off },
        2 => Op::JLtIK { a, k, off },
        3 => Op::JGeIK { a, k, off },
        4 => Op::JGtIK { a, k, off },
        _ => Op::JLeIK { a, k, off },
    }
}

/// The branch op for a three-way comparison followed by an `if` of its result. A NaN makes fcmpl/dcmpl answer
/// -1 and fcmpg/dcmpg 1: where that answer takes the branch, it is the op that is also taken on NaN.
#[rustfmt::skip]
fn fused(compare: u8, branch: u8) -> Branch2 {
    let cond = branch - bc::IFEQ; // eq, ne, lt, ge, gt, le
    match (compare, cond) {
        (bc::LCMP, 0) => op!(j a b, JEqL), (bc::LCMP, 1) => op!(j a b, JNeL),
        (bc::LCMP, 2) => op!(j a b, JLtL), (bc::LCMP, 3) => op!(j a b, JGeL),
        (bc::LCMP, 4) => op!(j a b, JGtL), (bc::LCMP, _) => op!(j a b, JLeL),
        (bc::FCMPL | bc::FCMPG, 0) => op!(j a b, JEqF), (bc::FCMPL | bc::FCMPG, 1) => op!(j a b, JNeF),
        (bc::FCMPL, 2) => op!(j a b, JNgeF), (bc::FCMPG, 2) => op!(j a b, JLtF),
        (bc::FCMPL, 3) => op!(j a b, JGeF), (bc::FCMPG, 3) => op!(j a b, JNltF),
        (bc::FCMPL, 4) => op!(j a b, JGtF), (bc::FCMPG, 4) => op!(j a b, JNleF),
        (bc::FCMPL, _) => op!(j a b, JNgtF), (bc::FCMPG, _) => op!(j a b, JLeF),
        (_, 0) => op!(j a b, JEqD), (_, 1) => op!(j a b, JNeD),
        (bc::DCMPL, 2) => op!(j a b, JNgeD), (_, 2) => op!(j a b, JLtD),
        (bc::DCMPL, 3) => op!(j a b, JGeD), (_, 3) => op!(j a b, JNltD),
        (bc::DCMPL, 4) => op!(j a b, JGtD), (_, 4) => op!(j a b, JNleD),
        (bc::DCMPL, _) => op!(j a b, JNgtD), (_, _) => op!(j a b, JLeD),
    }
}
