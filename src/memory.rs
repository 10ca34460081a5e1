//! The allocator: that of the system, except that an allocation which fails ends the process with one line.
#![expect(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

struct Checked;

#[global_allocator]
static ALLOCATOR: Checked = Checked;

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Checked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one asked for here.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
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
    unsafe { nix::libc::_exit(poldet::exit::USAGE) }
}
