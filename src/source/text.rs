//! The text of a source file, and places in it as compilers count them.

use encoding_rs::Encoding;
use std::ops::Range;

/// A decoded file that can be written back as it was.
#[derive(Clone, Debug)]
pub struct Text {
    /// Without a byte order mark, so that offsets are those of the compiler.
    pub text: String,
    /// The line starts, as byte offsets.
    lines: Vec<usize>,
}

/// A line and a column, both from 1; columns count UTF-16 units, as `javac` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

const TAB: u16 = 9;
const TAB_STOP: u32 = 8;

/// The encoding of this name.
pub fn encoding(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| format!("--encoding: \"{name}\" is not an encoding"))
}

impl Text {
    /// Decodes a file's bytes; none if they are not text in this encoding.
    pub fn decode(bytes: &[u8], encoding: &'static Encoding) -> Option<Text> {
        let (text, wrong) = encoding.decode_with_bom_removal(bytes);
        (!wrong).then(|| Text::new(text.into_owned()))
    }

    pub fn new(text: String) -> Text {
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // A line ends with LF, CR, or both.
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                lines.push(at + 1);
            }
        }
        Text { text, lines }
    }

    /// The number of the line that holds this offset, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        self.lines.partition_point(|start| *start <= offset) as u32
    }

    pub fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let before = &self.text[self.lines[line as usize - 1]..offset];
        Position {
            line,
            column: before.encode_utf16().count() as u32 + 1,
        }
    }

    /// The same with tabs that go to the next column of a multiple of eight, as `javac` counts when a program calls it.
    pub fn position_with_tabs(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let before = &self.text[self.lines[line as usize - 1]..offset];
        let column = before.encode_utf16().fold(0, |column, unit| match unit {
            TAB => column / TAB_STOP * TAB_STOP + TAB_STOP,
            _ => column + 1,
        });
        Position {
            line,
            column: column + 1,
        }
    }

    /// The whole lines that hold a range, their ends included.
    pub fn whole_lines(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.line(range.start) as usize - 1;
        let last = self.line(range.end.saturating_sub(1).max(range.start)) as usize;
        let end = self.lines.get(last).copied().unwrap_or(self.text.len());
        self.lines[first]..end
    }

    /// The byte offset of a character, counted in UTF-16 units from the start.
    pub fn offset_of_unit(&self, unit: usize) -> usize {
        let mut units = 0;
        for (at, c) in self.text.char_indices() {
            if units >= unit {
                return at;
            }
            units += c.len_utf16();
        }
        self.text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_javac_does() {
        let text = Text::new("a\r\n\tb\u{1F600}c\rd\n".into());
        let at = |what: &str| text.position(text.text.find(what).expect("is there"));
        assert_eq!(at("b"), Position { line: 2, column: 2 });
        assert_eq!(at("c"), Position { line: 2, column: 5 });
        let tabs = Text::new("\ta\tb".into());
        let column = |what: &str| {
            let at = tabs.text.find(what).expect("is there");
            tabs.position_with_tabs(at).column
        };
        assert_eq!((column("a"), column("b")), (9, 17));
        assert_eq!(at("d"), Position { line: 3, column: 1 });
        assert_eq!(text.offset_of_unit(7), text.text.find('c').expect("is there"));
        let whole = text.whole_lines(&(4..5));
        assert_eq!(&text.text[whole], "\tb\u{1F600}c\r");
    }

    #[test]
    fn encodings_are_decoded_or_refused() {
        let latin = encoding("ISO-8859-1").expect("known");
        assert_eq!(Text::decode(b"\xe9", latin).expect("text").text, "\u{e9}");
        let utf8 = encoding("UTF-8").expect("known");
        assert!(Text::decode(b"\xe9", utf8).is_none());
        assert_eq!(Text::decode(b"\xef\xbb\xbfx", utf8).expect("text").text, "x");
        assert!(encoding("klingon").is_err());
    }
}
