//! What is known of classes and names beside what the heap shows: data, in the form of a file of rules.
//!
//! ```text
//! [class java.util.PriorityQueue]
//! reason: why the fields say what they say
//! contents: heap queue size
//! setting: comparator
//! ```
//!
//! The heading is a class, or a glob over classes. `contents` says how the elements of a collection are read from its
//! fields (`contents.rs` lists the layouts); all other fields of such a class count as internal, but for those named by
//! `setting`. `part` marks classes of which collections are built. `hides` names fields that no API shows, `shows` those
//! that alone are shown. `caption` names the string fields that stand for an object in a report, the parts of a path
//! separated by dots; several are joined by `_`. `only: jdk` keeps a row to classes of the JDK itself.
//!
//! ```text
//! [label named-random]
//! reason: why such a place is of this sort
//! label: random
//! word: seed
//! ```
//!
//! Labels are tried in order, and the first that fits is taken. `root` is a glob over static fields, `word` a part of
//! the name of the root's class or of a field on the path, `field-word` of a field only, in lower case; `is` names a test
//! that `classify/label.rs` makes.

mod contents;
mod labels;

pub use contents::{Contents, Layout};
pub use labels::{Is, LabelRow, Names, Sign};

use crate::rules::{Named, Rule, matches};
use poldet_vm::sym::FixedMap;

pub(crate) const COLLECTIONS: &str = include_str!("collections.txt");
pub(crate) const FIELDS: &str = include_str!("fields.txt");
pub(crate) const CAPTIONS: &str = include_str!("captions.txt");
pub(crate) const LABELS: &str = include_str!("labels.txt");

/// What a class is to the collection that is built of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Holds an element, or belongs to the structure.
    Node,
    /// Stands before the nodes, which this field leads to.
    Head(Box<str>),
    /// Ends a chain: what was behind it has moved to another table.
    Moved,
    /// A node whose key the collector may have taken; then it is no entry any more.
    Weak,
    /// The value of a ThreadLocal in a thread's table.
    ThreadLocal,
}

/// One statement about a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Contents(Contents),
    Setting(Vec<Box<str>>),
    Part(Part),
    Hides(Vec<Box<str>>),
    Shows(Vec<Box<str>>),
    /// Fields, each by the path to it.
    Caption(Vec<Vec<Box<str>>>),
    OnlyJdk,
}

impl Fact {
    pub(crate) fn parse(text: &str) -> Result<Fact, String> {
        let bad = || {
            format!(
                "'{text}' is none of contents: LAYOUT FIELD…, setting: FIELD…, part: node | head FIELD | moved | weak | thread-local, hides: FIELD…, shows: FIELD…, caption: FIELD…, only: jdk"
            )
        };
        let (key, value) = text.split_once(':').ok_or_else(bad)?;
        let words: Vec<Box<str>> = value.split_whitespace().map(Box::from).collect();
        let refs: Vec<&str> = value.split_whitespace().collect();
        match (key.trim(), &refs[..]) {
            ("contents", [layout, fields @ ..]) => Contents::new(layout, fields)
                .map(Fact::Contents)
                .map_err(|e| format!("'{text}': {e}")),
            ("setting", [_, ..]) => Ok(Fact::Setting(words)),
            ("part", ["node"]) => Ok(Fact::Part(Part::Node)),
            ("part", ["head", field]) => Ok(Fact::Part(Part::Head((*field).into()))),
            ("part", ["moved"]) => Ok(Fact::Part(Part::Moved)),
            ("part", ["weak"]) => Ok(Fact::Part(Part::Weak)),
            ("part", ["thread-local"]) => Ok(Fact::Part(Part::ThreadLocal)),
            ("hides", [_, ..]) => Ok(Fact::Hides(words)),
            ("shows", [_, ..]) => Ok(Fact::Shows(words)),
            ("caption", [_, ..]) => {
                let path = |field: &&str| field.split('.').map(Box::from).collect();
                Ok(Fact::Caption(refs.iter().map(path).collect()))
            }
            ("only", ["jdk"]) => Ok(Fact::OnlyJdk),
            _ => Err(bad()),
        }
    }
}

/// The statements of a row.
#[derive(Clone, Debug)]
struct Row {
    facts: Vec<Fact>,
    only_jdk: bool,
}

/// All that is known, ready to be asked. The questions are about names, so an answer can be kept for each class.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    classes: FixedMap<String, Row>,
    /// Rows whose heading is a pattern.
    globs: Vec<(String, Row)>,
    pub labels: Vec<LabelRow>,
}

impl Knowledge {
    /// Makes rows ready that have been read by `rules::Book`.
    pub fn new(rows: &[Rule]) -> Result<Knowledge, String> {
        let mut known = Knowledge::default();
        for row in rows {
            let fail = |e: String| format!("{}: {e}", row.id);
            let terms = row.pattern.split("; ");
            match row.id.split_once(' ') {
                Some(("class", class)) => {
                    let facts = terms.map(Fact::parse).collect::<Result<Vec<_>, _>>();
                    known.add(class, facts.map_err(fail)?);
                }
                Some(("label", _)) => {
                    let signs = terms.map(Sign::parse).collect::<Result<Vec<_>, _>>();
                    known.labels.push(signs.and_then(LabelRow::new).map_err(fail)?);
                }
                _ => return Err(fail("neither a class nor a label".into())),
            }
        }
        Ok(known)
    }

    fn add(&mut self, class: &str, facts: Vec<Fact>) {
        let only_jdk = facts.contains(&Fact::OnlyJdk);
        let row = Row { facts, only_jdk };
        if class.contains(['*', '?']) {
            self.globs.push((class.to_owned(), row));
        } else {
            self.classes.insert(class.to_owned(), row);
        }
    }

    /// The statements about a class, those by its own name first.
    fn facts<'a>(&'a self, about: Named<'a>) -> impl Iterator<Item = &'a Fact> {
        let own = self.classes.get(about.class).into_iter();
        let globs = self.globs.iter();
        let globs = globs.filter(move |(glob, _)| matches(glob, about.class));
        own.chain(globs.map(|(_, row)| row))
            .filter(move |row| about.jdk || !row.only_jdk)
            .flat_map(|row| &row.facts)
    }

    /// How the elements of a collection of this class are read.
    pub fn contents<'a>(&'a self, class: Named<'a>) -> Option<&'a Contents> {
        self.facts(class).find_map(|fact| match fact {
            Fact::Contents(contents) => Some(contents),
            _ => None,
        })
    }

    /// Whether a field beside the contents of a collection is shown by its API.
    pub fn is_setting(&self, class: Named<'_>, field: &str) -> bool {
        self.facts(class).any(|fact| match fact {
            Fact::Setting(fields) => fields.iter().any(|f| **f == *field),
            _ => false,
        })
    }

    /// What objects of this class are to the collection that is built of them.
    pub fn part<'a>(&'a self, class: Named<'a>) -> Option<&'a Part> {
        self.facts(class).find_map(|fact| match fact {
            Fact::Part(part) => Some(part),
            _ => None,
        })
    }

    /// Whether no API shows a field: it caches, counts modifications or belongs to the collector.
    pub fn is_internal(&self, class: Named<'_>, field: &str) -> bool {
        self.facts(class).any(|fact| match fact {
            Fact::Hides(fields) => fields.iter().any(|f| **f == *field || **f == *"*"),
            Fact::Shows(fields) => !fields.iter().any(|f| **f == *field),
            _ => false,
        })
    }

    /// The fields that stand for an object of this class in a report.
    pub fn caption<'a>(&'a self, class: Named<'a>) -> Option<&'a [Vec<Box<str>>]> {
        self.facts(class).find_map(|fact| match fact {
            Fact::Caption(fields) => Some(&fields[..]),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Book;

    fn jdk(class: &str) -> Named<'_> {
        Named { class, jdk: true }
    }

    fn other(class: &str) -> Named<'_> {
        Named { class, jdk: false }
    }

    #[test]
    fn the_built_in_rows_are_found() {
        let known = Knowledge::new(&Book::builtin().unwrap().known).unwrap();
        let list = known.contents(jdk("java.util.ArrayList")).unwrap();
        assert_eq!(list.layout, Layout::Elements);
        assert_eq!(known.part(jdk("java.util.HashMap$Node")), Some(&Part::Node));
        assert!(known.is_setting(jdk("java.util.TreeMap"), "comparator"));
        assert!(!known.is_setting(jdk("java.util.TreeMap"), "size"));
        // Hashes that are computed when first asked for.
        assert!(known.is_internal(jdk("java.net.URI"), "hash"));
        assert!(!known.is_internal(other("a.B"), "hash"));
        assert!(known.is_internal(jdk("java.util.AbstractMap"), "keySet"));
        assert!(!known.is_internal(jdk("java.util.Locale"), "baseLocale"));
        assert!(known.is_internal(jdk("java.lang.Thread"), "eetop"));
        assert!(!known.is_internal(jdk("java.lang.Thread"), "name"));
        assert!(!known.is_internal(jdk("java.lang.Thread"), "threadLocals"));
        assert!(known.caption(jdk("java.io.File")).is_some());
        assert!(known.contents(jdk("java.lang.Object")).is_none());
    }

    #[test]
    fn users_add_classes_of_their_own() {
        let mut book = Book::builtin().unwrap();
        book.add("[class a.Bag]\nreason: r\ncontents: heap items count\nsetting: limit\nhides: last\n")
            .unwrap();
        let known = Knowledge::new(&book.known).unwrap();
        let bag = known.contents(other("a.Bag")).unwrap();
        assert_eq!((bag.layout, bag.own().len()), (Layout::Heap, 2));
        assert!(known.is_internal(other("a.Bag"), "last"));
    }
}
