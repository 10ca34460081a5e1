//! Where objects go, what they look like when new, and typed access to them.

use super::*;

#[test]
fn new_objects_are_zeroed_and_know_their_class() {
    let mut heap = heap(4 << 20);
    let o = heap.alloc_object(NODE, NODE_SIZE).unwrap();
    assert!(!o.is_null() && heap.is_object(o));
    assert!(!heap.is_object(ObjRef::NULL) && !heap.is_object(ObjRef(o.0 + 1)) && !heap.is_object(ObjRef(!0)));
    assert_eq!(
        (heap.class_of(o), heap.lock_word(o), heap.size_of(o)),
        (NODE, 0, 24)
    );
    assert_eq!(
        (heap.get_ref(o, 8), heap.get_ref(o, 12), heap.get_i64(o, 16)),
        (ObjRef::NULL, ObjRef::NULL, 0)
    );
    heap.set_lock_word(o, 7);
    assert_eq!((heap.class_of(o), heap.lock_word(o)), (NODE, 7));
    let a = bytes(&mut heap, 13).unwrap();
    assert_eq!(
        (heap.class_of(a), heap.array_len(a), heap.size_of(a)),
        (BYTES, 13, 32)
    );
    assert_eq!(heap.bytes(a), [0; 13]);
    let empty = bytes(&mut heap, 0).unwrap();
    assert_eq!((heap.size_of(empty), heap.bytes(empty)), (16, &[][..]));
    assert_eq!(all_objects(&heap), [o, a, empty]);
}

#[test]
fn typed_access_reads_what_was_written() {
    let mut heap = heap(4 << 20);
    let o = heap.alloc_object(NODE, NODE_SIZE).unwrap();
    heap.put_u8(o, 16, 0xff);
    assert_eq!((heap.get_i8(o, 16), heap.get_u8(o, 16)), (-1, 255));
    heap.put_u16(o, 16, 0xfffe);
    assert_eq!((heap.get_i16(o, 16), heap.get_u16(o, 16)), (-2, 0xfffe));
    heap.put_u32(o, 16, 1.5f32.to_bits());
    assert_eq!(
        (heap.get_f32(o, 16), heap.get_u32(o, 16) as i32),
        (1.5, heap.get_i32(o, 16))
    );
    heap.put_u64(o, 16, 2.5f64.to_bits());
    assert_eq!(
        (heap.get_f64(o, 16), heap.get_u64(o, 16) as i64),
        (2.5, heap.get_i64(o, 16))
    );
    heap.put_ref(o, 12, o);
    assert_eq!(heap.get_ref(o, 12), o);
}

#[test]
fn arrays_are_slices_of_their_elements() {
    let mut heap = heap(4 << 20);
    let longs = heap.alloc_array(LONGS, 3, 4).unwrap();
    heap.longs_mut(longs).copy_from_slice(&[1, -2, 3, 4]);
    heap.elem_put_i64(longs, 3, 9);
    assert_eq!(
        (heap.longs(longs), heap.elem_get_i64(longs, 1)),
        (&[1, -2, 3, 9][..], -2)
    );
    assert_eq!(heap.bytes(longs).len(), 32);
    let objects = heap.alloc_array(OBJECTS, 2, 3).unwrap();
    heap.elem_put_ref(objects, 1, longs);
    assert_eq!(heap.refs(objects), [ObjRef::NULL, longs, ObjRef::NULL]);
    heap.copy_elements(longs, 0, longs, 1, 3);
    assert_eq!(heap.longs(longs), [1, 1, -2, 3]);
    let copy = heap.alloc_array(LONGS, 3, 4).unwrap();
    heap.copy_contents(longs, copy);
    assert_eq!(heap.longs(copy), heap.longs(longs));
}

#[test]
fn the_same_steps_give_the_same_addresses() {
    let run = || {
        let mut heap = heap(16 << 20);
        let mut seen = Vec::new();
        for round in 0..rounds(4, 2) {
            let mut kept = Vec::new();
            for i in 0..rounds(20_000, 300) {
                let o = match i % 50 {
                    0 => bytes(&mut heap, 20_000 + i).unwrap(),
                    1 => bytes(&mut heap, 700).unwrap(),
                    _ => node(&mut heap, ObjRef::NULL, ObjRef::NULL, u64::from(i)),
                };
                seen.push(o);
                if i % (3 + round) == 0 && i % 50 != 0 {
                    kept.push(o);
                }
                if heap.should_collect() {
                    collect(&mut heap, &kept);
                }
            }
            collect(&mut heap, &kept);
        }
        seen
    };
    assert!(run() == run());
}

#[test]
fn freed_lines_and_blocks_are_used_again_and_are_zero() {
    let mut heap = heap(8 << 20);
    let per_round = rounds(50_000, 1500);
    let mut highest = 0;
    for round in 0..5 {
        let mut kept = Vec::new();
        for i in 0..per_round {
            let o = heap.alloc_object(NODE, NODE_SIZE).unwrap();
            assert_eq!((heap.get_u64(o, 8), heap.get_u64(o, 16)), (0, 0));
            heap.put_u64(o, 16, !0);
            if i % 100 < 3 {
                kept.push(o);
            }
            if round == 0 {
                highest = highest.max(o.0);
            } else {
                assert!(o.0 <= highest + 4096, "{o:?} is above {highest}");
            }
        }
        let stats = collect(&mut heap, &kept);
        assert_eq!(stats.live_objects, kept.len() as u64);
        assert!(kept.iter().all(|&o| heap.get_u64(o, 16) == !0));
        collect(&mut heap, &[]);
        assert_eq!((heap.live_bytes(), all_objects(&heap).len()), (0, 0));
    }
}

#[test]
fn medium_and_large_objects_find_their_place() {
    let mut heap = heap(32 << 20);
    let mut all = Vec::new();
    for i in 0..rounds(400, 18) {
        let wide = heap.alloc_object(WIDE, WIDE_SIZE).unwrap();
        assert!(
            (8..WIDE_SIZE / 8 * 8)
                .step_by(8)
                .all(|off| heap.get_u64(wide, off) == 0)
        );
        let len = [100, 8192, 16_000, 16_384, 17_000, 32_752, 32_753, 40_000, 100_000][i as usize % 9];
        let array = bytes(&mut heap, len).unwrap();
        assert!(
            heap.bytes(array)
                .iter()
                .step_by(rounds(1, 97) as usize)
                .all(|&b| b == 0)
        );
        heap.bytes_mut(array).fill(0xaa);
        let small = node(&mut heap, wide, array, !0);
        all.extend([wide, array, small]);
        if i % 7 == 0 {
            let keep = all.split_off(all.len() / 2);
            collect(&mut heap, &keep);
            all = keep;
        }
    }
    assert_disjoint(&heap);
}

pub(super) fn assert_disjoint(heap: &Heap) {
    let mut end = 0;
    heap.for_each_object(&mut |o| {
        assert!(u64::from(o.0) * 8 >= end, "{o:?} overlaps the object before it");
        end = u64::from(o.0) * 8 + heap.size_of(o);
    });
}
