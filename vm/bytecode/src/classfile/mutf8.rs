//! Modified UTF-8, the text encoding of class files: NUL takes two bytes, and characters beyond the BMP are
//! written as two surrogates of three bytes each.

/// Modified UTF-8 to UTF-16 units. Total: a byte that starts no valid sequence stands for itself, as in HotSpot.
pub fn decode_utf16(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, after)) = next_unit(rest) {
        units.push(unit);
        rest = after;
    }
    units
}

/// The first UTF-16 unit and the bytes after it.
pub fn next_unit(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let continuation = |b: u8| b & 0xC0 == 0x80;
    Some(match *bytes {
        [] => return None,
        [a, b, ref rest @ ..] if a & 0xE0 == 0xC0 && continuation(b) => {
            (u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F), rest)
        }
        [a, b, c, ref rest @ ..] if a & 0xF0 == 0xE0 && continuation(b) && continuation(c) => (
            u16::from(a & 0x0F) << 12 | u16::from(b & 0x3F) << 6 | u16::from(c & 0x3F),
            rest,
        ),
        [a, ref rest @ ..] => (u16::from(a), rest),
    })
}

/// UTF-16 units to modified UTF-8.
pub fn encode_modified_utf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    for &unit in units {
        match unit {
            1..=0x7F => bytes.push(unit as u8),
            0 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            _ => bytes.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
    bytes
}

/// The text for people; an unpaired surrogate shows as U+FFFD.
pub fn to_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.is_ascii() => text.to_owned(),
        _ => String::from_utf16_lossy(&decode_utf16(bytes)),
    }
}

/// What HotSpot accepts in the constant pool: no zero byte, no four-byte forms, complete sequences. Overlong
/// two- and three-byte forms pass only for NUL, or in files older than version 48.
pub(super) fn is_legal(bytes: &[u8], major: u16) -> bool {
    // The common case without branches: b and b - 1 both below 0x80 means 1 to 0x7F.
    if bytes.iter().fold(0, |all, &b| all | b | b.wrapping_sub(1)) < 0x80 {
        return true;
    }
    let mut rest = bytes;
    loop {
        rest = match *rest {
            [] => return true,
            [1..=0x7F, ref after @ ..] => after,
            [a, b, ref after @ ..] if a & 0xE0 == 0xC0 && b & 0xC0 == 0x80 => {
                let unit = u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F);
                if unit != 0 && unit < 0x80 && major > 47 {
                    return false;
                }
                after
            }
            [a, b, c, ref after @ ..] if a & 0xF0 == 0xE0 && b & 0xC0 == 0x80 && c & 0xC0 == 0x80 => {
                if a & 0x0F == 0 && b & 0x20 == 0 && major > 47 {
                    return false;
                }
                after
            }
            _ => return false,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_survives_the_round_trip() {
        let units: Vec<u16> = (0..=u16::MAX).collect();
        let bytes = encode_modified_utf8(&units);
        assert!(is_legal(&bytes, 61));
        assert!(!bytes.contains(&0));
        assert_eq!(decode_utf16(&bytes), units);
    }

    #[test]
    fn malformed_text_is_rejected_but_decodes() {
        for bad in [
            &[0u8][..],
            &[0xC2],
            &[0xE2, 0x82],
            &[0xF0, 0x9F, 0x98, 0x80],
            &[0x80],
            &[0xC1, 0x81],
        ] {
            assert!(!is_legal(bad, 61), "{bad:x?}");
            assert!(!decode_utf16(bad).is_empty());
        }
        assert_eq!(to_text(&[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]), "\u{1F600}");
    }
}
