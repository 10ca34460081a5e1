//! The concrete syntax tree of a Java file: its methods, and the statements in them.

use crate::source::text::Text;
use std::ops::Range;
use tree_sitter::{Node, Parser, Tree};

/// A parsed file.
pub struct Source {
    pub text: Text,
    tree: Tree,
    pub package: String,
}

/// A method that is declared in a named class, with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Binary name: `pkg.Outer$Inner`.
    pub class: String,
    pub name: String,
    /// Types of the parameters as they are written, without annotations and type arguments.
    pub params: Vec<String>,
    /// The whole declaration.
    pub range: Range<usize>,
    pub name_range: Range<usize>,
    /// Names of its annotations, with their ranges.
    pub annotations: Vec<(String, Range<usize>)>,
    /// The body with its braces.
    pub body: Range<usize>,
    pub is_static: bool,
}

/// A statement that can be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub range: Range<usize>,
    /// Start of the block that is the body of the innermost method, lambda or initialiser around it.
    pub body: usize,
    /// How the grammar calls it.
    pub kind: String,
    /// It stands alone where the grammar wants a statement, as the branch of an `if` without braces.
    pub sole: bool,
    /// A name that it declares is used after it.
    pub names_used_later: bool,
    /// Names of methods that it calls at its outermost level, with what they are called on: `Assert.assertEquals`.
    pub calls: Vec<String>,
}

/// A class that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub name: String,
    pub range: Range<usize>,
    /// How many static fields it declares.
    pub static_fields: usize,
}

impl Source {
    /// Parses a file. What the grammar does not know is an error, with its line.
    pub fn parse(text: Text) -> Result<Source, String> {
        let mut parser = Parser::new();
        let language = tree_sitter_java_orchard::LANGUAGE.into();
        parser.set_language(&language).map_err(|e| e.to_string())?;
        let tree = parser.parse(&text.text, None).ok_or("the parser gave up")?;
        let mut source = Source {
            text,
            tree,
            package: String::new(),
        };
        source.package = source.find_package().unwrap_or_default();
        Ok(source)
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub fn of(&self, range: &Range<usize>) -> &str {
        &self.text.text[range.clone()]
    }

    /// Is the offset inside of a text block, whose lines must stay as they are?
    pub fn is_in_text(&self, offset: usize) -> bool {
        let mut at = self.root().descendant_for_byte_range(offset, offset);
        while let Some(node) = at {
            if node.kind() == "string_literal" && node.start_byte() < offset {
                return true;
            }
            at = node.parent();
        }
        false
    }

    pub(super) fn node_text(&self, node: Node<'_>) -> &str {
        self.of(&node.byte_range())
    }

    fn find_package(&self) -> Option<String> {
        let root = self.root();
        let package = children(root)
            .into_iter()
            .find(|n| n.kind() == "package_declaration")?;
        let name = children(package)
            .into_iter()
            .find(|n| matches!(n.kind(), "identifier" | "scoped_identifier"))?;
        Some(self.node_text(name).split_whitespace().collect())
    }

    /// The named classes, interfaces, enums and records, members of each other; not local ones.
    pub fn types(&self) -> Vec<Type> {
        let mut found = Vec::new();
        self.each_type(self.root(), "", &mut |name, node| {
            found.push(Type {
                name: name.to_owned(),
                range: node.byte_range(),
                static_fields: self.static_fields(node),
            });
        });
        found
    }

    fn static_fields(&self, class: Node<'_>) -> usize {
        let fields = members(class)
            .into_iter()
            .filter(|n| n.kind() == "field_declaration");
        let fields = fields.filter(|n| self.has_modifier(*n, "static"));
        fields
            .map(|n| {
                children(n)
                    .iter()
                    .filter(|c| c.kind() == "variable_declarator")
                    .count()
            })
            .sum()
    }

    pub(super) fn each_type<'t>(&'t self, node: Node<'t>, outer: &str, each: &mut dyn FnMut(&str, Node<'t>)) {
        for child in children(node) {
            if is_type(child) {
                let simple = child.child_by_field_name("name").map(|n| self.node_text(n));
                let simple = simple.unwrap_or_default();
                let name = match (outer, self.package.as_str()) {
                    ("", "") => simple.to_owned(),
                    ("", package) => format!("{package}.{simple}"),
                    (outer, _) => format!("{outer}${simple}"),
                };
                each(&name, child);
                for body in children(child)
                    .into_iter()
                    .filter(|n| n.kind().ends_with("_body"))
                {
                    self.each_type(body, &name, each);
                }
            } else if child.kind() == "enum_body_declarations" {
                self.each_type(child, outer, each);
            }
        }
    }

    /// The methods of all named classes.
    pub fn methods(&self) -> Vec<Method> {
        let mut found = Vec::new();
        self.each_type(self.root(), "", &mut |class, node| {
            for member in members(node) {
                found.extend(self.method(class, member));
            }
        });
        found
    }

    fn method(&self, class: &str, node: Node<'_>) -> Option<Method> {
        if node.kind() != "method_declaration" {
            return None;
        }
        let name = node.child_by_field_name("name")?;
        let body = node.child_by_field_name("body")?;
        let params = node.child_by_field_name("parameters")?;
        let params = children(params).into_iter().filter_map(|p| self.parameter(p));
        Some(Method {
            class: class.to_owned(),
            name: self.node_text(name).to_owned(),
            params: params.collect(),
            range: node.byte_range(),
            name_range: name.byte_range(),
            annotations: self.annotations(node),
            body: body.byte_range(),
            is_static: self.has_modifier(node, "static"),
        })
    }

    fn parameter(&self, node: Node<'_>) -> Option<String> {
        let varargs = node.kind() == "spread_parameter";
        if node.kind() != "formal_parameter" && !varargs {
            return None;
        }
        let of_field = node.child_by_field_name("type");
        let spread = || children(node).into_iter().find(|n| n.kind().contains("type"));
        let text = self.node_text(of_field.or_else(spread)?);
        let mut simple = String::new();
        let mut depth = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                c if depth == 0 => simple.push(c),
                _ => {}
            }
        }
        let dimensions = node
            .child_by_field_name("dimensions")
            .map(|d| self.node_text(d).split_whitespace().collect::<String>());
        simple.push_str(&dimensions.unwrap_or_default());
        if varargs {
            simple.push_str("[]");
        }
        Some(simple)
    }

    pub(super) fn has_modifier(&self, node: Node<'_>, modifier: &str) -> bool {
        children(node)
            .into_iter()
            .filter(|n| n.kind() == "modifiers")
            .any(|n| all_children(n).iter().any(|m| self.node_text(*m) == modifier))
    }

    fn annotations(&self, node: Node<'_>) -> Vec<(String, Range<usize>)> {
        let modifiers = children(node).into_iter().filter(|n| n.kind() == "modifiers");
        let all = modifiers.flat_map(children);
        all.filter(|n| n.kind().ends_with("annotation"))
            .filter_map(|n| {
                let name = n.child_by_field_name("name")?;
                Some((self.node_text(name).to_owned(), n.byte_range()))
            })
            .collect()
    }

    /// The statements of a method's body: those directly in it, and with `nested` also those inside of blocks, branches, loops
    /// and lambdas; not those of classes declared in it.
    pub fn statements(&self, method: &Method, nested: bool) -> Vec<Statement> {
        let mut found = Vec::new();
        let body = method.body.clone();
        let Some(node) = self.root().descendant_for_byte_range(body.start, body.end) else {
            return found;
        };
        self.collect(node, body.start, nested, &mut found);
        found
    }

    fn collect<'t>(&'t self, node: Node<'t>, body: usize, nested: bool, found: &mut Vec<Statement>) {
        for child in children(node) {
            if is_type(child) && node.kind() != "block" {
                continue;
            }
            if is_statement(child) && child.kind() != ";" && takes_statement(node, child) {
                // A block is deleted by what is in it.
                if child.kind() != "block" {
                    found.push(self.statement(child, node, body));
                }
            }
            if !nested || is_type(child) || child.kind() == "class_body" {
                continue;
            }
            let lambda = node.kind() == "lambda_expression" && child.kind() == "block";
            let body = if lambda { child.start_byte() } else { body };
            self.collect(child, body, nested, found);
        }
    }

    fn statement(&self, node: Node<'_>, parent: Node<'_>, body: usize) -> Statement {
        let mut names = Vec::new();
        self.declared_names(node, &mut names);
        let rest = node.end_byte()..enclosing_block_end(node);
        Statement {
            range: node.byte_range(),
            body,
            kind: node.kind().to_owned(),
            sole: !matches!(
                parent.kind(),
                "block" | "switch_block_statement_group" | "constructor_body" | "program"
            ),
            names_used_later: names
                .iter()
                .any(|name| self.uses_name(parent_block(node), &rest, name)),
            calls: self.outer_calls(node),
        }
    }

    /// Names of variables, patterns and classes that a statement declares.
    pub(super) fn declared_names(&self, node: Node<'_>, names: &mut Vec<String>) {
        let name = match node.kind() {
            "variable_declarator" => node.child_by_field_name("name"),
            "type_pattern" | "record_pattern_component" => children(node).into_iter().next_back(),
            "instanceof_expression" => node.child_by_field_name("name"),
            _ if is_type(node) => node.child_by_field_name("name"),
            _ => None,
        };
        names.extend(name.map(|n| self.node_text(n).to_owned()));
        if !is_type(node) {
            for child in children(node) {
                self.declared_names(child, names);
            }
        }
    }

    fn uses_name(&self, node: Node<'_>, within: &Range<usize>, name: &str) -> bool {
        if node.end_byte() <= within.start || node.start_byte() >= within.end {
            return false;
        }
        if matches!(node.kind(), "identifier" | "type_identifier") {
            return node.start_byte() >= within.start && self.node_text(node) == name;
        }
        children(node)
            .into_iter()
            .any(|child| self.uses_name(child, within, name))
    }

    /// The chain of calls of an expression statement, outermost first: `assertThat(x).isEqualTo(y)` gives both.
    pub(super) fn outer_calls(&self, statement: Node<'_>) -> Vec<String> {
        let mut calls = Vec::new();
        let mut next = match statement.kind() {
            "expression_statement" => children(statement).into_iter().next(),
            "local_variable_declaration" => children(statement)
                .into_iter()
                .find(|n| n.kind() == "variable_declarator")
                .and_then(|n| n.child_by_field_name("value")),
            _ => None,
        };
        while let Some(node) = next {
            next = match node.kind() {
                "method_invocation" => {
                    let name = node.child_by_field_name("name").map(|n| self.node_text(n));
                    let object = node.child_by_field_name("object");
                    let on = object.filter(|o| {
                        matches!(
                            o.kind(),
                            "identifier" | "field_access" | "scoped_identifier" | "this" | "super"
                        )
                    });
                    let name = name.unwrap_or_default();
                    calls.push(match on {
                        Some(on) => format!("{}.{name}", self.node_text(on)),
                        None => name.to_owned(),
                    });
                    object
                }
                "parenthesized_expression" => children(node).into_iter().next(),
                "assignment_expression" => node.child_by_field_name("right"),
                "field_access" => node.child_by_field_name("object"),
                _ => None,
            };
        }
        calls
    }

    /// The name of an import without `import` and `static`, with both as flags, in the order of the file.
    pub fn imports(&self) -> Vec<String> {
        let imports = children(self.root())
            .into_iter()
            .filter(|n| n.kind() == "import_declaration");
        imports.map(|n| self.node_text(n).to_owned()).collect()
    }
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|n| !n.is_extra())
        .collect()
}

pub(super) fn all_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The declarations in a class's body.
pub(super) fn members(class: Node<'_>) -> Vec<Node<'_>> {
    let bodies = children(class)
        .into_iter()
        .filter(|n| n.kind().ends_with("_body"));
    let mut found = Vec::new();
    for member in bodies.flat_map(children) {
        if member.kind() == "enum_body_declarations" {
            found.extend(children(member));
        } else {
            found.push(member);
        }
    }
    found
}

pub(super) fn is_type(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}

pub(super) fn is_statement(node: Node<'_>) -> bool {
    node.kind().ends_with("_statement")
        || matches!(
            node.kind(),
            "block" | "local_variable_declaration" | "switch_expression" | "explicit_constructor_invocation"
        )
        || is_type(node)
}

/// Whether a child of this node stands where a statement stands: the init of a `for`, and a switch that is a value, do not.
pub(super) fn takes_statement(parent: Node<'_>, child: Node<'_>) -> bool {
    match parent.kind() {
        "block" | "switch_block_statement_group" | "program" | "constructor_body" => {
            child.kind() != "explicit_constructor_invocation"
        }
        "if_statement" | "while_statement" | "do_statement" | "for_statement" | "enhanced_for_statement" => {
            let field = |name| parent.child_by_field_name(name) == Some(child);
            field("body") || field("consequence") || field("alternative")
        }
        _ => false,
    }
}

fn parent_block(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while let Some(parent) = at.parent() {
        at = parent;
        if matches!(
            at.kind(),
            "block" | "switch_block" | "constructor_body" | "class_body"
        ) {
            break;
        }
    }
    at
}

fn enclosing_block_end(node: Node<'_>) -> usize {
    parent_block(node).end_byte()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"package a.b;
import org.junit.Test;
class Outer<T> {
    static int s, t;
    static class Inner {
        @Test public void first(final java.util.List<String>[] xs, int... n) throws Exception {
            int x = 1, y = s;
            for (int i = 0; i < 3; i++) s++;
            if (x > 0) { s = 2; } else s = 3;
            Runnable r = () -> { s = 4; ; };
            assertThat(s).isEqualTo(4);
            new Object() { void m() { s = 5; } }.hashCode();
            switch (s) { case 1: s = 6; break; default: }
            int w = switch (s) { default -> { s++; yield 1; } };
        }
    }
    enum E { A; void inEnum() { t++; } }
}
"#;

    fn source() -> Source {
        Source::parse(Text::new(FILE.into())).expect("parsed")
    }

    #[test]
    fn methods_have_the_names_of_their_classes() {
        let source = source();
        let methods = source.methods();
        let names: Vec<String> = methods
            .iter()
            .map(|m| format!("{}#{}", m.class, m.name))
            .collect();
        assert_eq!(names, ["a.b.Outer$Inner#first", "a.b.Outer$E#inEnum"]);
        assert_eq!(methods[0].params, ["java.util.List[]", "int[]"]);
        assert_eq!(methods[0].annotations[0].0, "Test");
        assert_eq!(source.types()[0].static_fields, 2);
    }

    #[test]
    fn statements_are_those_of_the_body_or_all() {
        let source = source();
        let method = &source.methods()[0];
        let texts = |nested| -> Vec<String> {
            let all = source.statements(method, nested);
            all.iter().map(|s| source.of(&s.range).to_owned()).collect()
        };
        assert_eq!(texts(false).len(), 8);
        let nested = texts(true);
        for inner in [
            "s++;", "s = 2;", "s = 3;", "s = 4;", "s = 6;", "break;", "yield 1;",
        ] {
            assert!(nested.iter().any(|t| t == inner), "{inner}: {nested:?}");
        }
        assert!(!nested.iter().any(|t| t == "s = 5;" || t == ";"), "{nested:?}");
        let all = source.statements(method, true);
        let of = |text: &str| {
            all.iter()
                .find(|s| source.of(&s.range) == text)
                .expect("is there")
        };
        assert!(of("int x = 1, y = s;").names_used_later);
        assert!(!of("Runnable r = () -> { s = 4; ; };").names_used_later);
        assert_eq!(
            of("assertThat(s).isEqualTo(4);").calls,
            ["isEqualTo", "assertThat"]
        );
        assert!(of("s++;").sole || of("s = 3;").sole);
        assert_ne!(of("s = 4;").body, method.body.start);
    }
}
