//! Checks the Code attribute: bounds, exception table, line numbers and local variable names.

use super::members::legal_code_length;
use super::parse::Parser;
use super::reader::{be16, words};
use super::{FormatError, mutf8, tag};
use poldet_base::sym::FixedMap;

/// Answers the local variable tables, which HotSpot checks when it is done with the method.
pub(super) fn check(p: &mut Parser, len: u32, arg_slots: u32) -> Result<Locals, FormatError> {
    let start = p.r.at;
    p.r.u2()?;
    let max_locals = p.r.u2()?;
    let code_len = p.r.u4()?;
    if arg_slots > u32::from(max_locals) {
        return Err(p.error("Arguments can't fit into locals"));
    }
    if !legal_code_length(code_len) {
        return Err(p.error(format_args!("Invalid method Code length {code_len}")));
    }
    p.r.take(code_len as usize)?;
    let handlers = p.r.u2()?;
    let table = p.r.take(usize::from(handlers) * 8)?;
    check_handlers(p, table, code_len)?;
    let count = p.r.u2()?;
    let mut stack_map = false;
    let mut names = Locals::default();
    for _ in 0..count {
        let (name, len) = p.attribute_head("Invalid code attribute name")?;
        match name {
            b"LineNumberTable" => line_numbers(p, len, code_len)?,
            b"LocalVariableTable" if !p.trusted => {
                locals(p, len, code_len, max_locals, false, &mut names.names)?;
            }
            b"LocalVariableTypeTable" if !p.trusted && p.major >= 49 => {
                locals(p, len, code_len, max_locals, true, &mut names.types)?;
            }
            b"StackMapTable" if p.major >= 50 => {
                if std::mem::replace(&mut stack_map, true) {
                    return Err(p.error("Multiple StackMapTable attributes"));
                }
                p.r.take(len as usize)?;
            }
            _ => {
                p.r.take(len as usize)?;
            }
        }
    }
    if p.r.at - start != len as usize {
        return Err(p.error("Code segment has wrong length"));
    }
    Ok(names)
}

fn check_handlers(p: &Parser, table: &[u8], code_len: u32) -> Result<(), FormatError> {
    for entry in table.chunks_exact(8) {
        let mut fields = words(entry);
        let mut next = || fields.next().unwrap_or(0);
        let (start, end, handler, catch) = (next(), next(), next(), next());
        if start >= end || u32::from(end) > code_len {
            return Err(p.error("Illegal exception table range"));
        }
        if u32::from(handler) >= code_len {
            return Err(p.error("Illegal exception table handler"));
        }
        if catch != 0 && p.tag(catch) != tag::CLASS {
            return Err(p.error("Catch type in exception table has bad constant type"));
        }
    }
    Ok(())
}

fn line_numbers(p: &mut Parser, len: u32, code_len: u32) -> Result<(), FormatError> {
    let count = p.r.u2()?;
    if len != 2 + u32::from(count) * 4 {
        return Err(p.error("LineNumberTable attribute has wrong length"));
    }
    let table = p.r.take(usize::from(count) * 4)?;
    if !p.trusted
        && table
            .chunks_exact(4)
            .any(|e| be16(e, 0).is_some_and(|bci| u32::from(bci) >= code_len))
    {
        return Err(p.error("Invalid pc in LineNumberTable"));
    }
    Ok(())
}

/// A row of a local variable table without its descriptor: start, length, name, slot.
type LocalKey = [u16; 4];

/// The rows of all local variable tables of a method.
#[derive(Default)]
pub(super) struct Locals {
    names: Vec<LocalKey>,
    types: Vec<LocalKey>,
}

impl Locals {
    /// No row stands twice, and each generic type belongs to a named variable. Methods without names are let be.
    pub fn check(&self, p: &Parser) -> Result<(), FormatError> {
        if self.names.is_empty() || p.major < 49 {
            return Ok(());
        }
        let text = |key: &LocalKey| mutf8::to_text(p.pool().utf8(key[2]).unwrap_or(b""));
        let mut typed: FixedMap<LocalKey, bool> = FixedMap::default();
        for key in &self.names {
            if typed.insert(*key, false).is_some() {
                let name = text(key);
                return Err(p.error(format_args!(
                    "Duplicated LocalVariableTable attribute entry for '{name}'"
                )));
            }
        }
        for key in &self.types {
            match typed.insert(*key, true) {
                Some(false) => {}
                Some(true) => {
                    let name = text(key);
                    let what = format_args!("Duplicated LocalVariableTypeTable attribute entry for '{name}'");
                    return Err(p.error(what));
                }
                None => {
                    let (name, class) = (text(key), p.name_text());
                    let what =
                        format!("LVTT entry for '{name}' in class file {class} does not match any LVT entry");
                    return Err(p.plain_error(what));
                }
            }
        }
        Ok(())
    }
}

fn locals(
    p: &mut Parser,
    len: u32,
    code_len: u32,
    max_locals: u16,
    generic: bool,
    keys: &mut Vec<LocalKey>,
) -> Result<(), FormatError> {
    let what = if generic {
        "LocalVariableTypeTable"
    } else {
        "LocalVariableTable"
    };
    let count = p.r.u2()?;
    if len != 2 + u32::from(count) * 10 {
        return Err(p.error(format_args!("{what} has wrong length")));
    }
    let table = p.r.take(usize::from(count) * 10)?;
    for entry in table.chunks_exact(10) {
        let mut fields = words(entry);
        let mut next = || fields.next().unwrap_or(0);
        let (start, length, name, desc, slot) = (next(), next(), next(), next(), next());
        if u32::from(start) >= code_len {
            return Err(p.error(format_args!("Invalid start_pc {start} in {what}")));
        }
        if u32::from(start) + u32::from(length) > code_len {
            return Err(p.error(format_args!("Invalid length {length} in {what}")));
        }
        let Some(name_text) = p.pool().utf8(name) else {
            return Err(p.error(format_args!("Name index {name} in {what} has bad constant type")));
        };
        let Some(desc_text) = p.pool().utf8(desc) else {
            return Err(p.error(format_args!(
                "Signature index {desc} in {what} has bad constant type"
            )));
        };
        p.check_field_name(name_text)?;
        let mut last = u32::from(slot);
        if !generic {
            p.check_field_desc(name_text, desc_text)?;
            last += u32::from(matches!(desc_text, b"J" | b"D"));
        }
        if last >= u32::from(max_locals) {
            return Err(p.error(format_args!("Invalid index {slot} in {what}")));
        }
        keys.push([start, length, name, slot]);
    }
    Ok(())
}
