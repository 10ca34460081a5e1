//! Statements are found where the stack is empty and nothing jumps across.

use super::asm::Asm;
use crate::link::decode::bc::*;
use crate::link::statements::{Statement, statements};

const ISTORE_1: u8 = ISTORE_0 + 1;
const ILOAD_1: u8 = ILOAD_0 + 1;

/// The statements of a static method with three locals.
fn of(asm: &Asm) -> Vec<Statement> {
    let class = asm.class_file();
    statements(&class, &class.methods[0]).expect("valid code")
}

fn places(asm: &Asm) -> Vec<(u16, u16)> {
    of(asm).iter().map(|s| (s.from, s.to)).collect()
}

#[test]
fn branches_belong_to_the_statement_around_them() {
    // int x = 0; if (x == 0) x++; x = 0; return;
    let mut asm = Asm::new("()V", 3, 2);
    asm.u1(&[ICONST_0, ISTORE_1, ILOAD_1]);
    let over = asm.branch(IFEQ + 1);
    asm.u1(&[IINC, 1, 1]);
    asm.place(over);
    asm.u1(&[ICONST_0, ISTORE_1, RETURN]);
    assert_eq!(places(&asm), [(0, 2), (2, 9), (9, 11)]);
    let found = of(&asm);
    assert_eq!(
        found.iter().map(|s| s.is_plain).collect::<Vec<_>>(),
        [true, false, true]
    );
    // Without the first, the variable that is read next has no value.
    assert_eq!(
        found.iter().map(|s| s.is_deletable).collect::<Vec<_>>(),
        [false, true, true]
    );
}

#[test]
fn loops_and_protected_code_are_one_statement() {
    // while (a != 0) a--; try { f(a); } catch (…) { }
    let mut asm = Asm::new("(I)V", 3, 2);
    let f = asm.member(10, "f", "(I)I");
    let head = asm.here();
    asm.u1(&[ILOAD_0]);
    let out = asm.branch(IFEQ);
    asm.u1(&[IINC, 0, 255]);
    asm.branch_to(GOTO, head);
    asm.place(out);
    let start = asm.here();
    asm.u1(&[ILOAD_0]).u2(INVOKESTATIC, f).u1(&[POP]);
    let end = asm.here();
    let done = asm.branch(GOTO);
    let handler = asm.here();
    asm.u1(&[POP]);
    asm.place(done);
    let last = asm.here();
    asm.u1(&[RETURN]);
    asm.handler(start, end, handler, 0);
    assert_eq!(places(&asm), [(head, start), (start, last)]);
    let found = of(&asm);
    assert!(found.iter().all(|s| s.is_deletable && !s.is_plain));
    assert_eq!(found[1].calls, [(INVOKESTATIC, f)]);
}
