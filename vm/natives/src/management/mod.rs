//! Natives of java.management and jdk.management: what the platform beans say of this VM.
//!
//! One collector, one heap pool and one pool for everything else are shown; names are HotSpot's, so that programs
//! that look for them find them. Figures of the machine are fixed: a report must not depend on where it was made.

pub mod memory;
pub mod runtime;
pub mod threads;

use poldet_vm::natives::Ctx;
use poldet_vm::natives::ctx::boolean;
use poldet_vm::stop::Stop;

fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

fn no(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(false))
}

fn yes(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(true))
}
