//! What earlier tests of this VM did to a place: whoever puts it back cleans, and does not pollute.
//!
//! Of every changed place a stack is kept: who changed it, and what stood there before, by its digest. A change after which
//! the place is as it was before one of them undoes that one and all that followed. Places and contents are compared by
//! what they are, never by how they read.

use crate::canon::{Digest, Digested, contents_digest};
use crate::content::Slot;
use crate::detector::Interval;
use crate::diff::{Difference, Side};
use crate::finding::{FileChange, FileFinding};
use crate::place::{Path, Root, Step};
use crate::shape::Shapes;
use crate::tracker::Change;
use crate::view::View;
use poldet_vm::ids::ClassId;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};

/// An interval of this VM, counted from its start.
type Number = usize;

/// Who changed a place, and what stood there before; nothing where that is too large to tell.
struct Earlier {
    who: Number,
    before: Option<Digest>,
}

/// An interval as `restores` names it: a test, or the class whose fixtures ran.
struct Named {
    name: String,
    class: String,
    is_test: bool,
}

impl Named {
    fn of(interval: Interval<'_>) -> Named {
        match interval {
            Interval::Test(test) => Named {
                name: test.text(),
                class: test.top_class().to_owned(),
                is_test: true,
            },
            Interval::Fixtures(class) | Interval::ClassEnd(class) => Named {
                name: class.to_owned(),
                class: class.split('$').next().unwrap_or(class).to_owned(),
                is_test: false,
            },
        }
    }

    /// Whether this one's changes are for `other` to undo: what the fixtures of a class set up is there for its tests.
    fn may_be_undone_by(&self, other: &Named) -> bool {
        self.is_test || !other.is_test || self.class != other.class
    }
}

/// What the past says of a change.
#[derive(Default)]
pub struct Past {
    /// The test, or class, whose change it undoes.
    pub restores: Option<String>,
    /// Many have raised the number there, and nobody has done anything else.
    pub is_id: bool,
}

/// Intervals in which static initialisers made a field's collections grow before it counts as a registry.
const MANY_GROWTHS: u32 = 3;

/// Intervals that raised a number before it counts as a generator of ids.
const MANY_RISES: u32 = 10;

#[derive(Default)]
pub struct History {
    /// The intervals that changed something.
    intervals: Vec<Named>,
    /// The current one has changed something.
    used: bool,
    /// The intervals that made the places which an interval changed.
    needed: BTreeMap<Number, BTreeSet<Number>>,
    places: BTreeMap<Digest, Vec<Earlier>>,
    /// Of each number, how many intervals raised it; none when one did something else.
    rises: BTreeMap<Digest, Option<u32>>,
    /// Classes initialised since the last boundary, and who initialised those before.
    pending: Vec<ClassId>,
    initialised: BTreeMap<ClassId, Number>,
    /// Of each root, how many intervals made its collections grow in static initialisers, and the last of them.
    growths: BTreeMap<Root, (u32, Number)>,
    /// Of each path, who changed it, and whether nothing was there before.
    files: BTreeMap<String, Vec<(Number, bool)>>,
    /// Of this boundary and the one before it.
    digested: Digested,
}

impl History {
    /// A new interval.
    pub fn begin(&mut self, interval: Interval<'_>) {
        let named = Named::of(interval);
        self.digested.advance();
        match self.intervals.last_mut() {
            // One that changed nothing needs no number.
            Some(last) if !self.used => *last = named,
            _ => self.intervals.push(named),
        }
        let current = self.current();
        self.used = !self.pending.is_empty();
        let classes = std::mem::take(&mut self.pending);
        self.initialised.extend(classes.into_iter().map(|c| (c, current)));
    }

    /// A class has been initialised.
    pub fn class_initialized(&mut self, class: ClassId) {
        self.pending.push(class);
    }

    fn current(&self) -> Number {
        self.intervals.len().saturating_sub(1)
    }

    /// Nothing is known any more: somebody has put state back behind our back.
    pub fn clear(&mut self) {
        *self = History::default();
    }

    /// Takes a change.
    pub fn change(&mut self, vm: &Vm, shapes: &mut Shapes, change: &Change) -> Past {
        let (root, path) = (change.at.root, &change.difference.path);
        let places = place_digests(vm, shapes, &mut self.digested, root, path);
        let restores = self.undone(vm, shapes, change, &places);
        let is_id = places
            .last()
            .is_some_and(|place| self.is_id(*place, &change.difference));
        Past { restores, is_id }
    }

    fn is_id(&mut self, place: Digest, difference: &Difference) -> bool {
        let rises = self.rises.entry(place).or_insert(Some(0));
        *rises = match rises {
            Some(count) if is_rise(difference) => Some(*count + 1),
            _ => None,
        };
        rises.is_some_and(|count| count >= MANY_RISES)
    }

    /// The test, or class, whose change this one undoes.
    fn undone(&mut self, vm: &Vm, shapes: &mut Shapes, change: &Change, places: &[Digest]) -> Option<String> {
        let Difference { before, after, .. } = &change.difference;
        let (place, above) = places.split_last()?;
        let current = self.current();
        self.used = true;
        let mut makers: BTreeSet<Number> = BTreeSet::new();
        for holder in above {
            makers.extend(self.places.get(holder).into_iter().flatten().map(|e| e.who));
        }
        if let (Side::Shared(..), _) | (_, Side::Shared(..)) = (before, after)
            && let Root::Static { class, .. } = change.at.root
        {
            // Of a class that is new nobody knows what it shared before.
            makers.extend(self.initialised.get(&class));
        }
        let digested = &mut self.digested;
        let before = side_digest(vm, shapes, digested, View::before(vm), before);
        let stack = self.places.entry(*place).or_default();
        let intervals = &self.intervals;
        let may = |who: Number| intervals[who].may_be_undone_by(&intervals[current]);
        let after = match stack.iter().any(|e| e.before.is_some() && may(e.who)) {
            true => side_digest(vm, shapes, digested, View::now(vm), after),
            // Nothing to compare it with.
            false => None,
        };
        let undone = stack
            .iter()
            .position(|e| after.is_some() && e.before == after && may(e.who));
        let restored = match undone {
            Some(at) => {
                let who = stack[at].who;
                stack.truncate(at);
                makers.insert(who);
                // Its own doing of a moment ago is nobody's to undo.
                (who != current).then(|| self.intervals[who].name.clone())
            }
            None => {
                stack.push(Earlier { who: current, before });
                None
            }
        };
        makers.remove(&current);
        self.needed.entry(current).or_default().extend(makers);
        restored
    }

    /// The same for files: what was created and is gone again.
    pub fn file(&mut self, finding: &mut FileFinding) {
        let current = self.current();
        self.used = true;
        let stack = self.files.entry(finding.path.clone()).or_default();
        let intervals = &self.intervals;
        let may = |who: Number| intervals[who].may_be_undone_by(&intervals[current]);
        let made = stack
            .iter()
            .position(|(who, was_absent)| *was_absent && may(*who));
        match (finding.change, made) {
            (FileChange::Removed, Some(at)) => {
                let who = stack[at].0;
                stack.truncate(at);
                self.needed.entry(current).or_default().insert(who);
                finding.restores = (who != current).then(|| self.intervals[who].name.clone());
            }
            (change, _) => stack.push((current, change == FileChange::Created)),
        }
    }

    /// A collection of this root grew in a static initialiser; whether that has happened in many intervals.
    pub fn is_registry(&mut self, root: Root) -> bool {
        let current = self.current();
        self.used = true;
        let (count, last) = self.growths.entry(root).or_insert((0, Number::MAX));
        if *last != current {
            (*count, *last) = (*count + 1, current);
        }
        *count >= MANY_GROWTHS
    }

    /// The intervals before this one without which its changes could not be, in their order.
    pub fn after(&self) -> Vec<String> {
        let current = self.current();
        let mut all: BTreeSet<Number> = BTreeSet::new();
        let mut work: Vec<Number> = vec![current];
        while let Some(number) = work.pop() {
            for needed in self.needed.get(&number).into_iter().flatten() {
                if *needed != current && all.insert(*needed) {
                    work.push(*needed);
                }
            }
        }
        let mut names: Vec<String> = Vec::new();
        for number in all {
            let name = &self.intervals[number].name;
            if !name.is_empty() && !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

/// Whether a whole number became a greater one.
fn is_rise(difference: &Difference) -> bool {
    let number = |slot: Slot| match slot {
        Slot::Prim { letter: b'I', bits } => Some(i64::from(bits as i32)),
        Slot::Prim { letter: b'J', bits } => Some(bits as i64),
        _ => None,
    };
    let numbers = difference.slots().map(|(a, b)| (number(a), number(b)));
    matches!(numbers, Some((Some(a), Some(b))) if b > a)
}

/// Of a root and of every place on the path from it, a digest; the last one is of the place itself.
fn place_digests(
    vm: &Vm,
    shapes: &mut Shapes,
    digested: &mut Digested,
    root: Root,
    path: &Path,
) -> Vec<Digest> {
    let mut hasher = blake3::Hasher::new();
    match root {
        Root::Static { class, field } => {
            hasher.update(&class.0.to_le_bytes());
            hasher.update(field.as_bytes());
        }
        Root::Thread(thread) => {
            hasher.update(b"thread");
            hasher.update(&thread.0.to_le_bytes());
        }
    }
    let mut digests = vec![*hasher.finalize().as_bytes()];
    for step in path.steps() {
        match step {
            Step::Field(name) => {
                hasher.update(b".");
                hasher.update(name.as_bytes());
            }
            Step::Index(i) => {
                hasher.update(b"[");
                hasher.update(&i.to_le_bytes());
            }
            Step::Key(key) => {
                hasher.update(b"(");
                let digest = contents_digest(key.view(vm), shapes, digested, Slot::Ref(key.object));
                hasher.update(&digest.unwrap_or_default());
            }
            Step::Thread(thread) => {
                hasher.update(b"@");
                hasher.update(&thread.0.to_le_bytes());
            }
        }
        digests.push(*hasher.finalize().as_bytes());
    }
    digests
}

fn side_digest(
    vm: &Vm,
    shapes: &mut Shapes,
    digested: &mut Digested,
    view: View<'_>,
    side: &Side,
) -> Option<Digest> {
    match side {
        Side::Absent => Some([0; 32]),
        Side::Slot(slot) => contents_digest(view, shapes, digested, *slot),
        Side::Shared(o, elsewhere) => {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&contents_digest(view, shapes, digested, Slot::Ref(*o))?);
            if let Some((root, path)) = elsewhere {
                hasher.update(place_digests(vm, shapes, digested, *root, path).last()?);
            }
            Some(*hasher.finalize().as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::TestName;

    fn file(change: FileChange) -> FileFinding {
        FileFinding {
            path: "left.txt".into(),
            change,
            ignored_by: None,
            restores: None,
            restored_by: None,
            impact: None,
            written_at: Vec::new(),
        }
    }

    #[test]
    fn who_removes_what_another_made_cleans() {
        let mut history = History::default();
        let mut told = |name: &str, change| {
            let test = TestName::from_description(None, &format!("{name}(a.BTest)"));
            history.begin(Interval::Test(&test));
            let mut finding = file(change);
            history.file(&mut finding);
            (finding.restores, history.after())
        };
        assert_eq!(told("a", FileChange::Created), (None, vec![]));
        assert_eq!(told("b", FileChange::Changed), (None, vec![]));
        let cleaned = told("c", FileChange::Removed);
        assert_eq!(cleaned, (Some("a.BTest#a".into()), vec!["a.BTest#a".into()]));
        // The second to create it pollutes as the first did.
        assert_eq!(told("d", FileChange::Created).0, None);
        assert_eq!(told("e", FileChange::Removed).0.as_deref(), Some("a.BTest#d"));
        assert_eq!(told("f", FileChange::Removed).0, None);
    }
}
