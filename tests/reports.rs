//! Reports for machines and later commands: the last run, baselines, comparisons, SARIF, CSV, configuration.

mod common;

use common::{binary, fresh, path};
use poldet_testdata::engine::{self, End};
use poldet_testdata::suite::example;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const POLLUTER: &str = "shop.SettingsTest#switchesCurrency";

/// A command in a folder that stays, with a state folder of its own.
fn poldet(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(binary());
    engine::same_everywhere(&mut command);
    command
        .args(args)
        .current_dir(dir)
        .env("XDG_STATE_HOME", dir.join("state"));
    command.output().expect("poldet can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn code(output: &Output) -> End {
    End::Exit(output.status.code().unwrap_or(-1))
}

#[test]
fn the_last_run_is_kept_for_what_comes_next() {
    let dir = fresh("last");
    let jar = example::jar_file();
    let none = poldet(&dir, &["explain", "switchesCurrency"]);
    assert_eq!(code(&none), End::Exit(3), "{}", text(&none.stderr));
    poldet(&dir, &["run", path(&jar)]);
    let story = poldet(&dir, &["explain", "SettingsTest#switchesCurrency"]);
    assert!(
        text(&story.stdout).contains("pollutes the shared state"),
        "{}",
        text(&story.stderr)
    );
    let page = poldet(&dir, &["page", "out.html"]);
    assert_eq!(code(&page), End::Exit(0), "{}", text(&page.stderr));
    assert!(
        fs::read_to_string(dir.join("out.html"))
            .expect("a page")
            .contains(POLLUTER)
    );
    let again = poldet(&dir, &["run", path(&jar), "--polluters", "--format", "json"]);
    let document: Value = serde_json::from_slice(&again.stdout).expect("a document");
    assert_eq!(document["summary"]["tests"], 2, "{}", text(&again.stderr));
    let failed = poldet(&dir, &["run", path(&jar), "--failed"]);
    assert_eq!(code(&failed), End::Exit(3));
    assert!(
        text(&failed.stderr).contains("no test failed in the last run"),
        "{}",
        text(&failed.stderr)
    );
}

#[test]
fn cleaners_are_explained_with_a_command_that_shows_it() {
    let dir = fresh("cleaner");
    let jar = example::jar_file();
    poldet(&dir, &["run", path(&jar)]);
    let story = text(&poldet(&dir, &["explain", "forgetsWhenCleared"]).stdout);
    assert!(story.contains("(a cleaner)"), "{story}");
    assert!(
        story.contains("as it was before shop.CatalogTest#registersABook"),
        "{story}"
    );
    let line = story
        .lines()
        .find(|l| l.contains("poldet run "))
        .expect("a command");
    let words = line.trim().trim_start_matches("poldet ").replace('\'', "");
    let words: Vec<&str> = words.split(' ').collect();
    let again = text(&poldet(&dir, &words).stdout);
    assert!(
        again.contains("restored by shop.CatalogTest#forgetsWhenCleared"),
        "{again}"
    );
}

#[test]
fn a_baseline_tells_new_polluters_from_known_ones() {
    let dir = fresh("baseline");
    let jar = example::jar_file();
    let run = |more: &[&str]| poldet(&dir, &[&["run", path(&jar)][..], more].concat());
    run(&["--report-dir", "all"]);
    run(&["--report-dir", "few", "--test", "shop.CatalogTest"]);
    let args = |file| ["--baseline", file, "--fail-on", "new-polluter"];
    assert_eq!(code(&run(&args("all/poldet.json"))), End::Exit(0));
    assert_eq!(code(&run(&args("few"))), End::Exit(1));
    let bare = run(&["--fail-on", "new-polluter"]);
    assert_eq!(code(&bare), End::Exit(3));
    assert!(
        text(&bare.stderr).contains("needs --baseline"),
        "{}",
        text(&bare.stderr)
    );
    let same = poldet(&dir, &["diff", "all", "all"]);
    assert_eq!(code(&same), End::Exit(0), "{}", text(&same.stdout));
    let differ = poldet(&dir, &["diff", "few", "all"]);
    assert_eq!(code(&differ), End::Exit(1));
    let told = text(&differ.stdout);
    assert!(
        told.contains(&format!(
            "{POLLUTER}\n    outcome: not in the run → passed\n    + pollutes shop.Settings.currency"
        )),
        "{told}"
    );
}

#[test]
fn findings_for_other_programs() {
    let dir = fresh("formats");
    let jar = example::jar_file();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/example/src");
    let output = poldet(
        &dir,
        &[
            "run",
            path(&jar),
            "--csv",
            "f.csv",
            "--sarif",
            "f.sarif",
            "--annotate",
            "github",
            "--sources",
            path(&sources),
            "--report-dir",
            "reports",
            "--fail-on",
            "polluter",
        ],
    );
    assert_eq!(code(&output), End::Exit(1), "{}", text(&output.stderr));
    let csv = fs::read_to_string(dir.join("f.csv")).expect("CSV");
    let columns = csv.lines().next().expect("a head").split(',').count();
    let row = csv
        .lines()
        .find(|l| l.contains("shop.Settings.currency"))
        .expect("a row");
    assert_eq!(row.split(',').count(), columns, "{row}");
    assert!(row.contains(",changed,configuration,suite,true,"), "{row}");
    let sarif: Value =
        serde_json::from_str(&fs::read_to_string(dir.join("f.sarif")).expect("SARIF")).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "cleaners are no results: {results:?}");
    for result in results {
        assert_eq!(result["ruleId"], "polluter");
        assert!(result["partialFingerprints"]["poldetTestAndField/v1"].is_string());
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].is_u64());
    }
    let out = text(&output.stdout);
    let line = out
        .lines()
        .find(|l| l.starts_with("::warning file="))
        .expect("an annotation");
    assert!(
        line.contains(",line=") && line.contains("title=poldet::shop."),
        "{line}"
    );
    // The source line with a caret.
    assert!(out.contains("| ") && out.contains("^^^^"), "{out}");
    let xml = fs::read_to_string(dir.join("reports/TEST-shop.SettingsTest.xml")).expect("XML");
    assert!(
        xml.contains("failures=\"1\"") && xml.contains("<failure"),
        "{xml}"
    );
}

#[test]
fn options_can_be_kept_in_a_file() {
    let dir = fresh("config");
    let jar = example::jar_file();
    fs::write(
        dir.join("poldet.toml"),
        "[run]\ntest = [\"shop.CatalogTest\"]\nformat = \"json\"\n[profile.cart.run]\ntest = [\"shop.CartTest\"]\n",
    )
    .expect("it can be written");
    let tests = |more: &[&str]| -> Value {
        let output = poldet(&dir, &[&["run", path(&jar)][..], more].concat());
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)));
        document["tests"][0]["class"].clone()
    };
    assert_eq!(tests(&[]), "shop.CatalogTest");
    assert_eq!(tests(&["--profile", "cart"]), "shop.CartTest");
    assert_eq!(tests(&["--test", "shop.InvoiceTest"]), "shop.InvoiceTest");
    fs::write(dir.join("poldet.toml"), "[run]\nsed = 1\n").expect("it can be written");
    let wrong = poldet(&dir, &["run", path(&jar)]);
    assert_eq!(code(&wrong), End::Exit(3));
    assert!(
        text(&wrong.stderr).contains("has no option 'sed'"),
        "{}",
        text(&wrong.stderr)
    );
    let off = poldet(&dir, &["run", path(&jar), "--no-config"]);
    assert_eq!(code(&off), End::Exit(0), "{}", text(&off.stderr));
}

#[test]
fn poldet_describes_itself() {
    let dir = fresh("self");
    for shell in ["bash", "zsh", "fish"] {
        let script = poldet(&dir, &["completions", shell]);
        assert!(text(&script.stdout).contains("poldet"), "{shell}");
    }
    assert_eq!(code(&poldet(&dir, &["man", "man"])), End::Exit(0));
    assert!(
        fs::read_to_string(dir.join("man/poldet-run.1"))
            .expect("a page")
            .contains("baseline")
    );
    assert!(!dir.join("man/poldet-__worker.1").exists());
    for (system, says) in [("github", "actions/checkout"), ("gitlab", "artifacts:")] {
        let workflow = text(&poldet(&dir, &["ci", system]).stdout);
        assert!(
            workflow.contains(says) && workflow.contains("--fail-on new-polluter"),
            "{workflow}"
        );
    }
}
