//! Step 2: which statements can be deleted, and how.

use crate::explore::explorer::Class;
use crate::explore::inject::Settings;
use crate::explore::inject::asserts::is_assertion;
use crate::explore::inject::stable::Stable;
use crate::explore::inject::trial::Change;
use crate::explore::wire::Off as WireOff;
use crate::run::suite::Suite;
use crate::source::compiler::{Compiler, Unit};
use crate::source::deletion::{self, Candidate, Candidates};
use crate::source::files::{File, Files};
use crate::source::ranges::{Off, off};
use crate::source::tree::{Method, Statement};
use poldet_vm::classfile::ClassFile;
use std::path::Path;

/// A deletion, before it is evaluated.
pub struct Deletion {
    pub id: String,
    /// Which of the classes.
    pub class: usize,
    /// `class#method` of the method that loses the statement, as the tests of the class are called.
    pub test: String,
    /// Which of the files.
    pub file: usize,
    pub method: Method,
    pub statement: Statement,
    pub valid: bool,
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
    for (number, deletion) in found.iter_mut().enumerate() {
        deletion.id = format!("{:06}", number + 1);
    }
    found
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
                file,
                method: method.clone(),
                statement,
                valid: false,
            });
        }
    }
}

/// The class and those above it that the suite has.
pub fn chain(suite: &Suite, class: &str) -> Vec<String> {
    let mut chain = vec![class.to_owned()];
    let mut next = class.replace('.', "/");
    // A longer chain is taken for a circle.
    while chain.len() < 100 {
        let Some(bytes) = suite.tested.iter().find_map(|e| e.read(&format!("{next}.class"))) else {
            break;
        };
        let leaked: &'static [u8] = Vec::leak(bytes.into_owned());
        let above = ClassFile::parse(leaked)
            .ok()
            .and_then(|f| f.super_name().map(<[u8]>::to_vec));
        let Some(above) = above.and_then(|name| String::from_utf8(name).ok()) else {
            break;
        };
        chain.push(above.replace('/', "."));
        next = above;
    }
    chain
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
        by_file[deletion.file].push(i);
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
                    .map(|i| Candidate {
                        method: &deletions[*i].method,
                        statement: &deletions[*i].statement,
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
    deletion: &Deletion,
    file: &File,
    compiler: &mut Compiler,
    folder: &Path,
) -> Result<Change, String> {
    let mut change = Change::default();
    match off(&file.class_files(), &file.source.text, &deletion.statement) {
        Off::Ranges(switches) => change.off = switches.into_iter().map(WireOff::from).collect(),
        Off::Recompile(_) => {
            let text = deletion::without(&file.source, &deletion.statement);
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
                    let path = folder.join(format!("{}-{}.class", deletion.id, name.replace('/', ".")));
                    std::fs::write(&path, bytes)
                        .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
                    change.redefine.push((name, path.display().to_string()));
                }
            }
        }
    }
    Ok(change)
}
