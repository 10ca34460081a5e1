//! The statements of a block as a tree, with which declarations belong to which uses: what delta debugging works on.

use crate::source::tree::{Source, children, is_statement, is_type, takes_statement};
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// A statement of a block, or of one inside of it.
#[derive(Clone, Debug)]
pub struct Unit {
    pub range: Range<usize>,
    /// Start of the block that is the body of the innermost method or lambda around it.
    pub body: usize,
    /// The statement around it.
    pub parent: Option<usize>,
    /// It stands alone where the grammar wants a statement.
    pub sole: bool,
    pub kind: String,
    /// Names that statements after it can use.
    pub declares: Vec<String>,
    /// All of them have a value from the start.
    pub initialised: bool,
    /// Names of methods that it calls at its outermost level.
    pub calls: Vec<String>,
    /// It returns from the method, or throws.
    pub leaves: bool,
}

/// Kinds of statements that only decide whether, when or how often those inside of them run.
const OPENABLE: [&str; 11] = [
    "block",
    "if_statement",
    "for_statement",
    "enhanced_for_statement",
    "while_statement",
    "do_statement",
    "try_statement",
    "try_with_resources_statement",
    "synchronized_statement",
    "labeled_statement",
    "switch_expression",
];

/// The statements of a block, each before those inside of it.
#[derive(Clone, Debug, Default)]
pub struct Units {
    pub list: Vec<Unit>,
    /// Names that are read, by the innermost unit, and those that are assigned to.
    used: Vec<(usize, String)>,
    assigned: Vec<(usize, String)>,
}

impl Source {
    /// The statements of the block with this range; `body` is the start of the body of its method or lambda.
    pub fn units(&self, block: &Range<usize>, body: usize) -> Units {
        let mut units = Units::default();
        if let Some(node) = self.root().descendant_for_byte_range(block.start, block.end) {
            self.gather(node, body, None, &mut units);
        }
        units
    }

    fn gather(&self, node: Node<'_>, body: usize, inside: Option<usize>, units: &mut Units) {
        for child in children(node) {
            let lambda = node.kind() == "lambda_expression" && child.kind() == "block";
            let body = if lambda { child.start_byte() } else { body };
            let stands = is_statement(child) && takes_statement(node, child);
            // The braces of a branch or a loop are no statement of their own.
            let braces = child.kind() == "block" && node.kind() != "block";
            if stands && !braces {
                units.list.push(self.unit(child, node, body, inside));
                let number = units.list.len() - 1;
                self.names(child, number, units);
                if !is_type(child) {
                    self.gather(child, body, Some(number), units);
                }
                continue;
            }
            if !is_type(child) && child.kind() != "class_body" {
                self.gather(child, body, inside, units);
            }
        }
    }

    fn unit(&self, node: Node<'_>, parent: Node<'_>, body: usize, inside: Option<usize>) -> Unit {
        let mut declares = Vec::new();
        let mut initialised = true;
        if node.kind() == "local_variable_declaration" {
            for declarator in children(node) {
                if declarator.kind() == "variable_declarator" {
                    initialised &= declarator.child_by_field_name("value").is_some();
                    let name = declarator.child_by_field_name("name");
                    declares.extend(name.map(|n| self.of(&n.byte_range()).to_owned()));
                }
            }
        } else if is_type(node) {
            let name = node.child_by_field_name("name");
            declares.extend(name.map(|n| self.of(&n.byte_range()).to_owned()));
        }
        Unit {
            range: node.byte_range(),
            body,
            parent: inside,
            sole: !matches!(
                parent.kind(),
                "block" | "switch_block_statement_group" | "constructor_body" | "program"
            ),
            kind: node.kind().to_owned(),
            declares,
            initialised,
            calls: self.outer_calls(node),
            leaves: matches!(node.kind(), "return_statement" | "throw_statement"),
        }
    }

    /// Names in a statement; those of inner statements are added by these, too, which does not matter.
    fn names(&self, node: Node<'_>, unit: usize, units: &mut Units) {
        for child in children(node) {
            if matches!(child.kind(), "identifier" | "type_identifier") {
                units.used.push((unit, self.of(&child.byte_range()).to_owned()));
            }
            if child.kind() == "assignment_expression" {
                let left = child
                    .child_by_field_name("left")
                    .filter(|l| l.kind() == "identifier");
                units
                    .assigned
                    .extend(left.map(|l| (unit, self.of(&l.byte_range()).to_owned())));
            }
            let inner = is_statement(child) && takes_statement(node, child) && child.kind() != "block";
            if !inner {
                self.names(child, unit, units);
            }
        }
    }
}

impl Units {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn all(&self) -> BTreeSet<usize> {
        (0..self.list.len()).collect()
    }

    pub fn is_inside(&self, unit: usize, of: usize) -> bool {
        let mut at = self.list[unit].parent;
        while let Some(parent) = at {
            if parent == of {
                return true;
            }
            at = self.list[parent].parent;
        }
        false
    }

    /// Statements whose inner statements can stand by themselves.
    pub fn openable(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for unit in &self.list {
            let Some(parent) = unit.parent else { continue };
            let around = &self.list[parent];
            if OPENABLE.contains(&around.kind.as_str()) || around.body != unit.body {
                found.insert(parent);
            }
        }
        found
    }

    /// Outermost, if the statements in `opened` are not there.
    pub fn is_outer(&self, unit: usize, opened: &BTreeSet<usize>) -> bool {
        let mut at = self.list[unit].parent;
        while let Some(parent) = at {
            if !opened.contains(&parent) {
                return false;
            }
            at = self.list[parent].parent;
        }
        !opened.contains(&unit)
    }

    /// The units with all that they need to compile: the statements around them and the declarations of their names.
    pub fn closed(&self, kept: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut closed = kept.clone();
        loop {
            let mut more: Vec<usize> = Vec::new();
            for unit in &closed {
                more.extend(self.list[*unit].parent);
            }
            for (unit, name) in self.used.iter().filter(|(unit, _)| closed.contains(unit)) {
                let Some(declaration) = self.declaration(*unit, name) else {
                    continue;
                };
                more.push(declaration);
                if !self.list[declaration].initialised {
                    let between = declaration + 1..*unit;
                    let assigns = |(a, n): &&(usize, String)| n == name && between.contains(a);
                    more.extend(self.assigned.iter().filter(assigns).map(|(a, _)| *a));
                }
            }
            let before = closed.len();
            closed.extend(more);
            if closed.len() == before {
                return closed;
            }
        }
    }

    /// The statement that declares a name which another uses.
    fn declaration(&self, user: usize, name: &str) -> Option<usize> {
        let visible = |d: &usize| {
            let parent = self.list[*d].parent;
            parent.is_none_or(|p| self.is_inside(user, p))
        };
        (0..user)
            .rev()
            .filter(|d| self.list[*d].declares.iter().any(|n| n == name))
            .find(visible)
    }

    /// The units without those that cannot do without one of `dropped`.
    pub fn without(&self, dropped: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut left = self.all();
        loop {
            let gone = |u: &usize| {
                dropped.contains(u)
                    || self.list[*u].parent.is_some_and(|p| !left.contains(&p))
                    || self
                        .used
                        .iter()
                        .filter(|(unit, _)| unit == u)
                        .any(|(_, name)| self.declaration(*u, name).is_some_and(|d| !left.contains(&d)))
            };
            let next: BTreeSet<usize> = left.iter().copied().filter(|u| !gone(u)).collect();
            if next.len() == left.len() {
                return left;
            }
            left = next;
        }
    }

    /// Of those that are not kept, the outermost.
    pub fn outermost_off(&self, kept: &BTreeSet<usize>) -> Vec<usize> {
        let off = |u: &usize| !kept.contains(u) && self.list[*u].parent.is_none_or(|p| kept.contains(&p));
        (0..self.list.len()).filter(off).collect()
    }

    /// The text of the outermost units that are kept, without what is not kept inside of them.
    pub fn texts(&self, source: &Source, kept: &BTreeSet<usize>) -> Vec<String> {
        let top = (0..self.list.len()).filter(|u| self.list[*u].parent.is_none() && kept.contains(u));
        top.map(|u| self.text(source, u, kept)).collect()
    }

    /// The same, with the statements of outermost blocks in place of the blocks.
    pub fn flat_texts(&self, source: &Source, kept: &BTreeSet<usize>) -> Vec<String> {
        let is_block = |u: usize| self.list[u].parent.is_none() && self.list[u].kind == "block";
        let outer = |u: &usize| match self.list[*u].parent {
            None => !is_block(*u),
            Some(parent) => is_block(parent),
        };
        let outer = (0..self.list.len()).filter(|u| outer(u) && kept.contains(u));
        outer.map(|u| self.text(source, u, kept)).collect()
    }

    fn text(&self, source: &Source, unit: usize, kept: &BTreeSet<usize>) -> String {
        let whole = self.list[unit].range.clone();
        let off = self.outermost_off(kept);
        let mut text = String::new();
        let mut done = whole.start;
        for inner in off.into_iter().filter(|u| self.is_inside(*u, unit)) {
            let Unit { range, sole, .. } = &self.list[inner];
            let lines = source.text.whole_lines(range);
            let before = source.of(&(lines.start..range.start));
            let after = source.of(&(range.end..lines.end));
            let alone = !sole && before.trim().is_empty() && after.trim().is_empty();
            let cut = if alone && lines.start >= done && lines.end <= whole.end {
                lines
            } else {
                range.clone()
            };
            if cut.start >= done {
                text.push_str(source.of(&(done..cut.start)));
                text.push_str(if *sole { ";" } else { "" });
                done = cut.end;
            }
        }
        text.push_str(source.of(&(done..whole.end)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::text::Text;

    const FILE: &str = "class A {\n  void m() {\n    int x;\n    String s = \"\";\n    x = 1;\n    use(x);\n    \
                        if (s.isEmpty()) {\n      a();\n      b();\n    }\n    run(() -> { c(); });\n  }\n}\n";

    fn units() -> (Source, Units) {
        let source = Source::parse(Text::new(FILE.into())).expect("parses");
        let method = source.methods().remove(0);
        let units = source.units(&method.body, method.body.start);
        (source, units)
    }

    fn find(source: &Source, units: &Units, text: &str) -> usize {
        let has = |u: &Unit| source.of(&u.range).starts_with(text);
        units.list.iter().position(has).expect("the statement")
    }

    #[test]
    fn declarations_go_with_their_uses() {
        let (source, units) = units();
        assert_eq!(units.len(), 9, "{units:#?}");
        let use_x = find(&source, &units, "use(x)");
        let kept = units.closed(&BTreeSet::from([use_x]));
        let texts = units.texts(&source, &kept);
        assert_eq!(texts, ["int x;", "x = 1;", "use(x);"]);
        let left = units.without(&BTreeSet::from([find(&source, &units, "String s")]));
        assert!(!left.contains(&find(&source, &units, "a()")), "{left:?}");
        assert!(left.contains(&use_x));
    }

    #[test]
    fn inner_statements_can_stand_alone() {
        let (source, units) = units();
        let opened = units.openable();
        let outer: Vec<&str> = (0..units.len())
            .filter(|u| units.is_outer(*u, &opened))
            .map(|u| source.of(&units.list[u].range))
            .collect();
        assert_eq!(
            outer,
            [
                "int x;",
                "String s = \"\";",
                "x = 1;",
                "use(x);",
                "a();",
                "b();",
                "c();"
            ]
        );
    }

    #[test]
    fn inner_statements_can_be_left_out() {
        let (source, units) = units();
        let b = find(&source, &units, "b()");
        let kept = units.closed(&BTreeSet::from([b]));
        let texts = units.texts(&source, &kept);
        assert_eq!(texts[1], "if (s.isEmpty()) {\n      b();\n    }");
        let lambda = find(&source, &units, "c()");
        assert_ne!(units.list[lambda].body, units.list[b].body);
    }
}
