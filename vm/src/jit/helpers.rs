//! The functions that compiled code calls, listed once: each row gives the function of `calls`, its signature for
//! Cranelift and the function that emits a call of it, so that none of them can disagree with the others.

use super::calls::{self, Frames};
use super::emit::Emitter;
use super::{Exit, Regs};
use crate::link::op::Op;
use crate::vm::Vm;
use cranelift_codegen::ir::types::{F32, F64, I64};
use cranelift_codegen::ir::{AbiParam, Inst, InstBuilder, SigRef, Signature, Type, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

/// How a value of a type is passed to or returned by compiled code.
trait Passed {
    const TYPES: &'static [Type];
}

macro_rules! passed {
    ($($t:ty => $types:expr),* $(,)?) => {
        $(
            impl Passed for $t {
                const TYPES: &'static [Type] = &$types;
            }
        )*
    };
}
passed! {
    &mut Vm => [I64],
    &Vm => [I64],
    *const Op => [I64],
    Regs => [I64],
    &Frames => [I64],
    Option<&Frames> => [I64],
    i64 => [I64],
    u64 => [I64],
    f64 => [F64],
    f32 => [F32],
    Exit => [I64, I64],
}

/// The signature of a function of these parameters and results.
pub(super) fn signature(convention: CallConv, params: &[&[Type]], results: &[Type]) -> Signature {
    let mut signature = Signature::new(convention);
    let params = params.iter().copied().flatten();
    signature.params.extend(params.map(|t| AbiParam::new(*t)));
    signature
        .returns
        .extend(results.iter().map(|t| AbiParam::new(*t)));
    signature
}

macro_rules! helpers {
    ($($name:ident($($arg:ident: $param:ty),*) -> $result:ty;)*) => {
        /// The signatures as one compiled method refers to them, made when they are first needed.
        #[derive(Default)]
        pub(super) struct Signatures {
            $($name: Option<SigRef>),*
        }

        $(
            /// Emits a call.
            pub(super) fn $name(e: &mut Emitter<'_, '_>, $($arg: Value),*) -> Inst {
                let f: extern "C" fn($($param),*) -> $result = calls::$name;
                let known = e.signatures.$name;
                let sig = known.unwrap_or_else(|| import(e.b, &[$(<$param>::TYPES),*], <$result>::TYPES));
                e.signatures.$name = Some(sig);
                let f = e.b.ins().iconst(I64, f as *const () as i64);
                e.b.ins().call_indirect(sig, f, &[$($arg),*])
            }
        )*
    };
}

fn import(b: &mut FunctionBuilder<'_>, params: &[&[Type]], results: &[Type]) -> SigRef {
    let convention = b.func.signature.call_conv;
    b.import_signature(signature(convention, params, results))
}

helpers! {
    push_frames(vm: &mut Vm, frames: &Frames) -> u64;
    invoke_static(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64) -> Exit;
    invoke_special(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64) -> Exit;
    invoke_virtual(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64) -> Exit;
    invoke_interface(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64) -> Exit;
    invoke_leaf(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64) -> Exit;
    invoke_within(vm: &mut Vm, pc: *const Op, window: Regs, ticks: i64, what: u64, frames: &Frames) -> Exit;
    unlock(vm: &mut Vm) -> u64;
    monitor_enter(vm: &mut Vm, object: u64) -> u64;
    monitor_exit(vm: &mut Vm, object: u64) -> u64;
    store(vm: &mut Vm, pc: *const Op, window: Regs, frames: Option<&Frames>) -> u64;
    first_read(vm: &mut Vm, pc: *const Op, address: u64, units: u64, frames: Option<&Frames>) -> u64;
    new_object(vm: &mut Vm, class: u64) -> u64;
    new_array(vm: &mut Vm, class: u64, len: u64) -> u64;
    is_subclass(vm: &Vm, class: u64, of: u64) -> u64;
    can_store(vm: &Vm, array: u64, value: u64) -> u64;
    has_finalizer(vm: &Vm, object: u64) -> u64;
    rem_f64(a: f64, b: f64) -> f64;
    rem_f32(a: f32, b: f32) -> f32;
}
