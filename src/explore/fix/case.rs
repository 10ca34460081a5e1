//! The tests that are to be fixed: found by `od` and `nio`, or read from what these wrote.

use crate::cli::{Fix, Nio, NioModes, Od};
use crate::explore::frame::{self, Problem};
use crate::explore::od::tests::Tests;
use crate::explore::setup::Setup;
use poldet_records::{FixVerdict, NioDocument, NioMode, NioVerdict, OdDocument, OdVerdict, SearchPlace};
use std::collections::BTreeSet;
use std::path::Path;

/// Other seeds with which tests are run again; a test that ends otherwise with one of them is NOD.
const RERUNS: u32 = 2;

/// Tests before the one to be fixed that change its outcome.
#[derive(Clone, Debug)]
pub struct Cause {
    /// In this order: polluters, or state-setters of a brittle; the test itself if it is NIO.
    pub tests: Vec<usize>,
    pub state: Vec<SearchPlace>,
    /// Cleaners of a polluter.
    pub cleaners: Vec<Vec<usize>>,
}

/// A test to be fixed.
#[derive(Clone, Debug)]
pub struct Case {
    pub test: usize,
    pub verdict: FixVerdict,
    pub causes: Vec<Cause>,
    pub declared_order: bool,
    pub message: Option<String>,
    /// The command that shows it.
    pub reproduce: String,
    /// Known from the start to have no patch.
    pub why_not: Option<String>,
}

impl Case {
    /// The orders in which it must pass, and does not: it comes last.
    pub fn goals(&self) -> Vec<Vec<usize>> {
        match self.verdict {
            FixVerdict::Brittle => vec![vec![self.test]],
            _ => self
                .causes
                .iter()
                .map(|c| [&c.tests[..], &[self.test]].concat())
                .collect(),
        }
    }

    /// The places to blame, each once.
    pub fn state(&self) -> Vec<SearchPlace> {
        let mut all: Vec<SearchPlace> = Vec::new();
        for place in self.causes.iter().flat_map(|c| &c.state) {
            if !all.iter().any(|p| p.root == place.root && p.path == place.path) {
                all.push(place.clone());
            }
        }
        all
    }
}

/// What the searches found.
#[derive(Default)]
pub struct Found {
    pub od: Vec<OdDocument>,
    pub nio: Vec<NioDocument>,
}

impl Found {
    /// Reads saved documents; one line about one that is none.
    pub fn read(files: &[std::path::PathBuf]) -> Result<Found, String> {
        let mut found = Found::default();
        for file in files {
            found.add(file)?;
        }
        Ok(found)
    }

    fn add(&mut self, file: &Path) -> Result<(), String> {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("--from: \"{name}\": {e}"))?;
        let wrong = |e: serde_json::Error| {
            format!("--from: \"{name}\" is no document of poldet od or poldet nio (--format json): {e}")
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(wrong)?;
        match value["command"].as_str() {
            Some("od") => self.od.push(serde_json::from_value(value).map_err(wrong)?),
            Some("nio") => self.nio.push(serde_json::from_value(value).map_err(wrong)?),
            _ => {
                return Err(format!(
                    "--from: \"{name}\" is no document of poldet od or poldet nio (--format json)"
                ));
            }
        }
        Ok(())
    }

    /// Searches the suite, unless its results are known.
    pub fn search(options: &Fix, setup: &mut Setup) -> Result<Found, Problem> {
        let order_dependent = Od {
            run: options.run.clone(),
            first: false,
            rerun: Some(RERUNS),
            orders: 0,
            ignore_declared_orders: false,
            passing: None,
            failing: None,
            certificate: None,
            budget: None,
            idoft: None,
            idoft_relations: None,
            pull_request: None,
            dtfixingtools: None,
        };
        let twice = Nio {
            run: options.run.clone(),
            mode: NioModes(Some(NioMode::IsolatedMethod)),
            confirm: RERUNS,
            idoft: None,
        };
        Ok(Found {
            od: vec![frame::result(&order_dependent, setup)?],
            nio: vec![frame::result(&twice, setup)?],
        })
    }

    /// Tests whose outcome depends on the seed.
    pub fn nod(&self, tests: &Tests<'_>) -> BTreeSet<usize> {
        let order_dependent = self.od.iter().flat_map(|d| &d.tests);
        let nod = order_dependent.filter(|t| t.verdict == OdVerdict::Nod);
        let names = nod.map(|t| t.name());
        let twice = self.nio.iter().flat_map(|d| &d.tests);
        let other = twice.filter(|t| t.verdict == NioVerdict::Nondeterministic);
        let names = names.chain(other.map(|t| t.name()));
        names.filter_map(|name| tests.find(&name)).collect()
    }

    /// Orders in which a test passes because of those before it: after a state-setter, or after a polluter and a cleaner.
    pub fn passing(&self, tests: &Tests<'_>) -> Vec<Vec<usize>> {
        let mut orders = Vec::new();
        for test in self.od.iter().flat_map(|d| &d.tests) {
            let own = [test.name()];
            let mut add = |before: &[&[String]]| {
                let names = before.iter().flat_map(|b| b.iter()).chain(&own);
                let order: Option<Vec<usize>> = names.map(|n| tests.find(n)).collect();
                orders.extend(order);
            };
            for setter in &test.state_setters {
                add(&[&setter.tests]);
            }
            for polluter in &test.polluters {
                for cleaner in &polluter.cleaners {
                    add(&[&polluter.tests, cleaner]);
                }
            }
        }
        orders
    }

    /// The cases among the tests that are asked for, in the order of the suite. A test that is not in the suite is an error.
    pub fn cases(&self, tests: &Tests<'_>) -> Result<Vec<Case>, String> {
        let number = |name: &String| {
            tests.find(name).ok_or_else(|| {
                format!("--from: the suite has no test \"{name}\": give what was written for this suite")
            })
        };
        let numbers = |names: &Vec<String>| names.iter().map(number).collect::<Result<Vec<_>, _>>();
        let mut cases = Vec::new();
        for test in self.od.iter().flat_map(|d| &d.tests) {
            let verdict = match test.verdict {
                OdVerdict::Victim => FixVerdict::Victim,
                OdVerdict::Brittle => FixVerdict::Brittle,
                OdVerdict::Nod => FixVerdict::Nod,
                _ => continue,
            };
            let mut causes = Vec::new();
            for polluter in &test.polluters {
                causes.push(Cause {
                    tests: numbers(&polluter.tests)?,
                    state: polluter.state.clone(),
                    cleaners: polluter.cleaners.iter().map(numbers).collect::<Result<_, _>>()?,
                });
            }
            for setter in &test.state_setters {
                causes.push(Cause {
                    tests: numbers(&setter.tests)?,
                    state: setter.state.clone(),
                    cleaners: Vec::new(),
                });
            }
            let name = test.name();
            cases.push(Case {
                test: number(&name)?,
                verdict,
                causes,
                declared_order: test.declared_order,
                message: test.message.clone(),
                reproduce: test.reproduce.clone(),
                why_not: (verdict == FixVerdict::Nod)
                    .then(|| "its outcome depends on the seed, not on the order of tests".to_owned()),
            });
        }
        for test in self.nio.iter().flat_map(|d| &d.tests) {
            if test.verdict != NioVerdict::Nio {
                continue;
            }
            let itself = number(&test.name())?;
            let shows = |mode| test.modes.get(&mode).is_some_and(|p| p.shows());
            let alone = shows(NioMode::IsolatedMethod);
            cases.push(Case {
                test: itself,
                verdict: FixVerdict::Nio,
                causes: vec![Cause {
                    tests: vec![itself],
                    state: test.causes.clone(),
                    cleaners: Vec::new(),
                }],
                declared_order: test.declared_order,
                message: test.message.clone(),
                reproduce: test.reproduce.clone(),
                why_not: (!alone).then(|| {
                    "it passes and then fails only after other tests, not when it runs twice alone".to_owned()
                }),
            });
        }
        cases.retain(|c| tests.all[c.test].judged);
        cases.sort_by_key(|c| (c.test, c.verdict));
        Ok(cases)
    }
}
