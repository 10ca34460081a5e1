//! The private channel between a worker and its supervisor: the run specification goes in, messages come out, a line of
//! JSON each.
//!
//! It is a socket that the worker gets as its standard input and moves away at once, to a descriptor that is closed in
//! every program the tests start. So nothing but the worker itself can write to it, and its end is the worker's end.

use poldet_records::{Event, Message};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::Sender;

/// The worker's end.
pub struct EventPipe {
    stream: RefCell<UnixStream>,
    child: Cell<u32>,
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
    }

    pub fn send(&self, event: Event) -> io::Result<()> {
        self.send_line(&Message {
            child: self.child.get(),
            event,
        })
    }

    /// Anything that the supervisor knows how to read.
    pub fn send_line(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.stream.borrow_mut().write_all(&line)
    }

    /// Lets somebody read from the channel.
    pub fn with_stream<T>(&self, read: impl FnOnce(&UnixStream) -> T) -> T {
        read(&self.stream.borrow())
    }
}

/// Reads messages from one channel until it ends, in a thread of its own, so that silence can be noticed.
pub fn read_messages(stream: impl Read + Send + 'static, to: Sender<Message>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n') {
            // A line cut short by the worker's death says nothing.
            let Ok(line) = line else { break };
            if let Ok(message) = serde_json::from_slice(&line)
                && to.send(message).is_err()
            {
                break;
            }
        }
    });
}
