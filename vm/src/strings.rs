//! java.lang.String objects and the table of interned ones.

use crate::classfile::descriptor::Prim;
use crate::classfile::{decode_utf16, encode_modified_utf8};
use crate::ids::ObjRef;
use crate::stop::Stop;
use crate::sym::FixedState;
use crate::vm::Vm;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// Interned strings, held weakly: the collector's survivors stay.
#[derive(Default)]
pub struct StringTable {
    table: HashTable<(u64, ObjRef)>,
}

impl StringTable {
    pub fn retain(&mut self, mut alive: impl FnMut(ObjRef) -> bool) {
        self.table.retain(|(_, s)| alive(*s));
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
}

impl Vm {
    /// A String[] of these texts.
    pub fn string_array<S: AsRef<str>>(&mut self, texts: &[S]) -> Result<ObjRef, Stop> {
        let array = self.new_ref_array(self.known.string, texts.len() as i32)?;
        for (at, text) in texts.iter().enumerate() {
            let text = self.new_string(text.as_ref())?;
            self.heap.elem_put_ref(array, at as u32, text);
        }
        Ok(array)
    }

    fn string_parts(&self, s: ObjRef) -> (&[u8], bool) {
        let value = self.heap.get_ref(s, self.known.string_value);
        if value.is_null() {
            return (&[], true);
        }
        (
            self.heap.bytes(value),
            self.heap.get_u8(s, self.known.string_coder) == 0,
        )
    }

    #[inline]
    pub fn string_len(&self, s: ObjRef) -> usize {
        let (bytes, latin1) = self.string_parts(s);
        if latin1 { bytes.len() } else { bytes.len() / 2 }
    }

    pub fn utf16(&self, s: ObjRef) -> Vec<u16> {
        let (bytes, latin1) = self.string_parts(s);
        if latin1 {
            bytes.iter().map(|b| u16::from(*b)).collect()
        } else {
            bytes
                .chunks_exact(2)
                .map(|c| u16::from_le_bytes([c[0], c[1]]))
                .collect()
        }
    }

    /// The string as Rust text; an unpaired surrogate becomes U+FFFD. Null reads as the empty string.
    pub fn text(&self, s: ObjRef) -> String {
        if s.is_null() {
            return String::new();
        }
        let (bytes, latin1) = self.string_parts(s);
        if latin1 && bytes.is_ascii() {
            return String::from_utf8_lossy(bytes).into_owned();
        }
        String::from_utf16_lossy(&self.utf16(s))
    }

    /// The guest reads a string: its fields and all of its characters.
    #[inline]
    fn note_string_read(&self, s: ObjRef) {
        if self.heap.logs_reads() && !s.is_null() {
            let value = self.heap.load_ref(s, self.known.string_value);
            self.heap.load_u8(s, self.known.string_coder);
            if !value.is_null() {
                self.heap.load_bytes(value);
            }
        }
    }

    /// As `string_len`, for the guest.
    #[inline]
    pub fn load_string_len(&self, s: ObjRef) -> usize {
        self.note_string_read(s);
        self.string_len(s)
    }

    /// As `utf16`, for the guest.
    pub fn load_utf16(&self, s: ObjRef) -> Vec<u16> {
        self.note_string_read(s);
        self.utf16(s)
    }

    /// As `text`, for the guest.
    pub fn load_text(&self, s: ObjRef) -> String {
        self.note_string_read(s);
        self.text(s)
    }

    /// As `modified_utf8`, for the guest.
    pub fn load_modified_utf8(&self, s: ObjRef) -> Vec<u8> {
        self.note_string_read(s);
        self.modified_utf8(s)
    }

    pub fn modified_utf8(&self, s: ObjRef) -> Vec<u8> {
        encode_modified_utf8(&self.utf16(s))
    }

    pub fn new_string(&mut self, text: &str) -> Result<ObjRef, Stop> {
        if text.is_ascii() {
            return self.new_string_latin1(text.as_bytes());
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_utf16(&units)
    }

    pub fn new_string_mutf8(&mut self, bytes: &[u8]) -> Result<ObjRef, Stop> {
        if bytes.is_ascii() && !bytes.contains(&0) {
            return self.new_string_latin1(bytes);
        }
        self.new_string_utf16(&decode_utf16(bytes))
    }

    pub fn new_string_utf16(&mut self, units: &[u16]) -> Result<ObjRef, Stop> {
        if units.iter().all(|u| *u < 256) {
            let latin1: Vec<u8> = units.iter().map(|u| *u as u8).collect();
            return self.new_string_latin1(&latin1);
        }
        let bytes: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        self.string_of(&bytes, 1)
    }

    pub fn new_string_latin1(&mut self, bytes: &[u8]) -> Result<ObjRef, Stop> {
        self.string_of(bytes, 0)
    }

    fn string_of(&mut self, bytes: &[u8], coder: u8) -> Result<ObjRef, Stop> {
        let value = self.new_prim_array(Prim::Byte, bytes.len() as i32)?;
        self.heap.bytes_mut(value).copy_from_slice(bytes);
        let string = self.new_object(self.known.string)?;
        self.heap.put_ref(string, self.known.string_value, value);
        self.heap.put_u8(string, self.known.string_coder, coder);
        Ok(string)
    }

    /// The canonical string equal to `s`.
    pub fn intern(&mut self, s: ObjRef) -> Result<ObjRef, Stop> {
        let (bytes, latin1) = self.string_parts(s);
        let hash = content_hash(bytes, latin1);
        if let Some((_, found)) = self.strings.table.find(hash, |(h, o)| {
            *h == hash && self.string_parts(*o) == (bytes, latin1)
        }) {
            return Ok(*found);
        }
        self.strings.table.insert_unique(hash, (hash, s), |(h, _)| *h);
        Ok(s)
    }

    pub fn intern_str(&mut self, text: &str) -> Result<ObjRef, Stop> {
        let s = self.new_string(text)?;
        self.intern(s)
    }

    /// A string constant of a class file.
    pub fn intern_mutf8(&mut self, bytes: &[u8]) -> Result<ObjRef, Stop> {
        if bytes.is_ascii() && !bytes.contains(&0) {
            let hash = content_hash(bytes, true);
            if let Some((_, found)) = self.strings.table.find(hash, |(h, o)| {
                *h == hash && self.string_parts(*o) == (bytes, true)
            }) {
                return Ok(*found);
            }
        }
        let s = self.new_string_mutf8(bytes)?;
        self.intern(s)
    }
}

fn content_hash(bytes: &[u8], latin1: bool) -> u64 {
    let mut hasher = FixedState.build_hasher();
    hasher.write(bytes);
    hasher.write_u64(u64::from(latin1));
    hasher.finish()
}
