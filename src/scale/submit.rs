//! `poldet submit`: hands out what has no result yet. Nothing is held in memory: whoever lost a submitter submits again.

use crate::cli::SubmitArgs;
use crate::exit;
use crate::scale::plan::{Batch, Plan};
use crate::scale::task::CANCELLED;
use crate::scale::{local, planner, slurm};
use crate::tools::print;
use crate::{report, scale};
use nix::fcntl::{Flock, FlockArg};
use std::fs::File;

pub fn submit(options: &SubmitArgs) -> Result<i32, String> {
    let engine = engine(&options.on)?;
    let plan = Plan::open(&options.plan)?;
    let name = plan.dir.display().to_string();
    if options.cancel {
        std::fs::write(plan.dir.join(CANCELLED), "").map_err(|e| format!("cannot write to '{name}': {e}"))?;
        let ended = slurm::cancel(&plan)?;
        return print(
            format!("cancelled: {ended} Slurm jobs ended, running tasks begin no further job\n").as_bytes(),
        );
    }
    let lock = plan.dir.join("jobs").join("lock");
    let lock = File::create(lock).map_err(|e| format!("cannot write to '{name}': {e}"))?;
    // Two would do no harm but do everything twice.
    let Ok(_lock) = Flock::lock(lock, FlockArg::LockExclusiveNonblock) else {
        return Err(format!(
            "'{name}' is being submitted by another process: wait for it, or end it"
        ));
    };
    let _ = std::fs::remove_file(plan.dir.join(CANCELLED));
    let changed = planner::changed(plan.all()?.filter_map(Result::ok).flat_map(|job| job.inputs));
    for path in changed {
        let what = format!("'{path}' has changed since the plan was made: results are of what was planned");
        report::note("warning", &what);
    }
    let (mut left, done) = pending(&plan, options)?;
    let queued = slurm::queued(&plan)?;
    let copies = |index: u64| queued.iter().filter(move |q| q.batch == index);
    if options.again_slow {
        check_slow(&plan, &engine, left.len())?;
        // One more copy of what runs; not of what waits for a node, nor a third one.
        left.retain(|batch| copies(batch.index).count() <= 1 && copies(batch.index).all(|q| q.running));
    } else {
        left.retain(|batch| copies(batch.index).next().is_none());
    }
    let text = format!(
        "{} tasks to run, {} done, {} queued\n",
        left.len(),
        done,
        queued.len()
    );
    print(text.as_bytes())?;
    // Stragglers last shorter when the longest begin first.
    left.sort_by_key(|batch| (std::cmp::Reverse(batch.millis), batch.index));
    let verify = options.verify.is_some();
    let good = match engine {
        Engine::Local => local::run(&plan, left, options.jobs(), options.jdk.as_deref(), verify)?,
        Engine::Slurm => slurm::submit(&plan, &left, options)?,
        #[cfg(feature = "remote")]
        Engine::Remote(address) => {
            let order = scale::remote::Order {
                address: &address,
                streams: options.jobs.map(usize::from),
                jdk: options.jdk.as_deref(),
                worker_jdk: options.worker_jdk.as_deref(),
                properties: &options.engine,
                verify,
            };
            scale::remote::submit(plan, &left, &order)?
        }
    };
    Ok(if good { exit::COMPLETE } else { exit::INCOMPLETE })
}

/// `--again-slow` is for the last few tasks of an engine that may have other machines.
fn check_slow(plan: &Plan, engine: &Engine, left: usize) -> Result<(), String> {
    const SHARE: u64 = 20;
    if !matches!(engine, Engine::Slurm) {
        return Err("--again-slow needs --on slurm: elsewhere a second copy would run no sooner".into());
    }
    let all = plan.env.batches;
    match left as u64 * SHARE <= all.max(SHARE) {
        true => Ok(()),
        false => Err(format!(
            "--again-slow: {left} of {all} tasks are left; it is for the last {} %",
            100 / SHARE
        )),
    }
}

/// Who runs tasks.
enum Engine {
    Local,
    Slurm,
    /// A server by its address.
    #[cfg(feature = "remote")]
    Remote(String),
}

fn engine(on: &str) -> Result<Engine, String> {
    match (on, on.strip_prefix("grpc://")) {
        ("local", _) => Ok(Engine::Local),
        ("slurm", _) => Ok(Engine::Slurm),
        #[cfg(feature = "remote")]
        (_, Some(address)) => Ok(Engine::Remote(address.to_owned())),
        #[cfg(not(feature = "remote"))]
        (_, Some(_)) => Err(format!(
            "--on '{on}': this poldet was built without the feature 'remote': build it by cargo build --release --features remote"
        )),
        _ => Err(format!("--on '{on}': give local, slurm or grpc://HOST:PORT")),
    }
}

/// The batches that are to run, and how many need not. With `--verify`, a sample of those that are done.
fn pending(plan: &Plan, options: &SubmitArgs) -> Result<(Vec<Batch>, usize), String> {
    let percent = match options.verify {
        Some(percent) if percent > 0.0 && percent <= 100.0 => Some(percent),
        Some(percent) => return Err(format!("--verify {percent}: a percentage above 0 is needed")),
        None => None,
    };
    let (mut left, mut done) = (Vec::new(), 0);
    for batch in plan.batches()? {
        let jobs = plan.jobs(batch)?;
        let whole = plan.results(batch).all(&jobs);
        match (whole, percent) {
            (false, None) => left.push(batch),
            (true, Some(percent)) if chosen(&jobs, percent) => left.push(batch),
            (true, _) => done += 1,
            (false, Some(_)) => {}
        }
    }
    if percent.is_some() && left.is_empty() && done > 0 {
        // A sample of few would be none.
        left.extend(plan.batches()?.into_iter().take(1));
    }
    Ok((left, done))
}

/// Whether a batch belongs to the sample: the same ones each time.
fn chosen(jobs: &[scale::plan::Job], percent: f64) -> bool {
    let Some(job) = jobs.first() else { return false };
    let digest = blake3::hash(job.key.as_bytes());
    let number = u16::from_le_bytes([digest.as_bytes()[0], digest.as_bytes()[1]]);
    f64::from(number) < percent / 100.0 * 65_536.0
}
