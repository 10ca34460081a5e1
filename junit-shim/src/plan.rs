//! What is to run: classes, or single tests of them, in steps; and where the steps come from.

use crate::select::Selector;
use poldet_records::{TestKey, UniqueId};
use poldet_vm::vm::Vm;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};

/// Which JUnit runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The platform's launcher.
    Platform,
    /// The platform's engines without a launcher.
    Engines,
    /// JUnit 4's core; also the built-in one.
    JUnit4,
    /// JUnit 3 alone.
    JUnit3,
    /// None: classes are loaded and nothing else.
    Load,
}

/// Classes that run together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub classes: Vec<String>,
    /// Unique ids to run instead of the classes.
    pub ids: Vec<UniqueId>,
    /// Only these tests, in this order where it can be had; all when empty.
    pub only: Vec<Selector>,
    /// Name the tests instead of running them.
    pub list: bool,
    pub ordered: bool,
    /// The JUnit that runs this step, where it is not the plan's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// These tests of the step's only class, by JUnit's own ids, in exactly this order; a test may stand more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Vec<String>>,
    /// JUnit is given the whole sequence at once: not all of its engines ask for tests one by one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_once: bool,
}

/// What a worker is to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub mode: Mode,
    pub steps: Vec<Step>,
    /// Tests that have run already.
    pub done: BTreeSet<TestKey>,
    /// Containers not to enter again.
    pub banned: Vec<UniqueId>,
    /// Virtual time a test may take.
    pub timeout_nanos: Option<u64>,
    /// Whether failures are put down to assumptions.
    #[serde(default)]
    pub sanitise: bool,
}

/// Whose changes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// What runs before the test: fixtures of its class, its constructor.
    Before,
    #[default]
    Test,
    /// What runs when its class comes to its end.
    ClassEnd,
}

/// Where the driver takes its steps from. It is asked while the VM stands still between two steps of JUnit, once for
/// each step.
pub trait StepSource {
    /// The next step; None when all is done.
    fn next(&mut self, vm: &mut Vm) -> Option<Step>;

    /// The tests of a step whose class has been discovered; None when the step is no sequence.
    fn choose(&mut self, _vm: &mut Vm, step: &Step) -> Option<Vec<String>> {
        step.sequence.clone()
    }

    /// All tests of the step's class that were chosen so far have been handed out; more of them, or None when the run of the class is
    /// to end. `dropped` says that a fixture has failed, so that not all of them ran.
    fn more(&mut self, _vm: &mut Vm, _dropped: bool) -> Option<Vec<String>> {
        None
    }

    /// These tests of the step's class are ignored: class fixtures do not run for these alone.
    fn ignored(&mut self, _tests: Vec<String>) {}

    /// Whether tests are to be handed out one by one to the platform's engines.
    fn hands_out(&self) -> bool {
        false
    }

    /// Whether the VM may be forked between steps, so that what all children need is best done before.
    fn forks(&self) -> bool {
        false
    }

    /// A test is about to start.
    fn test_starts(&mut self, _vm: &mut Vm) {}

    /// Virtual time that a test may take, if less than in the plan.
    fn timeout_nanos(&self) -> Option<u64> {
        None
    }

    /// Whether what the running test changes, or what runs around it, is to be kept, to be put back.
    fn keeps_changes(&self, _of: Kept) -> bool {
        false
    }

    /// Which of the changes that were just kept are put back, by number.
    fn puts_back(&mut self) -> Vec<usize> {
        Vec::new()
    }

    /// Which of the changes that were just kept are to be watched for reads, by number.
    fn watches(&self) -> Option<Vec<usize>> {
        None
    }

    /// Whether the test whose reads are watched is the next, or the one that ends.
    fn reader_is_next(&self) -> bool {
        false
    }

    /// A test has ended and was reported; `changed` says that it left the shared state otherwise than it found it.
    fn test_ended(&mut self, _vm: &mut Vm, _changed: bool) {}

    /// Class fixtures have left the shared state otherwise than they found it.
    fn fixture_changed(&mut self) {}
}

/// A plan that is known from the start.
impl StepSource for VecDeque<Step> {
    fn next(&mut self, _vm: &mut Vm) -> Option<Step> {
        self.pop_front()
    }
}
