//! Step 2: which statements can be deleted, and how.

use crate::explore::explorer::Class;
use crate::explore::inject::Settings;
use crate::explore::inject::asserts::{asserts, is_assertion};
use crate::explore::inject::stable::Stable;
use crate::explore::inject::trial::Change;
use crate::explore::wire::Off as WireOff;
use crate::run::suite::Suite;
use crate::source::code::{self, CodeStatement};
use crate::source::compiler::{Compiler, Unit};
use crate::source::deletion::{self, Candidate, Candidates};
use crate::source::files::{File, Files};
use crate::source::ranges::{Off, off};
use crate::source::tree::{Method, Statement};
use poldet_vm::classfile::descriptor::{Type, field_type, method_types};
use poldet_vm::classfile::{ClassFile, MemberInfo, to_text};
use std::path::Path;

/// A deletion, before it is evaluated.
pub struct Deletion {
    pub id: String,
    /// Which of the classes.
    pub class: usize,
    /// `class#method` of the method that loses the statement, as the tests of the class are called.
    pub test: String,
    pub what: What,
    pub valid: bool,
}

/// What is deleted.
pub enum What {
    Source {
        /// Which of the files.
        file: usize,
        method: Method,
        statement: Statement,
    },
    /// Without sources.
    Code(CodeStatement),
}

/// Names of annotations of fixtures.
const FIXTURES: [&str; 8] = [
    "Before",
    "After",
    "BeforeClass",
    "AfterClass",
    "BeforeEach",
    "AfterEach",
    "BeforeAll",
    "AfterAll",
];

/// Is the method a fixture: annotated as one, or one of JUnit 3's?
pub fn is_fixture(method: &Method) -> bool {
    let simple = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    method
        .annotations
        .iter()
        .any(|(name, _)| FIXTURES.contains(&simple(name).as_str()))
        || (matches!(method.name.as_str(), "setUp" | "tearDown") && method.params.is_empty())
}

/// All deletions of the stable tests, in the order of classes, tests and statements; not yet checked.
pub fn deletions(
    classes: &[Class],
    stable: &[Stable],
    files: &Files,
    suite: &Suite,
    settings: &Settings,
) -> Vec<Deletion> {
    let methods: Vec<Vec<Method>> = files.files.iter().map(|f| f.source.methods()).collect();
    let mut found: Vec<Deletion> = Vec::new();
    for (number, (class, stable)) in classes.iter().zip(stable).enumerate() {
        let mut done: Vec<(usize, usize)> = Vec::new();
        for test in &stable.tests {
            let test = &class.tests[*test].test;
            let Some(name) = &test.method else { continue };
            let parameters = test.parameters.as_deref();
            let Some((file, method)) = declared(files, &methods, suite, &test.class, name, parameters) else {
                continue;
            };
            if !done.contains(&(file, method.range.start)) {
                done.push((file, method.range.start));
                let test = format!("{}#{name}", test.class);
                add(&mut found, files, number, test, file, method, settings);
            }
        }
        if settings.fixtures && !stable.tests.is_empty() {
            for above in chain(suite, &class.name) {
                for (file, all) in methods.iter().enumerate() {
                    if files.files[file].left_out.is_some() {
                        continue;
                    }
                    for method in all.iter().filter(|m| m.class == above && is_fixture(m)) {
                        let test = format!("{}#{}", class.name, method.name);
                        add(&mut found, files, number, test, file, method, settings);
                    }
                }
            }
        }
    }
    numbered(found)
}

fn numbered(mut found: Vec<Deletion>) -> Vec<Deletion> {
    for (number, deletion) in found.iter_mut().enumerate() {
        deletion.id = format!("{:06}", number + 1);
    }
    found
}

/// The same without sources, from the classes of the suite. What the verifier would refuse is not valid.
pub fn in_code(classes: &[Class], stable: &[Stable], suite: &Suite, settings: &Settings) -> Vec<Deletion> {
    let mut found: Vec<Deletion> = Vec::new();
    for (number, (class, stable)) in classes.iter().zip(stable).enumerate() {
        let files = above(suite, &class.name);
        let add = |found: &mut Vec<Deletion>, file: &ClassFile, method: &MemberInfo, test: &str| {
            let statements = code::statements(file, method).into_iter();
            let others = statements
                .filter(|s| !(s.is_assert || s.is_plain && asserts("", &s.calls, &settings.assert_patterns)));
            found.extend(others.map(|statement| Deletion {
                id: String::new(),
                class: number,
                test: test.to_owned(),
                valid: statement.is_valid,
                what: What::Code(statement),
            }));
        };
        let mut done: Vec<(&[u8], u16, u16)> = Vec::new();
        for test in &stable.tests {
            let test = &class.tests[*test].test;
            let Some(name) = &test.method else { continue };
            let Some((file, method)) = compiled(&above(suite, &test.class), name, test.parameters.as_deref())
            else {
                continue;
            };
            let key = (file.this_name(), method.name, method.desc);
            if !done.contains(&key) {
                done.push(key);
                add(&mut found, file, method, &format!("{}#{name}", test.class));
            }
        }
        if settings.fixtures && !stable.tests.is_empty() {
            for file in &files {
                for method in file.methods.iter().filter(|m| is_compiled_fixture(file, m)) {
                    let name = to_text(file.utf8(method.name).unwrap_or_default());
                    add(&mut found, file, method, &format!("{}#{name}", class.name));
                }
            }
        }
    }
    numbered(found)
}

/// Where a test's method is: in the first of these classes that has it.
fn compiled(
    files: &[&'static ClassFile],
    name: &str,
    parameters: Option<&str>,
) -> Option<(&'static ClassFile, &'static MemberInfo)> {
    files.iter().find_map(|file| {
        let named: Vec<&MemberInfo> = file
            .methods
            .iter()
            .filter(|m| file.utf8(m.name) == Some(name.as_bytes()) && m.access & SYNTHETIC == 0)
            .collect();
        let fits = |m: &&&MemberInfo| {
            let types = method_types(file.utf8(m.desc).unwrap_or_default()).map(|(types, _)| types);
            let written: Vec<String> = types.unwrap_or_default().iter().map(type_text).collect();
            parameters.is_none_or(|p| same_types(p, &written))
        };
        let chosen = match named.as_slice() {
            [only] => Some(only),
            several => several.iter().find(fits),
        };
        chosen.map(|m| (*file, *m))
    })
}

const SYNTHETIC: u16 = 0x1000;

/// A type as a source writes it.
fn type_text(of: &Type<'_>) -> String {
    match of {
        Type::Prim(prim) => prim.name().to_owned(),
        Type::Ref(name) => {
            let dims = name.iter().take_while(|b| **b == b'[').count();
            let element = match field_type(&name[dims..]).filter(|_| dims > 0) {
                Some(Type::Prim(prim)) => prim.name().to_owned(),
                Some(Type::Ref(name)) => to_text(name).replace(['/', '$'], "."),
                None => to_text(name).replace(['/', '$'], "."),
            };
            format!("{element}{}", "[]".repeat(dims))
        }
    }
}

/// As `is_fixture`, of a compiled method.
pub fn is_compiled_fixture(file: &ClassFile, method: &MemberInfo) -> bool {
    let name = file.utf8(method.name).unwrap_or_default();
    if matches!(name, b"setUp" | b"tearDown") && file.utf8(method.desc) == Some(b"()V") {
        return true;
    }
    file.annotation_types(method.attrs).iter().any(|desc| {
        let desc = to_text(desc);
        let name = desc.trim_end_matches(';').rsplit(['/', '$']).next();
        FIXTURES.contains(&name.unwrap_or_default())
    })
}

fn add(
    found: &mut Vec<Deletion>,
    files: &Files,
    class: usize,
    test: String,
    file: usize,
    method: &Method,
    settings: &Settings,
) {
    for statement in files.files[file].source.statements(method, settings.nested) {
        if !is_assertion(&statement, &settings.assert_patterns) {
            found.push(Deletion {
                id: String::new(),
                class,
                test: test.clone(),
                what: What::Source {
                    file,
                    method: method.clone(),
                    statement,
                },
                valid: false,
            });
        }
    }
}

/// The class and those above it that the suite has, and the name of the one above those.
pub fn chain(suite: &Suite, class: &str) -> Vec<String> {
    let files = above(suite, class);
    let supers = files.iter().filter_map(|f| f.super_name());
    let names = supers.map(|name| to_text(name).replace('/', "."));
    std::iter::once(class.to_owned()).chain(names).collect()
}

/// Files of the class and of those above it that the suite has.
pub fn above(suite: &Suite, class: &str) -> Vec<&'static ClassFile> {
    let mut files: Vec<&'static ClassFile> = Vec::new();
    let mut next = Some(class.replace('.', "/"));
    // A longer chain is taken for a circle.
    while let Some(name) = next.take().filter(|_| files.len() < 100) {
        let bytes = suite.tested.iter().find_map(|e| e.read(&format!("{name}.class")));
        // Classes of a search live as long as it does.
        let leaked = bytes.map(|b| -> &'static [u8] { Vec::leak(b.into_owned()) });
        let Some(file) = leaked.and_then(|b| ClassFile::parse(b).ok()) else {
            break;
        };
        let file: &'static ClassFile = Box::leak(Box::new(file));
        next = file.super_name().map(to_text);
        files.push(file);
    }
    files
}

/// Where a test's method is declared: in its class, or in one above.
pub fn declared<'m>(
    files: &Files,
    methods: &'m [Vec<Method>],
    suite: &Suite,
    class: &str,
    name: &str,
    parameters: Option<&str>,
) -> Option<(usize, &'m Method)> {
    for class in chain(suite, class) {
        for (file, all) in methods.iter().enumerate() {
            if files.files[file].left_out.is_some() {
                continue;
            }
            let named: Vec<&Method> = all
                .iter()
                .filter(|m| m.class == class && m.name == name)
                .collect();
            let fits = |m: &&&Method| parameters.is_none_or(|p| same_types(p, &m.params));
            let chosen = match named.as_slice() {
                [only] => Some(only),
                several => several.iter().find(fits),
            };
            if let Some(method) = chosen {
                return Some((file, *method));
            }
        }
    }
    None
}

/// Compares types by their last names: a source may write them in full or not.
fn same_types(parameters: &str, written: &[String]) -> bool {
    let simple = |t: &str| poldet_records::simple_type(t.trim()).to_owned();
    let known: Vec<String> = parameters
        .split(',')
        .filter(|p| !p.trim().is_empty())
        .map(simple)
        .collect();
    known.len() == written.len() && known.iter().zip(written).all(|(a, b)| *a == simple(b))
}

/// Asks the compiler which deletions are valid.
pub fn check(deletions: &mut [Deletion], files: &Files, compiler: &mut Compiler) -> Result<(), String> {
    let mut by_file: Vec<Vec<usize>> = vec![Vec::new(); files.files.len()];
    for (i, deletion) in deletions.iter().enumerate() {
        if let What::Source { file, .. } = &deletion.what {
            by_file[*file].push(i);
        }
    }
    let list: Vec<usize> = (0..by_file.len()).filter(|f| !by_file[*f].is_empty()).collect();
    let valid = {
        let candidates: Vec<Candidates<'_>> = list
            .iter()
            .map(|f| Candidates {
                path: files.files[*f].path.display().to_string(),
                source: &files.files[*f].source,
                list: by_file[*f]
                    .iter()
                    .filter_map(|i| match &deletions[*i].what {
                        What::Source {
                            method, statement, ..
                        } => Some(Candidate { method, statement }),
                        What::Code(_) => None,
                    })
                    .collect(),
            })
            .collect();
        deletion::compiles(compiler, &candidates)?
    };
    for (f, valid) in list.iter().zip(valid) {
        for (i, valid) in by_file[*f].iter().zip(valid) {
            deletions[*i].valid = valid;
        }
    }
    Ok(())
}

/// How a valid deletion is made: by switches, or by what the compiler makes of the file without it.
pub fn change(
    id: &str,
    statement: &Statement,
    file: &File,
    compiler: &mut Compiler,
    folder: &Path,
) -> Result<Change, String> {
    let mut change = Change::default();
    match off(&file.class_files(), &file.source.text, statement) {
        Off::Ranges(switches) => change.off = switches.into_iter().map(WireOff::from).collect(),
        Off::Recompile(_) => {
            let text = deletion::without(&file.source, statement);
            let path = file.path.display().to_string();
            let compiled = compiler.compile(&[Unit {
                path: &path,
                text: &text,
            }])?;
            if let Some(problem) = compiled.problems.first() {
                return Err(format!("does not compile: {}", problem.message));
            }
            for (name, bytes) in compiled.classes {
                let same = file.classes.iter().any(|c| c.name == name && c.bytes == bytes);
                if !same {
                    let path = folder.join(format!("{id}-{}.class", name.replace('/', ".")));
                    std::fs::write(&path, bytes)
                        .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
                    change.redefine.push((name, path.display().to_string()));
                }
            }
        }
    }
    Ok(change)
}
