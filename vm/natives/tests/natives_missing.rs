//! Native methods of the JDK that have no body here, by name, for every JDK that is found: `natives-missing.txt` lists them.
//!
//! JDKs are those in the usual folders, that of `JAVA_HOME`, and those that `POLDET_JDKS` names, separated by colons.
//! `POLDET_BLESS=1` writes the list anew, from the JDKs found.

use poldet_natives::TABLES;
use poldet_testdata::need::{self, Need};
use poldet_vm::classfile::{ClassFile, Rules, flags};
use poldet_vm::jdk::{Jdk, Places};
use poldet_vm::jimage::JImage;
use poldet_vm::natives::How;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Modules that are about the machine, or about HotSpot itself: their natives are `Unsupported` as a whole.
const OUTSIDE: [&str; 9] = [
    "java.desktop",
    "java.security.jgss",
    "java.smartcardio",
    "jdk.crypto.cryptoki",
    "jdk.hotspot.agent",
    "jdk.incubator.foreign",
    "jdk.internal.vm.ci",
    "jdk.jfr",
    "jdk.sctp",
];

/// Methods that the linker knows, and those that only fill caches of JNI.
fn needs_no_row(class: &str, method: &str) -> bool {
    matches!(
        class,
        "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle"
    ) || matches!(method, "registerNatives" | "initIDs")
}

fn list() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/natives-missing.txt")
}

/// One JDK for each version.
fn jdks() -> BTreeMap<String, Jdk> {
    let places = Places::of_this_machine();
    let named = std::env::var_os("POLDET_JDKS").unwrap_or_default();
    let in_folders = places.folders.iter().filter_map(|f| std::fs::read_dir(f).ok());
    let in_folders = in_folders.flatten().flatten().map(|entry| entry.path());
    let homes = std::env::split_paths(&named)
        .chain(places.java_home.clone())
        .chain(in_folders);
    let found = homes.filter_map(|home| Jdk::at(&home).ok());
    found.map(|jdk| (jdk.version.clone(), jdk)).collect()
}

/// The natives without a row.
fn missing(jdk: &Jdk) -> BTreeSet<String> {
    let rows: BTreeSet<(&str, &str, &str)> = TABLES
        .iter()
        .flat_map(|t| t.iter())
        .filter(|row| row.how == How::Native)
        .map(|row| (row.class, row.name, row.desc))
        .collect();
    let image = JImage::open(&jdk.modules()).expect("the JDK's modules can be read");
    let mut found = BTreeSet::new();
    for entry in image
        .entries()
        .filter(|e| e.is_class() && !OUTSIDE.contains(&e.module))
    {
        let class = ClassFile::parse_with(entry.content, &Rules::default())
            .expect("classes of the JDK are well-formed");
        let owner = class.class_name(class.this_class).expect("a name");
        let owner = String::from_utf8_lossy(owner);
        for method in class.methods.iter().filter(|m| m.access & flags::NATIVE != 0) {
            let text = |index| String::from_utf8_lossy(class.utf8(index).expect("a name")).into_owned();
            let (method, desc) = (text(method.name), text(method.desc));
            let known =
                rows.contains(&(&*owner, &*method, &*desc)) || rows.contains(&(&*owner, &*method, ""));
            if !known && !needs_no_row(&owner, &method) {
                found.insert(format!("{owner}.{method}{desc}"));
            }
        }
    }
    found
}

/// The list: which versions it was made with, and which of them lack a method.
fn listed() -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
    let text = std::fs::read_to_string(list()).expect("the list can be read");
    let mut made_with = BTreeSet::new();
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        if let Some(versions) = line.strip_prefix("# made with: ") {
            made_with.extend(versions.split(' ').map(String::from));
        } else if let Some((method, versions)) = line.split_once(' ').filter(|_| !line.starts_with('#')) {
            rows.insert(method.to_owned(), versions.split(' ').map(String::from).collect());
        }
    }
    (made_with, rows)
}

fn bless(found: &BTreeMap<String, BTreeSet<String>>) {
    let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (version, methods) in found {
        methods
            .iter()
            .for_each(|m| rows.entry(m).or_default().push(version));
    }
    let versions: Vec<&str> = found.keys().map(String::as_str).collect();
    let mut text =
        String::from("# Native methods of the JDK without a body here, and the versions that have them.\n");
    let _ = writeln!(text, "# made with: {}", versions.join(" "));
    for (method, versions) in rows {
        let _ = writeln!(text, "{method} {}", versions.join(" "));
    }
    std::fs::write(list(), text).expect("the list can be written");
}

#[test]
fn missing_natives_are_known_by_name() {
    let jdks = jdks();
    if jdks.is_empty() {
        need::skip(Need::Jdk(17), "no JDK found");
        return;
    }
    let found: BTreeMap<String, BTreeSet<String>> = jdks
        .iter()
        .map(|(version, jdk)| (version.clone(), missing(jdk)))
        .collect();
    if std::env::var_os("POLDET_BLESS").is_some() {
        bless(&found);
        return;
    }
    let (made_with, rows) = listed();
    let mut wrong = Vec::new();
    for (version, methods) in &found {
        if !made_with.contains(version) {
            need::skip_part(version, Need::Jdk(17), "the list was made with other updates");
            continue;
        }
        let has = |method: &String| rows.get(method).is_some_and(|v| v.contains(version));
        let new = methods.iter().filter(|m| !has(m));
        wrong.extend(new.map(|m| format!("{version}: {m} has no body and is not on the list")));
        let gone = rows
            .iter()
            .filter(|(m, v)| v.contains(version) && !methods.contains(*m));
        wrong.extend(
            gone.map(|(m, _)| format!("{version}: {m} has a body, or is gone: take it off the list")),
        );
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
