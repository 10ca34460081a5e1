//! What the benches share.

pub mod generated;
pub mod measure;
pub mod options;
pub mod parity;
