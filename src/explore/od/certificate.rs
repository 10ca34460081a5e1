//! What follows for all orders of a suite from what its tests read and change, and what that rests on.

use crate::explore::od::candidates::Interference;
use crate::explore::od::sets::Alone;
use crate::explore::od::tests::Tests;
use poldet_records::{Assumption, Certificate};
use std::collections::BTreeMap;

/// The pairs of a search.
pub struct Pairs<'a> {
    pub tests: &'a Tests<'a>,
    pub judged: &'a [usize],
    pub interference: &'a Interference,
    pub alone: &'a [Alone],
    /// Runs of one test after another.
    pub run: usize,
    /// Pairs that need not run, since the second test finds the same after the first as after another.
    pub alike: usize,
}

pub fn certificate(pairs: &Pairs<'_>) -> Certificate {
    let count = pairs.tests.len();
    let possible = pairs.judged.len() * count.saturating_sub(1);
    let candidates: BTreeMap<usize, usize> = pairs
        .judged
        .iter()
        .map(|t| (*t, pairs.interference.candidates(*t).len()))
        .collect();
    let left: usize = candidates.values().sum();
    let ran = |t: &usize| pairs.alone[*t].access.is_some();
    let proved = candidates.iter().filter(|(t, n)| **n == 0 && ran(t)).count();
    Certificate {
        independent: left == 0 && proved == pairs.judged.len(),
        proved_tests: proved,
        pairs_possible: possible,
        pairs_excluded: possible - left,
        pairs_run: pairs.run,
        pairs_alike: pairs.alike,
        assumptions: assumptions(pairs, &candidates),
    }
}

fn assumptions(pairs: &Pairs<'_>, candidates: &BTreeMap<usize, usize>) -> Vec<Assumption> {
    let mut hidden: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let (mut internal, mut threads, mut ended) = (Vec::new(), Vec::new(), Vec::new());
    for (test, alone) in pairs.alone.iter().enumerate() {
        let Some(access) = &alone.access else {
            ended.push(test);
            continue;
        };
        for rule in access.run.hidden.keys() {
            hidden.entry(rule).or_default().push(test);
        }
        if !access.run.internal.is_empty() {
            internal.push(test);
        }
        if access.run.leaves_threads {
            threads.push(test);
        }
    }
    let of_end = |t: &usize| !pairs.interference.candidates_of_end(*t).is_empty();
    let affected: Vec<usize> = candidates
        .iter()
        .filter(|(t, n)| **n > 0 || of_end(t))
        .map(|(t, _)| *t)
        .collect();
    let mut all: Vec<(String, Vec<usize>)> = hidden
        .into_iter()
        .map(|(rule, tests)| {
            (
                format!("nothing depends on state that the ignore rule {rule} hides"),
                tests,
            )
        })
        .collect();
    let more = [
        (
            "nothing depends on differences inside the JDK that no public API shows",
            internal,
        ),
        ("threads that tests leave running change nothing later", threads),
        ("tests that do not run to their end are in no order", ended),
        (
            "what tests that others can affect change was seen in the runs that were made",
            affected,
        ),
        (
            "the tests of a class run one after the other, and outcomes do not depend on the time of day, on identity hashes \
             or on when the collector clears references",
            (0..pairs.tests.len()).collect(),
        ),
    ];
    all.extend(more.map(|(what, tests)| (what.to_owned(), tests)));
    all.into_iter()
        .filter(|(_, tests)| !tests.is_empty())
        .map(|(what, tests)| Assumption {
            what,
            count: tests.len(),
            tests: pairs.tests.names(&tests),
        })
        .collect()
}
