//! `poldet run`: the tests of a suite, each with its outcome.

pub mod command;
pub mod discover;
pub mod jvm;
pub mod results;
pub mod select;
pub mod spec;
pub mod suite;
pub mod supervisor;
pub mod worker;

use crate::cli::{Dump, FailOn, Format, Run};
use crate::exit;
use crate::report::{html, human, json, junit_xml, progress, saved};
use jvm::Conditions;
use poldet_records::{Document, Outcome, SCHEMA, Summary};
use poldet_vm::jdk::Jdk;
use results::Results;
use spec::Spec;
use std::io::{IsTerminal, Write};
use suite::Suite;
use supervisor::{Settings, Supervisor};

/// Runs the suite; the answer is the exit code, or one line about what is wrong with the input.
pub fn run(options: &Run) -> Result<i32, String> {
    if options.pollution.list_rules {
        return list_rules(options);
    }
    run_with(options, None)
}

/// `poldet dump`: runs the chosen tests and writes the state around them.
pub fn dump(options: &Dump) -> Result<i32, String> {
    if options.run.test.is_empty() {
        return Err("poldet dump needs --test: which test's state is to be written?".into());
    }
    if options.run.pollution.no_capture {
        return Err("poldet dump --no-capture has nothing to write".into());
    }
    let fail = |e: std::io::Error| format!("cannot write to {}: {e}", options.out.display());
    std::fs::create_dir_all(&options.out).map_err(fail)?;
    let dir = std::fs::canonicalize(&options.out).map_err(fail)?;
    let made = dir.join("diff.json");
    // What an earlier dump left here would pass for this one's.
    let _ = std::fs::remove_file(&made);
    let code = run_with(&options.run, Some(dir.display().to_string()))?;
    if !made.exists() {
        eprintln!(
            "poldet: nothing was written to {}: no test ran to its end",
            options.out.display()
        );
        return Ok(if code == exit::COMPLETE {
            exit::INCOMPLETE
        } else {
            code
        });
    }
    eprintln!("poldet: before, after and diff are in {}", options.out.display());
    Ok(code)
}

fn run_with(options: &Run, dump: Option<String>) -> Result<i32, String> {
    let jdk = Jdk::find(options.jdk.as_deref())?;
    if !options.timeout.is_finite() || options.timeout < 0.0 {
        return Err(format!("--timeout takes seconds, not {}", options.timeout));
    }
    let conditions = Conditions::of(options)?;
    for option in &conditions.ignored {
        eprintln!("poldet: ignored JVM option {option}");
    }
    let suite = Suite::open(&options.suite, options.class_path.as_deref())?;
    for warning in &suite.warnings {
        eprintln!("poldet: {warning}");
    }
    let globs = discover::Globs::new(&options.include, &options.exclude)?;
    let classes = discover::test_classes(&suite, &globs);
    let (steps, unknown) = select::steps(options, &suite, &classes)?;
    for line in &unknown {
        eprintln!("poldet: {line}");
    }
    if steps.is_empty() {
        eprintln!("poldet: no test classes found in {}", suite.text());
        return Ok(exit::NO_TESTS);
    }
    if let Some(dir) = report_dir(options) {
        // Told now rather than when all has run.
        std::fs::create_dir_all(&dir)
            .map_err(|e| format!("cannot write reports to {}: {e}", dir.display()))?;
    }
    if let Some(file) = &options.html {
        html::check(file)?;
    }
    let mut spec = Spec::new(options, &jdk, &conditions, &suite)?;
    if let Some(capture) = &mut spec.capture {
        capture.dump = dump;
        capture.graphs = options.html.is_some();
    }
    let settings = Settings {
        list: options.list,
        silence: std::time::Duration::from_secs(300),
    };
    let mut results = Results::new(document(options, &jdk, &suite, &spec));
    let count = steps.iter().map(|s| s.classes.len()).sum();
    let progress = progress::Progress::new(options.color.on(std::io::stderr().is_terminal()), count);
    let mut supervisor = Supervisor::new(spec, settings, &mut results, progress);
    supervisor.run_all(&suite, steps)?;
    finish(options, &results)
}

/// The document of a run that has not begun.
fn document(options: &Run, jdk: &Jdk, suite: &Suite, spec: &Spec) -> Document {
    Document {
        schema: SCHEMA,
        poldet: env!("CARGO_PKG_VERSION").into(),
        suite: suite.text(),
        jdk: jdk.version.clone(),
        seed: options.seed,
        junit: suite.junit(),
        command: command::words(options, jdk),
        capture: spec.capture.clone(),
        interrupted: false,
        faults: Vec::new(),
        tests: Vec::new(),
        class_output: Vec::new(),
        fixtures: spec.capture.as_ref().map(|_| Vec::new()),
        summary: Summary::default(),
    }
}

fn list_rules(options: &Run) -> Result<i32, String> {
    let rules = spec::rules_of(&options.pollution)?;
    let mut out = std::io::stdout().lock();
    match human::rules(&mut out, &rules, options.format) {
        Ok(()) => Ok(exit::COMPLETE),
        Err(e) => quiet_pipe(&e),
    }
}

fn finish(options: &Run, results: &Results) -> Result<i32, String> {
    let stdout = std::io::stdout();
    let mut out = std::io::BufWriter::new(stdout.lock());
    if options.list {
        return match human::list(&mut out, results, options.format).and_then(|()| out.flush()) {
            Ok(()) if !results.document.faults.is_empty() => Ok(exit::INTERNAL),
            Ok(()) if results.document.interrupted => Ok(exit::INCOMPLETE),
            Ok(()) if results.listed.is_empty() => Ok(exit::NO_TESTS),
            Ok(()) => Ok(exit::COMPLETE),
            Err(e) => quiet_pipe(&e),
        };
    }
    let written = report_dir(options);
    if let Some(dir) = &written {
        junit_xml::write(dir, &results.document)
            .and_then(|()| std::fs::write(dir.join(saved::FILE), json::text(&results.document)))
            .map_err(|e| format!("cannot write reports to {}: {e}", dir.display()))?;
    }
    if let Some(file) = &options.html {
        std::fs::write(file, html::page(results))
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    }
    let terminal = std::io::stdout().is_terminal();
    let colour = options.color.on(terminal);
    let shown = match options.format {
        Format::Json => out.write_all(json::text(&results.document).as_bytes()),
        Format::Human => human::report(&mut out, results, colour, terminal, written.as_deref()),
        Format::Junit => human::summary(&mut out, results, colour, written.as_deref()),
    };
    if let Err(e) = shown.and_then(|()| out.flush()) {
        return quiet_pipe(&e);
    }
    Ok(exit_code(options, results))
}

/// The folder for reports, where there are to be any.
fn report_dir(options: &Run) -> Option<std::path::PathBuf> {
    match (&options.report_dir, options.format) {
        _ if options.list => None,
        (None, Format::Junit) => Some(saved::DEFAULT_DIR.into()),
        (dir, _) => dir.clone(),
    }
}

/// A reader that went away is no error.
fn quiet_pipe(e: &std::io::Error) -> Result<i32, String> {
    match e.kind() {
        std::io::ErrorKind::BrokenPipe => Ok(exit::COMPLETE),
        _ => Err(format!("cannot write: {e}")),
    }
}

fn exit_code(options: &Run, results: &Results) -> i32 {
    let document = &results.document;
    let summary = &document.summary;
    if !document.faults.is_empty() {
        return exit::INTERNAL;
    }
    let hit = |outcome: Outcome| options.fail_on.iter().any(|f| f.covers(outcome));
    let polluted = options.fail_on.contains(&FailOn::Polluter) && summary.polluters.is_some_and(|n| n > 0);
    if polluted || document.tests.iter().any(|r| hit(r.outcome)) {
        exit::FAIL_ON
    } else if document.interrupted || summary.unsupported + summary.crashed + summary.timed_out > 0 {
        exit::INCOMPLETE
    } else if summary.tests == 0 {
        eprintln!("poldet: no tests found in {}", document.suite);
        exit::NO_TESTS
    } else {
        exit::COMPLETE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use poldet_records::JUnit;

    #[test]
    fn a_fault_of_ours_is_told_and_decides_the_exit_code() {
        let cli = crate::cli::Cli::parse_from(["poldet", "run", "suite.jar", "--verify-capture"]);
        let crate::cli::Command::Run(options) = cli.command else {
            panic!("not a run");
        };
        let mut results = Results::new(Document {
            schema: SCHEMA,
            poldet: "0".into(),
            suite: "suite.jar".into(),
            jdk: "17".into(),
            seed: 0,
            junit: JUnit::BuiltIn,
            command: Vec::new(),
            capture: None,
            interrupted: false,
            faults: Vec::new(),
            tests: Vec::new(),
            class_output: Vec::new(),
            fixtures: None,
            summary: Summary::default(),
        });
        results.faults.push("after a.B#c: two ways disagree".into());
        results.close(std::time::Duration::ZERO);
        assert_eq!(exit_code(&options, &results), exit::INTERNAL);
        let document = json::text(&results.document);
        assert!(document.contains("two ways disagree"), "{document}");
        let mut text = Vec::new();
        human::report(&mut text, &results, false, false, None).expect("a report");
        let text = String::from_utf8_lossy(&text);
        assert!(
            text.contains("internal error: after a.B#c: two ways disagree"),
            "{text}"
        );
    }
}
