//! Checks the attributes of the class itself.

use super::members::Once;
use super::parse::Parser;
use super::reader::words;
use super::{Attrs, FormatError, flags, tag};

pub(super) struct ClassAttrs {
    pub table: Attrs,
    pub synthetic: bool,
}

/// What was found so far. Offsets are of attributes that HotSpot parses only after it has read all of them.
#[derive(Default)]
struct Seen {
    once: Once,
    annotations: Once,
    synthetic: bool,
    bootstrap: bool,
    nest_host: bool,
    inner_classes: Option<(usize, u32)>,
    nest_members: Option<(usize, u32)>,
    record: Option<(usize, u32)>,
    permitted: Option<(usize, u32)>,
}

pub(super) fn check(p: &mut Parser, access: u16) -> Result<ClassAttrs, FormatError> {
    let count = p.r.u2()?;
    let table = Attrs {
        at: p.r.at as u32,
        count,
    };
    let mut seen = Seen::default();
    for _ in 0..count {
        let (name, len) = p.attribute_head("Attribute name has bad constant pool")?;
        attribute(p, name, len, access, &mut seen)?;
    }
    let end = p.r.at;
    if let Some((at, len)) = seen.inner_classes {
        p.r.at = at;
        inner_classes(p, len)?;
    }
    if let Some((at, len)) = seen.nest_members {
        p.r.at = at;
        class_list(p, len, "NestMembers", "Nest member")?;
    }
    if let Some((at, len)) = seen.record {
        p.r.at = at;
        super::record::check(p, len)?;
    }
    if let Some((at, len)) = seen.permitted {
        p.r.at = at;
        class_list(p, len, "PermittedSubclasses", "Permitted subclass")?;
    }
    if !seen.bootstrap && p.bootstraps > 0 {
        return Err(p.error("Missing BootstrapMethods attribute"));
    }
    p.r.at = end;
    Ok(ClassAttrs {
        table,
        synthetic: seen.synthetic,
    })
}

fn attribute(p: &mut Parser, name: &[u8], len: u32, access: u16, seen: &mut Seen) -> Result<(), FormatError> {
    match name {
        b"SourceFile" => {
            if len != 2 {
                return Err(p.error("Wrong SourceFile attribute length"));
            }
            only_one(p, seen, 0, "SourceFile")?;
            let index = p.r.u2()?;
            if p.tag(index) != tag::UTF8 {
                return Err(p.error(format_args!(
                    "Invalid SourceFile attribute at constant pool index {index}"
                )));
            }
        }
        b"SourceDebugExtension" => {
            only_one(p, seen, 1, "SourceDebugExtension")?;
            p.r.take(len as usize)?;
        }
        b"InnerClasses" => {
            only_one(p, seen, 2, "InnerClasses")?;
            seen.inner_classes = later(p, len)?;
        }
        b"Synthetic" | b"Deprecated" => {
            p.check_empty(name, len, "classfile")?;
            seen.synthetic |= name == b"Synthetic";
        }
        b"Signature" if p.major >= 49 => {
            only_one(p, seen, 3, "Signature")?;
            if len != 2 {
                return Err(p.error(format_args!("Wrong Signature attribute length {len}")));
            }
            let index = p.r.u2()?;
            if p.tag(index) != tag::UTF8 {
                return Err(p.error(format_args!(
                    "Invalid constant pool index {index} in Signature attribute"
                )));
            }
        }
        b"EnclosingMethod" if p.major >= 49 => {
            only_one(p, seen, 4, "EnclosingMethod")?;
            enclosing_method(p, len)?;
        }
        b"BootstrapMethods" if p.major >= 51 => {
            only_one(p, seen, 5, "BootstrapMethods")?;
            seen.bootstrap = true;
            bootstrap_methods(p, len)?;
        }
        b"NestMembers" | b"NestHost" if p.major >= 55 => nest(p, name, len, seen)?,
        b"Record" if p.major >= 60 => {
            only_one(p, seen, 6, "Record")?;
            seen.record = later(p, len)?;
        }
        b"PermittedSubclasses" if p.major >= 61 => {
            only_one(p, seen, 7, "PermittedSubclasses")?;
            if access & flags::FINAL != 0 {
                let class = p.name_text();
                return Err(p.plain_error(format!(
                    "PermittedSubclasses attribute in final class file {class}"
                )));
            }
            seen.permitted = later(p, len)?;
        }
        _ => {
            p.check_unique(name, &mut seen.annotations, "")?;
            p.r.take(len as usize)?;
        }
    }
    Ok(())
}

/// Passes over an attribute; answers where it is.
fn later(p: &mut Parser, len: u32) -> Result<Option<(usize, u32)>, FormatError> {
    let at = p.r.at;
    p.r.take(len as usize)?;
    Ok(Some((at, len)))
}

fn only_one(p: &Parser, seen: &mut Seen, bit: u32, name: &str) -> Result<(), FormatError> {
    if seen.once.first(bit) {
        Ok(())
    } else {
        Err(p.error(format_args!("Multiple {name} attributes")))
    }
}

fn nest(p: &mut Parser, name: &[u8], len: u32, seen: &mut Seen) -> Result<(), FormatError> {
    if name == b"NestMembers" {
        only_one(p, seen, 8, "NestMembers")?;
        if seen.nest_host {
            return Err(p.error("Conflicting NestHost and NestMembers attributes"));
        }
        seen.nest_members = later(p, len)?;
        return Ok(());
    }
    only_one(p, seen, 9, "NestHost")?;
    seen.nest_host = true;
    if seen.nest_members.is_some() {
        return Err(p.error("Conflicting NestMembers and NestHost attributes"));
    }
    if len != 2 {
        return Err(p.error("Wrong NestHost attribute length"));
    }
    let index = p.r.u2()?;
    if p.tag(index) != tag::CLASS {
        return Err(p.error(format_args!(
            "Nest-host class_info_index {index} has bad constant type"
        )));
    }
    Ok(())
}

fn class_list(p: &mut Parser, len: u32, attr: &str, what: &str) -> Result<(), FormatError> {
    let count = p.r.u2()?;
    let list = p.r.take(2 * usize::from(count))?;
    for index in words(list) {
        if p.tag(index) != tag::CLASS {
            return Err(p.error(format_args!(
                "{what} class_info_index {index} has bad constant type"
            )));
        }
    }
    if len != 2 + 2 * u32::from(count) {
        return Err(p.error(format_args!("Wrong {attr} attribute length")));
    }
    Ok(())
}

fn enclosing_method(p: &mut Parser, len: u32) -> Result<(), FormatError> {
    if len != 4 {
        return Err(p.error(format_args!("Wrong EnclosingMethod attribute length {len}")));
    }
    let (class, method) = (p.r.u2()?, p.r.u2()?);
    if class == 0 {
        return Err(p.error("Invalid class index in EnclosingMethod attribute"));
    }
    if p.tag(class) != tag::CLASS {
        return Err(p.error("Invalid or out-of-bounds class index in EnclosingMethod attribute"));
    }
    if method != 0 && p.tag(method) != tag::NAME_AND_TYPE {
        return Err(p.error("Invalid or out-of-bounds method index in EnclosingMethod attribute"));
    }
    Ok(())
}

fn inner_classes(p: &mut Parser, len: u32) -> Result<(), FormatError> {
    let count = p.r.u2()?;
    let table = p.r.take(8 * usize::from(count))?;
    let mut entries = Vec::with_capacity(usize::from(count));
    for entry in table.chunks_exact(8) {
        let mut fields = words(entry);
        let mut next = || fields.next().unwrap_or(0);
        let (inner, outer, name, access) = (next(), next(), next(), next());
        if p.tag(inner) != tag::CLASS {
            return Err(p.error(format_args!(
                "inner_class_info_index {inner} has bad constant type"
            )));
        }
        if outer != 0 && p.tag(outer) != tag::CLASS {
            return Err(p.error(format_args!(
                "outer_class_info_index {outer} has bad constant type"
            )));
        }
        if outer != 0 && p.pool().class_name(outer).is_some_and(|n| n.starts_with(b"[")) {
            return Err(p.error("Outer class is an array class"));
        }
        if name != 0 && p.tag(name) != tag::UTF8 {
            return Err(p.error(format_args!("inner_name_index {name} has bad constant type")));
        }
        if inner == outer {
            return Err(p.error("Class is both outer and inner class"));
        }
        let access = flags::inner_access(access, p.major);
        if !p.trusted && flags::illegal_class(access, p.major) {
            return Err(p.illegal_class_modifiers(access));
        }
        entries.push([inner, outer, name, access]);
    }
    if p.major >= 49 && len != 2 + 8 * u32::from(count) {
        return Err(p.error("Wrong InnerClasses attribute length"));
    }
    if !p.trusted {
        entries.sort_unstable();
        if entries.windows(2).any(|w| w[0] == w[1]) {
            return Err(p.error("Duplicate entry in InnerClasses attribute"));
        }
    }
    Ok(())
}

fn bootstrap_methods(p: &mut Parser, len: u32) -> Result<(), FormatError> {
    if len < 2 {
        return Err(p.error(format_args!("Invalid BootstrapMethods attribute length {len}")));
    }
    let start = p.r.at;
    p.r.take(len as usize)?;
    p.r.at = start;
    let count = p.r.u2()?;
    if p.bootstraps > u32::from(count) {
        return Err(p.error("Short length on BootstrapMethods"));
    }
    let mut room = (len - 2) / 2;
    for _ in 0..count {
        let (method, args) = (p.r.u2()?, p.r.u2()?);
        if p.tag(method) != tag::METHOD_HANDLE {
            return Err(p.error(format_args!(
                "bootstrap_method_index {method} has bad constant type"
            )));
        }
        room = room
            .checked_sub(2 + u32::from(args))
            .ok_or_else(|| bad_bootstrap_count(p))?;
        let list = p.r.take(2 * usize::from(args))?;
        if let Some(arg) = words(list).find(|&arg| !loadable(p.tag(arg))) {
            return Err(p.error(format_args!("argument_index {arg} has bad constant type")));
        }
    }
    if p.r.at != start + len as usize {
        return Err(p.error("Bad length on BootstrapMethods"));
    }
    Ok(())
}

#[cold]
fn bad_bootstrap_count(p: &Parser) -> FormatError {
    p.error("Invalid BootstrapMethods num_bootstrap_methods or num_bootstrap_arguments value")
}

fn loadable(tag: u8) -> bool {
    matches!(
        tag,
        tag::INTEGER
            | tag::FLOAT
            | tag::LONG
            | tag::DOUBLE
            | tag::CLASS
            | tag::STRING
            | tag::METHOD_HANDLE
            | tag::METHOD_TYPE
            | tag::DYNAMIC
    )
}
