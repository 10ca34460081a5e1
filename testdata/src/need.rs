//! What tests need of the machine besides Rust, and what becomes of a test that does not get it.
//!
//! Such a test is skipped, with a line on standard error that libtest does not hold back. `POLDET_REQUIRE=javac,chromium`
//! makes it fail instead; `POLDET_SKIPS=FILE` collects the lines, so that a script can count them.

use crate::compile::Jdk;
use std::fmt;
use std::io::Write;

/// Something a test cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A JDK with a compiler.
    Javac,
    /// A JDK of this release.
    Jdk(u32),
    Chromium,
    Zip,
    /// Maven Central.
    Network,
    /// The rights of root, to become somebody else.
    Root,
    /// A kernel that lets this user make namespaces, and has Landlock.
    Sandbox,
}

impl fmt::Display for Need {
    /// The name in `POLDET_REQUIRE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Javac => f.write_str("javac"),
            Need::Jdk(feature) => write!(f, "jdk{feature}"),
            Need::Chromium => f.write_str("chromium"),
            Need::Zip => f.write_str("zip"),
            Need::Network => f.write_str("network"),
            Need::Root => f.write_str("root"),
            Need::Sandbox => f.write_str("sandbox"),
        }
    }
}

/// Reports that the test at hand is skipped, or fails it when `POLDET_REQUIRE` names what is missing.
pub fn skip(need: Need, why: &str) {
    report(need, why, &test());
}

/// The same of one part of the test, which goes on with the others.
pub fn skip_part(part: &str, need: Need, why: &str) {
    report(need, why, &format!("{} ({part})", test()));
}

/// The name of the test at hand: libtest gives it to its thread.
fn test() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

fn report(need: Need, why: &str, what: &str) {
    let required = std::env::var("POLDET_REQUIRE").unwrap_or_default();
    assert!(!is_required(&required, need), "{need} is required: {why}");
    let line = line(what, need, why);
    // Not by the macros, whose output libtest shows of failing tests only.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(file) = std::env::var_os("POLDET_SKIPS") {
        let file = std::fs::File::options().append(true).create(true).open(file);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the file of POLDET_SKIPS can be written");
    }
}

/// The JDK that compiles what a test runs; without one the test is skipped.
pub fn javac() -> Option<Jdk> {
    let jdk = Jdk::find();
    if jdk.is_none() {
        skip(Need::Javac, "no javac found; set JAVA_HOME to a JDK");
    }
    jdk
}

/// The same, of one release.
pub fn javac_of(feature: u32) -> Option<Jdk> {
    let jdk = javac()?;
    match jdk.version() {
        Ok(version) if version.feature == feature => Some(jdk),
        Ok(version) => {
            let why = format!("the JDK found is {version}; set JAVA_HOME to a JDK {feature}");
            skip(Need::Jdk(feature), &why);
            None
        }
        Err(why) => {
            skip(Need::Jdk(feature), &why);
            None
        }
    }
}

fn is_required(list: &str, need: Need) -> bool {
    list.split(',').any(|name| name.trim() == need.to_string())
}

fn line(test: &str, need: Need, why: &str) -> String {
    format!("skipped: {test}: needs {need}: {}\n", why.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_required_by_name() {
        assert!(is_required("javac, chromium", Need::Chromium) && is_required("jdk17", Need::Jdk(17)));
        assert!(!is_required("", Need::Javac) && !is_required("jdk17", Need::Jdk(25)));
    }

    #[test]
    fn a_skip_is_one_line() {
        let expected = "skipped: t: needs network: no route to host\n";
        assert_eq!(line("t", Need::Network, "no route\nto host"), expected);
    }
}
