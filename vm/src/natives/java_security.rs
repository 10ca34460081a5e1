//! Natives of java.security.AccessController. There is no security manager, so a stack never restricts anything:
//! the context of every stack is the all-powerful one, which Java writes as null.

use crate::ids::ObjRef;
use crate::natives::{Ctx, Native, native};
use crate::stop::Stop;

const CONTROLLER: &str = "java/security/AccessController";

pub const TABLE: &[Native] = &[
    native(
        CONTROLLER,
        "getStackAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        null,
    )
    .leaf(),
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
];

fn null(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(ObjRef::NULL.bits())
}

fn inherited(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thread = c.vm.thread_object();
    Ok(c.vm
        .get_ref_field(thread, "java/lang/Thread", "inheritedAccessControlContext")
        .bits())
}

fn protection_domain(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.obj(0).is_null() {
        return Ok(ObjRef::NULL.bits());
    }
    let class = c.class(0)?;
    Ok(c.vm.class(class).protection_domain.bits())
}
