//! Access to classes (JVMS 5.4.4): packages, and what modules read and export, with HotSpot's messages.

use crate::classes::class::{Kind, acc};
use crate::ids::{ClassId, LoaderId, ObjRef};
use crate::stop::Stop;
use crate::vm::Vm;

/// Why a class may not be accessed.
enum Refusal {
    /// The module of the accessing class does not read the other's.
    Unread,
    /// The package of the class is not exported to the module of the accessing class.
    Unexported,
    /// It is not public.
    Private,
}

impl Vm {
    /// Fails with an IllegalAccessError if `from` may not use `to` (of an array: its elements' class).
    pub(crate) fn check_class_access(&mut self, from: ClassId, to: ClassId) -> Result<(), Stop> {
        let target = match self.class(to).kind {
            Kind::Array { element, .. } => element,
            _ => to,
        };
        let Some(refusal) = self.refused_access(from, target) else {
            return Ok(());
        };
        let message = match self.module_refusal(from, target, &refusal) {
            Some(message) => message,
            None => format!(
                "failed to access {} from {} ({})",
                self.kind_and_name(target),
                self.kind_and_name(from),
                self.both_in_modules(target, from)
            ),
        };
        Err(self.throw("java/lang/IllegalAccessError", Some(&message)))
    }

    /// Can the class of a constant of the running method be had without loading anything, and without an error?
    pub(crate) fn is_at_hand(&mut self, cp: u16) -> bool {
        let from = self.current_class();
        let (loader, file) = (self.class(from).loader, self.class(from).file);
        let name = file.and_then(|f| f.class_name(cp)).and_then(|n| self.syms.get(n));
        let class = name.and_then(|name| self.find_loaded(loader, name));
        class.is_some_and(|class| self.refused_access(from, class).is_none())
    }

    fn refused_access(&mut self, from: ClassId, to: ClassId) -> Option<Refusal> {
        let (f, t) = (self.class(from), self.class(to));
        if from == to || t.is_primitive() || (t.package == f.package && t.loader == f.loader) {
            return None;
        }
        if f.hidden && t.package == f.package {
            return None;
        }
        let public = t.access & acc::PUBLIC != 0;
        let refusal = if public {
            self.refused_by_module(from, to)
        } else {
            Some(Refusal::Private)
        };
        refusal.filter(|_| !self.is_magic(from))
    }

    fn refused_by_module(&mut self, from: ClassId, to: ClassId) -> Option<Refusal> {
        if self.modules.java_base.is_null() {
            return None;
        }
        let (here, there) = (self.module_of(from), self.module_of(to));
        if here == there || here.is_null() || there.is_null() {
            return None;
        }
        let (named, package, loader) = {
            let t = self.class(to);
            let named = !self.modules.module_of_package(t.loader, t.package).is_null();
            (named, t.package, t.loader)
        };
        let f = self.class(from);
        let unnamed = self.modules.module_of_package(f.loader, f.package).is_null();
        if !unnamed && !self.modules.reads(here, there, (!named).then_some(loader)) {
            return Some(Refusal::Unread);
        }
        if !named || self.modules.exports(there, package, here, unnamed) {
            return None;
        }
        Some(Refusal::Unexported)
    }

    /// HotSpot's text for an access that a module refuses.
    fn module_refusal(&mut self, from: ClassId, to: ClassId, refusal: &Refusal) -> Option<String> {
        let (here, there) = (self.module_of(from), self.module_of(to));
        let (here, there) = (self.module_text(here), self.module_text(there));
        let why = match refusal {
            Refusal::Private => return None,
            Refusal::Unread => format!("{here} does not read {there}"),
            Refusal::Unexported => {
                let package = self.syms.str(self.class(to).package).replace('/', ".");
                format!("{there} does not export {package} to {here}")
            }
        };
        let (from, to) = (self.java_name(from), self.java_name(to));
        Some(format!(
            "class {from} (in {here}) cannot access class {to} (in {there}) because {why}"
        ))
    }

    fn module_text(&mut self, module: ObjRef) -> String {
        let name = self.get_ref_field(module, "java/lang/Module", "name");
        if name.is_null() {
            return format!("unnamed module @0x{:x}", self.identity_hash(module));
        }
        format!("module {}", self.text(name))
    }

    /// `class pkg.Name` or `interface pkg.Name`.
    fn kind_and_name(&self, class: ClassId) -> String {
        format!("{} {}", self.kind_text(class), self.java_name(class))
    }

    /// `interface` or `class`.
    pub(crate) fn kind_text(&self, class: ClassId) -> &'static str {
        if self.class(class).is_interface() {
            "interface"
        } else {
            "class"
        }
    }

    /// What is wrong with the access of a class to its superclass and superinterfaces, if anything is.
    pub(crate) fn inaccessible_super(&mut self, id: ClassId) -> Option<String> {
        let class = self.class(id);
        if class.loader == LoaderId::BOOT {
            return None;
        }
        let supers = class
            .super_class
            .into_iter()
            .chain(class.interfaces.iter().copied());
        let supers: Vec<ClassId> = supers.collect();
        // The accessors that reflection generates live in loaders of their own.
        let magic = |c: &ClassId| self.class_name(*c) == "jdk/internal/reflect/MagicAccessorImpl";
        if class
            .super_class
            .is_some_and(|s| self.class(s).display.iter().any(magic))
        {
            return None;
        }
        let (to, refusal) = supers
            .into_iter()
            .find_map(|to| Some((to, self.refused_access(id, to)?)))?;
        let what = match self.class(to) {
            to if to.is_interface() => "superinterface",
            to if to.is_abstract() => "abstract superclass",
            _ => "superclass",
        };
        if let Some(text) = self.module_refusal(id, to, &refusal) {
            let check = if self.class(to).is_interface() {
                "superinterface check"
            } else {
                "superclass access check"
            };
            return Some(format!("{check} failed: {text}"));
        }
        let (name, other) = (self.java_name(id), self.java_name(to));
        let modules = self.both_in_modules(id, to);
        Some(format!(
            "class {name} cannot access its {what} {other} ({modules})"
        ))
    }
}
