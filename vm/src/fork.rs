//! A VM that is forked: what its child must have for itself, and how every test starts alike in all of them.

use crate::host::rng::Rng;
use crate::vm::Vm;

/// Nanoseconds of a second: tests start in the same part of one.
const SECOND: u64 = 1_000_000_000;

/// What a test finds at its start beside the shared state: the part of a second, the schedule, the entropy and what identity
/// hashes follow from.
#[derive(Clone, Debug)]
pub struct StartPoint {
    phase: u64,
    schedule: u64,
    entropy: Rng,
    identities: Rng,
}

impl StartPoint {
    /// Another start: what a program may not rely on is different in each variation. The first is the point itself.
    #[must_use]
    pub fn varied(&self, variation: u64) -> StartPoint {
        if variation == 0 {
            return self.clone();
        }
        let mut entropy = Rng::new(self.entropy.clone().next_u64() ^ variation);
        StartPoint {
            phase: (self.phase + entropy.next_u64() % SECOND) % SECOND,
            schedule: entropy.next_u64() | 1,
            identities: Rng::new(entropy.next_u64()),
            entropy,
        }
    }
}

impl Vm {
    /// The start point as it is now.
    pub fn start_point(&self) -> StartPoint {
        StartPoint {
            // A full second: how long it took to come here may differ a little with the size of the files that were read.
            phase: 0,
            schedule: self.threads.rng,
            entropy: self.host.rng.clone(),
            identities: self.identities.source(),
        }
    }

    /// Makes what follows start alike. Time goes on to the same part of the next second: it never goes back, since what
    /// was stored before would seem to come from the future, and names made of the time would be taken already.
    pub fn start_at(&mut self, point: &StartPoint) {
        self.restart_slice();
        let now = self.host.clock.nanos();
        let wait = (point.phase + SECOND - now % SECOND) % SECOND;
        self.host.clock.spend(wait);
        self.threads.rng = point.schedule;
        self.host.rng = point.entropy.clone();
        self.identities.start_at(point.identities.clone());
        self.restart_slice();
    }

    /// To be called in a forked child. `upper` is an empty folder for the child's overlay, if its parent has one.
    pub fn after_fork(&mut self, upper: Option<&str>) -> Result<(), String> {
        self.host
            .after_fork(upper.map(str::as_bytes))
            .map_err(|e| format!("the overlay of a forked VM: {e:?}"))
    }
}
