//! Reads the elements of collections from their fields and nodes, by the layouts of `knowledge`.

use super::{Entry, Held, Items, content, text_of};
use crate::knowledge::Layout;
use crate::shape::{Adapter, Part, Shape, Shapes};
use crate::view::View;
use poldet_vm::ids::{ClassId, ObjRef};
use std::rc::Rc;

/// Depth of a tree, at most: a search tree that is deeper is broken.
const DEEPEST_TREE: usize = 256;

/// What a collection holds; None if it is not built as its layout says, or is broken.
pub(super) fn items(view: View<'_>, shapes: &mut Shapes, adapter: &Adapter, o: ObjRef) -> Option<Items> {
    let mut reader = Reader { view, shapes };
    let own = adapter.own;
    Some(match adapter.layout {
        Layout::Elements => Items::List(reader.prefix(o, own)),
        Layout::Heap => Items::Bag(reader.prefix(o, own)),
        Layout::Ring => Items::List(reader.ring(o, own)?),
        Layout::Window => Items::List(reader.window(o, own)),
        Layout::Chain => Items::List(reader.chain(o, adapter, true)?),
        Layout::Queue => Items::List(reader.chain(o, adapter, false)?),
        Layout::Table => unordered(reader.buckets(o, adapter)?),
        Layout::Linked => ordered(reader.linked(o, adapter)?),
        Layout::Tree => ordered(reader.in_order(o, adapter)?),
        Layout::SkipList => ordered(reader.skip_list(o, adapter)?),
        Layout::Pairs => unordered(reader.pairs(o, own)),
        Layout::Sparse => Items::Bag(reader.sparse(o, own)),
        Layout::EnumMap => ordered(reader.enum_map(o, own)),
        Layout::EnumSet => Items::Bag(reader.enum_set(o, own)?),
        Layout::Inside => reader.inside(o, own),
        Layout::KeysOf => reader.keys_of(o, own),
        Layout::Bits => reader.bits(o, own),
        Layout::Text => reader.text(o, own),
        Layout::ListOf => Items::List(reader.two(o, own)),
        Layout::SetOf => Items::Bag(reader.two(o, own)),
        Layout::Entry => unordered(vec![pair(reader.get(o, own[0]), reader.get(o, own[1]))]),
        Layout::ThreadLocals => unordered(reader.thread_locals(o, adapter)?),
    })
}

fn unordered(entries: Vec<Entry>) -> Items {
    Items::Map {
        entries,
        ordered: false,
    }
}

fn ordered(entries: Vec<Entry>) -> Items {
    Items::Map {
        entries,
        ordered: true,
    }
}

fn pair(key: ObjRef, value: ObjRef) -> Entry {
    Entry {
        key,
        value,
        node: ObjRef::NULL,
    }
}

fn alone(o: ObjRef) -> Held {
    (o, ObjRef::NULL)
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

/// The places of fields in nodes, looked up once for each class of nodes that follow each other.
struct Nodes<'n, const N: usize> {
    names: &'n [Box<str>],
    class: Option<ClassId>,
    offs: [u32; N],
    part: Option<Part>,
}

impl<'n, const N: usize> Nodes<'n, N> {
    fn new(names: &'n [Box<str>]) -> Nodes<'n, N> {
        Nodes {
            names,
            class: None,
            offs: [0; N],
            part: None,
        }
    }

    /// None if a field is missing.
    fn fields(&mut self, reader: &mut Reader<'_, '_>, node: ObjRef) -> Option<[u32; N]> {
        self.meet(reader, node);
        self.offs.iter().all(|off| *off != 0).then_some(self.offs)
    }

    fn part(&mut self, reader: &mut Reader<'_, '_>, node: ObjRef) -> Option<Part> {
        self.meet(reader, node);
        self.part
    }

    #[inline]
    fn meet(&mut self, reader: &mut Reader<'_, '_>, node: ObjRef) {
        let class = reader.view.class_of(node);
        if self.class != Some(class) {
            let shape: Rc<Shape> = reader.shapes.of(reader.view.vm, class);
            self.class = Some(class);
            self.part = shape.part;
            for (off, name) in self.offs.iter_mut().zip(self.names) {
                // No field lies at the very start of an object.
                *off = shape.off(name).unwrap_or(0);
            }
        }
    }
}

struct Reader<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
}

impl Reader<'_, '_> {
    #[inline]
    fn get(&self, o: ObjRef, off: u32) -> ObjRef {
        self.view.object(o).reference(off)
    }

    /// A number of elements, or an index.
    fn count(&self, o: ObjRef, off: u32) -> usize {
        self.view.object(o).int(off).max(0) as usize
    }

    fn elements(&self, array: ObjRef) -> Vec<ObjRef> {
        if array.is_null() {
            return Vec::new();
        }
        let object = self.view.object(array);
        (0..object.len()).map(|i| object.element(i)).collect()
    }

    fn prefix(&self, o: ObjRef, [array, size, _]: [u32; 3]) -> Vec<Held> {
        let array = self.get(o, array);
        if array.is_null() {
            return Vec::new();
        }
        let object = self.view.object(array);
        let len = (self.count(o, size) as u32).min(object.len());
        (0..len).map(|i| alone(object.element(i))).collect()
    }

    fn ring(&self, o: ObjRef, [array, head, tail]: [u32; 3]) -> Option<Vec<Held>> {
        let all = self.elements(self.get(o, array));
        let (mut at, tail) = (self.count(o, head), self.count(o, tail));
        let mut list = Vec::new();
        while at != tail && list.len() < all.len() {
            list.push(alone(*all.get(at)?));
            at = if at + 1 == all.len() { 0 } else { at + 1 };
        }
        Some(list)
    }

    fn window(&self, o: ObjRef, [array, first, count]: [u32; 3]) -> Vec<Held> {
        let all = self.elements(self.get(o, array));
        let (first, count) = (self.count(o, first), self.count(o, count));
        let at = |i: usize| all.get((first + i) % all.len().max(1)).copied();
        (0..count).filter_map(at).map(alone).collect()
    }

    /// The items of a chain of nodes; those without one may be heads, or have been taken out.
    fn chain(&mut self, o: ObjRef, adapter: &Adapter, nulls: bool) -> Option<Vec<Held>> {
        // Of other chains some nodes are left out.
        if !nulls {
            return self.rest_of_chain(o, adapter, nulls, Vec::new());
        }
        let (view, chains) = (self.view, &self.shapes.chains);
        let known = match view.is_before() {
            true => chains.before(view, o),
            false => chains.now(view, o),
        };
        if let Some(known) = known {
            return Some(known.to_vec());
        }
        let kept = match view.is_before() {
            true => None,
            false => chains.untouched(view, o),
        };
        let first = self.get(o, adapter.own[0]);
        let kept = kept.filter(|kept| kept.first().is_some_and(|(_, node)| *node == first));
        let list = self.rest_of_chain(o, adapter, nulls, kept.unwrap_or_default().to_vec())?;
        self.shapes.chains.note(view, o, &list);
        Some(list)
    }

    /// The items of a chain, the first of which are known.
    fn rest_of_chain(
        &mut self,
        o: ObjRef,
        adapter: &Adapter,
        nulls: bool,
        mut list: Vec<Held>,
    ) -> Option<Vec<Held>> {
        let mut nodes = Nodes::<2>::new(&adapter.nodes);
        let mut node = match list.pop() {
            Some((_, last)) => last,
            None => self.get(o, adapter.own[0]),
        };
        let mut chain = Chain::default();
        while !node.is_null() {
            chain.at(node)?;
            let at = self.view.object(node);
            let [item, next] = nodes.fields(self, node)?.map(|off| at.reference(off));
            if nulls || !item.is_null() {
                list.push((item, node));
            }
            if next == node {
                break;
            }
            node = next;
        }
        Some(list)
    }

    /// The entries of a table of chains.
    fn buckets(&mut self, o: ObjRef, adapter: &Adapter) -> Option<Vec<Entry>> {
        let mut nodes = Nodes::<3>::new(&adapter.nodes);
        let mut entries = Vec::new();
        for mut node in self.elements(self.get(o, adapter.own[0])) {
            let mut chain = Chain::default();
            while !node.is_null() {
                chain.at(node)?;
                let part = nodes.part(self, node);
                match part {
                    Some(Part::Head(first)) => {
                        node = self.get(node, first);
                        continue;
                    }
                    Some(Part::Moved) => break,
                    _ => {}
                }
                let at = self.view.object(node);
                let [key, value, next] = nodes.fields(self, node)?.map(|off| at.reference(off));
                if !key.is_null() || part != Some(Part::Weak) {
                    entries.push(Entry { key, value, node });
                }
                node = next;
            }
        }
        Some(entries)
    }

    fn linked(&mut self, o: ObjRef, adapter: &Adapter) -> Option<Vec<Entry>> {
        let mut nodes = Nodes::<3>::new(&adapter.nodes);
        let mut entries = Vec::new();
        let mut node = self.get(o, adapter.own[0]);
        let mut chain = Chain::default();
        while !node.is_null() {
            chain.at(node)?;
            let at = self.view.object(node);
            let [key, value, after] = nodes.fields(self, node)?.map(|off| at.reference(off));
            entries.push(Entry { key, value, node });
            node = after;
        }
        Some(entries)
    }

    fn in_order(&mut self, o: ObjRef, adapter: &Adapter) -> Option<Vec<Entry>> {
        let mut nodes = Nodes::<4>::new(&adapter.nodes);
        let mut entries = Vec::new();
        let mut waiting = Vec::new();
        let mut node = self.get(o, adapter.own[0]);
        while !node.is_null() || !waiting.is_empty() {
            while !node.is_null() && waiting.len() < DEEPEST_TREE {
                waiting.push(node);
                let [_, _, left, _] = nodes.fields(self, node)?;
                node = self.get(node, left);
            }
            let Some(top) = waiting.pop() else { break };
            let at = self.view.object(top);
            let [key, value, _, right] = nodes.fields(self, top)?.map(|off| at.reference(off));
            entries.push(Entry {
                key,
                value,
                node: top,
            });
            node = right;
        }
        Some(entries)
    }

    fn skip_list(&mut self, o: ObjRef, adapter: &Adapter) -> Option<Vec<Entry>> {
        let (levels, nodes) = adapter.nodes.split_at_checked(2)?;
        let (mut levels, mut nodes) = (Nodes::<2>::new(levels), Nodes::<3>::new(nodes));
        let mut entries = Vec::new();
        let mut index = self.get(o, adapter.own[0]);
        let mut node = ObjRef::NULL;
        while !index.is_null() {
            let [down, below] = levels.fields(self, index)?;
            node = self.get(index, below);
            index = self.get(index, down);
        }
        let mut chain = Chain::default();
        while !node.is_null() {
            chain.at(node)?;
            let at = self.view.object(node);
            let [key, value, next] = nodes.fields(self, node)?.map(|off| at.reference(off));
            if !key.is_null() && !value.is_null() {
                entries.push(Entry { key, value, node });
            }
            node = next;
        }
        Some(entries)
    }

    fn pairs(&self, o: ObjRef, [table, ..]: [u32; 3]) -> Vec<Entry> {
        let all = self.elements(self.get(o, table));
        let pairs = all.chunks_exact(2).filter(|p| !p[0].is_null());
        pairs.map(|p| pair(p[0], p[1])).collect()
    }

    fn sparse(&self, o: ObjRef, [array, ..]: [u32; 3]) -> Vec<Held> {
        let all = self.elements(self.get(o, array)).into_iter();
        all.filter(|e| !e.is_null()).map(alone).collect()
    }

    fn enum_map(&self, o: ObjRef, [keys, values, _]: [u32; 3]) -> Vec<Entry> {
        let (keys, values) = (self.get(o, keys), self.get(o, values));
        let pairs = self.elements(keys).into_iter().zip(self.elements(values));
        let set = pairs.filter(|(_, v)| !v.is_null());
        set.map(|(k, v)| pair(k, v)).collect()
    }

    fn enum_set(&mut self, o: ObjRef, [universe, bits, _]: [u32; 3]) -> Option<Vec<Held>> {
        let shape = self.shapes.of_object(self.view.vm, o);
        let field = shape.fields.iter().find(|f| f.off == bits)?;
        let words: Vec<u8> = if field.is_ref() {
            self.view.object(self.get(o, bits)).bytes().to_vec()
        } else {
            self.view.object(o).bits(bits, 8).to_le_bytes().to_vec()
        };
        let has = |i: usize| words.get(i / 8).is_some_and(|b| b >> (i % 8) & 1 != 0);
        let all = self.elements(self.get(o, universe)).into_iter().enumerate();
        Some(all.filter(|(i, _)| has(*i)).map(|(_, e)| alone(e)).collect())
    }

    fn inside(&mut self, o: ObjRef, [field, ..]: [u32; 3]) -> Items {
        let inner = self.get(o, field);
        if inner.is_null() {
            return Items::None;
        }
        match content(self.view, self.shapes, inner).items {
            Items::Array(all) => Items::List(all.into_iter().map(alone).collect()),
            other => other,
        }
    }

    fn keys_of(&mut self, o: ObjRef, [field, ..]: [u32; 3]) -> Items {
        let inner = self.get(o, field);
        if inner.is_null() {
            return Items::None;
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

    fn bits(&self, o: ObjRef, [words, used, _]: [u32; 3]) -> Items {
        let mut bytes = self.view.object(self.get(o, words)).bytes().to_vec();
        bytes.truncate(self.count(o, used) * 8);
        Items::Prims {
            letter: b'J',
            size: 8,
            bytes,
        }
    }

    fn text(&self, o: ObjRef, [value, count, coder]: [u32; 3]) -> Items {
        let value = self.get(o, value);
        if value.is_null() {
            return Items::Text(String::new());
        }
        let wide = self.view.object(o).bits(coder, 1) != 0;
        let object = self.view.object(value);
        Items::Text(text_of(object.bytes(), wide, self.count(o, count)))
    }

    fn two(&self, o: ObjRef, [first, second, _]: [u32; 3]) -> Vec<Held> {
        let vm = self.view.vm;
        // A mark stands where there is no second element.
        let is_mark = |e: &ObjRef| !e.is_null() && vm.heap.class_of(*e) == vm.known.object;
        let both = [self.get(o, first), self.get(o, second)].into_iter();
        both.filter(|e| !is_mark(e)).map(alone).collect()
    }

    fn thread_locals(&mut self, o: ObjRef, adapter: &Adapter) -> Option<Vec<Entry>> {
        let mut nodes = Nodes::<2>::new(&adapter.nodes);
        let mut entries = Vec::new();
        let all = self.elements(self.get(o, adapter.own[0])).into_iter();
        for node in all.filter(|n| !n.is_null()) {
            let at = self.view.object(node);
            let [key, value] = nodes.fields(self, node)?.map(|off| at.reference(off));
            if !key.is_null() && self.shows(key, value) {
                entries.push(Entry { key, value, node });
            }
        }
        Some(entries)
    }

    /// Whether a thread-local value differs visibly from none.
    fn shows(&mut self, key: ObjRef, value: ObjRef) -> bool {
        !value.is_null() || self.shapes.of_object(self.view.vm, key).name != "java/lang/ThreadLocal"
    }
}
