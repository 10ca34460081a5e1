//! What the walk must know of a class: its fields, which of them show, and whether its objects are plain values.

use crate::content::{Chains, Slot};
use crate::knowledge::{self, Contents, Knowledge, Layout};
use crate::rules::{Named, RuleNo, RuleSet};
use crate::view::Object;
use poldet_vm::classes::class::{InitState, Kind};
use poldet_vm::ids::{ClassId, FieldId, ObjRef};
use poldet_vm::vm::Vm;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Field {
    pub name: &'static str,
    /// The class that declares it.
    pub class: ClassId,
    pub off: u32,
    pub size: u32,
    /// First letter of the descriptor.
    pub letter: u8,
    /// The rule that hides what lies behind this field.
    pub rule: Option<RuleNo>,
    /// Does not show through the type's public API.
    pub internal: bool,
    /// A choice of the program beside the contents of a collection.
    setting: bool,
}

impl Field {
    pub fn is_ref(&self) -> bool {
        matches!(self.letter, b'L' | b'[')
    }

    /// It is part of what an object, or a class, shows, and no rule hides it.
    pub fn shows(&self) -> bool {
        !self.internal && self.rule.is_none()
    }

    /// What stands in this field.
    pub fn slot(&self, object: &Object<'_>) -> Slot {
        let bits = object.bits(self.off, self.size);
        if self.is_ref() {
            Slot::Ref(ObjRef(bits as u32))
        } else {
            Slot::primitive(self.letter, bits)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Object,
    RefArray,
    PrimArray {
        letter: u8,
        size: u32,
    },
    /// Compared by value wherever a reference to it stands.
    String,
    Boxed {
        letter: u8,
    },
    BigInteger,
    BigDecimal,
    Mirror,
    Enum,
}

impl Form {
    /// Whether references to such objects compare by value; their identity does not matter.
    pub fn is_value(self) -> bool {
        !matches!(self, Form::Object | Form::RefArray | Form::PrimArray { .. })
    }
}

/// How the contents of a collection are read: a layout with the places of its fields.
#[derive(Clone, Debug)]
pub struct Adapter {
    pub layout: Layout,
    /// Offsets of the collection's own fields.
    pub own: [u32; 3],
    /// Names of the fields of its nodes.
    pub nodes: Rc<[Box<str>]>,
}

impl Adapter {
    /// None where a field is missing: the class is another than the one that is known.
    fn new(contents: &Contents, fields: &[Field]) -> Option<Adapter> {
        let mut own = [0; 3];
        for (off, name) in own.iter_mut().zip(contents.own()) {
            *off = fields.iter().find(|f| *f.name == **name)?.off;
        }
        Some(Adapter {
            layout: contents.layout,
            own,
            nodes: contents.nodes().into(),
        })
    }
}

/// What an object is to the collection that is built of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Node,
    /// Stands before the nodes, which the field at this offset leads to.
    Head(u32),
    Moved,
    Weak,
    ThreadLocal,
}

/// Paths of fields.
type Caption = Box<[Vec<Box<str>>]>;

pub struct Shape {
    pub form: Form,
    /// All instance fields, those of superclasses first, each class's in declaration order.
    pub fields: Vec<Field>,
    pub adapter: Option<Adapter>,
    /// It is a part of some collection's structure, never an element.
    pub part: Option<Part>,
    /// The string fields that stand for an object in a report.
    pub caption: Option<Caption>,
    /// The rule that hides objects of this class.
    pub rule: Option<RuleNo>,
    pub name: &'static str,
}

impl Shape {
    /// Whether it is a collection of this layout.
    pub fn is(&self, layout: Layout) -> bool {
        self.adapter.as_ref().is_some_and(|a| a.layout == layout)
    }

    pub fn off(&self, name: &str) -> Option<u32> {
        self.fields.iter().find(|f| f.name == name).map(|f| f.off)
    }
}

/// Shapes and static fields by class, made when first asked for.
pub struct Shapes {
    pub rules: RuleSet,
    pub known: Knowledge,
    shapes: Vec<Option<Rc<Shape>>>,
    statics: Vec<Option<Rc<[Field]>>>,
    enum_class: Option<ClassId>,
    /// Kept here, where all who read contents come by.
    pub chains: Chains,
}

impl Shapes {
    pub fn new(vm: &Vm, rules: RuleSet, known: Knowledge) -> Shapes {
        let enum_class = vm
            .classes
            .iter()
            .find(|c| vm.class_name(c.id) == "java/lang/Enum")
            .map(|c| c.id);
        Shapes {
            rules,
            known,
            shapes: Vec::new(),
            statics: Vec::new(),
            enum_class,
            chains: Chains::default(),
        }
    }

    #[inline]
    pub fn of(&mut self, vm: &Vm, class: ClassId) -> Rc<Shape> {
        match self.shapes.get(class.index()) {
            Some(Some(shape)) => shape.clone(),
            _ => self.make(vm, class),
        }
    }

    /// A class is gone: it has no fields any more.
    pub fn forget(&mut self, class: ClassId) {
        if let Some(shape) = self.shapes.get_mut(class.index()) {
            *shape = None;
        }
        if let Some(statics) = self.statics.get_mut(class.index()) {
            *statics = None;
        }
    }

    pub fn of_object(&mut self, vm: &Vm, o: ObjRef) -> Rc<Shape> {
        self.of(vm, vm.heap.class_of(o))
    }

    #[cold]
    fn make(&mut self, vm: &Vm, class: ClassId) -> Rc<Shape> {
        let name = vm.class_name(class);
        let form = self.form(vm, class, name);
        let (fields, adapter) = match form {
            Form::RefArray | Form::PrimArray { .. } => (Vec::new(), None),
            _ => self.fields(vm, class),
        };
        let own = java_name(name);
        let part = self.known.part(Named {
            class: &own,
            jdk: vm.is_jdk_class(class),
        });
        let part = part.and_then(|part| part_of(part, &fields));
        let shape = Rc::new(Shape {
            form,
            fields,
            adapter,
            part,
            caption: self.caption(vm, class),
            rule: self.class_rule(vm, class, name),
            name,
        });
        if self.shapes.len() <= class.index() {
            self.shapes.resize(class.index() + 1, None);
        }
        self.shapes[class.index()] = Some(shape.clone());
        shape
    }

    /// The instance fields of a class, and how its contents are read if it is a collection.
    fn fields(&self, vm: &Vm, class: ClassId) -> (Vec<Field>, Option<Adapter>) {
        let mut fields: Vec<Field> = Vec::new();
        let mut adapter = None;
        for &c in &vm.class(class).display {
            let own = vm.class(c).fields.iter();
            let instance = own.filter(|f| !vm.field(**f).is_static());
            fields.extend(instance.map(|f| self.field(vm, *f, false)));
            let name = vm.java_name(c);
            let named = Named {
                class: &name,
                jdk: vm.is_jdk_class(c),
            };
            let contents = self.known.contents(named);
            if let Some(found) = contents.and_then(|contents| Adapter::new(contents, &fields)) {
                adapter = Some(found);
                // All that shows of these is in their contents, but for a few settings.
                let setting = |f: &Field| f.setting || self.known.is_setting(named, f.name);
                for field in &mut fields {
                    field.setting = setting(field);
                    field.internal = !field.setting;
                }
            }
        }
        (fields, adapter)
    }

    /// The caption of a class, or of the one it inherits it from.
    fn caption(&self, vm: &Vm, class: ClassId) -> Option<Caption> {
        vm.class(class).display.iter().find_map(|c| {
            let name = vm.java_name(*c);
            let named = Named {
                class: &name,
                jdk: vm.is_jdk_class(*c),
            };
            self.known.caption(named).map(Box::from)
        })
    }

    /// The rule for a class, or for what an array is full of.
    fn class_rule(&self, vm: &Vm, class: ClassId, name: &str) -> Option<RuleNo> {
        let mut element = class;
        while let Kind::Array { component, .. } = vm.class(element).kind {
            element = component;
        }
        let named = java_name(element_name(name));
        let named = Named {
            class: &named,
            jdk: vm.is_jdk_class(element),
        };
        self.rules.class(named)
    }

    fn form(&self, vm: &Vm, class: ClassId, name: &str) -> Form {
        match vm.class(class).kind {
            Kind::Array { component, .. } => match vm.class(component).kind {
                Kind::Primitive(_) => {
                    let letter = name.as_bytes()[1];
                    let size = size_of_letter(letter);
                    Form::PrimArray { letter, size }
                }
                _ => Form::RefArray,
            },
            _ => match name {
                "java/lang/String" => Form::String,
                "java/lang/Integer" => Form::Boxed { letter: b'I' },
                "java/lang/Long" => Form::Boxed { letter: b'J' },
                "java/lang/Short" => Form::Boxed { letter: b'S' },
                "java/lang/Byte" => Form::Boxed { letter: b'B' },
                "java/lang/Character" => Form::Boxed { letter: b'C' },
                "java/lang/Boolean" => Form::Boxed { letter: b'Z' },
                "java/lang/Float" => Form::Boxed { letter: b'F' },
                "java/lang/Double" => Form::Boxed { letter: b'D' },
                "java/math/BigInteger" => Form::BigInteger,
                "java/math/BigDecimal" => Form::BigDecimal,
                "java/lang/Class" => Form::Mirror,
                _ if self
                    .enum_class
                    .is_some_and(|e| vm.class(class).display.contains(&e)) =>
                {
                    Form::Enum
                }
                _ => Form::Object,
            },
        }
    }

    fn field(&self, vm: &Vm, id: FieldId, root: bool) -> Field {
        let f = vm.field(id);
        let class = vm.class_name(f.class);
        let name = vm.syms.str(f.name);
        let declaring = java_name(class);
        let declaring = Named {
            class: &declaring,
            jdk: vm.is_jdk_class(f.class),
        };
        let rule = if root {
            self.rules.root(declaring, name)
        } else {
            self.rules.field(declaring, name)
        };
        Field {
            name,
            class: f.class,
            off: f.offset,
            size: size_of_letter(f.letter),
            letter: f.letter,
            rule,
            internal: !root && self.known.is_internal(declaring, name),
            setting: false,
        }
    }

    /// The static fields of a class, in declaration order; offsets are into its mirror.
    pub fn statics(&mut self, vm: &Vm, class: ClassId) -> Rc<[Field]> {
        if let Some(Some(found)) = self.statics.get(class.index()) {
            return found.clone();
        }
        let ids = vm.class(class).fields.iter();
        let list: Rc<[Field]> = ids
            .filter(|f| vm.field(**f).is_static())
            .map(|f| self.field(vm, *f, true))
            .collect();
        if self.statics.len() <= class.index() {
            self.statics.resize(class.index() + 1, None);
        }
        self.statics[class.index()] = Some(list.clone());
        list
    }
}

pub fn java_name(internal: &str) -> String {
    internal.replace('/', ".")
}

/// What an array is full of, which is what rules for a class are about; other classes as they are.
fn element_name(name: &str) -> &str {
    match name.trim_start_matches('[') {
        element if element.len() == name.len() => name,
        element => element
            .strip_prefix('L')
            .and_then(|e| e.strip_suffix(';'))
            .unwrap_or(element),
    }
}

/// Whether a class has static fields that can be roots.
pub fn has_statics(vm: &Vm, class: ClassId) -> bool {
    let c = vm.class(class);
    c.kind == Kind::Instance && c.state == InitState::Done
}

fn size_of_letter(letter: u8) -> u32 {
    match letter {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'J' | b'D' => 8,
        _ => 4,
    }
}

fn part_of(part: &knowledge::Part, fields: &[Field]) -> Option<Part> {
    Some(match part {
        knowledge::Part::Node => Part::Node,
        knowledge::Part::Head(field) => Part::Head(fields.iter().find(|f| *f.name == **field)?.off),
        knowledge::Part::Moved => Part::Moved,
        knowledge::Part::Weak => Part::Weak,
        knowledge::Part::ThreadLocal => Part::ThreadLocal,
    })
}
