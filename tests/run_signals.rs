//! A run that is ended from outside: it tells what it knows, and leaves nothing behind.

#![cfg(target_os = "linux")]

mod common;

use common::{built, fresh, path};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that has come to a test without end.
struct Looping {
    child: Child,
    worker: Pid,
}

impl Looping {
    /// Runs a test that passes, and then the one without end.
    fn start(args: &[&str]) -> Option<Looping> {
        let order = fresh(&format!("signals-{:?}", std::thread::current().id())).join("order.txt");
        std::fs::write(&order, "bad.LoopTest#a_before\nbad.LoopTest#b_neverEnds\n")
            .expect("it can be written");
        Looping::start_with(&[&["--order", path(&order)], args].concat())
    }

    fn start_with(args: &[&str]) -> Option<Looping> {
        let built = built("bad-loop")?;
        let mut child = Command::new(common::binary())
            .args(["run", path(&built.classes), "--timeout=0", "--show-output"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("poldet can be run");
        let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut line = String::new();
        while !line.contains("in the loop") {
            line.clear();
            assert!(
                errors.read_line(&mut line).expect("it can be read") > 0,
                "ended too early"
            );
        }
        // Somebody has to read what follows.
        std::thread::spawn(move || errors.read_to_end(&mut Vec::new()));
        let worker = worker_of(&child);
        Some(Looping { child, worker })
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"))
    }

    /// What it says on standard output, and its exit code.
    fn end(&mut self) -> (String, Option<i32>) {
        let mut text = String::new();
        let mut out = self.child.stdout.take().expect("it is piped");
        out.read_to_string(&mut text).expect("it can be read");
        (text, self.child.wait().expect("it ends").code())
    }

    fn overlays(&self) -> Vec<PathBuf> {
        let name = format!("poldet-overlay-{}", self.child.id());
        let entries = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let of_it = entries.filter(|e| e.file_name().to_string_lossy() == name);
        of_it.map(|e| e.path()).collect()
    }

    fn worker_is_gone(&self) -> bool {
        let since = Instant::now();
        while alive(self.worker) {
            if since.elapsed() > Duration::from_secs(20) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

fn worker_of(supervisor: &Child) -> Pid {
    let children = format!("/proc/{0}/task/{0}/children", supervisor.id());
    let children = std::fs::read_to_string(children).expect("there is a worker");
    children.trim().parse().map(Pid::from_raw).expect("one worker")
}

/// Is there such a process, other than one that only waits to be noticed?
fn alive(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    stat.is_ok_and(|s| {
        !s.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

fn ends_cleanly(to: impl Fn(&Looping) -> Pid, signal: Signal) {
    let Some(mut run) = Looping::start(&["--format=json"]) else {
        return;
    };
    if Path::new("/dev/shm").is_dir() {
        assert_eq!(run.overlays().len(), 1);
    }
    kill(to(&run), signal).expect("the signal can be sent");
    let (text, code) = run.end();
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("\"interrupted\": true"), "{text}");
    assert!(text.contains("\"method\": \"a_before\""), "{text}");
    assert!(
        !text.contains("\"method\": \"b_neverEnds\""),
        "it has no outcome: {text}"
    );
    assert!(run.worker_is_gone(), "an orphan");
    assert_eq!(run.overlays(), Vec::<PathBuf>::new());
}

#[test]
fn ctrl_c_ends_the_run_with_what_is_known() {
    // At a terminal the whole process group gets the signal.
    ends_cleanly(|run| Pid::from_raw(-run.pid().as_raw()), Signal::SIGINT);
    ends_cleanly(Looping::pid, Signal::SIGINT);
}

#[test]
fn so_does_a_request_to_terminate() {
    ends_cleanly(Looping::pid, Signal::SIGTERM);
    ends_cleanly(Looping::pid, Signal::SIGHUP);
}

#[test]
fn people_are_told_where_it_was_interrupted() {
    let Some(mut run) = Looping::start(&[]) else {
        return;
    };
    kill(run.pid(), Signal::SIGINT).expect("the signal can be sent");
    let (text, code) = run.end();
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("Interrupted in bad.LoopTest#b_neverEnds"), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn a_killed_supervisor_takes_its_worker_along() {
    let Some(mut run) = Looping::start(&["--format=json"]) else {
        return;
    };
    kill(run.pid(), Signal::SIGKILL).expect("the signal can be sent");
    run.end();
    assert!(run.worker_is_gone(), "an orphan");
    // What it could not remove, the next run does.
    let jar = poldet_testdata::suite::example::jar_file();
    common::poldet(&[path(&jar), "--format=json"]);
    assert_eq!(run.overlays(), Vec::<PathBuf>::new());
}

#[test]
fn a_worker_that_dies_costs_one_test() {
    let tests = [
        "--test=bad.LoopTest#b_neverEnds",
        "--test=bad.WellTest",
        "--format=json",
    ];
    let Some(mut run) = Looping::start_with(&tests) else {
        return;
    };
    kill(run.worker, Signal::SIGKILL).expect("the signal can be sent");
    let (text, code) = run.end();
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("\"outcome\": \"crashed\""), "{text}");
    assert!(text.contains("signal: 9"), "{text}");
    assert!(text.contains("\"passed\": 1"), "the other still runs: {text}");
    assert_eq!(run.overlays(), Vec::<PathBuf>::new());
}

#[test]
fn a_worker_that_dies_in_a_fixture_costs_nothing_the_first_time() {
    let Some(built) = built("bad-loop") else {
        return;
    };
    let mut child = Command::new(common::binary())
        .args(["run", path(&built.classes), "--timeout=0", "--format=jsonl"])
        .args(["--test=bad.SetupLoopTest", "--test=bad.WellTest"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("poldet can be run");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut until = |text: &str| {
        let mut line = lines.by_ref().map(|l| l.expect("it can be read"));
        line.find(|l| l.contains(text))
            .unwrap_or_else(|| panic!("no {text}"))
    };
    // The tests of the class are known, and its fixture is next.
    until("\"event\":\"planned\"");
    kill(worker_of(&child), Signal::SIGKILL).expect("the signal can be sent");
    let warning = until("\"event\":\"warning\"");
    assert!(warning.contains("outside of a test"), "{warning}");
    until("\"event\":\"planned\"");
    kill(worker_of(&child), Signal::SIGKILL).expect("the signal can be sent");
    let blamed = until("\"event\":\"test_finished\"");
    assert!(
        blamed.contains("bad.SetupLoopTest") && blamed.contains("crashed"),
        "{blamed}"
    );
    let well = until("\"event\":\"test_finished\"");
    assert!(well.contains("bad.WellTest") && well.contains("passed"), "{well}");
    until("\"event\":\"run_finished\"");
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
}
