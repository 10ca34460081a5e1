//! The command that repeats a run, as a saved run keeps it: the suite and all that can change what its tests do.

use crate::cli::{OVERLAY_LIMIT, Run, TIMEOUT};
use crate::sandbox::Mode;
use poldet_records::{Definition, Roots};
use std::path::Path;

/// The words of the command, without the choice of tests by `--test` or `--order` and without the reports. Paths below the
/// current folder are relative to it, so that they are the same wherever that is; the JDK is named if it was.
pub fn words(options: &Run) -> Vec<String> {
    let mut words: Vec<String> = vec!["poldet".into(), "run".into()];
    words.extend(options.suite.suite.iter().map(|p| place(p)));
    if options.suite.suite.is_empty() {
        words.push(place(Path::new(".")));
    }
    if let Some(class_path) = &options.suite.class_path {
        let places: Vec<String> = class_path
            .split(':')
            .filter(|p| !p.is_empty())
            .map(|p| match p.strip_prefix('@') {
                Some(file) => format!("@{}", place(Path::new(file))),
                None => place(Path::new(p)),
            })
            .collect();
        words.extend(["--cp".into(), places.join(":")]);
    }
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    if let Some(jdk) = &options.vm.jdk {
        option("jdk", place(jdk));
    }
    for glob in &options.tests.include {
        option("include", glob.clone());
    }
    for glob in &options.tests.exclude {
        option("exclude", glob.clone());
    }
    if let Some(dir) = &options.conditions.dir {
        option("dir", place(dir));
    }
    if let Some(dir) = &options.conditions.basedir {
        option("basedir", place(dir));
    }
    if let Some(stdin) = &options.conditions.stdin {
        let closed = stdin == Path::new("closed");
        option("stdin", if closed { "closed".into() } else { place(stdin) });
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
        option("rules", place(file));
    }
    for pattern in &pollution.ignore {
        option("ignore", pattern.clone());
    }
    for id in &pollution.disable_rule {
        option("disable-rule", id.clone());
    }
    words.extend(options.outside.words(place));
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
        (options.conditions.real_paths, "--real-paths"),
        (pollution.strict, "--strict"),
        (pollution.all, "--all"),
    ] {
        words.extend(given.then(|| flag.to_owned()));
    }
    words
}

/// A path as a command in the current folder can use it: relative to that if it lies below it, else from the root.
pub fn place(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    let path = match path.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => Path::new("."),
        // A name that begins so would be taken for an option.
        Ok(inside) if !inside.to_string_lossy().starts_with(['-', '@']) => inside,
        _ => &path,
    };
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
