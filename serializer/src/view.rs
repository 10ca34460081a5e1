//! The heap as it is, or as it was when the log was last cleared.

use poldet_vm::heap::{ELEMENTS, Heap, Logged};
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::vm::Vm;

#[derive(Clone, Copy)]
pub struct View<'a> {
    pub vm: &'a Vm,
    before: bool,
}

impl<'a> View<'a> {
    pub fn now(vm: &'a Vm) -> View<'a> {
        View { vm, before: false }
    }

    pub fn before(vm: &'a Vm) -> View<'a> {
        View { vm, before: true }
    }

    pub fn is_before(&self) -> bool {
        self.before
    }

    #[inline]
    pub fn object(&self, o: ObjRef) -> Object<'a> {
        let heap = &self.vm.heap;
        let old = if self.before && heap.is_watched(o) {
            heap.logged(o).filter(|l| !l.fresh)
        } else {
            None
        };
        Object { o, heap, old }
    }

    #[inline]
    pub fn class_of(&self, o: ObjRef) -> ClassId {
        self.vm.heap.class_of(o)
    }
}

/// One object of a view.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    pub o: ObjRef,
    heap: &'a Heap,
    old: Option<&'a Logged>,
}

impl Object<'_> {
    /// The bits of a field of `size` bytes.
    #[inline]
    pub fn bits(&self, off: u32, size: u32) -> u64 {
        match self.old {
            Some(old) => old.old_bits(off, size),
            None => match size {
                1 => u64::from(self.heap.get_u8(self.o, off)),
                2 => u64::from(self.heap.get_u16(self.o, off)),
                4 => u64::from(self.heap.get_u32(self.o, off)),
                _ => self.heap.get_u64(self.o, off),
            },
        }
    }

    #[inline]
    pub fn reference(&self, off: u32) -> ObjRef {
        ObjRef(self.bits(off, 4) as u32)
    }

    pub fn int(&self, off: u32) -> i32 {
        self.bits(off, 4) as i32
    }

    pub fn len(&self) -> u32 {
        self.heap.array_len(self.o)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn element(&self, index: u32) -> ObjRef {
        self.reference(ELEMENTS + index * 4)
    }

    /// The elements of an array of primitives.
    pub fn bytes(&self) -> &[u8] {
        match self.old {
            Some(old) => {
                let len = self.heap.bytes(self.o).len();
                &old.old_bytes()[ELEMENTS as usize - 8..][..len]
            }
            None => self.heap.bytes(self.o),
        }
    }
}
