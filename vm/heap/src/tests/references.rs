//! The strengths of java.lang.ref References.

use super::*;

#[test]
fn weak_references_are_cleared_and_reported() {
    let mut heap = heap(8 << 20);
    let gone = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let kept = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 2);
    let a = reference(&mut heap, WEAK, gone);
    let b = reference(&mut heap, WEAK, kept);
    let c = reference(&mut heap, WEAK, gone);
    let unreached = reference(&mut heap, WEAK, gone);
    let root = heap.alloc_array(OBJECTS, 2, 3).unwrap();
    heap.refs_mut(root).copy_from_slice(&[a, b, c]);
    let mut pending = mark(&mut heap, &[root, kept], false);
    assert!(!heap.is_marked(gone) && !heap.is_marked(unreached));
    heap.sweep();
    pending.sort();
    assert_eq!(pending, [a, c]);
    assert!(heap.get_ref(a, REFERENT).is_null() && heap.get_ref(c, REFERENT).is_null());
    assert_eq!(heap.get_ref(b, REFERENT), kept);
    assert!(!heap.is_object(gone) && !heap.is_object(unreached));
    assert!(mark(&mut heap, &[root, kept], false).is_empty());
    heap.sweep();
}

#[test]
fn soft_references_are_cleared_on_demand_only() {
    let mut heap = heap(8 << 20);
    let inner = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let value = node(&mut heap, inner, ObjRef::NULL, 1);
    let soft = reference(&mut heap, SOFT, value);
    assert!(mark(&mut heap, &[soft], false).is_empty());
    assert_eq!(heap.sweep().live_objects, 3);
    assert_eq!(heap.get_ref(soft, REFERENT), value);
    assert_eq!(mark(&mut heap, &[soft], true), [soft]);
    assert_eq!(heap.sweep().live_objects, 1);
    assert!(heap.get_ref(soft, REFERENT).is_null());
}

#[test]
fn finalizable_objects_come_back_once_with_all_they_reach() {
    let mut heap = heap(8 << 20);
    let inner = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let inner_weak = reference(&mut heap, WEAK, inner);
    let other = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 4);
    let other_weak = reference(&mut heap, WEAK, other);
    let value = node(&mut heap, inner, other_weak, 2);
    let finalizer = reference(&mut heap, FINAL, value);
    let weak = reference(&mut heap, WEAK, value);
    let phantom = reference(&mut heap, PHANTOM, value);
    let roots = [finalizer, weak, phantom, inner_weak];

    let pending = mark(&mut heap, &roots, false);
    heap.sweep();
    // Weak ones go before finalization, the phantom one waits for it; what the dead object itself refers to weakly
    // is left alone while it awaits its finalizer.
    assert_eq!(pending.len(), 3);
    assert!(pending[..2].contains(&weak) && pending[..2].contains(&inner_weak));
    assert_eq!(pending[2], finalizer);
    assert!(heap.get_ref(weak, REFERENT).is_null() && heap.get_ref(inner_weak, REFERENT).is_null());
    assert_eq!(
        (heap.get_ref(finalizer, REFERENT), heap.get_ref(finalizer, NEXT)),
        (value, finalizer)
    );
    assert_eq!(heap.get_ref(phantom, REFERENT), value);
    assert_eq!(heap.get_ref(other_weak, REFERENT), other);
    assert!(heap.is_object(inner));

    // The inactive FinalReference holds its referent like any field would.
    let pending = mark(&mut heap, &roots, false);
    heap.sweep();
    assert_eq!(pending, [other_weak]);
    assert!(heap.is_object(value) && !heap.is_object(other));

    // The finalizer thread clears and drops it; then the phantom reference is due.
    heap.put_ref(finalizer, REFERENT, ObjRef::NULL);
    assert_eq!(mark(&mut heap, &[phantom], false), [phantom]);
    heap.sweep();
    assert!(heap.get_ref(phantom, REFERENT).is_null());
    assert_eq!(all_objects(&heap), [phantom]);
}

#[test]
fn finalizable_objects_that_reach_each_other_are_all_reported() {
    let mut heap = heap(8 << 20);
    let first = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let second = node(&mut heap, first, ObjRef::NULL, 2);
    heap.put_ref(first, 8, second);
    let f1 = reference(&mut heap, FINAL, first);
    let f2 = reference(&mut heap, FINAL, second);
    let mut pending = mark(&mut heap, &[f1, f2], false);
    heap.sweep();
    pending.sort();
    assert_eq!(pending, [f1, f2]);
}

#[test]
fn inactive_references_are_ordinary_objects() {
    let mut heap = heap(8 << 20);
    for class in [SOFT, WEAK, FINAL, PHANTOM] {
        let value = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
        let inactive = reference(&mut heap, class, value);
        heap.put_ref(inactive, NEXT, inactive);
        assert!(mark(&mut heap, &[inactive], true).is_empty());
        heap.sweep();
        assert_eq!(heap.get_ref(inactive, REFERENT), value);
        assert!(heap.is_object(value));
    }
}

#[test]
fn a_referent_reached_later_in_marking_stays() {
    let mut heap = heap(8 << 20);
    let value = node(&mut heap, ObjRef::NULL, ObjRef::NULL, 1);
    let mut chain = value;
    for i in 0..100 {
        chain = node(&mut heap, chain, ObjRef::NULL, i);
    }
    for class in [SOFT, WEAK, FINAL, PHANTOM] {
        let r = reference(&mut heap, class, value);
        assert!(mark(&mut heap, &[chain, r], true).is_empty());
        heap.sweep();
        assert_eq!(heap.get_ref(r, REFERENT), value);
    }
}

#[test]
fn pending_references_link_through_discovered() {
    let mut heap = heap(8 << 20);
    let second = reference(&mut heap, WEAK, ObjRef::NULL);
    let first = reference(&mut heap, WEAK, ObjRef::NULL);
    heap.put_ref(first, DISCOVERED, second);
    collect(&mut heap, &[first]);
    assert_eq!(all_objects(&heap), [second, first]);
}
