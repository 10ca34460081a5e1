//! Checks the structure of a class file once, in the order HotSpot does, so that the first fault gives HotSpot's message.

use super::constant_pool::{self, Pool};
use super::names::{self, BadDescriptor};
use super::reader::Reader;
use super::{ClassFile, FormatError, Rules, class_attrs, flags, members, mutf8, tag};
use std::fmt;

const MAGIC: u32 = 0xCAFE_BABE;
const OLDEST: u16 = 45;
const PREVIEW_MINOR: u16 = 65535;

/// The state of one parse.
pub(super) struct Parser {
    pub r: Reader,
    pub cp: Vec<u32>,
    /// The tags again, side by side: most checks ask for nothing else.
    pub tags: Vec<u8>,
    pub major: u16,
    pub minor: u16,
    /// Names, modifiers, duplicates and the insides of debug tables are taken as given.
    pub trusted: bool,
    /// The highest bootstrap method index a constant asks for, plus one.
    pub bootstraps: u32,
    name: Vec<u8>,
}

pub(super) fn parse(bytes: &'static [u8], rules: &Rules<'_>) -> Result<ClassFile, FormatError> {
    let mut p = Parser {
        r: Reader { bytes, at: 0 },
        cp: Vec::new(),
        tags: Vec::new(),
        major: 0,
        minor: 0,
        trusted: rules.trusted,
        bootstraps: 0,
        name: rules.name.unwrap_or(b"<Unknown>").to_vec(),
    };
    let access = head(&mut p, rules)?;
    let (this_class, super_class) = this_and_super(&mut p, rules)?;
    let interfaces = interfaces(&mut p)?;
    let is_interface = access & flags::INTERFACE != 0;
    let fields = members::fields(&mut p, is_interface)?;
    let methods = members::methods(&mut p, is_interface)?;
    let attrs = class_attrs::check(&mut p, access)?;
    if p.r.at != bytes.len() {
        return Err(p.error("Extra bytes at the end of"));
    }
    if is_interface && p.pool().class_name(super_class) != Some(b"java/lang/Object") {
        return Err(p.error("Interfaces must have java.lang.Object as superclass"));
    }
    if !interfaces.is_empty() && p.pool().class_name(this_class) == Some(b"java/lang/Object") {
        return Err(p.error("java.lang.Object cannot implement an interface"));
    }
    let synthetic = if attrs.synthetic { flags::SYNTHETIC } else { 0 };
    Ok(ClassFile {
        bytes,
        minor: p.minor,
        major: p.major,
        access: access | synthetic,
        this_class,
        super_class,
        interfaces,
        fields,
        methods,
        attrs: attrs.table,
        cp: p.cp.into_boxed_slice(),
    })
}

/// Magic, version, constant pool and access flags.
fn head(p: &mut Parser, rules: &Rules<'_>) -> Result<u16, FormatError> {
    p.r.need(8)?;
    let magic = p.r.u4()?;
    if magic != MAGIC {
        return Err(p.error(format_args!("Incompatible magic value {magic}")));
    }
    p.minor = p.r.u2()?;
    p.major = p.r.u2()?;
    check_version(p, rules)?;
    let count = p.r.u2()?;
    if count == 0 {
        return Err(p.error("Illegal constant pool size 0"));
    }
    let module_constant = constant_pool::index(p, count)?;
    // Only a module declaration may have such constants, and only the flags tell whether this is one.
    if module_constant == 0 {
        check_constants(p)?;
    }
    // Flags, this class, superclass and the number of interfaces are asked for together.
    p.r.need(8)?;
    let access = flags::class_access(p.r.u2()?, p.major);
    let is_module = access & flags::MODULE != 0;
    if !p.trusted && !is_module && flags::illegal_class(access, p.major) {
        return Err(p.illegal_class_modifiers(access));
    }
    if module_constant != 0 {
        if !is_module {
            return Err(constant_pool::unknown_tag(p, module_constant));
        }
        check_constants(p)?;
    }
    Ok(access)
}

fn check_constants(p: &Parser) -> Result<(), FormatError> {
    constant_pool::check_references(p)?;
    if p.trusted {
        Ok(())
    } else {
        constant_pool::check_names(p)
    }
}

fn check_version(p: &Parser, rules: &Rules<'_>) -> Result<(), FormatError> {
    let (name, major, minor, newest) = (p.name_text(), p.major, p.minor, rules.max_major);
    let message = if major < OLDEST {
        format!("{name} (class file version {major}.{minor}) was compiled with an invalid major version")
    } else if major > newest {
        format!(
            "{name} has been compiled by a more recent version of the Java Runtime (class file version \
             {major}.{minor}), this version of the Java Runtime only recognizes class file versions up to {newest}.0"
        )
    } else if major < 56 || minor == 0 || (minor == PREVIEW_MINOR && rules.preview) {
        return Ok(());
    } else if minor != PREVIEW_MINOR {
        format!(
            "{name} (class file version {major}.{minor}) was compiled with an invalid non-zero minor version"
        )
    } else if major != newest {
        format!(
            "{name} (class file version {major}.{minor}) was compiled with preview features that are unsupported. \
             This version of the Java Runtime only recognizes preview features for class file version \
             {newest}.{PREVIEW_MINOR}"
        )
    } else {
        format!(
            "Preview features are not enabled for {name} (class file version {major}.{minor}). Try running with \
             '--enable-preview'"
        )
    };
    Err(FormatError {
        unsupported_version: true,
        message,
    })
}

fn this_and_super(p: &mut Parser, rules: &Rules<'_>) -> Result<(u16, u16), FormatError> {
    let this_class = p.r.u2()?;
    let name = match p.tag(this_class) {
        tag::CLASS => p.pool().class_name(this_class).unwrap_or(b""),
        _ => {
            return Err(p.error(format_args!(
                "Invalid this class index {this_class} in constant pool"
            )));
        }
    };
    if name.starts_with(b"[") {
        return Err(p.error("Bad class name"));
    }
    if rules.name.is_none() {
        p.name = name.to_vec();
    }
    let super_class = p.r.u2()?;
    let is_module = p.pool().class_name(this_class) == Some(b"module-info");
    let ok = match super_class {
        0 => name == b"java/lang/Object" || is_module,
        index => p.tag(index) == tag::CLASS,
    };
    if !ok {
        return Err(p.error(format_args!("Invalid superclass index {super_class}")));
    }
    if p.pool()
        .class_name(super_class)
        .is_some_and(|n| n.starts_with(b"["))
    {
        return Err(p.error("Bad superclass name"));
    }
    Ok((this_class, super_class))
}

fn interfaces(p: &mut Parser) -> Result<Box<[u16]>, FormatError> {
    let count = p.r.u2()?;
    let mut list = Vec::with_capacity(usize::from(count).min(p.r.bytes.len() / 2));
    for _ in 0..count {
        let index = p.r.u2()?;
        if p.tag(index) != tag::CLASS {
            return Err(p.error(format_args!("Interface name has bad constant pool index {index}")));
        }
        if p.pool().class_name(index).is_some_and(|n| n.starts_with(b"[")) {
            return Err(p.error("Bad interface name"));
        }
        list.push(index);
    }
    if !p.trusted && list.len() > 1 {
        let mut names: Vec<_> = list
            .iter()
            .map(|&i| p.pool().class_name(i).unwrap_or(b""))
            .collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|w| w[0] == w[1]) {
            let name = mutf8::to_text(pair[0]);
            return Err(p.error(format_args!("Duplicate interface name \"{name}\"")));
        }
    }
    Ok(list.into_boxed_slice())
}

/// Messages and small checks shared by all parts of the parser.
impl Parser {
    pub fn pool(&self) -> Pool<'_> {
        Pool {
            bytes: self.r.bytes,
            cp: &self.cp,
        }
    }

    /// Tag of a constant, 0 if there is none.
    #[inline]
    pub fn tag(&self, index: u16) -> u8 {
        self.tags.get(usize::from(index)).copied().unwrap_or(0)
    }

    pub fn name_text(&self) -> String {
        mutf8::to_text(&self.name)
    }

    /// "… in class file X", which is how most of HotSpot's messages end.
    #[cold]
    pub fn error(&self, what: impl fmt::Display) -> FormatError {
        let mut message = what.to_string();
        message.push_str(if message.ends_with(" of") {
            " class file "
        } else {
            " in class file "
        });
        message.push_str(&self.name_text());
        FormatError {
            unsupported_version: false,
            message,
        }
    }

    #[cold]
    pub fn error_in_class(&self, what: impl fmt::Display) -> FormatError {
        FormatError {
            unsupported_version: false,
            message: format!("{what} in class {}", self.name_text()),
        }
    }

    #[cold]
    pub fn plain_error(&self, message: String) -> FormatError {
        FormatError {
            unsupported_version: false,
            message,
        }
    }

    #[cold]
    pub fn bad_index(&self, index: u16) -> FormatError {
        self.error(format_args!("Invalid constant pool index {index}"))
    }

    #[cold]
    pub fn bad_signature(&self, what: &str, name: &[u8], desc: &[u8]) -> FormatError {
        let (name, desc) = (mutf8::to_text(name), mutf8::to_text(desc));
        let class = self.name_text();
        self.plain_error(format!(
            "{what} \"{name}\" in class {class} has illegal signature \"{desc}\""
        ))
    }

    #[cold]
    pub fn bad_descriptor(&self, bad: BadDescriptor, what: &str, name: &[u8], desc: &[u8]) -> FormatError {
        match bad {
            BadDescriptor::ClassName => {
                self.error("Class name is empty or contains illegal character in descriptor")
            }
            BadDescriptor::Dimensions => self.error("Array type descriptor has more than 255 dimensions"),
            BadDescriptor::Malformed => self.bad_signature(what, name, desc),
        }
    }

    #[cold]
    pub fn illegal_class_modifiers(&self, access: u16) -> FormatError {
        self.plain_error(format!(
            "Illegal class modifiers in class {}: 0x{access:X}",
            self.name_text()
        ))
    }

    #[inline]
    pub fn expect_tag(&self, index: u16, tag: u8) -> Result<(), FormatError> {
        if self.pool().tag(index) == tag {
            Ok(())
        } else {
            Err(self.bad_index(index))
        }
    }

    pub fn check_field_name(&self, name: &[u8]) -> Result<(), FormatError> {
        if names::field_name(name, self.major) {
            return Ok(());
        }
        Err(self.error_in_class(format_args!("Illegal field name \"{}\"", mutf8::to_text(name))))
    }

    pub fn check_method_name(&self, name: &[u8]) -> Result<(), FormatError> {
        if names::method_name(name, self.major) {
            return Ok(());
        }
        Err(self.error_in_class(format_args!("Illegal method name \"{}\"", mutf8::to_text(name))))
    }

    pub fn check_field_desc(&self, name: &[u8], desc: &[u8]) -> Result<(), FormatError> {
        names::field_descriptor(desc, self.major).map_err(|bad| self.bad_descriptor(bad, "Field", name, desc))
    }

    /// Answers the argument slots, receiver not included.
    pub fn check_method_desc(&self, name: &[u8], desc: &[u8]) -> Result<u32, FormatError> {
        names::method_descriptor(name, desc, self.major)
            .map_err(|bad| self.bad_descriptor(bad, "Method", name, desc))
    }
}
