//! Finds the programs and reads the directives in their first comment lines.
//!
//! ```java
//! // args: one two            arguments of main
//! // jvm: -ea --max-heap=64m  options of the VM
//! // stdin: a line\nanother   standard input, with \n and \\ as escapes
//! // exit: 3                  expected exit code, 0 when not given
//! // skip-stderr              standard error is not compared
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How a program is to be run and judged, as its own first lines say.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Directives {
    pub args: Vec<String>,
    pub jvm: Vec<String>,
    pub stdin: String,
    pub exit: i32,
    pub skip_stderr: bool,
}

/// One program: a Java file whose main class bears the file's name.
#[derive(Debug, Clone)]
pub struct Program {
    pub area: String,
    pub name: String,
    pub source: PathBuf,
    pub directives: Directives,
}

impl Program {
    /// The name used in filters, tables and the list of known failures: `area/Name`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.area, self.name)
    }

    /// The file beside the source with another extension.
    pub fn beside(&self, extension: &str) -> PathBuf {
        self.source.with_extension(extension)
    }
}

/// All programs below `dir`, by area and name.
pub fn find(dir: &Path) -> io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for area in sorted_entries(dir)? {
        if !area.is_dir() {
            continue;
        }
        for source in sorted_entries(&area)? {
            if source.extension().is_some_and(|e| e == "java") {
                programs.push(read(&area, source)?);
            }
        }
    }
    Ok(programs)
}

fn sorted_entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = fs::read_dir(dir)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

fn read(area: &Path, source: PathBuf) -> io::Result<Program> {
    let text = fs::read_to_string(&source)?;
    let directives = parse(&text)
        .map_err(|why| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", source.display())))?;
    Ok(Program {
        area: stem(area),
        name: stem(&source),
        source,
        directives,
    })
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Reads the directives among the comment lines that open `text`. A comment that is no directive is just a comment.
pub fn parse(text: &str) -> Result<Directives, String> {
    let mut found = Directives::default();
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("//") else {
            break;
        };
        let comment = comment.trim();
        if comment == "skip-stderr" {
            found.skip_stderr = true;
        } else if let Some((key, value)) = comment.split_once(':') {
            let value = value.trim();
            match key {
                "args" => found.args = words(value),
                "jvm" => found.jvm = words(value),
                "stdin" => found.stdin = unescape(value),
                "exit" => found.exit = value.parse().map_err(|_| format!("bad exit code {value:?}"))?,
                _ => {}
            }
        }
    }
    Ok(found)
}

fn words(value: &str) -> Vec<String> {
    value.split_whitespace().map(str::to_owned).collect()
}

fn unescape(value: &str) -> String {
    let mut text = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            (plain, false) => text.push(plain),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_from_the_first_comment_lines_only() {
        let text = "// args: a b\n// Why: prose.\n// exit: 3\n// stdin: x\\ny\n// skip-stderr\nclass A {}\n// exit: 9\n";
        let expected = Directives {
            args: vec!["a".into(), "b".into()],
            jvm: vec![],
            stdin: "x\ny".into(),
            exit: 3,
            skip_stderr: true,
        };
        assert_eq!(parse(text), Ok(expected));
        assert!(parse("// exit: many").is_err());
    }

    #[test]
    fn every_program_has_its_expected_output() {
        let programs = find(&crate::programs_dir()).unwrap();
        assert!(programs.len() >= 130, "only {} programs", programs.len());
        for program in programs {
            assert!(
                program.beside("out").exists(),
                "{} was never blessed",
                program.id()
            );
        }
    }

    /// Whether `text` has what looks like the identity hash that `Object.toString` prints.
    fn shows_identity_hash(text: &str) -> bool {
        text.split('@').skip(1).any(|rest| {
            let digits = rest
                .chars()
                .take_while(|c| matches!(c, '0'..='9' | 'a'..='f'))
                .count();
            (6..=8).contains(&digits)
        })
    }

    #[test]
    fn expected_output_holds_on_every_machine() {
        assert!(shows_identity_hash("java.lang.Object@1b6d3586") && !shows_identity_hash("user@cafe.org"));
        for program in find(&crate::programs_dir()).unwrap() {
            for extension in ["out", "err"] {
                let bytes = fs::read(program.beside(extension)).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes);
                assert!(
                    !shows_identity_hash(&text),
                    "{} prints an identity hash",
                    program.id()
                );
            }
        }
    }
}
