//! The whole shared state as a graph of objects, for dumps. Unlike comparisons it shows collections as they are built.

use crate::canon::{Roots, is_constant_of};
use crate::content::Slot;
use crate::dump::{SnapEdge, SnapNode, Snapshot, To};
use crate::rules::RuleNo;
use crate::shape::{Field, Form, Shapes};
use crate::value::{describe, describe_ref, element, shorten, string_text};
use crate::view::View;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::sym::FixedMap;
use std::collections::VecDeque;

/// Arrays of numbers that are longer become one edge.
const ELEMENTS_SHOWN: usize = 64;
const LABEL: usize = 60;

/// All that is reachable from the roots in a view; what rules hide only when asked for.
pub fn snapshot(view: View<'_>, shapes: &mut Shapes, roots: &Roots<'_>, hidden: bool) -> Snapshot {
    let mut walk = Walk {
        view,
        shapes,
        hidden,
        seen: FixedMap::default(),
        queue: VecDeque::new(),
        out: Snapshot::default(),
    };
    for &thread in roots.threads {
        walk.out.roots.push(thread.0);
        walk.reach(thread);
    }
    for &class in roots.classes {
        walk.statics(class);
    }
    while let Some(o) = walk.queue.pop_front() {
        walk.object(o);
    }
    walk.out
}

struct Walk<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
    hidden: bool,
    seen: FixedMap<ObjRef, ()>,
    queue: VecDeque<ObjRef>,
    out: Snapshot,
}

impl Walk<'_, '_> {
    fn reach(&mut self, o: ObjRef) {
        if self.seen.insert(o, ()).is_none() {
            self.queue.push_back(o);
        }
    }

    fn skips(&self, rule: Option<RuleNo>) -> bool {
        rule.is_some() && !self.hidden
    }

    fn edge(&mut self, from: ObjRef, field: String, to: To) {
        self.out.edges.push(SnapEdge {
            from: from.0,
            field,
            to,
        });
    }

    /// A class with the static fields that are not hidden; one without any is left out.
    fn statics(&mut self, class: ClassId) {
        let vm = self.view.vm;
        let mirror = vm.mirror(class);
        let fields = self.shapes.statics(vm, class);
        let mut any = false;
        for field in fields.iter() {
            if !self.skips(field.rule) {
                any = true;
                self.field(mirror, field, Some(class));
            }
        }
        if any {
            self.out.roots.push(mirror.0);
            self.out.nodes.push(SnapNode {
                id: mirror.0,
                class: "java.lang.Class".into(),
                label: format!("class {}", vm.java_name(class)),
            });
        }
    }

    fn field(&mut self, owner: ObjRef, field: &Field, own: Option<ClassId>) {
        let name = field.name.to_owned();
        match field.slot(&self.view.object(owner)) {
            Slot::Ref(o) => self.reference(owner, name, o, own),
            slot => {
                let text = describe(self.view, self.shapes, slot);
                self.edge(owner, name, To::Value(text));
            }
        }
    }

    fn reference(&mut self, from: ObjRef, name: String, o: ObjRef, own: Option<ClassId>) {
        if o.is_null() {
            self.edge(from, name, To::Value("null".into()));
            return;
        }
        let shape = self.shapes.of_object(self.view.vm, o);
        if self.skips(shape.rule) {
            return;
        }
        let constant = shape.form == Form::Enum
            && own.is_some_and(|class| is_constant_of(self.view, self.shapes, o, class));
        if shape.form.is_value() && !constant {
            let text = self.value(o, shape.form);
            self.edge(from, name, To::Value(text));
        } else {
            self.edge(from, name, To::Node(o.0));
            self.reach(o);
        }
    }

    /// A value in one line; a long one ends in a digest, so that different values differ.
    fn value(&mut self, o: ObjRef, form: Form) -> String {
        let text = describe_ref(self.view, self.shapes, o);
        if form == Form::String && text.ends_with('…') {
            let whole = string_text(self.view, self.shapes, o);
            return format!("{text} {}", digest(whole.as_bytes()));
        }
        text
    }

    fn object(&mut self, o: ObjRef) {
        let vm = self.view.vm;
        let shape = self.shapes.of_object(vm, o);
        let label = shorten(&describe_ref(self.view, self.shapes, o), LABEL);
        self.out.nodes.push(SnapNode {
            id: o.0,
            class: type_name(&vm.java_name(vm.heap.class_of(o))),
            label,
        });
        match shape.form {
            Form::RefArray => {
                for i in 0..self.view.object(o).len() {
                    let child = self.view.object(o).element(i);
                    self.reference(o, format!("[{i}]"), child, None);
                }
            }
            Form::PrimArray { letter, size } => self.numbers(o, letter, size),
            _ => {
                for field in &shape.fields {
                    if !self.skips(field.rule) {
                        self.field(o, field, None);
                    }
                }
            }
        }
    }

    fn numbers(&mut self, o: ObjRef, letter: u8, size: u32) {
        let bytes = self.view.object(o).bytes().to_vec();
        let count = bytes.len() / size as usize;
        if count > ELEMENTS_SHOWN {
            self.edge(o, format!("[0..{count}]"), To::Value(digest(&bytes)));
            return;
        }
        for i in 0..count {
            let text = describe(self.view, self.shapes, element(&bytes, letter, size, i));
            self.edge(o, format!("[{i}]"), To::Value(text));
        }
    }
}

/// `[Lpkg.Type;` as Java writes it: `pkg.Type[]`.
fn type_name(name: &str) -> String {
    let inner = name.trim_start_matches('[');
    let depth = name.len() - inner.len();
    if depth == 0 {
        return name.to_owned();
    }
    let base = match inner.as_bytes() {
        [b'L', .., b';'] => &inner[1..inner.len() - 1],
        b"Z" => "boolean",
        b"B" => "byte",
        b"C" => "char",
        b"S" => "short",
        b"I" => "int",
        b"J" => "long",
        b"F" => "float",
        b"D" => "double",
        _ => inner,
    };
    format!("{base}{}", "[]".repeat(depth))
}

fn digest(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes).to_hex();
    format!("#{}", &hash[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types() {
        for (name, shown) in [("a.B", "a.B"), ("[[I", "int[][]"), ("[La.B;", "a.B[]")] {
            assert_eq!(type_name(name), shown);
        }
    }
}
