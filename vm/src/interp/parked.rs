//! Blocked threads, found by what they wait for and by when their time comes: waking one costs the same with twenty and
//! with twenty thousand of them.

use crate::ids::{ClassId, ObjRef, ThreadId};
use crate::interp::threads::{Status, Thread, deadline};
use crate::stop::BlockOn;
use crate::sym::FixedMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// What several threads can wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Monitor(ObjRef),
    Wait(ObjRef),
    ClassInit(ClassId),
    ReferencePending,
    Channel(u64),
}

/// None for what only one thread waits for: it is woken by its number, or by the time.
fn key(on: BlockOn) -> Option<Key> {
    match on {
        BlockOn::Monitor(object) => Some(Key::Monitor(object)),
        BlockOn::Wait { object, .. } => Some(Key::Wait(object)),
        BlockOn::ClassInit(class) => Some(Key::ClassInit(class)),
        BlockOn::ReferencePending => Some(Key::ReferencePending),
        BlockOn::Channel { id, .. } => Some(Key::Channel(id)),
        BlockOn::Sleep { .. } | BlockOn::Park { .. } => None,
    }
}

#[derive(Default)]
pub(crate) struct Parked {
    /// By what they wait for, in the order of blocking.
    by_key: FixedMap<Key, BTreeMap<u64, ThreadId>>,
    /// Deadlines with the order of blocking. Those of threads that were woken before stay until their time has come, or
    /// until they are the most.
    timers: BinaryHeap<Reverse<(u64, u64, ThreadId)>>,
    /// Deadlines that still hold.
    timed: usize,
}

impl Parked {
    pub(crate) fn insert(&mut self, on: BlockOn, until: Option<u64>, at: u64, id: ThreadId) {
        if let Some(key) = key(on) {
            self.by_key.entry(key).or_default().insert(at, id);
        }
        if let Some(until) = until {
            self.timed += 1;
            self.timers.push(Reverse((until, at, id)));
        }
    }

    pub(crate) fn remove(&mut self, on: BlockOn, at: u64) {
        if let Some(key) = key(on)
            && let Some(threads) = self.by_key.get_mut(&key)
        {
            threads.remove(&at);
            if threads.is_empty() {
                self.by_key.remove(&key);
            }
        }
        if deadline(Status::Blocked(on)).is_some() {
            self.timed -= 1;
        }
    }

    /// Those who wait for the same as `on`, whatever its time limit; longest waiting first.
    pub(crate) fn waiting_for(&self, on: BlockOn) -> Vec<ThreadId> {
        let threads = key(on).and_then(|key| self.by_key.get(&key));
        threads.map_or_else(Vec::new, |threads| threads.values().copied().collect())
    }

    /// The one of them that has waited longest.
    pub(crate) fn first(&self, on: BlockOn) -> Option<ThreadId> {
        self.by_key.get(&key(on)?)?.values().next().copied()
    }

    /// The earliest deadline that still holds, and whose it is.
    pub(crate) fn earliest(&mut self, threads: &[Box<Thread>]) -> Option<(u64, ThreadId)> {
        let holds = |&(until, at, id): &(u64, u64, ThreadId)| {
            let thread = &threads[id.index()];
            thread.blocked_at == at && deadline(thread.status) == Some(until)
        };
        if self.timers.len() > 2 * self.timed + 1024 {
            self.timers.retain(|Reverse(timer)| holds(timer));
        }
        while let Some(Reverse(timer)) = self.timers.peek() {
            if holds(timer) {
                return Some((timer.0, timer.2));
            }
            self.timers.pop();
        }
        None
    }
}
