//! Compiles generated programs, runs them on HotSpot and on poldet in its three modes, and compares the checksums.

use super::{Generated, program};
use crate::compile::{self, Jdk};
use crate::engine::same_everywhere;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Poldet's modes, as options of `exec`.
pub const MODES: [&str; 3] = ["-Xmixed", "-Xint", "-Xcomp"];

/// What a run of generated programs takes.
pub struct Judge {
    pub jdk: Jdk,
    pub poldet: PathBuf,
    /// Sources and classes go here; those of programs without a difference are removed.
    pub folder: PathBuf,
}

/// How one program came out.
pub struct Verdict {
    pub seed: u64,
    /// How many method bodies ran.
    pub bodies: usize,
    /// One line each; none where poldet did the same as HotSpot.
    pub differences: Vec<String>,
}

impl Judge {
    /// Runs the program of a seed everywhere. An error is one of the machine, or of the generator.
    pub fn judge(&self, seed: u64, methods: usize) -> Result<Verdict, String> {
        let generated = program(seed, methods);
        let folder = self.folder.join(format!("seed-{seed}"));
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let source = folder.join(format!("{}.java", generated.class));
        fs::write(&source, &generated.source).map_err(|e| format!("{}: {e}", source.display()))?;
        let classes = compile::sources_into(&self.jdk, &[], &[&source], &folder, "classes")?;
        let mut java = Command::new(&self.jdk.java);
        // HotSpot leaves out messages and stack traces of exceptions that compiled code throws often.
        java.args([
            "-XX:-OmitStackTraceInFastThrow",
            "-Xss8m",
            "-XX:TieredStopAtLevel=1",
        ]);
        let expected = checksums(java, &classes, &generated.class);
        match &expected {
            Ok(sums) if sums.len() != generated.methods.len() => {
                return Err(format!("java printed {} checksums", sums.len()));
            }
            // javac writes a class now and then that no verifier takes; it is to be refused in the same words.
            Err(why) if !why.contains("VerifyError") => return Err(why.clone()),
            _ => {}
        }
        let mut differences = Vec::new();
        for mode in MODES {
            let mut poldet = Command::new(&self.poldet);
            poldet.args(["exec", mode]);
            let found = checksums(poldet, &classes, &generated.class);
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => differences.extend(compare(&generated, mode, expected, found)),
                (Err(one), Err(other)) if one == other => {}
                (_, Err(why)) => differences.push(format!("seed {seed}, {mode}: {why}")),
                (Err(why), _) => differences.push(format!("seed {seed}, {mode}: java says {why}")),
            }
        }
        if differences.is_empty() {
            // A folder that cannot be removed takes room, nothing else.
            let _ = fs::remove_dir_all(&folder);
        }
        Ok(Verdict {
            seed,
            bodies: if expected.is_ok() { generated.bodies } else { 0 },
            differences,
        })
    }
}

/// The checksum of every method, by number.
fn checksums(mut command: Command, classes: &Path, class: &str) -> Result<BTreeMap<usize, String>, String> {
    command.arg("-cp").arg(classes).arg(class).stdin(Stdio::null());
    same_everywhere(&mut command);
    let output = command
        .output()
        .map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first: Vec<&str> = said.lines().take(5).collect();
        return Err(format!("{}: {}", output.status, first.join(" / ")));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    Ok(printed
        .lines()
        .filter_map(|line| {
            let (number, sum) = line.split_once(' ')?;
            Some((number.parse().ok()?, sum.to_owned()))
        })
        .collect())
}

fn compare(
    generated: &Generated,
    mode: &str,
    expected: &BTreeMap<usize, String>,
    found: &BTreeMap<usize, String>,
) -> Vec<String> {
    let differs = |&(number, sum): &(&usize, &String)| found.get(number) != Some(sum);
    expected
        .iter()
        .filter(differs)
        .map(|(number, _)| {
            format!(
                "{} {mode}: method {} differs (run both with the argument {number})",
                generated.class, generated.methods[*number]
            )
        })
        .collect()
}
