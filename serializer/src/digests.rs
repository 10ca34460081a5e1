//! What changed places hold, as numbers that can be compared between forks of a process.
//!
//! What was there before the forks counts by its address, which is the same in all of them. What is new has a number that follows
//! from the way on which it was reached first: from a changed place, by which field of which object. A place that holds a
//! reference to something new holds that number, its class and its length. So a program that finds the same numbers in all
//! places it reads, those of new objects included, does the same, wherever in memory these lie.

use crate::place::Root;
use crate::shape::{Form, Shapes};
use crate::value::{Value, value};
use crate::view::View;
use poldet_records::{Packed, Units};
use poldet_vm::heap::{ELEMENTS, UNIT};
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, VecDeque};

/// Slots of new objects that are compared; of more it is not said what they hold.
const MOST_SLOTS: usize = 200_000;
/// Parts of a long array of primitives that are told apart.
const PARTS: u32 = 128;

/// New objects by number, with what they were then.
pub type Numbers = FixedMap<ObjRef, Numbered>;

#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    pub number: u64,
    class: ClassId,
}

/// A field, an element, or a part of an array of primitives: the bytes of an object where it lies.
struct Slot {
    from: u32,
    to: u32,
    is_ref: bool,
}

/// Makes numbers of places, one after the other; always in the same order, or they are not comparable.
pub struct Digests<'a> {
    vm: &'a Vm,
    shapes: &'a mut Shapes,
    is_new: &'a dyn Fn(ObjRef) -> bool,
    numbers: Numbers,
    queue: VecDeque<ObjRef>,
    names: FixedMap<ClassId, u64>,
}

impl<'a> Digests<'a> {
    pub fn new(vm: &'a Vm, shapes: &'a mut Shapes, is_new: &'a dyn Fn(ObjRef) -> bool) -> Digests<'a> {
        Digests {
            vm,
            shapes,
            is_new,
            numbers: Numbers::default(),
            queue: VecDeque::new(),
            names: FixedMap::default(),
        }
    }

    /// What units hold. Both units of a reference are listed where one is, with the number of what it leads to: that only one of
    /// them differs from what it was depends on addresses.
    pub fn units(&mut self, units: &BTreeMap<u64, ObjRef>) -> (Units, Vec<u64>) {
        let (mut all, mut held) = (Vec::new(), Vec::new());
        for (&unit, &object) in units {
            if all.last().is_some_and(|last| *last >= unit) {
                continue;
            }
            let base = u64::from(object.0) * 8;
            let at = (unit * u64::from(UNIT)).wrapping_sub(base) as u32;
            match self.reference_at(object, at) {
                Some((off, o)) => {
                    let first = (base + u64::from(off)) / u64::from(UNIT);
                    let number = self.reference(o, first, 0);
                    all.extend([first, first + 1]);
                    held.extend([number; 2]);
                }
                None => {
                    all.push(unit);
                    held.push(u64::from(self.vm.heap.unit_bits(unit)));
                }
            }
        }
        (Units::new(all), held)
    }

    /// What a static field holds.
    pub fn root(&mut self, name: &str, root: Root) -> Option<u64> {
        let Root::Static { class, field } = root else {
            return None;
        };
        let statics = self.shapes.statics(self.vm, class);
        let field = statics.iter().find(|f| f.name == field)?;
        let object = View::now(self.vm).object(self.vm.mirror(class));
        let bits = object.bits(field.off, field.size);
        Some(match field.is_ref() {
            true => self.reference(ObjRef(bits as u32), short(blake3::hash(name.as_bytes())), 1),
            false => bits,
        })
    }

    /// What all that is new and was reached holds: for each object its number, how many slots it has, and what these hold. None if
    /// that is too much.
    pub fn objects(&mut self) -> Option<Packed> {
        let mut all = Vec::new();
        while let Some(o) = self.queue.pop_front() {
            let Numbered { number, .. } = *self.numbers.get(&o)?;
            let slots = slots(self.vm, self.shapes, o);
            if all.len() + slots.len() > MOST_SLOTS {
                return None;
            }
            all.extend([number, slots.len() as u64]);
            let object = View::now(self.vm).object(o);
            for (i, slot) in (0..).zip(&slots) {
                let size = slot.to - slot.from;
                all.push(match slot.is_ref {
                    true => self.reference(object.reference(slot.from), number, i),
                    false if matches!(size, 1 | 2 | 4 | 8) => object.bits(slot.from, size),
                    false => {
                        let at = (slot.from - ELEMENTS) as usize..(slot.to - ELEMENTS) as usize;
                        short(blake3::hash(&object.bytes()[at]))
                    }
                });
            }
        }
        Some(Packed(all))
    }

    pub fn into_numbers(self) -> Numbers {
        self.numbers
    }

    /// The reference in which this byte of an object lies, if it lies in one, and where that begins.
    fn reference_at(&mut self, object: ObjRef, at: u32) -> Option<(u32, ObjRef)> {
        let shape = self.shapes.of_object(self.vm, object);
        let view = View::now(self.vm).object(object);
        let inside = |off: u32, size: u32| (off..off + size).contains(&at);
        match shape.form {
            Form::RefArray => {
                let index = at.checked_sub(ELEMENTS)? / 4;
                return Some((ELEMENTS + index * 4, view.element(index)));
            }
            Form::PrimArray { .. } => return None,
            Form::Mirror => {
                let class = self.vm.class_of_mirror(object);
                let statics = self.shapes.statics(self.vm, class);
                if let Some(field) = statics.iter().find(|f| inside(f.off, f.size)) {
                    return field.is_ref().then(|| (field.off, view.reference(field.off)));
                }
            }
            _ => {}
        }
        let mut fields = shape.fields.iter();
        let field = fields.find(|f| f.is_ref() && inside(f.off, f.size))?;
        Some((field.off, view.reference(field.off)))
    }

    /// The number of where a reference leads, which stands in a slot of what has a number itself.
    fn reference(&mut self, o: ObjRef, holder: u64, slot: u32) -> u64 {
        match value(View::now(self.vm), self.shapes, o) {
            Some(Value::Null) => return 0,
            Some(Value::Bits(letter, bits)) => return mix(&[u64::from(letter), bits]),
            Some(Value::Text(wide, bytes)) => {
                return mix(&[2, u64::from(wide), short(blake3::hash(&bytes))]);
            }
            Some(Value::Number(scale, bytes)) => {
                return mix(&[3, scale as u64, short(blake3::hash(&bytes))]);
            }
            Some(Value::Identity(_)) | None => {}
        }
        if !(self.is_new)(o) {
            return mix(&[4, u64::from(o.0)]);
        }
        let shape = self.shapes.of_object(self.vm, o);
        if shape.rule.is_some() {
            return 5;
        }
        if shape.form == Form::Mirror {
            return mix(&[6, self.name(self.vm.class_of_mirror(o))]);
        }
        let class = self.vm.heap.class_of(o);
        let queue = &mut self.queue;
        let numbered = self.numbers.entry(o).or_insert_with(|| {
            queue.push_back(o);
            let number = mix(&[7, holder, u64::from(slot)]);
            Numbered { number, class }
        });
        let number = numbered.number;
        let length = match shape.form {
            Form::RefArray | Form::PrimArray { .. } => View::now(self.vm).object(o).len(),
            _ => 0,
        };
        mix(&[8, number, self.name(class), u64::from(length)])
    }

    /// Classes that came after the fork have no common numbers.
    fn name(&mut self, class: ClassId) -> u64 {
        let vm = self.vm;
        let make = || short(blake3::hash(vm.class_name(class).as_bytes()));
        *self.names.entry(class).or_insert_with(make)
    }
}

/// Stands for all slots of an object.
pub const ALL: u64 = u64::MAX;

/// Which slots of new objects were read before they were written: their objects' numbers, and their places among the slots.
pub fn slots_read(vm: &Vm, shapes: &mut Shapes, numbers: &Numbers) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for (&o, numbered) in numbers {
        if !vm.heap.is_object(o) || vm.heap.class_of(o) != numbered.class {
            // It is gone: what was read of it before cannot be told any more.
            found.push((numbered.number, ALL));
        } else if vm.heap.accessed(o).0 {
            let slots = (0..).zip(slots(vm, shapes, o));
            let read = slots.filter(|(_, slot)| vm.heap.was_read_first(o, slot.from, slot.to));
            found.extend(read.map(|(i, _)| (numbered.number, i)));
        }
    }
    found
}

fn slots(vm: &Vm, shapes: &mut Shapes, o: ObjRef) -> Vec<Slot> {
    let shape = shapes.of_object(vm, o);
    let object = View::now(vm).object(o);
    match shape.form {
        Form::RefArray => {
            let at = |i: u32| ELEMENTS + i * 4;
            let all = (0..object.len()).map(|i| Slot {
                from: at(i),
                to: at(i + 1),
                is_ref: true,
            });
            all.collect()
        }
        Form::PrimArray { size, .. } => {
            let length = object.len() * size;
            let part = length.div_ceil(PARTS).next_multiple_of(8);
            let all = (0..length).step_by(part.max(8) as usize).map(|from| Slot {
                from: ELEMENTS + from,
                to: ELEMENTS + (from + part).min(length),
                is_ref: false,
            });
            all.collect()
        }
        _ => {
            let shown = shape.fields.iter().filter(|f| f.rule.is_none());
            let all = shown.map(|f| Slot {
                from: f.off,
                to: f.off + f.size,
                is_ref: f.is_ref(),
            });
            all.collect()
        }
    }
}

fn mix(words: &[u64]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    words.iter().for_each(|word| {
        hasher.update(&word.to_le_bytes());
    });
    short(hasher.finalize())
}

fn short(hash: blake3::Hash) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}
