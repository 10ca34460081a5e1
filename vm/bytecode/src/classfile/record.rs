//! Checks the Record attribute.

use super::members::Once;
use super::parse::Parser;
use super::{FormatError, tag};

pub(super) fn check(p: &mut Parser, len: u32) -> Result<(), FormatError> {
    let start = p.r.at;
    let count = p.r.u2()?;
    for _ in 0..count {
        component(p)?;
    }
    if p.r.at - start != len as usize {
        return Err(p.error("Record attribute has wrong length"));
    }
    Ok(())
}

fn component(p: &mut Parser) -> Result<(), FormatError> {
    let (name, desc, count) = (p.r.u2()?, p.r.u2()?, p.r.u2()?);
    let text = |index, what| {
        let bad = || {
            p.error(format_args!(
                "Invalid constant pool index {index} for {what} in Record attribute"
            ))
        };
        p.pool().utf8(index).ok_or_else(bad)
    };
    let name_text = text(name, "name")?;
    if !p.trusted {
        p.check_field_name(name_text)?;
    }
    let desc_text = text(desc, "descriptor")?;
    if !p.trusted {
        p.check_field_desc(name_text, desc_text)?;
    }
    let (mut signature, mut once) = (Once::default(), Once::default());
    for _ in 0..count {
        let (name, len) = p.attribute_head("Invalid Record attribute name")?;
        if name != b"Signature" {
            p.check_unique(name, &mut once, " for Record component")?;
            p.r.take(len as usize)?;
            continue;
        }
        if !signature.first(0) {
            return Err(p.error("Multiple Signature attributes for Record component"));
        }
        if len != 2 {
            return Err(p.error(format_args!(
                "Invalid Signature attribute length {len} in Record component"
            )));
        }
        let index = p.r.u2()?;
        if p.tag(index) != tag::UTF8 {
            return Err(p.error(format_args!(
                "Invalid Signature attribute at constant pool index {index}"
            )));
        }
    }
    Ok(())
}
