//! What decides the exit code.

use super::*;
use crate::report::fields::Look;
use crate::report::source::Sources;
use clap::Parser;
use poldet_records::JUnit;

fn options(args: &[&str]) -> Run {
    let line = [&["poldet", "run", "suite.jar"], args].concat();
    let crate::cli::Command::Run(options) = crate::cli::Cli::parse_from(line).command else {
        panic!("not a run");
    };
    options
}

fn look(sources: &Sources) -> Look<'_> {
    Look {
        colour: false,
        limit: None,
        sources,
    }
}

fn results(events: &[RunEvent]) -> Results {
    let mut results = Results::new(RunHead {
        schema: SCHEMA,
        poldet: "0".into(),
        suite: "suite.jar".into(),
        jdk: "17".into(),
        seed: 0,
        junit: JUnit::BuiltIn,
        sandbox: Default::default(),
        command: Vec::new(),
        capture: None,
        sanitise: None,
        network: None,
    });
    events.iter().for_each(|e| results.take(e));
    results.close(std::time::Duration::ZERO);
    results
}

#[test]
fn a_fault_of_ours_is_reported_and_decides_the_exit_code() {
    let results = results(&[RunEvent::Fault {
        what: "after a.B#c: two digests differ".into(),
        fatal: false,
    }]);
    assert_eq!(
        exit_code(&options(&["--verify-capture"]), &results, None),
        exit::INTERNAL
    );
    assert_eq!(results.document.faults, ["after a.B#c: two digests differ"]);
    let mut text = Vec::new();
    human::report(&mut text, &results, look(&Sources::default()), None).expect("a report");
    let text = String::from_utf8_lossy(&text);
    assert!(
        text.contains("internal error: after a.B#c: two digests differ"),
        "{text}"
    );
}

#[test]
fn a_test_without_a_result_makes_a_run_incomplete() {
    let passed = poldet_records::Record::new(poldet_records::TestName::of_class("a.B"), Outcome::Passed);
    let passed = RunEvent::TestFinished {
        record: Box::new(passed),
    };
    let missing = RunEvent::Missing {
        tests: vec!["a.B#c".into()],
    };
    assert_eq!(
        exit_code(&options(&[]), &results(std::slice::from_ref(&passed)), None),
        exit::COMPLETE
    );
    let results = results(&[passed, missing]);
    assert_eq!(exit_code(&options(&[]), &results, None), exit::INCOMPLETE);
    let mut text = Vec::new();
    human::report(&mut text, &results, look(&Sources::default()), None).expect("a report");
    let text = String::from_utf8_lossy(&text);
    assert!(
        text.contains("1 test has no result") && text.contains("    a.B#c\n"),
        "{text}"
    );
}
