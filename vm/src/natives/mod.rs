//! The native methods, one file per Java package, and the natives that stand in for slow library methods.
//!
//! To add one: write its body in the file of its package and a row beside it in that file's `TABLE`.

pub mod ctx;
pub mod java_lang_loader;
pub mod java_lang_thread;
pub mod table;

pub use ctx::Ctx;
pub use table::{How, Native, NativeFn, instead, native};

/// All tables, by package.
pub const TABLES: &[&[Native]] = &[java_lang_loader::TABLE, java_lang_thread::TABLE];
