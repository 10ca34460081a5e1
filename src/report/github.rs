//! Annotations of GitHub Actions: a workflow command for each finding, on standard output.

use super::sarif::uri;
use super::source::Sources;
use super::{ReportError, Reporter};
use crate::report::pollution::{change, file_change_text, threads_text, user_frame};
use crate::run::results::Results;
use poldet_records::{Document, Frame};
use std::io::Write;

/// GitHub shows ten annotations of a kind for a step.
const MOST: usize = 10;

pub struct Annotations {
    pub sources: Sources,
}

impl Reporter for Annotations {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let mut out = std::io::stdout().lock();
        for line in lines(&results.document, &self.sources) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

pub fn lines(document: &Document, sources: &Sources) -> Vec<String> {
    let strict = document.is_strict();
    let mut found: Vec<(String, &[Frame])> = Vec::new();
    for record in &document.tests {
        let Some(state) = &record.state else { continue };
        let test = record.test.text();
        for f in state.pollutions.iter().filter(|f| f.counts(strict)) {
            found.push((
                format!("{test} pollutes {}: {}", f.place, change(f)),
                &f.written_at,
            ));
        }
        for f in state.files.iter().filter(|f| f.counts()) {
            let what = file_change_text(f.change);
            found.push((format!("{test} leaves the file {} {what}", f.path), &f.written_at));
        }
        for t in &state.threads {
            found.push((
                format!("{test} leaves {} running", threads_text(t)),
                &t.started_at,
            ));
        }
    }
    let more = found.len().saturating_sub(MOST);
    let shown = found.iter().take(MOST);
    let mut lines: Vec<String> = shown
        .map(|(text, stack)| annotation(user_frame(stack), sources, text))
        .collect();
    if more > 0 {
        lines.push(format!(
            "::notice title=poldet::{more} more findings are in the report"
        ));
    }
    lines
}

fn annotation(frame: Option<&Frame>, sources: &Sources, text: &str) -> String {
    let place = frame.map_or_else(String::new, |f| {
        let line = f.line.map_or_else(String::new, |l| format!(",line={l}"));
        format!("file={}{line},", property(&uri(f, sources)))
    });
    format!("::warning {place}title=poldet::{}", data(text))
}

/// As GitHub wants the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_command() {
        let line = annotation(None, &Sources::default(), "a\n::error::b %");
        assert_eq!(line, "::warning title=poldet::a%0A::error::b %25");
    }
}
