//! The register instruction set, defined once. Lowering emits it, the loop executes it.
//!
//! A method's register window is `[locals 0..max_locals][stack 0..max_stack][one spare]`, numbered with the JVM's
//! own slot numbers: local `n` is register `n`, operand stack slot `k` is register `max_locals + k`. A long or
//! double takes two slots of which the first holds the whole 64-bit value and the second is never read.
//!
//! Register images: int, short, byte, char, boolean are zero-extended from 32 bits; float is its bits
//! zero-extended; references are `ObjRef` bits; long and double fill the register.
//!
//! Calls pass arguments in place: the caller puts them into consecutive stack registers starting at `args`
//! (long and double again two slots), which become the callee's locals 0..; the callee's result is written to
//! register `args` of the caller. The spare register after the operand stack has room for an appendix argument.
//!
//! Ops whose name ends in `U` are unresolved: they carry the constant pool index, and the loop rewrites them in
//! place once resolution (and, where required, initialisation) has succeeded.
//!
//! Branch offsets are relative to the branching op's own index.

/// One register instruction: 16 bytes, tag included.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Op {
    // --- pseudo code of methods that have no lowered body (yet); never emitted by lowering
    /// Lower the current method, then start it.
    Lower,
    /// Run the current method's native function on its arguments.
    Native,
    /// The current frame is a continuation: a called method has just returned to it.
    Continue,
    /// The selected method is abstract.
    Abstract,
    /// Throws the VerifyError (or other LinkageError) recorded for this method.
    Invalid,
    /// Enter the monitor of a synchronized method, then start it.
    EnterSync,
    /// Stands for an op at which the method's compiled form can be entered: its address in two halves.
    Compiled { entry: u16, lo: u32, hi: u32 },

    // --- moves and constants
    Nop,
    Mov { d: u16, s: u16 },
    /// Also null, and float bits.
    Const { d: u16, v: u32 },
    /// Long, and double bits. Stored as two halves to keep the op at 16 bytes with alignment 4.
    Const64 { d: u16, lo: u32, hi: u32 },
    /// String, Class, MethodHandle, MethodType or dynamic constant; `wide` for ldc2_w of a dynamic long/double.
    LdcU { d: u16, cp: u16 },
    LdcRef { d: u16, obj: u32 },

    // --- int
    AddI { d: u16, a: u16, b: u16 }, SubI { d: u16, a: u16, b: u16 }, MulI { d: u16, a: u16, b: u16 },
    DivI { d: u16, a: u16, b: u16 }, RemI { d: u16, a: u16, b: u16 },
    AndI { d: u16, a: u16, b: u16 }, OrI { d: u16, a: u16, b: u16 }, XorI { d: u16, a: u16, b: u16 },
    ShlI { d: u16, a: u16, b: u16 }, ShrI { d: u16, a: u16, b: u16 }, UshrI { d: u16, a: u16, b: u16 },
    NegI { d: u16, a: u16 },
    /// With a constant; division and remainder constants are never zero.
    AddIK { d: u16, a: u16, k: i32 }, MulIK { d: u16, a: u16, k: i32 },
    DivIK { d: u16, a: u16, k: i32 }, RemIK { d: u16, a: u16, k: i32 },
    AndIK { d: u16, a: u16, k: i32 }, OrIK { d: u16, a: u16, k: i32 }, XorIK { d: u16, a: u16, k: i32 },
    ShlIK { d: u16, a: u16, k: i32 }, ShrIK { d: u16, a: u16, k: i32 }, UshrIK { d: u16, a: u16, k: i32 },
    /// k - a
    RsubIK { d: u16, a: u16, k: i32 },

    // --- long (shift counts are ints)
    AddL { d: u16, a: u16, b: u16 }, SubL { d: u16, a: u16, b: u16 }, MulL { d: u16, a: u16, b: u16 },
    DivL { d: u16, a: u16, b: u16 }, RemL { d: u16, a: u16, b: u16 },
    AndL { d: u16, a: u16, b: u16 }, OrL { d: u16, a: u16, b: u16 }, XorL { d: u16, a: u16, b: u16 },
    ShlL { d: u16, a: u16, b: u16 }, ShrL { d: u16, a: u16, b: u16 }, UshrL { d: u16, a: u16, b: u16 },
    NegL { d: u16, a: u16 },
    AddLK { d: u16, a: u16, k: i32 }, MulLK { d: u16, a: u16, k: i32 }, AndLK { d: u16, a: u16, k: i32 },
    ShlLK { d: u16, a: u16, k: i32 }, ShrLK { d: u16, a: u16, k: i32 }, UshrLK { d: u16, a: u16, k: i32 },

    // --- float and double
    AddF { d: u16, a: u16, b: u16 }, SubF { d: u16, a: u16, b: u16 }, MulF { d: u16, a: u16, b: u16 },
    DivF { d: u16, a: u16, b: u16 }, RemF { d: u16, a: u16, b: u16 }, NegF { d: u16, a: u16 },
    AddD { d: u16, a: u16, b: u16 }, SubD { d: u16, a: u16, b: u16 }, MulD { d: u16, a: u16, b: u16 },
    DivD { d: u16, a: u16, b: u16 }, RemD { d: u16, a: u16, b: u16 }, NegD { d: u16, a: u16 },

    // --- conversions
    I2L { d: u16, a: u16 }, I2F { d: u16, a: u16 }, I2D { d: u16, a: u16 },
    L2I { d: u16, a: u16 }, L2F { d: u16, a: u16 }, L2D { d: u16, a: u16 },
    F2I { d: u16, a: u16 }, F2L { d: u16, a: u16 }, F2D { d: u16, a: u16 },
    D2I { d: u16, a: u16 }, D2L { d: u16, a: u16 }, D2F { d: u16, a: u16 },
    I2B { d: u16, a: u16 }, I2C { d: u16, a: u16 }, I2S { d: u16, a: u16 },

    // --- three-way comparisons (where not fused with a branch)
    CmpL { d: u16, a: u16, b: u16 },
    CmpFl { d: u16, a: u16, b: u16 }, CmpFg { d: u16, a: u16, b: u16 },
    CmpDl { d: u16, a: u16, b: u16 }, CmpDg { d: u16, a: u16, b: u16 },

    // --- branches
    Jmp { off: i32 },
    JEqI { a: u16, b: u16, off: i32 }, JNeI { a: u16, b: u16, off: i32 }, JLtI { a: u16, b: u16, off: i32 },
    JGeI { a: u16, b: u16, off: i32 }, JGtI { a: u16, b: u16, off: i32 }, JLeI { a: u16, b: u16, off: i32 },
    JEqIK { a: u16, k: i32, off: i32 }, JNeIK { a: u16, k: i32, off: i32 }, JLtIK { a: u16, k: i32, off: i32 },
    JGeIK { a: u16, k: i32, off: i32 }, JGtIK { a: u16, k: i32, off: i32 }, JLeIK { a: u16, k: i32, off: i32 },
    JEqA { a: u16, b: u16, off: i32 }, JNeA { a: u16, b: u16, off: i32 },
    JNull { a: u16, off: i32 }, JNonNull { a: u16, off: i32 },
    JEqL { a: u16, b: u16, off: i32 }, JNeL { a: u16, b: u16, off: i32 }, JLtL { a: u16, b: u16, off: i32 },
    JGeL { a: u16, b: u16, off: i32 }, JGtL { a: u16, b: u16, off: i32 }, JLeL { a: u16, b: u16, off: i32 },
    /// Taken when the IEEE comparison holds; the `N` forms when it does not hold (so they are taken on NaN).
    JEqF { a: u16, b: u16, off: i32 }, JNeF { a: u16, b: u16, off: i32 },
    JLtF { a: u16, b: u16, off: i32 }, JLeF { a: u16, b: u16, off: i32 },
    JGtF { a: u16, b: u16, off: i32 }, JGeF { a: u16, b: u16, off: i32 },
    JNltF { a: u16, b: u16, off: i32 }, JNleF { a: u16, b: u16, off: i32 },
    JNgtF { a: u16, b: u16, off: i32 }, JNgeF { a: u16, b: u16, off: i32 },
    JEqD { a: u16, b: u16, off: i32 }, JNeD { a: u16, b: u16, off: i32 },
    JLtD { a: u16, b: u16, off: i32 }, JLeD { a: u16, b: u16, off: i32 },
    JGtD { a: u16, b: u16, off: i32 }, JGeD { a: u16, b: u16, off: i32 },
    JNltD { a: u16, b: u16, off: i32 }, JNleD { a: u16, b: u16, off: i32 },
    JNgtD { a: u16, b: u16, off: i32 }, JNgeD { a: u16, b: u16, off: i32 },
    /// `table` indexes `Lowered::switches`.
    TableSwitch { a: u16, table: u32 },
    LookupSwitch { a: u16, table: u32 },
    /// jsr: put the return op index (this op's index + 1) into `d` as an int, jump.
    Jsr { d: u16, off: i32 },
    /// ret: jump to the op index held in `a`; verified to come from a `Jsr`.
    RetSub { a: u16 },

    // --- arrays. Ld4 serves int, float and reference elements; Ld8 long and double.
    Ld1 { d: u16, arr: u16, i: u16 }, Ld2U { d: u16, arr: u16, i: u16 }, Ld2S { d: u16, arr: u16, i: u16 },
    Ld4 { d: u16, arr: u16, i: u16 }, Ld8 { d: u16, arr: u16, i: u16 },
    /// byte[] or boolean[] (which keeps only the lowest bit).
    St1 { arr: u16, i: u16, v: u16 }, St2 { arr: u16, i: u16, v: u16 },
    St4 { arr: u16, i: u16, v: u16 }, St8 { arr: u16, i: u16, v: u16 },
    /// Reference store, with the array store check.
    StA { arr: u16, i: u16, v: u16 },
    ArrayLen { d: u16, arr: u16 },
    /// `atype` as in the newarray instruction (4 boolean .. 11 long).
    NewArray { d: u16, len: u16, atype: u16 },
    /// `cp`: the element class.
    ANewArrayU { d: u16, len: u16, cp: u16 },
    /// `class`: the array class itself.
    ANewArray { d: u16, len: u16, class: u32 },
    /// Dimensions are in registers `args..args+dims`; the result goes to `args`. `cp`: the array class.
    MultiNewArray { args: u16, dims: u16, cp: u16 },

    // --- fields
    GetFieldU { d: u16, obj: u16, cp: u16 }, PutFieldU { obj: u16, v: u16, cp: u16 },
    GetStaticU { d: u16, cp: u16 }, PutStaticU { v: u16, cp: u16 },
    /// Sign-extending byte load (byte, boolean), char, short, 32 bits, 64 bits; `off` in bytes.
    Gf1 { d: u16, obj: u16, off: u32 }, Gf2U { d: u16, obj: u16, off: u32 }, Gf2S { d: u16, obj: u16, off: u32 },
    Gf4 { d: u16, obj: u16, off: u32 }, Gf8 { d: u16, obj: u16, off: u32 },
    /// PfZ keeps only the lowest bit (boolean); PfA stores a reference.
    PfZ { obj: u16, v: u16, off: u32 }, Pf1 { obj: u16, v: u16, off: u32 }, Pf2 { obj: u16, v: u16, off: u32 },
    Pf4 { obj: u16, v: u16, off: u32 }, Pf8 { obj: u16, v: u16, off: u32 }, PfA { obj: u16, v: u16, off: u32 },
    /// Static fields live in 8-byte slots inside the class mirror; `at` is the slot's arena address divided by 8.
    Gs1 { d: u16, at: u32 }, Gs2U { d: u16, at: u32 }, Gs2S { d: u16, at: u32 },
    Gs4 { d: u16, at: u32 }, Gs8 { d: u16, at: u32 },
    PsZ { v: u16, at: u32 }, Ps1 { v: u16, at: u32 }, Ps2 { v: u16, at: u32 },
    Ps4 { v: u16, at: u32 }, Ps8 { v: u16, at: u32 }, PsA { v: u16, at: u32 },

    // --- calls. `n` is the number of argument slots, receiver included.
    InvokeVirtualU { args: u16, n: u16, cp: u16 }, InvokeSpecialU { args: u16, n: u16, cp: u16 },
    InvokeStaticU { args: u16, n: u16, cp: u16 }, InvokeInterfaceU { args: u16, n: u16, cp: u16 },
    InvokeDynamicU { args: u16, n: u16, cp: u16 },
    InvokeStatic { args: u16, m: u32 },
    /// Direct call with a null check of the receiver: private, final, super and constructor calls.
    InvokeSpecial { args: u16, m: u32 },
    InvokeVirtual { args: u16, vindex: u32, m: u32 },
    /// The call of Object.<init>: registers an object that has a finalizer, else does nothing.
    InvokeObjectInit { args: u16 },
    /// Inline cache: `class` is the receiver class last seen (0: none), `target` its method.
    InvokeInterface { args: u16, m: u32, class: u32, target: u32 },
    /// A linked call site: pass `appendix` (unless null) in the register after the arguments, call static `m`.
    InvokeLinked { args: u16, n: u16, m: u32, appendix: u32 },
    /// MethodHandle.invokeBasic.
    InvokeBasic { args: u16, n: u16 },
    /// MethodHandle.linkToStatic/Special/Virtual/Interface: the last argument is the MemberName.
    LinkTo { args: u16, n: u16, kind: u16 },
    RetVoid,
    Ret { s: u16 },
    /// Returns narrowed to the method's declared type.
    RetZ { s: u16 }, RetB { s: u16 }, RetC { s: u16 }, RetS { s: u16 },

    // --- objects
    NewU { d: u16, cp: u16 },
    New { d: u16, class: u32 },
    CheckCastU { s: u16, cp: u16 }, CheckCast { s: u16, class: u32 },
    InstanceOfU { d: u16, s: u16, cp: u16 }, InstanceOf { d: u16, s: u16, class: u32 },
    Throw { s: u16 },
    MonitorEnter { s: u16 }, MonitorExit { s: u16 },
}

const _: () = assert!(std::mem::size_of::<Op>() == 16);

/// An exception handler over op indices `start..end`; the exception goes to the first stack register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// Constant pool index of the caught class, 0 for any.
    pub catch_cp: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Offsets for `low..low + offs.len()`.
    Table {
        low: i32,
        default: i32,
        offs: Box<[i32]>,
    },
    /// Sorted by key.
    Lookup {
        default: i32,
        keys: Box<[i32]>,
        offs: Box<[i32]>,
    },
}

/// A method in register form.
#[derive(Debug, Default)]
pub struct Lowered {
    pub ops: Vec<Op>,
    /// For each op the bytecode index it came from.
    pub bcis: Vec<u16>,
    pub handlers: Vec<Handler>,
    pub switches: Vec<Switch>,
    /// Size of the register window: max_locals + max_stack + 1.
    pub regs: u32,
}
