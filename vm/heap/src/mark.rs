//! Marking: everything reachable from the roots, without recursion.
//!
//! A reached object gets its mark bit and waits on a stack; when its turn comes its lines are marked and its
//! references followed. A short queue behind the stack gives the memory time to fetch each object's header. Long
//! arrays are followed piece by piece so that the stack stays small.

use super::access::offset;
use super::raw::{Memory, Words};
use super::references::ReferenceOffsets;
use super::{ARRAY_LENGTH, ELEMENTS, Heap, LINE, LINES_PER_BLOCK, Layout, Mirror, Strength};
use poldet_base::ids::ObjRef;
use poldet_base::sym::FixedMap;

/// How many objects are fetched ahead of their scan.
const AHEAD: usize = 8;
/// How many elements of an array are followed at a time.
const PIECE: u32 = 1024;

/// A live java.lang.ref.Reference whose referent was not (yet) otherwise reached.
pub(super) struct Discovered {
    pub(super) reference: ObjRef,
    pub(super) strength: Strength,
}

pub(super) struct Marker {
    /// One bit per 8 bytes: the object starting here was reached. All clear between collections.
    pub(super) marks: Words,
    stack: Vec<ObjRef>,
    /// Arrays partly followed, each with the next index.
    pieces: Vec<(ObjRef, u32)>,
    pub(super) discovered: Vec<Discovered>,
    /// Mirrors of mortal classes that were reached and nobody has asked for yet.
    met: Vec<ObjRef>,
    /// Whether soft referents count as weak in this collection.
    clear_soft: bool,
    /// While referents wait to be finalized their objects are followed through any kind of Reference.
    pub(super) discovering: bool,
    pub(super) live_bytes: u64,
    pub(super) live_objects: u64,
}

/// What marking reads.
struct World<'a> {
    arena: &'a Memory,
    layouts: &'a [Layout],
    mirrors: &'a FixedMap<ObjRef, Mirror>,
    keepers: &'a [ObjRef],
    references: Option<ReferenceOffsets>,
}

impl Marker {
    pub(super) fn new(arena_len: u64) -> Result<Marker, String> {
        Ok(Marker {
            marks: Words::with_bits(arena_len / 8)?,
            stack: Vec::new(),
            pieces: Vec::new(),
            discovered: Vec::new(),
            met: Vec::new(),
            clear_soft: false,
            discovering: true,
            live_bytes: 0,
            live_objects: 0,
        })
    }

    #[inline(always)]
    fn reach(&mut self, o: ObjRef) {
        if !o.is_null() && self.marks.insert(u64::from(o.0)) {
            self.stack.push(o);
        }
    }

    /// Follows everything reached until nothing is left.
    fn drain(&mut self, world: &World, lines: &mut Words) {
        let mut queue = [ObjRef::NULL; AHEAD];
        let (mut head, mut waiting) = (0, 0);
        loop {
            while waiting < AHEAD
                && let Some(o) = self.stack.pop()
            {
                world.arena.prefetch(offset(o));
                queue[(head + waiting) % AHEAD] = o;
                waiting += 1;
            }
            if waiting > 0 {
                self.scan(queue[head], world, lines);
                head = (head + 1) % AHEAD;
                waiting -= 1;
            } else if let Some((array, from)) = self.pieces.pop() {
                self.scan_elements(array, from, world);
            } else {
                return;
            }
        }
    }

    #[inline]
    fn scan(&mut self, o: ObjRef, world: &World, lines: &mut Words) {
        let at = offset(o);
        let class: u32 = world.arena.load(at);
        if let Some(&keeper) = world.keepers.get(class as usize) {
            self.reach(keeper);
        }
        let size = match world.layouts.get(class as usize) {
            Some(Layout::Instance { size, refs }) => {
                self.scan_fields(at, refs, world);
                u64::from(*size)
            }
            Some(Layout::PrimArray { log2 }) => array_size(at, *log2, world),
            Some(Layout::RefArray) => {
                self.scan_elements(o, 0, world);
                array_size(at, 2, world)
            }
            Some(Layout::Reference { size, refs, strength }) => {
                self.scan_fields(at, refs, world);
                self.scan_referent(o, *strength, world);
                u64::from(*size)
            }
            Some(Layout::Mirror { size, refs }) => {
                self.scan_fields(at, refs, world);
                self.scan_statics(o, world).unwrap_or(u64::from(*size))
            }
            Some(Layout::None) | None => {
                let size = self.scan_statics(o, world);
                debug_assert!(size.is_some(), "{o:?} is of class {class}, which has no layout");
                size.unwrap_or(8)
            }
        };
        let size = size.next_multiple_of(8);
        self.live_bytes += size;
        self.live_objects += 1;
        lines.set_range(at / LINE, (at + size - 1) / LINE);
    }

    #[inline(always)]
    fn scan_fields(&mut self, at: u64, refs: &[u32], world: &World) {
        for &off in refs {
            self.reach(world.arena.load(at + u64::from(off)));
        }
    }

    fn scan_elements(&mut self, array: ObjRef, from: u32, world: &World) {
        let at = offset(array);
        let len: u32 = world.arena.load(at + u64::from(ARRAY_LENGTH));
        let to = len.min(from.saturating_add(PIECE));
        if to < len {
            self.pieces.push((array, to));
        }
        let first = at + u64::from(ELEMENTS) + u64::from(from) * 4;
        for &element in world.arena.slice::<ObjRef>(first, (to - from) as usize) {
            self.reach(element);
        }
    }

    /// Follows a mirror's static fields and gives its size, if it is a mirror.
    fn scan_statics(&mut self, mirror: ObjRef, world: &World) -> Option<u64> {
        let Mirror {
            size,
            static_refs,
            mortal,
        } = world.mirrors.get(&mirror)?;
        if *mortal {
            self.met.push(mirror);
        }
        self.scan_fields(offset(mirror), static_refs, world);
        Some(u64::from(*size))
    }

    fn scan_referent(&mut self, reference: ObjRef, strength: Strength, world: &World) {
        let Some(offsets) = world.references else { return };
        let at = offset(reference);
        let referent: ObjRef = world.arena.load(at + u64::from(offsets.referent));
        if referent.is_null() || self.marks.get(u64::from(referent.0)) {
            return;
        }
        let next: ObjRef = world.arena.load(at + u64::from(offsets.next));
        let strong = strength == Strength::Soft && !self.clear_soft;
        if strong || !next.is_null() || !self.discovering {
            self.reach(referent);
        } else {
            self.discovered.push(Discovered { reference, strength });
        }
    }
}

fn array_size(at: u64, log2: u8, world: &World) -> u64 {
    let len: u32 = world.arena.load(at + u64::from(ARRAY_LENGTH));
    u64::from(ELEMENTS) + (u64::from(len) << log2)
}

impl Heap {
    /// Starts a collection: nothing is marked but the mirrors of classes that stay.
    pub fn begin_collection(&mut self) {
        self.drop_holes();
        let words = (LINES_PER_BLOCK / 64) as usize;
        let mut from = 0;
        while let Some(block) = self.used.next(from) {
            from = block + 1;
            self.lines.some_mut(block as usize * words, words).fill(0);
        }
        self.marker.discovering = true;
        (self.marker.live_bytes, self.marker.live_objects) = (0, 0);
        for &mirror in &self.mirror_order {
            self.marker.reach(mirror);
        }
    }

    /// Adds roots; anything in `roots` that is not an object is skipped.
    pub fn mark_roots(&mut self, roots: &[ObjRef]) {
        for &root in roots {
            if self.is_object(root) {
                self.marker.reach(root);
            }
        }
    }

    /// Marks all that the roots reach. Soft referents are kept unless `clear_soft`.
    pub fn trace(&mut self, clear_soft: bool) {
        self.marker.clear_soft = clear_soft;
        self.drain_marker();
    }

    /// Marks all that roots reach which were added since.
    pub fn trace_on(&mut self) {
        self.drain_marker();
    }

    /// The mirrors of mortal classes that were reached since this was last asked.
    pub fn take_met(&mut self) -> Vec<ObjRef> {
        std::mem::take(&mut self.marker.met)
    }

    /// Whether the object was reached in this collection; valid until `sweep`.
    #[inline]
    pub fn is_marked(&self, o: ObjRef) -> bool {
        self.marker.marks.get(u64::from(o.0))
    }

    /// Keeps an object alive that was found unreachable, and all it reaches.
    pub(super) fn revive(&mut self, objects: &[ObjRef]) {
        for &o in objects {
            self.marker.reach(o);
        }
        self.drain_marker();
    }

    fn drain_marker(&mut self) {
        let world = World {
            arena: &self.arena,
            layouts: &self.layouts,
            mirrors: &self.mirrors,
            keepers: &self.keepers,
            references: self.references,
        };
        self.marker.drain(&world, &mut self.lines);
    }
}
