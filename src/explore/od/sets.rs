//! Every test alone, in a process of its own: its outcome, and what it reads and changes.

use crate::explore::answer::Answer;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::od::candidates::{Interference, NewPlaces, Sets};
use crate::explore::od::probe::record_or_end;
use crate::explore::od::tests::Tests;
use crate::explore::od::together;
use crate::explore::parallel;
use crate::explore::wire::{Asked, AskedInside, Fork};
use crate::run::suite::Suite;
use poldet_junit_shim::driver::Mode;
use poldet_records::{AccessReport, Record};
use std::ops::Range;

/// A test that ran alone.
#[derive(Clone, Default)]
pub struct Alone {
    /// None if it did not run at all.
    pub record: Option<Record>,
    /// What it accessed; none if its process did not come to its end.
    pub access: Option<AccessReport>,
}

/// Tests of a class that one job runs, if there are more of them.
const TESTS_OF_JOB: usize = 40;

/// Runs every test alone, and logs what it accesses.
pub fn alone(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    over: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Alone>, String> {
    let which = Which {
        values: true,
        over,
        ..EVERY
    };
    alone_of(explorer, tests, &which)
}

/// Which tests run alone.
pub struct Which<'w> {
    pub takes: &'w (dyn Fn(usize) -> bool + Sync),
    /// Whether what reaches their assertions is noted.
    pub asserts: bool,
    /// Whether it is told, too, what they read as tests of their class see it.
    pub inside: bool,
    /// Whether it is found out what changed places hold.
    pub values: bool,
    /// Whether there is no more time.
    pub over: &'w (dyn Fn() -> bool + Sync),
}

const EVERY: Which<'static> = Which {
    takes: &|_| true,
    asserts: false,
    inside: false,
    values: false,
    over: &|| false,
};

/// The same for some of the tests; nothing is known of the others.
pub fn alone_of(explorer: &Explorer<'_>, tests: &Tests<'_>, which: &Which<'_>) -> Result<Vec<Alone>, String> {
    let jobs = parts(tests);
    let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |(class, part)| {
        let log = Fork {
            access: true,
            asserts: which.asserts,
            values: which.values,
            asked_inside: which.inside.then_some(AskedInside::Of(*class)),
            ..Fork::default()
        };
        part_alone(explorer, tests, &tests.classes[*class], part.clone(), which, log)
    });
    let mut all = Vec::new();
    for ((_, part), found) in jobs.iter().zip(found) {
        all.extend(found.unwrap_or_else(|| Ok(vec![Alone::default(); part.len()]))?);
    }
    Ok(all)
}

/// The tests of classes, each with the number of its class, in parts for one job each.
pub fn parts(tests: &Tests<'_>) -> Vec<(usize, Range<usize>)> {
    let mut parts = Vec::new();
    let mut first = 0;
    for (number, class) in tests.classes.iter().enumerate() {
        let end = first + class.tests.len();
        let starts = (first..end).step_by(TESTS_OF_JOB);
        parts.extend(starts.map(|from| (number, from..(from + TESTS_OF_JOB).min(end))));
        first = end;
    }
    parts
}

fn part_alone(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    class: &Class,
    part: Range<usize>,
    which: &Which<'_>,
    log: Fork,
) -> Result<Vec<Alone>, String> {
    let takes = |t: usize| (which.takes)(t) && !(which.over)();
    if !part.clone().any(takes) {
        return Ok(vec![Alone::default(); part.len()]);
    }
    let (opened, discovered) = match explorer.open(class, log) {
        Err(_) if explorer.is_stopped() => return Ok(vec![Alone::default(); part.len()]),
        result => result?,
    };
    let run = |answer: Answer, member| Alone {
        record: record_or_end(&answer, &[member]),
        access: answer.access.filter(|_| answer.complete),
    };
    if !discovered.complete {
        let outcome = |i: usize| Alone {
            record: record_or_end(&discovered, &[tests.member(i)]).filter(|_| takes(i)),
            access: None,
        };
        return Ok(part.map(outcome).collect());
    }
    let mut found = Vec::new();
    for i in part {
        if explorer.is_stopped() || !takes(i) {
            found.push(Alone::default());
            continue;
        }
        let member = tests.member(i);
        let fork = Fork {
            chosen: Some(vec![member.test.id.clone()]),
            ..Fork::default()
        };
        match explorer.probe_in(&opened, fork) {
            _ if explorer.is_stopped() => found.push(Alone::default()),
            answer => found.push(run(answer?, member)),
        }
    }
    Ok(found)
}

/// What can interfere with what. `first` has what every test changes; reads are logged in a second run, of the places that
/// somebody changes.
pub fn interference(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    suite: &Suite,
    first: &[Alone],
    over: &(dyn Fn() -> bool + Sync),
) -> Result<Interference, String> {
    let asked = changed(tests, first);
    let reads = match asked.places.is_empty() {
        true => first.iter().map(|a| a.access.clone()).collect(),
        false => together::reads_of(explorer, tests, suite, first, &asked, over)?,
    };
    Ok(Interference::new(sets(tests, suite, first, &reads)))
}

/// The places that some test changes alone.
pub fn changed(tests: &Tests<'_>, first: &[Alone]) -> Asked {
    let mut asked = Asked::default();
    for (test, alone) in first.iter().enumerate() {
        let Some(access) = &alone.access else { continue };
        if let Some(own) = access.inside_of(&tests.member(test).test.key()) {
            let known = asked.inside.entry(tests.class(test)).or_default();
            known.extend(&own.changed);
        }
        for interval in [&access.test, &access.before, &access.run] {
            asked.places.extend(&interval.changed);
        }
    }
    asked
}

/// What tests read of these places, each alone.
pub fn reads_of(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    asked: &Asked,
    which: &Which<'_>,
) -> Result<Vec<Option<AccessReport>>, String> {
    let none = || vec![Alone::default(); tests.len()];
    let ran = while_logging(explorer, asked, none, || alone_of(explorer, tests, which))?;
    Ok(ran.into_iter().map(|a| a.access).collect())
}

/// Runs something while reads of these places are logged.
pub fn while_logging<T>(
    explorer: &Explorer<'_>,
    asked: &Asked,
    stopped: impl Fn() -> T,
    run: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    match explorer.log_reads(Some(asked.clone())) {
        Err(_) if explorer.is_stopped() => return Ok(stopped()),
        done => done?,
    }
    let ran = run();
    match explorer.log_reads(None) {
        Err(_) if explorer.is_stopped() => {}
        done => done?,
    }
    ran
}

/// Tests were seen to change more places than when they ran alone: whoever reads these may be affected.
pub fn add_places(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    suite: &Suite,
    first: &[Alone],
    new: &NewPlaces,
    interference: &mut Interference,
    over: &(dyn Fn() -> bool + Sync),
) -> Result<(), String> {
    // Those that tests change alone as well: whether one does after others what it does alone follows from these.
    let mut asked = changed(tests, first);
    asked.places.extend(&new.places);
    for (class, places) in &new.inside {
        asked.inside.entry(*class).or_default().extend(places);
    }
    let reads = together::reads_of(explorer, tests, suite, first, &asked, over)?;
    interference.add_reads(&sets(tests, suite, first, &reads));
    Ok(())
}

pub fn sets(
    tests: &Tests<'_>,
    suite: &Suite,
    first: &[Alone],
    reads: &[Option<AccessReport>],
) -> Vec<Option<Sets>> {
    let shares: Vec<bool> = tests
        .classes
        .iter()
        .map(|c| declared::shared_state(suite, &c.name))
        .collect();
    let around = around(tests, suite);
    let all = first.iter().zip(reads).enumerate().map(|(test, (alone, reads))| {
        let class = tests.class(test);
        let early = matches!(tests.classes[class].mode, Mode::Platform | Mode::Engines);
        let (changes, reads) = (alone.access.as_ref()?, reads.as_ref()?);
        let key = tests.member(test).test.key();
        let mut sets = Sets::new(&key, class, shares[class], early, changes, reads);
        if around[class] {
            sets.ends_with(reads);
        }
        Some(sets)
    });
    all.collect()
}

/// Whether something may run around the tests of each class.
pub fn around(tests: &Tests<'_>, suite: &Suite) -> Vec<bool> {
    let classes = tests.classes.iter();
    classes.map(|c| declared::around_class(suite, &c.name)).collect()
}
