//! The Minimizer of iFixFlakies on given orders: one in which a test passes and one in which it fails. It knows nothing of what
//! tests read and change, so that both ways can be compared.

use crate::cli::Od;
use crate::explore::frame::Problem;
use crate::explore::od::candidates::Interference;
use crate::explore::od::cleaners::cleaners;
use crate::explore::od::probe::{Probes, passes};
use crate::explore::od::search::{Cause, Found, Search};
use crate::explore::od::sets::Alone;
use crate::explore::od::{judge, seeds};
use crate::explore::setup::Setup;
use poldet_records::OdDocument;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// The given orders.
pub struct Files<'a> {
    pub passing: &'a Path,
    pub failing: &'a Path,
}

pub fn minimise(
    options: &Od,
    setup: &Setup,
    probes: &Probes<'_, '_>,
    files: &Files<'_>,
    document: &mut OdDocument,
) -> Result<(), Problem> {
    let tests = probes.tests;
    let judged: Vec<usize> = (0..tests.len()).filter(|t| tests.all[*t].judged).collect();
    let [test] = judged[..] else {
        let what = format!("--test: {} tests match, one is needed", judged.len());
        return Err(Problem::Input(what));
    };
    let passing = order(probes, files.passing, test)?;
    let failing = order(probes, files.failing, test)?;
    for (file, order, wanted) in [(files.passing, &passing, true), (files.failing, &failing, false)] {
        let record = probes.last(&with(order, test))?;
        if record.as_ref().and_then(passes) != Some(wanted) {
            let outcome = record.map_or_else(
                || "does not run".to_owned(),
                |r| format!("ends as {}", r.outcome.text()),
            );
            let what = format!(
                "\"{}\": {} {outcome} in this order",
                file.display(),
                tests.all[test].name
            );
            return Err(Problem::Input(what));
        }
    }
    let alone_record = probes.last(&[test])?;
    let mut alone = vec![None; tests.len()];
    alone[test] = alone_record.as_ref().and_then(passes);
    let search = Search {
        probes,
        interference: Interference::of_everything(tests.len()),
        alone: &alone,
        first: options.first,
        seed: setup.spec.vm.seed,
        seen: BTreeMap::new(),
        alike: 0,
        lists: OnceLock::new(),
        not_run: Mutex::default(),
        undecided: Mutex::default(),
    };
    let mut found = Found::default();
    let victim = alone[test] == Some(true);
    let from = if victim { &failing } else { &passing };
    if alone[test].is_some() {
        found = all_causes(&search, test, from)?;
    }
    let mut all = BTreeMap::new();
    all.insert(test, found);
    cleaners(&search, None, &mut all)?;
    let rerun = seeds::Rerun {
        od: options.rerun.unwrap_or(seeds::OD),
        others: 0,
    };
    let nod = seeds::nod(setup, probes, &rerun, &alone, &judged, &all)?;
    let mut records = vec![Alone::default(); tests.len()];
    records[test].record = alone_record;
    judge::report(options, setup, &search, &records, &judged, &all, &nod, document);
    Ok(())
}

/// The smallest parts of an order that change the outcome; after one is found it is left out, until the rest does nothing.
fn all_causes(search: &Search<'_, '_, '_>, test: usize, order: &[usize]) -> Result<Found, String> {
    let mut left = order.to_vec();
    let mut all = Found::default();
    while !left.is_empty() && !search.probes.is_over() {
        let changed = search.probes.passes(&with(&left, test))?;
        if changed.is_none() || changed == search.alone[test] {
            break;
        }
        let found = search.minimal(test, &left)?;
        let Some(cause) = found.causes.into_iter().next() else {
            break;
        };
        left.retain(|t| !cause.tests.contains(t));
        all.record = all.record.or(found.record);
        all.causes.push(Cause {
            tests: cause.tests,
            cleaners: Vec::new(),
            tried: false,
        });
        if search.first {
            break;
        }
    }
    Ok(all)
}

fn with(order: &[usize], test: usize) -> Vec<usize> {
    order.iter().copied().chain([test]).collect()
}

/// The tests of an order file that come before the test.
fn order(probes: &Probes<'_, '_>, file: &Path, test: usize) -> Result<Vec<usize>, Problem> {
    let wrong = |what: String| Problem::Input(format!("\"{}\": {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
    let lines = text.lines().map(str::trim).enumerate();
    let mut order = Vec::new();
    for (number, name) in lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        let known = probes.tests.find(name);
        let known =
            known.ok_or_else(|| wrong(format!("line {}: no test {name} in the suite", number + 1)))?;
        if known == test {
            return Ok(order);
        }
        order.push(known);
    }
    Err(wrong(format!(
        "{} is not in this order",
        probes.tests.all[test].name
    )))
}
