//! Standard error: warnings, and on a terminal a line with how far the run is, counts, rate and time left.

use super::{ReportError, Reporter};
use crate::cli::Color;
use crate::run::results::Results;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use poldet_records::{Outcome, RunEvent, TestName};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Steps of the bar from none to all.
const FULL: u64 = 1000;

pub struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    /// The test that runs.
    now: String,
    counts: Counts,
}

/// What is known of how far the run is.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    ended: u64,
    bad: u64,
    skipped: u64,
    /// Tests that have been announced: all of them, or those of the classes so far.
    planned: u64,
    classes: u64,
    classes_done: u64,
}

impl Progress {
    pub fn new(color: Color) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let colour = color.on(terminal);
        let bar = terminal.then(|| {
            let bar = ProgressBar::with_draw_target(Some(FULL), ProgressDrawTarget::stderr_with_hz(10));
            let template = if colour {
                "{bar:20.green.dim} {wide_msg}"
            } else {
                "{bar:20} {wide_msg}"
            };
            // The template is ours: it parses.
            bar.set_style(
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar
        });
        Progress {
            bar,
            start: Instant::now(),
            now: String::new(),
            counts: Counts::default(),
        }
    }

    fn finished(&mut self, outcome: Outcome) {
        self.counts.ended += 1;
        match outcome {
            Outcome::Passed => {}
            Outcome::Skipped => self.counts.skipped += 1,
            _ => self.counts.bad += 1,
        }
    }

    /// A line that the bar does not write over.
    #[expect(clippy::print_stderr, reason = "this is the reporter of standard error")]
    fn warn(&self, what: &str) {
        let print = || eprintln!("warning: {what}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn draw(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position((self.counts.part() * FULL as f64) as u64);
            bar.set_message(format!(
                "{}  {}",
                self.counts.text(self.start.elapsed()),
                self.now
            ));
        }
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunStarted { classes, .. } => self.counts.classes = *classes as u64,
            RunEvent::Warning { what } => self.warn(what),
            RunEvent::Planned { tests } => self.counts.planned += u64::from(*tests),
            RunEvent::ClassFinished { .. } => self.counts.classes_done += 1,
            RunEvent::TestFinished { record } => self.finished(record.outcome),
            RunEvent::TestStarted { test } if self.bar.is_some() => {
                self.now = short(test);
                self.draw();
            }
            RunEvent::Beat => self.draw(),
            RunEvent::RunFinished { .. } => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, _results: &Results) -> Result<(), ReportError> {
        Ok(())
    }
}

impl Counts {
    /// The part of the run that is over. JUnit 4 reports its tests class by class; the platform of all at once, but
    /// not of those that come to be while it runs. The lesser of both is nearer to the truth.
    fn part(&self) -> f64 {
        let tests = self.ended as f64 / self.planned.max(self.ended).max(1) as f64;
        let left = self.planned.saturating_sub(self.ended) as f64 / self.planned.max(1) as f64;
        let done = self.classes_done as f64;
        // The class at work counts as far as its tests do.
        let classes = (done + (1.0 - left) * f64::from(self.ended > 0)) / self.classes.max(1) as f64;
        tests.min(classes).min(1.0)
    }

    fn text(&self, elapsed: Duration) -> String {
        if self.ended == 0 {
            return "starting".to_owned();
        }
        let mut text = format!("{} test{}", self.ended, if self.ended == 1 { "" } else { "s" });
        if self.bad > 0 {
            text.push_str(&format!(", {} not passed", self.bad));
        }
        if self.skipped > 0 {
            text.push_str(&format!(", {} skipped", self.skipped));
        }
        let seconds = elapsed.as_secs_f64();
        // The first moments say nothing about the rest.
        if seconds >= 1.0 {
            text.push_str(&format!(", {:.0}/s", self.ended as f64 / seconds));
            let part = self.part();
            if part > 0.02 && part < 1.0 {
                text.push_str(&format!(", {} left", time(seconds * (1.0 - part) / part)));
            }
        }
        text
    }
}

fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The name without its package: the line is short.
fn short(test: &TestName) -> String {
    let text = test.text();
    let package = test.class.rfind('.').map_or(0, |dot| dot + 1);
    text.get(package..).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_and_how_long() {
        // The second of four classes is half done.
        let counts = Counts {
            ended: 75,
            bad: 1,
            skipped: 2,
            planned: 100,
            classes: 4,
            classes_done: 1,
        };
        assert!((counts.part() - 0.4375).abs() < 1e-9, "{}", counts.part());
        let text = counts.text(Duration::from_secs(70));
        assert_eq!(text, "75 tests, 1 not passed, 2 skipped, 1/s, 1 min 30 s left");
        assert_eq!(Counts::default().text(Duration::from_secs(5)), "starting");
        let class = TestName::from_description(None, "adds[1.5](a.b.CalcTest)");
        assert_eq!(short(&class), "CalcTest#adds[1.5]");
        let all = Counts {
            ended: 7,
            classes: 1,
            classes_done: 1,
            ..Counts::default()
        };
        assert!((all.part() - 1.0).abs() < 1e-9);
    }
}
