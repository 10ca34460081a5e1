//! What the suite's classes, and the classes these name, come to: which are missing or damaged, which methods of
//! the JDK they name.

use crate::doctor::jdk::{JdkClasses, MethodKey};
use crate::run::suite::{Entry, Suite};
use poldet_junit_shim::JUNIT_JAR;
use poldet_vm::classfile::{ClassFile, flags, tag};
use poldet_vm::jar::Jar;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

/// A class that is nowhere to be found.
#[derive(Debug)]
pub struct Missing {
    /// The class that names it first.
    pub by: String,
    /// Only libraries name it: it may be something optional.
    pub library: bool,
}

/// All names are in internal form.
#[derive(Default)]
pub struct Look {
    /// Classes that were read.
    pub seen: BTreeSet<String>,
    pub missing: BTreeMap<String, Missing>,
    /// Class and what is wrong with it.
    pub damaged: Vec<(String, String)>,
    /// Native methods of the suite and its libraries.
    pub own_natives: Vec<(String, String)>,
    /// Methods of the JDK that are named, and by whom first.
    pub calls: BTreeMap<MethodKey, String>,
}

struct Search<'a> {
    suite: &'a Suite,
    jdk: &'a JdkClasses,
    builtin: Option<Jar>,
    look: Look,
    todo: VecDeque<(String, String)>,
    known: BTreeSet<String>,
}

pub fn look(suite: &Suite, jdk: &JdkClasses) -> Result<Look, String> {
    let builtin = suite
        .needs_junit()
        .then(|| Jar::from_bytes(Path::new("junit"), JUNIT_JAR));
    let mut search = Search {
        suite,
        jdk,
        builtin: builtin.transpose()?,
        look: Look::default(),
        todo: VecDeque::new(),
        known: BTreeSet::new(),
    };
    for file in suite.tested.iter().flat_map(Entry::class_files) {
        let name = file.trim_end_matches(".class").to_owned();
        if !name.ends_with("module-info") && search.known.insert(name.clone()) {
            search.todo.push_back((name.clone(), name));
        }
    }
    while let Some((name, by)) = search.todo.pop_front() {
        search.visit(name, by);
    }
    Ok(search.look)
}

impl Search<'_> {
    fn visit(&mut self, name: String, by: String) {
        let file = format!("{name}.class");
        if let Some(bytes) = self.suite.entries().find_map(|e| e.read(&file)) {
            // Class files are read once and live as long as the process.
            let leaked: &'static [u8] = Box::leak(bytes.into_owned().into_boxed_slice());
            match ClassFile::parse(leaked) {
                Ok(class) => self.read(&name, &class),
                Err(e) => self.look.damaged.push((name.clone(), e.message)),
            }
            self.look.seen.insert(name);
            return;
        }
        let builtin = self.builtin.as_ref().is_some_and(|jar| jar.find(&file).is_some());
        if !builtin && self.jdk.get(&name).is_none() {
            let own = format!("{by}.class");
            let library = !self.suite.own().any(|e| e.has(&own));
            self.look.missing.insert(name, Missing { by, library });
        }
    }

    fn read(&mut self, name: &str, class: &ClassFile) {
        for method in class.methods.iter().filter(|m| m.access & flags::NATIVE != 0) {
            let method = class.utf8(method.name).unwrap_or(b"?");
            let method = String::from_utf8_lossy(method).into_owned();
            self.look.own_natives.push((name.to_owned(), method));
        }
        for index in 1..class.cp_len() {
            match class.tag(index) {
                tag::CLASS => {
                    let spoken = class.class_name(index).and_then(element_class);
                    if let Some(spoken) = spoken.filter(|s| !self.known.contains(s)) {
                        self.known.insert(spoken.clone());
                        self.todo.push_back((spoken, name.to_owned()));
                    }
                }
                tag::METHOD | tag::INTERFACE_METHOD => {
                    if let Some(key) = MethodKey::of(class, index)
                        && self.jdk.get(&key.class).is_some()
                        && !self.suite.has(&format!("{}.class", key.class))
                    {
                        self.look.calls.entry(key).or_insert_with(|| name.to_owned());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The class of an array's elements, or the class itself; nothing for primitives.
fn element_class(name: &[u8]) -> Option<String> {
    let name = String::from_utf8_lossy(name);
    if !name.starts_with('[') {
        return Some(name.into_owned());
    }
    let element = name.trim_start_matches('[');
    Some(element.strip_prefix('L')?.strip_suffix(';')?.to_owned())
}
