//! What a worker process reports to the supervisor, in the order it happens.

use crate::{
    AccessReport, Cost, End, Pollution, Printed, Problem, SanitiseVerdict, TestKey, TestName, UndoUnit,
    UniqueId, UnitRead, Used,
};
use serde::{Deserialize, Serialize};

/// An event with its sender.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The process it comes from: 0 is the worker itself, others are its forks.
    #[serde(default, skip_serializing_if = "is_worker")]
    pub child: u32,
    #[serde(flatten)]
    pub event: Event,
}

fn is_worker(child: &u32) -> bool {
    *child == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// What the worker's sandbox lacks, if anything.
    Sandboxed {
        missing: Vec<String>,
    },
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
        id: UniqueId,
        class: Option<String>,
        method: Option<String>,
    },
    ContainerFinished {
        id: UniqueId,
    },
    Started {
        test: TestName,
    },
    Finished {
        #[serde(flatten)]
        key: TestKey,
        problems: Vec<Problem>,
        cost: Cost,
        #[serde(default, skip_serializing_if = "Printed::is_empty")]
        printed: Printed,
        /// What the test did to the shared state; nothing when that was not compared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<Pollution>,
        /// Whether its failure is put down to an assumption; nothing when nobody asked for that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sanitise: Option<SanitiseVerdict>,
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sanitise: Option<SanitiseVerdict>,
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
    /// What the test that has just finished changed, where a search asked for it.
    Changed {
        units: Vec<UndoUnit>,
    },
    /// The first group of tests that left the shared state changed ended with the test of this number, counted from the fork; where a
    /// search asked for it.
    LeftChange {
        tests: u32,
    },
    /// What was read and changed since the fork, where a search asked for it.
    Access {
        report: Box<AccessReport>,
    },
    /// Who read what an earlier test had changed, until the test that has just finished ended; where a search asked for it.
    Reads {
        units: Vec<UnitRead>,
    },
    /// A test, or a class outside of its tests, has connected to these real addresses.
    Connected {
        test: String,
        addresses: Vec<String>,
    },
    /// What was used since the process began or last said so; where somebody wants to know.
    Used {
        #[serde(flatten)]
        used: Box<Used>,
    },
    /// Something about the suite that whoever runs it should know.
    Warning {
        what: String,
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
        how: End,
        cost: Cost,
        #[serde(default)]
        printed: Printed,
    },
}
