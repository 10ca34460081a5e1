//! java.lang.System, Runtime and Shutdown, and the bit casts of Float and Double.

use crate::{Native, native};
use poldet_vm::natives::ctx::{Ctx, boolean, int, long};
use poldet_vm::stop::Stop;
use poldet_vm::throws::Question;

const SYSTEM: &str = "java/lang/System";
const RUNTIME: &str = "java/lang/Runtime";

pub const TABLE: &[Native] = &[
    native(SYSTEM, "registerNatives", "()V", super::nothing).leaf(),
    native(SYSTEM, "nanoTime", "()J", nano_time).leaf(),
    native(SYSTEM, "currentTimeMillis", "()J", current_time_millis).leaf(),
    native(
        SYSTEM,
        "mapLibraryName",
        "(Ljava/lang/String;)Ljava/lang/String;",
        map_library_name,
    ),
    native(SYSTEM, "setIn0", "(Ljava/io/InputStream;)V", set_in),
    native(SYSTEM, "setOut0", "(Ljava/io/PrintStream;)V", set_out),
    native(SYSTEM, "setErr0", "(Ljava/io/PrintStream;)V", set_err),
    native(RUNTIME, "availableProcessors", "()I", available_processors).leaf(),
    native(RUNTIME, "freeMemory", "()J", free_memory).leaf(),
    native(RUNTIME, "totalMemory", "()J", total_memory).leaf(),
    native(RUNTIME, "maxMemory", "()J", max_memory).leaf(),
    native(RUNTIME, "gc", "()V", gc),
    native("java/lang/Shutdown", "beforeHalt", "()V", super::nothing).leaf(),
    native("java/lang/Shutdown", "halt0", "(I)V", halt),
    native("java/lang/Float", "floatToRawIntBits", "(F)I", same_bits).leaf(),
    native("java/lang/Float", "intBitsToFloat", "(I)F", same_bits).leaf(),
    native("java/lang/Double", "doubleToRawLongBits", "(D)J", same_bits).leaf(),
    native("java/lang/Double", "longBitsToDouble", "(J)D", same_bits).leaf(),
    native("java/lang/String", "intern", "()Ljava/lang/String;", intern),
    native("java/lang/StringUTF16", "isBigEndian", "()Z", is_big_endian).leaf(),
];

fn nano_time(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.uses.clock += 1;
    Ok(c.vm.host.clock.read())
}

fn current_time_millis(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.uses.clock += 1;
    c.vm.host.clock.read();
    if c.vm.throws().is_some() {
        c.vm.note_question(Question::Clock);
    }
    Ok(long(c.vm.now_millis()))
}

fn map_library_name(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let name = c.non_null(0)?;
    let mut units: Vec<u16> = "lib".encode_utf16().collect();
    units.extend(c.vm.load_utf16(name));
    if units.len() > 243 {
        return Err(c
            .vm
            .throw("java/lang/IllegalArgumentException", Some("name too long")));
    }
    units.extend(".so".encode_utf16());
    Ok(c.vm.new_string_utf16(&units)?.bits())
}

fn set_in(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    set_stream(c, "in")
}

fn set_out(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    set_stream(c, "out")
}

fn set_err(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    set_stream(c, "err")
}

fn set_stream(c: &mut Ctx<'_>, field: &'static str) -> Result<u64, Stop> {
    let stream = c.obj(0);
    c.vm.set_static_ref(SYSTEM, field, stream);
    Ok(0)
}

/// Two: enough for parallel code to take its parallel path, few enough to keep pools small.
fn available_processors(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(2))
}

fn free_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.heap.committed().saturating_sub(c.vm.heap.used_bytes()))
}

fn total_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.heap.committed())
}

fn max_memory(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.heap.max_bytes())
}

fn gc(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.request_gc();
    Ok(0)
}

fn halt(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(Stop::Exit(c.int(0)))
}

/// Registers hold the bits of floats and doubles already.
fn same_bits(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.raw(0))
}

fn intern(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let string = c.obj(0);
    Ok(c.vm.intern(string)?.bits())
}

fn is_big_endian(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(boolean(false))
}
