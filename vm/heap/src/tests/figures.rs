//! Speed, for the eye: `cargo test --release -p poldet-vm --lib heap::tests::figures -- --ignored --nocapture`.

use super::*;

/// Nanoseconds of processor time this thread has used: steadier than the clock on a busy machine.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ')
        .next()
        .and_then(|ns| ns.parse().ok())
        .unwrap_or(0.0)
}

fn resident_kib() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    stat.split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok())
        .unwrap_or(0)
        * 4
}

#[test]
#[ignore = "prints times, asserts nothing"]
fn figures() {
    let before = resident_kib();
    let empty = Heap::new(32 << 30).unwrap();
    println!("an empty heap of 32 GiB: {} KiB", resident_kib() - before);
    drop(empty);
    let mut heap = heap(2 << 30);
    for what in ["fresh", "recycled", "recycled"] {
        let count = 20_000_000u32;
        let (start, mut paused) = (cpu(), 0.0);
        for i in 0..count {
            let o = heap.alloc_object(NODE, NODE_SIZE).unwrap();
            heap.put_u64(o, 16, u64::from(i));
            if what == "recycled" && heap.should_collect() {
                let at = cpu();
                collect(&mut heap, &[]);
                paused += cpu() - at;
            }
        }
        let each = (cpu() - start - paused) / f64::from(count);
        println!(
            "{what}: {each:.2} ns per object of 24 bytes; {:.1} ms collecting",
            paused / 1e6
        );
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
        let start = cpu();
        let stats = collect(&mut heap, &[array]);
        println!(
            "{what}: {} live objects, {:.1} ms",
            stats.live_objects,
            (cpu() - start) / 1e6
        );
    }
    let mut head = ObjRef::NULL;
    for value in 0..5_000_000 {
        head = node(&mut heap, head, ObjRef::NULL, value);
    }
    let start = cpu();
    let stats = collect(&mut heap, &[head]);
    println!(
        "list: {} live objects, {:.1} ms",
        stats.live_objects,
        (cpu() - start) / 1e6
    );
}
