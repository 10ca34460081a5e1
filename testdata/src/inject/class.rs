//! Reads a class file into pieces that can be added to, and writes it again.

/// A class file: what is not changed stays as bytes.
pub struct ClassFile {
    /// Magic number and version.
    head: Vec<u8>,
    /// Constants, each with its tag; the first and the second half of a long or double are empty.
    pool: Vec<Vec<u8>>,
    access: u16,
    this: u16,
    parent: u16,
    interfaces: Vec<u16>,
    pub fields: Vec<Member>,
    pub methods: Vec<Member>,
    attributes: Vec<Attribute>,
}

pub struct Member {
    pub access: u16,
    pub name: u16,
    pub desc: u16,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone)]
pub struct Attribute {
    pub name: u16,
    pub data: Vec<u8>,
}

pub const PRIVATE: u16 = 0x0002;
pub const ACCESS: u16 = 0x0007;
pub const STATIC: u16 = 0x0008;
pub const FINAL: u16 = 0x0010;
pub const PUBLIC: u16 = 0x0001;
const ABSTRACT: u16 = 0x0400;
const INTERFACE: u16 = 0x0200;

const UTF8: u8 = 1;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD: u8 = 9;
pub const METHOD: u8 = 10;
pub const INTERFACE_METHOD: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let taken = self
            .bytes
            .get(self.at..self.at + count)
            .ok_or("the class file ends early")?;
        self.at += count;
        Ok(taken)
    }

    fn half(&mut self) -> Result<u16, String> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    fn word(&mut self) -> Result<u32, String> {
        Ok(u32::from(self.half()?) << 16 | u32::from(self.half()?))
    }

    fn constant(&mut self) -> Result<Vec<u8>, String> {
        let start = self.at;
        let tag = self.take(1)?[0];
        let size = match tag {
            UTF8 => usize::from(self.half()?),
            3 | 4 | 9..=12 | 17 | 18 => 4,
            5 | 6 => 8,
            CLASS | STRING | 16 | 19 | 20 => 2,
            15 => 3,
            other => return Err(format!("unknown constant {other}")),
        };
        self.take(size)?;
        Ok(self.bytes[start..self.at].to_vec())
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, String> {
        (0..self.half()?)
            .map(|_| {
                let name = self.half()?;
                let length = self.word()? as usize;
                let data = self.take(length)?.to_vec();
                Ok(Attribute { name, data })
            })
            .collect()
    }

    fn members(&mut self) -> Result<Vec<Member>, String> {
        (0..self.half()?)
            .map(|_| {
                Ok(Member {
                    access: self.half()?,
                    name: self.half()?,
                    desc: self.half()?,
                    attributes: self.attributes()?,
                })
            })
            .collect()
    }
}

impl ClassFile {
    pub fn parse(bytes: &[u8]) -> Result<ClassFile, String> {
        let mut reader = Reader { bytes, at: 0 };
        let head = reader.take(8)?.to_vec();
        if head[..4] != [0xca, 0xfe, 0xba, 0xbe] {
            return Err("no class file".into());
        }
        let count = usize::from(reader.half()?);
        let mut pool = vec![Vec::new()];
        while pool.len() < count {
            let constant = reader.constant()?;
            let wide = matches!(constant[0], 5 | 6);
            pool.push(constant);
            if wide {
                pool.push(Vec::new());
            }
        }
        let (access, this, parent) = (reader.half()?, reader.half()?, reader.half()?);
        let interfaces = (0..reader.half()?)
            .map(|_| reader.half())
            .collect::<Result<_, _>>()?;
        Ok(ClassFile {
            head,
            pool,
            access,
            this,
            parent,
            interfaces,
            fields: reader.members()?,
            methods: reader.members()?,
            attributes: reader.attributes()?,
        })
    }

    /// A new public class of Java 8's version.
    pub fn new(name: &str) -> ClassFile {
        let mut class = ClassFile {
            head: vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52],
            pool: vec![Vec::new()],
            access: 0x0021,
            this: 0,
            parent: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        class.this = class.class(name);
        class.parent = class.class("java/lang/Object");
        class
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = self.head.clone();
        half(&mut out, self.pool.len());
        self.pool.iter().for_each(|c| out.extend_from_slice(c));
        for value in [self.access, self.this, self.parent] {
            half(&mut out, usize::from(value));
        }
        half(&mut out, self.interfaces.len());
        self.interfaces
            .iter()
            .for_each(|i| half(&mut out, usize::from(*i)));
        for members in [&self.fields, &self.methods] {
            half(&mut out, members.len());
            for member in members {
                for value in [member.access, member.name, member.desc] {
                    half(&mut out, usize::from(value));
                }
                attributes(&mut out, &member.attributes);
            }
        }
        attributes(&mut out, &self.attributes);
        out
    }

    pub fn name(&self) -> String {
        self.class_at(self.this)
    }

    /// Empty for `java.lang.Object` and a module's description.
    pub fn super_name(&self) -> String {
        self.class_at(self.parent)
    }

    fn class_at(&self, index: u16) -> String {
        match &self.pool[usize::from(index)][..] {
            [CLASS, high, low] => self.text(u16::from_be_bytes([*high, *low])).to_owned(),
            _ => String::new(),
        }
    }

    /// The text of a name; empty when it is none or not plain.
    pub fn text(&self, index: u16) -> &str {
        match self.pool.get(usize::from(index)).map(Vec::as_slice) {
            Some([UTF8, _, _, text @ ..]) => std::str::from_utf8(text).unwrap_or(""),
            _ => "",
        }
    }

    /// Where the class declares the instance method `name()` with a body, if it does and is a class.
    pub fn plain_method(&self, name: &str) -> Option<usize> {
        let fits = |m: &Member| {
            m.access & (STATIC | ABSTRACT) == 0 && self.text(m.name) == name && self.text(m.desc) == "()V"
        };
        if self.access & INTERFACE != 0 {
            return None;
        }
        self.methods.iter().position(fits)
    }

    pub fn has_plain_method(&self, name: &str) -> bool {
        self.plain_method(name).is_some()
    }

    /// Whether the class mentions a member `name` with the type `()V`, as a call of it does.
    pub fn refers_to(&self, name: &str) -> bool {
        self.pool.iter().any(|c| match c[..] {
            [NAME_AND_TYPE, a, b, c, d] => {
                self.text(u16::from_be_bytes([a, b])) == name
                    && self.text(u16::from_be_bytes([c, d])) == "()V"
            }
            _ => false,
        })
    }

    fn constant(&mut self, constant: Vec<u8>) -> u16 {
        if let Some(at) = self.pool.iter().position(|c| *c == constant) {
            return at as u16;
        }
        self.pool.push(constant);
        (self.pool.len() - 1) as u16
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut constant = vec![UTF8];
        half(&mut constant, text.len());
        constant.extend_from_slice(text.as_bytes());
        self.constant(constant)
    }

    fn of(&mut self, tag: u8, indices: &[u16]) -> u16 {
        let mut constant = vec![tag];
        indices.iter().for_each(|i| half(&mut constant, usize::from(*i)));
        self.constant(constant)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.of(CLASS, &[name])
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.of(STRING, &[text])
    }

    pub fn field(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.reference(FIELD, class, name, desc)
    }

    pub fn reference(&mut self, tag: u8, class: &str, name: &str, desc: &str) -> u16 {
        let class = self.class(class);
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        let both = self.of(NAME_AND_TYPE, &[name, desc]);
        self.of(tag, &[class, both])
    }

    pub fn add_field(&mut self, access: u16, name: &str, desc: &str) {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        self.fields.push(Member {
            access,
            name,
            desc,
            attributes: Vec::new(),
        });
    }

    /// The attribute of a body without branches, all of it of one line.
    pub fn code(&mut self, locals: u16, code: &[u8], line: Option<u16>) -> Attribute {
        let mut data = Vec::new();
        half(&mut data, 6);
        half(&mut data, usize::from(locals));
        data.extend_from_slice(&(code.len() as u32).to_be_bytes());
        data.extend_from_slice(code);
        half(&mut data, 0);
        half(&mut data, usize::from(line.is_some()));
        if let Some(line) = line {
            half(&mut data, usize::from(self.utf8("LineNumberTable")));
            data.extend_from_slice(&6u32.to_be_bytes());
            half(&mut data, 1);
            half(&mut data, 0);
            half(&mut data, usize::from(line));
        }
        Attribute {
            name: self.utf8("Code"),
            data,
        }
    }
}

fn attributes(out: &mut Vec<u8>, list: &[Attribute]) {
    half(out, list.len());
    for attribute in list {
        half(out, usize::from(attribute.name));
        out.extend_from_slice(&(attribute.data.len() as u32).to_be_bytes());
        out.extend_from_slice(&attribute.data);
    }
}

/// Appends two bytes; what is too large for a class file does not get here.
pub fn half(out: &mut Vec<u8>, value: usize) {
    out.extend_from_slice(&(value as u16).to_be_bytes());
}
