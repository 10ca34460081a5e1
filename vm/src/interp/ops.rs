//! The register instructions, one function each.
//!
//! Every handler ends by jumping to the next one: they all have the same signature, so the call in tail position
//! becomes a jump and program counter, registers and ticks stay in machine registers. Where the compiler does not
//! make it one the machine stack grows a little until the slice is used up, at most some thousand calls later;
//! debug builds, which never do, go through the loop in `step.rs` after every instruction.
//!
//! Whatever may load classes, collect, throw or switch threads leaves: it saves the program counter in the frame and
//! returns to the loop in `step.rs`.
#![expect(
    unsafe_code,
    reason = "register windows and ops are raw memory here; lowering has checked every index"
)]
#![expect(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "the N forms of branches are taken on NaN"
)]

use crate::heap::ARRAY_LENGTH;
use crate::host::fault;
use crate::ids::{ClassId, MethodId, ObjRef};
use crate::interp::frame::Frame;
use crate::interp::slow::Slow;
use crate::interp::stubs;
use crate::jit::Why;
use crate::link::op::{Op, Switch};
use crate::natives::{Ctx, NativeFn};
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

/// A register window.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Regs(pub(crate) *mut u64);

// SAFETY of all accesses: lowering checked that every register number is below the window's size, and a frame is
// entered only after its window was found to fit the register stack.
impl Regs {
    #[inline(always)]
    fn get(self, r: impl Into<usize>) -> u64 {
        // SAFETY: as said of all accesses.
        unsafe { *self.0.add(r.into()) }
    }

    #[inline(always)]
    fn set(self, r: impl Into<usize>, v: u64) {
        // SAFETY: as said of all accesses.
        unsafe { *self.0.add(r.into()) = v };
    }

    #[inline(always)]
    fn i(self, r: impl Into<usize>) -> i32 {
        self.get(r) as i32
    }

    #[inline(always)]
    fn l(self, r: impl Into<usize>) -> i64 {
        self.get(r) as i64
    }

    #[inline(always)]
    fn f(self, r: impl Into<usize>) -> f32 {
        f32::from_bits(self.get(r) as u32)
    }

    #[inline(always)]
    fn d(self, r: impl Into<usize>) -> f64 {
        f64::from_bits(self.get(r))
    }

    #[inline(always)]
    pub(crate) fn a(self, r: impl Into<usize>) -> ObjRef {
        ObjRef(self.get(r) as u32)
    }

    #[inline(always)]
    fn set_i(self, r: impl Into<usize>, v: i32) {
        self.set(r, u64::from(v as u32));
    }

    #[inline(always)]
    fn set_l(self, r: impl Into<usize>, v: i64) {
        self.set(r, v as u64);
    }

    #[inline(always)]
    fn set_f(self, r: impl Into<usize>, v: f32) {
        self.set(r, u64::from(v.to_bits()));
    }

    #[inline(always)]
    fn set_d(self, r: impl Into<usize>, v: f64) {
        self.set(r, v.to_bits());
    }
}

pub(crate) type Handler = fn(&mut Vm, *const Op, Regs, i64);

/// The handlers by the tag of their op.
pub(crate) type Handlers = [Handler; 256];

/// The first byte of an op: which one it is.
const fn tag(op: &Op) -> u8 {
    // SAFETY: `Op` is `repr(u8)`: its first byte is its discriminant.
    unsafe { *(&raw const *op).cast::<u8>() }
}

/// Goes on with the op at `pc`.
#[inline(always)]
pub(crate) fn dispatch(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64) {
    if cfg!(debug_assertions) {
        // Back to the loop in step.rs, which calls `step`.
        vm.next = Some((pc, regs, ticks));
        return;
    }
    step(vm, pc, regs, ticks)
}

/// Executes the op at `pc`.
#[inline(always)]
pub(crate) fn step(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64) {
    // SAFETY: `pc` always points at an op of the running method or of a stub.
    let handler = vm.handlers[usize::from(unsafe { *pc.cast::<u8>() })];
    handler(vm, pc, regs, ticks)
}

/// The current frame.
#[inline(always)]
pub(crate) fn frame(vm: &mut Vm) -> &mut Frame {
    // SAFETY: `vm.frames` is the current thread's, which has a frame while the loop runs.
    unsafe { (*vm.frames).last_mut().unwrap_unchecked() }
}

/// Returns to the loop in `step.rs` with something for the slow path.
#[cold]
#[inline(never)]
fn leave(vm: &mut Vm, pc: *const Op, ticks: i64, why: Slow) {
    frame(vm).pc = pc;
    vm.threads.slice = ticks;
    vm.left = Some(why);
}

/// Runs something that may stop; none if it did, and the loop in `step.rs` knows. Kept out of the handlers so
/// that their frames stay empty and their last call is a jump.
#[inline(never)]
fn attempt<T>(
    vm: &mut Vm,
    pc: *const Op,
    ticks: i64,
    f: impl FnOnce(&mut Vm) -> Result<T, Stop>,
) -> Option<T> {
    frame(vm).pc = pc;
    vm.threads.slice = ticks;
    match f(vm) {
        Ok(v) => Some(v),
        Err(stop) => {
            vm.left = Some(Slow::Stop(stop));
            None
        }
    }
}

/// Says where the method on top stands, for whoever inspects frames, and what is left of the slice.
#[inline(always)]
pub(crate) fn save(vm: &mut Vm, pc: *const Op, ticks: i64) {
    frame(vm).pc = pc;
    vm.threads.slice = ticks;
}

macro_rules! save {
    ($vm:ident $pc:ident $regs:ident $ticks:ident) => {
        save($vm, $pc, $ticks)
    };
}
macro_rules! next {
    ($vm:ident $pc:ident $regs:ident $ticks:ident) => {
        // SAFETY: every op but a jump or return is followed by another.
        return dispatch($vm, unsafe { $pc.add(1) }, $regs, $ticks)
    };
}
macro_rules! go {
    ($vm:ident $pc:ident $regs:ident $ticks:ident) => {
        return dispatch($vm, $pc, $regs, $ticks)
    };
}
macro_rules! leave {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $why:expr) => {
        return leave($vm, $pc, $ticks, $why)
    };
}
macro_rules! stop {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $stop:expr) => {
        return leave($vm, $pc, $ticks, Slow::Stop($stop))
    };
}
macro_rules! npe {
    ($vm:ident $pc:ident $regs:ident $ticks:ident) => {
        return leave($vm, $pc, $ticks, Slow::NullPointer)
    };
}
macro_rules! branch {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $cond:expr, $off:expr) => {{
        if $cond {
            let off: i32 = $off;
            let mut ticks = $ticks;
            if off <= 0 {
                ticks -= 1;
                if ticks < 0 {
                    leave!($vm $pc $regs ticks, Slow::Poll);
                }
            }
            // SAFETY: lowering checked that the target is an op of this method.
            return dispatch($vm, unsafe { $pc.offset(off as isize) }, $regs, ticks);
        }
        next!($vm $pc $regs $ticks)
    }};
}
/// Checks an array access; the element index is then in bounds.
macro_rules! element {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $arr:expr, $i:expr) => {{
        let arr = $regs.a($arr);
        if arr.is_null() {
            npe!($vm $pc $regs $ticks);
        }
        let i = $regs.i($i);
        let len = $vm.heap.get_u32(arr, ARRAY_LENGTH);
        if i as u32 >= len {
            leave!($vm $pc $regs $ticks, Slow::Index(i, len));
        }
        (arr, i as u32)
    }};
}
/// A store to something watched is done elsewhere, with the program counter saved for the log. So are all stores while
/// reads are logged: what is written first is no read.
macro_rules! watched {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $cond:expr) => {
        if LOGGED || $cond {
            return watched_store($vm, $pc, $regs, $ticks);
        }
    };
}
/// A load for the guest, by how the heap does it without and with a log.
macro_rules! load {
    ($vm:ident $pc:ident, $get:ident $load:ident ($($at:expr),*)) => {
        if LOGGED {
            frame($vm).pc = $pc;
            $vm.heap.$load($($at),*)
        } else {
            $vm.heap.$get($($at),*)
        }
    };
}
macro_rules! invoke {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $m:expr, $args:expr) => {
        return invoke($vm, $pc, $regs, $ticks, $m, u32::from($args))
    };
}
macro_rules! ret {
    ($vm:ident $pc:ident $regs:ident $ticks:ident, $v:expr) => {
        return return_value($vm, $pc, $regs, $ticks, $v)
    };
}

/// Handlers with a body of their own.
macro_rules! handlers {
    ($vm:ident $pc:ident $regs:ident $ticks:ident; $($name:ident: $op:ident { $($f:ident),* } => $body:block)*) => {
        $(
            #[allow(unused_variables, reason = "not every handler needs all of an op")]
            fn $name($vm: &mut Vm, $pc: *const Op, $regs: Regs, $ticks: i64) {
                // SAFETY: the op at `pc`; its tag chose this handler.
                let Op::$op { $($f),* } = (unsafe { *$pc }) else { unsafe { std::hint::unreachable_unchecked() } };
                $body
            }
        )*
        const SPECIAL: &[(u8, Handler)] = &[$((tag(&Op::$op { $($f: 0),* }), $name)),*];
    };
}
/// Handlers that access the heap for the guest, each in a plain form and in one that logs.
macro_rules! accesses {
    ($vm:ident $pc:ident $regs:ident $ticks:ident; $($name:ident: $op:ident { $($f:ident),* } => $body:block)*) => {
        $(
            fn $name<const LOGGED: bool>($vm: &mut Vm, $pc: *const Op, $regs: Regs, $ticks: i64) {
                // SAFETY: the op at `pc`; its tag chose this handler.
                let Op::$op { $($f),* } = (unsafe { *$pc }) else { unsafe { std::hint::unreachable_unchecked() } };
                $body
            }
        )*
        const ACCESSES: &[(u8, Handler)] = &[$((tag(&Op::$op { $($f: 0),* }), $name::<false>)),*];
        const LOGGED_ACCESSES: &[(u8, Handler)] = &[$((tag(&Op::$op { $($f: 0),* }), $name::<true>)),*];
    };
}
/// Handlers that compute on registers only.
macro_rules! pure {
    ($regs:ident; $($name:ident: $op:ident { $($f:ident),* } => $body:expr;)*) => {
        $(
            fn $name(vm: &mut Vm, pc: *const Op, $regs: Regs, ticks: i64) {
                // SAFETY: the op at `pc`; its tag chose this handler.
                let Op::$op { $($f),* } = (unsafe { *pc }) else { unsafe { std::hint::unreachable_unchecked() } };
                $body;
                next!(vm pc $regs ticks)
            }
        )*
        const PURE: &[(u8, Handler)] = &[$((tag(&Op::$op { $($f: 0),* }), $name)),*];
    };
}
/// Handlers that jump by `off` if a condition holds.
macro_rules! branches {
    ($regs:ident; $($name:ident: $op:ident { $($f:ident),* } => $cond:expr;)*) => {
        $(
            fn $name(vm: &mut Vm, pc: *const Op, $regs: Regs, ticks: i64) {
                // SAFETY: the op at `pc`; its tag chose this handler.
                let Op::$op { $($f,)* off } = (unsafe { *pc }) else { unsafe { std::hint::unreachable_unchecked() } };
                branch!(vm pc $regs ticks, $cond, off)
            }
        )*
        const BRANCHES: &[(u8, Handler)] = &[$((tag(&Op::$op { $($f: 0,)* off: 0 }), $name)),*];
    };
}

/// By tag; the guest's accesses to the heap are those given.
const fn table(accesses: &[(u8, Handler)]) -> Handlers {
    let mut table: Handlers = [no_such_op; 256];
    let all = [PURE, BRANCHES, SPECIAL, accesses];
    let mut set = 0;
    let mut count = 0;
    while set < all.len() {
        let mut i = 0;
        while i < all[set].len() {
            table[all[set][i].0 as usize] = all[set][i].1;
            i += 1;
            count += 1;
        }
        set += 1;
    }
    // Every op has its handler: `Op::MonitorExit` is the last variant.
    assert!(count == tag(&Op::MonitorExit { s: 0 }) as usize + 1);
    table
}

static PLAIN: Handlers = table(ACCESSES);
static LOGGED: Handlers = table(LOGGED_ACCESSES);

/// What the loop runs on, by whether the heap logs what the guest reads.
pub(crate) fn handlers(logged: bool) -> Handlers {
    if logged { LOGGED } else { PLAIN }
}

fn no_such_op(vm: &mut Vm, pc: *const Op, _: Regs, ticks: i64) {
    leave(vm, pc, ticks, Slow::Stop(Stop::bug("no such op")));
}

pure! { regs;
    mov_op: Mov { d, s } => regs.set(d, regs.get(s));
    const_op: Const { d, v } => regs.set(d, u64::from(v));
    const64_op: Const64 { d, lo, hi } => regs.set(d, u64::from(lo) | u64::from(hi) << 32);
    ldc_ref_op: LdcRef { d, obj } => regs.set(d, u64::from(obj));
    add_i_op: AddI { d, a, b } => regs.set_i(d, regs.i(a).wrapping_add(regs.i(b)));
    sub_i_op: SubI { d, a, b } => regs.set_i(d, regs.i(a).wrapping_sub(regs.i(b)));
    mul_i_op: MulI { d, a, b } => regs.set_i(d, regs.i(a).wrapping_mul(regs.i(b)));
    and_i_op: AndI { d, a, b } => regs.set_i(d, regs.i(a) & regs.i(b));
    or_i_op: OrI { d, a, b } => regs.set_i(d, regs.i(a) | regs.i(b));
    xor_i_op: XorI { d, a, b } => regs.set_i(d, regs.i(a) ^ regs.i(b));
    shl_i_op: ShlI { d, a, b } => regs.set_i(d, regs.i(a).wrapping_shl(regs.i(b) as u32));
    shr_i_op: ShrI { d, a, b } => regs.set_i(d, regs.i(a).wrapping_shr(regs.i(b) as u32));
    ushr_i_op: UshrI { d, a, b } => regs.set_i(d, (regs.i(a) as u32).wrapping_shr(regs.i(b) as u32) as i32);
    neg_i_op: NegI { d, a } => regs.set_i(d, regs.i(a).wrapping_neg());
    add_i_k_op: AddIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_add(k));
    rsub_i_k_op: RsubIK { d, a, k } => regs.set_i(d, k.wrapping_sub(regs.i(a)));
    mul_i_k_op: MulIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_mul(k));
    div_i_k_op: DivIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_div(k));
    rem_i_k_op: RemIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_rem(k));
    and_i_k_op: AndIK { d, a, k } => regs.set_i(d, regs.i(a) & k);
    or_i_k_op: OrIK { d, a, k } => regs.set_i(d, regs.i(a) | k);
    xor_i_k_op: XorIK { d, a, k } => regs.set_i(d, regs.i(a) ^ k);
    shl_i_k_op: ShlIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_shl(k as u32));
    shr_i_k_op: ShrIK { d, a, k } => regs.set_i(d, regs.i(a).wrapping_shr(k as u32));
    ushr_i_k_op: UshrIK { d, a, k } => regs.set_i(d, (regs.i(a) as u32).wrapping_shr(k as u32) as i32);
    add_l_op: AddL { d, a, b } => regs.set_l(d, regs.l(a).wrapping_add(regs.l(b)));
    sub_l_op: SubL { d, a, b } => regs.set_l(d, regs.l(a).wrapping_sub(regs.l(b)));
    mul_l_op: MulL { d, a, b } => regs.set_l(d, regs.l(a).wrapping_mul(regs.l(b)));
    and_l_op: AndL { d, a, b } => regs.set_l(d, regs.l(a) & regs.l(b));
    or_l_op: OrL { d, a, b } => regs.set_l(d, regs.l(a) | regs.l(b));
    xor_l_op: XorL { d, a, b } => regs.set_l(d, regs.l(a) ^ regs.l(b));
    shl_l_op: ShlL { d, a, b } => regs.set_l(d, regs.l(a).wrapping_shl(regs.i(b) as u32));
    shr_l_op: ShrL { d, a, b } => regs.set_l(d, regs.l(a).wrapping_shr(regs.i(b) as u32));
    ushr_l_op: UshrL { d, a, b } => regs.set_l(d, (regs.l(a) as u64).wrapping_shr(regs.i(b) as u32) as i64);
    neg_l_op: NegL { d, a } => regs.set_l(d, regs.l(a).wrapping_neg());
    add_l_k_op: AddLK { d, a, k } => regs.set_l(d, regs.l(a).wrapping_add(i64::from(k)));
    mul_l_k_op: MulLK { d, a, k } => regs.set_l(d, regs.l(a).wrapping_mul(i64::from(k)));
    and_l_k_op: AndLK { d, a, k } => regs.set_l(d, regs.l(a) & i64::from(k));
    shl_l_k_op: ShlLK { d, a, k } => regs.set_l(d, regs.l(a).wrapping_shl(k as u32));
    shr_l_k_op: ShrLK { d, a, k } => regs.set_l(d, regs.l(a).wrapping_shr(k as u32));
    ushr_l_k_op: UshrLK { d, a, k } => regs.set_l(d, (regs.l(a) as u64).wrapping_shr(k as u32) as i64);
    add_f_op: AddF { d, a, b } => regs.set_f(d, regs.f(a) + regs.f(b));
    sub_f_op: SubF { d, a, b } => regs.set_f(d, regs.f(a) - regs.f(b));
    mul_f_op: MulF { d, a, b } => regs.set_f(d, regs.f(a) * regs.f(b));
    div_f_op: DivF { d, a, b } => regs.set_f(d, regs.f(a) / regs.f(b));
    rem_f_op: RemF { d, a, b } => regs.set_f(d, regs.f(a) % regs.f(b));
    neg_f_op: NegF { d, a } => regs.set_f(d, -regs.f(a));
    add_d_op: AddD { d, a, b } => regs.set_d(d, regs.d(a) + regs.d(b));
    sub_d_op: SubD { d, a, b } => regs.set_d(d, regs.d(a) - regs.d(b));
    mul_d_op: MulD { d, a, b } => regs.set_d(d, regs.d(a) * regs.d(b));
    div_d_op: DivD { d, a, b } => regs.set_d(d, regs.d(a) / regs.d(b));
    rem_d_op: RemD { d, a, b } => regs.set_d(d, regs.d(a) % regs.d(b));
    neg_d_op: NegD { d, a } => regs.set_d(d, -regs.d(a));
    i2_l_op: I2L { d, a } => regs.set_l(d, i64::from(regs.i(a)));
    i2_f_op: I2F { d, a } => regs.set_f(d, regs.i(a) as f32);
    i2_d_op: I2D { d, a } => regs.set_d(d, f64::from(regs.i(a)));
    l2_i_op: L2I { d, a } => regs.set_i(d, regs.l(a) as i32);
    l2_f_op: L2F { d, a } => regs.set_f(d, regs.l(a) as f32);
    l2_d_op: L2D { d, a } => regs.set_d(d, regs.l(a) as f64);
    f2_i_op: F2I { d, a } => regs.set_i(d, regs.f(a) as i32);
    f2_l_op: F2L { d, a } => regs.set_l(d, regs.f(a) as i64);
    f2_d_op: F2D { d, a } => regs.set_d(d, f64::from(regs.f(a)));
    d2_i_op: D2I { d, a } => regs.set_i(d, regs.d(a) as i32);
    d2_l_op: D2L { d, a } => regs.set_l(d, regs.d(a) as i64);
    d2_f_op: D2F { d, a } => regs.set_f(d, regs.d(a) as f32);
    i2_b_op: I2B { d, a } => regs.set_i(d, i32::from(regs.i(a) as i8));
    i2_c_op: I2C { d, a } => regs.set_i(d, i32::from(regs.i(a) as u16));
    i2_s_op: I2S { d, a } => regs.set_i(d, i32::from(regs.i(a) as i16));
    cmp_l_op: CmpL { d, a, b } => regs.set_i(d, regs.l(a).cmp(&regs.l(b)) as i32);
    cmp_fl_op: CmpFl { d, a, b } => regs.set_i(d, regs.f(a).partial_cmp(&regs.f(b)).map_or(-1, |o| o as i32));
    cmp_fg_op: CmpFg { d, a, b } => regs.set_i(d, regs.f(a).partial_cmp(&regs.f(b)).map_or(1, |o| o as i32));
    cmp_dl_op: CmpDl { d, a, b } => regs.set_i(d, regs.d(a).partial_cmp(&regs.d(b)).map_or(-1, |o| o as i32));
    cmp_dg_op: CmpDg { d, a, b } => regs.set_i(d, regs.d(a).partial_cmp(&regs.d(b)).map_or(1, |o| o as i32));
}

branches! { regs;
    jmp_op: Jmp {} => true;
    j_eq_i_op: JEqI { a, b } => regs.i(a) == regs.i(b);
    j_ne_i_op: JNeI { a, b } => regs.i(a) != regs.i(b);
    j_lt_i_op: JLtI { a, b } => regs.i(a) < regs.i(b);
    j_ge_i_op: JGeI { a, b } => regs.i(a) >= regs.i(b);
    j_gt_i_op: JGtI { a, b } => regs.i(a) > regs.i(b);
    j_le_i_op: JLeI { a, b } => regs.i(a) <= regs.i(b);
    j_eq_i_k_op: JEqIK { a, k } => regs.i(a) == k;
    j_ne_i_k_op: JNeIK { a, k } => regs.i(a) != k;
    j_lt_i_k_op: JLtIK { a, k } => regs.i(a) < k;
    j_ge_i_k_op: JGeIK { a, k } => regs.i(a) >= k;
    j_gt_i_k_op: JGtIK { a, k } => regs.i(a) > k;
    j_le_i_k_op: JLeIK { a, k } => regs.i(a) <= k;
    j_eq_a_op: JEqA { a, b } => regs.a(a) == regs.a(b);
    j_ne_a_op: JNeA { a, b } => regs.a(a) != regs.a(b);
    j_null_op: JNull { a } => regs.a(a).is_null();
    j_non_null_op: JNonNull { a } => !regs.a(a).is_null();
    j_eq_l_op: JEqL { a, b } => regs.l(a) == regs.l(b);
    j_ne_l_op: JNeL { a, b } => regs.l(a) != regs.l(b);
    j_lt_l_op: JLtL { a, b } => regs.l(a) < regs.l(b);
    j_ge_l_op: JGeL { a, b } => regs.l(a) >= regs.l(b);
    j_gt_l_op: JGtL { a, b } => regs.l(a) > regs.l(b);
    j_le_l_op: JLeL { a, b } => regs.l(a) <= regs.l(b);
    j_eq_f_op: JEqF { a, b } => regs.f(a) == regs.f(b);
    j_ne_f_op: JNeF { a, b } => regs.f(a) != regs.f(b);
    j_lt_f_op: JLtF { a, b } => regs.f(a) < regs.f(b);
    j_le_f_op: JLeF { a, b } => regs.f(a) <= regs.f(b);
    j_gt_f_op: JGtF { a, b } => regs.f(a) > regs.f(b);
    j_ge_f_op: JGeF { a, b } => regs.f(a) >= regs.f(b);
    j_nlt_f_op: JNltF { a, b } => !(regs.f(a) < regs.f(b));
    j_nle_f_op: JNleF { a, b } => !(regs.f(a) <= regs.f(b));
    j_ngt_f_op: JNgtF { a, b } => !(regs.f(a) > regs.f(b));
    j_nge_f_op: JNgeF { a, b } => !(regs.f(a) >= regs.f(b));
    j_eq_d_op: JEqD { a, b } => regs.d(a) == regs.d(b);
    j_ne_d_op: JNeD { a, b } => regs.d(a) != regs.d(b);
    j_lt_d_op: JLtD { a, b } => regs.d(a) < regs.d(b);
    j_le_d_op: JLeD { a, b } => regs.d(a) <= regs.d(b);
    j_gt_d_op: JGtD { a, b } => regs.d(a) > regs.d(b);
    j_ge_d_op: JGeD { a, b } => regs.d(a) >= regs.d(b);
    j_nlt_d_op: JNltD { a, b } => !(regs.d(a) < regs.d(b));
    j_nle_d_op: JNleD { a, b } => !(regs.d(a) <= regs.d(b));
    j_ngt_d_op: JNgtD { a, b } => !(regs.d(a) > regs.d(b));
    j_nge_d_op: JNgeD { a, b } => !(regs.d(a) >= regs.d(b));
}

accesses! { vm pc regs ticks;
    ld1_op: Ld1 { d, arr, i } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        regs.set_i(d, i32::from(load!(vm pc, elem_get_i8 elem_load_i8(arr, i))));
        next!(vm pc regs ticks)
    }
    ld2_u_op: Ld2U { d, arr, i } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        regs.set_i(d, i32::from(load!(vm pc, elem_get_u16 elem_load_u16(arr, i))));
        next!(vm pc regs ticks)
    }
    ld2_s_op: Ld2S { d, arr, i } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        regs.set_i(d, i32::from(load!(vm pc, elem_get_i16 elem_load_i16(arr, i))));
        next!(vm pc regs ticks)
    }
    ld4_op: Ld4 { d, arr, i } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        regs.set(d, u64::from(load!(vm pc, elem_get_u32 elem_load_u32(arr, i))));
        next!(vm pc regs ticks)
    }
    ld8_op: Ld8 { d, arr, i } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        regs.set(d, load!(vm pc, elem_get_u64 elem_load_u64(arr, i)));
        next!(vm pc regs ticks)
    }
    st1_op: St1 { arr, i, v } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        watched!(vm pc regs ticks, vm.heap.is_watched(arr));
        let mut v = regs.i(v) as u8;
        if vm.heap.class_of(arr) == vm.known.prim_arrays[0] {
            v &= 1;
        }
        vm.heap.elem_set_u8(arr, i, v);
        next!(vm pc regs ticks)
    }
    st2_op: St2 { arr, i, v } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        watched!(vm pc regs ticks, vm.heap.is_watched(arr));
        vm.heap.elem_set_u16(arr, i, regs.i(v) as u16);
        next!(vm pc regs ticks)
    }
    st4_op: St4 { arr, i, v } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        watched!(vm pc regs ticks, vm.heap.is_watched(arr));
        vm.heap.elem_set_u32(arr, i, regs.i(v) as u32);
        next!(vm pc regs ticks)
    }
    st8_op: St8 { arr, i, v } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        watched!(vm pc regs ticks, vm.heap.is_watched(arr));
        vm.heap.elem_set_u64(arr, i, regs.get(v));
        next!(vm pc regs ticks)
    }
    st_a_op: StA { arr, i, v } => {
        let (arr, i) = element!(vm pc regs ticks, arr, i);
        let v = regs.a(v);
        if !v.is_null() && !vm.can_store(arr, v) {
            save!(vm pc regs ticks);
            let stop = vm.array_store(v);
            stop!(vm pc regs ticks, stop);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(arr));
        vm.heap.elem_set_ref(arr, i, v);
        next!(vm pc regs ticks)
    }
    gf1_op: Gf1 { d, obj, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set_i(d, i32::from(load!(vm pc, get_i8 load_i8(o, off))));
        next!(vm pc regs ticks)
    }
    gf2_u_op: Gf2U { d, obj, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set_i(d, i32::from(load!(vm pc, get_u16 load_u16(o, off))));
        next!(vm pc regs ticks)
    }
    gf2_s_op: Gf2S { d, obj, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set_i(d, i32::from(load!(vm pc, get_i16 load_i16(o, off))));
        next!(vm pc regs ticks)
    }
    gf4_op: Gf4 { d, obj, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set(d, u64::from(load!(vm pc, get_u32 load_u32(o, off))));
        next!(vm pc regs ticks)
    }
    gf8_op: Gf8 { d, obj, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set(d, load!(vm pc, get_u64 load_u64(o, off)));
        next!(vm pc regs ticks)
    }
    pf_z_op: PfZ { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_u8(o, off, regs.i(v) as u8 & 1);
        next!(vm pc regs ticks)
    }
    pf1_op: Pf1 { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_u8(o, off, regs.i(v) as u8);
        next!(vm pc regs ticks)
    }
    pf2_op: Pf2 { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_u16(o, off, regs.i(v) as u16);
        next!(vm pc regs ticks)
    }
    pf4_op: Pf4 { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_u32(o, off, regs.i(v) as u32);
        next!(vm pc regs ticks)
    }
    pf8_op: Pf8 { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_u64(o, off, regs.get(v));
        next!(vm pc regs ticks)
    }
    pf_a_op: PfA { obj, v, off } => {
        let o = regs.a(obj);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        watched!(vm pc regs ticks, vm.heap.is_watched(o));
        vm.heap.set_ref(o, off, regs.a(v));
        next!(vm pc regs ticks)
    }
    gs1_op: Gs1 { d, at } => {
        regs.set_i(d, i32::from(load!(vm pc, slot_i8 load_slot_i8(at))));
        next!(vm pc regs ticks)
    }
    gs2_u_op: Gs2U { d, at } => {
        regs.set_i(d, i32::from(load!(vm pc, slot_u16 load_slot_u16(at))));
        next!(vm pc regs ticks)
    }
    gs2_s_op: Gs2S { d, at } => {
        regs.set_i(d, i32::from(load!(vm pc, slot_u16 load_slot_u16(at)) as i16));
        next!(vm pc regs ticks)
    }
    gs4_op: Gs4 { d, at } => {
        regs.set(d, u64::from(load!(vm pc, slot_u32 load_slot_u32(at))));
        next!(vm pc regs ticks)
    }
    gs8_op: Gs8 { d, at } => {
        regs.set(d, load!(vm pc, slot_u64 load_slot_u64(at)));
        next!(vm pc regs ticks)
    }
    ps_z_op: PsZ { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_u8(at, regs.i(v) as u8 & 1);
        next!(vm pc regs ticks)
    }
    ps1_op: Ps1 { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_u8(at, regs.i(v) as u8);
        next!(vm pc regs ticks)
    }
    ps2_op: Ps2 { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_u16(at, regs.i(v) as u16);
        next!(vm pc regs ticks)
    }
    ps4_op: Ps4 { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_u32(at, regs.i(v) as u32);
        next!(vm pc regs ticks)
    }
    ps8_op: Ps8 { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_u64(at, regs.get(v));
        next!(vm pc regs ticks)
    }
    ps_a_op: PsA { v, at } => {
        watched!(vm pc regs ticks, vm.heap.is_watched_slot(at));
        vm.heap.set_slot_ref(at, regs.a(v));
        next!(vm pc regs ticks)
    }
}

handlers! { vm pc regs ticks;
    nop_op: Nop {} => { next!(vm pc regs ticks) }
    div_i_op: DivI { d, a, b } => {
        let b = regs.i(b);
        if b == 0 {
            leave!(vm pc regs ticks, Slow::DivideByZero);
        }
        regs.set_i(d, regs.i(a).wrapping_div(b));
        next!(vm pc regs ticks)
    }
    rem_i_op: RemI { d, a, b } => {
        let b = regs.i(b);
        if b == 0 {
            leave!(vm pc regs ticks, Slow::DivideByZero);
        }
        regs.set_i(d, regs.i(a).wrapping_rem(b));
        next!(vm pc regs ticks)
    }
    div_l_op: DivL { d, a, b } => {
        let b = regs.l(b);
        if b == 0 {
            leave!(vm pc regs ticks, Slow::DivideByZero);
        }
        regs.set_l(d, regs.l(a).wrapping_div(b));
        next!(vm pc regs ticks)
    }
    rem_l_op: RemL { d, a, b } => {
        let b = regs.l(b);
        if b == 0 {
            leave!(vm pc regs ticks, Slow::DivideByZero);
        }
        regs.set_l(d, regs.l(a).wrapping_rem(b));
        next!(vm pc regs ticks)
    }
    array_len_op: ArrayLen { d, arr } => {
        let arr = regs.a(arr);
        if arr.is_null() {
            npe!(vm pc regs ticks);
        }
        regs.set(d, u64::from(vm.heap.get_u32(arr, ARRAY_LENGTH)));
        next!(vm pc regs ticks)
    }
    new_array_op: NewArray { d, len, atype } => {
        let class = vm.known.prim_arrays[crate::interp::slow::atype_index(atype)];
        save!(vm pc regs ticks);
        match vm.op_new_array(class, regs.i(len)) {
            Ok(o) => {
                regs.set(d, o.bits());
                next!(vm pc regs ticks)
            }
            Err(stop) => stop!(vm pc regs ticks, stop),
        }
    }
    a_new_array_op: ANewArray { d, len, class } => {
        save!(vm pc regs ticks);
        match vm.op_new_array(ClassId(class), regs.i(len)) {
            Ok(o) => {
                regs.set(d, o.bits());
                next!(vm pc regs ticks)
            }
            Err(stop) => stop!(vm pc regs ticks, stop),
        }
    }
    invoke_static_op: InvokeStatic { args, m } => { invoke!(vm pc regs ticks, m, args) }
    invoke_special_op: InvokeSpecial { args, m } => {
        if regs.a(args).is_null() {
            npe!(vm pc regs ticks);
        }
        invoke!(vm pc regs ticks, m, args)
    }
    invoke_object_init_op: InvokeObjectInit { args } => {
        let o = regs.a(args);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        let class = vm.heap.class_of(o);
        if vm.classes[class.index()].has_finalizer {
            match attempt(vm, pc, ticks, Vm::finalizer_register) {
                Some(m) => invoke!(vm pc regs ticks, m.0, args),
                None => return,
            }
        }
        next!(vm pc regs ticks)
    }
    invoke_virtual_op: InvokeVirtual { args, vindex, m } => {
        let o = regs.a(args);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        let class = vm.heap.class_of(o);
        // SAFETY: the receiver's class has the resolved method's vtable slot; debug builds check it.
        let m = unsafe {
            let table = &vm.classes.get_unchecked(class.index()).vtable;
            debug_assert!((vindex as usize) < table.len());
            *table.get_unchecked(vindex as usize)
        };
        invoke!(vm pc regs ticks, m.0, args)
    }
    invoke_interface_op: InvokeInterface { args, m, class, target } => {
        let o = regs.a(args);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        let receiver = vm.heap.class_of(o);
        if receiver.0 == class {
            invoke!(vm pc regs ticks, target, args)
        }
        save!(vm pc regs ticks);
        match vm.select_interface(receiver, MethodId(m)) {
            Ok(t) => {
                // SAFETY: the op belongs to the running method; nobody else holds a reference to it.
                unsafe {
                    *pc.cast_mut() = Op::InvokeInterface {
                        args,
                        m,
                        class: receiver.0,
                        target: t.0,
                    };
                }
                invoke!(vm pc regs ticks, t.0, args)
            }
            Err(stop) => stop!(vm pc regs ticks, stop),
        }
    }
    invoke_linked_op: InvokeLinked { args, n, m, appendix } => {
        if appendix != 0 {
            // The window has a spare register for it.
            regs.set(args + n, u64::from(appendix));
        }
        invoke!(vm pc regs ticks, m, args)
    }
    invoke_basic_op: InvokeBasic { args, n } => {
        let handle = regs.a(args);
        if handle.is_null() {
            npe!(vm pc regs ticks);
        }
        let target = vm.basic_target(handle);
        invoke!(vm pc regs ticks, target.0, args)
    }
    link_to_op: LinkTo { args, n, kind } => {
        let member = regs.a(args + n - 1);
        let receiver = regs.a(args);
        if member.is_null() || receiver.is_null() && kind != 6 {
            npe!(vm pc regs ticks);
        }
        save!(vm pc regs ticks);
        match vm.link_target_by_number(member, kind, receiver) {
            Ok(target) => invoke!(vm pc regs ticks, target.0, args),
            Err(stop) => stop!(vm pc regs ticks, stop),
        }
    }
    ret_void_op: RetVoid {} => { ret!(vm pc regs ticks, 0) }
    ret_op: Ret { s } => { ret!(vm pc regs ticks, regs.get(s)) }
    ret_z_op: RetZ { s } => { ret!(vm pc regs ticks, u64::from(regs.i(s) as u32 & 1)) }
    ret_b_op: RetB { s } => { ret!(vm pc regs ticks, u64::from(i32::from(regs.i(s) as i8) as u32)) }
    ret_c_op: RetC { s } => { ret!(vm pc regs ticks, u64::from(regs.i(s) as u16)) }
    ret_s_op: RetS { s } => { ret!(vm pc regs ticks, u64::from(i32::from(regs.i(s) as i16) as u32)) }
    new_op: New { d, class } => {
        if vm.heap.should_collect() {
            save!(vm pc regs ticks);
            vm.collect(false);
        }
        match vm.new_object(ClassId(class)) {
            Ok(o) => {
                regs.set(d, o.bits());
                next!(vm pc regs ticks)
            }
            Err(stop) => {
                save!(vm pc regs ticks);
                stop!(vm pc regs ticks, stop)
            }
        }
    }
    check_cast_op: CheckCast { s, class } => {
        let o = regs.a(s);
        if !o.is_null() {
            let from = vm.heap.class_of(o);
            if from.0 != class && !vm.is_subclass(from, ClassId(class)) {
                save!(vm pc regs ticks);
                let stop = vm.class_cast(from, ClassId(class));
                stop!(vm pc regs ticks, stop);
            }
        }
        next!(vm pc regs ticks)
    }
    instance_of_op: InstanceOf { d, s, class } => {
        let o = regs.a(s);
        let is = !o.is_null() && {
            let from = vm.heap.class_of(o);
            from.0 == class || vm.is_subclass(from, ClassId(class))
        };
        regs.set(d, u64::from(is));
        next!(vm pc regs ticks)
    }
    throw_op: Throw { s } => {
        let e = regs.a(s);
        if e.is_null() {
            npe!(vm pc regs ticks);
        }
        save!(vm pc regs ticks);
        stop!(vm pc regs ticks, Stop::Throw(e))
    }
    monitor_enter_op: MonitorEnter { s } => {
        let o = regs.a(s);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        if attempt(vm, pc, ticks, move |vm| vm.monitor_enter(o)).is_some() {
            next!(vm pc regs ticks)
        }
    }
    monitor_exit_op: MonitorExit { s } => {
        let o = regs.a(s);
        if o.is_null() {
            npe!(vm pc regs ticks);
        }
        if attempt(vm, pc, ticks, move |vm| vm.monitor_exit(o)).is_some() {
            next!(vm pc regs ticks)
        }
    }
    lower_op: Lower {} => {
        if attempt(vm, pc, ticks, Vm::op_lower).is_some() {
            let pc = frame(vm).pc;
            go!(vm pc regs ticks)
        }
    }
    enter_sync_op: EnterSync {} => {
        if attempt(vm, pc, ticks, move |vm| vm.op_enter_sync(regs.0)).is_some() {
            let pc = frame(vm).pc;
            go!(vm pc regs ticks)
        }
    }
    compiled_op: Compiled { entry, lo, hi } => { return run_compiled(vm, pc, regs, ticks, entry, lo, hi) }
    abstract_op: Abstract {} => {
        save!(vm pc regs ticks);
        let m = frame(vm).method;
        let receiver = vm.heap.class_of(regs.a(0usize));
        let stop = vm.abstract_method_error(receiver, m);
        stop!(vm pc regs ticks, stop)
    }
    invalid_op: Invalid {} => {
        save!(vm pc regs ticks);
        let stop = vm.invalid_method();
        stop!(vm pc regs ticks, stop)
    }

    table_switch_op: TableSwitch { a, table } => {
        let off = switch_offset(vm, regs.i(a), table);
        branch!(vm pc regs ticks, true, off)
    }
    lookup_switch_op: LookupSwitch { a, table } => {
        let off = switch_offset(vm, regs.i(a), table);
        branch!(vm pc regs ticks, true, off)
    }
    jsr_op: Jsr { d, off } => {
        let method = frame(vm).method;
        let start = vm.methods[method.index()].ops.as_ptr();
        // SAFETY: both point into the same method's ops.
        regs.set_i(d, unsafe { pc.offset_from(start) } as i32 + 1);
        branch!(vm pc regs ticks, true, off)
    }
    ret_sub_op: RetSub { a } => {
        let method = frame(vm).method;
        let to = regs.i(a) as usize;
        let ops = &vm.methods[method.index()].ops;
        if to >= ops.len() {
            stop!(vm pc regs ticks, Stop::bug("ret to nowhere"));
        }
        let pc = &raw const ops[to];
        go!(vm pc regs ticks)
    }
    // Unresolved forms: resolve, rewrite, execute again.
    ldc_u_op: LdcU { d, cp } => { return quicken(vm, pc, regs, ticks) }
    get_field_u_op: GetFieldU { d, obj, cp } => { return quicken(vm, pc, regs, ticks) }
    put_field_u_op: PutFieldU { obj, v, cp } => { return quicken(vm, pc, regs, ticks) }
    invoke_virtual_u_op: InvokeVirtualU { args, n, cp } => { return quicken(vm, pc, regs, ticks) }
    invoke_special_u_op: InvokeSpecialU { args, n, cp } => { return quicken(vm, pc, regs, ticks) }
    invoke_interface_u_op: InvokeInterfaceU { args, n, cp } => { return quicken(vm, pc, regs, ticks) }
    invoke_dynamic_u_op: InvokeDynamicU { args, n, cp } => { return quicken(vm, pc, regs, ticks) }
    // Null is of every type and an instance of none: a class that is not there yet stays so.
    check_cast_u_op: CheckCastU { s, cp } => {
        if regs.a(s).is_null() && !vm.is_at_hand(cp) {
            next!(vm pc regs ticks)
        }
        return quicken(vm, pc, regs, ticks)
    }
    instance_of_u_op: InstanceOfU { d, s, cp } => {
        if regs.a(s).is_null() && !vm.is_at_hand(cp) {
            regs.set(d, 0);
            next!(vm pc regs ticks)
        }
        return quicken(vm, pc, regs, ticks)
    }
    a_new_array_u_op: ANewArrayU { d, len, cp } => { return quicken(vm, pc, regs, ticks) }
    // These need an initialised class; while this thread initialises it they are not rewritten.
    get_static_u_op: GetStaticU { d, cp } => { return quicken_static(vm, pc, regs, ticks) }
    put_static_u_op: PutStaticU { v, cp } => { return quicken_static(vm, pc, regs, ticks) }
    invoke_static_u_op: InvokeStaticU { args, n, cp } => { return quicken_static(vm, pc, regs, ticks) }
    new_u_op: NewU { d, cp } => { return quicken_static(vm, pc, regs, ticks) }
    multi_new_array_op: MultiNewArray { args, dims, cp } => {
        if let Some(o) = attempt(vm, pc, ticks, move |vm| multi_new_array(vm, regs, args, dims, cp)) {
            regs.set(args, o.bits());
            next!(vm pc regs ticks)
        }
    }
    native_op: Native {} => {
        let result = attempt(vm, pc, ticks, move |vm| run_native(vm, regs));
        // The native may have used up the slice on purpose.
        let ticks = vm.threads.slice;
        if let Some(v) = result {
            ret!(vm pc regs ticks, v)
        }
    }
    continue_op: Continue {} => {
        // A called method has left its result where its window began: at the end of this one.
        let v = regs.get(frame(vm).regs as usize);
        leave!(vm pc regs ticks, Slow::Continue(v))
    }
}

#[cold]
#[inline(never)]
fn watched_store(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64) {
    if !store_watched(vm, pc, regs) {
        stop!(vm pc regs ticks, Stop::bug("not a store"));
    }
    next!(vm pc regs ticks)
}

/// Executes a store op whose target the write barrier watches; its operands have been checked. False if it is none.
pub(crate) fn store_watched(vm: &mut Vm, pc: *const Op, regs: Regs) -> bool {
    frame(vm).pc = pc;
    let heap = &mut vm.heap;
    // SAFETY: the op at `pc`.
    match unsafe { *pc } {
        Op::St1 { arr, i, v } => {
            let arr = regs.a(arr);
            let is_boolean = heap.class_of(arr) == vm.known.prim_arrays[0];
            let mask = if is_boolean { 1 } else { 0xff };
            heap.elem_put_u8(arr, regs.i(i) as u32, regs.i(v) as u8 & mask);
        }
        Op::St2 { arr, i, v } => heap.elem_put_u16(regs.a(arr), regs.i(i) as u32, regs.i(v) as u16),
        Op::St4 { arr, i, v } => heap.elem_put_u32(regs.a(arr), regs.i(i) as u32, regs.i(v) as u32),
        Op::St8 { arr, i, v } => heap.elem_put_u64(regs.a(arr), regs.i(i) as u32, regs.get(v)),
        Op::StA { arr, i, v } => heap.elem_put_ref(regs.a(arr), regs.i(i) as u32, regs.a(v)),
        Op::PfZ { obj, v, off } => heap.put_u8(regs.a(obj), off, regs.i(v) as u8 & 1),
        Op::Pf1 { obj, v, off } => heap.put_u8(regs.a(obj), off, regs.i(v) as u8),
        Op::Pf2 { obj, v, off } => heap.put_u16(regs.a(obj), off, regs.i(v) as u16),
        Op::Pf4 { obj, v, off } => heap.put_u32(regs.a(obj), off, regs.i(v) as u32),
        Op::Pf8 { obj, v, off } => heap.put_u64(regs.a(obj), off, regs.get(v)),
        Op::PfA { obj, v, off } => heap.put_ref(regs.a(obj), off, regs.a(v)),
        Op::PsZ { v, at } => heap.put_slot_u8(at, regs.i(v) as u8 & 1),
        Op::Ps1 { v, at } => heap.put_slot_u8(at, regs.i(v) as u8),
        Op::Ps2 { v, at } => heap.put_slot_u16(at, regs.i(v) as u16),
        Op::Ps4 { v, at } => heap.put_slot_u32(at, regs.i(v) as u32),
        Op::Ps8 { v, at } => heap.put_slot_u64(at, regs.get(v)),
        Op::PsA { v, at } => heap.put_slot_ref(at, regs.a(v)),
        _ => return false,
    }
    true
}

fn switch_offset(vm: &mut Vm, key: i32, table: u32) -> i32 {
    let method = frame(vm).method;
    match &vm.methods[method.index()].switches[table as usize] {
        Switch::Table { low, default, offs } => offs
            .get(key.wrapping_sub(*low) as u32 as usize)
            .copied()
            .unwrap_or(*default),
        Switch::Lookup { default, keys, offs } => keys.binary_search(&key).map_or(*default, |i| offs[i]),
    }
}

#[inline(always)]
fn quicken(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64) {
    let resolve = move |vm: &mut Vm| {
        // SAFETY: `pc` points at the op being executed, which belongs to the running method; nobody else holds a
        // reference to it.
        let op = vm.quicken(unsafe { *pc })?;
        // SAFETY: as above.
        unsafe { *pc.cast_mut() = op };
        vm.note_accessor();
        Ok(())
    };
    if attempt(vm, pc, ticks, resolve).is_some() {
        go!(vm pc regs ticks)
    }
}

#[inline(always)]
fn quicken_static(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64) {
    /// What to do after resolution.
    enum Then {
        Again,
        Next,
        Invoke(u32, u16),
    }
    let resolve = move |vm: &mut Vm| {
        // SAFETY: as in `quicken`.
        match vm.quicken_static(unsafe { *pc })? {
            (op, true) => {
                unsafe { *pc.cast_mut() = op };
                Ok(Then::Again)
            }
            (Op::InvokeStatic { args, m }, false) => Ok(Then::Invoke(m, args)),
            (other, false) => vm.execute_static(other, regs.0).map(|()| Then::Next),
        }
    };
    match attempt(vm, pc, ticks, resolve) {
        Some(Then::Again) => go!(vm pc regs ticks),
        Some(Then::Next) => next!(vm pc regs ticks),
        Some(Then::Invoke(m, args)) => invoke!(vm pc regs ticks, m, args),
        None => (),
    }
}

fn multi_new_array(vm: &mut Vm, regs: Regs, args: u16, dims: u16, cp: u16) -> Result<ObjRef, Stop> {
    let lens: Vec<i32> = (0..dims).map(|i| regs.i(args + i)).collect();
    vm.op_multi_new_array(cp, &lens)
}

/// Runs the native of the frame on top on its arguments.
fn run_native(vm: &mut Vm, regs: Regs) -> Result<u64, Stop> {
    let m = frame(vm).method;
    if let Some(stop) = vm.threads.leaf_call.take() {
        return Err(stop);
    }
    let Some(native) = vm.methods[m.index()].native else {
        return vm.missing_native(m);
    };
    if vm.heap.should_collect() {
        vm.collect(false);
    }
    let n = usize::from(vm.methods[m.index()].arg_slots);
    // SAFETY: the arguments lie in the native frame's window, which stays put while it runs.
    let args = unsafe { std::slice::from_raw_parts(regs.0, n) };
    let result = native(&mut Ctx::new(vm, args));
    if fault::happened() {
        Err(vm.memory_fault())
    } else {
        result
    }
}

/// Calls a leaf native without a frame; none if it must be tried with one.
#[inline(never)]
fn run_leaf(vm: &mut Vm, m: u32, leaf: NativeFn, base: *const u64, n: u16) -> Option<u64> {
    // With a frame it will be preceded by a collection.
    if vm.heap.should_collect() && vm.methods[m as usize].native.is_some() {
        return None;
    }
    // SAFETY: the arguments lie in the caller's window; a leaf cannot reach the register stack otherwise.
    let args = unsafe { std::slice::from_raw_parts(base, usize::from(n)) };
    let result = leaf(&mut Ctx::new(vm, args));
    if fault::happened() {
        return None;
    }
    match result {
        Ok(v) => Some(v),
        // A class whose initialisation has begun must go on with it; other errors come again.
        Err(stop @ Stop::Call(_)) if vm.methods[m as usize].native.is_some() => {
            vm.threads.leaf_call = Some(stop);
            None
        }
        Err(_) => None,
    }
}

/// What a leaf returns for the arguments at `base`; none if it must be called with a frame.
#[inline(always)]
pub(crate) fn call_leaf(
    vm: &mut Vm,
    m: u32,
    hot: HotMethod,
    leaf: NativeFn,
    base: *const u64,
) -> Option<u64> {
    // SAFETY: a call's window has at least one register for its result.
    let receiver = ObjRef(unsafe { *base } as u32);
    if hot.accessor != 0 && !receiver.is_null() {
        return Some(read_accessor(vm, receiver, hot.accessor));
    }
    run_leaf(vm, m, leaf, base, hot.arg_slots)
}

/// What a method returns that only reads a field of its receiver.
#[inline(always)]
fn read_accessor(vm: &Vm, receiver: ObjRef, accessor: u32) -> u64 {
    let off = accessor & (HotMethod::FAR - 1);
    match accessor / HotMethod::FAR {
        HotMethod::READ_4 => u64::from(vm.heap.get_u32(receiver, off)),
        HotMethod::READ_8 => vm.heap.get_u64(receiver, off),
        HotMethod::READ_BYTE => u64::from(i32::from(vm.heap.get_i8(receiver, off)) as u32),
        _ => u64::from(vm.heap.get_u8(receiver, off) & 1),
    }
}

/// Enters method `m`, whose arguments stand at register `args`.
#[inline(always)]
fn invoke(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64, m: u32, args: u32) {
    let ticks = ticks - 1;
    if ticks < 0 {
        leave!(vm pc regs ticks, Slow::Poll);
    }
    // SAFETY: method ids come from resolution.
    let hot: HotMethod = unsafe { *vm.hot.as_ptr().add(m as usize) };
    // SAFETY: `args` is a register of this window.
    let base = unsafe { regs.0.add(args as usize) };
    save!(vm pc regs ticks);
    if let Some(leaf) = hot.leaf
        && let Some(v) = call_leaf(vm, m, hot, leaf, base)
    {
        regs.set(args as usize, v);
        next!(vm pc regs ticks);
    }
    if !fits(vm, base, hot.regs) {
        vm.threads.leaf_call = None;
        leave!(vm pc regs ticks, Slow::StackOverflow);
    }
    let pc = start(&hot);
    push(vm, m, args, pc, hot.regs);
    dispatch(vm, pc, Regs(base), ticks)
}

/// Whether there is room for a frame whose window of `regs` registers begins at `base`.
#[inline(always)]
pub(crate) fn fits(vm: &Vm, base: *mut u64, regs: u32) -> bool {
    fits_within(vm, base, regs, 0)
}

/// The same with `deeper` more frames above it, whose windows end `reach` registers from `base`.
#[inline(always)]
pub(crate) fn fits_within(vm: &Vm, base: *mut u64, reach: u32, deeper: u32) -> bool {
    // SAFETY: pointers into one register stack; `vm.frames` is the current thread's.
    unsafe {
        base.add(reach as usize) <= vm.limit && (*vm.frames).len() + (deeper as usize) < vm.threads.max_frames
    }
}

/// Where a call of the method begins.
#[inline(always)]
pub(crate) fn start(hot: &HotMethod) -> *const Op {
    if hot.flags & HotMethod::SYNCHRONIZED != 0 {
        stubs::ENTER.as_ptr()
    } else {
        hot.code
    }
}

/// Pushes the frame of method `m`, whose arguments stand at register `args` of the frame on top and for which there is
/// room; gives the number of frames below it.
#[inline(always)]
pub(crate) fn push(vm: &mut Vm, m: u32, args: u32, pc: *const Op, regs: u32) -> usize {
    // SAFETY: the vector was made with room for all frames a thread may have.
    unsafe {
        let frames = &mut *vm.frames;
        let len = frames.len();
        let caller = frames.last().unwrap_unchecked().base;
        frames.as_mut_ptr().add(len).write(Frame {
            pc,
            method: MethodId(m),
            base: caller + args,
            regs,
            lock: ObjRef::NULL,
            cont: None,
        });
        frames.set_len(len + 1);
        len
    }
}

/// Enters the compiled form of the method on top, and goes on where and as it says.
#[inline(always)]
fn run_compiled(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64, entry: u16, lo: u32, hi: u32) {
    let address = (u64::from(lo) | u64::from(hi) << 32) as *const u8;
    // SAFETY: the op was made from the address of a compiled method.
    let code = unsafe { std::mem::transmute::<*const u8, crate::jit::Compiled>(address) };
    // SAFETY: a frame's window begins `base` registers after its thread's register stack does.
    let stack = unsafe { regs.0.sub(frame(vm).base as usize) };
    let m = frame(vm).method;
    let hot = &vm.hot[m.index()];
    // The frame itself is there already.
    if hot.depth > 0 && !fits_within(vm, regs.0, hot.reach, hot.depth - 1) {
        vm.compile_flat(m);
        return dispatch(vm, pc, regs, ticks);
    }
    vm.jit.set_floor();
    let exit = code(vm, regs, ticks, u64::from(entry));
    let (to, ticks) = (exit.pc, exit.ticks());
    match exit.why() {
        Why::Interpret => {
            // SAFETY: as above; the frame on top may be another now.
            let regs = Regs(unsafe { stack.add(frame(vm).base as usize) });
            dispatch(vm, to, regs, ticks)
        }
        Why::Returned => ret!(vm pc regs ticks, regs.get(0usize)),
        Why::Left => vm.threads.slice = ticks,
        why => leave_compiled(vm, to, ticks, why),
    }
}

#[cold]
#[inline(never)]
fn leave_compiled(vm: &mut Vm, pc: *const Op, ticks: i64, why: Why) {
    let why = match why {
        Why::Poll => Slow::Poll,
        Why::NullPointer => Slow::NullPointer,
        Why::DivideByZero => Slow::DivideByZero,
        Why::Index => Slow::Index(vm.jit.index, vm.jit.length),
        Why::Interpret | Why::Returned | Why::Left => Slow::Stop(Stop::bug("compiled code has not ended")),
    };
    leave(vm, pc, ticks, why);
}

/// Returns to the caller with a register image.
#[inline(always)]
fn return_value(vm: &mut Vm, pc: *const Op, regs: Regs, ticks: i64, v: u64) {
    let lock = frame(vm).lock;
    if !lock.is_null() {
        let unlock = move |vm: &mut Vm| {
            frame(vm).lock = ObjRef::NULL;
            vm.monitor_exit(lock)
        };
        if attempt(vm, pc, ticks, unlock).is_none() {
            return;
        }
    }
    // Register 0 of the window is where the caller expects the result.
    regs.set(0usize, v);
    // SAFETY: a Java frame always has a frame below: the caller or a continuation.
    let (pc, regs) = unsafe {
        let frames = &mut *vm.frames;
        let len = frames.len() - 1;
        let callee = (*frames.as_ptr().add(len)).base as usize;
        frames.set_len(len);
        let caller = &*frames.as_ptr().add(len - 1);
        (
            caller.pc.add(1),
            Regs(regs.0.sub(callee).add(caller.base as usize)),
        )
    };
    dispatch(vm, pc, regs, ticks)
}
