//! Datagrams: queued whole, dropped when the receiver's queue is full, delivered on this machine only.

use super::{Addr, DATAGRAM_CAPACITY, Datagram, Errno, Ip, Kind, Net, SysResult};

/// The largest payload of a UDP packet over IPv4.
const MAX_PAYLOAD: usize = 65507;

impl Net {
    fn datagram_mut(&mut self, id: u32) -> SysResult<&mut Datagram> {
        match &mut self.get_mut(id)?.kind {
            Kind::Datagram(datagram) => Ok(datagram),
            _ => Err(Errno::INVAL),
        }
    }

    /// Fixes whom a datagram socket talks to.
    pub fn connect_datagram(&mut self, id: u32, to: Addr) -> SysResult<()> {
        let ip = to.ip().target();
        if !ip.is_loopback() && !ip.is_multicast() {
            return Err(Errno::NETUNREACH);
        }
        let before = self.get(id)?.local.clone();
        self.ensure_local(id, ip)?;
        let object = self.get_mut(id)?;
        object.unconnected = object.unconnected.take().or(before);
        object.remote = Some(Addr::inet(ip, to.port()));
        Ok(())
    }

    pub fn disconnect(&mut self, id: u32) -> SysResult<()> {
        let object = self.get_mut(id)?;
        object.remote = None;
        if let Some(local) = object.unconnected.take() {
            object.local = Some(local);
        }
        Ok(())
    }

    /// Sends one packet, to the connected address when none is given.
    pub fn send(&mut self, id: u32, bytes: &[u8], to: Option<Addr>) -> SysResult<usize> {
        if let Some(error) = self.datagram_mut(id)?.error.take() {
            return Err(error);
        }
        let connected = self.get(id)?.remote.clone();
        let Some(to) = to.or(connected.clone()) else {
            return Err(Errno::DESTADDRREQ);
        };
        if bytes.len() > MAX_PAYLOAD {
            return Err(Errno::MSGSIZE);
        }
        let to_ip = to.ip().target();
        if !to_ip.is_loopback() && !to_ip.is_multicast() {
            return Err(Errno::NETUNREACH);
        }
        if self.get(id)?.local.is_none() {
            let any = if self.is_v6(id) { Ip::ANY6 } else { Ip::ANY4 };
            self.bind(id, Addr::inet(any, 0))?;
        }
        let port = self.get(id)?.local.as_ref().map_or(0, Addr::port);
        let bound = self.get(id)?.local.as_ref().map_or(Ip::ANY4, Addr::ip);
        let from = Addr::inet(
            if bound.is_any() {
                super::source_for(to_ip)
            } else {
                bound
            },
            port,
        );
        let receivers = self.receivers(&from, to_ip, to.port());
        if receivers.is_empty() && connected.is_some() && to_ip.is_loopback() {
            // The unreachable port is reported to a connected sender's next call.
            self.datagram_mut(id)?.error = Some(Errno::CONNREFUSED);
            self.changed(id);
        }
        for receiver in receivers {
            let datagram = self.datagram_mut(receiver)?;
            if datagram.queued + bytes.len() <= DATAGRAM_CAPACITY {
                datagram.queued += bytes.len();
                datagram.queue.push_back((from.clone(), bytes.to_vec()));
                self.changed(receiver);
            }
        }
        Ok(bytes.len())
    }

    fn receivers(&self, from: &Addr, to_ip: Ip, to_port: u16) -> Vec<u32> {
        let multicast = to_ip.is_multicast();
        let hears = |(_, object): &(&u32, &super::Object)| {
            let (Kind::Datagram(datagram), Some(local)) = (&object.kind, &object.local) else {
                return false;
            };
            let placed = local.port() == to_port
                && if multicast {
                    datagram.groups.contains(&to_ip)
                } else {
                    local.ip().covers(to_ip)
                };
            // A connected socket hears only its partner.
            placed && object.remote.as_ref().is_none_or(|remote| remote == from)
        };
        let found = self.objects.iter().filter(hears).map(|(id, _)| *id);
        // A packet to one address goes to one socket: the one bound to it most closely, else the youngest.
        if multicast {
            return found.collect();
        }
        let closeness = |id: &u32| {
            let object = &self.objects[id];
            (
                object.remote.is_some(),
                object.local.as_ref().is_some_and(|l| !l.ip().is_any()),
                *id,
            )
        };
        found.max_by_key(closeness).into_iter().collect()
    }

    /// Takes the next packet; what does not fit is lost.
    pub fn receive(&mut self, id: u32, into: &mut [u8]) -> SysResult<(usize, Addr)> {
        let datagram = self.datagram_mut(id)?;
        if let Some(error) = datagram.error.take() {
            return Err(error);
        }
        let (from, bytes) = datagram.queue.pop_front().ok_or(Errno::AGAIN)?;
        datagram.queued -= bytes.len();
        let n = bytes.len().min(into.len());
        into[..n].copy_from_slice(&bytes[..n]);
        Ok((n, from))
    }

    /// Joins or leaves a multicast group.
    pub fn set_member(&mut self, id: u32, group: Ip, join: bool) -> SysResult<()> {
        let groups = &mut self.datagram_mut(id)?.groups;
        match join {
            true if !groups.insert(group) => Err(Errno::ADDRINUSE),
            false if !groups.remove(&group) => Err(Errno::ADDRNOTAVAIL),
            _ => Ok(()),
        }
    }
}
