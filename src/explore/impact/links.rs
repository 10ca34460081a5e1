//! From a failing test to its polluter: tests that failed in the run are run alone, and those that pass then after the earlier
//! tests that change what they read.

use super::{Look, Seen, passed};
use crate::explore::ddmin::ddmin;
use crate::explore::od::state::state;
use crate::run::command;
use poldet_records::{Document, Impact, Link, Outcome, Rank, Record, SearchPlace};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of failing tests whose first is examined.
const MOST_GROUPS: usize = 50;
/// Further tests of a group that are run again.
const MOST_OF_GROUP: usize = 100;
/// Victims of one polluter of which it is found out which state matters to them.
const MOST_STATES: usize = 2;

/// Which records of a run may have to do with failures, by number.
#[derive(Default)]
pub struct Suspects {
    /// Failing tests with the same exception and message, in the order of their first.
    groups: Vec<Vec<usize>>,
    firsts: BTreeSet<usize>,
    failing: BTreeSet<usize>,
    /// Tests after which shared state was not as before, fixtures of their class included.
    polluters: BTreeSet<usize>,
}

impl Suspects {
    pub fn of(document: &Document) -> Suspects {
        let mut suspects = Suspects::default();
        let mut groups: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
        for (number, record) in document.tests.iter().enumerate() {
            if !fails(record) || record.test.method.is_none() {
                continue;
            }
            // Failures without a message are told apart by where they happened.
            let frame = || record.stack.iter().find(|l| l.contains(&record.test.class));
            let message = record.message.as_ref().or_else(frame);
            let key = (record.exception.as_deref(), message.map_or("", String::as_str));
            let at = *groups.entry(key).or_insert(suspects.groups.len());
            match suspects.groups.get_mut(at) {
                Some(group) => group.push(number),
                None if at < MOST_GROUPS => suspects.groups.push(vec![number]),
                None => {}
            }
        }
        suspects.firsts = suspects.groups.iter().map(|g| g[0]).collect();
        suspects.failing = suspects
            .groups
            .iter()
            .flat_map(|g| g.iter().take(MOST_OF_GROUP))
            .copied()
            .collect();
        let Some(&last) = suspects.failing.last() else {
            return suspects;
        };
        let dirty = document.fixtures().iter().filter(|f| f.state.polluter);
        let dirty: BTreeSet<&str> = dirty.filter_map(|f| f.class.as_deref()).collect();
        let mut by_class: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, record) in document.tests.iter().enumerate().take(last) {
            let changes = |r: &Record| {
                let state = r.state.as_ref();
                state.is_some_and(|s| s.polluter || !s.pollutions.is_empty())
            };
            if record.test.method.is_some() && changes(record) {
                suspects.polluters.insert(number);
            }
            if dirty.contains(record.test.class.as_str()) {
                by_class.insert(&record.test.class, number);
            }
        }
        suspects.polluters.extend(by_class.into_values());
        if suspects.polluters.is_empty() {
            return Suspects::default();
        }
        suspects
    }

    pub fn has(&self, record: usize) -> bool {
        self.failing.contains(&record) || self.polluters.contains(&record)
    }

    /// The first of a group, or somebody who may be to blame.
    pub fn runs_alone(&self, record: usize) -> bool {
        self.firsts.contains(&record) || self.polluters.contains(&record)
    }

    pub fn is_first(&self, record: usize) -> bool {
        self.firsts.contains(&record)
    }
}

fn fails(record: &Record) -> bool {
    matches!(record.outcome, Outcome::Failed | Outcome::Error)
}

/// Links every failing test that passes alone to the tests that make it fail.
pub fn link(
    look: &Look<'_, '_, '_>,
    seen: &Seen,
    suspects: &Suspects,
    document: &mut Document,
) -> Result<(), String> {
    let by_record: BTreeMap<usize, usize> = look.records.iter().enumerate().map(|(t, r)| (*r, t)).collect();
    // Who was to blame before is tried first.
    let mut blamed: Vec<Vec<usize>> = Vec::new();
    for group in &suspects.groups {
        let Some(&first) = by_record.get(&group[0]) else {
            continue;
        };
        let alone = seen.alone[first].record.as_ref().and_then(passed);
        if alone != Some(true) || look.probes.is_over() {
            continue;
        }
        let Some(before) = cause(look, seen, first, document, &blamed)? else {
            continue;
        };
        let sequence: Vec<usize> = before.iter().copied().chain([first]).collect();
        let searched = blamed.iter().filter(|b| **b == before).count();
        let places = match searched < MOST_STATES {
            true => state(look.probes, &sequence, true),
            false => Vec::new(),
        };
        blamed.push(before.clone());
        blame(look, document, &before, &places, &[first]);
        add(look, document, first, &before, places);
        let [polluter] = before[..] else { continue };
        let rest = group.iter().skip(1).take(MOST_OF_GROUP);
        let rest = rest.filter(|r| **r > look.records[polluter]);
        let rest: Vec<usize> = rest.filter_map(|r| by_record.get(r).copied()).collect();
        let victims = victims(look, document, polluter, &rest)?;
        let places = document.tests[look.records[first]].polluted_by.clone();
        let places = places.map(|l| l.state).unwrap_or_default();
        blame(look, document, &before, &places, &victims);
        for victim in victims {
            add(look, document, victim, &before, Vec::new());
        }
    }
    Ok(())
}

/// The earlier tests after which a test fails: the last single one, else several.
fn cause(
    look: &Look<'_, '_, '_>,
    seen: &Seen,
    test: usize,
    document: &Document,
    blamed: &[Vec<usize>],
) -> Result<Option<Vec<usize>>, String> {
    let mut earlier = seen.interference.candidates(test);
    earlier.retain(|p| look.records[*p] < look.records[test]);
    let known = |p: &usize| blamed.iter().any(|b| b[..] == [*p]);
    earlier.sort_by_key(|p| (known(p), look.records[*p]));
    let wanted = document.tests[look.records[test]].message.as_deref();
    let mut other = None;
    for &polluter in earlier.iter().rev() {
        // One that was to blame for others will do.
        if other.is_some() && !known(&polluter) {
            break;
        }
        let Some(record) = look.probes.last(&[polluter, test])? else {
            continue;
        };
        if passed(&record) == Some(false) {
            if record.message.as_deref() == wanted {
                return Ok(Some(vec![polluter]));
            }
            other = other.or(Some(vec![polluter]));
        }
    }
    if other.is_some() || earlier.len() < 2 {
        return Ok(other);
    }
    earlier.sort_by_key(|p| look.records[*p]);
    let sequence = |part: &[usize]| -> Vec<usize> { part.iter().copied().chain([test]).collect() };
    if look.probes.passes(&sequence(&earlier))? != Some(false) {
        return Ok(None);
    }
    let chosen = ddmin(earlier.len(), |part| {
        let part: Vec<usize> = part.iter().map(|i| earlier[*i]).collect();
        look.probes.passes(&sequence(&part)).ok().flatten().map(|p| !p)
    });
    Ok(Some(chosen.into_iter().map(|i| earlier[i]).collect()))
}

/// Those of these tests that pass alone and fail after the polluter. Their outcome alone is noted.
fn victims(
    look: &Look<'_, '_, '_>,
    document: &mut Document,
    polluter: usize,
    tests: &[usize],
) -> Result<Vec<usize>, String> {
    let mut passing = Vec::new();
    for (test, outcome) in look.probes.alone(tests)? {
        document.tests[look.records[test]].alone = Some(outcome).filter(|o| o.is_run());
        if outcome == Outcome::Passed {
            passing.push(test);
        }
    }
    let after = look.probes.after(&[polluter], &passing)?;
    let fails = |r: &Record| passed(r) == Some(false);
    let victims = after.into_iter().filter(|a| a.record.as_ref().is_some_and(fails));
    Ok(victims.map(|a| a.test).collect())
}

fn add(
    look: &Look<'_, '_, '_>,
    document: &mut Document,
    test: usize,
    before: &[usize],
    state: Vec<SearchPlace>,
) {
    let tests: Vec<String> = before.iter().map(|t| look.name(document, *t)).collect();
    let reproduce = command::reproduce(&document.head.command, &tests, &look.name(document, test));
    document.tests[look.records[test]].polluted_by = Some(Link {
        tests,
        state,
        reproduce,
    });
}

/// Notes the victims at the findings of the last of these tests that are about the places.
pub fn blame(
    look: &Look<'_, '_, '_>,
    document: &mut Document,
    before: &[usize],
    places: &[SearchPlace],
    victims: &[usize],
) {
    let names: Vec<String> = victims.iter().map(|t| look.name(document, *t)).collect();
    let Some(polluter) = before.last() else { return };
    let Some(found) = &mut document.tests[look.records[*polluter]].state else {
        return;
    };
    let is_about = |root: &str| places.iter().any(|p| p.root == root);
    for finding in &mut found.pollutions {
        if finding.places().any(|p| is_about(&p.root.to_string())) {
            harmful(&mut finding.impact, &names);
        }
    }
    for file in &mut found.files {
        let about = |p: &SearchPlace| {
            p.root
                .strip_prefix("file:")
                .is_some_and(|f| f.ends_with(&file.path))
        };
        if places.iter().any(about) {
            harmful(&mut file.impact, &names);
        }
    }
}

fn harmful(impact: &mut Option<Impact>, victims: &[String]) {
    let impact = impact.get_or_insert(Impact {
        rank: Rank::Harmful,
        victims: Vec::new(),
        observers: Vec::new(),
        readers: None,
        tried: None,
    });
    impact.rank = Rank::Harmful;
    for victim in victims {
        if !impact.victims.contains(victim) {
            impact.victims.push(victim.clone());
        }
    }
}
