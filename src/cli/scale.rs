//! The options of `plan`, `task`, `submit` and `collect`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Args)]
pub struct PlanArgs {
    /// The suites and what to do with them (TOML; docs/scale.md)
    pub corpus: PathBuf,

    /// The folder of the plan, which must not be there yet
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,

    /// An earlier plan whose jobs have run: how long they took makes the batches of this one
    #[arg(long, value_name = "DIR")]
    pub costs: Option<PathBuf>,

    /// The JDK whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
}

#[derive(Clone, Args)]
pub struct TaskArgs {
    /// The folder of the plan
    pub plan: PathBuf,

    /// Which task, from 0 on; unless given, as SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or HQ_TASK_ID says
    pub index: Option<u64>,

    /// The number means a line of this file, counted from 0, with the number of a task
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// Run jobs again that have a result, and compare; exit with code 1 if one differs
    #[arg(long)]
    pub verify: bool,

    /// Where inputs are copied to and jobs run [default: the temporary folder]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,

    /// The JDK whose class library to use; it must be the one of the plan
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
}

#[derive(Clone, Args)]
pub struct SubmitArgs {
    /// The folder of the plan
    pub plan: PathBuf,

    /// Who runs the tasks: local, slurm, or the server grpc://HOST:PORT[/INSTANCE] (REAPI v2; feature remote)
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    pub on: String,

    /// Tasks at once, with --on local [default: the number of cores]; executions at once, with --on grpc:// [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Return when all tasks have ended
    #[arg(long)]
    pub wait: bool,

    /// Slurm runs at most so many tasks of an array at once
    #[arg(long, value_name = "N")]
    pub throttle: Option<u32>,

    /// Run a sample of the tasks that are done again, of so many percent, and compare
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "1")]
    pub verify: Option<f64>,

    /// Submit the last tasks, which still run, once more; whichever copy ends first counts
    #[arg(long, conflicts_with_all = ["verify", "cancel"])]
    pub again_slow: bool,

    /// End what was submitted
    #[arg(long)]
    pub cancel: bool,

    /// The JDK whose class library to use; it must be the one of the plan
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,

    /// Where the workers of --on grpc:// have the JDK of the plan; it is sent to them unless given
    #[arg(long, value_name = "DIR")]
    pub worker_jdk: Option<PathBuf>,

    /// Options for sbatch, e.g. -- -p long --mem=4G; with --on grpc://, properties of workers, e.g. -- OSFamily=Linux
    #[arg(last = true, value_name = "OPTIONS")]
    pub engine: Vec<String>,
}

impl SubmitArgs {
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

#[derive(Clone, Args)]
pub struct CollectArgs {
    /// The folder of the plan
    pub plan: PathBuf,

    /// human: pages and a table in a folder; json: one document on standard output
    #[arg(long, value_enum, default_value_t = CollectFormat::Human)]
    pub format: CollectFormat,

    /// Where the pages go [default: the folder report of the plan]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Write no files for each suite
    #[arg(long)]
    pub no_pages: bool,

    /// Show how far it is, until all results are there
    #[arg(long)]
    pub watch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CollectFormat {
    Human,
    Json,
}
