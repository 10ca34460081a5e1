//! The surroundings of one difference as a small graph.

use crate::content::{Items, Slot, content};
use crate::finding::{Edge as GraphEdge, Graph, Node, State};
use crate::shape::{Field, Form};
use crate::tracker::{Change, Tracker};
use crate::value::{describe, element, shorten};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::vm::Vm;

/// Children shown of one object.
const MOST_CHILDREN: usize = 8;
/// Unchanged children shown beside the changed ones.
const MOST_SAME: usize = 4;

fn slot_of(field: &Field, bits: u64) -> Slot {
    if field.is_ref() {
        Slot::Ref(ObjRef(bits as u32))
    } else {
        Slot::Prim {
            letter: field.letter,
            bits,
        }
    }
}

/// The way from the root to a difference, and what stood and stands around it.
pub fn graph(vm: &Vm, tracker: &mut Tracker, change: &Change) -> Graph {
    let mut graph = Drawing {
        vm,
        graph: Graph::default(),
    };
    let root = tracker.root_text(vm, &change.root);
    let difference = &change.difference;
    let mut at = graph.node(root, State::Same);
    let (before, now) = difference.holders;
    let edges = difference.path.edges();
    let holder_is_root = change.way.len() <= 1;
    // All steps but the last lead to the holder.
    let steps = edges.len().saturating_sub(1);
    if !holder_is_root || steps > 0 {
        let objects = tracker.shown_way(View::before(vm), &change.way);
        for (i, edge) in edges[..steps].iter().enumerate() {
            let label = objects
                .get(i)
                .map(|o| graph.label(tracker, View::before(vm), Slot::Ref(*o)));
            let next = graph.node(label.unwrap_or_else(|| "…".into()), State::Same);
            graph.edge(at, next, edge.text(), State::Same);
            at = next;
        }
    }
    if holder_is_root && steps == 0 {
        match difference.slots {
            Some((a, b)) => graph.pair(tracker, at, "", a, b),
            None => graph.children(tracker, at, before, now),
        }
    } else {
        graph.children(tracker, at, before, now);
    }
    graph.graph
}

struct Drawing<'a> {
    vm: &'a Vm,
    graph: Graph,
}

impl Drawing<'_> {
    fn node(&mut self, label: String, state: State) -> u32 {
        let id = self.graph.nodes.len() as u32;
        self.graph.nodes.push(Node { id, label, state });
        id
    }

    fn edge(&mut self, from: u32, to: u32, label: String, state: State) {
        self.graph.edges.push(GraphEdge {
            from,
            to,
            label,
            state,
        });
    }

    fn label(&self, tracker: &mut Tracker, view: View<'_>, slot: Slot) -> String {
        shorten(&describe(view, &mut tracker.shapes, slot), 48)
    }

    /// What stood in a place and what stands there now.
    fn pair(&mut self, tracker: &mut Tracker, at: u32, label: &str, a: Slot, b: Slot) {
        let (old, new) = (View::before(self.vm), View::now(self.vm));
        for (view, slot, state) in [(old, a, State::Removed), (new, b, State::Added)] {
            let text = self.label(tracker, view, slot);
            let node = self.node(text, state);
            self.edge(at, node, label.to_owned(), state);
            if let Slot::Ref(o) = slot {
                self.inside(tracker, node, view, o, state);
            }
        }
    }

    /// A look into an object that is only in one of the states.
    fn inside(&mut self, tracker: &mut Tracker, at: u32, view: View<'_>, o: ObjRef, state: State) {
        if o.is_null() || tracker.shapes.of_object(self.vm, o).form.is_value() {
            return;
        }
        for (label, slot) in children(tracker, view, o).into_iter().take(MOST_CHILDREN) {
            let text = self.label(tracker, view, slot);
            let node = self.node(text, state);
            self.edge(at, node, label, state);
        }
    }

    fn children(&mut self, tracker: &mut Tracker, at: u32, before: ObjRef, now: ObjRef) {
        let (old, new) = (View::before(self.vm), View::now(self.vm));
        let a = children(tracker, old, before);
        let b = children(tracker, new, now);
        let (mut shown, mut same) = (0, 0);
        for (label, slot) in &a {
            let other = b.iter().find(|(l, _)| l == label).map(|(_, s)| *s);
            if other == Some(*slot) {
                if same < MOST_SAME {
                    same += 1;
                    let text = self.label(tracker, new, *slot);
                    let node = self.node(text, State::Same);
                    self.edge(at, node, label.clone(), State::Same);
                }
                continue;
            }
            shown += 1;
            if shown > MOST_CHILDREN {
                continue;
            }
            match other {
                Some(other) => self.pair(tracker, at, label, *slot, other),
                None => {
                    let text = self.label(tracker, old, *slot);
                    let node = self.node(text, State::Removed);
                    self.edge(at, node, label.clone(), State::Removed);
                }
            }
        }
        for (label, slot) in b.iter().filter(|(l, _)| !a.iter().any(|(m, _)| l == m)) {
            shown += 1;
            if shown > MOST_CHILDREN {
                break;
            }
            let text = self.label(tracker, new, *slot);
            let node = self.node(text, State::Added);
            self.edge(at, node, label.clone(), State::Added);
            if let Slot::Ref(o) = slot {
                self.inside(tracker, node, new, *o, State::Added);
            }
        }
    }
}

/// What an object shows, by the names of its edges.
fn children(tracker: &mut Tracker, view: View<'_>, o: ObjRef) -> Vec<(String, Slot)> {
    if o.is_null() {
        return Vec::new();
    }
    let vm = view.vm;
    if tracker.shapes.of_object(vm, o).form == Form::Mirror {
        let class = vm.class_of_mirror(o);
        let object = view.object(o);
        let statics = tracker.shapes.statics(vm, class);
        let slot = |f: &Field| (f.name.to_owned(), slot_of(f, object.bits(f.off, f.size)));
        return statics.iter().filter(|f| f.rule.is_none()).map(slot).collect();
    }
    let content = content(view, &mut tracker.shapes, o);
    let fields = content.fields.iter();
    let mut list: Vec<(String, Slot)> = fields
        .map(|(i, slot)| (content.shape.fields[*i].name.to_owned(), *slot))
        .collect();
    match content.items {
        Items::None => {}
        Items::Text(_) => {
            // The text is in the object's own label.
        }
        Items::Array(all) => {
            let items = all.into_iter().enumerate();
            list.extend(items.map(|(i, o)| (format!("[{i}]"), Slot::Ref(o))));
        }
        Items::Prims { letter, size, bytes } => {
            let count = bytes.len() / size as usize;
            list.extend((0..count).map(|i| (format!("[{i}]"), element(&bytes, letter, size, i))));
        }
        Items::List(all) => {
            let items = all.into_iter().enumerate();
            list.extend(items.map(|(i, (o, _))| (format!("[{i}]"), Slot::Ref(o))));
        }
        Items::Bag(all) => {
            for (o, _) in all {
                let key = describe(view, &mut tracker.shapes, Slot::Ref(o));
                list.push((format!("[{}]", shorten(&key, 40)), Slot::Ref(o)));
            }
        }
        Items::Map { entries, .. } => {
            for entry in entries {
                let key = describe(view, &mut tracker.shapes, Slot::Ref(entry.key));
                list.push((format!("[{}]", shorten(&key, 40)), Slot::Ref(entry.value)));
            }
        }
    }
    list
}
