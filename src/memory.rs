//! The allocator: that of the system, except that an allocation which fails ends the process with one line, and that a forked process
//! takes small blocks from pages of its own.
//!
//! The system's allocator hands out what was freed last, wherever that lies. In a forked process every page that is written is copied
//! first, so that a few hundred small blocks would cost a few hundred copies. Blocks of the parent that are freed here stay as they are.
//! Workers are forks, too: of the process that watches them.
#![expect(unsafe_code, reason = "an allocator is an unsafe trait")]

use nix::libc;
use poldet_vm::host::sys::{self, FORKS};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::io::Write;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Checked {
    /// The thread that takes blocks of its own, by an address that no other thread has; 0 before its first block.
    owner: AtomicUsize,
    own: UnsafeCell<Own>,
}

#[global_allocator]
static ALLOCATOR: Checked = Checked {
    owner: AtomicUsize::new(0),
    own: UnsafeCell::new(Own::new()),
};

// SAFETY: only the owner changes `own`; others read where its blocks lie, which is settled before there are others.
unsafe impl Sync for Checked {}

thread_local! {
    /// Its address tells threads apart.
    static MARK: u8 = const { 0 };
}

/// Larger blocks are the system's.
const LARGE: usize = 64 << 20;
/// The pages of free blocks of this size go back to the system.
const PAGES: usize = 1 << 20;
/// Blocks begin at multiples of it.
const GRAIN: usize = 16;
/// Sizes of blocks: eight up to 128 bytes, then four for each doubling.
const SIZES: usize = 84;
/// Addresses for the blocks of all forks that follow each other.
const RANGE: usize = 16 << 30;
const PAGE: usize = 4 << 10;
const HUGE_PAGE: usize = 2 << 20;

/// The blocks of a forked process.
struct Own {
    /// Where the addresses begin; 0 before the first block.
    base: usize,
    next: usize,
    end: usize,
    /// Where those of this process begin; before it are its parents'.
    begun: usize,
    /// The fork that the free blocks are of.
    fork: u32,
    /// Freed blocks by size, each with the address of the next.
    free: [usize; SIZES],
    /// There are no addresses, or no more: all is the system's.
    used_up: bool,
}

impl Own {
    const fn new() -> Own {
        Own {
            base: 0,
            next: 0,
            end: 0,
            begun: 0,
            fork: 0,
            free: [0; SIZES],
            used_up: false,
        }
    }

    /// A block, and whether it is zeroed; null if the system is to give one.
    unsafe fn take(&mut self, size: usize) -> (*mut u8, bool) {
        let fork = FORKS.load(Ordering::Relaxed);
        if self.fork != fork {
            self.begin(fork);
        }
        let (class, size) = class_of(size);
        let first = self.free[class];
        if first != 0 {
            // SAFETY: a freed block of ours holds the address of the next one.
            self.free[class] = unsafe { *(first as *const usize) };
            return (first as *mut u8, false);
        }
        if self.used_up || size > self.end - self.next {
            self.used_up = true;
            return (ptr::null_mut(), false);
        }
        let block = self.next;
        self.next += size;
        (block as *mut u8, true)
    }

    /// Goes on with pages that no parent has written to. A process that others are forked from has huge pages, of which a fork copies one
    /// entry each; one that is not would only have to clear them.
    #[cold]
    fn begin(&mut self, fork: u32) {
        self.fork = fork;
        self.free = [0; SIZES];
        if self.base == 0 && !self.used_up {
            match reserve() {
                Some(base) => (self.base, self.next, self.end) = (base, base, base + RANGE),
                None => self.used_up = true,
            }
        }
        self.next = self.next.next_multiple_of(PAGE).min(self.end);
        self.begun = self.next;
        let advice = if sys::IS_LEAF.load(Ordering::Relaxed) {
            libc::MADV_NOHUGEPAGE
        } else {
            libc::MADV_HUGEPAGE
        };
        // SAFETY: advice on a range of ours changes nothing that a program can see.
        unsafe { libc::madvise(self.next as *mut libc::c_void, self.end - self.next, advice) };
    }

    /// Keeps a block for the next one of its size, unless it is a parent's.
    ///
    /// # Safety
    /// It is one of these blocks, and nobody uses it any more.
    unsafe fn give_back(&mut self, old: *mut u8, size: usize) {
        if self.fork != FORKS.load(Ordering::Relaxed) || (old as usize) < self.begun {
            return;
        }
        let (class, size) = class_of(size);
        // SAFETY: a block of ours has room for an address, and its pages beyond that hold nothing any more.
        unsafe {
            if size >= PAGES {
                let pages = (old as usize).next_multiple_of(PAGE);
                let len = (old as usize + size - pages) / PAGE * PAGE;
                libc::madvise(pages as *mut libc::c_void, len, libc::MADV_DONTNEED);
            }
            *(old as *mut usize) = self.free[class];
        }
        self.free[class] = old as usize;
    }
}

/// Addresses for blocks; none where their number is limited.
fn reserve() -> Option<usize> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the call fills the structure.
    let asked = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    if asked != 0 || limit.rlim_cur != libc::RLIM_INFINITY {
        return None;
    }
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a fresh mapping touches no existing memory.
    let got = unsafe { libc::mmap(ptr::null_mut(), RANGE + HUGE_PAGE, access, flags, -1, 0) };
    (got != libc::MAP_FAILED).then(|| (got as usize).next_multiple_of(HUGE_PAGE))
}

/// The number of a size, and how much a block of it has.
fn class_of(size: usize) -> (usize, usize) {
    if size <= 128 {
        let grains = size.div_ceil(GRAIN).max(1);
        return (grains - 1, grains * GRAIN);
    }
    let last = size - 1;
    let log = last.ilog2() as usize;
    let shift = log - 2;
    let quarter = last >> shift;
    (8 + (log - 7) * 4 + (quarter & 3), (quarter + 1) << shift)
}

/// Whether a block may be one of a forked process.
#[inline(always)]
fn may_be_own(layout: Layout) -> bool {
    FORKS.load(Ordering::Relaxed) != 0 && layout.size() <= LARGE && layout.align() <= GRAIN
}

impl Checked {
    /// The blocks of this process, for the thread that was its only one when it was forked, and forks it in turn: it needs no lock.
    /// Another one would take what the system has, and leave what is freed here as it is.
    #[inline(always)]
    #[expect(
        clippy::mut_from_ref,
        reason = "the cell is the owner's, which uses it for one call at a time"
    )]
    fn own(&self) -> Option<&mut Own> {
        let me = MARK.with(|mark| ptr::from_ref(mark) as usize);
        let owner = self.owner.load(Ordering::Relaxed);
        if owner != me {
            if owner != 0 {
                return None;
            }
            self.owner.store(me, Ordering::Relaxed);
        }
        // SAFETY: this is the owner, and no call of it is under way: none of them allocates.
        Some(unsafe { &mut *self.own.get() })
    }

    /// Whether a block is one of those that forked processes have taken.
    #[inline(always)]
    fn has(&self, block: *mut u8) -> bool {
        // SAFETY: both addresses are settled with the first block, which comes before there is another thread.
        let (base, end) = unsafe { ((*self.own.get()).base, (*self.own.get()).end) };
        (base..end).contains(&(block as usize))
    }
}

// SAFETY: a block is handed out once until it is given back, by the system's allocator or from a range of its own, and large enough.
unsafe impl GlobalAlloc for Checked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if may_be_own(layout)
            && let Some(own) = self.own()
        {
            // SAFETY: blocks in the lists are free.
            let (block, _) = unsafe { own.take(layout.size()) };
            if !block.is_null() {
                return block;
            }
        }
        // SAFETY: the caller's promise is the one asked for here.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if may_be_own(layout)
            && let Some(own) = self.own()
        {
            // SAFETY: blocks in the lists are free.
            let (block, zeroed) = unsafe { own.take(layout.size()) };
            if !block.is_null() {
                if !zeroed {
                    // SAFETY: the block has this size.
                    unsafe { block.write_bytes(0, layout.size()) };
                }
                return block;
            }
        }
        // SAFETY: the caller's promise is the one asked for here.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !may_be_own(layout) {
            // SAFETY: the caller's promise is the one asked for here.
            return given(unsafe { System.realloc(old, layout, size) }, size);
        }
        let room = if self.has(old) {
            class_of(layout.size()).1
        } else {
            layout.size()
        };
        if size <= room && size > room / 2 {
            return old;
        }
        // SAFETY: the caller promises a size that is not 0 and not too large; the alignment is that of a layout.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        // SAFETY: both blocks have so many bytes and are not the same; the old one was given for this layout.
        unsafe {
            ptr::copy_nonoverlapping(old, new, layout.size().min(size));
            self.dealloc(old, layout);
        }
        new
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        if may_be_own(layout) {
            if self.has(old) {
                if let Some(own) = self.own() {
                    // SAFETY: nobody uses the block any more.
                    unsafe { own.give_back(old, layout.size()) };
                }
                return;
            }
            // A parent's, unless blocks have come from the system since.
            if self.own().is_some_and(|own| !own.used_up) {
                return;
            }
        }
        // SAFETY: the block is the system's.
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline(always)]
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        out_of_memory(size);
    }
    memory
}

#[cold]
fn out_of_memory(size: usize) -> ! {
    // Neither of these allocates. Nothing can be done where the line cannot be written.
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: no {size} bytes to be had; raise the limit (ulimit -v, the container's memory) or give a smaller -Xmx"
    );
    // SAFETY: ends the process without running anything that might allocate.
    unsafe { libc::_exit(poldet::exit::USAGE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_large_as_asked_for() {
        let mut before = (0, 0);
        for size in (1..=LARGE).step_by(if cfg!(debug_assertions) { 97 } else { 1 }) {
            let found = class_of(size);
            assert!(
                found.1 >= size
                    && found.1.is_multiple_of(GRAIN)
                    && found.1 <= size.max(GRAIN) * 5 / 4 + GRAIN
            );
            assert!(
                found.0 < SIZES
                    && found >= before
                    && (found.0 == before.0) == (found.1 == before.1 || size == 1)
            );
            before = found;
        }
    }
}
