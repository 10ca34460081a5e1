//! What keeps tests from the machine: a worker, and every process its tests start, can write only to the overlay, sees no
//! network and no other process, and ends with the run.
//!
//! Where the kernel lets this user make namespaces, these do it: files are mounted read-only but for the overlay, `/proc` and
//! `/dev` are the worker's own, and the worker is the first process of a process namespace, whose end is that of all
//! others in it. Elsewhere Landlock keeps writes, connections and signals in. Either way seccomp refuses system calls that
//! no test needs, and nothing gains rights again. What cannot be had is reported by name.

mod landlock;
mod monitor;
mod namespaces;
mod orphans;
mod root;
mod seccomp;

use clap::ValueEnum;
pub use orphans::{adopt, end_orphans};
use poldet_vm::host::sys;
pub use root::Shown;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Whether there is to be a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// All that the kernel has; what is missing is reported
    Auto,
    /// All of it, or no run
    Require,
    /// None: tests have the rights of the user who runs them
    Off,
}

impl Mode {
    pub fn text(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Require => "require",
            Mode::Off => "off",
        }
    }
}

/// What a worker needs to know to enter its sandbox.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sandbox {
    pub on: bool,
    /// Tests may change real files.
    pub write_through: bool,
    /// Tests may reach real servers: the network is the machine's.
    #[serde(default)]
    pub network: bool,
    /// Folders that may be written to all the same: the overlays of the run, and where the worker itself writes.
    pub writable: Vec<PathBuf>,
    /// What tests see at other paths than where it is.
    #[serde(default)]
    pub shown: Vec<Shown>,
}

/// What became of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered {
    /// Files are mounted read-only, and processes can be given mounts of their own.
    pub mounts: bool,
    /// What is to be seen at other paths is there.
    #[serde(default)]
    pub shown: bool,
    /// There is a process namespace, and with it a network namespace.
    pub processes: bool,
    /// System calls are filtered.
    pub filters: bool,
    /// What the kernel does not have or allow, each with what follows from it.
    pub missing: Vec<String>,
}

/// Enters the sandbox, before anything of the guest runs. The process that goes on is a child of the caller, which calls
/// `leave`, waits for it and ends as it does. The process must have one thread.
pub fn enter(sandbox: &Sandbox, leave: impl FnOnce()) -> Result<Entered, String> {
    sys::close_on_exec();
    let mut entered = Entered::default();
    let separate = sandbox.on && namespaces::make(sandbox, &mut entered);
    monitor::split(leave)?;
    adopt();
    if !sandbox.on {
        return Ok(entered);
    }
    if separate {
        namespaces::furnish(sandbox, &mut entered);
    }
    if let Err(why) = nix::sys::prctl::set_no_new_privs() {
        entered.missing.push(format!(
            "no_new_privs ({why}): set-user-id programs have their rights"
        ));
    }
    landlock::enter(sandbox, &mut entered);
    seccomp::enter(sandbox, &mut entered);
    Ok(entered)
}

/// To be called between fork and exec of a process that tests start: what only the worker may do, it may not.
pub fn confine_program() -> std::io::Result<()> {
    seccomp::confine_program()
}

/// What a sandbox on this machine would lack, found out by a process that enters one.
pub fn probe() -> Result<Vec<String>, String> {
    let fail = |e: std::io::Error| format!("cannot look for a sandbox: {e}");
    let program = std::env::current_exe().map_err(fail)?;
    let output = Command::new(program)
        .arg("__sandbox")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(fail)?;
    let entered = serde_json::from_slice::<Entered>(&output.stdout);
    match entered {
        Ok(entered) => Ok(entered.missing),
        Err(_) => Ok(vec![format!("a process that enters it ({})", output.status)]),
    }
}

/// The other side of `probe`: enters a sandbox and writes what became of it.
pub fn try_out() -> i32 {
    let sandbox = Sandbox {
        on: true,
        shown: vec![Shown {
            at: "/poldet/work".into(),
            real: std::env::temp_dir(),
        }],
        ..Sandbox::default()
    };
    let entered = enter(&sandbox, || ()).unwrap_or_else(|why| Entered {
        missing: vec![why],
        ..Entered::default()
    });
    let written = serde_json::to_writer(std::io::stdout().lock(), &entered);
    match written {
        Ok(()) => crate::exit::COMPLETE,
        Err(_) => crate::exit::INTERNAL,
    }
}
