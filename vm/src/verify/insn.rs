//! Instructions as the verifier walks them: where the next one starts, what it is called, what the simple ones
//! pop and push.

use crate::link::decode::{bc, i32_at};

/// An instruction as met on the walk.
#[derive(Clone, Copy)]
pub struct Insn {
    pub bci: usize,
    pub len: usize,
    /// The opcode; of a `wide` instruction the one that is widened.
    pub op: u8,
    pub wide: bool,
}

/// What each opcode pops (right to left) and pushes, for those whose operands do not matter: I, J, F, D for the
/// numbers, N for null, R for any reference, 1 for any one-word value. Others are empty.
#[rustfmt::skip]
pub static EFFECT: [&str; 202] = [
    // constants
    ">", ">N", ">I", ">I", ">I", ">I", ">I", ">I", ">I", ">J", ">J", ">F", ">F", ">F", ">D", ">D", ">I", ">I",
    "", "", "",
    // loads from locals and arrays
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    "", "", "", "", "", "", "", "",
    // stores to locals and arrays
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "",
    "", "", "", "", "", "", "", "",
    // the stack
    "1>", "", "", "", "", "", "", "", "",
    // arithmetic
    "II>I", "JJ>J", "FF>F", "DD>D", "II>I", "JJ>J", "FF>F", "DD>D", "II>I", "JJ>J", "FF>F", "DD>D",
    "II>I", "JJ>J", "FF>F", "DD>D", "II>I", "JJ>J", "FF>F", "DD>D", "I>I", "J>J", "F>F", "D>D",
    "II>I", "JI>J", "II>I", "JI>J", "II>I", "JI>J", "II>I", "JJ>J", "II>I", "JJ>J", "II>I", "JJ>J", "",
    // conversions and comparisons
    "I>J", "I>F", "I>D", "J>I", "J>F", "J>D", "F>I", "F>J", "F>D", "D>I", "D>J", "D>F", "I>I", "I>I", "I>I",
    "JJ>I", "FF>I", "FF>I", "DD>I", "DD>I",
    // branches
    "I>", "I>", "I>", "I>", "I>", "I>", "II>", "II>", "II>", "II>", "II>", "II>", "RR>", "RR>", ">",
    "", "", "", "",
    // returns, members, objects
    "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "R>", "R>",
    "", "", "R>", "R>", ">", "",
];

/// Lengths of HotSpot's own opcodes from 202 on: it steps over them before it refuses them. 0: by operands.
const INTERNAL: [u8; 37] = [
    1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 4, 4, 4, 2, 4, 3, 3, 0, 0, 2, 3, 1, 3, 3, 3, 1,
    2, 1,
];
const LINEAR_SWITCH: u8 = 228;
const BINARY_SWITCH: u8 = 229;

const NAMES: &str = "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 \
lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload \
aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 \
dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload \
istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 \
fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 \
iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 \
swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg \
lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l \
f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne \
if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn \
lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial \
invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof \
monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w breakpoint fast_agetfield \
fast_bgetfield fast_cgetfield fast_dgetfield fast_fgetfield fast_igetfield fast_lgetfield fast_sgetfield \
fast_aputfield fast_bputfield fast_zputfield fast_cputfield fast_dputfield fast_fputfield fast_iputfield \
fast_lputfield fast_sputfield fast_aload_0 fast_iaccess_0 fast_aaccess_0 fast_faccess_0 fast_iload fast_iload2 \
fast_icaload fast_invokevfinal fast_linearswitch fast_binaryswitch fast_aldc fast_aldc_w \
return_register_finalizer invokehandle nofast_getfield nofast_putfield nofast_aload_0 nofast_iload \
_shouldnotreachhere";

/// The name of an opcode in messages.
pub fn name(op: u8) -> &'static str {
    NAMES
        .split_ascii_whitespace()
        .nth(op.into())
        .unwrap_or("<illegal>")
}

/// The instruction at `bci`, or none if it is not one or does not fit.
#[inline]
pub fn at(code: &[u8], bci: usize) -> Option<Insn> {
    let op = *code.get(bci)?;
    let len = usize::from(crate::link::decode::fixed_len(op));
    if len != 0 && bci + len <= code.len() {
        return Some(Insn {
            bci,
            len,
            op,
            wide: false,
        });
    }
    special(code, bci, op)
}

fn special(code: &[u8], bci: usize, op: u8) -> Option<Insn> {
    let aligned = (bci & !3) + 4;
    let mut insn = Insn {
        bci,
        len: 0,
        op,
        wide: false,
    };
    let len = match op {
        bc::WIDE => {
            insn.op = *code.get(bci + 1)?;
            insn.wide = true;
            match insn.op {
                bc::IINC => 6,
                bc::RET | bc::ILOAD..=bc::ALOAD | bc::ISTORE..=bc::ASTORE => 4,
                _ => return None,
            }
        }
        bc::TABLESWITCH => {
            if aligned + 12 >= code.len() {
                return None;
            }
            let (low, high) = (
                i64::from(i32_at(code, aligned + 4)),
                i64::from(i32_at(code, aligned + 8)),
            );
            if low > high {
                return None;
            }
            (aligned - bci) as i64 + (3 + high - low + 1) * 4
        }
        bc::LOOKUPSWITCH | LINEAR_SWITCH | BINARY_SWITCH => {
            if aligned + 8 >= code.len() {
                return None;
            }
            let pairs = i64::from(i32_at(code, aligned + 4));
            if pairs < 0 {
                return None;
            }
            (aligned - bci) as i64 + (2 + 2 * pairs) * 4
        }
        _ => i64::from(*INTERNAL.get(usize::from(op).checked_sub(202)?)?),
    };
    insn.len = usize::try_from(len).ok().filter(|&n| n > 0)?;
    (bci + insn.len <= code.len()).then_some(insn)
}
