//! Sequences of tests from a known state: a zygote is forked for each, and the searches are built on it.

pub mod answer;
mod ddmin;
mod declared;
pub mod explorer;
pub mod fix;
mod frame;
pub mod impact;
pub mod inject;
pub mod isolate;
pub mod nio;
pub mod od;
mod parallel;
pub mod process;
mod restore;
pub mod sequences;
pub mod setup;
pub mod trie;
pub mod wire;
pub mod zygote;
