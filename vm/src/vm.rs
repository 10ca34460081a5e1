//! The virtual machine's whole state.

pub struct Vm {}
