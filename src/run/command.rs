//! The command that repeats a run, as a saved run keeps it: the suite and all that can change what its tests do.

use crate::cli::{OVERLAY_LIMIT, Run, TIMEOUT};
use crate::sandbox::Mode;
use poldet_records::{Definition, Roots};
use poldet_vm::jdk::Jdk;
use std::path::Path;

/// The words of the command, without the choice of tests by `--test` or `--order` and without the reports.
pub fn words(options: &Run, jdk: &Jdk) -> Vec<String> {
    let mut words: Vec<String> = vec!["poldet".into(), "run".into()];
    words.extend(options.suite.suite.iter().map(|p| absolute(p)));
    if options.suite.suite.is_empty() {
        words.push(absolute(Path::new(".")));
    }
    if let Some(class_path) = &options.suite.class_path {
        let places: Vec<String> = class_path
            .split(':')
            .filter(|p| !p.is_empty())
            .map(|p| match p.strip_prefix('@') {
                Some(file) => format!("@{}", absolute(Path::new(file))),
                None => absolute(Path::new(p)),
            })
            .collect();
        words.extend(["--cp".into(), places.join(":")]);
    }
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    option("jdk", jdk.home.display().to_string());
    for glob in &options.tests.include {
        option("include", glob.clone());
    }
    for glob in &options.tests.exclude {
        option("exclude", glob.clone());
    }
    if let Some(dir) = &options.conditions.dir {
        option("dir", absolute(dir));
    }
    if let Some(dir) = &options.conditions.basedir {
        option("basedir", absolute(dir));
    }
    if let Some(stdin) = &options.conditions.stdin {
        let closed = stdin == Path::new("closed");
        option("stdin", if closed { "closed".into() } else { absolute(stdin) });
    }
    if options.vm.seed != 0 {
        option("seed", options.vm.seed.to_string());
    }
    if options.conditions.timeout != TIMEOUT {
        option("timeout", options.conditions.timeout.to_string());
    }
    let pollution = &options.capture;
    if pollution.roots == Roots::Common {
        option("roots", "common".into());
    }
    if pollution.definition == Definition::Poldet {
        option("definition", "poldet".into());
    }
    for file in &pollution.rules {
        option("rules", absolute(file));
    }
    for pattern in &pollution.ignore {
        option("ignore", pattern.clone());
    }
    for id in &pollution.disable_rule {
        option("disable-rule", id.clone());
    }
    words.extend(options.outside.words(absolute));
    words.extend(options.vm.words());
    words.extend(options.conditions.identity.words());
    if options.conditions.overlay_limit != OVERLAY_LIMIT {
        words.extend(["--overlay-limit".into(), options.conditions.overlay_limit.clone()]);
    }
    if options.conditions.sandbox != Mode::Auto {
        words.extend(["--sandbox".into(), options.conditions.sandbox.text().into()]);
    }
    for (given, flag) in [
        (options.conditions.write_through, "--write-through"),
        (pollution.strict, "--strict"),
        (pollution.all, "--all"),
    ] {
        words.extend(given.then(|| flag.to_owned()));
    }
    words
}

/// Where it is whatever the current folder.
fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.display().to_string()
}

/// Words as a shell takes them, on one line.
pub fn shell(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| shell_word(w)).collect();
    quoted.join(" ")
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The command that shows a test's findings again, with the tests before it that they need.
pub fn reproduce(words: &[String], after: &[String], test: &str) -> String {
    let mut words = words.to_vec();
    for name in after.iter().map(String::as_str).chain([test]) {
        words.extend(["--test".into(), name.to_owned()]);
    }
    shell(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        let words = ["run", "a b", "it's", "a.B#m(int)[1]", ""].map(str::to_owned);
        assert_eq!(shell(&words), "run 'a b' 'it'\\''s' 'a.B#m(int)[1]' ''");
    }
}
