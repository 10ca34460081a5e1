//! What looking at the shared state costs, and what the sandbox costs, as ratios within one run:
//!
//! - `capture suites`: real suites with and without `--no-capture`;
//! - `capture sandbox`: real suites with and without `--sandbox off`;
//! - `capture big-heap`: tests beside a large structure that they do not touch, and without it;
//! - `capture walk`: walking and hashing a large structure.
//!
//! What is compared takes turns, so that whatever else the machine does touches all of it alike, and medians count.

mod big_heap;
mod suites;
mod walk;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: capture suites [--runs N] [--poldet FILE] [--list FILE] [SUITE...]
       capture sandbox [--runs N] [--poldet FILE] [--list FILE] [SUITE...]
       capture big-heap [--runs N] [--poldet FILE] [--objects N] [--tests N]
       capture walk [--runs N] [--objects N]";

pub struct Options {
    pub runs: usize,
    pub poldet: PathBuf,
    /// The list of suites.
    pub list: PathBuf,
    pub objects: u32,
    pub tests: u32,
    pub names: Vec<String>,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let kind = args.next().unwrap_or_default();
    let done = options(args).and_then(|options| match kind.as_str() {
        "suites" => suites::measure_all(&options, "--no-capture"),
        "sandbox" => suites::measure_all(&options, "--sandbox=off"),
        "big-heap" => big_heap::measure_all(&options),
        "walk" => walk::measure_all(&options),
        _ => Err(USAGE.into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("capture: {why}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Options {
        runs: 3,
        poldet: top.join("target/release/poldet"),
        list: top.join("scripts/parity.ini"),
        objects: 1_000_000,
        tests: 10_000,
        names: Vec::new(),
    };
    fn number<T: std::str::FromStr>(text: Option<String>) -> Result<T, String> {
        text.and_then(|n| n.parse().ok()).ok_or_else(|| USAGE.into())
    }
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => found.runs = number(args.next())?,
            "--objects" => found.objects = number(args.next())?,
            "--tests" => found.tests = number(args.next())?,
            "--poldet" => found.poldet = args.next().ok_or(USAGE)?.into(),
            "--list" => found.list = args.next().ok_or(USAGE)?.into(),
            flag if flag.starts_with('-') => return Err(USAGE.into()),
            name => found.names.push(name.to_owned()),
        }
    }
    if found.runs == 0 {
        return Err(USAGE.into());
    }
    Ok(found)
}

impl Options {
    /// `poldet run`, the same everywhere.
    pub fn run_command(&self) -> Result<Command, String> {
        let Ok(poldet) = self.poldet.canonicalize() else {
            return Err(format!(
                "{} is not there: cargo build --release, or give --poldet FILE",
                self.poldet.display()
            ));
        };
        let mut command = Command::new(poldet);
        command.arg("run").env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        Ok(command)
    }
}

/// The bench's own Java sources.
pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/capture")
}

/// Says how busy the machine is: figures of a busy one are worth less.
pub fn note_load() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().filter(|l| !l.is_empty()).unwrap_or("?");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!("{cores} cores, load {load} at the start.\n");
}
