//! What is left to run, and what the next worker is to do: no processes, no clock, no files.
//!
//! A worker that ends before its plan does costs at most one test: the one that ran gets the verdict that the end stands
//! for, and the next worker goes on with what has no result yet. A worker that was lost between tests, or before it had
//! booted, costs none: its work is given to another, once.

use crate::run::discover::Candidate;
use crate::run::fold::{Course, Culprit, Ended};
use crate::run::select::Wanted;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_records::{End, ExitCall, Outcome, Record, TestKey, TestName, UniqueId};
use std::collections::BTreeSet;

pub struct Schedule {
    mode: Mode,
    /// Name the tests instead of running them.
    list: bool,
    left: Vec<Wanted>,
    /// Ids to run before anything else: what is left of a container whose earlier part is done.
    leftovers: Vec<UniqueId>,
    /// Tests that need not run again.
    done: BTreeSet<TestKey>,
    /// Containers not to enter again.
    banned: Vec<UniqueId>,
    /// A step for each class, to find the one at fault.
    one_by_one: bool,
    /// The last worker was lost without a test to blame, and had done nothing.
    lost: bool,
}

/// What a worker is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    pub steps: Vec<Step>,
    pub done: BTreeSet<TestKey>,
    pub banned: Vec<UniqueId>,
}

/// What the end of a worker means.
#[derive(Debug, Default)]
pub struct Aftermath {
    /// Verdicts on tests that were at fault.
    pub records: Vec<Record>,
    /// The run cannot go on, through a fault of ours.
    pub fatal: Option<String>,
    pub warning: Option<String>,
}

impl Schedule {
    pub fn new(mode: Mode, list: bool, mut left: Vec<Wanted>) -> Schedule {
        left.retain(|s| !s.classes.is_empty());
        Schedule {
            mode,
            list,
            left,
            leftovers: Vec::new(),
            done: BTreeSet::new(),
            banned: Vec::new(),
            one_by_one: false,
            lost: false,
        }
    }

    /// The next worker's work; None when nothing is left.
    pub fn plan_next(&mut self) -> Option<Next> {
        if self.left.is_empty() && self.leftovers.is_empty() {
            return None;
        }
        let mut steps = Vec::new();
        let ids = std::mem::take(&mut self.leftovers);
        if !ids.is_empty() {
            steps.push(Step {
                ids,
                ..Step::default()
            });
        }
        for wanted in &self.left {
            let names: Vec<String> = wanted.classes.iter().map(|c| c.name.clone()).collect();
            if self.one_by_one {
                steps.extend(names.into_iter().map(|n| wanted.step(vec![n], self.list)));
            } else {
                steps.push(wanted.step(names, self.list));
            }
        }
        Some(Next {
            steps,
            done: self.done.clone(),
            banned: self.banned.clone(),
        })
    }

    /// A worker has ended: takes what it has done off the list, and says who is to blame where it ended too early.
    pub fn ended(&mut self, course: &Course, ended: &Ended) -> Aftermath {
        self.done.extend(course.settled.iter().cloned());
        if course.done {
            self.left.clear();
            return Aftermath::default();
        }
        let culprit = course.culprit();
        let forgiven = self.forgives(course, &culprit, &ended.how);
        if self.left.first().is_some_and(|s| s.ordered) {
            cut_order(&mut self.left, course, (!forgiven).then_some(&culprit));
            self.done.clear();
        } else {
            self.drop_finished(course);
        }
        let aftermath = if forgiven {
            let message = verdict(&ended.how).1;
            let what = message.lines().next().unwrap_or_default();
            Aftermath {
                warning: Some(format!("{what} outside of a test; another goes on")),
                ..Aftermath::default()
            }
        } else {
            self.blame(culprit, course, ended)
        };
        self.left.retain(|s| !s.classes.is_empty());
        aftermath
    }

    /// Is this a worker that was lost through nobody's fault? Twice in the same place is no accident.
    fn forgives(&mut self, course: &Course, culprit: &Culprit, how: &End) -> bool {
        let lost = matches!(how, End::Lost { .. }) && !matches!(culprit, Culprit::Test(_));
        let again = self.lost && !course.got_on();
        self.lost = lost && !again;
        self.lost
    }

    fn blame(&mut self, culprit: Culprit, course: &Course, ended: &Ended) -> Aftermath {
        let (outcome, message) = verdict(&ended.how);
        let blamed = |test: TestName| Record {
            printed: ended.printed.clone(),
            ..Record::of_end(test, outcome, &message)
        };
        let mut aftermath = Aftermath::default();
        match culprit {
            Culprit::Test(test) => {
                if let Some(mut record) = self.blame_test(test, outcome, &message) {
                    record.cost = ended.cost;
                    record.printed = ended.printed.clone();
                    aftermath.records.push(record);
                }
            }
            Culprit::Container(id, test) => {
                self.banned.push(id);
                aftermath.records.push(blamed(test));
            }
            Culprit::Class(name) => {
                remove_class(&mut self.left, &name);
                let test = TestName::of_class(&name);
                aftermath.records.push(blamed(test));
            }
            Culprit::Unknown if !self.one_by_one && course.booted && count(&self.left) > 1 => {
                self.one_by_one = true;
            }
            Culprit::Unknown => {
                // Not one class can be blamed: all that is left shares the verdict.
                aftermath.fatal = (!course.booted).then(|| message.clone());
                for class in self.left.drain(..).flat_map(|s| s.classes) {
                    let test = TestName::of_class(&class.name);
                    aftermath.records.push(Record::of_end(test, outcome, &message));
                }
            }
        }
        aftermath
    }

    /// The test that ran when its worker ended gets the verdict; the rest of its class goes on in the next worker.
    fn blame_test(&mut self, test: TestName, outcome: Outcome, message: &str) -> Option<Record> {
        if !self.done.insert(test.key()) {
            // Its runner takes no filter, so the class cannot go on without it.
            let class = test.root.clone().unwrap_or_else(|| test.top_class().to_owned());
            remove_class(&mut self.left, &class);
            return None;
        }
        let whole = self.left.iter().all(|s| s.only.is_empty());
        let later = test.unique_id().and_then(|id| id.later_invocations());
        if let Some((container, rest)) = later.filter(|_| whole) {
            self.banned.push(container);
            self.leftovers = rest;
        }
        Some(Record::of_end(test, outcome, message))
    }

    /// Classes that need not be run again.
    fn drop_finished(&mut self, course: &Course) {
        let gone = |c: &Candidate| course.finished_classes.contains(&c.name) && !(c.old && c.new);
        for step in &mut self.left {
            if step.only.is_empty() || self.mode == Mode::JUnit4 {
                step.classes.retain(|c| !gone(c));
            }
        }
        self.left.retain(|s| !s.classes.is_empty());
    }
}

/// What the end of a worker means for the test at fault.
pub fn verdict(how: &End) -> (Outcome, String) {
    match how {
        End::Exit { by, status, stack } => {
            let by = match by {
                ExitCall::SystemExit => "System.exit",
                ExitCall::RuntimeHalt => "Runtime.halt",
                ExitCall::Boot => "exit",
            };
            (Outcome::Error, format!("{by}({status}) ended the JVM\n{stack}"))
        }
        End::Thrown(exception) => (Outcome::Error, exception.clone()),
        End::Deadlock(report) => (Outcome::TimedOut, report.clone()),
        End::TimedOut(report) => (Outcome::TimedOut, format!("test timed out\n{report}")),
        End::NotResponding { seconds } => (
            Outcome::TimedOut,
            format!("worker not responding for {seconds} s"),
        ),
        End::Unsupported(what) => (Outcome::Unsupported, what.clone()),
        End::Bug(what) => (Outcome::Crashed, what.clone()),
        End::Lost { status, stderr } => {
            let what = format!("the worker ended with {status}\n{stderr}");
            (Outcome::Crashed, what.trim_end().to_owned())
        }
    }
}

/// In an order given by the user, go on after the step, or the test of it, that ended the worker; where nobody is to
/// blame, after the last test that has ended.
fn cut_order(left: &mut Vec<Wanted>, course: &Course, culprit: Option<&Culprit>) {
    left.drain(..course.step.min(left.len()));
    let Some(current) = left.first_mut() else { return };
    let place = |test: &TestName| current.only.iter().position(|s| s.matches(test));
    let done = match culprit {
        Some(Culprit::Test(test)) => place(test).map_or(current.only.len(), |at| at + 1),
        Some(_) => current.only.len(),
        None => course
            .ended_in_step
            .iter()
            .filter_map(place)
            .max()
            .map_or(0, |at| at + 1),
    };
    current.only.drain(..done);
    if current.only.is_empty() {
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

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
