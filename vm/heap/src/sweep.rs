//! Sweeping: blocks without a marked line become free, blocks with some become recyclable.
//!
//! Only blocks in use are swept, and only their line bits. The mark bits become the new object-start bits by
//! exchanging the two bitmaps; the old one is cleared for the next collection.

use super::{BLOCK, Heap, LINES_PER_BLOCK};

/// Free memory is given back in runs of at least this many blocks; shorter ones are not worth the system call.
const RELEASE_RUN: u32 = 8;

/// What a collection found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GcStats {
    pub live_bytes: u64,
    pub live_objects: u64,
    pub freed_bytes: u64,
    /// Blocks in use before and after.
    pub blocks_before: u32,
    pub blocks_after: u32,
}

impl Heap {
    /// Ends a collection: frees everything not marked.
    pub fn sweep(&mut self) -> GcStats {
        self.reads.forget_whole();
        let blocks_before = self.used.count() - 1;
        std::mem::swap(&mut self.starts, &mut self.marker.marks);
        let mut from = 1;
        while let Some(block) = self.used.next(from) {
            from = block + 1;
            self.sweep_block(block);
        }
        self.rewatch_slots();
        let stats = GcStats {
            live_bytes: self.marker.live_bytes,
            live_objects: self.marker.live_objects,
            freed_bytes: self.granted.saturating_sub(self.marker.live_bytes),
            blocks_before,
            blocks_after: self.used.count() - 1,
        };
        self.live = stats.live_bytes;
        self.granted = stats.live_bytes;
        self.set_trigger();
        // Giving a page back and faulting it in again costs many times what zeroing it does, so only memory that
        // was idle for several collections goes; the recent peak fades by an eighth each time.
        self.peak = blocks_before.max(self.peak - self.peak / 8);
        self.release_free(self.peak - stats.blocks_after);
        stats
    }

    fn sweep_block(&mut self, block: u32) {
        let words = (LINES_PER_BLOCK / 64) as usize;
        let lines = self.lines.some(block as usize * words, words);
        let (empty, full) = (
            lines.iter().all(|&word| word == 0),
            lines.iter().all(|&word| word == !0),
        );
        if !self.interior.contains(block) {
            let bits = (BLOCK / 8 / 64) as usize;
            self.marker.marks.some_mut(block as usize * bits, bits).fill(0);
        }
        self.sweep_watched(block);
        self.dirty.insert(block);
        if empty {
            self.used.remove(block);
            self.interior.remove(block);
            self.free_dirty += 1;
        } else if !full && block < self.shared {
            self.recyclable.insert(block);
        }
    }

    /// Gives the memory of free blocks back to the system, except for the lowest `keep` ones.
    pub(super) fn release_free(&mut self, keep: u32) {
        let mut kept = 0;
        let mut from = 0;
        while self.free_dirty > keep
            && let Some(block) = self.dirty.next(from)
        {
            from = block + 1;
            if self.used.contains(block) {
                continue;
            }
            kept += 1;
            if kept <= keep {
                continue;
            }
            let mut end = block + 1;
            while self.dirty.next(end) == Some(end) && !self.used.contains(end) {
                end += 1;
            }
            from = end;
            if end - block >= RELEASE_RUN
                && self
                    .arena
                    .release(u64::from(block) * BLOCK, u64::from(end - block) * BLOCK)
            {
                for released in block..end {
                    self.dirty.remove(released);
                }
                self.free_dirty -= end - block;
            }
        }
    }
}
