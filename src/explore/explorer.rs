//! Runs sequences of tests from the state of a zygote, several at once.

use crate::cache::probe::{ProbeCache, State};
use crate::explore::answer::Answer;
use crate::explore::parallel;
use crate::explore::process::{Lineage, Process};
use crate::explore::setup::Round;
use crate::explore::wire::{Asked, Fork, Hold, Learnt};
use crate::report::search::SearchProgress;
use crate::run::overlay::Overlay;
use crate::run::schedule::verdict;
use crate::run::select::Wanted;
use crate::run::spec::Spec;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_records::{End, Record, TestName, search_name};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A test that can be put into a sequence, with the JUnit that runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub test: TestName,
    pub mode: Mode,
    /// More tests may be inside, which only a run shows.
    pub container: bool,
    /// Its class has tests of several engines, of which not all ask for tests one by one.
    pub at_once: bool,
}

impl Member {
    /// The class that JUnit is asked for.
    pub fn class(&self) -> String {
        let of_id = || self.test.unique_id().and_then(|id| id.class().map(str::to_owned));
        self.test
            .root
            .clone()
            .or_else(of_id)
            .unwrap_or_else(|| self.test.class.clone())
    }
}

/// The tests of a class that one JUnit runs.
pub struct Class {
    pub name: String,
    pub mode: Mode,
    pub tests: Vec<Member>,
}

impl Class {
    /// The class with those of its tests that are asked for; None if there are none.
    pub fn only(mut self, steps: &[Wanted]) -> Option<Class> {
        self.tests.retain(|member| {
            steps.iter().any(|step| {
                let asked = step.only.is_empty() || step.only.iter().any(|s| s.matches_method(&member.test));
                asked && step.classes.iter().any(|c| c.name == self.name)
            })
        });
        (!self.tests.is_empty()).then_some(self)
    }

    /// The number of an invocation among those of its method, from 1.
    pub fn invocation(&self, member: &Member) -> Option<u32> {
        member.test.invocation.as_ref()?;
        let same = |m: &&Member| {
            m.test.class == member.test.class
                && m.test.method == member.test.method
                && m.test.parameters == member.test.parameters
        };
        let mut all = self.tests.iter().filter(same);
        all.position(|m| m.test.id == member.test.id)
            .map(|i| i as u32 + 1)
    }

    /// `pkg.Class#method[N]`, as searches write it.
    pub fn name(&self, member: &Member) -> String {
        let test = &member.test;
        search_name(&test.class, test.method.as_deref(), self.invocation(member))
    }

    /// The step that discovers the class and runs this sequence of its tests.
    pub fn step(&self, sequence: Vec<String>) -> Step {
        Step {
            classes: vec![self.name.clone()],
            mode: Some(self.mode),
            sequence: Some(sequence),
            at_once: self.tests.iter().any(|t| t.at_once),
            ..Step::default()
        }
    }
}

/// The steps of a sequence: consecutive tests of one class are one run of that class.
pub fn steps(sequence: &[&Member]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for member in sequence {
        let class = member.class();
        let same = |s: &&mut Step| s.classes[0] == class && s.mode == Some(member.mode);
        match steps.last_mut().filter(|s| same(s)) {
            Some(step) => step.sequence.get_or_insert_default().push(member.test.id.clone()),
            None => steps.push(Step {
                classes: vec![class],
                mode: Some(member.mode),
                sequence: Some(vec![member.test.id.clone()]),
                at_once: member.at_once,
                ..Step::default()
            }),
        }
    }
    steps
}

/// Processes from which tests of a class can be run.
pub struct Opened {
    /// Knows the tests of the class.
    pub discovered: Arc<Process>,
    /// Has run the fixtures of the class, too.
    pub ready: Option<Arc<Process>>,
}

/// The zygote learns what to load from one of so many classes, from four at least and not from many, and from so many tests of each.
const TRAINING_PART: usize = 8;
const FEW_CLASSES: usize = 4;
const TRAINING_CLASSES: usize = 12;
const TRAINING_TESTS: usize = 3;

pub struct Explorer<'a> {
    zygote: Arc<Process>,
    /// A fork of it in which reads are logged, while they are.
    logging: Mutex<Option<Arc<Process>>>,
    spec: Spec,
    probes: Option<Arc<ProbeCache>>,
    /// The state of the zygote, if that is known, and what was asked of it about reads.
    memory: Mutex<(Option<State>, String)>,
    keeps_files: bool,
    forks: AtomicU32,
    /// The seed of the forks, if it is not that of the zygote.
    seed: Option<u64>,
    pub jobs: usize,
    /// Shows how far the search is.
    pub progress: Option<Arc<SearchProgress>>,
    pub stop: &'a Arc<AtomicBool>,
}

impl<'a> Explorer<'a> {
    /// Boots a VM to be forked; it names the tests of these classes first, which loads what all children need. One that is lost,
    /// which nothing depends on yet, is booted again.
    pub fn start(
        spec: &Spec,
        jobs: usize,
        silence: Duration,
        stop: &'a Arc<AtomicBool>,
        names: Vec<Step>,
    ) -> Result<(Explorer<'a>, Answer), End> {
        match Explorer::boot(spec, jobs, silence, stop, names.clone()) {
            Err(End::Lost { .. }) if !stop.load(Ordering::SeqCst) => {
                Explorer::boot(spec, jobs, silence, stop, names)
            }
            first => first,
        }
    }

    fn boot(
        spec: &Spec,
        jobs: usize,
        silence: Duration,
        stop: &'a Arc<AtomicBool>,
        names: Vec<Step>,
    ) -> Result<(Explorer<'a>, Answer), End> {
        let mut spec = spec.clone();
        let keeps_files = !spec.write_through;
        let overlay = overlay(keeps_files).map_err(End::Bug)?;
        spec = spec.in_overlay(overlay.as_ref());
        spec.plan.steps = names;
        let zygote = Process::zygote(&spec, overlay, silence)?;
        kill_on_stop(&zygote, Arc::clone(stop)).map_err(End::Bug)?;
        let mut answer = Answer::of(&zygote);
        if let Some(end) = answer.end.take() {
            return Err(end);
        }
        let explorer = Explorer {
            zygote,
            logging: Mutex::default(),
            probes: spec.probes.clone(),
            memory: Mutex::default(),
            spec,
            keeps_files,
            forks: AtomicU32::new(0),
            seed: None,
            jobs,
            progress: None,
            stop,
        };
        explorer.remember(None);
        Ok((explorer, answer))
    }

    /// Runs a few tests of a few classes and has the zygote load what they loaded, and make ready what they ran: the children after them
    /// find it so. This comes before everything else and not meanwhile, so that a report does not depend on what ran at the same time.
    pub fn train(&self, classes: &[Class]) -> Result<(), String> {
        let count = (classes.len() / TRAINING_PART).clamp(FEW_CLASSES, TRAINING_CLASSES);
        let step = (classes.len() / count).max(1);
        let mut found = Vec::new();
        for class in classes.iter().step_by(step).take(count) {
            let step = (class.tests.len() / TRAINING_TESTS).max(1);
            let tests = class.tests.iter().step_by(step).take(TRAINING_TESTS);
            let fork = Fork {
                steps: vec![class.step(tests.map(|t| t.test.id.clone()).collect())],
                learn: true,
                ..Fork::default()
            };
            // A zygote that cannot fork is a matter of those who need a result.
            let Ok(process) = self.fork(&self.zygote, fork) else {
                break;
            };
            process.hear_all(&mut |_| {});
            found.push(process.take_learnt());
        }
        self.learn(found);
        Ok(())
    }

    /// Has the zygote load and make ready what processes were seen to need; none may be under way.
    pub fn learn(&self, found: Vec<Learnt>) {
        let mut loaded = BTreeSet::new();
        let mut ran = Vec::new();
        for learnt in found {
            loaded.extend(learnt.classes);
            ran.extend(learnt.ran);
        }
        if !loaded.is_empty() || !ran.is_empty() {
            let classes = loaded.into_iter().collect();
            self.zygote.load(Learnt { classes, ran });
            self.remember(None);
        }
    }

    /// So many tests or sequences of the search's phase are done.
    pub fn advance(&self, count: usize) {
        if let Some(progress) = &self.progress {
            progress.advance(count);
        }
    }

    /// Whether the search was interrupted: what is killed then says nothing of the test that ran.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn fork(&self, from: &Arc<Process>, mut fork: Fork) -> Result<Arc<Process>, String> {
        fork.number = self.forks.fetch_add(1, Ordering::SeqCst) + 1;
        fork.seed = self.seed;
        if let Some(progress) = &self.progress {
            progress.probe();
        }
        let Some(lineage) = self.lineage(from, &fork) else {
            return from.fork(fork, overlay(self.keeps_files)?);
        };
        if lineage.report.is_some() {
            return Process::known(lineage).ok_or_else(|| "no report".into());
        }
        let process = from.fork(fork, overlay(self.keeps_files)?)?;
        process.set_lineage(lineage);
        Ok(process)
    }

    /// Where the report of a fork may be known, or is to be kept.
    fn lineage(&self, from: &Arc<Process>, fork: &Fork) -> Option<Lineage> {
        let probes = self.probes.as_ref()?;
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let state = match Arc::ptr_eq(from, &self.zygote) || Arc::ptr_eq(from, &self.root()) {
            true => memory.0.clone()?,
            false => from.state()?,
        };
        let state = probes.after(&state, fork, &memory.1)?;
        drop(memory);
        Some(Lineage::new(probes, state, from, fork, self.keeps_files))
    }

    /// The zygote has come to another state, or reads are logged in it.
    fn remember(&self, mode: Option<&str>) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        match (mode, &self.probes) {
            (Some(mode), _) => mode.clone_into(&mut memory.1),
            (None, Some(probes)) => memory.0 = probes.zygote(&self.spec, &self.zygote.used()),
            (None, None) => {}
        }
    }

    /// Forks a process that holds, or the zygote; the child is to be listened to.
    pub fn fork_from(&self, from: Option<&Arc<Process>>, fork: Fork) -> Result<Arc<Process>, String> {
        match from {
            Some(from) => self.fork(from, fork),
            None => self.fork(&self.root(), fork),
        }
    }

    /// Runs what a fork is to run, from the zygote's state or from that of a process that holds.
    pub fn probe(&self, from: Option<&Arc<Process>>, fork: Fork) -> Result<Answer, String> {
        let process = self.fork_from(from, fork)?;
        Ok(Answer::of(&process))
    }

    /// An empty folder that is gone when it is dropped.
    pub fn folder(&self) -> Result<Overlay, String> {
        Overlay::make(next_overlay())
    }

    /// Runs steps from the zygote's state.
    pub fn run(&self, steps: Vec<Step>) -> Result<Answer, String> {
        let fork = Fork {
            steps,
            ..Fork::default()
        };
        self.probe(None, fork)
    }

    /// A process that has discovered the tests of a class and waits for a request that says which of them to run.
    pub fn discover(&self, class: &Class) -> Result<(Arc<Process>, Answer), String> {
        self.discover_and(class, Fork::default())
    }

    fn discover_and(&self, class: &Class, fork: Fork) -> Result<(Arc<Process>, Answer), String> {
        let fork = Fork {
            steps: vec![class.step(Vec::new())],
            hold: Hold::AfterDiscovery,
            ..fork
        };
        self.hold(fork)
    }

    /// A process that does what the fork is to do and waits to be forked in turn.
    pub fn hold(&self, fork: Fork) -> Result<(Arc<Process>, Answer), String> {
        let process = self.fork_from(None, fork)?;
        let answer = Answer::of(&process);
        Ok((process, answer))
    }

    /// A process that has run the fixtures of a class which another has discovered, and waits for a request that says which tests to run.
    /// None where it cannot: a fixture fails, or the class's JUnit does not ask for tests one by one.
    pub fn ready(&self, discovered: &Arc<Process>, fork: Fork) -> Option<(Arc<Process>, Answer)> {
        let fork = Fork {
            chosen: Some(Vec::new()),
            hold: Hold::AfterTests,
            ..fork
        };
        let process = self.fork(discovered, fork).ok()?;
        let answer = Answer::of(&process);
        answer.holding.then_some((process, answer))
    }

    /// The same for a class that nobody has discovered yet, whose discovery is asked this; without fixtures having run where that is
    /// not possible.
    pub fn open(&self, class: &Class, fork: Fork) -> Result<(Opened, Answer), String> {
        let (discovered, answer) = self.discover_and(class, fork)?;
        let ready = match answer.complete {
            true => self
                .ready(&discovered, Fork::default())
                .map(|(process, _)| process),
            false => None,
        };
        Ok((Opened { discovered, ready }, answer))
    }

    /// Runs what a fork is to run in a class that was opened.
    pub fn probe_in(&self, class: &Opened, fork: Fork) -> Result<Answer, String> {
        Ok(Answer::of(&*self.fork_in(class, fork)?))
    }

    /// The same, to be listened to.
    pub fn fork_in(&self, class: &Opened, fork: Fork) -> Result<Arc<Process>, String> {
        // A process that has run the fixtures refuses what needs none, or is gone.
        let ready = class.ready.as_ref().map(|ready| self.fork(ready, fork.clone()));
        match ready {
            Some(Ok(process)) => Ok(process),
            _ => self.fork(&class.discovered, fork),
        }
    }

    /// The process that is forked: the zygote, or its fork in which reads are logged.
    fn root(&self) -> Arc<Process> {
        let logging = self.logging.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(logging.as_ref().unwrap_or(&self.zygote))
    }

    /// From now on reads of these places are logged, in forks that log accesses; no longer without places. The zygote itself does not
    /// log: it would lose its compiled code.
    pub fn log_reads(&self, asked: Option<Asked>) -> Result<(), String> {
        let mode = asked.as_ref().and_then(|a| serde_json::to_string(a).ok());
        self.remember(Some(mode.as_deref().unwrap_or_default()));
        let process = match asked {
            None => None,
            Some(asked) => {
                let fork = Fork {
                    number: self.forks.fetch_add(1, Ordering::SeqCst) + 1,
                    hold: Hold::AfterSteps,
                    seed: self.seed,
                    ..Fork::default()
                };
                let process = self.zygote.fork(fork, overlay(self.keeps_files)?)?;
                // One that does not hold is gone, and is found to be.
                Answer::of(&process);
                process.log_reads(Some(asked))?;
                Some(process)
            }
        };
        *self.logging.lock().unwrap_or_else(PoisonError::into_inner) = process;
        Ok(())
    }

    /// A process that runs tests of a class, to be listened to. With `group`, it ends after a group of so many tests that left the
    /// shared state changed.
    pub fn fork_class(
        &self,
        class: &Class,
        chosen: Vec<String>,
        group: Option<u32>,
    ) -> Result<Arc<Process>, String> {
        let fork = Fork {
            steps: vec![class.step(chosen)],
            until_change: group,
            ..Fork::default()
        };
        self.fork_from(None, fork)
    }

    /// The tests of the classes, by class, in the order of the classes. With `expand` each invocation of a template is a test
    /// of its own. `named` has those that the zygote has named.
    pub fn list(
        &self,
        rounds: &[Round],
        named: Answer,
        expand: bool,
    ) -> Result<(Vec<Class>, Answer), String> {
        let mut classes: Vec<Class> = Vec::new();
        let mut problems = Answer::default();
        problems.outside.extend(named.outside);
        for round in rounds {
            let mut listed = named.listed.clone();
            listed.retain(|(test, _)| round.named_by_zygote(test));
            if let Some(step) = round.in_child() {
                let answer = self.name_in_child(step)?;
                problems.outside.extend(answer.outside);
                listed.extend(answer.listed);
            }
            add(&mut classes, round, listed);
        }
        if !expand {
            return Ok((classes, problems));
        }
        let expanded = parallel::map(self.jobs, &classes, self.stop, |class| self.expand(class));
        for (class, expanded) in classes.iter_mut().zip(expanded) {
            if let Some(expanded) = expanded {
                let (tests, ended) = expanded?;
                class.tests = tests;
                problems.outside.extend(ended);
            }
        }
        Ok((classes, problems))
    }

    /// Runs steps in a process that nothing depends on yet: one that is lost outside of all tests has another.
    fn run_again_if_lost(&self, steps: Vec<Step>) -> Result<Answer, String> {
        let answer = self.run(steps.clone())?;
        match answer.end {
            Some(End::Lost { .. }) if !self.is_stopped() => self.run(steps),
            _ => Ok(answer),
        }
    }

    /// Has a child name tests. Where that ends early, each class has a child of its own, so that the others are named.
    fn name_in_child(&self, step: Step) -> Result<Answer, String> {
        let mut answer = self.run_again_if_lost(vec![step.clone()])?;
        if answer.end.is_none() || self.is_stopped() {
            return Ok(answer);
        }
        if let [class] = &step.classes[..] {
            for record in answer.outside.iter_mut().filter(|r| r.test.class.is_empty()) {
                record.test = TestName::of_class(class);
            }
            return Ok(answer);
        }
        let mut all = Answer::default();
        for class in &step.classes {
            let one = self.name_in_child(Step {
                classes: vec![class.clone()],
                ..step.clone()
            })?;
            all.outside.extend(one.outside);
            all.listed.extend(one.listed);
        }
        Ok(all)
    }

    /// The invocations of templates and factories, each as a test of its own: a run shows them. Where that ends early each has a run
    /// of its own; of one that ends its run the invocations after that are not known, which is said.
    fn expand(&self, class: &Class) -> Result<(Vec<Member>, Vec<Record>), String> {
        if !class.tests.iter().any(|t| t.container) {
            return Ok((class.tests.clone(), Vec::new()));
        }
        let (mut tests, mut ended) = (Vec::new(), Vec::new());
        let containers: Vec<&Member> = class.tests.iter().filter(|t| t.container).collect();
        let answer = self.run_again_if_lost(steps(&containers))?;
        let mut records = answer.records;
        if answer.end.is_some() && !self.is_stopped() {
            records.clear();
            for container in containers {
                let answer = self.run_again_if_lost(steps(&[container]))?;
                records.extend(answer.records);
                if let Some(end) = &answer.end {
                    let (outcome, what) = verdict(end);
                    let text = format!("its invocations are not all known: {what}");
                    ended.push(Record::of_end(container.test.clone(), outcome, &text));
                }
            }
        }
        for member in &class.tests {
            if !member.container {
                tests.push(member.clone());
                continue;
            }
            let inside = records.iter().filter(|r| is_inside(&r.test, &member.test));
            let mut seen: Vec<&str> = Vec::new();
            for record in inside {
                if !seen.contains(&record.test.id.as_str()) {
                    seen.push(&record.test.id);
                    tests.push(Member {
                        test: record.test.clone(),
                        mode: member.mode,
                        container: false,
                        at_once: member.at_once,
                    });
                }
            }
        }
        Ok((tests, ended))
    }
}

/// Adds the tests of a round, by class, in the order of the round's classes.
fn add(classes: &mut Vec<Class>, round: &Round, listed: Vec<(TestName, bool)>) {
    let mut found: Vec<Class> = Vec::new();
    for (test, container) in listed {
        let member = Member {
            test,
            mode: round.mode,
            container,
            at_once: false,
        };
        let name = member.class();
        match found.iter_mut().find(|c| c.name == name) {
            Some(class) => class.tests.push(member),
            None => found.push(Class {
                name,
                mode: round.mode,
                tests: vec![member],
            }),
        }
    }
    for class in &mut found {
        let engine = |m: &Member| m.test.id.split('/').next().map(str::to_owned);
        let mixed = class.tests.iter().any(|m| engine(m) != engine(&class.tests[0]));
        let platform = matches!(class.mode, Mode::Platform | Mode::Engines);
        class.tests.iter_mut().for_each(|m| m.at_once = platform && mixed);
    }
    let place = |c: &Class| round.classes.iter().position(|k| k.name == c.name);
    found.sort_by_key(|c| place(c).unwrap_or(usize::MAX));
    classes.extend(found);
}

fn is_inside(test: &TestName, container: &TestName) -> bool {
    match (container.unique_id(), test.unique_id()) {
        (Some(outer), Some(_)) => outer.contains(&test.id),
        _ => test.id == container.id,
    }
}

/// How often an interrupt is looked for.
const POLL: Duration = Duration::from_millis(50);

/// An interrupt ends all that runs, as long as the zygote is there.
fn kill_on_stop(zygote: &Arc<Process>, stop: Arc<AtomicBool>) -> Result<(), String> {
    let zygote = Arc::downgrade(zygote);
    let watch = move || {
        while let Some(process) = zygote.upgrade() {
            if stop.load(Ordering::SeqCst) {
                process.kill();
                break;
            }
            drop(process);
            std::thread::sleep(POLL);
        }
    };
    let started = std::thread::Builder::new().spawn(watch);
    started
        .map(drop)
        .map_err(|e| format!("cannot start a thread: {e}"))
}

/// VMs with other seeds, one after the other.
///
/// What a seed decides from a test's fixtures on (schedule, entropy, time, identity hashes) can be another one in each fork. What it decided
/// while the VM booted, the hashes of objects that are as old as the VM, cannot: tables are built on them. So every few seeds a VM is
/// booted, and those between are forks of it.
#[derive(Default)]
pub struct OtherSeeds<'a> {
    booted: Option<Explorer<'a>>,
    used: u32,
}

/// Seeds for which one VM is booted.
const SEEDS_OF_A_VM: u32 = 4;

impl<'a> OtherSeeds<'a> {
    /// Runs what it is asked with the next seed.
    pub fn next(
        &mut self,
        seed: u64,
        boot: impl FnOnce(u64) -> Result<Explorer<'a>, String>,
    ) -> Result<&Explorer<'a>, String> {
        let explorer = match self
            .booted
            .take()
            .filter(|_| !self.used.is_multiple_of(SEEDS_OF_A_VM))
        {
            Some(mut explorer) => {
                explorer.seed = Some(seed);
                explorer
            }
            None => boot(seed)?,
        };
        self.used += 1;
        Ok(self.booted.insert(explorer))
    }
}

/// An empty folder that is gone when it is dropped.
pub fn fresh_folder() -> Result<Overlay, String> {
    Overlay::make(next_overlay())
}

/// Counts the overlays of this process.
static OVERLAYS: AtomicU32 = AtomicU32::new(0);

fn overlay(wanted: bool) -> Result<Option<Overlay>, String> {
    wanted.then(|| Overlay::make(next_overlay())).transpose()
}

fn next_overlay() -> u32 {
    OVERLAYS.fetch_add(1, Ordering::SeqCst) + 1
}
