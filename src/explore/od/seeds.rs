//! Tests whose outcome depends on the seed, in the same order: NOD.

use crate::explore::explorer::{Explorer, OtherSeeds, steps};
use crate::explore::frame;
use crate::explore::od::probe::{Probes, passes, record_or_end, turns};
use crate::explore::od::search::Found;
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::setup::Setup;
use crate::explore::wire::Fork;
use poldet_records::Record;
use std::collections::{BTreeMap, BTreeSet};

/// Other seeds for tests found order-dependent, and for the others.
pub const OD: u32 = 10;
pub const OTHERS: u32 = 3;

pub struct Rerun {
    pub od: u32,
    pub others: u32,
}

/// The tests that are NOD.
pub fn nod(
    setup: &Setup,
    probes: &Probes<'_, '_>,
    rerun: &Rerun,
    alone: &[Option<bool>],
    judged: &[usize],
    found: &BTreeMap<usize, Found>,
) -> Result<BTreeSet<usize>, String> {
    let mut nod = BTreeSet::new();
    let tests = probes.tests;
    let mut others = OtherSeeds::default();
    for round in 1..=rerun.od.max(rerun.others) {
        if probes.is_over() || (round > rerun.others && found.is_empty()) {
            break;
        }
        let seed = setup.spec.vm.seed + u64::from(round);
        let boot = |seed| frame::start(setup, probes.explorer.jobs, seed).map(|(explorer, _)| explorer);
        let other = match others.next(seed, boot) {
            Err(_) if probes.is_over() => break,
            started => started?,
        };
        if round <= rerun.others {
            let asked: Vec<usize> = judged.iter().copied().filter(|t| alone[*t].is_some()).collect();
            nod.extend(differing(other, tests, &asked, alone)?);
        }
        if round <= rerun.od {
            let again = Probes::new(other, tests, probes.deadline);
            let left: Vec<(&usize, &Found)> = found.iter().filter(|(t, _)| !nod.contains(*t)).collect();
            let differ = parallel::map(other.jobs, &left, other.stop, |(test, found)| {
                ends_otherwise(&again, **test, found, alone[**test])
            });
            for ((test, _), differs) in left.iter().zip(differ) {
                if differs.transpose()? == Some(true) {
                    nod.insert(**test);
                }
            }
        }
    }
    Ok(nod)
}

/// Whether an order-dependent test ends otherwise with another seed: alone, or after its first polluter or state-setter.
fn ends_otherwise(
    probes: &Probes<'_, '_>,
    test: usize,
    found: &Found,
    alone: Option<bool>,
) -> Result<bool, String> {
    let (Some(alone), Some(cause)) = (alone, found.causes.first()) else {
        return Ok(false);
    };
    let sequence: Vec<usize> = cause.tests.iter().copied().chain([test]).collect();
    let (first, after) = (probes.passes(&[test])?, probes.passes(&sequence)?);
    Ok(first == Some(!alone) || after == Some(alone))
}

/// Tests that one job runs, with others of the last class.
const TESTS_OF_JOB: usize = 200;

/// The tests that end otherwise alone than they did. Those that leave the state as it was share a process; what differs then is run
/// again in one of its own.
fn differing(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    asked: &[usize],
    alone: &[Option<bool>],
) -> Result<BTreeSet<usize>, String> {
    let mut jobs: Vec<Vec<usize>> = Vec::new();
    for &test in asked {
        let class = tests.class(test);
        let fits = |job: &&mut Vec<usize>| {
            job.len() < TESTS_OF_JOB || job.last().is_some_and(|last| tests.class(*last) == class)
        };
        match jobs.last_mut().filter(fits) {
            Some(job) => job.push(test),
            None => jobs.push(vec![test]),
        }
    }
    let differs = |test: usize, record: Option<&Record>| {
        let passed = record.and_then(passes);
        passed.is_some() && passed != alone[test]
    };
    let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |job| {
        let mut differ = Vec::new();
        let mut left: &[usize] = job;
        while !left.is_empty() && !explorer.is_stopped() {
            let fork = Fork {
                steps: steps(&tests.members(left)),
                until_change: Some(1),
                ..Fork::default()
            };
            let answer = match explorer.probe(None, fork) {
                _ if explorer.is_stopped() => break,
                answer => answer?,
            };
            let records = turns(&answer, &tests.members(left));
            for (&test, record) in left.iter().zip(&records) {
                if !differs(test, record.as_ref()) {
                    continue;
                }
                let again = match explorer.run(steps(&tests.members(&[test]))) {
                    _ if explorer.is_stopped() => break,
                    answer => record_or_end(&answer?, &[tests.member(test)]),
                };
                differ.extend(differs(test, again.as_ref()).then_some(test));
            }
            left = &left[records.len()..];
        }
        Ok::<Vec<usize>, String>(differ)
    });
    let mut all = BTreeSet::new();
    for differ in found.into_iter().flatten() {
        all.extend(differ?);
    }
    Ok(all)
}
