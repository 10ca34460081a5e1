//! The committed jar is what `rebuild.sh` makes of the sources, and has the classes that are listed.

use poldet_jdk_stubs::{JAR, PATCHES};
use poldet_testdata::jars::assert_rebuilt;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_jar_is_up_to_date() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("patches");
    assert_rebuilt(here, &out, &[("patches.jar", JAR)]);
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
