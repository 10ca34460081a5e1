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
mod runs;
mod search;
mod seeds;
pub(super) mod sets;
pub(super) mod state;
pub(super) mod tests;
mod together;

use crate::cli::{Od, Run};
use crate::explore::frame::{self, Problem, Search, SearchDocument};
use crate::explore::setup::Setup;
use crate::report;
use poldet_records::{OdDocument, OdVerdict, SearchHead};
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
    frame::command(options, |document| write(options, document))
}

impl Search for Od {
    type Document = OdDocument;
    const NAME: &'static str = "od";

    fn options(&self) -> &Run {
        &self.run
    }

    /// With a budget the result depends on how fast the machine is.
    fn depends_on(&self) -> Option<Vec<String>> {
        if self.budget.is_some() {
            return None;
        }
        let mut more = vec![format!(
            "{} {:?} {} {}",
            self.first, self.rerun, self.orders, self.ignore_declared_orders
        )];
        for file in [&self.passing, &self.failing].into_iter().flatten() {
            // One that cannot be read is the search's affair.
            more.push(std::fs::read_to_string(file).unwrap_or_default());
        }
        Some(more)
    }

    fn search(
        &self,
        setup: &Setup,
        document: &mut OdDocument,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem> {
        search(self, setup, document, notes)
    }
}

impl SearchDocument for OdDocument {
    fn of(head: SearchHead) -> OdDocument {
        OdDocument::new(head)
    }

    fn head(&mut self) -> &mut SearchHead {
        &mut self.head
    }

    fn count(&mut self) {
        self.sum_up();
    }

    fn is_incomplete(&self) -> bool {
        let unclear = |v: OdVerdict| {
            matches!(
                v,
                OdVerdict::Unsupported | OdVerdict::TimedOut | OdVerdict::Crashed
            )
        };
        let left = self.head.interrupted || !self.not_run.is_empty();
        left || self.tests.iter().any(|t| unclear(t.verdict))
    }

    fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}

fn search(
    options: &Od,
    setup: &Setup,
    document: &mut OdDocument,
    notes: &mut Vec<String>,
) -> Result<(), Problem> {
    let deadline = options
        .budget
        .map(|s| Instant::now() + Duration::from_secs_f64(s));
    let jobs = options.run.isolation.jobs();
    let (explorer, named) = frame::start(setup, jobs, setup.spec.vm.seed)?;
    let classes = frame::list(&explorer, setup, named, notes)?;
    explorer.train(&classes)?;
    let tests = tests::Tests::new(&classes, |member| setup.wants(&member.test));
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
