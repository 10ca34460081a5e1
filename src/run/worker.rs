//! The process that holds the VM: reads what to do from its channel, runs it, and reports events there.
//! It has exactly one thread, so that it can be forked.

use crate::capture::Observer;
use crate::exit;
use crate::explore::zygote::Holder;
use crate::run::pipe::EventPipe;
use crate::run::spec::Spec;
use crate::run::uses;
use crate::sandbox::{self, Entered};
use poldet_junit_shim::MAIN;
use poldet_junit_shim::driver::{
    Driver, NoObserver, StepSource, TestObserver, broken_by, cost_of_last, take_printed,
};
use poldet_junit_shim::sanitise::Sanitiser;
use poldet_records::{Cost, End, Event, ExitCall, FaultKind, Network, NetworkFault, NetworkMode, Printed};
use poldet_vm::boot::{Ended, Program};
use poldet_vm::host::{HostOptions, net};
use poldet_vm::plug::Part;
use poldet_vm::throw::FrameInfo;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;
use std::rc::Rc;

/// Slices between two signs of life.
const BEAT: u32 = 500;

/// The pages of the guest's heap. A fork copies one entry of each, so that few are best; who is not forked would only have to clear
/// more than the guest uses, again after every collection that gives memory back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pages {
    Small,
    Huge,
}

/// Runs the worker; the answer is the process's exit code.
pub fn worker() -> i32 {
    with_channel(Pages::Small, |spec, _| {
        Box::new(VecDeque::from(std::mem::take(&mut spec.plan.steps)))
    })
}

/// Runs a zygote: its steps come from requests to fork.
pub fn zygote() -> i32 {
    with_channel(Pages::Huge, |spec, pipe| {
        let steps = std::mem::take(&mut spec.plan.steps);
        Box::new(Holder::new(Rc::clone(pipe), steps))
    })
}

/// Runs what the channel says; the answer is the process's exit code.
#[expect(
    clippy::print_stderr,
    reason = "there is no channel yet; the supervisor shows what a worker says when it dies"
)]
fn with_channel(pages: Pages, source: impl FnOnce(&mut Spec, &Rc<EventPipe>) -> Box<dyn StepSource>) -> i32 {
    let read = EventPipe::take_stdin().map_err(|e| e.to_string());
    let read = read.and_then(|(line, pipe)| {
        let spec: Spec = serde_json::from_str(&line).map_err(|e| e.to_string())?;
        Ok((spec, Rc::new(pipe)))
    });
    let (mut spec, pipe) = match read {
        Ok(both) => both,
        Err(e) => {
            eprintln!("error: invalid run specification: {e}");
            return exit::INTERNAL;
        }
    };
    let entered = match sandbox::enter(&spec.sandbox, || pipe.let_go()) {
        Ok(entered) => entered,
        Err(e) => {
            eprintln!("error: no sandbox: {e}");
            return exit::INTERNAL;
        }
    };
    if !entered.missing.is_empty() {
        let missing = entered.missing.clone();
        emit(&pipe, Event::Sandboxed { missing });
    }
    if entered.shown {
        spec.show();
    }
    let source = source(&mut spec, &pipe);
    let (how, cost, printed) = run(spec, pages, &entered, source, &pipe);
    emit(&pipe, Event::Ended { how, cost, printed });
    exit::COMPLETE
}

fn run(
    spec: Spec,
    pages: Pages,
    entered: &Entered,
    source: Box<dyn StepSource>,
    pipe: &Rc<EventPipe>,
) -> (End, Cost, Printed) {
    let early = |how: End| (how, Cost::default(), Printed::default());
    let input = match spec.stdin.open() {
        Ok(input) => input,
        Err(why) => return early(End::Bug(why)),
    };
    let host = HostOptions {
        seed: spec.vm.seed,
        capture: true,
        input: Some(input),
        dir: spec.dir.clone(),
        identity: spec.identity.clone(),
        aliases: spec.aliases.clone(),
        ..HostOptions::default()
    };
    let suite = spec.own.clone();
    let class_path = spec.real_class_path();
    let config = spec.vm.config(spec.class_path, MAIN.into());
    let mut vm = match Vm::boot(config, host) {
        Ok(vm) => vm,
        Err(ended) => return early(end_without_stack(ended)),
    };
    if pages == Pages::Small {
        vm.heap.use_small_pages();
    }
    for (class, file) in &spec.replaced {
        match std::fs::read(file) {
            Ok(bytes) => vm.replace_class(class, bytes),
            Err(e) => return early(End::Bug(format!("cannot read {file}: {e}"))),
        }
    }
    if let Some(overlay) = &spec.overlay {
        vm.host.fs.keep_writes_in(overlay.as_bytes());
        vm.host.fs.limit_overlay(spec.overlay_limit);
        let folders = [&vm.host.env.user_home, &vm.host.env.tmp_dir].map(|f| f.clone().into_bytes());
        folders.iter().for_each(|f| vm.host.fs.provide_folder(f));
    }
    if entered.filters {
        vm.host.processes.confine_by(sandbox::confine_program);
    }
    if entered.mounts && spec.overlay.is_some() {
        vm.host.processes.give_views();
    }
    emit(pipe, Event::Booted);
    if spec.uses {
        uses::attach(&mut vm);
    }
    if spec.show_output {
        // Standard output is the report's.
        vm.host.stdout.set_captured(false, 2);
        vm.host.stderr.set_captured(false, 2);
    }
    send_beats(&mut vm, pipe);
    if let Err(ended) = vm.start_agents() {
        return early(end_without_stack(ended));
    }
    let listing = spec.plan.steps.iter().any(|s| s.list);
    let observer: Box<dyn TestObserver> = match spec.capture.filter(|_| !listing) {
        Some(capture) => match Observer::install(&mut vm, capture, &suite, &class_path) {
            Ok(observer) => Box::new(observer),
            Err(why) => return early(End::Bug(why)),
        },
        None => Box::new(NoObserver),
    };
    open_network(&mut vm, &spec.network);
    if let Some(options) = spec.sanitise.filter(|_| !listing) {
        Sanitiser::install(&mut vm, options);
    }
    let events = Rc::clone(pipe);
    let sink = Box::new(move |event| emit(&events, event));
    Driver::install(&mut vm, spec.plan, source, sink, observer);
    let ended = vm.run_program(&Program::Class(MAIN), &[]);
    uses::take(&mut vm).into_iter().for_each(|used| emit(pipe, used));
    let cost = cost_of_last(&vm);
    let printed = take_printed(&mut vm);
    (end(&vm, ended), cost, printed)
}

/// Lets sockets reach what they may, and meet the faults that were asked for.
fn open_network(vm: &mut Vm, network: &Network) {
    let reach = match network.mode {
        NetworkMode::Closed => net::Reach::Closed,
        NetworkMode::Loopback => net::Reach::Loopback,
        NetworkMode::Host => net::Reach::Host,
    };
    let fault = |f: &NetworkFault| net::Fault {
        kind: match f.kind {
            FaultKind::Refuse => net::FaultKind::Refuse,
            FaultKind::Reset => net::FaultKind::Reset,
            FaultKind::Timeout => net::FaultKind::Timeout,
            FaultKind::UnknownHost => net::FaultKind::UnknownHost,
        },
        host: f.host.clone(),
    };
    let faults = network.faults.iter().map(fault).collect();
    vm.host.net.set_outside(reach, faults);
}

/// Shows the supervisor that the guest is running.
struct Beats {
    pipe: Rc<EventPipe>,
    slices: u32,
}

impl Part for Beats {
    fn slice_ended(&mut self, _: &mut Vm) {
        self.slices = self.slices.wrapping_add(1);
        if self.slices.is_multiple_of(BEAT) {
            emit(&self.pipe, Event::Beat);
        }
    }
}

fn send_beats(vm: &mut Vm, pipe: &Rc<EventPipe>) {
    let pipe = Rc::clone(pipe);
    vm.plug.attach(Beats { pipe, slices: 0 });
}

fn emit(pipe: &EventPipe, event: Event) {
    // Without a supervisor there is nobody to report to.
    if pipe.send(event).is_err() {
        std::process::exit(exit::INTERNAL);
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
        Ended::Agent(what) => End::Unsupported(what),
        Ended::Bug(what) => End::Bug(what),
    }
}
