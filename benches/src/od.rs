//! What `poldet od` costs, as ratios within one run:
//!
//! - `od suites`: real suites with `run` and with `od`, and how many of the possible pairs of tests were run;
//! - `od victim`: all polluters and cleaners of one test among 500 small ones.
//!
//! Processor time counts, of all processes together. What is compared takes turns, and medians count.

use poldet_benches::measure::{self, geometric_mean, median};
use poldet_benches::options::Options;
use poldet_benches::parity::{self, LaidOut, Suite};
use poldet_testdata::compile::{self, Jdk};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: od suites [--runs N] [--poldet FILE] [--list FILE] [SUITE...]
       od victim [--runs N] [--poldet FILE]";

/// Tests of the generated class: one victim, and of every hundred one polluter and one cleaner.
const TESTS: usize = 500;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let kind = args.next().unwrap_or_default();
    let done = Options::read(args, USAGE).and_then(|options| match kind.as_str() {
        "suites" => suites(&options),
        "victim" => victim(&options),
        _ => Err(USAGE.into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("od: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Processor seconds of one run, and its document.
fn run(command: &mut Command) -> Result<(f64, Value), String> {
    command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    let run = measure::timed(command)?;
    let document = serde_json::from_slice(&run.stdout)
        .map_err(|e| format!("poldet ended with {:?} and no document: {e}", run.code))?;
    Ok((run.processor, document))
}

fn suites(options: &Options) -> Result<(), String> {
    let suites = parity::read(&options.list, &options.names)?;
    println!("Processor seconds, medians of {} runs each.\n", options.runs);
    println!("| suite | tests | run | od | ratio | pairs possible | cannot interfere | alike | runs |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut ratios = Vec::new();
    for suite in &suites {
        match row(options, suite) {
            Ok(ratio) => ratios.push(ratio),
            Err(why) => eprintln!("od: {} is left out: {why}", suite.name),
        }
    }
    let mean = geometric_mean(&ratios).unwrap_or(f64::NAN);
    println!("| **geometric mean** | | | | {mean:.2} | | | | |");
    Ok(())
}

/// Prints the suite's row; answers how many times the processor time of `run` the search takes.
fn row(options: &Options, suite: &Suite) -> Result<f64, String> {
    let laid_out = LaidOut::new(suite)?;
    let mut times = [Vec::new(), Vec::new()];
    let mut document = Value::Null;
    for _ in 0..options.runs {
        for (words, times) in [&["run"][..], &["od", "--jobs", "1"]].into_iter().zip(&mut times) {
            let mut command = Command::new(&options.poldet);
            command.args(words);
            laid_out.add_to(&mut command);
            let (time, found) = run(&mut command)?;
            times.push(time);
            document = found;
        }
    }
    let [plain, search] = times.map(|t| median(t).unwrap_or(f64::NAN));
    let tests = document["tests"].as_array().map_or(0, Vec::len);
    let pairs = |name: &str| document["certificate"][name].as_u64().unwrap_or_default();
    println!(
        "| {} | {tests} | {plain:.2} | {search:.2} | {:.2} | {} | {} | {} | {} |",
        suite.name,
        search / plain,
        pairs("pairs_possible"),
        pairs("pairs_excluded"),
        pairs("pairs_alike"),
        pairs("pairs_run"),
    );
    Ok(search / plain)
}

fn victim(options: &Options) -> Result<(), String> {
    let suite = build()?;
    let mut times = Vec::new();
    let (mut polluters, mut cleaners) = (0, 0);
    for _ in 0..options.runs {
        let mut command = Command::new(&options.poldet);
        command.args([
            "od",
            "--jobs",
            "1",
            "--format",
            "json",
            "--test",
            "VictimTest#testVictim",
        ]);
        command.arg(&suite);
        let (time, document) = run(&mut command)?;
        times.push(time);
        let list = |v: &Value| v.as_array().map_or(0, Vec::len);
        let found = &document["tests"][0]["polluters"];
        (polluters, cleaners) = (list(found), list(&found[0]["cleaners"]));
    }
    println!(
        "{TESTS} tests, {polluters} polluters with {cleaners} cleaners each: {:.2} processor seconds, median of {} runs.",
        median(times).unwrap_or(f64::NAN),
        options.runs
    );
    Ok(())
}

fn build() -> Result<PathBuf, String> {
    let jdk = Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let cache = poldet_testdata::cache_dir();
    let folder = cache.join("od-sources");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok::<PathBuf, String>(file)
    };
    let junit = write("junit.jar", poldet_junit_shim::JUNIT_JAR)?;
    let mut text = String::from(
        "import junit.framework.*;\npublic class VictimTest extends TestCase {\nstatic int mode;\n\
         public void testVictim() { assertEquals(0, mode); }\n",
    );
    for i in 1..TESTS {
        let body = match i % 100 {
            1 => "mode = 1;".to_owned(),
            2 => "mode = 0;".to_owned(),
            _ => format!("assertEquals(\"{i}\", Integer.toString({i}));"),
        };
        text.push_str(&format!("public void test{i}() {{ {body} }}\n"));
    }
    text.push_str("}\n");
    let source = write("VictimTest.java", text.as_bytes())?;
    let junit = junit.display().to_string();
    compile::sources_into(&jdk, &["-cp", &junit], &[&source], &cache, "od")
}
