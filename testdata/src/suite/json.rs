//! Reads JSON: what the harness needs to judge a report from outside, by none of poldet's own code.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.get(key),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Json::Number(n) => Some(*n),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }
}

/// Reads a whole document; anything after it is an error.
pub fn parse(text: &str) -> Result<Json, String> {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: 0,
    };
    let value = reader.value()?;
    reader.blank();
    if reader.at < reader.bytes.len() {
        return Err(reader.wrong("the end"));
    }
    Ok(value)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, wanted: &str) -> String {
        let rest = String::from_utf8_lossy(&self.bytes[self.at.min(self.bytes.len())..]);
        let rest: String = rest.chars().take(40).collect();
        format!("expected {wanted} at byte {}, found {rest:?}", self.at)
    }

    fn blank(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Takes `byte` when it comes next, past blanks.
    fn take(&mut self, byte: u8) -> bool {
        self.blank();
        let here = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.take(byte) {
            return Ok(());
        }
        Err(self.wrong(&format!("{:?}", char::from(byte))))
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.wrong(word))
    }

    fn value(&mut self) -> Result<Json, String> {
        self.blank();
        match self.bytes.get(self.at) {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        self.expect(b'{')?;
        let mut fields = BTreeMap::new();
        while !self.take(b'}') {
            if !fields.is_empty() {
                self.expect(b',')?;
            }
            self.blank();
            let key = self.string()?;
            self.expect(b':')?;
            let value = self.value()?;
            if fields.insert(key.clone(), value).is_some() {
                return Err(format!("{key:?} twice in one object"));
            }
        }
        Ok(Json::Object(fields))
    }

    fn array(&mut self) -> Result<Json, String> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        while !self.take(b']') {
            if !items.is_empty() {
                self.expect(b',')?;
            }
            items.push(self.value()?);
        }
        Ok(Json::List(items))
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while self
            .bytes
            .get(self.at)
            .is_some_and(|b| b"+-.eE0123456789".contains(b))
        {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]);
        text.parse().map(Json::Number).map_err(|_| self.wrong("a value"))
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"')?;
        let mut units: Vec<u8> = Vec::new();
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return Err(self.wrong("the end of a string"));
            };
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let c = self.escape()?;
                    units.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return Err(self.wrong("no control character in a string")),
                plain => units.push(plain),
            }
        }
        String::from_utf8(units).map_err(|e| e.to_string())
    }

    fn escape(&mut self) -> Result<char, String> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        Ok(match byte {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'u') => {
                let high = self.hex()?;
                let paired = (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u");
                if paired {
                    self.at += 2;
                    let low = self.hex()?;
                    char::decode_utf16([high, low])
                        .next()
                        .and_then(Result::ok)
                        .unwrap_or('\u{fffd}')
                } else {
                    char::from_u32(u32::from(high)).unwrap_or('\u{fffd}')
                }
            }
            _ => return Err(self.wrong("an escape")),
        })
    }

    fn hex(&mut self) -> Result<u16, String> {
        let digits = self
            .bytes
            .get(self.at..self.at + 4)
            .and_then(|d| std::str::from_utf8(d).ok());
        let value = digits.and_then(|d| u16::from_str_radix(d, 16).ok());
        self.at += 4;
        value.ok_or_else(|| self.wrong("four hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind() {
        let value =
            parse(r#" {"a": [1, -2.5e1, "x\u00e9\ud83d\ude00\n"], "b": null, "c": true, "d": {}} "#).unwrap();
        let list = value.get("a").unwrap().list().unwrap();
        assert_eq!(list[1].number(), Some(-25.0));
        assert_eq!(list[2].text(), Some("xé😀\n"));
        assert_eq!(value.get("b"), Some(&Json::Null));
        for bad in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,\"a\":2}",
            "\"\n\"",
            "1 2",
            "[1 2]",
            "nul",
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
