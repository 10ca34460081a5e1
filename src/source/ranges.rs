//! Where the bytecode of a statement is: `javac -Xjcov` writes a table of character ranges for every method.

use crate::source::text::{Position, Text};
use crate::source::tree::Statement;
use poldet_vm::classfile::{ClassFile, MemberInfo};
use poldet_vm::link::skip::{NotSkippable, skippable};
use poldet_vm::switches::Switch;
use std::ops::Range;

/// An entry of a `CharacterRangeTable`.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// First bytecode index, and the one behind the last.
    pcs: (u16, u16),
    /// Where the source begins, and where it has ended.
    source: (Position, Position),
    block: bool,
}

const BLOCK: u16 = 2;
const ENTRY: usize = 14;

/// What must not run for a statement to be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Off {
    /// Its ranges, in one method or, where initialisers are copied, several; none if it has no code.
    Ranges(Vec<Switch>),
    /// Jumping over its code is not the same as deleting it: a compiler must say what would be there.
    Recompile(&'static str),
}

/// How a statement is deleted from classes that were compiled from its file.
pub fn off(classes: &[&'static ClassFile], text: &Text, statement: &Statement) -> Off {
    if statement.names_used_later {
        // Without its declaration a name may mean something else.
        return Off::Recompile("a name that it declares is used later");
    }
    match switches(classes, text, statement.body, &statement.range) {
        Ok(switches) => Off::Ranges(switches),
        Err(why) => Off::Recompile(why),
    }
}

/// The code of a part of a file: of statements that follow each other, in the method, lambda or initialiser whose body begins at
/// `body`. The reason if it cannot be jumped over.
pub fn switches(
    classes: &[&'static ClassFile],
    text: &Text,
    body: usize,
    part: &Range<usize>,
) -> Result<Vec<Switch>, &'static str> {
    // How tabs are counted depends on who calls the compiler.
    match switches_at(classes, body, part, |at| text.position_with_tabs(at)) {
        Err(NO_TABLE) => switches_at(classes, body, part, |at| text.position(at)),
        found => found,
    }
}

const NO_TABLE: &str = "its method has no table of character ranges";

fn switches_at(
    classes: &[&'static ClassFile],
    body: usize,
    part: &Range<usize>,
    position: impl Fn(usize) -> Position,
) -> Result<Vec<Switch>, &'static str> {
    let body = position(body);
    let start = position(part.start);
    let end = position(part.end);
    let (mut switches, mut has_body) = (Vec::new(), false);
    for class in classes {
        for method in &class.methods {
            let table = entries(class, method);
            if !table.iter().any(|e| e.block && e.source.0 == body) {
                continue;
            }
            has_body = true;
            let inside = table.iter().filter(|e| start <= e.source.0 && e.source.1 <= end);
            let ranges = merged(inside.map(|e| e.pcs).collect());
            switches.extend(switch(class, method, ranges)?);
        }
    }
    if has_body { Ok(switches) } else { Err(NO_TABLE) }
}

fn switch(
    class: &ClassFile,
    method: &MemberInfo,
    ranges: Vec<(u16, u16)>,
) -> Result<Option<Switch>, &'static str> {
    let Some(code) = class.code(method).filter(|_| !ranges.is_empty()) else {
        return Ok(None);
    };
    for (from, to) in &ranges {
        let exact = skippable(code.bytes, code.handlers, usize::from(*from), usize::from(*to));
        exact.map_err(|why| match why {
            NotSkippable::Torn => "its ranges do not fit the code",
            NotSkippable::NeverEnds => "it never ends normally",
            NotSkippable::Entered => "something jumps into it",
        })?;
    }
    let text = |index| String::from_utf8_lossy(class.utf8(index).unwrap_or_default()).into_owned();
    let name = class.class_name(class.this_class).unwrap_or_default();
    Ok(Some(Switch {
        class: String::from_utf8_lossy(name).into_owned(),
        method: text(method.name),
        desc: text(method.desc),
        length: code.bytes.len() as u32,
        ranges,
    }))
}

/// Ranges without those inside of others; neighbours become one.
fn merged(mut ranges: Vec<(u16, u16)>) -> Vec<(u16, u16)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u16, u16)> = Vec::new();
    for (from, to) in ranges {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

fn entries(class: &ClassFile, method: &MemberInfo) -> Vec<Entry> {
    let table = class
        .code(method)
        .and_then(|code| class.attr(code.attrs, "CharacterRangeTable"));
    let Some(table) = table.and_then(|t| t.get(2..)) else {
        return Vec::new();
    };
    let entry = |e: &[u8]| {
        let short = |at: usize| u16::from_be_bytes([e[at], e[at + 1]]);
        let position = |at: usize| {
            let bits = u32::from_be_bytes([e[at], e[at + 1], e[at + 2], e[at + 3]]);
            Position {
                line: bits >> 10,
                column: bits & 0x3ff,
            }
        };
        let (start, end) = (position(4), position(8));
        // Code that stands for nothing in the source, and columns beyond what an entry can hold.
        let known = start.line > 0 && start.line < 1 << 21 && start.column > 0;
        (known && short(0) <= short(2)).then(|| Entry {
            pcs: (short(0), short(2).saturating_add(1)),
            source: (start, end),
            block: short(12) & BLOCK != 0,
        })
    };
    table.chunks_exact(ENTRY).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(merged(vec![(5, 9), (0, 2), (2, 4), (6, 7)]), [(0, 4), (5, 9)]);
    }
}
