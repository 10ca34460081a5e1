//! Processes whose parents have ended come to the process that adopts them, so that they can be ended, too.

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::Pid;

/// From now on orphans among the descendants of this process become its children.
pub fn adopt() {
    // Without it they go to the first process of the system, and only their process group can be ended.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends every child of this process but those that it knows itself, and their descendants, which come to it in turn.
pub fn end_orphans(known: impl Fn(i32) -> bool) {
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    if waitid(Id::All, look) == Err(Errno::ECHILD) {
        return;
    }
    // Each turn ends one generation; there are as many as processes at most.
    for _ in 0..1000 {
        let orphans: Vec<i32> = children().into_iter().filter(|pid| !known(*pid)).collect();
        if orphans.is_empty() {
            return;
        }
        for pid in orphans {
            let pid = Pid::from_raw(pid);
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, Some(WaitPidFlag::__WALL));
        }
    }
}

/// The children of this process, which has one thread, by number.
fn children() -> Vec<i32> {
    let me = std::process::id();
    if let Ok(list) = std::fs::read_to_string(format!("/proc/self/task/{me}/children")) {
        return list
            .split_whitespace()
            .filter_map(|pid| pid.parse().ok())
            .collect();
    }
    // Not every kernel has the list.
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| parent(*pid) == Some(me)).collect()
}

fn parent(pid: i32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may hold blanks and parentheses.
    let at = stat.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(&stat[at + 1..]).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}
