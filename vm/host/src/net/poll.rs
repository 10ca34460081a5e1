//! Readiness: what `poll` and `epoll` would say of the in-VM objects.

use super::{Errno, Kind, Net, PIPE_CAPACITY, STREAM_CAPACITY, SysResult};
use std::collections::BTreeMap;

pub const IN: u32 = libc::POLLIN as u32;
pub const OUT: u32 = libc::POLLOUT as u32;
pub const ERR: u32 = libc::POLLERR as u32;
pub const HUP: u32 = libc::POLLHUP as u32;
pub const NVAL: u32 = libc::POLLNVAL as u32;
const ONE_SHOT: u32 = libc::EPOLLONESHOT as u32;

/// One registration with a poller.
#[derive(Clone, Copy, Debug)]
struct Interest {
    fd: i32,
    events: u32,
    /// A one-shot registration that has fired.
    spent: bool,
}

/// What `epoll_create` makes.
#[derive(Debug, Default)]
pub(super) struct Poller {
    interests: BTreeMap<u32, Interest>,
}

impl Poller {
    pub(super) fn forget(&mut self, id: u32) {
        self.interests.remove(&id);
    }

    pub(super) fn watched(&self) -> Vec<u32> {
        self.interests.keys().copied().collect()
    }
}

impl Net {
    pub fn poller(&mut self) -> u32 {
        self.insert(Kind::Poller(Poller::default()), false)
    }

    /// Everything that holds of the object now.
    pub fn ready(&self, id: u32) -> u32 {
        let Ok(object) = self.get(id) else { return NVAL };
        if object.closing {
            return IN | OUT | HUP;
        }
        match &object.kind {
            Kind::Event(count) => OUT | if *count > 0 { IN } else { 0 },
            Kind::Poller(_) => 0,
            Kind::Listener(listener) => flag(!listener.waiting.is_empty(), IN),
            Kind::Datagram(datagram) => {
                let failed = datagram.error.is_some();
                OUT | flag(!datagram.queue.is_empty() || failed || datagram.read_shut, IN) | flag(failed, ERR)
            }
            Kind::Stream(stream) => {
                if let Some(outcome) = &stream.attempt {
                    return if outcome.is_ok() {
                        OUT | self.stream_in(id)
                    } else {
                        IN | OUT | ERR | HUP
                    };
                }
                if !stream.connected && self.outside.is_connecting(id) {
                    return 0;
                }
                if !stream.connected {
                    return stream
                        .queued_at
                        .map_or(OUT | HUP, |listener| self.room_at(listener));
                }
                let room = match stream.peer.and_then(|p| self.objects.get(&p)) {
                    Some(super::Object {
                        kind: Kind::Stream(there),
                        ..
                    }) => {
                        let capacity = if object.pipe {
                            PIPE_CAPACITY
                        } else {
                            STREAM_CAPACITY
                        };
                        there.received.len() < capacity || there.read_shut
                    }
                    _ => true,
                };
                let pipe_reader = object.pipe && stream.write_shut;
                let ended = stream.finished && stream.write_shut;
                self.stream_in(id)
                    | flag(room && !pipe_reader, OUT)
                    | flag(
                        stream.error.is_some() || object.pipe && !pipe_reader && stream.peer.is_none(),
                        ERR,
                    )
                    | flag(ended || stream.error.is_some(), HUP)
            }
        }
    }

    /// A connection that waits for a listener can go on when there is room, or when the listener is gone.
    fn room_at(&self, listener: u32) -> u32 {
        match self.get(listener).map(|o| &o.kind) {
            Ok(Kind::Listener(l)) if l.waiting.len() >= l.backlog => 0,
            _ => OUT,
        }
    }

    fn stream_in(&self, id: u32) -> u32 {
        match self.get(id).map(|o| (&o.kind, o.pipe)) {
            Ok((Kind::Stream(stream), pipe)) => {
                // The writing end of a pipe is marked finished from the start: it never has anything to read.
                let writer = pipe && stream.finished && !stream.write_shut;
                let ended = (stream.finished || stream.read_shut) && !writer;
                flag(!stream.received.is_empty() || ended || stream.error.is_some(), IN)
            }
            _ => 0,
        }
    }

    /// As `epoll_ctl`: `fd` is what an event will be reported as.
    pub fn control(&mut self, poller: u32, op: i32, id: u32, fd: i32, events: u32) -> SysResult<()> {
        self.get(id)?;
        let Kind::Poller(interests) = &mut self.get_mut(poller)?.kind else {
            return Err(Errno::INVAL);
        };
        let known = interests.interests.contains_key(&id);
        match op {
            libc::EPOLL_CTL_ADD if known => return Err(Errno::EXIST),
            libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL if !known => return Err(Errno::NOENT),
            libc::EPOLL_CTL_ADD | libc::EPOLL_CTL_MOD => {
                interests.interests.insert(
                    id,
                    Interest {
                        fd,
                        events,
                        spent: false,
                    },
                );
                self.get_mut(id)?.watchers.insert(poller);
            }
            libc::EPOLL_CTL_DEL => {
                interests.forget(id);
                self.get_mut(id)?.watchers.remove(&poller);
            }
            _ => return Err(Errno::INVAL),
        }
        // A thread that already waits must see the new registration.
        self.changed(poller);
        Ok(())
    }

    /// What is ready among a poller's registrations, at most so many, as (descriptor, events).
    pub fn collect(&mut self, poller: u32, most: usize) -> SysResult<Vec<(i32, u32)>> {
        let Kind::Poller(interests) = &self.get(poller)?.kind else {
            return Err(Errno::INVAL);
        };
        let mut found = Vec::new();
        let mut spent = Vec::new();
        for (id, interest) in &interests.interests {
            if found.len() == most {
                break;
            }
            let events = self.ready(*id) & (interest.events | ERR | HUP);
            if events != 0 && !interest.spent {
                found.push((interest.fd, events));
                if interest.events & ONE_SHOT != 0 {
                    spent.push(*id);
                }
            }
        }
        if let Kind::Poller(interests) = &mut self.get_mut(poller)?.kind {
            for id in spent {
                if let Some(interest) = interests.interests.get_mut(&id) {
                    interest.spent = true;
                }
            }
        }
        Ok(found)
    }
}

fn flag(set: bool, bits: u32) -> u32 {
    if set { bits } else { 0 }
}
