//! The shared state: what is reachable from static fields and threads, its canonical form, and what a test changed in it.
//!
//! Detection is one pipeline: the write log gives the objects that were written, `tracker` finds their places and compares
//! them (`diff`), `classify` applies rules and labels, and `detector` makes findings of what is left. Everything is
//! about objects and classes until then; text is made last, by `text` and `value`.

pub mod access;
pub mod canon;
pub mod classify;
pub mod content;
pub mod detector;
pub mod diff;
pub mod digests;
pub mod dump;
pub mod finding;
pub mod graph;
pub mod history;
pub mod knowledge;
pub mod matching;
pub mod place;
pub mod reading;
pub mod rules;
pub mod shape;
pub mod snapshot;
pub mod text;
pub mod threads;
pub mod tracker;
pub mod twins;
pub mod undo;
pub mod value;
pub mod view;
