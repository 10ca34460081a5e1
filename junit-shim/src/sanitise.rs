//! Decides whether a failure is put down to an assumption that does not hold: the VM knows which exceptions were made, thrown
//! and expected, and on whose behalf (`poldet_vm::throws`); here tests are given their numbers, and the rules are applied.
//!
//! A test is one number from its start to its end. What runs between tests has the number of its class, or of the container
//! that JUnit is in. Threads and tasks inherit the number of whoever started them.

use poldet_records::{
    Considered, Frame, Outcome, Problem, ProblemKind, SanitiseOptions, SanitiseRule, SanitiseVerdict,
    Sanitised, TestAssumption, TestKey, TestName, WhyNot,
};
use poldet_vm::ids::ObjRef;
use poldet_vm::plug::Part;
use poldet_vm::throw::FrameInfo;
use poldet_vm::throws::{Asked, Expected, Made, Question};
use poldet_vm::vm::Vm;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Packages whose frames at the bottom of a stack only say that JUnit called the test.
const RUNNERS: &[&str] = &[
    "org/junit/",
    "junit/framework/",
    "poldet/shim/",
    "org/spockframework/",
];

/// The embedder's state while a suite is sanitised.
pub struct Sanitiser {
    options: SanitiseOptions,
    /// Of each class that the VM watches, which assumption it speaks of.
    kinds: Vec<TestAssumption>,
    last: u32,
    running: BTreeMap<TestKey, Running>,
    /// Classes and containers that JUnit is in: name, number, and the number of what is around it.
    scopes: Vec<(String, u32, u32)>,
    /// Of the problem that was reported outside of tests.
    outside: Vec<u64>,
    dir: PathBuf,
}

impl Part for Sanitiser {}

struct Running {
    behalf: u32,
    before: u32,
    /// Exceptions in what ended the test, by their orders.
    chain: Vec<u64>,
    /// Those of the constructor of an instance that was made long before the test ran.
    constructed: Vec<u64>,
}

/// What may excuse a failure.
enum Candidate<'a> {
    Exception(&'a Made, SanitiseRule),
    Asked(&'a Asked),
}

impl Candidate<'_> {
    fn order(&self) -> u64 {
        match self {
            Candidate::Exception(made, _) => made.order,
            Candidate::Asked(asked) => asked.order,
        }
    }
}

impl Sanitiser {
    /// Puts a sanitiser into a booted VM.
    pub fn install(vm: &mut Vm, options: SanitiseOptions) {
        let mut kinds = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for assumption in &options.assumptions {
            let more = options.exceptions.iter().map(String::as_str);
            let more = more.filter(|_| *assumption == TestAssumption::Network);
            for name in assumption.exceptions().iter().copied().chain(more) {
                kinds.push(*assumption);
                names.push(name.replace('.', "/"));
            }
        }
        let asks = |a| options.assumptions.contains(&a);
        let mut questions = Vec::new();
        questions.extend(asks(TestAssumption::Clock).then_some(Question::Clock));
        questions.extend(asks(TestAssumption::Locale).then_some(Question::Locale));
        vm.watch_throws(names, questions);
        let dir = PathBuf::from(String::from_utf8_lossy(vm.host.fs.cwd()).into_owned());
        vm.plug.attach(Sanitiser {
            options,
            kinds,
            last: 0,
            running: BTreeMap::new(),
            scopes: Vec::new(),
            outside: Vec::new(),
            dir,
        });
    }

    fn number(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// More exceptions that say that there is no network; nobody asks for them where the network is not an assumption.
    fn add_kinds(&mut self, vm: &mut Vm, names: Vec<String>) {
        if self.options.assumptions.contains(&TestAssumption::Network) {
            self.kinds.extend(names.iter().map(|_| TestAssumption::Network));
            vm.watch_more_throws(names.iter().map(|n| n.replace('.', "/")).collect());
        }
    }

    fn test_begins(&mut self, vm: &mut Vm, test: &TestName) {
        let behalf = self.number();
        let before = vm.work_for(behalf);
        let constructed = construct(vm, test, before, behalf);
        let running = Running {
            behalf,
            before,
            chain: Vec::new(),
            constructed,
        };
        self.running.insert(test.key(), running);
    }

    fn failed(&mut self, vm: &mut Vm, key: &TestKey, chain: &[ObjRef]) {
        let orders = vm.made_among(chain);
        match self.running.get_mut(key) {
            Some(running) => running.chain.extend(orders),
            None => self.outside = orders,
        }
    }

    fn test_ends(&mut self, vm: &mut Vm, key: &TestKey, problems: &[Problem]) -> SanitiseVerdict {
        let Some(running) = self.running.remove(key) else {
            return SanitiseVerdict::default();
        };
        let verdict = self.judge(vm, &running, problems);
        vm.work_for(running.before);
        if let Some(throws) = vm.throws_mut() {
            throws.forget(running.behalf);
        }
        verdict
    }

    /// A problem outside of tests: of a class fixture, mostly.
    fn outside(&mut self, vm: &mut Vm, problem: &Problem) -> SanitiseVerdict {
        let behalf = vm.behalf_of(vm.threads.current);
        let running = Running {
            behalf,
            before: behalf,
            chain: std::mem::take(&mut self.outside),
            constructed: Vec::new(),
        };
        self.judge(vm, &running, std::slice::from_ref(problem))
    }

    fn judge(&self, vm: &Vm, running: &Running, problems: &[Problem]) -> SanitiseVerdict {
        let was = problems.iter().find_map(|p| match p.kind {
            ProblemKind::Assertion => Some(Outcome::Failed),
            ProblemKind::Error => Some(Outcome::Error),
            ProblemKind::Assumption | ProblemKind::Limit => None,
        });
        // A limit of ours is nobody's failure.
        let limited = problems.iter().any(|p| p.kind == ProblemKind::Limit);
        let Some(was) = was.filter(|_| !limited) else {
            return SanitiseVerdict::default();
        };
        let (found, not_sanitised) = self.candidates(vm, running);
        // What the class library has replaced by another exception is reported by that one.
        let orders: Vec<u64> = found.iter().map(Candidate::order).collect();
        let replaced = |c: &Candidate<'_>| match c {
            Candidate::Exception(made, _) => made.replaced_by.is_some_and(|by| orders.contains(&by)),
            Candidate::Asked(_) => false,
        };
        // A question without an exception says less than any exception.
        let first = found
            .iter()
            .filter(|c| !replaced(c))
            .min_by_key(|c| (matches!(c, Candidate::Asked(_)), c.order()));
        match first {
            None => SanitiseVerdict {
                sanitised: None,
                not_sanitised,
            },
            Some(first) => SanitiseVerdict {
                sanitised: Some(Box::new(self.sanitised(vm, first, was))),
                not_sanitised: Vec::new(),
            },
        }
    }

    fn candidates<'v>(&self, vm: &'v Vm, running: &Running) -> (Vec<Candidate<'v>>, Vec<Considered>) {
        let (mut found, mut not) = (Vec::new(), Vec::new());
        let Some(throws) = vm.throws() else {
            return (found, not);
        };
        for made in throws.made() {
            let in_chain = running.chain.contains(&made.order);
            let constructed = running.constructed.contains(&made.order);
            let own = made.behalf == running.behalf || constructed;
            if !in_chain && !own || !self.concerns(made) {
                continue;
            }
            let thrown = made.thrown_for.contains(&made.behalf);
            let why = match made.expected {
                Expected::Got => WhyNot::Expected,
                Expected::Maybe(..) if !in_chain => WhyNot::Expected,
                _ if in_chain => {
                    found.push(Candidate::Exception(made, SanitiseRule::Thrown));
                    continue;
                }
                // That says that the server has been closed, not that others cannot be reached.
                _ if thrown && vm.waited_for_clients(made) => WhyNot::Server,
                _ if thrown => {
                    found.push(Candidate::Exception(made, SanitiseRule::Created));
                    continue;
                }
                _ => WhyNot::NeverThrown,
            };
            not.push(Considered {
                exception: vm.java_name(made.class),
                message: vm.message_of(made),
                thread: made.thread.clone(),
                why,
            });
        }
        let asked = throws.asked().iter().filter(|a| a.behalf == running.behalf);
        found.extend(asked.map(Candidate::Asked));
        (found, not)
    }

    /// Does an exception of a watched class speak of its assumption? One about a file does if the file is outside.
    fn concerns(&self, made: &Made) -> bool {
        match self.kinds.get(made.kind) {
            Some(TestAssumption::FilesOutside) => made.path.as_ref().is_some_and(|p| self.is_outside(p)),
            kind => kind.is_some(),
        }
    }

    fn is_outside(&self, path: &str) -> bool {
        let path = plain(&self.dir.join(path));
        let inside = |folder: &String| path.starts_with(folder);
        !path.starts_with(&self.dir) && !self.options.inside.iter().any(inside)
    }

    fn sanitised(&self, vm: &Vm, candidate: &Candidate<'_>, was: Outcome) -> Sanitised {
        match candidate {
            Candidate::Exception(made, rule) => Sanitised {
                assumption: self.kinds[made.kind],
                was,
                exception: Some(vm.java_name(made.class)),
                message: vm.message_of(made),
                thread: made.thread.clone(),
                stack: frames(vm, &made.stack),
                rule: *rule,
                host: made.host.clone(),
                port: made.port,
                path: made.path.clone(),
            },
            Candidate::Asked(asked) => Sanitised {
                assumption: match asked.what {
                    Question::Clock => TestAssumption::Clock,
                    Question::Locale => TestAssumption::Locale,
                },
                was,
                exception: None,
                message: None,
                thread: asked.thread.clone(),
                stack: frames(vm, &asked.stack),
                rule: SanitiseRule::Asked,
                host: None,
                port: None,
                path: None,
            },
        }
    }
}

/// Gives a test what the constructor of its class did before JUnit said that the test starts. JUnit 3 makes all instances of
/// a class at once, and nobody can tell which is whose: the orders of such exceptions are returned.
fn construct(vm: &mut Vm, test: &TestName, before: u32, behalf: u32) -> Vec<u64> {
    let mut own = Vec::new();
    let mut shared = Vec::new();
    for made in vm.throws().map(|t| t.made()).unwrap_or_default() {
        if made.behalf != before && made.behalf != 0 {
            continue;
        }
        let constructor = made.stack.iter().find(|f| is_constructor(vm, f, test));
        let Some(constructor) = constructor else { continue };
        let class = vm.method(constructor.method).class;
        let supers = &vm.class(class).display;
        if supers
            .iter()
            .any(|c| vm.class_name(*c) == "junit/framework/TestCase")
        {
            shared.push(made.order);
        } else {
            own.push(made.order);
        }
    }
    if let Some(throws) = vm.throws_mut() {
        own.iter().for_each(|order| throws.hand_over(*order, behalf));
    }
    shared
}

fn is_constructor(vm: &Vm, frame: &FrameInfo, test: &TestName) -> bool {
    let method = vm.method(frame.method);
    if vm.syms.str(method.name) != "<init>" {
        return false;
    }
    let class = vm.java_name(method.class);
    class == test.class || test.root.as_ref() == Some(&class)
}

/// A stack as reports show it, without the frames of JUnit at its bottom.
fn frames(vm: &Vm, stack: &[FrameInfo]) -> Vec<Frame> {
    let visible: Vec<&FrameInfo> = stack
        .iter()
        .filter(|f| !vm.method(f.method).traits.hidden)
        .collect();
    let told = |f: &&&FrameInfo| {
        let class = vm.method(f.method).class;
        let name = vm.class_name(class);
        !vm.is_jdk_class(class) && !RUNNERS.iter().any(|r| name.starts_with(r))
    };
    let last = visible.iter().rposition(|f| told(&f));
    let count = last.map_or(visible.len(), |last| last + 1);
    let shown = visible.into_iter().take(count);
    shown.map(|f| frame(vm, f)).collect()
}

fn frame(vm: &Vm, info: &FrameInfo) -> Frame {
    let method = vm.method(info.method);
    let source = vm.class(method.class).source_file;
    let line = vm.line_at(method, info.bci).filter(|_| !info.native);
    Frame {
        class: vm.java_name(method.class),
        method: vm.syms.str(method.name).to_owned(),
        file: source.map(|s| vm.syms.str(s).to_owned()),
        line: line.map(u32::from),
        origin: None,
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

pub(crate) fn is_on(vm: &Vm) -> bool {
    vm.plug.part::<Sanitiser>().is_some()
}

pub(crate) fn add_kinds(vm: &mut Vm, names: Vec<String>) {
    vm.with_part(|s: &mut Sanitiser, vm| s.add_kinds(vm, names));
}

/// JUnit enters a class or a container.
pub(crate) fn scope_begins(vm: &mut Vm, name: &str) {
    vm.with_part(|s: &mut Sanitiser, vm| {
        let behalf = s.number();
        let before = vm.work_for(behalf);
        s.scopes.push((name.to_owned(), behalf, before));
    });
}

pub(crate) fn scope_ends(vm: &mut Vm, name: &str) {
    vm.with_part(|s: &mut Sanitiser, vm| {
        if let Some(at) = s.scopes.iter().rposition(|(n, ..)| n == name) {
            let (_, behalf, before) = s.scopes.remove(at);
            vm.work_for(before);
            if let Some(throws) = vm.throws_mut() {
                throws.forget(behalf);
            }
        }
    });
}

pub(crate) fn test_begins(vm: &mut Vm, test: &TestName) {
    vm.with_part(|s: &mut Sanitiser, vm| s.test_begins(vm, test));
}

/// What ended a test, or failed outside of one, with all its causes.
pub(crate) fn failed(vm: &mut Vm, key: &TestKey, chain: &[ObjRef]) {
    vm.with_part(|s: &mut Sanitiser, vm| s.failed(vm, key, chain));
}

/// The verdict on a test that has ended; none where nothing is sanitised.
pub(crate) fn test_ends(vm: &mut Vm, key: &TestKey, problems: &[Problem]) -> Option<SanitiseVerdict> {
    vm.with_part(|s: &mut Sanitiser, vm| s.test_ends(vm, key, problems))
}

pub(crate) fn outside(vm: &mut Vm, problem: &Problem) -> Option<SanitiseVerdict> {
    vm.with_part(|s: &mut Sanitiser, vm| s.outside(vm, problem))
}
