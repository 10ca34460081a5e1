//! What the result of a process depends on besides its options: files it asked for and classes it used.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Paths as the tests see them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Asked for in any way, whether something is there or not.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub paths: BTreeSet<String>,
    /// Folders whose names were listed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub listed: BTreeSet<String>,
    /// Classes whose code may have run, by internal name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub classes: BTreeSet<String>,
    /// How tests start: the schedule, the entropy and the second.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// The collector ran.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub collected: bool,
    /// Programs were started: what they read is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub programs: bool,
}

impl Used {
    pub fn add(&mut self, other: &Used) {
        self.paths.extend(other.paths.iter().cloned());
        self.listed.extend(other.listed.iter().cloned());
        self.classes.extend(other.classes.iter().cloned());
        self.programs |= other.programs;
        self.collected |= other.collected;
        if !other.start.is_empty() {
            self.start.clone_from(&other.start);
        }
    }
}
