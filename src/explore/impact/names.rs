//! The places that tests change, by name, with who changes and who reads each.

use super::{Look, Seen};
use crate::explore::od::tests::Tests;
use poldet_records::{
    Access, Document, FileAccess, Initialised, NamedPlace, PathStep, Place, ReadPlace, SharedPlace,
    TestAccess, Units,
};
use std::collections::{BTreeMap, BTreeSet};

/// The root below which system properties are.
const PROPERTIES: &str = "java.lang.System.props";

/// A place and the tests that have to do with it, by number.
#[derive(Default)]
pub struct Named {
    pub units: Units,
    /// Some test that changes it made it itself: only its root can be compared.
    coarse: bool,
    pub changed_by: BTreeSet<usize>,
    pub read_by: BTreeSet<usize>,
    written_by: BTreeSet<usize>,
}

pub struct Names {
    /// Where the places are known exactly by their path, else by their root.
    pub places: BTreeMap<Place, Named>,
    /// What each test changes.
    changed: Vec<BTreeSet<Place>>,
}

impl Names {
    pub fn new(tests: &Tests<'_>, seen: &Seen) -> Names {
        let mut places: BTreeMap<Place, Named> = BTreeMap::new();
        let mut changed = vec![BTreeSet::new(); tests.len()];
        for (test, alone) in seen.alone.iter().enumerate() {
            let Some(access) = &alone.access else { continue };
            for name in &access.names {
                let coarse = name.units.is_empty();
                let place = match coarse {
                    true => Place::of_root(name.place.root.clone()),
                    false => name.place.clone(),
                };
                let known = places.entry(place).or_default();
                known.units.extend(&name.units);
                known.coarse |= coarse;
                if is_among(name, &access.test) {
                    known.changed_by.insert(test);
                    changed[test].insert(name.place.clone());
                }
            }
        }
        for (place, named) in &mut places {
            let root = place.root.to_string();
            for test in 0..tests.len() {
                let Some(reads) = &seen.reads[test] else { continue };
                let of = |places: &poldet_records::Places| {
                    places.units.meets(&named.units) || (named.coarse && places.roots.contains(&root))
                };
                if of(&reads.run.read) || of(&reads.test.read) {
                    named.read_by.insert(test);
                }
                if of(&reads.run.written) || named.changed_by.contains(&test) {
                    named.written_by.insert(test);
                }
            }
        }
        Names { places, changed }
    }

    /// The places that a finding is about, or that are about a part of it.
    pub fn of(&self, place: &Place) -> Vec<&Named> {
        let same = self.places.iter().filter(|(known, _)| is_same(known, place));
        same.map(|(_, named)| named).collect()
    }

    /// Adds what tests read and change to their records, and all places to the document.
    pub fn write(&self, look: &Look<'_, '_, '_>, seen: &Seen, document: &mut Document) {
        let matter = delicate(seen);
        for (test, alone) in seen.alone.iter().enumerate() {
            let (Some(changes), Some(reads)) = (&alone.access, &seen.reads[test]) else {
                continue;
            };
            let mut access = TestAccess {
                uses: reads.test.uses,
                ..TestAccess::default()
            };
            for (place, named) in &self.places {
                let others = named.changed_by.iter().filter(|t| **t != test).count();
                if named.read_by.contains(&test) {
                    access.read.push(ReadPlace {
                        place: place.clone(),
                        changed_by: others,
                    });
                    access.properties.read.extend(property(place));
                }
                if named.written_by.contains(&test) {
                    access.written.push(place.clone());
                }
            }
            access.changed = self.changed[test].iter().cloned().collect();
            access.properties.changed = access.changed.iter().filter_map(property).collect();
            access.first_use = first_use(&changes.run, &matter);
            access.files = FileAccess {
                read: reads
                    .run
                    .read
                    .files
                    .iter()
                    .filter(|f| others_change(seen, test, f))
                    .cloned()
                    .collect(),
                changed: leaves(&changes.test.changed.files),
            };
            document.tests[look.records[test]].access = Some(access);
        }
        let shared = self
            .places
            .iter()
            .filter(|(_, named)| !named.changed_by.is_empty());
        let texts = |tests: &BTreeSet<usize>| tests.iter().map(|t| look.name(document, *t)).collect();
        let shared = shared.map(|(place, named)| SharedPlace {
            place: place.clone(),
            changed_by: texts(&named.changed_by),
            read_by: texts(&named.read_by),
        });
        document.shared = Some(shared.collect());
    }
}

/// Whether a name is among what an interval changed: the fixtures around a test change places, too.
fn is_among(name: &NamedPlace, access: &Access) -> bool {
    match name.units.is_empty() {
        true => access.changed.roots.contains(&name.place.root.to_string()),
        false => access.changed.units.meets(&name.units),
    }
}

/// Whether one of two places is the other or leads to it.
pub fn is_same(a: &Place, b: &Place) -> bool {
    let common = a.steps.len().min(b.steps.len());
    a.root == b.root && a.steps[..common] == b.steps[..common]
}

/// The name of the system property that a place is.
fn property(place: &Place) -> Option<String> {
    match &place.steps[..] {
        [PathStep::Key(key)] if place.root.to_string() == PROPERTIES => {
            let key = key.strip_prefix('"').and_then(|k| k.strip_suffix('"'));
            key.map(str::to_owned)
        }
        _ => None,
    }
}

/// Whether another test changes a file.
fn others_change(seen: &Seen, test: usize, file: &String) -> bool {
    seen.alone.iter().enumerate().any(|(other, alone)| {
        let changed = alone.access.as_ref().map(|a| &a.test.changed.files);
        other != test && changed.is_some_and(|files| files.contains(file))
    })
}

/// Paths without the folders whose lists they came to or went from.
fn leaves(files: &BTreeSet<String>) -> Vec<String> {
    let inside = |folder: &String| {
        let folder = format!("{folder}/");
        files.iter().any(|f| f.starts_with(&folder))
    };
    files.iter().filter(|f| !inside(f)).cloned().collect()
}

/// Classes of which it matters who initialises them.
fn delicate(seen: &Seen) -> BTreeSet<String> {
    let mut digests: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
    let all = seen.alone.iter().filter_map(|a| a.access.as_ref());
    for init in all.flat_map(|a| &a.run.initialised) {
        let known = digests.entry(&init.class).or_insert((init.digest, false));
        known.1 |= init.impure || known.0 != init.digest;
    }
    let matter = digests.iter().filter(|(_, (_, matters))| *matters);
    matter.map(|(class, _)| (*class).to_owned()).collect()
}

fn first_use(access: &Access, matter: &BTreeSet<String>) -> Vec<String> {
    let classes = access.initialised.iter().map(|c: &Initialised| &c.class);
    classes.filter(|c| matter.contains(*c)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_and_the_whole_are_about_the_same() {
        let (whole, part) = (Place::parse("a.B.map", ""), Place::parse("a.B.map", "[\"k\"].x"));
        assert!(is_same(&whole, &part) && is_same(&part, &whole));
        assert!(!is_same(&part, &Place::parse("a.B.map", "[\"l\"]")));
        assert!(!is_same(&whole, &Place::parse("a.B.other", "")));
    }

    #[test]
    fn properties_have_names() {
        let place = |path| Place::parse(PROPERTIES, path);
        assert_eq!(property(&place("[\"a.b\"]")).as_deref(), Some("a.b"));
        assert_eq!(property(&place("")), None);
        let files = ["/w".to_owned(), "/w/a.txt".to_owned()].into();
        assert_eq!(leaves(&files), ["/w/a.txt"]);
    }
}
