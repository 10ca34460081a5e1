//! What the walk must know of a class: its fields, which of them show, and whether its objects are plain values.

use crate::content::Slot;
use crate::rules::{Named, RuleSet};
use crate::view::Object;
use poldet_vm::classes::class::{InitState, Kind};
use poldet_vm::ids::{ClassId, FieldId, ObjRef};
use poldet_vm::vm::Vm;
use std::rc::Rc;

/// An ignore rule, by its place in the rule set.
pub type RuleNo = u16;

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
}

impl Field {
    pub fn is_ref(&self) -> bool {
        matches!(self.letter, b'L' | b'[')
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

/// How the contents of a JDK collection are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapter {
    ArrayList,
    Vector,
    ArrayDeque,
    LinkedList,
    /// An array of `size` elements in no promised order.
    Heap,
    HashMap,
    LinkedHashMap,
    TreeMap,
    Hashtable,
    ConcurrentHashMap,
    IdentityHashMap,
    WeakHashMap,
    EnumMap,
    SkipListMap,
    ThreadLocalMap,
    /// A set or list that is kept in another collection, in this field.
    Backed(&'static str),
    BackedSet(&'static str),
    BitSet,
    StringBuilder,
    /// A chain of nodes from the field `head`; the first is a dummy or not.
    Chain {
        head: &'static str,
    },
    ArrayBlockingQueue,
    /// One or two elements in fields of their own, in order or not.
    Pair {
        ordered: bool,
    },
    /// One entry in fields of its own.
    Single,
    /// An array with holes: elements, or keys and values in turn.
    Probed(&'static str),
    ProbedMap(&'static str),
    EnumSet,
}

pub struct Shape {
    pub form: Form,
    /// All instance fields, those of superclasses first, each class's in declaration order.
    pub fields: Vec<Field>,
    pub adapter: Option<Adapter>,
    /// A part of some collection's structure, never an element.
    pub node: bool,
    /// The rule that hides objects of this class.
    pub rule: Option<RuleNo>,
    pub name: &'static str,
}

impl Shape {
    pub fn off(&self, name: &str) -> Option<u32> {
        self.fields.iter().find(|f| f.name == name).map(|f| f.off)
    }
}

/// Shapes and static fields by class, made when first asked for.
pub struct Shapes {
    pub rules: RuleSet,
    shapes: Vec<Option<Rc<Shape>>>,
    statics: Vec<Option<Rc<[Field]>>>,
    enum_class: Option<ClassId>,
}

impl Shapes {
    pub fn new(vm: &Vm, rules: RuleSet) -> Shapes {
        let enum_class = vm
            .classes
            .iter()
            .find(|c| vm.class_name(c.id) == "java/lang/Enum")
            .map(|c| c.id);
        Shapes {
            rules,
            shapes: Vec::new(),
            statics: Vec::new(),
            enum_class,
        }
    }

    #[inline]
    pub fn of(&mut self, vm: &Vm, class: ClassId) -> Rc<Shape> {
        match self.shapes.get(class.index()) {
            Some(Some(shape)) => shape.clone(),
            _ => self.make(vm, class),
        }
    }

    pub fn of_object(&mut self, vm: &Vm, o: ObjRef) -> Rc<Shape> {
        self.of(vm, vm.heap.class_of(o))
    }

    #[cold]
    fn make(&mut self, vm: &Vm, class: ClassId) -> Rc<Shape> {
        let name = vm.class_name(class);
        let form = self.form(vm, class, name);
        let mut fields = Vec::new();
        let mut adapter = None;
        if form == Form::Object || form == Form::Enum || form.is_value() {
            let chain: Vec<ClassId> = vm.class(class).display.clone();
            for c in chain {
                let is_jdk = vm.is_jdk_class(c);
                let found = is_jdk.then(|| adapter_of(vm.class_name(c))).flatten();
                if let Some(found) = found {
                    adapter = Some(found);
                }
                for &f in &vm.class(c).fields {
                    if !vm.field(f).is_static() {
                        fields.push(self.field(vm, f, false));
                    }
                }
                if found.is_some() {
                    // All that shows of these is in their contents, but for a few settings.
                    for f in fields.iter_mut().filter(|f| !is_setting(f.name)) {
                        f.internal = true;
                    }
                }
            }
        }
        let shape = Rc::new(Shape {
            form,
            fields,
            adapter,
            node: is_node(name),
            rule: self.class_rule(vm, class, name),
            name,
        });
        if self.shapes.len() <= class.index() {
            self.shapes.resize(class.index() + 1, None);
        }
        self.shapes[class.index()] = Some(shape.clone());
        shape
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
        self.rules.class(named).map(|r| r as RuleNo)
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
            rule: rule.map(|r| r as RuleNo),
            internal: !root && vm.is_jdk_class(f.class) && is_internal(class, name),
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

/// Whether a class has static fields to speak of.
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

fn adapter_of(name: &str) -> Option<Adapter> {
    Some(match name {
        "java/util/ArrayList" => Adapter::ArrayList,
        "java/util/Vector" => Adapter::Vector,
        "java/util/ArrayDeque" => Adapter::ArrayDeque,
        "java/util/LinkedList" => Adapter::LinkedList,
        "java/util/PriorityQueue" | "java/util/concurrent/PriorityBlockingQueue" => Adapter::Heap,
        "java/util/HashMap" => Adapter::HashMap,
        "java/util/LinkedHashMap" => Adapter::LinkedHashMap,
        "java/util/TreeMap" => Adapter::TreeMap,
        "java/util/Hashtable" => Adapter::Hashtable,
        "java/util/Properties" => Adapter::Backed("map"),
        "java/util/concurrent/ConcurrentHashMap" => Adapter::ConcurrentHashMap,
        "java/util/IdentityHashMap" => Adapter::IdentityHashMap,
        "java/util/WeakHashMap" => Adapter::WeakHashMap,
        "java/util/EnumMap" => Adapter::EnumMap,
        "java/util/HashSet" => Adapter::BackedSet("map"),
        "java/util/TreeSet" | "java/util/concurrent/ConcurrentSkipListSet" => Adapter::BackedSet("m"),
        "java/util/concurrent/CopyOnWriteArrayList" => Adapter::Backed("array"),
        "java/util/concurrent/CopyOnWriteArraySet" => Adapter::Backed("al"),
        "java/util/concurrent/ConcurrentSkipListMap" => Adapter::SkipListMap,
        "java/util/concurrent/ConcurrentLinkedQueue" | "java/util/concurrent/ConcurrentLinkedDeque" => {
            Adapter::Chain { head: "head" }
        }
        "java/util/concurrent/LinkedBlockingQueue" => Adapter::Chain { head: "head" },
        "java/util/concurrent/LinkedBlockingDeque" => Adapter::Chain { head: "first" },
        "java/util/concurrent/ArrayBlockingQueue" => Adapter::ArrayBlockingQueue,
        "java/util/BitSet" => Adapter::BitSet,
        "java/util/ImmutableCollections$ListN" => Adapter::Backed("elements"),
        "java/util/ImmutableCollections$List12" => Adapter::Pair { ordered: true },
        "java/util/ImmutableCollections$Set12" => Adapter::Pair { ordered: false },
        "java/util/ImmutableCollections$SetN" => Adapter::Probed("elements"),
        "java/util/ImmutableCollections$Map1" => Adapter::Single,
        "java/util/ImmutableCollections$MapN" => Adapter::ProbedMap("table"),
        "java/util/RegularEnumSet" | "java/util/JumboEnumSet" => Adapter::EnumSet,
        "java/lang/AbstractStringBuilder" => Adapter::StringBuilder,
        "java/lang/ThreadLocal$ThreadLocalMap" => Adapter::ThreadLocalMap,
        _ => return None,
    })
}

/// Fields beside the contents of a collection that its API shows.
fn is_setting(name: &str) -> bool {
    matches!(
        name,
        "comparator" | "accessOrder" | "defaults" | "keyType" | "capacity"
    )
}

/// Classes of which collections are built.
fn is_node(name: &str) -> bool {
    matches!(
        name,
        "java/util/HashMap$Node"
            | "java/util/HashMap$TreeNode"
            | "java/util/LinkedHashMap$Entry"
            | "java/util/TreeMap$Entry"
            | "java/util/Hashtable$Entry"
            | "java/util/WeakHashMap$Entry"
            | "java/util/LinkedList$Node"
            | "java/util/concurrent/ConcurrentHashMap$Node"
            | "java/util/concurrent/ConcurrentHashMap$TreeNode"
            | "java/util/concurrent/ConcurrentHashMap$TreeBin"
            | "java/util/concurrent/ConcurrentHashMap$ForwardingNode"
            | "java/util/concurrent/ConcurrentHashMap$CounterCell"
            | "java/util/concurrent/ConcurrentSkipListMap$Node"
            | "java/util/concurrent/ConcurrentSkipListMap$Index"
            | "java/util/concurrent/ConcurrentLinkedQueue$Node"
            | "java/util/concurrent/ConcurrentLinkedDeque$Node"
            | "java/util/concurrent/LinkedBlockingQueue$Node"
            | "java/util/concurrent/LinkedBlockingDeque$Node"
            | "java/lang/ThreadLocal$ThreadLocalMap$Entry"
    )
}

/// Fields of JDK classes that cache, count modifications or belong to the collector: no API shows them.
fn is_internal(class: &str, field: &str) -> bool {
    match field {
        "modCount" | "hash" | "hashIsZero" | "hashCode" | "hashcode" | "hashCodeValue" | "cachedHashCode"
        | "zeroHash" => return true,
        _ => {}
    }
    let views = matches!(
        field,
        "keySet"
            | "values"
            | "entrySet"
            | "navigableKeySet"
            | "descendingMap"
            | "entrySetView"
            | "keySetView"
            | "valuesView"
    );
    match class {
        "java/lang/Throwable" => matches!(field, "backtrace" | "depth" | "stackTrace"),
        "java/lang/ref/Reference" => field != "referent",
        "java/lang/ref/SoftReference" => true,
        "java/lang/Thread" => !matches!(field, "threadLocals" | "inheritableThreadLocals"),
        "java/util/concurrent/locks/AbstractQueuedSynchronizer" => field != "state",
        // Who read first is not asked for once the lock is free, and who holds it now is in the state.
        "java/util/concurrent/locks/ReentrantReadWriteLock$Sync" => {
            matches!(
                field,
                "firstReader" | "firstReaderHoldCount" | "cachedHoldCounter"
            )
        }
        "java/util/BitSet" => true,
        "java/util/Locale" => field == "languageTag",
        _ => views && (class.starts_with("java/util/")),
    }
}
