//! Finding and defining classes.
//!
//! The boot loader reads the JDK image directly. Every other loader is asked in Java: `load_class` answers with a
//! `Stop::Call` to `ClassLoader.loadClass` and is asked again when that has returned, by then from the table of
//! initiated classes.

use crate::classes::class::{Class, InitState, Kind, acc};
use crate::classfile::descriptor::{Prim, Type, parse_type};
use crate::classfile::{ClassFile, Rules};
use crate::ids::{ClassId, LoaderId, MethodId, ObjRef, Sym};
use crate::stop::{Completion, Stop, Then};
use crate::sym::{FixedMap, FixedState};
use crate::vm::Vm;
use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};

/// What defining a class takes, in virtual time (ns).
const DEFINE_NANOS: u64 = 50_000;

pub struct Loader {
    /// The java.lang.ClassLoader object; null for the boot loader.
    pub object: ObjRef,
    /// Classes this loader has initiated, by internal name.
    pub classes: FixedMap<Sym, ClassId>,
    /// It goes when nothing refers to it, with all its classes. Those of the JDK stay.
    pub mortal: bool,
    /// What belongs to it beside its classes, if it is mortal.
    pub pins: Vec<ObjRef>,
}

pub struct Loaders {
    pub list: Vec<Loader>,
    /// The class file of a definition that had to wait for its superclass, so that it is read only once.
    pending: Option<&'static ClassFile>,
    /// Class files of mortal classes, by a hash of their bytes: a class that is loaded again and again is read once.
    files: FixedMap<u64, Vec<&'static ClassFile>>,
    /// Serial number for the names of hidden classes.
    pub hidden_count: u64,
}

impl Default for Loaders {
    fn default() -> Self {
        let boot = Loader {
            object: ObjRef::NULL,
            classes: FixedMap::default(),
            mortal: false,
            pins: Vec::new(),
        };
        Loaders {
            list: vec![boot],
            pending: None,
            files: FixedMap::default(),
            hidden_count: 0,
        }
    }
}

/// A hidden class's extras.
#[derive(Clone, Copy)]
pub struct HiddenOpts {
    /// The lookup class: gives package, loader and, for a nestmate, the nest host.
    pub host: ClassId,
    pub nestmate: bool,
    pub class_data: ObjRef,
    pub strong: bool,
}

#[derive(Clone, Copy, Default)]
pub struct DefineOpts {
    pub protection_domain: ObjRef,
    pub hidden: Option<HiddenOpts>,
}

impl Vm {
    /// The id of a loader object; null is the boot loader. A new object is registered.
    pub fn loader_of(&mut self, object: ObjRef) -> LoaderId {
        if object.is_null() {
            return LoaderId::BOOT;
        }
        let id = self.heap.get_u32(object, self.known.loader_vm_id);
        if id != 0 {
            return LoaderId(id);
        }
        let id = self.loaders.list.len() as u32;
        let stays = self.is_jdk_loader(self.heap.class_of(object));
        self.loaders.list.push(Loader {
            object,
            classes: FixedMap::default(),
            mortal: !stays,
            pins: Vec::new(),
        });
        self.heap.put_u32(object, self.known.loader_vm_id, id);
        LoaderId(id)
    }

    pub fn loader_object(&self, loader: LoaderId) -> ObjRef {
        self.loaders.list[loader.index()].object
    }

    /// A class this loader has already initiated.
    pub fn find_loaded(&self, loader: LoaderId, name: Sym) -> Option<ClassId> {
        self.loaders.list[loader.index()].classes.get(&name).copied()
    }

    /// A class of the boot loader by internal name; the answer is remembered.
    pub fn boot_class(&mut self, name: &'static str) -> Result<ClassId, Stop> {
        if let Some(&class) = self.boot_cache.get(name) {
            return Ok(class);
        }
        let class = self.load_class_by_name(LoaderId::BOOT, name)?;
        self.boot_cache.insert(name, class);
        Ok(class)
    }

    pub fn load_class_by_name(&mut self, loader: LoaderId, name: &str) -> Result<ClassId, Stop> {
        let sym = self.sym(name);
        self.load_class(loader, sym)
    }

    /// The class `name` (internal form) as `loader` sees it; a NoClassDefFoundError if there is none.
    pub fn load_class(&mut self, loader: LoaderId, name: Sym) -> Result<ClassId, Stop> {
        self.load_class_or(loader, name, true)
    }

    /// Like `load_class`, but a missing class is a ClassNotFoundException, as `Class.forName` throws it.
    pub fn load_class_for_name(&mut self, loader: LoaderId, name: Sym) -> Result<ClassId, Stop> {
        self.load_class_or(loader, name, false)
    }

    fn load_class_or(&mut self, loader: LoaderId, name: Sym, linkage: bool) -> Result<ClassId, Stop> {
        self.load_class_as(loader, name, name, linkage)
    }

    /// Loads `name` on behalf of `asked`, which is what errors name: an array, for its element.
    fn load_class_as(
        &mut self,
        loader: LoaderId,
        name: Sym,
        asked: Sym,
        linkage: bool,
    ) -> Result<ClassId, Stop> {
        if let Some(class) = self.find_loaded(loader, name) {
            return Ok(class);
        }
        let bytes = self.syms.bytes(name);
        if bytes.first() == Some(&b'[') {
            return match parse_type(&bytes[1..]) {
                Some((Type::Ref(element), [])) => {
                    let element = self.syms.intern(element);
                    let component = self.load_class_as(loader, element, asked, linkage)?;
                    self.array_class_of(component)
                }
                Some((Type::Prim(p), [])) if p != Prim::Void => Ok(self.prim_array_class(p)),
                _ => Err(self.class_not_found(asked, linkage)),
            };
        }
        if loader == LoaderId::BOOT {
            return match self.load_boot(name)? {
                Some(class) => Ok(class),
                None => Err(self.class_not_found(asked, linkage)),
            };
        }
        let loader_object = self.loader_object(loader);
        let class = self.heap.class_of(loader_object);
        let load = self
            .find_method(class, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;")
            .ok_or_else(|| Stop::bug("ClassLoader.loadClass is missing"))?;
        let dotted = self.syms.str(name).replace('/', ".");
        let dotted = self.new_string(&dotted)?;
        let state = vec![
            u64::from(loader.0),
            u64::from(name.0),
            u64::from(linkage),
            u64::from(asked.0),
        ];
        Err(Stop::call(
            load,
            vec![loader_object.bits(), dotted.bits()],
            Then::RetryAfter(class_loaded, state),
        ))
    }

    /// ClassNotFoundException, or the NoClassDefFoundError that resolution makes of it.
    fn class_not_found(&mut self, name: Sym, linkage: bool) -> Stop {
        let internal = self.syms.str(name);
        let dotted = internal.replace('/', ".");
        let not_found = match self.new_exception("java/lang/ClassNotFoundException", Some(&dotted), None) {
            Ok(e) => e,
            Err(stop) => return stop,
        };
        if !linkage {
            return Stop::Throw(not_found);
        }
        self.throw_cause("java/lang/NoClassDefFoundError", Some(internal), not_found)
    }

    /// A class of the boot loader, or none if the JDK image has no such class in a boot module.
    pub fn load_boot(&mut self, name: Sym) -> Result<Option<ClassId>, Stop> {
        if let Some(class) = self.find_loaded(LoaderId::BOOT, name) {
            return Ok(Some(class));
        }
        let text = self.syms.str(name);
        let package = text.rsplit_once('/').map_or("", |(p, _)| p);
        let package = self.sym(package);
        let Some(module) = self.modules.boot_module_of(package) else {
            return self.load_appended(text);
        };
        let Some(bytes) = self.boot_bytes(&module, text) else {
            return Ok(None);
        };
        let changed = self.transformed(LoaderId::BOOT, Some(text), bytes, ObjRef::NULL)?;
        let leaked = changed.map(|bytes| &*Box::leak(bytes.into_boxed_slice()));
        let rules = Rules {
            trusted: true,
            ..Rules::default()
        };
        let result = match ClassFile::parse_with(leaked.unwrap_or(bytes), &rules) {
            Ok(file) => {
                let file = Box::leak(Box::new(file));
                self.define_parsed(LoaderId::BOOT, file, DefineOpts::default())
            }
            Err(e) if leaked.is_some() => Err(self.throw("java/lang/ClassFormatError", Some(&e.message))),
            Err(e) => return Err(Stop::bug(format!("{text} of the JDK image: {e}"))),
        };
        self.end_of_load(LoaderId::BOOT, Some(text), bytes, &result);
        result.map(Some)
    }

    /// The class file of a boot class: the JDK's own, unless it is patched.
    fn boot_bytes(&self, module: &str, name: &str) -> Option<&'static [u8]> {
        let patched = self.patches.get(&format!("{module}/{name}.class"));
        match patched.and_then(Result::ok) {
            Some(Cow::Borrowed(bytes)) => Some(bytes),
            Some(Cow::Owned(bytes)) => Some(bytes.leak()),
            None => self.image.find(module, &format!("{name}.class")),
        }
    }

    /// A class of the archives that agents have added to the boot loader's search.
    fn load_appended(&mut self, name: &'static str) -> Result<Option<ClassId>, Stop> {
        let entry = format!("{name}.class");
        let found = self.instrument.boot_jars.iter().find_map(|jar| jar.get(&entry));
        let Some(bytes) = found.and_then(Result::ok) else {
            return Ok(None);
        };
        self.define_class(LoaderId::BOOT, Some(name), &bytes, DefineOpts::default())
            .map(Some)
    }

    /// Defines a class from bytes, as `ClassLoader.defineClass` does. `name` (internal form) is checked if given.
    pub fn define_class(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        opts: DefineOpts,
    ) -> Result<ClassId, Stop> {
        if opts.hidden.is_some() {
            return self.define_as_is(loader, name, bytes, opts);
        }
        let replaced = self.replacement(loader, name);
        let bytes = replaced.as_deref().unwrap_or(bytes);
        let changed = self.transformed(loader, name, bytes, opts.protection_domain)?;
        let result = self.define_as_is(loader, name, changed.as_deref().unwrap_or(bytes), opts);
        self.end_of_load(loader, name, bytes, &result);
        result
    }

    fn define_as_is(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        opts: DefineOpts,
    ) -> Result<ClassId, Stop> {
        let mortal = self.is_mortal_in(loader, opts);
        let file = match self.loaders.pending.take() {
            Some(file) if file.bytes == bytes => file,
            _ if mortal => self.parse_again(name, bytes)?,
            _ => self.parse_class(name, bytes)?,
        };
        let this = file.class_name(file.this_class).unwrap_or(b"");
        if file.access & acc::MODULE != 0 {
            let name = String::from_utf8_lossy(this).replace('/', ".");
            let message = format!("{name} is not a class because access_flag ACC_MODULE is set");
            return Err(self.throw("java/lang/NoClassDefFoundError", Some(&message)));
        }
        if let Some(name) = name.filter(|_| opts.hidden.is_none())
            && name.as_bytes() != this
        {
            let message = format!("{name} (wrong name: {})", String::from_utf8_lossy(this));
            return Err(self.throw("java/lang/NoClassDefFoundError", Some(&message)));
        }
        if opts.hidden.is_none() && loader != LoaderId::BOOT {
            if this.starts_with(b"java/") && !self.modules.is_platform_loader(loader) {
                let package = String::from_utf8_lossy(this)
                    .rsplit_once('/')
                    .map_or(String::new(), |p| p.0.into());
                let message = format!("Prohibited package name: {}", package.replace('/', "."));
                return Err(self.throw("java/lang/SecurityException", Some(&message)));
            }
            let sym = self.syms.intern(this);
            if let Some(other) = self.find_loaded(loader, sym) {
                return Err(self.duplicate_definition(loader, other));
            }
        }
        let result = self.define_parsed(loader, file, opts);
        if let Err(Stop::Call(_) | Stop::Block(_) | Stop::OutOfMemory { .. }) = &result {
            self.loaders.pending = Some(file);
        }
        result
    }

    /// Whether a class defined so goes when nothing refers to it: one of a loader that does, or a hidden one that is not
    /// tied to its loader.
    fn is_mortal_in(&self, loader: LoaderId, opts: DefineOpts) -> bool {
        self.loaders.list[loader.index()].mortal || opts.hidden.is_some_and(|h| !h.strong)
    }

    /// Reads a class file, unless the same one was read before.
    fn parse_again(&mut self, name: Option<&str>, bytes: &[u8]) -> Result<&'static ClassFile, Stop> {
        let mut hasher = FixedState.build_hasher();
        hasher.write(bytes);
        let hash = hasher.finish();
        let known = self.loaders.files.get(&hash).into_iter().flatten();
        if let Some(file) = known.copied().find(|file| file.bytes == bytes) {
            return Ok(file);
        }
        let file = self.parse_class(name, bytes)?;
        self.loaders.files.entry(hash).or_default().push(file);
        Ok(file)
    }

    fn parse_class(&mut self, name: Option<&str>, bytes: &[u8]) -> Result<&'static ClassFile, Stop> {
        // Class files are never freed: names in them are referred to from anywhere.
        let leaked: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
        let rules = Rules {
            name: name.map(str::as_bytes),
            max_major: self.release().max_class_version(),
            preview: self.config.preview,
            ..Rules::default()
        };
        match ClassFile::parse_with(leaked, &rules) {
            Ok(file) => Ok(Box::leak(Box::new(file))),
            Err(e) if e.unsupported_version => {
                Err(self.throw("java/lang/UnsupportedClassVersionError", Some(&e.message)))
            }
            Err(e) => Err(self.throw("java/lang/ClassFormatError", Some(&e.message))),
        }
    }

    fn define_parsed(
        &mut self,
        loader: LoaderId,
        file: &'static ClassFile,
        opts: DefineOpts,
    ) -> Result<ClassId, Stop> {
        if loader != LoaderId::BOOT {
            crate::classes::method_order::note_names(self, file);
        }
        let this = self.syms.intern(file.class_name(file.this_class).unwrap_or(b"?"));
        // HotSpot loads the interfaces while it parses the class, the superclass when it has.
        let mut interfaces = Vec::with_capacity(file.interfaces.len());
        for &index in &file.interfaces {
            interfaces.push(self.load_super(loader, file, index, this)?);
        }
        let super_class = match file.super_class {
            0 => None,
            index => Some(self.load_super(loader, file, index, this)?),
        };
        self.check_supers(file, this, super_class, &interfaces)?;
        let nest_host = match opts.hidden {
            Some(h) if h.nestmate => Some(self.nest_host(h.host)?),
            _ => None,
        };
        // From here on nothing needs another class: the definition happens in one go.
        self.host.clock.spend(DEFINE_NANOS);
        let name = match opts.hidden {
            Some(_) => {
                self.loaders.hidden_count += 1;
                let serial = 0x7000_0000_0000 + self.loaders.hidden_count * 0x400;
                let text = format!("{}+0x{serial:016x}", self.syms.str(this));
                self.sym(&text)
            }
            None => this,
        };
        let id = ClassId(self.classes.len() as u32);
        let package = self.syms.str(name).rsplit_once('/').map_or("", |(p, _)| p);
        let package = self.sym(package);
        let source_file = file
            .attr(file.attrs, "SourceFile")
            .and_then(|a| file.utf8(u16::from_be_bytes([*a.first()?, *a.get(1)?])))
            .map(|s| self.syms.intern(s));
        let nest_host = nest_host.or_else(|| opts.hidden.map(|_| id));
        let class = Class {
            access: file.access,
            super_class,
            interfaces,
            file: Some(file),
            cp: vec![Default::default(); usize::from(file.cp_len())],
            nest_host,
            protection_domain: opts.protection_domain,
            source_file,
            hidden: opts.hidden.is_some(),
            mortal: self.is_mortal_in(loader, opts),
            ..Class::new(id, name, loader, Kind::Instance, package)
        };
        self.classes.push(class);
        if let Some(message) = self.inaccessible_super(id) {
            self.forget_class(id);
            return Err(self.throw("java/lang/IllegalAccessError", Some(&message)));
        }
        if let Err(message) = self.lay_out(id, file) {
            self.forget_class(id);
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        if opts.hidden.is_none() {
            if let Err(stop) = self.enter_class(loader, name, id) {
                self.forget_class(id);
                return Err(stop);
            }
        } else {
            // A hidden class's own name in its constant pool means itself.
            self.class_mut(id).cp[usize::from(file.this_class)] = crate::classes::class::CpEntry::Class(id);
        }
        self.make_mirror(id)?;
        if let Some(h) = opts.hidden {
            let mirror = self.mirror(id);
            self.heap.put_ref(mirror, self.known.class_data, h.class_data);
            if h.strong {
                // No name leads from the loader to it.
                let owner = &mut self.loaders.list[loader.index()];
                owner.pins.extend(owner.mortal.then_some(mirror));
            }
        }
        Ok(id)
    }

    fn load_super(
        &mut self,
        loader: LoaderId,
        file: &'static ClassFile,
        index: u16,
        this: Sym,
    ) -> Result<ClassId, Stop> {
        let name = self.syms.intern(file.class_name(index).unwrap_or(b"?"));
        if name == this {
            let text = self.syms.str(this);
            return Err(self.throw("java/lang/ClassCircularityError", Some(text)));
        }
        self.load_class(loader, name)
    }

    fn check_supers(
        &mut self,
        file: &'static ClassFile,
        this: Sym,
        super_class: Option<ClassId>,
        interfaces: &[ClassId],
    ) -> Result<(), Stop> {
        let this = self.syms.str(this).replace('/', ".");
        if let Some(s) = super_class {
            let class = self.class(s);
            let (interface, is_final) = (class.is_interface(), class.access & acc::FINAL != 0);
            let name = self.java_name(s);
            if interface {
                let message = format!("class {this} has interface {name} as super class");
                return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
            }
            if is_final && file.access & acc::INTERFACE == 0 {
                let message = format!("class {this} cannot inherit from final class {name}");
                return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
            }
        }
        for &i in interfaces {
            if !self.class(i).is_interface() {
                let message = format!(
                    "class {this} can not implement {0}, because it is not an interface ({0} is in {1})",
                    self.java_name(i),
                    self.in_module_text(i)
                );
                return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
            }
        }
        Ok(())
    }

    /// Takes back a class that was not finished. Should another have been loaded since, the record stays, unknown
    /// to every loader.
    fn forget_class(&mut self, id: ClassId) {
        if self.classes.len() == id.index() + 1 {
            self.classes.pop();
        }
    }

    /// How HotSpot names a loader in messages: `'app'`, `bootstrap`, `pkg.Loader @1b2c3d`.
    pub fn describe_loader(&mut self, loader: LoaderId) -> String {
        let object = self.loader_object(loader);
        if object.is_null() {
            return "bootstrap".into();
        }
        let name = self.get_ref_field(object, "java/lang/ClassLoader", "name");
        let class = self.heap.class_of(object);
        let java_name = self.java_name(class);
        if name.is_null() {
            return format!("{java_name} @{:x}", self.identity_hash(object));
        }
        let name = self.text(name);
        if self.is_jdk_loader(class) {
            format!("'{name}'")
        } else {
            format!("'{name}' @{:x}", self.identity_hash(object))
        }
    }

    /// `, parent loader 'app'`; nothing for the JDK's own loaders.
    pub(crate) fn parent_text(&mut self, loader: LoaderId) -> String {
        let object = self.loader_object(loader);
        if object.is_null() {
            return String::new();
        }
        if self.is_jdk_loader(self.heap.class_of(object)) {
            return String::new();
        }
        let parent = self.get_ref_field(object, "java/lang/ClassLoader", "parent");
        let parent = self.loader_of(parent);
        let text = self.describe_loader(parent);
        let text = if text == "bootstrap" {
            "'bootstrap'".into()
        } else {
            text
        };
        format!(", parent loader {text}")
    }

    /// Why a class that names a nest host does not belong to that nest, as HotSpot words it.
    pub(crate) fn nest_host_error(&mut self, id: ClassId) -> Result<Option<String>, Stop> {
        let class = self.class(id);
        let (loader, package, file) = (class.loader, class.package, class.file);
        let host_name = file.and_then(|file| {
            let a = file.attr(file.attrs, "NestHost")?;
            file.class_name(u16::from_be_bytes([*a.first()?, *a.get(1)?]))
        });
        let Some(host_name) = host_name else {
            return Ok(None);
        };
        if self.nest_host(id)? != id {
            return Ok(None);
        }
        let sym = self.syms.intern(host_name);
        let Some(host) = self.find_loaded(loader, sym) else {
            return Ok(None);
        };
        let why = if self.class(host).package == package {
            "current type is not listed as a nest member"
        } else {
            "types are in different packages"
        };
        let host_loader = self.class(host).loader;
        Ok(Some(format!(
            "Type {} (loader: {}) is not a nest member of type {} (loader: {}): {why}",
            self.java_name(id),
            self.describe_loader(loader),
            self.java_name(host),
            self.describe_loader(host_loader)
        )))
    }

    /// The array class whose component is `component`.
    pub fn array_class_of(&mut self, component: ClassId) -> Result<ClassId, Stop> {
        if let Some(array) = self.class(component).array {
            return Ok(array);
        }
        let c = self.class(component);
        let (element, dims, log2) = match c.kind {
            Kind::Array { element, dims, .. } => (element, dims, 2),
            Kind::Primitive(p) => (component, 0, p.log2_size()),
            Kind::Instance => (component, 0, 2),
        };
        if dims == 255 {
            return Err(self.throw("java/lang/IllegalArgumentException", None));
        }
        let text = self.syms.str(c.name);
        let name = match c.kind {
            Kind::Array { .. } => format!("[{text}"),
            Kind::Primitive(p) => format!("[{}", p as u8 as char),
            Kind::Instance => format!("[L{text};"),
        };
        let (loader, package) = (c.loader, c.package);
        let (hidden, mortal) = (c.hidden, c.mortal);
        let access = (self.class(element).access & (acc::PUBLIC | acc::PRIVATE | acc::PROTECTED))
            | acc::FINAL
            | acc::ABSTRACT;
        let name = self.sym(&name);
        let id = ClassId(self.classes.len() as u32);
        let k = &self.known;
        let (object, cloneable, serializable) = (k.object, k.cloneable, k.serializable);
        let kind = Kind::Array {
            component,
            element,
            dims: dims + 1,
            log2,
        };
        let class = Class {
            access,
            super_class: Some(object),
            interfaces: vec![cloneable, serializable],
            all_interfaces: vec![cloneable, serializable],
            display: vec![object, id],
            vtable: self.class(object).vtable.clone(),
            state: InitState::Done,
            nest_host: Some(id),
            hidden,
            mortal,
            ..Class::new(id, name, loader, kind, package)
        };
        self.classes.push(class);
        self.set_interface_bits(id);
        self.class_mut(component).array = Some(id);
        let layout = match self.class(component).kind {
            Kind::Primitive(p) => crate::heap::Layout::PrimArray { log2: p.log2_size() },
            _ => crate::heap::Layout::RefArray,
        };
        self.heap.set_layout(id, layout);
        if !hidden {
            self.loaders.list[loader.index()].classes.insert(name, id);
        }
        self.make_mirror(id)?;
        Ok(id)
    }

    /// Makes the nine primitive types' classes.
    pub fn make_primitive(&mut self, prim: Prim) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        let name = self.sym(prim.name());
        let package = self.sym("");
        self.classes.push(Class {
            access: acc::PUBLIC | acc::FINAL | acc::ABSTRACT,
            display: vec![id],
            state: InitState::Done,
            nest_host: Some(id),
            ..Class::new(id, name, LoaderId::BOOT, Kind::Primitive(prim), package)
        });
        id
    }

    pub fn prim_class(&self, prim: Prim) -> ClassId {
        self.known.prims[prim_index(prim)]
    }

    pub fn prim_array_class(&self, prim: Prim) -> ClassId {
        self.known.prim_arrays[prim_index(prim)]
    }

    /// The class of a descriptor's type as `loader` sees it.
    pub fn class_for_type(&mut self, ty: Type<'_>, loader: LoaderId) -> Result<ClassId, Stop> {
        match ty {
            Type::Prim(p) => Ok(self.prim_class(p)),
            Type::Ref(name) => {
                let name = self.syms.intern(name);
                self.load_class(loader, name)
            }
        }
    }

    /// Makes a class's java.lang.Class object, with room for its static fields. Before java.lang.Class itself is
    /// there it does nothing; booting calls it again for the classes of that time.
    pub fn make_mirror(&mut self, id: ClassId) -> Result<(), Stop> {
        let class_class = self.known.class;
        if class_class.0 == 0 {
            return Ok(());
        }
        let header = self.class(class_class).size;
        let statics: Vec<_> = self
            .class(id)
            .fields
            .iter()
            .copied()
            .filter(|f| self.field(*f).is_static())
            .collect();
        let size = header + 8 * statics.len() as u32;
        let mirror = self
            .heap
            .alloc_mirror(class_class, size)
            .map_err(|full| Stop::OutOfMemory { bytes: full.bytes })?;
        let mut refs = Vec::new();
        for (i, f) in statics.iter().enumerate() {
            let offset = header + 8 * i as u32;
            let field = &mut self.fields[f.index()];
            field.offset = offset;
            if field.is_ref() {
                refs.push(offset);
            }
        }
        self.heap.set_mirror(mirror, size, refs.into());
        self.heap.put_u32(mirror, self.known.class_vm_id, id.0);
        let class = self.class(id);
        let (loader, kind) = (class.loader, class.kind);
        if class.mortal {
            self.heap.set_mortal(id, mirror);
        }
        self.class_mut(id).mirror = mirror;
        let loader_object = self.loader_object(loader);
        self.heap
            .put_ref(mirror, self.known.class_loader_field, loader_object);
        if let Kind::Array { component, .. } = kind {
            let component = self.mirror(component);
            self.heap.put_ref(mirror, self.known.class_component, component);
        }
        self.set_mirror_facts(id);
        self.set_mirror_module(id);
        Ok(())
    }

    /// The validated nest host (JVMS 5.4.4): a host that does not list this class leaves it on its own.
    pub fn nest_host(&mut self, id: ClassId) -> Result<ClassId, Stop> {
        if let Some(host) = self.class(id).nest_host {
            return Ok(host);
        }
        let class = self.class(id);
        let (loader, name) = (class.loader, class.name);
        let host_name = class.file.and_then(|file| {
            let a = file.attr(file.attrs, "NestHost")?;
            file.class_name(u16::from_be_bytes([*a.first()?, *a.get(1)?]))
        });
        let mut host = id;
        if let Some(host_name) = host_name {
            let sym = self.syms.intern(host_name);
            match self.load_class(loader, sym) {
                Ok(h)
                    if self.lists_nest_member(h, name) && self.class(h).package == self.class(id).package =>
                {
                    host = h
                }
                Ok(_) => {}
                Err(Stop::Throw(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.class_mut(id).nest_host = Some(host);
        Ok(host)
    }

    fn lists_nest_member(&self, host: ClassId, member: Sym) -> bool {
        let Some(file) = self.class(host).file else {
            return false;
        };
        let Some(table) = file.attr(file.attrs, "NestMembers") else {
            return false;
        };
        table
            .get(2..)
            .unwrap_or(&[])
            .chunks_exact(2)
            .any(|c| file.class_name(u16::from_be_bytes([c[0], c[1]])) == Some(self.syms.bytes(member)))
    }
}

/// Records what `ClassLoader.loadClass` answered.
fn class_loaded(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let (loader, name, linkage) = (LoaderId(state[0] as u32), Sym(state[1] as u32), state[2] != 0);
    let asked = Sym(state[3] as u32);
    match done {
        Completion::Value(bits) => {
            let mirror = ObjRef::from_bits(bits);
            if mirror.is_null() {
                return Err(vm.class_not_found(asked, linkage));
            }
            let class = vm.class_of_mirror(mirror);
            if vm.class(class).name != name {
                return Err(vm.class_not_found(asked, linkage));
            }
            vm.enter_class(loader, name, class)?;
            Ok(0)
        }
        Completion::Thrown(exception) => {
            let cnfe = vm.boot_class("java/lang/ClassNotFoundException")?;
            if linkage && vm.instance_of(exception, cnfe) {
                let text = vm.syms.str(asked);
                return Err(vm.throw_cause("java/lang/NoClassDefFoundError", Some(text), exception));
            }
            Err(Stop::Throw(exception))
        }
    }
}

pub fn prim_index(prim: Prim) -> usize {
    Prim::ALL
        .iter()
        .position(|p| *p == prim)
        .expect("every primitive is in ALL")
}

/// An id no method has.
pub const NO_METHOD: MethodId = MethodId(u32::MAX);
