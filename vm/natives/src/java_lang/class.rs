//! java.lang.Class: names, kinds, supertypes and lookup. Members are in `class_members`, nesting in `class_nesting`.

use crate::{Native, native};
use poldet_vm::classes::attrs::{self, modifiers};
use poldet_vm::classes::class::Kind;
use poldet_vm::classfile::descriptor::{Prim, Type, field_type};
use poldet_vm::ids::{ClassId, LoaderId, ObjRef};
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const CLASS: &str = "java/lang/Class";

pub const TABLE: &[Native] = &[
    native(CLASS, "registerNatives", "()V", super::nothing).leaf(),
    native(
        CLASS,
        "forName0",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        for_name,
    ),
    native(
        CLASS,
        "getPrimitiveClass",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        primitive_class,
    ),
    native(CLASS, "isInstance", "(Ljava/lang/Object;)Z", is_instance).leaf(),
    native(
        CLASS,
        "isAssignableFrom",
        "(Ljava/lang/Class;)Z",
        is_assignable_from,
    )
    .leaf(),
    native(CLASS, "isInterface", "()Z", is_interface).leaf(),
    native(CLASS, "isArray", "()Z", is_array).leaf(),
    native(CLASS, "isPrimitive", "()Z", is_primitive).leaf(),
    native(CLASS, "isHidden", "()Z", is_hidden).leaf(),
    native(CLASS, "initClassName", "()Ljava/lang/String;", init_class_name),
    native(CLASS, "getSuperclass", "()Ljava/lang/Class;", superclass).leaf(),
    native(CLASS, "getInterfaces0", "()[Ljava/lang/Class;", interfaces),
    native(CLASS, "getModifiers", "()I", get_modifiers).leaf(),
    native(CLASS, "getClassAccessFlagsRaw0", "()I", raw_access_flags).leaf(),
    native(CLASS, "getClassFileVersion0", "()I", file_version).leaf(),
    native(CLASS, "getSigners", "()[Ljava/lang/Object;", get_signers),
    native(CLASS, "setSigners", "([Ljava/lang/Object;)V", set_signers),
    native(
        CLASS,
        "getProtectionDomain0",
        "()Ljava/security/ProtectionDomain;",
        protection_domain,
    )
    .leaf(),
    native(
        CLASS,
        "getGenericSignature0",
        "()Ljava/lang/String;",
        generic_signature,
    ),
    native(CLASS, "getRawAnnotations", "()[B", raw_annotations),
    native(CLASS, "getRawTypeAnnotations", "()[B", raw_type_annotations),
    native(
        CLASS,
        "getConstantPool",
        "()Ljdk/internal/reflect/ConstantPool;",
        constant_pool,
    ),
    native(
        CLASS,
        "desiredAssertionStatus0",
        "(Ljava/lang/Class;)Z",
        desired_assertion_status,
    )
    .leaf(),
];

fn this(c: &Ctx<'_>) -> ClassId {
    c.vm.class_of_mirror(c.obj(0))
}

fn for_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    let initialize = c.bool(1);
    let loader_object = c.obj(2);
    let loader = c.vm.loader_of(loader_object);
    let class = class_for_name(c.vm, loader, &name)?;
    if initialize {
        c.vm.ensure_initialized(class)?;
    }
    Ok(c.vm.mirror(class).bits())
}

/// A class by the name `Class.getName` gives it, with the checks `Class.forName` makes of that name.
fn class_for_name(vm: &mut Vm, loader: LoaderId, name: &str) -> Result<ClassId, Stop> {
    if name.contains('/') {
        return Err(vm.throw("java/lang/ClassNotFoundException", Some(name)));
    }
    let internal = name.replace('.', "/");
    let well_formed = if internal.starts_with('[') {
        matches!(field_type(internal.as_bytes()), Some(Type::Ref(_)))
    } else {
        !internal.is_empty()
            && !internal.contains([';', '['])
            && internal.split('/').all(|part| !part.is_empty())
            && internal.len() <= usize::from(u16::MAX)
    };
    if !well_formed {
        return Err(vm.throw("java/lang/ClassNotFoundException", Some(&internal)));
    }
    let sym = vm.sym(&internal);
    if loader == LoaderId::BOOT && !internal.starts_with('[') {
        return match vm.load_boot(sym)? {
            Some(class) => Ok(class),
            None => Err(vm.throw("java/lang/ClassNotFoundException", Some(&internal))),
        };
    }
    vm.load_class_for_name(loader, sym)
}

fn primitive_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    match Prim::ALL.into_iter().find(|p| p.name() == name) {
        Some(prim) => {
            let class = c.vm.prim_class(prim);
            Ok(c.vm.mirror(class).bits())
        }
        None => Err(c.vm.throw("java/lang/ClassNotFoundException", Some(&name))),
    }
}

fn is_instance(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let o = c.obj(1);
    Ok(boolean(!o.is_null() && c.vm.instance_of(o, this(c))))
}

fn is_assignable_from(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let other = c.class(1)?;
    let this = this(c);
    if c.vm.class(this).is_primitive() || c.vm.class(other).is_primitive() {
        return Ok(boolean(this == other));
    }
    Ok(boolean(c.vm.is_subclass(other, this)))
}

fn is_interface(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class(this(c));
    Ok(boolean(class.kind == Kind::Instance && class.is_interface()))
}

fn is_array(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(c.vm.class(this(c)).is_array()))
}

fn is_primitive(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(c.vm.class(this(c)).is_primitive()))
}

fn is_hidden(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(c.vm.class(this(c)).hidden))
}

fn init_class_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    Ok(name_string(c.vm, class)?.bits())
}

/// The interned name of a class, remembered in `Class.name`.
pub fn name_string(vm: &mut Vm, class: ClassId) -> Result<ObjRef, Stop> {
    let mirror = vm.mirror(class);
    let known = vm.heap.load_ref(mirror, vm.known.class_name);
    if !known.is_null() {
        return Ok(known);
    }
    let name = vm.java_name(class);
    let string = vm.intern_str(&name)?;
    vm.heap.put_ref(mirror, vm.known.class_name, string);
    Ok(string)
}

fn superclass(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class(this(c));
    let superclass = match class.kind {
        Kind::Primitive(_) => None,
        Kind::Array { .. } => Some(c.vm.known.object),
        Kind::Instance if class.is_interface() => None,
        Kind::Instance => class.super_class,
    };
    Ok(superclass.map_or(0, |s| c.vm.mirror(s).bits()))
}

fn interfaces(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class(this(c));
    let list = match class.kind {
        Kind::Primitive(_) => vec![],
        Kind::Array { .. } => vec![c.vm.known.cloneable, c.vm.known.serializable],
        Kind::Instance => class.interfaces.clone(),
    };
    Ok(class_array(c.vm, &list)?.bits())
}

/// A `Class[]` of these classes' mirrors.
pub fn class_array(vm: &mut Vm, classes: &[ClassId]) -> Result<ObjRef, Stop> {
    let element = vm.known.class;
    let array = vm.new_ref_array(element, classes.len() as i32)?;
    for (i, &class) in classes.iter().enumerate() {
        let mirror = vm.mirror(class);
        vm.heap.elem_put_ref(array, i as u32, mirror);
    }
    Ok(array)
}

fn get_modifiers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(i32::from(modifiers(c.vm, this(c)))))
}

/// The flags of the class file itself.
pub fn access_flags(vm: &Vm, id: ClassId) -> u16 {
    let class = vm.class(id);
    match class.kind {
        Kind::Instance => class.access & 0x7fff,
        _ => modifiers(vm, id),
    }
}

fn raw_access_flags(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(i32::from(access_flags(c.vm, this(c)))))
}

fn file_version(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class(this(c));
    let version = class
        .file
        .map_or(0, |f| i32::from(f.minor) << 16 | i32::from(f.major));
    Ok(int(version))
}

fn get_signers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let signers = c.vm.class(this(c)).signers;
    // The caller gets a copy: the array is the VM's own.
    if signers.is_null() {
        Ok(0)
    } else {
        Ok(c.vm.clone_object(signers)?.bits())
    }
}

fn set_signers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (id, signers) = (this(c), c.obj(1));
    let class = c.vm.class_mut(id);
    if class.kind == Kind::Instance {
        class.signers = signers;
    }
    Ok(0)
}

fn protection_domain(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.class(this(c)).protection_domain.bits())
}

fn generic_signature(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let Some(file) = c.vm.class(this(c)).file else {
        return Ok(0);
    };
    match attrs::signature(file, file.attrs) {
        Some(text) => Ok(c.vm.new_string_mutf8(text)?.bits()),
        None => Ok(0),
    }
}

fn raw_annotations(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    class_attribute(c, "RuntimeVisibleAnnotations")
}

fn raw_type_annotations(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    class_attribute(c, "RuntimeVisibleTypeAnnotations")
}

fn class_attribute(c: &mut Ctx<'_>, name: &str) -> Result<u64, Stop> {
    let Some(file) = c.vm.class(this(c)).file else {
        return Ok(0);
    };
    Ok(attrs::byte_array(c.vm, file.attr(file.attrs, name))?.bits())
}

fn constant_pool(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    if c.vm.class(class).file.is_none() {
        return Ok(0);
    }
    let pool = c.vm.boot_class("jdk/internal/reflect/ConstantPool")?;
    c.vm.ensure_initialized(pool)?;
    let object = c.vm.new_object(pool)?;
    let mirror = c.vm.mirror(class);
    c.vm.set_ref_field(
        object,
        "jdk/internal/reflect/ConstantPool",
        "constantPoolOop",
        mirror,
    );
    Ok(object.bits())
}

/// `-ea` is for classes of loaders other than the boot loader.
fn desired_assertion_status(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(0)?;
    let user = c.vm.class(class).loader != LoaderId::BOOT;
    Ok(boolean(user && c.vm.config.assertions))
}
