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
    left.retain(|batch| !queued.contains(&batch.index));
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
    let good = match options.on.as_str() {
        "local" => local::run(&plan, left, options.jobs(), options.jdk.as_deref(), verify)?,
        "slurm" => slurm::submit(&plan, &left, options)?,
        other => {
            return Err(format!("--on '{other}': give local or slurm"));
        }
    };
    Ok(if good { exit::COMPLETE } else { exit::INCOMPLETE })
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
        let whole = jobs.iter().all(|job| plan.is_done(&job.key));
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
