//! Native memory: what the guest gets from `Unsafe.allocateMemory`, direct buffers and mapped files.
//!
//! All of it lies in one reserved range at a fixed place, so that addresses are the same in every run and a stray
//! address is found by comparing it with the range instead of crashing the process. Nothing in here is scanned
//! by the collector.
#![expect(
    unsafe_code,
    reason = "native memory is addressed by number; this is its room"
)]

use crate::errno::{Errno, SysResult};
use crate::fork::{Copied, Inode};
use crate::sys;
use poldet_base::sym::FixedMap;
use std::collections::BTreeMap;

/// Where the range should start: far from where the kernel places anything by itself.
const PREFERRED_BASE: u64 = 0x6000_0000_0000;
/// Reserved, not used: untouched pages cost nothing.
const RESERVE: u64 = 64 << 30;
const SMALLEST_RESERVE: u64 = 256 << 20;
const PAGE: u64 = 4096;
/// Freed blocks from this size on give their pages back.
const LARGE: u64 = 1 << 20;

/// How a file is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMode {
    ReadOnly,
    ReadWrite,
    /// Writes stay in memory.
    Private,
}

pub struct Memory {
    base: u64,
    len: u64,
    /// Blocks grow upwards from the base …
    next: u64,
    /// … and file mappings downwards from the end.
    maps: u64,
    /// Sizes of the blocks in use, by address.
    live: FixedMap<u64, u64>,
    /// Free blocks by size, each list used as a stack.
    free: BTreeMap<u64, Vec<u64>>,
    free_maps: BTreeMap<u64, Vec<u64>>,
    /// Ranges outside the reserve that may be read (start, end), such as the mapped class library image.
    readable: Vec<(u64, u64)>,
    /// Mappings that are one with their file, by address.
    shared: BTreeMap<u64, Shared>,
    used: u64,
}

/// A mapping that is one with its file.
#[derive(Debug)]
struct Shared {
    size: u64,
    file: Inode,
    offset: i64,
    writable: bool,
}

impl Memory {
    pub fn new() -> Memory {
        let (base, len) = reserve();
        super::fault::watch(base, base + len);
        Memory {
            base,
            len,
            // The first page stays unused: a small offset from null is then never a good address by chance.
            next: base + PAGE,
            maps: base + len,
            live: FixedMap::default(),
            free: BTreeMap::new(),
            free_maps: BTreeMap::new(),
            readable: Vec::new(),
            shared: BTreeMap::new(),
            used: 0,
        }
    }

    /// Bytes in use by the guest.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// A block of so many bytes (16-aligned, contents undefined); `None` when there is no room.
    pub fn alloc(&mut self, size: u64) -> Option<u64> {
        let size = block_size(size)?;
        let addr = match self.free.get_mut(&size).and_then(Vec::pop) {
            Some(addr) => addr,
            None => {
                let start = if size >= PAGE {
                    self.next.next_multiple_of(PAGE)
                } else {
                    self.next
                };
                let end = start.checked_add(size)?;
                if end > self.maps {
                    return None;
                }
                self.next = end;
                start
            }
        };
        self.live.insert(addr, size);
        self.used += size;
        Some(addr)
    }

    /// Gives a block back; an address that is none is ignored.
    pub fn free(&mut self, addr: u64) {
        let Some(size) = self.live.remove(&addr) else {
            return;
        };
        self.used -= size;
        if size >= LARGE {
            // SAFETY: the block lies inside our own anonymous mapping and nobody uses it any more.
            unsafe { libc::madvise(addr as *mut libc::c_void, size as usize, libc::MADV_DONTNEED) };
        }
        self.free.entry(size).or_default().push(addr);
    }

    /// A block of the new size with the old contents; the old block is gone. Address 0 means none yet.
    pub fn realloc(&mut self, addr: u64, size: u64) -> Option<u64> {
        let old = if addr == 0 { 0 } else { *self.live.get(&addr)? };
        if old != 0 && block_size(size)? == old {
            return Some(addr);
        }
        let new = self.alloc(size)?;
        if old != 0 {
            self.copy(addr, new, old.min(size));
            self.free(addr);
        }
        Some(new)
    }

    /// Lets the guest read a range that the VM itself has mapped for good.
    pub fn allow_reading(&mut self, bytes: &'static [u8]) -> u64 {
        let start = bytes.as_ptr() as u64;
        let range = (start, start + bytes.len() as u64);
        if !self.readable.contains(&range) {
            self.readable.push(range);
        }
        start
    }

    #[inline]
    fn owns(&self, addr: u64, len: u64) -> bool {
        let offset = addr.wrapping_sub(self.base);
        offset <= self.len && len <= self.len - offset
    }

    #[inline]
    fn may_read(&self, addr: u64, len: u64) -> bool {
        self.owns(addr, len)
            || self
                .readable
                .iter()
                .any(|(start, end)| addr >= *start && addr <= *end && len <= end - addr)
    }

    /// The bytes at an address; `None` when they are not the guest's to read.
    #[inline]
    pub fn bytes(&self, addr: u64, len: u64) -> Option<&[u8]> {
        if !self.may_read(addr, len) {
            return None;
        }
        // SAFETY: the range is mapped for reading for as long as `self` lives, and writes need `&mut self`.
        Some(unsafe { std::slice::from_raw_parts(addr as *const u8, len as usize) })
    }

    /// The bytes at an address to write to; `None` when they are not the guest's.
    #[inline]
    pub fn bytes_mut(&mut self, addr: u64, len: u64) -> Option<&mut [u8]> {
        if !self.owns(addr, len) {
            return None;
        }
        // SAFETY: the range lies in our reserve, and `&mut self` is the only way to it.
        Some(unsafe { std::slice::from_raw_parts_mut(addr as *mut u8, len as usize) })
    }

    /// Copies bytes between possibly overlapping ranges; false when one is not the guest's.
    pub fn copy(&mut self, from: u64, to: u64, len: u64) -> bool {
        if !self.may_read(from, len) || !self.owns(to, len) {
            return false;
        }
        // SAFETY: both ranges are mapped, the target is ours to write, and `copy` allows overlap.
        unsafe { std::ptr::copy(from as *const u8, to as *mut u8, len as usize) };
        true
    }

    pub fn fill(&mut self, addr: u64, len: u64, value: u8) -> bool {
        self.bytes_mut(addr, len).map(|b| b.fill(value)).is_some()
    }

    /// Maps a part of a file (`offset` a multiple of the page size) so that it and the file stay one.
    pub fn map_file(&mut self, fd: i32, offset: i64, len: u64, mode: MapMode) -> SysResult<u64> {
        let size = len.max(1).next_multiple_of(PAGE);
        let addr = match self.free_maps.get_mut(&size).and_then(Vec::pop) {
            Some(addr) => addr,
            None => {
                let addr = self
                    .maps
                    .checked_sub(size)
                    .filter(|a| *a >= self.next)
                    .ok_or(Errno::NOMEM)?;
                self.maps = addr;
                addr
            }
        };
        let (prot, flags) = match mode {
            MapMode::ReadOnly => (libc::PROT_READ, libc::MAP_SHARED),
            MapMode::ReadWrite => (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED),
            MapMode::Private => (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE),
        };
        // SAFETY: the target range is a free part of our own reserve, so nothing else is mapped over.
        let got = unsafe {
            libc::mmap(
                addr as *mut libc::c_void,
                size as usize,
                prot,
                flags | libc::MAP_FIXED,
                fd,
                offset,
            )
        };
        if got == libc::MAP_FAILED {
            let error = Errno::last();
            self.free_maps.entry(size).or_default().push(addr);
            return Err(error);
        }
        if mode != MapMode::Private {
            let stat = sys::fstat(fd)?;
            let shared = Shared {
                size,
                file: (stat.dev, stat.ino),
                offset,
                writable: mode == MapMode::ReadWrite,
            };
            self.shared.insert(addr, shared);
        }
        Ok(addr)
    }

    /// In a forked child: shared mappings become one with the child's own copies of the files. What is
    /// mapped of a file that has no name any more stays in memory only.
    pub(super) fn after_fork(&mut self, copied: &Copied) -> SysResult<()> {
        for (&addr, shared) in &mut self.shared {
            let Some(path) = copied.path(shared.file) else {
                if shared.writable {
                    // SAFETY: the range is one of our own mappings, and nothing refers into it.
                    unsafe { make_private(addr, shared.size)? };
                }
                continue;
            };
            let flags = if shared.writable {
                libc::O_RDWR
            } else {
                libc::O_RDONLY
            };
            let fd = sys::open(path, flags, 0)?;
            let write = if shared.writable { libc::PROT_WRITE } else { 0 };
            // SAFETY: the range is one of our own mappings, and its contents do not change.
            let got = unsafe {
                libc::mmap(
                    addr as *mut libc::c_void,
                    shared.size as usize,
                    libc::PROT_READ | write,
                    libc::MAP_SHARED | libc::MAP_FIXED,
                    fd,
                    shared.offset,
                )
            };
            let failed = (got == libc::MAP_FAILED).then(Errno::last);
            sys::close(fd)?;
            if let Some(error) = failed {
                return Err(error);
            }
            shared.file = copied.inode(shared.file);
        }
        Ok(())
    }

    /// Undoes `map_file`.
    pub fn unmap_file(&mut self, addr: u64, len: u64) -> SysResult<()> {
        let size = len.max(1).next_multiple_of(PAGE);
        if !self.owns(addr, size) || addr < self.maps || !addr.is_multiple_of(PAGE) {
            return Err(Errno::INVAL);
        }
        // SAFETY: the range is one of our file mappings; it becomes an untouched part of the reserve again.
        unsafe { map_reserve(addr, size, libc::MAP_FIXED) }.ok_or(Errno::NOMEM)?;
        self.shared.remove(&addr);
        self.free_maps.entry(size).or_default().push(addr);
        Ok(())
    }

    /// Writes a file mapping's changes to disk.
    pub fn sync(&self, addr: u64, len: u64) -> SysResult<()> {
        let start = addr - addr % PAGE;
        if !self.owns(start, len) {
            return Err(Errno::INVAL);
        }
        // SAFETY: the range is inside our reserve; syncing changes no memory.
        let result = unsafe {
            libc::msync(
                start as *mut libc::c_void,
                (len + addr % PAGE) as usize,
                libc::MS_SYNC,
            )
        };
        if result < 0 { Err(Errno::last()) } else { Ok(()) }
    }
}

macro_rules! access {
    ($load:ident, $store:ident, $type:ty) => {
        /// Reads at an address (any alignment); `None` when it is not the guest's.
        #[inline]
        pub fn $load(&self, addr: u64) -> Option<$type> {
            if !self.may_read(addr, size_of::<$type>() as u64) {
                return None;
            }
            // SAFETY: the range is mapped for reading; every bit pattern is a value.
            Some(unsafe { (addr as *const $type).read_unaligned() })
        }

        /// Writes at an address (any alignment); false when it is not the guest's.
        #[inline]
        pub fn $store(&mut self, addr: u64, value: $type) -> bool {
            if !self.owns(addr, size_of::<$type>() as u64) {
                return false;
            }
            // SAFETY: the range lies in our reserve, and `&mut self` is the only way to it.
            unsafe { (addr as *mut $type).write_unaligned(value) };
            true
        }
    };
}

impl Memory {
    access!(load_u8, store_u8, u8);
    access!(load_u16, store_u16, u16);
    access!(load_u32, store_u32, u32);
    access!(load_u64, store_u64, u64);
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the whole range is ours; no reference into it outlives `self`.
        unsafe { libc::munmap(self.base as *mut libc::c_void, self.len as usize) };
    }
}

/// The size a request is rounded up to, so that freed blocks fit later requests: multiples of 16, then four steps
/// to each power of two.
fn block_size(size: u64) -> Option<u64> {
    if size > RESERVE {
        return None;
    }
    if size <= 1024 {
        return Some(size.max(1).next_multiple_of(16));
    }
    let step = size.next_power_of_two() / 8;
    Some(size.next_multiple_of(step))
}

/// Maps untouched, zeroed memory.
///
/// # Safety
/// With `MAP_FIXED` among the flags the range must be the caller's own.
unsafe fn map_reserve(at: u64, len: u64, flags: i32) -> Option<u64> {
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let prot = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, or by the caller's word one over its own range.
    let got = unsafe { libc::mmap(at as *mut libc::c_void, len as usize, prot, flags, -1, 0) };
    if got == libc::MAP_FAILED {
        None
    } else {
        Some(got as u64)
    }
}

/// Makes a shared mapping anonymous memory with the same contents.
///
/// # Safety
/// The range must be the caller's own, and nothing may refer into it.
unsafe fn make_private(at: u64, len: u64) -> SysResult<()> {
    // SAFETY: the range is mapped for reading, and the slice is gone before the mapping is.
    let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, len as usize) }.to_vec();
    // SAFETY: by the caller's word the range may be mapped over.
    unsafe { map_reserve(at, len, libc::MAP_FIXED) }.ok_or(Errno::NOMEM)?;
    // SAFETY: the range was just mapped for writing.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
    Ok(())
}

/// Reserves the range: at the preferred place, else anywhere, else smaller.
fn reserve() -> (u64, u64) {
    let mut len = RESERVE;
    loop {
        // SAFETY: neither call replaces an existing mapping.
        let got = unsafe {
            map_reserve(PREFERRED_BASE, len, libc::MAP_FIXED_NOREPLACE).or_else(|| map_reserve(0, len, 0))
        };
        match got {
            Some(base) => return (base, len),
            None if len > SMALLEST_RESERVE => len /= 2,
            // Without memory every allocation fails, which the guest sees as an OutOfMemoryError.
            None => return (PAGE, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_strays_are_refused() {
        let mut memory = Memory::new();
        let a = memory.alloc(100).unwrap();
        assert!(memory.store_u64(a, 0x0102_0304_0506_0708));
        assert_eq!(memory.load_u16(a + 1), Some(0x0607));
        memory.free(a);
        assert_eq!(memory.alloc(97), Some(a));
        assert_eq!(memory.load_u8(16), None);
        assert_eq!(memory.load_u64(u64::MAX - 3), None);
        assert!(!memory.store_u8(0, 1));
    }

    #[test]
    fn realloc_keeps_the_contents() {
        let mut memory = Memory::new();
        let a = memory.alloc(8).unwrap();
        memory.store_u64(a, 42);
        let b = memory.realloc(a, 10 << 20).unwrap();
        assert_ne!(a, b);
        assert_eq!(memory.load_u64(b), Some(42));
        memory.free(b);
        assert_eq!(memory.used(), 0);
        assert_eq!(memory.alloc(RESERVE * 2), None);
    }

    #[test]
    fn a_mapped_file_and_the_file_are_one() {
        let path = std::env::temp_dir().join(format!("poldet-map-{}", std::process::id()));
        std::fs::write(&path, b"hello").unwrap();
        let fd = crate::sys::open(path.as_os_str().as_encoded_bytes(), libc::O_RDWR, 0).unwrap();
        let mut memory = Memory::new();
        let at = memory.map_file(fd, 0, 5, MapMode::ReadWrite).unwrap();
        memory.bytes_mut(at, 1).unwrap()[0] = b'j';
        memory.sync(at, 5).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"jello");
        memory.unmap_file(at, 5).unwrap();
        assert_eq!(memory.load_u8(at), Some(0));
        crate::sys::close(fd).unwrap();
        std::fs::remove_file(&path).unwrap();
    }
}
