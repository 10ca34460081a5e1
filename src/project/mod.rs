//! From the folder of a project to what a run needs: compiled classes, class path and the build's own test configuration.
//!
//! The build tool is asked once and its answer kept until a build file or a source changes. What the command line says goes before
//! what the build says.

mod folder;
mod gradle;
mod maven;
pub mod tool;

pub use folder::check_classes;

use crate::cli::Run;
use std::path::{Path, PathBuf};

/// One module of a project that has compiled tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    pub dir: PathBuf,
    /// Folders with compiled tests, then those with the project's own classes.
    pub test_classes: Vec<PathBuf>,
    pub classes: Vec<PathBuf>,
    /// Libraries, and classes of other modules.
    pub class_path: Vec<PathBuf>,
    pub sources: Vec<PathBuf>,
    pub config: TestConfig,
}

/// How the build runs its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestConfig {
    pub includes: Vec<String>,
    pub excludes: Vec<String>,
    pub jvm: Vec<String>,
    pub properties: Vec<(String, String)>,
    pub env: Vec<(String, String)>,
    pub working_dir: Option<PathBuf>,
    /// What of it cannot be followed, in a line each.
    pub warnings: Vec<String>,
}

/// The build of a folder, if it is a project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    Maven,
    Gradle,
}

/// Whether a folder is that of a project.
pub fn is_project(dir: &Path) -> bool {
    build_of(dir).is_some()
}

fn build_of(dir: &Path) -> Option<Build> {
    let has = |names: &[&str]| names.iter().any(|n| dir.join(n).is_file());
    if has(&["pom.xml"]) {
        Some(Build::Maven)
    } else if has(&[
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ]) {
        Some(Build::Gradle)
    } else {
        None
    }
}

/// The project that the command line means: the folder given, or the current one where nothing is.
pub fn of_command(options: &Run) -> Option<PathBuf> {
    match &options.suite.suite[..] {
        [] => Some(PathBuf::from(".")).filter(|dir| build_of(dir).is_some()),
        [dir] => Some(dir.clone()).filter(|dir| dir.is_dir() && build_of(dir).is_some()),
        _ => None,
    }
}

/// The modules of a project that have compiled tests.
pub fn modules(dir: &Path) -> Result<Vec<Module>, String> {
    let dir = std::fs::canonicalize(dir).map_err(|e| format!("'{}': {e}", dir.display()))?;
    let (modules, command) = match build_of(&dir) {
        Some(Build::Maven) => (maven::modules(&dir)?, "mvn test-compile"),
        Some(Build::Gradle) => (gradle::modules(&dir)?, "gradle testClasses"),
        None => return Err(format!("'{}' is no Maven or Gradle project", dir.display())),
    };
    if modules.is_empty() {
        return Err(format!(
            "no compiled tests in '{}': run '{command}' there first",
            dir.display()
        ));
    }
    Ok(modules)
}

/// The options of a run of one module: those of the command line, completed by what the build says.
pub fn options_for(options: &Run, module: &Module) -> Run {
    let mut run = options.clone();
    let config = &module.config;
    run.suite.suite = module.test_classes.clone();
    let own = module.classes.iter().chain(&module.class_path);
    let mut class_path: Vec<String> = own.map(|p| p.display().to_string()).collect();
    class_path.extend(options.suite.class_path.clone());
    run.suite.class_path = Some(class_path.join(":"));
    if run.tests.include.is_empty() {
        run.tests.include = config.includes.clone();
    }
    if run.tests.exclude.is_empty() {
        run.tests.exclude = config.excludes.clone();
    }
    // The last of two options counts.
    run.vm.jvm = [&config.jvm[..], &options.vm.jvm].concat();
    let given = |key: &str| {
        let mut all = options.vm.properties.iter();
        all.any(|p| p.split('=').next() == Some(key))
    };
    let properties = config.properties.iter().filter(|(k, _)| !given(k));
    run.vm
        .properties
        .extend(properties.map(|(k, v)| format!("{k}={v}")));
    let given = |key: &str| {
        let mut all = options.conditions.identity.env.iter();
        all.any(|p| p.split('=').next() == Some(key))
    };
    let env = config.env.iter().filter(|(k, _)| !given(k));
    run.conditions
        .identity
        .env
        .extend(env.map(|(k, v)| format!("{k}={v}")));
    if run.conditions.basedir.is_none() {
        run.conditions.basedir = Some(module.dir.clone());
    }
    if run.conditions.dir.is_none() {
        let dir = config.working_dir.clone().filter(|d| d.is_dir());
        run.conditions.dir = Some(dir.unwrap_or_else(|| module.dir.clone()));
    }
    if run.report.sources.is_empty() {
        run.report.sources = module.sources.clone();
    }
    run
}
