//! The code of methods and frames that have no lowered body. Returning to a frame resumes after its pc, so the
//! code of a continuation has its op second.

use crate::link::op::Op;

pub static LOWER: [Op; 1] = [Op::Lower];
pub static NATIVE: [Op; 1] = [Op::Native];
pub static ABSTRACT: [Op; 1] = [Op::Abstract];
pub static INVALID: [Op; 1] = [Op::Invalid];
pub static CONTINUE: [Op; 2] = [Op::Nop, Op::Continue];
pub static ENTER: [Op; 1] = [Op::EnterSync];
