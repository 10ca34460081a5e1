//! The command line. Options come in groups, which commands flatten: a suite, a VM, conditions of a run, detection, reports.

mod cache;
mod config;
mod identity;
mod java_style;
mod outside;
mod scale;
pub mod usage;
mod vm;

pub use cache::{CacheArgs, CacheCommand, CacheDo};
pub use config::with_config;
pub use identity::IdentityArgs;
pub use java_style::java_style;
pub use outside::OutsideArgs;
pub use scale::{CollectArgs, CollectFormat, PlanArgs, SubmitArgs, TaskArgs};
pub use vm::VmArgs;

use crate::sandbox::Mode;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use poldet_records::{Definition, NioMode, Outcome, Roots};
use std::path::PathBuf;

#[derive(Parser)]
#[command(
    name = "poldet",
    version,
    about = "Finds Java tests that leave shared state behind",
    after_help = "Options can be kept in poldet.toml, by command ([run], [nio], …): --profile NAME takes those of [profile.NAME.run], too; --no-config ignores the file."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a Java program as `java` would
    Exec(Exec),
    /// Run the tests of a suite
    Run(Run),
    /// Check a suite before running it: the JDK, its JUnit, missing classes and natives
    Doctor(Doctor),
    /// Explain one test's findings from a saved run
    Explain(Explain),
    /// Write the shared state before and after a test, and what differs
    Dump(Dump),
    /// Find tests that pass and fail when run again (NIO tests)
    Nio(Nio),
    /// Find tests whose outcome depends on which tests ran before them (OD tests)
    Od(Od),
    /// Write the page of the last run, or of a saved one
    Page(PageArgs),
    /// Compare two saved runs: outcomes, polluters and the fields they pollute
    Diff(Diff),
    /// Print a workflow that runs poldet in CI
    Ci(Ci),
    /// Print a script that completes poldet's commands and options in a shell
    Completions(Completions),
    /// Write the manual pages to a folder
    Man(Man),
    /// Print the JSON Schema of a document, or of all of them
    Schema(SchemaArgs),
    /// Write patches for order-dependent and NIO tests, each compiled and checked in many orders
    Fix(Fix),
    /// Make tests order-dependent by deleting statements, and write a data set of them
    Inject(Inject),
    /// Plan the work on a corpus of suites, in tasks that can run anywhere
    Plan(PlanArgs),
    /// Run one task of a plan
    Task(TaskArgs),
    /// Hand out the tasks of a plan that have no result yet
    Submit(SubmitArgs),
    /// Merge the results of a plan
    Collect(CollectArgs),
    /// Show, prune or check the results of earlier runs that are kept
    Cache(CacheCommand),
    /// The process that holds the VM of a run
    #[command(name = "__worker", hide = true)]
    Worker,
    /// The process that holds the VM of a search and is forked
    #[command(name = "__zygote", hide = true)]
    Zygote,
    /// A process that finds out what a sandbox would lack
    #[command(name = "__sandbox", hide = true)]
    Sandbox,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// One JSON document
    Json,
    /// One JSON object a line for every event, as it happens
    Jsonl,
    /// Surefire's TEST-*.xml in the report folder
    Junit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// What the environment says of colours: `NO_COLOR` goes before `FORCE_COLOR` and `CLICOLOR_FORCE`, and those before what the stream is.
fn wants_colour(terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| variable(name).is_some_and(|v| !v.is_empty());
    let forced = |name: &str| variable(name).is_some_and(|v| !v.is_empty() && v != "0");
    let dumb = variable("TERM").is_some_and(|t| t == "dumb");
    !set("NO_COLOR") && (forced("FORCE_COLOR") || forced("CLICOLOR_FORCE") || terminal && !dumb)
}

#[cfg(test)]
#[test]
fn the_environment_decides_on_colours() {
    let with = |terminal, list: &[(&str, &str)]| {
        wants_colour(terminal, |name| {
            list.iter()
                .find(|(k, _)| *k == name)
                .map(|(_, v)| (*v).to_owned())
        })
    };
    assert!(with(true, &[]) && !with(false, &[]));
    assert!(!with(true, &[("TERM", "dumb")]));
    assert!(with(false, &[("CLICOLOR_FORCE", "1")]) && !with(false, &[("FORCE_COLOR", "0")]));
    assert!(!with(true, &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")]));
}

impl Color {
    /// Whether to colour, given that the stream is a terminal or not.
    pub fn on(self, terminal: bool) -> bool {
        match self {
            Color::Auto => wants_colour(terminal, |name| std::env::var(name).ok()),
            Color::Always => true,
            Color::Never => false,
        }
    }
}

/// Outcomes that make the run count as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Anything but passed and skipped
    Any,
    Failed,
    Error,
    Skipped,
    Unsupported,
    TimedOut,
    Crashed,
    /// A test that leaves shared state behind
    Polluter,
    /// A test that pollutes what it does not in the --baseline
    NewPolluter,
}

impl FailOn {
    pub fn covers(self, outcome: Outcome) -> bool {
        match self {
            FailOn::Any => !matches!(outcome, Outcome::Passed | Outcome::Skipped),
            FailOn::Failed => outcome == Outcome::Failed,
            FailOn::Error => outcome == Outcome::Error,
            FailOn::Skipped => outcome == Outcome::Skipped,
            FailOn::Unsupported => outcome == Outcome::Unsupported,
            FailOn::TimedOut => outcome == Outcome::TimedOut,
            FailOn::Crashed => outcome == Outcome::Crashed,
            // Pollution is no outcome: a test can pollute and pass.
            FailOn::Polluter | FailOn::NewPolluter => false,
        }
    }
}

fn roots() -> impl TypedValueParser<Value = Roots> {
    let values = PossibleValuesParser::new([
        PossibleValue::new("first-touch")
            .help("All classes'; of one first used by the test, from the end of its initialiser on"),
        PossibleValue::new("common")
            .help("Only those of classes initialised before the test, as PolDet does"),
    ]);
    values.map(|text| match text.as_str() {
        "common" => Roots::Common,
        _ => Roots::FirstTouch,
    })
}

fn definition() -> impl TypedValueParser<Value = Definition> {
    let values = PossibleValuesParser::new([
        PossibleValue::new("net").help(
            "A test that leaves a difference; one that restores the state of before an earlier test is a cleaner",
        ),
        PossibleValue::new("poldet")
            .help("A test that leaves any difference, as PolDet does (Gyori et al. 2015; Yi et al. 2021)"),
    ]);
    values.map(|text| match text.as_str() {
        "poldet" => Definition::Poldet,
        _ => Definition::Net,
    })
}

/// Virtual seconds a test may take unless told otherwise: real suites hold benchmarks of more than five minutes.
pub const TIMEOUT: f64 = 600.0;

/// Bytes of files that a suite may write unless told otherwise.
pub const OVERLAY_LIMIT: &str = "1g";

/// The suite on disk.
#[derive(Clone, Args)]
pub struct SuiteArgs {
    /// Jars or folders with the compiled tests, or the folder of a Maven or Gradle project; the current folder unless given
    #[arg(value_name = "SUITE")]
    pub suite: Vec<PathBuf>,

    /// Dependencies of the tests: folders and jars separated by colons, DIR/* for all jars of a folder, @FILE to read them from a file
    #[arg(long = "cp", visible_aliases = ["class-path", "classpath"], value_name = "PATH")]
    pub class_path: Option<String>,
}

/// Which of the suite's tests.
#[derive(Clone, Args)]
pub struct TestArgs {
    /// Test classes by name instead of Surefire's Test*, *Test, *Tests, *TestCase: *IT in any package, com.acme.*IT with the packages below, or Surefire's com/acme/**/*IT
    #[arg(long, value_name = "GLOB", help_heading = "Which tests")]
    pub include: Vec<String>,

    /// Classes to leave out
    #[arg(long, value_name = "GLOB", help_heading = "Which tests")]
    pub exclude: Vec<String>,

    /// Only this test: pkg.Class, pkg.Class#method, pkg.Class.method, method(Type)[1], or a JUnit unique id
    #[arg(long, value_name = "SELECTOR", help_heading = "Which tests")]
    pub test: Vec<String>,

    /// Run the tests named in this file, one a line, in this order
    #[arg(long, value_name = "FILE", help_heading = "Which tests")]
    pub order: Option<PathBuf>,

    /// Only the tests that did not pass in the last run
    #[arg(long, conflicts_with_all = ["test", "order"], help_heading = "Which tests")]
    pub failed: bool,

    /// Only the tests that polluted in the last run
    #[arg(long, conflicts_with_all = ["test", "order"], help_heading = "Which tests")]
    pub polluters: bool,

    /// Show the tests instead of running them
    #[arg(long, help_heading = "Which tests")]
    pub list: bool,
}

/// What surrounds the tests.
#[derive(Clone, Args)]
pub struct ConditionArgs {
    /// Virtual seconds a test may take; 0 for no limit
    #[arg(long, value_name = "S", default_value_t = TIMEOUT, help_heading = "Conditions")]
    pub timeout: f64,

    /// The tests' working folder
    #[arg(long, value_name = "DIR", help_heading = "Conditions")]
    pub dir: Option<PathBuf>,

    /// The property `basedir`, as Maven sets it; the working folder unless given
    #[arg(long, value_name = "DIR", help_heading = "Conditions")]
    pub basedir: Option<PathBuf>,

    /// Let tests change real files
    #[arg(long, help_heading = "Conditions")]
    pub write_through: bool,

    /// How much tests may write, e.g. 200m; what they write is kept in memory if there is room, else in the temporary folder
    #[arg(long, value_name = "N", default_value = OVERLAY_LIMIT, help_heading = "Conditions")]
    pub overlay_limit: String,

    /// Keep tests, and processes they start, from writing files, reaching the network and outliving the run
    #[arg(long, value_enum, default_value_t = Mode::Auto, value_name = "WHEN", help_heading = "Conditions")]
    pub sandbox: Mode,

    /// Show the tests their suite and the JDK where they are, not at fixed paths below /poldet: the report may differ in another folder
    #[arg(long, help_heading = "Conditions")]
    pub real_paths: bool,

    #[command(flatten)]
    pub identity: IdentityArgs,

    /// Standard input of the tests: a file, or `closed`; an open pipe on which nothing comes unless given
    #[arg(long, value_name = "FILE|closed", help_heading = "Conditions")]
    pub stdin: Option<PathBuf>,
}

impl ConditionArgs {
    /// Whether tests see their suite at fixed paths; the real files are where they are.
    pub fn fixed_paths(&self) -> bool {
        !self.real_paths && !self.write_through && !self.identity.host_identity && self.sandbox != Mode::Off
    }
}

/// What is reported, and where.
#[derive(Clone, Args)]
pub struct ReportArgs {
    #[arg(long, value_enum, default_value_t = Format::Human, help_heading = "Report")]
    pub format: Format,

    /// Write TEST-*.xml and poldet.json to this folder
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub report_dir: Option<PathBuf>,

    /// Write a page for the browser to this file: findings with their graphs and stacks
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub html: Option<PathBuf>,

    /// Write the findings to this file as rows of CSV
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub csv: Option<PathBuf>,

    /// Write the findings to this file as SARIF 2.1.0
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub sarif: Option<PathBuf>,

    /// Print annotations for this system
    #[arg(long, value_enum, value_name = "SYSTEM", help_heading = "Report")]
    pub annotate: Option<Annotate>,

    /// A poldet.json of an earlier run: what a test polluted then is not new
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub baseline: Option<PathBuf>,

    /// Exit with code 1 if any test has one of these outcomes
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "OUTCOME",
        help_heading = "Report"
    )]
    pub fail_on: Vec<FailOn>,

    /// Show the source lines of findings, from these folders (with packages as folders below them)
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub sources: Vec<PathBuf>,

    /// Pass on what the tests print
    #[arg(long, help_heading = "Report")]
    pub show_output: bool,

    #[arg(long, value_enum, default_value_t = Color::Auto, help_heading = "Report")]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Annotate {
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Clone, Args)]
pub struct Run {
    #[command(flatten)]
    pub suite: SuiteArgs,

    #[command(flatten)]
    pub tests: TestArgs,

    #[command(flatten)]
    pub vm: VmArgs,

    #[command(flatten)]
    pub conditions: ConditionArgs,

    #[command(flatten)]
    pub capture: CaptureArgs,

    #[command(flatten)]
    pub outside: OutsideArgs,

    #[command(flatten)]
    pub isolation: IsolationArgs,

    #[command(flatten)]
    pub cache: CacheArgs,

    #[command(flatten)]
    pub report: ReportArgs,
}

/// Which tests share a VM.
#[derive(Clone, Args)]
pub struct IsolationArgs {
    /// Start every class, or every test, from the state of a VM in which no test has run
    #[arg(long, value_enum, default_value_t = Isolate::None, value_name = "LEVEL", help_heading = "Isolation")]
    pub isolate: Isolate,

    /// Processes at once, with --isolate and in searches [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Isolation")]
    pub jobs: Option<u16>,
}

impl IsolationArgs {
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Isolate {
    /// All tests in one VM
    None,
    /// A VM for each class
    Class,
    /// A VM for each test; one that left the shared state as it found it serves the next test of its class, too
    Method,
    /// A VM for each test
    Strict,
}

/// How the shared state is compared.
#[derive(Clone, Args)]
pub struct CaptureArgs {
    /// Only run the tests: do not compare the shared state
    #[arg(long, help_heading = "Pollution")]
    pub no_capture: bool,

    /// Count differences that no public API shows: spare capacity, modification counts, lazily made views
    #[arg(long, help_heading = "Pollution")]
    pub strict: bool,

    /// Whose static fields are compared
    #[arg(long, value_parser = roots(), default_value = "first-touch", value_name = "WHICH", help_heading = "Pollution")]
    pub roots: Roots,

    /// Who counts as a polluter
    #[arg(long, value_parser = definition(), default_value = "net", value_name = "WHICH", help_heading = "Pollution")]
    pub definition: Definition,

    /// List every finding: also those that are folded (id generators, generated classes, background threads, static initialisers)
    #[arg(long, help_heading = "Pollution")]
    pub all: bool,

    /// Report what each test reads and changes of the state that tests share; every test runs again for it, alone
    #[arg(long, help_heading = "Pollution")]
    pub access: bool,

    /// Rank findings by who suffers from them: tests that read what a polluter leaves run again after it
    #[arg(long, help_heading = "Pollution")]
    pub impact: bool,

    /// Do not run failing tests again to find out which earlier tests make them fail
    #[arg(long, help_heading = "Pollution")]
    pub no_links: bool,

    /// List what ignore rules hide
    #[arg(long, help_heading = "Pollution")]
    pub show_ignored: bool,

    /// More ignore rules, from a file
    #[arg(long, value_name = "FILE", help_heading = "Pollution")]
    pub rules: Vec<PathBuf>,

    /// One more ignore rule, e.g. 'root: com.acme.Registry.*'
    #[arg(long, value_name = "PATTERN", help_heading = "Pollution")]
    pub ignore: Vec<String>,

    /// Disable an ignore rule
    #[arg(long, value_name = "ID", value_delimiter = ',', help_heading = "Pollution")]
    pub disable_rule: Vec<String>,

    /// Check what the write log says against walks of the whole state
    #[arg(long, hide = true)]
    pub verify_capture: bool,

    /// Show the ignore rules and why they are there
    #[arg(long, help_heading = "Pollution")]
    pub list_rules: bool,
}

#[derive(Clone, Args)]
pub struct Doctor {
    #[command(flatten)]
    pub suite: SuiteArgs,

    /// The JDK whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,

    #[arg(long, value_enum, default_value_t = DoctorFormat::Human)]
    pub format: DoctorFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// Text for people
    Human,
    /// One JSON document
    Json,
}

#[derive(Clone, Args)]
pub struct Explain {
    /// The test: pkg.Class, pkg.Class#method, pkg.Class.method, method(Type)[1], or a JUnit unique id
    pub test: String,

    /// A poldet.json, or the folder with it that `poldet run --report-dir` wrote; the last run unless given
    #[arg(long, value_name = "FILE|DIR")]
    pub from: Option<PathBuf>,

    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Clone, Args)]
pub struct PageArgs {
    /// The file to write
    #[arg(value_name = "FILE", default_value = "poldet.html")]
    pub out: PathBuf,

    /// A poldet.json, or the folder with it that `poldet run --report-dir` wrote; the last run unless given
    #[arg(long, value_name = "FILE|DIR")]
    pub from: Option<PathBuf>,

    /// Sources to show lines of, packages as folders below it
    #[arg(long, value_name = "DIR")]
    pub sources: Vec<PathBuf>,
}

#[derive(Clone, Args)]
pub struct Diff {
    /// A poldet.json, or the folder with it
    pub old: PathBuf,

    /// Another one
    pub new: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Args)]
pub struct Ci {
    #[arg(value_enum)]
    pub system: CiSystem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CiSystem {
    /// GitHub Actions
    Github,
    /// GitLab CI
    Gitlab,
}

#[derive(Clone, Args)]
pub struct Completions {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Clone, Args)]
pub struct Man {
    /// The folder to write to
    pub dir: PathBuf,
}

#[derive(Clone, Args)]
pub struct Dump {
    /// Where to write before, after and diff, each as .csv, .json and .dot
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    #[command(flatten)]
    pub run: Run,
}

#[derive(Clone, Args)]
pub struct Nio {
    #[command(flatten)]
    pub run: Run,

    /// The VM in which a test runs twice: one for the test, for its class, or for the suite
    #[arg(long, value_parser = nio_mode(), default_value = "all", value_name = "MODE", help_heading = "Search")]
    pub mode: NioModes,

    /// With how many other seeds a test must behave the same
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Search")]
    pub confirm: u32,

    /// Write the NIO tests to this file as rows of the IDoFT data set (CSV)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub idoft: Option<PathBuf>,
}

#[derive(Clone, Args)]
pub struct Od {
    #[command(flatten)]
    pub run: Run,

    /// Stop at the first polluter, state-setter and cleaner of each test
    #[arg(long, help_heading = "Search")]
    pub first: bool,

    /// With how many other seeds tests are run again [default: 10 for those found OD, 3 for others]
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub rerun: Option<u32>,

    /// Also run the suite in N random orders of each kind, reversed, and in Tuscan orders, as a cross-check
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub orders: u32,

    /// Shuffle tests also in classes that declare the order of their tests
    #[arg(long, help_heading = "Search")]
    pub ignore_declared_orders: bool,

    /// An order in which the test of --test passes, one test a line: find its polluters or state-setters in --failing, without sets
    #[arg(long, value_name = "FILE", requires = "failing", help_heading = "Search")]
    pub passing: Option<PathBuf>,

    /// An order in which the test of --test fails
    #[arg(long, value_name = "FILE", requires = "passing", help_heading = "Search")]
    pub failing: Option<PathBuf>,

    /// Write what is proved, and what the proof rests on, to this file (JSON)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub certificate: Option<PathBuf>,

    /// End after so many seconds with what is known by then
    #[arg(long, value_name = "S", help_heading = "Search")]
    pub budget: Option<f64>,

    /// Write the OD tests to this file as rows of the IDoFT data set (CSV)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub idoft: Option<PathBuf>,

    /// Write polluters, state-setters and cleaners to this file as rows of IDoFT's odr-tests.csv
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub idoft_relations: Option<PathBuf>,

    /// Write the text of a pull request to IDoFT to this file (Markdown)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub pull_request: Option<PathBuf>,

    /// Write iDFlakies' folder .dtfixingtools into this folder
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub dtfixingtools: Option<PathBuf>,
}

#[derive(Clone, Args)]
pub struct SchemaArgs {
    /// Whose document; all of them in one object unless given
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(crate::schema::names()))]
    pub document: Option<String>,
}

#[derive(Args)]
pub struct Inject {
    #[command(flatten)]
    pub run: Run,

    /// Where to write the data set; a run that was interrupted goes on there
    #[arg(long, value_name = "DIR", help_heading = "Mutation")]
    pub out: PathBuf,

    /// The folder that patches are relative to [default: the nearest around the sources with .git, or a build file]
    #[arg(long, value_name = "DIR", help_heading = "Mutation")]
    pub project: Option<PathBuf>,

    /// Random orders of each class
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Mutation")]
    pub orders: u32,

    /// How often a test runs alone, each time with another schedule and other randomness
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Mutation")]
    pub reruns: u32,

    /// Run classes of up to so many tests in all orders there are
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=7), help_heading = "Mutation")]
    pub all_permutations: u32,

    /// Take so many of the mutants, chosen by the seed
    #[arg(long, value_name = "N", help_heading = "Mutation")]
    pub limit: Option<usize>,

    /// Delete statements of fixtures, too
    #[arg(long, help_heading = "Mutation")]
    pub fixtures: bool,

    /// Delete statements inside of blocks, loops, branches and lambdas, too
    #[arg(long, help_heading = "Mutation")]
    pub nested: bool,

    /// Look for polluters and state-setters in other classes, too
    #[arg(long, help_heading = "Mutation")]
    pub suite_wide: bool,

    /// Run every order of every mutant as a whole, and assume nothing of changes that do not count
    #[arg(long, help_heading = "Mutation")]
    pub whole_orders: bool,

    /// Calls that are assertions besides those of the known libraries: a name with stars, e.g. 'Check.*'
    #[arg(long, value_name = "GLOB", help_heading = "Mutation")]
    pub assert_pattern: Vec<String>,

    /// The encoding of the sources
    #[arg(long, value_name = "NAME", default_value = "UTF-8", help_heading = "Mutation")]
    pub encoding: String,

    /// One more option for the Java compiler, e.g. --javac-option=--enable-preview
    #[arg(
        long,
        value_name = "OPTION",
        allow_hyphen_values = true,
        help_heading = "Mutation"
    )]
    pub javac_option: Vec<String>,
}

#[derive(Args)]
pub struct Fix {
    #[command(flatten)]
    pub run: Run,

    /// Where to write the patches; must not exist, or be empty
    #[arg(long, value_name = "DIR", help_heading = "Patches")]
    pub out: PathBuf,

    /// The folder that patches are relative to [default: the nearest around the sources with .git, or a build file]
    #[arg(long, value_name = "DIR", help_heading = "Patches")]
    pub project: Option<PathBuf>,

    /// What `poldet od --format json` or `poldet nio --format json` wrote: fix the tests found there instead of searching
    #[arg(long, value_name = "FILE", help_heading = "Patches")]
    pub from: Vec<PathBuf>,

    /// Whose code to change
    #[arg(long, value_enum, default_value_t = FixSide::Both, help_heading = "Patches")]
    pub side: FixSide,

    /// Write the patches of all helpers and resets, not only the best of each side
    #[arg(long, help_heading = "Patches")]
    pub find_all: bool,

    /// If nothing else helps, reset private fields by reflection
    #[arg(long, help_heading = "Patches")]
    pub allow_reflection: bool,

    /// Run the checks of each patch on `java`, too; tests then change real files
    #[arg(long, help_heading = "Patches")]
    pub verify_on_hotspot: bool,

    /// Random orders of the suite in which a patch is checked
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1000), help_heading = "Patches")]
    pub orders: u32,

    /// The encoding of the sources
    #[arg(long, value_name = "NAME", default_value = "UTF-8", help_heading = "Patches")]
    pub encoding: String,

    /// One more option for the Java compiler, e.g. --javac-option=--enable-preview
    #[arg(
        long,
        value_name = "OPTION",
        allow_hyphen_values = true,
        help_heading = "Patches"
    )]
    pub javac_option: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixSide {
    /// The test that fails
    Victim,
    /// The test that leaves the state behind
    Polluter,
    Both,
}

/// One mode, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NioModes(pub Option<NioMode>);

fn nio_mode() -> impl TypedValueParser<Value = NioModes> {
    let values = NioMode::ALL.map(NioMode::text).into_iter().chain(["all"]);
    let parser = PossibleValuesParser::new(values.collect::<Vec<_>>());
    parser.map(|text| NioModes(NioMode::ALL.into_iter().find(|m| m.text() == text)))
}

#[derive(Clone, Args)]
pub struct Exec {
    /// Where to look for classes: folders and jars, separated by colons
    #[arg(long = "cp", visible_aliases = ["class-path", "classpath"], value_name = "PATH")]
    pub class_path: Option<String>,

    #[command(flatten)]
    pub vm: VmArgs,

    /// Run the main class of this jar
    #[arg(long = "jar", value_name = "FILE")]
    pub jar: Option<String>,

    /// The main class (unless --jar is given) and its arguments
    #[arg(last = true, value_name = "MAIN ARGS")]
    pub rest: Vec<String>,
}
