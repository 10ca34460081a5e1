//! The same run gives the same report: 20 runs of a suite, compared byte for byte.

use poldet_testdata::need;
use poldet_testdata::suite::{self, build, run};
use std::path::Path;

#[test]
fn twenty_runs_give_one_report() {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repeat");
    let binary = Path::new(env!("CARGO_BIN_EXE_poldet"));
    // Shuffling, threads and files: what would differ first.
    for name in ["pollution-paper", "pollution-threads", "pollution-files"] {
        let read = suite::read(&suite::suites_dir().join(name)).unwrap();
        let built = build::suite(&jdk, &read, &cache).unwrap();
        let classes = built.classes.canonicalize().unwrap();
        let runs = if name == "pollution-paper" { 20 } else { 5 };
        let mut first: Option<(String, String)> = None;
        for number in 1..=runs {
            let mut command = run::poldet(binary, &classes, &built.needs(), &read.spec.jvm, &[]);
            command.args(["--format", "json", "--show-ignored"]);
            let ended = run::in_scratch(command, &cache, name).unwrap();
            // The folder it ran in is another one each time.
            let text = ended.stdout.replace(&ended.folder, "FOLDER");
            assert!(
                text.contains("\"polluter\": true") || text.contains("\"polluter\":true"),
                "{text}"
            );
            let (stdout, stderr) = first.get_or_insert_with(|| (text.clone(), ended.stderr.clone()));
            assert!(*stdout == text, "run {number} of {name} reports something else");
            assert!(
                *stderr == ended.stderr,
                "run {number} of {name} says something else"
            );
        }
    }
}
