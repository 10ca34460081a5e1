//! A class file assembler for one static method.

use crate::classfile::ClassFile;
use crate::link::lower::{Invalid, RefMap, lower, ref_map};
use crate::link::op::{Lowered, Op};

#[derive(Clone)]
pub struct Asm {
    pool: Vec<u8>,
    count: u16,
    pub code: Vec<u8>,
    handlers: Vec<[u16; 4]>,
    pub max_stack: u16,
    pub max_locals: u16,
    desc: u16,
    access: u16,
    /// The BootstrapMethods attribute's name and the method handle of its one entry.
    bootstrap: Option<(u16, u16)>,
}

/// Constants every class starts with.
const THIS: u16 = 2;
const SUPER: u16 = 4;
const NAME: u16 = 5;
const CODE: u16 = 6;

impl Asm {
    /// A static method of that descriptor.
    pub fn new(desc: &str, max_locals: u16, max_stack: u16) -> Asm {
        let (pool, code, handlers) = (Vec::new(), Vec::new(), Vec::new());
        let mut asm = Asm {
            pool,
            count: 1,
            code,
            handlers,
            max_stack,
            max_locals,
            desc: 0,
            access: 0x0009,
            bootstrap: None,
        };
        asm.utf8("T");
        asm.constant(7, &[1]);
        asm.utf8("java/lang/Object");
        asm.constant(7, &[3]);
        asm.utf8("m");
        asm.utf8("Code");
        asm.desc = asm.utf8(desc);
        asm
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        self.pool.push(1);
        self.pool.extend((text.len() as u16).to_be_bytes());
        self.pool.extend(text.bytes());
        self.count += 1;
        self.count - 1
    }

    /// A constant made of indices.
    pub fn constant(&mut self, tag: u8, parts: &[u16]) -> u16 {
        self.pool.push(tag);
        for part in parts {
            self.pool.extend(part.to_be_bytes());
        }
        self.count += 1;
        self.count - 1
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.constant(7, &[name])
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.constant(8, &[text])
    }

    /// Integer (3) or Float (4).
    pub fn word(&mut self, tag: u8, bits: u32) -> u16 {
        self.constant(tag, &[(bits >> 16) as u16, bits as u16])
    }

    /// Long (5) or Double (6).
    pub fn wide(&mut self, tag: u8, bits: u64) -> u16 {
        let parts = [
            (bits >> 48) as u16,
            (bits >> 32) as u16,
            (bits >> 16) as u16,
            bits as u16,
        ];
        let index = self.constant(tag, &parts);
        self.count += 1;
        index
    }

    /// Field (9), method (10) or interface method (11) of class `T`.
    pub fn member(&mut self, tag: u8, name: &str, desc: &str) -> u16 {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        let both = self.constant(12, &[name, desc]);
        self.constant(tag, &[THIS, both])
    }

    /// A dynamic constant (17) or call site (18).
    pub fn dynamic(&mut self, tag: u8, name: &str, desc: &str) -> u16 {
        if self.bootstrap.is_none() {
            let method = self.member(10, "boot", "()V");
            let parts = [0x0F06, method].map(u16::to_be_bytes).concat();
            self.pool.extend(parts);
            self.count += 1;
            let handle = self.count - 1;
            self.bootstrap = Some((self.utf8("BootstrapMethods"), handle));
        }
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        let both = self.constant(12, &[name, desc]);
        self.constant(tag, &[0, both])
    }

    pub fn u1(&mut self, bytes: &[u8]) -> &mut Asm {
        self.code.extend_from_slice(bytes);
        self
    }

    /// An opcode with a two-byte operand.
    pub fn u2(&mut self, op: u8, operand: u16) -> &mut Asm {
        self.code.push(op);
        self.code.extend(operand.to_be_bytes());
        self
    }

    pub fn here(&self) -> u16 {
        self.code.len() as u16
    }

    /// A branch to be placed; answers where it is.
    pub fn branch(&mut self, op: u8) -> u16 {
        let at = self.here();
        self.u2(op, 0);
        at
    }

    pub fn branch_to(&mut self, op: u8, target: u16) {
        let at = self.branch(op);
        self.place_at(at, target);
    }

    /// Lets the branch at `at` lead here.
    pub fn place(&mut self, at: u16) {
        self.place_at(at, self.here());
    }

    fn place_at(&mut self, at: u16, target: u16) {
        let off = target.wrapping_sub(at).to_be_bytes();
        self.code[usize::from(at) + 1..usize::from(at) + 3].copy_from_slice(&off);
    }

    pub fn handler(&mut self, start: u16, end: u16, target: u16, catch: u16) {
        self.handlers.push([start, end, target, catch]);
    }

    pub fn class_file(&self) -> ClassFile {
        let mut b = vec![
            0xCA,
            0xFE,
            0xBA,
            0xBE,
            0,
            0,
            0,
            if self.bootstrap.is_some() { 55 } else { 49 },
        ];
        let u2 = |b: &mut Vec<u8>, v: u16| b.extend(v.to_be_bytes());
        u2(&mut b, self.count);
        b.extend(&self.pool);
        for v in [
            0x0021,
            THIS,
            SUPER,
            0,
            0,
            1,
            self.access,
            NAME,
            self.desc,
            1,
            CODE,
        ] {
            u2(&mut b, v);
        }
        let len = 12 + self.code.len() + 8 * self.handlers.len();
        b.extend((len as u32).to_be_bytes());
        u2(&mut b, self.max_stack);
        u2(&mut b, self.max_locals);
        b.extend((self.code.len() as u32).to_be_bytes());
        b.extend(&self.code);
        u2(&mut b, self.handlers.len() as u16);
        for h in &self.handlers {
            h.iter().for_each(|&v| u2(&mut b, v));
        }
        u2(&mut b, 0);
        match self.bootstrap {
            Some((name, handle)) => [1, name, 0, 6, 1, handle, 0]
                .into_iter()
                .for_each(|v| u2(&mut b, v)),
            None => u2(&mut b, 0),
        }
        ClassFile::parse(b.leak()).expect("a class file")
    }

    pub fn lower(&self) -> Result<Lowered, Invalid> {
        let class = self.class_file();
        lower(&class, &class.methods[0])
    }

    pub fn ops(&self) -> Vec<Op> {
        self.lower().expect("a valid body").ops
    }

    pub fn ref_map(&self, bci: u16, in_call: bool) -> RefMap {
        let class = self.class_file();
        ref_map(&class, &class.methods[0], bci, in_call).expect("a valid body")
    }
}
