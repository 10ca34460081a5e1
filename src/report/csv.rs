//! Findings as rows of CSV, for statistics: one row for each place, file and thread of each test and fixture.

use super::{ReportError, Reporter, writable};
use crate::report::pollution::{file_change_text, user_frame};
use crate::run::results::Results;
use poldet_records::{Document, Frame, Pollution};
use std::path::{Path, PathBuf};

const HEAD: &str = "order,test,outcome,what,root,path,kind,label,origin,counts,observable,first_touch,folded,restores,restored_by,class,method,file,line,number";

pub struct Csv {
    file: PathBuf,
}

impl Csv {
    pub fn new(file: &Path) -> Result<Csv, String> {
        writable(file)?;
        Ok(Csv {
            file: file.to_owned(),
        })
    }
}

impl Reporter for Csv {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        std::fs::write(&self.file, text(&results.document))
            .map_err(|e| ReportError::Failed(format!("cannot write '{}': {e}", self.file.display())))
    }
}

pub fn text(document: &Document) -> String {
    let mut out = format!("{HEAD}\n");
    let strict = document.is_strict();
    for (order, record) in document.tests.iter().enumerate() {
        if let Some(state) = &record.state {
            let who = [
                (order + 1).to_string(),
                record.test.text(),
                record.outcome.text().into(),
            ];
            rows(&mut out, &who, state, strict);
        }
    }
    for fixture in document.fixtures() {
        let class = fixture.class.clone().unwrap_or_default();
        rows(
            &mut out,
            &[String::new(), class, "fixture".into()],
            &fixture.state,
            strict,
        );
    }
    out
}

fn rows(out: &mut String, who: &[String; 3], state: &Pollution, strict: bool) {
    let name = |n: &Option<String>| n.clone().unwrap_or_default();
    for f in &state.pollutions {
        for place in std::iter::once(&f.place).chain(&f.also) {
            let fields = [
                "place".to_owned(),
                place.root.to_string(),
                place.path(),
                word(&f.kind),
                word(&f.label),
                word(&f.origin),
                f.counts(strict).to_string(),
                f.observable.to_string(),
                f.first_touch.to_string(),
                f.folded.as_ref().map_or_else(String::new, word),
                name(&f.restores),
                name(&f.restored_by),
            ];
            row(out, who, &fields, &f.written_at, 1);
        }
    }
    for f in &state.files {
        let mut fields = [const { String::new() }; 12];
        fields[0] = "file".into();
        fields[1].clone_from(&f.path);
        fields[3] = file_change_text(f.change).into();
        fields[6] = f.counts().to_string();
        (fields[10], fields[11]) = (name(&f.restores), name(&f.restored_by));
        row(out, who, &fields, &f.written_at, 1);
    }
    for t in &state.threads {
        let mut fields = [const { String::new() }; 12];
        fields[0] = "thread".into();
        fields[1].clone_from(&t.name);
        fields[3] = "started".into();
        fields[6] = "true".into();
        row(out, who, &fields, &t.started_at, t.count);
    }
}

/// A word of the JSON document.
fn word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

fn row(out: &mut String, who: &[String; 3], fields: &[String; 12], stack: &[Frame], number: usize) {
    let frame = user_frame(stack);
    let place = [
        frame.map_or_else(String::new, |f| f.class.clone()),
        frame.map_or_else(String::new, |f| f.method.clone()),
        frame.and_then(|f| f.file.clone()).unwrap_or_default(),
        frame
            .and_then(|f| f.line)
            .map_or_else(String::new, |l| l.to_string()),
        number.to_string(),
    ];
    let all: Vec<String> = who
        .iter()
        .chain(fields)
        .chain(&place)
        .map(|f| quoted(f))
        .collect();
    out.push_str(&all.join(","));
    out.push('\n');
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes() {
        assert_eq!(quoted("a\"b,"), "\"a\"\"b,\"");
        assert_eq!(HEAD.split(',').count(), 20);
    }
}
