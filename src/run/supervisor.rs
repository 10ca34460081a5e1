//! Keeps a worker at work: reads its events, and when it ends too early gives the test at fault its verdict and starts
//! another worker that goes on after it.

use crate::report::progress::Progress;
use crate::run::discover::Candidate;
use crate::run::results::Results;
use crate::run::select::Wanted;
use crate::run::spec::Spec;
use crate::run::suite::Suite;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_records::{
    Cost, End, Event, ExitCall, Fixture, Outcome, Pollution, Printed, Record, TestKey, TestName, UniqueId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

pub struct Settings {
    /// Name the tests instead of running them.
    pub list: bool,
    /// Real time without a sign of life after which a worker is given up.
    pub silence: Duration,
}

pub struct Supervisor<'a> {
    spec: Spec,
    settings: Settings,
    results: &'a mut Results,
    progress: Progress,
    interrupted: Arc<AtomicBool>,
    /// Ids to run before anything else: what is left of a container whose earlier part is done.
    leftovers: Vec<UniqueId>,
    workers: u32,
    /// Tests that need not run again.
    done: BTreeSet<TestKey>,
}

/// How far a worker got.
#[derive(Default)]
struct Watch {
    booted: bool,
    done: bool,
    running: BTreeMap<TestKey, TestName>,
    /// Started tests in order, the last one first to be blamed.
    order: Vec<TestKey>,
    containers: Vec<(UniqueId, TestName)>,
    class: Option<String>,
    finished: BTreeSet<String>,
    /// The step it was at.
    step: usize,
    ended: Option<(End, Cost, Printed)>,
}

/// What was going on when a worker ended too early.
enum Culprit {
    Test(TestName),
    Container(UniqueId, TestName),
    Class(String),
    Unknown,
}

impl<'a> Supervisor<'a> {
    pub fn new(
        spec: Spec,
        settings: Settings,
        results: &'a mut Results,
        progress: Progress,
    ) -> Supervisor<'a> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C just ends the process; that is a lesser evil than not running.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
        Supervisor {
            spec,
            settings,
            results,
            progress,
            interrupted,
            leftovers: Vec::new(),
            workers: 0,
            done: BTreeSet::new(),
        }
    }

    pub fn run_all(&mut self, suite: &Suite, steps: Vec<Wanted>) -> Result<(), String> {
        let start = Instant::now();
        for (round, mode) in suite.modes().into_iter().enumerate() {
            self.spec.plan.mode = mode;
            let mut left = steps.clone();
            if round > 0 {
                // The platform has run what it knows; what is left speaks of an older JUnit.
                for step in &mut left {
                    step.classes.retain(|c| c.old);
                }
            }
            left.retain(|s| !s.classes.is_empty());
            self.done.clear();
            self.spec.plan.banned.clear();
            if !left.is_empty() {
                self.run_mode(left)?;
            }
            if self.results.document.interrupted || self.results.internal.is_some() {
                break;
            }
        }
        self.progress.finish();
        self.results.close(start.elapsed());
        Ok(())
    }

    fn run_mode(&mut self, mut left: Vec<Wanted>) -> Result<(), String> {
        let mut one_by_one = false;
        while !left.is_empty() || !self.leftovers.is_empty() {
            self.spec.plan.steps = self.plan_steps(&left, one_by_one);
            self.spec.plan.done = self.done.clone();
            let watch = self.run_worker()?;
            if self.results.document.interrupted || watch.done {
                return Ok(());
            }
            let culprit = culprit(&watch);
            if left.first().is_some_and(|s| s.ordered) {
                cut_order(&mut left, watch.step, &culprit);
                self.done.clear();
            } else {
                self.drop_finished(&mut left, &watch);
            }
            let (outcome, message) = verdict(&watch);
            let (cost, printed) = watch.ended.map_or_else(Default::default, |(_, c, p)| (c, p));
            match culprit {
                Culprit::Test(test) => self.blame_test(test, outcome, message, cost, printed, &mut left),
                Culprit::Container(id, test) => {
                    self.spec.plan.banned.push(id);
                    self.record_end(test, outcome, message, printed);
                }
                Culprit::Class(name) => {
                    remove_class(&mut left, &name);
                    self.record_end(TestName::of_class(&name), outcome, message, printed);
                }
                Culprit::Unknown if !one_by_one && watch.booted && count(&left) > 1 => one_by_one = true,
                Culprit::Unknown => {
                    // Not one class can be blamed: all that is left shares the verdict.
                    if !watch.booted {
                        self.results.internal = Some(message.clone());
                    }
                    for class in left.iter().flat_map(|s| &s.classes) {
                        let test = TestName::of_class(&class.name);
                        self.record_end(test, outcome, message.clone(), Printed::default());
                    }
                    return Ok(());
                }
            }
            left.retain(|s| !s.classes.is_empty());
        }
        Ok(())
    }

    fn plan_steps(&mut self, left: &[Wanted], one_by_one: bool) -> Vec<Step> {
        let mut steps = Vec::new();
        let ids = std::mem::take(&mut self.leftovers);
        if !ids.is_empty() {
            steps.push(Step {
                ids,
                ..Step::default()
            });
        }
        for wanted in left {
            let names: Vec<String> = wanted.classes.iter().map(|c| c.name.clone()).collect();
            if one_by_one {
                steps.extend(
                    names
                        .into_iter()
                        .map(|n| wanted.step(vec![n], self.settings.list)),
                );
            } else {
                steps.push(wanted.step(names, self.settings.list));
            }
        }
        steps
    }

    /// The test that ran when its worker ended gets the verdict; the rest of its class goes on in the next worker.
    fn blame_test(
        &mut self,
        test: TestName,
        outcome: Outcome,
        message: String,
        cost: Cost,
        printed: Printed,
        left: &mut Vec<Wanted>,
    ) {
        if !self.done.insert(test.key()) {
            // Its runner takes no filter, so the class cannot go on without it.
            let class = test.root.clone().unwrap_or_else(|| test.top_class().to_owned());
            remove_class(left, &class);
            return;
        }
        let whole = left.iter().all(|s| s.only.is_empty());
        if let Some((container, rest)) = later_invocations(&test).filter(|_| whole) {
            self.spec.plan.banned.push(container);
            self.leftovers = rest;
        }
        let mut record = Record::new(test, outcome);
        set_message(&mut record, message);
        record.cost = cost;
        record.printed = printed;
        self.push(record);
    }

    fn record_end(&mut self, test: TestName, outcome: Outcome, message: String, printed: Printed) {
        let mut record = Record::new(test, outcome);
        set_message(&mut record, message);
        record.printed = printed;
        self.push(record);
    }

    fn push(&mut self, mut record: Record) {
        if self.spec.capture.is_some() {
            record.state.get_or_insert_default();
        }
        self.progress.finished(&record);
        self.results.document.tests.push(record);
    }

    /// Classes that need not be looked at again.
    fn drop_finished(&self, left: &mut Vec<Wanted>, watch: &Watch) {
        for step in left.iter_mut() {
            let gone = |c: &Candidate| watch.finished.contains(&c.name) && !(c.old && c.new);
            if step.only.is_empty() || self.spec.plan.mode == Mode::JUnit4 {
                step.classes.retain(|c| !gone(c));
            }
        }
        left.retain(|s| !s.classes.is_empty());
    }

    fn run_worker(&mut self) -> Result<Watch, String> {
        let layer = self.make_layer()?;
        let watch = self.watch_worker();
        if let Some(dir) = layer {
            // What tests have written is not to outlive them; what cannot be removed is only rubbish.
            let _ = std::fs::remove_dir_all(dir);
        }
        watch
    }

    /// An empty folder for what the tests write, in memory where that can be had.
    fn make_layer(&mut self) -> Result<Option<PathBuf>, String> {
        self.spec.layer = None;
        if self.spec.write_through {
            return Ok(None);
        }
        let shm = PathBuf::from("/dev/shm");
        let root = if shm.is_dir() { shm } else { std::env::temp_dir() };
        if self.workers == 0 {
            remove_orphans(&root);
        }
        self.workers += 1;
        let dir = root.join(format!("poldet-{}-{}", std::process::id(), self.workers));
        let fail = |e: std::io::Error| format!("cannot make {}: {e}", dir.display());
        std::fs::create_dir(&dir).map_err(fail)?;
        self.spec.layer = Some(dir.display().to_string());
        Ok(Some(dir))
    }

    fn watch_worker(&mut self) -> Result<Watch, String> {
        let mut child = self.spawn()?;
        let events = read_events(&mut child);
        let errors = read_errors(&mut child);
        let mut watch = Watch::default();
        let mut heard = Instant::now();
        loop {
            match events.recv_timeout(Duration::from_millis(100)) {
                Ok(event) => {
                    heard = Instant::now();
                    self.take(event, &mut watch);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.progress.tick();
                    let silent = heard.elapsed() > self.settings.silence;
                    let lingers = watch.done && heard.elapsed() > Duration::from_secs(10);
                    if silent && watch.ended.is_none() {
                        let seconds = self.settings.silence.as_secs();
                        watch.ended = Some((
                            End::NotResponding { seconds },
                            Cost::default(),
                            Printed::default(),
                        ));
                    }
                    if silent || lingers {
                        let _ = child.kill();
                    }
                }
            }
            if self.interrupted.load(Ordering::SeqCst) && !self.results.document.interrupted {
                self.results.document.interrupted = true;
                let _ = child.kill();
            }
        }
        if self.results.document.interrupted {
            let running = watch.order.last().and_then(|key| watch.running.get(key));
            self.results.interrupted_in = running.map(TestName::text);
        }
        end_group(&child);
        let status = child.wait().map_err(|e| format!("the worker is lost: {e}"))?;
        let said = errors.join().unwrap_or_default();
        if watch.ended.is_none() {
            let lost = End::Lost {
                status: status.to_string(),
                stderr: said,
            };
            watch.ended = Some((lost, Cost::default(), Printed::default()));
        }
        Ok(watch)
    }

    fn spawn(&self) -> Result<Child, String> {
        let fail = |e: std::io::Error| format!("cannot start a worker: {e}");
        let program = std::env::current_exe().map_err(fail)?;
        let stderr = if self.spec.show_output {
            Stdio::inherit()
        } else {
            Stdio::piped()
        };
        let mut child = Command::new(program)
            .arg("__worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            // Ctrl-C at the terminal is for the supervisor alone, which then ends the worker.
            .process_group(0)
            .spawn()
            .map_err(fail)?;
        let orders = serde_json::to_vec(&self.spec).map_err(|e| e.to_string())?;
        if let Some(mut stdin) = child.stdin.take() {
            // A worker that is already gone will be noticed by its silence.
            let _ = stdin.write_all(&orders);
        }
        Ok(child)
    }

    fn take(&mut self, event: Event, watch: &mut Watch) {
        match event {
            Event::Booted => watch.booted = true,
            Event::Planned { tests } => self.progress.planned(u64::from(tests)),
            Event::ClassStarted { class } => watch.class = Some(class),
            Event::ClassFinished { class } => {
                self.progress.class_finished();
                watch.finished.insert(class);
                watch.class = None;
            }
            Event::ContainerStarted { id, class, method } => {
                let name = TestName::from_platform(&id, class, method, None, "");
                watch.containers.push((id, name));
            }
            Event::ContainerFinished { id } => self.container_finished(&id, watch),
            Event::Started { test } => {
                let key = test.key();
                self.progress.started(&test);
                watch.order.push(key.clone());
                watch.running.insert(key, test);
            }
            Event::Finished {
                key,
                problems,
                cost,
                printed,
                state,
            } => {
                watch.order.retain(|k| *k != key);
                let Some(test) = watch.running.remove(&key) else {
                    return;
                };
                // A worker whose runner takes no filter repeats what an earlier one has done.
                let again = self.spec.plan.done.contains(&key);
                self.done.insert(key);
                if !again {
                    let mut record = Record::of_problems(test, problems);
                    record.cost = cost;
                    record.printed = printed;
                    record.state = state;
                    self.push(record);
                }
            }
            Event::FixtureState { class, state } => self.fixture(class, state),
            Event::Skipped { test, reason } => {
                let key = test.key();
                let again = self.spec.plan.done.contains(&key);
                self.done.insert(key);
                if !again {
                    let mut record = Record::new(test, Outcome::Skipped);
                    record.message = (!reason.is_empty()).then_some(reason);
                    self.push(record);
                }
            }
            Event::Outside {
                test,
                problem,
                printed,
            } => {
                let mut record = Record::of_problems(test, vec![problem]);
                record.printed = printed;
                self.push(record);
            }
            Event::Between { printed } => {
                let container = watch.containers.iter().rev().find(|(id, _)| !id.is_engine());
                let class = container.map(|(_, c)| &c.class).or(watch.class.as_ref());
                let class = class.filter(|c| !c.is_empty()).cloned();
                self.results.printed_by(class, printed);
            }
            Event::Listed { test, .. } => self.results.listed.push(test),
            Event::Step { index } => watch.step = index as usize,
            Event::Fault { what } => self.results.faults.push(what),
            Event::Beat => {}
            Event::Done => watch.done = true,
            Event::Ended { how, cost, printed } => watch.ended = Some((how, cost, printed)),
        }
    }

    fn fixture(&mut self, class: String, state: Pollution) {
        let class = (!class.is_empty()).then_some(class);
        let fixtures = self.results.document.fixtures.get_or_insert_default();
        fixtures.push(Fixture { class, state });
    }

    fn container_finished(&mut self, id: &UniqueId, watch: &mut Watch) {
        let Some(at) = watch.containers.iter().rposition(|(c, _)| c == id) else {
            return;
        };
        let (_, container) = watch.containers.remove(at);
        // A step that runs single ids says nothing of the rest of a class.
        let whole = self
            .spec
            .plan
            .steps
            .get(watch.step)
            .is_none_or(|s| s.ids.is_empty());
        if container.method.is_some() {
            self.done.insert(TestKey::of_id(id));
        } else if whole && id.is_top_level() {
            self.progress.class_finished();
            watch.finished.insert(container.class);
        }
    }
}

/// Layers of supervisors that were killed before they could remove them.
fn remove_orphans(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|n| n.strip_prefix("poldet-")?.split_once('-'));
        let Some((pid, number)) = pid else { continue };
        let ours = pid.parse::<u32>().is_ok() && number.parse::<u32>().is_ok();
        if ours && !Path::new("/proc").join(pid).exists() {
            // Somebody else's cannot be removed, and need not be.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Waits for a worker's end, and ends what processes its tests have left.
fn end_group(worker: &Child) {
    let Ok(pid) = i32::try_from(worker.id()) else {
        return;
    };
    let pid = Pid::from_raw(pid);
    // Not reaped yet: until then nobody else can have its number.
    let _ = waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
    let _ = killpg(pid, Signal::SIGKILL);
}

/// Whose fault the end of a worker is.
fn culprit(watch: &Watch) -> Culprit {
    if let Some(test) = watch.order.last().and_then(|key| watch.running.get(key)) {
        return Culprit::Test(test.clone());
    }
    // The engine itself is nobody's class.
    let inner = watch.containers.iter().rev().find(|(id, _)| !id.is_engine());
    match (inner, &watch.class) {
        (Some((id, container)), _) => Culprit::Container(id.clone(), container.clone()),
        (None, Some(class)) => Culprit::Class(class.clone()),
        (None, None) => Culprit::Unknown,
    }
}

/// What the way a worker ended means for the test at fault.
fn verdict(watch: &Watch) -> (Outcome, String) {
    match watch.ended.as_ref().map(|(how, ..)| how) {
        Some(End::Exit { by, status, stack }) => {
            let by = match by {
                ExitCall::SystemExit => "System.exit",
                ExitCall::RuntimeHalt => "Runtime.halt",
                ExitCall::Boot => "exit",
            };
            (Outcome::Error, format!("{by}({status}) ended the JVM\n{stack}"))
        }
        Some(End::Thrown(exception)) => (Outcome::Error, exception.clone()),
        Some(End::Deadlock(report)) => (Outcome::TimedOut, report.clone()),
        Some(End::TimedOut(report)) => (Outcome::TimedOut, format!("test timed out\n{report}")),
        Some(End::NotResponding { seconds }) => (
            Outcome::TimedOut,
            format!("worker not responding for {seconds} s"),
        ),
        Some(End::Unsupported(what)) => (Outcome::Unsupported, what.clone()),
        Some(End::Bug(what)) => (Outcome::Crashed, what.clone()),
        Some(End::Lost { status, stderr }) => {
            let what = format!("the worker ended with {status}\n{stderr}");
            (Outcome::Crashed, what.trim_end().to_owned())
        }
        None => (Outcome::Crashed, "the worker vanished".into()),
    }
}

/// The first line is the message, the others stand where a stack trace would.
fn set_message(record: &mut Record, message: String) {
    let mut lines = message.lines();
    record.message = lines.next().map(str::to_owned);
    record.stack = lines.map(str::to_owned).collect();
}

/// In an order given by the user, go on after the step, or the test of it, that ended the worker.
fn cut_order(left: &mut Vec<Wanted>, step: usize, culprit: &Culprit) {
    left.drain(..step.min(left.len()));
    let Some(current) = left.first_mut() else { return };
    let at = match culprit {
        Culprit::Test(test) => current.only.iter().position(|s| s.matches(test)),
        _ => None,
    };
    match at {
        Some(at) => drop(current.only.drain(..=at)),
        None => current.only.clear(),
    }
    if left[0].only.is_empty() {
        left.remove(0);
    }
}

fn remove_class(left: &mut Vec<Wanted>, name: &str) {
    for step in left.iter_mut() {
        step.classes.retain(|c| c.name != name);
    }
    left.retain(|s| !s.classes.is_empty());
}

fn count(left: &[Wanted]) -> usize {
    left.iter().map(|s| s.classes.len()).sum()
}

/// For one run of a template or factory of the platform: its container, and the ids of the runs that may follow.
fn later_invocations(test: &TestName) -> Option<(UniqueId, Vec<UniqueId>)> {
    test.unique_id()?.later_invocations()
}

/// Events arrive from a thread of their own, so that silence can be noticed.
fn read_events(child: &mut Child) -> Receiver<Event> {
    let (send, receive) = channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                // A line cut short by the worker's death says nothing.
                let Ok(line) = line else { break };
                if let Ok(event) = serde_json::from_slice(&line)
                    && send.send(event).is_err()
                {
                    break;
                }
            }
        });
    }
    receive
}

/// The last of what the worker itself had to say.
fn read_errors(child: &mut Child) -> std::thread::JoinHandle<String> {
    const KEEP: usize = 16 << 10;
    let stderr = child.stderr.take();
    std::thread::spawn(move || {
        let mut kept: Vec<u8> = Vec::new();
        let mut chunk = [0; 4096];
        if let Some(mut stderr) = stderr {
            while let Ok(n) = stderr.read(&mut chunk) {
                if n == 0 {
                    break;
                }
                kept.extend_from_slice(&chunk[..n]);
                let excess = kept.len().saturating_sub(KEEP);
                kept.drain(..excess);
            }
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}
