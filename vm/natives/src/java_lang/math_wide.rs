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

/// A constant by the bits of its parts.
const fn wide(hi: u64, lo: u64) -> Wide {
    Wide {
        hi: f64::from_bits(hi),
        lo: f64::from_bits(lo),
    }
}

const LN2: Wide = wide(0x3fe6_2e42_fefa_39ef, 0x3c7a_bc9e_3b39_803f);
/// What is left of ln 2 after `LN2`.
const LN2_REST: f64 = f64::from_bits(0x3907_b57a_079a_1934);
const INV_LN10: Wide = wide(0x3fdb_cb7b_1526_e50e, 0x3c69_5355_baaa_fad3);

const THIRD: Wide = wide(0x3fd5_5555_5555_5555, 0x3c75_5555_5555_5555);

/// Reciprocals of factorials, 1/3! first.
const INV_FACTORIALS: [Wide; 22] = [
    wide(0x3fc5_5555_5555_5555, 0x3c65_5555_5555_5555),
    wide(0x3fa5_5555_5555_5555, 0x3c45_5555_5555_5555),
    wide(0x3f81_1111_1111_1111, 0x3c01_1111_1111_1111),
    wide(0x3f56_c16c_16c1_6c17, 0xbbef_49f4_9f49_f49f),
    wide(0x3f2a_01a0_1a01_a01a, 0x3b6a_01a0_1a01_a01a),
    wide(0x3efa_01a0_1a01_a01a, 0x3b3a_01a0_1a01_a01a),
    wide(0x3ec7_1de3_a556_c734, 0xbb6c_154f_8ddc_6c00),
    wide(0x3e92_7e4f_b778_9f5c, 0x3b3c_bbc0_5b4f_a99a),
    wide(0x3e5a_e645_67f5_44e4, 0xbafc_062e_06d1_f209),
    wide(0x3e21_eed8_eff8_d898, 0xbac2_aec9_59e1_4c06),
    wide(0x3de6_1246_13a8_6d09, 0x3a8f_28e0_cc74_8ebe),
    wide(0x3da9_3974_a8c0_7c9d, 0x3a30_5d6f_8a2e_fd1f),
    wide(0x3d6a_e7f3_e733_b81f, 0x39e1_d865_6b0e_e8cb),
    wide(0x3d2a_e7f3_e733_b81f, 0x39a1_d865_6b0e_e8cb),
    wide(0x3ce9_52c7_7030_ad4a, 0x398a_c981_465d_dc6c),
    wide(0x3ca6_8278_63b9_7d97, 0x394e_ec01_221a_8b0b),
    wide(0x3c62_f49b_4681_4157, 0x38f2_650f_61db_dcb4),
    wide(0x3c1e_542b_a402_0225, 0x387e_a72b_4afe_3c2f),
    wide(0x3bd7_1b8e_f6dc_f572, 0xb87d_043a_e40c_4647),
    wide(0x3b90_ce39_6db7_f853, 0xb83a_ebcd_bd20_331c),
    wide(0x3b47_61b4_1316_381a, 0xb7d3_423c_7d91_404f),
    wide(0x3aff_2cf0_1972_f578, 0xb789_ada5_fcc1_ab14),
];

/// e^r - 1 for |r| below 0.006: beyond the square, doubles are precise enough.
fn small_expm1(r: Wide) -> Wide {
    let x = r.hi;
    let rest = x
        * x
        * x
        * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0)))));
    let square = r.mul(r).times_exact(0.5);
    r.add(quick_sum(square.hi, square.lo + rest))
}

/// e^x as (wide, power of two), for |x| below 1100.
fn exp_wide(x: Wide) -> (Wide, i32) {
    let n = (x.hi * (64.0 * std::f64::consts::LOG2_E)).round_ties_even();
    let k = n / 64.0;
    let r = x.add(LN2.scale(-k)).add(two_product(LN2_REST, -k));
    let n = n as i32;
    let power = POWERS[(n & 63) as usize];
    (power.add(power.mul(small_expm1(r))), n >> 6)
}

/// 2^(i/64).
const POWERS: [Wide; 64] = [
    wide(0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000),
    wide(0x3ff0_2c9a_3e77_8061, 0xbc71_9083_535b_085d),
    wide(0x3ff0_59b0_d315_8574, 0x3c8d_73e2_a475_b465),
    wide(0x3ff0_8745_1875_9bc8, 0x3c61_86be_4bb2_84ff),
    wide(0x3ff0_b558_6cf9_890f, 0x3c98_a62e_4adc_610b),
    wide(0x3ff0_e3ec_32d3_d1a2, 0x3c40_3a17_27c5_7b53),
    wide(0x3ff1_1301_d012_5b51, 0xbc96_c510_3944_9b3a),
    wide(0x3ff1_429a_aea9_2de0, 0xbc93_2fbf_9af1_369e),
    wide(0x3ff1_72b8_3c7d_517b, 0xbc81_9041_b9d7_8a76),
    wide(0x3ff1_a35b_eb6f_cb75, 0x3c8e_5b4c_7b49_68e4),
    wide(0x3ff1_d487_3168_b9aa, 0x3c9e_016e_00a2_643c),
    wide(0x3ff2_063b_8862_8cd6, 0x3c8d_c775_814a_8495),
    wide(0x3ff2_387a_6e75_6238, 0x3c99_b07e_b6c7_0573),
    wide(0x3ff2_6b45_65e2_7cdd, 0x3c82_bd33_9940_e9d9),
    wide(0x3ff2_9e9d_f51f_dee1, 0x3c86_12e8_afad_1255),
    wide(0x3ff2_d285_a6e4_030b, 0x3c90_0247_54db_41d5),
    wide(0x3ff3_06fe_0a31_b715, 0x3c86_f46a_d231_82e4),
    wide(0x3ff3_3c08_b264_16ff, 0x3c93_2721_8436_59a6),
    wide(0x3ff3_71a7_373a_a9cb, 0xbc96_3aea_bf42_eae2),
    wide(0x3ff3_a7db_34e5_9ff7, 0xbc75_e436_d661_f5e3),
    wide(0x3ff3_dea6_4c12_3422, 0x3c8a_da09_11f0_9ebc),
    wide(0x3ff4_160a_21f7_2e2a, 0xbc5e_f369_1c30_9278),
    wide(0x3ff4_4e08_6061_892d, 0x3c48_9b7a_04ef_80d0),
    wide(0x3ff4_86a2_b5c1_3cd0, 0x3c73_c1a3_b690_62f0),
    wide(0x3ff4_bfda_d536_2a27, 0x3c7d_4397_afec_42e2),
    wide(0x3ff4_f9b2_769d_2ca7, 0xbc94_b309_d259_57e3),
    wide(0x3ff5_342b_569d_4f82, 0xbc80_7abe_1db1_3cad),
    wide(0x3ff5_6f47_36b5_27da, 0x3c99_bb2c_011d_93ad),
    wide(0x3ff5_ab07_dd48_5429, 0x3c96_324c_0546_47ad),
    wide(0x3ff5_e76f_15ad_2148, 0x3c9b_a6f9_3080_e65e),
    wide(0x3ff6_247e_b03a_5585, 0xbc93_83c1_7e40_b497),
    wide(0x3ff6_6238_8255_2225, 0xbc9b_b609_8759_1c34),
    wide(0x3ff6_a09e_667f_3bcd, 0xbc9b_dd34_13b2_6456),
    wide(0x3ff6_dfb2_3c65_1a2f, 0xbc6b_be3a_683c_88ab),
    wide(0x3ff7_1f75_e8ec_5f74, 0xbc81_6e47_8688_7a99),
    wide(0x3ff7_5feb_5642_67c9, 0xbc90_2459_5731_6dd3),
    wide(0x3ff7_a114_73eb_0187, 0xbc84_1577_ee04_992f),
    wide(0x3ff7_e2f3_36cf_4e62, 0x3c70_5d02_ba15_797e),
    wide(0x3ff8_2589_994c_ce13, 0xbc9d_4c1d_d415_32d8),
    wide(0x3ff8_68d9_9b44_92ed, 0xbc9f_c6f8_9bd4_f6ba),
    wide(0x3ff8_ace5_422a_a0db, 0x3c96_e9f1_5686_4b27),
    wide(0x3ff8_f1ae_9915_7736, 0x3c85_cc13_a2e3_976c),
    wide(0x3ff9_3737_b0cd_c5e5, 0xbc67_5fc7_81b5_7ebc),
    wide(0x3ff9_7d82_9fde_4e50, 0xbc9d_185b_7c1b_85d1),
    wide(0x3ff9_c491_82a3_f090, 0x3c7c_7c46_b071_f2be),
    wide(0x3ffa_0c66_7b5d_e565, 0xbc93_5949_5d1c_d533),
    wide(0x3ffa_5503_b23e_255d, 0xbc9d_2f6e_db8d_41e1),
    wide(0x3ffa_9e6b_5579_fdbf, 0x3c90_fac9_0ef7_fd31),
    wide(0x3ffa_e89f_995a_d3ad, 0x3c97_a1cd_345d_cc81),
    wide(0x3ffb_33a2_b84f_15fb, 0xbc62_805e_3084_d708),
    wide(0x3ffb_7f76_f2fb_5e47, 0xbc75_584f_7e54_ac3b),
    wide(0x3ffb_cc1e_904b_c1d2, 0x3c82_3dd0_7a2d_9e84),
    wide(0x3ffc_199b_dd85_529c, 0x3c81_1065_8950_48dd),
    wide(0x3ffc_67f1_2e57_d14b, 0x3c92_884d_ff48_3cad),
    wide(0x3ffc_b720_dcef_9069, 0x3c75_03cb_d1e9_49db),
    wide(0x3ffd_072d_4a07_897c, 0xbc9c_bc37_4379_7a9c),
    wide(0x3ffd_5818_dcfb_a487, 0x3c82_ed02_d75b_3707),
    wide(0x3ffd_a9e6_03db_3285, 0x3c9c_2300_696d_b532),
    wide(0x3ffd_fc97_337b_9b5f, 0xbc91_a5cd_4f18_4b5c),
    wide(0x3ffe_502e_e78b_3ff6, 0x3c83_9e89_80a9_cc8f),
    wide(0x3ffe_a4af_a2a4_90da, 0xbc9e_9c23_179c_2893),
    wide(0x3ffe_fa1b_ee61_5a27, 0x3c9d_c7f4_86a4_b6b0),
    wide(0x3fff_5076_5b6e_4540, 0x3c99_d3e1_2dd8_a18b),
    wide(0x3fff_a7c1_819e_90d8, 0x3c87_4853_f3a5_931e),
];

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
        let z = square.hi;
        let small = 1.0 / 5.0 + z * (1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z * (1.0 / 13.0))));
        let sum = THIRD.add(square.scale(small));
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

/// Terms that are summed in full width; for the smaller ones doubles are precise enough.
const WIDE_TERMS: usize = 4;

/// The sum of (-1)^i z^i / (first + 2i)!, where `first` is 3 or 4.
fn factorial_series(z: Wide, first: usize) -> Wide {
    let term = |i: usize| INV_FACTORIALS[first - 3 + 2 * i];
    let mut small = 0.0;
    for i in (WIDE_TERMS..11).rev() {
        small = term(i).hi - z.hi * small;
    }
    let mut sum = Wide::of(small);
    for i in (0..WIDE_TERMS).rev() {
        sum = sum.mul(z).neg().add(term(i));
    }
    sum
}

fn sin_series(r: Wide) -> Wide {
    let square = r.mul(r);
    r.add(r.mul(square).mul(factorial_series(square, 3)).neg())
}

fn cos_series(r: Wide) -> Wide {
    let square = r.mul(r);
    let tail = square.mul(square).mul(factorial_series(square, 4));
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
