//! What a worker process needs to know, as the supervisor sends it.

use crate::cache::probe::ProbeCache;
use crate::cli::{CaptureArgs, ConditionArgs, Run};
use crate::run::overlay::{self, Overlay};
use crate::run::shown::Paths;
use crate::run::suite::Suite;
use crate::sandbox::{self, Sandbox};
use crate::vm_options::{self, VmOptions};
use poldet_junit_shim::driver::{Mode, Plan};
use poldet_junit_shim::{JUNIT_JAR, SHIM_JAR};
use poldet_records::{CaptureOptions, Network, SanitiseOptions};
use poldet_serializer::rules::{self, Book};
use poldet_vm::host::env::Identity;
use poldet_vm::host::stdio::Input;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spec {
    pub vm: VmOptions,
    pub class_path: Vec<String>,
    /// The entries of the class path whose classes are the suite's own: what was given to be tested, and all folders, since
    /// libraries come in archives.
    pub own: Vec<String>,
    pub dir: Option<String>,
    pub write_through: bool,
    /// What the tests read from standard input.
    #[serde(default)]
    pub stdin: Stdin,
    /// The folder that takes what the tests write.
    pub overlay: Option<String>,
    /// How many bytes it may hold.
    pub overlay_limit: u64,
    pub sandbox: Sandbox,
    /// Who the tests are run as.
    pub identity: Identity,
    /// Files that the tests see at another path than where they are: theirs, then the real one.
    pub aliases: Vec<(String, String)>,
    /// Pass on what the tests print instead of collecting it.
    pub show_output: bool,
    /// Nothing when the shared state is not to be compared.
    pub capture: Option<CaptureOptions>,
    /// Nothing when failures are not put down to assumptions.
    #[serde(default)]
    pub sanitise: Option<SanitiseOptions>,
    #[serde(default)]
    pub network: Network,
    pub plan: Plan,
    /// Report what is used: files, classes, programs.
    #[serde(default)]
    pub uses: bool,
    /// Where the reports of processes are known.
    #[serde(skip)]
    pub probes: Option<Arc<ProbeCache>>,
    /// What the tests see at other paths than where it is.
    #[serde(default)]
    pub paths: Paths,
    /// Classes that are defined in place of those found: internal names, and files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<(String, String)>,
}

/// Standard input of the tests.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stdin {
    /// Open, and nothing ever comes, as under Surefire.
    #[default]
    Silent,
    Closed,
    File(PathBuf),
}

impl Stdin {
    fn of(option: Option<&Path>) -> Result<Stdin, String> {
        let Some(path) = option else {
            return Ok(Stdin::Silent);
        };
        if path == Path::new("closed") {
            return Ok(Stdin::Closed);
        }
        let path = std::path::absolute(path).map_err(|e| format!("--stdin {}: {e}", path.display()))?;
        let stdin = Stdin::File(path);
        stdin.open()?;
        Ok(stdin)
    }

    /// As the VM takes it.
    pub fn open(&self) -> Result<Input, String> {
        match self {
            Stdin::Silent => Ok(Input::Silent),
            Stdin::Closed => Ok(Input::Closed),
            Stdin::File(path) => std::fs::read(path)
                .map(Input::given)
                .map_err(|e| format!("--stdin {}: {e}", path.display())),
        }
    }
}

/// The options of detection; None when the shared state is not to be compared.
fn capture_of(options: &Run) -> Result<Option<CaptureOptions>, String> {
    let args = &options.capture;
    let book = book_of(args)?;
    let capture = CaptureOptions {
        strict: args.strict,
        roots: args.roots,
        definition: args.definition,
        all: args.all,
        show_ignored: args.show_ignored,
        graphs: options.report.html.is_some(),
        verify: args.verify_capture,
        dump: None,
        rules: book.ignore,
        known: book.known,
    };
    Ok((!args.no_capture).then_some(capture))
}

/// The built-in rules and knowledge, changed by the user's files, then by the command line.
pub fn book_of(options: &CaptureArgs) -> Result<Book, String> {
    let mut book = Book::builtin().map_err(|e| format!("internal error: {e}"))?;
    for file in &options.rules {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        book.add(&text).map_err(|e| format!("{name}: {e}"))?;
    }
    for pattern in &options.ignore {
        let rule = rules::rule(pattern, pattern, "Asked for on the command line.");
        book.push(rule.map_err(|e| format!("--ignore: {e}"))?);
    }
    for id in &options.disable_rule {
        book.disable(id)?;
    }
    Ok(book)
}

impl Spec {
    /// The class path as it is on this machine: some of its jars have other paths for the tests.
    pub fn real_class_path(&self) -> Vec<String> {
        let real = |path: &String| {
            let alias = self.aliases.iter().find(|(shown, _)| shown == path);
            alias.map_or(path, |(_, real)| real).clone()
        };
        self.class_path.iter().map(real).collect()
    }

    /// In the worker, where all is shown as `paths` says: the specification in terms of what the tests see.
    pub fn show(&mut self) {
        let paths = std::mem::take(&mut self.paths);
        let here = || std::env::current_dir().ok()?.to_str().map(str::to_owned);
        self.dir = self.dir.take().or_else(here).map(|dir| paths.shown(&dir));
        let lists = [&mut self.class_path, &mut self.own];
        let inside = self.sanitise.as_mut().map(|s| &mut s.inside);
        for path in lists.into_iter().chain(inside).flatten() {
            *path = paths.shown(path);
        }
        let values = self.vm.properties.iter_mut().chain(&mut self.identity.vars);
        for (_, value) in values {
            *value = paths.shown_in(value);
        }
        self.vm.java_home = paths.shown(&self.vm.java_home.display().to_string()).into();
        self.paths = paths;
    }

    /// The specification with its overlay, which the sandbox must leave writable.
    pub fn in_overlay(mut self, overlay: Option<&Overlay>) -> Spec {
        self.overlay = overlay.map(|o| o.dir.display().to_string());
        let place = overlay.and_then(|o| o.dir.parent()).map(Path::to_owned);
        let dump = self
            .capture
            .as_ref()
            .and_then(|c| c.dump.as_ref())
            .map(PathBuf::from);
        // Real files can be written everywhere then, and this is a part of the /dev that the sandbox replaces.
        let shm = PathBuf::from("/dev/shm");
        let shm = Some(shm).filter(|shm| self.write_through && shm.is_dir());
        self.sandbox.writable = place.into_iter().chain(dump).chain(shm).collect();
        self
    }

    pub fn new(options: &Run, vm: VmOptions, identity: Identity, suite: &Suite) -> Result<Spec, String> {
        let mut class_path: Vec<String> = Vec::new();
        let mut own: Vec<String> = Vec::new();
        for entry in suite.entries() {
            let path = std::path::absolute(&entry.path).map_err(|e| format!("{}: {e}", entry.path))?;
            let path = path.display().to_string();
            class_path.push(path);
        }
        for entry in suite.own() {
            let path = std::path::absolute(&entry.path).map_err(|e| format!("{}: {e}", entry.path))?;
            own.push(path.display().to_string());
        }
        let mut aliases = Vec::new();
        let jars = [
            ("junit", JUNIT_JAR, suite.needs_junit()),
            ("shim", SHIM_JAR, true),
        ];
        for (name, bytes, _) in jars.into_iter().filter(|jar| jar.2) {
            // Where it really is depends on the user and on TMPDIR.
            let path = format!("/poldet/{name}.jar");
            aliases.push((path.clone(), embedded(name, bytes)?));
            class_path.push(path);
        }
        let conditions = &options.conditions;
        let dir = match &conditions.dir {
            Some(dir) => {
                let dir = std::fs::canonicalize(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
                Some(dir.display().to_string())
            }
            None => None,
        };
        let timeout = conditions.timeout;
        let paths = match conditions.fixed_paths() {
            true => {
                let here = dir.as_ref().map(PathBuf::from);
                let here = here.map_or_else(std::env::current_dir, Ok);
                let here = here.map_err(|e| format!("no working folder: {e}"))?;
                Paths::new(&here, &vm.java_home, class_path.iter().map(String::as_str))
            }
            false => Paths::default(),
        };
        Ok(Spec {
            vm,
            class_path,
            own,
            dir,
            write_through: conditions.write_through,
            stdin: Stdin::of(conditions.stdin.as_deref())?,
            overlay: None,
            overlay_limit: overlay_limit(conditions)?,
            sandbox: Sandbox {
                on: conditions.sandbox != sandbox::Mode::Off,
                write_through: conditions.write_through,
                network: false,
                writable: Vec::new(),
                shown: paths.mounts.clone(),
            },
            paths,
            identity,
            aliases,
            show_output: options.report.show_output,
            capture: capture_of(options)?,
            sanitise: None,
            network: Network::default(),
            plan: Plan {
                mode: Mode::JUnit4,
                steps: Vec::new(),
                done: BTreeSet::new(),
                banned: Vec::new(),
                timeout_nanos: (timeout > 0.0).then_some((timeout * 1e9) as u64),
                sanitise: false,
            },
            replaced: Vec::new(),
            uses: false,
            probes: None,
        })
    }
}

/// The size of an overlay; all of this process are where there is room for one.
fn overlay_limit(conditions: &ConditionArgs) -> Result<u64, String> {
    let text = &conditions.overlay_limit;
    let limit = vm_options::size(text).map_err(|_| format!("--overlay-limit '{text}': not a size"))?;
    overlay::set_room(limit);
    Ok(limit)
}

/// The property `basedir`, as Maven sets it.
pub fn basedir(conditions: &ConditionArgs) -> Result<String, String> {
    let dir = conditions.dir.as_deref();
    let dir = dir.map_or_else(std::env::current_dir, std::path::absolute);
    let dir = dir.map_err(|e| format!("no working folder: {e}"))?;
    Ok(conditions
        .basedir
        .as_deref()
        .unwrap_or(&dir)
        .display()
        .to_string())
}

/// Where an embedded jar can be read by the guest: a file named by its content, written when it is missing.
pub(crate) fn embedded(name: &str, bytes: &[u8]) -> Result<String, String> {
    // FNV-1a: the name only has to differ between versions.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3)
    });
    let uid = std::fs::metadata("/proc/self").map_or(0, |m| m.uid());
    let dir = std::env::temp_dir().join(format!("poldet-{uid}"));
    let path = dir.join(format!("{name}-{hash:016x}.jar"));
    let fail = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    match std::fs::DirBuilder::new().mode(0o700).create(&dir) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            let meta = std::fs::symlink_metadata(&dir).map_err(fail)?;
            if !meta.is_dir() || meta.uid() != uid {
                return Err(format!("{} belongs to somebody else", dir.display()));
            }
        }
        Err(e) => return Err(fail(e)),
    }
    if std::fs::read(&path).is_ok_and(|found| found == bytes) {
        return Ok(path.display().to_string());
    }
    write_whole(&dir, &path, bytes).map_err(fail)?;
    Ok(path.display().to_string())
}

/// Other runs may be reading the file: it appears at once or not at all.
fn write_whole(dir: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let part = dir.join(format!(".{}.part", std::process::id()));
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, path)
}
