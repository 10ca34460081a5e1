//! Resolution of constant pool references, and method selection (JVMS 5.4.3 to 5.4.6), with HotSpot's messages.

use crate::classes::class::{CpEntry, Method, acc};
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::ids::{ClassId, FieldId, MethodId, ObjRef, Sym};
use crate::stop::Stop;
use crate::vm::Vm;

impl Vm {
    /// The class a constant pool entry of `from` names.
    pub fn resolve_class(&mut self, from: ClassId, cp: u16) -> Result<ClassId, Stop> {
        match self.class(from).cp[usize::from(cp)] {
            CpEntry::Class(id) => return Ok(id),
            CpEntry::Failed(error) => return Err(self.throw_recorded(error, false)),
            _ => {}
        }
        let (loader, file) = (self.class(from).loader, self.class(from).file);
        let name = file
            .and_then(|f| f.class_name(cp))
            .ok_or_else(|| Stop::bug("class constant expected"))?;
        let name = self.syms.intern(name);
        let id = self.load_class(loader, name)?;
        if let Err(stop) = self.check_class_access(from, id) {
            return Err(self.record_failure(from, cp, stop));
        }
        self.class_mut(from).cp[usize::from(cp)] = CpEntry::Class(id);
        Ok(id)
    }

    /// Generated reflection accessors may touch everything.
    pub(crate) fn is_magic(&self, class: ClassId) -> bool {
        self.class(class)
            .display
            .iter()
            .any(|c| self.class_name(*c) == "jdk/internal/reflect/MagicAccessorImpl")
    }

    /// The field a constant pool entry names.
    pub fn resolve_field(&mut self, from: ClassId, cp: u16) -> Result<FieldId, Stop> {
        match self.class(from).cp[usize::from(cp)] {
            CpEntry::Field(id) => return Ok(id),
            CpEntry::Failed(error) => return Err(Stop::Throw(error)),
            _ => {}
        }
        let file = self
            .class(from)
            .file
            .ok_or_else(|| Stop::bug("field constant expected"))?;
        let (class_cp, name, desc) = file
            .member(cp)
            .ok_or_else(|| Stop::bug("field constant expected"))?;
        let owner = self.resolve_class(from, class_cp)?;
        let (name, desc) = (self.syms.intern(name), self.syms.intern(desc));
        let Some(id) = self.find_field_sym(owner, name, Some(desc)) else {
            return Err(self.no_such_field(owner, name, desc));
        };
        let field = self.field(id);
        let (class, access) = (field.class, field.access);
        if !self.member_accessible(from, owner, class, access)? {
            let message = format!(
                "class {} tried to access {}field {}.{} ({}){}",
                self.java_name(from),
                visibility(access),
                self.java_name(class),
                self.syms.str(name),
                self.both_in_modules(from, class),
                self.nest_error_text(from, class, access)?
            );
            return Err(self.throw("java/lang/IllegalAccessError", Some(&message)));
        }
        self.check_field_loaders(from, id)?;
        self.class_mut(from).cp[usize::from(cp)] = CpEntry::Field(id);
        Ok(id)
    }

    /// The method a constant pool entry names. `interface` says what kind of reference the instruction expects.
    pub fn resolve_method(&mut self, from: ClassId, cp: u16, interface: bool) -> Result<MethodId, Stop> {
        match self.class(from).cp[usize::from(cp)] {
            CpEntry::Method(id) => return Ok(id),
            CpEntry::Failed(error) => return Err(Stop::Throw(error)),
            _ => {}
        }
        let file = self
            .class(from)
            .file
            .ok_or_else(|| Stop::bug("method constant expected"))?;
        let (class_cp, name, desc) = file
            .member(cp)
            .ok_or_else(|| Stop::bug("method constant expected"))?;
        let owner = self.resolve_class(from, class_cp)?;
        let (name, desc) = (self.syms.intern(name), self.syms.intern(desc));
        let id = self.resolve_method_in(from, owner, name, desc, interface)?;
        self.class_mut(from).cp[usize::from(cp)] = CpEntry::Method(id);
        Ok(id)
    }

    /// Method resolution proper, with access check and loader constraints.
    pub fn resolve_method_in(
        &mut self,
        from: ClassId,
        owner: ClassId,
        name: Sym,
        desc: Sym,
        interface: bool,
    ) -> Result<MethodId, Stop> {
        let id = self.accessible_method(from, owner, name, desc, interface)?;
        self.check_method_loaders(from, owner, id, interface)?;
        Ok(id)
    }

    /// The method that a name means in a class, if `from` may use it.
    pub(crate) fn accessible_method(
        &mut self,
        from: ClassId,
        owner: ClassId,
        name: Sym,
        desc: Sym,
        interface: bool,
    ) -> Result<MethodId, Stop> {
        if self.class(owner).is_interface() != interface {
            let message = if interface {
                format!(
                    "Found class {}, but interface was expected",
                    self.java_name(owner)
                )
            } else {
                format!(
                    "Found interface {}, but class was expected",
                    self.java_name(owner)
                )
            };
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        let Some(id) = self.lookup_method(owner, name, desc) else {
            let message = format!("'{}'", self.signature_text(owner, name, desc));
            return Err(self.throw("java/lang/NoSuchMethodError", Some(&message)));
        };
        let method = self.method(id);
        let (class, access) = (method.class, method.access);
        if !self.member_accessible(from, owner, class, access)? {
            let message = format!(
                "class {} tried to access {}method '{}' ({}){}",
                self.java_name(from),
                visibility(access),
                self.signature_text(class, name, desc),
                self.both_in_modules(from, class),
                self.nest_error_text(from, class, access)?
            );
            return Err(self.throw("java/lang/IllegalAccessError", Some(&message)));
        }
        Ok(id)
    }

    /// The NoSuchFieldError of a field that was not found.
    pub fn no_such_field(&mut self, owner: ClassId, name: Sym, desc: Sym) -> Stop {
        let name = self.syms.str(name);
        if !self.release().describes_missing_fields() {
            return self.throw("java/lang/NoSuchFieldError", Some(name));
        }
        let ty =
            crate::classfile::descriptor::field_type(self.syms.bytes(desc)).map_or(String::new(), type_text);
        let message = format!(
            "Class {} does not have member field '{ty} {name}'",
            self.java_name(owner)
        );
        self.throw("java/lang/NoSuchFieldError", Some(&message))
    }

    /// What a refused access to a private member adds when a nest did not come about.
    fn nest_error_text(&mut self, from: ClassId, to: ClassId, access: u16) -> Result<String, Stop> {
        if access & acc::PRIVATE == 0 {
            return Ok(String::new());
        }
        let errors = [self.nest_host_error(from)?, self.nest_host_error(to)?];
        let errors: Vec<String> = errors.into_iter().flatten().collect();
        Ok(if errors.is_empty() {
            String::new()
        } else {
            format!(", ({})", errors.join(", "))
        })
    }

    /// JVMS 5.4.4, with nestmates.
    pub fn member_accessible(
        &mut self,
        from: ClassId,
        owner: ClassId,
        declared_in: ClassId,
        access: u16,
    ) -> Result<bool, Stop> {
        if access & acc::PUBLIC != 0 || from == declared_in {
            return Ok(true);
        }
        let (f, d) = (self.class(from), self.class(declared_in));
        let same_package = f.package == d.package && f.loader == d.loader;
        if access & acc::PRIVATE != 0 {
            if self.nest_host(from)? == self.nest_host(declared_in)? {
                return Ok(true);
            }
            return Ok(self.is_magic(from));
        }
        if same_package {
            return Ok(true);
        }
        if access & acc::PROTECTED != 0 {
            let _ = owner;
            // An array's clone() counts as public.
            if self.is_subclass(from, declared_in) || self.class(owner).is_array() {
                return Ok(true);
            }
        }
        Ok(self.is_magic(from))
    }

    /// Lookup by name and descriptor: class chain, then superinterfaces (maximally specific first).
    pub fn lookup_method(&self, class: ClassId, name: Sym, desc: Sym) -> Option<MethodId> {
        let mut at = Some(class);
        while let Some(id) = at {
            let c = self.class(id);
            if let Some(&m) = c.method_index.get(&(name, desc)) {
                return Some(m);
            }
            at = c.super_class;
        }
        match self.specific_default(class, name, desc) {
            Ok(Some(m)) => Some(m),
            _ => self.any_interface_method(class, name, desc),
        }
    }

    fn any_interface_method(&self, class: ClassId, name: Sym, desc: Sym) -> Option<MethodId> {
        self.class(class).all_interfaces.iter().find_map(|i| {
            let m = *self.class(*i).method_index.get(&(name, desc))?;
            (self.method(m).access & (acc::PRIVATE | acc::STATIC) == 0).then_some(m)
        })
    }

    /// The one maximally specific non-abstract superinterface method; `Err` when there are several.
    fn specific_default(
        &self,
        class: ClassId,
        name: Sym,
        desc: Sym,
    ) -> Result<Option<MethodId>, (MethodId, MethodId)> {
        let mut found: Vec<MethodId> = Vec::new();
        for &i in &self.class(class).all_interfaces {
            let Some(&m) = self.class(i).method_index.get(&(name, desc)) else {
                continue;
            };
            if self.method(m).access & (acc::PRIVATE | acc::STATIC) != 0 {
                continue;
            }
            found.push(m);
        }
        // Drop every candidate some other candidate's interface extends.
        let specific: Vec<MethodId> = found
            .iter()
            .copied()
            .filter(|m| {
                let c = self.method(*m).class;
                !found
                    .iter()
                    .any(|o| o != m && self.is_subclass(self.method(*o).class, c))
            })
            .collect();
        let mut concrete = specific
            .iter()
            .copied()
            .filter(|m| !self.method(*m).is_abstract());
        match (concrete.next(), concrete.next()) {
            (Some(a), Some(b)) => Err((a, b)),
            (one, _) => Ok(one),
        }
    }

    /// Selects the method a call of `m` on a receiver of class `receiver` runs.
    pub fn select_virtual(&mut self, receiver: ClassId, m: MethodId) -> Result<MethodId, Stop> {
        let method = self.method(m);
        if method.vindex >= 0 {
            let table = &self.class(receiver).vtable;
            return match table.get(method.vindex as usize) {
                Some(&t) => Ok(t),
                None => Err(Stop::bug(format!(
                    "receiver without vtable entry for {}",
                    self.method_text(m)
                ))),
            };
        }
        if method.is_private() || method.is_static() || !self.class(method.class).is_interface() {
            return Ok(m);
        }
        self.select_interface(receiver, m)
    }

    pub fn select_interface(&mut self, receiver: ClassId, m: MethodId) -> Result<MethodId, Stop> {
        if let Some(&t) = self.interface_cache.get(&(receiver, m)) {
            return Ok(t);
        }
        let method = self.method(m);
        let (name, desc, interface) = (method.name, method.desc, method.class);
        if method.is_private() {
            return Ok(m);
        }
        if self.class(interface).is_interface() && !self.is_subclass(receiver, interface) {
            let message = format!(
                "Class {} does not implement the requested interface {}",
                self.java_name(receiver),
                self.java_name(interface)
            );
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        let mut at = Some(receiver);
        let mut found = None;
        while let Some(id) = at {
            let c = self.class(id);
            if let Some(&t) = c.method_index.get(&(name, desc))
                && self.method(t).access & (acc::STATIC | acc::PRIVATE) == 0
            {
                found = Some(t);
                break;
            }
            at = c.super_class;
        }
        if let Some(t) = found {
            if self.method(t).access & acc::PUBLIC == 0 && self.class(interface).is_interface() {
                let message = format!(
                    "class {} tried to access {}method '{}' ({})",
                    self.java_name(interface),
                    visibility(self.method(t).access),
                    self.method_text(t),
                    self.both_in_modules(interface, receiver)
                );
                return Err(self.throw("java/lang/IllegalAccessError", Some(&message)));
            }
        } else {
            found = match self.specific_default(receiver, name, desc) {
                Ok(one) => one,
                Err((a, b)) => {
                    let message = format!(
                        "Conflicting default methods: {}.{} {}.{}",
                        self.class_name(self.method(a).class),
                        self.syms.str(name),
                        self.class_name(self.method(b).class),
                        self.syms.str(name)
                    );
                    return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
                }
            };
        }
        match found {
            Some(t) if !self.method(t).is_abstract() => {
                self.interface_cache.insert((receiver, m), t);
                Ok(t)
            }
            _ => Err(self.abstract_method_error(receiver, m)),
        }
    }

    /// The method that implements an interface's in a class, if there is one that a call could reach.
    pub(crate) fn implementation(&self, class: ClassId, name: Sym, desc: Sym) -> Option<MethodId> {
        let hidden = acc::STATIC | acc::PRIVATE;
        let declared = self.class(class).display.iter().rev().find_map(|c| {
            let m = *self.class(*c).method_index.get(&(name, desc))?;
            (self.method(m).access & hidden == 0).then_some(m)
        });
        let found = match declared {
            Some(m) if self.method(m).access & acc::PUBLIC == 0 => None,
            Some(m) => Some(m),
            None => self.specific_default(class, name, desc).ok().flatten(),
        };
        found.filter(|m| !self.method(*m).is_abstract())
    }

    pub fn abstract_method_error(&mut self, receiver: ClassId, m: MethodId) -> Stop {
        let method = self.method(m);
        let owner = method.class;
        let kind = if self.class(owner).is_interface() {
            "interface"
        } else {
            "abstract class"
        };
        let text = self.signature_text_short(method);
        let message = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method 'abstract {text}' of {kind} {}.",
            self.java_name(receiver),
            self.java_name(owner)
        );
        self.throw("java/lang/AbstractMethodError", Some(&message))
    }

    fn signature_text_short(&self, method: &Method) -> String {
        let (params, ret) = self.types_text(method.desc);
        format!("{ret} {}({params})", self.syms.str(method.name))
    }

    /// `int pkg.Class.name(java.lang.String, int)`.
    pub fn signature_text(&self, class: ClassId, name: Sym, desc: Sym) -> String {
        let (params, ret) = self.types_text(desc);
        format!(
            "{ret} {}.{}({params})",
            self.java_name(class),
            self.syms.str(name)
        )
    }

    pub fn method_text(&self, m: MethodId) -> String {
        let method = self.method(m);
        self.signature_text(method.class, method.name, method.desc)
    }

    fn types_text(&self, desc: Sym) -> (String, String) {
        match method_types(self.syms.bytes(desc)) {
            Some((params, ret)) => {
                let params: Vec<String> = params.into_iter().map(type_text).collect();
                (params.join(", "), type_text(ret))
            }
            None => (String::new(), self.syms.str(desc).into()),
        }
    }

    /// `A and B are in unnamed module of loader 'app'`, as in HotSpot's messages.
    pub fn both_in_modules(&mut self, a: ClassId, b: ClassId) -> String {
        let (name_a, name_b) = (self.java_name(a), self.java_name(b));
        let (in_a, in_b) = (self.in_module_text(a), self.in_module_text(b));
        if in_a == in_b {
            format!("{name_a} and {name_b} are in {in_a}")
        } else {
            format!("{name_a} is in {in_a}; {name_b} is in {in_b}")
        }
    }

    pub(crate) fn in_module_text(&mut self, class: ClassId) -> String {
        let element = match self.class(class).kind {
            crate::classes::class::Kind::Array { element, .. } => element,
            _ => class,
        };
        let module = self.module_of(element);
        let name = if module.is_null() {
            ObjRef::NULL
        } else {
            self.get_ref_field(module, "java/lang/Module", "name")
        };
        let loader = self.class(element).loader;
        let loader_text = self.describe_loader(loader);
        let loader_text = if loader_text == "bootstrap" {
            "'bootstrap'".to_string()
        } else {
            loader_text
        };
        if name.is_null() {
            return format!("unnamed module of loader {loader_text}");
        }
        let name = self.text(name);
        let descriptor = self.get_ref_field(module, "java/lang/Module", "descriptor");
        let version = if descriptor.is_null() {
            ObjRef::NULL
        } else {
            self.get_ref_field(
                descriptor,
                "java/lang/module/ModuleDescriptor",
                "rawVersionString",
            )
        };
        // The JDK's own modules go without their version.
        if version.is_null() || self.modules.is_jdk_module(&name) {
            format!("module {name} of loader {loader_text}")
        } else {
            format!("module {name}@{} of loader {loader_text}", self.text(version))
        }
    }

    /// The ClassCastException of a failed cast.
    pub fn class_cast(&mut self, from: ClassId, to: ClassId) -> Stop {
        let message = format!(
            "class {} cannot be cast to class {} ({})",
            self.java_name(from),
            self.java_name(to),
            self.both_in_modules(from, to)
        );
        self.throw("java/lang/ClassCastException", Some(&message))
    }
}

fn visibility(access: u16) -> &'static str {
    if access & acc::PRIVATE != 0 {
        "private "
    } else if access & acc::PROTECTED != 0 {
        "protected "
    } else {
        ""
    }
}

/// A descriptor's type as Java source names it.
pub fn type_text(ty: Type<'_>) -> String {
    match ty {
        Type::Prim(p) => p.name().into(),
        Type::Ref(name) if name.first() == Some(&b'[') => {
            let dims = name.iter().take_while(|b| **b == b'[').count();
            let inner = match name.get(dims) {
                Some(b'L') => String::from_utf8_lossy(&name[dims + 1..name.len() - 1]).replace('/', "."),
                Some(&letter) => Prim::from_letter(letter).map_or("?", |p| p.name()).into(),
                None => "?".into(),
            };
            inner + &"[]".repeat(dims)
        }
        Type::Ref(name) => String::from_utf8_lossy(name).replace('/', "."),
    }
}
