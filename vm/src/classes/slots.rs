//! What may stand in a field that is known by its offset alone, as `Unsafe` names it.

use crate::classes::class::Kind;
use crate::classfile::descriptor::{Type, field_type};
use crate::ids::{ClassId, FieldId, LoaderId, ObjRef};
use crate::vm::Vm;
use std::cell::Cell;

/// What an access by offset does to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotUse {
    ReadNumber,
    WriteNumber,
    Reference,
}

/// So many slots are remembered.
const FIT_SLOTS: usize = 64;

type FitSlot = (ClassId, u64, u32, SlotUse);

/// Slots of instances that were found fit for an access. Atomic counters ask for the same one again and again, and of an
/// instance only the class decides, whose number is never given again.
pub(crate) struct FitSlots([Cell<Option<FitSlot>>; FIT_SLOTS]);

impl Default for FitSlots {
    fn default() -> FitSlots {
        FitSlots([const { Cell::new(None) }; FIT_SLOTS])
    }
}

impl FitSlots {
    #[inline(always)]
    fn cell(&self, (class, at, _, usage): FitSlot) -> &Cell<Option<FitSlot>> {
        // A compare-and-set reads and writes: the two must not drive each other out.
        let uses = SlotUse::Reference as usize + 1;
        let hash = (class.0 as usize ^ (at / 4) as usize) * uses + usage as usize;
        &self.0[hash % FIT_SLOTS]
    }
}

impl Vm {
    /// Was the slot found fit for this use in another object of the class?
    #[inline(always)]
    pub fn is_fit_slot(&self, base: ObjRef, at: u64, width: u32, usage: SlotUse) -> bool {
        let slot = (self.heap.class_of(base), at, width, usage);
        self.fit_slots.cell(slot).get() == Some(slot)
    }

    /// The slot is fit for this use in all objects of the class. Says nothing of arrays and mirrors, which are not all of one size.
    pub fn note_fit_slot(&self, base: ObjRef, at: u64, width: u32, usage: SlotUse) {
        if self.heap.is_plain_instance(base) {
            let slot = (self.heap.class_of(base), at, width, usage);
            self.fit_slots.cell(slot).set(Some(slot));
        }
    }

    /// Does the slot at an offset overlap a field that the VM has added to a class of the JDK for itself?
    pub fn is_own_slot(&self, base: ObjRef, at: u32, width: u32) -> bool {
        let overlaps = |from: u32, to: u32| from < at + width && at < to;
        let class = self.heap.class_of(base);
        let mut injected = self.known.injected.iter();
        injected.any(|&(owner, from, to)| overlaps(from, to) && self.is_subclass(class, owner))
    }

    /// May the reference be stored in the reference slot at an offset? What is declared decides, not what is there.
    pub fn slot_takes(&mut self, base: ObjRef, at: u32, value: ObjRef) -> bool {
        if value.is_null() {
            return true;
        }
        let (class, given) = (self.heap.class_of(base), self.heap.class_of(value));
        if let Kind::Array { component, .. } = self.class(class).kind {
            return self.is_subclass(given, component);
        }
        // Static fields lie in the mirror of their class, behind the fields of the mirror itself.
        let is_static = class == self.known.class && at >= self.class(class).size;
        let holder = if is_static {
            self.class_of_mirror(base)
        } else {
            class
        };
        match self.declared_type(holder, is_static, at) {
            Declared::Anything => true,
            Declared::Class(declared) => self.is_subclass(given, declared),
            Declared::Named(name, loader) => self.fits_name(given, name, loader),
        }
    }

    fn declared_type(&mut self, holder: ClassId, is_static: bool, at: u32) -> Declared {
        let key = (holder, is_static, at);
        if let Some(&known) = self.slot_types.get(&key) {
            return known.map_or(Declared::Anything, Declared::Class);
        }
        let Some(field) = self.field_at(holder, is_static, at) else {
            return Declared::Anything;
        };
        let (desc, loader) = (self.field(field).desc, self.class(self.field(field).class).loader);
        let Some(Type::Ref(name)) = field_type(self.syms.bytes(desc)) else {
            return Declared::Anything;
        };
        let found = self.syms.get(name).and_then(|sym| self.find_loaded(loader, sym));
        let Some(found) = found.filter(|_| name.first() != Some(&b'[')) else {
            return Declared::Named(name, loader);
        };
        let c = self.class(found);
        // Any object may stand for an interface: calls of its methods check the receiver.
        let any = c.is_interface() || found == self.known.object;
        let known = (!any).then_some(found);
        self.slot_types.insert(key, known);
        known.map_or(Declared::Anything, Declared::Class)
    }

    /// Is a class one that `loader` could mean by a name? An array's name is that of its element, behind brackets.
    fn fits_name(&self, given: ClassId, name: &[u8], loader: LoaderId) -> bool {
        let class = self.class(given);
        if let [b'[', rest @ ..] = name {
            let Kind::Array { component, .. } = class.kind else {
                return false;
            };
            return match (rest, self.class(component).kind) {
                ([b'L', element @ .., b';'], _) => self.fits_name(component, element, loader),
                ([b'[', ..], _) => self.fits_name(component, rest, loader),
                ([letter], Kind::Primitive(p)) => p as u8 == *letter,
                _ => false,
            };
        }
        if class.is_primitive() {
            return false;
        }
        let known = self.syms.get(name).and_then(|sym| self.find_loaded(loader, sym));
        match known {
            Some(known) => self.class(known).is_interface() || self.is_subclass(given, known),
            // Nobody has resolved the type yet: its name has to do.
            None => {
                let supers = class.display.iter().chain(&class.all_interfaces);
                supers.copied().any(|c| self.class_name(c).as_bytes() == name)
            }
        }
    }

    /// The field at an offset: a static one of the class, or an instance field of it or its superclasses.
    fn field_at(&self, holder: ClassId, is_static: bool, at: u32) -> Option<FieldId> {
        let is_at = |f: &FieldId| {
            let field = self.field(*f);
            field.offset == at && field.is_static() == is_static
        };
        let declared = |c: &ClassId| self.class(*c).fields.iter().copied().find(is_at);
        if is_static {
            return declared(&holder);
        }
        self.class(holder).display.iter().rev().find_map(declared)
    }
}

/// What a reference slot was declared to hold.
enum Declared {
    Anything,
    Class(ClassId),
    /// By a name that the loader of the field's class has not resolved, or an array.
    Named(&'static [u8], LoaderId),
}
