//! The shared state: what is reachable from static fields, its canonical form, and what a test changed in it.

pub mod dump;
pub mod finding;
pub mod rules;
