//! Step 3: which tests of a mutated class pass in one order and fail in another, and why.

use crate::explore::ddmin::ddmin;
use crate::explore::explorer::{Class, Member};
use crate::explore::inject::Settings;
use crate::explore::inject::stable::Stable;
use crate::explore::inject::trial::{Trial, is, verdict};
use crate::explore::inject::walk::{Turns, Walk};
use poldet_records::inject::{FailureKind, Mutant, NoVerdict, OdTest, OdType, Role};
use poldet_records::{Outcome, Record, SearchPlace};
use std::collections::BTreeSet;

/// What the orders say of one test.
#[derive(Default)]
struct Seen {
    passing: Option<Vec<usize>>,
    failing: Option<(Vec<usize>, Record)>,
    neither: Option<Outcome>,
}

/// Evaluates a mutant: all orders, then every test that passes and fails. `touched` are the tests that the deletion concerns, none for
/// all.
pub fn evaluate(
    trial: &Trial<'_, '_>,
    stable: &Stable,
    touched: &[usize],
    orders: &[Vec<usize>],
    settings: &Settings,
    others: &[&Class],
    mutant: &mut Mutant,
) -> Result<(), String> {
    let of_class = |order: &Vec<usize>| order.iter().map(|i| stable.tests[*i]).collect();
    let orders: Vec<Vec<usize>> = orders.iter().map(of_class).collect();
    let mut walked = None;
    if !stable.turns.contradicts && !settings.whole_orders {
        walked = walk(trial, stable, touched, &orders)?;
    }
    let stable = &stable.tests[..];
    let seen = match walked {
        Some(walked) => {
            mutant.orders = walked.done as u32;
            mutant.assumes = walked.assumes.into_iter().collect();
            walked.seen
        }
        None => whole(trial, stable, &orders, mutant)?,
    };
    if trial.explorer.is_stopped() {
        return Ok(());
    }
    let class = trial.class;
    for (seen, test) in seen.into_iter().zip(stable) {
        let name = class.tests[*test].test.text();
        if let Some(outcome) = seen.neither {
            mutant.no_verdict.push(NoVerdict { test: name, outcome });
        } else if let (Some(passing), Some((failing, record))) = (seen.passing, seen.failing) {
            let judge = Judge {
                trial,
                stable,
                test: *test,
                settings,
                others,
            };
            mutant.od_tests.extend(judge.judge(passing, failing, record)?);
        }
    }
    mutant.role = role(mutant);
    Ok(())
}

/// What orders came to, as far as possible from what was known.
struct Walked {
    seen: Vec<Seen>,
    /// How many orders.
    done: usize,
    /// What kept changes of tests from counting: such changes were taken for none.
    assumes: BTreeSet<String>,
}

/// Follows the orders. None if what is known does not hold.
fn walk(
    trial: &Trial<'_, '_>,
    stable: &Stable,
    touched: &[usize],
    orders: &[Vec<usize>],
) -> Result<Option<Walked>, String> {
    let mut walk = Walk {
        trial,
        base: &stable.turns,
        touched,
        own: Turns::default(),
    };
    let stable = &stable.tests[..];
    let mut seen: Vec<Seen> = stable.iter().map(|_| Seen::default()).collect();
    let mut done = 0;
    walk.begin(stable)?;
    for order in orders {
        if trial.explorer.is_stopped() {
            return Ok(Some(Walked {
                seen: Vec::new(),
                done: 0,
                assumes: BTreeSet::new(),
            }));
        }
        let Some(turns) = walk.run(order)? else {
            return Ok(None);
        };
        for (test, record) in &turns {
            if let Some(at) = stable.iter().position(|t| t == test) {
                seen[at].take(order, *test, record);
            }
        }
        done += 1;
        // A test that does not end in one order would take as long in every other.
        if seen.iter().any(|s| s.neither == Some(Outcome::TimedOut)) {
            break;
        }
    }
    // What is claimed was run, as a whole.
    for seen in &seen {
        if let (None, Some(passing), Some((failing, _))) = (&seen.neither, &seen.passing, &seen.failing)
            && !(walk.holds(passing, true)? && walk.holds(failing, false)?)
        {
            return Ok(None);
        }
    }
    let uncounted = walk.base.uncounted.keys().chain(walk.own.uncounted.keys());
    Ok(Some(Walked {
        seen,
        done,
        assumes: uncounted.cloned().collect(),
    }))
}

/// The same with every order run as a whole.
fn whole(
    trial: &Trial<'_, '_>,
    stable: &[usize],
    orders: &[Vec<usize>],
    mutant: &mut Mutant,
) -> Result<Vec<Seen>, String> {
    let class = trial.class;
    let mut seen: Vec<Seen> = stable.iter().map(|_| Seen::default()).collect();
    let mut done = 0;
    while done < orders.len() {
        if trial.explorer.is_stopped() {
            return Ok(Vec::new());
        }
        let (ran, end) = trial.run_some(&orders[done..])?;
        for (order, records) in orders[done..].iter().zip(&ran) {
            for record in records {
                let at = stable.iter().position(|i| is(record, &class.tests[*i]));
                if let Some(at) = at {
                    seen[at].take(order, stable[at], record);
                }
            }
        }
        done += ran.len();
        if let Some(end) = end
            && seen.iter().all(|s| s.neither.is_none())
        {
            return Err(crate::run::schedule::verdict(&end).1);
        }
        // A test that does not end in one order would take as long in every other.
        if seen.iter().any(|s| s.neither == Some(Outcome::TimedOut)) {
            break;
        }
    }
    mutant.orders = done as u32;
    Ok(seen)
}

impl Seen {
    fn take(&mut self, order: &[usize], test: usize, record: &Record) {
        let until = order
            .iter()
            .position(|i| *i == test)
            .map_or(order.len(), |at| at + 1);
        let order = order[..until].to_vec();
        match verdict(record.outcome) {
            Some(true) => {
                self.passing.get_or_insert(order);
            }
            Some(false) => {
                self.failing.get_or_insert_with(|| (order, record.clone()));
            }
            None => {
                self.neither.get_or_insert(record.outcome);
            }
        }
    }
}

/// What the statement did for the tests, seen from what its loss did.
fn role(mutant: &Mutant) -> Option<Role> {
    let own = |name: &str| name.split(['(', '[']).next() == Some(mutant.test.as_str());
    let mut od = mutant
        .od_tests
        .iter()
        .filter(|t| t.kind != OdType::Nod)
        .peekable();
    od.peek()?;
    for test in od {
        match test.kind {
            OdType::Victim if own(&test.test) => return Some(Role::Cleaner),
            OdType::Brittle if own(&test.test) => return Some(Role::StateSetter),
            OdType::Victim if test.polluters.iter().flatten().any(|p| own(p)) => return Some(Role::CleanUp),
            _ => {}
        }
    }
    Some(Role::Other)
}

struct Judge<'a, 't, 'e> {
    trial: &'a Trial<'t, 'e>,
    stable: &'a [usize],
    test: usize,
    settings: &'a Settings,
    others: &'a [&'a Class],
}

impl Judge<'_, '_, '_> {
    fn name(&self, test: usize) -> String {
        self.trial.class.tests[test].test.text()
    }

    fn names(&self, order: &[usize]) -> Vec<String> {
        order.iter().map(|i| self.name(*i)).collect()
    }

    /// Victim, brittle or NOD, with who is to blame.
    fn judge(
        &self,
        passing: Vec<usize>,
        failing: Vec<usize>,
        record: Record,
    ) -> Result<Option<OdTest>, String> {
        let alone = self.trial.alone(self.test, self.settings.reruns)?;
        let verdicts: Vec<Option<bool>> = alone.iter().map(|r| verdict(r.outcome)).collect();
        let kind = match verdicts.first() {
            Some(Some(_)) if verdicts.iter().any(|v| *v != verdicts[0]) => OdType::Nod,
            Some(Some(true)) => OdType::Victim,
            Some(Some(false)) => OdType::Brittle,
            // Interrupted, or neither passed nor failed.
            _ => return Ok(None),
        };
        let record = match (kind, alone.into_iter().next()) {
            (OdType::Brittle, Some(first)) => first,
            _ => record,
        };
        let mut found = OdTest {
            test: self.name(self.test),
            kind,
            passing_order: self.names(&passing),
            failing_order: self.names(&failing),
            failure: match record.outcome {
                Outcome::Failed => FailureKind::Assertion,
                _ => FailureKind::Exception,
            },
            message: record.message.or(record.exception),
            polluters: Vec::new(),
            state_setters: Vec::new(),
            cleaners: Vec::new(),
            state: Vec::new(),
        };
        match kind {
            OdType::Victim => self.victim(&mut found, &failing)?,
            OdType::Brittle => self.brittle(&mut found, &passing)?,
            OdType::Nod => {}
        }
        Ok(Some(found))
    }

    fn victim(&self, found: &mut OdTest, failing: &[usize]) -> Result<(), String> {
        found.passing_order = self.names(&[self.test]);
        let polluters = self.responsible(failing, false)?;
        if let Some(first) = polluters.first() {
            let order: Vec<usize> = first.iter().copied().chain([self.test]).collect();
            found.failing_order = self.names(&order);
            found.cleaners = self.cleaners(first)?;
            if let [polluter] = first[..] {
                found.state = self.state(polluter, true)?;
            }
        }
        found.polluters = polluters.iter().map(|p| self.names(p)).collect();
        found.polluters.extend(self.elsewhere(false)?);
        Ok(())
    }

    fn brittle(&self, found: &mut OdTest, passing: &[usize]) -> Result<(), String> {
        found.failing_order = self.names(&[self.test]);
        let setters = self.responsible(passing, true)?;
        if let Some(first) = setters.first() {
            let order: Vec<usize> = first.iter().copied().chain([self.test]).collect();
            found.passing_order = self.names(&order);
            if let [setter] = first[..] {
                found.state = self.state(setter, false)?;
            }
        }
        found.state_setters = setters.iter().map(|p| self.names(p)).collect();
        found.state_setters.extend(self.elsewhere(true)?);
        Ok(())
    }

    /// All single tests after which the test passes, or fails; else a smallest part of an order that shows it.
    fn responsible(&self, order: &[usize], passes: bool) -> Result<Vec<Vec<usize>>, String> {
        let mut found = Vec::new();
        for other in self.stable.iter().filter(|i| **i != self.test) {
            if self.trial.passes(&[*other, self.test])? == Some(passes) {
                found.push(vec![*other]);
            }
        }
        let before = &order[..order.len() - 1];
        if found.is_empty() && !before.is_empty() {
            let holds = |part: &[usize]| {
                let order: Vec<usize> = part.iter().map(|i| before[*i]).chain([self.test]).collect();
                self.trial.passes(&order).ok().flatten().map(|p| p == passes)
            };
            let part = ddmin(before.len(), holds);
            found.push(part.iter().map(|i| before[*i]).collect());
        }
        Ok(found)
    }

    /// Single tests that, run between the polluters and the test, make it pass.
    fn cleaners(&self, polluters: &[usize]) -> Result<Vec<Vec<String>>, String> {
        let mut found = Vec::new();
        for other in self.stable {
            if *other == self.test || polluters.contains(other) {
                continue;
            }
            let order: Vec<usize> = polluters.iter().copied().chain([*other, self.test]).collect();
            if self.trial.passes(&order)? == Some(true) {
                found.push(self.names(&[*other]));
            }
        }
        Ok(found)
    }

    /// Tests of other classes after which it passes, or fails.
    fn elsewhere(&self, passes: bool) -> Result<Vec<Vec<String>>, String> {
        let mut found = Vec::new();
        let tests: Vec<&Member> = self.others.iter().flat_map(|c| &c.tests).collect();
        for other in tests {
            if self.trial.explorer.is_stopped() {
                break;
            }
            if self.trial.passes_after(other, self.test)? == Some(passes) {
                found.push(vec![other.test.text()]);
            }
        }
        Ok(found)
    }

    /// A smallest set of places that the other test changed whose restoring makes the test pass, or fail.
    fn state(&self, other: usize, passes: bool) -> Result<Vec<SearchPlace>, String> {
        let order = [other, self.test];
        let units = self.trial.undoing(&order, &[])?.changed;
        let holds = |set: &[usize]| -> Option<bool> {
            let answer = self.trial.undoing(&order, set).ok()?;
            let last = answer.records.get(1)?;
            verdict(last.outcome).map(|p| p == passes)
        };
        let visible: Vec<usize> = (0..units.len()).filter(|i| !units[*i].hidden).collect();
        let all: Vec<usize> = (0..units.len()).collect();
        // What rules hide is put back only where the rest does not explain it.
        for set in [visible, all] {
            if set.is_empty() || holds(&set) != Some(true) {
                continue;
            }
            let chosen = ddmin(set.len(), |part| {
                let part: Vec<usize> = part.iter().map(|i| set[*i]).collect();
                holds(&part)
            });
            let places = chosen.into_iter().flat_map(|i| units[set[i]].places.clone());
            return Ok(places.collect());
        }
        Ok(Vec::new())
    }
}
