//! The outer side of the shim's natives: hands out what is to run, and reports what has run.

use crate::select::Selector;
use poldet_records::{
    Cost, Event, Pollution, Printed, Problem, ProblemKind, TestKey, TestName, UndoUnit, UniqueId,
};
use poldet_vm::natives::ctx::{boolean, int};
use poldet_vm::natives::{Ctx, Native, native};
use poldet_vm::plug::Part;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Which JUnit runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The platform's launcher.
    Platform,
    /// The platform's engines without a launcher.
    Engines,
    /// JUnit 4's core; also the built-in one.
    JUnit4,
    /// JUnit 3 alone.
    JUnit3,
    /// None: classes are loaded and nothing else.
    Load,
}

/// Classes that run together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub classes: Vec<String>,
    /// Unique ids to run instead of the classes.
    pub ids: Vec<UniqueId>,
    /// Only these tests, in this order where it can be had; all when empty.
    pub only: Vec<Selector>,
    /// Name the tests instead of running them.
    pub list: bool,
    pub ordered: bool,
    /// The JUnit that runs this step, where it is not the plan's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// These tests of the step's only class, by JUnit's own ids, in exactly this order; a test may stand more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<Vec<String>>,
}

/// What a worker is to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub mode: Mode,
    pub steps: Vec<Step>,
    /// Tests that have run already.
    pub done: BTreeSet<TestKey>,
    /// Containers not to enter again.
    pub banned: Vec<UniqueId>,
    /// Virtual time a test may take.
    pub timeout_nanos: Option<u64>,
}

/// Where the driver takes its steps from. It is asked while the VM stands still between two steps of JUnit, once for
/// each step.
pub trait StepSource {
    /// The next step; None when all is done.
    fn next(&mut self, vm: &mut Vm) -> Option<Step>;

    /// The tests of a step whose class has been discovered; None when the step is no sequence.
    fn choose(&mut self, _vm: &mut Vm, step: &Step) -> Option<Vec<String>> {
        step.sequence.clone()
    }

    /// Whether the VM may be forked between steps, so that what all children need is best done before.
    fn forks(&self) -> bool {
        false
    }

    /// A test is about to start.
    fn test_starts(&mut self, _vm: &mut Vm) {}

    /// Whether what the running test changes is to be kept, to be put back.
    fn keeps_changes(&self) -> bool {
        false
    }

    /// Which of the changes of the test that has just ended are put back, by number.
    fn puts_back(&mut self) -> Vec<usize> {
        Vec::new()
    }

    /// A test has ended and was reported; `changed` says that it left the shared state otherwise than it found it.
    fn test_ended(&mut self, _vm: &mut Vm, _changed: bool) {}
}

/// A plan that is known from the start.
impl StepSource for VecDeque<Step> {
    fn next(&mut self, _vm: &mut Vm) -> Option<Step> {
        self.pop_front()
    }
}

/// What was done to the shared state since the last boundary, where it was compared; or what went wrong with that.
pub type Watched = Result<Option<Pollution>, String>;

/// Called at test boundaries while the VM stands still.
pub trait TestObserver {
    /// The first fixture is about to run: what comes from now on is compared.
    fn fixtures_follow(&mut self, _vm: &mut Vm) {}

    /// JUnit has found the tests of a step, and the first fixture is about to run: what it took to find them is nobody's
    /// doing.
    fn discovered(&mut self, vm: &mut Vm) -> Result<(), String> {
        self.fixtures_follow(vm);
        Ok(())
    }

    /// A test is about to begin.
    fn test_started(&mut self, _vm: &mut Vm, _test: &TestName) -> Watched {
        Ok(None)
    }

    fn test_finished(&mut self, _vm: &mut Vm, _test: &TestName) -> Watched {
        Ok(None)
    }

    /// The last fixture of a class has run.
    fn class_finished(&mut self, _vm: &mut Vm) -> Watched {
        Ok(None)
    }

    /// Whether what a test changes is to be kept beyond its end.
    fn keep_changes(&mut self, _vm: &mut Vm, _on: bool) {}

    /// What the last test changed, if that was kept.
    fn changes(&mut self, _vm: &mut Vm) -> Vec<UndoUnit> {
        Vec::new()
    }

    /// Puts changes of the last test back, by number.
    fn put_back(&mut self, _vm: &mut Vm, _chosen: &[usize]) -> Result<(), String> {
        Ok(())
    }

    /// What has been found wrong with poldet itself since this was last asked.
    fn complaints(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Nobody listens.
pub struct NoObserver;

impl TestObserver for NoObserver {}

struct Running {
    test: TestName,
    problems: Vec<Problem>,
    start: Cost,
}

/// The embedder's state inside the VM while a suite runs.
pub struct Driver {
    plan: Plan,
    source: Box<dyn StepSource>,
    /// A step that has been taken from the source, but not yet handed to JUnit.
    upcoming: Option<Step>,
    step: Step,
    /// The step's sequence, once it was asked for.
    chosen: Option<Option<Vec<String>>>,
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

/// Bytes kept of a failure's message, and of each line of its stack trace: the first of them repeats the message.
const MOST_MESSAGE: usize = 1 << 20;
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
        let driver = Driver {
            plan,
            source,
            upcoming: None,
            step: Step::default(),
            chosen: None,
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

    fn emit(&mut self, event: Event) {
        (self.sink)(event);
    }

    /// The time-out counts from the last thing that happened.
    fn restart_clock(&self, vm: &mut Vm) {
        vm.plug.deadline = self.plan.timeout_nanos.map(|n| vm.work().1 + n);
    }

    /// The classes of the next step, however often this is asked before `advance`.
    fn upcoming(&mut self, vm: &mut Vm) -> Option<Vec<String>> {
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
    fn advance(&mut self) {
        self.chosen = None;
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
        let platform = matches!(
            step.mode.unwrap_or(self.plan.mode),
            Mode::Platform | Mode::Engines
        );
        if platform && !step.list && step.only.iter().any(Selector::has_invocation) {
            self.resolving = Some(step.clone());
            self.step = Step { list: true, ..step };
        } else {
            self.step = step;
        }
    }

    fn filtering(&self) -> bool {
        !self.step.only.is_empty() || !self.plan.done.is_empty() || !self.plan.banned.is_empty()
    }

    fn wanted(&self, test: &TestName) -> bool {
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

    fn rank(&self, test: &TestName) -> i32 {
        let at = self.step.only.iter().position(|s| s.matches(test));
        at.map_or(i32::MAX, |i| i as i32)
    }

    fn listed(&mut self, test: TestName, container: bool) {
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

    fn start(&mut self, vm: &mut Vm, test: TestName) -> Result<(), Stop> {
        self.tell_printed(vm);
        let state = self.observer.test_started(vm, &test);
        let state = self.looked(state)?;
        self.fixture_state(&test.class, state);
        self.emit(Event::Started { test: test.clone() });
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
    fn looked(&mut self, state: Watched) -> Result<Option<Pollution>, Stop> {
        for what in self.observer.complaints() {
            self.emit(Event::Fault { what });
        }
        state.map_err(Stop::bug)
    }

    /// What class fixtures print belongs to no test.
    fn tell_printed(&mut self, vm: &mut Vm) {
        if self.running.is_empty() {
            let printed = take_printed(vm);
            if !printed.is_empty() {
                self.emit(Event::Between { printed });
            }
        }
    }

    fn finish(&mut self, vm: &mut Vm, key: TestKey) -> Result<(), Stop> {
        let end = cost_now(vm);
        let Some(running) = self.running.remove(&key) else {
            return Ok(());
        };
        let keeps = self.source.keeps_changes();
        self.observer.keep_changes(vm, keeps);
        let state = self.observer.test_finished(vm, &running.test);
        let state = self.looked(state)?;
        let changed = state.as_ref().is_some_and(|s| s.polluter) || live_threads(vm) > self.threads;
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
        });
        if keeps {
            let units = self.observer.changes(vm);
            self.emit(Event::Changed { units });
            let chosen = self.source.puts_back();
            self.observer.put_back(vm, &chosen).map_err(Stop::bug)?;
        }
        self.source.test_ended(vm, changed);
        self.restart_clock(vm);
        Ok(())
    }

    fn fixture_state(&mut self, class: &str, state: Option<Pollution>) {
        if let Some(state) = state.filter(|s| !s.is_empty()) {
            let class = class.to_owned();
            self.emit(Event::FixtureState { class, state });
        }
    }

    /// A class, or a container of the platform's, is done.
    fn class_done(&mut self, vm: &mut Vm, class: &str) -> Result<(), Stop> {
        let state = self.observer.class_finished(vm);
        let state = self.looked(state)?;
        self.fixture_state(class, state);
        Ok(())
    }

    fn problem(&mut self, vm: &mut Vm, test: TestName, problem: Problem) {
        match self.running.get_mut(&test.key()) {
            Some(running) => running.problems.push(problem),
            None => {
                let printed = take_printed(vm);
                self.emit(Event::Outside {
                    test,
                    problem,
                    printed,
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

const EVENTS: &str = "poldet/shim/Events";

pub const TABLE: &[Native] = &[
    native(EVENTS, "mode", "", mode),
    native(EVENTS, "next", "", next),
    native(EVENTS, "ids", "", ids),
    native(EVENTS, "chosen", "", chosen),
    native(EVENTS, "copy", "", copy),
    native(EVENTS, "filtering", "", |c| ask(c, |d| boolean(d.filtering()))),
    native(EVENTS, "ordering", "", |c| ask(c, |d| boolean(d.step.ordered))),
    native(EVENTS, "listing", "", |c| ask(c, |d| boolean(d.step.list))),
    native(EVENTS, "wanted", "", wanted),
    native(EVENTS, "rank", "", rank),
    native(EVENTS, "classStarted", "", class_started),
    native(EVENTS, "classFinished", "", class_finished),
    native(EVENTS, "containerStarted", "", container_started),
    native(EVENTS, "containerFinished", "", container_finished),
    native(EVENTS, "planned", "", planned),
    native(EVENTS, "started", "", started),
    native(EVENTS, "failure", "", failure),
    native(EVENTS, "finished", "", finished),
    native(EVENTS, "skipped", "", skipped),
    native(EVENTS, "listed", "", listed),
    native(EVENTS, "broken", "", broken),
    native(EVENTS, "done", "", done),
];

/// Runs something with the driver taken out of the VM, so that it may use both.
fn with<T>(vm: &mut Vm, f: impl FnOnce(&mut Driver, &mut Vm) -> T) -> Result<T, Stop> {
    let missing = || Stop::bug("the shim runs without its driver");
    vm.with_part(f).ok_or_else(missing)
}

fn ask(c: &mut Ctx<'_>, f: impl FnOnce(&mut Driver) -> u64) -> Result<u64, Stop> {
    with(c.vm, |d, _| f(d))
}

/// A String argument that may be null.
fn text(c: &Ctx<'_>, slot: usize) -> Option<String> {
    let object = c.obj(slot);
    (!object.is_null()).then(|| c.vm.text(object))
}

/// The test named by the arguments from `root` on: root, id, class, method, parameters, and the display name's slot.
fn name(c: &Ctx<'_>, display: Option<usize>) -> TestName {
    let id = text(c, 1).unwrap_or_default();
    let (root, class) = (text(c, 0), text(c, 2));
    if let Some(id) = UniqueId::parse(&id).filter(|_| root.is_none()) {
        let display = display.and_then(|slot| text(c, slot)).unwrap_or_default();
        return TestName::from_platform(&id, class, text(c, 3), text(c, 4), &display);
    }
    match class {
        // A class that could not be loaded or inspected.
        Some(class) => TestName {
            root,
            display: id.clone(),
            id,
            class,
            ..TestName::default()
        },
        None => TestName::from_description(root, &id),
    }
}

fn mode(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mode = with(c.vm, |d, _| d.step.mode.unwrap_or(d.plan.mode))?;
    let text = match mode {
        Mode::Platform => "platform",
        Mode::Engines => "engines",
        Mode::JUnit4 => "junit4",
        Mode::JUnit3 => "junit3",
        Mode::Load => "load",
    };
    Ok(c.vm.new_string(text)?.bits())
}

fn strings(c: &mut Ctx<'_>, texts: &[String]) -> Result<u64, Stop> {
    let array = c.vm.new_ref_array(c.vm.known.string, texts.len() as i32)?;
    for (i, text) in texts.iter().enumerate() {
        let string = c.vm.new_string(text)?;
        c.vm.heap.elem_put_ref(array, i as u32, string);
    }
    Ok(array.bits())
}

fn next(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let Some(classes) = with(c.vm, |d, vm| d.upcoming(vm))? else {
        return Ok(0);
    };
    let array = strings(c, &classes)?;
    // Taken only now: what came before runs again after a collection.
    with(c.vm, |d, _| d.advance())?;
    Ok(array)
}

fn ids(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ids = with(c.vm, |d, _| d.step.ids.clone())?;
    let ids: Vec<String> = ids.iter().map(|id| id.as_str().to_owned()).collect();
    if ids.is_empty() { Ok(0) } else { strings(c, &ids) }
}

fn chosen(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    // Asked once: what follows runs again after a collection.
    let chosen = with(c.vm, |d, vm| {
        if d.chosen.is_none() {
            let step = std::mem::take(&mut d.step);
            d.chosen = Some(d.source.choose(vm, &step));
            d.step = step;
        }
        d.chosen.clone().flatten()
    })?;
    match chosen {
        Some(ids) => strings(c, &ids),
        None => Ok(0),
    }
}

fn copy(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let original = c.obj(0);
    Ok(c.vm.clone_object(original)?.bits())
}

fn wanted(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, None);
    ask(c, |d| boolean(d.wanted(&test)))
}

fn rank(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = TestName::from_description(text(c, 0), &text(c, 1).unwrap_or_default());
    ask(c, |d| int(d.rank(&test)))
}

fn tell(c: &mut Ctx<'_>, event: Event) -> Result<u64, Stop> {
    with(c.vm, |d, vm| {
        d.tell_printed(vm);
        d.emit(event);
        d.restart_clock(vm);
        0
    })
}

fn class_started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.string(0)?;
    with(c.vm, |d, vm| d.observer.fixtures_follow(vm))?;
    tell(c, Event::ClassStarted { class })
}

fn class_finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.string(0)?;
    with(c.vm, |d, vm| d.class_done(vm, &class))??;
    tell(c, Event::ClassFinished { class })
}

fn container_started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let event = Event::ContainerStarted {
        id: UniqueId::new(c.string(0)?),
        class: text(c, 1),
        method: text(c, 2),
    };
    tell(c, event)
}

fn container_finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = UniqueId::new(c.string(0)?);
    let class = TestName::from_platform(&id, None, None, None, "").class;
    if !class.is_empty() {
        with(c.vm, |d, vm| d.class_done(vm, &class))??;
    }
    tell(c, Event::ContainerFinished { id })
}

fn planned(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let tests = c.int(0).max(0) as u32;
    with(c.vm, |d, vm| {
        if d.step.sequence.is_some() {
            d.observer.discovered(vm)
        } else {
            d.observer.fixtures_follow(vm);
            Ok(())
        }
    })?
    .map_err(Stop::bug)?;
    tell(c, Event::Planned { tests })
}

fn started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, Some(5));
    with(c.vm, |d, vm| d.start(vm, test))?.map(|()| 0)
}

/// A String[] argument that may be null.
fn lines(c: &Ctx<'_>, slot: usize) -> Vec<String> {
    let lines = c.obj(slot);
    if lines.is_null() {
        return Vec::new();
    }
    let refs = c.vm.heap.refs(lines).to_vec();
    refs.into_iter().map(|line| c.vm.text(line)).collect()
}

/// A failure's text up to a length that reports can carry.
fn cut(mut text: String) -> String {
    if text.len() > MOST_MESSAGE {
        let keep = (0..=MOST_MESSAGE).rev().find(|at| text.is_char_boundary(*at));
        let dropped = text.len() - keep.unwrap_or(0);
        text.truncate(keep.unwrap_or(0));
        text.push_str(&format!("… {dropped} more bytes"));
    }
    text
}

fn failure(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, Some(5));
    let kind = match c.int(6) {
        0 => ProblemKind::Assertion,
        1 => ProblemKind::Error,
        _ => ProblemKind::Assumption,
    };
    let problem = Problem {
        kind,
        exception: text(c, 7).unwrap_or_default(),
        message: text(c, 8).map(cut),
        stack: lines(c, 9).into_iter().map(cut).collect(),
    };
    with(c.vm, |d, vm| d.problem(vm, test, problem)).map(|()| 0)
}

fn finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let key = TestKey {
        root: text(c, 0),
        id: c.string(1)?,
    };
    with(c.vm, |d, vm| d.finish(vm, key))?.map(|()| 0)
}

fn skipped(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (test, reason) = (name(c, Some(5)), text(c, 6).unwrap_or_default());
    tell(c, Event::Skipped { test, reason })?;
    with(c.vm, |d, vm| d.source.test_ended(vm, false)).map(|()| 0)
}

fn listed(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (test, container) = (name(c, Some(5)), c.bool(6));
    with(c.vm, |d, _| d.listed(test, container)).map(|()| 0)
}

fn broken(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stack = lines(c, 0).join("\n");
    with(c.vm, |d, _| d.broken = Some(stack)).map(|()| 0)
}

fn done(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    tell(c, Event::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(cut("short".into()), "short");
        let long = cut("é".repeat(MOST_MESSAGE));
        assert!(long.len() < MOST_MESSAGE + 40 && long.ends_with("é… 1048576 more bytes"));
    }
}
