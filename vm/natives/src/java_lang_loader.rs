//! java.lang.ClassLoader, java.lang.Module and the boot loader's own natives.

use crate::{Native, native};
use poldet_vm::classes::loader::{DefineOpts, HiddenOpts};
use poldet_vm::classes::modules::ExportedTo;
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::{LoaderId, ObjRef};
use poldet_vm::natives::ctx::Ctx;
use poldet_vm::stop::{Completion, Stop};
use poldet_vm::vm::Vm;

pub const TABLE: &[Native] = &[
    native("java/lang/ClassLoader", "defineClass0", "", define_class0),
    native("java/lang/ClassLoader", "defineClass1", "", define_class1),
    native("java/lang/ClassLoader", "defineClass2", "", define_class2),
    native(
        "java/lang/ClassLoader",
        "findBootstrapClass",
        "",
        find_bootstrap_class,
    ),
    native("java/lang/ClassLoader", "findLoadedClass0", "", find_loaded_class),
    native(
        "java/lang/ClassLoader",
        "retrieveDirectives",
        "",
        retrieve_directives,
    ),
    native("java/lang/Module", "defineModule0", "", define_module),
    native("java/lang/Module", "addReads0", "", add_reads).leaf(),
    native("java/lang/Module", "addExports0", "", add_exports).leaf(),
    native("java/lang/Module", "addExportsToAll0", "", export_to_all).leaf(),
    native(
        "java/lang/Module",
        "addExportsToAllUnnamed0",
        "",
        export_to_unnamed,
    )
    .leaf(),
    native(
        "jdk/internal/loader/BootLoader",
        "setBootLoaderUnnamedModule0",
        "",
        set_boot_unnamed,
    ),
    native(
        "jdk/internal/loader/BootLoader",
        "getSystemPackageLocation",
        "",
        package_location,
    ),
    native(
        "jdk/internal/loader/BootLoader",
        "getSystemPackageNames",
        "",
        package_names,
    ),
];

/// static void addReads0(Module from, Module to): null for all unnamed modules.
fn add_reads(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to) = (c.non_null(0)?, c.obj(1));
    c.vm.modules.add_reads(from, to);
    Ok(0)
}

/// static void addExports0(Module from, String package, Module to)
fn add_exports(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let to = ExportedTo::Module(c.non_null(2)?);
    export(c, to)
}

fn export_to_all(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    export(c, ExportedTo::All)
}

fn export_to_unnamed(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    export(c, ExportedTo::AllUnnamed)
}

fn export(c: &mut Ctx<'_>, to: ExportedTo) -> Result<u64, Stop> {
    let module = c.non_null(0)?;
    let package = c.string(1)?.replace('.', "/");
    let package = c.vm.sym(&package);
    c.vm.modules.add_exports(module, package, to);
    Ok(0)
}

/// A class name argument: dotted or null.
fn class_name(c: &mut Ctx<'_>, slot: usize) -> Option<String> {
    let name = c.obj(slot);
    (!name.is_null()).then(|| c.vm.load_text(name).replace('.', "/"))
}

/// static Class defineClass1(ClassLoader, String, byte[], int off, int len, ProtectionDomain, String source)
fn define_class1(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let loader = c.vm.loader_of(c.obj(0));
    let name = class_name(c, 1);
    let array = c.non_null(2)?;
    let bytes = range(c, array, c.int(3), c.int(4))?;
    let opts = DefineOpts {
        protection_domain: c.obj(5),
        hidden: None,
    };
    let class = c.vm.define_class(loader, name.as_deref(), &bytes, opts)?;
    Ok(c.vm.mirror(class).bits())
}

/// static Class defineClass2(ClassLoader, String, ByteBuffer direct, int off, int len, ProtectionDomain, String)
fn define_class2(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let loader = c.vm.loader_of(c.obj(0));
    let name = class_name(c, 1);
    let buffer = c.non_null(2)?;
    let address = c.vm.load_long_field(buffer, "java/nio/Buffer", "address");
    let at = (address as u64).wrapping_add(c.int(3) as u64);
    let Some(bytes) = c.vm.host.memory.bytes(at, c.int(4) as u64).map(<[u8]>::to_vec) else {
        return Err(Stop::bug("class bytes outside native memory"));
    };
    let opts = DefineOpts {
        protection_domain: c.obj(5),
        hidden: None,
    };
    let class = c.vm.define_class(loader, name.as_deref(), &bytes, opts)?;
    Ok(c.vm.mirror(class).bits())
}

/// static Class defineClass0(ClassLoader, Class lookup, String, byte[], int off, int len, ProtectionDomain,
/// boolean initialize, int flags, Object classData)
fn define_class0(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const NESTMATE: i32 = 1;
    const HIDDEN: i32 = 2;
    const STRONG: i32 = 4;
    let loader = c.vm.loader_of(c.obj(0));
    let host = c.class(1)?;
    let name = class_name(c, 2);
    let array = c.non_null(3)?;
    let (initialize, flags, class_data) = (c.bool(7), c.int(8), c.obj(9));
    let bytes = range(c, array, c.int(4), c.int(5))?;
    let hidden = (flags & HIDDEN != 0).then_some(HiddenOpts {
        host,
        nestmate: flags & NESTMATE != 0,
        class_data,
        strong: flags & STRONG != 0,
    });
    let opts = DefineOpts {
        protection_domain: c.obj(6),
        hidden,
    };
    let class = c.vm.define_class(loader, name.as_deref(), &bytes, opts)?;
    c.vm.link_class(class)?;
    if initialize {
        match c.vm.ensure_initialized(class) {
            Ok(()) => {}
            Err(Stop::Call(mut call)) => {
                // Not to be run again: the class exists now. Answer it when its initialiser is done.
                call.outer
                    .push((initialized, vec![c.vm.mirror(class).bits()], true));
                return Err(Stop::Call(call));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(c.vm.mirror(class).bits())
}

/// Answers the mirror, which nothing else may refer to while the initialiser runs.
fn initialized(_: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(state[0]),
        Completion::Thrown(e) => Err(Stop::Throw(e)),
    }
}

fn range(c: &mut Ctx<'_>, array: ObjRef, off: i32, len: i32) -> Result<Vec<u8>, Stop> {
    let all = c.vm.heap.load_bytes(array);
    match all.get(off.max(0) as usize..(off.max(0) as usize).saturating_add(len.max(0) as usize)) {
        Some(part) if off >= 0 && len >= 0 => Ok(part.to_vec()),
        _ => {
            let length = all.len();
            let end = i64::from(off) + i64::from(len);
            let message = format!("Array region {off}..{end} out of bounds for length {length}");
            Err(c
                .vm
                .throw("java/lang/ArrayIndexOutOfBoundsException", Some(&message)))
        }
    }
}

fn find_bootstrap_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?.replace('.', "/");
    let name = c.vm.sym(&name);
    let class = c.vm.load_boot(name)?;
    Ok(class.map_or(0, |class| c.vm.mirror(class).bits()))
}

fn find_loaded_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let loader = c.vm.loader_of(c.obj(0));
    let name = c.string(1)?.replace('.', "/");
    let Some(name) = c.vm.syms.get(name.as_bytes()) else {
        return Ok(0);
    };
    let class = c.vm.find_loaded(loader, name);
    Ok(class.map_or(0, |class| c.vm.mirror(class).bits()))
}

fn retrieve_directives(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    const CLASS: &str = "java/lang/AssertionStatusDirectives";
    let class = c.vm.boot_class(CLASS)?;
    let string = c.vm.known.string;
    let directives = c.vm.new_object(class)?;
    let empty = c.vm.new_ref_array(string, 0)?;
    let flags = c.vm.new_prim_array(Prim::Boolean, 0)?;
    c.vm.set_ref_field(directives, CLASS, "classes", empty);
    c.vm.set_ref_field(directives, CLASS, "classEnabled", flags);
    c.vm.set_ref_field(directives, CLASS, "packages", empty);
    c.vm.set_ref_field(directives, CLASS, "packageEnabled", flags);
    let on = c.vm.config.assertions;
    c.vm.set_bool_field(directives, CLASS, "deflt", on);
    Ok(directives.bits())
}

/// void defineModule0(Module, boolean isOpen, String version, String location, Object[] packages)
fn define_module(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let module = c.non_null(0)?;
    let name = c.vm.load_ref_field(module, "java/lang/Module", "name");
    let name = c.vm.load_text(name);
    let loader = c.vm.load_ref_field(module, "java/lang/Module", "loader");
    if c.bool(1) {
        c.vm.modules.set_open(module);
    }
    let array = c.obj(4);
    let mut packages = Vec::new();
    if !array.is_null() {
        for i in 0..c.vm.heap.array_len(array) {
            let package = c.vm.heap.elem_load_ref(array, i);
            packages.push(c.vm.load_text(package));
        }
    }
    c.vm.define_module(module, &name, loader, &packages);
    Ok(0)
}

fn set_boot_unnamed(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let module = c.non_null(0)?;
    c.vm.modules.boot_unnamed = module;
    Ok(0)
}

fn package_location(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.string(0)?;
    let name = name.replace('.', "/");
    let location =
        c.vm.boot_package_module(&name)
            .map(|module| format!("jrt:/{module}"));
    let appended = || {
        let package = c.vm.syms.get(name.as_bytes())?;
        let loaded =
            |k: &poldet_vm::classes::class::Class| k.loader == LoaderId::BOOT && k.package == package;
        c.vm.classes.iter().any(loaded).then_some(())?;
        let has = |jar: &&poldet_vm::jar::Jar| {
            let prefix = format!("{name}/");
            jar.entries().iter().any(|e| e.name.starts_with(&prefix))
        };
        let jar = c.vm.instrument.boot_jars.iter().find(has)?;
        Some(jar.path().display().to_string())
    };
    match location.or_else(appended) {
        Some(location) => Ok(c.vm.new_string(&location)?.bits()),
        None => Ok(0),
    }
}

/// Packages in which the boot loader has defined classes.
fn package_names(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mut names: Vec<String> = Vec::new();
    for class in &c.vm.classes {
        if class.loader == LoaderId::BOOT && class.file.is_some() {
            names.push(c.vm.syms.str(class.package).replace('/', "."));
        }
    }
    names.sort_unstable();
    names.dedup();
    let string = c.vm.known.string;
    let array = c.vm.new_ref_array(string, names.len() as i32)?;
    for (i, name) in names.iter().enumerate() {
        let s = c.vm.new_string(name)?;
        c.vm.heap.elem_put_ref(array, i as u32, s);
    }
    Ok(array.bits())
}
