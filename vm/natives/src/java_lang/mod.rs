//! Natives of package java.lang, a file per group of classes.

pub mod arraycopy;
pub mod arrays;
pub mod class;
pub mod class_members;
pub mod class_nesting;
pub mod math;
mod math_wide;
pub mod object;
pub mod process;
pub mod stack_walk;
pub mod strict_math;
pub mod string;
pub mod string_bytes;
pub mod system;
pub mod throwable;

use poldet_vm::classes::class::CpEntry;
use poldet_vm::ids::ClassId;
pub use poldet_vm::natives::{decline, nothing};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

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
