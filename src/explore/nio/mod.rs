//! `poldet nio`: non-idempotent-outcome tests, which pass and, run again in the same VM right after, fail.

mod causes;
mod runs;
mod verdict;

use crate::cli::{Nio, Run};
use crate::explore::declared;
use crate::explore::explorer::{Class, OtherSeeds};
use crate::explore::frame::{self, Problem, Search, SearchDocument};
use crate::explore::parallel;
use crate::explore::setup::Setup;
use crate::report;
use crate::report::search::SearchProgress;
use poldet_records::{NioDocument, NioMode, NioVerdict, SearchHead};
use runs::Tried;
use std::collections::BTreeSet;
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
    frame::command(options, |document| write(options, document))
}

impl Search for Nio {
    type Document = NioDocument;
    const NAME: &'static str = "nio";

    fn options(&self) -> &Run {
        &self.run
    }

    fn depends_on(&self) -> Option<Vec<String>> {
        Some(vec![format!("{:?} {}", self.mode, self.confirm)])
    }

    fn search(
        &self,
        setup: &Setup,
        document: &mut NioDocument,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem> {
        Ok(search(self, setup, document, notes)?)
    }
}

impl SearchDocument for NioDocument {
    fn of(head: SearchHead) -> NioDocument {
        NioDocument::new(head)
    }

    fn head(&mut self) -> &mut SearchHead {
        &mut self.head
    }

    fn count(&mut self) {
        self.sum_up();
    }

    fn is_incomplete(&self) -> bool {
        let unclear = |v: NioVerdict| {
            matches!(
                v,
                NioVerdict::Unsupported | NioVerdict::TimedOut | NioVerdict::Crashed
            )
        };
        self.head.interrupted || self.tests.iter().any(|t| unclear(t.verdict))
    }

    fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }
}

fn search(
    options: &Nio,
    setup: &Setup,
    document: &mut NioDocument,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let jobs = options.run.isolation.jobs();
    let progress = Arc::new(SearchProgress::new(options.run.report.color));
    progress.phase("starting", 0);
    let (mut explorer, named) = frame::start(setup, jobs, setup.spec.vm.seed)?;
    explorer.progress = Some(Arc::clone(&progress));
    let classes = frame::list(&explorer, setup, named, notes)?;
    explorer.train(&classes)?;
    let judged = |class: &Class| class.tests.iter().map(|t| setup.wants(&t.test)).collect();
    let judged: Vec<Vec<bool>> = classes.iter().map(judged).collect();
    let modes = options.modes();
    progress.phase("running tests twice", count(&judged, &modes));
    let mut tried = runs::run(&explorer, &classes, &judged, &modes);
    if explorer.is_stopped() {
        tried.retain(|t| !t.runs.is_empty());
    }
    let shown: Vec<usize> = (0..tried.len()).filter(|i| tried[*i].shows().is_some()).collect();
    let asked: BTreeSet<&str> = shown
        .iter()
        .map(|i| classes[tried[*i].at.0].name.as_str())
        .collect();
    let mut confirmations = 0;
    let mut others = OtherSeeds::default();
    for number in 1..=options.confirm {
        if shown.is_empty() || explorer.is_stopped() {
            break;
        }
        let seed = setup.spec.vm.seed + u64::from(number);
        let boot = |seed| {
            let mut explorer = frame::start_for(setup, jobs, seed, &asked)?;
            explorer.progress = Some(Arc::clone(&progress));
            Ok::<_, String>(explorer)
        };
        let other = match others.next(seed, boot) {
            Err(_) if explorer.is_stopped() => break,
            started => started?,
        };
        progress.phase(
            &format!("repeating with another seed ({number} of {})", options.confirm),
            0,
        );
        runs::confirm(other, &classes, &mut tried, &shown);
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

impl Nio {
    fn modes(&self) -> Vec<NioMode> {
        match self.mode.0 {
            Some(mode) => vec![mode],
            None => NioMode::ALL.to_vec(),
        }
    }
}
