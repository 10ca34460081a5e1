//! `poldet fix` on small random suites: no proposed patch makes another test worse in any order of two tests, and what it fixes is
//! fixed. `POLDET_FIX_SUITES=200 cargo test --release --test fix_random` is the long run; `POLDET_FIX_SEED` varies it.

mod common;
#[path = "common/random.rs"]
mod random;

use common::{binary, cache, command, copy, fresh, path};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::suite::run;
use random::{Chance, Suite};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A whole search, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1200);

/// Suites that share a run.
const TOGETHER: usize = 12;
/// Suites where the environment does not say how many.
const FEW: usize = 12;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Of each test: its verdict, the single tests that make a victim fail, and those that make a brittle pass.
type Facts = BTreeMap<String, (String, BTreeSet<String>, BTreeSet<String>)>;

fn facts(classes: &Path) -> Facts {
    let ended = command("od", &[path(classes), "--format", "json", "--rerun", "0"]);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let single = |causes: &Value| -> BTreeSet<String> {
        let causes = causes.as_array().into_iter().flatten();
        let tests = causes.filter_map(|c| c["tests"].as_array());
        tests.filter(|t| t.len() == 1).map(|t| text(&t[0])).collect()
    };
    let tests = document["tests"].as_array().expect("tests").iter();
    tests
        .map(|t| {
            let name = format!("{}#{}", text(&t["class"]), text(&t["method"]));
            let (polluters, setters) = (single(&t["polluters"]), single(&t["state_setters"]));
            (name, (text(&t["verdict"]), polluters, setters))
        })
        .collect()
}

fn worse(before: &Facts, after: &Facts, fixed: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, (verdict, polluters, setters)) in before {
        let (now, polluters_now, setters_now) = &after[name];
        if name == fixed {
            if !polluters_now.is_empty() || now == "brittle" || now == "failing" {
                found.push(format!("{name} is still {now}: {polluters_now:?}"));
            }
            continue;
        }
        let fine = match verdict.as_str() {
            "independent" => now == "independent",
            "victim" => now == "independent" || (now == "victim" && polluters_now.is_subset(polluters)),
            "brittle" => now == "independent" || setters_now.is_superset(setters) || now == "victim",
            _ => true,
        };
        if !fine {
            found.push(format!(
                "{name}: {verdict} {polluters:?} {setters:?} -> {:?}",
                after[name]
            ));
        }
    }
    found
}

#[test]
fn no_patch_makes_another_test_worse() {
    let suites = number("POLDET_FIX_SUITES", FEW as u64) as usize;
    let mut chance = Chance(number("POLDET_FIX_SEED", 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut patches = 0;
    for round in 0..suites.div_ceil(TOGETHER) {
        let folder = fresh("fix-random");
        let sources = folder.join("src");
        let all: Vec<Suite> = (0..TOGETHER)
            .map(|i| chance.suite(format!("f{round}x{i}")))
            .collect();
        all.iter().for_each(|s| s.write(&sources));
        let Some(classes) = junit_classes(&sources, &folder.join("classes")) else {
            return;
        };
        let out = folder.join("out");
        let args = [
            path(&classes),
            "--sources",
            path(&sources),
            "--project",
            path(&folder),
            "--out",
            path(&out),
        ];
        let mut fix = Command::new(binary());
        fix.arg("fix").args(args).args(["--format", "json"]);
        let ended = run::in_scratch_for(fix, &cache(), "fix", LIMIT).expect("poldet can be run");
        let document: Value = serde_json::from_str(&ended.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}\n{}", ended.stdout, ended.stderr));
        let mut before: BTreeMap<String, Facts> = BTreeMap::new();
        for test in document["tests"].as_array().expect("tests") {
            let name = text(&test["test"]);
            let package = name.split('.').next().expect("a package").to_owned();
            let alone = |project: &Path| {
                let own = project.join("own");
                fs::create_dir_all(&own).expect("a folder");
                fs::rename(project.join("src").join(&package), own.join(&package)).expect("can be moved");
                junit_classes(&own, &project.join("classes")).expect("a compiler")
            };
            for patch in test["patches"].as_array().expect("patches") {
                let fresh_copy = |name: &str| {
                    let project = folder.join(name);
                    let _ = fs::remove_dir_all(&project);
                    copy(&sources.join(&package), &project.join("src").join(&package));
                    project
                };
                let known = before
                    .entry(package.clone())
                    .or_insert_with(|| facts(&alone(&fresh_copy("before"))));
                let patched = fresh_copy("after");
                let applied = Command::new("git")
                    .arg("apply")
                    .arg(out.join(text(&patch["file"])))
                    .current_dir(&patched)
                    .env("GIT_CEILING_DIRECTORIES", &folder)
                    .status();
                assert!(applied.expect("git runs").success(), "{patch:#}");
                let now = facts(&alone(&patched));
                // A test that cannot run twice is no matter of orders without repetition.
                let fixed = if test["verdict"] == "nio" {
                    ""
                } else {
                    name.as_str()
                };
                let found = worse(known, &now, fixed);
                let file = text(&patch["file"]);
                assert!(
                    found.is_empty(),
                    "{file} in {}\n{}\n{patch:#}",
                    folder.display(),
                    found.join("\n")
                );
                patches += 1;
            }
        }
    }
    assert!(patches > 0, "no patches at all");
}
