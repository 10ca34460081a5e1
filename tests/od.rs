//! `poldet od` on tests of every kind, with the truth in their sources: the verdict of each test, its polluters with the state
//! they leave and their cleaners, its state-setters.

mod common;

use common::{command, fresh, path};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::suite::run::Ended;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a source says of a test: `//~ VERDICT`, then a line for each polluter or state-setter.
#[derive(Debug)]
struct Mark {
    test: String,
    verdict: String,
    causes: BTreeSet<String>,
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/od/src/od")
}

/// The options that every run has: where the machine's locale is another, formats are, too.
const HOME: [&str; 4] = ["--jvm", "-Duser.language=en", "--jvm", "-Duser.country=US"];

fn search(folder: &Path, more: &[&str]) -> Ended {
    let args: Vec<&str> = [path(folder)].iter().chain(&HOME).chain(more).copied().collect();
    command("od", &args)
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
        let mut words: Vec<String> = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("//~ ") {
                words.push(rest.to_owned());
            } else if let Some(rest) = line.strip_prefix("public void ")
                && !words.is_empty()
            {
                let method = rest.split('(').next().unwrap_or_default();
                marks.push(Mark {
                    test: format!("od.{class}#{method}"),
                    verdict: words.remove(0),
                    causes: words.drain(..).collect(),
                });
            }
        }
    }
    marks
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

/// A cause as sources have it. `any` in the source stands for whatever state.
fn cause(kind: &str, cause: &Value, any: bool) -> String {
    let roots: BTreeSet<String> = cause["state"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|place| text(&place["root"]))
        .map(|root| {
            if root.starts_with("file:") {
                "file".into()
            } else {
                root
            }
        })
        .collect();
    let state = match any {
        true => "any".to_owned(),
        false => roots.into_iter().collect::<Vec<_>>().join(" "),
    };
    let mut all = format!("{kind} {} state {state}", list(&cause["tests"]).join("+"));
    if kind == "polluter" {
        let cleaners = cause["cleaners"].as_array().into_iter().flatten();
        let mut names: Vec<String> = cleaners.map(|c| list(c).join("+")).collect();
        names.sort();
        all = format!("{all} cleaners {}", names.join(" "));
    }
    all.trim_end().to_owned()
}

fn name(test: &Value) -> String {
    format!("{}#{}", text(&test["class"]), text(&test["method"]))
}

#[test]
fn every_test_has_the_verdict_of_its_source() {
    let Some(folder) = junit_classes(&sources(), &fresh("od")) else {
        return;
    };
    // With three other seeds, one NOD test in eight ends in all of them as it did.
    let ended = search(&folder, &["--format", "json", "--rerun", "10"]);
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
        let verdict = text(&test["verdict"]);
        if verdict != mark.verdict {
            wrong.push(format!(
                "{}: expected {}, found {verdict}",
                mark.test, mark.verdict
            ));
        }
        let any = mark.causes.iter().any(|c| c.contains(" state any"));
        let of_kind = |kind: &str, key: &str| -> Vec<String> {
            let all = test[key].as_array().into_iter().flatten();
            all.map(|c| cause(kind, c, any)).collect()
        };
        let mut found: BTreeSet<String> = of_kind("polluter", "polluters").into_iter().collect();
        found.extend(of_kind("setter", "state_setters"));
        if found != mark.causes {
            wrong.push(format!(
                "{}:\n  expected {:?}\n  found    {found:?}",
                mark.test, mark.causes
            ));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), ended.stderr);
}

#[test]
fn state_has_the_stacks_of_the_write_and_of_the_read() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-stacks")) else {
        return;
    };
    let ended = search(
        &folder,
        &["--format", "json", "--rerun", "0", "--test", "od.OtherModeTest"],
    );
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let victim = tests.iter().find(|t| t["verdict"] == "victim").expect("a victim");
    let place = &victim["polluters"][0]["state"][0];
    let method = |key: &str| text(&place[key][0]["method"]);
    assert_eq!(method("written_at"), "switchesMode", "{place:#}");
    assert_eq!(method("read_at"), "expectsDefaultToo", "{place:#}");
}

#[test]
fn the_document_does_not_depend_on_the_number_of_processes() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-jobs")) else {
        return;
    };
    let one = search(&folder, &["--format", "json", "--jobs", "1"]);
    let four = search(&folder, &["--format", "json", "--jobs", "4"]);
    assert!(one.stdout.len() > 1000, "{}", one.stderr);
    assert_eq!(one.stdout, four.stdout);
}

#[test]
fn the_command_that_is_said_to_reproduce_does() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-again")) else {
        return;
    };
    let ended = search(
        &folder,
        &["--format", "json", "--rerun", "0", "--test", "od.ModeTest"],
    );
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let victim = tests.iter().find(|t| t["verdict"] == "victim").expect("a victim");
    let line = text(&victim["reproduce"]).replacen("poldet run", &format!("{} run", common::binary()), 1);
    let ran = Command::new("sh")
        .args(["-c", &line])
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let shown = String::from_utf8_lossy(&ran.stdout);
    assert!(shown.contains("1 failed"), "{line}\n{shown}");
}

/// A class of tests with these members, compiled.
fn class(name: &str, members: &str) -> Option<PathBuf> {
    let sources = fresh(&format!("od-{name}-src"));
    let text = format!("import org.junit.*;\npublic class {name} {{\n{members}\n}}\n");
    fs::write(sources.join(format!("{name}.java")), text).expect("the source is written");
    junit_classes(&sources, &fresh(&format!("od-{name}")))
}

#[test]
fn a_cleaner_whose_victim_does_not_run_is_not_said_to_be_none() {
    let members = "static int mode;
        @Test public void pollutes() { mode = 1; }
        @Test public void mixes() { if (mode == 1) mode = 2; }
        @Test public void resets() { mode = 0; }
        @Test public void suffers() { Assume.assumeTrue(mode != 2); Assert.assertEquals(0, mode); }";
    let Some(folder) = class("MixTest", members) else {
        return;
    };
    let ended = search(&folder, &["--format", "json", "--rerun", "0"]);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let victim = tests.iter().find(|t| t["verdict"] == "victim").expect("a victim");
    assert_eq!(
        victim["polluters"][0]["cleaners"].to_string(),
        r#"[["MixTest#resets"]]"#
    );
    assert_eq!(document["not_run"]["cleaners"], 1, "{}", document["not_run"]);
}

#[test]
fn what_others_do_after_others_counts_for_one_test_too() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-one")) else {
        return;
    };
    let one = [
        "--format",
        "json",
        "--rerun",
        "0",
        "--test",
        "od.ArmedTest#expectsItWhole",
    ];
    let ended = search(&folder, &one);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let test = &document["tests"][0];
    assert_eq!(test["verdict"], "victim", "{}", ended.stdout);
    let polluter = list(&test["polluters"][0]["tests"]);
    assert_eq!(polluter, ["od.ArmedTest#arms", "od.ArmedTest#firesIfArmed"]);
}

#[test]
fn given_orders_are_minimised() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-given")) else {
        return;
    };
    let order = |name: &str, methods: &[&str]| {
        let file = folder.join(name);
        let lines: Vec<String> = methods.iter().map(|m| format!("od.ModeTest#{m}\n")).collect();
        fs::write(&file, lines.concat()).expect("the order is written");
        file
    };
    let passing = order(
        "passing",
        &["hasNothingToDoWithIt", "expectsDefaultMode", "switchesMode"],
    );
    let failing = order(
        "failing",
        &["hasNothingToDoWithIt", "switchesMode", "expectsDefaultMode"],
    );
    let given = |passing: &Path, failing: &Path| {
        let test = "od.ModeTest#expectsDefaultMode";
        let orders = [
            "--passing",
            path(passing),
            "--failing",
            path(failing),
            "--test",
            test,
        ];
        search(
            &folder,
            &[&["--format", "json", "--rerun", "1"][..], &orders[..]].concat(),
        )
    };
    let ended = given(&passing, &failing);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let test = &document["tests"][0];
    assert_eq!(test["verdict"], "victim", "{}", ended.stdout);
    assert_eq!(list(&test["polluters"][0]["tests"]), ["od.ModeTest#switchesMode"]);
    assert_eq!(test["polluters"][0]["cleaners"].as_array().map(Vec::len), Some(2));
    let wrong = given(&failing, &passing);
    assert!(
        wrong.stderr.contains("ends as failed in this order"),
        "{}",
        wrong.stderr
    );
    let unknown = order("unknown", &["noSuchTest", "expectsDefaultMode"]);
    let wrong = given(&unknown, &failing);
    assert!(
        wrong.stderr.contains("line 1: no test od.ModeTest#noSuchTest"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn the_findings_in_the_forms_of_other_tools() {
    let Some(folder) = junit_classes(&sources(), &fresh("od-forms")) else {
        return;
    };
    let out = fresh("od-forms-out");
    let file = |name: &str| out.join(name).display().to_string();
    let (html, sarif, xml) = (file("od.html"), file("od.sarif"), file("xml"));
    let (rows, request) = (file("relations.csv"), file("pr.md"));
    let options = [
        "--html",
        &html,
        "--sarif",
        &sarif,
        "--report-dir",
        &xml,
        "--idoft-relations",
        &rows,
        "--pull-request",
        &request,
        "--rerun",
        "0",
    ];
    let ended = search(&folder, &options);
    assert!(
        ended.stdout.contains("VICTIM"),
        "{}{}",
        ended.stdout,
        ended.stderr
    );
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let log: Value = serde_json::from_str(&read("od.sarif")).expect("SARIF is JSON");
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let about = |r: &&Value| {
        r["message"]["text"]
            .as_str()
            .is_some_and(|t| t.starts_with("od.OtherModeTest#expectsDefaultToo"))
    };
    let victim = results.iter().find(about).expect("the victim has a result");
    assert_eq!(victim["ruleId"], "victim");
    let line = |v: &Value| v["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(line(&victim["locations"][0]), Some(15));
    assert_eq!(line(&victim["relatedLocations"][0]), Some(12));
    assert_eq!(
        victim["codeFlows"][0]["threadFlows"][0]["locations"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let prints: BTreeSet<String> = results
        .iter()
        .map(|r| text(&r["partialFingerprints"]["poldetTests/v1"]))
        .collect();
    assert_eq!(prints.len(), results.len());
    let xml = read("xml/TEST-od.OtherModeTest.xml");
    for part in [
        "<testcase name=\"expectsDefaultToo\" classname=\"od.OtherModeTest\" time=\"0.000\">",
        "<flakyFailure message=\"expected:&lt;[defaul]t&gt; but was:&lt;[fas]t&gt;\" type=\"org.junit.ComparisonFailure\">",
        "<stackTrace><![CDATA[org.junit.ComparisonFailure",
        "passes alone, fails after od.ModeTest#switchesMode",
        "<failure",
    ] {
        assert!(xml.contains(part), "no {part} in\n{xml}");
    }
    let page = read("od.html");
    for part in [
        "<title>od.OtherModeTest#expectsDefaultToo</title>",
        ">Config.mode</text>",
        "cleaned by",
        "<h2>Certificate</h2>",
    ] {
        assert!(page.contains(part), "no {part} in the page");
    }
    assert!(
        read("relations.csv")
            .contains(",,,od.OtherModeTest.expectsDefaultToo,od.ModeTest.switchesMode,,victim")
    );
    let request = read("pr.md");
    let orders = "Fails in the order `od.ModeTest.switchesMode`, `od.OtherModeTest.expectsDefaultToo`";
    assert!(request.contains(orders), "{request}");
    assert!(
        request.contains("\"polluter\":\"od.ModeTest.switchesMode\""),
        "{request}"
    );
    let refused = search(&folder, &["--csv", "x.csv"]);
    assert!(
        refused
            .stderr
            .starts_with("error: --csv: poldet od does not have it"),
        "{}",
        refused.stderr
    );
}
