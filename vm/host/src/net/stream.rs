//! Byte streams: connections, listeners and pipes. What a program can tell from outside follows the Linux kernel:
//! closing with unread bytes resets the connection, the first write to a closed peer succeeds, and so on.

use super::{Addr, Errno, Kind, Listener, Net, Object, PIPE_CAPACITY, STREAM_CAPACITY, Stream, SysResult};
use std::collections::VecDeque;

/// How a connection attempt went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connect {
    Done,
    /// The listener's queue is full, or a real server has not answered: wait and ask again.
    Wait,
    /// Nobody will ever answer.
    Unanswered,
}

impl Net {
    pub(super) fn stream(&self, id: u32) -> SysResult<&Stream> {
        match &self.get(id)?.kind {
            Kind::Stream(stream) => Ok(stream),
            Kind::Listener(_) => Err(Errno::NOTCONN),
            _ => Err(Errno::INVAL),
        }
    }

    pub(super) fn stream_mut(&mut self, id: u32) -> SysResult<&mut Stream> {
        match &mut self.get_mut(id)?.kind {
            Kind::Stream(stream) => Ok(stream),
            Kind::Listener(_) => Err(Errno::NOTCONN),
            _ => Err(Errno::INVAL),
        }
    }

    pub fn listen(&mut self, id: u32, backlog: i32) -> SysResult<()> {
        if self.get(id)?.local.is_none() {
            let ip = if self.is_v6(id) {
                super::Ip::ANY6
            } else {
                super::Ip::ANY4
            };
            self.bind(id, Addr::inet(ip, 0))?;
        }
        let object = self.get_mut(id)?;
        // The kernel takes one more than asked, and never more than its own limit.
        let backlog = backlog.clamp(0, 4096) as usize + 1;
        match &mut object.kind {
            Kind::Listener(listener) => listener.backlog = backlog,
            Kind::Stream(stream) if !stream.connected => {
                object.kind = Kind::Listener(Listener {
                    backlog,
                    waiting: VecDeque::new(),
                });
            }
            Kind::Stream(_) => return Err(Errno::INVAL),
            _ => return Err(Errno::NOTSUP),
        }
        Ok(())
    }

    fn listener_at(&self, to: &Addr) -> Option<u32> {
        let hears = |object: &Object| match (&object.local, to) {
            (
                Some(Addr::Inet { ip, port }),
                Addr::Inet {
                    ip: to_ip,
                    port: to_port,
                },
            ) => port == to_port && ip.covers(to_ip.target()),
            (Some(Addr::Unix(path)), Addr::Unix(to_path)) => !path.is_empty() && path == to_path,
            _ => false,
        };
        self.objects
            .iter()
            .find(|(_, o)| matches!(o.kind, Kind::Listener(_)) && hears(o))
            .map(|(id, _)| *id)
    }

    /// Connects a stream socket. A non-blocking socket learns the outcome later, by `finish_connect`.
    pub fn connect(&mut self, id: u32, to: Addr) -> SysResult<Connect> {
        let stream = self.stream_mut(id)?;
        if std::mem::take(&mut stream.bridged) {
            return Ok(Connect::Done);
        }
        if stream.connected {
            return Err(Errno::ISCONN);
        }
        if let Some(outcome) = stream.attempt {
            return outcome.map(|()| Connect::Done);
        }
        let outcome = self.try_connect(id, &to);
        if matches!(outcome, Ok(Connect::Wait | Connect::Unanswered)) {
            return if self.get(id)?.nonblocking {
                Err(Errno::INPROGRESS)
            } else {
                outcome
            };
        }
        let nonblocking = self.get(id)?.nonblocking && matches!(to, Addr::Inet { .. });
        match outcome {
            // Without a network the kernel knows at once.
            Err(Errno::NETUNREACH) => Err(Errno::NETUNREACH),
            _ if nonblocking => {
                self.stream_mut(id)?.attempt = Some(outcome.map(|_| ()));
                self.changed(id);
                Err(Errno::INPROGRESS)
            }
            other => other,
        }
    }

    fn try_connect(&mut self, id: u32, to: &Addr) -> SysResult<Connect> {
        let listener = self.listener_at(to);
        if let Some(outcome) = self.connect_outside(id, to, listener.is_some()) {
            return outcome;
        }
        if let Addr::Inet { ip, .. } = to
            && !ip.target().is_loopback()
        {
            return Err(Errno::NETUNREACH);
        }
        let local = match to {
            Addr::Inet { ip, .. } => self.ensure_local(id, ip.target())?,
            Addr::Unix(_) => self.get(id)?.local.clone().unwrap_or(Addr::Unix(Vec::new())),
        };
        let listener_id = listener.ok_or(Errno::CONNREFUSED)?;
        let (full, v6, options) = match self.get(listener_id)? {
            Object {
                kind: Kind::Listener(l),
                v6,
                options,
                ..
            } => (l.waiting.len() >= l.backlog, *v6, options.clone()),
            _ => return Err(Errno::CONNREFUSED),
        };
        if full {
            self.get_mut(id)?.remote = Some(to.clone());
            self.stream_mut(id)?.queued_at = Some(listener_id);
            return Ok(Connect::Wait);
        }
        let there = match to {
            Addr::Inet { ip, port } => Addr::inet(ip.target(), *port),
            Addr::Unix(path) => Addr::Unix(path.clone()),
        };
        let served = Stream {
            peer: Some(id),
            connected: true,
            ..Stream::default()
        };
        let served_id = self.insert(Kind::Stream(served), v6);
        let object = self.get_mut(served_id)?;
        object.local = Some(there.clone());
        object.remote = Some(local.clone());
        object.options = options;
        let own = self.get_mut(id)?;
        own.remote = Some(there);
        own.local = Some(local);
        let own = self.stream_mut(id)?;
        own.connected = true;
        own.peer = Some(served_id);
        own.queued_at = None;
        if let Kind::Listener(listener) = &mut self.get_mut(listener_id)?.kind {
            listener.waiting.push_back(served_id);
        }
        self.changed(listener_id);
        self.changed(id);
        Ok(Connect::Done)
    }

    /// The listener a blocking connect waits for.
    pub fn queued_at(&self, id: u32) -> Option<u32> {
        self.stream(id).ok().and_then(|s| s.queued_at)
    }

    /// The outcome of a connection attempt; `EAGAIN` while there is none.
    pub fn finish_connect(&mut self, id: u32) -> SysResult<()> {
        if self.queued_at(id).is_some() {
            let to = self.remote(id)?.clone();
            return match self.try_connect(id, &to)? {
                Connect::Done => Ok(()),
                Connect::Wait | Connect::Unanswered => Err(Errno::AGAIN),
            };
        }
        let stream = self.stream_mut(id)?;
        match stream.attempt.take() {
            Some(outcome) => outcome,
            None if stream.connected => Ok(()),
            None => Err(Errno::AGAIN),
        }
    }

    /// From where the next waiting connection of a listener comes.
    pub fn next_caller(&self, id: u32) -> SysResult<Addr> {
        let Kind::Listener(listener) = &self.get(id)?.kind else {
            return Err(Errno::INVAL);
        };
        let next = listener.waiting.front().ok_or(Errno::AGAIN)?;
        self.remote(*next).cloned()
    }

    /// The next waiting connection of a listener.
    pub fn accept(&mut self, id: u32) -> SysResult<u32> {
        let object = self.get_mut(id)?;
        let Kind::Listener(listener) = &mut object.kind else {
            return Err(Errno::INVAL);
        };
        let taken = listener.waiting.pop_front().ok_or(Errno::AGAIN)?;
        self.changed(id);
        let queued = |o: &Object| matches!(&o.kind, Kind::Stream(s) if s.queued_at == Some(id));
        let waiting: Vec<u32> = self
            .objects
            .iter()
            .filter(|(_, o)| queued(o))
            .map(|(id, _)| *id)
            .collect();
        for connecting in waiting {
            self.changed(connecting);
        }
        Ok(taken)
    }

    pub fn read(&mut self, id: u32, into: &mut [u8]) -> SysResult<usize> {
        if let Kind::Event(count) = &mut self.get_mut(id)?.kind {
            if *count == 0 {
                return Err(Errno::AGAIN);
            }
            let n = into.len().min(8);
            into[..n].copy_from_slice(&count.to_ne_bytes()[..n]);
            *count = 0;
            return Ok(n);
        }
        if matches!(self.get(id)?.kind, Kind::Datagram(_)) {
            return self.receive(id, into).map(|(n, _)| n);
        }
        let stream = self.stream_mut(id)?;
        if !stream.connected {
            return Err(Errno::NOTCONN);
        }
        let n = into.len().min(stream.received.len());
        if n > 0 {
            for (to, byte) in into.iter_mut().zip(stream.received.drain(..n)) {
                *to = byte;
            }
            if let Some(peer) = stream.peer {
                self.changed(peer);
            }
            return Ok(n);
        }
        if into.is_empty() || stream.finished || stream.read_shut {
            return Ok(0);
        }
        match stream.error.take() {
            Some(error) => {
                stream.finished = true;
                Err(error)
            }
            None => Err(Errno::AGAIN),
        }
    }

    pub fn write(&mut self, id: u32, bytes: &[u8]) -> SysResult<usize> {
        let object = self.get_mut(id)?;
        if let Kind::Event(count) = &mut object.kind {
            let mut word = [0; 8];
            word[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
            *count = count.saturating_add(u64::from_ne_bytes(word));
            self.changed(id);
            return Ok(bytes.len());
        }
        if matches!(object.kind, Kind::Datagram(_)) {
            return self.send(id, bytes, None);
        }
        let pipe = object.pipe;
        let stream = self.stream_mut(id)?;
        if let Some(error) = stream.error.take() {
            stream.write_shut = true;
            stream.finished = true;
            return Err(error);
        }
        if !stream.connected {
            return Err(if stream.write_shut {
                Errno::PIPE
            } else {
                Errno::NOTCONN
            });
        }
        if stream.write_shut {
            return Err(Errno::PIPE);
        }
        let Some(peer) = stream.peer else {
            if pipe {
                return Err(Errno::PIPE);
            }
            // The kernel takes the bytes; the answer is a reset, which the next call gets to hear of.
            stream.error = Some(if stream.finished {
                Errno::PIPE
            } else {
                Errno::CONNRESET
            });
            return Ok(bytes.len());
        };
        let capacity = if pipe { PIPE_CAPACITY } else { STREAM_CAPACITY };
        let there = self.stream_mut(peer)?;
        if there.read_shut {
            return Ok(bytes.len());
        }
        let n = bytes.len().min(capacity.saturating_sub(there.received.len()));
        if n == 0 && !bytes.is_empty() {
            return Err(Errno::AGAIN);
        }
        there.received.extend(&bytes[..n]);
        self.changed(peer);
        Ok(n)
    }

    /// One byte of urgent data: in line if the receiver asked for that, else nobody ever sees it.
    pub fn write_urgent(&mut self, id: u32, byte: u8) -> SysResult<usize> {
        let peer = self.stream(id)?.peer;
        let inline = match peer {
            Some(peer) => self
                .option(peer, libc::SOL_SOCKET, libc::SO_OOBINLINE)?
                .is_some_and(|v| v != 0),
            None => true,
        };
        if inline { self.write(id, &[byte]) } else { Ok(1) }
    }

    /// Bytes that can be read at once.
    pub fn available(&self, id: u32) -> SysResult<usize> {
        match &self.get(id)?.kind {
            Kind::Stream(stream) => Ok(stream.received.len()),
            Kind::Datagram(datagram) => Ok(datagram.queue.front().map_or(0, |(_, bytes)| bytes.len())),
            Kind::Event(count) => Ok(if *count > 0 { 8 } else { 0 }),
            Kind::Listener(_) | Kind::Poller(_) => Ok(0),
        }
    }

    /// Ends reading, writing or both, as `shutdown(2)`.
    pub fn shutdown(&mut self, id: u32, read: bool, write: bool) -> SysResult<()> {
        if let Kind::Datagram(datagram) = &mut self.get_mut(id)?.kind {
            datagram.read_shut |= read;
            self.changed(id);
            return Ok(());
        }
        let stream = self.stream_mut(id)?;
        if !stream.connected {
            return Err(Errno::NOTCONN);
        }
        stream.read_shut |= read;
        let newly = write && !stream.write_shut;
        stream.write_shut |= write;
        let peer = stream.peer;
        if newly && let Some(peer) = peer {
            self.stream_mut(peer)?.finished = true;
            self.changed(peer);
        }
        self.changed(id);
        Ok(())
    }

    pub(super) fn close_stream(&mut self, id: u32, stream: Stream, abort: bool) {
        if let Some(listener) = stream.queued_at {
            self.changed(listener);
        }
        let Some(peer) = stream.peer else { return };
        if let Some(Object {
            kind: Kind::Stream(there),
            ..
        }) = self.objects.get_mut(&peer)
            && there.peer == Some(id)
        {
            there.peer = None;
            if abort && !there.finished {
                there.error = Some(Errno::CONNRESET);
            } else {
                there.finished = true;
            }
        }
        self.changed(peer);
    }

    /// A listener went away before this connection was accepted: it is reset.
    pub(super) fn close_waiting(&mut self, id: u32) {
        if let Some(Object {
            kind: Kind::Stream(stream),
            ..
        }) = self.objects.remove(&id)
        {
            self.close_stream(id, stream, true);
        }
    }
}
