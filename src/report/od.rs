//! What `poldet od` found, for people and as rows of IDoFT.

use crate::report::nio::{cell, read_at};
use crate::report::pollution::{frame_text, written};
use poldet_records::{Certificate, OdDocument, OdTest, OdVerdict, SearchPlace};
use std::io::{Result, Write};

/// Names listed of one kind before the rest is only counted.
const MOST_NAMES: usize = 10;

pub fn report(out: &mut dyn Write, document: &OdDocument, colour: bool) -> Result<()> {
    let bold = |text: &str| match colour {
        true => format!("\x1b[1m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    for test in &document.tests {
        match test.verdict {
            OdVerdict::Victim => victim(out, test, &bold)?,
            OdVerdict::Brittle => brittle(out, test, &bold)?,
            _ => other(out, test, &bold)?,
        }
    }
    summary(out, document, &bold)?;
    certificate(out, &document.certificate)?;
    if document.head.interrupted {
        writeln!(out, "Interrupted.")?;
    }
    if !document.without_verdict.is_empty() {
        let names: Vec<String> = document.without_verdict.iter().map(|t| t.test.clone()).collect();
        writeln!(out, "Without a verdict: {}.", some(&names))?;
    }
    if !document.not_run.is_empty() {
        let left: Vec<String> = document
            .not_run
            .iter()
            .map(|(what, n)| format!("{n} {what}"))
            .collect();
        writeln!(out, "Not run: {}.", left.join(", "))?;
    }
    Ok(())
}

fn victim(out: &mut dyn Write, test: &OdTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    writeln!(out, "{}  {}", bold("VICTIM"), test.name())?;
    if let Some(first) = test.polluters.first() {
        writeln!(out, "    passes alone, fails after {}", first.tests.join(", "))?;
    }
    failure(out, test)?;
    for polluter in &test.polluters {
        writeln!(out, "    polluter {}", polluter.tests.join(", "))?;
        places(out, test, &polluter.state, "left")?;
        if !polluter.cleaners.is_empty() {
            let names: Vec<String> = polluter.cleaners.iter().map(|c| c.join(", ")).collect();
            writeln!(out, "        cleaned by {}", some(&names))?;
        }
    }
    end(out, test)
}

fn brittle(out: &mut dyn Write, test: &OdTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    writeln!(out, "{}  {}", bold("BRITTLE"), test.name())?;
    if let Some(first) = test.state_setters.first() {
        writeln!(out, "    fails alone, passes after {}", first.tests.join(", "))?;
    }
    failure(out, test)?;
    for setter in &test.state_setters {
        writeln!(out, "    state-setter {}", setter.tests.join(", "))?;
        places(out, test, &setter.state, "set")?;
    }
    end(out, test)
}

fn places(out: &mut dyn Write, test: &OdTest, state: &[SearchPlace], verb: &str) -> Result<()> {
    for place in state {
        writeln!(
            out,
            "        {verb} {}{}: {} → {}",
            place.root, place.path, place.before, place.after
        )?;
        if let Some(line) = written(&place.written_at, Some(&test.class)) {
            writeln!(out, "            {line}")?;
        }
        if let Some(frame) = read_at(&place.read_at) {
            writeln!(out, "            read at {}", frame_text(frame))?;
        }
    }
    Ok(())
}

fn end(out: &mut dyn Write, test: &OdTest) -> Result<()> {
    if test.declared_order {
        writeln!(out, "    the class declares the order of its tests")?;
    }
    writeln!(out, "    reproduce: {}", test.reproduce)?;
    writeln!(out)
}

fn other(out: &mut dyn Write, test: &OdTest, bold: &dyn Fn(&str) -> String) -> Result<()> {
    let what = match test.verdict {
        OdVerdict::Nod => "NOD",
        OdVerdict::Failing => "FAILING",
        OdVerdict::Unsupported => "UNSUPPORTED",
        OdVerdict::TimedOut => "TIMED OUT",
        OdVerdict::Crashed => "CRASHED",
        _ => return Ok(()),
    };
    writeln!(out, "{}  {}", bold(what), test.name())?;
    failure(out, test)?;
    writeln!(out)
}

fn failure(out: &mut dyn Write, test: &OdTest) -> Result<()> {
    let message = test.message.as_deref().filter(|m| !m.is_empty());
    match message.or(test.stack.first().map(String::as_str)) {
        Some(message) => writeln!(out, "    {message}"),
        None => Ok(()),
    }
}

fn summary(out: &mut dyn Write, document: &OdDocument, bold: &dyn Fn(&str) -> String) -> Result<()> {
    let sums = &document.summary;
    let headline = format!(
        "{} of {} tests are order-dependent: {} victims, {} brittles.",
        sums.victims + sums.brittles,
        sums.tests,
        sums.victims,
        sums.brittles
    );
    writeln!(out, "{}", bold(&headline))?;
    let others = super::search::others(&[
        (sums.independent, "independent"),
        (sums.failing, "failing in every order"),
        (sums.nod, "NOD (the outcome depends on the seed)"),
        (sums.skipped, "skipped"),
        (sums.unsupported, "unsupported"),
        (sums.timed_out, "timed out"),
        (sums.crashed, "crashed"),
    ]);
    others.map_or(Ok(()), |line| writeln!(out, "{line}"))
}

fn certificate(out: &mut dyn Write, certificate: &Certificate) -> Result<()> {
    if certificate.pairs_possible == 0 && certificate.proved_tests == 0 {
        return Ok(());
    }
    if certificate.independent {
        writeln!(
            out,
            "No test reads what another changes: every test has the same outcome in every order."
        )?;
    } else {
        writeln!(
            out,
            "{} tests have provably one outcome in every order.",
            certificate.proved_tests
        )?;
    }
    writeln!(
        out,
        "Of {} pairs, {} cannot interfere by what they read and change; {} runs of pairs decided the others.",
        certificate.pairs_possible, certificate.pairs_excluded, certificate.pairs_run
    )?;
    if certificate.pairs_alike > 0 {
        writeln!(
            out,
            "{} pairs did not run: the first test leaves what another left in all that the second read after that.",
            certificate.pairs_alike
        )?;
    }
    writeln!(
        out,
        "This rests on {} assumptions:",
        certificate.assumptions.len()
    )?;
    for assumption in &certificate.assumptions {
        writeln!(out, "    {} ({} tests)", assumption.what, assumption.count)?;
    }
    Ok(())
}

/// The first names, and how many more there are.
fn some(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().checked_sub(MOST_NAMES) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

/// The command that runs an order again.
pub fn reproduce(command: &[String], order: &[String]) -> String {
    let quoted: Vec<String> = order
        .iter()
        .map(|name| crate::run::command::shell(std::slice::from_ref(name)))
        .collect();
    let run = crate::run::command::shell(command);
    format!("printf '%s\\n' {} | {run} --order /dev/stdin", quoted.join(" "))
}

/// The order-dependent tests as rows of IDoFT; what poldet does not know of the project is left empty.
pub fn idoft(document: &OdDocument) -> String {
    let mut text = format!("{}\n", crate::report::nio::IDOFT);
    for test in &document.tests {
        let (category, helpers) = match test.verdict {
            OdVerdict::Victim => (
                "OD-Vic",
                test.polluters.iter().map(|p| p.tests.join(" ")).collect(),
            ),
            OdVerdict::Brittle => (
                "OD-Brit",
                test.state_setters.iter().map(|s| s.tests.join(" ")).collect(),
            ),
            OdVerdict::Nod => ("NOD", Vec::<String>::new()),
            _ => continue,
        };
        let name = test.name().replace('#', ".");
        text.push_str(&format!(
            ",,,{},{category},,,{}\n",
            cell(&name),
            cell(&helpers.join("; "))
        ));
    }
    text
}
