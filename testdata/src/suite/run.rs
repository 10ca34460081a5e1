//! Runs a suite on poldet or on HotSpot and collects what was reported.

use super::build::{self, Built};
use super::result::{self, TestResult};
use super::{Run, Suite, pollution};
use crate::compile::Jdk;
use crate::engine::{self, End};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long one run of a suite may take in all.
pub const TIME_LIMIT: Duration = Duration::from_secs(120);

/// What a run left behind.
#[derive(Debug)]
pub struct Ended {
    pub stdout: String,
    pub stderr: String,
    pub end: End,
    /// The folder it ran in, which is gone by now.
    pub folder: String,
    /// What the run left in its working folder, which was empty.
    pub left: Vec<String>,
}

/// Runs `command` in an empty folder of its own.
pub fn in_scratch(command: Command, cache: &Path, name: &str) -> Result<Ended, String> {
    in_scratch_for(command, cache, name, TIME_LIMIT)
}

/// The same with a time limit of its own.
pub fn in_scratch_for(
    mut command: Command,
    cache: &Path,
    name: &str,
    limit: Duration,
) -> Result<Ended, String> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let number = RUNS.fetch_add(1, Ordering::Relaxed);
    // Names of one length: longer ones would make longer strings in the VM and so other identity hashes.
    let scratch = cache.join(format!("suite-{name}-{:08}-{number:04}", std::process::id()));
    let folder = scratch.join("work");
    let mut run = || -> std::io::Result<Ended> {
        fs::create_dir_all(&folder)?;
        let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
        engine::same_everywhere(&mut command);
        command
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        let mut child = command.spawn()?;
        let end = engine::wait(&mut child, Instant::now(), limit, &[&out, &err])?;
        let left = fs::read_dir(&folder)?
            .map(|e| e.map(|e| e.file_name().to_string_lossy().into_owned()))
            .collect::<std::io::Result<Vec<_>>>()?;
        let text = |file: &Path| fs::read(file).map(|b| String::from_utf8_lossy(&b).into_owned());
        Ok(Ended {
            stdout: text(&out)?,
            stderr: text(&err)?,
            end,
            folder: folder.to_string_lossy().into_owned(),
            left,
        })
    };
    let ended = run().map_err(|e| format!("cannot be run: {e}"));
    let _ = fs::remove_dir_all(&scratch);
    ended
}

/// The command of one run of poldet, without a format.
pub fn poldet(binary: &Path, suite: &Path, jars: &[PathBuf], jvm: &[String], args: &[String]) -> Command {
    let mut command = Command::new(binary);
    command.arg("run").arg(suite);
    if !jars.is_empty() {
        command.arg("-cp").arg(build::class_path(jars));
    }
    command
        .args(jvm.iter().map(|option| format!("--jvm={option}")))
        .args(args);
    command
}

/// Puts the suite to one of its runs on poldet: all that is wrong, one line each.
pub fn check(binary: &Path, suite: &Suite, built: &Built, run: &Run, cache: &Path) -> Vec<String> {
    let place = match built.classes.canonicalize() {
        Ok(place) => place,
        Err(e) => return vec![format!("{}: {e}", built.classes.display())],
    };
    let folder = suite.folder.to_string_lossy();
    let args: Vec<String> = run.args.iter().map(|a| a.replace("{suite}", &folder)).collect();
    let mut command = poldet(binary, &place, &built.needs(), &suite.spec.jvm, &args);
    command.args(["--format", "json"]);
    if !suite.marks.is_empty() {
        // What the write log says is held against walks of the whole state.
        command.arg("--verify-capture");
    }
    let ended = match in_scratch(command, cache, &suite.name) {
        Ok(ended) => ended,
        Err(why) => return vec![why],
    };
    let mut wrong = Vec::new();
    if ended.end != End::Exit(run.exit) {
        wrong.push(format!(
            "ended with {:?}, expected exit code {}; {}",
            ended.end,
            run.exit,
            tail(&ended.stderr)
        ));
    }
    if !ended.left.is_empty() {
        wrong.push(format!("left files behind: {:?}", ended.left));
    }
    // A run that finds no tests, or not the class asked for, may say so without a document.
    if ended.stdout.trim().is_empty() && matches!(run.exit, 2 | 3) {
        return wrong;
    }
    match result::from_json(&ended.stdout) {
        Ok(results) => {
            wrong.extend(result::differences(&expected(suite, run), &results));
            wrong.extend(pollution::differences(suite, run, &ended.stdout));
        }
        Err(why) => wrong.push(format!("the document: {why}; {}", tail(&ended.stderr))),
    }
    wrong
}

/// Shows the suite's expectations on HotSpot: all that is wrong, one line each.
pub fn check_on_hotspot(
    jdk: &Jdk,
    suite: &Suite,
    built: &Built,
    cache: &Path,
) -> Result<Vec<String>, String> {
    let jars = if built.jars.is_empty() {
        let junit = ["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"].map(str::to_owned);
        super::fetch::jars(jdk, &junit)?
    } else {
        built.jars.clone()
    };
    let (main_classes, main) = build::hotspot_main(jdk, &jars, cache)?;
    let mut path = vec![built.classes.clone(), main_classes];
    path.extend(built.library.clone());
    path.extend(jars);
    let path: Vec<PathBuf> = path
        .iter()
        .map(|p| p.canonicalize().unwrap_or(p.clone()))
        .collect();
    let whole = Run::default();
    let run = suite
        .spec
        .runs
        .iter()
        .find(|r| r.args.is_empty())
        .unwrap_or(&whole);
    let mut command = Command::new(&jdk.java);
    command.arg("-ea").args(&suite.spec.jvm);
    command.arg("-cp").arg(build::class_path(&path)).arg(main);
    command.args(test_classes(&built.classes)?);
    let ended = in_scratch(command, cache, &suite.name)?;
    let mut wrong = Vec::new();
    if ended.end != End::Exit(0) {
        wrong.push(format!(
            "HotSpot ended with {:?}; {}",
            ended.end,
            tail(&ended.stderr)
        ));
    }
    let results: Vec<TestResult> = result::from_lines(&ended.stdout)?;
    wrong.extend(result::differences(&expected(suite, run), &results));
    Ok(wrong)
}

fn expected<'a>(suite: &'a Suite, run: &Run) -> Vec<&'a super::Expectation> {
    suite
        .expectations
        .iter()
        .filter(|e| run.only.as_ref().is_none_or(|only| only.contains(&e.id())))
        .collect()
}

/// The top-level classes that bear one of Surefire's default names; which of them hold tests is for reflection to say.
fn test_classes(classes: &Path) -> Result<Vec<String>, String> {
    let files = super::jar::files(classes).map_err(|e| format!("{}: {e}", classes.display()))?;
    let mut names = Vec::new();
    for (file, _) in files {
        let Some(name) = file.strip_suffix(".class") else {
            continue;
        };
        let simple = name.rsplit('/').next().unwrap_or(name);
        let named = simple.starts_with("Test")
            || simple.ends_with("Test")
            || simple.ends_with("Tests")
            || simple.ends_with("TestCase");
        if named && !simple.contains('$') {
            names.push(name.replace('/', "."));
        }
    }
    Ok(names)
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(6);
    lines[from..].join(" | ").chars().take(800).collect()
}
