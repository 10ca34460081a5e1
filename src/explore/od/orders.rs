//! Whole orders of the suite: its own, and as a cross-check random, reversed and Tuscan ones. What they find beyond the sets of
//! reads and changes is reported as such.

use crate::cli::Od;
use crate::explore::answer::Answer;
use crate::explore::declared;
use crate::explore::od::probe::passes;
use crate::explore::od::search::{Found, Search, shuffled};
use crate::explore::od::tests::Tests;
use crate::explore::parallel;
use crate::explore::setup::Setup;
use poldet_records::Record;
use std::collections::BTreeMap;

/// Runs the orders and adds the tests that end otherwise than alone and are not known yet; returns these.
pub fn cross_check(
    options: &Od,
    setup: &Setup,
    search: &Search<'_, '_, '_>,
    judged: &[usize],
    found: &mut BTreeMap<usize, Found>,
) -> Result<Vec<usize>, String> {
    let (probes, tests) = (search.probes, search.probes.tests);
    let fixed: Vec<bool> = tests
        .classes
        .iter()
        .map(|c| !options.ignore_declared_orders && declared::order(&setup.suite, &c.name))
        .collect();
    let orders = orders(tests, &fixed, options.orders, setup.spec.vm.seed);
    let explorer = probes.explorer;
    let mut missed = Vec::new();
    let ran = parallel::map(explorer.jobs, &orders, explorer.stop, |order| {
        match probes.is_over() {
            true => Ok(None),
            false => probes.whole(order),
        }
    });
    for (order, answer) in orders.iter().zip(ran) {
        let Some(answer) = answer.transpose()?.flatten().filter(|_| !probes.is_over()) else {
            continue;
        };
        let differing = differing(tests, order, &answer, search.alone);
        for position in differing {
            let test = order[position];
            if found.contains_key(&test) || !judged.contains(&test) {
                continue;
            }
            let more = search.minimal(test, &order[..position])?;
            if more.record.as_ref().and_then(passes) == search.alone[test] {
                continue;
            }
            found.insert(test, more);
            missed.push(test);
        }
    }
    Ok(missed)
}

/// The places in an order of the tests that ended otherwise than alone.
pub fn differing(tests: &Tests<'_>, order: &[usize], answer: &Answer, alone: &[Option<bool>]) -> Vec<usize> {
    let mut by_key: BTreeMap<_, &Record> = BTreeMap::new();
    for record in &answer.records {
        by_key.entry(record.test.key()).or_insert(record);
    }
    let differs = |position: &usize| {
        let test = order[*position];
        let record = by_key.get(&tests.member(test).test.key());
        let passed = record.and_then(|r| passes(r));
        passed.is_some() && alone[test].is_some() && passed != alone[test]
    };
    (0..order.len()).filter(differs).collect()
}

/// The suite's own order and, if asked for, `count` of each other kind. Classes whose order of tests is fixed keep it.
fn orders(tests: &Tests<'_>, fixed: &[bool], count: u32, seed: u64) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = vec![Vec::new(); tests.classes.len()];
    for test in 0..tests.len() {
        classes[tests.class(test)].push(test);
    }
    let own: Vec<usize> = (0..classes.len()).collect();
    let flat = |order: &[usize], inside: &dyn Fn(usize) -> Vec<usize>| -> Vec<usize> {
        order.iter().flat_map(|c| inside(*c)).collect()
    };
    let as_is = |c: usize| classes[c].clone();
    let unless_fixed = |c: usize, other: Vec<usize>| if fixed[c] { classes[c].clone() } else { other };
    let mut all = vec![flat(&own, &as_is)];
    if count == 0 {
        return all;
    }
    let reversed: Vec<usize> = own.iter().rev().copied().collect();
    all.push(flat(&reversed, &as_is));
    all.push(flat(&reversed, &|c| {
        unless_fixed(c, classes[c].iter().rev().copied().collect())
    }));
    for round in 0..u64::from(count) {
        let of_class = shuffled(&own, seed ^ round, |c| &tests.classes[c].name);
        all.push(flat(&of_class, &as_is));
        all.push(flat(&of_class, &|c| {
            unless_fixed(c, shuffled(&classes[c], seed ^ round, |t| &tests.all[t].name))
        }));
    }
    let most = classes.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..(count as usize).min(most.max(classes.len())) {
        all.push(flat(&tuscan(&own, row), &as_is));
        all.push(flat(&own, &|c| unless_fixed(c, tuscan(&classes[c], row))));
    }
    all
}

/// A row of a Tuscan square: in all rows together every member stands right before every other.
fn tuscan(set: &[usize], row: usize) -> Vec<usize> {
    // For an odd number one more is added and left out again.
    let n = set.len().next_multiple_of(2).max(2);
    let zigzag = |i: usize| if i % 2 == 1 { i.div_ceil(2) } else { n - i / 2 };
    let order = (0..n).map(|i| (row + zigzag(i)) % n);
    order.filter_map(|i| set.get(i).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::tuscan;
    use std::collections::BTreeSet;

    #[test]
    fn every_member_stands_right_before_every_other() {
        for n in [2usize, 5, 8] {
            let set: Vec<usize> = (0..n).collect();
            let rows: Vec<Vec<usize>> = (0..n.next_multiple_of(2)).map(|row| tuscan(&set, row)).collect();
            assert!(rows.iter().all(|r| r.len() == n));
            let pairs: BTreeSet<(usize, usize)> = rows
                .iter()
                .flat_map(|r| r.windows(2).map(|w| (w[0], w[1])))
                .collect();
            assert_eq!(pairs.len(), n * (n - 1));
        }
    }
}
