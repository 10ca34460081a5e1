//! Tests of the heap as a whole, on a handful of made-up classes.

mod allocation;
mod collection;
mod figures;
mod limits;
mod model;
mod reads;
mod references;
mod watch;

use super::{Full, GcStats, Heap, Layout, Strength};
use poldet_base::ids::{ClassId, ObjRef};

/// Two references at 8 and 12, a number at 16.
const NODE: ClassId = ClassId(0);
const BYTES: ClassId = ClassId(1);
const OBJECTS: ClassId = ClassId(2);
const LONGS: ClassId = ClassId(3);
/// One reference at 8 and enough fields to fill several lines.
const WIDE: ClassId = ClassId(4);
const MIRROR: ClassId = ClassId(5);
const SOFT: ClassId = ClassId(6);
const WEAK: ClassId = ClassId(7);
const FINAL: ClassId = ClassId(8);
const PHANTOM: ClassId = ClassId(9);

const NODE_SIZE: u32 = 24;
const WIDE_SIZE: u32 = 1000;
const MIRROR_SIZE: u32 = 16;
const REFERENCE_SIZE: u32 = 24;
const REFERENT: u32 = 8;
const QUEUE: u32 = 12;
const NEXT: u32 = 16;
const DISCOVERED: u32 = 20;

fn heap(max: u64) -> Heap {
    // Miri tracks every byte, used or not; tests that need all their room do not run there.
    let max = if cfg!(miri) { max.min(2 << 20) } else { max };
    let mut heap = Heap::new(max).expect("address space");
    heap.set_layout(
        NODE,
        Layout::Instance {
            size: NODE_SIZE,
            refs: Box::new([8, 12]),
        },
    );
    heap.set_layout(BYTES, Layout::PrimArray { log2: 0 });
    heap.set_layout(OBJECTS, Layout::RefArray);
    heap.set_layout(LONGS, Layout::PrimArray { log2: 3 });
    heap.set_layout(
        WIDE,
        Layout::Instance {
            size: WIDE_SIZE,
            refs: Box::new([8]),
        },
    );
    heap.set_layout(
        MIRROR,
        Layout::Mirror {
            size: MIRROR_SIZE,
            refs: Box::new([8]),
        },
    );
    for (class, strength) in [
        (SOFT, Strength::Soft),
        (WEAK, Strength::Weak),
        (FINAL, Strength::Final),
        (PHANTOM, Strength::Phantom),
    ] {
        let refs = Box::new([QUEUE, NEXT, DISCOVERED]);
        heap.set_layout(
            class,
            Layout::Reference {
                size: REFERENCE_SIZE,
                refs,
                strength,
            },
        );
    }
    heap.set_reference_offsets(REFERENT, NEXT);
    heap
}

/// A number of rounds, fewer where every step is slow.
fn rounds(usual: u32, under_miri: u32) -> u32 {
    if cfg!(miri) { under_miri } else { usual }
}

fn node(heap: &mut Heap, first: ObjRef, second: ObjRef, value: u64) -> ObjRef {
    let o = heap.alloc_object(NODE, NODE_SIZE).expect("room");
    heap.put_ref(o, 8, first);
    heap.put_ref(o, 12, second);
    heap.put_u64(o, 16, value);
    o
}

fn bytes(heap: &mut Heap, len: u32) -> Result<ObjRef, Full> {
    heap.alloc_array(BYTES, 0, len)
}

fn reference(heap: &mut Heap, class: ClassId, referent: ObjRef) -> ObjRef {
    let o = heap.alloc_object(class, REFERENCE_SIZE).expect("room");
    heap.put_ref(o, REFERENT, referent);
    o
}

fn mark(heap: &mut Heap, roots: &[ObjRef], clear_soft: bool) -> Vec<ObjRef> {
    heap.begin_collection();
    heap.mark_roots(roots);
    heap.trace(clear_soft);
    let pending = heap.process_references(|_| {});
    heap.mark_log();
    heap.clean_log();
    pending
}

fn collect(heap: &mut Heap, roots: &[ObjRef]) -> GcStats {
    mark(heap, roots, false);
    heap.sweep()
}

fn all_objects(heap: &Heap) -> Vec<ObjRef> {
    let mut all = Vec::new();
    heap.for_each_object(&mut |o| all.push(o));
    all
}
