//! Runs many sequences of tests from the zygote's state, several at once. What sequences have in common at their beginning
//! runs once: a process holds after it and is forked for each of them.
//!
//! Processes that hold are few: the tree is walked depth first, a process ends when nobody needs its state any more, and
//! where holding is not possible what was shared runs again. Results do not depend on any of this.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Explorer, Member};
use crate::explore::parallel;
use crate::explore::process::Process;
use crate::explore::trie::{Point, ROOT, Sequence, Trie};
use poldet_records::{End, Record};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// Processes that may hold at once, beside one for each job.
const MOST_HELD: usize = 24;
/// Of the machine's memory, the part that must be free for another process to hold: its pages may all come to be its own.
const FREE_PART: u64 = 8;
/// How often an interrupt is looked for.
const POLL: Duration = Duration::from_millis(50);

/// Why there is no course of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The search was interrupted.
    Interrupted,
    /// No process could be had for it.
    NoProcess(String),
}

/// What became of a sequence: what processes reported, one after the other, of which others may share the first.
#[derive(Clone, Default)]
pub struct Course {
    parts: Vec<Arc<Answer>>,
}

impl Course {
    /// What the processes reported, in the order in which it happened.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &Answer> {
        self.parts.iter().map(|part| &**part)
    }

    /// The tests that ran, in this order. Not all of the sequence's if a class fixture failed or the process ended early.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.parts().flat_map(|part| &part.records)
    }

    /// Failing class fixtures and classes that could not be loaded.
    pub fn outside(&self) -> impl Iterator<Item = &Record> {
        self.parts().flat_map(|part| &part.outside)
    }

    /// Whether the process did all it was to do.
    pub fn is_complete(&self) -> bool {
        self.parts.last().is_none_or(|part| part.complete)
    }

    /// How the process ended, if too early.
    pub fn end(&self) -> Option<&End> {
        self.parts.last().and_then(|part| part.end.as_ref())
    }

    /// What the last process reported, which may be the sequence's own.
    pub fn last(&self) -> Option<&Answer> {
        self.parts.last().map(|part| &**part)
    }

    /// The records of the sequence's tests, one for each place in it; None for a test that did not run.
    pub fn by_place(&self, tests: &[&Member]) -> Vec<Option<&Record>> {
        let mut found: Vec<Option<&Record>> = vec![None; tests.len()];
        let mut next = 0;
        for record in self.records() {
            let same = |t: &&Member| t.test.key() == record.test.key();
            if let Some(at) = tests[next..].iter().position(same) {
                found[next + at] = Some(record);
                next += at + 1;
            }
        }
        found
    }
}

/// A process that holds at a point; without a process, the zygote.
struct Base {
    at: Point,
    process: Option<Arc<Process>>,
    parts: Vec<Arc<Answer>>,
    above: Option<Arc<Base>>,
    _counted: Option<Counted>,
}

/// Counts a process that holds, as long as it does.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A process to be forked, and the point it is to come to.
struct Task {
    base: Arc<Base>,
    to: Point,
    holds: bool,
}

#[derive(Default)]
struct State {
    /// The last is the next.
    tasks: Vec<Task>,
    busy: usize,
    results: Vec<Option<Result<Course, NotRun>>>,
}

struct Walk<'w, 'e> {
    explorer: &'w Explorer<'e>,
    trie: RwLock<Trie>,
    held: Arc<AtomicUsize>,
    state: Mutex<State>,
    changed: Condvar,
    /// Called with the number of each sequence when its result is known.
    done: &'w (dyn Fn(usize) + Sync),
}

impl Explorer<'_> {
    /// Runs sequences of tests, each from the zygote's state, with results in the order of the sequences. `done` is called
    /// with the number of each sequence when its result is known, in no particular order.
    pub fn sequences(
        &self,
        sequences: &[Sequence<'_>],
        done: &(dyn Fn(usize) + Sync),
    ) -> Vec<Result<Course, NotRun>> {
        let walk = Walk {
            explorer: self,
            trie: RwLock::new(Trie::new(sequences)),
            held: Arc::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
            done,
        };
        walk.state().results = sequences.iter().map(|_| None).collect();
        let root = Arc::new(Base {
            at: ROOT,
            process: None,
            parts: Vec::new(),
            above: None,
            _counted: None,
        });
        // A sequence without tests has nothing to run.
        walk.found(ROOT, &Course::default());
        let tasks = walk.tasks(&root, ROOT);
        walk.add(tasks);
        drop(root);
        parallel::here_and_beside(self.jobs, &|| walk.work());
        let results = std::mem::take(&mut walk.state().results);
        let interrupted = || Err(NotRun::Interrupted);
        results
            .into_iter()
            .map(|r| r.unwrap_or_else(interrupted))
            .collect()
    }
}

impl Walk<'_, '_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trie(&self) -> RwLockReadGuard<'_, Trie> {
        self.trie.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// No process comes to hold at a point.
    fn block(&self, at: Point) -> Option<Point> {
        self.trie
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .block(at)
    }

    fn work(&self) {
        while let Some(task) = self.next() {
            let tasks = self.run(task);
            self.add(tasks);
            self.state().busy -= 1;
            self.changed.notify_all();
        }
    }

    /// The next task; None when there will be none. After an interrupt the tasks are dropped, and with them the processes.
    fn next(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if self.explorer.is_stopped() {
                let tasks = std::mem::take(&mut state.tasks);
                drop(state);
                drop(tasks);
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.busy += 1;
                return Some(task);
            }
            if state.busy == 0 {
                return None;
            }
            let waited = self.changed.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Adds tasks, the first of them to be done first.
    fn add(&self, tasks: Vec<Task>) {
        self.state().tasks.extend(tasks.into_iter().rev());
        self.changed.notify_all();
    }

    /// What is to be run from a base to come beyond a point.
    fn tasks(&self, base: &Arc<Base>, beyond: Point) -> Vec<Task> {
        let targets = self.trie().targets(beyond).into_iter();
        targets
            .map(|to| Task {
                base: Arc::clone(base),
                to,
                holds: self.trie().goes_on(to),
            })
            .collect()
    }

    /// The same without a hold at the point itself.
    fn around(&self, base: &Arc<Base>, point: Point) -> Vec<Task> {
        let mut tasks = Vec::new();
        if !self.trie().ends(point).is_empty() {
            tasks.push(Task {
                base: Arc::clone(base),
                to: point,
                holds: false,
            });
        }
        tasks.extend(self.tasks(base, point));
        tasks
    }

    fn may_hold(&self, at: Point) -> bool {
        self.trie().can_hold(at)
            && self.held.load(Ordering::SeqCst) < MOST_HELD + self.explorer.jobs
            && has_memory()
    }

    /// Runs a task; what is to be done after it.
    fn run(&self, task: Task) -> Vec<Task> {
        let Task { mut base, to, holds } = task;
        if holds && !self.may_hold(to) {
            return self.around(&base, to);
        }
        let process = loop {
            let fork = self.trie().fork(base.at, to, holds);
            match (
                self.explorer.fork_from(base.process.as_ref(), fork),
                base.above.clone(),
            ) {
                (Ok(process), _) => break process,
                // What holds cannot be forked, or is gone: what it did is done again from further above.
                (Err(_), Some(above)) => base = above,
                (Err(why), None) => {
                    self.give(to, &Err(NotRun::NoProcess(why)));
                    return Vec::new();
                }
            }
        };
        let answer = Answer::of(&process);
        if self.explorer.is_stopped() {
            return Vec::new();
        }
        self.went(&base, to, holds, process, answer)
    }

    /// A process has come to its point, or ended before.
    fn went(
        &self,
        base: &Arc<Base>,
        to: Point,
        holds: bool,
        process: Arc<Process>,
        answer: Answer,
    ) -> Vec<Task> {
        let (complete, holding) = (answer.complete, answer.holding);
        let mut parts = base.parts.clone();
        parts.push(Arc::new(answer));
        let course = Course { parts };
        if !complete {
            self.give(to, &Ok(course));
            return Vec::new();
        }
        if holds && !holding {
            // It may hold before the fixtures of the class, if not after them.
            return match self.block(to).filter(|before| *before != base.at) {
                Some(to) => vec![Task {
                    base: Arc::clone(base),
                    to,
                    holds: true,
                }],
                None => self.around(base, to),
            };
        }
        self.found(to, &course);
        if !holds {
            return Vec::new();
        }
        self.held.fetch_add(1, Ordering::SeqCst);
        let base = Arc::new(Base {
            at: to,
            process: Some(process),
            parts: course.parts,
            above: Some(Arc::clone(base)),
            _counted: Some(Counted(Arc::clone(&self.held))),
        });
        self.tasks(&base, to)
    }

    /// The course of the sequences that end at a point.
    fn found(&self, at: Point, course: &Course) {
        let ends = self.trie().ends(at).to_vec();
        self.set(&ends, &Ok(course.clone()));
    }

    /// The same for all that come by a point.
    fn give(&self, at: Point, result: &Result<Course, NotRun>) {
        let ends = self.trie().all_ends(at);
        self.set(&ends, result);
    }

    fn set(&self, numbers: &[usize], result: &Result<Course, NotRun>) {
        for number in numbers {
            self.state().results[*number] = Some(result.clone());
            (self.done)(*number);
        }
    }
}

/// Whether there is memory for another process that holds. Where the system does not say, there is.
fn has_memory() -> bool {
    let Ok(text) = std::fs::read_to_string("/proc/meminfo") else {
        return true;
    };
    let amount = |name: &str| {
        let line = text.lines().find(|l| l.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    match (amount("MemAvailable:"), amount("MemTotal:")) {
        (Some(free), Some(all)) => free > all / FREE_PART,
        _ => true,
    }
}
