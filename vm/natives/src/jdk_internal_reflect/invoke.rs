//! Method.invoke and Constructor.newInstance as the VM does them: check and unbox the arguments, call, box the
//! result, wrap what the method threw.

use crate::java_lang_reflect::{illegal, method_of, widen};
use crate::{Native, native};
use poldet_vm::classes::class::Kind;
use poldet_vm::classfile::descriptor::Prim;
use poldet_vm::ids::{ClassId, MethodId, ObjRef};
use poldet_vm::natives::ctx::Ctx;
use poldet_vm::stop::{Completion, Stop, Then};
use poldet_vm::vm::Vm;

const METHOD: &str = "java/lang/reflect/Method";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const WRAPPER: &str = "java/lang/reflect/InvocationTargetException";
const INVOKE: &str = "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
const NEW: &str = "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;";

pub const TABLE: &[Native] = &[
    native(
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        "invoke0",
        INVOKE,
        invoke,
    ),
    native(
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor",
        "invoke0",
        INVOKE,
        invoke,
    ),
    native(
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        "newInstance0",
        NEW,
        new_instance,
    ),
    native(
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        "newInstance0",
        NEW,
        new_instance,
    ),
];

fn invoke(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (reflected, receiver, args) = (c.non_null(0)?, c.obj(1), c.obj(2));
    let vm = &mut *c.vm;
    let method = method_of(vm, reflected)?;
    let class = vm.method(method).class;
    vm.ensure_initialized(class)?;
    let target = if vm.method(method).is_static() {
        method
    } else {
        if receiver.is_null() {
            return Err(vm.throw("java/lang/NullPointerException", None));
        }
        if !vm.instance_of(receiver, class) {
            return Err(illegal(vm, Some("object is not an instance of declaring class")));
        }
        select(vm, receiver, method)?
    };
    let parameters = vm.load_ref_field(reflected, METHOD, "parameterTypes");
    let returns = vm.load_ref_field(reflected, METHOD, "returnType");
    let returns = vm.class_of_mirror(returns);
    let returns = match vm.class(returns).kind {
        Kind::Primitive(prim) => prim as u8,
        _ => b'L',
    };
    let mut words = Vec::new();
    if !vm.method(method).is_static() {
        words.push(receiver.bits());
    }
    push_args(vm, &mut words, parameters, args)?;
    ensure_wrapper(vm)?;
    Err(Stop::call(
        target,
        words,
        Then::Cont(invoked, vec![u64::from(returns)]),
    ))
}

/// The method that runs on this receiver; resolution errors come wrapped, as if the method had thrown them.
fn select(vm: &mut Vm, receiver: ObjRef, method: MethodId) -> Result<MethodId, Stop> {
    if vm.method(method).is_private() {
        return Ok(method);
    }
    let class = vm.class_of(receiver);
    let selected = match vm.select_virtual(class, method) {
        Ok(selected) if vm.method(selected).is_abstract() => Err(vm.abstract_method_error(class, selected)),
        other => other,
    };
    match selected {
        Err(Stop::Throw(e)) => Err(wrap(vm, e)),
        other => other,
    }
}

fn new_instance(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (reflected, args) = (c.non_null(0)?, c.obj(1));
    let vm = &mut *c.vm;
    let method = method_of(vm, reflected)?;
    let class = vm.method(method).class;
    vm.ensure_initialized(class)?;
    if vm.class(class).is_abstract() || vm.class(class).is_interface() {
        let name = vm.java_name(class);
        return Err(vm.throw("java/lang/InstantiationException", Some(&name)));
    }
    ensure_wrapper(vm)?;
    let parameters = vm.load_ref_field(reflected, CONSTRUCTOR, "parameterTypes");
    let object = vm.new_object(class)?.bits();
    let mut words = vec![object];
    push_args(vm, &mut words, parameters, args)?;
    Err(Stop::call(method, words, Then::Cont(constructed, vec![object])))
}

/// Checks and unboxes arguments against parameter types, into call slots.
fn push_args(vm: &mut Vm, words: &mut Vec<u64>, parameters: ObjRef, args: ObjRef) -> Result<(), Stop> {
    let types: Vec<ClassId> = vm
        .heap
        .load_refs(parameters)
        .iter()
        .map(|&m| vm.class_of_mirror(m))
        .collect();
    let values = if args.is_null() {
        vec![]
    } else {
        vm.heap.load_refs(args).to_vec()
    };
    if types.len() != values.len() {
        return Err(illegal(vm, Some("wrong number of arguments")));
    }
    for (ty, value) in types.into_iter().zip(values) {
        let Kind::Primitive(wanted) = vm.class(ty).kind else {
            if !value.is_null() && !vm.instance_of(value, ty) {
                return Err(illegal(vm, Some("argument type mismatch")));
            }
            words.push(value.bits());
            continue;
        };
        if value.is_null() {
            return Err(illegal(vm, None));
        }
        let bits = vm.unbox(value).and_then(|(prim, bits)| widen(prim, wanted, bits));
        words.push(bits.ok_or_else(|| illegal(vm, Some("argument type mismatch")))?);
        if matches!(wanted, Prim::Long | Prim::Double) {
            words.push(0);
        }
    }
    Ok(())
}

/// The wrapper's class must be ready before the call: afterwards there is no running again.
fn ensure_wrapper(vm: &mut Vm) -> Result<(), Stop> {
    let class = vm.boot_class(WRAPPER)?;
    vm.ensure_initialized(class)
}

/// An InvocationTargetException around what a method threw.
fn wrap(vm: &mut Vm, thrown: ObjRef) -> Stop {
    match vm.new_exception(WRAPPER, None, None) {
        Ok(wrapper) => {
            vm.heap.put_ref(wrapper, vm.known.throwable_cause, ObjRef::NULL);
            vm.set_ref_field(wrapper, WRAPPER, "target", thrown);
            Stop::Throw(wrapper)
        }
        Err(stop) => stop,
    }
}

fn invoked(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(bits) => match Prim::from_letter(state[0] as u8) {
            Some(prim) => Ok(vm.box_value(prim, narrow(prim, bits))?.bits()),
            None => Ok(bits),
        },
        Completion::Thrown(e) => Err(wrap(vm, e)),
    }
}

fn narrow(prim: Prim, bits: u64) -> u64 {
    if prim == Prim::Boolean { bits & 1 } else { bits }
}

fn constructed(vm: &mut Vm, done: Completion, state: &[u64]) -> Result<u64, Stop> {
    match done {
        Completion::Value(_) => Ok(state[0]),
        Completion::Thrown(e) => Err(wrap(vm, e)),
    }
}
