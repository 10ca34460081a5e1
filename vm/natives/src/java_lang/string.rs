//! Stand-ins for the hot methods of String and its helpers.
//!
//! They do what the Java code does where that succeeds, and decline everything else: the interpreter then runs the
//! Java body, which throws what it throws from where it throws it.

use crate::java_lang::decline;
use crate::{Intrinsic, Native, instead};
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const STRING: &str = "java/lang/String";
const BUILDER: &str = "java/lang/AbstractStringBuilder";

pub const TABLE: &[Native] = &[
    instead(STRING, "length", "()I", length).intrinsic(Intrinsic::StringLength),
    instead(STRING, "isEmpty", "()Z", is_empty).intrinsic(Intrinsic::StringIsEmpty),
    instead(STRING, "charAt", "(I)C", char_at).intrinsic(Intrinsic::StringCharAt),
    instead(STRING, "isLatin1", "()Z", is_latin1).intrinsic(Intrinsic::StringIsLatin1),
    instead(STRING, "coder", "()B", coder).intrinsic(Intrinsic::StringCoder),
    instead(STRING, "equals", "(Ljava/lang/Object;)Z", equals),
    instead(STRING, "hashCode", "()I", hash_code),
    instead(STRING, "startsWith", "(Ljava/lang/String;)Z", starts_with),
    instead(STRING, "startsWith", "(Ljava/lang/String;I)Z", starts_with_at),
    instead(STRING, "endsWith", "(Ljava/lang/String;)Z", ends_with),
    instead(STRING, "compareTo", "(Ljava/lang/String;)I", compare_to),
    instead(STRING, "indexOf", "(I)I", index_of_char),
    instead(STRING, "indexOf", "(II)I", index_of_char_from),
    instead(STRING, "lastIndexOf", "(I)I", last_index_of_char),
    instead(STRING, "indexOf", "(Ljava/lang/String;)I", index_of_string),
    instead(STRING, "substring", "(II)Ljava/lang/String;", substring),
    instead(STRING, "substring", "(I)Ljava/lang/String;", substring_from),
    instead(STRING, "getBytes", "([BIIBI)V", get_bytes_range),
    instead(STRING, "getBytes", "([BIB)V", get_bytes),
    instead(
        BUILDER,
        "append",
        "(Ljava/lang/String;)Ljava/lang/AbstractStringBuilder;",
        builder_append,
    ),
    instead(
        BUILDER,
        "append",
        "(C)Ljava/lang/AbstractStringBuilder;",
        builder_append_char,
    ),
    instead(
        "java/lang/StringBuilder",
        "append",
        "(Ljava/lang/String;)Ljava/lang/StringBuilder;",
        builder_append,
    ),
    instead(
        "java/lang/StringBuilder",
        "append",
        "(C)Ljava/lang/StringBuilder;",
        builder_append_char,
    ),
    instead(
        "java/lang/StringBuilder",
        "toString",
        "()Ljava/lang/String;",
        builder_to_string,
    ),
    instead(
        "jdk/internal/org/objectweb/asm/ByteVector",
        "putUTF8",
        "(Ljava/lang/String;)Ljdk/internal/org/objectweb/asm/ByteVector;",
        put_utf8,
    ),
    instead(
        "jdk/internal/jimage/ImageStringsReader",
        "unmaskedHashCode",
        "(Ljava/lang/String;I)I",
        image_hash,
    ),
];

/// A string's bytes, and whether they are Latin-1; none for null.
#[inline(always)]
fn parts(vm: &Vm, s: ObjRef) -> Option<(&[u8], bool)> {
    if s.is_null() {
        return None;
    }
    let value = vm.heap.load_ref(s, vm.known.string_value);
    if value.is_null() {
        return None;
    }
    Some((
        vm.heap.load_byte_array(value),
        vm.heap.load_u8(s, vm.known.string_coder) == 0,
    ))
}

#[inline]
fn this<'a>(c: &'a Ctx<'_>) -> Result<(&'a [u8], bool), Stop> {
    parts(c.vm, c.obj(0)).ok_or_else(decline)
}

#[inline]
fn unit(bytes: &[u8], index: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]])
}

fn length(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let s = c.obj(0);
    let value = c.vm.heap.load_ref(s, c.vm.known.string_value);
    if value.is_null() {
        return Err(decline());
    }
    Ok(u64::from(
        c.vm.heap.array_len(value) >> c.vm.heap.load_u8(s, c.vm.known.string_coder),
    ))
}

fn is_empty(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(this(c)?.0.is_empty()))
}

fn char_at(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let s = c.obj(0);
    let index = c.int(1) as u32;
    let value = c.vm.heap.load_ref(s, c.vm.known.string_value);
    if value.is_null() {
        return Err(decline());
    }
    let len = c.vm.heap.array_len(value);
    if c.vm.heap.load_u8(s, c.vm.known.string_coder) == 0 {
        if index < len {
            return Ok(u64::from(c.vm.heap.elem_load_u8(value, index)));
        }
    } else if index < len / 2 {
        return Ok(u64::from(
            c.vm.heap.load_u16(value, poldet_vm::heap::ELEMENTS + 2 * index),
        ));
    }
    Err(decline())
}

fn is_latin1(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(c.vm.heap.load_u8(c.obj(0), c.vm.known.string_coder) == 0))
}

fn coder(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(u64::from(c.vm.heap.load_u8(c.obj(0), c.vm.known.string_coder)))
}

fn equals(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let same = equal(c.vm, c.obj(0), c.obj(1)).ok_or_else(decline)?;
    Ok(boolean(same))
}

/// Whether the string `a` equals `b`, which may be anything; none for a string without content.
pub fn equal(vm: &Vm, a: ObjRef, b: ObjRef) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if b.is_null() || vm.class_of(b) != vm.known.string {
        return Some(false);
    }
    Some(parts(vm, a)? == parts(vm, b)?)
}

pub(super) fn latin1_hash(bytes: &[u8]) -> i32 {
    bytes
        .iter()
        .fold(0i32, |h, &b| h.wrapping_mul(31).wrapping_add(i32::from(b)))
}

pub(super) fn utf16_hash(bytes: &[u8]) -> i32 {
    let units = bytes.chunks_exact(2).map(|p| u16::from_le_bytes([p[0], p[1]]));
    units.fold(0i32, |h, u| h.wrapping_mul(31).wrapping_add(i32::from(u)))
}

fn hash_code(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let hash = hash_of(c.vm, c.obj(0)).ok_or_else(decline)?;
    Ok(int(hash))
}

/// A string's hash, kept in it as `hashCode` does; none for a string without content.
pub fn hash_of(vm: &mut Vm, s: ObjRef) -> Option<i32> {
    let known = vm.heap.load_i32(s, vm.known.string_hash);
    if known != 0 {
        return Some(known);
    }
    let (bytes, latin1) = parts(vm, s)?;
    let hash = if latin1 {
        latin1_hash(bytes)
    } else {
        utf16_hash(bytes)
    };
    if hash == 0 {
        vm.set_bool_field(s, STRING, "hashIsZero", true);
    } else {
        let at = vm.known.string_hash;
        vm.heap.put_u32(s, at, hash as u32);
    }
    Some(hash)
}

/// Does `text` have `prefix` at character `at`?
fn region_starts((text, latin1): (&[u8], bool), (prefix, prefix_latin1): (&[u8], bool), at: i32) -> bool {
    let shift = |latin1: bool| u32::from(!latin1);
    let (len, prefix_len) = (text.len() >> shift(latin1), prefix.len() >> shift(prefix_latin1));
    let Ok(at) = usize::try_from(at) else { return false };
    if at.checked_add(prefix_len).is_none_or(|end| end > len) {
        return false;
    }
    if latin1 == prefix_latin1 {
        let from = at << shift(latin1);
        return text[from..from + prefix.len()] == *prefix;
    }
    !latin1
        && prefix
            .iter()
            .enumerate()
            .all(|(i, &b)| unit(text, at + i) == u16::from(b))
}

fn starts_with(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let prefix = parts(c.vm, c.obj(1)).ok_or_else(decline)?;
    Ok(boolean(region_starts(this(c)?, prefix, 0)))
}

fn starts_with_at(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let prefix = parts(c.vm, c.obj(1)).ok_or_else(decline)?;
    Ok(boolean(region_starts(this(c)?, prefix, c.int(2))))
}

fn ends_with(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let suffix = parts(c.vm, c.obj(1)).ok_or_else(decline)?;
    let text = this(c)?;
    let len = |(bytes, latin1): (&[u8], bool)| (bytes.len() >> u32::from(!latin1)) as i32;
    Ok(boolean(region_starts(text, suffix, len(text) - len(suffix))))
}

fn compare_to(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let other = parts(c.vm, c.obj(1)).ok_or_else(decline)?;
    Ok(int(compare(this(c)?, other)))
}

/// Difference of the first characters that differ, else of the lengths.
pub(super) fn compare(a: (&[u8], bool), b: (&[u8], bool)) -> i32 {
    let len = |(bytes, latin1): (&[u8], bool)| bytes.len() >> u32::from(!latin1);
    let at = |(bytes, latin1): (&[u8], bool), i: usize| {
        if latin1 {
            u16::from(bytes[i])
        } else {
            unit(bytes, i)
        }
    };
    let both = len(a).min(len(b));
    for i in 0..both {
        let (x, y) = (at(a, i), at(b, i));
        if x != y {
            return i32::from(x) - i32::from(y);
        }
    }
    len(a) as i32 - len(b) as i32
}

/// Index of a character; only for those of one unit.
fn find_char((bytes, latin1): (&[u8], bool), ch: i32, from: i32) -> Result<u64, Stop> {
    let from = from.max(0) as usize;
    if latin1 {
        let Ok(byte) = u8::try_from(ch) else {
            return Ok(int(-1));
        };
        let found = bytes
            .get(from..)
            .and_then(|rest| rest.iter().position(|&b| b == byte));
        return Ok(int(found.map_or(-1, |i| (from + i) as i32)));
    }
    let wanted = u16::try_from(ch).map_err(|_| decline())?;
    let found = (from..bytes.len() / 2).find(|&i| unit(bytes, i) == wanted);
    Ok(int(found.map_or(-1, |i| i as i32)))
}

fn index_of_char(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    find_char(this(c)?, c.int(1), 0)
}

fn index_of_char_from(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    find_char(this(c)?, c.int(1), c.int(2))
}

fn last_index_of_char(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (bytes, latin1) = this(c)?;
    let ch = c.int(1);
    let found = if latin1 {
        let Ok(byte) = u8::try_from(ch) else {
            return Ok(int(-1));
        };
        bytes.iter().rposition(|&b| b == byte)
    } else {
        let wanted = u16::try_from(ch).map_err(|_| decline())?;
        (0..bytes.len() / 2).rev().find(|&i| unit(bytes, i) == wanted)
    };
    Ok(int(found.map_or(-1, |i| i as i32)))
}

/// Index of one byte string in another, not before `from`.
pub(super) fn find_bytes(text: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let Some(&first) = wanted.first() else {
        return Some(from);
    };
    let last = text.len().checked_sub(wanted.len())?;
    let mut at = from;
    while at <= last {
        at += text[at..=last].iter().position(|&b| b == first)?;
        if text[at..at + wanted.len()] == *wanted {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn index_of_string(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (wanted, wanted_latin1) = parts(c.vm, c.obj(1)).ok_or_else(decline)?;
    let (text, latin1) = this(c)?;
    if latin1 && wanted_latin1 {
        return Ok(int(find_bytes(text, wanted, 0).map_or(-1, |i| i as i32)));
    }
    Err(decline())
}

fn substring(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (begin, end) = (c.int(1), c.int(2));
    part(c, begin, end)
}

fn substring_from(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (bytes, latin1) = this(c)?;
    let end = bytes.len() as i32;
    let begin = c.int(1);
    if latin1 {
        part(c, begin, end)
    } else {
        Err(decline())
    }
}

/// A substring of a Latin-1 string; the empty one is a constant of the Java code.
fn part(c: &mut Ctx<'_>, begin: i32, end: i32) -> Result<u64, Stop> {
    let s = c.obj(0);
    let (bytes, latin1) = this(c)?;
    if !latin1 || begin < 0 || begin >= end || end as usize > bytes.len() {
        return Err(decline());
    }
    if begin == 0 && end as usize == bytes.len() {
        return Ok(s.bits());
    }
    let bytes = &bytes[begin as usize..end as usize];
    // The copy is made where it costs least: most are short.
    let mut short = [0; 64];
    if let Some(copy) = short.get_mut(..bytes.len()) {
        copy.copy_from_slice(bytes);
        return Ok(c.vm.new_string_latin1(copy)?.bits());
    }
    let bytes = bytes.to_vec();
    Ok(c.vm.new_string_latin1(&bytes)?.bits())
}

/// Copies characters of a string into a buffer of the given coder.
fn copy_chars(
    vm: &mut Vm,
    s: ObjRef,
    (from, len): (i32, i32),
    (target, at): (ObjRef, i32),
    coder: i32,
) -> Result<(), Stop> {
    let value = vm.heap.load_ref(s, vm.known.string_value);
    if value.is_null() || target.is_null() || from < 0 || len < 0 || at < 0 {
        return Err(decline());
    }
    let own = i32::from(vm.heap.load_u8(s, vm.known.string_coder));
    let have = i64::from(vm.heap.array_len(value) >> own);
    let room = i64::from(vm.heap.array_len(target) >> coder);
    if i64::from(from) + i64::from(len) > have || i64::from(at) + i64::from(len) > room {
        return Err(decline());
    }
    if own == coder {
        let (from, at, len) = ((from as u32) << own, (at as u32) << own, (len as u32) << own);
        vm.heap.copy_elements(value, from, target, at, len);
        return Ok(());
    }
    if own != 0 {
        return Err(decline());
    }
    for i in 0..len as u32 {
        let byte = vm.heap.elem_load_u8(value, from as u32 + i);
        let index = 2 * (at as u32 + i);
        vm.heap.elem_put_u8(target, index, byte);
        vm.heap.elem_put_u8(target, index + 1, 0);
    }
    Ok(())
}

fn get_bytes_range(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (s, target, from, at, coder, len) = (c.obj(0), c.obj(1), c.int(2), c.int(3), c.int(4), c.int(5));
    copy_chars(c.vm, s, (from, len), (target, at), coder)?;
    Ok(0)
}

fn get_bytes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (s, target, at, coder) = (c.obj(0), c.obj(1), c.int(2), c.int(3));
    let len = c.vm.load_string_len(s) as i32;
    copy_chars(c.vm, s, (0, len), (target, at), coder)?;
    Ok(0)
}

/// A builder's buffer, the characters in it, and its coder.
fn builder_parts(c: &mut Ctx<'_>) -> Result<(ObjRef, i32, u8), Stop> {
    let builder = c.obj(0);
    let value = c.vm.load_ref_field(builder, BUILDER, "value");
    let count = c.vm.load_int_field(builder, BUILDER, "count");
    let coder_at = c.vm.off(BUILDER, "coder")?;
    let coder = c.vm.heap.load_u8(builder, coder_at);
    if value.is_null() || count < 0 || coder > 1 {
        return Err(decline());
    }
    Ok((value, count, coder))
}

/// The builder's buffer, replaced by a longer one if `needed` characters do not fit: as long as the class library
/// would make it, since `capacity` tells.
fn with_room(c: &mut Ctx<'_>, value: ObjRef, coder: u8, needed: i64) -> Result<ObjRef, Stop> {
    let old = i64::from(c.vm.heap.array_len(value));
    if needed <= old >> coder {
        return Ok(value);
    }
    let length = old + ((needed << coder) - old).max(old + (2 << coder));
    if !c.vm.release().builders_grow_by_doubling() || length > 1 << 28 {
        return Err(decline());
    }
    let longer =
        c.vm.new_prim_array(Prim::Byte, (length >> coder << coder) as i32)?;
    c.vm.heap.copy_elements(value, 0, longer, 0, old as u32);
    c.vm.set_ref_field(c.obj(0), BUILDER, "value", longer);
    Ok(longer)
}

fn builder_append(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (builder, s) = (c.obj(0), c.obj(1));
    let (value, count, coder) = builder_parts(c)?;
    let latin1 = parts(c.vm, s).ok_or_else(decline)?.1;
    if !latin1 && coder == 0 {
        return Err(decline());
    }
    let len = c.vm.load_string_len(s) as i32;
    let value = with_room(c, value, coder, i64::from(count) + i64::from(len))?;
    copy_chars(c.vm, s, (0, len), (value, count), i32::from(coder))?;
    c.vm.set_int_field(builder, BUILDER, "count", count + len);
    Ok(builder.bits())
}

fn builder_append_char(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (builder, ch) = (c.obj(0), c.int(1) as u16);
    let (value, count, coder) = builder_parts(c)?;
    if coder == 0 && ch > 0xff {
        return Err(decline());
    }
    let value = with_room(c, value, coder, i64::from(count) + 1)?;
    let at = count as u32;
    if coder == 0 {
        c.vm.heap.elem_put_u8(value, at, ch as u8);
    } else {
        c.vm.heap.bytes_mut(value)[2 * at as usize..][..2].copy_from_slice(&ch.to_le_bytes());
    }
    c.vm.set_int_field(builder, BUILDER, "count", count + 1);
    Ok(builder.bits())
}

fn builder_to_string(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (value, count, coder) = builder_parts(c)?;
    if coder != 0 || count == 0 || count as u32 > c.vm.heap.array_len(value) {
        return Err(decline());
    }
    let bytes = c.vm.heap.load_bytes(value)[..count as usize].to_vec();
    Ok(c.vm.new_string_latin1(&bytes)?.bits())
}

/// ASM's constant pool strings: plain ASCII that fits the buffer.
fn put_utf8(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const VECTOR: &str = "jdk/internal/org/objectweb/asm/ByteVector";
    let (vector, s) = (c.obj(0), c.obj(1));
    let data = c.vm.load_ref_field(vector, VECTOR, "data");
    let at = c.vm.load_int_field(vector, VECTOR, "length");
    let text = match parts(c.vm, s) {
        Some((bytes, true)) if bytes.len() <= 0xffff && bytes.iter().all(|b| (1..=0x7f).contains(b)) => {
            bytes.to_vec()
        }
        _ => return Err(decline()),
    };
    if data.is_null() || at < 0 || at as usize + 2 + text.len() > c.vm.heap.array_len(data) as usize {
        return Err(decline());
    }
    let target = &mut c.vm.heap.bytes_mut(data)[at as usize..at as usize + 2 + text.len()];
    target[..2].copy_from_slice(&(text.len() as u16).to_be_bytes());
    target[2..].copy_from_slice(&text);
    c.vm.set_int_field(vector, VECTOR, "length", at + 2 + text.len() as i32);
    Ok(vector.bits())
}

fn image_hash(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (bytes, latin1) = this(c)?;
    if !latin1 || !bytes.iter().all(|b| (1..=0x7f).contains(b)) {
        return Err(decline());
    }
    let hash = bytes
        .iter()
        .fold(c.int(1), |h, &b| h.wrapping_mul(0x0100_0193) ^ i32::from(b));
    Ok(int(hash))
}
