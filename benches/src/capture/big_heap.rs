//! Small tests beside a structure of a million objects that none of them touches, and the same tests without it.
//!
//! Building the structure and walking it once is not a test's cost, so each suite runs with few and with many tests,
//! and what a test costs is the difference of the two by the difference of their numbers.

use crate::{Options, note_load, programs};
use poldet_benches::measure::{self, Timed, median};
use poldet_testdata::compile::{self, Jdk};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests of one generated class.
const PER_CLASS: u32 = 100;
/// Classes of the short run.
const FEW: u32 = 5;

/// What the tests of a suite do: the name of the classes, the method of `Shared`, and words for the table.
const KINDS: [(&str, &str, &str); 3] = [
    ("Clean", "clean", "clean"),
    ("Write", "write", "writes a little static state"),
    ("Replace", "replace", "replaces an object by an equal one"),
];

pub fn measure_all(options: &Options) -> Result<(), String> {
    let classes = (options.tests.div_ceil(PER_CLASS)).max(FEW + 1);
    let suite = build(classes)?;
    note_load();
    println!(
        "Microseconds of processor time a test, from runs with {} and {} tests, medians of {} runs each.\n",
        FEW * PER_CLASS,
        classes * PER_CLASS,
        options.runs
    );
    let objects = options.objects;
    println!("| a test that | capture | no structure | {objects} objects | ratio | wall ratio |");
    println!("|---|---|---:|---:|---:|---:|");
    for (class, _, words) in KINDS {
        for capture in [false, true] {
            row(options, &suite, (class, words), classes, capture)?;
        }
    }
    Ok(())
}

fn row(
    options: &Options,
    suite: &Path,
    (class, words): (&str, &str),
    classes: u32,
    capture: bool,
) -> Result<(), String> {
    let structures = [0, options.objects];
    let mut runs: [[Vec<Timed>; 2]; 2] = Default::default();
    for _ in 0..options.runs {
        for (objects, runs) in structures.iter().zip(&mut runs) {
            for (count, runs) in [FEW, classes].into_iter().zip(runs) {
                let tests = count * PER_CLASS;
                let mut command = command(options, suite, class, count == FEW, *objects)?;
                if !capture {
                    command.arg("--no-capture");
                }
                runs.push(run(&mut command, tests)?);
            }
        }
    }
    let more = f64::from((classes - FEW) * PER_CLASS);
    let slope = |runs: &[Vec<Timed>; 2], time: fn(&Timed) -> f64| {
        let [few, many] = runs
            .each_ref()
            .map(|r| median(r.iter().map(time).collect()).unwrap_or(f64::NAN));
        (many - few) / more * 1e6
    };
    let [plain, beside] = runs.each_ref().map(|r| slope(r, |t| t.processor));
    let [wall, wall_beside] = runs.each_ref().map(|r| slope(r, |t| t.wall));
    println!(
        "| {words} | {} | {plain:.1} | {beside:.1} | {:.2} | {:.2} |",
        if capture { "on" } else { "off" },
        beside / plain,
        wall_beside / wall
    );
    Ok(())
}

fn command(options: &Options, suite: &Path, class: &str, few: bool, objects: u32) -> Result<Command, String> {
    let mut command = options.run_command()?;
    let classes = if few {
        format!("{class}0???Test")
    } else {
        format!("{class}*Test")
    };
    command.arg(suite).args(["--include", &classes]);
    command.arg(format!("--jvm=-Dobjects={objects}"));
    command.args(["--format", "json"]);
    Ok(command)
}

fn run(command: &mut Command, tests: u32) -> Result<Timed, String> {
    let mut run = measure::timed(command)?;
    let document: serde_json::Value = serde_json::from_slice(&run.stdout)
        .map_err(|e| format!("poldet ended with {:?} and no document: {e}", run.code))?;
    run.stdout = Vec::new();
    let list = document["tests"].as_array().map_or(&[][..], Vec::as_slice);
    let passed = list.iter().filter(|t| t["outcome"] == "passed").count();
    if passed == tests as usize {
        Ok(run)
    } else {
        Err(format!("{passed} of {tests} tests passed"))
    }
}

/// Writes and compiles the suite, unless an earlier run has left it; answers the folder of its classes.
fn build(classes: u32) -> Result<PathBuf, String> {
    let jdk = Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let cache = poldet_testdata::cache_dir();
    let folder = cache.join(format!("capture-sources-{classes}"));
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |name: String, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok::<PathBuf, String>(file)
    };
    let junit = write("junit.jar".into(), poldet_junit_shim::JUNIT_JAR)?;
    let mut sources = vec![programs().join("Shared.java")];
    for (class, method, _) in KINDS {
        for number in 0..classes {
            // The classes of the short run have names of their own.
            let name = format!("{class}{}{number:03}Test", u32::from(number >= FEW));
            let text = test_class(&name, method, number);
            sources.push(write(format!("{name}.java"), text.as_bytes())?);
        }
    }
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let junit = junit.display().to_string();
    compile::sources_into(&jdk, &["-cp", &junit], &sources, &cache, "capture")
}

fn test_class(name: &str, method: &str, number: u32) -> String {
    let mut text = format!("public class {name} {{\n");
    for i in 0..PER_CLASS {
        let n = number * PER_CLASS + i;
        let _ = writeln!(
            text,
            "    @org.junit.Test public void test{i}() {{ Shared.{method}({n}); }}"
        );
    }
    text.push_str("}\n");
    text
}
