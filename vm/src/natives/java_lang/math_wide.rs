//! Elementary functions in twice the precision of a double, rounded once at the end.
//!
//! A `Wide` is the unevaluated sum of two doubles, some 106 bits. HotSpot computes Math.sin and its like with code of
//! its processor's vendor, whose results are the correctly rounded ones in all but rare cases; these functions give
//! the correctly rounded ones.

use super::strict_math;

#[derive(Clone, Copy)]
struct Wide {
    hi: f64,
    lo: f64,
}

/// The sum of two doubles, exactly.
fn two_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    let bb = hi - a;
    Wide {
        hi,
        lo: (a - (hi - bb)) + (b - bb),
    }
}

/// The same for |a| >= |b|.
fn quick_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    Wide { hi, lo: b - (hi - a) }
}

/// The product of two doubles, exactly.
fn two_product(a: f64, b: f64) -> Wide {
    let hi = a * b;
    Wide {
        hi,
        lo: a.mul_add(b, -hi),
    }
}

impl Wide {
    const fn of(hi: f64) -> Wide {
        Wide { hi, lo: 0.0 }
    }

    fn add(self, other: Wide) -> Wide {
        let s = two_sum(self.hi, other.hi);
        let t = two_sum(self.lo, other.lo);
        let s = quick_sum(s.hi, s.lo + t.hi);
        quick_sum(s.hi, s.lo + t.lo)
    }

    fn neg(self) -> Wide {
        Wide {
            hi: -self.hi,
            lo: -self.lo,
        }
    }

    fn mul(self, other: Wide) -> Wide {
        let p = two_product(self.hi, other.hi);
        quick_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }

    fn scale(self, by: f64) -> Wide {
        let p = two_product(self.hi, by);
        quick_sum(p.hi, self.lo.mul_add(by, p.lo))
    }

    fn div(self, other: Wide) -> Wide {
        let q1 = self.hi / other.hi;
        let r = self.add(other.scale(-q1));
        let q2 = r.hi / other.hi;
        let r = r.add(other.scale(-q2));
        let q3 = r.hi / other.hi;
        quick_sum(q1, q2).add(Wide::of(q3))
    }

    /// Both parts times a power of two that keeps them normal.
    fn times_exact(self, power: f64) -> Wide {
        Wide {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }
}

const LN2: Wide = Wide {
    hi: f64::from_bits(0x3fe6_2e42_fefa_39ef),
    lo: f64::from_bits(0x3c7a_bc9e_3b39_803f),
};
/// What is left of ln 2 after `LN2`.
const LN2_REST: f64 = f64::from_bits(0x3907_b57a_079a_1934);
const INV_LN10: Wide = Wide {
    hi: f64::from_bits(0x3fdb_cb7b_1526_e50e),
    lo: f64::from_bits(0x3c69_5355_baaa_fad3),
};

/// Reciprocals of factorials, 1/3! first.
const INV_FACTORIALS: [Wide; 26] = [
    Wide {
        hi: f64::from_bits(0x3fc5_5555_5555_5555),
        lo: f64::from_bits(0x3c65_5555_5555_5555),
    },
    Wide {
        hi: f64::from_bits(0x3fa5_5555_5555_5555),
        lo: f64::from_bits(0x3c45_5555_5555_5555),
    },
    Wide {
        hi: f64::from_bits(0x3f81_1111_1111_1111),
        lo: f64::from_bits(0x3c01_1111_1111_1111),
    },
    Wide {
        hi: f64::from_bits(0x3f56_c16c_16c1_6c17),
        lo: f64::from_bits(0xbbef_49f4_9f49_f49f),
    },
    Wide {
        hi: f64::from_bits(0x3f2a_01a0_1a01_a01a),
        lo: f64::from_bits(0x3b6a_01a0_1a01_a01a),
    },
    Wide {
        hi: f64::from_bits(0x3efa_01a0_1a01_a01a),
        lo: f64::from_bits(0x3b3a_01a0_1a01_a01a),
    },
    Wide {
        hi: f64::from_bits(0x3ec7_1de3_a556_c734),
        lo: f64::from_bits(0xbb6c_154f_8ddc_6c00),
    },
    Wide {
        hi: f64::from_bits(0x3e92_7e4f_b778_9f5c),
        lo: f64::from_bits(0x3b3c_bbc0_5b4f_a99a),
    },
    Wide {
        hi: f64::from_bits(0x3e5a_e645_67f5_44e4),
        lo: f64::from_bits(0xbafc_062e_06d1_f209),
    },
    Wide {
        hi: f64::from_bits(0x3e21_eed8_eff8_d898),
        lo: f64::from_bits(0xbac2_aec9_59e1_4c06),
    },
    Wide {
        hi: f64::from_bits(0x3de6_1246_13a8_6d09),
        lo: f64::from_bits(0x3a8f_28e0_cc74_8ebe),
    },
    Wide {
        hi: f64::from_bits(0x3da9_3974_a8c0_7c9d),
        lo: f64::from_bits(0x3a30_5d6f_8a2e_fd1f),
    },
    Wide {
        hi: f64::from_bits(0x3d6a_e7f3_e733_b81f),
        lo: f64::from_bits(0x39e1_d865_6b0e_e8cb),
    },
    Wide {
        hi: f64::from_bits(0x3d2a_e7f3_e733_b81f),
        lo: f64::from_bits(0x39a1_d865_6b0e_e8cb),
    },
    Wide {
        hi: f64::from_bits(0x3ce9_52c7_7030_ad4a),
        lo: f64::from_bits(0x398a_c981_465d_dc6c),
    },
    Wide {
        hi: f64::from_bits(0x3ca6_8278_63b9_7d97),
        lo: f64::from_bits(0x394e_ec01_221a_8b0b),
    },
    Wide {
        hi: f64::from_bits(0x3c62_f49b_4681_4157),
        lo: f64::from_bits(0x38f2_650f_61db_dcb4),
    },
    Wide {
        hi: f64::from_bits(0x3c1e_542b_a402_0225),
        lo: f64::from_bits(0x387e_a72b_4afe_3c2f),
    },
    Wide {
        hi: f64::from_bits(0x3bd7_1b8e_f6dc_f572),
        lo: f64::from_bits(0xb87d_043a_e40c_4647),
    },
    Wide {
        hi: f64::from_bits(0x3b90_ce39_6db7_f853),
        lo: f64::from_bits(0xb83a_ebcd_bd20_331c),
    },
    Wide {
        hi: f64::from_bits(0x3b47_61b4_1316_381a),
        lo: f64::from_bits(0xb7d3_423c_7d91_404f),
    },
    Wide {
        hi: f64::from_bits(0x3aff_2cf0_1972_f578),
        lo: f64::from_bits(0xb789_ada5_fcc1_ab14),
    },
    Wide {
        hi: f64::from_bits(0x3ab3_f3cc_dd16_5fa9),
        lo: f64::from_bits(0xb745_8dda_df34_4487),
    },
    Wide {
        hi: f64::from_bits(0x3a68_8e85_fc6a_4e5a),
        lo: f64::from_bits(0xb707_1c37_ebd1_6540),
    },
    Wide {
        hi: f64::from_bits(0x3a1d_1ab1_c2dc_cea3),
        lo: f64::from_bits(0x36a0_54d0_c78a_ea14),
    },
    Wide {
        hi: f64::from_bits(0x39d0_a18a_2635_085d),
        lo: f64::from_bits(0x366b_9e2e_28e1_aa54),
    },
];

/// e^r - 1 for |r| below 0.006, by its series.
fn small_expm1(r: Wide) -> Wide {
    let mut sum = INV_FACTORIALS[5];
    for term in INV_FACTORIALS[..5].iter().rev() {
        sum = sum.mul(r).add(*term);
    }
    let square = r.mul(r);
    r.add(square.times_exact(0.5)).add(square.mul(r).mul(sum))
}

/// e^x as (wide, power of two), for |x| below 1100.
fn exp_wide(x: Wide) -> (Wide, i32) {
    let k = (x.hi * std::f64::consts::LOG2_E).round_ties_even();
    let r = x.add(LN2.scale(-k)).add(two_product(LN2_REST, -k));
    // e^r = (e^(r/64))^64, kept as its distance from one while squaring.
    let mut e = small_expm1(r.times_exact(1.0 / 64.0));
    for _ in 0..6 {
        e = e.times_exact(2.0).add(e.mul(e));
    }
    (e.add(Wide::of(1.0)), k as i32)
}

/// The double nearest to v * 2^k.
fn round(v: Wide, k: i32) -> f64 {
    let sum = v.hi + v.lo;
    let exponent = ((sum.to_bits() >> 52) & 0x7ff) as i32 - 1023 + k;
    if exponent > 1023 {
        return f64::INFINITY.copysign(sum);
    }
    if exponent >= -1021 {
        return f64::from_bits((sum.to_bits() as i64 + (i64::from(k) << 52)) as u64);
    }
    if exponent < -1080 {
        return 0.0f64.copysign(sum);
    }
    // The result is subnormal: round once, to a multiple of the smallest double.
    let shift = |v: f64| v * f64::from_bits(((k + 1074 + 1023) as u64) << 52);
    let (whole, rest) = (shift(v.hi.abs()), shift(if v.hi < 0.0 { -v.lo } else { v.lo }));
    let mut n = whole.round_ties_even();
    let off = (whole - n) + rest;
    let half_way = (whole - n).abs() == 0.5;
    if off > 0.5 || (half_way && whole > n && rest > 0.0) {
        n += 1.0;
    } else if off < -0.5 || (half_way && whole < n && rest < 0.0) {
        n -= 1.0;
    }
    f64::from_bits(n as u64).copysign(v.hi)
}

pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.8 {
        return f64::INFINITY;
    }
    if x < -745.2 {
        return 0.0;
    }
    if x.abs() < 1.0e-17 {
        return 1.0 + x;
    }
    let (v, k) = exp_wide(Wide::of(x));
    round(v, k)
}

/// ln x for positive finite x.
fn log_wide(x: f64) -> Wide {
    let f = x - 1.0;
    if f.abs() < 1.0 / 128.0 {
        // 2 artanh(f / (2 + f)); near one the general way would lose what matters.
        let f = Wide::of(f);
        let s = f.div(f.add(Wide::of(2.0)));
        let square = s.mul(s);
        let mut sum = Wide::of(1.0).div(Wide::of(17.0));
        for n in [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
            sum = sum.mul(square).add(Wide::of(1.0).div(Wide::of(n)));
        }
        let tail = s.mul(square).mul(sum);
        return s.add(tail).times_exact(2.0);
    }
    // x = m * 2^k with m in [1, 2); one Newton step on ln m.
    let (x, shift) = if x < f64::MIN_POSITIVE {
        (x * 18_014_398_509_481_984.0, 54)
    } else {
        (x, 0)
    };
    let mut k = ((x.to_bits() >> 52) as i32) - 1023;
    let mut m = f64::from_bits(x.to_bits() & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        k += 1;
    }
    let guess = strict_math::log(m);
    let (e, scale) = exp_wide(Wide::of(-guess));
    let t = e
        .scale(m * f64::from_bits(((1023 + scale) as u64) << 52))
        .add(Wide::of(-1.0));
    let t = t.add(t.mul(t).times_exact(-0.5));
    let k = f64::from(k - shift);
    LN2.scale(k)
        .add(two_product(LN2_REST, k))
        .add(Wide::of(guess))
        .add(t)
}

pub fn log(x: f64) -> f64 {
    match log_special(x) {
        Some(special) => special,
        None => log_wide(x).hi,
    }
}

fn log_special(x: f64) -> Option<f64> {
    if x.is_nan() || x < 0.0 {
        return Some(f64::NAN);
    }
    if x == 0.0 {
        return Some(f64::NEG_INFINITY);
    }
    if x == f64::INFINITY {
        return Some(x);
    }
    (x == 1.0).then_some(0.0)
}

pub fn log10(x: f64) -> f64 {
    match log_special(x) {
        Some(special) => special,
        None => log_wide(x).mul(INV_LN10).hi,
    }
}

pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let integral = y.abs() >= 4_503_599_627_370_496.0 || y.trunc() == y;
    let odd = integral && y.abs() < 9_007_199_254_740_992.0 && y as i64 & 1 != 0;
    let a = x.abs();
    let sign = if odd && x.is_sign_negative() { -1.0 } else { 1.0 };
    if y.is_infinite() {
        return if a == 1.0 {
            f64::NAN
        } else if (a > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
    }
    if a == 0.0 || a.is_infinite() {
        let large = (a == 0.0) == (y < 0.0);
        return sign * if large { f64::INFINITY } else { 0.0 };
    }
    if x < 0.0 && !integral {
        return f64::NAN;
    }
    if a == 1.0 {
        return sign;
    }
    let log = log_wide(a);
    // Tested before the exact product, whose parts could overflow.
    if log.hi * y > 709.9 {
        return sign * f64::INFINITY;
    }
    if log.hi * y < -745.3 {
        return sign * 0.0;
    }
    let product = log.scale(y);
    if product.hi.abs() < 1.0e-17 {
        return sign * (1.0 + product.hi);
    }
    let (v, k) = exp_wide(product);
    sign * round(v, k)
}

/// Quadrant and rest of an angle.
fn quadrant(x: f64) -> (i32, Wide) {
    if x.abs() <= std::f64::consts::FRAC_PI_4 {
        return (0, Wide::of(x));
    }
    const PIO2: [f64; 4] = [
        f64::from_bits(0x3ff9_21fb_5444_2d18),
        f64::from_bits(0x3c91_a626_3314_5c07),
        f64::from_bits(0xb91f_1976_b7ed_8fbc),
        f64::from_bits(0x35b4_cf98_e804_177d),
    ];
    if x.abs() < 1.0e5 {
        let n = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
        let mut rest = Wide::of(x);
        for part in PIO2 {
            rest = rest.add(two_product(part, -n));
        }
        return (n as i32, rest);
    }
    let (n, head, tail) = strict_math::rem_pio2(x);
    (n, quick_sum(head, tail))
}

fn sin_series(r: Wide) -> Wide {
    let square = r.mul(r);
    // x - x^3/3! + x^5/5! ...: odd factorials.
    let mut sum = INV_FACTORIALS[24];
    let mut i = 24;
    while i >= 2 {
        i -= 2;
        sum = sum.mul(square).neg().add(INV_FACTORIALS[i]);
    }
    r.add(r.mul(square).mul(sum).neg())
}

fn cos_series(r: Wide) -> Wide {
    let square = r.mul(r);
    // 1 - x^2/2 + x^4/4! - ...: even factorials from 4! on.
    let mut sum = INV_FACTORIALS[25];
    let mut i = 25;
    while i >= 3 {
        i -= 2;
        sum = sum.mul(square).neg().add(INV_FACTORIALS[i]);
    }
    let tail = square.mul(square).mul(sum);
    Wide::of(1.0).add(square.times_exact(-0.5)).add(tail)
}

pub fn sin(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if x.abs() < 1.0e-8 {
        return strict_math::sin(x);
    }
    let (n, r) = quadrant(x);
    match n & 3 {
        0 => sin_series(r).hi,
        1 => cos_series(r).hi,
        2 => -sin_series(r).hi,
        _ => -cos_series(r).hi,
    }
}

pub fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (n, r) = quadrant(x);
    match n & 3 {
        0 => cos_series(r).hi,
        1 => -sin_series(r).hi,
        2 => -cos_series(r).hi,
        _ => sin_series(r).hi,
    }
}

pub fn tan(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    if x.abs() < 1.0e-8 {
        return strict_math::tan(x);
    }
    let (n, r) = quadrant(x);
    let (s, c) = (sin_series(r), cos_series(r));
    if n & 1 == 0 {
        s.div(c).hi
    } else {
        c.div(s).neg().hi
    }
}
