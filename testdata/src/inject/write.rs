//! The writes that are injected, in bytecode.

use super::class::{
    ACCESS, ClassFile, FINAL, INTERFACE_METHOD, METHOD, Member, PRIVATE, PUBLIC, STATIC, half,
};

/// The class that holds the fields written to, but for those in the test's own class.
pub const STATE: &str = "injected/State";

const GETSTATIC: u8 = 0xb2;
const PUTSTATIC: u8 = 0xb3;
const INVOKESPECIAL: u8 = 0xb7;
const INVOKEINTERFACE: u8 = 0xb9;
const NEW: u8 = 0xbb;
const DUP: u8 = 0x59;
const POP: u8 = 0x57;
const LDC_W: u8 = 0x13;
const ALOAD_0: u8 = 0x2a;
const RETURN: u8 = 0xb1;

/// What an injected write does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// Raises a static int of the test's own class.
    OwnCounter,
    /// Raises a static int of another class.
    Counter,
    /// Puts an entry into a static map.
    Entry,
    /// Sets an element of a static array.
    Element,
    /// Sets a static field to another object.
    Object,
}

impl Write {
    pub const ALL: [Write; 5] = [
        Write::OwnCounter,
        Write::Counter,
        Write::Entry,
        Write::Element,
        Write::Object,
    ];

    pub fn description(self) -> &'static str {
        match self {
            Write::OwnCounter => "static int of the test class raised",
            Write::Counter => "static int of another class raised",
            Write::Entry => "entry put into a static map",
            Write::Element => "element of a static array set",
            Write::Object => "static field set to another object",
        }
    }

    /// Makes `method` of `class` do this, at `line`; answers the root it writes to.
    pub fn add(
        self,
        class: &mut ClassFile,
        state: &mut State,
        method: &str,
        number: usize,
        line: u16,
    ) -> Result<String, String> {
        let at = class.plain_method(method).ok_or(format!("no method {method}"))?;
        let (name, desc) = match self {
            Write::OwnCounter | Write::Counter => (format!("counter{number}"), "I"),
            Write::Entry => (format!("map{number}"), "Ljava/util/Map;"),
            Write::Element => (format!("array{number}"), "[I"),
            Write::Object => (format!("object{number}"), "Ljava/lang/Object;"),
        };
        let owner = match self {
            Write::OwnCounter => class.name(),
            _ => STATE.to_owned(),
        };
        if self == Write::OwnCounter {
            class.add_field(PUBLIC | STATIC, &name, desc);
        } else {
            state.add(self, &name, desc);
        }
        let mut code = self.code(class, &owner, &name, desc);
        call_original(class, at, &mut code, line);
        Ok(format!("{}.{name}", owner.replace('/', ".")))
    }

    fn code(self, class: &mut ClassFile, owner: &str, name: &str, desc: &str) -> Vec<u8> {
        let field = class.field(owner, name, desc);
        let mut code = Vec::new();
        match self {
            Write::OwnCounter | Write::Counter => {
                op(&mut code, GETSTATIC, field);
                code.extend_from_slice(&[0x04, 0x60]); // iconst_1, iadd
                op(&mut code, PUTSTATIC, field);
            }
            Write::Entry => {
                op(&mut code, GETSTATIC, field);
                let (key, value) = (class.string("injected"), class.string("value"));
                op(&mut code, LDC_W, key);
                op(&mut code, LDC_W, value);
                let desc = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
                let put = class.reference(INTERFACE_METHOD, "java/util/Map", "put", desc);
                op(&mut code, INVOKEINTERFACE, put);
                code.extend_from_slice(&[3, 0, POP]);
            }
            Write::Element => {
                op(&mut code, GETSTATIC, field);
                code.extend_from_slice(&[0x05, 0x10, 7, 0x4f]); // iconst_2, bipush 7, iastore
            }
            Write::Object => {
                construct(class, &mut code, "java/util/LinkedList");
                op(&mut code, PUTSTATIC, field);
            }
        }
        code
    }
}

fn op(code: &mut Vec<u8>, opcode: u8, index: u16) {
    code.push(opcode);
    half(code, usize::from(index));
}

fn construct(class: &mut ClassFile, code: &mut Vec<u8>, name: &str) {
    let made = class.class(name);
    let init = class.reference(METHOD, name, "<init>", "()V");
    op(code, NEW, made);
    code.push(DUP);
    op(code, INVOKESPECIAL, init);
}

/// Renames the method and puts one in its place that runs `code` and then calls it.
fn call_original(class: &mut ClassFile, at: usize, code: &mut Vec<u8>, line: u16) {
    let (name, desc, access) = {
        let m = &class.methods[at];
        (m.name, m.desc, m.access)
    };
    let renamed = format!("original${}", class.text(name));
    let this = class.name();
    let original = class.reference(METHOD, &this, &renamed, "()V");
    code.push(ALOAD_0);
    op(code, INVOKESPECIAL, original);
    code.push(RETURN);
    let body = class.code(1, code, Some(line));
    let renamed = class.utf8(&renamed);
    let old = &mut class.methods[at];
    let (kept, mut moved): (Vec<_>, Vec<_>) = std::mem::take(&mut old.attributes)
        .into_iter()
        .partition(|a| a.name == body.name);
    old.attributes = kept;
    old.name = renamed;
    old.access = (access & !ACCESS) | PRIVATE;
    moved.push(body);
    // In its old place, so that what depends on the order of methods stays.
    let new = Member {
        access,
        name,
        desc,
        attributes: moved,
    };
    class.methods.insert(at, new);
}

/// The class `injected.State`: its fields and the initialiser that fills them.
pub struct State {
    class: ClassFile,
    code: Vec<u8>,
}

impl State {
    pub fn new() -> State {
        State {
            class: ClassFile::new(STATE),
            code: Vec::new(),
        }
    }

    fn add(&mut self, write: Write, name: &str, desc: &str) {
        let class = &mut self.class;
        let never_set = match write {
            Write::Entry | Write::Element => FINAL,
            _ => 0,
        };
        class.add_field(PUBLIC | STATIC | never_set, name, desc);
        match write {
            Write::OwnCounter | Write::Counter => return,
            Write::Entry => construct(class, &mut self.code, "java/util/HashMap"),
            Write::Element => self.code.extend_from_slice(&[0x07, 0xbc, 10]), // iconst_4, newarray int
            Write::Object => construct(class, &mut self.code, "java/util/ArrayList"),
        }
        let field = class.field(STATE, name, desc);
        op(&mut self.code, PUTSTATIC, field);
    }

    pub fn bytes(mut self) -> Vec<u8> {
        self.code.push(RETURN);
        let body = self.class.code(0, &self.code, None);
        let (name, desc) = (self.class.utf8("<clinit>"), self.class.utf8("()V"));
        self.class.methods.push(Member {
            access: STATIC,
            name,
            desc,
            attributes: vec![body],
        });
        self.class.bytes()
    }
}

impl Default for State {
    fn default() -> Self {
        State::new()
    }
}
