//! A JVM whose whole state is plain data. It knows nothing of tests or pollution.

pub mod agents;
pub mod alloc;
mod asserts;
pub mod boot;
pub mod classes;
pub mod fork;
pub mod gc;
mod identity;
pub mod instrument;
pub mod interp;
pub mod invoke;
pub mod jar;
pub mod jdk;
pub mod jimage;
mod jit;
pub mod libraries;
pub mod link;
pub mod member_names;
pub mod natives;
pub mod npe;
pub mod plug;
pub mod releases;
pub mod stop;
pub mod strings;
pub mod switches;
pub mod throw;
pub mod throws;
pub mod verify;
pub mod vm;
pub mod warm;

pub use poldet_base::{ids, mmap, sym};
pub use poldet_bytecode::classfile;
pub use poldet_heap as heap;
pub use poldet_host as host;
