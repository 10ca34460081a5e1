//! Loaded classes: records, loading, layout, resolution, initialisation.

pub mod class;
pub mod init;
pub mod known;
pub mod layout;
pub mod loader;
pub mod modules;
pub mod redefine;
pub mod resolve;
