//! java.lang.Math: the methods HotSpot has code of its own for.

use super::math_wide;
use crate::{Native, instead};
use poldet_vm::natives::ctx::{Ctx, double, float, int, long};
use poldet_vm::stop::Stop;

const MATH: &str = "java/lang/Math";
const STRICT: &str = "java/lang/StrictMath";

pub const TABLE: &[Native] = &[
    instead(MATH, "sin", "(D)D", |c| unary(c, math_wide::sin)),
    instead(MATH, "cos", "(D)D", |c| unary(c, math_wide::cos)),
    instead(MATH, "tan", "(D)D", |c| unary(c, math_wide::tan)),
    instead(MATH, "exp", "(D)D", |c| unary(c, math_wide::exp)),
    instead(MATH, "log", "(D)D", |c| unary(c, math_wide::log)),
    instead(MATH, "log10", "(D)D", |c| unary(c, math_wide::log10)),
    instead(MATH, "pow", "(DD)D", |c| {
        Ok(double(math_wide::pow(c.double(0), c.double(2))))
    }),
    instead(MATH, "sqrt", "(D)D", |c| unary(c, f64::sqrt)),
    instead(MATH, "floor", "(D)D", |c| unary(c, f64::floor)),
    instead(MATH, "ceil", "(D)D", |c| unary(c, f64::ceil)),
    instead(MATH, "rint", "(D)D", |c| unary(c, f64::round_ties_even)),
    instead(STRICT, "floor", "(D)D", |c| unary(c, f64::floor)),
    instead(STRICT, "ceil", "(D)D", |c| unary(c, f64::ceil)),
    instead(STRICT, "rint", "(D)D", |c| unary(c, f64::round_ties_even)),
    instead(MATH, "fma", "(DDD)D", |c| {
        Ok(double(c.double(0).mul_add(c.double(2), c.double(4))))
    }),
    instead(MATH, "fma", "(FFF)F", |c| {
        Ok(float(c.float(0).mul_add(c.float(1), c.float(2))))
    }),
    instead(MATH, "abs", "(D)D", |c| unary(c, f64::abs)),
    instead(MATH, "abs", "(F)F", |c| Ok(float(c.float(0).abs()))),
    instead(MATH, "abs", "(I)I", |c| Ok(int(c.int(0).wrapping_abs()))),
    instead(MATH, "abs", "(J)J", |c| Ok(long(c.long(0).wrapping_abs()))),
    instead(MATH, "max", "(II)I", |c| Ok(int(c.int(0).max(c.int(1))))),
    instead(MATH, "min", "(II)I", |c| Ok(int(c.int(0).min(c.int(1))))),
    instead(MATH, "max", "(JJ)J", |c| Ok(long(c.long(0).max(c.long(2))))),
    instead(MATH, "min", "(JJ)J", |c| Ok(long(c.long(0).min(c.long(2))))),
    instead("java/lang/Integer", "bitCount", "(I)I", |c| {
        Ok(u64::from(c.int(0).count_ones()))
    }),
    instead("java/lang/Integer", "numberOfLeadingZeros", "(I)I", |c| {
        Ok(u64::from(c.int(0).leading_zeros()))
    }),
    instead("java/lang/Integer", "numberOfTrailingZeros", "(I)I", |c| {
        Ok(u64::from(c.int(0).trailing_zeros()))
    }),
    instead("java/lang/Integer", "reverseBytes", "(I)I", |c| {
        Ok(int(c.int(0).swap_bytes()))
    }),
    instead("java/lang/Long", "bitCount", "(J)I", |c| {
        Ok(u64::from(c.long(0).count_ones()))
    }),
    instead("java/lang/Long", "numberOfLeadingZeros", "(J)I", |c| {
        Ok(u64::from(c.long(0).leading_zeros()))
    }),
    instead("java/lang/Long", "numberOfTrailingZeros", "(J)I", |c| {
        Ok(u64::from(c.long(0).trailing_zeros()))
    }),
    instead("java/lang/Long", "reverseBytes", "(J)J", |c| {
        Ok(long(c.long(0).swap_bytes()))
    }),
    instead(MATH, "multiplyHigh", "(JJ)J", multiply_high),
];

fn unary(c: &mut Ctx<'_>, f: fn(f64) -> f64) -> Result<u64, Stop> {
    Ok(double(f(c.double(0))))
}

fn multiply_high(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(long(
        ((i128::from(c.long(0)) * i128::from(c.long(2))) >> 64) as i64,
    ))
}
