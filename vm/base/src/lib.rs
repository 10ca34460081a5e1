//! What every part of the VM shares: typed indices, interned names, mapped files, recorded stacks.

pub mod ids;
pub mod mmap;
pub mod sym;
pub mod trace;
