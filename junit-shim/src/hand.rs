//! The sequence of a step, as it is handed out: one test after the other to a JUnit that asks, or all at once.

use crate::driver::Driver;
use poldet_records::UniqueId;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;

/// Takes the place of the JUnit platform's class of this name where sequences run (`java/hand`).
pub(crate) const EXECUTOR: &str =
    "org/junit/platform/engine/support/hierarchical/SameThreadHierarchicalTestExecutorService";
pub const EXECUTOR_CLASS: &[u8] = include_bytes!("../jars/hand.class");

/// What is left of a step's sequence.
#[derive(Default)]
pub(crate) struct Hand {
    left: VecDeque<String>,
    /// JUnit has been given all of it.
    at_once: bool,
    /// The test, or the container, that runs.
    current: Option<String>,
    /// Tests that were taken or dropped.
    out: u32,
    dropped: bool,
    /// The fixtures before the first test have run.
    ready: bool,
    /// The run of the class is to end.
    over: bool,
}

impl Hand {
    fn drop_next(&mut self) {
        self.dropped = true;
        self.out += u32::from(self.left.pop_front().is_some());
    }
}

/// How the guest learns that a step is a sequence, as `Events` has it.
const NO_SEQUENCE: i32 = 0;
const ONE_BY_ONE: i32 = 1;
const AT_ONCE: i32 = 2;

impl Driver {
    /// Asked when the tests of the class are known, however often.
    pub(crate) fn sequence(&mut self, vm: &mut Vm) -> i32 {
        if self.step().sequence.is_none() {
            return NO_SEQUENCE;
        }
        if self.hand.is_none() {
            let left = self.choose(vm);
            self.hand = Some(Hand {
                left: left.into(),
                at_once: self.step().at_once,
                ..Hand::default()
            });
        }
        if self.is_handing() { ONE_BY_ONE } else { AT_ONCE }
    }

    pub(crate) fn is_handing(&self) -> bool {
        self.hand.as_ref().is_some_and(|hand| !hand.at_once)
    }

    /// The next test; the same until it is taken.
    pub(crate) fn following(&mut self, vm: &mut Vm) -> Result<Option<String>, Stop> {
        if !self.is_handing() {
            return Ok(None);
        }
        if self
            .hand
            .as_mut()
            .is_some_and(|h| !std::mem::replace(&mut h.ready, true))
        {
            self.fixtures_ended(vm)?;
        }
        let Some(hand) = &mut self.hand else {
            return Ok(None);
        };
        if hand.left.is_empty() && !hand.over {
            let more = self.source.more(vm, hand.dropped);
            hand.over = more.is_none();
            hand.left.extend(more.unwrap_or_default());
        }
        Ok(hand.left.front().cloned())
    }

    pub(crate) fn taken(&mut self) {
        if let Some(hand) = &mut self.hand {
            hand.current = hand.left.pop_front();
            hand.out += 1;
        }
    }

    pub(crate) fn returned(&mut self) {
        if let Some(hand) = &mut self.hand {
            hand.current = None;
        }
    }

    pub(crate) fn dropped(&mut self) {
        if let Some(hand) = &mut self.hand {
            hand.drop_next();
        }
    }

    pub(crate) fn drop_rest(&mut self) {
        if let Some(hand) = &mut self.hand {
            hand.over = true;
            hand.left.clear();
        }
    }

    pub(crate) fn handed_out(&self) -> i32 {
        self.hand.as_ref().map_or(0, |hand| hand.out as i32)
    }

    /// Whether a container was taken that this one is, or is inside of.
    pub(crate) fn is_within(&self, id: &str) -> bool {
        let current = self.hand.as_ref().and_then(|hand| hand.current.as_deref());
        current.is_some_and(|taken| UniqueId::parse(taken).is_some_and(|outer| outer.contains(id)))
    }

    /// All that is left; from now on nothing is handed out.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        let Some(hand) = &mut self.hand else {
            return Vec::new();
        };
        hand.at_once = true;
        hand.left.iter().cloned().collect()
    }

    /// Whether all tests to run are among these, which are ignored.
    pub(crate) fn is_idle(&mut self, ignored: Vec<String>) -> bool {
        let left = self.hand.as_ref().map(|hand| &hand.left);
        let idle = left.is_some_and(|left| !left.is_empty() && left.iter().all(|t| ignored.contains(t)));
        self.source.ignored(ignored);
        idle
    }
}
