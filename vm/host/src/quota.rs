//! How much an overlay may hold.

use crate::errno::{Errno, SysResult};
use crate::sys;

#[derive(Debug)]
pub(super) struct Quota {
    limit: u64,
    /// Something could not be written.
    pub(super) hit: bool,
    /// What the overlay held when it was last counted, and what was written since.
    counted: u64,
    written: u64,
}

impl Quota {
    pub(super) fn new(limit: u64) -> Quota {
        Quota {
            limit,
            hit: false,
            counted: 0,
            written: 0,
        }
    }

    /// What was written may have been removed or overwritten: files are counted only when it seems too much.
    pub(super) fn charge(&mut self, bytes: u64, upper: &[u8]) -> SysResult<()> {
        self.written = self.written.saturating_add(bytes);
        if self.counted.saturating_add(self.written) <= self.limit {
            return Ok(());
        }
        self.counted = held(upper);
        self.written = bytes;
        match self.counted.saturating_add(bytes) > self.limit {
            true => {
                self.hit = true;
                Err(Errno::NOSPC)
            }
            false => Ok(()),
        }
    }

    pub(super) fn text(&self) -> String {
        format!(
            "the overlay is full: there is room for {} bytes of files at most; --overlay-limit changes that",
            self.limit
        )
    }
}

/// What is below a folder, in bytes of memory or disk.
fn held(folder: &[u8]) -> u64 {
    let mut sum = 0;
    for name in sys::read_dir(folder).unwrap_or_default() {
        let path = [folder, b"/", &name].concat();
        if let Ok(stat) = sys::stat(&path, false) {
            sum += stat.blocks.max(0).cast_unsigned() * 512;
            if stat.is_dir() {
                sum += held(&path);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn what_was_removed_does_not_count() {
        let folder = std::env::temp_dir().join(format!("poldet-quota-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let upper = folder.as_os_str().as_bytes();
        let mut quota = Quota::new(1 << 20);
        for _ in 0..10 {
            assert_eq!(quota.charge(1 << 19, upper), Ok(()));
        }
        std::fs::write(folder.join("file"), vec![1; 1 << 20]).unwrap();
        assert_eq!(quota.charge(1 << 19, upper), Err(Errno::NOSPC));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
