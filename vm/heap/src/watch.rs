//! The object-logging write barrier: one bit per object says that somebody wants to know of its changes.
//!
//! The first store to a watched object copies its contents to a log; the log then gives the state before, the set of
//! objects that were written, and for every place the stack of the write that gave it the value it has: the last one for
//! fields, for elements of arrays the last that took them away from their old value. Objects that nobody watches cost one bit test a store. Static fields are slots inside class mirrors: a
//! slot has a bit of its own, since code addresses it without its mirror.

use super::access::offset;
use super::raw::{Plain, Words};
use super::{ELEMENTS, Heap, Layout};
use poldet_base::ids::{ClassId, ObjRef};
use poldet_base::sym::FixedMap;
use poldet_base::trace::{Site, Tracer};
use std::cell::OnceCell;

/// Writes kept of one object; of later ones the last is kept.
const MOST_WRITES: usize = 1 << 16;
/// How far back a place is looked for that is written again and again.
const RECENT: usize = 16;
/// More writes of one object are sorted before one is looked for.
const MANY_WRITES: usize = 64;
/// A log of more objects is not kept for the next interval.
const LONG_LOG: usize = 4096;
/// Writes to places of one object that were written before, which are distinguished by their whole stacks. After that the
/// innermost frames decide.
const EXACT: u32 = 1_000;
/// Writes to fields of one object whose new values are followed.
const FOLLOWED: u32 = 64;
/// So many frames decide.
const INNERMOST: usize = 8;
/// Stacks that are compared before one is looked up, and what stands for none.
const TURNS: usize = 4;
const NONE: u32 = u32::MAX;
/// Bits that say which objects may be in the log.
const FILTER: usize = 1 << 16;
/// New objects that are followed once something watched refers to them.
const MOST_FRESH: u32 = 20_000;

/// Names a recorded stack until the log is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackId(u32);

/// A write to the bytes `from..to` of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub from: u32,
    pub to: u32,
    pub stack: StackId,
}

/// A watched object that was written.
pub struct Logged {
    pub object: ObjRef,
    /// It was made since the log was cleared and stored into a watched object: not part of the state before.
    pub fresh: bool,
    /// Its bytes before the first write, from behind the header.
    old: Box<[u8]>,
    writes: Vec<Write>,
    /// The writes by place, once somebody asks for one of many; none where they overlap.
    by_place: OnceCell<Option<Vec<Write>>>,
    /// Writes that took a field from one new value to another.
    updates: u32,
    /// Writes to places that had just been written, by other code.
    renewed: u32,
    is_array: bool,
}

/// The place of an object in the log that was noted or updated last, with the stack that explains it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Latest {
    entry: u32,
    write: Write,
}

impl Logged {
    /// The old bits at a byte offset of the object.
    #[inline]
    pub fn old_bits(&self, off: u32, size: u32) -> u64 {
        let mut bytes = [0; 8];
        let at = off as usize - HEADER;
        let size = size as usize;
        bytes[..size].copy_from_slice(&self.old[at..at + size]);
        u64::from_le_bytes(bytes)
    }

    pub fn old_ref(&self, off: u32) -> ObjRef {
        ObjRef(self.old_bits(off, 4) as u32)
    }

    /// The old bytes from behind the header.
    pub fn old_bytes(&self) -> &[u8] {
        &self.old
    }

    /// The stack of the write that explains these bytes.
    pub fn exact_stack_of(&self, from: u32, to: u32) -> Option<StackId> {
        let covers = |w: &&Write| w.from < to && from < w.to;
        if self.writes.len() > MANY_WRITES
            && let Some(sorted) = self.by_place.get_or_init(|| by_place(&self.writes))
        {
            // Of several that are covered, the last one counts; one element is asked for at a time, mostly.
            let first = sorted.partition_point(|w| w.to <= from);
            if sorted.get(first + 1).is_none_or(|next| next.from >= to) {
                return sorted.get(first).filter(covers).map(|w| w.stack);
            }
        }
        self.writes.iter().rev().find(covers).map(|w| w.stack)
    }

    /// The same, or else the stack of the object's last write.
    pub fn stack_of(&self, from: u32, to: u32) -> Option<StackId> {
        self.exact_stack_of(from, to)
            .or_else(|| self.writes.last().map(|w| w.stack))
    }
}

/// The last write to each place, by place; none where places overlap and are not the same.
fn by_place(writes: &[Write]) -> Option<Vec<Write>> {
    let mut sorted: Vec<Write> = writes.iter().rev().copied().collect();
    // Of equals the first stays first, which is the last write.
    sorted.sort_by_key(|w| (w.from, w.to));
    sorted.dedup_by_key(|w| (w.from, w.to));
    let apart = sorted.windows(2).all(|pair| pair[0].to <= pair[1].from);
    apart.then_some(sorted)
}

const HEADER: usize = 8;

/// Who is watched, and what has happened to them.
pub(super) struct Watch {
    pub(super) bits: Words,
    on: bool,
    /// Slots of static fields that are watched.
    slots: Vec<u32>,
    log: Vec<Logged>,
    fresh: u32,
    index: FixedMap<ObjRef, u32>,
    /// Bits for the objects of the log: where there is none, an object is not in it. Most that are asked for are not.
    filter: Box<[u64; FILTER / 64]>,
    /// The object written last.
    last: (ObjRef, u32),
    /// Mostly the same place is written again.
    latest: Option<Latest>,
    stacks: Vec<Box<[Site]>>,
    stack_ids: FixedMap<Box<[Site]>, u32>,
    /// A stack with these innermost frames, and the last of those that were asked for.
    innermost_ids: FixedMap<Box<[Site]>, u32>,
    turns: [u32; TURNS],
    turn: usize,
    scratch: Vec<Site>,
    pub(super) tracer: Tracer,
    /// Classes whose initialisers run, outermost first, while somebody asks what initialisers write.
    initialising: Vec<ClassId>,
    init_writes: Vec<InitWrite>,
}

/// A store to a watched object that the initialiser of a class made, whatever the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitWrite {
    pub class: ClassId,
    pub object: ObjRef,
}

impl Watch {
    pub(super) fn new(arena_len: u64) -> Result<Watch, String> {
        Ok(Watch {
            bits: Words::with_bits(arena_len / 8)?,
            on: false,
            slots: Vec::new(),
            log: Vec::new(),
            fresh: 0,
            index: FixedMap::default(),
            filter: Box::new([0; FILTER / 64]),
            last: (ObjRef::NULL, 0),
            latest: None,
            stacks: Vec::new(),
            stack_ids: FixedMap::default(),
            innermost_ids: FixedMap::default(),
            turns: [NONE; TURNS],
            turn: 0,
            scratch: Vec::new(),
            tracer: Tracer::default(),
            initialising: Vec::new(),
            init_writes: Vec::new(),
        })
    }

    /// Where an object's bit is in the filter.
    #[inline]
    fn bit(o: ObjRef) -> (usize, u64) {
        let hash = (o.0.wrapping_mul(0x9E37_79B1) >> 16) as usize % FILTER;
        (hash / 64, 1 << (hash % 64))
    }

    fn stack_now(&mut self) -> StackId {
        self.scratch.clear();
        self.tracer.stack(&mut self.scratch);
        if let Some(&id) = self.stack_ids.get(self.scratch.as_slice()) {
            return StackId(id);
        }
        let id = self.stacks.len() as u32;
        let stack: Box<[Site]> = self.scratch.as_slice().into();
        self.stacks.push(stack.clone());
        self.stack_ids.insert(stack, id);
        StackId(id)
    }

    /// The same, or a stack recorded before whose innermost frames are those of now.
    fn stack_like_now(&mut self) -> StackId {
        let like_now = |id: &&u32| **id != NONE && self.tracer.is_now(&self.stacks[**id as usize], INNERMOST);
        if let Some(&id) = self.turns.iter().find(like_now) {
            return StackId(id);
        }
        self.scratch.clear();
        self.tracer.innermost(INNERMOST, &mut self.scratch);
        let id = match self.innermost_ids.get(self.scratch.as_slice()) {
            Some(&id) => id,
            None => {
                let innermost: Box<[Site]> = self.scratch.as_slice().into();
                let StackId(id) = self.stack_now();
                self.innermost_ids.insert(innermost, id);
                id
            }
        };
        self.turns[self.turn] = id;
        self.turn = (self.turn + 1) % TURNS;
        StackId(id)
    }

    /// A field goes from one new value to another. Mostly the same code does so again; says whether it has not yet done so
    /// often.
    fn note_update(&mut self, entry: u32, from: u32, to: u32) -> bool {
        let logged = &mut self.log[entry as usize];
        logged.updates = logged.updates.saturating_add(1);
        let updates = logged.updates;
        let most = if updates > EXACT { INNERMOST } else { usize::MAX };
        let known = match self.latest {
            Some(latest) if (latest.entry, latest.write.from, latest.write.to) == (entry, from, to) => {
                Some(latest.write)
            }
            _ => {
                let mut recent = logged.writes.iter().rev().take(RECENT);
                recent.find(|w| (w.from, w.to) == (from, to)).copied()
            }
        };
        match known {
            Some(write) if self.tracer.is_now(&self.stacks[write.stack.0 as usize], most) => {
                self.latest = Some(Latest { entry, write });
            }
            _ => self.note(entry, from, to),
        }
        updates <= FOLLOWED
    }

    fn note(&mut self, entry: u32, from: u32, to: u32) {
        let logged = &mut self.log[entry as usize];
        logged.by_place.take();
        let recent = logged.writes.len().saturating_sub(RECENT);
        let known = logged.writes[recent..]
            .iter()
            .position(|w| (w.from, w.to) == (from, to));
        let stack = match known {
            // Code that takes turns in writing to a place would have its whole stack read each time.
            Some(_) if logged.renewed >= EXACT => self.stack_like_now(),
            Some(_) => {
                logged.renewed += 1;
                self.stack_now()
            }
            None => self.stack_now(),
        };
        let write = Write { from, to, stack };
        self.latest = Some(Latest { entry, write });
        let writes = &mut self.log[entry as usize].writes;
        if let Some(i) = known {
            writes.remove(recent + i);
        } else if writes.len() == MOST_WRITES {
            writes.pop();
        }
        writes.push(write);
    }
}

impl Heap {
    /// Whether stores to this object are logged.
    #[inline(always)]
    pub fn is_watched(&self, o: ObjRef) -> bool {
        self.watch.bits.test(u64::from(o.0))
    }

    /// Whether stores to this static field are logged.
    #[inline(always)]
    pub fn is_watched_slot(&self, at: u32) -> bool {
        self.watch.bits.test(u64::from(at))
    }

    /// Watches an object; says whether it was not watched before.
    #[inline]
    pub fn watch(&mut self, o: ObjRef) -> bool {
        self.watch.on = true;
        self.watch.bits.insert(u64::from(o.0))
    }

    /// Watches the slot of a static field.
    pub fn watch_slot(&mut self, at: u32) {
        self.watch.on = true;
        self.watch.slots.push(at);
        self.watch.bits.insert(u64::from(at));
    }

    /// What an object is now is what it was before: it has just become part of the watched state.
    pub fn set_baseline(&mut self, o: ObjRef) {
        let Some(&entry) = self.watch.index.get(&o) else {
            return;
        };
        if self.watch.log[entry as usize].fresh {
            let old = self.contents(o).into();
            let entry = &mut self.watch.log[entry as usize];
            entry.old = old;
            entry.fresh = false;
            entry.writes.clear();
            entry.by_place.take();
            self.watch.latest = None;
        }
    }

    pub fn unwatch(&mut self, o: ObjRef) {
        self.watch.bits.remove(u64::from(o.0));
    }

    /// Nothing is watched any more.
    pub fn unwatch_all(&mut self) {
        self.clear_log();
        self.watch.slots.clear();
        let per_block = (super::BLOCK / 8 / 64) as usize;
        let mut from = 0;
        while let Some(block) = self.used.next(from) {
            from = block + 1;
            self.watch
                .bits
                .some_mut(block as usize * per_block, per_block)
                .fill(0);
        }
    }

    /// Where the stacks of writes come from.
    #[inline(always)]
    pub fn tracer(&self) -> &Tracer {
        &self.watch.tracer
    }

    /// The watched objects that were written since the log was cleared, in the order of their first writes.
    pub fn log(&self) -> &[Logged] {
        &self.watch.log
    }

    #[inline]
    pub fn logged(&self, o: ObjRef) -> Option<&Logged> {
        let (word, bit) = Watch::bit(o);
        if self.watch.filter[word] & bit == 0 {
            return None;
        }
        self.find_logged(o)
    }

    #[inline(never)]
    fn find_logged(&self, o: ObjRef) -> Option<&Logged> {
        let index = *self.watch.index.get(&o)?;
        self.watch.log.get(index as usize)
    }

    /// The references that were written, each with the stack of its last write: to say who put an object where it is.
    pub fn reference_writes(&self) -> impl Iterator<Item = (ObjRef, StackId)> {
        let four = |w: &&Write| w.to - w.from == 4;
        self.watch.log.iter().flat_map(move |entry| {
            let writes = entry.writes.iter().filter(four);
            writes.map(move |w| (self.get_ref(entry.object, w.from), w.stack))
        })
    }

    /// Innermost frame first.
    pub fn write_stack(&self, id: StackId) -> &[Site] {
        &self.watch.stacks[id.0 as usize]
    }

    pub fn clear_log(&mut self) {
        let watch = &mut self.watch;
        watch.fresh = 0;
        if !watch.log.is_empty() {
            watch.filter.fill(0);
        }
        // Entries would be all over the table of a long log, each in a page of its own, which a forked process copies.
        if watch.log.len() > LONG_LOG {
            (watch.log, watch.index) = (Vec::new(), FixedMap::default());
        }
        watch.log.clear();
        watch.index.clear();
        watch.last = (ObjRef::NULL, 0);
        watch.latest = None;
        watch.stacks.clear();
        watch.stack_ids.clear();
        watch.innermost_ids.clear();
        watch.turns = [NONE; TURNS];
    }

    /// The bytes of an object from behind its header.
    pub fn contents(&self, o: ObjRef) -> &[u8] {
        let len = self.size_of(o) as usize - HEADER;
        self.arena.slice(offset(o) + HEADER as u64, len)
    }

    /// Puts bytes back into an object, from an offset on; logged as a store of the program's would be.
    pub fn put_back(&mut self, o: ObjRef, from: u32, bytes: &[u8]) {
        if self.is_watched(o) {
            self.log_range(o, from, from + bytes.len() as u32);
        }
        let at = offset(o) + u64::from(from);
        self.arena.slice_mut::<u8>(at, bytes.len()).copy_from_slice(bytes);
    }

    /// A store of one value is about to happen to a watched object.
    #[cold]
    #[inline(never)]
    pub(super) fn log_store<T: Plain>(&mut self, o: ObjRef, off: u32, value: T) {
        let size = size_of::<T>() as u32;
        if off < HEADER as u32 {
            return;
        }
        self.note_init_write(o);
        let entry = self.log_entry(o);
        let now = self.arena.load::<T>(offset(o) + u64::from(off)).bits();
        let logged = &self.watch.log[entry as usize];
        let (old, is_array) = (logged.old_bits(off, size), logged.is_array);
        // A store of what is there, or of the old value, explains no difference.
        if value.bits() == old || value.bits() == now {
            return;
        }
        if now == old {
            self.watch.note(entry, off, off + size);
        } else if is_array || !self.watch.note_update(entry, off, off + size) {
            // Buffers are filled again and again.
            return;
        }
        if value.is_ref() {
            self.follow(ObjRef(value.bits() as u32));
        }
    }

    fn is_array(&self, o: ObjRef) -> bool {
        let layout = self.layouts.get(self.class_of(o).index());
        matches!(layout, Some(Layout::RefArray | Layout::PrimArray { .. }))
    }

    /// A new object has become part of what is watched: later writes to it are of interest, too.
    fn follow(&mut self, o: ObjRef) {
        if o.is_null() || self.is_watched(o) || self.watch.fresh >= MOST_FRESH {
            return;
        }
        self.watch.fresh += 1;
        self.watch(o);
        let last = self.watch.last;
        let entry = self.log_entry(o);
        self.watch.log[entry as usize].fresh = true;
        self.watch.last = last;
    }

    /// The object that a watched static field's slot lies in is its class's mirror.
    #[cold]
    #[inline(never)]
    pub(super) fn log_slot<T: Plain>(&mut self, at: u32, value: T) {
        let start = self.mirror_around(at);
        self.log_store(start, (at - start.0) * 8, value);
    }

    /// The object in which a slot lies; mostly that which was written last.
    fn mirror_around(&self, at: u32) -> ObjRef {
        let (last, entry) = self.watch.last;
        if !last.is_null() && at > last.0 {
            let size = HEADER + self.watch.log[entry as usize].old.len();
            if ((at - last.0) as usize) < size / 8 {
                return last;
            }
        }
        let mut start = at;
        while !self.starts.get(u64::from(start)) {
            start -= 1;
        }
        ObjRef(start)
    }

    /// Any of the bytes `from..to` of a watched object may be about to change.
    #[cold]
    #[inline(never)]
    pub(super) fn log_range(&mut self, o: ObjRef, from: u32, to: u32) {
        self.note_init_write(o);
        let entry = self.log_entry(o);
        self.watch.note(entry, from, to);
    }

    /// The initialiser of a class begins: until it ends, its stores to watched objects are noted.
    pub fn init_begins(&mut self, class: ClassId) {
        // One that had to wait for another thread begins again.
        if !self.watch.initialising.contains(&class) {
            self.watch.initialising.push(class);
        }
    }

    pub fn init_ends(&mut self, class: ClassId) {
        // Initialisers of several threads may end in any order.
        if let Some(at) = self.watch.initialising.iter().rposition(|c| *c == class) {
            self.watch.initialising.remove(at);
        }
    }

    /// What initialisers have written since this was last asked.
    pub fn take_init_writes(&mut self) -> Vec<InitWrite> {
        std::mem::take(&mut self.watch.init_writes)
    }

    /// A store counts for every initialiser that is under way: an inner one runs for the outer ones, too.
    #[inline]
    fn note_init_write(&mut self, object: ObjRef) {
        if !self.watch.initialising.is_empty() {
            self.note_init_writes(object);
        }
    }

    #[inline(never)]
    fn note_init_writes(&mut self, object: ObjRef) {
        for i in 0..self.watch.initialising.len() {
            let class = self.watch.initialising[i];
            let write = InitWrite { class, object };
            if !self
                .watch
                .init_writes
                .iter()
                .rev()
                .take(RECENT)
                .any(|w| *w == write)
            {
                self.watch.init_writes.push(write);
            }
        }
    }

    pub(super) fn log_elements(&mut self, o: ObjRef) {
        let end = self.size_of(o) as u32;
        self.log_range(o, ELEMENTS, end);
    }

    #[inline]
    fn log_entry(&mut self, o: ObjRef) -> u32 {
        match self.watch.last {
            (last, entry) if last == o => entry,
            _ => self.find_entry(o),
        }
    }

    #[inline(never)]
    fn find_entry(&mut self, o: ObjRef) -> u32 {
        let entry = match self.watch.index.get(&o) {
            Some(&entry) => entry,
            None => {
                let old = self.contents(o).into();
                let entry = self.watch.log.len() as u32;
                self.watch.log.push(Logged {
                    object: o,
                    fresh: false,
                    old,
                    writes: Vec::new(),
                    by_place: OnceCell::new(),
                    updates: 0,
                    renewed: 0,
                    is_array: self.is_array(o),
                });
                self.watch.index.insert(o, entry);
                let (word, bit) = Watch::bit(o);
                self.watch.filter[word] |= bit;
                entry
            }
        };
        self.watch.last = (o, entry);
        entry
    }

    /// Marks what the log refers to, which must live: it is the state before. To be called when references have been processed,
    /// which do not keep what only the state before has. An object that nothing else has any more becomes what it was: what it came to refer
    /// to since belongs to neither state, and no program can see it.
    pub fn mark_log(&mut self) {
        let gone: Vec<usize> = (0..self.watch.log.len())
            .filter(|i| !self.watch.log[*i].fresh && !self.is_marked(self.watch.log[*i].object))
            .collect();
        for i in gone {
            let entry = &self.watch.log[i];
            let at = offset(entry.object) + HEADER as u64;
            self.arena
                .slice_mut::<u8>(at, entry.old.len())
                .copy_from_slice(&entry.old);
        }
        let mut roots = Vec::new();
        self.log_roots(&mut roots);
        self.mark_roots(&roots);
        self.trace_on();
    }

    fn log_roots(&self, roots: &mut Vec<ObjRef>) {
        for entry in self.watch.log.iter().filter(|e| !e.fresh) {
            roots.push(entry.object);
            let class = self.class_of(entry.object);
            match self.layouts.get(class.index()) {
                Some(Layout::Instance { refs, .. } | Layout::Reference { refs, .. }) => {
                    roots.extend(refs.iter().map(|off| entry.old_ref(*off)));
                }
                Some(Layout::RefArray) => {
                    let count = self.array_len(entry.object);
                    roots.extend((0..count).map(|i| entry.old_ref(ELEMENTS + i * 4)));
                }
                Some(Layout::Mirror { .. } | Layout::None) | None => {
                    if let Some(mirror) = self.mirrors.get(&entry.object) {
                        roots.extend(mirror.static_refs.iter().map(|off| entry.old_ref(*off)));
                    }
                }
                Some(Layout::PrimArray { .. }) => {}
            }
        }
    }

    /// Forgets new objects that are gone; references of the state before whose referents go are cleared there, too.
    pub fn clean_log(&mut self) {
        let Some(offsets) = self.references else {
            return;
        };
        let referent = offsets.referent;
        let dead = |e: &Logged| e.fresh && !self.is_marked(e.object);
        if self.watch.log.iter().any(dead) {
            let marks = &self.marker.marks;
            self.watch
                .log
                .retain(|e| !e.fresh || marks.get(u64::from(e.object.0)));
            let places = self.watch.log.iter().enumerate();
            self.watch.index = places.map(|(i, e)| (e.object, i as u32)).collect();
            self.watch.last = (ObjRef::NULL, 0);
            self.watch.latest = None;
        }
        for i in 0..self.watch.log.len() {
            let entry = &self.watch.log[i];
            let class = self.class_of(entry.object);
            if matches!(self.layouts.get(class.index()), Some(Layout::Reference { .. }))
                && !self.is_marked(entry.old_ref(referent))
            {
                let at = referent as usize - HEADER;
                self.watch.log[i].old[at..at + 4].fill(0);
            }
        }
    }

    /// Dead objects are not watched: their places will be taken by others.
    pub(super) fn sweep_watched(&mut self, block: u32) {
        if !self.watch.on {
            return;
        }
        let words = (super::BLOCK / 8 / 64) as usize;
        let first = block as usize * words;
        let live = self.starts.some(first, words);
        for (bits, live) in self.watch.bits.some_mut(first, words).iter_mut().zip(live) {
            *bits &= live;
        }
    }

    /// The static fields in these ranges of the arena are gone; sorted.
    pub(super) fn forget_slots(&mut self, ranges: &[(u32, u32)]) {
        self.watch.slots.retain(|at| {
            let after = ranges.partition_point(|(from, _)| from <= at);
            ranges[..after].last().is_none_or(|(_, to)| at >= to)
        });
    }

    /// Slots of mirrors are not starts of objects.
    pub(super) fn rewatch_slots(&mut self) {
        for &at in &self.watch.slots {
            self.watch.bits.insert(u64::from(at));
        }
    }
}
