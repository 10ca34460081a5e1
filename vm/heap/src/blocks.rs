//! Sets of blocks: one bit per 32 KiB of the arena, searched lowest address first so that runs repeat exactly.

/// A set of block numbers below a fixed bound.
pub(super) struct BlockSet {
    words: Vec<u64>,
    blocks: u32,
    count: u32,
    /// No block below this one is absent.
    first_absent: u32,
    /// No block below this one is present.
    first_present: u32,
}

impl BlockSet {
    pub(super) fn new(blocks: u32) -> BlockSet {
        let words = vec![0; blocks.div_ceil(64) as usize];
        BlockSet {
            words,
            blocks,
            count: 0,
            first_absent: 0,
            first_present: blocks,
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    #[inline]
    pub(super) fn contains(&self, block: u32) -> bool {
        self.words[(block >> 6) as usize] >> (block & 63) & 1 != 0
    }

    /// Adds a block and says whether it was absent.
    pub(super) fn insert(&mut self, block: u32) -> bool {
        let (word, bit) = (&mut self.words[(block >> 6) as usize], 1u64 << (block & 63));
        let fresh = *word & bit == 0;
        *word |= bit;
        self.count += u32::from(fresh);
        self.first_present = self.first_present.min(block);
        if self.first_absent == block {
            self.first_absent = block + 1;
        }
        fresh
    }

    /// Removes a block and says whether it was present.
    pub(super) fn remove(&mut self, block: u32) -> bool {
        let (word, bit) = (&mut self.words[(block >> 6) as usize], 1u64 << (block & 63));
        let present = *word & bit != 0;
        *word &= !bit;
        self.count -= u32::from(present);
        self.first_absent = self.first_absent.min(block);
        if self.first_present == block {
            self.first_present = block + 1;
        }
        present
    }

    pub(super) fn clear(&mut self) {
        if self.count > 0 {
            self.words.fill(0);
        }
        (self.count, self.first_absent, self.first_present) = (0, 0, self.blocks);
    }

    /// The lowest block of the set at or after `from`.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        self.scan(from.max(self.first_present), 0)
    }

    /// Takes the lowest block out of the set.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let block = self.next(0)?;
        self.first_present = block;
        self.remove(block);
        Some(block)
    }

    /// The first of the lowest `len` blocks in a row that are all absent.
    pub(super) fn absent_run(&mut self, len: u32) -> Option<u32> {
        let mut start = self.scan(self.first_absent, !0)?;
        self.first_absent = start;
        loop {
            if u64::from(start) + u64::from(len) > u64::from(self.blocks) {
                return None;
            }
            match self.scan(start, 0) {
                Some(end) if end - start < len => start = self.scan(end, !0)?,
                _ => return Some(start),
            }
        }
    }

    /// The first block at or after `from` whose bit differs from the bits of `skip` (all clear or all set).
    fn scan(&self, from: u32, skip: u64) -> Option<u32> {
        if from >= self.blocks {
            return None;
        }
        let mut index = (from >> 6) as usize;
        let mut word = (self.words[index] ^ skip) & (!0 << (from & 63));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)? ^ skip;
        }
        let block = index as u32 * 64 + word.trailing_zeros();
        (block < self.blocks).then_some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::BlockSet;

    #[test]
    fn finds_lowest_blocks_and_runs() {
        let mut set = BlockSet::new(200);
        assert_eq!(set.absent_run(200), Some(0));
        assert_eq!(set.absent_run(201), None);
        for block in [0, 1, 5, 70, 130] {
            assert!(set.insert(block));
        }
        assert!(!set.insert(5));
        assert_eq!(set.absent_run(1), Some(2));
        assert_eq!(set.absent_run(3), Some(2));
        assert_eq!(set.absent_run(4), Some(6));
        assert_eq!(set.absent_run(65), None.or(Some(131)));
        assert_eq!(set.absent_run(70), None);
        assert_eq!(set.next(6), Some(70));
        assert_eq!((set.pop(), set.pop(), set.pop()), (Some(0), Some(1), Some(5)));
        assert_eq!(set.count(), 2);
        assert_eq!(set.absent_run(70), Some(0));
        assert!(set.remove(70) && !set.remove(70));
        assert_eq!(set.next(0), Some(130));
        set.clear();
        assert_eq!(set.next(0), None);
    }
}
