//! The findings of a run, for people: by field, then by kind, direction and line of code, in the order they happened.

use crate::report::paint::{BOLD, DIM, MAGENTA, paint};
use crate::report::pollution::{
    Culprit, at, change, count, culprits, few, file_change_text, names, rank, remarks, user_frame, written,
};
use crate::report::source::Sources;
use crate::report::victims::impact_line;
use crate::run::results::Results;
use poldet_records::{
    Document, FileFinding, Finding, Fold, Frame, Impact, Kind, PathStep, Rank, ThreadFinding,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Lines of code shown of one field.
const ENTRIES: usize = 6;

/// How much is shown.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub colour: bool,
    /// Fields, files and threads of each kind; all when nothing is said.
    pub limit: Option<usize>,
    pub sources: &'a Sources,
}

/// Findings of one field that one line of code made alike.
struct Entry<'a> {
    findings: Vec<(&'a Culprit<'a>, &'a Finding)>,
}

/// Findings at one root.
struct Field<'a> {
    root: String,
    /// In the order they happened.
    entries: Vec<Entry<'a>>,
}

impl<'a> Entry<'a> {
    fn first(&self) -> &'a Finding {
        self.findings[0].1
    }

    fn culprits(&self) -> Vec<&'a Culprit<'a>> {
        self.findings.iter().map(|(c, _)| *c).collect()
    }
}

impl<'a> Field<'a> {
    fn best(&self) -> &'a Finding {
        let all = self.entries.iter().map(Entry::first);
        all.min_by_key(|f| rank(f)).expect("a field has findings")
    }

    /// The worst that its findings do.
    fn worst(&self) -> Option<Rank> {
        let all = self.entries.iter().flat_map(|e| &e.findings);
        all.filter_map(|(_, f)| f.impact.as_ref().map(|i| i.rank)).min()
    }

    /// Nobody reads any of it.
    fn is_unread(&self) -> bool {
        let mut all = self.entries.iter().flat_map(|e| &e.findings);
        all.all(|(_, f)| f.impact.as_ref().is_some_and(|i| i.rank == Rank::Unread))
    }

    /// Paths below the field that no entry shows.
    fn more_paths(&self) -> usize {
        let shown: BTreeSet<&[PathStep]> = self.entries.iter().map(|e| &e.first().place.steps[..]).collect();
        let all = self.entries.iter().flat_map(|e| &e.findings);
        let all: BTreeSet<&[PathStep]> = all.map(|(_, f)| &f.place.steps[..]).collect();
        all.len() - shown.len()
    }
}

/// What makes two findings of one field one entry.
fn key(finding: &Finding) -> (Kind, bool, Option<Frame>) {
    (
        finding.kind,
        finding.restores.is_some(),
        user_frame(&finding.written_at).cloned(),
    )
}

/// The findings that `wanted` takes, by root, the most interesting first.
fn fields<'a>(culprits: &'a [Culprit<'a>], wanted: impl Fn(&Finding) -> bool) -> Vec<Field<'a>> {
    let mut roots: BTreeMap<String, Field> = BTreeMap::new();
    for culprit in culprits {
        for finding in culprit.state.pollutions.iter().filter(|f| wanted(f)) {
            let root = finding.place.root.to_string();
            let field = roots.entry(root.clone()).or_insert_with(|| Field {
                root,
                entries: Vec::new(),
            });
            let same = |e: &&mut Entry| key(e.first()) == key(finding);
            match field.entries.iter_mut().find(same) {
                Some(entry) => entry.findings.push((culprit, finding)),
                None => field.entries.push(Entry {
                    findings: vec![(culprit, finding)],
                }),
            }
        }
    }
    let mut fields: Vec<Field> = roots.into_values().collect();
    // What hurts comes first, then what is not known to.
    fields.sort_by_key(|f| (f.worst().unwrap_or(Rank::Read), rank(f.best())));
    fields
}

/// Everything that was left behind, then what was not counted.
pub fn report(out: &mut dyn Write, results: &Results, look: Look) -> io::Result<()> {
    let document = &results.document;
    let (tests, fixtures) = culprits(document);
    let strict = document.is_strict();
    let counted = |f: &Finding| f.counts(strict);
    let (unread, polluted): (Vec<Field>, Vec<Field>) =
        fields(&tests, counted).into_iter().partition(Field::is_unread);
    entries(out, "POLLUTED", &polluted, look)?;
    files(out, "FILE", &tests, FileFinding::counts, look)?;
    threads(out, &tests, look)?;
    entries(out, "FIXTURE", &fields(&fixtures, counted), look)?;
    files(out, "FILE", &fixtures, FileFinding::counts, look)?;
    threads(out, &fixtures, look)?;
    unread_lines(out, &unread, look)?;
    folded(out, &tests, look)?;
    if shows_ignored(document) {
        let ignored = |f: &Finding| f.ignored_by.is_some();
        entries(out, "IGNORED", &fields(&tests, ignored), look)?;
        files(out, "IGNORED", &tests, |f| f.ignored_by.is_some(), look)?;
    }
    Ok(())
}

/// What no test reads: one line for each field.
fn unread_lines(out: &mut dyn Write, fields: &[Field], look: Look) -> io::Result<()> {
    let shown = look.limit.unwrap_or(fields.len()).min(fields.len());
    for field in &fields[..shown] {
        let tests: BTreeSet<&str> = field
            .entries
            .iter()
            .flat_map(|e| e.findings.iter().map(|(c, _)| c.name.as_str()))
            .collect();
        let change = if tests.len() == 1 { "changes" } else { "change" };
        let line = format!(
            "UNREAD  {}: {} {change} it, no test reads it",
            field.root,
            count(tests.len(), "test")
        );
        writeln!(out, "{}", paint(&line, DIM, look.colour))?;
    }
    if fields.len() > shown {
        let line = format!("UNREAD  {}", count(fields.len() - shown, "more field"));
        writeln!(out, "{}", paint(&line, DIM, look.colour))?;
    }
    if fields.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What was folded: one line for each field.
fn folded(out: &mut dyn Write, tests: &[Culprit], look: Look) -> io::Result<()> {
    let mut roots: BTreeMap<(Fold, String), BTreeSet<&str>> = BTreeMap::new();
    for culprit in tests {
        for finding in culprit.state.pollutions.iter().filter(|f| f.ignored_by.is_none()) {
            if let Some(fold) = finding.folded.filter(|_| finding.observable) {
                let key = (fold, finding.place.root.to_string());
                roots.entry(key).or_default().insert(&culprit.name);
            }
        }
    }
    let shown = look.limit.unwrap_or(roots.len());
    for ((fold, root), tests) in roots.iter().take(shown) {
        let line = format!(
            "FOLDED  {root}: {}, {}",
            fold_text(*fold),
            count(tests.len(), "test")
        );
        writeln!(out, "{}", paint(&line, DIM, look.colour))?;
    }
    if roots.len() > shown {
        let line = format!("FOLDED  {}", count(roots.len() - shown, "more field"));
        writeln!(out, "{}", paint(&line, DIM, look.colour))?;
    }
    if roots.is_empty() { Ok(()) } else { writeln!(out) }
}

pub fn fold_text(fold: Fold) -> &'static str {
    match fold {
        Fold::IdGenerator => "id generator",
        Fold::GeneratedClass => "static field of a class generated at run time",
        Fold::BackgroundThread => "written by background threads",
        Fold::StaticInitialiser => "grew in static initialisers",
    }
}

/// How many fields tests pollute.
pub fn polluted_fields(document: &Document) -> usize {
    let (tests, _) = culprits(document);
    fields(&tests, |f| f.counts(document.is_strict())).len()
}

pub fn shows_ignored(document: &Document) -> bool {
    let capture = document.head.capture.as_ref();
    capture.is_some_and(|c| c.show_ignored)
}

fn entries(out: &mut dyn Write, title: &str, fields: &[Field], look: Look) -> io::Result<()> {
    let shown = look.limit.unwrap_or(fields.len()).min(fields.len());
    for field in &fields[..shown] {
        entry(out, title, field, look)?;
    }
    let left = &fields[shown..];
    if let Some(next) = left.first() {
        writeln!(
            out,
            "{}  {}, the next is {}\n",
            paint(title, DIM, look.colour),
            count(left.len(), "more field"),
            next.root
        )?;
    }
    Ok(())
}

fn entry(out: &mut dyn Write, title: &str, field: &Field, look: Look) -> io::Result<()> {
    let title = paint(title, MAGENTA, look.colour);
    if let [only] = &field.entries[..] {
        let first = only.first();
        let place = paint(&first.place.to_string(), BOLD, look.colour);
        let remarks = paint(&remarks(first), DIM, look.colour);
        writeln!(out, "{title}  {place}{remarks}\n    {}", change(first))?;
        details(out, only, "    ", look)?;
    } else {
        writeln!(out, "{title}  {}", paint(&field.root, BOLD, look.colour))?;
        for entry in field.entries.iter().take(ENTRIES) {
            let first = entry.first();
            let path = first.place.path();
            let gap = if path.is_empty() { "" } else { " " };
            let remarks = paint(&remarks(first), DIM, look.colour);
            writeln!(out, "    {path}{gap}{}{remarks}", change(first))?;
            details(out, entry, "        ", look)?;
        }
        let more = field.entries.len().saturating_sub(ENTRIES);
        if more > 0 {
            let lines = count(more, "more line");
            writeln!(
                out,
                "    {lines} of code change this field (--format json lists all)"
            )?;
        }
    }
    match field.more_paths() {
        0 => {}
        n => writeln!(
            out,
            "    {} under this field (--format json lists them)",
            count(n, "more path")
        )?,
    }
    writeln!(out)
}

/// Where, by whom, and who put it back.
fn details(out: &mut dyn Write, entry: &Entry, indent: &str, look: Look) -> io::Result<()> {
    let (culprit, first) = entry.findings[0];
    if !first.also.is_empty() {
        let also: Vec<String> = first.also.iter().map(ToString::to_string).collect();
        writeln!(out, "{indent}also {}", also.join(", "))?;
    }
    if let Some(written) = written(&first.written_at, culprit.class) {
        writeln!(out, "{indent}{written}")?;
    }
    if let Some(frame) = user_frame(&first.written_at) {
        look.sources.excerpt(out, frame, indent, look.colour)?;
    }
    writeln!(out, "{indent}by {}", names(&entry.culprits()))?;
    let impacts: Vec<&Impact> = entry
        .findings
        .iter()
        .filter_map(|(_, f)| f.impact.as_ref())
        .collect();
    if let Some(line) = impact_line(&impacts) {
        writeln!(out, "{indent}{line}")?;
    }
    let mut cleaners: Vec<&str> = Vec::new();
    for (_, finding) in &entry.findings {
        let by = finding.restored_by.as_deref().filter(|by| !cleaners.contains(by));
        cleaners.extend(by);
    }
    if !cleaners.is_empty() {
        let what = format!("{} tests", cleaners.len());
        writeln!(out, "{indent}restored by {}", few(&cleaners, &what))?;
    }
    Ok(())
}

/// One entry for each path, of the files that are wanted.
fn files(
    out: &mut dyn Write,
    title: &str,
    culprits: &[Culprit],
    wanted: impl Fn(&FileFinding) -> bool,
    look: Look,
) -> io::Result<()> {
    let mut paths: BTreeMap<(&str, &str), Vec<(&Culprit, &FileFinding)>> = BTreeMap::new();
    for culprit in culprits {
        let own = |f: &&FileFinding| !culprit.is_fixture || f.restored_by.as_deref() != culprit.class;
        let left = culprit.state.files.iter().filter(|f| wanted(f)).filter(own);
        for file in left {
            let key = (file.path.as_str(), file_change_text(file.change));
            paths.entry(key).or_default().push((culprit, file));
        }
    }
    let shown = look.limit.unwrap_or(paths.len());
    for ((path, change), found) in paths.iter().take(shown) {
        let (first, file) = found[0];
        let rule = file.ignored_by.as_ref().map(|rule| format!("  (rule {rule})"));
        let rule = paint(&rule.unwrap_or_default(), DIM, look.colour);
        let (title, path) = (paint(title, MAGENTA, look.colour), paint(path, BOLD, look.colour));
        writeln!(out, "{title}  {path}{rule}\n    {change}")?;
        if let Some(written) = written(&file.written_at, first.class) {
            writeln!(out, "    {written}")?;
        }
        let who: Vec<&Culprit> = found.iter().map(|(c, _)| *c).collect();
        writeln!(out, "    by {}", names(&who))?;
        let impacts: Vec<&Impact> = found.iter().filter_map(|(_, f)| f.impact.as_ref()).collect();
        if let Some(line) = impact_line(&impacts) {
            writeln!(out, "    {line}")?;
        }
        if let Some(by) = &file.restored_by {
            writeln!(out, "    restored by {by}")?;
        }
        writeln!(out)?;
    }
    if paths.len() > shown {
        let title = paint(title, DIM, look.colour);
        writeln!(out, "{title}  {} more\n", paths.len() - shown)?;
    }
    Ok(())
}

/// One entry for each line of code that starts threads.
fn threads(out: &mut dyn Write, culprits: &[Culprit], look: Look) -> io::Result<()> {
    let mut starts: Vec<Vec<(&Culprit, &ThreadFinding)>> = Vec::new();
    for culprit in culprits {
        for thread in &culprit.state.threads {
            let same = |s: &&mut Vec<(&Culprit, &ThreadFinding)>| {
                user_frame(&s[0].1.started_at) == user_frame(&thread.started_at)
            };
            match starts.iter_mut().find(same) {
                Some(start) => start.push((culprit, thread)),
                None => starts.push(vec![(culprit, thread)]),
            }
        }
    }
    let shown = look.limit.unwrap_or(starts.len());
    for start in starts.iter().take(shown) {
        let (first, thread) = start[0];
        let name = paint(&format!("\"{}\"", thread.name), BOLD, look.colour);
        let daemon = if thread.daemon { "  (daemon)" } else { "" };
        let all: usize = start.iter().map(|(_, t)| t.count).sum();
        let more = match all - 1 {
            0 => String::new(),
            n => format!(" and {}", count(n, "more thread")),
        };
        let title = paint("THREAD", MAGENTA, look.colour);
        writeln!(out, "{title}  {name}{daemon}{more}\n    still running")?;
        if let Some(started) = at("started", &thread.started_at, first.class) {
            writeln!(out, "    {started}")?;
        }
        let who: Vec<&Culprit> = start.iter().map(|(c, _)| *c).collect();
        writeln!(out, "    by {}\n", names(&who))?;
    }
    if starts.len() > shown {
        let title = paint("THREAD", DIM, look.colour);
        writeln!(out, "{title}  {} more\n", starts.len() - shown)?;
    }
    Ok(())
}
