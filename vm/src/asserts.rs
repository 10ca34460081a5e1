//! Which values reach assertions: a digest of what the assertion methods of the known libraries are called with.
//!
//! Two runs of a test whose digests differ have behaved differently, even if all of their assertions held. Numbers, strings,
//! boxes and arrays of them count by value, all other objects by their class alone: what else they hold may depend on
//! identity hashes, and a difference must be one that the test could see.

use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::ids::{MethodId, ObjRef};
use crate::vm::Vm;

/// Classes whose static methods with a name that begins with `assert` or `fail` are assertions.
const CLASSES: [&str; 8] = [
    "org/junit/Assert",
    "org/junit/jupiter/api/Assertions",
    "junit/framework/Assert",
    "junit/framework/TestCase",
    "org/hamcrest/MatcherAssert",
    "org/testng/Assert",
    "org/testng/AssertJUnit",
    "org/assertj/core/api/Assertions",
];

/// Elements of an array that count, and how deep arrays are followed.
const MOST_ELEMENTS: u32 = 1 << 12;
const DEEPEST: u32 = 4;

/// What has been asserted so far.
#[derive(Default)]
pub(crate) struct Asserts {
    digest: u64,
}

impl Asserts {
    fn add(&mut self, bytes: &[u8]) {
        // FNV-1a: the values are the program's own, nobody chooses them to collide.
        for byte in bytes {
            self.digest = (self.digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Vm {
    /// From now on calls of assertions are noted.
    pub fn watch_assertions(&mut self) {
        self.asserts = Some(Box::default());
        self.note_calls_again();
    }

    /// A digest of what was asserted since this was last asked; none where that is not noted.
    pub fn take_assertions(&mut self) -> Option<u64> {
        let asserts = self.asserts.as_mut()?;
        Some(std::mem::take(&mut asserts.digest))
    }

    pub(crate) fn is_assertion(&self, m: MethodId) -> bool {
        let method = self.method(m);
        let name = self.syms.str(method.name);
        self.asserts.is_some()
            && method.is_static()
            && !method.is_native()
            && (name.starts_with("assert") || name.starts_with("fail"))
            && CLASSES.contains(&self.class_name(method.class))
    }

    /// An assertion is called; its frame is on top.
    pub(crate) fn note_assertion(&mut self, m: MethodId) {
        let Some(mut asserts) = self.asserts.take() else {
            return;
        };
        let desc = self.syms.bytes(self.method(m).desc);
        let base = self.threads.cur().frames.last().map_or(0, |f| f.base as usize);
        let mut register = base;
        asserts.add(self.syms.bytes(self.method(m).name));
        for ty in method_types(desc).map(|(types, _)| types).unwrap_or_default() {
            let bits = self.threads.cur().regs.get(register);
            match ty {
                Type::Prim(Prim::Long | Prim::Double) => {
                    asserts.add(&bits.to_le_bytes());
                    register += 1;
                }
                Type::Prim(_) => asserts.add(&(bits as u32).to_le_bytes()),
                Type::Ref(_) => match self.object_in(bits) {
                    Some(object) => self.add_object(&mut asserts, object, 0),
                    None => asserts.add(&[0]),
                },
            }
            register += 1;
        }
        self.asserts = Some(asserts);
    }

    fn add_object(&self, asserts: &mut Asserts, object: ObjRef, depth: u32) {
        let class = self.heap.class_of(object);
        if class == self.known.string {
            asserts.add(self.text(object).as_bytes());
            asserts.add(&[1]);
            return;
        }
        if let Some((_, bits)) = self.unbox(object) {
            asserts.add(&bits.to_le_bytes());
            return;
        }
        let name = self.class_name(class);
        // Lambdas and generated classes are numbered in the order they were made.
        if !name.contains("$$") && !name.contains("+0x") {
            asserts.add(name.as_bytes());
        }
        if !self.class(class).is_array() || depth == DEEPEST {
            return;
        }
        let len = self.heap.array_len(object);
        asserts.add(&len.to_le_bytes());
        for i in 0..len.min(MOST_ELEMENTS) {
            match name.as_bytes()[1] {
                b'[' | b'L' => match self.heap.elem_get_ref(object, i) {
                    ObjRef::NULL => asserts.add(&[0]),
                    element => self.add_object(asserts, element, depth + 1),
                },
                b'Z' | b'B' => asserts.add(&[self.heap.elem_get_u8(object, i)]),
                b'C' | b'S' => asserts.add(&self.heap.elem_get_u16(object, i).to_le_bytes()),
                b'J' | b'D' => asserts.add(&self.heap.elem_get_u64(object, i).to_le_bytes()),
                _ => asserts.add(&self.heap.elem_get_u32(object, i).to_le_bytes()),
            }
        }
    }
}
