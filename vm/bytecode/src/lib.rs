//! Class files, and their stack bytecode lowered to register ops. Knows nothing of a running VM.

pub mod classfile;
pub mod link;
