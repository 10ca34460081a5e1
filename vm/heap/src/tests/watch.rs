//! The write barrier: what it logs, and that the log outlives collections.

use super::*;

#[test]
fn only_watched_objects_are_logged_and_the_log_has_their_old_contents() {
    let mut heap = heap(4 << 20);
    let a = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    let b = node(&mut heap, a, ObjRef::NULL, 8);
    assert!(heap.watch(a) && !heap.watch(a));
    heap.put_u64(b, 16, 80);
    assert!(heap.log().is_empty());
    heap.put_u64(a, 16, 70);
    heap.put_u64(a, 16, 71);
    heap.put_ref(a, 8, b);
    let logged = heap.logged(a).expect("was written");
    assert_eq!((logged.old_bits(16, 8), logged.old_ref(8)), (7, ObjRef::NULL));
    assert_ne!(heap.contents(a), logged.old_bytes());
    assert!(logged.exact_stack_of(16, 24).is_some() && logged.exact_stack_of(12, 16).is_none());
    // An object that something watched came to refer to is followed, but is not part of what was.
    assert!(heap.logged(b).is_some_and(|l| l.fresh));
    heap.clear_log();
    assert!(heap.logged(a).is_none() && heap.is_watched(a));
}

#[test]
fn a_value_that_is_set_back_is_no_difference() {
    let mut heap = heap(4 << 20);
    let a = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 7);
    heap.watch(a);
    heap.put_u64(a, 16, 8);
    heap.put_u64(a, 16, 7);
    assert_eq!(heap.contents(a), heap.logged(a).expect("was written").old_bytes());
}

#[test]
fn array_writes_are_logged_one_by_one_and_in_bulk() {
    let mut heap = heap(4 << 20);
    let one = bytes(&mut heap, 100).unwrap();
    let two = bytes(&mut heap, 100).unwrap();
    for array in [one, two] {
        heap.watch(array);
    }
    heap.elem_put_u8(one, 3, 9);
    heap.copy_elements(one, 0, two, 50, 10);
    let ranges = |o| {
        let logged = heap.logged(o).expect("was written");
        let hit = |i: u32| logged.exact_stack_of(16 + i, 17 + i).is_some();
        (0..100).filter(|i| hit(*i)).collect::<Vec<u32>>()
    };
    assert_eq!(ranges(one), [3]);
    assert_eq!(ranges(two), (50..60).collect::<Vec<u32>>());
    heap.bytes_mut(one)[0] = 1;
    assert_eq!(heap.logged(one).map(|l| l.old_bytes()[8]), Some(0));
}

#[test]
fn what_the_log_refers_to_survives_and_dead_objects_are_watched_no_more() {
    let mut heap = heap(4 << 20);
    let child = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 5);
    let root = node(&mut heap, child, ObjRef::NULL, 1);
    let lost = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 6);
    for o in [child, root, lost] {
        heap.watch(o);
    }
    heap.put_ref(root, 8, ObjRef::NULL);
    collect(&mut heap, &[root]);
    assert!(heap.is_object(child) && heap.is_watched(child));
    assert_eq!(heap.logged(root).map(|l| l.old_ref(8)), Some(child));
    assert!(!heap.is_watched(lost));
    // A new object in the old one's place starts unwatched.
    heap.clear_log();
    collect(&mut heap, &[root]);
    for _ in 0..64 {
        let o = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 2);
        assert!(!heap.is_watched(o));
    }
}

#[test]
fn references_cleared_by_the_collector_are_no_writes() {
    let mut heap = heap(4 << 20);
    let referent = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 5);
    let weak = reference(&mut heap, WEAK, referent);
    heap.watch(weak);
    // Logged for another reason before the referent goes.
    heap.put_ref(weak, QUEUE, weak);
    collect(&mut heap, &[weak]);
    let logged = heap.logged(weak).expect("was written");
    assert_eq!(
        (heap.get_ref(weak, REFERENT), logged.old_ref(REFERENT)),
        (ObjRef::NULL, ObjRef::NULL)
    );
}

#[test]
fn what_only_the_state_before_has_is_as_it_was_and_weak_references_let_it_go() {
    let mut heap = heap(4 << 20);
    let part = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 5);
    let old = node(&mut heap, part, ObjRef::NULL, 7);
    let root = node(&mut heap, old, ObjRef::NULL, 1);
    let weak = reference(&mut heap, WEAK, old);
    for o in [part, old, root] {
        heap.watch(o);
    }
    let new = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 6);
    heap.put_ref(old, 8, new);
    heap.put_ref(root, 8, ObjRef::NULL);
    collect(&mut heap, &[root, weak]);
    assert_eq!(heap.get_ref(weak, REFERENT), ObjRef::NULL);
    assert_eq!((heap.get_ref(old, 8), heap.get_u64(old, 16)), (part, 7));
    assert!(heap.is_object(part) && !heap.is_object(new));
}
