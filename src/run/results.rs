//! What a run came to.

use crate::run::spec::Capture;
use poldet_junit_shim::event::{Cost, Kind, Printed, Problem};
use poldet_junit_shim::name::TestName;
use poldet_serializer::finding::Pollution;
use poldet_vm::jdk::Jdk;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Passed,
    /// An assertion did not hold.
    Failed,
    /// Some other exception.
    Error,
    Skipped,
    /// Our limit.
    Unsupported,
    TimedOut,
    /// Our fault.
    Crashed,
}

impl Outcome {
    pub fn text(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Error => "error",
            Outcome::Skipped => "skipped",
            Outcome::Unsupported => "unsupported",
            Outcome::TimedOut => "timed out",
            Outcome::Crashed => "crashed",
        }
    }
}

/// One run of one test.
#[derive(Clone, Debug)]
pub struct Record {
    pub test: TestName,
    pub outcome: Outcome,
    pub exception: Option<String>,
    pub message: Option<String>,
    /// The whole stack trace, line by line.
    pub stack: Vec<String>,
    pub cost: Cost,
    pub printed: Printed,
    /// What the test did to the shared state; nothing when that was not looked at.
    pub state: Option<Pollution>,
}

impl Record {
    pub fn new(test: TestName, outcome: Outcome) -> Record {
        Record {
            test,
            outcome,
            exception: None,
            message: None,
            stack: Vec::new(),
            cost: Cost::default(),
            printed: Printed::default(),
            state: None,
        }
    }

    /// Left it shared state behind?
    pub fn is_polluter(&self, strict: bool) -> bool {
        self.state.as_ref().is_some_and(|s| s.is_polluter(strict))
    }

    /// The verdict on a test that JUnit has seen to its end.
    pub fn of_problems(test: TestName, problems: Vec<Problem>) -> Record {
        // An assumption only skips a test that has no other problem.
        let worst = problems
            .iter()
            .position(|p| p.kind != Kind::Assumption)
            .or((!problems.is_empty()).then_some(0));
        let Some(first) = worst else {
            return Record::new(test, Outcome::Passed);
        };
        let outcome = match problems[first].kind {
            Kind::Assertion => Outcome::Failed,
            Kind::Error => Outcome::Error,
            Kind::Assumption => Outcome::Skipped,
        };
        let mut record = Record::new(test, outcome);
        record.exception = Some(problems[first].exception.clone());
        record.message = problems[first].message.clone();
        record.stack = problems[first].stack.clone();
        for (i, problem) in problems.into_iter().enumerate() {
            if i != first {
                record.stack.push("Also:".into());
                record.stack.extend(problem.stack);
            }
        }
        record
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    pub classes: usize,
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub error: usize,
    pub skipped: usize,
    pub unsupported: usize,
    pub timed_out: usize,
    pub crashed: usize,
    /// Nothing when the shared state was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polluters: Option<usize>,
    /// Changed roots that ignore rules hid, of tests and fixtures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_by_rule: Option<BTreeMap<String, u32>>,
}

pub struct Results {
    pub suite: String,
    pub jdk: String,
    pub seed: u64,
    /// Which JUnit ran the tests.
    pub junit: &'static str,
    /// How the shared state was looked at.
    pub capture: Capture,
    /// The command that repeats the run.
    pub command: Vec<String>,
    pub records: Vec<Record>,
    /// What class fixtures did to the shared state, by class, in the order they ran.
    pub fixtures: Vec<(String, Pollution)>,
    /// Tests that would run, and whether there may be more inside.
    pub listed: Vec<(TestName, bool)>,
    pub interrupted: bool,
    /// The test that ran when the run was interrupted.
    pub interrupted_in: Option<String>,
    /// What was printed outside of tests, by class; no class's name is empty.
    pub class_output: Vec<(String, Printed)>,
    /// The run could not go on for a fault of ours outside of any test.
    pub internal: Option<String>,
    /// Faults of ours beside which the run went on.
    pub faults: Vec<String>,
    pub elapsed: std::time::Duration,
}

impl Results {
    pub fn new(suite: String, jdk: &Jdk, seed: u64, junit: &'static str) -> Results {
        Results {
            suite,
            jdk: jdk.version.clone(),
            seed,
            junit,
            capture: Capture::default(),
            command: Vec::new(),
            records: Vec::new(),
            fixtures: Vec::new(),
            listed: Vec::new(),
            interrupted: false,
            interrupted_in: None,
            class_output: Vec::new(),
            internal: None,
            faults: Vec::new(),
            elapsed: std::time::Duration::ZERO,
        }
    }

    /// Adds to what a class's fixtures have printed.
    pub fn printed_by(&mut self, class: &str, printed: Printed) {
        match self.class_output.iter_mut().rev().find(|(c, _)| c == class) {
            Some((_, all)) => {
                all.out.push_str(&printed.out);
                all.err.push_str(&printed.err);
            }
            None => self.class_output.push((class.to_owned(), printed)),
        }
    }

    /// What a class's fixtures have printed.
    pub fn output_of(&self, class: &str) -> Option<&Printed> {
        self.class_output.iter().find(|(c, _)| c == class).map(|(_, p)| p)
    }

    /// All that poldet itself is to blame for, but for tests that crashed.
    pub fn all_faults(&self) -> Vec<&str> {
        let all = self.faults.iter().chain(&self.internal);
        all.map(String::as_str).collect()
    }

    pub fn summary(&self) -> Summary {
        let mut s = Summary::default();
        let mut classes = BTreeSet::new();
        for record in &self.records {
            classes.insert(record.test.class.as_str());
            s.tests += 1;
            *match record.outcome {
                Outcome::Passed => &mut s.passed,
                Outcome::Failed => &mut s.failed,
                Outcome::Error => &mut s.error,
                Outcome::Skipped => &mut s.skipped,
                Outcome::Unsupported => &mut s.unsupported,
                Outcome::TimedOut => &mut s.timed_out,
                Outcome::Crashed => &mut s.crashed,
            } += 1;
        }
        s.classes = classes.len();
        if self.capture.enabled {
            let strict = self.capture.strict;
            s.polluters = Some(self.records.iter().filter(|r| r.is_polluter(strict)).count());
            let mut hidden = BTreeMap::new();
            let states = self.records.iter().filter_map(|r| r.state.as_ref());
            for state in states.chain(self.fixtures.iter().map(|(_, s)| s)) {
                for (rule, count) in &state.hidden {
                    *hidden.entry(rule.clone()).or_insert(0) += count;
                }
            }
            s.hidden_by_rule = Some(hidden);
        }
        s
    }
}
