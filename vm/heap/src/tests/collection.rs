//! What survives a collection.

use super::*;

#[test]
fn only_what_roots_reach_survives() {
    let mut heap = heap(8 << 20);
    let leaf = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let array = heap.alloc_array(OBJECTS, 2, 3).unwrap();
    heap.elem_put_ref(array, 2, leaf);
    let wide = heap.alloc_object(WIDE, WIDE_SIZE).unwrap();
    heap.put_ref(wide, 8, array);
    let root = node(&mut heap, wide, ObjRef::NULL, 2);
    heap.put_ref(root, 12, root);
    let dead = node(&mut heap, root, leaf, 3);
    heap.begin_collection();
    heap.mark_roots(&[ObjRef::NULL, root, root, ObjRef(root.0 + 1)]);
    heap.trace(false);
    assert!(heap.is_marked(leaf) && !heap.is_marked(dead));
    assert!(heap.process_references(|_| {}).is_empty());
    let stats = heap.sweep();
    assert_eq!((stats.live_objects, stats.live_bytes), (4, 24 + 32 + 1000 + 24));
    assert_eq!(stats.live_bytes, heap.live_bytes());
    assert!(!heap.is_object(dead));
    assert_eq!(all_objects(&heap), [leaf, array, wide, root]);
    assert_eq!(heap.get_u64(leaf, 16), 1);
}

#[test]
fn mirrors_and_their_static_fields_are_roots() {
    let mut heap = heap(8 << 20);
    let mirror = heap.alloc_mirror(MIRROR, 32).unwrap();
    heap.set_mirror(mirror, 32, Box::new([20, 28]));
    assert_eq!(heap.size_of(mirror), 32);
    let values: Vec<ObjRef> = (0..5)
        .map(|i| node(&mut heap, ObjRef::NULL, ObjRef::NULL, i))
        .collect();
    for (off, &value) in [8, 12, 20, 24, 28].into_iter().zip(&values) {
        heap.put_u32(mirror, off, value.0);
    }
    collect(&mut heap, &[]);
    // The reference field of Class itself and the two static ones; 12 and 24 hold mere numbers.
    assert_eq!(all_objects(&heap), [mirror, values[0], values[2], values[4]]);
}

#[test]
fn a_mortal_mirror_goes_with_the_last_instance() {
    let mut heap = heap(8 << 20);
    let mirror = heap.alloc_mirror(MIRROR, 32).unwrap();
    heap.set_mirror(mirror, 32, Box::new([20]));
    heap.set_mortal(NODE, mirror);
    let value = heap.alloc_object(WIDE, WIDE_SIZE).expect("room");
    heap.put_u32(mirror, 20, value.0);
    let instance = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    heap.watch_slot(mirror.0 + 2);

    heap.begin_collection();
    heap.mark_roots(&[instance]);
    heap.trace(false);
    assert_eq!(heap.take_met(), [mirror]);
    assert!(heap.take_dead_mirrors().is_empty());
    heap.sweep();
    assert!(heap.is_object(value) && heap.is_watched_slot(mirror.0 + 2));

    heap.begin_collection();
    heap.trace(false);
    assert!(heap.take_met().is_empty());
    assert_eq!(heap.take_dead_mirrors(), [mirror]);
    heap.forget_class(NODE);
    heap.sweep();
    assert!(all_objects(&heap).is_empty());
    assert!(!heap.is_watched_slot(mirror.0 + 2));
}

#[test]
fn a_list_of_five_million_nodes_survives() {
    let count = u64::from(rounds(5_000_000, 2000));
    let mut heap = heap(512 << 20);
    let mut head = ObjRef::NULL;
    for value in 0..count {
        head = node(&mut heap, head, ObjRef::NULL, value);
    }
    let stats = collect(&mut heap, &[head]);
    assert_eq!((stats.live_objects, stats.live_bytes), (count, count * 24));
    let mut at = head;
    for value in (0..count).rev() {
        assert_eq!(heap.get_u64(at, 16), value);
        at = heap.get_ref(at, 8);
    }
    assert!(at.is_null());
    assert_eq!(collect(&mut heap, &[]).live_objects, 0);
}

#[test]
fn huge_reference_arrays_survive() {
    let count = rounds(3_000_000, 3000);
    let mut heap = heap(256 << 20);
    let array = heap.alloc_array(OBJECTS, 2, count).unwrap();
    for i in 0..count {
        let o = node(&mut heap, ObjRef::NULL, array, u64::from(i));
        heap.elem_put_ref(array, i, o);
    }
    let stats = collect(&mut heap, &[array]);
    assert_eq!(stats.live_objects, u64::from(count) + 1);
    assert!((0..count).all(|i| heap.get_u64(heap.elem_get_ref(array, i), 16) == u64::from(i)));
    // One element alone keeps the array, and through it everything.
    let last = heap.elem_get_ref(array, count - 1);
    assert_eq!(collect(&mut heap, &[last]).live_objects, u64::from(count) + 1);
}

#[test]
fn objects_survive_many_collections_unchanged() {
    let mut heap = heap(16 << 20);
    let kept: Vec<ObjRef> = (0..100)
        .map(|i| node(&mut heap, ObjRef::NULL, ObjRef::NULL, i))
        .collect();
    for round in 0..rounds(30, 4) {
        for _ in 0..rounds(3000, 200) {
            let junk = bytes(&mut heap, 50 + round).unwrap();
            heap.bytes_mut(junk).fill(0xff);
        }
        assert_eq!(collect(&mut heap, &kept).live_objects, 100);
    }
    assert!(
        kept.iter()
            .enumerate()
            .all(|(i, &o)| heap.get_u64(o, 16) == i as u64)
    );
}
