//! What the benches share.

pub mod measure;
pub mod options;
pub mod parity;
