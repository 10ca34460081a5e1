//! Generates Java programs and compares poldet with HotSpot on them:
//! `generate [--seed N] [--methods N] [--per-program N] [--poldet FILE] [--print]`.

use poldet_testdata::compile::Jdk;
use poldet_testdata::generate::{judge::Judge, program};
use poldet_testdata::pool;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: generate [--seed N] [--methods N] [--per-program N] [--poldet FILE] [--print]";

struct Options {
    /// The first program's seed; those of the others follow.
    seed: u64,
    methods: usize,
    per_program: usize,
    poldet: PathBuf,
    /// Print the first program, run nothing.
    print: bool,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut found = Options {
        seed: 1,
        methods: 2000,
        per_program: 400,
        poldet: Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/poldet"),
        print: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse::<u64>().ok()).ok_or(USAGE);
        match arg.as_str() {
            "--seed" => found.seed = number()?,
            "--methods" => found.methods = number()? as usize,
            "--per-program" => found.per_program = (number()? as usize).max(1),
            "--poldet" => found.poldet = args.next().ok_or(USAGE)?.into(),
            "--print" => found.print = true,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(found)
}

/// Are there no differences?
fn run(options: &Options) -> Result<bool, String> {
    if options.print {
        print!("{}", program(options.seed, options.per_program).source);
        return Ok(true);
    }
    let judge = Judge {
        jdk: Jdk::find().ok_or("no javac found; set JAVA_HOME to a JDK 17")?,
        poldet: options
            .poldet
            .canonicalize()
            .map_err(|e| format!("'{}': {e}; cargo build --release", options.poldet.display()))?,
        folder: poldet_testdata::cache_dir().join("generated"),
    };
    let programs = options.methods.div_ceil(options.per_program) as u64;
    let seeds: Vec<u64> = (options.seed..options.seed + programs).collect();
    let verdicts = pool::in_parallel(&seeds, 2, |&seed| {
        let verdict = judge.judge(seed, options.per_program);
        match &verdict {
            Ok(v) => v.differences.iter().for_each(|d| println!("{d}")),
            Err(why) => println!("error: seed {seed}: {why}"),
        }
        verdict
    });
    let (mut bodies, mut wrong, mut failed) = (0, 0, 0);
    for verdict in verdicts {
        match verdict {
            Ok(v) => {
                bodies += v.bodies;
                wrong += v.differences.len();
            }
            Err(_) => failed += 1,
        }
    }
    println!(
        "{programs} programs, {bodies} method bodies, 3 modes: {wrong} differences, {failed} programs did not run"
    );
    Ok(wrong == 0 && failed == 0)
}
