//! What `poldet nio` found, for people and as rows of IDoFT.

use crate::report::pollution::{frame_text, written};
use poldet_records::{FailsAlone, Frame, NioDocument, NioMode, NioTest, NioVerdict, Origin};
use std::io::{Result, Write};

pub fn report(out: &mut dyn Write, document: &NioDocument, colour: bool) -> Result<()> {
    let sums = &document.summary;
    let bold = |text: &str| {
        if colour {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    for test in document.tests.iter().filter(|t| t.verdict == NioVerdict::Nio) {
        nio(out, test, &bold)?;
    }
    for test in &document.tests {
        other(out, test, &bold)?;
    }
    let headline = format!(
        "{} of {} tests are NIO: they pass, and fail when run again.",
        sums.nio, sums.tests
    );
    writeln!(out, "{}", bold(&headline))?;
    for mode in NioMode::ALL {
        if let Some(count) = sums.by_mode.get(&mode) {
            writeln!(out, "    {:<16} {count}", mode.text())?;
        }
    }
    let rest = [
        (sums.idempotent, "idempotent"),
        (sums.fails_alone, "fail at their first run"),
        (sums.nondeterministic, "nondeterministic"),
        (sums.skipped, "skipped"),
        (sums.unsupported, "unsupported"),
        (sums.timed_out, "timed out"),
        (sums.crashed, "crashed"),
    ];
    let rest: Vec<String> = rest
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
    if !rest.is_empty() {
        writeln!(out, "Of the others: {}.", rest.join(", "))?;
    }
    if document.interrupted {
        writeln!(out, "Interrupted: tests that were not run are not listed.")?;
    }
    Ok(())
}

fn nio(out: &mut dyn Write, test: &NioTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    writeln!(out, "{}  {}", bold("NIO"), test.name())?;
    let modes: Vec<&str> = test
        .modes
        .iter()
        .filter(|(_, p)| p.shows())
        .map(|(m, _)| m.text())
        .collect();
    writeln!(
        out,
        "    passes, then fails when run again ({})",
        modes.join(", ")
    )?;
    if let Some(message) = failure(test) {
        writeln!(out, "    second run: {message}")?;
    }
    if test.causes.is_empty() {
        writeln!(
            out,
            "    restoring what the first run changed does not make the second pass"
        )?;
    }
    for place in &test.causes {
        writeln!(out, "    because of {}{}", place.root, place.path)?;
        writeln!(out, "        first run left: {} → {}", place.before, place.after)?;
        if let Some(line) = written(&place.written_at, Some(&test.class)) {
            writeln!(out, "        {line}")?;
        }
        if let Some(frame) = read_at(&place.read_at) {
            writeln!(out, "        read at {}", frame_text(frame))?;
        }
    }
    if test.declared_order {
        writeln!(out, "    the class declares the order of its tests")?;
    }
    writeln!(out, "    reproduce: {}", test.reproduce)?;
    writeln!(out)
}

fn other(out: &mut dyn Write, test: &NioTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    let what = match test.verdict {
        NioVerdict::Nio | NioVerdict::Idempotent | NioVerdict::Skipped => return Ok(()),
        NioVerdict::FailsAlone if test.fails_alone == Some(FailsAlone::Brittle) => {
            "FAILS ALONE  (brittle: it passes in the suite's order)"
        }
        NioVerdict::FailsAlone => "FAILS ALONE",
        NioVerdict::Nondeterministic => "NONDETERMINISTIC",
        NioVerdict::Unsupported => "UNSUPPORTED",
        NioVerdict::TimedOut => "TIMED OUT",
        NioVerdict::Crashed => "CRASHED",
    };
    writeln!(out, "{}  {}", bold(what), test.name())?;
    if let Some(message) = failure(test) {
        writeln!(out, "    {message}")?;
    }
    writeln!(out)
}

/// The message of a failure, or the first line of its stack trace where it has none.
fn failure(test: &NioTest) -> Option<&str> {
    let message = test.message.as_deref().filter(|m| !m.is_empty());
    message.or(test.stack.first().map(String::as_str))
}

/// The frame of the suite that read, or else the innermost one.
pub fn read_at(stack: &[Frame]) -> Option<&Frame> {
    stack
        .iter()
        .find(|f| f.origin != Some(Origin::Jdk))
        .or(stack.first())
}

/// The header of IDoFT's tables.
pub const IDOFT: &str = "Project URL,SHA Detected,Module Path,\
    Fully-Qualified Test Name (packageName.ClassName.methodName),Category,Status,PR Link,Notes";

/// The NIO tests as rows of IDoFT; what poldet does not know of the project is left empty.
pub fn idoft(document: &NioDocument) -> String {
    let mut text = format!("{IDOFT}\n");
    for test in document.tests.iter().filter(|t| t.verdict == NioVerdict::Nio) {
        let name = test.name().replace('#', ".");
        let places: Vec<String> = test
            .causes
            .iter()
            .map(|c| format!("{}{}", c.root, c.path))
            .collect();
        text.push_str(&format!(
            ",,,{},NIO,,,{}\n",
            cell(&name),
            cell(&places.join("; "))
        ));
    }
    text
}

/// A cell of a CSV file.
pub fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
