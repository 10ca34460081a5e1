//! The log of reads: what counts as read first, as a place, and what it costs in memory.

use super::*;
use crate::{Place, UNIT};

fn logging(heap: &mut Heap) {
    heap.log_reads(true).expect("address space");
}

#[test]
fn a_field_is_read_first_unless_it_was_written_before() {
    let mut heap = heap(4 << 20);
    let a = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    heap.load_ref(a, 8);
    assert_eq!(heap.read_first(a), [], "nothing is logged yet");
    logging(&mut heap);
    heap.load_ref(a, 12);
    heap.put_ref(a, 12, a);
    heap.put_u64(a, 16, 8);
    heap.load_u64(a, 16);
    // The first reference was not touched, the second read, the number written.
    assert_eq!(heap.read_first(a), [12, 14]);
    assert!(heap.was_read_first(a, 12, 16) && !heap.was_read_first(a, 8, 12));
    assert!(!heap.was_read_first(a, 16, 24));
    heap.clear_reads();
    assert_eq!(heap.read_first(a), []);
    heap.load_u64(a, 16);
    assert_eq!(heap.read_first(a), [16, 18, 20, 22]);
}

#[test]
fn looks_and_stores_of_the_vm_are_not_logged() {
    let mut heap = heap(4 << 20);
    let a = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    logging(&mut heap);
    heap.get_u64(a, 16);
    heap.set_ref(a, 8, a);
    assert_eq!(heap.reads(), []);
    // The VM's store has not settled the field.
    heap.load_ref(a, 8);
    assert_eq!(heap.read_first(a), [8, 10]);
}

#[test]
fn a_single_byte_that_is_written_does_not_hide_its_neighbour() {
    let mut heap = heap(4 << 20);
    let array = bytes(&mut heap, 16).unwrap();
    logging(&mut heap);
    heap.elem_put_u8(array, 0, 1);
    heap.elem_load_u8(array, 1);
    assert_eq!(heap.read_first(array), [16]);
    heap.bytes_mut(array)[5] = 1;
    heap.elem_load_u8(array, 5);
    assert_eq!(heap.read_first(array), [16], "all elements were written");
}

#[test]
fn copies_read_their_source_and_write_their_target() {
    let mut heap = heap(4 << 20);
    let (from, to) = (bytes(&mut heap, 32).unwrap(), bytes(&mut heap, 32).unwrap());
    logging(&mut heap);
    heap.copy_elements(from, 3, to, 4, 6);
    assert_eq!(heap.read_first(from), [18, 20, 22, 24]);
    heap.load_bytes(to);
    let untouched: Vec<u32> = (16..48).step_by(2).filter(|at| !(20..26).contains(at)).collect();
    assert_eq!(heap.read_first(to), untouched);
    let a = node(&mut heap, from, to, 7);
    let b = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 0);
    heap.clear_reads();
    heap.copy_contents(a, b);
    assert_eq!(heap.read_first(a), (8..24).step_by(2).collect::<Vec<u32>>());
    assert_eq!(heap.read_first(b), []);
}

#[test]
fn all_places_come_with_their_objects_static_fields_with_their_mirrors() {
    let mut heap = heap(8 << 20);
    let mirror = heap.alloc_mirror(MIRROR, 64).unwrap();
    let large = bytes(&mut heap, 1 << 20).unwrap();
    let last = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    logging(&mut heap);
    heap.load_slot_u32(mirror.0 + 5);
    heap.elem_load_u8(large, (1 << 20) - 1);
    heap.load_ref(last, 8);
    let place = |object, offset| Place { object, offset };
    let mut expected: Vec<Place> = (0..4).map(|unit| place(mirror, 40 + unit * UNIT)).collect();
    expected.push(place(large, 16 + (1 << 20) - 2));
    expected.extend([place(last, 8), place(last, 10)]);
    expected.sort_unstable();
    assert_eq!(heap.reads(), expected);
}

#[test]
fn named_places_have_the_stack_of_their_first_read() {
    fn read(frames: usize, _most: usize, into: &mut Vec<crate::Site>) {
        let method = poldet_base::ids::MethodId(frames as u32);
        into.push(crate::Site { method, pc: 0 });
    }
    static READER: poldet_base::trace::Reader = poldet_base::trace::Reader {
        read,
        matches: |_, _, _| false,
    };
    let mut heap = heap(4 << 20);
    let a = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    let place = |offset| Place { object: a, offset };
    heap.watch_reads(&[place(12), place(16)]);
    logging(&mut heap);
    for method in 1..4 {
        heap.tracer().set_frames(method, &READER);
        heap.load_ref(a, 8);
        if method > 1 {
            heap.load_ref(a, 12);
        }
    }
    let reader = |heap: &Heap, offset| heap.read_stack(place(offset)).map(|s| s[0].method.0);
    assert_eq!(reader(&heap, 12), Some(2));
    assert_eq!(reader(&heap, 16), None, "was not read");
    heap.clear_reads();
    assert_eq!(reader(&heap, 12), None);
    heap.put_ref(a, 12, a);
    heap.load_ref(a, 12);
    assert_eq!(reader(&heap, 12), None, "was written before");
}
