//! One self-contained page that shows what the tests did to the shared state; it needs nothing but a browser.

mod page;

use crate::run::command;
use crate::run::results::Results;
use page::{Head, Page};
use std::path::Path;

/// Whether a page can be written to this file, as far as can be told before a long run.
pub fn check(file: &Path) -> Result<(), String> {
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if file.is_dir() || !folder.is_dir() {
        return Err(format!(
            "cannot write {}: no such folder, or not a file",
            file.display()
        ));
    }
    Ok(())
}

/// The page of a run.
pub fn page(results: &Results) -> String {
    let document = &results.document;
    let head = Head {
        poldet: &document.poldet,
        suite: &document.suite,
        jdk: &document.jdk,
        seed: document.seed.to_string(),
        junit: document.junit.text(),
        command: command::shell(&document.command),
        interrupted: document.interrupted,
        internal: results.internal.as_deref(),
        faults: &results.faults,
        strict: document.is_strict(),
        captured: document.capture.is_some(),
    };
    let mut page = Page::new(head, document.capture.as_ref().map_or(&[], |c| &c.rules));
    for record in &document.tests {
        page.test(record.test.text(), record.outcome.text(), record.state.as_ref());
    }
    for fixture in document.fixtures() {
        page.fixture(fixture.class.as_deref().unwrap_or(""), &fixture.state);
    }
    page.html(&document.summary)
}
