//! The source files of a suite's classes, compiled so that statements can be found in the bytecode.

use crate::run::suite::Suite;
use crate::source::compiler::{Compiler, Unit};
use crate::source::text::Text;
use crate::source::tree::Source;
use encoding_rs::Encoding;
use poldet_vm::classfile::{ClassFile, MemberInfo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A class compiled from a source file.
pub struct Class {
    /// Internal form.
    pub name: String,
    pub bytes: &'static [u8],
    pub file: &'static ClassFile,
}

/// A source file of classes of the suite.
pub struct File {
    pub path: PathBuf,
    pub source: Source,
    /// Empty if the file was left out.
    pub classes: Vec<Class>,
    /// Why it was left out, in one line.
    pub left_out: Option<String>,
}

impl File {
    pub fn class_files(&self) -> Vec<&'static ClassFile> {
        self.classes.iter().map(|c| c.file).collect()
    }

    /// Whether a tool writes the file: a change of it would be lost.
    pub fn is_generated(&self) -> bool {
        let folders = ["generated-sources", "generated-test-sources", "generated"];
        let parts = self.path.components();
        let mut parts = parts.filter_map(|part| part.as_os_str().to_str());
        let first = self
            .source
            .types()
            .first()
            .and_then(|t| self.source.class_body(&t.name));
        let head = first.map_or("", |body| self.source.of(&(0..body.start)));
        parts.any(|part| folders.contains(&part))
            || ["@Generated(", "annotation.Generated(", "processing.Generated("]
                .iter()
                .any(|mark| head.contains(mark))
    }
}

#[derive(Default)]
pub struct Files {
    pub files: Vec<File>,
    /// Class files of the suite whose sources were not found or are not Java, by what their source is called.
    pub missing: BTreeMap<String, Vec<String>>,
    /// Files that cannot be read as Java.
    pub unreadable: Vec<(String, String)>,
}

/// Package and name of a source file, as class files know it: `a/b/Outer.java`.
type Key = String;

impl Files {
    /// Finds and parses the sources of the suite's classes that `wanted` takes, by internal name.
    pub fn find(
        suite: &Suite,
        dirs: &[PathBuf],
        encoding: &'static Encoding,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Files, String> {
        let mut keys: BTreeMap<Key, Vec<String>> = BTreeMap::new();
        for entry in &suite.tested {
            for name in entry.class_files() {
                let Some(class) = name.strip_suffix(".class").filter(|c| wanted(c)) else {
                    continue;
                };
                let key = entry.read(&name).and_then(|bytes| source_key(class, &bytes));
                let key = key.unwrap_or_else(|| format!("{}.java", class.split('$').next().unwrap_or(class)));
                keys.entry(key).or_default().push(class.to_owned());
            }
        }
        let mut files = Files::default();
        let mut found: BTreeSet<Key> = BTreeSet::new();
        let names: BTreeSet<&str> = keys.keys().map(|k| file_name(k)).collect();
        for dir in dirs {
            let mut paths = Vec::new();
            walk(dir, &mut paths)
                .map_err(|e| format!("--sources: cannot read \"{}\": {e}", dir.display()))?;
            paths.sort();
            for path in paths {
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
                if names.contains(name) {
                    files.take(&path, name, encoding, &keys, &mut found);
                }
            }
        }
        files.files.sort_by(|a, b| a.path.cmp(&b.path));
        keys.retain(|key, _| !found.contains(key));
        files.missing = keys;
        Ok(files)
    }

    fn take(
        &mut self,
        path: &Path,
        name: &str,
        encoding: &'static Encoding,
        keys: &BTreeMap<Key, Vec<String>>,
        found: &mut BTreeSet<Key>,
    ) {
        let text = std::fs::read(path).map_err(|e| e.to_string()).and_then(|bytes| {
            Text::decode(&bytes, encoding).ok_or_else(|| {
                let name = encoding.name();
                format!("is not text in {name}: name its encoding with --encoding")
            })
        });
        let source = match text.and_then(Source::parse) {
            Ok(source) => source,
            Err(why) => return self.unreadable.push((path.display().to_string(), why)),
        };
        let package = source.package.replace('.', "/");
        let key = if package.is_empty() {
            name.to_owned()
        } else {
            format!("{package}/{name}")
        };
        // The first of several folders wins, as on a class path.
        if keys.contains_key(&key) && found.insert(key) {
            self.files.push(File {
                path: path.to_owned(),
                source,
                classes: Vec::new(),
                left_out: None,
            });
        }
    }

    /// Compiles the files. One that does not compile, or whose classes are not those of the suite, is left out.
    pub fn compile(&mut self, compiler: &mut Compiler, suite: &Suite) -> Result<(), String> {
        loop {
            let taken: Vec<usize> = (0..self.files.len())
                .filter(|i| self.files[*i].left_out.is_none())
                .collect();
            if taken.is_empty() {
                return Ok(());
            }
            let paths: Vec<String> = self.files.iter().map(|f| f.path.display().to_string()).collect();
            let units: Vec<Unit<'_>> = taken
                .iter()
                .map(|i| Unit {
                    path: &paths[*i],
                    text: &self.files[*i].source.text.text,
                })
                .collect();
            let mut compiled = compiler.compile(&units)?;
            if compiled.problems.is_empty() {
                self.keep(compiled.classes);
                break;
            }
            if compiled.classes.is_empty() {
                // Later stages have not seen the files that are good so far.
                let all = compiler.check(&units)?;
                compiled.problems.extend(all);
            }
            let mut out = 0;
            for problem in compiled.problems {
                let line = problem.line.map_or(String::new(), |l| format!("line {l}: "));
                let message = problem.message.lines().next().unwrap_or_default().to_owned();
                let why = format!("does not compile: {line}{message}");
                match problem.unit.and_then(|u| taken.get(u)) {
                    Some(i) if self.files[*i].left_out.is_none() => {
                        self.files[*i].left_out = Some(why);
                        out += 1;
                    }
                    Some(_) => {}
                    None => return Err(format!("the sources cannot be compiled: {message}")),
                }
            }
            if out == 0 {
                return Err("the Java compiler wrote no classes and named no file at fault".into());
            }
        }
        for file in &mut self.files {
            if let Some(why) = difference(file, suite) {
                file.left_out = Some(why);
                file.classes.clear();
            }
        }
        Ok(())
    }

    fn keep(&mut self, classes: Vec<(String, Vec<u8>)>) {
        for (name, bytes) in classes {
            let key = source_key(&name, &bytes);
            // Classes of a search live as long as it does.
            let bytes: &'static [u8] = Vec::leak(bytes);
            let Ok(file) = ClassFile::parse(bytes) else {
                continue;
            };
            let file: &'static ClassFile = Box::leak(Box::new(file));
            let of = |f: &&mut File| {
                let package = f.source.package.replace('.', "/");
                let simple = f.path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
                let own = if package.is_empty() {
                    simple.to_owned()
                } else {
                    format!("{package}/{simple}")
                };
                key.as_deref() == Some(own.as_str())
            };
            if let Some(source) = self.files.iter_mut().find(of) {
                source.classes.push(Class { name, bytes, file });
            }
        }
    }
}

fn file_name(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if dir.is_file() {
        found.push(dir.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "java") {
            found.push(path);
        }
    }
    Ok(())
}

/// What a class file says its source is, with its package.
fn source_key(class: &str, bytes: &[u8]) -> Option<Key> {
    let leaked: &'static [u8] = Vec::leak(bytes.to_vec());
    let file = ClassFile::parse(leaked).ok()?;
    let name = file.attr(file.attrs, "SourceFile")?;
    let name = file.utf8(u16::from_be_bytes([*name.first()?, *name.get(1)?]))?;
    let name = String::from_utf8_lossy(name);
    Some(match class.rsplit_once('/') {
        Some((package, _)) => format!("{package}/{name}"),
        None => name.into_owned(),
    })
}

/// The first difference between the classes of a file and those of the suite with the same names.
fn difference(file: &File, suite: &Suite) -> Option<String> {
    for class in &file.classes {
        let name = format!("{}.class", class.name);
        let shown = class.name.replace('/', ".");
        let Some(bytes) = suite.tested.iter().find_map(|e| e.read(&name)) else {
            // Numbers of anonymous classes depend on the compiler.
            if class
                .name
                .split('$')
                .skip(1)
                .any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
            {
                continue;
            }
            return Some(format!("does not match the suite: no class {shown} there"));
        };
        let leaked: &'static [u8] = Vec::leak(bytes.into_owned());
        let Ok(theirs) = ClassFile::parse(leaked) else {
            return Some(format!("does not match the suite: {shown} cannot be read"));
        };
        if let Some(what) = different_methods(class.file, &theirs) {
            return Some(format!("does not match the suite: {shown}: {what}"));
        }
    }
    None
}

fn different_methods(ours: &ClassFile, theirs: &ClassFile) -> Option<String> {
    const SYNTHETIC: u16 = 0x1000;
    let methods = |file: &ClassFile| -> BTreeMap<String, Option<u16>> {
        let own = file.methods.iter().filter(|m| m.access & SYNTHETIC == 0);
        let named = own.map(|m| {
            let text = |index| String::from_utf8_lossy(file.utf8(index).unwrap_or_default()).into_owned();
            let key = format!("{}{}", text(m.name), text(m.desc));
            (key, first_line(file, m))
        });
        // Initialisers are there or not, as the compiler likes.
        named.filter(|(key, _)| !key.starts_with("<clinit>")).collect()
    };
    let (ours, theirs) = (methods(ours), methods(theirs));
    if let Some(method) = ours.keys().find(|m| !theirs.contains_key(*m)) {
        return Some(format!("the suite has no method {method}"));
    }
    if let Some(method) = theirs.keys().find(|m| !ours.contains_key(*m)) {
        return Some(format!("the source has no method {method}"));
    }
    let (method, line) = ours.iter().find(|(method, line)| {
        let other = theirs[*method];
        !method.starts_with("<init>") && line.is_some() && other.is_some() && other != **line
    })?;
    Some(format!(
        "method {method} begins in line {} of the source, in the suite in line {}",
        line.unwrap_or_default(),
        theirs[method].unwrap_or_default()
    ))
}

fn first_line(file: &ClassFile, method: &MemberInfo) -> Option<u16> {
    let code = file.code(method)?;
    file.line_numbers(code.attrs).map(|(_, line)| line).min()
}
