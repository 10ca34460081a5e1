//! An index over the bytes of a class file: structure is checked once, everything else is decoded on demand.

pub mod descriptor;

use std::fmt;

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

impl ClassFile {
    /// Parses and checks the structure: magic, version (45 to 69), constant pool tags and cross references,
    /// member and attribute bounds, nothing after the end.
    pub fn parse(bytes: &'static [u8]) -> Result<ClassFile, FormatError> {
        let _ = bytes;
        Err(FormatError { unsupported_version: false, message: "not yet".into() })
    }

    pub fn cp_len(&self) -> u16 {
        self.cp.len() as u16
    }

    /// Tag of a constant, 0 if there is none.
    pub fn tag(&self, index: u16) -> u8 {
        let _ = index;
        0
    }

    /// Modified UTF-8 bytes.
    pub fn utf8(&self, index: u16) -> Option<&'static [u8]> {
        let _ = index;
        None
    }

    /// Name of a Class constant (also Module and Package).
    pub fn class_name(&self, index: u16) -> Option<&'static [u8]> {
        let _ = index;
        None
    }

    /// Text of a String constant, modified UTF-8.
    pub fn string(&self, index: u16) -> Option<&'static [u8]> {
        let _ = index;
        None
    }

    /// Int or float bits.
    pub fn word(&self, index: u16) -> Option<u32> {
        let _ = index;
        None
    }

    /// Long or double bits.
    pub fn long(&self, index: u16) -> Option<u64> {
        let _ = index;
        None
    }

    /// Name and descriptor of a NameAndType.
    pub fn name_and_type(&self, index: u16) -> Option<(&'static [u8], &'static [u8])> {
        let _ = index;
        None
    }

    /// Field, method or interface method: (class index, name, descriptor).
    pub fn member(&self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        let _ = index;
        None
    }

    /// (reference kind, index of the member reference).
    pub fn method_handle(&self, index: u16) -> Option<(u8, u16)> {
        let _ = index;
        None
    }

    /// Descriptor of a MethodType constant.
    pub fn method_type(&self, index: u16) -> Option<&'static [u8]> {
        let _ = index;
        None
    }

    /// Dynamic or InvokeDynamic: (bootstrap method index, name, descriptor).
    pub fn dynamic(&self, index: u16) -> Option<(u16, &'static [u8], &'static [u8])> {
        let _ = index;
        None
    }

    /// Content of the named attribute, the first if there are several.
    pub fn attr(&self, attrs: Attrs, name: &str) -> Option<&'static [u8]> {
        let _ = (attrs, name);
        None
    }

    pub fn code(&self, method: &MemberInfo) -> Option<Code<'static>> {
        let _ = method;
        None
    }

    /// Bootstrap method `index`: (method handle constant, static argument constants).
    pub fn bootstrap(&self, index: u16) -> Option<(u16, Vec<u16>)> {
        let _ = index;
        None
    }

    /// Line of a bytecode index, if the method has a LineNumberTable.
    pub fn line(&self, method: &MemberInfo, bci: u16) -> Option<u16> {
        let _ = (method, bci);
        None
    }
}

/// Modified UTF-8 to UTF-16 units.
pub fn decode_utf16(bytes: &[u8]) -> Vec<u16> {
    let _ = bytes;
    Vec::new()
}

/// UTF-16 units to modified UTF-8.
pub fn encode_modified_utf8(units: &[u16]) -> Vec<u8> {
    let _ = units;
    Vec::new()
}
