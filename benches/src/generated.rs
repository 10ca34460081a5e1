//! What benches on suites that are made for them share: a folder, the command, and a compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What a bench works with.
pub struct Bench {
    /// The command, the first argument where there is one.
    pub poldet: PathBuf,
    pub sources: PathBuf,
    pub classes: PathBuf,
    /// Removed at the end.
    pub work: PathBuf,
}

/// Runs a bench in a folder of its own.
pub fn bench(name: &str, run: impl FnOnce(&Bench) -> Result<(), String>) -> ExitCode {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/poldet");
    let work = std::env::temp_dir().join(format!("poldet-bench-{name}-{}", std::process::id()));
    let bench = Bench {
        poldet: std::env::args().nth(1).map_or_else(built, PathBuf::from),
        sources: work.join("src"),
        classes: work.join("classes"),
        work,
    };
    let done = run(&bench);
    let _ = std::fs::remove_dir_all(&bench.work);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{name}: {why}");
            ExitCode::FAILURE
        }
    }
}

impl Bench {
    /// Writes these classes and compiles them.
    pub fn compile(&self, classes: impl IntoIterator<Item = (String, String)>) -> Result<(), String> {
        let fail = |e: std::io::Error| e.to_string();
        std::fs::create_dir_all(&self.sources).map_err(fail)?;
        let junit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../junit-shim/jars/junit.jar");
        let mut javac = Command::new("javac");
        javac.arg("-g").arg("-cp").arg(junit).arg("-d").arg(&self.classes);
        for (name, text) in classes {
            let file = self.sources.join(format!("{name}.java"));
            std::fs::write(&file, text).map_err(fail)?;
            javac.arg(file);
        }
        match javac.status().map_err(fail)?.success() {
            true => Ok(()),
            false => Err("javac failed".into()),
        }
    }

    /// A command of poldet's on the classes.
    pub fn poldet(&self, name: &str) -> Command {
        let mut command = Command::new(&self.poldet);
        command.arg(name).arg(&self.classes);
        command
    }
}
