//! Runs the programs on lambdas, concatenation, records and method handles once more with every call site linked
//! by the JDK's own machinery: both must behave as HotSpot does.

use poldet_testdata::need;
use poldet_testdata::{Engine, Expected, Known, pool, program};
use std::path::{Path, PathBuf};

#[test]
fn the_jdks_own_linkage_behaves_as_on_hotspot() {
    let Some(jdk) = need::javac() else { return };
    let version = jdk.version().expect("the JDK's version");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("indy-programs");
    let all = program::find(&poldet_testdata::programs_dir()).expect("the programs can be read");
    let known = Known::read(&poldet_testdata::known_failing_file()).expect("the list can be read");
    let mut selected = pool::select(all.clone(), &["invoke/".to_owned()]);
    selected.retain(|p| known.reason(&p.id()).is_none());
    let mut selected = pool::for_jdk(selected, &jdk, version).expect("the list can be read");
    for program in &mut selected {
        program.directives.jvm.push("--slow-indy".into());
    }
    let classes = pool::compile_areas(&jdk, &all, &selected, &cache).expect("the programs compile");
    let engine = Engine::Poldet(PathBuf::from(env!("CARGO_BIN_EXE_poldet")));
    let verdicts = pool::in_parallel(&selected, 2, |p| {
        let expected = Expected::read(p, version).expect("expected output can be read");
        match engine.run(p, &classes[&p.area], &cache, pool::TIME_LIMIT) {
            Ok(outcome) => expected.difference(&outcome).map(|d| format!("{}: {d}", p.id())),
            Err(e) => Some(format!("{}: cannot be run: {e}", p.id())),
        }
    });
    let failures: Vec<String> = verdicts.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
