//! How tests and workers end, and what they take.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What became of a test. "Did not run" is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Passed,
    /// An assertion did not hold.
    Failed,
    /// Some other exception.
    Error,
    Skipped,
    /// Our limit.
    Unsupported,
    TimedOut,
    /// Our fault.
    Crashed,
}

impl Outcome {
    pub fn text(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Error => "error",
            Outcome::Skipped => "skipped",
            Outcome::Unsupported => "unsupported",
            Outcome::TimedOut => "timed out",
            Outcome::Crashed => "crashed",
        }
    }

    /// It came to its end by itself.
    pub fn is_run(self) -> bool {
        matches!(self, Outcome::Passed | Outcome::Failed | Outcome::Error)
    }

    /// Neither passed nor skipped.
    pub fn is_bad(self) -> bool {
        !matches!(self, Outcome::Passed | Outcome::Skipped)
    }
}

/// What a piece of work took: instructions as the VM counts them, and virtual time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    pub instructions: u64,
    pub nanos: u64,
}

/// What the guest printed meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Printed {
    pub out: String,
    pub err: String,
}

impl Printed {
    pub fn is_empty(&self) -> bool {
        self.out.is_empty() && self.err.is_empty()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    Assertion,
    Error,
    Assumption,
    /// Some other exception, thrown for a limit of ours that the message names.
    Limit,
}

/// An exception that ended a test or a fixture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    pub kind: ProblemKind,
    /// The exception's class.
    pub exception: String,
    pub message: Option<String>,
    /// The stack trace as printed, causes and all.
    pub stack: Vec<String>,
}

/// How a worker, or the VM in it, ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "as", content = "what", rename_all = "snake_case")]
pub enum End {
    /// The program ended the VM.
    Exit {
        by: ExitCall,
        status: i32,
        stack: String,
    },
    /// By an exception that JUnit let through, as printed.
    Thrown(String),
    /// With what every thread was doing.
    Deadlock(String),
    /// The virtual time of a test is used up; with what every thread was doing.
    TimedOut(String),
    /// Our limit, by name.
    Unsupported(String),
    /// Our fault.
    Bug(String),
    /// The process was killed for having been silent for so many seconds.
    NotResponding { seconds: u64 },
    /// The process is gone, nobody knows why: how the system says it ended, and the last it wrote to standard error.
    Lost { status: String, stderr: String },
}

/// What ended the VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExitCall {
    SystemExit,
    RuntimeHalt,
    /// Neither: it ended before there was a program.
    Boot,
}
