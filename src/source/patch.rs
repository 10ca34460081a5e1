//! Patches that `git apply` takes: one change of one file, as a unified diff.

use crate::source::tree::Statement;
use crate::source::{deletion, tree::Source};
use encoding_rs::Encoding;
use std::path::{Path, PathBuf};

/// Lines around a change.
const CONTEXT: usize = 3;

/// The text without a statement; lines that held nothing else go with it.
pub fn without(source: &Source, statement: &Statement) -> String {
    let text = &source.text.text;
    let lines = source.text.whole_lines(&statement.range);
    let before = &text[lines.start..statement.range.start];
    let after = &text[statement.range.end..lines.end];
    if !statement.sole && before.trim().is_empty() && after.trim().is_empty() {
        return [&text[..lines.start], &text[lines.end..]].concat();
    }
    deletion::without(source, statement)
}

/// A diff between two versions of a file; `path` is relative to where it is applied.
pub fn diff(path: &str, old: &str, new: &str, bom: bool, encoding: &'static Encoding) -> Vec<u8> {
    let (a, b) = (lines(old), lines(new));
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = a.iter().zip(&b).take_while(same).count();
    let most = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(same)
        .count();
    let from = head.saturating_sub(CONTEXT);
    let (a_end, b_end) = (
        (a.len() - tail + CONTEXT).min(a.len()),
        (b.len() - tail + CONTEXT).min(b.len()),
    );
    let mut out = Vec::new();
    let mut text = |part: String| out.extend_from_slice(&encoding.encode(&part).0);
    text(format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
    ));
    text(format!(
        "@@ -{} +{} @@\n",
        span(from, a_end - from),
        span(from, b_end - from)
    ));
    let mut line = |sign: char, line: &str, number: usize| {
        let mark = if bom && number == 0 { "\u{feff}" } else { "" };
        text(format!("{sign}{mark}{line}"));
        if !line.ends_with('\n') {
            text("\n\\ No newline at end of file\n".into());
        }
    };
    for (i, l) in a[from..head].iter().enumerate() {
        line(' ', l, from + i);
    }
    for (i, l) in a[head..a.len() - tail].iter().enumerate() {
        line('-', l, head + i);
    }
    for (i, l) in b[head..b.len() - tail].iter().enumerate() {
        line('+', l, head + i);
    }
    for l in &a[a.len() - tail..a_end] {
        line(' ', l, 1);
    }
    out
}

fn span(from: usize, count: usize) -> String {
    let first = if count == 0 { from } else { from + 1 };
    format!("{first},{count}")
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The folder that patches are relative to: the nearest one around all sources that has `.git`, or else a build file.
pub fn project(dirs: &[PathBuf]) -> Result<PathBuf, String> {
    let mut common: Option<PathBuf> = None;
    for dir in dirs {
        let dir =
            std::fs::canonicalize(dir).map_err(|e| format!("cannot read \"{}\": {e}", dir.display()))?;
        common = Some(match common {
            None => dir,
            Some(common) => {
                let parts = common.components().zip(dir.components());
                parts.take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
            }
        });
    }
    let common = common.ok_or("no sources given")?;
    let holds = |dir: &&Path, names: &[&str]| names.iter().any(|n| dir.join(n).exists());
    let git = common.ancestors().find(|d| holds(d, &[".git"]));
    let build = || {
        let files = ["pom.xml", "build.gradle", "build.gradle.kts", "build.xml"];
        common.ancestors().find(|d| holds(d, &files))
    };
    Ok(git.or_else(build).unwrap_or(&common).to_owned())
}

/// A file's path inside the project, as diffs write it.
pub fn relative(project: &Path, file: &Path) -> String {
    let file = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let inside = file.strip_prefix(project).unwrap_or(&file);
    inside.display().to_string()
}

/// Whether the file begins with a byte order mark, which `Text` has taken off.
pub fn has_bom(file: &Path) -> bool {
    std::fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"\xef\xbb\xbf"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::text::Text;

    fn patch(old: &str, new: &str) -> String {
        let bytes = diff("d/A.java", old, new, false, encoding_rs::UTF_8);
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn lines_around_the_change_are_there() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let head = "diff --git a/d/A.java b/d/A.java\n--- a/d/A.java\n+++ b/d/A.java\n";
        assert_eq!(
            patch(old, "1\n2\n3\n4\n6\n7\n8\n9\n"),
            format!("{head}@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n")
        );
        assert_eq!(
            patch("a\r\nb;c\r\nd", "a\r\nb;\r\nd"),
            format!("{head}@@ -1,3 +1,3 @@\n a\r\n-b;c\r\n+b;\r\n d\n\\ No newline at end of file\n")
        );
    }

    #[test]
    fn a_statement_takes_its_own_lines_along() {
        let text = "class A {\n  void t() {\n    a();\n    b(); c();\n    if (x) d();\n  }\n}\n";
        let source = Source::parse(Text::new(text.into())).expect("parses");
        let all = source.statements(&source.methods()[0], true);
        let left = |part: &str| {
            let statement = all.iter().find(|s| source.of(&s.range) == part).expect("there");
            without(&source, statement)
        };
        assert_eq!(left("a();"), text.replace("    a();\n", ""));
        assert_eq!(left("b();"), text.replace("b(); c", " c"));
        assert_eq!(left("d();"), text.replace("d();", ";"));
    }
}
