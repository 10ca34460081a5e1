//! One JSON document; its form is in docs/json.md.

use super::{ReportError, Reporter};
use crate::run::results::Results;
use poldet_records::Document;
use std::io::Write;

/// The document on standard output.
pub struct Json;

impl Reporter for Json {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let mut out = std::io::stdout().lock();
        out.write_all(text(&results.document).as_bytes())?;
        Ok(out.flush()?)
    }
}

/// The document, with a newline at its end.
pub fn text(document: &Document) -> String {
    // Strings and numbers only: this cannot fail.
    let mut short = document.clone();
    short.share_tails();
    let mut text = serde_json::to_string_pretty(&short).unwrap_or_default();
    text.push('\n');
    text
}
