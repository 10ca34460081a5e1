//! Compression streams of the real zlib: what programs get must be its bytes exactly.
#![expect(unsafe_code, reason = "zlib is a C library")]

use libz_sys as z;
use std::ffi::CStr;
use std::mem::MaybeUninit;

/// How a call on a stream ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Went on as far as it could.
    Ok,
    End,
    NeedDictionary,
    /// No progress was possible.
    BufferError,
    /// The input is damaged; zlib's word for it.
    DataError(Option<String>),
    OutOfMemory,
    Failed(Option<String>),
}

/// What one call consumed and produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub outcome: Outcome,
    pub read: usize,
    pub written: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Inflate,
    Deflate,
}

struct Stream {
    // Boxed: zlib keeps pointers to the structure itself.
    raw: Box<z::z_stream>,
    direction: Direction,
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream was initialised for this direction and is ended once.
        unsafe {
            match self.direction {
                Direction::Inflate => z::inflateEnd(&raw mut *self.raw),
                Direction::Deflate => z::deflateEnd(&raw mut *self.raw),
            };
        }
    }
}

/// All open streams, by handle.
#[derive(Default)]
pub struct Zlib {
    streams: Vec<Option<Stream>>,
}

fn blank() -> Box<z::z_stream> {
    // SAFETY: zlib asks for a structure of null pointers and zeroes; null function pointers mean its own allocator.
    // The type forbids null ones in Rust, so they are filled in before anything can look.
    let mut raw = Box::new(MaybeUninit::<z::z_stream>::zeroed());
    // SAFETY: the two function pointers get values; every other field may be zero.
    unsafe {
        let fields = raw.as_mut_ptr();
        (&raw mut (*fields).zalloc).write(allocate);
        (&raw mut (*fields).zfree).write(release);
        std::mem::transmute::<Box<MaybeUninit<z::z_stream>>, Box<z::z_stream>>(raw)
    }
}

extern "C" fn allocate(_: z::voidpf, items: z::uInt, size: z::uInt) -> z::voidpf {
    // SAFETY: calloc checks the product and returns null when there is no memory, as zlib expects.
    unsafe { libc::calloc(items as usize, size as usize) }
}

extern "C" fn release(_: z::voidpf, address: z::voidpf) {
    // SAFETY: zlib gives back what `allocate` handed out, once.
    unsafe { libc::free(address) }
}

impl Zlib {
    fn insert(&mut self, stream: Stream) -> u64 {
        let slot = self.streams.iter().position(Option::is_none).unwrap_or_else(|| {
            self.streams.push(None);
            self.streams.len() - 1
        });
        self.streams[slot] = Some(stream);
        slot as u64 + 1
    }

    fn get(&mut self, handle: u64) -> Option<&mut Stream> {
        self.streams.get_mut((handle as usize).wrapping_sub(1))?.as_mut()
    }

    /// A decompression stream; raw ones have no header and checksum.
    pub fn inflater(&mut self, raw_format: bool) -> Option<u64> {
        let mut raw = blank();
        // SAFETY: a blank stream, and the version and size of the structure we were built with.
        let result = unsafe {
            z::inflateInit2_(
                &raw mut *raw,
                window(raw_format),
                z::zlibVersion(),
                size_of::<z::z_stream>() as i32,
            )
        };
        (result == z::Z_OK).then(|| {
            self.insert(Stream {
                raw,
                direction: Direction::Inflate,
            })
        })
    }

    pub fn deflater(&mut self, level: i32, strategy: i32, raw_format: bool) -> Option<u64> {
        let mut raw = blank();
        // SAFETY: as for `inflater`.
        let result = unsafe {
            z::deflateInit2_(
                &raw mut *raw,
                level,
                z::Z_DEFLATED,
                window(raw_format),
                8,
                strategy,
                z::zlibVersion(),
                size_of::<z::z_stream>() as i32,
            )
        };
        (result == z::Z_OK).then(|| {
            self.insert(Stream {
                raw,
                direction: Direction::Deflate,
            })
        })
    }

    fn run(
        &mut self,
        handle: u64,
        input: &[u8],
        output: &mut [u8],
        call: impl FnOnce(&mut Stream) -> i32,
    ) -> Progress {
        let Some(stream) = self.get(handle) else {
            return Progress {
                outcome: Outcome::Failed(None),
                read: 0,
                written: 0,
            };
        };
        stream.raw.next_in = input.as_ptr().cast_mut();
        stream.raw.avail_in = input.len() as z::uInt;
        stream.raw.next_out = output.as_mut_ptr();
        stream.raw.avail_out = output.len() as z::uInt;
        let result = call(stream);
        let read = input.len() - stream.raw.avail_in as usize;
        let written = output.len() - stream.raw.avail_out as usize;
        let outcome = match result {
            z::Z_OK => Outcome::Ok,
            z::Z_STREAM_END => Outcome::End,
            z::Z_NEED_DICT => Outcome::NeedDictionary,
            z::Z_BUF_ERROR => Outcome::BufferError,
            z::Z_DATA_ERROR => Outcome::DataError(message(&stream.raw)),
            z::Z_MEM_ERROR => Outcome::OutOfMemory,
            _ => Outcome::Failed(message(&stream.raw)),
        };
        // Nothing may be touched after the slices are gone.
        stream.raw.next_in = std::ptr::null_mut();
        stream.raw.next_out = std::ptr::null_mut();
        stream.raw.avail_in = 0;
        stream.raw.avail_out = 0;
        Progress {
            outcome,
            read,
            written,
        }
    }

    pub fn inflate(&mut self, handle: u64, input: &[u8], output: &mut [u8]) -> Progress {
        self.run(handle, input, output, |stream| match stream.direction {
            // SAFETY: an initialised stream whose buffers `run` has just set.
            Direction::Inflate => unsafe { z::inflate(&raw mut *stream.raw, z::Z_SYNC_FLUSH) },
            Direction::Deflate => z::Z_STREAM_ERROR,
        })
    }

    pub fn deflate(&mut self, handle: u64, input: &[u8], output: &mut [u8], flush: i32) -> Progress {
        self.run(handle, input, output, |stream| match stream.direction {
            // SAFETY: an initialised stream whose buffers `run` has just set.
            Direction::Deflate => unsafe { z::deflate(&raw mut *stream.raw, flush) },
            Direction::Inflate => z::Z_STREAM_ERROR,
        })
    }

    /// Changes level and strategy, compressing what is there with the old ones first.
    pub fn set_params(
        &mut self,
        handle: u64,
        input: &[u8],
        output: &mut [u8],
        level: i32,
        strategy: i32,
    ) -> Progress {
        self.run(handle, input, output, |stream| match stream.direction {
            // SAFETY: an initialised stream whose buffers `run` has just set.
            Direction::Deflate => unsafe { z::deflateParams(&raw mut *stream.raw, level, strategy) },
            Direction::Inflate => z::Z_STREAM_ERROR,
        })
    }

    pub fn set_dictionary(&mut self, handle: u64, dictionary: &[u8]) -> Outcome {
        let (bytes, len) = (dictionary.as_ptr(), dictionary.len() as z::uInt);
        self.run(handle, &[], &mut [], |stream| {
            let raw = &raw mut *stream.raw;
            // SAFETY: an initialised stream; zlib reads `len` bytes and keeps no pointer.
            unsafe {
                match stream.direction {
                    Direction::Inflate => z::inflateSetDictionary(raw, bytes, len),
                    Direction::Deflate => z::deflateSetDictionary(raw, bytes, len),
                }
            }
        })
        .outcome
    }

    /// The checksum of the data so far, or the id of the dictionary needed.
    pub fn checksum(&mut self, handle: u64) -> u32 {
        self.get(handle).map_or(0, |s| s.raw.adler as u32)
    }

    pub fn reset(&mut self, handle: u64) -> bool {
        self.get(handle).is_some_and(|stream| {
            let raw = &raw mut *stream.raw;
            // SAFETY: an initialised stream.
            let result = unsafe {
                match stream.direction {
                    Direction::Inflate => z::inflateReset(raw),
                    Direction::Deflate => z::deflateReset(raw),
                }
            };
            result == z::Z_OK
        })
    }

    pub fn end(&mut self, handle: u64) {
        if let Some(slot) = self.streams.get_mut((handle as usize).wrapping_sub(1)) {
            *slot = None;
        }
    }
}

fn window(raw_format: bool) -> i32 {
    if raw_format { -15 } else { 15 }
}

fn message(raw: &z::z_stream) -> Option<String> {
    if raw.msg.is_null() {
        return None;
    }
    // SAFETY: zlib's messages are terminated strings that live as long as the library.
    Some(unsafe { CStr::from_ptr(raw.msg) }.to_string_lossy().into_owned())
}

pub fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    // Lengths beyond 32 bits do not fit zlib's type.
    bytes.chunks(1 << 30).fold(crc, |crc, chunk| {
        // SAFETY: zlib reads `len` bytes of the slice.
        unsafe { z::crc32(z::uLong::from(crc), chunk.as_ptr(), chunk.len() as z::uInt) as u32 }
    })
}

pub fn adler32(adler: u32, bytes: &[u8]) -> u32 {
    bytes.chunks(1 << 30).fold(adler, |adler, chunk| {
        // SAFETY: zlib reads `len` bytes of the slice.
        unsafe { z::adler32(z::uLong::from(adler), chunk.as_ptr(), chunk.len() as z::uInt) as u32 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut zlib = Zlib::default();
        let text = b"the quick brown fox ".repeat(50);
        let mut packed = vec![0; 2000];
        let deflater = zlib.deflater(-1, 0, false).unwrap();
        let done = zlib.deflate(deflater, &text, &mut packed, 4);
        assert_eq!((done.outcome, done.read), (Outcome::End, text.len()));
        assert_eq!(&packed[..2], &[0x78, 0x9c]);
        assert_eq!(zlib.checksum(deflater), adler32(1, &text));
        zlib.end(deflater);
        let mut plain = vec![0; 2000];
        let inflater = zlib.inflater(false).unwrap();
        assert_eq!(inflater, deflater);
        let back = zlib.inflate(inflater, &packed[..done.written], &mut plain);
        assert_eq!(
            (back.outcome, &plain[..back.written]),
            (Outcome::End, text.as_slice())
        );
    }

    #[test]
    fn damage_is_told_in_zlibs_words() {
        let mut zlib = Zlib::default();
        let inflater = zlib.inflater(false).unwrap();
        let done = zlib.inflate(inflater, b"no zlib data", &mut [0; 10]);
        assert_eq!(
            done.outcome,
            Outcome::DataError(Some("incorrect header check".to_owned()))
        );
    }

    #[test]
    fn checksums() {
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(1, b"Wikipedia"), 0x11e6_0398);
    }
}
