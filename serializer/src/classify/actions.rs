//! One action, one finding: a call such as `Locale.setDefault` writes several fields, all of them alike.

use crate::finding::{Finding, Frame, Kind, Label, Origin};
use std::collections::BTreeMap;

/// What findings of one action have in common: what is said of them, their values, who hides or restores them, and the call.
type Action<'a> = (
    (Kind, Label, bool, bool, Origin),
    (&'a str, &'a str),
    (Option<&'a str>, Option<&'a str>),
    (&'a str, &'a str, &'a [Frame]),
);

/// Findings that one call into the class library made alike become one, with the further places.
pub fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let firsts = firsts(&findings);
    let mut list: Vec<Finding> = Vec::new();
    // Where the findings that stay are in the list.
    let mut places = Vec::new();
    for (finding, first) in findings.into_iter().zip(firsts) {
        places.push(list.len());
        match first {
            Some(first) => list[places[first]].also.push(finding.place),
            None => list.push(finding),
        }
    }
    list
}

/// For each finding the first one of the same action at another root, if there is one.
fn firsts(findings: &[Finding]) -> Vec<Option<usize>> {
    let mut actions: BTreeMap<Action<'_>, usize> = BTreeMap::new();
    let first = |(i, finding)| {
        let first = *actions.entry(action(finding)?).or_insert(i);
        // Elements of one collection are findings of their own.
        (finding.place.root != findings[first].place.root).then_some(first)
    };
    findings.iter().enumerate().map(first).collect()
}

fn action(finding: &Finding) -> Option<Action<'_>> {
    let f = finding;
    let [called, callers @ ..] = call(&f.written_at)? else {
        return None;
    };
    Some((
        (f.kind, f.label, f.first_touch, f.observable, f.origin),
        (&f.before, &f.after),
        (f.ignored_by.as_deref(), f.restores.as_deref()),
        (&called.class, &called.method, callers),
    ))
}

/// The frame of the class library that was called from outside of it, and all that led there.
fn call(frames: &[Frame]) -> Option<&[Frame]> {
    let user = frames.iter().position(|f| f.origin != Some(Origin::Jdk))?;
    frames.get(user.checked_sub(1)?..)
}
