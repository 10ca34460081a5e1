//! Natives of package java.lang, a file per group of classes.

pub mod arraycopy;
pub mod arrays;
pub mod attrs;
pub mod class;
pub mod class_members;
pub mod class_nesting;
pub mod math;
mod math_wide;
pub mod method_order;
pub mod object;
pub mod process;
pub mod stack_walk;
pub mod strict_math;
pub mod string;
pub mod string_bytes;
pub mod system;
pub mod throwable;

use crate::classes::class::CpEntry;
use crate::ids::ClassId;
use crate::natives::ctx::Ctx;
use crate::stop::Stop;
use crate::vm::Vm;

/// A native with nothing to do.
pub fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// What a stand-in answers when it leaves a case to the Java body it stands in for. The loop runs that body after any
/// error of a leaf; this one costs nothing.
pub fn decline() -> Stop {
    Stop::OutOfMemory { bytes: 0 }
}

/// The class a Class constant of `owner` names; a NoClassDefFoundError if it cannot be found.
pub fn class_at(vm: &mut Vm, owner: ClassId, index: u16) -> Result<ClassId, Stop> {
    let class = vm.class(owner);
    if let Some(CpEntry::Class(id)) = class.cp.get(usize::from(index)) {
        return Ok(*id);
    }
    let loader = class.loader;
    match class.file.and_then(|f| f.class_name(index)) {
        Some(name) => {
            let name = vm.syms.intern(name);
            vm.load_class(loader, name)
        }
        None => Err(Stop::bug("not a Class constant")),
    }
}
