//! The suites that are measured: those of `scripts/parity.ini`, by name, and folders of compiled classes.

use super::Entries;
use crate::compile::Jdk;
use crate::suite::{fetch, jar};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A compiled suite and what it needs.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub name: String,
    pub entries: Entries,
    pub jars: Vec<PathBuf>,
    pub jvm: Vec<String>,
}

const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.9.3";

/// The suite `name` of the list, fetched.
pub fn listed(jdk: &Jdk, name: &str) -> Result<Compiled, String> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/parity.ini");
    let text = std::fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
    let section = section(&text, name).ok_or(format!("{name} is not in {}", list.display()))?;
    let words = |key: &str| -> Vec<String> {
        let values = section
            .iter()
            .filter(|(k, _)| k == key)
            .map(|(_, value)| value.as_str());
        values
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    };
    let tests = fetch::jars(jdk, &words("tests"))?;
    let mut needed = words("classpath");
    if words("junit") == ["5"] {
        needed.push(CONSOLE.to_owned());
    }
    Ok(Compiled {
        name: name.to_owned(),
        entries: read_jar(tests.first().ok_or("no tests")?)?,
        jars: fetch::jars(jdk, &needed)?,
        jvm: joined(words("jvm")),
    })
}

/// The suite whose classes lie in `folder`.
pub fn folder(name: &str, folder: &Path, jars: &[PathBuf]) -> Result<Compiled, String> {
    let files = jar::files(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(Compiled {
        name: name.to_owned(),
        entries: files.into_iter().collect(),
        jars: jars.to_vec(),
        jvm: Vec::new(),
    })
}

/// The settings of one section, continued lines joined.
fn section(text: &str, name: &str) -> Option<Vec<(String, String)>> {
    let header = format!("[{name}]");
    let mut lines = text.lines().skip_while(|l| l.trim() != header);
    lines.next()?;
    let mut found: Vec<(String, String)> = Vec::new();
    for line in lines
        .take_while(|l| !l.starts_with('['))
        .filter(|l| !l.starts_with('#'))
    {
        match (line.starts_with(char::is_whitespace), line.split_once('=')) {
            (false, Some((key, value))) => found.push((key.trim().to_owned(), value.trim().to_owned())),
            _ => {
                if let Some((_, value)) = found.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            }
        }
    }
    Some(found)
}

/// `--add-opens x` as the one word `--add-opens=x`.
fn joined(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words {
        match out.last_mut() {
            Some(last) if last.starts_with("--add-") && !last.contains('=') => {
                last.push('=');
                last.push_str(&word);
            }
            _ => out.push(word),
        }
    }
    out
}

fn read_jar(file: &Path) -> Result<Entries, String> {
    let read = || -> Result<Entries, Box<dyn std::error::Error>> {
        let mut jar = zip::ZipArchive::new(File::open(file)?)?;
        let mut entries = Entries::new();
        for at in 0..jar.len() {
            let mut entry = jar.by_index(at)?;
            if entry.is_file() {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes)?;
                entries.insert(entry.name().to_owned(), bytes);
            }
        }
        Ok(entries)
    };
    read().map_err(|e| format!("{}: {e}", file.display()))
}
