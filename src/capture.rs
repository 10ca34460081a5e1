//! Watches the shared state around every test and turns what changed into findings.

mod by_writer;
mod files;
mod label;
mod lazy;

use crate::run::suite::Entry;
use poldet_junit_shim::driver::{TestObserver, Watched};
use poldet_records::{CaptureOptions, PathStep, Place, Roots, TestName};
use poldet_serializer::diff::Edge;
use poldet_serializer::dump::{self, Snapshot};
use poldet_serializer::finding::{Finding, Frame, Origin, Pollution};
use poldet_serializer::graph::graph;
use poldet_serializer::rules::RuleSet;
use poldet_serializer::tracker::{Change, Changes, Options, Root, Tracker};
use poldet_vm::heap::Site;
use poldet_vm::ids::ClassId;
use poldet_vm::interp::stubs;
use poldet_vm::vm::{Hooks, Vm};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

/// Frames shown of a write's stack when no frame of the suite is in it.
const MOST_FRAMES: usize = 40;

/// The tracker, which both the VM's hooks and the test boundaries use.
type Shared = Rc<RefCell<Tracker>>;

pub struct Observer {
    tracker: Shared,
    /// What was given to be tested.
    suite: Vec<Entry>,
    /// Where the state around tests goes, when asked for, and how many have been written.
    dump: Option<(PathBuf, u32)>,
    graphs: bool,
    show_hidden: bool,
    strict: bool,
    /// Walk the whole state at every boundary and see whether that says the same.
    verify: bool,
    /// Where that said something else.
    complaints: Vec<String>,
}

struct Initialisations(Shared);

impl Hooks for Initialisations {
    fn class_initialized(&mut self, vm: &mut Vm, class: ClassId) {
        self.0.borrow_mut().class_initialized(vm, class);
    }
}

impl Observer {
    /// Begins to watch when the first fixtures are to run.
    pub fn install(vm: &mut Vm, capture: &CaptureOptions, suite: &[String]) -> Result<Observer, String> {
        let rules = RuleSet::new(capture.rules.clone())?;
        let options = Options {
            show_hidden: capture.show_ignored,
            common_roots: capture.roots == Roots::Common,
        };
        let tracker = Rc::new(RefCell::new(Tracker::new(vm, rules, options)));
        vm.hooks = Some(Box::new(Initialisations(tracker.clone())));
        vm.keep_file_journal();
        let suite = suite.iter().map(|p| Entry::open(p)).collect::<Result<_, _>>()?;
        let dump = capture.dump.as_ref().map(|dir| (PathBuf::from(dir), 0));
        Ok(Observer {
            tracker,
            suite,
            dump,
            graphs: capture.graphs,
            show_hidden: capture.show_ignored,
            strict: capture.strict,
            verify: capture.verify,
            complaints: Vec::new(),
        })
    }

    /// `test` has just ended, unless what ran was something between tests.
    fn boundary(&mut self, vm: &mut Vm, test: Option<&TestName>) -> Watched {
        let tracker = self.tracker.clone();
        let mut tracker = tracker.borrow_mut();
        let mut told = Pollution {
            files: files::findings(vm, |vm, sites| self.frames(vm, sites)),
            ..Pollution::default()
        };
        if !tracker.has_begun() {
            tracker.begin(vm);
            told.judge(self.strict);
            return Ok((!told.is_empty()).then_some(told));
        }
        let mut findings = Vec::new();
        let mut complaint = None;
        let mut dump = self.dump.take();
        let changes = tracker.boundary(vm, |vm, tracker, changes| {
            if let (Some(dump), Some(test)) = (&mut dump, test) {
                complaint = write_dump(dump, test, tracker.snapshots(vm)).err();
            }
            if self.verify {
                complaint = complaint.take().or_else(|| disagreement(vm, tracker, changes));
            }
            let all = changes.list.iter();
            findings = all
                .map(|c| (self.finding(vm, tracker, c), self.frames_of_jdk(vm, c)))
                .collect();
        });
        self.dump = dump;
        let place = test.map_or_else(|| "between tests".into(), |t| format!("after {}", t.text()));
        self.complaints
            .extend(complaint.map(|what| format!("{place}: {what}")));
        if let Some(fault) = changes.fault {
            return Err(format!("capture, {place}: {fault}"));
        }
        tell(&tracker, &changes, findings, self.show_hidden, &mut told);
        told.judge(self.strict);
        Ok(Some(told))
    }

    fn finding(&self, vm: &Vm, tracker: &mut Tracker, change: &Change) -> Finding {
        let difference = &change.difference;
        let ignored_by = change
            .rule
            .map(|r| tracker.shapes.rules.rule(usize::from(r)).id.clone());
        let mut finding = Finding {
            place: place(vm, change),
            kind: difference.kind,
            before: difference.before.clone(),
            after: difference.after.clone(),
            label: poldet_serializer::finding::Label::State,
            first_touch: change.first_touch,
            observable: change.observable && !change.stale,
            origin: self.origin_of(vm, &change.root),
            ignored_by,
            written_at: difference
                .cause
                .map_or_else(Vec::new, |stack| self.frames(vm, vm.heap.write_stack(stack))),
            graph: self.graphs.then(|| graph(vm, tracker, change)),
        };
        finding.label = label::label(&finding, change);
        if lazy::made_on_demand(vm, change) {
            finding.label = poldet_serializer::finding::Label::LazyInitialisation;
            finding.observable = false;
        }
        finding
    }

    fn origin_of(&self, vm: &Vm, root: &Root) -> Origin {
        match root {
            Root::Static { class, .. } => self.origin(vm, *class),
            Root::Thread { .. } => Origin::Jdk,
        }
    }

    fn origin(&self, vm: &Vm, class: ClassId) -> Origin {
        if vm.is_jdk_class(class) {
            return Origin::Jdk;
        }
        // A hidden class stands in no file; its host does.
        let name = vm.class_name(class);
        let name = name.split("+0x").next().unwrap_or(name);
        let name = name.split("$$Lambda").next().unwrap_or(name);
        let file = format!("{name}.class");
        if self.suite.iter().any(|entry| entry.has(&file)) {
            Origin::Suite
        } else {
            Origin::Library
        }
    }

    fn frames(&self, vm: &Vm, sites: &[Site]) -> Vec<Frame> {
        self.shown(vm, sites).iter().map(|s| frame(vm, s)).collect()
    }

    /// Which frames of the write's stack are those of the JDK itself.
    fn frames_of_jdk(&self, vm: &Vm, change: &Change) -> Vec<bool> {
        let Some(stack) = change.difference.cause else {
            return Vec::new();
        };
        let shown = self.shown(vm, vm.heap.write_stack(stack));
        let of_jdk = shown.iter().map(|s| vm.is_jdk_class(vm.method(s.method).class));
        of_jdk.collect()
    }

    /// A recorded stack down to the last frame of the suite; what called that is JUnit's.
    fn shown<'s>(&self, vm: &Vm, sites: &'s [Site]) -> Vec<&'s Site> {
        let visible = |s: &&Site| !vm.method(s.method).traits.hidden;
        let mut shown: Vec<&Site> = sites.iter().filter(visible).collect();
        let of_suite = |s: &&Site| self.origin(vm, vm.method(s.method).class) == Origin::Suite;
        let last = shown.iter().rposition(of_suite);
        shown.truncate(last.map_or(MOST_FRAMES, |last| last + 1));
        shown
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
    dump::write(&dir, &test.text(), &before, &after)
        .map_err(|e| format!("cannot write to {}: {e}", dir.display()))
}

fn tell(
    tracker: &Tracker,
    changes: &Changes,
    findings: Vec<(Finding, Vec<bool>)>,
    show_hidden: bool,
    told: &mut Pollution,
) {
    let rules = &tracker.shapes.rules;
    for (rule, count) in &changes.hidden {
        let id = rules.rule(usize::from(*rule)).id.clone();
        told.hidden.insert(id, *count);
    }
    for (mut finding, of_jdk) in findings {
        if let Some(rule) = by_writer::rule(&finding, &of_jdk, rules) {
            let id = &rules.rule(rule).id;
            *told.hidden.entry(id.clone()).or_default() += 1;
            if !show_hidden {
                continue;
            }
            finding.ignored_by = Some(id.clone());
        }
        if by_writer::is_empty_look(&finding) {
            finding.observable = false;
        }
        // Several parts of one collection may tell the same.
        if !told.pollutions.contains(&finding) {
            told.pollutions.push(finding);
        }
    }
    told.pollutions
        .sort_by_key(|f| (f.ignored_by.is_some(), !f.observable, f.origin));
}

/// Where what the log said and the digests of both states disagree.
fn disagreement(vm: &Vm, tracker: &mut Tracker, changes: &Changes) -> Option<String> {
    let counted = |c: &&Change| c.observable && c.rule.is_none();
    let (before, now) = tracker.digests(vm);
    let places: Vec<String> = changes
        .list
        .iter()
        .filter(counted)
        .map(|c| format!("{}{}", tracker.root_text(vm, &c.root), c.difference.path.text()))
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

fn frame(vm: &Vm, site: &Site) -> Frame {
    let method = vm.method(site.method);
    let class = vm.class(method.class);
    let native = site.pc == stubs::NATIVE.as_ptr() as usize || method.is_native();
    let bci = vm.bci_of(method, site.pc as *const _);
    let line = vm.line_at(method, bci).filter(|_| !native);
    Frame {
        class: vm.java_name(method.class),
        method: vm.syms.str(method.name).to_owned(),
        file: class.source_file.map(|s| vm.syms.str(s).to_owned()),
        line: line.map(u32::from),
        origin: None,
    }
}

fn place(vm: &Vm, change: &Change) -> Place {
    let root = match &change.root {
        Root::Static { class, field } => poldet_records::Root::Static {
            class: vm.java_name(*class),
            field: (*field).into(),
        },
        Root::Thread { name } => poldet_records::Root::Thread { name: name.clone() },
    };
    let steps = change.difference.path.edges();
    let steps = steps.into_iter().map(|edge| match edge {
        Edge::Field(name) => PathStep::Field(name.into()),
        Edge::Index(i) => PathStep::Index(i),
        Edge::Key(key) => match key.strip_prefix("thread \"").and_then(|k| k.strip_suffix('"')) {
            Some(name) => PathStep::Thread(name.to_owned()),
            None => PathStep::Key(key),
        },
    });
    Place {
        root,
        steps: steps.collect(),
    }
}

impl TestObserver for Observer {
    fn fixtures_follow(&mut self, vm: &mut Vm) {
        let mut tracker = self.tracker.borrow_mut();
        if !tracker.has_begun() {
            tracker.begin(vm);
        }
    }

    fn test_started(&mut self, vm: &mut Vm, _test: &TestName) -> Watched {
        self.boundary(vm, None)
    }

    fn test_finished(&mut self, vm: &mut Vm, test: &TestName) -> Watched {
        self.boundary(vm, Some(test))
    }

    fn class_finished(&mut self, vm: &mut Vm) -> Watched {
        self.boundary(vm, None)
    }

    fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}
