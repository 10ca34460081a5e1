//! Natives of jdk.internal.misc.

pub mod cells;
pub mod scoped;
pub mod unsafe_other;
pub mod vm_support;
