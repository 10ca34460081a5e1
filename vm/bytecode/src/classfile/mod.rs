//! An index over the bytes of a class file: structure is checked once, everything else is decoded on demand.

mod annotations;
mod attributes;
mod class_attrs;
mod code;
mod constant_pool;
pub mod descriptor;
pub mod flags;
mod members;
mod mutf8;
mod names;
mod parse;
mod reader;
mod record;

pub use attributes::{InnerClass, MethodParameter, RecordComponent};
pub use mutf8::{decode_utf16, encode_modified_utf8, to_text};

use constant_pool::Pool;
use std::fmt;

/// The newest class file version accepted (Java 25).
pub const MAX_MAJOR: u16 = 69;

/// A malformed class file: the text of the ClassFormatError (or UnsupportedClassVersionError).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatError {
    pub unsupported_version: bool,
    pub message: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Constant pool tags.
pub mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// A table of attributes: where it starts in the bytes, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attrs {
    pub at: u32,
    pub count: u16,
}

/// A field or method: access flags and constant pool indices of name and descriptor.
#[derive(Clone, Copy, Debug)]
pub struct MemberInfo {
    pub access: u16,
    pub name: u16,
    pub desc: u16,
    pub attrs: Attrs,
}

/// A Code attribute.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: &'a [u8],
    /// Exception table, 8 bytes an entry: start_pc, end_pc, handler_pc, catch_type.
    pub handlers: &'a [u8],
    pub attrs: Attrs,
}

/// A parsed class file. All constant pool getters are total over a successfully parsed file when the index has
/// the right tag; with a wrong tag or index they answer `None`.
pub struct ClassFile {
    pub bytes: &'static [u8],
    pub minor: u16,
    pub major: u16,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Box<[u16]>,
    pub fields: Box<[MemberInfo]>,
    pub methods: Box<[MemberInfo]>,
    pub attrs: Attrs,
    /// For each constant its offset in `bytes` (of the tag); 0 for index 0 and the slot after a long or double.
    pub cp: Box<[u32]>,
}

/// What a class file is held to.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The name the class was asked for by, in internal form, for messages; `None` takes it from the file.
    pub name: Option<&'a [u8]>,
    /// The newest version accepted: 61 when running on JDK 17.
    pub max_major: u16,
    /// Whether files of the newest version may use preview features.
    pub preview: bool,
    /// HotSpot does not check names, descriptors, modifiers and duplicates of classes from the boot image.
    pub trusted: bool,
}

impl Default for Rules<'_> {
    fn default() -> Self {
        Rules {
            name: None,
            max_major: MAX_MAJOR,
            preview: false,
            trusted: false,
        }
    }
}

impl ClassFile {
    /// Parses and checks the structure: magic, version (45 to 69), constant pool tags and cross references,
    /// member and attribute bounds, nothing after the end.
    pub fn parse(bytes: &'static [u8]) -> Result<ClassFile, FormatError> {
        parse::parse(bytes, &Rules::default())
    }

    pub fn parse_with(bytes: &'static [u8], rules: &Rules<'_>) -> Result<ClassFile, FormatError> {
        parse::parse(bytes, rules)
    }

    fn pool(&self) -> Pool<'_> {
        Pool {
            bytes: self.bytes,
            cp: &self.cp,
        }
    }

    /// Name of the class itself, in internal form.
    pub fn this_name(&self) -> &'static [u8] {
        self.class_name(self.this_class).unwrap_or(b"")
    }

    /// Name of the superclass; `None` for java/lang/Object and module declarations.
    pub fn super_name(&self) -> Option<&'static [u8]> {
        self.class_name(self.super_class)
    }

    pub fn cp_len(&self) -> u16 {
        self.cp.len() as u16
    }

    /// Tag of a constant, 0 if there is none.
    #[inline]
    pub fn tag(&self, index: u16) -> u8 {
        self.pool().tag(index)
    }

    /// Modified UTF-8 bytes.
    #[inline]
    pub fn utf8(&self, index: u16) -> Option<&'static [u8]> {
        self.pool().utf8(index)
    }

    /// Name of a Class constant (also Module and Package).
    #[inline]
    pub fn class_name(&self, index: u16) -> Option<&'static [u8]> {
        self.pool().class_name(index)
    }

    /// Text of a String constant, modified UTF-8.
    pub fn string(&self, index: u16) -> Option<&'static [u8]> {
        self.pool().string(index)
    }

    /// Int or float bits.
    pub fn word(&self, index: u16) -> Option<u32> {
        self.pool().word(index)
    }

    /// Long or double bits.
    pub fn long(&self, index: u16) -> Option<u64> {
        self.pool().long(index)
    }

    /// Name and descriptor of a NameAndType.
    pub fn name_and_type(&self, index: u16) -> Option<(&'static [u8], &'static [u8])> {
        self.pool().name_and_type(index)
    }

    /// Field, method or interface method: (class index, name, descriptor).
    pub fn member(&self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        self.pool().member(index)
    }

    /// (reference kind, index of the member reference).
    pub fn method_handle(&self, index: u16) -> Option<(u8, u16)> {
        self.pool().method_handle(index)
    }

    /// Descriptor of a MethodType constant.
    pub fn method_type(&self, index: u16) -> Option<&'static [u8]> {
        self.pool().method_type(index)
    }

    /// Dynamic or InvokeDynamic: (bootstrap method index, name, descriptor).
    pub fn dynamic(&self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        self.pool().dynamic(index)
    }
}
