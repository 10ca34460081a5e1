//! Devices and the kernel's own files, which no overlay can keep: which of them a suite may have.
//!
//! Whatever name led there, the file that was opened decides. Of devices those pass that harm nobody; other real files
//! cannot be written, since all writes belong into the overlay; and of `/proc` neither the memory and descriptors of the
//! worker nor other processes can be seen.

use crate::sys::{self, Stat};

/// Null, zero, full, random and urandom: major and minor numbers.
const DEVICES: [(u32, u32); 5] = [(1, 3), (1, 5), (1, 7), (1, 8), (1, 9)];

/// The kernel's number of proc file systems.
const PROC: i64 = 0x9fa0;

/// What leads out of the VM: by the last parts of a path in `/proc`.
const REFUSED: [&str; 16] = [
    "mem",
    "environ",
    "auxv",
    "fd",
    "fdinfo",
    "map_files",
    "pagemap",
    "clear_refs",
    "syscall",
    "stack",
    "cwd",
    "root",
    "kcore",
    "kmsg",
    "sysrq-trigger",
    "ns",
];

/// May a real file that a suite has opened be used?
pub(super) fn allowed(fd: i32, stat: &Stat, writes: bool) -> bool {
    match stat.kind() {
        libc::S_IFCHR => {
            let device = (libc::major(stat.rdev) as u32, libc::minor(stat.rdev) as u32);
            DEVICES.contains(&device)
        }
        libc::S_IFREG | libc::S_IFDIR if writes => false,
        libc::S_IFREG | libc::S_IFDIR => {
            sys::file_system(fd) != Some(PROC) || {
                let link = format!("/proc/self/fd/{fd}");
                sys::readlink(link.as_bytes()).is_ok_and(|path| in_proc(&path))
            }
        }
        // Block devices, and pipes and sockets of other programs.
        _ => false,
    }
}

/// May a path in `/proc` be read?
pub(super) fn in_proc(path: &[u8]) -> bool {
    let text = String::from_utf8_lossy(path);
    let mut parts = text.split('/').filter(|p| !p.is_empty());
    if parts.next() != Some("proc") {
        // It is mounted somewhere else: nothing is known of it.
        return false;
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let parts: Vec<&str> = parts.collect();
    let others = parts
        .first()
        .and_then(|p| number(p))
        .is_some_and(|pid| pid != std::process::id());
    !others && !parts.iter().any(|part| REFUSED.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_of_proc_can_be_read() {
        let me = std::process::id();
        for path in [
            "/proc/cpuinfo".to_owned(),
            "/proc/self/status".into(),
            format!("/proc/{me}/maps"),
        ] {
            assert!(in_proc(path.as_bytes()), "{path}");
        }
        for path in [
            "/proc/self/mem",
            "/proc/self/task/7/mem",
            "/proc/self/fd/3",
            "/proc/0/status",
            "/mnt/proc/cpuinfo",
        ] {
            assert!(!in_proc(path.as_bytes()), "{path}");
        }
    }
}
