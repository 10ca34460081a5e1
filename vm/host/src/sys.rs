//! The system calls, each behind a safe function: the only place that speaks to the kernel.
#![expect(unsafe_code, reason = "system calls are foreign functions")]

use crate::errno::{Errno, SysResult};
use std::ffi::{CStr, CString, OsStr};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A point in time: seconds since 1970 and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Time {
    pub secs: i64,
    pub nanos: i64,
}

impl Time {
    pub fn of_nanos(nanos: i64) -> Time {
        Time {
            secs: nanos.div_euclid(1_000_000_000),
            nanos: nanos.rem_euclid(1_000_000_000),
        }
    }

    pub fn millis(self) -> i64 {
        self.secs * 1000 + self.nanos / 1_000_000
    }
}

/// What `stat` tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stat {
    pub mode: u32,
    pub ino: u64,
    pub dev: u64,
    pub rdev: u64,
    pub nlink: u64,
    pub uid: u32,
    pub gid: u32,
    pub size: i64,
    pub blocks: i64,
    pub block_size: i64,
    pub accessed: Time,
    pub modified: Time,
    pub changed: Time,
    pub born: Time,
}

impl Stat {
    pub fn kind(&self) -> u32 {
        self.mode & libc::S_IFMT
    }

    pub fn is_dir(&self) -> bool {
        self.kind() == libc::S_IFDIR
    }

    pub fn is_regular(&self) -> bool {
        self.kind() == libc::S_IFREG
    }
}

/// What `statvfs` tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct FsStat {
    pub fragment: u64,
    pub blocks: u64,
    pub free: u64,
    pub available: u64,
}

fn check(result: i32) -> SysResult<()> {
    if result < 0 { Err(Errno::last()) } else { Ok(()) }
}

fn count(result: isize) -> SysResult<usize> {
    if result < 0 {
        Err(Errno::last())
    } else {
        Ok(result as usize)
    }
}

/// A path for the kernel; one with a NUL inside names nothing.
fn c_path(path: &[u8]) -> SysResult<CString> {
    CString::new(path).map_err(|_| Errno::INVAL)
}

pub fn open(path: &[u8], flags: i32, mode: u32) -> SysResult<i32> {
    let path = c_path(path)?;
    loop {
        // SAFETY: the path is a terminated string that lives over the call.
        let fd = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, mode) };
        if fd >= 0 {
            return Ok(fd);
        }
        match Errno::last() {
            Errno::INTR => {}
            e => return Err(e),
        }
    }
}

/// The kind of file system an open file is in, by the kernel's number.
#[allow(
    clippy::unnecessary_cast,
    reason = "the kernel's types differ between processors"
)]
pub fn file_system(fd: i32) -> Option<i64> {
    let mut raw = MaybeUninit::<libc::statfs>::zeroed();
    // SAFETY: the kernel fills the buffer.
    check(unsafe { libc::fstatfs(fd, raw.as_mut_ptr()) }).ok()?;
    // SAFETY: zeroed is valid, and the call succeeded.
    Some(unsafe { raw.assume_init() }.f_type as i64)
}

pub fn close(fd: i32) -> SysResult<()> {
    // SAFETY: closing touches no memory; descriptors are owned by the tables that call this.
    check(unsafe { libc::close(fd) })
}

pub fn dup(fd: i32) -> SysResult<i32> {
    // SAFETY: no memory is involved.
    let new = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) };
    if new < 0 { Err(Errno::last()) } else { Ok(new) }
}

pub fn read(fd: i32, into: &mut [u8]) -> SysResult<usize> {
    // SAFETY: the kernel writes at most `len` bytes into the slice.
    count(unsafe { libc::read(fd, into.as_mut_ptr().cast(), into.len()) })
}

pub fn write(fd: i32, bytes: &[u8]) -> SysResult<usize> {
    // SAFETY: the kernel reads `len` bytes of the slice.
    count(unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) })
}

pub fn pread(fd: i32, into: &mut [u8], offset: i64) -> SysResult<usize> {
    // SAFETY: the kernel writes at most `len` bytes into the slice.
    count(unsafe { libc::pread(fd, into.as_mut_ptr().cast(), into.len(), offset) })
}

pub fn pwrite(fd: i32, bytes: &[u8], offset: i64) -> SysResult<usize> {
    // SAFETY: the kernel reads `len` bytes of the slice.
    count(unsafe { libc::pwrite(fd, bytes.as_ptr().cast(), bytes.len(), offset) })
}

/// Whether the descriptor can seek.
pub fn seekable(fd: i32) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) >= 0 }
}

pub fn ftruncate(fd: i32, size: i64) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::ftruncate(fd, size) })
}

pub fn fsync(fd: i32, data_only: bool) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe {
        if data_only {
            libc::fdatasync(fd)
        } else {
            libc::fsync(fd)
        }
    })
}

#[allow(
    clippy::unnecessary_cast,
    reason = "the kernel's types differ between processors"
)]
fn stat_with(call: impl FnOnce(*mut libc::stat) -> i32) -> SysResult<Stat> {
    let mut raw = MaybeUninit::<libc::stat>::zeroed();
    check(call(raw.as_mut_ptr()))?;
    // SAFETY: zeroed is a valid `stat`, and the call that succeeded has filled it.
    let s = unsafe { raw.assume_init() };
    Ok(Stat {
        mode: s.st_mode,
        ino: s.st_ino,
        dev: s.st_dev,
        rdev: s.st_rdev,
        nlink: s.st_nlink as u64,
        uid: s.st_uid,
        gid: s.st_gid,
        size: s.st_size,
        blocks: s.st_blocks,
        block_size: s.st_blksize as i64,
        accessed: Time {
            secs: s.st_atime,
            nanos: s.st_atime_nsec,
        },
        modified: Time {
            secs: s.st_mtime,
            nanos: s.st_mtime_nsec,
        },
        changed: Time {
            secs: s.st_ctime,
            nanos: s.st_ctime_nsec,
        },
        born: Time {
            secs: s.st_mtime,
            nanos: s.st_mtime_nsec,
        },
    })
}

pub fn stat(path: &[u8], follow: bool) -> SysResult<Stat> {
    let path = c_path(path)?;
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: path is terminated; the kernel fills the buffer.
    stat_with(|out| unsafe { libc::fstatat(libc::AT_FDCWD, path.as_ptr(), out, flags) })
}

pub fn fstat(fd: i32) -> SysResult<Stat> {
    // SAFETY: the kernel fills the buffer.
    stat_with(|out| unsafe { libc::fstat(fd, out) })
}

/// When a file was made, by path or (with an empty path) descriptor; file systems need not know.
pub fn birth(fd: i32, path: &[u8], follow: bool) -> Option<Time> {
    let path = c_path(path).ok()?;
    let flags = libc::AT_EMPTY_PATH | if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    let mut raw = MaybeUninit::<libc::statx>::zeroed();
    // SAFETY: path is terminated; the kernel fills the buffer.
    let result = unsafe { libc::statx(fd, path.as_ptr(), flags, libc::STATX_BTIME, raw.as_mut_ptr()) };
    // SAFETY: zeroed is valid.
    let stat = unsafe { raw.assume_init() };
    let known = result == 0 && stat.stx_mask & libc::STATX_BTIME != 0;
    known.then_some(Time {
        secs: stat.stx_btime.tv_sec,
        nanos: i64::from(stat.stx_btime.tv_nsec),
    })
}

#[allow(
    clippy::unnecessary_cast,
    reason = "the kernel's types differ between processors"
)]
pub fn statvfs(path: &[u8]) -> SysResult<FsStat> {
    let path = c_path(path)?;
    let mut raw = MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: path is terminated; the kernel fills the buffer.
    check(unsafe { libc::statvfs(path.as_ptr(), raw.as_mut_ptr()) })?;
    // SAFETY: zeroed is valid, and the call succeeded.
    let s = unsafe { raw.assume_init() };
    Ok(FsStat {
        fragment: s.f_frsize as u64,
        blocks: s.f_blocks as u64,
        free: s.f_bfree as u64,
        available: s.f_bavail as u64,
    })
}

/// Names in a folder without `.` and `..`, sorted so that every run sees one order.
pub fn read_dir(path: &[u8]) -> SysResult<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(OsStr::from_bytes(path)).map_err(|e| Errno::of(&e))? {
        names.push(entry.map_err(|e| Errno::of(&e))?.file_name().into_vec());
    }
    names.sort();
    Ok(names)
}

macro_rules! path_call {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) = $call:path) => {
        $(#[$doc])*
        pub fn $name(path: &[u8], $($arg: $ty),*) -> SysResult<()> {
            let path = c_path(path)?;
            // SAFETY: the path is a terminated string that lives over the call; nothing is written to memory.
            check(unsafe { $call(path.as_ptr(), $($arg),*) })
        }
    };
}

path_call!(mkdir(mode: u32) = libc::mkdir);
path_call!(rmdir() = libc::rmdir);
path_call!(unlink() = libc::unlink);
path_call!(chmod(mode: u32) = libc::chmod);
path_call!(chown(uid: u32, gid: u32) = libc::chown);
path_call!(lchown(uid: u32, gid: u32) = libc::lchown);
path_call!(access_now(mode: i32) = libc::access);

/// The sandbox has mounted files read-only: what may be written but for that counts as writable, since writes go to the overlay.
static READ_ONLY_BY_SANDBOX: AtomicBool = AtomicBool::new(false);

pub fn set_read_only_by_sandbox() {
    READ_ONLY_BY_SANDBOX.store(true, Ordering::Relaxed);
}

pub fn is_read_only_by_sandbox() -> bool {
    READ_ONLY_BY_SANDBOX.load(Ordering::Relaxed)
}

/// As `access(2)`: with the real user and group.
pub fn access(path: &[u8], mode: i32) -> SysResult<()> {
    match access_now(path, mode) {
        // The kernel says so only after the permissions were found to suffice.
        Err(Errno(libc::EROFS)) if is_read_only_by_sandbox() => Ok(()),
        other => other,
    }
}

/// No program that is started gets a descriptor of this process but its three streams, wherever it came from.
pub fn close_on_exec() {
    for entry in std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten() {
        let number = entry.file_name().to_str().and_then(|n| n.parse::<i32>().ok());
        if let Some(fd) = number.filter(|fd| *fd > 2) {
            // SAFETY: no memory is involved.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Namespaces of its own for the users and files of this process, in which it is who it was.
pub fn unshare_files((user, group): (u32, u32)) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) })?;
    let write = |file: &str, text: String| std::fs::write(file, text).map_err(|e| Errno::of(&e));
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Mounts an overlay over a folder.
pub fn mount_overlay(at: &[u8], options: &[u8]) -> SysResult<()> {
    let (at, options) = (c_path(at)?, c_path(options)?);
    let name = c"overlay".as_ptr();
    // SAFETY: all are terminated strings that live over the call.
    check(unsafe { libc::mount(name, at.as_ptr(), name, 0, options.as_ptr().cast()) })
}

/// Shows a folder at another place, too.
pub fn mount_bind(from: &[u8], at: &[u8]) -> SysResult<()> {
    let (from, at) = (c_path(from)?, c_path(at)?);
    let none = std::ptr::null();
    // SAFETY: both are terminated strings that live over the call.
    check(unsafe { libc::mount(from.as_ptr(), at.as_ptr(), none, libc::MS_BIND, none.cast()) })
}

/// Makes a mount read-only in this namespace.
pub fn remount_read_only(at: &[u8]) -> SysResult<()> {
    let at = c_path(at)?;
    let none = std::ptr::null();
    // What the namespace above has set must stay.
    let kept = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RELATIME;
    let flags = libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY | kept;
    // SAFETY: a terminated string that lives over the call.
    check(unsafe { libc::mount(none, at.as_ptr(), none, flags, none.cast()) })
}

/// No program that this process becomes has rights of root.
pub fn drop_bounding_set() {
    for capability in 0..64 {
        // SAFETY: no memory is involved. Those that the kernel does not know are refused.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

pub fn chdir(path: &[u8]) -> SysResult<()> {
    let path = c_path(path)?;
    // SAFETY: the path is a terminated string.
    check(unsafe { libc::chdir(path.as_ptr()) })
}

/// Marks a name of the upper part of an overlay as removed, as the kernel does.
pub fn make_whiteout(path: &[u8]) -> SysResult<()> {
    mknod(path, libc::S_IFCHR, 0)
}

/// Has a process do something between fork and exec. Only for processes of one thread: the child can then do whatever its
/// parent could.
pub fn before_exec(
    command: &mut Command,
    action: impl FnMut() -> std::io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: no other thread can hold a lock that the child would wait for.
    unsafe { command.pre_exec(action) };
}
path_call!(mknod(mode: u32, dev: u64) = libc::mknod);

fn two_paths(
    from: &[u8],
    to: &[u8],
    call: unsafe fn(*const libc::c_char, *const libc::c_char) -> i32,
) -> SysResult<()> {
    let (from, to) = (c_path(from)?, c_path(to)?);
    // SAFETY: both are terminated strings that live over the call.
    check(unsafe { call(from.as_ptr(), to.as_ptr()) })
}

pub fn rename(from: &[u8], to: &[u8]) -> SysResult<()> {
    // SAFETY: `two_paths` passes terminated strings.
    two_paths(from, to, |a, b| unsafe { libc::rename(a, b) })
}

pub fn link(existing: &[u8], new: &[u8]) -> SysResult<()> {
    // SAFETY: `two_paths` passes terminated strings.
    two_paths(existing, new, |a, b| unsafe { libc::link(a, b) })
}

pub fn symlink(target: &[u8], new: &[u8]) -> SysResult<()> {
    // SAFETY: `two_paths` passes terminated strings.
    two_paths(target, new, |a, b| unsafe { libc::symlink(a, b) })
}

pub fn readlink(path: &[u8]) -> SysResult<Vec<u8>> {
    let path = c_path(path)?;
    let mut target = vec![0u8; libc::PATH_MAX as usize];
    // SAFETY: the kernel writes at most `len` bytes into the buffer.
    let n = count(unsafe { libc::readlink(path.as_ptr(), target.as_mut_ptr().cast(), target.len()) })?;
    target.truncate(n);
    Ok(target)
}

pub fn realpath(path: &[u8]) -> SysResult<Vec<u8>> {
    let path = c_path(path)?;
    // SAFETY: with a null buffer the C library allocates the result.
    let found = unsafe { libc::realpath(path.as_ptr(), std::ptr::null_mut()) };
    if found.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: a terminated string the C library made for us; freed once, after the copy.
    unsafe {
        let bytes = CStr::from_ptr(found).to_bytes().to_vec();
        libc::free(found.cast());
        Ok(bytes)
    }
}

pub fn fchmod(fd: i32, mode: u32) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::fchmod(fd, mode) })
}

pub fn fchown(fd: i32, uid: u32, gid: u32) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::fchown(fd, uid, gid) })
}

/// A time to set, or to leave as it is.
fn timespec(time: Option<Time>) -> libc::timespec {
    match time {
        Some(t) => libc::timespec {
            tv_sec: t.secs,
            tv_nsec: t.nanos,
        },
        None => libc::timespec {
            tv_sec: 0,
            tv_nsec: libc::UTIME_OMIT,
        },
    }
}

pub fn set_times(path: &[u8], follow: bool, accessed: Option<Time>, modified: Option<Time>) -> SysResult<()> {
    let path = c_path(path)?;
    let times = [timespec(accessed), timespec(modified)];
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    // SAFETY: the kernel reads two timespecs and a terminated path.
    check(unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) })
}

pub fn set_times_of(fd: i32, accessed: Option<Time>, modified: Option<Time>) -> SysResult<()> {
    let times = [timespec(accessed), timespec(modified)];
    // SAFETY: the kernel reads two timespecs.
    check(unsafe { libc::futimens(fd, times.as_ptr()) })
}

pub fn uid() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::getuid() }
}

pub fn gid() -> u32 {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::getgid() }
}

/// The supplementary groups.
pub fn groups() -> Vec<u32> {
    // SAFETY: with a length of 0 nothing is written.
    let count = unsafe { libc::getgroups(0, std::ptr::null_mut()) };
    let mut groups = vec![0; count.max(0) as usize];
    // SAFETY: the kernel writes at most as many as there is room for.
    let count = unsafe { libc::getgroups(groups.len() as i32, groups.as_mut_ptr()) };
    groups.truncate(count.max(0) as usize);
    groups
}

pub fn get_xattr(fd: i32, name: &[u8], into: &mut [u8]) -> SysResult<usize> {
    let name = c_path(name)?;
    // SAFETY: the kernel writes at most `len` bytes; a length of 0 asks for the size.
    count(unsafe { libc::fgetxattr(fd, name.as_ptr(), into.as_mut_ptr().cast(), into.len()) })
}

pub fn set_xattr(fd: i32, name: &[u8], value: &[u8]) -> SysResult<()> {
    let name = c_path(name)?;
    // SAFETY: the kernel reads `len` bytes of the value.
    check(unsafe { libc::fsetxattr(fd, name.as_ptr(), value.as_ptr().cast(), value.len(), 0) })
}

pub fn remove_xattr(fd: i32, name: &[u8]) -> SysResult<()> {
    let name = c_path(name)?;
    // SAFETY: the name is terminated.
    check(unsafe { libc::fremovexattr(fd, name.as_ptr()) })
}

pub fn list_xattr(fd: i32, into: &mut [u8]) -> SysResult<usize> {
    // SAFETY: the kernel writes at most `len` bytes; a length of 0 asks for the size.
    count(unsafe { libc::flistxattr(fd, into.as_mut_ptr().cast(), into.len()) })
}

/// Whether the descriptor has something to read within so many milliseconds.
pub fn wait_readable(fd: i32, millis: i32) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one pollfd, as said.
    unsafe { libc::poll(&raw mut poll, 1, millis) != 0 }
}

pub fn wait_writable(fd: i32) {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLOUT,
        revents: 0,
    };
    // SAFETY: one pollfd, as said.
    unsafe { libc::poll(&raw mut poll, 1, 1000) };
}

/// Bytes waiting in a pipe or terminal; of a file, those behind its position.
pub fn available(fd: i32) -> SysResult<usize> {
    let stream = [libc::S_IFCHR, libc::S_IFIFO, libc::S_IFSOCK];
    let mut n: i32 = 0;
    if stream.contains(&(fstat(fd)?.mode & libc::S_IFMT))
        // SAFETY: FIONREAD writes one int.
        && unsafe { libc::ioctl(fd, libc::FIONREAD, &raw mut n) } >= 0
    {
        return Ok(n.max(0) as usize);
    }
    // A file, or a device that cannot tell, such as /dev/null.
    let seek = |offset, whence| {
        // SAFETY: no memory is involved.
        let at = unsafe { libc::lseek(fd, offset, whence) };
        if at < 0 { Err(Errno::last()) } else { Ok(at) }
    };
    let now = seek(0, libc::SEEK_CUR)?;
    let end = seek(0, libc::SEEK_END)?;
    seek(now, libc::SEEK_SET)?;
    Ok(end.saturating_sub(now).max(0) as usize)
}

pub fn is_terminal(fd: i32) -> bool {
    // SAFETY: no memory is involved.
    unsafe { libc::isatty(fd) == 1 }
}

/// A pipe: the end to read, the end to write. Neither is handed to children by itself.
pub fn pipe() -> SysResult<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the kernel writes two descriptors.
    check(unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: both are new and nobody else's.
    Ok(unsafe { (OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])) })
}

pub fn open_owned(path: &[u8], flags: i32) -> SysResult<OwnedFd> {
    let fd = open(path, flags, 0)?;
    // SAFETY: the descriptor is new and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub fn dup_owned(fd: i32) -> SysResult<OwnedFd> {
    let fd = dup(fd)?;
    // SAFETY: the descriptor is new and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// How many forks lie between this process and the one that was started: an allocator leaves alone what its parent had.
pub static FORKS: AtomicU32 = AtomicU32::new(0);

/// This process is not going to be forked.
pub static IS_LEAF: AtomicBool = AtomicBool::new(false);

/// Forks the process: the child's number in the parent, nothing in the child. `leaf` says that the child will not be forked in turn. Refused with EBUSY for a process of
/// several threads, whose child would have only one of them.
pub fn fork(leaf: bool) -> SysResult<Option<i32>> {
    let threads = std::fs::read_dir("/proc/self/task").map(Iterator::count);
    if threads.is_ok_and(|n| n != 1) {
        return Err(Errno(libc::EBUSY));
    }
    // SAFETY: the only thread goes on in the child, so no lock is held by one that is not there.
    match unsafe { libc::fork() } {
        -1 => Err(Errno::last()),
        0 => {
            IS_LEAF.store(leaf, Ordering::Relaxed);
            FORKS.fetch_add(1, Ordering::Relaxed);
            Ok(None)
        }
        pid => Ok(Some(pid)),
    }
}

/// Ends the process at once: nothing is flushed or dropped, and no page is written for it.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: the call does not return and touches no memory.
    unsafe { libc::_exit(status) }
}

/// A file without a name, with the contents of another one.
pub fn unnamed_copy(of: i32, size: i64) -> SysResult<i32> {
    // SAFETY: the name is a constant C string.
    let fd = unsafe { libc::memfd_create(c"copy".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(Errno::last());
    }
    let mut chunk = vec![0; 64 << 10];
    let mut at = 0;
    while at < size {
        let read = pread(of, &mut chunk, at)?;
        if read == 0 {
            break;
        }
        at += pwrite(fd, &chunk[..read], at)? as i64;
    }
    ftruncate(fd, size)?;
    Ok(fd)
}

/// Moves the kernel's position of an open file.
pub fn seek_to(fd: i32, offset: i64) -> SysResult<()> {
    // SAFETY: no memory is involved.
    if unsafe { libc::lseek(fd, offset, libc::SEEK_SET) } < 0 {
        return Err(Errno::last());
    }
    Ok(())
}

pub fn read_owned(fd: &OwnedFd, into: &mut [u8]) -> SysResult<usize> {
    read(fd.as_raw_fd(), into)
}

pub fn set_nonblocking(fd: &OwnedFd) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) })
}

pub fn set_blocking(fd: &OwnedFd) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, 0) })
}

pub fn kill(pid: i32, signal: i32) -> SysResult<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::kill(pid, signal) })
}

/// Waits at most this long (ms) until one of these can be read (or else written).
pub fn poll(fds: &[(i32, bool)], millis: i32) -> bool {
    let event = |read| if read { libc::POLLIN } else { libc::POLLOUT };
    let mut list: Vec<libc::pollfd> = fds
        .iter()
        .map(|&(fd, read)| libc::pollfd {
            fd,
            events: event(read),
            revents: 0,
        })
        .collect();
    // SAFETY: the kernel reads and writes the entries of the list.
    unsafe { libc::poll(list.as_mut_ptr(), list.len() as libc::nfds_t, millis) > 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_with_their_number() {
        assert_eq!(open(b"/no/such/file", libc::O_RDONLY, 0), Err(Errno::NOENT));
        assert_eq!(mkdir(b"/", 0o777), Err(Errno::EXIST));
        assert_eq!(open(b"a\0b", libc::O_RDONLY, 0), Err(Errno::INVAL));
        assert_eq!(realpath(b"/usr/..").unwrap(), b"/");
    }

    #[test]
    fn times_before_1970_keep_positive_nanoseconds() {
        assert_eq!(
            Time::of_nanos(-1),
            Time {
                secs: -1,
                nanos: 999_999_999
            }
        );
    }
}
