//! Exit codes, by name.

/// The input or the command line is wrong.
pub const USAGE: i32 = 3;
/// The program needs something we do not have.
pub const INCOMPLETE: i32 = 4;
/// Our fault.
pub const INTERNAL: i32 = 70;
