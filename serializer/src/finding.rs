//! What a test did to the shared state, as the reports tell it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that is known of one test, or of what ran between two tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pollution {
    pub pollutions: Vec<Finding>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileFinding>,
    /// How many changed roots each ignore rule hid.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hidden: BTreeMap<String, u32>,
}

impl Pollution {
    pub fn is_empty(&self) -> bool {
        self.pollutions.is_empty() && self.files.is_empty() && self.hidden.is_empty()
    }

    /// Any counted heap or file finding.
    pub fn is_polluter(&self, strict: bool) -> bool {
        !self.files.is_empty() || self.pollutions.iter().any(|f| f.counts(strict))
    }
}

/// One polluted location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// `pkg.Class.field`, or `thread "name"` for thread-local values that no static field leads to.
    pub root: String,
    /// From the root to the difference: `.field`, `[3]`, `["key"]`; empty for the root itself.
    pub path: String,
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

/// What sort of state this is, as far as can be told.
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

/// Whose state it is; the order is that of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

/// A small piece of the state before and after, drawn over each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub id: u32,
    /// One line: a class name for a root, `ArrayList(2)` for an object, the value for a value.
    pub label: String,
    pub state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// A field's name, an index or a key.
    pub label: String,
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There before and after.
    Same,
    /// There before and after, with another value.
    Changed,
    /// Only after the test.
    Added,
    /// Only before it.
    Removed,
}
