//! poldet as a library: everything behind the command line.
//!
//! `run` finds the tests of a suite and runs them in worker processes; what happens is a stream of events
//! (`poldet_records::RunEvent`), which `report` turns into text, JSON, XML and a page. Nothing but reporters prints.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod baseline;
pub mod cache;
pub mod capture;
pub mod cli;
pub mod diff;
pub mod doctor;
pub mod exec;
pub mod exit;
pub mod explain;
pub mod explore;
pub mod input;
pub mod last;
pub mod project;
pub mod report;
pub mod run;
pub mod sandbox;
pub mod scale;
pub mod schema;
pub mod source;
pub mod tools;
pub mod vm_options;

use cli::{Cli, Command};

/// Does what the command line says; the answer is the exit code.
#[expect(clippy::print_stderr, reason = "wrong input has no report but this line")]
pub fn command(cli: &Cli) -> i32 {
    let result = match &cli.command {
        Command::Exec(options) => exec::exec(options),
        Command::Run(options) => run::run(options),
        Command::Doctor(options) => doctor::doctor(options),
        Command::Explain(options) => explain::explain(options),
        Command::Dump(options) => run::dump(options),
        Command::Nio(options) => explore::nio::nio(options),
        Command::Od(options) => explore::od::od(options),
        Command::Page(options) => report::html::command(options),
        Command::Diff(options) => diff::diff(options),
        Command::Ci(options) => tools::ci(options),
        Command::Completions(options) => tools::completions(options),
        Command::Man(options) => tools::man(options),
        Command::Schema(options) => schema::schema(options),
        Command::Plan(options) => scale::planner::plan(options),
        Command::Task(options) => scale::task::task(options),
        Command::Submit(options) => scale::submit::submit(options),
        Command::Collect(options) => scale::collect::collect(options),
        Command::Cache(options) => cache::command::cache(options),
        Command::Fix(options) => explore::fix::fix(options),
        Command::Inject(options) => explore::inject::inject(options),
        Command::Worker => Ok(run::worker::worker()),
        Command::Zygote => Ok(run::worker::zygote()),
        Command::Sandbox => Ok(sandbox::try_out()),
    };
    result.unwrap_or_else(|line| {
        eprintln!("error: {line}");
        exit::USAGE
    })
}
