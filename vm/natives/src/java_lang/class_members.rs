//! Class.getDeclaredFields0 and its like: making java.lang.reflect objects out of class file members.

use crate::java_lang::class::class_array;
use crate::{Native, native};
use poldet_vm::classes::class::acc;
use poldet_vm::classes::{attrs, method_order};
use poldet_vm::classfile::descriptor::{field_type, method_types};
use poldet_vm::classfile::{Attrs, ClassFile};
use poldet_vm::ids::{ClassId, FieldId, MethodId, ObjRef};
use poldet_vm::natives::ctx::Ctx;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const CLASS: &str = "java/lang/Class";
const FIELD: &str = "java/lang/reflect/Field";
const METHOD: &str = "java/lang/reflect/Method";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const COMPONENT: &str = "java/lang/reflect/RecordComponent";

/// Flags `Field.getModifiers` may show.
const FIELD_FLAGS: u16 = 0x50df;
/// Flags `Method.getModifiers` may show.
const METHOD_FLAGS: u16 = 0x1dff;

pub const TABLE: &[Native] = &[
    native(
        CLASS,
        "getDeclaredFields0",
        "(Z)[Ljava/lang/reflect/Field;",
        declared_fields,
    ),
    native(
        CLASS,
        "getDeclaredMethods0",
        "(Z)[Ljava/lang/reflect/Method;",
        declared_methods,
    ),
    native(
        CLASS,
        "getDeclaredConstructors0",
        "(Z)[Ljava/lang/reflect/Constructor;",
        declared_constructors,
    ),
    native(
        CLASS,
        "getRecordComponents0",
        "()[Ljava/lang/reflect/RecordComponent;",
        record_components,
    ),
];

/// The class whose members are asked for, linked; none for arrays and primitives.
fn members_of(c: &mut Ctx<'_>) -> Result<Option<(ClassId, &'static ClassFile)>, Stop> {
    let class = c.vm.class_of_mirror(c.obj(0));
    let Some(file) = c.vm.class(class).file else {
        return Ok(None);
    };
    c.vm.link_class(class)?;
    Ok(Some((class, file)))
}

fn object_array(vm: &mut Vm, element: &'static str, objects: &[ObjRef]) -> Result<u64, Stop> {
    let element = vm.boot_class(element)?;
    let array = vm.new_ref_array(element, objects.len() as i32)?;
    for (i, &o) in objects.iter().enumerate() {
        vm.heap.elem_put_ref(array, i as u32, o);
    }
    Ok(array.bits())
}

fn declared_fields(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let public_only = c.bool(1);
    let mut objects = Vec::new();
    if let Some((class, _)) = members_of(c)? {
        for field in c.vm.class(class).fields.clone() {
            if !public_only || c.vm.field(field).access & acc::PUBLIC != 0 {
                objects.push(new_field(c.vm, field)?);
            }
        }
    }
    object_array(c.vm, FIELD, &objects)
}

fn declared_methods(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let public_only = c.bool(1);
    let mut objects = Vec::new();
    if let Some((class, _)) = members_of(c)? {
        for method in select(c.vm, class, public_only, false) {
            objects.push(new_method(c.vm, method)?);
        }
    }
    object_array(c.vm, METHOD, &objects)
}

fn declared_constructors(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let public_only = c.bool(1);
    let mut objects = Vec::new();
    if let Some((class, _)) = members_of(c)? {
        for method in select(c.vm, class, public_only, true) {
            objects.push(new_constructor(c.vm, method)?);
        }
    }
    object_array(c.vm, CONSTRUCTOR, &objects)
}

/// Declared constructors, or methods other than initialisers.
fn select(vm: &mut Vm, class: ClassId, public_only: bool, constructors: bool) -> Vec<MethodId> {
    let mut methods = method_order::declared(vm, class);
    methods.retain(|&id| {
        let method = vm.method(id);
        let name = vm.syms.bytes(method.name);
        let kind = if constructors {
            name == b"<init>"
        } else {
            name != b"<init>" && name != b"<clinit>"
        };
        kind && (!public_only || method.access & acc::PUBLIC != 0)
    });
    methods
}

/// A java.lang.reflect.Field.
pub fn new_field(vm: &mut Vm, id: FieldId) -> Result<ObjRef, Stop> {
    let class = vm.boot_class(FIELD)?;
    vm.ensure_initialized(class)?;
    let field = vm.field(id);
    let (owner, name, desc, access, slot) = (field.class, field.name, field.desc, field.access, field.slot);
    let trusted = access & acc::FINAL != 0 && (field.trusted_final || access & acc::STATIC != 0);
    let Some(file) = vm.class(owner).file else {
        return Err(Stop::bug("a field without a class file"));
    };
    let attributes = file.fields[usize::from(slot)].attrs;
    let ty = type_class(vm, owner, vm.syms.bytes(desc))?;
    let object = vm.new_object(class)?;
    let name = vm.intern_mutf8(vm.syms.bytes(name))?;
    let signature = signature_string(vm, file, attributes)?;
    let annotations = attrs::byte_array(vm, file.attr(attributes, "RuntimeVisibleAnnotations"))?;
    let (owner, ty) = (vm.mirror(owner), vm.mirror(ty));
    vm.set_ref_field(object, FIELD, "clazz", owner);
    vm.set_ref_field(object, FIELD, "name", name);
    vm.set_ref_field(object, FIELD, "type", ty);
    vm.set_int_field(object, FIELD, "slot", i32::from(slot));
    vm.set_int_field(object, FIELD, "modifiers", i32::from(access & FIELD_FLAGS));
    vm.set_ref_field(object, FIELD, "signature", signature);
    vm.set_ref_field(object, FIELD, "annotations", annotations);
    let at = vm.off(FIELD, "trustedFinal")?;
    vm.heap.put_u8(object, at, u8::from(trusted));
    Ok(object)
}

/// What Method and Constructor objects have in common.
struct Executable {
    file: &'static ClassFile,
    attributes: Attrs,
    clazz: ObjRef,
    parameters: ObjRef,
    returns: ObjRef,
    exceptions: ObjRef,
    signature: ObjRef,
    slot: i32,
    modifiers: i32,
}

fn executable(vm: &mut Vm, id: MethodId) -> Result<Executable, Stop> {
    let method = vm.method(id);
    let (owner, desc, access, slot) = (
        method.class,
        vm.syms.bytes(method.desc),
        method.access,
        method.slot,
    );
    let Some(file) = vm.class(owner).file else {
        return Err(Stop::bug("a method without a class file"));
    };
    let attributes = file.methods[usize::from(slot)].attrs;
    let (parameters, returns) = descriptor_classes(vm, owner, desc)?;
    let exceptions = declared_exceptions(vm, owner, file, attributes)?;
    let parameters = class_array(vm, &parameters)?;
    let exceptions = class_array(vm, &exceptions)?;
    Ok(Executable {
        file,
        attributes,
        clazz: vm.mirror(owner),
        parameters,
        returns: vm.mirror(returns),
        exceptions,
        signature: signature_string(vm, file, attributes)?,
        slot: i32::from(slot),
        modifiers: i32::from(access & METHOD_FLAGS),
    })
}

fn fill_executable(vm: &mut Vm, object: ObjRef, class: &'static str, e: &Executable) -> Result<(), Stop> {
    let annotations = attrs::byte_array(vm, e.file.attr(e.attributes, "RuntimeVisibleAnnotations"))?;
    let on_parameters = e.file.attr(e.attributes, "RuntimeVisibleParameterAnnotations");
    let on_parameters = attrs::byte_array(vm, on_parameters)?;
    vm.set_ref_field(object, class, "clazz", e.clazz);
    vm.set_ref_field(object, class, "parameterTypes", e.parameters);
    vm.set_ref_field(object, class, "exceptionTypes", e.exceptions);
    vm.set_ref_field(object, class, "signature", e.signature);
    vm.set_ref_field(object, class, "annotations", annotations);
    vm.set_ref_field(object, class, "parameterAnnotations", on_parameters);
    vm.set_int_field(object, class, "slot", e.slot);
    vm.set_int_field(object, class, "modifiers", e.modifiers);
    Ok(())
}

/// A java.lang.reflect.Method.
pub fn new_method(vm: &mut Vm, id: MethodId) -> Result<ObjRef, Stop> {
    let class = vm.boot_class(METHOD)?;
    vm.ensure_initialized(class)?;
    let e = executable(vm, id)?;
    let object = vm.new_object(class)?;
    fill_executable(vm, object, METHOD, &e)?;
    let name = vm.intern_mutf8(vm.syms.bytes(vm.method(id).name))?;
    let default = attrs::byte_array(vm, e.file.attr(e.attributes, "AnnotationDefault"))?;
    vm.set_ref_field(object, METHOD, "name", name);
    vm.set_ref_field(object, METHOD, "returnType", e.returns);
    vm.set_ref_field(object, METHOD, "annotationDefault", default);
    Ok(object)
}

/// A java.lang.reflect.Constructor.
pub fn new_constructor(vm: &mut Vm, id: MethodId) -> Result<ObjRef, Stop> {
    let class = vm.boot_class(CONSTRUCTOR)?;
    vm.ensure_initialized(class)?;
    let e = executable(vm, id)?;
    let object = vm.new_object(class)?;
    fill_executable(vm, object, CONSTRUCTOR, &e)?;
    Ok(object)
}

fn signature_string(vm: &mut Vm, file: &'static ClassFile, attributes: Attrs) -> Result<ObjRef, Stop> {
    match attrs::signature(file, attributes) {
        Some(text) => vm.new_string_mutf8(text),
        None => Ok(ObjRef::NULL),
    }
}

/// The class of a field descriptor as `owner`'s loader sees it.
fn type_class(vm: &mut Vm, owner: ClassId, desc: &[u8]) -> Result<ClassId, Stop> {
    let loader = vm.class(owner).loader;
    match field_type(desc) {
        Some(ty) => vm.class_for_type(ty, loader),
        None => Err(Stop::bug("a malformed field descriptor in a loaded class")),
    }
}

/// Parameter and return classes of a method descriptor.
pub fn descriptor_classes(vm: &mut Vm, owner: ClassId, desc: &[u8]) -> Result<(Vec<ClassId>, ClassId), Stop> {
    let Some((parameters, returns)) = method_types(desc) else {
        return Err(Stop::bug("a malformed method descriptor in a loaded class"));
    };
    let loader = vm.class(owner).loader;
    let mut classes = Vec::with_capacity(parameters.len());
    for ty in parameters {
        classes.push(vm.class_for_type(ty, loader)?);
    }
    let returns = vm.class_for_type(returns, loader)?;
    Ok((classes, returns))
}

/// Classes of the Exceptions attribute.
fn declared_exceptions(
    vm: &mut Vm,
    owner: ClassId,
    file: &'static ClassFile,
    attributes: Attrs,
) -> Result<Vec<ClassId>, Stop> {
    let Some(table) = file.attr(attributes, "Exceptions") else {
        return Ok(vec![]);
    };
    let mut classes = Vec::new();
    for index in attrs::u2_table(table) {
        classes.push(super::class_at(vm, owner, index)?);
    }
    Ok(classes)
}

fn record_components(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class_of_mirror(c.obj(0));
    let Some(file) = c.vm.class(class).file else {
        return Ok(0);
    };
    let Some(table) = file.attr(file.attrs, "Record") else {
        return Ok(0);
    };
    let mut objects = Vec::new();
    let mut at = 2;
    for _ in 0..attrs::u2(table, 0) {
        let (name, desc, count) = (
            attrs::u2(table, at),
            attrs::u2(table, at + 2),
            attrs::u2(table, at + 4),
        );
        // A component's attribute table lies inside the file's bytes like every other one.
        let start = table.as_ptr() as usize - file.bytes.as_ptr() as usize + at + 6;
        let attributes = Attrs {
            at: start as u32,
            count,
        };
        objects.push(new_component(c.vm, class, file, (name, desc), attributes)?);
        at += 6;
        for _ in 0..count {
            let length = usize::from(attrs::u2(table, at + 2)) << 16 | usize::from(attrs::u2(table, at + 4));
            at += 6 + length;
        }
    }
    object_array(c.vm, COMPONENT, &objects)
}

fn new_component(
    vm: &mut Vm,
    owner: ClassId,
    file: &'static ClassFile,
    (name, desc): (u16, u16),
    attributes: Attrs,
) -> Result<ObjRef, Stop> {
    let class = vm.boot_class(COMPONENT)?;
    vm.ensure_initialized(class)?;
    let (name, desc) = (file.utf8(name).unwrap_or(b""), file.utf8(desc).unwrap_or(b""));
    let ty = type_class(vm, owner, desc)?;
    let accessor_desc = [b"()", desc].concat();
    let key = (vm.syms.intern(name), vm.syms.intern(&accessor_desc));
    let accessor = vm.class(owner).method_index.get(&key).copied();
    let accessor = match accessor.filter(|&m| !vm.method(m).is_static()) {
        Some(method) => new_method(vm, method)?,
        None => ObjRef::NULL,
    };
    let object = vm.new_object(class)?;
    let name = vm.intern_mutf8(vm.syms.bytes(key.0))?;
    let signature = signature_string(vm, file, attributes)?;
    let annotations = attrs::byte_array(vm, file.attr(attributes, "RuntimeVisibleAnnotations"))?;
    let on_types = attrs::byte_array(vm, file.attr(attributes, "RuntimeVisibleTypeAnnotations"))?;
    let (owner, ty) = (vm.mirror(owner), vm.mirror(ty));
    vm.set_ref_field(object, COMPONENT, "clazz", owner);
    vm.set_ref_field(object, COMPONENT, "name", name);
    vm.set_ref_field(object, COMPONENT, "type", ty);
    vm.set_ref_field(object, COMPONENT, "accessor", accessor);
    vm.set_ref_field(object, COMPONENT, "signature", signature);
    vm.set_ref_field(object, COMPONENT, "annotations", annotations);
    vm.set_ref_field(object, COMPONENT, "typeAnnotations", on_types);
    Ok(object)
}
