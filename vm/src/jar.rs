//! Archives on the class path: an index of the central directory over the mapped file; entries are inflated on
//! demand.
//!
//! The `zip` crate is not used here: it copies every name and field of the directory when it opens an archive, reads
//! through a seeking `&mut` cursor, and refuses archives Java accepts. An index of our own costs two passes over the
//! directory, hands out stored entries without a copy, and can be asked from anywhere.

use crate::mmap;
use crate::sym::FixedState;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

const END_MAGIC: &[u8] = b"PK\x05\x06";
const END_LEN: usize = 22;
const END64_MAGIC: &[u8] = b"PK\x06\x06";
const END64_LOCATOR_MAGIC: &[u8] = b"PK\x06\x07";
const END64_LOCATOR_LEN: usize = 20;
const CENTRAL_MAGIC: &[u8] = b"PK\x01\x02";
const CENTRAL_LEN: usize = 46;
const LOCAL_MAGIC: &[u8] = b"PK\x03\x04";
const LOCAL_LEN: usize = 30;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An opened archive.
pub struct Jar {
    path: PathBuf,
    bytes: &'static [u8],
    /// Bytes before the archive proper (a launcher script, say): all offsets count from there.
    shift: u64,
    entries: Vec<Entry>,
    index: HashTable<u32>,
    multi_release: bool,
}

/// A row of the central directory.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// With slashes; directories end with one.
    pub name: &'static str,
    pub size: u64,
    compressed: u64,
    header: u64,
    method: u16,
    encrypted: bool,
}

/// The end of the central directory.
struct End {
    count: u64,
    len: u64,
    offset: u64,
    /// Where the end record (or its 64-bit form) itself is.
    at: usize,
}

impl Jar {
    pub fn open(path: &Path) -> Result<Jar, String> {
        let show = path.display();
        let bytes = mmap::map_forever(path).map_err(|e| format!("cannot read {show}: {e}"))?;
        Jar::from_bytes(path, bytes)
    }

    /// An archive in memory; `path` is only for messages.
    pub fn from_bytes(path: &Path, bytes: &'static [u8]) -> Result<Jar, String> {
        let fail = |why: &str| format!("{}: {why}", path.display());
        let end = find_end(bytes).map_err(fail)?;
        let directory_at = (end.at as u64)
            .checked_sub(end.len)
            .ok_or_else(|| fail("truncated archive"))?;
        let shift = directory_at
            .checked_sub(end.offset)
            .ok_or_else(|| fail("truncated archive"))?;
        let directory = bytes
            .get(directory_at as usize..end.at)
            .ok_or_else(|| fail("truncated archive"))?;
        let entries = read_directory(directory, end.count).map_err(fail)?;
        let mut jar = Jar {
            path: path.to_path_buf(),
            bytes,
            shift,
            index: HashTable::with_capacity(entries.len()),
            entries,
            multi_release: false,
        };
        jar.build_index();
        jar.multi_release = jar.manifest_says_multi_release();
        Ok(jar)
    }

    fn build_index(&mut self) {
        let entries = &self.entries;
        for (i, entry) in entries.iter().enumerate() {
            let slot = self.index.entry(
                FixedState.hash_one(entry.name),
                |&j| entries[j as usize].name == entry.name,
                |&j| FixedState.hash_one(entries[j as usize].name),
            );
            // Of several entries of one name Java finds the last.
            *slot.or_insert(i as u32).get_mut() = i as u32;
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All entries, in the order of the directory.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn find(&self, name: &str) -> Option<&Entry> {
        let same = |&i: &u32| self.entries[i as usize].name == name;
        self.index
            .find(FixedState.hash_one(name), same)
            .map(|&i| &self.entries[i as usize])
    }

    /// As `find`, but in a multi-release archive the newest form for this Java version.
    pub fn find_for(&self, name: &str, feature: u32) -> Option<&Entry> {
        if self.multi_release && !name.starts_with("META-INF/") {
            for version in (9..=feature).rev() {
                if let Some(entry) = self.find(&format!("META-INF/versions/{version}/{name}")) {
                    return Some(entry);
                }
            }
        }
        self.find(name)
    }

    /// The content of an entry. Stored entries are not copied.
    pub fn read(&self, entry: &Entry) -> Result<Cow<'static, [u8]>, String> {
        let fail = |why: &str| format!("{}: entry {} {why}", self.path.display(), entry.name);
        if entry.encrypted {
            return Err(fail("is encrypted"));
        }
        let raw = self
            .raw(entry)
            .ok_or_else(|| fail("is truncated or its header is damaged"))?;
        match entry.method {
            STORED => Ok(Cow::Borrowed(raw)),
            DEFLATED => match inflate(raw, entry.size) {
                Some(content) => Ok(Cow::Owned(content)),
                None => Err(fail("is damaged: its data cannot be inflated")),
            },
            method => Err(fail(&format!(
                "uses compression method {method}; only stored and deflated are supported"
            ))),
        }
    }

    /// Reads an entry by name.
    pub fn get(&self, name: &str) -> Option<Result<Cow<'static, [u8]>, String>> {
        self.find(name).map(|entry| self.read(entry))
    }

    /// The bytes of an entry as they are in the file.
    fn raw(&self, entry: &Entry) -> Option<&'static [u8]> {
        let at = usize::try_from(entry.header.checked_add(self.shift)?).ok()?;
        let local = self.bytes.get(at..)?;
        if !local.starts_with(LOCAL_MAGIC) {
            return None;
        }
        // The lengths of name and extra field may differ from those in the directory.
        let start = LOCAL_LEN + usize::from(le16(local, 26)?) + usize::from(le16(local, 28)?);
        local.get(start..)?.get(..usize::try_from(entry.compressed).ok()?)
    }

    fn manifest_says_multi_release(&self) -> bool {
        let Some(Ok(manifest)) = self.get("META-INF/MANIFEST.MF") else {
            return false;
        };
        // Only the main section counts, which ends with an empty line.
        let text = String::from_utf8_lossy(&manifest);
        text.lines().take_while(|line| !line.is_empty()).any(|line| {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            key.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
        })
    }
}

impl Entry {
    pub fn is_dir(&self) -> bool {
        self.name.ends_with('/')
    }
}

fn find_end(bytes: &[u8]) -> Result<End, &'static str> {
    if bytes.is_empty() {
        return Err("empty file, not an archive");
    }
    let damaged = if bytes.starts_with(LOCAL_MAGIC) {
        "truncated archive: its directory at the end is missing"
    } else {
        "not a zip or jar archive"
    };
    // The end record is followed by a comment of up to 65535 bytes, nothing else.
    let last = bytes.len().checked_sub(END_LEN).ok_or(damaged)?;
    let first = last.saturating_sub(0xFFFF);
    let is_end = |at: &usize| {
        bytes[*at..].starts_with(END_MAGIC)
            && le16(bytes, at + 20).is_some_and(|len| at + END_LEN + usize::from(len) == bytes.len())
    };
    let at = (first..=last).rev().find(is_end).ok_or(damaged)?;
    let word = |offset| le32(bytes, at + offset).map(u64::from).ok_or(damaged);
    let count = u64::from(le16(bytes, at + 10).ok_or(damaged)?);
    let end = End {
        count,
        len: word(12)?,
        offset: word(16)?,
        at,
    };
    if end.count == 0xFFFF || end.len == 0xFFFF_FFFF || end.offset == 0xFFFF_FFFF {
        return Ok(find_end64(bytes, at).unwrap_or(end));
    }
    Ok(end)
}

/// The 64-bit end record, for archives with more than 65535 entries or 4 GB.
fn find_end64(bytes: &[u8], end: usize) -> Option<End> {
    let locator = bytes.get(end.checked_sub(END64_LOCATOR_LEN)?..end)?;
    if !locator.starts_with(END64_LOCATOR_MAGIC) {
        return None;
    }
    let at = usize::try_from(le64(locator, 8)?).ok()?;
    let record = bytes.get(at..)?;
    if !record.starts_with(END64_MAGIC) {
        return None;
    }
    Some(End {
        count: le64(record, 32)?,
        len: le64(record, 40)?,
        offset: le64(record, 48)?,
        at,
    })
}

fn read_directory(mut rest: &'static [u8], count: u64) -> Result<Vec<Entry>, &'static str> {
    let damaged = "truncated archive: its directory is damaged";
    // The count is not trusted for the allocation.
    let mut entries = Vec::with_capacity((count as usize).min(rest.len() / CENTRAL_LEN));
    while rest.starts_with(CENTRAL_MAGIC) {
        let (entry, len) = directory_entry(rest).ok_or(damaged)?;
        entries.push(entry);
        rest = rest.get(len..).ok_or(damaged)?;
    }
    // Some writers count entries modulo 65536.
    if entries.len() as u64 & 0xFFFF != count & 0xFFFF {
        return Err(damaged);
    }
    Ok(entries)
}

/// One row and its length.
fn directory_entry(row: &'static [u8]) -> Option<(Entry, usize)> {
    let (name_len, extra_len) = (usize::from(le16(row, 28)?), usize::from(le16(row, 30)?));
    let comment_len = usize::from(le16(row, 32)?);
    let name = row.get(CENTRAL_LEN..)?.get(..name_len)?;
    let extra = row.get(CENTRAL_LEN + name_len..)?.get(..extra_len)?;
    let mut entry = Entry {
        name: text(name),
        size: u64::from(le32(row, 24)?),
        compressed: u64::from(le32(row, 20)?),
        header: u64::from(le32(row, 42)?),
        method: le16(row, 10)?,
        encrypted: le16(row, 8)? & 1 != 0,
    };
    widen(&mut entry, extra);
    Some((entry, CENTRAL_LEN + name_len + extra_len + comment_len))
}

/// Names are UTF-8; a name in an older code page is kept readable rather than lost.
fn text(name: &'static [u8]) -> &'static str {
    match std::str::from_utf8(name) {
        Ok(text) => text,
        Err(_) => Box::leak(String::from_utf8_lossy(name).into_owned().into_boxed_str()),
    }
}

/// Takes sizes and offset from the 64-bit extra field where the row says so.
fn widen(entry: &mut Entry, mut extra: &[u8]) {
    const ESCAPE: u64 = 0xFFFF_FFFF;
    while let (Some(id), Some(len)) = (le16(extra, 0), le16(extra, 2)) {
        let Some(content) = extra.get(4..4 + usize::from(len)) else {
            return;
        };
        if id == 1 {
            let mut values = content.chunks_exact(8).filter_map(|v| le64(v, 0));
            for field in [&mut entry.size, &mut entry.compressed, &mut entry.header] {
                if *field == ESCAPE {
                    *field = values.next().unwrap_or(ESCAPE);
                }
            }
        }
        extra = &extra[4 + usize::from(len)..];
    }
}

/// Inflates raw deflate data that must give exactly `size` bytes.
fn inflate(raw: &[u8], size: u64) -> Option<Vec<u8>> {
    let size = usize::try_from(size).ok()?;
    // Deflate expands at most 1032 times: a damaged size must not ask for all memory.
    if size / 1032 > raw.len() {
        return None;
    }
    let mut out = Vec::with_capacity(size);
    let mut state = flate2::Decompress::new(false);
    while out.len() < size {
        let before = (state.total_in(), out.len());
        let from = usize::try_from(state.total_in()).ok()?;
        let status = state
            .decompress_vec(raw.get(from..)?, &mut out, flate2::FlushDecompress::None)
            .ok()?;
        let stuck = (state.total_in(), out.len()) == before;
        if status == flate2::Status::StreamEnd || stuck {
            break;
        }
    }
    (out.len() == size).then_some(out)
}

fn le16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn le64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
