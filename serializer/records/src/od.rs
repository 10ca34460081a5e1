//! What `poldet od` finds out: tests whose outcome depends on which tests ran before them, and on which.

use crate::{Outcome, SearchHead, SearchPlace, search_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a test in all orders that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OdVerdict {
    /// Passes alone and fails after some tests.
    Victim,
    /// Fails alone and passes after some tests.
    Brittle,
    /// The outcome depends on the seed, in the same order.
    Nod,
    /// Passes in every order that can matter.
    Independent,
    /// Fails in every order that can matter.
    Failing,
    Unsupported,
    Skipped,
    TimedOut,
    Crashed,
}

impl OdVerdict {
    pub fn text(self) -> &'static str {
        match self {
            OdVerdict::Victim => "victim",
            OdVerdict::Brittle => "brittle",
            OdVerdict::Nod => "nod",
            OdVerdict::Independent => "independent",
            OdVerdict::Failing => "failing",
            OdVerdict::Unsupported => "unsupported",
            OdVerdict::Skipped => "skipped",
            OdVerdict::TimedOut => "timed_out",
            OdVerdict::Crashed => "crashed",
        }
    }

    /// The outcome depends on the order.
    pub fn is_od(self) -> bool {
        matches!(self, OdVerdict::Victim | OdVerdict::Brittle)
    }
}

/// Tests after which a victim fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Polluter {
    /// In this order; without any one of them the victim passes.
    pub tests: Vec<String>,
    /// A smallest set of places whose restoring makes the victim pass.
    pub state: Vec<SearchPlace>,
    /// Tests that, run between, make the victim pass.
    pub cleaners: Vec<Vec<String>>,
}

/// Tests after which a brittle passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateSetter {
    /// In this order; without any one of them the brittle fails.
    pub tests: Vec<String>,
    /// A smallest set of places whose undoing makes the brittle fail.
    pub state: Vec<SearchPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OdTest {
    pub class: String,
    pub method: Option<String>,
    /// Which run of a parameterized, repeated or dynamic test, counted from 1.
    pub invocation: Option<u32>,
    pub display: String,
    pub verdict: OdVerdict,
    /// A shortest order in which it passes; it comes last.
    pub passing_order: Vec<String>,
    /// A shortest order in which it fails; it comes last.
    pub failing_order: Vec<String>,
    pub polluters: Vec<Polluter>,
    pub state_setters: Vec<StateSetter>,
    /// The class declares the order of its tests.
    pub declared_order: bool,
    /// The failure, where there is one.
    pub message: Option<String>,
    pub stack: Vec<String>,
    /// No other test can change its outcome: it follows from what tests read and change.
    pub proved: bool,
    /// Tests that could change its outcome, by what they change and it reads.
    pub candidates: usize,
    pub reproduce: String,
}

impl OdTest {
    /// `pkg.Class#method[N]`.
    pub fn name(&self) -> String {
        search_name(&self.class, self.method.as_deref(), self.invocation)
    }
}

/// Something the certificate rests on, with the tests it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    pub what: String,
    pub count: usize,
    pub tests: Vec<String>,
}

/// What follows for all orders of the suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Certificate {
    /// No test of the suite can change the outcome of another.
    pub independent: bool,
    /// Tests that have provably one outcome in all orders.
    pub proved_tests: usize,
    pub pairs_possible: usize,
    /// Pairs of which what the first changes and what the second reads have nothing in common.
    pub pairs_excluded: usize,
    pub pairs_run: usize,
    /// Pairs that did not run: the second test ran after another, and all places that it read then hold the same after the first.
    #[serde(default)]
    pub pairs_alike: usize,
    pub assumptions: Vec<Assumption>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OdSummary {
    pub tests: usize,
    pub victims: usize,
    pub brittles: usize,
    pub nod: usize,
    pub independent: usize,
    pub failing: usize,
    pub unsupported: usize,
    pub skipped: usize,
    pub timed_out: usize,
    pub crashed: usize,
    /// Tests that are a polluter by themselves.
    pub polluters: usize,
    pub cleaners: usize,
    pub state_setters: usize,
}

/// A test without a verdict, where the search ended before it was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithoutVerdict {
    pub test: String,
    /// How it ended alone; null if it did not run.
    pub alone: Option<Outcome>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OdDocument {
    #[serde(flatten)]
    pub head: SearchHead,
    /// What was not run, where the search ended before it was done.
    pub not_run: BTreeMap<String, usize>,
    pub tests: Vec<OdTest>,
    /// Tests of which not all was run that could change their verdict.
    #[serde(default)]
    pub without_verdict: Vec<WithoutVerdict>,
    pub certificate: Certificate,
    pub summary: OdSummary,
}

impl OdDocument {
    pub fn new(head: SearchHead) -> OdDocument {
        OdDocument {
            head,
            not_run: BTreeMap::new(),
            tests: Vec::new(),
            without_verdict: Vec::new(),
            certificate: Certificate::default(),
            summary: OdSummary::default(),
        }
    }

    /// Counts what was found.
    pub fn sum_up(&mut self) {
        let mut sums = OdSummary {
            tests: self.tests.len(),
            ..OdSummary::default()
        };
        for test in &self.tests {
            *match test.verdict {
                OdVerdict::Victim => &mut sums.victims,
                OdVerdict::Brittle => &mut sums.brittles,
                OdVerdict::Nod => &mut sums.nod,
                OdVerdict::Independent => &mut sums.independent,
                OdVerdict::Failing => &mut sums.failing,
                OdVerdict::Unsupported => &mut sums.unsupported,
                OdVerdict::Skipped => &mut sums.skipped,
                OdVerdict::TimedOut => &mut sums.timed_out,
                OdVerdict::Crashed => &mut sums.crashed,
            } += 1;
        }
        let single = |tests: &[String]| match tests {
            [one] => Some(one.clone()),
            _ => None,
        };
        let count = |names: Vec<Option<String>>| {
            let names: std::collections::BTreeSet<String> = names.into_iter().flatten().collect();
            names.len()
        };
        let polluters = self.tests.iter().flat_map(|t| &t.polluters);
        sums.polluters = count(polluters.clone().map(|p| single(&p.tests)).collect());
        let cleaners = polluters.flat_map(|p| &p.cleaners);
        sums.cleaners = count(cleaners.map(|c| single(c)).collect());
        let setters = self.tests.iter().flat_map(|t| &t.state_setters);
        sums.state_setters = count(setters.map(|s| single(&s.tests)).collect());
        self.summary = sums;
    }
}
