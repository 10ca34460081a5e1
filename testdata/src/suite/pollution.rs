//! How what a run reported of the shared state differs from the marks in the sources.

use super::document::{Document, FileFinding, Finding, Frame, Reported, ThreadFinding, stack};
use super::json::{self, Json};
use super::mark::{Heap, Mark, What};
use super::{Run, Suite};
use std::collections::{BTreeMap, BTreeSet};

/// Tests without a mark in a suite that has marks, and marks of tests that there are not.
pub fn unmarked(suite: &Suite) -> Vec<String> {
    if suite.marks.is_empty() {
        return Vec::new();
    }
    let marked: BTreeSet<&str> = suite.marks.iter().map(|m| m.owner.as_str()).collect();
    let tests: BTreeSet<String> = suite.expectations.iter().map(|e| e.id()).collect();
    let bare = tests.iter().filter(|id| !marked.contains(id.as_str())).cloned();
    let of_tests = suite.marks.iter().filter(|m| !m.fixture);
    let lost = of_tests
        .map(|m| m.owner.clone())
        .filter(|owner| !tests.contains(owner));
    bare.chain(lost).collect()
}

/// How a run compares the state, by its arguments.
struct Manner {
    strict: bool,
    common_roots: bool,
    show_ignored: bool,
    /// Whether there is a file of rules.
    rules: bool,
    ignore: Vec<String>,
    disabled: Vec<String>,
}

impl Manner {
    fn of(run: &Run) -> Manner {
        let has = |flag: &str| run.args.iter().any(|a| a == flag);
        let values = |flag: &str| -> Vec<String> {
            let pairs = run.args.windows(2).filter(|pair| pair[0] == flag);
            pairs.map(|pair| pair[1].clone()).collect()
        };
        Manner {
            strict: has("--strict"),
            common_roots: values("--roots") == ["common"],
            show_ignored: has("--show-ignored"),
            rules: has("--rules"),
            ignore: values("--ignore"),
            disabled: values("--disable-rule"),
        }
    }

    /// The rule that hides what is marked, when it holds in this run.
    fn rule<'a>(&self, heap: &'a Heap) -> Option<&'a str> {
        heap.ignored_by.as_deref().filter(|rule| {
            let named = |list: &[String]| list.iter().any(|r| r == rule);
            if rule.contains(':') {
                named(&self.ignore)
            } else {
                (self.rules || !rule.starts_with("user-")) && !named(&self.disabled)
            }
        })
    }

    /// Whether what is marked is compared, hidden or not.
    fn sees(&self, heap: &Heap) -> bool {
        !(self.common_roots && heap.first_touch)
    }

    fn lists(&self, heap: &Heap) -> bool {
        self.sees(heap) && (self.show_ignored || self.rule(heap).is_none())
    }
}

/// Every way in which the document of a run parts from the suite's marks, one line each.
pub fn differences(suite: &Suite, run: &Run, text: &str) -> Vec<String> {
    if suite.marks.is_empty() {
        return Vec::new();
    }
    if run.args.iter().any(|a| a == "--no-capture") {
        return without_capture(text);
    }
    if let Some(faults) = json::parse(text).ok().as_ref().and_then(|d| d.get("faults")) {
        return vec![format!("internal error: {faults:?}")];
    }
    let document = match Document::from_json(text) {
        Ok(document) => document,
        Err(why) => return vec![format!("the document: {why}")],
    };
    let manner = Manner::of(run);
    let sources = Sources::of(suite);
    let mut wrong = Vec::new();
    let mut owners: BTreeSet<(bool, &str)> = suite
        .marks
        .iter()
        .map(|m| (m.fixture, m.owner.as_str()))
        .collect();
    owners.extend(document.tests.keys().map(|id| (false, id.as_str())));
    owners.extend(document.fixtures.keys().map(|class| (true, class.as_str())));
    for (fixture, owner) in owners {
        if suite
            .marks
            .iter()
            .any(|m| m.owner == owner && m.what == What::Any)
        {
            continue;
        }
        if !fixture
            && run
                .only
                .as_ref()
                .is_some_and(|only| !only.iter().any(|id| id == owner))
        {
            continue;
        }
        let marks: Vec<&Mark> = suite
            .marks
            .iter()
            .filter(|m| m.fixture == fixture && m.owner == owner)
            .collect();
        let reported = if fixture {
            document.fixtures.get(owner)
        } else {
            document.tests.get(owner)
        };
        let found = of_one(
            &marks,
            reported.unwrap_or(&Reported::default()),
            fixture,
            &manner,
            &sources,
        );
        let known = marks.iter().any(|m| matches!(m.what, What::Known(_)));
        match (known, found.is_empty()) {
            (true, true) => wrong.push(format!("{owner}: marked KNOWN, but comes out as expected")),
            (true, false) => {}
            _ => wrong.extend(found.into_iter().map(|w| {
                let what = if fixture { "fixture of " } else { "" };
                format!("{what}{owner}: {w}")
            })),
        }
    }
    wrong.extend(hidden(suite, run, &manner, &document));
    wrong
}

/// Without capture no test says anything of state.
fn without_capture(text: &str) -> Vec<String> {
    let document = match json::parse(text) {
        Ok(document) => document,
        Err(why) => return vec![format!("the document: {why}")],
    };
    let tests = document.get("tests").and_then(Json::list).unwrap_or_default();
    let reported = tests.iter().filter(|t| {
        t.get("pollutions")
            .and_then(Json::list)
            .is_some_and(|l| !l.is_empty())
            || t.get("polluter") == Some(&Json::Bool(true))
    });
    reported
        .map(|t| format!("{t:?} reports state without capture"))
        .collect()
}

/// Every rule hid at least what the marks say it hides.
fn hidden(suite: &Suite, run: &Run, manner: &Manner, document: &Document) -> Vec<String> {
    let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in &suite.marks {
        let ran = mark.fixture || run.only.as_ref().is_none_or(|only| only.contains(&mark.owner));
        if let What::Heap(heap) = &mark.what
            && let Some(rule) = manner.rule(heap)
            && ran
            && manner.sees(heap)
        {
            *wanted.entry(rule).or_default() += 1;
        }
    }
    let count = |rule: &str| document.hidden.get(rule).copied().unwrap_or_default();
    wanted
        .into_iter()
        .filter(|(rule, n)| count(rule) < *n)
        .map(|(rule, n)| format!("rule {rule} hid {}, expected at least {n}", count(rule)))
        .collect()
}

/// The suite's own source files, by package and name.
struct Sources(BTreeSet<(String, String)>);

impl Sources {
    fn of(suite: &Suite) -> Sources {
        let of_source = |path: &std::path::PathBuf| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let package = text
                .lines()
                .find_map(|l| l.strip_prefix("package "))
                .unwrap_or("");
            let file = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (package.trim_end_matches(';').trim().to_owned(), file)
        };
        Sources(suite.sources.iter().map(of_source).collect())
    }

    /// The first frame of the suite's own code.
    fn own<'a>(&self, frames: &'a [Frame]) -> Option<&'a Frame> {
        frames.iter().find(|f| {
            let package = f.class.rsplit_once('.').map_or("", |(package, _)| package);
            self.0.contains(&(package.to_owned(), f.file.clone()))
        })
    }

    fn at(&self, mark: &Mark, frames: &[Frame]) -> Option<String> {
        match self.own(frames) {
            Some(f) if f.file == mark.file && f.line == mark.line => None,
            Some(f) => Some(format!(
                "written at {}:{}, expected {}:{}",
                f.file, f.line, mark.file, mark.line
            )),
            None => Some(format!("no frame of the suite in {}", stack(frames))),
        }
    }
}

fn of_one(
    marks: &[&Mark],
    reported: &Reported,
    fixture: bool,
    manner: &Manner,
    sources: &Sources,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut left: Vec<&Finding> = reported.findings.iter().collect();
    let mut files: Vec<&FileFinding> = reported.files.iter().collect();
    let mut threads: Vec<&ThreadFinding> = reported.threads.iter().collect();
    let mut strictly = false;
    for mark in marks {
        match &mark.what {
            What::Heap(heap) if manner.lists(heap) => match best(mark, heap, &left, manner, sources) {
                Some((at, found)) => {
                    let line = left.remove(at).in_one_line();
                    wrong.extend(found.into_iter().map(|w| format!("{w}, in {line}")));
                }
                None => wrong.push(format!(
                    "not found: {} {} of {}:{}",
                    heap.kind, heap.place, mark.file, mark.line
                )),
            },
            What::File {
                change,
                path,
                restores,
            } => {
                match files
                    .iter()
                    .position(|f| f.change == *change && matches(path, &f.path))
                {
                    Some(at) => {
                        let file = files.remove(at);
                        wrong.extend(sources.at(mark, &file.written_at));
                        if !is_name(restores.as_deref(), file.restores.as_deref()) {
                            wrong.push(format!("{path} restores {:?}", file.restores));
                        }
                    }
                    None => wrong.push(format!("not found: {path} {change}")),
                }
            }
            What::Thread(name) => match threads.iter().position(|t| t.name == *name) {
                Some(at) => wrong.extend(sources.at(mark, &threads.remove(at).started_at)),
                None => wrong.push(format!("not found: thread {name}")),
            },
            What::Clean { strictly: s } => strictly |= *s,
            What::Heap(_) | What::Known(_) | What::Any => {}
        }
    }
    let unexpected = left
        .into_iter()
        .filter(|f| f.ignored_by.is_none() && (f.observable || strictly));
    wrong.extend(unexpected.map(|f| format!("not expected: {}", f.in_one_line())));
    wrong.extend(files.iter().map(|f| {
        let stack = stack(&f.written_at);
        format!("not expected: {} {} @ {stack}", f.path, f.change)
    }));
    wrong.extend(
        threads
            .iter()
            .map(|t| format!("not expected: thread {} @ {}", t.name, stack(&t.started_at))),
    );
    let polluter = !reported.threads.is_empty()
        || reported.files.iter().any(|f| f.restores.is_none())
        || reported.findings.iter().any(|f| f.counts(manner.strict));
    if !fixture && reported.polluter != polluter {
        wrong.push(format!(
            "polluter is {}, but its findings say {polluter}",
            reported.polluter
        ));
    }
    let rank = |f: &&Finding| ["suite", "library", "jdk"].iter().position(|o| *o == f.origin);
    let counted = reported.findings.iter().filter(|f| f.counts(manner.strict));
    if !counted.collect::<Vec<_>>().is_sorted_by_key(rank) {
        wrong.push("the findings are not ranked by origin".into());
    }
    wrong
}

/// The finding that the mark means, and what is wrong with it.
fn best(
    mark: &Mark,
    heap: &Heap,
    left: &[&Finding],
    manner: &Manner,
    sources: &Sources,
) -> Option<(usize, Vec<String>)> {
    let candidates = left
        .iter()
        .enumerate()
        .filter(|(_, f)| is_place(&heap.place, &f.place()) && f.kind == heap.kind);
    let judged = candidates.map(|(at, f)| (at, faults(mark, heap, f, manner, sources)));
    judged.min_by_key(|(_, faults)| faults.len())
}

fn faults(mark: &Mark, heap: &Heap, found: &Finding, manner: &Manner, sources: &Sources) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut text = |name: &str, wanted: &Option<String>, found: &str| {
        if let Some(wanted) = wanted
            && wanted != found
        {
            wrong.push(format!("{name} {found:?}, expected {wanted:?}"));
        }
    };
    text("before", &heap.before, &found.before);
    text("after", &heap.after, &found.after);
    text("label", &heap.label, &found.label);
    text("origin", &heap.origin, &found.origin);
    if heap.first_touch != found.first_touch {
        wrong.push(format!("first touch: {}", found.first_touch));
    }
    if heap.internal == found.observable {
        wrong.push(format!("observable: {}", found.observable));
    }
    if !is_name(heap.restores.as_deref(), found.restores.as_deref()) {
        wrong.push(format!("restores {:?}", found.restores));
    }
    if manner.rule(heap) != found.ignored_by.as_deref() {
        wrong.push(format!("ignored by {:?}", found.ignored_by));
    }
    wrong.extend(sources.at(mark, &found.written_at));
    wrong
}

/// Whether a test is the one that a mark names by the end of its name.
fn is_name(wanted: Option<&str>, found: Option<&str>) -> bool {
    match (wanted, found) {
        (Some(wanted), Some(found)) => found.ends_with(wanted),
        (wanted, found) => wanted.is_none() && found.is_none(),
    }
}

/// Whether a marked place is this one. `(.holder)?` stands for a step that only some releases of the JDK have.
fn is_place(marked: &str, place: &str) -> bool {
    let optional = marked.split_once(")?").and_then(|(head, after)| {
        let (before, step) = head.rsplit_once('(')?;
        Some((before, step, after))
    });
    match optional {
        Some((before, step, after)) => {
            place == format!("{before}{after}") || place == format!("{before}{step}{after}")
        }
        None => marked == place,
    }
}

/// Whether `path` ends with `pattern`, at a name's start; `*` stands for any text.
fn matches(pattern: &str, path: &str) -> bool {
    let whole = |text: &str| {
        let mut parts = pattern.split('*');
        let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or("")) else {
            return false;
        };
        let parts: Vec<&str> = parts.collect();
        for (i, part) in parts.iter().enumerate() {
            let found = if i + 1 == parts.len() {
                rest.rfind(part)
            } else {
                rest.find(part)
            };
            let Some(at) = found else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.is_empty()
    };
    whole(path) || path.match_indices('/').any(|(at, _)| whole(&path[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Spec, mark};

    fn suite(source: &str) -> Suite {
        Suite {
            name: "s".into(),
            folder: "s".into(),
            spec: Spec::default(),
            sources: Vec::new(),
            expectations: Vec::new(),
            marks: mark::parse(source, "A.java").unwrap(),
        }
    }

    fn document(findings: &str, polluter: bool) -> String {
        format!(
            r#"{{"tests":[{{"class":"A","method":"m","polluter":{polluter},"pollutions":[{findings}],"files":[]}}],
            "summary":{{"polluters":{},"hidden_by_rule":{{}}}}}}"#,
            u8::from(polluter)
        )
    }

    const FOUND: &str = r#"{"root":"A.n","path":"","kind":"changed","before":"0","after":"1","label":"counter",
        "origin":"suite","first_touch":false,"observable":true,"written_at":[]}"#;

    #[test]
    fn what_is_missing_or_too_much_is_told() {
        let run = Run::default();
        let marked = suite("class A {\nvoid m() { //~ passed\nn++; //~ POLLUTES changed A.n: 0 -> 1\n");
        let wrong = differences(&marked, &run, &document(FOUND, true));
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("no frame of the suite"), "{wrong:?}");
        let wrong = differences(&marked, &run, &document("", false));
        assert_eq!(wrong, ["A#m: not found: changed A.n of A.java:3"]);
        let clean = suite("class A {\nvoid m() { //~ passed\n//~ CLEAN\n");
        assert!(
            differences(&clean, &run, &document(FOUND, true))[0]
                .starts_with("A#m: not expected: changed A.n")
        );
        assert!(differences(&clean, &run, &document("", false)).is_empty());
        assert_eq!(differences(&clean, &run, &document("", true)).len(), 1);
    }

    #[test]
    fn paths_match_from_a_name_on() {
        assert!(matches("a/b*.txt", "/tmp/x/a/b17.txt"));
        assert!(matches("left", "left"));
        assert!(!matches("left", "/tmp/cleft"));
        assert!(!matches("a*.txt", "/tmp/a/b.bin"));
    }
}
