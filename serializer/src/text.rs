//! What people read of a change: its place and both of its sides. Nothing asks these texts what they mean.

use crate::content::{Items, Slot, content};
use crate::diff::{Side, same_class};
use crate::place::{Path, Root, Step};
use crate::shape::{Form, Shapes};
use crate::tracker::{Change, Tracker};
use crate::twins::{Position, Twins, twins};
use crate::value::{Value, describe, differing, key_text, string_text, value};
use crate::view::View;
use poldet_records::{PathStep, Place};
use poldet_vm::ids::ObjRef;
use poldet_vm::sym::FixedMap;
use poldet_vm::vm::Vm;
use std::collections::VecDeque;

/// Pairs of objects compared to find one that reads differently.
const MOST_PAIRS: usize = 10_000;

/// A place as a record.
pub fn place(vm: &Vm, shapes: &mut Shapes, root: Root, path: &Path) -> Place {
    let root = root_record(vm, shapes, root);
    Place::new(root, path.steps().into_iter().map(|s| step(vm, shapes, s)))
}

fn root_record(vm: &Vm, shapes: &mut Shapes, root: Root) -> poldet_records::Root {
    match root {
        Root::Static { class, field } => poldet_records::Root::Static {
            class: vm.java_name(class),
            field: field.into(),
        },
        Root::Thread(thread) => poldet_records::Root::Thread {
            name: thread_name(vm, shapes, View::before(vm), thread),
        },
    }
}

fn step(vm: &Vm, shapes: &mut Shapes, step: Step) -> PathStep {
    match step {
        Step::Field(name) => PathStep::Field(name.into()),
        Step::Index(i) => PathStep::Index(i),
        Step::Key(key) => PathStep::Key(key_text(key.view(vm), shapes, key.object)),
        Step::Thread(thread) => PathStep::Thread(thread_name(vm, shapes, View::before(vm), thread)),
    }
}

/// A step as the name of an edge in a graph.
pub(crate) fn step_label(vm: &Vm, shapes: &mut Shapes, of: Step) -> String {
    match step(vm, shapes, of) {
        PathStep::Field(name) => name.into_owned(),
        other => other.to_string(),
    }
}

/// The name of a thread.
pub fn thread_name(vm: &Vm, shapes: &mut Shapes, view: View<'_>, thread: ObjRef) -> String {
    let shape = shapes.of_object(vm, thread);
    let name = shape.off("name").map(|off| view.object(thread).reference(off));
    name.filter(|n| !n.is_null())
        .map_or_else(String::new, |n| string_text(view, shapes, n))
}

/// What stood and what stands there. The two texts always differ: where the objects read alike, they say what is
/// different about them.
pub fn sides(vm: &Vm, tracker: &mut Tracker, change: &Change) -> (String, String) {
    let difference = &change.difference;
    let before = side(vm, tracker, View::before(vm), &difference.before);
    let after = side(vm, tracker, View::now(vm), &difference.after);
    if before != after {
        return (before, after);
    }
    match difference.slots() {
        Some((a, b)) => distinguished(vm, tracker, (a, b), before),
        None => (before, format!("{after}, another one")),
    }
}

/// Structures of fewer objects are described without their size.
const LARGE: usize = 100;

/// How large the structure is that stands there now, and that no object of the state before belongs to: a list of a million nodes reads
/// like one of three otherwise. The budget is how many objects may still be counted in this interval.
pub fn size(vm: &Vm, tracker: &mut Tracker, change: &Change, budget: &mut usize) -> Option<String> {
    let Some(Slot::Ref(start)) = change.difference.after.slot() else {
        return None;
    };
    let now = View::now(vm);
    let mut seen: FixedMap<ObjRef, ()> = FixedMap::default();
    let mut work = vec![start];
    while let Some(o) = work.pop() {
        if o.is_null() || tracker.knew(o) || seen.insert(o, ()).is_some() {
            continue;
        }
        if *budget == 0 {
            return (seen.len() > LARGE).then(|| format!("more than {} objects", seen.len()));
        }
        *budget -= 1;
        if value(now, &mut tracker.shapes, o).is_some() {
            continue;
        }
        let content = content(now, &mut tracker.shapes, o);
        work.extend(content.fields.iter().filter_map(|(_, slot)| match slot {
            Slot::Ref(o) => Some(*o),
            Slot::Prim { .. } => None,
        }));
        match content.items {
            Items::Array(list) => work.extend(list),
            Items::List(list) | Items::Bag(list) => work.extend(list.iter().map(|held| held.0)),
            Items::Map { entries, .. } => work.extend(entries.iter().flat_map(|e| [e.key, e.value])),
            Items::None | Items::Prims { .. } | Items::Text(_) => {}
        }
    }
    (seen.len() > LARGE).then(|| format!("{} objects", seen.len()))
}

fn side(vm: &Vm, tracker: &mut Tracker, view: View<'_>, side: &Side) -> String {
    match side {
        Side::Absent => "(absent)".into(),
        Side::Slot(slot) => describe(view, &mut tracker.shapes, *slot),
        Side::Shared(o, elsewhere) => {
            let text = describe(view, &mut tracker.shapes, Slot::Ref(*o));
            match elsewhere {
                Some((root, path)) => {
                    let place = place(vm, &mut tracker.shapes, *root, path);
                    format!("{text}, the same object as {place}")
                }
                None => format!("{text}, an object of its own"),
            }
        }
    }
}

/// Two sides that read alike.
fn distinguished(vm: &Vm, tracker: &mut Tracker, (a, b): (Slot, Slot), text: String) -> (String, String) {
    let (Slot::Ref(x), Slot::Ref(y)) = (a, b) else {
        return (text.clone(), format!("{text}, another value"));
    };
    if x != y
        && tracker.knew(y)
        && let Some((root, path)) = tracker.place_now(vm, y)
    {
        // Another object of the state stands there now.
        let place = place(vm, &mut tracker.shapes, root, &path);
        return (text.clone(), format!("{text}, the same object as {place}"));
    }
    let shapes = &mut tracker.shapes;
    if let Some((place, old, new)) = first_unlike(vm, shapes, x, y) {
        if place.is_empty() {
            return (old, new);
        }
        return (
            format!("{text} with {place} = {old}"),
            format!("{text} with {place} = {new}"),
        );
    }
    (text.clone(), format!("{text}, another object"))
}

/// The first place in two structures where values read differently, and how.
fn first_unlike(vm: &Vm, shapes: &mut Shapes, x: ObjRef, y: ObjRef) -> Option<(String, String, String)> {
    let (before, now) = (View::before(vm), View::now(vm));
    let mut seen: FixedMap<(ObjRef, ObjRef), ()> = FixedMap::default();
    let mut queue = VecDeque::from([(x, y, String::new())]);
    while let Some((x, y, place)) = queue.pop_front() {
        if seen.len() > MOST_PAIRS {
            return None;
        }
        if seen.insert((x, y), ()).is_some() || (x == y && vm.heap.logged(x).is_none()) {
            continue;
        }
        let values = (value(before, shapes, x), value(now, shapes, y));
        if values.0.is_some() || values.1.is_some() || !same_class(vm, x, y) {
            let texts = differing_values(vm, shapes, (x, y), values);
            match texts {
                Some((old, new)) => return Some((place, old, new)),
                None => continue,
            }
        }
        if let Some((step, old, new)) = own_difference(vm, shapes, x, y) {
            return Some((format!("{place}{step}"), old, new));
        }
        let Twins { list, .. } = twins(before, now, shapes, x, y);
        let shape = shapes.of_object(vm, x);
        for twin in list {
            let step = match twin.at {
                Position::Field(i) => format!(".{}", shape.fields[i].name),
                Position::Index(i) => format!("[{i}]"),
                Position::Member => String::new(),
                Position::Value(key) => format!("[{}]", key_text(now, shapes, key)),
            };
            queue.push_back((twin.old, twin.new, format!("{place}{step}")));
        }
    }
    None
}

/// How two values read where they differ; None if they are equal or read alike.
fn differing_values(
    vm: &Vm,
    shapes: &mut Shapes,
    (x, y): (ObjRef, ObjRef),
    values: (Option<Value>, Option<Value>),
) -> Option<(String, String)> {
    let (before, now) = (View::before(vm), View::now(vm));
    if let (Some(Value::Text(..)), Some(Value::Text(..))) = &values {
        return differing(&string_text(before, shapes, x), &string_text(now, shapes, y));
    }
    let texts = (
        describe(before, shapes, Slot::Ref(x)),
        describe(now, shapes, Slot::Ref(y)),
    );
    (texts.0 != texts.1).then_some(texts)
}

/// A difference of two objects of one class that lies in no object they refer to.
fn own_difference(vm: &Vm, shapes: &mut Shapes, x: ObjRef, y: ObjRef) -> Option<(String, String, String)> {
    let (old, new) = (
        content(View::before(vm), shapes, x),
        content(View::now(vm), shapes, y),
    );
    for ((i, a), (_, b)) in old.fields.iter().zip(&new.fields) {
        if let (Slot::Prim { .. }, Slot::Prim { .. }) = (a, b)
            && a != b
        {
            let step = format!(".{}", old.shape.fields[*i].name);
            let texts = [*a, *b].map(|slot| describe(View::now(vm), shapes, slot));
            let [old, new] = texts;
            return Some((step, old, new));
        }
    }
    let items = (&old.items, &new.items);
    if let (Items::Text(a), Items::Text(b)) = items {
        return differing(a, b).map(|(a, b)| (String::new(), a, b));
    }
    if let (
        Items::Prims {
            letter,
            size,
            bytes: a,
        },
        Items::Prims { bytes: b, .. },
    ) = items
        && old.shape.form != Form::Mirror
    {
        let (letter, size) = (*letter, *size);
        let count = a.len().min(b.len()) / size as usize;
        let element = |bytes: &[u8], i| crate::value::element(bytes, letter, size, i);
        let i = (0..count).find(|i| element(a, *i) != element(b, *i))?;
        let [old, new] = [element(a, i), element(b, i)].map(|slot| describe(View::now(vm), shapes, slot));
        return Some((format!("[{i}]"), old, new));
    }
    None
}
