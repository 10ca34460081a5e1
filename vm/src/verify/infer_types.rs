//! Types of the inferring verifier, and how two of them merge.

use super::infer::Res;
use super::world::{Member, World};
use crate::classfile::ClassFile;
use crate::classfile::descriptor::{Prim, Type, method_types, parse_type};
use crate::ids::Sym;
use crate::sym::FixedMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Item {
    Bogus,
    Void,
    Integer,
    Float,
    Double,
    Double2,
    Long,
    Long2,
    Object,
    NewObject,
    InitObject,
    ReturnAddress,
    Byte,
    Short,
    Char,
    Boolean,
}

/// A type: what it is, how many array dimensions are around it, and for an object the number of its class name
/// (0 for null), for a new object or return address the instruction it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Info(u64);

impl Info {
    pub const BOGUS: Info = Info::new(Item::Bogus, 0, 0);
    pub const VOID: Info = Info::new(Item::Void, 0, 0);
    pub const INT: Info = Info::new(Item::Integer, 0, 0);
    pub const FLOAT: Info = Info::new(Item::Float, 0, 0);
    pub const LONG: Info = Info::new(Item::Long, 0, 0);
    pub const DOUBLE: Info = Info::new(Item::Double, 0, 0);
    pub const NULL: Info = Info::new(Item::Object, 0, 0);
    pub const THIS: Info = Info::new(Item::InitObject, 0, 0);

    pub const fn new(item: Item, dims: u8, extra: u32) -> Info {
        Info(item as u64 | (dims as u64) << 8 | (extra as u64) << 32)
    }

    pub fn item(self) -> Item {
        const ITEMS: [Item; 16] = [
            Item::Bogus,
            Item::Void,
            Item::Integer,
            Item::Float,
            Item::Double,
            Item::Double2,
            Item::Long,
            Item::Long2,
            Item::Object,
            Item::NewObject,
            Item::InitObject,
            Item::ReturnAddress,
            Item::Byte,
            Item::Short,
            Item::Char,
            Item::Boolean,
        ];
        ITEMS[(self.0 & 15) as usize]
    }

    pub fn dims(self) -> u8 {
        (self.0 >> 8) as u8
    }

    pub fn extra(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub fn with_dims(self, dims: u8) -> Info {
        Info::new(self.item(), dims, self.extra())
    }

    pub fn is_pair(self) -> bool {
        self == Info::LONG || self == Info::DOUBLE
    }

    pub fn second(self) -> Info {
        let item = if self == Info::LONG {
            Item::Long2
        } else {
            Item::Double2
        };
        Info::new(item, 0, 0)
    }

    /// An object or array, null included.
    pub fn is_reference(self) -> bool {
        self.item() == Item::Object || self.dims() > 0
    }

    /// An array's component; of null, null.
    pub fn component(self) -> Info {
        if self == Info::NULL {
            return self;
        }
        let dims = self.dims().saturating_sub(1);
        match self.item() {
            Item::Short | Item::Byte | Item::Boolean | Item::Char if dims == 0 => Info::INT,
            _ => self.with_dims(dims),
        }
    }

    fn class(self) -> Option<Sym> {
        (self.item() == Item::Object)
            .then(|| self.extra().checked_sub(1))
            .flatten()
            .map(Sym)
    }
}

/// The class at hand, and the types the rules mention.
pub struct Types<'w, W: World> {
    world: &'w mut W,
    file: &'static ClassFile,
    pub this: Info,
    pub object: Info,
    pub string: Info,
    pub class: Info,
    pub throwable: Info,
    cloneable: Info,
    serializable: Info,
    supers: Vec<Info>,
    merged: FixedMap<(Info, Info, bool), Info>,
    calls: FixedMap<usize, Rc<Call>>,
}

/// What a method takes and gives.
pub struct Call {
    pub params: Vec<Info>,
    pub result: Info,
}

fn object(name: Sym) -> Info {
    Info::new(Item::Object, 0, name.0 + 1)
}

impl<'w, W: World> Types<'w, W> {
    pub fn new(world: &'w mut W, file: &'static ClassFile) -> Types<'w, W> {
        let mut named = |name: &[u8]| object(world.intern(name));
        Types {
            object: named(b"java/lang/Object"),
            string: named(b"java/lang/String"),
            class: named(b"java/lang/Class"),
            throwable: named(b"java/lang/Throwable"),
            cloneable: named(b"java/lang/Cloneable"),
            serializable: named(b"java/io/Serializable"),
            this: object(world.this_name()),
            supers: world.supers().into_iter().map(object).collect(),
            merged: FixedMap::default(),
            calls: FixedMap::default(),
            world,
            file,
        }
    }

    pub fn named(&mut self, name: &[u8]) -> Info {
        object(self.world.intern(name))
    }

    pub fn superclass(&self) -> Option<Info> {
        self.supers.first().copied()
    }

    pub fn is_super(&self, class: Info) -> bool {
        self.supers.contains(&class)
    }

    /// What a value of a descriptor's type is on the stack.
    pub fn value(&mut self, ty: Type<'_>) -> Info {
        match ty {
            Type::Prim(Prim::Float) => Info::FLOAT,
            Type::Prim(Prim::Long) => Info::LONG,
            Type::Prim(Prim::Double) => Info::DOUBLE,
            Type::Prim(Prim::Void) => Info::VOID,
            Type::Prim(_) => Info::INT,
            Type::Ref(name) => self.reference(name),
        }
    }

    /// The types of the method constant at `index`.
    pub fn call(&mut self, index: usize) -> Rc<Call> {
        if let Some(call) = self.calls.get(&index) {
            return call.clone();
        }
        let desc = self
            .file
            .member(index as u16)
            .map_or(&b"()V"[..], |(.., desc)| desc);
        let (params, ret) = method_types(desc).unwrap_or((Vec::new(), Type::Prim(Prim::Void)));
        let call = Rc::new(Call {
            params: params.into_iter().map(|ty| self.value(ty)).collect(),
            result: self.value(ret),
        });
        self.calls.insert(index, call.clone());
        call
    }

    fn reference(&mut self, name: &[u8]) -> Info {
        let dims = name.iter().take_while(|b| **b == b'[').count();
        if dims == 0 {
            return self.named(name);
        }
        let Some((element, _)) = parse_type(&name[dims..]) else {
            return Info::BOGUS;
        };
        let element = match element {
            Type::Prim(Prim::Byte) => Info::new(Item::Byte, 0, 0),
            Type::Prim(Prim::Short) => Info::new(Item::Short, 0, 0),
            Type::Prim(Prim::Char) => Info::new(Item::Char, 0, 0),
            Type::Prim(Prim::Boolean) => Info::new(Item::Boolean, 0, 0),
            other => self.value(other),
        };
        element.with_dims(dims.min(255) as u8)
    }

    pub fn class_constant(&mut self, index: u16) -> Res<Info> {
        if index == self.file.this_class {
            return Ok(self.this);
        }
        Ok(self.reference(self.file.class_name(index).unwrap_or(b"")))
    }

    /// The class a field or method constant names.
    pub fn member_class(&mut self, index: u16) -> Res<Info> {
        let class = self.file.member(index).map_or(0, |(class, ..)| class);
        self.class_constant(class)
    }

    pub fn is_protected_elsewhere(&mut self, class: Info, member: Member<'_>) -> Res<bool> {
        match class.class() {
            Some(owner) => Ok(self.world.is_protected_elsewhere(owner, member)?),
            None => Ok(false),
        }
    }

    pub fn declares_field(&mut self, index: usize) -> bool {
        let member = self.file.member(index as u16);
        member.is_some_and(|(_, name, desc)| self.world.declares_field(name, desc))
    }

    pub fn assignable(&mut self, from: Info, to: Info) -> Res<bool> {
        Ok(from == to || self.merge(from, to, true)? == to)
    }

    /// The narrowest type both values have; for an assignment, the target itself if the value may be stored
    /// there. Interfaces count as Object, since calls to them are checked when they happen.
    pub fn merge(&mut self, value: Info, target: Info, assign: bool) -> Res<Info> {
        if value == target {
            return Ok(value);
        }
        if !value.is_reference() || !target.is_reference() {
            return Ok(Info::BOGUS);
        }
        if value == Info::NULL {
            return Ok(target);
        }
        if target == Info::NULL {
            return Ok(value);
        }
        if target == self.object {
            return Ok(target);
        }
        if let Some(&known) = self.merged.get(&(value, target, assign)) {
            return Ok(known);
        }
        let merged = self.merge_known(value, target, assign)?;
        self.merged.insert((value, target, assign), merged);
        Ok(merged)
    }

    fn merge_known(&mut self, value: Info, target: Info, assign: bool) -> Res<Info> {
        if value == self.object {
            return match target.class().filter(|_| assign && target.dims() == 0) {
                Some(class) if self.world.is_interface(class)? => Ok(target),
                _ => Ok(value),
            };
        }
        if value.dims() > 0 || target.dims() > 0 {
            return self.merge_arrays(value, target, assign);
        }
        let (Some(value_name), Some(target_name)) = (value.class(), target.class()) else {
            return Ok(Info::BOGUS);
        };
        if self.world.is_interface(target_name)? {
            return Ok(if assign { target } else { self.object });
        }
        if self.world.is_interface(value_name)? {
            return Ok(self.object);
        }
        if assign {
            let sub = self.world.is_subclass(value_name, target_name)?;
            return Ok(if sub { target } else { self.object });
        }
        Ok(object(self.world.common_super(value_name, target_name)?))
    }

    fn merge_arrays(&mut self, mut value: Info, mut target: Info, assign: bool) -> Res<Info> {
        let of_arrays = [self.cloneable, self.serializable];
        if of_arrays.contains(&target) {
            return Ok(target);
        }
        if of_arrays.contains(&value) {
            return Ok(value);
        }
        // An array of primitives is an object, or an array of them.
        for side in [&mut value, &mut target] {
            if side.item() != Item::Object {
                *side = self.object.with_dims(side.dims() - 1);
            }
        }
        let (value_base, target_base) = (value.with_dims(0), target.with_dims(0));
        if value.dims() == target.dims() {
            let base = self.merge(value_base, target_base, assign)?;
            if base == Info::BOGUS {
                return Ok(base);
            }
            return Ok(Info::new(Item::Object, value.dims(), base.extra()));
        }
        let (smaller, base) = if value.dims() < target.dims() {
            (value, value_base)
        } else {
            (target, target_base)
        };
        if of_arrays.contains(&base) {
            return Ok(smaller);
        }
        Ok(self.object.with_dims(smaller.dims()))
    }
}
