//! What a test reads and what it changes of the shared state, in a form in which tests can be compared with each other.
//!
//! All forks of one process share addresses, so a place that was there before the fork is a number: that of a unit of two
//! bytes of the heap. What came later has an address that says nothing to other forks; it counts by the static field
//! (or thread) that leads to it.

use crate::{Place, TestKey};
use schemars::JsonSchema;
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

/// Numbers, written in one word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed(pub Vec<u64>);

impl Packed {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = String::with_capacity(self.0.len() * 16);
        for number in &self.0 {
            let digits = (0..16).rev().map(|i| DIGITS[(number >> (4 * i) & 15) as usize]);
            text.extend(digits.map(char::from));
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Packed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |b: &u8| char::from(*b).to_digit(16).map(u64::from);
        let number = |digits: &[u8]| digits.iter().try_fold(0, |n, b| Some(n << 4 | digit(b)?));
        let numbers: Option<Vec<u64>> = text.as_bytes().chunks(16).map(number).collect();
        let wrong = || serde::de::Error::custom("numbers of sixteen digits are needed");
        numbers.map(Packed).ok_or_else(wrong)
    }
}

/// What was read until a test's end, whether something had been written there before or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadSoFar {
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub places: Places,
    /// The same as tests of the class see it.
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub inside: Places,
    /// Of objects that were new when the log began: their numbers, each with the place of a slot.
    #[serde(default, skip_serializing_if = "Packed::is_empty")]
    pub slots: Packed,
}

/// What changed places hold, as numbers: of two forks they are equal only if the places hold the same, up to where in memory new
/// objects lie. A changed place without a number holds what cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub units: Units,
    /// One for each of the units.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roots: BTreeMap<String, u64>,
    /// New objects that are reached from these: the number of each, how many slots it has, and what they hold.
    #[serde(default, skip_serializing_if = "Packed::is_empty")]
    pub objects: Packed,
}

impl Values {
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.roots.is_empty()
    }

    pub fn unit(&self, unit: u64) -> Option<u64> {
        let at = self.units.0.binary_search(&unit).ok()?;
        self.held.get(at).copied()
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

/// What a test asked for that is no place of the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Uses {
    /// The time of day, or the time since some start.
    #[serde(default)]
    pub clock: bool,
    /// The identity hash of an object that is not a class.
    #[serde(default)]
    pub identity_hashes: bool,
    /// A socket, or the address of a host.
    #[serde(default)]
    pub network: bool,
    /// Environment variables.
    #[serde(default)]
    pub environment: bool,
}

/// A place that was changed, as people read it, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPlace {
    #[serde(flatten)]
    pub place: Place,
    /// None where it came after the fork: then only its root can be compared.
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub units: Units,
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
    /// Of a test whose reads are logged.
    #[serde(default)]
    pub uses: Uses,
}

impl Access {
    /// Adds what was read and written in an interval that came after.
    pub fn and_then(&mut self, later: &Access) {
        self.read
            .extend(&later.read.clone().unless_written(&self.written));
        self.written.extend(&later.written);
    }

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

/// What a test, with its constructor, did between the fixtures of its class: as the other tests of the class see it. Units are also
/// those of what the fixtures made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// Tells what units mean: they can be compared where this is the same.
    pub mark: u64,
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub changed: Places,
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub read: Places,
    #[serde(default, skip_serializing_if = "Places::is_empty")]
    pub written: Places,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initialised: Vec<Initialised>,
    /// What the places hold at its end that were changed since the fixtures, if that was to be found out.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
}

impl Inside {
    /// Adds an interval that came after.
    pub fn then(&mut self, later: &Inside) {
        self.read
            .extend(&later.read.clone().unless_written(&self.written));
        self.changed.extend(&later.changed);
        self.written.extend(&later.written);
        self.initialised.extend(later.initialised.iter().cloned());
    }
}

/// One of several tests that ran one after the other, in a process that was to tell them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneOfMany {
    pub test: TestKey,
    /// What came between the test before it, or the fork, and its start.
    pub before: Access,
    /// From its start to its end.
    pub access: Access,
    /// What the initialisers of the classes read that were initialised in the two.
    pub initialisers: Vec<InitialiserReads>,
}

/// What the initialiser of a class read of the asked places; as others see them, and as tests of the class do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitialiserReads {
    pub class: String,
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub read: Units,
    #[serde(default, skip_serializing_if = "Units::is_empty")]
    pub inside: Units,
}

/// What a process reports of the accesses of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessReport {
    /// The last test, from its start to its end.
    pub test: Access,
    /// All tests that ended, with what each changed, and what had changed since its class began: by fixtures of the class, or by the
    /// constructor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<(TestKey, Places)>,
    /// What the fixtures before it did.
    pub before: Access,
    /// What was read and written when its class came to an end, after the last test.
    #[serde(default)]
    pub end: Access,
    /// The same as tests of the class see it; none where the fixtures of the class are not told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_inside: Option<Inside>,
    /// Everything from the fork on, fixtures included.
    pub run: Access,
    /// What was changed, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<NamedPlace>,
    /// A digest of what reached the assertions of each test, if that was to be noted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asserted: Vec<(TestKey, u64)>,
    /// All tests that ended, as other tests of their class see them; none where the fixtures of the class are not told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<(TestKey, Inside)>,
    /// What was read from the fork to the end of each test, where reads are logged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<(TestKey, ReadSoFar)>,
    /// What the places hold at the end that the run changed, if that was to be found out.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// All tests that ended, where each is of interest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<OneOfMany>,
}

/// What a test reads and changes, for people (`poldet run --access`). Only places that some test changes are listed: the others
/// are the same for every test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestAccess {
    /// Read before the test wrote it.
    pub read: Vec<ReadPlace>,
    /// Written before the test read it, or changed.
    pub written: Vec<Place>,
    /// Differs when the test has ended.
    pub changed: Vec<Place>,
    /// Classes that it is the first to use when it runs alone, and whose initialiser does more than fill static fields with what
    /// every test would find there.
    pub first_use: Vec<String>,
    pub files: FileAccess,
    /// System properties.
    pub properties: FileAccess,
    #[serde(flatten)]
    pub uses: Uses,
}

/// A place that a test reads, and how many other tests change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadPlace {
    #[serde(flatten)]
    pub place: Place,
    pub changed_by: usize,
}

/// Names of files, or of properties. Of files those are listed as read that another test changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileAccess {
    pub read: Vec<String>,
    pub changed: Vec<String>,
}

/// A place that some test changes, with everybody who has to do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SharedPlace {
    #[serde(flatten)]
    pub place: Place,
    pub changed_by: Vec<String>,
    pub read_by: Vec<String>,
}

impl AccessReport {
    /// The last run of a test, as the other tests of its class see it.
    pub fn inside_of(&self, test: &TestKey) -> Option<&Inside> {
        let found = self.inside.iter().rfind(|(key, _)| key == test);
        found.map(|(_, inside)| inside)
    }
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
    fn numbers_are_written_in_one_word() {
        let numbers = Packed(vec![0, u64::MAX, 0x0123_4567_89ab_cdef]);
        let text = serde_json::to_string(&numbers).expect("plain data");
        assert_eq!(text, "\"0000000000000000ffffffffffffffff0123456789abcdef\"");
        assert_eq!(
            serde_json::from_str::<Packed>(&text).expect("plain data"),
            numbers
        );
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
