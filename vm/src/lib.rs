//! A JVM whose whole state is plain data. It knows nothing of tests or pollution.

pub mod classfile;
pub mod heap;
pub mod host;
pub mod ids;
pub mod jar;
pub mod jdk;
pub mod jimage;
pub mod link;
pub mod mmap;
pub mod stop;
pub mod sym;
pub mod vm;
