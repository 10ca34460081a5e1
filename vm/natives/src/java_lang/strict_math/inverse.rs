//! Arc sine, arc cosine, arc tangent.

#![expect(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients are given as published"
)]

use super::{abs_hi, head, hi, lo};

const PS0: f64 = 1.66666666666666657415e-01;
const PS1: f64 = -3.25565818622400915405e-01;
const PS2: f64 = 2.01212532134862925881e-01;
const PS3: f64 = -4.00555345006794114027e-02;
const PS4: f64 = 7.91534994289814532176e-04;
const PS5: f64 = 3.47933107596021167570e-05;
const QS1: f64 = -2.40339491173441421878e+00;
const QS2: f64 = 2.02094576023350569471e+00;
const QS3: f64 = -6.88283971605453293030e-01;
const QS4: f64 = 7.70381505559019352791e-02;
const PIO2_HI: f64 = 1.57079632679489655800e+00;
const PIO2_LO: f64 = 6.12323399573676603587e-17;

/// The rational approximation shared by asin and acos.
fn asin_ratio(t: f64) -> f64 {
    let p = t * (PS0 + t * (PS1 + t * (PS2 + t * (PS3 + t * (PS4 + t * PS5)))));
    let q = 1.0 + t * (QS1 + t * (QS2 + t * (QS3 + t * QS4)));
    p / q
}

pub fn asin(x: f64) -> f64 {
    const PIO4_HI: f64 = 7.85398163397448278999e-01;
    let hx = hi(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        if (ix - 0x3ff0_0000) as u32 | lo(x) == 0 {
            return x * PIO2_HI + x * PIO2_LO;
        }
        return f64::NAN;
    }
    if ix < 0x3fe0_0000 {
        if ix < 0x3e40_0000 && 1.0e300 + x > 1.0 {
            return x;
        }
        return x + x * asin_ratio(x * x);
    }
    let w = 1.0 - x.abs();
    let t = w * 0.5;
    let ratio = asin_ratio(t);
    let s = t.sqrt();
    let t = if ix >= 0x3fef_3333 {
        PIO2_HI - (2.0 * (s + s * ratio) - PIO2_LO)
    } else {
        let w = head(s);
        let c = (t - w * w) / (s + w);
        let p = 2.0 * s * ratio - (PIO2_LO - 2.0 * c);
        let q = PIO4_HI - 2.0 * w;
        PIO4_HI - (p - q)
    };
    if hx > 0 { t } else { -t }
}

pub fn acos(x: f64) -> f64 {
    const PI: f64 = 3.14159265358979311600e+00;
    let hx = hi(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        if (ix - 0x3ff0_0000) as u32 | lo(x) == 0 {
            return if hx > 0 { 0.0 } else { PI + 2.0 * PIO2_LO };
        }
        return f64::NAN;
    }
    if ix < 0x3fe0_0000 {
        if ix <= 0x3c60_0000 {
            return PIO2_HI + PIO2_LO;
        }
        let r = asin_ratio(x * x);
        return PIO2_HI - (x - (PIO2_LO - x * r));
    }
    if hx < 0 {
        let z = (1.0 + x) * 0.5;
        let s = z.sqrt();
        let w = asin_ratio(z) * s - PIO2_LO;
        return PI - 2.0 * (s + w);
    }
    let z = (1.0 - x) * 0.5;
    let s = z.sqrt();
    let df = head(s);
    let c = (z - df * df) / (s + df);
    let w = asin_ratio(z) * s + c;
    2.0 * (df + w)
}

pub fn atan(x: f64) -> f64 {
    const HI: [f64; 4] = [
        4.63647609000806093515e-01,
        7.85398163397448278999e-01,
        9.82793723247329054082e-01,
        1.57079632679489655800e+00,
    ];
    const LO: [f64; 4] = [
        2.26987774529616870924e-17,
        3.06161699786838301793e-17,
        1.39033110312309984516e-17,
        6.12323399573676603587e-17,
    ];
    const A: [f64; 11] = [
        3.33333333333329318027e-01,
        -1.99999999998764832476e-01,
        1.42857142725034663711e-01,
        -1.11111104054623557880e-01,
        9.09088713343650656196e-02,
        -7.69187620504482999495e-02,
        6.66107313738753120669e-02,
        -5.83357013379057348645e-02,
        4.97687799461593236017e-02,
        -3.65315727442169155270e-02,
        1.62858201153657823623e-02,
    ];
    let hx = hi(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x4410_0000 {
        if x.is_nan() {
            return x + x;
        }
        return if hx > 0 { HI[3] + LO[3] } else { -HI[3] - LO[3] };
    }
    let (id, x) = if ix < 0x3fdc_0000 {
        if ix < 0x3e20_0000 && 1.0e300 + x > 1.0 {
            return x;
        }
        (None, x)
    } else {
        let x = x.abs();
        if ix < 0x3fe6_0000 {
            (Some(0), (2.0 * x - 1.0) / (2.0 + x))
        } else if ix < 0x3ff3_0000 {
            (Some(1), (x - 1.0) / (x + 1.0))
        } else if ix < 0x4003_8000 {
            (Some(2), (x - 1.5) / (1.0 + 1.5 * x))
        } else {
            (Some(3), -1.0 / x)
        }
    };
    let z = x * x;
    let w = z * z;
    let s1 = z * (A[0] + w * (A[2] + w * (A[4] + w * (A[6] + w * (A[8] + w * A[10])))));
    let s2 = w * (A[1] + w * (A[3] + w * (A[5] + w * (A[7] + w * A[9]))));
    match id {
        None => x - x * (s1 + s2),
        Some(id) => {
            let z = HI[id] - ((x * (s1 + s2) - LO[id]) - x);
            if hx < 0 { -z } else { z }
        }
    }
}

pub fn atan2(y: f64, x: f64) -> f64 {
    const TINY: f64 = 1.0e-300;
    const PI: f64 = 3.1415926535897931160e+00;
    const PI_LO: f64 = 1.2246467991473531772e-16;
    const PIO2: f64 = 1.5707963267948965580e+00;
    const PIO4: f64 = 7.8539816339744827900e-01;
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x == 1.0 {
        return atan(y);
    }
    let m = u8::from(y.is_sign_negative()) | u8::from(x.is_sign_negative()) << 1;
    if y == 0.0 {
        return match m {
            0 | 1 => y,
            2 => PI + TINY,
            _ => -PI - TINY,
        };
    }
    let sign = if y.is_sign_negative() { -1.0 } else { 1.0 };
    if x == 0.0 {
        return sign * (PIO2 + TINY);
    }
    if x.is_infinite() {
        return match (m, y.is_infinite()) {
            (0, true) => PIO4 + TINY,
            (1, true) => -PIO4 - TINY,
            (2, true) => 3.0 * PIO4 + TINY,
            (_, true) => -3.0 * PIO4 - TINY,
            (0, false) => 0.0,
            (1, false) => -0.0,
            (2, false) => PI + TINY,
            (_, false) => -PI - TINY,
        };
    }
    if y.is_infinite() {
        return sign * (PIO2 + TINY);
    }
    let k = (abs_hi(y) - abs_hi(x)) >> 20;
    let z = if k > 60 {
        PIO2 + 0.5 * PI_LO
    } else if hi(x) < 0 && k < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match m {
        0 => z,
        1 => -z,
        2 => PI - (z - PI_LO),
        _ => (z - PI_LO) - PI,
    }
}
