//! A network between the threads of one program, inside the VM: no packet leaves the process unless real servers may be
//! reached (`outside.rs`).
//!
//! Sockets, pipes, selectors and event counters are numbered objects. An operation that cannot go on returns
//! `EAGAIN`; the natives turn that into a parked thread when the socket is a blocking one. Whatever changes an
//! object's readiness notes its number in `wakes`, and the natives pass that on to the scheduler.

pub mod addr;
mod datagram;
mod outside;
mod poll;
mod stream;

use crate::errno::{Errno, SysResult};
use addr::{Addr, Ip};
use poldet_base::sym::FixedMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub use outside::{Fault, FaultKind, Reach};
pub use poll::{ERR, HUP, IN, NVAL, OUT};
pub use stream::Connect;

/// Bytes a connection holds for a slow reader. Generous, as the kernel's loopback is: programs that write much
/// before they read must not hang here when they do not elsewhere.
const STREAM_CAPACITY: usize = 4 << 20;
const PIPE_CAPACITY: usize = 1 << 16;
const DATAGRAM_CAPACITY: usize = 212_992;
const FIRST_EPHEMERAL: u16 = 32768;
const LAST_EPHEMERAL: u16 = 60999;
/// Channel number of those who wait for anything at all.
pub const ANY_CHANNEL: u64 = 1 << 40;

/// A connected (or not yet connected) byte stream.
#[derive(Debug, Default)]
struct Stream {
    peer: Option<u32>,
    /// What has arrived and was not read.
    received: VecDeque<u8>,
    /// The other side will send no more.
    finished: bool,
    read_shut: bool,
    write_shut: bool,
    error: Option<Errno>,
    connected: bool,
    /// A connection attempt of a non-blocking socket that has not been asked about yet.
    attempt: Option<SysResult<()>>,
    /// Waits for room in this listener's queue.
    queued_at: Option<u32>,
    /// A real server has answered, and the thread that waits for that does not know yet.
    bridged: bool,
}

#[derive(Debug)]
struct Listener {
    backlog: usize,
    waiting: VecDeque<u32>,
}

#[derive(Debug, Default)]
struct Datagram {
    queue: VecDeque<(Addr, Vec<u8>)>,
    queued: usize,
    error: Option<Errno>,
    groups: BTreeSet<Ip>,
    read_shut: bool,
}

#[derive(Debug)]
enum Kind {
    Stream(Stream),
    Listener(Listener),
    Datagram(Datagram),
    Event(u64),
    Poller(poll::Poller),
}

#[derive(Debug)]
struct Object {
    kind: Kind,
    v6: bool,
    pipe: bool,
    nonblocking: bool,
    /// Descriptors that stand for this object.
    owners: u32,
    /// A datagram socket's address from before it was connected.
    unconnected: Option<Addr>,
    /// Being closed by another thread: whoever is inside must come out.
    closing: bool,
    local: Option<Addr>,
    remote: Option<Addr>,
    options: BTreeMap<(i32, i32), i32>,
    /// Pollers that watch this object.
    watchers: BTreeSet<u32>,
}

#[derive(Debug, Default)]
pub struct Net {
    objects: BTreeMap<u32, Object>,
    last: u32,
    last_port: u16,
    /// Channels whose waiters should look again.
    wakes: Vec<u64>,
    /// When the waiting native call of a thread gives up, kept from its first try.
    deadlines: FixedMap<u32, u64>,
    pub outside: outside::Outside,
}

/// The scheduler's channel number of an object.
pub fn channel(id: u32) -> u64 {
    (1 << 32) + u64::from(id)
}

impl Net {
    pub fn new() -> Net {
        Net {
            last_port: FIRST_EPHEMERAL - 1,
            ..Net::default()
        }
    }

    fn insert(&mut self, kind: Kind, v6: bool) -> u32 {
        self.last += 1;
        let object = Object {
            kind,
            v6,
            pipe: false,
            nonblocking: false,
            closing: false,
            owners: 1,
            unconnected: None,
            local: None,
            remote: None,
            options: BTreeMap::new(),
            watchers: BTreeSet::new(),
        };
        self.objects.insert(self.last, object);
        self.last
    }

    fn get(&self, id: u32) -> SysResult<&Object> {
        self.objects.get(&id).ok_or(Errno::BADF)
    }

    fn get_mut(&mut self, id: u32) -> SysResult<&mut Object> {
        self.objects.get_mut(&id).ok_or(Errno::BADF)
    }

    /// An unbound socket.
    pub fn socket(&mut self, stream: bool, v6: bool) -> u32 {
        let kind = if stream {
            Kind::Stream(Stream::default())
        } else {
            Kind::Datagram(Datagram::default())
        };
        self.insert(kind, v6)
    }

    /// Both ends of a pipe: where to read, where to write.
    pub fn pipe(&mut self) -> (u32, u32) {
        let (read, write) = (self.socket(true, false), self.socket(true, false));
        for (own, other) in [(read, write), (write, read)] {
            if let Some(Object {
                kind: Kind::Stream(s),
                pipe,
                ..
            }) = self.objects.get_mut(&own)
            {
                s.peer = Some(other);
                s.connected = true;
                s.write_shut = own == read;
                s.finished = own == write;
                *pipe = true;
            }
        }
        (read, write)
    }

    pub fn event(&mut self) -> u32 {
        self.insert(Kind::Event(0), false)
    }

    pub fn set_nonblocking(&mut self, id: u32, on: bool) -> SysResult<()> {
        self.get_mut(id)?.nonblocking = on;
        Ok(())
    }

    pub fn is_nonblocking(&self, id: u32) -> bool {
        self.get(id).is_ok_and(|o| o.nonblocking)
    }

    /// Tells every thread inside a call on this object to come out with an interruption.
    pub fn begin_close(&mut self, id: u32) -> SysResult<()> {
        self.get_mut(id)?.closing = true;
        self.changed(id);
        Ok(())
    }

    pub fn is_closing(&self, id: u32) -> bool {
        self.get(id).is_ok_and(|o| o.closing)
    }

    pub fn is_v6(&self, id: u32) -> bool {
        self.get(id).is_ok_and(|o| o.v6)
    }

    pub fn is_stream(&self, id: u32) -> bool {
        self.get(id)
            .is_ok_and(|o| matches!(o.kind, Kind::Stream(_) | Kind::Listener(_)))
    }

    pub fn local(&self, id: u32) -> SysResult<Option<&Addr>> {
        Ok(self.get(id)?.local.as_ref())
    }

    pub fn remote(&self, id: u32) -> SysResult<&Addr> {
        self.get(id)?.remote.as_ref().ok_or(Errno::NOTCONN)
    }

    pub fn option(&self, id: u32, level: i32, name: i32) -> SysResult<Option<i32>> {
        Ok(self.get(id)?.options.get(&(level, name)).copied())
    }

    pub fn set_option(&mut self, id: u32, level: i32, name: i32, value: i32) -> SysResult<()> {
        self.get_mut(id)?.options.insert((level, name), value);
        Ok(())
    }

    fn reuses(&self, object: &Object, name: i32) -> bool {
        object
            .options
            .get(&(libc::SOL_SOCKET, name))
            .is_some_and(|v| *v != 0)
    }

    /// Takes the channels to wake; empty when nothing changed.
    pub fn take_wakes(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.wakes)
    }

    /// Something about the object's readiness is different now.
    fn changed(&mut self, id: u32) {
        self.wakes.push(channel(id));
        self.wakes.push(ANY_CHANNEL);
        if let Some(object) = self.objects.get(&id) {
            self.wakes.extend(object.watchers.iter().map(|w| channel(*w)));
        }
    }

    /// The time the current wait of a thread ends: set by its first try, the same for every further one.
    pub fn deadline(&mut self, thread: u32, wanted: u64) -> u64 {
        *self.deadlines.entry(thread).or_insert(wanted)
    }

    /// The wait of a thread is over.
    pub fn end_wait(&mut self, thread: u32) {
        self.deadlines.remove(&thread);
    }

    // Addresses.

    /// Gives a socket an address; port 0 asks for a free one.
    pub fn bind(&mut self, id: u32, addr: Addr) -> SysResult<()> {
        if self.get(id)?.local.is_some() {
            return Err(Errno::INVAL);
        }
        let local = match addr {
            Addr::Unix(path) => Addr::Unix(path),
            Addr::Inet { ip, .. } if !(ip.is_any() || ip.is_loopback() || ip.is_multicast()) => {
                return Err(Errno::ADDRNOTAVAIL);
            }
            Addr::Inet { ip, port: 0 } => Addr::inet(ip, self.free_port(id, ip)?),
            Addr::Inet { ip, port } => {
                if self.is_taken(id, ip, port) {
                    return Err(Errno::ADDRINUSE);
                }
                Addr::inet(ip, port)
            }
        };
        self.get_mut(id)?.local = Some(local);
        Ok(())
    }

    fn free_port(&mut self, id: u32, ip: Ip) -> SysResult<u16> {
        for _ in FIRST_EPHEMERAL..=LAST_EPHEMERAL {
            self.last_port = if self.last_port >= LAST_EPHEMERAL {
                FIRST_EPHEMERAL
            } else {
                self.last_port + 1
            };
            let port = self.last_port;
            let used = self
                .objects
                .values()
                .any(|o| o.local.as_ref().is_some_and(|a| a.port() == port));
            if !used && !self.is_taken(id, ip, port) {
                return Ok(port);
            }
        }
        Err(Errno::ADDRINUSE)
    }

    fn is_taken(&self, id: u32, ip: Ip, port: u16) -> bool {
        let Ok(own) = self.get(id) else { return false };
        let datagram = matches!(own.kind, Kind::Datagram(_));
        self.objects.iter().any(|(other_id, other)| {
            let Some(Addr::Inet {
                ip: other_ip,
                port: other_port,
            }) = &other.local
            else {
                return false;
            };
            let same_sort = matches!(other.kind, Kind::Datagram(_)) == datagram;
            let overlap = ip.covers(*other_ip) || other_ip.covers(ip);
            if *other_id == id || !same_sort || *other_port != port || !overlap {
                return false;
            }
            let both = |name| self.reuses(own, name) && self.reuses(other, name);
            let listening = matches!(other.kind, Kind::Listener(_));
            !(both(libc::SO_REUSEPORT) || both(libc::SO_REUSEADDR) && !listening)
        })
    }

    /// An object's address, made up now if it has none yet.
    fn ensure_local(&mut self, id: u32, towards: Ip) -> SysResult<Addr> {
        if let Some(local) = &self.get(id)?.local {
            let (ip, port) = (local.ip(), local.port());
            if !ip.is_any() {
                return Ok(local.clone());
            }
            let local = Addr::inet(source_for(towards), port);
            self.get_mut(id)?.local = Some(local.clone());
            return Ok(local);
        }
        let ip = source_for(towards);
        let local = Addr::inet(ip, self.free_port(id, ip)?);
        self.get_mut(id)?.local = Some(local.clone());
        Ok(local)
    }

    /// The other end of a pipe.
    pub fn other_end(&self, id: u32) -> Option<u32> {
        match self.get(id).map(|o| &o.kind) {
            Ok(Kind::Stream(stream)) => stream.peer,
            _ => None,
        }
    }

    /// One more descriptor stands for the object.
    pub fn retain(&mut self, id: u32) -> SysResult<()> {
        self.get_mut(id)?.owners += 1;
        Ok(())
    }

    /// Removes an object when its last descriptor goes; those it was connected with learn of it.
    pub fn close(&mut self, id: u32) -> SysResult<()> {
        let object = self.get_mut(id)?;
        object.owners -= 1;
        if object.owners > 0 {
            return Ok(());
        }
        let object = self.objects.remove(&id).ok_or(Errno::BADF)?;
        self.wakes.push(channel(id));
        self.wakes.push(ANY_CHANNEL);
        for watcher in object.watchers {
            if let Some(Object {
                kind: Kind::Poller(poller),
                ..
            }) = self.objects.get_mut(&watcher)
            {
                poller.forget(id);
            }
        }
        match object.kind {
            Kind::Stream(stream) => {
                let linger = object.options.get(&(libc::SOL_SOCKET, libc::SO_LINGER));
                let abort = !stream.received.is_empty() && !object.pipe || linger == Some(&0);
                self.close_stream(id, stream, abort);
            }
            Kind::Listener(listener) => {
                for waiting in listener.waiting {
                    self.close_waiting(waiting);
                }
            }
            Kind::Poller(poller) => {
                for watched in poller.watched() {
                    if let Some(object) = self.objects.get_mut(&watched) {
                        object.watchers.remove(&id);
                    }
                }
            }
            Kind::Datagram(_) | Kind::Event(_) => {}
        }
        Ok(())
    }
}

/// The address this machine answers from.
fn source_for(towards: Ip) -> Ip {
    match towards {
        Ip::V4(_) if towards.is_loopback() => towards,
        Ip::V4(_) => Ip::LOOPBACK4,
        Ip::V6(_) => Ip::LOOPBACK6,
    }
}

#[cfg(test)]
mod tests;
