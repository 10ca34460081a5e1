//! The `poldet` command.

mod memory;

use clap::Parser;
use poldet::cli::{Cli, java_style, usage, with_config};
use poldet::{exit, report};

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("panic");
        fault(what, panic.location().map(|l| (l.file(), l.line())));
    }));
    let args = with_config(java_style(std::env::args())).unwrap_or_else(|line| {
        report::note("error", &line);
        std::process::exit(exit::USAGE)
    });
    let command = args.get(1).cloned();
    let cli = Cli::try_parse_from(args).unwrap_or_else(|e| {
        // Help and version come this way, too; so does poldet without a command, which shows its help.
        if !e.use_stderr() || command.is_none() {
            let _ = e.print();
            let code = if e.use_stderr() {
                exit::USAGE
            } else {
                exit::COMPLETE
            };
            std::process::exit(code);
        }
        report::note("error", &usage::line(&e, command.as_deref()));
        std::process::exit(exit::USAGE);
    });
    std::process::exit(poldet::command(&cli));
}

/// Ends the process after a panic of ours: one line, whatever was to be said.
#[expect(clippy::print_stderr, reason = "the last line of a process that is wrong")]
fn fault(what: &str, place: Option<(&str, u32)>) -> ! {
    eprintln!("error: internal error: {}", fault_line(what, place));
    std::process::exit(exit::INTERNAL)
}

fn fault_line(what: &str, place: Option<(&str, u32)>) -> String {
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    match place {
        Some((file, line)) => format!("{what} ({file}:{line})"),
        None => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_one_line() {
        let place = Some(("vm.rs", 7));
        assert_eq!(
            fault_line("left: 1\n right: 2", place),
            "left: 1 right: 2 (vm.rs:7)"
        );
    }
}
