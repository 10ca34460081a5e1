//! Runs sequences of tests and says how the last one ended.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Explorer, Member, Opened, steps};
use crate::explore::od::candidates::Read;
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::process::Process;
use crate::explore::wire::{Asked, AskedInside, Fork, Hold};
use poldet_records::{Inside, Outcome, Places, Record, TestKey};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What a run says of a test: only `passed` passes, only `failed` and `error` fail.
pub fn passes(record: &Record) -> Option<bool> {
    match record.outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed | Outcome::Error => Some(false),
        _ => None,
    }
}

/// The record of the last test of a sequence; none if it did not run. A class fixture that failed speaks for its tests.
pub fn record_of(answer: &Answer, sequence: &[&Member]) -> Option<Record> {
    let last = sequence.last()?;
    let expected = sequence
        .iter()
        .filter(|m| m.test.key() == last.test.key())
        .count();
    let mut runs = answer.records.iter().filter(|r| r.test.key() == last.test.key());
    if let Some(record) = runs.nth(expected - 1) {
        return Some(record.clone());
    }
    let class = last.class();
    let of_class = |r: &&Record| r.test.class == class || r.test.root.as_deref() == Some(class.as_str());
    let mut record = answer.outside.iter().rfind(of_class)?.clone();
    record.test = last.test.clone();
    Some(record)
}

/// The same; where the process itself came to its end outside of tests, that speaks for the test.
pub fn record_or_end(answer: &Answer, sequence: &[&Member]) -> Option<Record> {
    record_of(answer, sequence).or_else(|| {
        let mut record = answer.outside.iter().find(|r| r.test.class.is_empty())?.clone();
        record.test = sequence.last()?.test.clone();
        Some(record)
    })
}

/// The records of those tests that had their turn, in a process that goes on while they leave the state as it was; none for one that
/// did not run. The others come next, in another process.
pub fn turns(answer: &Answer, tests: &[&Member]) -> Vec<Option<Record>> {
    let mut records: Vec<Option<Record>> = tests.iter().map(|m| record_of(answer, &[*m])).collect();
    if !(answer.complete && answer.records.is_empty()) {
        // What did not run before the last that did had no chance to, and the first has had its turn in any case.
        let last = records.iter().rposition(Option::is_some);
        records.truncate(last.map_or(1, |last| last + 1));
    }
    records
}

/// A test that ran after another.
pub struct After {
    pub test: usize,
    /// None if it did not run.
    pub record: Option<Record>,
    pub changed: Places,
    /// The same as other tests of its class see it.
    pub inside: Option<Inside>,
    /// What it read, as tests of its class or of others see it, if that is known.
    pub read: Option<Read>,
}

impl After {
    pub fn nothing(test: usize) -> After {
        After {
            test,
            record: None,
            changed: Places::default(),
            inside: None,
            read: None,
        }
    }
}

/// After whom tests ran: tests of their class, between which no class fixtures run, or of others.
#[derive(Clone, Copy)]
enum Side {
    Class,
    Others,
}

/// Classes that are kept open, to be forked for sequences of their tests.
const MOST_OPENED: usize = 8;

pub struct Probes<'a, 'e> {
    pub explorer: &'a Explorer<'e>,
    pub tests: &'a Tests<'a>,
    /// When the search is to end, done or not.
    pub deadline: Option<Instant>,
    runs: AtomicUsize,
    opened: Mutex<Vec<(usize, Arc<Opened>)>>,
    /// Whether reads are logged.
    logs: AtomicBool,
}

impl<'a, 'e> Probes<'a, 'e> {
    pub fn new(
        explorer: &'a Explorer<'e>,
        tests: &'a Tests<'a>,
        deadline: Option<Instant>,
    ) -> Probes<'a, 'e> {
        Probes {
            explorer,
            tests,
            deadline,
            runs: AtomicUsize::new(0),
            opened: Mutex::default(),
            logs: AtomicBool::new(false),
        }
    }

    /// From now on tests that run after others report what they read of these places; no longer without places.
    pub fn log_reads(&self, asked: Option<&Asked>) -> Result<(), String> {
        // What holds was told before.
        let held = std::mem::take(&mut *self.opened.lock().unwrap_or_else(PoisonError::into_inner));
        drop(held);
        self.logs.store(asked.is_some(), Ordering::SeqCst);
        match self.explorer.log_reads(asked.cloned()) {
            Err(_) if self.explorer.is_stopped() => Ok(()),
            done => done,
        }
    }

    /// Whether tests that run after others report what they read.
    pub fn logs_reads(&self) -> bool {
        self.logs.load(Ordering::SeqCst)
    }

    /// What tests of a class are asked when they run after others of it; of other classes, without a class.
    fn asked_of(&self, class: Option<usize>) -> Option<AskedInside> {
        let of_class = class.map_or(AskedInside::Nothing, AskedInside::Of);
        self.logs_reads().then_some(of_class)
    }

    /// Interrupted, or out of time.
    pub fn is_over(&self) -> bool {
        self.explorer.is_stopped() || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// How many runs of a test after others there were.
    pub fn count(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    fn counted(&self, runs: usize) {
        self.runs.fetch_add(runs, Ordering::SeqCst);
    }

    /// Runs a sequence as asked: tests of one class share its discovery and its fixtures.
    pub fn run(&self, sequence: &[usize], fork: Fork) -> Result<Answer, String> {
        Ok(Answer::of(&*self.fork(sequence, fork)?))
    }

    fn fork(&self, sequence: &[usize], mut fork: Fork) -> Result<Arc<Process>, String> {
        let members = self.tests.members(sequence);
        let class = self.tests.class(sequence[0]);
        if sequence.iter().any(|t| self.tests.class(*t) != class) {
            fork.steps = steps(&members);
            return self.explorer.fork_from(None, fork);
        }
        fork.chosen = Some(members.iter().map(|m| m.test.id.clone()).collect());
        self.explorer.fork_in(&*self.opened(class)?, fork)
    }

    /// What a process reported; None where the search was interrupted, which says nothing of what ran.
    fn unless_stopped<T>(&self, result: Result<T, String>) -> Result<Option<T>, String> {
        match (self.explorer.is_stopped(), result) {
            (true, _) => Ok(None),
            (false, result) => result.map(Some),
        }
    }

    fn opened(&self, class: usize) -> Result<Arc<Opened>, String> {
        let known = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opened)) = known().iter().find(|(c, _)| *c == class) {
            return Ok(Arc::clone(opened));
        }
        let (opened, answer) = self.explorer.open(&self.tests.classes[class], Fork::default())?;
        let opened = Arc::new(opened);
        if answer.complete {
            let mut known = known();
            if known.len() == MOST_OPENED {
                known.remove(0);
            }
            known.push((class, Arc::clone(&opened)));
        }
        Ok(opened)
    }

    /// Runs a sequence; the record of its last test.
    pub fn last(&self, sequence: &[usize]) -> Result<Option<Record>, String> {
        let ran = self.run(sequence, Fork::default());
        self.counted(1);
        let answer = self.unless_stopped(ran)?;
        Ok(answer.and_then(|a| record_or_end(&a, &self.tests.members(sequence))))
    }

    /// Runs a whole order from the zygote's state; None where the search was interrupted.
    pub fn whole(&self, order: &[usize]) -> Result<Option<Answer>, String> {
        let ran = self.explorer.run(steps(&self.tests.members(order)));
        self.unless_stopped(ran)
    }

    /// Whether a test passes after others whose last class run has ended, also if it is of the same class.
    pub fn passes_apart(&self, before: &[usize], test: usize) -> Result<Option<bool>, String> {
        let mut fork = Fork {
            steps: steps(&self.tests.members(before)),
            ..Fork::default()
        };
        fork.steps.extend(steps(&self.tests.members(&[test])));
        let ran = self.explorer.probe(None, fork);
        self.counted(1);
        let answer = self.unless_stopped(ran)?;
        let record = answer.and_then(|a| record_or_end(&a, &self.tests.members(&[test])));
        Ok(record.as_ref().and_then(passes))
    }

    /// Whether the last test of a sequence passes; None if it did not run.
    pub fn passes(&self, sequence: &[usize]) -> Result<Option<bool>, String> {
        Ok(self.last(sequence)?.as_ref().and_then(passes))
    }

    /// How these tests end when each runs alone. Tests of a class that leave the state as it was share a process.
    pub fn alone(&self, tests: &[usize]) -> Result<Vec<(usize, Outcome)>, String> {
        let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for test in tests {
            classes.entry(self.tests.class(*test)).or_default().push(*test);
        }
        let classes: Vec<(usize, Vec<usize>)> = classes.into_iter().collect();
        let found = parallel::map(
            self.explorer.jobs,
            &classes,
            self.explorer.stop,
            |(class, tests)| self.class_alone(*class, tests),
        );
        let mut all = Vec::new();
        for found in found.into_iter().flatten() {
            all.extend(found?);
        }
        Ok(all)
    }

    fn class_alone(&self, class: usize, tests: &[usize]) -> Result<Vec<(usize, Outcome)>, String> {
        let mut found = Vec::new();
        let mut left = tests;
        while !left.is_empty() && !self.is_over() {
            let ids = self
                .tests
                .members(left)
                .iter()
                .map(|m| m.test.id.clone())
                .collect();
            let process = self.explorer.fork_class(&self.tests.classes[class], ids, Some(1));
            let Some(answer) = self.unless_stopped(process.map(|p| Answer::of(&p)))? else {
                break;
            };
            let mut ran = Vec::new();
            left = self.take_turns(&answer, left, Side::Others, false, &mut ran);
            found.extend(ran.into_iter().filter_map(|a| Some((a.test, a.record?.outcome))));
        }
        Ok(found)
    }

    /// These tests, each run after the others. Tests that leave the state as it was share a process; where that may have
    /// made a difference the caller runs the sequence by itself.
    pub fn after(&self, before: &[usize], tests: &[usize]) -> Result<Vec<After>, String> {
        let class = before.last().map(|p| self.tests.class(*p));
        let (inner, outer): (Vec<usize>, Vec<usize>) =
            tests.iter().partition(|t| Some(self.tests.class(**t)) == class);
        let mut found = self.after_in_class(before, &inner)?;
        found.extend(self.after_class(before, &outer)?);
        Ok(found)
    }

    /// A process that holds after some tests; None where it cannot hold there, or was interrupted.
    fn held(&self, before: &[usize], hold: Hold) -> Result<Option<(Arc<Process>, Answer)>, String> {
        // Where reads are logged, those of what these tests have left are, too.
        let logs = self.logs_reads();
        let fork = Fork {
            hold,
            access: logs,
            values: logs,
            asked_inside: self.asked_of(None),
            ..Fork::default()
        };
        let process = self.unless_stopped(self.fork(before, fork))?;
        let answer = process.map(|process| {
            let answer = Answer::of(&process);
            (process, answer)
        });
        self.unless_stopped(Ok(answer)).map(Option::flatten)
    }

    /// A process that holds after tests of a class, inside of its run; None where it cannot.
    pub fn held_in_class(&self, before: &[usize]) -> Result<Option<(Arc<Process>, Answer)>, String> {
        let held = self.held(before, Hold::AfterTests)?;
        Ok(held.filter(|(_, answer)| answer.holding))
    }

    fn after_in_class(&self, before: &[usize], tests: &[usize]) -> Result<Vec<After>, String> {
        let held = match tests.len() {
            0 => return Ok(Vec::new()),
            1 if !self.logs_reads() => None,
            _ => self.held_in_class(before)?,
        };
        self.after_held(before, held.as_ref(), tests)
    }

    /// These tests of a class, each run after others of it, after which a process may hold.
    pub fn after_held(
        &self,
        before: &[usize],
        held: Option<&(Arc<Process>, Answer)>,
        tests: &[usize],
    ) -> Result<Vec<After>, String> {
        let mut found = Vec::new();
        let mut left = tests;
        while !left.is_empty() && !self.is_over() {
            let mut fork = Fork {
                until_change: Some(1),
                access: true,
                asked_inside: self.asked_of(Some(self.tests.class(left[0]))),
                ..Fork::default()
            };
            let ran = match held {
                Some((process, _)) => {
                    let members = self.tests.members(left);
                    fork.chosen = Some(members.iter().map(|m| m.test.id.clone()).collect());
                    self.explorer.probe(Some(process), fork)
                }
                None => {
                    fork.before_groups = before.len() as u32;
                    self.run(&[before, left].concat(), fork).map(|mut answer| {
                        answer.records.drain(..before.len().min(answer.records.len()));
                        answer
                    })
                }
            };
            let Some(answer) = self.unless_stopped(ran)? else {
                break;
            };
            left = self.take_turns(&answer, left, Side::Class, held.is_some(), &mut found);
        }
        Ok(found)
    }

    fn after_class(&self, before: &[usize], tests: &[usize]) -> Result<Vec<After>, String> {
        let mut found = Vec::new();
        if tests.is_empty() {
            return Ok(found);
        }
        let Some((process, answer)) = self.held(before, Hold::AfterSteps)? else {
            return Ok(found);
        };
        if !answer.complete {
            return Ok(tests.iter().map(|t| After::nothing(*t)).collect());
        }
        let mut left = tests;
        while !left.is_empty() && !self.is_over() {
            let fork = Fork {
                steps: steps(&self.tests.members(left)),
                until_change: Some(1),
                access: true,
                asked_inside: self.asked_of(None),
                ..Fork::default()
            };
            let ran = self.explorer.probe(Some(&process), fork);
            let Some(answer) = self.unless_stopped(ran)? else {
                break;
            };
            left = self.take_turns(&answer, left, Side::Others, true, &mut found);
        }
        Ok(found)
    }

    /// What each of these tests has changed when its class has come to its end, after `p`; nothing of one that did not come so far.
    pub fn left_after(&self, p: usize, tests: &[usize]) -> Result<Vec<(usize, Places)>, String> {
        let (mut found, mut of_class, mut of_others) = (Vec::new(), None, None);
        for &test in tests {
            if self.is_over() {
                break;
            }
            let members = self.tests.members(&[test]);
            let inside = self.tests.class(test) == self.tests.class(p);
            let from = match inside {
                true => &mut of_class,
                false => &mut of_others,
            };
            if from.is_none() {
                *from = Some(match inside {
                    true => self.held_in_class(&[p])?,
                    false => self.held(&[p], Hold::AfterSteps)?,
                });
            }
            let log = Fork {
                access: true,
                ..Fork::default()
            };
            let ran = match from.as_ref().and_then(Option::as_ref) {
                Some((_, answer)) if !answer.holding => continue,
                Some((process, _)) if inside => {
                    let chosen = Some(vec![members[0].test.id.clone()]);
                    self.explorer.probe(Some(process), Fork { chosen, ..log })
                }
                Some((process, _)) => {
                    let steps = steps(&members);
                    self.explorer.probe(Some(process), Fork { steps, ..log })
                }
                None => self.run(&[p, test], log),
            };
            self.counted(1);
            let answer = self.unless_stopped(ran)?.filter(|answer| answer.complete);
            let access = answer.and_then(|answer| answer.access);
            found.push((test, access.map(|access| access.run.changed).unwrap_or_default()));
        }
        Ok(found)
    }

    /// Takes the records of tests that had their turn; returns those that are left.
    fn take_turns<'t>(
        &self,
        answer: &Answer,
        tests: &'t [usize],
        side: Side,
        held: bool,
        found: &mut Vec<After>,
    ) -> &'t [usize] {
        let records = turns(answer, &self.tests.members(tests));
        let turns = records.len();
        self.counted(turns);
        let changes = answer.access.as_ref().map_or(&[][..], |a| &a.tests);
        let logged = held && self.logs_reads();
        let read = |key: &TestKey| {
            let access = answer.access.as_ref().filter(|_| logged)?;
            let (_, so_far) = access.reads.iter().rfind(|(k, _)| k == key)?;
            let places = match side {
                Side::Class => so_far.inside.clone(),
                Side::Others => so_far.places.clone(),
            };
            let slots = so_far.slots.clone();
            Some(Read { places, slots })
        };
        for (test, record) in tests[..turns].iter().zip(records) {
            let key = self.tests.member(*test).test.key();
            let changed = changes.iter().rfind(|(k, _)| *k == key);
            found.push(After {
                test: *test,
                record,
                changed: changed.map(|(_, places)| places.clone()).unwrap_or_default(),
                inside: answer.access.as_ref().and_then(|a| a.inside_of(&key).cloned()),
                read: read(&key),
            });
        }
        &tests[turns..]
    }
}
