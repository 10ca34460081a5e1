//! Finds the JDKs that tests run against.

use poldet_vm::jdk::Jdk;
use std::path::{Path, PathBuf};

pub fn jdk_home(feature: u32) -> Option<PathBuf> {
    let given = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let mut usual: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    usual.sort();
    let has_version = |home: &Path| Jdk::at(home).is_ok_and(|jdk| jdk.feature == feature);
    given.into_iter().chain(usual).find(|home| has_version(home))
}
