//! What lies beyond the in-VM network: real servers, where they may be reached, and faults that are made up.
//!
//! A connection to a real server is a *bridge*. The guest's socket is connected, inside the VM, with a stream that nobody
//! accepted; what arrives there goes to a real socket, and the reverse. So blocking, selectors, time-outs and closing are those
//! of the in-VM network. Bytes are moved whenever the scheduler looks outside (`Net::pump`).

use super::addr::resolve;
use super::{Addr, Connect, Errno, Ip, Kind, Net, Stream, SysResult};
use socket2::{Domain, SockAddr, Socket, Type};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, ToSocketAddrs};
use std::os::fd::AsRawFd;

/// How far sockets reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Servers of the guest itself.
    #[default]
    Closed,
    /// Servers on this machine, too.
    Loopback,
    /// Everything that this machine reaches.
    Host,
}

/// What happens to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    Refuse,
    Reset,
    Timeout,
    UnknownHost,
}

/// A fault, and the host it is for: any but this machine when absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub host: Option<String>,
}

/// Bytes that a bridge moves at a time.
const PIECE: usize = 64 << 10;

#[derive(Debug)]
struct Bridge {
    /// The guest's socket.
    guest: u32,
    /// The other end of its connection, once there is one.
    served: Option<u32>,
    socket: Socket,
    /// On their way to the server, and to the guest.
    out: Vec<u8>,
    incoming: Vec<u8>,
    /// The server will send no more; the guest will not.
    server_ended: bool,
    guest_ended: bool,
}

#[derive(Debug, Default)]
pub struct Outside {
    reach: Reach,
    faults: Vec<Fault>,
    /// Names that were looked up, with their addresses.
    names: Vec<(String, Ip)>,
    bridges: Vec<Bridge>,
    /// Sockets whose connection attempts nobody answers.
    unanswered: BTreeSet<u32>,
    used: Vec<String>,
}

impl Outside {
    pub fn new(reach: Reach, faults: Vec<Fault>) -> Outside {
        Outside {
            reach,
            faults,
            ..Outside::default()
        }
    }

    /// Are there connections to real servers?
    #[inline]
    pub fn is_open(&self) -> bool {
        !self.bridges.is_empty()
    }

    fn reaches(&self, ip: Ip) -> bool {
        match self.reach {
            Reach::Closed => false,
            Reach::Loopback => ip.target().is_loopback(),
            Reach::Host => true,
        }
    }

    /// The fault that a connection to this address meets.
    fn fault(&self, ip: Ip) -> Option<FaultKind> {
        let text = ip_text(ip);
        let local = ip.target().is_loopback();
        let named = |host: &str| {
            host == text
                || local && host.eq_ignore_ascii_case("localhost")
                || self
                    .names
                    .iter()
                    .any(|(n, i)| *i == ip && n.eq_ignore_ascii_case(host))
        };
        let meets = |f: &&Fault| f.kind != FaultKind::UnknownHost && f.host.as_deref().map_or(!local, named);
        self.faults.iter().find(meets).map(|f| f.kind)
    }

    fn fault_of_name(&self, name: &str) -> Option<FaultKind> {
        let meets = |f: &&Fault| f.host.as_ref().is_none_or(|h| h.eq_ignore_ascii_case(name));
        self.faults.iter().find(meets).map(|f| f.kind)
    }

    /// Does a socket wait for an answer from outside?
    pub(super) fn is_connecting(&self, id: u32) -> bool {
        self.unanswered.contains(&id) || self.bridges.iter().any(|b| b.guest == id && b.served.is_none())
    }

    fn host_of(&self, ip: Ip) -> String {
        let named = self.names.iter().find(|(_, i)| *i == ip);
        named.map_or_else(|| ip_text(ip), |(name, _)| name.clone())
    }
}

fn ip_text(ip: Ip) -> String {
    match ip {
        Ip::V4(b) => std::net::Ipv4Addr::from(b).to_string(),
        Ip::V6(b) => std::net::Ipv6Addr::from(b).to_string(),
    }
}

fn socket_addr(ip: Ip, port: u16) -> SocketAddr {
    match ip {
        Ip::V4(b) => SocketAddr::from((b, port)),
        Ip::V6(b) => SocketAddr::from((b, port)),
    }
}

fn ip_of(addr: SocketAddr) -> Ip {
    match addr {
        SocketAddr::V4(a) => Ip::V4(a.ip().octets()),
        SocketAddr::V6(a) => Ip::from_v6(a.ip().octets()),
    }
}

fn errno(error: &std::io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::IO, Errno)
}

impl Net {
    /// How far sockets reach from now on, and what befalls them.
    pub fn set_outside(&mut self, reach: Reach, faults: Vec<Fault>) {
        self.outside = Outside::new(reach, faults);
    }

    /// The addresses of a name.
    pub fn look_up(&mut self, name: &str, own_name: &str) -> Option<Vec<Ip>> {
        let known = resolve(name, own_name);
        let literal = known.is_some() && name.parse::<std::net::IpAddr>().is_ok();
        let own_fault = |f: &Fault| {
            f.kind == FaultKind::UnknownHost && f.host.as_ref().is_some_and(|h| h.eq_ignore_ascii_case(name))
        };
        if self.outside.faults.iter().any(own_fault) {
            return None;
        }
        if literal || known.is_some() {
            return known;
        }
        match self.outside.fault_of_name(name) {
            Some(FaultKind::UnknownHost) => return None,
            // Somebody must be there for a connection to fail.
            Some(_) if self.outside.reach != Reach::Host => return Some(vec![self.made_up(name)]),
            _ => {}
        }
        if self.outside.reach != Reach::Host {
            return None;
        }
        let found: Vec<Ip> = (name, 0).to_socket_addrs().ok()?.map(ip_of).collect();
        for ip in &found {
            let entry = (name.to_owned(), *ip);
            if !self.outside.names.contains(&entry) {
                self.outside.names.push(entry);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// An address that stands for a name: of the range for benchmarks (RFC 2544), which belongs to nobody.
    fn made_up(&mut self, name: &str) -> Ip {
        let names = &mut self.outside.names;
        if let Some((_, ip)) = names.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
            return *ip;
        }
        let number = names.len() as u16 + 1;
        let [high, low] = number.to_be_bytes();
        let ip = Ip::V4([198, 18, high, low]);
        names.push((name.to_owned(), ip));
        ip
    }

    /// Real addresses that were connected to since this was last asked.
    pub fn take_used(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outside.used)
    }

    /// How a connection attempt goes that leads outside, or meets a fault; None where it is the in-VM network's affair.
    pub(super) fn connect_outside(
        &mut self,
        id: u32,
        to: &Addr,
        listens: bool,
    ) -> Option<SysResult<Connect>> {
        let Addr::Inet { ip, port } = *to else {
            return None;
        };
        match self.outside.fault(ip) {
            Some(FaultKind::Refuse) => return Some(Err(Errno::CONNREFUSED)),
            Some(FaultKind::Reset) => return Some(self.connect_and_reset(id, to)),
            Some(FaultKind::Timeout) => {
                self.outside.unanswered.insert(id);
                return Some(Ok(Connect::Unanswered));
            }
            Some(FaultKind::UnknownHost) | None => {}
        }
        if listens || !self.outside.reaches(ip) {
            return None;
        }
        if !self.outside.bridges.iter().any(|b| b.guest == id)
            && let Err(error) = self.open_bridge(id, ip.target(), port)
        {
            return Some(Err(error));
        }
        Some(Ok(Connect::Wait))
    }

    fn connect_and_reset(&mut self, id: u32, to: &Addr) -> SysResult<Connect> {
        let local = self.ensure_local(id, to.ip().target())?;
        let own = self.get_mut(id)?;
        (own.local, own.remote) = (Some(local), Some(to.clone()));
        let stream = self.stream_mut(id)?;
        stream.connected = true;
        stream.error = Some(Errno::CONNRESET);
        self.changed(id);
        Ok(Connect::Done)
    }

    fn open_bridge(&mut self, id: u32, ip: Ip, port: u16) -> SysResult<()> {
        let address = socket_addr(ip, port);
        let open = || -> std::io::Result<Socket> {
            let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
            socket.set_nonblocking(true)?;
            socket.set_tcp_nodelay(true)?;
            match socket.connect(&SockAddr::from(address)) {
                Err(e) if e.raw_os_error() == Some(libc::EINPROGRESS) => Ok(socket),
                other => other.map(|()| socket),
            }
        };
        let socket = open().map_err(|e| errno(&e))?;
        self.get_mut(id)?.remote = Some(Addr::inet(ip, port));
        let host = self.outside.host_of(ip);
        self.outside.used.push(format!("{host}:{port}"));
        self.outside.bridges.push(Bridge {
            guest: id,
            served: None,
            socket,
            out: Vec::new(),
            incoming: Vec::new(),
            server_ended: false,
            guest_ended: false,
        });
        Ok(())
    }

    /// What the kernel should watch: descriptors, to read from or else to write to.
    pub fn awaited_outside(&self) -> Vec<(i32, bool)> {
        let mut awaited = Vec::new();
        for bridge in &self.outside.bridges {
            let fd = bridge.socket.as_raw_fd();
            if bridge.served.is_none() || !bridge.out.is_empty() {
                awaited.push((fd, false));
            }
            if bridge.served.is_some() && !bridge.server_ended && bridge.incoming.is_empty() {
                awaited.push((fd, true));
            }
        }
        awaited
    }

    /// Moves what can be moved; whether anything was.
    pub fn pump(&mut self) -> bool {
        if !self.outside.is_open() {
            return false;
        }
        let mut moved = false;
        let mut left = Vec::new();
        for mut bridge in std::mem::take(&mut self.outside.bridges) {
            if !self.objects.contains_key(&bridge.guest) && bridge.served.is_none() {
                continue;
            }
            match bridge.served {
                None => moved |= self.finish_bridge(&mut bridge),
                Some(served) => moved |= self.pump_bridge(&mut bridge, served),
            }
            let given_up =
                bridge.served.is_none() && self.stream(bridge.guest).map_or(true, |s| s.attempt.is_some());
            if given_up || self.is_over(&bridge) {
                if let Some(served) = bridge.served {
                    let _ = self.close(served);
                }
                moved = true;
            } else {
                left.push(bridge);
            }
        }
        self.outside.bridges.extend(left);
        moved
    }

    fn is_over(&self, bridge: &Bridge) -> bool {
        let flushed = bridge.out.is_empty() && bridge.incoming.is_empty();
        let gone = !self.objects.contains_key(&bridge.guest);
        bridge.served.is_some()
            && (bridge.server_ended && bridge.guest_ended && flushed
                || gone && bridge.guest_ended && bridge.out.is_empty())
    }

    /// Has the server answered?
    fn finish_bridge(&mut self, bridge: &mut Bridge) -> bool {
        if !crate::sys::poll(&[(bridge.socket.as_raw_fd(), false)], 0) {
            return false;
        }
        let outcome = match bridge.socket.take_error() {
            Ok(Some(error)) | Err(error) => Err(errno(&error)),
            Ok(None) => Ok(()),
        };
        let id = bridge.guest;
        if outcome.is_ok() {
            bridge.served = self.join(id, &bridge.socket);
        }
        let nonblocking = self.is_nonblocking(id);
        if let Ok(stream) = self.stream_mut(id) {
            stream.bridged = outcome.is_ok() && !nonblocking;
            stream.attempt = (!stream.bridged).then_some(outcome);
        }
        self.changed(id);
        true
    }

    /// Connects the guest's socket with a stream of ours.
    fn join(&mut self, id: u32, socket: &Socket) -> Option<u32> {
        let local = socket.local_addr().ok().and_then(|a| a.as_socket());
        let local = local.map(|a| Addr::inet(ip_of(a), a.port()));
        let v6 = self.is_v6(id);
        let remote = self.get(id).ok()?.remote.clone();
        let served = self.insert(
            Kind::Stream(Stream {
                peer: Some(id),
                connected: true,
                ..Stream::default()
            }),
            v6,
        );
        let object = self.get_mut(served).ok()?;
        (object.local, object.remote) = (remote, local.clone());
        self.get_mut(id).ok()?.local = local;
        let own = self.stream_mut(id).ok()?;
        (own.connected, own.peer) = (true, Some(served));
        Some(served)
    }

    fn pump_bridge(&mut self, bridge: &mut Bridge, served: u32) -> bool {
        let mut moved = self.take_from_guest(bridge, served);
        moved |= self.take_from_server(bridge, served);
        moved
    }

    fn take_from_guest(&mut self, bridge: &mut Bridge, served: u32) -> bool {
        let mut moved = false;
        let mut buffer = vec![0; PIECE];
        while bridge.out.is_empty() && !bridge.guest_ended {
            match self.read(served, &mut buffer) {
                Ok(0) => {
                    bridge.guest_ended = true;
                    let _ = bridge.socket.shutdown(Shutdown::Write);
                    moved = true;
                }
                Ok(n) => {
                    bridge.out.extend_from_slice(&buffer[..n]);
                    moved |= send(bridge);
                }
                Err(Errno::AGAIN) => break,
                Err(_) => {
                    bridge.guest_ended = true;
                    moved = true;
                }
            }
        }
        moved | send(bridge)
    }

    fn take_from_server(&mut self, bridge: &mut Bridge, served: u32) -> bool {
        let mut moved = false;
        let mut buffer = vec![0; PIECE];
        loop {
            if !bridge.incoming.is_empty() {
                match self.write(served, &bridge.incoming) {
                    Ok(n) => {
                        bridge.incoming.drain(..n);
                        moved = true;
                    }
                    Err(Errno::AGAIN) => return moved,
                    Err(_) => {
                        bridge.incoming.clear();
                        bridge.server_ended = true;
                    }
                }
                continue;
            }
            if bridge.server_ended {
                return moved;
            }
            match (&bridge.socket).read(&mut buffer) {
                Ok(0) => {
                    bridge.server_ended = true;
                    let _ = self.shutdown(served, false, true);
                    return true;
                }
                Ok(n) => bridge.incoming.extend_from_slice(&buffer[..n]),
                Err(e) if matches!(errno(&e), Errno::AGAIN | Errno::INTR) => return moved,
                Err(e) => {
                    bridge.server_ended = true;
                    self.fail(bridge.guest, errno(&e));
                    return true;
                }
            }
        }
    }

    /// The guest's next call on the socket fails.
    fn fail(&mut self, id: u32, error: Errno) {
        if let Ok(stream) = self.stream_mut(id) {
            stream.error = Some(error);
        }
        self.changed(id);
    }

    /// In a forked child: connections belong to the parent, whose conversation they carry on.
    pub fn after_fork(&mut self) {
        for bridge in std::mem::take(&mut self.outside.bridges) {
            self.fail(bridge.guest, Errno::CONNRESET);
        }
    }
}

/// Sends what can be sent without waiting.
fn send(bridge: &mut Bridge) -> bool {
    let mut moved = false;
    while !bridge.out.is_empty() {
        match (&bridge.socket).write(&bridge.out) {
            Ok(n) => {
                bridge.out.drain(..n);
                moved = true;
            }
            Err(e) if matches!(errno(&e), Errno::AGAIN | Errno::INTR) => break,
            Err(_) => {
                // The server is gone; reading says why.
                bridge.out.clear();
                moved = true;
            }
        }
    }
    moved
}
