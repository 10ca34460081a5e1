//! What compiled code asks of the VM: entering methods, making objects, stores that are watched.
//!
//! Frames are pushed here exactly as the interpreter pushes them, so that an exit from any depth leaves nothing but
//! frames: the machine stack only remembers which compiled callers can go on without the interpreter.
#![expect(
    unsafe_code,
    reason = "called by compiled code with the interpreter's raw pointers"
)]

use super::{Compiled, Exit, Why, here};
use crate::ids::{ClassId, MethodId, ObjRef};
use crate::interp::ops::{self, Regs};
use crate::interp::slow::Slow;
use crate::link::op::Op;
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

/// Enters a method for the call at an op; `what` says which.
pub(super) type Invoke = extern "C" fn(&mut Vm, *const Op, Regs, i64, u64) -> Exit;

/// A method (or table index) and the first register of its arguments in one word.
pub(super) fn what(m: u32, args: u16) -> u64 {
    u64::from(m) << 16 | u64::from(args)
}

pub(super) extern "C" fn invoke_static(
    vm: &mut Vm,
    pc: *const Op,
    regs: Regs,
    ticks: i64,
    what: u64,
) -> Exit {
    enter(vm, pc, regs, ticks, (what >> 16) as u32, what as u16)
}

pub(super) extern "C" fn invoke_special(
    vm: &mut Vm,
    pc: *const Op,
    regs: Regs,
    ticks: i64,
    what: u64,
) -> Exit {
    if regs.a(what as u16).is_null() {
        return Exit::new(pc, ticks, Why::NullPointer);
    }
    enter(vm, pc, regs, ticks, (what >> 16) as u32, what as u16)
}

pub(super) extern "C" fn invoke_virtual(
    vm: &mut Vm,
    pc: *const Op,
    regs: Regs,
    ticks: i64,
    what: u64,
) -> Exit {
    let o = regs.a(what as u16);
    if o.is_null() {
        return Exit::new(pc, ticks, Why::NullPointer);
    }
    let class = vm.heap.class_of(o);
    // SAFETY: the receiver's class has the resolved method's vtable slot.
    let m = unsafe {
        let table = &vm.classes.get_unchecked(class.index()).vtable;
        *table.get_unchecked((what >> 16) as usize)
    };
    enter(vm, pc, regs, ticks, m.0, what as u16)
}

pub(super) extern "C" fn invoke_interface(
    vm: &mut Vm,
    pc: *const Op,
    regs: Regs,
    ticks: i64,
    what: u64,
) -> Exit {
    let o = regs.a(what as u16);
    if o.is_null() {
        return Exit::new(pc, ticks, Why::NullPointer);
    }
    let receiver = vm.heap.class_of(o);
    // SAFETY: the op of the call: it is never replaced by a way into compiled code.
    if let Op::InvokeInterface { class, target, .. } = unsafe { *pc }
        && class == receiver.0
    {
        return enter(vm, pc, regs, ticks, target, what as u16);
    }
    let m = (what >> 16) as u32;
    let Some(&MethodId(target)) = vm.interface_cache.get(&(receiver, MethodId(m))) else {
        return Exit::new(pc, ticks, Why::Interpret);
    };
    let (args, class) = (what as u16, receiver.0);
    // SAFETY: as above; nobody else holds a reference to it.
    unsafe {
        *pc.cast_mut() = Op::InvokeInterface {
            args,
            m,
            class,
            target,
        };
    }
    enter(vm, pc, regs, ticks, target, args)
}

/// Enters method `m`, whose arguments stand at register `args`, as `ops::invoke` does.
#[inline(always)]
fn enter(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64, m: u32, args: u16) -> Exit {
    let ticks = ticks - 1;
    if ticks < 0 {
        return Exit::new(pc, ticks, Why::Poll);
    }
    // SAFETY: method ids come from resolution.
    let hot: &HotMethod = unsafe { &*vm.hot.as_ptr().add(m as usize) };
    let (code, start, size) = (hot.compiled, hot.code, hot.regs);
    // SAFETY: `args` is a register of this window.
    let base = unsafe { regs.0.add(usize::from(args)) };
    let room = ops::fits(vm, base, size) && here() > vm.jit.floor;
    let Some(code) = code.filter(|_| room) else {
        return enter_slowly(vm, pc, base, ticks, m, args);
    };
    ops::frame(vm).pc = pc;
    let len = ops::push(vm, m, u32::from(args), start, size);
    call(vm, code, base, ticks, len)
}

/// Runs the method of the frame on top; it is gone when it has returned.
#[inline(always)]
fn call(vm: &mut Vm, code: Compiled, base: *mut u64, ticks: i64, len: usize) -> Exit {
    let exit = code(vm, Regs(base), ticks, 0);
    if exit.why() == Why::Returned {
        // SAFETY: the frame on top is the one that was pushed for the method, and owns nothing.
        unsafe { (*vm.frames).set_len(len) };
    }
    exit
}

/// The same for what is not compiled, and where there is little room left.
#[inline(never)]
fn enter_slowly(vm: &mut Vm, pc: *const Op, base: *mut u64, ticks: i64, m: u32, args: u16) -> Exit {
    let hot = vm.hot[m as usize];
    ops::save(vm, pc, ticks);
    if let Some(leaf) = hot.leaf
        && let Some(v) = ops::call_leaf(vm, m, hot, leaf, base)
    {
        // SAFETY: the result goes where the arguments were.
        unsafe { *base = v };
        return Exit::new(pc, ticks, Why::Returned);
    }
    if !ops::fits(vm, base, hot.regs) {
        vm.threads.leaf_call = None;
        vm.left = Some(Slow::StackOverflow);
        return Exit::new(pc, ticks, Why::Left);
    }
    let start = ops::start(&hot);
    let len = ops::push(vm, m, u32::from(args), start, hot.regs);
    if start != hot.code || here() <= vm.jit.floor {
        return Exit::new(start, ticks, Why::Interpret);
    }
    match want(vm, MethodId(m)) {
        Some(code) => call(vm, code, base, ticks, len),
        None => Exit::new(start, ticks, Why::Interpret),
    }
}

/// Counts a call of a method that is not compiled, and compiles it if there were enough.
fn want(vm: &mut Vm, m: MethodId) -> Option<Compiled> {
    let hot = &mut vm.hot[m.index()];
    if hot.compiled.is_some() {
        return None;
    }
    hot.wanted = hot.wanted.saturating_add(1);
    if hot.wanted == vm.jit.wanted {
        vm.compile_called(m);
    }
    vm.hot[m.index()].compiled
}

/// Executes a store whose target is watched; zero if it is none, which is our fault.
pub(super) extern "C" fn store(vm: &mut Vm, pc: *const Op, regs: Regs) -> u64 {
    let stored = ops::store_watched(vm, pc, regs);
    if !stored {
        vm.left = Some(Slow::Stop(Stop::bug("not a store")));
    }
    u64::from(stored)
}

/// A new object, or null where the interpreter must see to it.
pub(super) extern "C" fn new_object(vm: &mut Vm, class: u64) -> u64 {
    if vm.heap.should_collect() {
        return 0;
    }
    vm.new_object(ClassId(class as u32)).map_or(0, ObjRef::bits)
}

/// A new array, or null where the interpreter must see to it.
pub(super) extern "C" fn new_array(vm: &mut Vm, class: u64, len: u64) -> u64 {
    if vm.heap.should_collect() || (len as i32) < 0 || (len as u32) > MOST_QUICK {
        return 0;
    }
    vm.new_array(ClassId(class as u32), len as i32)
        .map_or(0, ObjRef::bits)
}

/// Longer arrays are the interpreter's: they may have to be made room for.
const MOST_QUICK: u32 = 1 << 12;

pub(super) extern "C" fn is_subclass(vm: &Vm, class: u64, of: u64) -> u64 {
    u64::from(vm.is_subclass(ClassId(class as u32), ClassId(of as u32)))
}

pub(super) extern "C" fn can_store(vm: &Vm, array: u64, value: u64) -> u64 {
    u64::from(vm.can_store(ObjRef::from_bits(array), ObjRef::from_bits(value)))
}

pub(super) extern "C" fn has_finalizer(vm: &Vm, object: u64) -> u64 {
    let class = vm.heap.class_of(ObjRef::from_bits(object));
    u64::from(vm.classes[class.index()].has_finalizer)
}

pub(super) extern "C" fn rem_f64(a: f64, b: f64) -> f64 {
    a % b
}

pub(super) extern "C" fn rem_f32(a: f32, b: f32) -> f32 {
    a % b
}
