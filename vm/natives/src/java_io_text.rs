//! Stand-ins for the two methods through which nearly all text is read: BufferedReader's `read()` and `readLine`, as
//! long as the buffer holds what they need. Everything else is left to their Java bodies.

use crate::java_lang::decline;
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::table::{Native, instead};
use poldet_vm::stop::Stop;

const READER: &str = "java/io/BufferedReader";

pub const TABLE: &[Native] = &[
    instead(READER, "read", "()I", |c| with_lock(c, read)),
    instead(READER, "implRead", "()I", read),
    instead(READER, "readLine", "(Z[Z)Ljava/lang/String;", |c| {
        with_lock(c, read_line)
    }),
    instead(READER, "implReadLine", "(Z[Z)Ljava/lang/String;", read_line),
];

/// The forms that lock the reader themselves. Nothing else runs meanwhile, so it is enough that nobody else holds it.
fn with_lock(c: &mut Ctx<'_>, f: fn(&mut Ctx<'_>) -> Result<u64, Stop>) -> Result<u64, Stop> {
    // Later releases use another kind of lock, outside of the `impl` methods.
    if c.vm.release().readers_have_locks() {
        return Err(decline());
    }
    let lock = c.vm.load_ref_field(c.obj(0), "java/io/Reader", "lock");
    let free = c.vm.lock_owner(lock).is_none() || c.vm.holds_lock(lock);
    if free { f(c) } else { Err(decline()) }
}

/// An open reader's buffer with the next position and the end, if there is something in it.
fn buffer(c: &mut Ctx<'_>) -> Result<(ObjRef, usize, usize), Stop> {
    let reader = c.obj(0);
    let open = !c.vm.load_ref_field(reader, READER, "in").is_null();
    let chars = c.vm.load_ref_field(reader, READER, "cb");
    let (next, end) = (
        c.vm.load_int_field(reader, READER, "nextChar"),
        c.vm.load_int_field(reader, READER, "nChars"),
    );
    if !open || chars.is_null() || next < 0 || next >= end || end as u32 > c.vm.heap.array_len(chars) {
        return Err(decline());
    }
    Ok((chars, next as usize, end as usize))
}

fn skips_line_feed(c: &mut Ctx<'_>) -> bool {
    c.vm.load_bool_field(c.obj(0), READER, "skipLF")
}

fn read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (chars, next, _) = buffer(c)?;
    if skips_line_feed(c) {
        return Err(decline());
    }
    c.vm.set_int_field(c.obj(0), READER, "nextChar", next as i32 + 1);
    Ok(int(i32::from(c.vm.heap.elem_load_u16(chars, next as u32))))
}

fn read_line(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (chars, mut next, end) = buffer(c)?;
    let (line_feed, carriage_return) = (u16::from(b'\n'), u16::from(b'\r'));
    let text = c.vm.heap.load_chars(chars);
    let first = text[next];
    if first == line_feed && (c.bool(1) || skips_line_feed(c)) {
        next += 1;
    }
    let text = &c.vm.heap.load_chars(chars)[next..end];
    let ends = |ch: &u16| *ch == line_feed || *ch == carriage_return;
    let len = text.iter().position(ends).ok_or_else(decline)?;
    let last = text[len];
    let line = text[..len].to_vec();
    let line = c.vm.new_string_utf16(&line)?;
    let (reader, terminated) = (c.obj(0), c.obj(2));
    let skip = c.vm.off(READER, "skipLF")?;
    c.vm.heap.put_u8(reader, skip, u8::from(last == carriage_return));
    c.vm.set_int_field(reader, READER, "nextChar", (next + len) as i32 + 1);
    if !terminated.is_null() && c.vm.heap.array_len(terminated) > 0 {
        c.vm.heap.bytes_mut(terminated)[0] = 1;
    }
    Ok(line.bits())
}
