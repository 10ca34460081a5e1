//! Tests that, run between a polluter and its victim, make the victim pass.

use crate::explore::od::candidates::Left;
use crate::explore::od::probe::passes;
use crate::explore::od::search::{Found, Search};
use crate::explore::parallel;
use crate::explore::wire::Asked;
use poldet_records::Places;
use std::collections::{BTreeMap, BTreeSet};

/// A polluter, one test or several, and its victims.
struct Group {
    polluter: Vec<usize>,
    victims: Vec<usize>,
    /// Victims of the polluter's class that class fixtures between the two let pass by themselves: for these tests of other classes
    /// are no cleaners.
    by_fixtures: BTreeSet<usize>,
    /// What victims read after the polluter, which may be more than they read alone.
    read: BTreeMap<usize, Places>,
}

/// Adds the cleaners of all victims for which none were looked for yet: single tests, in the order of the suite. `asked` are the places
/// that tests change, if that is known.
pub fn cleaners(
    search: &Search<'_, '_, '_>,
    asked: Option<&Asked>,
    found: &mut BTreeMap<usize, Found>,
) -> Result<(), String> {
    let mut by_polluter: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    let is_victim = |v: usize| search.alone[v] == Some(true) && search.probes.tests.all[v].judged;
    for (v, found) in found.iter_mut().filter(|(v, _)| is_victim(**v)) {
        for cause in found.causes.iter_mut().filter(|cause| !cause.tried) {
            cause.tried = true;
            by_polluter.entry(cause.tests.clone()).or_default().push(*v);
        }
    }
    if by_polluter.is_empty() {
        return Ok(());
    }
    let by_polluter: Vec<(Vec<usize>, Vec<usize>)> = by_polluter.into_iter().collect();
    let (probes, explorer) = (search.probes, search.probes.explorer);
    if asked.is_some() {
        probes.log_reads(asked)?;
    }
    let groups = parallel::map(
        explorer.jobs,
        &by_polluter,
        explorer.stop,
        |(polluter, victims)| search.group(polluter, victims),
    );
    let groups: Vec<Group> = groups.into_iter().flatten().collect::<Result<_, _>>()?;
    if search.seen.is_empty() && asked.is_some() {
        // There is nothing with which to compare what tests leave after a polluter.
        probes.log_reads(None)?;
    }
    let all = match search.first {
        true => search.first_cleaners(&groups)?,
        false => search.all_cleaners(&groups)?,
    };
    for (group, cleaners) in groups.iter().zip(all) {
        for (v, cleaner) in cleaners {
            let causes = found.get_mut(&v).map(|f| f.causes.iter_mut());
            for cause in causes.into_iter().flatten().filter(|c| c.tests == group.polluter) {
                cause.cleaners.push(vec![cleaner]);
            }
        }
    }
    Ok(())
}

/// Victims, and a test that cleans up for each.
type Cleaned = Vec<(usize, usize)>;

impl Search<'_, '_, '_> {
    fn group(&self, polluter: &[usize], victims: &[usize]) -> Result<Group, String> {
        let tests = self.probes.tests;
        let mut by_fixtures = BTreeSet::new();
        for v in victims {
            let together = polluter
                .last()
                .is_some_and(|p| tests.class(*p) == tests.class(*v));
            if together && !self.probes.is_over() && self.probes.passes_apart(polluter, *v)? == Some(true) {
                by_fixtures.insert(*v);
            }
        }
        let mut read = BTreeMap::new();
        if self.probes.logs_reads() {
            // Some have run after it with their reads logged.
            let seen = |v: &usize| {
                let seen = self.seen.get(v)?.iter().find(|s| polluter == [s.after])?;
                Some((*v, seen.read.places.clone()))
            };
            read.extend(victims.iter().filter_map(seen));
            let others: Vec<usize> = victims
                .iter()
                .copied()
                .filter(|v| !read.contains_key(v))
                .collect();
            let ran = self.probes.after(polluter, &others)?;
            read.extend(ran.into_iter().filter_map(|a| Some((a.test, a.read?.places))));
        }
        Ok(Group {
            polluter: polluter.to_vec(),
            victims: victims.to_vec(),
            by_fixtures,
            read,
        })
    }

    /// Those of the victims for which a test may clean up.
    fn candidates_of(&self, group: &Group, c: usize, victims: &[usize]) -> Vec<usize> {
        let tests = self.probes.tests;
        let may = |v: &usize| {
            let fits = !group.by_fixtures.contains(v) || tests.class(c) == tests.class(*v);
            let cleans = |p: &usize| self.interference.can_clean(c, *p, *v);
            let read = group.read.get(v);
            fits && (group.polluter.iter().any(cleans)
                || read.is_some_and(|read| self.interference.changes_some(c, read)))
        };
        victims.iter().copied().filter(may).collect()
    }

    fn all_cleaners(&self, groups: &[Group]) -> Result<Vec<Cleaned>, String> {
        let mut jobs: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let of_test = |c| (number, c, self.candidates_of(group, c, &group.victims));
            let all = (0..self.probes.tests.len()).map(of_test);
            jobs.extend(all.filter(|(.., victims)| !victims.is_empty()));
        }
        let explorer = self.probes.explorer;
        let done = parallel::map(explorer.jobs, &jobs, explorer.stop, |(group, c, victims)| {
            self.cleaned(&groups[*group], *c, victims)
        });
        let mut all: Vec<Cleaned> = vec![Cleaned::new(); groups.len()];
        for ((group, c, victims), cleaned) in jobs.iter().zip(done) {
            match cleaned.transpose()? {
                Some(cleaned) => all[*group].extend(cleaned.into_iter().map(|v| (v, *c))),
                None => self.skipped("cleaners", victims.len()),
            }
        }
        Ok(all)
    }

    /// For each victim the first test that cleans up.
    fn first_cleaners(&self, groups: &[Group]) -> Result<Vec<Cleaned>, String> {
        let explorer = self.probes.explorer;
        let done = parallel::map(explorer.jobs, groups, explorer.stop, |group| {
            let mut left = group.victims.clone();
            let mut found = Cleaned::new();
            for c in 0..self.probes.tests.len() {
                let victims = self.candidates_of(group, c, &left);
                if !victims.is_empty() {
                    let cleaned = self.cleaned(group, c, &victims)?;
                    left.retain(|v| !cleaned.contains(v));
                    found.extend(cleaned.into_iter().map(|v| (v, c)));
                }
            }
            Ok::<_, String>(found)
        });
        let done = done
            .into_iter()
            .map(|found| found.unwrap_or_else(|| Ok(Vec::new())));
        done.collect()
    }

    fn is_one_class(&self, before: &[usize], victims: &[usize]) -> bool {
        let class = |t: &usize| self.probes.tests.class(*t);
        let mut all = before.iter().chain(victims).map(class);
        let first = all.next();
        all.all(|c| Some(c) == first)
    }

    /// The victims that pass after the polluter and this test.
    fn cleaned(&self, group: &Group, c: usize, victims: &[usize]) -> Result<Vec<usize>, String> {
        if self.probes.is_over() {
            self.skipped("cleaners", victims.len());
            return Ok(Vec::new());
        }
        let before: Vec<usize> = group.polluter.iter().copied().chain([c]).collect();
        let mut cleaned = Vec::new();
        // Victims that are known to fail as after the polluter alone.
        let mut decided = 0;
        let ran = match self.is_one_class(&before, victims) {
            true => {
                // What tests have left is known where reads are logged. Else a process that holds saves nothing for one victim.
                let held = match self.probes.logs_reads() || victims.len() > 1 {
                    true => self.probes.held_in_class(&before)?,
                    false => None,
                };
                let access = held.as_ref().and_then(|(_, answer)| answer.access.as_ref());
                let left = access.and_then(Left::of_class);
                let known = |v: &usize| self.seen_after(left.as_ref()?, *v);
                // Whoever makes a victim pass is run in any case.
                let (still, open): (Vec<usize>, Vec<usize>) =
                    victims.iter().partition(|v| known(v) == Some(true));
                decided = still.len();
                self.probes.after_held(&before, held.as_ref(), &open)?
            }
            false => self.probes.after(&before, victims)?,
        };
        for after in &ran {
            let mut passed = after.record.as_ref().and_then(passes);
            if passed == Some(true) && ran.len() + decided > 1 {
                // In a process of its own, where nothing else has run.
                let sequence: Vec<usize> = before.iter().copied().chain([after.test]).collect();
                passed = self.probes.passes(&sequence)?;
            }
            match passed {
                Some(true) => cleaned.push(after.test),
                Some(false) => decided += 1,
                None => {}
            }
        }
        // A victim that neither passed nor failed says nothing of the cleaner; nor does one that an interrupt, or the end of the time,
        // kept from running.
        self.skipped("cleaners", victims.len() - decided - cleaned.len());
        cleaned.sort_unstable();
        Ok(cleaned)
    }
}
