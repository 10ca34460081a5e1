//! The verdict on a test from the outcomes of its runs.

use crate::explore::explorer::{Class, Member};
use crate::explore::nio::runs::{Tried, fails};
use poldet_records::{FailsAlone, NioMode, NioTest, NioVerdict, Outcome, Record};

/// What the document says of a test.
pub fn test(tried: &Tried, classes: &[Class], command: &[String], confirmations: u32) -> NioTest {
    let class = &classes[tried.at.0];
    let member = &class.tests[tried.at.1];
    let shown = tried.shows();
    let confirmed = shown.is_some() && tried.confirmed >= confirmations;
    let verdict = match shown {
        Some(_) if confirmed => NioVerdict::Nio,
        Some(_) => NioVerdict::Nondeterministic,
        None => without_failure_after_pass(tried),
    };
    let failure = shown_failure(tried, shown);
    let mut test = NioTest {
        class: member.test.class.clone(),
        method: member.test.method.clone(),
        invocation: class.invocation(member),
        display: member.test.display.clone(),
        verdict,
        modes: tried.runs.iter().map(|(m, p)| (*m, p.outcomes())).collect(),
        confirmed,
        declared_order: false,
        fails_alone: (verdict == NioVerdict::FailsAlone).then(|| fails_alone(tried)),
        causes: Vec::new(),
        message: failure.and_then(|r| r.message.clone()),
        stack: failure.map(|r| r.stack.clone()).unwrap_or_default(),
        reproduce: String::new(),
    };
    test.reproduce = reproduce(command, member, shown);
    test
}

/// Of a test that never fails after it has passed.
fn without_failure_after_pass(tried: &Tried) -> NioVerdict {
    let outcomes = || {
        let pairs = tried.runs.values().map(|p| p.outcomes());
        pairs.flat_map(|p| [p.first, p.second]).flatten()
    };
    let firsts = || tried.runs.values().filter_map(|p| p.outcomes().first);
    if firsts().any(fails) {
        return NioVerdict::FailsAlone;
    }
    for (outcome, verdict) in [
        (Outcome::Crashed, NioVerdict::Crashed),
        (Outcome::Unsupported, NioVerdict::Unsupported),
        (Outcome::TimedOut, NioVerdict::TimedOut),
    ] {
        if outcomes().any(|o| o == outcome) {
            return verdict;
        }
    }
    if firsts().any(|o| o == Outcome::Passed) {
        NioVerdict::Idempotent
    } else if firsts().any(|o| o == Outcome::Skipped) {
        NioVerdict::Skipped
    } else {
        NioVerdict::Crashed
    }
}

fn fails_alone(tried: &Tried) -> FailsAlone {
    let in_suite = tried.runs.get(&NioMode::EntireSuite);
    match in_suite.and_then(|p| p.outcomes().first) {
        Some(Outcome::Passed) => FailsAlone::Brittle,
        _ => FailsAlone::Broken,
    }
}

/// The run whose failure is shown: the second of the mode that shows it, or else the first that did not pass.
fn shown_failure(tried: &Tried, shown: Option<NioMode>) -> Option<&Record> {
    if let Some(mode) = shown {
        return tried.runs.get(&mode)?.second.as_ref();
    }
    let runs = || tried.runs.values().flat_map(|p| [&p.first, &p.second]).flatten();
    runs().find(|r| r.outcome != Outcome::Passed)
}

fn reproduce(command: &[String], member: &Member, shown: Option<NioMode>) -> String {
    let mut words: Vec<String> = command.to_vec();
    if let Some(word) = words.get_mut(1) {
        *word = "nio".into();
    }
    words.extend(["--test".into(), member.test.text()]);
    if let Some(mode) = shown {
        words.extend(["--mode".into(), mode.text().into()]);
    }
    crate::run::command::shell(&words)
}
