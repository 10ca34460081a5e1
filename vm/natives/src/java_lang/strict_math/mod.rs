//! StrictMath: the functions of the freely distributable math library, to the last bit.
//!
//! Each function follows the algorithm Java's specification names as its definition: the same reductions, the same
//! polynomials, the same order of operations. `hi` and `lo` are the two words of a double.

mod exponential;
mod inverse;
mod reduction;
mod trigonometric;

pub(super) use reduction::rem_pio2;

pub use exponential::{cosh, exp, expm1, log, log1p, log10, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use trigonometric::{cos, sin, tan};

use crate::{Native, native};
use poldet_vm::natives::ctx::{Ctx, double};
use poldet_vm::stop::Stop;

const STRICT: &str = "java/lang/StrictMath";

pub const TABLE: &[Native] = &[
    native(STRICT, "sin", "(D)D", |c| unary(c, sin)).leaf(),
    native(STRICT, "cos", "(D)D", |c| unary(c, cos)).leaf(),
    native(STRICT, "tan", "(D)D", |c| unary(c, tan)).leaf(),
    native(STRICT, "asin", "(D)D", |c| unary(c, asin)).leaf(),
    native(STRICT, "acos", "(D)D", |c| unary(c, acos)).leaf(),
    native(STRICT, "atan", "(D)D", |c| unary(c, atan)).leaf(),
    native(STRICT, "log", "(D)D", |c| unary(c, log)).leaf(),
    native(STRICT, "log10", "(D)D", |c| unary(c, log10)).leaf(),
    native(STRICT, "log1p", "(D)D", |c| unary(c, log1p)).leaf(),
    native(STRICT, "expm1", "(D)D", |c| unary(c, expm1)).leaf(),
    native(STRICT, "sinh", "(D)D", |c| unary(c, sinh)).leaf(),
    native(STRICT, "cosh", "(D)D", |c| unary(c, cosh)).leaf(),
    native(STRICT, "tanh", "(D)D", |c| unary(c, tanh)).leaf(),
    native(STRICT, "sqrt", "(D)D", |c| unary(c, f64::sqrt)).leaf(),
    native(STRICT, "atan2", "(DD)D", |c| {
        Ok(double(atan2(c.double(0), c.double(2))))
    })
    .leaf(),
    native(STRICT, "IEEEremainder", "(DD)D", |c| {
        Ok(double(ieee_remainder(c.double(0), c.double(2))))
    })
    .leaf(),
];

/// A function of one double on the first argument.
fn unary(c: &mut Ctx<'_>, f: fn(f64) -> f64) -> Result<u64, Stop> {
    Ok(double(f(c.double(0))))
}

fn hi(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn lo(x: f64) -> u32 {
    x.to_bits() as u32
}

fn words(hi: i32, lo: u32) -> f64 {
    f64::from_bits(u64::from(hi as u32) << 32 | u64::from(lo))
}

/// The double with its low word cleared.
fn head(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

fn add_hi(x: f64, add: i32) -> f64 {
    words(hi(x).wrapping_add(add), lo(x))
}

/// High word without the sign.
fn abs_hi(x: f64) -> i32 {
    hi(x) & 0x7fff_ffff
}

const TWO54: f64 = 18_014_398_509_481_984.0;
const TWO24: f64 = 16_777_216.0;
const TWON24: f64 = 1.0 / TWO24;

/// The remainder of x / p with the quotient rounded to nearest, ties to even: exact by definition.
pub fn ieee_remainder(x: f64, p: f64) -> f64 {
    if p == 0.0 || !x.is_finite() || p.is_nan() {
        return f64::NAN;
    }
    let sign = x.to_bits() & (1 << 63);
    let p = p.abs();
    // Reduced by 2p first, the quotient left over is 0 or 1 before rounding.
    let mut r = if p <= f64::MAX / 2.0 {
        (x % (p + p)).abs()
    } else {
        x.abs()
    };
    if x.abs() == p {
        return 0.0 * x;
    }
    if p < f64::MIN_POSITIVE * 2.0 {
        if r + r > p {
            r -= p;
            if r + r >= p {
                r -= p;
            }
        }
    } else {
        let half = 0.5 * p;
        if r > half {
            r -= p;
            if r >= half {
                r -= p;
            }
        }
    }
    f64::from_bits(r.to_bits() ^ sign)
}
