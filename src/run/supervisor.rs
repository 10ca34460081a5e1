//! Keeps a worker at work: reads its events, and when it ends too early gives the test at fault its verdict and starts
//! another worker that goes on after it.

use crate::report::progress::Progress;
use crate::run::discover::Candidate;
use crate::run::results::{Outcome, Record, Results};
use crate::run::select::Wanted;
use crate::run::spec::Spec;
use crate::run::suite::Suite;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_junit_shim::event::{Cost, Ended, Event, Printed};
use poldet_junit_shim::name::TestName;
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
    leftovers: Vec<String>,
    workers: u32,
    /// Tests that need not run again: root and id.
    done: BTreeSet<(String, String)>,
}

/// How far a worker got.
#[derive(Default)]
struct Watch {
    booted: bool,
    done: bool,
    running: BTreeMap<(String, String), TestName>,
    /// Started tests in order, the last one first to be blamed.
    order: Vec<(String, String)>,
    containers: Vec<TestName>,
    class: Option<String>,
    finished: BTreeSet<String>,
    /// The step it was at.
    step: usize,
    ended: Option<(Ended, Cost, Printed)>,
}

/// What was going on when a worker ended too early.
enum Culprit {
    Test(TestName),
    Container(TestName),
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
            if self.results.interrupted || self.results.internal.is_some() {
                break;
            }
        }
        self.progress.finish();
        self.results.elapsed = start.elapsed();
        Ok(())
    }

    fn run_mode(&mut self, mut left: Vec<Wanted>) -> Result<(), String> {
        let mut one_by_one = false;
        while !left.is_empty() || !self.leftovers.is_empty() {
            self.spec.plan.steps = self.plan_steps(&left, one_by_one);
            self.spec.plan.done = self.done.clone();
            let watch = self.run_worker()?;
            if self.results.interrupted || watch.done {
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
                Culprit::Container(test) => {
                    self.spec.plan.banned.push(test.id.clone());
                    self.record_end(test, outcome, message, printed);
                }
                Culprit::Class(name) => {
                    remove_class(&mut left, &name);
                    self.record_end(
                        TestName::from_description(Some(name.clone()), &name),
                        outcome,
                        message,
                        printed,
                    );
                }
                Culprit::Unknown if !one_by_one && watch.booted && count(&left) > 1 => one_by_one = true,
                Culprit::Unknown => {
                    // Not one class can be blamed: all that is left shares the verdict.
                    if !watch.booted {
                        self.results.internal = Some(message.clone());
                    }
                    for class in left.iter().flat_map(|s| &s.classes) {
                        let test = TestName::from_description(Some(class.name.clone()), &class.name);
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
        let key = (test.root.clone().unwrap_or_default(), test.id.clone());
        if !self.done.insert(key) {
            // Its runner takes no filter, so the class cannot go on without it.
            let class = test.root.clone().unwrap_or_else(|| test.top_class().to_owned());
            remove_class(left, &class);
            return;
        }
        let whole = left.iter().all(|s| s.only.is_empty());
        if let Some((container, rest)) = later_invocations(&test.id).filter(|_| whole) {
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

    fn push(&mut self, record: Record) {
        self.progress.finished(&record);
        self.results.records.push(record);
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
                        let what = format!("no sign of life for {} s", self.settings.silence.as_secs());
                        watch.ended = Some((Ended::TimedOut(what), Cost::default(), Printed::default()));
                    }
                    if silent || lingers {
                        let _ = child.kill();
                    }
                }
            }
            if self.interrupted.load(Ordering::SeqCst) && !self.results.interrupted {
                self.results.interrupted = true;
                let _ = child.kill();
            }
        }
        if self.results.interrupted {
            let running = watch.order.last().and_then(|key| watch.running.get(key));
            self.results.interrupted_in = running.map(TestName::text);
        }
        end_group(&child);
        let status = child.wait().map_err(|e| format!("the worker is lost: {e}"))?;
        let said = errors.join().unwrap_or_default();
        if watch.ended.is_none() {
            let what = format!("the worker ended with {status}\n{said}");
            watch.ended = Some((
                Ended::Bug(what.trim_end().to_owned()),
                Cost::default(),
                Printed::default(),
            ));
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
                watch.containers.push(name);
            }
            Event::ContainerFinished { id } => self.container_finished(&id, watch),
            Event::Started { test } => {
                let key = (test.root.clone().unwrap_or_default(), test.id.clone());
                self.progress.started(&test);
                watch.order.push(key.clone());
                watch.running.insert(key, test);
            }
            Event::Finished {
                root,
                id,
                problems,
                cost,
                printed,
                state,
            } => {
                let key = (root.unwrap_or_default(), id);
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
            Event::FixtureState { class, state } => self.results.fixtures.push((class, state)),
            Event::Skipped { test, reason } => {
                let key = (test.root.clone().unwrap_or_default(), test.id.clone());
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
                let container = watch.containers.iter().rev().find(|c| c.id.contains("/["));
                let class = container.map(|c| &c.class).or(watch.class.as_ref());
                self.results.printed_by(class.map_or("", |c| c), printed);
            }
            Event::Listed { test, container } => self.results.listed.push((test, container)),
            Event::Step { index } => watch.step = index as usize,
            Event::Fault { what } => self.results.faults.push(what),
            Event::Beat => {}
            Event::Done => watch.done = true,
            Event::Ended { how, cost, printed } => watch.ended = Some((how, cost, printed)),
        }
    }

    fn container_finished(&mut self, id: &str, watch: &mut Watch) {
        let Some(at) = watch.containers.iter().rposition(|c| c.id == id) else {
            return;
        };
        let container = watch.containers.remove(at);
        // A step that runs single ids says nothing of the rest of a class.
        let whole = self
            .spec
            .plan
            .steps
            .get(watch.step)
            .is_none_or(|s| s.ids.is_empty());
        if container.method.is_some() {
            self.done.insert((String::new(), id.to_owned()));
        } else if whole && id.matches("/[").count() == 1 {
            // A class right below its engine.
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
    let inner = watch.containers.iter().rev().find(|c| c.id.contains("/["));
    match (inner, &watch.class) {
        (Some(container), _) => Culprit::Container(container.clone()),
        (None, Some(class)) => Culprit::Class(class.clone()),
        (None, None) => Culprit::Unknown,
    }
}

/// What the way a worker ended means for the test at fault.
fn verdict(watch: &Watch) -> (Outcome, String) {
    match watch.ended.as_ref().map(|(how, ..)| how) {
        Some(Ended::Status { by, status, stack }) => {
            (Outcome::Error, format!("{by}({status}) ended the JVM\n{stack}"))
        }
        Some(Ended::Thrown(exception)) => (Outcome::Error, exception.clone()),
        Some(Ended::Deadlock(report)) => (Outcome::TimedOut, report.clone()),
        Some(Ended::TimedOut(report)) => (
            Outcome::TimedOut,
            format!("the time for a test is over\n{report}"),
        ),
        Some(Ended::Unsupported(what)) => (Outcome::Unsupported, what.clone()),
        Some(Ended::Bug(what)) => (Outcome::Crashed, what.clone()),
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
fn later_invocations(id: &str) -> Option<(String, Vec<String>)> {
    const MORE: u64 = 1000;
    let (container, last) = id.rsplit_once('/')?;
    let (kind, number) = last.strip_prefix('[')?.strip_suffix(']')?.split_once(":#")?;
    let number: u64 = number.parse().ok()?;
    let rest = (number + 1..=number + MORE).map(|n| format!("{container}/[{kind}:#{n}]"));
    Some((container.to_owned(), rest.collect()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_follow() {
        let (container, rest) =
            later_invocations("[engine:e]/[test-template:t()]/[test-template-invocation:#4]").unwrap();
        assert_eq!(container, "[engine:e]/[test-template:t()]");
        assert_eq!(
            rest[0],
            "[engine:e]/[test-template:t()]/[test-template-invocation:#5]"
        );
        assert_eq!(later_invocations("[engine:e]/[class:C]/[method:t()]"), None);
    }
}
