//! jdk.internal.reflect.ConstantPool. The `constantPoolOop` handed around is the class's mirror.

use crate::java_lang::class_at;
use crate::java_lang::class_members::{new_constructor, new_field, new_method};
use crate::java_lang_reflect::illegal;
use crate::{Native, native};
use poldet_vm::classfile::{ClassFile, tag};
use poldet_vm::ids::{ClassId, LoaderId, ObjRef};
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const POOL: &str = "jdk/internal/reflect/ConstantPool";

pub const TABLE: &[Native] = &[
    native(POOL, "getSize0", "(Ljava/lang/Object;)I", size),
    native(
        POOL,
        "getClassAt0",
        "(Ljava/lang/Object;I)Ljava/lang/Class;",
        class,
    ),
    native(
        POOL,
        "getClassAtIfLoaded0",
        "(Ljava/lang/Object;I)Ljava/lang/Class;",
        class_if_loaded,
    ),
    native(
        POOL,
        "getClassRefIndexAt0",
        "(Ljava/lang/Object;I)I",
        class_ref_index,
    ),
    native(
        POOL,
        "getMethodAt0",
        "(Ljava/lang/Object;I)Ljava/lang/reflect/Member;",
        method,
    ),
    native(
        POOL,
        "getMethodAtIfLoaded0",
        "(Ljava/lang/Object;I)Ljava/lang/reflect/Member;",
        method_if_loaded,
    ),
    native(
        POOL,
        "getFieldAt0",
        "(Ljava/lang/Object;I)Ljava/lang/reflect/Field;",
        field,
    ),
    native(
        POOL,
        "getFieldAtIfLoaded0",
        "(Ljava/lang/Object;I)Ljava/lang/reflect/Field;",
        field_if_loaded,
    ),
    native(
        POOL,
        "getMemberRefInfoAt0",
        "(Ljava/lang/Object;I)[Ljava/lang/String;",
        member_info,
    ),
    native(
        POOL,
        "getNameAndTypeRefIndexAt0",
        "(Ljava/lang/Object;I)I",
        name_and_type_index,
    ),
    native(
        POOL,
        "getNameAndTypeRefInfoAt0",
        "(Ljava/lang/Object;I)[Ljava/lang/String;",
        name_and_type_info,
    ),
    native(POOL, "getIntAt0", "(Ljava/lang/Object;I)I", |c| {
        word(c, tag::INTEGER)
    }),
    native(POOL, "getFloatAt0", "(Ljava/lang/Object;I)F", |c| {
        word(c, tag::FLOAT)
    }),
    native(POOL, "getLongAt0", "(Ljava/lang/Object;I)J", |c| {
        long_word(c, tag::LONG)
    }),
    native(POOL, "getDoubleAt0", "(Ljava/lang/Object;I)D", |c| {
        long_word(c, tag::DOUBLE)
    }),
    native(
        POOL,
        "getStringAt0",
        "(Ljava/lang/Object;I)Ljava/lang/String;",
        string,
    ),
    native(
        POOL,
        "getUTF8At0",
        "(Ljava/lang/Object;I)Ljava/lang/String;",
        utf8,
    ),
    native(POOL, "getTagAt0", "(Ljava/lang/Object;I)B", tag_at),
];

/// The pool asked: its class and class file.
fn pool(c: &mut Ctx<'_>) -> Result<(ClassId, &'static ClassFile), Stop> {
    let class = c.class(1)?;
    match c.vm.class(class).file {
        Some(file) => Ok((class, file)),
        None => Err(illegal(c.vm, None)),
    }
}

/// The pool and an index into it, checked.
fn entry(c: &mut Ctx<'_>) -> Result<(ClassId, &'static ClassFile, u16), Stop> {
    let (class, file) = pool(c)?;
    match u16::try_from(c.int(2)) {
        Ok(index) if index != 0 && index < file.cp_len() => Ok((class, file, index)),
        _ => Err(illegal(c.vm, Some("Constant pool index out of bounds"))),
    }
}

fn wrong_type(vm: &mut Vm) -> Stop {
    illegal(vm, Some("Wrong type at constant pool index"))
}

/// Like `entry`, for an entry of one of these kinds.
fn entry_of(c: &mut Ctx<'_>, tags: &[u8]) -> Result<(ClassId, &'static ClassFile, u16), Stop> {
    let found = entry(c)?;
    if tags.contains(&found.1.tag(found.2)) {
        Ok(found)
    } else {
        Err(wrong_type(c.vm))
    }
}

/// A u2 inside the entry, counted from its tag.
fn operand(file: &ClassFile, index: u16, at: usize) -> u16 {
    let start = file.cp[usize::from(index)] as usize + at;
    poldet_vm::classes::attrs::u2(file.bytes, start)
}

fn size(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file) = pool(c)?;
    Ok(u64::from(file.cp_len()))
}

fn class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, _, index) = entry_of(c, &[tag::CLASS])?;
    let class = class_at(c.vm, owner, index)?;
    Ok(c.vm.mirror(class).bits())
}

/// The class an entry names, if its loader has it already.
fn loaded(vm: &mut Vm, owner: ClassId, file: &'static ClassFile, index: u16) -> Option<ClassId> {
    let loader: LoaderId = vm.class(owner).loader;
    let name = vm.syms.get(file.class_name(index)?)?;
    vm.find_loaded(loader, name)
}

fn class_if_loaded(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, file, index) = entry_of(c, &[tag::CLASS])?;
    Ok(loaded(c.vm, owner, file, index).map_or(0, |class| c.vm.mirror(class).bits()))
}

const MEMBERS: &[u8] = &[tag::FIELD, tag::METHOD, tag::INTERFACE_METHOD];
const METHODS: &[u8] = &[tag::METHOD, tag::INTERFACE_METHOD];

fn class_ref_index(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, MEMBERS)?;
    Ok(u64::from(operand(file, index, 1)))
}

fn name_and_type_index(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(
        c,
        &[
            tag::FIELD,
            tag::METHOD,
            tag::INTERFACE_METHOD,
            tag::DYNAMIC,
            tag::INVOKE_DYNAMIC,
        ],
    )?;
    Ok(u64::from(operand(file, index, 3)))
}

fn method(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, file, index) = entry_of(c, METHODS)?;
    let class = class_at(c.vm, owner, operand(file, index, 1))?;
    c.vm.link_class(class)?;
    method_object(c, class, file, index)
}

fn method_if_loaded(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, file, index) = entry_of(c, METHODS)?;
    match loaded(c.vm, owner, file, operand(file, index, 1)) {
        Some(class) => method_object(c, class, file, index),
        None => Ok(0),
    }
}

fn method_object(c: &mut Ctx<'_>, class: ClassId, file: &'static ClassFile, index: u16) -> Result<u64, Stop> {
    let Some((_, name, desc)) = file.member(index) else {
        return Err(wrong_type(c.vm));
    };
    let key = (c.vm.syms.intern(name), c.vm.syms.intern(desc));
    let Some(method) = c.vm.lookup_method(class, key.0, key.1) else {
        return Err(c.vm.throw(
            "java/lang/RuntimeException",
            Some("Unable to look up method in target class"),
        ));
    };
    let object = if name == b"<init>" {
        new_constructor(c.vm, method)?
    } else {
        new_method(c.vm, method)?
    };
    Ok(object.bits())
}

fn field(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, file, index) = entry_of(c, &[tag::FIELD])?;
    let class = class_at(c.vm, owner, operand(file, index, 1))?;
    c.vm.link_class(class)?;
    field_object(c, class, file, index)
}

fn field_if_loaded(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (owner, file, index) = entry_of(c, &[tag::FIELD])?;
    match loaded(c.vm, owner, file, operand(file, index, 1)) {
        Some(class) => field_object(c, class, file, index),
        None => Ok(0),
    }
}

fn field_object(c: &mut Ctx<'_>, class: ClassId, file: &'static ClassFile, index: u16) -> Result<u64, Stop> {
    let Some((_, name, desc)) = file.member(index) else {
        return Err(wrong_type(c.vm));
    };
    let (name, desc) = (c.vm.syms.intern(name), c.vm.syms.intern(desc));
    match c.vm.find_field_sym(class, name, Some(desc)) {
        Some(field) => Ok(new_field(c.vm, field)?.bits()),
        None => Err(c.vm.throw(
            "java/lang/RuntimeException",
            Some("Unable to look up field in target class"),
        )),
    }
}

fn strings(vm: &mut Vm, texts: &[&[u8]]) -> Result<ObjRef, Stop> {
    let element = vm.known.string;
    let array = vm.new_ref_array(element, texts.len() as i32)?;
    for (i, text) in texts.iter().enumerate() {
        let string = vm.new_string_mutf8(text)?;
        vm.heap.elem_put_ref(array, i as u32, string);
    }
    Ok(array)
}

fn member_info(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, MEMBERS)?;
    let Some((class, name, desc)) = file.member(index) else {
        return Err(wrong_type(c.vm));
    };
    let class = file.class_name(class).unwrap_or(b"");
    Ok(strings(c.vm, &[class, name, desc])?.bits())
}

fn name_and_type_info(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, &[tag::NAME_AND_TYPE])?;
    let Some((name, desc)) = file.name_and_type(index) else {
        return Err(wrong_type(c.vm));
    };
    Ok(strings(c.vm, &[name, desc])?.bits())
}

fn word(c: &mut Ctx<'_>, tag: u8) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, &[tag])?;
    Ok(u64::from(file.word(index).unwrap_or(0)))
}

fn long_word(c: &mut Ctx<'_>, tag: u8) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, &[tag])?;
    Ok(file.long(index).unwrap_or(0))
}

fn string(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, &[tag::STRING])?;
    Ok(c.vm.intern_mutf8(file.string(index).unwrap_or(b""))?.bits())
}

fn utf8(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry_of(c, &[tag::UTF8])?;
    Ok(c.vm.new_string_mutf8(file.utf8(index).unwrap_or(b""))?.bits())
}

fn tag_at(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (_, file, index) = entry(c)?;
    Ok(int(i32::from(file.tag(index))))
}
