//! `submit --on local`: tasks in processes of this machine.

use crate::exit;
use crate::report;
use crate::scale::plan::{Batch, Plan};
use crate::scale::task::CANCELLED;
use std::collections::VecDeque;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a task is tried that the machine fails.
const TRIES: u32 = 3;
const POLL: Duration = Duration::from_millis(2);

/// Runs batches, so many at once; whether none was given up.
pub fn run(
    plan: &Plan,
    batches: Vec<Batch>,
    processes: usize,
    jdk: Option<&std::path::Path>,
    verify: bool,
) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find poldet itself: {e}"))?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler Ctrl-C ends this process, and with it its tasks' jobs.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
    let mut left: VecDeque<(Batch, u32)> = batches.into_iter().map(|b| (b, 1)).collect();
    let mut running: Vec<(Child, Batch, u32)> = Vec::new();
    let mut good = true;
    loop {
        let ended = stop.load(Ordering::SeqCst) || plan.dir.join(CANCELLED).exists();
        while !ended && running.len() < processes {
            let Some((batch, tries)) = left.pop_front() else {
                break;
            };
            let mut command = Command::new(&program);
            command
                .arg("task")
                .arg(&plan.dir)
                .arg(batch.index.to_string())
                .args(verify.then_some("--verify"))
                .stdin(Stdio::null())
                .stdout(Stdio::null());
            if let Some(jdk) = jdk {
                command.arg("--jdk").arg(jdk);
            }
            poldet_vm::host::sys::before_exec(&mut command, || {
                let signal = nix::sys::signal::Signal::SIGKILL;
                nix::sys::prctl::set_pdeathsig(signal).map_err(std::io::Error::from)
            });
            let child = command.spawn().map_err(|e| format!("cannot start a task: {e}"))?;
            running.push((child, batch, tries));
        }
        if running.is_empty() {
            return Ok(good && left.is_empty());
        }
        let mut at = 0;
        while at < running.len() {
            let Ok(Some(status)) = running[at].0.try_wait() else {
                at += 1;
                continue;
            };
            let (_, batch, tries) = running.swap_remove(at);
            match status.code() {
                Some(exit::COMPLETE) => {}
                Some(exit::MACHINE) | None if tries < TRIES => left.push_back((batch, tries + 1)),
                Some(exit::USAGE) => return Err(format!("task {} was refused", batch.index)),
                _ => {
                    report::note("warning", &format!("task {} was given up: {status}", batch.index));
                    good = false;
                }
            }
        }
        std::thread::sleep(POLL);
    }
}
