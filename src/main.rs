//! The `poldet` command.

mod cli;
mod exec;
mod exit;

use clap::Parser;
use std::process;

fn main() {
    let cli = cli::Cli::try_parse_from(java_style(std::env::args())).unwrap_or_else(|e| {
        let code = if e.use_stderr() { exit::USAGE } else { 0 };
        let _ = e.print();
        process::exit(code);
    });
    let cli::Command::Exec(options) = &cli.command;
    let code = exec::exec(options).unwrap_or_else(|line| {
        eprintln!("poldet: {line}");
        exit::USAGE
    });
    process::exit(code);
}

/// Accepts `java`'s single-dash long options in front of the main class.
fn java_style(args: impl Iterator<Item = String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut options = true;
    for arg in args {
        let long = matches!(
            arg.as_str(),
            "-cp" | "-classpath" | "-jar" | "-ea" | "-enableassertions"
        );
        if options && long {
            out.push(format!("-{arg}"));
            continue;
        }
        if options && let Some(size) = arg.strip_prefix("-Xmx") {
            out.push(format!("--max-heap={size}"));
            continue;
        }
        if options && let Some(size) = arg.strip_prefix("-Xss") {
            out.push(format!("--stack={size}"));
            continue;
        }
        // The first word that is no option, after `poldet exec`, ends them; clap decides which one that is.
        out.push(arg);
        options &= out.len() < 64;
    }
    out
}
