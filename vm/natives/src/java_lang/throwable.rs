//! Throwable's natives, and what StackTraceElement shows of a backtrace.

use crate::java_lang::class::name_string;
use crate::{Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::Ctx;
use poldet_vm::stop::Stop;
use poldet_vm::throw::FrameInfo;
use poldet_vm::vm::Vm;

const ELEMENT: &str = "java/lang/StackTraceElement";

pub const TABLE: &[Native] = &[
    native(
        "java/lang/Throwable",
        "fillInStackTrace",
        "(I)Ljava/lang/Throwable;",
        fill_in,
    ),
    native(
        ELEMENT,
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        init_elements,
    ),
    native(
        ELEMENT,
        "initStackTraceElements",
        "([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        init_elements_of_backtrace,
    ),
    native(
        "java/lang/NullPointerException",
        "getExtendedNPEMessage",
        "()Ljava/lang/String;",
        extended_npe_message,
    ),
];

fn fill_in(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let throwable = c.obj(0);
    c.vm.fill_in_stack_trace(throwable)?;
    Ok(throwable.bits())
}

fn init_elements(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (elements, throwable) = (c.non_null(0)?, c.non_null(1)?);
    let frames = c.vm.backtrace(throwable);
    fill_elements(c.vm, elements, &frames)
}

/// JDK 21 and later pass the backtrace itself.
fn init_elements_of_backtrace(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (elements, backtrace) = (c.non_null(0)?, c.non_null(1)?);
    let frames = c.vm.decode_backtrace(backtrace);
    fill_elements(c.vm, elements, &frames)
}

fn fill_elements(vm: &mut Vm, elements: ObjRef, frames: &[FrameInfo]) -> Result<u64, Stop> {
    if frames.is_empty() {
        return Ok(0);
    }
    if frames.len() != vm.heap.array_len(elements) as usize {
        return Err(vm.throw("java/lang/IndexOutOfBoundsException", None));
    }
    for (i, &frame) in frames.iter().enumerate() {
        let element = vm.heap.elem_load_ref(elements, i as u32);
        if element.is_null() {
            return Err(vm.throw("java/lang/NullPointerException", None));
        }
        fill_element(vm, element, frame)?;
    }
    Ok(0)
}

/// Fills in a StackTraceElement.
pub fn fill_element(vm: &mut Vm, element: ObjRef, frame: FrameInfo) -> Result<(), Stop> {
    let method = vm.method(frame.method);
    let (class, name) = (method.class, method.name);
    let line = line_number(vm, frame);
    let declaring = name_string(vm, class)?;
    let mirror = vm.mirror(class);
    vm.set_ref_field(element, ELEMENT, "declaringClassObject", mirror);
    vm.set_ref_field(element, ELEMENT, "declaringClass", declaring);
    let loader = vm.loader_object(vm.class(class).loader);
    if !loader.is_null() {
        let name = vm.load_ref_field(loader, "java/lang/ClassLoader", "name");
        vm.set_ref_field(element, ELEMENT, "classLoaderName", name);
    }
    let module = vm.heap.load_ref(mirror, vm.known.class_module);
    if !module.is_null() {
        fill_module(vm, element, module);
    }
    let name = vm.intern_mutf8(vm.syms.bytes(name))?;
    vm.set_ref_field(element, ELEMENT, "methodName", name);
    if let Some(source) = vm.class(class).source_file {
        let source = vm.intern_mutf8(vm.syms.bytes(source))?;
        vm.set_ref_field(element, ELEMENT, "fileName", source);
    }
    vm.set_int_field(element, ELEMENT, "lineNumber", line);
    Ok(())
}

/// Name and version of a named module.
fn fill_module(vm: &mut Vm, element: ObjRef, module: ObjRef) {
    let name = vm.load_ref_field(module, "java/lang/Module", "name");
    if name.is_null() {
        return;
    }
    vm.set_ref_field(element, ELEMENT, "moduleName", name);
    let descriptor = vm.load_ref_field(module, "java/lang/Module", "descriptor");
    if !descriptor.is_null() {
        const DESCRIPTOR: &str = "java/lang/module/ModuleDescriptor";
        let mut version = vm.load_ref_field(descriptor, DESCRIPTOR, "rawVersionString");
        let parsed = vm.load_ref_field(descriptor, DESCRIPTOR, "version");
        if version.is_null() && !parsed.is_null() {
            version = vm.load_ref_field(parsed, "java/lang/module/ModuleDescriptor$Version", "version");
        }
        vm.set_ref_field(element, ELEMENT, "moduleVersion", version);
    }
}

/// As StackTraceElement counts: -2 in native code, -1 unknown.
pub fn line_number(vm: &Vm, frame: FrameInfo) -> i32 {
    let method = vm.method(frame.method);
    if method.is_native() {
        return -2;
    }
    vm.line_at(method, frame.bci).map_or(-1, i32::from)
}

fn extended_npe_message(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let throwable = c.obj(0);
    let Some(&top) = c.vm.backtrace(throwable).first() else {
        return Ok(0);
    };
    // What native code and hidden frames did is not to be read from the method the backtrace starts with.
    if top.native || c.vm.backtrace_top_hidden(throwable) || c.vm.method(top.method).is_native() {
        return Ok(0);
    }
    match poldet_vm::npe::message(c.vm, top.method, top.bci) {
        Some(text) => Ok(c.vm.new_string(&text)?.bits()),
        None => Ok(0),
    }
}
