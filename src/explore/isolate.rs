//! `poldet run --isolate`: every class, or every test, from the zygote's state.

use crate::cli::Isolate;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::parallel;
use crate::explore::process::{Process, Until};
use crate::explore::setup::{self, Round, SILENCE};
use crate::run::Prepared;
use crate::run::fold::{Ended, Fold};
use crate::run::interrupt;
use crate::run::schedule::verdict;
use poldet_junit_shim::driver::Plan;
use poldet_records::{Outcome, Record, RunEvent, TestName, UniqueId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Runs what was prepared; events come in the order of the classes, however many processes run at once.
pub fn run(
    prepared: Prepared,
    level: Isolate,
    jobs: usize,
    publish: &mut dyn FnMut(RunEvent),
) -> Result<(), String> {
    let stop = interrupt::flag();
    let mut spec = prepared.spec;
    spec.plan.steps.clear();
    let rounds = setup::rounds(&prepared.suite, prepared.classes);
    setup::plan(&mut spec, &rounds);
    let captured = spec.capture.is_some();
    let plan = spec.plan.clone();
    let names = rounds.iter().filter_map(Round::in_zygote).collect();
    let (explorer, named) = match Explorer::start(&spec, jobs, SILENCE, &stop, names) {
        Ok(both) => both,
        Err(end) => {
            let what = verdict(&end).1;
            publish(RunEvent::Fault { what, fatal: true });
            return Ok(());
        }
    };
    let (classes, problems) = match explorer.list(&rounds, named, level == Isolate::Strict) {
        Ok(listed) => listed,
        Err(what) => {
            publish(RunEvent::Fault { what, fatal: true });
            return Ok(());
        }
    };
    let fold = Fold::new(&plan, captured);
    for record in problems.outside {
        publish(fold.finished(record));
    }
    let wanted: Vec<Class> = classes
        .into_iter()
        .filter_map(|class| class.only(&prepared.steps))
        .collect();
    explorer.train(&wanted)?;
    let run = |class: &Class| {
        let strict = level == Isolate::Strict
            || (level == Isolate::Method && declared::shared_instance(&prepared.suite, &class.name));
        let job = Job {
            explorer: &explorer,
            plan: &plan,
            captured,
            events: Vec::new(),
        };
        job.run(class, level, strict)
    };
    let found = parallel::map(jobs, &wanted, &stop, run);
    for events in found.into_iter().flatten() {
        events?.into_iter().for_each(&mut *publish);
    }
    if stop.load(Ordering::SeqCst) {
        publish(RunEvent::Interrupted { test: None });
    }
    Ok(())
}

/// The tests of one class.
struct Job<'a, 'e> {
    explorer: &'a Explorer<'e>,
    plan: &'a Plan,
    captured: bool,
    events: Vec<RunEvent>,
}

impl Job<'_, '_> {
    fn run(mut self, class: &Class, level: Isolate, strict: bool) -> Result<Vec<RunEvent>, String> {
        let mut left: Vec<String> = class.tests.iter().map(|t| t.test.id.clone()).collect();
        // Where every test has a process, the class is discovered once for all of them.
        let mut from = None;
        if strict {
            let (process, discovered) = match self.explorer.discover(class) {
                Ok(found) => found,
                Err(why) => return Ok(self.none_ran(class, &left, &why)),
            };
            if !discovered.complete {
                let fold = Fold::new(self.plan, self.captured);
                let records = discovered.outside.into_iter();
                self.events.extend(records.map(|r| fold.finished(r)));
                return Ok(self.events);
            }
            from = Some(process);
        }
        while !left.is_empty() && !self.explorer.is_stopped() {
            let count = if strict { 1 } else { left.len() };
            let group = (level == Isolate::Method && !strict).then_some(1);
            let chosen = left[..count].to_vec();
            left = match self.run_process(class, from.as_ref(), chosen, group) {
                Ok(None) => left.split_off(count),
                Ok(Some(last)) => after(left, &last),
                Err(_) if self.explorer.is_stopped() => break,
                Err(why) => return Ok(self.none_ran(class, &left, &why)),
            };
        }
        Ok(self.events)
    }

    /// No process could be had for these tests: that is no verdict on any of them.
    fn none_ran(mut self, class: &Class, left: &[String], why: &str) -> Vec<RunEvent> {
        let fold = Fold::new(self.plan, self.captured);
        let tests = class.tests.iter().filter(|t| left.contains(&t.test.id));
        let records = tests.map(|t| {
            let mut record = Record::new(t.test.clone(), Outcome::Crashed);
            record.message = Some(why.to_owned());
            fold.finished(record)
        });
        self.events.extend(records);
        self.events
    }

    /// Runs tests in a process of their own; the last that ran, if the process ended before all of them had.
    fn run_process(
        &mut self,
        class: &Class,
        from: Option<&Arc<Process>>,
        chosen: Vec<String>,
        group: Option<u32>,
    ) -> Result<Option<TestName>, String> {
        let first = chosen.first().cloned().unwrap_or_default();
        let process = self.explorer.fork_class(class, from, chosen, group)?;
        let mut fold = Fold::new(self.plan, self.captured);
        let mut last = None;
        let until = process.hear_all(&mut |event| {
            if let Some(event) = fold.take(event) {
                if let RunEvent::TestFinished { record } = &event
                    && record.test.method.is_some()
                {
                    last = Some(record.test.clone());
                }
                self.take(event);
            }
        });
        let end = match until {
            Until::Done | Until::Holding => return Ok(None),
            Until::Stopped => return Ok(last),
            Until::Ended(_) if self.explorer.is_stopped() => return Ok(None),
            Until::Ended(end) => end,
        };
        let course = fold.course();
        let ended = course.ended.clone().unwrap_or_else(|| Ended::new(end));
        let test = course.running_test().cloned();
        let (outcome, text) = verdict(&ended.how);
        let blamed = test.clone().or(last).unwrap_or_else(|| unstarted(&first));
        let mut record = Record::of_end(blamed, outcome, &text);
        record.cost = ended.cost;
        record.printed = ended.printed;
        let event = fold.finished(record.clone());
        self.take(event);
        Ok(Some(test.unwrap_or(record.test)))
    }

    /// Class fixtures run in every process: what they did and printed is reported once.
    fn take(&mut self, event: RunEvent) {
        let again = self.events.iter().any(|old| match (old, &event) {
            (RunEvent::Fixture { fixture: a }, RunEvent::Fixture { fixture: b }) => a == b,
            (RunEvent::ClassOutput { output: a }, RunEvent::ClassOutput { output: b }) => a == b,
            (RunEvent::ClassFinished { class: a }, RunEvent::ClassFinished { class: b }) => a == b,
            (RunEvent::TestFinished { record: a }, RunEvent::TestFinished { record: b }) => {
                a.test.method.is_none() && a.test == b.test && a.message == b.message
            }
            _ => false,
        });
        if !again && !matches!(event, RunEvent::Planned { .. } | RunEvent::Beat) {
            self.events.push(event);
        }
    }
}

/// A test that never began, known by its id only.
fn unstarted(id: &str) -> TestName {
    TestName {
        id: id.to_owned(),
        display: id.to_owned(),
        class: id.to_owned(),
        ..TestName::default()
    }
}

/// What is left after a test; after an invocation of a template, also those that may follow it.
fn after(left: Vec<String>, last: &TestName) -> Vec<String> {
    let holds =
        |id: &String| *id == last.id || UniqueId::parse(id).is_some_and(|outer| outer.contains(&last.id));
    let Some(at) = left.iter().rposition(holds) else {
        return left.into_iter().skip(1).collect();
    };
    let inside = left[at] != last.id;
    let more = last
        .unique_id()
        .filter(|_| inside)
        .and_then(|id| id.later_invocations());
    let more = more.map(|(_, ids)| ids).unwrap_or_default();
    let more = more.iter().map(|id| id.as_str().to_owned());
    more.chain(left.into_iter().skip(at + 1)).collect()
}
