//! The native tables against the JDK: a row names a method that is there, native or not as the row says. Rows for
//! methods that not every JDK 17 has are listed in `natives-of-other-jdks.txt`, with the updates that have them.

use poldet_natives::TABLES;
use poldet_testdata::need::{self, Need};
use poldet_vm::classfile::{ClassFile, Rules, flags};
use poldet_vm::jdk::{Jdk, Version};
use poldet_vm::jimage::JImage;
use poldet_vm::natives::{How, Native};
use std::collections::{BTreeMap, BTreeSet};

const OTHERS: &str = include_str!("natives-of-other-jdks.txt");

/// The updates of JDK 17 that have the method of a row: from the first to the last.
type Updates = std::ops::RangeInclusive<u32>;

/// The list: rows by text, with the updates that have them, none for rows of other releases.
fn others() -> BTreeMap<&'static str, Option<Updates>> {
    let lines = OTHERS.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let update = |text| match Version::parse(text) {
                Some(Version { feature: 17, update }) => update,
                _ => panic!("no update of JDK 17 in the list: {line}"),
            };
            let updates = match words[1..] {
                [] => None,
                ["since", first] => Some(update(first)..=u32::MAX),
                ["until", last] => Some(0..=update(last)),
                _ => panic!("not as the list's first lines say: {line}"),
            };
            (words[0], updates)
        })
        .collect()
}

/// The JDK 17 that poldet runs on, which the tables are written for: its update and its classes.
fn jdk() -> Option<(u32, JImage)> {
    let Some(jdk) = Jdk::find(None).ok().filter(|jdk| jdk.feature == 17) else {
        need::skip(Need::Jdk(17), "poldet finds no JDK 17; set JAVA_HOME to one");
        return None;
    };
    let version = Version::parse(&jdk.version).expect("a version");
    let image = JImage::open(&jdk.modules()).expect("the JDK's modules can be read");
    Some((version.update, image))
}

fn class_of(image: &JImage, name: &str) -> Option<ClassFile> {
    let package = name.rsplit_once('/').map_or("", |(p, _)| p);
    let bytes = image.find(image.package_to_module(package)?, &format!("{name}.class"))?;
    Some(ClassFile::parse_with(bytes, &Rules::default()).expect("classes of the JDK are well-formed"))
}

fn rows() -> impl Iterator<Item = &'static Native> {
    TABLES.iter().flat_map(|t| t.iter())
}

fn text(row: &Native) -> String {
    format!("{}.{}{}", row.class, row.name, row.desc)
}

const NO_CLASS: &str = "no such class";
const NO_METHOD: &str = "no such method";

/// What is wrong with a row, if anything.
fn wrong(image: &JImage, row: &Native) -> Option<&'static str> {
    let Some(class) = class_of(image, row.class) else {
        return Some(NO_CLASS);
    };
    let mut found = class.methods.iter().filter(|m| {
        class.utf8(m.name) == Some(row.name.as_bytes())
            && (row.desc.is_empty() || class.utf8(m.desc) == Some(row.desc.as_bytes()))
    });
    let declared_native = row.how == How::Native;
    let none = found.clone().next().is_none();
    if found.any(|m| (m.access & flags::NATIVE != 0) == declared_native) {
        None
    } else if none {
        Some(NO_METHOD)
    } else if declared_native {
        Some("it has a Java body: a row with `instead`?")
    } else {
        Some("it is native: a row with `native`?")
    }
}

#[test]
fn every_row_stands_for_a_method_of_the_jdk() {
    let Some((update, image)) = jdk() else { return };
    let others = others();
    let bad: Vec<String> = rows()
        .filter_map(|row| {
            let found = wrong(&image, row);
            let absent = matches!(found, Some(NO_CLASS | NO_METHOD));
            let to_be_there = match others.get(text(row).as_str()) {
                None => true,
                Some(updates) => updates.as_ref().is_some_and(|u| u.contains(&update)),
            };
            let why = match (to_be_there, absent) {
                (true, _) => found,
                (false, true) => None,
                (false, false) => Some("it is there, against natives-of-other-jdks.txt"),
            };
            why.map(|why| format!("{}: {why}", text(row)))
        })
        .collect();
    assert!(bad.is_empty(), "{} rows:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn the_list_of_other_releases_names_rows() {
    let all: BTreeSet<String> = rows().map(text).collect();
    let others = others();
    let gone: Vec<&&str> = others.keys().filter(|l| !all.contains(**l)).collect();
    assert!(gone.is_empty(), "no such rows: {gone:#?}");
}

#[test]
fn no_method_has_two_rows() {
    let mut seen = BTreeSet::new();
    let mut twice = Vec::new();
    for row in rows() {
        if !seen.insert((row.class, row.name, row.desc, row.how == How::Native)) {
            twice.push(text(row));
        }
    }
    // A row for any descriptor hides the others of its name.
    for &(class, name, desc, native) in &seen {
        if !desc.is_empty() && seen.contains(&(class, name, "", native)) {
            twice.push(format!("{class}.{name}{desc}"));
        }
    }
    assert!(twice.is_empty(), "{} rows:\n{}", twice.len(), twice.join("\n"));
}
