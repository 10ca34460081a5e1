//! What a native method is: a row beside a body that gets a context. The bodies are in `poldet-natives`.

pub mod ctx;
pub mod outside;
pub mod table;

pub use ctx::Ctx;
pub use table::{How, Intrinsic, Native, NativeFn, Tables, instead, native};

use crate::stop::Stop;

/// A native with nothing to do.
pub fn nothing(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(0)
}

/// What a stand-in answers when it leaves a case to the Java body it stands in for. The loop runs that body after any
/// error of a leaf; this one costs nothing.
pub fn decline() -> Stop {
    Stop::OutOfMemory { bytes: 0 }
}
