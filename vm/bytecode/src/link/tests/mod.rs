//! Tests of the lowering: shapes of the ops, refusals, and random programs run in both forms.

mod asm;
mod differential;
mod execute;
mod invalid;
mod program;
mod shapes;
mod statements;
