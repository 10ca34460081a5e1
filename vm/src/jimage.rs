//! The JDK's `lib/modules` file: a memory-mapped, zero-copy reader of the jimage format.
//!
//! The file is a header, four tables and the resources. A path is found by a perfect hash: the redirect table says,
//! per bucket, either the slot of the only path there or the seed that spreads the bucket's paths. Offsets
//! lead from slots to locations, which are lists of (kind, value); module, parent, base and extension are offsets
//! into the string table. Everything read is checked against the file's bounds: a corrupt image finds nothing,
//! it never panics.

use crate::mmap;
use std::path::Path;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
const SEED: u32 = 0x0100_0193;

/// Kinds of location attributes.
const END: usize = 0;
const MODULE: usize = 1;
const PARENT: usize = 2;
const BASE: usize = 3;
const EXTENSION: usize = 4;
const OFFSET: usize = 5;
const COMPRESSED: usize = 6;
const UNCOMPRESSED: usize = 7;

#[derive(Clone, Copy)]
pub struct JImage {
    bytes: &'static [u8],
    slots: u32,
    redirect: &'static [u8],
    offsets: &'static [u8],
    locations: &'static [u8],
    strings: &'static [u8],
    /// Where the resources start.
    data: &'static [u8],
}

/// A resource of the image. Its path is `/module/parent/base.extension`, parts that are empty left out.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub module: &'static str,
    pub parent: &'static str,
    pub base: &'static str,
    pub extension: &'static str,
    pub content: &'static [u8],
}

type Location = [u64; 8];

impl JImage {
    pub fn open(path: &Path) -> Result<JImage, String> {
        let show = path.display();
        let bytes = mmap::map_forever(path).map_err(|e| format!("cannot read {show}: {e}"))?;
        JImage::from_bytes(bytes).map_err(|e| format!("{show}: {e}"))
    }

    /// Reads the header. Refuses images whose resources are compressed: they would have to be copied, and the JDKs
    /// that distributions ship are not.
    pub fn from_bytes(bytes: &'static [u8]) -> Result<JImage, String> {
        let truncated = || "truncated jimage file".to_string();
        let word = |at| le32(bytes, at).ok_or_else(truncated);
        match word(0)? {
            MAGIC => {}
            magic if magic.swap_bytes() == MAGIC => return Err("big-endian jimage file".into()),
            _ => return Err("not a jimage file".into()),
        }
        let version = word(4)?;
        if version >> 16 != 1 {
            return Err(format!(
                "unknown jimage version {}.{}",
                version >> 16,
                version & 0xFFFF
            ));
        }
        let slots = word(16)?;
        let (locations_len, strings_len) = (word(20)? as usize, word(24)? as usize);
        let table_len = (slots as usize).checked_mul(4).ok_or_else(truncated)?;
        let mut rest = bytes.get(HEADER..).ok_or_else(truncated)?;
        let mut cut = |len: usize| {
            let (head, tail) = rest.split_at_checked(len).ok_or_else(truncated)?;
            rest = tail;
            Ok::<_, String>(head)
        };
        let (redirect, offsets) = (cut(table_len)?, cut(table_len)?);
        let (locations, strings) = (cut(locations_len)?, cut(strings_len)?);
        let image = JImage {
            bytes,
            slots,
            redirect,
            offsets,
            locations,
            strings,
            data: rest,
        };
        match image.lookup("/java.base/java/lang/Object.class")? {
            Some(_) => Ok(image),
            None => Err("the image has no java.lang.Object".into()),
        }
    }

    /// A class or resource by module and name (`java.base`, `java/lang/Object.class`).
    pub fn find(&self, module: &str, name: &str) -> Option<&'static [u8]> {
        let mut path = String::with_capacity(module.len() + name.len() + 2);
        for part in ["/", module, "/", name] {
            path.push_str(part);
        }
        self.find_resource(&path)
    }

    /// A resource by its full path (`/java.base/java/lang/Object.class`). A compressed one is not found here;
    /// `lookup` says so.
    pub fn find_resource(&self, full: &str) -> Option<&'static [u8]> {
        self.lookup(full).ok().flatten()
    }

    /// As `find_resource`, but a resource that is there and compressed is an error that names it.
    pub fn lookup(&self, full: &str) -> Result<Option<&'static [u8]>, String> {
        let Some(location) = self.locate(full) else {
            return Ok(None);
        };
        if location[COMPRESSED] != 0 {
            return Err(format!(
                "resource {full} is compressed; use a JDK image linked without --compress"
            ));
        }
        Ok(self.content(&location))
    }

    /// The module that has this package (with dots or slashes).
    pub fn package_to_module(&self, package: &str) -> Option<&'static str> {
        let table = self.find_resource(&format!("/packages/{}", package.replace('/', ".")))?;
        // Pairs: whether the package is empty in that module, and the module's name.
        let pairs = table.chunks_exact(8);
        let name = pairs
            .filter(|pair| le32(pair, 0) == Some(0))
            .find_map(|pair| le32(pair, 4))?;
        self.string(u64::from(name))
    }

    /// All resources, in the order of the hash table; also the `/packages` and `/modules` directories' entries.
    /// Compressed and corrupt ones are left out.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.slots).filter_map(|slot| {
            let location = self.location(slot)?;
            if location[COMPRESSED] != 0 {
                return None;
            }
            Some(Entry {
                module: self.string(location[MODULE])?,
                parent: self.string(location[PARENT])?,
                base: self.string(location[BASE])?,
                extension: self.string(location[EXTENSION])?,
                content: self.content(&location)?,
            })
        })
    }

    /// Address of the mapping, for `NativeImageBuffer.getNativeMap`.
    pub fn base(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    /// Length of the mapping.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The whole file.
    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    fn locate(&self, full: &str) -> Option<Location> {
        if self.slots == 0 {
            return None;
        }
        let bucket = hash(full, SEED) % self.slots;
        let redirect = le32(self.redirect, bucket as usize * 4)? as i32;
        let slot = match redirect {
            0 => return None,
            seed if seed > 0 => hash(full, seed as u32) % self.slots,
            // -1 is slot 0.
            only => (-1 - only) as u32,
        };
        let location = self.location(slot)?;
        self.is_at(&location, full).then_some(location)
    }

    fn location(&self, slot: u32) -> Option<Location> {
        let at = le32(self.offsets, (slot as usize).checked_mul(4)?)? as usize;
        let mut rest = self.locations.get(at..)?;
        let mut location = Location::default();
        loop {
            let (&head, after) = rest.split_first()?;
            let kind = usize::from(head >> 3);
            if kind == END {
                return Some(location);
            }
            let (value, after) = after.split_at_checked(usize::from(head & 7) + 1)?;
            *location.get_mut(kind)? = value.iter().fold(0, |acc, &b| acc << 8 | u64::from(b));
            rest = after;
        }
    }

    /// Whether the location is that of this path: a hash alone cannot tell.
    fn is_at(&self, location: &Location, full: &str) -> bool {
        let part = |kind: usize| self.raw_string(location[kind]).unwrap_or(b"");
        let strip = |rest: &mut &[u8], text: &[u8]| match rest.strip_prefix(text) {
            Some(after) => {
                *rest = after;
                true
            }
            None => false,
        };
        let mut rest = full.as_bytes();
        let (module, parent, extension) = (part(MODULE), part(PARENT), part(EXTENSION));
        (module.is_empty() || (strip(&mut rest, b"/") && strip(&mut rest, module) && strip(&mut rest, b"/")))
            && (parent.is_empty() || (strip(&mut rest, parent) && strip(&mut rest, b"/")))
            && strip(&mut rest, part(BASE))
            && (extension.is_empty() || (strip(&mut rest, b".") && strip(&mut rest, extension)))
            && rest.is_empty()
    }

    fn content(&self, location: &Location) -> Option<&'static [u8]> {
        let start = usize::try_from(location[OFFSET]).ok()?;
        let len = usize::try_from(location[UNCOMPRESSED]).ok()?;
        self.data.get(start..)?.get(..len)
    }

    fn raw_string(&self, at: u64) -> Option<&'static [u8]> {
        let rest = self.strings.get(usize::try_from(at).ok()?..)?;
        Some(&rest[..rest.iter().position(|&b| b == 0)?])
    }

    fn string(&self, at: u64) -> Option<&'static str> {
        std::str::from_utf8(self.raw_string(at)?).ok()
    }
}

fn hash(path: &str, seed: u32) -> u32 {
    path.bytes()
        .fold(seed, |hash, b| hash.wrapping_mul(SEED) ^ u32::from(b))
        & 0x7FFF_FFFF
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

impl Entry {
    /// The name inside the module, `java/lang/Object.class`.
    pub fn name(&self) -> String {
        let mut name = String::new();
        if !self.parent.is_empty() {
            name.push_str(self.parent);
            name.push('/');
        }
        name.push_str(self.base);
        if !self.extension.is_empty() {
            name.push('.');
            name.push_str(self.extension);
        }
        name
    }

    pub fn is_class(&self) -> bool {
        self.extension == "class"
    }
}
