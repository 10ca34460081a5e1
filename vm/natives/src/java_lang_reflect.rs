//! java.lang.reflect: arrays of any kind, parameters, type annotations.

use crate::{Native, native};
use poldet_vm::classes::attrs;
use poldet_vm::classes::class::Kind;
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::{ClassId, MethodId, ObjRef};
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const ARRAY: &str = "java/lang/reflect/Array";
const EXECUTABLE: &str = "java/lang/reflect/Executable";
const PARAMETER: &str = "java/lang/reflect/Parameter";
const MAX_DIMS: usize = 255;

pub const TABLE: &[Native] = &[
    native(ARRAY, "getLength", "(Ljava/lang/Object;)I", get_length).leaf(),
    native(ARRAY, "get", "(Ljava/lang/Object;I)Ljava/lang/Object;", get),
    native(ARRAY, "getBoolean", "(Ljava/lang/Object;I)Z", |c| {
        get_as(c, Prim::Boolean)
    })
    .leaf(),
    native(ARRAY, "getByte", "(Ljava/lang/Object;I)B", |c| {
        get_as(c, Prim::Byte)
    })
    .leaf(),
    native(ARRAY, "getChar", "(Ljava/lang/Object;I)C", |c| {
        get_as(c, Prim::Char)
    })
    .leaf(),
    native(ARRAY, "getShort", "(Ljava/lang/Object;I)S", |c| {
        get_as(c, Prim::Short)
    })
    .leaf(),
    native(ARRAY, "getInt", "(Ljava/lang/Object;I)I", |c| {
        get_as(c, Prim::Int)
    })
    .leaf(),
    native(ARRAY, "getLong", "(Ljava/lang/Object;I)J", |c| {
        get_as(c, Prim::Long)
    })
    .leaf(),
    native(ARRAY, "getFloat", "(Ljava/lang/Object;I)F", |c| {
        get_as(c, Prim::Float)
    })
    .leaf(),
    native(ARRAY, "getDouble", "(Ljava/lang/Object;I)D", |c| {
        get_as(c, Prim::Double)
    })
    .leaf(),
    native(ARRAY, "set", "(Ljava/lang/Object;ILjava/lang/Object;)V", set).leaf(),
    native(ARRAY, "setBoolean", "(Ljava/lang/Object;IZ)V", |c| {
        set_as(c, Prim::Boolean)
    })
    .leaf(),
    native(ARRAY, "setByte", "(Ljava/lang/Object;IB)V", |c| {
        set_as(c, Prim::Byte)
    })
    .leaf(),
    native(ARRAY, "setChar", "(Ljava/lang/Object;IC)V", |c| {
        set_as(c, Prim::Char)
    })
    .leaf(),
    native(ARRAY, "setShort", "(Ljava/lang/Object;IS)V", |c| {
        set_as(c, Prim::Short)
    })
    .leaf(),
    native(ARRAY, "setInt", "(Ljava/lang/Object;II)V", |c| {
        set_as(c, Prim::Int)
    })
    .leaf(),
    native(ARRAY, "setLong", "(Ljava/lang/Object;IJ)V", |c| {
        set_as(c, Prim::Long)
    })
    .leaf(),
    native(ARRAY, "setFloat", "(Ljava/lang/Object;IF)V", |c| {
        set_as(c, Prim::Float)
    })
    .leaf(),
    native(ARRAY, "setDouble", "(Ljava/lang/Object;ID)V", |c| {
        set_as(c, Prim::Double)
    })
    .leaf(),
    native(
        ARRAY,
        "newArray",
        "(Ljava/lang/Class;I)Ljava/lang/Object;",
        new_array,
    )
    .leaf(),
    native(
        ARRAY,
        "multiNewArray",
        "(Ljava/lang/Class;[I)Ljava/lang/Object;",
        multi_new_array,
    ),
    native(
        EXECUTABLE,
        "getParameters0",
        "()[Ljava/lang/reflect/Parameter;",
        get_parameters,
    ),
    native(
        EXECUTABLE,
        "getTypeAnnotationBytes0",
        "()[B",
        executable_type_annotations,
    ),
    native(
        "java/lang/reflect/Field",
        "getTypeAnnotationBytes0",
        "()[B",
        field_type_annotations,
    ),
];

/// An IllegalArgumentException.
pub fn illegal(vm: &mut Vm, message: Option<&str>) -> Stop {
    vm.throw("java/lang/IllegalArgumentException", message)
}

/// Widens a register image from one primitive type to another as reflection allows it.
pub fn widen(from: Prim, to: Prim, bits: u64) -> Option<u64> {
    use Prim::{Boolean, Byte, Char, Double, Float, Int, Long, Short, Void};
    if from == to {
        return Some(bits);
    }
    let signed = bits as i32;
    match (from, to) {
        (Boolean | Void, _) | (_, Boolean | Void | Byte | Char) => None,
        (Byte, Short) => Some(bits),
        (Byte | Char | Short, Int) => Some(bits),
        (Byte | Char | Short | Int, Long) => Some(i64::from(signed) as u64),
        (Byte | Char | Short | Int, Float) => Some(u64::from((signed as f32).to_bits())),
        (Byte | Char | Short | Int, Double) => Some(f64::from(signed).to_bits()),
        (Long, Float) => Some(u64::from((bits as i64 as f32).to_bits())),
        (Long, Double) => Some((bits as i64 as f64).to_bits()),
        (Float, Double) => Some(f64::from(f32::from_bits(bits as u32)).to_bits()),
        _ => None,
    }
}

/// The array argument and its component class.
fn array_arg(c: &mut Ctx<'_>, primitive: bool) -> Result<(ObjRef, ClassId), Stop> {
    let array = c.non_null(0)?;
    let class = c.vm.class_of(array);
    match c.vm.class(class).kind {
        Kind::Array { component, .. } if !primitive || c.vm.class(component).is_primitive() => {
            Ok((array, component))
        }
        Kind::Array { .. } => Err(illegal(c.vm, Some("Argument is not an array of primitive type"))),
        _ => Err(illegal(c.vm, Some("Argument is not an array"))),
    }
}

fn index_arg(c: &mut Ctx<'_>, array: ObjRef) -> Result<u32, Stop> {
    let index = c.int(1);
    if index < 0 || index as u32 >= c.vm.heap.array_len(array) {
        return Err(c.vm.throw("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    Ok(index as u32)
}

fn load(vm: &Vm, array: ObjRef, prim: Prim, index: u32) -> u64 {
    let heap = &vm.heap;
    match prim {
        Prim::Boolean | Prim::Void => u64::from(heap.elem_load_u8(array, index) & 1),
        Prim::Byte => int(i32::from(heap.elem_load_i8(array, index))),
        Prim::Char => u64::from(heap.elem_load_u16(array, index)),
        Prim::Short => int(i32::from(heap.elem_load_i16(array, index))),
        Prim::Int | Prim::Float => u64::from(heap.elem_load_u32(array, index)),
        Prim::Long | Prim::Double => heap.elem_load_u64(array, index),
    }
}

fn store(vm: &mut Vm, array: ObjRef, prim: Prim, index: u32, bits: u64) {
    let heap = &mut vm.heap;
    match prim.log2_size() {
        0 => heap.elem_put_u8(
            array,
            index,
            if prim == Prim::Boolean {
                bits as u8 & 1
            } else {
                bits as u8
            },
        ),
        1 => heap.elem_put_u16(array, index, bits as u16),
        2 => heap.elem_put_u32(array, index, bits as u32),
        _ => heap.elem_put_u64(array, index, bits),
    }
}

fn get_length(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, _) = array_arg(c, false)?;
    Ok(u64::from(c.vm.heap.array_len(array)))
}

fn get(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, component) = array_arg(c, false)?;
    let index = index_arg(c, array)?;
    match c.vm.class(component).kind {
        Kind::Primitive(prim) => {
            let bits = load(c.vm, array, prim, index);
            Ok(c.vm.box_value(prim, bits)?.bits())
        }
        _ => Ok(c.vm.heap.elem_load_ref(array, index).bits()),
    }
}

fn get_as(c: &mut Ctx<'_>, wanted: Prim) -> Result<u64, Stop> {
    let (array, component) = array_arg(c, true)?;
    let index = index_arg(c, array)?;
    let Kind::Primitive(prim) = c.vm.class(component).kind else {
        return Err(illegal(c.vm, None));
    };
    let bits = load(c.vm, array, prim, index);
    widen(prim, wanted, bits).ok_or_else(|| illegal(c.vm, Some("argument type mismatch")))
}

fn set(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, component) = array_arg(c, false)?;
    let value = c.obj(2);
    let Kind::Primitive(prim) = c.vm.class(component).kind else {
        let index = index_arg(c, array)?;
        if !value.is_null() && !c.vm.instance_of(value, component) {
            return Err(illegal(c.vm, Some("array element type mismatch")));
        }
        c.vm.heap.elem_put_ref(array, index, value);
        return Ok(0);
    };
    if value.is_null() {
        return Err(illegal(c.vm, None));
    }
    let Some((from, bits)) = c.vm.unbox(value) else {
        return Err(illegal(c.vm, Some("argument type mismatch")));
    };
    let index = index_arg(c, array)?;
    let bits = widen(from, prim, bits).ok_or_else(|| illegal(c.vm, Some("argument type mismatch")))?;
    store(c.vm, array, prim, index, bits);
    Ok(0)
}

fn set_as(c: &mut Ctx<'_>, given: Prim) -> Result<u64, Stop> {
    let (array, component) = array_arg(c, true)?;
    let index = index_arg(c, array)?;
    let Kind::Primitive(prim) = c.vm.class(component).kind else {
        return Err(illegal(c.vm, None));
    };
    let bits = widen(given, prim, c.raw(2)).ok_or_else(|| illegal(c.vm, Some("argument type mismatch")))?;
    store(c.vm, array, prim, index, bits);
    Ok(0)
}

/// Dimensions of an array class, 0 for others.
fn dims(vm: &Vm, class: ClassId) -> usize {
    match vm.class(class).kind {
        Kind::Array { dims, .. } => usize::from(dims),
        _ => 0,
    }
}

fn new_array(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let element = c.class(0)?;
    let len = c.int(1);
    if len < 0 {
        return Err(c
            .vm
            .throw("java/lang/NegativeArraySizeException", Some(&len.to_string())));
    }
    if c.vm.class(element).kind == Kind::Primitive(Prim::Void) || dims(c.vm, element) >= MAX_DIMS {
        return Err(illegal(c.vm, None));
    }
    Ok(c.vm.new_ref_array(element, len)?.bits())
}

fn multi_new_array(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let element = c.class(0)?;
    let sizes = c.non_null(1)?;
    let sizes = c.vm.heap.load_ints(sizes).to_vec();
    let total = sizes.len() + dims(c.vm, element);
    if sizes.is_empty() || total > MAX_DIMS || c.vm.class(element).kind == Kind::Primitive(Prim::Void) {
        return Err(illegal(c.vm, None));
    }
    if let Some(negative) = sizes.iter().find(|s| **s < 0) {
        return Err(c.vm.throw(
            "java/lang/NegativeArraySizeException",
            Some(&negative.to_string()),
        ));
    }
    let mut class = element;
    for _ in &sizes {
        class = c.vm.array_class_of(class)?;
    }
    Ok(nested(c.vm, class, &sizes)?.bits())
}

/// An array of arrays, filled down to the last given size.
fn nested(vm: &mut Vm, class: ClassId, sizes: &[i32]) -> Result<ObjRef, Stop> {
    let array = vm.new_array(class, sizes[0])?;
    let Kind::Array { component, .. } = vm.class(class).kind else {
        return Ok(array);
    };
    if sizes.len() > 1 {
        for i in 0..sizes[0] {
            let part = nested(vm, component, &sizes[1..])?;
            vm.heap.elem_put_ref(array, i as u32, part);
        }
    }
    Ok(array)
}

/// The method a Method or Constructor object stands for.
pub fn method_of(vm: &mut Vm, executable: ObjRef) -> Result<MethodId, Stop> {
    let class = vm.class_of(executable);
    let owner: &'static str = match vm.class_name(class) {
        "java/lang/reflect/Method" => "java/lang/reflect/Method",
        _ => "java/lang/reflect/Constructor",
    };
    let mirror = vm.load_ref_field(executable, owner, "clazz");
    let slot = vm.load_int_field(executable, owner, "slot");
    let class = vm.class_of_mirror(mirror);
    let found = vm
        .class(class)
        .methods
        .iter()
        .copied()
        .find(|&m| i32::from(vm.method(m).slot) == slot);
    found.ok_or_else(|| vm.throw("java/lang/InternalError", Some("invoke")))
}

fn get_parameters(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let executable = c.obj(0);
    let method = method_of(c.vm, executable)?;
    let m = c.vm.method(method);
    let Some(file) = c.vm.class(m.class).file else {
        return Ok(0);
    };
    let Some(table) = file.attr(file.methods[usize::from(m.slot)].attrs, "MethodParameters") else {
        return Ok(0);
    };
    let class = c.vm.boot_class(PARAMETER)?;
    c.vm.ensure_initialized(class)?;
    let count = usize::from(table.first().copied().unwrap_or(0));
    for i in 0..count {
        let name = attrs::u2(table, 1 + 4 * i);
        if usize::from(name) >= file.cp.len() {
            return Err(illegal(c.vm, Some("Constant pool index out of bounds")));
        }
        if name != 0 && file.utf8(name).is_none() {
            return Err(illegal(c.vm, Some("Wrong type at constant pool index")));
        }
    }
    let array = c.vm.new_ref_array(class, count as i32)?;
    for i in 0..count {
        let (name, access) = (attrs::u2(table, 1 + 4 * i), attrs::u2(table, 3 + 4 * i));
        let parameter = c.vm.new_object(class)?;
        if let Some(name) = file.utf8(name).filter(|_| name != 0) {
            let name = c.vm.intern_mutf8(name)?;
            c.vm.set_ref_field(parameter, PARAMETER, "name", name);
        }
        c.vm.set_int_field(parameter, PARAMETER, "modifiers", i32::from(access));
        c.vm.set_ref_field(parameter, PARAMETER, "executable", executable);
        c.vm.set_int_field(parameter, PARAMETER, "index", i as i32);
        c.vm.heap.elem_put_ref(array, i as u32, parameter);
    }
    Ok(array.bits())
}

fn executable_type_annotations(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let executable = c.obj(0);
    let method = method_of(c.vm, executable)?;
    let m = c.vm.method(method);
    let Some(file) = c.vm.class(m.class).file else {
        return Ok(0);
    };
    let content = file.attr(
        file.methods[usize::from(m.slot)].attrs,
        "RuntimeVisibleTypeAnnotations",
    );
    Ok(attrs::byte_array(c.vm, content)?.bits())
}

fn field_type_annotations(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let object = c.obj(0);
    let mirror = c.vm.load_ref_field(object, "java/lang/reflect/Field", "clazz");
    let slot = c.vm.load_int_field(object, "java/lang/reflect/Field", "slot");
    let class = c.vm.class_of_mirror(mirror);
    let Some(file) = c.vm.class(class).file else {
        return Ok(0);
    };
    let Some(field) = file.fields.get(slot as usize) else {
        return Ok(0);
    };
    Ok(attrs::byte_array(c.vm, file.attr(field.attrs, "RuntimeVisibleTypeAnnotations"))?.bits())
}
