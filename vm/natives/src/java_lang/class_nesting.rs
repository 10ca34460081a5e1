//! How classes nest: members, enclosing methods, nests, sealed hierarchies and records.

use crate::java_lang::class::class_array;
use crate::java_lang::class_at;
use crate::{Native, native};
use poldet_vm::classes::attrs;
use poldet_vm::classes::class::{Kind, acc};
use poldet_vm::ids::ClassId;
use poldet_vm::natives::ctx::{Ctx, boolean};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const CLASS: &str = "java/lang/Class";

pub const TABLE: &[Native] = &[
    native(
        CLASS,
        "getDeclaringClass0",
        "()Ljava/lang/Class;",
        declaring_class,
    ),
    native(
        CLASS,
        "getDeclaredClasses0",
        "()[Ljava/lang/Class;",
        declared_classes,
    ),
    native(
        CLASS,
        "getEnclosingMethod0",
        "()[Ljava/lang/Object;",
        enclosing_method,
    ),
    native(
        CLASS,
        "getSimpleBinaryName0",
        "()Ljava/lang/String;",
        simple_binary_name,
    ),
    native(CLASS, "getNestHost0", "()Ljava/lang/Class;", nest_host),
    native(CLASS, "getNestMembers0", "()[Ljava/lang/Class;", nest_members),
    native(
        CLASS,
        "getPermittedSubclasses0",
        "()[Ljava/lang/Class;",
        permitted_subclasses,
    ),
    native(CLASS, "isRecord0", "()Z", is_record).leaf(),
];

fn this(c: &Ctx<'_>) -> ClassId {
    c.vm.class_of_mirror(c.obj(0))
}

/// Does this Class constant of `of` name `class`?
fn names(vm: &Vm, of: ClassId, index: u16, class: ClassId) -> bool {
    let Some(file) = vm.class(of).file else {
        return false;
    };
    if of == class && index == file.this_class {
        return true;
    }
    file.class_name(index) == Some(vm.syms.bytes(vm.class(class).name))
}

/// The class's own InnerClasses entry: (outer class, simple name), as constant pool indices.
fn own_entry(vm: &mut Vm, class: ClassId) -> Result<Option<(u16, u16)>, Stop> {
    let Some(file) = vm.class(class).file else {
        return Ok(None);
    };
    for entry in attrs::inner_classes(file) {
        if entry.inner != 0
            && names(vm, class, entry.inner, class)
            && class_at(vm, class, entry.inner)? == class
        {
            return Ok(Some((entry.outer, entry.name)));
        }
    }
    Ok(None)
}

/// The class around this one, and whether this is a member of it (not local or anonymous).
fn enclosing_class(vm: &mut Vm, class: ClassId) -> Result<Option<(ClassId, bool)>, Stop> {
    let Some(file) = vm.class(class).file else {
        return Ok(None);
    };
    let Some((outer, _)) = own_entry(vm, class)? else {
        return Ok(None);
    };
    let (index, member) = match outer {
        0 => (
            file.attr(file.attrs, "EnclosingMethod")
                .map_or(0, |a| attrs::u2(a, 0)),
            false,
        ),
        index => (index, true),
    };
    if index == 0 {
        return Ok(None);
    }
    let outer = class_at(vm, class, index)?;
    check_inner(vm, outer, class, member)?;
    Ok(Some((outer, member)))
}

/// Both classes must agree that one is inside the other, else a class could claim to be inside any other.
fn check_inner(vm: &mut Vm, outer: ClassId, inner: ClassId, member: bool) -> Result<(), Stop> {
    if let Some(file) = vm.class(outer).file {
        for e in attrs::inner_classes(file) {
            if e.inner == 0 || !names(vm, outer, e.inner, inner) {
                continue;
            }
            let fits = if member {
                e.outer != 0 && names(vm, outer, e.outer, outer) && class_at(vm, outer, e.outer)? == outer
            } else {
                e.outer == 0
            };
            if fits && class_at(vm, outer, e.inner)? == inner {
                return Ok(());
            }
        }
    }
    let message = format!(
        "{} and {} disagree on InnerClasses attribute",
        vm.java_name(outer),
        vm.java_name(inner)
    );
    Err(vm.throw("java/lang/IncompatibleClassChangeError", Some(&message)))
}

fn declaring_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    match enclosing_class(c.vm, class)? {
        Some((outer, true)) => Ok(c.vm.mirror(outer).bits()),
        _ => Ok(0),
    }
}

fn declared_classes(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    let mut members = Vec::new();
    if let Some(file) = c.vm.class(class).file {
        for e in attrs::inner_classes(file) {
            if e.inner == 0 || e.outer == 0 || !names(c.vm, class, e.outer, class) {
                continue;
            }
            if class_at(c.vm, class, e.outer)? == class {
                let inner = class_at(c.vm, class, e.inner)?;
                check_inner(c.vm, class, inner, true)?;
                members.push(inner);
            }
        }
    }
    Ok(class_array(c.vm, &members)?.bits())
}

fn enclosing_method(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    let Some(file) = c.vm.class(class).file else {
        return Ok(0);
    };
    let Some(content) = file.attr(file.attrs, "EnclosingMethod") else {
        return Ok(0);
    };
    let (class_index, method) = (attrs::u2(content, 0), attrs::u2(content, 2));
    if class_index == 0 {
        return Ok(0);
    }
    let enclosing = class_at(c.vm, class, class_index)?;
    let object = c.vm.known.object;
    let array = c.vm.new_ref_array(object, 3)?;
    let mirror = c.vm.mirror(enclosing);
    c.vm.heap.elem_put_ref(array, 0, mirror);
    if let Some((name, desc)) = file.name_and_type(method).filter(|_| method != 0) {
        let name = c.vm.new_string_mutf8(name)?;
        c.vm.heap.elem_put_ref(array, 1, name);
        let desc = c.vm.new_string_mutf8(desc)?;
        c.vm.heap.elem_put_ref(array, 2, desc);
    }
    Ok(array.bits())
}

fn simple_binary_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    let Some(file) = c.vm.class(class).file else {
        return Ok(0);
    };
    match own_entry(c.vm, class)? {
        Some((_, name)) if name != 0 => Ok(c.vm.new_string_mutf8(file.utf8(name).unwrap_or(b""))?.bits()),
        _ => Ok(0),
    }
}

fn nest_host(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    let host = if c.vm.class(class).kind == Kind::Instance {
        c.vm.nest_host(class)?
    } else {
        class
    };
    Ok(c.vm.mirror(host).bits())
}

fn nest_members(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    if c.vm.class(class).kind != Kind::Instance {
        return Ok(class_array(c.vm, &[class])?.bits());
    }
    let host = c.vm.nest_host(class)?;
    let mut members = vec![host];
    if let Some(file) = c.vm.class(host).file {
        for index in attrs::u2_table(file.attr(file.attrs, "NestMembers").unwrap_or(&[])) {
            let member = match class_at(c.vm, host, index) {
                Ok(member) => member,
                // A member that cannot be loaded is left out.
                Err(Stop::Throw(_)) => continue,
                Err(stop) => return Err(stop),
            };
            if c.vm.class(member).kind == Kind::Instance && c.vm.nest_host(member)? == host {
                members.push(member);
            }
        }
    }
    Ok(class_array(c.vm, &members)?.bits())
}

fn permitted_subclasses(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = this(c);
    let Some(file) = c.vm.class(class).file else {
        return Ok(0);
    };
    let Some(table) = file.attr(file.attrs, "PermittedSubclasses") else {
        return Ok(0);
    };
    let mut classes = Vec::new();
    for index in attrs::u2_table(table) {
        match class_at(c.vm, class, index) {
            Ok(permitted) if c.vm.class(permitted).kind == Kind::Instance => classes.push(permitted),
            Ok(_) | Err(Stop::Throw(_)) => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(class_array(c.vm, &classes)?.bits())
}

fn is_record(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.class(this(c));
    let Some(file) = class.file else { return Ok(0) };
    let of_record = class
        .super_class
        .is_some_and(|s| c.vm.class_name(s) == "java/lang/Record");
    let record = file.attr(file.attrs, "Record").is_some();
    Ok(boolean(of_record && record && class.access & acc::FINAL != 0))
}
