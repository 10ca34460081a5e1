//! What became of the tests of one process: its events, folded to records in the order in which the tests ran.

use crate::explore::process::{Process, Until};
use crate::run::fold::{Course, Fold};
use crate::run::schedule::verdict;
use poldet_records::{AccessReport, End, Event, Record, RunEvent, TestName, UndoUnit, UnitRead};

/// The tests that a process ran.
#[derive(Clone, Default)]
pub struct Answer {
    pub records: Vec<Record>,
    /// Failing class fixtures and classes that could not be loaded.
    pub outside: Vec<Record>,
    /// Tests and containers that were named, and whether there may be more inside.
    pub listed: Vec<(TestName, bool)>,
    /// What the test changed whose changes were to be kept.
    pub changed: Vec<UndoUnit>,
    /// How many tests had ended when a group of them first left the shared state changed, if that was to be noted.
    pub left_change: Option<u32>,
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
}

impl Answer {
    /// Reads what a process reports until it holds or ends. The test at fault for an early end gets its verdict.
    pub fn of(process: &Process) -> Answer {
        let mut answer = Answer::default();
        let mut fold = Fold::default();
        match process.hear_all(&mut |event| answer.take(&mut fold, event)) {
            Until::Holding => (answer.complete, answer.holding) = (true, true),
            Until::Done | Until::Stopped => answer.complete = true,
            // Without a test that ran, nothing says which classes had their turn.
            Until::StoppedBetween => answer.complete = !answer.records.is_empty(),
            Until::Ended(end) => {
                answer.blame(fold.finish(), &end);
                answer.end = Some(end);
            }
        }
        answer
    }

    fn take(&mut self, fold: &mut Fold, event: Event) {
        match event {
            Event::Changed { units } => self.changed = units,
            Event::LeftChange { tests } => self.left_change = Some(tests),
            Event::Access { report } => self.access = Some(*report),
            Event::Reads { units } => self.reads = units,
            event => {
                let outside = matches!(event, Event::Outside { .. });
                match fold.take(event) {
                    Some(RunEvent::TestFinished { record }) if outside => self.outside.push(*record),
                    Some(RunEvent::TestFinished { record }) => self.records.push(*record),
                    Some(RunEvent::Listed { test, container }) => self.listed.push((test, container)),
                    _ => {}
                }
            }
        }
    }

    fn blame(&mut self, course: Course, end: &End) {
        let (outcome, text) = verdict(end);
        let Some(test) = course.running_test().cloned() else {
            return self
                .outside
                .push(Record::of_end(TestName::default(), outcome, &text));
        };
        let mut record = Record::of_end(test, outcome, &text);
        if let Some(ended) = course.ended {
            record.cost = ended.cost;
            record.printed = ended.printed;
        }
        self.records.push(record);
    }
}
