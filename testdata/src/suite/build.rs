//! Compiles a suite: against the JUnit it asks for, or against the built-in `org.junit` when it asks for none.

use super::{Suite, fetch, jar};
use crate::compile::{self, Jdk};
use std::fs;
use std::path::{Path, PathBuf};

/// A suite ready to run.
#[derive(Debug, Clone)]
pub struct Built {
    pub classes: PathBuf,
    /// The jars it needs beside its own classes.
    pub jars: Vec<PathBuf>,
    /// The folder of its package `library`, if it has one.
    pub library: Option<PathBuf>,
}

impl Built {
    /// What it needs beside its own classes: a library and jars.
    pub fn needs(&self) -> Vec<PathBuf> {
        let library = self.library.iter().map(|l| l.canonicalize().unwrap_or(l.clone()));
        library.chain(self.jars.iter().cloned()).collect()
    }

    /// The suite's classes as one jar, beside the folder of classes.
    pub fn jar(&self) -> Result<PathBuf, String> {
        let file = self.classes.with_extension("jar");
        let bytes = self.jar_bytes()?;
        if fs::read(&file).ok().as_deref() != Some(&bytes) {
            fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        }
        Ok(file)
    }

    pub fn jar_bytes(&self) -> Result<Vec<u8>, String> {
        let mut entries =
            jar::files(&self.classes).map_err(|e| format!("{}: {e}", self.classes.display()))?;
        entries.push(jar::manifest());
        Ok(jar::of(&entries))
    }
}

/// Compiles `suite`, fetching what it depends on.
///
/// The classes of a package `gone` are compiled and then taken away: a dependency that is missing at run time. Those of a
/// package `library` are taken to a folder of their own: a library beside the suite.
pub fn suite(jdk: &Jdk, suite: &Suite, cache: &Path) -> Result<Built, String> {
    let jars = fetch::jars(jdk, &suite.spec.deps)?;
    let api = if jars.is_empty() {
        vec![builtin_api(jdk, cache)?]
    } else {
        jars.clone()
    };
    let path = class_path(&api);
    let sources: Vec<&Path> = suite.sources.iter().map(PathBuf::as_path).collect();
    let classes = compile::sources_into(
        jdk,
        &["-g", "-cp", &path],
        &sources,
        &cache.join("classes"),
        &suite.name,
    )?;
    let gone = classes.join("gone");
    if gone.is_dir() {
        fs::remove_dir_all(&gone).map_err(|e| format!("{}: {e}", gone.display()))?;
    }
    let library = library(&classes)?;
    Ok(Built {
        classes,
        jars,
        library,
    })
}

/// The package `library` of a suite as an archive: libraries come in archives, folders are a project's own.
fn library(classes: &Path) -> Result<Option<PathBuf>, String> {
    let archive = classes.with_extension("library.jar");
    let aside = classes.with_extension("library");
    let package = classes.join("library");
    let fail = |e: std::io::Error| format!("{}: {e}", archive.display());
    if package.is_dir() {
        let moved = fs::create_dir_all(&aside).and_then(|()| fs::rename(&package, aside.join("library")));
        moved.map_err(fail)?;
    }
    if aside.is_dir() && !archive.is_file() {
        let files = jar::files(&aside).map_err(fail)?;
        fs::write(&archive, jar::of(&files)).map_err(fail)?;
    }
    Ok(archive.is_file().then_some(archive))
}

/// Compiles the Java side of the run on HotSpot for a suite with these jars.
pub fn hotspot_main(jdk: &Jdk, jars: &[PathBuf], cache: &Path) -> Result<(PathBuf, &'static str), String> {
    let platform = jars
        .iter()
        .any(|j| j.to_string_lossy().contains("junit-platform-launcher"));
    let main = if platform { "Platform" } else { "Core" };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("hotspot/{main}.java"));
    let path = class_path(jars);
    let classes = compile::sources_into(jdk, &["-cp", &path], &[&source], &cache.join("classes"), main)?;
    Ok((classes, main))
}

/// The sources of the built-in `org.junit`.
pub fn builtin_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../junit-shim/java/junit")
}

/// The folder of the built-in `org.junit`, compiled from its sources.
pub fn builtin_api(jdk: &Jdk, cache: &Path) -> Result<PathBuf, String> {
    let folder = builtin_dir();
    let mut sources = Vec::new();
    super::java_files(&folder, &mut sources).map_err(|e| format!("{}: {e}", folder.display()))?;
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    compile::sources_into(jdk, &[], &sources, &cache.join("classes"), "builtin-api")
}

/// The elements joined as `-cp` takes them.
pub fn class_path(elements: &[PathBuf]) -> String {
    let texts: Vec<String> = elements
        .iter()
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    texts.join(":")
}
