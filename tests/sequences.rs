//! Sequences of tests from the zygote's state: each runs as if it were the only one, whatever prefixes it shares, however
//! many run at once. The tests in `testdata/sequences` print all that has happened in their VM.

mod common;

use clap::Parser;
use common::{binary, fresh, path};
use poldet::cli::{Cli, Command, Run};
use poldet::explore::explorer::{Explorer, Member};
use poldet::explore::process::PROGRAM;
use poldet::explore::sequences::Course;
use poldet::explore::setup::{Round, SILENCE, Setup};
use poldet::explore::trie::Sequence;
use poldet::explore::wire::Fork;
use poldet_records::Outcome;
use poldet_testdata::need;
use std::path::Path;

/// The fixtures, compiled against the built-in JUnit; None where there is no compiler.
fn options(name: &str) -> Option<Run> {
    let jdk = need::javac()?;
    let folder = fresh(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = root.join("testdata/sequences/src/seq");
    let files = ["Story", "ATest", "BTest", "HaltTest"].map(|c| sources.join(format!("{c}.java")));
    let done = std::process::Command::new(&jdk.javac)
        .args(["-encoding", "UTF-8", "-cp"])
        .arg(root.join("junit-shim/jars/junit.jar"))
        .arg("-d")
        .arg(&folder)
        .args(files)
        .status();
    assert!(done.expect("javac runs").success(), "the fixtures compile");
    let words = ["poldet", "run", path(&folder)];
    let Command::Run(run) = Cli::try_parse_from(words).expect("a command line").command else {
        unreachable!("it says run");
    };
    Some(run)
}

/// Sequences, by the names of methods, and what became of them.
fn run(setup: &Setup, jobs: usize, sequences: &[Vec<&str>], own: Option<(usize, Fork)>) -> Vec<String> {
    let _ = PROGRAM.set(binary().into());
    let names = setup.rounds.iter().filter_map(Round::in_zygote).collect();
    let started = Explorer::start(&setup.spec, jobs, SILENCE, &setup.stop, names);
    let (explorer, named) = started.unwrap_or_else(|end| panic!("the zygote ends: {end:?}"));
    let (classes, _) = explorer
        .list(&setup.rounds, named, true)
        .expect("tests are listed");
    let members: Vec<&Member> = classes.iter().flat_map(|c| &c.tests).collect();
    let find = |name: &&str| {
        let found = members.iter().find(|m| m.test.method.as_deref() == Some(*name));
        *found.expect("the test is there")
    };
    let asked: Vec<Sequence<'_>> = sequences
        .iter()
        .map(|names| Sequence {
            tests: names.iter().map(find).collect(),
            own: own.clone().filter(|(from, _)| *from < names.len()),
        })
        .collect();
    let found = explorer.sequences(&asked, &|_| {});
    let found = found.iter().zip(&asked);
    found
        .map(|(course, asked)| match course {
            Ok(course) => text(course, asked),
            Err(why) => format!("{why:?}"),
        })
        .collect()
}

/// What the tests of a sequence printed, one after the other, and how it ended.
fn text(course: &Course, asked: &Sequence<'_>) -> String {
    let records = course.by_place(&asked.tests);
    let texts = records.iter().map(|record| match record {
        None => "-".to_owned(),
        Some(r) if r.outcome == Outcome::Passed => r.printed.out.trim().to_owned(),
        Some(r) => format!("{:?}", r.outcome),
    });
    let end = if course.is_complete() { "" } else { " (ended)" };
    texts.collect::<Vec<_>>().join(" ") + end
}

/// What they are to print.
fn expected(names: &[&str]) -> String {
    let (mut story, mut printed) = (String::new(), Vec::new());
    let mut open: Option<&str> = None;
    for (i, name) in names.iter().enumerate() {
        let class = &name[..1];
        if open != Some(class) {
            if open.is_some() {
                story.push(')');
            }
            if class == "h" {
                printed.push("Error".to_owned());
                printed.extend(names[i + 1..].iter().map(|_| "-".to_owned()));
                return printed.join(" ") + " (ended)";
            }
            story.push_str(&format!("{}(", class.to_uppercase()));
            open = Some(class);
        }
        story.push_str(name);
        printed.push(story.clone());
    }
    printed.join(" ")
}

/// All sequences of one and two of these tests, and some longer ones.
fn sequences() -> Vec<Vec<&'static str>> {
    let tests = ["a1", "a2", "a3", "b1", "b2"];
    let mut all: Vec<Vec<&str>> = tests.iter().map(|t| vec![*t]).collect();
    for p in tests {
        all.extend(tests.iter().map(|v| vec![p, *v]));
    }
    all.push(vec![]);
    all.push(vec!["a1", "b1", "a2", "b2", "a1"]);
    all.push(vec!["a1", "b1", "a2", "b2", "a2"]);
    all.push(vec!["a1", "a2", "a3", "b1", "b3", "b2"]);
    all.push(vec!["a1", "a2", "a3", "b1", "b3", "b2"]);
    all.push(vec!["a2", "h1", "b1"]);
    all.push(vec!["a2", "h1", "b2", "a1"]);
    all
}

#[test]
fn shared_prefixes_do_not_show() {
    let Some(options) = options("sequences") else {
        return;
    };
    let setup = Setup::new(&options).expect("a suite");
    let sequences = sequences();
    let truth: Vec<String> = sequences.iter().map(|s| expected(s)).collect();
    for jobs in [1, 3] {
        assert_eq!(run(&setup, jobs, &sequences, None), truth, "{jobs} jobs");
    }
    let own = Some((1, Fork::default()));
    assert_eq!(
        run(&setup, 2, &sequences, own),
        truth,
        "a process for each last part"
    );
}
