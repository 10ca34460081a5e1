//! The committed jar is what `rebuild.sh` makes of the sources, and has the classes that are listed.

use poldet_jdk_stubs::{JAR, PATCHES};
use poldet_testdata::need::{self, Need};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

#[test]
fn the_jar_is_up_to_date() {
    // Other releases write other class files.
    let Some(jdk) = need::javac_of(17) else { return };
    if Command::new("zip").arg("-v").output().is_err() {
        need::skip(Need::Zip, "no zip on the path");
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("patches");
    let status = Command::new("bash")
        .arg(here.join("rebuild.sh"))
        .arg(&out)
        .env("JAVAC", jdk.javac)
        .status();
    assert!(status.is_ok_and(|s| s.success()), "rebuild.sh failed");
    let built = std::fs::read(out.join("patches.jar")).expect("a jar was made");
    assert!(
        built == JAR,
        "patches.jar is not what jdk-stubs/rebuild.sh makes: run it and commit"
    );
}

#[test]
fn the_jar_has_the_classes_that_are_listed() {
    let mut jar = zip::ZipArchive::new(std::io::Cursor::new(JAR)).expect("a jar");
    let inside: BTreeSet<String> = (0..jar.len())
        .map(|i| jar.by_index(i).expect("an entry").name().to_owned())
        .collect();
    let listed: BTreeSet<String> = PATCHES
        .iter()
        .map(|(module, class, _)| format!("{module}/{class}.class"))
        .collect();
    assert_eq!(inside, listed);
}
