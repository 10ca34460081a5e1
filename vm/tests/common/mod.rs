//! What the tests over whole JDK images share.

use poldet_vm::jimage::JImage;
use std::path::{Path, PathBuf};

/// The image of the JDK of this version, or `None` with a message: the test is then skipped.
pub fn image(feature: u32) -> Option<JImage> {
    let Some(home) = jdk_home(feature) else {
        eprintln!("skipped: no JDK {feature} on this machine");
        return None;
    };
    Some(JImage::open(&home.join("lib/modules")).expect("a readable image"))
}

pub fn jdk_home(feature: u32) -> Option<PathBuf> {
    let given = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let mut usual: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    usual.sort();
    let has_version = |home: &Path| poldet_vm::jdk::Jdk::at(home).is_ok_and(|jdk| jdk.feature == feature);
    given.into_iter().chain(usual).find(|home| has_version(home))
}
