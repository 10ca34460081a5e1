//! Loaded classes: records, loading, layout, resolution, initialisation.

mod access;
pub mod attrs;
pub mod class;
pub(crate) mod constraints;
pub mod init;
pub mod known;
pub mod layout;
pub mod loader;
pub mod method_order;
pub mod modules;
pub mod redefine;
pub mod resolve;
pub mod slots;
mod unload;
