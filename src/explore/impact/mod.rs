//! A second look at a run: what tests read and change (`poldet run --access`), who suffers from what others leave behind
//! (`--impact`), and, where tests failed, which of them do so only because of an earlier test.
//!
//! Tests run again for it, alone and in pairs, in forks of a process in which no test has run. What they read and change is
//! compared as in the search for order-dependent tests.

mod harm;
mod links;
mod names;

use crate::explore::explorer::{Class, Explorer};
use crate::explore::od::candidates::Interference;
use crate::explore::od::probe::Probes;
use crate::explore::od::sets::{self, Alone, Which};
use crate::explore::od::tests::Tests;
use crate::explore::setup::{Round, SILENCE, Setup};
use crate::explore::wire::Asked;
use crate::run::Prepared;
use crate::run::schedule::verdict;
use names::Names;
use poldet_records::{AccessReport, Document, Outcome, Places, Record};
use std::collections::{BTreeMap, BTreeSet};

/// What is looked for besides the polluters of failing tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub access: bool,
    pub impact: bool,
}

impl Wanted {
    /// All tests run again for it.
    fn all(self) -> bool {
        self.access || self.impact
    }
}

/// Takes over what an earlier look at the same run added to its records. Names stay: a document does not say all of them.
pub fn take(known: Document, document: &mut Document) {
    for (new, old) in known.tests.into_iter().zip(&mut document.tests) {
        let test = std::mem::replace(old, new).test;
        old.test = test;
    }
    document.shared = known.shared;
    document.summary = known.summary;
}

/// Adds to the records of a run what a second look shows. An error says why there was none.
pub fn look(
    mut prepared: Prepared,
    jobs: usize,
    wanted: Wanted,
    document: &mut Document,
) -> Result<(), String> {
    let suspects = links::Suspects::of(document);
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    for (number, record) in document.tests.iter().enumerate() {
        let takes = record.test.method.is_some() && (wanted.all() || suspects.has(number));
        if takes {
            chosen.entry(record.test.text()).or_insert(number);
        }
    }
    let known: BTreeSet<&str> = chosen
        .values()
        .map(|n| document.tests[*n].test.class.as_str())
        .collect();
    prepared.classes.retain(|candidate| {
        let inside = |class: &&str| {
            class
                .strip_prefix(&candidate.name)
                .is_some_and(|rest| rest.starts_with('$'))
        };
        known.contains(candidate.name.as_str()) || known.iter().any(inside)
    });
    if chosen.is_empty() || prepared.classes.is_empty() {
        return Ok(());
    }
    let setup = Setup::of(prepared);
    let names = setup.rounds.iter().filter_map(Round::in_zygote).collect();
    let (explorer, named) =
        Explorer::start(&setup.spec, jobs, SILENCE, &setup.stop, names).map_err(|end| verdict(&end).1)?;
    let (classes, _) = explorer.list(&setup.rounds, named, true)?;
    let classes = only(classes, &chosen);
    explorer.train(&classes)?;
    let tests = Tests::new(&classes, |_| true);
    let numbers: Vec<usize> = (0..tests.len())
        .map(|t| chosen[&tests.member(t).test.text()])
        .collect();
    let look = Look {
        setup: &setup,
        probes: &Probes::new(&explorer, &tests, None),
        records: numbers,
    };
    look.run(wanted, &suspects, document)
}

/// The classes with the tests that are in the run, each once.
fn only(classes: Vec<Class>, chosen: &BTreeMap<String, usize>) -> Vec<Class> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for mut class in classes {
        class.tests.retain(|member| {
            let text = member.test.text();
            chosen.contains_key(&text) && seen.insert(text)
        });
        if !class.tests.is_empty() {
            kept.push(class);
        }
    }
    kept
}

/// The tests that run again.
pub struct Look<'l, 'a, 'e> {
    setup: &'l Setup,
    probes: &'l Probes<'a, 'e>,
    /// The record of each test in the run.
    records: Vec<usize>,
}

/// What was found out of tests that ran alone.
struct Seen {
    alone: Vec<Alone>,
    reads: Vec<Option<AccessReport>>,
    interference: Interference,
}

impl Look<'_, '_, '_> {
    fn run(&self, wanted: Wanted, suspects: &links::Suspects, document: &mut Document) -> Result<(), String> {
        let seen = self.see(wanted, suspects)?;
        for (test, alone) in seen.alone.iter().enumerate() {
            let record = &mut document.tests[self.records[test]];
            record.alone = alone.record.as_ref().map(|r| r.outcome).filter(|o| o.is_run());
        }
        let names = Names::new(self.probes.tests, &seen);
        if wanted.access {
            names.write(self, &seen, document);
        }
        links::link(self, &seen, suspects, document)?;
        if wanted.impact {
            harm::rank(self, &seen, &names, document)?;
        }
        document.summary = document.sums();
        Ok(())
    }

    /// Runs the tests alone: all of them, or those of which something is to be said.
    fn see(&self, wanted: Wanted, suspects: &links::Suspects) -> Result<Seen, String> {
        let (explorer, tests) = (self.probes.explorer, self.probes.tests);
        let runs = |t: usize| wanted.all() || suspects.runs_alone(self.records[t]);
        let which = Which {
            takes: &runs,
            asserts: wanted.impact,
            inside: false,
            values: false,
            over: &|| false,
        };
        let alone = sets::alone_of(explorer, tests, &which)?;
        let mut asked = Places::default();
        for access in alone.iter().filter_map(|a| a.access.as_ref()) {
            for interval in [&access.test, &access.before, &access.run] {
                asked.extend(&interval.changed);
            }
        }
        let reader = |t: usize| {
            let failed = || {
                alone[t]
                    .record
                    .as_ref()
                    .is_some_and(|r| r.outcome == Outcome::Passed)
            };
            wanted.all() || (suspects.is_first(self.records[t]) && failed())
        };
        let which = Which {
            takes: &reader,
            asserts: false,
            inside: false,
            values: false,
            over: &|| false,
        };
        let mut reads = vec![None; tests.len()];
        if (wanted.access || !asked.is_empty()) && (0..tests.len()).any(reader) {
            let asked = Asked {
                places: asked,
                ..Asked::default()
            };
            reads = sets::reads_of(explorer, tests, &asked, &which)?;
        }
        // Of the others only what they change is of interest.
        let or_none: Vec<Option<AccessReport>> = alone
            .iter()
            .zip(&reads)
            .map(|(alone, reads)| {
                let nothing = alone.access.as_ref().map(|_| AccessReport::default());
                reads.clone().or(nothing)
            })
            .collect();
        let sets = sets::sets(tests, &self.setup.suite, &alone, &or_none);
        Ok(Seen {
            alone,
            reads,
            interference: Interference::new(sets),
        })
    }

    fn name(&self, document: &Document, test: usize) -> String {
        document.tests[self.records[test]].test.text()
    }
}

/// Whether a test passes, as its record says; None if it did neither.
fn passed(record: &Record) -> Option<bool> {
    crate::explore::od::probe::passes(record)
}
