//! `poldet run --isolate`: every class, or every test, from the zygote's state.

use crate::cli::Isolate;
use crate::explore::answer::Answer;
use crate::explore::declared;
use crate::explore::explorer::{Class, Explorer};
use crate::explore::parallel;
use crate::explore::process::{Process, Until};
use crate::explore::setup::{self, Round, SILENCE};
use crate::explore::wire::{Fork, Learnt};
use crate::run::Prepared;
use crate::run::fold::{Ended, Fold};
use crate::run::interrupt;
use crate::run::schedule::verdict;
use poldet_junit_shim::driver::Plan;
use poldet_records::{End, Event, Outcome, Record, RunEvent, TestName, UniqueId};
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
    let alone = |class: &Class| {
        level == Isolate::Strict
            || (level == Isolate::Method && declared::shared_instance(&prepared.suite, &class.name))
    };
    let run = |part: &Part<'_>, learns: bool| {
        let mut job = Job {
            explorer: &explorer,
            plan: &plan,
            captured,
            learns,
            learnt: Vec::new(),
            processes: 0,
            lost: false,
            events: Vec::new(),
        };
        match part.alone {
            true => job.run_alone(part.classes[0]),
            false => job.run(part, level),
        }
        job
    };
    let parts = parts(&wanted, level, alone);
    // The first classes of a large suite may need little of what the others do.
    if level == Isolate::Strict || wanted.len() > MANY_CLASSES {
        explorer.train(&wanted)?;
    }
    let first = match level {
        Isolate::Strict => 0,
        Isolate::Method => 1,
        Isolate::None | Isolate::Class => FIRST_CLASSES,
    };
    let (first, others) = parts.split_at(first.min(parts.len()));
    let found = parallel::map(jobs, first, &stop, |part| run(part, true));
    let (mut learnt, mut processes) = (Vec::new(), 0);
    for mut job in found.into_iter().flatten() {
        learnt.append(&mut job.learnt);
        processes += job.processes;
        job.events.into_iter().for_each(&mut *publish);
    }
    // It costs as much as a few processes would save.
    if others.len() * processes > first.len() * FEW_PROCESSES {
        explorer.learn(learnt);
    }
    let found = parallel::map(jobs, others, &stop, |part| run(part, false));
    for job in found.into_iter().flatten() {
        job.events.into_iter().for_each(&mut *publish);
    }
    if stop.load(Ordering::SeqCst) {
        publish(RunEvent::Interrupted { test: None });
    }
    Ok(())
}

/// Classes whose tests may share processes, one after the other. It does not depend on how many processes run at once.
struct Part<'a> {
    classes: Vec<&'a Class>,
    /// Every test of the class has a process.
    alone: bool,
}

/// Of a suite with more classes than these the zygote learns before the first part is run.
const MANY_CLASSES: usize = 40;
/// Classes that are run first where each has a process of its own.
const FIRST_CLASSES: usize = 4;
/// The first processes of a part of which the zygote learns.
const LEARNING: usize = 4;
/// The zygote learns if more processes than these are to be expected.
const FEW_PROCESSES: usize = 3;

/// The most classes of a part, and tests after which no more are added.
const PART_CLASSES: usize = 16;
const PART_TESTS: usize = 1000;

/// A process that left the shared state as it was goes on with the next class, if tests are isolated and not classes.
fn parts(classes: &[Class], level: Isolate, alone: impl Fn(&Class) -> bool) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for class in classes {
        let alone = alone(class);
        let has_room = |part: &&mut Part<'_>| {
            let tests: usize = part.classes.iter().map(|c| c.tests.len()).sum();
            let shares = level == Isolate::Method && !alone && !part.alone;
            shares && part.classes.len() < PART_CLASSES && tests < PART_TESTS
        };
        match parts.last_mut().filter(has_room) {
            Some(part) => part.classes.push(class),
            None => parts.push(Part {
                classes: vec![class],
                alone,
            }),
        }
    }
    parts
}

/// A test of a part: the number of its class, and its id.
type Place = (usize, String);

/// Where to go on after a process.
enum Next {
    /// All its tests had their turn.
    End,
    /// After this test.
    After(usize, TestName),
    /// After this class.
    AfterClass(usize),
    /// With the first test of this class that is left.
    From(usize),
}

impl Next {
    fn left(self, left: Vec<Place>) -> Vec<Place> {
        match self {
            Next::End => Vec::new(),
            Next::AfterClass(class) => left.into_iter().filter(|(c, _)| *c > class).collect(),
            Next::From(class) => left.into_iter().filter(|(c, _)| *c >= class).collect(),
            Next::After(class, last) => {
                let mut left: Vec<Place> = left.into_iter().filter(|(c, _)| *c >= class).collect();
                let of_class = left.iter().take_while(|(c, _)| *c == class).count();
                let later = left.split_off(of_class);
                let ids = left.into_iter().map(|(_, id)| id).collect();
                let rest = after(ids, &last).into_iter().map(|id| (class, id));
                rest.chain(later).collect()
            }
        }
    }
}

/// The tests of one part.
struct Job<'a, 'e> {
    explorer: &'a Explorer<'e>,
    plan: &'a Plan,
    captured: bool,
    /// Whether the zygote is to learn of its processes, and what they have shown.
    learns: bool,
    learnt: Vec<Learnt>,
    processes: usize,
    /// The last process was lost outside of a test, and had run none.
    lost: bool,
    events: Vec<RunEvent>,
}

impl Job<'_, '_> {
    /// Every test of a class in a process of its own, which comes from one that has discovered the class.
    fn run_alone(&mut self, class: &Class) {
        let mut left = places(0, class);
        let mut found = self.explorer.discover(class);
        if let Ok((_, Answer { end: Some(end), .. })) = &found
            && self.forgives(end, false)
        {
            found = self.explorer.discover(class);
        }
        let (process, discovered) = match found {
            Ok(found) => found,
            Err(why) => return self.none_ran(&[class], &left, Outcome::Crashed, &why),
        };
        if let Some(end) = &discovered.end {
            let (outcome, text) = verdict(end);
            return self.none_ran(&[class], &left, outcome, &text);
        }
        if !discovered.complete {
            let fold = Fold::new(self.plan, self.captured);
            let records = discovered.outside.into_iter();
            self.events.extend(records.map(|r| fold.finished(r)));
            return;
        }
        while !left.is_empty() && !self.explorer.is_stopped() {
            let fork = Fork {
                chosen: Some(vec![left[0].1.clone()]),
                ..Fork::default()
            };
            let rest = left.split_off(1);
            match self.run_process(Some(&process), fork, &[class], &left) {
                // A template may have more invocations than the one that ended the process.
                Ok(next) => {
                    left = next.left(left);
                    left.extend(rest);
                }
                Err(_) if self.explorer.is_stopped() => break,
                Err(why) => {
                    left.extend(rest);
                    return self.none_ran(&[class], &left, Outcome::Crashed, &why);
                }
            }
        }
    }

    /// Tests in as few processes as it takes: one for each class, or one until a test leaves the shared state changed.
    fn run(&mut self, part: &Part<'_>, level: Isolate) {
        let classes = &part.classes;
        let mut left: Vec<Place> = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            left.extend(places(number, class));
        }
        while !left.is_empty() && !self.explorer.is_stopped() {
            let by_class = left.chunk_by(|a, b| a.0 == b.0);
            let ids = |tests: &[Place]| tests.iter().map(|(_, id)| id.clone()).collect();
            let fork = Fork {
                steps: by_class.map(|t| classes[t[0].0].step(ids(t))).collect(),
                until_change: (level == Isolate::Method).then_some(1),
                ..Fork::default()
            };
            // A class at a time may have others beside it, which are not to see what they run depend on that.
            if level == Isolate::Method && self.processes >= LEARNING && !self.learnt.is_empty() {
                self.explorer.learn(std::mem::take(&mut self.learnt));
            }
            left = match self.run_process(None, fork, classes, &left) {
                Ok(next) => next.left(left),
                Err(_) if self.explorer.is_stopped() => break,
                Err(why) => return self.none_ran(classes, &left, Outcome::Crashed, &why),
            };
        }
    }

    /// No process could be had for these tests: that is no verdict on any of them.
    fn none_ran(&mut self, classes: &[&Class], left: &[Place], outcome: Outcome, why: &str) {
        let fold = Fold::new(self.plan, self.captured);
        for (number, class) in classes.iter().enumerate() {
            let is_left = |id: &str| left.iter().any(|(c, i)| *c == number && i == id);
            let tests = class.tests.iter().filter(|t| is_left(&t.test.id));
            let records = tests.map(|t| {
                let mut record = Record::new(t.test.clone(), outcome);
                record.message = Some(why.to_owned());
                fold.finished(record)
            });
            self.events.extend(records);
        }
    }

    /// Is this a process that was lost outside of a test, through nobody's fault? Twice in the same place is no accident.
    fn forgives(&mut self, end: &End, got_on: bool) -> bool {
        let lost = matches!(end, End::Lost { .. });
        let again = self.lost && !got_on;
        self.lost = lost && !again;
        if self.lost {
            let message = verdict(end).1;
            let what = message.lines().next().unwrap_or_default();
            let what = format!("{what} outside of a test; another goes on");
            self.events.push(RunEvent::Warning { what });
        }
        self.lost
    }

    /// Runs tests in a process of their own: how far it came.
    fn run_process(
        &mut self,
        from: Option<&Arc<Process>>,
        mut fork: Fork,
        of: &[&Class],
        tests: &[Place],
    ) -> Result<Next, String> {
        fork.learn = self.learns && (self.processes < LEARNING || self.processes.is_power_of_two());
        let learns = fork.learn;
        self.processes += 1;
        let process = self.explorer.fork_from(from, fork)?;
        let mut fold = Fold::new(self.plan, self.captured);
        let mut classes: Vec<usize> = tests.iter().map(|(class, _)| *class).collect();
        classes.dedup();
        let mut steps = 0_usize;
        let class_of = |steps: usize| classes[steps.clamp(1, classes.len()) - 1];
        let mut last: Option<(usize, TestName)> = None;
        let until = process.hear_all(&mut |event| {
            steps += usize::from(matches!(event, Event::Step { .. }));
            if let Some(event) = fold.take(event) {
                if let RunEvent::TestFinished { record } = &event
                    && record.test.method.is_some()
                {
                    last = Some((class_of(steps), record.test.clone()));
                }
                self.take(event);
            }
        });
        if learns {
            self.learnt.push(process.take_learnt());
        }
        let class = class_of(steps);
        let end = match until {
            Until::Done | Until::Holding => return Ok(Next::End),
            Until::Stopped => return Ok(last.map_or(Next::End, |(class, test)| Next::After(class, test))),
            Until::StoppedBetween => return Ok(Next::AfterClass(class)),
            Until::Ended(_) if self.explorer.is_stopped() => return Ok(Next::End),
            Until::Ended(end) => end,
        };
        let course = fold.course();
        let ended = course.ended.clone().unwrap_or_else(|| Ended::new(end));
        let (outcome, text) = verdict(&ended.how);
        let running = course.running_test().cloned();
        let got_on = last.is_some();
        let last = last.filter(|(number, _)| *number == class).map(|(_, test)| test);
        if running.is_none() && self.forgives(&ended.how, got_on) {
            return Ok(last.map_or(Next::From(class), |test| Next::After(class, test)));
        }
        let first = || {
            let (_, id) = tests.iter().find(|(c, _)| *c == class)?;
            Some(unstarted(of[class], id))
        };
        // A test that has its result has no other: what ends its process later is a matter of its class.
        let (blamed, next) = match (running, last) {
            (Some(test), _) => (test.clone(), test),
            (None, Some(last)) => (TestName::of_class(&of[class].name), last),
            (None, None) => {
                let test = first().unwrap_or_default();
                (test.clone(), test)
            }
        };
        let mut record = Record::of_end(blamed, outcome, &text);
        record.cost = ended.cost;
        record.printed = ended.printed;
        let event = fold.finished(record);
        self.take(event);
        Ok(Next::After(class, next))
    }

    /// Class fixtures run in every process: what they did and printed is reported once.
    fn take(&mut self, event: RunEvent) {
        let known = |same: &dyn Fn(&RunEvent) -> bool| self.events.iter().any(same);
        let again = match &event {
            RunEvent::Planned { .. } | RunEvent::Beat => true,
            RunEvent::Fixture { fixture: new } => {
                known(&|old| matches!(old, RunEvent::Fixture { fixture } if fixture == new))
            }
            RunEvent::ClassOutput { output: new } => {
                known(&|old| matches!(old, RunEvent::ClassOutput { output } if output == new))
            }
            RunEvent::ClassFinished { class: new } => {
                known(&|old| matches!(old, RunEvent::ClassFinished { class } if class == new))
            }
            RunEvent::TestFinished { record: new } if new.test.method.is_none() => known(&|old| match old {
                RunEvent::TestFinished { record } => record.test == new.test && record.message == new.message,
                _ => false,
            }),
            _ => false,
        };
        if !again {
            self.events.push(event);
        }
    }
}

fn places(number: usize, class: &Class) -> Vec<Place> {
    class.tests.iter().map(|t| (number, t.test.id.clone())).collect()
}

/// A test that never began. Of later invocations of a template only the id is known.
fn unstarted(class: &Class, id: &str) -> TestName {
    let listed = class.tests.iter().find(|t| t.test.id == id);
    listed.map_or_else(
        || TestName {
            id: id.to_owned(),
            display: id.to_owned(),
            class: class.name.clone(),
            ..TestName::default()
        },
        |t| t.test.clone(),
    )
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
