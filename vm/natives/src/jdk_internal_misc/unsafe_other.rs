//! jdk.internal.misc.Unsafe: everything that is not a typed memory cell.

use super::cells::{stray, with_header};
use crate::{Ctx, Native, native};
use poldet_vm::classes::class::{Kind, acc};
use poldet_vm::classes::loader::DefineOpts;
use poldet_vm::heap::ELEMENTS;
use poldet_vm::ids::{FieldId, ObjRef};
use poldet_vm::natives::ctx::{boolean, int};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub const TABLE: &[Native] = &[
    native(UNSAFE, "registerNatives", "()V", nothing),
    native(UNSAFE, "loadFence", "()V", nothing).leaf(),
    native(UNSAFE, "storeFence", "()V", nothing).leaf(),
    native(UNSAFE, "fullFence", "()V", nothing).leaf(),
    native(UNSAFE, "writeback0", "(J)V", nothing).leaf(),
    native(UNSAFE, "writebackPreSync0", "()V", nothing).leaf(),
    native(UNSAFE, "writebackPostSync0", "()V", nothing).leaf(),
    native(UNSAFE, "getLoadAverage0", "([DI)I", load_average).leaf(),
    native(UNSAFE, "allocateMemory0", "(J)J", allocate_memory).leaf(),
    native(UNSAFE, "reallocateMemory0", "(JJ)J", reallocate_memory).leaf(),
    native(UNSAFE, "freeMemory0", "(J)V", free_memory).leaf(),
    native(UNSAFE, "setMemory0", "(Ljava/lang/Object;JJB)V", set_memory).leaf(),
    native(
        UNSAFE,
        "copyMemory0",
        "(Ljava/lang/Object;JLjava/lang/Object;JJ)V",
        copy_memory,
    )
    .leaf(),
    native(
        UNSAFE,
        "copySwapMemory0",
        "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V",
        copy_swap_memory,
    )
    .leaf(),
    native(
        UNSAFE,
        "getUncompressedObject",
        "(J)Ljava/lang/Object;",
        uncompressed_object,
    )
    .leaf(),
    native(
        UNSAFE,
        "objectFieldOffset0",
        "(Ljava/lang/reflect/Field;)J",
        object_field_offset,
    ),
    native(
        UNSAFE,
        "objectFieldOffset1",
        "(Ljava/lang/Class;Ljava/lang/String;)J",
        object_field_offset_by_name,
    ),
    native(
        UNSAFE,
        "staticFieldOffset0",
        "(Ljava/lang/reflect/Field;)J",
        static_field_offset,
    ),
    native(
        UNSAFE,
        "staticFieldBase0",
        "(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
        static_field_base,
    ),
    native(
        UNSAFE,
        "arrayBaseOffset0",
        "(Ljava/lang/Class;)I",
        array_base_offset,
    ),
    native(
        UNSAFE,
        "arrayIndexScale0",
        "(Ljava/lang/Class;)I",
        array_index_scale,
    ),
    native(
        UNSAFE,
        "shouldBeInitialized0",
        "(Ljava/lang/Class;)Z",
        should_be_initialized,
    ),
    native(
        UNSAFE,
        "ensureClassInitialized0",
        "(Ljava/lang/Class;)V",
        ensure_class_initialized,
    ),
    native(
        UNSAFE,
        "allocateInstance",
        "(Ljava/lang/Class;)Ljava/lang/Object;",
        allocate_instance,
    ),
    native(
        UNSAFE,
        "throwException",
        "(Ljava/lang/Throwable;)V",
        throw_exception,
    ),
    native(
        UNSAFE,
        "defineClass0",
        "(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
        define_class,
    ),
];

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// The load of the machine is not the program's business: unavailable.
fn load_average(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(-1))
}

fn allocate_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.host.memory.alloc(c.raw(1)).unwrap_or(0))
}

fn reallocate_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.host.memory.realloc(c.raw(1), c.raw(3)).unwrap_or(0))
}

fn free_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.memory.free(c.raw(1));
    Ok(0)
}

/// Bytes of a primitive array from an Unsafe offset on.
fn window(vm: &Vm, base: ObjRef, at: u64, len: u64) -> Result<std::ops::Range<usize>, Stop> {
    if !vm.heap.is_prim_array(base) {
        let class = vm.java_name(vm.class_of(base));
        return Err(Stop::unsupported(format!(
            "Unsafe: a block of memory in an object of {class}"
        )));
    }
    let size = vm.heap.load_bytes(base).len() as u64;
    let start = at.wrapping_sub(u64::from(ELEMENTS));
    match start.checked_add(len) {
        Some(end) if end <= size => Ok(start as usize..end as usize),
        _ => Err(Stop::unsupported(format!(
            "access {at}+{len} outside an array of {size} bytes"
        ))),
    }
}

fn target(vm: &mut Vm, base: ObjRef, at: u64, len: u64) -> Result<&mut [u8], Stop> {
    if base.is_null() {
        return vm.host.memory.bytes_mut(at, len).ok_or_else(|| stray(at));
    }
    let range = window(vm, base, at, len)?;
    Ok(&mut vm.heap.bytes_mut(base)[range])
}

fn source(vm: &Vm, base: ObjRef, at: u64, len: u64) -> Result<&[u8], Stop> {
    if base.is_null() {
        return vm.host.memory.bytes(at, len).ok_or_else(|| stray(at));
    }
    let range = window(vm, base, at, len)?;
    Ok(&vm.heap.load_bytes(base)[range])
}

fn set_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (base, at, len, value) = (c.obj(1), c.raw(2), c.raw(4), c.int(6) as u8);
    target(c.vm, base, at, len)?.fill(value);
    Ok(0)
}

fn copy_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, from_at, to, to_at, len) = (c.obj(1), c.raw(2), c.obj(4), c.raw(5), c.raw(7));
    if !from.is_null() && from_at < u64::from(ELEMENTS) {
        let bytes = with_header(c.vm, from, from_at, len);
        let bytes = bytes.map_or_else(|| source(c.vm, from, from_at, len).map(<[u8]>::to_vec), Ok)?;
        target(c.vm, to, to_at, len)?.copy_from_slice(&bytes);
        return Ok(0);
    }
    match (from.is_null(), to.is_null()) {
        (true, true) => {
            if !c.vm.host.memory.copy(from_at, to_at, len) {
                return Err(stray(from_at));
            }
        }
        (true, false) => {
            let range = window(c.vm, to, to_at, len)?;
            let bytes =
                c.vm.host
                    .memory
                    .bytes(from_at, len)
                    .ok_or_else(|| stray(from_at))?;
            c.vm.heap.bytes_mut(to)[range].copy_from_slice(bytes);
        }
        (false, true) => {
            let range = window(c.vm, from, from_at, len)?;
            let bytes =
                c.vm.host
                    .memory
                    .bytes_mut(to_at, len)
                    .ok_or_else(|| stray(to_at))?;
            bytes.copy_from_slice(&c.vm.heap.load_bytes(from)[range]);
        }
        (false, false) if from == to => {
            let (a, b) = (window(c.vm, from, from_at, len)?, window(c.vm, to, to_at, len)?);
            c.vm.heap.bytes_mut(to).copy_within(a, b.start);
        }
        (false, false) => {
            let bytes = source(c.vm, from, from_at, len)?.to_vec();
            target(c.vm, to, to_at, len)?.copy_from_slice(&bytes);
        }
    }
    Ok(0)
}

fn copy_swap_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, from_at, to, to_at, len) = (c.obj(1), c.raw(2), c.obj(4), c.raw(5), c.raw(7));
    let element = c.long(9).clamp(1, 8) as usize;
    let mut bytes = source(c.vm, from, from_at, len)?.to_vec();
    for chunk in bytes.chunks_exact_mut(element) {
        chunk.reverse();
    }
    target(c.vm, to, to_at, len)?.copy_from_slice(&bytes);
    Ok(0)
}

fn uncompressed_object(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(stray(c.raw(1)))
}

/// The field a java.lang.reflect.Field stands for; its class is linked, so that it has an offset.
pub(crate) fn reflected_field(vm: &mut Vm, field: ObjRef) -> Result<FieldId, Stop> {
    let mirror = vm.load_ref_field(field, "java/lang/reflect/Field", "clazz");
    let slot = vm.load_int_field(field, "java/lang/reflect/Field", "slot");
    let class = vm.class_of_mirror(mirror);
    vm.link_class(class)?;
    let found = vm.class(class).fields.get(slot as usize).copied();
    found.ok_or_else(|| Stop::bug(format!("{} has no field {slot}", vm.class_name(class))))
}

fn field_offset(c: &mut Ctx<'_>, want_static: bool) -> Result<u64, Stop> {
    let field = c.non_null(1)?;
    let field = reflected_field(c.vm, field)?;
    let field = c.vm.field(field);
    if field.is_static() != want_static {
        return Err(c.vm.throw("java/lang/IllegalArgumentException", None));
    }
    Ok(u64::from(field.offset))
}

fn object_field_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    field_offset(c, false)
}

fn static_field_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    field_offset(c, true)
}

fn object_field_offset_by_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(1)?;
    let name = c.string(2)?;
    c.vm.link_class(class)?;
    let named = |f: &&FieldId| c.vm.syms.bytes(c.vm.field(**f).name) == name.as_bytes();
    match c.vm.class(class).fields.iter().find(named) {
        Some(&field) => Ok(u64::from(c.vm.field(field).offset)),
        None => Err(c.vm.throw("java/lang/InternalError", Some(&name))),
    }
}

fn static_field_base(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let field = c.non_null(1)?;
    let field = reflected_field(c.vm, field)?;
    let field = c.vm.field(field);
    if !field.is_static() {
        return Err(c.vm.throw("java/lang/IllegalArgumentException", None));
    }
    Ok(c.vm.mirror(field.class).bits())
}

fn array_base_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    array_log2(c)?;
    Ok(u64::from(ELEMENTS))
}

fn array_index_scale(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(1 << array_log2(c)?)
}

fn array_log2(c: &mut Ctx<'_>) -> Result<u8, Stop> {
    let class = c.class(1)?;
    match c.vm.class(class).kind {
        Kind::Array { log2, .. } => Ok(log2),
        _ => Err(c.vm.throw("java/lang/IllegalArgumentException", None)),
    }
}

fn should_be_initialized(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(1)?;
    Ok(boolean(!c.vm.is_initialized(class)))
}

fn ensure_class_initialized(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(1)?;
    c.vm.ensure_initialized(class)?;
    Ok(0)
}

fn allocate_instance(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.class(1)?;
    let class = c.vm.class(id);
    let abstract_class = class.access & (acc::INTERFACE | acc::ABSTRACT) != 0;
    if class.kind != Kind::Instance || abstract_class || id == c.vm.known.class {
        let name = c.vm.java_name(id);
        return Err(c.vm.throw("java/lang/InstantiationException", Some(&name)));
    }
    c.vm.ensure_initialized(id)?;
    Ok(c.vm.new_object(id)?.bits())
}

fn throw_exception(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let thrown = c.non_null(1)?;
    Err(Stop::Throw(thrown))
}

fn define_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(2)?;
    let (off, len) = (c.int(3), c.int(4));
    let name = match c.obj(1) {
        ObjRef::NULL => None,
        name => Some(c.vm.load_text(name).replace('.', "/")),
    };
    let bytes = c.vm.heap.load_bytes(array);
    let range = usize::try_from(off).ok().zip(usize::try_from(len).ok());
    let Some(bytes) = range.and_then(|(off, len)| bytes.get(off..off.checked_add(len)?)) else {
        return Err(c.vm.throw("java/lang/ArrayIndexOutOfBoundsException", None));
    };
    let bytes = bytes.to_vec();
    let loader = c.vm.loader_of(c.obj(5));
    let opts = DefineOpts {
        protection_domain: c.obj(6),
        ..DefineOpts::default()
    };
    let class = c.vm.define_class(loader, name.as_deref(), &bytes, opts)?;
    Ok(c.vm.mirror(class).bits())
}
