//! The order in which HotSpot lists a class's methods and constructors, which programs come to rely on.
//!
//! HotSpot keeps methods sorted by the address of their name. Names in the JDK's class data archive lie there in a
//! fixed order, below all others; other names follow in the order in which they were first seen while parsing class
//! files. The sort is a quicksort, so methods of one name come in whatever order its exchanges leave them.

use crate::ids::{ClassId, LoaderId, MethodId};
use crate::mmap::map_forever;
use crate::sym::FixedMap;
use crate::vm::Vm;
use std::path::Path;

/// Names of the archive by their place in it.
pub type ArchivedNames = FixedMap<&'static [u8], u32>;

/// The archive's symbols one after the other: permanent reference count, hash, length, bytes, padding to 8.
const SHORTEST_RUN: usize = 1000;

/// Reads the names of a JDK's default class data archive; none if it has no archive we can read.
pub fn archived_names(java_home: &Path) -> ArchivedNames {
    let mut names = ArchivedNames::default();
    let Ok(archive) = map_forever(&java_home.join("lib/server/classes.jsa")) else {
        return names;
    };
    let mut at = 0;
    while at + 8 <= archive.len() {
        let run = if archive[at] == 0xff && archive[at + 1] == 0xff {
            symbol_run(archive, at)
        } else {
            vec![]
        };
        if run.len() < SHORTEST_RUN {
            at += 8;
            continue;
        }
        for (i, name) in run.into_iter().enumerate() {
            names.entry(name).or_insert(i as u32);
        }
        break;
    }
    names
}

/// The symbols that follow each other from `at` on.
fn symbol_run(archive: &'static [u8], mut at: usize) -> Vec<&'static [u8]> {
    let mut run = Vec::new();
    while let Some(&[0xff, 0xff, _, _, low, high]) =
        archive.get(at..at + 6).and_then(|h| h.first_chunk::<6>())
    {
        let len = usize::from(u16::from_le_bytes([low, high]));
        let Some(name) = archive.get(at + 6..at + 6 + len) else {
            break;
        };
        run.push(name);
        at += (6 + len).next_multiple_of(8).max(8);
    }
    run
}

/// Notes the names of a class file of the program in the order HotSpot would.
pub fn note_names(vm: &mut Vm, file: &'static crate::classfile::ClassFile) {
    for index in 1..file.cp_len() {
        // Only what can be a method's name matters.
        let name = file
            .utf8(index)
            .filter(|n| !n.iter().any(|b| b".;[/(<> ".contains(b)));
        if let Some(name) = name {
            vm.syms.intern(name);
        }
    }
}

/// The methods a class declares, in HotSpot's order.
pub fn declared(vm: &mut Vm, class: ClassId) -> Vec<MethodId> {
    if vm.archived_names.is_none() {
        vm.archived_names = Some(archived_names(&vm.config.java_home));
    }
    let names = vm.archived_names.as_ref();
    let record = vm.class(class);
    // Names of boot classes are not noted as they come; their own constant pools tell most of the order.
    let pool = record.file.filter(|_| record.loader == LoaderId::BOOT);
    let key = |&id: &MethodId| {
        let method = vm.method(id);
        match names.and_then(|n| n.get(vm.syms.bytes(method.name))) {
            Some(&place) => (0, place),
            None => (
                1,
                pool.map_or(method.name.0, |f| {
                    u32::from(f.methods[usize::from(method.slot)].name)
                }),
            ),
        }
    };
    let mut keyed: Vec<((u8, u32), MethodId)> = record.methods.iter().map(|m| (key(m), *m)).collect();
    quicksort(&mut keyed);
    keyed.into_iter().map(|(_, m)| m).collect()
}

type Keyed = ((u8, u32), MethodId);

fn quicksort(list: &mut [Keyed]) {
    if list.len() < 2 {
        return;
    }
    let pivot = median(list);
    if list.len() < 4 {
        return;
    }
    let split = partition(list, pivot) + 1;
    let (low, high) = list.split_at_mut(split);
    quicksort(low);
    quicksort(high);
}

/// Sorts the first, middle and last of the list; the middle is the pivot.
fn median(list: &mut [Keyed]) -> usize {
    let (middle, last) = (list.len() / 2, list.len() - 1);
    for (a, b) in [(0, middle), (0, last), (middle, last)] {
        if list[a].0 > list[b].0 {
            list.swap(a, b);
        }
    }
    middle
}

fn partition(list: &mut [Keyed], pivot: usize) -> usize {
    let value = list[pivot].0;
    let (mut left, mut right) = (0, list.len() - 1);
    loop {
        while list[left].0 < value {
            left += 1;
        }
        while list[right].0 > value {
            right -= 1;
        }
        if left >= right {
            return right;
        }
        list.swap(left, right);
        left += 1;
        right -= 1;
    }
}
