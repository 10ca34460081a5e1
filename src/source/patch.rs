//! Patches that `git apply` takes: one change of one file, as a unified diff.

use crate::source::tree::Statement;
use crate::source::{deletion, tree::Source};
use encoding_rs::Encoding;
use std::ops::Range;
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
    let edits = edits(&a, &b);
    let mut out = Vec::new();
    let mut text = |part: String| out.extend_from_slice(&encoding.encode(&part).0);
    text(format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
    ));
    let mut at = 0;
    while at < edits.len() {
        // Changes with few lines between them are one hunk.
        let mut end = at + 1;
        while end < edits.len() && edits[end].0.start - edits[end - 1].0.end <= 2 * CONTEXT {
            end += 1;
        }
        let (first, last) = (&edits[at], &edits[end - 1]);
        let before = first.0.start.min(CONTEXT);
        let after = (a.len() - last.0.end).min(CONTEXT);
        let (from_a, to_a) = (first.0.start - before, last.0.end + after);
        let (from_b, to_b) = (first.1.start - before, last.1.end + after);
        text(format!(
            "@@ -{} +{} @@\n",
            span(from_a, to_a - from_a),
            span(from_b, to_b - from_b)
        ));
        let mut some = |sign: char, lines: &[&str], part: Range<usize>| {
            for (i, line) in lines[part.clone()].iter().enumerate() {
                let mark = if bom && part.start + i == 0 {
                    "\u{feff}"
                } else {
                    ""
                };
                text(format!("{sign}{mark}{line}"));
                if !line.ends_with('\n') {
                    text("\n\\ No newline at end of file\n".into());
                }
            }
        };
        let mut done = from_a;
        for (removed, added) in &edits[at..end] {
            some(' ', &a, done..removed.start);
            some('-', &a, removed.clone());
            some('+', &b, added.clone());
            done = removed.end;
        }
        some(' ', &a, done..to_a);
        at = end;
    }
    out
}

/// Lines of two texts whose product is compared for common ones.
const MOST_COMPARED: usize = 4 << 20;

/// Which lines of the first are replaced by which of the second, in their order.
fn edits(a: &[&str], b: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = a.iter().zip(b).take_while(same).count();
    let most = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(same)
        .count();
    let (end_a, end_b) = (a.len() - tail, b.len() - tail);
    let (rows, columns) = (end_a - head, end_b - head);
    if rows == 0 && columns == 0 {
        return Vec::new();
    }
    if rows * columns == 0 || rows * columns > MOST_COMPARED {
        return vec![(head..end_a, head..end_b)];
    }
    // Lengths of the longest common subsequences of what is left of both.
    let mut common = vec![vec![0_u32; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            common[i][j] = if a[head + i] == b[head + j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let mut edits: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut i, mut j, mut open) = (0, 0, None);
    while i < rows || j < columns {
        let equal = i < rows && j < columns && a[head + i] == b[head + j];
        if equal {
            if let Some((p, q)) = open.take() {
                edits.push((head + p..head + i, head + q..head + j));
            }
            (i, j) = (i + 1, j + 1);
            continue;
        }
        open.get_or_insert((i, j));
        if j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1]) {
            i += 1;
        } else {
            j += 1;
        }
    }
    if let Some((p, q)) = open {
        edits.push((head + p..head + i, head + q..head + j));
    }
    edits
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
    fn changes_far_apart_are_hunks_of_their_own() {
        let old: String = (1..=20).map(|i| format!("{i}\n")).collect();
        let new = old.replace("2\n3\n", "2\nx\n3\n").replace("18\n", "18\ny\n");
        let shown = patch(&old, &new);
        assert_eq!(shown.matches("@@ -").count(), 2, "{shown}");
        assert!(
            shown.contains("@@ -1,5 +1,6 @@\n 1\n 2\n+x\n 3\n 4\n 5\n"),
            "{shown}"
        );
        assert!(
            shown.contains("@@ -16,5 +17,6 @@\n 16\n 17\n 18\n+y\n 19\n 20\n"),
            "{shown}"
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
