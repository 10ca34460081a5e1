//! `poldet task`: runs one batch of a plan, anywhere. It ends with 0 when every job of the batch has its result, and with 75
//! when the machine failed it, so that an engine may try again.

use crate::cli::TaskArgs;
use crate::exit;
use crate::report;
use crate::scale::jobs::{Attempt, Machine, Unfit};
use crate::scale::plan::Plan;
use crate::scale::results::Found;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Variables by which engines say which task this is.
const VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "HQ_TASK_ID"];
/// Says that nothing is to begin any more.
pub const CANCELLED: &str = "cancelled";

pub fn task(options: &TaskArgs) -> Result<i32, String> {
    let plan = Plan::open(&options.plan)?;
    let index = index(options)?;
    let batch = plan.batch(index)?;
    let machine = match Machine::of(&plan, options.jdk.as_deref()) {
        Ok(machine) => machine,
        Err(Unfit::Plan(line)) => return Err(line),
        Err(Unfit::Machine(line)) => {
            let mut attempt = Attempt::new(index, "failed");
            attempt.why = Some(line.clone());
            attempt.note(&plan);
            report::note("error", &line);
            return Ok(exit::MACHINE);
        }
    };
    Attempt::new(index, "begun").note(&plan);
    let mut code = exit::COMPLETE;
    let jobs = plan.jobs(batch)?;
    let mut results = plan.results(batch);
    for job in &jobs {
        let known = results.get(&job.key);
        let wanted = match known {
            Found::Done(_) => options.verify,
            _ => !options.verify,
        };
        if !wanted {
            continue;
        }
        if plan.dir.join(CANCELLED).exists() {
            report::note("error", "the plan was cancelled: poldet submit begins again");
            return Ok(exit::MACHINE);
        }
        let since = Instant::now();
        let done = machine
            .run(&plan, job, &scratch(options))
            .and_then(|outcome| match &known {
                Found::Done(before) => Ok(*before == outcome),
                _ => plan
                    .commit(batch, &job.key, &outcome)
                    .map(|()| true)
                    .map_err(|e| unwritten(&plan, &e)),
            });
        let name = format!("{} {}", job.command, job.suite);
        match done {
            Ok(true) => Attempt::new(index, "done").job(job, since).note(&plan),
            Ok(false) => {
                let mut attempt = Attempt::new(index, "differs").job(job, since);
                attempt.why = Some("another result than the one that is there".into());
                attempt.note(&plan);
                report::note("error", &format!("'{name}' gives another result here"));
                code = exit::FAIL_ON;
            }
            Err(why) => {
                let mut attempt = Attempt::new(index, "failed").job(job, since);
                attempt.why = Some(why.clone());
                attempt.note(&plan);
                report::note("error", &format!("'{name}': {why}"));
                code = exit::MACHINE;
            }
        }
    }
    if !options.verify
        && let Err(e) = plan.pack(batch, &jobs)
    {
        report::note("error", &unwritten(&plan, &e));
        code = exit::MACHINE;
    }
    Ok(code)
}

fn unwritten(plan: &Plan, e: &std::io::Error) -> String {
    format!("cannot write the result to '{}': {e}", plan.dir.display())
}

/// A folder that nobody else uses.
fn scratch(options: &TaskArgs) -> PathBuf {
    let base = options.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let folder = base.join(format!("poldet-task-{}", std::process::id()));
    std::path::absolute(&folder).unwrap_or(folder)
}

/// Which batch: as given, or as the engine says; of a list of batches if there is one.
fn index(options: &TaskArgs) -> Result<u64, String> {
    let number = match options.index {
        Some(index) => index,
        None => of_engine()?,
    };
    let Some(list) = &options.list else {
        return Ok(number);
    };
    entry(list, number)
}

fn of_engine() -> Result<u64, String> {
    for name in VARIABLES {
        if let Ok(value) = std::env::var(name) {
            return value
                .parse()
                .map_err(|_| format!("{name}='{value}': a number is needed"));
        }
    }
    Err(format!(
        "which task? Give its number, or set one of {}",
        VARIABLES.join(", ")
    ))
}

fn entry(list: &Path, number: u64) -> Result<u64, String> {
    let name = list.display();
    let text = std::fs::read_to_string(list).map_err(|e| format!("cannot read '{name}': {e}"))?;
    let line = text.lines().nth(usize::try_from(number).unwrap_or(usize::MAX));
    line.and_then(|l| l.trim().parse().ok())
        .ok_or_else(|| format!("'{name}' has no line {number}, counted from 0"))
}
