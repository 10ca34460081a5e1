//! Which names and descriptors a class file may contain. Before version 49 names had to be Java identifiers.

use super::mutf8::next_unit;

/// The first version with free-form names.
const FREE_NAMES: u16 = 49;
/// The first version in which `<clinit>` must take no arguments.
const STRICT_CLINIT: u16 = 51;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Class,
    Field,
    Method,
}

/// Why a descriptor is illegal. The first two have a message of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadDescriptor {
    ClassName,
    Dimensions,
    Malformed,
}

pub(super) fn class_name(name: &[u8], major: u16) -> Result<bool, BadDescriptor> {
    match name.first() {
        None => Ok(false),
        Some(b'[') => match skip_type(name, false, major) {
            Ok(rest) => Ok(rest.is_empty()),
            Err(BadDescriptor::Malformed) => Ok(false),
            Err(bad) => Err(bad),
        },
        Some(_) if major < FREE_NAMES => Ok(identifier(name, true) == Some(name.len())),
        Some(_) => Ok(unqualified(name, Kind::Class)),
    }
}

pub(super) fn field_name(name: &[u8], major: u16) -> bool {
    if major < FREE_NAMES {
        identifier(name, false) == Some(name.len())
    } else {
        unqualified(name, Kind::Field)
    }
}

pub(super) fn method_name(name: &[u8], major: u16) -> bool {
    match name.first() {
        Some(b'<') => matches!(name, b"<init>" | b"<clinit>"),
        _ if major < FREE_NAMES => identifier(name, false) == Some(name.len()),
        _ => unqualified(name, Kind::Method),
    }
}

pub(super) fn field_descriptor(desc: &[u8], major: u16) -> Result<(), BadDescriptor> {
    if skip_type(desc, false, major)?.is_empty() {
        Ok(())
    } else {
        Err(BadDescriptor::Malformed)
    }
}

/// Checks a method descriptor; answers its argument slots, receiver not included.
pub(super) fn method_descriptor(name: &[u8], desc: &[u8], major: u16) -> Result<u32, BadDescriptor> {
    if name == b"<clinit>" && desc != b"()V" && major >= STRICT_CLINIT {
        return Err(BadDescriptor::Malformed);
    }
    let mut rest = desc.strip_prefix(b"(").ok_or(BadDescriptor::Malformed)?;
    let mut slots = 0;
    while let Some(&first) = rest.first() {
        if first == b')' {
            let ret = &rest[1..];
            // Constructors and class initialisers return void.
            if name.starts_with(b"<") {
                return if ret == b"V" {
                    Ok(slots)
                } else {
                    Err(BadDescriptor::Malformed)
                };
            }
            let after = skip_type(ret, true, major)?;
            return if after.is_empty() {
                Ok(slots)
            } else {
                Err(BadDescriptor::Malformed)
            };
        }
        rest = skip_type(rest, false, major)?;
        slots += if matches!(first, b'J' | b'D') { 2 } else { 1 };
    }
    Err(BadDescriptor::Malformed)
}

/// Skips one type at the start of `desc`.
fn skip_type(desc: &[u8], void_ok: bool, major: u16) -> Result<&[u8], BadDescriptor> {
    let dims = desc.iter().take_while(|&&b| b == b'[').count();
    if dims > 255 {
        return Err(BadDescriptor::Dimensions);
    }
    match desc[dims..] {
        [
            b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D',
            ref rest @ ..,
        ] => Ok(rest),
        [b'V', ref rest @ ..] if void_ok && dims == 0 => Ok(rest),
        [b'L', ref rest @ ..] if major < FREE_NAMES => {
            let end = identifier(rest, true).ok_or(BadDescriptor::Malformed)?;
            rest[end..].strip_prefix(b";").ok_or(BadDescriptor::Malformed)
        }
        [b'L', ref rest @ ..] => {
            let end = rest
                .iter()
                .position(|&b| b == b';')
                .ok_or(BadDescriptor::Malformed)?;
            if !unqualified(&rest[..end], Kind::Class) {
                return Err(BadDescriptor::ClassName);
            }
            Ok(&rest[end + 1..])
        }
        _ => Err(BadDescriptor::Malformed),
    }
}

/// JVMS 4.2: names of a class file of version 49 or later.
fn unqualified(name: &[u8], kind: Kind) -> bool {
    if name.is_empty() {
        return false;
    }
    // Letters and digits are legal everywhere: only the few other bytes need a look.
    let mut before = b'/';
    for &b in name {
        if b.is_ascii_alphanumeric() {
            before = b;
            continue;
        }
        match b {
            b'.' | b';' | b'[' => return false,
            // Only class names have parts, and no part is empty.
            b'/' if kind != Kind::Class || before == b'/' => return false,
            b'<' | b'>' if kind == Kind::Method => return false,
            _ => before = b,
        }
    }
    before != b'/'
}

/// Length of the Java identifier at the start of `name`. Where slashes are allowed they may stand anywhere but side
/// by side: HotSpot was never stricter with old files.
fn identifier(name: &[u8], slash_ok: bool) -> Option<usize> {
    let mut rest = name;
    let mut after_slash = false;
    while let Some((unit, after)) = next_unit(rest) {
        let first = rest.len() == name.len();
        let is_slash = unit == 0x2F && slash_ok;
        let legal = match unit {
            0x2F if slash_ok && after_slash => return None,
            0x24 | 0x5F | 0x41..=0x5A | 0x61..=0x7A => true,
            0x30..=0x39 => !first,
            0..=0x7F => is_slash,
            // Surrogates and other non-ASCII letters; the exact table of old Java versions is not kept here.
            _ => char::from_u32(u32::from(unit)).is_none_or(char::is_alphanumeric),
        };
        if !legal {
            break;
        }
        after_slash = is_slash;
        rest = after;
    }
    let len = name.len() - rest.len();
    (len > 0).then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in [
            &b"a/b"[..],
            b"A",
            b"[I",
            b"[[La/B;",
            b"<x>",
            "\u{e9}/x".as_bytes(),
        ] {
            assert_eq!(class_name(good, 61), Ok(true), "{good:?}");
        }
        for bad in [
            &b""[..],
            b"/a",
            b"a/",
            b"a//b",
            b"a.b",
            b"a;",
            b"[",
            b"[V",
            b"[Ia",
            b"[La;b",
        ] {
            assert_eq!(class_name(bad, 61), Ok(false), "{bad:?}");
        }
        assert_eq!(class_name(b"[L;", 61), Err(BadDescriptor::ClassName));
        assert!(method_name(b"<init>", 61) && !method_name(b"<x>", 61) && !method_name(b"a/b", 61));
        assert!(field_name(b"a-b", 61) && !field_name(b"a-b", 48) && !field_name(b"", 61));
        assert!(field_name(b"a1", 48) && !field_name(b"1a", 48));
    }

    #[test]
    fn descriptors() {
        assert_eq!(method_descriptor(b"m", b"(IJ[DLx;)[[I", 61), Ok(5));
        assert_eq!(method_descriptor(b"m", b"(La/B;)La/B;", 48), Ok(1));
        for bad in [
            &b""[..],
            b"(",
            b"()",
            b"(V)V",
            b"()VV",
            b"I",
            b"(I",
            b"(L)V",
            b"()[V",
        ] {
            assert_eq!(
                method_descriptor(b"m", bad, 61),
                Err(BadDescriptor::Malformed),
                "{bad:?}"
            );
        }
        assert_eq!(
            method_descriptor(b"<init>", b"()I", 61),
            Err(BadDescriptor::Malformed)
        );
        let deep = [b'['; 256];
        assert_eq!(field_descriptor(&deep, 61), Err(BadDescriptor::Dimensions));
    }
}
