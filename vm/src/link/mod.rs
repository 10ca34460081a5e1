//! From stack bytecode to the register form the loop executes.

mod adapt;
mod classgen;
pub mod concat;
pub mod decode;
mod emit;
mod flow;
mod indy;
mod lambda;
pub mod lower;
pub mod op;
mod peephole;
mod records;
mod refmap;
#[cfg(test)]
mod tests;
mod types;
mod values;
