//! `poldet exec`: a Java program with `java`'s output and exit code.

use crate::cli::Exec;
use crate::exit;
use crate::input;
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::jdk::Jdk;
use poldet_vm::vm::{Config, Vm};

/// Runs the program; the answer is the exit code, or one line about what is wrong with the input.
pub fn exec(options: &Exec) -> Result<i32, String> {
    let jdk = Jdk::find(options.jdk.as_deref())?;
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
        Program::Class(main) => input::check_main(main, &class_path, &jdk)?,
        Program::Jar(path) => input::check_jar(path, &jdk)?,
    }
    let command = match &program {
        Program::Class(name) => std::iter::once(*name),
        Program::Jar(path) => std::iter::once(*path),
    };
    let command: Vec<&str> = command.chain(args.iter().map(String::as_str)).collect();
    let config = Config {
        java_home: jdk.home.clone(),
        jdk_release: jdk.feature,
        class_path,
        properties: options.properties.iter().map(|p| property(p)).collect(),
        max_heap: match &options.max_heap {
            Some(text) => size(text)?,
            None => default_heap(),
        },
        stack_size: size(&options.stack)?,
        seed: options.seed,
        assertions: options.assertions,
        command: command.join(" "),
        fast_indy: !options.slow_indy,
        compile: options.compile.parse().unwrap_or_default(),
        natives: poldet_natives::TABLES,
        module_options: module_options(options),
    };
    let host = HostOptions {
        seed: options.seed,
        ..HostOptions::default()
    };
    let ended = match Vm::boot(config, host) {
        Ok(mut vm) => vm.run_program(&program, args),
        Err(ended) => ended,
    };
    Ok(report(ended))
}

fn report(ended: Ended) -> i32 {
    match ended {
        Ended::Status(status) => status,
        Ended::Deadlock(report) | Ended::TimedOut(report) => {
            eprint!("poldet: {report}");
            1
        }
        Ended::Unsupported(what) => {
            eprintln!("poldet: unsupported: {what}");
            exit::INCOMPLETE
        }
        Ended::Bug(what) => {
            eprintln!("poldet: internal error: {what}");
            exit::INTERNAL
        }
    }
}

fn property(text: &str) -> (String, String) {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    (key.into(), value.into())
}

/// The properties that `java` makes of its module options.
fn module_options(options: &Exec) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let kinds = [
        ("addopens", &options.add_opens),
        ("addexports", &options.add_exports),
        ("addmods", &options.add_modules),
    ];
    for (kind, values) in kinds {
        for (i, value) in values.iter().enumerate() {
            list.push((format!("jdk.module.{kind}.{i}"), value.clone()));
        }
    }
    list
}

/// The most memory the Java heap may take unless told otherwise, by HotSpot's rule: a quarter of the machine's, or of
/// what the process's control group may use. It is only taken as needed.
pub fn default_heap() -> u64 {
    const MOST: u64 = 30 << 30;
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let of_machine = text("/proc/meminfo")
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()
        })
        .map_or(8 << 30, |kilobytes| kilobytes << 10);
    let of_group = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|file| text(file).trim().parse::<u64>().ok());
    let all = of_machine.min(of_group.unwrap_or(of_machine));
    ((all / 4) >> 20 << 20).clamp(64 << 20, MOST)
}

/// A size as `-Xmx` takes it.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| format!("not a size: {text}"))?;
    number
        .checked_mul(factor)
        .ok_or_else(|| format!("not a size: {text}"))
}
