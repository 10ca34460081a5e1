//! What the tests of the command line share.

#![allow(dead_code, reason = "each test binary uses some of it")]

use poldet_testdata::need;
use poldet_testdata::suite::result::{self, TestResult};
use poldet_testdata::suite::run::{self, Ended};
use poldet_testdata::suite::{self, Built, build};
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
