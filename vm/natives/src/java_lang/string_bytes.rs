//! Stand-ins for StringLatin1 and StringUTF16, the byte arrays behind String. Like those of `string`, they decline
//! whatever the Java code would fail on.

use crate::java_lang::decline;
use crate::java_lang::string::{compare, find_bytes, latin1_hash, utf16_hash};
use crate::{Native, instead};
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::Stop;

const LATIN1: &str = "java/lang/StringLatin1";
const UTF16: &str = "java/lang/StringUTF16";

pub const TABLE: &[Native] = &[
    instead(LATIN1, "hashCode", "([B)I", |c| {
        Ok(int(latin1_hash(bytes(c, 0)?)))
    }),
    instead(LATIN1, "charAt", "([BI)C", latin1_char_at),
    instead(LATIN1, "canEncode", "(I)Z", |c| {
        Ok(boolean(c.int(0) as u32 >> 8 == 0))
    }),
    instead(LATIN1, "equals", "([B[B)Z", |c| {
        Ok(boolean(bytes(c, 0)? == bytes(c, 1)?))
    }),
    instead(LATIN1, "compareTo", "([B[B)I", |c| {
        Ok(int(compare((bytes(c, 0)?, true), (bytes(c, 1)?, true))))
    }),
    instead(LATIN1, "compareToUTF16", "([B[B)I", |c| {
        Ok(int(compare((bytes(c, 0)?, true), (bytes(c, 1)?, false))))
    }),
    instead(LATIN1, "indexOf", "([BII)I", latin1_index_of_char),
    instead(LATIN1, "indexOfChar", "([BIII)I", latin1_index_of_char_to),
    instead(LATIN1, "indexOf", "([B[B)I", latin1_index_of),
    instead(LATIN1, "indexOf", "([BI[BII)I", latin1_index_of_from),
    instead(LATIN1, "lastIndexOf", "([BII)I", latin1_last_index_of),
    instead(LATIN1, "replace", "([BCC)Ljava/lang/String;", latin1_replace),
    instead(LATIN1, "newString", "([BII)Ljava/lang/String;", latin1_new_string),
    instead(LATIN1, "inflate", "([BI[CII)V", inflate_to_chars),
    instead(LATIN1, "inflate", "([BI[BII)V", inflate_to_bytes),
    instead(UTF16, "inflate", "([BI[BII)V", inflate_to_bytes),
    instead(UTF16, "hashCode", "([B)I", |c| Ok(int(utf16_hash(bytes(c, 0)?)))),
    instead(UTF16, "getChar", "([BI)C", utf16_char),
    instead(UTF16, "charAt", "([BI)C", utf16_char),
    instead(UTF16, "equals", "([B[B)Z", |c| {
        Ok(boolean(bytes(c, 0)? == bytes(c, 1)?))
    }),
    instead(UTF16, "compareTo", "([B[B)I", |c| {
        Ok(int(compare((bytes(c, 0)?, false), (bytes(c, 1)?, false))))
    }),
    instead(UTF16, "getChars", "([BII[CI)V", utf16_get_chars),
    instead(UTF16, "compress", "([CI[BII)I", compress_chars),
    instead(UTF16, "compress", "([BI[BII)I", compress_bytes),
    instead(UTF16, "toBytes", "([CII)[B", to_bytes),
    instead(UTF16, "newBytesFor", "(I)[B", new_bytes_for),
];

/// A `byte[]` argument.
#[inline]
fn bytes<'a>(c: &'a Ctx<'_>, slot: usize) -> Result<&'a [u8], Stop> {
    let array = c.obj(slot);
    if array.is_null() {
        Err(decline())
    } else {
        Ok(c.vm.heap.load_bytes(array))
    }
}

/// `from..from + len`, if that lies in an array of `have` elements.
fn range(from: i32, len: i32, have: usize) -> Result<std::ops::Range<usize>, Stop> {
    let (Ok(from), Ok(len)) = (usize::try_from(from), usize::try_from(len)) else {
        return Err(decline());
    };
    if from + len <= have {
        Ok(from..from + len)
    } else {
        Err(decline())
    }
}

fn latin1_char_at(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = bytes(c, 0)?;
    value
        .get(c.int(1) as u32 as usize)
        .map(|&b| u64::from(b))
        .ok_or_else(decline)
}

fn position(value: &[u8], ch: i32, from: i32, to: i32) -> Result<u64, Stop> {
    if from < 0 || to as usize > value.len() {
        return Err(decline());
    }
    if from >= to {
        return Ok(int(-1));
    }
    let found = value[from as usize..to as usize]
        .iter()
        .position(|&b| b == ch as u8);
    Ok(int(found.map_or(-1, |i| from + i as i32)))
}

fn latin1_index_of_char(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = bytes(c, 0)?;
    let ch = c.int(1);
    if ch as u32 >> 8 != 0 {
        return Ok(int(-1));
    }
    position(value, ch, c.int(2).max(0), value.len() as i32)
}

fn latin1_index_of_char_to(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let to = c.int(3);
    if to < 0 {
        return Err(decline());
    }
    position(bytes(c, 0)?, c.int(1), c.int(2), to)
}

fn latin1_index_of(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let found = find_bytes(bytes(c, 0)?, bytes(c, 1)?, 0);
    Ok(int(found.map_or(-1, |i| i as i32)))
}

fn latin1_index_of_from(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (value, wanted) = (bytes(c, 0)?, bytes(c, 2)?);
    let value = &value[range(0, c.int(1), value.len())?];
    let wanted = &wanted[range(0, c.int(3), wanted.len())?];
    let from = c.int(4);
    if from < 0 || wanted.is_empty() {
        return Err(decline());
    }
    Ok(int(
        find_bytes(value, wanted, from as usize).map_or(-1, |i| i as i32)
    ))
}

fn latin1_last_index_of(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = bytes(c, 0)?;
    let (ch, from) = (c.int(1), c.int(2));
    if ch as u32 >> 8 != 0 || from < 0 {
        return Ok(int(-1));
    }
    let end = value.len().min(from as usize + 1);
    Ok(int(value[..end]
        .iter()
        .rposition(|&b| b == ch as u8)
        .map_or(-1, |i| i as i32)))
}

/// Null says that there is nothing to replace.
fn latin1_replace(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (old, new) = (c.int(1) as u16, c.int(2) as u16);
    let value = bytes(c, 0)?;
    let Ok(old) = u8::try_from(old) else { return Ok(0) };
    if !value.contains(&old) {
        return Ok(0);
    }
    let new = u8::try_from(new).map_err(|_| decline())?;
    let replaced: Vec<u8> = value.iter().map(|&b| if b == old { new } else { b }).collect();
    Ok(c.vm.new_string_latin1(&replaced)?.bits())
}

fn latin1_new_string(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = bytes(c, 0)?;
    let part = value[range(c.int(1), c.int(2), value.len())?].to_vec();
    if part.is_empty() {
        return Err(decline());
    }
    Ok(c.vm.new_string_latin1(&part)?.bits())
}

/// Source bytes of an inflation: (source, offset, …, length at slot 4).
fn inflated(c: &Ctx<'_>) -> Result<Vec<u16>, Stop> {
    let source = bytes(c, 0)?;
    Ok(source[range(c.int(1), c.int(4), source.len())?]
        .iter()
        .map(|&b| u16::from(b))
        .collect())
}

fn target(c: &Ctx<'_>, slot: usize) -> Result<ObjRef, Stop> {
    let target = c.obj(slot);
    if target.is_null() {
        Err(decline())
    } else {
        Ok(target)
    }
}

fn inflate_to_chars(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.int(4) <= 0 {
        return Ok(0);
    }
    let units = inflated(c)?;
    let target = target(c, 2)?;
    let at = range(c.int(3), c.int(4), c.vm.heap.array_len(target) as usize)?;
    c.vm.heap.chars_mut(target)[at].copy_from_slice(&units);
    Ok(0)
}

fn inflate_to_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.int(4) < 0 {
        return Err(decline());
    }
    let units = inflated(c)?;
    let target = target(c, 2)?;
    let at = range(c.int(3), c.int(4), c.vm.heap.array_len(target) as usize / 2)?;
    let place = &mut c.vm.heap.bytes_mut(target)[2 * at.start..2 * at.end];
    for (pair, unit) in place.chunks_exact_mut(2).zip(units) {
        pair.copy_from_slice(&unit.to_le_bytes());
    }
    Ok(0)
}

fn utf16_char(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = bytes(c, 0)?;
    let index = c.int(1) as u32 as usize;
    match value.get(2 * index..2 * index + 2) {
        Some(pair) => Ok(u64::from(u16::from_le_bytes([pair[0], pair[1]]))),
        None => Err(decline()),
    }
}

/// Units of a range of a UTF-16 byte array.
fn units(value: &[u8], from: i32, len: i32) -> Result<Vec<u16>, Stop> {
    let at = range(from, len, value.len() / 2)?;
    Ok(value[2 * at.start..2 * at.end]
        .chunks_exact(2)
        .map(|p| u16::from_le_bytes([p[0], p[1]]))
        .collect())
}

fn utf16_get_chars(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (begin, end) = (c.int(1), c.int(2));
    if begin >= end {
        return Err(decline());
    }
    let units = units(bytes(c, 0)?, begin, end - begin)?;
    let target = target(c, 3)?;
    let at = range(c.int(4), units.len() as i32, c.vm.heap.array_len(target) as usize)?;
    c.vm.heap.chars_mut(target)[at].copy_from_slice(&units);
    Ok(0)
}

fn compress_chars(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let source = target(c, 0)?;
    let source = c.vm.heap.load_chars(source);
    let units = source[range(c.int(1), c.int(4), source.len())?].to_vec();
    compress(c, &units)
}

fn compress_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let units = units(bytes(c, 0)?, c.int(1), c.int(4))?;
    compress(c, &units)
}

/// Writes the units as bytes as far as they fit into one; 0 says that some do not (later releases say where).
fn compress(c: &mut Ctx<'_>, units: &[u16]) -> Result<u64, Stop> {
    if c.vm.release().compression_says_where() {
        return Err(decline());
    }
    let target = target(c, 2)?;
    let at = range(c.int(3), units.len() as i32, c.vm.heap.array_len(target) as usize)?;
    for (place, &unit) in c.vm.heap.bytes_mut(target)[at].iter_mut().zip(units) {
        match u8::try_from(unit) {
            Ok(byte) => *place = byte,
            Err(_) => return Ok(int(0)),
        }
    }
    Ok(int(units.len() as i32))
}

/// The chars of a range as a UTF-16 byte array.
fn to_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let source = target(c, 0)?;
    let source = c.vm.heap.load_chars(source);
    let at = range(c.int(1), c.int(2), source.len())?;
    let pairs: Vec<u8> = source[at].iter().flat_map(|u| u.to_le_bytes()).collect();
    Ok(c.vm.new_bytes(&pairs)?.bits())
}

fn new_bytes_for(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let len = c.int(0);
    if !(0..1 << 30).contains(&len) {
        return Err(decline());
    }
    Ok(c.vm.new_prim_array(Prim::Byte, len << 1)?.bits())
}
