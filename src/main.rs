//! The `poldet` command.

mod capture;
mod cli;
mod doctor;
mod exec;
mod exit;
mod explain;
mod input;
mod report;
mod run;

use clap::Parser;
use std::process;

fn main() {
    let cli = cli::Cli::try_parse_from(java_style(std::env::args())).unwrap_or_else(|e| {
        let code = if e.use_stderr() { exit::USAGE } else { 0 };
        let _ = e.print();
        process::exit(code);
    });
    let result = match &cli.command {
        cli::Command::Exec(options) => exec::exec(options),
        cli::Command::Run(options) => run::run(options),
        cli::Command::Doctor(options) => doctor::doctor(options),
        cli::Command::Explain(options) => explain::explain(options),
        cli::Command::Dump(options) => run::dump(options),
        cli::Command::Worker => Ok(run::worker::worker()),
    };
    let code = result.unwrap_or_else(|line| {
        eprintln!("poldet: {line}");
        exit::USAGE
    });
    process::exit(code);
}

/// Rewrites `java`'s single-dash options of `poldet exec` to the double-dash form, and fences off the program's own
/// arguments: everything after the main class or the jar is the program's.
fn java_style(args: impl Iterator<Item = String>) -> Vec<String> {
    let mut args = args.peekable();
    let mut out: Vec<String> = args.by_ref().take(2).collect();
    if out.get(1).map(String::as_str) != Some("exec") {
        // `-cp`, as for java.
        out.extend(args.map(|a| if a == "-cp" { "--cp".into() } else { a }));
        return out;
    }
    while let Some(arg) = args.next() {
        if !arg.starts_with('-') || arg == "-" || arg == "--" {
            out.push("--".into());
            out.extend((arg != "--").then_some(arg));
            break;
        }
        let name = arg.trim_start_matches('-');
        match name {
            "cp" | "classpath" | "class-path" | "jdk" | "max-heap" | "stack" | "seed" | "add-opens"
            | "add-exports" | "add-modules" | "jar" => {
                out.push(format!("--{name}"));
                out.extend(args.next());
                if name == "jar" {
                    out.push("--".into());
                    break;
                }
            }
            "ea" | "enableassertions" => out.push("--ea".into()),
            "Xint" | "Xmixed" | "Xcomp" => out.push(format!("--compile=-{name}")),
            _ => match (arg.strip_prefix("-Xmx"), arg.strip_prefix("-Xss")) {
                (Some(size), _) => out.push(format!("--max-heap={size}")),
                (_, Some(size)) => out.push(format!("--stack={size}")),
                _ => out.push(arg),
            },
        }
    }
    out.extend(args);
    out
}
