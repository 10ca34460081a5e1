//! Asks a build tool, offline first, and keeps its answer until a build file or a source changes.

use super::Module;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program to be found: a wrapper in the project, or on the path.
pub fn program(dir: &Path, wrapper: &str, name: &str) -> PathBuf {
    let mut at = Some(dir);
    while let Some(folder) = at {
        let file = folder.join(wrapper);
        if file.is_file() {
            return file;
        }
        at = folder.parent();
    }
    PathBuf::from(name)
}

/// Runs the tool without the network, and with it if that fails; the answer is what it printed.
pub fn ask(dir: &Path, program: &Path, offline: &str, args: &[String]) -> Result<String, String> {
    let name = program.display();
    let mut why = String::new();
    for offline in [Some(offline), None] {
        let output = Command::new(program)
            .args(offline)
            .args(args)
            .current_dir(dir)
            .stdin(Stdio::null())
            .output();
        let output = output.map_err(|e| {
            format!("cannot run '{name}': {e}; give the compiled tests and their class path instead: poldet run CLASSES --cp @FILE")
        })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        why = told(&format!("{text}\n{errors}"));
    }
    Err(format!("'{name}' failed in '{}': {why}", dir.display()))
}

/// The line of a tool's output that says what is wrong.
fn told(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|l| !l.is_empty());
    let clean = |l: &str| {
        let l = l.trim_start_matches("[ERROR]").trim_start_matches("> ").trim();
        l.chars()
            .filter(|c| !c.is_control())
            .take(300)
            .collect::<String>()
    };
    let goal = lines().find(|l| l.starts_with("[ERROR] Failed to execute goal"));
    let error = goal.or_else(|| lines().find(|l| l.starts_with("[ERROR]") || l.starts_with("> ")));
    error
        .or_else(|| lines().next_back())
        .map_or_else(|| "it said nothing".into(), clean)
}

/// The digest of build files, for what is kept.
pub fn digest(files: &[PathBuf]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(file.display().to_string().as_bytes());
        hasher.update(&std::fs::read(file).unwrap_or_default());
    }
    hasher.finalize().to_hex().to_string()
}

/// The modules of the answer that is kept, or of a new one: where nothing is kept, the build files are others, compiled tests are
/// gone, or a source is newer than the answer. The tools compile when asked, so that no run is one of classes that are out of date.
pub fn answered(
    file: &Path,
    digest: &str,
    ask: impl FnOnce() -> Result<String, String>,
    read: impl Fn(&str) -> Result<Vec<Module>, String>,
) -> Result<Vec<Module>, String> {
    if let Some(answer) = kept(file, digest) {
        let modules = read(&answer)?;
        let sources: Vec<&PathBuf> = modules.iter().flat_map(|m| &m.sources).collect();
        if !modules.is_empty() && !any_newer(&sources, file) {
            return Ok(modules);
        }
    }
    let answer = ask()?;
    keep(file, digest, &answer);
    read(&answer)
}

/// Is a file or folder in these folders newer than the file? A folder is newer when something in it came or went.
fn any_newer(dirs: &[&PathBuf], file: &Path) -> bool {
    let time = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let Some(made) = time(file) else { return true };
    let mut work: Vec<PathBuf> = dirs.iter().map(|d| (*d).clone()).collect();
    while let Some(folder) = work.pop() {
        if time(&folder).is_some_and(|t| t > made) {
            return true;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                work.push(path);
            } else if time(&path).is_some_and(|t| t > made) {
                return true;
            }
        }
    }
    false
}

/// What was kept under a digest.
fn kept(file: &Path, digest: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let (first, rest) = text.split_once('\n')?;
    (first == digest).then(|| rest.to_owned())
}

/// Keeps an answer; where that cannot be done, the tool is asked again next time.
fn keep(file: &Path, digest: &str, answer: &str) {
    if let Some(dir) = file.parent() {
        let _ = std::fs::create_dir_all(dir);
    }
    let _ = std::fs::write(file, format!("{digest}\n{answer}"));
}

/// All files of these names in the project, but for what builds make.
pub fn build_files(dir: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    const DEEPEST: usize = 6;
    let mut found = Vec::new();
    let mut work = vec![(dir.to_owned(), 0)];
    while let Some((folder, depth)) = work.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            let made =
                name.starts_with('.') || matches!(name.as_str(), "target" | "build" | "src" | "node_modules");
            if kind.is_dir() && !made && depth < DEEPEST {
                work.push((entry.path(), depth + 1));
            } else if kind.is_file() && is_wanted(&name) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_told() {
        let text = "[INFO] x\n[ERROR] Failed to execute goal y\n[ERROR] z\n";
        assert_eq!(told(text), "Failed to execute goal y");
        assert_eq!(told("a\nb\n"), "b");
    }

    #[test]
    fn an_answer_is_kept_for_its_digest() {
        let file = std::env::temp_dir().join(format!("poldet-kept-{}", std::process::id()));
        keep(&file, "d1", "a\nb");
        assert_eq!(kept(&file, "d1").as_deref(), Some("a\nb"));
        assert_eq!(kept(&file, "d2"), None);
        let sources = std::env::temp_dir().join(format!("poldet-sources-{}", std::process::id()));
        std::fs::create_dir_all(&sources).expect("a folder");
        let old = std::fs::File::open(&sources).expect("a folder");
        old.set_modified(std::time::UNIX_EPOCH).expect("a time");
        assert!(!any_newer(&[&sources], &file));
        std::fs::write(sources.join("A.java"), "").expect("written");
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
        let new = std::fs::File::options().append(true).open(sources.join("A.java"));
        new.expect("a file").set_modified(later).expect("a time");
        old.set_modified(std::time::UNIX_EPOCH).expect("a time");
        assert!(any_newer(&[&sources], &file));
        std::fs::remove_dir_all(&sources).expect("removed");
        std::fs::remove_file(&file).expect("removed");
    }
}
