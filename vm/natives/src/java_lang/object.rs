//! java.lang.Object, and the identity hash.

use crate::{Native, native};
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

pub const TABLE: &[Native] = &[
    native("java/lang/Object", "getClass", "()Ljava/lang/Class;", get_class).leaf(),
    native("java/lang/Object", "hashCode", "()I", hash_code).leaf(),
    native("java/lang/Object", "clone", "()Ljava/lang/Object;", clone).leaf(),
    native(
        "java/lang/System",
        "identityHashCode",
        "(Ljava/lang/Object;)I",
        hash_code,
    )
    .leaf(),
];

fn get_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class_of(c.obj(0));
    Ok(c.vm.mirror(class).bits())
}

fn hash_code(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let o = c.obj(0);
    if o.is_null() {
        return Ok(0);
    }
    // Maps by class are everywhere, and no order of theirs is seen.
    if c.vm.class_of(o) != c.vm.known.class {
        c.vm.host.uses.identity_hashes += 1;
    }
    Ok(int(c.vm.identity_hash(o)))
}

fn clone(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let o = c.obj(0);
    let id = c.vm.class_of(o);
    let cloneable = c.vm.known.cloneable;
    if !c.vm.class(id).is_array() && !c.vm.is_subclass(id, cloneable) {
        let name = c.vm.java_name(id);
        return Err(c.vm.throw("java/lang/CloneNotSupportedException", Some(&name)));
    }
    if !c.vm.class(id).has_finalizer {
        return Ok(c.vm.clone_object(o)?.bits());
    }
    let finalizer = c.vm.boot_class("java/lang/ref/Finalizer")?;
    c.vm.ensure_initialized(finalizer)?;
    let Some(register) =
        c.vm.declared_method(finalizer, "register", "(Ljava/lang/Object;)V")
    else {
        return Err(Stop::bug("Finalizer.register is missing"));
    };
    let copy = c.vm.clone_object(o)?.bits();
    Err(Stop::call(
        register,
        vec![copy],
        Then::Cont(registered, vec![copy]),
    ))
}

/// The clone is known to the finalizer: hand it out.
fn registered(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(state[0]),
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}
