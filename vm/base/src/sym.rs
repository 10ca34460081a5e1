//! Interned names. A symbol is the modified UTF-8 of a class file; almost all are plain ASCII.

use crate::ids::Sym;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// A fixed-seed hasher: lookups must not differ between two runs.
#[derive(Clone, Copy, Default)]
pub struct FixedState;

/// FNV-1a over words: short keys, no attackers.
pub struct FixedHasher(u64);

impl BuildHasher for FixedState {
    type Hasher = FixedHasher;

    #[inline]
    fn build_hasher(&self) -> FixedHasher {
        FixedHasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for FixedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.write_u64(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let mut last = [0u8; 8];
        let rest = chunks.remainder();
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last) ^ ((rest.len() as u64) << 56));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

/// A hash map whose behaviour is the same in every run. Do not iterate it where order can be seen.
pub type FixedMap<K, V> = hashbrown::HashMap<K, V, FixedState>;

#[derive(Default)]
pub struct Symbols {
    names: Vec<&'static [u8]>,
    index: HashTable<Sym>,
}

impl Symbols {
    #[inline]
    pub fn intern(&mut self, name: &[u8]) -> Sym {
        let hash = hash(name);
        let names = &self.names;
        if let Some(&sym) = self.index.find(hash, |s| names[s.index()] == name) {
            return sym;
        }
        let sym = Sym(self.names.len() as u32);
        // Symbols live as long as the process, like the classes they name.
        self.names.push(Box::leak(name.to_vec().into_boxed_slice()));
        let names = &self.names;
        self.index.insert_unique(hash, sym, |s| hash_of(names, *s));
        sym
    }

    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<Sym> {
        self.index
            .find(hash(name), |s| self.names[s.index()] == name)
            .copied()
    }

    #[inline]
    pub fn bytes(&self, sym: Sym) -> &'static [u8] {
        self.names[sym.index()]
    }

    /// The name as text; a name that is not valid UTF-8 (an unpaired surrogate) shows as `?`.
    #[inline]
    pub fn str(&self, sym: Sym) -> &'static str {
        std::str::from_utf8(self.bytes(sym)).unwrap_or("?")
    }
}

#[inline]
fn hash(name: &[u8]) -> u64 {
    let mut hasher = FixedState.build_hasher();
    hasher.write(name);
    hasher.finish()
}

fn hash_of(names: &[&'static [u8]], sym: Sym) -> u64 {
    hash(names[sym.index()])
}
