//! Compiles an area's programs with one run of `javac`, and keeps the classes until a source changes.

use crate::program::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release that programs are compiled for unless their area says another.
const RELEASE: u32 = 17;

/// The JDK's launcher and compiler.
#[derive(Debug, Clone)]
pub struct Jdk {
    pub java: PathBuf,
    pub javac: PathBuf,
}

/// A release of the JDK and its update: 17 and 21 of `17.0.21`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub feature: u32,
    pub update: u32,
}

impl Version {
    /// Reads `17`, `17.0.21`, `21-ea`.
    pub fn parse(text: &str) -> Option<Version> {
        let mut numbers = text
            .split(|c: char| !c.is_ascii_digit())
            .map_while(|n| n.parse().ok());
        Some(Version {
            feature: numbers.next()?,
            update: numbers.nth(1).unwrap_or(0),
        })
    }
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, else the one on the path; nothing when there is no compiler. A runtime without a compiler
    /// is a JDK with that of `POLDET_JAVAC`.
    pub fn find() -> Option<Jdk> {
        let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let other = std::env::var_os("POLDET_JAVAC").map(PathBuf::from);
        home.into_iter()
            .chain(std::env::split_paths(&path))
            .map(|dir| Jdk {
                java: dir.join("java"),
                javac: other.clone().unwrap_or_else(|| dir.join("javac")),
            })
            .find(|jdk| jdk.java.is_file() && jdk.javac.is_file())
    }

    /// Whether it has a compiler of its own: runtimes that were made without one lack other modules, and names for
    /// debuggers, too.
    pub fn is_whole(&self) -> bool {
        let java = fs::canonicalize(&self.java).unwrap_or_else(|_| self.java.clone());
        java.with_file_name("javac").is_file()
    }

    /// What the JDK's `release` file says of its version.
    pub fn version(&self) -> Result<Version, String> {
        let java = fs::canonicalize(&self.java).map_err(|e| format!("{}: {e}", self.java.display()))?;
        let home = java.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        let file = home.join("release");
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        text.lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION="))
            .and_then(|value| Version::parse(value.trim_matches('"')))
            .ok_or_else(|| format!("{} has no JAVA_VERSION", file.display()))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.update {
            0 => write!(f, "{}", self.feature),
            update => write!(f, "{}.0.{update}", self.feature),
        }
    }
}

/// Compiles `programs`, all of one area, and answers the folder of their classes.
///
/// An area may hold a file `javac.txt` with further options for its one compiler run.
pub fn area(jdk: &Jdk, programs: &[&Program], cache: &Path) -> Result<PathBuf, String> {
    let Some(first) = programs.first() else {
        return Err("no programs to compile".into());
    };
    let options = area_options(first);
    let sources: Vec<&Path> = programs.iter().map(|p| p.source.as_path()).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    sources_into(jdk, &options, &sources, &cache.join("classes"), &first.area)
}

/// The options that a program's area has for the compiler.
fn area_options(program: &Program) -> Vec<String> {
    let folder = program.source.parent().unwrap_or(Path::new("."));
    let options = fs::read_to_string(folder.join("javac.txt")).unwrap_or_default();
    options.split_whitespace().map(String::from).collect()
}

/// The release that a program is compiled for, and whether it uses its preview features: then no other JDK runs it.
pub fn release_of(program: &Program) -> (u32, bool) {
    let options = area_options(program);
    let release = options.iter().skip_while(|o| *o != "--release").nth(1);
    let release = release.and_then(|r| r.parse().ok()).unwrap_or(RELEASE);
    (release, options.iter().any(|o| o == "--enable-preview"))
}

/// Compiles `sources` into a folder of `cache` that bears `name` and a fingerprint of all that went in.
pub fn sources_into(
    jdk: &Jdk,
    options: &[&str],
    sources: &[&Path],
    cache: &Path,
    name: &str,
) -> Result<PathBuf, String> {
    let mut print = Fingerprint::new();
    print.add(options.join(" ").as_bytes());
    print.add(jdk.javac.to_string_lossy().as_bytes());
    for source in sources {
        print.add(source.to_string_lossy().as_bytes());
        print.add(&fs::read(source).map_err(|e| format!("{}: {e}", source.display()))?);
    }
    let done = cache.join(format!("{name}-{:016x}", print.0));
    if done.is_dir() {
        return Ok(done);
    }
    let fresh = cache.join(format!("{name}-{}.tmp", std::process::id()));
    fs::create_dir_all(&fresh).map_err(|e| format!("{}: {e}", fresh.display()))?;
    javac(jdk, options, sources, &fresh)?;
    // Another process may have finished the same work first: its classes are as good as ours.
    if fs::rename(&fresh, &done).is_err() {
        let _ = fs::remove_dir_all(&fresh);
    }
    Ok(done)
}

fn javac(jdk: &Jdk, options: &[&str], sources: &[&Path], into: &Path) -> Result<(), String> {
    let mut command = Command::new(&jdk.javac);
    if !options.contains(&"--release") {
        command.args(["--release", &RELEASE.to_string()]);
    }
    let output = command
        .args(["-nowarn", "-proc:none", "-encoding", "UTF-8"])
        .args(options)
        .arg("-d")
        .arg(into)
        .args(sources)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", jdk.javac.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let _ = fs::remove_dir_all(into);
    Err(format!(
        "javac failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// FNV-1a: enough to tell one state of the sources from another.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Compiles the tests of a folder, and of folders in it, against the built-in JUnit; None where there is no compiler.
///
/// # Panics
/// If they do not compile.
pub fn junit_classes(sources: &Path, into: &Path) -> Option<PathBuf> {
    let jdk = crate::need::javac()?;
    let junit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../junit-shim/jars/junit.jar");
    let mut files = Vec::new();
    let mut folders = vec![sources.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the sources are there") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    let junit = junit.to_str().expect("a path in UTF-8").to_owned();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    javac(&jdk, &["-cp", &junit], &files, into).expect("the tests compile");
    Some(into.to_owned())
}
