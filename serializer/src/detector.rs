//! The whole pipeline: watches the shared state from one boundary to the next and makes findings of what changed.

use crate::access::{AccessLog, End, Ready};
use crate::classify::writer::by_method;
use crate::classify::{Class, Origins, Suite, actions, classify, files};
use crate::dump::{self, Snapshot};
use crate::finding::{FileFinding, Finding, Fold, Pollution};
use crate::graph::graph;
use crate::history::{History, Past};
use crate::knowledge::Knowledge;
use crate::place::Root;
use crate::reading::Reading;
use crate::rules::{RuleNo, RuleSet};
use crate::text;
use crate::threads::Started;
use crate::tracker::{Change, Changes, Options, Tracker};
use crate::undo::Undo;
use poldet_records::{
    AccessReport, CaptureOptions, Definition, Place, Places, Roots, TestName, UndoUnit, UnitRead,
};
use poldet_vm::ids::ClassId;
use poldet_vm::plug::Part;
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What was done to the shared state since the last boundary; or what went wrong with comparing it.
pub type Detected = Result<Option<Pollution>, String>;

/// Whose interval ends at a boundary.
#[derive(Clone, Copy, Debug)]
pub enum Interval<'a> {
    Test(&'a TestName),
    /// Fixtures of this class before one of its tests; JUnit itself where it is empty.
    Fixtures(&'a str),
    /// The last fixtures of this class.
    ClassEnd(&'a str),
}

impl Interval<'_> {
    fn test(self) -> Option<TestName> {
        match self {
            Interval::Test(test) => Some(test.clone()),
            Interval::Fixtures(_) | Interval::ClassEnd(_) => None,
        }
    }
}

/// The places whose reads are of interest.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub places: Option<Places>,
    /// As tests of the class see them.
    pub inside: Option<Places>,
}

pub struct Detector {
    tracker: Tracker,
    origins: Origins,
    options: CaptureOptions,
    /// Where the state around tests goes, when asked for, and how many have been written.
    dump: Option<(PathBuf, u32)>,
    /// Where two comparisons of the state disagreed, and what could not be written.
    complaints: Vec<String>,
    history: History,
    started: Started,
    /// What the last interval changed, when somebody may want it back.
    pub undo: Undo,
    /// What is read and changed, when somebody compares tests by that.
    access: Option<AccessLog>,
    /// Classes that were initialised since forks were to follow: they are not the same in all of them.
    since_forks: Option<Vec<ClassId>>,
    /// When the fixtures of the last class had run.
    ready: Option<Ready>,
    /// Which of an earlier interval's changes are read.
    reading: Reading,
}

/// The detector stays in the VM, which reports initialised classes to it; whoever knows of test boundaries takes it out
/// there.
impl Part for Detector {
    fn class_initialized(&mut self, vm: &mut Vm, class: ClassId) {
        self.tracker.class_initialized(vm, class);
        self.history.class_initialized(class);
        self.init_ended(vm, class, false);
    }

    fn class_initializing(&mut self, vm: &mut Vm, class: ClassId) {
        if let Some(access) = &mut self.access {
            vm.heap.init_begins(class);
            access.class_initialising(vm, class);
        }
    }

    fn classes_unloaded(&mut self, classes: &[ClassId]) {
        self.tracker.classes_unloaded(classes);
    }

    fn class_init_failed(&mut self, vm: &mut Vm, class: ClassId) {
        self.init_ended(vm, class, true);
    }
}

impl Detector {
    /// Puts a detector into a VM. It begins to watch when it is asked to, or at the first boundary.
    pub fn install(
        vm: &mut Vm,
        options: CaptureOptions,
        suite: Suite,
        on_path: Option<Suite>,
    ) -> Result<(), String> {
        let detector = Detector::new(vm, options, Origins::new(suite, on_path))?;
        vm.plug.attach(detector);
        vm.keep_file_journal();
        Ok(())
    }

    fn new(vm: &Vm, options: CaptureOptions, origins: Origins) -> Result<Detector, String> {
        let rules = RuleSet::new(options.rules.clone())?;
        let known = Knowledge::new(&options.known)?;
        let tracked = Options {
            show_hidden: options.show_ignored,
            common_roots: options.roots == Roots::Common,
        };
        Ok(Detector {
            tracker: Tracker::new(vm, rules, known, tracked),
            origins,
            dump: options.dump.as_ref().map(|dir| (PathBuf::from(dir), 0)),
            options,
            complaints: Vec::new(),
            history: History::default(),
            started: Started::default(),
            undo: Undo::default(),
            access: None,
            since_forks: None,
            ready: None,
            reading: Reading::default(),
        })
    }

    /// Lets the detector that was put into a VM work on it; None if there is none.
    pub fn with<T>(vm: &mut Vm, work: impl FnOnce(&mut Detector, &mut Vm) -> T) -> Option<T> {
        vm.with_part(work)
    }

    /// Takes the state as it is now for the first one, unless there is one already.
    pub fn begin(&mut self, vm: &mut Vm) {
        if !self.tracker.has_begun() {
            self.tracker.begin(vm);
            self.started.begin(vm);
        }
    }

    fn init_ended(&mut self, vm: &mut Vm, class: ClassId, failed: bool) {
        self.since_forks.iter_mut().for_each(|all| all.push(class));
        if let Some(access) = &mut self.access {
            vm.heap.init_ends(class);
            access.class_initialised(vm, &mut self.tracker, class, failed);
        }
    }

    /// From now on objects that join the state are known as new: forks of this process compare what they access by what
    /// was there before.
    pub fn forks_follow(&mut self) {
        self.tracker.note_newcomers();
        self.since_forks = Some(Vec::new());
    }

    /// Before forks of this process, which may be a fork itself.
    pub fn holds(&mut self) {
        self.tracker.forks_follow();
    }

    /// In a forked process: leaves the pages alone that it shares with its parent.
    pub fn forked(&mut self) {
        self.tracker.forked();
    }

    /// Logs what is changed from now on, and what of the asked places is read.
    /// With `values` it is found out, too, what the changed places hold. `in_class`: what runs are more tests of the class that
    /// is being run.
    pub fn log_access(&mut self, vm: &mut Vm, asked: Asked, values: bool, in_class: bool) {
        let Asked {
            places: asked,
            inside,
        } = asked;
        if asked.is_some() {
            vm.host.fs().log_asked();
            vm.heap.clear_reads();
        }
        vm.heap.take_init_writes();
        let earlier = self.since_forks.clone().unwrap_or_default();
        let known = self.access.take().map(|log| log.into_numbers(in_class));
        let known = known.unwrap_or_default();
        self.access = Some(AccessLog::new(vm, asked, inside, earlier, values, known));
    }

    /// Tells the tests apart that run from now on, in the log of accesses.
    pub fn tell_apart(&mut self) {
        self.access.iter_mut().for_each(AccessLog::tell_apart);
    }

    /// The fixtures of a class have run: all forks of this process have what has come so far at the same addresses, and so have other
    /// processes in which nothing else ran before.
    pub fn class_is_ready(&mut self, class: &str) {
        let Some(classes) = &self.since_forks else { return };
        let hash = blake3::hash(class.as_bytes());
        let name = hash
            .as_bytes()
            .iter()
            .take(8)
            .fold(0, |n, b| n << 8 | u64::from(*b));
        self.ready = Some(Ready {
            interval: self.tracker.interval(),
            classes: classes.len(),
            mark: name ^ self.tracker.newcomers_digest() ^ (classes.len() as u64),
        });
    }

    /// What was accessed since the log began, if there is one.
    pub fn access_report(&mut self, vm: &Vm) -> Option<AccessReport> {
        let tracker = &mut self.tracker;
        self.access.as_mut().map(|access| access.report(vm, tracker))
    }

    /// An interval has just ended.
    pub fn boundary(&mut self, vm: &mut Vm, interval: Interval<'_>) -> Detected {
        let owned = interval.test();
        let test = owned.as_ref();
        self.history.begin(interval);
        self.access.iter_mut().for_each(|access| access.settle(vm));
        let files = vm.host.fs().take_changes();
        let mut pollution = Pollution {
            files: files::findings(vm, &mut self.origins, &files),
            ..Pollution::default()
        };
        let asked_files: BTreeSet<String> = match &self.access {
            Some(access) if access.logs_reads() => {
                let asked = vm.host.fs().take_asked();
                asked
                    .iter()
                    .map(|p| String::from_utf8_lossy(p).into_owned())
                    .collect()
            }
            _ => BTreeSet::new(),
        };
        let init_writes = vm.heap.take_init_writes();
        let asserted = vm.take_assertions();
        self.undo.clear(files.clone());
        let hidden_files = self.hide_files(&mut pollution.files);
        if self.options.definition == Definition::Net {
            let changes = pollution.files.iter_mut().filter(|f| f.is_change());
            changes.for_each(|f| self.history.file(f));
        }
        if !self.tracker.has_begun() {
            self.tracker.begin(vm);
            self.started.begin(vm);
            pollution.judge(self.options.strict);
            return Ok((!pollution.is_empty()).then_some(pollution));
        }
        pollution.threads = self
            .started
            .boundary(vm, &mut self.tracker.shapes, &mut self.origins, interval);
        let mut boundary = self.tracker.boundary(&mut *vm);
        let (now, tracker, changes) = boundary.parts();
        let place = || test.map_or_else(|| "between tests".into(), |t| format!("after {}", t.text()));
        if let (Some(dump), Some(test)) = (&mut self.dump, test)
            && let Err(why) = write_dump(dump, test, tracker.snapshots(now))
        {
            self.complaints.push(why);
        }
        if self.options.verify
            && let Some(what) = disagreement(now, tracker, changes)
        {
            self.complaints.push(format!("{}: {what}", place()));
        }
        if let Some(fault) = &changes.fault {
            return Err(format!("capture, {}: {fault}", place()));
        }
        let mut hidden = changes.hidden.clone();
        let mut budget = MOST_COUNTED;
        // Findings by their place, since a test may leave very many of them.
        let mut known: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        for (at, finding) in pollution.pollutions.iter().enumerate() {
            known.entry(finding.place.clone()).or_default().push(at);
        }
        for change in &changes.list {
            let class = classify(now, &tracker.shapes, &mut self.origins, change);
            hidden.extend(class.rule.map(|rule| (rule, change.at.root)));
            if class.rule.is_some() && !self.options.show_ignored {
                continue;
            }
            let past = match class.rule {
                None => self.history.change(now, &mut tracker.shapes, change),
                Some(_) => Past::default(),
            };
            let mut finding = finding(now, tracker, change, class, self.options.graphs);
            if let Some(size) = text::size(now, tracker, change, &mut budget) {
                finding.after = format!("{} ({size})", finding.after);
            }
            if self.options.definition == Definition::Net {
                finding.restores = past.restores;
            }
            let in_initialiser = finding.folded == Some(Fold::StaticInitialiser);
            if in_initialiser && !self.history.is_registry(change.at.root) {
                finding.folded = None;
            }
            if past.is_id {
                finding.folded = Some(Fold::IdGenerator);
            }
            if self.options.all {
                finding.folded = None;
            }
            // Several parts of one collection may say the same.
            let alike = known.entry(finding.place.clone()).or_default();
            if !alike.iter().any(|at| pollution.pollutions[*at] == finding) {
                alike.push(pollution.pollutions.len());
                pollution.pollutions.push(finding);
            }
        }
        if self.undo.is_kept() {
            let units = boundary.units();
            let (now, tracker, changes) = boundary.parts();
            self.undo.take(now, tracker, &mut self.origins, changes, units);
        }
        if let Some(access) = &mut self.access {
            let units = boundary.units();
            let (now, tracker, changes) = boundary.parts();
            let mut end = End {
                vm: now,
                tracker,
                origins: &mut self.origins,
                changes,
                units: &units,
                files: &files,
                init_writes: &init_writes,
                asked_files: &asked_files,
                asserted,
                ready: self.ready.as_ref(),
                since_forks: self.since_forks.as_deref().unwrap_or_default(),
            };
            access.interval(&mut end, test, matches!(interval, Interval::ClassEnd(_)));
        }
        let (_, tracker, _) = boundary.parts();
        pollution.hidden = counted(&tracker.shapes.rules, &hidden, &hidden_files);
        drop(boundary);
        self.tracker.interval_ended();
        if self.access.as_ref().is_some_and(AccessLog::logs_reads) {
            vm.heap.clear_reads();
        }
        pollution.after = self.history.after();
        pollution.pollutions = actions::merged(std::mem::take(&mut pollution.pollutions));
        pollution.pollutions.sort_by_key(|f| {
            (
                f.ignored_by.is_some(),
                f.folded.is_some(),
                !f.observable,
                f.origin,
            )
        });
        pollution.judge(self.options.strict);
        Ok(Some(pollution))
    }

    /// Takes out what rules hide, or says by which it is hidden if it is to be listed; the rules.
    fn hide_files(&self, files: &mut Vec<FileFinding>) -> Vec<RuleNo> {
        let rules = &self.tracker.shapes.rules;
        let mut hidden = Vec::new();
        files.retain_mut(|file| {
            let rule = by_method(&file.written_at, rules);
            hidden.extend(rule);
            file.ignored_by = rule.map(|rule| rules.rule(rule).id.clone());
            rule.is_none() || self.options.show_ignored
        });
        hidden
    }

    /// What the last interval changed and can be put back.
    pub fn undo_units(&mut self, vm: &mut Vm) -> Vec<UndoUnit> {
        self.undo.units(vm, &mut self.origins)
    }

    /// Puts changes of the last interval back, by number.
    pub fn put_back(&mut self, vm: &mut Vm, chosen: &[usize]) -> Result<(), String> {
        self.history.clear();
        self.undo.put_back(vm, chosen)
    }

    /// Remembers some of the last interval's changes, by number, to find out who reads them.
    pub fn name_changes(&mut self, vm: &mut Vm, numbers: &[usize]) {
        self.reading.name(vm, &self.undo, numbers);
    }

    /// From now on keeps the first read of each of the changes that were named.
    pub fn watch_reads(&mut self, vm: &mut Vm) -> Result<(), String> {
        self.reading.begin(vm)
    }

    /// The first reads since then.
    pub fn take_reads(&mut self, vm: &mut Vm) -> Result<Vec<UnitRead>, String> {
        self.reading.end(vm, &mut self.origins)
    }

    /// What has been found wrong with poldet itself since this was last asked.
    pub fn take_complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}

/// How many changed roots and files each rule hid.
fn counted(rules: &RuleSet, roots: &BTreeSet<(RuleNo, Root)>, files: &[RuleNo]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for rule in roots.iter().map(|(rule, _)| rule).chain(files) {
        *counts.entry(rules.rule(*rule).id.clone()).or_default() += 1;
    }
    counts
}

/// Objects that are counted in an interval to say how large what was added is.
const MOST_COUNTED: usize = 200_000;

/// The record of a change; here and nowhere before it becomes text.
fn finding(vm: &Vm, tracker: &mut Tracker, change: &Change, class: Class, graphs: bool) -> Finding {
    let (before, after) = text::sides(vm, tracker, change);
    let rules = &tracker.shapes.rules;
    Finding {
        also: Vec::new(),
        restores: None,
        restored_by: None,
        impact: None,
        folded: class.folded,
        ignored_by: class.rule.map(|rule| rules.rule(rule).id.clone()),
        place: text::place(vm, &mut tracker.shapes, change.at.root, &change.difference.path),
        kind: change.difference.kind,
        before,
        after,
        label: class.label,
        first_touch: change.at.first_touch,
        observable: class.observable,
        origin: class.origin,
        written_at: class.written_at,
        graph: graphs.then(|| graph(vm, tracker, change)),
    }
}

/// The first test's state goes to the folder itself, those of further ones to numbered folders in it.
fn write_dump(
    dump: &mut (PathBuf, u32),
    test: &TestName,
    (before, after): (Snapshot, Snapshot),
) -> Result<(), String> {
    let (dir, count) = dump;
    *count += 1;
    let dir = match *count {
        1 => dir.clone(),
        n => dir.join(n.to_string()),
    };
    let written = dump::write(&dir, &test.text(), &before, &after);
    let named = written.and_then(|()| std::fs::write(dir.join("test.txt"), format!("{}\n", test.text())));
    named.map_err(|e| format!("cannot write the state to {}: {e}", dir.display()))
}

/// Where what the log said and the digests of both states disagree.
fn disagreement(vm: &Vm, tracker: &mut Tracker, changes: &Changes) -> Option<String> {
    let counted = |c: &&Change| c.observable && c.at.rule.is_none();
    let (before, now) = tracker.digests(vm);
    let places: Vec<String> = changes
        .list
        .iter()
        .filter(counted)
        .map(|c| text::place(vm, &mut tracker.shapes, c.at.root, &c.difference.path).to_string())
        .collect();
    match (places.is_empty(), before == now) {
        (true, false) => Some("a walk of the whole state finds it changed, the write log does not".into()),
        (false, true) => Some(format!(
            "the write log finds changes that a walk of the whole state does not: {}",
            places.join(", ")
        )),
        _ => None,
    }
}
