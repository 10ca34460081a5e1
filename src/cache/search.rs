//! Searches: their documents, and the warnings that came with them.

use crate::cache::outside::Outside;
use crate::cache::probe::ProbeCache;
use crate::cache::{Cache, determined};
use crate::cli::Run;
use crate::run::spec::Spec;
use crate::run::uses;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
struct Entry<D> {
    outside: Outside,
    notes: Vec<String>,
    document: D,
}

/// A search whose result may be kept or known.
pub struct SearchCache {
    cache: Cache,
    key: String,
    spec: Spec,
}

impl SearchCache {
    /// None where there is to be no cache, or the result would not follow from the inputs. `more` has what the search
    /// depends on besides the options of a run.
    pub fn of(
        command: &str,
        options: &Run,
        spec: &Spec,
        more: Vec<String>,
    ) -> Result<Option<SearchCache>, String> {
        let Some(cache) = Cache::of(&options.cache)?.filter(|_| determined(options, spec)) else {
            return Ok(None);
        };
        let words = crate::run::command::words(options);
        let tests = &options.tests;
        let chosen = format!("{:?} {:?} {:?}", tests.include, tests.exclude, tests.test);
        let more = [vec![words.join("\n"), chosen], more].concat();
        let key = cache.key(command, std::iter::once(spec), &more);
        Ok(key.map(|key| SearchCache {
            cache,
            key,
            spec: spec.clone(),
        }))
    }

    /// The specification with what its processes need to know of the cache.
    pub fn extend(spec: &mut Spec, options: &Run) -> Result<(), String> {
        spec.uses = true;
        let cache = Cache::of(&options.cache)?;
        spec.probes = cache.and_then(|cache| ProbeCache::new(cache, spec)).map(Arc::new);
        Ok(())
    }

    /// The document and the warnings, if they are known. If not, what is used from now on is collected.
    pub fn known<D: DeserializeOwned>(&self) -> Option<(D, Vec<String>)> {
        let entry = self.cache.get(&self.key, |entry: &Entry<D>, digests| {
            entry.outside.holds(&self.spec.paths, digests)
        });
        if entry.is_none() {
            uses::collect();
        }
        entry.map(|entry| (entry.document, entry.notes))
    }

    /// Keeps the document of a search that came to its end.
    pub fn keep<D: Serialize + DeserializeOwned>(&self, document: &D, notes: Vec<String>, whole: bool) {
        let Some(collected) = uses::end().filter(|_| whole) else {
            return;
        };
        let Ok(outside) = self.cache.outside(&collected, &self.spec) else {
            return;
        };
        // What comes back must be what was seen, to the last byte.
        let Ok(text) = serde_json::to_string(document) else {
            return;
        };
        let again = serde_json::from_str::<D>(&text);
        let again = again.and_then(|again| serde_json::to_string(&again));
        if again.is_ok_and(|again| again == text) {
            let entry = Entry {
                outside,
                notes,
                document,
            };
            self.cache.put(&self.key, &entry);
        }
    }
}
