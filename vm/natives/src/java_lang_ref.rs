//! Natives of java.lang.ref: how Java sees what the collector has done with references.

use crate::{Ctx, Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::boolean;
use poldet_vm::stop::{BlockOn, Stop};

const REFERENCE: &str = "java/lang/ref/Reference";
const PHANTOM: &str = "java/lang/ref/PhantomReference";
const FINALIZER: &str = "java/lang/ref/Finalizer";

pub const TABLE: &[Native] = &[
    native(
        REFERENCE,
        "getAndClearReferencePendingList",
        "()Ljava/lang/ref/Reference;",
        take_pending,
    ),
    native(REFERENCE, "hasReferencePendingList", "()Z", has_pending),
    native(REFERENCE, "waitForReferencePendingList", "()V", wait_for_pending),
    native(REFERENCE, "refersTo0", "(Ljava/lang/Object;)Z", refers_to).leaf(),
    native(REFERENCE, "clear0", "()V", clear).leaf(),
    native(PHANTOM, "refersTo0", "(Ljava/lang/Object;)Z", refers_to).leaf(),
    native(PHANTOM, "clear0", "()V", clear).leaf(),
    native(FINALIZER, "isFinalizationEnabled", "()Z", finalization_enabled),
    native(FINALIZER, "reportComplete", "(Ljava/lang/Object;)V", nothing),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

fn finalization_enabled(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(true))
}

/// The pending references as a list linked through `discovered`.
fn take_pending(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let pending = std::mem::take(&mut c.vm.pending_references);
    let discovered = c.vm.off(REFERENCE, "discovered")?;
    let mut next = ObjRef::NULL;
    for &reference in pending.iter().rev() {
        c.vm.heap.put_ref(reference, discovered, next);
        next = reference;
    }
    Ok(next.bits())
}

fn has_pending(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(!c.vm.pending_references.is_empty()))
}

fn wait_for_pending(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.vm.pending_references.is_empty() {
        return Err(Stop::Block(BlockOn::ReferencePending));
    }
    Ok(0)
}

fn refers_to(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let referent = c.vm.off(REFERENCE, "referent")?;
    Ok(boolean(c.vm.heap.load_ref(c.obj(0), referent) == c.obj(1)))
}

fn clear(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let referent = c.vm.off(REFERENCE, "referent")?;
    c.vm.heap.put_ref(c.obj(0), referent, ObjRef::NULL);
    Ok(0)
}
