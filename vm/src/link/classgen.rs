//! A small class file writer, for the classes the VM spins itself: lambda proxies and record methods.

use crate::sym::FixedMap;

/// Opcodes the generated code uses.
pub mod opcode {
    pub const ICONST_0: u8 = 0x03;
    pub const ICONST_1: u8 = 0x04;
    pub const BIPUSH: u8 = 0x10;
    pub const SIPUSH: u8 = 0x11;
    pub const LDC_W: u8 = 0x13;
    pub const ILOAD: u8 = 0x15;
    pub const ALOAD_0: u8 = 0x2a;
    pub const ALOAD_1: u8 = 0x2b;
    pub const ASTORE_1: u8 = 0x4c;
    pub const AASTORE: u8 = 0x53;
    pub const DUP: u8 = 0x59;
    pub const IADD: u8 = 0x60;
    pub const IMUL: u8 = 0x68;
    pub const I2L: u8 = 0x85;
    pub const I2F: u8 = 0x86;
    pub const I2D: u8 = 0x87;
    pub const L2F: u8 = 0x89;
    pub const L2D: u8 = 0x8a;
    pub const F2D: u8 = 0x8d;
    pub const LCMP: u8 = 0x94;
    pub const IFEQ: u8 = 0x99;
    pub const IFNE: u8 = 0x9a;
    pub const IF_ICMPEQ: u8 = 0x9f;
    pub const IF_ACMPNE: u8 = 0xa6;
    pub const IRETURN: u8 = 0xac;
    pub const ARETURN: u8 = 0xb0;
    pub const RETURN: u8 = 0xb1;
    pub const GETFIELD: u8 = 0xb4;
    pub const PUTFIELD: u8 = 0xb5;
    pub const INVOKEVIRTUAL: u8 = 0xb6;
    pub const INVOKESPECIAL: u8 = 0xb7;
    pub const INVOKESTATIC: u8 = 0xb8;
    pub const INVOKEINTERFACE: u8 = 0xb9;
    pub const INVOKEDYNAMIC: u8 = 0xba;
    pub const NEW: u8 = 0xbb;
    pub const ANEWARRAY: u8 = 0xbd;
    pub const CHECKCAST: u8 = 0xc0;
    pub const INSTANCEOF: u8 = 0xc1;
    pub const WIDE: u8 = 0xc4;
}

/// A class under construction.
#[derive(Default)]
pub struct ClassGen {
    pool: Vec<u8>,
    /// Constants so far; the first has index 1.
    count: u16,
    known: FixedMap<Vec<u8>, u16>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
    bootstraps: Vec<u8>,
    bootstrap_count: u16,
}

impl ClassGen {
    fn constant(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&index) = self.known.get(&bytes) {
            return index;
        }
        self.count += 1;
        self.pool.extend_from_slice(&bytes);
        self.known.insert(bytes, self.count);
        self.count
    }

    fn constant_of(&mut self, tag: u8, a: u16, b: Option<u16>) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(a.to_be_bytes());
        bytes.extend(b.map(u16::to_be_bytes).into_iter().flatten());
        self.constant(bytes)
    }

    pub fn utf8(&mut self, text: &[u8]) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend_from_slice(text);
        self.constant(bytes)
    }

    pub fn class(&mut self, name: &[u8]) -> u16 {
        let name = self.utf8(name);
        self.constant_of(7, name, None)
    }

    pub fn string(&mut self, text: &[u8]) -> u16 {
        let text = self.utf8(text);
        self.constant_of(8, text, None)
    }

    fn name_and_type(&mut self, name: &[u8], desc: &[u8]) -> u16 {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        self.constant_of(12, name, Some(desc))
    }

    fn member(&mut self, tag: u8, class: &[u8], name: &[u8], desc: &[u8]) -> u16 {
        let class = self.class(class);
        let member = self.name_and_type(name, desc);
        self.constant_of(tag, class, Some(member))
    }

    pub fn field_ref(&mut self, class: &[u8], name: &[u8], desc: &[u8]) -> u16 {
        self.member(9, class, name, desc)
    }

    pub fn method_ref(&mut self, class: &[u8], name: &[u8], desc: &[u8], interface: bool) -> u16 {
        self.member(if interface { 11 } else { 10 }, class, name, desc)
    }

    /// A constant for an invokedynamic whose bootstrap is a static method of a class with these string arguments.
    pub fn dynamic_call(&mut self, bootstrap: [&str; 3], strings: &[&[u8]], name: &[u8], desc: &[u8]) -> u16 {
        let [class, method, method_desc] = bootstrap.map(str::as_bytes);
        let method = self.method_ref(class, method, method_desc, false);
        let mut handle = vec![15, 6];
        handle.extend(method.to_be_bytes());
        let handle = self.constant(handle);
        let strings: Vec<u16> = strings.iter().map(|text| self.string(text)).collect();
        self.bootstraps.extend(handle.to_be_bytes());
        self.bootstraps.extend((strings.len() as u16).to_be_bytes());
        self.bootstraps
            .extend(strings.into_iter().flat_map(u16::to_be_bytes));
        self.bootstrap_count += 1;
        let member = self.name_and_type(name, desc);
        self.constant_of(18, self.bootstrap_count - 1, Some(member))
    }

    pub fn field(&mut self, access: u16, name: &[u8], desc: &[u8]) {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        for word in [access, name, desc, 0] {
            self.fields.extend(word.to_be_bytes());
        }
        self.field_count += 1;
    }

    pub fn method(&mut self, access: u16, name: &[u8], desc: &[u8], code: &Code) {
        let (name, desc, attribute) = (self.utf8(name), self.utf8(desc), self.utf8(b"Code"));
        for word in [access, name, desc, 1, attribute] {
            self.methods.extend(word.to_be_bytes());
        }
        self.methods.extend((code.bytes.len() as u32 + 12).to_be_bytes());
        self.methods.extend(code.max_stack.to_be_bytes());
        self.methods.extend(code.max_locals.to_be_bytes());
        self.methods.extend((code.bytes.len() as u32).to_be_bytes());
        self.methods.extend_from_slice(&code.bytes);
        // Neither handlers nor attributes.
        self.methods.extend([0; 4]);
        self.method_count += 1;
    }

    /// The class file.
    pub fn finish(mut self, access: u16, name: &[u8], interfaces: &[&[u8]]) -> Vec<u8> {
        let this = self.class(name);
        let parent = self.class(b"java/lang/Object");
        let interfaces: Vec<u16> = interfaces.iter().map(|i| self.class(i)).collect();
        let attribute = (self.bootstrap_count > 0).then(|| self.utf8(b"BootstrapMethods"));
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
        let word = |out: &mut Vec<u8>, value: u16| out.extend(value.to_be_bytes());
        word(&mut out, self.count + 1);
        out.extend_from_slice(&self.pool);
        for value in [access, this, parent, interfaces.len() as u16] {
            word(&mut out, value);
        }
        for interface in interfaces {
            word(&mut out, interface);
        }
        word(&mut out, self.field_count);
        out.extend_from_slice(&self.fields);
        word(&mut out, self.method_count);
        out.extend_from_slice(&self.methods);
        word(&mut out, u16::from(attribute.is_some()));
        if let Some(attribute) = attribute {
            word(&mut out, attribute);
            out.extend((self.bootstraps.len() as u32 + 2).to_be_bytes());
            out.extend(self.bootstrap_count.to_be_bytes());
            out.extend_from_slice(&self.bootstraps);
        }
        out
    }
}

/// A method body under construction.
#[derive(Default)]
pub struct Code {
    pub bytes: Vec<u8>,
    pub max_stack: u16,
    pub max_locals: u16,
}

impl Code {
    pub fn op(&mut self, opcode: u8) -> &mut Code {
        self.bytes.push(opcode);
        self
    }

    pub fn op16(&mut self, opcode: u8, operand: u16) -> &mut Code {
        self.bytes.push(opcode);
        self.bytes.extend(operand.to_be_bytes());
        self
    }

    pub fn invoke_interface(&mut self, method: u16, slots: u16) {
        self.op16(opcode::INVOKEINTERFACE, method);
        self.bytes.extend([slots as u8, 0]);
    }

    pub fn invoke_dynamic(&mut self, call: u16) {
        self.op16(opcode::INVOKEDYNAMIC, call);
        self.bytes.extend([0, 0]);
    }

    /// Loads a local of the type a descriptor begins with.
    pub fn load(&mut self, letter: u8, local: u16) {
        let opcode = opcode::ILOAD + rank(letter);
        if local < 256 {
            self.bytes.extend([opcode, local as u8]);
        } else {
            self.op(opcode::WIDE).op16(opcode, local);
        }
    }

    /// Returns a value of that type.
    pub fn give_back(&mut self, letter: u8) {
        self.op(if letter == b'V' {
            opcode::RETURN
        } else {
            opcode::IRETURN + rank(letter)
        });
    }

    /// A branch whose target is set later with `land`.
    pub fn branch(&mut self, opcode: u8) -> usize {
        self.op16(opcode, 0);
        self.bytes.len() - 3
    }

    /// Lets the branch lead here.
    pub fn land(&mut self, branch: usize) {
        let offset = (self.bytes.len() - branch) as i16;
        self.bytes[branch + 1..branch + 3].copy_from_slice(&offset.to_be_bytes());
    }
}

/// int, long, float, double, reference: the order of loads and returns.
fn rank(letter: u8) -> u8 {
    match letter {
        b'J' => 1,
        b'F' => 2,
        b'D' => 3,
        b'L' | b'[' => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classfile::ClassFile;

    #[test]
    fn the_reader_reads_what_the_writer_writes() {
        let mut class = ClassGen::default();
        class.field(0x12, b"arg$1", b"I");
        let mut code = Code {
            max_stack: 1,
            max_locals: 1,
            ..Code::default()
        };
        let call = class.dynamic_call(
            [
                "java/lang/invoke/StringConcatFactory",
                "makeConcatWithConstants",
                "()Ljava/lang/invoke/CallSite;",
            ],
            &[b"a"],
            b"makeConcatWithConstants",
            b"()Ljava/lang/String;",
        );
        code.invoke_dynamic(call);
        code.give_back(b'L');
        class.method(0x9, b"m", b"()Ljava/lang/String;", &code);
        let bytes = class.finish(0x1030, b"a/B", &[b"java/lang/Runnable"]);
        let file = ClassFile::parse(Box::leak(bytes.into_boxed_slice())).expect("well formed");
        assert_eq!(file.class_name(file.this_class), Some(&b"a/B"[..]));
        assert_eq!((file.fields.len(), file.methods.len()), (1, 1));
        assert_eq!(file.dynamic(call).map(|d| d.0), Some(0));
        let (_, arguments) = file.bootstrap(0).expect("a bootstrap method");
        assert_eq!(file.string(arguments[0]), Some(&b"a"[..]));
    }
}
