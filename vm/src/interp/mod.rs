//! Execution: the loop, frames, threads, monitors.

pub mod frame;
pub mod monitor;
pub(crate) mod ops;
mod parked;
pub mod quicken;
pub mod slow;
pub mod step;
pub mod stubs;
pub mod threads;
pub mod trace;
