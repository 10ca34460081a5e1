//! The StackMapTable attribute: its frames, and its listing in messages.

use super::error::{Context, Fail, Fault, Problem, Res, Shown};
use super::types::VType;
use crate::stop::Stop;
use std::fmt::Write;

/// More types than this in all frames of a method are beyond us: a table of a few hundred kilobytes can ask for
/// gigabytes.
const MAX_TYPES: usize = 1 << 26;

/// One frame; its types stand in the table's arena.
#[derive(Clone, Copy)]
pub struct MapFrame {
    pub bci: usize,
    pub this_uninit: bool,
    locals: (u32, u32),
    stack: (u32, u32),
}

/// The frames of a method by bytecode index.
#[derive(Default)]
pub struct MapTable {
    pub frames: Vec<MapFrame>,
    types: Vec<VType>,
}

/// What reading types needs to know of the method and its class.
pub trait TypeSource {
    /// The type of a class constant, or none if it is not one.
    fn class_constant(&mut self, index: u16) -> Option<VType>;
    /// Whether an instruction starts here.
    fn is_start(&self, bci: usize) -> bool;
    /// Whether a `new` instruction stands here.
    fn is_new(&self, bci: usize) -> bool;
    /// A format error of the method.
    fn format_error(&self, message: &str) -> Fail;
}

impl MapTable {
    pub fn locals(&self, frame: &MapFrame) -> &[VType] {
        &self.types[frame.locals.0 as usize..frame.locals.1 as usize]
    }

    pub fn stack(&self, frame: &MapFrame) -> &[VType] {
        &self.types[frame.stack.0 as usize..frame.stack.1 as usize]
    }

    pub fn shown(&self, frame: &MapFrame) -> Shown {
        Shown {
            bci: frame.bci,
            this_uninit: frame.this_uninit,
            locals: self.locals(frame).to_vec(),
            stack: self.stack(frame).to_vec(),
        }
    }

    /// The frame at a bytecode index.
    #[inline]
    pub fn find(&self, bci: i64) -> Option<&MapFrame> {
        let at = self.frames.binary_search_by_key(&bci, |f| f.bci as i64).ok()?;
        self.frames.get(at)
    }

    pub fn clear(&mut self) {
        self.frames.clear();
        self.types.clear();
    }
}

/// Sizes the frames must keep to.
#[derive(Clone, Copy)]
pub struct Limits {
    pub locals: usize,
    pub stack: usize,
}

struct Reader<'a, S> {
    source: &'a mut S,
    table: &'a mut MapTable,
    data: &'a [u8],
    at: usize,
    limits: Limits,
}

/// Reads the attribute's content; `first` is the frame the method is entered with.
pub fn read<S: TypeSource>(
    source: &mut S,
    table: &mut MapTable,
    data: &[u8],
    entry: (&[VType], bool),
    limits: Limits,
) -> Res<()> {
    table.clear();
    table.types.extend_from_slice(entry.0);
    let mut reader = Reader {
        source,
        table,
        data,
        at: 0,
        limits,
    };
    let mut last = MapFrame {
        bci: 0,
        this_uninit: entry.1,
        locals: (0, entry.0.len() as u32),
        stack: (0, 0),
    };
    let count = reader.u2()?;
    for i in 0..count {
        last = reader.frame(last, i == 0)?;
        reader.table.frames.push(last);
        if !reader.source.is_start(last.bci) {
            let shown = reader.table.shown(&last);
            let context = Context::frames(0, Fault::BadMap, shown, None);
            return Err(context.fail("StackMapTable error: bad offset"));
        }
        if reader.table.types.len() > MAX_TYPES {
            return Err(Stop::unsupported("a StackMapTable of more than 64 million types").into());
        }
    }
    if reader.at != data.len() {
        return Err(broken("wrong attribute size"));
    }
    Ok(())
}

fn broken(what: &str) -> Fail {
    Fail(Box::new(Problem::Thrown(format!(
        "StackMapTable format error: {what}"
    ))))
}

impl<S: TypeSource> Reader<'_, S> {
    fn u1(&mut self) -> Res<u8> {
        let byte = self.data.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| broken("access beyond the end of attribute"))
    }

    fn u2(&mut self) -> Res<u16> {
        match self.data.get(self.at..self.at + 2) {
            Some(b) => {
                self.at += 2;
                Ok(u16::from_be_bytes([b[0], b[1]]))
            }
            None => Err(broken("access beyond the end of attribute")),
        }
    }

    /// One type, pushed to the arena with its second half.
    fn push_type(&mut self) -> Res<VType> {
        let ty = match self.u1()? {
            tag @ 0..=5 => VType(tag.into()),
            6 => VType::UNINIT_THIS,
            7 => {
                let index = self.u2()?;
                let class = self.source.class_constant(index);
                class.ok_or_else(|| broken("bad class index"))?
            }
            8 => {
                let bci = usize::from(self.u2()?);
                if !self.source.is_new(bci) {
                    let message = "StackMapTable format error: bad offset for Uninitialized";
                    return Err(self.source.format_error(message));
                }
                VType::uninit(bci)
            }
            _ => return Err(broken("bad verification type")),
        };
        self.table.types.push(ty);
        if ty.is_pair() {
            self.table.types.push(ty.second());
        }
        Ok(ty)
    }

    /// Pushes `count` types behind those from `start` on; where they stand, and whether one of them is the
    /// uninitialised `this`. An error of format is reported only when the others have been read.
    fn push_types(&mut self, start: usize, count: u16, limit: usize) -> Res<((u32, u32), bool)> {
        let (mut this, mut bad) = (false, None);
        for _ in 0..count {
            match self.push_type() {
                Ok(ty) => this |= ty == VType::UNINIT_THIS,
                Err(fail) if matches!(*fail.0, Problem::Format(_)) => {
                    self.table.types.push(VType::TOP);
                    bad = Some(fail);
                }
                Err(fail) => return Err(fail),
            }
        }
        let end = self.table.types.len();
        self.check_size(end - start, limit)?;
        match bad {
            Some(fail) => Err(fail),
            None => Ok(((start as u32, end as u32), this)),
        }
    }

    fn push_new(&mut self, count: u16, limit: usize) -> Res<((u32, u32), bool)> {
        self.push_types(self.table.types.len(), count, limit)
    }

    fn check_size(&self, size: usize, limit: usize) -> Res<()> {
        if size > limit {
            return Err(self
                .source
                .format_error("StackMapTable format error: bad type array size"));
        }
        Ok(())
    }

    fn frame(&mut self, last: MapFrame, first: bool) -> Res<MapFrame> {
        let place = |delta: u16| {
            if first {
                usize::from(delta)
            } else {
                last.bci + usize::from(delta) + 1
            }
        };
        let mut frame = MapFrame {
            stack: (0, 0),
            ..last
        };
        let tag = self.u1()?;
        if tag < 128 {
            frame.bci = place(u16::from(tag & 63));
            if tag >= 64 {
                frame.stack = self.push_new(1, self.limits.stack)?.0;
            }
            return Ok(frame);
        }
        frame.bci = place(self.u2()?);
        match tag {
            0..=246 => return Err(broken("reserved frame type")),
            247 => frame.stack = self.push_new(1, self.limits.stack)?.0,
            248..=250 => self.chop(&mut frame, 251 - tag)?,
            251 => {}
            252..=254 => self.append(&mut frame, tag - 251)?,
            255 => {
                let count = self.u2()?;
                (frame.locals, frame.this_uninit) = self.push_new(count, self.limits.locals)?;
                let count = self.u2()?;
                frame.stack = self.push_new(count, self.limits.stack)?.0;
            }
        }
        Ok(frame)
    }

    fn chop(&mut self, frame: &mut MapFrame, count: u8) -> Res<()> {
        let locals = self.table.locals(frame);
        let mut left = locals.len();
        for _ in 0..count {
            let words = if left > 0 && locals[left - 1].is_second() {
                2
            } else {
                1
            };
            match left.checked_sub(words) {
                Some(n) => left = n,
                None => {
                    return Err(self
                        .source
                        .format_error("StackMapTable format error: bad type array size"));
                }
            }
        }
        frame.this_uninit = locals[..left].contains(&VType::UNINIT_THIS);
        frame.locals.1 = frame.locals.0 + left as u32;
        self.check_size(left, self.limits.locals)
    }

    fn append(&mut self, frame: &mut MapFrame, count: u8) -> Res<()> {
        let (mut start, end) = (frame.locals.0 as usize, frame.locals.1 as usize);
        if end != self.table.types.len() {
            let old = start..end;
            start = self.table.types.len();
            self.table.types.extend_from_within(old);
        }
        let (locals, this) = self.push_types(start, count.into(), self.limits.locals)?;
        frame.locals = locals;
        frame.this_uninit |= this;
        Ok(())
    }
}

/// The table as messages list it, up to where it stops making sense.
pub fn list(data: &[u8], out: &mut String) {
    let mut lister = Lister { data, at: 0 };
    let count = lister.u2().unwrap_or(0);
    let mut bci = -1;
    for _ in 0..count {
        out.push_str("    ");
        let (start, last) = (lister.at, bci);
        match lister.frame(&mut bci) {
            Some(text) => {
                out.push_str(&text);
                out.push('\n');
            }
            None => {
                lister.at = start;
                lister.truncated(last, out);
                return;
            }
        }
    }
}

struct Lister<'a> {
    data: &'a [u8],
    at: usize,
}

impl Lister<'_> {
    fn u1(&mut self) -> Option<u8> {
        let byte = self.data.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn u2(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes([self.u1()?, self.u1()?]))
    }

    fn types(&mut self, count: u16) -> Option<String> {
        let mut texts = Vec::new();
        for _ in 0..count {
            texts.push(match self.u1()? {
                0 => "Top".into(),
                1 => "Integer".into(),
                2 => "Float".into(),
                3 => "Double".into(),
                4 => "Long".into(),
                5 => "Null".into(),
                6 => "UninitializedThis".into(),
                7 => format!("Object[#{}]", self.u2()?),
                8 => format!("Uninitialized[#{}]", self.u2()?),
                tag => format!("BAD:{tag}"),
            });
        }
        Some(texts.join(","))
    }

    fn frame(&mut self, bci: &mut i32) -> Option<String> {
        let tag = self.u1()?;
        if tag < 128 {
            let at = *bci + i32::from(tag & 63) + 1;
            *bci = at;
            return Some(if tag < 64 {
                format!("same_frame(@{at})")
            } else {
                format!("same_locals_1_stack_item_frame(@{at},{})", self.types(1)?)
            });
        }
        if tag < 247 {
            return None;
        }
        let at = *bci + i32::from(self.u2()?) + 1;
        *bci = at;
        Some(match tag {
            247 => format!("same_locals_1_stack_item_extended(@{at},{})", self.types(1)?),
            248..=250 => format!("chop_frame(@{at},{})", 251 - tag),
            251 => format!("same_frame_extended(@{at})"),
            252..=254 => format!("append_frame(@{at},{})", self.types(u16::from(tag) - 251)?),
            _ => {
                let count = self.u2()?;
                let locals = self.types(count)?;
                let count = self.u2()?;
                format!("full_frame(@{at},{{{locals}}},{{{}}})", self.types(count)?)
            }
        })
    }

    /// The frame at which the table ends too early.
    fn truncated(&mut self, bci: i32, out: &mut String) {
        // What HotSpot finds behind the table is nearly always a zero.
        let tag = self.u1().unwrap_or(0);
        let what = match tag {
            0..=63 => {
                let _ = write!(out, "same_frame(@{})", bci + i32::from(tag) + 1);
                return;
            }
            64..=127 => "same_locals_1_stack_item_frame",
            247 => "same_locals_1_stack_item_extended",
            252..=254 => "append_frame",
            255 => "full_frame",
            _ => return,
        };
        let delta = if tag < 128 {
            Some(u16::from(tag & 63))
        } else {
            self.u2()
        };
        let at = bci + i32::from(delta.unwrap_or(0)) + 1;
        let _ = write!(
            out,
            "{what}(@{at}), output truncated, Stackmap exceeds table size."
        );
    }
}
