//! Events in, events and a course out.

use super::*;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_records::{Pollution, Problem, ProblemKind};

fn plan() -> Plan {
    Plan {
        mode: Mode::JUnit4,
        steps: vec![Step::default()],
        done: BTreeSet::new(),
        banned: Vec::new(),
        timeout_nanos: None,
        sanitise: false,
    }
}

fn test(class: &str, method: &str) -> TestName {
    TestName::from_description(Some(class.to_owned()), &format!("{method}({class})"))
}

fn platform(id: &str) -> TestName {
    TestName::from_platform(&UniqueId::new(id.to_owned()), None, None, None, "")
}

fn started(test: &TestName) -> Event {
    Event::Started { test: test.clone() }
}

fn finished(test: &TestName) -> Event {
    Event::Finished {
        key: test.key(),
        problems: Vec::new(),
        cost: Cost::default(),
        printed: Printed::default(),
        state: None,
        sanitise: None,
    }
}

fn outside(test: TestName) -> Event {
    Event::Outside {
        test,
        problem: Problem {
            kind: ProblemKind::Error,
            exception: "E".into(),
            message: None,
            stack: Vec::new(),
        },
        printed: Printed::default(),
        sanitise: None,
    }
}

fn class_started() -> Event {
    Event::ClassStarted { class: "a.B".into() }
}

fn class_finished() -> Event {
    Event::ClassFinished { class: "a.B".into() }
}

fn lacking(events: Vec<Event>) -> u32 {
    let mut fold = Fold::new(&plan(), false);
    events.into_iter().for_each(|e| drop(fold.take(e)));
    fold.take(Event::Done);
    fold.finish().lacking
}

#[test]
fn a_test_that_was_announced_has_a_result_or_a_reason() {
    let (one, two) = (test("a.B", "one"), test("a.B", "two"));
    let announced = |tests| vec![class_started(), Event::Planned { tests }];
    let both = vec![started(&one), finished(&one), started(&two), finished(&two)];
    assert_eq!(
        lacking([announced(2), both.clone(), vec![class_finished()]].concat()),
        0
    );
    assert_eq!(lacking([announced(3), both, vec![class_finished()]].concat()), 1);
    // A class fixture failed: its tests are known not to have run.
    let class = TestName::of_class("a.B");
    assert_eq!(
        lacking([announced(3), vec![outside(class), class_finished()]].concat()),
        0
    );
}

#[test]
fn runs_that_the_platform_did_not_announce_stand_for_no_other_test() {
    let run = |n: u32| platform(&format!("[engine:e]/[class:C]/[test-template:t()]/[i:#{n}]"));
    let plain = platform("[engine:e]/[class:C]/[method:m()]");
    let mut events = vec![Event::Planned { tests: 2 }];
    for test in [run(1), run(2), run(3), plain] {
        events.extend([started(&test), finished(&test)]);
    }
    assert_eq!(lacking(events), 1);
}

#[test]
fn what_an_earlier_worker_has_done_is_reported_once() {
    let one = test("a.B", "one");
    let mut plan = plan();
    plan.done.insert(one.key());
    let mut fold = Fold::new(&plan, false);
    assert!(fold.take(started(&one)).is_some());
    assert!(fold.take(finished(&one)).is_none());
    assert!(fold.course().settled.contains(&one.key()));
}

#[test]
fn a_record_says_clean_only_when_the_state_was_compared() {
    let one = test("a.B", "one");
    for captured in [false, true] {
        let mut fold = Fold::new(&plan(), captured);
        fold.take(started(&one));
        let Some(RunEvent::TestFinished { record }) = fold.take(finished(&one)) else {
            panic!("no record");
        };
        assert_eq!(record.state, captured.then(Pollution::default));
    }
}

#[test]
fn what_is_printed_between_tests_belongs_to_the_innermost_container() {
    let mut fold = Fold::new(&plan(), false);
    let printed = Printed {
        out: "x".into(),
        err: String::new(),
    };
    let class = |fold: &mut Fold| match fold.take(Event::Between {
        printed: printed.clone(),
    }) {
        Some(RunEvent::ClassOutput { output }) => output.class,
        _ => panic!("no output"),
    };
    let container = |id: &str, class: Option<&str>| Event::ContainerStarted {
        id: UniqueId::new(id.into()),
        class: class.map(str::to_owned),
        method: None,
    };
    fold.take(container("[engine:e]", None));
    assert_eq!(class(&mut fold), None);
    fold.take(container("[engine:e]/[class:a.B]", Some("a.B")));
    assert_eq!(class(&mut fold).as_deref(), Some("a.B"));
}
