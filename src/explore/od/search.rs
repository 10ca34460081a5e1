//! Who makes a test fail or pass: polluters, state-setters, cleaners.

use crate::explore::ddmin::ddmin;
use crate::explore::od::candidates::{Interference, NewPlaces};
use crate::explore::od::probe::{Probes, passes};
use crate::explore::parallel;
use poldet_records::{Inside, Places, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// Tests before another that change its outcome, in their order; none of them can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub tests: Vec<usize>,
    pub cleaners: Vec<Vec<usize>>,
}

/// What was found of a test whose outcome depends on others.
#[derive(Clone, Default)]
pub struct Found {
    pub causes: Vec<Cause>,
    /// The record of its run after the first of them.
    pub record: Option<Record>,
}

/// Tests of a set from which combinations are tried, all of them if there are few.
const FEW: usize = 4;
const PAIRED: usize = 24;
/// Random orders of a set that is too large for that.
const SHUFFLES: u64 = 10;

/// A test that ran after another: its record if its outcome is another than alone, and what it changed, also as other tests of its
/// class see it.
type Outcome = (usize, Option<Record>, Places, Option<Inside>);

pub struct Search<'p, 'a, 'e> {
    pub probes: &'p Probes<'a, 'e>,
    pub interference: Interference,
    /// Whether each test passes alone; None for those that do neither.
    pub alone: &'p [Option<bool>],
    /// Stop at the first of each kind.
    pub first: bool,
    pub seed: u64,
    /// What was left out for want of time, by kind.
    pub not_run: Mutex<BTreeMap<String, usize>>,
    /// Tests of which not all runs were made that could change their verdict.
    pub undecided: Mutex<BTreeSet<usize>>,
}

impl Search<'_, '_, '_> {
    pub fn skipped(&self, what: &str, count: usize) {
        if count > 0 {
            let mut all = self.not_run.lock().unwrap_or_else(PoisonError::into_inner);
            *all.entry(what.to_owned()).or_default() += count;
        }
    }

    /// Runs before these tests were left out for want of time.
    pub fn leave_undecided(&self, what: &str, tests: &[usize]) {
        self.skipped(what, tests.len());
        let mut undecided = self.undecided.lock().unwrap_or_else(PoisonError::into_inner);
        undecided.extend(tests);
    }

    /// Runs the pairs that can interfere and have not run yet; adds the single tests that change the outcome of others, by the
    /// others. Returns the places that tests changed after others and do not change alone.
    pub fn pairs(
        &mut self,
        ran: &mut BTreeSet<(usize, usize)>,
        all: &mut BTreeMap<usize, Found>,
    ) -> Result<NewPlaces, String> {
        let mut jobs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for v in (0..self.alone.len()).filter(|v| self.alone[*v].is_some()) {
            if self.first && all.contains_key(&v) {
                continue;
            }
            for p in self.interference.candidates(v) {
                if ran.insert((p, v)) {
                    jobs.entry(p).or_default().push(v);
                }
            }
        }
        let jobs: Vec<(usize, Vec<usize>)> = jobs.into_iter().collect();
        let explorer = self.probes.explorer;
        let search = &*self;
        let results = parallel::map(explorer.jobs, &jobs, explorer.stop, |(p, tests)| {
            if search.probes.is_over() {
                search.leave_undecided("pairs", tests);
                return Ok(Vec::new());
            }
            let found = search.after(*p, tests)?;
            // An interrupt, or the end of the time, may have come meanwhile.
            let ran: BTreeSet<usize> = found.iter().map(|(v, ..)| *v).collect();
            let left: Vec<usize> = tests.iter().copied().filter(|v| !ran.contains(v)).collect();
            search.leave_undecided("pairs", &left);
            Ok::<_, String>(found)
        });
        let mut new = NewPlaces::default();
        for ((p, tests), found) in jobs.iter().zip(results) {
            let Some(found) = found else {
                self.leave_undecided("pairs", tests);
                continue;
            };
            for (v, record, changed, inside) in found? {
                let class = self.probes.tests.class(v);
                self.interference
                    .add_changed(v, class, &changed, inside.as_ref(), &mut new);
                if let Some(record) = record {
                    self.add(all, v, *p, record);
                }
            }
        }
        Ok(new)
    }

    fn add(&self, all: &mut BTreeMap<usize, Found>, v: usize, p: usize, record: Record) {
        let found = all.entry(v).or_default();
        if self.first && !found.causes.is_empty() {
            return;
        }
        found.causes.push(Cause {
            tests: vec![p],
            cleaners: Vec::new(),
        });
        // Rounds come one after the other; the order of the suite counts.
        found.causes.sort_by(|a, b| a.tests.cmp(&b.tests));
        if found.causes[0].tests == [p] {
            found.record = Some(record);
        }
    }

    /// What the tests changed after `p`, and the record of those whose outcome is another than alone.
    fn after(&self, p: usize, tests: &[usize]) -> Result<Vec<Outcome>, String> {
        let mut found = Vec::new();
        for after in self.probes.after(&[p], tests)? {
            let v = after.test;
            let differs = |r: &Record| passes(r).is_some_and(|passed| Some(passed) != self.alone[v]);
            let mut record = after.record.filter(differs);
            if record.is_some() {
                // In a process of its own, where nothing but the two has run.
                record = self.probes.last(&[p, v])?.filter(differs);
            }
            found.push((v, record, after.changed, after.inside));
        }
        Ok(found)
    }

    /// Combinations of tests that change the outcome of a test which no single one changes.
    pub fn combination(&self, v: usize) -> Result<Option<Found>, String> {
        let Some(alone) = self.alone[v] else {
            return Ok(None);
        };
        let set = self.closure(v);
        for order in self.orders(v, &set) {
            if self.probes.is_over() {
                self.leave_undecided("orders", &[v]);
                continue;
            }
            let sequence: Vec<usize> = order.iter().copied().chain([v]).collect();
            if self.probes.passes(&sequence)? == Some(!alone) {
                return self.minimal(v, &order).map(Some);
            }
        }
        Ok(None)
    }

    /// The tests that can change what a test does, and those that can change what these do.
    fn closure(&self, v: usize) -> Vec<usize> {
        let direct = self.interference.candidates(v);
        let mut all: BTreeSet<usize> = direct.iter().copied().collect();
        for p in direct {
            all.extend(self.interference.candidates(p));
        }
        all.remove(&v);
        all.into_iter().collect()
    }

    fn orders(&self, v: usize, set: &[usize]) -> Vec<Vec<usize>> {
        if set.len() < 2 {
            return Vec::new();
        }
        if set.len() <= FEW {
            let all = arrangements(set).into_iter();
            return all.filter(|a| a.len() > 1 && self.is_together(a, v)).collect();
        }
        let reversed: Vec<usize> = set.iter().rev().copied().collect();
        let mut orders = vec![self.together(set, v), self.together(&reversed, v)];
        for round in 0..SHUFFLES {
            let order = shuffled(set, self.seed ^ round, |t| &self.probes.tests.all[t].name);
            orders.push(self.together(&order, v));
        }
        if set.len() <= PAIRED {
            let direct: BTreeSet<usize> = self.interference.candidates(v).into_iter().collect();
            for &a in set {
                orders.extend(
                    set.iter()
                        .filter(|b| **b != a && direct.contains(*b))
                        .map(|b| vec![a, *b]),
                );
            }
        }
        orders.retain(|order| self.is_together(order, v));
        orders
    }

    /// Whether the tests of each class stand together, as JUnit runs them.
    fn is_together(&self, order: &[usize], v: usize) -> bool {
        let tests = self.probes.tests;
        let mut blocks: Vec<usize> = order.iter().chain([&v]).map(|t| tests.class(*t)).collect();
        blocks.dedup();
        let distinct: BTreeSet<usize> = blocks.iter().copied().collect();
        distinct.len() == blocks.len()
    }

    /// The order with the tests of each class together, in the order of the classes' first tests; the class of `v` comes last.
    fn together(&self, order: &[usize], v: usize) -> Vec<usize> {
        let class = |t: usize| self.probes.tests.class(t);
        let place = |t: &usize| match class(*t) == class(v) {
            true => order.len(),
            false => order.iter().position(|o| class(*o) == class(*t)).unwrap_or(0),
        };
        let mut sorted = order.to_vec();
        sorted.sort_by_key(place);
        sorted
    }

    /// A smallest part of an order that changes the outcome of a test.
    pub fn minimal(&self, v: usize, order: &[usize]) -> Result<Found, String> {
        let alone = self.alone[v].unwrap_or_default();
        let mut problem = None;
        let chosen = ddmin(order.len(), |part| {
            let sequence: Vec<usize> = part.iter().map(|i| order[*i]).chain([v]).collect();
            match self.probes.passes(&sequence) {
                Ok(passed) => passed.map(|passed| passed != alone),
                Err(why) => {
                    problem.get_or_insert(why);
                    None
                }
            }
        });
        if let Some(why) = problem {
            return Err(why);
        }
        let tests: Vec<usize> = chosen.into_iter().map(|i| order[i]).collect();
        let sequence: Vec<usize> = tests.iter().copied().chain([v]).collect();
        Ok(Found {
            record: self.probes.last(&sequence)?,
            causes: vec![Cause {
                tests,
                cleaners: Vec::new(),
            }],
        })
    }
    /// Pairs that can interfere and have not run leave their second tests without a verdict.
    pub fn leave_others(&self, ran: &BTreeSet<(usize, usize)>) {
        let open = |v: &usize| {
            let mut candidates = self.interference.candidates(*v).into_iter();
            self.alone[*v].is_some() && candidates.any(|p| !ran.contains(&(p, *v)))
        };
        let open: Vec<usize> = (0..self.alone.len()).filter(open).collect();
        self.leave_undecided("pairs", &open);
    }
}

/// All arrangements of all parts of a set, short ones first.
fn arrangements(set: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut from = 0;
    while from < all.len() {
        for &t in set {
            if !all[from].contains(&t) {
                let longer = [&all[from][..], &[t]].concat();
                all.push(longer);
            }
        }
        from += 1;
    }
    all
}

/// An order that depends on the seed and the names of the tests alone, so that a part of the set keeps its order.
pub fn shuffled<'n>(set: &[usize], seed: u64, name: impl Fn(usize) -> &'n String) -> Vec<usize> {
    let mut order: Vec<usize> = set.to_vec();
    order.sort_by_cached_key(|t| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes()).update(name(*t).as_bytes());
        (*hasher.finalize().as_bytes(), *t)
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_are_all_and_short_ones_first() {
        let all = arrangements(&[1, 2, 3]);
        assert_eq!(all.len(), 1 + 3 + 6 + 6);
        assert_eq!((&all[1], &all[4]), (&vec![1], &vec![1, 2]));
    }

    #[test]
    fn a_part_of_a_set_keeps_its_order() {
        let names: Vec<String> = (0..20).map(|i| format!("T#t{i}")).collect();
        let all: Vec<usize> = (0..20).collect();
        let order = shuffled(&all, 7, |t| &names[t]);
        let part = shuffled(&[3, 9, 15], 7, |t| &names[t]);
        let kept: Vec<usize> = order.iter().copied().filter(|t| part.contains(t)).collect();
        assert_eq!(part, kept);
        assert_ne!(order, shuffled(&all, 8, |t| &names[t]));
    }
}
