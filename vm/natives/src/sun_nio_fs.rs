//! Natives of sun.nio.fs: the system calls behind java.nio.file. A failing one throws a UnixException that carries
//! the error number; the Java side makes the exceptions programs see of it.

use poldet_vm::host::env::Account;
use poldet_vm::host::errno::{Errno, SysResult};
use poldet_vm::host::fs::Fs;
use poldet_vm::host::stdio::Ready;
use poldet_vm::host::sys::{self, Stat, Time};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::Stop;

const UND: &str = "sun/nio/fs/UnixNativeDispatcher";
const LND: &str = "sun/nio/fs/LinuxNativeDispatcher";
const ATTRS: &str = "sun/nio/fs/UnixFileAttributes";
const STORE: &str = "sun/nio/fs/UnixFileStoreAttributes";
const MOUNT: &str = "sun/nio/fs/UnixMountEntry";

pub const TABLE: &[Native] = &[
    native(UND, "init", "()I", init),
    native(UND, "getcwd", "()[B", getcwd),
    native(UND, "dup", "(I)I", dup),
    native(UND, "open0", "(JII)I", open),
    native(UND, "openat0", "(IJII)I", openat),
    native(UND, "close0", "(I)V", close),
    native(UND, "rewind", "(J)V", rewind),
    native(UND, "getlinelen", "(J)I", getlinelen),
    native(UND, "link0", "(JJ)V", |c| two_paths(c, Fs::link)),
    native(UND, "symlink0", "(JJ)V", |c| two_paths(c, Fs::symlink)),
    native(UND, "rename0", "(JJ)V", |c| two_paths(c, Fs::rename)),
    native(UND, "renameat0", "(IJIJ)V", renameat),
    native(UND, "unlink0", "(J)V", |c| one_path(c, Fs::unlink)),
    native(UND, "unlinkat0", "(IJI)V", unlinkat),
    native(UND, "rmdir0", "(J)V", |c| one_path(c, Fs::rmdir)),
    native(UND, "mkdir0", "(JI)V", |c| {
        path_and_int(c, |fs, p, mode| fs.mkdir(p, mode as u32))
    }),
    native(UND, "mknod0", "(JIJ)V", mknod),
    native(UND, "readlink0", "(J)[B", |c| path_to_bytes(c, Fs::readlink)),
    native(UND, "realpath0", "(J)[B", |c| path_to_bytes(c, Fs::realpath)),
    native(UND, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)V", |c| {
        stat(c, true)
    }),
    native(UND, "stat0", "(JLsun/nio/fs/UnixFileAttributes;)I", stat_errno),
    native(UND, "stat1", "(J)I", stat_mode),
    native(UND, "lstat0", "(JLsun/nio/fs/UnixFileAttributes;)V", |c| {
        stat(c, false)
    }),
    native(UND, "fstat", "(ILsun/nio/fs/UnixFileAttributes;)V", fstat),
    native(UND, "fstat0", "(ILsun/nio/fs/UnixFileAttributes;)V", fstat),
    native(UND, "fstatat0", "(IJILsun/nio/fs/UnixFileAttributes;)V", fstatat),
    native(UND, "chown0", "(JII)V", |c| chown(c, Fs::chown)),
    native(UND, "lchown0", "(JII)V", |c| chown(c, Fs::lchown)),
    native(UND, "fchown", "(III)V", fchown),
    native(UND, "fchown0", "(III)V", fchown),
    native(UND, "chmod0", "(JI)V", |c| {
        path_and_int(c, |fs, p, mode| fs.chmod(p, mode as u32 & 0o7777))
    }),
    native(UND, "fchmod", "(II)V", fchmod),
    native(UND, "fchmod0", "(II)V", fchmod),
    native(UND, "fchmodat0", "(IJII)V", fchmodat),
    native(UND, "fchmodatNoFollowSupported0", "()Z", |_| Ok(boolean(false))),
    native(UND, "utimes0", "(JJJ)V", |c| utimes(c, true)),
    native(UND, "lutimes0", "(JJJ)V", |c| utimes(c, false)),
    native(UND, "futimes", "(IJJ)V", |c| futimes(c, 1000)),
    native(UND, "futimes0", "(IJJ)V", |c| futimes(c, 1000)),
    native(UND, "futimens", "(IJJ)V", |c| futimes(c, 1)),
    native(UND, "futimens0", "(IJJ)V", |c| futimes(c, 1)),
    native(UND, "utimensat0", "(IJJJI)V", utimensat),
    native(UND, "opendir0", "(J)J", opendir),
    native(UND, "fdopendir", "(I)J", fdopendir),
    native(UND, "closedir", "(J)V", closedir),
    native(UND, "readdir", "(J)[B", readdir),
    native(UND, "readdir0", "(J)[B", readdir),
    native(UND, "read", "(IJI)I", read),
    native(UND, "read0", "(IJI)I", read),
    native(UND, "write", "(IJI)I", write),
    native(UND, "write0", "(IJI)I", write),
    native(UND, "access0", "(JI)V", |c| {
        path_and_int(c, |fs, p, mode| fs.access(p, mode))
    }),
    native(UND, "access0", "(JI)I", access_errno),
    native(UND, "exists0", "(J)Z", exists),
    native(UND, "getpwuid", "(I)[B", |c| name_of(c, c.vm.host.env.users())),
    native(UND, "getgrgid", "(I)[B", |c| name_of(c, c.vm.host.env.groups())),
    native(UND, "getpwnam0", "(J)I", |c| id_of(c, &c.vm.host.env.users())),
    native(UND, "getgrnam0", "(J)I", |c| id_of(c, &c.vm.host.env.groups())),
    native(
        UND,
        "statvfs0",
        "(JLsun/nio/fs/UnixFileStoreAttributes;)V",
        statvfs,
    ),
    native(UND, "strerror", "(I)[B", strerror),
    native(UND, "fgetxattr0", "(IJJI)I", get_xattr),
    native(UND, "fsetxattr0", "(IJJI)V", set_xattr),
    native(UND, "fremovexattr0", "(IJ)V", remove_xattr),
    native(UND, "flistxattr", "(IJI)I", list_xattr),
    native(LND, "init", "()V", nothing),
    native(LND, "setmntent0", "(JJ)J", setmntent),
    native(LND, "getmntent0", "(JLsun/nio/fs/UnixMountEntry;JI)I", getmntent),
    native(LND, "endmntent", "(J)V", closedir),
    native(LND, "posix_fadvise", "(IJJI)I", |_| Ok(int(0))),
    native(LND, "directCopy0", "(IIJ)I", |_| Ok(int(-6))),
    native("sun/nio/fs/UnixCopyFile", "transfer", "(IIJ)V", copy_file),
    native(
        "sun/nio/fs/UnixFileSystem",
        "bufferedCopy0",
        "(IIJIJ)V",
        copy_file,
    ),
];

/// The *at calls, futimes, futimens, lutimes, extended attributes and birth times.
fn init(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 16))
}

pub fn unix_error(c: &mut Ctx<'_>, error: Errno) -> Stop {
    if let Some(stop) = c.overlay_full(error) {
        return stop;
    }
    match c.vm.new_exception("sun/nio/fs/UnixException", None, None) {
        Ok(exception) => {
            c.vm.set_int_field(exception, "sun/nio/fs/UnixException", "errno", error.0);
            Stop::Throw(exception)
        }
        Err(stop) => stop,
    }
}

pub fn unix<T>(c: &mut Ctx<'_>, result: SysResult<T>) -> Result<T, Stop> {
    result.map_err(|e| unix_error(c, e))
}

fn done(c: &mut Ctx<'_>, result: SysResult<()>) -> Result<u64, Stop> {
    unix(c, result).map(|()| 0)
}

fn one_path(c: &mut Ctx<'_>, call: fn(&mut Fs, &[u8]) -> SysResult<()>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let result = call(c.vm.host.fs(), &path);
    done(c, result)
}

fn path_and_int(c: &mut Ctx<'_>, call: fn(&mut Fs, &[u8], i32) -> SysResult<()>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let argument = c.int(2);
    let result = call(c.vm.host.fs(), &path, argument);
    done(c, result)
}

fn two_paths(c: &mut Ctx<'_>, call: fn(&mut Fs, &[u8], &[u8]) -> SysResult<()>) -> Result<u64, Stop> {
    let (from, to) = (c.c_string(c.long(0))?, c.c_string(c.long(2))?);
    let result = call(c.vm.host.fs(), &from, &to);
    done(c, result)
}

fn path_to_bytes(c: &mut Ctx<'_>, call: fn(&Fs, &[u8]) -> SysResult<Vec<u8>>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let result = call(&c.vm.host.fs, &path);
    let bytes = unix(c, result)?;
    Ok(c.vm.new_bytes(&bytes)?.bits())
}

fn getcwd(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let cwd = c.vm.host.fs.cwd().to_vec();
    Ok(c.vm.new_bytes(&cwd)?.bits())
}

// Descriptors.

fn dup(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.int(0);
    let result = c.vm.host.fs().dup(fd);
    Ok(int(unix(c, result)?))
}

fn open(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let (flags, mode) = (c.int(2), c.int(3));
    let result = c.vm.host.fs().open(&path, flags, mode as u32);
    Ok(int(unix(c, result)?))
}

fn openat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (dir, flags, mode) = (c.int(0), c.int(3), c.int(4));
    let fs = c.vm.host.fs();
    let result = fs
        .path_at(dir, &name)
        .and_then(|path| fs.open(&path, flags, mode as u32));
    Ok(int(unix(c, result)?))
}

fn close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.close_fd(c.int(0));
    done(c, result)
}

/// Reads from a file, or from the pipe that wakes a watch service's thread.
fn read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.int(0), c.long(1), c.int(3));
    let mut buffer = vec![0; len.max(0) as usize];
    let result = match c.net_id(fd) {
        Some(id) => match c.vm.host.net.read(id, &mut buffer) {
            Err(Errno::AGAIN) if !c.vm.host.net.is_nonblocking(id) => return Err(c.wait_for(id)),
            other => other.map(Ready::Bytes),
        },
        None => c.vm.host.read(fd, &mut buffer),
    };
    c.wake_waiters();
    match unix(c, result)? {
        Ready::Bytes(n) => {
            c.native_bytes_mut(address, n as i64)?
                .copy_from_slice(&buffer[..n]);
            Ok(int(n as i32))
        }
        Ready::NotYet => Err(c.wait_for_input(fd)),
    }
}

fn write(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.int(0), c.long(1), c.int(3));
    let bytes = c.native_bytes(address, i64::from(len))?.to_vec();
    let result = match c.net_id(fd) {
        Some(id) => c.vm.host.net.write(id, &bytes),
        None => c.vm.host.write(fd, &bytes),
    };
    c.wake_waiters();
    Ok(int(unix(c, result)? as i32))
}

/// Copies what is left of a file.
fn copy_file(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (to, from) = (c.int(0), c.int(1));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let result = c.vm.host.fs().read(from, &mut buffer);
        let n = unix(c, result)?;
        if n == 0 {
            return Ok(0);
        }
        let mut rest = &buffer[..n];
        while !rest.is_empty() {
            let result = c.vm.host.fs().write(to, rest);
            rest = &rest[unix(c, result)?..];
        }
    }
}

// Names.

fn renameat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to) = (c.c_string(c.long(1))?, c.c_string(c.long(4))?);
    let (from_dir, to_dir) = (c.int(0), c.int(3));
    let fs = c.vm.host.fs();
    let paths = fs
        .path_at(from_dir, &from)
        .and_then(|a| Ok((a, fs.path_at(to_dir, &to)?)));
    let result = paths.and_then(|(a, b)| fs.rename(&a, &b));
    done(c, result)
}

fn unlinkat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (dir, flags) = (c.int(0), c.int(3));
    let fs = c.vm.host.fs();
    let result = fs.path_at(dir, &name).and_then(|path| {
        if flags & libc::AT_REMOVEDIR != 0 {
            fs.rmdir(&path)
        } else {
            fs.unlink(&path)
        }
    });
    done(c, result)
}

fn mknod(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let (mode, dev) = (c.int(2), c.long(3));
    let result = c.vm.host.fs().mknod(&path, mode as u32, dev as u64);
    done(c, result)
}

fn exists(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    Ok(boolean(c.vm.host.fs.access(&path, libc::F_OK).is_ok()))
}

fn access_errno(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    Ok(int(c
        .vm
        .host
        .fs
        .access(&path, c.int(2))
        .map_or_else(|e| e.0, |()| 0)))
}

// Attributes.

fn fill(c: &mut Ctx<'_>, attrs: ObjRef, stat: &Stat) {
    c.set_int_if_there(attrs, ATTRS, "st_mode", stat.mode as i32);
    c.set_int_if_there(attrs, ATTRS, "st_nlink", stat.nlink as i32);
    c.set_int_if_there(attrs, ATTRS, "st_uid", stat.uid as i32);
    c.set_int_if_there(attrs, ATTRS, "st_gid", stat.gid as i32);
    let longs = [
        ("st_ino", stat.ino as i64),
        ("st_dev", stat.dev as i64),
        ("st_rdev", stat.rdev as i64),
        ("st_size", stat.size),
        ("st_atime_sec", stat.accessed.secs),
        ("st_atime_nsec", stat.accessed.nanos),
        ("st_mtime_sec", stat.modified.secs),
        ("st_mtime_nsec", stat.modified.nanos),
        ("st_ctime_sec", stat.changed.secs),
        ("st_ctime_nsec", stat.changed.nanos),
        ("st_birthtime_sec", stat.born.secs),
        ("st_birthtime_nsec", stat.born.nanos),
    ];
    for (field, value) in longs {
        c.set_long_if_there(attrs, ATTRS, field, value);
    }
    if let Some(off) = c.vm.try_off(ATTRS, "birthtime_available") {
        c.vm.heap.put_u8(attrs, off, 1);
    }
}

fn stat(c: &mut Ctx<'_>, follow: bool) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let fs = c.vm.host.fs();
    let result = if follow { fs.stat(&path) } else { fs.lstat(&path) };
    let stat = unix(c, result)?;
    let attrs = c.obj(2);
    fill(c, attrs, &stat);
    Ok(0)
}

/// As `stat0` of newer JDKs: the error number instead of an exception.
fn stat_errno(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let attrs = c.obj(2);
    match c.vm.host.fs().stat(&path) {
        Ok(stat) => {
            fill(c, attrs, &stat);
            Ok(int(0))
        }
        Err(error) => Ok(int(error.0)),
    }
}

fn stat_mode(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    Ok(int(c.vm.host.fs().stat(&path).map_or(0, |s| s.mode as i32)))
}

fn fstat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.int(0);
    let result = c.vm.host.fs().fstat(fd);
    let stat = unix(c, result)?;
    let attrs = c.obj(1);
    fill(c, attrs, &stat);
    Ok(0)
}

fn fstatat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (dir, flags, attrs) = (c.int(0), c.int(3), c.obj(4));
    let fs = c.vm.host.fs();
    let result = fs.path_at(dir, &name).and_then(|path| {
        if flags & libc::AT_SYMLINK_NOFOLLOW != 0 {
            fs.lstat(&path)
        } else {
            fs.stat(&path)
        }
    });
    let stat = unix(c, result)?;
    fill(c, attrs, &stat);
    Ok(0)
}

fn chown(c: &mut Ctx<'_>, call: fn(&mut Fs, &[u8], u32, u32) -> SysResult<()>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let (uid, gid) = (c.int(2) as u32, c.int(3) as u32);
    let result = call(c.vm.host.fs(), &path, uid, gid);
    done(c, result)
}

fn fchown(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, uid, gid) = (c.int(0), c.int(1) as u32, c.int(2) as u32);
    let result = c.vm.host.fs().fchown(fd, uid, gid);
    done(c, result)
}

fn fchmod(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, mode) = (c.int(0), c.int(1) as u32 & 0o7777);
    let result = c.vm.host.fs().fchmod(fd, mode);
    done(c, result)
}

fn fchmodat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (dir, mode) = (c.int(0), c.int(3) as u32 & 0o7777);
    let fs = c.vm.host.fs();
    let result = fs.path_at(dir, &name).and_then(|path| fs.chmod(&path, mode));
    done(c, result)
}

fn utimes(c: &mut Ctx<'_>, follow: bool) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let (accessed, modified) = (micros(c.long(2)), micros(c.long(4)));
    let result =
        c.vm.host
            .fs()
            .set_times(&path, follow, Some(accessed), Some(modified));
    done(c, result)
}

fn micros(time: i64) -> Time {
    Time {
        secs: time.div_euclid(1_000_000),
        nanos: time.rem_euclid(1_000_000) * 1000,
    }
}

fn futimes(c: &mut Ctx<'_>, unit: i64) -> Result<u64, Stop> {
    let fd = c.int(0);
    let time = |t: i64| if unit == 1 { Time::of_nanos(t) } else { micros(t) };
    let (accessed, modified) = (time(c.long(1)), time(c.long(3)));
    let result = c.vm.host.fs().set_times_of(fd, Some(accessed), Some(modified));
    done(c, result)
}

fn utimensat(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (dir, accessed, modified) = (c.int(0), Time::of_nanos(c.long(3)), Time::of_nanos(c.long(5)));
    let follow = c.int(7) & libc::AT_SYMLINK_NOFOLLOW == 0;
    let fs = c.vm.host.fs();
    let result = fs
        .path_at(dir, &name)
        .and_then(|path| fs.set_times(&path, follow, Some(accessed), Some(modified)));
    done(c, result)
}

fn statvfs(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let result = c.vm.host.fs.statvfs(&path);
    let stat = unix(c, result)?;
    let attrs = c.obj(2);
    c.vm.set_long_field(attrs, STORE, "f_frsize", stat.fragment as i64);
    c.vm.set_long_field(attrs, STORE, "f_blocks", stat.blocks as i64);
    c.vm.set_long_field(attrs, STORE, "f_bfree", stat.free as i64);
    c.vm.set_long_field(attrs, STORE, "f_bavail", stat.available as i64);
    Ok(0)
}

fn get_xattr(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let (fd, address, len) = (c.int(0), c.long(3), c.int(5));
    let mut value = vec![0; len.max(0) as usize];
    let result = c.vm.host.fs.get_xattr(fd, &name, &mut value);
    let n = unix(c, result)?;
    if len > 0 {
        c.native_bytes_mut(address, n as i64)?
            .copy_from_slice(&value[..n]);
    }
    Ok(int(n as i32))
}

fn set_xattr(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let value = c.native_bytes(c.long(3), i64::from(c.int(5)))?.to_vec();
    let fd = c.int(0);
    let result = c.vm.host.fs().set_xattr(fd, &name, &value);
    done(c, result)
}

fn remove_xattr(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.c_string(c.long(1))?;
    let fd = c.int(0);
    let result = c.vm.host.fs().remove_xattr(fd, &name);
    done(c, result)
}

fn list_xattr(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.int(0), c.long(1), c.int(3));
    let mut names = vec![0; len.max(0) as usize];
    let result = c.vm.host.fs.list_xattr(fd, &mut names);
    let n = unix(c, result)?;
    if len > 0 {
        c.native_bytes_mut(address, n as i64)?
            .copy_from_slice(&names[..n]);
    }
    Ok(int(n as i32))
}

// Folder streams.

fn opendir(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let result = c.vm.host.fs().open_dir(&path);
    Ok(long(unix(c, result)? as i64))
}

fn fdopendir(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.int(0);
    let result = c.vm.host.fs().open_dir_of(fd);
    Ok(long(unix(c, result)? as i64))
}

fn closedir(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stream = c.long(0) as u64;
    let result = c.vm.host.fs().close_dir(stream);
    done(c, result)
}

fn readdir(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stream = c.long(0) as u64;
    let result = c.vm.host.fs.next_name(stream);
    let Some(name) = unix(c, result)? else {
        return Ok(ObjRef::NULL.bits());
    };
    // Gone on only once nothing can fail any more: a native may be run again.
    let bytes = c.vm.new_bytes(&name)?;
    let result = c.vm.host.fs.advance(stream);
    unix(c, result)?;
    Ok(bytes.bits())
}

fn rewind(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.vm.host.fs.rewind(c.long(0) as u64);
    done(c, result)
}

fn getlinelen(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stream = c.long(0) as u64;
    let result = c.vm.host.fs.next_name(stream).and_then(|line| {
        c.vm.host.fs.advance(stream)?;
        Ok(line.map_or(-1, |l| l.len() as i32))
    });
    Ok(int(unix(c, result)?))
}

// Users and mounts.

fn name_of(c: &mut Ctx<'_>, accounts: Vec<Account>) -> Result<u64, Stop> {
    let id = c.int(0) as u32;
    match accounts.into_iter().find(|a| a.id == id) {
        Some(account) => Ok(c.vm.new_bytes(&account.name)?.bits()),
        None => Err(unix_error(c, Errno::NOENT)),
    }
}

fn id_of(c: &mut Ctx<'_>, accounts: &[Account]) -> Result<u64, Stop> {
    let name = c.c_string(c.long(0))?;
    Ok(int(accounts
        .iter()
        .find(|a| a.name == name)
        .map_or(-1, |a| a.id as i32)))
}

fn strerror(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let text = Errno(c.int(0)).text();
    Ok(c.vm.new_bytes(text.as_bytes())?.bits())
}

fn setmntent(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.c_string(c.long(0))?;
    let result = c.vm.host.fs().open_lines(&path);
    Ok(long(unix(c, result)? as i64))
}

fn getmntent(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (stream, entry) = (c.long(0) as u64, c.obj(2));
    let result = c.vm.host.fs.next_name(stream);
    let Some(line) = unix(c, result)? else {
        return Ok(int(-1));
    };
    let parts: Vec<Vec<u8>> = line.split(|b| matches!(b, b' ' | b'\t')).map(unescape).collect();
    for (field, i) in [("name", 0), ("dir", 1), ("fstype", 2), ("opts", 3)] {
        let bytes = c.vm.new_bytes(parts.get(i).map_or(b"", |p| p.as_slice()))?;
        c.vm.set_ref_field(entry, MOUNT, field, bytes);
    }
    let dev = parts
        .get(1)
        .and_then(|dir| sys::stat(dir, true).ok())
        .map_or(0, |s| s.dev);
    c.vm.set_long_field(entry, MOUNT, "dev", dev as i64);
    let result = c.vm.host.fs.advance(stream);
    unix(c, result)?;
    Ok(int(0))
}

/// Undoes the octal escapes of a mount table.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, tail)) = rest.split_first() {
        let octal = |b: &[u8]| {
            std::str::from_utf8(b)
                .ok()
                .and_then(|s| u8::from_str_radix(s, 8).ok())
        };
        match tail.get(..3).filter(|_| *first == b'\\').and_then(octal) {
            Some(byte) => {
                out.push(byte);
                rest = &tail[3..];
            }
            None => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mount_names_are_unescaped() {
        assert_eq!(unescape(b"/a\\040b\\011"), b"/a b\t");
        assert_eq!(unescape(b"x\\9"), b"x\\9");
    }
}
