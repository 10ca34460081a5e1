//! The process that holds the VM: reads what to do from standard input, runs it, writes events to standard output.
//! It has exactly one thread, so that it can be forked.

use crate::capture::Observer;
use crate::run::spec::Spec;
use poldet_junit_shim::MAIN;
use poldet_junit_shim::driver::{Driver, NoObserver, TestObserver, broken_by, cost_of_last, take_printed};
use poldet_junit_shim::event::{Cost, Ended, Event, Printed};
use poldet_vm::boot::{Ended as VmEnded, Program};
use poldet_vm::host::HostOptions;
use poldet_vm::vm::{Config, Vm};
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
            eprintln!("poldet: the worker cannot read its orders: {e}");
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

fn run(spec: Spec) -> (Ended, Cost, Printed) {
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
        module_options: spec.module_options,
    };
    let mut vm = match Vm::boot(config, host) {
        Ok(vm) => vm,
        Err(ended) => return (told_early(ended), Cost::default(), Printed::default()),
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
    let observer: Box<dyn TestObserver> = if spec.capture.enabled && !spec.plan.steps.iter().any(|s| s.list) {
        match Observer::install(&mut vm, &spec.capture, &suite) {
            Ok(observer) => Box::new(observer),
            Err(why) => return (Ended::Bug(why), Cost::default(), Printed::default()),
        }
    } else {
        Box::new(NoObserver)
    };
    Driver::install(&mut vm, spec.plan, Box::new(|event| emit(&event)), observer);
    let ended = vm.run_program(&Program::Class(MAIN), &[]);
    let cost = cost_of_last(&vm);
    let printed = take_printed(&mut vm);
    (told(&vm, ended), cost, printed)
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

fn told(vm: &Vm, ended: VmEnded) -> Ended {
    let VmEnded::Status(status) = ended else {
        return told_early(ended);
    };
    if let Some(exception) = broken_by(vm) {
        return Ended::Thrown(exception);
    }
    // The thread that ended the VM still stands where it did so.
    let frames = vm.stack(vm.threads.current);
    let lines: Vec<String> = frames
        .iter()
        .map(|f| format!("\tat {}", vm.frame_text(*f)))
        .collect();
    let exits = lines.iter().any(|l| l.contains("java.lang.Runtime.exit("));
    Ended::Status {
        by: if exits { "System.exit" } else { "Runtime.halt" }.into(),
        status,
        stack: lines.join("\n"),
    }
}

/// The end of a VM that has no stack to show.
fn told_early(ended: VmEnded) -> Ended {
    match ended {
        VmEnded::Status(status) => Ended::Status {
            by: "exit".into(),
            status,
            stack: String::new(),
        },
        VmEnded::Deadlock(report) => Ended::Deadlock(report),
        VmEnded::TimedOut(report) => Ended::TimedOut(report),
        VmEnded::Unsupported(what) => Ended::Unsupported(what),
        VmEnded::Bug(what) => Ended::Bug(what),
    }
}
