//! Laying out a class: members, field offsets, method table, supertype tests.

use crate::classes::class::{Field, InitState, Kind, Method, Traits, acc};
use crate::classfile::ClassFile;
use crate::classfile::descriptor::{method_types, parse_type};
use crate::heap::{FIELDS, Layout, Strength};
use crate::ids::{ClassId, FieldId, LoaderId, MethodId};
use crate::vm::{HotMethod, Vm};

/// Fields the VM adds to JDK classes for itself: class, bytes.
const INJECTED: &[(&str, u32)] = &[
    ("java/lang/Class", 4),
    ("java/lang/ClassLoader", 4),
    ("java/lang/Thread", 4),
    ("java/lang/invoke/ResolvedMethodName", 4),
    ("java/lang/invoke/MemberName", 8),
];

impl Vm {
    /// Fails with the text of an IncompatibleClassChangeError, having made no other class.
    pub(crate) fn lay_out(&mut self, id: ClassId, file: &'static ClassFile) -> Result<(), String> {
        self.set_supertypes(id);
        self.make_fields(id, file);
        self.place_fields(id);
        self.make_methods(id, file);
        self.make_vtable(id)?;
        self.set_heap_layout(id);
        Ok(())
    }

    fn set_supertypes(&mut self, id: ClassId) {
        let mut display = Vec::new();
        let mut all = Vec::new();
        if let Some(s) = self.class(id).super_class {
            let s = self.class(s);
            if !self.class(id).is_interface() {
                display.extend_from_slice(&s.display);
            }
            all.extend_from_slice(&s.all_interfaces);
        }
        display.push(id);
        for i in self.class(id).interfaces.clone() {
            for j in self.class(i).all_interfaces.clone().into_iter().chain([i]) {
                if !all.contains(&j) {
                    all.push(j);
                }
            }
        }
        if self.class(id).is_interface() {
            // A class that is there implements none of those that are gone.
            let free = self.free_interfaces.pop();
            let number = free.unwrap_or(self.interface_count);
            self.class_mut(id).interface_no = number;
            self.interface_count += u32::from(free.is_none());
        }
        let class = self.class_mut(id);
        class.display = display;
        class.all_interfaces = all;
        self.set_interface_bits(id);
    }

    pub(crate) fn set_interface_bits(&mut self, id: ClassId) {
        let class = self.class(id);
        let mut numbers: Vec<u32> = class
            .all_interfaces
            .iter()
            .map(|i| self.class(*i).interface_no)
            .collect();
        if class.is_interface() {
            numbers.push(class.interface_no);
        }
        let words = numbers.iter().max().map_or(0, |m| m / 64 + 1);
        let mut bits = vec![0u64; words as usize];
        for n in numbers {
            bits[(n / 64) as usize] |= 1 << (n % 64);
        }
        self.class_mut(id).interface_bits = bits;
    }

    fn make_fields(&mut self, id: ClassId, file: &'static ClassFile) {
        let trusted_class = self.class(id).hidden || file.attr(file.attrs, "Record").is_some();
        for (slot, info) in file.fields.iter().enumerate() {
            let name = self.syms.intern(file.utf8(info.name).unwrap_or(b"?"));
            let desc_bytes = file.utf8(info.desc).unwrap_or(b"I");
            let desc = self.syms.intern(desc_bytes);
            let field = FieldId(self.fields.len() as u32);
            let is_final = info.access & acc::FINAL != 0;
            self.fields.push(Field {
                id: field,
                class: id,
                name,
                desc,
                access: info.access,
                offset: 0,
                slot: slot as u16,
                letter: desc_bytes.first().copied().unwrap_or(b'I'),
                trusted_final: is_final && (trusted_class || info.access & acc::STATIC != 0),
            });
            self.class_mut(id).fields.push(field);
        }
    }

    /// Packs the instance fields behind the superclass's, wide ones aligned, gaps filled with narrower ones.
    fn place_fields(&mut self, id: ClassId) {
        let mut at = match self.class(id).super_class {
            Some(s) if !self.class(id).is_interface() => self.class(s).fields_end,
            _ => FIELDS,
        };
        let name = self.class_name(id);
        if let Some(&(_, bytes)) = INJECTED
            .iter()
            .find(|(c, _)| *c == name && self.class(id).loader == LoaderId::BOOT)
        {
            at = at.next_multiple_of(bytes);
            let k = &mut self.known;
            match name {
                "java/lang/Class" => k.class_vm_id = at,
                "java/lang/ClassLoader" => k.loader_vm_id = at,
                "java/lang/Thread" => k.thread_vm_id = at,
                "java/lang/invoke/ResolvedMethodName" => k.resolved_target = at,
                _ => k.member_vmindex = at,
            }
            k.injected.push((id, at, at + bytes));
            at += bytes;
        }
        let mut by_size: [Vec<FieldId>; 4] = Default::default();
        for &f in self.class(id).fields.iter().rev() {
            let field = self.field(f);
            if !field.is_static() {
                let log2 = parse_type(self.syms.bytes(field.desc)).map_or(2, |(ty, _)| ty.log2_size());
                by_size[usize::from(log2)].push(f);
            }
        }
        while by_size.iter().any(|v| !v.is_empty()) {
            // The widest field that fits at this alignment; with none, pad to the narrowest that is left.
            let fit = (0..4)
                .rev()
                .find(|&l| !by_size[l].is_empty() && at % (1 << l) == 0);
            match fit {
                Some(l) => {
                    let f = by_size[l].pop().expect("not empty");
                    self.fields[f.index()].offset = at;
                    at += 1 << l;
                }
                None => {
                    let l = (0..4).find(|&l| !by_size[l].is_empty()).expect("some are left");
                    at = at.next_multiple_of(1 << l);
                }
            }
        }
        let class = self.class_mut(id);
        class.fields_end = at;
        class.size = at.next_multiple_of(8);
    }

    fn make_methods(&mut self, id: ClassId, file: &'static ClassFile) {
        let class_name = self.class_name(id);
        let boot = self.class(id).loader == LoaderId::BOOT;
        let polymorphic = boot
            && matches!(
                class_name,
                "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle"
            );
        let interface = self.class(id).is_interface();
        let has_rows = self.is_jdk_class(id) || self.embedder_classes.contains(&class_name);
        for (slot, info) in file.methods.iter().enumerate() {
            let name_bytes = file.utf8(info.name).unwrap_or(b"?");
            let desc_bytes = file.utf8(info.desc).unwrap_or(b"()V");
            let (name, desc) = (self.syms.intern(name_bytes), self.syms.intern(desc_bytes));
            let (args, ret) = match method_types(desc_bytes) {
                Some((params, _)) => {
                    let at = desc_bytes.iter().position(|b| *b == b')').unwrap_or(0);
                    (params.iter().map(|t| t.slots()).sum(), desc_bytes[at + 1])
                }
                None => (0u16, b'V'),
            };
            let is_static = info.access & acc::STATIC != 0;
            let method = MethodId(self.methods.len() as u32);
            let mut traits = method_traits(file, info);
            traits.hidden |= self.class(id).hidden;
            traits.signature_polymorphic = polymorphic
                && info.access & acc::NATIVE != 0
                && info.access & acc::VARARGS != 0
                && desc_bytes.starts_with(b"([Ljava/lang/Object;)");
            let mut record = Method {
                id: method,
                class: id,
                name,
                desc,
                access: info.access,
                slot: slot as u16,
                arg_slots: args + u16::from(!is_static),
                ret,
                vindex: -1,
                traits,
                ops: Box::new([]),
                bcis: Box::new([]),
                handlers: Box::new([]),
                switches: Box::new([]),
                native: None,
                invalid: None,
            };
            let regs = u32::from(record.arg_slots) + 1;
            let mut hot = HotMethod::new(crate::interp::stubs::LOWER.as_ptr(), regs, record.arg_slots);
            if is_static {
                hot.flags |= HotMethod::STATIC;
            }
            if info.access & acc::SYNCHRONIZED != 0 {
                hot.flags |= HotMethod::SYNCHRONIZED;
            }
            if info.access & acc::ABSTRACT != 0 {
                hot.code = crate::interp::stubs::ABSTRACT.as_ptr();
            } else if info.access & acc::NATIVE != 0 {
                hot.code = crate::interp::stubs::NATIVE.as_ptr();
            }
            if has_rows
                && let Some(row) = self.native_row(class_name, name, desc, info.access & acc::NATIVE != 0)
            {
                // A leaf that stands in for a Java body leaves what it cannot do to that body.
                if row.how == crate::natives::How::Native || !row.leaf {
                    record.native = Some(row.body);
                    hot.code = crate::interp::stubs::NATIVE.as_ptr();
                }
                if row.leaf && info.access & acc::SYNCHRONIZED == 0 {
                    hot.leaf = Some(row.body);
                    hot.intrinsic = row.intrinsic;
                }
            }
            let is_clinit = name_bytes == b"<clinit>" && (is_static || file.major < 51);
            if name_bytes == b"finalize" && desc_bytes == b"()V" && !is_static && self.known.object != id {
                let trivial = file.code(info).is_none_or(|c| c.bytes.len() <= 1);
                self.class_mut(id).has_finalizer = !trivial && id.0 != 0;
            }
            if interface && !is_static && info.access & (acc::ABSTRACT | acc::PRIVATE) == 0 {
                self.class_mut(id).has_defaults = true;
            }
            self.methods.push(record);
            self.hot.push(hot);
            let class = self.class_mut(id);
            class.methods.push(method);
            class.method_index.entry((name, desc)).or_insert(method);
            if is_clinit {
                class.clinit = Some(method);
            }
        }
        let class = self.class(id);
        let inherits_finalizer = class.super_class.is_some_and(|s| self.class(s).has_finalizer);
        let declares = class.methods.iter().any(|m| {
            let m = self.method(*m);
            self.syms.bytes(m.name) == b"finalize" && self.syms.bytes(m.desc) == b"()V"
        });
        let inherits_defaults = class.super_class.is_some_and(|s| self.class(s).has_defaults)
            || class.interfaces.iter().any(|i| self.class(*i).has_defaults);
        let class = self.class_mut(id);
        class.has_finalizer |= inherits_finalizer && !declares;
        class.has_defaults |= inherits_defaults && !interface;
    }

    fn native_row(
        &self,
        class: &str,
        name: crate::ids::Sym,
        desc: crate::ids::Sym,
        declared_native: bool,
    ) -> Option<&'static crate::natives::Native> {
        let (name, desc) = (self.syms.str(name), self.syms.str(desc));
        // The key's lifetime is that of the tables; look up by equality of text.
        let rows = self.natives.get(&(class, name) as &(&str, &str))?;
        rows.iter()
            .copied()
            .filter(|row| row.desc.is_empty() || row.desc == desc)
            .find(|row| (row.how == crate::natives::How::Native) == declared_native)
    }

    fn make_vtable(&mut self, id: ClassId) -> Result<(), String> {
        if self.class(id).is_interface() {
            // Only for calls of Object's methods on interface types.
            return Ok(());
        }
        let mut vtable = match self.class(id).super_class {
            Some(s) => self.class(s).vtable.clone(),
            None => Vec::new(),
        };
        let inherited = vtable.len();
        let mut overridden = Vec::new();
        for m in self.class(id).methods.clone() {
            let method = self.method(m);
            let (name, desc, access) = (method.name, method.desc, method.access);
            if access & (acc::STATIC | acc::PRIVATE) != 0 || self.syms.bytes(name).first() == Some(&b'<') {
                continue;
            }
            let mut index = -1;
            for (at, entry) in vtable.iter_mut().enumerate().take(inherited) {
                let over = self.method(*entry);
                if over.name != name || over.desc != desc || !self.can_override(id, over) {
                    continue;
                }
                if over.access & acc::FINAL != 0 {
                    let message = format!(
                        "class {} overrides final method {}.{}{}",
                        self.java_name(id),
                        self.java_name(over.class),
                        self.syms.str(name),
                        self.syms.str(desc)
                    );
                    return Err(message);
                }
                overridden.push(*entry);
                *entry = m;
                index = at as i32;
            }
            if index < 0 {
                index = vtable.len() as i32;
                vtable.push(m);
            }
            self.method_mut(m).vindex = index;
        }
        self.class_mut(id).vtable = vtable;
        for m in overridden {
            self.mark_overridden(m);
        }
        Ok(())
    }

    fn can_override(&self, id: ClassId, over: &Method) -> bool {
        if over.access & (acc::PUBLIC | acc::PROTECTED) != 0 {
            return true;
        }
        let (a, b) = (self.class(id), self.class(over.class));
        a.package == b.package && a.loader == b.loader
    }

    fn set_heap_layout(&mut self, id: ClassId) {
        let class = self.class(id);
        let size = class.size;
        let mut refs = Vec::new();
        let referent_class = self.class_name(id) == "java/lang/ref/Reference";
        let inherited = class.super_class.and_then(|s| self.heap.layouts.get(s.index()));
        if let Some(
            Layout::Instance { refs: r, .. }
            | Layout::Reference { refs: r, .. }
            | Layout::Mirror { refs: r, .. },
        ) = inherited
        {
            refs.extend_from_slice(r);
        }
        for &f in &class.fields {
            let field = self.field(f);
            // The collector treats `referent` (and `discovered`, its own list) by the reference's strength.
            if !field.is_static()
                && field.is_ref()
                && !(referent_class && self.syms.bytes(field.name) == b"referent")
            {
                refs.push(field.offset);
            }
        }
        let refs: Box<[u32]> = refs.into();
        let strength = class
            .display
            .iter()
            .rev()
            .find_map(|c| match self.class_name(*c) {
                "java/lang/ref/SoftReference" => Some(Strength::Soft),
                "java/lang/ref/WeakReference" => Some(Strength::Weak),
                "java/lang/ref/FinalReference" => Some(Strength::Final),
                "java/lang/ref/PhantomReference" => Some(Strength::Phantom),
                _ => None,
            });
        let layout = if class.is_interface() {
            Layout::None
        } else if self.class_name(id) == "java/lang/Class" && class.loader == LoaderId::BOOT {
            Layout::Mirror { size, refs }
        } else if let Some(strength) = strength
            .filter(|_| self.class(class.display[1.min(class.display.len() - 1)]).loader == LoaderId::BOOT)
        {
            Layout::Reference { size, refs, strength }
        } else {
            Layout::Instance { size, refs }
        };
        self.heap.set_layout(id, layout);
    }

    /// Is every value of type `sub` also of type `sup`?
    #[inline]
    pub fn is_subclass(&self, sub: ClassId, sup: ClassId) -> bool {
        if sub == sup {
            return true;
        }
        let target = self.class(sup);
        let from = self.class(sub);
        if target.access & acc::INTERFACE != 0 {
            let n = target.interface_no;
            return from
                .interface_bits
                .get((n / 64) as usize)
                .is_some_and(|w| w & (1 << (n % 64)) != 0);
        }
        match target.kind {
            Kind::Array { component, .. } => match from.kind {
                Kind::Array { component: c, .. } => {
                    let primitive = self.class(component).is_primitive() || self.class(c).is_primitive();
                    if primitive {
                        component == c
                    } else {
                        self.is_subclass(c, component)
                    }
                }
                _ => false,
            },
            Kind::Primitive(_) => false,
            Kind::Instance if from.is_interface() => sup == self.known.object,
            Kind::Instance => from.display.get(target.display.len() - 1) == Some(&sup),
        }
    }

    #[inline]
    pub fn instance_of(&self, object: crate::ids::ObjRef, class: ClassId) -> bool {
        !object.is_null() && self.is_subclass(self.heap.class_of(object), class)
    }

    pub fn is_initialized(&self, class: ClassId) -> bool {
        self.class(class).state == InitState::Done
    }
}

/// The annotations of boot classes that the VM acts on.
fn method_traits(file: &ClassFile, info: &crate::classfile::MemberInfo) -> Traits {
    let mut traits = Traits::default();
    for name in file.annotation_types(info.attrs) {
        match name {
            b"Ljdk/internal/reflect/CallerSensitive;" => traits.caller_sensitive = true,
            b"Ljava/lang/invoke/LambdaForm$Hidden;" | b"Ljdk/internal/vm/annotation/Hidden;" => {
                traits.hidden = true;
            }
            _ => {}
        }
    }
    traits
}
