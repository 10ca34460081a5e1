//! A JVM whose whole state is plain data. It knows nothing of tests or pollution.

pub mod alloc;
pub mod boot;
pub mod classes;
pub mod classfile;
pub mod gc;
pub mod heap;
pub mod host;
pub mod ids;
pub mod instrument;
pub mod interp;
pub mod invoke;
pub mod jar;
pub mod jdk;
pub mod jimage;
mod jit;
pub mod link;
mod mmap;
pub mod natives;
pub mod npe;
pub mod stop;
pub mod strings;
pub mod sym;
pub mod throw;
pub mod verify;
pub mod vm;
