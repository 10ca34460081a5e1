//! What a run reported of the shared state, and how it differs from the marks in the sources.

use super::expect;
use super::json::{self, Json};
use super::mark::{Heap, Mark, What};
use super::{Run, Suite};
use std::collections::{BTreeMap, BTreeSet};

/// What the document says of one test or fixture.
#[derive(Debug, Clone, Default)]
pub struct Reported {
    pub polluter: bool,
    pub findings: Vec<Finding>,
    pub files: Vec<FileFinding>,
}

#[derive(Debug, Clone)]
pub struct Finding {
    pub root: String,
    pub path: String,
    pub kind: String,
    pub before: String,
    pub after: String,
    pub label: String,
    pub origin: String,
    pub first_touch: bool,
    pub observable: bool,
    pub ignored_by: Option<String>,
    pub written_at: Vec<Frame>,
}

#[derive(Debug, Clone)]
pub struct FileFinding {
    pub path: String,
    pub change: String,
    pub written_at: Vec<Frame>,
}

#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub class: String,
    pub method: String,
    pub file: String,
    pub line: u32,
}

/// The whole document, as far as it tells of state.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// By id; a test that ran twice under one id is there once, with all its findings.
    pub tests: BTreeMap<String, Reported>,
    pub fixtures: BTreeMap<String, Reported>,
    pub polluters: usize,
    pub hidden: BTreeMap<String, usize>,
}

impl Finding {
    pub fn place(&self) -> String {
        format!("{}{}", self.root, self.path)
    }

    /// Whether it makes its test a polluter.
    pub fn counts(&self, strict: bool) -> bool {
        self.ignored_by.is_none() && (self.observable || strict)
    }

    fn told(&self) -> String {
        let mut words = vec![self.label.clone(), self.origin.clone()];
        words.extend(self.first_touch.then(|| "first touch".to_owned()));
        words.extend((!self.observable).then(|| "internal".to_owned()));
        words.extend(self.ignored_by.as_ref().map(|rule| format!("ignored by {rule}")));
        format!(
            "{} {}: {} -> {}; {} @ {}",
            self.kind,
            self.place(),
            self.before,
            self.after,
            words.join(", "),
            stack(&self.written_at)
        )
    }
}

fn stack(frames: &[Frame]) -> String {
    let frames: Vec<String> = frames
        .iter()
        .take(6)
        .map(|f| format!("{}.{}({}:{})", f.class, f.method, f.file, f.line))
        .collect();
    if frames.is_empty() {
        "no stack".into()
    } else {
        frames.join(" < ")
    }
}

impl Document {
    /// Reads the document, holding it to its contract.
    pub fn from_json(text: &str) -> Result<Document, String> {
        let document = json::parse(text)?;
        let mut read = Document::default();
        for test in list(&document, "tests")? {
            let text = |name: &str| test.get(name).and_then(Json::text).unwrap_or_default();
            let invocation = text("invocation").trim_matches(|c| c == '[' || c == ']');
            let id = expect::id(text("class"), text("method"), invocation);
            let one = reported(test).map_err(|why| format!("{id}: {why}"))?;
            read.polluters += usize::from(one.polluter);
            merge(read.tests.entry(id).or_default(), one);
        }
        for fixture in document.get("fixtures").and_then(Json::list).unwrap_or_default() {
            let class = string(fixture, "class")?;
            let one = reported(fixture).map_err(|why| format!("fixture of {class}: {why}"))?;
            merge(read.fixtures.entry(class).or_default(), one);
        }
        let summary = document.get("summary").ok_or("the document has no summary")?;
        let said = summary.get("polluters").and_then(Json::number);
        if said != Some(read.polluters as f64) {
            return Err(format!(
                "the summary counts {said:?} polluters, the tests {}",
                read.polluters
            ));
        }
        match summary.get("hidden_by_rule") {
            Some(Json::Object(rules)) => {
                let count = |n: &Json| n.number().unwrap_or_default() as usize;
                read.hidden = rules.iter().map(|(rule, n)| (rule.clone(), count(n))).collect();
            }
            _ => return Err("the summary does not say what each rule hid".into()),
        }
        Ok(read)
    }
}

fn merge(into: &mut Reported, one: Reported) {
    into.polluter |= one.polluter;
    into.findings.extend(one.findings);
    into.files.extend(one.files);
}

fn list<'a>(object: &'a Json, name: &str) -> Result<&'a [Json], String> {
    object
        .get(name)
        .and_then(Json::list)
        .ok_or(format!("no list {name:?}"))
}

fn string(object: &Json, name: &str) -> Result<String, String> {
    let text = object.get(name).and_then(Json::text);
    text.map(str::to_owned).ok_or(format!("no text {name:?}"))
}

fn flag(object: &Json, name: &str) -> Result<bool, String> {
    match object.get(name) {
        Some(Json::Bool(value)) => Ok(*value),
        _ => Err(format!("no truth value {name:?}")),
    }
}

fn reported(object: &Json) -> Result<Reported, String> {
    let files = object.get("files").and_then(Json::list).unwrap_or_default();
    Ok(Reported {
        // A fixture pollutes nothing by definition, and does not say so.
        polluter: object.get("polluter").is_some() && flag(object, "polluter")?,
        findings: list(object, "pollutions")?
            .iter()
            .map(finding)
            .collect::<Result<_, _>>()?,
        files: files.iter().map(file_finding).collect::<Result<_, _>>()?,
    })
}

fn finding(object: &Json) -> Result<Finding, String> {
    Ok(Finding {
        root: string(object, "root")?,
        path: string(object, "path")?,
        kind: string(object, "kind")?,
        before: string(object, "before")?,
        after: string(object, "after")?,
        label: string(object, "label")?,
        origin: string(object, "origin")?,
        first_touch: flag(object, "first_touch")?,
        observable: flag(object, "observable")?,
        ignored_by: object.get("ignored_by").and_then(Json::text).map(str::to_owned),
        written_at: frames(object)?,
    })
}

fn file_finding(object: &Json) -> Result<FileFinding, String> {
    Ok(FileFinding {
        path: string(object, "path")?,
        change: string(object, "change")?,
        written_at: frames(object)?,
    })
}

fn frames(object: &Json) -> Result<Vec<Frame>, String> {
    let frame = |f: &Json| {
        Ok::<Frame, String>(Frame {
            class: string(f, "class")?,
            method: string(f, "method")?,
            file: f.get("file").and_then(Json::text).unwrap_or_default().to_owned(),
            line: f.get("line").and_then(Json::number).unwrap_or_default() as u32,
        })
    };
    list(object, "written_at")?.iter().map(frame).collect()
}

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

/// How a run looks at the state, by its arguments.
struct Manner {
    strict: bool,
    common_roots: bool,
    show_ignored: bool,
}

impl Manner {
    fn of(run: &Run) -> Manner {
        let has = |flag: &str| run.args.iter().any(|a| a == flag);
        Manner {
            strict: has("--strict"),
            common_roots: run.args.windows(2).any(|w| w == ["--roots", "common"]) || has("--roots=common"),
            show_ignored: has("--show-ignored"),
        }
    }

    /// Whether a finding with these properties is listed at all.
    fn lists(&self, heap: &Heap) -> bool {
        !(self.common_roots && heap.first_touch) && (self.show_ignored || heap.ignored_by.is_none())
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
    let told = tests.iter().filter(|t| {
        t.get("pollutions")
            .and_then(Json::list)
            .is_some_and(|l| !l.is_empty())
            || t.get("polluter") == Some(&Json::Bool(true))
    });
    told.map(|t| format!("{t:?} tells of state without capture"))
        .collect()
}

/// Every rule hid at least what the marks say it hides.
fn hidden(suite: &Suite, run: &Run, manner: &Manner, document: &Document) -> Vec<String> {
    let mut wanted: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in &suite.marks {
        let ran = mark.fixture || run.only.as_ref().is_none_or(|only| only.contains(&mark.owner));
        if let What::Heap(heap) = &mark.what
            && let Some(rule) = &heap.ignored_by
            && ran
            && !(manner.common_roots && heap.first_touch)
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
    let mut strictly = false;
    for mark in marks {
        match &mark.what {
            What::Heap(heap) if manner.lists(heap) => match best(mark, heap, &left, sources) {
                Some((at, found)) => {
                    let told = left.remove(at).told();
                    wrong.extend(found.into_iter().map(|w| format!("{w}, in {told}")));
                }
                None => wrong.push(format!(
                    "not found: {} {} of {}:{}",
                    heap.kind, heap.place, mark.file, mark.line
                )),
            },
            What::File { change, path } => {
                match files
                    .iter()
                    .position(|f| f.change == *change && matches(path, &f.path))
                {
                    Some(at) => wrong.extend(sources.at(mark, &files.remove(at).written_at)),
                    None => wrong.push(format!("not found: {path} {change}")),
                }
            }
            What::Clean { strictly: s } => strictly |= *s,
            What::Heap(_) | What::Known(_) => {}
        }
    }
    let unexpected = left
        .into_iter()
        .filter(|f| f.ignored_by.is_none() && (f.observable || strictly));
    wrong.extend(unexpected.map(|f| format!("not expected: {}", f.told())));
    wrong.extend(files.iter().map(|f| {
        let stack = stack(&f.written_at);
        format!("not expected: {} {} @ {stack}", f.path, f.change)
    }));
    let polluter = !reported.files.is_empty() || reported.findings.iter().any(|f| f.counts(manner.strict));
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
fn best(mark: &Mark, heap: &Heap, left: &[&Finding], sources: &Sources) -> Option<(usize, Vec<String>)> {
    let candidates = left
        .iter()
        .enumerate()
        .filter(|(_, f)| f.place() == heap.place && f.kind == heap.kind);
    let judged = candidates.map(|(at, f)| (at, faults(mark, heap, f, sources)));
    judged.min_by_key(|(_, faults)| faults.len())
}

fn faults(mark: &Mark, heap: &Heap, found: &Finding, sources: &Sources) -> Vec<String> {
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
    if heap.ignored_by != found.ignored_by {
        wrong.push(format!("ignored by {:?}", found.ignored_by));
    }
    wrong.extend(sources.at(mark, &found.written_at));
    wrong
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
