//! `poldet nio` on tests of every kind, with the truth in their sources: the verdict of each test, the modes that show
//! it, and the state that is to blame.

mod common;

use common::{command, fresh, path};
use poldet_testdata::engine::End;
use poldet_testdata::need;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a source says of a test: `//~ verdict causes…`, and `//~ only MODE` where not all modes show it.
#[derive(Debug)]
struct Mark {
    test: String,
    verdict: String,
    words: Vec<String>,
    only: Option<String>,
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/nio/src/nio")
}

/// The fixtures, compiled against the built-in JUnit; None where there is no compiler.
fn classes(name: &str) -> Option<PathBuf> {
    let jdk = need::javac()?;
    let folder = fresh(name);
    let junit = Path::new(env!("CARGO_MANIFEST_DIR")).join("junit-shim/jars/junit.jar");
    let mut files: Vec<PathBuf> = fs::read_dir(sources())
        .expect("the sources are there")
        .map(|e| e.expect("a file").path())
        .collect();
    files.sort();
    let done = Command::new(&jdk.javac)
        .args([
            "--release",
            "8",
            "-nowarn",
            "-Xlint:-options",
            "-encoding",
            "UTF-8",
            "-cp",
        ])
        .arg(junit)
        .arg("-d")
        .arg(&folder)
        .args(&files)
        .status();
    assert!(done.expect("javac runs").success(), "the fixtures compile");
    Some(folder)
}

fn marks() -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for file in fs::read_dir(sources()).expect("the sources are there") {
        let file = file.expect("a file").path();
        let class = file
            .file_stem()
            .and_then(|s| s.to_str())
            .expect("a name")
            .to_owned();
        let text = fs::read_to_string(&file).expect("the source can be read");
        let (mut mark, mut only): (Option<Vec<String>>, Option<String>) = (None, None);
        for line in text.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("//~ only ") {
                only = Some(rest.to_owned());
            } else if let Some(rest) = line.strip_prefix("//~ ") {
                mark = Some(rest.split_whitespace().map(str::to_owned).collect());
            } else if let Some(rest) = line.strip_prefix("public void ")
                && let Some(mut words) = mark.take()
            {
                let method = rest.split('(').next().unwrap_or_default();
                marks.push(Mark {
                    test: format!("nio.{class}#{method}"),
                    verdict: words.remove(0),
                    words,
                    only: only.take(),
                });
            }
        }
    }
    marks
}

fn name(test: &Value) -> String {
    let text = |key: &str| test[key].as_str().unwrap_or_default();
    format!("{}#{}", text("class"), text("method"))
}

#[test]
fn every_test_has_the_verdict_of_its_source() {
    let Some(folder) = classes("nio") else { return };
    let ended = command("nio", &[path(&folder), "--format", "json"]);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let marks = marks();
    assert_eq!(tests.len(), marks.len(), "{}", ended.stdout);
    let mut wrong = Vec::new();
    for mark in &marks {
        let Some(test) = tests.iter().find(|t| name(t) == mark.test) else {
            wrong.push(format!("{}: not in the document", mark.test));
            continue;
        };
        wrong.extend(differences(mark, test));
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), ended.stderr);
}

/// Every place that is to blame says who wrote it and who read it.
#[test]
fn causes_have_the_stacks_of_the_write_and_of_the_read() {
    let Some(folder) = classes("nio-stacks") else {
        return;
    };
    let ended = command(
        "nio",
        &[path(&folder), "--format", "json", "--mode", "isolated-method"],
    );
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let mut wrong = Vec::new();
    for test in tests.iter().filter(|t| t["verdict"] == "nio") {
        let class = test["class"].as_str().unwrap_or_default();
        for cause in test["causes"].as_array().into_iter().flatten() {
            for key in ["written_at", "read_at"] {
                let frames = cause[key].as_array().cloned().unwrap_or_default();
                let own = |f: &Value| f["class"].as_str().is_some_and(|c| c.starts_with(class));
                if !frames.iter().any(own) {
                    wrong.push(format!("{}: {key} of {}: {frames:?}", name(test), cause["root"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where the document says something else than the source.
fn differences(mark: &Mark, test: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |what: &str, expected: String, found: String| {
        if expected != found {
            wrong.push(format!(
                "{}: {what}: expected {expected}, found {found}",
                mark.test
            ));
        }
    };
    check(
        "verdict",
        mark.verdict.clone(),
        test["verdict"].as_str().unwrap_or_default().into(),
    );
    if mark.verdict == "fails-alone" {
        check(
            "why",
            mark.words.join(" "),
            test["fails_alone"].as_str().unwrap_or_default().into(),
        );
    }
    if mark.verdict == "nio" {
        let causes = test["causes"].as_array().cloned().unwrap_or_default();
        let mut roots: Vec<&str> = causes.iter().filter_map(|c| c["root"].as_str()).collect();
        roots.dedup();
        check("causes", mark.words.join(" "), roots.join(" "));
        let shown = |pair: &Value| {
            pair["first"] == "passed" && (pair["second"] == "failed" || pair["second"] == "error")
        };
        let modes = test["modes"].as_object().cloned().unwrap_or_default();
        let modes: Vec<&str> = modes
            .iter()
            .filter(|(_, p)| shown(p))
            .map(|(m, _)| m.as_str())
            .collect();
        let all = "entire-suite isolated-class isolated-method".to_owned();
        check("modes", mark.only.clone().unwrap_or(all), modes.join(" "));
    }
    wrong
}

#[test]
fn the_number_of_processes_changes_nothing() {
    let Some(folder) = classes("nio-jobs") else { return };
    let run = |jobs: &str| command("nio", &[path(&folder), "--format", "json", "--jobs", jobs]).stdout;
    let one = run("1");
    assert!(one.contains("\"verdict\": \"nio\""), "{one}");
    // Again and again: what is forked when, and what is compiled by then, differs with the load of the machine.
    for jobs in ["4", "2", "1", "4"] {
        assert_eq!(one, run(jobs), "with {jobs} processes");
    }
}

#[test]
fn one_test_is_shown_again_by_its_own_command() {
    let Some(folder) = classes("nio-one") else { return };
    let args = [
        "--test",
        "nio.RetryTest#countsRetries",
        "--mode",
        "isolated-method",
    ];
    let ended = command("nio", &[&[path(&folder)], &args[..]].concat());
    assert!(
        ended.stdout.contains("NIO  nio.RetryTest#countsRetries"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("1 of 1 tests is NIO"), "{}", ended.stdout);
}

#[test]
fn wrong_input_is_one_line() {
    let Some(folder) = classes("nio-wrong") else {
        return;
    };
    for (args, line) in [
        (&["--write-through"][..], "--write-through"),
        (&["--no-capture"], "--no-capture"),
        (&["--mode", "twice"], "invalid value 'twice'"),
    ] {
        let ended = command("nio", &[&[path(&folder)], args].concat());
        assert_eq!(ended.end, End::Exit(3), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(line), "{}", ended.stderr);
    }
}
