//! From the events of one process to what happened in the run: events for reporters, and how far the process got.
//!
//! It does not matter who reads the channel, nor whether the process is a worker or a fork of one: a fold belongs to one
//! process and one plan.

use poldet_junit_shim::driver::Plan;
use poldet_records::{
    ClassOutput, Cost, End, Event, Fixture, Outcome, Printed, Record, RunEvent, TestKey, TestName, UniqueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Without a plan, every result counts.
#[derive(Default)]
pub struct Fold {
    course: Course,
    /// Results of these are there already: a runner that takes no filter repeats them.
    known: BTreeSet<TestKey>,
    /// Of each step, whether it runs classes as a whole.
    whole: Vec<bool>,
    captured: bool,
    sanitises: bool,
}

/// How far a process got.
#[derive(Default)]
pub struct Course {
    pub booted: bool,
    /// All its steps are done.
    pub done: bool,
    /// Tests that need not run again.
    pub settled: BTreeSet<TestKey>,
    pub finished_classes: BTreeSet<String>,
    /// The step it was at, and the tests of it that have ended.
    pub step: usize,
    pub ended_in_step: Vec<TestName>,
    pub ended: Option<Ended>,
    /// Classes and containers whose tests did not run for a reason that was reported.
    pub given_up: Vec<TestName>,
    /// Tests that JUnit announced, and of which it said nothing any more.
    pub lacking: u32,
    running: BTreeMap<TestKey, TestName>,
    /// Started tests in order, the last one first to be blamed.
    order: Vec<TestKey>,
    containers: Vec<(UniqueId, TestName)>,
    class: Option<String>,
    counts: Counts,
}

/// How the VM of a process ended.
#[derive(Clone, Debug)]
pub struct Ended {
    pub how: End,
    /// What the last test took, and printed.
    pub cost: Cost,
    pub printed: Printed,
}

impl Ended {
    pub fn new(how: End) -> Ended {
        Ended {
            how,
            cost: Cost::default(),
            printed: Printed::default(),
        }
    }
}

/// What was going on when a process ended too early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Culprit {
    Test(TestName),
    Container(UniqueId, TestName),
    Class(String),
    Unknown,
}

/// Tests announced and ended since the last class, or step of the platform, began.
#[derive(Default)]
struct Counts {
    planned: u32,
    ended: u32,
    given_up: bool,
}

impl Course {
    /// Whose fault the end is.
    pub fn culprit(&self) -> Culprit {
        if let Some(test) = self.running_test() {
            return Culprit::Test(test.clone());
        }
        match (self.container(), &self.class) {
            (Some((id, container)), _) => Culprit::Container(id.clone(), container.clone()),
            (None, Some(class)) => Culprit::Class(class.clone()),
            (None, None) => Culprit::Unknown,
        }
    }

    pub fn running_test(&self) -> Option<&TestName> {
        self.order.last().and_then(|key| self.running.get(key))
    }

    /// Has any test ended?
    pub fn got_on(&self) -> bool {
        !self.settled.is_empty()
    }

    /// The innermost container at work; the engine itself is nobody's class.
    fn container(&self) -> Option<&(UniqueId, TestName)> {
        self.containers.iter().rev().find(|(id, _)| !id.is_engine())
    }

    /// A test has its result. Runs that the platform did not announce do not count.
    fn settle(&mut self, test: &TestName) {
        let announced = test.unique_id().is_none_or(|id| id.invocation().is_none());
        self.counts.ended += u32::from(announced);
        self.settled.insert(test.key());
        self.ended_in_step.push(test.clone());
    }

    fn give_up(&mut self, test: TestName) {
        self.counts.given_up = true;
        self.given_up.push(test);
    }

    fn close_counts(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        // JUnit 4 works class by class: what was given up there was its one class. The platform's is found by name.
        if self.class.is_none() || !counts.given_up {
            self.lacking += counts.planned.saturating_sub(counts.ended);
        }
    }
}

impl Fold {
    pub fn new(plan: &Plan, captured: bool) -> Fold {
        Fold {
            course: Course::default(),
            known: plan.done.clone(),
            whole: plan.steps.iter().map(|s| s.ids.is_empty()).collect(),
            captured,
            sanitises: plan.sanitise,
        }
    }

    pub fn course(&self) -> &Course {
        &self.course
    }

    pub fn finish(self) -> Course {
        self.course
    }

    /// Takes one event; what comes of it is for the reporters.
    pub fn take(&mut self, event: Event) -> Option<RunEvent> {
        let course = &mut self.course;
        match event {
            Event::Booted => course.booted = true,
            Event::Step { index } => {
                course.step = index as usize;
                course.ended_in_step.clear();
            }
            Event::Planned { tests } => {
                course.counts.planned += tests;
                return Some(RunEvent::Planned { tests });
            }
            Event::ClassStarted { class } => course.class = Some(class),
            Event::ClassFinished { class } => return Some(self.class_finished(class)),
            Event::ContainerStarted { id, class, method } => {
                let name = TestName::from_platform(&id, class, method, None, "");
                course.containers.push((id, name));
            }
            Event::ContainerFinished { id } => return self.container_finished(&id),
            Event::Started { test } => {
                course.order.push(test.key());
                course.running.insert(test.key(), test.clone());
                return Some(RunEvent::TestStarted { test });
            }
            Event::FixtureState { class, state } => {
                let class = (!class.is_empty()).then_some(class);
                let fixture = Fixture { class, state };
                return Some(RunEvent::Fixture { fixture });
            }
            Event::Between { printed } => return Some(self.between(printed)),
            Event::Listed { test, container } => {
                return Some(RunEvent::Listed { test, container });
            }
            Event::Changed { .. }
            | Event::LeftChange { .. }
            | Event::Reads { .. }
            | Event::Sandboxed { .. }
            | Event::Access { .. }
            | Event::Used { .. } => {}
            Event::Connected { test, addresses } => return Some(RunEvent::Connected { test, addresses }),
            Event::Warning { what } => return Some(RunEvent::Warning { what }),
            Event::Fault { what } => return Some(RunEvent::Fault { what, fatal: false }),
            Event::Beat => return Some(RunEvent::Beat),
            Event::Done => {
                course.close_counts();
                course.done = true;
            }
            Event::Ended { how, cost, printed } => course.ended = Some(Ended { how, cost, printed }),
            verdict @ (Event::Finished { .. } | Event::Skipped { .. } | Event::Outside { .. }) => {
                return self.verdict(verdict);
            }
        }
        None
    }

    /// A test has ended, or something that keeps tests from running.
    fn verdict(&mut self, event: Event) -> Option<RunEvent> {
        match event {
            Event::Finished {
                key,
                problems,
                cost,
                printed,
                state,
                sanitise,
            } => {
                self.course.order.retain(|k| *k != key);
                let test = self.course.running.remove(&key)?;
                self.course.settle(&test);
                let mut record = Record::of_problems(test, problems);
                record.cost = cost;
                record.printed = printed;
                record.state = state;
                record.sanitised_by(sanitise);
                (!self.known.contains(&key)).then(|| self.finished(record))
            }
            Event::Skipped { test, reason } => {
                let key = test.key();
                self.course.settle(&test);
                if test.method.is_none() {
                    self.course.give_up(test.clone());
                }
                let mut record = Record::new(test, Outcome::Skipped);
                record.message = (!reason.is_empty()).then_some(reason);
                (!self.known.contains(&key)).then(|| self.finished(record))
            }
            Event::Outside {
                test,
                problem,
                printed,
                sanitise,
            } => {
                self.course.give_up(test.clone());
                let mut record = Record::of_problems(test, vec![problem]);
                record.printed = printed;
                record.sanitised_by(sanitise);
                Some(self.finished(record))
            }
            _ => None,
        }
    }

    /// A record as it goes to the reporters.
    pub fn finished(&self, mut record: Record) -> RunEvent {
        if self.captured {
            record.state.get_or_insert_default();
        }
        if self.sanitises {
            record.sanitise.get_or_insert_default();
        }
        RunEvent::TestFinished {
            record: Box::new(record),
        }
    }

    fn between(&self, printed: Printed) -> RunEvent {
        let container = self.course.container().map(|(_, c)| &c.class);
        let class = container.or(self.course.class.as_ref());
        let class = class.filter(|c| !c.is_empty()).cloned();
        let output = ClassOutput { class, printed };
        RunEvent::ClassOutput { output }
    }

    fn class_finished(&mut self, class: String) -> RunEvent {
        self.course.close_counts();
        self.course.class = None;
        self.course.finished_classes.insert(class.clone());
        RunEvent::ClassFinished { class }
    }

    fn container_finished(&mut self, id: &UniqueId) -> Option<RunEvent> {
        let course = &mut self.course;
        let at = course.containers.iter().rposition(|(c, _)| c == id)?;
        let (_, container) = course.containers.remove(at);
        // A step that runs single ids says nothing of the rest of a class.
        let whole = self.whole.get(course.step).is_none_or(|whole| *whole);
        if container.method.is_some() {
            course.settled.insert(TestKey::of_id(id));
            return None;
        }
        (whole && id.is_top_level()).then(|| {
            course.finished_classes.insert(container.class.clone());
            RunEvent::ClassFinished {
                class: container.class,
            }
        })
    }
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
