//! Processes that hold a VM, as the supervisor sees them: a zygote, and what it forks.

use crate::cache::probe::{ProbeCache, Report, State};
use crate::explore::wire::{Asked, Fork, Learnt, Message, Reply, Request, send, send_request};
use crate::run::overlay::Overlay;
use crate::run::pipe::{Heard, Lines};
use crate::run::spec::Spec;
use crate::run::uses;
use poldet_records::{End, Event, Used};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The program that is started as a zygote, where it is not this one: in tests of the library.
pub static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// How often, and after what time, a fork is tried again for which there was no memory or no process.
const FORK_TRIES: u32 = 50;
const FORK_WAIT: Duration = Duration::from_millis(100);

/// A process that others were to be forked from has been lost.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a process that others were to be forked from has been lost since this was last asked.
pub fn was_lost() -> bool {
    LOST.swap(false, Ordering::SeqCst)
}

/// What came over the line of a process.
fn hear(line: &mut Lines) -> Heard<Message> {
    let heard = line.hear();
    if let Heard::Message(Message::Event(event)) = &heard {
        uses::note(event);
    }
    heard
}

/// How a process ended, or that it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Until {
    /// It waits for requests.
    Holding,
    /// It did all it was to do.
    Done,
    /// It ended after tests that left the shared state changed.
    Stopped,
    /// It ended between two steps, since class fixtures left the shared state changed.
    StoppedBetween,
    /// It ended before that.
    Ended(End),
}

/// A process that holds a VM.
pub struct Process {
    /// None for a process whose report is known.
    line: Option<Mutex<Lines>>,
    /// What it has used so far, its ancestors' uses since the zygote included.
    used: Mutex<Used>,
    lineage: OnceLock<Lineage>,
    /// Its number, and who can wait for it.
    forked: Option<(i32, Arc<Process>)>,
    /// The zygote's own process.
    spawned: Mutex<Option<std::process::Child>>,
    silence: Duration,
    /// What it has loaded and run, if it was to report that.
    learnt: Mutex<Learnt>,
    /// Somebody has waited for its end.
    ended: AtomicBool,
    /// Its children that have said how they ended, and that it has not been asked yet to wait for.
    children: Mutex<Vec<i32>>,
    _overlay: Option<Overlay>,
}

/// What is known of a process whose report is to be kept, or is known.
pub struct Lineage {
    pub cache: Arc<ProbeCache>,
    pub state: State,
    /// The report, if it is known.
    pub report: Option<Report>,
    pub parent: Arc<Process>,
    pub fork: Fork,
    pub keeps_files: bool,
    /// The process itself, once it was needed.
    live: OnceLock<Result<Arc<Process>, String>>,
}

impl Lineage {
    pub fn new(
        cache: &Arc<ProbeCache>,
        state: State,
        parent: &Arc<Process>,
        fork: &Fork,
        keeps_files: bool,
    ) -> Lineage {
        Lineage {
            report: cache.known(&state),
            cache: Arc::clone(cache),
            state,
            parent: Arc::clone(parent),
            fork: fork.clone(),
            keeps_files,
            live: OnceLock::new(),
        }
    }
}

/// A poisoned lock only says that another thread has ended early.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Process {
    /// Boots a VM in a process of its own, to be listened to until it holds.
    pub fn zygote(spec: &Spec, overlay: Option<Overlay>, silence: Duration) -> Result<Arc<Process>, End> {
        let failed = |e: std::io::Error| End::Bug(format!("cannot start a zygote: {e}"));
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let program = match PROGRAM.get() {
            Some(program) => program.clone(),
            None => std::env::current_exe().map_err(failed)?,
        };
        let child = Command::new(program)
            // As for a worker.
            .env_remove("PERF_BUILDID_DIR")
            .arg("__zygote")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Ctrl-C at the terminal is for the supervisor alone, which then ends the zygote.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        // One that is already gone is noticed when it is listened to.
        let _ = send(&ours, spec);
        Ok(Arc::new(Process {
            line: Some(Mutex::new(Lines::new(ours, silence).map_err(failed)?)),
            used: Mutex::default(),
            lineage: OnceLock::new(),
            forked: None,
            spawned: Mutex::new(Some(child)),
            silence,
            learnt: Mutex::default(),
            ended: AtomicBool::new(false),
            children: Mutex::default(),
            _overlay: overlay,
        }))
    }

    /// Has the process load classes and make code ready; false if it is gone.
    pub fn load(&self, learnt: Learnt) -> bool {
        self.ask(&Request::Load { learnt }, None) == Some(Reply::Holding)
    }

    /// Has the process log reads, of these places.
    pub fn log_reads(&self, asked: Option<Asked>) -> Result<(), String> {
        match self.ask(&Request::LogReads { asked }, None) {
            Some(Reply::Holding) => Ok(()),
            Some(Reply::Refused { why }) => Err(why),
            _ => Err(self.gone()),
        }
    }

    /// What it has loaded and run, if it was to report that.
    pub fn take_learnt(&self) -> Learnt {
        std::mem::take(&mut lock(&self.learnt))
    }

    /// A process whose report is known; it is started when it is to be forked.
    pub fn known(lineage: Lineage) -> Option<Arc<Process>> {
        let report = lineage.report.as_ref()?;
        let process = Process {
            line: None,
            used: Mutex::new(report.used.clone()),
            forked: None,
            spawned: Mutex::new(None),
            silence: lineage.parent.silence,
            learnt: Mutex::new(report.learnt.clone()),
            ended: AtomicBool::new(true),
            children: Mutex::default(),
            lineage: OnceLock::from(lineage),
            _overlay: None,
        };
        Some(Arc::new(process))
    }

    /// What becomes of this process's report.
    pub fn set_lineage(&self, lineage: Lineage) {
        let _ = self.lineage.set(lineage);
    }

    /// The state it holds in, if that is known.
    pub fn state(&self) -> Option<State> {
        self.lineage.get().map(|l| l.state.clone())
    }

    pub fn used(&self) -> Used {
        lock(&self.used).clone()
    }

    /// The process itself, where only its report is known so far.
    fn live(&self) -> Result<Arc<Process>, String> {
        let lineage = self.lineage.get().ok_or("a process without a beginning")?;
        let start = || -> Result<Arc<Process>, String> {
            let overlay = lineage.keeps_files.then(crate::explore::explorer::fresh_folder);
            let process = lineage.parent.fork(lineage.fork.clone(), overlay.transpose()?)?;
            match process.hear_all(&mut |_| {}) {
                Until::Holding => Ok(process),
                _ => Err(process.gone()),
            }
        };
        lineage.live.get_or_init(start).clone()
    }

    /// Forks the process as it holds.
    pub fn fork(
        self: &Arc<Process>,
        mut fork: Fork,
        overlay: Option<Overlay>,
    ) -> Result<Arc<Process>, String> {
        if self.line.is_none() {
            return self.live()?.fork(fork, overlay);
        }
        let failed = |e: std::io::Error| format!("cannot fork: {e}");
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        fork.overlay = overlay.as_ref().map(|o| o.dir.display().to_string());
        let mut tries = 0;
        let pid = loop {
            let request = Request::Fork {
                fork: Box::new(fork.clone()),
                ended: std::mem::take(&mut lock(&self.children)),
            };
            match self.ask(&request, Some(&theirs)) {
                Some(Reply::Forked { pid }) => break pid,
                // Others may end meanwhile.
                Some(Reply::NoRoom { .. }) if tries < FORK_TRIES => std::thread::sleep(FORK_WAIT),
                Some(Reply::Refused { why } | Reply::NoRoom { why }) => return Err(why),
                _ => return Err(self.gone()),
            }
            tries += 1;
        };
        let line = Lines::new(ours, self.silence).map_err(failed)?;
        Ok(Arc::new(Process {
            line: Some(Mutex::new(line)),
            used: Mutex::new(match self.forked {
                // What the zygote has used is a part of its own state.
                None => Used::default(),
                Some(_) => self.used(),
            }),
            lineage: OnceLock::new(),
            forked: Some((pid, Arc::clone(self))),
            spawned: Mutex::new(None),
            silence: self.silence,
            learnt: Mutex::default(),
            ended: AtomicBool::new(false),
            children: Mutex::default(),
            _overlay: overlay,
        }))
    }

    /// What became of a process that does not answer.
    fn gone(&self) -> String {
        LOST.store(true, Ordering::SeqCst);
        let who = if self.forked.is_some() {
            "the process that was to be forked"
        } else {
            "the zygote"
        };
        match self.end(true).0 {
            status if status.is_empty() => format!("{who} has ended"),
            status => format!("{who} has ended ({status})"),
        }
    }

    /// One request and its reply; none when the process is gone.
    fn ask(&self, request: &Request, with: Option<&UnixStream>) -> Option<Reply> {
        let mut line = lock(self.line.as_ref()?);
        send_request(line.stream(), request, with.map(AsRawFd::as_raw_fd)).ok()?;
        loop {
            match hear(&mut line) {
                Heard::Message(Message::Reply(reply)) => return Some(reply),
                Heard::Message(Message::Event(event)) => self.note(&event),
                Heard::Closed | Heard::Silence => return None,
            }
        }
    }

    fn note(&self, event: &Event) {
        if let Event::Used { used } = event {
            lock(&self.used).add(used);
        }
    }

    /// Hands on what the process reports until it holds or ends.
    pub fn hear_all(&self, take: &mut dyn FnMut(Event)) -> Until {
        let Some(lineage) = self.lineage.get() else {
            return self.hear_line(take);
        };
        if let Some(report) = &lineage.report {
            for event in &report.events {
                uses::note(event);
                take(event.clone());
            }
            return report.until.clone();
        }
        let mut events = Vec::new();
        let until = self.hear_line(&mut |event| {
            if event != Event::Beat {
                events.push(event.clone());
            }
            take(event);
        });
        let told = events.iter().any(|e| matches!(e, Event::Used { .. }));
        if told && !matches!(until, Until::Ended(_)) {
            let report = Report {
                events,
                until: until.clone(),
                learnt: lock(&self.learnt).clone(),
                used: self.used(),
            };
            lineage.cache.keep(&lineage.state, &report);
        }
        until
    }

    fn hear_line(&self, take: &mut dyn FnMut(Event)) -> Until {
        let Some(line) = &self.line else {
            return Until::Ended(End::Bug("a process that was never started".into()));
        };
        let (mut done, mut stopped, mut told) = (false, None, false);
        let mut ended = None;
        let silent = loop {
            let heard = hear(&mut lock(line));
            match heard {
                Heard::Message(Message::Reply(Reply::Holding)) => return Until::Holding,
                Heard::Message(Message::Reply(Reply::Loaded { learnt })) => *lock(&self.learnt) = learnt,
                Heard::Message(Message::Reply(Reply::Stopped)) => stopped = Some(Until::Stopped),
                Heard::Message(Message::Reply(Reply::StoppedBetween)) => {
                    stopped = Some(Until::StoppedBetween)
                }
                Heard::Message(Message::Reply(_)) => {}
                Heard::Message(Message::Event(event)) => {
                    done |= *event == Event::Done;
                    told |= matches!(*event, Event::Used { .. });
                    self.note(&event);
                    if let Event::Ended { how, .. } = &*event {
                        ended = Some(how.clone());
                    }
                    take(*event);
                }
                Heard::Closed => break false,
                Heard::Silence => break true,
            }
        };
        if !told {
            uses::note_unknown();
        }
        let is_known = done || stopped.is_some() || ended.is_some();
        let status = match &self.forked {
            // Its zygote is told when it is asked for the next fork, before which nothing of this process may be left.
            Some((pid, parent)) if is_known && !silent && !self.ended.swap(true, Ordering::SeqCst) => {
                lock(&parent.children).push(*pid);
                (String::new(), String::new())
            }
            _ => self.end(silent),
        };
        if let Some(stopped) = stopped {
            return stopped;
        }
        match (done, ended) {
            (true, _) => Until::Done,
            (false, Some(end)) => Until::Ended(end),
            (false, None) if silent => Until::Ended(End::NotResponding {
                seconds: self.silence.as_secs(),
            }),
            (false, None) => {
                let (status, stderr) = status;
                Until::Ended(End::Lost { status, stderr })
            }
        }
    }

    /// Waits for the end of the process, after killing it if asked to: how the system says it ended, and the last it wrote
    /// to standard error.
    fn end(&self, kill: bool) -> (String, String) {
        if self.ended.swap(true, Ordering::SeqCst) {
            return (String::new(), String::new());
        }
        if let Some((pid, parent)) = &self.forked {
            let request = Request::Reap { pid: *pid, kill };
            return match parent.ask(&request, None) {
                Some(Reply::Reaped { status }) => (status, String::new()),
                _ => ("its zygote has ended".into(), String::new()),
            };
        }
        let Some(mut child) = lock(&self.spawned).take() else {
            return (String::new(), String::new());
        };
        if kill {
            terminate(&child);
        }
        let mut said = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            let _ = stderr.read_to_string(&mut said);
        }
        let status = child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
        (status, said)
    }

    /// Kills a zygote, and with it all that it has forked.
    pub fn kill(&self) {
        if let Some(child) = lock(&self.spawned).as_ref() {
            terminate(child);
        }
    }
}

/// Asks the process that watches a zygote to end it and all that came of it.
fn terminate(child: &std::process::Child) {
    if let Ok(pid) = i32::try_from(child.id()) {
        // Not reaped yet: nobody else can have its number.
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A process that holds ends when nobody can ask it any more.
        if let Some(line) = &self.line {
            let _ = lock(line).stream().shutdown(std::net::Shutdown::Both);
        }
        self.end(false);
    }
}
