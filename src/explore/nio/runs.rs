//! Runs every test twice in a row, in each mode.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::parallel;
use crate::explore::wire::Fork;
use poldet_records::{NioMode, NioPair, Outcome, Record, TestName};
use std::collections::BTreeMap;

/// One test and what became of its two runs, by mode.
pub struct Tried {
    /// Its class, and its place in it.
    pub at: (usize, usize),
    pub runs: BTreeMap<NioMode, Pair>,
    /// With how many other seeds the same mode showed the same.
    pub confirmed: u32,
}

impl Tried {
    /// The first mode in which it passes and then fails.
    pub fn shows(&self) -> Option<NioMode> {
        let mut modes = self.runs.iter();
        modes
            .find(|(_, pair)| pair.outcomes().shows())
            .map(|(mode, _)| *mode)
    }
}

/// The records of the two runs.
#[derive(Clone, Default)]
pub struct Pair {
    pub first: Option<Record>,
    pub second: Option<Record>,
}

impl Pair {
    pub fn outcomes(&self) -> NioPair {
        let outcome = |r: &Option<Record>| r.as_ref().map(|r| r.outcome);
        NioPair {
            first: outcome(&self.first),
            second: outcome(&self.second),
        }
    }
}

/// A piece of work that one process does at a time.
#[derive(Clone, Copy)]
enum Job {
    Entire,
    Class(NioMode, usize),
}

/// What a job found: the pairs of tests, by class and place.
type Found = Vec<((usize, usize), Pair)>;

/// Tries the tests that are to be judged, in the order of the classes.
pub fn run(
    explorer: &Explorer<'_>,
    classes: &[Class],
    judged: &[Vec<bool>],
    modes: &[NioMode],
) -> Result<Vec<Tried>, String> {
    let mut tried: Vec<Tried> = Vec::new();
    for (i, flags) in judged.iter().enumerate() {
        for (j, _) in flags.iter().enumerate().filter(|(_, wanted)| **wanted) {
            tried.push(Tried {
                at: (i, j),
                runs: BTreeMap::new(),
                confirmed: 0,
            });
        }
    }
    // The longest job first.
    let mut jobs = Vec::new();
    if modes.contains(&NioMode::EntireSuite) {
        jobs.push(Job::Entire);
    }
    for mode in [NioMode::IsolatedMethod, NioMode::IsolatedClass] {
        let classes = (0..classes.len()).filter(|i| judged[*i].contains(&true));
        if modes.contains(&mode) {
            jobs.extend(classes.map(|i| Job::Class(mode, i)));
        }
    }
    let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |job| match *job {
        Job::Entire => entire_suite(explorer, classes),
        Job::Class(NioMode::IsolatedMethod, i) => isolated_method(explorer, classes, i, &judged[i]),
        Job::Class(_, i) => isolated_class(explorer, classes, i),
    });
    let places: BTreeMap<(usize, usize), usize> = tried.iter().enumerate().map(|(i, t)| (t.at, i)).collect();
    for (job, pairs) in jobs.iter().zip(found) {
        let mode = match job {
            Job::Entire => NioMode::EntireSuite,
            Job::Class(mode, _) => *mode,
        };
        for (at, pair) in pairs.transpose()?.unwrap_or_default() {
            if let Some(place) = places.get(&at) {
                tried[*place].runs.insert(mode, pair);
            }
        }
    }
    Ok(tried)
}

/// Repeats what showed a test to be NIO, in a VM with another seed.
pub fn confirm(
    explorer: &Explorer<'_>,
    classes: &[Class],
    tried: &mut [Tried],
    shown: &[usize],
) -> Result<(), String> {
    for mode in NioMode::ALL {
        let tests: Vec<usize> = shown
            .iter()
            .copied()
            .filter(|i| tried[*i].shows() == Some(mode))
            .collect();
        let mut inside: Vec<usize> = tests.iter().map(|i| tried[*i].at.0).collect();
        inside.dedup();
        let again: Found = match mode {
            NioMode::EntireSuite if tests.is_empty() => Vec::new(),
            NioMode::EntireSuite => entire_suite(explorer, classes)?,
            NioMode::IsolatedMethod | NioMode::IsolatedClass => {
                let found = parallel::map(explorer.jobs, &inside, explorer.stop, |class| {
                    if mode == NioMode::IsolatedClass {
                        return isolated_class(explorer, classes, *class);
                    }
                    let judged = |j| tests.iter().any(|i| tried[*i].at == (*class, j));
                    let flags: Vec<bool> = (0..classes[*class].tests.len()).map(judged).collect();
                    isolated_method(explorer, classes, *class, &flags)
                });
                let mut all = Vec::new();
                for pairs in found {
                    all.extend(pairs.transpose()?.unwrap_or_default());
                }
                all
            }
        };
        for i in tests {
            let test = &mut tried[i];
            let same = again.iter().any(|(at, p)| *at == test.at && p.outcomes().shows());
            test.confirmed += u32::from(same);
        }
    }
    Ok(())
}

/// Each test twice in a process of its own; a process goes on to the next test as long as both runs have left the shared
/// state as it was.
fn isolated_method(
    explorer: &Explorer<'_>,
    classes: &[Class],
    class: usize,
    judged: &[bool],
) -> Result<Found, String> {
    let left: Vec<usize> = (0..judged.len()).filter(|i| judged[*i]).collect();
    in_class(explorer, classes, class, left, Some(2))
}

/// The tests of a class, each twice, in one process.
fn isolated_class(explorer: &Explorer<'_>, classes: &[Class], class: usize) -> Result<Found, String> {
    let left = (0..classes[class].tests.len()).collect();
    in_class(explorer, classes, class, left, None)
}

fn in_class(
    explorer: &Explorer<'_>,
    classes: &[Class],
    number: usize,
    left: Vec<usize>,
    group: Option<u32>,
) -> Result<Found, String> {
    let class = &classes[number];
    let left: Vec<(usize, usize)> = left.into_iter().map(|i| (number, i)).collect();
    let (opened, discovered) = match explorer.open(class, Fork::default()) {
        Ok(found) => found,
        Err(why) => return Ok(all_without(classes, left, &why)),
    };
    if !discovered.complete {
        return Ok(all_end_as(left, &discovered));
    }
    until_all_ran(explorer, classes, left, |tests| {
        let twice = tests.iter().flat_map(|t| [t.test.id.clone(), t.test.id.clone()]);
        let fork = Fork {
            chosen: Some(twice.collect()),
            until_change: group,
            ..Fork::default()
        };
        explorer.probe_in(&opened, fork)
    })
}

/// All tests of the suite, each twice, in one process.
fn entire_suite(explorer: &Explorer<'_>, classes: &[Class]) -> Result<Found, String> {
    let mut all = Vec::new();
    for (i, class) in classes.iter().enumerate() {
        all.extend((0..class.tests.len()).map(|j| (i, j)));
    }
    until_all_ran(explorer, classes, all, |tests| {
        let twice: Vec<&Member> = tests.iter().flat_map(|t| [*t, *t]).collect();
        explorer.run(steps(&twice))
    })
}

/// Runs the tests that are left, in new processes as often as it takes: a test that ends its process costs no other.
fn until_all_ran(
    explorer: &Explorer<'_>,
    classes: &[Class],
    mut left: Vec<(usize, usize)>,
    run: impl Fn(&[&Member]) -> Result<Answer, String>,
) -> Result<Found, String> {
    let mut found: Found = Vec::new();
    while !left.is_empty() && !explorer.is_stopped() {
        let tests: Vec<&Member> = left.iter().map(|(i, j)| &classes[*i].tests[*j]).collect();
        let answer = run(&tests);
        if explorer.is_stopped() {
            break;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => {
                explorer.advance(left.len());
                found.extend(all_without(classes, left, &why));
                break;
            }
        };
        let mut pairs = pairs_of(&answer, &tests);
        // Everything up to the last test that ran has had its turn: what did not run had a class fixture that failed.
        let last = pairs.iter().rposition(|p| p.first.is_some());
        let turns = if answer.complete && answer.records.is_empty() {
            left.len()
        } else {
            last.map_or(1, |last| last + 1)
        };
        for (test, pair) in tests.iter().zip(&mut pairs).take(turns) {
            if pair.first.is_none() {
                pair.first = outside(&answer, test);
            }
        }
        found.extend(left.drain(..turns).zip(pairs));
        explorer.advance(turns);
    }
    Ok(found)
}

/// The two runs of each test, as far as they took place.
fn pairs_of(answer: &Answer, tests: &[&Member]) -> Vec<Pair> {
    let mut runs: BTreeMap<(Option<&str>, &str), Pair> = BTreeMap::new();
    for record in &answer.records {
        let pair = runs.entry(name_of(&record.test)).or_default();
        match pair {
            Pair { first: None, .. } => pair.first = Some(record.clone()),
            Pair { second: None, .. } => pair.second = Some(record.clone()),
            _ => {}
        }
    }
    let pair = |t: &&Member| runs.get(&name_of(&t.test)).cloned().unwrap_or_default();
    tests.iter().map(pair).collect()
}

/// What `TestName::key` is made of, without a copy.
fn name_of(test: &TestName) -> (Option<&str>, &str) {
    (test.root.as_deref(), &test.id)
}

/// What went wrong around a test that did not run.
fn outside(answer: &Answer, member: &Member) -> Option<Record> {
    let class = member.class();
    let of_class = |r: &&Record| r.test.class == class || r.test.root.as_deref() == Some(class.as_str());
    let record = answer.outside.iter().find(of_class).or(answer.outside.first())?;
    let mut record = record.clone();
    record.test = member.test.clone();
    Some(record)
}

/// Nothing could be run: every test has the verdict of what went wrong.
fn all_end_as(tests: Vec<(usize, usize)>, answer: &Answer) -> Found {
    let record = answer.outside.first();
    let pair = Pair {
        first: record.cloned(),
        second: None,
    };
    tests.into_iter().map(|at| (at, pair.clone())).collect()
}

/// No process could be had for these tests: that is no verdict on any of them.
fn all_without(classes: &[Class], tests: Vec<(usize, usize)>, why: &str) -> Found {
    let pair = |(i, j): (usize, usize)| {
        let test = classes[i].tests[j].test.clone();
        let mut record = Record::new(test, Outcome::Crashed);
        record.message = Some(why.to_owned());
        Pair {
            first: Some(record),
            second: None,
        }
    };
    tests.into_iter().map(|at| (at, pair(at))).collect()
}

/// Whether an outcome is a failure of the test itself.
pub fn fails(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Error)
}
