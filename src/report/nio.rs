//! What `poldet nio` found, for people and as rows of IDoFT.

use crate::report::is_machinery;
use crate::report::pollution::written;
use poldet_records::{FailsAlone, Frame, NioDocument, NioMode, NioSummary, NioTest, NioVerdict, SearchPlace};
use std::io::{Result, Write};

pub fn report(out: &mut dyn Write, document: &NioDocument, colour: bool) -> Result<()> {
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
    let sums = &document.summary;
    writeln!(out, "{}", bold(&heading(document)))?;
    for mode in NioMode::ALL {
        if let Some(count) = sums.by_mode.get(&mode) {
            writeln!(out, "    {:<16} {count}", mode.text())?;
        }
    }
    if let Some(line) = others(sums) {
        writeln!(out, "{line}")?;
    }
    if document.head.interrupted {
        writeln!(out, "Interrupted: tests that were not run are not listed.")?;
    }
    Ok(())
}

/// Why an NIO test is worth fixing, as Wei et al. (ICSE 2022) put it to developers.
pub const WHY: &str = "the test changes state that it also reads, so it is a latent polluter and a latent victim: \
    it fails when it is run again in the same VM, it may fail after any other test that changes this state, \
    and tests that read this state may fail after it.";

/// How many tests are NIO, in one sentence.
pub fn heading(document: &NioDocument) -> String {
    let sums = &document.summary;
    let (are, they) = match sums.nio {
        1 => ("is", "it passes, and fails"),
        _ => ("are", "they pass, and fail"),
    };
    format!(
        "{} of {} tests {are} NIO: {they} when run again.",
        sums.nio, sums.tests
    )
}

/// The tests that are not NIO, by verdict.
pub fn others(sums: &NioSummary) -> Option<String> {
    super::search::others(&[
        (sums.idempotent, "idempotent"),
        (sums.fails_alone, "fail at their first run"),
        (sums.nondeterministic, "nondeterministic"),
        (sums.skipped, "skipped"),
        (sums.unsupported, "unsupported"),
        (sums.timed_out, "timed out"),
        (sums.crashed, "crashed"),
    ])
}

/// The modes that show a test to be NIO.
pub fn modes(test: &NioTest) -> String {
    let shown = test.modes.iter().filter(|(_, p)| p.shows());
    shown.map(|(m, _)| m.text()).collect::<Vec<_>>().join(", ")
}

/// A test as a bug report.
fn nio(out: &mut dyn Write, test: &NioTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    writeln!(out, "{}  {}", bold("NIO"), test.name())?;
    writeln!(
        out,
        "    What was run: the test twice in a row, with its set-up and tear-down, in one VM ({}).",
        modes(test)
    )?;
    writeln!(
        out,
        "    What failed: the first run passed, the second failed: {}",
        failure(test).unwrap_or_default()
    )?;
    if let Some(frame) = failed_at(test) {
        writeln!(out, "        {frame}")?;
    }
    for lines in place_lines(test) {
        writeln!(out, "    Which state: {}", lines[0])?;
        for line in &lines[1..] {
            writeln!(out, "        {line}")?;
        }
    }
    if test.declared_order {
        writeln!(out, "    The class declares the order of its tests.")?;
    }
    writeln!(out, "    Why it matters: {WHY}")?;
    writeln!(out, "    Reproduce: {}", test.reproduce)?;
    writeln!(out)
}

/// The line of the stack trace in code of the suite.
fn failed_at(test: &NioTest) -> Option<&str> {
    let frames = test.stack.iter().map(|line| line.trim());
    let mut frames = frames.filter(|line| line.starts_with("at "));
    frames.find(|line| !is_machinery(line["at ".len()..].rsplit('/').next().unwrap_or_default()))
}

/// What is said of each place to blame.
pub fn place_lines(test: &NioTest) -> Vec<Vec<String>> {
    if test.causes.is_empty() {
        return vec![vec![
            "not known: restoring what the first run changed does not make the second pass".into(),
        ]];
    }
    let together = match test.causes.len() {
        1 => "it passes when this is restored in between",
        _ => "it passes when this and the other places named here are restored in between",
    };
    let place = |place: &SearchPlace| {
        let mut lines = vec![format!(
            "{}{}: {} → {}",
            place.root, place.path, place.before, place.after
        )];
        if let Some(line) = written(&place.written_at, Some(&test.class)) {
            lines.push(format!("first run: {line}"));
        }
        if let Some(line) = read(&place.read_at, Some(&test.class)) {
            lines.push(format!("second run: {line}; {together}"));
        } else {
            lines.push(format!("second run: {together}"));
        }
        lines
    };
    test.causes.iter().map(place).collect()
}

/// Where it was read, and from where in the test: one line.
fn read(stack: &[Frame], class: Option<&str>) -> Option<String> {
    let line = written(stack, class)?;
    Some(line.replacen("written at", "read at", 1))
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
pub fn failure(test: &NioTest) -> Option<&str> {
    let message = test.message.as_deref().filter(|m| !m.is_empty());
    message.or(test.stack.first().map(String::as_str))
}

/// The frame of the suite that read, or else the innermost one.
pub fn read_at(stack: &[Frame]) -> Option<&Frame> {
    stack.iter().find(|f| !is_machinery(&f.class)).or(stack.first())
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
