//! A worker process: started, listened to, ended. What its messages mean is for others.

use crate::run::pipe::{Heard, Lines};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use poldet_records::Message;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often an interrupt is looked for while nothing is heard.
const POLL: Duration = Duration::from_millis(100);

/// Bytes kept of what a worker writes to standard error: the last ones say most.
const KEEP_STDERR: usize = 16 << 10;

pub struct Process {
    child: Child,
    messages: Lines,
    stderr: JoinHandle<String>,
}

/// What is left of a worker.
pub struct Remains {
    pub status: ExitStatus,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl Process {
    /// Starts a worker with its run specification, one line; its standard error is kept, or passed on.
    pub fn spawn(specification: &[u8], pass_on_stderr: bool) -> Result<Process, String> {
        let fail = |e: std::io::Error| format!("cannot start a worker: {e}");
        let program = std::env::current_exe().map_err(fail)?;
        let (ours, theirs) = UnixStream::pair().map_err(fail)?;
        let messages = Lines::new(ours, POLL).map_err(fail)?;
        let stderr = if pass_on_stderr {
            Stdio::inherit()
        } else {
            Stdio::piped()
        };
        let mut child = Command::new(program)
            .arg("__worker")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(stderr)
            // Under `perf` the compiler's library would write a map of its code, where a worker may not write.
            .env_remove("PERF_BUILDID_DIR")
            // Ctrl-C at the terminal is for the supervisor alone, which then ends the worker.
            .process_group(0)
            .spawn()
            .map_err(fail)?;
        // A worker that is already gone will be noticed by its silence.
        let mut stream = messages.stream();
        let _ = stream
            .write_all(specification)
            .and_then(|()| stream.write_all(b"\n"));
        let stderr = read_stderr(&mut child);
        Ok(Process {
            child,
            messages,
            stderr,
        })
    }

    pub fn hear(&mut self) -> Heard<Message> {
        self.messages.hear()
    }

    /// Ends the worker and all that its tests have started: the process that watches it does that.
    pub fn kill(&mut self) {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            // One that has ended already need not be killed; it is not reaped yet, so that nobody else has its number.
            let _ = kill(Pid::from_raw(pid), Signal::SIGTERM);
        }
    }

    /// Waits for the end of the worker, and ends what processes its tests have left.
    pub fn end(mut self) -> Result<Remains, String> {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            let pid = Pid::from_raw(pid);
            // Not reaped yet: until then nobody else can have its number.
            let _ = waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
            let _ = killpg(pid, Signal::SIGKILL);
        }
        let status = self.child.wait();
        Ok(Remains {
            status: status.map_err(|e| format!("the worker is lost: {e}"))?,
            stderr: self.stderr.join().unwrap_or_default(),
        })
    }
}

fn read_stderr(child: &mut Child) -> JoinHandle<String> {
    let stderr = child.stderr.take();
    std::thread::spawn(move || {
        let mut kept: Vec<u8> = Vec::new();
        let mut chunk = [0; 4096];
        let mut stderr = stderr;
        while let Some(n) = stderr.as_mut().and_then(|s| s.read(&mut chunk).ok()) {
            if n == 0 {
                break;
            }
            kept.extend_from_slice(&chunk[..n]);
            let excess = kept.len().saturating_sub(KEEP_STDERR);
            kept.drain(..excess);
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}
