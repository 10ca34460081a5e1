//! Log to places: where a written object stands, by the links that were remembered.
//!
//! What is found out at one boundary is kept until the next: objects of a long list, and elements of a large collection,
//! are each visited once.

use super::Tracker;
use crate::place::{Holder, Path, Root};
use crate::rules::RuleNo;
use crate::shape::{Field, Form};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;

/// What the remembered links say of an object.
pub(super) enum Whereabouts {
    Known(Located),
    /// Nothing refers to it any more.
    Gone,
}

/// Whether an object of the state before still stands where it did.
pub(super) enum Kept {
    /// On a path through these objects, from the root down.
    On(Vec<ObjRef>),
    Nowhere,
    /// Of several references none leads to it in both states. One may lead to it from a new place.
    Unknown,
}

/// Where an object stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    /// The object that refers to it, null for a holder of roots.
    pub(super) parent: ObjRef,
    /// The mirror or thread at the beginning.
    pub(super) holder: ObjRef,
    /// None for a mirror, which has many.
    pub(super) root: Option<Root>,
    /// The first thread on the reference path, or null.
    pub(super) thread: ObjRef,
    /// The first rule on the reference path.
    pub(super) rule: Option<RuleNo>,
    /// The object whose API shows it: the collection of which it is a part, or itself.
    pub(super) owner: ObjRef,
    /// It belongs to the internals of the owner.
    internal: bool,
    /// Not all links are those by which objects were reached first.
    turned: bool,
    /// It shows at the same place now, once that was asked.
    pub(super) in_place: Option<bool>,
}

/// What has been found out since the last boundary.
#[derive(Default)]
pub(super) struct Locations {
    pub(super) nodes: FixedMap<ObjRef, Located>,
    /// Objects that nothing refers to any more.
    gone: FixedMap<ObjRef, ()>,
    /// Objects that nothing refers to but behind rules.
    unseen: FixedMap<ObjRef, ()>,
    /// Objects that nothing refers to both before and now.
    replaced: FixedMap<ObjRef, ()>,
    /// Objects that others show, each with the path to it.
    pub(super) paths: FixedMap<ObjRef, (ObjRef, Path)>,
    pub(super) steps: super::path::Steps,
    arrays: FixedMap<(ObjRef, bool), Elements>,
}

/// The elements of a long array, once it has been searched a few times.
#[derive(Default)]
struct Elements {
    searches: u32,
    all: FixedMap<ObjRef, ()>,
}

/// Objects from one that was written back to one whose place is known, each with the rule that hides what leads from it
/// to the one before.
struct Climb {
    path: Vec<(ObjRef, Option<RuleNo>)>,
    /// So many from the start were reached by another link than the first.
    turned: usize,
}

/// The states in which a link must hold: one or both.
type Views<'v, 'a> = &'v [View<'a>];

/// What is remembered of earlier climbs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    None,
    /// Of those in the state before.
    Before,
    /// Of those in both states.
    Both,
}

enum Climbed {
    To(Climb),
    Gone(Climb),
    Lost,
}

/// The objects on a path that only grows.
#[derive(Default)]
struct Seen(FixedMap<ObjRef, ()>);

impl Seen {
    fn has(&mut self, path: &[(ObjRef, Option<RuleNo>)], o: ObjRef) -> bool {
        // Most paths are short.
        const SHORT: usize = 24;
        if path.len() <= SHORT {
            return path.iter().any(|(on, _)| *on == o);
        }
        self.0
            .extend(path[self.0.len()..].iter().map(|(on, _)| (*on, ())));
        self.0.contains_key(&o)
    }
}

impl Tracker {
    /// Where an object stood before.
    pub(super) fn locate(&mut self, vm: &Vm, o: ObjRef) -> Whereabouts {
        let before = View::before(vm);
        if !self.found.nodes.contains_key(&o) {
            match self.climb_any(&[before], o, Memory::Before) {
                Some(climb) => self.settle(vm, &climb),
                None => return Whereabouts::Gone,
            }
        }
        let hidden = || self.links.get(&o).is_some_and(|link| link.hidden);
        match self.found.nodes.get(&o).copied() {
            Some(located) if located.rule.is_some() && located.turned && !hidden() => {
                // There may be another path, which no rule hides.
                let visible = self.search(&[before], o, Memory::Before, true);
                if let Some(climb) = visible {
                    self.settle(vm, &climb);
                }
                let located = self.found.nodes.get(&o).copied().unwrap_or(located);
                Whereabouts::Known(located)
            }
            Some(located) => Whereabouts::Known(located),
            None => Whereabouts::Gone,
        }
    }

    /// Whether something that has been seen to refer to an object leads to it now.
    pub(super) fn is_held_now(&mut self, vm: &Vm, o: ObjRef) -> bool {
        self.climb_any(&[View::now(vm)], o, Memory::None).is_some()
    }

    /// Objects from a root down to `o` on a path that holds now.
    pub(super) fn path_now(&mut self, vm: &Vm, o: ObjRef) -> Option<Vec<ObjRef>> {
        let climb = self.climb_any(&[View::now(vm)], o, Memory::None)?;
        Some(climb.objects())
    }

    /// The same on a path that held before, too.
    pub(super) fn path_in_both(&mut self, vm: &Vm, o: ObjRef) -> Kept {
        let both = [View::before(vm), View::now(vm)];
        match self.climb(&both, o, Memory::Both) {
            Climbed::To(climb) => Kept::On(climb.objects()),
            Climbed::Gone(climb) => {
                let lost = climb.path.into_iter().map(|(o, _)| o);
                self.found.note_dead_ends(Memory::Both, lost);
                Kept::Nowhere
            }
            Climbed::Lost => match self.search_any(&both, o, Memory::Both) {
                Some(climb) => Kept::On(climb.objects()),
                None => Kept::Unknown,
            },
        }
    }

    /// A path back to a root, or to an object whose place is known: by the two links of each object if they hold, else by
    /// any reference that was ever seen.
    fn climb_any(&mut self, views: Views<'_, '_>, o: ObjRef, memory: Memory) -> Option<Climb> {
        match self.climb(views, o, memory) {
            Climbed::To(climb) => Some(climb),
            Climbed::Gone(climb) => {
                self.found
                    .note_dead_ends(memory, climb.path.into_iter().map(|(o, _)| o));
                None
            }
            Climbed::Lost => self.search_any(views, o, memory),
        }
    }

    fn search_any(&mut self, views: Views<'_, '_>, o: ObjRef, memory: Memory) -> Option<Climb> {
        self.search(views, o, memory, true)
            .or_else(|| self.search(views, o, memory, false))
    }

    /// The shortest path back to a root, or to an object whose place is known, by any reference that was ever seen, or by
    /// any that no rule hides.
    fn search(&mut self, views: Views<'_, '_>, o: ObjRef, memory: Memory, visible: bool) -> Option<Climb> {
        if self.found.leads_nowhere(memory, visible, o) {
            return None;
        }
        // Each with the rule that hides what leads from it, and the place of what it refers to.
        let mut met: Vec<(ObjRef, Option<RuleNo>, usize)> = vec![(o, None, 0)];
        let mut seen: FixedMap<ObjRef, ()> = FixedMap::default();
        seen.insert(o, ());
        let mut next = 0;
        while let Some(&(at, ..)) = met.get(next) {
            let settled = memory == Memory::Before
                && (self.found.nodes.get(&at)).is_some_and(|l| !visible || l.rule.is_none());
            if settled || self.holder(views[0].vm, at).is_some() {
                let mut path = Vec::new();
                let mut i = next;
                loop {
                    path.push((met[i].0, met[i].1));
                    if i == 0 {
                        break;
                    }
                    i = met[i].2;
                }
                path.reverse();
                let turned = path.len();
                return Some(Climb { path, turned });
            }
            for parent in self.referrers(at) {
                if seen.contains_key(&parent) || self.found.leads_nowhere(memory, visible, parent) {
                    continue;
                }
                match self.edge(views, parent, at) {
                    Some(rule) if !visible || rule.is_none() => {
                        seen.insert(parent, ());
                        met.push((parent, rule, next));
                    }
                    _ => {}
                }
            }
            next += 1;
        }
        let all = met.into_iter().map(|(o, ..)| o);
        match (visible, memory) {
            (false, _) => self.found.note_dead_ends(memory, all),
            (true, Memory::Before) => self.found.unseen.extend(all.map(|o| (o, ()))),
            (true, _) => {}
        }
        None
    }

    /// All that has been seen to refer to an object.
    pub(super) fn referrers(&self, o: ObjRef) -> Vec<ObjRef> {
        let link = self.links.get(&o);
        let two = link.map_or([ObjRef::NULL; 2], |link| [link.parent, link.other]);
        let two = two.into_iter().filter(|parent| !parent.is_null());
        two.chain(self.parents.of(o).iter().copied()).collect()
    }

    /// Follows the remembered links back to a root, or to an object whose place is known.
    fn climb(&mut self, views: Views<'_, '_>, o: ObjRef, memory: Memory) -> Climbed {
        let mut path: Vec<(ObjRef, Option<RuleNo>)> = vec![(o, None)];
        let mut turned = 0;
        let mut others: Vec<(usize, ObjRef)> = Vec::new();
        let mut tried: FixedMap<ObjRef, ()> = FixedMap::default();
        let mut seen = Seen::default();
        let mut shared = false;
        while let Some(&(at, _)) = path.last() {
            let settled = memory == Memory::Before && self.found.nodes.contains_key(&at);
            if settled || self.begins(views[0].vm, at) {
                break;
            }
            let known = self.links.get(&at).copied();
            if known.is_none() && path.len() == 1 {
                // Everything that has joined the state has a link. It has left, and was still watched.
                return Climbed::Gone(Climb { path, turned });
            }
            if let Some(known) = known {
                shared |= known.shared;
                if !known.other.is_null() {
                    others.push((path.len(), known.other));
                }
            }
            let parent = known.map_or(ObjRef::NULL, |link| link.parent);
            // Links that were remembered at different times can lead round in a circle.
            let goes_on = match tried.is_empty() {
                true => !seen.has(&path, parent),
                false => !tried.contains_key(&parent),
            };
            let dead_end = self.found.is_dead_end(memory, at);
            match self.edge(views, parent, at).filter(|_| goes_on && !dead_end) {
                Some(rule) => path.push((parent, rule)),
                None if known.is_some() && !shared => return Climbed::Gone(Climb { path, turned }),
                None => {
                    // From the first turn on, each object is noted when it is added.
                    if tried.is_empty() {
                        tried.extend(path.iter().map(|(o, _)| (*o, ())));
                    }
                    match self.turn(views, &mut path, &mut others, &tried) {
                        Some(from) => turned = from,
                        None => return Climbed::Lost,
                    }
                }
            }
            if !tried.is_empty() {
                tried.extend(path.last().map(|(o, _)| (*o, ())));
            }
        }
        Climbed::To(Climb { path, turned })
    }

    /// Whether an object belongs to the state by itself.
    fn begins(&self, vm: &Vm, o: ObjRef) -> bool {
        match self.holder(vm, o) {
            Some(Holder::Class(_)) => true,
            // Others may refer to a thread, too.
            Some(Holder::Thread) => self.links.get(&o).is_some_and(|link| link.parent.is_null()),
            None => false,
        }
    }

    /// Goes back to the last object that something else refers to, and on from there.
    fn turn(
        &mut self,
        views: Views<'_, '_>,
        path: &mut Vec<(ObjRef, Option<RuleNo>)>,
        others: &mut Vec<(usize, ObjRef)>,
        tried: &FixedMap<ObjRef, ()>,
    ) -> Option<usize> {
        while let Some((len, other)) = others.pop() {
            let at = path[len - 1].0;
            if !tried.contains_key(&other)
                && let Some(rule) = self.edge(views, other, at)
            {
                path.truncate(len);
                path.push((other, rule));
                return Some(len);
            }
        }
        None
    }

    /// Notes the places of all objects on a path.
    fn settle(&mut self, vm: &Vm, climb: &Climb) {
        let mut path = climb.path.iter().enumerate().rev();
        let Some((_, &(start, mut rule))) = path.next() else {
            return;
        };
        if !self.found.nodes.contains_key(&start) {
            let thread = self.holder(vm, start) == Some(Holder::Thread);
            let located = Located {
                parent: ObjRef::NULL,
                holder: start,
                root: thread.then_some(Root::Thread(start)),
                thread: if thread { start } else { ObjRef::NULL },
                rule: None,
                owner: start,
                internal: false,
                turned: false,
                in_place: Some(true),
            };
            self.found.nodes.insert(start, located);
        }
        let mut parent = start;
        for (i, &(o, next)) in path {
            self.place(vm, parent, o, rule, i < climb.turned);
            (parent, rule) = (o, next);
        }
    }

    /// Notes the place of an object that another refers to, whose own place is known.
    fn place(&mut self, vm: &Vm, parent: ObjRef, o: ObjRef, rule: Option<RuleNo>, turned: bool) {
        let Some(&above) = self.found.nodes.get(&parent) else {
            return;
        };
        let view = View::before(vm);
        let internal = above.internal || self.is_internal(view, parent, o);
        let owner = match () {
            () if internal || self.is_part(vm, parent, o) => above.owner,
            () => o,
        };
        let thread = match self.holder(vm, o) {
            Some(Holder::Thread) if above.thread.is_null() => o,
            _ => above.thread,
        };
        let located = Located {
            parent,
            holder: above.holder,
            root: above.root.or_else(|| self.static_root(view, parent, o)),
            thread,
            rule: above.rule.or(rule),
            owner,
            internal,
            turned: turned || above.turned,
            in_place: None,
        };
        self.found.nodes.insert(o, located);
    }

    /// Whether `parent` refers to `child` in all views, by the same field, and the rule that hides this, if every such
    /// reference is hidden.
    pub(super) fn edge(
        &mut self,
        views: Views<'_, '_>,
        parent: ObjRef,
        child: ObjRef,
    ) -> Option<Option<RuleNo>> {
        let vm = views[0].vm;
        if !vm.heap.is_object(parent) || !vm.heap.is_watched(parent) {
            return None;
        }
        let shape = self.shapes.of_object(vm, parent);
        let child_rule = self.shapes.of_object(vm, child).rule;
        if shape.form == Form::RefArray {
            let mut views = views.iter();
            let all = views.all(|view| self.found.has_element(*view, parent, child));
            return all.then_some(child_rule);
        }
        let (first, second) = (views[0].object(parent), views.last().map(|v| v.object(parent)));
        let mut found = None;
        let mut check = |f: &Field| {
            if f.is_ref()
                && first.reference(f.off) == child
                && second.is_none_or(|o| o.reference(f.off) == child)
            {
                let rule = f.rule.or(child_rule);
                if rule.is_none() || found.is_none() {
                    found = Some(rule);
                }
            }
        };
        if shape.form == Form::Mirror {
            let class = vm.class_of_mirror(parent);
            self.shapes.statics(vm, class).iter().for_each(&mut check);
        } else {
            shape.fields.iter().for_each(&mut check);
        }
        found
    }

    /// Whether `inner` belongs to the internals of the collection `outer`: a count, a lock, a view, and all behind them.
    fn is_internal(&mut self, view: View<'_>, outer: ObjRef, inner: ObjRef) -> bool {
        let vm = view.vm;
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        let Some(adapter) = &out.adapter else {
            return false;
        };
        if adapter.layout.is_direct() || inn.part.is_some() || inn.adapter.is_some() || array {
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
    pub(super) fn is_part(&mut self, vm: &Vm, outer: ObjRef, inner: ObjRef) -> bool {
        let (out, inn) = (self.shapes.of_object(vm, outer), self.shapes.of_object(vm, inner));
        if out.form == Form::Mirror {
            return false;
        }
        let array = matches!(inn.form, Form::RefArray | Form::PrimArray { .. });
        inn.part.is_some()
            || match &out.adapter {
                // The one field that holds the contents; elements do not hang there directly.
                Some(adapter) if adapter.layout.is_backed() => array || inn.adapter.is_some(),
                Some(adapter) => array && !adapter.layout.is_direct(),
                None => false,
            }
    }
}

impl Climb {
    /// The objects from the root down.
    fn objects(self) -> Vec<ObjRef> {
        self.path.into_iter().rev().map(|(o, _)| o).collect()
    }
}

impl Locations {
    fn note_dead_ends(&mut self, memory: Memory, objects: impl Iterator<Item = ObjRef>) {
        let ends = match memory {
            Memory::None => return,
            Memory::Before => &mut self.gone,
            Memory::Both => &mut self.replaced,
        };
        ends.extend(objects.map(|o| (o, ())));
    }

    fn is_dead_end(&self, memory: Memory, o: ObjRef) -> bool {
        match memory {
            Memory::None => false,
            Memory::Before => self.gone.contains_key(&o),
            Memory::Both => self.replaced.contains_key(&o),
        }
    }

    /// Whether a search that began or came by here has failed.
    fn leads_nowhere(&self, memory: Memory, visible: bool, o: ObjRef) -> bool {
        let unseen = visible && memory == Memory::Before && self.unseen.contains_key(&o);
        unseen || self.is_dead_end(memory, o)
    }

    fn has_element(&mut self, view: View<'_>, array: ObjRef, o: ObjRef) -> bool {
        /// Searches of an array before its elements are noted.
        const MANY: u32 = 4;
        let object = view.object(array);
        let known = self.arrays.entry((array, view.is_before())).or_default();
        known.searches += 1;
        if known.searches <= MANY {
            return (0..object.len()).any(|i| object.element(i) == o);
        }
        if known.all.is_empty() {
            known.all = (0..object.len()).map(|i| (object.element(i), ())).collect();
        }
        known.all.contains_key(&o)
    }
}
