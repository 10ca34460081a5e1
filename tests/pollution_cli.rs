//! What the command line reports of pollution: reports, rules, `poldet explain`, `poldet dump`.

use poldet_testdata::compile::junit_classes;
use poldet_testdata::engine::End;
use poldet_testdata::suite::example;
use poldet_testdata::suite::run::{self, Ended};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const POLLUTER: &str = "shop.SettingsTest#switchesCurrency";

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("pollution-cli")
}

/// A folder of this test's own, empty.
fn fresh(name: &str) -> PathBuf {
    let folder = cache().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

fn poldet(args: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_poldet"));
    command.args(args);
    run::in_scratch(command, &cache(), "cli").expect("poldet can be run")
}

fn path(file: &Path) -> &str {
    file.to_str().expect("a path in UTF-8")
}

fn json(ended: &Ended) -> serde_json::Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}\n{}\n{}", ended.stdout, ended.stderr))
}

/// The entry of a test.
fn test<'a>(document: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let (class, method) = name.split_once('#').expect("a class and a method");
    let tests = document["tests"].as_array().expect("tests");
    let found = tests
        .iter()
        .find(|t| t["class"] == class && t["method"] == method);
    found.unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn json_has_every_finding() {
    let ended = poldet(&["run", path(&example::jar_file()), "--format", "json"]);
    let document = json(&ended);
    let polluter = test(&document, POLLUTER);
    assert_eq!(polluter["polluter"], true);
    let finding = &polluter["pollutions"][0];
    assert_eq!(finding["root"], "shop.Settings.currency");
    assert_eq!(finding["kind"], "changed");
    assert_eq!(finding["before"], "\"EUR\"");
    assert_eq!(finding["after"], "\"USD\"");
    assert_eq!(finding["observable"], true);
    assert_eq!(finding["origin"], "suite");
    assert_eq!(finding["written_at"][0]["class"], "shop.Settings");
    assert_eq!(finding["written_at"][0]["file"], "Settings.java");
    assert!(finding["written_at"][0]["line"].is_u64());
    assert!(finding.get("graph").is_none());
    let clean = test(&document, "shop.CartTest#totals");
    assert_eq!(clean["polluter"], false);
    assert_eq!(clean["files"], serde_json::json!([]));
    let polluters = document["tests"].as_array().expect("tests").iter();
    let count = polluters.filter(|t| t["polluter"] == true).count();
    assert_eq!(document["summary"]["polluters"], count);
    assert!(document["summary"]["hidden_by_rule"].is_object());
    assert_eq!(document["capture"]["roots"], "first-touch");
}

#[test]
fn without_capture_nothing_is_said_of_pollution() {
    let ended = poldet(&[
        "run",
        path(&example::jar_file()),
        "--no-capture",
        "--format",
        "json",
    ]);
    let document = json(&ended);
    let polluter = test(&document, POLLUTER);
    for field in ["polluter", "pollutions", "files"] {
        assert!(polluter.get(field).is_none(), "{field}");
    }
    assert!(document["summary"].get("polluters").is_none());
    assert!(document.get("capture").is_none());
    let text = poldet(&["run", path(&example::jar_file()), "--no-capture"]);
    assert!(!text.stdout.contains("pollute"), "{}", text.stdout);
}

#[test]
fn people_read_field_change_place_and_test() {
    let ended = poldet(&["run", path(&example::jar_file())]);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    let at = lines
        .iter()
        .position(|l| l.starts_with("POLLUTED  shop.Settings.currency"));
    let at = at.unwrap_or_else(|| panic!("{}", ended.stdout));
    assert_eq!(lines[at + 1], "    changed: \"EUR\" → \"USD\"");
    assert!(
        lines[at + 2].starts_with("    written at shop.Settings."),
        "{}",
        lines[at + 2]
    );
    assert!(lines[at + 2].contains("called at shop.SettingsTest.switchesCurrency(SettingsTest.java:"));
    assert_eq!(lines[at + 3], format!("    by {POLLUTER}"));
    // The suite's own classes come before the JDK's.
    let jdk = lines.iter().position(|l| l.starts_with("POLLUTED  java."));
    assert!(jdk.is_none_or(|jdk| jdk > at), "{}", ended.stdout);
    assert!(ended.stdout.contains("pollute the shared state."));
}

#[test]
fn polluters_can_fail_a_run() {
    let jar = example::jar_file();
    let failed = poldet(&["run", path(&jar), "--fail-on", "polluter"]);
    assert_eq!(failed.end, End::Exit(1));
    let args = [
        "run",
        path(&jar),
        "--fail-on",
        "polluter",
        "--test",
        "shop.DiscountTest",
    ];
    assert_eq!(poldet(&args).end, End::Exit(0));
}

#[test]
fn rules_hide_show_and_can_be_turned_off() {
    let jar = example::jar_file();
    let rules = fresh("rules").join("rules.txt");
    fs::write(&rules, "[shop]\nreason: a known thing\nroot: shop.Settings.*\n")
        .expect("a file can be written");
    let base = [
        "run",
        path(&jar),
        "--test",
        POLLUTER,
        "--format",
        "json",
        "--rules",
        path(&rules),
    ];
    let hidden = json(&poldet(&base));
    assert_eq!(test(&hidden, POLLUTER)["polluter"], false);
    assert_eq!(hidden["summary"]["hidden_by_rule"]["shop"], 1);
    let shown = json(&poldet(&[&base[..], &["--show-ignored"]].concat()));
    let polluter = test(&shown, POLLUTER);
    assert_eq!(polluter["polluter"], false);
    let pollutions = polluter["pollutions"].as_array().expect("a list");
    assert!(
        pollutions.iter().any(|p| p["ignored_by"] == "shop"),
        "{pollutions:?}"
    );
    let off = json(&poldet(&[&base[..], &["--disable-rule", "shop"]].concat()));
    assert_eq!(test(&off, POLLUTER)["polluter"], true);
}

#[test]
fn mistakes_in_rules_are_told_in_one_line() {
    let jar = example::jar_file();
    let rules = fresh("bad-rules").join("rules.txt");
    fs::write(&rules, "[x]\nreason: y\nrout: z\n").expect("a file can be written");
    for (args, says) in [
        (vec!["--rules", path(&rules)], "line 3: 'rout: z'"),
        (vec!["--rules", "/nowhere"], "cannot read /nowhere"),
        (vec!["--disable-rule", "nonsense"], "no ignore rule 'nonsense'"),
        (vec!["--ignore", "nonsense"], "'nonsense' is none of"),
    ] {
        let ended = poldet(&[&["run", path(&jar)][..], &args].concat());
        assert_eq!(ended.end, End::Exit(3), "{args:?}");
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn the_rules_are_listed_in_the_form_they_are_read() {
    let listed = poldet(&["run", "--list-rules"]);
    assert_eq!(listed.end, End::Exit(0), "{}", listed.stderr);
    assert!(listed.stdout.contains("[cache]\nreason: "));
    let rules = fresh("listed").join("rules.txt");
    fs::write(&rules, &listed.stdout).expect("a file can be written");
    let again = poldet(&["run", "--list-rules", "--rules", path(&rules)]);
    assert_eq!(again.stdout, listed.stdout);
}

#[test]
fn a_saved_run_is_explained() {
    let jar = example::jar_file();
    let reports = fresh("explain");
    poldet(&["run", path(&jar), "--report-dir", path(&reports)]);
    let from = |test: &str| poldet(&["explain", test, "--from", path(&reports)]);
    let story = from(POLLUTER);
    assert_eq!(story.end, End::Exit(0), "{}", story.stderr);
    for part in [
        "shop.SettingsTest#switchesCurrency: passed, and pollutes the shared state",
        "1. shop.Settings.currency",
        "changed: \"EUR\" → \"USD\"",
        "shop.SettingsTest.switchesCurrency(SettingsTest.java:",
        "For a bug report",
    ] {
        assert!(story.stdout.contains(part), "{part}\n{}", story.stdout);
    }
    for name in [
        "shop.SettingsTest.switchesCurrency",
        "switchesCurrency",
        "shop.SettingsTest",
    ] {
        let other = from(name);
        assert!(
            other.stdout.contains("shop.Settings.currency"),
            "{name}: {}",
            other.stderr
        );
    }
    let typo = from("shop.SettingsTest#switchCurrency");
    assert_eq!(typo.end, End::Exit(3));
    assert!(
        typo.stderr
            .contains("did you mean shop.SettingsTest#switchesCurrency?"),
        "{}",
        typo.stderr
    );
    // The command of the bug report does what it says.
    let line = story
        .stdout
        .lines()
        .rev()
        .find(|l| l.contains("poldet run "))
        .expect("a command");
    let words = line.trim().trim_start_matches("poldet ").replace('\'', "");
    let words: Vec<&str> = words.split(' ').collect();
    let again = poldet(&words);
    assert!(
        again.stdout.contains("POLLUTED  shop.Settings.currency"),
        "{}",
        again.stdout
    );
}

#[test]
fn without_a_saved_run_there_is_nothing_to_explain() {
    let ended = poldet(&["explain", "a.B", "--from", "/nowhere/at/all"]);
    assert_eq!(ended.end, End::Exit(3));
    assert!(ended.stderr.contains("no saved run"), "{}", ended.stderr);
    let bad = fresh("bad-run").join("poldet.json");
    fs::write(&bad, "{}").expect("a file can be written");
    let ended = poldet(&["explain", "a.B", "--from", path(&bad)]);
    assert!(ended.stderr.contains("is no saved run"), "{}", ended.stderr);
}

#[test]
fn the_state_around_a_test_is_dumped() {
    let out = fresh("dump");
    let ended = poldet(&[
        "dump",
        path(&example::jar_file()),
        "--test",
        POLLUTER,
        "--out",
        path(&out),
    ]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(read("before.csv").contains("class shop.Settings,currency,\"\"\"EUR\"\"\"\n"));
    assert!(read("after.csv").contains("class shop.Settings,currency,\"\"\"USD\"\"\"\n"));
    assert!(read("diff.csv").contains("-,class shop.Settings,currency,\"\"\"EUR\"\"\"\n"));
    for name in ["before", "after", "diff"] {
        let text = read(&format!("{name}.json"));
        let parsed: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert!(parsed["nodes"].is_array());
        assert!(read(&format!("{name}.dot")).starts_with("digraph {"));
    }
    let none = poldet(&["dump", path(&example::jar_file()), "--out", path(&out)]);
    assert_eq!(none.end, End::Exit(3));
    assert!(none.stderr.contains("--test"), "{}", none.stderr);
}

/// Written in one pass: a list of 20,000 nodes once took 18 s of processor time, and one of 100,000 did not end.
#[test]
fn a_long_list_is_dumped() {
    let sources = fresh("long-list-src");
    let text = "public class LongTest {\n    static class Node { Node next; }\n    static Node head;\n\
        \x20   @org.junit.Test public void grows() {\n        for (int i = 0; i < 100000; i++) { Node n = new Node(); n.next = head; head = n; }\n    }\n}\n";
    fs::write(sources.join("LongTest.java"), text).expect("a source can be written");
    let Some(classes) = junit_classes(&sources, &fresh("long-list")) else {
        return;
    };
    let out = fresh("long-list-dump");
    let ended = poldet(&[
        "dump",
        path(&classes),
        "--test",
        "LongTest#grows",
        "--out",
        path(&out),
    ]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let diff = fs::read_to_string(out.join("diff.csv")).expect("the difference");
    let links = diff
        .lines()
        .filter(|l| l.starts_with('+') && l.contains(",next,"))
        .count();
    assert_eq!(links, 100_000);
}
