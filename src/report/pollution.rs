//! What tests left behind, for people: the texts that all reports share, and the sums.

use crate::report::is_machinery;
use crate::report::paint::{MAGENTA, paint};
use crate::run::results::Results;
use poldet_records::{Document, FileChange, Finding, Frame, Kind, Label, Outcome, Pollution, ThreadFinding};
use std::io::{self, Write};

/// Longest value shown before it is cut.
const VALUE: usize = 80;

/// A test, or the fixtures of a class, with what it did.
pub struct Culprit<'a> {
    pub name: String,
    /// The class whose frames say where in the test it happened.
    pub class: Option<&'a str>,
    pub is_fixture: bool,
    pub state: &'a Pollution,
}

/// Everybody who left something behind: tests, then fixtures, each in the order they ran.
pub fn culprits(document: &Document) -> (Vec<Culprit<'_>>, Vec<Culprit<'_>>) {
    let tests = document.tests.iter().filter_map(|r| {
        let state = r.state.as_ref()?;
        Some(Culprit {
            name: r.test.text(),
            class: Some(&r.test.class),
            is_fixture: false,
            state,
        })
    });
    let fixtures = document.fixtures().iter().filter(|f| f.state.polluter);
    let fixtures = fixtures.map(|f| Culprit {
        name: fixture_name(f.class.as_deref()),
        class: f.class.as_deref(),
        is_fixture: true,
        state: &f.state,
    });
    (tests.collect(), fixtures.collect())
}

pub fn fixture_name(class: Option<&str>) -> String {
    match class {
        None => "JUnit between tests".into(),
        Some(class) => format!("the class fixtures of {class}"),
    }
}

/// What comes first in a report: the suite's own state, what shows, what is likely to matter.
pub fn rank(finding: &Finding) -> impl Ord + use<> {
    (finding.origin, !finding.observable, finding.label)
}

/// ` (label, …)`, or nothing when there is nothing special about it.
pub fn remarks(finding: &Finding) -> String {
    let mut remarks: Vec<String> = Vec::new();
    if finding.label != Label::State {
        remarks.push(label_text(finding.label).into());
    }
    if finding.first_touch {
        remarks.push("first use of the class".into());
    }
    if !finding.observable {
        remarks.push("internal".into());
    }
    if let Some(fold) = finding.folded {
        remarks.push(super::fields::fold_text(fold).into());
    }
    if let Some(rule) = &finding.ignored_by {
        remarks.push(format!("rule {rule}"));
    }
    if remarks.is_empty() {
        return String::new();
    }
    format!("  ({})", remarks.join(", "))
}

pub fn label_text(label: Label) -> &'static str {
    match label {
        Label::State => "state",
        Label::CollectionGrew => "collection grew",
        Label::Configuration => "configuration",
        Label::Counter => "counter",
        Label::Random => "random generator",
        Label::LazyInitialisation => "lazy initialisation",
        Label::CacheOrPool => "cache or pool",
    }
}

/// The change in one line: `changed: 1 → 2`.
pub fn change(finding: &Finding) -> String {
    let (before, after) = cut_both(&finding.before, &finding.after);
    match finding.kind {
        Kind::Changed => format!("changed: {before} → {after}"),
        Kind::Added => format!("added: {after}"),
        Kind::Removed => format!("removed: {before}"),
        Kind::Replaced => format!("replaced: {before} → {after}"),
        Kind::Resized => format!("resized: {before} → {after}"),
    }
}

/// Two values, cut so that what differs is still seen.
fn cut_both(before: &str, after: &str) -> (String, String) {
    let (a, b) = (line(before), line(after));
    // The same text with a remark: the remark is what differs.
    if let Some(remark) = b
        .strip_prefix(&a)
        .filter(|r| r.starts_with(", ") || r.starts_with(" with "))
    {
        let short = cut(&a, 0);
        let after = match remark.strip_prefix(", the same object as ") {
            Some(place) => format!("the same object as {place}"),
            None => format!("{short}{remark}"),
        };
        return (short, after);
    }
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    // What both begin with is left out where the difference would be cut off.
    let skip = if common > VALUE / 2 { common - VALUE / 4 } else { 0 };
    (cut(&a, skip), cut(&b, skip))
}

fn line(value: &str) -> String {
    value.replace(['\n', '\r'], " ")
}

fn cut(value: &str, skip: usize) -> String {
    if value.chars().count() <= VALUE {
        return value.to_owned();
    }
    let mut chars = value.chars().skip(skip);
    let middle: String = chars.by_ref().take(VALUE - 1).collect();
    let (head, tail) = (
        if skip > 0 { "…" } else { "" },
        if chars.next().is_some() { "…" } else { "" },
    );
    format!("{head}{middle}{tail}")
}

/// As Java writes it in a stack trace.
pub fn frame_text(frame: &Frame) -> String {
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => "no source".into(),
    };
    format!("{}.{}({place})", frame.class, frame.method)
}

/// The frame that a reader should see first: the innermost one outside of the class library and JUnit.
pub fn user_frame(stack: &[Frame]) -> Option<&Frame> {
    stack
        .iter()
        .find(|f| !is_machinery(&f.class))
        .or_else(|| stack.first())
}

/// Where it was written, and from where in the test: one line.
pub fn written(stack: &[Frame], class: Option<&str>) -> Option<String> {
    at("written", stack, class)
}

/// The same for another deed.
pub fn at(deed: &str, stack: &[Frame], class: Option<&str>) -> Option<String> {
    let inner = stack.first()?;
    let Some(user) = stack.iter().position(|f| !is_machinery(&f.class)) else {
        return Some(format!("{deed} at {}", frame_text(inner)));
    };
    let mut line = format!("{deed} at {}", frame_text(&stack[user]));
    if user > 0 {
        line.push_str(&format!(" through {}.{}", inner.class, inner.method));
    }
    let top = class.and_then(|c| c.split('$').next());
    let own = |f: &&Frame| top.is_some_and(|top| f.class == top || f.class.starts_with(&format!("{top}$")));
    if let Some(test) = stack[user + 1..].iter().rev().find(own) {
        line.push_str(&format!(", called at {}", frame_text(test)));
    }
    Some(line)
}

/// Who did it: up to three names, and how many there are.
pub fn names(culprits: &[&Culprit]) -> String {
    let mut all: Vec<&Culprit> = Vec::new();
    for culprit in culprits {
        if !all.iter().any(|c| c.name == culprit.name) {
            all.push(culprit);
        }
    }
    let fixtures = all.iter().filter(|c| c.is_fixture).count();
    let what = match (all.len() - fixtures, fixtures) {
        (0, n) => format!("{n} class fixtures"),
        (n, 0) => format!("{n} tests"),
        (t, f) => format!("{t} tests and {f} class fixtures"),
    };
    few(&all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), &what)
}

/// Up to three names, with `what` they are where there are more.
pub fn few(names: &[&str], what: &str) -> String {
    const SHOWN: usize = 3;
    let head = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => head,
        more => format!("{what}: {head} and {more} more"),
    }
}

pub fn file_change_text(change: FileChange) -> &'static str {
    match change {
        FileChange::Created => "created",
        FileChange::Changed => "changed",
        FileChange::Removed => "removed",
    }
}

/// `the thread "worker"`, `the thread "pool-1-thread-1" and 3 more threads of its kind`.
pub fn threads_text(thread: &ThreadFinding) -> String {
    let more = match thread.count - 1 {
        0 => String::new(),
        n => format!(" and {} of its kind", count(n, "more thread")),
    };
    format!("the thread \"{}\"{more}", thread.name)
}

/// `1 test`, `2 tests`.
pub fn count(n: usize, what: &str) -> String {
    let plural = if what.ends_with("ss") { "es" } else { "s" };
    format!("{n} {what}{}", if n == 1 { "" } else { plural })
}

/// How many tests left the shared state in a known condition, and how many did not come that far.
pub fn checked(document: &Document) -> (usize, usize) {
    let ran = |o: Outcome| matches!(o, Outcome::Passed | Outcome::Failed | Outcome::Error);
    let tests = document
        .tests
        .iter()
        .filter(|r| r.test.method.is_some() && r.outcome != Outcome::Skipped);
    let (yes, no): (Vec<_>, Vec<_>) = tests.partition(|r| ran(r.outcome));
    (yes.len(), no.len() + document.missing.len())
}

/// Who pollutes, in one sentence that claims no more than was checked.
pub fn verdict(document: &Document) -> Option<String> {
    let polluters = document.summary.polluters?;
    let (checked, unchecked) = checked(document);
    let rest = match unchecked {
        0 if document.interrupted => "; the run was interrupted".to_owned(),
        0 => String::new(),
        n => format!("; {} could not be checked", count(n, "test")),
    };
    Some(match polluters {
        0 if checked == 0 => "No test was checked for pollution.".to_owned(),
        0 if unchecked > 0 || document.interrupted => {
            let tests = count(checked, "test");
            let were = if checked == 1 { "was" } else { "were" };
            format!("None of the {tests} that {were} checked pollutes the shared state{rest}.")
        }
        0 => "No test pollutes the shared state.".to_owned(),
        1 => format!("1 test pollutes the shared state{rest}."),
        n => format!("{n} tests pollute the shared state{rest}."),
    })
}

/// The sums: who pollutes, what was not counted, and where to read more.
pub fn summary(
    out: &mut dyn Write,
    results: &Results,
    colour: bool,
    saved: Option<&std::path::Path>,
) -> io::Result<()> {
    let document = &results.document;
    let s = &document.summary;
    let (Some(polluters), Some(hidden)) = (s.polluters, &s.hidden_by_rule) else {
        return Ok(());
    };
    let verdict = verdict(document).unwrap_or_default();
    let code = if polluters > 0 { MAGENTA } else { "0" };
    writeln!(out, "{}", paint(&verdict, code, colour && polluters > 0))?;
    if let Some(cleaners) = s.cleaners {
        let restore = if cleaners == 1 { "restores" } else { "restore" };
        writeln!(
            out,
            "{} {restore} what others changed (cleaners, not counted as polluters).",
            count(cleaners, "test")
        )?;
    }
    let dirty = document.fixtures().iter().filter(|f| f.state.polluter);
    let classes: std::collections::BTreeSet<_> = dirty.map(|f| f.class.as_deref()).collect();
    if !classes.is_empty() {
        let line = format!(
            "The class fixtures of {} pollute it.",
            count(classes.len(), "class")
        );
        writeln!(out, "{line}")?;
    }
    let folded = |f: &&Finding| f.folded.is_some() && f.ignored_by.is_none() && f.observable;
    let only = document.tests.iter().filter(|r| {
        let found = r
            .state
            .as_ref()
            .map(|s| s.pollutions.iter().filter(folded).count());
        !r.is_polluter() && found.is_some_and(|n| n > 0)
    });
    match only.count() {
        0 => {}
        n => writeln!(
            out,
            "{} left nothing but folded changes (not counted; --all counts and lists them).",
            count(n, "test")
        )?,
    }
    let internal = document.tests.iter().filter_map(|r| r.state.as_ref());
    let internal = internal.filter(|s| {
        s.pollutions
            .iter()
            .any(|f| f.ignored_by.is_none() && !f.observable)
    });
    let internal = internal.count();
    if internal > 0 && !document.is_strict() {
        writeln!(
            out,
            "{} changed internal state that no public API shows (not counted; --strict counts it).",
            count(internal, "test")
        )?;
    }
    let total: u32 = hidden.values().sum();
    if total > 0 && s.tests > 0 {
        let tail = if super::fields::shows_ignored(document) {
            ""
        } else {
            " (--show-ignored lists them)"
        };
        writeln!(
            out,
            "{} hidden by {}{tail}.",
            count(total as usize, "change"),
            count(hidden.len(), "ignore rule")
        )?;
    }
    if polluters > 0 {
        let from = saved.map_or_else(String::new, |dir| format!(" --from {}", dir.display()));
        writeln!(out, "To see details: poldet explain TEST{from}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_never_cut_off() {
        let same =
            "PrintStream{out=BufferedOutputStream{out=FileOutputStream, closed=false, closeLock=Object}}";
        let (a, b) = cut_both(&format!("{same}, 1"), &format!("{same}, 2"));
        assert!(a != b && a.ends_with(", 1") && b.ends_with(", 2"), "{a} {b}");
        assert_eq!(cut_both("1", "2"), ("1".into(), "2".into()));
        let long = "x".repeat(200);
        let (a, _) = cut_both(&long, "y");
        assert_eq!(a.chars().count(), VALUE);
    }

    #[test]
    fn numbers_of_things() {
        assert_eq!(count(1, "test"), "1 test");
        assert_eq!(count(2, "class"), "2 classes");
    }
}
