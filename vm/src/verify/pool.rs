//! The constant pool in verification types, each constant translated once, and assignability between types.

use super::error::{Context, Fault, Res};
use super::types::VType;
use super::world::World;
use crate::classfile::descriptor::{Prim, Type, field_type, method_types};
use crate::classfile::{ClassFile, tag, to_text};
use crate::ids::Sym;
use crate::sym::FixedMap;

/// A field or method constant.
#[derive(Clone, Copy)]
pub struct Ref {
    pub class: VType,
    pub name: &'static [u8],
    pub desc: &'static [u8],
    /// Types of the arguments (or of the field) in the arena, long and double as two.
    pub args: (usize, usize),
    /// Types of the result, from the end of the arguments on.
    pub end: usize,
}

/// Names that the rules mention.
pub struct Names {
    pub object: VType,
    pub throwable: VType,
    pub string: VType,
    pub class: VType,
    pub method_handle: VType,
    pub method_type: VType,
    pub cloneable: Sym,
    pub serializable: Sym,
}

pub struct Pool<'w, W: World> {
    pub world: &'w mut W,
    pub file: &'static ClassFile,
    pub this: VType,
    pub supers: Vec<Sym>,
    pub names: Names,
    /// By constant index; TOP where not yet asked for.
    classes: Vec<VType>,
    /// By constant index: one more than the place in `refs`.
    ref_at: Vec<u32>,
    refs: Vec<Ref>,
    pub types: Vec<VType>,
    /// Answers of `assignable` that needed classes to be loaded.
    known: FixedMap<(VType, VType, bool), bool>,
}

impl<'w, W: World> Pool<'w, W> {
    pub fn new(world: &'w mut W, file: &'static ClassFile) -> Pool<'w, W> {
        let mut named = |name: &[u8]| VType::reference(world.intern(name));
        let names = Names {
            object: named(b"java/lang/Object"),
            throwable: named(b"java/lang/Throwable"),
            string: named(b"java/lang/String"),
            class: named(b"java/lang/Class"),
            method_handle: named(b"java/lang/invoke/MethodHandle"),
            method_type: named(b"java/lang/invoke/MethodType"),
            cloneable: world.intern(b"java/lang/Cloneable"),
            serializable: world.intern(b"java/io/Serializable"),
        };
        let this = VType::reference(world.this_name());
        let count = usize::from(file.cp_len());
        let mut classes = vec![VType::TOP; count];
        // A hidden class's own constant means the class itself, whatever its name in the file.
        if let Some(own) = classes.get_mut(usize::from(file.this_class)) {
            *own = this;
        }
        Pool {
            supers: world.supers(),
            world,
            file,
            this,
            names,
            classes,
            ref_at: vec![0; count],
            refs: Vec::new(),
            types: Vec::new(),
            known: FixedMap::default(),
        }
    }

    /// The type of a class constant; none if it is not one.
    #[inline]
    pub fn class(&mut self, index: u16) -> Option<VType> {
        match self.classes.get(usize::from(index)) {
            Some(&known) if known != VType::TOP => Some(known),
            _ => {
                if self.file.tag(index) != tag::CLASS {
                    return None;
                }
                let name = self.file.class_name(index)?;
                let ty = VType::reference(self.world.intern(name));
                self.classes[usize::from(index)] = ty;
                Some(ty)
            }
        }
    }

    pub fn is_array(&self, ty: VType) -> bool {
        ty.name().is_some_and(|n| {
            let bytes = self.world.bytes(n);
            bytes.len() >= 2 && bytes[0] == b'['
        })
    }

    pub fn is_object(&self, ty: VType) -> bool {
        ty.name()
            .is_some_and(|n| self.world.bytes(n).first().is_some_and(|b| *b != b'['))
    }

    /// Null, or an array whose components start with one of these letters.
    pub fn is_array_of(&self, ty: VType, letters: &[u8]) -> bool {
        ty == VType::NULL
            || ty.name().is_some_and(|n| match self.world.bytes(n) {
                [b'[', letter, ..] => letters.contains(letter),
                _ => false,
            })
    }

    /// The type of an array's components; the narrow types stay apart.
    pub fn component(&mut self, array: VType) -> VType {
        let name = array.name().map_or(&b""[..], |n| self.world.bytes(n));
        match name.get(1..) {
            Some([b'Z']) => VType::BOOLEAN,
            Some([b'B']) => VType::BYTE,
            Some([b'C']) => VType::CHAR,
            Some([b'S']) => VType::SHORT,
            Some([b'I']) => VType::INT,
            Some([b'J']) => VType::LONG,
            Some([b'F']) => VType::FLOAT,
            Some([b'D']) => VType::DOUBLE,
            Some(inner @ [b'[', ..]) => VType::reference(self.world.intern(inner)),
            Some([b'L', class @ .., b';']) => VType::reference(self.world.intern(class)),
            _ => VType::TOP,
        }
    }

    /// The type of an array with these components.
    pub fn array_of(&mut self, component: VType) -> VType {
        let name = component.name().map_or(&b""[..], |n| self.world.bytes(n));
        let mut text = vec![b'['];
        if name.first() == Some(&b'[') {
            text.extend_from_slice(name);
        } else {
            text.push(b'L');
            text.extend_from_slice(name);
            text.push(b';');
        }
        VType::reference(self.world.intern(&text))
    }

    pub fn named(&mut self, name: &[u8]) -> VType {
        VType::reference(self.world.intern(name))
    }

    /// Pushes what a value of this type is on the stack.
    fn push(&mut self, ty: Type<'_>) {
        match ty {
            Type::Prim(Prim::Void) => {}
            Type::Prim(Prim::Long) => self.types.extend([VType::LONG, VType::LONG2]),
            Type::Prim(Prim::Double) => self.types.extend([VType::DOUBLE, VType::DOUBLE2]),
            Type::Prim(Prim::Float) => self.types.push(VType::FLOAT),
            Type::Prim(_) => self.types.push(VType::INT),
            Type::Ref(name) => {
                let ty = self.named(name);
                self.types.push(ty);
            }
        }
    }

    /// The constant at `index`, which has the tag of a member or call site.
    pub fn member(&mut self, index: u16) -> Ref {
        let at = self.ref_at[usize::from(index)];
        if at != 0 {
            return self.refs[at as usize - 1];
        }
        let dynamic = || self.file.dynamic(index).map(|(_, name, desc)| (0, name, desc));
        let (class, name, desc) = self
            .file
            .member(index)
            .or_else(dynamic)
            .unwrap_or((0, b"?", b"I"));
        let class = self.class(class).unwrap_or(VType::TOP);
        let start = self.types.len();
        let end_of_args = if let Some((params, ret)) = method_types(desc) {
            params.into_iter().for_each(|ty| self.push(ty));
            let end = self.types.len();
            self.push(ret);
            end
        } else {
            if let Some(ty) = field_type(desc) {
                self.push(ty);
            }
            self.types.len()
        };
        let new = Ref {
            class,
            name,
            desc,
            args: (start, end_of_args),
            end: self.types.len(),
        };
        self.refs.push(new);
        self.ref_at[usize::from(index)] = self.refs.len() as u32;
        new
    }

    pub fn java_name(&self) -> String {
        let name = self.this.name().map_or(&b""[..], |n| self.world.bytes(n));
        crate::vm::java_name_of(&to_text(name))
    }

    /// Refuses a constant whose tag is not among `tags`.
    pub fn check_tag(&self, bci: usize, index: u16, tags: &[u8]) -> Res<()> {
        if index == 0 || index >= self.file.cp_len() {
            let what = format!(
                "Illegal constant pool index {index} in class {}",
                self.java_name()
            );
            return Err(Context::of(bci, Fault::PoolIndex(index.into())).fail(what));
        }
        if !tags.contains(&self.file.tag(index)) {
            let what = format!(
                "Illegal type at constant pool entry {index} in class {}",
                self.java_name()
            );
            return Err(Context::of(bci, Fault::PoolIndex(index.into())).fail(what));
        }
        Ok(())
    }

    /// A class constant, refused if it is another one.
    pub fn check_class(&mut self, bci: usize, index: u16) -> Res<VType> {
        match self.class(index) {
            Some(ty) => Ok(ty),
            None => self.check_tag(bci, index, &[]).map(|()| VType::TOP),
        }
    }

    /// Whether a value of type `from` may stand where `to` is asked for. With `protected` the receiver of a
    /// protected member is meant.
    #[inline]
    pub fn assignable(&mut self, to: VType, from: VType, protected: bool) -> Res<bool> {
        if to == from || to == VType::TOP {
            return Ok(true);
        }
        match to {
            VType::WORD => Ok(from.is_word()),
            VType::PAIR => Ok(from.is_pair()),
            VType::ANY_REF => Ok(from.is_reference() || from.is_uninit()),
            VType::BOOLEAN | VType::BYTE | VType::CHAR | VType::SHORT => Ok(from == VType::INT),
            _ if to.is_reference() && from.is_reference() => self.reference_assignable(to, from, protected),
            _ => Ok(false),
        }
    }

    fn reference_assignable(&mut self, to: VType, from: VType, protected: bool) -> Res<bool> {
        if from == VType::NULL {
            return Ok(true);
        }
        if to == VType::NULL {
            return Ok(false);
        }
        if to == self.names.object {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(to, from, protected)) {
            return Ok(known);
        }
        let answer = if self.is_object(to) {
            self.object_assignable(to, from, protected)?
        } else if self.is_array(to) && self.is_array(from) {
            let (to, from) = (self.component(to), self.component(from));
            to != VType::TOP && from != VType::TOP && self.component_assignable(to, from, protected)?
        } else {
            false
        };
        self.known.insert((to, from, protected), answer);
        Ok(answer)
    }

    fn component_assignable(&mut self, to: VType, from: VType, protected: bool) -> Res<bool> {
        if to == from {
            return Ok(true);
        }
        match to {
            VType::BOOLEAN | VType::BYTE | VType::CHAR | VType::SHORT => Ok(false),
            _ => self.assignable(to, from, protected),
        }
    }

    /// Interfaces are taken for Object here: calls to them are checked when they happen.
    fn object_assignable(&mut self, to: VType, from: VType, protected: bool) -> Res<bool> {
        let (Some(to), Some(from_name)) = (to.name(), from.name()) else {
            return Ok(false);
        };
        let array = self.is_array(from);
        if self.world.is_interface(to)? && !(protected && from == self.names.object) {
            let of_arrays = to == self.names.cloneable || to == self.names.serializable;
            return Ok(!array || (of_arrays && self.world.is_boot(to)?));
        }
        if array || !self.is_object(from) {
            return Ok(false);
        }
        Ok(self.world.is_subclass(from_name, to)?)
    }
}
