//! `poldet inject`: the labels of every deletion are those that `java` shows in every order.

mod common;

use common::{command, fresh, path};
use poldet::source::compiler::{Compiler, Unit};
use poldet_testdata::engine::End;
use poldet_testdata::{compile, need};
use poldet_vm::jdk::Jdk;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn junit() -> PathBuf {
    root().join("junit-shim/jars/junit.jar")
}

/// A project with a copy of the fixtures' sources, and their classes; none where there is no compiler.
fn project(name: &str) -> Option<(PathBuf, PathBuf)> {
    let jdk = need::javac()?;
    let folder = fresh(name);
    let sources = folder.join("src/test/java/inject");
    fs::create_dir_all(&sources).expect("a folder can be made");
    fs::write(folder.join("pom.xml"), "<project/>").expect("a file can be written");
    let mut files = Vec::new();
    for file in fs::read_dir(root().join("testdata/inject")).expect("the fixtures") {
        let file = file.expect("a file").path();
        let copy = sources.join(file.file_name().expect("a name"));
        fs::copy(&file, &copy).expect("a file can be copied");
        files.push(copy);
    }
    files.sort();
    let classes = folder.join("classes");
    let done = Command::new(&jdk.javac)
        .args(["-nowarn", "-g", "-encoding", "UTF-8", "-cp"])
        .arg(junit())
        .arg("-d")
        .arg(&classes)
        .args(&files)
        .status();
    assert!(done.expect("javac runs").success(), "the fixtures compile");
    Some((folder, classes))
}

fn inject(project: &Path, classes: &Path, out: &Path, more: &[&str]) -> Value {
    let sources = project.join("src/test/java");
    let with = ["--sources", path(&sources), "--project", path(project)];
    inject_classes(classes, out, &[&with, more].concat())
}

/// Without sources, unless they are among the options.
fn inject_classes(classes: &Path, out: &Path, more: &[&str]) -> Value {
    let mut args = vec![path(classes), "--out", path(out), "--reruns", "5"];
    args.extend(more);
    let ended = command("inject", &args);
    assert_eq!(ended.end, End::Exit(0), "{}\n{}", ended.stdout, ended.stderr);
    let text = fs::read_to_string(out.join("dataset.json")).expect("a data set");
    serde_json::from_str(&text).expect("a document")
}

/// Of a mutant: by order-dependent test, its type and the single tests that make it fail or pass.
type Labels = BTreeMap<String, (String, BTreeSet<String>)>;

fn labels(mutant: &Value) -> Labels {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let tests = mutant["od_tests"].as_array().expect("a list");
    let of = |test: &Value| {
        let key = if test["type"] == "victim" {
            "polluters"
        } else {
            "state_setters"
        };
        let lists = test[key].as_array().expect("a list").iter();
        let single = lists.filter(|l| l.as_array().is_some_and(|l| l.len() == 1));
        let names: BTreeSet<String> = single.map(|l| text(&l[0])).collect();
        (text(&test["test"]), (text(&test["type"]), names))
    };
    tests.iter().map(of).collect()
}

fn find<'a>(document: &'a Value, test: &str, statement: &str) -> &'a Value {
    let mutants = document["mutants"].as_array().expect("mutants");
    mutants
        .iter()
        .find(|m| m["test"] == test && m["statement"] == statement)
        .unwrap_or_else(|| panic!("no mutant of {test} without {statement}"))
}

#[test]
fn the_examples_of_the_paper() {
    let Some((project, classes)) = project("mutation-paper") else {
        return;
    };
    let out = project.join("out");
    let document = inject(&project, &classes, &out, &[]);
    // Listing 2: without the helper the test is brittle, and the other test sets its state.
    let brittle = find(
        &document,
        "inject.EndpointTest#testCloseReason",
        "Endpoint.reset();",
    );
    let expected = (
        "brittle".to_owned(),
        BTreeSet::from(["inject.EndpointTest#testIdleTimeout".to_owned()]),
    );
    assert_eq!(labels(brittle)["inject.EndpointTest#testCloseReason"], expected);
    assert_eq!(brittle["role"], "state-setter");
    let state = &brittle["od_tests"][0]["state"][0];
    assert_eq!(state["root"], "inject.Endpoint.ready", "{state}");
    assert_eq!(brittle["od_tests"][0]["failure"], "exception");
    // Listing 3: without the helper the test is a victim of the other.
    let victim = find(
        &document,
        "inject.PathTest#testAbsoluteGlob",
        "testDir = \"/data\";",
    );
    let polluter = "inject.PathTest#testWithStringAndConfForBuggyPath".to_owned();
    let expected = ("victim".to_owned(), BTreeSet::from([polluter]));
    assert_eq!(labels(victim)["inject.PathTest#testAbsoluteGlob"], expected);
    assert_eq!(victim["role"], "cleaner");
    assert_eq!(
        victim["od_tests"][0]["state"][0]["root"],
        "inject.PathTest.testDir"
    );
    assert_eq!(victim["od_tests"][0]["failure"], "assertion");
    // A reversed fix: victim, polluter and cleaner are there again.
    let reversed = find(
        &document,
        "inject.HttpRequestTest#postWithNumericQueryParams",
        "HttpRequest.setConnectionFactory(null);",
    );
    let test = &reversed["od_tests"][0];
    assert_eq!(test["type"], "victim");
    assert_eq!(
        test["polluters"][0][0],
        "inject.HttpRequestTest#customConnectionFactory"
    );
    assert_eq!(
        test["cleaners"][0][0],
        "inject.HttpRequestTest#nullConnectionFactory"
    );
    // The patch of each order-dependent mutant applies.
    let mutants = document["mutants"].as_array().expect("mutants");
    let patches: Vec<&str> = mutants.iter().filter_map(|m| m["patch"].as_str()).collect();
    assert_eq!(
        patches.len() as u64,
        document["metrics"]["od_mutants"].as_u64().expect("a count")
    );
    if Command::new("git").arg("--version").output().is_ok() {
        for patch in patches {
            let applied = Command::new("git")
                .args(["apply", "--check"])
                .arg(out.join(patch))
                .current_dir(&project)
                .env("GIT_CEILING_DIRECTORIES", project.parent().expect("a parent"))
                .output()
                .expect("git runs");
            assert!(
                applied.status.success(),
                "{}",
                String::from_utf8_lossy(&applied.stderr)
            );
        }
    }
}

#[test]
fn the_same_bytes_again_and_after_an_interruption() {
    let Some((project, classes)) = project("mutation-again") else {
        return;
    };
    let first = project.join("first");
    inject(&project, &classes, &first, &["--jobs", "1"]);
    let second = project.join("second");
    inject(&project, &classes, &second, &["--jobs", "3"]);
    let read = |dir: &Path, name: &str| fs::read(dir.join(name)).expect("a file");
    for name in ["dataset.json", "mutants.csv", "idoft.csv", "index.html"] {
        assert!(read(&first, name) == read(&second, name), "{name} differs");
    }
    // As if the run had been interrupted in the middle of a line.
    let journal = second.join("progress.jsonl");
    let text = fs::read(&journal).expect("a journal");
    fs::write(&journal, &text[..text.len() / 2]).expect("can be written");
    inject(&project, &classes, &second, &[]);
    assert!(
        read(&first, "dataset.json") == read(&second, "dataset.json"),
        "resumed"
    );
    // Other options are another data set.
    let sources = project.join("src/test/java");
    let args = [
        path(&classes),
        "--sources",
        path(&sources),
        "--out",
        path(&second),
        "--orders",
        "7",
    ];
    let refused = command("inject", &args);
    assert_eq!(refused.end, End::Exit(3), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("other inputs or options"),
        "{}",
        refused.stderr
    );
}

#[test]
fn every_deletion_in_every_order_as_on_hotspot() {
    let Some((project, classes)) = project("mutation-brute") else {
        return;
    };
    let document = inject(
        &project,
        &classes,
        &project.join("out"),
        &["--nested", "--fixtures"],
    );
    let jdk = Jdk::find(None).expect("the JDK that has the compiler");
    let class_path = [classes.display().to_string(), junit().display().to_string()];
    let mut compiler = Compiler::start(&jdk, &class_path, &[]).expect("a compiler");
    let tests = tests_by_class(&document);
    let mut lines = Vec::new();
    let mutants = document["mutants"].as_array().expect("mutants");
    assert!(mutants.len() > 30, "{}", mutants.len());
    for mutant in mutants {
        let text = |key: &str| mutant[key].as_str().unwrap_or_default().to_owned();
        let folder = project.join("variants").join(text("id"));
        let compiled = delete(&mut compiler, &project, mutant, &folder, &classes);
        assert_eq!(compiled, mutant["valid"].as_bool().expect("a flag"), "{mutant}");
        assert!(mutant["why_not"].is_null(), "{mutant}");
        for sequence in sequences(&tests[&text("class")]) {
            if compiled {
                lines.push(format!(
                    "{} {} {}",
                    folder.display(),
                    text("class"),
                    sequence.join(",")
                ));
            }
        }
    }
    let outcomes = on_hotspot(&project, &lines);
    let mut shown = 0;
    for mutant in mutants.iter().filter(|m| m["valid"] == true) {
        let id = mutant["id"].as_str().expect("an id");
        let class = mutant["class"].as_str().expect("a class");
        let folder = project.join("variants").join(id).display().to_string();
        let expected = expected(&outcomes, &folder, class, &tests[class]);
        shown += usize::from(!expected.is_empty());
        assert_eq!(labels(mutant), expected, "{mutant:#}");
    }
    assert!(shown >= 5, "{shown} mutants are order-dependent");
}

fn tests_by_class(document: &Value) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in document["stable_tests"].as_array().expect("a list") {
        let (class, method) = name.as_str().and_then(|n| n.split_once('#')).expect("a name");
        found.entry(class.to_owned()).or_default().push(method.to_owned());
    }
    found
}

/// Compiles a file without the statement of a mutant, next to a copy of all other classes.
fn delete(compiler: &mut Compiler, project: &Path, mutant: &Value, folder: &Path, classes: &Path) -> bool {
    let file = project.join(mutant["file"].as_str().expect("a file"));
    let text = fs::read_to_string(&file).expect("a source");
    let statement = mutant["statement"].as_str().expect("a statement");
    let line = mutant["line"].as_u64().expect("a line") as usize;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let at = start + text[start..].find(statement).expect("the statement is there");
    let without = [&text[..at], ";", &text[at + statement.len()..]].concat();
    let unit = Unit {
        path: path(&file),
        text: &without,
    };
    let compiled = compiler.compile(&[unit]).expect("the compiler answers");
    if !compiled.problems.is_empty() {
        return false;
    }
    let package = folder.join("inject");
    fs::create_dir_all(&package).expect("a folder can be made");
    for class in fs::read_dir(classes.join("inject")).expect("classes") {
        let class = class.expect("a file").path();
        fs::copy(&class, package.join(class.file_name().expect("a name"))).expect("can be copied");
    }
    for (name, bytes) in compiled.classes {
        fs::write(folder.join(format!("{name}.class")), bytes).expect("can be written");
    }
    true
}

/// Each test alone, all pairs, and all permutations.
fn sequences(tests: &[String]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut found: Vec<Vec<String>> = Vec::new();
    for _ in 0..tests.len() {
        let mut next = Vec::new();
        for order in &all {
            for test in tests.iter().filter(|t| !order.contains(t)) {
                next.push(order.iter().cloned().chain([test.clone()]).collect());
            }
        }
        all = next;
        if all[0].len() <= 2 || all[0].len() == tests.len() {
            found.extend(all.clone());
        }
    }
    found
}

fn on_hotspot(project: &Path, lines: &[String]) -> BTreeMap<String, String> {
    let jdk = compile::Jdk::find().expect("a JDK");
    let brute = project.join("brute");
    let done = Command::new(&jdk.javac)
        .args(["-encoding", "UTF-8", "-cp"])
        .arg(junit())
        .arg("-d")
        .arg(&brute)
        .arg(root().join("testdata/switches/Brute.java"))
        .status();
    assert!(done.expect("javac runs").success(), "Brute.java compiles");
    let list = project.join("sequences.txt");
    fs::write(&list, lines.join("\n")).expect("can be written");
    let class_path = format!("{}:{}", brute.display(), junit().display());
    let output = Command::new(&jdk.java)
        .args(["-cp", &class_path, "Brute"])
        .arg(&list)
        .output()
        .expect("java runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = printed.lines().filter_map(|l| l.rsplit_once(' '));
    rows.map(|(line, outcomes)| (line.to_owned(), outcomes.to_owned()))
        .collect()
}

/// What the outcomes of all sequences say of a mutant.
fn expected(outcomes: &BTreeMap<String, String>, folder: &str, class: &str, tests: &[String]) -> Labels {
    let of = |sequence: &[String]| -> &str { &outcomes[&format!("{folder} {class} {}", sequence.join(","))] };
    let mut labels = Labels::new();
    for test in tests {
        let (mut passes, mut fails) = (false, false);
        for sequence in sequences(tests).iter().filter(|s| s.len() == tests.len()) {
            let at = sequence.iter().position(|t| t == test).expect("every test");
            match &of(sequence)[at..=at] {
                "P" => passes = true,
                _ => fails = true,
            }
        }
        if !(passes && fails) {
            continue;
        }
        let alone = of(std::slice::from_ref(test)) == "P";
        let mut others = BTreeSet::new();
        for other in tests.iter().filter(|o| *o != test) {
            let pair = of(&[other.clone(), test.clone()]);
            if pair.ends_with('P') != alone {
                others.insert(format!("{class}#{other}"));
            }
        }
        let kind = if alone { "victim" } else { "brittle" };
        labels.insert(format!("{class}#{test}"), (kind.to_owned(), others));
    }
    labels
}

#[test]
fn without_sources_the_labels_are_the_same() {
    let Some((project, classes)) = project("mutation-bytecode") else {
        return;
    };
    let source = inject(&project, &classes, &project.join("source"), &[]);
    let code = inject_classes(&classes, &project.join("code"), &[]);
    assert_eq!(code["statements_from"], "bytecode");
    assert_eq!(code["stable_tests"], source["stable_tests"]);
    let mutants = |document: &Value| document["mutants"].as_array().expect("mutants").clone();
    let place = |m: &Value| (m["test"].to_string(), m["line"].as_u64());
    let (source, code) = (mutants(&source), mutants(&code));
    let (mut compared, mut only_in_source) = (0, Vec::new());
    for mutant in &code {
        let on_line: Vec<&Value> = source.iter().filter(|m| place(m) == place(mutant)).collect();
        let alone = code.iter().filter(|m| place(m) == place(mutant)).count() == 1;
        if let ([other], true) = (on_line.as_slice(), alone) {
            if other["valid"] == true && mutant["valid"] == false {
                only_in_source.push(other["statement"].as_str().unwrap_or_default());
                continue;
            }
            assert_eq!(mutant["valid"], other["valid"], "{mutant}\n{other}");
            assert_eq!(labels(mutant), labels(other), "{mutant}\n{other}");
            assert_eq!(mutant["role"], other["role"]);
            compared += 1;
        }
    }
    // Without the declaration, the name means a field: only a compiler knows.
    assert_eq!(only_in_source, ["int limit = 9;"]);
    // In bytecode the beginning of a `for` is a statement of its own, and a `try` begins with its first line.
    assert!(
        compared * 10 >= source.len() * 8,
        "{compared} of {} compared",
        source.len()
    );
}

#[test]
fn whole_orders_assume_nothing() {
    let Some((project, classes)) = project("mutation-whole") else {
        return;
    };
    let usual = inject(&project, &classes, &project.join("usual"), &[]);
    let whole = inject(&project, &classes, &project.join("whole"), &["--whole-orders"]);
    assert_eq!(
        (&usual["whole_orders"], &whole["whole_orders"]),
        (&false.into(), &true.into())
    );
    let mutants = |document: &Value| document["mutants"].as_array().expect("mutants").clone();
    assert_eq!(mutants(&usual).len(), mutants(&whole).len());
    for (one, other) in mutants(&usual).iter().zip(&mutants(&whole)) {
        assert_eq!(one["id"], other["id"]);
        assert_eq!(one["orders"], other["orders"], "{one}\n{other}");
        assert_eq!(labels(one), labels(other), "{one}\n{other}");
        assert_eq!(one["role"], other["role"]);
        assert_eq!(other["assumes"], Value::Array(Vec::new()), "{other}");
    }
    assert_eq!(whole["assumptions"], Value::Array(Vec::new()));
    // What a rule hides is taken for no change, and that is said; whole orders show what comes of it.
    let victim = ["inject.PathTest#testAbsoluteGlob", "testDir = \"/data\";"];
    let ignore = ["--ignore", "root: inject.PathTest.testDir"];
    let hidden = inject(&project, &classes, &project.join("hidden"), &ignore);
    let mutant = find(&hidden, victim[0], victim[1]);
    assert_eq!(labels(mutant), Labels::new());
    let rule = &mutant["assumes"][0];
    let assumptions = hidden["assumptions"].as_array().expect("assumptions");
    let named = assumptions.iter().find(|a| a["uncounted"] == *rule);
    let polluter = "inject.PathTest#testWithStringAndConfForBuggyPath";
    let tests = named
        .and_then(|a| a["tests"].as_array())
        .expect("the rule has tests");
    assert!(tests.iter().any(|t| t == polluter), "{assumptions:?}");
    let shown = inject(
        &project,
        &classes,
        &project.join("shown"),
        &[&ignore[..], &["--whole-orders"]].concat(),
    );
    let expected = ("victim".to_owned(), BTreeSet::from([polluter.to_owned()]));
    let mutant = find(&shown, victim[0], victim[1]);
    assert_eq!(labels(mutant)[victim[0]], expected);
    assert_eq!(mutant["assumes"], Value::Array(Vec::new()));
}
