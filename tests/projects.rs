//! `poldet run` in the folders of projects. Their builds fetch from Maven Central, so these tests run on demand only.

mod common;

use common::{binary, fresh, path};
use poldet_testdata::engine::End;
use poldet_testdata::suite::run::{self, Ended};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A copy of a project, so that nothing is built in the repository.
fn project(name: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/projects")
        .join(name);
    let to = fresh(&format!("project-{name}"));
    let copied = Command::new("cp").arg("-r").arg(from.join(".")).arg(&to).status();
    assert!(copied.expect("cp").success());
    to
}

fn poldet(args: &[&str]) -> Ended {
    let mut command = Command::new(binary());
    command.arg("run").args(args);
    // The build tools look for their caches there.
    if let Some(home) = std::env::var_os("HOME") {
        command.env("HOME", home);
    }
    let limit = Duration::from_secs(600);
    run::in_scratch_for(command, &common::cache(), "cli", limit).expect("poldet can be run")
}

#[test]
#[ignore = "runs Maven, which fetches from Maven Central"]
fn a_maven_project() {
    let dir = project("maven");
    let ended = poldet(&[path(&dir), "--format", "json"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let mut names: Vec<&str> = tests.iter().filter_map(|t| t["method"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["isConfiguredAsUnderSurefire", "isIncluded", "leavesABook"]
    );
    assert!(tests.iter().all(|t| t["outcome"] == "passed"), "{}", ended.stdout);
    let polluter = tests.iter().find(|t| t["polluter"] == true).expect("a polluter");
    assert_eq!(polluter["pollutions"][0]["root"], "shop.Stock.GOODS");
    assert_eq!(polluter["pollutions"][0]["origin"], "suite");
    // The second run asks nobody, and shows the source.
    fs::write(dir.join("mvnw"), "no program").expect("it can be written");
    let text = poldet(&[path(&dir)]);
    assert_eq!(text.end, End::Exit(0), "{}", text.stderr);
    assert!(
        text.stdout.contains("| ") && text.stdout.contains("GOODS.add(name);"),
        "{}",
        text.stdout
    );
    assert!(text.stdout.contains("^^^^^^^^^^^^^^^^"), "{}", text.stdout);
}

#[test]
#[ignore = "runs Maven, which fetches from Maven Central"]
fn a_maven_project_of_several_modules() {
    let dir = project("multi");
    let ended = poldet(&[path(&dir), "--format", "json"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 2, "{}", ended.stdout);
    let polluter = tests.iter().find(|t| t["polluter"] == true).expect("a polluter");
    assert_eq!(polluter["class"], "app.AppTest");
    assert_eq!(polluter["pollutions"][0]["root"], "core.Level.current");
    assert_eq!(polluter["pollutions"][0]["origin"], "suite");
    let one = poldet(&[path(&dir), "--test", "isLow"]);
    assert!(
        one.stdout.contains("1 test in 1 class"),
        "{}{}",
        one.stdout,
        one.stderr
    );
}

#[test]
#[ignore = "runs Gradle, which fetches from Maven Central"]
fn a_gradle_project() {
    let dir = project("gradle");
    let ended = poldet(&[path(&dir), "--format", "json"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a document");
    let test = &document["tests"][0];
    assert_eq!(test["outcome"], "passed", "{}", ended.stdout);
    assert_eq!(test["pollutions"][0]["root"], "till.Till.cents");
}

#[test]
fn what_is_no_suite_is_refused_at_once() {
    for (args, says) in [
        (
            &["/"][..],
            "'/' is neither a Maven or Gradle project nor a folder of classes",
        ),
        (
            &[][..],
            "no suite given, and the current folder is no Maven or Gradle project",
        ),
    ] {
        let ended = poldet(args);
        assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn classes_below_the_folder_given_are_found_for_the_user() {
    let Some(built) = common::built("builtin-names") else {
        return;
    };
    let dir = fresh("above");
    let classes = dir.join("target/test-classes");
    fs::create_dir_all(&classes).expect("a folder");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(built.classes.join("."))
        .arg(&classes)
        .status();
    assert!(copied.expect("cp").success());
    let ended = poldet(&[path(&dir)]);
    assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
    let says = format!("try 'poldet run {}'", classes.display());
    assert!(ended.stderr.contains(&says), "{}", ended.stderr);
}
