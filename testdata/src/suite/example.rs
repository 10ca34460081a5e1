//! The example suite of the README: Java sources, and the jar made of them that is kept in the repository so that
//! poldet can be tried without a compiler.

use super::{build, jar};
use crate::compile::{self, Jdk};
use std::path::{Path, PathBuf};

/// The release of the compiler the jar was made with: another may write other class files.
pub const JAR_COMPILER: u32 = 17;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("example")
}

/// The jar in the repository.
pub fn jar_file() -> PathBuf {
    folder().join("example.jar")
}

/// Makes the jar anew from its sources.
pub fn jar_bytes(jdk: &Jdk, cache: &Path) -> Result<Vec<u8>, String> {
    let api = build::builtin_api(jdk, cache)?;
    let mut sources = Vec::new();
    super::java_files(&folder().join("src"), &mut sources).map_err(|e| e.to_string())?;
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let path = build::class_path(&[api]);
    let classes = compile::sources_into(
        jdk,
        &["-g", "-cp", &path],
        &sources,
        &cache.join("classes"),
        "example",
    )?;
    let mut entries = jar::files(&classes).map_err(|e| e.to_string())?;
    entries.push(jar::manifest());
    Ok(jar::of(&entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jar_is_what_its_sources_make() {
        let Some(jdk) = crate::need::javac_of(JAR_COMPILER) else {
            return;
        };
        let fresh = jar_bytes(&jdk, &crate::cache_dir().join("example")).expect("the example compiles");
        let kept = std::fs::read(jar_file()).expect("the jar is there");
        assert!(
            fresh == kept,
            "testdata/example/example.jar is not what its sources make; `cargo run -p poldet-testdata --bin example-jar` writes it anew"
        );
    }
}
