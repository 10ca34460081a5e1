//! Writes injected into tests of a clean suite are all found, with field and line, and nothing else is.
//!
//! The measure on real suites: `cargo run --release -p poldet-testdata --bin inject`.

use poldet_testdata::inject::measure::measure;
use poldet_testdata::inject::suites;
use poldet_testdata::need;
use poldet_testdata::suite::{self, build};
use std::path::Path;

#[test]
fn every_injected_write_is_found() {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inject");
    let binary = Path::new(env!("CARGO_BIN_EXE_poldet"));
    let clean = suite::read(&suite::suites_dir().join("pollution-none")).unwrap();
    let built = build::suite(&jdk, &clean, &cache).unwrap();
    let compiled = suites::folder(&clean.name, &built.classes, &built.needs()).unwrap();
    for seed in [1, 2] {
        let figures = measure(binary, &compiled, 15, seed, &cache).unwrap();
        assert_eq!((figures.before, figures.injected), (0, 15), "{figures:?}");
        assert!(figures.perfect(), "{}", figures.wrong.join("\n"));
    }
}
