//! `poldet od`: order-dependent tests. Victims pass alone and fail after some tests, brittles fail alone and pass after some.
//!
//! Each test runs alone first, in a process of its own, which gives its outcome and what it reads and changes. Only pairs that
//! have something in common are run; for the rest it is proved that they have nothing to do with each other.

pub(super) mod candidates;
mod certificate;
mod cleaners;
mod judge;
mod minimise;
mod orders;
pub(super) mod probe;
mod search;
mod seeds;
pub(super) mod sets;
pub(super) mod state;
pub(super) mod tests;

use crate::cache::search::SearchCache;
use crate::cli::Od;
use crate::exit;
use crate::explore::explorer::Explorer;
use crate::explore::setup::{Round, SILENCE, Setup};
use crate::report;
use crate::run::schedule::verdict;
use poldet_records::{OdDocument, OdVerdict};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Runs the search; the answer is the exit code, or one line about what is wrong with the input.
pub fn od(options: &Od) -> Result<i32, String> {
    if options.budget.is_some_and(|s| !s.is_finite() || s <= 0.0) {
        return Err("--budget: a number of seconds above 0 is needed".into());
    }
    if options.passing.is_some() && options.run.tests.test.len() != 1 {
        return Err("--passing and --failing: --test must name the one test they are about".into());
    }
    report::search::refuse(
        &options.run.report,
        "od",
        report::search::Writes {
            html: true,
            sarif: true,
            xml: true,
        },
    )?;
    let mut setup = Setup::new(&options.run)?;
    for warning in &setup.warnings {
        report::note("warning", warning);
    }
    if setup.spec.capture.is_none() {
        return Err("--no-capture: poldet od needs to know which state tests leave".into());
    }
    if !setup.has_classes() {
        let what = format!("no test classes found in {}", setup.suite.text());
        report::note("error", &what);
        return Ok(exit::NO_TESTS);
    }
    let cache = cache(options, &setup)?;
    if let Some((document, notes)) = cache.as_ref().and_then(SearchCache::known::<OdDocument>) {
        notes.iter().for_each(|note| report::note("warning", note));
        write(options, &document)?;
        return Ok(exit_code(&document));
    }
    if cache.is_some() {
        SearchCache::extend(&mut setup.spec, &options.run)?;
    }
    let mut notes = Vec::new();
    let mut document = OdDocument::new(
        env!("CARGO_PKG_VERSION"),
        setup.suite.text(),
        setup.jdk.version.clone(),
        setup.spec.vm.seed,
    );
    match search(options, &setup, &mut document, &mut notes) {
        Ok(()) => {}
        Err(Problem::Input(line)) => return Err(line),
        Err(Problem::Internal(why)) => {
            report::note("internal error", &why);
            return Ok(exit::INTERNAL);
        }
    }
    document.interrupted = setup.stop.load(Ordering::SeqCst);
    document.sum_up();
    let code = exit_code(&document);
    if let Some(cache) = cache {
        cache.keep(&document, notes, code != exit::INCOMPLETE);
    }
    write(options, &document)?;
    Ok(code)
}

/// Where the result may be known; with a budget it depends on how fast the machine is.
pub(super) fn cache(options: &Od, setup: &Setup) -> Result<Option<SearchCache>, String> {
    if options.budget.is_some() {
        return Ok(None);
    }
    let mut more = vec![format!(
        "{} {:?} {} {}",
        options.first, options.rerun, options.orders, options.ignore_declared_orders
    )];
    for file in [&options.passing, &options.failing].into_iter().flatten() {
        // One that cannot be read is the search's affair.
        more.push(std::fs::read_to_string(file).unwrap_or_default());
    }
    SearchCache::of("od", &options.run, &setup.spec, more)
}

/// Why a search has no result.
pub enum Problem {
    /// Something is wrong with the input.
    Input(String),
    Internal(String),
}

impl From<String> for Problem {
    fn from(why: String) -> Problem {
        Problem::Internal(why)
    }
}

/// Starts a VM to be forked, with a seed of its own.
pub(super) fn start<'s>(
    setup: &'s Setup,
    jobs: usize,
    seed: u64,
) -> Result<(Explorer<'s>, crate::explore::answer::Answer), String> {
    let mut spec = setup.spec.clone();
    spec.vm.seed = seed;
    let names = setup.rounds.iter().filter_map(Round::in_zygote).collect();
    Explorer::start(&spec, jobs, SILENCE, &setup.stop, names).map_err(|end| verdict(&end).1)
}

pub(super) fn search(
    options: &Od,
    setup: &Setup,
    document: &mut OdDocument,
    notes: &mut Vec<String>,
) -> Result<(), Problem> {
    let deadline = options
        .budget
        .map(|s| Instant::now() + Duration::from_secs_f64(s));
    let jobs = options.run.isolation.jobs();
    let (explorer, named) = start(setup, jobs, setup.spec.vm.seed)?;
    let (classes, problems) = explorer.list(&setup.rounds, named, true)?;
    for problem in problems.outside {
        let what = problem.message.unwrap_or_default();
        let what = format!("{}: {what}", problem.test.text());
        report::note("warning", &what);
        notes.push(what);
    }
    explorer.train(&classes)?;
    let wanted = &setup.wanted;
    let tests = tests::Tests::new(&classes, |member| {
        wanted.is_empty() || wanted.iter().any(|s| s.matches(&member.test))
    });
    if !tests.all.iter().any(|t| t.judged) {
        return Err(Problem::Input("--test: no test of the suite matches".into()));
    }
    let probes = probe::Probes::new(&explorer, &tests, deadline);
    if let (Some(passing), Some(failing)) = (&options.passing, &options.failing) {
        let files = minimise::Files { passing, failing };
        return minimise::minimise(options, setup, &probes, &files, document);
    }
    judge::judge(options, setup, &probes, document)
}

fn write(options: &Od, document: &OdDocument) -> Result<(), String> {
    let save = |file: &std::path::Path, text: String| {
        std::fs::write(file, text).map_err(|e| format!("cannot write \"{}\": {e}", file.display()))
    };
    if let Some(file) = &options.idoft {
        save(file, report::od::idoft(document))?;
    }
    if let Some(file) = &options.idoft_relations {
        save(file, report::od_formats::relations(document))?;
    }
    if let Some(file) = &options.pull_request {
        save(file, report::od_formats::pull_request(document))?;
    }
    let reports = &options.run.report;
    if let Some(file) = &reports.sarif {
        let sources = report::source::Sources::new(reports.sources.clone())?;
        let log = report::od_formats::sarif(document, &sources);
        let text = serde_json::to_string_pretty(&log).map_err(|e| e.to_string())?;
        save(file, text + "\n")?;
    }
    if let Some(file) = &reports.html {
        save(file, report::od_page::page(document))?;
    }
    if let Some(dir) = &reports.report_dir {
        report::od_formats::xml(dir, document)
            .map_err(|e| format!("cannot write \"{}\": {e}", dir.display()))?;
    }
    if let Some(dir) = &options.dtfixingtools {
        report::dtfixingtools::write(dir, document)
            .map_err(|e| format!("cannot write \"{}\": {e}", dir.display()))?;
    }
    if let Some(file) = &options.certificate {
        let text = serde_json::to_string_pretty(&document.certificate).map_err(|e| e.to_string())?;
        save(file, text + "\n")?;
    }
    report::search::show(&options.run.report, document, |out, colour| {
        report::od::report(out, document, colour)
    })
}

pub(super) fn exit_code(document: &OdDocument) -> i32 {
    let unclear = |v: OdVerdict| {
        matches!(
            v,
            OdVerdict::Unsupported | OdVerdict::TimedOut | OdVerdict::Crashed
        )
    };
    let left = document.interrupted || !document.not_run.is_empty();
    if left || document.tests.iter().any(|t| unclear(t.verdict)) {
        exit::INCOMPLETE
    } else if document.tests.is_empty() {
        exit::NO_TESTS
    } else {
        exit::COMPLETE
    }
}
