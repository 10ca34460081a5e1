//! `suite-diff [--poldet FILE] [--builtin] [FILTER…]`: runs the fixture suites on a poldet binary and tells where it
//! differs from what their sources expect.

use poldet_testdata::compile::Jdk;
use poldet_testdata::suite::{self, Suite, build, run};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    match differences() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("suite-diff: {why}");
            ExitCode::from(2)
        }
    }
}

fn differences() -> Result<usize, String> {
    let mut poldet = PathBuf::from("target/release/poldet");
    let mut builtin = false;
    let mut filters = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--poldet" => poldet = args.next().ok_or("--poldet needs a file")?.into(),
            "--builtin" => builtin = true,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            filter => filters.push(filter.to_owned()),
        }
    }
    let poldet = poldet
        .canonicalize()
        .map_err(|e| format!("{}: {e}", poldet.display()))?;
    let jdk = Jdk::find().ok_or("no javac found; set JAVA_HOME to a JDK 17")?;
    let cache = poldet_testdata::cache_dir().join("suites");
    let mut suites = suite::all()?;
    suites.retain(|s| filters.is_empty() || filters.iter().any(|f| s.name.contains(f.as_str())));
    suites.retain(|s| !builtin || s.spec.deps.is_empty());
    let mut wrong = 0;
    for suite in &suites {
        wrong += one(&jdk, suite, &poldet, &cache);
    }
    println!("{} suites, {wrong} differences", suites.len());
    Ok(wrong)
}

fn one(jdk: &Jdk, suite: &Suite, poldet: &std::path::Path, cache: &std::path::Path) -> usize {
    let built = match build::suite(jdk, suite, cache) {
        Ok(built) => built,
        Err(why) => {
            println!("{}: {why}", suite.name);
            return 1;
        }
    };
    let mut count = 0;
    for each in &suite.spec.runs {
        for wrong in run::check(poldet, suite, &built, each, cache) {
            println!("{} ({}): {wrong}", suite.name, each.args.join(" "));
            count += 1;
        }
    }
    count
}
