//! The canonical walk: objects are numbered by first visit from the roots, classes in load order, fields in declaration
//! order, and what each shows goes into one stream. Two states are equal up to identity exactly when their streams
//! are, and BLAKE3 compares them.

use crate::content::{Content, Items, Slot, canonical, content};
use crate::shape::{Form, Shape, Shapes};
use crate::value::{Value, text, value};
use crate::view::View;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use std::collections::VecDeque;

pub type Digest = [u8; 32];

/// Where walks begin.
pub struct Roots<'a> {
    pub threads: &'a [ObjRef],
    /// Initialised classes in load order.
    pub classes: &'a [ClassId],
}

/// The digest of all that shows from the roots, but for what rules hide.
pub fn digest(view: View<'_>, shapes: &mut Shapes, roots: &Roots<'_>) -> Digest {
    let mut walk = Walk::new(view, shapes, None);
    for &thread in roots.threads {
        walk.number(thread);
    }
    for &class in roots.classes {
        walk.statics(class);
    }
    while let Some(o) = walk.queue.pop_front() {
        walk.object(o);
    }
    walk.stream.finish()
}

/// A number for what the static fields of a class lead to. Objects that are not new count by their address: they are the
/// same ones in all forks of a VM, while what is new is compared by what it shows.
pub fn class_digest(
    view: View<'_>,
    shapes: &mut Shapes,
    class: ClassId,
    is_new: &dyn Fn(ObjRef) -> bool,
) -> u64 {
    let mut walk = Walk::new(view, shapes, Some(is_new));
    walk.statics(class);
    while let Some(o) = walk.queue.pop_front() {
        walk.object(o);
    }
    let [a, b, c, d, e, f, g, h, ..] = walk.stream.finish();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Objects visited for one digest of contents.
const MOST_OBJECTS: usize = 10_000;

/// Digests of contents that were made at one boundary, or at the one before it of what is the state before now: many changes have the
/// same objects on their paths, or behind them, and what one interval leaves at a place the next one finds there.
#[derive(Default)]
pub struct Digested {
    before: Known,
    now: Known,
}

/// Of objects of one state.
#[derive(Default)]
struct Known {
    digests: FixedMap<ObjRef, Digest>,
    /// What shows one of these shows too much as well.
    too_large: FixedMap<ObjRef, ()>,
}

impl Digested {
    fn of(&mut self, view: View<'_>) -> &mut Known {
        match view.is_before() {
            true => &mut self.before,
            false => &mut self.now,
        }
    }

    /// The next boundary: the state now becomes the state before.
    pub fn advance(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }
}

/// The digest of what stands in a field or an array and of all that it shows; none if that is too much.
pub fn contents_digest(
    view: View<'_>,
    shapes: &mut Shapes,
    digested: &mut Digested,
    slot: Slot,
) -> Option<Digest> {
    let mut walk = Walk::new(view, shapes, None);
    walk.most = MOST_OBJECTS;
    let start = match slot {
        Slot::Prim { letter, bits } => {
            walk.stream.word(letter, bits);
            return Some(walk.stream.finish());
        }
        Slot::Ref(o) => o,
    };
    let known = digested.of(view);
    if let Some(digest) = known.digests.get(&start) {
        return Some(*digest);
    }
    walk.reference(start);
    while let Some(o) = walk.queue.pop_front() {
        if walk.is_too_much() || known.too_large.contains_key(&o) {
            known.too_large.insert(start, ());
            return None;
        }
        walk.object(o);
    }
    let digest = walk.stream.finish();
    known.digests.insert(start, digest);
    Some(digest)
}

/// Writes are gathered before they are hashed.
#[derive(Default)]
struct Stream {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Stream {
    fn put(&mut self, tag: u8, value: &[u8]) {
        self.buffer.push(tag);
        self.buffer.extend_from_slice(value);
        if self.buffer.len() > 1 << 16 {
            self.flush();
        }
    }

    fn tag(&mut self, tag: u8) {
        self.put(tag, &[]);
    }

    fn short(&mut self, tag: u8, value: u32) {
        self.put(tag, &value.to_le_bytes());
    }

    fn word(&mut self, tag: u8, value: u64) {
        self.put(tag, &value.to_le_bytes());
    }

    fn bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.word(tag, bytes.len() as u64);
        self.buffer.extend_from_slice(bytes);
    }

    fn flush(&mut self) {
        self.hasher.update(&self.buffer);
        self.buffer.clear();
    }

    fn finish(mut self) -> Digest {
        self.flush();
        *self.hasher.finalize().as_bytes()
    }
}

struct Walk<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
    stream: Stream,
    numbers: FixedMap<ObjRef, u32>,
    queue: VecDeque<ObjRef>,
    /// With more objects than that, nobody wants the digest.
    most: usize,
    /// Which objects are new, where states of several forks are compared: their classes have names, but no common numbers.
    is_new: Option<&'b dyn Fn(ObjRef) -> bool>,
}

impl<'a, 'b> Walk<'a, 'b> {
    fn new(
        view: View<'a>,
        shapes: &'b mut Shapes,
        is_new: Option<&'b dyn Fn(ObjRef) -> bool>,
    ) -> Walk<'a, 'b> {
        Walk {
            view,
            shapes,
            stream: Stream::default(),
            numbers: FixedMap::default(),
            queue: VecDeque::new(),
            most: usize::MAX,
            is_new,
        }
    }

    fn is_too_much(&self) -> bool {
        self.numbers.len() > self.most
    }

    fn class(&mut self, tag: u8, class: ClassId) {
        match self.is_new {
            None => self.stream.short(tag, class.0),
            Some(_) => self.stream.bytes(tag, self.view.vm.class_name(class).as_bytes()),
        }
    }

    /// A class or an enum constant.
    fn identity(&mut self, o: ObjRef) {
        let vm = self.view.vm;
        match self.is_new {
            None => self.stream.word(b'=', u64::from(o.0)),
            Some(_) if vm.heap.class_of(o) == vm.known.class => self.class(b'=', vm.class_of_mirror(o)),
            Some(_) => {
                self.class(b'=', vm.heap.class_of(o));
                let shape = self.shapes.of_object(vm, o);
                let ordinal = shape.fields.iter().find(|f| f.name == "ordinal");
                let bits = ordinal.map_or(0, |f| self.view.object(o).bits(f.off, f.size));
                self.stream.word(b'=', bits);
            }
        }
    }

    fn number(&mut self, o: ObjRef) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(o).or_insert(next);
        if number == next {
            self.queue.push_back(o);
        }
        number
    }

    fn statics(&mut self, class: ClassId) {
        let vm = self.view.vm;
        let mirror = vm.mirror(class);
        self.class(b'C', class);
        let object = self.view.object(mirror);
        for field in self.shapes.statics(vm, class).iter() {
            if !field.shows() {
                continue;
            }
            let bits = object.bits(field.off, field.size);
            if !field.is_ref() {
                self.stream.word(field.letter, canonical(field.letter, bits));
                continue;
            }
            let o = ObjRef(bits as u32);
            let own = !o.is_null() && is_constant_of(self.view, self.shapes, o, class);
            if own {
                // The fields of an enum constant belong to its enum.
                let number = self.number(o);
                self.stream.short(b'#', number);
            } else {
                self.reference(o);
            }
        }
    }

    fn reference(&mut self, o: ObjRef) {
        if o.is_null() {
            return self.stream.tag(b'0');
        }
        let shape = self.shapes.of_object(self.view.vm, o);
        if !shape.form.is_value() {
            return self.what_is_no_value(o, &shape);
        }
        if let Some((wide, bytes)) = text(self.view, &shape, o) {
            return self.stream.bytes(if wide { b'U' } else { b'T' }, bytes);
        }
        match value(self.view, self.shapes, o) {
            Some(Value::Bits(letter, bits)) => self.stream.word(letter.to_ascii_lowercase(), bits),
            Some(Value::Number(scale, bytes)) => {
                self.stream.word(b'N', scale as u64);
                self.stream.bytes(b'n', &bytes);
            }
            Some(Value::Identity(_)) => self.identity(o),
            // Null and text were dealt with.
            Some(Value::Null | Value::Text(..)) | None => self.what_is_no_value(o, &shape),
        }
    }

    fn what_is_no_value(&mut self, o: ObjRef, shape: &Shape) {
        if shape.rule.is_some() {
            self.stream.tag(b'?');
        } else if self.is_new.is_some_and(|is_new| !is_new(o)) {
            self.stream.short(b'@', o.0);
        } else {
            let number = self.number(o);
            self.stream.short(b'#', number);
        }
    }

    fn slot(&mut self, slot: Slot) {
        match slot {
            Slot::Prim { letter, bits } => self.stream.word(letter, bits),
            Slot::Ref(o) => self.reference(o),
        }
    }

    fn object(&mut self, o: ObjRef) {
        let class = self.view.class_of(o);
        self.class(b'O', class);
        let shape = self.shapes.of_object(self.view.vm, o);
        let object = self.view.object(o);
        match shape.form {
            Form::RefArray => {
                self.stream.word(b'[', u64::from(object.len()));
                for i in 0..object.len() {
                    if self.is_too_much() {
                        return;
                    }
                    self.reference(object.element(i));
                }
            }
            Form::PrimArray { letter, .. } if !matches!(letter, b'F' | b'D') => {
                self.stream.bytes(b'p', object.bytes());
            }
            Form::Object if shape.adapter.is_none() => {
                for field in shape.fields.iter().filter(|f| f.shows()) {
                    self.slot(field.slot(&object));
                }
            }
            _ => self.contents(o),
        }
    }

    /// Of what is not read field by field.
    fn contents(&mut self, o: ObjRef) {
        let Content { shape, fields, items } = content(self.view, self.shapes, o);
        for (i, slot) in fields {
            if shape.fields[i].rule.is_none() {
                self.slot(slot);
            }
        }
        match items {
            // Arrays of references were dealt with.
            Items::None | Items::Array(_) => {}
            Items::Prims { bytes, .. } => self.stream.bytes(b'p', &bytes),
            Items::Text(text) => self.stream.bytes(b't', text.as_bytes()),
            Items::List(list) => {
                self.stream.word(b'L', list.len() as u64);
                for (o, _) in list {
                    if self.is_too_much() {
                        return;
                    }
                    self.reference(o);
                }
            }
            Items::Bag(list) => {
                self.stream.word(b'B', list.len() as u64);
                let keys = list.iter().map(|(o, _)| (*o, ObjRef::NULL)).collect();
                for (o, _) in sorted(self.view, self.shapes, keys) {
                    self.reference(o);
                }
            }
            Items::Map { entries, ordered } => {
                self.stream.word(b'M', entries.len() as u64);
                let pairs: Vec<(ObjRef, ObjRef)> = entries.iter().map(|e| (e.key, e.value)).collect();
                let pairs = if ordered {
                    pairs
                } else {
                    sorted(self.view, self.shapes, pairs)
                };
                for (key, value) in pairs {
                    self.reference(key);
                    self.reference(value);
                }
            }
        }
    }
}

/// Keys that are values in their order; after them the others by what they look like from near, and objects that look
/// alike by their place in memory. How a table happens to be laid out says nothing: it is another after it has grown.
pub fn sorted(view: View<'_>, shapes: &mut Shapes, pairs: Vec<(ObjRef, ObjRef)>) -> Vec<(ObjRef, ObjRef)> {
    let mut keyed: Vec<_> = pairs
        .into_iter()
        .map(|(key, of)| match value(view, shapes, key) {
            Some(value) => (false, Some(value), 0, (key, of)),
            None => (true, None, look(view, shapes, key, of), (key, of)),
        })
        .collect();
    keyed.sort();
    keyed.into_iter().map(|(.., p)| p).collect()
}

/// Depth to which entries are compared to distinguish them.
const NEAR: u32 = 2;
/// Elements of an array or a list that are compared.
const FEW: usize = 16;

/// A number that is the same for entries that look alike, whatever objects they are.
fn look(view: View<'_>, shapes: &mut Shapes, key: ObjRef, of: ObjRef) -> u64 {
    let mut look = Look { view, shapes, sum: 0 };
    look.reference(key, NEAR);
    look.reference(of, NEAR - 1);
    look.sum
}

struct Look<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
    sum: u64,
}

impl Look<'_, '_> {
    fn word(&mut self, word: u64) {
        self.sum = (self.sum.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes[..bytes.len().min(FEW * 8)].chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn reference(&mut self, o: ObjRef, depth: u32) {
        match value(self.view, self.shapes, o) {
            Some(Value::Null) => self.word(1),
            Some(Value::Bits(letter, bits)) => self.word(bits ^ u64::from(letter) << 56),
            Some(Value::Text(_, bytes)) => self.bytes(&bytes),
            Some(Value::Number(scale, bytes)) => {
                self.word(scale as u64);
                self.bytes(&bytes);
            }
            Some(Value::Identity(id)) => self.word(u64::from(id)),
            None if self.shapes.of_object(self.view.vm, o).rule.is_some() => self.word(2),
            None => {
                self.word(u64::from(self.view.class_of(o).0));
                if depth > 0 {
                    self.contents(o, depth - 1);
                }
            }
        }
    }

    fn contents(&mut self, o: ObjRef, depth: u32) {
        let Content { shape, fields, items } = content(self.view, self.shapes, o);
        for (_, slot) in fields
            .into_iter()
            .filter(|(i, _)| shape.fields[*i].rule.is_none())
        {
            match slot {
                Slot::Prim { bits, .. } => self.word(bits),
                Slot::Ref(o) => self.reference(o, depth),
            }
        }
        match items {
            Items::None => {}
            Items::Array(list) => {
                self.word(list.len() as u64);
                list.into_iter().take(FEW).for_each(|o| self.reference(o, depth));
            }
            Items::List(list) => {
                self.word(list.len() as u64);
                list.into_iter()
                    .take(FEW)
                    .for_each(|(o, _)| self.reference(o, depth));
            }
            Items::Prims { bytes, .. } => self.bytes(&bytes),
            Items::Text(text) => self.bytes(text.as_bytes()),
            // Which come first is what is being asked.
            Items::Bag(list) => self.word(list.len() as u64),
            Items::Map { entries, .. } => self.word(entries.len() as u64),
        }
    }
}

/// Whether an object is a constant of this enum.
pub fn is_constant_of(view: View<'_>, shapes: &mut Shapes, o: ObjRef, class: ClassId) -> bool {
    let vm = view.vm;
    shapes.of_object(vm, o).form == crate::shape::Form::Enum
        && vm.class(vm.heap.class_of(o)).display.get(2) == Some(&class)
}
