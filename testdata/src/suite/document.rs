//! What a run reported of the shared state, read from its JSON document.

use super::expect;
use super::json::{self, Json};
use std::collections::BTreeMap;

/// What the document says of one test or fixture.
#[derive(Debug, Clone, Default)]
pub struct Reported {
    pub polluter: bool,
    pub findings: Vec<Finding>,
    pub files: Vec<FileFinding>,
    pub threads: Vec<ThreadFinding>,
    /// What it needs before it.
    pub after: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct ThreadFinding {
    pub name: String,
    pub started_at: Vec<Frame>,
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
    pub restores: Option<String>,
    pub written_at: Vec<Frame>,
}

#[derive(Debug, Clone)]
pub struct FileFinding {
    pub path: String,
    pub change: String,
    pub ignored_by: Option<String>,
    pub restores: Option<String>,
    pub written_at: Vec<Frame>,
}

#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub class: String,
    pub method: String,
    pub file: String,
    pub line: u32,
}

/// The whole document, as far as it is about state.
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
        self.ignored_by.is_none() && self.restores.is_none() && (self.observable || strict)
    }

    /// All of it in one line, as a mark would say it.
    pub fn in_one_line(&self) -> String {
        let mut words = vec![self.label.clone(), self.origin.clone()];
        words.extend(self.first_touch.then(|| "first touch".to_owned()));
        words.extend((!self.observable).then(|| "internal".to_owned()));
        words.extend(self.ignored_by.as_ref().map(|rule| format!("ignored by {rule}")));
        words.extend(self.restores.as_ref().map(|test| format!("restores {test}")));
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

/// The innermost frames in one line.
pub fn stack(frames: &[Frame]) -> String {
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
            // What JUnit itself did has no class.
            let class = fixture
                .get("class")
                .and_then(Json::text)
                .unwrap_or_default()
                .to_owned();
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
    into.threads.extend(one.threads);
    into.after.extend(one.after);
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
        findings: findings(object)?,
        files: files.iter().map(file_finding).collect::<Result<_, _>>()?,
        threads: optional(object, "threads")
            .iter()
            .map(thread_finding)
            .collect::<Result<_, _>>()?,
        after: optional(object, "after")
            .iter()
            .filter_map(Json::text)
            .map(str::to_owned)
            .collect(),
    })
}

fn optional<'a>(object: &'a Json, name: &str) -> &'a [Json] {
    object.get(name).and_then(Json::list).unwrap_or_default()
}

/// Every place is a finding here: those that one call changed alike, too.
fn findings(object: &Json) -> Result<Vec<Finding>, String> {
    let mut all = Vec::new();
    for one in list(object, "pollutions")? {
        let first = finding(one)?;
        let mut also = Vec::new();
        for place in optional(one, "also") {
            also.push(Finding {
                root: string(place, "root")?,
                path: string(place, "path")?,
                ..first.clone()
            });
        }
        all.push(first);
        all.extend(also);
    }
    Ok(all)
}

fn thread_finding(object: &Json) -> Result<ThreadFinding, String> {
    Ok(ThreadFinding {
        name: string(object, "name")?,
        started_at: frames(object, "started_at")?,
    })
}

fn name(object: &Json, field: &str) -> Option<String> {
    object.get(field).and_then(Json::text).map(str::to_owned)
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
        ignored_by: name(object, "ignored_by"),
        restores: name(object, "restores"),
        written_at: frames(object, "written_at")?,
    })
}

fn file_finding(object: &Json) -> Result<FileFinding, String> {
    Ok(FileFinding {
        path: string(object, "path")?,
        change: string(object, "change")?,
        ignored_by: name(object, "ignored_by"),
        restores: name(object, "restores"),
        written_at: frames(object, "written_at")?,
    })
}

fn frames(object: &Json, field: &str) -> Result<Vec<Frame>, String> {
    let frame = |f: &Json| {
        Ok::<Frame, String>(Frame {
            class: string(f, "class")?,
            method: string(f, "method")?,
            file: f.get("file").and_then(Json::text).unwrap_or_default().to_owned(),
            line: f.get("line").and_then(Json::number).unwrap_or_default() as u32,
        })
    };
    list(object, field)?.iter().map(frame).collect()
}
