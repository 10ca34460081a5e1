//! The process that holds a booted VM and forks it: once for every sequence of tests that is to run from its state.
//!
//! It stands still inside the shim's question for the next step, for the tests of a class it has discovered, or for the next test. A child
//! goes on from there with an answer of its own, reports on a socket of its own, and ends without the guest's
//! shutdown. The process has one thread, so that a fork takes all of it along.

use crate::explore::wire::{
    Asked, AskedInside, Fork, Hold, Learnt, Off, RanClass, Reply, Request, Undo, Watch, receive_request,
};
use crate::run::pipe::EventPipe;
use crate::run::uses;
use crate::sandbox::{adopt, end_orphans};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::{Pid, setpgid};
use poldet_junit_shim::driver::{Kept, Mode, Step, StepSource};
use poldet_records::{Cost, End, Event, Places, Printed};
use poldet_serializer::detector::{self, Detector};
use poldet_vm::fork::StartPoint;
use poldet_vm::host::sys;
use poldet_vm::switches::Switch;
use poldet_vm::vm::Vm;
use poldet_vm::warm::{Ran, Readiness};
use std::collections::{BTreeSet, VecDeque};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::rc::Rc;

/// The steps of a process, and where it waits for requests.
pub struct Holder {
    pipe: Rc<EventPipe>,
    steps: VecDeque<Step>,
    /// The tests of the class that was discovered before the fork.
    chosen: Option<Vec<String>>,
    hold: Hold,
    /// Tests of the open class that are ignored, if it is being run and no other has begun.
    ignored: Option<Vec<String>>,
    /// Ends after a group of so many tests that leaves the shared state changed.
    until_change: Option<u32>,
    /// Tests of the group so far, and whether one left a change.
    group: (u32, bool),
    /// Reports the first such group, and goes on.
    notes_change: bool,
    /// Class fixtures have left a change.
    fixtures_changed: bool,
    /// The test whose changes are kept, and how many have ended.
    undo: Option<Undo>,
    /// They were.
    is_kept: bool,
    /// The test whose reads of those changes are looked for.
    watch: Option<Watch>,
    /// How many classes there were at the fork, and how ready code was, if what comes is to be reported.
    learn: Option<(usize, Readiness)>,
    /// What is to be made ready when the classes of the step are loaded.
    learnt: Vec<Ran>,
    ended: u32,
    /// Children that have not been waited for.
    children: BTreeSet<i32>,
    /// Tests that end before the first group.
    before_groups: u32,
    /// The places whose reads are logged.
    asked: Option<Asked>,
    /// Whether it reports what was accessed when it comes to hold.
    reports_held: bool,
    timeout_nanos: Option<u64>,
    vary: Option<u64>,
    /// How every test starts, with the zygote's own seed, and as it is.
    base: Option<StartPoint>,
    start: Option<StartPoint>,
}

impl Holder {
    /// The holder of a zygote, with what it does before it is forked.
    pub fn new(pipe: Rc<EventPipe>, steps: Vec<Step>) -> Holder {
        Holder {
            pipe,
            steps: steps.into(),
            chosen: None,
            hold: Hold::AfterSteps,
            ignored: None,
            until_change: None,
            group: (0, false),
            notes_change: false,
            fixtures_changed: false,
            undo: None,
            is_kept: false,
            watch: None,
            learn: None,
            learnt: Vec::new(),
            ended: 0,
            children: BTreeSet::new(),
            before_groups: 0,
            asked: None,
            reports_held: false,
            timeout_nanos: None,
            vary: None,
            base: None,
            start: None,
        }
    }

    /// Without a supervisor there is nobody to report to, and nothing to do.
    fn reply(&self, reply: &Reply) {
        if self.pipe.send_line(reply).is_err() {
            std::process::exit(crate::exit::INTERNAL);
        }
    }

    /// Forks as asked. Returns with something to run: in children, or with classes to load.
    fn serve(&mut self, vm: &mut Vm) {
        if self.start.is_none() {
            // Another seed, another part of a second: a test that looks at the clock must not end alike with all of them.
            self.base = Some(vm.start_point());
            self.start = self.base.as_ref().map(|base| base.varied(vm.config.seed));
            Detector::with(vm, |detector, _| detector.forks_follow());
        }
        vm.make_ready(&std::mem::take(&mut self.learnt));
        self.report_uses(vm);
        if self.reports_held {
            self.report_access(vm);
        }
        Detector::with(vm, |detector, _| detector.holds());
        self.reply(&Reply::Holding);
        loop {
            match self.pipe.with_stream(receive_request).ok().flatten() {
                None => self.leave(vm),
                Some((Request::Reap { pid, kill }, _)) => {
                    let reaped = self.reap(pid, kill);
                    self.reply(&reaped);
                }
                Some((Request::LogReads { asked }, _)) => {
                    let reply = match vm.log_reads(asked.is_some()) {
                        Ok(()) => Reply::Holding,
                        Err(why) => Reply::Refused { why },
                    };
                    self.asked = asked;
                    self.reply(&reply);
                }
                Some((Request::Load { learnt }, _)) => {
                    self.learnt = learnt.ran.into_iter().map(Ran::from).collect();
                    self.steps.push_back(Step {
                        classes: learnt.classes,
                        mode: Some(Mode::Load),
                        ..Step::default()
                    });
                    return;
                }
                Some((Request::Fork { fork, ended }, socket)) => {
                    for pid in ended {
                        self.reap(pid, false);
                    }
                    match self.serve_fork(vm, *fork, socket) {
                        Some(reply) => self.reply(&reply),
                        None => return,
                    }
                }
            }
        }
    }

    /// Waits for a child's end, and ends what processes its tests have left.
    fn reap(&mut self, pid: i32, kill: bool) -> Reply {
        let reaped = reap(pid, kill);
        self.children.remove(&pid);
        // What its tests have started, in whatever session or group, has come to this process.
        end_orphans(|pid| self.children.contains(&pid));
        reaped
    }

    /// What is answered in the parent; nothing in a child, which has begun.
    fn serve_fork(&mut self, vm: &mut Vm, fork: Fork, socket: Option<OwnedFd>) -> Option<Reply> {
        let refused = |why: &str| {
            let why = why.to_owned();
            Some(Reply::Refused { why })
        };
        let Some(socket) = socket else {
            return refused("a request to fork without a socket");
        };
        if self.comes_too_late(&fork) {
            return refused("class fixtures do not run for ignored tests alone");
        }
        match self.fork(vm, fork.hold == Hold::Never) {
            Ok(Some(pid)) => {
                self.children.insert(pid);
                Some(Reply::Forked { pid })
            }
            Ok(None) => {
                self.begin(vm, fork, socket);
                None
            }
            Err(reply) => Some(reply),
        }
    }

    /// Whether what is to run are ignored tests alone, and the fixtures of their class have run already.
    fn comes_too_late(&self, fork: &Fork) -> bool {
        let (Some(ignored), Some(chosen)) = (&self.ignored, &fork.chosen) else {
            return false;
        };
        !chosen.is_empty() && chosen.iter().all(|test| ignored.contains(test))
    }

    fn fork(&self, vm: &mut Vm, leaf: bool) -> Result<Option<i32>, Reply> {
        if let Some(why) = vm.host.cannot_fork() {
            let why = why.to_owned();
            return Err(Reply::Refused { why });
        }
        sys::fork(leaf).map_err(|e| Reply::NoRoom {
            why: format!("cannot fork: {}", std::io::Error::from_raw_os_error(e.0)),
        })
    }

    /// The first that a child does: everything that must not be its parent's any more.
    fn begin(&mut self, vm: &mut Vm, fork: Fork, socket: OwnedFd) {
        self.pipe.become_child(fork.number, UnixStream::from(socket));
        // A zygote that is killed takes its children along.
        let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
        let _ = setpgid(Pid::from_raw(0), Pid::from_raw(0));
        adopt();
        if fork.hold == Hold::Never {
            vm.heap.use_small_pages();
        }
        Detector::with(vm, |detector, _| detector.forked());
        self.children.clear();
        self.reports_held = false;
        self.steps = fork.steps.into();
        self.chosen = fork.chosen;
        self.hold = fork.hold;
        self.until_change = fork.until_change;
        self.before_groups = fork.before_groups;
        // Tests are counted from the fork on.
        self.group = (0, false);
        self.notes_change = fork.notes_change;
        self.fixtures_changed = false;
        self.ended = 0;
        self.undo = fork.undo;
        self.is_kept = false;
        self.watch = fork.watch;
        self.timeout_nanos = fork.timeout_nanos;
        self.vary = fork.vary;
        self.learn = fork.learn.then(|| (vm.classes.len(), vm.readiness()));
        if let Some(seed) = fork.seed.filter(|seed| *seed != vm.config.seed) {
            vm.config.seed = seed;
            self.start = self.base.as_ref().map(|base| base.varied(seed));
            // Fixtures are not to run with the zygote's.
            self.start.iter().for_each(|start| vm.start_at(start));
        }
        let switched = change_code(vm, fork.off, &fork.redefine);
        if let Err(why) = vm.after_fork(fork.overlay.as_deref()).and(switched) {
            let _ = self.pipe.send(Event::Ended {
                how: End::Bug(why),
                cost: Cost::default(),
                printed: Printed::default(),
            });
            std::process::exit(crate::exit::INTERNAL);
        }
        self.keep_files(vm, Kept::Before);
        if fork.asserts {
            vm.watch_assertions();
        }
        if fork.access {
            let inside = |of: AskedInside| match (of, &self.asked) {
                (AskedInside::Of(class), Some(asked)) => {
                    asked.inside.get(&class).cloned().unwrap_or_default()
                }
                _ => Places::default(),
            };
            let asked = detector::Asked {
                places: self.asked.as_ref().map(|asked| asked.places.clone()),
                inside: fork.asked_inside.map(inside),
            };
            let in_class = self.chosen.is_some();
            let log = |detector: &mut Detector, vm: &mut Vm| {
                detector.log_access(vm, asked, fork.values, in_class);
                if fork.each {
                    detector.tell_apart();
                }
            };
            Detector::with(vm, log);
            self.reports_held = fork.values && matches!(self.hold, Hold::AfterTests | Hold::AfterSteps);
        }
    }

    /// From here on files are kept as they were, if what comes next is to be put back.
    fn keep_files(&self, vm: &mut Vm, next: Kept) {
        if let Some(undo) = self.undo.as_ref().filter(|u| u.is_next(next, self.ended)) {
            // Files that cannot be kept cannot be put back: the search finds other causes, or none.
            let _ = vm.host.fs().keep_files(undo.folder.as_bytes());
        }
    }

    /// Classes of the library and the suite that were loaded since the fork (those made at run time have no name to load them by), and
    /// the code that ran.
    fn report_learnt(&self, vm: &Vm) {
        let Some((from, before)) = &self.learn else { return };
        let named =
            |n: &str| !n.starts_with('[') && !n.contains("$$") && !n.contains("+0x") && !n.contains("$Proxy");
        let classes = vm.classes[*from..].iter().map(|c| vm.syms.str(c.name));
        let ran = vm.ran_since(before).into_iter().filter(|ran| named(&ran.class));
        let learnt = Learnt {
            classes: classes
                .filter(|n| named(n))
                .map(|n| n.replace('/', "."))
                .collect(),
            ran: ran.map(RanClass::from).collect(),
        };
        // A process that nobody listens to any more ends all the same.
        let _ = self.pipe.send_line(&Reply::Loaded { learnt });
    }

    /// Ends the process as it is: no hooks of the guest run, and nobody waits for its threads.
    fn leave(&mut self, vm: &mut Vm) -> ! {
        self.report_learnt(vm);
        self.report_uses(vm);
        vm.host.fs.remove_private_paths();
        sys::exit_now(crate::exit::COMPLETE)
    }

    /// What was used since the last hold, if somebody wants to know.
    fn report_uses(&self, vm: &mut Vm) {
        if let Some(Event::Used { mut used }) = uses::take(vm) {
            used.start = format!(
                "{:?} in second {}",
                self.start,
                vm.work().1.div_ceil(1_000_000_000)
            );
            let _ = self.pipe.send(Event::Used { used });
        }
    }

    /// What was read and changed, if that was to be logged.
    fn report_access(&self, vm: &mut Vm) {
        if let Some(Some(report)) = Detector::with(vm, |detector, vm| detector.access_report(vm)) {
            let report = Box::new(report);
            let _ = self.pipe.send(Event::Access { report });
        }
    }

    /// Ends before all is done, since the shared state is not as it was.
    fn stop(&mut self, vm: &mut Vm, reply: &Reply) -> ! {
        self.report_access(vm);
        self.reply(reply);
        self.leave(vm)
    }

    fn done(&mut self, vm: &mut Vm) -> ! {
        self.report_access(vm);
        let _ = self.pipe.send(Event::Done);
        self.leave(vm)
    }
}

impl StepSource for Holder {
    fn next(&mut self, vm: &mut Vm) -> Option<Step> {
        self.ignored = None;
        loop {
            if self.until_change.is_some() && self.fixtures_changed && !self.steps.is_empty() {
                self.stop(vm, &Reply::StoppedBetween);
            }
            match (self.steps.pop_front(), self.hold) {
                (Some(step), _) => return Some(step),
                (None, Hold::AfterSteps) => self.serve(vm),
                (None, _) => self.done(vm),
            }
        }
    }

    fn forks(&self) -> bool {
        self.hold != Hold::Never
    }

    fn choose(&mut self, vm: &mut Vm, step: &Step) -> Option<Vec<String>> {
        if self.hold == Hold::AfterDiscovery && self.steps.is_empty() {
            self.serve(vm);
        }
        self.chosen.take().or_else(|| step.sequence.clone())
    }

    fn more(&mut self, vm: &mut Vm, dropped: bool) -> Option<Vec<String>> {
        if dropped || self.hold != Hold::AfterTests || !self.steps.is_empty() {
            return None;
        }
        self.serve(vm);
        self.chosen.take().filter(|chosen| !chosen.is_empty())
    }

    fn ignored(&mut self, tests: Vec<String>) {
        self.ignored = Some(tests);
    }

    fn hands_out(&self) -> bool {
        true
    }

    fn test_starts(&mut self, vm: &mut Vm) {
        self.ignored = None;
        self.keep_files(vm, Kept::Test);
        match (&self.start, self.vary) {
            (Some(start), None) => vm.start_at(start),
            (Some(start), Some(from)) => vm.start_at(&start.varied(from + u64::from(self.ended))),
            (None, _) => {}
        }
    }

    fn timeout_nanos(&self) -> Option<u64> {
        self.timeout_nanos
    }

    fn keeps_changes(&self, of: Kept) -> bool {
        let undo = self.undo.as_ref().filter(|_| !self.is_kept);
        undo.is_some_and(|undo| undo.is_next(of, self.ended))
    }

    fn puts_back(&mut self) -> Vec<usize> {
        self.is_kept = true;
        self.undo.as_ref().map_or_else(Vec::new, |u| u.put_back.clone())
    }

    fn watches(&self) -> Option<Vec<usize>> {
        self.watch.as_ref().map(|watch| watch.units.clone())
    }

    fn reader_is_next(&self) -> bool {
        self.watch
            .as_ref()
            .is_some_and(|watch| watch.reader == self.ended)
    }

    fn fixture_changed(&mut self) {
        // What those of the tests before the first group leave is where the group begins.
        self.fixtures_changed |= self.before_groups == 0;
    }

    fn test_ended(&mut self, vm: &mut Vm, changed: bool) {
        self.ended += 1;
        self.keep_files(vm, Kept::Before);
        self.keep_files(vm, Kept::ClassEnd);
        let Some(size) = self.until_change else { return };
        if self.ended <= self.before_groups {
            return;
        }
        self.group = (self.group.0 + 1, self.group.1 | changed);
        if self.group.0 == size {
            let changed = std::mem::take(&mut self.group).1;
            if changed && self.notes_change {
                self.until_change = None;
                let _ = self.pipe.send(Event::LeftChange { tests: self.ended });
            } else if changed {
                self.stop(vm, &Reply::Stopped);
            }
        }
    }
}

/// Switches statements off and gives classes other bodies.
fn change_code(vm: &mut Vm, off: Vec<Off>, redefine: &[(String, String)]) -> Result<(), String> {
    let switches: Vec<Switch> = off.into_iter().map(Switch::from).collect();
    vm.switch_off(&switches)?;
    for (class, file) in redefine {
        let bytes = std::fs::read(file).map_err(|e| format!("cannot read {file}: {e}"))?;
        vm.redefine(class, bytes)?;
    }
    Ok(())
}

/// Waits for a child's end, and ends what processes its tests have left.
fn reap(pid: i32, kill: bool) -> Reply {
    let pid = Pid::from_raw(pid);
    if kill {
        let _ = nix::sys::signal::kill(pid, Signal::SIGKILL);
    }
    // Not reaped yet: until then nobody else can have its number.
    let _ = waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT);
    let _ = killpg(pid, Signal::SIGKILL);
    let status = match waitpid(pid, None) {
        Ok(WaitStatus::Exited(_, code)) => format!("exit status: {code}"),
        Ok(WaitStatus::Signaled(_, signal, _)) => format!("signal: {signal}"),
        Ok(other) => format!("{other:?}"),
        Err(e) => format!("not known: {e}"),
    };
    Reply::Reaped { status }
}
