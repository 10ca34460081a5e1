//! Making objects, and reading and writing fields by name.

use crate::classes::class::Kind;
use crate::classes::loader::prim_index;
use crate::classfile::descriptor::Prim;
use crate::ids::{ClassId, FieldId, MethodId, ObjRef};
use crate::releases::lacks;
use crate::stop::Stop;
use crate::vm::Vm;

/// How many field offsets are found without hashing names.
pub(crate) const OFFSET_SLOTS: usize = 256;

/// A field offset by the addresses of the literals that name it.
pub(crate) type RecentOffset = Option<(&'static str, &'static str, u32)>;

/// Access to fields of the JDK's classes by their names: `get_*` is a look of the VM, `load_*` a read for the guest. A
/// field that the JDK lacks reads as zero until the program ends.
macro_rules! fields {
    ($get:ident $load:ident $set:ident: $t:ty, $heap_get:ident $heap_load:ident $heap_put:ident,
        $from:expr, $to:expr) => {
        #[inline]
        pub fn $get(&mut self, object: ObjRef, class: &'static str, field: &'static str) -> $t {
            let off = self.off_for_now(class, field);
            off.map_or_else(Default::default, |off| {
                ($from)(self.heap.$heap_get(object, off))
            })
        }

        #[inline(always)]
        pub fn $load(&mut self, object: ObjRef, class: &'static str, field: &'static str) -> $t {
            let off = self.off_for_now(class, field);
            off.map_or_else(Default::default, |off| {
                ($from)(self.heap.$heap_load(object, off))
            })
        }

        #[inline]
        pub fn $set(&mut self, object: ObjRef, class: &'static str, field: &'static str, value: $t) {
            if let Some(off) = self.off_for_now(class, field) {
                self.heap.$heap_put(object, off, ($to)(value));
            }
        }
    };
}

impl Vm {
    /// An instance with all fields zero; the class must be initialised by the caller where that matters.
    #[inline]
    pub fn new_object(&mut self, class: ClassId) -> Result<ObjRef, Stop> {
        let size = self.class(class).size;
        self.heap
            .alloc_object(class, size)
            .map_err(|full| Stop::OutOfMemory { bytes: full.bytes })
    }

    /// An array of the given array class.
    pub fn new_array(&mut self, array_class: ClassId, len: i32) -> Result<ObjRef, Stop> {
        if len < 0 {
            return Err(self.throw("java/lang/NegativeArraySizeException", Some(&len.to_string())));
        }
        // HotSpot's longest array; what is longer does not depend on the heap's size.
        const LONGEST: i32 = i32::MAX - 2;
        if len > LONGEST {
            let message = "Requested array size exceeds VM limit";
            return Err(self.throw("java/lang/OutOfMemoryError", Some(message)));
        }
        let Kind::Array { log2, .. } = self.class(array_class).kind else {
            return Err(Stop::bug("array of a class that is no array class"));
        };
        self.heap
            .alloc_array(array_class, log2, len as u32)
            .map_err(|full| Stop::OutOfMemory { bytes: full.bytes })
    }

    pub fn new_prim_array(&mut self, prim: Prim, len: i32) -> Result<ObjRef, Stop> {
        self.new_array(self.prim_array_class(prim), len)
    }

    pub fn new_bytes(&mut self, bytes: &[u8]) -> Result<ObjRef, Stop> {
        let array = self.new_prim_array(Prim::Byte, bytes.len() as i32)?;
        self.heap.bytes_mut(array).copy_from_slice(bytes);
        Ok(array)
    }

    pub fn new_ref_array(&mut self, element: ClassId, len: i32) -> Result<ObjRef, Stop> {
        let array = self.array_class_of(element)?;
        self.new_array(array, len)
    }

    /// A shallow copy of an object or array.
    pub fn clone_object(&mut self, object: ObjRef) -> Result<ObjRef, Stop> {
        let class = self.heap.class_of(object);
        if self.class(class).is_array() {
            let copy = self.new_array(class, self.heap.array_len(object) as i32)?;
            self.heap.copy_contents(object, copy);
            return Ok(copy);
        }
        let copy = self.new_object(class)?;
        self.heap.copy_contents(object, copy);
        Ok(copy)
    }

    /// A box object for a primitive's register image.
    pub fn box_value(&mut self, prim: Prim, bits: u64) -> Result<ObjRef, Stop> {
        if prim == Prim::Void {
            return Ok(ObjRef::NULL);
        }
        let class = self.known.boxes[prim_index(prim)];
        let object = self.new_object(class)?;
        let offset = self.box_offset(class);
        match prim.log2_size() {
            0 => self.heap.put_u8(object, offset, bits as u8),
            1 => self.heap.put_u16(object, offset, bits as u16),
            2 => self.heap.put_u32(object, offset, bits as u32),
            _ => self.heap.put_u64(object, offset, bits),
        }
        Ok(object)
    }

    /// The register image in a box object, or none if it is no box.
    pub fn unbox(&self, object: ObjRef) -> Option<(Prim, u64)> {
        if object.is_null() {
            return None;
        }
        let class = self.heap.class_of(object);
        let index = self.known.boxes.iter().position(|b| *b == class)?;
        let prim = Prim::ALL[index];
        let offset = self.box_offset(class);
        let bits = match prim {
            Prim::Boolean => u64::from(self.heap.get_u8(object, offset)),
            Prim::Byte => u64::from(self.heap.get_i8(object, offset) as i32 as u32),
            Prim::Char => u64::from(self.heap.get_u16(object, offset)),
            Prim::Short => u64::from(self.heap.get_i16(object, offset) as i32 as u32),
            Prim::Int | Prim::Float => u64::from(self.heap.get_u32(object, offset)),
            _ => self.heap.get_u64(object, offset),
        };
        Some((prim, bits))
    }

    /// Offset of the `value` field: the only instance field of every box.
    fn box_offset(&self, class: ClassId) -> u32 {
        let value = self
            .class(class)
            .fields
            .iter()
            .find(|f| !self.field(**f).is_static());
        value.map_or(0, |f| self.field(*f).offset)
    }

    pub fn identity_hash(&self, object: ObjRef) -> i32 {
        self.identities.of(object, || {
            self.heap.is_watched(object) || self.heap.logged(object).is_some()
        })
    }

    /// The identity hash of an object that was asked for it.
    pub fn given_identity_hash(&self, object: ObjRef) -> Option<i32> {
        self.identities.given(object)
    }

    /// A field by name (and descriptor, unless empty): the class, its superinterfaces, its superclass.
    pub fn find_field(&self, class: ClassId, name: &str, desc: &str) -> Option<FieldId> {
        let name = self.syms.get(name.as_bytes())?;
        let desc = if desc.is_empty() {
            None
        } else {
            Some(self.syms.get(desc.as_bytes())?)
        };
        self.find_field_sym(class, name, desc)
    }

    pub fn find_field_sym(
        &self,
        class: ClassId,
        name: crate::ids::Sym,
        desc: Option<crate::ids::Sym>,
    ) -> Option<FieldId> {
        let mut at = Some(class);
        while let Some(id) = at {
            let c = self.class(id);
            let matches = |f: &&FieldId| {
                let field = self.field(**f);
                field.name == name && desc.is_none_or(|d| field.desc == d)
            };
            if let Some(f) = c.fields.iter().find(matches) {
                return Some(*f);
            }
            for &i in &c.interfaces {
                if let Some(f) = self.find_field_sym(i, name, desc) {
                    return Some(f);
                }
            }
            at = c.super_class;
        }
        None
    }

    /// Offset of a field that every JDK we know has; one that lacks it is beyond our limits.
    #[inline]
    pub fn off(&mut self, class: &'static str, field: &'static str) -> Result<u32, Stop> {
        let lacks = || Stop::unsupported(lacks(class, field));
        self.try_off(class, field).ok_or_else(lacks)
    }

    /// The same; where the JDK lacks the field, the program ends at its next safepoint.
    #[inline(always)]
    fn off_for_now(&mut self, class: &'static str, field: &'static str) -> Option<u32> {
        let off = self.try_off(class, field);
        if off.is_none() {
            self.lacking.get_or_insert_with(|| lacks(class, field));
            self.end_slice();
        }
        off
    }

    /// Offset of a field that some JDK releases have.
    #[inline(always)]
    pub fn try_off(&mut self, class: &'static str, field: &'static str) -> Option<u32> {
        // The literals' addresses find the entry; they never show in a result.
        let slot = (class.as_ptr() as usize ^ (field.as_ptr() as usize >> 1)) % OFFSET_SLOTS;
        match self.recent_offsets[slot] {
            Some((c, f, off)) if std::ptr::eq(c, class) && std::ptr::eq(f, field) => Some(off),
            _ => {
                let off = self.look_up_off(class, field)?;
                self.recent_offsets[slot] = Some((class, field, off));
                Some(off)
            }
        }
    }

    #[cold]
    fn look_up_off(&mut self, class: &'static str, field: &'static str) -> Option<u32> {
        if let Some(&off) = self.offset_cache.get(&(class, field)) {
            return Some(off);
        }
        let id = self.boot_class(class).ok()?;
        let f = self.find_field(id, field, "")?;
        let off = self.field(f).offset;
        self.offset_cache.insert((class, field), off);
        Some(off)
    }

    fields!(get_ref_field load_ref_field set_ref_field: ObjRef, get_ref load_ref put_ref,
        |v: ObjRef| v, |v: ObjRef| v);
    fields!(get_int_field load_int_field set_int_field: i32, get_i32 load_i32 put_u32,
        |v: i32| v, |v: i32| v as u32);
    fields!(get_long_field load_long_field set_long_field: i64, get_i64 load_i64 put_u64,
        |v: i64| v, |v: i64| v as u64);
    fields!(get_bool_field load_bool_field set_bool_field: bool, get_u8 load_u8 put_u8,
        |v: u8| v != 0, u8::from);

    /// A static reference field of an initialised class.
    pub fn static_ref(&mut self, class: &'static str, field: &'static str) -> ObjRef {
        match (self.off_for_now(class, field), self.boot_class(class)) {
            (Some(off), Ok(id)) => self.heap.load_ref(self.mirror(id), off),
            _ => ObjRef::NULL,
        }
    }

    pub fn set_static_ref(&mut self, class: &'static str, field: &'static str, value: ObjRef) {
        if let (Some(off), Ok(id)) = (self.off_for_now(class, field), self.boot_class(class)) {
            let mirror = self.mirror(id);
            self.heap.put_ref(mirror, off, value);
        }
    }

    /// A method declared by `class` itself.
    pub fn declared_method(&self, class: ClassId, name: &str, desc: &str) -> Option<MethodId> {
        let key = (self.syms.get(name.as_bytes())?, self.syms.get(desc.as_bytes())?);
        self.class(class).method_index.get(&key).copied()
    }

    /// A method by name and descriptor: class chain first, then superinterfaces.
    pub fn find_method(&self, class: ClassId, name: &str, desc: &str) -> Option<MethodId> {
        let (name, desc) = (self.syms.get(name.as_bytes())?, self.syms.get(desc.as_bytes())?);
        self.lookup_method(class, name, desc)
    }
}
