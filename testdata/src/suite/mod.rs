//! The fixture suites of `suites/`: small JUnit suites whose sources say what each test must come to.
//!
//! A suite is a folder of Java sources with `//~` expectations (see [`expect`]), marks of what its tests do to the
//! shared state (see [`mark`]) and, when it needs one, a file `suite.txt` (see [`spec`]). Suites without dependencies run
//! on poldet's built-in `org.junit` and are part of the ordinary tests; the others fetch their JUnit from Maven Central
//! into a cache outside the repository.

pub mod build;
pub mod document;
pub mod example;
pub mod expect;
pub mod fetch;
pub mod jar;
pub mod json;
pub mod mark;
pub mod pollution;
pub mod result;
pub mod run;
pub mod spec;

pub use build::Built;
pub use expect::Expectation;
pub use mark::Mark;
pub use result::TestResult;
pub use spec::{Run, Spec};

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One suite: its name, its folder and what the sources and `suite.txt` say.
#[derive(Debug, Clone)]
pub struct Suite {
    pub name: String,
    pub folder: PathBuf,
    pub spec: Spec,
    pub sources: Vec<PathBuf>,
    pub expectations: Vec<Expectation>,
    /// What the tests do to the shared state; empty when the suite says nothing of it.
    pub marks: Vec<Mark>,
}

/// The folder that holds the suites.
pub fn suites_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites")
}

/// All suites, by name.
pub fn all() -> Result<Vec<Suite>, String> {
    let dir = suites_dir();
    let mut folders = entries(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    folders.retain(|f| f.is_dir());
    folders.iter().map(|folder| read(folder)).collect()
}

/// Reads the suite in `folder`.
pub fn read(folder: &Path) -> Result<Suite, String> {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let spec = match fs::read_to_string(folder.join("suite.txt")) {
        Ok(text) => spec::parse(&text).map_err(|why| format!("{name}/suite.txt: {why}"))?,
        Err(_) => Spec::default(),
    };
    let mut sources = Vec::new();
    java_files(folder, &mut sources).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (mut expectations, mut marks) = (Vec::new(), Vec::new());
    for source in &sources {
        let text = fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
        let found = expect::parse(&text).map_err(|why| format!("{}: {why}", source.display()))?;
        expectations.extend(found);
        let file = source.file_name().unwrap_or_default().to_string_lossy();
        let found = mark::parse(&text, &file).map_err(|why| format!("{}: {why}", source.display()))?;
        marks.extend(found);
    }
    Ok(Suite {
        name,
        folder: folder.to_owned(),
        spec,
        sources,
        expectations,
        marks,
    })
}

fn java_files(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in entries(folder)? {
        if entry.is_dir() {
            java_files(&entry, into)?;
        } else if entry.extension().is_some_and(|e| e == "java") {
            into.push(entry);
        }
    }
    Ok(())
}

fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(dir)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_can_be_read_and_expects_something() {
        let suites = all().unwrap();
        assert!(suites.len() >= 20, "only {} suites", suites.len());
        for suite in suites {
            let ids: Vec<String> = suite.expectations.iter().map(Expectation::id).collect();
            assert!(
                !ids.is_empty() || suite.name == "bad-no-tests",
                "{} expects nothing",
                suite.name
            );
            assert_eq!(
                pollution::unmarked(&suite),
                Vec::<String>::new(),
                "{}: tests without a mark",
                suite.name
            );
            for wanted in suite.spec.runs.iter().flat_map(|r| r.only.iter().flatten()) {
                assert!(
                    ids.contains(wanted),
                    "{}: suite.txt names {wanted}, which no source has",
                    suite.name
                );
            }
        }
    }
}
