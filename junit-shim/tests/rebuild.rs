//! The committed jars are what `rebuild.sh` makes of the sources.

use poldet_junit_shim::{JUNIT_JAR, SHIM_JAR};
use std::path::Path;
use std::process::Command;

/// The compiler's version, when there is one, and zip.
fn tools() -> Option<String> {
    let out = Command::new("javac").arg("-version").output().ok()?;
    Command::new("zip").arg("-v").output().ok()?;
    Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

#[test]
fn jars_are_up_to_date() {
    match tools() {
        Some(version) if version.starts_with("javac 17.") => {}
        other => {
            eprintln!("skipped: needs javac 17 and zip, found {other:?}");
            return;
        }
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shim");
    let status = Command::new("bash")
        .arg(here.join("rebuild.sh"))
        .arg(&out)
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
