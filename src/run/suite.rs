//! The suite on disk: its class path, the classes in it, and which JUnit it brings.

use crate::cli::SuiteArgs;
use crate::project;
use poldet_junit_shim::driver::Mode;
use poldet_records::JUnit;
use poldet_vm::jar::Jar;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A folder or archive of classes.
enum Place {
    Folder(PathBuf),
    Archive(Jar),
}

/// An entry of the class path.
pub struct Entry {
    /// As the guest sees it.
    pub path: String,
    place: Place,
}

impl Entry {
    pub fn open(path: &str) -> Result<Entry, String> {
        let meta = std::fs::metadata(path).map_err(|e| format!("cannot read {path}: {e}"))?;
        let place = if meta.is_dir() {
            Place::Folder(PathBuf::from(path))
        } else {
            Place::Archive(Jar::open(Path::new(path))?)
        };
        Ok(Entry {
            path: path.to_owned(),
            place,
        })
    }

    pub fn is_folder(&self) -> bool {
        matches!(self.place, Place::Folder(_))
    }

    /// A folder with jars right in it, and no folders and classes.
    fn holds_only_jars(&self) -> bool {
        let Place::Folder(dir) = &self.place else {
            return false;
        };
        let paths: Vec<PathBuf> = std::fs::read_dir(dir)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        let is = |path: &PathBuf, ext: &str| path.extension().is_some_and(|e| e == ext);
        paths.iter().any(|p| is(p, "jar")) && !paths.iter().any(|p| p.is_dir() || is(p, "class"))
    }

    pub fn has(&self, name: &str) -> bool {
        match &self.place {
            Place::Folder(dir) => dir.join(name).is_file(),
            Place::Archive(jar) => jar.find(name).is_some(),
        }
    }

    pub fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        match &self.place {
            Place::Folder(dir) => std::fs::read(dir.join(name)).ok().map(Cow::Owned),
            Place::Archive(jar) => jar.find(name).and_then(|e| jar.read(e).ok()),
        }
    }

    /// Names of all class files, sorted.
    pub fn class_files(&self) -> Vec<String> {
        let mut names = Vec::new();
        match &self.place {
            Place::Folder(dir) => walk(dir, "", &mut names),
            Place::Archive(jar) => names.extend(
                jar.entries()
                    .iter()
                    .filter(|e| e.name.ends_with(".class") && !e.name.starts_with("META-INF/"))
                    .map(|e| e.name.to_owned()),
            ),
        }
        names.sort();
        names.dedup();
        names
    }
}

fn walk(dir: &Path, prefix: &str, names: &mut Vec<String>) {
    // A folder that cannot be read has no classes, as for Java.
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = entry.path();
        if path.is_dir() {
            walk(&path, &format!("{prefix}{name}/"), names);
        } else if name.ends_with(".class") {
            names.push(format!("{prefix}{name}"));
        }
    }
}

pub struct Suite {
    /// What was given to be tested.
    pub tested: Vec<Entry>,
    /// The rest of the class path.
    pub others: Vec<Entry>,
    pub warnings: Vec<String>,
}

impl Suite {
    pub fn open(args: &SuiteArgs) -> Result<Suite, String> {
        if args.suite.is_empty() {
            return Err("no suite given, and the current folder is no Maven or Gradle project: name the jars or folders with the compiled tests".into());
        }
        let mut suite = Suite {
            tested: Vec::new(),
            others: Vec::new(),
            warnings: Vec::new(),
        };
        for path in &args.suite {
            let text = path
                .to_str()
                .ok_or_else(|| format!("not a UTF-8 path: {}", path.display()))?;
            let entry = Entry::open(text)?;
            if entry.is_folder() {
                project::check_classes(path)?;
            }
            suite.tested.push(entry);
        }
        for path in class_path(args.class_path.as_deref().unwrap_or(""))? {
            suite.add(&path);
        }
        Ok(suite)
    }

    /// Adds to the class path. As `java` does, what is not there is left out; the report says so, though.
    fn add(&mut self, path: &str) {
        let found = expand_star(path);
        if found.is_empty() {
            self.warnings
                .push(format!("not on the class path: no jars in '{path}'"));
        }
        for path in found {
            match Entry::open(&path) {
                Ok(entry) => {
                    if entry.is_folder() && entry.holds_only_jars() {
                        self.warnings.push(format!(
                            "'{path}' on the class path holds jars and no classes: use '{}/*'",
                            path.trim_end_matches('/')
                        ));
                    }
                    self.others.push(entry);
                }
                Err(why) => self.warnings.push(format!("not on the class path: {why}")),
            }
        }
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.tested.iter().chain(&self.others)
    }

    /// The entries whose classes are the suite's own: folders on the class path are, libraries come in archives.
    pub fn own(&self) -> impl Iterator<Item = &Entry> {
        self.tested
            .iter()
            .chain(self.others.iter().filter(|e| e.is_folder()))
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries().any(|e| e.has(name))
    }

    pub fn has_class(&self, class: &str) -> bool {
        self.has(&format!("{}.class", class.replace('.', "/")))
    }

    pub fn text(&self) -> String {
        let paths: Vec<&str> = self.tested.iter().map(|e| e.path.as_str()).collect();
        paths.join(":")
    }

    /// How its tests are run; the second mode takes those that the first leaves.
    pub fn modes(&self) -> Vec<Mode> {
        let engine = self.has("META-INF/services/org.junit.platform.engine.TestEngine");
        let launcher = self.has("org/junit/platform/launcher/core/LauncherFactory.class");
        let vintage = self.has("org/junit/vintage/engine/VintageTestEngine.class");
        let junit4 = self.has("org/junit/runner/Request.class");
        let junit3 = self.has("junit/framework/TestCase.class");
        let old = if junit4 || !junit3 {
            Mode::JUnit4
        } else {
            Mode::JUnit3
        };
        match (engine, launcher) {
            (true, _) => {
                let first = if launcher { Mode::Platform } else { Mode::Engines };
                if vintage || !(junit4 || junit3) {
                    vec![first]
                } else {
                    vec![first, old]
                }
            }
            (false, _) => vec![old],
        }
    }

    /// Brings it no JUnit at all?
    pub fn needs_junit(&self) -> bool {
        !self.has("org/junit/runner/Request.class")
            && !self.has("junit/framework/TestCase.class")
            && !self.has("org/junit/platform/engine/TestEngine.class")
    }

    /// What runs its tests.
    pub fn junit(&self) -> JUnit {
        match self.modes().first() {
            _ if self.needs_junit() => JUnit::BuiltIn,
            Some(Mode::Platform) => JUnit::Platform,
            Some(Mode::Engines) => JUnit::Engines,
            Some(Mode::JUnit3) => JUnit::JUnit3,
            // No suite is run so.
            Some(Mode::Load) => JUnit::BuiltIn,
            Some(Mode::JUnit4) | None => JUnit::JUnit4,
        }
    }
}

/// The entries of a class path; `@FILE` stands for those in a file, separated by colons or lines.
fn class_path(text: &str) -> Result<Vec<String>, String> {
    let mut entries = Vec::new();
    for entry in text.split(':').filter(|p| !p.is_empty()) {
        match entry.strip_prefix('@') {
            None => entries.push(entry.to_owned()),
            Some(file) => {
                let text =
                    std::fs::read_to_string(file).map_err(|e| format!("--cp: cannot read '{file}': {e}"))?;
                let inside = text.split([':', '\n']).map(str::trim).filter(|p| !p.is_empty());
                entries.extend(inside.map(str::to_owned));
            }
        }
    }
    Ok(entries)
}

/// `lib/*` means all archives in `lib`.
pub fn expand_star(path: &str) -> Vec<String> {
    let dir = match path.strip_suffix('*') {
        Some("") => ".",
        Some(dir) if dir.ends_with('/') => dir.trim_end_matches('/'),
        _ => return vec![path.to_owned()],
    };
    let dir = if dir.is_empty() { "/" } else { dir };
    let mut found: Vec<String> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| e.path().to_str().map(str::to_owned))
        .filter(|p| p.ends_with(".jar") || p.ends_with(".JAR"))
        .collect();
    found.sort();
    found
}
