//! Field and method descriptors.

/// A primitive type or void, by its descriptor letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Prim {
    Boolean = b'Z',
    Byte = b'B',
    Char = b'C',
    Short = b'S',
    Int = b'I',
    Long = b'J',
    Float = b'F',
    Double = b'D',
    Void = b'V',
}

/// What a field or parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    Prim(Prim),
    /// A reference type with its class name in internal form (`java/lang/String`, `[I`, `[Ljava/lang/String;`).
    Ref(&'a [u8]),
}

impl Prim {
    pub const ALL: [Prim; 9] = [
        Prim::Boolean,
        Prim::Byte,
        Prim::Char,
        Prim::Short,
        Prim::Int,
        Prim::Long,
        Prim::Float,
        Prim::Double,
        Prim::Void,
    ];

    pub fn from_letter(letter: u8) -> Option<Prim> {
        Prim::ALL.into_iter().find(|p| *p as u8 == letter)
    }

    /// The Java keyword.
    pub fn name(self) -> &'static str {
        match self {
            Prim::Boolean => "boolean",
            Prim::Byte => "byte",
            Prim::Char => "char",
            Prim::Short => "short",
            Prim::Int => "int",
            Prim::Long => "long",
            Prim::Float => "float",
            Prim::Double => "double",
            Prim::Void => "void",
        }
    }

    /// Size in the heap, as a power of two.
    pub fn log2_size(self) -> u8 {
        match self {
            Prim::Boolean | Prim::Byte | Prim::Void => 0,
            Prim::Char | Prim::Short => 1,
            Prim::Int | Prim::Float => 2,
            Prim::Long | Prim::Double => 3,
        }
    }
}

impl Type<'_> {
    /// Register slots: two for long and double, none for void.
    pub fn slots(self) -> u16 {
        match self {
            Type::Prim(Prim::Void) => 0,
            Type::Prim(Prim::Long | Prim::Double) => 2,
            _ => 1,
        }
    }

    pub fn log2_size(self) -> u8 {
        match self {
            Type::Prim(p) => p.log2_size(),
            Type::Ref(_) => 2,
        }
    }

    pub fn is_ref(self) -> bool {
        matches!(self, Type::Ref(_))
    }
}

/// Parses one type at the start of `desc`; answers it and the rest.
pub fn parse_type(desc: &[u8]) -> Option<(Type<'_>, &[u8])> {
    let (&first, rest) = desc.split_first()?;
    match first {
        b'L' => {
            let end = rest.iter().position(|&b| b == b';')?;
            if end == 0 {
                return None;
            }
            Some((Type::Ref(&rest[..end]), &rest[end + 1..]))
        }
        b'[' => {
            let dims = desc.iter().take_while(|&&b| b == b'[').count();
            if dims > 255 {
                return None;
            }
            let (element, after) = parse_type(&desc[dims..])?;
            if element == Type::Prim(Prim::Void) {
                return None;
            }
            Some((Type::Ref(&desc[..desc.len() - after.len()]), after))
        }
        letter => Some((Type::Prim(Prim::from_letter(letter)?), rest)),
    }
}

/// A whole field descriptor.
pub fn field_type(desc: &[u8]) -> Option<Type<'_>> {
    match parse_type(desc)? {
        (Type::Prim(Prim::Void), _) => None,
        (ty, []) => Some(ty),
        _ => None,
    }
}

/// Parameters and return type of a method descriptor.
pub fn method_types(desc: &[u8]) -> Option<(Vec<Type<'_>>, Type<'_>)> {
    let mut rest = desc.strip_prefix(b"(")?;
    let mut params = Vec::new();
    while !rest.starts_with(b")") {
        let (ty, after) = parse_type(rest)?;
        if ty == Type::Prim(Prim::Void) {
            return None;
        }
        params.push(ty);
        rest = after;
    }
    let (ret, after) = parse_type(&rest[1..])?;
    after.is_empty().then_some((params, ret))
}

/// Argument slots of a method descriptor, receiver not included.
pub fn arg_slots(desc: &[u8]) -> Option<u16> {
    Some(method_types(desc)?.0.iter().map(|t| t.slots()).sum())
}
