//! What the benches share.

pub mod measure;
