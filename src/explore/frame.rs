//! What searches have in common: how they begin, whether their result is known, and how they end.

use crate::cache::search::SearchCache;
use crate::cli::Run;
use crate::exit;
use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::process;
use crate::explore::setup::{Round, SILENCE, Setup};
use crate::report;
use crate::run::schedule::verdict;
use crate::run::spec::Spec;
use poldet_junit_shim::driver::Step;
use poldet_records::SearchHead;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

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

impl Problem {
    /// How the command ends: with the exit code, or with one line about the input.
    pub fn ends(self) -> Result<i32, String> {
        match self {
            Problem::Input(line) => Err(line),
            Problem::Internal(why) => {
                report::note("internal error", &why);
                Ok(exit::INTERNAL)
            }
        }
    }
}

/// A search whose result may be kept.
pub trait Search {
    type Document: SearchDocument;
    const NAME: &'static str;

    fn options(&self) -> &Run;

    /// What the result depends on besides the options of a run; none where it does not follow from the inputs.
    fn depends_on(&self) -> Option<Vec<String>>;

    /// Fills the document; warnings that belong to it go to `notes`.
    fn search(
        &self,
        setup: &Setup,
        document: &mut Self::Document,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem>;
}

/// The document of such a search.
pub trait SearchDocument: Serialize + DeserializeOwned {
    fn of(head: SearchHead) -> Self;
    fn head(&mut self) -> &mut SearchHead;
    /// Counts what was found.
    fn count(&mut self);
    /// Something has no verdict.
    fn is_incomplete(&self) -> bool;
    fn is_empty(&self) -> bool;

    fn exit_code(&self) -> i32 {
        if self.is_incomplete() {
            exit::INCOMPLETE
        } else if self.is_empty() {
            exit::NO_TESTS
        } else {
            exit::COMPLETE
        }
    }
}

/// The suite of a search; none, and an error on the terminal, if it has no test classes.
pub fn begin(command: &str, options: &Run) -> Result<Option<Setup>, String> {
    let setup = Setup::new(options)?;
    for warning in &setup.warnings {
        report::note("warning", warning);
    }
    if setup.spec.capture.is_none() {
        return Err(format!(
            "--no-capture: poldet {command} needs to know which state tests leave"
        ));
    }
    if !setup.has_classes() {
        let what = format!("no test classes found in {}", setup.suite.text());
        report::note("error", &what);
        return Ok(None);
    }
    Ok(Some(setup))
}

/// The head of a document.
pub fn head(command: &str, setup: &Setup) -> SearchHead {
    let (suite, jdk) = (setup.suite.text(), setup.jdk.version.clone());
    SearchHead::new(env!("CARGO_PKG_VERSION"), command, suite, jdk, setup.spec.vm.seed)
}

/// The whole of a command that searches: the answer is the exit code, or one line about what is wrong with the input.
pub fn command<S: Search>(
    search: &S,
    write: impl FnOnce(&S::Document) -> Result<(), String>,
) -> Result<i32, String> {
    let Some(mut setup) = begin(S::NAME, search.options())? else {
        return Ok(exit::NO_TESTS);
    };
    match result(search, &mut setup) {
        Ok(document) => {
            write(&document)?;
            Ok(document.exit_code())
        }
        Err(problem) => problem.ends(),
    }
}

/// The document of a search, which is made unless it is known. The specification is as before when it returns.
pub fn result<S: Search>(search: &S, setup: &mut Setup) -> Result<S::Document, Problem> {
    let cache = search
        .depends_on()
        .map(|more| SearchCache::of(S::NAME, search.options(), &setup.spec, more));
    let cache = cache.transpose().map_err(Problem::Input)?.flatten();
    if let Some((document, notes)) = cache.as_ref().and_then(SearchCache::known::<S::Document>) {
        notes.iter().for_each(|note| report::note("warning", note));
        return Ok(document);
    }
    let own = setup.spec.clone();
    if cache.is_some() {
        SearchCache::extend(&mut setup.spec, search.options()).map_err(Problem::Input)?;
    }
    let mut notes = Vec::new();
    let mut document = S::Document::of(head(S::NAME, setup));
    let mut done = search.search(setup, &mut document, &mut notes);
    // A process that others come from may have been killed.
    if let Err(Problem::Internal(why)) = &done
        && process::was_lost()
        && !setup.stop.load(Ordering::SeqCst)
    {
        report::note("warning", &format!("the search begins again: {why}"));
        notes.clear();
        document = S::Document::of(head(S::NAME, setup));
        done = search.search(setup, &mut document, &mut notes);
    }
    setup.spec = own;
    done?;
    document.head().interrupted = setup.stop.load(Ordering::SeqCst);
    document.count();
    if let Some(cache) = cache {
        cache.keep(&document, notes, !document.is_incomplete());
    }
    Ok(document)
}

/// Starts a VM to be forked, with a seed of its own.
pub fn start(setup: &Setup, jobs: usize, seed: u64) -> Result<(Explorer<'_>, Answer), String> {
    start_as(&seeded(setup, seed), setup, jobs)
}

/// The same for a search that asks for some of the classes only.
pub fn start_for<'s>(
    setup: &'s Setup,
    jobs: usize,
    seed: u64,
    classes: &BTreeSet<&str>,
) -> Result<Explorer<'s>, String> {
    let names = setup.rounds.iter().filter_map(|r| r.in_zygote_of(classes));
    let (explorer, _) = boot(&seeded(setup, seed), setup, jobs, names.collect())?;
    Ok(explorer)
}

/// Starts a VM to be forked whose specification is not quite that of the suite.
pub fn start_as<'s>(spec: &Spec, setup: &'s Setup, jobs: usize) -> Result<(Explorer<'s>, Answer), String> {
    let names = setup.rounds.iter().filter_map(Round::in_zygote);
    boot(spec, setup, jobs, names.collect())
}

fn seeded(setup: &Setup, seed: u64) -> Spec {
    let mut spec = setup.spec.clone();
    spec.vm.seed = seed;
    spec
}

fn boot<'s>(
    spec: &Spec,
    setup: &'s Setup,
    jobs: usize,
    names: Vec<Step>,
) -> Result<(Explorer<'s>, Answer), String> {
    Explorer::start(spec, jobs, SILENCE, &setup.stop, names).map_err(|end| verdict(&end).1)
}

/// The tests of the suite. What JUnit could not make tests of is a warning, and one of `notes`.
pub fn list(
    explorer: &Explorer<'_>,
    setup: &Setup,
    named: Answer,
    notes: &mut Vec<String>,
) -> Result<Vec<Class>, String> {
    let (classes, problems) = explorer.list(&setup.rounds, named, true)?;
    for problem in problems.outside {
        let what = problem.message.unwrap_or_default();
        let what = format!("{}: {what}", problem.test.text());
        report::note("warning", &what);
        notes.push(what);
    }
    Ok(classes)
}
