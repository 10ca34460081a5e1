//! Runs a program on an engine (HotSpot or poldet) and collects what it printed and how it ended.

use crate::program::Program;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// More output than any program prints; a run that prints more is ended.
const MOST_OUTPUT: u64 = 64 << 20;

/// What executes a program.
#[derive(Debug, Clone)]
pub enum Engine {
    /// HotSpot's launcher, with further options.
    Java { launcher: PathBuf, options: Vec<String> },
    /// The poldet binary, whose `exec` runs a main class.
    Poldet(PathBuf),
    /// Poldet with everything compiled that can be.
    Compiled(PathBuf),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal,
    TimedOut,
    TooMuchOutput,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub end: End,
    pub took: Duration,
}

impl Engine {
    /// The HotSpot of the JDK at hand, as it comes.
    pub fn java(launcher: &Path) -> Engine {
        Engine::Java {
            launcher: launcher.to_owned(),
            options: Vec::new(),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Engine::Java { .. } => "java",
            Engine::Poldet(_) => "poldet",
            Engine::Compiled(_) => "poldet -Xcomp",
        }
    }

    /// The command up to and without the arguments of `main`.
    pub fn command(&self, options: &[String], classes: &Path, main: &str) -> Command {
        let mut command = match self {
            Engine::Java {
                launcher,
                options: own,
            } => {
                let mut command = Command::new(launcher);
                command.args(own).args(options.iter().map(|o| as_java_says(o)));
                command
            }
            Engine::Poldet(binary) => {
                let mut command = Command::new(binary);
                command.arg("exec").args(options);
                command
            }
            Engine::Compiled(binary) => {
                let mut command = Command::new(binary);
                command.args(["exec", "-Xcomp"]).args(options);
                command
            }
        };
        command.arg("-cp").arg(classes).arg(main);
        same_everywhere(&mut command);
        command
    }

    /// Runs `program` from `classes` in an empty folder of its own.
    pub fn run(
        &self,
        program: &Program,
        classes: &Path,
        cache: &Path,
        limit: Duration,
    ) -> io::Result<Outcome> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let scratch = cache.join(format!(
            "run-{}-{}-{}-{number}",
            self.name(),
            program.name,
            std::process::id()
        ));
        let folder = scratch.join("work");
        fs::create_dir_all(&folder)?;
        let outcome = self.run_in(program, classes, &scratch, &folder, limit);
        fs::remove_dir_all(&scratch)?;
        outcome
    }

    fn run_in(
        &self,
        program: &Program,
        classes: &Path,
        scratch: &Path,
        folder: &Path,
        limit: Duration,
    ) -> io::Result<Outcome> {
        // Files, not pipes: a run that is cut short, or leaves children behind, cannot block the reader.
        let (out, err) = (scratch.join("stdout"), scratch.join("stderr"));
        let mut command = self.command(&program.directives.jvm, &classes.canonicalize()?, &program.name);
        command
            .args(&program.directives.args)
            .current_dir(folder)
            .stdin(if program.directives.stdin.is_empty() {
                Stdio::null()
            } else {
                Stdio::piped()
            })
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        let started = Instant::now();
        let mut child = command.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A program that ends without reading its input is none the worse for it.
            let _ = input.write_all(program.directives.stdin.as_bytes());
        }
        let end = wait(&mut child, started, limit, &[&out, &err])?;
        Ok(Outcome {
            stdout: fs::read(out)?,
            stderr: fs::read(err)?,
            end,
            took: started.elapsed(),
        })
    }
}

/// The launcher's word for an option of ours.
fn as_java_says(option: &str) -> String {
    match option.strip_prefix("--max-heap=") {
        Some(size) => format!("-Xmx{size}"),
        None => option.to_owned(),
    }
}

/// Locale, time zone and options from outside would show in the output.
pub fn same_everywhere(command: &mut Command) {
    for name in [
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "CLASSPATH",
        "LANG",
    ] {
        command.env_remove(name);
    }
    command
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env("POLDET_PROBE", "set by the harness");
}

pub(crate) fn wait(
    child: &mut Child,
    started: Instant,
    limit: Duration,
    outputs: &[&Path],
) -> io::Result<End> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(End::Signal, End::Exit));
        }
        let too_long = started.elapsed() > limit;
        let too_much = outputs
            .iter()
            .any(|f| fs::metadata(f).is_ok_and(|m| m.len() > MOST_OUTPUT));
        if too_long || too_much {
            child.kill()?;
            child.wait()?;
            return Ok(if too_long {
                End::TimedOut
            } else {
                End::TooMuchOutput
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
