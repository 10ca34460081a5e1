//! Runs the programs of `testdata/jvm` on poldet and compares them with what HotSpot printed.
//!
//! `POLDET_JVM=substring` runs only the programs whose `area/Name` contains it.

use poldet_testdata::compile::Version;
use poldet_testdata::need;
use poldet_testdata::{Engine, Expected, Known, Program, pool, program};
use std::path::{Path, PathBuf};

/// The areas whose programs are run compiled, too: what is not about the language is much the same code again.
const COMPILED: [&str; 6] = ["exceptions", "gc", "lang", "math", "objects", "threads"];

#[test]
fn programs_behave_as_on_hotspot() {
    let engine = Engine::Poldet(PathBuf::from(env!("CARGO_BIN_EXE_poldet")));
    all_behave_as_on_hotspot(&engine, "jvm-programs", |_| true);
}

#[test]
fn compiled_programs_behave_as_on_hotspot() {
    let engine = Engine::Compiled(PathBuf::from(env!("CARGO_BIN_EXE_poldet")));
    let filtered = std::env::var_os("POLDET_JVM").is_some();
    all_behave_as_on_hotspot(&engine, "jvm-compiled", |p| {
        filtered || COMPILED.contains(&p.area.as_str())
    });
}

fn all_behave_as_on_hotspot(engine: &Engine, cache: &str, wanted: impl Fn(&Program) -> bool) {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join(cache);
    let all = program::find(&poldet_testdata::programs_dir()).expect("the programs can be read");
    let filter: Vec<String> = std::env::var("POLDET_JVM")
        .into_iter()
        .filter(|f| !f.is_empty())
        .collect();
    let mut selected = pool::select(all.clone(), &filter);
    selected.retain(wanted);
    assert!(!selected.is_empty(), "no program matches {filter:?}");
    let version = jdk.version().expect("the JDK's version");
    let selected = pool::for_jdk(selected, &jdk, version).expect("the list can be read");
    let known = Known::read(&poldet_testdata::known_failing_file()).expect("the list can be read");
    let gone: Vec<&str> = known
        .ids()
        .filter(|id| !all.iter().any(|p| p.id() == *id))
        .collect();
    assert!(
        gone.is_empty(),
        "known-failing.txt names programs that are not there: {gone:?}"
    );

    let classes = pool::compile_areas(&jdk, &all, &selected, &cache).expect("the programs compile");
    let verdicts = pool::in_parallel(&selected, 2, |p| {
        let wrong = wrong(engine, p, version, &classes[&p.area], &cache);
        match (wrong, known.reason(&p.id())) {
            (Some(wrong), None) => Some(format!("{}: {wrong}", p.id())),
            (None, Some(_)) => Some(format!("{}: passes; take it off known-failing.txt", p.id())),
            _ => None,
        }
    });
    let failures: Vec<String> = verdicts.into_iter().flatten().collect();
    let (failed, run) = (failures.len(), selected.len());
    assert!(
        failures.is_empty(),
        "{failed} of {run} programs not as expected:\n{}",
        failures.join("\n")
    );
}

/// What went wrong with `program`, if anything did.
fn wrong(engine: &Engine, program: &Program, jdk: Version, classes: &Path, cache: &Path) -> Option<String> {
    let expected = match Expected::read(program, jdk) {
        Ok(expected) => expected,
        Err(e) => return Some(format!("expected output cannot be read: {e}")),
    };
    match engine.run(program, classes, cache, pool::TIME_LIMIT) {
        Ok(outcome) => expected
            .difference(&outcome)
            .map(|difference| difference.to_string()),
        Err(e) => Some(format!("cannot be run: {e}")),
    }
}
