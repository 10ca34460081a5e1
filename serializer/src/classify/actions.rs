//! One action, one finding: a call such as `Locale.setDefault` writes several fields, all of them alike.

use crate::finding::{Finding, Frame, Origin};

/// Findings that one call into the class library made alike become one, with the further places.
pub fn merged(findings: Vec<Finding>) -> Vec<Finding> {
    let mut list: Vec<Finding> = Vec::new();
    for finding in findings {
        match list.iter_mut().find(|first| is_same_action(first, &finding)) {
            Some(first) => first.also.push(finding.place),
            None => list.push(finding),
        }
    }
    list
}

fn is_same_action(a: &Finding, b: &Finding) -> bool {
    let told = |f: &Finding| (f.kind, f.label, f.first_touch, f.observable, f.origin);
    let same_call = || match (call(&a.written_at), call(&b.written_at)) {
        (Some(x), Some(y)) => x[0].method == y[0].method && x[0].class == y[0].class && x[1..] == y[1..],
        _ => false,
    };
    // Elements of one collection are findings of their own.
    a.place.root != b.place.root
        && told(a) == told(b)
        && (&a.before, &a.after) == (&b.before, &b.after)
        && (&a.ignored_by, &a.restores) == (&b.ignored_by, &b.restores)
        && same_call()
}

/// The frame of the class library that was called from outside of it, and all that led there.
fn call(frames: &[Frame]) -> Option<&[Frame]> {
    let user = frames.iter().position(|f| f.origin != Some(Origin::Jdk))?;
    frames.get(user.checked_sub(1)?..)
}
