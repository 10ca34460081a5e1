//! The fixture suites: every test comes to what its source says, and every run ends as `suite.txt` says.
//!
//! Suites on the built-in `org.junit` run always; those that fetch a JUnit run with `-- --ignored`.
//! `POLDET_SUITE=substring` picks suites.

use poldet_testdata::need::{self, Need};
use poldet_testdata::suite::{self, Suite, build, run};
use std::path::Path;

#[test]
fn suites_on_the_built_in_junit() {
    check(|suite| suite.spec.deps.is_empty());
}

#[test]
#[ignore = "fetches JUnit from Maven Central"]
fn suites_that_bring_a_junit() {
    check(|suite| !suite.spec.deps.is_empty());
}

fn check(wanted: impl Fn(&Suite) -> bool) {
    let Some(jdk) = need::javac() else { return };
    let version = jdk.version().expect("the JDK's version");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suites");
    let binary = Path::new(env!("CARGO_BIN_EXE_poldet"));
    let filter = std::env::var("POLDET_SUITE").unwrap_or_default();
    let mut suites = suite::all().expect("the suites can be read");
    suites.retain(|s| wanted(s) && s.name.contains(&filter));
    let mut wrong = Vec::new();
    for suite in suites {
        let built = match build::suite(&jdk, &suite, &cache) {
            Ok(built) => built,
            Err(why) if why.starts_with("cannot fetch") => {
                need::skip_part(&suite.name, Need::Network, &why);
                continue;
            }
            Err(why) => {
                wrong.push(format!("{}: {why}", suite.name));
                continue;
            }
        };
        for one in &suite.spec.runs {
            if let Some(feature) = one.jdk.filter(|feature| *feature != version.feature) {
                let part = format!("{} {}", suite.name, one.args.join(" "));
                need::skip_part(&part, Need::Jdk(feature), &format!("the JDK found is {version}"));
                continue;
            }
            let found = run::check(binary, &suite, &built, one, &cache);
            wrong.extend(
                found
                    .into_iter()
                    .map(|w| format!("{} {:?}: {w}", suite.name, one.args)),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} not as expected:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
