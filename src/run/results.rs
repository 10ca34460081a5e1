//! What a run came to: its events, added up.

use poldet_records::{Document, Printed, RunEvent, RunHead, TestName};
use std::time::Duration;

pub struct Results {
    /// What is written and saved.
    pub document: Document,
    /// Tests that would run.
    pub listed: Vec<TestName>,
    /// The test that ran when the run was interrupted.
    pub interrupted_in: Option<String>,
    /// The run could not go on for a fault of ours outside of any test.
    pub internal: Option<String>,
    /// Faults of ours beside which the run went on.
    pub faults: Vec<String>,
    /// The last worker did not end as it should have.
    pub unclean: bool,
    pub elapsed: Duration,
}

impl Results {
    pub fn new(head: RunHead) -> Results {
        Results {
            document: Document::new(head),
            listed: Vec::new(),
            interrupted_in: None,
            internal: None,
            faults: Vec::new(),
            unclean: false,
            elapsed: Duration::ZERO,
        }
    }

    /// A saved run.
    pub fn of(document: Document) -> Results {
        let mut results = Results::new(document.head.clone());
        results.faults.clone_from(&document.faults);
        results.document = document;
        results
    }

    pub fn take(&mut self, event: &RunEvent) {
        let document = &mut self.document;
        match event {
            RunEvent::TestFinished { record } => document.tests.push((**record).clone()),
            RunEvent::Fixture { fixture } => {
                let fixtures = document.fixtures.get_or_insert_default();
                fixtures.push(fixture.clone());
            }
            RunEvent::ClassOutput { output } => self.printed_by(output.class.as_deref(), &output.printed),
            RunEvent::Connected { test, addresses } => addresses
                .iter()
                .for_each(|address| document.connected(address, test)),
            RunEvent::Listed { test, .. } => self.listed.push(test.clone()),
            RunEvent::Missing { tests } => document.missing.extend(tests.iter().cloned()),
            RunEvent::Interrupted { test } => {
                document.interrupted = true;
                self.interrupted_in.clone_from(test);
            }
            RunEvent::Fault { what, fatal: true } => self.internal = Some(what.clone()),
            RunEvent::Fault { what, fatal: false } => self.faults.push(what.clone()),
            RunEvent::RunStarted { .. }
            | RunEvent::Warning { .. }
            | RunEvent::Planned { .. }
            | RunEvent::TestStarted { .. }
            | RunEvent::ClassFinished { .. }
            | RunEvent::Beat
            | RunEvent::RunFinished { .. } => {}
        }
    }

    /// Adds to what a class's fixtures have printed.
    fn printed_by(&mut self, class: Option<&str>, printed: &Printed) {
        let output = &mut self.document.class_output;
        match output.iter_mut().rev().find(|o| o.class.as_deref() == class) {
            Some(all) => {
                all.printed.out.push_str(&printed.out);
                all.printed.err.push_str(&printed.err);
            }
            None => output.push(poldet_records::ClassOutput {
                class: class.map(str::to_owned),
                printed: printed.clone(),
            }),
        }
    }

    /// Nothing follows: sums up.
    pub fn close(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        let document = &mut self.document;
        document.faults = self.faults.iter().chain(&self.internal).cloned().collect();
        document.settle();
        document.resources = document.resources();
        document.summary = document.sums();
    }
}
