//! Orders of the tests of a class, of which only what is not known yet runs.
//!
//! A VM is deterministic, and a test that leaves the shared state as it was changes nothing for those after it. So what comes of a test
//! follows from those tests before it that left a change, in their order. A deletion in the body of one test leaves all
//! turns as they were that have neither that test nor come after its changes: one run of the class as it is serves all of its mutants.

use crate::explore::answer::Answer;
use crate::explore::explorer::Class;
use crate::explore::inject::trial::{Trial, is, verdict};
use crate::run::schedule;
use crate::run::suite::Suite;
use poldet_records::{Fold, Outcome, Pollution, Printed, Record};
use poldet_vm::classfile::{ClassFile, to_text};
use std::collections::{BTreeMap, BTreeSet};

/// What came of a test.
#[derive(Clone)]
pub struct Turn {
    /// Without its stack, what it printed and what it changed.
    pub record: Record,
    /// It left the shared state changed.
    changed: bool,
    /// What kept other changes from counting.
    uncounted: BTreeSet<String>,
}

impl Turn {
    fn of(record: &Record) -> Turn {
        // What was not compared is not known to be unchanged.
        let state = record.state.as_ref();
        let changed = state.is_none_or(|s| s.polluter || !s.threads.is_empty());
        let uncounted = state.filter(|_| !changed).map(uncounted).unwrap_or_default();
        Turn {
            record: Record {
                stack: Vec::new(),
                printed: Printed::default(),
                state: None,
                ..record.clone()
            },
            changed,
            uncounted,
        }
    }

    /// Nothing comes after it.
    fn is_last(&self) -> bool {
        !matches!(
            self.record.outcome,
            Outcome::Passed | Outcome::Failed | Outcome::Error | Outcome::Skipped
        )
    }

    fn is_like(&self, other: &Turn) -> bool {
        self.record.outcome == other.record.outcome && self.changed == other.changed
    }
}

/// What kept the changes of a test from counting: rules, and kinds of change.
fn uncounted(state: &Pollution) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = state.hidden.keys().cloned().collect();
    for change in &state.pollutions {
        let kind = match change.folded {
            Some(Fold::IdGenerator) => "kind id-generator",
            Some(Fold::GeneratedClass) => "kind generated-class",
            Some(Fold::BackgroundThread) => "kind background-thread",
            Some(Fold::StaticInitialiser) => "kind static-initialiser",
            None if change.restores.is_some() => "kind restored",
            None => "kind not-observable",
        };
        found.insert(change.ignored_by.clone().unwrap_or_else(|| kind.to_owned()));
    }
    found
}

/// Known turns: by the tests before it that left a change, and the test.
#[derive(Clone, Default)]
pub struct Turns {
    known: BTreeMap<(Vec<usize>, usize), Turn>,
    /// A test came out in two ways after the same changes: what is known does not say what comes next.
    pub contradicts: bool,
    /// What kept changes from counting, and the tests that made them.
    pub uncounted: BTreeMap<String, BTreeSet<usize>>,
}

impl Turns {
    /// Learns from the records of an order that ran.
    pub fn learn(&mut self, class: &Class, order: &[usize], records: &[Record]) {
        let mut before: Vec<usize> = Vec::new();
        for (test, record) in order.iter().zip(records) {
            if !is(record, &class.tests[*test]) {
                self.contradicts = true;
                return;
            }
            let turn = Turn::of(record);
            let changed = turn.changed;
            for why in &turn.uncounted {
                self.uncounted.entry(why.clone()).or_default().insert(*test);
            }
            let known = self
                .known
                .entry((before.clone(), *test))
                .or_insert_with(|| turn.clone());
            self.contradicts |= !known.is_like(&turn);
            if changed {
                before.push(*test);
            }
        }
    }

    fn get(&self, before: &[usize], test: usize) -> Option<&Turn> {
        self.known.get(&(before.to_vec(), test))
    }
}

/// The orders of one mutant.
pub struct Walk<'w, 't, 'e> {
    pub trial: &'w Trial<'t, 'e>,
    /// What is known of the class as it is.
    pub base: &'w Turns,
    /// The tests that the deletion concerns; none says all.
    pub touched: &'w [usize],
    pub own: Turns,
}

/// Instructions that running all tests after a mutated one may cost in advance.
const CHEAP: u64 = 4_000_000;

impl Walk<'_, '_, '_> {
    fn turn(&self, before: &[usize], test: usize) -> Option<&Turn> {
        let touches = |t: &usize| self.touched.is_empty() || self.touched.contains(t);
        if touches(&test) || before.iter().any(touches) {
            return self.own.get(before, test);
        }
        self.base.get(before, test).or_else(|| self.own.get(before, test))
    }

    /// Runs the mutated test, and the others after it if they cost little: mostly this is all there is to run.
    pub fn begin(&mut self, tests: &[usize]) -> Result<(), String> {
        let [only] = self.touched else { return Ok(()) };
        let others = tests.iter().filter(|t| *t != only);
        let cost = |t: &usize| self.turn(&[], *t).map_or(CHEAP, |t| t.record.cost.instructions);
        let mut order = vec![*only];
        if others.clone().map(cost).sum::<u64>() < CHEAP {
            order.extend(others);
        }
        let answer = self.trial.run(&order)?;
        self.own.learn(self.trial.class, &order, &answer.records);
        Ok(())
    }

    /// What comes of the tests of an order; None if what is known contradicts itself.
    pub fn run(&mut self, order: &[usize]) -> Result<Option<Vec<(usize, Record)>>, String> {
        let mut known: Option<usize> = None;
        loop {
            let (found, before) = self.follow(order);
            // A run that makes nothing known went another way than what was known of its beginning.
            let stuck = known.replace(found.len()) == Some(found.len());
            if stuck || self.own.contradicts || self.base.contradicts {
                return Ok(None);
            }
            let ended = found.last().is_some_and(|(_, turn)| turn.is_last());
            if found.len() == order.len() || ended {
                let records = found.into_iter().map(|(test, turn)| (test, turn.record.clone()));
                return Ok(Some(records.collect()));
            }
            let left = [&before[..], &order[found.len()..]].concat();
            let answer = self.trial.run(&left)?;
            self.learn(&left, before.len(), &answer)?;
        }
    }

    /// The turns of an order as far as they are known, and the tests among them that left a change.
    fn follow(&self, order: &[usize]) -> (Vec<(usize, &Turn)>, Vec<usize>) {
        let mut before: Vec<usize> = Vec::new();
        let mut found = Vec::new();
        for test in order {
            let Some(turn) = self.turn(&before, *test) else {
                break;
            };
            found.push((*test, turn));
            if turn.is_last() {
                break;
            }
            if turn.changed {
                before.push(*test);
            }
        }
        (found, before)
    }

    fn learn(&mut self, order: &[usize], before: usize, answer: &Answer) -> Result<(), String> {
        if answer.records.len() <= before {
            // Not one more test ran.
            let why = answer.end.as_ref().map(|end| schedule::verdict(end).1);
            let outside = || answer.outside.first().and_then(|r| r.message.clone());
            return Err(why
                .or_else(outside)
                .unwrap_or_else(|| "its tests do not run".into()));
        }
        self.own.learn(self.trial.class, order, &answer.records);
        Ok(())
    }

    /// Whether the last test of an order ends so when the order runs as a whole.
    pub fn holds(&self, order: &[usize], passes: bool) -> Result<bool, String> {
        let last = self.trial.last(order)?;
        Ok(last.and_then(|r| verdict(r.outcome)) == Some(passes))
    }
}

/// Names of methods of the suite's classes that other code calls: a deletion in one of them may concern any test.
pub fn called(suite: &Suite) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let own: BTreeSet<String> = suite.tested.iter().flat_map(|e| e.class_files()).collect();
    for entry in &suite.tested {
        for name in entry.class_files() {
            // Classes of a search live as long as it does.
            let bytes = entry
                .read(&name)
                .map(|b| -> &'static [u8] { Vec::leak(b.into_owned()) });
            let Some(file) = bytes.and_then(|b| ClassFile::parse(b).ok()) else {
                continue;
            };
            for index in 1..file.cp_len() {
                let Some((class, name, _)) = file.member(index) else {
                    continue;
                };
                let owner = to_text(file.class_name(class).unwrap_or_default());
                if own.contains(&format!("{owner}.class")) {
                    found.insert(to_text(name));
                }
            }
        }
    }
    found
}
