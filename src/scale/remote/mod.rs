//! `submit --on grpc://…`: REAPI v2. A job is an action: its input root has poldet, the JDK and a plan of this job alone, its output
//! is the job's result. Nothing in it depends on the rest of the plan, so that the server's action cache knows the job again.

mod client;
mod tree;

use crate::exit;
use crate::report;
use crate::scale::blobs::Blobs;
use crate::scale::jobs::{self, Attempt, Machine, Unfit};
use crate::scale::plan::{self, Batch, Job, Plan};
use crate::scale::results::{Found, Outcome};
use crate::scale::task::CANCELLED;
use bazel_remote_apis::build::bazel::remote::execution::v2::command::EnvironmentVariable;
use bazel_remote_apis::build::bazel::remote::execution::v2::platform::Property;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, ActionResult, Command, Digest, ExecutedActionMetadata, Platform,
};
use client::{Client, Fault, one_line};
use prost::Message;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tree::{Blob, Tree};

/// Executions at once unless told otherwise.
const STREAMS: usize = 64;
/// How often a job is tried that the server or a worker fails.
const TRIES: u32 = 5;
const POLL: Duration = Duration::from_millis(200);
/// All is in one folder of the input root, in which the command works: that root may be the root of what a worker sees, where
/// names like `bin` and `poldet` have another meaning.
const FOLDER: &str = "job";
const PROGRAM: &str = "poldet";
const JDK: &str = "jdk";
const PLAN: &str = "plan";
/// What of a JDK no job needs.
const LEFT_OUT: [&str; 6] = ["jmods", "legal", "man", "demo", "include", "lib/src.zip"];
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What to submit, and how.
pub struct Order<'a> {
    /// What follows `grpc://`.
    pub address: &'a str,
    pub streams: Option<usize>,
    pub jdk: Option<&'a Path>,
    /// Where workers have the JDK; it is sent to them unless given.
    pub worker_jdk: Option<&'a Path>,
    /// NAME=VALUE: what a worker must have.
    pub properties: &'a [String],
    pub verify: bool,
}

struct Submission {
    plan: Plan,
    client: Client,
    jdk: Option<Digest>,
    worker_jdk: Option<String>,
    program: Digest,
    /// Blobs that every job needs.
    common: Vec<Blob>,
    platform: Option<Platform>,
    /// Blobs of inputs that were hashed, by their name in the plan.
    inputs: Mutex<BTreeMap<String, Blob>>,
    verify: bool,
    stop: AtomicBool,
    executed: AtomicU64,
    cached: AtomicU64,
    failed: AtomicU64,
    fatal: Mutex<Option<String>>,
}

/// A batch some of whose jobs are under way.
struct Open {
    batch: Batch,
    jobs: Vec<Job>,
    left: AtomicUsize,
}

/// How a job ended.
struct Done {
    outcome: Outcome,
    cached: bool,
    metadata: Option<ExecutedActionMetadata>,
}

/// Runs the batches; whether every job has its result.
pub fn submit(plan: Plan, batches: &[Batch], order: &Order<'_>) -> Result<bool, String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .map_err(|e| format!("cannot start threads: {e}"))?;
    runtime.block_on(run(plan, batches, order))
}

async fn run(plan: Plan, batches: &[Batch], order: &Order<'_>) -> Result<bool, String> {
    let platform = platform(order)?;
    let client = Client::connect(order.address).await?;
    if batches.is_empty() {
        return Ok(true);
    }
    let submission = Arc::new(prepare(plan, client, platform, order)?);
    let signalled = Arc::clone(&submission);
    let _ = ctrlc::set_handler(move || signalled.stop.store(true, Ordering::SeqCst));
    let watcher = Arc::clone(&submission);
    let watcher = tokio::spawn(async move {
        while !watcher.plan.dir.join(CANCELLED).exists() {
            tokio::time::sleep(POLL).await;
        }
        watcher.stop.store(true, Ordering::SeqCst);
    });
    let streams = Arc::new(Semaphore::new(order.streams.unwrap_or(STREAMS)));
    let mut tasks = tokio::task::JoinSet::new();
    'all: for batch in batches {
        let jobs = submission.plan.jobs(*batch)?;
        let open = Arc::new(Open {
            batch: *batch,
            left: AtomicUsize::new(jobs.len()),
            jobs,
        });
        for number in 0..open.jobs.len() {
            let Some(permit) = submission.turn(&streams).await else {
                break 'all;
            };
            let (submission, open) = (Arc::clone(&submission), Arc::clone(&open));
            tasks.spawn(async move {
                submission.one(&open, number).await;
                drop(permit);
            });
            while tasks.try_join_next().is_some() {}
        }
    }
    while !tasks.is_empty() {
        if submission.stop.load(Ordering::SeqCst) {
            tasks.abort_all();
            submission.client.cancel().await;
        }
        let _ = tokio::time::timeout(POLL, tasks.join_next()).await;
    }
    watcher.abort();
    let count = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
    let (executed, cached, failed) = (
        count(&submission.executed),
        count(&submission.cached),
        count(&submission.failed),
    );
    let fatal = submission
        .fatal
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    if let Some(line) = fatal {
        return Err(format!("--on 'grpc://{}': {line}", order.address));
    }
    let text = format!("{executed} jobs executed, {cached} from the server's cache, {failed} failed\n");
    crate::tools::print(text.as_bytes())?;
    Ok(failed == 0 && !submission.stop.load(Ordering::SeqCst))
}

fn platform(order: &Order<'_>) -> Result<Option<Platform>, String> {
    let mut properties = Vec::new();
    for word in order.properties {
        let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(format!("'{word}': properties of workers are NAME=VALUE"));
        };
        properties.push(Property {
            name: name.into(),
            value: value.into(),
        });
    }
    // The order that REAPI wants.
    properties.sort_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
    Ok((!properties.is_empty()).then_some(Platform { properties }))
}

/// What every job needs.
fn prepare(
    plan: Plan,
    client: Client,
    platform: Option<Platform>,
    order: &Order<'_>,
) -> Result<Submission, String> {
    let machine = match Machine::of(&plan, order.jdk) {
        Ok(machine) => machine,
        Err(Unfit::Plan(line) | Unfit::Machine(line)) => return Err(line),
    };
    let mut common = Vec::new();
    let path = machine.program();
    let program = Blob::of_file(path).map_err(|e| format!("cannot read '{}': {e}", path.display()))?;
    let digest = program.digest.clone();
    common.push(program);
    let jdk = match (machine.jdk(), order.worker_jdk) {
        (Some(home), None) => {
            let (digest, blobs) = tree::folder(home, &LEFT_OUT)
                .map_err(|e| format!("cannot read '{}': {e}", home.display()))?;
            common.extend(blobs);
            Some(digest)
        }
        _ => None,
    };
    Ok(Submission {
        plan,
        client,
        jdk,
        worker_jdk: order.worker_jdk.map(|dir| dir.display().to_string()),
        program: digest,
        common,
        platform,
        inputs: Mutex::default(),
        verify: order.verify,
        stop: AtomicBool::new(false),
        executed: AtomicU64::new(0),
        cached: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        fatal: Mutex::new(None),
    })
}

impl Submission {
    /// Waits until one more may run; none if nothing is to begin any more.
    async fn turn(&self, streams: &Arc<Semaphore>) -> Option<tokio::sync::OwnedSemaphorePermit> {
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return None;
            }
            let permit = tokio::time::timeout(POLL, Arc::clone(streams).acquire_owned()).await;
            if let Ok(permit) = permit {
                return permit.ok();
            }
        }
    }

    /// Runs one job of a batch; with the last one the batch is packed.
    async fn one(&self, open: &Open, number: usize) {
        let (batch, job) = (open.batch, &open.jobs[number]);
        let known = tokio::task::block_in_place(|| self.plan.results(batch).get(&job.key));
        let wanted = matches!(known, Found::Done(_)) == self.verify;
        if wanted {
            match self.tried(job).await {
                Ok(done) => tokio::task::block_in_place(|| self.keep(batch, job, &known, &done)),
                Err(Fault::Server(line)) => {
                    let mut fatal = self.fatal.lock().unwrap_or_else(PoisonError::into_inner);
                    fatal.get_or_insert(line);
                    self.stop.store(true, Ordering::SeqCst);
                }
                Err(fault) => self.fail(batch, job, fault.text()),
            }
        }
        if open.left.fetch_sub(1, Ordering::SeqCst) == 1
            && !self.verify
            && let Err(e) = tokio::task::block_in_place(|| self.plan.pack(batch, &open.jobs))
        {
            let dir = self.plan.dir.display();
            report::note("error", &format!("cannot write the result to '{dir}': {e}"));
            self.failed.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn keep(&self, batch: Batch, job: &Job, known: &Found, done: &Done) {
        let mut attempt = Attempt::new(batch.index, "done").named(job);
        let metadata = done.metadata.clone().unwrap_or_default();
        if !metadata.worker.is_empty() {
            attempt.host = jobs::plain_name(&metadata.worker);
        }
        // What an answer of the cache took then says nothing of now.
        attempt.seconds = (!done.cached).then(|| seconds(&metadata)).flatten();
        if let Found::Done(before) = known {
            if *before != done.outcome {
                attempt.what = "differs".into();
                attempt.why = Some("another result than the one that is there".into());
                let name = format!("{} {}", job.command, job.suite);
                report::note(
                    "error",
                    &format!("'{name}' gives another result on '{}'", metadata.worker),
                );
                self.failed.fetch_add(1, Ordering::SeqCst);
            }
        } else if let Err(e) = self.plan.commit(batch, &job.key, &done.outcome) {
            let dir = self.plan.dir.display();
            return self.fail(batch, job, &format!("cannot write the result to '{dir}': {e}"));
        }
        attempt.note(&self.plan);
        let counter = if done.cached { &self.cached } else { &self.executed };
        counter.fetch_add(1, Ordering::SeqCst);
    }

    fn fail(&self, batch: Batch, job: &Job, why: &str) {
        let mut attempt = Attempt::new(batch.index, "failed").named(job);
        attempt.why = Some(why.to_owned());
        attempt.note(&self.plan);
        report::note("error", &format!("'{} {}': {why}", job.command, job.suite));
        self.failed.fetch_add(1, Ordering::SeqCst);
    }

    /// Runs a job until it has a result, or for as long as that makes sense.
    async fn tried(&self, job: &Job) -> Result<Done, Fault> {
        let (action, blobs) = tokio::task::block_in_place(|| self.action(job))?;
        let mut tries = 0;
        // The cache may list a result that is no longer there.
        let mut afresh = self.verify;
        let mut heard = self.client.heard();
        loop {
            let fault = match self.asked(job, &action, &blobs, afresh).await {
                Ok(done) => return Ok(done),
                Err(fault @ Fault::Server(_)) => return Err(fault),
                Err(fault) => fault,
            };
            // While the server is away nothing is tried; how long it may be is up to `pause`.
            let now = self.client.heard();
            if now != heard || !matches!(fault, Fault::Away(_)) {
                tries += 1;
            }
            heard = now;
            if tries >= TRIES {
                return Err(fault);
            }
            if let Fault::Lost(_) = fault {
                self.client.forget();
                afresh = true;
            }
            self.client.pause(fault.text()).await?;
        }
    }

    async fn asked(&self, job: &Job, action: &Digest, blobs: &[Blob], afresh: bool) -> Result<Done, Fault> {
        if !afresh && let Some(result) = self.client.known(action).await? {
            let outcome = self.outcome(job, &result).await?;
            return Ok(Done {
                outcome,
                cached: true,
                metadata: result.execution_metadata,
            });
        }
        self.client.upload(&self.common).await?;
        self.client.upload(blobs).await?;
        let response = self.client.execute(action, afresh).await?;
        let result = response
            .result
            .ok_or_else(|| Fault::Job("the server's answer has no result".into()))?;
        let outcome = self.outcome(job, &result).await?;
        Ok(Done {
            outcome,
            cached: response.cached_result,
            metadata: result.execution_metadata,
        })
    }

    /// The result that an action left.
    async fn outcome(&self, job: &Job, result: &ActionResult) -> Result<Outcome, Fault> {
        let at = output();
        let file = result.output_files.iter().find(|f| f.path == at);
        let Some(digest) = file
            .and_then(|f| f.digest.as_ref())
            .filter(|_| result.exit_code == exit::COMPLETE)
        else {
            let said = match (&result.stderr_raw, &result.stderr_digest) {
                (raw, _) if !raw.is_empty() => raw.clone(),
                (_, Some(digest)) => self.client.fetch(digest).await.unwrap_or_default(),
                _ => Vec::new(),
            };
            let said = String::from_utf8_lossy(&said).into_owned();
            let line = said.lines().next_back().unwrap_or("it said nothing");
            let code = result.exit_code;
            return Err(Fault::Job(format!(
                "poldet task ended with {code} there: {}",
                one_line(line)
            )));
        };
        let bytes = match file.map(|f| &f.contents).filter(|c| tree::digest(c) == *digest) {
            Some(contents) => contents.clone(),
            None => self.client.fetch(digest).await?,
        };
        let outcome = crate::scale::results::only(&bytes, &job.key);
        outcome.ok_or_else(|| Fault::Job("the worker's result is not whole".into()))
    }

    /// The action of a job, and the blobs that only it needs.
    fn action(&self, job: &Job) -> Result<(Digest, Vec<Blob>), Fault> {
        let mut blobs = Vec::new();
        let mut root = Tree::default();
        let at = |name: &str| format!("{FOLDER}/{name}");
        root.file(&at(PROGRAM), self.program.clone(), true);
        if let Some(jdk) = &self.jdk {
            root.folder(&at(JDK), jdk.clone());
        }
        for (name, bytes) in plan::single(&self.plan.env, job) {
            let blob = Blob::of_bytes(bytes);
            root.file(&at(&format!("{PLAN}/{name}")), blob.digest.clone(), false);
            blobs.push(blob);
        }
        let store = Blobs::new(self.plan.dir.join("blobs"));
        for input in &job.inputs {
            let blob = self.input(&store.path(&input.digest), &input.digest)?;
            let folder = input.digest.get(..2).unwrap_or("__");
            let file = format!("{PLAN}/blobs/{folder}/{}", input.digest);
            root.file(&at(&file), blob.digest.clone(), false);
            blobs.push(blob);
        }
        let input_root = root.seal(&mut blobs);
        let variable = |name: &str, value: &str| EnvironmentVariable {
            name: name.into(),
            value: value.into(),
        };
        let env = &self.plan.env;
        let mut arguments = vec![format!("./{PROGRAM}"), "task".into(), PLAN.into(), "0".into()];
        arguments.extend(["--scratch".into(), "scratch".into()]);
        let jdk = self.jdk.as_ref().map(|_| JDK.to_owned());
        if let Some(jdk) = self.worker_jdk.clone().or(jdk) {
            arguments.extend(["--jdk".into(), jdk]);
        }
        let command = Command {
            arguments,
            // Sorted, as REAPI wants them.
            environment_variables: vec![
                variable("LANG", &env.lang),
                variable("PATH", PATH),
                variable("POLDET_RESULTS", "off"),
                variable("TZ", &env.tz),
            ],
            output_paths: vec![output()],
            working_directory: FOLDER.into(),
            ..Command::default()
        };
        let command = Blob::of_bytes(command.encode_to_vec());
        let action = Action {
            command_digest: Some(command.digest.clone()),
            input_root_digest: Some(input_root),
            platform: self.platform.clone(),
            ..Action::default()
        };
        let action = Blob::of_bytes(action.encode_to_vec());
        let digest = action.digest.clone();
        blobs.extend([command, action]);
        Ok((digest, blobs))
    }

    fn input(&self, path: &Path, name: &str) -> Result<Blob, Fault> {
        let known = |inputs: &Mutex<BTreeMap<String, Blob>>| {
            let inputs = inputs.lock().unwrap_or_else(PoisonError::into_inner);
            inputs.get(name).cloned()
        };
        if let Some(blob) = known(&self.inputs) {
            return Ok(blob);
        }
        let blob = Blob::of_file(path)
            .map_err(|e| Fault::Job(format!("cannot read input '{}': {e}", path.display())))?;
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        inputs.insert(name.to_owned(), blob.clone());
        Ok(blob)
    }
}

/// Where a task leaves the result of its only batch.
fn output() -> String {
    format!("{PLAN}/{}", plan::SINGLE_RESULT)
}

/// How long a worker was at it.
fn seconds(metadata: &ExecutedActionMetadata) -> Option<f64> {
    let from = metadata.execution_start_timestamp.as_ref()?;
    let to = metadata.execution_completed_timestamp.as_ref()?;
    let seconds = (to.seconds - from.seconds) as f64 + f64::from(to.nanos - from.nanos) / 1e9;
    (seconds >= 0.0).then_some(seconds)
}
