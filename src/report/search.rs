//! How far a search is: on a terminal, a line with what is being done, the runs made and those that are left.

use crate::cli::Color;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

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
