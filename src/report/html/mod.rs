//! One self-contained page that shows what the tests did to the shared state; it needs nothing but a browser.

pub mod page;

use super::{ReportError, Reporter};
use crate::cli::PageArgs;
use crate::exit;
use crate::report::source::Sources;
use crate::run::command;
use crate::run::results::Results;
use page::{Head, Page};
use poldet_records::Document;
use std::path::{Path, PathBuf};

/// The page in a file.
pub struct PageFile {
    file: PathBuf,
    sources: Sources,
}

impl PageFile {
    /// An error says that the page cannot be written, as far as can be known before a long run.
    pub fn new(file: &Path, sources: Sources) -> Result<PageFile, String> {
        super::writable(file)?;
        Ok(PageFile {
            file: file.to_owned(),
            sources,
        })
    }
}

impl Reporter for PageFile {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        std::fs::write(&self.file, page(results, &self.sources))
            .map_err(|e| ReportError::Failed(format!("cannot write {}: {e}", self.file.display())))
    }
}

/// `poldet page`: the page of a saved run.
pub fn command(options: &PageArgs) -> Result<i32, String> {
    let sources = Sources::new(options.sources.clone())?;
    let document = super::saved::read(options.from.as_deref())?;
    super::writable(&options.out)?;
    let out = options.out.display();
    std::fs::write(&options.out, page(&Results::of(document), &sources))
        .map_err(|e| format!("cannot write '{out}': {e}"))?;
    super::note("poldet", &format!("the page is in {out}"));
    Ok(exit::COMPLETE)
}

/// The page of a saved run.
pub fn of(document: Document) -> String {
    page(&Results::of(document), &Sources::default())
}

/// The page of a run.
fn page(results: &Results, sources: &Sources) -> String {
    let document = &results.document;
    let head = &document.head;
    let rules = head.capture.as_ref().map_or(&[][..], |c| &c.rules);
    // The current folder has no name of its own in the document.
    let here = std::env::current_dir().unwrap_or_default();
    let here = here.file_name().map(|n| n.to_string_lossy().into_owned());
    let suite = here
        .filter(|_| head.suite == ".")
        .unwrap_or_else(|| head.suite.clone());
    let head = Head {
        poldet: &head.poldet,
        suite: &suite,
        jdk: &head.jdk,
        seed: head.seed.to_string(),
        junit: head.junit.text(),
        command: command::shell(&head.command),
        interrupted: document.interrupted,
        internal: results.internal.as_deref(),
        faults: &results.faults,
        strict: document.is_strict(),
        captured: head.capture.is_some(),
    };
    let mut page = Page::new(head, rules);
    page.with_sources(sources);
    for record in &document.tests {
        page.record(record);
        if let Some(why) = record.sanitised() {
            page.sanitised(record.test.text(), why);
        }
    }
    for fixture in document.fixtures() {
        page.fixture(fixture.class.as_deref().unwrap_or(""), &fixture.state);
    }
    page.resources(&document.resources);
    page.html(&document.summary)
}
