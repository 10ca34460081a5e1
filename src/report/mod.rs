//! Reporters: they get the events of a run as they happen, and what the run came to at its end. Nothing else prints.
//!
//! A format is one file with a `Reporter` and one line in `reporters`.

pub mod corpus;
mod csv;
pub mod dtfixingtools;
mod failures;
pub mod fields;
mod files;
pub mod fix;
pub mod fix_sarif;
mod github;
mod hints;
pub mod html;
pub mod human;
pub mod inject;
pub mod inject_page;
pub mod json;
mod jsonl;
mod junit_xml;
mod list;
mod machinery;
pub mod nio;
pub mod nio_page;
pub mod od;
pub mod od_formats;
pub mod od_page;
pub mod paint;
pub mod pollution;
mod progress;
mod sanitise;
mod sarif;
pub mod saved;
pub mod search;
pub mod source;
mod trace;
pub mod victims;

use crate::cli::{Annotate, FailOn, Format, ReportArgs};
use crate::run::results::Results;
use poldet_records::RunEvent;
use std::io::{self, IsTerminal};
use std::path::Path;

pub use machinery::is_machinery;

pub trait Reporter {
    /// Something has happened.
    fn event(&mut self, _event: &RunEvent) {}

    /// Nothing follows.
    fn finish(&mut self, results: &Results) -> Result<(), ReportError>;
}

/// Why a report could not be written.
#[derive(Debug)]
pub enum ReportError {
    /// Nobody reads it any more, which is no fault of the run.
    ReaderGone,
    /// In one line.
    Failed(String),
}

impl From<io::Error> for ReportError {
    fn from(e: io::Error) -> ReportError {
        match e.kind() {
            io::ErrorKind::BrokenPipe => ReportError::ReaderGone,
            _ => ReportError::Failed(format!("cannot write: {e}")),
        }
    }
}

/// The reporters that the options ask for, in the order they finish; what cannot be written is an error now rather than
/// when all has run.
pub fn reporters(options: &ReportArgs, list: bool) -> Result<Vec<Box<dyn Reporter>>, String> {
    let mut all: Vec<Box<dyn Reporter>> = Vec::new();
    all.push(Box::new(progress::Progress::new(options.color)));
    let dir = match (&options.report_dir, options.format) {
        (None, Format::Junit) => Some(saved::DEFAULT_DIR.into()),
        (dir, _) => dir.clone(),
    };
    let dir = dir.filter(|_| !list);
    if let Some(dir) = &dir {
        let polluters_fail = options.fail_on.contains(&FailOn::Polluter);
        all.push(Box::new(files::Files::new(dir, polluters_fail)?));
    }
    let sources = source::Sources::new(options.sources.clone())?;
    if let Some(file) = options.csv.as_ref().filter(|_| !list) {
        all.push(Box::new(csv::Csv::new(file)?));
    }
    if let Some(file) = options.sarif.as_ref().filter(|_| !list) {
        all.push(Box::new(sarif::Sarif::new(file, sources.clone())?));
    }
    if let Some(file) = options.html.as_ref().filter(|_| !list) {
        all.push(Box::new(html::PageFile::new(file, sources.clone())?));
    }
    let terminal = io::stdout().is_terminal();
    let text = human::Human {
        colour: options.color.on(terminal),
        terminal,
        only_sums: options.format == Format::Junit,
        saved: dir,
        sources: sources.clone(),
    };
    all.push(match options.format {
        Format::Jsonl => Box::new(jsonl::JsonLines::default()),
        Format::Json if list => Box::new(list::List { json: true }),
        Format::Human | Format::Junit if list => Box::new(list::List { json: false }),
        Format::Json => Box::new(json::Json),
        Format::Human | Format::Junit => Box::new(text),
    });
    match options.annotate {
        Some(Annotate::Github) if options.format == Format::Json || options.format == Format::Jsonl => {
            return Err("--annotate github and --format json both need standard output".into());
        }
        Some(Annotate::Github) if !list => all.push(Box::new(github::Annotations { sources })),
        _ => {}
    }
    Ok(all)
}

/// An error says that a file cannot be written, as far as can be known before a long run.
fn writable(file: &Path) -> Result<(), String> {
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if file.is_dir() || !folder.is_dir() {
        return Err(format!(
            "cannot write '{}': no such folder, or not a file",
            file.display()
        ));
    }
    Ok(())
}

/// A line for whoever sits at the terminal, where no run is reported.
#[expect(clippy::print_stderr, reason = "this is a reporter of one line")]
pub fn note(kind: &str, text: &str) {
    eprintln!("{kind}: {text}");
}
