//! The files of a fix: patches, texts for pull requests, and the document.

use crate::explore::fix::context::Context;
use crate::report;
use crate::source::patch;
use poldet_records::{FixDocument, FixTest, Patch, PatchSide};
use std::collections::BTreeMap;
use std::path::Path;

/// A patch as a diff of all files that it changes.
pub fn diff(context: &Context<'_>, texts: &BTreeMap<usize, String>) -> (Vec<u8>, Vec<String>) {
    let (mut bytes, mut names) = (Vec::new(), Vec::new());
    for (file, new) in texts {
        let file = context.file(*file);
        let path = patch::relative(context.project, &file.path);
        let bom = patch::has_bom(&file.path);
        bytes.extend(patch::diff(
            &path,
            &file.source.text.text,
            new,
            bom,
            context.encoding,
        ));
        names.push(path);
    }
    (bytes, names)
}

/// Writes a file whole or not at all.
pub fn file(out: &Path, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = out.join(name);
    let fail = |e: std::io::Error| format!("cannot write \"{}\": {e}", path.display());
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).map_err(fail)?;
    }
    let mut part = path.clone().into_os_string();
    part.push(".part");
    std::fs::write(&part, bytes).map_err(fail)?;
    std::fs::rename(&part, &path).map_err(fail)
}

/// The name of a patch's file.
pub fn patch_name(test: &str, number: usize) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') {
            c
        } else {
            '.'
        }
    };
    let name: String = test.chars().map(plain).collect();
    format!("patches/{}-{number}.patch", name.trim_end_matches('.'))
}

/// Writes the texts of patches and the document.
pub fn all(out: &Path, document: &FixDocument) -> Result<(), String> {
    for test in &document.tests {
        for patch in &test.patches {
            let name = patch.file.replace(".patch", ".md");
            file(
                out,
                &name,
                report::fix::pull_request(document, test, patch).as_bytes(),
            )?;
        }
    }
    let mut json = serde_json::to_vec_pretty(document).map_err(|e| e.to_string())?;
    json.push(b'\n');
    file(out, "fix.json", &json)
}

/// iFixFlakies' own file of a patch: its head, and the changed lines without context.
/// `file_of` says where the source of a test is.
pub fn ifixflakies(
    test: &FixTest,
    patch: &Patch,
    diff: &str,
    file_of: &dyn Fn(&str) -> Option<String>,
) -> String {
    let joined = |names: &[String], of: &dyn Fn(&String) -> String| -> String {
        let all: Vec<String> = names.iter().map(of).collect();
        all.join(",")
    };
    let dotted = |name: &String| name.replace('#', ".");
    let source = |name: &String| file_of(name).unwrap_or_default();
    // Statements that stay in the helper's class are called from there.
    let status = match patch.helper.is_some() && patch.code.first().is_some_and(|c| c.starts_with("new ")) {
        true => "INLINE FAIL",
        false => "INLINE SUCCESSFUL",
    };
    let polluters = test.others.first().cloned().unwrap_or_default();
    let helpers = patch.helper.clone().unwrap_or_default();
    let modified = match patch.side {
        PatchSide::Polluter => polluters.clone(),
        _ => vec![test.test.clone()],
    };
    let mut text = format!("STATUS: {status}\n");
    for (what, names) in [
        ("MODIFIED", &modified),
        ("CLEANER", &helpers),
        ("POLLUTER", &polluters),
    ] {
        text.push_str(&format!("{what}: {}\n", joined(names, &dotted)));
        text.push_str(&format!("{what} FILE: {}\n", joined(names, &source)));
    }
    text.push_str(&format!(
        "ORIGINAL CLEANER SIZE: {}\nNEW CLEANER SIZE: {}\nELAPSED TIME: 0.0\n==========================\n",
        patch.statements_of_helper.unwrap_or(0),
        patch.statements
    ));
    text.push_str(&hunks(diff));
    text
}

/// The hunks of a diff without context.
fn hunks(diff: &str) -> String {
    let mut text = String::new();
    let (mut old, mut new) = (0usize, 0usize);
    let mut open: Option<(usize, usize, Vec<&str>, Vec<&str>)> = None;
    let mut close = |open: &mut Option<(usize, usize, Vec<&str>, Vec<&str>)>| {
        if let Some((a, b, removed, added)) = open.take() {
            let from = if removed.is_empty() { a - 1 } else { a };
            let to = if added.is_empty() { b - 1 } else { b };
            text.push_str(&format!(
                "@@ -{from},{} +{to},{} @@\n",
                removed.len(),
                added.len()
            ));
            for line in removed.iter().chain(&added) {
                text.push_str(line);
                text.push('\n');
            }
        }
    };
    for line in diff.lines() {
        if let Some(head) = line.strip_prefix("@@ -") {
            close(&mut open);
            let number = |part: Option<&str>| {
                let part = part.and_then(|p| p.split(',').next());
                part.and_then(|p| p.parse().ok()).unwrap_or(0usize)
            };
            let mut parts = head.split(" +");
            (old, new) = (number(parts.next()), number(parts.next()));
        } else if line.starts_with("--- ") || line.starts_with("+++ ") || line.starts_with("diff ") {
            close(&mut open);
        } else if line.starts_with('-') {
            open.get_or_insert((old, new, Vec::new(), Vec::new()))
                .2
                .push(line);
            old += 1;
        } else if line.starts_with('+') {
            open.get_or_insert((old, new, Vec::new(), Vec::new()))
                .3
                .push(line);
            new += 1;
        } else if line.starts_with(' ') {
            close(&mut open);
            (old, new) = (old + 1, new + 1);
        }
    }
    close(&mut open);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_without_context() {
        let diff = "diff --git a/A b/A\n--- a/A\n+++ b/A\n@@ -1,5 +1,6 @@\n 1\n 2\n+x\n 3\n-4\n+y\n 5\n";
        assert_eq!(hunks(diff), "@@ -2,0 +3,1 @@\n+x\n@@ -4,1 +5,1 @@\n-4\n+y\n");
    }

    #[test]
    fn names_of_files() {
        assert_eq!(patch_name("a.B$C#m[2]", 1), "patches/a.B.C.m.2-1.patch");
    }
}
