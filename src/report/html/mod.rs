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
    let head = Head {
        poldet: env!("CARGO_PKG_VERSION"),
        suite: &results.suite,
        jdk: &results.jdk,
        seed: results.seed.to_string(),
        junit: results.junit,
        command: command::shell(&results.command),
        interrupted: results.interrupted,
        internal: results.internal.as_deref(),
        faults: &results.faults,
        strict: results.capture.strict,
    };
    let mut page = Page::new(head, &results.capture.rules);
    for record in &results.records {
        page.test(record.test.text(), record.outcome.text(), record.state.as_ref());
    }
    for (class, state) in &results.fixtures {
        page.fixture(class, state);
    }
    page.html(&results.summary())
}
