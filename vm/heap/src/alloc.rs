//! Allocation: bump through a hole, a run of free lines.
//!
//! Holes of partly used blocks are filled before free blocks, both lowest address first. An object of more than a
//! line that does not fit the current hole goes to the overflow block instead of wasting the hole. An object of more
//! than half a block takes whole blocks, of which the unused lines at the end are handed out as holes again.

use super::{ARRAY_LENGTH, BLOCK, ELEMENTS, Full, Heap, LINE, LINES_PER_BLOCK, Layout};
use poldet_base::ids::{ClassId, ObjRef};

/// Objects above this size take whole blocks.
const MEDIUM: u64 = BLOCK / 2;
/// Allocations below this size may use the slack beyond the limit.
const SMALL: u64 = 64 * 1024;

/// A zeroed range of the arena that objects are placed in.
#[derive(Clone, Copy, Default)]
pub(super) struct Hole {
    cursor: u64,
    end: u64,
}

impl Hole {
    #[inline(always)]
    pub(super) fn room(self) -> u64 {
        self.end - self.cursor
    }

    #[inline(always)]
    fn take(&mut self, size: u64) -> Option<u64> {
        if size > self.room() {
            return None;
        }
        let at = self.cursor;
        self.cursor += size;
        Some(at)
    }
}

impl Heap {
    /// A zeroed object of `size` bytes, header included.
    #[inline]
    pub fn alloc_object(&mut self, class: ClassId, size: u32) -> Result<ObjRef, Full> {
        debug_assert!(
            size >= 8 && self.layout_allows(class, size),
            "{class:?} is not of {size} bytes"
        );
        let at = self.place((u64::from(size) + 7) & !7)?;
        self.arena.store(at, u64::from(class.0));
        Ok(ObjRef((at >> 3) as u32))
    }

    /// A zeroed array of `len` elements of `1 << log2` bytes.
    #[inline]
    pub fn alloc_array(&mut self, class: ClassId, log2: u8, len: u32) -> Result<ObjRef, Full> {
        let size = (u64::from(ELEMENTS) + (u64::from(len) << log2) + 7) & !7;
        let at = self.place(size)?;
        self.arena.store(at, u64::from(class.0));
        self.arena.store(at + u64::from(ARRAY_LENGTH), len);
        Ok(ObjRef((at >> 3) as u32))
    }

    /// A mirror of `total_size` bytes; `set_mirror` says later which of them are static references.
    pub fn alloc_mirror(&mut self, class_class: ClassId, total_size: u32) -> Result<ObjRef, Full> {
        let mirror = self.alloc_object(class_class, total_size)?;
        self.set_mirror(mirror, total_size, Box::default());
        Ok(mirror)
    }

    #[inline(always)]
    fn place(&mut self, size: u64) -> Result<u64, Full> {
        let at = match self.hole.take(size) {
            Some(at) => at,
            None => self.place_slow(size)?,
        };
        self.starts.set(at >> 3);
        Ok(at)
    }

    #[cold]
    #[inline(never)]
    fn place_slow(&mut self, size: u64) -> Result<u64, Full> {
        if size > MEDIUM {
            return self.place_large(size);
        }
        if size > LINE {
            return self.place_medium(size);
        }
        loop {
            match self.next_hole(size) {
                Ok(hole) => self.hole = hole,
                // The last free lines may be those kept for medium objects.
                Err(full) => return self.overflow.take(size).ok_or(full),
            }
            if let Some(at) = self.hole.take(size) {
                return Ok(at);
            }
        }
    }

    fn place_medium(&mut self, size: u64) -> Result<u64, Full> {
        if let Some(at) = self.overflow.take(size) {
            return Ok(at);
        }
        let Some(block) = self.free_block() else {
            return self.place_in_hole(size);
        };
        let fresh = self.open_block(block, size)?;
        self.close_overflow();
        self.overflow = fresh;
        self.overflow.take(size).ok_or(Full { bytes: size })
    }

    /// Counts `bytes` of the arena as handed out for a request of `size` bytes, if the limit allows.
    fn grant(&mut self, bytes: u64, size: u64) -> Result<(), Full> {
        let limit = if size < SMALL {
            self.max + self.slack
        } else {
            self.max
        };
        if self.granted + bytes > limit {
            return Err(Full { bytes: size });
        }
        self.granted += bytes;
        Ok(())
    }

    /// The next range for small objects: a hole in a partly used block, or else a free block.
    fn next_hole(&mut self, size: u64) -> Result<Hole, Full> {
        loop {
            if let Some((block, line)) = self.recycling {
                if let Some((first, end)) = self.free_lines(block, line) {
                    let (cursor, end_at) = (line_start(block, first), line_start(block, end));
                    self.grant(end_at - cursor, size)?;
                    self.recycling = Some((block, end));
                    self.clean(block, cursor, end_at);
                    return Ok(Hole { cursor, end: end_at });
                }
                self.recycling = None;
            }
            if let Some(block) = self.recyclable.pop() {
                self.recycling = Some((block, 0));
                continue;
            }
            let block = self.free_block().ok_or(Full { bytes: size })?;
            return self.open_block(block, size);
        }
    }

    /// A free block for small and medium objects.
    fn free_block(&mut self) -> Option<u32> {
        self.used.absent_run(1).filter(|block| *block < self.shared)
    }

    /// The first run of free lines in `block` at or after `line`: its first line and the one after its last.
    fn free_lines(&self, block: u32, line: u64) -> Option<(u64, u64)> {
        let words = (LINES_PER_BLOCK / 64) as usize;
        let lines = self.lines.some(block as usize * words, words);
        let first = find_line(lines, line, !0)?;
        Some((first, find_line(lines, first, 0).unwrap_or(LINES_PER_BLOCK)))
    }

    /// Makes a free block one hole.
    fn open_block(&mut self, block: u32, size: u64) -> Result<Hole, Full> {
        self.grant(BLOCK, size)?;
        let cursor = u64::from(block) * BLOCK;
        self.claim(block, BLOCK);
        Ok(Hole {
            cursor,
            end: cursor + BLOCK,
        })
    }

    /// Takes a free block into use and zeroes its first `bytes` bytes if they need it.
    fn claim(&mut self, block: u32, bytes: u64) {
        self.used.insert(block);
        if self.dirty.contains(block) {
            self.free_dirty -= 1;
            self.arena.zero(u64::from(block) * BLOCK, bytes);
            if bytes == BLOCK {
                self.dirty.remove(block);
            }
        }
    }

    fn clean(&mut self, block: u32, from: u64, to: u64) {
        if self.dirty.contains(block) {
            self.arena.zero(from, to - from);
        }
    }

    /// Gives the unused lines of the overflow block to small objects.
    fn close_overflow(&mut self) {
        let Hole { cursor, end } = self.overflow;
        self.overflow = Hole::default();
        let unused = end.saturating_sub(cursor.next_multiple_of(LINE));
        if unused > 0 {
            let block = (cursor / BLOCK) as u32;
            self.lines
                .set_range(u64::from(block) * LINES_PER_BLOCK, (end - unused - 1) / LINE);
            self.recyclable.insert(block);
            self.granted -= unused;
        }
    }

    /// The last resort for a medium object when no block is free: any hole that is long enough.
    /// The search goes on where the last one ended, or a heap full of small holes would be searched for every object.
    fn place_in_hole(&mut self, size: u64) -> Result<u64, Full> {
        let start = self.searched;
        match self.place_in_hole_between(start, u32::MAX, size)? {
            Some(at) => Ok(at),
            None => self
                .place_in_hole_between(0, start, size)?
                .ok_or(Full { bytes: size }),
        }
    }

    fn place_in_hole_between(&mut self, start: u32, end: u32, size: u64) -> Result<Option<u64>, Full> {
        let needed = size.div_ceil(LINE);
        let mut from = start;
        while let Some(block) = self.recyclable.next(from)
            && block < end
        {
            self.searched = block;
            from = block + 1;
            let mut line = 0;
            while let Some((first, end)) = self.free_lines(block, line) {
                line = end;
                if end - first >= needed {
                    self.grant(needed * LINE, size)?;
                    let at = line_start(block, first);
                    self.lines.set_range(at / LINE, at / LINE + needed - 1);
                    self.clean(block, at, at + needed * LINE);
                    return Ok(Some(at));
                }
            }
        }
        Ok(None)
    }

    fn place_large(&mut self, size: u64) -> Result<u64, Full> {
        let full = Full { bytes: size };
        let blocks = u32::try_from(size.div_ceil(BLOCK)).map_err(|_| full)?;
        let first = self.used.absent_run(blocks).ok_or(full)?;
        self.grant(size.next_multiple_of(LINE), size)?;
        let start = u64::from(first) * BLOCK;
        for block in first..first + blocks {
            let bytes = (start + size - u64::from(block) * BLOCK).min(BLOCK);
            self.claim(block, bytes);
            if block != first && bytes == BLOCK {
                self.interior.insert(block);
            }
        }
        let last = first + blocks - 1;
        let tail = (start + size).next_multiple_of(LINE);
        if last < self.shared && tail < (u64::from(last) + 1) * BLOCK {
            self.lines
                .set_range(u64::from(last) * LINES_PER_BLOCK, tail / LINE - 1);
            self.recyclable.insert(last);
        }
        if self.committed() > self.max {
            self.release_free(0);
        }
        Ok(start)
    }

    /// Whether objects of this class have this size, as far as is known: the collector would take another one's lines.
    fn layout_allows(&self, class: ClassId, bytes: u32) -> bool {
        match self.layouts.get(class.index()) {
            Some(Layout::Instance { size, .. } | Layout::Reference { size, .. }) => {
                size.next_multiple_of(8) == bytes.next_multiple_of(8)
            }
            Some(Layout::RefArray | Layout::PrimArray { .. }) => false,
            // A mirror may be made before its class is known.
            Some(Layout::Mirror { .. } | Layout::None) | None => true,
        }
    }

    /// Forgets all holes: at a collection, which finds them anew.
    pub(super) fn drop_holes(&mut self) {
        self.hole = Hole::default();
        self.overflow = Hole::default();
        self.recycling = None;
        self.recyclable.clear();
        self.searched = 0;
    }
}

fn line_start(block: u32, line: u64) -> u64 {
    u64::from(block) * BLOCK + line * LINE
}

/// The first line at or after `from` whose bit differs from the bits of `skip` (all clear or all set).
fn find_line(words: &[u64], from: u64, skip: u64) -> Option<u64> {
    let mut index = (from >> 6) as usize;
    let mut word = (words.get(index)? ^ skip) & (!0 << (from & 63));
    while word == 0 {
        index += 1;
        word = words.get(index)? ^ skip;
    }
    Some(index as u64 * 64 + u64::from(word.trailing_zeros()))
}
