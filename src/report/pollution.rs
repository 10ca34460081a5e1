//! What tests left behind, for people: one entry for each polluted static field, those of the suite first.

use crate::report::is_machinery;
use crate::report::paint::{BOLD, DIM, MAGENTA, paint};
use crate::run::results::Results;
use poldet_records::{FileChange, FileFinding, Finding, Frame, Kind, Label, PathStep, Pollution};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Longest value shown before it is cut.
const VALUE: usize = 80;

/// A test, or the fixtures of a class, with what it did.
pub struct Culprit<'a> {
    pub name: String,
    /// The class whose frames say where in the test it happened.
    pub class: Option<&'a str>,
    pub state: &'a Pollution,
}

/// Everybody who left something behind: tests, then fixtures.
pub fn culprits(results: &Results) -> (Vec<Culprit<'_>>, Vec<Culprit<'_>>) {
    let tests = results.document.tests.iter().filter_map(|r| {
        let state = r.state.as_ref()?;
        Some(Culprit {
            name: r.test.text(),
            class: Some(&r.test.class),
            state,
        })
    });
    let fixtures = results.document.fixtures().iter().map(|f| Culprit {
        name: fixture_name(f.class.as_deref()),
        class: f.class.as_deref(),
        state: &f.state,
    });
    (tests.collect(), fixtures.collect())
}

pub fn fixture_name(class: Option<&str>) -> String {
    match class {
        None => "what JUnit does between tests".into(),
        Some(class) => format!("the fixtures of {class}"),
    }
}

/// Findings at one root.
struct Group<'a> {
    /// The most telling one first.
    findings: Vec<(&'a Culprit<'a>, &'a Finding)>,
}

impl<'a> Group<'a> {
    fn best(&self) -> &'a Finding {
        self.findings[0].1
    }

    fn names(&self) -> Vec<&'a str> {
        let mut seen = BTreeSet::new();
        let names = self.findings.iter().map(|(c, _)| c.name.as_str());
        names.filter(|n| seen.insert(*n)).collect()
    }
}

/// The findings that `wanted` takes, by root, the most interesting first.
fn groups<'a>(culprits: &'a [Culprit<'a>], wanted: impl Fn(&Finding) -> bool) -> Vec<Group<'a>> {
    let mut roots: BTreeMap<String, Group> = BTreeMap::new();
    for culprit in culprits {
        for finding in culprit.state.pollutions.iter().filter(|f| wanted(f)) {
            let group = roots
                .entry(finding.place.root.to_string())
                .or_insert_with(|| Group { findings: Vec::new() });
            group.findings.push((culprit, finding));
        }
    }
    let mut groups: Vec<Group> = roots.into_values().collect();
    for group in &mut groups {
        group.findings.sort_by_key(|(_, f)| rank(f));
    }
    groups.sort_by_key(|g| rank(g.best()));
    groups
}

/// What comes first in a report: the suite's own state, what shows, what is likely to matter.
pub fn rank(finding: &Finding) -> impl Ord + use<> {
    (finding.origin, !finding.observable, finding.label)
}

/// How much is shown.
#[derive(Clone, Copy)]
pub struct Look {
    pub colour: bool,
    /// Entries of each kind; all when nothing is said.
    pub limit: Option<usize>,
}

/// Everything that was left behind, then what was not counted.
pub fn report(out: &mut dyn Write, results: &Results, look: Look) -> io::Result<()> {
    let (tests, fixtures) = culprits(results);
    let strict = results.document.is_strict();
    let counted = |f: &Finding| f.counts(strict);
    entries(out, "POLLUTED", &groups(&tests, counted), look)?;
    files(out, &tests, look)?;
    entries(out, "FIXTURE", &groups(&fixtures, counted), look)?;
    files(out, &fixtures, look)?;
    if shows_ignored(results) {
        let ignored = |f: &Finding| f.ignored_by.is_some();
        entries(out, "IGNORED", &groups(&tests, ignored), look)?;
    }
    Ok(())
}

fn shows_ignored(results: &Results) -> bool {
    let capture = results.document.head.capture.as_ref();
    capture.is_some_and(|c| c.show_ignored)
}

fn entries(out: &mut dyn Write, title: &str, groups: &[Group], look: Look) -> io::Result<()> {
    let shown = look.limit.unwrap_or(groups.len()).min(groups.len());
    for group in &groups[..shown] {
        entry(out, title, group, look.colour)?;
    }
    let left = &groups[shown..];
    if let Some(next) = left.first() {
        let next = &next.best().place.root;
        let fields = if left.len() == 1 { "field" } else { "fields" };
        writeln!(
            out,
            "{}  {} more {fields}, the next is {next}\n",
            paint(title, DIM, look.colour),
            left.len()
        )?;
    }
    Ok(())
}

fn entry(out: &mut dyn Write, title: &str, group: &Group, colour: bool) -> io::Result<()> {
    let best = group.best();
    writeln!(
        out,
        "{}  {}{}",
        paint(title, MAGENTA, colour),
        paint(&best.place.to_string(), BOLD, colour),
        paint(&remarks(best), DIM, colour)
    )?;
    writeln!(out, "    {}", change(best))?;
    if let Some(written) = written(&best.written_at, group.findings[0].0.class) {
        writeln!(out, "    {written}")?;
    }
    let places: BTreeSet<&[PathStep]> = group.findings.iter().map(|(_, f)| &f.place.steps[..]).collect();
    let more = match places.len() - 1 {
        0 => String::new(),
        1 => ", and one more place".into(),
        n => format!(", and {n} more places"),
    };
    writeln!(out, "    by {}{more}\n", few(&group.names()))
}

/// ` (label, …)`, or nothing when there is nothing special about it.
pub fn remarks(finding: &Finding) -> String {
    let mut remarks: Vec<String> = Vec::new();
    if finding.label != Label::State {
        remarks.push(label_text(finding.label).into());
    }
    if finding.first_touch {
        remarks.push("class first used by the test".into());
    }
    if !finding.observable {
        remarks.push("internal".into());
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
    let (before, after) = (cut(&finding.before), cut(&finding.after));
    match finding.kind {
        Kind::Changed => format!("changed: {before} → {after}"),
        Kind::Added => format!("added: {after}"),
        Kind::Removed => format!("removed: {before}"),
        Kind::Replaced => format!("replaced: {before} → {after}"),
        Kind::Resized => format!("resized: {before} → {after}"),
    }
}

fn cut(value: &str) -> String {
    let value = value.replace(['\n', '\r'], " ");
    if value.chars().count() <= VALUE {
        return value;
    }
    let head: String = value.chars().take(VALUE - 1).collect();
    format!("{head}…")
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

/// Where it was written, and from where in the test: one line.
pub fn written(stack: &[Frame], class: Option<&str>) -> Option<String> {
    let inner = stack.first()?;
    let Some(user) = stack.iter().position(|f| !is_machinery(&f.class)) else {
        return Some(format!("written at {}", frame_text(inner)));
    };
    let mut line = format!("written at {}", frame_text(&stack[user]));
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

/// Up to three names.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    let head = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => head,
        more => format!("{} tests: {head} and {more} more", names.len()),
    }
}

pub fn file_change_text(change: FileChange) -> &'static str {
    match change {
        FileChange::Created => "created",
        FileChange::Changed => "changed",
        FileChange::Removed => "removed",
    }
}

/// One entry for each path.
fn files(out: &mut dyn Write, culprits: &[Culprit], look: Look) -> io::Result<()> {
    let mut paths: BTreeMap<&str, Vec<(&Culprit, &FileFinding)>> = BTreeMap::new();
    for culprit in culprits {
        for file in &culprit.state.files {
            paths.entry(&file.path).or_default().push((culprit, file));
        }
    }
    let shown = look.limit.unwrap_or(paths.len());
    for (path, found) in paths.iter().take(shown) {
        let (first, file) = found[0];
        writeln!(
            out,
            "{}  {}\n    {}",
            paint("FILE", MAGENTA, look.colour),
            paint(path, BOLD, look.colour),
            file_change_text(file.change)
        )?;
        if let Some(written) = written(&file.written_at, first.class) {
            writeln!(out, "    {written}")?;
        }
        let mut names: Vec<&str> = found.iter().map(|(c, _)| c.name.as_str()).collect();
        names.dedup();
        writeln!(out, "    by {}\n", few(&names))?;
    }
    if paths.len() > shown {
        writeln!(
            out,
            "{}  {} more\n",
            paint("FILE", DIM, look.colour),
            paths.len() - shown
        )?;
    }
    Ok(())
}

/// The sums: who pollutes, what was not counted, and where to read more.
pub fn summary(
    out: &mut dyn Write,
    results: &Results,
    colour: bool,
    saved: Option<&std::path::Path>,
) -> io::Result<()> {
    let s = &results.document.summary;
    let (Some(polluters), Some(hidden)) = (s.polluters, &s.hidden_by_rule) else {
        return Ok(());
    };
    let (tests, fixtures) = culprits(results);
    let strict = results.document.is_strict();
    match polluters {
        0 => writeln!(out, "No test pollutes the shared state.")?,
        1 => writeln!(
            out,
            "{}",
            paint("1 test pollutes the shared state.", MAGENTA, colour)
        )?,
        n => {
            let line = format!("{n} tests pollute the shared state.");
            writeln!(out, "{}", paint(&line, MAGENTA, colour))?;
        }
    }
    let dirty = fixtures.iter().filter(|f| f.state.polluter).count();
    if dirty > 0 {
        writeln!(out, "Fixtures that pollute it: {dirty}.")?;
    }
    let internal = |c: &&Culprit| {
        let mut all = c.state.pollutions.iter();
        all.any(|f| f.ignored_by.is_none() && !f.observable)
    };
    let count = tests.iter().filter(internal).count();
    if count > 0 && !strict {
        writeln!(
            out,
            "Differences that no public API shows, in {count} {}: not counted (--strict counts them).",
            if count == 1 { "test" } else { "tests" }
        )?;
    }
    if !hidden.is_empty() {
        let rules: Vec<String> = hidden.iter().map(|(id, n)| format!("{id} {n}")).collect();
        let tail = if shows_ignored(results) {
            ""
        } else {
            " (--show-ignored lists them)"
        };
        writeln!(out, "Changes hidden by ignore rules: {}{tail}.", rules.join(", "))?;
    }
    if polluters > 0 {
        match saved {
            Some(dir) => writeln!(
                out,
                "The whole story of a test: poldet explain TEST --from {}",
                dir.display()
            )?,
            None => writeln!(
                out,
                "The whole story of a test: keep the run by --report-dir DIR, then poldet explain TEST --from DIR"
            )?,
        }
    }
    Ok(())
}
