//! Every test alone, in a process of its own: its outcome, and what it reads and changes.

use crate::explore::answer::Answer;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::od::candidates::{Interference, NewPlaces, Sets};
use crate::explore::od::probe::{Asked, record_or_end};
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::wire::Fork;
use crate::run::suite::Suite;
use poldet_junit_shim::driver::Mode;
use poldet_records::{AccessReport, Places, Record};
use std::collections::BTreeMap;
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

/// What the tests of each class are asked for beside what all are: places as they see them.
pub type AskedInside = BTreeMap<usize, Places>;

/// Runs every test alone, and logs what it accesses.
pub fn alone(explorer: &Explorer<'_>, tests: &Tests<'_>) -> Result<Vec<Alone>, String> {
    let which = Which {
        values: true,
        ..EVERY
    };
    alone_of(explorer, tests, &which)
}

/// Which tests run alone.
pub struct Which<'w> {
    pub takes: &'w (dyn Fn(usize) -> bool + Sync),
    /// Whether what reaches their assertions is noted.
    pub asserts: bool,
    pub inside: Option<&'w AskedInside>,
    /// Whether it is found out what changed places hold.
    pub values: bool,
}

const EVERY: Which<'static> = Which {
    takes: &|_| true,
    asserts: false,
    inside: None,
    values: false,
};

/// The same for some of the tests; nothing is known of the others.
pub fn alone_of(explorer: &Explorer<'_>, tests: &Tests<'_>, which: &Which<'_>) -> Result<Vec<Alone>, String> {
    let mut jobs: Vec<(usize, usize, Range<usize>)> = Vec::new();
    let mut first = 0;
    for (number, class) in tests.classes.iter().enumerate() {
        let count = class.tests.len();
        let parts = (0..count).step_by(TESTS_OF_JOB);
        jobs.extend(parts.map(|from| (number, first, from..(from + TESTS_OF_JOB).min(count))));
        first += count;
    }
    let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |(class, first, part)| {
        let takes = |i: usize| (which.takes)(first + i);
        let log = Fork {
            access: true,
            asserts: which.asserts,
            values: which.values,
            asked_inside: which.inside.and_then(|inside| inside.get(class).cloned()),
            ..Fork::default()
        };
        part_alone(explorer, &tests.classes[*class], part.clone(), &takes, log)
    });
    let mut all = Vec::new();
    for ((.., part), found) in jobs.iter().zip(found) {
        all.extend(found.unwrap_or_else(|| Ok(vec![Alone::default(); part.len()]))?);
    }
    Ok(all)
}

fn part_alone(
    explorer: &Explorer<'_>,
    class: &Class,
    part: Range<usize>,
    takes: &dyn Fn(usize) -> bool,
    log: Fork,
) -> Result<Vec<Alone>, String> {
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
            record: record_or_end(&discovered, &[&class.tests[i]]).filter(|_| takes(i)),
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
        let member = &class.tests[i];
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
) -> Result<Interference, String> {
    let reads: Vec<Option<AccessReport>> = first.iter().map(|a| a.access.clone()).collect();
    let Asked { places, inside } = changed(tests, first);
    if places.is_empty() {
        return Ok(Interference::new(sets(tests, suite, first, &reads)));
    }
    let which = Which {
        inside: Some(&inside),
        ..EVERY
    };
    let reads = reads_of(explorer, tests, places, &which)?;
    Ok(Interference::new(sets(tests, suite, first, &reads)))
}

/// The places that some test changes alone.
pub fn changed(tests: &Tests<'_>, first: &[Alone]) -> Asked {
    let (mut asked, mut inside) = (Places::default(), AskedInside::new());
    for (test, alone) in first.iter().enumerate() {
        let Some(access) = &alone.access else { continue };
        if let Some(own) = access.inside_of(&tests.member(test).test.key()) {
            let known = inside.entry(tests.class(test)).or_default();
            known.extend(&own.changed);
        }
        for interval in [&access.test, &access.before, &access.run] {
            asked.extend(&interval.changed);
        }
    }
    Asked {
        places: asked,
        inside,
    }
}

/// What tests read of these places.
pub fn reads_of(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    asked: Places,
    which: &Which<'_>,
) -> Result<Vec<Option<AccessReport>>, String> {
    match explorer.log_reads(Some(asked)) {
        Err(_) if explorer.is_stopped() => return Ok(vec![None; tests.len()]),
        done => done?,
    }
    let ran = alone_of(explorer, tests, which);
    match explorer.log_reads(None) {
        Err(_) if explorer.is_stopped() => {}
        done => done?,
    }
    Ok(ran?.into_iter().map(|a| a.access).collect())
}

/// Tests were seen to change more places than when they ran alone: whoever reads these may be affected.
pub fn add_places(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    suite: &Suite,
    first: &[Alone],
    new: &NewPlaces,
    interference: &mut Interference,
) -> Result<(), String> {
    // Of every class, so that all are known to be asked.
    let mut inside: AskedInside = (0..tests.classes.len()).map(|c| (c, Places::default())).collect();
    inside.extend(new.inside.clone());
    let which = Which {
        inside: Some(&inside),
        ..EVERY
    };
    let reads = reads_of(explorer, tests, new.places.clone(), &which)?;
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
    let all = first.iter().zip(reads).enumerate().map(|(test, (alone, reads))| {
        let class = tests.class(test);
        let early = matches!(tests.classes[class].mode, Mode::Platform | Mode::Engines);
        let (changes, reads) = (alone.access.as_ref()?, reads.as_ref()?);
        let key = tests.member(test).test.key();
        Some(Sets::new(&key, class, shares[class], early, changes, reads))
    });
    all.collect()
}
