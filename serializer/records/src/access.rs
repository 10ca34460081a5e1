//! What a test reads and what it changes of the shared state, in a form in which tests can be compared with each other.
//!
//! All forks of one process share addresses, so a place that was there before the fork is a number: that of a unit of two
//! bytes of the heap. What came later has an address that says nothing to other forks; it counts by the static field
//! (or thread) that leads to it.

use crate::TestKey;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// Units of the heap, ascending. Written as differences, which are short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units(Vec<u64>);

impl Units {
    pub fn new(mut units: Vec<u64>) -> Units {
        units.sort_unstable();
        units.dedup();
        Units(units)
    }

    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, unit: u64) -> bool {
        self.0.binary_search(&unit).is_ok()
    }

    pub fn extend(&mut self, more: &Units) {
        if !more.is_empty() {
            let all = self.0.iter().chain(&more.0).copied().collect();
            *self = Units::new(all);
        }
    }

    pub fn retain(&mut self, keep: impl FnMut(&u64) -> bool) {
        self.0.retain(keep);
    }

    /// Whether a unit is in both.
    pub fn meets(&self, other: &Units) -> bool {
        let (short, long) = match self.0.len() < other.0.len() {
            true => (self, other),
            false => (other, self),
        };
        short.0.iter().any(|unit| long.contains(*unit))
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut last = 0;
        serializer.collect_seq(
            self.0
                .iter()
                .map(|unit| unit - std::mem::replace(&mut last, *unit)),
        )
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Units, D::Error> {
        let mut units = Vec::<u64>::deserialize(deserializer)?;
        let mut sum: u64 = 0;
        for unit in &mut units {
            sum = sum.saturating_add(*unit);
            *unit = sum;
        }
        Ok(Units(units))
    }
}

/// Places of the shared state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// Of what was there before.
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub units: Units,
    /// Static fields of classes initialised since, and what leads to objects that came later.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub roots: BTreeSet<String>,
    /// Files and folders.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub files: BTreeSet<String>,
}

impl Places {
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.roots.is_empty() && self.files.is_empty()
    }

    pub fn meets(&self, other: &Places) -> bool {
        self.units.meets(&other.units)
            || self.roots.intersection(&other.roots).next().is_some()
            || self.files.intersection(&other.files).next().is_some()
    }

    pub fn extend(&mut self, more: &Places) {
        self.units.extend(&more.units);
        self.roots.extend(more.roots.iter().cloned());
        self.files.extend(more.files.iter().cloned());
    }

    /// What was read and not written before. A root stands for many places: that one of them was written says nothing of the
    /// others.
    pub fn unless_written(mut self, written: &Places) -> Places {
        self.units.retain(|unit| !written.units.contains(*unit));
        self
    }

    /// What is not in the other.
    pub fn without(mut self, other: &Places) -> Places {
        self.units.retain(|unit| !other.units.contains(*unit));
        self.roots.retain(|root| !other.roots.contains(root));
        self.files.retain(|file| !other.files.contains(file));
        self
    }
}

/// A class that was initialised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Initialised {
    pub class: String,
    /// What its static fields led to when its initialiser had ended.
    pub digest: u64,
    /// The initialiser wrote something else than its own static fields, or failed.
    pub impure: bool,
}

/// The accesses of one interval: a test, or the run of a class around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// What differs at the end.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub changed: Places,
    /// What was read before it was written, of the places that were asked for.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub read: Places,
    /// What was written before it was read, of the places that were asked for.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub written: Places,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initialised: Vec<Initialised>,
    /// Roots whose changes a rule hides, by rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hidden: BTreeMap<String, BTreeSet<String>>,
    /// Roots of the JDK that changed where no public API shows it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub internal: BTreeSet<String>,
    /// More threads live at the end than at the start.
    #[serde(default)]
    pub leaves_threads: bool,
}

impl Access {
    /// Adds what another interval changed, hid and initialised.
    pub fn add(&mut self, other: &Access) {
        self.changed.extend(&other.changed);
        self.initialised.extend(other.initialised.iter().cloned());
        for (rule, roots) in &other.hidden {
            let known = self.hidden.entry(rule.clone()).or_default();
            known.extend(roots.iter().cloned());
        }
        self.internal.extend(other.internal.iter().cloned());
        self.leaves_threads |= other.leaves_threads;
    }
}

/// What a process reports of the accesses of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessReport {
    /// The last test, from its start to its end.
    pub test: Access,
    /// All tests that ended, with what each changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<(TestKey, Places)>,
    /// What the fixtures before it did.
    pub before: Access,
    /// Everything from the fork on, fixtures included.
    pub run: Access,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_as_differences() {
        let units = Units::new(vec![30, 10, 10, 11]);
        let text = serde_json::to_string(&units).expect("plain data");
        assert_eq!(text, "[10,1,19]");
        assert_eq!(serde_json::from_str::<Units>(&text).expect("plain data"), units);
    }

    #[test]
    fn sets_meet_in_one_place() {
        let places = |units: &[u64], root: &str| Places {
            units: Units::new(units.to_vec()),
            roots: [root.to_owned()].into(),
            files: BTreeSet::new(),
        };
        assert!(places(&[1, 2], "a").meets(&places(&[2, 3], "b")));
        assert!(places(&[1], "a").meets(&places(&[2], "a")));
        assert!(!places(&[1], "a").meets(&places(&[2], "b")));
        assert_eq!(
            places(&[1, 2], "a").without(&places(&[2], "a")).units,
            Units::new(vec![1])
        );
    }
}
