//! What to try when tests fail for want of something: one line each, with the option that helps.

use crate::report::pollution::count;
use poldet_records::{Document, JUnit, Outcome, Record};
use std::collections::BTreeSet;

/// Names listed in one hint.
const NAMES: usize = 3;

pub fn hints(document: &Document) -> Vec<String> {
    let failing = |r: &&Record| matches!(r.outcome, Outcome::Failed | Outcome::Error);
    let failing: Vec<&Record> = document.tests.iter().filter(failing).collect();
    let mut hints = Vec::new();
    hints.extend(missing_classes(&failing, document));
    hints.extend(closed_packages(&failing));
    hints.extend(project_files(&failing));
    hints
}

/// Classes that are nowhere on the class path.
fn missing_classes(failing: &[&Record], document: &Document) -> Option<String> {
    let is_missing = |line: &&String| {
        line.contains("java.lang.NoClassDefFoundError: ")
            || line.contains("java.lang.ClassNotFoundException: ")
    };
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut tests = 0;
    for record in failing {
        let mut lines = record.stack.iter().filter(is_missing).peekable();
        tests += usize::from(lines.peek().is_some());
        let found = lines.filter_map(|l| class_in(l.rsplit(": ").next().unwrap_or("")));
        names.extend(found);
    }
    if names.is_empty() {
        return None;
    }
    let shown: Vec<&str> = names.iter().take(NAMES).map(String::as_str).collect();
    let more = match names.len().saturating_sub(NAMES) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let junit = match document.head.junit {
        JUnit::BuiltIn if names.iter().any(|n| n.starts_with("org.junit.")) => {
            " The suite's own JUnit is among what is missing."
        }
        _ => "",
    };
    Some(format!(
        "{} needed classes that are not on the class path: {}{more}.{junit} Add them with --cp; 'poldet doctor' lists all of them.",
        count(tests, "failing test"),
        shown.join(", ")
    ))
}

/// A class's name, and nothing else.
fn class_in(text: &str) -> Option<String> {
    let name = text.trim().replace('/', ".");
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

/// Packages that would have to be opened: HotSpot's message names module and package.
fn closed_packages(failing: &[&Record]) -> Option<String> {
    let mut options: BTreeSet<String> = BTreeSet::new();
    let mut tests = 0;
    for record in failing {
        let found: BTreeSet<String> = record.stack.iter().filter_map(|l| closed(l)).collect();
        tests += usize::from(!found.is_empty());
        options.extend(found);
    }
    if options.is_empty() {
        return None;
    }
    let shown: Vec<String> = options.iter().take(NAMES).cloned().collect();
    Some(format!(
        "{} needed access to packages that the JDK closes. Try {}",
        count(tests, "failing test"),
        shown.join(" ")
    ))
}

/// `… module java.base does not "opens java.util" to unnamed module …`.
fn closed(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("module ")?;
    let (module, rest) = rest.split_once(" does not \"")?;
    let (what, to) = rest.split_once('"')?;
    let (verb, package) = what.split_once(' ')?;
    let option = match verb {
        "opens" => "--add-opens",
        "exports" => "--add-exports",
        _ => return None,
    };
    to.contains("unnamed module")
        .then(|| format!("--jvm={option}={module}/{package}=ALL-UNNAMED"))
}

/// Tests often read files of the project they were compiled in.
fn project_files(failing: &[&Record]) -> Option<String> {
    let looks = |r: &&&Record| {
        let text = r.message.as_deref().unwrap_or("");
        ["src/test/", "src/main/"].iter().any(|dir| text.contains(dir))
    };
    match failing.iter().filter(looks).count() {
        0 => None,
        n => Some(format!(
            "{} {} project files (src/…). Use --dir to run in the project's folder.",
            count(n, "failing test"),
            if n == 1 { "mentions" } else { "mention" }
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_from_the_message() {
        let line = "java.lang.reflect.InaccessibleObjectException: Unable to make field private final java.util.Comparator \
                    java.util.TreeMap.comparator accessible: module java.base does not \"opens java.util\" to unnamed module @1b2";
        assert_eq!(
            closed(line).as_deref(),
            Some("--jvm=--add-opens=java.base/java.util=ALL-UNNAMED")
        );
        assert_eq!(closed("at a.B.c(B.java:1)"), None);
        assert_eq!(class_in("org/junit/Foo$1").as_deref(), Some("org.junit.Foo$1"));
        assert_eq!(class_in("Could not initialize class x"), None);
    }
}
