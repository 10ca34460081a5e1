//! What the tests of the command line share.

#![allow(dead_code, reason = "each test binary uses some of it")]

use poldet_testdata::compile::Jdk;
use poldet_testdata::need;
use poldet_testdata::suite::result::{self, TestResult};
use poldet_testdata::suite::run::{self, Ended};
use poldet_testdata::suite::{self, Built, build, fetch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("run-cli")
}

/// A folder of this test's own, empty.
pub fn fresh(name: &str) -> PathBuf {
    let folder = cache().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

pub fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_poldet")
}

/// `poldet run` with arguments.
pub fn poldet(args: &[&str]) -> Ended {
    command("run", args)
}

/// A command of poldet's with arguments, in an empty folder.
pub fn command(name: &str, args: &[&str]) -> Ended {
    let mut command = Command::new(binary());
    command.arg(name).args(args);
    run::in_scratch(command, &cache(), "cli").expect("poldet can be run")
}

pub fn path(file: &Path) -> &str {
    file.to_str().expect("a path in UTF-8")
}

pub fn results(ended: &Ended) -> Vec<TestResult> {
    result::from_json(&ended.stdout).unwrap_or_else(|why| panic!("{why}\n{}\n{}", ended.stdout, ended.stderr))
}

pub fn built(name: &str) -> Option<Built> {
    let jdk = need::javac()?;
    let suite = suite::read(&suite::suites_dir().join(name)).expect("the suite can be read");
    Some(build::suite(&jdk, &suite, &cache()).expect("the suite compiles"))
}

pub fn outcomes(results: &[TestResult]) -> Vec<String> {
    results
        .iter()
        .map(|r| format!("{} {}", r.id(), r.outcome))
        .collect()
}

/// Jupiter with its engine and all they need, on Maven Central.
pub const JUPITER: [&str; 8] = [
    "org.junit.jupiter:junit-jupiter-api:5.10.2",
    "org.junit.jupiter:junit-jupiter-params:5.10.2",
    "org.junit.jupiter:junit-jupiter-engine:5.10.2",
    "org.junit.platform:junit-platform-commons:1.10.2",
    "org.junit.platform:junit-platform-engine:1.10.2",
    "org.junit.platform:junit-platform-launcher:1.10.2",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
];

/// Jars of Maven Central, for tests that may fetch.
pub fn jars(jdk: &Jdk, coordinates: &[&str]) -> Vec<PathBuf> {
    let coordinates: Vec<String> = coordinates.iter().map(|c| (*c).to_owned()).collect();
    fetch::jars(jdk, &coordinates).expect("the jars can be fetched")
}

/// Files of a folder and those below it, in order.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Copies a folder and what is below it.
pub fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("inside"));
        fs::create_dir_all(target.parent().expect("a parent")).expect("a folder can be made");
        fs::copy(&file, &target).expect("a file can be copied");
    }
}

/// Compiles the Java sources of a folder.
pub fn compile(jdk: &Jdk, sources: &Path, class_path: &str, into: &Path) {
    let java = |file: &PathBuf| file.extension().is_some_and(|e| e == "java");
    let done = Command::new(&jdk.javac)
        .args(["-nowarn", "-Xlint:-options", "-g", "-encoding", "UTF-8", "-cp"])
        .args([class_path, "-d", path(into)])
        .args(files(sources).iter().filter(|f| java(f)))
        .status();
    assert!(
        done.expect("javac runs").success(),
        "{} compiles",
        sources.display()
    );
}
