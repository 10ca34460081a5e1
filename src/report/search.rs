//! What searches have in common to show: how far they are (on a terminal, a line with what is being done, the runs made and those
//! that are left), and their documents.

use crate::cli::{Color, Format, ReportArgs};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which of the reports of `poldet run` a search writes, too.
#[derive(Clone, Copy, Default)]
pub struct Writes {
    pub html: bool,
    pub sarif: bool,
    /// `TEST-*.xml`, with `--report-dir`.
    pub xml: bool,
}

/// Refuses options of `poldet run` that ask for reports which a search does not write.
pub fn refuse(args: &ReportArgs, command: &str, writes: Writes) -> Result<(), String> {
    if matches!(args.format, Format::Jsonl | Format::Junit) {
        return Err(format!("--format: poldet {command} writes human or json"));
    }
    for (given, option) in [
        (args.sarif.is_some() && !writes.sarif, "--sarif"),
        (args.csv.is_some(), "--csv"),
        (args.annotate.is_some(), "--annotate"),
        (args.baseline.is_some(), "--baseline"),
        (!args.fail_on.is_empty(), "--fail-on"),
        (args.show_output, "--show-output"),
    ] {
        if given {
            return Err(format!("{option}: poldet {command} does not have it"));
        }
    }
    if let Some(file) = &args.sarif {
        super::writable(file)?;
    }
    if args.report_dir.is_some() && !writes.xml {
        return Err(format!(
            "--report-dir: poldet {command} writes its document with --format json"
        ));
    }
    match &args.html {
        Some(file) if writes.html => super::writable(file),
        Some(_) => Err(format!("--html: poldet {command} writes no page")),
        None => Ok(()),
    }
}

/// Writes a document to standard output, as JSON or by `human`, which gets whether to colour.
pub fn show(
    args: &ReportArgs,
    document: &impl Serialize,
    human: impl FnOnce(&mut dyn Write, bool) -> std::io::Result<()>,
) -> Result<(), String> {
    let stdout = std::io::stdout();
    let colour = args.color.on(stdout.is_terminal());
    let mut out = std::io::BufWriter::new(stdout.lock());
    let shown = match args.format {
        Format::Json => serde_json::to_writer_pretty(&mut out, document)
            .map_err(std::io::Error::from)
            .and_then(|()| out.write_all(b"\n")),
        _ => human(&mut out, colour),
    };
    match shown.and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ => Ok(()),
    }
}

/// The tests that are not what was searched for, by what became of them; none if there are none.
pub fn others(counts: &[(usize, &str)]) -> Option<String> {
    let some = counts.iter().filter(|(n, _)| *n > 0);
    let some: Vec<String> = some.map(|(n, what)| format!("{n} {what}")).collect();
    (!some.is_empty()).then(|| format!("Of the others: {}.", some.join(", ")))
}

/// Several threads report to it.
pub struct SearchProgress {
    bar: Option<ProgressBar>,
    what: Mutex<String>,
    /// What the phase consists of, and what of it is done.
    total: AtomicU64,
    done: AtomicU64,
    /// Sequences of tests that were run in all phases.
    probes: AtomicU64,
}

impl SearchProgress {
    /// Shows nothing where standard error is no terminal.
    pub fn new(color: Color) -> SearchProgress {
        let terminal = std::io::stderr().is_terminal();
        let colour = color.on(terminal);
        let bar = terminal.then(|| {
            let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr_with_hz(10));
            let template = if colour {
                "{bar:20.green.dim} {wide_msg}"
            } else {
                "{bar:20} {wide_msg}"
            };
            // The template is ours: it parses.
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        SearchProgress {
            bar,
            what: Mutex::default(),
            total: AtomicU64::new(0),
            done: AtomicU64::new(0),
            probes: AtomicU64::new(0),
        }
    }

    /// Another part of the search begins, of so many tests or sequences.
    pub fn phase(&self, what: &str, total: usize) {
        let mut text = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        what.clone_into(&mut text);
        drop(text);
        self.total.store(total as u64, Ordering::SeqCst);
        self.done.store(0, Ordering::SeqCst);
        self.draw();
    }

    /// So many of them are done.
    pub fn advance(&self, count: usize) {
        self.done.fetch_add(count as u64, Ordering::SeqCst);
        self.draw();
    }

    /// A sequence of tests was run.
    pub fn probe(&self) {
        self.probes.fetch_add(1, Ordering::SeqCst);
        self.draw();
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn draw(&self) {
        let Some(bar) = &self.bar else { return };
        let (total, done) = (
            self.total.load(Ordering::SeqCst),
            self.done.load(Ordering::SeqCst),
        );
        bar.set_length(total.max(1));
        bar.set_position(done.min(total));
        let what = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        bar.set_message(text(&what, total, done, self.probes.load(Ordering::SeqCst)));
    }
}

impl Drop for SearchProgress {
    fn drop(&mut self) {
        self.finish();
    }
}

fn text(what: &str, total: u64, done: u64, probes: u64) -> String {
    format!(
        "{what}: {} left of {total}, {probes} probes run",
        total.saturating_sub(done)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_said() {
        assert_eq!(
            text("run twice", 10, 3, 7),
            "run twice: 7 left of 10, 7 probes run"
        );
        // Without a terminal nothing is shown, and nothing goes wrong.
        let progress = SearchProgress::new(Color::Never);
        progress.phase("run twice", 2);
        progress.advance(3);
        progress.probe();
        progress.finish();
    }
}
