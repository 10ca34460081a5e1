//! The text report of eight suites, word by word (`testdata/texts`). `POLDET_BLESS=1` writes them anew: read them before they are
//! committed. What depends on the machine or the JDK is replaced by a word.

mod common;

use common::{built, command, fresh, path, poldet};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::need;
use poldet_testdata::suite::run::Ended;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The suite without what differs from machine to machine.
fn plain(text: &str, suite: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.replace(suite, "SUITE");
        let line = match line.split_once(" s: ") {
            Some((head, rest)) if head.contains(" tests in ") => {
                let (head, _) = head.rsplit_once(' ').unwrap_or((head, ""));
                format!("{head} N s: {rest}")
            }
            _ => line,
        };
        let line = match line.contains(" hidden by ") && line.contains(" ignore rule") {
            true => "N changes hidden by N ignore rules (--show-ignored lists them).".to_owned(),
            false => without(&line, " through ", ",", " through JDK"),
        };
        out.push_str(&long_numbers(&line));
        out.push('\n');
    }
    out
}

/// The line with what stands from `from` to before `to` replaced, once.
fn without(line: &str, from: &str, to: &str, by: &str) -> String {
    let Some((head, rest)) = line.split_once(from) else {
        return line.to_owned();
    };
    let tail = rest.find(to).map_or("", |at| &rest[at..]);
    format!("{head}{by}{tail}")
}

/// Numbers of ten digits and more are random.
fn long_numbers(line: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        out.push_str(if digits.len() >= 10 { "N" } else { &digits });
        digits.clear();
        out.push(c);
    }
    out.trim_end_matches('\n').to_owned()
}

/// Is the JDK of the release that the texts were written with? What is internal, and which lines write, differs between releases.
fn recorded() -> bool {
    need::javac_of(17).is_some()
}

fn compare(name: &str, ended: &Ended, suite: &str) {
    let text = plain(&ended.stdout, suite);
    let file = root().join("testdata/texts").join(format!("{name}.txt"));
    if std::env::var_os("POLDET_BLESS").is_some() {
        fs::create_dir_all(root().join("testdata/texts")).expect("a folder can be made");
        fs::write(&file, &text).expect("the text can be written");
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, expected, "{name}: testdata/texts/{name}.txt differs");
}

#[test]
fn the_bundled_example() {
    if !recorded() {
        return;
    }
    let suite = root().join("testdata/example/example.jar");
    compare(
        "example",
        &poldet(&[path(&suite), "--impact", "--access"]),
        path(&suite),
    );
}

#[test]
fn suites_of_classes() {
    if !recorded() {
        return;
    }
    for (name, options) in [("impact", &["--impact", "--access"][..]), ("od", &[])] {
        let sources = root().join(format!("testdata/{name}/src/{name}"));
        let Some(folder) = junit_classes(&sources, &fresh(&format!("texts-{name}"))) else {
            return;
        };
        let home = ["--jvm", "-Duser.language=en", "--jvm", "-Duser.country=US"];
        let args: Vec<&str> = [path(&folder)]
            .iter()
            .chain(&home)
            .chain(options)
            .copied()
            .collect();
        compare(name, &poldet(&args), path(&folder));
    }
}

#[test]
fn marked_suites() {
    if !recorded() {
        return;
    }
    for name in [
        "pollution-collections",
        "pollution-files",
        "pollution-fixtures",
        "pollution-none",
        "pollution-threads",
    ] {
        let Some(built) = built(name) else { return };
        let suite = path(&built.classes);
        compare(name, &poldet(&[suite]), suite);
    }
}

/// The README's first commands do what it shows.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let (_, rest) = readme
        .split_once("$ poldet run testdata/example/example.jar\n")
        .expect("the example");
    let (shown, _) = rest.split_once("```").expect("the end of the example");
    let suite = root().join("testdata/example/example.jar");
    let printed = poldet(&[path(&suite)]).stdout;
    for part in shown.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        assert!(
            printed.contains(part),
            "the README shows\n{part}\nand poldet prints\n{printed}"
        );
    }
    // The commands of its table of contents exist, with the options that it gives them.
    for line in readme.lines().filter(|l| l.starts_with("poldet ")) {
        let mut words = line.split_whitespace().skip(1);
        let name = words.next().expect("a command");
        let help = command(name, &["--help"]).stdout;
        for option in words.filter_map(|w| w.trim_start_matches('[').strip_prefix("--")) {
            let option = option.trim_end_matches([']', '…']);
            let option = option.split(['=', '|']).next().unwrap_or(option);
            assert!(help.contains(&format!("--{option}")), "{name} --{option}: {line}");
        }
    }
}
