//! Sources of tests: their syntax trees, the compiler of the user's JDK, and where each statement's bytecode is.

pub mod code;
pub mod compiler;
pub mod deletion;
pub mod facts;
pub mod files;
pub mod patch;
pub mod ranges;
pub mod text;
pub mod tree;
pub mod units;
