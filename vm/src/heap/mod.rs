//! The object memory: one contiguous, non-moving arena with 32-bit references.
//!
//! Every object starts at a multiple of 8 with an 8-byte header: class id (u32), lock word (u32). Instance fields
//! follow from byte 8; an array has its length (u32) at byte 8 and its elements from byte 16. Objects are zeroed
//! when allocated. Nothing moves, so a reference is a stable identity and identity hashes derive from it.
//!
//! Collection is mark and sweep in lines and blocks with bump allocation; the VM calls it only at safepoints.

use crate::ids::{ClassId, ObjRef};

/// Byte offset of the first field of an object.
pub const FIELDS: u32 = 8;
/// Byte offset of an array's length.
pub const ARRAY_LENGTH: u32 = 8;
/// Byte offset of an array's first element.
pub const ELEMENTS: u32 = 16;

/// How strong the `referent` of a java.lang.ref.Reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Soft,
    Weak,
    Final,
    Phantom,
}

/// What the collector must know of a class.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Not yet linked; no instances exist.
    None,
    /// `size` in bytes with header; `refs` are byte offsets of reference fields.
    Instance { size: u32, refs: Box<[u32]> },
    /// Like `Instance`, but the `referent` offset is not in `refs`.
    Reference { size: u32, refs: Box<[u32]>, strength: Strength },
    /// Instances of java.lang.Class: their size and extra references (static fields) differ per object and are
    /// kept by `Heap::set_mirror`.
    Mirror { size: u32, refs: Box<[u32]> },
    RefArray,
    PrimArray { log2: u8 },
}

/// An allocation that did not fit even at the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full {
    pub bytes: u64,
}
