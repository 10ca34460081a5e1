//! Stand-ins for java.util.Arrays and ArraysSupport on primitive arrays; errors are left to the Java code.

use crate::java_lang::decline;
use crate::{Native, instead};
use poldet_vm::classes::class::Kind;
use poldet_vm::heap::ELEMENTS;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::Stop;

const ARRAYS: &str = "java/util/Arrays";
const SUPPORT: &str = "jdk/internal/util/ArraysSupport";

pub const TABLE: &[Native] = &[
    instead(ARRAYS, "copyOf", "([ZI)[Z", copy_of),
    instead(ARRAYS, "copyOf", "([BI)[B", copy_of),
    instead(ARRAYS, "copyOf", "([CI)[C", copy_of),
    instead(ARRAYS, "copyOf", "([SI)[S", copy_of),
    instead(ARRAYS, "copyOf", "([II)[I", copy_of),
    instead(ARRAYS, "copyOf", "([JI)[J", copy_of),
    instead(ARRAYS, "copyOf", "([FI)[F", copy_of),
    instead(ARRAYS, "copyOf", "([DI)[D", copy_of),
    instead(
        ARRAYS,
        "copyOf",
        "([Ljava/lang/Object;I)[Ljava/lang/Object;",
        copy_of,
    ),
    instead(ARRAYS, "copyOfRange", "([ZII)[Z", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([BII)[B", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([CII)[C", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([SII)[S", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([III)[I", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([JII)[J", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([FII)[F", copy_of_range),
    instead(ARRAYS, "copyOfRange", "([DII)[D", copy_of_range),
    instead(
        ARRAYS,
        "copyOfRange",
        "([Ljava/lang/Object;II)[Ljava/lang/Object;",
        copy_of_range,
    ),
    instead(ARRAYS, "fill", "([ZZ)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([BB)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([CC)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([SS)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([II)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([JJ)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([FF)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([DD)V", |c| fill(c, 1, None)),
    instead(ARRAYS, "fill", "([BIIB)V", |c| fill(c, 3, Some(1))),
    instead(ARRAYS, "fill", "([CIIC)V", |c| fill(c, 3, Some(1))),
    instead(ARRAYS, "fill", "([IIII)V", |c| fill(c, 3, Some(1))),
    instead(ARRAYS, "fill", "([JIIJ)V", |c| fill(c, 3, Some(1))),
    instead(ARRAYS, "equals", "([Z[Z)Z", equals),
    instead(ARRAYS, "equals", "([B[B)Z", equals),
    instead(ARRAYS, "equals", "([C[C)Z", equals),
    instead(ARRAYS, "equals", "([S[S)Z", equals),
    instead(ARRAYS, "equals", "([I[I)Z", equals),
    instead(ARRAYS, "equals", "([J[J)Z", equals),
    instead(ARRAYS, "hashCode", "([B)I", hash_bytes),
    instead(ARRAYS, "hashCode", "([C)I", hash_chars),
    instead(ARRAYS, "hashCode", "([S)I", hash_shorts),
    instead(ARRAYS, "hashCode", "([I)I", hash_ints),
    instead(ARRAYS, "hashCode", "([J)I", hash_longs),
    instead(
        SUPPORT,
        "vectorizedMismatch",
        "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        vectorized_mismatch,
    ),
];

fn array(c: &Ctx<'_>, slot: usize) -> Result<ObjRef, Stop> {
    let array = c.obj(slot);
    if array.is_null() {
        Err(decline())
    } else {
        Ok(array)
    }
}

fn copy_of(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let to = c.int(1);
    copy(c, 0, to)
}

fn copy_of_range(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to) = (c.int(1), c.int(2));
    copy(c, from, to)
}

/// A copy of `from..to`, zero past the end of the original.
fn copy(c: &mut Ctx<'_>, from: i32, to: i32) -> Result<u64, Stop> {
    let original = array(c, 0)?;
    let have = c.vm.heap.array_len(original) as i32;
    if from < 0 || from > have || to < from {
        return Err(decline());
    }
    let class = c.vm.class_of(original);
    let copy = c.vm.new_array(class, to - from)?;
    c.vm.heap
        .copy_elements(original, from as u32, copy, 0, (to.min(have) - from) as u32);
    Ok(copy.bits())
}

/// Fills an array, or the range whose bounds stand at slot `bounds`, with the value at slot `value`.
fn fill(c: &mut Ctx<'_>, value: usize, bounds: Option<usize>) -> Result<u64, Stop> {
    let array = array(c, 0)?;
    let bits = c.raw(value);
    let have = c.vm.heap.array_len(array) as usize;
    let (from, to) = match bounds {
        None => (0, have),
        Some(at) => {
            let (from, to) = (c.int(at), c.int(at + 1));
            if from < 0 || to < from || to as usize > have {
                return Err(decline());
            }
            (from as usize, to as usize)
        }
    };
    let Kind::Array { log2, .. } = c.vm.class(c.vm.class_of(array)).kind else {
        return Err(decline());
    };
    match log2 {
        0 => c.vm.heap.bytes_mut(array)[from..to].fill(bits as u8),
        1 => c.vm.heap.chars_mut(array)[from..to].fill(bits as u16),
        2 => c.vm.heap.ints_mut(array)[from..to].fill(bits as i32),
        _ => c.vm.heap.longs_mut(array)[from..to].fill(bits as i64),
    }
    Ok(0)
}

fn equals(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (a, b) = (c.obj(0), c.obj(1));
    if a == b {
        return Ok(boolean(true));
    }
    if a.is_null() || b.is_null() {
        return Ok(boolean(false));
    }
    Ok(boolean(c.vm.heap.load_bytes(a) == c.vm.heap.load_bytes(b)))
}

fn hash(elements: impl Iterator<Item = i32>) -> u64 {
    int(elements.fold(1i32, |h, e| h.wrapping_mul(31).wrapping_add(e)))
}

fn hash_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(hash(
        c.vm.heap
            .load_bytes(array(c, 0)?)
            .iter()
            .map(|&e| i32::from(e as i8)),
    ))
}

fn hash_chars(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(hash(
        c.vm.heap.load_chars(array(c, 0)?).iter().map(|&e| i32::from(e)),
    ))
}

fn hash_shorts(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(hash(
        c.vm.heap.load_shorts(array(c, 0)?).iter().map(|&e| i32::from(e)),
    ))
}

fn hash_ints(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(hash(c.vm.heap.load_ints(array(c, 0)?).iter().copied()))
}

fn hash_longs(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(hash(
        c.vm.heap
            .load_longs(array(c, 0)?)
            .iter()
            .map(|&e| (e ^ (e as u64 >> 32) as i64) as i32),
    ))
}

/// Index of the first element that differs; the complement of the number left unchecked (none) if all are equal.
fn vectorized_mismatch(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (a, b) = (array(c, 0)?, array(c, 3)?);
    let (at_a, at_b, len, log2) = (c.long(1), c.long(4), c.int(6), c.int(7));
    let part = |array: ObjRef, offset: i64| {
        let bytes = c.vm.heap.load_bytes(array);
        let from = usize::try_from(offset - i64::from(ELEMENTS)).ok()?;
        let size = usize::try_from(len).ok()? << log2;
        bytes.get(from..from.checked_add(size)?)
    };
    let (Some(x), Some(y)) = (part(a, at_a), part(b, at_b)) else {
        return Err(decline());
    };
    let differs = x.iter().zip(y).position(|(p, q)| p != q);
    Ok(int(differs.map_or(-1, |i| (i >> log2) as i32)))
}
