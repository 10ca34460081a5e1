//! Bytecode decoding: opcode numbers, instruction lengths, operands, and the scan that finds instruction
//! starts and block leaders.

use crate::link::lower::{Cause, Invalid};

/// Opcode numbers, by the names of the specification.
#[rustfmt::skip]
pub mod bc {
    pub const NOP: u8 = 0; pub const ACONST_NULL: u8 = 1; pub const ICONST_M1: u8 = 2; pub const ICONST_0: u8 = 3;
    pub const ICONST_5: u8 = 8; pub const LCONST_0: u8 = 9; pub const LCONST_1: u8 = 10; pub const FCONST_0: u8 = 11;
    pub const FCONST_2: u8 = 13; pub const DCONST_0: u8 = 14; pub const DCONST_1: u8 = 15;
    pub const BIPUSH: u8 = 16; pub const SIPUSH: u8 = 17; pub const LDC: u8 = 18; pub const LDC_W: u8 = 19;
    pub const LDC2_W: u8 = 20; pub const ILOAD: u8 = 21; pub const ALOAD: u8 = 25; pub const ILOAD_0: u8 = 26;
    pub const ALOAD_3: u8 = 45; pub const IALOAD: u8 = 46; pub const LALOAD: u8 = 47; pub const FALOAD: u8 = 48;
    pub const DALOAD: u8 = 49; pub const AALOAD: u8 = 50; pub const BALOAD: u8 = 51; pub const CALOAD: u8 = 52;
    pub const SALOAD: u8 = 53; pub const ISTORE: u8 = 54; pub const ASTORE: u8 = 58; pub const ISTORE_0: u8 = 59;
    pub const ASTORE_3: u8 = 78; pub const IASTORE: u8 = 79; pub const LASTORE: u8 = 80; pub const FASTORE: u8 = 81;
    pub const DASTORE: u8 = 82; pub const AASTORE: u8 = 83; pub const BASTORE: u8 = 84; pub const CASTORE: u8 = 85;
    pub const SASTORE: u8 = 86; pub const POP: u8 = 87; pub const POP2: u8 = 88; pub const DUP: u8 = 89;
    pub const DUP_X1: u8 = 90; pub const DUP_X2: u8 = 91; pub const DUP2: u8 = 92; pub const DUP2_X1: u8 = 93;
    pub const DUP2_X2: u8 = 94; pub const SWAP: u8 = 95; pub const IADD: u8 = 96; pub const LADD: u8 = 97;
    pub const FADD: u8 = 98; pub const DADD: u8 = 99; pub const ISUB: u8 = 100; pub const LSUB: u8 = 101;
    pub const FSUB: u8 = 102; pub const DSUB: u8 = 103; pub const IMUL: u8 = 104; pub const LMUL: u8 = 105;
    pub const FMUL: u8 = 106; pub const DMUL: u8 = 107; pub const IDIV: u8 = 108; pub const LDIV: u8 = 109;
    pub const FDIV: u8 = 110; pub const DDIV: u8 = 111; pub const IREM: u8 = 112; pub const LREM: u8 = 113;
    pub const FREM: u8 = 114; pub const DREM: u8 = 115; pub const INEG: u8 = 116; pub const LNEG: u8 = 117;
    pub const FNEG: u8 = 118; pub const DNEG: u8 = 119; pub const ISHL: u8 = 120; pub const LSHL: u8 = 121;
    pub const ISHR: u8 = 122; pub const LSHR: u8 = 123; pub const IUSHR: u8 = 124; pub const LUSHR: u8 = 125;
    pub const IAND: u8 = 126; pub const LAND: u8 = 127; pub const IOR: u8 = 128; pub const LOR: u8 = 129;
    pub const IXOR: u8 = 130; pub const LXOR: u8 = 131; pub const IINC: u8 = 132; pub const I2L: u8 = 133;
    pub const I2F: u8 = 134; pub const I2D: u8 = 135; pub const L2I: u8 = 136; pub const L2F: u8 = 137;
    pub const L2D: u8 = 138; pub const F2I: u8 = 139; pub const F2L: u8 = 140; pub const F2D: u8 = 141;
    pub const D2I: u8 = 142; pub const D2L: u8 = 143; pub const D2F: u8 = 144; pub const I2B: u8 = 145;
    pub const I2C: u8 = 146; pub const I2S: u8 = 147; pub const LCMP: u8 = 148; pub const FCMPL: u8 = 149;
    pub const FCMPG: u8 = 150; pub const DCMPL: u8 = 151; pub const DCMPG: u8 = 152; pub const IFEQ: u8 = 153;
    pub const IFLE: u8 = 158; pub const IF_ICMPEQ: u8 = 159; pub const IF_ICMPLE: u8 = 164;
    pub const IF_ACMPEQ: u8 = 165; pub const IF_ACMPNE: u8 = 166; pub const GOTO: u8 = 167; pub const JSR: u8 = 168;
    pub const RET: u8 = 169; pub const TABLESWITCH: u8 = 170; pub const LOOKUPSWITCH: u8 = 171;
    pub const IRETURN: u8 = 172; pub const LRETURN: u8 = 173; pub const FRETURN: u8 = 174; pub const DRETURN: u8 = 175;
    pub const ARETURN: u8 = 176; pub const RETURN: u8 = 177; pub const GETSTATIC: u8 = 178; pub const PUTSTATIC: u8 = 179;
    pub const GETFIELD: u8 = 180; pub const PUTFIELD: u8 = 181; pub const INVOKEVIRTUAL: u8 = 182;
    pub const INVOKESPECIAL: u8 = 183; pub const INVOKESTATIC: u8 = 184; pub const INVOKEINTERFACE: u8 = 185;
    pub const INVOKEDYNAMIC: u8 = 186; pub const NEW: u8 = 187; pub const NEWARRAY: u8 = 188; pub const ANEWARRAY: u8 = 189;
    pub const ARRAYLENGTH: u8 = 190; pub const ATHROW: u8 = 191; pub const CHECKCAST: u8 = 192;
    pub const INSTANCEOF: u8 = 193; pub const MONITORENTER: u8 = 194; pub const MONITOREXIT: u8 = 195;
    pub const WIDE: u8 = 196; pub const MULTIANEWARRAY: u8 = 197; pub const IFNULL: u8 = 198;
    pub const IFNONNULL: u8 = 199; pub const GOTO_W: u8 = 200; pub const JSR_W: u8 = 201;
}

/// Length by opcode; 0 where it depends on the operands or the opcode does not exist.
static LEN: [u8; 202] = {
    let mut t = [1u8; 202];
    let two = [bc::BIPUSH, bc::LDC, bc::RET, bc::NEWARRAY];
    let mut i = 0;
    while i < two.len() {
        t[two[i] as usize] = 2;
        i += 1;
    }
    i = 0;
    while i < 5 {
        t[bc::ILOAD as usize + i] = 2;
        t[bc::ISTORE as usize + i] = 2;
        i += 1;
    }
    let three = [
        bc::SIPUSH,
        bc::LDC_W,
        bc::LDC2_W,
        bc::IINC,
        bc::NEW,
        bc::ANEWARRAY,
        bc::CHECKCAST,
        bc::INSTANCEOF,
        bc::IFNULL,
        bc::IFNONNULL,
    ];
    i = 0;
    while i < three.len() {
        t[three[i] as usize] = 3;
        i += 1;
    }
    i = bc::IFEQ as usize;
    while i <= bc::JSR as usize {
        t[i] = 3;
        i += 1;
    }
    i = bc::GETSTATIC as usize;
    while i <= bc::INVOKESTATIC as usize {
        t[i] = 3;
        i += 1;
    }
    t[bc::MULTIANEWARRAY as usize] = 4;
    t[bc::INVOKEINTERFACE as usize] = 5;
    t[bc::INVOKEDYNAMIC as usize] = 5;
    t[bc::GOTO_W as usize] = 5;
    t[bc::JSR_W as usize] = 5;
    t[bc::TABLESWITCH as usize] = 0;
    t[bc::LOOKUPSWITCH as usize] = 0;
    t[bc::WIDE as usize] = 0;
    t
};

#[inline]
pub fn u16_at(code: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([code[at], code[at + 1]])
}

#[inline]
pub fn i16_at(code: &[u8], at: usize) -> i16 {
    u16_at(code, at) as i16
}

#[inline]
pub fn i32_at(code: &[u8], at: usize) -> i32 {
    i32::from_be_bytes([code[at], code[at + 1], code[at + 2], code[at + 3]])
}

/// Length of an opcode; 0 where it depends on the operands or the opcode does not exist.
#[inline]
pub fn fixed_len(op: u8) -> u8 {
    LEN.get(usize::from(op)).copied().unwrap_or(0)
}

/// Length of the instruction at `bci`, or `None` if there is none or it does not fit into the code.
#[inline(always)]
pub fn insn_len(code: &[u8], bci: usize) -> Option<usize> {
    let len = match *LEN.get(code[bci] as usize)? {
        0 => long_len(code, bci)?,
        n => n as usize,
    };
    (bci + len <= code.len()).then_some(len)
}

#[cold]
fn long_len(code: &[u8], bci: usize) -> Option<usize> {
    let body = (bci & !3) + 4;
    match code[bci] {
        bc::WIDE => match *code.get(bci + 1)? {
            bc::IINC => Some(6),
            bc::RET | bc::ILOAD..=bc::ALOAD | bc::ISTORE..=bc::ASTORE => Some(4),
            _ => None,
        },
        bc::TABLESWITCH => {
            code.get(..body + 12)?;
            let (low, high) = (i32_at(code, body + 4) as i64, i32_at(code, body + 8) as i64);
            let count = usize::try_from(high - low + 1)
                .ok()
                .filter(|&n| n > 0 && n <= code.len())?;
            Some(body + 12 + 4 * count - bci)
        }
        bc::LOOKUPSWITCH => {
            code.get(..body + 8)?;
            let count = usize::try_from(i32_at(code, body + 4))
                .ok()
                .filter(|&n| n <= code.len())?;
            Some(body + 8 + 8 * count - bci)
        }
        _ => None,
    }
}

/// The operands of a switch instruction that `insn_len` has accepted.
pub struct SwitchInsn<'a> {
    code: &'a [u8],
    bci: usize,
    pub low: i32,
    pub len: usize,
    table: usize,
    is_table: bool,
}

impl<'a> SwitchInsn<'a> {
    pub fn at(code: &'a [u8], bci: usize) -> SwitchInsn<'a> {
        let body = (bci & !3) + 4;
        if code[bci] == bc::TABLESWITCH {
            let (low, high) = (i32_at(code, body + 4), i32_at(code, body + 8));
            let len = (high as i64 - low as i64 + 1) as usize;
            SwitchInsn {
                code,
                bci,
                low,
                len,
                table: body + 12,
                is_table: true,
            }
        } else {
            let len = i32_at(code, body + 4) as usize;
            SwitchInsn {
                code,
                bci,
                low: 0,
                len,
                table: body + 8,
                is_table: false,
            }
        }
    }

    fn dest(&self, at: usize) -> i64 {
        self.bci as i64 + i64::from(i32_at(self.code, at))
    }

    pub fn default(&self) -> i64 {
        self.dest((self.bci & !3) + 4)
    }

    /// Target of case `i`.
    pub fn target(&self, i: usize) -> i64 {
        self.dest(if self.is_table {
            self.table + 4 * i
        } else {
            self.table + 8 * i + 4
        })
    }

    /// Key of case `i` of a lookupswitch.
    pub fn key(&self, i: usize) -> i32 {
        i32_at(self.code, self.table + 8 * i)
    }
}

/// A local variable instruction, `wide` or not, in uniform form: base opcode (iload.., istore.., iinc, ret),
/// local, and iinc's constant.
#[inline(always)]
pub fn local_operand(code: &[u8], bci: usize) -> Option<(u8, u16, i16)> {
    let op = code[bci];
    // Most instructions are none of these.
    if op < bc::ILOAD || (op > bc::ASTORE_3 && !matches!(op, bc::IINC | bc::RET | bc::WIDE)) {
        return None;
    }
    match op {
        bc::ILOAD..=bc::ALOAD | bc::ISTORE..=bc::ASTORE | bc::RET => Some((op, code[bci + 1].into(), 0)),
        bc::ILOAD_0..=bc::ALOAD_3 => {
            let n = op - bc::ILOAD_0;
            Some((bc::ILOAD + n / 4, (n % 4).into(), 0))
        }
        bc::ISTORE_0..=bc::ASTORE_3 => {
            let n = op - bc::ISTORE_0;
            Some((bc::ISTORE + n / 4, (n % 4).into(), 0))
        }
        bc::IINC => Some((op, code[bci + 1].into(), i16::from(code[bci + 2] as i8))),
        bc::WIDE => {
            let k = if code[bci + 1] == bc::IINC {
                i16_at(code, bci + 4)
            } else {
                0
            };
            Some((code[bci + 1], u16_at(code, bci + 2), k))
        }
        _ => None,
    }
}

/// The target of a branch instruction other than a switch. May lie anywhere.
#[inline]
pub fn branch_target(code: &[u8], bci: usize) -> Option<i64> {
    let off = match code[bci] {
        bc::IFEQ..=bc::JSR | bc::IFNULL | bc::IFNONNULL => i64::from(i16_at(code, bci + 1)),
        bc::GOTO_W | bc::JSR_W => i64::from(i32_at(code, bci + 1)),
        _ => return None,
    };
    Some(bci as i64 + off)
}

/// Where instructions and blocks start.
pub struct Layout {
    /// Per bci (and one for the end): flags, and for leaders their number.
    at: Vec<u32>,
    /// The bci of each leader, ascending.
    pub leaders: Vec<u16>,
}

const START: u32 = 1 << 31;
const LEADER: u32 = 1 << 30;
const BOUND: u32 = 1 << 29;
const NUMBER: u32 = (1 << 24) - 1;

impl Layout {
    /// Decodes the whole code once. Branch targets and exception table entries must be instruction starts.
    pub fn scan(code: &[u8], handlers: &[Range]) -> Result<Layout, Invalid> {
        let mut at = vec![0u32; code.len() + 1];
        at[0] = LEADER;
        let mut bci = 0;
        while bci < code.len() {
            let len = insn_len(code, bci).ok_or_else(|| bad(bci, "Bad instruction"))?;
            at[bci] |= START;
            let op = code[bci];
            if let Some(target) = branch_target(code, bci) {
                mark(&mut at, target, bci)?;
                if (op == bc::JSR || op == bc::JSR_W) && bci + len < code.len() {
                    at[bci + len] |= LEADER;
                }
            } else if op == bc::TABLESWITCH || op == bc::LOOKUPSWITCH {
                mark_switch(&mut at, code, bci)?;
            }
            bci += len;
        }
        for h in handlers {
            for (pc, flag) in [(h.start, BOUND), (h.target, LEADER), (h.end, BOUND)] {
                let cell = at
                    .get_mut(pc as usize)
                    .ok_or_else(|| bad(pc.into(), "Illegal exception table"))?;
                let at_end = flag == BOUND && pc as usize == code.len();
                if *cell & START == 0 && !at_end {
                    return Err(bad(pc.into(), "Illegal exception table entry"));
                }
                *cell |= flag;
            }
        }
        let leaders = number(&mut at, code.len())?;
        Ok(Layout { at, leaders })
    }

    #[inline]
    pub fn is_leader(&self, bci: usize) -> bool {
        self.at[bci] & LEADER != 0
    }

    /// Whether an exception range starts or ends here.
    #[inline]
    pub fn is_bound(&self, bci: usize) -> bool {
        self.at[bci] & BOUND != 0
    }

    #[inline]
    pub fn is_start(&self, bci: usize) -> bool {
        self.at.get(bci).is_some_and(|f| f & START != 0)
    }

    /// The number of the leader at `bci`.
    #[inline]
    pub fn leader(&self, bci: usize) -> usize {
        (self.at[bci] & NUMBER) as usize
    }
}

fn mark(at: &mut [u32], target: i64, bci: usize) -> Result<(), Invalid> {
    let end = at.len() - 1;
    match usize::try_from(target).ok().filter(|&t| t < end) {
        Some(t) => {
            at[t] |= LEADER;
            Ok(())
        }
        None => Err(bad(bci, "Illegal target of jump or branch")),
    }
}

fn mark_switch(at: &mut [u32], code: &[u8], bci: usize) -> Result<(), Invalid> {
    let switch = SwitchInsn::at(code, bci);
    mark(at, switch.default(), bci)?;
    for i in 0..switch.len {
        mark(at, switch.target(i), bci)?;
        if !switch.is_table && i > 0 && switch.key(i - 1) >= switch.key(i) {
            return Err(bad(bci, "Bad lookupswitch instruction"));
        }
    }
    Ok(())
}

fn number(at: &mut [u32], end: usize) -> Result<Vec<u16>, Invalid> {
    let mut leaders = Vec::new();
    for (bci, cell) in at[..end].iter_mut().enumerate() {
        if *cell & LEADER != 0 {
            if *cell & START == 0 {
                return Err(bad(bci, "Illegal target of jump or branch"));
            }
            *cell |= leaders.len() as u32;
            leaders.push(bci as u16);
        }
    }
    Ok(leaders)
}

/// An entry of the exception table.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub start: u16,
    pub end: u16,
    pub target: u16,
    pub catch: u16,
}

/// Reads the exception table.
pub fn ranges(table: &[u8]) -> Result<Vec<Range>, Invalid> {
    let range = |e: &[u8]| {
        let r = Range {
            start: u16_at(e, 0),
            end: u16_at(e, 2),
            target: u16_at(e, 4),
            catch: u16_at(e, 6),
        };
        if r.start < r.end {
            Ok(r)
        } else {
            Err(bad(r.start.into(), "Illegal exception table range"))
        }
    };
    table.chunks_exact(8).map(range).collect()
}

/// The complaint about the instruction at `bci`.
#[cold]
pub fn bad(bci: usize, what: &str) -> Invalid {
    Invalid(format!("{what} at bytecode index {bci}"), Cause::Code)
}
