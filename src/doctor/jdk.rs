//! The JDK's own classes, and which of their native methods poldet lacks: followed from the methods a suite names
//! through the calls in their code.

use poldet_natives::TABLES;
use poldet_vm::classfile::{ClassFile, MemberInfo, Rules, flags};
use poldet_vm::jimage::JImage;
use poldet_vm::link::decode::{bc, insn_len, u16_at};
use poldet_vm::natives::{How, Native};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many calls deep a native is looked for. Deeper, almost everything reaches everything.
const DEPTH: usize = 6;

/// A method by name; the class in internal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MethodKey {
    pub class: String,
    pub name: String,
    pub desc: String,
}

impl MethodKey {
    /// The method that a constant names.
    pub fn of(file: &ClassFile, index: u16) -> Option<MethodKey> {
        let (class, name, desc) = file.member(index)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(MethodKey {
            class: text(file.class_name(class)?),
            name: text(name),
            desc: text(desc),
        })
    }

    /// `java.lang.Foo.bar`.
    pub fn text(&self) -> String {
        format!("{}.{}", self.class.replace('/', "."), self.name)
    }
}

/// A native method that is missing here.
#[derive(Debug, PartialEq, Eq)]
pub struct Lacking {
    pub native: MethodKey,
    /// The method of the JDK that leads to it, which may be itself.
    pub called: MethodKey,
    /// The class of the suite or a library that names that.
    pub by: String,
}

pub struct JdkClasses {
    image: JImage,
    parsed: RefCell<BTreeMap<String, Option<&'static ClassFile>>>,
    rows: BTreeMap<(&'static str, &'static str), Vec<&'static Native>>,
}

impl JdkClasses {
    pub fn new(image: JImage) -> JdkClasses {
        let mut rows: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in TABLES.iter().flat_map(|t| t.iter()) {
            rows.entry((row.class, row.name)).or_default().push(row);
        }
        JdkClasses {
            image,
            parsed: RefCell::default(),
            rows,
        }
    }

    /// A class of the JDK.
    pub fn get(&self, name: &str) -> Option<&'static ClassFile> {
        if let Some(known) = self.parsed.borrow().get(name) {
            return *known;
        }
        let package = name.rsplit_once('/').map_or("", |(p, _)| p);
        let module = self.image.package_to_module(package);
        let bytes = module.and_then(|m| self.image.find(m, &format!("{name}.class")));
        let rules = Rules {
            trusted: true,
            ..Rules::default()
        };
        let file = bytes.and_then(|b| ClassFile::parse_with(b, &rules).ok());
        // Parsed once, kept as long as the process.
        let file = file.map(|f| &*Box::leak(Box::new(f)));
        self.parsed.borrow_mut().insert(name.to_owned(), file);
        file
    }

    /// Native methods without a body here that the calls lead to, each by its shortest chain of calls.
    pub fn lacking(&self, calls: &BTreeMap<MethodKey, String>) -> Vec<Lacking> {
        let mut found: BTreeMap<MethodKey, Lacking> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut todo: VecDeque<(MethodKey, &MethodKey, usize)> =
            calls.keys().map(|key| (key.clone(), key, 0)).collect();
        while let Some((key, called, depth)) = todo.pop_front() {
            let Some((file, method, at)) = self.resolve(&key) else {
                continue;
            };
            if !seen.insert(at.clone()) {
                continue;
            }
            let row = self.row(&at, method.access & flags::NATIVE != 0);
            if method.access & flags::NATIVE != 0 {
                // The VM takes these two for done: they only fill caches of JNI ids.
                let trivial = matches!(at.name.as_str(), "registerNatives" | "initIDs");
                if !trivial && row.is_none_or(|r| r.refused) {
                    let by = calls.get(called).cloned().unwrap_or_default();
                    let called = called.clone();
                    found.insert(
                        at.clone(),
                        Lacking {
                            native: at,
                            called,
                            by,
                        },
                    );
                }
            } else if row.is_none() && depth < DEPTH {
                todo.extend(
                    self.calls_in(file, method)
                        .into_iter()
                        .map(|k| (k, called, depth + 1)),
                );
            }
        }
        found.into_values().collect()
    }

    fn row(&self, key: &MethodKey, native: bool) -> Option<&'static Native> {
        let rows = self.rows.get(&(key.class.as_str(), key.name.as_str()))?;
        let fits = |row: &&&Native| {
            (row.desc.is_empty() || row.desc == key.desc) && (row.how == How::Native) == native
        };
        rows.iter().find(fits).copied()
    }

    /// The method a name stands for: of the class, else of its superclasses and interfaces.
    fn resolve(&self, key: &MethodKey) -> Option<(&'static ClassFile, &'static MemberInfo, MethodKey)> {
        let mut todo = vec![key.class.clone()];
        while let Some(name) = todo.pop() {
            let Some(file) = self.get(&name) else { continue };
            let found = file.methods.iter().find(|m| {
                file.utf8(m.name) == Some(key.name.as_bytes())
                    && file.utf8(m.desc) == Some(key.desc.as_bytes())
            });
            if let Some(method) = found {
                let at = MethodKey {
                    class: name,
                    ..key.clone()
                };
                return Some((file, method, at));
            }
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            todo.extend(
                file.interfaces
                    .iter()
                    .filter_map(|i| file.class_name(*i))
                    .map(text),
            );
            // Checked first.
            todo.extend(file.super_name().map(text));
        }
        None
    }

    /// The methods named in a method's code.
    fn calls_in(&self, file: &ClassFile, method: &MemberInfo) -> Vec<MethodKey> {
        let Some(code) = file.code(method) else {
            return Vec::new();
        };
        let code = code.bytes;
        let mut calls = Vec::new();
        let mut at = 0;
        while at < code.len() {
            let Some(len) = insn_len(code, at) else { break };
            if matches!(
                code[at],
                bc::INVOKEVIRTUAL | bc::INVOKESPECIAL | bc::INVOKESTATIC | bc::INVOKEINTERFACE
            ) {
                calls.extend(MethodKey::of(file, u16_at(code, at + 1)));
            }
            at += len;
        }
        calls
    }
}
