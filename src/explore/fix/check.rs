//! Checks a patch by running the patched classes as they were compiled: in the orders that fail, alone, in the suite's order and in
//! others. No other test may be worse off in any of them.

use crate::explore::fix::case::Case;
use crate::explore::fix::context::{Context, When};
use crate::explore::fix::run::Runner;
use crate::explore::fix::weave::{At, Plan};
use crate::explore::inject::orders::orders;
use crate::explore::parallel;
use crate::explore::wire::Off;
use crate::source::ranges;
use crate::source::text::Text;
use crate::source::tree::Source;
use poldet_records::{FixVerdict, Outcome, PatchSide, SearchPlace, UndoUnit, Verified};
use poldet_vm::classfile::ClassFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

type Outcomes = Vec<Option<Outcome>>;

/// Failing orders that are run of one test.
const MOST_FAILING: usize = 100;

/// The suite as it is.
pub struct Baseline<'a> {
    runner: Runner<'a>,
    known: Mutex<BTreeMap<Vec<usize>, Outcomes>>,
    /// The suite's own order, and others.
    whole: Vec<(String, Vec<usize>)>,
    /// Tests whose outcome depends on the seed: what they do shows nothing.
    nod: BTreeSet<usize>,
    /// Orders in which a test passes because of those before it.
    passing: Vec<Vec<usize>>,
}

impl<'a> Baseline<'a> {
    pub fn new(
        context: &Context<'a>,
        runner: Runner<'a>,
        nod: BTreeSet<usize>,
        passing: Vec<Vec<usize>>,
    ) -> Baseline<'a> {
        let tests = runner.tests;
        let seed = context.setup.spec.vm.seed;
        let mut whole: Vec<(String, Vec<usize>)> = vec![("suite order".into(), (0..tests.len()).collect())];
        let names: Vec<String> = tests.classes.iter().map(|c| c.name.clone()).collect();
        let by_class: Vec<Vec<usize>> = (0..tests.classes.len())
            .map(|c| (0..tests.len()).filter(|t| tests.class(*t) == c).collect())
            .collect();
        let declared: Vec<bool> = names
            .iter()
            .map(|c| crate::explore::declared::order(&context.setup.suite, c))
            .collect();
        let count = context.options.orders;
        // Few classes have few orders; their tests have others.
        let shuffle = |round: u32, names: &[String]| -> Vec<usize> {
            let all = orders(seed.wrapping_add(u64::from(round) * 7919), names, 1, 0);
            all.into_iter().next().unwrap_or_default()
        };
        for round in 0..count {
            let mut order = Vec::new();
            for class in shuffle(round, &names) {
                let inside = &by_class[class];
                let of: Vec<String> = inside.iter().map(|t| tests.all[*t].name.clone()).collect();
                if declared[class] {
                    order.extend(inside);
                } else {
                    order.extend(shuffle(round, &of).into_iter().map(|i| inside[i]));
                }
            }
            if !whole.iter().any(|(_, o)| *o == order) {
                whole.push((format!("random order {}", round + 1), order));
            }
        }
        Baseline {
            runner,
            known: Mutex::default(),
            whole,
            nod,
            passing,
        }
    }

    pub fn run(&self, order: &[usize]) -> Result<Outcomes, String> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcomes) = known().get(order) {
            return Ok(outcomes.clone());
        }
        let outcomes = self.runner.run(order, &[])?;
        known().insert(order.to_vec(), outcomes.clone());
        Ok(outcomes)
    }
}

/// The orders in which a patch is checked, with the reason for each.
pub fn checks(
    context: &Context<'_>,
    baseline: &Baseline<'_>,
    case: &Case,
    plan: &Plan,
) -> Vec<(String, Vec<usize>)> {
    let mut list: Vec<(String, Vec<usize>)> = Vec::new();
    let mut add = |what: &str, order: Vec<usize>| {
        if !order.is_empty() && !list.iter().any(|(_, o)| *o == order) {
            list.push((what.to_owned(), order));
        }
    };
    for goal in case.goals().into_iter().take(MOST_FAILING) {
        add("failing order", goal);
    }
    add("alone", vec![case.test]);
    for cause in case.causes.iter().take(MOST_FAILING) {
        let what = match case.verdict {
            FixVerdict::Brittle => "passing order",
            _ => "polluter alone",
        };
        let order = match case.verdict {
            FixVerdict::Brittle => [&cause.tests[..], &[case.test]].concat(),
            _ => cause.tests.clone(),
        };
        add(what, order);
    }
    let mut classes: BTreeSet<usize> = BTreeSet::from([context.tests.class(case.test)]);
    classes.extend(plan.spots.iter().map(|s| context.tests.class(s.test)));
    for class in classes {
        let order = (0..context.tests.len()).filter(|t| context.tests.class(*t) == class);
        add("whole class", order.collect());
    }
    // Others may rely on what the changed tests do.
    let changed = |t: &usize| match plan
        .spots
        .iter()
        .find(|s| context.tests.class(s.test) == context.tests.class(*t))
    {
        Some(spot) if matches!(spot.at, At::Fixture(..)) => true,
        _ => plan.spots.iter().any(|s| s.test == *t),
    };
    let relying = baseline.passing.iter().filter(|o| o.iter().any(changed));
    for order in relying.take(MOST_FAILING) {
        add("order that passes", order.clone());
    }
    for (what, order) in &baseline.whole {
        add(what, order.clone());
    }
    list
}

/// Runs the checks; why the patch is no good, if it is not.
pub fn verify(
    baseline: &Baseline<'_>,
    patched: &Runner<'_>,
    case: &Case,
    checks: &[(String, Vec<usize>)],
    jobs: usize,
) -> Result<Result<Vec<Verified>, String>, String> {
    let tests = patched.tests;
    let stop = patched.explorer.stop;
    let ran = parallel::map(jobs, checks, stop, |(_, order)| {
        Ok::<_, String>((baseline.run(order)?, patched.run(order, &[])?))
    });
    let mut verified = Vec::new();
    for ((what, order), ran) in checks.iter().zip(ran) {
        let Some(ran) = ran else {
            return Ok(Err("interrupted before all orders were run".into()));
        };
        let (before, after) = ran?;
        let at = order.iter().rposition(|t| *t == case.test);
        let outcome = after[at.unwrap_or(order.len() - 1)].unwrap_or(Outcome::Crashed);
        let is_worse = |i: &usize| {
            let worse = before[*i] == Some(Outcome::Passed) && after[*i] != Some(Outcome::Passed);
            worse && !baseline.nod.contains(&order[*i])
        };
        let worse: Vec<usize> = (0..order.len()).filter(is_worse).map(|i| order[i]).collect();
        if let Some(first) = worse.first() {
            let name = &tests.all[*first].name;
            return Ok(Err(format!("it makes {name} fail ({what})")));
        }
        // A test that is its own polluter runs twice. Where another ends the VM before its turn, nothing can be seen.
        let ends = |o: Option<Outcome>| matches!(o, Some(Outcome::Passed | Outcome::Failed | Outcome::Error));
        let fine = |i: usize| after[i] == Some(Outcome::Passed) || (!ends(after[i]) && !ends(before[i]));
        if !(0..order.len()).all(|i| order[i] != case.test || fine(i)) {
            return Ok(Err(format!("the test still does not pass ({what})")));
        }
        verified.push(Verified {
            what: what.clone(),
            order: tests.names(order),
            outcome,
            worse: Vec::new(),
        });
    }
    Ok(Ok(verified))
}

/// Whether the places to blame are as they were; None where that cannot be compared.
pub fn restores(
    context: &Context<'_>,
    patched: &Runner<'_>,
    case: &Case,
    plan: &Plan,
    texts: &BTreeMap<usize, String>,
    classes: &[(String, Vec<u8>)],
) -> Option<bool> {
    let (mut all, mut any) = (true, false);
    let mut compared = false;
    for cause in case.causes.iter().filter(|c| !c.state.is_empty()).take(5) {
        let last = cause.tests.len() - 1;
        match (plan.side, case.verdict) {
            (PatchSide::Polluter, _) => {
                let changed = patched.changes(&cause.tests, last, &[]).ok()?;
                all &= cause.state.iter().all(|p| is_same(&changed, p));
            }
            (PatchSide::Test, _)
                if !matches!(plan.spots[0].at, At::Start(_) | At::Fixture(When::Before, _)) =>
            {
                let changed = patched.changes(&cause.tests, last, &[]).ok()?;
                all &= cause.state.iter().all(|p| is_same(&changed, p));
            }
            _ => {
                let off = others_off(context, plan, texts, classes)?;
                let (order, wanted): (Vec<usize>, fn(&SearchPlace) -> &String) = match case.verdict {
                    FixVerdict::Brittle => (vec![case.test], |p| &p.after),
                    _ => ([&cause.tests[..], &[case.test]].concat(), |p| &p.before),
                };
                if plan.side == PatchSide::Test {
                    // Both runs of the test would be without their own statements.
                    return None;
                }
                let changed = patched.changes(&order, order.len() - 1, &off).ok()?;
                let same = |p: &SearchPlace| change(&changed, p).is_some_and(|c| c.after == *wanted(p));
                let restored = cause.state.iter().all(same);
                (all, any) = (all && restored, any || restored);
            }
        }
        compared = true;
    }
    // A brittle needs what one of its state-setters leaves.
    let found = if case.verdict == FixVerdict::Brittle {
        any
    } else {
        all
    };
    compared.then_some(found)
}

/// Not changed, or replaced by something that reads the same.
fn is_same(changed: &[UndoUnit], place: &SearchPlace) -> bool {
    change(changed, place).is_none_or(|c| c.before == c.after)
}

fn change<'c>(changed: &'c [UndoUnit], place: &SearchPlace) -> Option<&'c SearchPlace> {
    let mut places = changed.iter().flat_map(|u| &u.places);
    places.find(|p| p.root == place.root && p.path == place.path)
}

/// All statements of a patched method but those that the patch has put at its start.
fn others_off(
    context: &Context<'_>,
    plan: &Plan,
    texts: &BTreeMap<usize, String>,
    classes: &[(String, Vec<u8>)],
) -> Option<Vec<Off>> {
    let [spot] = plan.spots.as_slice() else {
        return None;
    };
    let At::Start(method) = &spot.at else { return None };
    let text = Text::new(texts.get(&spot.file)?.clone());
    let source = Source::parse(text).ok()?;
    let same = |m: &crate::source::tree::Method| {
        m.class == method.class && m.name == method.name && m.params == method.params
    };
    let patched = source.methods().into_iter().find(same)?;
    let old = context.file(spot.file).source.statements(method, false).len();
    let units = source.units(&patched.body, patched.body.start);
    let top: Vec<_> = units.list.iter().filter(|u| u.parent.is_none()).collect();
    let added = top.len().checked_sub(old)?;
    let files: Vec<&'static ClassFile> = classes
        .iter()
        .filter_map(|(_, bytes)| {
            let leaked: &'static [u8] = Vec::leak(bytes.clone());
            let file = ClassFile::parse(leaked).ok()?;
            Some(&*Box::leak(Box::new(file)))
        })
        .collect();
    let mut off = Vec::new();
    for unit in &top[added..] {
        let switches = ranges::switches(&files, &source.text, unit.body, &unit.range).ok()?;
        off.extend(switches.into_iter().map(Off::from));
    }
    Some(off)
}
