//! From stack bytecode to the register form the loop executes.

pub mod decode;
mod emit;
mod flow;
pub mod lower;
pub mod op;
mod peephole;
mod refmap;
pub mod skip;
pub mod statements;
#[cfg(test)]
mod tests;
mod types;
mod values;
