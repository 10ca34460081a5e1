//! What a new user meets first: true sentences about cleaners, victims, threads and streams, hints where something is missing, and an
//! answer to every name that means nothing.

mod common;

use common::{binary, command, fresh, path, poldet};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::engine::End;
use poldet_testdata::suite::example;
use poldet_testdata::suite::run::{self, Ended};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn trial(name: &str) -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/trial/src/trial");
    junit_classes(&sources, &fresh(&format!("trial-{name}")))
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}\n{}\n{}", ended.stdout, ended.stderr))
}

fn test<'a>(document: &'a Value, class: &str, method: &str) -> &'a Value {
    let tests = document["tests"].as_array().expect("tests");
    let found = tests
        .iter()
        .find(|t| t["class"] == class && t["method"] == method);
    found.unwrap_or_else(|| panic!("no {class}#{method}"))
}

/// A block of the text report: from its title to the next empty line.
fn block<'a>(text: &'a str, title: &str) -> &'a str {
    let at = text
        .find(title)
        .unwrap_or_else(|| panic!("no '{title}' in\n{text}"));
    text[at..].split("\n\n").next().unwrap_or("")
}

#[test]
fn who_repairs_is_no_polluter() {
    let Some(classes) = trial("cleaner") else { return };
    let document = json(&poldet(&[path(&classes), "--format", "json", "--no-links"]));
    let cleaner = test(&document, "trial.CleanerTest", "startsAnywhere");
    assert_eq!(cleaner["polluter"], false);
    assert_eq!(
        cleaner["pollutions"][0]["restores"],
        "trial.AdderTest#addsAndSwitches"
    );
    assert_eq!(
        test(&document, "trial.AdderTest", "addsAndSwitches")["polluter"],
        true
    );
    // By PolDet's own definition any difference counts.
    let any = json(&poldet(&[
        path(&classes),
        "--format=json",
        "--no-links",
        "--definition=poldet",
    ]));
    assert_eq!(
        test(&any, "trial.CleanerTest", "startsAnywhere")["polluter"],
        true
    );
}

#[test]
fn one_action_is_one_finding_and_objects_are_named() {
    let Some(classes) = trial("left") else { return };
    let text = poldet(&[path(&classes), "--test", "trial.LeftTest"]).stdout;
    // Three fields of the JDK, one call.
    assert_eq!(text.matches("java.util.Locale.default").count(), 3, "{text}");
    assert!(
        block(&text, "POLLUTED  java.util.Locale.defaultLocale").contains("\n    also java.util.Locale.")
    );
    let stream = block(&text, "POLLUTED  java.lang.System.err");
    assert!(
        stream.contains(" → the same object as java.lang.System.out\n"),
        "{stream}"
    );
    let chain = block(&text, "POLLUTED  trial.Registry.chain");
    assert!(chain.contains("(1000 objects)"), "{chain}");
    // Threads that differ in a number are one finding.
    let threads = block(&text, "THREAD  \"worker-0\"");
    assert!(threads.contains("(daemon) and 2 more threads"), "{threads}");
    assert!(threads.contains("started at trial.LeftTest.threads(LeftTest.java:"));
    assert!(text.contains("THREAD  \"left-behind\""), "{text}");
    let document = json(&poldet(&[
        path(&classes),
        "--test=trial.LeftTest#threads",
        "--format=json",
    ]));
    let threads = &test(&document, "trial.LeftTest", "threads")["threads"];
    assert_eq!(threads.as_array().map(Vec::len), Some(2), "{threads}");
    assert_eq!(threads[0]["count"], 3);
    assert!(threads[1].get("count").is_none());
}

#[test]
fn failures_of_one_cause_are_one_and_name_it() {
    let Some(classes) = trial("victims") else { return };
    let text = poldet(&[path(&classes)]).stdout;
    assert!(
        text.starts_with(
            "5 of 12 tests pollute 5 fields; 4 of 12 tests failed; 3 of them pass alone and fail after trial.AdderTest#addsAndSwitches.\n"
        ),
        "{text}"
    );
    assert_eq!(
        text.matches("expected:<[]> but was:<[left]>").count(),
        1,
        "{text}"
    );
    let victims = block(&text, "VICTIM  trial.VictimTest#");
    assert!(
        victims.contains("passes alone and fails after trial.AdderTest#addsAndSwitches"),
        "{victims}"
    );
    assert!(victims.contains("\n    so do trial.VictimTest#"), "{victims}");
    assert!(text.contains("hint: 1 failing test needed access to packages that the JDK closes. Try --jvm=--add-opens=java.base/java.util=ALL-UNNAMED"));
    // Skipped tests are named, with the reason; what class fixtures made and removed again is nobody's.
    assert!(
        text.contains("SKIPPED  trial.TempTest#later: not yet\n"),
        "{text}"
    );
    assert!(!text.contains("FILE  ") && !text.contains("FIXTURE  "), "{text}");
}

#[test]
fn ends_of_stacks_that_many_share_are_written_once() {
    let sources = fresh("many-src");
    let tests: String = (0..40)
        .map(|i| format!("    @org.junit.Test public void t{i}() {{ org.junit.Assert.fail(\"no\"); }}\n"))
        .collect();
    fs::write(
        sources.join("ManyTest.java"),
        format!("public class ManyTest {{\n{tests}}}\n"),
    )
    .expect("a source can be written");
    let Some(classes) = junit_classes(&sources, &fresh("many")) else {
        return;
    };
    let reports = fresh("many-reports");
    let args = [
        path(&classes),
        "--format=json",
        "--no-links",
        "--report-dir",
        path(&reports),
    ];
    let document = json(&poldet(&args));
    let tails = document["stack_tails"].as_array().expect("ends");
    let first = &document["tests"][0];
    let tail = first["stack_tail"].as_u64().expect("a number") as usize;
    let (own, rest) = (
        first["stack"].as_array().expect("lines"),
        tails[tail].as_array().expect("lines"),
    );
    assert!(
        own.last()
            .is_some_and(|l| l.as_str().is_some_and(|l| l.contains("ManyTest.t"))),
        "{own:?}"
    );
    // Read back, the stack is whole.
    let xml = fs::read_to_string(reports.join("TEST-ManyTest.xml")).expect("it was written");
    let last = rest.last().and_then(Value::as_str).expect("a line").trim();
    assert_eq!(xml.matches(last).count(), 40);
    let page = fresh("many-page").join("page.html");
    let written = command("page", &[path(&page), "--from", path(&reports)]);
    assert_eq!(written.end, End::Exit(0), "{}", written.stderr);
    assert!(fs::read_to_string(&page).expect("a page").contains(last));
}

/// Classes that use JUnit 5, which is not on the class path.
#[test]
fn a_missing_junit_is_named() {
    let sources = fresh("jupiter-src");
    let api = sources.join("org/junit/jupiter/api");
    fs::create_dir_all(&api).expect("a folder");
    let annotation = "package org.junit.jupiter.api;\n@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)\npublic @interface Test { }\n";
    fs::write(api.join("Test.java"), annotation).expect("a source can be written");
    let text = "public class MoneyTest {\n    @org.junit.jupiter.api.Test void adds() { }\n}\n";
    fs::write(sources.join("MoneyTest.java"), text).expect("a source can be written");
    let Some(classes) = junit_classes(&sources, &fresh("jupiter")) else {
        return;
    };
    fs::remove_dir_all(classes.join("org")).expect("taken away");
    let ended = poldet(&[path(&classes)]);
    assert_eq!(ended.end, End::Exit(3), "{}{}", ended.stdout, ended.stderr);
    assert!(
        ended
            .stderr
            .contains("use JUnit 5, which is not on the class path"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.stdout, "");
    let doctor = command("doctor", &[path(&classes)]);
    assert!(
        doctor
            .stdout
            .contains("JUnit    missing: 1 test class uses JUnit 5, which is not on the class path"),
        "{}",
        doctor.stdout
    );
}

#[test]
fn missing_classes_are_a_hint() {
    let Some(built) = common::built("bad-missing-dependency") else {
        return;
    };
    let ended = poldet(&[path(&built.classes)]);
    assert!(
        ended.stdout.contains("hint: ") && ended.stdout.contains("'poldet doctor' lists all of them"),
        "{}",
        ended.stdout
    );
    let doctor = command("doctor", &[path(&built.classes)]);
    assert!(doctor.stdout.contains("hint: add the jars"), "{}", doctor.stdout);
}

#[test]
fn the_class_path_is_answered_entry_by_entry() {
    let jar = example::jar_file();
    let folder = fresh("lib");
    fs::copy(&jar, folder.join("a.jar")).expect("a copy");
    let said = |cp: &str| poldet(&[path(&jar), "--cp", cp]).stderr;
    let vain = said("nosuch/*");
    assert!(
        vain.contains("warning: not on the class path: no jars in 'nosuch/*'"),
        "{vain}"
    );
    let of_jars = said(path(&folder));
    assert!(of_jars.contains("holds jars and no classes: use '"), "{of_jars}");
    assert_eq!(said(&format!("{}/*", folder.display())), "");
    // A class path from a file.
    let file = folder.join("cp.txt");
    fs::write(&file, format!("{}:gone.jar\n", jar.display())).expect("written");
    let from_file = said(&format!("@{}", file.display()));
    assert!(from_file.contains("gone.jar"), "{from_file}");
}

/// Tests keep class files among their data; nearer to the top than all classes of the suite, too.
#[test]
fn class_files_among_the_data_of_tests_are_no_classes_of_the_suite() {
    let Some(classes) = trial("class-data") else {
        return;
    };
    let data = classes.join("data");
    fs::create_dir_all(&data).expect("a folder");
    fs::copy(classes.join("trial/AdderTest.class"), data.join("Adder.class")).expect("a copy");
    let ended = poldet(&[path(&classes), "--format=json"]);
    let document = json(&ended);
    assert_eq!(
        test(&document, "trial.AdderTest", "addsAndSwitches")["outcome"],
        "passed"
    );
    let tests = document["tests"].as_array().expect("tests");
    let class = |t: &Value| t["class"].as_str().unwrap_or("").to_owned();
    assert!(
        tests.iter().all(|t| class(t).starts_with("trial.")),
        "{}",
        ended.stdout
    );
    // A folder in which no class is in its place is the wrong one.
    let inside = poldet(&[path(&classes.join("trial"))]).stderr;
    assert!(inside.contains("is not the root of its classes: '"), "{inside}");
    assert!(
        inside.contains(&format!("try 'poldet run {}'", classes.display())),
        "{inside}"
    );
}

/// The project's own classes are the suite's, wherever they stand on the class path.
#[test]
fn folders_on_the_class_path_are_the_suites_own() {
    let Some(classes) = trial("origin") else { return };
    let tests = fresh("origin-tests");
    fs::create_dir_all(tests.join("trial")).expect("a folder");
    fs::rename(
        classes.join("trial/AdderTest.class"),
        tests.join("trial/AdderTest.class"),
    )
    .expect("moved");
    let document = json(&poldet(&[path(&tests), "--cp", path(&classes), "--format=json"]));
    let found = &test(&document, "trial.AdderTest", "addsAndSwitches")["pollutions"];
    assert!(
        found
            .as_array()
            .is_some_and(|f| f.len() == 2 && f.iter().all(|f| f["origin"] == "suite")),
        "{found}"
    );
}

#[test]
fn every_name_that_means_nothing_is_answered() {
    let jar = example::jar_file();
    let jar = path(&jar);
    let order = fresh("vain-order").join("order.txt");
    fs::write(&order, "shop.CartTest#totals\nshop.CartTest#total\n").expect("written");
    for (args, option) in [
        (vec!["--test=CartTest#totals", "--test=CartTest#total"], "--test"),
        (vec!["--order", path(&order)], "--order"),
    ] {
        let ended = poldet(&[&[jar][..], &args].concat());
        assert_eq!(ended.end, End::Exit(2), "{}", ended.stderr);
        let says = format!("matches {option} 'shop.CartTest#total'; did you mean shop.CartTest#totals?");
        assert!(ended.stderr.contains(&says), "{}", ended.stderr);
        assert!(ended.stdout.contains("1 test in 1 class"), "{}", ended.stdout);
    }
    // Nothing ran, and nothing is claimed.
    let none = poldet(&[jar, "--test=shop.CartTest#nosuch"]).stdout;
    assert!(none.contains("No test was checked for pollution."), "{none}");
    assert!(
        !none.contains("pollutes the shared state") && !none.contains("built-in"),
        "{none}"
    );
    // One glob language for names with dots, the one of ignore rules.
    let listed = poldet(&[jar, "--list", "--include", "*hop.C*Test"]).stdout;
    assert!(
        listed.contains("shop.CartTest#totals") && listed.contains("shop.CatalogTest#"),
        "{listed}"
    );
    assert!(!listed.contains("shop.SettingsTest#"), "{listed}");
}

#[test]
fn a_dump_of_several_tests_says_which() {
    let out = fresh("dumps");
    let jar = example::jar_file();
    let ended = command(
        "dump",
        &[path(&jar), "--test", "shop.CatalogTest", "--out", path(&out)],
    );
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    for (test, place) in [
        ("registersABook", format!("{}/", out.display())),
        ("forgetsWhenCleared", out.join("2").display().to_string()),
    ] {
        let says = format!("before, after and diff of shop.CatalogTest#{test} are in {place}");
        assert!(ended.stderr.contains(&says), "{says}\n{}", ended.stderr);
    }
    assert!(out.join("2/diff.csv").is_file());
}

#[test]
fn wrong_words_are_answered_in_one_line() {
    let jar = example::jar_file();
    for (args, says) in [
        (vec!["rn"], "unrecognized subcommand 'rn'; did you mean run?"),
        (
            vec!["run", path(&jar), "--maven"],
            "unexpected argument '--maven' found; 'poldet run --help'",
        ),
        (
            vec!["run", path(&jar), "--polluter"],
            "did you mean '--polluters'?",
        ),
        (
            vec!["run", path(&jar), "--format", "xml"],
            "[possible values: human,",
        ),
    ] {
        let ended = command(args[0], &args[1..]);
        assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
        assert!(ended.stderr.contains(says), "{says}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
    // Options of java that mean nothing here.
    let ended = command("exec", &["-XX:+UseSerialGC", "-cp", "nowhere", "Main"]);
    assert!(
        ended.stderr.contains("ignored JVM option -XX:+UseSerialGC"),
        "{}",
        ended.stderr
    );
    let version = command("exec", &["-version"]);
    assert!(version.stdout.starts_with("poldet "), "{}", version.stdout);
}

#[test]
fn a_java_home_that_cannot_be_used_is_named() {
    let home = fresh("jdk11");
    fs::create_dir_all(home.join("lib")).expect("a folder");
    fs::write(home.join("release"), "JAVA_VERSION=\"11.0.2\"\n").expect("written");
    fs::write(home.join("lib/modules"), "").expect("written");
    let jar = example::jar_file();
    let mut run = Command::new(binary());
    run.args(["run", path(&jar), "--list"]).env("JAVA_HOME", &home);
    let ended = run::in_scratch(run, &common::cache(), "cli").expect("poldet can be run");
    let says = format!(
        "warning: JAVA_HOME is not used: {} is Java 11.0.2",
        home.display()
    );
    assert!(ended.stderr.contains(&says), "{}", ended.stderr);
}
