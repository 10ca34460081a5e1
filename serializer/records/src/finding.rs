//! What a test did to the shared state.

use crate::graph::Graph;
use crate::{Impact, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one test did, or what ran between two tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pollution {
    /// Any finding that counts; set by `judge`.
    pub polluter: bool,
    /// The state is not as it was before, also where it is as it was before somebody else; set by `judge`. What runs next in the process
    /// does not begin where this began. A document does not say it.
    #[serde(skip)]
    pub changed: bool,
    #[serde(default)]
    pub pollutions: Vec<Finding>,
    #[serde(default)]
    pub files: Vec<FileFinding>,
    /// Threads that were started and still run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadFinding>,
    /// Tests, or classes for their fixtures, that made the places of these findings: without them there is nothing to find.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// How many changed roots and files each ignore rule hid.
    #[serde(
        default,
        rename = "hidden_by_rule",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub hidden: BTreeMap<String, u32>,
}

impl Pollution {
    pub fn is_empty(&self) -> bool {
        self.pollutions.is_empty()
            && self.files.is_empty()
            && self.threads.is_empty()
            && self.hidden.is_empty()
    }

    /// Says whether this makes a polluter: a thread, or a file or a finding that counts.
    pub fn judge(&mut self, strict: bool) {
        self.polluter = !self.threads.is_empty()
            || self.files.iter().any(FileFinding::counts)
            || self.pollutions.iter().any(|f| f.counts(strict));
        self.changed = !self.threads.is_empty()
            || self.files.iter().any(FileFinding::is_change)
            || self.pollutions.iter().any(|f| f.is_change(strict));
    }

    /// The tests, or classes, whose changes were undone.
    pub fn restored(&self) -> impl Iterator<Item = &str> {
        let places = self.pollutions.iter().filter_map(|f| f.restores.as_deref());
        places.chain(self.files.iter().filter_map(|f| f.restores.as_deref()))
    }
}

/// One polluted place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    #[serde(flatten)]
    pub place: Place,
    /// Further places to which the same call did the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Place>,
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
    /// The place is again as it was before this test, or before the fixtures of this class: a cleaner's doing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<String>,
    /// The test, or the class whose fixtures, put this back later in the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored_by: Option<String>,
    /// Why it is listed in one line with others of its kind, at the end, and does not make its test a polluter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<Fold>,
    /// Who suffers from it, as far as that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// The stack of the write that caused it, innermost frame first.
    pub written_at: Vec<Frame>,
    /// The difference with its surroundings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Graph>,
}

impl Finding {
    /// Its place, and those to which the same call did the same.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.place).chain(&self.also)
    }

    pub fn counts(&self, strict: bool) -> bool {
        self.restores.is_none() && self.is_change(strict)
    }

    /// The same, whoever is to blame: a cleaner changes state as well.
    fn is_change(&self, strict: bool) -> bool {
        self.ignored_by.is_none() && self.folded.is_none() && (self.observable || strict)
    }
}

/// A kind of change that no single test is to blame for, known by how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fold {
    /// A number that many tests raised, and that nobody ever did anything else to.
    IdGenerator,
    /// A static field of a class that was made at run time: it stands in no file of the class path.
    GeneratedClass,
    /// Written by a thread on whose stack there is nothing of the suite.
    BackgroundThread,
    /// A collection grew while a class was initialised, which happens once, whoever comes first.
    StaticInitialiser,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Suite,
    Library,
    Jdk,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Known as long as the VM is there; a document does not say it.
    #[serde(skip)]
    pub origin: Option<Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileFinding {
    pub path: String,
    pub change: FileChange,
    /// The rule that hides this finding; such findings are listed only on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_by: Option<String>,
    /// As for findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restores: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    pub written_at: Vec<Frame>,
}

impl FileFinding {
    pub fn counts(&self) -> bool {
        self.restores.is_none() && self.is_change()
    }

    /// As of findings.
    pub fn is_change(&self) -> bool {
        self.ignored_by.is_none()
    }
}

/// Threads that were started and still run: of one class, started by the same stack, with names that differ in numbers at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadFinding {
    /// The name of the first of them.
    pub name: String,
    /// How many they are.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: usize,
    /// The class of the thread.
    pub class: String,
    pub daemon: bool,
    /// The stack that started it, innermost frame first.
    pub started_at: Vec<Frame>,
}

impl ThreadFinding {
    /// Its name without what is counted in it: `pool-3-thread-17` and `pool-4-thread-1` are both `pool-#-thread-#`.
    pub fn unnumbered(&self) -> String {
        let mut text = String::with_capacity(self.name.len());
        for c in self.name.chars() {
            match c.is_ascii_digit() {
                false => text.push(c),
                true if text.ends_with('#') => {}
                true => text.push('#'),
            }
        }
        text
    }
}

fn one() -> usize {
    1
}

/// As serde calls it.
fn is_one(count: &usize) -> bool {
    *count == 1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    Created,
    Changed,
    Removed,
}
