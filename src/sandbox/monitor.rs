//! The process between the supervisor and a worker. It runs nothing of the guest's: it waits for the worker, ends what
//! processes are left of it, whatever session or group they are in, and then ends as the worker did.

use crate::sandbox::orphans;
use nix::sys::signal::{SigHandler, SigSet, Signal, kill, raise, signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use poldet_vm::host::sys;

/// Goes on in a child, in its process namespace if one was made. This process calls `leave`, waits and never returns.
pub fn split(leave: impl FnOnce()) -> Result<(), String> {
    orphans::adopt();
    // A supervisor that is killed, or that asks for the end, takes all along.
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGTERM);
    let awaited = SigSet::from_iter([Signal::SIGCHLD, Signal::SIGTERM]);
    awaited.thread_block().map_err(|e| e.to_string())?;
    let forked =
        sys::fork(false).map_err(|e| format!("cannot fork: {}", std::io::Error::from_raw_os_error(e.0)))?;
    if let Some(child) = forked {
        leave();
        watch(Pid::from_raw(child), &awaited);
    }
    awaited.thread_unblock().map_err(|e| e.to_string())?;
    // Where that cannot be had, the worker ends at its next event.
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    Ok(())
}

fn watch(child: Pid, awaited: &SigSet) -> ! {
    loop {
        if awaited.wait() == Ok(Signal::SIGTERM) {
            let _ = kill(child, Signal::SIGKILL);
        }
        while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG | WaitPidFlag::__WALL)) {
            match status {
                WaitStatus::Exited(pid, code) if pid == child => {
                    orphans::end_orphans(|_| false);
                    std::process::exit(code);
                }
                WaitStatus::Signaled(pid, number, _) if pid == child => {
                    orphans::end_orphans(|_| false);
                    end_by(number);
                }
                WaitStatus::StillAlive => break,
                _ => {}
            }
        }
    }
}

#[expect(unsafe_code, reason = "nix has no safe way to reset a handler")]
fn end_by(number: Signal) -> ! {
    // The worker has written its core file, if there was to be one.
    let _ = nix::sys::prctl::set_dumpable(false);
    // SAFETY: the default action runs no code of ours.
    let _ = unsafe { signal(number, SigHandler::SigDfl) };
    let _ = SigSet::all().thread_unblock();
    let _ = raise(number);
    std::process::exit(128 + number as i32)
}
