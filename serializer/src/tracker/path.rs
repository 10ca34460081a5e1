//! How a place is reached from its root, step by step, and whether it is still there.

use super::{Tracker, slots_of};
use crate::content::{Content, Held, Items, Slot, content};
use crate::place::{Holder, Key, Path, Root, Step};
use crate::shape::Field;
use crate::view::View;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// Steps from an object to those that it shows, by whether they are those of the state before.
pub(super) type Steps = FixedMap<(ObjRef, bool), Known>;

/// The steps from one object, once more than one was asked for.
#[derive(Default)]
pub(super) struct Known {
    asked: bool,
    steps: FixedMap<ObjRef, Step>,
}

impl Tracker {
    /// The static field of a class that leads to an object, one that no rule hides if there is any.
    pub(super) fn static_root(&mut self, view: View<'_>, mirror: ObjRef, o: ObjRef) -> Option<Root> {
        let Some(Holder::Class(class)) = self.holder(view.vm, mirror) else {
            return None;
        };
        let object = view.object(mirror);
        let statics = self.shapes.statics(view.vm, class);
        let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == o;
        let visible = statics.iter().filter(|f| f.rule.is_none()).find(leads);
        let field = visible.or(statics.iter().find(leads))?;
        Some(Root::Static {
            class,
            field: field.name,
        })
    }

    /// The steps from its root to an object whose place is known.
    pub(super) fn path(&mut self, vm: &Vm, o: ObjRef) -> Path {
        let mut chain = Vec::new();
        let mut at = o;
        while !self.found.paths.contains_key(&at)
            && let Some(located) = self.found.nodes.get(&at)
        {
            chain.push((at, located.parent));
            at = located.parent;
        }
        let view = View::before(vm);
        for (o, parent) in chain.into_iter().rev() {
            let known = self.found.paths.get(&parent).cloned();
            let entry = match known {
                None => (o, Path::default()),
                Some((shown, path)) => self.onward(view, (shown, path), parent, o),
            };
            self.found.paths.insert(o, entry);
        }
        self.found
            .paths
            .get(&o)
            .map(|(_, path)| path.clone())
            .unwrap_or_default()
    }

    /// The path to an object from that to its parent, and the last object that shows by itself.
    fn onward(&mut self, view: View<'_>, above: (ObjRef, Path), parent: ObjRef, o: ObjRef) -> (ObjRef, Path) {
        let (shown, path) = above;
        if let Some(Holder::Class(_)) = self.holder(view.vm, parent) {
            // The static field is the root itself.
            return (o, path);
        }
        if self.is_piece(view.vm, parent, o) {
            // Its element, if any, is found by asking the whole.
            return (shown, path);
        }
        let step = self.step(view, shown, o).unwrap_or(Step::Field("?"));
        (o, path.then(step))
    }

    fn is_piece(&mut self, vm: &Vm, parent: ObjRef, o: ObjRef) -> bool {
        self.is_part(vm, parent, o) || self.shapes.of_object(vm, o).part.is_some()
    }

    /// A path through these objects, the first of which holds the root.
    pub(super) fn path_through(&mut self, view: View<'_>, objects: &[ObjRef]) -> Option<(Root, Path)> {
        let (&holder, rest) = objects.split_first()?;
        let mut above = (holder, Path::default());
        let mut parent = holder;
        for &o in rest {
            above = self.onward(view, above, parent, o);
            parent = o;
        }
        let root = match self.holder(view.vm, holder)? {
            Holder::Class(_) => self.static_root(view, holder, *rest.first()?)?,
            Holder::Thread => Root::Thread(holder),
        };
        Some((root, above.1))
    }

    /// How an object shows another. One that it refers to in a way nobody has a name for has no step, but what changed
    /// behind it must not be lost.
    fn step(&mut self, view: View<'_>, from: ObjRef, to: ObjRef) -> Option<Step> {
        let now = !view.is_before();
        let known = self.found.steps.entry((from, now)).or_default();
        if std::mem::replace(&mut known.asked, true) {
            if known.steps.is_empty() {
                let content = content(view, &mut self.shapes, from);
                let known = self.found.steps.entry((from, now)).or_default();
                known.steps = all_steps(view, from, &content);
                return known.steps.get(&to).copied();
            }
            return known.steps.get(&to).copied();
        }
        let content = content(view, &mut self.shapes, from);
        one_step(view, from, &content, to)
    }

    /// Whether an object whose place is known shows at the same place now. It does not where something on its path was
    /// replaced: then that is the difference, and what became of the object shows there or nowhere.
    pub(super) fn is_in_place(&mut self, vm: &Vm, o: ObjRef) -> bool {
        let mut chain = Vec::new();
        let mut at = o;
        let mut in_place = true;
        while let Some(located) = self.found.nodes.get(&at) {
            if let Some(known) = located.in_place {
                in_place = known;
                break;
            }
            chain.push((at, located.parent));
            at = located.parent;
        }
        let both = [View::before(vm), View::now(vm)];
        // The last object that shows by itself, and whether links lead on from there.
        let (mut shown, mut linked) = (at, true);
        for (o, parent) in chain.into_iter().rev() {
            linked &= self.edge(&both, parent, o).is_some();
            if self.is_piece(vm, parent, o) {
                continue;
            }
            in_place = in_place && (linked || self.step(both[1], shown, o).is_some());
            if let Some(located) = self.found.nodes.get_mut(&o) {
                located.in_place = Some(in_place);
            }
            (shown, linked) = (o, true);
        }
        in_place && linked
    }

    /// The static field that refers to an object itself.
    pub(super) fn static_of(&mut self, view: View<'_>, o: ObjRef) -> Option<Root> {
        let parent = self.links.get(&o)?.parent;
        self.static_root(view, parent, o)
    }

    /// What stood and stands in a static field.
    pub(crate) fn static_slots(&mut self, vm: &Vm, class: ClassId, field: &str) -> Option<(Slot, Slot)> {
        let statics = self.shapes.statics(vm, class);
        let field = statics.iter().find(|f| f.name == field)?;
        Some(slots_of(vm, vm.mirror(class), field))
    }
}

fn one_step(view: View<'_>, from: ObjRef, content: &Content, to: ObjRef) -> Option<Step> {
    let index = |list: &[Held]| list.iter().position(|(o, _)| *o == to);
    let item = match &content.items {
        Items::Array(list) => list.iter().position(|o| *o == to).map(Step::Index),
        Items::List(list) => index(list).map(Step::Index),
        Items::Bag(list) => index(list).map(|_| key(view, to)),
        Items::Map { entries, .. } => entries
            .iter()
            .find(|e| e.value == to || e.key == to)
            .map(|e| key(view, e.key)),
        Items::None | Items::Prims { .. } | Items::Text(_) => None,
    };
    let field = || {
        let object = view.object(from);
        let leads = |f: &&Field| f.is_ref() && object.reference(f.off) == to;
        let field = content.shape.fields.iter().find(leads);
        field.map(|f| Step::Field(f.name))
    };
    item.or_else(field)
}

fn key(view: View<'_>, object: ObjRef) -> Step {
    Step::Key(Key {
        object,
        now: !view.is_before(),
    })
}

/// All steps from an object; of two to the same object the first.
fn all_steps(view: View<'_>, from: ObjRef, content: &Content) -> FixedMap<ObjRef, Step> {
    let mut steps = FixedMap::default();
    let mut add = |o: ObjRef, step: Step| {
        steps.entry(o).or_insert(step);
    };
    match &content.items {
        Items::Array(list) => list.iter().enumerate().for_each(|(i, o)| add(*o, Step::Index(i))),
        Items::List(list) => {
            let held = list.iter().enumerate();
            held.for_each(|(i, (o, _))| add(*o, Step::Index(i)));
        }
        Items::Bag(list) => list.iter().for_each(|(o, _)| add(*o, key(view, *o))),
        Items::Map { entries, .. } => {
            for entry in entries {
                add(entry.value, key(view, entry.key));
                add(entry.key, key(view, entry.key));
            }
        }
        Items::None | Items::Prims { .. } | Items::Text(_) => {}
    }
    let object = view.object(from);
    for field in content.shape.fields.iter().filter(|f| f.is_ref()) {
        add(object.reference(field.off), Step::Field(field.name));
    }
    steps
}
