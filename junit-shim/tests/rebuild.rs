//! The committed jars are what `rebuild.sh` makes of the sources.

use poldet_junit_shim::{COMPILER_JAR, EXECUTOR_CLASS, JUNIT_JAR, SHIM_JAR};
use poldet_testdata::jars::assert_rebuilt;
use std::path::Path;

#[test]
fn jars_are_up_to_date() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shim");
    let jars = [
        ("shim.jar", SHIM_JAR),
        ("junit.jar", JUNIT_JAR),
        ("compiler.jar", COMPILER_JAR),
        ("hand.class", EXECUTOR_CLASS),
    ];
    assert_rebuilt(here, &out, &jars);
}
