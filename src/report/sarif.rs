//! SARIF 2.1.0: findings as code scanning tools take them, each at the line of code that wrote it.
//!
//! A result's fingerprint is made of the test and the field, so that it stays the same when lines move.

use super::source::Sources;
use super::{ReportError, Reporter, writable};
use crate::report::pollution::{change, count, file_change_text, frame_text, threads_text, user_frame};
use crate::run::command::reproduce;
use crate::run::results::Results;
use poldet_records::{Document, Finding, Frame, Record};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub struct Sarif {
    file: PathBuf,
    sources: Sources,
}

impl Sarif {
    pub fn new(file: &Path, sources: Sources) -> Result<Sarif, String> {
        writable(file)?;
        let file = file.to_owned();
        Ok(Sarif { file, sources })
    }
}

impl Reporter for Sarif {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let log = log(&results.document, &self.sources);
        let text = serde_json::to_string_pretty(&log).unwrap_or_default();
        std::fs::write(&self.file, text)
            .map_err(|e| ReportError::Failed(format!("cannot write '{}': {e}", self.file.display())))
    }
}

/// Rule ids with what they mean.
const RULES: [(&str, &str); 3] = [
    ("polluter", "A test leaves shared state changed."),
    (
        "polluted-file",
        "A test leaves a file created, changed or removed.",
    ),
    ("leaked-thread", "A test leaves a thread running."),
];

/// The SARIF log of a run.
pub fn log(document: &Document, sources: &Sources) -> Value {
    let results: Vec<Value> = document
        .tests
        .iter()
        .flat_map(|r| results_of(document, r, sources))
        .collect();
    whole_log(&document.head.poldet, &RULES, results)
}

/// A log of one run with these rules and results.
pub fn whole_log(version: &str, rules: &[(&str, &str)], results: Vec<Value>) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "poldet",
                "semanticVersion": version,
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn results_of(document: &Document, record: &Record, sources: &Sources) -> Vec<Value> {
    let strict = document.is_strict();
    let Some(state) = &record.state else {
        return Vec::new();
    };
    let test = record.test.text();
    let command = reproduce(&document.head.command, &state.after, &test);
    let one = |rule: &str, what: String, key: &str, stack: &[Frame]| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(test.as_bytes()).update(&[0]).update(key.as_bytes());
        let print = hasher.finalize().to_hex()[..32].to_owned();
        let mut result = json!({
            "ruleId": rule,
            "level": "warning",
            "message": { "text": format!("{test} {what}. Reproduce: {command}") },
            "partialFingerprints": { "poldetTestAndField/v1": print },
        });
        if let Some(frame) = user_frame(stack) {
            result["locations"] = json!([location(frame, sources)]);
        }
        result
    };
    // One for each field: its fingerprint is that of the field.
    let mut fields: Vec<(String, &Finding, usize)> = Vec::new();
    for finding in state.pollutions.iter().filter(|f| f.counts(strict)) {
        let root = finding.place.root.to_string();
        match fields.iter_mut().find(|(r, ..)| *r == root) {
            Some((_, _, more)) => *more += 1,
            None => fields.push((root, finding, 0)),
        }
    }
    let mut list: Vec<Value> = fields
        .into_iter()
        .map(|(root, f, more)| one("polluter", told(f, more), &root, &f.written_at))
        .collect();
    for file in state.files.iter().filter(|f| f.counts()) {
        let what = format!("leaves the file {} {}", file.path, file_change_text(file.change));
        list.push(one("polluted-file", what, &file.path, &file.written_at));
    }
    for thread in &state.threads {
        let what = format!("leaves {} running", threads_text(thread));
        // Names are often numbered, and the number depends on what ran before.
        list.push(one(
            "leaked-thread",
            what,
            &thread.unnumbered(),
            &thread.started_at,
        ));
    }
    list
}

fn told(finding: &Finding, more: usize) -> String {
    let more = match more {
        0 => String::new(),
        n => format!(" and {} under this field", count(n, "more path")),
    };
    format!("pollutes {} ({}){more}", finding.place, change(finding))
}

pub fn location(frame: &Frame, sources: &Sources) -> Value {
    let uri = encoded(&uri(frame, sources));
    let mut physical = json!({ "artifactLocation": { "uri": uri } });
    if let Some(line) = frame.line {
        physical["region"] = json!({ "startLine": line });
    }
    json!({
        "physicalLocation": physical,
        "logicalLocations": [{ "fullyQualifiedName": format!("{}.{}", frame.class, frame.method), "kind": "function" }],
        "message": { "text": frame_text(frame) },
    })
}

/// A path as a reference of RFC 3986; an absolute one has the scheme of files.
fn encoded(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/$!&'()*+,;=@".contains(&b);
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for b in path.bytes() {
        match plain(b) {
            true => text.push(char::from(b)),
            false => text.push_str(&format!("%{b:02X}")),
        }
    }
    text
}

/// The path of a frame's source: as found, relative to the current folder, else as its package says.
pub fn uri(frame: &Frame, sources: &Sources) -> String {
    if let Some((path, _)) = sources.read(frame) {
        let here = std::env::current_dir().unwrap_or_default();
        let whole = std::path::absolute(&path).unwrap_or(path);
        let path = whole.strip_prefix(&here).unwrap_or(&whole);
        return path.display().to_string();
    }
    let package = frame
        .class
        .rsplit_once('.')
        .map_or("", |(p, _)| p)
        .replace('.', "/");
    let file = frame.file.as_deref().unwrap_or("Unknown.java");
    match package.is_empty() {
        true => file.to_owned(),
        false => format!("{package}/{file}"),
    }
}
