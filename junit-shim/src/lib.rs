//! Runs a suite's own JUnit inside the VM, and reports where each test begins and ends.
//!
//! The guest's side is a small jar of our own Java classes (`java/shim`) which calls JUnit and reports to natives; this
//! crate is the other side of these natives. A second jar (`java/junit`) is a small JUnit for suites that bring none.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod driver;
mod hand;
mod natives;
mod observer;
mod plan;
pub mod sanitise;
pub mod select;

/// The classes that drive JUnit from inside: package `poldet.shim`.
pub const SHIM_JAR: &[u8] = include_bytes!("../jars/shim.jar");
/// The built-in `org.junit` and `junit.framework`.
pub const JUNIT_JAR: &[u8] = include_bytes!("../jars/junit.jar");
/// A Java compiler that stays, for the user's `java`: `poldet.compiler.Service`.
pub const COMPILER_JAR: &[u8] = include_bytes!("../jars/compiler.jar");
pub use hand::EXECUTOR_CLASS;
/// The class whose `main` runs the tests.
pub const MAIN: &str = "poldet.shim.Main";
