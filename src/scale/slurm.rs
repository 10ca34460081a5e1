//! Slurm: one job array for each class of cost. A list beside the plan says which batches an array stands for, since the
//! numbers of an array must be small and those of the batches that are left need not follow each other.

use crate::cli::SubmitArgs;
use crate::report;
use crate::scale::plan::{Batch, Plan};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What Slurm allows unless it says otherwise.
const MAX_ARRAY: usize = 1001;
const POLL: Duration = Duration::from_secs(2);
/// Limits of time have room for a busy node.
const SLACK: u64 = 4;

/// Submits the batches; with `--wait`, whether all have results at the end.
pub fn submit(plan: &Plan, batches: &[Batch], options: &SubmitArgs) -> Result<bool, String> {
    let most = max_array_size()?;
    let mut classes: BTreeMap<u64, Vec<Batch>> = BTreeMap::new();
    for batch in batches {
        classes.entry(minutes(batch.millis)).or_default().push(*batch);
    }
    for (minutes, batches) in classes.iter().rev() {
        for part in batches.chunks(most) {
            let id = array(plan, part, *minutes, options)?;
            report::note("poldet", &format!("Slurm job {id}: {} tasks", part.len()));
        }
    }
    if !options.wait {
        return Ok(true);
    }
    loop {
        let queued = queued(plan)?;
        if queued.is_empty() {
            break;
        }
        // With --verify the results are there from the beginning.
        if options.verify.is_none() {
            end_done(plan, &queued)?;
        }
        std::thread::sleep(POLL);
    }
    for batch in batches {
        let jobs = plan.jobs(*batch)?;
        if !plan.results(*batch).all(&jobs) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The class of cost: minutes of the limit, a power of two.
fn minutes(millis: u64) -> u64 {
    (millis * SLACK / 60_000 + 10).next_power_of_two()
}

/// Submits one array; the answer is its number.
fn array(plan: &Plan, batches: &[Batch], minutes: u64, options: &SubmitArgs) -> Result<String, String> {
    let dir = std::path::absolute(&plan.dir).map_err(|e| format!("'{}': {e}", plan.dir.display()))?;
    let fail = |e: std::io::Error| format!("cannot write to '{}': {e}", dir.display());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (list, at) = (0..)
        .map(|n| {
            let list = format!("{}-{}-{n}.list", now.as_millis(), std::process::id());
            (list.clone(), dir.join("jobs").join(list))
        })
        .find(|(_, at)| !at.exists())
        .unwrap_or_default();
    let lines: String = batches.iter().map(|b| format!("{}\n", b.index)).collect();
    fs::write(&at, lines).map_err(fail)?;
    let program = std::env::current_exe().map_err(|e| format!("cannot find poldet itself: {e}"))?;
    let words = [
        "task",
        &dir.display().to_string(),
        "--list",
        &at.display().to_string(),
    ]
    .map(str::to_owned);
    let mut words = [vec![program.display().to_string()], words.to_vec()].concat();
    if let Some(jdk) = &options.jdk {
        words.extend(["--jdk".to_owned(), jdk.display().to_string()]);
    }
    words.extend(options.verify.map(|_| "--verify".to_owned()));
    let script = format!("#!/bin/sh\nexec {}\n", crate::run::command::shell(&words));
    let throttle = options.throttle.map_or_else(String::new, |n| format!("%{n}"));
    let mut command = Command::new("sbatch");
    command
        .arg("--parsable")
        .arg(format!("--array=0-{}{throttle}", batches.len() - 1))
        .args(["--requeue", "--export=NONE", "--job-name=poldet"])
        .arg(format!("--time={minutes}"))
        .arg(format!("--output={}", dir.join("jobs/%A_%a.out").display()))
        .args(&options.engine);
    let id = ask(&mut command, Some(&script))?;
    let id = id.trim().split(';').next().unwrap_or_default().to_owned();
    if id.is_empty() {
        return Err("sbatch gave no job number".into());
    }
    let ids = dir.join("jobs/ids");
    let opened = OpenOptions::new().append(true).create(true).open(ids);
    opened
        .and_then(|mut out| out.write_all(format!("{id} {list}\n").as_bytes()))
        .map_err(fail)?;
    Ok(id)
}

/// Runs a command of Slurm's.
fn ask(command: &mut Command, input: Option<&str>) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let missing = |e: std::io::Error| format!("cannot run '{name}': {e}; is Slurm installed here?");
    command
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(missing)?;
    if let (Some(text), Some(mut stdin)) = (input, child.stdin.take()) {
        stdin.write_all(text.as_bytes()).map_err(missing)?;
    }
    let output = child.wait_with_output().map_err(missing)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said
        .lines()
        .find(|l| !l.trim().is_empty())
        .unwrap_or("no reason given");
    Err(format!("'{name}' failed: {line}"))
}

fn max_array_size() -> Result<usize, String> {
    let text = ask(Command::new("scontrol").args(["show", "config"]), None)?;
    let line = text.lines().find(|l| l.trim_start().starts_with("MaxArraySize"));
    let number = line.and_then(|l| l.split('=').nth(1)?.trim().parse::<usize>().ok());
    Ok(number.unwrap_or(MAX_ARRAY).saturating_sub(1).max(1))
}

/// The arrays that were submitted: their numbers, and their lists.
fn submitted(plan: &Plan) -> Vec<(String, PathBuf)> {
    let jobs = plan.dir.join("jobs");
    let text = fs::read_to_string(jobs.join("ids")).unwrap_or_default();
    text.lines()
        .filter_map(|l| l.split_once(' '))
        .map(|(id, list)| (id.to_owned(), jobs.join(list)))
        .collect()
}

/// A task that Slurm still has to run, or runs.
pub struct Queued {
    pub batch: u64,
    pub running: bool,
    /// What `scancel` calls it.
    name: String,
}

/// All tasks of the plan that Slurm has not ended.
pub fn queued(plan: &Plan) -> Result<Vec<Queued>, String> {
    let submitted = submitted(plan);
    let mut found = Vec::new();
    if submitted.is_empty() {
        return Ok(found);
    }
    let user = nix::unistd::getuid().to_string();
    let text = ask(
        Command::new("squeue").args(["-h", "-r", "-o", "%F %K %t", "-u", &user]),
        None,
    )?;
    let mut lists: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(id), Some(number), Some(state)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Some((id, list)) = submitted.iter().find(|(known, _)| known == id) else {
            continue;
        };
        let list = lists.entry(id).or_insert_with(|| {
            let text = fs::read_to_string(list).unwrap_or_default();
            text.lines().filter_map(|l| l.parse().ok()).collect()
        });
        let batch = number.parse::<usize>().ok().and_then(|at| list.get(at));
        found.extend(batch.map(|batch| Queued {
            batch: *batch,
            running: state == "R",
            name: format!("{id}_{number}"),
        }));
    }
    Ok(found)
}

/// Ends tasks of which another copy has written the result.
fn end_done(plan: &Plan, queued: &[Queued]) -> Result<(), String> {
    for one in queued {
        if plan.pack_path(plan.batch(one.batch)?).exists() {
            // It may have ended by itself.
            let _ = ask(Command::new("scancel").arg(&one.name), None);
        }
    }
    Ok(())
}

/// Ends what was submitted; how many arrays that were.
pub fn cancel(plan: &Plan) -> Result<usize, String> {
    let submitted = submitted(plan);
    for (id, _) in &submitted {
        // One that has ended is no longer known.
        let _ = ask(Command::new("scancel").arg(id), None);
    }
    Ok(submitted.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_room() {
        assert_eq!(minutes(0), 16);
        assert_eq!(minutes(300_000), 32);
        assert_eq!(minutes(3_600_000), 256);
    }
}
