//! The shared state: what is reachable from static fields, its canonical form, and what a test changed in it.

pub mod canon;
pub mod content;
pub mod diff;
pub mod dump;
pub mod finding;
pub mod graph;
pub mod rules;
pub mod shape;
pub mod snapshot;
pub mod tracker;
pub mod twins;
pub mod value;
pub mod view;
