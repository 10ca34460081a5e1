//! Results of earlier runs. A run is a function of its inputs, so the same inputs give the same result without running again.
//!
//! The key is a digest over poldet, the JDK, the class path in its order, the options and the seed. An entry says besides which
//! files outside of these its tests asked for, and counts only while they are as they were. What is not determined by all this
//! is not kept: runs with the real network, real files or the machine's identity, with programs started by tests, with tests
//! that timed out or crashed, and interrupted ones.

pub mod command;
pub mod digest;
pub mod outside;
pub mod probe;
pub mod run;
pub mod search;
pub mod shape;
pub mod store;

use crate::cli::{CacheArgs, Run};
use crate::run::spec::{Spec, Stdin};
use crate::sandbox;
use crate::vm_options;
use digest::Digests;
use outside::Outside;
use poldet_records::NetworkMode;
use std::path::PathBuf;
use store::Store;

/// The variable that says where entries are kept, or `off`.
const VARIABLE: &str = "POLDET_RESULTS";

pub struct Cache {
    store: Store,
    pub digests: Digests,
}

impl Cache {
    /// As the options say; none where there is to be none, or no place for one.
    pub fn of(args: &CacheArgs) -> Result<Option<Cache>, String> {
        let (Some(dir), given) = place(args)? else {
            return Ok(None);
        };
        let limit = vm_options::size(&args.cache_size)
            .map_err(|_| format!("--cache-size '{}': not a size", args.cache_size))?;
        match Store::open(&dir, limit) {
            Ok(store) => Ok(Some(Cache {
                store,
                digests: Digests::open(Some(&dir)),
            })),
            Err(e) if given => Err(format!(
                "--cache '{}': cannot be used: {e}; give another folder, or --no-cache",
                dir.display()
            )),
            // Nobody asked for it: runs are as before.
            Err(_) => Ok(None),
        }
    }

    /// The entry of a key, if what it depends on besides is as it was.
    fn get<T: serde::de::DeserializeOwned>(
        &self,
        key: &str,
        holds: impl FnOnce(&T, &Digests) -> bool,
    ) -> Option<T> {
        let contents = self.store.get(key)?;
        let entry: T = serde_json::from_slice(&contents).ok()?;
        holds(&entry, &self.digests).then_some(entry)
    }

    /// Keeps an entry; a full disk costs nothing but the entry.
    fn put(&self, key: &str, entry: &impl serde::Serialize) {
        if let Ok(contents) = serde_json::to_vec(entry) {
            let _ = self.store.put(key, &contents);
        }
    }

    /// A key over the inputs of runs; none if one of them cannot be read, which the run itself reports.
    fn key<'s>(
        &self,
        command: &str,
        specs: impl Iterator<Item = &'s Spec>,
        more: &[String],
    ) -> Option<String> {
        let mut key = Key::new(command);
        key.add(&self.digests.program().ok()?);
        let missing = sandbox::probe().ok()?;
        key.add(&missing.join("\n"));
        for spec in specs {
            self.add_spec(&mut key, spec, !missing.is_empty())?;
        }
        more.iter().for_each(|part| key.add(part));
        Some(key.end())
    }

    fn add_spec(&self, key: &mut Key, spec: &Spec, by_place: bool) -> Option<()> {
        key.add(&self.digests.jdk(&spec.vm.java_home).ok()?);
        let own_jars = spec.aliases.iter().map(|(shown, _)| shown);
        let own_jars: Vec<&String> = own_jars.collect();
        for path in &spec.class_path {
            // Those of poldet itself come with the program.
            let digest = match own_jars.contains(&path) {
                true => String::new(),
                false => self.digests.of(path.as_ref()).ok()?,
            };
            key.add(&digest);
        }
        if let Stdin::File(file) = &spec.stdin {
            key.add(&self.digests.file(file).ok()?);
        }
        // Where things lie matters only if tests can see it.
        let mut seen = spec.clone();
        if by_place {
            key.add(&serde_json::to_string(&seen.class_path).ok()?);
            key.add(&std::env::current_dir().ok()?.display().to_string());
        }
        seen.show();
        seen.aliases.iter_mut().for_each(|(_, real)| real.clear());
        seen.paths = Default::default();
        seen.sandbox.shown.clear();
        seen.stdin = Stdin::default();
        seen.uses = false;
        key.add(&serde_json::to_string(&seen).ok()?);
        Some(())
    }

    /// What a run of this specification depended on besides its inputs; an error says why that is not known.
    fn outside(&self, collected: &crate::run::uses::Collected, spec: &Spec) -> Result<Outside, String> {
        if collected.unknown {
            return Err("a process ended early".into());
        }
        let mut seen = spec.clone();
        seen.show();
        let mut known = seen.class_path;
        known.push(seen.vm.java_home.display().to_string());
        Outside::of(&collected.used, &known, &spec.paths, &self.digests)
    }
}

/// Whether the result of a run follows from its inputs.
pub fn determined(options: &Run, spec: &Spec) -> bool {
    let conditions = &options.conditions;
    !conditions.write_through
        && !conditions.identity.host_identity
        && !options.report.show_output
        && !options.tests.list
        && spec.network.reach() == NetworkMode::Closed
        && spec.capture.as_ref().is_none_or(|c| c.dump.is_none())
}

/// Parts of a key, each with its length before it.
struct Key(blake3::Hasher);

impl Key {
    fn new(command: &str) -> Key {
        let mut key = Key(blake3::Hasher::new());
        key.add("poldet cache 1");
        key.add(command);
        key
    }

    fn add(&mut self, part: &str) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
    }

    fn end(self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// The folder in which digests are remembered where no option names one.
pub fn folder() -> Option<PathBuf> {
    let args = CacheArgs {
        cache: None,
        no_cache: false,
        cache_size: store::SIZE.into(),
    };
    let dir = place(&args).ok()?.0?;
    std::fs::create_dir_all(&dir).ok()?;
    Some(dir)
}

/// The folder of the cache, and whether somebody asked for it.
fn place(args: &CacheArgs) -> Result<(Option<PathBuf>, bool), String> {
    if args.no_cache {
        return Ok((None, false));
    }
    if let Some(dir) = &args.cache {
        return Ok((Some(dir.clone()), true));
    }
    match std::env::var_os(VARIABLE) {
        Some(value) if value == "off" || value.is_empty() => return Ok((None, false)),
        Some(value) => return Ok((Some(value.into()), true)),
        None => {}
    }
    let absolute = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|p| p.is_absolute())
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok((base.map(|dir| dir.join("poldet")), false))
}
