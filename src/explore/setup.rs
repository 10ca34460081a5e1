//! What every search begins with: the suite, its test classes and the JUnits that run them, and the VM's specification.

use crate::cli::Run;
use crate::explore::declared;
use crate::run;
use crate::run::Prepared;
use crate::run::discover::Candidate;
use crate::run::spec::Spec;
use crate::run::suite::Suite;
use poldet_junit_shim::driver::{Mode, Step};
use poldet_junit_shim::select::Selector;
use poldet_records::{TestName, UniqueId};
use poldet_vm::jdk::Jdk;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Real time without a message after which a process is given up.
pub const SILENCE: Duration = Duration::from_secs(300);

pub struct Setup {
    pub jdk: Jdk,
    pub suite: Suite,
    pub spec: Spec,
    /// Which JUnit is asked for which classes.
    pub rounds: Vec<Round>,
    /// The tests asked for; all when empty.
    pub wanted: Vec<Selector>,
    pub warnings: Vec<String>,
    /// Set by Ctrl-C.
    pub stop: Arc<AtomicBool>,
}

impl Setup {
    /// One line about what is wrong with the input, if something is.
    pub fn new(options: &Run) -> Result<Setup, String> {
        if options.conditions.write_through {
            return Err("--write-through: a search runs tests many times and must keep them apart".into());
        }
        if options.tests.order.is_some() {
            return Err("--order: a search makes its own orders".into());
        }
        let mut prepared = run::prepare(options, None)?;
        run::look_for_sandbox(&mut prepared)?;
        let wanted = options.tests.test.iter();
        let wanted = wanted.map(|t| run::select::parse(t, &prepared.suite, &prepared.classes));
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        let mut setup = Setup::of(prepared);
        setup.wanted = wanted;
        Ok(setup)
    }

    /// Of what was prepared for a run.
    pub fn of(prepared: Prepared) -> Setup {
        let mut spec = prepared.spec;
        let rounds = rounds(&prepared.suite, prepared.classes);
        plan(&mut spec, &rounds);
        Setup {
            jdk: prepared.jdk,
            suite: prepared.suite,
            spec,
            rounds,
            wanted: Vec::new(),
            warnings: prepared.warnings,
            stop: run::interrupt::flag(),
        }
    }

    pub fn has_classes(&self) -> bool {
        !self.rounds.is_empty()
    }

    /// Whether `--test` asks for the test, or for none in particular.
    pub fn wants(&self, test: &TestName) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|s| s.matches(test))
    }
}

/// Classes that one JUnit is asked for.
pub struct Round {
    pub mode: Mode,
    pub classes: Vec<Candidate>,
    /// Classes whose tests JUnit 4 finds without running code of theirs.
    plain: BTreeSet<String>,
}

impl Round {
    /// The step in which a zygote names tests, and so loads what its children need. No code of a test may run in it: JUnit 4
    /// and 3 call constructors and methods of some classes to find their tests.
    pub fn in_zygote(&self) -> Option<Step> {
        self.step(|c| self.is_for_zygote(c))
    }

    /// The same for a zygote of which only some of the classes are asked for.
    pub fn in_zygote_of(&self, asked: &BTreeSet<&str>) -> Option<Step> {
        self.step(|c| self.is_for_zygote(c) && asked.contains(c.name.as_str()))
    }

    /// The step in which a child names the other tests.
    pub fn in_child(&self) -> Option<Step> {
        self.step(|c| !self.is_for_zygote(c))
    }

    pub fn named_by_zygote(&self, test: &TestName) -> bool {
        match &test.root {
            None => matches!(self.mode, Mode::Platform | Mode::Engines),
            Some(root) => self.mode == Mode::JUnit4 && self.plain.contains(root),
        }
    }

    fn is_for_zygote(&self, class: &Candidate) -> bool {
        match self.mode {
            Mode::Platform | Mode::Engines => true,
            Mode::JUnit4 => self.plain.contains(&class.name),
            Mode::JUnit3 | Mode::Load => false,
        }
    }

    fn step(&self, takes: impl Fn(&Candidate) -> bool) -> Option<Step> {
        let classes = self.classes.iter().filter(|c| takes(c));
        let classes: Vec<String> = classes.map(|c| c.name.clone()).collect();
        (!classes.is_empty()).then(|| Step {
            classes,
            mode: Some(self.mode),
            list: true,
            ..Step::default()
        })
    }
}

/// The plan of a zygote.
pub fn plan(spec: &mut Spec, rounds: &[Round]) {
    if let Some(round) = rounds.first() {
        spec.plan.mode = round.mode;
    }
    // Tests of older JUnits run on JUnit 4 itself, which can be given a sequence.
    spec.plan.banned.extend(UniqueId::parse("[engine:junit-vintage]"));
}

/// Which JUnit is asked for which classes.
pub fn rounds(suite: &Suite, classes: Vec<Candidate>) -> Vec<Round> {
    let first = suite.modes()[0];
    let platform = matches!(first, Mode::Platform | Mode::Engines);
    let old: Vec<Candidate> = classes.iter().filter(|c| c.old && platform).cloned().collect();
    let second = if suite.has("org/junit/runner/Request.class") {
        Mode::JUnit4
    } else {
        Mode::JUnit3
    };
    let rounds = [(first, classes), (second, old)];
    let rounds = rounds.into_iter().filter(|(_, classes)| !classes.is_empty());
    rounds
        .map(|(mode, classes)| {
            let plain = classes
                .iter()
                .filter(|c| mode == Mode::JUnit4 && declared::plain(suite, &c.name));
            Round {
                mode,
                plain: plain.map(|c| c.name.clone()).collect(),
                classes,
            }
        })
        .collect()
}
