//! Natives of java.security.AccessController, and the user that JAAS asks for. A stack never restricts anything here: its
//! context is the all-powerful one, which Java writes as null, unless whose context it continues has a combiner, by
//! which `Subject.doAs` hands the subject down.

use crate::{Ctx, Native, native};
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::ObjRef;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const CONTROLLER: &str = "java/security/AccessController";
const CONTEXT: &str = "java/security/AccessControlContext";

pub const TABLE: &[Native] = &[
    native(
        CONTROLLER,
        "getStackAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        stack_context,
    ),
    native(
        CONTROLLER,
        "getInheritedAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        inherited,
    ),
    native(
        CONTROLLER,
        "ensureMaterializedForStackWalk",
        "(Ljava/lang/Object;)V",
        null,
    )
    .leaf(),
    native(
        CONTROLLER,
        "getProtectionDomain",
        "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        protection_domain,
    ),
    native(
        "com/sun/security/auth/module/UnixSystem",
        "getUnixInfo",
        "()V",
        unix_info,
    ),
];

fn null(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(ObjRef::NULL.bits())
}

/// The protection domains down to the first privileged frame, and the context that goes on below it.
fn stack_context(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let vm = &mut *c.vm;
    let (privileged, domains) = domains_on_stack(vm);
    let below = match privileged {
        Some(context) => context,
        None => {
            let thread = vm.thread_object();
            vm.load_ref_field(thread, "java/lang/Thread", "inheritedAccessControlContext")
        }
    };
    if below.is_null() || vm.load_ref_field(below, CONTEXT, "combiner").is_null() {
        return Ok(ObjRef::NULL.bits());
    }
    let class = vm.boot_class(CONTEXT)?;
    let domain = vm.boot_class("java/security/ProtectionDomain")?;
    vm.ensure_initialized(class)?;
    let array = match domains.len() {
        0 => ObjRef::NULL,
        n => vm.new_ref_array(domain, n as i32)?,
    };
    let context = vm.new_object(class)?;
    for (i, domain) in domains.into_iter().enumerate() {
        vm.heap.elem_put_ref(array, i as u32, domain);
    }
    vm.set_ref_field(context, CONTEXT, "context", array);
    if let Some(below) = privileged {
        vm.set_ref_field(context, CONTEXT, "privilegedContext", below);
    }
    vm.set_bool_field(context, CONTEXT, "isPrivileged", privileged.is_some());
    vm.set_bool_field(context, CONTEXT, "isAuthorized", true);
    Ok(context.bits())
}

/// The context given to the innermost `doPrivileged`, if there is one, and the domains of the code above it.
fn domains_on_stack(vm: &Vm) -> (Option<ObjRef>, Vec<ObjRef>) {
    let thread = vm.threads.get(vm.threads.current);
    let mut domains = Vec::new();
    for frame in thread.frames.iter().rev().filter(|f| f.cont.is_none()) {
        let method = vm.method(frame.method);
        let class = vm.class(method.class);
        let privileged =
            vm.syms.str(method.name) == "executePrivileged" && vm.syms.str(class.name) == CONTROLLER;
        // `executePrivileged(action, context, caller)` keeps its arguments for this.
        let argument = |i: usize| ObjRef::from_bits(thread.regs.get(frame.base as usize + i));
        let domain = match privileged {
            true => vm.class(vm.class_of_mirror(argument(2))).protection_domain,
            false => class.protection_domain,
        };
        if !domain.is_null() && domains.last() != Some(&domain) {
            domains.push(domain);
        }
        if privileged {
            return (Some(argument(1)), domains);
        }
    }
    (None, domains)
}

/// Fills in `username`, `uid`, `gid` and `groups`.
fn unix_info(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let system = c.obj(0);
    let ids = c.vm.host.env.groups.clone();
    let name = c.vm.host.env.user_name.clone();
    let name = c.vm.new_string(&name)?;
    let groups = c.vm.new_prim_array(Prim::Long, ids.len() as i32)?;
    for (i, id) in ids.into_iter().enumerate() {
        c.vm.heap.elem_put_u64(groups, i as u32, u64::from(id));
    }
    let class = c.vm.heap.class_of(system);
    let off = |field: &str| -> Result<u32, Stop> {
        let found = c.vm.find_field(class, field, "");
        let found = found.ok_or_else(|| Stop::unsupported(format!("UnixSystem without {field}")))?;
        Ok(c.vm.field(found).offset)
    };
    let (user, uid, gid, all) = (off("username")?, off("uid")?, off("gid")?, off("groups")?);
    c.vm.heap.put_ref(system, user, name);
    c.vm.heap.put_u64(system, uid, u64::from(c.vm.host.env.uid));
    c.vm.heap.put_u64(system, gid, u64::from(c.vm.host.env.gid));
    c.vm.heap.put_ref(system, all, groups);
    Ok(0)
}

fn inherited(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.vm.thread_object();
    Ok(c.vm
        .load_ref_field(thread, "java/lang/Thread", "inheritedAccessControlContext")
        .bits())
}

fn protection_domain(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.obj(0).is_null() {
        return Ok(ObjRef::NULL.bits());
    }
    let class = c.class(0)?;
    Ok(c.vm.class(class).protection_domain.bits())
}
