//! How MemberNames of java.lang.invoke are tied to the VM's methods and fields.

use crate::classes::class::acc;
use crate::ids::{ClassId, FieldId, MethodId, ObjRef, Sym};
use crate::invoke::{DIRECT, LinkKind, SELECT};
use crate::link::op::Op;
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

/// Bits of `MemberName.flags` above the modifiers.
pub mod flag {
    pub const METHOD: u32 = 0x0001_0000;
    pub const CONSTRUCTOR: u32 = 0x0002_0000;
    pub const FIELD: u32 = 0x0004_0000;
    pub const TYPE: u32 = 0x0008_0000;
    pub const KINDS: u32 = METHOD | CONSTRUCTOR | FIELD | TYPE;
    pub const CALLER_SENSITIVE: u32 = 0x0010_0000;
    pub const TRUSTED_FINAL: u32 = 0x0020_0000;
    /// From JDK 24 on: a member of a hidden class, or one marked hidden.
    pub const HIDDEN_MEMBER: u32 = 0x0040_0000;
    pub const KIND_SHIFT: u32 = 24;
    /// For getMembers.
    pub const SEARCH_SUPERCLASSES: u32 = 0x0010_0000;
    pub const SEARCH_INTERFACES: u32 = 0x0020_0000;
}

/// Reference kinds of the class file format.
pub mod kind {
    pub const GET_FIELD: u32 = 1;
    pub const GET_STATIC: u32 = 2;
    pub const PUT_FIELD: u32 = 3;
    pub const PUT_STATIC: u32 = 4;
    pub const INVOKE_VIRTUAL: u32 = 5;
    pub const INVOKE_STATIC: u32 = 6;
    pub const INVOKE_SPECIAL: u32 = 7;
    pub const INVOKE_INTERFACE: u32 = 9;
    pub const LIMIT: u32 = 10;
}

/// Modifiers that show in a method's or a field's MemberName.
const METHOD_MODIFIERS: u16 = 0x1dff;
const FIELD_MODIFIERS: u16 = 0x50df;

impl Vm {
    pub fn member_clazz(&self, member: ObjRef) -> ObjRef {
        self.heap.get_ref(member, self.known.member_clazz)
    }

    pub fn member_flags(&self, member: ObjRef) -> u32 {
        self.heap.get_u32(member, self.known.member_flags)
    }

    /// The one ResolvedMethodName of a method.
    pub fn resolved_method_name(&mut self, method: MethodId) -> Result<ObjRef, Stop> {
        if let Some(&known) = self.links.resolved_names.get(&method) {
            return Ok(known);
        }
        let class = self.boot_class("java/lang/invoke/ResolvedMethodName")?;
        self.ensure_initialized(class)?;
        let name = self.new_object(class)?;
        self.heap.put_u32(name, self.known.resolved_target, method.0 + 1);
        // Newer releases declare the field that older ones leave to the VM.
        if let Some(holder) = self.try_off("java/lang/invoke/ResolvedMethodName", "vmholder") {
            let mirror = self.mirror(self.method(method).class);
            self.heap.put_ref(name, holder, mirror);
        }
        // Held weakly: who has one refers to the method's class, too.
        self.links.resolved_names.insert(method, name);
        Ok(name)
    }

    /// Is the method of an interface one that Object declares too? Then it is called through the vtable.
    fn object_method(&self, method: MethodId) -> Option<MethodId> {
        let m = self.method(method);
        let found = *self
            .class(self.known.object)
            .method_index
            .get(&(m.name, m.desc))?;
        (self.method(found).vindex >= 0 && self.method(found).access & acc::PUBLIC != 0).then_some(found)
    }

    /// Ties a MemberName to a method found through `through`. With `direct` the call never dispatches.
    pub fn tie_method(
        &mut self,
        member: ObjRef,
        id: MethodId,
        through: ClassId,
        direct: bool,
    ) -> Result<(), Stop> {
        let resolved = self.resolved_method_name(id)?;
        let method = self.method(id);
        let holder = self.class(method.class);
        let constructor = self.syms.bytes(method.name) == b"<init>";
        let mut class = method.class;
        let final_method = (method.access | holder.access) & acc::FINAL != 0;
        let bound = direct || constructor || method.is_static() || method.is_private() || final_method;
        let (sort, reference, index) = if bound {
            let reference = if method.is_static() {
                kind::INVOKE_STATIC
            } else {
                kind::INVOKE_SPECIAL
            };
            (
                if constructor {
                    flag::CONSTRUCTOR
                } else {
                    flag::METHOD
                },
                reference,
                DIRECT,
            )
        } else if !holder.is_interface() {
            let index = if method.vindex >= 0 {
                i64::from(method.vindex)
            } else {
                SELECT
            };
            (flag::METHOD, kind::INVOKE_VIRTUAL, index)
        } else if !self.class(through).is_interface() {
            // A default method, or an abstract class's unimplemented one: the index means something only with a
            // class.
            class = through;
            (flag::METHOD, kind::INVOKE_VIRTUAL, SELECT)
        } else if let Some(of_object) = self.object_method(id) {
            class = self.known.object;
            (
                flag::METHOD,
                kind::INVOKE_VIRTUAL,
                i64::from(self.method(of_object).vindex),
            )
        } else {
            (flag::METHOD, kind::INVOKE_INTERFACE, i64::from(method.slot))
        };
        let mut flags = u32::from(method.access & METHOD_MODIFIERS) | sort | reference << flag::KIND_SHIFT;
        if method.traits.caller_sensitive {
            flags |= flag::CALLER_SENSITIVE;
        }
        if self.release().flags_hidden_members() && (method.traits.hidden || holder.hidden) {
            flags |= flag::HIDDEN_MEMBER;
        }
        let mirror = self.mirror(class);
        self.heap.put_u32(member, self.known.member_flags, flags);
        self.heap.put_ref(member, self.known.member_method, resolved);
        self.heap.put_u64(member, self.known.member_vmindex, index as u64);
        self.heap.put_ref(member, self.known.member_clazz, mirror);
        Ok(())
    }

    pub fn tie_field(&mut self, member: ObjRef, id: FieldId, setter: bool) {
        let field = self.field(id);
        let reference = match (field.is_static(), setter) {
            (false, false) => kind::GET_FIELD,
            (true, false) => kind::GET_STATIC,
            (false, true) => kind::PUT_FIELD,
            (true, true) => kind::PUT_STATIC,
        };
        let mut flags =
            u32::from(field.access & FIELD_MODIFIERS) | flag::FIELD | reference << flag::KIND_SHIFT;
        let holder = self.class(field.class);
        if field.access & acc::FINAL != 0 && (field.is_static() || field.trusted_final || holder.hidden) {
            flags |= flag::TRUSTED_FINAL;
        }
        if self.release().flags_hidden_members() && holder.hidden {
            flags |= flag::HIDDEN_MEMBER;
        }
        let (offset, mirror) = (u64::from(field.offset), holder.mirror);
        self.heap.put_u32(member, self.known.member_flags, flags);
        self.heap.put_ref(member, self.known.member_method, ObjRef::NULL);
        self.heap.put_u64(member, self.known.member_vmindex, offset);
        self.heap.put_ref(member, self.known.member_clazz, mirror);
    }

    /// The method record behind `invokeBasic` or `linkTo*` at a basic signature: a body of one op and a return.
    pub fn intrinsic_method(&mut self, name: Sym, desc: Sym) -> Result<MethodId, Stop> {
        if let Some(&known) = self.links.intrinsics.get(&(name, desc)) {
            return Ok(known);
        }
        let class = self.known.method_handle;
        let declared = self
            .class(class)
            .methods
            .iter()
            .copied()
            .find(|m| self.method(*m).name == name);
        let declared = declared.ok_or_else(|| Stop::bug("MethodHandle lacks an intrinsic"))?;
        let link = LinkKind::of(self.syms.bytes(name));
        let bytes = self.syms.bytes(desc);
        let slots =
            crate::classfile::descriptor::arg_slots(bytes).ok_or_else(|| Stop::bug("bad descriptor"))?;
        let slots = slots + u16::from(link.is_none());
        let ret = bytes
            .iter()
            .rposition(|b| *b == b')')
            .and_then(|at| bytes.get(at + 1))
            .copied()
            .unwrap_or(b'V');
        let call = match link {
            Some(link) => Op::LinkTo {
                args: 0,
                n: slots,
                kind: link as u16,
            },
            None => Op::InvokeBasic { args: 0, n: slots },
        };
        let back = if ret == b'V' {
            Op::RetVoid
        } else {
            Op::Ret { s: 0 }
        };
        let id = self.add_synthetic(class, name, desc, slots, ret, 2, vec![call, back]);
        let like = self.method(declared);
        let (access, slot) = (
            (like.access & acc::STATIC) | acc::FINAL | acc::SYNTHETIC | acc::NATIVE,
            like.slot,
        );
        let method = self.method_mut(id);
        (method.access, method.slot) = (access, slot);
        if link.is_none() {
            self.hot[id.index()].flags &= !HotMethod::STATIC;
        }
        self.links.intrinsics.insert((name, desc), id);
        Ok(id)
    }

    /// Descriptor of a `MemberName.type`: a MethodType, a Class or a String. `basic` erases as the VM's intrinsics
    /// want it: references to Object, small integers to int; the last parameter of `linkTo*` stays.
    pub fn member_signature(&mut self, ty: ObjRef, basic: Option<bool>) -> Option<Vec<u8>> {
        let class = self.class_of(ty);
        if class == self.known.string {
            return Some(self.modified_utf8(ty));
        }
        if class == self.known.class {
            return Some(self.descriptor_of(self.class_of_mirror(ty)));
        }
        if class != self.known.method_type {
            return None;
        }
        let ret = self.get_ref_field(ty, "java/lang/invoke/MethodType", "rtype");
        let params = self.get_ref_field(ty, "java/lang/invoke/MethodType", "ptypes");
        let params = self.heap.refs(params).to_vec();
        let mut desc = vec![b'('];
        let last = params.len().wrapping_sub(1);
        for (at, &param) in params.iter().enumerate() {
            let one = self.descriptor_of(self.class_of_mirror(param));
            match basic {
                Some(keep_last) if !(keep_last && at == last) => desc.extend_from_slice(erased(&one)),
                _ => desc.extend(one),
            }
        }
        desc.push(b')');
        let one = self.descriptor_of(self.class_of_mirror(ret));
        desc.extend_from_slice(if basic.is_some() { erased(&one) } else { &one });
        Some(desc)
    }

    /// Field descriptor of a class.
    pub fn descriptor_of(&self, class: ClassId) -> Vec<u8> {
        use crate::classes::class::Kind;
        let name = self.syms.bytes(self.class(class).name);
        match self.class(class).kind {
            Kind::Primitive(prim) => vec![prim as u8],
            Kind::Array { .. } => name.to_vec(),
            Kind::Instance => [b"L", name, b";"].concat(),
        }
    }

    /// Resolution of a method for a MemberName; no access check without a caller.
    pub fn resolve_for_member(
        &mut self,
        caller: Option<ClassId>,
        owner: ClassId,
        name: Sym,
        desc: Sym,
        interface: bool,
    ) -> Result<MethodId, Stop> {
        if let Some(caller) = caller {
            return self.accessible_method(caller, owner, name, desc, interface);
        }
        if self.class(owner).is_interface() != interface {
            // Gives the error of the wrong kind of class; the class itself may always access itself.
            return self.accessible_method(owner, owner, name, desc, interface);
        }
        match self.lookup_method(owner, name, desc) {
            Some(found) => Ok(found),
            None => self.accessible_method(owner, owner, name, desc, interface),
        }
    }

    pub fn wrong_staticness(&mut self, method: MethodId, expected: &str) -> Stop {
        let message = format!("{expected} method '{}'", self.method_text(method));
        self.throw("java/lang/IncompatibleClassChangeError", Some(&message))
    }
}

fn erased(desc: &[u8]) -> &[u8] {
    match desc[0] {
        b'L' | b'[' => b"Ljava/lang/Object;",
        b'Z' | b'B' | b'C' | b'S' => b"I",
        _ => desc,
    }
}
