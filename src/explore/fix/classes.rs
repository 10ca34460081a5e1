//! What class files say of the state to blame: types of fields, and the methods that read and write them.

use crate::run::suite::Suite;
use poldet_vm::classfile::{ClassFile, MemberInfo};
use poldet_vm::link::decode::{bc, insn_len, u16_at};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

const STATIC: u16 = 8;
const PRIVATE: u16 = 2;
const SYNTHETIC: u16 = 0x1000;
const ABSTRACT: u16 = 0x400;

/// A method that could be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callable {
    /// Binary name, with dots.
    pub class: String,
    pub name: String,
    pub desc: String,
    pub is_static: bool,
}

impl Callable {
    /// Descriptors of its parameters.
    pub fn params(&self) -> Vec<String> {
        let inside = self
            .desc
            .trim_start_matches('(')
            .split(')')
            .next()
            .unwrap_or_default();
        split_types(inside)
    }

    pub fn returns(&self) -> &str {
        self.desc.rsplit(')').next().unwrap_or_default()
    }
}

fn split_types(text: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let dimensions = rest.bytes().take_while(|b| *b == b'[').count();
        let length = match rest.as_bytes().get(dimensions) {
            Some(b'L') => rest.find(';').map_or(rest.len(), |i| i + 1),
            _ => (dimensions + 1).min(rest.len()),
        };
        types.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    types
}

/// The name of a type in a source, marked as one; `int`, `java.util.Map`, `String[]`.
pub fn type_name(desc: &str) -> String {
    let dimensions = desc.bytes().take_while(|b| *b == b'[').count();
    let base = match desc.as_bytes().get(dimensions) {
        Some(b'B') => "byte".to_owned(),
        Some(b'C') => "char".to_owned(),
        Some(b'D') => "double".to_owned(),
        Some(b'F') => "float".to_owned(),
        Some(b'I') => "int".to_owned(),
        Some(b'J') => "long".to_owned(),
        Some(b'S') => "short".to_owned(),
        Some(b'Z') => "boolean".to_owned(),
        _ => {
            let name = desc[dimensions..].trim_start_matches('L').trim_end_matches(';');
            marked(&name.replace('/', "."))
        }
    };
    base + &"[]".repeat(dimensions)
}

/// The full name of a class in code.
pub fn marked(class: &str) -> String {
    let (open, close) = super::candidates::TYPE;
    format!("{open}{}{close}", class.replace('$', "."))
}

pub struct Classes<'a> {
    suite: &'a Suite,
    known: Mutex<BTreeMap<String, Option<&'static ClassFile>>>,
}

impl<'a> Classes<'a> {
    pub fn new(suite: &'a Suite) -> Classes<'a> {
        Classes {
            suite,
            known: Mutex::default(),
        }
    }

    /// A class of the suite or its libraries, by its name with dots.
    pub fn file(&self, class: &str) -> Option<&'static ClassFile> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(class.to_owned()).or_insert_with(|| {
            let name = format!("{}.class", class.replace('.', "/"));
            let bytes = self.suite.entries().find_map(|e| e.read(&name))?;
            let leaked: &'static [u8] = Vec::leak(bytes.into_owned());
            let file = ClassFile::parse(leaked).ok()?;
            Some(Box::leak(Box::new(file)))
        })
    }

    /// The descriptor of a field that the class, or one above it, declares.
    pub fn field(&self, class: &str, name: &str) -> Option<String> {
        let mut next = Some(class.to_owned());
        while let Some(class) = next {
            let file = self.file(&class)?;
            let own = file.fields.iter().find(|f| text(file, f.name) == name);
            if let Some(field) = own {
                return Some(text(file, field.desc));
            }
            next = file
                .super_name()
                .map(|n| String::from_utf8_lossy(n).replace('/', "."));
        }
        None
    }

    /// The methods of a class that code outside could call; private ones can be called inside of the same file.
    pub fn methods(&self, class: &str) -> Vec<(Callable, &'static ClassFile, MemberInfo)> {
        let Some(file) = self.file(class) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for method in &file.methods {
            let name = text(file, method.name);
            if method.access & SYNTHETIC != 0 || name.starts_with('<') {
                continue;
            }
            let callable = Callable {
                class: class.to_owned(),
                name,
                desc: text(file, method.desc),
                is_static: method.access & STATIC != 0,
            };
            found.push((callable, file, *method));
        }
        // What others may call comes first.
        found.sort_by_key(|(_, _, m)| m.access & PRIVATE != 0 || m.access & ABSTRACT != 0);
        found
    }

    /// Methods of the suite's own classes that store to a static field, or call a method of what is in it that takes things away.
    pub fn writers(&self, class: &str, field: &str, own: &[String]) -> Vec<Callable> {
        let mut found = Vec::new();
        for owner in own {
            for (callable, file, method) in self.methods(owner) {
                if stores(file, &method, class, field, true) {
                    found.push(callable);
                }
            }
        }
        found
    }
}

/// Calls that take something away from what they are called on.
const TAKES: [&str; 6] = ["clear", "remove", "removeAll", "reset", "set", "retainAll"];

/// Does the code of a method store to a field, or clear what is in it?
pub fn stores(file: &ClassFile, method: &MemberInfo, class: &str, field: &str, is_static: bool) -> bool {
    let (get, put) = if is_static {
        (bc::GETSTATIC, bc::PUTSTATIC)
    } else {
        (bc::GETFIELD, bc::PUTFIELD)
    };
    let mut loaded = false;
    let mut found = false;
    each(file, method, |op, owner, name| {
        let same = owner == class.replace('.', "/") && name == field;
        found |= op == put && same;
        found |= loaded && matches!(op, bc::INVOKEVIRTUAL | bc::INVOKEINTERFACE) && TAKES.contains(&name);
        loaded |= op == get && same;
    });
    found
}

/// Does the code of a method load a field?
pub fn loads(file: &ClassFile, method: &MemberInfo, field: &str) -> bool {
    let mut found = false;
    each(file, method, |op, _, name| {
        found |= matches!(op, bc::GETSTATIC | bc::GETFIELD) && name == field;
    });
    found
}

/// Calls `each` with every instruction of a method that names a field or a method.
fn each(file: &ClassFile, method: &MemberInfo, mut each: impl FnMut(u8, &str, &str)) {
    let Some(code) = file.code(method) else { return };
    let mut at = 0;
    while at < code.bytes.len() {
        let op = code.bytes[at];
        if (bc::GETSTATIC..=bc::INVOKEINTERFACE).contains(&op)
            && let Some((class, name, _)) = file.member(u16_at(code.bytes, at + 1))
        {
            let class = String::from_utf8_lossy(file.class_name(class).unwrap_or_default());
            each(op, &class, &String::from_utf8_lossy(name));
        }
        match insn_len(code.bytes, at) {
            Some(length) if length > 0 => at += length,
            _ => return,
        }
    }
}

fn text(file: &ClassFile, index: u16) -> String {
    String::from_utf8_lossy(file.utf8(index).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_in_a_source() {
        let callable = Callable {
            class: "a.B".into(),
            name: "m".into(),
            desc: "(I[[JLjava/util/Map;)V".into(),
            is_static: true,
        };
        assert_eq!(callable.params(), ["I", "[[J", "Ljava/util/Map;"]);
        assert_eq!(callable.returns(), "V");
        assert_eq!(type_name("[[J"), "long[][]");
        let name = type_name("La/B$C;");
        assert_eq!(super::super::candidates::in_full(&name), "a.B.C");
    }
}
