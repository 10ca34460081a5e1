//! Small commands about poldet itself: completions, manual pages, workflows for CI.

use crate::cli::{Ci, CiSystem, Cli, Completions, Man};
use crate::exit;
use clap::CommandFactory;
use std::io::Write;

/// Writes text to standard output; nobody reading it is no fault.
pub fn print(bytes: &[u8]) -> Result<i32, String> {
    match std::io::stdout().lock().write_all(bytes) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ => Ok(exit::COMPLETE),
    }
}

/// `poldet completions SHELL`.
pub fn completions(options: &Completions) -> Result<i32, String> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "poldet", &mut script);
    print(&script)
}

/// `poldet man DIR`: one page for poldet and one for each command.
pub fn man(options: &Man) -> Result<i32, String> {
    let dir = &options.dir;
    let fail = |e: std::io::Error| format!("cannot write to '{}': {e}", dir.display());
    std::fs::create_dir_all(dir).map_err(fail)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(fail)?;
    Ok(exit::COMPLETE)
}

/// `poldet ci SYSTEM`: a workflow to begin with.
pub fn ci(options: &Ci) -> Result<i32, String> {
    print(match options.system {
        CiSystem::Github => include_bytes!("ci/github.yml"),
        CiSystem::Gitlab => include_bytes!("ci/gitlab.yml"),
    })
}
