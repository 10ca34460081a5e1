//! The limit is kept, and neither fragmentation nor freed memory makes it useless.

use super::*;

const MIB: u64 = 1 << 20;

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn a_new_heap_costs_no_memory() {
    let heap = Heap::new(32 << 30).unwrap();
    assert_eq!(
        (heap.committed(), heap.used_bytes(), heap.live_bytes()),
        (0, 0, 0)
    );
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn small_objects_fill_the_heap_to_its_limit() {
    let max = 64 * MIB;
    let mut heap = heap(max);
    let (mut head, mut count, mut warned) = (ObjRef::NULL, 0, 0);
    while let Ok(o) = heap.alloc_object(NODE, NODE_SIZE) {
        heap.put_ref(o, 8, head);
        head = o;
        count += 1;
        if heap.should_collect() && warned == 0 {
            warned = heap.used_bytes();
        }
    }
    let bytes = count * 24;
    let slack = (max / 20).max(MIB);
    assert!(bytes >= max && bytes <= max + slack, "{bytes} of {max}");
    assert!(warned > 0 && warned <= max);
    assert_eq!(collect(&mut heap, &[head]).live_objects, count);
    assert!(heap.alloc_array(BYTES, 0, 100_000).is_err());
    // Everything dropped, everything is available again.
    collect(&mut heap, &[]);
    assert!(!heap.should_collect());
    for _ in 0..count {
        heap.alloc_object(NODE, NODE_SIZE).unwrap();
    }
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn large_objects_fill_the_heap_to_its_limit_and_no_further() {
    let mut heap = heap(64 * MIB);
    let mut kept = Vec::new();
    let full = loop {
        match bytes(&mut heap, MIB as u32) {
            Ok(o) => kept.push(o),
            Err(full) => break full,
        }
    };
    assert_eq!((kept.len(), full.bytes), (63, MIB + 16));
    let last = kept.pop().unwrap();
    collect(&mut heap, &kept);
    assert!(!heap.is_object(last));
    assert!(bytes(&mut heap, MIB as u32).is_ok());
    assert!(bytes(&mut heap, u32::MAX).is_err());
    assert!(heap.alloc_array(LONGS, 3, i32::MAX as u32).is_err());
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn the_budget_grows_with_live_data() {
    let mut heap = heap(256 * MIB);
    let kept: Vec<ObjRef> = (0..80).map(|_| bytes(&mut heap, MIB as u32).unwrap()).collect();
    assert!(heap.should_collect());
    collect(&mut heap, &kept);
    assert!(!heap.should_collect());
    for _ in 0..60 {
        bytes(&mut heap, MIB as u32).unwrap();
    }
    assert!(!heap.should_collect());
    for _ in 0..20 {
        bytes(&mut heap, MIB as u32).unwrap();
    }
    assert!(heap.should_collect());
}

#[test]
fn collections_can_be_forced_often() {
    let mut heap = heap(64 * MIB);
    heap.collect_every(Some(1000));
    for _ in 0..20 {
        assert!(!heap.should_collect());
        let kept: Vec<ObjRef> = (0..50)
            .map(|i| node(&mut heap, ObjRef::NULL, ObjRef::NULL, i))
            .collect();
        assert!(heap.should_collect());
        collect(&mut heap, &kept[..1]);
    }
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn a_fragmented_heap_still_takes_large_and_medium_objects() {
    let max = 64 * MIB;
    let mut heap = heap(max);
    // One small survivor in every block.
    let mut kept = Vec::new();
    for i in 0..max / 24 {
        let o = node(&mut heap, ObjRef::NULL, ObjRef::NULL, i);
        if i % 1365 == 0 {
            kept.push(o);
        }
    }
    collect(&mut heap, &kept);
    assert!(heap.committed() > max / 10 * 9);
    let large = bytes(&mut heap, (max / 2) as u32).unwrap();
    kept.push(large);
    let mut medium = 0;
    while heap.alloc_object(WIDE, WIDE_SIZE).is_ok() {
        medium += u64::from(WIDE_SIZE);
    }
    assert!(medium >= max / 10 * 4, "{medium}");
    collect(&mut heap, &kept);
    assert!(
        kept[..kept.len() - 1]
            .iter()
            .enumerate()
            .all(|(i, &o)| heap.get_u64(o, 16) == i as u64 * 1365)
    );
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn resident_memory_follows_live_data() {
    let mut heap = heap(512 * MIB);
    let kept: Vec<ObjRef> = (0..100).map(|_| bytes(&mut heap, MIB as u32).unwrap()).collect();
    assert!(heap.committed() >= 100 * MIB);
    collect(&mut heap, &kept[..10]);
    // What was just in use may soon be needed again; what stays idle goes.
    assert!(heap.committed() >= 100 * MIB);
    for _ in 0..12 {
        collect(&mut heap, &kept[..10]);
    }
    assert!(heap.committed() <= 30 * MIB, "{}", heap.committed());
    let again = bytes(&mut heap, 90 << 20).unwrap();
    assert!(heap.bytes(again).iter().step_by(512).all(|&b| b == 0));
}

#[test]
#[cfg_attr(miri, ignore = "needs too much memory")]
fn lines_behind_a_large_object_are_used() {
    let mut heap = heap(16 * MIB);
    let large = bytes(&mut heap, 17_000).unwrap();
    let small = bytes(&mut heap, 16).unwrap();
    assert!(small > large && small.0 - large.0 < 32 * 1024 / 8);
    // Objects of just over half a block do not cost a block each.
    let mut heap = super::heap(16 * MIB);
    for _ in 0..400 {
        bytes(&mut heap, 17_000).unwrap();
        for _ in 0..400 {
            bytes(&mut heap, 16).unwrap();
        }
    }
    assert!(heap.committed() <= 15 * MIB, "{}", heap.committed());
}
