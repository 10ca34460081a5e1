//! Plans, tasks and their results: in any order, twice, killed on the way, and with inputs that are wrong. No engine is needed.

mod common;

use common::{binary, fresh, path};
use poldet_testdata::need;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

struct Place {
    dir: PathBuf,
    /// Stands in for poldet.
    stub: Option<PathBuf>,
}

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/example/example.jar");

/// Says what it was asked to do, after a moment; fails as the word FAIL among its arguments says.
const STUB: &str = "#!/bin/sh\nfor word; do\n  case $word in\n    kill) kill -9 $$;;\n    slow) sleep 0.3;;\n    wrong) echo 'error: wrong' >&2; exit 3;;\n    different) date +%N%s; exit 0;;\n  esac\ndone\n\
    printf '{\"summary\":{\"tests\":%d},\"words\":\"%s\"}\\n' \"$#\" \"$*\"\n";

impl Place {
    fn new(name: &str) -> Place {
        let dir = fresh(&format!("scale-{name}"));
        fs::copy(EXAMPLE, dir.join("example.jar")).expect("a copy");
        Place { dir, stub: None }
    }

    /// Without suites: a program that stands in for poldet.
    fn stubbed(name: &str) -> Place {
        let mut place = Place::new(name);
        let stub = place.dir.join("stub");
        fs::write(&stub, STUB).expect("a file");
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).expect("rights");
        place.stub = Some(stub);
        place
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .current_dir(&self.dir)
            .env("TMPDIR", &self.dir)
            .env_remove("SLURM_ARRAY_TASK_ID");
        if let Some(stub) = &self.stub {
            command.env("POLDET_TASK_PROGRAM", stub);
        }
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("poldet can be run")
    }

    fn good(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// One line about what is wrong, and the exit code.
    fn bad(&self, args: &[&str]) -> (String, Option<i32>) {
        let output = self.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: "), "{stderr}");
        (stderr, output.status.code())
    }

    fn corpus(&self, text: &str) {
        fs::write(self.dir.join("corpus.toml"), text).expect("a file");
    }

    /// A corpus of so many suites, each a task of its own.
    fn many(&self, count: usize, options: impl Fn(usize) -> String) {
        let mut text = String::from("minutes = 0.001\n");
        for number in 0..count {
            text.push_str(&format!(
                "[[suite]]\nname = \"s{number}\"\npath = \"example.jar\"\noptions = [{}]\n",
                options(number)
            ));
        }
        self.corpus(&text);
        self.good(&["plan", "corpus.toml", "-o", "plan"]);
    }

    fn results(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for folder in fs::read_dir(self.dir.join("plan/results"))
            .expect("results")
            .flatten()
        {
            found.extend(
                fs::read_dir(folder.path())
                    .expect("results")
                    .flatten()
                    .map(|e| e.path()),
            );
        }
        found.sort();
        found
    }

    fn merged(&self) -> String {
        self.good(&["collect", "plan", "--format", "json"])
    }
}

fn seed(number: usize) -> String {
    format!("\"--seed\", \"{number}\"")
}

#[test]
fn a_corpus_gives_the_same_bytes_whoever_runs_it() {
    if need::javac().is_none() {
        return;
    }
    let place = Place::new("same");
    place.corpus(
        "commands = [\"run\", \"nio\"]\nminutes = 0.01\n[[suite]]\npath = \"exam*.jar\"\n\
         [[suite]]\nname = \"again\"\npath = \"example.jar\"\noptions = [\"--seed\", \"3\"]\n",
    );
    assert!(
        place
            .good(&["plan", "corpus.toml", "-o", "plan"])
            .starts_with("4 jobs in 4 tasks")
    );
    // In any order, and one of them twice at once.
    for index in ["3", "1"] {
        place.good(&["task", "plan", index]);
    }
    let mut twins: Vec<_> = (0..2)
        .map(|_| place.command(&["task", "plan", "0"]).spawn().expect("started"))
        .collect();
    twins
        .iter_mut()
        .for_each(|t| assert!(t.wait().expect("ended").success()));
    let left = place.run(&["collect", "plan"]);
    let text = String::from_utf8_lossy(&left.stdout).into_owned();
    assert!(
        text.contains("1 without a result:\n  run again: it has not run"),
        "{text}"
    );
    assert_eq!(left.status.code(), Some(4));
    let mut slurm = place.command(&["task", "plan"]);
    let slurm = slurm
        .env("SLURM_ARRAY_TASK_ID", "2")
        .output()
        .expect("poldet can be run");
    assert!(
        slurm.status.success(),
        "{}",
        String::from_utf8_lossy(&slurm.stderr)
    );
    let merged = place.merged();
    // Locally, in another folder.
    let other = Place::new("same-elsewhere/and/deeper");
    fs::copy(place.dir.join("corpus.toml"), other.dir.join("corpus.toml")).expect("a copy");
    other.good(&["plan", "corpus.toml", "-o", "plan"]);
    assert!(
        other
            .good(&["submit", "plan", "--jobs", "2"])
            .starts_with("4 tasks to run, 0 done")
    );
    assert_eq!(other.merged(), merged);
    assert!(
        other
            .good(&["submit", "plan"])
            .starts_with("0 tasks to run, 4 done")
    );
    // A free test of determinism.
    other.good(&["submit", "plan", "--verify", "100"]);
    let text = other.good(&["collect", "plan"]);
    assert!(text.starts_with("4 results: 4 polluters, 0 NIO tests"), "{text}");
    let csv = fs::read_to_string(other.dir.join("plan/report/corpus.csv")).expect("a table");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let page = fs::read_to_string(other.dir.join("plan/report/index.html")).expect("a page");
    assert!(page.contains("suites/again/run.html"), "{page}");
    assert!(other.dir.join("plan/report/suites/again/run.html").is_file());
    // The same as without a plan, in a folder of the same form.
    let direct = other.dir.join("direct/in/0");
    fs::create_dir_all(&direct).expect("a folder");
    fs::copy(EXAMPLE, direct.join("example.jar")).expect("a copy");
    let mut run = other.command(&["run", "in/0/example.jar", "--seed", "3", "--format", "json"]);
    let run = run
        .current_dir(other.dir.join("direct"))
        .output()
        .expect("poldet can be run");
    let kept = fs::read(other.dir.join("plan/report/suites/again/run.json")).expect("a report");
    assert_eq!(
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&kept)
    );
}

#[test]
fn killed_tasks_are_run_again() {
    let place = Place::stubbed("killed");
    place.many(12, |n| format!("{}, \"slow\"", seed(n)));
    let mut submitter = place
        .command(&["submit", "plan", "--jobs", "4"])
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    std::thread::sleep(Duration::from_millis(700));
    // All of it: its tasks go with it.
    submitter.kill().expect("killed");
    submitter.wait().expect("ended");
    let parts: Vec<PathBuf> = place.results();
    assert!(parts.len() < 12);
    place.good(&["submit", "plan", "--jobs", "8"]);
    let merged = place.merged();
    assert_eq!(merged.matches("\"suite\":").count(), 12);
    // A result that was cut is none.
    let result = place.results().into_iter().next().expect("a result");
    let bytes = fs::read(&result).expect("bytes");
    fs::write(&result, &bytes[..bytes.len() / 2]).expect("cut");
    let output = place.run(&["collect", "plan"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("its result is not whole"), "{text}");
    assert!(
        place
            .good(&["submit", "plan"])
            .starts_with("1 tasks to run, 11 done")
    );
    assert_eq!(place.merged(), merged);
}

#[test]
fn a_task_of_several_jobs_becomes_one_file() {
    let place = Place::stubbed("packs");
    place.many(8, |n| match n {
        3 => format!("{}, \"slow\"", seed(n)),
        _ => seed(n),
    });
    let text = fs::read_to_string(place.dir.join("corpus.toml")).expect("text");
    place.corpus(&text.replace("minutes = 0.001", "minutes = 5"));
    fs::remove_dir_all(place.dir.join("plan")).expect("removed");
    let made = place.good(&["plan", "corpus.toml", "-o", "plan"]);
    assert!(made.starts_with("8 jobs in 1 tasks"), "{made}");
    // Killed in the fourth job: three results are there.
    let mut task = place.command(&["task", "plan", "0"]).spawn().expect("started");
    let loose = place.dir.join("plan/results/0/0.d");
    let count = || fs::read_dir(&loose).into_iter().flatten().flatten().count();
    while count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    task.kill().expect("killed");
    task.wait().expect("ended");
    assert_eq!(count(), 3);
    let output = place.run(&["collect", "plan"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.starts_with("3 results") && text.contains("5 without a result"),
        "{text}"
    );
    place.good(&["task", "plan", "0"]);
    let pack = place.dir.join("plan/results/0/0.pack");
    assert_eq!(place.results(), std::slice::from_ref(&pack));
    let attempts = fs::read_dir(place.dir.join("plan/attempts"))
        .expect("attempts")
        .flatten();
    let lines: String = attempts
        .map(|e| fs::read_to_string(e.path()).expect("text"))
        .collect();
    assert_eq!(lines.matches("\"done\"").count(), 8, "{lines}");
    // Whoever writes it writes the same bytes.
    let bytes = fs::read(&pack).expect("bytes");
    fs::remove_file(&pack).expect("removed");
    place.good(&["submit", "plan"]);
    assert_eq!(fs::read(&pack).expect("bytes"), bytes);
    // Of one that was cut, only what is not whole runs again.
    fs::write(&pack, &bytes[..bytes.len() - 40]).expect("cut");
    let output = place.run(&["collect", "plan"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.starts_with("7 results") && text.contains("its result is not whole"),
        "{text}"
    );
    place.good(&["submit", "plan"]);
    assert_eq!(fs::read(&pack).expect("bytes"), bytes);
}

#[test]
fn what_the_machine_fails_is_said_and_left() {
    let place = Place::stubbed("failed");
    place.many(3, |n| match n {
        1 => "\"kill\"".into(),
        2 => "\"wrong\"".into(),
        _ => seed(n),
    });
    let (line, code) = place.bad(&["task", "plan", "1"]);
    assert!(line.contains("'run s1': the job was killed (signal 9)"), "{line}");
    assert_eq!(code, Some(75));
    let output = place.run(&["submit", "plan"]);
    assert_eq!(
        output.status.code(),
        Some(4),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = place.run(&["collect", "plan"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("1 without a result") && text.contains("run s1: the job was killed"),
        "{text}"
    );
    // A suite that cannot be run has a result, which says so.
    let csv = fs::read_to_string(place.dir.join("plan/report/corpus.csv")).expect("a table");
    assert!(csv.contains("s2,s2,run,3,,,,,,,,,,error: wrong"), "{csv}");
}

#[test]
fn results_that_differ_are_found() {
    let place = Place::stubbed("differ");
    place.many(1, |_| "\"different\"".into());
    place.good(&["task", "plan", "0"]);
    let (line, code) = place.bad(&["task", "plan", "0", "--verify"]);
    assert!(line.contains("'run s0' gives another result here"), "{line}");
    assert_eq!(code, Some(1));
}

/// What is said of a server that is not there.
const NO_SERVER: &str = if cfg!(feature = "remote") {
    "--on 'grpc://127.0.0.1:1': the server does not answer"
} else {
    "was built without the feature 'remote'"
};

#[test]
fn inputs_that_are_wrong_are_one_line() {
    let place = Place::stubbed("wrong");
    place.corpus("[[suite]]\npath = \"missing.jar\"\n");
    let (line, code) = place.bad(&["plan", "corpus.toml", "-o", "plan"]);
    assert!(line.contains("missing.jar' does not exist"), "{line}");
    assert_eq!(code, Some(3));
    place.corpus("[[suite]]\npath = \"example.jar\"\ncp = [\"none/*\"]\n");
    let (line, _) = place.bad(&["plan", "corpus.toml", "-o", "plan"]);
    assert!(line.contains("no jars in"), "{line}");
    assert!(!place.dir.join("plan").exists(), "nothing is left of it");
    let left = fs::read_dir(&place.dir).expect("a folder").flatten();
    assert!(
        !left
            .map(|e| e.file_name())
            .any(|n| n.to_string_lossy().ends_with(".part"))
    );
    place.many(2, seed);
    let (line, _) = place.bad(&["plan", "corpus.toml", "-o", "plan"]);
    assert!(line.contains("'plan' exists"), "{line}");
    for (args, part) in [
        (&["task", "plan", "7"][..], "there is no task 7"),
        (&["task", "plan"], "which task?"),
        (&["task", "nowhere", "0"], "'nowhere' is no plan"),
        (&["submit", "plan", "--on", "moon"], "--on 'moon'"),
        (&["submit", "plan", "--on", "grpc://127.0.0.1:1"], NO_SERVER),
        (
            &["submit", "plan", "--again-slow"],
            "--again-slow needs --on slurm",
        ),
        (&["submit", "plan", "--verify", "0"], "--verify 0"),
        (&["collect", "nowhere"], "'nowhere' is no plan"),
    ] {
        let output = place.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            stderr.contains(part) && stderr.lines().count() == 1,
            "{args:?}: {stderr}"
        );
        assert_eq!(output.status.code(), Some(3), "{args:?}");
    }
}

#[test]
fn a_plan_of_another_poldet_is_refused() {
    let place = Place::stubbed("other");
    place.many(1, seed);
    fs::write(place.dir.join("stub"), format!("{STUB}# changed\n")).expect("a file");
    let (line, code) = place.bad(&["task", "plan", "0"]);
    assert!(line.contains("was made by another poldet"), "{line}");
    assert_eq!(code, Some(3));
    let env = place.dir.join("plan/env.json");
    let text = fs::read_to_string(&env).expect("text");
    fs::write(&env, text.replace("\"schema\": 2", "\"schema\": 9")).expect("a file");
    let (line, code) = place.bad(&["collect", "plan"]);
    assert!(
        line.contains("whose plans this poldet cannot read: plan again"),
        "{line}"
    );
    assert_eq!(code, Some(3));
}

#[test]
fn inputs_are_those_of_the_plan() {
    let place = Place::stubbed("inputs");
    place.many(2, seed);
    fs::write(place.dir.join("example.jar"), "another").expect("a file");
    let output = place.run(&["submit", "plan"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("example.jar' has changed since the plan was made"),
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(0));
    // A blob that is damaged is no input.
    let place = Place::stubbed("damaged");
    place.many(1, seed);
    let blobs = fs::read_dir(place.dir.join("plan/blobs"))
        .expect("blobs")
        .flatten();
    let folder = blobs.map(|e| e.path()).find(|p| p.is_dir()).expect("a folder");
    let blob = fs::read_dir(folder)
        .expect("blobs")
        .flatten()
        .next()
        .expect("a blob")
        .path();
    fs::write(&blob, "cut").expect("a file");
    let (line, code) = place.bad(&["task", "plan", "0"]);
    assert!(line.contains("is damaged"), "{line}");
    assert_eq!(code, Some(75));
}

#[test]
fn two_submitters_do_no_harm() {
    let place = Place::stubbed("submitters");
    place.many(6, |n| format!("{}, \"slow\"", seed(n)));
    let mut first = place
        .command(&["submit", "plan", "--jobs", "2"])
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    let lock = place.dir.join("plan/jobs/lock");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    let (line, code) = place.bad(&["submit", "plan"]);
    assert!(line.contains("is being submitted by another process"), "{line}");
    assert_eq!(code, Some(3));
    assert!(first.wait().expect("ended").success());
    assert_eq!(place.merged().matches("\"suite\":").count(), 6);
}

#[test]
fn a_plan_can_be_cancelled_and_begun_again() {
    let place = Place::stubbed("cancel");
    place.many(30, |n| format!("{}, \"slow\"", seed(n)));
    let mut first = place
        .command(&["submit", "plan", "--jobs", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    std::thread::sleep(Duration::from_millis(500));
    place.good(&["submit", "plan", "--cancel"]);
    assert_eq!(first.wait().expect("ended").code(), Some(4));
    let done = place.results().len();
    assert!(done < 30, "{done}");
    place.good(&["submit", "plan", "--jobs", "8"]);
    assert_eq!(place.results().len(), 30);
}

#[test]
fn a_full_disk_fails_the_task_and_nothing_else() {
    let place = Place::stubbed("full");
    place.many(2, seed);
    place.good(&["task", "plan", "0"]);
    // A folder cannot be made where a file is: the same as for want of room, and root has no limits here.
    let key = place.results().pop().expect("a result");
    let before = fs::read(&key).expect("bytes");
    let results = place.dir.join("plan/results");
    let moved = place.dir.join("plan/elsewhere");
    fs::rename(&results, &moved).expect("moved");
    fs::write(&results, "").expect("a file");
    let (line, code) = place.bad(&["task", "plan", "1"]);
    assert!(line.contains("cannot write the result to 'plan'"), "{line}");
    assert_eq!(code, Some(75));
    fs::remove_file(&results).expect("removed");
    fs::rename(&moved, &results).expect("moved");
    assert_eq!(fs::read(&key).expect("bytes"), before);
    place.good(&["submit", "plan"]);
    assert_eq!(place.results().len(), 2);
}

#[test]
fn measured_costs_make_the_batches() {
    let place = Place::stubbed("costs");
    place.many(10, seed);
    place.good(&["submit", "plan", "--jobs", "4"]);
    let text = fs::read_to_string(place.dir.join("corpus.toml")).expect("text");
    fs::write(
        place.dir.join("corpus.toml"),
        text.replace("minutes = 0.001", "minutes = 5"),
    )
    .expect("a file");
    let made = place.good(&["plan", "corpus.toml", "-o", "second", "--costs", "plan"]);
    assert!(made.starts_with("10 jobs in 1 tasks"), "{made}");
    assert!(Path::new(&place.dir).join("second/env.json").is_file());
    let _ = path(&place.dir);
}

/// A real Slurm: `cargo test --release --test scale slurm -- --ignored`. Needs root, and Debian's packages or apt-get.
#[test]
#[ignore = "needs root and a Slurm"]
fn slurm() {
    script("slurm-test");
}

/// A real server of REAPI: `cargo test --release --features remote --test scale reapi -- --ignored`. Needs root, pip and bubblewrap.
#[test]
#[ignore = "needs root, the feature remote and a server"]
fn reapi() {
    script("reapi-test");
}

fn script(name: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name);
    let status = Command::new(script)
        .arg(binary())
        .status()
        .expect("the script can be run");
    assert!(status.success());
}
