//! `poldet run`: the tests of a suite, each with its outcome.
//!
//! Running is three things: a process (`process`, `pipe`), a schedule (`schedule`: what is left, what is next), and a fold
//! (`fold`: from a process's events to those of the run). The supervisor ties them together.

pub mod command;
pub mod discover;
pub mod fold;
pub mod interrupt;
pub mod names;
pub mod outside;
pub mod overlay;
pub mod pipe;
pub mod process;
pub mod results;
pub mod schedule;
pub mod select;
pub mod shown;
pub mod spec;
pub mod suite;
mod supervisor;
pub mod uses;
pub mod worker;

use crate::baseline::Baseline;
use crate::cache::run::RunCache;
use crate::cache::search::SearchCache;
use crate::cli::{Dump, FailOn, Format, Isolate, Run};
use crate::exit;
use crate::explore;
use crate::last;
use crate::project;
use crate::report::{self, ReportError, Reporter, human};
use crate::sandbox::{self, Mode};
use crate::vm_options::{VmOptions, unused_java_home};
use discover::Candidate;
use poldet_junit_shim::select::Selector;
use poldet_records::{Document, Network, NetworkMode, Outcome, RunEvent, RunHead, SCHEMA, SandboxState};
use poldet_vm::jdk::Jdk;
use results::Results;
use select::Wanted;
use spec::Spec;
use std::path::PathBuf;
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
    // What an earlier dump left here would pass for this one's.
    for folder in dumped(&dir) {
        let _ = std::fs::remove_file(folder.join("test.txt"));
    }
    let code = run_with(&options.run, Some(dir.display().to_string()))?;
    let mut count = 0;
    for folder in dumped(&dir) {
        if let Ok(test) = std::fs::read_to_string(folder.join("test.txt")) {
            let shown = folder.strip_prefix(&dir).unwrap_or(&folder);
            let place = options.out.join(shown);
            let what = format!(
                "before, after and diff of {} are in {}",
                test.trim(),
                place.display()
            );
            report::note("poldet", &what);
            count += 1;
        }
    }
    if count > 0 {
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

/// The folder itself and the numbered ones in it, in which a dump may be.
fn dumped(dir: &std::path::Path) -> Vec<PathBuf> {
    let further = (2_u32..)
        .map(|n| dir.join(n.to_string()))
        .take_while(|d| d.is_dir());
    std::iter::once(dir.to_owned()).chain(further).collect()
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
    /// Of a module: its folders with sources, and its own.
    pub sources: Vec<PathBuf>,
    pub dir: PathBuf,
}

fn run_with(options: &Run, dump: Option<String>) -> Result<i32, String> {
    let options = &of_last_run(options)?;
    check_second_look(options)?;
    let baseline = baseline_of(options)?;
    let dump_less = dump.is_none();
    let mut prepared = prepare_all(options, dump)?;
    if options.isolation.isolate != Isolate::None && !options.tests.list {
        prepared.iter_mut().try_for_each(look_for_sandbox)?;
    }
    let mut report = options.report.clone();
    if report.sources.is_empty() {
        report.sources = prepared.iter().flat_map(|p| p.sources.clone()).collect();
    }
    let mut reporters = report::reporters(&report, options.tests.list)?;
    // A choice of tests says too little to take the place of a whole run.
    let chosen = !options.tests.test.is_empty() || options.tests.order.is_some();
    if !options.tests.list && !chosen && dump_less {
        let project = project::of_command(options);
        let keep = last::Keep::new(project.as_deref());
        reporters.extend(keep.map(|k| Box::new(k) as Box<dyn Reporter>));
    }
    for what in prepared.iter_mut().flat_map(|p| std::mem::take(&mut p.warnings)) {
        tell(&mut reporters, &RunEvent::Warning { what });
    }
    if prepared.iter().all(|p| p.steps.is_empty()) {
        let what = no_classes(options, &prepared);
        tell(&mut reporters, &RunEvent::Warning { what });
        return Ok(exit::NO_TESTS);
    }
    let mut cache = RunCache::of(options, &prepared)?;
    let known = cache.as_ref().and_then(RunCache::known);
    if cache.is_some() && known.is_none() {
        let isolated = options.isolation.isolate != Isolate::None;
        for one in &mut prepared {
            one.spec.uses = true;
            if isolated {
                SearchCache::extend(&mut one.spec, options)?;
            }
        }
    }
    let head = prepared[0].head.clone();
    let steps = prepared.iter().flat_map(|p| &p.steps);
    let started = RunEvent::RunStarted {
        head: Box::new(head.clone()),
        classes: steps.map(|s| s.classes.len()).sum(),
    };
    tell(&mut reporters, &started);
    reporters.extend(cache.as_ref().map(RunCache::recorder));
    let mut results = Results::new(head.clone());
    let asked: Vec<Selector> = (prepared.iter())
        .flat_map(|p| &p.steps)
        .flat_map(|s| s.only.clone())
        .collect();
    let likely = likely_names(&asked, &prepared);
    let start = std::time::Instant::now();
    if let Some((events, missing)) = known {
        cache = None;
        results.document.head.sandbox.missing = missing;
        for event in events {
            results.take(&event);
            tell(&mut reporters, &event);
        }
    } else if options.isolation.isolate == Isolate::None || options.tests.list {
        let spec = prepared[0].spec.clone();
        let mut supervisor = Supervisor::new(spec, options.tests.list, &mut results, &mut reporters);
        for one in prepared {
            collect(cache.as_mut(), || {
                supervisor.run_all(one.spec, &one.suite, &one.steps)
            })?;
        }
    } else {
        for one in prepared {
            collect(cache.as_mut(), || {
                run_isolated(options, one, &mut results, &mut reporters)
            })?;
        }
    }
    results.close(start.elapsed());
    if let Some(cache) = cache {
        cache.keep(&head, &results);
    }
    if !options.tests.list && dump_less {
        second_look(options, &mut results, &mut reporters)?;
        results.elapsed = start.elapsed();
    }
    let summary = results.document.summary.clone();
    tell(&mut reporters, &RunEvent::RunFinished { summary });
    for what in baseline.iter().flat_map(|b| new_places(b, &results)) {
        tell(&mut reporters, &RunEvent::Warning { what });
    }
    let mut code = exit_code(options, &results, baseline.as_ref());
    if !options.tests.list && !results.document.interrupted {
        let lines = no_tests(options, &results, &asked, &likely);
        if !lines.is_empty() && code == exit::COMPLETE {
            code = exit::NO_TESTS;
        }
        for what in lines {
            tell(&mut reporters, &RunEvent::Warning { what });
        }
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

/// What tests pollute and did not pollute in the baseline, in words.
fn new_places(baseline: &Baseline, results: &Results) -> Vec<String> {
    let document = &results.document;
    let new = |r: &poldet_records::Record| {
        let places = baseline.new_places(r, document.is_strict());
        let line = format!(
            "not in the baseline: {} pollutes {}",
            r.test.text(),
            places.join(", ")
        );
        (!places.is_empty()).then_some(line)
    };
    document.tests.iter().filter_map(new).collect()
}

/// Runs tests again to find out what they read, and who suffers from whom.
fn second_look(
    options: &Run,
    results: &mut Results,
    reporters: &mut [Box<dyn Reporter>],
) -> Result<(), String> {
    let capture = &options.capture;
    let wanted = explore::impact::Wanted {
        access: capture.access,
        impact: capture.impact,
    };
    let document = &results.document;
    let failed = document.tests.iter().any(|r| r.outcome.is_bad());
    let asked = capture.access || capture.impact;
    let pointless = document.head.capture.is_none() || results.internal.is_some() || document.interrupted;
    // What tests do to real files and servers is not to be done twice unless somebody asks for it.
    let harmless = !options.conditions.write_through && document.head.network.is_none();
    if pointless || !(asked || failed && !capture.no_links && harmless) {
        return Ok(());
    }
    for mut prepared in prepare_all(&without_choice(options), None)? {
        let more = vec![report::json::text(&results.document), format!("{wanted:?}")];
        let cache = SearchCache::of("second look", options, &prepared.spec, more)?;
        if let Some((known, _)) = cache.as_ref().and_then(SearchCache::known::<Document>) {
            explore::impact::take(known, &mut results.document);
            continue;
        }
        if cache.is_some() {
            SearchCache::extend(&mut prepared.spec, options)?;
        }
        let jobs = options.isolation.jobs();
        let looked = explore::impact::look(prepared, jobs, wanted, &mut results.document);
        if let Some(cache) = cache {
            let stopped = interrupt::flag().load(std::sync::atomic::Ordering::SeqCst);
            let whole = looked.is_ok() && !stopped && !results.document.tests.iter().any(lost);
            cache.keep(&results.document, Vec::new(), whole);
        }
        if let Err(why) = looked {
            let what = format!("tests could not be run again to find out what they read: {why}");
            tell(reporters, &RunEvent::Warning { what });
        }
    }
    if interrupt::flag().load(std::sync::atomic::Ordering::SeqCst) {
        let event = RunEvent::Interrupted { test: None };
        results.take(&event);
        tell(reporters, &event);
    }
    Ok(())
}

/// Whether a test ended as it may not end the next time.
fn lost(record: &poldet_records::Record) -> bool {
    let lost = |o: Outcome| matches!(o, Outcome::Crashed | Outcome::TimedOut);
    lost(record.outcome) || record.alone.is_some_and(lost)
}

/// The same suite; which of its tests run again is another question.
fn without_choice(options: &Run) -> Run {
    let mut all = options.clone();
    all.tests.test.clear();
    all.tests.order = None;
    all
}

/// Runs a suite, and finds out what it used where somebody wants to know.
fn collect(cache: Option<&mut RunCache>, run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let Some(cache) = cache else { return run() };
    uses::collect();
    let ran = run();
    if let Some(collected) = uses::end() {
        cache.used(&collected);
    }
    ran
}

/// `--failed` and `--polluters`: the tests of the last run that did so.
fn of_last_run(options: &Run) -> Result<Run, String> {
    let mut run = options.clone();
    let tests = &options.tests;
    if !tests.failed && !tests.polluters {
        return Ok(run);
    }
    let document = report::saved::read(None)?;
    let wanted = |r: &&poldet_records::Record| {
        (tests.failed && r.outcome.is_bad()) || (tests.polluters && r.is_polluter())
    };
    let mut names: Vec<String> = Vec::new();
    for record in document.tests.iter().filter(wanted) {
        let after = record.state.iter().flat_map(|s| s.after.clone());
        for name in after.filter(|_| tests.polluters).chain([record.test.text()]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        let what = match (tests.failed, tests.polluters) {
            (true, false) => "failed",
            (false, true) => "polluted",
            _ => "failed or polluted",
        };
        return Err(format!(
            "no test {what} in the last run of {}",
            document.head.suite
        ));
    }
    run.tests.test = names;
    Ok(run)
}

fn baseline_of(options: &Run) -> Result<Option<Baseline>, String> {
    let report = &options.report;
    if report.fail_on.contains(&FailOn::NewPolluter) && report.baseline.is_none() {
        return Err("--fail-on new-polluter needs --baseline FILE, a poldet.json of an earlier run".into());
    }
    report.baseline.as_deref().map(Baseline::read).transpose()
}

/// Why there is no class to look for tests in.
fn no_classes(options: &Run, prepared: &[Prepared]) -> String {
    let places: Vec<String> = prepared.iter().map(|p| p.suite.text()).collect();
    let places = places.join(":");
    let quoted = |list: &[String]| {
        let list: Vec<String> = list.iter().map(|g| format!("'{g}'")).collect();
        list.join(", ")
    };
    let tests = &options.tests;
    match (tests.include.is_empty(), tests.exclude.is_empty()) {
        (true, true) => format!("no test classes found in {places}"),
        (false, true) => format!(
            "no class in {places} matches --include {}",
            quoted(&tests.include)
        ),
        (true, false) => format!(
            "--exclude {} leaves no test classes in {places}",
            quoted(&tests.exclude)
        ),
        (false, false) => format!(
            "no class in {places} matches --include {} without --exclude {}",
            quoted(&tests.include),
            quoted(&tests.exclude)
        ),
    }
}

/// Names to suggest when a selector finds nothing.
fn likely_names(asked: &[Selector], prepared: &[Prepared]) -> Vec<String> {
    if asked.is_empty() {
        return Vec::new();
    }
    let of = |p: &Prepared| names::likely(&p.suite, &p.classes);
    let all = prepared.iter().flat_map(of);
    all.filter(|n| n.contains('#')).collect()
}

/// That nothing ran, or which of the tests that were asked for are not there.
fn no_tests(options: &Run, results: &Results, asked: &[Selector], likely: &[String]) -> Vec<String> {
    /// Lines about single selectors.
    const MOST: usize = 20;
    let document = &results.document;
    let suite = &document.head.suite;
    if let Some(what) = &results.internal {
        // What there is to run is not known; the text for people says the same.
        let told = options.report.format == Format::Human;
        return match told {
            true => Vec::new(),
            false => vec![format!("poldet could not go on: {what}")],
        };
    }
    let vain = select::in_vain(asked, &document.tests);
    if vain.is_empty() && document.summary.tests == 0 && document.missing.is_empty() {
        return vec![format!("no tests found in {suite}")];
    }
    let option = if options.tests.order.is_some() {
        "--order"
    } else {
        "--test"
    };
    let mut lines: Vec<String> = (vain.iter().take(MOST))
        .map(|selector| {
            let text = select::text(selector);
            let hint = names::did_you_mean(&names::near(&text, likely.iter().cloned()));
            format!("no test in {suite} matches {option} '{text}'{hint}")
        })
        .collect();
    if vain.len() > MOST {
        lines.push(format!(
            "{} more names of {option} match no test",
            vain.len() - MOST
        ));
    }
    lines
}

/// What cannot be had together with a second look.
fn check_second_look(options: &Run) -> Result<(), String> {
    let capture = &options.capture;
    for (given, name) in [(capture.access, "--access"), (capture.impact, "--impact")] {
        if given && capture.no_capture {
            return Err(format!("{name} cannot be combined with --no-capture"));
        }
        if given && options.conditions.write_through {
            return Err(format!(
                "{name} cannot be combined with --write-through: tests run again and must be kept apart"
            ));
        }
    }
    Ok(())
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

/// All that can be known, and be wrong, before anything runs, for a search: it works on one suite.
pub fn prepare(options: &Run, dump: Option<String>) -> Result<Prepared, String> {
    let mut all = prepare_all(options, dump)?;
    if all.len() > 1 {
        let dirs: Vec<String> = all.iter().map(|p| format!("'{}'", p.dir.display())).collect();
        return Err(format!(
            "the project has several modules with tests; name one of {}",
            dirs.join(", ")
        ));
    }
    all.pop().ok_or_else(|| "no suite given".into())
}

/// The same for a run: one suite for every module of a project.
fn prepare_all(options: &Run, dump: Option<String>) -> Result<Vec<Prepared>, String> {
    let Some(dir) = project::of_command(options) else {
        let (prepared, unknown) = prepare_one(options, dump)?;
        return match unknown.into_iter().next() {
            Some((_, line)) => Err(line),
            None => Ok(vec![prepared]),
        };
    };
    let modules = project::modules(&dir)?;
    let (mut all, mut unknown) = (Vec::new(), Vec::new());
    for module in &modules {
        let run = project::options_for(options, module);
        let (mut one, lines) = prepare_one(&run, dump.clone())?;
        one.head.suite = command::place(&dir);
        one.head.command = command::words(options);
        one.sources = module.sources.clone();
        one.dir = module.dir.clone();
        one.warnings.extend(module.config.warnings.iter().cloned());
        unknown.push(lines);
        all.push(one);
    }
    // A name is unknown when no module has it.
    let everywhere = |text: &str| unknown.iter().all(|lines| lines.iter().any(|(t, _)| t == text));
    let lost = unknown.first().into_iter().flatten().find(|(t, _)| everywhere(t));
    match lost {
        Some((_, line)) => Err(line.clone()),
        None => Ok(all),
    }
}

/// One suite, and the selectors that name none of its tests, with a line about each.
fn prepare_one(options: &Run, dump: Option<String>) -> Result<(Prepared, select::Unknown), String> {
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
    warnings.extend(unused_java_home(options.vm.jdk.as_deref(), &jdk));
    let suite = Suite::open(&options.suite)?;
    warnings.extend(suite.warnings.iter().cloned());
    let globs = discover::Globs::new(&options.tests.include, &options.tests.exclude)?;
    let classes = discover::test_classes(&suite, &globs);
    check_junit(&suite, &classes)?;
    let (steps, unknown) = select::steps(&options.tests, &suite, &classes)?;
    let conditions = &options.conditions;
    let identity = conditions.identity.identity(&jdk, conditions.write_through)?;
    let mut spec = Spec::new(options, vm, identity, &suite)?;
    spec.network = outside::network(&options.outside)?;
    spec.sandbox.network = spec.network.reach() != NetworkMode::Closed;
    spec.sanitise = outside::sanitise(options, &suite, &jdk)?;
    spec.plan.sanitise = spec.sanitise.is_some();
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
        command: command::words(options),
        sandbox: sandbox_state(options.conditions.sandbox)?,
        capture: spec.capture.clone(),
        sanitise: spec.sanitise.clone(),
        network: (spec.network != Network::default()).then(|| spec.network.clone()),
    };
    let prepared = Prepared {
        jdk,
        suite,
        classes,
        steps,
        spec,
        head,
        warnings,
        sources: Vec::new(),
        dir: PathBuf::new(),
    };
    Ok((prepared, unknown))
}

/// Tests of JUnit 5 cannot run on the built-in `org.junit`.
fn check_junit(suite: &Suite, classes: &[Candidate]) -> Result<(), String> {
    let new = classes.iter().filter(|c| c.new && !c.old).count();
    if new == 0 || !suite.needs_junit() {
        return Ok(());
    }
    Err(format!(
        "{new} test classes in {} use JUnit 5, which is not on the class path: add its jars with --cp, or run poldet in the project's folder",
        suite.text()
    ))
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
    let isolation = &options.isolation;
    let mut publish = |event: RunEvent| {
        results.take(&event);
        reporters.iter_mut().for_each(|r| r.event(&event));
    };
    explore::isolate::run(prepared, isolation.isolate, isolation.jobs(), &mut publish)
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

fn exit_code(options: &Run, results: &Results, baseline: Option<&Baseline>) -> i32 {
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
    let strict = document.is_strict();
    let is_new = |b: &Baseline| document.tests.iter().any(|r| !b.new_places(r, strict).is_empty());
    let polluted = polluted || fail_on.contains(&FailOn::NewPolluter) && baseline.is_some_and(is_new);
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
