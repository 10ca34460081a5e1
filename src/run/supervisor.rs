//! Keeps a worker at work: starts it, hears what it reports, and when it ends too early starts another that goes on.
//! What the events mean is the fold's affair, what is to be done next the schedule's.

use crate::report::Reporter;
use crate::run::fold::{Course, Ended, Fold};
use crate::run::interrupt;
use crate::run::overlay::Overlay;
use crate::run::pipe::Heard;
use crate::run::process::{Process, Remains};
use crate::run::results::Results;
use crate::run::schedule::{Next, Schedule, verdict};
use crate::run::select::Wanted;
use crate::run::spec::Spec;
use crate::run::suite::Suite;
use crate::run::uses;
use poldet_junit_shim::driver::Plan;
use poldet_records::{End, Event, RunEvent, TestName};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Real time after which a worker that does not respond is ended.
const SILENCE: Duration = Duration::from_secs(300);
/// How long a worker that is done may take to end: its shutdown hooks run.
const LINGER: Duration = Duration::from_secs(10);

pub struct Supervisor<'a> {
    spec: Spec,
    /// Name the tests instead of running them.
    list: bool,
    results: &'a mut Results,
    reporters: &'a mut [Box<dyn Reporter>],
    interrupted: Arc<AtomicBool>,
    workers: u32,
}

impl<'a> Supervisor<'a> {
    pub fn new(
        spec: Spec,
        list: bool,
        results: &'a mut Results,
        reporters: &'a mut [Box<dyn Reporter>],
    ) -> Supervisor<'a> {
        let interrupted = interrupt::flag();
        Supervisor {
            spec,
            list,
            results,
            reporters,
            interrupted,
            workers: 0,
        }
    }

    /// Runs the tests of one suite. Others may follow.
    pub fn run_all(&mut self, spec: Spec, suite: &Suite, steps: &[Wanted]) -> Result<(), String> {
        self.spec = spec;
        if steps.is_empty() || self.results.document.interrupted || self.results.internal.is_some() {
            return Ok(());
        }
        for (round, mode) in suite.modes().into_iter().enumerate() {
            self.spec.plan.mode = mode;
            let mut left = steps.to_vec();
            if round > 0 {
                // The platform has run what it knows; what is left is of an older JUnit.
                for step in &mut left {
                    step.classes.retain(|c| c.old);
                }
            }
            self.run_schedule(Schedule::new(mode, self.list, left))?;
            if self.results.document.interrupted || self.results.internal.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn run_schedule(&mut self, mut schedule: Schedule) -> Result<(), String> {
        while let Some(next) = schedule.plan_next() {
            let planned = next.clone();
            let (course, ended, remains) = self.run_worker(next)?;
            if self.results.document.interrupted {
                return Ok(());
            }
            if course.done {
                self.check_end(&course, &ended, &remains);
                self.check_complete(&course, planned)?;
            }
            let aftermath = schedule.ended(&course, &ended);
            if let Some(what) = aftermath.warning {
                self.publish(RunEvent::Warning { what });
            }
            if let Some(what) = aftermath.fatal {
                self.publish(RunEvent::Fault { what, fatal: true });
            }
            let fold = Fold::new(&self.spec.plan, self.spec.capture.is_some());
            for record in aftermath.records {
                self.publish(fold.finished(record));
            }
        }
        Ok(())
    }

    fn publish(&mut self, event: RunEvent) {
        self.results.take(&event);
        for reporter in self.reporters.iter_mut() {
            reporter.event(&event);
        }
    }

    /// Reports what the sandbox lacks, once: every worker says the same.
    fn sandbox_lacks(&mut self, missing: &[String]) {
        let known = &mut self.results.document.head.sandbox.missing;
        if known.as_slice() != missing {
            *known = missing.to_vec();
            for part in missing {
                let what = format!("sandbox without {part}");
                self.publish(RunEvent::Warning { what });
            }
        }
    }

    /// A worker that says it is done has still to end as one that has nothing more to do.
    fn check_end(&mut self, course: &Course, ended: &Ended, remains: &Remains) {
        let lingered = matches!(ended.how, End::NotResponding { .. });
        let clean = course.ended.is_some() && remains.status.success();
        if !clean && !lingered {
            let message = verdict(&ended.how).1;
            let what = message.lines().next().unwrap_or_default();
            self.results.unclean = true;
            self.publish(RunEvent::Warning {
                what: format!("{what} after its last test"),
            });
        }
    }

    /// Every test that JUnit announced has a result, or a reason why it did not run; others are named.
    fn check_complete(&mut self, course: &Course, mut planned: Next) -> Result<(), String> {
        if course.lacking == 0 || self.list {
            return Ok(());
        }
        planned.steps.iter_mut().for_each(|s| s.list = true);
        let listed = self.names(planned)?;
        let explained = |t: &TestName| {
            course.given_up.iter().any(|g| match g.unique_id() {
                Some(id) => id.contains(&t.id),
                None => g.root == t.root,
            })
        };
        let tests: Vec<String> = listed
            .iter()
            .filter(|t| !course.settled.contains(&t.key()) && !explained(t))
            .map(TestName::text)
            .collect();
        if !tests.is_empty() {
            self.publish(RunEvent::Missing { tests });
        }
        Ok(())
    }

    /// The tests that a worker finds when it is to name them.
    fn names(&mut self, next: Next) -> Result<Vec<TestName>, String> {
        let mut names = Vec::new();
        self.work(next, &mut |_, event| {
            if let RunEvent::Listed {
                test,
                container: false,
            } = event
            {
                names.push(test);
            }
        })?;
        Ok(names)
    }

    fn run_worker(&mut self, next: Next) -> Result<(Course, Ended, Remains), String> {
        self.work(next, &mut |supervisor, event| supervisor.publish(event))
    }

    /// Starts a worker and hears it to its end.
    fn work(
        &mut self,
        next: Next,
        out: &mut dyn FnMut(&mut Self, RunEvent),
    ) -> Result<(Course, Ended, Remains), String> {
        let overlay = match self.spec.write_through {
            true => None,
            false => {
                self.workers += 1;
                Some(Overlay::make(self.workers)?)
            }
        };
        self.spec.plan = Plan {
            mode: self.spec.plan.mode,
            steps: next.steps,
            done: next.done,
            banned: next.banned,
            timeout_nanos: self.spec.plan.timeout_nanos,
            sanitise: self.spec.plan.sanitise,
        };
        let spec = self.spec.clone().in_overlay(overlay.as_ref());
        let specification = serde_json::to_vec(&spec).map_err(|e| e.to_string())?;
        let mut process = Process::spawn(&specification, self.spec.show_output)?;
        let mut fold = Fold::new(&self.spec.plan, self.spec.capture.is_some());
        let silent = self.listen(&mut process, &mut fold, out);
        let remains = process.end()?;
        let course = fold.finish();
        let ended = course.ended.clone().unwrap_or_else(|| {
            Ended::new(if silent {
                let seconds = SILENCE.as_secs();
                End::NotResponding { seconds }
            } else {
                End::Lost {
                    status: remains.status.to_string(),
                    stderr: remains.stderr.clone(),
                }
            })
        });
        Ok((course, ended, remains))
    }

    /// Hears a worker until its channel closes; true if it was killed for its silence.
    fn listen(
        &mut self,
        process: &mut Process,
        fold: &mut Fold,
        out: &mut dyn FnMut(&mut Self, RunEvent),
    ) -> bool {
        let mut heard = Instant::now();
        let (mut silent, mut told) = (false, false);
        loop {
            match process.hear() {
                Heard::Message(message) => {
                    heard = Instant::now();
                    if let Event::Sandboxed { missing } = &message.event {
                        self.sandbox_lacks(missing);
                    }
                    uses::note(&message.event);
                    told |= matches!(message.event, Event::Used { .. });
                    let event = fold.take(message.event);
                    event.into_iter().for_each(|event| out(self, event));
                }
                Heard::Closed => {
                    if !told {
                        uses::note_unknown();
                    }
                    return silent;
                }
                Heard::Silence => {
                    let done = fold.course().done;
                    silent = heard.elapsed() > if done { LINGER } else { SILENCE };
                    if silent {
                        process.kill();
                    }
                    out(self, RunEvent::Beat);
                }
            }
            if self.interrupted.load(Ordering::SeqCst) && !self.results.document.interrupted {
                let test = fold.course().running_test().map(TestName::text);
                self.publish(RunEvent::Interrupted { test });
                process.kill();
            }
        }
    }
}
