//! The whole search, from each test alone to the verdicts.

use crate::cli::Od;
use crate::explore::declared;
use crate::explore::frame::Problem;
use crate::explore::od::candidates::NewPlaces;
use crate::explore::od::certificate::{self, Pairs};
use crate::explore::od::cleaners;
use crate::explore::od::orders;
use crate::explore::od::probe::{Probes, passes};
use crate::explore::od::search::{Cause, Found, Search};
use crate::explore::od::seeds::{self, Rerun};
use crate::explore::od::sets::{self, Alone};
use crate::explore::od::state::state;
use crate::explore::parallel;
use crate::explore::setup::Setup;
use crate::explore::wire::Asked;
use crate::report;
use poldet_records::{
    OdDocument, OdTest, OdVerdict, Outcome, Polluter, Record, SearchPlace, StateSetter, WithoutVerdict,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Rounds in which pairs are run: one more whenever a test changed something after another that it does not change alone.
const MOST_ROUNDS: usize = 5;

pub fn judge(
    options: &Od,
    setup: &Setup,
    probes: &Probes<'_, '_>,
    document: &mut OdDocument,
) -> Result<(), Problem> {
    let (explorer, tests) = (probes.explorer, probes.tests);
    let over = || probes.is_over();
    let alone = sets::alone(explorer, tests, &over)?;
    let interference = sets::interference(explorer, tests, &setup.suite, &alone, &over)?;
    let outcomes: Vec<Option<bool>> = alone.iter().map(|a| a.record.as_ref().and_then(passes)).collect();
    let judged: Vec<usize> = (0..tests.len()).filter(|t| tests.all[*t].judged).collect();
    let mut search = Search {
        probes,
        interference,
        alone: &outcomes,
        first: options.first,
        seed: setup.spec.vm.seed,
        seen: BTreeMap::new(),
        alike: 0,
        lists: OnceLock::new(),
        not_run: Mutex::default(),
        undecided: Mutex::default(),
    };
    let complete = !probes.is_over();
    if !complete {
        // What tests read is not known of all of them: nothing can be excluded.
        search.leave_undecided("tests alone", &judged);
    }
    let asked = sets::changed(tests, &alone);
    let mut found = all_pairs(setup, &mut search, &alone, &asked)?;
    let pairs_run = probes.count();
    combinations(&search, &judged, &mut found)?;
    let missed = orders::cross_check(options, setup, &search, &judged, &mut found)?;
    found.retain(|test, _| tests.all[*test].judged);
    clean(&search, &asked, &mut found)?;
    let reruns = Rerun {
        od: options.rerun.unwrap_or(seeds::OD),
        others: options.rerun.unwrap_or(seeds::OTHERS),
    };
    let nod = seeds::nod(setup, probes, &reruns, &outcomes, &judged, &found)?;
    for test in missed.iter().filter(|t| !nod.contains(t)) {
        let what =
            "an order shows that it depends on other tests; what tests read and change does not show it";
        report::note("warning", &format!("{}: {what}", tests.all[*test].name));
    }
    report(options, setup, &search, &alone, &judged, &found, &nod, document);
    if complete {
        document.certificate = certificate::certificate(&Pairs {
            tests,
            judged: &judged,
            interference: &search.interference,
            alone: &alone,
            run: pairs_run,
            alike: search.alike,
        });
    }
    let left = search
        .not_run
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    document.not_run.extend(left);
    Ok(())
}

/// Runs pairs until no test is seen to change more than it did before.
fn all_pairs(
    setup: &Setup,
    search: &mut Search<'_, '_, '_>,
    alone: &[Alone],
    asked: &Asked,
) -> Result<BTreeMap<usize, Found>, String> {
    let (mut ran, mut ended, mut found) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    let probes = search.probes;
    for _ in 0..MOST_ROUNDS {
        let open = search.open_pairs(&mut ran);
        let mut new = NewPlaces::default();
        for (mut open, is_last) in search.by_worth(open) {
            if search.logs_may_pay(&open) {
                probes.log_reads(Some(asked))?;
                // Of a few tests it shows whether what may be alike is.
                let mut some = search.sample(&mut open);
                let mut done = search.pairs(&mut some, &mut found, &mut new);
                if done.is_ok() && search.logs_pay() {
                    done = search.pairs(&mut open, &mut found, &mut new);
                }
                probes.log_reads(None)?;
                done?;
            }
            search.pairs(&mut open, &mut found, &mut new)?;
            if !is_last {
                // The time may not suffice for the others.
                clean(search, asked, &mut found)?;
            }
        }
        search.ends(&mut ended, &mut new)?;
        if new.is_empty() || search.probes.is_over() {
            return Ok(found);
        }
        sets::add_places(
            probes.explorer,
            probes.tests,
            &setup.suite,
            alone,
            &new,
            &mut search.interference,
            &|| probes.is_over(),
        )?;
    }
    // What the last round has shown makes more pairs possible, which are not run.
    search.leave_others(&ran);
    Ok(found)
}

/// Looks for cleaners.
fn clean(
    search: &Search<'_, '_, '_>,
    asked: &Asked,
    found: &mut BTreeMap<usize, Found>,
) -> Result<(), String> {
    if !found.keys().any(|v| search.alone[*v] == Some(true)) {
        return Ok(());
    }
    let probes = search.probes;
    // What victims read after their polluter is to be known, and what tests leave after it is compared with what it leaves.
    let cleaned = cleaners::cleaners(search, Some(asked), found);
    if probes.logs_reads() {
        probes.log_reads(None)?;
    }
    cleaned
}

/// Adds what was found to the document.
#[expect(clippy::too_many_arguments, reason = "all that a search has found out")]
pub fn report(
    options: &Od,
    setup: &Setup,
    search: &Search<'_, '_, '_>,
    alone: &[Alone],
    judged: &[usize],
    found: &BTreeMap<usize, Found>,
    nod: &BTreeSet<usize>,
    document: &mut OdDocument,
) {
    let states = states(search, found);
    let undecided = search.undecided.lock().unwrap_or_else(PoisonError::into_inner);
    let words = crate::run::command::words(&options.run);
    let report = Report {
        search,
        alone,
        words: &words,
        setup,
    };
    for &test in judged {
        let found = found.get(&test).cloned().unwrap_or_default();
        let never_ran = search.probes.explorer.is_stopped() && alone[test].record.is_none();
        if found.causes.is_empty() && (never_ran || undecided.contains(&test)) {
            // Nothing was found so far, which is no verdict.
            *document
                .not_run
                .entry("tests without a verdict".into())
                .or_default() += 1;
            document.without_verdict.push(WithoutVerdict {
                test: search.probes.tests.all[test].name.clone(),
                alone: alone[test].record.as_ref().map(|record| record.outcome),
            });
            continue;
        }
        document
            .tests
            .push(report.test(test, &found, &states, nod.contains(&test)));
    }
}

/// For tests that no single test changes, though some could.
fn combinations(
    search: &Search<'_, '_, '_>,
    judged: &[usize],
    found: &mut BTreeMap<usize, Found>,
) -> Result<(), String> {
    let left: Vec<usize> = judged
        .iter()
        .copied()
        .filter(|t| !found.contains_key(t))
        .collect();
    found.extend(search.common_orders(&left)?);
    let left: Vec<usize> = left.into_iter().filter(|t| !found.contains_key(t)).collect();
    let explorer = search.probes.explorer;
    let more = parallel::map(explorer.jobs, &left, explorer.stop, |t| search.combination(*t));
    for (test, more) in left.iter().zip(more) {
        if more.is_none() && !search.interference.candidates(*test).is_empty() {
            search.leave_undecided("orders", &[*test]);
        }
        if let Some(more) = more.transpose()?.flatten() {
            found.insert(*test, more);
        }
    }
    Ok(())
}

/// The places that matter, by the test and the number of its cause.
type States = BTreeMap<(usize, usize), Vec<SearchPlace>>;

fn states(search: &Search<'_, '_, '_>, found: &BTreeMap<usize, Found>) -> States {
    let jobs: Vec<(usize, usize, Vec<usize>)> = found
        .iter()
        .flat_map(|(v, f)| {
            let causes = f.causes.iter().enumerate();
            causes.map(|(i, c)| (*v, i, [&c.tests[..], &[*v]].concat()))
        })
        .collect();
    let explorer = search.probes.explorer;
    let places = parallel::map(explorer.jobs, &jobs, explorer.stop, |(v, _, sequence)| {
        let alone = search.alone[*v].unwrap_or_default();
        state(search.probes, sequence, alone)
    });
    let mut states = States::new();
    for ((v, i, _), places) in jobs.iter().zip(places) {
        states.insert((*v, *i), places.unwrap_or_default());
    }
    states
}

/// What it takes to report a test.
struct Report<'a, 'p, 'q, 'e> {
    search: &'a Search<'p, 'q, 'e>,
    alone: &'a [Alone],
    words: &'a [String],
    setup: &'a Setup,
}

impl Report<'_, '_, '_, '_> {
    fn test(&self, test: usize, found: &Found, states: &States, nod: bool) -> OdTest {
        let tests = self.search.probes.tests;
        let outcome = self.search.alone[test];
        let member = tests.member(test);
        let class = &tests.classes[tests.class(test)];
        let alone = self.alone[test].record.as_ref();
        let verdict = match (found.causes.is_empty(), outcome) {
            _ if nod => OdVerdict::Nod,
            (true, _) => without_cause(alone),
            (false, Some(true)) => OdVerdict::Victim,
            (false, _) => OdVerdict::Brittle,
        };
        let changed = found.causes.first().map(|c| sequence(c, test));
        let orders = [changed, Some(vec![test])].map(|o| o.map(|o| tests.names(&o)).unwrap_or_default());
        let [changed, own] = orders;
        let (passing_order, failing_order) = match (verdict.is_od(), outcome) {
            (true, Some(true)) => (own, changed.clone()),
            (true, _) => (changed.clone(), own),
            (false, Some(true)) => (own, Vec::new()),
            (false, Some(false)) => (Vec::new(), own),
            (false, None) => (Vec::new(), Vec::new()),
        };
        let failed = match outcome {
            Some(true) => found.record.as_ref().filter(|_| verdict.is_od()),
            _ => alone,
        };
        let candidates = self.search.interference.candidates(test).len();
        let (polluters, state_setters) = self.causes(test, verdict, found, states);
        let shown = if changed.is_empty() {
            tests.names(&[test])
        } else {
            changed
        };
        OdTest {
            class: member.test.class.clone(),
            method: member.test.method.clone(),
            invocation: class.invocation(member),
            display: member.test.display.clone(),
            verdict,
            passing_order,
            failing_order,
            polluters,
            state_setters,
            declared_order: declared::order(&self.setup.suite, &member.test.class),
            message: failed.and_then(|r| r.message.clone()),
            stack: failed.map(|r| r.stack.clone()).unwrap_or_default(),
            proved: candidates == 0 && self.alone[test].access.is_some() && outcome.is_some(),
            candidates,
            reproduce: report::od::reproduce(self.words, &shown),
        }
    }

    fn causes(
        &self,
        test: usize,
        verdict: OdVerdict,
        found: &Found,
        states: &States,
    ) -> (Vec<Polluter>, Vec<StateSetter>) {
        let tests = self.search.probes.tests;
        let state = |i: usize| states.get(&(test, i)).cloned().unwrap_or_default();
        let causes = || found.causes.iter().enumerate();
        match verdict {
            OdVerdict::Victim => {
                let polluter = |(i, cause): (usize, &Cause)| Polluter {
                    tests: tests.names(&cause.tests),
                    state: state(i),
                    cleaners: cause.cleaners.iter().map(|c| tests.names(c)).collect(),
                };
                (causes().map(polluter).collect(), Vec::new())
            }
            OdVerdict::Brittle => {
                let setter = |(i, cause): (usize, &Cause)| StateSetter {
                    tests: tests.names(&cause.tests),
                    state: state(i),
                };
                (Vec::new(), causes().map(setter).collect())
            }
            _ => (Vec::new(), Vec::new()),
        }
    }
}

/// The order that ends with the test.
fn sequence(cause: &Cause, test: usize) -> Vec<usize> {
    cause.tests.iter().copied().chain([test]).collect()
}

/// Of a test whose outcome nothing changed.
fn without_cause(alone: Option<&Record>) -> OdVerdict {
    match alone.map(|r| r.outcome) {
        Some(Outcome::Passed) => OdVerdict::Independent,
        Some(Outcome::Failed | Outcome::Error) => OdVerdict::Failing,
        Some(Outcome::Skipped) => OdVerdict::Skipped,
        Some(Outcome::Unsupported) => OdVerdict::Unsupported,
        Some(Outcome::TimedOut) => OdVerdict::TimedOut,
        Some(Outcome::Crashed) | None => OdVerdict::Crashed,
    }
}
