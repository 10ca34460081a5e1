//! One class of the suite, whole or without a statement, whose tests run from the state of a zygote.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::process::Process;
use crate::explore::wire::{Fork, Off, Undo};
use poldet_records::{End, Outcome, Record};
use std::sync::Arc;

/// How a class differs from the suite's.
#[derive(Clone, Default)]
pub struct Change {
    pub off: Vec<Off>,
    /// Internal names, and files.
    pub redefine: Vec<(String, String)>,
}

pub struct Trial<'a, 'e> {
    pub explorer: &'a Explorer<'e>,
    pub class: &'a Class,
    /// Has discovered the class.
    pub from: &'a Arc<Process>,
    /// Has run the fixtures of the class, too.
    pub ready: Option<Arc<Process>>,
    /// With the change; else each run makes it.
    is_changed: bool,
    pub change: Change,
    /// Virtual time that a test may take.
    pub timeout_nanos: Option<u64>,
    /// One run of the class serves several orders, as long as they leave the shared state as it was.
    pub batch: bool,
}

impl<'a, 'e> Trial<'a, 'e> {
    /// With a process that has run the fixtures, where one can be had; `ready` is one that serves, since fixtures do not see the change.
    pub fn new(
        explorer: &'a Explorer<'e>,
        class: &'a Class,
        from: &'a Arc<Process>,
        ready: Option<Arc<Process>>,
        change: Change,
        timeout_nanos: Option<u64>,
        batch: bool,
    ) -> Trial<'a, 'e> {
        let mut trial = Trial {
            explorer,
            class,
            from,
            is_changed: ready.is_none(),
            ready,
            change,
            timeout_nanos,
            batch,
        };
        if trial.ready.is_none() {
            trial.ready = explorer.ready(from, trial.fork()).map(|(process, _)| process);
        }
        trial
    }

    fn fork(&self) -> Fork {
        Fork {
            off: self.change.off.clone(),
            redefine: self.change.redefine.clone(),
            timeout_nanos: self.timeout_nanos,
            ..Fork::default()
        }
    }

    /// Runs tests of the class.
    fn probe(&self, fork: Fork) -> Result<Answer, String> {
        if let Some(ready) = &self.ready {
            let mut fork = fork.clone();
            if self.is_changed {
                fork.off.clear();
                fork.redefine.clear();
            }
            if let Ok(answer) = self.explorer.probe(Some(ready), fork) {
                return Ok(answer);
            }
        }
        self.explorer.probe(Some(self.from), fork)
    }

    fn id(&self, test: usize) -> String {
        self.class.tests[test].test.id.clone()
    }

    /// Runs tests of the class in this order.
    pub fn run(&self, order: &[usize]) -> Result<Answer, String> {
        let mut fork = self.fork();
        fork.chosen = Some(order.iter().map(|i| self.id(*i)).collect());
        self.probe(fork)
    }

    /// Runs the first of these orders, or more of them: the records of each that ran, and how the last of them ended.
    pub fn run_some(&self, orders: &[Vec<usize>]) -> Result<(Vec<Vec<Record>>, Option<End>), String> {
        let Some(first) = orders.first().filter(|o| !o.is_empty()) else {
            return Ok((vec![Vec::new(); orders.len()], None));
        };
        if !self.batch || orders.len() == 1 {
            let answer = self.run(first)?;
            return Ok((vec![answer.records], answer.end));
        }
        let mut fork = self.fork();
        fork.chosen = Some(orders.iter().flatten().map(|i| self.id(*i)).collect());
        fork.until_change = Some(first.len() as u32);
        let answer = self.probe(fork)?;
        let mut ran: Vec<Vec<Record>> = answer
            .records
            .chunks(first.len())
            .map(<[Record]>::to_vec)
            .collect();
        if ran.is_empty() {
            ran.push(Vec::new());
        }
        Ok((ran, answer.end))
    }

    /// The record of the last test of an order; none if it did not run.
    pub fn last(&self, order: &[usize]) -> Result<Option<Record>, String> {
        let answer = self.run(order)?;
        let Some(test) = order.last().map(|i| &self.class.tests[*i]) else {
            return Ok(None);
        };
        let ran = answer.records.len() == order.len();
        Ok(answer.records.last().filter(|r| ran && is(r, test)).cloned())
    }

    /// The last test of an order passes, or fails; none if it does neither.
    pub fn passes(&self, order: &[usize]) -> Result<Option<bool>, String> {
        Ok(self.last(order)?.and_then(|r| verdict(r.outcome)))
    }

    /// A test of another class, then one of this.
    pub fn passes_after(&self, other: &Member, test: usize) -> Result<Option<bool>, String> {
        let mut fork = self.fork();
        fork.steps = steps(&[other, &self.class.tests[test]]);
        let answer = self.explorer.probe(None, fork)?;
        let record = answer.records.last().filter(|r| is(r, &self.class.tests[test]));
        Ok(record.and_then(|r| verdict(r.outcome)))
    }

    /// Runs a test alone, as often as asked, each time with another schedule and other entropy, until outcomes differ. A
    /// process serves as long as the test leaves the shared state as it was.
    pub fn alone(&self, test: usize, reruns: u32) -> Result<Vec<Record>, String> {
        let mut records: Vec<Record> = Vec::new();
        while (records.len() as u32) < reruns && !self.explorer.is_stopped() {
            let left = reruns - records.len() as u32;
            let mut fork = self.fork();
            fork.chosen = Some(vec![self.id(test); left as usize]);
            fork.until_change = Some(1);
            fork.vary = Some(records.len() as u64);
            let answer = self.probe(fork)?;
            let member = &self.class.tests[test];
            let mut ran: Vec<Record> = answer.records.into_iter().filter(|r| is(r, member)).collect();
            if ran.is_empty() {
                // What went wrong around it, if anything is known.
                if records.is_empty() {
                    records.extend(answer.outside.into_iter().take(1));
                }
                break;
            }
            ran.truncate(left as usize);
            records.extend(ran);
            let first = records[0].outcome;
            let same = records.iter().all(|r| r.outcome == first);
            if !same || !matches!(first, Outcome::Passed | Outcome::Failed | Outcome::Error) {
                break;
            }
        }
        Ok(records)
    }

    /// Runs an order with some of the changes of its first test put back.
    pub fn undoing(&self, order: &[usize], put_back: &[usize]) -> Result<Answer, String> {
        let folder = self.explorer.folder()?;
        let mut fork = self.fork();
        fork.chosen = Some(order.iter().map(|i| self.id(*i)).collect());
        fork.undo = Some(Undo {
            after: 0,
            put_back: put_back.to_vec(),
            folder: folder.dir.display().to_string(),
            ..Undo::default()
        });
        self.probe(fork)
    }
}

pub fn is(record: &Record, member: &Member) -> bool {
    record.test.key() == member.test.key()
}

/// Only passed passes; only failed and error fail.
pub fn verdict(outcome: Outcome) -> Option<bool> {
    match outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed | Outcome::Error => Some(false),
        _ => None,
    }
}
