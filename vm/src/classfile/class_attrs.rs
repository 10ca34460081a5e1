//! Checks the attributes of the class itself.

use super::members::Once;
use super::parse::Parser;
use super::reader::{be16, truncated, words};
use super::{Attrs, FormatError, flags, tag};

pub(super) struct ClassAttrs {
    pub table: Attrs,
    pub synthetic: bool,
}

/// The attributes that may stand once.
#[derive(Default)]
struct Seen {
    once: Once,
    annotations: Once,
    bootstrap: bool,
    nest_host: bool,
    nest_members: bool,
    synthetic: bool,
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
        let content = p.r.take(len as usize)?;
        attribute(p, name, content, access, &mut seen)?;
    }
    if !seen.bootstrap && p.bootstraps > 0 {
        return Err(p.error("Missing BootstrapMethods attribute"));
    }
    Ok(ClassAttrs {
        table,
        synthetic: seen.synthetic,
    })
}

fn attribute(
    p: &mut Parser,
    name: &[u8],
    content: &'static [u8],
    access: u16,
    seen: &mut Seen,
) -> Result<(), FormatError> {
    let first = be16(content, 0);
    match name {
        b"SourceFile" => {
            if content.len() != 2 {
                return Err(p.error("Wrong SourceFile attribute length"));
            }
            only_one(p, seen, 0, "SourceFile")?;
            let index = first.ok_or_else(truncated)?;
            if p.pool().tag(index) != tag::UTF8 {
                return Err(p.error(format_args!(
                    "Invalid SourceFile attribute at constant pool index {index}"
                )));
            }
        }
        b"SourceDebugExtension" => only_one(p, seen, 1, "SourceDebugExtension")?,
        b"InnerClasses" => {
            only_one(p, seen, 2, "InnerClasses")?;
            inner_classes(p, content)?;
        }
        b"Synthetic" | b"Deprecated" => {
            p.check_empty(name, content.len() as u32, "classfile")?;
            seen.synthetic |= name == b"Synthetic";
        }
        _ if p.major < 49 => {}
        b"Signature" => {
            only_one(p, seen, 3, "Signature")?;
            if content.len() != 2 {
                return Err(p.error(format_args!("Wrong Signature attribute length {}", content.len())));
            }
            let index = first.ok_or_else(truncated)?;
            if p.pool().tag(index) != tag::UTF8 {
                return Err(p.error(format_args!(
                    "Invalid constant pool index {index} in Signature attribute"
                )));
            }
        }
        b"EnclosingMethod" => {
            only_one(p, seen, 4, "EnclosingMethod")?;
            enclosing_method(p, content)?;
        }
        b"BootstrapMethods" if p.major >= 51 => {
            only_one(p, seen, 5, "BootstrapMethods")?;
            seen.bootstrap = true;
            bootstrap_methods(p, content)?;
        }
        b"NestMembers" | b"NestHost" if p.major >= 55 => nest(p, name, content, seen)?,
        b"Record" if p.major >= 60 => {
            only_one(p, seen, 6, "Record")?;
            super::record::check(p, content)?;
        }
        b"PermittedSubclasses" if p.major >= 61 => {
            only_one(p, seen, 7, "PermittedSubclasses")?;
            if access & flags::FINAL != 0 {
                return Err(p.error("PermittedSubclasses attribute in final"));
            }
            class_list(p, content, "PermittedSubclasses", "Permitted subclass")?;
        }
        _ => p.check_unique(name, &mut seen.annotations, "")?,
    }
    Ok(())
}

fn only_one(p: &Parser, seen: &mut Seen, bit: u32, name: &str) -> Result<(), FormatError> {
    if seen.once.first(bit) {
        Ok(())
    } else {
        Err(p.error(format_args!("Multiple {name} attributes")))
    }
}

fn nest(p: &Parser, name: &[u8], content: &'static [u8], seen: &mut Seen) -> Result<(), FormatError> {
    if name == b"NestMembers" {
        only_one(p, seen, 8, "NestMembers")?;
        seen.nest_members = true;
        if seen.nest_host {
            return Err(p.error("Conflicting NestHost and NestMembers attributes"));
        }
        return class_list(p, content, "NestMembers", "Nest member");
    }
    only_one(p, seen, 9, "NestHost")?;
    seen.nest_host = true;
    if seen.nest_members {
        return Err(p.error("Conflicting NestMembers and NestHost attributes"));
    }
    if content.len() != 2 {
        return Err(p.error("Wrong NestHost attribute length"));
    }
    let index = be16(content, 0).ok_or_else(truncated)?;
    if p.pool().tag(index) != tag::CLASS {
        return Err(p.error(format_args!(
            "Nest-host class_info_index {index} has bad constant type"
        )));
    }
    Ok(())
}

fn class_list(p: &Parser, content: &[u8], attr: &str, what: &str) -> Result<(), FormatError> {
    let count = usize::from(be16(content, 0).ok_or_else(truncated)?);
    for index in words(&content[2..]).take(count) {
        if p.pool().tag(index) != tag::CLASS {
            return Err(p.error(format_args!(
                "{what} class_info_index {index} has bad constant type"
            )));
        }
    }
    if content.len() != 2 + 2 * count {
        return Err(p.error(format_args!("Wrong {attr} attribute length")));
    }
    Ok(())
}

fn enclosing_method(p: &Parser, content: &[u8]) -> Result<(), FormatError> {
    let (Some(class), Some(method)) = (be16(content, 0), be16(content, 2)) else {
        return Err(p.error(format_args!(
            "Wrong EnclosingMethod attribute length {}",
            content.len()
        )));
    };
    if content.len() != 4 {
        return Err(p.error(format_args!(
            "Wrong EnclosingMethod attribute length {}",
            content.len()
        )));
    }
    if class == 0 {
        return Err(p.error("Invalid class index in EnclosingMethod attribute"));
    }
    if p.pool().tag(class) != tag::CLASS {
        return Err(p.error("Invalid or out-of-bounds class index in EnclosingMethod attribute"));
    }
    if method != 0 && p.pool().tag(method) != tag::NAME_AND_TYPE {
        return Err(p.error("Invalid or out-of-bounds method index in EnclosingMethod attribute"));
    }
    Ok(())
}

fn inner_classes(p: &Parser, content: &[u8]) -> Result<(), FormatError> {
    let count = usize::from(be16(content, 0).ok_or_else(truncated)?);
    let mut entries = Vec::with_capacity(count.min(content.len() / 8));
    for entry in content[2..].chunks_exact(8).take(count) {
        let mut fields = words(entry);
        let mut next = || fields.next().unwrap_or(0);
        let (inner, outer, name, access) = (next(), next(), next(), next());
        if p.pool().tag(inner) != tag::CLASS {
            return Err(p.error(format_args!(
                "inner_class_info_index {inner} has bad constant type"
            )));
        }
        if outer != 0 && p.pool().tag(outer) != tag::CLASS {
            return Err(p.error(format_args!(
                "outer_class_info_index {outer} has bad constant type"
            )));
        }
        if outer != 0 && p.pool().class_name(outer).is_some_and(|n| n.starts_with(b"[")) {
            return Err(p.error("Outer class is an array class"));
        }
        if name != 0 && p.pool().tag(name) != tag::UTF8 {
            return Err(p.error(format_args!("inner_name_index {name} has bad constant type")));
        }
        if inner == outer {
            return Err(p.error("Class is both outer and inner class"));
        }
        let access = flags::old_interface(access & flags::INNER_MASK, p.major);
        if !p.trusted && flags::illegal_class(access, p.major) {
            return Err(p.illegal_class_modifiers(access));
        }
        entries.push([inner, outer, name, access]);
    }
    if content.len() != 2 + 8 * count {
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

fn bootstrap_methods(p: &Parser, content: &'static [u8]) -> Result<(), FormatError> {
    let mut rest = content;
    let short = || p.error("Short length on BootstrapMethods");
    let mut next = || -> Result<u16, FormatError> {
        let value = be16(rest, 0).ok_or_else(short)?;
        rest = &rest[2..];
        Ok(value)
    };
    let len = content.len();
    if len < 2 {
        return Err(p.error(format_args!("Invalid BootstrapMethods attribute length {len}")));
    }
    let count = next()?;
    for _ in 0..count {
        let method = next()?;
        let args = next()?;
        if p.pool().tag(method) != tag::METHOD_HANDLE {
            return Err(p.error(format_args!(
                "bootstrap_method_index {method} has bad constant type"
            )));
        }
        for _ in 0..args {
            let arg = next()?;
            if !loadable(p.pool().tag(arg)) {
                return Err(p.error(format_args!("argument_index {arg} has bad constant type")));
            }
        }
    }
    if !rest.is_empty() {
        return Err(p.error("Bad length on BootstrapMethods"));
    }
    let asked = (0..p.cp.len())
        .filter_map(|i| p.pool().dynamic(i as u16))
        .map(|d| d.0)
        .max();
    if asked.is_some_and(|index| index >= count) {
        return Err(p.error("Short length on BootstrapMethods"));
    }
    Ok(())
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
