//! What a run came to.

use poldet_records::{ClassOutput, Document, Printed, TestName};

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
    pub elapsed: std::time::Duration,
}

impl Results {
    pub fn new(document: Document) -> Results {
        Results {
            document,
            listed: Vec::new(),
            interrupted_in: None,
            internal: None,
            faults: Vec::new(),
            elapsed: std::time::Duration::ZERO,
        }
    }

    /// Adds to what a class's fixtures have printed.
    pub fn printed_by(&mut self, class: Option<String>, printed: Printed) {
        let output = &mut self.document.class_output;
        match output.iter_mut().rev().find(|o| o.class == class) {
            Some(all) => {
                all.printed.out.push_str(&printed.out);
                all.printed.err.push_str(&printed.err);
            }
            None => output.push(ClassOutput { class, printed }),
        }
    }

    /// Nothing follows: sums up.
    pub fn close(&mut self, elapsed: std::time::Duration) {
        self.elapsed = elapsed;
        let document = &mut self.document;
        document.faults = self.faults.iter().chain(&self.internal).cloned().collect();
        document.summary = document.sums();
    }
}
