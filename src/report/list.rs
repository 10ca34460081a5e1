//! The tests that would run, one a line, in a form `--test` takes.

use super::{ReportError, Reporter, human};
use crate::run::results::Results;
use std::io::Write;

pub struct List {
    pub json: bool,
}

impl Reporter for List {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        if self.json {
            let text = serde_json::to_string_pretty(&results.listed).unwrap_or_default();
            writeln!(out, "{text}")?;
        } else {
            for test in &results.listed {
                writeln!(out, "{}", test.text())?;
            }
            for record in &results.document.tests {
                human::problem(&mut out, record, None, false)?;
            }
        }
        Ok(out.flush()?)
    }
}
