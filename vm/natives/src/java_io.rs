//! Natives of java.io: file streams, descriptors, and the file system behind java.io.File.

use poldet_vm::host::errno::{Errno, SysResult};
use poldet_vm::host::stdio::Ready;
use poldet_vm::host::sys::{self, Time};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::natives::outside::nothing;
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::Stop;

const FD: &str = "java/io/FileDescriptor";
const IN: &str = "java/io/FileInputStream";
const OUT: &str = "java/io/FileOutputStream";
const RAF: &str = "java/io/RandomAccessFile";
const UFS: &str = "java/io/UnixFileSystem";
const CONSOLE: &str = "java/io/Console";

pub const TABLE: &[Native] = &[
    native(FD, "initIDs", "()V", nothing),
    native(FD, "getHandle", "(I)J", get_handle),
    native(FD, "getAppend", "(I)Z", get_append),
    native(FD, "close0", "()V", close_descriptor),
    native(FD, "sync", "()V", sync),
    native(FD, "sync0", "()V", sync),
    native("java/io/FileCleanable", "cleanupClose0", "(IJ)V", cleanup_close),
    native(IN, "initIDs", "()V", nothing),
    native(IN, "open0", "(Ljava/lang/String;)V", open_in),
    native(IN, "read0", "()I", |c| read_one(c, IN)),
    native(IN, "readBytes", "([BII)I", |c| read_bytes(c, IN)),
    native(IN, "length0", "()J", |c| length(c, IN)),
    native(IN, "position0", "()J", |c| position(c, IN)),
    native(IN, "skip0", "(J)J", skip),
    native(IN, "available0", "()I", available),
    native(
        IN,
        "isRegularFile0",
        "(Ljava/io/FileDescriptor;)Z",
        is_regular_file,
    ),
    native(OUT, "initIDs", "()V", nothing),
    native(OUT, "open0", "(Ljava/lang/String;Z)V", open_out),
    native(OUT, "write", "(IZ)V", |c| write_one(c, OUT)),
    native(OUT, "writeBytes", "([BIIZ)V", |c| write_bytes(c, OUT)),
    native(RAF, "initIDs", "()V", nothing),
    native(RAF, "open0", "(Ljava/lang/String;I)V", open_random),
    native(RAF, "read0", "()I", |c| read_one(c, RAF)),
    native(RAF, "readBytes", "([BII)I", |c| read_bytes(c, RAF)),
    native(RAF, "readBytes0", "([BII)I", |c| read_bytes(c, RAF)),
    native(RAF, "write0", "(I)V", |c| write_one(c, RAF)),
    native(RAF, "writeBytes", "([BII)V", |c| write_bytes(c, RAF)),
    native(RAF, "writeBytes0", "([BII)V", |c| write_bytes(c, RAF)),
    native(RAF, "getFilePointer", "()J", |c| position(c, RAF)),
    native(RAF, "seek0", "(J)V", seek),
    native(RAF, "length", "()J", |c| length(c, RAF)),
    native(RAF, "length0", "()J", |c| length(c, RAF)),
    native(RAF, "setLength", "(J)V", set_length),
    native(RAF, "setLength0", "(J)V", set_length),
    native(CONSOLE, "encoding", "()Ljava/lang/String;", nothing),
    native(CONSOLE, "echo", "(Z)Z", |_| Ok(boolean(true))),
    native("jdk/internal/io/JdkConsoleImpl", "echo", "(Z)Z", |_| {
        Ok(boolean(true))
    }),
    native(CONSOLE, "istty", "()Z", |_| {
        Ok(boolean(sys::is_terminal(0) && sys::is_terminal(1)))
    }),
    native(CONSOLE, "ttyStatus", "()I", tty_status),
    native(UFS, "initIDs", "()V", nothing),
    native(
        UFS,
        "canonicalize0",
        "(Ljava/lang/String;)Ljava/lang/String;",
        canonicalize,
    ),
    native(
        UFS,
        "getBooleanAttributes0",
        "(Ljava/io/File;)I",
        boolean_attributes,
    ),
    native(UFS, "checkAccess", "(Ljava/io/File;I)Z", check_access),
    native(UFS, "checkAccess0", "(Ljava/io/File;I)Z", check_access),
    native(UFS, "getLastModifiedTime", "(Ljava/io/File;)J", last_modified),
    native(UFS, "getLastModifiedTime0", "(Ljava/io/File;)J", last_modified),
    native(UFS, "getLength", "(Ljava/io/File;)J", file_length),
    native(UFS, "getLength0", "(Ljava/io/File;)J", file_length),
    native(UFS, "setPermission", "(Ljava/io/File;IZZ)Z", set_permission),
    native(UFS, "setPermission0", "(Ljava/io/File;IZZ)Z", set_permission),
    native(
        UFS,
        "createFileExclusively",
        "(Ljava/lang/String;)Z",
        create_exclusively,
    ),
    native(
        UFS,
        "createFileExclusively0",
        "(Ljava/lang/String;)Z",
        create_exclusively,
    ),
    native(UFS, "delete0", "(Ljava/io/File;)Z", delete),
    native(UFS, "list", "(Ljava/io/File;)[Ljava/lang/String;", list),
    native(UFS, "list0", "(Ljava/io/File;)[Ljava/lang/String;", list),
    native(UFS, "createDirectory", "(Ljava/io/File;)Z", create_directory),
    native(UFS, "createDirectory0", "(Ljava/io/File;)Z", create_directory),
    native(UFS, "rename0", "(Ljava/io/File;Ljava/io/File;)Z", rename),
    native(
        UFS,
        "setLastModifiedTime",
        "(Ljava/io/File;J)Z",
        set_last_modified,
    ),
    native(
        UFS,
        "setLastModifiedTime0",
        "(Ljava/io/File;J)Z",
        set_last_modified,
    ),
    native(UFS, "setReadOnly", "(Ljava/io/File;)Z", set_read_only),
    native(UFS, "setReadOnly0", "(Ljava/io/File;)Z", set_read_only),
    native(UFS, "getSpace", "(Ljava/io/File;I)J", space),
    native(UFS, "getSpace0", "(Ljava/io/File;I)J", space),
    native(UFS, "getNameMax0", "(Ljava/lang/String;)J", |_| Ok(long(255))),
];

// Descriptors.

fn get_handle(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    // Handles are for Windows.
    Ok(long(-1))
}

fn get_append(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let flags = c.vm.host.fs.open_flags(c.int(0)).unwrap_or(0);
    Ok(boolean(flags & libc::O_APPEND != 0))
}

fn close_descriptor(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let descriptor = c.obj(0);
    let fd = c.fd_of(descriptor);
    if fd == -1 {
        return Ok(0);
    }
    c.set_fd(descriptor, -1);
    // The standard descriptors stay open: HotSpot points them to /dev/null so that nothing else takes their number.
    if fd > 2 && c.close_fd(fd).is_err() {
        return Err(c.io_exception("close failed"));
    }
    Ok(0)
}

fn cleanup_close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.close_fd(c.int(0)).is_err() {
        return Err(c.io_exception("close failed"));
    }
    Ok(0)
}

fn sync(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    if c.vm.host.fs().fsync(fd, false).is_err() {
        return Err(c.vm.throw("java/io/SyncFailedException", Some("sync failed")));
    }
    Ok(0)
}

/// The descriptor of the stream in slot 0; an IOException when it is closed.
fn stream_fd(c: &mut Ctx<'_>, class: &'static str) -> Result<i32, Stop> {
    let this = c.obj(0);
    let descriptor = c.vm.load_ref_field(this, class, "fd");
    match c.fd_of(descriptor) {
        -1 => Err(c.io_exception("Stream Closed")),
        fd => Ok(fd),
    }
}

// Opening.

/// Opens a file for a stream object; folders cannot be opened, not even for reading.
fn open_stream(c: &mut Ctx<'_>, class: &'static str, flags: i32) -> Result<u64, Stop> {
    let path = c.path(1)?;
    // The kernel does not remove trailing slashes.
    let kept = path
        .iter()
        .rposition(|b| *b != b'/')
        .map_or(path.len().min(1), |i| i + 1);
    match open_file(c, &path[..kept], flags) {
        Ok(fd) => {
            let this = c.obj(0);
            let descriptor = c.vm.load_ref_field(this, class, "fd");
            c.set_fd(descriptor, fd);
            c.vm.set_bool_field(descriptor, FD, "append", flags & libc::O_APPEND != 0);
            Ok(0)
        }
        Err(error) => {
            if let Some(stop) = c.overlay_full(error) {
                return Err(stop);
            }
            let message = format!("{} ({})", String::from_utf8_lossy(&path), error.text());
            Err(c.vm.throw("java/io/FileNotFoundException", Some(&message)))
        }
    }
}

fn open_file(c: &mut Ctx<'_>, path: &[u8], flags: i32) -> SysResult<i32> {
    let fs = c.vm.host.fs();
    let fd = fs.open(path, flags, 0o666)?;
    if fs.fstat(fd).is_ok_and(|s| s.is_dir()) {
        fs.close(fd)?;
        return Err(Errno::ISDIR);
    }
    Ok(fd)
}

fn open_in(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    open_stream(c, IN, libc::O_RDONLY)
}

fn open_out(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let how = if c.bool(2) { libc::O_APPEND } else { libc::O_TRUNC };
    open_stream(c, OUT, libc::O_WRONLY | libc::O_CREAT | how)
}

fn open_random(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mode = c.int(2);
    let mut flags = if mode & 2 != 0 {
        libc::O_RDWR | libc::O_CREAT
    } else {
        libc::O_RDONLY
    };
    if mode & 2 != 0 && mode & 4 != 0 {
        flags |= libc::O_SYNC;
    } else if mode & 2 != 0 && mode & 8 != 0 {
        flags |= libc::O_DSYNC;
    }
    open_stream(c, RAF, flags)
}

// Reading and writing.

fn read_one(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let fd = stream_fd(c, class)?;
    let mut byte = [0];
    match read_fd(c, fd, &mut byte)? {
        0 => Ok(int(-1)),
        _ => Ok(int(i32::from(byte[0]))),
    }
}

fn read_fd(c: &mut Ctx<'_>, fd: i32, into: &mut [u8]) -> Result<usize, Stop> {
    let result = c.vm.host.read(fd, into);
    match c.io(result)? {
        Ready::Bytes(n) => Ok(n),
        Ready::NotYet => Err(c.wait_for_input(fd)),
    }
}

fn read_bytes(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let (array, off, len) = (c.non_null(1)?, c.int(2), c.int(3));
    if !c.in_bounds(array, off, len) {
        return Err(c.vm.throw("java/lang/IndexOutOfBoundsException", None));
    }
    if len == 0 {
        return Ok(int(0));
    }
    let fd = stream_fd(c, class)?;
    let into = &mut c.vm.heap.bytes_mut(array)[off as usize..(off + len) as usize];
    let result = c.vm.host.read(fd, into);
    match c.io(result)? {
        Ready::Bytes(0) => Ok(int(-1)),
        Ready::Bytes(n) => Ok(int(n as i32)),
        Ready::NotYet => Err(c.wait_for_input(fd)),
    }
}

fn write_one(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let fd = stream_fd(c, class)?;
    let byte = [c.int(1) as u8];
    match c.vm.host.write(fd, &byte) {
        Err(Errno::AGAIN) if c.pipe(fd).is_some() => Err(c.wait_to_write(fd)),
        result => c.io(result).map(|_| 0),
    }
}

fn write_bytes(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let (array, off, len) = (c.non_null(1)?, c.int(2), c.int(3));
    if !c.in_bounds(array, off, len) {
        return Err(c.vm.throw("java/lang/IndexOutOfBoundsException", None));
    }
    if len == 0 {
        return Ok(0);
    }
    let fd = stream_fd(c, class)?;
    if c.pipe(fd).is_some() {
        return write_to_process(c, fd, array, off as usize, len as usize);
    }
    let mut rest = &c.vm.heap.load_bytes(array)[off as usize..(off + len) as usize];
    while !rest.is_empty() {
        match c.vm.host.write(fd, rest) {
            Ok(n) => rest = &rest[n..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(c.io_error(error)),
        }
    }
    Ok(0)
}

/// The pipe may be full: what has been written by then is remembered, since the native runs again.
fn write_to_process(c: &mut Ctx<'_>, fd: i32, array: ObjRef, off: usize, len: usize) -> Result<u64, Stop> {
    let me = c.thread();
    let mut done = c.vm.host.processes.take_written(me, fd);
    while done < len {
        let rest = &c.vm.heap.load_bytes(array)[off + done..off + len];
        match c.vm.host.write(fd, rest) {
            Ok(n) => done += n,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                c.vm.host.processes.keep_written(me, fd, done);
                return Err(c.wait_to_write(fd));
            }
            Err(error) => return Err(c.io_error(error)),
        }
    }
    Ok(0)
}

// Positions and sizes.

fn position(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let fd = stream_fd(c, class)?;
    let result = c.vm.host.fs.position(fd);
    Ok(long(c.io(result)?))
}

fn length(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let fd = stream_fd(c, class)?;
    let result = c.vm.host.fs().fstat(fd);
    Ok(long(c.io(result)?.size))
}

fn skip(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = stream_fd(c, IN)?;
    let count = c.long(1);
    let fs = c.vm.host.fs();
    let result = fs
        .position(fd)
        .and_then(|now| Ok(fs.seek(fd, now.saturating_add(count))? - now));
    Ok(long(c.io(result)?))
}

fn seek(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = stream_fd(c, RAF)?;
    let pos = c.long(1);
    if pos < 0 {
        return Err(c.io_exception("Negative seek offset"));
    }
    let result = c.vm.host.fs().seek(fd, pos);
    c.io(result)?;
    Ok(0)
}

fn available(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = stream_fd(c, IN)?;
    let host = &mut c.vm.host;
    let result = match fd {
        0 => host.stdin.available().map(|n| n as i64),
        1 | 2 => Ok(0),
        _ => match host.fs.handle(fd) {
            Ok(poldet_vm::host::fs::Handle::Random) => Ok(0),
            _ => host.fs.available(fd),
        },
    };
    let n = c.io(result)?;
    Ok(int(n.clamp(0, i64::from(i32::MAX)) as i32))
}

fn is_regular_file(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(1);
    let result = c.vm.host.fs().fstat(fd);
    Ok(boolean(c.io(result)?.is_regular()))
}

fn set_length(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = stream_fd(c, RAF)?;
    let size = c.long(1);
    let fs = c.vm.host.fs();
    let result = fs.position(fd).and_then(|now| {
        fs.truncate(fd, size)?;
        if now > size { fs.seek(fd, size) } else { Ok(now) }
    });
    c.io(result)?;
    Ok(0)
}

fn tty_status(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    let bits = (0..3)
        .filter(|fd| sys::is_terminal(*fd))
        .fold(0, |bits, fd| bits | 1 << fd);
    Ok(int(bits))
}

// java.io.File.

fn boolean_attributes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(int(match c.vm.host.fs().stat(&path) {
        Ok(stat) => 1 | if stat.is_regular() { 2 } else { 0 } | if stat.is_dir() { 4 } else { 0 },
        Err(_) => 0,
    }))
}

fn check_access(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    // The bits of FileSystem.ACCESS_* are those of access(2).
    Ok(boolean(c.vm.host.fs.access(&path, c.int(2)).is_ok()))
}

fn last_modified(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(long(
        c.vm.host.fs().stat(&path).map_or(0, |s| s.modified.millis()),
    ))
}

fn file_length(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(long(c.vm.host.fs().stat(&path).map_or(0, |s| s.size)))
}

fn change_mode(c: &mut Ctx<'_>, path: &[u8], change: impl FnOnce(u32) -> u32) -> bool {
    let fs = c.vm.host.fs();
    fs.stat(path)
        .and_then(|s| fs.chmod(path, change(s.mode & 0o7777)))
        .is_ok()
}

fn set_permission(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    let (access, enable, owner_only) = (c.int(2) as u32 & 7, c.bool(3), c.bool(4));
    let bits = if owner_only { access << 6 } else { access * 0o111 };
    Ok(boolean(change_mode(c, &path, |mode| {
        if enable { mode | bits } else { mode & !bits }
    })))
}

fn set_read_only(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(boolean(change_mode(c, &path, |mode| mode & !0o222)))
}

fn create_exclusively(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.path(1)?;
    if path == b"/" {
        return Ok(boolean(false));
    }
    let fs = c.vm.host.fs();
    match fs.open(&path, libc::O_RDWR | libc::O_CREAT | libc::O_EXCL, 0o666) {
        Ok(fd) => {
            let _ = fs.close(fd);
            Ok(boolean(true))
        }
        Err(Errno::EXIST) => Ok(boolean(false)),
        Err(error) => Err(c.io_error(error)),
    }
}

fn delete(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(boolean(c.vm.host.fs().remove(&path).is_ok()))
}

fn list(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    let Ok(names) = c.vm.host.fs.read_dir(&path) else {
        return Ok(ObjRef::NULL.bits());
    };
    let array = c.vm.new_ref_array(c.vm.known.string, names.len() as i32)?;
    for (i, name) in names.iter().enumerate() {
        let name = c.new_path_string(name)?;
        c.vm.heap.elem_put_ref(array, i as u32, name);
    }
    Ok(array.bits())
}

fn create_directory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    Ok(boolean(c.vm.host.fs().mkdir(&path, 0o777).is_ok()))
}

fn rename(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to) = (c.file_path(1)?, c.file_path(2)?);
    Ok(boolean(c.vm.host.fs().rename(&from, &to).is_ok()))
}

fn set_last_modified(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    let time = Time::of_nanos(c.long(2).saturating_mul(1_000_000));
    Ok(boolean(
        c.vm.host.fs().set_times(&path, true, None, Some(time)).is_ok(),
    ))
}

fn space(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.file_path(1)?;
    let Ok(stat) = c.vm.host.fs.statvfs(&path) else {
        return Ok(long(0));
    };
    let blocks = match c.int(2) {
        0 => stat.blocks,
        1 => stat.free,
        _ => stat.available,
    };
    Ok(long(
        stat.fragment.saturating_mul(blocks).min(i64::MAX as u64) as i64
    ))
}

/// Resolves links as far as the path exists, and the rest by its text.
fn canonicalize(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.path(1)?;
    if path.len() > libc::PATH_MAX as usize {
        return Err(c.io_error(Errno::NAMETOOLONG));
    }
    let fs = &c.vm.host.fs;
    if let Ok(real) = fs.realpath(&path) {
        return Ok(c.new_path_string(&collapse(&real))?.bits());
    }
    // The longest prefix that exists, then what is left of the name.
    let mut end = path.len();
    while let Some(slash) = path[..end].iter().rposition(|b| *b == b'/').filter(|i| *i > 0) {
        end = slash;
        match fs.realpath(&path[..end]) {
            Ok(real) => {
                let separator: &[u8] = if real.ends_with(b"/") { b"" } else { b"/" };
                let whole = [real.as_slice(), separator, &path[end + 1..]].concat();
                return Ok(c.new_path_string(&collapse(&whole))?.bits());
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCES) => {}
            Err(error) => return Err(c.io_error(error)),
        }
    }
    Ok(c.new_path_string(&collapse(&path))?.bits())
}

/// Removes `.` and `..` from an absolute path by its text.
fn collapse(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for name in path.split(|b| *b == b'/') {
        match name {
            b"" | b"." => {}
            b".." => {
                kept.pop();
            }
            name => kept.push(name),
        }
    }
    [b"/", kept.join(&b'/').as_slice()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_collapse() {
        assert_eq!(collapse(b"/a/./b/../c"), b"/a/c");
        assert_eq!(collapse(b"/../.."), b"/");
    }
}
