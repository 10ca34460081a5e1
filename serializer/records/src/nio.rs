//! What `poldet nio` finds out: tests that pass and, run again in the same VM right after, fail.

use crate::{Frame, Outcome, SearchHead, SearchPlace, search_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a test that was run twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NioVerdict {
    /// Passes, then fails, in at least one mode.
    Nio,
    Idempotent,
    /// Fails at its first run.
    #[serde(rename = "fails-alone")]
    FailsAlone,
    /// Whether the second run fails depends on the seed.
    Nondeterministic,
    Unsupported,
    Skipped,
    TimedOut,
    Crashed,
}

impl NioVerdict {
    pub fn text(self) -> &'static str {
        match self {
            NioVerdict::Nio => "NIO",
            NioVerdict::Idempotent => "idempotent",
            NioVerdict::FailsAlone => "fails alone",
            NioVerdict::Nondeterministic => "nondeterministic",
            NioVerdict::Unsupported => "unsupported",
            NioVerdict::Skipped => "skipped",
            NioVerdict::TimedOut => "timed out",
            NioVerdict::Crashed => "crashed",
        }
    }
}

/// From which state the two runs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NioMode {
    /// The two runs of each test in a VM of their own.
    IsolatedMethod,
    /// The tests of each class, each twice, in a VM of their own.
    IsolatedClass,
    /// All tests of the suite, each twice, in one VM.
    EntireSuite,
}

impl NioMode {
    pub const ALL: [NioMode; 3] = [
        NioMode::IsolatedMethod,
        NioMode::IsolatedClass,
        NioMode::EntireSuite,
    ];

    pub fn text(self) -> &'static str {
        match self {
            NioMode::IsolatedMethod => "isolated-method",
            NioMode::IsolatedClass => "isolated-class",
            NioMode::EntireSuite => "entire-suite",
        }
    }
}

/// The outcomes of the two runs; none for a run that did not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NioPair {
    pub first: Option<Outcome>,
    pub second: Option<Outcome>,
}

impl NioPair {
    /// Passes, then fails.
    pub fn shows(self) -> bool {
        let fails = |o| matches!(o, Some(Outcome::Failed | Outcome::Error));
        self.first == Some(Outcome::Passed) && fails(self.second)
    }
}

/// Why a test that fails at its first run does so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailsAlone {
    /// It passes in the suite's order: some test before it sets what it needs.
    Brittle,
    /// It fails there, too.
    Broken,
}

/// State that a test changed and that can be put back as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoUnit {
    pub places: Vec<SearchPlace>,
    /// An ignore rule hides it.
    pub hidden: bool,
}

/// The first read of something that an earlier test had changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnitRead {
    /// The number of the unit among those that the earlier test changed.
    pub unit: usize,
    pub read_at: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NioTest {
    pub class: String,
    pub method: Option<String>,
    /// Which run of a parameterized, repeated or dynamic test, counted from 1.
    pub invocation: Option<u32>,
    pub display: String,
    pub verdict: NioVerdict,
    pub modes: BTreeMap<NioMode, NioPair>,
    /// Other seeds show the same.
    pub confirmed: bool,
    /// The class declares the order of its tests.
    pub declared_order: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_alone: Option<FailsAlone>,
    /// A smallest set of places whose restoring between the two runs makes the second pass.
    pub causes: Vec<SearchPlace>,
    /// The failure of the second run, or of the first where that fails.
    pub message: Option<String>,
    pub stack: Vec<String>,
    pub reproduce: String,
}

impl NioTest {
    /// `pkg.Class#method[N]`.
    pub fn name(&self) -> String {
        search_name(&self.class, self.method.as_deref(), self.invocation)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NioSummary {
    pub tests: usize,
    pub nio: usize,
    pub idempotent: usize,
    pub fails_alone: usize,
    pub nondeterministic: usize,
    pub unsupported: usize,
    pub skipped: usize,
    pub timed_out: usize,
    pub crashed: usize,
    /// Tests that pass and then fail, by mode.
    pub by_mode: BTreeMap<NioMode, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NioDocument {
    #[serde(flatten)]
    pub head: SearchHead,
    pub tests: Vec<NioTest>,
    pub summary: NioSummary,
}

impl NioDocument {
    pub fn new(head: SearchHead) -> NioDocument {
        NioDocument {
            head,
            tests: Vec::new(),
            summary: NioSummary::default(),
        }
    }

    /// Counts what was found.
    pub fn sum_up(&mut self) {
        let mut sums = NioSummary {
            tests: self.tests.len(),
            ..NioSummary::default()
        };
        for test in &self.tests {
            *match test.verdict {
                NioVerdict::Nio => &mut sums.nio,
                NioVerdict::Idempotent => &mut sums.idempotent,
                NioVerdict::FailsAlone => &mut sums.fails_alone,
                NioVerdict::Nondeterministic => &mut sums.nondeterministic,
                NioVerdict::Unsupported => &mut sums.unsupported,
                NioVerdict::Skipped => &mut sums.skipped,
                NioVerdict::TimedOut => &mut sums.timed_out,
                NioVerdict::Crashed => &mut sums.crashed,
            } += 1;
            for (mode, pair) in &test.modes {
                *sums.by_mode.entry(*mode).or_default() +=
                    usize::from(pair.shows() && test.verdict == NioVerdict::Nio);
            }
        }
        self.summary = sums;
    }
}
