//! Which tests can change the outcome of which, by what they change and read: interference is an intersection.
//!
//! A test does what the state that it reads makes it do. If nothing that `p` changes is read by `v` when that runs alone, `v`
//! after `p` does what it does alone. Initialising a class counts, too: if `p` initialises a class that `v` would have
//! initialised itself, that is no matter only if the initialiser did nothing but fill the class's own fields, with the same.

use poldet_records::{Access, AccessReport, Initialised, Inside, Packed, Places, TestKey, Values};
use poldet_serializer::digests::ALL;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a test reads and changes, beside other tests of its class and beside tests of other classes.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    /// The number of its class.
    pub class: usize,
    /// Its tests share an instance, or something else that JUnit keeps for them.
    pub shares: bool,
    /// After the whole run of the class, fixtures included: for tests of other classes.
    outer: Side,
    /// After the test itself: for tests of the same class, between which no class fixtures run.
    inner: Side,
    /// The same, told apart as exactly as what was there when the fixtures of the class had run allows: comparable where the number
    /// is the same.
    exact: Option<(u64, Side)>,
    /// What the fixtures of the class changed before the test.
    by_fixtures: Places,
}

/// Places that tests were seen to change after others and not alone.
#[derive(Clone, Debug, Default)]
pub struct NewPlaces {
    pub places: Places,
    /// As tests of a class see them.
    pub inside: BTreeMap<usize, Places>,
}

impl NewPlaces {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.inside.values().all(Places::is_empty)
    }
}

#[derive(Clone, Debug, Default)]
struct Side {
    changed: Places,
    read: Places,
    /// Read or written.
    touched: Places,
    /// Read after the test and not written before, when its class came to its end: it matters for what is left, not for the test.
    read_at_end: Places,
    initialised: Vec<Initialised>,
    /// What the places hold that were changed.
    values: Values,
    /// Where the slots of new objects are among what those hold, by the objects' numbers.
    objects: BTreeMap<u64, Range<usize>>,
    leaves_threads: bool,
}

/// What a test read when it ran after others.
#[derive(Clone, Debug, Default)]
pub struct Read {
    pub places: Places,
    /// Of objects that the others have left: their numbers, each with the place of a slot.
    pub slots: Packed,
}

impl Sets {
    /// `early` says that JUnit makes a test's instance before it announces the test: what the fixtures of the class did can then
    /// not be told from what the constructor did.
    pub fn new(
        test: &TestKey,
        class: usize,
        shares: bool,
        early: bool,
        changes: &AccessReport,
        reads: &AccessReport,
    ) -> Sets {
        let mut sets = Sets {
            class,
            shares,
            outer: Side::new(&changes.run, &reads.run).with_values(&changes.values),
            inner: Side::new(&changes.test, &reads.test),
            exact: Side::inside(changes.inside_of(test), reads.inside_of(test)),
            by_fixtures: changes.before.changed.clone(),
        };
        if early {
            sets.inner.changed.extend(&changes.before.changed);
            for places in [&reads.before.read, &reads.before.written] {
                sets.inner.read.extend(places);
                sets.inner.touched.extend(places);
            }
        }
        sets
    }

    /// Something ran when the class of the test came to its end.
    pub fn ends_with(&mut self, reads: &AccessReport) {
        let read = reads.end.read.clone().unless_written(&reads.run.written);
        self.outer.touched.extend(&reads.end.read);
        self.outer.touched.extend(&reads.end.written);
        for side in [&mut self.outer, &mut self.inner] {
            side.read_at_end.extend(&read);
        }
        if let (Some((mark, exact)), Some(end)) = (&mut self.exact, &reads.end_inside) {
            let own = reads.inside.last().filter(|(_, own)| own.mark == end.mark);
            match own.filter(|_| end.mark == *mark) {
                Some((_, own)) => {
                    let read = end.read.clone().unless_written(&own.written);
                    exact.read_at_end.extend(&read);
                }
                None => self.exact = None,
            }
        }
    }

    /// What the test does, as others see it and as its class does.
    fn sides(&self) -> impl Iterator<Item = &Side> {
        let exact = self.exact.as_ref().map(|(_, side)| side);
        [&self.outer, &self.inner].into_iter().chain(exact)
    }
}

impl Side {
    /// Whether one of these places is written before it is read.
    fn overwrites(&self, places: &Places) -> bool {
        let mut units = places.units.as_slice().iter();
        let reads = [&self.read, &self.read_at_end];
        units.any(|u| self.touched.units.contains(*u) && !reads.iter().any(|r| r.units.contains(*u)))
            || places
                .roots
                .iter()
                .any(|r| self.touched.roots.contains(r) && !self.read.roots.contains(r))
            || places
                .files
                .iter()
                .any(|f| self.touched.files.contains(f) && !self.read.files.contains(f))
    }

    fn add_reads(&mut self, more: &Side) {
        self.read.extend(&more.read);
        self.touched.extend(&more.touched);
        self.read_at_end.extend(&more.read_at_end);
    }

    fn inside(changes: Option<&Inside>, reads: Option<&Inside>) -> Option<(u64, Side)> {
        let (changes, reads) = (changes?, reads?);
        let mut touched = reads.read.clone();
        touched.extend(&reads.written);
        let side = Side {
            changed: changes.changed.clone(),
            read: reads.read.clone(),
            touched,
            initialised: changes.initialised.clone(),
            ..Side::default()
        };
        let side = side.with_values(&changes.values);
        (changes.mark == reads.mark).then_some((changes.mark, side))
    }

    fn new(changes: &Access, reads: &Access) -> Side {
        let mut touched = reads.read.clone();
        touched.extend(&reads.written);
        Side {
            changed: changes.changed.clone(),
            read: reads.read.clone(),
            touched,
            initialised: changes.initialised.clone(),
            leaves_threads: changes.leaves_threads,
            ..Side::default()
        }
    }

    fn with_values(mut self, values: &Values) -> Side {
        self.values = values.clone();
        let all = &self.values.objects.0;
        let mut at = 0;
        while let [number, count, ..] = all[at..] {
            let from = at + 2;
            at = from.saturating_add(count as usize).min(all.len());
            self.objects.insert(number, from..at);
        }
        self
    }

    /// What a slot of a new object holds; all slots where none is named.
    fn slot(&self, object: u64, slot: u64) -> Option<&[u64]> {
        let slots = &self.values.objects.0[self.objects.get(&object)?.clone()];
        match slot {
            ALL => Some(slots),
            slot => slots.get(slot as usize..=slot as usize),
        }
    }

    /// Whether the places that somebody read hold the same after one and after the other. Where nothing is known of what they hold,
    /// they do not.
    fn holds_same(&self, other: &Side, read: &Read) -> bool {
        let Read { places: read, slots } = read;
        let both = [self, other];
        let unit = |side: &Side, unit: u64| match side.values.unit(unit) {
            None if side.changed.units.contains(unit) => Err(()),
            held => Ok(held),
        };
        let same_unit = |u: &u64| matches!((unit(self, *u), unit(other, *u)), (Ok(a), Ok(b)) if a == b);
        let root = |side: &Side, root: &String| match side.values.roots.get(root) {
            None if side.changed.roots.contains(root) => Err(()),
            held => Ok(held.copied()),
        };
        let same_root = |r: &String| matches!((root(self, r), root(other, r)), (Ok(a), Ok(b)) if a == b);
        let same_slot = |at: &[u64]| match at {
            [object, slot] => {
                let (one, other) = (self.slot(*object, *slot), other.slot(*object, *slot));
                one.is_some() && one == other
            }
            _ => false,
        };
        self.leaves_threads == other.leaves_threads
            && slots.0.chunks(2).all(same_slot)
            && both.iter().all(|s| {
                let mut units = s.changed.units.as_slice().iter();
                let mut roots = s.changed.roots.iter();
                units.all(|u| !read.units.contains(*u) || same_unit(u))
                    && roots.all(|r| !read.roots.contains(r) || same_root(r))
                    && s.changed.files.is_disjoint(&read.files)
            })
    }
}

/// What tests left; comparable where the mark is the same.
pub struct Left<'s> {
    pub mark: Option<u64>,
    side: Cow<'s, Side>,
}

impl Left<'_> {
    /// What several tests of a class have left that ran one after the other in a process that logged their accesses.
    pub fn of_class(report: &AccessReport) -> Option<Left<'static>> {
        let (_, last) = report.inside.last()?;
        let mut side = Side::default().with_values(&last.values);
        for (_, inside) in &report.inside {
            side.changed.extend(&inside.changed);
            side.initialised.extend(inside.initialised.iter().cloned());
            if inside.mark != last.mark {
                return None;
            }
        }
        Some(Left {
            mark: Some(last.mark),
            side: Cow::Owned(side),
        })
    }
}

/// The sets of all tests; none of a test that did not run to its end.
pub struct Interference {
    sets: Vec<Option<Sets>>,
    /// Classes of which it matters who initialises them, by test: beside other classes, and within the class.
    outer: Vec<BTreeSet<usize>>,
    inner: Vec<BTreeSet<usize>>,
    exact: Vec<BTreeSet<usize>>,
    /// All the classes of which it matters, by name.
    delicate: BTreeSet<String>,
    everything: bool,
}

impl Interference {
    /// Where nothing is known of what tests read and change, every test may interfere with every other.
    pub fn of_everything(count: usize) -> Interference {
        Interference {
            sets: vec![None; count],
            outer: Vec::new(),
            inner: Vec::new(),
            exact: Vec::new(),
            delicate: BTreeSet::new(),
            everything: true,
        }
    }

    pub fn new(sets: Vec<Option<Sets>>) -> Interference {
        let mut all = BTreeSet::new();
        let outer = delicate(&sets, &mut all, |s| &s.outer.initialised);
        let inner = delicate(&sets, &mut all, |s| &s.inner.initialised);
        let exact = delicate(&sets, &mut all, |s| {
            s.exact
                .as_ref()
                .map_or(&s.inner, |(_, side)| side)
                .initialised
                .as_ref()
        });
        Interference {
            sets,
            outer,
            inner,
            exact,
            delicate: all,
            everything: false,
        }
    }

    /// Whether `p`, run before `v`, can change what `v` does. A test that does not run to its end has no test after it.
    pub fn can(&self, p: usize, v: usize) -> bool {
        let (Some(before), Some(after)) = (&self.sets[p], &self.sets[v]) else {
            return self.everything;
        };
        if before.class == after.class {
            if let Some((earlier, later)) = same_mark(before, after) {
                return before.shares
                    || earlier.changed.meets(&later.read)
                    || meets(&self.exact[p], &self.exact[v]);
            }
            before.shares
                || before.inner.changed.meets(&after.inner.read)
                || meets(&self.inner[p], &self.inner[v])
        } else {
            before.outer.changed.meets(&after.outer.read) || meets(&self.outer[p], &self.outer[v])
        }
    }

    /// Whether `p`, run before `t`, can change what `t` leaves in another way than by changing what `t` itself does: by what runs when
    /// the class of `t` comes to its end.
    pub fn can_change_end(&self, p: usize, t: usize) -> bool {
        let (Some(before), Some(after)) = (&self.sets[p], &self.sets[t]) else {
            return false;
        };
        let (changed, read) = match same_mark(before, after) {
            _ if before.class != after.class => (&before.outer.changed, &after.outer.read_at_end),
            Some((earlier, later)) => (&earlier.changed, &later.read_at_end),
            None => (&before.inner.changed, &after.inner.read_at_end),
        };
        changed.meets(read) || (!read.is_empty() && self.can(p, t))
    }

    /// Places that few tests change.
    pub fn rare(&self) -> Rare {
        let mut counts = Counts::default();
        for sets in self.sets.iter().flatten() {
            counts.add(None, &sets.outer.changed);
            let inner = sets.exact.as_ref().map_or(&sets.inner, |(_, exact)| exact);
            counts.add(Some(sets.class), &inner.changed);
        }
        let few = counts.0.into_iter().filter(|(_, count)| *count <= FEW_CHANGERS);
        Rare(few.map(|(place, _)| place).collect())
    }

    /// Whether `p` changes a rare place that `v` reads.
    pub fn has_rare(&self, rare: &Rare, p: usize, v: usize) -> bool {
        let (Some(before), Some(after)) = (&self.sets[p], &self.sets[v]) else {
            return false;
        };
        let (class, changed, read) = match same_mark(before, after) {
            _ if before.class != after.class => (None, &before.outer.changed, &after.outer.read),
            Some((earlier, later)) => (Some(before.class), &earlier.changed, &later.read),
            None => (Some(before.class), &before.inner.changed, &after.inner.read),
        };
        let mut units = changed.units.as_slice().iter();
        let mut names = changed.roots.iter().chain(&changed.files);
        units.any(|u| read.units.contains(*u) && rare.0.contains(&(class, Spot::Unit(*u))))
            || names.any(|n| {
                let is_read = read.roots.contains(n) || read.files.contains(n);
                is_read && rare.0.contains(&(class, Spot::Name(n.clone())))
            })
    }

    /// What a test leaves, to those who come after it: tests of its class, or of others.
    pub fn left_by(&self, p: usize, v: usize) -> Option<Left<'_>> {
        let (before, after) = (self.sets[p].as_ref()?, self.sets[v].as_ref()?);
        if before.class != after.class {
            return Some(Left {
                mark: None,
                side: Cow::Borrowed(&before.outer),
            });
        }
        let (side, _) = same_mark(before, after).filter(|_| !before.shares)?;
        let mark = before.exact.as_ref().map(|(mark, _)| *mark);
        let side = Cow::Borrowed(side);
        Some(Left { mark, side })
    }

    /// Whether a test that read these places after one finds the same there after the other.
    pub fn finds_same(&self, one: &Left<'_>, other: &Left<'_>, read: &Read) -> bool {
        let classes = |side: &Side| -> BTreeMap<String, u64> {
            let all = side.initialised.iter();
            let all = all.filter(|i| self.delicate.contains(&i.class));
            all.map(|i| (i.class.clone(), i.digest)).collect()
        };
        one.mark == other.mark
            && one.side.holds_same(&other.side, read)
            && (self.delicate.is_empty() || classes(&one.side) == classes(&other.side))
    }

    /// Whether tests of a class share something that JUnit keeps for them.
    pub fn shares(&self, test: usize) -> bool {
        self.sets[test].as_ref().is_none_or(|sets| sets.shares)
    }

    /// What a test reads alone, beside tests of its class or of others.
    pub fn reads_alone(&self, v: usize, mark: Option<u64>) -> Option<&Places> {
        let sets = self.sets[v].as_ref()?;
        match (mark, &sets.exact) {
            (None, _) => Some(&sets.outer.read),
            (Some(mark), Some((own, side))) if mark == *own => Some(&side.read),
            _ => None,
        }
    }

    /// Whether `c` between `p` and `v` can undo what `p` did to `v`.
    pub fn can_clean(&self, c: usize, p: usize, v: usize) -> bool {
        let (Some(cleaner), Some(polluter)) = (&self.sets[c], &self.sets[p]) else {
            return self.everything;
        };
        if cleaner.class == polluter.class
            && self.sets[v].as_ref().is_some_and(|s| s.class == polluter.class)
            && let Some((polluting, cleaning)) = same_mark(polluter, cleaner)
        {
            // No class fixtures run between the three.
            let touches = polluting.changed.meets(&cleaning.touched);
            return touches || self.can(p, c) || self.can(c, v);
        }
        let changed = [&polluter.outer.changed, &polluter.inner.changed];
        let touched = [&cleaner.outer.touched, &cleaner.inner.touched];
        changed.iter().any(|a| touched.iter().any(|b| a.meets(b))) || self.can(p, c) || self.can(c, v)
    }

    /// Whether a test changes some of these places, for whomever.
    pub fn changes_some(&self, test: usize, places: &Places) -> bool {
        let sets = self.sets[test].as_ref();
        sets.is_some_and(|sets| sets.sides().any(|side| side.changed.meets(places)))
    }

    /// The tests that give a place another value without reading it first, of those places that some of these tests change and some
    /// of them read. Alone they may leave it as it was, so that only what comes before and after them shows it.
    pub fn overwriting(&self, tests: &[usize]) -> Vec<usize> {
        let (mut changed, mut read) = (Places::default(), Places::default());
        for side in tests
            .iter()
            .filter_map(|t| self.sets[*t].as_ref())
            .flat_map(Sets::sides)
        {
            changed.extend(&side.changed);
            read.extend(&side.read);
        }
        let unread = changed.clone().without(&read);
        let common = changed.without(&unread);
        let overwrites = |sets: &Sets| sets.sides().any(|side| side.overwrites(&common));
        (0..self.sets.len())
            .filter(|c| self.sets[*c].as_ref().is_some_and(overwrites))
            .collect()
    }

    /// A test was seen to change these places, too, after another; adds those that are new to `all`.
    pub fn add_changed(
        &mut self,
        test: usize,
        class: usize,
        changed: &Places,
        inside: Option<&Inside>,
        all: &mut NewPlaces,
    ) {
        let Some(sets) = &mut self.sets[test] else {
            return;
        };
        let new = changed
            .clone()
            .without(&sets.by_fixtures)
            .without(&sets.inner.changed)
            .without(&sets.outer.changed);
        sets.inner.changed.extend(&new);
        sets.outer.changed.extend(&new);
        match (&mut sets.exact, inside) {
            (Some((mark, exact)), Some(inside)) if *mark == inside.mark => {
                let new = inside.changed.clone().without(&exact.changed);
                exact.changed.extend(&new);
                all.inside.entry(class).or_default().extend(&new);
            }
            // What is known by its root only cannot be compared with what is known exactly.
            (exact, _) if !new.roots.is_empty() => *exact = None,
            (Some((_, exact)), _) => {
                exact.changed.extend(&new);
                all.inside.entry(class).or_default().extend(&new);
            }
            (None, _) => {}
        }
        all.places.extend(&new);
    }

    /// The same of what was changed when the class of the test had come to its end, which only tests of other classes see.
    pub fn add_left(&mut self, test: usize, changed: &Places, all: &mut NewPlaces) {
        if let Some(sets) = &mut self.sets[test] {
            let new = changed.clone().without(&sets.outer.changed);
            sets.outer.changed.extend(&new);
            all.places.extend(&new);
        }
    }

    /// Adds what tests read of places that were not known to be changed when their reads were logged.
    pub fn add_reads(&mut self, reads: &[Option<Sets>]) {
        for (sets, more) in self.sets.iter_mut().zip(reads) {
            if let (Some(sets), Some(more)) = (sets, more) {
                sets.outer.add_reads(&more.outer);
                sets.inner.add_reads(&more.inner);
                match (&mut sets.exact, &more.exact) {
                    (Some((mark, side)), Some((other, more))) if mark == other => side.add_reads(more),
                    (exact, _) => *exact = None,
                }
            }
        }
    }

    /// The tests whose doing `p` can change.
    pub fn candidates_after(&self, p: usize) -> Vec<usize> {
        (0..self.sets.len())
            .filter(|v| *v != p && self.can(p, *v))
            .collect()
    }

    /// The tests that can change what `t` leaves by what runs at the end of its class.
    pub fn candidates_of_end(&self, t: usize) -> Vec<usize> {
        (0..self.sets.len())
            .filter(|p| *p != t && self.can_change_end(*p, t))
            .collect()
    }

    /// The tests that can change what `v` does.
    pub fn candidates(&self, v: usize) -> Vec<usize> {
        (0..self.sets.len())
            .filter(|p| *p != v && self.can(*p, v))
            .collect()
    }
}

/// Tests that change a rare place at most.
const FEW_CHANGERS: usize = 3;

/// Places that few tests change, as tests of a class see them or as others do.
pub struct Rare(BTreeSet<(Option<usize>, Spot)>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    Unit(u64),
    Name(String),
}

/// How many tests change a place.
#[derive(Default)]
struct Counts(BTreeMap<(Option<usize>, Spot), usize>);

impl Counts {
    fn add(&mut self, class: Option<usize>, changed: &Places) {
        let units = changed.units.as_slice().iter().map(|unit| Spot::Unit(*unit));
        let names = changed.roots.iter().chain(&changed.files);
        for spot in units.chain(names.map(|name| Spot::Name(name.clone()))) {
            *self.0.entry((class, spot)).or_default() += 1;
        }
    }
}

/// What two tests of a class do as the class sees it, if that can be compared.
fn same_mark<'s>(a: &'s Sets, b: &'s Sets) -> Option<(&'s Side, &'s Side)> {
    let ((a_mark, a), (b_mark, b)) = (a.exact.as_ref()?, b.exact.as_ref()?);
    (a_mark == b_mark).then_some((a, b))
}

fn meets(a: &BTreeSet<usize>, b: &BTreeSet<usize>) -> bool {
    a.intersection(b).next().is_some()
}

/// The classes that a test initialises and of which it matters who does: the initialiser wrote to something that others have, or
/// left something else when it ran in another test.
fn delicate(
    sets: &[Option<Sets>],
    all: &mut BTreeSet<String>,
    of: impl Fn(&Sets) -> &Vec<Initialised>,
) -> Vec<BTreeSet<usize>> {
    let matter = who_matters(sets.iter().flatten().flat_map(&of));
    all.extend(matter.iter().map(|class| (*class).to_owned()));
    let number = |init: &Initialised| matter.binary_search(&init.class.as_str()).ok();
    let of_test = |sets: &Option<Sets>| match sets {
        Some(sets) => of(sets).iter().filter_map(number).collect(),
        None => BTreeSet::new(),
    };
    sets.iter().map(of_test).collect()
}

/// The classes of which it matters who initialises them, by what tests that ran alone report.
pub fn delicate_classes<'r>(reports: impl Iterator<Item = &'r AccessReport>) -> BTreeSet<String> {
    let initialised = reports.flat_map(|report| {
        let inside = report.inside.iter().flat_map(|(_, i)| &i.initialised);
        let all = report.run.initialised.iter().chain(&report.test.initialised);
        all.chain(inside)
    });
    who_matters(initialised).into_iter().map(str::to_owned).collect()
}

/// The classes among these of which it matters who initialises them, sorted.
fn who_matters<'i>(initialised: impl Iterator<Item = &'i Initialised>) -> Vec<&'i str> {
    let mut digests: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
    for init in initialised {
        let known = digests.entry(&init.class).or_insert((init.digest, false));
        known.1 |= init.impure || known.0 != init.digest;
    }
    let matter = digests.into_iter().filter(|(_, (_, matters))| *matters);
    matter.map(|(class, _)| class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::Units;

    fn access(changed: &[u64], read: &[u64], initialised: &[(&str, u64, bool)]) -> AccessReport {
        let places = |units: &[u64]| Places {
            units: Units::new(units.to_vec()),
            ..Places::default()
        };
        let access = Access {
            changed: places(changed),
            read: places(read),
            initialised: initialised
                .iter()
                .map(|(class, digest, impure)| Initialised {
                    class: (*class).to_owned(),
                    digest: *digest,
                    impure: *impure,
                })
                .collect(),
            ..Access::default()
        };
        AccessReport {
            test: access.clone(),
            tests: Vec::new(),
            before: Access::default(),
            run: access,
            ..AccessReport::default()
        }
    }

    fn sets(class: usize, of: &AccessReport) -> Option<Sets> {
        Some(Sets::new(&TestKey::default(), class, false, false, of, of))
    }

    #[test]
    fn a_common_place_makes_a_candidate() {
        let (polluter, victim, other) = (
            access(&[7], &[], &[]),
            access(&[], &[6, 7], &[]),
            access(&[8], &[9], &[]),
        );
        let found = Interference::new(vec![sets(0, &polluter), sets(1, &victim), sets(0, &other), None]);
        assert!(found.can(0, 1) && !found.can(1, 0) && !found.can(0, 2));
        // After a test that does not run to its end nothing runs.
        assert_eq!(found.candidates(1), [0]);
    }

    #[test]
    fn who_initialises_a_class_matters_only_if_that_shows() {
        let plain = access(&[], &[], &[("a.Plain", 1, false)]);
        let registers = access(&[], &[], &[("a.Registers", 1, true)]);
        let (first, other) = (
            access(&[], &[], &[("a.Captures", 1, false)]),
            access(&[], &[], &[("a.Captures", 2, false)]),
        );
        let all = [&plain, &plain, &registers, &registers, &first, &other];
        let found = Interference::new(all.iter().enumerate().map(|(i, a)| sets(i, a)).collect());
        assert!(!found.can(0, 1));
        assert!(found.can(2, 3) && found.can(4, 5) && !found.can(3, 4));
    }

    #[test]
    fn a_class_whose_tests_share_an_instance_is_tried() {
        let nothing = access(&[], &[], &[]);
        let shared = |class| {
            Some(Sets::new(
                &TestKey::default(),
                class,
                true,
                false,
                &nothing,
                &nothing,
            ))
        };
        let found = Interference::new(vec![shared(0), shared(0), shared(1)]);
        assert!(found.can(0, 1) && !found.can(0, 2));
    }

    #[test]
    fn tests_of_a_class_are_compared_exactly_where_they_can_be() {
        let inside = |mark: u64, changed: &[u64], read: &[u64]| {
            let mut report = access(&[1], &[1], &[]);
            let places = |units: &[u64]| Places {
                units: Units::new(units.to_vec()),
                ..Places::default()
            };
            let inside = Inside {
                mark,
                changed: places(changed),
                read: places(read),
                ..Inside::default()
            };
            report.inside = vec![(TestKey::default(), inside)];
            report
        };
        let all = [
            inside(5, &[7], &[]),
            inside(5, &[], &[7]),
            inside(5, &[], &[8]),
            inside(6, &[], &[8]),
        ];
        let mut found = Interference::new(all.iter().map(|a| sets(0, a)).collect());
        assert!(found.can(0, 1) && !found.can(0, 2));
        // Without a common point only the roots can be compared.
        assert!(found.can(0, 3));
        let roots = Places {
            roots: ["a.B.c".to_owned()].into(),
            ..Places::default()
        };
        let mut new = NewPlaces::default();
        found.add_changed(0, 0, &roots, None, &mut new);
        assert!(found.can(0, 2) && !new.is_empty());
    }
}
