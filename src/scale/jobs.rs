//! Running one job: its inputs are copied to a folder of its own and checked, and poldet runs there with a fixed environment.

use crate::cache::digest::Digests;
use crate::exit;
use crate::scale::blobs::Blobs;
use crate::scale::plan::{Job, Plan};
use crate::scale::results::Outcome;
use poldet_vm::host::sys;
use poldet_vm::jdk::Jdk;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The folder that a job's data set is written to.
pub const DATA_SET: &str = "data-set";
/// Stands in for poldet, in tests of scale.
const STUB: &str = "POLDET_TASK_PROGRAM";

/// Digests of large files, remembered where results are kept.
pub static DIGESTS: LazyLock<Digests> = LazyLock::new(|| Digests::open(crate::cache::folder().as_deref()));

/// Whether another program stands in for poldet.
pub fn stub() -> bool {
    std::env::var_os(STUB).is_some()
}

/// The program that jobs run.
pub fn program() -> io::Result<PathBuf> {
    match std::env::var_os(STUB) {
        Some(program) => Ok(program.into()),
        None => std::env::current_exe(),
    }
}

/// This machine's name, as a part of a file's name.
pub fn host() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    plain_name(&name.to_string_lossy())
}

/// A name as a part of a file's name.
pub fn plain_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}

/// What the sandbox lacks here, and tests can see; a program that stands in for poldet has none.
pub fn sandbox() -> Result<Vec<String>, String> {
    match stub() {
        true => Ok(Vec::new()),
        false => crate::sandbox::probe(),
    }
}

/// What a task needs to know of its machine.
pub struct Machine {
    program: PathBuf,
    jdk: Option<Jdk>,
}

/// Why a task cannot run here.
pub enum Unfit {
    /// Nowhere, as it is.
    Plan(String),
    /// Perhaps elsewhere.
    Machine(String),
}

impl Machine {
    pub fn of(plan: &Plan, jdk: Option<&Path>) -> Result<Machine, Unfit> {
        let broken = |e: io::Error| Unfit::Machine(format!("cannot read poldet itself: {e}"));
        let program = program().map_err(broken)?;
        let digest = DIGESTS.file(&program).map_err(broken)?;
        plan.check_program(&digest).map_err(Unfit::Plan)?;
        if plan.env.jdk.is_empty() {
            return Ok(Machine { program, jdk: None });
        }
        let jdk = Jdk::find(jdk).map_err(Unfit::Machine)?;
        let digest = DIGESTS
            .jdk(&jdk.home)
            .map_err(|e| Unfit::Machine(format!("cannot read '{}': {e}", jdk.home.display())))?;
        if digest != plan.env.jdk {
            return Err(Unfit::Machine(format!(
                "the JDK '{}' ({}) is not the one of the plan ({}): give --jdk",
                jdk.home.display(),
                jdk.version,
                plan.env.jdk_version
            )));
        }
        if let Some(expected) = &plan.env.sandbox {
            let lacks = sandbox().map_err(Unfit::Machine)?;
            if lacks != *expected {
                return Err(Unfit::Machine(differs(&lacks, expected)));
            }
        }
        DIGESTS.save();
        Ok(Machine {
            program,
            jdk: Some(jdk),
        })
    }

    #[cfg(feature = "remote")]
    pub fn program(&self) -> &Path {
        &self.program
    }

    #[cfg(feature = "remote")]
    pub fn jdk(&self) -> Option<&Path> {
        self.jdk.as_ref().map(|jdk| jdk.home.as_path())
    }

    /// Runs a job; an error is one of the machine, not a result.
    pub fn run(&self, plan: &Plan, job: &Job, scratch: &Path) -> Result<Outcome, String> {
        let result = self.run_in(plan, job, scratch);
        let _ = fs::remove_dir_all(scratch);
        result
    }

    fn run_in(&self, plan: &Plan, job: &Job, scratch: &Path) -> Result<Outcome, String> {
        let fail = |e: io::Error| format!("cannot use '{}': {e}", scratch.display());
        let work = scratch.join("work");
        fs::create_dir_all(&work).map_err(fail)?;
        let blobs = Blobs::new(plan.dir.join("blobs"));
        for input in &job.inputs {
            let at = work.join(&input.at);
            if let Some(folder) = at.parent() {
                fs::create_dir_all(folder).map_err(fail)?;
            }
            blobs.take(&input.digest, input.folder, &at)?;
        }
        let mut command = Command::new(&self.program);
        command
            .args(&job.argv)
            .current_dir(&work)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", &plan.env.lang)
            .env("TZ", &plan.env.tz)
            .env("HOME", scratch)
            .env("TMPDIR", scratch)
            .env("POLDET_RESULTS", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(jdk) = &self.jdk {
            command.env("JAVA_HOME", &jdk.home);
        }
        // A task that is killed takes its job along.
        sys::before_exec(&mut command, || {
            nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(io::Error::from)
        });
        let output = command
            .output()
            .map_err(|e| format!("cannot run '{}': {e}", self.program.display()))?;
        let Some(exit) = output.status.code() else {
            let signal = output.status.signal().unwrap_or_default();
            return Err(format!(
                "the job was killed (signal {signal}): out of memory, or of time?"
            ));
        };
        if exit == exit::INTERNAL || exit == exit::INCOMPLETE && was_interrupted(&output.stdout) {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let line = said.lines().next_back().unwrap_or("it was interrupted");
            return Err(format!("the job did not come to its end: {line}"));
        }
        let mut files = vec![
            ("report.json".to_owned(), output.stdout),
            ("stderr.txt".to_owned(), output.stderr),
        ];
        let data_set = work.join(DATA_SET);
        if data_set.is_dir() {
            let made = crate::cache::digest::files(&data_set).map_err(fail)?;
            for (name, path) in made {
                let bytes = fs::read(&path).map_err(fail)?;
                files.push((format!("{DATA_SET}/{name}"), bytes));
            }
        }
        Ok(Outcome { exit, files })
    }
}

fn differs(here: &[String], there: &[String]) -> String {
    let text = |lacks: &[String]| match lacks.is_empty() {
        true => "nothing".to_owned(),
        false => lacks.join(", "),
    };
    format!(
        "the sandbox of this machine lacks {}, where the plan was made it lacked {}: reports would differ; \
         plan on a machine like this one, or with sandbox = \"any\"",
        text(here),
        text(there)
    )
}

/// A document says so itself.
fn was_interrupted(report: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(report).is_ok_and(|d| d["interrupted"] == true)
}

/// A line about a batch or a job that began or ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    pub task: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// begun, done or failed.
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    pub host: String,
    /// Seconds since 1970.
    pub time: u64,
}

impl Attempt {
    pub fn new(task: u64, what: &str) -> Attempt {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Attempt {
            task,
            what: what.into(),
            host: host(),
            time: now.as_secs(),
            ..Attempt::default()
        }
    }

    pub fn named(mut self, job: &Job) -> Attempt {
        self.suite = Some(job.suite.clone());
        self.command = Some(job.command.clone());
        self
    }

    pub fn job(mut self, job: &Job, since: Instant) -> Attempt {
        self = self.named(job);
        self.seconds = Some(since.elapsed().as_secs_f64());
        self
    }

    /// Adds the line to the host's own file; what cannot be noted is not known later, and nothing else.
    pub fn note(&self, plan: &Plan) {
        let file = plan.dir.join("attempts").join(&self.host);
        let Ok(mut line) = serde_json::to_vec(self) else {
            return;
        };
        line.push(b'\n');
        let opened = OpenOptions::new().append(true).create(true).open(file);
        let _ = opened.and_then(|mut out| out.write_all(&line));
    }
}

/// All attempts that were noted, by host.
pub fn attempts(plan: &Plan) -> Vec<Attempt> {
    let mut files: Vec<PathBuf> = fs::read_dir(plan.dir.join("attempts"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    files.sort();
    let texts = files.iter().filter_map(|f| fs::read_to_string(f).ok());
    let lines = texts.flat_map(|t| t.lines().map(str::to_owned).collect::<Vec<_>>());
    // A line that was cut says nothing.
    lines.filter_map(|l| serde_json::from_str(&l).ok()).collect()
}
