//! Reduction of an angle to a quadrant and the rest.

#![expect(
    clippy::excessive_precision,
    clippy::approx_constant,
    reason = "coefficients are given as published"
)]

use super::{TWO24, TWO54, TWON24, hi, lo, words};

const INV_PIO2: f64 = 6.36619772367581382433e-01;
const PIO2_1: f64 = 1.57079632673412561417e+00;
const PIO2_1T: f64 = 6.07710050650619224932e-11;
const PIO2_2: f64 = 6.07710050630396597660e-11;
const PIO2_2T: f64 = 2.02226624879595063154e-21;
const PIO2_3: f64 = 2.02226624871116645580e-21;
const PIO2_3T: f64 = 8.47842766036889956997e-32;

/// x modulo pi/2: the quadrant, and the remainder as head and tail.
pub(in super::super) fn rem_pio2(x: f64) -> (i32, f64, f64) {
    let hx = hi(x);
    let ix = hx & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return (0, x, 0.0);
    }
    if ix < 0x4002_d97c {
        return rem_pio2_near(x, ix);
    }
    if ix <= 0x4139_21fb {
        return rem_pio2_medium(x, ix);
    }
    let e0 = (ix >> 20) - 1046;
    let mut z = words(ix - (e0 << 20), lo(x));
    let mut tx = [0.0; 3];
    for t in &mut tx[..2] {
        *t = f64::from(z as i32);
        z = (z - *t) * TWO24;
    }
    tx[2] = z;
    let mut nx = 3;
    while tx[nx - 1] == 0.0 {
        nx -= 1;
    }
    let (n, y0, y1) = kernel_rem_pio2(&tx[..nx], e0);
    if hx < 0 { (-n, -y0, -y1) } else { (n, y0, y1) }
}

/// |x| below 3pi/4: one subtraction of pi/2, in more parts when x is close to it.
fn rem_pio2_near(x: f64, ix: i32) -> (i32, f64, f64) {
    let negative = x < 0.0;
    let x = x.abs();
    let mut z = x - PIO2_1;
    let tail = if ix == 0x3ff9_21fb {
        z -= PIO2_2;
        PIO2_2T
    } else {
        PIO2_1T
    };
    let y0 = z - tail;
    let y1 = (z - y0) - tail;
    if negative { (-1, -y0, -y1) } else { (1, y0, y1) }
}

/// |x| up to 2^19 * pi/2: subtract multiples of pi/2 in two or three parts, as many bits as cancel.
fn rem_pio2_medium(x: f64, ix: i32) -> (i32, f64, f64) {
    let t = x.abs();
    let n = (t * INV_PIO2 + 0.5) as i32;
    let fnn = f64::from(n);
    let mut r = t - fnn * PIO2_1;
    let mut w = fnn * PIO2_1T;
    let mut y0;
    // Multiples of pi/2 up to 32, by high word, need the longer subtraction only when x is one of them.
    if n < 32 && ix != hi(fnn * std::f64::consts::FRAC_PI_2) {
        y0 = r - w;
    } else {
        let j = ix >> 20;
        y0 = r - w;
        if j - ((hi(y0) >> 20) & 0x7ff) > 16 {
            let t = r;
            w = fnn * PIO2_2;
            r = t - w;
            w = fnn * PIO2_2T - ((t - r) - w);
            y0 = r - w;
            if j - ((hi(y0) >> 20) & 0x7ff) > 49 {
                let t = r;
                w = fnn * PIO2_3;
                r = t - w;
                w = fnn * PIO2_3T - ((t - r) - w);
                y0 = r - w;
            }
        }
    }
    let y1 = (r - y0) - w;
    if hi(x) < 0 { (-n, -y0, -y1) } else { (n, y0, y1) }
}

/// 2/pi in pieces of 24 bits.
const TWO_OVER_PI: [i32; 66] = [
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
    0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
    0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
    0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
    0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b,
    0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3, 0x91615e, 0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880,
    0x4d7327, 0x310606, 0x1556ca, 0x73a8c9, 0x60e27b, 0xc08c6b,
];

/// pi/2 in pieces of 24 bits.
const PIO2: [f64; 8] = [
    1.57079625129699707031e+00,
    7.54978941586159635335e-08,
    5.39030252995776476554e-15,
    3.28200341580791294123e-22,
    1.27065575308067607349e-29,
    1.22933308981111328932e-36,
    2.73370053816464559624e-44,
    2.16741683877804819444e-51,
];

/// Payne and Hanek's reduction for large arguments: x (in pieces of 24 bits, times 2^e0) by as many bits of 2/pi as
/// matter.
fn kernel_rem_pio2(x: &[f64], e0: i32) -> (i32, f64, f64) {
    let jk = 4usize;
    let jx = x.len() - 1;
    let jv = ((e0 - 3) / 24).max(0);
    let mut q0 = e0 - 24 * (jv + 1);
    let mut f = [0.0f64; 20];
    for (i, f) in f.iter_mut().enumerate().take(jx + jk + 1) {
        let j = jv + i as i32 - jx as i32;
        *f = if j < 0 {
            0.0
        } else {
            f64::from(TWO_OVER_PI[j as usize])
        };
    }
    let mut q = [0.0f64; 20];
    for i in 0..=jk {
        q[i] = (0..=jx).fold(0.0, |fw, j| fw + x[j] * f[jx + i - j]);
    }
    let mut jz = jk;
    let mut iq = [0i32; 20];
    let (mut n, mut ih, mut z);
    loop {
        z = q[jz];
        for i in 0..jz {
            let fw = f64::from((TWON24 * z) as i32);
            iq[i] = (z - TWO24 * fw) as i32;
            z = q[jz - 1 - i] + fw;
        }
        z = scalbn(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        n = z as i32;
        z -= f64::from(n);
        ih = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            ih = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            ih = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            ih = 2;
        }
        if ih > 0 {
            n += 1;
            z = complement(&mut iq[..jz], z, ih, q0);
        }
        if z != 0.0 || iq[jk..jz].iter().any(|&w| w != 0) {
            break;
        }
        // Everything cancelled: take in more bits of 2/pi.
        let k = (1..=jk).find(|&k| iq[jk - k] != 0).unwrap_or(jk);
        for i in jz + 1..=jz + k {
            f[jx + i] = f64::from(TWO_OVER_PI[jv as usize + i]);
            q[i] = (0..=jx).fold(0.0, |fw, j| fw + x[j] * f[jx + i - j]);
        }
        jz += k;
    }
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scalbn(z, -q0);
        if z >= TWO24 {
            let fw = f64::from((TWON24 * z) as i32);
            iq[jz] = (z - TWO24 * fw) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = fw as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let (y0, y1) = times_pio2(&iq[..=jz], q0, jk, ih != 0);
    (n & 7, y0, y1)
}

/// Replaces the fraction held in `iq` and `z` by one minus itself.
fn complement(iq: &mut [i32], z: f64, ih: i32, q0: i32) -> f64 {
    let mut carry = false;
    for word in iq.iter_mut() {
        if carry {
            *word = 0xff_ffff - *word;
        } else if *word != 0 {
            carry = true;
            *word = 0x100_0000 - *word;
        }
    }
    if q0 > 0 {
        let last = iq.len() - 1;
        match q0 {
            1 => iq[last] &= 0x7f_ffff,
            2 => iq[last] &= 0x3f_ffff,
            _ => {}
        }
    }
    if ih != 2 {
        return z;
    }
    let z = 1.0 - z;
    if carry { z - scalbn(1.0, q0) } else { z }
}

/// The fraction times pi/2, as head and tail.
fn times_pio2(iq: &[i32], q0: i32, jk: usize, negate: bool) -> (f64, f64) {
    let jz = iq.len() - 1;
    let mut q = [0.0f64; 20];
    let mut scale = scalbn(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = scale * f64::from(iq[i]);
        scale *= TWON24;
    }
    let mut fq = [0.0f64; 20];
    for i in (0..=jz).rev() {
        let mut fw = 0.0;
        let mut k = 0;
        while k <= jk && k <= jz - i {
            fw += PIO2[k] * q[i + k];
            k += 1;
        }
        fq[jz - i] = fw;
    }
    let head = (0..=jz).rev().fold(0.0, |fw, i| fw + fq[i]);
    let tail = (1..=jz).fold(fq[0] - head, |fw, i| fw + fq[i]);
    if negate { (-head, -tail) } else { (head, tail) }
}

/// x * 2^n.
fn scalbn(x: f64, n: i32) -> f64 {
    let mut x = x;
    let mut k = (hi(x) & 0x7ff0_0000) >> 20;
    if k == 0 {
        if lo(x) as i32 | (hi(x) & 0x7fff_ffff) == 0 {
            return x;
        }
        x *= TWO54;
        k = ((hi(x) & 0x7ff0_0000) >> 20) - 54;
        if n < -50000 {
            return 1.0e-300 * x;
        }
    }
    if k == 0x7ff {
        return x + x;
    }
    k += n;
    if k > 0x7fe {
        return 1.0e300 * 1.0e300f64.copysign(x);
    }
    if k > 0 {
        return words((hi(x) & !0x7ff0_0000) | (k << 20), lo(x));
    }
    if k <= -54 {
        let huge: f64 = if n > 50000 { 1.0e300 } else { 1.0e-300 };
        return huge * huge.copysign(x);
    }
    k += 54;
    words((hi(x) & !0x7ff0_0000) | (k << 20), lo(x)) * 5.55111512312578270212e-17
}
