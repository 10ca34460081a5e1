//! The progress line: counts, rate and time left; silent without a terminal.

use crate::run::results::{Outcome, Record};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use poldet_junit_shim::name::TestName;
use std::io::IsTerminal;

pub struct Progress {
    bar: Option<ProgressBar>,
    passed: u64,
    bad: u64,
    skipped: u64,
    planned: u64,
}

impl Progress {
    pub fn new(colour: bool) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
            let template = if colour {
                "{bar:20.green} {pos}/{len} {per_sec:.dim} {eta:.dim} left {wide_msg}"
            } else {
                "{bar:20} {pos}/{len} {per_sec} {eta} left {wide_msg}"
            };
            // The template is ours: it parses.
            bar.set_style(
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar
        });
        Progress {
            bar,
            passed: 0,
            bad: 0,
            skipped: 0,
            planned: 0,
        }
    }

    pub fn planned(&mut self, more: u64) {
        self.planned += more;
        if let Some(bar) = &self.bar {
            bar.set_length(self.planned.max(self.count()));
        }
    }

    fn count(&self) -> u64 {
        self.passed + self.bad + self.skipped
    }

    pub fn started(&mut self, test: &TestName) {
        if let Some(bar) = &self.bar {
            let bad = if self.bad > 0 {
                format!("{} not passed, ", self.bad)
            } else {
                String::new()
            };
            bar.set_message(format!("{bad}{}", short(&test.text())));
        }
    }

    pub fn finished(&mut self, record: &Record) {
        match record.outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Skipped => self.skipped += 1,
            _ => self.bad += 1,
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.count());
        }
    }

    pub fn tick(&self) {
        if let Some(bar) = &self.bar {
            bar.tick();
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The end of a long name.
fn short(text: &str) -> String {
    let count = text.chars().count();
    if count <= 50 {
        return text.to_owned();
    }
    let tail: String = text.chars().skip(count - 49).collect();
    format!("…{tail}")
}
