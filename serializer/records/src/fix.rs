//! What `poldet fix` proposes: patches for order-dependent and NIO tests, and what was run to check them.

use crate::{Outcome, SearchHead, SearchPlace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a test is to be fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixVerdict {
    Victim,
    Brittle,
    Nio,
    /// The outcome depends on the seed: there is nothing to fix in the shared state.
    Nod,
}

impl FixVerdict {
    pub fn text(self) -> &'static str {
        match self {
            FixVerdict::Victim => "victim",
            FixVerdict::Brittle => "brittle",
            FixVerdict::Nio => "NIO",
            FixVerdict::Nod => "NOD",
        }
    }
}

/// Where the statements of a patch come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatchKind {
    /// Statements of a cleaner or a state-setter.
    Helper,
    /// Made for the state that is to blame.
    Synthesised,
}

/// Whose code a patch changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PatchSide {
    Polluter,
    /// An NIO test is both.
    Test,
    Victim,
}

impl PatchSide {
    pub fn text(self) -> &'static str {
        match self {
            PatchSide::Polluter => "polluter",
            PatchSide::Test => "test",
            PatchSide::Victim => "victim",
        }
    }
}

/// A run that a patch was checked by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// Why this order was run.
    pub what: String,
    pub order: Vec<String>,
    /// Of the test that is fixed; where it is not in the order, of the last one.
    pub outcome: Outcome,
    /// Tests of the order that passed without the patch and do not pass with it.
    pub worse: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Patch {
    /// Relative to `--out`.
    pub file: String,
    pub kind: PatchKind,
    pub side: PatchSide,
    /// The tests whose statements were taken.
    pub helper: Option<Vec<String>>,
    /// Statements that run because of the patch.
    pub statements: usize,
    pub statements_of_helper: Option<usize>,
    /// Where the statements were put, in words.
    pub placement: String,
    /// The statements.
    pub code: Vec<String>,
    /// Files that it changes, relative to the project.
    pub files: Vec<String>,
    pub compiles: bool,
    /// The places to blame are as they were before the polluter; null where that could not be compared.
    pub restores: Option<bool>,
    pub verified: Vec<Verified>,
    /// The same on `java`, with `--verify-on-hotspot`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hotspot: Vec<Verified>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FixTest {
    pub test: String,
    pub verdict: FixVerdict,
    pub fixed: bool,
    /// Why there is no patch.
    pub why_not: Option<String>,
    /// Tests after which it fails, or after which it passes if it is brittle.
    pub others: Vec<Vec<String>>,
    /// The places to blame.
    pub state: Vec<SearchPlace>,
    pub message: Option<String>,
    /// The command that shows it without a patch.
    pub reproduce: String,
    /// The best first.
    pub patches: Vec<Patch>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FixSummary {
    pub tests: usize,
    pub fixed: usize,
    pub patches: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FixDocument {
    #[serde(flatten)]
    pub head: SearchHead,
    /// The folder that patches are relative to.
    pub project: String,
    pub tests: Vec<FixTest>,
    pub summary: FixSummary,
}

impl FixDocument {
    pub fn new(head: SearchHead) -> FixDocument {
        FixDocument {
            head,
            project: String::new(),
            tests: Vec::new(),
            summary: FixSummary::default(),
        }
    }

    /// Counts what was found.
    pub fn sum_up(&mut self) {
        self.summary = FixSummary {
            tests: self.tests.len(),
            fixed: self.tests.iter().filter(|t| t.fixed).count(),
            patches: self.tests.iter().map(|t| t.patches.len()).sum(),
        };
    }
}
