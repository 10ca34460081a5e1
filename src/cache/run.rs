//! Runs of suites: their events, to be heard again.

use crate::cache::outside::Outside;
use crate::cache::{Cache, determined};
use crate::cli::Run;
use crate::report::{ReportError, Reporter, json};
use crate::run::Prepared;
use crate::run::results::Results;
use crate::run::spec::Spec;
use crate::run::uses::Collected;
use poldet_records::{Outcome, RunEvent, RunHead};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

#[derive(Serialize, Deserialize)]
struct Entry {
    /// For each suite of the run.
    outside: Vec<Outside>,
    /// What the sandbox lacked.
    missing: Vec<String>,
    events: Vec<RunEvent>,
}

/// A run whose result may be kept or known.
pub struct RunCache {
    cache: Cache,
    key: String,
    specs: Vec<Spec>,
    heard: Rc<RefCell<Vec<RunEvent>>>,
    outside: Vec<Result<Outside, String>>,
}

impl RunCache {
    /// None where there is to be no cache, or the result would not follow from the inputs.
    pub fn of(options: &Run, prepared: &[Prepared]) -> Result<Option<RunCache>, String> {
        let Some(cache) = Cache::of(&options.cache)? else {
            return Ok(None);
        };
        if !prepared.iter().all(|p| determined(options, &p.spec)) {
            return Ok(None);
        }
        let mut more = vec![format!("{:?}", options.isolation.isolate)];
        for one in prepared {
            more.push(serde_json::to_string(&one.head).unwrap_or_default());
            more.push(format!("{:?}", one.steps));
        }
        let specs: Vec<Spec> = prepared.iter().map(|p| p.spec.clone()).collect();
        Ok(cache.key("run", specs.iter(), &more).map(|key| RunCache {
            cache,
            key,
            specs,
            heard: Rc::default(),
            outside: Vec::new(),
        }))
    }

    /// The events of the run, if it is known, and what its sandbox lacked.
    pub fn known(&self) -> Option<(Vec<RunEvent>, Vec<String>)> {
        let entry = self.cache.get(&self.key, |entry: &Entry, digests| {
            entry.outside.len() == self.specs.len()
                && entry
                    .outside
                    .iter()
                    .zip(&self.specs)
                    .all(|(outside, spec)| outside.holds(&spec.paths, digests))
        })?;
        Some((entry.events, entry.missing))
    }

    /// Hears what happens, to keep it.
    pub fn recorder(&self) -> Box<dyn Reporter> {
        Box::new(Recorder(Rc::clone(&self.heard)))
    }

    /// One of the run's suites has run.
    pub fn used(&mut self, collected: &Collected) {
        if let Some(spec) = self.specs.get(self.outside.len()) {
            let outside = self.cache.outside(collected, spec);
            self.outside.push(outside);
        }
    }

    /// Keeps the run, if its result follows from its inputs.
    pub fn keep(self, head: &RunHead, results: &Results) {
        let document = &results.document;
        let lost = |o: Outcome| matches!(o, Outcome::Crashed | Outcome::TimedOut);
        let whole = !document.interrupted
            && !results.unclean
            && document.missing.is_empty()
            && document.faults.is_empty()
            && !document.tests.iter().any(|t| lost(t.outcome));
        let outside: Result<Vec<Outside>, String> = self.outside.into_iter().collect();
        let Some(outside) = outside.ok().filter(|o| whole && o.len() == self.specs.len()) else {
            return;
        };
        let entry = Entry {
            outside,
            missing: document.head.sandbox.missing.clone(),
            events: self.heard.take(),
        };
        // What comes back must be what was seen, to the last byte.
        let again = serde_json::to_vec(&entry).and_then(|text| serde_json::from_slice::<Entry>(&text));
        let Ok(again) = again else { return };
        let mut rebuilt = Results::new(head.clone());
        rebuilt.document.head.sandbox.missing.clone_from(&again.missing);
        again.events.iter().for_each(|event| rebuilt.take(event));
        rebuilt.close(Duration::ZERO);
        if json::text(&rebuilt.document) == json::text(document) {
            self.cache.put(&self.key, &entry);
        }
    }
}

struct Recorder(Rc<RefCell<Vec<RunEvent>>>);

impl Reporter for Recorder {
    fn event(&mut self, event: &RunEvent) {
        if !matches!(event, RunEvent::Beat) {
            self.0.borrow_mut().push(event.clone());
        }
    }

    fn finish(&mut self, _: &Results) -> Result<(), ReportError> {
        Ok(())
    }
}
