//! What tests read of the places that somebody changes, many of them in one process.
//!
//! A test that reads nothing that those before it have changed does what it does alone. So the tests of a class run one after the
//! other, and what is logged of a test counts if it is so. A class that an earlier test has initialised would have been initialised
//! by the test itself: what the initialiser read the test reads, unless it matters who is first. All others run again, alone.

use crate::explore::declared;
use crate::explore::explorer::Explorer;
use crate::explore::od::candidates::delicate_classes;
use crate::explore::od::runs::ClassRuns;
use crate::explore::od::sets::{Alone, around, parts, while_logging};
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::wire::{Asked, AskedInside, Fork};
use crate::run::suite::Suite;
use poldet_records::{Access, AccessReport, InitialiserReads, OneOfMany, Places, TestKey};
use std::collections::{BTreeMap, BTreeSet};

/// Processes of a class that were of no use after some test, until its tests run alone.
const MOST_BROKEN: usize = 2;

/// What tests read of these places; none of those that did not run to their end alone.
pub fn reads_of(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    suite: &Suite,
    first: &[Alone],
    asked: &Asked,
    over: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Option<AccessReport>>, String> {
    let reader = Reader {
        explorer,
        tests,
        first,
        asked,
        delicate: delicate_classes(first.iter().filter_map(|a| a.access.as_ref())),
        around: around(tests, suite),
        over,
    };
    let jobs = parts(tests);
    let run = || {
        let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |(class, part)| {
            let shares = declared::shared_state(suite, &tests.classes[*class].name);
            reader.part(*class, part.clone().collect(), shares)
        });
        let mut all = vec![None; tests.len()];
        for found in found.into_iter().flatten() {
            for (test, report) in found? {
                all[test] = Some(report);
            }
        }
        Ok(all)
    };
    while_logging(explorer, asked, || vec![None; tests.len()], run)
}

struct Reader<'r, 'e> {
    explorer: &'r Explorer<'e>,
    tests: &'r Tests<'r>,
    first: &'r [Alone],
    asked: &'r Asked,
    /// Classes of which it matters who initialises them.
    delicate: BTreeSet<String>,
    /// Whether something may run around the tests of each class.
    around: Vec<bool>,
    over: &'r (dyn Fn() -> bool + Sync),
}

/// What is known of the tests that ran so far in a process.
#[derive(Default)]
struct SoFar {
    changed: Places,
    changed_inside: Places,
    initialised: BTreeMap<String, Initialiser>,
    /// One of them did what is not known: nothing can be said of those that came after it.
    broken: bool,
}

/// An initialiser that ran in a test.
struct Initialiser {
    reads: InitialiserReads,
    /// The test did not do what it does alone.
    doubtful: bool,
    /// What was read in the test by other names than numbers: by the initialiser, for all that is known.
    roots: BTreeSet<String>,
    files: BTreeSet<String>,
}

impl SoFar {
    /// Whether what ran at the end of the class read nothing that a test had changed, so that it does the same after each of them.
    fn ends_alike(&self, report: &AccessReport) -> bool {
        let inside = report.end_inside.as_ref();
        !self.broken
            && !report.end.read.meets(&self.changed)
            && !inside.is_some_and(|end| end.read.meets(&self.changed_inside))
    }
}

/// Tests with what they read, and those that are to run again.
struct Sorted {
    known: Vec<(usize, AccessReport)>,
    again: Vec<usize>,
    /// Those after one that did what is not known.
    left: Vec<usize>,
}

impl Reader<'_, '_> {
    fn part(
        &self,
        class: usize,
        part: Vec<usize>,
        shares: bool,
    ) -> Result<Vec<(usize, AccessReport)>, String> {
        let mut left = part;
        left.retain(|t| self.first[*t].access.is_some());
        let mut found = Vec::new();
        if left.is_empty() || self.is_over() {
            return Ok(found);
        }
        let log = Fork {
            access: true,
            each: true,
            asked_inside: Some(AskedInside::Of(class)),
            ..Fork::default()
        };
        let mut runs = ClassRuns::new(self.explorer, &self.tests.classes[class], log);
        let mut broken = if shares { MOST_BROKEN } else { 0 };
        while !left.is_empty() && !self.is_over() {
            let leaves_threads = |t: &usize| {
                self.first[*t]
                    .access
                    .as_ref()
                    .is_some_and(|a| a.run.leaves_threads)
            };
            let count = match broken < MOST_BROKEN {
                true => left.iter().position(leaves_threads).map_or(left.len(), |i| i + 1),
                false => 1,
            };
            let rest = left.split_off(count);
            let answer = match runs.run(self.tests.ids(&left)) {
                _ if self.explorer.is_stopped() => break,
                answer => answer?,
            };
            let sorted = match answer.access.filter(|_| answer.complete) {
                Some(report) if count == 1 => Sorted {
                    known: vec![(left[0], report)],
                    again: Vec::new(),
                    left: Vec::new(),
                },
                Some(report) => self.sort(&left, &report),
                None if count == 1 => Sorted {
                    known: Vec::new(),
                    again: Vec::new(),
                    left: Vec::new(),
                },
                None => Sorted {
                    known: Vec::new(),
                    again: left.clone(),
                    left: Vec::new(),
                },
            };
            found.extend(sorted.known);
            for test in sorted.again {
                if self.is_over() {
                    break;
                }
                let answer = match runs.run(self.tests.ids(&[test])) {
                    _ if self.explorer.is_stopped() => break,
                    answer => answer?,
                };
                let report = answer.access.filter(|_| answer.complete);
                found.extend(report.map(|report| (test, report)));
            }
            broken += usize::from(!sorted.left.is_empty());
            left = sorted.left;
            left.extend(rest);
        }
        Ok(found)
    }

    fn is_over(&self) -> bool {
        self.explorer.is_stopped() || (self.over)()
    }

    /// Which of the tests of a process did what they do alone.
    fn sort(&self, group: &[usize], report: &AccessReport) -> Sorted {
        let mut sorted = Sorted {
            known: Vec::new(),
            again: Vec::new(),
            left: Vec::new(),
        };
        let mut so_far = SoFar::default();
        let keys: BTreeMap<TestKey, usize> = group
            .iter()
            .map(|t| (self.tests.member(*t).test.key(), *t))
            .collect();
        let fixtures = report
            .each
            .first()
            .map(|one| one.before.clone())
            .unwrap_or_default();
        let mut open: BTreeSet<usize> = group.iter().copied().collect();
        for (number, one) in report.each.iter().enumerate() {
            let Some(&test) = keys.get(&one.test).filter(|t| open.contains(*t)) else {
                so_far.broken = true;
                continue;
            };
            if so_far.broken {
                break;
            }
            open.remove(&test);
            let before = match number {
                0 => one.before.clone(),
                _ => then(&fixtures, &one.before),
            };
            match self.add(test, one, before, report, &mut so_far) {
                Some(report) => sorted.known.push((test, report)),
                None => sorted.again.push(test),
            }
        }
        // What ran when the class came to its end found what all these tests have left.
        if self.ends_with_fixtures(group) && !so_far.ends_alike(report) {
            let known = std::mem::take(&mut sorted.known);
            sorted.again.extend(known.into_iter().map(|(test, _)| test));
        }
        match so_far.broken {
            true => sorted.left = group.iter().copied().filter(|t| open.contains(t)).collect(),
            // They had no turn, or none that is known.
            false => sorted.again.extend(open),
        }
        sorted
    }

    /// Whether something may run when the class of these tests comes to its end.
    fn ends_with_fixtures(&self, group: &[usize]) -> bool {
        group.first().is_some_and(|t| self.around[self.tests.class(*t)])
    }

    /// What a test read, if it did what it does alone; what it did is added to what is known of the process.
    fn add(
        &self,
        test: usize,
        one: &OneOfMany,
        before: Access,
        report: &AccessReport,
        so_far: &mut SoFar,
    ) -> Option<AccessReport> {
        let alone = self.first[test].access.as_ref()?;
        let inside = report.inside_of(&one.test);
        let mut own = one.access.clone();
        let mut own_inside = inside.cloned();
        let of_initialisers: BTreeSet<&str> = one.initialisers.iter().map(|i| i.class.as_str()).collect();
        let (mut roots, mut files) = (own.read.roots.clone(), own.read.files.clone());
        roots.extend(before.read.roots.iter().cloned());
        files.extend(before.read.files.iter().cloned());
        let mut valid = ![&before.read, &own.read].iter().any(|r| r.meets(&so_far.changed))
            && own_inside
                .as_ref()
                .is_none_or(|i| !i.read.meets(&so_far.changed_inside));
        for init in alone.run.initialised.iter().chain(&alone.test.initialised) {
            let Some(by) = so_far.initialised.get(&init.class) else {
                continue;
            };
            valid &= !by.doubtful && by.roots.is_subset(&roots) && by.files.is_subset(&files);
            own.read.units.extend(&by.reads.read);
            if let Some(inside) = &mut own_inside {
                inside.read.units.extend(&by.reads.inside);
            }
        }
        for changed in [&one.before.changed, &one.access.changed] {
            so_far.broken |= !changed.clone().without(&self.asked.places).is_empty();
        }
        for access in [&one.before, &one.access, &alone.before, &alone.test, &alone.run] {
            so_far.changed.extend(&access.changed);
        }
        for inside in [inside, alone.inside_of(&one.test)].into_iter().flatten() {
            so_far.changed_inside.extend(&inside.changed);
        }
        if let Some(inside) = inside {
            let class = self.tests.class(test);
            let left = match self.asked.inside.get(&class) {
                Some(asked) => inside.changed.clone().without(asked),
                None => inside.changed.clone(),
            };
            so_far.broken |= !left.is_empty();
        }
        for init in one.before.initialised.iter().chain(&one.access.initialised) {
            let reads = one.initialisers.iter().find(|i| i.class == init.class);
            let initialiser = Initialiser {
                reads: reads.cloned().unwrap_or_default(),
                doubtful: !valid
                    || !of_initialisers.contains(init.class.as_str())
                    || self.delicate.contains(&init.class),
                roots: roots.clone(),
                files: files.clone(),
            };
            so_far
                .initialised
                .entry(init.class.clone())
                .or_insert(initialiser);
        }
        let run = then(&before, &own);
        valid.then(|| AccessReport {
            test: own,
            before,
            run,
            inside: own_inside.map(|i| (one.test.clone(), i)).into_iter().collect(),
            end: report.end.clone(),
            end_inside: report.end_inside.clone(),
            ..AccessReport::default()
        })
    }
}

/// What was read and written first in two intervals.
fn then(earlier: &Access, later: &Access) -> Access {
    let mut both = Access {
        read: earlier.read.clone(),
        written: earlier.written.clone(),
        ..Access::default()
    };
    both.and_then(later);
    both
}
