//! Processes of a search or of an isolated run: what one reports follows from the zygote's state, from what it is asked to do
//! and from what it uses. A process whose report is known is not started; one that others are to be forked from is started
//! when the first of them has no report yet.
//!
//! The zygote's state follows from its inputs in the same way: of a class that it has loaded and whose code has not run, only
//! the shape counts. Where the places of objects show (access logs, changes put back, reads), or the collector ran, the length
//! of every file that the zygote read counts, too, since the heap differs with it.

use crate::cache::digest::Digests;
use crate::cache::outside::Outside;
use crate::cache::{Cache, Key, shape};
use crate::explore::process::Until;
use crate::explore::wire::{Fork, Learnt};
use crate::run::shown::Paths;
use crate::run::spec::Spec;
use poldet_records::{Event, Used};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// What a process reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub events: Vec<Event>,
    pub until: Until,
    #[serde(default)]
    pub learnt: Learnt,
    /// What it used, its ancestors' uses included.
    pub used: Used,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    outside: Outside,
    report: Report,
}

/// Where a state stands in the history of a zygote: by what can be seen, and with all addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    seen: String,
    exact: String,
}

/// The reports that are known.
pub struct ProbeCache {
    cache: Cache,
    /// Over all but the folders of the class path, and what the zygote read of them.
    base: String,
    /// Folders of the class path, as tests see them.
    folders: Vec<String>,
    /// What cannot have changed: archives of the class path, the JDK.
    known: Vec<String>,
    paths: Paths,
    /// Entries whose uses were found to be as they were, or not.
    checked: Mutex<BTreeMap<String, bool>>,
}

impl std::fmt::Debug for ProbeCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProbeCache").field("base", &self.base).finish()
    }
}

impl ProbeCache {
    /// For zygotes of a specification; its steps and its seed count with each zygote.
    pub fn new(cache: Cache, spec: &Spec) -> Option<ProbeCache> {
        let mut seen = spec.clone();
        seen.show();
        let is_folder = |path: &String| Path::new(path).is_dir();
        let pairs = spec.class_path.iter().zip(&seen.class_path);
        let folders = pairs.clone().filter(|(real, _)| is_folder(real));
        let folders = folders.map(|(_, shown)| shown.clone()).collect();
        let files = pairs.filter(|(real, _)| !is_folder(real));
        let mut known: Vec<String> = files.map(|(_, shown)| shown.clone()).collect();
        known.push(seen.vm.java_home.display().to_string());
        let mut archives = spec.clone();
        archives.class_path.retain(|path| !is_folder(path));
        let places = serde_json::to_string(&seen.class_path).ok()?;
        let base = cache.key("probe", std::iter::once(&archives), &[places])?;
        Some(ProbeCache {
            cache,
            base,
            folders,
            known,
            paths: spec.paths.clone(),
            checked: Mutex::default(),
        })
    }

    /// The state of a zygote that was started so and has used this.
    pub fn zygote(&self, spec: &Spec, used: &Used) -> Option<State> {
        if used.programs {
            return None;
        }
        let mut seen = Key::new("zygote");
        seen.add(&self.base);
        seen.add(&spec.vm.seed.to_string());
        seen.add(&serde_json::to_string(&spec.plan).ok()?);
        seen.add(&used.start);
        let mut exact = Key::new("places");
        let mut others = used.clone();
        for path in &used.paths {
            let Some(class) = self.class_of(path).filter(|c| !used.classes.contains(*c)) else {
                continue;
            };
            let Ok(bytes) = std::fs::read(self.paths.real(path)) else {
                continue;
            };
            others.paths.remove(path);
            seen.add(class);
            seen.add(&shape::of(&bytes));
            exact.add(&bytes.len().to_string());
        }
        let outside = Outside::of(&others, &self.known, &self.paths, &self.cache.digests).ok()?;
        seen.add(&serde_json::to_string(&outside).ok()?);
        let seen = seen.end();
        exact.add(&seen);
        let exact = exact.end();
        Some(State {
            // A collection shows what the heap holds.
            seen: if used.collected { exact.clone() } else { seen },
            exact,
        })
    }

    /// The class that a path in a folder of the class path stands for.
    fn class_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let inside = self.folders.iter().find_map(|f| path.strip_prefix(f.as_str()));
        inside?.strip_prefix('/')?.strip_suffix(".class")
    }

    /// The state of a process that a request makes of another; `mode` says what else was asked of the zygote.
    pub fn after(&self, from: &State, fork: &Fork, mode: &str) -> Option<State> {
        let mut fork = fork.clone();
        fork.number = 0;
        fork.overlay = None;
        if let Some(undo) = &mut fork.undo {
            undo.folder.clear();
        }
        let places = fork.access || fork.undo.is_some() || fork.watch.is_some() || !mode.is_empty();
        for (_, file) in &mut fork.redefine {
            *file = self.cache.digests.file(Path::new(file)).ok()?;
        }
        let request = serde_json::to_string(&fork).ok()?;
        let next = |state: &str| {
            let mut key = Key::new("fork");
            [state, &request, mode].iter().for_each(|part| key.add(part));
            key.end()
        };
        let exact = next(&from.exact);
        Some(State {
            seen: if places { exact.clone() } else { next(&from.seen) },
            exact,
        })
    }

    /// What a process in this state reports, if it is known.
    pub fn known(&self, state: &State) -> Option<Report> {
        [&state.seen, &state.exact]
            .into_iter()
            .find_map(|key| self.known_by(key))
    }

    fn known_by(&self, key: &str) -> Option<Report> {
        let entry = self.cache.get(key, |entry: &Entry, digests: &Digests| {
            let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            let mut state =
                |name: String, holds: &dyn Fn() -> bool| *checked.entry(name).or_insert_with(holds);
            entry.outside.holds_each(&self.paths, digests, &mut state)
        })?;
        Some(entry.report)
    }

    /// Keeps what a process in this state reported.
    pub fn keep(&self, state: &State, report: &Report) {
        let mut used = report.used.clone();
        // The files of classes that were there already, or are looked for in every folder.
        for class in &report.used.classes {
            let places = self.folders.iter().map(|f| format!("{f}/{class}.class"));
            used.paths.extend(places);
        }
        let Ok(outside) = Outside::of(&used, &self.known, &self.paths, &self.cache.digests) else {
            return;
        };
        let key = match report.used.collected {
            true => &state.exact,
            false => &state.seen,
        };
        let entry = Entry {
            outside,
            report: report.clone(),
        };
        self.cache.put(key, &entry);
    }
}
