//! What became of the tests of one process: its events, folded to records in the order in which the tests ran.

use crate::explore::process::{Process, Until};
use crate::run::schedule::verdict;
use poldet_records::{
    AccessReport, Cost, End, Event, Outcome, Printed, Record, TestKey, TestName, UndoUnit, UnitRead,
};
use std::collections::BTreeMap;

/// The tests that a process ran.
#[derive(Default)]
pub struct Answer {
    pub records: Vec<Record>,
    /// Failing class fixtures and classes that could not be loaded.
    pub outside: Vec<Record>,
    /// Tests and containers that were named, and whether there may be more inside.
    pub listed: Vec<(TestName, bool)>,
    /// What the test changed whose changes were to be kept.
    pub changed: Vec<UndoUnit>,
    /// What was read and changed, if that was to be logged.
    pub access: Option<AccessReport>,
    /// Who read of it, if that was looked for.
    pub reads: Vec<UnitRead>,
    /// The process holds, or did all it was to do.
    pub complete: bool,
    /// It holds.
    pub holding: bool,
    /// How the process ended, if too early.
    pub end: Option<End>,
    running: BTreeMap<TestKey, TestName>,
    order: Vec<TestKey>,
    last: Option<(Cost, Printed)>,
}

impl Answer {
    /// Reads what a process reports until it holds or ends. The test at fault for an early end gets its verdict.
    pub fn of(process: &Process) -> Answer {
        let mut answer = Answer::default();
        match process.hear_all(&mut |event| answer.take(event)) {
            Until::Holding => (answer.complete, answer.holding) = (true, true),
            Until::Done | Until::Stopped => answer.complete = true,
            Until::Ended(end) => {
                answer.blame(&end);
                answer.end = Some(end);
            }
        }
        answer
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Started { test } => {
                self.order.push(test.key());
                self.running.insert(test.key(), test);
            }
            Event::Finished {
                key,
                problems,
                cost,
                printed,
                state,
                sanitise,
            } => {
                self.order.retain(|k| *k != key);
                if let Some(test) = self.running.remove(&key) {
                    let mut record = Record::of_problems(test, problems);
                    record.cost = cost;
                    record.printed = printed;
                    record.state = state;
                    record.sanitised_by(sanitise);
                    self.records.push(record);
                }
            }
            Event::Skipped { test, reason } => {
                let mut record = Record::new(test, Outcome::Skipped);
                record.message = (!reason.is_empty()).then_some(reason);
                self.records.push(record);
            }
            Event::Outside {
                test,
                problem,
                sanitise,
                ..
            } => {
                let mut record = Record::of_problems(test, vec![problem]);
                record.sanitised_by(sanitise);
                self.outside.push(record);
            }
            Event::Changed { units } => self.changed = units,
            Event::Access { report } => self.access = Some(*report),
            Event::Reads { units } => self.reads = units,
            Event::Listed { test, container } => self.listed.push((test, container)),
            Event::Ended { cost, printed, .. } => self.last = Some((cost, printed)),
            _ => {}
        }
    }

    fn blame(&mut self, end: &End) {
        let (outcome, text) = verdict(end);
        let (cost, printed) = self.last.take().unwrap_or_default();
        let test = self.order.last().and_then(|key| self.running.get(key)).cloned();
        let Some(test) = test else {
            return self
                .outside
                .push(Record::of_end(TestName::default(), outcome, &text));
        };
        let mut record = Record::of_end(test, outcome, &text);
        record.cost = cost;
        record.printed = printed;
        self.records.push(record);
    }
}
