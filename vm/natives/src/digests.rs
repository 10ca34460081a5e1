//! Stand-ins for the inner loops of message digests, checksums and Base64: interpreting them would be a hundred times
//! slower. They work on the same state arrays as the Java code and decline whatever is out of bounds.

use crate::java_lang::decline;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::table::{Native, instead};
use poldet_vm::stop::Stop;

const MD2: &str = "sun/security/provider/MD2";
const MD5: &str = "sun/security/provider/MD5";
const SHA: &str = "sun/security/provider/SHA";
const SHA2: &str = "sun/security/provider/SHA2";
const SHA5: &str = "sun/security/provider/SHA5";
const CRC32C: &str = "java/util/zip/CRC32C";

pub const TABLE: &[Native] = &[
    instead(MD2, "implCompress", "([BI)V", md2),
    instead(MD5, "implCompress0", "([BI)V", md5),
    instead(SHA, "implCompress0", "([BI)V", sha1),
    instead(SHA2, "implCompress0", "([BI)V", sha256),
    instead(SHA5, "implCompress0", "([BI)V", sha512),
    instead("sun/security/provider/SHA3", "keccak", "([J)V", keccak),
    instead(CRC32C, "updateBytes", "(I[BII)I", crc32c_array),
    instead(CRC32C, "updateDirectByteBuffer", "(IJII)I", crc32c_memory),
    instead(
        "java/util/Base64$Encoder",
        "encodeBlock",
        "([BII[BIZ)V",
        base64_encode,
    ),
    instead(
        "java/util/Base64$Decoder",
        "decodeBlock",
        "([BII[BIZZ)I",
        base64_decode,
    ),
];

/// The block of a digest's `implCompress0(byte[], int)`.
fn block<const N: usize>(c: &Ctx<'_>) -> Result<[u8; N], Stop> {
    let (array, at) = (c.obj(1), c.int(2));
    if array.is_null() || at < 0 {
        return Err(decline());
    }
    let at = at as usize;
    c.vm.heap
        .load_bytes(array)
        .get(at..at + N)
        .and_then(|b| b.try_into().ok())
        .ok_or_else(decline)
}

/// The array of a digest's `state` field.
fn state(c: &mut Ctx<'_>, class: &'static str, words: u32) -> Result<ObjRef, Stop> {
    let this = c.obj(0);
    let array = c.vm.load_ref_field(this, class, "state");
    if array.is_null() || c.vm.heap.array_len(array) < words {
        return Err(decline());
    }
    Ok(array)
}

/// The substitution table is the Java code's own.
fn md2(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let block = block::<16>(c)?;
    let this = c.obj(0);
    let (x, sum) = (
        c.vm.load_ref_field(this, MD2, "X"),
        c.vm.load_ref_field(this, MD2, "C"),
    );
    let table = c.vm.static_ref(MD2, "S");
    let len = |array: ObjRef| {
        if array.is_null() {
            0
        } else {
            c.vm.heap.array_len(array)
        }
    };
    if len(x) < 48 || len(sum) < 16 || len(table) < 256 {
        return Err(decline());
    }
    let table: [u8; 256] = std::array::from_fn(|i| c.vm.heap.load_ints(table)[i] as u8);
    let mut state: [u8; 48] = std::array::from_fn(|i| c.vm.heap.load_ints(x)[i] as u8);
    for (i, byte) in block.into_iter().enumerate() {
        state[16 + i] = byte;
        state[32 + i] = byte ^ state[i];
    }
    let sums = c.vm.heap.ints_mut(sum);
    let mut t = sums[15] as u8;
    for (i, byte) in block.into_iter().enumerate() {
        t = sums[i] as u8 ^ table[usize::from(byte ^ t)];
        sums[i] = i32::from(t);
    }
    t = 0;
    for round in 0..18 {
        for word in &mut state {
            *word ^= table[usize::from(t)];
            t = *word;
        }
        t = t.wrapping_add(round);
    }
    for (to, from) in c.vm.heap.ints_mut(x).iter_mut().zip(state) {
        *to = i32::from(from);
    }
    Ok(0)
}

fn md5(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let block = block::<64>(c)?;
    let state = state(c, MD5, 4)?;
    let words: [u32; 16] = std::array::from_fn(|i| word32(&block, i, u32::from_le_bytes));
    let h = c.vm.heap.ints_mut(state);
    let [mut a, mut b, mut cc, mut d] = [h[0] as u32, h[1] as u32, h[2] as u32, h[3] as u32];
    for i in 0..64 {
        let (mix, word) = match i / 16 {
            0 => (b & cc | !b & d, i),
            1 => (d & b | !d & cc, (5 * i + 1) % 16),
            2 => (b ^ cc ^ d, (3 * i + 5) % 16),
            _ => (cc ^ (b | !d), 7 * i % 16),
        };
        let turned = a
            .wrapping_add(mix)
            .wrapping_add(MD5_SINES[i])
            .wrapping_add(words[word]);
        (a, d, cc, b) = (
            d,
            cc,
            b,
            b.wrapping_add(turned.rotate_left(MD5_TURNS[i / 16][i % 4])),
        );
    }
    for (old, new) in h.iter_mut().zip([a, b, cc, d]) {
        *old = old.wrapping_add(new as i32);
    }
    Ok(0)
}

fn word32(block: &[u8], i: usize, order: fn([u8; 4]) -> u32) -> u32 {
    order([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
}

fn sha1(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let block = block::<64>(c)?;
    let state = state(c, SHA, 5)?;
    let mut w = [0u32; 80];
    for i in 0..80 {
        w[i] = if i < 16 {
            word32(&block, i, u32::from_be_bytes)
        } else {
            (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1)
        };
    }
    let h = c.vm.heap.ints_mut(state);
    let [mut a, mut b, mut cc, mut d, mut e] = std::array::from_fn(|i| h[i] as u32);
    for (i, word) in w.iter().enumerate() {
        let (mix, k) = match i / 20 {
            0 => (b & cc | !b & d, 0x5a82_7999),
            1 => (b ^ cc ^ d, 0x6ed9_eba1),
            2 => (b & cc | b & d | cc & d, 0x8f1b_bcdc),
            _ => (b ^ cc ^ d, 0xca62_c1d6u32),
        };
        let next = a
            .rotate_left(5)
            .wrapping_add(mix)
            .wrapping_add(e)
            .wrapping_add(k)
            .wrapping_add(*word);
        (e, d, cc, b, a) = (d, cc, b.rotate_left(30), a, next);
    }
    for (old, new) in h.iter_mut().zip([a, b, cc, d, e]) {
        *old = old.wrapping_add(new as i32);
    }
    Ok(0)
}

/// The rounds of the SHA-2 family, which differ in word size, rotations and constants only.
macro_rules! sha2_rounds {
    ($word:ty, $w:expr, $k:expr, $start:expr, $s1:expr, $s0:expr) => {{
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h]: [$word; 8] = $start;
        for (w, k) in $w.iter().zip($k) {
            let [x, y, z] = $s1;
            let first = h
                .wrapping_add(e.rotate_right(x) ^ e.rotate_right(y) ^ e.rotate_right(z))
                .wrapping_add(e & f ^ !e & g)
                .wrapping_add(k)
                .wrapping_add(*w);
            let [x, y, z] = $s0;
            let second = (a.rotate_right(x) ^ a.rotate_right(y) ^ a.rotate_right(z))
                .wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (
                g,
                f,
                e,
                d.wrapping_add(first),
                c,
                b,
                a,
                first.wrapping_add(second),
            );
        }
        [a, b, c, d, e, f, g, h]
    }};
}

fn sha256(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let block = block::<64>(c)?;
    let state = state(c, SHA2, 8)?;
    let mut w = [0u32; 64];
    for i in 0..64 {
        w[i] = if i < 16 {
            word32(&block, i, u32::from_be_bytes)
        } else {
            let (x, y) = (w[i - 15], w[i - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1)
        };
    }
    let h = c.vm.heap.ints_mut(state);
    let start = std::array::from_fn(|i| h[i] as u32);
    let end = sha2_rounds!(u32, w, K256, start, [6, 11, 25], [2, 13, 22]);
    for (old, new) in h.iter_mut().zip(end) {
        *old = old.wrapping_add(new as i32);
    }
    Ok(0)
}

fn sha512(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let block = block::<128>(c)?;
    let state = state(c, SHA5, 8)?;
    let mut w = [0u64; 80];
    for i in 0..80 {
        w[i] = if i < 16 {
            block[8 * i..8 * i + 8]
                .iter()
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        } else {
            let (x, y) = (w[i - 15], w[i - 2]);
            let s0 = x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7);
            let s1 = y.rotate_right(19) ^ y.rotate_right(61) ^ (y >> 6);
            w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1)
        };
    }
    let h = c.vm.heap.longs_mut(state);
    let start = std::array::from_fn(|i| h[i] as u64);
    let end = sha2_rounds!(u64, w, K512, start, [14, 18, 41], [28, 34, 39]);
    for (old, new) in h.iter_mut().zip(end) {
        *old = old.wrapping_add(new as i64);
    }
    Ok(0)
}

/// The permutation of SHA-3, on the lanes in Java's order: lane (x, y) at 5 y + x.
fn keccak(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.obj(0);
    if array.is_null() {
        return Err(decline());
    }
    let lanes = c.vm.heap.longs_mut(array).get_mut(..25).ok_or_else(decline)?;
    let mut a: [u64; 25] = std::array::from_fn(|i| lanes[i] as u64);
    let mut lfsr = 1u8;
    for _ in 0..24 {
        let columns: [u64; 5] = std::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ a[5 * y + x]));
        for (i, lane) in a.iter_mut().enumerate() {
            *lane ^= columns[(i + 4) % 5] ^ columns[(i + 1) % 5].rotate_left(1);
        }
        let (mut x, mut y, mut moved) = (1, 0, a[1]);
        for t in 0..24u32 {
            (x, y) = (y, (2 * x + 3 * y) % 5);
            moved = std::mem::replace(&mut a[5 * y + x], moved.rotate_left((t + 1) * (t + 2) / 2 % 64));
        }
        for row in a.chunks_exact_mut(5) {
            let old = [row[0], row[1], row[2], row[3], row[4]];
            for (x, lane) in row.iter_mut().enumerate() {
                *lane = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        // The round constants are bits of a shift register.
        for j in 0..7 {
            if lfsr & 1 != 0 {
                a[0] ^= 1 << ((1 << j) - 1);
            }
            lfsr = lfsr << 1 ^ if lfsr & 0x80 != 0 { 0x71 } else { 0 };
        }
    }
    for (old, new) in lanes.iter_mut().zip(a) {
        *old = new as i64;
    }
    Ok(0)
}

// Checksums.

const fn crc32c_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 != 0 {
                crc >> 1 ^ 0x82f6_3b78
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
}

static CRC32C_TABLE: [u32; 256] = crc32c_table();

fn crc32c(crc: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(crc, |crc, byte| {
        CRC32C_TABLE[(crc as u8 ^ byte) as usize] ^ crc >> 8
    })
}

fn crc32c_array(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (crc, array, from, to) = (c.int(0) as u32, c.obj(1), c.int(2), c.int(3));
    if array.is_null() || from < 0 || to < from {
        return Err(decline());
    }
    let bytes =
        c.vm.heap
            .load_bytes(array)
            .get(from as usize..to as usize)
            .ok_or_else(decline)?;
    Ok(int(crc32c(crc, bytes) as i32))
}

fn crc32c_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (crc, address, from, to) = (c.int(0) as u32, c.long(1), c.int(3), c.int(4));
    let bytes = c.native_bytes(address + i64::from(from), i64::from(to) - i64::from(from))?;
    Ok(int(crc32c(crc, bytes) as i32))
}

// Base64.

const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

fn base64_digit(value: u32, url: bool) -> u8 {
    match (value, url) {
        (62, false) => b'+',
        (63, false) => b'/',
        (62, true) => b'-',
        (63, true) => b'_',
        (v, _) => ALPHABET[v as usize],
    }
}

fn base64_value(digit: u8, url: bool) -> Option<u32> {
    Some(match (digit, url) {
        (b'A'..=b'Z', _) => u32::from(digit - b'A'),
        (b'a'..=b'z', _) => u32::from(digit - b'a') + 26,
        (b'0'..=b'9', _) => u32::from(digit - b'0') + 52,
        (b'+', false) | (b'-', true) => 62,
        (b'/', false) | (b'_', true) => 63,
        _ => return None,
    })
}

/// The input of a block call: bytes from slot 2 to slot 3 of the array in slot 1.
fn base64_input(c: &Ctx<'_>) -> Result<Vec<u8>, Stop> {
    let (array, from, to) = (c.obj(1), c.int(2), c.int(3));
    if array.is_null() || c.obj(4).is_null() || from < 0 || to < from || c.int(5) < 0 {
        return Err(decline());
    }
    Ok(c.vm
        .heap
        .load_bytes(array)
        .get(from as usize..to as usize)
        .ok_or_else(decline)?
        .to_vec())
}

fn base64_store(c: &mut Ctx<'_>, bytes: &[u8]) -> Result<(), Stop> {
    let at = c.int(5) as usize;
    let target =
        c.vm.heap
            .bytes_mut(c.obj(4))
            .get_mut(at..at + bytes.len())
            .ok_or_else(decline)?;
    target.copy_from_slice(bytes);
    Ok(())
}

fn base64_encode(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let input = base64_input(c)?;
    let url = c.bool(6);
    if input.len() % 3 != 0 {
        return Err(decline());
    }
    let digits = |three: &[u8]| {
        let bits = u32::from(three[0]) << 16 | u32::from(three[1]) << 8 | u32::from(three[2]);
        [18, 12, 6, 0].map(|shift| base64_digit(bits >> shift & 63, url))
    };
    let output: Vec<u8> = input.chunks_exact(3).flat_map(digits).collect();
    base64_store(c, &output)?;
    Ok(0)
}

fn base64_decode(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let input = base64_input(c)?;
    let url = c.bool(6);
    let mut output = Vec::with_capacity(input.len() / 4 * 3);
    for four in input.chunks_exact(4) {
        let bits = four
            .iter()
            .try_fold(0, |bits, d| Some(bits << 6 | base64_value(*d, url)?));
        // What is no digit is for the Java code to judge.
        let Some(bits) = bits else { break };
        output.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    base64_store(c, &output)?;
    Ok(int(output.len() as i32))
}

const MD5_TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The first 32 bits behind the point of the sines of 1 to 64.
const MD5_SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// The first 32 bits behind the point of the cube roots of the first 64 primes.
const K256: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The first 64 bits behind the point of the cube roots of the first 80 primes.
const K512: [u64; 80] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2,
    0xefbe_4786_384f_25e3,
    0x0fc1_9dc6_8b8c_d5b5,
    0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275,
    0x4a74_84aa_6ea6_e483,
    0x5cb0_a9dc_bd41_fbd4,
    0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab,
    0xa831_c66d_2db4_3210,
    0xb003_27c8_98fb_213f,
    0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2,
    0xd5a7_9147_930a_a725,
    0x06ca_6351_e003_826f,
    0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc,
    0x2e1b_2138_5c26_c926,
    0x4d2c_6dfc_5ac4_2aed,
    0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de,
    0x766a_0abb_3c77_b2a8,
    0x81c2_c92e_47ed_aee6,
    0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364,
    0xa81a_664b_bc42_3001,
    0xc24b_8b70_d0f8_9791,
    0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218,
    0xd699_0624_5565_a910,
    0xf40e_3585_5771_202a,
    0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8,
    0x1e37_6c08_5141_ab53,
    0x2748_774c_df8e_eb99,
    0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63,
    0x4ed8_aa4a_e341_8acb,
    0x5b9c_ca4f_7763_e373,
    0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc,
    0x78a5_636f_4317_2f60,
    0x84c8_7814_a1f0_ab72,
    0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28,
    0xa450_6ceb_de82_bde9,
    0xbef9_a3f7_b2c6_7915,
    0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c,
    0xd186_b8c7_21c0_c207,
    0xeada_7dd6_cde0_eb1e,
    0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba,
    0x0a63_7dc5_a2c8_98a6,
    0x113f_9804_bef9_0dae,
    0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84,
    0x32ca_ab7b_40c7_2493,
    0x3c9e_be0a_15c9_bebc,
    0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6,
    0x597f_299c_fc65_7e2a,
    0x5fcb_6fab_3ad6_faec,
    0x6c44_198c_4a47_5817,
];
