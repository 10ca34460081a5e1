//! jdk.internal.reflect: reflective calls, callers, and constant pools as annotations read them.

pub mod constant_pool;
pub mod invoke;

use crate::java_lang::class::access_flags;
use crate::java_lang::stack_walk::is_reflection_frame;
use crate::{Native, native};
use poldet_vm::natives::ctx::{Ctx, boolean, int};
use poldet_vm::stop::Stop;

const REFLECTION: &str = "jdk/internal/reflect/Reflection";

pub const TABLE: &[Native] = &[
    native(REFLECTION, "getCallerClass", "()Ljava/lang/Class;", caller_class),
    native(
        REFLECTION,
        "getClassAccessFlags",
        "(Ljava/lang/Class;)I",
        class_access_flags,
    )
    .leaf(),
    native(
        REFLECTION,
        "areNestMates",
        "(Ljava/lang/Class;Ljava/lang/Class;)Z",
        are_nest_mates,
    ),
];

/// The class that called the method which called `Reflection.getCallerClass`.
fn caller_class(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stack = c.vm.stack(c.vm.threads.current);
    // Reflection frames are skipped from the very first frame above the caller-sensitive method.
    for (i, frame) in stack.iter().enumerate() {
        let method = c.vm.method(frame.method);
        if i < 2 {
            if !method.traits.caller_sensitive {
                let message = format!("CallerSensitive annotation expected at frame {i}");
                return Err(c.vm.throw("java/lang/InternalError", Some(&message)));
            }
        } else if !is_reflection_frame(c.vm, frame.method) {
            return Ok(c.vm.mirror(method.class).bits());
        }
    }
    Ok(0)
}

fn class_access_flags(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(0)?;
    Ok(int(i32::from(access_flags(c.vm, class))))
}

fn are_nest_mates(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (a, b) = (c.class(0)?, c.class(1)?);
    if a == b {
        return Ok(boolean(true));
    }
    if c.vm.class(a).file.is_none() || c.vm.class(b).file.is_none() {
        return Ok(boolean(false));
    }
    let (a, b) = (c.vm.nest_host(a)?, c.vm.nest_host(b)?);
    Ok(boolean(a == b))
}
