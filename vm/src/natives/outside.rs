//! What the natives that reach outside share: descriptors, paths, error texts, parking on in-VM channels.

use crate::host::errno::{Errno, SysResult};
use crate::host::fs::Handle;
use crate::host::net;
use crate::host::stdio::Input;
use crate::ids::ObjRef;
use crate::natives::ctx::Ctx;
use crate::stop::{BlockOn, Stop};
use std::os::fd::AsRawFd;

/// Nanoseconds of virtual time between two polls of standard input.
const INPUT_PATIENCE: u64 = 1_000_000;
/// Channel of threads that wait for standard input; nobody wakes it, they look again by themselves.
pub(crate) const INPUT_CHANNEL: u64 = 1 << 41;

impl Ctx<'_> {
    /// The number in a java.io.FileDescriptor; -1 for null or a closed one.
    pub fn fd_of(&mut self, descriptor: ObjRef) -> i32 {
        if descriptor.is_null() {
            return -1;
        }
        self.vm.load_int_field(descriptor, "java/io/FileDescriptor", "fd")
    }

    /// The number in a FileDescriptor argument.
    pub fn fd(&mut self, slot: usize) -> i32 {
        let descriptor = self.obj(slot);
        self.fd_of(descriptor)
    }

    pub fn set_fd(&mut self, descriptor: ObjRef, fd: i32) {
        self.vm
            .set_int_field(descriptor, "java/io/FileDescriptor", "fd", fd);
    }

    /// A String argument as a path for the kernel; a NullPointerException for null.
    pub fn path(&mut self, slot: usize) -> Result<Vec<u8>, Stop> {
        Ok(self.string(slot)?.into_bytes())
    }

    /// The path in a java.io.File argument.
    pub fn file_path(&mut self, slot: usize) -> Result<Vec<u8>, Stop> {
        let file = self.non_null(slot)?;
        let path = self.vm.load_ref_field(file, "java/io/File", "path");
        Ok(self.vm.load_text(path).into_bytes())
    }

    /// A name from the file system as a String.
    pub fn new_path_string(&mut self, path: &[u8]) -> Result<ObjRef, Stop> {
        self.vm.new_string(&String::from_utf8_lossy(path))
    }

    /// The C string at an address of native memory.
    pub fn c_string(&mut self, address: i64) -> Result<Vec<u8>, Stop> {
        let memory = &self.vm.host.memory;
        let mut bytes = Vec::new();
        let mut at = address as u64;
        loop {
            match memory.load_u8(at) {
                Some(0) => return Ok(bytes),
                Some(byte) => bytes.push(byte),
                None => return Err(stray(address, 1)),
            }
            at += 1;
        }
    }

    /// Native memory to read from.
    pub fn native_bytes(&self, address: i64, len: i64) -> Result<&[u8], Stop> {
        self.vm
            .host
            .memory
            .bytes(address as u64, len.max(0) as u64)
            .ok_or_else(|| stray(address, len))
    }

    /// Native memory to write to.
    pub fn native_bytes_mut(&mut self, address: i64, len: i64) -> Result<&mut [u8], Stop> {
        self.vm
            .host
            .memory
            .bytes_mut(address as u64, len.max(0) as u64)
            .ok_or_else(|| stray(address, len))
    }

    /// An IOException with the error's text.
    /// What to do about a full overlay, if this error is of one: no test is to blame for the size of it.
    pub fn overlay_full(&self, error: Errno) -> Option<Stop> {
        self.vm.host.fs.full(error).map(Stop::unsupported)
    }

    pub fn io_error(&mut self, error: Errno) -> Stop {
        if let Some(stop) = self.overlay_full(error) {
            return stop;
        }
        self.vm.throw("java/io/IOException", Some(&error.text()))
    }

    pub fn io_exception(&mut self, message: &str) -> Stop {
        self.vm.throw("java/io/IOException", Some(message))
    }

    /// The result, or its error as an IOException.
    pub fn io<T>(&mut self, result: SysResult<T>) -> Result<T, Stop> {
        result.map_err(|e| self.io_error(e))
    }

    /// Which in-VM object a descriptor stands for, if it is one.
    pub fn net_id(&self, fd: i32) -> Option<u32> {
        match self.vm.host.fs.handle(fd) {
            Ok(Handle::Net(id)) => Some(*id),
            _ => None,
        }
    }

    /// Lets threads go on that waited for what has just happened on the in-VM network.
    pub fn wake_waiters(&mut self) {
        for channel in self.vm.host.net.take_wakes() {
            self.vm.wake_channel(channel);
        }
    }

    /// Parks the thread until the object changes; the native runs again then.
    pub fn wait_for(&self, id: u32) -> Stop {
        Stop::Block(BlockOn::Channel {
            id: net::channel(id),
            until: None,
        })
    }

    /// Parks the thread until there may be something to read: for a moment, to poll standard input again, or until
    /// another process writes.
    pub fn wait_for_input(&mut self, fd: i32) -> Stop {
        if let Some(pipe) = self.pipe(fd) {
            self.vm.host.processes.await_fd(pipe, true);
            return outside();
        }
        // Nobody will ever write to a silent input: there is nothing to look for.
        let silent = matches!(self.vm.host.stdin, Input::Silent);
        let until = (!silent).then(|| self.vm.now_nanos() + INPUT_PATIENCE);
        Stop::Block(BlockOn::Channel {
            id: INPUT_CHANNEL,
            until,
        })
    }

    /// Parks the thread until another process has read.
    pub fn wait_to_write(&mut self, fd: i32) -> Stop {
        if let Some(pipe) = self.pipe(fd) {
            self.vm.host.processes.await_fd(pipe, false);
        }
        outside()
    }

    /// Parks the thread until another process has ended.
    pub fn wait_for_end(&mut self) -> Stop {
        self.vm.host.processes.await_end();
        outside()
    }

    /// The kernel's descriptor of a pipe to another process.
    pub fn pipe(&self, fd: i32) -> Option<i32> {
        match self.vm.host.fs.handle(fd) {
            Ok(Handle::Pipe(pipe)) => Some(pipe.as_raw_fd()),
            _ => None,
        }
    }

    /// Closes a descriptor of any kind.
    pub fn close_fd(&mut self, fd: i32) -> SysResult<()> {
        if let Some(id) = self.vm.host.fs().close(fd)? {
            let closed = self.vm.host.net.close(id);
            self.vm.host.fs.watches.forget(id);
            self.wake_waiters();
            closed?;
        }
        Ok(())
    }

    /// Stores into a field that not every JDK release has.
    pub fn set_long_if_there(&mut self, o: ObjRef, class: &'static str, field: &'static str, value: i64) {
        if let Some(off) = self.vm.try_off(class, field) {
            self.vm.heap.put_u64(o, off, value as u64);
        }
    }

    pub fn set_int_if_there(&mut self, o: ObjRef, class: &'static str, field: &'static str, value: i32) {
        if let Some(off) = self.vm.try_off(class, field) {
            self.vm.heap.put_u32(o, off, value as u32);
        }
    }

    /// Whether `off` and `len` lie within a byte array.
    pub fn in_bounds(&self, array: ObjRef, off: i32, len: i32) -> bool {
        off >= 0 && len >= 0 && i64::from(off) + i64::from(len) <= i64::from(self.vm.heap.array_len(array))
    }
}

/// Channel of threads that wait for other processes.
pub const OUTSIDE: u64 = 1 << 42;

fn outside() -> Stop {
    Stop::Block(BlockOn::Channel {
        id: OUTSIDE,
        until: None,
    })
}

/// HotSpot would crash here; the limit is ours.
pub fn stray(address: i64, len: i64) -> Stop {
    Stop::unsupported(format!(
        "native access to {len} bytes at {address:#x}, which is not native memory of this VM"
    ))
}

/// For `initIDs` and its like: HotSpot looks up field ids there, we have nothing to do.
pub fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}
