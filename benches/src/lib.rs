//! What the benches share.

pub mod measure;
pub mod parity;
