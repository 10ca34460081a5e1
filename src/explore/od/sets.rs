//! Every test alone, in a process of its own: its outcome, and what it reads and changes.

use crate::explore::answer::Answer;
use crate::explore::declared;
use crate::explore::explorer::Explorer;
use crate::explore::od::candidates::{Interference, Sets};
use crate::explore::od::probe::record_or_end;
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::run::suite::Suite;
use poldet_junit_shim::driver::Mode;
use poldet_records::{AccessReport, Places, Record};

/// A test that ran alone.
#[derive(Clone, Default)]
pub struct Alone {
    /// None if it did not run at all.
    pub record: Option<Record>,
    /// What it accessed; none if its process did not come to its end.
    pub access: Option<AccessReport>,
}

/// Runs every test alone, and logs what it accesses.
pub fn alone(explorer: &Explorer<'_>, tests: &Tests<'_>) -> Result<Vec<Alone>, String> {
    alone_of(explorer, tests, &EVERY)
}

/// Which tests run alone.
pub struct Which<'w> {
    pub takes: &'w (dyn Fn(usize) -> bool + Sync),
    /// Whether what reaches their assertions is noted.
    pub asserts: bool,
}

const EVERY: Which<'static> = Which {
    takes: &|_| true,
    asserts: false,
};

/// The same for some of the tests; nothing is known of the others.
pub fn alone_of(explorer: &Explorer<'_>, tests: &Tests<'_>, which: &Which<'_>) -> Result<Vec<Alone>, String> {
    let mut classes: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for (class, of) in tests.classes.iter().enumerate() {
        classes.push((class, from));
        from += of.tests.len();
    }
    let found = parallel::map(explorer.jobs, &classes, explorer.stop, |(class, from)| {
        class_alone(explorer, tests, *class, *from, which)
    });
    let mut all = Vec::new();
    for ((class, _), found) in classes.iter().zip(found) {
        let count = tests.classes[*class].tests.len();
        all.extend(found.unwrap_or_else(|| Ok(vec![Alone::default(); count]))?);
    }
    Ok(all)
}

fn class_alone(
    explorer: &Explorer<'_>,
    tests: &Tests<'_>,
    class: usize,
    from: usize,
    which: &Which<'_>,
) -> Result<Vec<Alone>, String> {
    let class = &tests.classes[class];
    let takes = |i: usize| (which.takes)(from + i);
    if !(0..class.tests.len()).any(takes) {
        return Ok(vec![Alone::default(); class.tests.len()]);
    }
    let (process, discovered) = match explorer.discover_logged(class, which.asserts) {
        Err(_) if explorer.is_stopped() => return Ok(vec![Alone::default(); class.tests.len()]),
        result => result?,
    };
    let run = |answer: Answer, member| Alone {
        record: record_or_end(&answer, &[member]),
        access: answer.access.filter(|_| answer.complete),
    };
    if !discovered.complete {
        let outcome = |(i, member)| Alone {
            record: record_or_end(&discovered, &[member]).filter(|_| takes(i)),
            access: None,
        };
        return Ok(class.tests.iter().enumerate().map(outcome).collect());
    }
    let mut found = Vec::new();
    for (i, member) in class.tests.iter().enumerate() {
        if explorer.is_stopped() || !takes(i) {
            found.push(Alone::default());
            continue;
        }
        match explorer.run_chosen(&process, vec![member.test.id.clone()], None) {
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
    let mut asked = Places::default();
    let reads: Vec<Option<AccessReport>> = first.iter().map(|a| a.access.clone()).collect();
    for access in first.iter().filter_map(|a| a.access.as_ref()) {
        for interval in [&access.test, &access.before, &access.run] {
            asked.extend(&interval.changed);
        }
    }
    if asked.is_empty() {
        return Ok(Interference::new(sets(tests, suite, first, &reads)));
    }
    let reads = reads_of(explorer, tests, asked, &EVERY)?;
    Ok(Interference::new(sets(tests, suite, first, &reads)))
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
    places: Places,
    interference: &mut Interference,
) -> Result<(), String> {
    let reads = reads_of(explorer, tests, places, &EVERY)?;
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
        Some(Sets::new(class, shares[class], early, changes, reads))
    });
    all.collect()
}
