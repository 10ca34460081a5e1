//! Source lines beside a finding, with a caret under the statement, where sources are at hand.

use crate::report::paint::{BOLD, DIM, MAGENTA, paint};
use poldet_records::Frame;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Folders with sources, packages as folders below them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    dirs: Vec<PathBuf>,
}

/// Some lines of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    pub path: String,
    /// The number of the first of them.
    pub first: usize,
    pub lines: Vec<String>,
}

impl Sources {
    pub fn new(dirs: Vec<PathBuf>) -> Result<Sources, String> {
        match dirs.iter().find(|d| !d.is_dir()) {
            Some(dir) => Err(format!("--sources '{}' is not a folder", dir.display())),
            None => Ok(Sources { dirs }),
        }
    }

    /// The file of a frame, and its text.
    pub fn read(&self, frame: &Frame) -> Option<(PathBuf, String)> {
        let file = frame.file.as_deref()?;
        let package = frame.class.rsplit_once('.').map_or("", |(p, _)| p);
        let inside = PathBuf::from(package.replace('.', "/")).join(file);
        self.dirs.iter().find_map(|dir| {
            let path = dir.join(&inside);
            let text = std::fs::read(&path).ok()?;
            Some((path, String::from_utf8_lossy(&text).into_owned()))
        })
    }

    /// The lines around that of a frame; nothing where there is no source.
    pub fn around(&self, frame: &Frame) -> Option<Excerpt> {
        const BEFORE: usize = 3;
        const LINES: usize = 6;
        let (path, text) = self.read(frame)?;
        let at = (frame.line? as usize).checked_sub(1)?;
        text.lines().nth(at)?;
        let first = at.saturating_sub(BEFORE);
        let lines = text.lines().skip(first).take(LINES);
        let here = std::env::current_dir().unwrap_or_default();
        Some(Excerpt {
            path: path.strip_prefix(&here).unwrap_or(&path).display().to_string(),
            first: first + 1,
            lines: lines.map(|l| l.replace('\t', "    ")).collect(),
        })
    }

    /// The line of a frame with the one before it, as compilers show it; nothing where there is no source.
    pub fn excerpt(&self, out: &mut dyn Write, frame: &Frame, indent: &str, colour: bool) -> io::Result<()> {
        let (Some((path, text)), Some(number)) = (self.read(frame), frame.line) else {
            return Ok(());
        };
        let lines: Vec<&str> = text.lines().collect();
        let Some(line) = (number as usize).checked_sub(1).and_then(|at| lines.get(at)) else {
            return Ok(());
        };
        let width = number.to_string().len();
        let arrow = paint("-->", DIM, colour);
        let here = std::env::current_dir().unwrap_or_default();
        let path = path.strip_prefix(&here).unwrap_or(&path);
        writeln!(out, "{indent}{arrow} {}:{number}", path.display())?;
        if number > 1 {
            let before = (number - 1).to_string();
            shown(out, indent, width, &before, lines[number as usize - 2], colour)?;
        }
        shown(out, indent, width, &number.to_string(), line, colour)?;
        let plain = line.replace('\t', "    ");
        let code = plain.split("//").next().unwrap_or(&plain).trim_end();
        let start = code.chars().take_while(|c| *c == ' ').count();
        let carets = "^".repeat(code.chars().count().saturating_sub(start).max(1));
        let bar = paint("|", DIM, colour);
        let carets = paint(&carets, MAGENTA, colour);
        writeln!(out, "{indent}{:width$} {bar} {}{carets}", "", " ".repeat(start))
    }
}

fn shown(
    out: &mut dyn Write,
    indent: &str,
    width: usize,
    number: &str,
    line: &str,
    colour: bool,
) -> io::Result<()> {
    let number = paint(&format!("{number:>width$}"), BOLD, colour);
    let bar = paint("|", DIM, colour);
    let text = format!("{indent}{number} {bar} {}", line.replace('\t', "    "));
    writeln!(out, "{}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_is_underlined() {
        let dir = std::env::temp_dir().join(format!("poldet-source-{}", std::process::id()));
        let package = dir.join("a/b");
        std::fs::create_dir_all(&package).expect("a folder");
        std::fs::write(package.join("C.java"), "class C {\n    n = 1; // why\n}\n").expect("a file");
        let sources = Sources::new(vec![dir.clone()]).expect("folders");
        let frame = Frame {
            class: "a.b.C$D".into(),
            method: "m".into(),
            file: Some("C.java".into()),
            line: Some(2),
            origin: None,
        };
        let mut out = Vec::new();
        sources.excerpt(&mut out, &frame, "  ", false).expect("text");
        let text = String::from_utf8(out).expect("UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("  --> ") && lines[0].ends_with("a/b/C.java:2"));
        assert_eq!(
            lines[1..],
            ["  1 | class C {", "  2 |     n = 1; // why", "    |     ^^^^^^"]
        );
        let around = sources.around(&frame).expect("lines");
        assert_eq!((around.first, around.lines.len()), (1, 3));
        std::fs::remove_dir_all(&dir).expect("removed");
    }
}
