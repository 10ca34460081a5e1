//! Stand-ins for the inner loops of java.math.BigInteger, which HotSpot replaces by machine code of its own too.
//! Magnitudes are arrays of 32-bit words, the most significant first.

use crate::java_lang::decline;
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::table::{Native, instead};
use poldet_vm::stop::Stop;

const BIG: &str = "java/math/BigInteger";
const MUTABLE: &str = "java/math/MutableBigInteger";

pub const TABLE: &[Native] = &[
    instead(BIG, "implMultiplyToLen", "([II[II[I)[I", multiply_to_len),
    instead(BIG, "implSquareToLen", "([II[II)[I", square_to_len),
    instead(BIG, "implMulAdd", "([I[IIII)I", mul_add),
    instead(MUTABLE, "mulsub", "([I[IIII)I", mul_sub),
];

/// The first words of an array; the Java body judges what is out of bounds.
fn words(c: &Ctx<'_>, array: ObjRef, len: i32) -> Result<Vec<u32>, Stop> {
    if array.is_null() || len < 1 {
        return Err(decline());
    }
    let ints =
        c.vm.heap
            .load_ints(array)
            .get(..len as usize)
            .ok_or_else(decline)?;
    Ok(ints.iter().map(|w| *w as u32).collect())
}

/// The product, most significant word first.
fn product(x: &[u32], y: &[u32]) -> Vec<i32> {
    let mut z = vec![0u32; x.len() + y.len()];
    for (i, a) in x.iter().enumerate().rev() {
        let mut carry = 0u64;
        for (j, b) in y.iter().enumerate().rev() {
            let sum = u64::from(*a) * u64::from(*b) + u64::from(z[i + j + 1]) + carry;
            z[i + j + 1] = sum as u32;
            carry = sum >> 32;
        }
        z[i] = carry as u32;
    }
    z.into_iter().map(|w| w as i32).collect()
}

fn multiply_to_len(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (x, y) = (words(c, c.obj(0), c.int(1))?, words(c, c.obj(2), c.int(3))?);
    let z = product(&x, &y);
    let mut target = c.obj(4);
    if target.is_null() || (c.vm.heap.array_len(target) as usize) < z.len() {
        target = c.vm.new_prim_array(Prim::Int, z.len() as i32)?;
    }
    c.vm.heap.ints_mut(target)[..z.len()].copy_from_slice(&z);
    Ok(target.bits())
}

fn square_to_len(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (len, target, target_len) = (c.int(1), c.obj(2), c.int(3));
    let x = words(c, c.obj(0), len)?;
    if target.is_null() || i64::from(target_len) != 2 * i64::from(len) {
        return Err(decline());
    }
    let z = product(&x, &x);
    c.vm.heap
        .ints_mut(target)
        .get_mut(..z.len())
        .ok_or_else(decline)?
        .copy_from_slice(&z);
    Ok(target.bits())
}

/// `out += in * k` for the words of `out` that end `offset` before its end; the answer is the carry.
fn mul_add(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (target, offset, k) = (c.obj(0), c.int(2), u64::from(c.int(4) as u32));
    let factor = words(c, c.obj(1), c.int(3))?;
    if target.is_null() || offset < 0 {
        return Err(decline());
    }
    let out = c.vm.heap.ints_mut(target);
    let end = out
        .len()
        .checked_sub(offset as usize)
        .filter(|end| *end >= factor.len())
        .ok_or_else(decline)?;
    let mut carry = 0u64;
    for (out, word) in out[end - factor.len()..end].iter_mut().zip(&factor).rev() {
        let sum = u64::from(*word) * k + u64::from(*out as u32) + carry;
        *out = sum as i32;
        carry = sum >> 32;
    }
    Ok(int(carry as i32))
}

/// `q -= a * x` at an offset, a step of long division; the answer is the borrow.
fn mul_sub(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (target, x, len, offset) = (c.obj(1), u64::from(c.int(3) as u32), c.int(4), c.int(5));
    let factor = words(c, c.obj(2), len)?;
    if target.is_null() || offset < 0 {
        return Err(decline());
    }
    let start = offset as usize + 1;
    let q =
        c.vm.heap
            .ints_mut(target)
            .get_mut(start..start + factor.len())
            .ok_or_else(decline)?;
    let mut carry = 0u64;
    for (q, word) in q.iter_mut().zip(&factor).rev() {
        let product = u64::from(*word) * x + carry;
        let difference = i64::from(*q).wrapping_sub(product as i64);
        *q = difference as i32;
        let borrowed = u64::from(difference as u32) > u64::from(!(product as u32));
        carry = (product >> 32) + u64::from(borrowed);
    }
    Ok(int(carry as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_carry_through() {
        assert_eq!(product(&[u32::MAX, u32::MAX], &[u32::MAX]), [-2, -1, 1]);
        assert_eq!(product(&[1, 0], &[2]), [0, 2, 0]);
    }
}
