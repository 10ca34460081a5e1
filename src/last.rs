//! The last run is kept: in `.poldet/` of a project, else below the user's state folder, by the current folder.

use crate::report::{ReportError, Reporter, json};
use crate::run::results::Results;
use std::path::{Path, PathBuf};

const FILE: &str = "last.json";

/// Keeps the run; where that cannot be done, nothing is lost but the convenience.
pub struct Keep {
    file: PathBuf,
}

impl Keep {
    pub fn new(project: Option<&Path>) -> Option<Keep> {
        let file = match project {
            Some(dir) => dir.join(".poldet").join(FILE),
            None => state_file()?,
        };
        Some(Keep { file })
    }
}

impl Reporter for Keep {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        if let Some(dir) = self.file.parent()
            && std::fs::create_dir_all(dir).is_ok()
        {
            let part = dir.join(format!(".{}.part", std::process::id()));
            let written = std::fs::write(&part, json::text(&results.document));
            // It appears at once or not at all.
            let _ = written.and_then(|()| std::fs::rename(&part, &self.file));
            if dir.ends_with(".poldet") {
                let _ = std::fs::write(dir.join(".gitignore"), "*\n");
            }
        }
        Ok(())
    }
}

/// The file for runs in the current folder that belong to no project.
fn state_file() -> Option<PathBuf> {
    let home = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    let state = home("XDG_STATE_HOME").or_else(|| Some(home("HOME")?.join(".local/state")))?;
    let here = std::env::current_dir().ok()?;
    let digest = blake3::hash(here.display().to_string().as_bytes()).to_hex();
    Some(state.join("poldet").join(&digest[..16]).join(FILE))
}

/// Where the last run of this folder, or of the project around it, is kept.
pub fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let of_project = here.ancestors().map(|d| d.join(".poldet").join(FILE));
    let mut candidates: Vec<PathBuf> = of_project.chain(state_file()).filter(|f| f.is_file()).collect();
    let age = |f: &PathBuf| std::fs::metadata(f).and_then(|m| m.modified()).ok();
    candidates.sort_by_key(age);
    candidates.pop()
}
