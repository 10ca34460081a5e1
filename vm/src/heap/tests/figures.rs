//! Speed, for the eye: `cargo test --release -p poldet-vm --lib heap::tests::figures -- --ignored --nocapture`.

use super::*;
use std::time::Instant;

#[test]
#[ignore = "prints times, asserts nothing"]
fn figures() {
    let mut heap = heap(2 << 30);
    for (what, size) in [("fresh", 24u32), ("recycled", 24), ("recycled", 48)] {
        let count = 20_000_000u32;
        let start = Instant::now();
        let mut paused = std::time::Duration::ZERO;
        for i in 0..count {
            let o = heap.alloc_object(NODE, size).unwrap();
            heap.put_u64(o, 16, u64::from(i));
            if what == "recycled" && heap.should_collect() {
                let at = Instant::now();
                collect(&mut heap, &[]);
                paused += at.elapsed();
            }
        }
        let ns = (start.elapsed() - paused).as_nanos() as f64 / f64::from(count);
        println!("{what} {size} bytes: {ns:.2} ns per object, {paused:?} collecting");
        collect(&mut heap, &[]);
    }
    for (what, scatter) in [("in order", false), ("scattered", true)] {
        let count = 1 << 20;
        let array = heap.alloc_array(OBJECTS, 2, count).unwrap();
        for i in 0..count {
            let o = node(&mut heap, ObjRef::NULL, ObjRef::NULL, u64::from(i));
            let index = if scatter {
                i.wrapping_mul(0x9e37_79b1) % count
            } else {
                i
            };
            heap.elem_put_ref(array, index, o);
        }
        for i in 0..count {
            let (o, left) = (heap.elem_get_ref(array, i), heap.elem_get_ref(array, i / 2));
            heap.put_ref(o, 8, left);
        }
        collect(&mut heap, &[array]);
        let start = Instant::now();
        heap.begin_collection();
        heap.mark_roots(&[array]);
        heap.trace(false);
        let marked = start.elapsed();
        let stats = heap.sweep();
        println!(
            "{what}: {} objects, mark {marked:?}, all {:?}",
            stats.live_objects,
            start.elapsed()
        );
    }
    let mut head = ObjRef::NULL;
    for value in 0..5_000_000 {
        head = node(&mut heap, head, ObjRef::NULL, value);
    }
    let start = Instant::now();
    let stats = collect(&mut heap, &[head]);
    println!("list: {} objects, {:?}", stats.live_objects, start.elapsed());
}
