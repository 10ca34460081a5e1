//! `poldet plan`: from a corpus to jobs.

use crate::cache::digest::Digests;
use crate::cli::PlanArgs;
use crate::exit;
use crate::project;
use crate::scale::blobs::Blobs;
use crate::scale::corpus::{self, Entry, From};
use crate::scale::jobs::{self, DIGESTS};
use crate::scale::maven;
use crate::scale::plan::{Env, Input, Job, SCHEMA, Writer};
use crate::tools::print;
use poldet_vm::jdk::Jdk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What of a project's folder no test needs.
const LEFT_OUT: [&str; 5] = [".git", ".poldet", ".gradle", ".idea", "node_modules"];
/// A run of a suite takes some time whatever its size, and more the larger it is: until a measured cost is known.
const BASE_SECONDS: f64 = 2.0;
const SECONDS_PER_MEGABYTE: f64 = 10.0;

/// A suite with its files.
struct Suite {
    name: String,
    tested: Vec<PathBuf>,
    class_path: Vec<PathBuf>,
    /// The tests' working folder.
    dir: Option<PathBuf>,
    sources: Vec<PathBuf>,
    options: Vec<String>,
}

/// Makes a plan in a folder that is not there yet.
pub fn plan(options: &PlanArgs) -> Result<i32, String> {
    let corpus = corpus::read(&options.corpus)?;
    let out = &options.out;
    if out.exists() {
        return Err(format!(
            "'{}' exists: give another folder to -o, or remove it",
            out.display()
        ));
    }
    let part = PathBuf::from(format!("{}.{}.part", out.display(), std::process::id()));
    let made = make(options, &corpus, &part);
    let made = made.and_then(|env| {
        std::fs::rename(&part, out)
            .map(|()| env)
            .map_err(|e| format!("cannot write '{}': {e}", out.display()))
    });
    match made {
        Ok(env) => print(
            format!(
                "{} jobs in {} tasks: {}\n",
                env.jobs,
                env.batches,
                options.out.display()
            )
            .as_bytes(),
        ),
        Err(line) => {
            let _ = std::fs::remove_dir_all(&part);
            Err(line)
        }
    }
    .map(|_| exit::COMPLETE)
}

fn make(options: &PlanArgs, corpus: &corpus::Corpus, dir: &Path) -> Result<Env, String> {
    let fail = |e: std::io::Error| format!("cannot write '{}': {e}", dir.display());
    let env = environment(options, corpus.any_sandbox)?;
    let mut writer = Writer::new(dir, corpus.batch_seconds).map_err(fail)?;
    let costs = measured(options.costs.as_deref())?;
    let mut planner = Planner {
        blobs: Blobs::new(dir.join("blobs")),
        known: BTreeMap::new(),
    };
    let mut names: BTreeMap<String, ()> = BTreeMap::new();
    for entry in &corpus.entries {
        for suite in suites(entry, dir)? {
            if names.insert(suite.name.clone(), ()).is_some() {
                return Err(format!(
                    "two suites are called '{}': give them a name",
                    suite.name
                ));
            }
            for command in &entry.commands {
                let (argv, inputs, bytes) = planner.job(&suite, command)?;
                let guess = entry
                    .cost
                    .unwrap_or(BASE_SECONDS + SECONDS_PER_MEGABYTE * bytes as f64 / 1e6);
                let cost = costs.get(&(suite.name.clone(), command.clone()));
                let job = Job {
                    index: 0,
                    key: Job::key_of(&env, &argv, &inputs),
                    suite: suite.name.clone(),
                    project: entry.project.clone(),
                    command: command.clone(),
                    argv,
                    inputs,
                    seconds: cost.copied().unwrap_or_else(|| guess * weight(command)),
                };
                writer.add(job).map_err(fail)?;
            }
        }
    }
    let _ = std::fs::remove_dir_all(dir.join("maven"));
    writer.finish(env).map_err(fail)
}

/// How much more a search takes than a run.
fn weight(command: &str) -> f64 {
    match command {
        "nio" => 5.0,
        "od" => 10.0,
        "inject" => 60.0,
        _ => 1.0,
    }
}

fn environment(options: &PlanArgs, any_sandbox: bool) -> Result<Env, String> {
    let fail = |e: std::io::Error| format!("cannot read poldet itself: {e}");
    let stub = jobs::stub();
    let program = DIGESTS.file(&jobs::program().map_err(fail)?).map_err(fail)?;
    // A program that stands in for poldet needs no JDK.
    let (jdk_version, jdk) = match stub {
        true => (String::new(), String::new()),
        false => {
            let jdk = Jdk::find(options.jdk.as_deref())?;
            let digest = DIGESTS
                .jdk(&jdk.home)
                .map_err(|e| format!("cannot read the JDK '{}': {e}", jdk.home.display()))?;
            (jdk.version, digest)
        }
    };
    Ok(Env {
        schema: SCHEMA,
        poldet: env!("CARGO_PKG_VERSION").into(),
        program,
        jdk_version,
        jdk,
        lang: "en_US.UTF-8".into(),
        tz: "UTC".into(),
        sandbox: (!any_sandbox).then(jobs::sandbox).transpose()?,
        jobs: 0,
        batches: 0,
    })
}

/// Seconds that jobs took in an earlier plan, by suite and command.
fn measured(dir: Option<&Path>) -> Result<BTreeMap<(String, String), f64>, String> {
    let mut costs = BTreeMap::new();
    let Some(dir) = dir else { return Ok(costs) };
    let plan = crate::scale::plan::Plan::open(dir)?;
    for attempt in jobs::attempts(&plan) {
        if let (Some(suite), Some(command), Some(seconds)) = (attempt.suite, attempt.command, attempt.seconds)
        {
            costs.insert((suite, command), seconds);
        }
    }
    Ok(costs)
}

/// The suites that an entry stands for.
fn suites(entry: &Entry, dir: &Path) -> Result<Vec<Suite>, String> {
    let mut class_path = Vec::new();
    for text in &entry.class_path {
        let found = crate::run::suite::expand_star(text);
        if found.is_empty() {
            return Err(format!("suite '{}': no jars in '{text}'", entry.name));
        }
        for path in found.iter().map(PathBuf::from) {
            if !path.exists() {
                return Err(format!(
                    "suite '{}': '{}' does not exist",
                    entry.name,
                    path.display()
                ));
            }
            class_path.push(path);
        }
    }
    let suite = |tested: Vec<PathBuf>, more: Vec<PathBuf>| Suite {
        name: entry.name.clone(),
        tested,
        class_path: [more, class_path.clone()].concat(),
        dir: entry.dir.clone(),
        sources: entry.sources.clone(),
        options: entry.options.clone(),
    };
    match &entry.from {
        From::Maven(coordinates, with) => {
            let scratch = dir.join("maven").join(&entry.name);
            let scratch = std::path::absolute(&scratch).unwrap_or(scratch);
            let (tests, rest) = maven::resolve(coordinates, with, &scratch)?;
            Ok(vec![suite(vec![tests], rest)])
        }
        From::Path(path) if path.is_dir() && project::is_project(path) => modules(entry, path, &class_path),
        From::Path(path) => Ok(vec![suite(vec![path.clone()], Vec::new())]),
    }
}

/// The modules of a project; each works in its own folder, which goes with it.
fn modules(entry: &Entry, path: &Path, class_path: &[PathBuf]) -> Result<Vec<Suite>, String> {
    let modules = project::modules(path)?;
    let several = modules.len() > 1;
    let suite = |module: project::Module| {
        let own = module.dir.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = match own {
            Some(own) if several => format!("{}-{own}", entry.name),
            _ => entry.name.clone(),
        };
        let mut options = Vec::new();
        let mut option = |name: &str, value: &str| options.extend([format!("--{name}"), value.to_owned()]);
        let config = &module.config;
        // The folder is elsewhere when the job runs, and the tests see it here.
        let moved = |text: &str| text.replace(&module.dir.display().to_string(), "/poldet/work");
        config.includes.iter().for_each(|g| option("include", g));
        config.excludes.iter().for_each(|g| option("exclude", g));
        config
            .env
            .iter()
            .for_each(|(k, v)| option("env", &format!("{k}={}", moved(v))));
        options.extend(config.jvm.iter().map(|o| format!("--jvm={}", moved(o))));
        let properties = config.properties.iter();
        options.extend(properties.map(|(k, v)| format!("-D{k}={}", moved(v))));
        options.extend(entry.options.iter().cloned());
        Suite {
            name,
            tested: module.test_classes,
            class_path: [module.classes, module.class_path, class_path.to_vec()].concat(),
            dir: Some(entry.dir.clone().unwrap_or(module.dir)),
            sources: module.sources,
            options,
        }
    };
    Ok(modules.into_iter().map(suite).collect())
}

struct Planner {
    blobs: Blobs,
    /// What was added, by path.
    known: BTreeMap<PathBuf, (String, u64)>,
}

impl Planner {
    /// The arguments of a job, its inputs, and the bytes of what is tested.
    fn job(&mut self, suite: &Suite, command: &str) -> Result<(Vec<String>, Vec<Input>, u64), String> {
        let mut inputs = Vec::new();
        let dir = match &suite.dir {
            Some(dir) => {
                let real = dir
                    .canonicalize()
                    .map_err(|e| format!("'{}': {e}", dir.display()))?;
                self.input(&mut inputs, &real, ".")?;
                Some(real)
            }
            None => None,
        };
        let mut number = 0;
        let mut bytes = 0;
        let mut place = |planner: &mut Planner, path: &Path| -> Result<String, String> {
            let real = path
                .canonicalize()
                .map_err(|e| format!("'{}': {e}", path.display()))?;
            if let Some(inside) = dir.as_ref().and_then(|d| real.strip_prefix(d).ok()) {
                return Ok(match inside.as_os_str().is_empty() {
                    true => ".".into(),
                    false => inside.display().to_string(),
                });
            }
            let name = real
                .file_name()
                .map_or_else(|| "root".into(), |n| n.to_string_lossy().into_owned());
            let at = format!("in/{number}/{name}");
            number += 1;
            bytes += planner.input(&mut inputs, &real, &at)?;
            Ok(at)
        };
        let mut argv = vec![command.to_owned()];
        for path in &suite.tested {
            argv.push(place(self, path)?);
        }
        let mut class_path = Vec::new();
        for path in &suite.class_path {
            class_path.push(place(self, path)?);
        }
        if !class_path.is_empty() {
            argv.extend(["--cp".to_owned(), class_path.join(":")]);
        }
        if command == "inject" {
            if suite.sources.is_empty() {
                return Err(format!(
                    "suite '{}': inject needs its sources: give sources = [\"DIR\"]",
                    suite.name
                ));
            }
            for path in &suite.sources {
                argv.extend(["--sources".to_owned(), place(self, path)?]);
            }
            argv.extend(["--out".to_owned(), jobs::DATA_SET.to_owned()]);
        }
        argv.extend(suite.options.iter().cloned());
        argv.extend(["--format".to_owned(), "json".to_owned()]);
        Ok((argv, inputs, bytes))
    }

    fn input(&mut self, inputs: &mut Vec<Input>, real: &Path, at: &str) -> Result<u64, String> {
        let (digest, size) = match self.known.get(real) {
            Some(known) => known.clone(),
            None => {
                let added = self
                    .blobs
                    .add(real, &LEFT_OUT)
                    .map_err(|e| format!("cannot copy '{}': {e}", real.display()))?;
                self.known.insert(real.to_owned(), added.clone());
                added
            }
        };
        inputs.push(Input {
            at: at.to_owned(),
            digest,
            folder: real.is_dir(),
            from: real.display().to_string(),
        });
        Ok(size)
    }
}

/// Files and folders of the corpus that are not any more as they were when the plan was made.
pub fn changed(inputs: impl Iterator<Item = Input>) -> Vec<String> {
    let digests = Digests::open(None);
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for input in inputs.filter(|i| !i.folder) {
        seen.entry(input.from).or_insert(input.digest);
    }
    let differs =
        |(from, digest): &(String, String)| digests.file(Path::new(from)).map_or(true, |now| now != *digest);
    let changed = seen.into_iter().filter(differs);
    changed.map(|(from, _)| from).collect()
}
