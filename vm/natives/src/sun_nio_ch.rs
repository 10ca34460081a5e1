//! Natives of sun.nio.ch for files, pipes and selectors: what FileChannel, Pipe and Selector stand on.

use poldet_vm::host::errno::{Errno, SysResult};
use poldet_vm::host::fs::Handle;
use poldet_vm::host::memory::MapMode;
use poldet_vm::host::net;
use poldet_vm::host::stdio::Ready;
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::natives::outside::{nothing, stray};
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::{BlockOn, Stop};

const FDI: &str = "sun/nio/ch/FileDispatcherImpl";
const UFDI: &str = "sun/nio/ch/UnixFileDispatcherImpl";
const UD: &str = "sun/nio/ch/UnixDispatcher";
const FCI: &str = "sun/nio/ch/FileChannelImpl";
const IOU: &str = "sun/nio/ch/IOUtil";
const THREAD: &str = "sun/nio/ch/NativeThread";
const EPOLL: &str = "sun/nio/ch/EPoll";
const EVENT: &str = "sun/nio/ch/EventFD";
const INHERITED: &str = "sun/nio/ch/InheritedChannel";

/// IOStatus.java.
pub const EOF: i64 = -1;
pub const UNAVAILABLE: i64 = -2;
pub const INTERRUPTED: i64 = -3;
pub const UNSUPPORTED_CASE: i64 = -6;

/// Exceptions thrown after something has been taken off a queue: their classes must be ready by then, because a
/// native that asks for a class is run again.
const NEEDED: &[&str] = &[
    "java/io/IOException",
    "java/net/SocketException",
    "java/net/ConnectException",
    "java/net/BindException",
    "java/net/PortUnreachableException",
    "sun/net/ConnectionResetException",
];

pub const TABLE: &[Native] = &[
    native(FDI, "init", "()V", nothing),
    native(FDI, "init0", "()V", nothing),
    native(FDI, "read0", "(Ljava/io/FileDescriptor;JI)I", read),
    native(FDI, "pread0", "(Ljava/io/FileDescriptor;JIJ)I", pread),
    native(FDI, "readv0", "(Ljava/io/FileDescriptor;JI)J", readv),
    native(FDI, "write0", "(Ljava/io/FileDescriptor;JI)I", write),
    native(FDI, "pwrite0", "(Ljava/io/FileDescriptor;JIJ)I", pwrite),
    native(FDI, "writev0", "(Ljava/io/FileDescriptor;JI)J", writev),
    native(FDI, "force0", "(Ljava/io/FileDescriptor;Z)I", force),
    native(FDI, "seek0", "(Ljava/io/FileDescriptor;J)J", seek),
    native(FDI, "truncate0", "(Ljava/io/FileDescriptor;J)I", truncate),
    native(FDI, "size0", "(Ljava/io/FileDescriptor;)J", size),
    native(FDI, "lock0", "(Ljava/io/FileDescriptor;ZJJZ)I", |_| Ok(int(0))),
    native(FDI, "release0", "(Ljava/io/FileDescriptor;JJ)V", nothing),
    native(FDI, "close0", "(Ljava/io/FileDescriptor;)V", close),
    native(FDI, "preClose0", "(Ljava/io/FileDescriptor;)V", pre_close),
    native(
        FDI,
        "dup0",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;)V",
        dup,
    ),
    native(FDI, "closeIntFD", "(I)V", close_int),
    native(FDI, "canTransferToFromOverlappedMap0", "()Z", |_| {
        Ok(boolean(true))
    }),
    native(FDI, "setDirect0", "(Ljava/io/FileDescriptor;)I", |_| Ok(int(512))),
    native(
        FDI,
        "transferFrom0",
        "(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;JJZ)J",
        |_| Ok(long(UNSUPPORTED_CASE)),
    ),
    native(
        FDI,
        "transferTo0",
        "(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;Z)J",
        |c| transfer_to(c, 0),
    ),
    native(UFDI, "read0", "(Ljava/io/FileDescriptor;JI)I", read),
    native(UFDI, "pread0", "(Ljava/io/FileDescriptor;JIJ)I", pread),
    native(UFDI, "readv0", "(Ljava/io/FileDescriptor;JI)J", readv),
    native(UFDI, "write0", "(Ljava/io/FileDescriptor;JI)I", write),
    native(UFDI, "pwrite0", "(Ljava/io/FileDescriptor;JIJ)I", pwrite),
    native(UFDI, "writev0", "(Ljava/io/FileDescriptor;JI)J", writev),
    native(UFDI, "force0", "(Ljava/io/FileDescriptor;Z)I", force),
    native(UFDI, "seek0", "(Ljava/io/FileDescriptor;J)J", seek),
    native(UFDI, "truncate0", "(Ljava/io/FileDescriptor;J)I", truncate),
    native(UFDI, "size0", "(Ljava/io/FileDescriptor;)J", size),
    native(UFDI, "available0", "(Ljava/io/FileDescriptor;)I", available),
    native(UFDI, "isOther0", "(Ljava/io/FileDescriptor;)Z", is_other),
    native(UFDI, "lock0", "(Ljava/io/FileDescriptor;ZJJZ)I", |_| Ok(int(0))),
    native(UFDI, "release0", "(Ljava/io/FileDescriptor;JJ)V", nothing),
    native(UFDI, "closeIntFD", "(I)V", close_int),
    native(UFDI, "setDirect0", "(Ljava/io/FileDescriptor;)I", |_| {
        Ok(int(512))
    }),
    native(UFDI, "allocationGranularity0", "()J", |_| Ok(long(4096))),
    native(UFDI, "map0", "(Ljava/io/FileDescriptor;IJJZ)J", map_descriptor),
    native(UFDI, "unmap0", "(JJ)I", unmap),
    native(UD, "init", "()V", nothing),
    native(UD, "close0", "(Ljava/io/FileDescriptor;)V", close),
    native(UD, "preClose0", "(Ljava/io/FileDescriptor;)V", pre_close),
    native(FCI, "initIDs", "()J", |_| Ok(long(4096))),
    native(FCI, "map0", "(IJJZ)J", map_channel),
    native(FCI, "unmap0", "(JJ)I", unmap),
    native(FCI, "maxDirectTransferSize0", "()I", |_| Ok(int(0x7fff_f000))),
    native(
        FCI,
        "transferTo0",
        "(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J",
        |c| transfer_to(c, 1),
    ),
    native("sun/nio/ch/FileKey", "initIDs", "()V", nothing),
    native(
        "sun/nio/ch/FileKey",
        "init",
        "(Ljava/io/FileDescriptor;)V",
        file_key,
    ),
    native(
        "sun/nio/ch/FileKey",
        "init",
        "(Ljava/io/FileDescriptor;[J)V",
        file_key_longs,
    ),
    native(IOU, "initIDs", "()V", prepare),
    native(IOU, "randomBytes", "([B)Z", random_bytes),
    native(IOU, "makePipe", "(Z)J", make_pipe),
    native(IOU, "write1", "(IB)I", write_one),
    native(IOU, "drain", "(I)Z", drain),
    native(IOU, "drain1", "(I)I", drain_one),
    native(
        IOU,
        "configureBlocking",
        "(Ljava/io/FileDescriptor;Z)V",
        configure_blocking,
    ),
    native(IOU, "fdVal", "(Ljava/io/FileDescriptor;)I", fd_value),
    native(IOU, "setfdVal", "(Ljava/io/FileDescriptor;I)V", set_fd_value),
    native(IOU, "fdLimit", "()I", |_| Ok(int(1 << 16))),
    native(IOU, "iovMax", "()I", |_| Ok(int(1024))),
    native(IOU, "writevMax", "()J", |_| Ok(long(i64::from(i32::MAX)))),
    native(THREAD, "init", "()V", nothing),
    native(THREAD, "supportPendingSignals0", "()Z", |_| Ok(boolean(false))),
    native(THREAD, "current", "()J", current_thread),
    native(THREAD, "current0", "()J", current_thread),
    // Whoever signals has closed the descriptor before, and that alone brings a waiting thread back.
    native(THREAD, "signal", "(J)V", nothing),
    native(THREAD, "signal0", "(J)V", nothing),
    native(EPOLL, "eventSize", "()I", |_| Ok(int(12))),
    native(EPOLL, "eventsOffset", "()I", |_| Ok(int(0))),
    native(EPOLL, "dataOffset", "()I", |_| Ok(int(4))),
    native(EPOLL, "create", "()I", epoll_create),
    native(EPOLL, "ctl", "(IIII)I", epoll_ctl),
    native(EPOLL, "wait", "(IJII)I", epoll_wait),
    native(EVENT, "eventfd0", "()I", event_create),
    native(EVENT, "set0", "(I)I", event_set),
    native("sun/nio/ch/PollSelectorImpl", "poll", "(JII)I", poll_many),
    native(INHERITED, "initIDs", "()V", nothing),
    native(INHERITED, "dup", "(I)I", |c| Ok(int(c.int(0)))),
    native(INHERITED, "close0", "(I)V", nothing),
    native(INHERITED, "soType0", "(I)I", |_| Ok(int(-1))),
];

/// Has the classes ready that may be needed when it is too late to run the native again.
fn prepare(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    for name in NEEDED {
        let class = c.vm.boot_class(name)?;
        c.vm.ensure_initialized(class)?;
    }
    Ok(0)
}

// Reading and writing.

/// What a blocked or failed call on a descriptor means to the Java side; `Ok` is an IOStatus.
pub fn status(c: &mut Ctx<'_>, fd: i32, error: Errno) -> Result<i64, Stop> {
    match (error, c.net_id(fd)) {
        (_, Some(id)) if c.vm.host.net.is_closing(id) => Ok(INTERRUPTED),
        (Errno::AGAIN, Some(id)) if !c.vm.host.net.is_nonblocking(id) => Err(c.wait_for(id)),
        (Errno::AGAIN, _) => Ok(UNAVAILABLE),
        (Errno::INTR, _) => Ok(INTERRUPTED),
        _ => Err(c.io_error(error)),
    }
}

/// Reads into native memory; the result is a count or an IOStatus.
pub fn read_at(c: &mut Ctx<'_>, fd: i32, address: i64, len: i32, at: Option<i64>) -> Result<i64, SysOr> {
    if let Some(id) = c.net_id(fd)
        && c.vm.host.net.is_closing(id)
    {
        return Ok(INTERRUPTED);
    }
    let result = c.vm.host.read_native(fd, address as u64, len.max(0) as u64, at);
    c.wake_waiters();
    match result.ok_or_else(|| stray(address, i64::from(len)))? {
        Ok(Ready::Bytes(0)) if len > 0 => Ok(EOF),
        Ok(Ready::Bytes(n)) => Ok(n as i64),
        Ok(Ready::NotYet) => Err(SysOr::Stop(c.wait_for_input(fd))),
        Err(error) => Err(SysOr::Sys(error)),
    }
}

/// An error of the system, or a reason to stop.
pub enum SysOr {
    Sys(Errno),
    Stop(Stop),
}

impl From<Stop> for SysOr {
    fn from(stop: Stop) -> SysOr {
        SysOr::Stop(stop)
    }
}

/// Turns what is left of an error into an IOStatus or an IOException.
pub fn settle(c: &mut Ctx<'_>, fd: i32, result: Result<i64, SysOr>) -> Result<i64, Stop> {
    match result {
        Ok(n) => Ok(n),
        Err(SysOr::Stop(stop)) => Err(stop),
        Err(SysOr::Sys(error)) => status(c, fd, error),
    }
}

fn read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let result = read_at(c, fd, address, len, None);
    Ok(int(settle(c, fd, result)? as i32))
}

fn pread(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len, at) = (c.fd(0), c.long(1), c.int(3), c.long(4));
    let result = read_at(c, fd, address, len, Some(at));
    Ok(int(settle(c, fd, result)? as i32))
}

pub fn write_at(c: &mut Ctx<'_>, fd: i32, address: i64, len: i32, at: Option<i64>) -> Result<i64, SysOr> {
    if let Some(id) = c.net_id(fd)
        && c.vm.host.net.is_closing(id)
    {
        return Ok(INTERRUPTED);
    }
    let result = c.vm.host.write_native(fd, address as u64, len.max(0) as u64, at);
    c.wake_waiters();
    match result.ok_or_else(|| stray(address, i64::from(len)))? {
        Ok(n) => Ok(n as i64),
        Err(error) => Err(SysOr::Sys(error)),
    }
}

pub fn write(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len) = (c.fd(0), c.long(1), c.int(3));
    let result = write_at(c, fd, address, len, None);
    Ok(int(settle(c, fd, result)? as i32))
}

fn pwrite(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, len, at) = (c.fd(0), c.long(1), c.int(3), c.long(4));
    let result = write_at(c, fd, address, len, Some(at));
    Ok(int(settle(c, fd, result)? as i32))
}

/// The (address, length) pairs of an iovec array.
fn vectors(c: &Ctx<'_>, address: i64, count: i32) -> Result<Vec<(i64, i64)>, Stop> {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, i64::from_ne_bytes);
    let bytes = c.native_bytes(address, i64::from(count) * 16)?;
    Ok(bytes
        .chunks_exact(16)
        .map(|v| (word(&v[..8]), word(&v[8..])))
        .collect())
}

/// Reads once and spreads what came over several pieces of native memory.
pub fn read_scattered(c: &mut Ctx<'_>, fd: i32, address: i64, count: i32) -> Result<i64, SysOr> {
    let vectors = vectors(c, address, count)?;
    let total: i64 = vectors.iter().map(|v| v.1).sum();
    if let Some(id) = c.net_id(fd)
        && c.vm.host.net.is_closing(id)
    {
        return Ok(INTERRUPTED);
    }
    let mut buffer = vec![0; total.clamp(0, 16 << 20) as usize];
    let result = c.vm.host.read(fd, &mut buffer);
    c.wake_waiters();
    let n = match result {
        Ok(Ready::Bytes(0)) if total > 0 => return Ok(EOF),
        Ok(Ready::Bytes(n)) => n,
        Ok(Ready::NotYet) => return Err(SysOr::Stop(c.wait_for_input(fd))),
        Err(error) => return Err(SysOr::Sys(error)),
    };
    let mut rest = &buffer[..n];
    for (to, len) in vectors {
        let (now, later) = rest.split_at(rest.len().min(len.max(0) as usize));
        c.native_bytes_mut(to, now.len() as i64)?.copy_from_slice(now);
        rest = later;
    }
    Ok(n as i64)
}

/// Gathers several pieces of native memory and writes them at once.
pub fn write_gathered(c: &mut Ctx<'_>, fd: i32, address: i64, count: i32) -> Result<i64, SysOr> {
    let mut buffer = Vec::new();
    for (from, len) in vectors(c, address, count)? {
        buffer.extend_from_slice(c.native_bytes(from, len)?);
    }
    if let Some(id) = c.net_id(fd)
        && c.vm.host.net.is_closing(id)
    {
        return Ok(INTERRUPTED);
    }
    let result = c.vm.host.write(fd, &buffer);
    c.wake_waiters();
    result.map(|n| n as i64).map_err(SysOr::Sys)
}

fn readv(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, count) = (c.fd(0), c.long(1), c.int(3));
    let result = read_scattered(c, fd, address, count);
    Ok(long(settle(c, fd, result)?))
}

fn writev(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, count) = (c.fd(0), c.long(1), c.int(3));
    let result = write_gathered(c, fd, address, count);
    Ok(long(settle(c, fd, result)?))
}

// Files.

fn force(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, metadata) = (c.fd(0), c.bool(1));
    match c.vm.host.fs().fsync(fd, !metadata) {
        // Pipes and their like cannot be synchronised, and need not.
        Ok(()) | Err(Errno::INVAL) => Ok(int(0)),
        Err(error) => Err(c.io_error(error)),
    }
}

fn seek(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, offset) = (c.fd(0), c.long(1));
    let fs = c.vm.host.fs();
    let result = if offset < 0 {
        fs.position(fd)
    } else {
        fs.seek(fd, offset)
    };
    Ok(long(c.io(result)?))
}

fn truncate(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, size) = (c.fd(0), c.long(1));
    let result = c.vm.host.fs().truncate(fd, size);
    c.io(result)?;
    Ok(int(0))
}

fn size(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    let result = c.vm.host.fs().fstat(fd);
    Ok(long(c.io(result)?.size))
}

fn available(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    let result = c.vm.host.fs().available(fd);
    Ok(int(c.io(result)?.clamp(0, i64::from(i32::MAX)) as i32))
}

fn is_other(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    let result = c.vm.host.fs().fstat(fd);
    let stat = c.io(result)?;
    Ok(boolean(!stat.is_regular() && !stat.is_dir()))
}

fn close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    close_number(c, fd)
}

fn close_int(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    close_number(c, c.int(0))
}

fn close_number(c: &mut Ctx<'_>, fd: i32) -> Result<u64, Stop> {
    if fd >= 0 {
        let result = c.close_fd(fd);
        c.io(result)?;
    }
    Ok(0)
}

/// Another thread may be inside a call on the descriptor: it must come out.
fn pre_close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    if let Some(id) = c.net_id(fd) {
        let _ = c.vm.host.net.begin_close(id);
        c.wake_waiters();
    }
    Ok(0)
}

/// As `dup2`, for sockets: the second descriptor stands for what the first does.
fn dup(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to) = (c.fd(0), c.fd(1));
    let result = match c.net_id(from) {
        Some(id) => c.vm.host.net.retain(id).and_then(|()| {
            let old = c.vm.host.fs.replace_net(to, id)?;
            c.vm.host.net.close(old)
        }),
        None => Err(Errno::BADF),
    };
    c.wake_waiters();
    c.io(result)?;
    Ok(0)
}

fn map_channel(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let this = c.obj(0);
    let descriptor = c.vm.load_ref_field(this, FCI, "fd");
    let fd = c.fd_of(descriptor);
    map(c, fd, c.int(1), c.long(2), c.long(4))
}

fn map_descriptor(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.fd(0);
    map(c, fd, c.int(1), c.long(2), c.long(4))
}

fn map(c: &mut Ctx<'_>, fd: i32, prot: i32, position: i64, len: i64) -> Result<u64, Stop> {
    let mode = match prot {
        0 => MapMode::ReadOnly,
        1 => MapMode::ReadWrite,
        _ => MapMode::Private,
    };
    let host = &mut c.vm.host;
    let result = host
        .fs
        .real_fd(fd)
        .and_then(|real| host.memory.map_file(real, position, len as u64, mode));
    match result {
        Ok(address) => {
            if mode == MapMode::ReadWrite {
                host.fs.mapped(fd, address);
            }
            Ok(long(address as i64))
        }
        Err(Errno::NOMEM) => Err(c.vm.throw("java/lang/OutOfMemoryError", Some("Map failed"))),
        Err(error) => Err(c.io_error(error)),
    }
}

fn unmap(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.fs.unmapped(c.long(0) as u64);
    let result = c.vm.host.memory.unmap_file(c.long(0) as u64, c.long(2) as u64);
    c.io(result)?;
    Ok(int(0))
}

/// Copies between two files directly; everything else is left to the Java side.
fn transfer_to(c: &mut Ctx<'_>, first: usize) -> Result<u64, Stop> {
    let (from, position, count) = (c.fd(first), c.long(first + 1), c.long(first + 3));
    let to = c.fd(first + 5);
    let is_file = |fd| matches!(c.vm.host.fs.handle(fd), Ok(Handle::File(_)));
    let appends = c.vm.host.fs.open_flags(to).is_ok_and(|f| f & libc::O_APPEND != 0);
    if !is_file(from) || !is_file(to) || appends {
        return Ok(long(UNSUPPORTED_CASE));
    }
    let result = copy_range(c, from, position, count, to);
    Ok(long(c.io(result)?))
}

fn copy_range(c: &mut Ctx<'_>, from: i32, position: i64, count: i64, to: i32) -> SysResult<i64> {
    let fs = c.vm.host.fs();
    let mut buffer = vec![0; count.clamp(0, 1 << 16) as usize];
    let mut done = 0;
    while done < count {
        let most = buffer.len().min((count - done) as usize);
        let n = fs.pread(from, &mut buffer[..most], position + done)?;
        if n == 0 {
            break;
        }
        let mut rest = &buffer[..n];
        while !rest.is_empty() {
            let written = fs.write(to, rest)?;
            rest = &rest[written..];
        }
        done += n as i64;
    }
    Ok(done)
}

fn file_key(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (this, fd) = (c.obj(0), c.fd(1));
    let result = c.vm.host.fs().fstat(fd);
    let stat = c.io(result)?;
    c.vm.set_long_field(this, "sun/nio/ch/FileKey", "st_dev", stat.dev as i64);
    c.vm.set_long_field(this, "sun/nio/ch/FileKey", "st_ino", stat.ino as i64);
    Ok(0)
}

/// As newer JDKs ask: device and inode into an array.
fn file_key_longs(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, array) = (c.fd(0), c.obj(1));
    let result = c.vm.host.fs().fstat(fd);
    let stat = c.io(result)?;
    c.vm.heap.elem_put_i64(array, 0, stat.dev as i64);
    c.vm.heap.elem_put_i64(array, 1, stat.ino as i64);
    Ok(0)
}

// IOUtil.

fn random_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(0)?;
    let mut bytes = vec![0; c.vm.heap.array_len(array) as usize];
    c.vm.host.seeded_bytes(&mut bytes);
    c.vm.heap.bytes_mut(array).copy_from_slice(&bytes);
    Ok(boolean(true))
}

/// A descriptor for a new in-VM object.
pub fn open_net(c: &mut Ctx<'_>, id: u32) -> Result<i32, Stop> {
    let result = c.vm.host.fs().insert(Handle::Net(id));
    c.io(result)
}

fn make_pipe(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let blocking = c.bool(0);
    let (read, write) = c.vm.host.net.pipe();
    for id in [read, write] {
        let result = c.vm.host.net.set_nonblocking(id, !blocking);
        c.io(result)?;
    }
    let (read, write) = (open_net(c, read)?, open_net(c, write)?);
    Ok(long(i64::from(read) << 32 | i64::from(write)))
}

fn write_one(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.int(0);
    let result = c.vm.host.write(fd, &[c.int(1) as u8]);
    c.wake_waiters();
    match result {
        Ok(n) => Ok(int(n as i32)),
        Err(error) => Ok(int(status(c, fd, error)? as i32)),
    }
}

fn drain(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let fd = c.int(0);
    let mut any = false;
    let mut buffer = [0; 128];
    loop {
        match c.vm.host.read(fd, &mut buffer) {
            Ok(Ready::Bytes(n)) if n > 0 => any = true,
            Ok(_) | Err(Errno::AGAIN) => break,
            Err(error) => return Err(c.io_error(error)),
        }
    }
    c.wake_waiters();
    Ok(boolean(any))
}

fn drain_one(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.vm.host.read(c.int(0), &mut [0]);
    c.wake_waiters();
    match result {
        Ok(Ready::Bytes(n)) => Ok(int(n as i32)),
        Ok(Ready::NotYet) | Err(Errno::AGAIN) => Ok(int(0)),
        Err(Errno::INTR) => Ok(int(INTERRUPTED as i32)),
        Err(error) => Err(c.io_error(error)),
    }
}

fn configure_blocking(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, blocking) = (c.fd(0), c.bool(1));
    match c.net_id(fd) {
        Some(id) => {
            let result = c.vm.host.net.set_nonblocking(id, !blocking);
            c.io(result)?;
        }
        None if c.vm.host.fs.handle(fd).is_ok() => {}
        None => return Err(c.io_error(Errno::BADF)),
    }
    Ok(0)
}

fn fd_value(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let descriptor = c.non_null(0)?;
    Ok(int(c.fd_of(descriptor)))
}

fn set_fd_value(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let descriptor = c.non_null(0)?;
    c.set_fd(descriptor, c.int(1));
    Ok(0)
}

fn current_thread(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(i64::from(c.thread().0) + 1))
}

// Selectors.

fn epoll_create(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.vm.host.net.poller();
    Ok(int(open_net(c, id)?))
}

fn epoll_ctl(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (poller, op, fd, events) = (c.int(0), c.int(1), c.int(2), c.int(3));
    let result = match (c.net_id(poller), c.net_id(fd)) {
        (Some(poller), Some(id)) => c.vm.host.net.control(poller, op, id, fd, events as u32),
        // Files are always ready and cannot be registered.
        (Some(_), None) if c.vm.host.fs.handle(fd).is_ok() => Err(Errno::PERM),
        _ => Err(Errno::BADF),
    };
    c.wake_waiters();
    Ok(int(result.map_or_else(|e| e.0, |()| 0)))
}

fn epoll_wait(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (fd, address, most, timeout) = (c.int(0), c.long(1), c.int(3), c.int(4));
    let Some(poller) = c.net_id(fd) else {
        let thread = c.thread().0;
        c.vm.host.net.end_wait(thread);
        return Err(c.io_error(Errno::BADF));
    };
    let result = c.vm.host.net.collect(poller, most.max(0) as usize);
    let found = c.io(result)?;
    if found.is_empty() && !out_of_patience(c, i64::from(timeout)) {
        return Err(wait_until(c, net::channel(poller), i64::from(timeout)));
    }
    let thread = c.thread().0;
    c.vm.host.net.end_wait(thread);
    for (i, (fd, events)) in found.iter().enumerate() {
        let event = c.native_bytes_mut(address + 12 * i as i64, 12)?;
        event[..4].copy_from_slice(&events.to_ne_bytes());
        event[4..8].copy_from_slice(&fd.to_ne_bytes());
    }
    Ok(int(found.len() as i32))
}

/// Whether a call that may wait so many milliseconds (negative: for ever) has waited long enough.
pub fn out_of_patience(c: &mut Ctx<'_>, timeout: i64) -> bool {
    if timeout <= 0 {
        return timeout == 0;
    }
    let now = c.vm.now_nanos();
    let thread = c.thread().0;
    now >= c
        .vm
        .host
        .net
        .deadline(thread, now.saturating_add(timeout as u64 * 1_000_000))
}

/// Parks until the channel is woken or the patience is over.
pub fn wait_until(c: &mut Ctx<'_>, channel: u64, timeout: i64) -> Stop {
    let thread = c.thread().0;
    // Without a limit of its own the entry made by `out_of_patience` is not there.
    let until = (timeout > 0).then(|| c.vm.host.net.deadline(thread, u64::MAX));
    Stop::Block(BlockOn::Channel { id: channel, until })
}

fn event_create(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.vm.host.net.event();
    let result = c.vm.host.net.set_nonblocking(id, true);
    c.io(result)?;
    Ok(int(open_net(c, id)?))
}

fn event_set(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let result = c.vm.host.write(c.int(0), &1u64.to_ne_bytes());
    c.wake_waiters();
    Ok(int(c.io(result)? as i32))
}

/// `poll` over an array of pollfd structures.
fn poll_many(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (address, count, timeout) = (c.long(0), c.int(2), i64::from(c.int(3)));
    let mut polls = c.native_bytes(address, i64::from(count) * 8)?.to_vec();
    let mut ready = 0;
    for poll in polls.chunks_exact_mut(8) {
        let fd = i32::from_ne_bytes([poll[0], poll[1], poll[2], poll[3]]);
        let events = u32::from(u16::from_ne_bytes([poll[4], poll[5]]));
        let holds = match c.net_id(fd) {
            _ if fd < 0 => 0,
            Some(id) => c.vm.host.net.ready(id) & (events | net::ERR | net::HUP),
            None if c.vm.host.fs.handle(fd).is_ok() => events & (net::IN | net::OUT),
            None => net::NVAL,
        };
        ready += i32::from(holds != 0);
        poll[6..8].copy_from_slice(&(holds as u16).to_ne_bytes());
    }
    if ready == 0 && !out_of_patience(c, timeout) {
        return Err(wait_until(c, net::ANY_CHANNEL, timeout));
    }
    let thread = c.thread().0;
    c.vm.host.net.end_wait(thread);
    c.native_bytes_mut(address, polls.len() as i64)?
        .copy_from_slice(&polls);
    Ok(int(ready))
}
