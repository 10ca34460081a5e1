//! The programs that show poldet's VM behaves as HotSpot does, and what it takes to run and compare them.
//!
//! A program is one file `jvm/<area>/<Name>.java`; its expected standard output lies beside it as `<Name>.out`, its
//! expected standard error, when there is any, as `<Name>.err`. Both were written by HotSpot 17, never by hand. Files
//! for other versions of the JDK have them in their names (`compare`).

pub mod compare;
pub mod compile;
pub mod engine;
pub mod generate;
pub mod inject;
pub mod jars;
pub mod known;
pub mod need;
pub mod pool;
pub mod program;
pub mod suite;

pub use compare::{Difference, Expected};
pub use engine::{Engine, Outcome};
pub use known::Known;
pub use program::Program;

use std::path::{Path, PathBuf};

/// The folder that holds the programs.
pub fn programs_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("jvm")
}

/// The file that lists the programs the VM is known not to get right yet.
pub fn known_failing_file() -> PathBuf {
    programs_dir().join("known-failing.txt")
}

/// The file that lists the programs whose expected output holds for JDK 17 only.
pub fn jdk_17_only_file() -> PathBuf {
    programs_dir().join("jdk-17-only.txt")
}

/// The file that lists the programs whose expected output needs all of a JDK.
pub fn whole_jdk_only_file() -> PathBuf {
    programs_dir().join("whole-jdk-only.txt")
}

/// Where compiled classes and scratch folders go: below the build folder, so that cleaning a build cleans them too.
pub fn cache_dir() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"));
    target.join("jvm-programs")
}
