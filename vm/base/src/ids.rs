//! Typed indices: an id names a thing in one arena of the VM and cannot be mistaken for another.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    };
}

id! {
    /// A heap reference: byte offset into the arena divided by 8. Zero is `null`.
    ObjRef
}
id! {
    /// A loaded class, interface, array class or primitive type.
    ClassId
}
id! {
    /// A method of a loaded class.
    MethodId
}
id! {
    /// A field of a loaded class.
    FieldId
}
id! {
    /// An interned name or descriptor.
    Sym
}
id! {
    /// A defining or initiating class loader; 0 is the boot loader.
    LoaderId
}
id! {
    /// A green thread.
    ThreadId
}

impl ObjRef {
    pub const NULL: ObjRef = ObjRef(0);

    #[inline]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The register image of this reference.
    #[inline]
    pub fn bits(self) -> u64 {
        u64::from(self.0)
    }

    /// The reference held in a register.
    #[inline]
    pub fn from_bits(bits: u64) -> ObjRef {
        ObjRef(bits as u32)
    }
}

impl LoaderId {
    pub const BOOT: LoaderId = LoaderId(0);
}
