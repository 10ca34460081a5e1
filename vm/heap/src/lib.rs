//! The object memory: one contiguous, non-moving arena with 32-bit references.
//!
//! Every object starts at a multiple of 8 with an 8-byte header: class id (u32), lock word (u32). Instance fields
//! follow from byte 8; an array has its length (u32) at byte 8 and its elements from byte 16. Objects are zeroed
//! when allocated. Nothing moves, so a reference is a stable identity and identity hashes derive from it.
//!
//! Collection is mark and sweep in lines and blocks with bump allocation; the VM calls it only at safepoints.

//!
//! The arena is cut into blocks of 32 KiB and lines of 128 bytes (`alloc`). Marking (`mark`) sets one bit per object
//! and one per line it covers; sweeping (`sweep`) then reads only the line bits of blocks in use, and the mark bits
//! become the object-start bits. All stores go through `access`, where a write barrier can see them.

mod access;
mod alloc;
mod blocks;
mod mark;
mod raw;
mod reads;
mod references;
mod sweep;
#[cfg(test)]
mod tests;
mod watch;

pub use access::SlotKind;

use alloc::Hole;
use blocks::BlockSet;
use mark::Marker;
use poldet_base::ids::{ClassId, ObjRef};
use poldet_base::sym::FixedMap;
use raw::{Memory, Words};
use reads::Reads;
use references::ReferenceOffsets;

pub use poldet_base::trace::Site;
pub use reads::{FirstAccess, Place, UNIT, earlier_first};
pub use sweep::GcStats;
use watch::Watch;
pub use watch::{InitWrite, Logged, StackId};

const LINE: u64 = 128;
const BLOCK: u64 = 32 * 1024;
const LINES_PER_BLOCK: u64 = BLOCK / LINE;
/// What a 32-bit reference in units of 8 bytes can reach.
const MAX_ARENA: u64 = 32 << 30;
const MIB: u64 = 1 << 20;

/// Byte offset of the first field of an object.
pub const FIELDS: u32 = 8;
/// Byte offset of an array's length.
pub const ARRAY_LENGTH: u32 = 8;
/// Byte offset of an array's first element.
pub const ELEMENTS: u32 = 16;

/// How strong the `referent` of a java.lang.ref.Reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Soft,
    Weak,
    Final,
    Phantom,
}

/// What the collector must know of a class.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Not yet linked; no instances exist.
    None,
    /// `size` in bytes with header; `refs` are byte offsets of reference fields.
    Instance {
        size: u32,
        refs: Box<[u32]>,
    },
    /// Like `Instance`, but the `referent` offset is not in `refs`.
    Reference {
        size: u32,
        refs: Box<[u32]>,
        strength: Strength,
    },
    /// Instances of java.lang.Class: their size and extra references (static fields) differ per object and are
    /// kept by `Heap::set_mirror`.
    Mirror {
        size: u32,
        refs: Box<[u32]>,
    },
    RefArray,
    PrimArray {
        log2: u8,
    },
}

/// An allocation that did not fit even at the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full {
    pub bytes: u64,
}

/// What a mirror has beyond an ordinary instance.
struct Mirror {
    size: u32,
    static_refs: Box<[u32]>,
    /// It goes when nothing refers to its class.
    mortal: bool,
}

pub struct Heap {
    /// What the collector knows of each class, by class id.
    pub layouts: Vec<Layout>,
    arena: Memory,
    /// Where small objects are placed next.
    hole: Hole,
    /// Where objects of more than a line go when they do not fit the current hole.
    overflow: Hole,
    /// The partly used block whose holes are being filled, and the line to check next.
    recycling: Option<(u32, u64)>,
    /// One bit per 8 bytes: an object starts here.
    starts: Words,
    /// One bit per line, meaningful in blocks of `recyclable`: the line holds (part of) an object.
    lines: Words,
    /// Blocks that hold objects or are being filled.
    used: BlockSet,
    /// Blocks in use that have free lines nobody fills at the moment.
    recyclable: BlockSet,
    /// The first of the blocks that only large objects are placed in.
    shared: u32,
    /// The recyclable block in which a hole for a medium object was looked for last.
    searched: u32,
    /// Blocks whose free lines may hold old data and must be zeroed when taken.
    dirty: BlockSet,
    /// Blocks wholly inside a large object: no object starts there.
    interior: BlockSet,
    /// Dirty blocks that are not in use: resident memory without purpose.
    free_dirty: u32,
    /// Blocks in use at the recent collections' starts, at most.
    peak: u32,
    marker: Marker,
    watch: Watch,
    reads: Reads,
    mirrors: FixedMap<ObjRef, Mirror>,
    /// The mirrors of classes that stay, in the order they were made: roots.
    mirror_order: Vec<ObjRef>,
    /// Those of classes that may go, in the same order.
    mortal_mirrors: Vec<ObjRef>,
    /// By class id, the mirror that instances of a class keep alive; null for a class that stays.
    keepers: Vec<ObjRef>,
    references: Option<ReferenceOffsets>,
    max: u64,
    /// What small allocations may use beyond `max`, since a native cannot collect.
    slack: u64,
    /// Bytes of live objects after the last collection and of all space handed out since.
    granted: u64,
    live: u64,
    /// `should_collect` once `granted` has come this far.
    trigger: u64,
    /// A fixed allocation budget between collections, for stress tests.
    every: Option<u64>,
}

impl Heap {
    /// Where objects and the barrier's bits lie, for compiled code: neither ever moves.
    pub fn memory(&self) -> (*const u8, *const u64) {
        (self.arena.base(), self.watch.bits.base())
    }

    /// Reserves address space for `max_bytes` of objects; memory is used only as objects are allocated.
    pub fn new(max_bytes: u64) -> Result<Heap, String> {
        let max = max_bytes.clamp(MIB, MAX_ARENA);
        // Address space beyond the limit lets a large object find its place in a fragmented heap. Small heaps get
        // relatively more, since there one object can be a large part of the whole.
        let spare = (max / 10).max(max.min(256 * MIB)) + MIB;
        // Beyond that is room for large objects only: small ones can leave no block free below it, and do not move.
        let reserve = (max + spare + max).min(MAX_ARENA) / BLOCK * BLOCK;
        let blocks = (reserve / BLOCK) as u32;
        let mut used = BlockSet::new(blocks);
        // The first block is never handed out: offset zero is `null`.
        used.insert(0);
        let mut heap = Heap {
            layouts: Vec::new(),
            arena: Memory::reserve(reserve)?,
            hole: Hole::default(),
            overflow: Hole::default(),
            recycling: None,
            starts: Words::with_bits(reserve / 8)?,
            lines: Words::with_bits(reserve / LINE)?,
            used,
            recyclable: BlockSet::new(blocks),
            searched: 0,
            shared: ((max + spare).min(MAX_ARENA) / BLOCK) as u32,
            dirty: BlockSet::new(blocks),
            interior: BlockSet::new(blocks),
            free_dirty: 0,
            peak: 0,
            marker: Marker::new(reserve)?,
            watch: Watch::new(reserve)?,
            reads: Reads::default(),
            mirrors: FixedMap::default(),
            mirror_order: Vec::new(),
            mortal_mirrors: Vec::new(),
            keepers: Vec::new(),
            references: None,
            max,
            slack: (max / 20).max(MIB),
            granted: 0,
            live: 0,
            trigger: 0,
            every: None,
        };
        heap.set_trigger();
        Ok(heap)
    }

    /// Memory that is used from now on comes in small pages: for a forked process that uses little, and would have to clear huge ones.
    pub fn use_small_pages(&self) {
        self.arena.use_small_pages();
        for table in [&self.starts, &self.lines, &self.marker.marks, &self.watch.bits] {
            table.use_small_pages();
        }
    }

    pub fn set_layout(&mut self, class: ClassId, layout: Layout) {
        if self.layouts.len() <= class.index() {
            self.layouts.resize(class.index() + 1, Layout::None);
        }
        self.layouts[class.index()] = layout;
    }

    /// Says how large a mirror is and where its class's static references are. It lives as long as the heap, unless it is
    /// made mortal.
    pub fn set_mirror(&mut self, mirror: ObjRef, size: u32, static_refs: Box<[u32]>) {
        let new = Mirror {
            size,
            static_refs,
            mortal: false,
        };
        if self.mirrors.insert(mirror, new).is_none() {
            self.mirror_order.push(mirror);
        }
    }

    /// A class that has just been given its mirror goes when nothing refers to it: the mirror is no root, and every
    /// instance refers to it. What else keeps it alive, the VM says when marking has met the mirror (`take_met`).
    pub fn set_mortal(&mut self, class: ClassId, mirror: ObjRef) {
        if self.keepers.len() <= class.index() {
            self.keepers.resize(class.index() + 1, ObjRef::NULL);
        }
        self.keepers[class.index()] = mirror;
        if let Some(known) = self.mirrors.get_mut(&mirror)
            && !std::mem::replace(&mut known.mortal, true)
        {
            if let Some(at) = self.mirror_order.iter().rposition(|m| *m == mirror) {
                self.mirror_order.remove(at);
            }
            self.mortal_mirrors.push(mirror);
        }
    }

    /// Takes the mirrors that were not reached from the heap's tables: valid between marking and sweeping. In the order in
    /// which they were made.
    pub fn take_dead_mirrors(&mut self) -> Vec<ObjRef> {
        let marks = &self.marker.marks;
        let dead: Vec<ObjRef> = self
            .mortal_mirrors
            .extract_if(.., |m| !marks.get(u64::from(m.0)))
            .collect();
        if dead.is_empty() {
            return dead;
        }
        let sizes = dead
            .iter()
            .map(|m| (*m, self.mirrors.remove(m).map_or(0, |m| m.size)));
        let mut ranges: Vec<(u32, u32)> = sizes.map(|(m, size)| (m.0, m.0 + size / 8)).collect();
        ranges.sort_unstable();
        self.forget_slots(&ranges);
        dead
    }

    /// No instance of a class is left, and there will be none.
    pub fn forget_class(&mut self, class: ClassId) {
        if let Some(layout) = self.layouts.get_mut(class.index()) {
            *layout = Layout::None;
        }
        if let Some(keeper) = self.keepers.get_mut(class.index()) {
            *keeper = ObjRef::NULL;
        }
    }

    /// Where java.lang.ref.Reference keeps its fields. The collector follows HotSpot in looking at `referent` and
    /// `next` only: the VM links pending references through `discovered`, an ordinary field here, and soft
    /// references are cleared all or none, so their time stamps do not matter.
    pub fn set_reference_offsets(&mut self, referent: u32, next: u32) {
        self.references = Some(ReferenceOffsets { referent, next });
    }

    /// Enough was allocated since the last collection to make another worthwhile.
    #[inline(always)]
    pub fn should_collect(&self) -> bool {
        self.granted >= self.trigger
    }

    /// Asks for a collection after every `bytes` of allocation (in steps of holes) instead of when it pays: a stress
    /// test of the VM's roots.
    pub fn collect_every(&mut self, bytes: Option<u64>) {
        self.every = bytes;
        self.set_trigger();
    }

    /// Bytes of objects that survived the last collection.
    pub fn live_bytes(&self) -> u64 {
        self.live
    }

    /// Bytes of live objects and of everything allocated since the last collection.
    pub fn used_bytes(&self) -> u64 {
        self.granted - self.hole.room() - self.overflow.room()
    }

    pub fn max_bytes(&self) -> u64 {
        self.max
    }

    /// Bytes of the arena that are, as far as the heap knows, backed by memory.
    pub fn committed(&self) -> u64 {
        u64::from(self.used.count() - 1 + self.free_dirty) * BLOCK
    }

    /// Calls `f` for every object, reachable or not yet collected, in address order.
    pub fn for_each_object(&self, f: &mut dyn FnMut(ObjRef)) {
        let per_block = (BLOCK / 8 / 64) as usize;
        let mut from = 1;
        while let Some(block) = self.used.next(from) {
            from = block + 1;
            if self.interior.contains(block) {
                continue;
            }
            let first = block as usize * per_block;
            for (index, &word) in self.starts.some(first, per_block).iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    f(ObjRef(((first + index) * 64) as u32 + rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            }
        }
    }

    /// Little of the heap was free after the last collection: the next one clears soft references, or collections
    /// would follow each other ever faster until nothing at all is free.
    pub fn is_tight(&self) -> bool {
        self.live > self.max / 4 * 3
    }

    /// Sets the next collection's time: after about as much again as is live, but before the limit. What a generational
    /// collector leaves to its young generation goes by at least: programs can see when weak references are cleared.
    fn set_trigger(&mut self) {
        let young = (self.max / 4).clamp(4 * MIB, 128 * MIB);
        let budget = self.every.unwrap_or((self.live / 8 * 7).max(young));
        // At the limit every step still allows some work, or the VM would do nothing but collect.
        let least = budget.min(self.slack / 4);
        self.trigger = (self.live + budget).min(self.max).max(self.live + least);
    }
}
