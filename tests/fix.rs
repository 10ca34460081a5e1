//! `poldet fix`: every patch applies with git, compiles with javac, and holds on `java`. The sources of testdata/fix say which patches
//! are to be found, in comments `//~ TEST VERDICT SIDE KIND [PLACE] | a part of the patch`.

mod common;

use common::{JUPITER, binary, cache, command, copy, files, fresh, jars, path};
use poldet_testdata::compile::{self, junit_classes};
use poldet_testdata::engine::End;
use poldet_testdata::need;
use poldet_testdata::suite::{build, run};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A whole search, on a busy machine.
const LIMIT: Duration = Duration::from_secs(1200);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A project with the fixtures' sources and their classes; none where there is no compiler. Some files have other line ends, tabs, and a
/// byte order mark.
fn project(name: &str) -> Option<(PathBuf, PathBuf)> {
    let folder = fresh(name);
    let sources = folder.join("src/test/java");
    copy(&root().join("testdata/fix/src"), &sources);
    fs::write(folder.join("pom.xml"), "<project/>").expect("a file can be written");
    let classes = junit_classes(&sources, &folder.join("classes"))?;
    let change = |file: &str, with: &dyn Fn(String) -> String| {
        let file = sources.join("fix").join(file);
        let text = fs::read_to_string(&file).expect("a source");
        fs::write(&file, with(text)).expect("a file can be written");
    };
    change("OldTest.java", &|t| t.replace('\n', "\r\n"));
    change("BrittleTest.java", &|t| t.replace("    ", "\t"));
    change("HelperTest.java", &|t| format!("\u{feff}{t}"));
    Some((folder, classes))
}

fn fix(project: &Path, classes: &Path, out: &Path, more: &[&str]) -> Value {
    let sources = project.join("src/test/java");
    let mut fix = Command::new(binary());
    fix.args([
        "fix",
        path(classes),
        "--sources",
        path(&sources),
        "--out",
        path(out),
    ]);
    fix.args(["--project", path(project), "--format", "json"])
        .args(more);
    let ended = run::in_scratch_for(fix, &cache(), "fix", LIMIT).expect("poldet can be run");
    assert_eq!(ended.end, End::Exit(0), "{}\n{}", ended.stdout, ended.stderr);
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let saved = fs::read_to_string(out.join("fix.json")).expect("a saved document");
    assert_eq!(ended.stdout, saved);
    document
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> Vec<String> {
    let list = value.as_array().into_iter().flatten();
    list.map(|v| text(v).to_owned()).collect()
}

/// The lines `//~` of the sources: the test, and the words and the text of the line. A test of an inner class is `$Inner#test`.
fn expected(sources: &str) -> Vec<(String, Vec<String>, String)> {
    let sources = root().join(sources);
    let mut all = Vec::new();
    for file in files(&sources) {
        let class = file.strip_prefix(&sources).expect("inside").with_extension("");
        let class = path(&class).replace('/', ".");
        for line in fs::read_to_string(&file).expect("a source").lines() {
            let Some((words, part)) = line.strip_prefix("//~ ").and_then(|l| l.split_once(" | ")) else {
                continue;
            };
            let mut words = words.split(' ').map(str::to_owned);
            let test = words.next().expect("a test");
            let test = match test.contains('#') {
                true => format!("{class}{test}"),
                false => format!("{class}#{test}"),
            };
            all.push((test, words.collect(), part.to_owned()));
        }
    }
    all
}

#[test]
fn every_patch_is_found_applies_and_holds_on_java() {
    let Some((project, classes)) = project("fix-all") else {
        return;
    };
    let out = project.join("out");
    let document = fix(&project, &classes, &out, &["--orders", "5"]);
    check_expected(&document, "testdata/fix/src");
    let tests = document["tests"].as_array().expect("tests");
    let mut applied = 0;
    for test in tests {
        assert_eq!(
            test["fixed"],
            !test["patches"].as_array().expect("a list").is_empty()
        );
        for patch in test["patches"].as_array().expect("a list") {
            assert_eq!(patch["compiles"], true);
            apply_and_run(&project, &out, text(&test["test"]), patch);
            applied += 1;
        }
    }
    assert!(applied > 20, "{applied} patches");
}

/// JUnit 5, with the same orders on `java`: `cargo test --release --test fix -- --ignored`.
#[test]
#[ignore = "fetches JUnit from Maven Central"]
fn patches_of_jupiter() {
    let Some(jdk) = need::javac() else { return };
    let class_path = build::class_path(&jars(&jdk, &JUPITER));
    let project = fresh("fix-jupiter");
    copy(
        &root().join("testdata/fix/jupiter"),
        &project.join("src/test/java"),
    );
    let compile = |from: &Path| {
        let classes = from.join("classes");
        common::compile(&jdk, &from.join("src"), &class_path, &classes);
        classes
    };
    let classes = compile(&project);
    let out = project.join("out");
    let more = ["--cp", &class_path, "--orders", "2", "--verify-on-hotspot"];
    let document = fix(&project, &classes, &out, &more);
    check_expected(&document, "testdata/fix/jupiter");
    for test in document["tests"].as_array().expect("tests") {
        for patch in test["patches"].as_array().expect("a list") {
            assert_eq!(patch["verified"], patch["hotspot"], "{patch:#}");
            compile(&patched(&project, &out, patch));
        }
    }
}

/// What the sources expect is found.
fn check_expected(document: &Value, sources: &str) {
    let tests = document["tests"].as_array().expect("tests");
    for (name, words, part) in expected(sources) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let of = |t: &&Value| t["test"] == name.as_str() && (words[0] == "-" || t["verdict"] == words[0]);
        let test = tests
            .iter()
            .find(of)
            .unwrap_or_else(|| panic!("{name} is not in the document: {document:#}"));
        let ["-"] = words.as_slice() else {
            let fits = |p: &&Value| {
                let place = words.get(3).is_none_or(|w| text(&p["placement"]).contains(w));
                let code = list(&p["code"]).join("\n");
                p["side"] == words[1] && p["kind"] == words[2] && place && code.contains(&part)
            };
            let patches = test["patches"].as_array().expect("patches");
            assert!(patches.iter().any(|p| fits(&p)), "{words:?} | {part}: {test:#}");
            continue;
        };
        assert!(text(&test["why_not"]).contains(&part), "{test:#}");
    }
}

/// A copy of the project to which a patch was applied.
fn patched(project: &Path, out: &Path, patch: &Value) -> PathBuf {
    let patched = project.join("patched");
    let _ = fs::remove_dir_all(&patched);
    copy(&project.join("src"), &patched.join("src"));
    let file = out.join(text(&patch["file"]));
    let applied = Command::new("git")
        .args(["apply"])
        .arg(&file)
        .current_dir(&patched)
        .env("GIT_CEILING_DIRECTORIES", project)
        .output()
        .expect("git runs");
    let said = String::from_utf8_lossy(&applied.stderr);
    assert!(applied.status.success(), "{}: {said}", file.display());
    assert!(file.with_extension("md").exists());
    patched
}

/// Applies a patch to a copy of the project, compiles it, and runs the orders that failed.
fn apply_and_run(project: &Path, out: &Path, test: &str, patch: &Value) {
    let patched = patched(project, out, patch);
    let file = out.join(text(&patch["file"]));
    for source in files(&patched.join("src")) {
        // The compiler takes no mark.
        let bytes = fs::read(&source).expect("a source");
        if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
            fs::write(&source, rest).expect("can be written");
        }
        let text = String::from_utf8(bytes).expect("text");
        let mixed = text.contains("\r\n") && text.replace("\r\n", "").contains('\n');
        assert!(!mixed, "{} has two kinds of line ends", source.display());
    }
    let classes =
        junit_classes(&patched.join("src/test/java"), &patched.join("classes")).expect("a compiler");
    let verified = patch["verified"].as_array().expect("a list");
    let failing = verified
        .iter()
        .filter(|v| matches!(text(&v["what"]), "failing order" | "alone"));
    for check in failing.take(3) {
        let order = list(&check["order"]);
        let outcomes = on_java(&classes, &order);
        for (name, outcome) in order.iter().zip(&outcomes) {
            assert!(
                name != test || outcome == "passed",
                "{test} after {}: {order:?} {outcomes:?}",
                file.display()
            );
        }
    }
}

/// The outcomes of an order on the `java` of the machine.
fn on_java(classes: &Path, order: &[String]) -> Vec<String> {
    let jdk = compile::Jdk::find().expect("a JDK");
    let jars = root().join("junit-shim/jars");
    let class_path = [
        path(classes),
        path(&jars.join("junit.jar")),
        path(&jars.join("compiler.jar")),
    ]
    .join(":");
    let temporary = classes.join("../tmp");
    let _ = fs::remove_dir_all(&temporary);
    fs::create_dir_all(&temporary).expect("a folder");
    let mut child = Command::new(&jdk.java)
        .arg(format!("-Djava.io.tmpdir={}", temporary.display()))
        .args([
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
        ])
        .args(["-cp", &class_path, "poldet.compiler.Orders"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java runs");
    let mut input = String::new();
    for name in order {
        let (class, method) = name.split_once('#').expect("a name");
        input.push_str(&format!("4\t{class}\t{method}({class})\n"));
    }
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("can be written");
    drop(stdin);
    let output = child.wait_with_output().expect("java ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let words = text.lines().filter_map(|l| l.strip_prefix("poldet\t"));
    words.map(str::to_owned).collect()
}

#[test]
fn saved_findings_give_the_same_patches_with_any_number_of_jobs() {
    let Some((project, classes)) = project("fix-from") else {
        return;
    };
    let found = project.join("od.json");
    let ended = command("od", &[path(&classes), "--format", "json", "--rerun", "0"]);
    fs::write(&found, &ended.stdout).expect("can be written");
    let some = [
        "--test",
        "fix.ResetTest",
        "--test",
        "fix.HelperTest",
        "--from",
        path(&found),
    ];
    let run = |name: &str, jobs: &str| {
        let out = project.join(name);
        let log = out.with_extension("sarif");
        let more = [&some[..], &["--jobs", jobs, "--sarif", path(&log)]].concat();
        (fix(&project, &classes, &out, &more), out)
    };
    let (one, first) = run("one", "1");
    let (_, second) = run("two", "3");
    for file in files(&first) {
        let other = second.join(file.strip_prefix(&first).expect("inside"));
        let same = fs::read(&file).expect("a file") == fs::read(&other).expect("the same file");
        assert!(same, "{} differs", file.display());
    }
    let tests = one["tests"].as_array().expect("tests");
    assert!(tests.iter().all(|t| t["verdict"] == "victim"), "{one:#}");
    assert!(tests.iter().any(|t| t["fixed"] == true), "{one:#}");
    // SARIF: each patch is a fix.
    let log = fs::read_to_string(first.with_extension("sarif")).expect("a log");
    let log: Value = serde_json::from_str(&log).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let fixes = results.iter().filter_map(|r| r["fixes"].as_array());
    let count: usize = fixes.map(Vec::len).sum();
    assert_eq!(
        count as u64,
        one["summary"]["patches"].as_u64().expect("a number")
    );
    // iFixFlakies' files.
    let own = first.join("ifixflakies");
    let patch = fs::read_to_string(files(&own).first().expect("a file")).expect("text");
    assert!(
        patch.starts_with("STATUS: INLINE SUCCESSFUL\nMODIFIED: fix."),
        "{patch}"
    );
    assert!(patch.contains("==========================\n@@ -"), "{patch}");
    assert!(
        patch.contains("POLLUTER FILE: /") && patch.contains("MODIFIED FILE: /"),
        "{patch}"
    );
}

#[test]
fn reflection_is_a_last_resort_and_must_be_asked_for() {
    let Some((project, classes)) = project("fix-reflection") else {
        return;
    };
    let only = ["--test", "fix.ResetTest#expectsUnlocked"];
    let without = fix(&project, &classes, &project.join("without"), &only);
    assert_eq!(without["tests"][0]["fixed"], false, "{without:#}");
    let with = [&only[..], &["--allow-reflection"]].concat();
    let with = fix(&project, &classes, &project.join("with"), &with);
    let code = list(&with["tests"][0]["patches"][0]["code"]).join("\n");
    assert!(code.contains("lockedField.setAccessible(true);"), "{with:#}");
    apply_and_run(
        &project,
        &project.join("with"),
        "fix.ResetTest#expectsUnlocked",
        &with["tests"][0]["patches"][0],
    );
}

#[test]
fn a_side_can_be_chosen_and_patches_hold_on_hotspot() {
    let Some((project, classes)) = project("fix-side") else {
        return;
    };
    let only = [
        "--test",
        "fix.ResetTest#expectsNoEntry",
        "--orders",
        "2",
        "--side",
    ];
    for side in ["victim", "polluter"] {
        let more = [&only[..], &[side, "--verify-on-hotspot"]].concat();
        let document = fix(&project, &classes, &project.join(side), &more);
        let patches = document["tests"][0]["patches"].as_array().expect("patches");
        assert!(!patches.is_empty(), "{document:#}");
        for patch in patches {
            assert_eq!(patch["side"], side);
            let (here, there) = (&patch["verified"], &patch["hotspot"]);
            assert_eq!(here, there, "{patch:#}");
        }
    }
}

#[test]
fn wrong_input_is_one_line() {
    let Some((project, classes)) = project("fix-wrong") else {
        return;
    };
    let sources = project.join("src/test/java");
    let (classes, sources) = (path(&classes), path(&sources));
    let filled = project.join("filled");
    fs::create_dir_all(filled.join("a")).expect("a folder");
    let wrong = project.join("wrong.json");
    fs::write(&wrong, "{\"command\":\"run\"}").expect("can be written");
    let other = fresh("fix-wrong-other");
    let missing = other.join("missing");
    let new = project.join("new");
    let new = path(&new);
    for (args, line) in [
        (vec![classes, "--out", new], "error: --sources: name the folders"),
        (
            vec![classes, "--out", new, "--sources", path(&missing)],
            "missing\": No such file",
        ),
        (
            vec![classes, "--out", path(&filled), "--sources", sources],
            "exists and is not an empty folder",
        ),
        (
            vec![
                classes,
                "--out",
                new,
                "--sources",
                sources,
                "--from",
                path(&wrong),
            ],
            "is no document of poldet od or poldet nio",
        ),
        (
            vec![
                classes,
                "--out",
                new,
                "--sources",
                sources,
                "--project",
                path(&other),
            ],
            "does not hold the sources",
        ),
        (
            vec![
                classes,
                "--out",
                new,
                "--sources",
                sources,
                "--encoding",
                "klingon",
            ],
            "\"klingon\" is not an encoding",
        ),
        (
            vec![classes, "--out", new, "--sources", sources, "--csv", "x.csv"],
            "error: --csv: poldet fix does not have it",
        ),
    ] {
        let ended = command("fix", &args);
        assert_eq!(ended.end, End::Exit(3), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(line), "{args:?}: {}", ended.stderr);
        assert_eq!(ended.stderr.trim().lines().count(), 1, "{}", ended.stderr);
        assert!(!project.join("new").exists());
    }
}

#[test]
fn sources_that_do_not_match_are_named() {
    let Some((project, classes)) = project("fix-mismatch") else {
        return;
    };
    let sources = project.join("src/test/java/fix");
    let change = |file: &str, from: &str, to: &str| {
        let file = sources.join(file);
        let text = fs::read_to_string(&file).expect("a source");
        fs::write(&file, text.replacen(from, to, 1)).expect("can be written");
    };
    change(
        "ResetTest.java",
        "    @Test\n",
        "    void more() {}\n\n    @Test\n",
    );
    fs::remove_file(sources.join("BrittleTest.java")).expect("can be removed");
    change("AfterTest.java", "open = 1;", "open = ;");
    change(
        "HelperTest.java",
        "public class",
        "@javax.annotation.processing.Generated(\"x\") public class",
    );
    let tests = ["ResetTest", "BrittleTest", "AfterTest", "HelperTest"].map(|t| format!("fix.{t}"));
    let more: Vec<&str> = tests.iter().flat_map(|t| ["--test", t]).collect();
    let document = fix(&project, &classes, &project.join("out"), &more);
    let why = |name: &str| {
        let tests = document["tests"].as_array().expect("tests");
        let test = tests.iter().find(|t| text(&t["test"]).starts_with(name));
        text(&test.expect("the test")["why_not"]).to_owned()
    };
    let reset = why("fix.ResetTest#");
    assert!(
        reset.contains("does not match the suite") && reset.contains("more()V"),
        "{reset}"
    );
    let brittle = why("fix.BrittleTest#");
    assert!(
        brittle.contains("is not in the folders of --sources"),
        "{brittle}"
    );
    let after = why("fix.AfterTest#");
    assert!(after.contains("does not compile: line"), "{after}");
    let generated = why("fix.HelperTest#");
    assert!(
        generated.ends_with("HelperTest.java, is generated: change what it is generated from"),
        "{generated}"
    );
}
