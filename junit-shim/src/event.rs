//! What the worker process tells the supervisor, in the order it happens.

use crate::name::TestName;
use poldet_serializer::finding::Pollution;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The VM is up, and JUnit is about to be.
    Booted,
    /// The plan's step of this number begins.
    Step {
        index: u32,
    },
    /// This many more tests are known of.
    Planned {
        tests: u32,
    },
    ClassStarted {
        class: String,
    },
    ClassFinished {
        class: String,
    },
    ContainerStarted {
        id: String,
        class: Option<String>,
        method: Option<String>,
    },
    ContainerFinished {
        id: String,
    },
    Started {
        test: TestName,
    },
    Finished {
        root: Option<String>,
        id: String,
        problems: Vec<Problem>,
        cost: Cost,
        #[serde(default, skip_serializing_if = "Printed::is_empty")]
        printed: Printed,
        /// What the test did to the shared state; nothing when that was not looked at.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<Pollution>,
    },
    /// What ran between two tests did to the shared state: the fixtures of this class, or JUnit itself.
    FixtureState {
        class: String,
        state: Pollution,
    },
    Skipped {
        test: TestName,
        reason: String,
    },
    /// A problem outside of tests: a class that cannot be loaded, a failing class fixture.
    Outside {
        test: TestName,
        problem: Problem,
        #[serde(default, skip_serializing_if = "Printed::is_empty")]
        printed: Printed,
    },
    /// What was printed outside of tests, by class fixtures mostly.
    Between {
        printed: Printed,
    },
    /// A test that would be run.
    Listed {
        test: TestName,
        container: bool,
    },
    /// Something is wrong with poldet itself.
    Fault {
        what: String,
    },
    /// Still at it.
    Beat,
    /// All steps are done.
    Done,
    /// The VM has ended, and nothing follows.
    Ended {
        how: Ended,
        cost: Cost,
        #[serde(default)]
        printed: Printed,
    },
}

/// What a piece of work took: instructions as the VM counts them, and virtual time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub instructions: u64,
    pub nanos: u64,
}

/// What the guest printed meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub out: String,
    pub err: String,
}

impl Printed {
    pub fn is_empty(&self) -> bool {
        self.out.is_empty() && self.err.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Assertion,
    Error,
    Assumption,
}

/// An exception that ended a test or a fixture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub kind: Kind,
    /// The exception's class.
    pub exception: String,
    pub message: Option<String>,
    /// The stack trace as printed, causes and all.
    pub stack: Vec<String>,
}

/// How the VM ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", content = "what", rename_all = "snake_case")]
pub enum Ended {
    /// By `System.exit` or `Runtime.halt`.
    Status {
        by: String,
        status: i32,
        stack: String,
    },
    /// By an exception that JUnit let through, as printed.
    Thrown(String),
    Deadlock(String),
    /// The virtual time a test may take is over.
    TimedOut(String),
    Unsupported(String),
    Bug(String),
}
