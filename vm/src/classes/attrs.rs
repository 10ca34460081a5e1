//! Reading class file attributes that reflection hands out.

use crate::classes::class::{Kind, acc};
use crate::classfile::{Attrs, ClassFile};
use crate::ids::{ClassId, ObjRef};
use crate::stop::Stop;
use crate::vm::Vm;

/// One entry of the InnerClasses attribute, as constant pool indices.
#[derive(Clone, Copy, Debug)]
pub struct InnerClass {
    pub inner: u16,
    /// 0 when the class is not a member.
    pub outer: u16,
    /// 0 when the class is anonymous.
    pub name: u16,
    pub access: u16,
}

/// A big-endian u2 at `at`, 0 past the end.
pub fn u2(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..at + 2) {
        Some(b) => u16::from_be_bytes([b[0], b[1]]),
        None => 0,
    }
}

/// The u2 entries of a table that starts with its length.
pub fn u2_table(table: &'static [u8]) -> impl Iterator<Item = u16> {
    let count = usize::from(u2(table, 0));
    (0..count).map(move |i| u2(table, 2 + 2 * i))
}

pub fn inner_classes(file: &'static ClassFile) -> impl Iterator<Item = InnerClass> {
    let table = file.attr(file.attrs, "InnerClasses").unwrap_or(&[]);
    let count = usize::from(u2(table, 0));
    (0..count).map(move |i| {
        let at = 2 + 8 * i;
        InnerClass {
            inner: u2(table, at),
            outer: u2(table, at + 2),
            name: u2(table, at + 4),
            access: u2(table, at + 6),
        }
    })
}

/// Text of a Signature attribute.
pub fn signature(file: &'static ClassFile, attrs: Attrs) -> Option<&'static [u8]> {
    file.utf8(u2(file.attr(attrs, "Signature")?, 0))
}

/// A `byte[]` of an attribute's content, null if there is none.
pub fn byte_array(vm: &mut Vm, content: Option<&[u8]>) -> Result<ObjRef, Stop> {
    match content {
        Some(bytes) => vm.new_bytes(bytes),
        None => Ok(ObjRef::NULL),
    }
}

/// `Class.getModifiers`: a member class has the flags its InnerClasses entry gives it.
pub fn modifiers(vm: &Vm, id: ClassId) -> u16 {
    let class = vm.class(id);
    match class.kind {
        Kind::Primitive(_) => acc::PUBLIC | acc::FINAL | acc::ABSTRACT,
        Kind::Array { element, .. } => {
            let visibility = acc::PUBLIC | acc::PRIVATE | acc::PROTECTED;
            modifiers(vm, element) & visibility | acc::FINAL | acc::ABSTRACT
        }
        Kind::Instance => {
            let inner = class.file.and_then(|file| {
                let mut entries = inner_classes(file);
                let own = file.class_name(file.this_class)?;
                entries
                    .find(|e| file.class_name(e.inner) == Some(own))
                    .map(|e| e.access)
            });
            inner.unwrap_or(class.access) & !acc::SUPER & 0x7fff
        }
    }
}
