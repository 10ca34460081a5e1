//! `jvm-diff [--bless] [--known] [--java-only] [--poldet FILE] [FILTER…]`: runs the programs on HotSpot and on poldet
//! and tells where either differs from what is expected.

use poldet_testdata::compare::{self, without_library_lines};
use poldet_testdata::compile::{Jdk, Version};
use poldet_testdata::engine::End;
use poldet_testdata::{Difference, Engine, Expected, Known, Outcome, Program, pool, program};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: jvm-diff [--bless] [--known] [--java-only] [--poldet FILE] [FILTER...]
  --bless        write the expected output from HotSpot, into the files that hold for its version
  --known        rewrite known-failing.txt from poldet's results
  --java-only    do not run poldet
  --poldet FILE  the binary to run; otherwise the newest of this build folder's
  FILTER         run the programs whose area/Name contains it";

#[derive(Default)]
struct Options {
    bless: bool,
    known: bool,
    java_only: bool,
    poldet: Option<PathBuf>,
    filters: Vec<String>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("jvm-diff: {why}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut found = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bless" => found.bless = true,
            "--known" => found.known = true,
            "--java-only" => found.java_only = true,
            "--poldet" => {
                // Programs run in folders of their own, where a relative path would lead nowhere.
                let file = args.next().ok_or("--poldet needs a file")?;
                found.poldet = Some(fs::canonicalize(&file).map_err(|e| format!("{file}: {e}"))?);
            }
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}\n{USAGE}")),
            filter => found.filters.push(filter.to_owned()),
        }
    }
    Ok(found)
}

fn run(options: &Options) -> Result<bool, String> {
    let jdk = Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let cache = poldet_testdata::cache_dir();
    let all = program::find(&poldet_testdata::programs_dir()).map_err(|e| e.to_string())?;
    let selected = pool::select(all.clone(), &options.filters);
    let classes = pool::compile_areas(&jdk, &all, &selected, &cache)?;
    let work = Work {
        programs: &selected,
        classes: &classes,
        cache: &cache,
        version: jdk.version()?,
    };
    let java = work.run_on(&Engine::java(&jdk.java))?;
    let mut fine = true;
    if options.bless {
        for (program, outcome) in selected.iter().zip(&java) {
            fine &= bless(program, outcome, work.version).map_err(|e| e.to_string())?;
        }
    }
    fine &= report("java", &work.differences(&java)?, &Known::default());
    if options.java_only {
        return Ok(fine);
    }
    let Some(binary) = options.poldet.clone().or_else(newest_poldet) else {
        println!("poldet: no binary found; build it or give --poldet FILE");
        return Ok(fine);
    };
    let outcomes = work.run_on(&Engine::Poldet(binary))?;
    let differences = work.differences(&outcomes)?;
    let list = poldet_testdata::known_failing_file();
    let mut known = Known::read(&list).map_err(|e| e.to_string())?;
    if options.known {
        update(&mut known, &differences, &all);
        known.write(&list).map_err(|e| e.to_string())?;
    }
    times(&selected, &java, &outcomes);
    Ok(report("poldet", &differences, &known) && fine)
}

/// The programs of one call and where their classes are.
struct Work<'a> {
    programs: &'a [Program],
    classes: &'a BTreeMap<String, PathBuf>,
    cache: &'a Path,
    version: Version,
}

impl Work<'_> {
    fn run_on(&self, engine: &Engine) -> Result<Vec<Outcome>, String> {
        let run = |p: &Program| engine.run(p, &self.classes[&p.area], self.cache, pool::TIME_LIMIT);
        let outcomes = pool::in_parallel(self.programs, 2, run);
        outcomes
            .into_iter()
            .collect::<Result<_, _>>()
            .map_err(|e| format!("cannot run {engine:?}: {e}"))
    }

    fn differences(&self, outcomes: &[Outcome]) -> Result<Vec<(String, Option<Difference>)>, String> {
        let judge = |(p, outcome): (&Program, &Outcome)| {
            let expected =
                Expected::read(p, self.version).map_err(|e| format!("{}: {e} (--bless it)", p.id()))?;
            Ok((p.id(), expected.difference(outcome)))
        };
        self.programs.iter().zip(outcomes).map(judge).collect()
    }
}

/// Writes what HotSpot printed beside the program; a wrong exit code is the program's fault and is not blessed.
fn bless(program: &Program, outcome: &Outcome, jdk: Version) -> std::io::Result<bool> {
    let (out, err) = (
        compare::blessed(program, "out", jdk)?,
        compare::blessed(program, "err", jdk)?,
    );
    fs::write(out, &outcome.stdout)?;
    if outcome.stderr.is_empty() || program.directives.skip_stderr {
        if err.exists() {
            fs::remove_file(err)?;
        }
    } else {
        fs::write(err, without_library_lines(&outcome.stderr))?;
    }
    Ok(outcome.end == End::Exit(program.directives.exit))
}

/// Prints the failures and the count; true when nothing but known failures failed.
fn report(engine: &str, differences: &[(String, Option<Difference>)], known: &Known) -> bool {
    let (mut failed, mut expected) = (0, 0);
    for (id, difference) in differences {
        match (difference, known.reason(id)) {
            (Some(difference), None) => {
                failed += 1;
                println!("{engine} {id}: {difference}");
            }
            (Some(_), Some(_)) => expected += 1,
            (None, Some(_)) => println!("{engine} {id}: passes, but known-failing.txt lists it"),
            (None, None) => {}
        }
    }
    let passed = differences.len() - failed - expected;
    println!(
        "{engine}: {passed} of {} programs as expected, {expected} known to fail",
        differences.len()
    );
    failed == 0
}

fn update(known: &mut Known, differences: &[(String, Option<Difference>)], all: &[Program]) {
    let gone: Vec<String> = known
        .ids()
        .filter(|id| !all.iter().any(|p| p.id() == **id))
        .map(str::to_owned)
        .collect();
    gone.iter().for_each(|id| known.remove(id));
    for (id, difference) in differences {
        match difference {
            Some(difference) => {
                let reason: String = difference
                    .to_string()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                known.insert(id, &reason.chars().take(160).collect::<String>());
            }
            None => known.remove(id),
        }
    }
}

/// The programs on which poldet takes longest, beside HotSpot's time.
fn times(programs: &[Program], java: &[Outcome], poldet: &[Outcome]) {
    let mut rows: Vec<_> = programs.iter().zip(java.iter().zip(poldet)).collect();
    rows.sort_by_key(|(_, (_, outcome))| std::cmp::Reverse(outcome.took));
    for (program, (java, poldet)) in rows.iter().take(5) {
        let (java, poldet) = (java.took.as_secs_f64(), poldet.took.as_secs_f64());
        println!("slowest: {} {poldet:.2} s (java {java:.2} s)", program.id());
    }
}

/// The newest poldet among this build folder's debug and release binaries.
fn newest_poldet() -> Option<PathBuf> {
    let profile = std::env::current_exe().ok()?.parent()?.to_owned();
    let target = profile.parent()?;
    let built = |name: &str| {
        let binary = target.join(name).join("poldet");
        let time = fs::metadata(&binary).ok()?.modified().ok()?;
        Some((time, binary))
    };
    ["debug", "release"]
        .iter()
        .filter_map(|name| built(name))
        .max()
        .map(|(_, binary)| binary)
}
