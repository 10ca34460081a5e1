//! Who makes a test fail or pass: polluters, state-setters, cleaners.

use crate::explore::ddmin::ddmin;
use crate::explore::od::candidates::{Interference, Left, NewPlaces, Read};
use crate::explore::od::orders::differing;
use crate::explore::od::probe::{After, Probes, passes};
use crate::explore::parallel;
use poldet_records::{Packed, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Tests before another that change its outcome, in their order; none of them can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub tests: Vec<usize>,
    pub cleaners: Vec<Vec<usize>>,
    /// Cleaners were looked for.
    pub tried: bool,
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
/// Tests that can change what a test does, from which on orders are run for all such tests together.
const MANY: usize = 24;
/// Random orders of those.
const COMMON_SHUFFLES: u64 = 2;

/// Pairs that are to be run, from which on it may pay to log what tests read.
const FEW_PAIRS: usize = 100;

/// Pairs from which on it is tried with a few tests first whether it does, and so many.
const MANY_PAIRS: usize = 1000;
const SAMPLED: usize = 3;

/// Pairs of tests: by the second, the first ones.
pub type Open = BTreeMap<usize, Vec<usize>>;

/// A test that ran after another: what it read there, and whether its outcome is another than alone.
pub struct Seen {
    pub after: usize,
    pub read: Read,
    pub differs: bool,
}

pub struct Search<'p, 'a, 'e> {
    pub probes: &'p Probes<'a, 'e>,
    pub interference: Interference,
    /// Whether each test passes alone; None for those that do neither.
    pub alone: &'p [Option<bool>],
    /// Stop at the first of each kind.
    pub first: bool,
    pub seed: u64,
    /// What is known of tests that ran after others, by test.
    pub seen: BTreeMap<usize, Vec<Seen>>,
    /// Pairs that did not run, since the second is known to find the same after the first as after another, or alone.
    pub alike: usize,
    /// The tests that can change what each test does or leaves, when that is known for good.
    pub lists: OnceLock<Vec<Vec<usize>>>,
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

    /// The pairs that can interfere and have not run yet: by the second test, the first ones.
    pub fn open_pairs(&self, ran: &mut BTreeSet<(usize, usize)>) -> Open {
        let mut open = Open::new();
        for v in (0..self.alone.len()).filter(|v| self.alone[*v].is_some()) {
            let mut candidates = self.interference.candidates(v);
            candidates.retain(|p| ran.insert((*p, v)));
            open.insert(v, candidates);
        }
        open
    }

    /// Runs pairs of which the first test can change what runs when the class of the second comes to its end. To `new` come the places
    /// that were changed then and are not otherwise.
    pub fn ends(&mut self, ran: &mut BTreeSet<(usize, usize)>, new: &mut NewPlaces) -> Result<(), String> {
        let mut jobs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for t in (0..self.alone.len()).filter(|t| self.alone[*t].is_some()) {
            for p in self.interference.candidates_of_end(t) {
                if ran.insert((p, t)) {
                    jobs.entry(p).or_default().push(t);
                }
            }
        }
        let jobs: Vec<(usize, Vec<usize>)> = jobs.into_iter().collect();
        let (explorer, probes) = (self.probes.explorer, self.probes);
        let results = parallel::map(explorer.jobs, &jobs, explorer.stop, |(p, tests)| {
            probes.left_after(*p, tests)
        });
        for ((_, tests), left) in jobs.iter().zip(results) {
            let left = left.transpose()?.unwrap_or_default();
            self.skipped("ends of classes", tests.len() - left.len());
            for (t, changed) in left {
                self.interference.add_left(t, &changed, new);
            }
        }
        Ok(())
    }

    /// Takes the pairs of a few tests out of the open ones, where there are many.
    pub fn sample(&self, open: &mut Open) -> Open {
        let all: usize = open.values().map(Vec::len).sum();
        if all < MANY_PAIRS {
            return std::mem::take(open);
        }
        let mut tests: Vec<usize> = open.keys().copied().collect();
        tests.sort_by_key(|v| std::cmp::Reverse(open[v].len()));
        tests.truncate(SAMPLED);
        let taken = tests.into_iter().filter_map(|v| open.remove_entry(&v));
        taken.collect()
    }

    /// Whether logging what tests read has saved so many runs so far that it pays.
    pub fn logs_pay(&self) -> bool {
        let ran: usize = self.seen.values().map(Vec::len).sum();
        self.alike > ran
    }

    /// Whether logging what tests read after others may save more than it costs: a run that logs takes about twice as long, and
    /// those are saved that turn out to be alike.
    pub fn logs_may_pay(&self, open: &Open) -> bool {
        let all: usize = open.values().map(Vec::len).sum();
        let mut waiting = 0;
        for (&v, candidates) in open {
            let mut chosen: Vec<usize> = Vec::new();
            for &p in candidates {
                match chosen.iter().any(|q| self.may_be_alike(*q, p, v)) {
                    true => waiting += 1,
                    false => chosen.push(p),
                }
            }
        }
        all >= FEW_PAIRS && waiting * 2 > all
    }

    /// Runs open pairs; adds the single tests that change the outcome of others, by the others. To `new` come the
    /// places that tests changed after others and do not change alone.
    ///
    /// A test does what the places that it reads make it do. So it need not run after `p` if it ran after `q` and all that it read
    /// then holds the same after `p`.
    pub fn pairs(
        &mut self,
        open: &mut Open,
        all: &mut BTreeMap<usize, Found>,
        new: &mut NewPlaces,
    ) -> Result<(), String> {
        loop {
            let jobs = self.next_pairs(open, all);
            if jobs.is_empty() {
                return Ok(());
            }
            self.run_pairs(&jobs, all, new)?;
        }
    }

    /// Open pairs, those first of which more can be expected, where the time may not suffice: what few tests change and others read
    /// is more often meant for one test than what nearly all change. Each with whether it is the last.
    pub fn by_worth(&self, open: Open) -> Vec<(Open, bool)> {
        if self.probes.deadline.is_none() {
            return vec![(open, true)];
        }
        let rare = self.interference.rare();
        let (mut first, mut others) = (Open::new(), Open::new());
        for (v, candidates) in open {
            let (few, many): (Vec<usize>, Vec<usize>) = candidates
                .into_iter()
                .partition(|p| self.interference.has_rare(&rare, *p, v));
            first.insert(v, few);
            others.insert(v, many);
        }
        vec![(first, false), (others, true)]
    }

    /// Pairs to be run at once, by the first test, of those that are open. Of those that may turn out to be alike the first one
    /// is taken, and the others stay open.
    fn next_pairs(&mut self, open: &mut Open, all: &BTreeMap<usize, Found>) -> Vec<(usize, Vec<usize>)> {
        let logs = self.probes.logs_reads();
        let mut jobs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&v, candidates) in open {
            if self.first && all.contains_key(&v) {
                continue;
            }
            let mut chosen: Vec<usize> = Vec::new();
            let mut alike = 0;
            candidates.retain(|&p| match self.seen(p, v) {
                Some(false) => {
                    alike += 1;
                    false
                }
                // Whoever changes an outcome is run in any case.
                known => {
                    let waits = logs && known.is_none() && chosen.iter().any(|q| self.may_be_alike(*q, p, v));
                    if !waits {
                        jobs.entry(p).or_default().push(v);
                        chosen.push(p);
                    }
                    waits
                }
            });
            self.alike += alike;
        }
        jobs.into_iter().collect()
    }

    /// Whether the outcome of `v` after `p` is another than alone, where that is known without a run.
    fn seen(&self, p: usize, v: usize) -> Option<bool> {
        self.seen_after(&self.interference.left_by(p, v)?, v)
    }

    /// The same after tests that have left this.
    pub fn seen_after(&self, left: &Left<'_>, v: usize) -> Option<bool> {
        let interference = &self.interference;
        if left.mark.is_some() && interference.shares(v) {
            return None;
        }
        let same = |seen: &&Seen| {
            let other = interference.left_by(seen.after, v);
            other.is_some_and(|other| interference.finds_same(left, &other, &seen.read))
        };
        let found = self.seen.get(&v)?.iter().find(same)?;
        Some(found.differs)
    }

    /// Whether two tests leave the same in all that `v` reads alone.
    fn may_be_alike(&self, p: usize, q: usize, v: usize) -> bool {
        let interference = &self.interference;
        let (Some(one), Some(other)) = (interference.left_by(p, v), interference.left_by(q, v)) else {
            return false;
        };
        let Some(places) = interference.reads_alone(v, one.mark).cloned() else {
            return false;
        };
        let slots = Packed::default();
        interference.finds_same(&one, &other, &Read { places, slots })
    }

    fn run_pairs(
        &mut self,
        jobs: &[(usize, Vec<usize>)],
        all: &mut BTreeMap<usize, Found>,
        new: &mut NewPlaces,
    ) -> Result<(), String> {
        let explorer = self.probes.explorer;
        let search = &*self;
        let results = parallel::map(explorer.jobs, jobs, explorer.stop, |(p, tests)| {
            if search.probes.is_over() {
                search.leave_undecided("pairs", tests);
                return Ok(Vec::new());
            }
            let found = search.after(*p, tests)?;
            // An interrupt, or the end of the time, may have come meanwhile.
            let ran: BTreeSet<usize> = found.iter().map(|(after, _)| after.test).collect();
            let left: Vec<usize> = tests.iter().copied().filter(|v| !ran.contains(v)).collect();
            search.leave_undecided("pairs", &left);
            Ok::<_, String>(found)
        });
        for ((p, tests), found) in jobs.iter().zip(results) {
            let Some(found) = found else {
                self.leave_undecided("pairs", tests);
                continue;
            };
            for (after, differs) in found? {
                let v = after.test;
                let class = self.probes.tests.class(v);
                self.interference
                    .add_changed(v, class, &after.changed, after.inside.as_ref(), new);
                if let Some(read) = after.read {
                    let after = *p;
                    let seen = Seen { after, read, differs };
                    self.seen.entry(v).or_default().push(seen);
                }
                if let Some(record) = after.record.filter(|_| differs) {
                    self.add(all, v, *p, record);
                }
            }
        }
        Ok(())
    }

    fn add(&self, all: &mut BTreeMap<usize, Found>, v: usize, p: usize, record: Record) {
        let found = all.entry(v).or_default();
        if self.first && !found.causes.is_empty() {
            return;
        }
        found.causes.push(Cause {
            tests: vec![p],
            cleaners: Vec::new(),
            tried: false,
        });
        // Rounds come one after the other; the order of the suite counts.
        found.causes.sort_by(|a, b| a.tests.cmp(&b.tests));
        if found.causes[0].tests == [p] {
            found.record = Some(record);
        }
    }

    /// The tests after `p`, and whether their outcome is another than alone.
    fn after(&self, p: usize, tests: &[usize]) -> Result<Vec<(After, bool)>, String> {
        let mut found = Vec::new();
        for mut after in self.probes.after(&[p], tests)? {
            let v = after.test;
            let differs = |r: &Record| passes(r).is_some_and(|passed| Some(passed) != self.alone[v]);
            let is_clear = |r: &Record| passes(r).is_some();
            let mut is_other = after.record.as_ref().is_some_and(differs);
            // Of a test on which no verdict is wanted only what it changes after others matters: that may change those that are.
            if is_other && !self.probes.tests.all[v].judged {
                after.read = None;
            } else if is_other {
                // In a process of its own, where nothing but the two has run.
                after.record = self.probes.last(&[p, v])?;
                is_other = after.record.as_ref().is_some_and(differs);
                if !is_other {
                    after.read = None;
                }
            }
            // What did not pass and did not fail says nothing of others.
            after.read = after.read.filter(|_| after.record.as_ref().is_some_and(is_clear));
            found.push((after, is_other));
        }
        Ok(found)
    }

    /// Combinations of tests that change the outcome of a test which no single one changes.
    pub fn combination(&self, v: usize) -> Result<Option<Found>, String> {
        let Some(alone) = self.alone[v] else {
            return Ok(None);
        };
        let set = self.closure(v);
        if set.len() > MANY {
            return Ok(None);
        }
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

    /// The same for tests that many others could change. An order of them all has every test after some of the others, so that a
    /// few orders show it for all of them.
    pub fn common_orders(&self, tests: &[usize]) -> Result<BTreeMap<usize, Found>, String> {
        let mut found = BTreeMap::new();
        let wanted = tests.iter().copied().filter(|v| self.alone[*v].is_some());
        let wanted: BTreeSet<usize> = wanted.filter(|v| self.closure(*v).len() > MANY).collect();
        let mut set = wanted.clone();
        wanted.iter().for_each(|v| set.extend(self.closure(*v)));
        let set: Vec<usize> = set.into_iter().collect();
        if set.is_empty() {
            return Ok(found);
        }
        let mut orders = vec![set.iter().rev().copied().collect::<Vec<usize>>()];
        orders.extend((0..COMMON_SHUFFLES).map(|round| {
            let order = shuffled(&set, self.seed ^ round, |t| &self.probes.tests.all[t].name);
            self.by_class(&order)
        }));
        let explorer = self.probes.explorer;
        let ran = parallel::map(explorer.jobs, &orders, explorer.stop, |order| {
            match self.probes.is_over() {
                true => Ok(None),
                false => self.probes.whole(order),
            }
        });
        let mut left = 0;
        for (order, answer) in orders.iter().zip(ran) {
            let Some(answer) = answer.transpose()?.flatten().filter(|_| !self.probes.is_over()) else {
                left += 1;
                continue;
            };
            for position in differing(self.probes.tests, order, &answer, self.alone) {
                let v = order[position];
                if wanted.contains(&v) && !found.contains_key(&v) {
                    let more = self.minimal(v, &order[..position])?;
                    if more.record.as_ref().and_then(passes) == self.alone[v].map(|passed| !passed) {
                        found.insert(v, more);
                    }
                }
            }
        }
        if left > 0 {
            let open: Vec<usize> = wanted.into_iter().filter(|v| !found.contains_key(v)).collect();
            self.leave_undecided("orders", &open);
        }
        Ok(found)
    }

    /// The tests that can change what a test does, those that can change what these do or leave, and those that overwrite what they
    /// leave.
    fn closure(&self, v: usize) -> Vec<usize> {
        let lists = self.lists.get_or_init(|| {
            let of_test = |t| {
                let mut list = self.interference.candidates(t);
                list.extend(self.interference.candidates_of_end(t));
                list
            };
            (0..self.alone.len()).map(of_test).collect()
        });
        let direct = self.interference.candidates(v);
        let mut all: BTreeSet<usize> = direct.iter().copied().collect();
        for p in direct {
            all.extend(&lists[p]);
        }
        if (1..=MANY).contains(&all.len()) {
            all.insert(v);
            let known: Vec<usize> = all.iter().copied().collect();
            all.extend(self.interference.overwriting(&known));
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

    /// The order with the tests of each class together, in the order of the classes' first tests.
    fn by_class(&self, order: &[usize]) -> Vec<usize> {
        let class = |t: usize| self.probes.tests.class(t);
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, t) in order.iter().enumerate() {
            first.entry(class(*t)).or_insert(place);
        }
        let mut sorted = order.to_vec();
        sorted.sort_by_key(|t| first.get(&class(*t)).copied());
        sorted
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
                tried: false,
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
