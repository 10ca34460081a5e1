//! Natives of sun.instrument.

use crate::{Native, native};
use poldet_vm::agents::BAD_JAR;
use poldet_vm::classes::class::Kind;
use poldet_vm::heap::FIELDS;
use poldet_vm::ids::{ClassId, ObjRef};
use poldet_vm::instrument::{Agent, IMPL};
use poldet_vm::natives::ctx::{Ctx, boolean, long};
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

pub const TABLE: &[Native] = &[
    native(IMPL, "isModifiableClass0", "(JLjava/lang/Class;)Z", is_modifiable),
    native(
        IMPL,
        "isRetransformClassesSupported0",
        "(J)Z",
        retransform_supported,
    ),
    native(IMPL, "setHasTransformers", "(JZ)V", set_has_transformers),
    native(
        IMPL,
        "setHasRetransformableTransformers",
        "(JZ)V",
        set_has_retransformable,
    ),
    native(IMPL, "retransformClasses0", "(J[Ljava/lang/Class;)V", retransform),
    native(
        IMPL,
        "redefineClasses0",
        "(J[Ljava/lang/instrument/ClassDefinition;)V",
        redefine,
    ),
    native(IMPL, "getAllLoadedClasses0", "(J)[Ljava/lang/Class;", all_loaded),
    native(
        IMPL,
        "getInitiatedClasses0",
        "(JLjava/lang/ClassLoader;)[Ljava/lang/Class;",
        initiated,
    ),
    native(IMPL, "getObjectSize0", "(JLjava/lang/Object;)J", object_size),
    native(
        IMPL,
        "appendToClassLoaderSearch0",
        "(JLjava/lang/String;Z)V",
        append_to_search,
    ),
    native(
        IMPL,
        "setNativeMethodPrefixes",
        "(J[Ljava/lang/String;Z)V",
        native_prefixes,
    ),
    native(IMPL, "loadAgent0", "(Ljava/lang/String;)V", load_agent_native),
];

fn load_agent_native(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let path = c.string(0)?;
    match c.vm.load_agent(&path)? {
        0 => Ok(0),
        BAD_JAR => Err(c.vm.throw(
            "java/lang/InternalError",
            Some("Agent JAR not found or no Agent-Class attribute"),
        )),
        _ => Err(c
            .vm
            .throw("java/lang/InternalError", Some("Agent failed to initialize"))),
    }
}

/// The agent a native was called for: all have its number behind the receiver.
fn agent<'a>(c: &'a mut Ctx<'_>) -> Result<&'a mut Agent, Stop> {
    let number = c.long(1);
    let at = usize::try_from(number - 1).ok();
    at.and_then(|at| c.vm.instrument.agents.get_mut(at))
        .ok_or_else(|| Stop::bug("no such agent"))
}

fn is_modifiable(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(3)?;
    Ok(boolean(c.vm.is_modifiable(class)))
}

fn retransform_supported(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(agent(c)?.can_retransform))
}

fn set_has_transformers(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let has = c.bool(3);
    agent(c)?.plain = has;
    Ok(0)
}

fn set_has_retransformable(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let has = c.bool(3);
    agent(c)?.again = has;
    Ok(0)
}

fn unmodifiable(vm: &mut Vm) -> Stop {
    vm.throw("java/lang/instrument/UnmodifiableClassException", None)
}

fn retransform(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let array = c.non_null(3)?;
    let start = |vm: &mut Vm| {
        let mut wanted = Vec::new();
        for i in 0..vm.heap.array_len(array) {
            let mirror = vm.heap.elem_load_ref(array, i);
            if mirror.is_null() {
                return Err(vm.throw("java/lang/NullPointerException", None));
            }
            let class = vm.class_of_mirror(mirror);
            if !vm.is_modifiable(class) {
                return Err(unmodifiable(vm));
            }
            let base = match vm.instrument.bases.get(&class) {
                Some(base) => base.clone(),
                None => vm.class(class).file.map_or(Vec::new(), |f| f.bytes.to_vec()),
            };
            wanted.push((class, base));
        }
        Ok(wanted)
    };
    let change = c.vm.change_of(start, true)?;
    c.vm.carry_out(change)?;
    Ok(0)
}

fn redefine(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const DEFINITION: &str = "java/lang/instrument/ClassDefinition";
    let array = c.non_null(3)?;
    c.vm.boot_class(DEFINITION)?;
    let start = |vm: &mut Vm| {
        let mut wanted = Vec::new();
        for i in 0..vm.heap.array_len(array) {
            let definition = vm.heap.elem_load_ref(array, i);
            let mirror = vm.load_ref_field(definition, DEFINITION, "mClass");
            let bytes = vm.load_ref_field(definition, DEFINITION, "mClassFile");
            let class = vm.class_of_mirror(mirror);
            if !vm.is_modifiable(class) {
                return Err(unmodifiable(vm));
            }
            wanted.push((class, vm.heap.load_bytes(bytes).to_vec()));
        }
        Ok(wanted)
    };
    let change = c.vm.change_of(start, false)?;
    c.vm.carry_out(change)?;
    Ok(0)
}

fn mirrors(c: &mut Ctx<'_>, classes: &[ClassId]) -> Result<u64, Stop> {
    let array = c.vm.new_ref_array(c.vm.known.class, classes.len() as i32)?;
    for (at, class) in classes.iter().enumerate() {
        let mirror = c.vm.mirror(*class);
        c.vm.heap.elem_put_ref(array, at as u32, mirror);
    }
    Ok(array.bits())
}

fn all_loaded(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let classes: Vec<ClassId> = c
        .vm
        .classes
        .iter()
        .filter(|k| !matches!(k.kind, Kind::Primitive(_)) && k.version_of.is_none() && !k.mirror.is_null())
        .map(|k| k.id)
        .collect();
    mirrors(c, &classes)
}

fn initiated(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let loader = c.vm.loader_of(c.obj(3));
    let mut classes: Vec<ClassId> = c.vm.loaders.list[loader.index()]
        .classes
        .values()
        .copied()
        .collect();
    classes.sort_unstable();
    mirrors(c, &classes)
}

/// As HotSpot lays objects out, with its header of 12 bytes.
fn object_size(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let object = c.non_null(3)?;
    let class = c.vm.class_of(object);
    let class = c.vm.class(class);
    let bytes = match class.kind {
        Kind::Array { log2, .. } => 16 + (u64::from(c.vm.heap.array_len(object)) << log2),
        _ => u64::from(class.fields_end - FIELDS) + 12,
    };
    Ok(long(bytes.next_multiple_of(8) as i64))
}

fn append_to_search(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (path, boot) = (c.string(3)?, c.bool(4));
    if boot {
        return match c.vm.open_archive(&path) {
            Ok(jar) => {
                c.vm.instrument.boot_jars.push(jar);
                Ok(0)
            }
            Err(_) => Err(c.vm.throw("java/lang/IllegalArgumentException", None)),
        };
    }
    let class = c.vm.boot_class("java/lang/ClassLoader")?;
    let method =
        c.vm.find_method(class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;")
            .ok_or_else(|| Stop::bug("ClassLoader.getSystemClassLoader is missing"))?;
    let path = c.vm.new_string(&path)?;
    Err(Stop::call(
        method,
        vec![],
        Then::Cont(append_to_system, vec![path.bits()]),
    ))
}

fn append_to_system(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    let loader = match done {
        Completion::Value(loader) => ObjRef::from_bits(loader),
        Completion::Thrown(e) => return Err(Stop::Throw(e)),
    };
    let class = vm.heap.class_of(loader);
    let append = vm.find_method(
        class,
        "appendToClassPathForInstrumentation",
        "(Ljava/lang/String;)V",
    );
    match append {
        Some(append) => Err(Stop::call(append, vec![loader.bits(), state[0]], Then::Return)),
        None => Err(vm.throw("java/lang/UnsupportedOperationException", None)),
    }
}

/// All native methods of the JDK are ours already: there is none to look for under another name.
fn native_prefixes(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}
