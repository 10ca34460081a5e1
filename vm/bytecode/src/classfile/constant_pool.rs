//! The constant pool: its index, its checks and its getters.

use super::names::{self, BadDescriptor};
use super::parse::Parser;
use super::reader::{be16, be32, truncated};
use super::{FormatError, mutf8, tag};

/// The bytes of a class file seen through the offsets of its constants. Every getter is total.
#[derive(Clone, Copy)]
pub(super) struct Pool<'a> {
    pub bytes: &'static [u8],
    pub cp: &'a [u32],
}

impl Pool<'_> {
    #[inline]
    fn at(self, index: u16) -> usize {
        self.cp.get(usize::from(index)).map_or(0, |&at| at as usize)
    }

    #[inline]
    pub fn tag(self, index: u16) -> u8 {
        match self.at(index) {
            0 => 0,
            at => self.bytes.get(at).copied().unwrap_or(0),
        }
    }

    /// Offset of the content of a constant with this tag.
    #[inline]
    fn content(self, index: u16, tag: u8) -> Option<usize> {
        let at = self.at(index);
        (at != 0 && self.bytes.get(at) == Some(&tag)).then_some(at + 1)
    }

    #[inline]
    pub fn utf8(self, index: u16) -> Option<&'static [u8]> {
        let at = self.content(index, tag::UTF8)?;
        let len = usize::from(be16(self.bytes, at)?);
        self.bytes.get(at + 2..at + 2 + len)
    }

    #[inline]
    pub fn class_name(self, index: u16) -> Option<&'static [u8]> {
        match self.tag(index) {
            tag::CLASS | tag::MODULE | tag::PACKAGE => self.utf8(be16(self.bytes, self.at(index) + 1)?),
            _ => None,
        }
    }

    pub fn string(self, index: u16) -> Option<&'static [u8]> {
        self.utf8(be16(self.bytes, self.content(index, tag::STRING)?)?)
    }

    pub fn word(self, index: u16) -> Option<u32> {
        match self.tag(index) {
            tag::INTEGER | tag::FLOAT => be32(self.bytes, self.at(index) + 1),
            _ => None,
        }
    }

    pub fn long(self, index: u16) -> Option<u64> {
        match self.tag(index) {
            tag::LONG | tag::DOUBLE => {
                let at = self.at(index) + 1;
                Some(u64::from(be32(self.bytes, at)?) << 32 | u64::from(be32(self.bytes, at + 4)?))
            }
            _ => None,
        }
    }

    /// The two indices of a NameAndType.
    fn name_and_type_indices(self, index: u16) -> Option<(u16, u16)> {
        let at = self.content(index, tag::NAME_AND_TYPE)?;
        Some((be16(self.bytes, at)?, be16(self.bytes, at + 2)?))
    }

    pub fn name_and_type(self, index: u16) -> Option<(&'static [u8], &'static [u8])> {
        let (name, desc) = self.name_and_type_indices(index)?;
        Some((self.utf8(name)?, self.utf8(desc)?))
    }

    pub fn member(self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        match self.tag(index) {
            tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => self.pair(index),
            _ => None,
        }
    }

    pub fn dynamic(self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        match self.tag(index) {
            tag::DYNAMIC | tag::INVOKE_DYNAMIC => self.pair(index),
            _ => None,
        }
    }

    /// A number and a NameAndType, the shape of member references and dynamic constants.
    fn pair(self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        let at = self.at(index);
        let (name, desc) = self.name_and_type(be16(self.bytes, at + 3)?)?;
        Some((be16(self.bytes, at + 1)?, name, desc))
    }

    pub fn method_handle(self, index: u16) -> Option<(u8, u16)> {
        let at = self.content(index, tag::METHOD_HANDLE)?;
        Some((*self.bytes.get(at)?, be16(self.bytes, at + 1)?))
    }

    pub fn method_type(self, index: u16) -> Option<&'static [u8]> {
        self.utf8(be16(self.bytes, self.content(index, tag::METHOD_TYPE)?)?)
    }
}

/// Size of a constant after its tag; 0 for the tags without a fixed size.
const SIZES: [u8; 21] = {
    let mut sizes = [0; 21];
    sizes[tag::INTEGER as usize] = 4;
    sizes[tag::FLOAT as usize] = 4;
    sizes[tag::LONG as usize] = 8;
    sizes[tag::DOUBLE as usize] = 8;
    sizes[tag::CLASS as usize] = 2;
    sizes[tag::STRING as usize] = 2;
    sizes[tag::FIELD as usize] = 4;
    sizes[tag::METHOD as usize] = 4;
    sizes[tag::INTERFACE_METHOD as usize] = 4;
    sizes[tag::NAME_AND_TYPE as usize] = 4;
    sizes[tag::METHOD_HANDLE as usize] = 3;
    sizes[tag::METHOD_TYPE as usize] = 2;
    sizes[tag::DYNAMIC as usize] = 4;
    sizes[tag::INVOKE_DYNAMIC as usize] = 4;
    sizes[tag::MODULE as usize] = 2;
    sizes[tag::PACKAGE as usize] = 2;
    sizes
};

/// Tags whose constants need no check in the first pass.
const PLAIN: u32 = 1 << tag::INTEGER
    | 1 << tag::FLOAT
    | 1 << tag::CLASS
    | 1 << tag::STRING
    | 1 << tag::FIELD
    | 1 << tag::METHOD
    | 1 << tag::INTERFACE_METHOD
    | 1 << tag::NAME_AND_TYPE;

/// First pass: finds where each constant starts. Answers also the tag of the first Module or Package constant, which
/// only a module declaration may have.
pub(super) fn index(p: &mut Parser, count: u16) -> Result<u8, FormatError> {
    let count = usize::from(count);
    let mut module_constant = 0;
    let bytes = p.r.bytes;
    let mut at = p.r.at;
    // Local, so that the loop keeps them in registers: most of the parsing time is spent here.
    let (mut cp, mut tags) = (vec![0; count], vec![0; count]);
    let mut i = 1;
    while i < count {
        let tag = *bytes.get(at).ok_or_else(truncated)?;
        cp[i] = at as u32;
        tags[i] = tag;
        i += 1;
        if tag == tag::UTF8 {
            let len = usize::from(be16(bytes, at + 1).ok_or_else(truncated)?);
            at += 3 + len;
            // Something always follows a text, and HotSpot checks that before it reads the text.
            if at >= bytes.len() {
                return Err(truncated());
            }
            if !p.trusted && !mutf8::is_legal(&bytes[at - len..at], p.major) {
                return Err(p.error("Illegal UTF8 string in constant pool"));
            }
            continue;
        }
        if tag >= 32 || PLAIN & 1 << tag == 0 {
            rare(p, tag, at, &mut module_constant)?;
            if matches!(tag, tag::LONG | tag::DOUBLE) {
                if i >= count {
                    return Err(p.error(format_args!("Invalid constant pool entry {}", i - 1)));
                }
                i += 1;
            }
        }
        at += 1 + usize::from(SIZES[usize::from(tag)]);
    }
    if at > bytes.len() {
        return Err(truncated());
    }
    (p.cp, p.tags) = (cp, tags);
    p.r.at = at;
    Ok(module_constant)
}

/// The tags that depend on the version, or ask for a bootstrap method, or do not exist.
#[inline(never)]
fn rare(p: &mut Parser, tag: u8, at: usize, module_constant: &mut u8) -> Result<(), FormatError> {
    match tag {
        tag::LONG | tag::DOUBLE => Ok(()),
        tag::METHOD_HANDLE | tag::METHOD_TYPE | tag::INVOKE_DYNAMIC if p.major < 51 => {
            Err(unsupported_tag(p, tag))
        }
        tag::METHOD_HANDLE | tag::METHOD_TYPE => Ok(()),
        tag::DYNAMIC if p.major < 55 => Err(unsupported_tag(p, tag)),
        tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
            let asked = be16(p.r.bytes, at + 1).ok_or_else(truncated)?;
            p.bootstraps = p.bootstraps.max(u32::from(asked) + 1);
            Ok(())
        }
        tag::MODULE | tag::PACKAGE if p.major >= 53 => {
            if *module_constant == 0 {
                *module_constant = tag;
            }
            Ok(())
        }
        _ => Err(unknown_tag(p, tag)),
    }
}

#[cold]
pub(super) fn unknown_tag(p: &Parser, tag: u8) -> FormatError {
    p.error(format_args!("Unknown constant tag {tag}"))
}

#[cold]
fn unsupported_tag(p: &Parser, tag: u8) -> FormatError {
    p.error(format_args!(
        "Class file version does not support constant tag {tag}"
    ))
}

/// Second pass: every constant refers to constants of the right kind.
pub(super) fn check_references(p: &Parser) -> Result<(), FormatError> {
    let pool = p.pool();
    for (i, (&at, &tag)) in p.cp.iter().zip(&p.tags).enumerate() {
        // Texts and numbers, which are most constants, refer to nothing.
        if tag <= tag::DOUBLE {
            continue;
        }
        let at = at as usize;
        let first = be16(p.r.bytes, at + 1).unwrap_or(0);
        match tag {
            tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                p.expect_tag(first, tag::UTF8)?;
            }
            tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => {
                p.expect_tag(first, tag::CLASS)?;
                p.expect_tag(be16(p.r.bytes, at + 3).unwrap_or(0), tag::NAME_AND_TYPE)?;
            }
            tag::NAME_AND_TYPE => {
                p.expect_tag(first, tag::UTF8)?;
                p.expect_tag(be16(p.r.bytes, at + 3).unwrap_or(0), tag::UTF8)?;
            }
            tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
                p.expect_tag(be16(p.r.bytes, at + 3).unwrap_or(0), tag::NAME_AND_TYPE)?;
            }
            tag::METHOD_HANDLE => check_method_handle(p, pool, i as u16)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_method_handle(p: &Parser, pool: Pool<'_>, index: u16) -> Result<(), FormatError> {
    let (kind, target) = pool.method_handle(index).ok_or_else(truncated)?;
    if target == 0 || usize::from(target) >= p.cp.len() {
        return Err(p.bad_index(target));
    }
    let tag = p.tag(target);
    let interface_ok = p.major >= 52 && tag == tag::INTERFACE_METHOD;
    let (ok, what) = match kind {
        1..=4 => (tag == tag::FIELD, "field"),
        5 | 8 => (tag == tag::METHOD, "method"),
        6 | 7 => (tag == tag::METHOD || interface_ok, "method"),
        9 => (tag == tag::INTERFACE_METHOD, "interface method"),
        _ => {
            return Err(p.error(format_args!(
                "Bad method handle kind at constant pool index {index}"
            )));
        }
    };
    if ok {
        return Ok(());
    }
    let article = if what == "interface method" { "an" } else { "a" };
    let name = p.name_text();
    Err(FormatError {
        unsupported_version: false,
        message: format!("Invalid constant pool index {target} in class file {name} (not {article} {what})"),
    })
}

/// Third pass, skipped for trusted classes: names and descriptors are legal.
pub(super) fn check_names(p: &Parser) -> Result<(), FormatError> {
    let pool = p.pool();
    for i in 1..p.cp.len() as u16 {
        match p.tag(i) {
            tag::CLASS => check_class_name(p, pool.class_name(i).ok_or_else(truncated)?)?,
            tag::NAME_AND_TYPE => check_name_and_type(p, pool, i)?,
            tag::DYNAMIC => {
                let (_, name, desc) = pool.dynamic(i).ok_or_else(truncated)?;
                if desc.starts_with(b"(") {
                    return Err(p.bad_signature("CONSTANT_Dynamic", name, desc));
                }
            }
            tag::FIELD => {
                let (_, name, desc) = pool.member(i).ok_or_else(truncated)?;
                if desc.starts_with(b"(") {
                    return Err(p.bad_signature("Field", name, desc));
                }
            }
            tag::METHOD | tag::INTERFACE_METHOD | tag::INVOKE_DYNAMIC => check_method_ref(p, pool, i)?,
            tag::METHOD_HANDLE => check_handle_name(p, pool, i)?,
            tag::METHOD_TYPE => {
                let desc = pool.method_type(i).ok_or_else(truncated)?;
                p.check_method_desc(b"type", desc)?;
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn check_class_name(p: &Parser, name: &[u8]) -> Result<(), FormatError> {
    match names::class_name(name, p.major) {
        Ok(true) => Ok(()),
        Err(bad) if bad != BadDescriptor::Malformed => Err(p.bad_descriptor(bad, "", b"", b"")),
        _ => Err(p.error(format_args!("Illegal class name \"{}\"", mutf8::to_text(name)))),
    }
}

fn check_name_and_type(p: &Parser, pool: Pool<'_>, index: u16) -> Result<(), FormatError> {
    let (name_index, desc_index) = pool.name_and_type_indices(index).ok_or_else(truncated)?;
    let (name, desc) = pool.name_and_type(index).ok_or_else(truncated)?;
    for (text, index) in [(desc, desc_index), (name, name_index)] {
        if text.is_empty() {
            let what = format_args!("Illegal zero length constant pool entry at {index}");
            return Err(p.error_in_class(what));
        }
    }
    if desc.starts_with(b"(") {
        p.check_method_name(name)?;
        p.check_method_desc(name, desc)?;
    } else {
        p.check_field_name(name)?;
        p.check_field_desc(name, desc)?;
    }
    Ok(())
}

fn check_method_ref(p: &Parser, pool: Pool<'_>, index: u16) -> Result<(), FormatError> {
    let (_, name, desc) = pool.pair(index).ok_or_else(truncated)?;
    if !desc.starts_with(b"(") {
        return Err(p.bad_signature("Method", name, desc));
    }
    if pool.tag(index) == tag::METHOD && name.starts_with(b"<") && name != b"<init>" {
        return Err(p.error(format_args!(
            "Bad method name at constant pool index {}",
            name_index(pool, index)
        )));
    }
    Ok(())
}

fn check_handle_name(p: &Parser, pool: Pool<'_>, index: u16) -> Result<(), FormatError> {
    let (kind, target) = pool.method_handle(index).ok_or_else(truncated)?;
    if !(5..=8).contains(&kind) {
        return Ok(());
    }
    let (_, name, _) = pool.member(target).ok_or_else(truncated)?;
    let what = match (kind, name == b"<init>") {
        (8, false) => "constructor",
        (5..=7, true) => "method",
        _ => return Ok(()),
    };
    Err(p.error(format_args!(
        "Bad {what} name at constant pool index {}",
        name_index(pool, target)
    )))
}

/// Index of the name of a member reference, for messages.
fn name_index(pool: Pool<'_>, member: u16) -> u16 {
    let pair = be16(pool.bytes, pool.at(member) + 3).unwrap_or(0);
    pool.name_and_type_indices(pair).map_or(0, |(name, _)| name)
}
