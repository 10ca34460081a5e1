//! Processes the guest starts: real ones, reached through pipes. They see the guest's files where the kernel lets them
//! (`view`), and the real ones only elsewhere; they live in real time and have numbers of their own, so that what the guest prints of them does not differ from run to run.

use crate::errno::{Errno, SysResult};
use crate::fs::Handle;
use crate::stdio::Input;
use crate::sys;
use crate::{Host, PID};
use poldet_base::ids::ThreadId;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};

/// What to start.
#[derive(Debug)]
pub struct Order {
    pub program: Vec<u8>,
    pub args: Vec<Vec<u8>>,
    /// `key=value`; the guest's own environment when absent.
    pub env: Option<Vec<Vec<u8>>>,
    pub dir: Vec<u8>,
    /// For input, output and errors: a descriptor of the guest's, or none for a new pipe.
    pub streams: [Option<i32>; 3],
    /// Errors go where output goes.
    pub merge: bool,
}

/// A child that was started.
#[derive(Debug)]
struct Started {
    /// The guest's number of it.
    pid: i64,
    child: Child,
    exit: Option<i32>,
}

/// A child's output on its way to the guest's own.
#[derive(Debug)]
struct Relay {
    from: OwnedFd,
    errors: bool,
}

#[derive(Debug, Default)]
pub struct Processes {
    list: Vec<Started>,
    relays: Vec<Relay>,
    /// Descriptors that threads wait for: to read, or else to write.
    awaited: Vec<(i32, bool)>,
    /// Threads wait for a child to end.
    awaited_end: bool,
    /// How much of what a thread writes to a full pipe has been written.
    written: Vec<(ThreadId, i32, usize)>,
    /// What a process does to itself before it becomes another program.
    confine: Option<fn() -> std::io::Result<()>>,
    /// Processes can be given the files of their test.
    views: bool,
}

impl Processes {
    /// Does any thread wait for a child, or for what it writes or reads?
    #[inline]
    pub fn is_awaited(&self) -> bool {
        self.awaited_end || !self.awaited.is_empty()
    }

    /// How many were started.
    pub fn started(&self) -> usize {
        self.list.len()
    }

    /// Gives every process that is started from now on the files of its test.
    pub fn give_views(&mut self) {
        self.views = true;
    }

    pub fn have_views(&self) -> bool {
        self.views
    }

    /// Has every process that is started from now on do this before it becomes another program.
    pub fn confine_by(&mut self, action: fn() -> std::io::Result<()>) {
        self.confine = Some(action);
    }

    pub fn await_fd(&mut self, fd: i32, read: bool) {
        self.awaited.push((fd, read));
    }

    pub fn keep_written(&mut self, thread: ThreadId, fd: i32, count: usize) {
        self.written.push((thread, fd, count));
    }

    pub fn take_written(&mut self, thread: ThreadId, fd: i32) -> usize {
        let mine = |w: &(ThreadId, i32, usize)| w.0 == thread && w.1 == fd;
        match self.written.iter().position(mine) {
            Some(at) => self.written.remove(at).2,
            None => 0,
        }
    }

    pub fn await_end(&mut self) {
        self.awaited_end = true;
    }

    /// Those who waited are woken and will ask again.
    pub fn clear_awaited(&mut self) {
        self.awaited.clear();
        self.awaited_end = false;
    }

    /// Numbers of the children that have not ended.
    pub fn alive(&mut self) -> Vec<i64> {
        self.look();
        let running = self.list.iter().filter(|s| s.exit.is_none());
        running.map(|s| s.pid).collect()
    }

    pub fn is_child(&self, pid: i64) -> bool {
        self.list.iter().any(|s| s.pid == pid)
    }

    /// How a child ended, if it has.
    pub fn exit_of(&mut self, pid: i64) -> Option<i32> {
        self.look();
        self.list.iter().find(|s| s.pid == pid)?.exit
    }

    /// Notes which children have ended; whether one has since the last look.
    fn look(&mut self) -> bool {
        let mut news = false;
        for started in self.list.iter_mut().filter(|s| s.exit.is_none()) {
            if let Ok(Some(status)) = started.child.try_wait() {
                // As a shell tells a signal.
                let code = status.code().or(status.signal().map(|s| 0x80 + s));
                started.exit = Some(code.unwrap_or(-1));
                news = true;
            }
        }
        news
    }

    /// Sends a signal to a child that runs.
    pub fn kill(&mut self, pid: i64, force: bool) -> bool {
        self.look();
        match self.list.iter().find(|s| s.pid == pid) {
            Some(started) if started.exit.is_none() => {
                let signal = if force { libc::SIGKILL } else { libc::SIGTERM };
                sys::kill(started.child.id() as i32, signal).is_ok()
            }
            _ => false,
        }
    }
}

impl Host {
    /// Has anything happened that a thread waits for? Waits at most this long (ms) for it.
    pub fn look_at_processes(&mut self, patience: i32) -> bool {
        self.relay();
        let moved = self.net.pump();
        let ended = self.processes.look() && self.processes.awaited_end;
        let mut awaited = self.processes.awaited.clone();
        awaited.extend(self.net.awaited_outside());
        let ready = sys::poll(&awaited, if ended || moved { 0 } else { patience });
        let moved = self.net.pump() || moved;
        // What it wrote before it ended is there by now.
        let ended = (self.processes.look() || ended) && self.processes.awaited_end;
        self.relay();
        // What a bridge has moved wakes its own waiters.
        ready || ended || moved
    }

    /// Does anything outside matter to a thread: another process, or a real server?
    #[inline]
    pub fn awaits_outside(&self) -> bool {
        self.processes.is_awaited() || self.net.outside.is_open()
    }

    /// Passes on what children have written to the guest's own output.
    fn relay(&mut self) {
        let mut left = Vec::new();
        for relay in std::mem::take(&mut self.processes.relays) {
            let mut buffer = [0; 8192];
            let out = if relay.errors {
                &mut self.stderr
            } else {
                &mut self.stdout
            };
            let open = loop {
                match sys::read_owned(&relay.from, &mut buffer) {
                    Ok(0) => break false,
                    Ok(n) => {
                        let _ = out.write(&buffer[..n]);
                    }
                    Err(e) => break matches!(e, Errno::AGAIN | Errno::INTR),
                }
            };
            if open {
                left.push(relay);
            }
        }
        self.processes.relays = left;
    }

    /// Starts a process: its number, and the guest's descriptors of new pipes.
    pub fn start_process(&mut self, order: &Order) -> SysResult<(i64, [i32; 3])> {
        let view = self.view_for(&self.fs.absolute(&order.dir))?;
        let program = self.find_program(&order.program)?;
        let mut command = Command::new(OsStr::from_bytes(&program));
        command
            .arg0(OsStr::from_bytes(&order.program))
            .args(order.args.iter().map(|a| OsStr::from_bytes(a)))
            .env_clear();
        match view {
            // The folder may be the guest's own: the process goes there when it sees the guest's files.
            Some(view) => sys::before_exec(&mut command, move || view.enter()),
            None => {
                command.current_dir(OsStr::from_bytes(&order.dir));
            }
        }
        self.set_environment(&mut command, order);
        let mut ours: [Option<OwnedFd>; 3] = [None, None, None];
        let (stdin, mine) = self.stream(order.streams[0], 0)?;
        ours[0] = mine;
        let (stdout, mine) = self.stream(order.streams[1], 1)?;
        ours[1] = mine;
        let stderr = if order.merge {
            stdout.try_clone().map_err(|e| errno_of(&e))?
        } else {
            let (stderr, mine) = self.stream(order.streams[2], 2)?;
            ours[2] = mine;
            stderr
        };
        command
            .stdin(Stdio::from(stdin))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr));
        if let Some(confine) = self.processes.confine {
            sys::before_exec(&mut command, confine);
        }
        let child = command.spawn().map_err(|e| errno_of(&e))?;
        let mut ends = [-1; 3];
        for (end, mine) in ends.iter_mut().zip(ours) {
            if let Some(mine) = mine {
                *end = self.fs.insert(Handle::Pipe(mine))?;
            }
        }
        let pid = PID + 1 + self.processes.list.len() as i64;
        let exit = None;
        self.processes.list.push(Started { pid, child, exit });
        Ok((pid, ends))
    }

    fn set_environment(&self, command: &mut Command, order: &Order) {
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = match &order.env {
            None => self.env.vars.clone(),
            Some(block) => block
                .iter()
                .filter_map(|pair| {
                    // A name may begin with the sign.
                    let at = 1 + pair.iter().skip(1).position(|b| *b == b'=')?;
                    Some((pair[..at].to_vec(), pair[at + 1..].to_vec()))
                })
                .collect(),
        };
        for (key, value) in &pairs {
            command.env(OsStr::from_bytes(key), OsStr::from_bytes(value));
        }
    }

    fn is_file(&self, path: &[u8]) -> bool {
        let place = self.fs.place(path);
        place.is_ok_and(|p| sys::stat(&p, true).is_ok_and(|s| s.is_regular()))
    }

    /// The file of a program, found as execvp does with the guest's own PATH.
    fn find_program(&self, name: &[u8]) -> SysResult<Vec<u8>> {
        if name.contains(&b'/') {
            return Ok(name.to_vec());
        }
        let path = self.env.var("PATH").unwrap_or(b"/usr/bin:/bin");
        let mut found = Err(Errno::NOENT);
        for folder in path.split(|b| *b == b':') {
            let folder: &[u8] = if folder.is_empty() { b"." } else { folder };
            let file = [folder, b"/", name].concat();
            match self.fs.access(&file, libc::X_OK) {
                Ok(()) if self.is_file(&file) => return Ok(file),
                Err(Errno(libc::EACCES)) => found = Err(Errno(libc::EACCES)),
                _ => {}
            }
        }
        found
    }

    /// The child's end of a stream, and ours if it is a new pipe.
    fn stream(&mut self, fd: Option<i32>, number: usize) -> SysResult<(OwnedFd, Option<OwnedFd>)> {
        let Some(fd) = fd else {
            let (read, write) = sys::pipe()?;
            let (theirs, mine) = if number == 0 { (read, write) } else { (write, read) };
            sys::set_nonblocking(&mine)?;
            return Ok((theirs, Some(mine)));
        };
        let shared = match self.fs.handle(fd)? {
            Handle::Stdin if matches!(self.stdin, Input::Real) => sys::dup_owned(0)?,
            Handle::Stdin => sys::open_owned(b"/dev/null", libc::O_RDWR)?,
            Handle::Stdout | Handle::Stderr => {
                let errors = matches!(self.fs.handle(fd)?, Handle::Stderr);
                let (from, write) = sys::pipe()?;
                sys::set_nonblocking(&from)?;
                self.processes.relays.push(Relay { from, errors });
                write
            }
            Handle::File(_) => self.fs.shared(fd)?,
            Handle::Random => sys::open_owned(b"/dev/urandom", libc::O_RDWR)?,
            Handle::Pipe(pipe) => {
                // A child of its own gets it: it is to wait on it as usual.
                let copy = pipe.try_clone().map_err(|e| errno_of(&e))?;
                sys::set_blocking(&copy)?;
                copy
            }
            Handle::Net(_) => return Err(Errno(libc::EINVAL)),
        };
        Ok((shared, None))
    }
}

fn errno_of(error: &std::io::Error) -> Errno {
    Errno(error.raw_os_error().unwrap_or(libc::EIO))
}
