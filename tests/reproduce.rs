//! The command that is said to reproduce a finding does so, for every finding of the fixture suites.

mod common;

use common::{command, path};
use poldet_testdata::need;
use poldet_testdata::suite::{self, build};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The places that a test's record reports and that count, or that it restores.
fn places(test: &Value) -> BTreeSet<String> {
    let list = |key: &str| test[key].as_array().cloned().unwrap_or_default();
    let findings = list("pollutions");
    let counted = findings
        .iter()
        .filter(|f| f["observable"] == true && f["ignored_by"].is_null());
    let told = |f: &Value| {
        let restores = if f["restores"].is_null() { "" } else { " restored" };
        format!("{} {}{restores}", f["root"], f["kind"])
    };
    let files = list("files");
    let files = files.iter().map(|f| format!("{} {}", f["path"], f["change"]));
    let threads = list("threads");
    let threads = threads.iter().map(|t| format!("thread {}", t["name"]));
    counted.map(told).chain(files).chain(threads).collect()
}

fn name(test: &Value) -> String {
    let text = |key: &str| test[key].as_str().unwrap_or_default().to_owned();
    let invocation = match test["invocation"].as_str() {
        Some(i) => format!("[{i}]"),
        None => String::new(),
    };
    format!("{}#{}{invocation}", text("class"), text("method"))
}

#[test]
fn commands_reproduce_findings() {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites");
    let filter = std::env::var("POLDET_SUITE").unwrap_or_default();
    let mut suites = suite::all().expect("the suites can be read");
    suites.retain(|s| s.spec.deps.is_empty() && !s.marks.is_empty() && s.name.contains(&filter));
    let mut wrong = Vec::new();
    for suite in suites {
        let built = build::suite(&jdk, &suite, &cache).expect("a built suite");
        let classes = built.classes.canonicalize().expect("classes");
        let mut args = vec![path(&classes).to_owned()];
        if let Some(library) = built.needs().first() {
            args.extend(["--cp".to_owned(), library.display().to_string()]);
        }
        args.extend(suite.spec.jvm.iter().map(|o| format!("--jvm={o}")));
        let run = |more: &[String]| -> Value {
            let all = [&args[..], &["--format=json".to_owned()], more].concat();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let ended = command("run", &all);
            serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {}", ended.stderr))
        };
        let document = run(&[]);
        // What is marked is real: nothing of it may be folded away.
        for finding in document["tests"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|t| t["pollutions"].as_array().into_iter().flatten())
        {
            if !finding["folded"].is_null() {
                wrong.push(format!(
                    "{}: {} {} is folded",
                    suite.name, finding["root"], finding["path"]
                ));
            }
        }
        for test in document["tests"].as_array().expect("tests") {
            let expected = places(test);
            if expected.is_empty() {
                continue;
            }
            let after = test["after"].as_array().cloned().unwrap_or_default();
            let mut more = Vec::new();
            for one in after
                .iter()
                .filter_map(Value::as_str)
                .chain([name(test).as_str()])
            {
                more.extend(["--test".to_owned(), one.to_owned()]);
            }
            let again = run(&more);
            let found = again["tests"].as_array().expect("tests");
            let found = found.iter().find(|t| t["id"] == test["id"]).map(places);
            let found = found.unwrap_or_default();
            let lost: Vec<&String> = expected.difference(&found).collect();
            if !lost.is_empty() {
                wrong.push(format!("{} {more:?}: lost {lost:?}", suite.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} do not:\n{}", wrong.len(), wrong.join("\n"));
}
