//! Jars of our own Java classes are committed; here is checked that they are what their sources give.

use crate::need::{self, Need};
use std::path::Path;
use std::process::Command;

/// Runs `rebuild.sh` of a package into a folder and compares what it made with the committed jars, given by file name.
/// Needs javac 17, since other releases write other class files, and zip.
pub fn assert_rebuilt(package: &Path, out: &Path, committed: &[(&str, &[u8])]) {
    let Some(jdk) = need::javac_of(17) else { return };
    if Command::new("zip").arg("-v").output().is_err() {
        need::skip(Need::Zip, "no zip on the path");
        return;
    }
    let script = package.join("rebuild.sh");
    let status = Command::new("bash")
        .arg(&script)
        .arg(out)
        .env("JAVAC", jdk.javac)
        .status();
    assert!(status.is_ok_and(|s| s.success()), "{} failed", script.display());
    for (name, bytes) in committed {
        let built = std::fs::read(out.join(name)).expect("a jar was made");
        let script = script.display();
        assert!(
            built == *bytes,
            "{name} is not what {script} makes: run it and commit"
        );
    }
}
