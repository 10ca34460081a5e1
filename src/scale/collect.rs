//! `poldet collect`: results in the order of the plan, so that the bytes do not depend on who ran what.

use crate::cli::{CollectArgs, CollectFormat};
use crate::exit;
use crate::report::{self, corpus};
use crate::scale::jobs::{self, Attempt};
use crate::scale::plan::{Job, Plan};
use crate::scale::results::{Found, Outcome};
use crate::tools::print;
use poldet_records::inject::InjectDocument;
use poldet_records::{Document, NioDocument, OdDocument};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

const POLL: Duration = Duration::from_secs(2);

pub fn collect(options: &CollectArgs) -> Result<i32, String> {
    let plan = Plan::open(&options.plan)?;
    if options.watch {
        watch(&plan)?;
    }
    let out = options.out.clone().unwrap_or_else(|| plan.dir.join("report"));
    match options.format {
        CollectFormat::Json => merged(&plan),
        CollectFormat::Human => write(&plan, &out, !options.no_pages),
    }
}

/// Shows how far the plan is until all results are there.
fn watch(plan: &Plan) -> Result<(), String> {
    let mut last = None;
    loop {
        // Whether they are whole is checked when they are collected.
        let done: u64 = plan.batches()?.into_iter().map(|batch| plan.count(batch)).sum();
        let all = plan.env.jobs;
        if last != Some(done) {
            let attempts = jobs::attempts(plan);
            let failed = attempts.iter().filter(|a| a.what == "failed").count();
            report::note(
                "poldet",
                &format!("{done} of {all} jobs done, {failed} attempts failed"),
            );
            last = Some(done);
        }
        if done == all || plan.dir.join(crate::scale::task::CANCELLED).exists() {
            return Ok(());
        }
        std::thread::sleep(POLL);
    }
}

/// All jobs in the order of the plan, each with its result.
fn results(plan: &Plan) -> Result<impl Iterator<Item = Result<(Job, Found), String>> + '_, String> {
    let mut batches = plan.batches()?.into_iter();
    let mut open = batches.next().map(|batch| (batch, plan.results(batch)));
    Ok(plan.all()?.map(move |job| {
        let job = job?;
        while open.as_ref().is_some_and(|(batch, _)| job.index >= batch.to) {
            open = batches.next().map(|batch| (batch, plan.results(batch)));
        }
        let found = open
            .as_mut()
            .map_or(Found::Missing, |(_, results)| results.get(&job.key));
        Ok((job, found))
    }))
}

/// One document over all results, on standard output.
fn merged(plan: &Plan) -> Result<i32, String> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut missing = Vec::new();
    let written = merged_to(plan, &mut out, &mut missing)?;
    match written.and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => return Err(format!("cannot write: {e}")),
        _ => {}
    }
    Ok(code(missing.len()))
}

fn merged_to(
    plan: &Plan,
    out: &mut impl Write,
    missing: &mut Vec<String>,
) -> Result<std::io::Result<()>, String> {
    let env = &plan.env;
    let head = serde_json::json!({
        "schema": 1, "poldet": env.poldet, "command": "collect", "jdk": env.jdk_version,
    });
    let head = head.to_string();
    let mut text = head.trim_end_matches('}').to_owned();
    text.push_str(",\"results\":[");
    let mut comma = "";
    for found in results(plan)? {
        let (job, found) = found?;
        let Found::Done(outcome) = found else {
            missing.push(format!("{} {}", job.command, job.suite));
            continue;
        };
        let one = serde_json::json!({
            "suite": job.suite, "project": job.project, "command": job.command, "key": job.key, "exit": outcome.exit,
            "document": document(&outcome),
            "stderr": String::from_utf8_lossy(outcome.file("stderr.txt").unwrap_or_default()),
        });
        text.push_str(&format!("{comma}\n{one}"));
        comma = ",";
        if let Err(e) = out.write_all(std::mem::take(&mut text).as_bytes()) {
            return Ok(Err(e));
        }
    }
    text.push_str(&format!("\n],\"missing\":{}}}\n", serde_json::json!(missing)));
    Ok(out.write_all(text.as_bytes()))
}

fn document(outcome: &Outcome) -> serde_json::Value {
    let bytes = outcome.file("report.json").unwrap_or_default();
    serde_json::from_slice(bytes).unwrap_or_default()
}

/// Writes the page and the table over all suites, and each suite's own files.
fn write(plan: &Plan, out: &Path, pages: bool) -> Result<i32, String> {
    let fail = |e: std::io::Error| format!("cannot write to '{}': {e}", out.display());
    fs::create_dir_all(out).map_err(fail)?;
    let mut rows = Vec::new();
    let mut missing: Vec<(Job, bool)> = Vec::new();
    for found in results(plan)? {
        let (job, found) = found?;
        match found {
            Found::Done(outcome) => {
                let mut row = corpus::Row::of(&job.suite, &job.command, outcome.exit, &document(&outcome));
                row.project.clone_from(&job.project);
                if outcome.exit == exit::USAGE {
                    let said = String::from_utf8_lossy(outcome.file("stderr.txt").unwrap_or_default());
                    row.problem = said.lines().next().unwrap_or_default().to_owned();
                }
                if pages {
                    row.links = files(out, &job, &outcome).map_err(fail)?;
                }
                rows.push(row);
            }
            found => missing.push((job, found == Found::Broken)),
        }
    }
    fs::write(out.join("corpus.csv"), corpus::csv(&rows)).map_err(fail)?;
    let lost = explained(plan, missing);
    fs::write(
        out.join("index.html"),
        corpus::page(&plan.env.poldet, &rows, &lost),
    )
    .map_err(fail)?;
    let text = format!(
        "{}{}\n",
        corpus::text(&rows, &lost),
        out.join("index.html").display()
    );
    print(text.as_bytes())?;
    Ok(code(lost.len()))
}

/// Jobs without a result, each with what is known of it.
fn explained(plan: &Plan, missing: Vec<(Job, bool)>) -> Vec<String> {
    if missing.is_empty() {
        return Vec::new();
    }
    let mut last: BTreeMap<(String, String), Attempt> = BTreeMap::new();
    for attempt in jobs::attempts(plan) {
        if let (Some(suite), Some(command)) = (attempt.suite.clone(), attempt.command.clone()) {
            last.insert((suite, command), attempt);
        }
    }
    let line = |(job, broken): (Job, bool)| {
        let attempt = last.get(&(job.suite.clone(), job.command.clone()));
        let why = match (broken, attempt) {
            (true, _) => "its result is not whole".to_owned(),
            (false, Some(attempt)) => {
                let why = attempt.why.as_deref().unwrap_or("its result is gone");
                format!("{why} (on {})", attempt.host)
            }
            (false, None) => "it has not run".to_owned(),
        };
        format!("{} {}: {why}", job.command, job.suite)
    };
    missing.into_iter().map(line).collect()
}

fn code(missing: usize) -> i32 {
    match missing {
        0 => exit::COMPLETE,
        _ => exit::INCOMPLETE,
    }
}

/// The files of one job, below a folder of its suite; the answer is what to link to.
fn files(out: &Path, job: &Job, outcome: &Outcome) -> std::io::Result<Vec<(String, String)>> {
    let inside = format!("suites/{}", job.suite);
    let folder = out.join(&inside);
    fs::create_dir_all(&folder)?;
    let mut links = Vec::new();
    let json = outcome.file("report.json").unwrap_or_default();
    let page = match job.command.as_str() {
        "run" => {
            let document = serde_json::from_slice::<Document>(json);
            document.ok().map(|mut d| {
                d.restore_tails();
                report::html::of(d)
            })
        }
        "nio" => {
            let document = serde_json::from_slice::<NioDocument>(json);
            document.ok().map(|d| report::nio_page::page(&d))
        }
        "od" => {
            let document = serde_json::from_slice::<OdDocument>(json);
            document.ok().map(|d| report::od_page::page(&d))
        }
        "inject" => {
            let document = serde_json::from_slice::<InjectDocument>(json);
            document.ok().map(|d| report::inject_page::page(&d))
        }
        _ => None,
    };
    if let Some(page) = page {
        let name = format!("{}.html", job.command);
        fs::write(folder.join(&name), page)?;
        links.push(("page".to_owned(), format!("{inside}/{name}")));
    }
    for (file, bytes) in &outcome.files {
        let name = match file.as_str() {
            "report.json" => format!("{}.json", job.command),
            "stderr.txt" if bytes.is_empty() => continue,
            "stderr.txt" => format!("{}.stderr.txt", job.command),
            other => other.to_owned(),
        };
        let path = folder.join(&name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
        if file == "report.json" {
            links.push(("json".to_owned(), format!("{inside}/{name}")));
        }
    }
    Ok(links)
}
