//! Objects that count as values, and how anything reads in one line.

use crate::content::{Content, Items, Slot, canonical, content, text_of};
use crate::shape::{Form, Shape, Shapes};
use crate::view::View;
use poldet_vm::ids::ObjRef;

/// The value of an object that compares by value, in a form that is equal exactly for equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Null,
    Bits(u8, u64),
    /// Encoded by its bytes: Latin-1 or, marked by the flag, UTF-16.
    Text(bool, Vec<u8>),
    Number(i64, Vec<u8>),
    /// A class, an enum constant: one object is one value.
    Identity(u32),
}

/// The value of `o`, if references to it compare by value.
pub fn value(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> Option<Value> {
    if o.is_null() {
        return Some(Value::Null);
    }
    let shape = shapes.of_object(view.vm, o);
    let object = view.object(o);
    let get = |name: &str| shape.off(name).map(|off| object.reference(off));
    Some(match shape.form {
        Form::String => {
            let (wide, bytes) = text(view, &shape, o)?;
            Value::Text(wide, bytes.to_vec())
        }
        Form::Boxed { letter } => {
            let field = shape.fields.iter().find(|f| f.name == "value")?;
            Value::Bits(letter, canonical(letter, object.bits(field.off, field.size)))
        }
        Form::BigInteger => {
            let sign = i64::from(object.int(shape.off("signum")?));
            Value::Number(sign, view.vm.heap.bytes(get("mag")?).to_vec())
        }
        Form::BigDecimal => {
            let scale = i64::from(object.int(shape.off("scale")?));
            let compact = object.bits(shape.off("intCompact")?, 8);
            let big = get("intVal")?;
            let digits = match value(view, shapes, big)? {
                Value::Number(sign, mag) if compact == i64::MIN as u64 => {
                    [&sign.to_le_bytes()[..], &mag].concat()
                }
                _ => compact.to_le_bytes().to_vec(),
            };
            Value::Number(scale, digits)
        }
        Form::Mirror | Form::Enum => Value::Identity(o.0),
        Form::Object | Form::RefArray | Form::PrimArray { .. } => return None,
    })
}

/// Whether a string is UTF-16, and its bytes; none for what is no string.
pub fn text<'v>(view: View<'v>, shape: &Shape, o: ObjRef) -> Option<(bool, &'v [u8])> {
    if shape.form != Form::String {
        return None;
    }
    let object = view.object(o);
    let bytes = object.reference(shape.off("value")?);
    let wide = object.bits(shape.off("coder")?, 1) != 0;
    let bytes: &[u8] = match bytes.is_null() {
        true => &[],
        false => view.vm.heap.bytes(bytes),
    };
    Some((wide, bytes))
}

/// The most characters of one value.
const LONGEST: usize = 120;
const MOST_ITEMS: usize = 6;
const DEPTH: u32 = 2;

/// One readable line.
pub fn describe(view: View<'_>, shapes: &mut Shapes, slot: Slot) -> String {
    let mut writer = Writer {
        view,
        shapes,
        out: String::new(),
    };
    writer.slot(slot, DEPTH);
    shorten(&writer.out, LONGEST)
}

/// An object's class, with the size of a collection: what a node of a graph is called.
pub fn label(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> String {
    let mut writer = Writer {
        view,
        shapes,
        out: String::new(),
    };
    writer.reference(o, 0);
    writer.out
}

pub fn describe_ref(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> String {
    describe(view, shapes, Slot::Ref(o))
}

/// The most characters of a key in a path.
const LONGEST_KEY: usize = 60;

/// How an object reads as a key in a path.
pub fn key_text(view: View<'_>, shapes: &mut Shapes, key: ObjRef) -> String {
    shorten(&describe_ref(view, shapes, key), LONGEST_KEY)
}

pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most - 1).collect();
    short.push('…');
    short
}

struct Writer<'a, 'b> {
    view: View<'a>,
    shapes: &'b mut Shapes,
    out: String,
}

impl Writer<'_, '_> {
    fn slot(&mut self, slot: Slot, depth: u32) {
        match slot {
            Slot::Prim { letter, bits } => self.out.push_str(&primitive(letter, bits)),
            Slot::Ref(o) => self.reference(o, depth),
        }
    }

    fn reference(&mut self, o: ObjRef, depth: u32) {
        if self.out.len() > LONGEST * 4 {
            return;
        }
        if o.is_null() {
            self.out.push_str("null");
            return;
        }
        let vm = self.view.vm;
        let class = vm.heap.class_of(o);
        let shape = self.shapes.of(vm, class);
        match shape.form {
            Form::String => {
                let text = string_text(self.view, self.shapes, o);
                self.out.push_str(&quoted(&text));
            }
            Form::Boxed { letter } => {
                if let Some(Value::Bits(_, bits)) = value(self.view, self.shapes, o) {
                    self.out.push_str(&primitive(letter, bits));
                }
            }
            Form::BigInteger | Form::BigDecimal => self.number(o),
            Form::Mirror => {
                let name = vm.java_name(vm.class_of_mirror(o));
                self.out.push_str(&format!("class {name}"));
            }
            Form::Enum => self.constant(o),
            Form::Object | Form::RefArray | Form::PrimArray { .. } => {
                let name = vm.java_name(class);
                let name = simple_name(&name);
                if let Some(text) = self.caption(o) {
                    self.out.push_str(&format!("{name}({text})"));
                } else {
                    let content = content(self.view, self.shapes, o);
                    self.object(&content, name, depth);
                }
            }
        }
    }

    /// What says enough of an object: its name, path or pattern.
    fn caption(&mut self, o: ObjRef) -> Option<String> {
        let shape = self.shapes.of_object(self.view.vm, o);
        let paths = shape.caption.as_deref()?;
        if let [path] = paths {
            let text = self.text_at(o, path)?;
            return Some(quoted(&text));
        }
        let parts: Option<Vec<String>> = paths.iter().map(|path| self.text_at(o, path)).collect();
        let parts = parts?.into_iter().filter(|part| !part.is_empty());
        Some(parts.collect::<Vec<_>>().join("_"))
    }

    /// The string that a path of fields leads to; None where it leads nowhere.
    fn text_at(&mut self, o: ObjRef, path: &[Box<str>]) -> Option<String> {
        let mut at = o;
        for field in path {
            if at.is_null() {
                return None;
            }
            let shape = self.shapes.of_object(self.view.vm, at);
            at = self.view.object(at).reference(shape.off(field)?);
        }
        let missing = path.len() == 1 && at.is_null();
        (!missing).then(|| string_text(self.view, self.shapes, at))
    }

    fn constant(&mut self, o: ObjRef) {
        let vm = self.view.vm;
        let shape = self.shapes.of_object(vm, o);
        let name = shape.off("name").map(|off| self.view.object(o).reference(off));
        let text = name
            .filter(|n| !n.is_null())
            .map_or_else(|| "?".into(), |n| string_text(self.view, self.shapes, n));
        // A constant with a body is of a class of its own below its enum's.
        let class = vm.heap.class_of(o);
        let display = &vm.class(class).display;
        let owner = display.get(2).copied().unwrap_or(class);
        let owner = vm.java_name(owner);
        self.out.push_str(&format!("{}.{text}", simple_name(&owner)));
    }

    fn number(&mut self, o: ObjRef) {
        let vm = self.view.vm;
        let shape = self.shapes.of_object(vm, o);
        let object = self.view.object(o);
        if shape.form == Form::BigDecimal {
            let compact = shape
                .off("intCompact")
                .map_or(0, |off| object.bits(off, 8) as i64);
            let scale = shape.off("scale").map_or(0, |off| object.int(off));
            if compact != i64::MIN {
                self.out.push_str(&decimal(&compact.to_string(), scale));
                return;
            }
        }
        match value(self.view, self.shapes, o) {
            Some(Value::Number(sign, mag)) if shape.form == Form::BigInteger => {
                let words: Vec<u32> = mag
                    .chunks_exact(4)
                    .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
                    .collect();
                let text = digits(&words);
                self.out
                    .push_str(&if sign < 0 { format!("-{text}") } else { text });
            }
            _ => self.out.push_str("BigDecimal"),
        }
    }

    fn object(&mut self, content: &Content, name: &str, depth: u32) {
        match &content.items {
            Items::None => {}
            Items::Array(list) => {
                let base = name.strip_suffix("[]").unwrap_or(name);
                self.out.push_str(&format!("{base}[{}]", list.len()));
                self.list(list.iter().map(|o| Slot::Ref(*o)), list.len(), depth, ('{', '}'));
                return;
            }
            Items::Prims { letter, size, bytes } => {
                let count = bytes.len() / *size as usize;
                let base = name.strip_suffix("[]").unwrap_or(name);
                self.out.push_str(&format!("{base}[{count}]"));
                let (letter, size) = (*letter, *size);
                let slots = (0..count).map(|i| element(bytes, letter, size, i));
                self.list(slots, count, depth, ('{', '}'));
                return;
            }
            Items::List(list) | Items::Bag(list) => {
                self.out.push_str(&format!("{name}({})", list.len()));
                self.list(
                    list.iter().map(|(o, _)| Slot::Ref(*o)),
                    list.len(),
                    depth,
                    ('[', ']'),
                );
                return;
            }
            Items::Map { entries, .. } => {
                self.out.push_str(&format!("{name}({})", entries.len()));
                if depth == 0 || entries.is_empty() {
                    return;
                }
                self.out.push('{');
                for (i, entry) in entries.iter().take(MOST_ITEMS).enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.reference(entry.key, depth - 1);
                    self.out.push('=');
                    self.reference(entry.value, depth - 1);
                }
                self.out
                    .push_str(if entries.len() > MOST_ITEMS { ", …}" } else { "}" });
                return;
            }
            Items::Text(text) => {
                let text = format!("{name}({})", quoted(text));
                self.out.push_str(&text);
                return;
            }
        }
        self.out.push_str(name);
        if depth == 0 || content.fields.is_empty() {
            return;
        }
        // Nothing is left out that says something.
        let mut shown: Vec<(usize, Slot)> = content.fields.clone();
        shown.retain(|(_, slot)| !self.is_blank(*slot));
        self.out.push('{');
        for (i, (field, slot)) in shown.iter().take(MOST_ITEMS).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(content.shape.fields[*field].name);
            self.out.push('=');
            self.slot(*slot, depth - 1);
        }
        self.out
            .push_str(if shown.len() > MOST_ITEMS { ", …}" } else { "}" });
    }

    /// Null or an empty string.
    fn is_blank(&mut self, slot: Slot) -> bool {
        match slot {
            Slot::Prim { .. } => false,
            Slot::Ref(o) => match value(self.view, self.shapes, o) {
                Some(Value::Null) => true,
                Some(Value::Text(_, bytes)) => bytes.is_empty(),
                _ => false,
            },
        }
    }

    fn list(&mut self, slots: impl Iterator<Item = Slot>, count: usize, depth: u32, brackets: (char, char)) {
        if depth == 0 || count == 0 {
            return;
        }
        self.out.push(brackets.0);
        for (i, slot) in slots.take(MOST_ITEMS).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.slot(slot, depth - 1);
        }
        if count > MOST_ITEMS {
            self.out.push_str(", …");
        }
        self.out.push(brackets.1);
    }
}

/// An element of an array of primitives.
pub fn element(bytes: &[u8], letter: u8, size: u32, index: usize) -> Slot {
    let size = size as usize;
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[index * size..(index + 1) * size]);
    Slot::primitive(letter, u64::from_le_bytes(word))
}

pub fn primitive(letter: u8, bits: u64) -> String {
    match letter {
        b'Z' => (bits & 1 != 0).to_string(),
        b'B' => (bits as i8).to_string(),
        b'S' => (bits as i16).to_string(),
        b'C' => {
            let c = char::from_u32(bits as u32).unwrap_or('\u{fffd}');
            format!("'{}'", c.escape_debug())
        }
        b'I' => (bits as i32).to_string(),
        b'J' => (bits as i64).to_string(),
        b'F' => format!("{:?}", f32::from_bits(bits as u32)),
        b'D' => format!("{:?}", f64::from_bits(bits)),
        _ => bits.to_string(),
    }
}

pub fn string_text(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> String {
    match value(view, shapes, o) {
        Some(Value::Text(wide, bytes)) => text_of(&bytes, wide, usize::MAX),
        _ => String::new(),
    }
}

/// Two texts from shortly before where they differ; None if they do not.
pub fn differing(a: &str, b: &str) -> Option<(String, String)> {
    /// Characters shown before the difference.
    const LEAD: usize = 10;
    let alike = a.chars().zip(b.chars()).take_while(|(p, q)| p == q).count();
    if a == b {
        return None;
    }
    let from = |text: &str| match alike {
        0..=LEAD => quoted(text),
        _ => {
            let rest: String = text.chars().skip(alike - LEAD).collect();
            quoted(&format!("…{rest}"))
        }
    };
    let (old, new) = (from(a), from(b));
    (old != new).then_some((old, new))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in shorten(text, 60).chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `pkg.Outer$Inner` as `Outer.Inner`, `[Ljava.lang.String;` as `String[]`; lambda classes by their host.
pub fn simple_name(name: &str) -> &str {
    let name = name.split("/0x").next().unwrap_or(name);
    match name {
        "[I" => "int[]",
        "[J" => "long[]",
        "[B" => "byte[]",
        "[C" => "char[]",
        "[S" => "short[]",
        "[Z" => "boolean[]",
        "[F" => "float[]",
        "[D" => "double[]",
        _ => {
            let base = name.trim_start_matches('[');
            let base = if base.len() < name.len() {
                base.trim_start_matches('L').trim_end_matches(';')
            } else {
                base
            };
            base.rsplit('.').next().unwrap_or(base)
        }
    }
}

fn decimal(digits: &str, scale: i32) -> String {
    if !(1..=40).contains(&scale) {
        return if scale == 0 {
            digits.to_owned()
        } else {
            format!("{digits}E{}", -i64::from(scale))
        };
    }
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let digits = format!("{digits:0>width$}", width = scale as usize + 1);
    let (whole, part) = digits.split_at(digits.len() - scale as usize);
    format!("{sign}{whole}.{part}")
}

/// A big-endian number of 32-bit words in decimal.
fn digits(words: &[u32]) -> String {
    let mut words: Vec<u32> = words.to_vec();
    let mut parts = Vec::new();
    while words.iter().any(|w| *w != 0) && parts.len() < 40 {
        let mut rest = 0u64;
        for w in &mut words {
            let value = rest << 32 | u64::from(*w);
            *w = (value / 1_000_000_000) as u32;
            rest = value % 1_000_000_000;
        }
        parts.push(rest);
    }
    let mut text = parts.pop().unwrap_or(0).to_string();
    for part in parts.iter().rev() {
        text.push_str(&format!("{part:09}"));
    }
    text
}
