//! `poldet nio`: non-idempotent-outcome tests, which pass and, run again in the same VM right after, fail.

mod causes;
mod runs;
mod verdict;

use crate::cache::search::SearchCache;
use crate::cli::Nio;
use crate::exit;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer, OtherSeeds};
use crate::explore::parallel;
use crate::explore::setup::{Round, SILENCE, Setup};
use crate::report;
use crate::report::search::SearchProgress;
use crate::run::schedule::verdict as verdict_of;
use poldet_records::{NioDocument, NioMode, NioVerdict};
use runs::Tried;
use std::sync::Arc;

/// Runs the search; the answer is the exit code, or one line about what is wrong with the input.
pub fn nio(options: &Nio) -> Result<i32, String> {
    report::search::refuse(
        &options.run.report,
        "nio",
        report::search::Writes {
            html: true,
            ..Default::default()
        },
    )?;
    let mut setup = Setup::new(&options.run)?;
    for warning in &setup.warnings {
        report::note("warning", warning);
    }
    if setup.spec.capture.is_none() {
        return Err("--no-capture: poldet nio needs to know which state tests leave".into());
    }
    if !setup.has_classes() {
        report::note(
            "error",
            &format!("no test classes found in {}", setup.suite.text()),
        );
        return Ok(exit::NO_TESTS);
    }
    let cache = cache(options, &setup)?;
    if let Some((document, notes)) = cache.as_ref().and_then(SearchCache::known::<NioDocument>) {
        notes.iter().for_each(|note| report::note("warning", note));
        write(options, &document)?;
        return Ok(exit_code(&document));
    }
    if cache.is_some() {
        SearchCache::extend(&mut setup.spec, &options.run)?;
    }
    let mut notes = Vec::new();
    let suite = setup.suite.text();
    let mut document = NioDocument::new(
        env!("CARGO_PKG_VERSION"),
        suite,
        setup.jdk.version.clone(),
        setup.spec.vm.seed,
    );
    let found = search(options, &setup, &mut document, &mut notes);
    if let Err(why) = found {
        report::note("internal error", &why);
        return Ok(exit::INTERNAL);
    }
    document.interrupted = setup.stop.load(std::sync::atomic::Ordering::SeqCst);
    document.sum_up();
    let code = exit_code(&document);
    if let Some(cache) = cache {
        cache.keep(&document, notes, code != exit::INCOMPLETE);
    }
    write(options, &document)?;
    Ok(code)
}

/// Where the result may be known.
pub(super) fn cache(options: &Nio, setup: &Setup) -> Result<Option<SearchCache>, String> {
    let more = vec![format!("{:?} {}", options.mode, options.confirm)];
    SearchCache::of("nio", &options.run, &setup.spec, more)
}

pub(super) fn search(
    options: &Nio,
    setup: &Setup,
    document: &mut NioDocument,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let jobs = options.run.isolation.jobs();
    let progress = Arc::new(SearchProgress::new(options.run.report.color));
    progress.phase("starting", 0);
    let start = |seed: u64| {
        let mut spec = setup.spec.clone();
        spec.vm.seed = seed;
        let names = setup.rounds.iter().filter_map(Round::in_zygote).collect();
        let started = Explorer::start(&spec, jobs, SILENCE, &setup.stop, names);
        let (mut explorer, named) = started.map_err(|end| verdict_of(&end).1)?;
        explorer.progress = Some(Arc::clone(&progress));
        Ok::<_, String>((explorer, named))
    };
    let (explorer, named) = start(setup.spec.vm.seed)?;
    let (classes, problems) = explorer.list(&setup.rounds, named, true)?;
    for problem in problems.outside {
        let what = problem.message.unwrap_or_default();
        let what = format!("{}: {what}", problem.test.text());
        report::note("warning", &what);
        notes.push(what);
    }
    explorer.train(&classes)?;
    let judged = |class: &Class| -> Vec<bool> {
        let wanted = &setup.wanted;
        let tests = class.tests.iter();
        tests
            .map(|t| wanted.is_empty() || wanted.iter().any(|s| s.matches(&t.test)))
            .collect()
    };
    let judged: Vec<Vec<bool>> = classes.iter().map(judged).collect();
    let modes = options.modes();
    progress.phase("running tests twice", count(&judged, &modes));
    let mut tried = runs::run(&explorer, &classes, &judged, &modes)?;
    if explorer.is_stopped() {
        tried.retain(|t| !t.runs.is_empty());
    }
    let shown: Vec<usize> = (0..tried.len()).filter(|i| tried[*i].shows().is_some()).collect();
    let mut confirmations = 0;
    let mut others = OtherSeeds::default();
    for number in 1..=options.confirm {
        if shown.is_empty() || explorer.is_stopped() {
            break;
        }
        let seed = setup.spec.vm.seed + u64::from(number);
        let other = match others.next(seed, |seed| start(seed).map(|(explorer, _)| explorer)) {
            Err(_) if explorer.is_stopped() => break,
            started => started?,
        };
        progress.phase(
            &format!("repeating with another seed ({number} of {})", options.confirm),
            0,
        );
        runs::confirm(other, &classes, &mut tried, &shown)?;
        if !explorer.is_stopped() {
            confirmations = number;
        }
    }
    let words = crate::run::command::words(&options.run);
    document.tests = tried
        .iter()
        .map(|t: &Tried| verdict::test(t, &classes, &words, confirmations))
        .collect();
    // An interrupt leaves the verdict to the seeds that were tried, and says that these were not all.
    let all = confirmations == options.confirm;
    document.tests.iter_mut().for_each(|t| t.confirmed &= all);
    let mut asked: Option<(String, bool)> = None;
    for test in &mut document.tests {
        let known = asked.take().filter(|(class, _)| *class == test.class);
        let (class, declares) = known.unwrap_or_else(|| {
            let declares = declared::order(&setup.suite, &test.class);
            (test.class.clone(), declares)
        });
        test.declared_order = declares;
        asked = Some((class, declares));
    }
    let blamed: Vec<(usize, NioMode)> = (0..tried.len())
        .filter(|i| document.tests[*i].verdict == NioVerdict::Nio)
        .filter_map(|i| Some((i, tried[i].shows()?)))
        .collect();
    progress.phase("looking for the state to blame", blamed.len());
    let found = parallel::map(jobs, &blamed, &setup.stop, |(i, mode)| {
        let found = causes::causes(&explorer, &classes, &tried[*i], *mode);
        progress.advance(1);
        found
    });
    progress.finish();
    for ((i, _), places) in blamed.iter().zip(found) {
        document.tests[*i].causes = places.unwrap_or_default();
    }
    Ok(())
}

/// How many tests have their turn: those that are judged, and in modes that run others before them, these, too.
fn count(judged: &[Vec<bool>], modes: &[NioMode]) -> usize {
    let all = judged.iter().map(Vec::len).sum::<usize>();
    let of_mode = |mode: &NioMode| match mode {
        NioMode::IsolatedMethod => judged.iter().flatten().filter(|j| **j).count(),
        NioMode::IsolatedClass => {
            let classes = judged.iter().filter(|tests| tests.contains(&true));
            classes.map(Vec::len).sum()
        }
        NioMode::EntireSuite => all,
    };
    modes.iter().map(of_mode).sum()
}

fn write(options: &Nio, document: &NioDocument) -> Result<(), String> {
    if let Some(file) = &options.run.report.html {
        std::fs::write(file, report::nio_page::page(document))
            .map_err(|e| format!("cannot write \"{}\": {e}", file.display()))?;
    }
    if let Some(file) = &options.idoft {
        std::fs::write(file, report::nio::idoft(document))
            .map_err(|e| format!("cannot write \"{}\": {e}", file.display()))?;
    }
    report::search::show(&options.run.report, document, |out, colour| {
        report::nio::report(out, document, colour)
    })
}

pub(super) fn exit_code(document: &NioDocument) -> i32 {
    let unclear = |v: NioVerdict| {
        matches!(
            v,
            NioVerdict::Unsupported | NioVerdict::TimedOut | NioVerdict::Crashed
        )
    };
    if document.interrupted || document.tests.iter().any(|t| unclear(t.verdict)) {
        exit::INCOMPLETE
    } else if document.tests.is_empty() {
        exit::NO_TESTS
    } else {
        exit::COMPLETE
    }
}

impl Nio {
    fn modes(&self) -> Vec<NioMode> {
        match self.mode.0 {
            Some(mode) => vec![mode],
            None => NioMode::ALL.to_vec(),
        }
    }
}
