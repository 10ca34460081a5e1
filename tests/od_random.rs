//! `poldet od` against brute force: small random suites whose tests read and write static fields, maps, properties, files and
//! classes with initialisers. A model runs every order; the verdicts, polluters, state-setters and cleaners must be the same, and
//! nothing may be certified wrongly.
//!
//! `POLDET_OD_SUITES=2000 cargo test --release --test od_random` is the long run; `POLDET_OD_SEED` varies it.

mod common;
#[path = "common/random.rs"]
mod random;

use common::{command, fresh, path};
use poldet_testdata::compile::junit_classes;
use random::{Chance, Suite};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Suites that share a run: they have nothing in common, which is part of the test.
const TOGETHER: usize = 16;
/// Suites where the environment does not say how many.
const FEW: usize = 48;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What the document says of a test, in the form of `Suite::truth`.
fn found(test: &Value) -> (String, BTreeMap<String, BTreeSet<String>>) {
    let mut causes = BTreeMap::new();
    for key in ["polluters", "state_setters"] {
        for cause in test[key].as_array().into_iter().flatten() {
            if let Some([one]) = cause["tests"].as_array().map(Vec::as_slice) {
                let cleaners = cause["cleaners"].as_array().into_iter().flatten();
                let names = cleaners.flat_map(|c| c.as_array().into_iter().flatten().map(text));
                causes.insert(text(one), names.collect());
            }
        }
    }
    (text(&test["verdict"]), causes)
}

#[test]
fn random_suites_have_the_verdicts_of_brute_force() {
    let suites = number("POLDET_OD_SUITES", FEW as u64) as usize;
    let seed = number("POLDET_OD_SEED", 1);
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::<String, usize>::new());
    for round in 0..suites.div_ceil(TOGETHER) {
        let folder = fresh("od-random");
        let sources = folder.join("src");
        let all: Vec<Suite> = (0..TOGETHER)
            .map(|i| chance.suite(format!("s{round}x{i}")))
            .collect();
        all.iter().for_each(|s| s.write(&sources));
        let Some(classes) = junit_classes(&sources, &folder.join("classes")) else {
            return;
        };
        let ended = command("od", &[path(&classes), "--format", "json", "--rerun", "0"]);
        let document: Value = serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|e| panic!("no document ({e}), {:?}: {}", ended.end, ended.stderr));
        let tests: BTreeMap<String, &Value> = document["tests"]
            .as_array()
            .expect("tests")
            .iter()
            .map(|t| (format!("{}#{}", text(&t["class"]), text(&t["method"])), t))
            .collect();
        for suite in &all {
            for test in 0..suite.tests.len() {
                let name = suite.name(test);
                let truth = suite.truth(test);
                *counts.entry(truth.0.clone()).or_default() += 1;
                let Some(value) = tests.get(&name) else {
                    wrong.push(format!("{name}: not in the document"));
                    continue;
                };
                let found = found(value);
                let certified =
                    value["proved"] == true && !matches!(truth.0.as_str(), "independent" | "failing");
                if found != truth || certified {
                    wrong.push(format!(
                        "{name}:\n  brute force {truth:?}\n  od          {found:?}"
                    ));
                }
            }
        }
        if !wrong.is_empty() {
            wrong.push(format!("sources in {}\n{}", sources.display(), ended.stderr));
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.len() == 4, "all verdicts occur: {counts:?}");
}
