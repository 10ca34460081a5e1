//! What a worker process needs to know, as the supervisor writes it to the worker's standard input.

use crate::cli::{Pollution, Run};
use crate::run::jvm::Conditions;
use crate::run::suite::Suite;
use poldet_junit_shim::driver::{Mode, Plan};
use poldet_junit_shim::{JUNIT_JAR, SHIM_JAR};
use poldet_records::{CaptureOptions, Rule};
use poldet_serializer::rules;
use poldet_vm::jdk::Jdk;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    pub java_home: PathBuf,
    pub jdk_release: u32,
    pub class_path: Vec<String>,
    /// How many entries of the class path, from its start, were given to be tested.
    pub tested: usize,
    pub properties: Vec<(String, String)>,
    pub module_options: Vec<(String, String)>,
    pub assertions: bool,
    pub max_heap: u64,
    pub stack: u64,
    /// Which methods are compiled: -Xint, -Xmixed or -Xcomp.
    pub compile: String,
    pub seed: u64,
    pub dir: Option<String>,
    pub write_through: bool,
    /// The folder that takes what the tests write.
    pub layer: Option<String>,
    /// Pass on what the tests print instead of collecting it.
    pub show_output: bool,
    /// Nothing when the shared state is not to be compared.
    pub capture: Option<CaptureOptions>,
    pub plan: Plan,
}

/// The options of detection; None when the shared state is not to be compared.
pub fn capture_of(options: &Pollution) -> Result<Option<CaptureOptions>, String> {
    let capture = CaptureOptions {
        strict: options.strict,
        roots: options.roots,
        show_ignored: options.show_ignored,
        graphs: false,
        verify: options.verify_capture,
        dump: None,
        rules: rules_of(options)?,
    };
    Ok((!options.no_capture).then_some(capture))
}

/// The built-in rules, changed by the user's files, then by the command line.
pub fn rules_of(options: &Pollution) -> Result<Vec<Rule>, String> {
    let mut all = rules::builtin();
    for file in &options.rules {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        rules::add(&mut all, &text).map_err(|e| format!("{name}: {e}"))?;
    }
    for pattern in &options.ignore {
        let rule = rules::rule(pattern, pattern, "Asked for on the command line.");
        all.push(rule.map_err(|e| format!("--ignore: {e}"))?);
    }
    for id in &options.disable_rule {
        rules::disable(&mut all, id)?;
    }
    Ok(all)
}

impl Spec {
    pub fn new(options: &Run, jdk: &Jdk, conditions: &Conditions, suite: &Suite) -> Result<Spec, String> {
        let mut class_path: Vec<String> = Vec::new();
        for entry in suite.entries() {
            let path = std::path::absolute(&entry.path).map_err(|e| format!("{}: {e}", entry.path))?;
            class_path.push(path.display().to_string());
        }
        if suite.needs_junit() {
            class_path.push(embedded("junit", JUNIT_JAR)?);
        }
        class_path.push(embedded("shim", SHIM_JAR)?);
        let dir = match &options.dir {
            Some(dir) => {
                let dir = std::fs::canonicalize(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
                Some(dir.display().to_string())
            }
            None => None,
        };
        Ok(Spec {
            java_home: jdk.home.clone(),
            jdk_release: jdk.feature,
            class_path,
            tested: suite.tested.len(),
            properties: conditions.properties.clone(),
            module_options: conditions.module_options.clone(),
            assertions: conditions.assertions,
            max_heap: conditions.max_heap,
            stack: conditions.stack,
            compile: conditions.compile.clone(),
            seed: options.seed,
            dir,
            write_through: options.write_through,
            layer: None,
            show_output: options.show_output,
            capture: capture_of(&options.pollution)?,
            plan: Plan {
                mode: Mode::JUnit4,
                steps: Vec::new(),
                done: BTreeSet::new(),
                banned: Vec::new(),
                timeout_nanos: (options.timeout > 0.0).then_some((options.timeout * 1e9) as u64),
            },
        })
    }
}

/// Where an embedded jar can be read by the guest: a file named by its content, written when it is missing.
fn embedded(name: &str, bytes: &[u8]) -> Result<String, String> {
    // FNV-1a: the name only has to differ between versions.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)
    });
    let uid = std::fs::metadata("/proc/self").map_or(0, |m| m.uid());
    let dir = std::env::temp_dir().join(format!("poldet-{uid}"));
    let path = dir.join(format!("{name}-{hash:016x}.jar"));
    let fail = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    match std::fs::DirBuilder::new().mode(0o700).create(&dir) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            let meta = std::fs::symlink_metadata(&dir).map_err(fail)?;
            if !meta.is_dir() || meta.uid() != uid {
                return Err(format!("{} belongs to somebody else", dir.display()));
            }
        }
        Err(e) => return Err(fail(e)),
    }
    if std::fs::read(&path).is_ok_and(|found| found == bytes) {
        return Ok(path.display().to_string());
    }
    write_whole(&dir, &path, bytes).map_err(fail)?;
    Ok(path.display().to_string())
}

/// Other runs may be reading the file: it appears at once or not at all.
fn write_whole(dir: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let part = dir.join(format!(".{}.part", std::process::id()));
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, path)
}
