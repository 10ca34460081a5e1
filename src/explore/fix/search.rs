//! Which statements are enough: candidates are tried in the woven classes, and reduced to what none can be left out of.

use crate::explore::ddmin::ddmin;
use crate::explore::fix::candidates::Candidate;
use crate::explore::fix::run::Runner;
use crate::explore::fix::weave::{Entry, Woven};
use crate::explore::inject::asserts::asserts;
use poldet_records::Outcome;
use std::collections::BTreeSet;

/// Statements of one helper that are tried one by one.
const MOST_SINGLES: usize = 40;
/// Choices of resets for several places.
const MOST_CHOICES: usize = 60;
/// Orders that every trial runs; the rest is for the check of the patch.
const MOST_GOALS: usize = 6;

/// A candidate, and those of its statements that are needed.
#[derive(Clone, Debug)]
pub struct Part {
    pub entry: usize,
    pub kept: BTreeSet<usize>,
}

/// What makes the test pass in all orders in which it is to.
#[derive(Clone, Debug)]
pub struct Solution {
    pub plan: usize,
    pub parts: Vec<Part>,
}

pub struct Search<'a> {
    pub runner: &'a Runner<'a>,
    pub candidates: &'a [Candidate],
    pub woven: &'a Woven,
    goals: Vec<(Vec<usize>, Vec<Option<Outcome>>)>,
}

impl<'a> Search<'a> {
    /// None if the woven classes, with everything switched off, do not do what the suite does.
    pub fn new(
        runner: &'a Runner<'a>,
        candidates: &'a [Candidate],
        woven: &'a Woven,
        goals: &[Vec<usize>],
    ) -> Result<Option<Search<'a>>, String> {
        let off = woven.off(&[]);
        let mut known = Vec::new();
        for goal in goals.iter().take(MOST_GOALS) {
            let outcomes = runner.run(goal, &off)?;
            let fails = matches!(outcomes.last(), Some(Some(Outcome::Failed | Outcome::Error)));
            if !fails {
                return Ok(None);
            }
            known.push((goal.clone(), outcomes));
        }
        Ok(Some(Search {
            runner,
            candidates,
            woven,
            goals: known,
        }))
    }

    /// Does the test pass in all orders, and do the others what they did?
    fn holds(&self, on: &[(usize, &BTreeSet<usize>)]) -> Option<bool> {
        if self.runner.explorer.is_stopped() {
            return None;
        }
        let off = self.woven.off(on);
        for (goal, before) in &self.goals {
            let outcomes = self.runner.run(goal, &off).ok()?;
            let (last, others) = outcomes.split_last()?;
            if *last != Some(Outcome::Passed) || *others != before[..others.len()] {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The candidates of a plan: helpers, or resets.
    pub fn entries_of(&self, plan: usize, helper: bool) -> Vec<usize> {
        let of = |e: &Entry| {
            let kind = !matches!(self.candidates[e.candidate], Candidate::Reset(_));
            e.plan == plan && kind == helper
        };
        let all = self.woven.entries.iter().enumerate();
        all.filter(|(_, e)| of(e)).map(|(i, _)| i).collect()
    }

    /// A candidate by itself: a helper as small as it can be, a reset as it is.
    pub fn single(&self, plan: usize, entry: usize) -> Option<Solution> {
        let of = &self.woven.entries[entry];
        let kept = match &self.candidates[of.candidate] {
            Candidate::Reset(_) => {
                Some(self.whole(entry)).filter(|all| self.holds(&[(entry, all)]) == Some(true))
            }
            Candidate::Helper(_) | Candidate::Opened(_) | Candidate::Call(_) => self.reduce(entry),
        };
        kept.map(|kept| Solution {
            plan,
            parts: vec![Part { entry, kept }],
        })
    }

    fn whole(&self, entry: usize) -> BTreeSet<usize> {
        let block = self.woven.entries[entry].parts().next();
        block.map(|b| b.units.all()).unwrap_or_default()
    }

    /// A smallest set of statements of a helper that is enough.
    fn reduce(&self, number: usize) -> Option<BTreeSet<usize>> {
        let entry = &self.woven.entries[number];
        let units = &entry.parts().next()?.units;
        let alone = |kept: &BTreeSet<usize>| self.holds(&[(number, kept)]) == Some(true);
        let mut kept = self.starts(entry).into_iter().find(|s| alone(s));
        if kept.is_none() && units.len() <= MOST_SINGLES {
            let single = |u: usize| units.closed(&BTreeSet::from([u]));
            kept = (0..units.len()).map(single).find(|s| alone(s));
        }
        let mut kept = kept?;
        // Outer statements first, then what is inside of those that stay, until nothing can go.
        loop {
            let before = kept.len();
            let mut level: Vec<usize> = kept
                .iter()
                .copied()
                .filter(|u| units.list[*u].parent.is_none())
                .collect();
            while !level.is_empty() {
                kept = self.reduce_level(number, kept, &level);
                let stays = kept.clone();
                level = stays
                    .iter()
                    .copied()
                    .filter(|u| units.list[*u].parent.is_some_and(|p| level.contains(&p)))
                    .collect();
            }
            if kept.len() == before {
                return Some(kept);
            }
        }
    }

    /// Leaves out what can be left out of these units.
    fn reduce_level(&self, number: usize, kept: BTreeSet<usize>, level: &[usize]) -> BTreeSet<usize> {
        let entry = &self.woven.entries[number];
        let Some(block) = entry.parts().next() else {
            return kept;
        };
        let units = &block.units;
        let free: Vec<usize> = level
            .iter()
            .copied()
            .filter(|u| kept.contains(u) && entry.can_drop(*u))
            .collect();
        let without = |stay: &[usize]| -> BTreeSet<usize> {
            let gone = |u: &usize| {
                let of = |f: &usize| !stay.contains(f) && (f == u || units.is_inside(*u, *f));
                free.iter().any(of)
            };
            let left: BTreeSet<usize> = kept.iter().copied().filter(|u| !gone(u)).collect();
            let closed = units.closed(&left);
            // What comes back because it is needed brings only itself.
            closed.intersection(&kept).copied().collect()
        };
        if free.is_empty() {
            return kept;
        }
        let nothing = without(&[]);
        let holds = |set: &BTreeSet<usize>| match set.is_empty() {
            true => Some(false),
            false => self.holds(&[(number, set)]),
        };
        if free.len() < kept.len() && nothing.len() < kept.len() && holds(&nothing) == Some(true) {
            return nothing;
        }
        let stay = ddmin(free.len(), |part| {
            let part: Vec<usize> = part.iter().map(|i| free[*i]).collect();
            holds(&without(&part))
        });
        let stay: Vec<usize> = stay.into_iter().map(|i| free[i]).collect();
        let mut reduced = without(&stay);
        if let [only] = stay.as_slice() {
            // Delta debugging does not ask about the empty set.
            let set = without(&[]);
            if set.len() < reduced.len() && !set.contains(only) && holds(&set) == Some(true) {
                reduced = set;
            }
        }
        reduced
    }

    /// Sets to begin with: the body without assertions, the body, and the same with all fixtures.
    fn starts(&self, entry: &Entry) -> Vec<BTreeSet<usize>> {
        let Some(block) = entry.parts().next() else {
            return Vec::new();
        };
        let units = &block.units;
        let top: Vec<usize> = (0..units.len())
            .filter(|u| units.list[*u].parent.is_none())
            .collect();
        let body = entry.rendered[0].body_block.and_then(|i| top.get(i).copied());
        let in_body = |u: &usize| body.is_none_or(|b| *u == b || units.is_inside(*u, b));
        let assertion = |u: &usize| asserts(&units.list[*u].kind, &units.list[*u].calls, &[]);
        let assertions: BTreeSet<usize> = (0..units.len())
            .filter(|u| assertion(u) && entry.can_drop(*u))
            .collect();
        let calm = units.without(&assertions);
        let mut starts: Vec<BTreeSet<usize>> = vec![
            calm.iter().copied().filter(in_body).collect(),
            units.all().into_iter().filter(in_body).collect(),
            calm,
            units.all(),
        ];
        starts.dedup();
        starts.retain(|s| !s.is_empty());
        starts
    }

    /// Resets that help together, one for each place.
    pub fn combination(&self, plan: usize, places: usize) -> Option<Solution> {
        let entries = self.entries_of(plan, false);
        let of_place = |place: usize| -> Vec<usize> {
            let is = |e: &&usize| match &self.candidates[self.woven.entries[**e].candidate] {
                Candidate::Reset(reset) => reset.place == place,
                Candidate::Helper(_) | Candidate::Opened(_) | Candidate::Call(_) => false,
            };
            entries.iter().filter(is).copied().collect()
        };
        let choices: Vec<Vec<usize>> = (0..places).map(of_place).filter(|c| !c.is_empty()).collect();
        for choice in chosen(&choices, MOST_CHOICES) {
            let sets: Vec<(usize, BTreeSet<usize>)> = choice.iter().map(|e| (*e, self.whole(*e))).collect();
            let on = |part: &[usize]| -> Option<bool> {
                let on: Vec<(usize, &BTreeSet<usize>)> =
                    part.iter().map(|i| (sets[*i].0, &sets[*i].1)).collect();
                self.holds(&on)
            };
            let everything: Vec<usize> = (0..sets.len()).collect();
            if on(&everything) == Some(true) {
                let part = |i: usize| Part {
                    entry: sets[i].0,
                    kept: sets[i].1.clone(),
                };
                return Some(Solution {
                    plan,
                    parts: ddmin(sets.len(), on).into_iter().map(part).collect(),
                });
            }
        }
        None
    }
}

/// One of each list; the first ones first, then with one of them another, and so on.
fn chosen(choices: &[Vec<usize>], most: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    if choices.is_empty() {
        return found;
    }
    let longest: usize = choices.iter().map(Vec::len).sum();
    for sum in 0..=longest {
        combine(choices, sum, &mut Vec::new(), &mut found, most);
        if found.len() >= most {
            break;
        }
    }
    found
}

fn combine(
    choices: &[Vec<usize>],
    sum: usize,
    so_far: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
    most: usize,
) {
    if found.len() >= most {
        return;
    }
    let Some(list) = choices.get(so_far.len()) else {
        if sum == 0 {
            found.push(so_far.clone());
        }
        return;
    };
    for (i, entry) in list.iter().enumerate().take(sum + 1) {
        so_far.push(*entry);
        combine(choices, sum - i, so_far, found, most);
        so_far.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_choices_come_first() {
        let found = chosen(&[vec![1, 2], vec![3, 4]], 10);
        assert_eq!(found, [vec![1, 3], vec![1, 4], vec![2, 3], vec![2, 4]]);
        assert_eq!(chosen(&[vec![1, 2], vec![3, 4]], 2).len(), 2);
    }
}
