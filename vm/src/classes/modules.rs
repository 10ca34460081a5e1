//! What the VM keeps of modules: which module a (loader, package) belongs to, and what modules read and export, as the
//! natives of java.lang.Module report it.

use crate::classes::class::Kind;
use crate::classes::loader::Loader;
use crate::ids::{ClassId, LoaderId, ObjRef, Sym};
use crate::sym::FixedMap;
use crate::vm::Vm;

#[derive(Default)]
pub struct Modules {
    /// (loader, package in internal form) → java.lang.Module object.
    by_package: FixedMap<(LoaderId, Sym), ObjRef>,
    /// Packages of modules defined to the boot loader, with the module's name.
    boot_packages: FixedMap<Sym, String>,
    /// Set by defineModule0 of java.base.
    pub java_base: ObjRef,
    /// Unnamed module of the boot loader.
    pub boot_unnamed: ObjRef,
    /// The modules of loaders that stay. Those of others live as long as their loaders.
    pub all: Vec<ObjRef>,
    /// Loaders of the JDK itself (platform, app): may define `java.` packages of named modules.
    pub platform: Vec<LoaderId>,
    /// Which module reads which; null stands for all unnamed ones.
    reads: FixedMap<(ObjRef, ObjRef), ()>,
    /// Modules with a class that an agent has changed: they read the unnamed modules of boot and system class path.
    read_class_path: FixedMap<ObjRef, ()>,
    exports: FixedMap<(ObjRef, Sym, ExportedTo), ()>,
    open: FixedMap<ObjRef, ()>,
}

/// To whom a package is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportedTo {
    All,
    AllUnnamed,
    Module(ObjRef),
}

impl Modules {
    /// The boot module that holds a package. Until the boot layer exists, everything is in java.base.
    pub fn boot_module_of(&self, package: Sym) -> Option<String> {
        if self.java_base.is_null() {
            return Some("java.base".into());
        }
        self.boot_packages.get(&package).cloned()
    }

    /// The named module of a loader's package, or null.
    pub fn module_of_package(&self, loader: LoaderId, package: Sym) -> ObjRef {
        self.by_package
            .get(&(loader, package))
            .copied()
            .unwrap_or(ObjRef::NULL)
    }

    /// Does a named module read another? Of an unnamed one, the loader says which it is.
    pub(crate) fn reads(&self, from: ObjRef, to: ObjRef, unnamed: Option<LoaderId>) -> bool {
        if to == self.java_base || self.reads.contains_key(&(from, to)) {
            return true;
        }
        unnamed.is_some_and(|loader| {
            let class_path = loader == LoaderId::BOOT || self.is_platform_loader(loader);
            self.reads.contains_key(&(from, ObjRef::NULL))
                || class_path && self.read_class_path.contains_key(&from)
        })
    }

    /// Does a named module export a package to a module?
    pub(crate) fn exports(&self, module: ObjRef, package: Sym, to: ObjRef, unnamed: bool) -> bool {
        let has = |to| self.exports.contains_key(&(module, package, to));
        has(ExportedTo::All)
            || unnamed && has(ExportedTo::AllUnnamed)
            || has(ExportedTo::Module(to))
            || self.open.contains_key(&module)
    }

    pub fn add_reads(&mut self, from: ObjRef, to: ObjRef) {
        self.reads.insert((from, to), ());
    }

    pub fn add_exports(&mut self, module: ObjRef, package: Sym, to: ExportedTo) {
        self.exports.insert((module, package, to), ());
    }

    /// All packages of an open module are exported.
    pub fn set_open(&mut self, module: ObjRef) {
        self.open.insert(module, ());
    }

    pub(crate) fn changed_by_agent(&mut self, module: ObjRef) {
        self.read_class_path.insert(module, ());
    }

    /// Forgets modules and loaders that are gone.
    pub(crate) fn sweep(&mut self, lives: impl Fn(ObjRef) -> bool, loader_lives: impl Fn(LoaderId) -> bool) {
        self.by_package
            .retain(|(loader, _), module| loader_lives(*loader) && lives(*module));
        self.reads
            .retain(|(from, to), _| lives(*from) && (to.is_null() || lives(*to)));
        self.exports.retain(|(module, _, to), _| {
            lives(*module) && !matches!(to, ExportedTo::Module(to) if !lives(*to))
        });
        self.open.retain(|module, _| lives(*module));
        self.read_class_path.retain(|module, _| lives(*module));
    }

    pub fn is_platform_loader(&self, loader: LoaderId) -> bool {
        self.platform.contains(&loader)
    }

    pub fn is_jdk_module(&self, name: &str) -> bool {
        name.starts_with("java.") || name.starts_with("jdk.")
    }
}

impl Vm {
    /// Is this a class of the JDK itself, one of a module that was there from the start? What stands on the class path
    /// is not, whatever its name.
    pub fn is_jdk_class(&self, class: ClassId) -> bool {
        let c = self.class(class);
        let modules = &self.modules;
        // What an agent has added to the boot class path is in no module.
        c.loader == LoaderId::BOOT
            && (c.kind != Kind::Instance
                || modules.java_base.is_null()
                || modules.boot_packages.contains_key(&c.package))
            || self.modules.is_platform_loader(c.loader)
                && self.modules.by_package.contains_key(&(c.loader, c.package))
    }

    /// The VM's part of `Module.defineModule0`.
    pub fn define_module(&mut self, module: ObjRef, name: &str, loader: ObjRef, packages: &[String]) {
        let loader = self.loader_of(loader);
        if loader != LoaderId::BOOT
            && self.modules.java_base != ObjRef::NULL
            && !self.initialized
            && !self.modules.platform.contains(&loader)
        {
            self.modules.platform.push(loader);
        }
        for package in packages {
            let package = self.sym(&package.replace('.', "/"));
            self.modules.by_package.insert((loader, package), module);
            if loader == LoaderId::BOOT {
                self.modules.boot_packages.insert(package, name.to_string());
            }
        }
        match &mut self.loaders.list[loader.index()] {
            Loader {
                mortal: true, pins, ..
            } => pins.push(module),
            _ => self.modules.all.push(module),
        }
        if name == "java.base" && self.modules.java_base.is_null() {
            self.modules.java_base = module;
            for i in 0..self.classes.len() {
                let mirror = self.classes[i].mirror;
                if !mirror.is_null() {
                    self.heap.put_ref(mirror, self.known.class_module, module);
                }
            }
        }
    }

    /// The java.lang.Module of a class, null while booting.
    pub(crate) fn module_of(&mut self, class: ClassId) -> ObjRef {
        let c = self.class(class);
        let c = match c.kind {
            Kind::Array { element, .. } => self.class(element),
            _ => c,
        };
        if self.modules.java_base.is_null() || c.is_primitive() {
            return self.modules.java_base;
        }
        let (loader, package) = (c.loader, c.package);
        if let Some(&module) = self.modules.by_package.get(&(loader, package)) {
            return module;
        }
        let object = self.loader_object(loader);
        if object.is_null() {
            return self.modules.boot_unnamed;
        }
        self.get_ref_field(object, "java/lang/ClassLoader", "unnamedModule")
    }

    pub(crate) fn set_mirror_module(&mut self, class: ClassId) {
        let module = self.module_of(class);
        let mirror = self.mirror(class);
        self.heap.put_ref(mirror, self.known.class_module, module);
    }

    /// Which (loader, package) pairs are in named modules of the boot loader: for BootLoader queries.
    pub fn boot_package_module(&self, package: &str) -> Option<String> {
        let sym = self.syms.get(package.as_bytes())?;
        self.modules.boot_packages.get(&sym).cloned()
    }
}
