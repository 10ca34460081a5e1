//! Natives of java.lang.invoke: how MemberNames are tied to the VM's methods and fields.
//!
//! A resolved MemberName carries its flags (modifiers, kind of member, reference kind), the class, and either a
//! ResolvedMethodName that holds the method's number, or for a field its offset as `vmindex`.

use crate::{Ctx, Native, native};
use poldet_vm::classes::class::acc;
use poldet_vm::ids::{ClassId, FieldId, MethodId, ObjRef, Sym};
use poldet_vm::invoke::LinkKind;
use poldet_vm::member_names::{flag, kind};
use poldet_vm::natives::ctx::{int, long};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

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

/// `init(MemberName self, Object ref)`: from a java.lang.reflect.Field, Method or Constructor.
fn init(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (member, target) = (c.non_null(0)?, c.non_null(1)?);
    let class = c.vm.class_of(target);
    match c.vm.class_name(class) {
        "java/lang/reflect/Field" => {
            let field = super::jdk_internal_misc::unsafe_other::reflected_field(c.vm, target)?;
            c.vm.tie_field(member, field, false);
            let name = c.vm.load_ref_field(target, "java/lang/reflect/Field", "name");
            let ty = c.vm.load_ref_field(target, "java/lang/reflect/Field", "type");
            fill_if_null(c.vm, member, name, ty);
        }
        "java/lang/reflect/Method" => {
            let holder = c.vm.load_ref_field(target, "java/lang/reflect/Method", "clazz");
            let slot = c.vm.load_int_field(target, "java/lang/reflect/Method", "slot");
            tie_reflected(c.vm, member, holder, slot)?;
        }
        "java/lang/reflect/Constructor" => {
            let holder =
                c.vm.load_ref_field(target, "java/lang/reflect/Constructor", "clazz");
            let slot =
                c.vm.load_int_field(target, "java/lang/reflect/Constructor", "slot");
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
    if vm.heap.load_ref(member, vm.known.member_name_field).is_null() {
        vm.heap.put_ref(member, vm.known.member_name_field, name);
    }
    if vm.heap.load_ref(member, vm.known.member_type).is_null() {
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
            if vm.heap.load_ref(member, vm.known.member_method).is_null() {
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
            let offset = vm.heap.load_u64(member, vm.known.member_vmindex);
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

/// `MethodHandles.Lookup.UNCONDITIONAL`: a public lookup, which is bound to no loader.
const UNCONDITIONAL: i32 = 32;

/// On whose behalf a member is resolved.
#[derive(Clone, Copy)]
struct Caller {
    class: ClassId,
    /// Its loader must mean the same classes by the member's types.
    bound: bool,
}

/// `resolve(MemberName self, Class caller, int lookupMode, boolean speculative)`.
fn resolve(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (member, caller, speculative) = (c.obj(0), c.obj(1), c.bool(3));
    if member.is_null() {
        return Err(c
            .vm
            .throw("java/lang/InternalError", Some("mname must not be null")));
    }
    let caller = (!caller.is_null()).then(|| Caller {
        class: c.vm.class_of_mirror(caller),
        bound: c.int(2) & UNCONDITIONAL == 0,
    });
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
fn resolve_member(vm: &mut Vm, member: ObjRef, caller: Option<Caller>) -> Result<bool, Stop> {
    if !vm.heap.load_ref(member, vm.known.member_method).is_null() {
        return Ok(true);
    }
    let clazz = vm.member_clazz(member);
    let name = vm.heap.load_ref(member, vm.known.member_name_field);
    let ty = vm.heap.load_ref(member, vm.known.member_type);
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
    let name = vm.load_modified_utf8(name);
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
            if let Some(caller) = caller.filter(|c| c.bound) {
                vm.check_field_loaders(caller.class, field)?;
            }
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
    caller: Option<Caller>,
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
    let method = resolve_bound(vm, caller, owner, (name, desc), interface)?;
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
    let method = special_method(vm, caller.map(|c| c.class), owner, method)?;
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
    caller: Option<Caller>,
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
    resolve_bound(vm, caller, owner, (name, desc), interface)
}

fn resolve_bound(
    vm: &mut Vm,
    caller: Option<Caller>,
    owner: ClassId,
    (name, desc): (Sym, Sym),
    interface: bool,
) -> Result<MethodId, Stop> {
    let method = vm.resolve_for_member(caller.map(|c| c.class), owner, name, desc, interface)?;
    if let Some(caller) = caller.filter(|c| c.bound) {
        vm.check_method_loaders(caller.class, owner, method, interface)?;
    }
    Ok(method)
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
    let name = (!c.obj(1).is_null()).then(|| c.vm.load_modified_utf8(c.obj(1)));
    let desc = (!c.obj(2).is_null()).then(|| c.vm.load_modified_utf8(c.obj(2)));
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
    let buffer = c.vm.heap.load_refs(results).to_vec();
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
    Ok(c.vm.heap.load_u64(member, c.vm.known.member_vmindex))
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
    let index = c.vm.heap.load_i64(member, c.vm.known.member_vmindex);
    let field = c.vm.member_flags(member) & flag::KINDS == flag::FIELD;
    let target = if field { c.vm.member_clazz(member) } else { member };
    let index =
        c.vm.box_value(poldet_vm::classfile::descriptor::Prim::Long, long(index))?;
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
