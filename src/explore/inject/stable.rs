//! Step 1: the tests that always pass, alone with every seed and in all orders of their class.

use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::inject::Settings;
use crate::explore::inject::orders::orders;
use crate::explore::inject::trial::{Change, Trial, is, verdict};
use crate::explore::inject::walk::Turns;
use crate::explore::parallel;
use crate::run::suite::Suite;
use poldet_records::Outcome;

/// What step 1 says of a class.
pub struct Stable {
    /// Its stable tests, by place.
    pub tests: Vec<usize>,
    /// The others, with the reason.
    pub unstable: Vec<(usize, String)>,
    /// Those that pass and fail, depending on the order.
    pub order_dependent: Vec<usize>,
    /// Longest virtual time that one of its tests took.
    pub nanos: u64,
    /// What came of its tests in orders of the class.
    pub turns: Turns,
}

/// Judges the tests of all classes, several at once.
pub fn select(
    explorer: &Explorer<'_>,
    classes: &[Class],
    suite: &Suite,
    settings: &Settings,
) -> Result<Vec<Stable>, String> {
    let found = parallel::map(explorer.jobs, classes, explorer.stop, |class| {
        let batch = !declared::around_class(suite, &class.name);
        let mut stable = of_class(explorer, class, batch, settings)?;
        // What tests do to state that is not compared says nothing of those after them.
        stable.turns.contradicts |= declared::hidden_state(suite, &class.name);
        Ok(stable)
    });
    found
        .into_iter()
        .map(|stable| stable.unwrap_or_else(|| Ok(none())))
        .collect()
}

fn none() -> Stable {
    Stable {
        tests: Vec::new(),
        unstable: Vec::new(),
        order_dependent: Vec::new(),
        nanos: 0,
        turns: Turns::default(),
    }
}

fn of_class(
    explorer: &Explorer<'_>,
    class: &Class,
    batch: bool,
    settings: &Settings,
) -> Result<Stable, String> {
    let mut stable = none();
    let (process, discovered) = explorer.discover(class)?;
    if !discovered.complete {
        let why = discovered.outside.first().and_then(|r| r.message.clone());
        let why = format!("its class cannot be run: {}", why.unwrap_or_default());
        stable.unstable = (0..class.tests.len()).map(|i| (i, why.clone())).collect();
        return Ok(stable);
    }
    let trial = Trial::new(explorer, class, &process, None, Change::default(), None, batch);
    for test in 0..class.tests.len() {
        let records = trial.alone(test, settings.reruns)?;
        stable.nanos = records
            .iter()
            .map(|r| r.cost.nanos)
            .max()
            .unwrap_or(0)
            .max(stable.nanos);
        match why_unstable(&records.iter().map(|r| r.outcome).collect::<Vec<_>>()) {
            None => stable.tests.push(test),
            Some(why) => stable.unstable.push((test, why.to_owned())),
        }
    }
    let names: Vec<String> = stable.tests.iter().map(|i| class.tests[*i].test.text()).collect();
    let mut failing = vec![false; names.len()];
    let orders = orders(settings.seed, &names, settings.orders, settings.all_permutations);
    let of_class = |order: &Vec<usize>| order.iter().map(|i| stable.tests[*i]).collect();
    let orders: Vec<Vec<usize>> = orders.iter().map(of_class).collect();
    let mut done = 0;
    while done < orders.len() && !explorer.is_stopped() {
        let (ran, _) = trial.run_some(&orders[done..])?;
        for (order, records) in orders[done..].iter().zip(&ran) {
            stable.turns.learn(class, order, records);
        }
        done += ran.len();
        for record in ran.iter().flatten() {
            let at = stable.tests.iter().position(|i| is(record, &class.tests[*i]));
            if let Some(at) = at
                && verdict(record.outcome) != Some(true)
            {
                failing[at] = true;
            }
        }
    }
    let judged: Vec<(usize, bool)> = stable.tests.drain(..).zip(failing).collect();
    for (test, fails) in judged {
        if fails {
            stable.order_dependent.push(test);
            stable.unstable.push((test, "order-dependent".into()));
        } else {
            stable.tests.push(test);
        }
    }
    stable.unstable.sort();
    Ok(stable)
}

/// Why a test with these outcomes is not stable.
fn why_unstable(outcomes: &[Outcome]) -> Option<&'static str> {
    let Some(first) = outcomes.first() else {
        return Some("did not run");
    };
    if outcomes.iter().any(|o| o != first) {
        return Some("nondeterministic");
    }
    match first {
        Outcome::Passed => None,
        Outcome::Failed | Outcome::Error => Some("fails"),
        Outcome::Skipped => Some("skipped"),
        Outcome::Unsupported => Some("unsupported"),
        Outcome::TimedOut => Some("timed_out"),
        Outcome::Crashed => Some("crashed"),
    }
}
