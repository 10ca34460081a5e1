//! A random source that gives every run the same damage.

/// A small reproducible random source (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// A number from the environment, or the one for a usual run: `SEED`, and `CASES` for a long run.
#[allow(dead_code, reason = "not every test that uses this file asks for it")]
pub fn from_env(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok().and_then(|n| n.parse().ok());
    given.unwrap_or(otherwise)
}
