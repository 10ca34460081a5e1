//! Natives of java.lang.invoke: how MemberNames are tied to the VM's methods and fields.
//!
//! A resolved MemberName carries its flags (modifiers, kind of member, reference kind), the class, and either a
//! ResolvedMethodName that holds the method's number, or for a field its offset as `vmindex`.

use crate::classes::class::acc;
use crate::ids::{ClassId, FieldId, MethodId, ObjRef, Sym};
use crate::invoke::{DIRECT, LinkKind, SELECT};
use crate::link::op::Op;
use crate::natives::ctx::{int, long};
use crate::natives::{Ctx, Native, native};
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

const NATIVES: &str = "java/lang/invoke/MethodHandleNatives";

pub const TABLE: &[Native] = &[
    native(NATIVES, "registerNatives", "()V", nothing),
    native(
        NATIVES,
        "init",
        "(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V",
        init,
    ),
    native(NATIVES, "expand", "(Ljava/lang/invoke/MemberName;)V", expand),
    native(
        NATIVES,
        "resolve",
        "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
        resolve,
    ),
    native(
        NATIVES,
        "getMembers",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;ILjava/lang/Class;I[Ljava/lang/invoke/MemberName;)I",
        get_members,
    ),
    native(
        NATIVES,
        "objectFieldOffset",
        "(Ljava/lang/invoke/MemberName;)J",
        object_field_offset,
    ),
    native(
        NATIVES,
        "staticFieldOffset",
        "(Ljava/lang/invoke/MemberName;)J",
        static_field_offset,
    ),
    native(
        NATIVES,
        "staticFieldBase",
        "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;",
        static_field_base,
    ),
    native(
        NATIVES,
        "getMemberVMInfo",
        "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;",
        member_vm_info,
    ),
    native(
        NATIVES,
        "setCallSiteTargetNormal",
        "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
        set_call_site_target,
    ),
    native(
        NATIVES,
        "setCallSiteTargetVolatile",
        "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
        set_call_site_target,
    ),
    native(
        NATIVES,
        "copyOutBootstrapArguments",
        "",
        copy_out_bootstrap_arguments,
    ),
    native(NATIVES, "clearCallSiteContext", "", nothing),
    native(NATIVES, "getNamedCon", "(I[Ljava/lang/Object;)I", nothing),
    native(
        "java/lang/invoke/LambdaProxyClassArchive",
        "addToArchive",
        "",
        nothing,
    ),
    native(
        "java/lang/invoke/LambdaProxyClassArchive",
        "findFromArchive",
        "",
        nothing,
    ),
    native(
        "java/lang/invoke/MethodHandle",
        "invoke",
        "",
        invoke_by_reflection,
    ),
    native(
        "java/lang/invoke/MethodHandle",
        "invokeExact",
        "",
        invoke_exact_by_reflection,
    ),
];

/// Bits of `MemberName.flags` above the modifiers.
mod flag {
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
mod kind {
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

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// What calls through core reflection get; the VM links ordinary calls without coming here.
fn invoke_by_reflection(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(not_by_reflection(
        c,
        "MethodHandle.invoke cannot be invoked reflectively",
    ))
}

fn invoke_exact_by_reflection(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(not_by_reflection(
        c,
        "MethodHandle.invokeExact cannot be invoked reflectively",
    ))
}

fn access_by_reflection(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(not_by_reflection(
        c,
        "VarHandle access mode methods cannot be invoked reflectively",
    ))
}

fn not_by_reflection(c: &mut Ctx<'_>, message: &str) -> Stop {
    c.vm.throw("java/lang/UnsupportedOperationException", Some(message))
}

macro_rules! access_modes {
    ($($name:literal),* $(,)?) => {
        &[$(native("java/lang/invoke/VarHandle", $name, "", access_by_reflection)),*]
    };
}

/// The access modes of VarHandle.
pub const ACCESS_MODES: &[Native] = access_modes![
    "get",
    "set",
    "getVolatile",
    "setVolatile",
    "getOpaque",
    "setOpaque",
    "getAcquire",
    "setRelease",
    "compareAndSet",
    "compareAndExchange",
    "compareAndExchangeAcquire",
    "compareAndExchangeRelease",
    "weakCompareAndSetPlain",
    "weakCompareAndSet",
    "weakCompareAndSetAcquire",
    "weakCompareAndSetRelease",
    "getAndSet",
    "getAndSetAcquire",
    "getAndSetRelease",
    "getAndAdd",
    "getAndAddAcquire",
    "getAndAddRelease",
    "getAndBitwiseOr",
    "getAndBitwiseOrAcquire",
    "getAndBitwiseOrRelease",
    "getAndBitwiseAnd",
    "getAndBitwiseAndAcquire",
    "getAndBitwiseAndRelease",
    "getAndBitwiseXor",
    "getAndBitwiseXorAcquire",
    "getAndBitwiseXorRelease",
];

fn copy_out_bootstrap_arguments(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(Stop::unsupported(
        "MethodHandleNatives.copyOutBootstrapArguments: arguments are never pulled",
    ))
}

impl Vm {
    fn member_clazz(&self, member: ObjRef) -> ObjRef {
        self.heap.get_ref(member, self.known.member_clazz)
    }

    fn member_flags(&self, member: ObjRef) -> u32 {
        self.heap.get_u32(member, self.known.member_flags)
    }

    /// The one ResolvedMethodName of a method.
    pub(crate) fn resolved_method_name(&mut self, method: MethodId) -> Result<ObjRef, Stop> {
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
        self.pinned.push(name);
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
    fn tie_method(
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
        if self.config.jdk_release >= 24 && (method.traits.hidden || holder.hidden) {
            flags |= flag::HIDDEN_MEMBER;
        }
        let mirror = self.mirror(class);
        self.heap.put_u32(member, self.known.member_flags, flags);
        self.heap.put_ref(member, self.known.member_method, resolved);
        self.heap.put_u64(member, self.known.member_vmindex, index as u64);
        self.heap.put_ref(member, self.known.member_clazz, mirror);
        Ok(())
    }

    fn tie_field(&mut self, member: ObjRef, id: FieldId, setter: bool) {
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
        if self.config.jdk_release >= 24 && holder.hidden {
            flags |= flag::HIDDEN_MEMBER;
        }
        let (offset, mirror) = (u64::from(field.offset), holder.mirror);
        self.heap.put_u32(member, self.known.member_flags, flags);
        self.heap.put_ref(member, self.known.member_method, ObjRef::NULL);
        self.heap.put_u64(member, self.known.member_vmindex, offset);
        self.heap.put_ref(member, self.known.member_clazz, mirror);
    }

    /// The method record behind `invokeBasic` or `linkTo*` at a basic signature: a body of one op and a return.
    fn intrinsic_method(&mut self, name: Sym, desc: Sym) -> Result<MethodId, Stop> {
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
    fn member_signature(&mut self, ty: ObjRef, basic: Option<bool>) -> Option<Vec<u8>> {
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
    pub(crate) fn descriptor_of(&self, class: ClassId) -> Vec<u8> {
        use crate::classes::class::Kind;
        let name = self.syms.bytes(self.class(class).name);
        match self.class(class).kind {
            Kind::Primitive(prim) => vec![prim as u8],
            Kind::Array { .. } => name.to_vec(),
            Kind::Instance => [b"L", name, b";"].concat(),
        }
    }

    /// Resolution of a method for a MemberName; no access check without a caller.
    fn resolve_for_member(
        &mut self,
        caller: Option<ClassId>,
        owner: ClassId,
        name: Sym,
        desc: Sym,
        interface: bool,
    ) -> Result<MethodId, Stop> {
        if let Some(caller) = caller {
            return self.resolve_method_in(caller, owner, name, desc, interface);
        }
        if self.class(owner).is_interface() != interface {
            // Gives the error of the wrong kind of class; the class itself may always access itself.
            return self.resolve_method_in(owner, owner, name, desc, interface);
        }
        match self.lookup_method(owner, name, desc) {
            Some(found) => Ok(found),
            None => self.resolve_method_in(owner, owner, name, desc, interface),
        }
    }

    fn wrong_staticness(&mut self, method: MethodId, expected: &str) -> Stop {
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

/// `init(MemberName self, Object ref)`: from a java.lang.reflect.Field, Method or Constructor.
fn init(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (member, target) = (c.non_null(0)?, c.non_null(1)?);
    let class = c.vm.class_of(target);
    match c.vm.class_name(class) {
        "java/lang/reflect/Field" => {
            let field = super::jdk_internal_misc::unsafe_other::reflected_field(c.vm, target)?;
            c.vm.tie_field(member, field, false);
            let name = c.vm.get_ref_field(target, "java/lang/reflect/Field", "name");
            let ty = c.vm.get_ref_field(target, "java/lang/reflect/Field", "type");
            fill_if_null(c.vm, member, name, ty);
        }
        "java/lang/reflect/Method" => {
            let holder = c.vm.get_ref_field(target, "java/lang/reflect/Method", "clazz");
            let slot = c.vm.get_int_field(target, "java/lang/reflect/Method", "slot");
            tie_reflected(c.vm, member, holder, slot)?;
        }
        "java/lang/reflect/Constructor" => {
            let holder =
                c.vm.get_ref_field(target, "java/lang/reflect/Constructor", "clazz");
            let slot =
                c.vm.get_int_field(target, "java/lang/reflect/Constructor", "slot");
            tie_reflected(c.vm, member, holder, slot)?;
        }
        other => {
            return Err(c.vm.throw(
                "java/lang/InternalError",
                Some(&format!("unrecognized type {other}")),
            ));
        }
    }
    Ok(0)
}

fn fill_if_null(vm: &mut Vm, member: ObjRef, name: ObjRef, ty: ObjRef) {
    if vm.heap.get_ref(member, vm.known.member_name_field).is_null() {
        vm.heap.put_ref(member, vm.known.member_name_field, name);
    }
    if vm.heap.get_ref(member, vm.known.member_type).is_null() {
        vm.heap.put_ref(member, vm.known.member_type, ty);
    }
}

fn tie_reflected(vm: &mut Vm, member: ObjRef, holder: ObjRef, slot: i32) -> Result<(), Stop> {
    let class = vm.class_of_mirror(holder);
    vm.link_class(class)?;
    let Some(&method) = vm.class(class).methods.get(slot as usize) else {
        return Err(Stop::bug(format!(
            "{} has no method {slot}",
            vm.class_name(class)
        )));
    };
    if vm.method(method).traits.signature_polymorphic {
        // Without a concrete signature there is nothing to tie it to.
        return Ok(());
    }
    vm.tie_method(member, method, class, false)
}

/// `expand(MemberName self)`: name and type of a resolved member.
fn expand(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let member = c.non_null(0)?;
    let vm = &mut *c.vm;
    let (name, ty) = match vm.member_flags(member) & flag::KINDS {
        flag::METHOD | flag::CONSTRUCTOR => {
            if vm.heap.get_ref(member, vm.known.member_method).is_null() {
                return Err(vm.throw("java/lang/IllegalArgumentException", Some("nothing to expand")));
            }
            let method = vm.method(vm.member_target(member));
            (method.name, method.desc)
        }
        flag::FIELD => {
            let clazz = vm.member_clazz(member);
            if clazz.is_null() {
                return Err(vm.throw(
                    "java/lang/IllegalArgumentException",
                    Some("nothing to expand (as field)"),
                ));
            }
            let class = vm.class_of_mirror(clazz);
            let offset = vm.heap.get_u64(member, vm.known.member_vmindex);
            let wants_static = vm.member_flags(member) & u32::from(acc::STATIC) != 0;
            let at = |f: &&FieldId| {
                let field = vm.field(**f);
                u64::from(field.offset) == offset && field.is_static() == wants_static
            };
            let Some(&field) = vm.class(class).fields.iter().find(at) else {
                return Err(vm.throw("java/lang/InternalError", Some("unrecognized MemberName format")));
            };
            (vm.field(field).name, vm.field(field).desc)
        }
        _ => return Err(vm.throw("java/lang/InternalError", Some("unrecognized MemberName format"))),
    };
    let name = vm.new_string_mutf8(vm.syms.bytes(name))?;
    let name = vm.intern(name)?;
    let ty = vm.new_string_mutf8(vm.syms.bytes(ty))?;
    fill_if_null(vm, member, name, ty);
    Ok(0)
}

/// `resolve(MemberName self, Class caller, int lookupMode, boolean speculative)`.
fn resolve(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (member, caller, speculative) = (c.obj(0), c.obj(1), c.bool(3));
    if member.is_null() {
        return Err(c
            .vm
            .throw("java/lang/InternalError", Some("mname must not be null")));
    }
    let caller = (!caller.is_null()).then(|| c.vm.class_of_mirror(caller));
    match resolve_member(c.vm, member, caller) {
        Ok(true) => Ok(member.bits()),
        Ok(false) if speculative => Ok(0),
        Ok(false) => Err(unresolved(c.vm, member)),
        Err(Stop::Throw(error)) if speculative => {
            let linkage = c.vm.boot_class("java/lang/LinkageError")?;
            if c.vm.instance_of(error, linkage) {
                Ok(0)
            } else {
                Err(Stop::Throw(error))
            }
        }
        Err(stop) => Err(stop),
    }
}

fn unresolved(vm: &mut Vm, member: ObjRef) -> Stop {
    match vm.member_flags(member) & flag::KINDS {
        flag::FIELD => vm.throw("java/lang/NoSuchFieldError", Some("field resolution failed")),
        flag::METHOD | flag::CONSTRUCTOR => {
            vm.throw("java/lang/NoSuchMethodError", Some("method resolution failed"))
        }
        _ => vm.throw("java/lang/LinkageError", Some("resolution failed")),
    }
}

/// Resolves in place; `false` when there is nothing of that name and type.
fn resolve_member(vm: &mut Vm, member: ObjRef, caller: Option<ClassId>) -> Result<bool, Stop> {
    if !vm.heap.get_ref(member, vm.known.member_method).is_null() {
        return Ok(true);
    }
    let clazz = vm.member_clazz(member);
    let name = vm.heap.get_ref(member, vm.known.member_name_field);
    let ty = vm.heap.get_ref(member, vm.known.member_type);
    let flags = vm.member_flags(member);
    let reference = (flags >> flag::KIND_SHIFT) & 0xf;
    if reference == 0 || reference >= kind::LIMIT {
        return Err(vm.throw("java/lang/InternalError", Some("obsolete MemberName format")));
    }
    if clazz.is_null() || name.is_null() || ty.is_null() {
        return Err(vm.throw("java/lang/IllegalArgumentException", Some("nothing to resolve")));
    }
    let mut owner = vm.class_of_mirror(clazz);
    if vm.class(owner).is_primitive() {
        return Ok(false);
    }
    if vm.class(owner).is_array() {
        owner = vm.known.object;
    }
    vm.link_class(owner)?;
    let name = vm.modified_utf8(name);
    if flags & flag::KINDS == flag::METHOD && owner == vm.known.method_handle {
        let link = LinkKind::of(&name).is_some();
        if (link && reference == kind::INVOKE_STATIC)
            || (name == b"invokeBasic" && reference != kind::INVOKE_STATIC)
        {
            return resolve_intrinsic(vm, member, &name, ty, link);
        }
    }
    let Some(desc) = vm.member_signature(ty, None) else {
        return Ok(false);
    };
    let (name, desc) = (vm.syms.intern(&name), vm.syms.intern(&desc));
    match flags & flag::KINDS {
        flag::METHOD => {
            let (method, direct) = resolve_method(vm, caller, owner, name, desc, reference)?;
            vm.tie_method(member, method, owner, direct)?;
        }
        flag::CONSTRUCTOR => {
            let method = resolve_constructor(vm, caller, owner, name, desc)?;
            vm.tie_method(member, method, owner, true)?;
        }
        flag::FIELD => {
            let field = resolve_field(vm, owner, name, desc)?;
            vm.tie_field(
                member,
                field,
                matches!(reference, kind::PUT_FIELD | kind::PUT_STATIC),
            );
        }
        _ => return Err(vm.throw("java/lang/InternalError", Some("unrecognized MemberName format"))),
    }
    Ok(true)
}

fn resolve_intrinsic(vm: &mut Vm, member: ObjRef, name: &[u8], ty: ObjRef, link: bool) -> Result<bool, Stop> {
    let Some(desc) = vm.member_signature(ty, Some(link)) else {
        return Ok(false);
    };
    let (name, desc) = (vm.syms.intern(name), vm.syms.intern(&desc));
    let method = vm.intrinsic_method(name, desc)?;
    vm.tie_method(member, method, vm.known.method_handle, true)?;
    Ok(true)
}

fn resolve_method(
    vm: &mut Vm,
    caller: Option<ClassId>,
    owner: ClassId,
    name: Sym,
    desc: Sym,
    reference: u32,
) -> Result<(MethodId, bool), Stop> {
    let is_interface = vm.class(owner).is_interface();
    let interface = match reference {
        kind::INVOKE_VIRTUAL => false,
        kind::INVOKE_INTERFACE => true,
        _ => is_interface,
    };
    let method = vm.resolve_for_member(caller, owner, name, desc, interface)?;
    let is_static = vm.method(method).is_static();
    if is_static != (reference == kind::INVOKE_STATIC) {
        let expected = match reference {
            kind::INVOKE_STATIC => "Expected static",
            kind::INVOKE_INTERFACE => "Expected instance not static",
            _ => "Expecting non-static",
        };
        return Err(vm.wrong_staticness(method, expected));
    }
    if reference != kind::INVOKE_SPECIAL {
        return Ok((method, false));
    }
    let method = special_method(vm, caller, owner, method)?;
    if vm.method(method).is_abstract() {
        let message = format!("'{}'", vm.method_text(method));
        return Err(vm.throw("java/lang/AbstractMethodError", Some(&message)));
    }
    Ok((method, true))
}

/// A super call is looked up again from the caller's direct superclass.
fn special_method(
    vm: &mut Vm,
    caller: Option<ClassId>,
    owner: ClassId,
    method: MethodId,
) -> Result<MethodId, Stop> {
    let Some(caller) = caller else { return Ok(method) };
    if vm.class(owner).is_interface() || caller == owner || !vm.is_subclass(caller, owner) {
        return Ok(method);
    }
    let (name, desc) = (vm.method(method).name, vm.method(method).desc);
    let start = vm.class(caller).super_class;
    Ok(start
        .and_then(|s| vm.lookup_method(s, name, desc))
        .unwrap_or(method))
}

fn resolve_constructor(
    vm: &mut Vm,
    caller: Option<ClassId>,
    owner: ClassId,
    name: Sym,
    desc: Sym,
) -> Result<MethodId, Stop> {
    if vm.syms.bytes(name) != b"<init>" {
        return Err(vm.throw("java/lang/InternalError", Some("unrecognized MemberName format")));
    }
    // Constructors are not inherited: one found further up is none.
    if !vm.class(owner).method_index.contains_key(&(name, desc)) {
        let message = format!("'{}'", vm.signature_text(owner, name, desc));
        return Err(vm.throw("java/lang/NoSuchMethodError", Some(&message)));
    }
    let interface = vm.class(owner).is_interface();
    vm.resolve_for_member(caller, owner, name, desc, interface)
}

/// Access to fields is checked in Java alone.
fn resolve_field(vm: &mut Vm, owner: ClassId, name: Sym, desc: Sym) -> Result<FieldId, Stop> {
    match vm.find_field_sym(owner, name, Some(desc)) {
        Some(field) => Ok(field),
        None => Err(vm.no_such_field(owner, name, desc)),
    }
}

/// The older JDKs' query for several members at once.
fn get_members(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let owner = c.class(0)?;
    let name = (!c.obj(1).is_null()).then(|| c.vm.modified_utf8(c.obj(1)));
    let desc = (!c.obj(2).is_null()).then(|| c.vm.modified_utf8(c.obj(2)));
    let (flags, skip, results) = (c.int(3) as u32, c.int(5).max(0) as usize, c.non_null(6)?);
    if c.vm.class(owner).is_array() || c.vm.class(owner).is_primitive() {
        return Ok(int(-1));
    }
    c.vm.link_class(owner)?;
    let mut classes = vec![owner];
    if flags & flag::SEARCH_SUPERCLASSES != 0 {
        classes.extend(
            c.vm.class(owner)
                .display
                .iter()
                .rev()
                .copied()
                .filter(|s| *s != owner),
        );
    }
    if flags & flag::SEARCH_INTERFACES != 0 {
        classes.extend_from_slice(&c.vm.class(owner).all_interfaces);
    }
    let buffer = c.vm.heap.refs(results).to_vec();
    let mut found = 0;
    for class in classes {
        for member in matching(c.vm, class, name.as_deref(), desc.as_deref(), flags) {
            found += 1;
            let Some(&slot) = (found > skip).then(|| buffer.get(found - skip - 1)).flatten() else {
                continue;
            };
            match member {
                Found::Field(field) => c.vm.tie_field(slot, field, false),
                Found::Method(method) => c.vm.tie_method(slot, method, class, false)?,
            }
        }
    }
    Ok(int(found.saturating_sub(skip) as i32))
}

enum Found {
    Field(FieldId),
    Method(MethodId),
}

fn matching(vm: &Vm, class: ClassId, name: Option<&[u8]>, desc: Option<&[u8]>, flags: u32) -> Vec<Found> {
    let wanted = |n: Sym, d: Sym| {
        name.is_none_or(|name| vm.syms.bytes(n) == name) && desc.is_none_or(|desc| vm.syms.bytes(d) == desc)
    };
    let mut found = Vec::new();
    if flags & flag::FIELD != 0 {
        let fields = vm.class(class).fields.iter().copied();
        found.extend(
            fields
                .filter(|f| wanted(vm.field(*f).name, vm.field(*f).desc))
                .map(Found::Field),
        );
    }
    for &id in &vm.class(class).methods {
        let method = vm.method(id);
        let kind = match vm.syms.bytes(method.name) {
            b"<clinit>" => 0,
            b"<init>" => flag::CONSTRUCTOR,
            _ => flag::METHOD,
        };
        if flags & kind != 0 && wanted(method.name, method.desc) {
            found.push(Found::Method(id));
        }
    }
    found
}

fn field_index(c: &mut Ctx<'_>, want_static: bool) -> Result<u64, Stop> {
    let member = c.non_null(0)?;
    let flags = c.vm.member_flags(member);
    let is_static = flags & u32::from(acc::STATIC) != 0;
    if flags & flag::KINDS != flag::FIELD || is_static != want_static {
        let message = if want_static {
            "static field required"
        } else {
            "non-static field required"
        };
        return Err(c.vm.throw("java/lang/InternalError", Some(message)));
    }
    Ok(c.vm.heap.get_u64(member, c.vm.known.member_vmindex))
}

fn object_field_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    field_index(c, false)
}

fn static_field_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    field_index(c, true)
}

fn static_field_base(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    field_index(c, true)?;
    Ok(c.vm.member_clazz(c.obj(0)).bits())
}

/// `{vmindex, vmtarget}`, used by assertions.
fn member_vm_info(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let member = c.obj(0);
    if member.is_null() {
        return Ok(0);
    }
    let index = c.vm.heap.get_i64(member, c.vm.known.member_vmindex);
    let field = c.vm.member_flags(member) & flag::KINDS == flag::FIELD;
    let target = if field { c.vm.member_clazz(member) } else { member };
    let index =
        c.vm.box_value(crate::classfile::descriptor::Prim::Long, long(index))?;
    let pair = c.vm.new_ref_array(c.vm.known.object, 2)?;
    c.vm.heap.elem_put_ref(pair, 0, index);
    c.vm.heap.elem_put_ref(pair, 1, target);
    Ok(pair.bits())
}

fn set_call_site_target(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (site, target) = (c.non_null(0)?, c.obj(1));
    c.vm.set_ref_field(site, "java/lang/invoke/CallSite", "target", target);
    Ok(0)
}
