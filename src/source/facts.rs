//! What else is known of a Java file: names that its classes and methods declare, its imports, where something can be put.

use crate::source::tree::{Method, Source, children, members};
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// An import of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub range: Range<usize>,
    /// `a.b.C`, or `a.b.*`.
    pub name: String,
    pub is_static: bool,
}

impl Import {
    /// The name that it makes known; none if it makes all of a package or class known.
    pub fn simple(&self) -> Option<&str> {
        self.name.rsplit('.').next().filter(|n| *n != "*")
    }
}

/// Fields and methods of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    pub of_class: BTreeSet<String>,
    pub of_instance: BTreeSet<String>,
    /// Classes inside of it.
    pub types: BTreeSet<String>,
}

impl Source {
    pub fn import_list(&self) -> Vec<Import> {
        let all = children(self.root()).into_iter();
        let imports = all.filter(|n| n.kind() == "import_declaration");
        imports
            .map(|n| {
                let text = self.of(&n.byte_range()).trim_end_matches(';');
                let words: Vec<&str> = text.split_whitespace().collect();
                let is_static = words.get(1) == Some(&"static");
                let name: String = words[1 + usize::from(is_static)..].concat();
                Import {
                    range: n.byte_range(),
                    name,
                    is_static,
                }
            })
            .collect()
    }

    /// The end of the package declaration, if there is one.
    pub fn package_end(&self) -> Option<usize> {
        let all = children(self.root()).into_iter();
        let mut packages = all.filter(|n| n.kind() == "package_declaration");
        packages.next().map(|n| n.end_byte())
    }

    fn class_node(&self, class: &str) -> Option<Node<'_>> {
        let mut found = None;
        self.each_type(self.root(), "", &mut |name, node| {
            if name == class {
                found = Some(node);
            }
        });
        found
    }

    /// The body of a class, with its braces.
    pub fn class_body(&self, class: &str) -> Option<Range<usize>> {
        let node = self.class_node(class)?;
        node.child_by_field_name("body").map(|n| n.byte_range())
    }

    /// What a class declares itself.
    pub fn members_of(&self, class: &str) -> Members {
        let mut found = Members::default();
        let Some(node) = self.class_node(class) else {
            return found;
        };
        for member in members(node) {
            let is_static = self.has_modifier(member, "static");
            let mut names: Vec<String> = Vec::new();
            let name_of = |n: Node<'_>| {
                let name = n.child_by_field_name("name");
                name.map(|n| self.of(&n.byte_range()).to_owned())
            };
            match member.kind() {
                "method_declaration" => names.extend(name_of(member)),
                "field_declaration" => {
                    let declarators = children(member).into_iter();
                    let declarators = declarators.filter(|n| n.kind() == "variable_declarator");
                    names.extend(declarators.filter_map(name_of));
                }
                kind if kind.ends_with("_declaration") => {
                    found.types.extend(name_of(member));
                }
                _ => {}
            }
            if is_static {
                found.of_class.extend(names);
            } else {
                found.of_instance.extend(names);
            }
        }
        found
    }

    /// Names of the parameters and variables of a method, those of lambdas and inner blocks included.
    pub fn local_names(&self, method: &Method) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let range = &method.range;
        if let Some(node) = self.root().descendant_for_byte_range(range.start, range.end) {
            self.locals(node, &mut found);
        }
        found
    }

    fn locals(&self, node: Node<'_>, found: &mut BTreeSet<String>) {
        for child in children(node) {
            if matches!(
                child.kind(),
                "variable_declarator" | "formal_parameter" | "catch_formal_parameter" | "resource"
            ) {
                let name = child.child_by_field_name("name");
                found.extend(name.map(|n| self.of(&n.byte_range()).to_owned()));
            }
            self.locals(child, found);
        }
    }

    /// The `throws` of a method.
    pub fn throws(&self, method: &Method) -> Option<Range<usize>> {
        let range = &method.range;
        let node = self.root().descendant_for_byte_range(range.start, range.end)?;
        let throws = children(node).into_iter().find(|n| n.kind() == "throws");
        throws.map(|n| n.byte_range())
    }

    /// Identifiers that stand for a variable, a type, or a method that is called without an object, with their ranges.
    pub fn free_names(&self, within: &Range<usize>) -> Vec<(Range<usize>, String)> {
        let mut found = Vec::new();
        self.free(self.root(), within, &mut found);
        found
    }

    fn free(&self, node: Node<'_>, within: &Range<usize>, found: &mut Vec<(Range<usize>, String)>) {
        for child in children(node) {
            if child.end_byte() <= within.start || child.start_byte() >= within.end {
                continue;
            }
            if matches!(child.kind(), "identifier" | "type_identifier") {
                if within.contains(&child.start_byte()) && !is_selected(node, child) {
                    found.push((child.byte_range(), self.of(&child.byte_range()).to_owned()));
                }
                continue;
            }
            self.free(child, within, found);
        }
    }

    /// Does the part use the object that its method is called on by name: `this` or `super`?
    pub fn names_this(&self, within: &Range<usize>) -> bool {
        self.has_this(self.root(), within)
    }

    fn has_this(&self, node: Node<'_>, within: &Range<usize>) -> bool {
        children(node).into_iter().any(|child| {
            if child.end_byte() <= within.start || child.start_byte() >= within.end {
                return false;
            }
            let inside = within.contains(&child.start_byte());
            (inside && matches!(child.kind(), "this" | "super")) || self.has_this(child, within)
        })
    }
}

/// Is the name a member of what stands before it, or a declaration's own?
fn is_selected(parent: Node<'_>, name: Node<'_>) -> bool {
    let field = |which| parent.child_by_field_name(which) == Some(name);
    match parent.kind() {
        "method_invocation" => field("name") && parent.child_by_field_name("object").is_some(),
        "field_access" => field("field"),
        "scoped_type_identifier" | "scoped_identifier" => parent.named_child(0) != Some(name),
        "method_reference" => parent.named_child(0) != Some(name),
        "element_value_pair" => field("key"),
        "labeled_statement" | "break_statement" | "continue_statement" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::text::Text;

    const FILE: &str = "package p;\nimport static a.B.c;\nimport d.E;\nimport f.*;\nclass A {\n  static int s; int i, j;\n  \
                        static void t() {}\n  enum K { X }\n  void m(int q) throws X {\n    s = i + E.x(A.s).y; t(); this.m(1);\n  }\n}\n";

    #[test]
    fn names_of_a_file() {
        let source = Source::parse(Text::new(FILE.into())).expect("parses");
        let imports = source.import_list();
        assert_eq!(imports.len(), 3);
        assert!(imports[0].is_static && imports[0].name == "a.B.c");
        assert_eq!((imports[1].simple(), imports[2].simple()), (Some("E"), None));
        let members = source.members_of("p.A");
        assert!(members.of_class.contains("s") && members.of_class.contains("t"));
        assert!(members.of_instance.contains("j") && members.of_instance.contains("m"));
        assert!(members.types.contains("K"), "{members:?}");
        let methods = source.methods();
        let method = methods.iter().find(|m| m.name == "m").expect("m");
        assert!(source.local_names(method).contains("q"));
        let throws = source.throws(method).expect("throws");
        assert_eq!(source.of(&throws), "throws X");
        let names: Vec<String> = source.free_names(&method.body).into_iter().map(|n| n.1).collect();
        assert_eq!(names, ["s", "i", "E", "A", "t"]);
        assert!(source.names_this(&method.body));
    }
}
