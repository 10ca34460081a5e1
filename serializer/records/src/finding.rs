//! What a test did to the shared state.

use crate::Place;
use crate::graph::Graph;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one test did, or what ran between two tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pollution {
    /// Any finding that counts; set by `judge`.
    pub polluter: bool,
    #[serde(default)]
    pub pollutions: Vec<Finding>,
    #[serde(default)]
    pub files: Vec<FileFinding>,
    /// How many changed roots each ignore rule hid.
    #[serde(
        default,
        rename = "hidden_by_rule",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub hidden: BTreeMap<String, u32>,
}

impl Pollution {
    pub fn is_empty(&self) -> bool {
        self.pollutions.is_empty() && self.files.is_empty() && self.hidden.is_empty()
    }

    /// Says whether this makes a polluter: any file, or a finding that counts.
    pub fn judge(&mut self, strict: bool) {
        self.polluter = !self.files.is_empty() || self.pollutions.iter().any(|f| f.counts(strict));
    }
}

/// One polluted place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    #[serde(flatten)]
    pub place: Place,
    pub kind: Kind,
    pub before: String,
    pub after: String,
    pub label: Label,
    /// The root's class was initialised during the test.
    pub first_touch: bool,
    /// The difference shows through the public API of the types it lies in.
    pub observable: bool,
    pub origin: Origin,
    /// The rule that hides this finding; such findings are listed only on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_by: Option<String>,
    /// The stack of the write that caused it, innermost frame first.
    pub written_at: Vec<Frame>,
    /// The difference with its surroundings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
}

impl Finding {
    pub fn counts(&self, strict: bool) -> bool {
        self.ignored_by.is_none() && (self.observable || strict)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Another value, or null where there was an object, or the reverse.
    Changed,
    Added,
    Removed,
    /// Another object that is not equal to the old one.
    Replaced,
    /// An array or collection of another size whose contents changed throughout.
    Resized,
}

/// What sort of state this is, as far as can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    State,
    CollectionGrew,
    Configuration,
    Counter,
    Random,
    LazyInitialisation,
    CacheOrPool,
}

/// Whose class it is; the order is that of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Suite,
    Library,
    Jdk,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Frame {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Known as long as the VM is there; a document does not say it.
    #[serde(skip)]
    pub origin: Option<Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFinding {
    pub path: String,
    pub change: FileChange,
    pub written_at: Vec<Frame>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    Created,
    Changed,
    Removed,
}
