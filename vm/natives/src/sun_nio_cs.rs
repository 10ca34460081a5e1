//! Stand-ins for the loops that charsets spend their time in: text that is plain ASCII or Latin-1.

use crate::java_lang::decline;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::natives::table::{Native, instead};
use poldet_vm::stop::Stop;

const CODING: &str = "java/lang/StringCoding";

pub const TABLE: &[Native] = &[
    instead(CODING, "hasNegatives", "([BII)Z", has_negatives),
    instead(CODING, "countPositives", "([BII)I", count_positives),
    instead(
        CODING,
        "implEncodeISOArray",
        "([BI[BII)I",
        encode_latin1_from_bytes,
    ),
    instead(CODING, "implEncodeAsciiArray", "([CI[BII)I", |c| {
        encode_chars(c, 0x7f)
    }),
    instead(
        "sun/nio/cs/ISO_8859_1$Encoder",
        "implEncodeISOArray",
        "([CI[BII)I",
        |c| encode_chars(c, 0xff),
    ),
    instead("java/lang/String", "decodeASCII", "([BI[CII)I", decode_ascii),
];

/// How many bytes of the range are ASCII before the first that is not, and whether all are.
fn ascii_prefix(c: &Ctx<'_>) -> Result<(usize, bool), Stop> {
    let (array, off, len) = (c.obj(0), c.int(1), c.int(2));
    if array.is_null() || !c.in_bounds(array, off, len) {
        return Err(decline());
    }
    let bytes = &c.vm.heap.load_bytes(array)[off as usize..(off + len) as usize];
    if bytes.is_ascii() {
        return Ok((bytes.len(), true));
    }
    Ok((
        bytes.iter().position(|b| *b >= 0x80).unwrap_or(bytes.len()),
        false,
    ))
}

fn has_negatives(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(!ascii_prefix(c)?.1))
}

fn count_positives(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(ascii_prefix(c)?.0 as i32))
}

/// Copies bytes (slots 0, 1) up to the first that is not ASCII to a char array (2, 3), at most so many (4).
fn decode_ascii(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to, len) = (c.obj(0), c.obj(2), c.int(4));
    if from.is_null() || to.is_null() || len <= 0 {
        return Err(decline());
    }
    if !c.in_bounds(from, c.int(1), len) || !c.in_bounds(to, c.int(3), len) {
        return Err(decline());
    }
    let (start, target, len) = (c.int(1) as usize, c.int(3) as usize, len as usize);
    let bytes = &c.vm.heap.load_bytes(from)[start..start + len];
    let chars: Vec<u16> = bytes
        .iter()
        .take_while(|b| b.is_ascii())
        .map(|b| u16::from(*b))
        .collect();
    c.vm.heap.chars_mut(to)[target..target + chars.len()].copy_from_slice(&chars);
    Ok(int(chars.len() as i32))
}

/// Copies characters up to a limit from a char array (slots 0, 1) to bytes (2, 3), at most so many (4).
fn encode_chars(c: &mut Ctx<'_>, most: u16) -> Result<u64, Stop> {
    let (from, to, len) = (c.obj(0), c.obj(2), c.int(4));
    if from.is_null() || to.is_null() || len <= 0 {
        return Err(decline());
    }
    if !c.in_bounds(from, c.int(1), len) || !c.in_bounds(to, c.int(3), len) {
        return Err(decline());
    }
    let (start, target, len) = (c.int(1) as usize, c.int(3) as usize, len as usize);
    let chars = &c.vm.heap.load_chars(from)[start..start + len];
    let bytes: Vec<u8> = chars
        .iter()
        .take_while(|ch| **ch <= most)
        .map(|ch| *ch as u8)
        .collect();
    c.vm.heap.bytes_mut(to)[target..target + bytes.len()].copy_from_slice(&bytes);
    Ok(int(bytes.len() as i32))
}

/// As `encode_chars`, from the bytes of a UTF-16 string.
fn encode_latin1_from_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to, len) = (c.obj(0), c.obj(2), c.int(4));
    if from.is_null() || to.is_null() || len <= 0 || !c.in_bounds(to, c.int(3), len) || c.int(1) < 0 {
        return Err(decline());
    }
    let (start, target, len) = (2 * c.int(1) as usize, c.int(3) as usize, len as usize);
    let pairs =
        c.vm.heap
            .load_bytes(from)
            .get(start..start + 2 * len)
            .ok_or_else(decline)?;
    let bytes: Vec<u8> = pairs
        .chunks_exact(2)
        .take_while(|p| p[1] == 0)
        .map(|p| p[0])
        .collect();
    c.vm.heap.bytes_mut(to)[target..target + bytes.len()].copy_from_slice(&bytes);
    Ok(int(bytes.len() as i32))
}
