//! Runs that are killed at random moments, by process: no test is lost, none is reported twice, and nothing is left over.
//! `POLDET_KILLS=200 cargo test --release --test kills` is the long run; the moments follow from `POLDET_KILL_SEED`.

mod common;

use common::path;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use poldet_testdata::need;
use poldet_testdata::suite::{self, build, result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Who is killed.
#[derive(Clone, Copy, Debug)]
enum Victim {
    Supervisor,
    /// The process that watches the worker.
    Watcher,
    Worker,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|t| t.parse().ok())
        .unwrap_or(otherwise)
}

/// SplitMix64: moments that can be had again.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn classes() -> Option<PathBuf> {
    let jdk = need::javac()?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/kills");
    let read = suite::read(&sources).expect("the suite can be read");
    let built = build::suite(&jdk, &read, &common::cache()).expect("the suite compiles");
    Some(built.classes.canonicalize().expect("a folder"))
}

fn start(classes: &Path, mark: &str, args: &[&str]) -> Child {
    Command::new(common::binary())
        .args(["run", path(classes), "--format=json"])
        .arg(format!("-Dkill.mark={mark}"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("poldet can be run")
}

/// The first child of a process, by any of its threads.
fn child_of(pid: u32) -> Option<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let lists = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    lists
        .into_iter()
        .find_map(|list| list.split_whitespace().next()?.parse().ok())
}

fn strike(child: &Child, victim: Victim) -> bool {
    let watcher = || child_of(child.id());
    let pid = match victim {
        Victim::Supervisor => Some(child.id()),
        Victim::Watcher => watcher(),
        Victim::Worker => watcher().and_then(child_of),
    };
    let pid = pid.and_then(|p| i32::try_from(p).ok());
    pid.is_some_and(|pid| kill(Pid::from_raw(pid), Signal::SIGKILL).is_ok())
}

/// Processes one of whose words contains this.
fn processes_with(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(mark)).collect()
}

fn all_are_gone(mark: &str) -> Result<(), Vec<String>> {
    let since = Instant::now();
    loop {
        let left = processes_with(mark);
        if left.is_empty() {
            return Ok(());
        }
        if since.elapsed() > Duration::from_secs(20) {
            return Err(left);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn run_and_kill(classes: &Path, args: &[&str], kills: u64, victims: &[Victim], seed: u64) {
    let mut state = seed;
    let mark = |n: u64| format!("8{:05}{:04}{n:04}", std::process::id() % 100_000, seed % 10_000);
    let begun = Instant::now();
    let whole = start(classes, &mark(0), args)
        .wait_with_output()
        .expect("it ends");
    let length = begun.elapsed();
    let names = |text: &[u8]| {
        let results = result::from_json(&String::from_utf8_lossy(text)).expect("a document");
        results
            .iter()
            .map(result::TestResult::id)
            .collect::<Vec<String>>()
    };
    let all: BTreeSet<String> = names(&whole.stdout).into_iter().collect();
    assert!(all.len() >= 5, "{all:?}");
    for n in 1..=kills {
        let victim = victims[usize::try_from(next(&mut state)).unwrap_or(0) % victims.len()];
        let share = (next(&mut state) % 1000) as u32;
        let moment = length * share / 1000;
        let what = format!("kill {n} of seed {seed}: {victim:?} after {moment:?} of {length:?}");
        let child = start(classes, &mark(n), args);
        let id = child.id();
        std::thread::sleep(moment);
        let struck = strike(&child, victim);
        let output = child.wait_with_output().expect("it ends");
        if let Err(left) = all_are_gone(&mark(n)) {
            panic!("{what}: left are {left:?}");
        }
        if matches!(victim, Victim::Supervisor) && struck {
            // Another run removes what this one could not.
            continue;
        }
        let reported = names(&output.stdout);
        let once: BTreeSet<String> = reported.iter().cloned().collect();
        assert_eq!(once.len(), reported.len(), "{what}: reported twice: {reported:?}");
        assert_eq!(once, all, "{what}");
        assert!(
            !PathBuf::from(format!("/dev/shm/poldet-overlay-{id}")).exists(),
            "{what}: an overlay is left"
        );
    }
    start(classes, &mark(9999), args)
        .wait_with_output()
        .expect("it ends");
}

#[test]
fn killed_runs_lose_nothing() {
    let Some(classes) = classes() else { return };
    let kills = number("POLDET_KILLS", 12);
    let seed = number("POLDET_KILL_SEED", 1);
    let victims = [
        Victim::Supervisor,
        Victim::Watcher,
        Victim::Worker,
        Victim::Worker,
    ];
    run_and_kill(&classes, &[], kills, &victims, seed);
}

#[test]
fn killed_searches_leave_nothing() {
    let Some(classes) = classes() else { return };
    let kills = number("POLDET_KILLS", 12) / 3;
    run_and_kill(
        &classes,
        &["--isolate=class", "--jobs=2"],
        kills,
        &[Victim::Supervisor],
        7,
    );
}
