//! `poldet exec`: a Java program with `java`'s output and exit code.

use crate::cli::Exec;
use crate::exit;
use crate::input;
use crate::vm_options::{VmOptions, unused_java_home};
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::jdk::Jdk;
use poldet_vm::vm::Vm;

/// Runs the program; the answer is the exit code, or one line about what is wrong with the input.
pub fn exec(options: &Exec) -> Result<i32, String> {
    let jdk = Jdk::find(options.vm.jdk.as_deref())?;
    let (vm, ignored) = VmOptions::new(&options.vm, &jdk, false, false)?;
    if let Some(line) = unused_java_home(options.vm.jdk.as_deref(), &jdk) {
        warn(&line);
    }
    for option in ignored {
        warn(&format!("ignored JVM option {option}"));
    }
    let (program, args) = match &options.jar {
        Some(jar) => (Program::Jar(jar), &options.rest[..]),
        None => match options.rest.split_first() {
            Some((main, args)) => (Program::Class(main), args),
            None => return Err("no main class: poldet exec [options] MAIN args…".into()),
        },
    };
    let class_path = match (&options.jar, &options.class_path) {
        (Some(jar), _) => jar.clone(),
        (None, Some(path)) => path.clone(),
        (None, None) => std::env::var("CLASSPATH").unwrap_or_else(|_| ".".into()),
    };
    let class_path: Vec<String> = class_path.split(':').map(String::from).collect();
    match &program {
        Program::Class(main) => input::check_main(main, &class_path, &jdk, vm.preview)?,
        Program::Jar(path) => input::check_jar(path, &jdk, vm.preview)?,
    }
    let command = match &program {
        Program::Class(name) => std::iter::once(*name),
        Program::Jar(path) => std::iter::once(*path),
    };
    let command: Vec<&str> = command.chain(args.iter().map(String::as_str)).collect();
    let host = HostOptions {
        seed: vm.seed,
        ..HostOptions::default()
    };
    let config = vm.config(class_path, command.join(" "));
    let ended = match Vm::boot(config, host) {
        Ok(mut vm) => match vm.start_agents() {
            Ok(()) => vm.run_program(&program, args),
            Err(ended) => ended,
        },
        Err(ended) => ended,
    };
    Ok(report(ended))
}

#[expect(
    clippy::print_stderr,
    reason = "the program's own output takes the place of a report"
)]
fn warn(what: &str) {
    eprintln!("warning: {what}");
}

#[expect(
    clippy::print_stderr,
    reason = "the program's own output takes the place of a report"
)]
fn report(ended: Ended) -> i32 {
    match ended {
        Ended::Status(status) => status,
        Ended::Deadlock(report) | Ended::TimedOut(report) => {
            eprint!("error: {report}");
            1
        }
        Ended::Agent(what) => {
            eprintln!("error: {what}");
            exit::USAGE
        }
        Ended::Unsupported(what) => {
            eprintln!("error: unsupported: {what}");
            exit::INCOMPLETE
        }
        Ended::Bug(what) => {
            eprintln!("error: internal error: {what}");
            exit::INTERNAL
        }
    }
}
