//! Loader constraints (JVMS 5.3.4): where two loaders meet in a field, a call or an overridden method, they must mean the
//! same class by every type of the descriptor. Otherwise an object of one class would pass for one of another class of
//! the same name.
//!
//! A constraint is recorded before both loaders know the class, and checked when one of them comes to know it. Names in
//! `java.` need no record, since only the JDK's own loaders define them. All of this happens at resolution and linking,
//! and a descriptor is taken apart once for a pair of loaders.

use crate::classfile::descriptor::parse_type;
use crate::ids::{ClassId, FieldId, LoaderId, MethodId, Sym};
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

/// Loaders that mean the same class by a name.
struct Group {
    /// Known as soon as one of them has loaded it.
    class: Option<ClassId>,
    loaders: Vec<LoaderId>,
}

#[derive(Default)]
pub(crate) struct Constraints {
    by_name: FixedMap<Sym, Vec<Group>>,
    /// Pairs of loaders that are bound by a descriptor already.
    bound: FixedMap<(LoaderId, LoaderId, Sym), ()>,
    /// The types of a descriptor that need a record: as named there, and without the dimensions of an array.
    types: FixedMap<Sym, std::rc::Rc<[(Sym, Sym)]>>,
}

impl Constraints {
    /// Forgets loaders and classes that are gone.
    pub(crate) fn sweep(
        &mut self,
        loader_lives: impl Fn(LoaderId) -> bool,
        class_lives: impl Fn(ClassId) -> bool,
    ) {
        self.bound
            .retain(|(a, b, _), _| loader_lives(*a) && loader_lives(*b));
        self.by_name.retain(|_, groups| {
            for group in groups.iter_mut() {
                group.loaders.retain(|l| loader_lives(*l));
                group.class = group.class.filter(|c| class_lives(*c));
            }
            groups.retain(|g| !g.loaders.is_empty());
            !groups.is_empty()
        });
    }

    fn group(&self, name: Sym, loader: LoaderId) -> Option<usize> {
        let groups = self.by_name.get(&name)?;
        groups.iter().position(|g| g.loaders.contains(&loader))
    }

    /// The class that a loader is bound to by a name, if that is known.
    fn class(&self, name: Sym, loader: LoaderId) -> Option<ClassId> {
        self.by_name.get(&name)?[self.group(name, loader)?].class
    }

    /// Records that a loader has loaded a class; `false` if it was bound to another one.
    fn admit(&mut self, name: Sym, loader: LoaderId, class: ClassId) -> bool {
        let Some(at) = self.group(name, loader) else {
            return true;
        };
        let Some(groups) = self.by_name.get_mut(&name) else {
            return true;
        };
        *groups[at].class.get_or_insert(class) == class
    }

    /// Puts two loaders into one group; `false` if they mean different classes.
    fn join(&mut self, name: Sym, (a, knows_a): Party, (b, knows_b): Party) -> bool {
        let classes = [knows_a, knows_b, self.class(name, a), self.class(name, b)];
        let mut known = classes.into_iter().flatten();
        let class = known.next();
        if known.any(|other| Some(other) != class) {
            return false;
        }
        let (at, other) = (self.group(name, a), self.group(name, b));
        let groups = self.by_name.entry(name).or_default();
        let at = at.unwrap_or_else(|| {
            groups.push(Group {
                class,
                loaders: vec![a],
            });
            groups.len() - 1
        });
        groups[at].class = class;
        match other {
            Some(other) if other == at => {}
            Some(other) => {
                let loaders = std::mem::take(&mut groups[other].loaders);
                groups[at].loaders.extend(loaders);
                groups.swap_remove(other);
            }
            None => groups[at].loaders.push(b),
        }
        true
    }
}

/// A loader, and the class it knows by the name in question.
type Party = (LoaderId, Option<ClassId>);

impl Vm {
    /// Types of a descriptor that loaders could disagree on.
    fn constrained_types(&mut self, desc: Sym) -> std::rc::Rc<[(Sym, Sym)]> {
        if let Some(types) = self.constraints.types.get(&desc) {
            return types.clone();
        }
        let mut types = Vec::new();
        let mut rest = self.syms.bytes(desc);
        while let [first, tail @ ..] = rest {
            if matches!(first, b'(' | b')') {
                rest = tail;
                continue;
            }
            let Some((_, after)) = parse_type(rest) else { break };
            let text = &rest[..rest.len() - after.len()];
            rest = after;
            let dims = text.iter().take_while(|b| **b == b'[').count();
            let Some(name) = text[dims..].strip_prefix(b"L").and_then(|n| n.strip_suffix(b";")) else {
                continue;
            };
            if !name.starts_with(b"java/") {
                let name = self.syms.intern(name);
                let named = if dims == 0 { name } else { self.syms.intern(text) };
                types.push((named, name));
            }
        }
        let types: std::rc::Rc<[(Sym, Sym)]> = types.into();
        self.constraints.types.insert(desc, types.clone());
        types
    }

    /// Binds two loaders by a descriptor; answers the type on which they disagree.
    fn bind_loaders(&mut self, a: LoaderId, b: LoaderId, desc: Sym) -> Option<Sym> {
        let pair = (a.min(b), a.max(b), desc);
        if a == b || self.constraints.bound.contains_key(&pair) {
            return None;
        }
        for &(named, name) in self.constrained_types(desc).iter() {
            let (knows_a, knows_b) = (self.find_loaded(a, name), self.find_loaded(b, name));
            if !self.constraints.join(name, (a, knows_a), (b, knows_b)) {
                return Some(named);
            }
        }
        self.constraints.bound.insert(pair, ());
        None
    }

    /// Records that `loader` has loaded `class` by its name, itself or through another loader.
    pub(crate) fn enter_class(&mut self, loader: LoaderId, name: Sym, class: ClassId) -> Result<(), Stop> {
        if self.find_loaded(loader, name).is_some_and(|known| known != class) {
            return Err(self.duplicate_definition(loader, class));
        }
        self.check_admitted(loader, name, class)?;
        self.loaders.list[loader.index()].classes.insert(name, class);
        if !self.loaders.list[loader.index()].mortal && self.class(class).mortal {
            let mirror = self.mirror(class);
            self.pinned.push(mirror);
        }
        Ok(())
    }

    pub(crate) fn duplicate_definition(&mut self, loader: LoaderId, class: ClassId) -> Stop {
        let message = format!(
            "loader {} attempted duplicate {} definition for {}. ({})",
            self.loader_text(loader),
            self.kind_text(class),
            self.java_name(class),
            self.class_in_module(class)
        );
        self.throw("java/lang/LinkageError", Some(&message))
    }

    fn check_admitted(&mut self, loader: LoaderId, name: Sym, class: ClassId) -> Result<(), Stop> {
        if self.constraints.admit(name, loader, class) {
            return Ok(());
        }
        let head = format!(
            "loader constraint violation: loader {} wants to load {} {}.",
            self.loader_text(loader),
            self.kind_text(class),
            self.java_name(class)
        );
        let existing = self
            .constraints
            .class(name, loader)
            .filter(|c| self.class(*c).loader != loader);
        let message = match existing {
            Some(other) => {
                let defined_by = self.class(other).loader;
                format!(
                    "{head} A different {} with the same name was previously loaded by {}. ({})",
                    self.kind_text(other),
                    self.loader_text(defined_by),
                    self.class_in_module(other)
                )
            }
            None => format!("{head} ({})", self.class_in_module(class)),
        };
        Err(self.throw("java/lang/LinkageError", Some(&message)))
    }

    /// A class that resolves a field must agree with the class that declares it.
    pub fn check_field_loaders(&mut self, from: ClassId, field: FieldId) -> Result<(), Stop> {
        let (holder, name, desc) = {
            let field = self.field(field);
            (field.class, field.name, field.desc)
        };
        let (here, there) = (self.class(from).loader, self.class(holder).loader);
        let Some(failed) = self.bind_loaders(here, there, desc) else {
            return Ok(());
        };
        let failed = self.type_name(failed);
        let message = format!(
            "loader constraint violation: when resolving field \"{}\" of type {failed}, the class loader {} of the \
             current class, {}, and the class loader {} for the field's defining class, {}, have different Class objects \
             for type {failed} ({}; {})",
            self.syms.str(name),
            self.loader_text(here),
            self.java_name(from),
            self.loader_text(there),
            self.java_name(holder),
            self.class_in_module(from),
            self.class_in_module(holder)
        );
        Err(self.throw("java/lang/LinkageError", Some(&message)))
    }

    /// A class that resolves a method in `owner` must agree with the class that declares it.
    pub fn check_method_loaders(
        &mut self,
        from: ClassId,
        owner: ClassId,
        method: MethodId,
        interface: bool,
    ) -> Result<(), Stop> {
        let (holder, name, desc) = {
            let method = self.method(method);
            (method.class, method.name, method.desc)
        };
        let (here, there) = (self.class(from).loader, self.class(holder).loader);
        let Some(failed) = self.bind_loaders(here, there, desc) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation: when resolving {} '{}' the class loader {} of the current class, {}, and the \
             class loader {} for the method's defining class, {}, have different Class objects for the type {} used in the \
             signature ({}; {})",
            if interface { "interface method" } else { "method" },
            self.signature_text(owner, name, desc),
            self.loader_text(here),
            self.java_name(from),
            self.loader_text(there),
            self.java_name(holder),
            self.type_name(failed),
            self.class_in_module(from),
            self.class_in_module(holder)
        );
        Err(self.throw("java/lang/LinkageError", Some(&message)))
    }

    /// A class that is linked must agree with the classes and interfaces whose methods it overrides or implements.
    pub(crate) fn check_table_loaders(&mut self, class: ClassId) -> Result<(), Stop> {
        let c = self.class(class);
        if c.loader == LoaderId::BOOT || c.is_interface() {
            return Ok(());
        }
        let inherited: &[MethodId] = c.super_class.map_or(&[], |s| &self.class(s).vtable);
        let overridden = inherited.iter().zip(&c.vtable).filter(|(over, by)| over != by);
        let overridden: Vec<_> = overridden.map(|(over, by)| (*over, *by)).collect();
        for (over, by) in overridden {
            self.check_override(class, over, by)?;
        }
        for i in 0..self.class(class).all_interfaces.len() {
            let interface = self.class(class).all_interfaces[i];
            for m in 0..self.class(interface).methods.len() {
                self.check_implementation(class, self.class(interface).methods[m])?;
            }
        }
        Ok(())
    }

    fn check_override(&mut self, class: ClassId, over: MethodId, by: MethodId) -> Result<(), Stop> {
        let (base, target, desc) = (
            self.method(over).class,
            self.method(by).class,
            self.method(by).desc,
        );
        let (here, there) = (self.class(target).loader, self.class(base).loader);
        let Some(failed) = self.bind_loaders(here, there, desc) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation for class {}: when selecting overriding method '{}' the class loader {} of the \
             selected method's type {}, and the class loader {} for its super type {} have different Class objects for \
             the type {} used in the signature ({}; {})",
            self.java_name(class),
            self.method_text(by),
            self.loader_text(here),
            self.java_name(target),
            self.loader_text(there),
            self.java_name(base),
            self.type_name(failed),
            self.class_in_module(target),
            self.class_in_module(base)
        );
        Err(self.throw("java/lang/LinkageError", Some(&message)))
    }

    fn check_implementation(&mut self, class: ClassId, declared: MethodId) -> Result<(), Stop> {
        let method = self.method(declared);
        let (interface, name, desc) = (method.class, method.name, method.desc);
        if method.is_static() || method.is_private() || self.constrained_types(desc).is_empty() {
            return Ok(());
        }
        let Some(target) = self.implementation(class, name, desc) else {
            return Ok(());
        };
        let holder = self.method(target).class;
        let (there, here) = (self.class(interface).loader, self.class(holder).loader);
        let Some(failed) = self.bind_loaders(here, there, desc) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation in interface itable initialization for class {}: when selecting method '{}' the \
             class loader {} for super interface {}, and the class loader {} of the selected method's {}, {} have \
             different Class objects for the type {} used in the signature ({}; {})",
            self.java_name(class),
            self.method_text(declared),
            self.loader_text(there),
            self.java_name(interface),
            self.loader_text(here),
            self.kind_text(holder),
            self.java_name(holder),
            self.type_name(failed),
            self.class_in_module(interface),
            self.class_in_module(holder)
        );
        Err(self.throw("java/lang/LinkageError", Some(&message)))
    }

    fn type_name(&self, name: Sym) -> String {
        crate::vm::java_name_of(self.syms.str(name))
    }

    fn loader_text(&mut self, loader: LoaderId) -> String {
        match self.describe_loader(loader) {
            text if text == "bootstrap" => "'bootstrap'".into(),
            text => text,
        }
    }

    /// `pkg.Name is in unnamed module of loader 'own' @1b2c3d, parent loader 'app'`.
    fn class_in_module(&mut self, class: ClassId) -> String {
        let loader = self.class(class).loader;
        format!(
            "{} is in {}{}",
            self.java_name(class),
            self.in_module_text(class),
            self.parent_text(loader)
        )
    }
}
