//! Every way a worker can end, at every moment: who is blamed, and what the next worker is to do.

use super::*;
use crate::run::fold::Fold;
use poldet_junit_shim::driver::Plan;
use poldet_junit_shim::select::Selector;
use poldet_records::{Cost, Event, Printed};

fn wanted(classes: &[&str]) -> Vec<Wanted> {
    let candidate = |name: &&str| Candidate {
        name: (*name).to_owned(),
        old: true,
        new: false,
    };
    vec![Wanted {
        classes: classes.iter().map(candidate).collect(),
        ..Wanted::default()
    }]
}

fn test(class: &str, method: &str) -> TestName {
    TestName::from_description(Some(class.to_owned()), &format!("{method}({class})"))
}

fn started(test: &TestName) -> Event {
    Event::Started { test: test.clone() }
}

fn ran(test: &TestName) -> [Event; 2] {
    let finished = Event::Finished {
        key: test.key(),
        problems: Vec::new(),
        cost: Cost::default(),
        printed: Printed::default(),
        state: None,
        sanitise: None,
    };
    [started(test), finished]
}

fn class(name: &str) -> Event {
    Event::ClassStarted { class: name.into() }
}

fn class_end(name: &str) -> Event {
    Event::ClassFinished { class: name.into() }
}

fn course(next: &Next, events: impl IntoIterator<Item = Event>) -> Course {
    let plan = Plan {
        mode: Mode::JUnit4,
        steps: next.steps.clone(),
        done: next.done.clone(),
        banned: next.banned.clone(),
        timeout_nanos: None,
        sanitise: false,
    };
    let mut fold = Fold::new(&plan, false);
    events.into_iter().for_each(|e| drop(fold.take(e)));
    fold.finish()
}

fn lost() -> End {
    End::Lost {
        status: "signal: 9".into(),
        stderr: "words".into(),
    }
}

/// Every way to end, with the verdict and its first line.
fn ends() -> Vec<(End, Outcome, &'static str)> {
    let exit = |by| End::Exit {
        by,
        status: 3,
        stack: "\tat X".into(),
    };
    vec![
        (
            exit(ExitCall::SystemExit),
            Outcome::Error,
            "System.exit(3) ended the JVM",
        ),
        (
            exit(ExitCall::RuntimeHalt),
            Outcome::Error,
            "Runtime.halt(3) ended the JVM",
        ),
        (
            End::Thrown("OutOfMemoryError".into()),
            Outcome::Error,
            "OutOfMemoryError",
        ),
        (End::Deadlock("deadlock".into()), Outcome::TimedOut, "deadlock"),
        (
            End::TimedOut("threads".into()),
            Outcome::TimedOut,
            "test timed out",
        ),
        (
            End::NotResponding { seconds: 300 },
            Outcome::TimedOut,
            "worker not responding for 300 s",
        ),
        (End::Unsupported("AWT".into()), Outcome::Unsupported, "AWT"),
        (End::Bug("oops".into()), Outcome::Crashed, "oops"),
        (lost(), Outcome::Crashed, "the worker ended with signal: 9"),
    ]
}

fn names(next: &Next) -> Vec<&str> {
    let classes = next.steps.iter().flat_map(|s| &s.classes);
    classes.map(String::as_str).collect()
}

#[test]
fn in_a_test_it_costs_that_test() {
    for (how, outcome, message) in ends() {
        let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A", "a.B", "a.C"]));
        let next = schedule.plan_next().expect("work");
        let (one, two, three) = (test("a.A", "one"), test("a.B", "two"), test("a.B", "three"));
        let mut events = vec![Event::Booted, class("a.A")];
        events.extend(ran(&one));
        events.extend([class_end("a.A"), class("a.B")]);
        events.extend(ran(&two));
        events.push(started(&three));
        let mut ended = Ended::new(how);
        ended.cost.nanos = 7;
        let aftermath = schedule.ended(&course(&next, events), &ended);
        let [record] = &aftermath.records[..] else {
            panic!("{aftermath:?}");
        };
        assert_eq!((&record.test, record.outcome), (&three, outcome));
        assert_eq!(record.message.as_deref(), Some(message));
        assert_eq!(record.cost.nanos, 7);
        assert!(aftermath.fatal.is_none() && aftermath.warning.is_none());
        let next = schedule.plan_next().expect("the rest");
        assert_eq!(names(&next), ["a.B", "a.C"]);
        assert!([two, three].iter().all(|t| next.done.contains(&t.key())));
    }
}

#[test]
fn in_a_class_fixture_it_costs_the_class_unless_the_worker_was_lost() {
    for (how, outcome, _) in ends() {
        let forgiven = matches!(how, End::Lost { .. });
        let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A", "a.B"]));
        let next = schedule.plan_next().expect("work");
        let ended = Ended::new(how);
        let first = schedule.ended(&course(&next, [Event::Booted, class("a.A")]), &ended);
        if forgiven {
            assert!(first.records.is_empty() && first.warning.is_some());
            let next = schedule.plan_next().expect("the same again");
            assert_eq!(names(&next), ["a.A", "a.B"]);
            // Twice in one place is no accident.
            let second = schedule.ended(&course(&next, [Event::Booted, class("a.A")]), &ended);
            assert_eq!(second.records[0].outcome, outcome);
        } else {
            assert_eq!(first.records[0].test, TestName::of_class("a.A"));
            assert_eq!(first.records[0].outcome, outcome);
        }
        assert_eq!(names(&schedule.plan_next().expect("the rest")), ["a.B"]);
    }
}

#[test]
fn killed_between_tests_it_costs_none_however_often() {
    let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A"]));
    for method in ["one", "two", "three"] {
        let next = schedule.plan_next().expect("work");
        let mut events = vec![Event::Booted, class("a.A")];
        events.extend(ran(&test("a.A", method)));
        let aftermath = schedule.ended(&course(&next, events), &Ended::new(lost()));
        assert!(aftermath.records.is_empty() && aftermath.fatal.is_none());
    }
    assert_eq!(schedule.plan_next().expect("what is left").done.len(), 3);
}

#[test]
fn before_boot_it_is_tried_again_once() {
    let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A", "a.B"]));
    let next = schedule.plan_next().expect("work");
    let first = schedule.ended(&course(&next, []), &Ended::new(lost()));
    assert!(first.records.is_empty() && first.fatal.is_none());
    let next = schedule.plan_next().expect("the same again");
    let second = schedule.ended(&course(&next, []), &Ended::new(lost()));
    assert_eq!(second.records.len(), 2);
    assert!(second.fatal.is_some_and(|f| f.contains("words")));
    assert!(schedule.plan_next().is_none());
    // A VM that cannot boot cannot boot the next time either.
    let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A"]));
    let next = schedule.plan_next().expect("work");
    let aftermath = schedule.ended(&course(&next, []), &Ended::new(End::Bug("no JDK".into())));
    assert_eq!(aftermath.fatal.as_deref(), Some("no JDK"));
}

#[test]
fn with_nobody_to_blame_classes_run_one_by_one() {
    let mut schedule = Schedule::new(Mode::Platform, false, wanted(&["a.A", "a.B"]));
    let next = schedule.plan_next().expect("work");
    let ended = Ended::new(End::Thrown("in the launcher".into()));
    let first = schedule.ended(&course(&next, [Event::Booted]), &ended);
    assert!(first.records.is_empty());
    let next = schedule.plan_next().expect("work");
    assert_eq!(next.steps.len(), 2);
    let second = schedule.ended(&course(&next, [Event::Booted]), &ended);
    assert_eq!((second.records.len(), second.fatal), (2, None));
    assert!(schedule.plan_next().is_none());
}

#[test]
fn in_a_container_of_the_platform_it_is_not_entered_again() {
    let mut schedule = Schedule::new(Mode::Platform, false, wanted(&["a.A"]));
    let next = schedule.plan_next().expect("work");
    let id = UniqueId::new("[engine:e]/[class:a.A]".into());
    let open = Event::ContainerStarted {
        id: id.clone(),
        class: Some("a.A".into()),
        method: None,
    };
    let ended = Ended::new(End::Unsupported("x".into()));
    let aftermath = schedule.ended(&course(&next, [Event::Booted, open]), &ended);
    assert_eq!(aftermath.records[0].test.class, "a.A");
    assert_eq!(schedule.plan_next().expect("the rest").banned, [id]);
}

#[test]
fn runs_of_a_template_go_on_after_the_one_at_fault() {
    let mut schedule = Schedule::new(Mode::Platform, false, wanted(&["a.A"]));
    let next = schedule.plan_next().expect("work");
    let template = UniqueId::new("[engine:e]/[class:a.A]/[test-template:t()]".into());
    let second = TestName::from_platform(
        &template.with_invocation("2"),
        Some("a.A".into()),
        Some("t".into()),
        None,
        "",
    );
    let events = [Event::Booted, started(&second)];
    schedule.ended(&course(&next, events), &Ended::new(End::Bug("x".into())));
    let next = schedule.plan_next().expect("the rest");
    assert_eq!(next.steps[0].ids[0], template.with_invocation("3"));
    assert_eq!(next.banned, [template]);
}

#[test]
fn a_runner_that_takes_no_filter_loses_the_rest_of_its_class() {
    let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A", "a.B"]));
    let bad = test("a.A", "bad");
    let ended = Ended::new(End::Bug("x".into()));
    let mut blamed = 0;
    for _ in 0..2 {
        let next = schedule.plan_next().expect("work");
        let events = [Event::Booted, class("a.A"), started(&bad)];
        blamed += schedule.ended(&course(&next, events), &ended).records.len();
    }
    assert_eq!(blamed, 1);
    assert_eq!(names(&schedule.plan_next().expect("the rest")), ["a.B"]);
}

#[test]
fn a_given_order_goes_on_after_the_test_at_fault() {
    let selector = |method: &str| Selector::parse(&format!("a.A#{method}"), |_| true).expect("a selector");
    let ordered = |methods: &[&str]| {
        let mut step = wanted(&["a.A"]).remove(0);
        step.only = methods.iter().map(|m| selector(m)).collect();
        step.ordered = true;
        step
    };
    let left = |how: End, during: Option<&str>| {
        let steps = vec![
            ordered(&["one"]),
            ordered(&["two", "three", "four"]),
            ordered(&["one"]),
        ];
        let mut schedule = Schedule::new(Mode::JUnit4, false, steps);
        let next = schedule.plan_next().expect("work");
        let mut events = vec![Event::Booted, Event::Step { index: 1 }, class("a.A")];
        events.extend(ran(&test("a.A", "two")));
        events.extend(during.map(|m| started(&test("a.A", m))));
        schedule.ended(&course(&next, events), &Ended::new(how));
        let steps = schedule.plan_next().map_or_else(Vec::new, |next| next.steps);
        steps.iter().map(|s| s.only.len()).collect::<Vec<_>>()
    };
    assert_eq!(left(End::Bug("x".into()), Some("three")), [1, 1]);
    assert_eq!(left(lost(), Some("three")), [1, 1]);
    // A class that cannot go on is not begun again.
    assert_eq!(left(End::Bug("x".into()), None), [0; 0]);
    assert_eq!(left(lost(), None), [2, 1]);
}

#[test]
fn a_worker_that_is_done_leaves_nothing() {
    let mut schedule = Schedule::new(Mode::JUnit4, false, wanted(&["a.A"]));
    let next = schedule.plan_next().expect("work");
    let end = End::Exit {
        by: ExitCall::SystemExit,
        status: 0,
        stack: String::new(),
    };
    let aftermath = schedule.ended(&course(&next, [Event::Booted, Event::Done]), &Ended::new(end));
    assert!(aftermath.records.is_empty() && schedule.plan_next().is_none());
}
