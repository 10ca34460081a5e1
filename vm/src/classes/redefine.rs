//! Giving a loaded class another class file with the same members: the bodies of its methods are replaced.
//!
//! Methods keep their ids, so method tables, call sites and method handles need no change; only what was derived from
//! the old file is dropped. A frame that runs an old body keeps it: the body moves to a record of its own, whose class
//! is a copy of the old one that nobody can find.

use crate::classes::class::{Class, CpEntry, InitState, Kind, Method};
use crate::classfile::{ClassFile, MemberInfo, Rules};
use crate::heap::Layout;
use crate::ids::{ClassId, LoaderId, MethodId, ObjRef};
use crate::interp::stubs;
use crate::stop::Stop;
use crate::sym::FixedMap;
use crate::vm::Vm;

const UNSUPPORTED: &str = "java/lang/UnsupportedOperationException";

/// Class attributes that a new version must not change.
const FIXED: [&str; 4] = ["NestHost", "NestMembers", "Record", "PermittedSubclasses"];

impl Vm {
    /// Can this class be given another file?
    pub fn is_modifiable(&self, class: ClassId) -> bool {
        let c = self.class(class);
        c.kind == Kind::Instance && c.file.is_some() && !c.hidden
    }

    /// Reads the new versions of classes and compares each with what is loaded; nothing is changed yet.
    pub(crate) fn parse_versions(
        &mut self,
        wanted: &[(ClassId, Vec<u8>)],
    ) -> Result<Vec<(ClassId, &'static ClassFile)>, Stop> {
        let mut versions = Vec::with_capacity(wanted.len());
        for (class, bytes) in wanted {
            let file = self.parse_version(*class, bytes)?;
            versions.push((*class, file));
        }
        Ok(versions)
    }

    pub(crate) fn verify_versions(&mut self, versions: &[(ClassId, &'static ClassFile)]) -> Result<(), Stop> {
        for &(class, file) in versions {
            self.verify_version(class, file)?;
        }
        Ok(())
    }

    fn parse_version(&mut self, class: ClassId, bytes: &[u8]) -> Result<&'static ClassFile, Stop> {
        let Some(old) = self.class(class).file else {
            return Err(Stop::bug("a class without a file is not modifiable"));
        };
        if old.bytes == bytes {
            return Ok(old);
        }
        // Names in it may be referred to from anywhere, even when the class is gone.
        let bytes: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
        let rules = Rules {
            max_major: self.release().max_class_version(),
            preview: self.config.preview,
            trusted: self.class(class).loader == LoaderId::BOOT,
            ..Rules::default()
        };
        let mut file = match ClassFile::parse_with(bytes, &rules) {
            Ok(file) => file,
            Err(e) if e.unsupported_version => {
                return Err(self.throw("java/lang/UnsupportedClassVersionError", None));
            }
            Err(_) => return Err(self.throw("java/lang/ClassFormatError", None)),
        };
        if file.class_name(file.this_class) != old.class_name(old.this_class) {
            return Err(self.throw("java/lang/NoClassDefFoundError", None));
        }
        if let Err(what) = same_shape(old, &mut file) {
            let message = format!("class redefinition failed: attempted to {what}");
            return Err(self.throw(UNSUPPORTED, Some(&message)));
        }
        Ok(Box::leak(Box::new(file)))
    }

    /// Verifies the new file as if it were the class's own.
    fn verify_version(&mut self, class: ClassId, file: &'static ClassFile) -> Result<(), Stop> {
        if self.class(class).state == InitState::Loaded {
            // It will be when it is linked.
            return Ok(());
        }
        let cp = vec![CpEntry::Unresolved; usize::from(file.cp_len())];
        let record = self.class_mut(class);
        let old_cp = std::mem::replace(&mut record.cp, cp);
        let old_file = record.file.replace(file);
        let result = self.verify_class(class);
        let record = self.class_mut(class);
        record.cp = old_cp;
        record.file = old_file;
        if let Err(Stop::Throw(_)) = &result {
            self.forget_verification(class);
            return Err(self.throw("java/lang/VerifyError", None));
        }
        result
    }

    /// Puts new versions in place, all at once.
    pub(crate) fn install_versions(&mut self, versions: &[(ClassId, &'static ClassFile)]) {
        for &(class, file) in versions {
            let old = self.class(class).file;
            if old.is_some_and(|old| !std::ptr::eq(old, file)) {
                self.install(class, file);
            }
            self.count_redefinition(class);
        }
    }

    fn install(&mut self, class: ClassId, file: &'static ClassFile) {
        let old_versions = self.keep_running_bodies(class);
        for m in self.class(class).methods.clone() {
            self.replace_body(m, file);
        }
        let methods = self.class(class).methods.clone();
        self.links.forget(class, &methods);
        self.ref_maps.retain(|(m, _, _), _| !methods.contains(m));
        let source_file = file
            .attr(file.attrs, "SourceFile")
            .and_then(|a| file.utf8(u16::from_be_bytes([*a.first()?, *a.get(1)?])))
            .map(|s| self.syms.intern(s));
        let record = self.class_mut(class);
        record.file = Some(file);
        record.cp = vec![CpEntry::Unresolved; usize::from(file.cp_len())];
        record.source_file = source_file;
        for thread in &mut self.threads.list {
            for frame in &mut thread.frames {
                if let Some(old) = old_versions.get(&frame.method)
                    && frame.cont.is_none()
                {
                    frame.method = *old;
                }
            }
        }
    }

    /// Lowered anew when next called.
    pub(crate) fn replace_body(&mut self, m: MethodId, file: &'static ClassFile) {
        let method = self.method(m);
        if method.is_native() || method.is_abstract() {
            return;
        }
        let slot = usize::from(method.slot);
        let length = |file: &ClassFile| file.code(&file.methods[slot]).map(|c| c.bytes.len());
        let same_length = self.class(method.class).file.and_then(length) == length(file);
        self.forget_compiled(m);
        let method = self.method_mut(m);
        method.invalid = None;
        method.ops = Box::new([]);
        method.bcis = Box::new([]);
        method.handlers = Box::new([]);
        method.switches = Box::new([]);
        let stands_in = method.native.is_some();
        let hot = &mut self.hot[m.index()];
        if !same_length || hot.accessor != 0 {
            // What stood in for the old body does not do what the new one does.
            hot.leaf = None;
            hot.accessor = 0;
            hot.intrinsic = None;
            self.methods[m.index()].native = None;
        } else if stands_in {
            return;
        }
        let hot = &mut self.hot[m.index()];
        hot.code = stubs::LOWER.as_ptr();
        hot.regs = u32::from(hot.arg_slots) + 1;
    }

    /// Moves the bodies that frames are running to records of their own: by method, where its old body went.
    fn keep_running_bodies(&mut self, class: ClassId) -> FixedMap<MethodId, MethodId> {
        let mut running: Vec<MethodId> = Vec::new();
        for thread in &self.threads.list {
            for frame in thread.frames.iter().filter(|f| f.cont.is_none()) {
                let m = frame.method;
                let own = self
                    .methods
                    .get(m.index())
                    .is_some_and(|m| m.class == class && !m.ops.is_empty());
                if own && !running.contains(&m) {
                    running.push(m);
                }
            }
        }
        let mut moved = FixedMap::default();
        if running.is_empty() {
            return moved;
        }
        let ghost = self.copy_of_version(class);
        for m in running {
            self.forget_compiled(m);
            let id = MethodId(self.methods.len() as u32);
            let method = self.method_mut(m);
            let old = Method {
                id,
                class: ghost,
                ops: std::mem::take(&mut method.ops),
                bcis: std::mem::take(&mut method.bcis),
                handlers: std::mem::take(&mut method.handlers),
                switches: std::mem::take(&mut method.switches),
                native: None,
                invalid: None,
                ..*method
            };
            self.methods.push(old);
            self.hot.push(self.hot[m.index()]);
            moved.insert(m, id);
        }
        moved
    }

    /// A class record for old bodies: what they name resolves as before, and they are the class's own code still.
    fn copy_of_version(&mut self, class: ClassId) -> ClassId {
        let id = ClassId(self.classes.len() as u32);
        let c = self.class(class);
        let copy = Class {
            id,
            name: c.name,
            loader: c.loader,
            access: c.access,
            kind: c.kind,
            super_class: c.super_class,
            interfaces: c.interfaces.clone(),
            all_interfaces: c.all_interfaces.clone(),
            display: c.display.clone(),
            interface_bits: c.interface_bits.clone(),
            interface_no: c.interface_no,
            file: c.file,
            cp: c.cp.clone(),
            fields: c.fields.clone(),
            methods: c.methods.clone(),
            method_index: c.method_index.clone(),
            vtable: c.vtable.clone(),
            size: c.size,
            fields_end: c.fields_end,
            mirror: c.mirror,
            state: c.state,
            clinit: c.clinit,
            nest_host: Some(c.nest_host.unwrap_or(class)),
            array: c.array,
            protection_domain: c.protection_domain,
            signers: c.signers,
            package: c.package,
            source_file: c.source_file,
            hidden: c.hidden,
            has_finalizer: c.has_finalizer,
            has_defaults: c.has_defaults,
            version_of: Some(class),
            mortal: c.mortal,
            unloaded: false,
            pins: Vec::new(),
        };
        self.classes.push(copy);
        self.heap.set_layout(id, Layout::None);
        id
    }

    /// java.lang.Class keeps what reflection has found until this count changes.
    fn count_redefinition(&mut self, class: ClassId) {
        let Some(offset) = self.try_off("java/lang/Class", "classRedefinedCount") else {
            return;
        };
        let mirrors: Vec<ObjRef> = self
            .classes
            .iter()
            .filter(|c| c.kind == Kind::Instance && c.version_of.is_none() && !c.mirror.is_null())
            .filter(|c| self.is_subclass(c.id, class))
            .map(|c| c.mirror)
            .collect();
        for mirror in mirrors {
            let count = self.heap.get_u32(mirror, offset);
            self.heap.put_u32(mirror, offset, count.wrapping_add(1));
        }
    }
}

/// Checks that a new file declares what the old one does, and puts its methods into the old order. The error says what
/// it attempts, as HotSpot words it.
fn same_shape(old: &ClassFile, new: &mut ClassFile) -> Result<(), &'static str> {
    let name = |file: &ClassFile, index: u16| file.class_name(index).map(<[u8]>::to_vec);
    let supers = |file: &ClassFile| {
        let interfaces = file.interfaces.iter().map(|i| name(file, *i));
        [name(file, file.super_class)]
            .into_iter()
            .chain(interfaces)
            .collect::<Vec<_>>()
    };
    if supers(old) != supers(new) {
        return Err("change superclass or interfaces");
    }
    if old.access != new.access {
        return Err("change the class modifiers");
    }
    if FIXED.iter().any(|attribute| !same_attribute(old, new, attribute)) {
        return Err("change the class NestHost, NestMembers, Record, or PermittedSubclasses attribute");
    }
    let fields = |file: &ClassFile| file.fields.iter().map(|f| key(file, f)).collect::<Vec<_>>();
    let same_modifiers = old
        .fields
        .iter()
        .zip(&new.fields)
        .all(|(a, b)| a.access == b.access);
    if fields(old) != fields(new) || !same_modifiers {
        return Err("change the schema (add/remove fields)");
    }
    same_methods(old, new)
}

fn same_methods(old: &ClassFile, new: &mut ClassFile) -> Result<(), &'static str> {
    let mut left: FixedMap<(Vec<u8>, Vec<u8>), MemberInfo> =
        new.methods.iter().map(|m| (key(new, m), *m)).collect();
    let mut ordered = Vec::with_capacity(new.methods.len());
    let mut deleted = false;
    for method in &old.methods {
        match left.remove(&key(old, method)) {
            Some(found) if found.access != method.access => return Err("change method modifiers"),
            Some(found) => ordered.push(found),
            None => deleted = true,
        }
    }
    if !left.is_empty() {
        return Err("add a method");
    }
    if deleted {
        return Err("delete a method");
    }
    new.methods = ordered.into();
    Ok(())
}

fn key(file: &ClassFile, member: &MemberInfo) -> (Vec<u8>, Vec<u8>) {
    let text = |index| file.utf8(index).unwrap_or(b"").to_vec();
    (text(member.name), text(member.desc))
}

/// Compares the classes an attribute names; a record's components by name and descriptor.
fn same_attribute(old: &ClassFile, new: &ClassFile, name: &str) -> bool {
    if name == "Record" {
        let components = |file: &ClassFile| {
            let table = file.attr(file.attrs, "Record")?;
            Some(u16::from_be_bytes([*table.first()?, *table.get(1)?]))
        };
        return components(old) == components(new);
    }
    let classes = |file: &ClassFile| {
        let table = file.attr(file.attrs, name)?;
        let indices = if name == "NestHost" {
            table
        } else {
            table.get(2..)?
        };
        let names = indices.chunks_exact(2).map(|c| {
            file.class_name(u16::from_be_bytes([c[0], c[1]]))
                .map(<[u8]>::to_vec)
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        Some(names)
    };
    classes(old) == classes(new)
}
