//! Shows that the expectations in the fixture suites are right: HotSpot with the real JUnit meets them.
//!
//! `cargo test -p poldet-testdata --test expectations -- --ignored`; `POLDET_SUITE=substring` picks suites.

use poldet_testdata::need::{self, Need};
use poldet_testdata::suite::{self, build, run};
use std::path::Path;

#[test]
#[ignore = "fetches JUnit from Maven Central"]
fn expectations_hold_on_hotspot() {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expectations");
    let filter = std::env::var("POLDET_SUITE").unwrap_or_default();
    let mut suites = suite::all().expect("the suites can be read");
    suites.retain(|s| s.spec.hotspot && s.name.contains(&filter));
    let mut wrong = Vec::new();
    for suite in suites {
        let built = build::suite(&jdk, &suite, &cache);
        match built.and_then(|built| run::check_on_hotspot(&jdk, &suite, &built, &cache)) {
            Ok(found) => wrong.extend(found.into_iter().map(|w| format!("{}: {w}", suite.name))),
            Err(why) if why.starts_with("cannot fetch") => {
                need::skip_part(&suite.name, Need::Network, &why);
            }
            Err(why) => wrong.push(format!("{}: {why}", suite.name)),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} not as expected:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
