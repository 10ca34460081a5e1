//! Failures that were put down to an assumption: which tests, why, and what they need.

use crate::report::paint::{DIM, YELLOW, paint};
use crate::run::results::Results;
use poldet_records::{Document, NetworkMode, Record, SanitiseRule};
use std::io::{self, Write};

/// Frames shown of where an exception was made.
const FRAMES: usize = 8;
/// Tests shown of a resource.
const TESTS: usize = 5;

/// The sanitised tests with their reasons, the table of resources, and what was considered of tests that failed.
pub fn report(out: &mut dyn Write, results: &Results, colour: bool) -> io::Result<()> {
    let document = &results.document;
    for record in document.tests.iter().filter(|r| r.sanitised().is_some()) {
        sanitised(out, record, colour)?;
    }
    for record in &document.tests {
        considered(out, record, colour)?;
    }
    resources(out, document, colour)?;
    network(out, document, colour)
}

fn sanitised(out: &mut dyn Write, record: &Record, colour: bool) -> io::Result<()> {
    let Some(why) = record.sanitised() else {
        return Ok(());
    };
    let label = paint("SANITISED", YELLOW, colour);
    writeln!(out, "{label}  {}", record.test.text())?;
    let resource = why.resource().map_or_else(String::new, |r| format!(" ({r})"));
    writeln!(out, "    {}: {}{resource}", why.assumption.text(), why.cause())?;
    let how = match why.rule {
        SanitiseRule::Thrown => "rule thrown: it is in the stack trace of what ended the test",
        SanitiseRule::Created => "rule created: it was made and thrown during the test",
        SanitiseRule::Asked => "rule asked: the test asked for it, and failed",
    };
    writeln!(out, "    {how}, by thread \"{}\"", why.thread)?;
    for frame in why.stack.iter().take(FRAMES) {
        let place = match (&frame.file, frame.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => "Unknown Source".to_owned(),
        };
        writeln!(out, "        at {}.{}({place})", frame.class, frame.method)?;
    }
    if why.stack.len() > FRAMES {
        writeln!(out, "        … {} more", why.stack.len() - FRAMES)?;
    }
    let message = record.message.as_deref().and_then(|m| m.lines().next());
    let ended = [record.exception.as_deref(), message];
    let ended: Vec<&str> = ended.into_iter().flatten().collect();
    writeln!(
        out,
        "    the test ended in {}: {}\n",
        why.was.text(),
        ended.join(": ")
    )
}

/// Exceptions that excuse nothing.
fn considered(out: &mut dyn Write, record: &Record, colour: bool) -> io::Result<()> {
    let Some(verdict) = record.sanitise.as_ref().filter(|v| !v.not_sanitised.is_empty()) else {
        return Ok(());
    };
    let label = paint("NOT SANITISED", DIM, colour);
    writeln!(out, "{label}  {}", record.test.text())?;
    for one in &verdict.not_sanitised {
        let message = one
            .message
            .as_ref()
            .map_or_else(String::new, |m| format!(": {m}"));
        writeln!(out, "    {}{message}: {}", one.exception, one.why.text())?;
    }
    writeln!(out)
}

fn resources(out: &mut dyn Write, document: &Document, colour: bool) -> io::Result<()> {
    if document.resources.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{}",
        paint("Resources that sanitised tests need:", YELLOW, colour)
    )?;
    for row in &document.resources {
        let mut tests = row
            .tests
            .iter()
            .take(TESTS)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        if row.tests.len() > TESTS {
            tests.push_str(&format!(" and {} more", row.tests.len() - TESTS));
        }
        writeln!(out, "    {}  {}: {tests}", row.assumption.text(), row.resource)?;
    }
    writeln!(out)
}

/// What the network was, where it was not closed.
fn network(out: &mut dyn Write, document: &Document, colour: bool) -> io::Result<()> {
    let Some(network) = &document.head.network else {
        return Ok(());
    };
    for fault in &network.faults {
        writeln!(out, "Network fault injected: {}", fault.text())?;
    }
    if network.mode != NetworkMode::Closed {
        let text = format!(
            "--network {}: tests talk to real servers, so two runs may differ.",
            network.mode.text()
        );
        writeln!(out, "{}", paint(&text, YELLOW, colour))?;
        for used in &document.addresses {
            writeln!(out, "    {}: {}", used.resource, used.tests.join(", "))?;
        }
    }
    Ok(())
}

/// For the line of sums.
pub fn sum(results: &Results) -> Option<String> {
    let count = results.document.summary.sanitised?;
    Some(format!("{count} of the skipped tests sanitised"))
}
