//! Virtual time: it advances with the work done and jumps when every thread sleeps, so that the same run reads
//! the same times. The wall clock stands at a fixed date when the VM starts.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// 2025-06-18T12:00:00Z in milliseconds: what the wall clock shows at the start. Noon on a Wednesday in the middle of
/// a month and of a year: yesterday and tomorrow, next week and next month are what programs expect on most days.
pub const WALL_BASE_MILLIS: i64 = 1_750_248_000_000;

/// What looking at the clock takes.
const READ_NANOS: u64 = 1_000;

/// Where time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeSource {
    Virtual,
    /// The machine's own clocks; sleeping then takes real time.
    Real,
}

#[derive(Clone, Debug)]
pub struct Clock {
    source: TimeSource,
    /// Nanoseconds since the start.
    now: u64,
    wall_base_millis: i64,
    started: Instant,
}

impl Clock {
    pub fn new(source: TimeSource) -> Clock {
        let wall_base_millis = match source {
            TimeSource::Virtual => WALL_BASE_MILLIS,
            TimeSource::Real => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(WALL_BASE_MILLIS, |d| d.as_millis() as i64),
        };
        Clock {
            source,
            now: 0,
            wall_base_millis,
            started: Instant::now(),
        }
    }

    pub fn source(&self) -> TimeSource {
        self.source
    }

    /// Monotonic nanoseconds since the start.
    #[inline]
    pub fn nanos(&self) -> u64 {
        match self.source {
            TimeSource::Virtual => self.now,
            TimeSource::Real => self.started.elapsed().as_nanos() as u64,
        }
    }

    /// Nanoseconds since 1970 on the wall clock.
    pub fn wall_nanos(&self) -> i64 {
        self.wall_base_millis * 1_000_000 + self.nanos() as i64
    }

    /// Milliseconds since 1970 on the wall clock.
    pub fn wall_millis(&self) -> i64 {
        self.wall_base_millis + (self.nanos() / 1_000_000) as i64
    }

    /// Work worth this many nanoseconds has been done.
    #[inline]
    pub fn advance(&mut self, nanos: u64) {
        self.now += nanos;
    }

    /// Something that takes time but no instructions has been done.
    #[inline]
    pub fn spend(&mut self, nanos: u64) {
        if self.source == TimeSource::Virtual {
            self.now += nanos;
        }
    }

    /// The monotonic time for one who asks: no two answers are the same, as on a real machine.
    pub fn read(&mut self) -> u64 {
        self.spend(READ_NANOS);
        self.nanos()
    }

    /// Nothing is left to run before this time: go there (never back).
    pub fn jump_to(&mut self, nanos: u64) {
        match self.source {
            TimeSource::Virtual => self.now = self.now.max(nanos),
            TimeSource::Real => {
                let wait = nanos.saturating_sub(self.nanos());
                if wait > 0 {
                    std::thread::sleep(Duration::from_nanos(wait));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_only_moves_when_told_and_never_back() {
        let mut clock = Clock::new(TimeSource::Virtual);
        assert_eq!((clock.nanos(), clock.wall_millis()), (0, WALL_BASE_MILLIS));
        clock.advance(1_500_000);
        clock.jump_to(1_000_000);
        assert_eq!(
            (clock.nanos(), clock.wall_millis()),
            (1_500_000, WALL_BASE_MILLIS + 1)
        );
        clock.jump_to(5_000_000_000);
        assert_eq!(clock.wall_nanos(), (WALL_BASE_MILLIS + 5_000) * 1_000_000);
    }
}
