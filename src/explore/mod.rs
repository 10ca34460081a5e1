//! Sequences of tests from a known state: a zygote is forked for each, and the searches are built on it.

mod answer;
mod ddmin;
mod declared;
mod explorer;
pub mod isolate;
pub mod nio;
pub mod od;
mod parallel;
mod process;
mod setup;
mod wire;
pub mod zygote;
