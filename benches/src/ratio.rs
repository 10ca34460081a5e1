//! Measures poldet against `java`, as ratios within one run: `ratio [--runs N] [--wall] [--poldet FILE] [FILTER…]`.
//!
//! The engines take turns on each program, so that whatever else the machine does touches all of them alike, and the
//! median of the runs counts. Processor time is compared unless `--wall` is given: it stays true on a busy machine.

use poldet_benches::measure::{self, Sample, geometric_mean, median};
use poldet_testdata::Engine;
use poldet_testdata::compile::{self, Jdk};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: ratio [--runs N] [--wall] [--poldet FILE] [FILTER...]";

struct Options {
    runs: usize,
    wall: bool,
    poldet: PathBuf,
    filters: Vec<String>,
}

fn main() -> ExitCode {
    match options().and_then(|options| measure_all(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("ratio: {why}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let release = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/poldet");
    let mut found = Options {
        runs: 5,
        wall: false,
        poldet: release,
        filters: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => {
                let runs = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                found.runs = runs.ok_or(USAGE)?;
            }
            "--wall" => found.wall = true,
            "--poldet" => found.poldet = args.next().ok_or(USAGE)?.into(),
            flag if flag.starts_with('-') => return Err(USAGE.into()),
            filter => found.filters.push(filter.to_owned()),
        }
    }
    if found.poldet.is_file() {
        Ok(found)
    } else {
        Err(format!(
            "{} is not there: cargo build --release, or give --poldet FILE",
            found.poldet.display()
        ))
    }
}

fn measure_all(options: &Options) -> Result<(), String> {
    let jdk = Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources(&here.join("programs"))?;
    let hello = poldet_testdata::programs_dir().join("lang/Hello.java");
    let all: Vec<&Path> = sources
        .iter()
        .map(PathBuf::as_path)
        .chain([hello.as_path()])
        .collect();
    let classes = compile::sources_into(&jdk, &[], &all, &poldet_testdata::cache_dir(), "benches")?;
    let names = sources
        .iter()
        .filter_map(|s| Some(s.file_stem()?.to_string_lossy().into_owned()));
    let wanted = |name: &String| {
        options.filters.is_empty() || options.filters.iter().any(|f| name.contains(f.as_str()))
    };
    table(options, &jdk, &classes, &names.filter(wanted).collect::<Vec<_>>());
    hello_world(options, &jdk, &classes)
}

fn sources(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "java"));
    files.sort();
    Ok(files)
}

fn java(jdk: &Jdk, options: &[&str]) -> Engine {
    Engine::Java {
        launcher: jdk.java.clone(),
        options: options.iter().map(|&option| option.to_owned()).collect(),
    }
}

/// One row for each program, then the geometric means.
fn table(options: &Options, jdk: &Jdk, classes: &Path, names: &[String]) {
    let engines = [
        Engine::Poldet(options.poldet.clone()),
        java(jdk, &["-Xint"]),
        java(jdk, &[]),
    ];
    let kind = if options.wall { "wall-clock" } else { "processor" };
    println!("Median {kind} seconds of {} runs each.\n", options.runs);
    println!("| program | poldet | java -Xint | java | poldet / -Xint | poldet / java |");
    println!("|---|---:|---:|---:|---:|---:|");
    let (mut to_interpreter, mut to_java) = (Vec::new(), Vec::new());
    for name in names {
        let commands = engines
            .each_ref()
            .map(|engine| engine.command(&[], classes, name));
        let samples = match in_turns(&commands, options.runs) {
            Ok(samples) => samples,
            Err(why) => {
                println!("| {name} | {why} | | | | |");
                continue;
            }
        };
        let [poldet, interpreter, java] = times(&samples, options.wall);
        println!(
            "| {name} | {poldet:.2} | {interpreter:.2} | {java:.2} | {:.2} | {:.2} |",
            poldet / interpreter,
            poldet / java
        );
        to_interpreter.push(poldet / interpreter);
        to_java.push(poldet / java);
    }
    if let (Some(interpreter), Some(java)) = (geometric_mean(&to_interpreter), geometric_mean(&to_java)) {
        println!("| **geometric mean** | | | | **{interpreter:.2}** | **{java:.2}** |");
    }
}

/// Runs each command `runs` times, one after the other in every round; all must print the same.
fn in_turns<const N: usize>(commands: &[Command; N], runs: usize) -> Result<[Vec<Sample>; N], String> {
    let mut samples: [Vec<Sample>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..runs {
        for (command, samples) in commands.iter().zip(&mut samples) {
            samples.push(measure::run(command)?);
        }
    }
    let mut outputs = samples.iter().flatten().map(|sample| &sample.stdout);
    let first = outputs.next();
    if outputs.all(|output| Some(output) == first) {
        Ok(samples)
    } else {
        Err("outputs differ".into())
    }
}

fn times<const N: usize>(samples: &[Vec<Sample>; N], wall: bool) -> [f64; N] {
    samples.each_ref().map(|samples| {
        let seconds = samples.iter().map(|s| {
            if wall {
                s.wall
            } else {
                s.processor.unwrap_or(s.wall)
            }
        });
        median(seconds.map(|t| t.as_secs_f64()).collect()).unwrap_or(f64::NAN)
    })
}

/// What starting and ending costs: time and memory of a program that prints one line.
fn hello_world(options: &Options, jdk: &Jdk, classes: &Path) -> Result<(), String> {
    let engines = [
        ("poldet", Engine::Poldet(options.poldet.clone())),
        ("java -Xint -Xshare:off", java(jdk, &["-Xint", "-Xshare:off"])),
        ("java", java(jdk, &[])),
    ];
    let commands = engines
        .each_ref()
        .map(|(_, engine)| engine.command(&[], classes, "Hello"));
    let samples = in_turns(&commands, options.runs)?;
    println!("\n| Hello World | wall ms | processor ms | peak MB |");
    println!("|---|---:|---:|---:|");
    for ((name, _), samples) in engines.iter().zip(&samples) {
        let wall = median(samples.iter().map(|s| s.wall.as_secs_f64() * 1e3).collect());
        let processor = median(
            samples
                .iter()
                .filter_map(|s| Some(s.processor?.as_secs_f64() * 1e3))
                .collect(),
        );
        let peak = median(
            samples
                .iter()
                .filter_map(|s| Some(s.peak_kb? as f64 / 1024.0))
                .collect(),
        );
        println!(
            "| {name} | {} | {} | {} |",
            shown(wall),
            shown(processor),
            shown(peak)
        );
    }
    Ok(())
}

fn shown(value: Option<f64>) -> String {
    value.map_or("?".into(), |v| format!("{v:.0}"))
}
