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

/// How a call finds what it enters.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Static,
    Special,
    Virtual,
    Interface,
    /// A leaf whose receiver, if it has one, is there.
    Leaf,
}

impl Kind {
    /// By number.
    const FUNCTIONS: [Invoke; 5] = [
        invoke_static,
        invoke_special,
        invoke_virtual,
        invoke_interface,
        invoke_leaf,
    ];
    const SHIFT: u32 = 48;

    /// The same as a number in the bits that `what` has left.
    pub(super) fn with(self, what: u64) -> u64 {
        what | (self as u64) << Kind::SHIFT
    }
}

/// A method (or table index) and the first register of its arguments in one word.
pub(super) fn what(m: u32, args: u16) -> u64 {
    u64::from(m) << 16 | u64::from(args)
}

/// Frames that are not pushed while an inlined body runs, the outermost first.
#[derive(Clone, Default)]
pub(super) struct Frames(pub(super) Vec<Missing>);

/// What a missing frame would have been pushed with.
#[derive(Clone)]
pub(super) struct Missing {
    /// The op of the call, in the frame below.
    pub(super) caller: *const Op,
    pub(super) m: MethodId,
    pub(super) args: u16,
    pub(super) start: *const Op,
    pub(super) regs: u32,
}

/// Pushes frames that were missing. There is room: that was seen to when the outermost body was entered.
pub(super) extern "C" fn push_frames(vm: &mut Vm, frames: &Frames) -> u64 {
    for frame in &frames.0 {
        ops::frame(vm).pc = frame.caller;
        ops::push(vm, frame.m.0, u32::from(frame.args), frame.start, frame.regs);
    }
    0
}

/// They are missing again.
fn pop_frames(vm: &mut Vm, frames: &Frames) {
    // SAFETY: the frames on top are those that were pushed, and own nothing.
    unsafe {
        let all = &mut *vm.frames;
        all.set_len(all.len() - frames.0.len());
    }
}

/// A call within a body that stands in place of another.
pub(super) extern "C" fn invoke_within(
    vm: &mut Vm,
    pc: *const Op,
    regs: Regs,
    ticks: i64,
    what: u64,
    frames: &Frames,
) -> Exit {
    push_frames(vm, frames);
    let exit = Kind::FUNCTIONS[(what >> Kind::SHIFT) as usize](vm, pc, regs, ticks, what);
    if exit.why() == Why::Returned {
        pop_frames(vm, frames);
    }
    exit
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
        *table.get_unchecked((what >> 16) as u32 as usize)
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
    // SAFETY: the op of the call: it is never replaced by an entry point.
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

pub(super) extern "C" fn invoke_leaf(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64, what: u64) -> Exit {
    let ticks = ticks - 1;
    if ticks < 0 {
        return Exit::new(pc, ticks, Why::Poll);
    }
    let args = what as u16;
    // SAFETY: `args` is a register of this window.
    let base = unsafe { regs.0.add(usize::from(args)) };
    enter_slowly(vm, pc, base, ticks, (what >> 16) as u32, args)
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
    let (reach, depth) = (hot.reach, hot.depth);
    // SAFETY: `args` is a register of this window.
    let base = unsafe { regs.0.add(usize::from(args)) };
    let room = has_room(vm, base, reach, depth);
    let Some(code) = code.filter(|_| room) else {
        return enter_slowly(vm, pc, base, ticks, m, args);
    };
    ops::frame(vm).pc = pc;
    let len = ops::push(vm, m, u32::from(args), start, size);
    call(vm, code, base, ticks, len)
}

/// Whether there is room for a compiled method and the bodies within it.
#[inline(always)]
fn has_room(vm: &Vm, base: *mut u64, reach: u32, depth: u32) -> bool {
    ops::fits_within(vm, base, reach, depth) && here() > vm.jit.floor
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

/// The same for leaves, for what is synchronized or not compiled, and where there is little room left.
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
    let code = want(vm, MethodId(m));
    let hot = &vm.hot[m as usize];
    // The frame is there already.
    let room = has_room(vm, base, hot.reach.max(hot.regs), hot.depth.saturating_sub(1));
    let Some(code) = code.filter(|_| room) else {
        return Exit::new(start, ticks, Why::Interpret);
    };
    if hot.flags & HotMethod::SYNCHRONIZED != 0 && !lock(vm, MethodId(m), base) {
        return Exit::new(start, ticks, Why::Interpret);
    }
    call(vm, code, base, ticks, len)
}

/// Counts a call of a method that is not compiled, and compiles it if there were enough.
fn want(vm: &mut Vm, m: MethodId) -> Option<Compiled> {
    let hot = &mut vm.hot[m.index()];
    if hot.compiled.or(hot.guarded).is_none() {
        hot.wanted = hot.wanted.saturating_add(1);
        if hot.wanted == vm.jit.wanted {
            vm.compile_called(m);
        }
    }
    let hot = &vm.hot[m.index()];
    hot.compiled.or(hot.guarded)
}

/// Takes the monitor of the synchronized method whose frame is on top, if that is simple.
fn lock(vm: &mut Vm, m: MethodId, base: *const u64) -> bool {
    let lock = vm.lock_of(m, base);
    let locked = vm.monitor_enter_simply(lock);
    if locked {
        let code = vm.hot[m.index()].code;
        let frame = ops::frame(vm);
        frame.lock = lock;
        frame.pc = code;
    }
    locked
}

/// Gives up the monitor of the synchronized method on top; zero if that is not simple.
pub(super) extern "C" fn unlock(vm: &mut Vm) -> u64 {
    let lock = ops::frame(vm).lock;
    let simple = lock.is_null() || vm.monitor_exit_simply(lock);
    if simple {
        ops::frame(vm).lock = ObjRef::NULL;
    }
    u64::from(simple)
}

pub(super) extern "C" fn monitor_enter(vm: &mut Vm, object: u64) -> u64 {
    u64::from(vm.monitor_enter_simply(ObjRef::from_bits(object)))
}

pub(super) extern "C" fn monitor_exit(vm: &mut Vm, object: u64) -> u64 {
    u64::from(vm.monitor_exit_simply(ObjRef::from_bits(object)))
}

/// Executes a store whose target is watched; zero if it is none, which is our fault.
pub(super) extern "C" fn store(vm: &mut Vm, pc: *const Op, regs: Regs, frames: Option<&Frames>) -> u64 {
    if let Some(frames) = frames {
        push_frames(vm, frames);
    }
    let stored = ops::store_watched(vm, pc, regs);
    if let Some(frames) = frames {
        pop_frames(vm, frames);
    }
    if !stored {
        vm.left = Some(Slow::Stop(Stop::bug("not a store")));
    }
    u64::from(stored)
}

/// A load finds units of a word that were neither read nor written since the log of reads was cleared.
pub(super) extern "C" fn first_read(
    vm: &mut Vm,
    pc: *const Op,
    address: u64,
    units: u64,
    frames: Option<&Frames>,
) -> u64 {
    if let Some(frames) = frames {
        push_frames(vm, frames);
    }
    ops::frame(vm).pc = pc;
    vm.heap.note_read_at(address, units as u8);
    if let Some(frames) = frames {
        pop_frames(vm, frames);
    }
    0
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
