//! The outside world. Everything the guest can learn or change beyond its own heap goes through here: files,
//! standard streams, environment, time, randomness, native memory and a network of its own.

pub mod clock;
pub mod env;
pub mod errno;
pub mod fault;
pub mod fork;
pub mod fs;
pub mod journal;
pub mod memory;
pub mod net;
pub mod overlay;
pub mod process;
mod quota;
mod readers;
pub mod rng;
mod special;
pub mod stdio;
pub mod sys;
mod undo;
pub mod used;
pub mod view;
pub mod watch;
pub mod zlib;

use clock::{Clock, TimeSource};
use env::{Env, Identity};
use errno::{Errno, SysResult};
use fs::{Fs, Handle};
use memory::Memory;
use net::Net;
use rng::Rng;
use std::os::fd::AsRawFd;
use stdio::{Input, Output, Ready};
use sys::Time;
use zlib::Zlib;

/// The guest's own process id; fixed, so that runs do not differ.
pub const PID: i64 = 4242;

/// What dealing with a file takes, in virtual time (ns).
const FILE_NANOS: u64 = 20_000;
/// What writing to an open one takes.
const WRITE_NANOS: u64 = 1_000;

/// How the outside world is to look.
#[derive(Clone, Debug)]
pub struct HostOptions {
    pub seed: u64,
    pub time: TimeSource,
    /// Collect what the guest prints instead of passing it through.
    pub capture: bool,
    /// Bytes for standard input instead of the process's own.
    pub input: Option<Input>,
    /// The guest's working folder; the process's own when absent.
    pub dir: Option<String>,
    pub identity: Identity,
    /// Files that the guest sees at another path than where they are: the guest's, then the real one.
    pub aliases: Vec<(String, String)>,
}

impl Default for HostOptions {
    fn default() -> HostOptions {
        HostOptions {
            seed: 0,
            time: TimeSource::Virtual,
            capture: false,
            input: None,
            dir: None,
            identity: Identity::of_machine(),
            aliases: Vec::new(),
        }
    }
}

/// How often the guest has asked for what is not its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    pub clock: u64,
    /// Of objects that are not classes.
    pub identity_hashes: u64,
    /// Sockets, and addresses of hosts.
    pub network: u64,
}

pub struct Host {
    pub fs: Fs,
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
    pub env: Env,
    pub clock: Clock,
    pub memory: Memory,
    pub net: Net,
    pub rng: Rng,
    pub zlib: Zlib,
    pub processes: process::Processes,
    pub uses: Uses,
}

impl Host {
    pub fn new(options: HostOptions) -> Host {
        let env = Env::new(&options.identity, options.dir);
        let mut fs = Fs::new(env.dir.as_bytes());
        fs.show_owners(env.owners());
        for (path, place) in &options.aliases {
            fs.show_at(path.as_bytes(), place.as_bytes());
        }
        // Where a VM listens for those who attach to it: only this one's own program can. Some updates go through /proc.
        fs.keep_private(format!("/tmp/.java_pid{PID}").as_bytes());
        fs.keep_private(format!("/proc/{PID}/root/tmp/.java_pid{PID}").as_bytes());
        let clock = Clock::new(options.time);
        if options.time == TimeSource::Virtual {
            fs.set_now(Some(Time::of_nanos(clock.wall_nanos())));
        }
        let output = |fd| {
            if options.capture {
                Output::captured()
            } else {
                Output::real(fd)
            }
        };
        Host {
            fs,
            stdin: options.input.unwrap_or(Input::Real),
            stdout: output(1),
            stderr: output(2),
            env,
            clock,
            memory: Memory::new(),
            net: Net::new(),
            // Any seed will do, but 0 should not look like the generator's start state.
            rng: Rng::new(options.seed ^ 0x706f_6c64_6574_3137),
            zlib: Zlib::default(),
            processes: process::Processes::default(),
            uses: Uses::default(),
        }
    }

    /// The file system with its idea of the time brought up to date: use this for whatever may write.
    pub fn fs(&mut self) -> &mut Fs {
        self.fs_taking(FILE_NANOS)
    }

    fn fs_taking(&mut self, nanos: u64) -> &mut Fs {
        self.clock.spend(nanos);
        let now = match self.clock.source() {
            TimeSource::Virtual => Some(Time::of_nanos(self.clock.wall_nanos())),
            TimeSource::Real => None,
        };
        self.fs.set_now(now);
        &mut self.fs
    }

    /// Hands what has happened in watched folders to those who watch.
    pub fn deliver_watch_events(&mut self) {
        for event in self.fs.watches.take_events() {
            if let Some(writer) = self.net.other_end(event.instance) {
                // A watcher that never reads loses events when its queue is full, as with the kernel.
                let _ = self.net.write(writer, &event.encode());
            }
        }
    }

    /// Keeps whatever the guest does below this path away from the real one.
    pub fn keep_private(&mut self, prefix: &[u8]) {
        self.fs.keep_private(prefix);
    }

    /// Fills with what the guest takes for entropy.
    pub fn seeded_bytes(&mut self, bytes: &mut [u8]) {
        self.rng.fill(bytes);
    }

    /// Reads from a file, standard stream or in-VM object; `EAGAIN` of the latter is for the caller to act on.
    pub fn read(&mut self, fd: i32, into: &mut [u8]) -> SysResult<Ready> {
        match self.fs.handle(fd)? {
            Handle::Stdin => self.stdin.read(into),
            Handle::Random => {
                self.rng.fill(into);
                Ok(Ready::Bytes(into.len()))
            }
            Handle::File(_) => self.fs.read(fd, into).map(Ready::Bytes),
            Handle::Net(id) => self.net.read(*id, into).map(Ready::Bytes),
            Handle::Pipe(pipe) => match sys::read_owned(pipe, into) {
                Ok(n) => Ok(Ready::Bytes(n)),
                Err(Errno::AGAIN | Errno::INTR) => Ok(Ready::NotYet),
                Err(e) => Err(e),
            },
            Handle::Stdout | Handle::Stderr => Err(Errno::BADF),
        }
    }

    /// Writes to a file, standard stream or in-VM object; may write less than asked, as the system call.
    pub fn write(&mut self, fd: i32, bytes: &[u8]) -> SysResult<usize> {
        match self.fs.handle(fd)? {
            Handle::Stdout => self.stdout.write(bytes).map(|()| bytes.len()),
            Handle::Stderr => self.stderr.write(bytes).map(|()| bytes.len()),
            Handle::Random => Ok(bytes.len()),
            Handle::File(_) => self.fs_taking(WRITE_NANOS).write(fd, bytes),
            Handle::Net(id) => self.net.write(*id, bytes),
            Handle::Pipe(pipe) => sys::write(pipe.as_raw_fd(), bytes),
            Handle::Stdin => Err(Errno::BADF),
        }
    }

    /// Reads into native memory, at a file's own position or a given one; `None` for a stray address.
    pub fn read_native(
        &mut self,
        fd: i32,
        address: u64,
        len: u64,
        at: Option<i64>,
    ) -> Option<SysResult<Ready>> {
        let into = self.memory.bytes_mut(address, len)?;
        Some(match (self.fs.handle(fd), at) {
            (Err(e), _) => Err(e),
            (Ok(Handle::File(_)), Some(at)) => self.fs.pread(fd, into, at).map(Ready::Bytes),
            (Ok(Handle::File(_)), None) => self.fs.read(fd, into).map(Ready::Bytes),
            (Ok(Handle::Net(id)), None) => self.net.read(*id, into).map(Ready::Bytes),
            (Ok(Handle::Stdin), None) => self.stdin.read(into),
            (Ok(Handle::Pipe(pipe)), None) => match sys::read_owned(pipe, into) {
                Ok(n) => Ok(Ready::Bytes(n)),
                Err(Errno::AGAIN | Errno::INTR) => Ok(Ready::NotYet),
                Err(e) => Err(e),
            },
            (Ok(Handle::Random), _) => {
                self.rng.fill(into);
                Ok(Ready::Bytes(into.len()))
            }
            (Ok(_), Some(_)) => Err(Errno::SPIPE),
            (Ok(_), None) => Err(Errno::BADF),
        })
    }

    /// Writes from native memory, at a file's own position or a given one; `None` for a stray address.
    pub fn write_native(
        &mut self,
        fd: i32,
        address: u64,
        len: u64,
        at: Option<i64>,
    ) -> Option<SysResult<usize>> {
        self.fs_taking(WRITE_NANOS);
        let bytes = self.memory.bytes(address, len)?;
        Some(match (self.fs.handle(fd), at) {
            (Err(e), _) => Err(e),
            (Ok(Handle::File(_)), Some(at)) => self.fs.pwrite(fd, bytes, at),
            (Ok(Handle::File(_)), None) => self.fs.write(fd, bytes),
            (Ok(Handle::Net(id)), None) => self.net.write(*id, bytes),
            (Ok(Handle::Pipe(pipe)), None) => sys::write(pipe.as_raw_fd(), bytes),
            (Ok(Handle::Stdout), None) => self.stdout.write(bytes).map(|()| bytes.len()),
            (Ok(Handle::Stderr), None) => self.stderr.write(bytes).map(|()| bytes.len()),
            (Ok(Handle::Random), _) => Ok(bytes.len()),
            (Ok(_), Some(_)) => Err(Errno::SPIPE),
            (Ok(_), None) => Err(Errno::BADF),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_lead_where_they_should() {
        let options = HostOptions {
            capture: true,
            input: Some(Input::given(b"in".to_vec())),
            seed: 3,
            ..HostOptions::default()
        };
        let mut host = Host::new(options);
        assert_eq!(host.write(1, b"out"), Ok(3));
        assert_eq!(host.write(0, b"x"), Err(Errno::BADF));
        assert_eq!(host.stdout.take(), b"out");
        let mut buffer = [0; 4];
        assert_eq!(host.read(0, &mut buffer), Ok(Ready::Bytes(2)));
        let random = host.fs().open(b"/dev/urandom", libc::O_RDONLY, 0).unwrap();
        assert_eq!(host.read(random, &mut buffer), Ok(Ready::Bytes(4)));
    }
}
