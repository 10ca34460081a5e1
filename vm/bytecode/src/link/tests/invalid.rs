//! Bodies that must be refused, one of each kind.

use super::asm::Asm;
use crate::link::decode::bc::*;

const ALOAD_0: u8 = 42;
const LLOAD_0: u8 = 30;

#[track_caller]
fn refused(asm: &Asm, why: &str) {
    match asm.lower() {
        Ok(lowered) => panic!("accepted as {:?}", lowered.ops),
        Err(e) => assert!(e.0.starts_with(why), "{}", e.0),
    }
}

#[track_caller]
fn bad_body(desc: &str, code: &[u8], why: &str) {
    let mut asm = Asm::new(desc, 2, 2);
    asm.u1(code);
    refused(&asm, why);
}

#[test]
fn stack_depth() {
    bad_body("()V", &[POP, RETURN], "Operand stack underflow");
    bad_body("()I", &[ICONST_0, IADD, IRETURN], "Operand stack underflow");
    bad_body(
        "()V",
        &[ICONST_0, ICONST_0, ICONST_0, RETURN],
        "Operand stack overflow",
    );
    bad_body("()V", &[LCONST_0, LCONST_0, RETURN], "Operand stack overflow");
    bad_body("()V", &[SWAP, RETURN], "Operand stack underflow");
    let mut asm = Asm::new("()V", 0, 0);
    asm.u1(&[NOP, RETURN, RETURN]);
    asm.handler(0, 1, 2, 0);
    refused(&asm, "Operand stack overflow");
}

#[test]
fn kinds() {
    bad_body("(I)V", &[ALOAD_0, POP, RETURN], "Bad local variable type");
    bad_body(
        "(I)V",
        &[ILOAD_0, ARRAYLENGTH, POP, RETURN],
        "Bad type on operand stack",
    );
    bad_body("(J)V", &[LLOAD_0, POP, POP, RETURN], "Bad type on operand stack");
    bad_body(
        "()V",
        &[FCONST_0, ICONST_0, IADD, POP, RETURN],
        "Bad type on operand stack",
    );
    bad_body("()V", &[LCONST_0, DUP, RETURN], "Bad type on operand stack");
    bad_body("()V", &[LCONST_0, SWAP, RETURN], "Bad type on operand stack");
    bad_body("()V", &[ILOAD_0, POP, RETURN], "Bad local variable type");
    // The second half of a long overwritten.
    bad_body(
        "(J)V",
        &[ICONST_0, ISTORE_0 + 1, LLOAD_0, POP2, RETURN],
        "Bad local variable type",
    );
    bad_body("()V", &[ICONST_0, ATHROW], "Bad type on operand stack");
}

#[test]
fn returns() {
    bad_body("()I", &[RETURN], "Wrong return type");
    bad_body("()V", &[ICONST_0, IRETURN], "Wrong return type");
    bad_body("()J", &[ICONST_0, IRETURN], "Wrong return type");
    bad_body("()LT;", &[ICONST_0, ARETURN], "Bad type on operand stack");
}

#[test]
fn locals() {
    bad_body(
        "()V",
        &[ICONST_0, ISTORE_0 + 2, RETURN],
        "Local variable table overflow",
    );
    bad_body(
        "()V",
        &[LCONST_0, 63 + 1, RETURN],
        "Local variable table overflow",
    );
    bad_body("()V", &[ILOAD, 200, RETURN], "Local variable table overflow");
    bad_body("()V", &[IINC, 2, 1, RETURN], "Local variable table overflow");
    bad_body("()V", &[RET, 0], "Bad local variable type");
}

#[test]
fn control_flow() {
    bad_body("()V", &[NOP], "Control flow falls through code end");
    bad_body("()V", &[ICONST_0, IFEQ, 0, 3], "Illegal target");
    bad_body("()V", &[GOTO, 0, 2, RETURN], "Illegal target");
    bad_body("()V", &[GOTO, 0xFF, 0xFF, RETURN], "Illegal target");
    bad_body("()V", &[GOTO_W, 0x7F, 0xFF, 0xFF, 0xFF], "Illegal target");
    bad_body("()V", &[203], "Bad instruction");
    bad_body("()V", &[SIPUSH, 0], "Bad instruction");
    bad_body("()V", &[WIDE, NOP, 0, 0, RETURN], "Bad instruction");
    bad_body(
        "()V",
        &[ICONST_0, TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        "Bad instruction",
    );
    // Depth and kinds that differ where paths meet.
    bad_body("(I)V", &[ICONST_0, GOTO, 0xFF, 0xFF], "Stack map does not match");
    bad_body(
        "(I)V",
        &[ILOAD_0, IFEQ, 0, 7, ICONST_0, GOTO, 0, 4, FCONST_0, POP, RETURN],
        "Stack map does not match",
    );
    // A jsr whose subroutine returns to the end of the code.
    bad_body(
        "()V",
        &[GOTO, 0, 6, ASTORE_3 - 3, RET, 0, JSR, 0xFF, 0xFD],
        "Control flow falls",
    );
}

#[test]
fn locals_that_differ_are_unusable() {
    let code = [
        ILOAD_0,
        IFEQ,
        0,
        8,
        ICONST_0,
        ISTORE_0 + 1,
        GOTO,
        0,
        5,
        FCONST_0,
        67 + 1,
        ILOAD_0 + 1,
        POP,
        RETURN,
    ];
    bad_body("(I)V", &code, "Bad local variable type");
}

#[test]
fn handler_state_is_that_of_every_covered_instruction() {
    // The local is an int, then a float, both inside the range.
    let code = [
        ICONST_0, ISTORE_0, FCONST_0, 67, NOP, RETURN, POP, ILOAD_0, POP, RETURN,
    ];
    let mut asm = Asm::new("()V", 2, 2);
    asm.u1(&code);
    asm.handler(2, 5, 6, 0);
    refused(&asm, "Bad local variable type");
    // The store is the last of the range: nothing that can throw sees the float.
    let mut asm = Asm::new("()V", 2, 2);
    asm.u1(&code);
    asm.handler(2, 4, 6, 0);
    assert!(asm.lower().is_ok());
}

#[test]
fn constants() {
    let mut asm = Asm::new("()V", 2, 2);
    let (long, string) = (asm.wide(5, 1), asm.string("s"));
    let field = asm.member(9, "x", "I");
    let interface = asm.member(11, "f", "()V");
    let init = asm.member(10, "<init>", "()V");
    let start = |code: &dyn Fn(&mut Asm)| {
        let mut asm = asm.clone();
        code(&mut asm);
        asm.u1(&[RETURN]);
        refused(&asm, "Illegal");
    };
    start(&|a| _ = a.u2(LDC_W, long));
    start(&|a| _ = a.u2(LDC2_W, string));
    start(&|a| _ = a.u2(LDC_W, field));
    start(&|a| _ = a.u2(LDC_W, 0));
    start(&|a| _ = a.u2(LDC_W, 999));
    start(&|a| _ = a.u2(NEW, string));
    start(&|a| _ = a.u2(GETSTATIC, interface));
    start(&|a| _ = a.u2(INVOKESTATIC, field));
    start(&|a| _ = a.u2(INVOKESTATIC, interface));
    start(&|a| _ = a.u2(INVOKESTATIC, init));
    start(&|a| _ = a.u1(&[ICONST_0, NEWARRAY, 3]));
}

#[test]
fn calls() {
    let mut asm = Asm::new("()V", 2, 2);
    let f = asm.member(10, "f", "(IF)V");
    asm.u1(&[ICONST_0, ICONST_0]).u2(INVOKESTATIC, f).u1(&[RETURN]);
    refused(&asm, "Bad type on operand stack");
    let mut asm = Asm::new("()V", 2, 2);
    let f = asm.member(10, "f", "(II)V");
    asm.u1(&[ICONST_0, ICONST_0]).u2(INVOKEVIRTUAL, f).u1(&[RETURN]);
    refused(&asm, "Operand stack underflow");
    let mut asm = Asm::new("()V", 2, 2);
    let f = asm.member(11, "f", "()V");
    asm.u1(&[ACONST_NULL]).u2(INVOKEINTERFACE, f).u1(&[2, 0, RETURN]);
    refused(&asm, "Inconsistent args count");
    let mut asm = Asm::new("()V", 2, 2);
    let class = asm.class("[[I");
    asm.u1(&[ICONST_0])
        .u2(MULTIANEWARRAY, class)
        .u1(&[3, POP, RETURN]);
    refused(&asm, "Illegal dimension");
}

#[test]
fn sizes() {
    let mut asm = Asm::new("()V", 40_000, 30_000);
    asm.u1(&[RETURN]);
    refused(&asm, "more than 65535 registers");
}

#[test]
fn recursion_of_subroutines_ends() {
    // A subroutine that calls itself, and one that is left without ret to be called again.
    let mut asm = Asm::new("()V", 2, 300);
    asm.u1(&[JSR, 0, 3, POP, JSR, 0xFF, 0xFF, RETURN]);
    let _ = asm.lower();
    let mut asm = Asm::new("(I)V", 2, 2);
    asm.u1(&[JSR, 0, 4, RETURN, POP, ILOAD_0, IFEQ, 0xFF, 0xFA, RETURN]);
    assert!(asm.lower().is_ok());
}
