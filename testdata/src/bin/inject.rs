//! `inject [--poldet FILE] [--count N] [--seed S] [--verbose] [SUITE…]`: adds known writes to static state to N tests of
//! each suite (names of `scripts/parity.ini`) and measures what poldet finds of them. A Markdown table on standard output.

use poldet_testdata::compile::Jdk;
use poldet_testdata::inject::measure::{Figures, measure};
use poldet_testdata::inject::suites;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    match table() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("inject: {why}");
            ExitCode::from(2)
        }
    }
}

fn table() -> Result<bool, String> {
    let mut poldet = PathBuf::from("target/release/poldet");
    let (mut count, mut seed, mut verbose) = (100, 1, false);
    let mut names = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--poldet" => poldet = value()?.into(),
            "--count" => count = number(&value()?)? as usize,
            "--seed" => seed = number(&value()?)?,
            "--verbose" => verbose = true,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            name => names.push(name.to_owned()),
        }
    }
    if names.is_empty() {
        names = ["commons-cli", "commons-codec", "commons-csv"]
            .map(str::to_owned)
            .to_vec();
    }
    let poldet = poldet
        .canonicalize()
        .map_err(|e| format!("{}: {e}", poldet.display()))?;
    let jdk = Jdk::find().ok_or("no javac found; set JAVA_HOME to a JDK 17")?;
    let cache = poldet_testdata::cache_dir().join("inject");
    let mut all = Vec::new();
    println!("{}", Figures::head());
    for name in &names {
        let suite = suites::listed(&jdk, name)?;
        let figures = measure(&poldet, &suite, count, seed, &cache)?;
        println!("{}", figures.row());
        let shown = if verbose { usize::MAX } else { 10 };
        figures
            .wrong
            .iter()
            .take(shown)
            .for_each(|wrong| eprintln!("{name}: {wrong}"));
        all.push(figures);
    }
    by_write(&all);
    Ok(all.iter().all(Figures::perfect))
}

fn by_write(all: &[Figures]) {
    let mut sums: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (write, (injected, found)) in all.iter().flat_map(|f| &f.by_write) {
        let sum = sums.entry(write).or_default();
        *sum = (sum.0 + injected, sum.1 + found);
    }
    println!("\n| injected write | injected | found with field and line |\n|---|---:|---:|");
    for (write, (injected, found)) in sums {
        println!("| {write} | {injected} | {found} |");
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}
