//! A simulation of scale: plans of many jobs, whose command is a stub, are run by many processes that are killed at random, and
//! collected. No job may be lost or doubled, and the time and memory of `plan` and `collect` are to grow with the number of jobs.
//!
//! `cargo run --release -p poldet-benches --bin scale -- [--poldet FILE] [--processes N] [COUNT …]`

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STUB: &str =
    "#!/bin/sh\nprintf '{\"summary\":{\"tests\":1,\"polluters\":1},\"words\":\"%s\"}\\n' \"$*\"\n";

struct Measured {
    seconds: f64,
    megabytes: f64,
    output: String,
}

struct Scale {
    poldet: PathBuf,
    dir: PathBuf,
}

impl Scale {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.poldet);
        command
            .args(args)
            .current_dir(&self.dir)
            .env("POLDET_TASK_PROGRAM", self.dir.join("stub"))
            .env("TMPDIR", &self.dir);
        command
    }

    /// Runs a command: real time, and the most memory it had.
    fn measure(&self, args: &[&str]) -> Measured {
        let log = self.dir.join("time");
        let mut command = Command::new("/usr/bin/env");
        command
            .args(["bash", "-c"])
            .arg("\"$@\" > out & pid=$!; most=0; while read -r line < /proc/$pid/stat 2>/dev/null; do now=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status 2>/dev/null); [ -n \"$now\" ] && [ \"$now\" -gt $most ] && most=$now; sleep 0.02; kill -0 $pid 2>/dev/null || break; done; wait $pid; code=$?; echo $most > time; exit $code")
            .arg("measure")
            .arg(&self.poldet)
            .args(args)
            .current_dir(&self.dir)
            .env("POLDET_TASK_PROGRAM", self.dir.join("stub"))
            .env("TMPDIR", &self.dir);
        let start = Instant::now();
        let status = command.status().expect("bash");
        let seconds = start.elapsed().as_secs_f64();
        assert!(status.success(), "{args:?}: {status}");
        let kilobytes: f64 = fs::read_to_string(&log)
            .unwrap_or_default()
            .trim()
            .parse()
            .unwrap_or_default();
        Measured {
            seconds,
            megabytes: kilobytes / 1024.0,
            output: fs::read_to_string(self.dir.join("out")).unwrap_or_default(),
        }
    }

    fn corpus(&self, count: usize) {
        // A hundred jobs of three seconds make a task of five minutes.
        let mut text = String::new();
        for number in 0..count {
            text.push_str(&format!(
                "[[suite]]\nname = \"s{number}\"\npath = \"suite.jar\"\noptions = [\"--seed\", \"{number}\"]\ncost = 3\n"
            ));
        }
        fs::write(self.dir.join("corpus.toml"), text).expect("a file");
    }

    /// Runs all tasks; processes are killed at random meanwhile. How many were.
    fn run(&self, processes: usize) -> u32 {
        let mut kills = 0;
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        loop {
            let mut submitter = self
                .command(&["submit", "plan", "--jobs", &processes.to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .process_group(0)
                .spawn()
                .expect("poldet");
            let ended = loop {
                std::thread::sleep(Duration::from_millis(200));
                if let Some(status) = submitter.try_wait().expect("a child") {
                    break status;
                }
                let children = children_of(submitter.id());
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                if random.is_multiple_of(200) {
                    // Now and then the submitter itself.
                    let _ = submitter.kill();
                    kills += 1;
                } else if !children.is_empty() {
                    let victim = children[random as usize % children.len()];
                    let pid = nix::unistd::Pid::from_raw(victim);
                    kills +=
                        u32::from(nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).is_ok());
                }
            };
            if ended.success() {
                return kills;
            }
        }
    }
}

/// Processes that a process has started and that are there.
fn children_of(pid: u32) -> Vec<i32> {
    let mut found = Vec::new();
    for task in fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let text = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|p| p.parse::<i32>().ok()));
    }
    found
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut poldet = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/poldet");
    let (mut processes, mut counts) = (64, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--poldet" => poldet = args.next().expect("--poldet FILE").into(),
            "--processes" => processes = args.next().and_then(|n| n.parse().ok()).expect("--processes N"),
            count => counts.push(count.parse().expect("a number of jobs")),
        }
    }
    if counts.is_empty() {
        counts = vec![1_000, 10_000, 100_000];
    }
    let poldet = poldet.canonicalize().expect("poldet is built");
    println!("| jobs | plan | | run, {processes} processes | kills | collect | |");
    println!("|---|---|---|---|---|---|---|");
    for count in counts {
        let dir = std::env::temp_dir().join(format!("poldet-scale-{}-{count}", std::process::id()));
        fs::create_dir_all(&dir).expect("a folder");
        fs::write(dir.join("stub"), STUB).expect("a file");
        fs::set_permissions(dir.join("stub"), fs::Permissions::from_mode(0o755)).expect("rights");
        fs::write(dir.join("suite.jar"), "stub").expect("a file");
        let scale = Scale {
            poldet: poldet.clone(),
            dir,
        };
        scale.corpus(count);
        let plan = scale.measure(&["plan", "corpus.toml", "-o", "plan"]);
        let start = Instant::now();
        let kills = scale.run(processes);
        let run = start.elapsed().as_secs_f64();
        let collect = scale.measure(&["collect", "plan", "--format", "json"]);
        // None lost, none doubled, each with its own words.
        let merged: serde_json::Value = serde_json::from_str(&collect.output).expect("JSON");
        let results = merged["results"].as_array().expect("results");
        assert_eq!(results.len(), count, "results");
        assert_eq!(merged["missing"].as_array().map(Vec::len), Some(0));
        for (number, result) in results.iter().enumerate() {
            let words = result["document"]["words"].as_str().unwrap_or_default();
            assert!(words.contains(&format!("--seed {number} ")), "{number}: {words}");
        }
        println!(
            "| {count} | {:.2} s | {:.0} MB | {run:.1} s | {kills} | {:.2} s | {:.0} MB |",
            plan.seconds, plan.megabytes, collect.seconds, collect.megabytes
        );
        fs::remove_dir_all(&scale.dir).expect("removed");
    }
}
