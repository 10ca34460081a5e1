//! The native tables against the JDK: every row names a method that is there, native or not as the row says. Rows for
//! methods of other releases are listed in `natives-of-other-jdks.txt`.

use poldet_vm::classfile::{ClassFile, Rules, flags};
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use poldet_vm::natives::{How, Native, TABLES};
use std::collections::BTreeSet;

const OTHERS: &str = include_str!("natives-of-other-jdks.txt");

/// The classes of JDK 17, which the tables are written for.
fn image() -> Option<JImage> {
    let Some(jdk) = Jdk::find(None).ok().filter(|jdk| jdk.feature == 17) else {
        eprintln!("skipped: no JDK 17 found; set JAVA_HOME to one");
        return None;
    };
    Some(JImage::open(&jdk.modules()).expect("the JDK's modules can be read"))
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

/// What is wrong with a row, if anything.
fn wrong(image: &JImage, row: &Native) -> Option<&'static str> {
    let Some(class) = class_of(image, row.class) else {
        return Some("no such class");
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
        Some("no such method")
    } else if declared_native {
        Some("it has a Java body: a row with `instead`?")
    } else {
        Some("it is native: a row with `native`?")
    }
}

#[test]
fn every_row_stands_for_a_method_of_the_jdk() {
    let Some(image) = image() else { return };
    let others: BTreeSet<&str> = OTHERS.lines().filter(|l| !l.starts_with('#')).collect();
    let bad: Vec<String> = rows()
        .filter(|row| !others.contains(text(row).as_str()))
        .filter_map(|row| wrong(&image, row).map(|why| format!("{}: {why}", text(row))))
        .collect();
    assert!(bad.is_empty(), "{} rows:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn the_list_of_other_releases_names_rows() {
    let all: BTreeSet<String> = rows().map(text).collect();
    let listed = OTHERS.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    let gone: Vec<&str> = listed.filter(|l| !all.contains(*l)).collect();
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
