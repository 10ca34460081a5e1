//! The layouts of collections: how elements lie in fields, arrays and nodes.

/// How the elements of a collection lie in memory. Each is followed by the fields it needs: those of the collection, then
/// those of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The first elements of an array, in order.
    Elements,
    /// The first elements of an array, in no promised order.
    Heap,
    /// From one index of an array to another, round its end.
    Ring,
    /// A number of elements from one index of an array on, round its end.
    Window,
    /// Nodes that each hold an element.
    Chain,
    /// Nodes of which some hold no element: they come first, or have been taken out.
    Queue,
    /// An array of chains of entries.
    Table,
    /// Entries one after the other, in the order in which they came.
    Linked,
    /// A search tree of entries.
    Tree,
    /// Entries in order below levels of shortcuts.
    SkipList,
    /// Keys and values in turn, with holes.
    Pairs,
    /// Elements, with holes, in no promised order.
    Sparse,
    /// A constant at each index, and its value at the same index.
    EnumMap,
    /// A bit for each constant.
    EnumSet,
    /// All is kept in another collection, or in an array.
    Inside,
    /// The keys of a map.
    KeysOf,
    Bits,
    /// Characters, their count, and whether each takes two bytes.
    Text,
    /// Up to two elements in fields of their own, in order.
    ListOf,
    /// The same in no order.
    SetOf,
    /// One entry in fields of its own.
    Entry,
    /// A thread's values by their ThreadLocals.
    ThreadLocals,
}

impl Layout {
    /// Elements stand in fields of the collection itself.
    pub fn is_direct(self) -> bool {
        matches!(self, Layout::ListOf | Layout::SetOf | Layout::Entry)
    }

    /// Another collection or array holds everything.
    pub fn is_backed(self) -> bool {
        matches!(self, Layout::Inside | Layout::KeysOf)
    }
}

/// A layout's name in files, the number of fields of the collection and of its nodes.
const LAYOUTS: [(&str, Layout, usize, usize); 22] = [
    ("elements", Layout::Elements, 2, 0),
    ("heap", Layout::Heap, 2, 0),
    ("ring", Layout::Ring, 3, 0),
    ("window", Layout::Window, 3, 0),
    ("chain", Layout::Chain, 1, 2),
    ("queue", Layout::Queue, 1, 2),
    ("table", Layout::Table, 1, 3),
    ("linked", Layout::Linked, 1, 3),
    ("tree", Layout::Tree, 1, 4),
    ("skip-list", Layout::SkipList, 1, 5),
    ("pairs", Layout::Pairs, 1, 0),
    ("sparse", Layout::Sparse, 1, 0),
    ("enum-map", Layout::EnumMap, 2, 0),
    ("enum-set", Layout::EnumSet, 2, 0),
    ("inside", Layout::Inside, 1, 0),
    ("keys-of", Layout::KeysOf, 1, 0),
    ("bits", Layout::Bits, 2, 0),
    ("text", Layout::Text, 3, 0),
    ("list-of", Layout::ListOf, 2, 0),
    ("set-of", Layout::SetOf, 2, 0),
    ("entry", Layout::Entry, 2, 0),
    ("thread-locals", Layout::ThreadLocals, 1, 2),
];

/// A layout with the names of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub layout: Layout,
    own: usize,
    fields: Box<[Box<str>]>,
}

impl Contents {
    pub(super) fn new(layout: &str, fields: &[&str]) -> Result<Contents, String> {
        let known = LAYOUTS.iter().find(|(name, ..)| *name == layout);
        let Some((_, kind, own, nodes)) = known else {
            let names: Vec<&str> = LAYOUTS.iter().map(|(name, ..)| *name).collect();
            return Err(format!("no layout '{layout}'; there are {}", names.join(", ")));
        };
        if fields.len() != own + nodes {
            return Err(format!("{layout} takes {} fields", own + nodes));
        }
        Ok(Contents {
            layout: *kind,
            own: *own,
            fields: fields.iter().copied().map(Box::from).collect(),
        })
    }

    /// Fields of the collection itself.
    pub fn own(&self) -> &[Box<str>] {
        &self.fields[..self.own]
    }

    /// Fields of its nodes.
    pub fn nodes(&self) -> &[Box<str>] {
        &self.fields[self.own..]
    }
}
