//! Annotations of GitHub Actions: a workflow command for each finding, on standard output.

use super::sarif::uri;
use super::source::Sources;
use super::{ReportError, Reporter};
use crate::report::pollution::{change, user_frame};
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
    let mut lines = Vec::new();
    let mut more = 0;
    for record in &document.tests {
        let Some(state) = &record.state else { continue };
        let test = record.test.text();
        let found = state.pollutions.iter().filter(|f| f.counts(strict));
        for finding in found {
            if lines.len() >= MOST {
                more += 1;
                continue;
            }
            let text = format!("{test} pollutes {}: {}", finding.place, change(finding));
            lines.push(annotation(user_frame(&finding.written_at), sources, &text));
        }
    }
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
