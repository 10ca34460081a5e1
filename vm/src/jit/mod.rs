//! Hot methods compiled from their register form.
//!
//! Compiled code does what the interpreter does, op by op, and counts ticks as it does: it keeps every register in the
//! window as well, pushes the same frames, and leaves whatever is rare to the interpreter by returning to it at that
//! op. The interpreter comes back at the next *entry*, an op that has been replaced by `Op::Compiled`. So threads,
//! collections, exceptions and redefinition see nothing but frames that stand at ops, and a program does the same
//! whether it is compiled or not, down to its ticks.
//!
//! Which methods are hot is sampled where a slice of ticks ends; that depends on the program alone.
#![expect(
    unsafe_code,
    reason = "compiled code is called through a pointer, and finds fields of the VM by their offsets"
)]

mod body;
mod calls;
mod emit;
mod helpers;
mod logged;
mod region;
mod shape;

pub(crate) use region::is_unresolved;

use crate::ids::MethodId;
use crate::interp::ops::Regs;
use crate::link::op::Op;
use crate::sym::FixedMap;
use crate::vm::{Compile, HotMethod, Vm};
use body::{Body, Planner};
use calls::Frames;
use cranelift_codegen::Context;
use cranelift_codegen::ir::Signature;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::Module;
use emit::{Emitter, Source};
use std::cell::RefCell;
use std::rc::Rc;

/// A method is compiled when it was found running this many times, and again, as long as parts of it were not
/// resolved, at multiples of it.
const HOT: u32 = 4;
const AGAIN: [u32; 3] = [1, 8, 64];
/// So is one that compiled code has called this often.
const WANTED: u32 = 1000;
/// Larger methods stay interpreted: compilation takes more than linear time.
const MOST_OPS: usize = 2000;
/// Bytes of the machine stack for compiled methods that call each other; the interpreter takes over beyond that.
const MACHINE_STACK: usize = 512 << 10;

/// A compiled method: the VM, the window, ticks, and which of its entry points to enter.
pub type Compiled = extern "C" fn(&mut Vm, Regs, i64, u64) -> Exit;

/// Where and why compiled code has ended.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Exit {
    pub(crate) pc: *const Op,
    /// Ticks left and, in the lowest bits, why.
    state: i64,
}

/// Why compiled code ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// The interpreter is to go on with the op, in the frame on top.
    Interpret,
    Returned,
    Poll,
    NullPointer,
    DivideByZero,
    /// `Jit::index` is not below `Jit::length`.
    Index,
    /// `Vm::left` says why.
    Left,
}

impl Why {
    const BITS: i64 = 3;
    /// By number; one that is none has left without a reason, which the loop takes for a fault.
    const ALL: [Why; 1 << Why::BITS] = [
        Why::Interpret,
        Why::Returned,
        Why::Poll,
        Why::NullPointer,
        Why::DivideByZero,
        Why::Index,
        Why::Left,
        Why::Left,
    ];
}

impl Exit {
    fn new(pc: *const Op, ticks: i64, why: Why) -> Exit {
        let state = ticks << Why::BITS | why as i64;
        Exit { pc, state }
    }

    pub(crate) fn ticks(self) -> i64 {
        self.state >> Why::BITS
    }

    pub(crate) fn why(self) -> Why {
        Why::ALL[(self.state & ((1 << Why::BITS) - 1)) as usize]
    }
}

/// About how deep the machine stack is.
#[inline(always)]
fn here() -> usize {
    let here = 0u8;
    &raw const here as usize
}

/// What is compiled, and what compiled code reads.
pub struct Jit {
    arena: *const u8,
    watched: *const u64,
    /// The access that was out of bounds.
    pub(crate) index: i32,
    pub(crate) length: u32,
    /// Where the machine stack may go down to.
    floor: usize,
    /// Samples that make a method hot.
    hot: u32,
    /// Calls from compiled code that do.
    wanted: u32,
    compiler: Option<Box<Compiler>>,
}

struct Compiler {
    module: JITModule,
    context: Context,
    builder: FunctionBuilderContext,
    /// Of a compiled method.
    signature: Signature,
    heat: FixedMap<MethodId, Heat>,
    /// By method, the compiled ones that contain it.
    inlined: FixedMap<MethodId, Vec<MethodId>>,
    /// By method, the compiled ones that are right as long as it is not overridden.
    assumed: FixedMap<MethodId, Vec<MethodId>>,
    /// What compiled code refers to.
    frames: Vec<Rc<Frames>>,
}

#[derive(Default)]
struct Heat {
    samples: u32,
    /// Ops of the method that were replaced, by index.
    replaced: Vec<(u32, Op)>,
    /// Compiling again will give nothing new.
    settled: bool,
    /// Nothing is to be put in place of calls: the stack was too full for it.
    flat: bool,
}

impl Compiler {
    /// None on a machine Cranelift does not know.
    fn new() -> Option<Compiler> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags
            .set(
                "enable_verifier",
                if cfg!(debug_assertions) { "true" } else { "false" },
            )
            .ok()?;
        let isa = cranelift_native::builder().ok()?;
        let isa = isa.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(
            isa,
            cranelift_module::default_libcall_names(),
        ));
        let convention = module.isa().default_call_conv();
        Some(Compiler {
            context: module.make_context(),
            signature: helpers::signature(convention, &[&[I64; 4]], &[I64; 2]),
            module,
            builder: FunctionBuilderContext::new(),
            heat: FixedMap::default(),
            inlined: FixedMap::default(),
            assumed: FixedMap::default(),
            frames: Vec::new(),
        })
    }

    /// The address of the compiled form; none if it cannot be had.
    fn compile(&mut self, source: &Source<'_>) -> Option<*const u8> {
        self.context.func.signature = self.signature.clone();
        let mut b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        Emitter::emit(source, &mut b);
        b.seal_all_blocks();
        b.finalize(self.module.target_config());
        let id = self.module.declare_anonymous_function(&self.signature).ok()?;
        let defined = self.module.define_function(id, &mut self.context);
        self.module.clear_context(&mut self.context);
        defined.ok()?;
        self.module.finalize_definitions().ok()?;
        Some(self.module.get_finalized_function(id))
    }
}

impl Jit {
    /// Compiled code is about to be entered from here.
    #[inline(always)]
    pub(crate) fn set_floor(&mut self) {
        self.floor = here().saturating_sub(MACHINE_STACK);
    }

    pub(crate) fn new(which: Compile, heap: &crate::heap::Heap) -> Jit {
        let (arena, watched) = heap.memory();
        Jit {
            arena,
            watched,
            index: 0,
            length: 0,
            floor: 0,
            hot: if which == Compile::Eager { 1 } else { HOT },
            wanted: if which == Compile::Eager { 5 } else { WANTED },
            compiler: if which == Compile::Never {
                None
            } else {
                Compiler::new().map(Box::new)
            },
        }
    }
}

impl Vm {
    /// The method on top has used up a slice: it may be worth compiling.
    pub(crate) fn sample(&mut self) {
        let Some(mut compiler) = self.jit.compiler.take() else {
            return;
        };
        let top = self.threads.cur().frames.last();
        if let Some(m) = top.filter(|f| f.cont.is_none()).map(|f| f.method) {
            let heat = compiler.heat.entry(m).or_default();
            heat.samples += 1;
            let due = AGAIN.iter().any(|times| heat.samples == self.jit.hot * times);
            if due && !heat.settled {
                self.compile(m, &mut compiler);
            }
        }
        self.jit.compiler = Some(compiler);
    }

    /// Compiles a method that compiled code calls, unless that was tried before.
    #[cold]
    fn compile_called(&mut self, m: MethodId) {
        let Some(mut compiler) = self.jit.compiler.take() else {
            return;
        };
        let heat = compiler.heat.entry(m).or_default();
        if !heat.settled && heat.samples < self.jit.hot {
            heat.samples = self.jit.hot;
            self.compile(m, &mut compiler);
        }
        self.jit.compiler = Some(compiler);
    }

    pub(crate) fn is_compiled(&self, m: MethodId) -> bool {
        let heat = self.jit.compiler.as_ref().and_then(|c| c.heat.get(&m));
        heat.is_some_and(|heat| !heat.replaced.is_empty())
    }

    /// Compiles a method that was hot in another process, unless that was tried before.
    pub(crate) fn compile_ahead(&mut self, m: MethodId) {
        self.compile_called(m);
    }

    fn compile(&mut self, m: MethodId, compiler: &mut Compiler) {
        let mut heat = compiler.heat.remove(&m).unwrap_or_default();
        let method = &mut self.methods[m.index()];
        heat.settled = true;
        if !method.ops.is_empty() && method.ops.len() <= MOST_OPS {
            for (at, op) in heat.replaced.drain(..) {
                method.ops[at as usize] = op;
            }
            let mut planner = Planner::new(self, &compiler.heat, !heat.flat);
            let body = planner.body(m);
            let assumed = planner.assumed;
            heat.settled = !body.unresolved();
            let source = Source {
                body: &body,
                prim_arrays: self.known.prim_arrays.map(|class| class.0),
                hot: &self.hot,
                shadow: self.heap.logs_reads().then(|| self.heap.shadow_bias()),
                string: (self.known.string_value, self.known.string_coder),
                frames: RefCell::default(),
            };
            if let Some(code) = compiler.compile(&source) {
                compiler.frames.extend(source.frames.take());
                for overridden in assumed {
                    compiler.assumed.entry(overridden).or_default().push(m);
                }
                body.each_inlined(&mut |inlined| compiler.inlined.entry(inlined).or_default().push(m));
                heat.replaced = self.enter_at(&body, code);
            }
        }
        compiler.heat.insert(m, heat);
    }

    /// Lets the interpreter enter at the entry points; gives the ops that were there.
    fn enter_at(&mut self, body: &Body, code: *const u8) -> Vec<(u32, Op)> {
        let (m, region) = (body.m, &body.region);
        let method = &mut self.methods[m.index()];
        let mut replaced = Vec::new();
        for (entry, &at) in region.entries.iter().enumerate() {
            if region.shapes[at as usize].own {
                let op = &mut method.ops[at as usize];
                replaced.push((at, *op));
                *op = Op::Compiled {
                    entry: entry as u16,
                    lo: code as u64 as u32,
                    hi: (code as u64 >> 32) as u32,
                };
            }
        }
        let hot = &mut self.hot[m.index()];
        (hot.reach, hot.depth) = (body.reach(), body.depth());
        if hot.code == method.ops.as_ptr() {
            // SAFETY: the address of a function that was compiled with this signature and is never freed.
            let code = Some(unsafe { std::mem::transmute::<*const u8, Compiled>(code) });
            if method.is_synchronized() || hot.leaf.is_some() {
                hot.guarded = code;
            } else {
                hot.compiled = code;
            }
        }
        replaced
    }

    /// A method's body is about to be another: its compiled form is gone, and those that contain it.
    pub(crate) fn forget_compiled(&mut self, m: MethodId) {
        let inlined = self.jit.compiler.as_mut().and_then(|c| c.inlined.remove(&m));
        self.undo_compiled(m);
        for outer in inlined.unwrap_or_default() {
            self.undo_compiled(outer);
        }
    }

    /// All compiled code is gone: the interpreter runs every method until it is compiled anew.
    fn forget_all_compiled(&mut self) {
        let Some(compiler) = &mut self.jit.compiler else {
            return;
        };
        compiler.inlined.clear();
        compiler.assumed.clear();
        let methods: Vec<MethodId> = compiler.heat.keys().copied().collect();
        for m in methods {
            self.undo_compiled(m);
        }
    }

    /// Starts or stops logging what the guest reads before it writes it (`Heap::reads`). Only for an embedder while no
    /// compiled code is under way: before a program runs, or from a native of its own that is no leaf. The log begins
    /// empty; `Heap::clear_reads` empties it again, at much less cost than turning it off and on: that drops all
    /// compiled code.
    pub fn log_reads(&mut self, on: bool) -> Result<(), String> {
        self.heap.log_reads(on)?;
        self.handlers = crate::interp::ops::handlers(on);
        self.forget_all_compiled();
        if on {
            // Their bodies have loads that are logged; nothing turns them back, since compiled code inlines them anyway.
            for hot in self.hot.iter_mut().filter(|hot| hot.accessor != 0) {
                (hot.accessor, hot.leaf) = (0, None);
            }
        }
        Ok(())
    }

    /// A class that is being linked overrides the method: compiled code that took its calls for calls of it is gone.
    pub(crate) fn mark_overridden(&mut self, m: MethodId) {
        self.hot[m.index()].flags |= HotMethod::OVERRIDDEN;
        let assumed = self.jit.compiler.as_mut().and_then(|c| c.assumed.remove(&m));
        for outer in assumed.unwrap_or_default() {
            self.undo_compiled(outer);
        }
    }

    /// There is no room for the frames that the method's compiled form may come to: the interpreter is to run it, until
    /// it is compiled without inlining.
    #[cold]
    pub(crate) fn compile_flat(&mut self, m: MethodId) {
        self.undo_compiled(m);
        if let Some(compiler) = &mut self.jit.compiler {
            compiler.heat.entry(m).or_default().flat = true;
        }
    }

    /// The interpreter runs the method as it was lowered.
    fn undo_compiled(&mut self, m: MethodId) {
        let hot = &mut self.hot[m.index()];
        (hot.compiled, hot.guarded) = (None, None);
        (hot.wanted, hot.depth) = (0, 0);
        let heat = self.jit.compiler.as_mut().and_then(|c| c.heat.remove(&m));
        let ops = &mut self.methods[m.index()].ops;
        for (at, op) in heat.unwrap_or_default().replaced {
            if let Some(place) = ops.get_mut(at as usize) {
                *place = op;
            }
        }
    }
}
