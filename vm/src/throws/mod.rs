//! What becomes of exceptions of certain classes: where they were made, on whose behalf, whether they were thrown, and who
//! caught them.
//!
//! An embedder names the classes (`Vm::watch_throws`) and numbers those on whose behalf threads work (`Vm::work_for`). The
//! number is inherited by a thread that is started, and by a task that is handed to an executor (`tasks.rs`). Everything here
//! happens where exceptions are made, thrown and caught; a VM that watches nothing pays one test of a pointer there.

mod address;
mod expect;
mod tasks;

use crate::ids::{ClassId, MethodId, ObjRef, ThreadId};
use crate::link::op::Op;
use crate::sym::FixedMap;
use crate::throw::FrameInfo;
use crate::vm::Vm;
use expect::Expectation;
use std::collections::BTreeSet;

/// Exceptions of a chain that are checked.
const LONGEST_CHAIN: usize = 64;

/// An exception of a watched class.
#[derive(Clone, Debug)]
pub struct Made {
    /// Counts all of them, in the order they were made.
    pub order: u64,
    /// Null once it was collected.
    pub object: ObjRef,
    pub class: ClassId,
    /// The number of the watched class that it is a subclass of.
    pub kind: usize,
    /// On whose behalf it was made.
    pub behalf: u32,
    /// On whose behalf it was thrown.
    pub thrown_for: Vec<u32>,
    pub message: Option<String>,
    /// The thread's name.
    pub thread: String,
    pub stack: Vec<FrameInfo>,
    /// What was asked for when it was made, as far as it is known.
    pub host: Option<String>,
    pub port: Option<u16>,
    /// The file that was asked for.
    pub path: Option<String>,
    pub expected: Expected,
    /// The class library caught it and went on to throw another in its place: that one's order.
    pub replaced_by: Option<u64>,
    on: ThreadId,
    /// The frame that expected an exception when this one was made.
    inside: Option<usize>,
    /// The class library was the last to catch it.
    kept_inside: bool,
    /// A class could not be initialised for it: whoever uses the class later meets it again.
    lasting: bool,
}

/// Whether an exception was expected by what caught it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    No,
    /// Whoever caught it takes any exception and has not complained since: the frame that caught it.
    Maybe(ThreadId, usize),
    /// What was expected is of its class.
    Got,
}

/// What the VM was asked for without an exception: a default that differs from machine to machine.
#[derive(Clone, Debug)]
pub struct Asked {
    pub order: u64,
    pub what: Question,
    pub behalf: u32,
    pub thread: String,
    pub stack: Vec<FrameInfo>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The time of day.
    Clock,
    /// The default locale.
    Locale,
}

#[derive(Default)]
pub struct Throws {
    /// Internal names of the watched classes.
    kinds: Vec<String>,
    class_kinds: FixedMap<ClassId, Option<usize>>,
    questions: Vec<Question>,
    made: Vec<Made>,
    asked: Vec<Asked>,
    last: u64,
    /// Tasks that were handed to an executor, and on whose behalf.
    tasks: FixedMap<ObjRef, u32>,
    expectations: FixedMap<MethodId, Option<Expectation>>,
    /// Errors that stand for what an initialiser threw, and its order.
    stand_ins: Vec<(ObjRef, u64)>,
    /// On whose behalf nobody asks any more; threads may still work for them.
    ended: BTreeSet<u32>,
}

impl Throws {
    /// All that are known, in the order they were made.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    fn of(&mut self, object: ObjRef) -> Option<&mut Made> {
        self.made.iter_mut().rev().find(|m| m.object == object)
    }

    /// Takes what was made for somebody over to somebody else.
    pub fn hand_over(&mut self, order: u64, to: u32) {
        if let Some(made) = self.made.iter_mut().find(|m| m.order == order) {
            for behalf in &mut made.thrown_for {
                if *behalf == made.behalf {
                    *behalf = to;
                }
            }
            made.behalf = to;
        }
    }

    /// Nobody asks any more for what was made on this behalf. An object that is still there is remembered, so that it does
    /// not count for others who throw it again.
    pub fn forget(&mut self, behalf: u32) {
        self.made
            .retain(|m| m.behalf != behalf || m.lasting || !m.object.is_null());
        self.asked.retain(|a| a.behalf != behalf);
        self.ended.insert(behalf);
    }

    /// Objects that the collector is about to free.
    pub(crate) fn sweep(&mut self, lives: impl Fn(ObjRef) -> bool) {
        for made in &mut self.made {
            if !made.object.is_null() && !lives(made.object) {
                made.object = ObjRef::NULL;
            }
        }
        let ended = &self.ended;
        self.made
            .retain(|m| !m.object.is_null() || m.lasting || !ended.contains(&m.behalf));
        self.tasks.retain(|task, _| lives(*task));
    }

    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

impl Vm {
    /// From now on knows what becomes of exceptions of these classes (internal names), and who asks for these defaults.
    pub fn watch_throws(&mut self, kinds: Vec<String>, questions: Vec<Question>) {
        self.throws = Some(Box::new(Throws {
            kinds,
            questions,
            ..Throws::default()
        }));
        self.note_calls_again();
    }

    /// More classes to watch. What was made before is not known.
    pub fn watch_more_throws(&mut self, kinds: Vec<String>) {
        if let Some(throws) = &mut self.throws {
            throws.kinds.extend(kinds);
            throws.class_kinds.clear();
        }
    }

    pub fn throws(&self) -> Option<&Throws> {
        self.throws.as_deref()
    }

    pub fn throws_mut(&mut self) -> Option<&mut Throws> {
        self.throws.as_deref_mut()
    }

    /// The current thread works on this behalf from now on; returns on whose it did.
    pub fn work_for(&mut self, behalf: u32) -> u32 {
        std::mem::replace(&mut self.threads.cur().behalf, behalf)
    }

    /// The message of an exception: as it was thrown, or as it is now.
    pub fn message_of(&self, made: &Made) -> Option<String> {
        if made.message.is_some() || made.object.is_null() {
            return made.message.clone();
        }
        let message = self.heap.get_ref(made.object, self.known.throwable_message);
        (!message.is_null()).then(|| self.text(message))
    }

    /// Records of the watched ones among these exceptions, made now where there were none: their orders.
    pub fn made_among(&mut self, exceptions: &[ObjRef]) -> Vec<u64> {
        let mut orders = Vec::new();
        for e in exceptions {
            let stand_ins = self.throws.iter().flat_map(|t| &t.stand_ins);
            orders.extend(stand_ins.filter(|(s, _)| s == e).map(|(_, order)| *order));
            if let Some(kind) = self.kind_of(*e) {
                self.note(*e, kind);
                let known = self.throws.as_mut().and_then(|t| t.of(*e)).map(|m| m.order);
                orders.extend(known);
            }
        }
        orders
    }

    /// Which watched class an exception is of.
    fn kind_of(&mut self, e: ObjRef) -> Option<usize> {
        let class = self.heap.class_of(e);
        let throws = self.throws.as_deref()?;
        if let Some(known) = throws.class_kinds.get(&class) {
            return *known;
        }
        let supers = &self.class(class).display;
        let named = |kind: &String| supers.iter().any(|c| self.class_name(*c) == kind);
        let kind = throws.kinds.iter().position(named);
        self.throws.as_deref_mut()?.class_kinds.insert(class, kind);
        kind
    }

    /// An exception has been given its backtrace: it is being made.
    #[cold]
    pub(crate) fn note_made(&mut self, e: ObjRef) {
        if let Some(kind) = self.kind_of(e) {
            self.note(e, kind);
        }
    }

    fn note(&mut self, e: ObjRef, kind: usize) {
        if self.throws.as_mut().is_none_or(|t| t.of(e).is_some()) {
            return;
        }
        let on = self.threads.current;
        let behalf = self.behalf_of(on);
        let thread = self.thread_object();
        let thread = self.thread_name(thread);
        let stack = match self.backtrace(e) {
            frames if frames.is_empty() => self.stack(on),
            frames => frames,
        };
        let asked = self.asked_address(on);
        let path = self.asked_path(on);
        let inside = self.expecting_frame(on);
        let class = self.heap.class_of(e);
        let Some(throws) = &mut self.throws else { return };
        let order = throws.number();
        let (host, port) = asked;
        // What the class library kept to itself before, this one stands for: made by the same thread, or on the way to the
        // same host by another (a client that tries again).
        let kept = throws
            .made
            .iter_mut()
            .filter(|m| m.kept_inside && m.behalf == behalf);
        for before in kept.filter(|m| m.replaced_by.is_none()) {
            let same = before.host == host;
            if same && host.is_some() || before.on == on && (same || host.is_none() || before.host.is_none())
            {
                before.replaced_by = Some(order);
            }
        }
        throws.made.push(Made {
            order,
            object: e,
            class,
            kind,
            behalf,
            thrown_for: Vec::new(),
            message: None,
            thread,
            stack,
            host,
            port,
            path,
            expected: Expected::No,
            replaced_by: None,
            on,
            inside,
            kept_inside: false,
            lasting: false,
        });
    }

    /// An exception is being thrown, perhaps again.
    #[cold]
    pub(crate) fn note_thrown(&mut self, e: ObjRef) {
        let Some(kind) = self.kind_of(e) else { return };
        self.note(e, kind);
        let behalf = self.behalf_of(self.threads.current);
        let message = self.heap.get_ref(e, self.known.throwable_message);
        let message = (!message.is_null()).then(|| self.text(message));
        let cause = self.chain(e).into_iter().skip(1);
        let asked = cause.collect::<Vec<_>>().into_iter().find_map(|c| {
            let made = self.throws.as_mut()?.of(c)?;
            made.host.clone().map(|host| (host, made.port))
        });
        let Some(made) = self.throws.as_mut().and_then(|t| t.of(e)) else {
            return;
        };
        made.message = message;
        made.kept_inside = false;
        if !made.thrown_for.contains(&behalf) {
            made.thrown_for.push(behalf);
        }
        if let Some((host, port)) = asked.filter(|_| made.host.is_none()) {
            (made.host, made.port) = (Some(host), port);
        }
    }

    /// A handler of this method takes the exception; its frame is on top.
    #[cold]
    pub(crate) fn note_caught(&mut self, e: ObjRef, m: MethodId, pc: *const Op) {
        if self.throws.as_ref().is_none_or(|t| t.made.is_empty()) {
            return;
        }
        let (on, depth) = (self.threads.current, self.threads.cur().frames.len());
        let chain = self.chain(e);
        let expected = match self.expectation(m) {
            Some(expectation) => self.meets(expectation, e, &chain),
            None if self.in_chain(&chain) && self.fails_unless_thrown(m, pc, e) => Some(Expected::Got),
            None => None,
        };
        let library = self.is_jdk_class(self.method(m).class);
        let Some(throws) = &mut self.throws else { return };
        if let Some(made) = throws.of(e) {
            made.kept_inside = library;
        }
        let Some(expected) = expected else { return };
        let mut orders = Vec::new();
        for made in &mut throws.made {
            let within = made.on == on && made.inside == Some(depth) && made.expected == Expected::No;
            let caught = !made.object.is_null() && chain.contains(&made.object);
            let replaced = made.replaced_by.is_some_and(|by| orders.contains(&by));
            if caught || within || replaced {
                made.expected = expected;
                orders.push(made.order);
            }
        }
        // What the library kept to itself on the way to what was got was part of getting it.
        for made in throws.made.iter_mut().rev() {
            if made.replaced_by.is_some_and(|by| orders.contains(&by)) {
                made.expected = expected;
                orders.push(made.order);
            }
        }
    }

    fn in_chain(&self, chain: &[ObjRef]) -> bool {
        let made = self
            .throws
            .as_ref()
            .map(|t| t.made.as_slice())
            .unwrap_or_default();
        made.iter()
            .any(|m| !m.object.is_null() && chain.contains(&m.object))
    }

    /// The frame on top, of this method, is left by an exception: what it took and did not want was not expected.
    #[cold]
    pub(crate) fn note_left(&mut self, m: MethodId) {
        let known = self.throws.as_ref().and_then(|t| t.expectations.get(&m));
        if !matches!(known, Some(Some(Expectation::Any))) {
            return;
        }
        let here = Expected::Maybe(self.threads.current, self.threads.cur().frames.len());
        let Some(throws) = &mut self.throws else { return };
        for made in throws.made.iter_mut().filter(|m| m.expected == here) {
            made.expected = Expected::No;
        }
    }

    /// An exception, its causes and what they suppressed, as their fields say.
    fn chain(&self, e: ObjRef) -> Vec<ObjRef> {
        let mut chain = vec![e];
        let mut at = 0;
        while at < chain.len() && chain.len() < LONGEST_CHAIN {
            let e = chain[at];
            at += 1;
            let mut next = vec![self.heap.get_ref(e, self.known.throwable_cause)];
            let class = self.heap.class_of(e);
            if self.class_name(class) == "java/lang/reflect/InvocationTargetException" {
                next.push(self.peek_ref(e, "target"));
            }
            next.extend(self.suppressed(e));
            for e in next {
                if !e.is_null() && !chain.contains(&e) {
                    chain.push(e);
                }
            }
        }
        chain
    }

    fn suppressed(&self, e: ObjRef) -> Vec<ObjRef> {
        const LIST: &str = "java/util/ArrayList";
        let list = self.heap.get_ref(e, self.known.throwable_suppressed);
        if list.is_null() || self.class_name(self.heap.class_of(list)) != LIST {
            return Vec::new();
        }
        let array = self.peek_ref(list, "elementData");
        if array.is_null() {
            return Vec::new();
        }
        self.heap.refs(array).to_vec()
    }

    /// A class could not be initialised: from now on `copy` stands for what its initialiser threw.
    pub(crate) fn note_stand_in(&mut self, copy: ObjRef, thrown: ObjRef) {
        let chain = self.chain(thrown);
        let Some(throws) = &mut self.throws else { return };
        let first = throws.made.iter_mut().find(|m| chain.contains(&m.object));
        if let Some(made) = first.filter(|_| !copy.is_null()) {
            made.lasting = true;
            throws.stand_ins.push((copy, made.order));
        }
    }

    /// Somebody asks for a default that differs from machine to machine.
    #[cold]
    pub fn note_question(&mut self, what: Question) {
        if self.throws.as_ref().is_none_or(|t| !t.questions.contains(&what)) {
            return;
        }
        let on = self.threads.current;
        let stack = self.stack(on);
        let behalf = self.behalf_of(on);
        let known = |a: &Asked| a.behalf == behalf && a.what == what;
        // The first of each test is enough.
        if !self.asks_itself(&stack) || self.throws.as_ref().is_none_or(|t| t.asked.iter().any(known)) {
            return;
        }
        let thread = self.thread_object();
        let thread = self.thread_name(thread);
        let Some(throws) = &mut self.throws else { return };
        let order = throws.number();
        throws.asked.push(Asked {
            order,
            what,
            behalf,
            thread,
            stack,
        });
    }

    /// Is the first frame outside of the class library one of neither JUnit nor the shim?
    fn asks_itself(&self, stack: &[FrameInfo]) -> bool {
        let mut classes = stack.iter().map(|f| self.method(f.method).class);
        let first = classes.find(|c| !self.is_jdk_class(*c));
        let name = first.map_or("", |c| self.class_name(c));
        !["", "org/junit/", "junit/", "poldet/", "org/opentest4j/"]
            .iter()
            .any(|own| name.is_empty() || (!own.is_empty() && name.starts_with(own)))
    }
}
