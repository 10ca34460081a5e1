//! The corpus: which suites, and what to do with them.
//!
//! ```toml
//! commands = ["run", "od"]
//! options = ["--seed", "7"]
//! minutes = 5                       # of a batch
//!
//! [[suite]]
//! path = "jars/*-tests.jar"         # one suite for each
//! cp = ["lib/*", "common.jar"]
//!
//! [[suite]]
//! name = "core"
//! path = "projects/core"            # a Maven or Gradle project: one suite for each module
//!
//! [[suite]]
//! maven = "commons-cli:commons-cli:1.5.0"     # its jar and its `tests` jar
//! with = ["junit:junit:4.13.2"]
//! commands = ["nio"]
//! ```

use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What can be done with a suite.
pub const COMMANDS: [&str; 4] = ["run", "nio", "od", "inject"];
/// How long a batch is to take unless told otherwise, in minutes.
const MINUTES: f64 = 5.0;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    minutes: Option<f64>,
    #[serde(default)]
    sandbox: Sandboxes,
    #[serde(default)]
    suite: Vec<SuiteText>,
}

/// On which machines jobs may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sandboxes {
    /// Those whose sandbox can do what that of the planning machine can.
    #[default]
    Same,
    Any,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteText {
    name: Option<String>,
    path: Option<String>,
    maven: Option<String>,
    #[serde(default)]
    with: Vec<String>,
    #[serde(default)]
    cp: Vec<String>,
    dir: Option<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    options: Vec<String>,
    /// Seconds that a plain run takes, where that is known.
    cost: Option<f64>,
}

/// One entry, with globs expanded.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is called, if it was named or stands for itself.
    pub name: String,
    /// What it belongs to: the name given to several suites, or its own.
    pub project: String,
    pub from: From,
    pub class_path: Vec<String>,
    /// The tests' working folder.
    pub dir: Option<PathBuf>,
    pub sources: Vec<PathBuf>,
    pub commands: Vec<String>,
    pub options: Vec<String>,
    pub cost: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum From {
    /// A jar, a folder of classes or a project.
    Path(PathBuf),
    /// Coordinates, and those of further libraries.
    Maven(String, Vec<String>),
}

#[derive(Debug)]
pub struct Corpus {
    pub entries: Vec<Entry>,
    pub batch_seconds: f64,
    /// Reports may differ by what the sandbox of a machine lacks.
    pub any_sandbox: bool,
}

/// Reads a corpus; paths are relative to its folder.
pub fn read(file: &Path) -> Result<Corpus, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read '{name}': {e}"))?;
    let base = match file.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir.to_owned(),
        _ => PathBuf::from("."),
    };
    parse(&text, &base).map_err(|e| format!("'{name}': {e}"))
}

fn parse(text: &str, base: &Path) -> Result<Corpus, String> {
    let text: Text = toml::from_str(text).map_err(|e| {
        let line = e.span().map(|s| 1 + text[..s.start].matches('\n').count());
        let at = line.map_or_else(String::new, |l| format!("line {l}: "));
        format!("{at}{}", e.message())
    })?;
    let minutes = text.minutes.unwrap_or(MINUTES);
    if !minutes.is_finite() || minutes <= 0.0 {
        return Err(format!("minutes = {minutes}: a number above 0 is needed"));
    }
    let mut entries = Vec::new();
    for suite in &text.suite {
        entries.extend(expand(suite, &text, base)?);
    }
    if entries.is_empty() {
        return Err("it has no suites: add [[suite]] with path or maven".into());
    }
    let mut names: Vec<&str> = entries.iter().map(|e| e.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|w| w[0] == w[1]) {
        return Err(format!("two suites are called '{}': give them a name", pair[0]));
    }
    Ok(Corpus {
        entries,
        batch_seconds: minutes * 60.0,
        any_sandbox: text.sandbox == Sandboxes::Any,
    })
}

fn expand(suite: &SuiteText, all: &Text, base: &Path) -> Result<Vec<Entry>, String> {
    let commands = [&suite.commands, &all.commands]
        .into_iter()
        .find(|c| !c.is_empty())
        .cloned()
        .unwrap_or_else(|| vec!["run".into()]);
    if let Some(other) = commands.iter().find(|c| !COMMANDS.contains(&c.as_str())) {
        return Err(format!("commands: '{other}' is none of {}", COMMANDS.join(", ")));
    }
    if suite.cost.is_some_and(|c| !c.is_finite() || c < 0.0) {
        return Err("cost: seconds are needed".into());
    }
    let existing = |text: &String| {
        let path = base.join(text);
        match path.exists() {
            true => Ok(path),
            false => Err(format!("'{}' does not exist", path.display())),
        }
    };
    let absolute = |text: &String| match Path::new(text).is_absolute() {
        true => text.clone(),
        false => base.join(text).display().to_string(),
    };
    let entry = |name: String, from: From| -> Result<Entry, String> {
        Ok(Entry {
            project: suite.name.as_deref().map_or_else(|| name.clone(), plain),
            name,
            from,
            class_path: suite.cp.iter().map(absolute).collect(),
            dir: suite.dir.as_ref().map(existing).transpose()?,
            sources: suite.sources.iter().map(existing).collect::<Result<_, _>>()?,
            commands: commands.clone(),
            options: [&all.options[..], &suite.options].concat(),
            cost: suite.cost,
        })
    };
    match (&suite.path, &suite.maven) {
        (Some(path), None) => {
            let found = glob(base, path);
            if found.is_empty() {
                let what = base.join(path);
                return Err(match path.contains(['*', '?']) {
                    true => format!("nothing matches '{}'", what.display()),
                    false => format!("'{}' does not exist", what.display()),
                });
            }
            let several = found.len() > 1;
            let named = |path: PathBuf| {
                let own = path
                    .file_stem()
                    .map_or_else(|| ".".into(), |s| s.to_string_lossy().into_owned());
                let name = match &suite.name {
                    Some(name) if several => format!("{name}-{own}"),
                    Some(name) => name.clone(),
                    None => own,
                };
                entry(plain(&name), From::Path(path))
            };
            found.into_iter().map(named).collect()
        }
        (None, Some(maven)) => {
            for coordinates in std::iter::once(maven).chain(&suite.with) {
                check_coordinates(coordinates)?;
            }
            let own = maven.split(':').skip(1).collect::<Vec<_>>().join("-");
            let name = suite.name.clone().unwrap_or(own);
            let from = From::Maven(maven.clone(), suite.with.clone());
            Ok(vec![entry(plain(&name), from)?])
        }
        _ => Err("a suite needs either path or maven".into()),
    }
}

fn check_coordinates(text: &str) -> Result<(), String> {
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    match text.split(':').count() == 3 && text.split(':').all(plain) {
        true => Ok(()),
        false => Err(format!("'{text}': give group:artifact:version")),
    }
}

/// A name that a file can have.
fn plain(name: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    let name: String = name.chars().map(|c| if keep(c) { c } else { '-' }).collect();
    match name.trim_matches('.').is_empty() {
        true => "suite".into(),
        false => name,
    }
}

/// Paths that match, sorted; stars and question marks stand for parts of a name.
fn glob(base: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![match pattern.starts_with('/') {
        true => PathBuf::from("/"),
        false => base.to_owned(),
    }];
    for part in pattern.split('/').filter(|p| !p.is_empty()) {
        let mut next = Vec::new();
        for dir in found {
            if !part.contains(['*', '?']) {
                next.extend(Some(dir.join(part)).filter(|p| p.exists()));
                continue;
            }
            let mut names: Vec<String> = std::fs::read_dir(&dir)
                .into_iter()
                .flatten()
                .flatten()
                .map(|e| e.file_name().to_string_lossy().into_owned())
                .filter(|name| !name.starts_with('.') && matches(part.as_bytes(), name.as_bytes()))
                .collect();
            names.sort();
            next.extend(names.into_iter().map(|name| dir.join(name)));
        }
        found = next;
    }
    found
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|n| matches(rest, &name[n..])),
        (Some((b'?', rest)), Some((_, tail))) => matches(rest, tail),
        (Some((a, rest)), Some((b, tail))) => a == b && matches(rest, tail),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_corpus() {
        let dir = std::env::temp_dir().join(format!("poldet-corpus-{}", std::process::id()));
        std::fs::create_dir_all(dir.join("jars")).unwrap();
        for name in ["b-tests.jar", "a-tests.jar", "a.jar"] {
            std::fs::write(dir.join("jars").join(name), "").unwrap();
        }
        let text = "options = [\"--seed\", \"7\"]\n[[suite]]\npath = \"jars/?-tests.jar\"\ncp = [\"lib/*\"]\n\
            [[suite]]\nmaven = \"g:a:1.0\"\ncommands = [\"nio\", \"od\"]\n";
        let corpus = parse(text, &dir).unwrap();
        let names: Vec<&str> = corpus.entries.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["a-tests", "b-tests", "a-1.0"]);
        assert_eq!(corpus.entries[0].options, ["--seed", "7"]);
        assert_eq!(corpus.entries[2].commands, ["nio", "od"]);
        assert_eq!(corpus.batch_seconds, 300.0);
        for (text, line) in [
            ("", "no suites"),
            ("[[suite]]\npath = \"none.jar\"\n", "none.jar' does not exist"),
            ("[[suite]]\npath = \"none-*.jar\"\n", "nothing matches"),
            (
                "[[suite]]\nmaven = \"a:b\"\n",
                "'a:b': give group:artifact:version",
            ),
            (
                "[[suite]]\npath=\"jars/a.jar\"\ncommands=[\"explode\"]\n",
                "'explode' is none of run",
            ),
            ("[[suite]]\nname = \"x\"\n", "either path or maven"),
            ("[[suite]]\nspeed = 1\n", "line 2: unknown field `speed`"),
            (
                "[[suite]]\npath=\"jars/a.jar\"\n[[suite]]\npath=\"jars/a.jar\"\n",
                "two suites are called 'a'",
            ),
        ] {
            let error = parse(text, &dir).unwrap_err();
            assert!(error.contains(line) && !error.contains('\n'), "{error}");
        }
        std::fs::remove_dir_all(dir).unwrap();
    }
}
