//! The loop: one match over the register instructions.
//!
//! The fast path keeps the program counter, the register window and the tick count in locals and touches frames
//! only at calls and returns. Whatever may load classes, collect, throw or switch threads is a slow path: it saves
//! the program counter in the frame, goes through `Vm::handle`, and reloads everything from the thread.
#![expect(
    unsafe_code,
    reason = "register windows and ops are raw memory here; lowering has checked every index"
)]

use crate::heap::ARRAY_LENGTH;
use crate::ids::{ClassId, MethodId, ObjRef};
use crate::interp::frame::Frame;
use crate::interp::slow::{Exit, Flow, Slow};
use crate::interp::stubs;
use crate::link::op::{Op, Switch};
use crate::natives::Ctx;
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

pub use crate::interp::slow::thread_ended;

impl Vm {
    /// Runs the current thread, and whoever the scheduler chooses, until the program or the host's call ends.
    pub fn run(&mut self) -> Exit {
        let vm = self;
        let mut pc: *const Op;
        let mut regs: *mut u64;
        let mut limit: *mut u64;
        let mut frames: *mut Vec<Frame>;
        let mut ticks: i64;

        /// Loads the loop's locals from the current thread.
        macro_rules! reload {
            () => {{
                let thread = vm.threads.cur();
                frames = &raw mut thread.frames;
                // SAFETY: the current thread always has a frame while the loop runs.
                let frame = unsafe { (*frames).last().unwrap_unchecked() };
                let stack = thread.regs.ptr();
                // SAFETY: a frame's window lies inside its thread's register stack.
                regs = unsafe { stack.add(frame.base as usize) };
                limit = unsafe { stack.add(thread.regs.len()) };
                pc = frame.pc;
                ticks = vm.threads.slice;
            }};
        }
        /// Saves the program counter and ticks for everything that looks at the thread from outside.
        macro_rules! save {
            () => {{
                // SAFETY: as in reload.
                unsafe { (*frames).last_mut().unwrap_unchecked().pc = pc };
                vm.threads.slice = ticks;
            }};
        }
        // Register access. SAFETY of all: lowering checked that every register number is below the window's size,
        // and a frame is entered only after its window was found to fit the register stack.
        macro_rules! r {
            ($r:expr) => {
                *unsafe { &mut *regs.add($r as usize) }
            };
        }
        macro_rules! ri {
            ($r:expr) => {
                unsafe { *regs.add($r as usize) as i32 }
            };
        }
        macro_rules! rl {
            ($r:expr) => {
                unsafe { *regs.add($r as usize) as i64 }
            };
        }
        macro_rules! rf {
            ($r:expr) => {
                f32::from_bits(unsafe { *regs.add($r as usize) as u32 })
            };
        }
        macro_rules! rd {
            ($r:expr) => {
                f64::from_bits(unsafe { *regs.add($r as usize) })
            };
        }
        macro_rules! ra {
            ($r:expr) => {
                ObjRef(unsafe { *regs.add($r as usize) as u32 })
            };
        }
        macro_rules! set_i {
            ($d:expr, $v:expr) => {{
                let v: i32 = $v;
                r!($d) = u64::from(v as u32);
            }};
        }
        macro_rules! set_l {
            ($d:expr, $v:expr) => {{
                let v: i64 = $v;
                r!($d) = v as u64;
            }};
        }
        macro_rules! set_f {
            ($d:expr, $v:expr) => {{
                let v: f32 = $v;
                r!($d) = u64::from(v.to_bits());
            }};
        }
        macro_rules! set_d {
            ($d:expr, $v:expr) => {{
                let v: f64 = $v;
                r!($d) = v.to_bits();
            }};
        }
        match vm.start_running() {
            Flow::Resume => {}
            Flow::Leave(exit) => return exit,
        }
        reload!();
        'next: loop {
            macro_rules! next {
                () => {{
                    // SAFETY: every op but a jump or return is followed by another.
                    pc = unsafe { pc.add(1) };
                    continue 'next;
                }};
            }
            let v: u64 = 'ret: {
                let (m, args): (u32, usize) = 'call: {
                    let slow: Slow = 'op: {
                        /// Leaves the fast path: what stands after the match does the rest.
                        macro_rules! stop {
                            ($stop:expr) => {
                                break 'op Slow::Stop($stop)
                            };
                        }
                        /// A slow path that may fail; on success the op (possibly rewritten) has been executed.
                        macro_rules! slow {
                            ($call:expr) => {{
                                save!();
                                match $call {
                                    Ok(()) => next!(),
                                    Err(stop) => stop!(stop),
                                }
                            }};
                        }
                        /// A slow path that has set the frame to go on elsewhere.
                        macro_rules! restart {
                            ($call:expr) => {{
                                save!();
                                match $call {
                                    Ok(()) => {
                                        // SAFETY: as in reload.
                                        pc = unsafe { (*frames).last().unwrap_unchecked().pc };
                                        continue 'next;
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }};
                        }
                        macro_rules! npe {
                            () => {
                                break 'op Slow::NullPointer
                            };
                        }
                        macro_rules! branch {
                            ($cond:expr, $off:expr) => {{
                                if $cond {
                                    let off = $off;
                                    if off <= 0 {
                                        ticks -= 1;
                                        if ticks < 0 {
                                            break 'op Slow::Poll;
                                        }
                                    }
                                    // SAFETY: lowering checked that the target is an op of this method.
                                    pc = unsafe { pc.offset(off as isize) };
                                    continue 'next;
                                }
                                next!()
                            }};
                        }
                        /// Checks an array access; the element index is then in bounds.
                        macro_rules! element {
                            ($arr:expr, $i:expr) => {{
                                let arr = ra!($arr);
                                if arr.is_null() {
                                    npe!();
                                }
                                let i = ri!($i);
                                let len = vm.heap.get_u32(arr, ARRAY_LENGTH);
                                if i as u32 >= len {
                                    break 'op Slow::Index(i, len);
                                }
                                (arr, i as u32)
                            }};
                        }
                        /// Enters a method whose arguments stand at register `args`.
                        macro_rules! invoke {
                            ($m:expr, $args:expr) => {
                                break 'call ($m, usize::from($args))
                            };
                        }
                        /// Returns a value (already in the register image) to the caller.
                        macro_rules! ret {
                            ($v:expr) => {
                                break 'ret $v
                            };
                        }

                        // SAFETY: `pc` always points at an op of the running method or of a stub.
                        match unsafe { *pc } {
                            Op::Nop => next!(),
                            Op::Mov { d, s } => {
                                r!(d) = r!(s);
                                next!()
                            }
                            Op::Const { d, v } => {
                                r!(d) = u64::from(v);
                                next!()
                            }
                            Op::Const64 { d, lo, hi } => {
                                r!(d) = u64::from(lo) | u64::from(hi) << 32;
                                next!()
                            }
                            Op::LdcRef { d, obj } => {
                                r!(d) = u64::from(obj);
                                next!()
                            }

                            Op::AddI { d, a, b } => {
                                set_i!(d, ri!(a).wrapping_add(ri!(b)));
                                next!()
                            }
                            Op::SubI { d, a, b } => {
                                set_i!(d, ri!(a).wrapping_sub(ri!(b)));
                                next!()
                            }
                            Op::MulI { d, a, b } => {
                                set_i!(d, ri!(a).wrapping_mul(ri!(b)));
                                next!()
                            }
                            Op::DivI { d, a, b } => {
                                let b = ri!(b);
                                if b == 0 {
                                    break 'op Slow::DivideByZero;
                                }
                                set_i!(d, ri!(a).wrapping_div(b));
                                next!()
                            }
                            Op::RemI { d, a, b } => {
                                let b = ri!(b);
                                if b == 0 {
                                    break 'op Slow::DivideByZero;
                                }
                                set_i!(d, ri!(a).wrapping_rem(b));
                                next!()
                            }
                            Op::AndI { d, a, b } => {
                                set_i!(d, ri!(a) & ri!(b));
                                next!()
                            }
                            Op::OrI { d, a, b } => {
                                set_i!(d, ri!(a) | ri!(b));
                                next!()
                            }
                            Op::XorI { d, a, b } => {
                                set_i!(d, ri!(a) ^ ri!(b));
                                next!()
                            }
                            Op::ShlI { d, a, b } => {
                                set_i!(d, ri!(a).wrapping_shl(ri!(b) as u32));
                                next!()
                            }
                            Op::ShrI { d, a, b } => {
                                set_i!(d, ri!(a).wrapping_shr(ri!(b) as u32));
                                next!()
                            }
                            Op::UshrI { d, a, b } => {
                                set_i!(d, (ri!(a) as u32).wrapping_shr(ri!(b) as u32) as i32);
                                next!()
                            }
                            Op::NegI { d, a } => {
                                set_i!(d, ri!(a).wrapping_neg());
                                next!()
                            }
                            Op::AddIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_add(k));
                                next!()
                            }
                            Op::RsubIK { d, a, k } => {
                                set_i!(d, k.wrapping_sub(ri!(a)));
                                next!()
                            }
                            Op::MulIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_mul(k));
                                next!()
                            }
                            Op::DivIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_div(k));
                                next!()
                            }
                            Op::RemIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_rem(k));
                                next!()
                            }
                            Op::AndIK { d, a, k } => {
                                set_i!(d, ri!(a) & k);
                                next!()
                            }
                            Op::OrIK { d, a, k } => {
                                set_i!(d, ri!(a) | k);
                                next!()
                            }
                            Op::XorIK { d, a, k } => {
                                set_i!(d, ri!(a) ^ k);
                                next!()
                            }
                            Op::ShlIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_shl(k as u32));
                                next!()
                            }
                            Op::ShrIK { d, a, k } => {
                                set_i!(d, ri!(a).wrapping_shr(k as u32));
                                next!()
                            }
                            Op::UshrIK { d, a, k } => {
                                set_i!(d, (ri!(a) as u32).wrapping_shr(k as u32) as i32);
                                next!()
                            }

                            Op::AddL { d, a, b } => {
                                set_l!(d, rl!(a).wrapping_add(rl!(b)));
                                next!()
                            }
                            Op::SubL { d, a, b } => {
                                set_l!(d, rl!(a).wrapping_sub(rl!(b)));
                                next!()
                            }
                            Op::MulL { d, a, b } => {
                                set_l!(d, rl!(a).wrapping_mul(rl!(b)));
                                next!()
                            }
                            Op::DivL { d, a, b } => {
                                let b = rl!(b);
                                if b == 0 {
                                    break 'op Slow::DivideByZero;
                                }
                                set_l!(d, rl!(a).wrapping_div(b));
                                next!()
                            }
                            Op::RemL { d, a, b } => {
                                let b = rl!(b);
                                if b == 0 {
                                    break 'op Slow::DivideByZero;
                                }
                                set_l!(d, rl!(a).wrapping_rem(b));
                                next!()
                            }
                            Op::AndL { d, a, b } => {
                                set_l!(d, rl!(a) & rl!(b));
                                next!()
                            }
                            Op::OrL { d, a, b } => {
                                set_l!(d, rl!(a) | rl!(b));
                                next!()
                            }
                            Op::XorL { d, a, b } => {
                                set_l!(d, rl!(a) ^ rl!(b));
                                next!()
                            }
                            Op::ShlL { d, a, b } => {
                                set_l!(d, rl!(a).wrapping_shl(ri!(b) as u32));
                                next!()
                            }
                            Op::ShrL { d, a, b } => {
                                set_l!(d, rl!(a).wrapping_shr(ri!(b) as u32));
                                next!()
                            }
                            Op::UshrL { d, a, b } => {
                                set_l!(d, (rl!(a) as u64).wrapping_shr(ri!(b) as u32) as i64);
                                next!()
                            }
                            Op::NegL { d, a } => {
                                set_l!(d, rl!(a).wrapping_neg());
                                next!()
                            }
                            Op::AddLK { d, a, k } => {
                                set_l!(d, rl!(a).wrapping_add(i64::from(k)));
                                next!()
                            }
                            Op::MulLK { d, a, k } => {
                                set_l!(d, rl!(a).wrapping_mul(i64::from(k)));
                                next!()
                            }
                            Op::AndLK { d, a, k } => {
                                set_l!(d, rl!(a) & i64::from(k));
                                next!()
                            }
                            Op::ShlLK { d, a, k } => {
                                set_l!(d, rl!(a).wrapping_shl(k as u32));
                                next!()
                            }
                            Op::ShrLK { d, a, k } => {
                                set_l!(d, rl!(a).wrapping_shr(k as u32));
                                next!()
                            }
                            Op::UshrLK { d, a, k } => {
                                set_l!(d, (rl!(a) as u64).wrapping_shr(k as u32) as i64);
                                next!()
                            }

                            Op::AddF { d, a, b } => {
                                set_f!(d, rf!(a) + rf!(b));
                                next!()
                            }
                            Op::SubF { d, a, b } => {
                                set_f!(d, rf!(a) - rf!(b));
                                next!()
                            }
                            Op::MulF { d, a, b } => {
                                set_f!(d, rf!(a) * rf!(b));
                                next!()
                            }
                            Op::DivF { d, a, b } => {
                                set_f!(d, rf!(a) / rf!(b));
                                next!()
                            }
                            Op::RemF { d, a, b } => {
                                set_f!(d, rf!(a) % rf!(b));
                                next!()
                            }
                            Op::NegF { d, a } => {
                                set_f!(d, -rf!(a));
                                next!()
                            }
                            Op::AddD { d, a, b } => {
                                set_d!(d, rd!(a) + rd!(b));
                                next!()
                            }
                            Op::SubD { d, a, b } => {
                                set_d!(d, rd!(a) - rd!(b));
                                next!()
                            }
                            Op::MulD { d, a, b } => {
                                set_d!(d, rd!(a) * rd!(b));
                                next!()
                            }
                            Op::DivD { d, a, b } => {
                                set_d!(d, rd!(a) / rd!(b));
                                next!()
                            }
                            Op::RemD { d, a, b } => {
                                set_d!(d, rd!(a) % rd!(b));
                                next!()
                            }
                            Op::NegD { d, a } => {
                                set_d!(d, -rd!(a));
                                next!()
                            }

                            Op::I2L { d, a } => {
                                set_l!(d, i64::from(ri!(a)));
                                next!()
                            }
                            Op::I2F { d, a } => {
                                set_f!(d, ri!(a) as f32);
                                next!()
                            }
                            Op::I2D { d, a } => {
                                set_d!(d, f64::from(ri!(a)));
                                next!()
                            }
                            Op::L2I { d, a } => {
                                set_i!(d, rl!(a) as i32);
                                next!()
                            }
                            Op::L2F { d, a } => {
                                set_f!(d, rl!(a) as f32);
                                next!()
                            }
                            Op::L2D { d, a } => {
                                set_d!(d, rl!(a) as f64);
                                next!()
                            }
                            Op::F2I { d, a } => {
                                set_i!(d, rf!(a) as i32);
                                next!()
                            }
                            Op::F2L { d, a } => {
                                set_l!(d, rf!(a) as i64);
                                next!()
                            }
                            Op::F2D { d, a } => {
                                set_d!(d, f64::from(rf!(a)));
                                next!()
                            }
                            Op::D2I { d, a } => {
                                set_i!(d, rd!(a) as i32);
                                next!()
                            }
                            Op::D2L { d, a } => {
                                set_l!(d, rd!(a) as i64);
                                next!()
                            }
                            Op::D2F { d, a } => {
                                set_f!(d, rd!(a) as f32);
                                next!()
                            }
                            Op::I2B { d, a } => {
                                set_i!(d, i32::from(ri!(a) as i8));
                                next!()
                            }
                            Op::I2C { d, a } => {
                                set_i!(d, i32::from(ri!(a) as u16));
                                next!()
                            }
                            Op::I2S { d, a } => {
                                set_i!(d, i32::from(ri!(a) as i16));
                                next!()
                            }

                            Op::CmpL { d, a, b } => {
                                set_i!(d, rl!(a).cmp(&rl!(b)) as i32);
                                next!()
                            }
                            Op::CmpFl { d, a, b } => {
                                set_i!(d, rf!(a).partial_cmp(&rf!(b)).map_or(-1, |o| o as i32));
                                next!()
                            }
                            Op::CmpFg { d, a, b } => {
                                set_i!(d, rf!(a).partial_cmp(&rf!(b)).map_or(1, |o| o as i32));
                                next!()
                            }
                            Op::CmpDl { d, a, b } => {
                                set_i!(d, rd!(a).partial_cmp(&rd!(b)).map_or(-1, |o| o as i32));
                                next!()
                            }
                            Op::CmpDg { d, a, b } => {
                                set_i!(d, rd!(a).partial_cmp(&rd!(b)).map_or(1, |o| o as i32));
                                next!()
                            }

                            Op::Jmp { off } => branch!(true, off),
                            Op::JEqI { a, b, off } => branch!(ri!(a) == ri!(b), off),
                            Op::JNeI { a, b, off } => branch!(ri!(a) != ri!(b), off),
                            Op::JLtI { a, b, off } => branch!(ri!(a) < ri!(b), off),
                            Op::JGeI { a, b, off } => branch!(ri!(a) >= ri!(b), off),
                            Op::JGtI { a, b, off } => branch!(ri!(a) > ri!(b), off),
                            Op::JLeI { a, b, off } => branch!(ri!(a) <= ri!(b), off),
                            Op::JEqIK { a, k, off } => branch!(ri!(a) == k, off),
                            Op::JNeIK { a, k, off } => branch!(ri!(a) != k, off),
                            Op::JLtIK { a, k, off } => branch!(ri!(a) < k, off),
                            Op::JGeIK { a, k, off } => branch!(ri!(a) >= k, off),
                            Op::JGtIK { a, k, off } => branch!(ri!(a) > k, off),
                            Op::JLeIK { a, k, off } => branch!(ri!(a) <= k, off),
                            Op::JEqA { a, b, off } => branch!(ra!(a) == ra!(b), off),
                            Op::JNeA { a, b, off } => branch!(ra!(a) != ra!(b), off),
                            Op::JNull { a, off } => branch!(ra!(a).is_null(), off),
                            Op::JNonNull { a, off } => branch!(!ra!(a).is_null(), off),
                            Op::JEqL { a, b, off } => branch!(rl!(a) == rl!(b), off),
                            Op::JNeL { a, b, off } => branch!(rl!(a) != rl!(b), off),
                            Op::JLtL { a, b, off } => branch!(rl!(a) < rl!(b), off),
                            Op::JGeL { a, b, off } => branch!(rl!(a) >= rl!(b), off),
                            Op::JGtL { a, b, off } => branch!(rl!(a) > rl!(b), off),
                            Op::JLeL { a, b, off } => branch!(rl!(a) <= rl!(b), off),
                            Op::JEqF { a, b, off } => branch!(rf!(a) == rf!(b), off),
                            Op::JNeF { a, b, off } => branch!(rf!(a) != rf!(b), off),
                            Op::JLtF { a, b, off } => branch!(rf!(a) < rf!(b), off),
                            Op::JLeF { a, b, off } => branch!(rf!(a) <= rf!(b), off),
                            Op::JGtF { a, b, off } => branch!(rf!(a) > rf!(b), off),
                            Op::JGeF { a, b, off } => branch!(rf!(a) >= rf!(b), off),
                            Op::JNltF { a, b, off } => branch!(!(rf!(a) < rf!(b)), off),
                            Op::JNleF { a, b, off } => branch!(!(rf!(a) <= rf!(b)), off),
                            Op::JNgtF { a, b, off } => branch!(!(rf!(a) > rf!(b)), off),
                            Op::JNgeF { a, b, off } => branch!(!(rf!(a) >= rf!(b)), off),
                            Op::JEqD { a, b, off } => branch!(rd!(a) == rd!(b), off),
                            Op::JNeD { a, b, off } => branch!(rd!(a) != rd!(b), off),
                            Op::JLtD { a, b, off } => branch!(rd!(a) < rd!(b), off),
                            Op::JLeD { a, b, off } => branch!(rd!(a) <= rd!(b), off),
                            Op::JGtD { a, b, off } => branch!(rd!(a) > rd!(b), off),
                            Op::JGeD { a, b, off } => branch!(rd!(a) >= rd!(b), off),
                            Op::JNltD { a, b, off } => branch!(!(rd!(a) < rd!(b)), off),
                            Op::JNleD { a, b, off } => branch!(!(rd!(a) <= rd!(b)), off),
                            Op::JNgtD { a, b, off } => branch!(!(rd!(a) > rd!(b)), off),
                            Op::JNgeD { a, b, off } => branch!(!(rd!(a) >= rd!(b)), off),
                            Op::TableSwitch { a, table } | Op::LookupSwitch { a, table } => {
                                // SAFETY: as in reload.
                                let method = unsafe { (*frames).last().unwrap_unchecked().method };
                                let key = ri!(a);
                                let off = match &vm.methods[method.index()].switches[table as usize] {
                                    Switch::Table { low, default, offs } => offs
                                        .get(key.wrapping_sub(*low) as u32 as usize)
                                        .copied()
                                        .unwrap_or(*default),
                                    Switch::Lookup { default, keys, offs } => {
                                        keys.binary_search(&key).map_or(*default, |i| offs[i])
                                    }
                                };
                                branch!(true, off)
                            }
                            Op::Jsr { d, off } => {
                                let method = unsafe { (*frames).last().unwrap_unchecked().method };
                                let start = vm.methods[method.index()].ops.as_ptr();
                                // SAFETY: both point into the same method's ops.
                                set_i!(d, unsafe { pc.offset_from(start) } as i32 + 1);
                                branch!(true, off)
                            }
                            Op::RetSub { a } => {
                                let method = unsafe { (*frames).last().unwrap_unchecked().method };
                                let ops = &vm.methods[method.index()].ops;
                                let to = ri!(a) as usize;
                                if to >= ops.len() {
                                    stop!(Stop::bug("ret to nowhere"));
                                }
                                pc = &raw const ops[to];
                                continue 'next;
                            }

                            Op::Ld1 { d, arr, i } => {
                                let (arr, i) = element!(arr, i);
                                set_i!(d, i32::from(vm.heap.elem_get_i8(arr, i)));
                                next!()
                            }
                            Op::Ld2U { d, arr, i } => {
                                let (arr, i) = element!(arr, i);
                                set_i!(d, i32::from(vm.heap.elem_get_u16(arr, i)));
                                next!()
                            }
                            Op::Ld2S { d, arr, i } => {
                                let (arr, i) = element!(arr, i);
                                set_i!(d, i32::from(vm.heap.elem_get_i16(arr, i)));
                                next!()
                            }
                            Op::Ld4 { d, arr, i } => {
                                let (arr, i) = element!(arr, i);
                                r!(d) = u64::from(vm.heap.elem_get_u32(arr, i));
                                next!()
                            }
                            Op::Ld8 { d, arr, i } => {
                                let (arr, i) = element!(arr, i);
                                r!(d) = vm.heap.elem_get_u64(arr, i);
                                next!()
                            }
                            Op::St1 { arr, i, v } => {
                                let (arr, i) = element!(arr, i);
                                let mut v = ri!(v) as u8;
                                if vm.heap.class_of(arr) == vm.known.prim_arrays[0] {
                                    v &= 1;
                                }
                                vm.heap.elem_put_u8(arr, i, v);
                                next!()
                            }
                            Op::St2 { arr, i, v } => {
                                let (arr, i) = element!(arr, i);
                                vm.heap.elem_put_u16(arr, i, ri!(v) as u16);
                                next!()
                            }
                            Op::St4 { arr, i, v } => {
                                let (arr, i) = element!(arr, i);
                                vm.heap.elem_put_u32(arr, i, ri!(v) as u32);
                                next!()
                            }
                            Op::St8 { arr, i, v } => {
                                let (arr, i) = element!(arr, i);
                                vm.heap.elem_put_u64(arr, i, r!(v));
                                next!()
                            }
                            Op::StA { arr, i, v } => {
                                let (arr, i) = element!(arr, i);
                                let v = ra!(v);
                                if !v.is_null() && !vm.can_store(arr, v) {
                                    save!();
                                    let stop = vm.array_store(v);
                                    stop!(stop);
                                }
                                vm.heap.elem_put_ref(arr, i, v);
                                next!()
                            }
                            Op::ArrayLen { d, arr } => {
                                let arr = ra!(arr);
                                if arr.is_null() {
                                    npe!();
                                }
                                r!(d) = u64::from(vm.heap.get_u32(arr, ARRAY_LENGTH));
                                next!()
                            }
                            Op::NewArray { d, len, atype } => {
                                let class = vm.known.prim_arrays[crate::interp::slow::atype_index(atype)];
                                save!();
                                match vm.op_new_array(class, ri!(len)) {
                                    Ok(o) => {
                                        r!(d) = o.bits();
                                        next!()
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }
                            Op::ANewArray { d, len, class } => {
                                save!();
                                match vm.op_new_array(ClassId(class), ri!(len)) {
                                    Ok(o) => {
                                        r!(d) = o.bits();
                                        next!()
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }

                            Op::Gf1 { d, obj, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                set_i!(d, i32::from(vm.heap.get_i8(o, off)));
                                next!()
                            }
                            Op::Gf2U { d, obj, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                set_i!(d, i32::from(vm.heap.get_u16(o, off)));
                                next!()
                            }
                            Op::Gf2S { d, obj, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                set_i!(d, i32::from(vm.heap.get_i16(o, off)));
                                next!()
                            }
                            Op::Gf4 { d, obj, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                r!(d) = u64::from(vm.heap.get_u32(o, off));
                                next!()
                            }
                            Op::Gf8 { d, obj, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                r!(d) = vm.heap.get_u64(o, off);
                                next!()
                            }
                            Op::PfZ { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_u8(o, off, ri!(v) as u8 & 1);
                                next!()
                            }
                            Op::Pf1 { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_u8(o, off, ri!(v) as u8);
                                next!()
                            }
                            Op::Pf2 { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_u16(o, off, ri!(v) as u16);
                                next!()
                            }
                            Op::Pf4 { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_u32(o, off, ri!(v) as u32);
                                next!()
                            }
                            Op::Pf8 { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_u64(o, off, r!(v));
                                next!()
                            }
                            Op::PfA { obj, v, off } => {
                                let o = ra!(obj);
                                if o.is_null() {
                                    npe!();
                                }
                                vm.heap.put_ref(o, off, ra!(v));
                                next!()
                            }
                            // A static slot is addressed as if it were an object of its own, at offset 0.
                            Op::Gs1 { d, at } => {
                                set_i!(d, i32::from(vm.heap.slot_i8(at)));
                                next!()
                            }
                            Op::Gs2U { d, at } => {
                                set_i!(d, i32::from(vm.heap.slot_u16(at)));
                                next!()
                            }
                            Op::Gs2S { d, at } => {
                                set_i!(d, i32::from(vm.heap.slot_u16(at) as i16));
                                next!()
                            }
                            Op::Gs4 { d, at } => {
                                r!(d) = u64::from(vm.heap.slot_u32(at));
                                next!()
                            }
                            Op::Gs8 { d, at } => {
                                r!(d) = vm.heap.slot_u64(at);
                                next!()
                            }
                            Op::PsZ { v, at } => {
                                vm.heap.put_slot_u8(at, ri!(v) as u8 & 1);
                                next!()
                            }
                            Op::Ps1 { v, at } => {
                                vm.heap.put_slot_u8(at, ri!(v) as u8);
                                next!()
                            }
                            Op::Ps2 { v, at } => {
                                vm.heap.put_slot_u16(at, ri!(v) as u16);
                                next!()
                            }
                            Op::Ps4 { v, at } => {
                                vm.heap.put_slot_u32(at, ri!(v) as u32);
                                next!()
                            }
                            Op::Ps8 { v, at } => {
                                vm.heap.put_slot_u64(at, r!(v));
                                next!()
                            }
                            Op::PsA { v, at } => {
                                vm.heap.put_slot_ref(at, ra!(v));
                                next!()
                            }

                            Op::InvokeStatic { args, m } => invoke!(m, args),
                            Op::InvokeSpecial { args, m } => {
                                if ra!(args).is_null() {
                                    npe!();
                                }
                                invoke!(m, args)
                            }
                            Op::InvokeObjectInit { args } => {
                                let o = ra!(args);
                                if o.is_null() {
                                    npe!();
                                }
                                let class = vm.heap.class_of(o);
                                if vm.classes[class.index()].has_finalizer {
                                    save!();
                                    match vm.finalizer_register() {
                                        Ok(m) => invoke!(m.0, args),
                                        Err(stop) => stop!(stop),
                                    }
                                }
                                next!()
                            }
                            Op::InvokeVirtual { args, vindex, .. } => {
                                let o = ra!(args);
                                if o.is_null() {
                                    npe!();
                                }
                                let class = vm.heap.class_of(o);
                                // SAFETY: the receiver's class has the resolved method's vtable slot; debug builds check it.
                                let m = unsafe {
                                    let table = &vm.classes.get_unchecked(class.index()).vtable;
                                    debug_assert!((vindex as usize) < table.len());
                                    *table.get_unchecked(vindex as usize)
                                };
                                invoke!(m.0, args)
                            }
                            Op::InvokeInterface {
                                args,
                                m,
                                class,
                                target,
                            } => {
                                let o = ra!(args);
                                if o.is_null() {
                                    npe!();
                                }
                                let receiver = vm.heap.class_of(o);
                                if receiver.0 == class {
                                    invoke!(target, args)
                                }
                                save!();
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
                                        invoke!(t.0, args)
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }
                            Op::InvokeLinked { args, n, m, appendix } => {
                                if appendix != 0 {
                                    // The window has a spare register for it.
                                    r!(args + n) = u64::from(appendix);
                                }
                                invoke!(m, args)
                            }
                            Op::InvokeBasic { args, .. } => {
                                let handle = ra!(args);
                                if handle.is_null() {
                                    npe!();
                                }
                                let target = vm.basic_target(handle);
                                invoke!(target.0, args)
                            }
                            Op::LinkTo { args, n, kind } => {
                                let member = ra!(args + n - 1);
                                let receiver = ra!(args);
                                if member.is_null() || receiver.is_null() && kind != 6 {
                                    npe!();
                                }
                                save!();
                                match vm.link_target_by_number(member, kind, receiver) {
                                    Ok(target) => invoke!(target.0, args),
                                    Err(stop) => stop!(stop),
                                }
                            }
                            Op::RetVoid => ret!(0),
                            Op::Ret { s } => ret!(r!(s)),
                            Op::RetZ { s } => ret!(u64::from(ri!(s) as u32 & 1)),
                            Op::RetB { s } => ret!(u64::from(i32::from(ri!(s) as i8) as u32)),
                            Op::RetC { s } => ret!(u64::from(ri!(s) as u16)),
                            Op::RetS { s } => ret!(u64::from(i32::from(ri!(s) as i16) as u32)),

                            Op::New { d, class } => {
                                if vm.heap.should_collect() {
                                    save!();
                                    vm.collect(false);
                                }
                                match vm.new_object(ClassId(class)) {
                                    Ok(o) => {
                                        r!(d) = o.bits();
                                        next!()
                                    }
                                    Err(stop) => {
                                        save!();
                                        stop!(stop)
                                    }
                                }
                            }
                            Op::CheckCast { s, class } => {
                                let o = ra!(s);
                                if !o.is_null() {
                                    let from = vm.heap.class_of(o);
                                    if from.0 != class && !vm.is_subclass(from, ClassId(class)) {
                                        save!();
                                        let stop = vm.class_cast(from, ClassId(class));
                                        stop!(stop);
                                    }
                                }
                                next!()
                            }
                            Op::InstanceOf { d, s, class } => {
                                let o = ra!(s);
                                let is = !o.is_null() && {
                                    let from = vm.heap.class_of(o);
                                    from.0 == class || vm.is_subclass(from, ClassId(class))
                                };
                                r!(d) = u64::from(is);
                                next!()
                            }
                            Op::Throw { s } => {
                                let e = ra!(s);
                                if e.is_null() {
                                    npe!();
                                }
                                save!();
                                stop!(Stop::Throw(e))
                            }
                            Op::MonitorEnter { s } => {
                                let o = ra!(s);
                                if o.is_null() {
                                    npe!();
                                }
                                slow!(vm.monitor_enter(o))
                            }
                            Op::MonitorExit { s } => {
                                let o = ra!(s);
                                if o.is_null() {
                                    npe!();
                                }
                                slow!(vm.monitor_exit(o))
                            }

                            // Unresolved forms: resolve, rewrite, execute again.
                            Op::LdcU { .. }
                            | Op::GetFieldU { .. }
                            | Op::PutFieldU { .. }
                            | Op::InvokeVirtualU { .. }
                            | Op::InvokeSpecialU { .. }
                            | Op::InvokeInterfaceU { .. }
                            | Op::InvokeDynamicU { .. }
                            | Op::CheckCastU { .. }
                            | Op::InstanceOfU { .. }
                            | Op::ANewArrayU { .. } => {
                                save!();
                                match vm.quicken(unsafe { *pc }) {
                                    Ok(op) => {
                                        // SAFETY: the op belongs to the running method; nobody else holds a reference to it.
                                        unsafe { *pc.cast_mut() = op };
                                        continue 'next;
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }
                            // These need an initialised class; while this thread initialises it they are not rewritten.
                            Op::GetStaticU { .. }
                            | Op::PutStaticU { .. }
                            | Op::InvokeStaticU { .. }
                            | Op::NewU { .. } => {
                                save!();
                                match vm.quicken_static(unsafe { *pc }) {
                                    Ok((op, true)) => {
                                        // SAFETY: as above.
                                        unsafe { *pc.cast_mut() = op };
                                        continue 'next;
                                    }
                                    Ok((op, false)) => match op {
                                        Op::InvokeStatic { args, m } => invoke!(m, args),
                                        other => match vm.execute_static(other, regs) {
                                            Ok(()) => next!(),
                                            Err(stop) => stop!(stop),
                                        },
                                    },
                                    Err(stop) => stop!(stop),
                                }
                            }
                            Op::MultiNewArray { args, dims, cp } => {
                                let mut lens = [0i32; 255];
                                for (i, len) in lens.iter_mut().enumerate().take(usize::from(dims)) {
                                    *len = ri!(args as usize + i);
                                }
                                save!();
                                match vm.op_multi_new_array(cp, &lens[..usize::from(dims)]) {
                                    Ok(o) => {
                                        r!(args) = o.bits();
                                        next!()
                                    }
                                    Err(stop) => stop!(stop),
                                }
                            }

                            Op::Lower => restart!(vm.op_lower()),
                            Op::EnterSync => restart!(vm.op_enter_sync(regs)),
                            Op::Native => {
                                save!();
                                // SAFETY: as in reload.
                                let m = unsafe { (*frames).last().unwrap_unchecked().method };
                                if let Some(stop) = vm.threads.leaf_call.take() {
                                    stop!(stop);
                                }
                                let Some(native) = vm.methods[m.index()].native else {
                                    let stop = vm.missing_native(m);
                                    match stop {
                                        Ok(v) => ret!(v),
                                        Err(stop) => stop!(stop),
                                    }
                                };
                                if vm.heap.should_collect() {
                                    vm.collect(false);
                                }
                                let n = usize::from(vm.methods[m.index()].arg_slots);
                                // SAFETY: the arguments lie in the native frame's window, which stays put while it runs.
                                let slice = unsafe { std::slice::from_raw_parts(regs, n) };
                                match native(&mut Ctx::new(vm, slice)) {
                                    Ok(v) => {
                                        ticks = vm.threads.slice;
                                        ret!(v)
                                    }
                                    Err(stop) => {
                                        ticks = vm.threads.slice;
                                        stop!(stop)
                                    }
                                }
                            }
                            Op::Continue => {
                                save!();
                                // A called method has left its result where its window began: at the end of this one.
                                // SAFETY: the window above was inside the register stack.
                                let v =
                                    unsafe { *regs.add((*frames).last().unwrap_unchecked().regs as usize) };
                                break 'op Slow::Continue(v);
                            }
                            Op::Abstract => {
                                save!();
                                let m = unsafe { (*frames).last().unwrap_unchecked().method };
                                let receiver = vm.heap.class_of(ra!(0));
                                let stop = vm.abstract_method_error(receiver, m);
                                stop!(stop)
                            }
                            Op::Invalid => {
                                save!();
                                let stop = vm.invalid_method();
                                stop!(stop)
                            }
                        }
                    };
                    save!();
                    match vm.slow_path(slow) {
                        Flow::Resume => {}
                        Flow::Leave(exit) => return exit,
                    }
                    reload!();
                    continue 'next;
                };
                // A call: the arguments stand at register `args`.
                save!();
                ticks -= 1;
                if ticks < 0 {
                    vm.threads.slice = ticks;
                    match vm.poll() {
                        Flow::Resume => {}
                        Flow::Leave(exit) => return exit,
                    }
                    reload!();
                    continue 'next;
                }
                // SAFETY: method ids come from resolution.
                let hot: HotMethod = unsafe { *vm.hot.as_ptr().add(m as usize) };
                // SAFETY: `args` is a register of this window.
                let base = unsafe { regs.add(args) };
                if let Some(leaf) = hot.leaf {
                    // SAFETY: the arguments lie in this window; a leaf cannot reach the register stack otherwise.
                    let slice = unsafe { std::slice::from_raw_parts(base, usize::from(hot.arg_slots)) };
                    match leaf(&mut Ctx::new(vm, slice)) {
                        Ok(v) => {
                            r!(args) = v;
                            next!();
                        }
                        // A class whose initialisation has begun must go on with it; other errors come again.
                        Err(stop @ Stop::Call(_)) if vm.methods[m as usize].native.is_some() => {
                            vm.threads.leaf_call = Some(stop);
                        }
                        Err(_) => {}
                    }
                }
                // SAFETY: pointers into one register stack; `frames` is the current thread's.
                let fits = unsafe {
                    base.add(hot.regs as usize) <= limit && (*frames).len() < vm.threads.max_frames
                };
                if !fits {
                    vm.threads.leaf_call = None;
                    match vm.slow_path(Slow::StackOverflow) {
                        Flow::Resume => {}
                        Flow::Leave(exit) => return exit,
                    }
                    reload!();
                    continue 'next;
                }
                pc = if hot.flags & HotMethod::SYNCHRONIZED != 0 {
                    stubs::ENTER.as_ptr()
                } else {
                    hot.code
                };
                // SAFETY: the vector was made with room for all frames a thread may have.
                unsafe {
                    let len = (*frames).len();
                    let caller = (*frames).last().unwrap_unchecked().base;
                    (*frames).as_mut_ptr().add(len).write(Frame {
                        pc,
                        method: MethodId(m),
                        base: caller + args as u32,
                        regs: hot.regs,
                        lock: ObjRef::NULL,
                        cont: None,
                    });
                    (*frames).set_len(len + 1);
                }
                regs = base;
                continue 'next;
            };
            // A return.
            // SAFETY: as in reload.
            let lock = unsafe { (*frames).last().unwrap_unchecked().lock };
            if !lock.is_null() {
                save!();
                if let Err(stop) = vm.monitor_exit(lock) {
                    // SAFETY: as in reload.
                    unsafe { (*frames).last_mut().unwrap_unchecked().lock = ObjRef::NULL };
                    match vm.slow_path(Slow::Stop(stop)) {
                        Flow::Resume => {}
                        Flow::Leave(exit) => return exit,
                    }
                    reload!();
                    continue 'next;
                }
            }
            // SAFETY: register 0 of the window is where the caller expects the result.
            unsafe { *regs = v };
            // SAFETY: a Java frame always has a frame below: the caller or a continuation.
            unsafe {
                let len = (*frames).len() - 1;
                (*frames).set_len(len);
                let caller = &*(*frames).as_ptr().add(len - 1);
                regs = regs
                    .sub((*(*frames).as_ptr().add(len)).base as usize)
                    .add(caller.base as usize);
                pc = caller.pc.add(1);
            }
        }
    }

    /// Executes a static access of a class that is still being initialised by this thread.
    pub(crate) fn execute_static(&mut self, op: Op, regs: *mut u64) -> Result<(), Stop> {
        // SAFETY: the op's registers belong to the running frame's window, whose start `regs` is.
        let get = |r: u16| unsafe { *regs.add(usize::from(r)) };
        let set = |r: u16, v: u64| unsafe { *regs.add(usize::from(r)) = v };
        match op {
            Op::Gs1 { d, at } => set(d, u64::from(i32::from(self.heap.slot_i8(at)) as u32)),
            Op::Gs2U { d, at } => set(d, u64::from(self.heap.slot_u16(at))),
            Op::Gs2S { d, at } => set(d, u64::from(i32::from(self.heap.slot_u16(at) as i16) as u32)),
            Op::Gs4 { d, at } => set(d, u64::from(self.heap.slot_u32(at))),
            Op::Gs8 { d, at } => set(d, self.heap.slot_u64(at)),
            Op::PsZ { v, at } => self.heap.put_slot_u8(at, get(v) as u8 & 1),
            Op::Ps1 { v, at } => self.heap.put_slot_u8(at, get(v) as u8),
            Op::Ps2 { v, at } => self.heap.put_slot_u16(at, get(v) as u16),
            Op::Ps4 { v, at } => self.heap.put_slot_u32(at, get(v) as u32),
            Op::Ps8 { v, at } => self.heap.put_slot_u64(at, get(v)),
            Op::PsA { v, at } => self.heap.put_slot_ref(at, ObjRef::from_bits(get(v))),
            Op::New { d, class } => {
                let o = self.new_object(ClassId(class))?;
                set(d, o.bits());
            }
            _ => return Err(Stop::bug("not a static access")),
        }
        Ok(())
    }

    /// The lock of a synchronized method about to start, entered.
    pub(crate) fn op_enter_sync(&mut self, regs: *mut u64) -> Result<(), Stop> {
        let frame = self
            .threads
            .cur()
            .frames
            .last()
            .ok_or_else(|| Stop::bug("no frame"))?;
        let m = frame.method;
        let method = self.method(m);
        let lock = if method.is_static() {
            self.mirror(method.class)
        } else {
            // SAFETY: register 0 is the receiver.
            ObjRef::from_bits(unsafe { *regs })
        };
        self.monitor_enter(lock)?;
        let code = self.hot[m.index()].code;
        if let Some(frame) = self.threads.cur().frames.last_mut() {
            frame.lock = lock;
            frame.pc = code;
        }
        Ok(())
    }
}
