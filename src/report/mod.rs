//! What a run tells: text for people, a progress line, and the machine formats.

pub mod html;
pub mod human;
pub mod json;
pub mod junit_xml;
pub mod paint;
pub mod pollution;
pub mod progress;
pub mod saved;
pub mod trace;
