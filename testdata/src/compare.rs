//! Compares what a run left behind with what is expected, and says where they first part.
//!
//! `Name.out` and `Name.err` hold for every JDK but those that a file of their own names: `Name.until-17.0.16.out` for
//! updates of JDK 17 up to that one, `Name.from-25.out` for JDK 25 and all that come after it, unless a later one is named.

use crate::compile::Version;
use crate::engine::{End, Outcome};
use crate::program::Program;
use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

/// What HotSpot did.
#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    pub stdout: Vec<u8>,
    /// Nothing when standard error is not to be compared.
    pub stderr: Option<Vec<u8>>,
    pub exit: i32,
}

/// Where a run first differs from what is expected.
#[derive(Debug, PartialEq, Eq)]
pub enum Difference {
    End {
        end: End,
        expected: i32,
        last_error: String,
    },
    Line {
        stream: &'static str,
        number: usize,
        expected: Option<String>,
        found: Option<String>,
    },
}

impl Expected {
    /// Reads the blessed files beside the program: those for this JDK.
    pub fn read(program: &Program, jdk: Version) -> io::Result<Expected> {
        let stdout = fs::read(blessed(program, "out", jdk)?)?;
        let stderr = if program.directives.skip_stderr {
            None
        } else {
            match fs::read(blessed(program, "err", jdk)?) {
                Ok(bytes) => Some(without_library_lines(&bytes)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
                Err(e) => return Err(e),
            }
        };
        Ok(Expected {
            stdout,
            stderr,
            exit: program.directives.exit,
        })
    }

    /// The first difference, standard output first: it tells most.
    pub fn difference(&self, outcome: &Outcome) -> Option<Difference> {
        first_line("out", &self.stdout, &outcome.stdout)
            .filter(|_| matches!(outcome.end, End::Exit(_)))
            .or_else(|| self.end_difference(outcome))
            .or_else(|| {
                self.stderr
                    .as_ref()
                    .and_then(|stderr| first_line("err", stderr, &without_library_lines(&outcome.stderr)))
            })
    }

    fn end_difference(&self, outcome: &Outcome) -> Option<Difference> {
        if outcome.end == End::Exit(self.exit) {
            return None;
        }
        let text = String::from_utf8_lossy(&outcome.stderr);
        let last_error = text
            .lines()
            .rfind(|l| !l.trim().is_empty())
            .unwrap_or("")
            .to_owned();
        Some(Difference::End {
            end: outcome.end,
            expected: self.exit,
            last_error,
        })
    }
}

/// The file that holds what a program prints on this JDK.
pub fn blessed(program: &Program, extension: &str, jdk: Version) -> io::Result<PathBuf> {
    let folder = program.source.parent().unwrap_or(std::path::Path::new("."));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let jdks = name
            .strip_prefix(&format!("{}.", program.name))
            .and_then(|rest| rest.strip_suffix(&format!(".{extension}")));
        if let Some(jdks) = jdks.filter(|jdks| holds_for(jdks, jdk)) {
            found.push((closeness(jdks), path));
        }
    }
    let own = found.into_iter().max().map(|(_, path)| path);
    Ok(own.unwrap_or_else(|| program.beside(extension)))
}

/// Of several that name a JDK the closest counts: `until` before `from`, the latest of those.
fn closeness(jdks: &str) -> (bool, Option<Version>) {
    (
        jdks.starts_with("until-"),
        jdks.strip_prefix("from-").and_then(Version::parse),
    )
}

/// Whether `until-17.0.16` or `from-25` names this JDK.
fn holds_for(jdks: &str, jdk: Version) -> bool {
    if let Some(last) = jdks.strip_prefix("until-").and_then(Version::parse) {
        jdk.feature == last.feature && jdk <= last
    } else if let Some(first) = jdks.strip_prefix("from-").and_then(Version::parse) {
        jdk >= first
    } else {
        false
    }
}

fn first_line(stream: &'static str, expected: &[u8], found: &[u8]) -> Option<Difference> {
    if expected == found {
        return None;
    }
    let mut expected = expected.split(|&b| b == b'\n');
    let mut found = found.split(|&b| b == b'\n');
    for number in 1.. {
        let (want, have) = (expected.next(), found.next());
        if want != have || want.is_none() {
            return Some(Difference::Line {
                stream,
                number,
                expected: want.map(text),
                found: have.map(text),
            });
        }
    }
    None
}

/// Standard error without the line numbers in frames of the class library, which differ from one update to the next.
pub fn without_library_lines(stderr: &[u8]) -> Vec<u8> {
    let lines = stderr.split(|&b| b == b'\n').map(|line| {
        let text = String::from_utf8_lossy(line);
        match text
            .trim_start()
            .strip_prefix("at java.base/")
            .and_then(|_| text.rsplit_once(':'))
        {
            Some((frame, _)) => format!("{frame})").into_bytes(),
            None => line.to_vec(),
        }
    });
    lines.collect::<Vec<_>>().join(&b'\n')
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::End {
                end,
                expected,
                last_error,
            } => {
                match end {
                    End::Exit(code) => write!(f, "exit code {code}, expected {expected}")?,
                    End::Signal => write!(f, "killed by a signal")?,
                    End::TimedOut => write!(f, "timed out")?,
                    End::TooMuchOutput => write!(f, "printed without end")?,
                }
                if last_error.is_empty() {
                    Ok(())
                } else {
                    write!(f, "; last error: {last_error}")
                }
            }
            Difference::Line {
                stream,
                number,
                expected,
                found,
            } => {
                writeln!(f, "{stream} line {number}")?;
                writeln!(f, "      expected: {}", shown(expected))?;
                write!(f, "      found:    {}", shown(found))
            }
        }
    }
}

/// A line cut to what a table can hold.
fn shown(line: &Option<String>) -> String {
    match line {
        None => "(end of output)".into(),
        Some(line) => line.chars().take(300).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn outcome(stdout: &str, end: End) -> Outcome {
        Outcome {
            stdout: stdout.into(),
            stderr: Vec::new(),
            end,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn lines_of_the_library_do_not_count() {
        let frames = b"E: x\n\tat A.m(A.java:3)\n\tat java.base/B.r(B.java:840)\n";
        let expected = b"E: x\n\tat A.m(A.java:3)\n\tat java.base/B.r(B.java)\n";
        assert_eq!(without_library_lines(frames), expected);
    }

    #[test]
    fn expectations_name_their_jdks() {
        let holds = |jdks, jdk| holds_for(jdks, Version::parse(jdk).unwrap());
        assert!(holds("until-17.0.16", "17") && holds("until-17.0.16", "17.0.16"));
        assert!(!holds("until-17.0.16", "17.0.17") && !holds("until-21.0.8", "17.0.1"));
        assert!(holds("from-25", "25.0.3") && holds("from-25", "26") && !holds("from-25", "24.0.2"));
        assert!(!holds("25", "25"));
        assert!(
            closeness("from-25") > closeness("from-21") && closeness("until-21.0.8") > closeness("from-21")
        );
    }

    #[test]
    fn the_first_differing_line_is_named() {
        let expected = Expected {
            stdout: b"a\nb\n".to_vec(),
            stderr: None,
            exit: 0,
        };
        assert_eq!(expected.difference(&outcome("a\nb\n", End::Exit(0))), None);
        let line = Difference::Line {
            stream: "out",
            number: 2,
            expected: Some("b".into()),
            found: Some("c".into()),
        };
        assert_eq!(expected.difference(&outcome("a\nc\n", End::Exit(0))), Some(line));
        let end = Difference::End {
            end: End::TimedOut,
            expected: 0,
            last_error: String::new(),
        };
        assert_eq!(expected.difference(&outcome("a\n", End::TimedOut)), Some(end));
    }
}
