//! Which annotations a class, field or method has.

use super::{Attrs, ClassFile};

impl ClassFile {
    /// The descriptors of the annotations that are kept at run time, in their order.
    pub fn annotation_types(&self, attrs: Attrs) -> Vec<&'static [u8]> {
        let table = self.attr(attrs, "RuntimeVisibleAnnotations").unwrap_or_default();
        let mut found = Vec::new();
        let mut next = Some(2);
        for _ in 0..short(table, 0).unwrap_or(0) {
            let Some(at) = next else { break };
            found.extend(short(table, at).and_then(|name| self.utf8(name)));
            next = after_annotation(table, at, 0);
        }
        found
    }
}

fn short(table: &[u8], at: usize) -> Option<u16> {
    let bytes = table.get(at..at + 2)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// Where what follows an annotation starts (JVMS 4.7.16).
fn after_annotation(table: &[u8], at: usize, depth: u32) -> Option<usize> {
    let mut end = at + 4;
    for _ in 0..short(table, at + 2)? {
        end = after_value(table, end + 2, depth)?;
    }
    Some(end)
}

fn after_value(table: &[u8], at: usize, depth: u32) -> Option<usize> {
    if depth > 16 {
        return None;
    }
    match table.get(at)? {
        b'e' => Some(at + 5),
        b'@' => after_annotation(table, at + 1, depth + 1),
        b'[' => {
            let mut end = at + 3;
            for _ in 0..short(table, at + 1)? {
                end = after_value(table, end, depth + 1)?;
            }
            Some(end)
        }
        _ => Some(at + 3),
    }
}
