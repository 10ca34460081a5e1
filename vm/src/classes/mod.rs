//! Loaded classes: records, loading, layout, resolution, initialisation.

pub mod class;
pub mod known;
pub mod init;
pub mod layout;
pub mod loader;
pub mod modules;
pub mod resolve;
