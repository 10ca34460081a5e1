//! Who reads what an earlier interval changed: a search shows with it where a changed place takes effect.

use crate::classify::Origins;
use crate::undo::Undo;
use poldet_records::{Frame, Origin, UnitRead};
use poldet_vm::heap::Place;
use poldet_vm::ids::ClassId;
use poldet_vm::vm::Vm;

/// The changes of an interval whose readers are looked for.
#[derive(Default)]
pub struct Reading {
    units: Vec<Unit>,
}

/// A change, by its number among those of the interval.
struct Unit {
    number: usize,
    /// Where it is in the heap, with the class of the object: once that is gone, another may take its place.
    places: Vec<(Place, ClassId)>,
    file: Option<Vec<u8>>,
}

impl Reading {
    /// Remembers where these changes of the last interval are.
    pub fn name(&mut self, vm: &Vm, undo: &Undo, numbers: &[usize]) {
        let unit = |number: &usize| Unit {
            number: *number,
            places: undo
                .places(*number)
                .into_iter()
                .map(|place| (place, vm.heap.class_of(place.object)))
                .collect(),
            file: undo.file(*number),
        };
        self.units = numbers.iter().map(unit).collect();
    }

    /// From now on the stack of the first read of each is kept.
    pub fn begin(&self, vm: &mut Vm) -> Result<(), String> {
        let places: Vec<Place> = self.places().map(|(place, _)| *place).collect();
        vm.heap.watch_reads(&places);
        let files = self.units.iter().filter_map(|unit| unit.file.clone());
        vm.host.fs().watch_readers(files.collect());
        vm.log_reads(true)
    }

    fn places(&self) -> impl Iterator<Item = &(Place, ClassId)> {
        self.units.iter().flat_map(|unit| &unit.places)
    }

    /// The first reads since then; reads are not logged any more.
    pub fn end(&mut self, vm: &mut Vm, origins: &mut Origins) -> Result<Vec<UnitRead>, String> {
        let files = vm.host.fs().take_readers();
        let mut found = Vec::new();
        for unit in std::mem::take(&mut self.units) {
            let still = |(place, class): &&(Place, ClassId)| {
                vm.heap.is_object(place.object) && vm.heap.class_of(place.object) == *class
            };
            let of_heap = unit.places.iter().filter(still);
            let mut stacks: Vec<Vec<Frame>> = of_heap
                .filter_map(|(place, _)| vm.heap.read_stack(*place))
                .map(|stack| origins.frames(vm, &stack))
                .collect();
            let of_file = unit.file.as_ref().and_then(|file| files.get(file));
            stacks.extend(of_file.map(|stack| origins.frames(vm, stack)));
            if let Some(read_at) = best(stacks) {
                let unit = unit.number;
                found.push(UnitRead { unit, read_at });
            }
        }
        vm.heap.watch_reads(&[]);
        vm.log_reads(false)?;
        Ok(found)
    }
}

/// A read by code of the suite rather than one by JUnit or the class library alone.
fn best(stacks: Vec<Vec<Frame>>) -> Option<Vec<Frame>> {
    let by_suite = |stack: &Vec<Frame>| stack.iter().any(|f| f.origin == Some(Origin::Suite));
    let at = stacks.iter().position(by_suite).unwrap_or(0);
    stacks.into_iter().nth(at)
}
