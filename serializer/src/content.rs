//! What an object shows: its fields, or the elements of a JDK collection in the order its type promises.

use crate::shape::{Adapter, Form, Shape, Shapes};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use std::rc::Rc;

/// What stands in a field or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Prim { letter: u8, bits: u64 },
    Ref(ObjRef),
}

impl Slot {
    /// A primitive; every not-a-number is the same.
    pub fn primitive(letter: u8, bits: u64) -> Slot {
        let bits = canonical(letter, bits);
        Slot::Prim { letter, bits }
    }
}

/// The bits by which a primitive compares: a program can hardly tell one not-a-number from another.
pub fn canonical(letter: u8, bits: u64) -> u64 {
    match letter {
        b'F' if f32::from_bits(bits as u32).is_nan() => u64::from(f32::NAN.to_bits()),
        b'D' if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}

fn canonical_bytes(letter: u8, mut bytes: Vec<u8>) -> Vec<u8> {
    match letter {
        b'F' => {
            for chunk in bytes.chunks_exact_mut(4) {
                if let Ok(word) = <[u8; 4]>::try_from(&*chunk)
                    && f32::from_le_bytes(word).is_nan()
                {
                    chunk.copy_from_slice(&f32::NAN.to_le_bytes());
                }
            }
        }
        b'D' => {
            for chunk in bytes.chunks_exact_mut(8) {
                if let Ok(word) = <[u8; 8]>::try_from(&*chunk)
                    && f64::from_le_bytes(word).is_nan()
                {
                    chunk.copy_from_slice(&f64::NAN.to_le_bytes());
                }
            }
        }
        _ => {}
    }
    bytes
}

/// An entry of a map, with the node that holds it where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: ObjRef,
    pub value: ObjRef,
    pub node: ObjRef,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    None,
    /// An array: elements by index.
    Array(Vec<ObjRef>),
    Prims {
        letter: u8,
        size: u32,
        bytes: Vec<u8>,
    },
    /// Elements in order, each with the node that holds it.
    List(Vec<(ObjRef, ObjRef)>),
    /// Elements in no order, each with the node that holds it.
    Bag(Vec<(ObjRef, ObjRef)>),
    Map {
        entries: Vec<Entry>,
        ordered: bool,
    },
    Text(String),
}

pub struct Content {
    pub shape: Rc<Shape>,
    /// Places in the shape's fields, and what stands there; internal fields are left out.
    pub fields: Vec<(usize, Slot)>,
    pub items: Items,
}

/// Reads what an object shows. Elements of a chain that was cut or runs in a circle are read once.
pub fn content(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> Content {
    let shape = shapes.of_object(view.vm, o);
    let object = view.object(o);
    let items = match shape.form {
        Form::RefArray => Items::Array((0..object.len()).map(|i| object.element(i)).collect()),
        Form::PrimArray { letter, size } => Items::Prims {
            letter,
            size,
            bytes: canonical_bytes(letter, object.bytes().to_vec()),
        },
        _ => match shape.adapter {
            Some(adapter) => Reader { view, shapes }
                .items(adapter, &shape, o)
                .unwrap_or(Items::None),
            None => Items::None,
        },
    };
    let mut fields = Vec::new();
    for (i, f) in shape.fields.iter().enumerate() {
        if !f.internal {
            fields.push((i, f.slot(&object)));
        }
    }
    Content { shape, fields, items }
}

/// Finds out that a chain of nodes has no end: such a structure, broken by threads that write it without a lock or seen
/// while it changes, is compared field by field.
#[derive(Default)]
struct Chain {
    seen: ObjRef,
    steps: u64,
    until: u64,
}

impl Chain {
    /// None if the chain has come to a node it was at before.
    fn at(&mut self, node: ObjRef) -> Option<()> {
        if node == self.seen {
            return None;
        }
        self.steps += 1;
        if self.steps > self.until {
            // Further and further apart, so that one lies in the cycle at last.
            self.seen = node;
            self.until = self.steps * 2;
        }
        Some(())
    }
}

struct Reader<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
}

impl Reader<'_, '_> {
    fn shape(&mut self, o: ObjRef) -> Rc<Shape> {
        self.shapes.of_object(self.view.vm, o)
    }

    fn get(&mut self, o: ObjRef, field: &str) -> Option<ObjRef> {
        let off = self.shape(o).off(field)?;
        Some(self.view.object(o).reference(off))
    }

    fn int(&mut self, o: ObjRef, field: &str) -> Option<i32> {
        let off = self.shape(o).off(field)?;
        Some(self.view.object(o).int(off))
    }

    fn elements(&self, array: ObjRef) -> Vec<ObjRef> {
        if array.is_null() {
            return Vec::new();
        }
        let object = self.view.object(array);
        (0..object.len()).map(|i| object.element(i)).collect()
    }

    fn prefix(&mut self, array: ObjRef, len: i32) -> Vec<(ObjRef, ObjRef)> {
        let mut all = self.elements(array);
        all.truncate(len.max(0) as usize);
        all.into_iter().map(|e| (e, ObjRef::NULL)).collect()
    }

    fn items(&mut self, adapter: Adapter, shape: &Shape, o: ObjRef) -> Option<Items> {
        let unordered = |entries| Items::Map {
            entries,
            ordered: false,
        };
        let ordered = |entries| Items::Map {
            entries,
            ordered: true,
        };
        Some(match adapter {
            Adapter::ArrayList => {
                let (array, size) = (self.get(o, "elementData")?, self.int(o, "size")?);
                Items::List(self.prefix(array, size))
            }
            Adapter::Vector => {
                let (array, size) = (self.get(o, "elementData")?, self.int(o, "elementCount")?);
                Items::List(self.prefix(array, size))
            }
            Adapter::Heap => {
                let (array, size) = (self.get(o, "queue")?, self.int(o, "size")?);
                Items::Bag(self.prefix(array, size))
            }
            Adapter::ArrayDeque => {
                let (array, head, tail) = (
                    self.get(o, "elements")?,
                    self.int(o, "head")?,
                    self.int(o, "tail")?,
                );
                let all = self.elements(array);
                let mut list = Vec::new();
                let mut i = head as usize;
                while i != tail as usize && list.len() < all.len() {
                    list.push((*all.get(i)?, ObjRef::NULL));
                    i = if i + 1 == all.len() { 0 } else { i + 1 };
                }
                Items::List(list)
            }
            Adapter::ArrayBlockingQueue => {
                let (array, take, count) = (
                    self.get(o, "items")?,
                    self.int(o, "takeIndex")?,
                    self.int(o, "count")?,
                );
                let all = self.elements(array);
                let at = |i: usize| all.get((take as usize + i) % all.len().max(1)).copied();
                let list = (0..count.max(0) as usize).filter_map(at);
                Items::List(list.map(|e| (e, ObjRef::NULL)).collect())
            }
            Adapter::LinkedList => Items::List(self.chain(o, "first")?),
            Adapter::Chain { head } => Items::List(self.chain(o, head)?),
            Adapter::HashMap => unordered(self.buckets(o, "table", "value")?),
            Adapter::Hashtable => unordered(self.buckets(o, "table", "value")?),
            Adapter::ConcurrentHashMap => unordered(self.buckets(o, "table", "val")?),
            Adapter::WeakHashMap => unordered(self.buckets(o, "table", "value")?),
            Adapter::LinkedHashMap => {
                let mut entries = Vec::new();
                let mut node = self.get(o, "head")?;
                let mut chain = Chain::default();
                while !node.is_null() {
                    chain.at(node)?;
                    entries.push(self.entry(node, "value")?);
                    node = self.get(node, "after")?;
                }
                ordered(entries)
            }
            Adapter::TreeMap => ordered(self.in_order(o)?),
            Adapter::SkipListMap => ordered(self.skip_list(o)?),
            Adapter::Pair { ordered } => {
                let pair = [self.get(o, "e0")?, self.get(o, "e1")?];
                // A mark stands where there is no second element.
                let is_mark =
                    |e: &ObjRef| !e.is_null() && self.view.vm.heap.class_of(*e) == self.view.vm.known.object;
                let list = pair
                    .into_iter()
                    .filter(|e| !is_mark(e))
                    .map(|e| (e, ObjRef::NULL))
                    .collect();
                if ordered {
                    Items::List(list)
                } else {
                    Items::Bag(list)
                }
            }
            Adapter::Single => unordered(vec![pair(self.get(o, "k0")?, self.get(o, "v0")?)]),
            Adapter::Probed(field) => {
                let array = self.get(o, field)?;
                let all = self.elements(array).into_iter().filter(|e| !e.is_null());
                Items::Bag(all.map(|e| (e, ObjRef::NULL)).collect())
            }
            Adapter::EnumSet => Items::Bag(self.enum_set(shape, o)?),
            Adapter::IdentityHashMap | Adapter::ProbedMap(_) => {
                let table = self.get(o, "table")?;
                let all = self.elements(table);
                let pairs = all.chunks_exact(2).filter(|p| !p[0].is_null());
                unordered(pairs.map(|p| pair(p[0], p[1])).collect())
            }
            Adapter::EnumMap => {
                let (keys, values) = (self.get(o, "keyUniverse")?, self.get(o, "vals")?);
                let pairs = self.elements(keys).into_iter().zip(self.elements(values));
                ordered(
                    pairs
                        .filter(|(_, v)| !v.is_null())
                        .map(|(k, v)| pair(k, v))
                        .collect(),
                )
            }
            Adapter::ThreadLocalMap => {
                let table = self.get(o, "table")?;
                let mut entries = Vec::new();
                for node in self.elements(table).into_iter().filter(|n| !n.is_null()) {
                    let key = self.get(node, "referent")?;
                    let value = self.get(node, "value")?;
                    if !key.is_null() && self.shows(key, value) {
                        entries.push(Entry { key, value, node });
                    }
                }
                unordered(entries)
            }
            Adapter::Backed(field) => {
                let inner = self.get(o, field)?;
                if inner.is_null() {
                    return Some(Items::None);
                }
                match content(self.view, self.shapes, inner).items {
                    Items::Array(all) => Items::List(all.into_iter().map(|e| (e, ObjRef::NULL)).collect()),
                    other => other,
                }
            }
            Adapter::BackedSet(field) => {
                let inner = self.get(o, field)?;
                if inner.is_null() {
                    return Some(Items::None);
                }
                match content(self.view, self.shapes, inner).items {
                    Items::Map { entries, ordered } => {
                        let keys = entries.into_iter().map(|e| (e.key, e.node)).collect();
                        if ordered {
                            Items::List(keys)
                        } else {
                            Items::Bag(keys)
                        }
                    }
                    other => other,
                }
            }
            Adapter::BitSet => {
                let words = self.get(o, "words")?;
                let used = self.int(o, "wordsInUse")?.max(0) as usize;
                let mut bytes = self.view.object(words).bytes().to_vec();
                bytes.truncate(used * 8);
                Items::Prims {
                    letter: b'J',
                    size: 8,
                    bytes,
                }
            }
            Adapter::StringBuilder => {
                let value = self.get(o, "value")?;
                let count = self.int(o, "count")?.max(0) as usize;
                if value.is_null() {
                    return Some(Items::Text(String::new()));
                }
                let wide = self.view.object(o).bits(shape.off("coder")?, 1) != 0;
                let object = self.view.object(value);
                Items::Text(text_of(object.bytes(), wide, count))
            }
        })
    }

    /// Whether a thread-local value can be told from none.
    fn shows(&mut self, key: ObjRef, value: ObjRef) -> bool {
        !value.is_null() || self.shape(key).name != "java/lang/ThreadLocal"
    }

    fn enum_set(&mut self, shape: &Shape, o: ObjRef) -> Option<Vec<(ObjRef, ObjRef)>> {
        let universe = self.get(o, "universe")?;
        let field = shape.fields.iter().find(|f| f.name == "elements")?;
        let words: Vec<u8> = if field.is_ref() {
            let array = self.view.object(o).reference(field.off);
            self.view.object(array).bytes().to_vec()
        } else {
            self.view.object(o).bits(field.off, 8).to_le_bytes().to_vec()
        };
        let has = |i: usize| words.get(i / 8).is_some_and(|b| b >> (i % 8) & 1 != 0);
        let all = self.elements(universe).into_iter().enumerate();
        Some(
            all.filter(|(i, _)| has(*i))
                .map(|(_, e)| (e, ObjRef::NULL))
                .collect(),
        )
    }

    fn entry(&mut self, node: ObjRef, value: &str) -> Option<Entry> {
        let key = match self.get(node, "key") {
            Some(key) => key,
            None => self.get(node, "referent")?,
        };
        let value = self.get(node, value)?;
        Some(Entry { key, value, node })
    }

    /// The entries of a table of chains.
    fn buckets(&mut self, o: ObjRef, table: &str, value: &str) -> Option<Vec<Entry>> {
        let table = self.get(o, table)?;
        let mut entries = Vec::new();
        for mut node in self.elements(table) {
            let mut chain = Chain::default();
            while !node.is_null() {
                chain.at(node)?;
                match self.shape(node).name {
                    "java/util/concurrent/ConcurrentHashMap$TreeBin" => node = self.get(node, "first")?,
                    "java/util/concurrent/ConcurrentHashMap$ForwardingNode" => break,
                    _ => {
                        let entry = self.entry(node, value)?;
                        // A weak key that is gone.
                        if !entry.key.is_null() || self.shape(node).name != "java/util/WeakHashMap$Entry" {
                            entries.push(entry);
                        }
                        node = self.get(node, "next")?;
                    }
                }
            }
        }
        Some(entries)
    }

    /// The items of a chain of nodes; nodes without one are heads or have been taken out.
    fn chain(&mut self, o: ObjRef, head: &str) -> Option<Vec<(ObjRef, ObjRef)>> {
        let mut list = Vec::new();
        let mut node = self.get(o, head)?;
        let linked_list = self.shape(o).name == "java/util/LinkedList" || head == "first";
        let mut chain = Chain::default();
        while !node.is_null() {
            chain.at(node)?;
            let item = self.get(node, "item")?;
            if linked_list || !item.is_null() {
                list.push((item, node));
            }
            let next = self.get(node, "next")?;
            if next == node {
                break;
            }
            node = next;
        }
        Some(list)
    }

    fn in_order(&mut self, o: ObjRef) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut waiting = Vec::new();
        let mut node = self.get(o, "root")?;
        while !node.is_null() || !waiting.is_empty() {
            while !node.is_null() && waiting.len() < 256 {
                waiting.push(node);
                node = self.get(node, "left")?;
            }
            let Some(top) = waiting.pop() else { break };
            entries.push(self.entry(top, "value")?);
            node = self.get(top, "right")?;
        }
        Some(entries)
    }

    fn skip_list(&mut self, o: ObjRef) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut index = self.get(o, "head")?;
        if index.is_null() {
            return Some(entries);
        }
        loop {
            let down = self.get(index, "down")?;
            if down.is_null() {
                break;
            }
            index = down;
        }
        let mut node = self.get(index, "node")?;
        let mut chain = Chain::default();
        while !node.is_null() {
            chain.at(node)?;
            let (key, value) = (self.get(node, "key")?, self.get(node, "val")?);
            if !key.is_null() && !value.is_null() {
                entries.push(Entry { key, value, node });
            }
            node = self.get(node, "next")?;
        }
        Some(entries)
    }
}

fn pair(key: ObjRef, value: ObjRef) -> Entry {
    Entry {
        key,
        value,
        node: ObjRef::NULL,
    }
}

/// The first `count` characters of a string's bytes.
pub fn text_of(bytes: &[u8], wide: bool, count: usize) -> String {
    if wide {
        let units = bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]]));
        let units: Vec<u16> = units.take(count).collect();
        String::from_utf16_lossy(&units)
    } else {
        bytes.iter().take(count).map(|b| char::from(*b)).collect()
    }
}
