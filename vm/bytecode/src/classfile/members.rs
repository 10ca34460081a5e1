//! Checks fields and methods with their attributes.

use super::parse::Parser;
use super::reader::{be16, truncated};
use super::{Attrs, FormatError, MemberInfo, flags, mutf8, tag};
use poldet_base::sym::FixedState;
use std::hash::BuildHasher;

const MAX_ARGS: u32 = 255;
const MAX_CODE: u32 = 65535;

/// Remembers which attributes were met, to refuse a second one. One bit per name of the caller's list.
#[derive(Default)]
pub(super) struct Once(u32);

impl Once {
    /// Whether this is the first.
    pub fn first(&mut self, bit: u32) -> bool {
        let fresh = self.0 & 1 << bit == 0;
        self.0 |= 1 << bit;
        fresh
    }
}

/// Attributes that may stand only once per member, whose content the VM keeps as bytes.
const UNIQUE: [&[u8]; 7] = [
    b"RuntimeVisibleAnnotations",
    b"RuntimeInvisibleAnnotations",
    b"RuntimeVisibleTypeAnnotations",
    b"RuntimeInvisibleTypeAnnotations",
    b"RuntimeVisibleParameterAnnotations",
    b"RuntimeInvisibleParameterAnnotations",
    b"AnnotationDefault",
];

impl Parser {
    /// Refuses a second annotation attribute of one kind; `of` says of what ("for field").
    pub fn check_unique(&self, name: &[u8], once: &mut Once, of: &str) -> Result<(), FormatError> {
        // All names of the list start with R or A; most attributes do not.
        if !matches!(name.first(), Some(b'R' | b'A')) || self.major < 49 {
            return Ok(());
        }
        let limit = if of.ends_with("method") { UNIQUE.len() } else { 4 };
        match UNIQUE[..limit].iter().position(|u| *u == name) {
            Some(i) if !once.first(i as u32) => {
                Err(self.error(format_args!("Multiple {} attributes{of}", mutf8::to_text(name))))
            }
            _ => Ok(()),
        }
    }

    pub fn check_empty(&self, name: &[u8], len: u32, of: &str) -> Result<(), FormatError> {
        if len == 0 {
            return Ok(());
        }
        Err(self.error(format_args!(
            "Invalid {} {of} attribute length {len}",
            mutf8::to_text(name)
        )))
    }

    /// The Signature attribute names a text.
    pub fn check_signature_index(&self, content: &[u8]) -> Result<(), FormatError> {
        let index = be16(content, 0).ok_or_else(truncated)?;
        if self.tag(index) != tag::UTF8 {
            return Err(self.error(format_args!(
                "Invalid Signature attribute at constant pool index {index}"
            )));
        }
        Ok(())
    }

    /// The name and length of the next attribute; `bad_name` gives the message for a bad name index.
    pub fn attribute_head(&mut self, bad_name: &str) -> Result<(&'static [u8], u32), FormatError> {
        let index = self.r.u2()?;
        let len = self.r.u4()?;
        match self.pool().utf8(index) {
            Some(name) => Ok((name, len)),
            None => Err(self.error(format_args!("{bad_name} index {index}"))),
        }
    }
}

pub(super) fn fields(p: &mut Parser, is_interface: bool) -> Result<Box<[MemberInfo]>, FormatError> {
    let count = p.r.u2()?;
    let mut list = Vec::with_capacity(usize::from(count).min(p.r.bytes.len() / 8));
    for _ in 0..count {
        list.push(field(p, is_interface)?);
    }
    check_duplicates(p, &list, "field")?;
    Ok(list.into_boxed_slice())
}

fn field(p: &mut Parser, is_interface: bool) -> Result<MemberInfo, FormatError> {
    p.r.need(8)?;
    let mut access = p.r.u2()? & flags::FIELD_MASK;
    if !p.trusted && flags::illegal_field(access, is_interface, p.major) {
        let message = format!("Illegal field modifiers in class {}: 0x{access:X}", p.name_text());
        return Err(p.plain_error(message));
    }
    let name = p.r.u2()?;
    let desc = p.r.u2()?;
    let text = |index, what| {
        let bad = || {
            p.error(format_args!(
                "Invalid constant pool index {index} for field {what}"
            ))
        };
        p.pool().utf8(index).ok_or_else(bad)
    };
    let name_text = text(name, "name")?;
    if !p.trusted {
        p.check_field_name(name_text)?;
    }
    let desc_text = text(desc, "signature")?;
    if !p.trusted {
        p.check_field_desc(name_text, desc_text)?;
    }
    let count = p.r.u2()?;
    let attrs = Attrs {
        at: p.r.at as u32,
        count,
    };
    let is_static = access & flags::STATIC != 0;
    let (mut once, mut other) = (Once::default(), Once::default());
    for _ in 0..count {
        let (name, len) = p.attribute_head("Invalid field attribute")?;
        match name {
            b"ConstantValue" if is_static => constant_value(p, len, desc_text, &mut other)?,
            b"Synthetic" | b"Deprecated" => {
                p.check_empty(name, len, "field")?;
                if name == b"Synthetic" {
                    access |= flags::SYNTHETIC;
                }
            }
            b"Signature" if p.major >= 49 => {
                if !other.first(1) {
                    return Err(p.error("Multiple Signature attributes for field"));
                }
                if len != 2 {
                    return Err(p.error(format_args!("Wrong size {len} for field's Signature attribute")));
                }
                let content = p.r.take(2)?;
                p.check_signature_index(content)?;
            }
            _ => {
                p.check_unique(name, &mut once, " for field")?;
                p.r.take(len as usize)?;
            }
        }
    }
    Ok(MemberInfo {
        access,
        name,
        desc,
        attrs,
    })
}

fn constant_value(p: &mut Parser, len: u32, desc: &[u8], once: &mut Once) -> Result<(), FormatError> {
    if !once.first(0) {
        return Err(p.error("Duplicate ConstantValue attribute"));
    }
    if len != 2 {
        return Err(p.error(format_args!("Invalid ConstantValue field attribute length {len}")));
    }
    let index = p.r.u2()?;
    if index == 0 || usize::from(index) >= p.cp.len() {
        return Err(p.error(format_args!(
            "Bad initial value index {index} in ConstantValue attribute"
        )));
    }
    let expected = match desc {
        b"J" => tag::LONG,
        b"F" => tag::FLOAT,
        b"D" => tag::DOUBLE,
        b"B" | b"C" | b"S" | b"Z" | b"I" => tag::INTEGER,
        [b'L', ..] => {
            let ok = desc == b"Ljava/lang/String;" && p.tag(index) == tag::STRING;
            return if ok {
                Ok(())
            } else {
                Err(p.error("Bad string initial value"))
            };
        }
        _ => return Err(p.error(format_args!("Unable to set initial value {index}"))),
    };
    if p.tag(index) != expected {
        return Err(p.error("Inconsistent constant value type"));
    }
    Ok(())
}

pub(super) fn methods(p: &mut Parser, is_interface: bool) -> Result<Box<[MemberInfo]>, FormatError> {
    let count = p.r.u2()?;
    let mut list = Vec::with_capacity(usize::from(count).min(p.r.bytes.len() / 8));
    for _ in 0..count {
        list.push(method(p, is_interface)?);
    }
    check_duplicates(p, &list, "method")?;
    Ok(list.into_boxed_slice())
}

fn method(p: &mut Parser, is_interface: bool) -> Result<MemberInfo, FormatError> {
    p.r.need(8)?;
    let raw = p.r.u2()?;
    let name = p.r.u2()?;
    let desc = p.r.u2()?;
    let text = |index, what| {
        let bad = || {
            p.error(format_args!(
                "Illegal constant pool index {index} for method {what}"
            ))
        };
        p.pool().utf8(index).ok_or_else(bad)
    };
    let name_text = text(name, "name")?;
    if !p.trusted {
        p.check_method_name(name_text)?;
    }
    let desc_text = text(desc, "signature")?;
    let mut access = method_access(p, raw, name_text, is_interface)?;
    let mut arg_slots = 0;
    if !p.trusted {
        let receiver = u32::from(access & flags::STATIC == 0);
        arg_slots = p.check_method_desc(name_text, desc_text)? + receiver;
        if arg_slots > MAX_ARGS {
            return Err(p.error("Too many arguments in method signature"));
        }
    }
    let count = p.r.u2()?;
    let attrs = Attrs {
        at: p.r.at as u32,
        count,
    };
    let no_code = access & (flags::NATIVE | flags::ABSTRACT) != 0;
    let mut seen = MethodSeen::default();
    for _ in 0..count {
        method_attribute(p, no_code, arg_slots, &mut seen)?;
    }
    if !no_code && !seen.code {
        return Err(p.error("Absent Code attribute in method that is not native or abstract"));
    }
    seen.locals.check(p)?;
    if seen.synthetic {
        access |= flags::SYNTHETIC;
    }
    Ok(MemberInfo {
        access,
        name,
        desc,
        attrs,
    })
}

fn method_access(p: &Parser, raw: u16, name: &[u8], is_interface: bool) -> Result<u16, FormatError> {
    if name == b"<clinit>" {
        // The other flags of a class initialiser mean nothing.
        return if p.major < 51 {
            Ok(flags::STATIC)
        } else if raw & flags::STATIC != 0 {
            Ok(raw & (flags::STATIC | flags::STRICT))
        } else {
            Err(p.error("Method <clinit> is not static"))
        };
    }
    if !p.trusted && flags::illegal_method(raw, is_interface, name == b"<init>", p.major) {
        let (name, class) = (mutf8::to_text(name), p.name_text());
        return Err(p.plain_error(format!(
            "Method {name} in class {class} has illegal modifiers: 0x{raw:X}"
        )));
    }
    if name == b"<init>" && is_interface {
        let class = p.name_text();
        return Err(p.plain_error(format!(
            "Interface cannot have a method named <init>, class file {class}"
        )));
    }
    Ok(raw & flags::METHOD_MASK)
}

#[derive(Default)]
struct MethodSeen {
    code: bool,
    synthetic: bool,
    other: Once,
    annotations: Once,
    locals: super::code::Locals,
}

fn method_attribute(
    p: &mut Parser,
    no_code: bool,
    arg_slots: u32,
    seen: &mut MethodSeen,
) -> Result<(), FormatError> {
    let (name, len) = p.attribute_head("Invalid method attribute name")?;
    match name {
        b"Code" => {
            if no_code {
                return Err(p.error("Code attribute in native or abstract methods"));
            }
            if std::mem::replace(&mut seen.code, true) {
                return Err(p.error("Multiple Code attributes"));
            }
            seen.locals = super::code::check(p, len, arg_slots)?;
        }
        b"Exceptions" => {
            if !seen.other.first(0) {
                return Err(p.error("Multiple Exceptions attributes"));
            }
            exceptions(p, len)?;
        }
        b"MethodParameters" => {
            if !seen.other.first(1) {
                return Err(p.error("Multiple MethodParameters attributes"));
            }
            let count = u32::from(p.r.u1()?);
            if len != count * 4 + 1 {
                // HotSpot leaves the class out of this one.
                let message = format!("Invalid MethodParameters method attribute length {len} in class file");
                return Err(p.plain_error(message));
            }
            p.r.take(count as usize * 4)?;
        }
        b"Synthetic" | b"Deprecated" => {
            p.check_empty(name, len, "method")?;
            seen.synthetic |= name == b"Synthetic";
        }
        b"Signature" if p.major >= 49 => {
            if !seen.other.first(2) {
                return Err(p.error("Multiple Signature attributes for method"));
            }
            if len != 2 {
                return Err(p.error(format_args!("Invalid Signature attribute length {len}")));
            }
            let content = p.r.take(2)?;
            p.check_signature_index(content)?;
        }
        _ => {
            p.check_unique(name, &mut seen.annotations, " for method")?;
            p.r.take(len as usize)?;
        }
    }
    Ok(())
}

fn exceptions(p: &mut Parser, len: u32) -> Result<(), FormatError> {
    let count = p.r.u2()?;
    let content = p.r.take(usize::from(count) * 2)?;
    for index in super::reader::words(content) {
        if p.tag(index) != tag::CLASS {
            return Err(p.error(format_args!(
                "Exception name has bad type at constant pool {index}"
            )));
        }
    }
    if len != 2 + u32::from(count) * 2 {
        return Err(p.error("Exceptions attribute has wrong length"));
    }
    Ok(())
}

/// No two members of one kind may share name and descriptor.
fn check_duplicates(p: &Parser, list: &[MemberInfo], kind: &str) -> Result<(), FormatError> {
    if p.trusted || list.len() < 2 {
        return Ok(());
    }
    let texts = |m: &MemberInfo| {
        (
            p.pool().utf8(m.name).unwrap_or(b""),
            p.pool().utf8(m.desc).unwrap_or(b""),
        )
    };
    // Sorted by hash, equal members are neighbours; ties are settled by the texts themselves.
    let mut keys: Vec<(u64, usize)> = list
        .iter()
        .enumerate()
        .map(|(i, m)| (FixedState.hash_one(texts(m)), i))
        .collect();
    keys.sort_unstable();
    for (k, &(hash, i)) in keys.iter().enumerate() {
        for &(_, j) in keys[k + 1..].iter().take_while(|(h, _)| *h == hash) {
            if texts(&list[i]) == texts(&list[j]) {
                let (name, desc) = texts(&list[i]);
                let (name, desc) = (mutf8::to_text(name), mutf8::to_text(desc));
                return Err(p.error(format_args!(
                    "Duplicate {kind} name \"{name}\" with signature \"{desc}\""
                )));
            }
        }
    }
    Ok(())
}

/// Code lengths HotSpot accepts.
pub(super) fn legal_code_length(len: u32) -> bool {
    (1..=MAX_CODE).contains(&len)
}
