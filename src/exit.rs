//! Exit codes, by name.

/// Everything ran.
pub const COMPLETE: i32 = 0;
/// A condition of `--fail-on` holds.
pub const FAIL_ON: i32 = 1;
/// The suite has no tests, or none that was asked for.
pub const NO_TESTS: i32 = 2;
/// The input or the command line is wrong.
pub const USAGE: i32 = 3;
/// Some tests have no verdict: out of time, something is missing here or went wrong here, or the run was
/// interrupted.
pub const INCOMPLETE: i32 = 4;
/// The machine failed a task: it may be tried again, elsewhere.
pub const MACHINE: i32 = 75;
/// Our fault.
pub const INTERNAL: i32 = 70;
