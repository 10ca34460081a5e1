//! What is habit in this repository, held by a test: every Rust file says what it is for, `unsafe` stays behind its fence
//! and gives its reason, only some files print, and code blocks of the documents are closed.

use std::fs;
use std::path::{Path, PathBuf};

/// Places where standard output and standard error are written to: programs and tests. Any other file lifts
/// `clippy::print_stdout` or `clippy::print_stderr` with a reason.
const PRINTING: [&str; 7] = [
    "benches/",
    "src/exec.rs",
    "src/main.rs",
    "src/report/",
    "src/run/worker.rs",
    "testdata/src/bin/",
    "tests/",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below `dir` with this extension, relative to the root; what is built or hidden is left out.
fn files(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path.strip_prefix(root()).expect("below the root").to_owned());
        }
    }
}

/// What `check` finds wrong in the files with this extension.
fn wrong(extension: &str, check: impl Fn(&str, &str) -> Vec<String>) {
    let mut list = Vec::new();
    files(root(), extension, &mut list);
    list.sort();
    assert!(list.len() > 3, "only {} files", list.len());
    let mut found = Vec::new();
    for file in list {
        let text = fs::read_to_string(root().join(&file)).expect("text in UTF-8");
        let name = file.to_str().expect("a name in UTF-8");
        found.extend(check(name, &text).into_iter().map(|w| format!("{name}{w}")));
    }
    assert!(found.is_empty(), "{} wrong:\n{}", found.len(), found.join("\n"));
}

/// A line without its comment and without what stands between quotes.
fn code_of(line: &str) -> String {
    let mut code = String::new();
    let (mut chars, mut quoted) = (line.chars().peekable(), false);
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                chars.next();
            }
            '"' => quoted = !quoted,
            '/' if !quoted && chars.peek() == Some(&'/') => break,
            c if !quoted => code.push(c),
            _ => {}
        }
    }
    code
}

/// Whether `word` stands in `code` as a word of its own.
fn has_word(code: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

/// Whether the file lifts a lint and says why.
fn lifts(text: &str, lint: &str) -> bool {
    text.match_indices(lint).any(|(at, _)| {
        let before = &text[text[..at].rfind('#').unwrap_or(at)..at];
        let after = text[at..].split(")]").next().unwrap_or("");
        (before.contains("allow(") || before.contains("expect(")) && after.contains("reason = ")
    })
}

#[test]
fn files_say_what_they_are_for() {
    wrong("rs", |_, text| {
        let good = text.starts_with("//! ");
        (!good)
            .then(|| ": does not open with `//!`".to_owned())
            .into_iter()
            .collect()
    });
}

#[test]
fn unsafe_code_stays_behind_its_fence() {
    wrong("rs", |_, text| {
        let used = text.lines().position(|l| has_word(&code_of(l), "unsafe"));
        used.filter(|_| !lifts(text, "unsafe_code"))
            .map(|line| {
                format!(
                    ":{}: `unsafe` in a file that does not lift the lint with a reason",
                    line + 1
                )
            })
            .into_iter()
            .collect()
    });
}

#[test]
fn unsafe_blocks_say_why_they_are_sound() {
    wrong("rs", |_, text| {
        let lines: Vec<&str> = text.lines().collect();
        let blocks = lines.iter().enumerate().filter(|(_, line)| {
            let code = code_of(line);
            let signature = ["fn", "extern", "trait"]
                .iter()
                .any(|w| code.contains(&format!("unsafe {w}")));
            has_word(&code, "unsafe") && !signature
        });
        blocks
            .filter(|(at, _)| !is_explained(&lines, *at))
            .map(|(at, _)| format!(":{}: `unsafe` without a SAFETY comment", at + 1))
            .collect()
    });
}

/// Whether a SAFETY comment stands in the line or before the statement the line belongs to.
fn is_explained(lines: &[&str], at: usize) -> bool {
    let before = lines[..at].iter().rev().take(15);
    lines[at].contains("SAFETY:")
        || before
            .take_while(|l| {
                let code = code_of(l);
                !l.trim().is_empty() && !code.trim_end().ends_with([';', '}'])
            })
            .any(|l| l.contains("SAFETY:"))
}

#[test]
fn only_programs_and_tests_print() {
    wrong("rs", |name, text| {
        let test = name.contains("tests/") || name.ends_with("/build.rs");
        if test || PRINTING.iter().any(|place| name.starts_with(place)) {
            return Vec::new();
        }
        if lifts(text, "clippy::print_std") {
            return Vec::new();
        }
        // The unit tests come last in a file.
        let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
        let prints = ["println!", "eprintln!", "print!", "eprint!"];
        production
            .lines()
            .enumerate()
            .filter(|(_, line)| prints.iter().any(|p| has_word(&code_of(line), p)))
            .map(|(at, _)| format!(":{}: prints; tests/tidy.rs lists the places that may", at + 1))
            .collect()
    });
}

#[test]
fn code_blocks_of_documents_are_closed() {
    wrong("md", |_, text| {
        let mut open = None;
        let mut found = Vec::new();
        for (at, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                // A fence with a language cannot close a block.
                let opens = line.trim() != "```";
                match open {
                    Some(start) if opens => found.push(format!(":{start}: the code block is not closed")),
                    _ => {}
                }
                open = (open.is_none() || opens).then_some(at + 1);
            } else if open.is_some() && line.starts_with("## ") {
                found.push(format!(":{}: a heading in a code block", at + 1));
            }
        }
        found.extend(open.map(|start| format!(":{start}: the code block is not closed")));
        found
    });
}

/// Folders whose own folders are all on the map of ARCHITECTURE.md.
const MAPPED: [&str; 5] = ["", "src", "vm", "vm/src", "serializer/src"];

#[test]
fn the_map_is_the_layout_of_folders() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a document");
    let map = text.split("```").nth(1).expect("the map is the first code block");
    let paths = mapped(map);
    let mut wrong: Vec<String> = paths
        .iter()
        .filter(|p| !root().join(p).exists())
        .map(|p| format!("{p} is on the map, but not there"))
        .collect();
    for folder in MAPPED {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .strip_prefix(root())
                .expect("below the root")
                .to_string_lossy();
            let hidden = name.starts_with('.') || name == "target" || name.ends_with("tests");
            if path.is_dir() && !hidden && !paths.contains(&format!("{name}/")) {
                wrong.push(format!("{name}/ is not on the map of ARCHITECTURE.md"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The paths on a map: each line opens with one or more, below that of the last line that is indented less.
fn mapped(map: &str) -> Vec<String> {
    let mut outer: Vec<(usize, String)> = Vec::new();
    let mut paths = Vec::new();
    for line in map.lines() {
        let indent = line.len() - line.trim_start().len();
        // A line that is indented further goes on with the text of the one before.
        if line.trim().is_empty() || indent > 8 {
            continue;
        }
        outer.retain(|(other, _)| *other < indent);
        let above = outer.last().map_or(String::new(), |(_, path)| path.clone());
        let names = line.trim_start().split("  ").next().unwrap_or_default();
        for name in names.split(' ') {
            let path = format!("{above}{name}");
            outer.push((indent, path.clone()));
            paths.push(path);
        }
    }
    paths
}

#[test]
fn the_checks_see_what_they_look_for() {
    let map = "a/      one\n  b.rs c/  two\n            more\n    d.rs   three\ne/      four\n";
    assert_eq!(mapped(map), ["a/", "a/b.rs", "a/c/", "a/c/d.rs", "e/"]);
    assert_eq!(code_of(r#"a("un//safe \" b") // c"#), "a() ");
    assert!(has_word("x = unsafe {", "unsafe") && !has_word("#[expect(unsafe_code)]", "unsafe"));
    assert!(lifts("#![expect(unsafe_code, reason = \"why\")]", "unsafe_code"));
    assert!(!lifts("#![expect(unsafe_code)]", "unsafe_code") && !lifts("unsafe_code", "unsafe_code"));
    assert!(is_explained(
        &["// SAFETY: it is.", "let a =", "    unsafe { b };"],
        2
    ));
    assert!(!is_explained(&["// SAFETY: it is.", "a();", "unsafe { b };"], 2));
}
