//! Access flags: which ones the VM keeps, and which combinations are illegal.

pub const PUBLIC: u16 = 0x0001;
pub const PRIVATE: u16 = 0x0002;
pub const PROTECTED: u16 = 0x0004;
pub const STATIC: u16 = 0x0008;
pub const FINAL: u16 = 0x0010;
pub const SYNCHRONIZED: u16 = 0x0020;
pub const SUPER: u16 = 0x0020;
pub const VOLATILE: u16 = 0x0040;
pub const BRIDGE: u16 = 0x0040;
pub const TRANSIENT: u16 = 0x0080;
pub const VARARGS: u16 = 0x0080;
pub const NATIVE: u16 = 0x0100;
pub const INTERFACE: u16 = 0x0200;
pub const ABSTRACT: u16 = 0x0400;
pub const STRICT: u16 = 0x0800;
pub const SYNTHETIC: u16 = 0x1000;
pub const ANNOTATION: u16 = 0x2000;
pub const ENUM: u16 = 0x4000;
pub const MODULE: u16 = 0x8000;

const CLASS_MASK: u16 = PUBLIC | FINAL | SUPER | INTERFACE | ABSTRACT | SYNTHETIC | ANNOTATION | ENUM;
pub(super) const FIELD_MASK: u16 =
    PUBLIC | PRIVATE | PROTECTED | STATIC | FINAL | VOLATILE | TRANSIENT | SYNTHETIC | ENUM;
pub(super) const METHOD_MASK: u16 = 0x0DFF | SYNTHETIC;

/// The class flags the VM keeps. Old interfaces did not have to say that they are abstract.
pub(super) fn class_access(raw: u16, major: u16) -> u16 {
    let mask = if major >= 53 {
        CLASS_MASK | MODULE
    } else {
        CLASS_MASK
    };
    old_interface(raw & mask, major)
}

/// The flags of a row of InnerClasses; as in HotSpot, ACC_SUPER counts among them.
pub(super) fn inner_access(raw: u16, major: u16) -> u16 {
    old_interface(raw & (CLASS_MASK | PRIVATE | PROTECTED | STATIC), major)
}

fn old_interface(access: u16, major: u16) -> u16 {
    if access & INTERFACE != 0 && major < 50 {
        access | ABSTRACT
    } else {
        access
    }
}

pub(super) fn illegal_class(access: u16, major: u16) -> bool {
    let has = |f| access & f != 0;
    let new = major >= 49;
    (has(ABSTRACT) && has(FINAL))
        || (has(INTERFACE) && !has(ABSTRACT))
        || (has(INTERFACE) && new && (has(SUPER) || has(ENUM)))
        || (!has(INTERFACE) && new && has(ANNOTATION))
}

pub(super) fn illegal_field(access: u16, is_interface: bool, major: u16) -> bool {
    let has = |f| access & f != 0;
    if !is_interface {
        return two_visibilities(access) || (has(FINAL) && has(VOLATILE));
    }
    let constant = PUBLIC | STATIC | FINAL;
    access & constant != constant
        || has(PRIVATE | PROTECTED | VOLATILE | TRANSIENT)
        || (major >= 49 && has(ENUM))
}

pub(super) fn illegal_method(access: u16, is_interface: bool, is_init: bool, major: u16) -> bool {
    let has = |f| access & f != 0;
    let new = major >= 49;
    // Since Java 17 strictfp means nothing and may stand anywhere.
    let strict = has(STRICT) && major < 61;
    if is_interface {
        return if major >= 52 {
            has(PUBLIC) == has(PRIVATE)
                || has(NATIVE | PROTECTED | FINAL | SYNCHRONIZED)
                || (has(ABSTRACT) && (has(PRIVATE | STATIC) || strict))
        } else if new {
            access & (PUBLIC | ABSTRACT) != PUBLIC | ABSTRACT
                || has(PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE | STRICT)
        } else {
            access & (PUBLIC | ABSTRACT) != PUBLIC | ABSTRACT || has(STATIC | FINAL | NATIVE)
        };
    }
    if two_visibilities(access) {
        true
    } else if is_init {
        has(STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT) || (new && has(BRIDGE))
    } else {
        has(ABSTRACT) && (has(FINAL | NATIVE | PRIVATE | STATIC) || (new && (has(SYNCHRONIZED) || strict)))
    }
}

fn two_visibilities(access: u16) -> bool {
    (access & (PUBLIC | PRIVATE | PROTECTED)).count_ones() > 1
}
