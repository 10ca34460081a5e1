//! Lowered code (`poldet-bytecode`), and invokedynamic call sites that the VM links by itself.

mod adapt;
mod classgen;
pub mod concat;
mod indy;
mod lambda;
mod records;

pub use poldet_bytecode::link::{decode, lower, op, skip, statements};
