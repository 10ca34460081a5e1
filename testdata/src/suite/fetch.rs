//! Fetches jars from Maven Central into a cache outside the repository.

use crate::compile::Jdk;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `$POLDET_CACHE`, else `~/.cache/poldet`; `scripts/parity` uses the same.
pub fn cache() -> PathBuf {
    if let Some(dir) = std::env::var_os("POLDET_CACHE").filter(|d| !d.is_empty()) {
        return dir.into();
    }
    let home = std::env::var_os("HOME").unwrap_or_else(|| "/tmp".into());
    Path::new(&home).join(".cache/poldet")
}

/// The path of `group:artifact:version[:classifier]` below a Maven repository.
fn path_of(coordinates: &str) -> Result<String, String> {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let (group, artifact, version, classifier) = match parts[..] {
        [group, artifact, version] => (group, artifact, version, String::new()),
        [group, artifact, version, classifier] => (group, artifact, version, format!("-{classifier}")),
        _ => {
            return Err(format!(
                "{coordinates:?} is not group:artifact:version[:classifier]"
            ));
        }
    };
    let group = group.replace('.', "/");
    Ok(format!(
        "{group}/{artifact}/{version}/{artifact}-{version}{classifier}.jar"
    ))
}

/// The files of `coordinates`, fetched when the cache has them not; what is missing and why, when that fails.
pub fn jars(jdk: &Jdk, coordinates: &[String]) -> Result<Vec<PathBuf>, String> {
    let central = std::env::var("MAVEN_CENTRAL").unwrap_or_else(|_| "https://repo1.maven.org/maven2".into());
    let paths = coordinates
        .iter()
        .map(|c| path_of(c))
        .collect::<Result<Vec<_>, _>>()?;
    let files: Vec<PathBuf> = paths.iter().map(|p| cache().join("m2").join(p)).collect();
    let mut fetch = Command::new(&jdk.java);
    fetch.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("hotspot/Fetch.java"));
    let mut missing = false;
    for (path, file) in paths.iter().zip(&files) {
        if !file.is_file() {
            fetch.arg(format!("{central}/{path}")).arg(file);
            missing = true;
        }
    }
    if !missing {
        return Ok(files);
    }
    let output = fetch
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", jdk.java.display()))?;
    if output.status.success() {
        return Ok(files);
    }
    let error = String::from_utf8_lossy(&output.stderr);
    let line = error.lines().find(|l| l.contains("Exception")).unwrap_or("");
    Err(format!("cannot fetch from {central}: {line}"))
}
