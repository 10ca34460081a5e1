//! Which places the guest has read before it wrote them: a shadow byte per word of the arena.
//!
//! A word is eight bytes and has four units of two. The low half of its shadow byte says which units were read first,
//! the high half which were written first; a unit that has either bit is settled until the shadow is cleared. So the first
//! access decides, and a load costs a test of the shadow byte from then on. A store of a single byte does not settle its
//! unit, since the other byte of it is still what it was: a later load of either counts as a read, which is more than
//! is true and never less. The slot of a static field has a word of its own and is settled as a whole.
//!
//! The shadow is a mapping of its own, an eighth of the arena, of which only touched pages are backed; it exists from
//! the first time on that reads are logged. Objects made since then have shadow bytes, too: whoever asks must know which
//! objects were there before. Places that somebody has named (`watch_reads`) get the stack of their first read as well.

use super::access::offset;
use super::raw::Memory;
use super::{BLOCK, ELEMENTS, Heap};
use poldet_base::ids::ObjRef;
use poldet_base::sym::FixedMap;
use poldet_base::trace::Site;
use std::cell::{Cell, RefCell};

/// Bytes of a unit.
pub const UNIT: u32 = 2;
/// All units of a word.
const WHOLE: u8 = 0xf;

/// A place of the heap: a unit of an object, by the byte offset at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub object: ObjRef,
    pub offset: u32,
}

impl Place {
    /// The number of the unit in the arena.
    pub fn unit(self) -> u64 {
        (offset(self.object) + u64::from(self.offset)) / u64::from(UNIT)
    }
}

/// What the guest did first to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstAccess {
    Read,
    Write,
}

/// The stacks of the first reads of a word's units.
type Stacks = [Option<Box<[Site]>>; 4];

#[derive(Default)]
pub(super) struct Reads {
    on: Cell<bool>,
    shadow: Option<Memory>,
    /// Words of which a unit is named, with the stacks of first reads by unit.
    named: RefCell<FixedMap<u64, Stacks>>,
    /// Arrays of which all elements are known to be settled: a loop over the characters of a text asks for it again and again.
    whole: [Cell<ObjRef>; WHOLE_ARRAYS],
}

/// Arrays that are remembered, each in its place.
const WHOLE_ARRAYS: usize = 8;

/// The units that `size` bytes at an offset of the arena lie in.
#[inline(always)]
fn units(at: u64, size: u64) -> u8 {
    match size {
        8 => WHOLE,
        4 => 0b11 << (at >> 1 & 3),
        _ => 1 << (at >> 1 & 3),
    }
}

impl Reads {
    /// Logs that these units of the word at an offset of the arena are read.
    #[inline(always)]
    fn read(&self, heap: &Heap, at: u64, units: u8) {
        if let Some(shadow) = self.shadow.as_ref().filter(|_| self.on.get()) {
            let seen: u8 = shadow.load(at >> 3);
            if (seen | seen >> 4) & units != units {
                self.first_read(heap, shadow, at, units);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn first_read(&self, heap: &Heap, shadow: &Memory, at: u64, units: u8) {
        let seen: u8 = shadow.load(at >> 3);
        let first = units & !(seen | seen >> 4);
        shadow.set_byte(at >> 3, seen | first);
        let mut named = self.named.borrow_mut();
        if let Some(stacks) = named.get_mut(&(at >> 3)) {
            let mut stack = Vec::new();
            heap.tracer().stack(&mut stack);
            for unit in (0..4).filter(|u| first >> u & 1 != 0) {
                stacks[unit] = Some(stack.as_slice().into());
            }
        }
    }

    /// Logs that these units are written.
    #[inline(always)]
    fn written(&self, at: u64, units: u8) {
        if let Some(shadow) = self.shadow.as_ref().filter(|_| self.on.get()) {
            let seen: u8 = shadow.load(at >> 3);
            shadow.set_byte(at >> 3, seen | (units & !seen) << 4);
        }
    }
}

impl Reads {
    /// Where an array is remembered.
    fn place(&self, o: ObjRef) -> &Cell<ObjRef> {
        &self.whole[o.0 as usize / 2 % WHOLE_ARRAYS]
    }

    /// Units are no longer settled, or objects are gone.
    pub(super) fn forget_whole(&self) {
        self.whole.iter().for_each(|place| place.set(ObjRef::NULL));
    }
}

impl Heap {
    /// Starts or stops logging what the guest reads first; starting begins with an empty log.
    ///
    /// This is the heap's half of it: `Vm::log_reads` has the interpreter and the compiler take part.
    pub fn log_reads(&mut self, on: bool) -> Result<(), String> {
        if on && self.reads.shadow.is_none() {
            self.reads.shadow = Some(Memory::reserve(self.arena.len() / 8)?);
        }
        self.reads.on.set(on);
        if on {
            self.clear_reads();
        }
        Ok(())
    }

    #[inline(always)]
    pub fn logs_reads(&self) -> bool {
        self.reads.on.get()
    }

    /// Nothing has been read or written yet. Named places stay named, without stacks.
    pub fn clear_reads(&mut self) {
        self.reads.forget_whole();
        if let Some(shadow) = &mut self.reads.shadow {
            let len = shadow.len();
            if !shadow.release(0, len) {
                shadow.zero(0, len);
            }
        }
        let mut named = self.reads.named.borrow_mut();
        for stacks in named.values_mut() {
            *stacks = Default::default();
        }
    }

    /// Where compiled code finds the shadow byte of an address: at an eighth of the address from here. Zero while there
    /// is none.
    pub fn shadow_bias(&self) -> u64 {
        let base = |shadow: &Memory| (shadow.base() as u64).wrapping_sub(self.arena.base() as u64 / 8);
        self.reads.shadow.as_ref().map_or(0, base)
    }

    /// The offsets of the units of an object that were read before they were written, ascending.
    pub fn read_first(&self, o: ObjRef) -> Vec<u32> {
        let Some(shadow) = &self.reads.shadow else {
            return Vec::new();
        };
        let words = self.size_of(o) / 8;
        let read = (0..words).map(|word| (word, shadow.load::<u8>(u64::from(o.0) + word) & WHOLE));
        read.flat_map(|(word, units)| {
            let units = (0..4).filter(move |u| units >> u & 1 != 0);
            units.map(move |u| word as u32 * 8 + u * UNIT)
        })
        .collect()
    }

    /// How the guest accessed a unit first, by its number in the arena; none if it did not.
    pub fn first_access(&self, unit: u64) -> Option<FirstAccess> {
        let shadow = self.reads.shadow.as_ref()?;
        let at = unit * u64::from(UNIT);
        let (seen, unit): (u8, u8) = (shadow.load(at >> 3), units(at, 1));
        if seen & unit != 0 {
            Some(FirstAccess::Read)
        } else {
            (seen >> 4 & unit != 0).then_some(FirstAccess::Write)
        }
    }

    /// Whether anything of an object was read first, and whether anything was written first.
    pub fn accessed(&self, o: ObjRef) -> (bool, bool) {
        let Some(shadow) = &self.reads.shadow else {
            return (false, false);
        };
        let words = 0..self.size_of(o) / 8;
        let seen = words.fold(0u8, |seen, word| seen | shadow.load::<u8>(u64::from(o.0) + word));
        (seen & WHOLE != 0, seen >> 4 != 0)
    }

    /// What a unit holds.
    pub fn unit_bits(&self, unit: u64) -> u16 {
        self.arena.load(unit * u64::from(UNIT))
    }

    /// Nothing of these bytes of an object has been read or written yet.
    pub fn clear_reads_of(&mut self, o: ObjRef, from: u32, to: u32) {
        self.reads.forget_whole();
        if let Some(shadow) = &mut self.reads.shadow {
            let words = offset(o) / 8 + u64::from(from / 8)..offset(o) / 8 + u64::from(to.div_ceil(8));
            words.for_each(|word| shadow.set_byte(word, 0));
        }
    }

    /// What was read and written first of these words of the arena, as shadow bytes; from now on nothing was.
    pub fn take_words(&mut self, words: &[u64]) -> Vec<u8> {
        self.reads.forget_whole();
        let Some(shadow) = &mut self.reads.shadow else {
            return vec![0; words.len()];
        };
        let take = |word: &u64| {
            let seen: u8 = shadow.load(*word);
            if seen != 0 {
                shadow.set_byte(*word, 0);
            }
            seen
        };
        words.iter().map(take).collect()
    }

    /// Puts back what was taken: units that were settled then are what they were.
    pub fn put_words(&mut self, words: &[u64], taken: &[u8]) {
        let Some(shadow) = &mut self.reads.shadow else {
            return;
        };
        for (word, earlier) in words.iter().zip(taken).filter(|(_, earlier)| **earlier != 0) {
            shadow.set_byte(*word, earlier_first(*earlier, shadow.load(*word)));
        }
    }

    /// Whether any of the bytes `from..to` of an object lies in a unit that was read before it was written.
    pub fn was_read_first(&self, o: ObjRef, from: u32, to: u32) -> bool {
        let Some(shadow) = &self.reads.shadow else {
            return false;
        };
        (from / UNIT..to.div_ceil(UNIT)).any(|unit| {
            let at = offset(o) + u64::from(unit * UNIT);
            shadow.load::<u8>(at >> 3) & units(at, 1) != 0
        })
    }

    /// All places that were read before they were written, of objects old and new, in the order of their addresses.
    pub fn reads(&self) -> Vec<Place> {
        let Some(shadow) = &self.reads.shadow else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut object = ObjRef::NULL;
        let (mut block, words) = (0, BLOCK / 8);
        while let Some(used) = self.used.next(block) {
            block = used + 1;
            let first = u64::from(used) * words;
            for (at, eight) in (first..)
                .step_by(8)
                .zip(shadow.slice::<u64>(first, words as usize / 8))
            {
                if *eight & 0x0f0f_0f0f_0f0f_0f0f == 0 && self.starts_in(at, 8) == 0 {
                    continue;
                }
                for (word, read) in (at..).zip(eight.to_le_bytes()) {
                    if self.is_object(ObjRef(word as u32)) {
                        object = ObjRef(word as u32);
                    }
                    for unit in (0..4).filter(|u| read >> u & 1 != 0) {
                        let offset = (word as u32 - object.0) * 8 + unit * UNIT;
                        found.push(Place { object, offset });
                    }
                }
            }
        }
        found
    }

    /// The start bits of eight words of the arena, the first of them at a multiple of eight.
    fn starts_in(&self, word: u64, count: u32) -> u64 {
        let bits = self.starts.some((word >> 6) as usize, 1)[0];
        bits >> (word & 63) & ((1 << count) - 1)
    }

    /// From now on the stack of the first read of each of these places is kept; earlier names are forgotten.
    pub fn watch_reads(&mut self, places: &[Place]) {
        let words = places.iter().map(|p| word(*p));
        self.reads.named = RefCell::new(words.map(|word| (word, Default::default())).collect());
    }

    /// The stack of the first read of a named place, innermost frame first; none if it was not read, or written before.
    pub fn read_stack(&self, place: Place) -> Option<Box<[Site]>> {
        let named = self.reads.named.borrow();
        named.get(&word(place))?[(place.offset / UNIT % 4) as usize].clone()
    }

    /// The guest reads `size` (1, 2, 4 or 8) bytes of an object.
    #[inline(always)]
    pub(super) fn note_read(&self, o: ObjRef, off: u64, size: usize) {
        let at = offset(o) + off;
        if at & (size as u64 - 1) != 0 {
            // Only Unsafe can do that.
            return self.note_range_read(o, off, off + size as u64);
        }
        self.reads.read(self, at, units(at, size as u64));
    }

    #[inline(always)]
    pub(super) fn note_written(&self, o: ObjRef, off: u64, size: usize) {
        let at = offset(o) + off;
        if size > 1 && at & (size as u64 - 1) == 0 {
            self.reads.written(at, units(at, size as u64));
        }
    }

    /// The guest reads a static field.
    #[inline(always)]
    pub(super) fn note_slot_read(&self, at: u32) {
        self.reads.read(self, u64::from(at) * 8, WHOLE);
    }

    #[inline(always)]
    pub(super) fn note_slot_written(&self, at: u32) {
        self.reads.written(u64::from(at) * 8, WHOLE);
    }

    /// Compiled code has found units of the word at an address that were not settled.
    pub fn note_read_at(&self, address: u64, units: u8) {
        let at = address.wrapping_sub(self.arena.base() as u64);
        self.reads.read(self, at, units);
    }

    /// The guest reads bytes `from..to` of an object.
    #[inline]
    pub(super) fn note_range_read(&self, o: ObjRef, from: u64, to: u64) {
        if self.logs_reads() {
            each_word(offset(o) + from, offset(o) + to, |at, units| {
                self.reads.read(self, at, units);
            });
        }
    }

    #[inline]
    pub(super) fn note_range_written(&self, o: ObjRef, from: u64, to: u64) {
        if self.logs_reads() {
            // Units of which only one byte is written are not settled.
            let (from, to) = (from.next_multiple_of(2), to & !1);
            each_word(offset(o) + from, offset(o) + to, |at, units| {
                self.reads.written(at, units);
            });
        }
    }

    /// The guest reads all elements of an array.
    #[inline]
    pub(super) fn note_elements_read(&self, o: ObjRef) {
        if self.logs_reads() {
            let place = self.reads.place(o);
            if place.get() != o {
                self.note_range_read(o, u64::from(ELEMENTS), self.exact_size(o));
                place.set(o);
            }
        }
    }

    #[inline]
    pub(super) fn note_elements_written(&self, o: ObjRef) {
        if self.logs_reads() {
            self.note_range_written(o, u64::from(ELEMENTS), self.exact_size(o));
        }
    }
}

/// The shadow byte of a word that was accessed in two intervals.
pub fn earlier_first(earlier: u8, later: u8) -> u8 {
    let settled = (earlier | earlier >> 4) & WHOLE;
    earlier | later & !(settled | settled << 4)
}

fn word(place: Place) -> u64 {
    u64::from(place.object.0) + u64::from(place.offset / 8)
}

/// Calls `f` with every word that bytes `from..to` of the arena lie in, and their units of it.
fn each_word(from: u64, to: u64, mut f: impl FnMut(u64, u8)) {
    let mut at = from;
    while at < to {
        let end = to.min((at & !7) + 8);
        let (first, last) = (at >> 1 & 3, (end - 1) >> 1 & 3);
        f(at, WHOLE << first & WHOLE >> (3 - last));
        at = end;
    }
}
