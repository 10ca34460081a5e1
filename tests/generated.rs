//! Generated Java programs, compared with HotSpot in every mode of the VM.
//!
//! `SEED` and `CASES` (method bodies) vary the programs; the long run is in docs/fidelity.md.

use poldet_testdata::generate::judge::Judge;
use poldet_testdata::need;
use std::path::{Path, PathBuf};

const BODIES: usize = 100;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}

#[test]
fn generated_programs_do_the_same_as_on_hotspot() {
    let Some(jdk) = need::javac() else { return };
    let judge = Judge {
        jdk,
        poldet: PathBuf::from(env!("CARGO_BIN_EXE_poldet")),
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated"),
    };
    let bodies = number("CASES", BODIES as u64) as usize;
    let verdict = judge
        .judge(number("SEED", 7), bodies)
        .expect("the program compiles and runs on HotSpot");
    println!("{} method bodies", verdict.bodies);
    assert!(
        verdict.differences.is_empty(),
        "{}",
        verdict.differences.join("\n")
    );
}
