//! Typed access to objects by reference and byte offset. Every access to the heap passes through this file.
//!
//! The guest's accesses and the VM's own are distinguished by their names. `load_*` and `put_*` are the guest's, or made by a
//! native on its behalf: a store passes through the write barrier (`watch`), and both are logged while reads are
//! (`reads`). `get_*` and `set_*` are the VM's looks and stores, and those of the loop, which asks by itself.
//!
//! The references must be ones the heap handed out and that are still alive; debug builds check that, and that the
//! access stays inside the object.

use super::raw::Plain;
use super::{ARRAY_LENGTH, ELEMENTS, FIELDS, Heap, Layout};
use poldet_base::ids::{ClassId, ObjRef};

macro_rules! getters {
    ($($get:ident $load:ident: $t:ty),*) => {
        $(
            /// Looks without the guest.
            #[inline(always)]
            pub fn $get(&self, o: ObjRef, off: u32) -> $t {
                self.load(o, u64::from(off))
            }

            #[inline(always)]
            pub fn $load(&self, o: ObjRef, off: u32) -> $t {
                self.note_read(o, u64::from(off), size_of::<$t>());
                self.load(o, u64::from(off))
            }
        )*
    };
}

macro_rules! elements {
    ($($get:ident $load:ident $put:ident: $t:ty),*) => {
        $(
            /// Looks without the guest.
            #[inline(always)]
            pub fn $get(&self, o: ObjRef, index: u32) -> $t {
                debug_assert!(index < self.array_len(o));
                self.load(o, u64::from(ELEMENTS) + u64::from(index) * size_of::<$t>() as u64)
            }

            #[inline(always)]
            pub fn $load(&self, o: ObjRef, index: u32) -> $t {
                let at = u64::from(ELEMENTS) + u64::from(index) * size_of::<$t>() as u64;
                self.note_read(o, at, size_of::<$t>());
                self.$get(o, index)
            }

            #[inline(always)]
            pub fn $put(&mut self, o: ObjRef, index: u32, value: $t) {
                debug_assert!(index < self.array_len(o));
                self.store(o, u64::from(ELEMENTS) + u64::from(index) * size_of::<$t>() as u64, value);
            }
        )*
    };
}

macro_rules! raw_elements {
    ($($set:ident: $t:ty),*) => {
        $(
            /// Without asking the barrier.
            #[inline(always)]
            pub fn $set(&mut self, o: ObjRef, index: u32, value: $t) {
                debug_assert!(index < self.array_len(o));
                self.store_raw(o, u64::from(ELEMENTS) + u64::from(index) * size_of::<$t>() as u64, value);
            }
        )*
    };
}

macro_rules! setters {
    ($($put:ident $set:ident: $t:ty),*) => {
        $(
            #[inline(always)]
            pub fn $put(&mut self, o: ObjRef, off: u32, value: $t) {
                self.store(o, u64::from(off), value);
            }

            /// Without asking the barrier.
            #[inline(always)]
            pub fn $set(&mut self, o: ObjRef, off: u32, value: $t) {
                self.store_raw(o, u64::from(off), value);
            }
        )*
    };
}

macro_rules! slot_setters {
    ($($put:ident $set:ident: $t:ty),*) => {
        $(
            #[inline(always)]
            pub fn $put(&mut self, at: u32, value: $t) {
                if self.is_watched_slot(at) {
                    self.log_slot(at, value);
                }
                self.note_slot_written(at);
                self.$set(at, value);
            }

            /// Without asking the barrier.
            #[inline(always)]
            pub fn $set(&mut self, at: u32, value: $t) {
                self.arena.store(u64::from(at) * 8, value);
            }
        )*
    };
}

macro_rules! slot_getters {
    ($($get:ident $load:ident: $t:ty),*) => {
        $(
            /// Looks without the guest.
            #[inline(always)]
            pub fn $get(&self, at: u32) -> $t {
                self.arena.load(u64::from(at) * 8)
            }

            #[inline(always)]
            pub fn $load(&self, at: u32) -> $t {
                self.note_slot_read(at);
                self.$get(at)
            }
        )*
    };
}

macro_rules! slices {
    ($($name:ident $load:ident $name_mut:ident: $t:ty),*) => {
        $(
            /// The guest reads the elements of an array of this kind.
            #[inline(always)]
            pub fn $load(&self, o: ObjRef) -> &[$t] {
                self.note_elements_read(o);
                self.$name(o)
            }

            /// The elements of an array of this kind.
            #[inline(always)]
            pub fn $name(&self, o: ObjRef) -> &[$t] {
                debug_assert_eq!(1 << self.element_log2(o), size_of::<$t>());
                self.arena.slice(offset(o) + u64::from(ELEMENTS), self.array_len(o) as usize)
            }

            #[inline(always)]
            pub fn $name_mut(&mut self, o: ObjRef) -> &mut [$t] {
                debug_assert_eq!(1 << self.element_log2(o), size_of::<$t>());
                if self.is_watched(o) {
                    self.log_elements(o);
                }
                self.note_elements_written(o);
                let len = self.array_len(o) as usize;
                self.arena.slice_mut(offset(o) + u64::from(ELEMENTS), len)
            }
        )*
    };
}

/// The object's byte offset in the arena.
#[inline(always)]
pub(super) fn offset(o: ObjRef) -> u64 {
    u64::from(o.0) * 8
}

/// What an offset into an object names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// Nothing, or the header.
    Outside,
    Number,
    Reference,
    /// A part of a reference, or more than one.
    Torn,
}

impl SlotKind {
    fn reference(whole: bool) -> SlotKind {
        if whole {
            SlotKind::Reference
        } else {
            SlotKind::Torn
        }
    }
}

impl Heap {
    #[inline(always)]
    pub fn class_of(&self, o: ObjRef) -> ClassId {
        ClassId(self.load(o, 0))
    }

    #[inline(always)]
    pub fn lock_word(&self, o: ObjRef) -> u32 {
        self.load(o, 4)
    }

    #[inline(always)]
    pub fn set_lock_word(&mut self, o: ObjRef, word: u32) {
        self.store_raw(o, 4, word);
    }

    getters!(get_i8 load_i8: i8, get_u8 load_u8: u8, get_i16 load_i16: i16, get_u16 load_u16: u16,
        get_i32 load_i32: i32, get_u32 load_u32: u32, get_i64 load_i64: i64, get_u64 load_u64: u64,
        get_f32 load_f32: f32, get_f64 load_f64: f64, get_ref load_ref: ObjRef);

    setters!(put_u8 set_u8: u8, put_u16 set_u16: u16, put_u32 set_u32: u32, put_u64 set_u64: u64,
        put_ref set_ref: ObjRef);

    // Static fields: slots of 8 bytes inside class mirrors, addressed like objects.
    slot_getters!(slot_i8 load_slot_i8: i8, slot_u16 load_slot_u16: u16, slot_u32 load_slot_u32: u32,
        slot_u64 load_slot_u64: u64);

    slot_setters!(put_slot_u8 set_slot_u8: u8, put_slot_u16 set_slot_u16: u16, put_slot_u32 set_slot_u32: u32,
        put_slot_u64 set_slot_u64: u64, put_slot_ref set_slot_ref: ObjRef);

    #[inline(always)]
    pub fn array_len(&self, o: ObjRef) -> u32 {
        self.load(o, u64::from(ARRAY_LENGTH))
    }

    elements!(elem_get_ref elem_load_ref elem_put_ref: ObjRef, elem_get_u8 elem_load_u8 elem_put_u8: u8,
        elem_get_u16 elem_load_u16 elem_put_u16: u16, elem_get_u32 elem_load_u32 elem_put_u32: u32,
        elem_get_u64 elem_load_u64 elem_put_u64: u64, elem_get_i8 elem_load_i8 elem_put_i8: i8,
        elem_get_i16 elem_load_i16 elem_put_i16: i16, elem_get_i32 elem_load_i32 elem_put_i32: i32,
        elem_get_i64 elem_load_i64 elem_put_i64: i64);

    raw_elements!(elem_set_ref: ObjRef, elem_set_u8: u8, elem_set_u16: u16, elem_set_u32: u32, elem_set_u64: u64);

    slices!(chars load_chars chars_mut: u16, shorts load_shorts shorts_mut: i16, ints load_ints ints_mut: i32,
        longs load_longs longs_mut: i64, floats load_floats floats_mut: f32, doubles load_doubles doubles_mut: f64,
        refs load_refs refs_mut: ObjRef);

    /// The elements of an array of primitives of any kind as raw bytes.
    #[inline]
    pub fn bytes(&self, o: ObjRef) -> &[u8] {
        let len = (self.array_len(o) as usize) << self.element_log2(o);
        self.arena.slice(offset(o) + u64::from(ELEMENTS), len)
    }

    /// The guest reads them.
    #[inline]
    pub fn load_bytes(&self, o: ObjRef) -> &[u8] {
        self.note_elements_read(o);
        self.bytes(o)
    }

    /// The same of an array that is known to be one of bytes.
    #[inline(always)]
    pub fn load_byte_array(&self, o: ObjRef) -> &[u8] {
        debug_assert_eq!(self.element_log2(o), 0);
        self.note_elements_read(o);
        self.arena
            .slice(offset(o) + u64::from(ELEMENTS), self.array_len(o) as usize)
    }

    #[inline]
    pub fn bytes_mut(&mut self, o: ObjRef) -> &mut [u8] {
        if self.is_watched(o) {
            self.log_elements(o);
        }
        self.note_elements_written(o);
        let len = (self.array_len(o) as usize) << self.element_log2(o);
        self.arena.slice_mut(offset(o) + u64::from(ELEMENTS), len)
    }

    /// Copies for the guest `count` elements between arrays of the same element size, as if through a temporary array.
    #[inline]
    pub fn copy_elements(&mut self, from: ObjRef, from_index: u32, to: ObjRef, to_index: u32, count: u32) {
        let log2 = self.element_log2(from);
        debug_assert_eq!(log2, self.element_log2(to));
        debug_assert!(u64::from(from_index) + u64::from(count) <= u64::from(self.array_len(from)));
        debug_assert!(u64::from(to_index) + u64::from(count) <= u64::from(self.array_len(to)));
        if self.is_watched(to) && count > 0 {
            let from = ELEMENTS + (to_index << log2);
            self.log_range(to, from, from + (count << log2));
        }
        if self.logs_reads() {
            let within = |index: u32| u64::from(ELEMENTS) + (u64::from(index) << log2);
            self.note_range_read(from, within(from_index), within(from_index + count));
            self.note_range_written(to, within(to_index), within(to_index + count));
        }
        let at = |o, index: u32| offset(o) + u64::from(ELEMENTS) + (u64::from(index) << log2);
        self.arena
            .copy(at(from, from_index), at(to, to_index), u64::from(count) << log2);
    }

    /// Copies everything after the header from one object to another of the same class and size (`Object.clone`).
    pub fn copy_contents(&mut self, from: ObjRef, to: ObjRef) {
        let size = self.size_of(from);
        debug_assert_eq!(self.class_of(from), self.class_of(to));
        debug_assert_eq!(size, self.size_of(to));
        if self.is_watched(to) {
            self.log_range(to, 8, size as u32);
        }
        self.note_range_read(from, 8, size);
        self.note_range_written(to, 8, size);
        self.arena.copy(offset(from) + 8, offset(to) + 8, size - 8);
    }

    /// The arena's first byte, for the interpreter loop: an object is at eight times its reference from here.
    #[inline(always)]
    pub fn base(&self) -> *mut u8 {
        self.arena.base()
    }

    /// The object's size in bytes, header included, a multiple of 8.
    pub fn size_of(&self, o: ObjRef) -> u64 {
        self.exact_size(o).next_multiple_of(8)
    }

    /// The same without what it is rounded up by.
    pub(super) fn exact_size(&self, o: ObjRef) -> u64 {
        let class: u32 = self.arena.load(offset(o));
        match self.layouts.get(class as usize) {
            Some(Layout::Instance { size, .. } | Layout::Reference { size, .. }) => u64::from(*size),
            Some(Layout::RefArray) => self.array_size(o, 2),
            Some(Layout::PrimArray { log2 }) => self.array_size(o, *log2),
            Some(Layout::Mirror { size, .. }) => u64::from(self.mirrors.get(&o).map_or(*size, |m| m.size)),
            Some(Layout::None) | None => u64::from(self.mirrors.get(&o).map_or(8, |m| m.size)),
        }
    }

    /// What lies at so many bytes from an object's start on, as far as the collector sees it.
    pub fn slot_kind(&self, o: ObjRef, at: u64, width: u64) -> SlotKind {
        let array = matches!(
            self.layouts.get(self.class_of(o).index()),
            Some(Layout::RefArray | Layout::PrimArray { .. })
        );
        let first = u64::from(if array { ELEMENTS } else { FIELDS });
        let size = self.size_of(o);
        if at < first || width > size || at > size - width {
            return SlotKind::Outside;
        }
        let overlaps = |r: u32| u64::from(r) < at + width && at < u64::from(r) + 4;
        let mut references = match self.layouts.get(self.class_of(o).index()) {
            Some(Layout::RefArray) => {
                let element = (at - first) / 4 * 4 + first;
                return SlotKind::reference(element == at && width == 4);
            }
            Some(
                Layout::Instance { refs, .. } | Layout::Mirror { refs, .. } | Layout::Reference { refs, .. },
            ) => refs.iter().copied().filter(|r| overlaps(*r)),
            _ => return SlotKind::Number,
        };
        if let Some(r) = references.next() {
            return SlotKind::reference(u64::from(r) == at && width == 4);
        }
        let of_reference = match self.layouts.get(self.class_of(o).index()) {
            Some(Layout::Reference { .. }) => self.references.as_ref().map(|r| r.referent),
            Some(Layout::Mirror { .. }) => self
                .mirrors
                .get(&o)
                .and_then(|m| m.static_refs.iter().copied().find(|r| overlaps(*r))),
            _ => None,
        };
        match of_reference.filter(|r| overlaps(*r)) {
            Some(r) => SlotKind::reference(u64::from(r) == at && width == 4),
            None => SlotKind::Number,
        }
    }

    /// Whether the object has just the fields of its class: no array, no mirror, no `Reference`.
    pub fn is_plain_instance(&self, o: ObjRef) -> bool {
        matches!(
            self.layouts.get(self.class_of(o).index()),
            Some(Layout::Instance { .. })
        )
    }

    /// Whether the object is an array of a primitive type.
    pub fn is_prim_array(&self, o: ObjRef) -> bool {
        matches!(
            self.layouts.get(self.class_of(o).index()),
            Some(Layout::PrimArray { .. })
        )
    }

    /// Whether an object starts where `r`, any number at all, points.
    #[inline]
    pub fn is_object(&self, r: ObjRef) -> bool {
        self.starts.get(u64::from(r.0))
    }

    fn array_size(&self, o: ObjRef, log2: u8) -> u64 {
        let len: u32 = self.arena.load(offset(o) + u64::from(ARRAY_LENGTH));
        u64::from(ELEMENTS) + (u64::from(len) << log2)
    }

    #[inline]
    fn element_log2(&self, o: ObjRef) -> u8 {
        match self.layouts.get(self.class_of(o).index()) {
            Some(Layout::PrimArray { log2 }) => *log2,
            Some(Layout::RefArray) => 2,
            // Not an array: no elements, and debug builds stop in the caller's check.
            _ => 0,
        }
    }

    #[inline(always)]
    fn load<T: Plain>(&self, o: ObjRef, off: u64) -> T {
        debug_assert!(
            self.inside(o, off + size_of::<T>() as u64),
            "{o:?} has no {off}+{}",
            size_of::<T>()
        );
        self.arena.load(offset(o) + off)
    }

    #[inline(always)]
    fn store<T: Plain>(&mut self, o: ObjRef, off: u64, value: T) {
        if self.is_watched(o) {
            self.log_store(o, off as u32, value);
        }
        self.note_written(o, off, size_of::<T>());
        self.store_raw(o, off, value);
    }

    #[inline(always)]
    fn store_raw<T: Plain>(&mut self, o: ObjRef, off: u64, value: T) {
        debug_assert!(
            self.inside(o, off + size_of::<T>() as u64),
            "{o:?} has no {off}+{}",
            size_of::<T>()
        );
        self.arena.store(offset(o) + off, value);
    }

    /// Whether `o` is an object of at least `end` bytes, as far as its layout is known yet.
    fn inside(&self, o: ObjRef, end: u64) -> bool {
        if !self.is_object(o) {
            return false;
        }
        let class: u32 = self.arena.load(offset(o));
        let unknown = matches!(self.layouts.get(class as usize), Some(Layout::None) | None);
        unknown || end <= self.size_of(o)
    }
}
