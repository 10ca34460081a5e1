//! Natives of java.util.zip, over the real zlib.

use poldet_vm::host::zlib::{Outcome, Progress, adler32, crc32};
use poldet_vm::natives::ctx::{Ctx, int, long};
use poldet_vm::natives::outside::{nothing, stray};
use poldet_vm::natives::table::{Native, native};
use poldet_vm::stop::Stop;

const INF: &str = "java/util/zip/Inflater";
const DEF: &str = "java/util/zip/Deflater";
const CRC: &str = "java/util/zip/CRC32";
const ADLER: &str = "java/util/zip/Adler32";

pub const TABLE: &[Native] = &[
    native(CRC, "update", "(II)I", |c| {
        Ok(int(crc32(c.int(0) as u32, &[c.int(1) as u8]) as i32))
    })
    .leaf(),
    native(CRC, "updateBytes0", "(I[BII)I", |c| sum_array(c, crc32)).leaf(),
    native(CRC, "updateByteBuffer0", "(IJII)I", |c| sum_memory(c, crc32)).leaf(),
    native(ADLER, "update", "(II)I", |c| {
        Ok(int(adler32(c.int(0) as u32, &[c.int(1) as u8]) as i32))
    })
    .leaf(),
    native(ADLER, "updateBytes", "(I[BII)I", |c| sum_array(c, adler32)).leaf(),
    native(ADLER, "updateByteBuffer", "(IJII)I", |c| sum_memory(c, adler32)).leaf(),
    native(INF, "initIDs", "()V", nothing),
    native(INF, "init", "(Z)J", inflater),
    native(INF, "setDictionary", "(J[BII)V", |c| dictionary_array(c, INF)),
    native(INF, "setDictionaryBuffer", "(JJI)V", |c| {
        dictionary_memory(c, INF)
    }),
    native(INF, "inflateBytesBytes", "(J[BII[BII)J", |c| {
        inflate(c, Place::Array(3, 4, 5), Place::Array(6, 7, 8))
    }),
    native(INF, "inflateBytesBuffer", "(J[BIIJI)J", |c| {
        inflate(c, Place::Array(3, 4, 5), Place::Memory(6, 8))
    }),
    native(INF, "inflateBufferBytes", "(JJI[BII)J", |c| {
        inflate(c, Place::Memory(3, 5), Place::Array(6, 7, 8))
    }),
    native(INF, "inflateBufferBuffer", "(JJIJI)J", |c| {
        inflate(c, Place::Memory(3, 5), Place::Memory(6, 8))
    }),
    native(INF, "getAdler", "(J)I", checksum),
    native(INF, "reset", "(J)V", reset),
    native(INF, "end", "(J)V", end),
    native(DEF, "init", "(IIZ)J", deflater),
    native(DEF, "setDictionary", "(J[BII)V", |c| dictionary_array(c, DEF)),
    native(DEF, "setDictionaryBuffer", "(JJI)V", |c| {
        dictionary_memory(c, DEF)
    }),
    native(DEF, "deflateBytesBytes", "(J[BII[BIIII)J", |c| {
        deflate(c, Place::Array(3, 4, 5), Place::Array(6, 7, 8), 9)
    }),
    native(DEF, "deflateBytesBuffer", "(J[BIIJIII)J", |c| {
        deflate(c, Place::Array(3, 4, 5), Place::Memory(6, 8), 9)
    }),
    native(DEF, "deflateBufferBytes", "(JJI[BIIII)J", |c| {
        deflate(c, Place::Memory(3, 5), Place::Array(6, 7, 8), 9)
    }),
    native(DEF, "deflateBufferBuffer", "(JJIJIII)J", |c| {
        deflate(c, Place::Memory(3, 5), Place::Memory(6, 8), 9)
    }),
    native(DEF, "getAdler", "(J)I", checksum),
    native(DEF, "reset", "(J)V", reset),
    native(DEF, "end", "(J)V", end),
];

/// The slots that say where input or output lies: array, offset, length, or address, length.
#[derive(Clone, Copy)]
enum Place {
    Array(usize, usize, usize),
    Memory(usize, usize),
}

impl Place {
    fn len(self, c: &Ctx<'_>) -> usize {
        match self {
            Place::Array(_, _, len) | Place::Memory(_, len) => c.int(len).max(0) as usize,
        }
    }

    fn bytes<'a>(self, c: &'a Ctx<'_>) -> Result<&'a [u8], Stop> {
        match self {
            Place::Array(array, off, len) => {
                let (off, len) = (c.int(off) as usize, c.int(len).max(0) as usize);
                c.vm.heap
                    .load_bytes(c.obj(array))
                    .get(off..off + len)
                    .ok_or_else(|| Stop::bug("zip native outside its array"))
            }
            Place::Memory(address, len) => c.native_bytes(c.long(address), i64::from(c.int(len))),
        }
    }

    fn store(self, c: &mut Ctx<'_>, bytes: &[u8]) -> Result<(), Stop> {
        match self {
            Place::Array(array, off, _) => {
                let off = c.int(off) as usize;
                c.vm.heap.bytes_mut(c.obj(array))[off..off + bytes.len()].copy_from_slice(bytes);
            }
            Place::Memory(address, _) => {
                c.native_bytes_mut(c.long(address), bytes.len() as i64)?
                    .copy_from_slice(bytes);
            }
        }
        Ok(())
    }
}

fn sum_array(c: &mut Ctx<'_>, sum: fn(u32, &[u8]) -> u32) -> Result<u64, Stop> {
    let (start, array) = (c.int(0) as u32, c.non_null(1)?);
    let (off, len) = (c.int(2) as usize, c.int(3).max(0) as usize);
    let bytes =
        c.vm.heap
            .load_bytes(array)
            .get(off..off + len)
            .unwrap_or_default();
    Ok(int(sum(start, bytes) as i32))
}

fn sum_memory(c: &mut Ctx<'_>, sum: fn(u32, &[u8]) -> u32) -> Result<u64, Stop> {
    let (start, address) = (c.int(0) as u32, c.long(1) + i64::from(c.int(3)));
    Ok(int(
        sum(start, c.native_bytes(address, i64::from(c.int(4)))?) as i32
    ))
}

fn out_of_memory(c: &mut Ctx<'_>) -> Stop {
    c.vm.throw("java/lang/OutOfMemoryError", None)
}

fn inflater(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    // Needed when it is too late to run the native again.
    for name in [
        "java/util/zip/DataFormatException",
        "java/lang/IllegalArgumentException",
    ] {
        let class = c.vm.boot_class(name)?;
        c.vm.ensure_initialized(class)?;
    }
    match c.vm.host.zlib.inflater(c.bool(0)) {
        Some(handle) => Ok(long(handle as i64)),
        None => Err(out_of_memory(c)),
    }
}

fn deflater(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    match c.vm.host.zlib.deflater(c.int(0), c.int(1), c.bool(2)) {
        Some(handle) => Ok(long(handle as i64)),
        None => Err(out_of_memory(c)),
    }
}

/// Runs a call over input and output, wherever they lie, and stores what it wrote.
fn run(
    c: &mut Ctx<'_>,
    input: Place,
    output: Place,
    call: impl FnOnce(&mut poldet_vm::host::zlib::Zlib, &[u8], &mut [u8]) -> Progress,
) -> Result<Progress, Stop> {
    let mut out = vec![0; output.len(c)];
    let mut zlib = std::mem::take(&mut c.vm.host.zlib);
    let result = input.bytes(c).map(|bytes| call(&mut zlib, bytes, &mut out));
    c.vm.host.zlib = zlib;
    let progress = result?;
    output.store(c, &out[..progress.written])?;
    Ok(progress)
}

fn packed(progress: &Progress, bit62: bool, bit63: bool) -> u64 {
    progress.read as u64 | (progress.written as u64) << 31 | u64::from(bit62) << 62 | u64::from(bit63) << 63
}

fn inflate(c: &mut Ctx<'_>, input: Place, output: Place) -> Result<u64, Stop> {
    let handle = c.long(1) as u64;
    let progress = run(c, input, output, |zlib, from, to| zlib.inflate(handle, from, to))?;
    match &progress.outcome {
        Outcome::Ok => Ok(packed(&progress, false, false)),
        Outcome::End => Ok(packed(&progress, true, false)),
        Outcome::NeedDictionary => Ok(packed(&progress, false, true)),
        Outcome::BufferError => Ok(0),
        Outcome::DataError(message) => {
            let this = c.obj(0);
            c.vm.set_int_field(this, INF, "inputConsumed", progress.read as i32);
            c.vm.set_int_field(this, INF, "outputConsumed", progress.written as i32);
            Err(c
                .vm
                .throw("java/util/zip/DataFormatException", message.as_deref()))
        }
        Outcome::OutOfMemory => Err(out_of_memory(c)),
        Outcome::Failed(message) => Err(c.vm.throw("java/lang/InternalError", message.as_deref())),
    }
}

fn deflate(c: &mut Ctx<'_>, input: Place, output: Place, flush: usize) -> Result<u64, Stop> {
    let handle = c.long(1) as u64;
    let (flush, params) = (c.int(flush), c.int(flush + 1));
    let change = params & 1 != 0;
    let progress = run(c, input, output, |zlib, from, to| {
        if change {
            zlib.set_params(handle, from, to, params >> 3, params >> 1 & 3)
        } else {
            zlib.deflate(handle, from, to, flush)
        }
    })?;
    match &progress.outcome {
        Outcome::Ok => Ok(packed(&progress, false, false)),
        // The change of parameters waits for room in the output.
        Outcome::BufferError if change => Ok(packed(&progress, false, true)),
        Outcome::BufferError => Ok(0),
        Outcome::End if !change => Ok(packed(&progress, true, false)),
        Outcome::Failed(message) | Outcome::DataError(message) => {
            Err(c.vm.throw("java/lang/InternalError", message.as_deref()))
        }
        _ => Err(c.vm.throw("java/lang/InternalError", None)),
    }
}

fn set_dictionary(c: &mut Ctx<'_>, handle: u64, bytes: &[u8], class: &'static str) -> Result<u64, Stop> {
    match c.vm.host.zlib.set_dictionary(handle, bytes) {
        Outcome::Ok => Ok(0),
        Outcome::DataError(message) | Outcome::Failed(message) => {
            let message = if class == INF { message } else { None };
            Err(c
                .vm
                .throw("java/lang/IllegalArgumentException", message.as_deref()))
        }
        other => Err(Stop::bug(format!("zlib dictionary: {other:?}"))),
    }
}

fn dictionary_array(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let bytes = Place::Array(2, 3, 4).bytes(c)?.to_vec();
    set_dictionary(c, c.long(0) as u64, &bytes, class)
}

fn dictionary_memory(c: &mut Ctx<'_>, class: &'static str) -> Result<u64, Stop> {
    let (address, len) = (c.long(2), i64::from(c.int(4)));
    let bytes = c.vm.host.memory.bytes(address as u64, len.max(0) as u64);
    let bytes = bytes.ok_or_else(|| stray(address, len))?.to_vec();
    set_dictionary(c, c.long(0) as u64, &bytes, class)
}

fn checksum(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(c.vm.host.zlib.checksum(c.long(0) as u64) as i32))
}

fn reset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if c.vm.host.zlib.reset(c.long(0) as u64) {
        Ok(0)
    } else {
        Err(c.vm.throw("java/lang/InternalError", None))
    }
}

fn end(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    c.vm.host.zlib.end(c.long(0) as u64);
    Ok(0)
}
