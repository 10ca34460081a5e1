//! A change with its surroundings, drawn as a graph: the reference path from the root to the difference, what lies beside it, and a
//! few steps into what came and what went.
//!
//! The state before and the state now are walked together. An object that stands in both is one node; so are two objects
//! of a class where one took the other's place, unless that is itself the difference. Values (numbers, strings, null) are
//! nodes of their own wherever they stand.

use crate::content::{Items, Slot, content};
use crate::diff::same_class;
use crate::finding::{Edge, Graph, Kind, Node, State};
use crate::place::{Root, Step};
use crate::text::step_label;
use crate::tracker::{Change, Tracker};
use crate::value::{describe, element, key_text, label, shorten, value};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;

/// Larger graphs say no more.
const MOST_NODES: usize = 80;
/// The most children of one node, by whether they differ.
const MOST_DIFFERENT: usize = 16;
const MOST_SAME: usize = 10;
/// Steps into what came or went, and into what did not change.
const DEEP: u32 = 3;
const SHALLOW: u32 = 1;
/// Longer texts are in the finding.
const LONGEST: usize = 80;

/// The graph of a change, while the log still has the old contents; empty when it cannot be drawn.
pub fn graph(vm: &Vm, tracker: &mut Tracker, change: &Change) -> Graph {
    Painter::new(vm, tracker).draw(change).unwrap_or_default()
}

struct Painter<'a, 'b> {
    vm: &'a Vm,
    tracker: &'b mut Tracker,
    /// The difference is that one object stands for another.
    replaced: bool,
    graph: Graph,
    /// What each node stands for before and now; null for what is not there and for values.
    sides: Vec<(ObjRef, ObjRef)>,
    drawn: Vec<bool>,
    by_before: FixedMap<ObjRef, u32>,
    by_now: FixedMap<ObjRef, u32>,
    queue: VecDeque<(u32, u32)>,
}

/// What one object shows under one name, before and now.
struct Child {
    name: String,
    before: Option<Slot>,
    now: Option<Slot>,
}

/// Elements by their place, or under names.
#[derive(Default)]
struct Shown {
    named: Vec<(String, Slot)>,
    placed: Vec<Slot>,
}

impl<'a, 'b> Painter<'a, 'b> {
    fn new(vm: &'a Vm, tracker: &'b mut Tracker) -> Painter<'a, 'b> {
        Painter {
            vm,
            tracker,
            replaced: false,
            graph: Graph::default(),
            sides: Vec::new(),
            drawn: Vec::new(),
            by_before: FixedMap::default(),
            by_now: FixedMap::default(),
            queue: VecDeque::new(),
        }
    }

    fn draw(mut self, change: &Change) -> Option<Graph> {
        self.replaced = change.difference.kind == Kind::Replaced;
        let steps = change.difference.path.steps();
        let mut steps = &steps[..];
        let next = match change.at.root {
            Root::Static { class, field } => {
                let (before, now) = self.tracker.static_slots(self.vm, class, field)?;
                let root = self.value(self.vm.java_name(class), State::Same);
                let child = Child {
                    name: field.to_owned(),
                    before: Some(before),
                    now: Some(now),
                };
                let node = self.child(root, &child, steps.is_empty(), DEEP);
                match steps.split_first() {
                    Some((step @ &Step::Thread(thread), rest)) => {
                        steps = rest;
                        self.thread_local(node?, step, thread, rest.is_empty())
                    }
                    _ => node,
                }
            }
            Root::Thread(thread) => Some(self.object(thread, thread)),
        };
        self.follow(next, steps);
        while let Some((node, depth)) = self.queue.pop_front() {
            if self.graph.nodes.len() >= MOST_NODES {
                break;
            }
            self.open(node, None, depth);
        }
        Some(self.graph)
    }

    /// A ThreadLocal's value in a thread, under the thread's name.
    fn thread_local(&mut self, node: u32, name: &Step, thread: ObjRef, last: bool) -> Option<u32> {
        let key = self.sides[node as usize].1;
        let mut of = |view: View<'_>| {
            let entries = self.tracker.thread_locals(view, thread);
            let entry = entries.iter().find(|e| e.key == key);
            entry.map(|e| Slot::Ref(e.value))
        };
        let child = Child {
            before: of(View::before(self.vm)),
            now: of(View::now(self.vm)),
            name: step_label(self.vm, &mut self.tracker.shapes, *name),
        };
        self.child(node, &child, last, DEEP)
    }

    /// Opens the nodes on the path to the difference.
    fn follow(&mut self, mut next: Option<u32>, steps: &[Step]) {
        for (i, step) in steps.iter().enumerate() {
            let Some(node) = next else { return };
            next = self.open(node, Some((step, i + 1 == steps.len())), DEEP);
        }
        if let Some(node) = next {
            self.queue.push_front((node, DEEP));
        }
    }

    /// Draws the children of a node; answers the one that a step leads to, if it is one object.
    fn open(&mut self, node: u32, step: Option<(&Step, bool)>, depth: u32) -> Option<u32> {
        let (x, y) = self.sides[node as usize];
        if (x.is_null() && y.is_null()) || std::mem::replace(&mut self.drawn[node as usize], true) {
            return None;
        }
        let wanted = step.map(|(s, _)| step_label(self.vm, &mut self.tracker.shapes, *s));
        let children = self.children(x, y, step.map(|(s, _)| s));
        let mut next = None;
        let (mut different, mut same, mut left_out) = (0, 0, (0, 0));
        for child in &children {
            let on_way = wanted.as_ref() == Some(&child.name);
            let differs = !self.equal(child);
            let (count, most) = if differs {
                (&mut different, MOST_DIFFERENT)
            } else {
                (&mut same, MOST_SAME)
            };
            *count += 1;
            let full = *count > most || self.graph.nodes.len() >= MOST_NODES;
            if full && !on_way {
                let left = if differs { &mut left_out.0 } else { &mut left_out.1 };
                *left += 1;
                continue;
            }
            let last = on_way && step.is_some_and(|(_, last)| last);
            let depth = if differs { depth } else { depth.min(SHALLOW + 1) };
            let drawn = self.child(node, child, last, depth);
            if on_way {
                next = drawn;
            }
        }
        let differs = match (x.is_null(), y.is_null()) {
            (true, _) => State::Added,
            (_, true) => State::Removed,
            _ => State::Changed,
        };
        for (left, state) in [(left_out.0, differs), (left_out.1, State::Same)] {
            if left > 0 && self.graph.nodes.len() < MOST_NODES {
                let more = self.value(format!("… {left} more"), state);
                self.edge(node, more, "", state);
            }
        }
        next
    }

    /// Draws what stands under one name. Its node, if it is one object, is to be opened to this depth.
    fn child(&mut self, from: u32, child: &Child, last: bool, depth: u32) -> Option<u32> {
        if let (Some(a), Some(b)) = (child.before, child.now) {
            let equal = self.equal(child);
            if let (Slot::Ref(x), Slot::Ref(y)) = (a, b)
                && !self.is_value(View::before(self.vm), a)
                && !self.is_value(View::now(self.vm), b)
                && (equal || same_class(self.vm, x, y) && !(last && self.replaced))
            {
                let node = self.object(x, y);
                self.edge(from, node, &child.name, State::Same);
                self.later(node, depth);
                return Some(node);
            }
            if equal {
                let text = self.text(View::now(self.vm), b);
                let node = self.value(text, State::Same);
                self.edge(from, node, &child.name, State::Same);
                return None;
            }
        }
        let mut only = None;
        if let Some(slot) = child.before {
            only = self.side(from, &child.name, slot, State::Removed, depth);
        }
        if let Some(slot) = child.now {
            only = self.side(from, &child.name, slot, State::Added, depth);
        }
        only.filter(|_| child.before.is_none() || child.now.is_none())
    }

    /// Draws what stood, or stands, under a name.
    fn side(&mut self, from: u32, name: &str, slot: Slot, state: State, depth: u32) -> Option<u32> {
        let before = state == State::Removed;
        let view = if before {
            View::before(self.vm)
        } else {
            View::now(self.vm)
        };
        let o = match slot {
            Slot::Ref(o) if !self.is_value(view, slot) => o,
            _ => {
                let text = self.text(view, slot);
                let node = self.value(text, state);
                self.edge(from, node, name, state);
                return None;
            }
        };
        let node = match before {
            // What stands elsewhere, too, has not gone, and what the state held already has not come.
            true if self.tracker.still_holds(self.vm, o) => self.object(o, o),
            true => self.object(o, ObjRef::NULL),
            false if self.tracker.knew(o) => self.object(o, o),
            false => self.object(ObjRef::NULL, o),
        };
        self.edge(from, node, name, state);
        self.later(node, depth);
        Some(node)
    }

    fn later(&mut self, node: u32, depth: u32) {
        if depth > 0 {
            self.queue.push_back((node, depth - 1));
        }
    }

    fn edge(&mut self, from: u32, to: u32, name: &str, state: State) {
        let edge = Edge {
            from,
            to,
            label: name.to_owned(),
            state,
        };
        let parent = &mut self.graph.nodes[from as usize];
        let root = from == 0 && self.sides[0] == (ObjRef::NULL, ObjRef::NULL);
        if state != State::Same && parent.state == State::Same && !root {
            parent.state = State::Changed;
        }
        if !self.graph.edges.contains(&edge) {
            self.graph.edges.push(edge);
        }
    }

    fn node(&mut self, text: String, state: State, sides: (ObjRef, ObjRef)) -> u32 {
        let id = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node {
            id,
            label: text,
            state,
        });
        self.sides.push(sides);
        self.drawn.push(false);
        id
    }

    fn value(&mut self, text: String, state: State) -> u32 {
        self.node(text, state, (ObjRef::NULL, ObjRef::NULL))
    }

    /// The node of an object, or of two of which one took the other's place.
    fn object(&mut self, x: ObjRef, y: ObjRef) -> u32 {
        let known = |map: &FixedMap<ObjRef, u32>, o: ObjRef| {
            if o.is_null() { None } else { map.get(&o).copied() }
        };
        if let Some(id) = known(&self.by_before, x).or(known(&self.by_now, y)) {
            return id;
        }
        let mut side = |view: View<'_>, o: ObjRef| {
            (!o.is_null()).then(|| shorten(&label(view, &mut self.tracker.shapes, o), LONGEST))
        };
        let (text, state) = match (side(View::before(self.vm), x), side(View::now(self.vm), y)) {
            (Some(a), Some(b)) if a == b => (a, State::Same),
            (Some(a), Some(b)) => (format!("{a} → {b}"), State::Changed),
            (Some(a), None) => (a, State::Removed),
            (None, b) => (b.unwrap_or_default(), State::Added),
        };
        let id = self.node(text, state, (x, y));
        if !x.is_null() {
            self.by_before.insert(x, id);
        }
        if !y.is_null() {
            self.by_now.insert(y, id);
        }
        id
    }

    fn text(&mut self, view: View<'_>, slot: Slot) -> String {
        shorten(&describe(view, &mut self.tracker.shapes, slot), LONGEST)
    }

    fn is_value(&mut self, view: View<'_>, slot: Slot) -> bool {
        match slot {
            Slot::Prim { .. } => true,
            Slot::Ref(o) => value(view, &mut self.tracker.shapes, o).is_some(),
        }
    }

    /// Whether the same stands there before and now: one object, or equal values.
    fn equal(&mut self, child: &Child) -> bool {
        let (Some(a), Some(b)) = (child.before, child.now) else {
            return false;
        };
        self.alike(a, b)
    }

    fn alike(&mut self, a: Slot, b: Slot) -> bool {
        match (a, b) {
            _ if a == b => true,
            (Slot::Ref(x), Slot::Ref(y)) => {
                let old = value(View::before(self.vm), &mut self.tracker.shapes, x);
                old.is_some()
                    && old == value(View::now(self.vm), &mut self.tracker.shapes, y)
                    && same_class(self.vm, x, y)
            }
            _ => false,
        }
    }

    /// What an object shows before, and what it, or the one in its place, shows now.
    fn children(&mut self, x: ObjRef, y: ObjRef, wanted: Option<&Step>) -> Vec<Child> {
        let old = self.shown(View::before(self.vm), x, wanted);
        let new = self.shown(View::now(self.vm), y, wanted);
        let mut children: Vec<Child> = Vec::new();
        let mut places: FixedMap<String, Vec<usize>> = FixedMap::default();
        for (name, slot) in old.named {
            places.entry(name.clone()).or_default().push(children.len());
            children.push(Child {
                name,
                before: Some(slot),
                now: None,
            });
        }
        for (name, slot) in new.named {
            // Keys that read alike are distinguished by their order.
            let mine = places.get(&name).into_iter().flatten();
            let free = mine.copied().find(|i| children[*i].now.is_none());
            match free {
                Some(i) => children[i].now = Some(slot),
                None => children.push(Child {
                    name,
                    before: None,
                    now: Some(slot),
                }),
            }
        }
        self.by_place(
            &old.placed,
            &new.placed,
            (x.is_null(), y.is_null()),
            &mut children,
        );
        children
    }

    /// Elements by place. Where some came or went, those before and after them still belong together.
    fn by_place(&mut self, a: &[Slot], b: &[Slot], gone: (bool, bool), children: &mut Vec<Child>) {
        let most = a.len().min(b.len());
        let (mut prefix, mut suffix) = (most, 0);
        if a.len() != b.len() && gone == (false, false) {
            prefix = (0..most).take_while(|i| self.alike(a[*i], b[*i])).count();
            suffix = (0..most - prefix)
                .take_while(|i| self.alike(a[a.len() - 1 - i], b[b.len() - 1 - i]))
                .count();
        }
        let mut push = |i: usize, before: Option<Slot>, now: Option<Slot>| {
            children.push(Child {
                name: format!("[{i}]"),
                before,
                now,
            });
        };
        for i in 0..prefix {
            push(i, Some(a[i]), Some(b[i]));
        }
        for (i, slot) in a.iter().enumerate().take(a.len() - suffix).skip(prefix) {
            push(i, Some(*slot), None);
        }
        for (i, slot) in b.iter().enumerate().take(b.len() - suffix).skip(prefix) {
            push(i, None, Some(*slot));
        }
        for i in 0..suffix {
            let (i, j) = (a.len() - suffix + i, b.len() - suffix + i);
            push(j, Some(a[i]), Some(b[j]));
        }
    }

    fn shown(&mut self, view: View<'_>, o: ObjRef, wanted: Option<&Step>) -> Shown {
        let mut shown = Shown::default();
        if o.is_null() {
            return shown;
        }
        let found = content(view, &mut self.tracker.shapes, o);
        for (i, slot) in &found.fields {
            if found.shape.fields[*i].rule.is_none() {
                shown.named.push((found.shape.fields[*i].name.to_owned(), *slot));
            }
        }
        if let Some(Step::Field(name)) = wanted
            && !shown.named.iter().any(|(n, _)| n == name)
            && let Some(field) = found.shape.fields.iter().find(|f| f.name == *name)
        {
            // What no API shows, and what a rule hides, is drawn where it is the difference.
            let slot = field.slot(&view.object(o));
            shown.named.push((field.name.to_owned(), slot));
        }
        match found.items {
            Items::None | Items::Text(_) => {}
            Items::Array(list) => shown.placed = list.into_iter().map(Slot::Ref).collect(),
            Items::List(list) => shown.placed = list.into_iter().map(|(o, _)| Slot::Ref(o)).collect(),
            Items::Prims { letter, size, bytes } => {
                let count = bytes.len() / size as usize;
                shown.placed = (0..count).map(|i| element(&bytes, letter, size, i)).collect();
            }
            Items::Bag(list) => {
                for (o, _) in list {
                    let key = self.key(view, o);
                    shown.named.push((key, Slot::Ref(o)));
                }
            }
            Items::Map { entries, .. } => {
                for entry in entries {
                    let key = self.key(view, entry.key);
                    shown.named.push((key, Slot::Ref(entry.value)));
                }
            }
        }
        shown
    }

    /// As paths write it.
    fn key(&mut self, view: View<'_>, key: ObjRef) -> String {
        format!("[{}]", key_text(view, &mut self.tracker.shapes, key))
    }
}
