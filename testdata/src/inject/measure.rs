//! Runs a suite as it is and with injected writes, and compares.

use super::suites::Compiled;
use super::{Entries, Injected, inject};
use crate::engine::End;
use crate::suite::document::{Document, Finding, Reported};
use crate::suite::json::{self, Json};
use crate::suite::{expect, jar, run};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What came out of one suite.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    pub suite: String,
    pub tests: usize,
    /// Polluters of the suite as it is.
    pub before: usize,
    pub injected: usize,
    pub found: usize,
    pub field: usize,
    pub line: usize,
    /// Findings that are neither injected nor of the suite as it is.
    pub others: usize,
    /// Findings of the suite as it is that are missing now.
    pub lost: usize,
    /// Tests with another outcome than in the suite as it is.
    pub outcomes: usize,
    pub by_write: BTreeMap<&'static str, (usize, usize)>,
    /// What went wrong, one line each.
    pub wrong: Vec<String>,
}

impl Figures {
    pub fn perfect(&self) -> bool {
        let all = [self.found, self.field, self.line];
        all.iter().all(|n| *n == self.injected) && self.others + self.lost + self.outcomes == 0
    }

    pub fn head() -> &'static str {
        "| suite | tests | polluters before | injected | found | field named | line named | other findings | recall | precision |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    }

    pub fn row(&self) -> String {
        let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1}% | {:.1}% |",
            self.suite,
            self.tests,
            self.before,
            self.injected,
            self.found,
            self.field,
            self.line,
            self.others,
            percent(self.found, self.injected),
            percent(self.found, self.found + self.others),
        )
    }
}

const LIMIT: Duration = Duration::from_secs(1800);

struct Ran {
    document: Document,
    outcomes: BTreeMap<String, String>,
    /// Tests that passed, ran once and are no polluters: class and method.
    clean: Vec<(String, String)>,
    tests: usize,
}

/// Measures `suite` with `count` injected writes.
pub fn measure(
    poldet: &Path,
    suite: &Compiled,
    count: usize,
    seed: u64,
    cache: &Path,
) -> Result<Figures, String> {
    let plain = ran(poldet, suite, &suite.entries, "plain", cache)?;
    let mut entries = suite.entries.clone();
    let injected = inject(&mut entries, &plain.clean, count, seed)?;
    let after = ran(poldet, suite, &entries, "injected", cache)?;
    Ok(compare(suite, &plain, &after, &injected))
}

fn ran(poldet: &Path, suite: &Compiled, entries: &Entries, what: &str, cache: &Path) -> Result<Ran, String> {
    fs::create_dir_all(cache).map_err(|e| format!("{}: {e}", cache.display()))?;
    let cache = cache
        .canonicalize()
        .map_err(|e| format!("{}: {e}", cache.display()))?;
    let file = cache.join(format!("{}-{what}-{}.jar", suite.name, std::process::id()));
    let entries: Vec<(String, Vec<u8>)> = entries.iter().map(|(n, b)| (n.clone(), b.clone())).collect();
    fs::write(&file, jar::of(&entries)).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut command = run::poldet(poldet, &file, &suite.jars, &suite.jvm, &[]);
    command.args(["--format", "json"]);
    let ended = run::in_scratch_for(command, &cache, &suite.name, LIMIT);
    let _ = fs::remove_file(&file);
    let ended = ended?;
    if ended.end != End::Exit(0) {
        let error: String = ended.stderr.chars().take(500).collect();
        return Err(format!(
            "{} ({what}) ended with {:?}: {error}",
            suite.name, ended.end
        ));
    }
    read(&ended.stdout).map_err(|why| format!("{} ({what}): {why}", suite.name))
}

fn read(text: &str) -> Result<Ran, String> {
    let document = Document::from_json(text)?;
    let whole = json::parse(text)?;
    let tests = whole.get("tests").and_then(Json::list).unwrap_or_default();
    let mut outcomes = BTreeMap::new();
    let mut runs: BTreeMap<(String, String), (usize, bool)> = BTreeMap::new();
    for test in tests {
        let text = |name: &str| test.get(name).and_then(Json::text).unwrap_or_default();
        let (class, method) = (text("class"), text("method"));
        let id = expect::id(class, method, text("invocation"));
        let once = text("invocation").is_empty() && text("outcome") == "passed";
        let clean = once && test.get("polluter") == Some(&Json::Bool(false));
        let entry = runs
            .entry((class.to_owned(), method.to_owned()))
            .or_insert((0, true));
        *entry = (entry.0 + 1, entry.1 && clean);
        outcomes.insert(id, text("outcome").to_owned());
    }
    let clean = runs
        .into_iter()
        .filter(|(_, (count, clean))| *count == 1 && *clean)
        .map(|(test, _)| test);
    Ok(Ran {
        document,
        outcomes,
        clean: clean.collect(),
        tests: tests.len(),
    })
}

fn compare(suite: &Compiled, plain: &Ran, after: &Ran, injected: &[Injected]) -> Figures {
    let mut figures = Figures {
        suite: suite.name.clone(),
        tests: plain.tests,
        before: plain.document.polluters,
        injected: injected.len(),
        ..Figures::default()
    };
    let by_id: BTreeMap<String, &Injected> = injected
        .iter()
        .map(|i| (expect::id(&i.class, &i.method, ""), i))
        .collect();
    let none = Reported::default();
    let ids: BTreeSet<&String> = plain
        .document
        .tests
        .keys()
        .chain(after.document.tests.keys())
        .collect();
    for id in ids {
        if plain.outcomes.get(id) != after.outcomes.get(id) {
            figures.outcomes += 1;
            figures.wrong.push(format!(
                "{id}: {:?} became {:?}",
                plain.outcomes.get(id),
                after.outcomes.get(id)
            ));
        }
        let was = signatures(plain.document.tests.get(id).unwrap_or(&none));
        let is = after.document.tests.get(id).unwrap_or(&none);
        let wanted = by_id.get(id).copied();
        if let Some(wanted) = wanted {
            judge(&mut figures, id, wanted, is);
        }
        let root = wanted.map(|w| w.root.as_str());
        let now = signatures(is);
        for other in now
            .difference(&was)
            .filter(|(place, _)| !root.is_some_and(|r| place.starts_with(r)))
        {
            figures.others += 1;
            figures.wrong.push(format!("{id}: also {} {}", other.1, other.0));
        }
        for lost in was.difference(&now) {
            figures.lost += 1;
            figures.wrong.push(format!("{id}: no more {} {}", lost.1, lost.0));
        }
    }
    figures
}

fn judge(figures: &mut Figures, id: &str, wanted: &Injected, is: &Reported) {
    let of_field: Vec<&Finding> = is
        .findings
        .iter()
        .filter(|f| f.counts(false) && f.root == wanted.root)
        .collect();
    let at_line = |f: &&&Finding| {
        f.written_at
            .iter()
            .find(|frame| frame.class == wanted.class)
            .is_some_and(|frame| frame.line == wanted.line && frame.method == wanted.method)
    };
    let line = of_field.iter().find(at_line).is_some();
    figures.found += usize::from(is.polluter);
    figures.field += usize::from(!of_field.is_empty());
    figures.line += usize::from(line);
    let kind = figures.by_write.entry(wanted.write.description()).or_default();
    kind.0 += 1;
    kind.1 += usize::from(line);
    if !line {
        figures.wrong.push(format!(
            "{id}: {} {} at line {}: polluter {}, field {}, stack {:?}",
            wanted.write.description(),
            wanted.root,
            wanted.line,
            is.polluter,
            !of_field.is_empty(),
            of_field.first().map(|f| &f.written_at)
        ));
    }
}

/// The findings that count, as place and kind.
fn signatures(reported: &Reported) -> BTreeSet<(String, String)> {
    let heap = reported
        .findings
        .iter()
        .filter(|f| f.counts(false))
        .map(|f| (f.place(), f.kind.clone()));
    let files = reported.files.iter().map(|f| (f.path.clone(), f.change.clone()));
    heap.chain(files).collect()
}
