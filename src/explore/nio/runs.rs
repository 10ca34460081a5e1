//! Runs every test twice in a row, in each mode.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::parallel;
use crate::explore::wire::Fork;
use poldet_records::{NioMode, NioPair, Outcome, Record, TestName};
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

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
    /// A class, in one of the isolated modes or in both.
    Class(Modes, usize),
}

/// Which of the isolated modes.
#[derive(Clone, Copy)]
struct Modes {
    method: bool,
    class: bool,
}

/// What was found: the pairs of tests, by class and place.
type Found = Vec<((usize, usize), Pair)>;

/// Tries the tests that are to be judged, in the order of the classes.
pub fn run(
    explorer: &Explorer<'_>,
    classes: &[Class],
    judged: &[Vec<bool>],
    modes: &[NioMode],
) -> Vec<Tried> {
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
    let asked = Modes {
        method: modes.contains(&NioMode::IsolatedMethod),
        class: modes.contains(&NioMode::IsolatedClass),
    };
    if asked.method || asked.class {
        let classes = (0..classes.len()).filter(|i| judged[*i].contains(&true));
        jobs.extend(classes.map(|i| Job::Class(asked, i)));
    }
    let found = parallel::map(explorer.jobs, &jobs, explorer.stop, |job| match *job {
        Job::Entire => vec![(NioMode::EntireSuite, entire_suite(explorer, classes))],
        Job::Class(modes, i) => in_class(explorer, classes, i, &judged[i], modes),
    });
    let places: BTreeMap<(usize, usize), usize> = tried.iter().enumerate().map(|(i, t)| (t.at, i)).collect();
    for (mode, pairs) in found.into_iter().flatten().flatten() {
        for (at, pair) in pairs {
            if let Some(place) = places.get(&at) {
                tried[*place].runs.insert(mode, pair);
            }
        }
    }
    tried
}

/// Repeats what showed a test to be NIO, in a VM with another seed.
pub fn confirm(explorer: &Explorer<'_>, classes: &[Class], tried: &mut [Tried], shown: &[usize]) {
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
            NioMode::EntireSuite => entire_suite(explorer, classes),
            NioMode::IsolatedMethod | NioMode::IsolatedClass => {
                let modes = Modes {
                    method: mode == NioMode::IsolatedMethod,
                    class: mode == NioMode::IsolatedClass,
                };
                let found = parallel::map(explorer.jobs, &inside, explorer.stop, |class| {
                    let judged = |j| tests.iter().any(|i| tried[*i].at == (*class, j));
                    let flags: Vec<bool> = (0..classes[*class].tests.len()).map(judged).collect();
                    in_class(explorer, classes, *class, &flags, modes)
                });
                let all = found.into_iter().flatten().flatten();
                all.flat_map(|(_, pairs)| pairs).collect()
            }
        };
        for i in tests {
            let test = &mut tried[i];
            let same = again.iter().any(|(at, p)| *at == test.at && p.outcomes().shows());
            test.confirmed += u32::from(same);
        }
    }
}

/// The tests of a class, each twice: each in a process of its own, and all in one.
///
/// A process of one test goes on to the next as long as both runs have left the shared state as it was. The process of all tests is
/// the same until then, so it serves both modes as far as that.
fn in_class(
    explorer: &Explorer<'_>,
    classes: &[Class],
    number: usize,
    judged: &[bool],
    modes: Modes,
) -> Vec<(NioMode, Found)> {
    let class = &classes[number];
    let all: Vec<(usize, usize)> = (0..class.tests.len()).map(|i| (number, i)).collect();
    let mut of_method: Vec<(usize, usize)> = all.iter().copied().filter(|(_, i)| judged[*i]).collect();
    let shares = modes.method && modes.class && of_method.len() == all.len();
    let opened = OnceCell::new();
    let twice = |tests: &[&Member]| -> Vec<String> {
        let twice = tests.iter().flat_map(|t| [t.test.id.clone(), t.test.id.clone()]);
        twice.collect()
    };
    // The first process comes from the zygote; where there are more, they share the discovery and the fixtures of the class.
    let begun = Cell::new(false);
    let run = |tests: &[&Member], fork: Fork| {
        if !begun.replace(true) {
            let steps = vec![class.step(twice(tests))];
            return explorer.probe(None, Fork { steps, ..fork });
        }
        let open = || explorer.open(class, Fork::default());
        match opened.get_or_init(open) {
            Err(why) => Err(why.clone()),
            Ok((_, discovered)) if !discovered.complete => Ok(discovered.clone()),
            Ok((opened, _)) => {
                let chosen = Some(twice(tests));
                explorer.probe_in(opened, Fork { chosen, ..fork })
            }
        }
    };
    let mut found = Vec::new();
    if modes.class {
        let mut alike = None;
        let pairs = until_all_ran(explorer, classes, all, |tests| {
            let fork = Fork {
                until_change: shares.then_some(2),
                notes_change: shares,
                ..Fork::default()
            };
            let answer = run(tests, fork)?;
            // What came after the first process did not begin with the zygote's state, or not with the first test.
            let whole = answer.left_change.map_or(usize::MAX, |tests| tests as usize / 2);
            alike.get_or_insert(whole.min(ran(&answer, tests)));
            Ok(answer)
        });
        if shares {
            let alike = alike.unwrap_or(0).min(of_method.len());
            let rest = of_method.split_off(alike);
            explorer.advance(of_method.len());
            let same = pairs.iter().filter(|(at, _)| of_method.contains(at));
            found.push((NioMode::IsolatedMethod, same.cloned().collect()));
            of_method = rest;
        }
        found.push((NioMode::IsolatedClass, pairs));
    }
    if modes.method {
        let pairs = until_all_ran(explorer, classes, of_method, |tests| {
            let fork = Fork {
                until_change: Some(2),
                ..Fork::default()
            };
            run(tests, fork)
        });
        found.push((NioMode::IsolatedMethod, pairs));
    }
    found
}

/// All tests of the suite, each twice, in one process.
fn entire_suite(explorer: &Explorer<'_>, classes: &[Class]) -> Found {
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
    mut run: impl FnMut(&[&Member]) -> Result<Answer, String>,
) -> Found {
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
        let turns = ran(&answer, &tests);
        for (test, pair) in tests.iter().zip(&mut pairs).take(turns) {
            if pair.first.is_none() {
                pair.first = outside(&answer, test);
            }
        }
        found.extend(left.drain(..turns).zip(pairs));
        explorer.advance(turns);
    }
    found
}

/// How many of the tests have had their turn: everything up to the last that ran, since what did not had a class fixture that failed.
fn ran(answer: &Answer, tests: &[&Member]) -> usize {
    if answer.complete && answer.records.is_empty() {
        return tests.len();
    }
    let names: BTreeSet<_> = answer.records.iter().map(|r| name_of(&r.test)).collect();
    let last = tests.iter().rposition(|t| names.contains(&name_of(&t.test)));
    last.map_or(1, |last| last + 1)
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
