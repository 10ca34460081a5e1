//! How much each finding matters: tests that read what a polluter leaves are run after it and compared with what they do alone.

use super::links::blame;
use super::names::{Named, Names};
use super::{Look, Seen, passed};
use crate::explore::answer::Answer;
use crate::explore::explorer::steps;
use crate::explore::od::probe::record_or_end;
use crate::explore::od::state::state;
use crate::explore::parallel;
use crate::explore::wire::{Fork, Hold};
use poldet_records::{Document, Impact, Place, Rank, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Tests that are run after one polluter.
const MOST_READERS: usize = 50;
/// Victims of one polluter of which it is found out by restoring which of several places matters to them.
const MOST_STATES: usize = 3;

/// What became of the tests that read what one polluter leaves.
#[derive(Default)]
struct Effect {
    /// Readers that were run after it.
    tried: BTreeSet<usize>,
    victims: Vec<usize>,
    observers: BTreeSet<usize>,
}

/// Ranks all findings of tests.
pub fn rank(
    look: &Look<'_, '_, '_>,
    seen: &Seen,
    names: &Names,
    document: &mut Document,
) -> Result<(), String> {
    let explorer = look.probes.explorer;
    let polluters: Vec<usize> = (0..look.records.len())
        .filter(|t| {
            let state = document.tests[look.records[*t]].state.as_ref();
            seen.alone[*t].access.is_some()
                && state.is_some_and(|s| !s.pollutions.is_empty() || !s.files.is_empty())
        })
        .collect();
    let effects = parallel::map(explorer.jobs, &polluters, explorer.stop, |p| {
        effect(look, seen, names, document, *p)
    });
    for (polluter, effect) in polluters.into_iter().zip(effects) {
        let Some(effect) = effect.transpose()? else {
            continue;
        };
        write(look, seen, names, document, polluter, &effect);
    }
    Ok(())
}

/// The places that a test changes and another reads.
fn common(names: &Names, polluter: usize, reader: usize) -> Vec<&Place> {
    let both = names
        .places
        .iter()
        .filter(|(_, n)| n.changed_by.contains(&polluter) && n.read_by.contains(&reader));
    both.map(|(place, _)| place).collect()
}

fn effect(
    look: &Look<'_, '_, '_>,
    seen: &Seen,
    names: &Names,
    document: &Document,
    polluter: usize,
) -> Result<Effect, String> {
    let mut readers: Vec<usize> = seen.interference.candidates_after(polluter);
    // Those that failed in the run, and those that read what the test itself leaves, before others.
    readers.sort_by_key(|v| {
        let failed = document.tests[look.records[*v]].outcome.is_bad();
        (!failed, common(names, polluter, *v).is_empty(), *v)
    });
    readers.truncate(MOST_READERS);
    let mut effect = Effect::default();
    for reader in readers {
        if look.probes.is_over() {
            break;
        }
        let alone = &seen.alone[reader];
        let Some(before) = alone.record.as_ref().filter(|r| passed(r).is_some()) else {
            continue;
        };
        let Some(after) = after(look, polluter, reader)? else {
            continue;
        };
        let Some(record) = record_or_end(&after, &[look.probes.tests.member(reader)]) else {
            continue;
        };
        effect.tried.insert(reader);
        let digest = |a: &Option<poldet_records::AccessReport>| {
            let key = look.probes.tests.member(reader).test.key();
            let all = a.as_ref().map_or(&[][..], |a| &a.asserted);
            all.iter().rfind(|(k, _)| *k == key).map(|(_, digest)| *digest)
        };
        if passed(before) == Some(true) && passed(&record) == Some(false) {
            effect.victims.push(reader);
        } else if differs(before, &record) || digest(&alone.access) != digest(&after.access) {
            effect.observers.insert(reader);
        }
    }
    Ok(effect)
}

/// Whether two runs of a test can be told apart.
fn differs(a: &Record, b: &Record) -> bool {
    (a.outcome, &a.exception, &a.message, &a.printed) != (b.outcome, &b.exception, &b.message, &b.printed)
}

/// Runs a test after another, in a process in which nothing else has run.
fn after(look: &Look<'_, '_, '_>, polluter: usize, reader: usize) -> Result<Option<Answer>, String> {
    let tests = look.probes.tests;
    let logged = Fork {
        access: true,
        asserts: true,
        ..Fork::default()
    };
    let ran = if tests.class(polluter) == tests.class(reader) {
        look.probes.run(&[polluter, reader], logged)
    } else {
        let fork = Fork {
            steps: steps(&tests.members(&[polluter, reader])),
            hold: Hold::Never,
            ..logged
        };
        look.probes.explorer.probe(None, fork)
    };
    match look.probes.explorer.is_stopped() {
        true => Ok(None),
        false => ran.map(Some),
    }
}

fn write(
    look: &Look<'_, '_, '_>,
    seen: &Seen,
    names: &Names,
    document: &mut Document,
    polluter: usize,
    effect: &Effect,
) {
    let mut by_place: BTreeMap<Place, Impact> = BTreeMap::new();
    let mut files: BTreeMap<String, Impact> = BTreeMap::new();
    let Some(found) = &document.tests[look.records[polluter]].state else {
        return;
    };
    let impact = |readers: &BTreeSet<usize>| {
        let observers = readers.intersection(&effect.observers);
        let observers: Vec<String> = observers.map(|t| look.name(document, *t)).collect();
        Impact {
            rank: match (readers.is_empty(), observers.is_empty()) {
                (true, _) => Rank::Unread,
                (false, true) => Rank::Read,
                (false, false) => Rank::Observed,
            },
            victims: Vec::new(),
            observers,
            readers: Some(readers.len()),
            tried: Some(readers.intersection(&effect.tried).count()),
        }
    };
    for finding in &found.pollutions {
        let known: Vec<&Named> = finding.places().flat_map(|p| names.of(p)).collect();
        // A place that the test changes only after others is not known alone.
        if known.is_empty() {
            continue;
        }
        let mut readers: BTreeSet<usize> = known.iter().flat_map(|n| n.read_by.iter().copied()).collect();
        readers.remove(&polluter);
        by_place.insert(finding.place.clone(), impact(&readers));
    }
    for file in &found.files {
        let reads = |v: &usize| {
            let reads = seen.reads[*v].as_ref();
            reads.is_some_and(|r| r.run.read.files.iter().any(|f| f.ends_with(&file.path)))
        };
        let readers: BTreeSet<usize> = (0..look.records.len())
            .filter(|v| *v != polluter && reads(v))
            .collect();
        files.insert(file.path.clone(), impact(&readers));
    }
    let Some(found) = &mut document.tests[look.records[polluter]].state else {
        return;
    };
    for finding in &mut found.pollutions {
        if let Some(impact) = by_place.remove(&finding.place) {
            merge(&mut finding.impact, impact);
        }
    }
    for file in &mut found.files {
        if let Some(impact) = files.remove(&file.path) {
            merge(&mut file.impact, impact);
        }
    }
    victims(look, names, document, polluter, effect);
}

/// What is known already of victims in the run stays.
fn merge(known: &mut Option<Impact>, mut new: Impact) {
    if let Some(old) = known.take() {
        new.rank = new.rank.min(old.rank);
        new.victims = old.victims;
    }
    *known = Some(new);
}

/// Says of each victim which of the findings makes it fail.
fn victims(
    look: &Look<'_, '_, '_>,
    names: &Names,
    document: &mut Document,
    polluter: usize,
    effect: &Effect,
) {
    let mut searched = 0;
    for &victim in &effect.victims {
        let places = common(names, polluter, victim);
        let roots: BTreeSet<String> = places.iter().map(|p| p.root.to_string()).collect();
        let sequence = [polluter, victim];
        let blamed = if roots.len() == 1 || searched == MOST_STATES {
            let place = |root: &String| poldet_records::SearchPlace::of_root(root.clone());
            roots.iter().map(place).collect()
        } else {
            searched += 1;
            state(look.probes, &sequence, true)
        };
        blame(look, document, &[polluter], &blamed, &[victim]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::{Outcome, TestName};

    #[test]
    fn other_output_is_another_behaviour() {
        let record = Record::new(TestName::of_class("a.B"), Outcome::Passed);
        let mut other = record.clone();
        assert!(!differs(&record, &other));
        other.printed.out = "x".into();
        assert!(differs(&record, &other));
    }
}
