//! What isolation and the search for NIO tests cost, as ratios within one run:
//!
//! - `isolation suites`: real suites with `run`, `run --isolate method`, `run --isolate strict` and `nio`, by mode;
//! - `isolation forks`: small tests with a process each, beside a heap of some size in the process that is forked.
//!
//! Processor time counts, of all processes together. What is compared takes turns, and medians count.

use poldet_benches::measure::{self, geometric_mean, median};
use poldet_benches::options::Options;
use poldet_benches::parity::{self, LaidOut, Suite};
use poldet_testdata::compile::{self, Jdk};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: isolation suites [--runs N] [--poldet FILE] [--list FILE] [SUITE...]
       isolation forks [--runs N] [--poldet FILE] [MEGABYTES...]";

/// Tests of the generated class: it is run with few and with many, so that what is done once for the class does not count.
const FEW: usize = 100;
const MANY: usize = 600;

/// What is measured, with the words that ask for it; the first is what the others are compared with.
const WAYS: [(&str, &[&str]); 7] = [
    ("run", &["run"]),
    ("isolate method", &["run", "--isolate", "method", "--jobs", "1"]),
    ("isolate strict", &["run", "--isolate", "strict", "--jobs", "1"]),
    (
        "nio isolated-method",
        &["nio", "--mode", "isolated-method", "--jobs", "1"],
    ),
    (
        "nio isolated-class",
        &["nio", "--mode", "isolated-class", "--jobs", "1"],
    ),
    (
        "nio entire-suite",
        &["nio", "--mode", "entire-suite", "--jobs", "1"],
    ),
    ("nio all", &["nio", "--jobs", "1"]),
];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let kind = args.next().unwrap_or_default();
    let done = Options::read(args, USAGE).and_then(|options| match kind.as_str() {
        "suites" => suites(&options),
        "forks" => forks(&options),
        _ => Err(USAGE.into()),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("isolation: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Processor seconds of one run, and how many tests its document has.
fn run(command: &mut Command) -> Result<(f64, usize), String> {
    command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    let run = measure::timed(command)?;
    let document: serde_json::Value = serde_json::from_slice(&run.stdout)
        .map_err(|e| format!("poldet ended with {:?} and no document: {e}", run.code))?;
    Ok((run.processor, document["tests"].as_array().map_or(0, Vec::len)))
}

fn suites(options: &Options) -> Result<(), String> {
    let suites = parity::read(&options.list, &options.names)?;
    println!(
        "Processor seconds, medians of {} runs each; ratios to `run`.\n",
        options.runs
    );
    print!("| suite | tests | run");
    WAYS[1..].iter().for_each(|(name, _)| print!(" | {name}"));
    println!(" | isolated-method / entire-suite |");
    println!("|---|---:{}|---:|", "|---:".repeat(WAYS.len()));
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); WAYS.len()];
    for suite in &suites {
        match row(options, suite) {
            Ok(times) => {
                for (all, time) in ratios.iter_mut().zip(&times) {
                    all.push(time / times[0]);
                }
            }
            Err(why) => eprintln!("isolation: {} is left out: {why}", suite.name),
        }
    }
    print!("| **geometric mean** | | ");
    for all in &ratios[1..] {
        print!(" | {:.2}", geometric_mean(all).unwrap_or(f64::NAN));
    }
    println!(" | |");
    Ok(())
}

/// Prints the suite's row; answers the seconds of each way.
fn row(options: &Options, suite: &Suite) -> Result<Vec<f64>, String> {
    let laid_out = LaidOut::new(suite)?;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); WAYS.len()];
    let mut tests = 0;
    for _ in 0..options.runs {
        for ((_, words), times) in WAYS.iter().zip(&mut times) {
            let mut command = Command::new(&options.poldet);
            command.args(*words);
            laid_out.add_to(&mut command);
            let (time, count) = run(&mut command)?;
            times.push(time);
            tests = tests.max(count);
        }
    }
    let times: Vec<f64> = times.into_iter().filter_map(median).collect();
    print!("| {} | {tests} | {:.2}", suite.name, times[0]);
    for time in &times[1..] {
        print!(" | {time:.2} ({:.2})", time / times[0]);
    }
    println!(" | {:.2} |", times[3] / times[5]);
    Ok(times)
}

fn forks(options: &Options) -> Result<(), String> {
    let sizes: Vec<u32> = match options.names.as_slice() {
        [] => vec![1, 64, 1024],
        names => names
            .iter()
            .map(|n| n.parse().map_err(|_| USAGE.to_owned()))
            .collect::<Result<_, String>>()?,
    };
    let suite = build()?;
    println!(
        "Processor milliseconds of a test: {MANY} tests without {FEW}, medians of {} runs each.\n",
        options.runs
    );
    println!("| heap in use | one VM | a fork for each test | difference |");
    println!("|---|---:|---:|---:|");
    for size in sizes {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..options.runs {
            for (level, times) in ["class", "strict"].into_iter().zip(&mut times) {
                let of = |tests: usize| {
                    let mut command = Command::new(&options.poldet);
                    command.args(["run", "--isolate", level, "--jobs", "1", "--format", "json"]);
                    command.arg(&suite);
                    command.args([
                        format!("--jvm=-Dmegabytes={size}"),
                        format!("--jvm=-Dtests={tests}"),
                    ]);
                    command.arg("--jvm=-Xmx2g");
                    match run(&mut command)? {
                        (time, ran) if ran == tests => Ok(time),
                        (_, ran) => Err(format!("{ran} of {tests} tests ran")),
                    }
                };
                times.push((of(MANY)? - of(FEW)?) * 1000.0 / (MANY - FEW) as f64);
            }
        }
        let [plain, strict] = times.map(|t| median(t).unwrap_or(f64::NAN));
        println!("| {size} MB | {plain:.2} | {strict:.2} | {:.2} |", strict - plain);
    }
    Ok(())
}

/// A class of tests whose heap is filled when its tests are discovered: before the fork.
fn build() -> Result<PathBuf, String> {
    let jdk = Jdk::find().ok_or("no JDK: set JAVA_HOME to one that has bin/javac")?;
    let cache = poldet_testdata::cache_dir();
    let folder = cache.join("isolation-sources");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok::<PathBuf, String>(file)
    };
    let junit = write("junit.jar", poldet_junit_shim::JUNIT_JAR)?;
    let mut text = String::from(
        "import junit.framework.*;\npublic class ForksTest extends TestCase {\n\
         static byte[][] heap = new byte[Integer.getInteger(\"megabytes\") * 1024][];\n\
         public static Test suite() {\n\
         for (int i = 0; i < heap.length; i++) { heap[i] = new byte[1000]; heap[i][i % 1000] = 1; }\n\
         TestSuite suite = new TestSuite();\n\
         for (int i = 0; i < Integer.getInteger(\"tests\"); i++) suite.addTest(new ForksTest(\"test\" + i));\n\
         return suite;\n}\n\
         public ForksTest(String name) { super(name); }\n",
    );
    for i in 0..MANY {
        text.push_str(&format!(
            "public void test{i}() {{ assertTrue(heap.length > {i}); }}\n"
        ));
    }
    text.push_str("}\n");
    let source = write("ForksTest.java", text.as_bytes())?;
    let junit = junit.display().to_string();
    compile::sources_into(&jdk, &["-cp", &junit], &[&source], &cache, "isolation")
}
