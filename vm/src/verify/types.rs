//! Verification types of the type checker, one word each.

use crate::ids::Sym;

/// A verification type. Small numbers are the primitive types and the questions an instruction asks of an
/// operand; the two top bits tell uninitialised objects and class names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VType(pub u32);

const REF: u32 = 1 << 31;
const UNINIT: u32 = 1 << 30;
/// No `new` instruction fits at the last index of the longest method.
const THIS: u32 = 0xFFFF;

impl VType {
    pub const TOP: VType = VType(0);
    pub const INT: VType = VType(1);
    pub const FLOAT: VType = VType(2);
    pub const DOUBLE: VType = VType(3);
    pub const LONG: VType = VType(4);
    pub const NULL: VType = VType(5);
    /// The narrow types stand only for what a method returns and for array components.
    pub const BOOLEAN: VType = VType(9);
    pub const BYTE: VType = VType(10);
    pub const SHORT: VType = VType(11);
    pub const CHAR: VType = VType(12);
    pub const LONG2: VType = VType(13);
    pub const DOUBLE2: VType = VType(14);
    /// Any reference, initialised or not.
    pub const ANY_REF: VType = VType(16);
    /// Any one-word value.
    pub const WORD: VType = VType(17);
    /// The first half of a two-word value.
    pub const PAIR: VType = VType(18);
    pub const UNINIT_THIS: VType = VType(UNINIT | THIS);

    pub fn reference(name: Sym) -> VType {
        VType(REF | name.0)
    }

    pub fn uninit(new_bci: usize) -> VType {
        VType(UNINIT | new_bci as u32)
    }

    /// The class name of a reference that is neither null nor uninitialised.
    #[inline]
    pub fn name(self) -> Option<Sym> {
        (self.0 & REF != 0).then_some(Sym(self.0 & !REF))
    }

    pub fn is_uninit(self) -> bool {
        self.0 & (REF | UNINIT) == UNINIT
    }

    /// Where the `new` instruction of an uninitialised object stands.
    pub fn new_bci(self) -> usize {
        (self.0 & THIS) as usize
    }

    /// An initialised reference or null.
    pub fn is_reference(self) -> bool {
        self == VType::NULL || self.0 & REF != 0
    }

    pub fn is_word(self) -> bool {
        match self {
            VType::INT | VType::FLOAT | VType::NULL => true,
            VType::BOOLEAN | VType::BYTE | VType::SHORT | VType::CHAR => true,
            _ => self.0 & (REF | UNINIT) != 0,
        }
    }

    /// The first half of a long or double.
    pub fn is_pair(self) -> bool {
        matches!(self, VType::LONG | VType::DOUBLE)
    }

    pub fn is_second(self) -> bool {
        matches!(self, VType::LONG2 | VType::DOUBLE2)
    }

    /// The half that follows.
    pub fn second(self) -> VType {
        if self == VType::LONG {
            VType::LONG2
        } else {
            VType::DOUBLE2
        }
    }

    /// The name in messages, for the types that have no class name.
    pub fn text(self) -> String {
        let fixed = match self {
            VType::TOP => "top",
            VType::INT => "integer",
            VType::FLOAT => "float",
            VType::DOUBLE => "double",
            VType::LONG => "long",
            VType::NULL => "null",
            VType::BOOLEAN => "boolean",
            VType::BYTE => "byte",
            VType::SHORT => "short",
            VType::CHAR => "char",
            VType::LONG2 => "long_2nd",
            VType::DOUBLE2 => "double_2nd",
            VType::ANY_REF => "reference type",
            VType::WORD => "category1 type",
            VType::PAIR => "category2 type",
            VType::UNINIT_THIS => "uninitializedThis",
            other => return format!("uninitialized {}", other.new_bci()),
        };
        fixed.into()
    }
}
