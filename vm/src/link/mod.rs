//! From stack bytecode to the register form the loop executes.

mod decode;
mod emit;
mod flow;
pub mod lower;
#[cfg(test)]
mod lower_tests;
pub mod op;
mod peephole;
mod refmap;
mod types;
mod values;
