//! jdk.internal.misc.Unsafe: typed memory cells of objects and of raw memory.
//!
//! A cell is addressed by a base object and a byte offset from the object's start; with a null base the offset is
//! a raw address. Green threads share one OS thread and switch only between instructions, so every form (plain,
//! opaque, acquire, release, volatile) of an access is the same access, and a compare-and-set is just a compare
//! and a set. The wrappers that the JDK builds from these in Java are rows here too: they are hot, and each would
//! cost several interpreted calls.

use crate::{Ctx, Native, instead, native};
use poldet_vm::classes::slots::SlotUse;
use poldet_vm::heap::{ELEMENTS, SlotKind};
use poldet_vm::ids::ObjRef;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

/// A kind of cell; values are register images.
pub(super) trait Cell {
    /// Argument slots of a value.
    const SLOTS: usize = 1;
    fn load(vm: &Vm, base: ObjRef, at: u64) -> Result<u64, Stop>;
    fn store(vm: &mut Vm, base: ObjRef, at: u64, value: u64) -> Result<(), Stop>;
    /// The image a stored value reads back as.
    fn norm(value: u64) -> u64;
    fn add(a: u64, _b: u64) -> u64 {
        a
    }
}

#[cold]
pub(super) fn stray(at: u64) -> Stop {
    Stop::unsupported(format!(
        "access to raw memory the program does not own, at {at:#x}"
    ))
}

/// An access through Unsafe that would break the heap, or the memory behind it.
#[cold]
fn refused(vm: &Vm, base: ObjRef, at: u64, what: &str) -> Stop {
    let class = vm.java_name(vm.class_of(base));
    Stop::unsupported(format!("Unsafe: {what} at offset {} of {class}", at as i64))
}

/// Bytes of a primitive array that begin before its elements, as HotSpot has them: a word for the hash of an object that is
/// not locked, a number for the class, the length. Programs that search backwards read one too many of them.
#[cold]
pub(super) fn with_header(vm: &Vm, base: ObjRef, at: u64, len: u64) -> Option<Vec<u8>> {
    const UNLOCKED: u64 = 1;
    if !vm.heap.is_prim_array(base) || at >= u64::from(ELEMENTS) {
        return None;
    }
    let hash = vm.given_identity_hash(base).unwrap_or(0) as u64;
    let mut header = [0; ELEMENTS as usize];
    header[..8].copy_from_slice(&(hash << vm.release().hash_shift() | UNLOCKED).to_le_bytes());
    header[8..12].copy_from_slice(&(vm.class_of(base).index() as u32).to_le_bytes());
    header[12..].copy_from_slice(&vm.heap.array_len(base).to_le_bytes());
    let (at, end) = (at as usize, usize::try_from(at.checked_add(len)?).ok()?);
    let Some(behind) = end.checked_sub(header.len()) else {
        return Some(header[at..end].to_vec());
    };
    let elements = vm.heap.load_bytes(base).get(..behind)?;
    Some([&header[at..], elements].concat())
}

/// Numbers may be read anywhere in an object, and be written where no reference and nothing of the VM's own lies.
#[inline(always)]
fn number_at(vm: &Vm, base: ObjRef, at: u64, width: usize, store: bool) -> Result<(), Stop> {
    let usage = if store {
        SlotUse::WriteNumber
    } else {
        SlotUse::ReadNumber
    };
    check(vm, base, at, width as u32, usage)
}

#[inline(always)]
fn reference_at(vm: &Vm, base: ObjRef, at: u64) -> Result<(), Stop> {
    check(vm, base, at, 4, SlotUse::Reference)
}

#[inline(always)]
fn check(vm: &Vm, base: ObjRef, at: u64, width: u32, usage: SlotUse) -> Result<(), Stop> {
    if vm.is_fit_slot(base, at, width, usage) {
        return Ok(());
    }
    check_slot(vm, base, at, width, usage)
}

#[inline(never)]
fn check_slot(vm: &Vm, base: ObjRef, at: u64, width: u32, usage: SlotUse) -> Result<(), Stop> {
    let kind = vm.heap.slot_kind(base, at, u64::from(width));
    let why = match (kind, usage) {
        (SlotKind::Outside, _) => Some("access outside of the object"),
        (SlotKind::Number, SlotUse::WriteNumber) => vm
            .is_own_slot(base, at as u32, width)
            .then_some("a field of the VM's own written"),
        (SlotKind::Reference | SlotKind::Torn, SlotUse::WriteNumber) => {
            Some("a number stored over a reference")
        }
        (SlotKind::Number | SlotKind::Torn, SlotUse::Reference) => Some("a number used as a reference"),
        (SlotKind::Reference, SlotUse::Reference) | (_, SlotUse::ReadNumber) => None,
    };
    match why {
        Some(why) => Err(refused(vm, base, at, why)),
        None => {
            vm.note_fit_slot(base, at, width, usage);
            Ok(())
        }
    }
}

macro_rules! cell {
    (
        $name:ident, $ty:ty, $get:ident, $put:ident, $load:ident, $store:ident, $slots:expr,
        |$v:ident| $norm:expr, |$a:ident, $b:ident| $add:expr
    ) => {
        pub(super) struct $name;

        impl Cell for $name {
            const SLOTS: usize = $slots;

            #[inline(always)]
            fn load(vm: &Vm, base: ObjRef, at: u64) -> Result<u64, Stop> {
                let $v = if base.is_null() {
                    vm.host.memory.$load(at).ok_or_else(|| stray(at))?
                } else {
                    match number_at(vm, base, at, size_of::<$ty>(), false) {
                        Ok(()) => vm.heap.$get(base, at as u32),
                        Err(stop) => {
                            let bytes = with_header(vm, base, at, size_of::<$ty>() as u64).ok_or(stop)?;
                            bytes
                                .iter()
                                .rev()
                                .fold(0, |n: u64, b| n << 8 | u64::from(*b)) as $ty
                        }
                    }
                };
                let $v = u64::from($v);
                Ok($norm)
            }

            #[inline(always)]
            fn store(vm: &mut Vm, base: ObjRef, at: u64, value: u64) -> Result<(), Stop> {
                let $v = value;
                let value = ($norm) as $ty;
                if !base.is_null() {
                    number_at(vm, base, at, size_of::<$ty>(), true)?;
                    vm.heap.$put(base, at as u32, value);
                } else if !vm.host.memory.$store(at, value) {
                    return Err(stray(at));
                }
                Ok(())
            }

            #[inline(always)]
            fn norm($v: u64) -> u64 {
                $norm
            }

            #[inline(always)]
            fn add($a: u64, $b: u64) -> u64 {
                $add
            }
        }
    };
}

fn sign8(v: u64) -> u64 {
    u64::from(v as i8 as i32 as u32)
}

fn sign16(v: u64) -> u64 {
    u64::from(v as i16 as i32 as u32)
}

fn low32(v: u64) -> u64 {
    u64::from(v as u32)
}

fn add_f32(a: u64, b: u64) -> u64 {
    u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits())
}

fn add_f64(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b)).to_bits()
}

cell!(
    Bool,
    u8,
    load_u8,
    put_u8,
    load_u8,
    store_u8,
    1,
    |v| v & 1,
    |a, _b| a
);
cell!(
    Byte,
    u8,
    load_u8,
    put_u8,
    load_u8,
    store_u8,
    1,
    |v| sign8(v),
    |a, b| sign8(a.wrapping_add(b))
);
cell!(
    Short,
    u16,
    load_u16,
    put_u16,
    load_u16,
    store_u16,
    1,
    |v| sign16(v),
    |a, b| sign16(a.wrapping_add(b))
);
cell!(
    Char,
    u16,
    load_u16,
    put_u16,
    load_u16,
    store_u16,
    1,
    |v| v & 0xffff,
    |a, b| a.wrapping_add(b) & 0xffff
);
cell!(
    Int,
    u32,
    load_u32,
    put_u32,
    load_u32,
    store_u32,
    1,
    |v| low32(v),
    |a, b| low32(a.wrapping_add(b))
);
cell!(
    Long,
    u64,
    load_u64,
    put_u64,
    load_u64,
    store_u64,
    2,
    |v| v,
    |a, b| a.wrapping_add(b)
);
cell!(
    Float,
    u32,
    load_u32,
    put_u32,
    load_u32,
    store_u32,
    1,
    |v| low32(v),
    |a, b| add_f32(a, b)
);
cell!(
    Double,
    u64,
    load_u64,
    put_u64,
    load_u64,
    store_u64,
    2,
    |v| v,
    |a, b| add_f64(a, b)
);

struct Ref;

impl Cell for Ref {
    #[inline(always)]
    fn load(vm: &Vm, base: ObjRef, at: u64) -> Result<u64, Stop> {
        // The collector does not look into raw memory, so no reference may live there.
        if base.is_null() {
            return Err(stray(at));
        }
        reference_at(vm, base, at)?;
        Ok(vm.heap.load_ref(base, at as u32).bits())
    }

    #[inline(always)]
    fn store(vm: &mut Vm, base: ObjRef, at: u64, value: u64) -> Result<(), Stop> {
        if base.is_null() {
            return Err(stray(at));
        }
        reference_at(vm, base, at)?;
        let value = ObjRef::from_bits(value);
        if !vm.slot_takes(base, at as u32, value) {
            return Err(refused(vm, base, at, "a reference of another type stored"));
        }
        vm.heap.put_ref(base, at as u32, value);
        Ok(())
    }

    #[inline(always)]
    fn norm(value: u64) -> u64 {
        low32(value)
    }
}

// Slots of the common shape: this 0, base 1, offset 2 and 3, first value from 4.

fn get<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    C::load(c.vm, c.obj(1), c.raw(2))
}

fn put<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (base, at, value) = (c.obj(1), c.raw(2), c.raw(4));
    C::store(c.vm, base, at, value).map(|()| 0)
}

/// `getX(long address)`.
fn get_at<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    C::load(c.vm, ObjRef::NULL, c.raw(1))
}

/// `putX(long address, x)`.
fn put_at<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (at, value) = (c.raw(1), c.raw(3));
    C::store(c.vm, ObjRef::NULL, at, value).map(|()| 0)
}

/// Stores the second value if the cell holds the first; answers what the cell held, and whether it was that.
#[inline(always)]
fn exchange_if<C: Cell>(c: &mut Ctx<'_>) -> Result<(u64, bool), Stop> {
    let (base, at, expected, value) = (c.obj(1), c.raw(2), C::norm(c.raw(4)), c.raw(4 + C::SLOTS));
    let held = C::load(c.vm, base, at)?;
    if held == expected {
        C::store(c.vm, base, at, value)?;
    }
    Ok((held, held == expected))
}

fn compare_and_set<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    exchange_if::<C>(c).map(|(_, stored)| u64::from(stored))
}

fn compare_and_exchange<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    exchange_if::<C>(c).map(|(held, _)| held)
}

#[inline(always)]
fn update<C: Cell>(c: &mut Ctx<'_>, f: fn(u64, u64) -> u64) -> Result<u64, Stop> {
    let (base, at, operand) = (c.obj(1), c.raw(2), C::norm(c.raw(4)));
    let held = C::load(c.vm, base, at)?;
    C::store(c.vm, base, at, f(held, operand))?;
    Ok(held)
}

fn get_and_set<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    update::<C>(c, |_, new| new)
}

fn get_and_add<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    update::<C>(c, C::add)
}

fn get_and_or<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    update::<C>(c, |a, b| a | b)
}

fn get_and_and<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    update::<C>(c, |a, b| a & b)
}

fn get_and_xor<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    update::<C>(c, |a, b| a ^ b)
}

/// Byte-swapped within the cell's width.
pub(super) trait Swap: Cell {
    fn swap(value: u64) -> u64;
}

impl Swap for Short {
    fn swap(value: u64) -> u64 {
        sign16(u64::from((value as u16).swap_bytes()))
    }
}

impl Swap for Char {
    fn swap(value: u64) -> u64 {
        u64::from((value as u16).swap_bytes())
    }
}

impl Swap for Int {
    fn swap(value: u64) -> u64 {
        u64::from((value as u32).swap_bytes())
    }
}

impl Swap for Long {
    fn swap(value: u64) -> u64 {
        value.swap_bytes()
    }
}

/// `getXUnaligned(base, offset, bigEndian)`.
fn get_unaligned<C: Swap>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let value = C::load(c.vm, c.obj(1), c.raw(2))?;
    Ok(if c.bool(4) { C::swap(value) } else { value })
}

/// `putXUnaligned(base, offset, x, bigEndian)`.
fn put_unaligned<C: Swap>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (base, at, value) = (c.obj(1), c.raw(2), c.raw(4));
    let value = if c.bool(4 + C::SLOTS) {
        C::swap(value)
    } else {
        value
    };
    C::store(c.vm, base, at, value).map(|()| 0)
}

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

/// Reads and writes: the first letter of each pair is how the JDK declares it.
macro_rules! access_rows {
    ($cell:ident, $t:literal, $d:literal) => {
        [
            native(
                UNSAFE,
                concat!("get", $t),
                concat!("(Ljava/lang/Object;J)", $d),
                get::<$cell>,
            )
            .leaf(),
            native(
                UNSAFE,
                concat!("get", $t, "Volatile"),
                concat!("(Ljava/lang/Object;J)", $d),
                get::<$cell>,
            )
            .leaf(),
            instead(
                UNSAFE,
                concat!("get", $t, "Acquire"),
                concat!("(Ljava/lang/Object;J)", $d),
                get::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!("get", $t, "Opaque"),
                concat!("(Ljava/lang/Object;J)", $d),
                get::<$cell>,
            ),
            native(
                UNSAFE,
                concat!("put", $t),
                concat!("(Ljava/lang/Object;J", $d, ")V"),
                put::<$cell>,
            )
            .leaf(),
            native(
                UNSAFE,
                concat!("put", $t, "Volatile"),
                concat!("(Ljava/lang/Object;J", $d, ")V"),
                put::<$cell>,
            )
            .leaf(),
            instead(
                UNSAFE,
                concat!("put", $t, "Release"),
                concat!("(Ljava/lang/Object;J", $d, ")V"),
                put::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!("put", $t, "Opaque"),
                concat!("(Ljava/lang/Object;J", $d, ")V"),
                put::<$cell>,
            ),
        ]
    };
}

macro_rules! raw_rows {
    ($cell:ident, $t:literal, $d:literal) => {
        [
            instead(UNSAFE, concat!("get", $t), concat!("(J)", $d), get_at::<$cell>),
            instead(
                UNSAFE,
                concat!("put", $t),
                concat!("(J", $d, ")V"),
                put_at::<$cell>,
            ),
        ]
    };
}

/// `$how` is `declared` for the kinds whose compare-and-set the JDK declares native.
macro_rules! cas_row {
    (declared, $name:expr, $desc:expr, $body:expr) => {
        native(UNSAFE, $name, $desc, $body).leaf()
    };
    (bodied, $name:expr, $desc:expr, $body:expr) => {
        instead(UNSAFE, $name, $desc, $body)
    };
}

macro_rules! cas_rows {
    ($cell:ident, $t:literal, $d:literal, $how:ident) => {
        [
            cas_row!(
                $how,
                concat!("compareAndSet", $t),
                concat!("(Ljava/lang/Object;J", $d, $d, ")Z"),
                compare_and_set::<$cell>
            ),
            cas_row!(
                $how,
                concat!("compareAndExchange", $t),
                concat!("(Ljava/lang/Object;J", $d, $d, ")", $d),
                compare_and_exchange::<$cell>
            ),
            cas_rows!(@set $cell, $t, $d, "weakCompareAndSet", ""),
            cas_rows!(@set $cell, $t, $d, "weakCompareAndSet", "Plain"),
            cas_rows!(@set $cell, $t, $d, "weakCompareAndSet", "Acquire"),
            cas_rows!(@set $cell, $t, $d, "weakCompareAndSet", "Release"),
            cas_rows!(@exchange $cell, $t, $d, "Acquire"),
            cas_rows!(@exchange $cell, $t, $d, "Release"),
            cas_rows!(@swap $cell, $t, $d, ""),
            cas_rows!(@swap $cell, $t, $d, "Acquire"),
            cas_rows!(@swap $cell, $t, $d, "Release"),
        ]
    };
    (@set $cell:ident, $t:literal, $d:literal, $name:literal, $form:literal) => {
        instead(
            UNSAFE,
            concat!($name, $t, $form),
            concat!("(Ljava/lang/Object;J", $d, $d, ")Z"),
            compare_and_set::<$cell>,
        )
    };
    (@exchange $cell:ident, $t:literal, $d:literal, $form:literal) => {
        instead(
            UNSAFE,
            concat!("compareAndExchange", $t, $form),
            concat!("(Ljava/lang/Object;J", $d, $d, ")", $d),
            compare_and_exchange::<$cell>,
        )
    };
    (@swap $cell:ident, $t:literal, $d:literal, $form:literal) => {
        instead(
            UNSAFE,
            concat!("getAndSet", $t, $form),
            concat!("(Ljava/lang/Object;J", $d, ")", $d),
            get_and_set::<$cell>,
        )
    };
}

/// One read-modify-write in its three strengths.
macro_rules! update_rows {
    ($cell:ident, $t:literal, $d:literal, $name:literal, $body:ident) => {
        [
            instead(
                UNSAFE,
                concat!($name, $t),
                concat!("(Ljava/lang/Object;J", $d, ")", $d),
                $body::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!($name, $t, "Acquire"),
                concat!("(Ljava/lang/Object;J", $d, ")", $d),
                $body::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!($name, $t, "Release"),
                concat!("(Ljava/lang/Object;J", $d, ")", $d),
                $body::<$cell>,
            ),
        ]
    };
}

macro_rules! unaligned_rows {
    ($cell:ident, $t:literal, $d:literal) => {
        [
            instead(
                UNSAFE,
                concat!("get", $t, "Unaligned"),
                concat!("(Ljava/lang/Object;J)", $d),
                get::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!("get", $t, "Unaligned"),
                concat!("(Ljava/lang/Object;JZ)", $d),
                get_unaligned::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!("put", $t, "Unaligned"),
                concat!("(Ljava/lang/Object;J", $d, ")V"),
                put::<$cell>,
            ),
            instead(
                UNSAFE,
                concat!("put", $t, "Unaligned"),
                concat!("(Ljava/lang/Object;J", $d, "Z)V"),
                put_unaligned::<$cell>,
            ),
        ]
    };
}

const ACCESS: [[Native; 8]; 9] = [
    access_rows!(Bool, "Boolean", "Z"),
    access_rows!(Byte, "Byte", "B"),
    access_rows!(Short, "Short", "S"),
    access_rows!(Char, "Char", "C"),
    access_rows!(Int, "Int", "I"),
    access_rows!(Long, "Long", "J"),
    access_rows!(Float, "Float", "F"),
    access_rows!(Double, "Double", "D"),
    access_rows!(Ref, "Reference", "Ljava/lang/Object;"),
];

const RAW: [[Native; 2]; 8] = [
    raw_rows!(Byte, "Byte", "B"),
    raw_rows!(Short, "Short", "S"),
    raw_rows!(Char, "Char", "C"),
    raw_rows!(Int, "Int", "I"),
    raw_rows!(Long, "Long", "J"),
    raw_rows!(Float, "Float", "F"),
    raw_rows!(Double, "Double", "D"),
    raw_rows!(Long, "Address", "J"),
];

const CAS: [[Native; 11]; 9] = [
    cas_rows!(Bool, "Boolean", "Z", bodied),
    cas_rows!(Byte, "Byte", "B", bodied),
    cas_rows!(Short, "Short", "S", bodied),
    cas_rows!(Char, "Char", "C", bodied),
    cas_rows!(Int, "Int", "I", declared),
    cas_rows!(Long, "Long", "J", declared),
    cas_rows!(Float, "Float", "F", bodied),
    cas_rows!(Double, "Double", "D", bodied),
    cas_rows!(Ref, "Reference", "Ljava/lang/Object;", declared),
];

const ADD: [[Native; 3]; 7] = [
    update_rows!(Byte, "Byte", "B", "getAndAdd", get_and_add),
    update_rows!(Short, "Short", "S", "getAndAdd", get_and_add),
    update_rows!(Char, "Char", "C", "getAndAdd", get_and_add),
    update_rows!(Int, "Int", "I", "getAndAdd", get_and_add),
    update_rows!(Long, "Long", "J", "getAndAdd", get_and_add),
    update_rows!(Float, "Float", "F", "getAndAdd", get_and_add),
    update_rows!(Double, "Double", "D", "getAndAdd", get_and_add),
];

const BITS: [[Native; 3]; 18] = [
    update_rows!(Bool, "Boolean", "Z", "getAndBitwiseOr", get_and_or),
    update_rows!(Bool, "Boolean", "Z", "getAndBitwiseAnd", get_and_and),
    update_rows!(Bool, "Boolean", "Z", "getAndBitwiseXor", get_and_xor),
    update_rows!(Byte, "Byte", "B", "getAndBitwiseOr", get_and_or),
    update_rows!(Byte, "Byte", "B", "getAndBitwiseAnd", get_and_and),
    update_rows!(Byte, "Byte", "B", "getAndBitwiseXor", get_and_xor),
    update_rows!(Short, "Short", "S", "getAndBitwiseOr", get_and_or),
    update_rows!(Short, "Short", "S", "getAndBitwiseAnd", get_and_and),
    update_rows!(Short, "Short", "S", "getAndBitwiseXor", get_and_xor),
    update_rows!(Char, "Char", "C", "getAndBitwiseOr", get_and_or),
    update_rows!(Char, "Char", "C", "getAndBitwiseAnd", get_and_and),
    update_rows!(Char, "Char", "C", "getAndBitwiseXor", get_and_xor),
    update_rows!(Int, "Int", "I", "getAndBitwiseOr", get_and_or),
    update_rows!(Int, "Int", "I", "getAndBitwiseAnd", get_and_and),
    update_rows!(Int, "Int", "I", "getAndBitwiseXor", get_and_xor),
    update_rows!(Long, "Long", "J", "getAndBitwiseOr", get_and_or),
    update_rows!(Long, "Long", "J", "getAndBitwiseAnd", get_and_and),
    update_rows!(Long, "Long", "J", "getAndBitwiseXor", get_and_xor),
];

const UNALIGNED: [[Native; 4]; 4] = [
    unaligned_rows!(Short, "Short", "S"),
    unaligned_rows!(Char, "Char", "C"),
    unaligned_rows!(Int, "Int", "I"),
    unaligned_rows!(Long, "Long", "J"),
];

/// The rows of this file, one table per group.
pub const TABLES: [&[Native]; 6] = [
    ACCESS.as_flattened(),
    RAW.as_flattened(),
    CAS.as_flattened(),
    ADD.as_flattened(),
    BITS.as_flattened(),
    UNALIGNED.as_flattened(),
];
