//! System.arraycopy.

use crate::{Native, native};
use poldet_vm::classes::class::Kind;
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::natives::ctx::Ctx;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

pub const TABLE: &[Native] = &[native(
    "java/lang/System",
    "arraycopy",
    "(Ljava/lang/Object;ILjava/lang/Object;II)V",
    arraycopy,
)
.leaf()];

/// What the elements of an array are, as far as copying goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    Prim(Prim),
    Ref,
}

impl Elements {
    fn name(self) -> &'static str {
        match self {
            Elements::Prim(p) => p.name(),
            Elements::Ref => "object array",
        }
    }
}

fn elements(vm: &Vm, class: ClassId) -> Option<Elements> {
    match vm.class(class).kind {
        Kind::Array { component, .. } => match vm.class(component).kind {
            Kind::Primitive(p) => Some(Elements::Prim(p)),
            _ => Some(Elements::Ref),
        },
        _ => None,
    }
}

fn arraycopy(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (src, src_pos, dst, dst_pos, len) = (c.obj(0), c.int(1), c.obj(2), c.int(3), c.int(4));
    if src.is_null() || dst.is_null() {
        return Err(c.vm.throw("java/lang/NullPointerException", None));
    }
    let vm = &mut *c.vm;
    let (from, to) = (vm.class_of(src), vm.class_of(dst));
    let Some(kind) = elements(vm, from) else {
        let message = format!("arraycopy: source type {} is not an array", vm.java_name(from));
        return Err(vm.throw("java/lang/ArrayStoreException", Some(&message)));
    };
    if from != to && elements(vm, to) != Some(kind) {
        return Err(wrong_destination(vm, kind, to));
    }
    let (src_len, dst_len) = (vm.heap.array_len(src), vm.heap.array_len(dst));
    let fits = |pos: i32, have: u32| pos >= 0 && len >= 0 && pos as u32 + len as u32 <= have;
    if !fits(src_pos, src_len) || !fits(dst_pos, dst_len) {
        let message = out_of_bounds(kind, (src_pos, src_len), (dst_pos, dst_len), len);
        return Err(vm.throw("java/lang/ArrayIndexOutOfBoundsException", Some(&message)));
    }
    let (src_pos, dst_pos, len) = (src_pos as u32, dst_pos as u32, len as u32);
    if from == to || kind != Elements::Ref || vm.is_subclass(from, to) {
        vm.heap.copy_elements(src, src_pos, dst, dst_pos, len);
        return Ok(0);
    }
    copy_checked(vm, (src, src_pos), (dst, dst_pos), len)?;
    Ok(0)
}

fn wrong_destination(vm: &mut Vm, kind: Elements, to: ClassId) -> Stop {
    let message = match elements(vm, to) {
        Some(other) => {
            format!(
                "arraycopy: type mismatch: can not copy {}[] into {}[]",
                kind.name(),
                other.name()
            )
        }
        None => format!("arraycopy: destination type {} is not an array", vm.java_name(to)),
    };
    vm.throw("java/lang/ArrayStoreException", Some(&message))
}

fn out_of_bounds(
    kind: Elements,
    (src_pos, src_len): (i32, u32),
    (dst_pos, dst_len): (i32, u32),
    len: i32,
) -> String {
    let name = kind.name();
    if src_pos < 0 {
        format!("arraycopy: source index {src_pos} out of bounds for {name}[{src_len}]")
    } else if dst_pos < 0 {
        format!("arraycopy: destination index {dst_pos} out of bounds for {name}[{dst_len}]")
    } else if len < 0 {
        format!("arraycopy: length {len} is negative")
    } else if src_pos as u32 + len as u32 > src_len {
        let last = src_pos as u32 + len as u32;
        format!("arraycopy: last source index {last} out of bounds for {name}[{src_len}]")
    } else {
        let last = dst_pos as u32 + len as u32;
        format!("arraycopy: last destination index {last} out of bounds for {name}[{dst_len}]")
    }
}

/// Copies references into an array of a narrower type: those before the first misfit stay copied. Copying again
/// from the start, as a leaf that failed does, changes nothing, since source and destination cannot be one array.
fn copy_checked(
    vm: &mut Vm,
    (src, src_pos): (ObjRef, u32),
    (dst, dst_pos): (ObjRef, u32),
    len: u32,
) -> Result<(), Stop> {
    let component = |vm: &Vm, array: ObjRef| match vm.class(vm.class_of(array)).kind {
        Kind::Array { component, .. } => component,
        _ => vm.known.object,
    };
    let (held, bound) = (component(vm, src), component(vm, dst));
    for i in 0..len {
        let value = vm.heap.elem_load_ref(src, src_pos + i);
        if value.is_null() || vm.instance_of(value, bound) {
            vm.heap.elem_put_ref(dst, dst_pos + i, value);
            continue;
        }
        let (held_name, bound_name) = (vm.java_name(held), vm.java_name(bound));
        let message = if vm.is_subclass(bound, held) {
            format!(
                "arraycopy: element type mismatch: can not cast one of the elements of {held_name}[] to the type \
                 of the destination array, {bound_name}"
            )
        } else {
            format!("arraycopy: type mismatch: can not copy {held_name}[] into {bound_name}[]")
        };
        return Err(vm.throw("java/lang/ArrayStoreException", Some(&message)));
    }
    Ok(())
}
