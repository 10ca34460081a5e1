//! `poldet run --isolate`: the same outcomes from a state in which no other test has run.

mod common;

use common::{command, path};
use poldet_testdata::engine::End;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/example/example.jar")
}

fn run(level: &str, more: &[&str]) -> String {
    let jar = example();
    let args = [&[path(&jar), "--format", "json", "--isolate", level], more].concat();
    let ended = command("run", &args);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    ended.stdout
}

/// Class, method and outcome of every test.
fn outcomes(document: &Value) -> Vec<String> {
    let text = |t: &Value, key: &str| t[key].as_str().unwrap_or_default().to_owned();
    let tests = document["tests"].as_array().expect("tests");
    let mut list: Vec<String> = tests
        .iter()
        .map(|t| {
            format!(
                "{}#{} {}",
                text(t, "class"),
                text(t, "method"),
                text(t, "outcome")
            )
        })
        .collect();
    list.sort();
    list
}

fn polluters(document: &Value) -> u64 {
    document["summary"]["polluters"].as_u64().expect("a count")
}

#[test]
fn outcomes_are_the_same_and_cleaners_have_nothing_to_clean() {
    let parse = |text: String| -> Value { serde_json::from_str(&text).expect("a document") };
    let together = parse(run("none", &[]));
    // One test of the example removes what the one before it left.
    let cleaners = |document: &Value| document["summary"]["cleaners"].as_u64().unwrap_or(0);
    assert_eq!((polluters(&together), cleaners(&together)), (2, 1));
    for (level, count) in [("class", 1), ("method", 0), ("strict", 0)] {
        let alone = parse(run(level, &[]));
        assert_eq!(outcomes(&alone), outcomes(&together), "{level}");
        assert_eq!((polluters(&alone), cleaners(&alone)), (2, count), "{level}");
    }
    let any = parse(run("none", &["--definition", "poldet"]));
    assert_eq!((polluters(&any), cleaners(&any)), (3, 0));
}

#[test]
fn the_number_of_processes_changes_nothing() {
    for level in ["class", "method", "strict"] {
        let one = run(level, &["--jobs", "1"]);
        assert_eq!(one, run(level, &["--jobs", "4"]), "{level}");
    }
}

#[test]
fn what_cannot_be_combined_is_one_line() {
    let jar = example();
    for option in ["--write-through", "--show-output"] {
        let ended = command("run", &[path(&jar), "--isolate", "method", option]);
        assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
        let line = format!("--isolate cannot be combined with {option}");
        assert!(ended.stderr.contains(&line), "{}", ended.stderr);
    }
    let ended = command("run", &[path(&jar), "--isolate", "method", "--jobs", "0"]);
    assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
}
