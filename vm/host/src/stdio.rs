//! Standard input, output and error.

use crate::errno::{Errno, SysResult};
use crate::sys;

/// Where what the guest prints goes.
#[derive(Clone, Debug)]
enum Sink {
    /// To the process's own descriptor, unbuffered.
    Real(i32),
    Captured(Vec<u8>),
}

/// Captured bytes beyond these are dropped: a guest that prints without end must not take all memory.
const KEEP: usize = 64 << 20;

#[derive(Clone, Debug)]
pub struct Output {
    sink: Sink,
    closed: bool,
    /// The reader has gone: what follows is dropped without a word.
    broken: bool,
}

impl Output {
    pub fn real(fd: i32) -> Output {
        Output {
            sink: Sink::Real(fd),
            closed: false,
            broken: false,
        }
    }

    pub fn captured() -> Output {
        Output {
            sink: Sink::Captured(Vec::new()),
            closed: false,
            broken: false,
        }
    }

    /// Writes all of it.
    pub fn write(&mut self, mut bytes: &[u8]) -> SysResult<()> {
        if self.closed {
            return Err(Errno::BADF);
        }
        let fd = match &mut self.sink {
            Sink::Captured(buffer) => {
                let room = KEEP.saturating_sub(buffer.len());
                buffer.extend_from_slice(&bytes[..bytes.len().min(room)]);
                return Ok(());
            }
            Sink::Real(fd) => *fd,
        };
        while !bytes.is_empty() && !self.broken {
            match sys::write(fd, bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => sys::wait_writable(fd),
                Err(Errno::PIPE) => self.broken = true,
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// The guest closed its descriptor; the process keeps its own.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Takes what has been captured so far; empty when output is passed through.
    pub fn take(&mut self) -> Vec<u8> {
        match &mut self.sink {
            Sink::Captured(buffer) => std::mem::take(buffer),
            Sink::Real(_) => Vec::new(),
        }
    }

    /// From now on collect instead of passing through, or the reverse; what was collected is returned.
    pub fn set_captured(&mut self, captured: bool, fd: i32) -> Vec<u8> {
        let old = self.take();
        self.sink = if captured {
            Sink::Captured(Vec::new())
        } else {
            Sink::Real(fd)
        };
        old
    }
}

/// Standard input: the process's own, given bytes, or a pipe that nobody writes to.
#[derive(Clone, Debug)]
pub enum Input {
    Real,
    Given {
        bytes: Vec<u8>,
        pos: usize,
    },
    /// Open, and nothing ever comes.
    Silent,
    Closed,
}

/// What a read that does not wait found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// This many bytes; 0 is the end.
    Bytes(usize),
    /// Nothing yet: let other threads run and ask again.
    NotYet,
}

impl Input {
    pub fn given(bytes: Vec<u8>) -> Input {
        Input::Given { bytes, pos: 0 }
    }

    /// Reads without holding up other threads for more than a few milliseconds.
    pub fn read(&mut self, into: &mut [u8]) -> SysResult<Ready> {
        match self {
            Input::Closed => Err(Errno::BADF),
            Input::Given { bytes, pos } => {
                let n = into.len().min(bytes.len() - *pos);
                into[..n].copy_from_slice(&bytes[*pos..*pos + n]);
                *pos += n;
                Ok(Ready::Bytes(n))
            }
            Input::Silent => Ok(Ready::NotYet),
            Input::Real => {
                if !sys::wait_readable(0, 5) {
                    return Ok(Ready::NotYet);
                }
                match sys::read(0, into) {
                    Ok(n) => Ok(Ready::Bytes(n)),
                    Err(Errno::INTR | Errno::AGAIN) => Ok(Ready::NotYet),
                    Err(e) => Err(e),
                }
            }
        }
    }

    /// Bytes that can be read without waiting, as far as it is known.
    pub fn available(&self) -> SysResult<usize> {
        match self {
            Input::Closed => Err(Errno::BADF),
            Input::Given { bytes, pos } => Ok(bytes.len() - pos),
            Input::Silent => Ok(0),
            Input::Real => sys::available(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_until_closed() {
        let mut out = Output::captured();
        out.write(b"a").unwrap();
        out.write(b"b").unwrap();
        out.close();
        assert_eq!(out.write(b"c"), Err(Errno::BADF));
        assert_eq!(out.take(), b"ab");
    }

    #[test]
    fn given_input_ends() {
        let mut input = Input::given(b"xyz".to_vec());
        let mut buffer = [0; 2];
        assert_eq!(input.read(&mut buffer), Ok(Ready::Bytes(2)));
        assert_eq!(input.available(), Ok(1));
        assert_eq!(input.read(&mut buffer), Ok(Ready::Bytes(1)));
        assert_eq!(input.read(&mut buffer), Ok(Ready::Bytes(0)));
    }
}
