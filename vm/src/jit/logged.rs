//! What is emitted while the heap logs what the guest reads (see `poldet_heap::reads`): a load tests the shadow byte of
//! its word and calls the VM the first time, a store settles what it writes whole. Without a log none of it is there.

use super::emit::Emitter;
use super::helpers;
use crate::heap::{ELEMENTS, UNIT};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value};

/// All units of a word.
const WHOLE: i64 = 0xf;

impl Emitter<'_, '_> {
    /// The guest is about to read a value of this type.
    pub(super) fn note_read(&mut self, ty: Type, address: Value, off: u32) {
        let Some(bias) = self.source.shadow else { return };
        let place = self.b.ins().iadd_imm_s(address, i64::from(off));
        let units = self.units(ty, place, off);
        let seen = self.seen(bias, place).1;
        let written = self.b.ins().ushr_imm_s(seen, 4);
        let settled = self.b.ins().bor(seen, written);
        let settled = self.b.ins().band(settled, units);
        let all = self.b.ins().icmp(IntCC::Equal, settled, units);
        let (first, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(first);
        self.b.ins().brif(all, on, &[], first, &[]);
        self.b.switch_to_block(first);
        let (pc, frames) = (self.pc(), self.missing_frames());
        let units = self.b.ins().uextend(I64, units);
        helpers::first_read(self, self.vm, pc, place, units, frames);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
    }

    /// The guest writes a value of this type.
    pub(super) fn note_written(&mut self, ty: Type, address: Value, off: u32) {
        let Some(bias) = self.source.shadow else { return };
        // The other byte of a unit is still what it was, unless it is that of a static field.
        if ty == I8 && off != 0 {
            return;
        }
        let place = self.b.ins().iadd_imm_s(address, i64::from(off));
        let units = self.units(ty, place, off);
        let (at, seen) = self.seen(bias, place);
        let first = self.b.ins().band_not(units, seen);
        let first = self.b.ins().ishl_imm_s(first, 4);
        let seen = self.b.ins().bor(seen, first);
        self.b.ins().istore8(SHADOW, seen, at, 0);
    }

    /// The address of the shadow byte of a place, and the byte.
    fn seen(&mut self, bias: u64, place: Value) -> (Value, Value) {
        let word = self.b.ins().ushr_imm_s(place, 3);
        let bias = self.b.ins().iconst(I64, bias as i64);
        let at = self.b.ins().iadd(bias, word);
        (at, self.b.ins().uload8(I32, SHADOW, at, 0))
    }

    /// The units that a value lies in. Only elements are where their offset does not say.
    fn units(&mut self, ty: Type, place: Value, off: u32) -> Value {
        let bits = match ty.bytes() {
            8 => WHOLE,
            4 => 0b11,
            _ => 1,
        };
        if off == 0 || bits == WHOLE {
            return self.b.ins().iconst(I32, WHOLE);
        }
        if off != ELEMENTS {
            return self.b.ins().iconst(I32, bits << (off % 8 / UNIT));
        }
        let bits = self.b.ins().iconst(I32, bits);
        let unit = self.b.ins().ushr_imm_s(place, 1);
        let unit = self.b.ins().band_imm_s(unit, 3);
        self.b.ins().ishl(bits, unit)
    }
}

/// The shadow is nobody else's memory.
const SHADOW: MemFlagsData = MemFlagsData::trusted();
