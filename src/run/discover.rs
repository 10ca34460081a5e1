//! Finds test classes as Surefire does: by name, leaving out what cannot be instantiated.

use crate::run::suite::Suite;
use poldet_vm::classfile::{ClassFile, flags};

/// Surefire's defaults.
const DEFAULTS: [&str; 4] = ["**/Test*", "**/*Test", "**/*Tests", "**/*TestCase"];

/// A class that may hold tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    /// It names classes of JUnit 4 or 3.
    pub old: bool,
    /// It names classes of JUnit 5.
    pub new: bool,
}

pub struct Globs {
    include: Vec<Glob>,
    exclude: Vec<Glob>,
    nested: bool,
}

impl Globs {
    pub fn new(include: &[String], exclude: &[String]) -> Result<Globs, String> {
        let parse = |list: &[String]| list.iter().map(|g| Glob::parse(g)).collect::<Result<Vec<_>, _>>();
        let defaults: Vec<String> = DEFAULTS.iter().map(|g| (*g).to_owned()).collect();
        Ok(Globs {
            include: parse(if include.is_empty() { &defaults } else { include })?,
            exclude: parse(exclude)?,
            // Nested classes are left out unless asked for.
            nested: include.iter().any(|g| g.contains('$')),
        })
    }

    /// Is this class (by its path, without `.class`) asked for?
    fn takes(&self, path: &str) -> bool {
        (self.nested || !path.contains('$'))
            && self.include.iter().any(|g| g.matches(path))
            && !self.exclude.iter().any(|g| g.matches(path))
    }
}

/// All test classes of what is tested, in order of name.
pub fn test_classes(suite: &Suite, globs: &Globs) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for entry in &suite.tested {
        for file in entry.class_files() {
            let path = file.trim_end_matches(".class");
            if !globs.takes(path) || path.ends_with("module-info") || path.ends_with("package-info") {
                continue;
            }
            if let Some(candidate) = entry.read(&file).and_then(|bytes| look(path, &bytes)) {
                found.push(candidate);
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    found
}

/// A candidate, unless the class can hold no tests of its own. A damaged class stays: its error is a result.
pub fn look(path: &str, bytes: &[u8]) -> Option<Candidate> {
    // Class files are read once and live as long as the process.
    let leaked: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
    if let Ok(file) = ClassFile::parse(leaked) {
        let unfit = flags::ABSTRACT | flags::INTERFACE | flags::SYNTHETIC | flags::ANNOTATION;
        if file.access & unfit != 0 {
            return None;
        }
    }
    let has = |text: &str| contains(bytes, text.as_bytes());
    Some(Candidate {
        name: path.replace('/', "."),
        old: has("org/junit/Test;") || has("org/junit/runner/RunWith") || has("junit/framework/Test"),
        new: has("org/junit/jupiter/") || has("org/junit/platform/"),
    })
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|w| w == text)
}

/// A pattern over classes. With slashes it is one of Surefire: `*` within a folder, `**` across, `?` one character. Without, it is
/// one of ignore rules: `*` is any text, dots included. One of neither dots nor slashes is a class's name, in any package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(Vec<u8>);

impl Glob {
    pub fn parse(text: &str) -> Result<Glob, String> {
        let mut glob = text.trim();
        for suffix in [".class", ".java"] {
            glob = glob.strip_suffix(suffix).unwrap_or(glob);
        }
        if glob.is_empty() {
            return Err("an empty pattern".into());
        }
        let path = match (glob.contains('/'), glob.contains('.')) {
            (true, _) => glob.to_owned(),
            (false, false) => format!("**/{glob}"),
            (false, true) => glob.replace('.', "/").replace('*', ANY),
        };
        Ok(Glob(path.into_bytes()))
    }

    pub fn matches(&self, path: &str) -> bool {
        glob(&self.0, path.as_bytes())
    }
}

/// Any text, folders included, in a pattern that was written with dots: no class has this in its name.
const ANY: &str = "\u{1}";

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.first() {
        None => text.is_empty(),
        Some(1) => (0..=text.len()).any(|i| glob(&pattern[1..], &text[i..])),
        Some(b'*') if pattern.get(1) == Some(&b'*') => {
            let rest = &pattern[2..];
            // `**/x` also fits `x` itself.
            let inner = rest.strip_prefix(b"/").unwrap_or(rest);
            glob(inner, text)
                || (0..text.len()).any(|i| {
                    let boundary = rest.is_empty() || text[i] == b'/';
                    boundary && glob(inner, &text[i + 1..])
                })
                || rest.is_empty()
        }
        Some(b'*') => {
            let end = text.iter().position(|b| *b == b'/').unwrap_or(text.len());
            (0..=end).any(|i| glob(&pattern[1..], &text[i..]))
        }
        Some(b'?') => text.first().is_some_and(|b| *b != b'/') && glob(&pattern[1..], &text[1..]),
        Some(c) => text.first() == Some(c) && glob(&pattern[1..], &text[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surefires_defaults() {
        let globs = Globs::new(&[], &[]).unwrap();
        for (path, takes) in [
            ("a/b/FooTest", true),
            ("FooTests", true),
            ("TestFoo", true),
            ("a/FooTestCase", true),
            ("a/FooTest$Inner", false),
            ("a/Foo", false),
            ("a/FooTestHelper", false),
            ("testing/Foo", false),
        ] {
            assert_eq!(globs.takes(path), takes, "{path}");
        }
    }

    #[test]
    fn globs_of_users() {
        let fits = |g: &str, p: &str| Glob::parse(g).unwrap().matches(p);
        assert!(fits("*IT", "a/b/FooIT"));
        assert!(fits("**/*IT.java", "a/b/FooIT"));
        assert!(fits("a.b.*", "a/b/Foo"));
        assert!(fits("a.b.*", "a/b/c/Foo") && !fits("a.b.*", "a/bc/Foo"));
        assert!(fits("*time.*", "org/lang/time/FooTest") && !fits("*time.*", "org/times/FooTest"));
        assert!(fits("*.time.F?oTest", "org/lang/time/FooTest"));
        assert!(!fits("a/b/*", "a/b/c/Foo"));
        assert!(fits("a/**", "a/b/c/Foo"));
        assert!(fits("a.b.Foo", "a/b/Foo"));
        assert!(!fits("b/Foo", "a/b/Foo"));
        assert!(fits("Fo?", "x/Foo"));
    }
}
