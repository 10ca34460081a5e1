//! The process that holds the VM: reads what to do from standard input, runs it, writes events to standard output.
//! It has exactly one thread, so that it can be forked.

use crate::capture::Observer;
use crate::run::spec::Spec;
use poldet_junit_shim::MAIN;
use poldet_junit_shim::driver::{Driver, NoObserver, TestObserver, broken_by, cost_of_last, take_printed};
use poldet_records::{Cost, End, Event, ExitCall, Printed};
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::throw::FrameInfo;
use poldet_vm::vm::{Config, Vm};
use std::collections::VecDeque;
use std::io::{Read, Write};

/// Slices between two signs of life.
const BEAT: u32 = 500;

/// Runs the worker; the answer is the process's exit code.
pub fn worker() -> i32 {
    // A supervisor that is killed takes its worker along. Where that cannot be had, the worker ends at its next event.
    let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        return crate::exit::USAGE;
    }
    let spec: Spec = match serde_json::from_str(&text) {
        Ok(spec) => spec,
        Err(e) => {
            eprintln!("poldet: invalid run specification: {e}");
            return crate::exit::INTERNAL;
        }
    };
    let (ended, cost, printed) = run(spec);
    emit(&Event::Ended {
        how: ended,
        cost,
        printed,
    });
    0
}

fn run(mut spec: Spec) -> (End, Cost, Printed) {
    let host = HostOptions {
        seed: spec.seed,
        capture: true,
        input: Some(Vec::new()),
        dir: spec.dir.clone(),
        ..HostOptions::default()
    };
    let suite = spec.class_path[..spec.tested.min(spec.class_path.len())].to_vec();
    let config = Config {
        java_home: spec.java_home,
        jdk_release: spec.jdk_release,
        class_path: spec.class_path,
        properties: spec.properties,
        max_heap: spec.max_heap,
        stack_size: spec.stack,
        seed: spec.seed,
        assertions: spec.assertions,
        command: MAIN.into(),
        fast_indy: true,
        compile: spec.compile.parse().unwrap_or_default(),
        natives: poldet_natives::TABLES,
        module_options: spec.module_options,
    };
    let mut vm = match Vm::boot(config, host) {
        Ok(vm) => vm,
        Err(ended) => return (end_without_stack(ended), Cost::default(), Printed::default()),
    };
    if let Some(layer) = &spec.layer {
        vm.host.fs.keep_writes_in(layer.as_bytes());
    }
    emit(&Event::Booted);
    if spec.show_output {
        // Standard output carries the events.
        vm.host.stdout.set_captured(false, 2);
        vm.host.stderr.set_captured(false, 2);
    }
    let mut slices = 0;
    vm.heartbeat = Some(Box::new(move || {
        slices += 1;
        if slices % BEAT == 0 {
            emit(&Event::Beat);
        }
    }));
    let listing = spec.plan.steps.iter().any(|s| s.list);
    let observer: Box<dyn TestObserver> = match spec.capture.filter(|_| !listing) {
        Some(capture) => match Observer::install(&mut vm, &capture, &suite) {
            Ok(observer) => Box::new(observer),
            Err(why) => return (End::Bug(why), Cost::default(), Printed::default()),
        },
        None => Box::new(NoObserver),
    };
    let steps = VecDeque::from(std::mem::take(&mut spec.plan.steps));
    Driver::install(
        &mut vm,
        spec.plan,
        Box::new(steps),
        Box::new(|event| emit(&event)),
        observer,
    );
    let ended = vm.run_program(&Program::Class(MAIN), &[]);
    let cost = cost_of_last(&vm);
    let printed = take_printed(&mut vm);
    (end(&vm, ended), cost, printed)
}

fn emit(event: &Event) {
    let Ok(mut line) = serde_json::to_vec(event) else {
        return;
    };
    line.push(b'\n');
    // Without a supervisor there is nobody to tell.
    if std::io::stdout()
        .write_all(&line)
        .and_then(|()| std::io::stdout().flush())
        .is_err()
    {
        std::process::exit(crate::exit::INTERNAL);
    }
}

fn end(vm: &Vm, ended: Ended) -> End {
    let Ended::Status(status) = ended else {
        return end_without_stack(ended);
    };
    if let Some(exception) = broken_by(vm) {
        return End::Thrown(exception);
    }
    // The thread that ended the VM still stands where it did so.
    let frames = vm.stack(vm.threads.current);
    let is_exit = |f: &&FrameInfo| {
        let method = vm.method(f.method);
        vm.class_name(method.class) == "java/lang/Runtime" && vm.syms.str(method.name) == "exit"
    };
    let by = match frames.iter().find(is_exit) {
        Some(_) => ExitCall::SystemExit,
        None => ExitCall::RuntimeHalt,
    };
    let lines: Vec<String> = frames
        .iter()
        .map(|f| format!("\tat {}", vm.frame_text(*f)))
        .collect();
    End::Exit {
        by,
        status,
        stack: lines.join("\n"),
    }
}

/// The end of a VM that has no stack to show.
fn end_without_stack(ended: Ended) -> End {
    match ended {
        Ended::Status(status) => End::Exit {
            by: ExitCall::Boot,
            status,
            stack: String::new(),
        },
        Ended::Deadlock(report) => End::Deadlock(report),
        Ended::TimedOut(report) => End::TimedOut(report),
        Ended::Unsupported(what) => End::Unsupported(what),
        Ended::Bug(what) => End::Bug(what),
    }
}
