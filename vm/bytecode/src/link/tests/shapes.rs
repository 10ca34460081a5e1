//! What typical bodies become.

use super::asm::Asm;
use crate::link::decode::bc::{self, *};
use crate::link::op::{Handler, Op, Op::*, Switch};

const ILOAD_1: u8 = ILOAD_0 + 1;
const ALOAD_0: u8 = 42;
const ALOAD_1: u8 = 43;
const ISTORE_1: u8 = ISTORE_0 + 1;
const ISTORE_2: u8 = ISTORE_0 + 2;
const ASTORE_1: u8 = 76;
const LLOAD_0: u8 = 30;
const LSTORE_0: u8 = 63;
const ICONST_1: u8 = 4;

/// Ops of a static method with three locals and four stack slots: stack registers start at 3.
fn body(desc: &str, code: &[u8]) -> Vec<Op> {
    let mut asm = Asm::new(desc, 3, 4);
    asm.u1(code);
    asm.ops()
}

#[test]
fn loads_and_constants_are_lazy() {
    assert_eq!(
        body("(II)I", &[ILOAD_0, ILOAD_1, IADD, IRETURN]),
        [AddI { d: 3, a: 0, b: 1 }, Ret { s: 3 }]
    );
    assert_eq!(
        body("(II)I", &[ILOAD_0, BIPUSH, 5, ISUB, IRETURN]),
        [AddIK { d: 3, a: 0, k: -5 }, Ret { s: 3 }]
    );
    assert_eq!(
        body("(II)I", &[BIPUSH, 5, ILOAD_0, ISUB, IRETURN]),
        [RsubIK { d: 3, a: 0, k: 5 }, Ret { s: 3 }]
    );
    assert_eq!(
        body("(II)I", &[BIPUSH, 5, ILOAD_0, IMUL, IRETURN]),
        [MulIK { d: 3, a: 0, k: 5 }, Ret { s: 3 }]
    );
    assert_eq!(
        body("(II)V", &[ILOAD_0, POP, ACONST_NULL, POP, RETURN]),
        [RetVoid]
    );
    assert_eq!(body("(I)I", &[ILOAD_0, IRETURN]), [Ret { s: 0 }]);
    assert_eq!(body("(I)Z", &[ILOAD_0, IRETURN]), [RetZ { s: 0 }]);
    assert_eq!(body("(I)B", &[ILOAD_0, IRETURN]), [RetB { s: 0 }]);
    assert_eq!(body("(I)C", &[ILOAD_0, IRETURN]), [RetC { s: 0 }]);
    assert_eq!(body("(I)S", &[ILOAD_0, IRETURN]), [RetS { s: 0 }]);
}

#[test]
fn constants_join_their_op_where_they_can() {
    let shl = [ILOAD_0, BIPUSH, 33, ISHL, IRETURN];
    assert_eq!(body("(I)I", &shl), [ShlIK { d: 3, a: 0, k: 1 }, Ret { s: 3 }]);
    let div = [ILOAD_0, ICONST_0, IDIV, IRETURN];
    assert_eq!(
        body("(I)I", &div),
        [Const { d: 4, v: 0 }, DivI { d: 3, a: 0, b: 4 }, Ret { s: 3 }]
    );
    let rem = [ILOAD_0, BIPUSH, 7, IREM, IRETURN];
    assert_eq!(body("(I)I", &rem), [RemIK { d: 3, a: 0, k: 7 }, Ret { s: 3 }]);
    let long = [LLOAD_0, LCONST_1, LSUB, LRETURN];
    assert_eq!(body("(J)J", &long), [AddLK { d: 3, a: 0, k: -1 }, Ret { s: 3 }]);
    let shift = [LLOAD_0, BIPUSH, 65, LUSHR, LRETURN];
    assert_eq!(body("(J)J", &shift), [UshrLK { d: 3, a: 0, k: 1 }, Ret { s: 3 }]);
    let mut big = Asm::new("(J)J", 3, 4);
    let cp = big.wide(5, 1 << 40);
    big.u1(&[LLOAD_0]).u2(LDC2_W, cp).u1(&[LADD, LRETURN]);
    assert_eq!(
        big.ops(),
        [
            Const64 { d: 5, lo: 0, hi: 256 },
            AddL { d: 3, a: 0, b: 5 },
            Ret { s: 3 }
        ]
    );
}

#[test]
fn results_go_straight_to_locals() {
    let code = [ILOAD_0, ILOAD_1, IADD, ISTORE_2, RETURN];
    assert_eq!(body("(II)V", &code), [AddI { d: 2, a: 0, b: 1 }, RetVoid]);
    assert_eq!(
        body("(II)V", &[ILOAD_0, ISTORE_1, RETURN]),
        [Mov { d: 1, s: 0 }, RetVoid]
    );
    assert_eq!(
        body("(II)V", &[ICONST_1, ISTORE_1, RETURN]),
        [Const { d: 1, v: 1 }, RetVoid]
    );
    assert_eq!(
        body("(II)V", &[IINC, 1, 0xFF, RETURN]),
        [AddIK { d: 1, a: 1, k: -1 }, RetVoid]
    );
    let long = [LLOAD_0, LCONST_1, LADD, LSTORE_0, RETURN];
    assert_eq!(body("(J)V", &long), [AddLK { d: 0, a: 0, k: 1 }, RetVoid]);
}

#[test]
fn a_local_is_saved_before_it_changes() {
    let post_increment = [ILOAD_0, IINC, 0, 1, IRETURN];
    let ops = [Mov { d: 3, s: 0 }, AddIK { d: 0, a: 0, k: 1 }, Ret { s: 3 }];
    assert_eq!(body("(I)I", &post_increment), ops);
    // The value loaded first must not see the store, so that the store cannot be the addition's own.
    let code = [ILOAD_0, ILOAD_0, ILOAD_1, IADD, ISTORE_0, IRETURN];
    let ops = [
        AddI { d: 4, a: 0, b: 1 },
        Mov { d: 3, s: 0 },
        Mov { d: 0, s: 4 },
        Ret { s: 3 },
    ];
    assert_eq!(body("(II)I", &code), ops);
}

#[test]
fn dup_is_lazy() {
    let mut asm = Asm::new("()V", 3, 4);
    let class = asm.class("T");
    let init = asm.member(10, "<init>", "()V");
    asm.u2(NEW, class)
        .u1(&[DUP])
        .u2(INVOKESPECIAL, init)
        .u1(&[ASTORE_1, RETURN]);
    let call = InvokeSpecialU {
        args: 4,
        n: 1,
        cp: init,
    };
    assert_eq!(
        asm.ops(),
        [
            NewU { d: 3, cp: class },
            Mov { d: 4, s: 3 },
            call,
            Mov { d: 1, s: 3 },
            RetVoid
        ]
    );
    let swap = [ILOAD_0, ILOAD_1, SWAP, ISUB, IRETURN];
    assert_eq!(body("(II)I", &swap), [SubI { d: 3, a: 1, b: 0 }, Ret { s: 3 }]);
    let two = [ILOAD_0, INEG, ILOAD_1, INEG, SWAP, ISUB, IRETURN];
    let ops = [
        NegI { d: 3, a: 0 },
        NegI { d: 4, a: 1 },
        Mov { d: 7, s: 3 },
        Mov { d: 3, s: 4 },
        Mov { d: 4, s: 7 },
        SubI { d: 3, a: 3, b: 4 },
        Ret { s: 3 },
    ];
    let swapped = body("(II)I", &two);
    assert_eq!(swapped.len(), ops.len());
    assert_eq!(swapped[5..], ops[5..]);
}

#[test]
fn field_increment() {
    // return this.x++ + ...: aload_0 dup getfield dup_x1 iconst_1 iadd putfield ireturn
    let mut asm = Asm::new("(LT;)I", 3, 4);
    let cp = asm.member(9, "x", "I");
    asm.u1(&[ALOAD_0, DUP])
        .u2(GETFIELD, cp)
        .u1(&[DUP_X1, ICONST_1, IADD])
        .u2(PUTFIELD, cp)
        .u1(&[IRETURN]);
    assert_eq!(
        asm.ops(),
        [
            GetFieldU { d: 4, obj: 0, cp },
            Mov { d: 3, s: 4 },
            AddIK { d: 5, a: 3, k: 1 },
            PutFieldU { obj: 0, v: 5, cp },
            Ret { s: 3 },
        ]
    );
}

#[test]
fn calls_take_arguments_in_place() {
    let mut asm = Asm::new("(IJ)J", 3, 5);
    let cp = asm.member(10, "f", "(IJI)J");
    asm.u1(&[ILOAD_0, ILOAD_0 + 5, ICONST_1])
        .u2(INVOKESTATIC, cp)
        .u1(&[LRETURN]);
    assert_eq!(
        asm.ops(),
        [
            Mov { d: 3, s: 0 },
            Mov { d: 4, s: 1 },
            Const { d: 6, v: 1 },
            InvokeStaticU { args: 3, n: 4, cp },
            Ret { s: 3 }
        ]
    );
    assert_eq!(asm.lower().expect("valid").bcis, [3, 3, 3, 3, 6]);
}

#[test]
fn loops_test_at_the_bottom() {
    // for (i = 0; i < n; i++) s += i;
    let mut asm = Asm::new("(I)I", 3, 2);
    asm.u1(&[ICONST_0, ISTORE_1, ICONST_0, ISTORE_2]);
    let head = asm.here();
    asm.u1(&[ILOAD_0 + 2, ILOAD_0]);
    let exit = asm.branch(bc::IF_ICMPEQ + 3);
    asm.u1(&[ILOAD_1, ILOAD_0 + 2, IADD, ISTORE_1, IINC, 2, 1]);
    asm.branch_to(GOTO, head);
    asm.place(exit);
    asm.u1(&[ILOAD_1, IRETURN]);
    assert_eq!(
        asm.ops(),
        [
            Const { d: 1, v: 0 },
            Const { d: 2, v: 0 },
            JGeI { a: 2, b: 0, off: 4 },
            AddI { d: 1, a: 1, b: 2 },
            AddIK { d: 2, a: 2, k: 1 },
            JLtI { a: 2, b: 0, off: -2 },
            Ret { s: 1 },
        ]
    );
}

#[test]
fn a_test_of_several_ops_is_repeated() {
    // for (i = 0; i < a.length; i++) ;
    let mut asm = Asm::new("([I)V", 2, 2);
    asm.u1(&[ICONST_0, ISTORE_1]);
    let head = asm.here();
    asm.u1(&[ILOAD_1, ALOAD_0, ARRAYLENGTH]);
    let exit = asm.branch(bc::IF_ICMPEQ + 3);
    asm.u1(&[IINC, 1, 1]);
    asm.branch_to(GOTO, head);
    asm.place(exit);
    asm.u1(&[RETURN]);
    let lowered = asm.lower().expect("valid");
    assert_eq!(
        lowered.ops,
        [
            Const { d: 1, v: 0 },
            ArrayLen { d: 3, arr: 0 },
            JGeI { a: 1, b: 3, off: 4 },
            AddIK { d: 1, a: 1, k: 1 },
            ArrayLen { d: 3, arr: 0 },
            JLtI { a: 1, b: 3, off: -2 },
            RetVoid,
        ]
    );
    assert_eq!(lowered.bcis, [1, 4, 5, 8, 4, 5, 14]);
    // Not when the jump stands under another handler than the test.
    asm.u1(&[ATHROW]);
    asm.handler(2, 5, 15, 0);
    assert!(matches!(asm.ops()[4], Jmp { .. }));
}

#[test]
fn constants_in_comparisons() {
    let test = |op: u8, left: &[u8], right: &[u8]| {
        let mut asm = Asm::new("(II)V", 3, 4);
        asm.u1(left).u1(right);
        let b = asm.branch(op);
        asm.u1(&[NOP]);
        asm.place(b);
        asm.u1(&[RETURN]);
        asm.ops()[0]
    };
    assert_eq!(
        test(IF_ICMPEQ + 2, &[ILOAD_0], &[BIPUSH, 9]),
        JLtIK { a: 0, k: 9, off: 1 }
    );
    assert_eq!(
        test(IF_ICMPEQ + 2, &[BIPUSH, 9], &[ILOAD_0]),
        JGtIK { a: 0, k: 9, off: 1 }
    );
    assert_eq!(
        test(IF_ICMPEQ + 5, &[BIPUSH, 9], &[ILOAD_0]),
        JGeIK { a: 0, k: 9, off: 1 }
    );
    assert_eq!(test(IFEQ + 1, &[ILOAD_0], &[]), JNeIK { a: 0, k: 0, off: 1 });
}

#[test]
fn switches_lead_to_ops() {
    let mut asm = Asm::new("(I)I", 1, 1);
    asm.u1(&[ILOAD_0, TABLESWITCH, 0, 0]);
    for word in [27i32, 5, 6, 23, 25] {
        asm.code.extend(word.to_be_bytes());
    }
    asm.u1(&[ICONST_1, IRETURN, ICONST_0, IRETURN, ICONST_5, IRETURN]);
    let lowered = asm.lower().expect("valid");
    assert_eq!(lowered.ops[0], TableSwitch { a: 0, table: 0 });
    assert_eq!(
        lowered.switches,
        [Switch::Table {
            low: 5,
            default: 5,
            offs: [1, 3].into()
        }]
    );
}

#[test]
fn handlers_cover_the_ops_of_their_range() {
    let mut asm = Asm::new("(II)I", 2, 2);
    asm.u1(&[
        ILOAD_0, ILOAD_1, IDIV, IRETURN, POP, ICONST_0, IRETURN, ICONST_1, IRETURN,
    ]);
    asm.handler(2, 3, 4, 0);
    asm.handler(7, 9, 4, 0); // dead code
    let lowered = asm.lower().expect("valid");
    assert_eq!(
        lowered.ops,
        [
            DivI { d: 2, a: 0, b: 1 },
            Ret { s: 2 },
            Const { d: 2, v: 0 },
            Ret { s: 2 }
        ]
    );
    assert_eq!(
        lowered.handlers,
        [Handler {
            start: 0,
            end: 1,
            target: 2,
            catch_cp: 0
        }]
    );
}

#[test]
fn constants_that_need_resolution() {
    let mut asm = Asm::new("()V", 0, 2);
    let cp = asm.string("s");
    asm.u2(LDC_W, cp).u1(&[POP, RETURN]);
    assert_eq!(asm.ops(), [LdcU { d: 0, cp }, RetVoid]);
    let mut asm = Asm::new("()J", 0, 4);
    let cp = asm.dynamic(17, "c", "J");
    asm.u2(LDC2_W, cp).u2(LDC2_W, cp).u1(&[LADD, LRETURN]);
    assert_eq!(
        asm.ops(),
        [
            LdcU { d: 0, cp },
            LdcU { d: 2, cp },
            AddL { d: 0, a: 0, b: 2 },
            Ret { s: 0 }
        ]
    );
    let mut asm = Asm::new("()I", 0, 2);
    let (int, call) = (asm.dynamic(17, "c", "I"), asm.dynamic(18, "f", "(II)I"));
    asm.u2(LDC_W, int)
        .u2(LDC_W, int)
        .u2(INVOKEDYNAMIC, call)
        .u1(&[0, 0, IRETURN]);
    let calls = InvokeDynamicU {
        args: 0,
        n: 2,
        cp: call,
    };
    assert_eq!(
        asm.ops(),
        [
            LdcU { d: 0, cp: int },
            LdcU { d: 1, cp: int },
            calls,
            Ret { s: 0 }
        ]
    );
}

/// try { return i; } finally { f(); } as compilers before Java 6 wrote it, with the slot of the saved value
/// unset on one path into the subroutine.
fn old_finally(saved: u8) -> Asm {
    let reference = saved == ASTORE_1;
    let mut asm = Asm::new(if reference { "(LT;)LT;" } else { "(I)I" }, 4, 1);
    let f = asm.member(10, "f", "()V");
    let load = if reference {
        (ALOAD_0, ALOAD_1, ARETURN)
    } else {
        (ILOAD_0, ILOAD_1, IRETURN)
    };
    asm.u1(&[load.0, saved]);
    let first = asm.branch(JSR);
    asm.u1(&[load.1, load.2]);
    let handler = asm.here();
    asm.u1(&[ASTORE_1 + 1]); // the exception in local 2
    let second = asm.branch(JSR);
    asm.u1(&[ALOAD_1 + 1, ATHROW]);
    asm.place(first);
    asm.place(second);
    asm.u1(&[ASTORE_1 + 2]).u2(INVOKESTATIC, f).u1(&[RET, 3]);
    asm.handler(0, 1, handler, 0);
    asm
}

#[test]
fn subroutines_keep_what_their_callers_know() {
    let asm = old_finally(ISTORE_1);
    let cp = 11;
    assert_eq!(
        asm.ops(),
        [
            Mov { d: 1, s: 0 },
            Jsr { d: 4, off: 5 },
            Ret { s: 1 },
            Mov { d: 2, s: 4 },
            Jsr { d: 4, off: 2 },
            Throw { s: 2 },
            Mov { d: 3, s: 4 },
            InvokeStaticU { args: 4, n: 0, cp },
            RetSub { a: 3 },
        ]
    );
    // Inside the subroutine every local that holds a reference on some path into it counts.
    let asm = old_finally(ASTORE_1);
    let call = asm.here() - 5;
    assert_eq!(asm.ref_map(call, true).regs, [0, 1, 2]);
}

#[test]
fn ref_maps_say_where_references_are() {
    let mut asm = Asm::new("(LT;I)V", 3, 4);
    let f = asm.member(10, "f", "(LT;I)LT;");
    let g = asm.member(10, "g", "(LT;LT;I)V");
    asm.u1(&[ALOAD_0]); // 0: lazy
    asm.u1(&[ALOAD_0, ILOAD_1]).u2(INVOKESTATIC, f); // 1, 2, 3: at home in 4
    asm.u1(&[ILOAD_1]).u2(INVOKESTATIC, g); // 6, 7
    asm.u1(&[RETURN]); // 10
    assert_eq!(asm.ref_map(0, false).regs, [0]);
    assert_eq!(asm.ref_map(3, false).regs, [0]);
    assert_eq!(asm.ref_map(3, true).regs, [0]);
    assert_eq!(asm.ref_map(7, false).regs, [0, 4]);
    assert_eq!(asm.ref_map(7, true).regs, [0]);
    assert_eq!(asm.ref_map(10, false).regs, [0]);
}
