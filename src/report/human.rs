//! Text for people, by priority: a headline, what went wrong, what was left behind, then the sums.

use crate::report::paint::{BOLD, DIM, GREEN, RED, YELLOW, paint};
use crate::report::pollution::{checked, count, few};
use crate::report::source::Sources;
use crate::report::{ReportError, Reporter, failures, fields, hints, pollution, sanitise, trace, victims};
use crate::run::results::Results;
use poldet_records::{Document, JUnit, Outcome, Printed, Record, Rule};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Polluted fields shown on a terminal.
const POLLUTED: usize = 20;

/// The text on standard output.
pub struct Human {
    pub colour: bool,
    pub terminal: bool,
    /// Without the tests themselves.
    pub only_sums: bool,
    /// Where the run is saved.
    pub saved: Option<PathBuf>,
    pub sources: Sources,
}

impl Reporter for Human {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let saved = self.saved.as_deref();
        if self.only_sums {
            summary(&mut out, results, self.colour, saved)?;
        } else {
            let look = fields::Look {
                colour: self.colour,
                limit: self.terminal.then_some(POLLUTED),
                sources: &self.sources,
            };
            report(&mut out, results, look, saved)?;
        }
        Ok(out.flush()?)
    }
}

pub fn colour_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => GREEN,
        Outcome::Skipped => DIM,
        Outcome::Unsupported => YELLOW,
        Outcome::Failed | Outcome::Error | Outcome::TimedOut | Outcome::Crashed => RED,
    }
}

/// All that is worth reading, then the sums.
pub fn report(
    out: &mut dyn Write,
    results: &Results,
    look: fields::Look<'_>,
    reports: Option<&Path>,
) -> io::Result<()> {
    let document = &results.document;
    if let Some(line) = headline(document) {
        writeln!(out, "{}\n", paint(&line, BOLD, look.colour))?;
    }
    failures::report(out, document, look.colour, look.limit.is_some())?;
    skips(out, document, look.colour)?;
    sanitise::report(out, results, look.colour)?;
    fields::report(out, results, look)?;
    victims::reads(out, document, look)?;
    summary(out, results, look.colour, reports)
}

/// What matters most, in one line; nothing where all is well.
fn headline(document: &Document) -> Option<String> {
    let s = &document.summary;
    let bad = document.tests.iter().filter(|r| r.outcome.is_bad()).count();
    let mut parts = Vec::new();
    let polluters = s.polluters.unwrap_or(0);
    if polluters > 0 {
        let fields = match fields::polluted_fields(document) {
            0 => String::new(),
            n => format!(" {}", count(n, "field")),
        };
        let (pollute, of) = match polluters {
            1 => ("pollutes", "1 test".to_owned()),
            n => ("pollute", format!("{n} of {}", count(s.tests, "test"))),
        };
        parts.push(format!("{of} {pollute}{fields}"));
    }
    if bad > 0 {
        let what = if s.failed + s.error == bad {
            "failed"
        } else {
            "did not pass"
        };
        parts.push(format!("{bad} of {} {what}", count(s.tests, "test")));
        parts.extend(victims::headline(document));
    }
    if s.polluters.is_some() && polluters == 0 && bad > 0 && checked(document).0 > 0 {
        parts.push("none pollutes, as far as they ran".to_owned());
    }
    (!parts.is_empty()).then(|| format!("{}.", parts.join("; ")))
}

pub fn problem(
    out: &mut dyn Write,
    record: &Record,
    fixtures: Option<&Printed>,
    colour: bool,
) -> io::Result<()> {
    heading(out, record, colour)?;
    let stack = if record.exception.is_some() {
        trace::trim(&record.stack, &record.test.class)
    } else {
        let message = record.message.iter().cloned();
        message.chain(record.stack.iter().cloned()).collect()
    };
    for line in stack {
        writeln!(out, "    {}", line.replace('\t', "    "))?;
    }
    printed(out, "", &record.printed, colour)?;
    if let Some(fixtures) = fixtures {
        printed(out, " of the class, outside of tests", fixtures, colour)?;
    }
    writeln!(out)
}

/// Outcome and name.
pub fn heading(out: &mut dyn Write, record: &Record, colour: bool) -> io::Result<()> {
    let label = record.outcome.text().to_uppercase();
    writeln!(
        out,
        "{}  {}",
        paint(&label, colour_of(record.outcome), colour),
        record.test.text()
    )
}

/// Tests that were skipped, by reason.
fn skips(out: &mut dyn Write, document: &Document, colour: bool) -> io::Result<()> {
    const REASONS: usize = 10;
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    let skipped = document
        .tests
        .iter()
        .filter(|r| r.outcome == Outcome::Skipped && r.sanitised().is_none());
    for record in skipped {
        let reason = record.message.as_deref().and_then(|m| m.lines().next());
        let reason = reason.unwrap_or("no reason given");
        match reasons.iter_mut().find(|(r, _)| *r == reason) {
            Some((_, names)) => names.push(record.test.text()),
            None => reasons.push((reason, vec![record.test.text()])),
        }
    }
    for (reason, names) in reasons.iter().take(REASONS) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let line = format!("SKIPPED  {}: {reason}", few(&names, &count(names.len(), "test")));
        writeln!(out, "{}", paint(&line, DIM, colour))?;
    }
    if reasons.len() > REASONS {
        let more = format!("SKIPPED  … for {} more reasons", reasons.len() - REASONS);
        writeln!(out, "{}", paint(&more, DIM, colour))?;
    }
    if reasons.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What was printed. The end says most.
fn printed(out: &mut dyn Write, whose: &str, printed: &Printed, colour: bool) -> io::Result<()> {
    const LINES: usize = 20;
    for (name, text) in [("stdout", &printed.out), ("stderr", &printed.err)] {
        let lines: Vec<&str> = text.lines().collect();
        let hidden = lines.len().saturating_sub(LINES);
        let note = match hidden {
            0 => String::new(),
            n => format!(" ({n} lines before)"),
        };
        if !lines.is_empty() {
            writeln!(
                out,
                "    {}",
                paint(&format!("{name}{whose}{note}:"), DIM, colour)
            )?;
        }
        for line in &lines[hidden..] {
            writeln!(out, "    | {line}")?;
        }
    }
    Ok(())
}

/// The sums, and where to read more.
fn summary(out: &mut dyn Write, results: &Results, colour: bool, reports: Option<&Path>) -> io::Result<()> {
    let s = &results.document.summary;
    let counts = [
        (s.passed, Outcome::Passed),
        (s.failed, Outcome::Failed),
        (s.error, Outcome::Error),
        (s.skipped, Outcome::Skipped),
        (s.unsupported, Outcome::Unsupported),
        (s.timed_out, Outcome::TimedOut),
        (s.crashed, Outcome::Crashed),
    ];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, o)| {
            let plural = if *o == Outcome::Error && *n > 1 { "s" } else { "" };
            paint(&format!("{n} {}{plural}", o.text()), colour_of(*o), colour)
        })
        .collect();
    writeln!(
        out,
        "{} test{} in {} class{}, {:.1} s: {}",
        s.tests,
        if s.tests == 1 { "" } else { "s" },
        s.classes,
        if s.classes == 1 { "" } else { "es" },
        results.elapsed.as_secs_f64(),
        if parts.is_empty() {
            "nothing ran".to_owned()
        } else {
            parts.join(", ")
        }
    )?;
    if let Some(sanitised) = sanitise::sum(results) {
        writeln!(out, "{sanitised}")?;
    }
    pollution::summary(out, results, colour, reports)?;
    if results.document.head.junit == JUnit::BuiltIn && s.tests > 0 {
        writeln!(
            out,
            "The suite brings no JUnit: its tests ran on poldet's built-in org.junit."
        )?;
    }
    for hint in hints::hints(&results.document) {
        writeln!(out, "{} {hint}", paint("hint:", YELLOW, colour))?;
    }
    missing(out, results, colour)?;
    if results.document.interrupted {
        let text = match &results.interrupted_in {
            Some(test) => format!("Interrupted in {test}: it and what comes after it have no result."),
            None => "Interrupted: the rest did not run.".to_owned(),
        };
        writeln!(out, "{}", paint(&text, YELLOW, colour))?;
    }
    for what in &results.faults {
        writeln!(out, "{}", paint(&format!("internal error: {what}"), RED, colour))?;
    }
    if let Some(what) = &results.internal {
        writeln!(
            out,
            "{}",
            paint(
                &format!("internal error: poldet could not go on: {what}"),
                RED,
                colour
            )
        )?;
    }
    if let Some(dir) = reports {
        writeln!(out, "Reports: {}", dir.display())?;
    }
    Ok(())
}

/// Tests that JUnit announced and that have no result.
fn missing(out: &mut dyn Write, results: &Results, colour: bool) -> io::Result<()> {
    let missing = &results.document.missing;
    let line = match missing.len() {
        0 => return Ok(()),
        1 => "1 test has no result, though JUnit announced it:".to_owned(),
        n => format!("{n} tests have no result, though JUnit announced them:"),
    };
    writeln!(out, "{}", paint(&line, YELLOW, colour))?;
    missing.iter().try_for_each(|test| writeln!(out, "    {test}"))
}

/// The ignore rules, in the form of a file of rules.
pub fn rules(out: &mut dyn Write, rules: &[Rule], json: bool) -> io::Result<()> {
    if json {
        let text = serde_json::to_string_pretty(rules).unwrap_or_default();
        return writeln!(out, "{text}");
    }
    for (i, rule) in rules.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "[{}]\nreason: {}", rule.id, rule.reason)?;
        for term in rule.pattern.split("; ") {
            writeln!(out, "{term}")?;
        }
    }
    Ok(())
}
