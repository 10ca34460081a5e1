//! Processes that run tests of a class, all asked the same: the first ones come from the zygote, and where it takes more of them they
//! come from a process that has discovered the class and run its fixtures.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer, Opened};
use crate::explore::wire::Fork;

/// Processes that come from the zygote. Another needs two that hold.
const FROM_ZYGOTE: usize = 2;

pub struct ClassRuns<'r, 'e> {
    explorer: &'r Explorer<'e>,
    class: &'r Class,
    /// What is asked of them.
    log: Fork,
    count: usize,
    opened: Option<Opened>,
}

impl<'r, 'e> ClassRuns<'r, 'e> {
    pub fn new(explorer: &'r Explorer<'e>, class: &'r Class, log: Fork) -> ClassRuns<'r, 'e> {
        ClassRuns {
            explorer,
            class,
            log,
            count: 0,
            opened: None,
        }
    }

    /// Runs tests in a process of their own.
    pub fn run(&mut self, tests: Vec<String>) -> Result<Answer, String> {
        self.count += 1;
        if self.count == FROM_ZYGOTE + 1 {
            let (opened, discovered) = self.explorer.open(self.class, self.log.clone())?;
            self.opened = discovered.complete.then_some(opened);
        }
        let Some(opened) = &self.opened else {
            let fork = Fork {
                steps: vec![self.class.step(tests)],
                ..self.log.clone()
            };
            return self.explorer.probe(None, fork);
        };
        let fork = Fork {
            chosen: Some(tests),
            ..Fork::default()
        };
        self.explorer.probe_in(opened, fork)
    }
}
