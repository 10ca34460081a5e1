//! Searches whose processes are killed: the tests that ran have their verdicts, the others say that they did not run, and
//! nothing is left behind.

#![cfg(target_os = "linux")]

mod common;

use common::{built, path};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use poldet_testdata::generate::rng::Rng;
use poldet_testdata::need::{self, Need};
use poldet_testdata::suite::Built;
use serde_json::Value;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Clock ticks of CPU time after which a process is in the test that never ends.
const LONG: u64 = 150;

fn start(built: &Built, args: &[&str]) -> Child {
    Command::new(common::binary())
        .args(args)
        .args([
            path(&built.classes),
            "--timeout=0",
            "--jobs",
            "2",
            "--format",
            "json",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("poldet can be run")
}

fn children(pid: u32) -> Vec<u32> {
    let file = format!("/proc/{pid}/task/{pid}/children");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().filter_map(|p| p.parse().ok()).collect()
}

/// All processes below one, the nearest first.
fn below(pid: u32) -> Vec<u32> {
    let mut all = children(pid);
    let mut next = 0;
    while next < all.len() {
        all.extend(children(all[next]));
        next += 1;
    }
    all
}

/// User time of a process in ticks.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let rest = stat.rsplit(')').next().unwrap_or_default();
    let field = rest.split_whitespace().nth(11);
    field.and_then(|f| f.parse().ok()).unwrap_or(0)
}

fn kill_now(pid: u32) {
    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
}

/// Waits for the end, killing whatever `victim` names; standard output and error, the exit code, and all processes seen.
fn until_end(
    mut child: Child,
    victim: impl Fn(&[u32]) -> Option<u32>,
) -> (String, String, Option<i32>, Vec<u32>) {
    let mut seen: Vec<u32> = Vec::new();
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut stream) = stream {
                stream.read_to_string(&mut text).expect("it is text");
            }
            text
        })
    };
    let out = read(out.take().map(|s| Box::new(s) as Box<dyn Read + Send>));
    let err = read(err.take().map(|s| Box::new(s) as Box<dyn Read + Send>));
    let code = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status.code();
        }
        let all = below(child.id());
        seen.extend(
            all.iter()
                .filter(|p| !seen.contains(p))
                .copied()
                .collect::<Vec<_>>(),
        );
        if let Some(pid) = victim(&all) {
            kill_now(pid);
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = |t: std::thread::JoinHandle<String>| t.join().expect("it is read");
    (text(out), text(err), code, seen)
}

/// Processes that are not gone after a while, and overlays of the command.
fn left_behind(command: u32, seen: &[u32]) -> Vec<String> {
    let alive = |pid: &&u32| {
        let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
        stat.is_ok_and(|s| s.contains("(poldet)") && !s.contains(") Z "))
    };
    let mut left = Vec::new();
    for _ in 0..100 {
        left = seen
            .iter()
            .filter(alive)
            .map(|pid| format!("process {pid}"))
            .collect();
        let overlay = format!("poldet-overlay-{command}");
        let shm = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let names = shm.map(|e| e.file_name().to_string_lossy().into_owned());
        left.extend(names.filter(|n| *n == overlay));
        if left.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    left
}

fn outcomes(document: &str, key: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(document).unwrap_or_else(|e| panic!("{e}: {document}"));
    let tests = document["tests"].as_array().expect("tests");
    let text = |t: &Value| {
        let method = t["method"].as_str().unwrap_or_default();
        format!("{method} {}", t[key].as_str().unwrap_or_default())
    };
    let mut all: Vec<String> = tests.iter().map(text).collect();
    all.sort();
    all
}

/// Every test that a document names, with its class: with a verdict, or as one that has none since something did not run.
fn named(document: &str) -> Vec<String> {
    let mut all = outcomes(document, "class");
    let document: Value = serde_json::from_str(document).expect("it was read before");
    let left = document["without_verdict"].as_array().into_iter().flatten();
    all.extend(left.map(|t| {
        let (class, method) = t["test"]
            .as_str()
            .and_then(|name| name.split_once('#'))
            .expect("a test's name");
        format!("{method} {class}")
    }));
    all.sort();
    all
}

/// A process that has worked for long, below the zygote.
fn busy(all: &[u32]) -> Option<u32> {
    all.iter().skip(1).rev().find(|p| ticks(**p) > LONG).copied()
}

#[test]
fn a_killed_child_costs_one_test() {
    let Some(built) = built("bad-loop") else { return };
    for (args, key, before) in [
        (
            &["nio", "--mode", "isolated-method"][..],
            "verdict",
            "a_before idempotent",
        ),
        (&["run", "--isolate", "strict"][..], "outcome", "a_before passed"),
    ] {
        let child = start(&built, args);
        let id = child.id();
        let (out, err, code, seen) = until_end(child, busy);
        let found = outcomes(&out, key);
        assert!(found.iter().any(|t| t == before), "{found:?}\n{err}");
        assert!(
            found.iter().any(|t| t == "b_neverEnds crashed"),
            "{found:?}\n{err}"
        );
        assert_eq!(code, Some(poldet::exit::INCOMPLETE), "{err}");
        assert_eq!(left_behind(id, &seen), [""; 0], "{args:?}");
    }
}

#[test]
fn a_killed_zygote_ends_in_verdicts_too() {
    let Some(built) = built("bad-loop") else { return };
    for (args, key) in [
        (&["nio", "--mode", "isolated-method"][..], "verdict"),
        (&["run", "--isolate", "strict"][..], "outcome"),
    ] {
        let child = start(&built, args);
        let id = child.id();
        let (out, err, code, seen) = until_end(child, |all| busy(all).and(all.first().copied()));
        let found = outcomes(&out, key);
        assert!(
            found.iter().any(|t| t == "b_neverEnds crashed"),
            "{found:?}\n{err}"
        );
        assert_eq!(code, Some(poldet::exit::INCOMPLETE), "{err}");
        assert_eq!(left_behind(id, &seen), [""; 0], "{args:?}");
    }
}

/// Rounds of each command in which a process is killed; more by `POLDET_KILLS`, others by `POLDET_KILLS_SEED`.
const KILLS: u32 = 4;

/// Any process of a search is killed at any moment: the document is whole and names every test, and nothing stays.
#[test]
fn a_kill_at_any_moment_costs_no_other_test() {
    let Some(built) = built("pollution-paper") else {
        return;
    };
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u32>().ok());
    let rounds = number("POLDET_KILLS");
    let mut random = Rng::new(number("POLDET_KILLS_SEED").unwrap_or(1).into());
    for args in [
        &["run", "--isolate", "method"][..],
        &["run", "--isolate", "strict"][..],
        &["nio"][..],
        &["od"][..],
    ] {
        let started = std::time::Instant::now();
        let whole = start(&built, args).wait_with_output().expect("it ends");
        let time = started.elapsed();
        let expected = named(&String::from_utf8_lossy(&whole.stdout));
        for _ in 0..rounds.unwrap_or(KILLS) {
            let moment = time.mul_f64(random.below(1_000) as f64 / 1_000.0);
            let which = random.below(1_000);
            let killed = std::cell::Cell::new(None);
            let child = start(&built, args);
            let (id, started) = (child.id(), std::time::Instant::now());
            let (out, err, code, seen) = until_end(child, |all| {
                if killed.get().is_some() || started.elapsed() < moment || all.is_empty() {
                    return None;
                }
                killed.set(Some(all[which % all.len()]));
                killed.get()
            });
            // Not the document: a log of CI keeps its end only.
            let told = format!("{args:?}, {killed:?} after {moment:?}: {code:?}\n{err}");
            assert!(
                !err.contains("panicked") && !err.contains("internal error"),
                "{told}"
            );
            assert!(
                [poldet::exit::COMPLETE, poldet::exit::INCOMPLETE]
                    .map(Some)
                    .contains(&code)
                    || code == whole.status.code(),
                "{told}"
            );
            assert_eq!(named(&out), expected, "{told}");
            assert_eq!(left_behind(id, &seen), [""; 0], "{told}");
        }
    }
}

#[test]
fn an_interrupted_search_lists_the_tests_without_a_verdict() {
    let Some(built) = built("bad-loop") else { return };
    let child = start(&built, &["od"]);
    let id = child.id();
    let interrupt = |all: &[u32]| {
        if busy(all).is_some() {
            let _ = kill(Pid::from_raw(id as i32), Signal::SIGTERM);
        }
        None
    };
    let (out, err, code, seen) = until_end(child, interrupt);
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}\n{err}"));
    let left = document["without_verdict"]
        .as_array()
        .expect("tests without a verdict");
    let alone = |method: &str| {
        let named = |t: &&Value| t["test"].as_str().is_some_and(|name| name.ends_with(method));
        left.iter().find(named).map(|t| t["alone"].clone())
    };
    // The interrupt may come before it had its turn.
    let before = alone("#a_before");
    assert!(
        before == Some(Value::Null) || before == Some("passed".into()),
        "{document:#}"
    );
    assert_eq!(alone("#b_neverEnds"), Some(Value::Null), "{document:#}");
    assert_eq!(document["interrupted"], true);
    assert_eq!(code, Some(poldet::exit::INCOMPLETE), "{err}");
    assert_eq!(left_behind(id, &seen), [""; 0]);
}

/// A limit on processes binds no administrator: the command runs as a user who has no other processes.
const OTHER_USER: u32 = 65_533;

/// Runs a search on the example, with so many processes at most; its output, its standard error, and the code.
fn with_processes(most: u32, folder: &Path, args: &[&str]) -> Option<(String, String, Option<i32>)> {
    let mut command = Command::new("prlimit");
    command.arg(format!("--nproc={most}")).arg(common::binary());
    command.args(args).args(["--jobs", "2", "--format", "json"]);
    command.arg(folder.join("example.jar"));
    command
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null());
    command.uid(OTHER_USER).gid(OTHER_USER);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let id = child.id();
    let (out, err, code, seen) = until_end(child, |_| None);
    assert_eq!(left_behind(id, &seen), [""; 0], "{args:?}");
    Some((out, err, code))
}

#[test]
fn a_limit_on_processes_is_said_in_one_line() {
    let folder = std::env::temp_dir().join(format!("poldet-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let jar = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/example/example.jar");
    std::fs::copy(jar, folder.join("example.jar")).expect("a copy");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(&folder, open).expect("everybody may write");
    let enough = with_processes(500, &folder, &["run", "--isolate", "method"]);
    if enough.is_none_or(|(_, _, code)| code != Some(poldet::exit::COMPLETE)) {
        need::skip(Need::Root, "no prlimit, or no other user can run the command");
        let _ = std::fs::remove_dir_all(folder);
        return;
    }
    for args in [&["run", "--isolate", "method"][..], &["nio"][..]] {
        let mut refused = 0;
        for most in 2..10 {
            let (out, err, code) = with_processes(most, &folder, args).expect("it was there before");
            let told = format!("{args:?} with {most}: {code:?}\n{err}");
            assert!(
                !err.contains("panicked") && !err.contains("failed to spawn"),
                "{told}"
            );
            if code == Some(poldet::exit::COMPLETE) {
                break;
            }
            refused += 1;
            let lines = err
                .lines()
                .filter(|l| l.contains("Resource temporarily unavailable"));
            let in_document = out.matches("Resource temporarily unavailable").count();
            assert!(lines.count() + in_document > 0, "{told}\n{out}");
        }
        assert!(refused > 0, "{args:?}: every limit was enough");
    }
    std::fs::remove_dir_all(folder).expect("it is removed");
}
