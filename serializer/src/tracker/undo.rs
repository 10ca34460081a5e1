//! Changes that can be undone: what was written since the last boundary, in units that make sense by themselves, each with
//! what was there before.
//!
//! A unit is a static field, or an object with all its parts: the table and the count of a map are put back together.

use super::{Boundary, Tracker};
use crate::place::{Holder, Path, Root};
use crate::rules::RuleNo;
use poldet_vm::heap::{Place, StackId, UNIT};
use poldet_vm::ids::ObjRef;
use poldet_vm::vm::Vm;

/// Something that was changed.
pub struct Unit {
    pub root: Root,
    pub path: Path,
    /// The rule that hides it.
    pub rule: Option<RuleNo>,
    /// The writes that changed it.
    pub stacks: Vec<StackId>,
    parts: Vec<Part>,
}

/// Bytes of an object as they were.
struct Part {
    object: ObjRef,
    from: u32,
    bytes: Vec<u8>,
}

impl Unit {
    /// Where it is, in units of the heap.
    pub fn places(&self) -> Vec<Place> {
        let of_part = |part: &Part| {
            let (object, end) = (part.object, part.from + part.bytes.len() as u32);
            let units = part.from / UNIT..end.div_ceil(UNIT);
            units.map(move |unit| Place {
                object,
                offset: unit * UNIT,
            })
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Makes it what it was.
    pub fn put_back(&self, vm: &mut Vm) {
        for part in &self.parts {
            vm.heap.put_back(part.object, part.from, &part.bytes);
        }
    }
}

impl Unit {
    /// The units of two bytes that hold something else than before: their object, number and old value.
    pub fn changed<'a>(&'a self, vm: &'a Vm) -> impl Iterator<Item = (ObjRef, u64, u16)> + 'a {
        self.parts.iter().flat_map(move |part| {
            let place = |i: usize| Place {
                object: part.object,
                offset: part.from + 2 * i as u32,
            };
            let pairs = part.bytes.chunks(2).enumerate();
            pairs.filter_map(move |(i, bytes)| {
                let unit = place(i).unit();
                let now = vm.heap.unit_bits(unit);
                let old = match bytes {
                    [a, b] => u16::from_le_bytes([*a, *b]),
                    // A field of one byte shares its unit with another.
                    [a] if part.from % 2 == 0 => now & 0xff00 | u16::from(*a),
                    [a] => now & 0x00ff | u16::from(*a) << 8,
                    _ => now,
                };
                (old != now).then_some((part.object, unit, old))
            })
        })
    }
}

impl Boundary<'_, '_> {
    /// What was changed, in the order of the first writes.
    pub fn units(&mut self) -> Vec<Unit> {
        self.tracker.units(self.vm, &self.changed)
    }
}

impl Tracker {
    fn units(&mut self, vm: &mut Vm, changed: &[ObjRef]) -> Vec<Unit> {
        let mut units = Vec::new();
        for owner in self.owners(vm, changed) {
            let Some(Holder::Class(class)) = self.holder(vm, owner.o) else {
                let Some(root) = owner.located.root else { continue };
                let mut unit = Unit {
                    root,
                    path: self.path(vm, owner.o),
                    rule: owner.located.rule,
                    stacks: Vec::new(),
                    parts: Vec::new(),
                };
                for written in &owner.written {
                    unit.add(vm, written.o, written.from, written.to);
                }
                units.push(unit);
                continue;
            };
            let statics = self.shapes.statics(vm, class);
            for written in &owner.written {
                let Some(field) = statics.iter().find(|f| f.off == written.from) else {
                    continue;
                };
                let field_root = Root::Static {
                    class,
                    field: field.name,
                };
                let mut unit = Unit {
                    root: field_root,
                    path: Path::default(),
                    rule: field.rule,
                    stacks: Vec::new(),
                    parts: Vec::new(),
                };
                unit.add(vm, owner.o, written.from, written.to);
                units.push(unit);
            }
        }
        units
    }
}

/// Bytes of an object's header, which the log does not keep.
const HEADER: u32 = 8;

impl Unit {
    fn add(&mut self, vm: &Vm, object: ObjRef, from: u32, to: u32) {
        let Some(logged) = vm.heap.logged(object) else {
            return;
        };
        let range = (from - HEADER) as usize..(to - HEADER) as usize;
        let bytes = logged.old_bytes()[range].to_vec();
        self.parts.push(Part { object, from, bytes });
        if let Some(stack) = logged.stack_of(from, to)
            && !self.stacks.contains(&stack)
        {
            self.stacks.push(stack);
        }
    }
}
