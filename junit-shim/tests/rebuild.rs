//! The committed jars are what `rebuild.sh` makes of the sources.

use poldet_junit_shim::{JUNIT_JAR, SHIM_JAR};
use poldet_testdata::need::{self, Need};
use std::path::Path;
use std::process::Command;

#[test]
fn jars_are_up_to_date() {
    // Other releases write other class files.
    let Some(jdk) = need::javac_of(17) else { return };
    if Command::new("zip").arg("-v").output().is_err() {
        need::skip(Need::Zip, "no zip on the path");
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shim");
    let status = Command::new("bash")
        .arg(here.join("rebuild.sh"))
        .arg(&out)
        .env("JAVAC", jdk.javac)
        .status();
    assert!(status.is_ok_and(|s| s.success()), "rebuild.sh failed");
    for (name, committed) in [("shim.jar", SHIM_JAR), ("junit.jar", JUNIT_JAR)] {
        let built = std::fs::read(out.join(name)).expect("a jar was made");
        assert!(
            built == committed,
            "{name} is not what junit-shim/rebuild.sh makes: run it and commit"
        );
    }
}
