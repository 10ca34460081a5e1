//! `poldet run --access` and `--impact`, and links from failing tests to their polluters, on tests that leave state of every kind.

mod common;

use common::{binary, cache, fresh, path, poldet};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::engine::End;
use poldet_testdata::suite::run::in_scratch;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Compiled once for all tests.
fn suite() -> Option<PathBuf> {
    static SUITE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/impact/src/impact");
    let compiled = SUITE.get_or_init(|| junit_classes(&sources, &fresh("impact")));
    compiled.clone()
}

fn document(suite: &Path, more: &[&str]) -> Value {
    let args: Vec<&str> = [path(suite), "--format", "json"]
        .iter()
        .chain(more)
        .copied()
        .collect();
    let ended = poldet(&args);
    assert!(
        !ended.stderr.contains("could not be run again"),
        "{}",
        ended.stderr
    );
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}\n{}\n{}", ended.stdout, ended.stderr))
}

fn test<'d>(document: &'d Value, method: &str) -> &'d Value {
    let tests = document["tests"].as_array().expect("tests");
    tests
        .iter()
        .find(|t| t["method"] == method)
        .expect("the test is there")
}

fn roots(places: &Value) -> Vec<String> {
    let places = places.as_array().into_iter().flatten();
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    places.map(|p| text(&p["root"]) + &text(&p["path"])).collect()
}

#[test]
fn what_each_test_reads_and_changes() {
    let Some(suite) = suite() else { return };
    let document = document(&suite, &["--access"]);
    let access = |method: &str| &test(&document, method)["access"];
    assert_eq!(roots(&access("expectsEnglish")["read"]), ["impact.Config.locale"]);
    assert_eq!(access("expectsEnglish")["read"][0]["changed_by"], 1);
    assert_eq!(
        roots(&access("changesTheLocale")["changed"]),
        ["impact.Config.locale"]
    );
    assert!(roots(&access("changesTheLocale")["read"]).is_empty());
    assert_eq!(
        roots(&access("changesTheLocale")["written"]),
        ["impact.Config.locale"]
    );
    assert!(roots(&access("readsNothing")["read"]).is_empty());
    let property = "java.lang.System.props[\"impact.colour\"]";
    assert_eq!(roots(&access("setsAProperty")["changed"]), [property]);
    assert_eq!(
        access("setsAProperty")["properties"]["changed"][0],
        "impact.colour"
    );
    assert_eq!(
        access("expectsNoProperty")["properties"]["read"][0],
        "impact.colour"
    );
    let file = "/tmp/poldet-impact-marker";
    assert_eq!(access("leavesAFile")["files"]["changed"][0], file);
    assert_eq!(access("expectsNoFile")["files"]["read"][0], file);
    for (method, what) in [
        ("looksAtTheClock", "clock"),
        ("asksForAnIdentityHash", "identity_hashes"),
        ("opensASocket", "network"),
        ("readsTheEnvironment", "environment"),
    ] {
        assert_eq!(access(method)[what], true, "{method}");
        assert_eq!(access("usesNothing")[what], false, "{what}");
    }
    let shared = document["shared"].as_array().expect("shared places");
    let locale = shared
        .iter()
        .find(|s| s["root"] == "impact.Config.locale")
        .expect("the locale");
    assert_eq!(locale["changed_by"][0], "impact.AChangesTest#changesTheLocale");
    assert_eq!(locale["read_by"].as_array().map(Vec::len), Some(2));
    let text = poldet(&[path(&suite), "--access"]).stdout;
    assert!(
        text.contains("read impact.Config.locale, which 1 test changes"),
        "{text}"
    );
}

#[test]
fn findings_are_ranked_by_who_suffers() {
    let Some(suite) = suite() else { return };
    let document = document(&suite, &["--impact"]);
    let impact = |method: &str| &test(&document, method)["pollutions"][0]["impact"];
    for (method, rank) in [
        ("changesTheLocale", "harmful"),
        ("changesTheTheme", "observed"),
        ("changesTheTitle", "read"),
        ("counts", "unread"),
        ("setsAProperty", "harmful"),
    ] {
        assert_eq!(impact(method)["rank"], rank, "{method}");
    }
    let victims = impact("changesTheLocale")["victims"].as_array().expect("victims");
    assert_eq!(victims.len(), 2);
    assert_eq!(
        impact("changesTheTheme")["observers"][0],
        "impact.ReadsTest#comparesTheThemeWithItself"
    );
    assert_eq!(
        test(&document, "leavesAFile")["files"][0]["impact"]["rank"],
        "harmful"
    );
    let text = poldet(&[path(&suite), "--impact"]).stdout;
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in\n{text}"));
    assert!(at("POLLUTED  impact.Config.locale") < at("POLLUTED  impact.Config.theme"));
    assert!(at("POLLUTED  impact.Config.theme") < at("POLLUTED  impact.Config.title"));
    assert!(
        at("POLLUTED  impact.Config.title")
            < at("UNREAD  impact.Config.calls: 1 test changes it, no test reads it")
    );
}

#[test]
fn failing_tests_are_linked_to_their_polluters() {
    let Some(suite) = suite() else { return };
    let document = document(&suite, &[]);
    // Of tests with one failure the first that ran has the state.
    let link = &test(&document, "expectsEnglishToo")["polluted_by"];
    assert_eq!(link["tests"][0], "impact.AChangesTest#changesTheLocale");
    assert_eq!(link["state"][0]["root"], "impact.Config.locale");
    assert_eq!(
        test(&document, "expectsEnglish")["polluted_by"]["tests"],
        link["tests"]
    );
    assert_eq!(test(&document, "expectsEnglish")["alone"], "passed");
    assert_eq!(test(&document, "failsAlways")["alone"], "failed");
    assert!(test(&document, "failsAlways")["polluted_by"].is_null());
    assert_eq!(document["summary"]["victims"], 4);
    let finding = &test(&document, "changesTheLocale")["pollutions"][0];
    assert_eq!(finding["impact"]["rank"], "harmful");
    // Without failures, and where nobody wants it, nothing runs again.
    let none = crate::document(&suite, &["--no-links"]);
    assert!(test(&none, "expectsEnglishToo")["alone"].is_null());
    let text = poldet(&[path(&suite)]).stdout;
    for part in [
        "4 of them pass alone and fail after one of 3 polluters",
        "VICTIM  impact.ReadsTest#expectsEnglishToo passes alone and fails after impact.AChangesTest#changesTheLocale",
        "    it reads impact.Config.locale: \"en\" → \"fr\"",
        "    so does impact.ReadsTest#expectsEnglish",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn the_same_bytes_with_any_number_of_processes() {
    let Some(suite) = suite() else { return };
    let run = |jobs: &str| {
        poldet(&[
            path(&suite),
            "--format",
            "json",
            "--impact",
            "--access",
            "--jobs",
            jobs,
        ])
        .stdout
    };
    assert_eq!(run("1"), run("4"));
}

#[test]
fn what_cannot_be_had_together_is_one_line() {
    let Some(suite) = suite() else { return };
    for (args, line) in [
        (
            ["--impact", "--no-capture"],
            "error: --impact cannot be combined with --no-capture",
        ),
        (
            ["--access", "--write-through"],
            "error: --access cannot be combined with --write-through",
        ),
    ] {
        let args: Vec<&str> = [path(&suite)].into_iter().chain(args).collect();
        let ended = poldet(&args);
        assert!(ended.stderr.starts_with(line), "{}", ended.stderr);
        assert_eq!(ended.end, End::Exit(3));
    }
}

#[test]
fn the_commands_of_links_reproduce() {
    let Some(suite) = suite() else { return };
    let document = document(&suite, &[]);
    let linked = document["tests"].as_array().expect("tests").iter();
    let linked: Vec<&Value> = linked.filter(|t| !t["polluted_by"].is_null()).collect();
    assert_eq!(linked.len(), 4);
    for test in linked {
        let line = test["polluted_by"]["reproduce"].as_str().expect("a command");
        let rest = line.strip_prefix("poldet ").expect("a command of poldet");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{} {rest} --format json --no-links", binary())]);
        let ended = in_scratch(shell, &cache(), "links").expect("poldet can be run");
        let again: Value = serde_json::from_str(&ended.stdout).expect("a document");
        assert_eq!(again["tests"].as_array().map(Vec::len), Some(2), "{line}");
        assert_eq!(
            crate::test(&again, test["method"].as_str().unwrap_or_default())["outcome"],
            "failed",
            "{line}"
        );
    }
}
