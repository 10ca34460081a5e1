//! User, mount, process, network, IPC and host name namespaces of a worker.

use crate::sandbox::{Entered, Sandbox, root};
use caps::{CapSet, Capability, CapsHashSet};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Pid, Uid, getegid, geteuid, sethostname};
use poldet_vm::host::sys;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const NONE: Option<&str> = None;
/// Devices that harm nobody.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// The rights that root keeps: those over files, which no permission keeps from it elsewhere.
const KEPT: [Capability; 6] = [
    Capability::CAP_CHOWN,
    Capability::CAP_DAC_OVERRIDE,
    Capability::CAP_DAC_READ_SEARCH,
    Capability::CAP_FOWNER,
    Capability::CAP_FSETID,
    // Without it root cannot be root in the namespaces of a process; programs do not have it.
    Capability::CAP_SETFCAP,
];

/// Makes the namespaces that can be had; whether there is one for the processes that are forked from now on.
pub fn make(sandbox: &Sandbox, entered: &mut Entered) -> bool {
    let made = separate(sandbox);
    if let Err(why) = &made {
        entered.missing.push(format!(
            "namespaces ({why}): processes that tests start do not see the files of their test"
        ));
    }
    made.is_ok()
}

/// In the first process of the namespaces: its own files and devices, and no rights.
pub fn furnish(sandbox: &Sandbox, entered: &mut Entered) {
    entered.processes = true;
    // Nobody but processes of this run can learn it.
    let _ = sethostname("localhost");
    entered.mounts = match mounts(sandbox, entered) {
        Ok(()) => true,
        Err(why) => {
            let what =
                format!("mounts ({why}): processes that tests start do not see the files of their test");
            entered.missing.push(what);
            false
        }
    };
    if let Err(why) = drop_rights() {
        entered.missing.push(format!("dropping capabilities ({why})"));
    }
}

/// New namespaces of every kind, with a user namespace if possible; root can do without.
fn separate(sandbox: &Sandbox) -> Result<(), String> {
    let mut others = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    if !sandbox.network {
        others |= CloneFlags::CLONE_NEWNET;
    }
    match geteuid().is_root() {
        true => as_root(others),
        false => as_user(others),
    }
}

fn as_user(others: CloneFlags) -> Result<(), String> {
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER | others).map_err(|e| e.to_string())?;
    let write = |file: &str, text: String| fs::write(file, text).map_err(|e| format!("{file}: {e}"));
    write("/proc/self/setgroups", "deny".into())?;
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Root keeps all users and groups; only a process outside may say so.
fn as_root(others: CloneFlags) -> Result<(), String> {
    let same = |file: &str| {
        let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let lines = text.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            let (inside, count) = (words.next()?, words.nth(1)?);
            Some(format!("{inside} {inside} {count}\n"))
        });
        Ok::<String, String>(lines.collect())
    };
    let maps = [
        ("uid_map", same("/proc/self/uid_map")?),
        ("gid_map", same("/proc/self/gid_map")?),
    ];
    let (mut read, mut write) = std::io::pipe().map_err(|e| e.to_string())?;
    let me = std::process::id();
    match sys::fork(false).map_err(|e| format!("errno {}", e.0))? {
        None => {
            drop(write);
            // Nothing comes when there is no new namespace.
            let ready = read.read_exact(&mut [0]).is_ok();
            let done = ready
                && maps
                    .iter()
                    .all(|(file, text)| fs::write(format!("/proc/{me}/{file}"), text).is_ok());
            std::process::exit(i32::from(!done));
        }
        Some(helper) => {
            drop(read);
            let made = unshare(CloneFlags::CLONE_NEWUSER);
            if made.is_ok() {
                let _ = write.write_all(&[1]);
            }
            drop(write);
            let ended = waitpid(Pid::from_raw(helper), None);
            if made.is_err() {
                // Root needs none for the others.
                return unshare(others).map_err(|e| e.to_string());
            }
            match ended {
                Ok(WaitStatus::Exited(_, 0)) => unshare(others).map_err(|e| e.to_string()),
                _ => Err("the users of a new namespace cannot be set".into()),
            }
        }
    }
}

fn mounts(sandbox: &Sandbox, entered: &mut Entered) -> Result<(), String> {
    let at = |what: &str| {
        let what = what.to_owned();
        move |e: nix::Error| format!("{what}: {e}")
    };
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE).map_err(at("/"))?;
    if !sandbox.shown.is_empty() {
        match root::make(&sandbox.shown) {
            Ok(()) => entered.shown = true,
            Err(why) => entered.missing.push(format!(
                "a root of its own ({why}): tests see the suite's folders where they are"
            )),
        }
    }
    for folder in &sandbox.writable {
        bind(folder, folder).map_err(at(&folder.display().to_string()))?;
    }
    own_devices(sandbox)?;
    let own_proc = own_processes(entered);
    // The latest first: what they hide is then read-only by them.
    for (point, flags) in mount_points()?.into_iter().rev() {
        let kernels = ["/proc", "/sys", "/dev"].iter().any(|dir| point.starts_with(dir));
        let open = sandbox.writable.contains(&point) || own_proc && point == Path::new("/proc");
        if !open && (kernels || !sandbox.write_through) {
            make_read_only(&point, flags)?;
        }
    }
    if !sandbox.write_through {
        sys::set_read_only_by_sandbox();
    }
    Ok(())
}

/// A `/proc` of the new process namespace. A process must be able to write who it is to its files there when it gets
/// namespaces of its own; what concerns the machine is read-only.
fn own_processes(entered: &mut Entered) -> bool {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    if let Err(why) = mount(Some("proc"), "/proc", Some("proc"), flags, NONE) {
        // As a part of a container it may have to do with what is there.
        let what = format!("an own /proc ({why}): tests see the numbers of other processes");
        entered.missing.push(what);
        return false;
    }
    for name in ["bus", "fs", "irq", "sys", "sysrq-trigger"] {
        let path = Path::new("/proc").join(name);
        // It becomes read-only with all other mounts.
        let _ = bind(&path, &path);
    }
    true
}

fn bind(from: &Path, to: &Path) -> nix::Result<()> {
    mount(Some(from), to, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)
}

/// A `/dev` with harmless devices, and with the overlays where they were.
fn own_devices(sandbox: &Sandbox) -> Result<(), String> {
    let fail = |what: &str, e: String| format!("{what}: {e}");
    // Any folder that is no part of /dev will do until all is there.
    let stage = Path::new("/proc");
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
    mount(
        Some("tmpfs"),
        stage,
        Some("tmpfs"),
        flags,
        Some("mode=755,size=64k"),
    )
    .map_err(|e| fail("a new /dev", e.to_string()))?;
    for name in DEVICES {
        let (from, to) = (Path::new("/dev").join(name), stage.join(name));
        if from.exists() {
            fs::write(&to, "").map_err(|e| fail(name, e.to_string()))?;
            bind(&from, &to).map_err(|e| fail(name, e.to_string()))?;
        }
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, stage.join(name)).map_err(|e| fail(name, e.to_string()))?;
    }
    let shm = stage.join("shm");
    fs::create_dir(&shm).map_err(|e| fail("shm", e.to_string()))?;
    let open = fs::Permissions::from_mode(0o1777);
    fs::set_permissions(&shm, open).map_err(|e| fail("shm", e.to_string()))?;
    for folder in &sandbox.writable {
        let Ok(below) = folder.strip_prefix("/dev") else {
            continue;
        };
        let to = stage.join(below);
        fs::create_dir_all(&to).map_err(|e| fail("an overlay", e.to_string()))?;
        bind(folder, &to).map_err(|e| fail("an overlay", e.to_string()))?;
    }
    mount(Some(stage), "/dev", NONE, MsFlags::MS_MOVE, NONE).map_err(|e| fail("/dev", e.to_string()))
}

/// Where something is mounted, with the flags that must stay.
fn mount_points() -> Result<Vec<(PathBuf, MsFlags)>, String> {
    let text = fs::read("/proc/self/mountinfo").map_err(|e| format!("/proc/self/mountinfo: {e}"))?;
    let mut points = Vec::new();
    for line in text.split(|b| *b == b'\n') {
        let fields: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
        let (Some(point), Some(options)) = (fields.get(4), fields.get(5)) else {
            continue;
        };
        let mut flags = MsFlags::empty();
        for option in options.split(|b| *b == b',') {
            flags |= match option {
                b"nosuid" => MsFlags::MS_NOSUID,
                b"nodev" => MsFlags::MS_NODEV,
                b"noexec" => MsFlags::MS_NOEXEC,
                b"noatime" => MsFlags::MS_NOATIME,
                b"nodiratime" => MsFlags::MS_NODIRATIME,
                b"relatime" => MsFlags::MS_RELATIME,
                _ => MsFlags::empty(),
            };
        }
        points.push((unescaped(point), flags));
    }
    Ok(points)
}

/// Blanks and their like are written as octal numbers.
fn unescaped(text: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        let number = rest.get(1..4).and_then(|d| std::str::from_utf8(d).ok());
        match number.and_then(|d| u8::from_str_radix(d, 8).ok()) {
            Some(byte) if *first == b'\\' => {
                bytes.push(byte);
                rest = &rest[4..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

fn make_read_only(point: &Path, flags: MsFlags) -> Result<(), String> {
    let flags = flags | MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY;
    let Err(why) = mount(NONE, point, NONE, flags, NONE) else {
        return Ok(());
    };
    // One that a read-only mount hides, or that cannot be reached, cannot be written to either.
    match statvfs(point) {
        Ok(stat) if !stat.flags().contains(FsFlags::ST_RDONLY) => {
            Err(format!("{} cannot be made read-only: {why}", point.display()))
        }
        _ => Ok(()),
    }
}

/// No process of the sandbox has rights but those over files that root has.
fn drop_rights() -> Result<(), String> {
    let root = geteuid() == Uid::from_raw(0);
    let kept: CapsHashSet = KEPT.into_iter().filter(|_| root).collect();
    let fail = |e: caps::errors::CapsError| e.to_string();
    let bounding = caps::read(None, CapSet::Bounding).map_err(fail)?;
    let mut bounding: Vec<Capability> = bounding.difference(&kept).copied().collect();
    bounding.sort_by_key(|c| c.index());
    for right in bounding {
        caps::drop(None, CapSet::Bounding, right).map_err(fail)?;
    }
    let permitted = caps::read(None, CapSet::Permitted).map_err(fail)?;
    let kept: CapsHashSet = permitted.intersection(&kept).copied().collect();
    caps::clear(None, CapSet::Inheritable).map_err(fail)?;
    caps::set(None, CapSet::Effective, &kept).map_err(fail)?;
    caps::set(None, CapSet::Permitted, &kept).map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_points_with_blanks() {
        assert_eq!(unescaped(b"/a\\040b\\134c"), PathBuf::from("/a b\\c"));
        assert_eq!(unescaped(b"/plain\\"), PathBuf::from("/plain\\"));
    }
}
