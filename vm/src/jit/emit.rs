//! Translates a method's ops to Cranelift's intermediate form.
//!
//! Every register has a variable; what is written to one goes to the window in memory as well, so the interpreter
//! can take over at any op without anything being saved for it. An inlined body works on the window that
//! the call would have had; its frame is pushed only where somebody looks: at exits, calls and stores that are watched.

use super::body::{Body, Guard, Inlined, What};
use super::calls::{Frames, Kind, Missing};
use super::helpers::{self, Signatures};
use super::region::{offsets, target};
use super::shape::Flow;
use super::{Jit, Why, calls};
use crate::heap::{ARRAY_LENGTH, ELEMENTS};
use crate::link::op::{Op, Switch};
use crate::natives::Intrinsic;
use crate::vm::{HotMethod, Vm};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::Offset32;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{AliasRegionData, Block, Inst, InstBuilder, MemFlagsData, Type, Value};
use cranelift_frontend::{FunctionBuilder, Switch as SwitchTable, Variable};
use std::cell::RefCell;
use std::mem::offset_of;
use std::rc::Rc;

/// What the emitted code is about.
pub(super) struct Source<'a> {
    pub(super) body: &'a Body,
    /// The classes of arrays of primitives, that of booleans first.
    pub(super) prim_arrays: [u32; 8],
    pub(super) hot: &'a [HotMethod],
    /// Where a string has its array and its coder.
    pub(super) string: (u32, u32),
    /// Where the shadow of the arena is, if reads are logged (`Heap::shadow_bias`).
    pub(super) shadow: Option<u64>,
    /// What the code refers to.
    pub(super) frames: RefCell<Vec<Rc<Frames>>>,
}

pub(super) struct Emitter<'a, 'b> {
    pub(super) source: &'a Source<'a>,
    pub(super) b: &'a mut FunctionBuilder<'b>,
    scope: Scope<'a>,
    ticks: Variable,
    pub(super) vm: Value,
    /// The window of the outermost body.
    window: Value,
    arena: Value,
    memory: Memory,
    pub(super) signatures: Signatures,
    /// The op being translated.
    at: usize,
}

/// The body being translated.
struct Scope<'a> {
    body: &'a Body,
    /// Where its window begins in the outermost one.
    base: u16,
    vars: Vec<Variable>,
    blocks: Vec<Option<Block>>,
    /// For an inlined body.
    call: Option<Call>,
    /// The frames that are not there.
    missing: Rc<Frames>,
}

#[derive(Clone, Copy)]
struct Call {
    /// Where it goes on in the body around it.
    done: Block,
    result: Variable,
    result_type: Type,
}

impl<'a> Scope<'a> {
    fn new(body: &'a Body, base: u16, call: Option<Call>, b: &mut FunctionBuilder<'_>) -> Scope<'a> {
        let region = &body.region;
        let doubles = region.doubles.iter();
        let vars = doubles
            .map(|double| b.declare_var(if *double { F64 } else { I64 }))
            .collect();
        let leaders = region.leaders.iter();
        let blocks = leaders.map(|leader| leader.then(|| b.create_block())).collect();
        Scope {
            body,
            base,
            vars,
            blocks,
            call,
            missing: Rc::default(),
        }
    }
}

/// How memory is accessed. Each kind is a region of its own: a store to one leaves what was read from the others.
#[derive(Clone, Copy)]
struct Memory {
    /// The method's registers.
    window: MemFlagsData,
    heap: MemFlagsData,
    /// Fields of the VM.
    vm: MemFlagsData,
}

impl Memory {
    fn new(b: &mut FunctionBuilder<'_>) -> Memory {
        let mut region = |user_id, description: &'static str| {
            let description = description.into();
            let data = AliasRegionData { user_id, description };
            Some(b.func.dfg.alias_regions.insert(data))
        };
        Memory {
            window: MemFlagsData::trusted().with_alias_region(region(0, "window")),
            heap: MemFlagsData::new()
                .with_notrap()
                .with_alias_region(region(1, "heap")),
            vm: MemFlagsData::trusted().with_alias_region(region(2, "vm")),
        }
    }
}

impl<'a, 'b> Emitter<'a, 'b> {
    /// Emits the whole function.
    pub(super) fn emit(source: &'a Source<'a>, b: &'a mut FunctionBuilder<'b>) {
        let start = b.create_block();
        b.append_block_params_for_function_params(start);
        b.switch_to_block(start);
        let &[vm, window, ticks_in, entry] = b.block_params(start) else {
            unreachable!("a compiled method has four parameters");
        };
        let memory = Memory::new(b);
        let arena = b.ins().load(
            I64,
            memory.vm.with_readonly(),
            vm,
            field(offset_of!(Vm, jit) + offset_of!(Jit, arena)),
        );
        let ticks = b.declare_var(I64);
        b.def_var(ticks, ticks_in);
        let scope = Scope::new(source.body, 0, None, b);
        let mut emitter = Emitter {
            source,
            b,
            scope,
            ticks,
            vm,
            window,
            arena,
            memory,
            signatures: Signatures::default(),
            at: 0,
        };
        emitter.entries(entry);
        emitter.body();
    }

    /// Goes to where the caller wants to come in.
    fn entries(&mut self, entry: Value) {
        let entries = &self.scope.body.region.entries;
        let blocks: Vec<Block> = entries
            .iter()
            .map(|&at| {
                if self.scope.body.region.reload[at as usize] {
                    self.block(at as usize)
                } else {
                    self.b.create_block()
                }
            })
            .collect();
        let others = self.b.create_block();
        self.b.ins().brif(entry, others, &[], blocks[0], &[]);
        self.b.switch_to_block(others);
        let mut table = SwitchTable::new();
        for (i, block) in blocks.iter().enumerate().skip(1) {
            table.set_entry(i as u128, *block);
        }
        table.emit(self.b, entry, blocks[0]);
        for (&at, &block) in entries.iter().zip(&blocks) {
            let at = at as usize;
            if !self.scope.body.region.reload[at] {
                self.b.switch_to_block(block);
                self.reload(at);
                let to = self.block(at);
                self.b.ins().jump(to, &[]);
            }
        }
    }

    fn block(&self, at: usize) -> Block {
        self.scope.blocks[at].unwrap_or_else(|| unreachable!("every target of a jump begins a block"))
    }

    /// Takes what is wanted from here on from memory.
    fn reload(&mut self, at: usize) {
        for r in self.scope.body.region.live[at].iter() {
            self.reload_reg(r);
        }
    }

    fn reload_reg(&mut self, r: u16) {
        let (ty, at) = (self.type_of(r), self.slot(r));
        let v = self.b.ins().load(ty, self.memory.window, self.window, at);
        self.b.def_var(self.scope.vars[usize::from(r)], v);
    }

    fn body(&mut self) {
        let mut open = false;
        for at in 0..self.scope.body.ops.len() {
            self.at = at;
            if self.scope.body.region.leaders[at] {
                let block = self.block(at);
                if open {
                    self.b.ins().jump(block, &[]);
                }
                self.b.switch_to_block(block);
                if self.scope.body.region.reload[at] {
                    self.reload(at);
                }
            }
            open = self.op();
        }
    }

    // --- registers

    fn type_of(&self, r: u16) -> Type {
        type_of(self.scope.body, r)
    }

    fn cast(&mut self, ty: Type, v: Value) -> Value {
        self.b.ins().bitcast(ty, MemFlagsData::new(), v)
    }

    /// A value of 64 bits as a variable of the type keeps it.
    fn kept_as(&mut self, ty: Type, v: Value) -> Value {
        if self.b.func.dfg.value_type(v) == ty {
            v
        } else {
            self.cast(ty, v)
        }
    }

    /// Where a register lies in the outermost window.
    fn slot(&self, r: u16) -> Offset32 {
        Offset32::new((i32::from(self.scope.base) + i32::from(r)) * 8)
    }

    /// The frames that are not there, as the code refers to them; null for the outermost body.
    pub(super) fn missing_frames(&mut self) -> Value {
        let missing = Rc::as_ptr(&self.scope.missing);
        let frames = self.scope.call.map_or(0, |_| missing as i64);
        self.b.ins().iconst(I64, frames)
    }

    /// The window of the body being translated.
    fn own_window(&mut self) -> Value {
        if self.scope.base == 0 {
            return self.window;
        }
        self.b
            .ins()
            .iadd_imm_s(self.window, i64::from(self.scope.base) * 8)
    }

    fn word(&mut self, r: u16) -> Value {
        let v = self.b.use_var(self.scope.vars[usize::from(r)]);
        if self.type_of(r) == F64 {
            self.cast(I64, v)
        } else {
            v
        }
    }

    fn int(&mut self, r: u16) -> Value {
        let v = self.word(r);
        self.b.ins().ireduce(I32, v)
    }

    fn float(&mut self, r: u16) -> Value {
        let v = self.int(r);
        self.cast(F32, v)
    }

    fn double(&mut self, r: u16) -> Value {
        let v = self.b.use_var(self.scope.vars[usize::from(r)]);
        if self.type_of(r) == I64 {
            self.cast(F64, v)
        } else {
            v
        }
    }

    /// The register's value as it is kept.
    fn any(&mut self, r: u16) -> Value {
        self.b.use_var(self.scope.vars[usize::from(r)])
    }

    /// Writes a value of 64 bits.
    fn set(&mut self, d: u16, v: Value) {
        let at = self.slot(d);
        self.b.ins().store(self.memory.window, v, self.window, at);
        let v = self.kept_as(self.type_of(d), v);
        self.b.def_var(self.scope.vars[usize::from(d)], v);
    }

    fn set_int(&mut self, d: u16, v: Value) {
        let v = self.b.ins().uextend(I64, v);
        self.set(d, v);
    }

    fn set_float(&mut self, d: u16, v: Value) {
        let v = self.cast(I32, v);
        self.set_int(d, v);
    }

    // --- leaving

    /// The address of the op being translated.
    pub(super) fn pc(&mut self) -> Value {
        let pc = self.scope.body.place.wrapping_add(self.at);
        self.b.ins().iconst(I64, pc as i64)
    }

    /// Returns at this op for a reason; ends the block.
    fn leave(&mut self, why: Why) {
        if self.scope.call.is_some() {
            let frames = self.missing_frames();
            helpers::push_frames(self, self.vm, frames);
        }
        let pc = self.pc();
        let ticks = self.b.use_var(self.ticks);
        let state = self.b.ins().ishl_imm_s(ticks, Why::BITS);
        let state = self.b.ins().bor_imm_s(state, why as i64);
        self.b.ins().return_(&[pc, state]);
    }

    /// Leaves if `cond` is not zero.
    fn leave_if(&mut self, cond: Value, why: Why) {
        let (out, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(cond, out, &[], on, &[]);
        self.b.switch_to_block(out);
        self.leave(why);
        self.b.switch_to_block(on);
    }

    fn leave_if_zero(&mut self, v: Value, why: Why) {
        let (out, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(v, on, &[], out, &[]);
        self.b.switch_to_block(out);
        self.leave(why);
        self.b.switch_to_block(on);
    }

    // --- the heap

    /// The address of the object in a register; leaves if it is null.
    fn object(&mut self, r: u16) -> Value {
        let o = self.word(r);
        self.leave_if_zero(o, Why::NullPointer);
        self.address(o)
    }

    fn address(&mut self, o: Value) -> Value {
        let at = self.b.ins().ishl_imm_s(o, 3);
        self.b.ins().iadd(self.arena, at)
    }

    /// A load for the guest.
    fn guest_load(&mut self, ty: Type, address: Value, off: u32) -> Value {
        self.note_read(ty, address, off);
        self.load(ty, address, off)
    }

    /// A look of the VM.
    fn load(&mut self, ty: Type, address: Value, off: u32) -> Value {
        if off > i32::MAX as u32 {
            let address = self.b.ins().iadd_imm_s(address, i64::from(off));
            return self.b.ins().load(ty, self.memory.heap, address, 0);
        }
        self.b.ins().load(ty, self.memory.heap, address, off as i32)
    }

    fn store(&mut self, v: Value, address: Value, off: u32) {
        self.note_written(self.b.func.dfg.value_type(v), address, off);
        if off > i32::MAX as u32 {
            let address = self.b.ins().iadd_imm_s(address, i64::from(off));
            self.b.ins().store(self.memory.heap, v, address, 0);
            return;
        }
        self.b.ins().store(self.memory.heap, v, address, off as i32);
    }

    /// The addresses of an array and of its element without `ELEMENTS`; leaves if it is null or has no such element.
    fn element(&mut self, arr: u16, i: u16, log2: i64) -> (Value, Value) {
        let array = self.object(arr);
        let index = self.int(i);
        let len = self.load(I32, array, ARRAY_LENGTH);
        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let (out, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(within, on, &[], out, &[]);
        self.b.switch_to_block(out);
        let at = field(offset_of!(Vm, jit) + offset_of!(Jit, index));
        self.b.ins().store(self.memory.vm, index, self.vm, at);
        let at = field(offset_of!(Vm, jit) + offset_of!(Jit, length));
        self.b.ins().store(self.memory.vm, len, self.vm, at);
        self.leave(Why::Index);
        self.b.switch_to_block(on);
        let index = self.b.ins().uextend(I64, index);
        let scaled = self.b.ins().ishl_imm_s(index, log2);
        let element = self.b.ins().iadd(array, scaled);
        (array, element)
    }

    /// Branches to the watched form of a store if `cell` (an object or a slot) is watched; goes on in the other.
    fn watched(&mut self, cell: Value) -> Block {
        let at = field(offset_of!(Vm, jit) + offset_of!(Jit, watched));
        let bits = self
            .b
            .ins()
            .load(I64, self.memory.vm.with_readonly(), self.vm, at);
        let word = self.b.ins().ushr_imm_s(cell, 6);
        let word = self.b.ins().ishl_imm_s(word, 3);
        let word = self.b.ins().iadd(bits, word);
        let word = self.b.ins().load(I64, self.memory.heap, word, 0);
        let bit = self.b.ins().ushr(word, cell);
        let bit = self.b.ins().band_imm_s(bit, 1);
        let (log, plain, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        self.b.set_cold_block(log);
        self.b.ins().brif(bit, log, &[], plain, &[]);
        self.b.switch_to_block(log);
        let (pc, window) = (self.pc(), self.own_window());
        let frames = self.missing_frames();
        let call = helpers::store(self, self.vm, pc, window, frames);
        let stored = self.b.inst_results(call)[0];
        self.leave_if_zero(stored, Why::Left);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(plain);
        done
    }

    fn finish(&mut self, done: Block) {
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
    }

    fn put_field(&mut self, obj: u16, off: u32, v: impl FnOnce(&mut Self) -> Value) {
        let o = self.word(obj);
        self.leave_if_zero(o, Why::NullPointer);
        let done = self.watched(o);
        let address = self.address(o);
        let v = v(self);
        self.store(v, address, off);
        self.finish(done);
    }

    fn put_static(&mut self, at: u32, v: impl FnOnce(&mut Self) -> Value) {
        let cell = self.b.ins().iconst(I64, i64::from(at));
        let done = self.watched(cell);
        let address = self.slot_address(at);
        let v = v(self);
        self.store(v, address, 0);
        self.finish(done);
    }

    fn put_element(&mut self, arr: u16, i: u16, log2: i64, v: impl FnOnce(&mut Self, Value) -> Value) {
        let (array, element) = self.element(arr, i, log2);
        let cell = self.word(arr);
        let done = self.watched(cell);
        let v = v(self, array);
        self.store(v, element, ELEMENTS);
        self.finish(done);
    }

    fn slot_address(&mut self, at: u32) -> Value {
        self.b.ins().iadd_imm_s(self.arena, i64::from(at) * 8)
    }

    /// A value of 64 bits whose lowest bits are those of the register, for a narrow store.
    fn narrow(&mut self, r: u16, ty: Type) -> Value {
        let v = self.word(r);
        if ty == I64 { v } else { self.b.ins().ireduce(ty, v) }
    }

    fn boolean(&mut self, r: u16) -> Value {
        let v = self.narrow(r, I8);
        self.b.ins().band_imm_s(v, 1)
    }

    fn load_signed(&mut self, d: u16, ty: Type, address: Value, off: u32) {
        let v = self.guest_load(ty, address, off);
        let v = self.b.ins().sextend(I32, v);
        self.set_int(d, v);
    }

    fn load_unsigned(&mut self, d: u16, ty: Type, address: Value, off: u32) {
        let v = self.guest_load(ty, address, off);
        let v = self.b.ins().uextend(I64, v);
        self.set(d, v);
    }

    fn load_any(&mut self, d: u16, address: Value, off: u32) {
        let ty = self.type_of(d);
        let v = self.guest_load(ty, address, off);
        self.set(d, v);
    }

    // --- arithmetic

    fn binary_int(&mut self, d: u16, a: u16, b: u16, f: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (a, b) = (self.int(a), self.int(b));
        let v = f(self, a, b);
        self.set_int(d, v);
    }

    fn int_and_constant(&mut self, d: u16, a: u16, k: i32, f: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let a = self.int(a);
        let k = self.b.ins().iconst(I32, i64::from(k));
        let v = f(self, a, k);
        self.set_int(d, v);
    }

    fn binary_long(&mut self, d: u16, a: u16, b: u16, f: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (a, b) = (self.word(a), self.word(b));
        let v = f(self, a, b);
        self.set(d, v);
    }

    fn long_and_constant(
        &mut self,
        d: u16,
        a: u16,
        k: i32,
        f: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) {
        let a = self.word(a);
        let k = self.b.ins().iconst(I64, i64::from(k));
        let v = f(self, a, k);
        self.set(d, v);
    }

    fn binary_float(&mut self, d: u16, a: u16, b: u16, f: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (a, b) = (self.float(a), self.float(b));
        let v = f(self, a, b);
        self.set_float(d, v);
    }

    fn binary_double(&mut self, d: u16, a: u16, b: u16, f: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (a, b) = (self.double(a), self.double(b));
        let v = f(self, a, b);
        self.set(d, v);
    }

    /// Java's division: the smallest number by -1 is itself. The divisor is not zero.
    fn divide(&mut self, a: Value, b: Value) -> Value {
        let minus = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let ty = self.b.func.dfg.value_type(b);
        let one = self.b.ins().iconst(ty, 1);
        let safe = self.b.ins().select(minus, one, b);
        let quotient = self.b.ins().sdiv(a, safe);
        let negated = self.b.ins().ineg(a);
        self.b.ins().select(minus, negated, quotient)
    }

    fn remainder(&mut self, a: Value, b: Value) -> Value {
        let minus = self.b.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let ty = self.b.func.dfg.value_type(b);
        let one = self.b.ins().iconst(ty, 1);
        let safe = self.b.ins().select(minus, one, b);
        self.b.ins().srem(a, safe)
    }

    /// -1, 0 or 1 out of two answers.
    fn compare(&mut self, d: u16, less: Value, greater: Value) {
        let less = self.b.ins().uextend(I32, less);
        let greater = self.b.ins().uextend(I32, greater);
        let v = self.b.ins().isub(greater, less);
        self.set_int(d, v);
    }

    fn compare_floats(&mut self, d: u16, a: Value, b: Value, nan_is_less: bool) {
        let (less, greater) = if nan_is_less {
            (FloatCC::UnorderedOrLessThan, FloatCC::GreaterThan)
        } else {
            (FloatCC::LessThan, FloatCC::UnorderedOrGreaterThan)
        };
        let less = self.b.ins().fcmp(less, a, b);
        let greater = self.b.ins().fcmp(greater, a, b);
        self.compare(d, less, greater);
    }

    // --- control

    fn branch(&mut self, cond: Value, off: i32, taken_if: bool) -> bool {
        let next = self.block(self.at + 1);
        let to = self.edge_later(off);
        if taken_if {
            self.b.ins().brif(cond, to, &[], next, &[]);
        } else {
            self.b.ins().brif(cond, next, &[], to, &[]);
        }
        self.fill_edge(off, to);
        false
    }

    /// The block for going by `off`, to be filled once the branch to it is there.
    fn edge_later(&mut self, off: i32) -> Block {
        if off > 0 {
            self.block(target(self.at, off))
        } else {
            self.b.create_block()
        }
    }

    fn fill_edge(&mut self, off: i32, edge: Block) {
        if off > 0 {
            return;
        }
        let to = self.block(target(self.at, off));
        self.b.switch_to_block(edge);
        let ticks = self.b.use_var(self.ticks);
        let ticks = self.b.ins().iadd_imm_s(ticks, -1);
        self.b.def_var(self.ticks, ticks);
        let over = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, ticks, 0);
        self.leave_if(over, Why::Poll);
        self.b.ins().jump(to, &[]);
    }

    fn branch_int(&mut self, cc: IntCC, a: u16, b: u16, off: i32) -> bool {
        let (a, b) = (self.int(a), self.int(b));
        let cond = self.b.ins().icmp(cc, a, b);
        self.branch(cond, off, true)
    }

    fn branch_constant(&mut self, cc: IntCC, a: u16, k: i32, off: i32) -> bool {
        let a = self.int(a);
        let cond = self.b.ins().icmp_imm_s(cc, a, i64::from(k));
        self.branch(cond, off, true)
    }

    fn branch_long(&mut self, cc: IntCC, a: u16, b: u16, off: i32) -> bool {
        let (a, b) = (self.word(a), self.word(b));
        let cond = self.b.ins().icmp(cc, a, b);
        self.branch(cond, off, true)
    }

    fn branch_float(&mut self, cc: FloatCC, a: u16, b: u16, off: i32, taken_if: bool) -> bool {
        let (a, b) = (self.float(a), self.float(b));
        let cond = self.b.ins().fcmp(cc, a, b);
        self.branch(cond, off, taken_if)
    }

    fn branch_double(&mut self, cc: FloatCC, a: u16, b: u16, off: i32, taken_if: bool) -> bool {
        let (a, b) = (self.double(a), self.double(b));
        let cond = self.b.ins().fcmp(cc, a, b);
        self.branch(cond, off, taken_if)
    }

    fn switch(&mut self, a: u16, table: u32) -> bool {
        let body = self.scope.body;
        let switch = &body.switches[table as usize];
        let key = self.int(a);
        let mut offs: Vec<i32> = offsets(switch).collect();
        offs.sort_unstable();
        offs.dedup();
        let edges: Vec<Block> = offs.iter().map(|off| self.edge_later(*off)).collect();
        let edge = |off: i32| edges[offs.binary_search(&off).unwrap_or(0)];
        let mut cases = SwitchTable::new();
        let default = match switch {
            Switch::Table {
                low,
                default,
                offs: to,
            } => {
                for (i, off) in to.iter().enumerate() {
                    cases.set_entry(u128::from(low.wrapping_add(i as i32) as u32), edge(*off));
                }
                *default
            }
            Switch::Lookup {
                default,
                keys,
                offs: to,
            } => {
                for (key, off) in keys.iter().zip(to) {
                    cases.set_entry(u128::from(*key as u32), edge(*off));
                }
                *default
            }
        };
        let otherwise = edge(default);
        cases.emit(self.b, key, otherwise);
        for (off, edge) in offs.iter().zip(&edges) {
            self.fill_edge(*off, *edge);
        }
        false
    }

    /// Calls one of the functions that enter a method, and goes on behind the call if it has returned.
    fn invoke(&mut self, kind: Kind, what: u64) -> bool {
        let (pc, window) = (self.pc(), self.own_window());
        let ticks = self.b.use_var(self.ticks);
        let what = self.b.ins().iconst(I64, kind.with(what) as i64);
        let vm = self.vm;
        let call = if self.scope.call.is_some() {
            let frames = self.missing_frames();
            helpers::invoke_within(self, vm, pc, window, ticks, what, frames)
        } else {
            let helper = match kind {
                Kind::Static => helpers::invoke_static,
                Kind::Special => helpers::invoke_special,
                Kind::Virtual => helpers::invoke_virtual,
                Kind::Interface => helpers::invoke_interface,
                Kind::Leaf => helpers::invoke_leaf,
            };
            helper(self, vm, pc, window, ticks, what)
        };
        let &[pc, state] = self.b.inst_results(call) else {
            unreachable!("it returns two values");
        };
        let why = self.b.ins().band_imm_s(state, (1 << Why::BITS) - 1);
        let returned = self.b.ins().icmp_imm_s(IntCC::Equal, why, Why::Returned as i64);
        let (on, out) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(out);
        self.b.ins().brif(returned, on, &[], out, &[]);
        self.b.switch_to_block(out);
        self.b.ins().return_(&[pc, state]);
        self.b.switch_to_block(on);
        let ticks = self.b.ins().sshr_imm_s(state, Why::BITS);
        self.b.def_var(self.ticks, ticks);
        true
    }

    /// Inlines the call at this op. Where the guard does not hold, the call is made.
    fn inline(&mut self, inlined: &'a Inlined) -> bool {
        let call = self.b.create_block();
        let mut called = false;
        match inlined.guard {
            Guard::Static => {}
            Guard::NonNull => {
                let o = self.word(inlined.args);
                self.leave_if_zero(o, Why::NullPointer);
            }
            Guard::Class(class) => {
                let o = self.word(inlined.args);
                self.leave_if_zero(o, Why::NullPointer);
                let same = self.is_of(o, class);
                self.go_on_if(same, call);
                called = true;
            }
        }
        let done = self.block(self.at + 1);
        match &inlined.what {
            What::Body(body) => self.inline_body(inlined, body),
            What::Field(accessor) => {
                self.count_call();
                let o = self.word(inlined.args);
                let v = self.read_accessor(o, *accessor);
                self.set(inlined.args, v);
                self.b.ins().jump(done, &[]);
            }
            What::Intrinsic(intrinsic) => {
                self.intrinsic(inlined.args, *intrinsic, call);
                self.b.ins().jump(done, &[]);
                called = true;
            }
        }
        if called {
            self.b.switch_to_block(call);
            self.just_call();
            self.reload(self.at + 1);
            self.b.ins().jump(done, &[]);
        }
        false
    }

    /// Goes to another block if `cond` is zero.
    fn go_on_if(&mut self, cond: Value, else_to: Block) {
        let on = self.b.create_block();
        self.b.ins().brif(cond, on, &[], else_to, &[]);
        self.b.switch_to_block(on);
    }

    /// Inlines a body at the call of this op.
    fn inline_body(&mut self, inlined: &Inlined, body: &'a Body) {
        let (args, at) = (inlined.args, self.at);
        self.count_call();
        let mut missing = self.scope.missing.0.clone();
        missing.push(Missing {
            caller: self.scope.body.place.wrapping_add(at),
            m: inlined.m,
            args,
            start: body.place,
            regs: body.regs,
        });
        let frames = Rc::new(Frames(missing));
        let call = Call {
            done: self.block(at + 1),
            result: self.scope.vars[usize::from(args)],
            result_type: self.type_of(args),
        };
        let mut scope = Scope::new(body, self.scope.base + args, Some(call), self.b);
        scope.missing = frames.clone();
        self.source.frames.borrow_mut().push(frames);
        for r in body.region.live[0].iter() {
            let v = self.any(args + r);
            let v = self.kept_as(type_of(body, r), v);
            self.b.def_var(scope.vars[usize::from(r)], v);
        }
        let around = std::mem::replace(&mut self.scope, scope);
        let start = self.block(0);
        self.b.ins().jump(start, &[]);
        self.body();
        self.scope = around;
        self.at = at;
    }

    /// Does what a leaf does whose arguments are from `args` on; goes to `decline` where it would decline.
    fn intrinsic(&mut self, args: u16, intrinsic: Intrinsic, decline: Block) {
        let s = self.word(args);
        let s = self.address(s);
        let (value_at, coder_at) = self.source.string;
        let coder = self.load(I8, s, coder_at);
        let v = match intrinsic {
            Intrinsic::StringCoder => {
                self.count_call();
                coder
            }
            Intrinsic::StringIsLatin1 => {
                self.count_call();
                self.b.ins().icmp_imm_s(IntCC::Equal, coder, 0)
            }
            Intrinsic::StringLength | Intrinsic::StringIsEmpty | Intrinsic::StringCharAt => {
                let value = self.load(I32, s, value_at);
                self.go_on_if(value, decline);
                let value = self.b.ins().uextend(I64, value);
                let value = self.address(value);
                let bytes = self.load(I32, value, ARRAY_LENGTH);
                let units = self.b.ins().ushr(bytes, coder);
                match intrinsic {
                    Intrinsic::StringLength => {
                        self.count_call();
                        units
                    }
                    Intrinsic::StringIsEmpty => {
                        self.count_call();
                        self.b.ins().icmp_imm_s(IntCC::Equal, bytes, 0)
                    }
                    _ => {
                        let index = self.int(args + 1);
                        let within = self.b.ins().icmp(IntCC::UnsignedLessThan, index, units);
                        self.go_on_if(within, decline);
                        self.count_call();
                        self.unit(value, coder, index)
                    }
                }
            }
        };
        let v = self.b.ins().uextend(I64, v);
        self.set(args, v);
    }

    /// A character of a string's array.
    fn unit(&mut self, array: Value, coder: Value, index: Value) -> Value {
        let offset = self.b.ins().ishl(index, coder);
        let offset = self.b.ins().uextend(I64, offset);
        let at = self.b.ins().iadd(array, offset);
        let (latin1, utf16, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let unit = self.b.append_block_param(done, I32);
        self.b.ins().brif(coder, utf16, &[], latin1, &[]);
        for (block, ty) in [(latin1, I8), (utf16, I16)] {
            self.b.switch_to_block(block);
            let v = self.load(ty, at, ELEMENTS);
            let v = self.b.ins().uextend(I32, v);
            self.b.ins().jump(done, &[v.into()]);
        }
        self.b.switch_to_block(done);
        unit
    }

    /// Whether an object's class is this one.
    fn is_of(&mut self, o: Value, class: u32) -> Value {
        let address = self.address(o);
        let has = self.load(I32, address, 0);
        self.b
            .ins()
            .icmp_imm_s(IntCC::Equal, has, i64::from(class as i32))
    }

    /// A call is a tick.
    fn count_call(&mut self) {
        let ticks = self.b.use_var(self.ticks);
        let ticks = self.b.ins().iadd_imm_s(ticks, -1);
        self.b.def_var(self.ticks, ticks);
        let over = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, ticks, 0);
        self.leave_if(over, Why::Poll);
    }

    /// What an accessor of the object `o` returns.
    fn read_accessor(&mut self, o: Value, accessor: u32) -> Value {
        let address = self.address(o);
        let off = accessor & (HotMethod::FAR - 1);
        match accessor / HotMethod::FAR {
            HotMethod::READ_4 => {
                let v = self.load(I32, address, off);
                self.b.ins().uextend(I64, v)
            }
            HotMethod::READ_8 => self.load(I64, address, off),
            HotMethod::READ_BYTE => {
                let v = self.load(I8, address, off);
                let v = self.b.ins().sextend(I32, v);
                self.b.ins().uextend(I64, v)
            }
            _ => {
                let v = self.load(I8, address, off);
                let v = self.b.ins().band_imm_s(v, 1);
                self.b.ins().uextend(I64, v)
            }
        }
    }

    /// Translates a call.
    fn call(&mut self) -> bool {
        let body = self.scope.body;
        match body.inlined.get(&(self.at as u32)) {
            Some(inlined) => self.inline(inlined),
            None => self.just_call(),
        }
    }

    fn just_call(&mut self) -> bool {
        let leaf = |m: u32, kind| {
            let leaf = self.source.hot[m as usize].leaf.is_some();
            if leaf { Kind::Leaf } else { kind }
        };
        match self.scope.body.ops[self.at] {
            Op::InvokeStatic { args, m } => self.invoke(leaf(m, Kind::Static), calls::what(m, args)),
            Op::InvokeSpecial { args, m } => {
                let kind = leaf(m, Kind::Special);
                if matches!(kind, Kind::Leaf) {
                    let o = self.word(args);
                    self.leave_if_zero(o, Why::NullPointer);
                }
                self.invoke(kind, calls::what(m, args))
            }
            Op::InvokeVirtual { args, vindex, .. } => self.invoke(Kind::Virtual, calls::what(vindex, args)),
            Op::InvokeInterface { args, m, .. } => self.invoke(Kind::Interface, calls::what(m, args)),
            _ => unreachable!("not a call"),
        }
    }

    fn return_value(&mut self, v: Option<Value>) -> bool {
        if self.scope.body.synchronized {
            let call = helpers::unlock(self, self.vm);
            let unlocked = self.b.inst_results(call)[0];
            self.leave_if_zero(unlocked, Why::Interpret);
        }
        let result = v.unwrap_or_else(|| self.b.ins().iconst(I64, 0));
        let at = self.slot(0);
        self.b.ins().store(self.memory.window, result, self.window, at);
        let Some(call) = self.scope.call else {
            self.leave(Why::Returned);
            return false;
        };
        if v.is_some() {
            let result = self.kept_as(call.result_type, result);
            self.b.def_var(call.result, result);
        }
        self.b.ins().jump(call.done, &[]);
        false
    }

    fn return_narrow(&mut self, s: u16, f: impl FnOnce(&mut Self, Value) -> Value) -> bool {
        let v = self.int(s);
        let v = f(self, v);
        let v = self.b.ins().uextend(I64, v);
        self.return_value(Some(v))
    }

    fn new_array(&mut self, d: u16, class: u32, len: u16) {
        let (class, len) = (self.b.ins().iconst(I64, i64::from(class)), self.word(len));
        let made = helpers::new_array(self, self.vm, class, len);
        self.allocated(d, made);
    }

    /// Takes the new object or array that a call has made; the interpreter tries again if there is none.
    fn allocated(&mut self, d: u16, call: Inst) {
        let o = self.b.inst_results(call)[0];
        self.leave_if_zero(o, Why::Interpret);
        self.set(d, o);
    }

    /// Whether the object in a register, not null, is of a class: asked of the VM unless it is this very class.
    fn is_instance(&mut self, o: Value, class: u32) -> Value {
        let address = self.address(o);
        let has = self.load(I32, address, 0);
        let same = self
            .b
            .ins()
            .icmp_imm_s(IntCC::Equal, has, i64::from(class as i32));
        let (ask, done) = (self.b.create_block(), self.b.create_block());
        let answer = self.b.append_block_param(done, I64);
        let same = self.b.ins().uextend(I64, same);
        self.b.ins().brif(same, done, &[same.into()], ask, &[]);
        self.b.switch_to_block(ask);
        let has = self.b.ins().uextend(I64, has);
        let class = self.b.ins().iconst(I64, i64::from(class));
        let call = helpers::is_subclass(self, self.vm, has, class);
        let is = self.b.inst_results(call)[0];
        self.b.ins().jump(done, &[is.into()]);
        self.b.switch_to_block(done);
        answer
    }

    /// Translates the op at `self.at`; says whether control goes on to the next one.
    fn op(&mut self) -> bool {
        match self.scope.body.ops[self.at] {
            Op::Nop => {}
            Op::Mov { d, s } => {
                let v = self.any(s);
                self.set(d, v);
            }
            Op::Const { d, v } | Op::LdcRef { d, obj: v } => {
                let v = self.b.ins().iconst(I64, i64::from(v));
                self.set(d, v);
            }
            Op::Const64 { d, lo, hi } => {
                let bits = u64::from(lo) | u64::from(hi) << 32;
                let v = if self.type_of(d) == F64 {
                    self.b.ins().f64const(f64::from_bits(bits))
                } else {
                    self.b.ins().iconst(I64, bits as i64)
                };
                self.set(d, v);
            }
            Op::AddI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().iadd(a, b)),
            Op::SubI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().isub(a, b)),
            Op::MulI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().imul(a, b)),
            Op::AndI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().band(a, b)),
            Op::OrI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().bor(a, b)),
            Op::XorI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().bxor(a, b)),
            Op::ShlI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().ishl(a, b)),
            Op::ShrI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().sshr(a, b)),
            Op::UshrI { d, a, b } => self.binary_int(d, a, b, |e, a, b| e.b.ins().ushr(a, b)),
            Op::DivI { d, a, b } => self.binary_int(d, a, b, |e, a, b| {
                e.leave_if_zero(b, Why::DivideByZero);
                e.divide(a, b)
            }),
            Op::RemI { d, a, b } => self.binary_int(d, a, b, |e, a, b| {
                e.leave_if_zero(b, Why::DivideByZero);
                e.remainder(a, b)
            }),
            Op::NegI { d, a } => {
                let a = self.int(a);
                let v = self.b.ins().ineg(a);
                self.set_int(d, v);
            }
            Op::AddIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().iadd(a, k)),
            Op::RsubIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().isub(k, a)),
            Op::MulIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().imul(a, k)),
            Op::DivIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, b| match k {
                -1 => e.b.ins().ineg(a),
                _ => e.b.ins().sdiv(a, b),
            }),
            Op::RemIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, b| match k {
                -1 => e.b.ins().iconst(I32, 0),
                _ => e.b.ins().srem(a, b),
            }),
            Op::AndIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().band(a, k)),
            Op::OrIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().bor(a, k)),
            Op::XorIK { d, a, k } => self.int_and_constant(d, a, k, |e, a, k| e.b.ins().bxor(a, k)),
            Op::ShlIK { d, a, k } => self.int_and_constant(d, a, k & 31, |e, a, k| e.b.ins().ishl(a, k)),
            Op::ShrIK { d, a, k } => self.int_and_constant(d, a, k & 31, |e, a, k| e.b.ins().sshr(a, k)),
            Op::UshrIK { d, a, k } => self.int_and_constant(d, a, k & 31, |e, a, k| e.b.ins().ushr(a, k)),
            Op::AddL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().iadd(a, b)),
            Op::SubL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().isub(a, b)),
            Op::MulL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().imul(a, b)),
            Op::AndL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().band(a, b)),
            Op::OrL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().bor(a, b)),
            Op::XorL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().bxor(a, b)),
            Op::ShlL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().ishl(a, b)),
            Op::ShrL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().sshr(a, b)),
            Op::UshrL { d, a, b } => self.binary_long(d, a, b, |e, a, b| e.b.ins().ushr(a, b)),
            Op::DivL { d, a, b } => self.binary_long(d, a, b, |e, a, b| {
                e.leave_if_zero(b, Why::DivideByZero);
                e.divide(a, b)
            }),
            Op::RemL { d, a, b } => self.binary_long(d, a, b, |e, a, b| {
                e.leave_if_zero(b, Why::DivideByZero);
                e.remainder(a, b)
            }),
            Op::NegL { d, a } => {
                let a = self.word(a);
                let v = self.b.ins().ineg(a);
                self.set(d, v);
            }
            Op::AddLK { d, a, k } => self.long_and_constant(d, a, k, |e, a, k| e.b.ins().iadd(a, k)),
            Op::MulLK { d, a, k } => self.long_and_constant(d, a, k, |e, a, k| e.b.ins().imul(a, k)),
            Op::AndLK { d, a, k } => self.long_and_constant(d, a, k, |e, a, k| e.b.ins().band(a, k)),
            Op::ShlLK { d, a, k } => self.long_and_constant(d, a, k & 63, |e, a, k| e.b.ins().ishl(a, k)),
            Op::ShrLK { d, a, k } => self.long_and_constant(d, a, k & 63, |e, a, k| e.b.ins().sshr(a, k)),
            Op::UshrLK { d, a, k } => self.long_and_constant(d, a, k & 63, |e, a, k| e.b.ins().ushr(a, k)),
            Op::AddF { d, a, b } => self.binary_float(d, a, b, |e, a, b| e.b.ins().fadd(a, b)),
            Op::SubF { d, a, b } => self.binary_float(d, a, b, |e, a, b| e.b.ins().fsub(a, b)),
            Op::MulF { d, a, b } => self.binary_float(d, a, b, |e, a, b| e.b.ins().fmul(a, b)),
            Op::DivF { d, a, b } => self.binary_float(d, a, b, |e, a, b| e.b.ins().fdiv(a, b)),
            Op::RemF { d, a, b } => self.binary_float(d, a, b, |e, a, b| {
                let call = helpers::rem_f32(e, a, b);
                e.b.inst_results(call)[0]
            }),
            Op::NegF { d, a } => {
                let a = self.float(a);
                let v = self.b.ins().fneg(a);
                self.set_float(d, v);
            }
            Op::AddD { d, a, b } => self.binary_double(d, a, b, |e, a, b| e.b.ins().fadd(a, b)),
            Op::SubD { d, a, b } => self.binary_double(d, a, b, |e, a, b| e.b.ins().fsub(a, b)),
            Op::MulD { d, a, b } => self.binary_double(d, a, b, |e, a, b| e.b.ins().fmul(a, b)),
            Op::DivD { d, a, b } => self.binary_double(d, a, b, |e, a, b| e.b.ins().fdiv(a, b)),
            Op::RemD { d, a, b } => self.binary_double(d, a, b, |e, a, b| {
                let call = helpers::rem_f64(e, a, b);
                e.b.inst_results(call)[0]
            }),
            Op::NegD { d, a } => {
                let a = self.double(a);
                let v = self.b.ins().fneg(a);
                self.set(d, v);
            }
            Op::I2L { d, a } => {
                let a = self.int(a);
                let v = self.b.ins().sextend(I64, a);
                self.set(d, v);
            }
            Op::I2F { d, a } => {
                let a = self.int(a);
                let v = self.b.ins().fcvt_from_sint(F32, a);
                self.set_float(d, v);
            }
            Op::I2D { d, a } => {
                let a = self.int(a);
                let v = self.b.ins().fcvt_from_sint(F64, a);
                self.set(d, v);
            }
            Op::L2I { d, a } => {
                let v = self.int(a);
                self.set_int(d, v);
            }
            Op::L2F { d, a } => {
                let a = self.word(a);
                let v = self.b.ins().fcvt_from_sint(F32, a);
                self.set_float(d, v);
            }
            Op::L2D { d, a } => {
                let a = self.word(a);
                let v = self.b.ins().fcvt_from_sint(F64, a);
                self.set(d, v);
            }
            Op::F2I { d, a } => {
                let a = self.float(a);
                let v = self.b.ins().fcvt_to_sint_sat(I32, a);
                self.set_int(d, v);
            }
            Op::F2L { d, a } => {
                let a = self.float(a);
                let v = self.b.ins().fcvt_to_sint_sat(I64, a);
                self.set(d, v);
            }
            Op::F2D { d, a } => {
                let a = self.float(a);
                let v = self.b.ins().fpromote(F64, a);
                self.set(d, v);
            }
            Op::D2I { d, a } => {
                let a = self.double(a);
                let v = self.b.ins().fcvt_to_sint_sat(I32, a);
                self.set_int(d, v);
            }
            Op::D2L { d, a } => {
                let a = self.double(a);
                let v = self.b.ins().fcvt_to_sint_sat(I64, a);
                self.set(d, v);
            }
            Op::D2F { d, a } => {
                let a = self.double(a);
                let v = self.b.ins().fdemote(F32, a);
                self.set_float(d, v);
            }
            Op::I2B { d, a } => {
                let a = self.narrow(a, I8);
                let v = self.b.ins().sextend(I32, a);
                self.set_int(d, v);
            }
            Op::I2C { d, a } => {
                let a = self.narrow(a, I16);
                let v = self.b.ins().uextend(I64, a);
                self.set(d, v);
            }
            Op::I2S { d, a } => {
                let a = self.narrow(a, I16);
                let v = self.b.ins().sextend(I32, a);
                self.set_int(d, v);
            }
            Op::CmpL { d, a, b } => {
                let (a, b) = (self.word(a), self.word(b));
                let less = self.b.ins().icmp(IntCC::SignedLessThan, a, b);
                let greater = self.b.ins().icmp(IntCC::SignedGreaterThan, a, b);
                self.compare(d, less, greater);
            }
            Op::CmpFl { d, a, b } => {
                let (a, b) = (self.float(a), self.float(b));
                self.compare_floats(d, a, b, true);
            }
            Op::CmpFg { d, a, b } => {
                let (a, b) = (self.float(a), self.float(b));
                self.compare_floats(d, a, b, false);
            }
            Op::CmpDl { d, a, b } => {
                let (a, b) = (self.double(a), self.double(b));
                self.compare_floats(d, a, b, true);
            }
            Op::CmpDg { d, a, b } => {
                let (a, b) = (self.double(a), self.double(b));
                self.compare_floats(d, a, b, false);
            }
            Op::Jmp { off } => {
                let to = self.edge_later(off);
                self.b.ins().jump(to, &[]);
                self.fill_edge(off, to);
                return false;
            }
            Op::JEqI { a, b, off } => return self.branch_int(IntCC::Equal, a, b, off),
            Op::JNeI { a, b, off } => return self.branch_int(IntCC::NotEqual, a, b, off),
            Op::JLtI { a, b, off } => return self.branch_int(IntCC::SignedLessThan, a, b, off),
            Op::JGeI { a, b, off } => return self.branch_int(IntCC::SignedGreaterThanOrEqual, a, b, off),
            Op::JGtI { a, b, off } => return self.branch_int(IntCC::SignedGreaterThan, a, b, off),
            Op::JLeI { a, b, off } => return self.branch_int(IntCC::SignedLessThanOrEqual, a, b, off),
            Op::JEqIK { a, k, off } => return self.branch_constant(IntCC::Equal, a, k, off),
            Op::JNeIK { a, k, off } => return self.branch_constant(IntCC::NotEqual, a, k, off),
            Op::JLtIK { a, k, off } => return self.branch_constant(IntCC::SignedLessThan, a, k, off),
            Op::JGeIK { a, k, off } => {
                return self.branch_constant(IntCC::SignedGreaterThanOrEqual, a, k, off);
            }
            Op::JGtIK { a, k, off } => return self.branch_constant(IntCC::SignedGreaterThan, a, k, off),
            Op::JLeIK { a, k, off } => return self.branch_constant(IntCC::SignedLessThanOrEqual, a, k, off),
            Op::JEqA { a, b, off } => return self.branch_int(IntCC::Equal, a, b, off),
            Op::JNeA { a, b, off } => return self.branch_int(IntCC::NotEqual, a, b, off),
            Op::JNull { a, off } => {
                let a = self.word(a);
                return self.branch(a, off, false);
            }
            Op::JNonNull { a, off } => {
                let a = self.word(a);
                return self.branch(a, off, true);
            }
            Op::JEqL { a, b, off } => return self.branch_long(IntCC::Equal, a, b, off),
            Op::JNeL { a, b, off } => return self.branch_long(IntCC::NotEqual, a, b, off),
            Op::JLtL { a, b, off } => return self.branch_long(IntCC::SignedLessThan, a, b, off),
            Op::JGeL { a, b, off } => return self.branch_long(IntCC::SignedGreaterThanOrEqual, a, b, off),
            Op::JGtL { a, b, off } => return self.branch_long(IntCC::SignedGreaterThan, a, b, off),
            Op::JLeL { a, b, off } => return self.branch_long(IntCC::SignedLessThanOrEqual, a, b, off),
            Op::JEqF { a, b, off } => return self.branch_float(FloatCC::Equal, a, b, off, true),
            Op::JNeF { a, b, off } => return self.branch_float(FloatCC::NotEqual, a, b, off, true),
            Op::JLtF { a, b, off } => return self.branch_float(FloatCC::LessThan, a, b, off, true),
            Op::JLeF { a, b, off } => return self.branch_float(FloatCC::LessThanOrEqual, a, b, off, true),
            Op::JGtF { a, b, off } => return self.branch_float(FloatCC::GreaterThan, a, b, off, true),
            Op::JGeF { a, b, off } => return self.branch_float(FloatCC::GreaterThanOrEqual, a, b, off, true),
            Op::JNltF { a, b, off } => return self.branch_float(FloatCC::LessThan, a, b, off, false),
            Op::JNleF { a, b, off } => return self.branch_float(FloatCC::LessThanOrEqual, a, b, off, false),
            Op::JNgtF { a, b, off } => return self.branch_float(FloatCC::GreaterThan, a, b, off, false),
            Op::JNgeF { a, b, off } => {
                return self.branch_float(FloatCC::GreaterThanOrEqual, a, b, off, false);
            }
            Op::JEqD { a, b, off } => return self.branch_double(FloatCC::Equal, a, b, off, true),
            Op::JNeD { a, b, off } => return self.branch_double(FloatCC::NotEqual, a, b, off, true),
            Op::JLtD { a, b, off } => return self.branch_double(FloatCC::LessThan, a, b, off, true),
            Op::JLeD { a, b, off } => return self.branch_double(FloatCC::LessThanOrEqual, a, b, off, true),
            Op::JGtD { a, b, off } => return self.branch_double(FloatCC::GreaterThan, a, b, off, true),
            Op::JGeD { a, b, off } => {
                return self.branch_double(FloatCC::GreaterThanOrEqual, a, b, off, true);
            }
            Op::JNltD { a, b, off } => return self.branch_double(FloatCC::LessThan, a, b, off, false),
            Op::JNleD { a, b, off } => return self.branch_double(FloatCC::LessThanOrEqual, a, b, off, false),
            Op::JNgtD { a, b, off } => return self.branch_double(FloatCC::GreaterThan, a, b, off, false),
            Op::JNgeD { a, b, off } => {
                return self.branch_double(FloatCC::GreaterThanOrEqual, a, b, off, false);
            }
            Op::TableSwitch { a, table } | Op::LookupSwitch { a, table } => return self.switch(a, table),
            Op::Ld1 { d, arr, i } => {
                let (_, element) = self.element(arr, i, 0);
                self.load_signed(d, I8, element, ELEMENTS);
            }
            Op::Ld2U { d, arr, i } => {
                let (_, element) = self.element(arr, i, 1);
                self.load_unsigned(d, I16, element, ELEMENTS);
            }
            Op::Ld2S { d, arr, i } => {
                let (_, element) = self.element(arr, i, 1);
                self.load_signed(d, I16, element, ELEMENTS);
            }
            Op::Ld4 { d, arr, i } => {
                let (_, element) = self.element(arr, i, 2);
                self.load_unsigned(d, I32, element, ELEMENTS);
            }
            Op::Ld8 { d, arr, i } => {
                let (_, element) = self.element(arr, i, 3);
                self.load_any(d, element, ELEMENTS);
            }
            Op::St1 { arr, i, v } => self.put_element(arr, i, 0, |e, array| {
                let class = e.load(I32, array, 0);
                let boolean =
                    e.b.ins()
                        .icmp_imm_s(IntCC::Equal, class, i64::from(e.source.prim_arrays[0]));
                let byte = e.narrow(v, I8);
                let bit = e.b.ins().band_imm_s(byte, 1);
                e.b.ins().select(boolean, bit, byte)
            }),
            Op::St2 { arr, i, v } => self.put_element(arr, i, 1, |e, _| e.narrow(v, I16)),
            Op::St4 { arr, i, v } => self.put_element(arr, i, 2, |e, _| e.narrow(v, I32)),
            Op::St8 { arr, i, v } => self.put_element(arr, i, 3, |e, _| e.any(v)),
            Op::StA { arr, i, v } => self.store_reference(arr, i, v),
            Op::ArrayLen { d, arr } => {
                let array = self.object(arr);
                let len = self.load(I32, array, ARRAY_LENGTH);
                self.set_int(d, len);
            }
            Op::NewArray { d, len, atype } => {
                let class = self.source.prim_arrays[crate::interp::slow::atype_index(atype)];
                self.new_array(d, class, len);
            }
            Op::ANewArray { d, len, class } => {
                self.new_array(d, class, len);
            }
            Op::New { d, class } => {
                let class = self.b.ins().iconst(I64, i64::from(class));
                let made = helpers::new_object(self, self.vm, class);
                self.allocated(d, made);
            }
            Op::Gf1 { d, obj, off } => {
                let o = self.object(obj);
                self.load_signed(d, I8, o, off);
            }
            Op::Gf2U { d, obj, off } => {
                let o = self.object(obj);
                self.load_unsigned(d, I16, o, off);
            }
            Op::Gf2S { d, obj, off } => {
                let o = self.object(obj);
                self.load_signed(d, I16, o, off);
            }
            Op::Gf4 { d, obj, off } => {
                let o = self.object(obj);
                self.load_unsigned(d, I32, o, off);
            }
            Op::Gf8 { d, obj, off } => {
                let o = self.object(obj);
                self.load_any(d, o, off);
            }
            Op::PfZ { obj, v, off } => self.put_field(obj, off, |e| e.boolean(v)),
            Op::Pf1 { obj, v, off } => self.put_field(obj, off, |e| e.narrow(v, I8)),
            Op::Pf2 { obj, v, off } => self.put_field(obj, off, |e| e.narrow(v, I16)),
            Op::Pf4 { obj, v, off } | Op::PfA { obj, v, off } => {
                self.put_field(obj, off, |e| e.narrow(v, I32));
            }
            Op::Pf8 { obj, v, off } => self.put_field(obj, off, |e| e.any(v)),
            Op::Gs1 { d, at } => {
                let address = self.slot_address(at);
                self.load_signed(d, I8, address, 0);
            }
            Op::Gs2U { d, at } => {
                let address = self.slot_address(at);
                self.load_unsigned(d, I16, address, 0);
            }
            Op::Gs2S { d, at } => {
                let address = self.slot_address(at);
                self.load_signed(d, I16, address, 0);
            }
            Op::Gs4 { d, at } => {
                let address = self.slot_address(at);
                self.load_unsigned(d, I32, address, 0);
            }
            Op::Gs8 { d, at } => {
                let address = self.slot_address(at);
                self.load_any(d, address, 0);
            }
            Op::PsZ { v, at } => self.put_static(at, |e| e.boolean(v)),
            Op::Ps1 { v, at } => self.put_static(at, |e| e.narrow(v, I8)),
            Op::Ps2 { v, at } => self.put_static(at, |e| e.narrow(v, I16)),
            Op::Ps4 { v, at } | Op::PsA { v, at } => self.put_static(at, |e| e.narrow(v, I32)),
            Op::Ps8 { v, at } => self.put_static(at, |e| e.any(v)),
            Op::CheckCast { s, class } => {
                let o = self.word(s);
                let (check, done) = (self.b.create_block(), self.b.create_block());
                self.b.ins().brif(o, check, &[], done, &[]);
                self.b.switch_to_block(check);
                let is = self.is_instance(o, class);
                self.leave_if_zero(is, Why::Interpret);
                self.finish(done);
            }
            Op::InstanceOf { d, s, class } => {
                let o = self.word(s);
                let (check, done) = (self.b.create_block(), self.b.create_block());
                let answer = self.b.append_block_param(done, I64);
                let zero = self.b.ins().iconst(I64, 0);
                self.b.ins().brif(o, check, &[], done, &[zero.into()]);
                self.b.switch_to_block(check);
                let is = self.is_instance(o, class);
                self.b.ins().jump(done, &[is.into()]);
                self.b.switch_to_block(done);
                self.set(d, answer);
            }
            Op::InvokeObjectInit { args } => {
                let o = self.word(args);
                self.leave_if_zero(o, Why::NullPointer);
                let call = helpers::has_finalizer(self, self.vm, o);
                let has = self.b.inst_results(call)[0];
                self.leave_if(has, Why::Interpret);
            }
            Op::InvokeStatic { .. }
            | Op::InvokeSpecial { .. }
            | Op::InvokeVirtual { .. }
            | Op::InvokeInterface { .. } => return self.call(),
            Op::MonitorEnter { s } => self.monitor(s, helpers::monitor_enter),
            Op::MonitorExit { s } => self.monitor(s, helpers::monitor_exit),
            Op::InvokeLinked {
                args, n, m, appendix, ..
            } => {
                if appendix != 0 {
                    let v = self.b.ins().iconst(I64, i64::from(appendix));
                    let at = self.slot(args + n);
                    self.b.ins().store(self.memory.window, v, self.window, at);
                }
                return self.invoke(Kind::Static, calls::what(m, args));
            }
            Op::RetVoid => return self.return_value(None),
            Op::Ret { s } => {
                let v = self.any(s);
                return self.return_value(Some(v));
            }
            Op::RetZ { s } => return self.return_narrow(s, |e, v| e.b.ins().band_imm_s(v, 1)),
            Op::RetB { s } => {
                return self.return_narrow(s, |e, v| {
                    let v = e.b.ins().ireduce(I8, v);
                    e.b.ins().sextend(I32, v)
                });
            }
            Op::RetC { s } => return self.return_narrow(s, |e, v| e.b.ins().band_imm_s(v, 0xffff)),
            Op::RetS { s } => {
                return self.return_narrow(s, |e, v| {
                    let v = e.b.ins().ireduce(I16, v);
                    e.b.ins().sextend(I32, v)
                });
            }
            _ => {
                debug_assert_eq!(self.scope.body.region.shapes[self.at].flow, Flow::Interpreter);
                self.leave(Why::Interpret);
                return false;
            }
        }
        true
    }

    /// Takes or gives up a monitor; whatever is not simple is the interpreter's.
    fn monitor(&mut self, s: u16, helper: fn(&mut Emitter<'_, '_>, Value, Value) -> Inst) {
        let o = self.word(s);
        self.leave_if_zero(o, Why::NullPointer);
        let call = helper(self, self.vm, o);
        let simple = self.b.inst_results(call)[0];
        self.leave_if_zero(simple, Why::Interpret);
    }

    fn store_reference(&mut self, arr: u16, i: u16, v: u16) {
        let (_, element) = self.element(arr, i, 2);
        let value = self.word(v);
        let (check, allowed) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(value, check, &[], allowed, &[]);
        self.b.switch_to_block(check);
        let array = self.word(arr);
        let call = helpers::can_store(self, self.vm, array, value);
        let can = self.b.inst_results(call)[0];
        self.leave_if_zero(can, Why::Interpret);
        self.finish(allowed);
        let array = self.word(arr);
        let done = self.watched(array);
        let value = self.narrow(v, I32);
        self.store(value, element, ELEMENTS);
        self.finish(done);
    }
}

fn field(offset: usize) -> Offset32 {
    Offset32::new(offset as i32)
}

/// How a register of a body is kept.
fn type_of(body: &Body, r: u16) -> Type {
    if body.region.doubles[usize::from(r)] {
        F64
    } else {
        I64
    }
}
