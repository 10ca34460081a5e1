//! The private channel between a worker and its supervisor: the run specification goes in, messages come out, a line of
//! JSON each.
//!
//! It is a socket that the worker gets as its standard input and moves away at once, to a descriptor that is closed in
//! every program the tests start. So nothing but the worker itself can write to it, and its end is the worker's end.

use poldet_records::{Event, Message};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
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

/// What was heard of a process within a given time.
pub enum Heard<M> {
    Message(M),
    /// Nothing yet.
    Silence,
    /// The channel is closed: nothing follows.
    Closed,
}

/// The supervisor's end: messages, read by whoever waits for them. A thread between the two would have to be woken for each as well.
pub struct Lines {
    reader: BufReader<UnixStream>,
    partial: Vec<u8>,
}

impl Lines {
    /// Nobody waits longer than that.
    pub fn new(stream: UnixStream, within: Duration) -> io::Result<Lines> {
        stream.set_read_timeout(Some(within))?;
        Ok(Lines {
            reader: BufReader::with_capacity(CHUNK, stream),
            partial: Vec::new(),
        })
    }

    pub fn stream(&self) -> &UnixStream {
        self.reader.get_ref()
    }

    /// The next message, if one comes in time.
    pub fn hear<M: DeserializeOwned>(&mut self) -> Heard<M> {
        loop {
            match self.reader.read_until(b'\n', &mut self.partial) {
                Ok(_) if self.partial.last() == Some(&b'\n') => {
                    let message = serde_json::from_slice(&self.partial);
                    self.partial.clear();
                    // What is not ours says nothing.
                    if let Ok(message) = message {
                        return Heard::Message(message);
                    }
                }
                // Nor does a line cut short by the process's death.
                Ok(_) => return Heard::Closed,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Heard::Silence;
                }
                Err(_) => return Heard::Closed,
            }
        }
    }
}
