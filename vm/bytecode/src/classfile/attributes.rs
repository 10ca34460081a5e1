//! What the attributes of a parsed class file say, decoded on demand. Everything here is total: an attribute
//! that is absent or does not add up answers nothing.

use super::reader::{be16, be32, counted, words};
use super::{Attrs, ClassFile, Code, MemberInfo};

/// A row of InnerClasses: constant pool indices (0 for none) and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass {
    pub inner: u16,
    pub outer: u16,
    /// A text constant; 0 for an anonymous class.
    pub name: u16,
    pub access: u16,
}

/// A component of a record: text constants and its attributes.
#[derive(Clone, Copy, Debug)]
pub struct RecordComponent {
    pub name: u16,
    pub desc: u16,
    pub attrs: Attrs,
}

/// A row of MethodParameters; `name` is 0 for a parameter without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodParameter {
    pub name: u16,
    pub access: u16,
}

impl ClassFile {
    /// All attributes of a table: name and content. Ends early if the table does not add up.
    pub fn attributes(&self, attrs: Attrs) -> impl Iterator<Item = (&'static [u8], &'static [u8])> + '_ {
        let mut at = attrs.at as usize;
        (0..attrs.count).map_while(move |_| {
            let name = self.utf8(be16(self.bytes, at)?)?;
            let len = be32(self.bytes, at + 2)? as usize;
            let content = self.bytes.get(at + 6..)?.get(..len)?;
            at += 6 + len;
            Some((name, content))
        })
    }

    /// Content of the named attribute, the first if there are several.
    pub fn attr(&self, attrs: Attrs, name: &str) -> Option<&'static [u8]> {
        self.attributes(attrs)
            .find(|(n, _)| *n == name.as_bytes())
            .map(|(_, content)| content)
    }

    pub fn code(&self, method: &MemberInfo) -> Option<Code<'static>> {
        let content = self.attr(method.attrs, "Code")?;
        let code_len = be32(content, 4)? as usize;
        let bytes = content.get(8..)?.get(..code_len)?;
        let after = 8 + code_len;
        let handlers_len = usize::from(be16(content, after)?) * 8;
        let handlers = content.get(after + 2..)?.get(..handlers_len)?;
        let attrs_at = after + 2 + handlers_len;
        let count = be16(content, attrs_at)?;
        // Both are slices of the same file, so the difference of their places is the content's offset.
        let base = content.as_ptr() as usize - self.bytes.as_ptr() as usize;
        Some(Code {
            max_stack: be16(content, 0)?,
            max_locals: be16(content, 2)?,
            bytes,
            handlers,
            attrs: Attrs {
                at: (base + attrs_at + 2) as u32,
                count,
            },
        })
    }

    /// Bootstrap method `index`: (method handle constant, static argument constants).
    pub fn bootstrap(&self, index: u16) -> Option<(u16, Vec<u16>)> {
        let content = self.attr(self.attrs, "BootstrapMethods")?;
        if index >= be16(content, 0)? {
            return None;
        }
        let mut at = 2;
        for _ in 0..index {
            at += 4 + 2 * usize::from(be16(content, at + 2)?);
        }
        let count = usize::from(be16(content, at + 2)?);
        let args = content.get(at + 4..)?.get(..2 * count)?;
        Some((be16(content, at)?, words(args).collect()))
    }

    /// Line of a bytecode index, if the method has a LineNumberTable. As in HotSpot an exact entry wins, then the
    /// last of those that start nearest before.
    pub fn line(&self, method: &MemberInfo, bci: u16) -> Option<u16> {
        let code = self.code(method)?;
        let mut best = None;
        for (start, line) in self.line_numbers(code.attrs) {
            if start == bci {
                return Some(line);
            }
            if start < bci && best.is_none_or(|(s, _)| start >= s) {
                best = Some((start, line));
            }
        }
        best.map(|(_, line)| line)
    }

    /// All (bytecode index, line) pairs; a method may spread them over several tables.
    pub fn line_numbers(&self, code_attrs: Attrs) -> impl Iterator<Item = (u16, u16)> + '_ {
        self.attributes(code_attrs)
            .filter(|(name, _)| *name == b"LineNumberTable")
            .flat_map(|(_, content)| counted(content, 4))
            .map(|e| (word(e, 0), word(e, 1)))
    }

    /// Name of the local variable in a slot where `bci` runs.
    pub fn local_name(&self, method: &MemberInfo, slot: u16, bci: u16) -> Option<&'static [u8]> {
        let code = self.code(method)?;
        let tables = self
            .attributes(code.attrs)
            .filter(|(name, _)| *name == b"LocalVariableTable");
        let entry = tables.flat_map(|(_, content)| counted(content, 10)).find(|e| {
            let start = word(e, 0);
            word(e, 4) == slot && start <= bci && u32::from(bci) < u32::from(start) + u32::from(word(e, 1))
        })?;
        self.utf8(word(entry, 2))
    }

    pub fn has_local_names(&self, method: &MemberInfo) -> bool {
        self.code(method)
            .is_some_and(|code| self.attr(code.attrs, "LocalVariableTable").is_some())
    }

    /// Content of StackMapTable.
    pub fn stack_map(&self, method: &MemberInfo) -> Option<&'static [u8]> {
        self.attr(self.code(method)?.attrs, "StackMapTable")
    }

    pub fn inner_classes(&self) -> Vec<InnerClass> {
        let content = self.attr(self.attrs, "InnerClasses").unwrap_or(&[]);
        let row = |e: &[u8]| InnerClass {
            inner: word(e, 0),
            outer: word(e, 1),
            name: word(e, 2),
            access: word(e, 3),
        };
        counted(content, 8).map(row).collect()
    }

    /// (class constant, NameAndType constant or 0).
    pub fn enclosing_method(&self) -> Option<(u16, u16)> {
        let content = self.attr(self.attrs, "EnclosingMethod")?;
        Some((be16(content, 0)?, be16(content, 2)?))
    }

    pub fn nest_host(&self) -> Option<u16> {
        be16(self.attr(self.attrs, "NestHost")?, 0)
    }

    pub fn nest_members(&self) -> Vec<u16> {
        class_list(self.attr(self.attrs, "NestMembers").unwrap_or(&[]))
    }

    /// `None` if the class is not sealed.
    pub fn permitted_subclasses(&self) -> Option<Vec<u16>> {
        Some(class_list(self.attr(self.attrs, "PermittedSubclasses")?))
    }

    /// `None` if the class is not a record.
    pub fn record(&self) -> Option<Vec<RecordComponent>> {
        let content = self.attr(self.attrs, "Record")?;
        let mut at = content.as_ptr() as usize - self.bytes.as_ptr() as usize + 2;
        let mut components = Vec::new();
        for _ in 0..be16(content, 0)? {
            let count = be16(self.bytes, at + 4)?;
            let attrs = Attrs {
                at: (at + 6) as u32,
                count,
            };
            components.push(RecordComponent {
                name: be16(self.bytes, at)?,
                desc: be16(self.bytes, at + 2)?,
                attrs,
            });
            at += 6;
            for _ in 0..count {
                at += 6 + be32(self.bytes, at + 2)? as usize;
            }
        }
        Some(components)
    }

    /// The declared exceptions, as class constants.
    pub fn exceptions(&self, method: &MemberInfo) -> Vec<u16> {
        class_list(self.attr(method.attrs, "Exceptions").unwrap_or(&[]))
    }

    /// `None` if there is no MethodParameters attribute.
    pub fn method_parameters(&self, method: &MemberInfo) -> Option<Vec<MethodParameter>> {
        let (&count, rows) = self.attr(method.attrs, "MethodParameters")?.split_first()?;
        let row = |e: &[u8]| MethodParameter {
            name: word(e, 0),
            access: word(e, 1),
        };
        Some(rows.chunks_exact(4).take(usize::from(count)).map(row).collect())
    }

    /// The constant a static field starts with.
    pub fn constant_value(&self, field: &MemberInfo) -> Option<u16> {
        be16(self.attr(field.attrs, "ConstantValue")?, 0)
    }

    /// Generic signature of the class, a member or a record component.
    pub fn signature(&self, attrs: Attrs) -> Option<&'static [u8]> {
        self.utf8(be16(self.attr(attrs, "Signature")?, 0)?)
    }

    pub fn source_file(&self) -> Option<&'static [u8]> {
        self.utf8(be16(self.attr(self.attrs, "SourceFile")?, 0)?)
    }
}

/// The n-th word of a table row.
fn word(row: &[u8], n: usize) -> u16 {
    be16(row, 2 * n).unwrap_or(0)
}

fn class_list(content: &'static [u8]) -> Vec<u16> {
    counted(content, 2).map(|e| word(e, 0)).collect()
}
