//! The records of loaded classes, their fields and methods.

use crate::classfile::ClassFile;
use crate::classfile::descriptor::Prim;
use crate::ids::{ClassId, FieldId, LoaderId, MethodId, ObjRef, Sym, ThreadId};
use crate::link::op::{Handler, Op, Switch};
use crate::natives::NativeFn;
use crate::sym::FixedMap;

pub use crate::classfile::flags as acc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class or interface from a class file.
    Instance,
    Array {
        /// The component type (one dimension less).
        component: ClassId,
        /// The innermost element type.
        element: ClassId,
        dims: u8,
        /// Element size as a power of two.
        log2: u8,
    },
    Primitive(Prim),
}

/// JVMS 5.5 states. Arrays and primitives are born initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitState {
    Loaded,
    /// Layout, vtable and verification done.
    Linked,
    /// By this thread.
    Running(ThreadId),
    Done,
    /// Initialisation failed; the exception to name as the cause, or null.
    Failed(ObjRef),
}

/// A resolved constant pool entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CpEntry {
    #[default]
    Unresolved,
    Class(ClassId),
    Field(FieldId),
    Method(MethodId),
    /// A resolved String, MethodHandle, MethodType or dynamic constant (reference image or raw value).
    Value(u64),
    /// A linkage error recorded for this entry, thrown again each time.
    Failed(ObjRef),
}

pub struct Class {
    pub id: ClassId,
    /// Internal form: `java/lang/String`, `[I`, `[Ljava/lang/String;`, `int`; a hidden class `pkg/Name+0x0000…`.
    pub name: Sym,
    pub loader: LoaderId,
    pub access: u16,
    pub kind: Kind,
    pub super_class: Option<ClassId>,
    /// Direct superinterfaces in declaration order.
    pub interfaces: Vec<ClassId>,
    /// All superinterfaces (transitively, those of superclasses too), in a fixed order.
    pub all_interfaces: Vec<ClassId>,
    /// Superclass chain from Object (index 0) to this class, for constant-time subclass tests.
    pub display: Vec<ClassId>,
    /// Bit set over interface numbers, for constant-time interface tests.
    pub interface_bits: Vec<u64>,
    /// This interface's number in those sets.
    pub interface_no: u32,
    pub file: Option<&'static ClassFile>,
    pub cp: Vec<CpEntry>,
    pub fields: Vec<FieldId>,
    pub methods: Vec<MethodId>,
    /// Declared methods by (name, descriptor).
    pub method_index: FixedMap<(Sym, Sym), MethodId>,
    pub vtable: Vec<MethodId>,
    /// Instance size in bytes with header, a multiple of 8.
    pub size: u32,
    /// Where the last instance field ends; fields of subclasses start here.
    pub fields_end: u32,
    pub mirror: ObjRef,
    pub state: InitState,
    pub clinit: Option<MethodId>,
    /// The validated nest host, once asked for.
    pub nest_host: Option<ClassId>,
    /// `[this` if it has been made.
    pub array: Option<ClassId>,
    pub protection_domain: ObjRef,
    pub signers: ObjRef,
    /// Package in internal form, without trailing slash.
    pub package: Sym,
    pub source_file: Option<Sym>,
    pub hidden: bool,
    /// Declares or inherits a non-trivial `finalize()`.
    pub has_finalizer: bool,
    /// An interface with non-abstract instance methods, or a class that inherits from one.
    pub has_defaults: bool,
    /// The class whose old bodies this record keeps; nobody can find it by name.
    pub version_of: Option<ClassId>,
    /// It goes when nothing refers to it (`unload.rs`).
    pub mortal: bool,
    /// It has gone: what is left of the record is its name, for those who have noted its number.
    pub unloaded: bool,
    /// What its code and its constants refer to, of a mortal class.
    pub pins: Vec<ObjRef>,
}

impl Class {
    /// A class of which nothing is known but what it is called.
    pub fn new(id: ClassId, name: Sym, loader: LoaderId, kind: Kind, package: Sym) -> Class {
        Class {
            id,
            name,
            loader,
            access: 0,
            kind,
            super_class: None,
            interfaces: Vec::new(),
            all_interfaces: Vec::new(),
            display: Vec::new(),
            interface_bits: Vec::new(),
            interface_no: 0,
            file: None,
            cp: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            method_index: FixedMap::default(),
            vtable: Vec::new(),
            size: 0,
            fields_end: 0,
            mirror: ObjRef::NULL,
            state: InitState::Loaded,
            clinit: None,
            nest_host: None,
            array: None,
            protection_domain: ObjRef::NULL,
            signers: ObjRef::NULL,
            package,
            source_file: None,
            hidden: false,
            has_finalizer: false,
            has_defaults: false,
            version_of: None,
            mortal: false,
            unloaded: false,
            pins: Vec::new(),
        }
    }

    pub fn is_interface(&self) -> bool {
        self.access & acc::INTERFACE != 0
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array { .. })
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self.kind, Kind::Primitive(_))
    }

    pub fn is_abstract(&self) -> bool {
        self.access & acc::ABSTRACT != 0
    }
}

pub struct Field {
    pub id: FieldId,
    pub class: ClassId,
    pub name: Sym,
    pub desc: Sym,
    pub access: u16,
    /// Byte offset in the object, or in the class mirror for a static field.
    pub offset: u32,
    /// Index into the class file's field table (also the reflection `slot`).
    pub slot: u16,
    /// First letter of the descriptor.
    pub letter: u8,
    /// Carries a trusted-final meaning for method handles (hidden class or record).
    pub trusted_final: bool,
}

impl Field {
    pub fn is_static(&self) -> bool {
        self.access & acc::STATIC != 0
    }

    pub fn is_ref(&self) -> bool {
        matches!(self.letter, b'L' | b'[')
    }
}

/// What annotations and names say the VM must know of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    pub caller_sensitive: bool,
    /// Hidden from stack traces and walks (@Hidden, or a frame of a lambda form or lambda proxy class).
    pub hidden: bool,
    /// MethodHandle.invoke*, linkTo* and the VarHandle access modes.
    pub signature_polymorphic: bool,
}

pub struct Method {
    pub id: MethodId,
    pub class: ClassId,
    pub name: Sym,
    pub desc: Sym,
    pub access: u16,
    /// Index into the class file's method table (also the reflection `slot`).
    pub slot: u16,
    /// Argument slots, receiver included.
    pub arg_slots: u16,
    /// First letter of the return descriptor.
    pub ret: u8,
    /// vtable index, or -1 for static, private, constructor and interface methods.
    pub vindex: i32,
    pub traits: Traits,
    /// The register form, once lowered. Boxed so that op addresses stay put.
    pub ops: Box<[Op]>,
    pub bcis: Box<[u16]>,
    pub handlers: Box<[Handler]>,
    pub switches: Box<[Switch]>,
    pub native: Option<NativeFn>,
    /// The error `Op::Invalid` throws: exception class (none if it is our limit) and message.
    pub invalid: Option<Box<(String, String)>>,
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access & acc::STATIC != 0
    }

    pub fn is_native(&self) -> bool {
        self.access & acc::NATIVE != 0
    }

    pub fn is_abstract(&self) -> bool {
        self.access & acc::ABSTRACT != 0
    }

    pub fn is_private(&self) -> bool {
        self.access & acc::PRIVATE != 0
    }

    pub fn is_synchronized(&self) -> bool {
        self.access & acc::SYNCHRONIZED != 0
    }
}
