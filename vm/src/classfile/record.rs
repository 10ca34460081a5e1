//! Checks the Record attribute.

use super::members::Once;
use super::parse::Parser;
use super::reader::{be16, be32, truncated};
use super::{FormatError, tag};

pub(super) fn check(p: &Parser, content: &'static [u8]) -> Result<(), FormatError> {
    let count = be16(content, 0).ok_or_else(truncated)?;
    let mut at = 2;
    for _ in 0..count {
        at = component(p, content, at)?;
    }
    if at != content.len() {
        return Err(p.error("Record attribute has wrong length"));
    }
    Ok(())
}

/// Checks the component at `at`; answers where the next one starts.
fn component(p: &Parser, content: &'static [u8], mut at: usize) -> Result<usize, FormatError> {
    let next = |at: &mut usize| {
        *at += 2;
        be16(content, *at - 2).ok_or_else(truncated)
    };
    let (name, desc) = (next(&mut at)?, next(&mut at)?);
    let text = |index, what| {
        let bad = || {
            p.error(format_args!(
                "Invalid constant pool index {index} for {what} in Record attribute"
            ))
        };
        p.pool().utf8(index).ok_or_else(bad)
    };
    let name_text = text(name, "name")?;
    let desc_text = text(desc, "descriptor")?;
    if !p.trusted {
        p.check_field_name(name_text)?;
        p.check_field_desc(name_text, desc_text)?;
    }
    let attributes = next(&mut at)?;
    let (mut signature, mut once) = (Once::default(), Once::default());
    for _ in 0..attributes {
        let index = next(&mut at)?;
        let len = be32(content, at).ok_or_else(truncated)? as usize;
        at += 4;
        let Some(name) = p.pool().utf8(index) else {
            return Err(p.error(format_args!("Invalid Record attribute name index {index}")));
        };
        let inside = content
            .get(at..)
            .and_then(|rest| rest.get(..len))
            .ok_or_else(truncated)?;
        at += len;
        if name != b"Signature" {
            p.check_unique(name, &mut once, " for Record component")?;
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
        let index = be16(inside, 0).ok_or_else(truncated)?;
        if p.pool().tag(index) != tag::UTF8 {
            return Err(p.error(format_args!(
                "Invalid Signature attribute at constant pool index {index}"
            )));
        }
    }
    Ok(at)
}
