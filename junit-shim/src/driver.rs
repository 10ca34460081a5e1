//! Hands out what is to run, and reports what has run. `natives.rs` is how the guest reaches it.

use crate::hand::{EXECUTOR, EXECUTOR_CLASS, Hand};
use crate::natives::TABLE;
pub use crate::observer::{NoObserver, TestObserver, Watched};
pub use crate::plan::{Kept, Mode, Plan, Step, StepSource};
use crate::sanitise;
use crate::select::Selector;
use poldet_records::{Cost, Event, Pollution, Printed, Problem, ProblemKind, TestKey, TestName};
use poldet_vm::plug::Part;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;
use std::collections::BTreeMap;

struct Running {
    test: TestName,
    problems: Vec<Problem>,
    start: Cost,
}

/// The embedder's state inside the VM while a suite runs.
pub struct Driver {
    plan: Plan,
    pub(crate) source: Box<dyn StepSource>,
    /// A step that has been taken from the source, but not yet handed to JUnit.
    upcoming: Option<Step>,
    step: Step,
    /// The step's sequence, once it was asked for.
    pub(crate) hand: Option<Hand>,
    /// Threads that lived when the last test began.
    threads: usize,
    /// Listing for a step that asks for single invocations: that step, waiting for its ids.
    resolving: Option<Step>,
    running: BTreeMap<TestKey, Running>,
    steps_taken: u32,
    /// When the last test began.
    since: Cost,
    /// The exception that ended JUnit itself, as printed.
    broken: Option<String>,
    sink: Box<dyn FnMut(Event)>,
    observer: Box<dyn TestObserver>,
}

/// What is reported of a test that an engine has started and never finished.
const UNFINISHED: &str = "JUnit started this test and did not report its end";
/// Bytes of output kept of each test and stream.
const KEEP_PRINTED: usize = 64 << 10;

impl Part for Driver {}

impl Driver {
    /// Puts a driver into a booted VM; steps come from the source, events go to the sink.
    pub fn install(
        vm: &mut Vm,
        plan: Plan,
        source: Box<dyn StepSource>,
        sink: Box<dyn FnMut(Event)>,
        observer: Box<dyn TestObserver>,
    ) {
        vm.add_natives(TABLE);
        if source.hands_out() {
            vm.replace_class(EXECUTOR, EXECUTOR_CLASS.to_vec());
        }
        let driver = Driver {
            plan,
            source,
            upcoming: None,
            step: Step::default(),
            hand: None,
            threads: 0,
            resolving: None,
            running: BTreeMap::new(),
            steps_taken: 0,
            since: Cost::default(),
            broken: None,
            sink,
            observer,
        };
        driver.restart_clock(vm);
        vm.plug.attach(driver);
    }

    /// The step that runs.
    pub(crate) fn step(&self) -> &Step {
        &self.step
    }

    /// The JUnit that runs the step.
    pub(crate) fn mode(&self) -> Mode {
        self.mode_of(&self.step)
    }

    fn mode_of(&self, step: &Step) -> Mode {
        step.mode.unwrap_or(self.plan.mode)
    }

    fn emit(&mut self, event: Event) {
        (self.sink)(event);
    }

    /// The time-out counts from the last thing that happened.
    fn restart_clock(&self, vm: &mut Vm) {
        let limits = self
            .plan
            .timeout_nanos
            .into_iter()
            .chain(self.source.timeout_nanos());
        vm.plug.deadline = limits.min().map(|n| vm.work().1 + n);
    }

    /// The classes of the next step, however often this is asked before `advance`.
    pub(crate) fn upcoming(&mut self, vm: &mut Vm) -> Option<Vec<String>> {
        if self.resolving.is_none() && self.upcoming.is_none() {
            if self.source.forks() {
                // What all children need is done once: the first walk, and the comparison with what it took to get here.
                self.forks_follow(vm);
            }
            self.upcoming = self.source.next(vm);
        }
        let step = self.resolving.as_ref().or(self.upcoming.as_ref())?;
        Some(step.classes.clone())
    }

    fn forks_follow(&mut self, vm: &mut Vm) {
        if let Err(what) = self.observer.discovered(vm) {
            self.emit(Event::Fault { what });
        }
    }

    /// Goes to the next step; one that asks for single invocations is preceded by a listing of its classes.
    pub(crate) fn advance(&mut self) {
        self.hand = None;
        if let Some(mut step) = self.resolving.take() {
            step.list = false;
            self.step = step;
            return;
        }
        let Some(step) = self.upcoming.take() else {
            return;
        };
        self.emit(Event::Step {
            index: self.steps_taken,
        });
        self.steps_taken += 1;
        let platform = matches!(self.mode_of(&step), Mode::Platform | Mode::Engines);
        if platform && !step.list && step.only.iter().any(Selector::has_invocation) {
            self.resolving = Some(step.clone());
            self.step = Step { list: true, ..step };
        } else {
            self.step = step;
        }
    }

    /// The first tests of the step's sequence.
    pub(crate) fn choose(&mut self, vm: &mut Vm) -> Vec<String> {
        if self.source.forks() {
            self.forks_follow(vm);
        }
        self.source.choose(vm, &self.step).unwrap_or_default()
    }

    /// The fixtures before the first test of a sequence's class have run.
    pub(crate) fn fixtures_ended(&mut self, vm: &mut Vm) -> Result<(), Stop> {
        self.report_printed(vm);
        let class = self.step.classes.first().cloned().unwrap_or_default();
        let keeps = self.keep(vm, Kept::Before);
        let state = self.observer.fixtures_ended(vm, &class);
        let state = self.checked(state)?;
        self.fixture_state(&class, state);
        if keeps {
            self.put_back(vm, Kept::Before)?;
        }
        Ok(())
    }

    pub(crate) fn filtering(&self) -> bool {
        !self.step.only.is_empty() || !self.plan.done.is_empty() || !self.plan.banned.is_empty()
    }

    pub(crate) fn wanted(&self, test: &TestName) -> bool {
        let done = self.plan.done.contains(&test.key());
        if !self.step.ids.is_empty() {
            // The platform knows exactly what to run.
            return !done;
        }
        if done || self.plan.banned.iter().any(|b| b.contains(&test.id)) {
            return false;
        }
        self.step.only.is_empty()
            || self.step.only.iter().any(|s| {
                if self.resolving.is_some() {
                    s.matches_method(test)
                } else {
                    s.matches(test)
                }
            })
    }

    pub(crate) fn rank(&self, test: &TestName) -> i32 {
        let at = self.step.only.iter().position(|s| s.matches(test));
        at.map_or(i32::MAX, |i| i as i32)
    }

    pub(crate) fn listed(&mut self, test: TestName, container: bool) {
        let Some(step) = &mut self.resolving else {
            self.emit(Event::Listed { test, container });
            return;
        };
        let Some(id) = test.unique_id() else { return };
        for selector in &step.only {
            if !selector.matches_method(&test) {
                continue;
            }
            match selector {
                Selector::Name {
                    invocation: Some(number),
                    ..
                } if container => step.ids.push(id.with_invocation(number)),
                _ if selector.matches(&test) => step.ids.push(id.clone()),
                _ => {}
            }
        }
    }

    /// The first fixture of a class is about to run.
    pub(crate) fn fixtures_follow(&mut self, vm: &mut Vm) {
        self.observer.fixtures_follow(vm);
    }

    /// JUnit has discovered the tests of the step.
    pub(crate) fn discovered(&mut self, vm: &mut Vm) -> Result<(), Stop> {
        if self.step.sequence.is_some() {
            return self.observer.discovered(vm).map_err(Stop::bug);
        }
        self.observer.fixtures_follow(vm);
        Ok(())
    }

    /// Reports an event that is not the start or end of a test.
    pub(crate) fn report(&mut self, vm: &mut Vm, event: Event) {
        self.report_printed(vm);
        self.emit(event);
        self.restart_clock(vm);
    }

    pub(crate) fn skip(&mut self, vm: &mut Vm, test: TestName, reason: String) {
        self.report(vm, Event::Skipped { test, reason });
        self.source.test_ended(vm, false);
    }

    /// JUnit itself ended by an exception.
    pub(crate) fn broken(&mut self, stack: String) {
        self.broken = Some(stack);
    }

    pub(crate) fn start(&mut self, vm: &mut Vm, test: TestName) -> Result<(), Stop> {
        self.report_printed(vm);
        let keeps = self.keep(vm, Kept::Before);
        let state = self.observer.test_started(vm, &test);
        let state = self.checked(state)?;
        self.fixture_state(&test.class, state);
        if keeps {
            self.put_back(vm, Kept::Before)?;
        }
        self.emit(Event::Started { test: test.clone() });
        sanitise::test_begins(vm, &test);
        self.source.test_starts(vm);
        self.threads = live_threads(vm);
        let key = test.key();
        self.since = cost_now(vm);
        let running = Running {
            test,
            problems: Vec::new(),
            start: self.since,
        };
        self.running.insert(key, running);
        self.restart_clock(vm);
        Ok(())
    }

    /// Reports what the observer found wrong with poldet; what it cannot go on from ends the VM.
    fn checked(&mut self, state: Watched) -> Result<Option<Pollution>, Stop> {
        for what in self.observer.complaints() {
            self.emit(Event::Fault { what });
        }
        state.map_err(Stop::bug)
    }

    /// What class fixtures print belongs to no test.
    fn report_printed(&mut self, vm: &mut Vm) {
        if self.running.is_empty() {
            let printed = take_printed(vm);
            if !printed.is_empty() {
                self.emit(Event::Between { printed });
            }
        }
    }

    pub(crate) fn finish(&mut self, vm: &mut Vm, key: TestKey) -> Result<(), Stop> {
        let end = cost_now(vm);
        let Some(running) = self.running.remove(&key) else {
            return Ok(());
        };
        let reads = match self.source.reader_is_next() {
            true => Some(self.observer.reads(vm).map_err(Stop::bug)?),
            false => None,
        };
        let keeps = self.keep(vm, Kept::Test);
        let state = self.observer.test_finished(vm, &running.test);
        let state = self.checked(state)?;
        let changed = state.as_ref().is_some_and(|s| s.changed) || live_threads(vm) > self.threads;
        let sanitise = sanitise::test_ends(vm, &key, &running.problems);
        self.report_addresses(vm, &running.test.text());
        let printed = take_printed(vm);
        self.emit(Event::Finished {
            key,
            problems: running.problems,
            cost: Cost {
                instructions: end.instructions - running.start.instructions,
                nanos: end.nanos - running.start.nanos,
            },
            printed,
            state,
            sanitise,
        });
        if keeps {
            self.put_back(vm, Kept::Test)?;
        }
        if let Some(units) = reads {
            self.emit(Event::Reads { units });
        }
        self.source.test_ended(vm, changed);
        if self.source.reader_is_next() {
            self.observer.watch_reads(vm).map_err(Stop::bug)?;
        }
        self.restart_clock(vm);
        Ok(())
    }

    /// Ends the tests of a step that its engine has started and never finished.
    pub(crate) fn finish_step(&mut self, vm: &mut Vm) -> Result<(), Stop> {
        let keys: Vec<TestKey> = self.running.keys().cloned().collect();
        for key in keys {
            if let Some(running) = self.running.get_mut(&key) {
                running.problems.push(Problem {
                    kind: ProblemKind::Error,
                    exception: "unfinished test".into(),
                    message: Some(UNFINISHED.into()),
                    stack: vec![UNFINISHED.into()],
                });
            }
            self.finish(vm, key)?;
        }
        Ok(())
    }

    /// What the interval that is about to end has changed is kept, if it is to be put back.
    fn keep(&mut self, vm: &mut Vm, of: Kept) -> bool {
        let keeps = self.source.keeps_changes(of);
        self.observer.keep_changes(vm, keeps);
        keeps
    }

    /// Reports what was kept, and puts back what is to be put back of it. What runs around a test has several parts, of which the
    /// first counts that changes something.
    fn put_back(&mut self, vm: &mut Vm, of: Kept) -> Result<(), Stop> {
        let units = self.observer.changes(vm);
        if units.is_empty() && of != Kept::Test {
            return Ok(());
        }
        self.emit(Event::Changed { units });
        let chosen = self.source.puts_back();
        self.observer.put_back(vm, &chosen).map_err(Stop::bug)?;
        if let Some(watched) = self.source.watches() {
            self.observer.name_changes(vm, &watched);
        }
        Ok(())
    }

    fn fixture_state(&mut self, class: &str, state: Option<Pollution>) {
        if let Some(state) = state.filter(|s| !s.is_empty()) {
            if state.changed {
                self.source.fixture_changed();
            }
            let class = class.to_owned();
            self.emit(Event::FixtureState { class, state });
        }
    }

    /// A class, or a container of the platform's, is done.
    pub(crate) fn class_done(&mut self, vm: &mut Vm, class: &str) -> Result<(), Stop> {
        let keeps = self.keep(vm, Kept::ClassEnd);
        let state = self.observer.class_finished(vm, class);
        let state = self.checked(state)?;
        self.fixture_state(class, state);
        if keeps {
            self.put_back(vm, Kept::ClassEnd)?;
            if self.source.reader_is_next() {
                self.observer.watch_reads(vm).map_err(Stop::bug)?;
            }
        }
        self.report_addresses(vm, class);
        Ok(())
    }

    /// Real addresses that were connected to since this was last asked.
    fn report_addresses(&mut self, vm: &mut Vm, test: &str) {
        let addresses = vm.host.net.take_used();
        if !addresses.is_empty() {
            let test = test.to_owned();
            self.emit(Event::Connected { test, addresses });
        }
    }

    pub(crate) fn problem(&mut self, vm: &mut Vm, test: TestName, problem: Problem) {
        match self.running.get_mut(&test.key()) {
            Some(running) => running.problems.push(problem),
            None => {
                let printed = take_printed(vm);
                let sanitise = sanitise::outside(vm, &problem);
                self.emit(Event::Outside {
                    test,
                    problem,
                    printed,
                    sanitise,
                });
            }
        }
    }
}

fn live_threads(vm: &Vm) -> usize {
    vm.threads.list.iter().filter(|t| !t.frames.is_empty()).count()
}

fn cost_now(vm: &Vm) -> Cost {
    let (instructions, nanos) = vm.work();
    Cost { instructions, nanos }
}

/// What the last test has taken so far.
pub fn cost_of_last(vm: &Vm) -> Cost {
    let now = cost_now(vm);
    let since = vm.plug.part::<Driver>().map_or(now, |d| d.since);
    Cost {
        instructions: now.instructions - since.instructions,
        nanos: now.nanos - since.nanos,
    }
}

/// The stack trace of the exception that ended JUnit itself.
pub fn broken_by(vm: &Vm) -> Option<String> {
    vm.plug.part::<Driver>()?.broken.clone()
}

/// What was printed since this was last asked.
pub fn take_printed(vm: &mut Vm) -> Printed {
    let text = |mut bytes: Vec<u8>| {
        let dropped = bytes.len().saturating_sub(KEEP_PRINTED);
        bytes.truncate(KEEP_PRINTED);
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if dropped > 0 {
            text.push_str(&format!("\n… {dropped} more bytes\n"));
        }
        text
    };
    Printed {
        out: text(vm.host.stdout.take()),
        err: text(vm.host.stderr.take()),
    }
}
