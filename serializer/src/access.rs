//! Which places of the shared state a test reads, writes and changes, and which classes it initialises: what it takes to
//! tell which tests can have to do with each other.
//!
//! The log is on in forks of a process that all have the same objects at the same addresses. Places that were there when
//! the log began are units of the heap; what came later counts by the root that leads to it (`poldet_records::Access`).

use crate::classify::{Origins, classify};
use crate::digests::{Numbers, slots_read};
use crate::finding::Origin;
use crate::place::{Path, Root};
use crate::rules::RuleNo;
use crate::text;
use crate::tracker::{Change, Changes, Tracker, Unit};
use poldet_records::{
    Access, AccessReport, Initialised, InitialiserReads, Inside, NamedPlace, OneOfMany, Packed, Places,
    ReadSoFar, TestKey, TestName, Units, Uses as UsesOf, Values,
};
use poldet_vm::heap::{FirstAccess, InitWrite, Place, UNIT, earlier_first};
use poldet_vm::host::Uses;
use poldet_vm::host::journal::{Became, FileChange};
use poldet_vm::ids::{ClassId, LoaderId, ObjRef};
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};

/// What has been accessed since the log began.
#[derive(Default)]
pub struct AccessLog {
    /// The places whose reads are of interest, if reads are logged.
    asked: Option<Places>,
    /// The same as tests of one class see them.
    asked_inside: Option<Places>,
    /// Classes initialised before the log began which not all forks have.
    earlier: Vec<ClassId>,
    /// Classes initialised since the log began; those of the current interval last.
    initialised: Vec<Class>,
    /// How many of them belong to earlier intervals.
    seen: usize,
    /// Units that were changed, with what they held when the log began and their object.
    old: BTreeMap<u64, (u16, ObjRef)>,
    /// Roots that were changed.
    roots: BTreeMap<String, Root>,
    /// The same as tests of the class see it.
    exact: BTreeMap<u64, ObjRef>,
    exact_roots: BTreeMap<String, Root>,
    /// Whether it is to be found out what changed places hold.
    values: bool,
    /// All that was changed, but for the units.
    run: Access,
    before: Access,
    test: Option<Access>,
    /// What was read and written when classes came to their end since the last test.
    end: Access,
    /// What was changed outside of tests since the class began.
    outside: Places,
    /// What each test changed that has ended, and what its class did before it.
    tests: Vec<(TestKey, Places)>,
    /// What was read so far, and by the end of each test.
    read: Places,
    read_inside: Places,
    read_slots: BTreeSet<(u64, u64)>,
    reads: Vec<(TestKey, ReadSoFar)>,
    /// New objects that were there when the log began.
    known: Numbers,
    /// Those of them that are there now, as others see them and as tests of the class do.
    numbers: Numbers,
    numbers_inside: Numbers,
    /// What was done since the last test, or since the fixtures of the class; as tests of the class see it.
    between: Inside,
    inside: Vec<(TestKey, Inside)>,
    /// Threads that lived when the log began.
    threads: usize,
    /// What was changed, by name.
    names: Vec<NamedPlace>,
    /// Digests of what tests asserted.
    asserted: Vec<(TestKey, u64)>,
    /// What the host was asked for until the last interval ended.
    uses: Uses,
    each: Option<Each>,
}

/// Several tests of a process, told apart.
#[derive(Default)]
struct Each {
    /// The words of the asked places.
    words: Vec<u64>,
    /// Initialisers that are running, with what had been read and written of these words when they began.
    running: Vec<(ClassId, Vec<u8>)>,
    /// What initialisers read since the last test.
    initialisers: Vec<InitialiserReads>,
    /// What was done since the last test.
    before: Access,
    tests: Vec<OneOfMany>,
}

/// When the fixtures of a class had run: from then on what they made counts as exactly as what was there before.
#[derive(Clone, Debug)]
pub struct Ready {
    pub interval: u32,
    /// How many of the classes that not all forks have were initialised.
    pub classes: usize,
    /// The same in all processes that came to this point in the same way.
    pub mark: u64,
}

/// How a place counts between tests of one class.
#[derive(PartialEq, Eq)]
enum Counts {
    /// It was there when the fixtures of the class had run.
    Exactly,
    ByRoot,
    /// It came with the interval itself: what leads to it counts.
    Not,
}

/// A class that was initialised.
struct Class {
    id: ClassId,
    digest: u64,
    failed: bool,
    impure: bool,
}

/// Whether a change counts.
enum Sort {
    Counts,
    Hidden(RuleNo),
    /// No API of the JDK shows it.
    Internal,
}

impl AccessLog {
    pub fn new(
        vm: &Vm,
        asked: Option<Places>,
        inside: Option<Places>,
        earlier: Vec<ClassId>,
        values: bool,
        known: Numbers,
    ) -> AccessLog {
        AccessLog {
            values,
            known,
            asked,
            asked_inside: inside,
            earlier,
            threads: live_threads(vm),
            uses: vm.host.uses,
            ..AccessLog::default()
        }
    }

    /// Tells the tests apart that run from now on, and what initialisers of classes read.
    pub fn tell_apart(&mut self) {
        let asked = [&self.asked, &self.asked_inside];
        let units = asked
            .iter()
            .flat_map(|a| a.iter())
            .flat_map(|a| a.units.as_slice());
        let mut words: Vec<u64> = units.map(|unit| unit / UNITS_OF_WORD).collect();
        words.sort_unstable();
        words.dedup();
        self.each = Some(Each {
            words,
            ..Each::default()
        });
    }

    /// The initialiser of a class begins to run.
    pub fn class_initialising(&mut self, vm: &mut Vm, class: ClassId) {
        let Some(each) = &mut self.each else { return };
        // It begins again where another thread has to initialise a supertype first.
        if !each.running.iter().any(|(c, _)| *c == class) {
            let taken = vm.heap.take_words(&each.words);
            each.running.push((class, taken));
        }
    }

    /// An interval is about to end: what was read before initialisers that still run counts, too.
    pub fn settle(&mut self, vm: &mut Vm) {
        let Some(each) = &mut self.each else { return };
        for (_, taken) in each.running.iter_mut().rev() {
            vm.heap.put_words(&each.words, taken);
            taken.fill(0);
        }
    }

    /// It has ended: what was read since it began it has read, or another thread.
    fn initialiser_ended(&mut self, vm: &mut Vm, class: ClassId) {
        let Some(each) = &mut self.each else { return };
        let Some(at) = each.running.iter().rposition(|(c, _)| *c == class) else {
            return;
        };
        let mut seen = vm.heap.take_words(&each.words);
        vm.heap.put_words(&each.words, &seen);
        let (_, before) = each.running.remove(at);
        // Of others that began meanwhile and still run.
        for (_, taken) in each.running[at..].iter().rev() {
            for (now, earlier) in seen.iter_mut().zip(taken) {
                *now |= *earlier;
            }
        }
        match each.running.get_mut(at) {
            Some((_, next)) => {
                for (later, earlier) in next.iter_mut().zip(&before) {
                    *later = earlier_first(*earlier, *later);
                }
            }
            None => vm.heap.put_words(&each.words, &before),
        }
        let read = |asked: &Option<Places>| {
            let of_word = |unit: &u64| {
                let at = each.words.binary_search(&(unit / UNITS_OF_WORD));
                at.is_ok_and(|at| seen[at] >> (unit % UNITS_OF_WORD) & 1 != 0)
            };
            let units = asked.iter().flat_map(|a| a.units.as_slice()).copied();
            Units::new(units.filter(of_word).collect())
        };
        let reads = InitialiserReads {
            class: vm.java_name(class),
            read: read(&self.asked),
            inside: read(&self.asked_inside),
        };
        each.initialisers.push(reads);
    }

    /// The new objects that have numbers, for the log of a fork in which tests of the class run, or others.
    pub fn into_numbers(self, in_class: bool) -> Numbers {
        match in_class {
            true => self.numbers_inside,
            false => self.numbers,
        }
    }

    pub fn logs_reads(&self) -> bool {
        self.asked.is_some()
    }

    /// A class has been initialised, or its initialiser has failed.
    pub fn class_initialised(&mut self, vm: &mut Vm, tracker: &mut Tracker, class: ClassId, failed: bool) {
        self.initialiser_ended(vm, class);
        let statics = tracker.shapes.statics(vm, class);
        if statics.is_empty() && vm.class(class).clinit.is_none() {
            return;
        }
        let mirror = vm.mirror(class);
        for field in statics.iter() {
            // What the initialiser itself did to its fields is over.
            vm.heap.clear_reads_of(mirror, field.off, field.off + field.size);
        }
        let digest = tracker.class_digest(vm, class);
        self.initialised.push(Class {
            id: class,
            digest,
            failed,
            impure: false,
        });
    }

    /// An interval has ended: a test, or what ran between two, which may be the end of a class.
    pub(crate) fn interval(&mut self, end: &mut End<'_>, test: Option<&TestName>, class_ended: bool) {
        let mut access = Access::default();
        let mut inside = Inside::default();
        let mut visible: BTreeSet<ObjRef> = BTreeSet::new();
        for unit in end.units {
            self.unit(end, unit, &mut access, &mut inside, &mut visible);
        }
        for file in end.files {
            add_file(file, &mut access.changed.files);
        }
        inside.changed.files.clone_from(&access.changed.files);
        self.find_impure(end, &visible);
        access.initialised = self.initialised[self.seen..]
            .iter()
            .map(|c| c.record(end.vm))
            .collect();
        self.seen = self.initialised.len();
        self.reads(end, &mut access);
        access.uses = self.uses_of(end);
        self.reads_inside(end, &mut inside);
        self.read.extend(&access.read);
        self.read_inside.extend(&inside.read);
        if self.asked.is_some() && !self.known.is_empty() {
            let read = slots_read(end.vm, &mut end.tracker.shapes, &self.known);
            self.read_slots.extend(read);
        }
        inside.initialised.clone_from(&access.initialised);
        self.add_inside(end, inside, test);
        access.leaves_threads = live_threads(end.vm) > self.threads;
        self.run.add(&access);
        if let Some(each) = &mut self.each {
            each.add(&access, test);
        }
        if class_ended {
            self.end.and_then(&access);
            self.outside = Places::default();
        } else if test.is_none() {
            self.outside.extend(&access.changed);
        }
        match (test, &mut self.test) {
            (Some(test), last) => {
                self.end = Access::default();
                if self.asked.is_some() {
                    let slots = self.read_slots.iter().flat_map(|(object, slot)| [*object, *slot]);
                    let so_far = ReadSoFar {
                        places: self.read.clone(),
                        inside: self.read_inside.clone(),
                        slots: Packed(slots.collect()),
                    };
                    self.reads.push((test.key(), so_far));
                }
                self.asserted
                    .extend(end.asserted.map(|digest| (test.key(), digest)));
                let mut changed = self.outside.clone();
                changed.extend(&access.changed);
                self.tests.push((test.key(), changed));
                *last = Some(access);
            }
            (None, None) => {
                self.before.add(&access);
                self.before.and_then(&access);
            }
            (None, Some(_)) => {}
        }
    }

    /// What was done since the fixtures of the class belongs to the test that comes next: its constructor may have done it.
    fn add_inside(&mut self, end: &mut End<'_>, inside: Inside, test: Option<&TestName>) {
        // Where reads are logged, but not these, nothing is known of them.
        let known = self.asked.is_none() || self.asked_inside.is_some();
        let Some(ready) = end.ready.filter(|_| known) else {
            return;
        };
        if self.between.mark != ready.mark {
            self.between = Inside::default();
        }
        self.between.mark = ready.mark;
        self.between.then(&inside);
        if let Some(test) = test {
            if self.values {
                self.between.values = self.values_inside(end, ready);
            }
            self.inside.push((test.key(), std::mem::take(&mut self.between)));
            self.between.mark = ready.mark;
        }
    }

    /// What the places hold that were changed since the log began. Both halves of a reference count as changed where one is.
    fn values_inside(&mut self, end: &mut End<'_>, ready: &Ready) -> Values {
        let later = end.since_forks.get(ready.classes..).unwrap_or_default();
        let is_later = |class: ClassId| later.contains(&class);
        let (values, numbers) = values(
            end.vm,
            end.tracker,
            Some(ready.interval),
            &self.exact,
            &self.exact_roots,
            &is_later,
        );
        self.numbers_inside = numbers;
        self.between.changed.units.extend(&values.units);
        values
    }

    fn unit(
        &mut self,
        end: &mut End<'_>,
        unit: &Unit,
        access: &mut Access,
        inside: &mut Inside,
        visible: &mut BTreeSet<ObjRef>,
    ) {
        let root = root_text(end, unit.root);
        match sort(end, unit) {
            Sort::Hidden(rule) => {
                let rule = end.tracker.shapes.rules.rule(rule).id.clone();
                access.hidden.entry(rule).or_default().insert(root);
            }
            Sort::Internal => {
                access.internal.insert(root);
            }
            Sort::Counts => {
                let (mut units, mut exact) = (Vec::new(), Vec::new());
                for (object, number, old) in unit.changed(end.vm) {
                    visible.insert(object);
                    match end.counts(object, unit.root) {
                        Counts::Exactly => {
                            exact.push(number);
                            self.exact.insert(number, object);
                        }
                        Counts::ByRoot => {
                            if end.ready.is_some() {
                                self.exact_roots.insert(root.clone(), unit.root);
                            }
                            inside.changed.roots.insert(root.clone());
                        }
                        Counts::Not => {}
                    }
                    if end.tracker.is_newcomer(object) || self.is_new_mirror(end.vm, object) {
                        access.changed.roots.insert(root.clone());
                        self.roots.insert(root.clone(), unit.root);
                    } else {
                        units.push(number);
                        self.old.entry(number).or_insert((old, object));
                    }
                }
                let units = Units::new(units);
                if let Some(place) = name_of(end, unit)
                    && !self.names.iter().any(|n| n.place == place && n.units == units)
                {
                    let units = units.clone();
                    self.names.push(NamedPlace { place, units });
                }
                access.changed.units.extend(&units);
                inside.changed.units.extend(&Units::new(exact));
            }
        }
    }

    /// What the host was asked for since the last interval ended.
    fn uses_of(&mut self, end: &mut End<'_>) -> UsesOf {
        let now = end.vm.host.uses;
        let before = std::mem::replace(&mut self.uses, now);
        UsesOf {
            clock: now.clock != before.clock,
            identity_hashes: now.identity_hashes != before.identity_hashes,
            network: now.network != before.network,
            environment: self.asked.is_some() && reads_environment(end),
        }
    }

    /// Whether an object holds static fields of a class that not all forks have initialised.
    fn is_new_mirror(&self, vm: &Vm, o: ObjRef) -> bool {
        vm.heap.class_of(o) == vm.known.class && {
            let class = vm.class_of_mirror(o);
            self.is_new(class)
        }
    }

    fn is_new(&self, class: ClassId) -> bool {
        self.earlier.contains(&class) || self.initialised.iter().any(|c| c.id == class)
    }

    /// Which initialisers wrote to something that others have, too.
    fn find_impure(&mut self, end: &mut End<'_>, visible: &BTreeSet<ObjRef>) {
        for write in end.init_writes {
            let Some(at) = self.initialised.iter().rposition(|c| c.id == write.class) else {
                continue;
            };
            if !self.initialised[at].impure && is_shared(end, write, visible) {
                self.initialised[at].impure = true;
            }
        }
    }

    /// What of the asked places was read or written first.
    fn reads(&mut self, end: &mut End<'_>, access: &mut Access) {
        let Some(asked) = &self.asked else { return };
        (access.read.units, access.written.units) = first_accesses(end.vm, asked);
        // Whoever asks for a path may read it.
        let files = end.asked_files.iter().filter(|f| asked.files.contains(*f));
        access.read.files = files.cloned().collect();
        if asked.roots.is_empty() {
            return;
        }
        let mut note = |root: String, (read, written): (bool, bool)| {
            if asked.roots.contains(&root) {
                if read {
                    access.read.roots.insert(root);
                } else if written {
                    access.written.roots.insert(root);
                }
            }
        };
        let new = self.earlier.iter().copied();
        for class in new.chain(self.initialised.iter().map(|c| c.id)) {
            let mirror = end.vm.mirror(class);
            for field in end.tracker.shapes.statics(end.vm, class).iter() {
                let root = Root::Static {
                    class,
                    field: field.name,
                };
                let offset = field.off;
                let unit = Place {
                    object: mirror,
                    offset,
                }
                .unit();
                let first = end.vm.heap.first_access(unit);
                let how = (
                    first == Some(FirstAccess::Read),
                    first == Some(FirstAccess::Write),
                );
                if how.0 || how.1 {
                    note(root_text(end, root), how);
                }
            }
        }
        for o in end.tracker.newcomers() {
            let how = end.vm.heap.accessed(o);
            if !how.0 && !how.1 {
                continue;
            }
            if let Some((Some(root), None)) = end.tracker.root_of(end.vm, o) {
                note(root_text(end, root), how);
            }
        }
    }

    /// The same as tests of the class see it.
    fn reads_inside(&mut self, end: &mut End<'_>, inside: &mut Inside) {
        let (Some(ready), Some(_), Some(asked)) = (end.ready, &self.asked, &self.asked_inside) else {
            return;
        };
        (inside.read.units, inside.written.units) = first_accesses(end.vm, asked);
        let files = end.asked_files.iter().filter(|f| asked.files.contains(*f));
        inside.read.files = files.cloned().collect();
        if asked.roots.is_empty() {
            return;
        }
        let mut note = |root: String, (read, written): (bool, bool)| {
            if asked.roots.contains(&root) && read {
                inside.read.roots.insert(root);
            } else if asked.roots.contains(&root) && written {
                inside.written.roots.insert(root);
            }
        };
        for &class in end.since_forks.get(ready.classes..).unwrap_or_default() {
            let object = end.vm.mirror(class);
            for field in end.tracker.shapes.statics(end.vm, class).iter() {
                let offset = field.off;
                let first = end.vm.heap.first_access(Place { object, offset }.unit());
                let root = Root::Static {
                    class,
                    field: field.name,
                };
                if let Some(first) = first {
                    note(
                        root_text(end, root),
                        (first == FirstAccess::Read, first == FirstAccess::Write),
                    );
                }
            }
        }
        for o in end.tracker.newcomers() {
            let how = end.vm.heap.accessed(o);
            if !how.0 && !how.1 {
                continue;
            }
            if let Some((Some(root), None)) = end.tracker.root_of(end.vm, o)
                && end.counts(o, root) == Counts::ByRoot
            {
                note(root_text(end, root), how);
            }
        }
    }

    /// What the test and the run around it came to.
    pub fn report(&mut self, vm: &Vm, tracker: &mut Tracker) -> AccessReport {
        let mut run = self.run.clone();
        let changed = self.old.iter();
        let changed = changed.filter(|(unit, (old, _))| vm.heap.unit_bits(**unit) != *old);
        let changed: BTreeMap<u64, ObjRef> = changed.map(|(unit, (_, o))| (*unit, *o)).collect();
        run.changed.units = Units::new(changed.keys().copied().collect());
        let mut held = Values::default();
        if self.values {
            let is_new = |class: ClassId| self.is_new(class);
            (held, self.numbers) = values(vm, tracker, None, &changed, &self.roots, &is_new);
            run.changed.units.extend(&held.units);
        }
        let test = self.test.clone().unwrap_or_default();
        run.read = self.before.read.clone();
        run.read
            .extend(&test.read.clone().unless_written(&self.before.written));
        run.written = self.before.written.clone();
        run.written.extend(&test.written);
        run.initialised = self.initialised.iter().map(|c| c.record(vm)).collect();
        AccessReport {
            test,
            tests: self.tests.clone(),
            before: self.before.clone(),
            end: self.end.clone(),
            end_inside: (!self.inside.is_empty()).then(|| self.between.clone()),
            run,
            names: self.names.clone(),
            asserted: self.asserted.clone(),
            inside: self.inside.clone(),
            values: held,
            reads: self.reads.clone(),
            each: self
                .each
                .as_ref()
                .map(|each| each.tests.clone())
                .unwrap_or_default(),
        }
    }
}

/// Units of a word of the heap.
const UNITS_OF_WORD: u64 = 8 / UNIT as u64;

impl Each {
    /// An interval has ended.
    fn add(&mut self, access: &Access, test: Option<&TestName>) {
        let Some(test) = test else {
            self.before.add(access);
            self.before.and_then(access);
            return;
        };
        self.tests.push(OneOfMany {
            test: test.key(),
            before: std::mem::take(&mut self.before),
            access: access.clone(),
            initialisers: std::mem::take(&mut self.initialisers),
        });
    }
}

/// What changed places hold, and the numbers of what is new. Of roots those are listed that are fields of new classes.
fn values(
    vm: &Vm,
    tracker: &mut Tracker,
    since: Option<u32>,
    units: &BTreeMap<u64, ObjRef>,
    roots: &BTreeMap<String, Root>,
    is_new: &dyn Fn(ClassId) -> bool,
) -> (Values, Numbers) {
    tracker.with_digests(vm, since, |mut digests| {
        let (units, held) = digests.units(units);
        let of_new = |root: &Root| matches!(root, Root::Static { class, .. } if is_new(*class));
        let roots = roots.iter().filter(|(_, root)| of_new(root));
        let roots = roots.filter_map(|(name, root)| Some((name.clone(), digests.root(name, *root)?)));
        let roots = roots.collect();
        // Where there is too much of it nothing is known of what places hold.
        let values = digests.objects().map(|objects| Values {
            objects,
            roots,
            units,
            held,
        });
        (values.unwrap_or_default(), digests.into_numbers())
    })
}

/// The end of an interval, while its log is there.
pub(crate) struct End<'a> {
    pub vm: &'a Vm,
    pub tracker: &'a mut Tracker,
    pub origins: &'a mut Origins,
    pub changes: &'a Changes,
    pub units: &'a [Unit],
    pub files: &'a [FileChange],
    pub init_writes: &'a [InitWrite],
    pub asked_files: &'a BTreeSet<String>,
    pub asserted: Option<u64>,
    /// When the fixtures of the class had run, if they have.
    pub ready: Option<&'a Ready>,
    /// The classes that not all forks have.
    pub since_forks: &'a [ClassId],
}

impl End<'_> {
    /// How a place of an object counts between tests of the class. Objects that came with the interval are reached only through
    /// places that it changed, unless through a class that was initialised meanwhile, which each test may do.
    fn counts(&self, o: ObjRef, root: Root) -> Counts {
        let Some(ready) = self.ready else {
            return Counts::ByRoot;
        };
        let later = self.since_forks.get(ready.classes..).unwrap_or_default();
        let is_mirror = self.vm.heap.class_of(o) == self.vm.known.class;
        if is_mirror && later.contains(&self.vm.class_of_mirror(o)) {
            return Counts::ByRoot;
        }
        match (self.tracker.joined(o), root) {
            (None, _) => Counts::Exactly,
            (Some(joined), _) if joined < ready.interval => Counts::Exactly,
            (Some(joined), _) if joined < self.tracker.interval() => Counts::ByRoot,
            (Some(_), Root::Static { class, .. }) if !later.contains(&class) => Counts::Not,
            (Some(_), Root::Static { .. } | Root::Thread(_)) => Counts::ByRoot,
        }
    }
}

impl Class {
    fn record(&self, vm: &Vm) -> Initialised {
        Initialised {
            class: vm.java_name(self.id),
            digest: self.digest,
            impure: self.impure || self.failed,
        }
    }
}

fn live_threads(vm: &Vm) -> usize {
    vm.threads.list.iter().filter(|t| !t.frames.is_empty()).count()
}

fn root_text(end: &mut End<'_>, root: Root) -> String {
    let place = text::place(end.vm, &mut end.tracker.shapes, root, &Path::default());
    place.root.to_string()
}

/// The place of what was changed: that of the difference, if there is one alone. What no public API shows has no name.
fn name_of(end: &mut End<'_>, unit: &Unit) -> Option<poldet_records::Place> {
    let caused = |c: &&Change| c.difference.cause.is_some_and(|s| unit.stacks.contains(&s));
    let differences: Vec<&Change> = end.changes.list.iter().filter(caused).collect();
    let shown: Vec<&&Change> = differences.iter().filter(|c| c.observable).collect();
    let (root, path) = match &shown[..] {
        [] if !differences.is_empty() => return None,
        [one] => (one.at.root, one.difference.path.clone()),
        _ => (unit.root, unit.path.clone()),
    };
    Some(text::place(end.vm, &mut end.tracker.shapes, root, &path))
}

/// Whether environment variables were read: they are in a static field that no program changes.
fn reads_environment(end: &mut End<'_>) -> bool {
    let vm = end.vm;
    let name = vm.syms.get(b"java/lang/ProcessEnvironment");
    let Some(class) = name.and_then(|name| vm.find_loaded(LoaderId::BOOT, name)) else {
        return false;
    };
    let mirror = vm.mirror(class);
    let statics = end.tracker.shapes.statics(vm, class);
    statics.iter().any(|field| {
        let place = Place {
            object: mirror,
            offset: field.off,
        };
        vm.heap.first_access(place.unit()) == Some(FirstAccess::Read)
    })
}

/// Whether what was changed counts, by the differences that come of it.
fn sort(end: &mut End<'_>, unit: &Unit) -> Sort {
    if let Some(rule) = unit.rule {
        return Sort::Hidden(rule);
    }
    let of_unit =
        |c: &&Change| c.at.root == unit.root || c.difference.cause.is_some_and(|s| unit.stacks.contains(&s));
    let mut hidden = None;
    let mut any = false;
    for change in end.changes.list.iter().filter(of_unit) {
        any = true;
        let class = classify(end.vm, &end.tracker.shapes, end.origins, change);
        match class.rule {
            None if class.observable => return Sort::Counts,
            None => {}
            Some(rule) => hidden = hidden.or(Some(rule)),
        }
    }
    let jdk = match unit.root {
        Root::Static { class, .. } => end.origins.origin(end.vm, class) == Origin::Jdk,
        Root::Thread(_) => true,
    };
    match hidden {
        Some(rule) if any => Sort::Hidden(rule),
        _ if jdk => Sort::Internal,
        _ => Sort::Counts,
    }
}

/// Whether what an initialiser wrote belongs to somebody else.
fn is_shared(end: &mut End<'_>, write: &InitWrite, visible: &BTreeSet<ObjRef>) -> bool {
    let (vm, o) = (end.vm, write.object);
    if o == vm.mirror(write.class) || vm.heap.logged(o).is_none_or(|logged| logged.fresh) {
        return false;
    }
    let class = match end.tracker.root_of(vm, o) {
        None | Some((_, Some(_))) => return false,
        Some((Some(Root::Thread(_)), None)) => None,
        Some((Some(Root::Static { class, .. }), None)) => Some(class),
        Some((None, None)) => Some(vm.class_of_mirror(o)),
    };
    // What the JDK does inside itself counts where it shows.
    let own = class.is_some_and(|class| end.origins.origin(vm, class) != Origin::Jdk);
    own || visible.contains(&o)
}

/// A path, and the folder in whose list it came or went.
fn add_file(file: &FileChange, files: &mut BTreeSet<String>) {
    let path = String::from_utf8_lossy(&file.path).into_owned();
    if file.became != Became::Changed
        && let Some((folder, _)) = path.rsplit_once('/')
    {
        files.insert(folder.to_owned());
    }
    files.insert(path);
}

/// Which of the asked places were read first, and which were written first.
fn first_accesses(vm: &Vm, asked: &Places) -> (Units, Units) {
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for &unit in asked.units.as_slice() {
        match vm.heap.first_access(unit) {
            Some(FirstAccess::Read) => read.push(unit),
            Some(FirstAccess::Write) => written.push(unit),
            None => {}
        }
    }
    (Units::new(read), Units::new(written))
}
