//! `poldet run`: the tests of a suite, each with its outcome.
//!
//! Running is three things: a process (`process`, `pipe`), a schedule (`schedule`: what is left, what is next), and a fold
//! (`fold`: from a process's events to those of the run). The supervisor ties them together.

pub mod command;
pub mod discover;
pub mod fold;
pub mod overlay;
pub mod pipe;
pub mod process;
pub mod results;
pub mod schedule;
pub mod select;
pub mod spec;
pub mod suite;
mod supervisor;
pub mod worker;

use crate::cli::{Dump, FailOn, Format, Isolate, Run};
use crate::exit;
use crate::explore;
use crate::report::{self, ReportError, Reporter, human};
use crate::sandbox::{self, Mode};
use crate::vm_options::VmOptions;
use discover::Candidate;
use poldet_records::{Outcome, RunEvent, RunHead, SCHEMA, SandboxState};
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
pub struct Prepared {
    pub jdk: Jdk,
    pub suite: Suite,
    /// All test classes of the suite.
    pub classes: Vec<Candidate>,
    pub steps: Vec<Wanted>,
    pub spec: Spec,
    pub head: RunHead,
    pub warnings: Vec<String>,
}

fn run_with(options: &Run, dump: Option<String>) -> Result<i32, String> {
    let mut prepared = prepare(options, dump)?;
    if options.isolation.isolate != Isolate::None && !options.tests.list {
        look_for_sandbox(&mut prepared)?;
    }
    let mut reporters = report::reporters(&options.report, options.tests.list)?;
    for what in std::mem::take(&mut prepared.warnings) {
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
    let mut results = Results::new(prepared.head.clone());
    if options.isolation.isolate == Isolate::None || options.tests.list {
        let mut supervisor = Supervisor::new(prepared.spec, options.tests.list, &mut results, &mut reporters);
        supervisor.run_all(&prepared.suite, &prepared.steps)?;
    } else {
        run_isolated(options, prepared, &mut results, &mut reporters)?;
    }
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

/// What cannot be had together with isolation.
fn check_isolation(options: &Run) -> Result<(), String> {
    let (tests, conditions) = (&options.tests, &options.conditions);
    let other = [
        (conditions.write_through, "--write-through"),
        (tests.order.is_some(), "--order"),
        (options.report.show_output, "--show-output"),
    ];
    match other.iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(format!("--isolate cannot be combined with {name}")),
        None => Ok(()),
    }
}

/// All that can be known, and be wrong, before anything runs.
pub fn prepare(options: &Run, dump: Option<String>) -> Result<Prepared, String> {
    if options.isolation.isolate != Isolate::None {
        check_isolation(options)?;
    }
    let jdk = Jdk::find(options.vm.jdk.as_deref())?;
    let timeout = options.conditions.timeout;
    if !timeout.is_finite() || timeout < 0.0 {
        return Err(format!("--timeout takes seconds, not {timeout}"));
    }
    // Builds run their tests with assertions.
    let (mut vm, ignored) = VmOptions::new(
        &options.vm,
        &jdk,
        true,
        !options.conditions.identity.host_identity,
    )?;
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
    let conditions = &options.conditions;
    let identity = conditions.identity.identity(&jdk, conditions.write_through)?;
    let mut spec = Spec::new(options, vm, identity, &suite)?;
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
        sandbox: sandbox_state(options.conditions.sandbox)?,
        capture: spec.capture.clone(),
    };
    Ok(Prepared {
        jdk,
        suite,
        classes,
        steps,
        spec,
        head,
        warnings,
    })
}

/// What is asked of the sandbox; an error if it must lack nothing and does. What it lacks else, a worker reports.
fn sandbox_state(mode: Mode) -> Result<SandboxState, String> {
    let state = SandboxState {
        mode: mode.text().into(),
        missing: Vec::new(),
    };
    if mode == Mode::Require {
        let missing = sandbox::probe()?;
        if !missing.is_empty() {
            return Err(format!(
                "--sandbox require: this machine lacks {}",
                missing.join("; ")
            ));
        }
    }
    Ok(state)
}

/// Where no worker can report what its sandbox lacks, it is found out before.
pub fn look_for_sandbox(prepared: &mut Prepared) -> Result<(), String> {
    let state = &mut prepared.head.sandbox;
    if state.mode == Mode::Auto.text() {
        state.missing = sandbox::probe()?;
        let warnings = state.missing.iter().map(|part| format!("sandbox without {part}"));
        prepared.warnings.extend(warnings);
    }
    Ok(())
}

/// Every class, or every test, in a process of its own.
fn run_isolated(
    options: &Run,
    prepared: Prepared,
    results: &mut Results,
    reporters: &mut [Box<dyn Reporter>],
) -> Result<(), String> {
    let start = std::time::Instant::now();
    let isolation = &options.isolation;
    let mut publish = |event: RunEvent| {
        results.take(&event);
        reporters.iter_mut().for_each(|r| r.event(&event));
    };
    explore::isolate::run(prepared, isolation.isolate, isolation.jobs(), &mut publish)?;
    results.close(start.elapsed());
    let summary = results.document.summary.clone();
    reporters.iter_mut().for_each(|r| {
        r.event(&RunEvent::RunFinished {
            summary: summary.clone(),
        })
    });
    Ok(())
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
