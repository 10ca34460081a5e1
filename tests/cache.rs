//! Results are the same in every folder, and the same again without running: reports, files and exit codes.

mod common;

use common::{binary, built, copy, fresh, path};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::need;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Case {
    folder: PathBuf,
    cache: PathBuf,
}

impl Case {
    /// A folder with a suite in it, as `suite`, and a cache.
    fn new(name: &str, suite: &str) -> Option<Case> {
        let built = built(suite)?;
        let folder = fresh(&format!("cache-{name}"));
        copy(&built.classes, &folder.join("suite"));
        let cache = folder.join("cache");
        Some(Case { folder, cache })
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .current_dir(&self.folder)
            .env("XDG_STATE_HOME", self.folder.join("state"))
            .env("POLDET_RESULTS", &self.cache);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("poldet can be run")
    }

    /// Entries in the cache.
    fn entries(&self) -> usize {
        let text = String::from_utf8(self.run(&["cache", "stats"]).stdout).expect("text");
        let line = text.lines().find_map(|l| l.strip_prefix("entries: "));
        line.expect("entries").parse().expect("a number")
    }
}

fn text(output: &Output) -> (String, String, Option<i32>) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (stdout, stderr, output.status.code())
}

/// Without what is said about time.
fn timeless(text: &str) -> String {
    // `36 tests in 2 classes, 0.4 s: 36 passed`
    let lines = text
        .lines()
        .map(|line| match (line.rfind(" classes, "), line.find(" s: ")) {
            (Some(from), Some(to)) if from < to => format!("{}{}", &line[..from], &line[to..]),
            _ => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_report_is_the_same_in_every_folder() {
    for (name, command) in [
        ("pollution-values", "run"),
        ("pollution-files", "run"),
        ("builtin-identity", "run"),
        ("builtin-identity", "nio"),
    ] {
        let Some(case) = Case::new(&format!("folders-{name}-{command}"), name) else {
            return;
        };
        let mut found = Vec::new();
        for place in ["a", "b/with a longer name/c"] {
            let folder = case.folder.join(place);
            copy(&case.folder.join("suite"), &folder.join("suite"));
            let mut run = case.command(&[command, "suite", "--format", "json", "--no-cache"]);
            run.current_dir(&folder).env("LANG", place).env("TMPDIR", &folder);
            let (stdout, stderr, code) = text(&run.output().expect("poldet can be run"));
            assert!(stdout.contains("\"tests\""), "{stderr}");
            assert!(!stdout.contains(path(&case.folder)), "{stdout}");
            found.push((stdout, stderr, code));
        }
        assert!(
            found[0] == found[1],
            "{name} {command}: {}\n{}",
            found[0].0,
            found[1].0
        );
    }
}

#[test]
fn the_second_run_gives_the_same_bytes() {
    let Some(case) = Case::new("same", "pollution-values") else {
        return;
    };
    let forms: [&[&str]; 6] = [
        &["run", "suite", "--format", "json"],
        &["run", "suite", "--format", "jsonl"],
        &["run", "suite", "--fail-on", "polluter"],
        &["run", "suite", "--isolate", "method", "--format", "json"],
        &["nio", "suite", "--format", "json"],
        &["od", "suite", "--format", "json", "--rerun", "1"],
    ];
    for args in forms {
        let fresh = case.run(&[args, &["--no-cache"]].concat());
        let (first, second) = (case.run(args), case.run(args));
        for again in [&first, &second] {
            let ((out, err, code), (other, other_err, other_code)) = (text(&fresh), text(again));
            assert_eq!(timeless(&out), timeless(&other), "{args:?}");
            assert_eq!((err, code), (other_err, other_code), "{args:?}");
        }
    }
    let entries = case.entries();
    let kept = case.folder.join("state");
    assert!(kept.exists(), "the last run is kept");
    fs::remove_dir_all(&kept).expect("removed");
    let files = [
        "--report-dir",
        "reports",
        "--csv",
        "all.csv",
        "--sarif",
        "all.sarif",
    ];
    let all = [&["run", "suite"], &files[..]].concat();
    case.run(&all);
    assert!(kept.exists(), "a known run is kept as the last one, too");
    for (number, file) in ["reports/poldet.json", "all.csv", "all.sarif"].iter().enumerate() {
        let (with, without) = (case.folder.join(file), case.folder.join(format!("{number}.old")));
        fs::rename(&with, &without).expect("a report");
    }
    case.run(&[&all[..], &["--no-cache"]].concat());
    for (number, file) in ["reports/poldet.json", "all.csv", "all.sarif"].iter().enumerate() {
        let (with, without) = (case.folder.join(file), case.folder.join(format!("{number}.old")));
        assert_eq!(
            fs::read(with).expect("a report"),
            fs::read(without).expect("a report"),
            "{file}"
        );
    }
    // Reports of the same run in other forms are made of one entry.
    assert_eq!(case.entries(), entries);
}

#[test]
fn what_running_failing_tests_again_shows_is_kept() {
    let folder = fresh("cache-links");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/impact/src/impact");
    if junit_classes(&sources, &folder.join("suite")).is_none() {
        return;
    }
    let cache = folder.join("cache");
    let case = Case { folder, cache };
    for more in [&[][..], &["--impact"], &["--access"]] {
        let args = [&["run", "suite", "--format", "json"], more].concat();
        let fresh = case.run(&[&args[..], &["--no-cache"]].concat());
        let first = case.run(&args);
        let entries = case.entries();
        let used = |case: &Case| {
            let times = entries_of(&case.cache).into_iter();
            times
                .map(|e| fs::metadata(e).and_then(|m| m.modified()).expect("a time"))
                .collect::<Vec<_>>()
        };
        let before = used(&case);
        let second = case.run(&args);
        for again in [&first, &second] {
            assert_eq!(text(&fresh), text(again), "{more:?}");
        }
        assert!(text(&second).0.contains("\"polluted_by\""));
        assert_eq!(case.entries(), entries, "{more:?}");
        // The run and what was found after it, and no single test: nothing was started.
        let touched = before.iter().zip(used(&case)).filter(|(a, b)| **a != *b).count();
        assert_eq!(touched, 2, "{more:?}");
    }
}

#[test]
fn what_changes_is_run_again() {
    let Some(case) = Case::new("changes", "cache-outside") else {
        return;
    };
    let run = |args: &[&str]| {
        let all = [
            &["run", "suite", "--include", "Outside*", "--format", "json"],
            args,
        ]
        .concat();
        text(&case.run(&all)).0
    };
    fs::write(case.folder.join("data.txt"), "one").expect("a file");
    let first = run(&[]);
    assert!(first.contains("data is one"), "{first}");
    assert_eq!(run(&[]), first);
    assert_eq!(case.entries(), 1);
    // A file that a test reads.
    fs::write(case.folder.join("data.txt"), "two").expect("a file");
    let second = run(&[]);
    assert!(second.contains("data is two"), "{second}");
    fs::remove_file(case.folder.join("data.txt")).expect("removed");
    assert!(run(&[]).contains("no data"));
    // A folder that a test lists.
    fs::create_dir(case.folder.join("many")).expect("a folder");
    assert!(run(&[]).contains("0 names"));
    fs::write(case.folder.join("many/a"), "").expect("a file");
    assert!(run(&[]).contains("1 names"));
    // Options and the seed.
    let entries = case.entries();
    run(&["--seed", "5"]);
    run(&["-Dname=value"]);
    assert_eq!(case.entries(), entries + 2);
    run(&["--jobs", "1"]);
    assert_eq!(
        case.entries(),
        entries + 2,
        "how many processes run makes no difference"
    );
}

#[test]
fn what_does_not_follow_from_the_inputs_is_not_kept() {
    let Some(case) = Case::new("outside", "cache-outside") else {
        return;
    };
    for args in [
        &["--write-through"][..],
        &["--host-identity"],
        &["--network", "loopback"],
        &["--show-output"],
        &["--list"],
        &["--include", "RunsProgram*"],
        &["--include", "AsksKernel*"],
    ] {
        let output = case.run(&[&["run", "suite"], args].concat());
        assert!(output.status.code() != Some(3), "{}", text(&output).1);
        assert_eq!(case.entries(), 0, "{args:?}");
    }
    let Some(case) = Case::new("timeout", "bad-loop") else {
        return;
    };
    case.run(&["run", "suite", "--timeout", "2"]);
    assert_eq!(case.entries(), 0, "a test that timed out");
}

#[test]
fn a_changed_class_is_run_again() {
    if need::javac().is_none() {
        return;
    }
    let folder = fresh("cache-class");
    let source = folder.join("src");
    fs::create_dir_all(&source).expect("a folder");
    let classes = folder.join("classes");
    let compile = |number: u32| {
        let text = format!(
            "import org.junit.Test; public class SomeTest {{ @Test public void t() {{ System.out.print(\"it is {number}\"); }} }}"
        );
        fs::write(source.join("SomeTest.java"), text).expect("a file");
        junit_classes(&source, &classes).expect("it compiles");
    };
    let run = || {
        let output = Command::new(binary())
            .args(["run", "classes", "--format", "json"])
            .current_dir(&folder)
            .env("POLDET_RESULTS", folder.join("cache"))
            .output();
        text(&output.expect("poldet can be run")).0
    };
    compile(1);
    assert!(run().contains("it is 1") && run().contains("it is 1"));
    compile(2);
    assert!(run().contains("it is 2"));
}

#[test]
fn the_folder_is_kept_small_and_whole() {
    let Some(case) = Case::new("small", "cache-outside") else {
        return;
    };
    for seed in 0..4 {
        let seed = seed.to_string();
        case.run(&["run", "suite", "--include", "Outside*", "--seed", &seed]);
    }
    assert_eq!(case.entries(), 4);
    // A part of an entry is none: it is made again.
    let entry = entries_of(&case.cache).pop().expect("an entry");
    let bytes = fs::read(&entry).expect("bytes");
    fs::write(&entry, &bytes[..bytes.len() / 2]).expect("cut");
    let checked = case.run(&["cache", "verify"]);
    let (stdout, _, code) = text(&checked);
    assert!(stdout.contains("4 entries checked, 1 were not whole"), "{stdout}");
    assert_eq!(code, Some(1));
    assert_eq!(case.entries(), 3);
    case.run(&[
        "run",
        "suite",
        "--include",
        "Outside*",
        "--seed",
        "9",
        "--cache-size",
        "1",
    ]);
    assert_eq!(case.entries(), 0, "the limit holds");
    case.run(&["run", "suite", "--include", "Outside*"]);
    let (stdout, _, code) = text(&case.run(&["cache", "prune"]));
    assert!(
        stdout.starts_with("removed 1 entries") && code == Some(0),
        "{stdout}"
    );
    let wrong = case.run(&["run", "suite", "--cache", "/proc/none"]);
    let (_, stderr, code) = text(&wrong);
    assert!(
        stderr.starts_with("error: --cache '/proc/none': ") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert_eq!(code, Some(3));
}

fn entries_of(cache: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in fs::read_dir(cache.join("v1")).expect("a cache").flatten() {
        if folder.file_name() != "tmp" {
            found.extend(
                fs::read_dir(folder.path())
                    .expect("a folder")
                    .flatten()
                    .map(|e| e.path()),
            );
        }
    }
    found.sort();
    found
}

#[test]
fn many_processes_share_a_cache_and_may_be_killed() {
    let Some(case) = Case::new("shared", "cache-outside") else {
        return;
    };
    let args = ["run", "suite", "--include", "Outside*", "--format", "json"];
    let expected = text(&case.run(&[&args[..], &["--no-cache"]].concat()));
    for round in 0..3_u64 {
        let mut children: Vec<_> = (0..4)
            .map(|_| {
                case.command(&args)
                    .stdout(std::process::Stdio::null())
                    .spawn()
                    .expect("started")
            })
            .collect();
        std::thread::sleep(std::time::Duration::from_millis(40 * round));
        for child in &mut children[..2] {
            let _ = child.kill();
        }
        children.iter_mut().for_each(|c| {
            let _ = c.wait();
        });
        assert_eq!(text(&case.run(&args)), expected);
        let (_, _, code) = text(&case.run(&["cache", "verify"]));
        assert_eq!(code, Some(0));
    }
}
