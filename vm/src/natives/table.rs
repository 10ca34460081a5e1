//! A native is one row beside its body.

use crate::natives::ctx::Ctx;
use crate::stop::Stop;

/// A native's body: arguments come through the context, the result is a register image (0 for void).
pub type NativeFn = fn(&mut Ctx<'_>) -> Result<u64, Stop>;

/// Rows, by Java package.
pub type Tables = &'static [&'static [Native]];

/// How a row applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Implements a method declared `native`.
    Native,
    /// Stands in for a method that has a body, because interpreting it is slow or bound to HotSpot.
    Instead,
}

/// Leaves that compiled code does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    StringLength,
    StringIsEmpty,
    StringCharAt,
    StringIsLatin1,
    StringCoder,
}

/// One row: class, method, descriptor (empty: any descriptor of that name), body.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    pub class: &'static str,
    pub name: &'static str,
    pub desc: &'static str,
    pub body: NativeFn,
    pub how: How,
    /// Leaf natives are called without a frame of their own. They must not do anything visible before returning
    /// an error (they are run again with a frame then) and must not inspect the stack.
    pub leaf: bool,
    /// The body only says that poldet will not do this.
    pub refused: bool,
    /// Compiled code does the same by itself where the body does not decline.
    pub intrinsic: Option<Intrinsic>,
}

/// A row for a `native` method.
pub const fn native(class: &'static str, name: &'static str, desc: &'static str, body: NativeFn) -> Native {
    Native {
        class,
        name,
        desc,
        body,
        how: How::Native,
        leaf: false,
        refused: false,
        intrinsic: None,
    }
}

/// A row that replaces a method with a body; a leaf unless said otherwise. When such a leaf answers an error, whatever
/// it is, the Java body runs instead.
pub const fn instead(class: &'static str, name: &'static str, desc: &'static str, body: NativeFn) -> Native {
    Native {
        class,
        name,
        desc,
        body,
        how: How::Instead,
        leaf: true,
        refused: false,
        intrinsic: None,
    }
}

impl Native {
    pub const fn leaf(mut self) -> Native {
        self.leaf = true;
        self
    }

    pub const fn refused(mut self) -> Native {
        self.refused = true;
        self
    }

    pub const fn intrinsic(mut self, intrinsic: Intrinsic) -> Native {
        self.intrinsic = Some(intrinsic);
        self
    }
}
