//! jdk.internal.misc.ScopedMemoryAccess: what every access to a ByteBuffer goes through, without the wrappers.

use super::cells::{Byte, Cell, Char, Double, Float, Int, Long, Short, Swap};
use crate::java_lang::decline;
use crate::{Ctx, Native, instead};
use poldet_vm::stop::Stop;

/// Memory of a scope may have been freed: only accesses without one are taken here.
fn no_scope(c: &Ctx<'_>) -> Result<(), Stop> {
    if c.obj(1).is_null() {
        Ok(())
    } else {
        Err(decline())
    }
}

// Slots of a scoped access: this 0, scope 1, base 2, offset 3 and 4, first value from 5.

fn scoped_get<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    no_scope(c)?;
    C::load(c.vm, c.obj(2), c.raw(3))
}

fn scoped_put<C: Cell>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    no_scope(c)?;
    let (base, at, value) = (c.obj(2), c.raw(3), c.raw(5));
    C::store(c.vm, base, at, value).map(|()| 0)
}

fn scoped_get_unaligned<C: Swap>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    no_scope(c)?;
    let value = C::load(c.vm, c.obj(2), c.raw(3))?;
    Ok(if c.bool(5) { C::swap(value) } else { value })
}

fn scoped_put_unaligned<C: Swap>(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    no_scope(c)?;
    let (base, at, value) = (c.obj(2), c.raw(3), c.raw(5));
    let value = if c.bool(5 + C::SLOTS) {
        C::swap(value)
    } else {
        value
    };
    C::store(c.vm, base, at, value).map(|()| 0)
}

const SCOPED: &str = "jdk/internal/misc/ScopedMemoryAccess";

/// The scope's class has another name in newer releases.
macro_rules! scoped_rows {
    ($cell:ident, $t:literal, $d:literal) => {
        [
            scoped_rows!(@get $cell, $t, $d, "Ljdk/internal/misc/ScopedMemoryAccess$Scope;"),
            scoped_rows!(@put $cell, $t, $d, "Ljdk/internal/misc/ScopedMemoryAccess$Scope;"),
            scoped_rows!(@get $cell, $t, $d, "Ljdk/internal/foreign/MemorySessionImpl;"),
            scoped_rows!(@put $cell, $t, $d, "Ljdk/internal/foreign/MemorySessionImpl;"),
        ]
    };
    (@get $cell:ident, $t:literal, $d:literal, $scope:literal) => {
        instead(
            SCOPED,
            concat!("get", $t),
            concat!("(", $scope, "Ljava/lang/Object;J)", $d),
            scoped_get::<$cell>,
        )
    };
    (@put $cell:ident, $t:literal, $d:literal, $scope:literal) => {
        instead(
            SCOPED,
            concat!("put", $t),
            concat!("(", $scope, "Ljava/lang/Object;J", $d, ")V"),
            scoped_put::<$cell>,
        )
    };
}

macro_rules! scoped_unaligned_rows {
    ($cell:ident, $t:literal, $d:literal) => {
        [
            scoped_unaligned_rows!(@get $cell, $t, $d, "Ljdk/internal/misc/ScopedMemoryAccess$Scope;"),
            scoped_unaligned_rows!(@put $cell, $t, $d, "Ljdk/internal/misc/ScopedMemoryAccess$Scope;"),
            scoped_unaligned_rows!(@get $cell, $t, $d, "Ljdk/internal/foreign/MemorySessionImpl;"),
            scoped_unaligned_rows!(@put $cell, $t, $d, "Ljdk/internal/foreign/MemorySessionImpl;"),
        ]
    };
    (@get $cell:ident, $t:literal, $d:literal, $scope:literal) => {
        instead(
            SCOPED,
            concat!("get", $t, "Unaligned"),
            concat!("(", $scope, "Ljava/lang/Object;JZ)", $d),
            scoped_get_unaligned::<$cell>,
        )
    };
    (@put $cell:ident, $t:literal, $d:literal, $scope:literal) => {
        instead(
            SCOPED,
            concat!("put", $t, "Unaligned"),
            concat!("(", $scope, "Ljava/lang/Object;J", $d, "Z)V"),
            scoped_put_unaligned::<$cell>,
        )
    };
}

const ROWS: [[Native; 4]; 11] = [
    scoped_rows!(Byte, "Byte", "B"),
    scoped_rows!(Short, "Short", "S"),
    scoped_rows!(Char, "Char", "C"),
    scoped_rows!(Int, "Int", "I"),
    scoped_rows!(Long, "Long", "J"),
    scoped_rows!(Float, "Float", "F"),
    scoped_rows!(Double, "Double", "D"),
    scoped_unaligned_rows!(Short, "Short", "S"),
    scoped_unaligned_rows!(Char, "Char", "C"),
    scoped_unaligned_rows!(Int, "Int", "I"),
    scoped_unaligned_rows!(Long, "Long", "J"),
];

pub const TABLE: &[Native] = ROWS.as_flattened();
