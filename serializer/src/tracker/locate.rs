//! Where an object stands: the way back to its root, and how that way reads.

use super::{Root, Tracker};
use crate::content::{Items, content};
use crate::diff::{Edge, Path};
use crate::shape::{Adapter, Field, Form, RuleNo};
use crate::value::{describe_ref, shorten, string_text};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// What the remembered ways say of an object.
pub(super) enum Whereabouts {
    Known(Located),
    /// Nothing refers to it any more.
    Gone,
    /// The remembered way is gone; there may be another.
    Unknown,
}

/// Where an object stands: the objects from its root's holder down to it, and the first rule on the way.
pub(super) struct Located {
    pub(super) way: Vec<ObjRef>,
    pub(super) rule: Option<RuleNo>,
}

/// The objects on a way that only grows.
#[derive(Default)]
struct Seen(FixedMap<ObjRef, ()>);

impl Seen {
    fn has(&mut self, way: &[(ObjRef, Option<RuleNo>)], o: ObjRef) -> bool {
        // Most ways are short.
        const SHORT: usize = 24;
        if way.len() <= SHORT {
            return way.iter().any(|(on, _)| *on == o);
        }
        self.0.extend(way[self.0.len()..].iter().map(|(on, _)| (*on, ())));
        self.0.contains_key(&o)
    }
}

impl Tracker {
    /// Follows the remembered ways back to a root.
    pub(super) fn locate(&mut self, view: View<'_>, o: ObjRef) -> Whereabouts {
        let vm = view.vm;
        // Each object with the rule that hides what leads from it to the one before.
        let mut way: Vec<(ObjRef, Option<RuleNo>)> = vec![(o, None)];
        let mut others: Vec<(usize, ObjRef)> = Vec::new();
        let mut tried: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut seen = Seen::default();
        let mut shared = false;
        while let Some(&(at, _)) = way.last() {
            if self.is_root(vm, at) {
                break;
            }
            let known = self.ways.get(&at).copied();
            if let Some(known) = known {
                shared |= known.shared;
                if known.parent.is_null() && self.threads.contains(&at) {
                    break;
                }
                if !known.other.is_null() {
                    others.push((way.len(), known.other));
                }
            }
            let parent = known.map_or(ObjRef::NULL, |w| w.parent);
            // Ways that were remembered at different times can lead round in a circle.
            let goes_on = match tried.is_empty() {
                true => !seen.has(&way, parent),
                false => !tried.contains_key(&parent),
            };
            match self.edge(view, parent, at).filter(|_| goes_on) {
                Some(rule) => way.push((parent, rule)),
                None if known.is_some() && !shared => return Whereabouts::Gone,
                None => {
                    // From the first turn on, each object is noted when it is added.
                    if tried.is_empty() {
                        tried.extend(way.iter().map(|(o, _)| (*o, ())));
                    }
                    if !self.turn(view, &mut way, &mut others, &tried) {
                        return Whereabouts::Unknown;
                    }
                }
            }
            if !tried.is_empty() {
                tried.extend(way.last().map(|(o, _)| (*o, ())));
            }
        }
        let rule = way.iter().rev().find_map(|(_, rule)| *rule);
        let hidden = || self.ways.get(&o).is_some_and(|way| way.hidden);
        if rule.is_some() && !tried.is_empty() && !hidden() {
            // There may be a third way, which no rule hides.
            return Whereabouts::Unknown;
        }
        let way = way.into_iter().rev().map(|(o, _)| o).collect();
        Whereabouts::Known(Located { way, rule })
    }

    /// Goes back to the last object that something else refers to, and on from there.
    fn turn(
        &mut self,
        view: View<'_>,
        way: &mut Vec<(ObjRef, Option<RuleNo>)>,
        others: &mut Vec<(usize, ObjRef)>,
        tried: &FixedMap<ObjRef, ()>,
    ) -> bool {
        while let Some((len, other)) = others.pop() {
            let at = way[len - 1].0;
            if !tried.contains_key(&other)
                && let Some(rule) = self.edge(view, other, at)
            {
                way.truncate(len);
                way.push((other, rule));
                return true;
            }
        }
        false
    }

    /// Whether `parent` refers to `child`, and the rule that hides this, if every reference is hidden.
    fn edge(&mut self, view: View<'_>, parent: ObjRef, child: ObjRef) -> Option<Option<RuleNo>> {
        let vm = view.vm;
        if !vm.heap.is_object(parent) || !vm.heap.is_watched(parent) {
            return None;
        }
        let object = view.object(parent);
        let shape = self.shapes.of_object(vm, parent);
        let child_rule = self.shapes.of_object(vm, child).rule;
        let mut found = None;
        let mut check = |f: &Field| {
            if f.is_ref() && object.reference(f.off) == child {
                let rule = f.rule.or(child_rule);
                if rule.is_none() || found.is_none() {
                    found = Some(rule);
                }
            }
        };
        match shape.form {
            Form::Mirror => {
                let class = vm.class_of_mirror(parent);
                self.shapes.statics(vm, class).iter().for_each(&mut check);
            }
            Form::RefArray => {
                let any = (0..object.len()).any(|i| object.element(i) == child);
                return any.then_some(child_rule);
            }
            _ => shape.fields.iter().for_each(&mut check),
        }
        found
    }

    /// Cuts the way back to the object whose API shows its last part.
    pub(super) fn lift(&mut self, vm: &Vm, located: &mut Located) {
        let view = View::before(vm);
        let pairs = located.way.windows(2);
        if let Some(at) = pairs.into_iter().position(|w| self.is_works(view, w[0], w[1])) {
            located.way.truncate(at + 1);
        }
        while let [.., outer, inner] = located.way[..] {
            if !self.is_part(vm, outer, inner) {
                break;
            }
            located.way.pop();
        }
    }

    /// Whether `inner` belongs to the works of the collection `outer`: a count, a lock, a view, and all behind them.
    fn is_works(&mut self, view: View<'_>, outer: ObjRef, inner: ObjRef) -> bool {
        let vm = view.vm;
        if self.is_root(vm, outer) {
            return false;
        }
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        let direct = matches!(out.adapter, Some(Adapter::Pair { .. } | Adapter::Single));
        if out.adapter.is_none() || direct || inn.node || inn.adapter.is_some() || array {
            return false;
        }
        let object = view.object(outer);
        let mut leads = out
            .fields
            .iter()
            .filter(|f| f.is_ref() && object.reference(f.off) == inner)
            .peekable();
        leads.peek().is_some() && leads.all(|f| f.internal)
    }

    /// Whether `inner` is a piece of the collection `outer`, or of the piece `outer`, and not an element of it.
    fn is_part(&mut self, vm: &Vm, outer: ObjRef, inner: ObjRef) -> bool {
        if self.is_root(vm, outer) {
            return false;
        }
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        inn.node
            || match out.adapter {
                Some(Adapter::Backed(_) | Adapter::BackedSet(_)) => {
                    // The one field that holds the contents; elements do not hang there directly.
                    array || inn.adapter.is_some()
                }
                // Elements hang in fields of their own.
                Some(Adapter::Pair { .. } | Adapter::Single) => false,
                Some(_) => array,
                None => false,
            }
    }

    /// The root and the path of the last object of a way.
    pub(super) fn path(&mut self, view: View<'_>, way: &[ObjRef]) -> Option<(Root, Path)> {
        let vm = view.vm;
        let (&holder, rest) = way.split_first()?;
        let mut path = Path::default();
        let mut at = holder;
        let mut rest = rest;
        let root = if self.is_root(vm, holder) {
            let (&first, more) = rest.split_first()?;
            let class = vm.class_of_mirror(holder);
            let object = view.object(holder);
            let statics = self.shapes.statics(vm, class);
            let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == first;
            let field = statics
                .iter()
                .filter(|f| f.rule.is_none())
                .find(leads)
                .or(statics.iter().find(leads))?;
            at = first;
            rest = more;
            Root::Static {
                class,
                field: field.name,
            }
        } else {
            Root::Thread {
                name: self.thread_name(view, holder),
            }
        };
        let mut last = at;
        for &next in rest {
            let part = self.is_part(vm, last, next);
            last = next;
            if part || self.shapes.of_object(vm, next).node {
                // Its element, if any, is found by asking the whole.
                continue;
            }
            path = path.then(self.step(view, at, next));
            at = next;
        }
        Some((root, path))
    }

    pub(super) fn thread_name(&mut self, view: View<'_>, thread: ObjRef) -> String {
        let shape = self.shapes.of_object(view.vm, thread);
        let name = shape.off("name").map(|off| view.object(thread).reference(off));
        name.filter(|n| !n.is_null())
            .map_or_else(String::new, |n| string_text(view, &mut self.shapes, n))
    }

    /// How an object shows another. One that it refers to in a way nobody has a name for is shown all the same: what
    /// changed behind it must not be lost.
    fn step(&mut self, view: View<'_>, from: ObjRef, to: ObjRef) -> Edge {
        let content = content(view, &mut self.shapes, from);
        let index = |list: &[(ObjRef, ObjRef)]| list.iter().position(|(o, _)| *o == to);
        let item = match &content.items {
            Items::Array(list) => list.iter().position(|o| *o == to).map(Edge::Index),
            Items::List(list) => index(list).map(Edge::Index),
            Items::Bag(list) => index(list).map(|_| self.key(view, to)),
            Items::Map { entries, .. } => entries
                .iter()
                .find(|e| e.value == to || e.key == to)
                .map(|e| self.key(view, e.key)),
            Items::None | Items::Prims { .. } | Items::Text(_) => None,
        };
        let field = || {
            let object = view.object(from);
            let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == to;
            content
                .shape
                .fields
                .iter()
                .find(leads)
                .map(|f| Edge::Field(f.name))
        };
        item.or_else(field).unwrap_or(Edge::Field("?"))
    }

    pub(super) fn key(&mut self, view: View<'_>, key: ObjRef) -> Edge {
        Edge::Key(shorten(&describe_ref(view, &mut self.shapes, key), 60))
    }
}
