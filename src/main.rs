//! The `poldet` command.

use clap::Parser;
use poldet::cli::{Cli, java_style};
use poldet::exit;

fn main() {
    let cli = Cli::try_parse_from(java_style(std::env::args())).unwrap_or_else(|e| {
        let code = if e.use_stderr() {
            exit::USAGE
        } else {
            exit::COMPLETE
        };
        let _ = e.print();
        std::process::exit(code);
    });
    std::process::exit(poldet::command(&cli));
}
