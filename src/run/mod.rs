//! `poldet run`: the tests of a suite, each with its outcome.
//!
//! Running is three things: a process (`process`, `pipe`), a schedule (`schedule`: what is left, what is next), and a fold
//! (`fold`: from a process's events to those of the run). The supervisor ties them together.

pub mod command;
pub mod discover;
pub mod fold;
mod overlay;
pub mod pipe;
pub mod process;
pub mod results;
pub mod schedule;
pub mod select;
pub mod spec;
pub mod suite;
mod supervisor;
pub mod worker;

use crate::cli::{Dump, FailOn, Format, Run};
use crate::exit;
use crate::report::{self, ReportError, Reporter, human};
use crate::vm_options::VmOptions;
use poldet_records::{Outcome, RunEvent, RunHead, SCHEMA};
use poldet_vm::jdk::Jdk;
use results::Results;
use select::Wanted;
use spec::Spec;
use suite::Suite;
use supervisor::Supervisor;

/// Runs the suite; the answer is the exit code, or one line about what is wrong with the input.
pub fn run(options: &Run) -> Result<i32, String> {
    if options.capture.list_rules {
        return list_rules(options);
    }
    run_with(options, None)
}

/// `poldet dump`: runs the chosen tests and writes the state around them.
pub fn dump(options: &Dump) -> Result<i32, String> {
    if options.run.tests.test.is_empty() {
        return Err("poldet dump needs --test: which test's state is to be written?".into());
    }
    if options.run.capture.no_capture {
        return Err("poldet dump --no-capture has nothing to write".into());
    }
    let out = options.out.display();
    let fail = |e: std::io::Error| format!("cannot write to {out}: {e}");
    std::fs::create_dir_all(&options.out).map_err(fail)?;
    let dir = std::fs::canonicalize(&options.out).map_err(fail)?;
    let made = dir.join("diff.json");
    // What an earlier dump left here would pass for this one's.
    let _ = std::fs::remove_file(&made);
    let code = run_with(&options.run, Some(dir.display().to_string()))?;
    if made.exists() {
        report::note("poldet", &format!("before, after and diff are in {out}"));
        return Ok(code);
    }
    report::note(
        "warning",
        &format!("nothing was written to {out}: no test ran to its end"),
    );
    Ok(if code == exit::COMPLETE {
        exit::INCOMPLETE
    } else {
        code
    })
}

/// A run that is ready to begin.
struct Prepared {
    suite: Suite,
    steps: Vec<Wanted>,
    spec: Spec,
    head: RunHead,
    warnings: Vec<String>,
}

fn run_with(options: &Run, dump: Option<String>) -> Result<i32, String> {
    let prepared = prepare(options, dump)?;
    let mut reporters = report::reporters(&options.report, options.tests.list)?;
    for what in prepared.warnings {
        tell(&mut reporters, &RunEvent::Warning { what });
    }
    if prepared.steps.is_empty() {
        let what = format!("no test classes found in {}", prepared.suite.text());
        tell(&mut reporters, &RunEvent::Warning { what });
        return Ok(exit::NO_TESTS);
    }
    let started = RunEvent::RunStarted {
        head: Box::new(prepared.head.clone()),
        classes: prepared.steps.iter().map(|s| s.classes.len()).sum(),
    };
    tell(&mut reporters, &started);
    let mut results = Results::new(prepared.head);
    let mut supervisor = Supervisor::new(prepared.spec, options.tests.list, &mut results, &mut reporters);
    supervisor.run_all(&prepared.suite, &prepared.steps)?;
    let code = exit_code(options, &results);
    if code == exit::NO_TESTS && !options.tests.list {
        let what = format!("no tests found in {}", results.document.head.suite);
        tell(&mut reporters, &RunEvent::Warning { what });
    }
    for reporter in &mut reporters {
        match reporter.finish(&results) {
            Ok(()) => {}
            Err(ReportError::ReaderGone) => return Ok(exit::COMPLETE),
            Err(ReportError::Failed(line)) => return Err(line),
        }
    }
    Ok(code)
}

/// All that can be known, and be wrong, before anything runs.
fn prepare(options: &Run, dump: Option<String>) -> Result<Prepared, String> {
    let jdk = Jdk::find(options.vm.jdk.as_deref())?;
    let timeout = options.conditions.timeout;
    if !timeout.is_finite() || timeout < 0.0 {
        return Err(format!("--timeout takes seconds, not {timeout}"));
    }
    // Builds run their tests with assertions.
    let (mut vm, ignored) = VmOptions::new(&options.vm, &jdk, true)?;
    if !vm.properties.iter().any(|(k, _)| k == "basedir") {
        let basedir = spec::basedir(&options.conditions)?;
        vm.properties.push(("basedir".into(), basedir));
    }
    let mut warnings: Vec<String> = ignored
        .iter()
        .map(|o| format!("ignored JVM option {o}"))
        .collect();
    let suite = Suite::open(&options.suite)?;
    warnings.extend(suite.warnings.iter().cloned());
    let globs = discover::Globs::new(&options.tests.include, &options.tests.exclude)?;
    let classes = discover::test_classes(&suite, &globs);
    let (steps, unknown) = select::steps(&options.tests, &suite, &classes)?;
    warnings.extend(unknown);
    let mut spec = Spec::new(options, vm, &suite)?;
    if let Some(capture) = &mut spec.capture {
        capture.dump = dump;
    }
    let head = RunHead {
        schema: SCHEMA,
        poldet: env!("CARGO_PKG_VERSION").into(),
        suite: suite.text(),
        jdk: jdk.version.clone(),
        seed: options.vm.seed,
        junit: suite.junit(),
        command: command::words(options, &jdk),
        capture: spec.capture.clone(),
    };
    Ok(Prepared {
        suite,
        steps,
        spec,
        head,
        warnings,
    })
}

fn tell(reporters: &mut [Box<dyn Reporter>], event: &RunEvent) {
    reporters.iter_mut().for_each(|r| r.event(event));
}

fn list_rules(options: &Run) -> Result<i32, String> {
    let book = spec::book_of(&options.capture)?;
    let rules = [book.ignore, book.known].concat();
    let json = matches!(options.report.format, Format::Json | Format::Jsonl);
    let written = human::rules(&mut std::io::stdout().lock(), &rules, json);
    match written.map_err(ReportError::from) {
        Ok(()) | Err(ReportError::ReaderGone) => Ok(exit::COMPLETE),
        Err(ReportError::Failed(line)) => Err(line),
    }
}

fn exit_code(options: &Run, results: &Results) -> i32 {
    let document = &results.document;
    let summary = &document.summary;
    let incomplete = document.interrupted || results.unclean || !document.missing.is_empty();
    if !document.faults.is_empty() {
        return exit::INTERNAL;
    }
    if options.tests.list {
        return match incomplete {
            true => exit::INCOMPLETE,
            false if results.listed.is_empty() => exit::NO_TESTS,
            false => exit::COMPLETE,
        };
    }
    let fail_on = &options.report.fail_on;
    let hit = |outcome: Outcome| fail_on.iter().any(|f| f.covers(outcome));
    let polluted = fail_on.contains(&FailOn::Polluter) && summary.polluters.is_some_and(|n| n > 0);
    if polluted || document.tests.iter().any(|r| hit(r.outcome)) {
        exit::FAIL_ON
    } else if incomplete || summary.unsupported + summary.crashed + summary.timed_out > 0 {
        exit::INCOMPLETE
    } else if summary.tests == 0 {
        exit::NO_TESTS
    } else {
        exit::COMPLETE
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
