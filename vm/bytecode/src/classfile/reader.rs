//! A bounds-checked cursor over the bytes of a class file. Reading past the end is a format error, never a panic.

use super::FormatError;

pub(super) struct Reader {
    pub bytes: &'static [u8],
    pub at: usize,
}

#[cold]
pub(super) fn truncated() -> FormatError {
    FormatError {
        unsupported_version: false,
        message: "Truncated class file".into(),
    }
}

impl Reader {
    /// Fails unless so many bytes are left. HotSpot asks for whole headers at once, before it judges their fields.
    pub fn need(&self, len: usize) -> Result<(), FormatError> {
        if self.bytes.len() - self.at < len {
            Err(truncated())
        } else {
            Ok(())
        }
    }

    pub fn u1(&mut self) -> Result<u8, FormatError> {
        let value = *self.bytes.get(self.at).ok_or_else(truncated)?;
        self.at += 1;
        Ok(value)
    }

    #[inline]
    pub fn u2(&mut self) -> Result<u16, FormatError> {
        let value = be16(self.bytes, self.at).ok_or_else(truncated)?;
        self.at += 2;
        Ok(value)
    }

    #[inline]
    pub fn u4(&mut self) -> Result<u32, FormatError> {
        let value = be32(self.bytes, self.at).ok_or_else(truncated)?;
        self.at += 4;
        Ok(value)
    }

    #[inline]
    pub fn take(&mut self, len: usize) -> Result<&'static [u8], FormatError> {
        let end = self.at.checked_add(len).ok_or_else(truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or_else(truncated)?;
        self.at = end;
        Ok(taken)
    }
}

#[inline]
pub(super) fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline]
pub(super) fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The big-endian 16-bit words of a table; a trailing odd byte is ignored.
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    bytes.chunks_exact(2).map(|w| u16::from_be_bytes([w[0], w[1]]))
}

/// A table that opens with its own count of `size`-byte entries; short tables end early.
pub(super) fn counted(bytes: &'static [u8], size: usize) -> impl Iterator<Item = &'static [u8]> {
    let count = be16(bytes, 0).unwrap_or(0);
    bytes
        .get(2..)
        .unwrap_or(&[])
        .chunks_exact(size)
        .take(usize::from(count))
}
