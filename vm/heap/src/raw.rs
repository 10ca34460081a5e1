//! The heap's raw memory: the one place of the heap with `unsafe` code.
//!
//! `Memory` is a zeroed, lazily backed range of addresses. The functions here take byte offsets that the callers
//! derive from object references, and check them only in debug builds: a reference the heap handed out names an
//! object inside the arena for as long as it is reachable, and field offsets come from linked layouts. The mappings
//! are private, so a forked child has its own copy.
#![expect(
    unsafe_code,
    reason = "objects live in one mapped arena and are accessed by offset"
)]

use poldet_base::ids::ObjRef;
use std::ptr;

/// Ranges of at least a huge page begin at one: a fork copies an entry for each page in use, and a huge one needs one for all its 512.
#[cfg(not(miri))]
const HUGE_PAGE: usize = 2 << 20;
#[cfg(not(miri))]
const SMALL_PAGE: usize = 4 << 10;

/// A range of zeroed memory whose pages cost nothing until they are touched.
pub(super) struct Memory {
    base: *mut u8,
    len: u64,
}

// SAFETY: the range is owned by this value alone, like a `Vec`'s buffer.
unsafe impl Send for Memory {}

impl Memory {
    #[cfg(not(miri))]
    pub(super) fn reserve(len: u64) -> Result<Memory, String> {
        let bytes = usize::try_from(len).map_err(|_| format!("cannot address {len} bytes"))?;
        let room = if bytes < HUGE_PAGE { 0 } else { HUGE_PAGE };
        // SAFETY: a fresh anonymous mapping at an address the kernel chooses touches no existing memory.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                bytes + room,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            let why = std::io::Error::last_os_error();
            return Err(format!("cannot reserve {len} bytes of memory: {why}"));
        }
        let start: *mut u8 = start.cast();
        if room == 0 {
            return Ok(Memory { base: start, len });
        }
        let before = start.align_offset(HUGE_PAGE);
        let end = (before + bytes).next_multiple_of(SMALL_PAGE);
        // SAFETY: the parts before and behind the range belong to the mapping, and nobody has seen them. Advice on the range
        // itself changes nothing that a program can see; where there are no huge pages, small ones do.
        unsafe {
            let base = start.add(before);
            if before > 0 {
                libc::munmap(start.cast(), before);
            }
            let mapped = (bytes + room).next_multiple_of(SMALL_PAGE);
            if end < mapped {
                libc::munmap(start.add(end).cast(), mapped - end);
            }
            #[cfg(target_os = "linux")]
            libc::madvise(base.cast(), bytes, libc::MADV_HUGEPAGE);
            Ok(Memory { base, len })
        }
    }

    #[cfg(miri)]
    pub(super) fn reserve(len: u64) -> Result<Memory, String> {
        let layout = miri_layout(len)?;
        // SAFETY: the layout is not empty.
        let base = unsafe { std::alloc::alloc_zeroed(layout) };
        if base.is_null() {
            Err(format!("cannot reserve {len} bytes of memory"))
        } else {
            Ok(Memory { base, len })
        }
    }

    #[inline(always)]
    pub(super) fn base(&self) -> *mut u8 {
        self.base
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    #[inline(always)]
    fn at(&self, at: u64, size: u64) -> *mut u8 {
        debug_assert!(
            at.checked_add(size).is_some_and(|end| end <= self.len),
            "{at}+{size} is outside the memory"
        );
        // SAFETY: offset and size lie inside the range (asserted above; see the file's opening comment).
        unsafe { self.base.add(at as usize) }
    }

    #[inline(always)]
    pub(super) fn load<T: Plain>(&self, at: u64) -> T {
        // SAFETY: `at` checks the range, any bits are a `T`, and the access needs no alignment.
        unsafe { self.at(at, size_of::<T>() as u64).cast::<T>().read_unaligned() }
    }

    #[inline(always)]
    pub(super) fn store<T: Plain>(&mut self, at: u64, value: T) {
        // SAFETY: as for `load`; `&mut self` excludes live slices.
        unsafe {
            self.at(at, size_of::<T>() as u64)
                .cast::<T>()
                .write_unaligned(value)
        }
    }

    /// Sets a byte of a memory that nobody holds a slice of, as is true of the shadow of reads.
    #[inline(always)]
    pub(super) fn set_byte(&self, at: u64, value: u8) {
        // SAFETY: `at` checks the range. The memory is not shared between threads (it is not `Sync`), and slices of the
        // shadow live only while it is searched, during which nothing is logged.
        unsafe { self.at(at, 1).write(value) }
    }

    /// Sets bit `index`, the memory taken as an array of words.
    #[inline(always)]
    pub(super) fn set_bit(&mut self, index: u64) {
        let at = (index >> 6) * 8;
        let word: u64 = self.load(at);
        self.store(at, word | 1 << (index & 63));
    }

    #[inline(always)]
    pub(super) fn slice<T: Plain>(&self, at: u64, len: usize) -> &[T] {
        let start = self.at(at, (len * size_of::<T>()) as u64).cast::<T>();
        debug_assert!(start.is_aligned());
        // SAFETY: `at` checks the range, any bits are a `T`, elements are aligned because arrays start at
        // multiples of 8 and their elements 16 bytes later, and stores need `&mut self`.
        unsafe { std::slice::from_raw_parts(start, len) }
    }

    #[inline(always)]
    pub(super) fn slice_mut<T: Plain>(&mut self, at: u64, len: usize) -> &mut [T] {
        let start = self.at(at, (len * size_of::<T>()) as u64).cast::<T>();
        debug_assert!(start.is_aligned());
        // SAFETY: as for `slice`; the exclusive borrow of the memory makes this the only view of it.
        unsafe { std::slice::from_raw_parts_mut(start, len) }
    }

    /// Copies bytes inside the memory; the ranges may overlap.
    pub(super) fn copy(&mut self, from: u64, to: u64, len: u64) {
        let (source, target) = (self.at(from, len), self.at(to, len));
        // SAFETY: both ranges lie inside the memory, and `ptr::copy` allows overlap.
        unsafe { ptr::copy(source, target, len as usize) }
    }

    pub(super) fn zero(&mut self, at: u64, len: u64) {
        // SAFETY: the range lies inside the memory and zero bytes are plain data.
        unsafe { ptr::write_bytes(self.at(at, len), 0, len as usize) }
    }

    /// Fetches the cache line of an object that will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: u64) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: a prefetch reads nothing that the program can see, wherever it points.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.base.wrapping_add(at as usize).cast());
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        let _ = at;
    }

    /// What is touched for the first time from now on gets small pages.
    pub(super) fn use_small_pages(&self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        // SAFETY: advice on a range of ours changes nothing that a program can see.
        unsafe {
            libc::madvise(self.base.cast(), self.len as usize, libc::MADV_NOHUGEPAGE);
        }
    }

    /// Gives the pages of a page-aligned range back to the system; they read as zero afterwards. `false` when the
    /// system would not, and the contents are as before.
    pub(super) fn release(&mut self, at: u64, len: u64) -> bool {
        let start = self.at(at, len);
        #[cfg(miri)]
        {
            let _ = start;
            self.zero(at, len);
            true
        }
        #[cfg(all(target_os = "linux", not(miri)))]
        // SAFETY: the range is ours, private and anonymous; no slice of it is alive under `&mut self`.
        unsafe {
            libc::madvise(start.cast(), len as usize, libc::MADV_DONTNEED) == 0
        }
        #[cfg(not(any(target_os = "linux", miri)))]
        // SAFETY: maps fresh zero pages over a range that is ours; no slice of it is alive under `&mut self`.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(start.cast(), len as usize, access, flags, -1, 0) != libc::MAP_FAILED
        }
    }
}

#[cfg(miri)]
fn miri_layout(len: u64) -> Result<std::alloc::Layout, String> {
    std::alloc::Layout::from_size_align(len as usize, 4096).map_err(|e| e.to_string())
}

impl Drop for Memory {
    fn drop(&mut self) {
        #[cfg(not(miri))]
        // SAFETY: the range came from `mmap` with this length and nothing refers to it any more.
        unsafe {
            libc::munmap(self.base.cast(), self.len as usize);
        }
        #[cfg(miri)]
        // SAFETY: the range came from the allocator with this layout.
        unsafe {
            std::alloc::dealloc(self.base, miri_layout(self.len).expect("was valid when reserved"));
        }
    }
}

/// Types of which every bit pattern is a value.
///
/// # Safety
/// Only types without padding or invalid values may implement this.
pub(super) unsafe trait Plain: Copy {
    /// The value as the low bytes of a word.
    fn bits(self) -> u64;

    fn is_ref(self) -> bool {
        false
    }
}

macro_rules! plain {
    ($($t:ty: $v:ident => $bits:expr),*) => {
        $(
            // SAFETY: a number.
            unsafe impl Plain for $t {
                #[inline(always)]
                fn bits(self) -> u64 {
                    let $v = self;
                    $bits
                }
            }
        )*
    };
}
plain!(u8: v => u64::from(v), i8: v => u64::from(v as u8), u16: v => u64::from(v), i16: v => u64::from(v as u16),
    u32: v => u64::from(v), i32: v => u64::from(v as u32), u64: v => v, i64: v => v as u64,
    f32: v => u64::from(v.to_bits()), f64: v => v.to_bits());

// SAFETY: a transparent wrapper of a number.
unsafe impl Plain for ObjRef {
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.0)
    }

    #[inline(always)]
    fn is_ref(self) -> bool {
        true
    }
}

/// A lazily backed table of words, used for bitmaps over the arena.
pub(super) struct Words(Memory);

impl Words {
    /// Room for at least `bits` bits, all clear.
    pub(super) fn with_bits(bits: u64) -> Result<Words, String> {
        Ok(Words(Memory::reserve(bits.div_ceil(64).max(1) * 8)?))
    }

    pub(super) fn base(&self) -> *const u64 {
        self.0.base().cast()
    }

    pub(super) fn use_small_pages(&self) {
        self.0.use_small_pages();
    }

    /// `len` words from the one at `first`.
    #[inline(always)]
    pub(super) fn some(&self, first: usize, len: usize) -> &[u64] {
        assert!((first + len) as u64 * 8 <= self.0.len());
        self.0.slice(first as u64 * 8, len)
    }

    #[inline(always)]
    pub(super) fn some_mut(&mut self, first: usize, len: usize) -> &mut [u64] {
        assert!((first + len) as u64 * 8 <= self.0.len());
        self.0.slice_mut(first as u64 * 8, len)
    }

    /// Sets a bit without a bounds check in release builds: the allocation fast path.
    #[inline(always)]
    pub(super) fn set(&mut self, index: u64) {
        self.0.set_bit(index);
    }

    /// The bit, without a bounds check in release builds: the write barrier.
    #[inline(always)]
    pub(super) fn test(&self, index: u64) -> bool {
        self.0.load::<u64>((index >> 6) * 8) >> (index & 63) & 1 != 0
    }

    /// The bit, or `false` beyond the table's end.
    #[inline(always)]
    pub(super) fn get(&self, index: u64) -> bool {
        let at = (index >> 6) * 8;
        at < self.0.len() && self.0.load::<u64>(at) >> (index & 63) & 1 != 0
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, index: u64) {
        let at = (index >> 6) * 8;
        let word: u64 = self.0.load(at);
        self.0.store(at, word & !(1 << (index & 63)));
    }

    /// Sets the bit and says whether it was clear.
    #[inline(always)]
    pub(super) fn insert(&mut self, index: u64) -> bool {
        let (at, bit) = ((index >> 6) * 8, 1 << (index & 63));
        assert!(at < self.0.len(), "a reference beyond the arena");
        let word: u64 = self.0.load(at);
        self.0.store(at, word | bit);
        word & bit == 0
    }

    /// Sets the bits from `first` to `last`, both included.
    #[inline]
    pub(super) fn set_range(&mut self, first: u64, last: u64) {
        let (from, to) = ((first >> 6) as usize, (last >> 6) as usize);
        let low = !0u64 << (first & 63);
        let high = !0u64 >> (63 - (last & 63));
        if from == to {
            self.some_mut(from, 1)[0] |= low & high;
        } else {
            let words = self.some_mut(from, to - from + 1);
            let between = words.len() - 1;
            words[0] |= low;
            words[1..between].fill(!0);
            words[between] |= high;
        }
    }
}
