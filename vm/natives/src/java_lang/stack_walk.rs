//! StackWalker's natives, SecurityManager.getClassContext and the frames they see.
//!
//! The anchor of a walk is the number of frames still to be visited, counted from the bottom of the stack, plus one:
//! the frames below a walk do not change while it goes on. It is kept in the walker's own `anchor` field.

use crate::java_lang::class::class_array;
use crate::java_lang::throwable::fill_element;
use crate::{Native, native};
use poldet_vm::classes::class::acc;
use poldet_vm::ids::{MethodId, ObjRef};
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::{Stop, Then};
use poldet_vm::throw::FrameInfo;
use poldet_vm::vm::Vm;

const WALKER: &str = "java/lang/StackStreamFactory$AbstractStackWalker";
const FRAME: &str = "java/lang/StackFrameInfo";
const CLASS_FRAME: &str = "java/lang/ClassFrameInfo";

/// Walk modes, as in StackStreamFactory.
const CLASSES_ONLY: i64 = 0x2;
const GET_CALLER_CLASS: i64 = 0x4;
const SHOW_HIDDEN: i64 = 0x20;

/// MemberName flags, as in MethodHandleNatives.Constants.
const IS_METHOD: i32 = 0x1_0000;
const IS_CONSTRUCTOR: i32 = 0x2_0000;
const CALLER_SENSITIVE: i32 = 0x10_0000;
/// A member of a hidden class, or one marked hidden.
const HIDDEN_MEMBER: i32 = 0x0040_0000;
const KIND_SHIFT: u32 = 24;

pub const TABLE: &[Native] = &[
    native(
        "java/lang/StackStreamFactory",
        "checkStackWalkModes",
        "()Z",
        check_modes,
    )
    .leaf(),
    native(
        WALKER,
        "callStackWalk",
        "(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
        call_stack_walk,
    ),
    native(
        WALKER,
        "fetchStackFrames",
        "(JJII[Ljava/lang/Object;)I",
        fetch_stack_frames,
    ),
    native(
        WALKER,
        "callStackWalk",
        "(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        call_stack_walk_22,
    ),
    native(
        WALKER,
        "callStackWalk",
        "(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        call_stack_walk_21,
    ),
    native(
        WALKER,
        "fetchStackFrames",
        "(IJIII[Ljava/lang/Object;)I",
        fetch_stack_frames_22,
    ),
    // Virtual threads are bound to threads of ours: no walk crosses from one continuation to the next.
    native(
        WALKER,
        "setContinuation",
        "(J[Ljava/lang/Object;Ljdk/internal/vm/Continuation;)V",
        |_| Ok(0),
    ),
    native(
        "java/lang/StackTraceElement",
        "initStackTraceElement",
        "(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
        init_element,
    ),
    native(FRAME, "expandStackFrameInfo", "()V", expand_frame),
    native(
        "java/lang/SecurityManager",
        "getClassContext",
        "()[Ljava/lang/Class;",
        class_context,
    ),
];

fn check_modes(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(true))
}

/// What a batch of frames is to be written to.
struct Batch {
    mode: i64,
    size: i32,
    start: i32,
    frames: ObjRef,
}

fn call_stack_walk(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let batch = Batch {
        mode: c.long(1),
        size: c.int(4),
        start: c.int(5),
        frames: c.non_null(6)?,
    };
    let skip = c.int(3);
    start_walk(c, skip, batch)
}

/// The mode is a long: all that follows it lies one slot higher than in later releases.
fn call_stack_walk_21(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let batch = Batch {
        mode: c.long(1),
        size: c.int(6),
        start: c.int(7),
        frames: c.non_null(8)?,
    };
    let skip = c.int(3);
    start_walk(c, skip, batch)
}

fn call_stack_walk_22(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let batch = Batch {
        mode: i64::from(c.int(1)),
        size: c.int(5),
        start: c.int(6),
        frames: c.non_null(7)?,
    };
    let skip = c.int(2);
    start_walk(c, skip, batch)
}

fn fetch_stack_frames(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let batch = Batch {
        mode: c.long(1),
        size: c.int(5),
        start: c.int(6),
        frames: c.non_null(7)?,
    };
    let anchor = c.long(3);
    continue_walk(c, anchor, &batch)
}

fn fetch_stack_frames_22(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let batch = Batch {
        mode: i64::from(c.int(1)),
        size: c.int(5),
        start: c.int(6),
        frames: c.non_null(7)?,
    };
    let anchor = c.long(2);
    continue_walk(c, anchor, &batch)
}

fn start_walk(c: &mut Ctx<'_>, skip: i32, batch: Batch) -> Result<u64, Stop> {
    let walker = c.obj(0);
    let vm = &mut *c.vm;
    let stack = vm.stack(vm.threads.current);
    let machinery = stack.iter().take_while(|f| is_walker_frame(vm, f.method)).count();
    let from = (machinery + skip.max(0) as usize).min(stack.len());
    let mut end = batch.start;
    let mut next = from;
    if batch.size > 0 {
        (end, next) = fill_batch(vm, &stack, from, &batch)?;
        if end == batch.start {
            return Err(vm.throw("java/lang/InternalError", Some("stack walk: decode failed")));
        }
    }
    let class = vm.boot_class(WALKER)?;
    let Some(walk) = vm.declared_method(class, "doStackWalk", "(JIIII)Ljava/lang/Object;") else {
        return Err(Stop::bug("AbstractStackWalker.doStackWalk is missing"));
    };
    let anchor = (stack.len() - next) as u64 + 1;
    // The size of the batch became the number of its frames.
    let count = if vm.release().counts_walked_frames() {
        end - batch.start
    } else {
        batch.size
    };
    let args = vec![
        walker.bits(),
        anchor,
        0,
        int(skip),
        int(count),
        int(batch.start),
        int(end),
    ];
    Err(Stop::call(walk, args, Then::Return))
}

fn continue_walk(c: &mut Ctx<'_>, anchor: i64, batch: &Batch) -> Result<u64, Stop> {
    let walker = c.obj(0);
    let vm = &mut *c.vm;
    let stack = vm.stack(vm.threads.current);
    let left = usize::try_from(anchor - 1)
        .ok()
        .filter(|&left| left <= stack.len());
    let Some(left) = left else {
        return Err(vm.throw("java/lang/InternalError", Some("doStackWalk: corrupted buffers")));
    };
    let (end, next) = fill_batch(vm, &stack, stack.len() - left, batch)?;
    vm.set_long_field(walker, WALKER, "anchor", (stack.len() - next) as i64 + 1);
    Ok(int(reported(vm, batch, end)))
}

/// How Java learns what a further batch has: its end, or in newer releases the number of its frames.
fn reported(vm: &Vm, batch: &Batch, end: i32) -> i32 {
    if vm.release().counts_walked_frames() {
        end - batch.start
    } else {
        end
    }
}

/// StackWalker itself and the classes that do its work are never shown.
fn is_walker_frame(vm: &Vm, method: MethodId) -> bool {
    let class = vm.class(vm.method(method).class);
    let name = vm.syms.str(class.name);
    name == "java/lang/StackWalker"
        || name == WALKER
        || class.super_class.is_some_and(|s| vm.class_name(s) == WALKER)
}

/// Writes frames to the buffer; answers the buffer's new end and where in the stack to go on.
fn fill_batch(vm: &mut Vm, stack: &[FrameInfo], from: usize, batch: &Batch) -> Result<(i32, usize), Stop> {
    let skip_hidden = batch.mode & SHOW_HIDDEN == 0 || batch.mode & GET_CALLER_CLASS != 0;
    let limit = vm.heap.array_len(batch.frames) as i32;
    let mut end = batch.start;
    let mut at = from;
    while at < stack.len() && end - batch.start < batch.size && end < limit {
        let frame = stack[at];
        at += 1;
        let method = vm.method(frame.method);
        if skip_hidden && method.traits.hidden {
            continue;
        }
        if batch.mode & GET_CALLER_CLASS != 0 && end == batch.start && method.traits.caller_sensitive {
            let message = format!(
                "StackWalker::getCallerClass called from @CallerSensitive '{}' method",
                external_name(vm, frame.method)
            );
            return Err(vm.throw("java/lang/UnsupportedOperationException", Some(&message)));
        }
        if batch.mode & CLASSES_ONLY != 0 {
            fill_class(vm, batch.frames, end as u32, frame);
        } else {
            let info = vm.heap.elem_load_ref(batch.frames, end as u32);
            fill_frame(vm, info, frame)?;
        }
        end += 1;
    }
    Ok((end, at))
}

/// `void pkg.Class.name(int)`, as HotSpot writes methods in messages.
pub fn external_name(vm: &Vm, method: MethodId) -> String {
    vm.method_text(method)
}

/// A frame of which only the class is wanted: a Class, or from JDK 22 on a ClassFrameInfo.
fn fill_class(vm: &mut Vm, frames: ObjRef, index: u32, frame: FrameInfo) {
    let mirror = vm.mirror(vm.method(frame.method).class);
    let info = vm.heap.elem_load_ref(frames, index);
    if !vm.release().has_class_frames() || info.is_null() {
        vm.heap.elem_put_ref(frames, index, mirror);
    } else {
        vm.set_ref_field(info, CLASS_FRAME, "classOrMemberName", mirror);
        add_frame_flags(vm, info, frame.method);
    }
}

/// Adds what is to know of the method to a ClassFrameInfo's flags, whose upper bits are the walker's own.
fn add_frame_flags(vm: &mut Vm, info: ObjRef, method: MethodId) {
    let mut flags = vm.load_int_field(info, CLASS_FRAME, "flags");
    flags |= member_flags(vm, method) & (0xffff | CALLER_SENSITIVE);
    if vm.method(method).traits.hidden {
        flags |= HIDDEN_MEMBER;
    }
    vm.set_int_field(info, CLASS_FRAME, "flags", flags);
}

fn member_flags(vm: &Vm, id: MethodId) -> i32 {
    let method = vm.method(id);
    let interface = vm.class(method.class).is_interface();
    let constructor = vm.syms.bytes(method.name) == b"<init>";
    let (kind, reference) = match () {
        () if method.is_static() => (IS_METHOD, 6),
        () if constructor => (IS_CONSTRUCTOR, 7),
        () if method.is_private() => (IS_METHOD, 7),
        () if interface => (IS_METHOD, 9),
        () if method.access & acc::FINAL != 0 => (IS_METHOD, 7),
        () => (IS_METHOD, 5),
    };
    let sensitive = if method.traits.caller_sensitive {
        CALLER_SENSITIVE
    } else {
        0
    };
    i32::from(method.access & 0x7fff) | kind | reference << KIND_SHIFT | sensitive
}

/// Fills a StackFrameInfo: what the method is goes into its MemberName (17), or into itself (22 on).
fn fill_frame(vm: &mut Vm, info: ObjRef, frame: FrameInfo) -> Result<(), Stop> {
    let target = vm.resolved_method_name(frame.method)?;
    let method = vm.method(frame.method);
    let (class, name, desc) = (
        method.class,
        vm.syms.bytes(method.name),
        vm.syms.bytes(method.desc),
    );
    let flags = member_flags(vm, frame.method);
    vm.set_int_field(info, FRAME, "bci", i32::from(frame.bci));
    if vm.release().has_class_frames() {
        vm.set_ref_field(info, CLASS_FRAME, "classOrMemberName", target);
        add_frame_flags(vm, info, frame.method);
        return Ok(());
    }
    let member = vm.load_ref_field(info, FRAME, "memberName");
    let name = vm.intern_mutf8(name)?;
    let desc = vm.intern_mutf8(desc)?;
    let mirror = vm.mirror(class);
    vm.heap.put_ref(member, vm.known.member_clazz, mirror);
    vm.heap.put_ref(member, vm.known.member_name_field, name);
    vm.heap.put_ref(member, vm.known.member_type, desc);
    vm.heap.put_ref(member, vm.known.member_method, target);
    vm.heap.put_u32(member, vm.known.member_flags, flags as u32);
    Ok(())
}

/// The method a StackFrameInfo stands for.
fn method_of_frame(vm: &mut Vm, info: ObjRef) -> Result<MethodId, Stop> {
    let target = if vm.release().has_class_frames() {
        vm.load_ref_field(info, CLASS_FRAME, "classOrMemberName")
    } else {
        let member = vm.load_ref_field(info, FRAME, "memberName");
        if member.is_null() {
            ObjRef::NULL
        } else {
            vm.heap.load_ref(member, vm.known.member_method)
        }
    };
    if target.is_null() {
        return Err(vm.throw("java/lang/InternalError", Some("a stack frame without a method")));
    }
    Ok(MethodId(vm.heap.load_u32(target, vm.known.resolved_target) - 1))
}

fn init_element(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (element, info) = (c.non_null(0)?, c.non_null(1)?);
    let method = method_of_frame(c.vm, info)?;
    let bci = c.vm.load_int_field(info, FRAME, "bci") as u16;
    let native = c.vm.method(method).is_native();
    fill_element(c.vm, element, FrameInfo { method, bci, native })?;
    Ok(0)
}

/// JDK 22 and later: name and type of a frame, when they are asked for.
fn expand_frame(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let info = c.obj(0);
    let id = method_of_frame(c.vm, info)?;
    let method = c.vm.method(id);
    let (name, desc) = (c.vm.syms.bytes(method.name), c.vm.syms.bytes(method.desc));
    let name = c.vm.intern_mutf8(name)?;
    let desc = c.vm.intern_mutf8(desc)?;
    c.vm.set_ref_field(info, FRAME, "name", name);
    c.vm.set_ref_field(info, FRAME, "type", desc);
    Ok(0)
}

/// Frames that callers looked up on the stack never mean: Method.invoke, its accessors, method handle adapters.
pub fn is_reflection_frame(vm: &Vm, id: MethodId) -> bool {
    let method = vm.method(id);
    let class = vm.class(method.class);
    let name = vm.syms.str(class.name);
    if name == "java/lang/reflect/Method" && vm.syms.bytes(method.name) == b"invoke" {
        return true;
    }
    if method.traits.hidden && name.starts_with("java/lang/invoke/") {
        return true;
    }
    let accessor = "jdk/internal/reflect/MethodAccessorImpl";
    name == accessor || class.display.iter().any(|&s| vm.class_name(s) == accessor)
}

fn class_context(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stack = c.vm.stack(c.vm.threads.current);
    let shown = stack
        .iter()
        .filter(|f| !c.vm.method(f.method).is_native() && !is_reflection_frame(c.vm, f.method));
    let classes: Vec<_> = shown.map(|f| c.vm.method(f.method).class).collect();
    Ok(class_array(c.vm, &classes)?.bits())
}
