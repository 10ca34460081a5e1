//! From stack bytecode to the register form the loop executes.

pub mod lower;
pub mod op;
