//! Frames and the register stack of a green thread.
#![expect(
    unsafe_code,
    reason = "register windows are raw memory shared by caller and callee"
)]

use crate::ids::{MethodId, ObjRef};
use crate::link::op::Op;
use crate::stop::{Completion, ContFn};

/// One activation. The running frame's `pc` is only up to date while the loop is outside its fast path.
pub struct Frame {
    /// The op being executed (the call, for a frame that has called).
    pub pc: *const Op,
    pub method: MethodId,
    /// First register of the window, as an index into the register stack.
    pub base: u32,
    /// Size of the window.
    pub regs: u32,
    /// The monitor a synchronized method holds, or null.
    pub lock: ObjRef,
    /// What is to be done when the frame above returns, for continuation frames.
    pub cont: Option<Box<Cont>>,
}

/// The state of a continuation frame.
pub struct Cont {
    pub f: ContFn,
    pub state: Vec<u64>,
    /// The function's value is the result of the native frame below; otherwise that frame runs again.
    pub deliver: bool,
    /// What the function has been given, while Java it asked for runs before it is called again.
    pub done: Option<Completion>,
}

/// A thread's registers: reserved once, touched as used, never moved.
pub struct RegStack {
    ptr: *mut u64,
    len: usize,
}

impl RegStack {
    /// Reserves `len` registers of zero pages.
    pub fn new(len: usize) -> Result<RegStack, String> {
        // SAFETY: an anonymous private mapping; the result is checked before use.
        let ptr = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len * 8,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if ptr == libc::MAP_FAILED {
            return Err("cannot reserve a thread stack".into());
        }
        Ok(RegStack { ptr: ptr.cast(), len })
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn ptr(&self) -> *mut u64 {
        self.ptr
    }

    #[inline]
    pub fn get(&self, index: usize) -> u64 {
        assert!(index < self.len);
        // SAFETY: inside the mapping, which is always readable.
        unsafe { *self.ptr.add(index) }
    }

    #[inline]
    pub fn set(&mut self, index: usize, value: u64) {
        assert!(index < self.len);
        // SAFETY: inside the mapping, which is always writable.
        unsafe { *self.ptr.add(index) = value }
    }
}

impl Drop for RegStack {
    fn drop(&mut self) {
        // SAFETY: the mapping made by `new`, dropped once.
        unsafe { libc::munmap(self.ptr.cast(), self.len * 8) };
    }
}
