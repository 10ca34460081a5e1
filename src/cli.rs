//! The command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(
    name = "poldet",
    version,
    about = "Finds Java tests that leave shared state behind"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a Java program as `java` would
    Exec(Exec),
}

#[derive(Args)]
pub struct Exec {
    /// The JDK whose class library to use
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,

    /// Where to look for classes: folders and jars, separated by colons
    #[arg(long = "cp", visible_aliases = ["class-path", "classpath"], value_name = "PATH")]
    pub class_path: Option<String>,

    /// Set a system property
    #[arg(short = 'D', value_name = "K=V")]
    pub properties: Vec<String>,

    /// The most memory the Java heap may take, e.g. 64m
    #[arg(long, value_name = "N", default_value = "2g")]
    pub max_heap: String,

    /// The stack of a thread, e.g. 1m
    #[arg(long, value_name = "N", default_value = "2m")]
    pub stack: String,

    /// Vary thread schedule and identity hashes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Enable assertions
    #[arg(long = "ea", visible_alias = "enableassertions")]
    pub assertions: bool,

    /// Link lambdas and string concatenation through the JDK's own machinery only
    #[arg(long)]
    pub slow_indy: bool,

    /// Open a package to a module, as `java --add-opens`
    #[arg(long, value_name = "MODULE/PACKAGE=TARGET")]
    pub add_opens: Vec<String>,

    /// Export a package to a module, as `java --add-exports`
    #[arg(long, value_name = "MODULE/PACKAGE=TARGET")]
    pub add_exports: Vec<String>,

    /// Root modules beside the default ones, as `java --add-modules`
    #[arg(long, value_name = "MODULE,…")]
    pub add_modules: Vec<String>,

    /// Run the main class of this jar
    #[arg(long = "jar", value_name = "FILE")]
    pub jar: Option<String>,

    /// The main class (unless --jar is given) and its arguments
    #[arg(last = true, value_name = "MAIN ARGS")]
    pub rest: Vec<String>,
}
