//! The private channel between a worker and its supervisor: the run specification goes in, messages come out, a line of
//! JSON each.
//!
//! It is a socket that the worker gets as its standard input and moves away at once, to a descriptor that is closed in
//! every program the tests start. So nothing but the worker itself can write to it, and its end is the worker's end.

use crate::run::process::Heard;
use poldet_records::{Event, Message};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The worker's end.
pub struct EventPipe {
    stream: RefCell<UnixStream>,
    child: Cell<u32>,
    /// Lines that go with the next one that somebody waits for: each write wakes the supervisor.
    waiting: RefCell<Vec<u8>>,
}

/// Bytes read at once.
const CHUNK: usize = 32 << 10;

/// More than this does not wait.
const MOST_WAITING: usize = 32 << 10;

/// Whether an event says nothing that would be missed if the process died before its next one.
fn can_wait(event: &Event) -> bool {
    matches!(
        event,
        Event::Step { .. }
            | Event::Planned { .. }
            | Event::ClassStarted { .. }
            | Event::ClassFinished { .. }
            | Event::ContainerStarted { .. }
            | Event::ContainerFinished { .. }
            | Event::FixtureState { .. }
            | Event::Listed { .. }
            | Event::Access { .. }
    )
}

impl EventPipe {
    /// Takes over standard input, which reads as empty from now on; with what came in as its first line.
    pub fn take_stdin() -> io::Result<(String, EventPipe)> {
        let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
        let mut line = String::new();
        // All that is sent is one line, so that nothing is lost in the reader.
        BufReader::new(&stream).read_line(&mut line)?;
        let pipe = EventPipe {
            stream: RefCell::new(stream),
            child: Cell::new(0),
            waiting: RefCell::default(),
        };
        Ok((line, pipe))
    }

    /// In a process that is not to hear or say anything: closes its end.
    pub fn let_go(&self) {
        if let Ok((unused, _)) = UnixStream::pair() {
            self.stream.replace(unused);
        }
    }

    /// In a fork of the worker: goes on as this child, on a channel of its own.
    pub fn become_child(&self, child: u32, stream: UnixStream) {
        self.child.set(child);
        self.stream.replace(stream);
        self.waiting.borrow_mut().clear();
    }

    /// Reports an event: now, or with the next one.
    pub fn send(&self, event: Event) -> io::Result<()> {
        let child = self.child.get();
        // A worker that is lost in a fixture is to have said in which.
        let waits = child != 0 && can_wait(&event);
        self.add(&Message { child, event })?;
        let much = self.waiting.borrow().len() > MOST_WAITING;
        match waits && !much {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Anything that the supervisor knows how to read.
    pub fn send_line(&self, message: &impl Serialize) -> io::Result<()> {
        self.add(message)?;
        self.flush()
    }

    fn add(&self, message: &impl Serialize) -> io::Result<()> {
        let mut waiting = self.waiting.borrow_mut();
        let before = waiting.len();
        if let Err(e) = serde_json::to_writer(&mut *waiting, message) {
            waiting.truncate(before);
            return Err(e.into());
        }
        waiting.push(b'\n');
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let mut waiting = self.waiting.borrow_mut();
        let sent = self.stream.borrow_mut().write_all(&waiting);
        waiting.clear();
        sent
    }

    /// Lets somebody read from the channel.
    pub fn with_stream<T>(&self, read: impl FnOnce(&UnixStream) -> T) -> T {
        read(&self.stream.borrow())
    }
}

/// The messages of a worker, read by whoever waits for them: a thread between the two would have to be woken for each as well.
pub struct Messages {
    stream: UnixStream,
    chunk: Box<[u8]>,
    /// What has been read, and where the first line begins that was not given out.
    read: Vec<u8>,
    from: usize,
    /// How much of it is known to hold no end of a line.
    searched: usize,
    within: Option<Duration>,
}

impl Messages {
    pub fn of(stream: UnixStream) -> Messages {
        Messages {
            stream,
            chunk: vec![0; CHUNK].into(),
            read: Vec::new(),
            from: 0,
            searched: 0,
            within: None,
        }
    }

    /// The next message, if one comes in time. A line cut short by the worker's death says nothing.
    pub fn next(&mut self, within: Duration) -> Heard {
        loop {
            while let Some(line) = self.line() {
                if let Ok(message) = serde_json::from_slice(line) {
                    return Heard::Message(Box::new(message));
                }
            }
            if self.within != Some(within) {
                // Without a time nobody would notice silence.
                if self.stream.set_read_timeout(Some(within)).is_err() {
                    return Heard::Closed;
                }
                self.within = Some(within);
            }
            match self.stream.read(&mut self.chunk) {
                Ok(0) => return Heard::Closed,
                Ok(count) => self.read.extend_from_slice(&self.chunk[..count]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Heard::Silence;
                }
                Err(_) => return Heard::Closed,
            }
        }
    }

    /// The next whole line that was read.
    fn line(&mut self) -> Option<&[u8]> {
        let Some(length) = self.read[self.searched..].iter().position(|b| *b == b'\n') else {
            // Only the beginning of a line is left.
            self.read.drain(..self.from);
            (self.from, self.searched) = (0, self.read.len());
            return None;
        };
        let (start, end) = (self.from, self.searched + length);
        (self.from, self.searched) = (end + 1, end + 1);
        Some(&self.read[start..end])
    }
}
