//! What an interval changed, to be put back in part: a search finds out so which of the changes matter.

use crate::classify::{Origins, classify};
use crate::text;
use crate::tracker::{Change, Changes, Tracker, Unit};
use poldet_records::{SearchPlace, UndoUnit};
use poldet_vm::heap::Place;
use poldet_vm::host::journal::{Became, FileChange};
use poldet_vm::vm::Vm;

/// Changes shown of one unit.
const MOST_PLACES: usize = 3;

/// Kept from the end of one interval to the end of the next.
#[derive(Default)]
pub struct Undo {
    kept: bool,
    units: Vec<Unit>,
    files: Vec<FileChange>,
    shown: Vec<UndoUnit>,
}

impl Undo {
    /// From now on what intervals change is kept, or no longer.
    pub fn keep(&mut self, on: bool) {
        self.kept = on;
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.kept
    }

    /// An interval has ended, with these changes of files.
    pub(crate) fn clear(&mut self, files: Vec<FileChange>) {
        self.units.clear();
        self.shown.clear();
        self.files = if self.kept { files } else { Vec::new() };
    }

    /// The units of the interval, while the log that has their writes is there.
    pub(crate) fn take(
        &mut self,
        vm: &Vm,
        tracker: &mut Tracker,
        origins: &mut Origins,
        changes: &Changes,
        units: Vec<Unit>,
    ) {
        for unit in &units {
            let of_unit = |c: &&Change| {
                c.at.root == unit.root || c.difference.cause.is_some_and(|s| unit.stacks.contains(&s))
            };
            let mut places: Vec<SearchPlace> = changes
                .list
                .iter()
                .filter(of_unit)
                .take(MOST_PLACES)
                .map(|c| of_change(vm, tracker, origins, c))
                .collect();
            if places.is_empty() {
                places.push(of_place(vm, tracker, origins, unit));
            }
            let hidden = unit.rule.is_some();
            self.shown.push(UndoUnit { places, hidden });
        }
        self.units = units;
    }

    /// What can be put back; files come last.
    pub fn units(&self, vm: &Vm, origins: &mut Origins) -> Vec<UndoUnit> {
        let files = self.files.iter().map(|file| UndoUnit {
            places: vec![of_file(vm, origins, file)],
            hidden: false,
        });
        self.shown.iter().cloned().chain(files).collect()
    }

    /// Where a unit is in the heap.
    pub fn places(&self, number: usize) -> Vec<Place> {
        self.units.get(number).map(Unit::places).unwrap_or_default()
    }

    /// The path of a file that was changed, by the number of the unit.
    pub fn file(&self, number: usize) -> Option<Vec<u8>> {
        let file = self.files.get(number.checked_sub(self.units.len())?)?;
        Some(file.path.clone())
    }

    /// Puts the units of these numbers back.
    pub fn put_back(&self, vm: &mut Vm, chosen: &[usize]) -> Result<(), String> {
        for &number in chosen {
            if let Some(unit) = self.units.get(number) {
                unit.put_back(vm);
            } else if let Some(file) = self.files.get(number - self.units.len()) {
                let name = String::from_utf8_lossy(&file.path).into_owned();
                vm.host
                    .fs()
                    .put_back(&file.path)
                    .map_err(|e| format!("cannot put {name} back: {e:?}"))?;
            }
        }
        Ok(())
    }
}

fn of_change(vm: &Vm, tracker: &mut Tracker, origins: &mut Origins, change: &Change) -> SearchPlace {
    let (before, after) = text::sides(vm, tracker, change);
    let place = text::place(vm, &mut tracker.shapes, change.at.root, &change.difference.path);
    let class = classify(vm, &tracker.shapes, origins, change);
    SearchPlace {
        root: place.root.to_string(),
        path: place.path(),
        before,
        after,
        written_at: class.written_at,
        read_at: Vec::new(),
    }
}

/// A unit without a change: a rule hides it.
fn of_place(vm: &Vm, tracker: &mut Tracker, origins: &mut Origins, unit: &Unit) -> SearchPlace {
    let place = text::place(vm, &mut tracker.shapes, unit.root, &unit.path);
    let stack = unit
        .stacks
        .first()
        .map(|s| origins.frames(vm, vm.heap.write_stack(*s)));
    SearchPlace {
        root: place.root.to_string(),
        path: place.path(),
        before: String::new(),
        after: String::new(),
        written_at: stack.unwrap_or_default(),
        read_at: Vec::new(),
    }
}

fn of_file(vm: &Vm, origins: &mut Origins, file: &FileChange) -> SearchPlace {
    let (before, after) = match file.became {
        Became::Created => ("(absent)", "created"),
        Became::Changed => ("its old contents", "changed"),
        Became::Removed => ("its old contents", "(absent)"),
    };
    SearchPlace {
        root: format!("file:{}", String::from_utf8_lossy(&file.path)),
        path: String::new(),
        before: before.into(),
        after: after.into(),
        written_at: origins.frames(vm, &file.stack),
        read_at: Vec::new(),
    }
}
