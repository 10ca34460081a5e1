//! Statements that are switched off, and class files that take the place of those on the class path.
//!
//! A statement is a range of bytecode with the same operand stack at both ends. Switched off, its first instruction jumps
//! over the rest; nothing else in the method moves, so that bytecode indices, lines and constants stay what they were. The
//! verifier and agents see the class as it was loaded: only lowering, and what reads lowered code, see the changed copy.
//! A VM without switches asks one empty map when it lowers a method, and nothing when it runs one.

use crate::classes::class::InitState;
use crate::classfile::{ClassFile, MemberInfo, Rules};
use crate::ids::{ClassId, LoaderId, MethodId, Sym};
use crate::link::decode::bc;
use crate::link::lower::Invalid;
use crate::sym::FixedMap;
use crate::vm::Vm;
use std::rc::Rc;

/// Ranges of a method's code that are not to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Internal form.
    pub class: String,
    pub method: String,
    pub desc: String,
    /// Length of the method's code, which tells a class that was changed by an agent.
    pub length: u32,
    /// First bytecode index, and the one behind the last.
    pub ranges: Vec<(u16, u16)>,
}

#[derive(Default)]
pub struct Switches {
    off: FixedMap<Sym, Vec<Switch>>,
    /// By class: the file it was made of, and the copy with switched statements.
    copies: FixedMap<ClassId, (&'static ClassFile, &'static ClassFile)>,
    /// By name: files that are defined in place of those found.
    files: FixedMap<Sym, Rc<[u8]>>,
}

impl Vm {
    /// From now on these ranges do not run. Not for a method that is running, nor for a static initialiser that has run.
    pub fn switch_off(&mut self, switches: &[Switch]) -> Result<(), String> {
        for switch in switches {
            let class = self.sym(&switch.class);
            self.switches.off.entry(class).or_default().push(switch.clone());
            self.switches
                .copies
                .retain(|id, _| self.classes[id.index()].name != class);
            let loaded = self.classes.iter().filter(|c| c.name == class);
            let methods: Vec<MethodId> = loaded.flat_map(|c| c.methods.clone()).collect();
            for m in methods {
                let method = self.method(m);
                let named =
                    self.syms.str(method.name) == switch.method && self.syms.str(method.desc) == switch.desc;
                if named {
                    self.lower_again(m, switch)?;
                }
            }
        }
        Ok(())
    }

    fn lower_again(&mut self, m: MethodId, switch: &Switch) -> Result<(), String> {
        let frames = self.threads.list.iter().flat_map(|t| &t.frames);
        let class = self.class(self.method(m).class);
        let begun = matches!(
            class.state,
            InitState::Running(_) | InitState::Done | InitState::Failed(_)
        );
        if frames.into_iter().any(|f| f.cont.is_none() && f.method == m)
            || (switch.method == "<clinit>" && begun)
        {
            return Err(format!(
                "statements of {} are switched off too late",
                self.method_text(m)
            ));
        }
        if let Some(file) = class.file {
            self.replace_body(m, file);
            self.ref_maps.retain(|(of, _, _), _| *of != m);
        }
        Ok(())
    }

    /// A class file that is to be defined in place of the one that is found.
    pub fn replace_class(&mut self, name: &str, bytes: Vec<u8>) {
        let name = self.sym(name);
        self.switches.files.insert(name, bytes.into());
    }

    /// What is to be defined in place of a class file, for all but the JDK's own classes.
    pub(crate) fn replacement(&mut self, loader: LoaderId, name: Option<&str>) -> Option<Rc<[u8]>> {
        if self.switches.files.is_empty() || loader == LoaderId::BOOT {
            return None;
        }
        let name = self.sym(name?);
        self.switches.files.get(&name).cloned()
    }

    /// Gives a loaded class another class file with the same members; one that is not loaded yet is defined from it.
    pub fn redefine(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let sym = self.sym(name);
        let loaded = self
            .classes
            .iter()
            .filter(|c| c.name == sym && c.version_of.is_none() && !c.unloaded);
        let versions: Vec<(ClassId, Vec<u8>)> = loaded.map(|c| (c.id, bytes.clone())).collect();
        self.replace_class(name, bytes);
        let refused = |_| {
            format!(
                "the changed class {} does not fit the one that is loaded",
                name.replace('/', ".")
            )
        };
        let versions = self.parse_versions(&versions).map_err(refused)?;
        self.verify_versions(&versions).map_err(refused)?;
        self.install_versions(&versions);
        Ok(())
    }

    /// The file whose code a class's methods are lowered from.
    pub(crate) fn code_file(&self, class: ClassId) -> Option<&'static ClassFile> {
        let own = self.class(class).file;
        if self.switches.copies.is_empty() {
            return own;
        }
        match self.switches.copies.get(&class) {
            Some((from, copy)) if own.is_some_and(|own| std::ptr::eq(own, *from)) => Some(copy),
            _ => own,
        }
    }

    /// The same, for lowering: makes the copy that it takes.
    pub(crate) fn code_to_lower(&mut self, m: MethodId) -> Result<Option<&'static ClassFile>, Invalid> {
        let class = self.method(m).class;
        let (name, own) = (self.class(class).name, self.class(class).file);
        let (Some(own), false) = (own, self.switches.off.is_empty()) else {
            return Ok(own);
        };
        let Some(switches) = self.switches.off.get(&name) else {
            return Ok(Some(own));
        };
        let method = &own.methods[usize::from(self.method(m).slot)];
        let here = switches.iter().filter(|s| names(s, own, method));
        let length = own.code(method).map_or(0, |c| c.bytes.len() as u32);
        if here.into_iter().any(|s| s.length != length) {
            return Err(Invalid::limit(
                "statements are switched off in code that was changed at run time",
            ));
        }
        if let Some((from, copy)) = self.switches.copies.get(&class)
            && std::ptr::eq(*from, own)
        {
            return Ok(Some(copy));
        }
        let copy = without(own, switches)?;
        self.switches.copies.insert(class, (own, copy));
        Ok(Some(copy))
    }
}

fn names(switch: &Switch, file: &ClassFile, method: &MemberInfo) -> bool {
    file.utf8(method.name) == Some(switch.method.as_bytes())
        && file.utf8(method.desc) == Some(switch.desc.as_bytes())
}

/// A copy of the class file in which the ranges do not run.
fn without(file: &'static ClassFile, switches: &[Switch]) -> Result<&'static ClassFile, Invalid> {
    let mut bytes = file.bytes.to_vec();
    for method in &file.methods {
        let Some(code) = file.code(method) else { continue };
        let offset = |part: &[u8]| part.as_ptr() as usize - file.bytes.as_ptr() as usize;
        let ranges = switches.iter().filter(|s| names(s, file, method));
        for &(from, to) in ranges.flat_map(|s| &s.ranges) {
            let (from, to) = (usize::from(from), usize::from(to));
            if from >= to || to >= code.bytes.len() {
                return Err(Invalid::limit(
                    "a statement outside of its method is switched off",
                ));
            }
            let at = offset(code.bytes);
            skip(&mut bytes[at + from..at + to]);
            let at = offset(code.handlers);
            let table = &mut bytes[at..at + code.handlers.len()];
            drop_handlers(table, from, to);
        }
    }
    let bytes: &'static [u8] = Box::leak(bytes.into_boxed_slice());
    let rules = Rules {
        trusted: true,
        ..Rules::default()
    };
    match ClassFile::parse_with(bytes, &rules) {
        Ok(copy) => Ok(Box::leak(Box::new(copy))),
        Err(_) => Err(Invalid::limit("a class with switched statements cannot be read")),
    }
}

/// A jump over the rest, which nothing reaches.
fn skip(code: &mut [u8]) {
    let length = code.len();
    code.fill(bc::NOP);
    if let Ok(short) = i16::try_from(length) {
        if length >= 3 {
            code[0] = bc::GOTO;
            code[1..3].copy_from_slice(&short.to_be_bytes());
        }
    } else {
        code[0] = bc::GOTO_W;
        code[1..5].copy_from_slice(&(length as i32).to_be_bytes());
    }
}

/// Handlers inside of a range have nothing left to catch: what they cover becomes an instruction that nothing reaches. (The
/// table keeps its length, so that the file keeps its layout.)
fn drop_handlers(table: &mut [u8], from: usize, to: usize) {
    for entry in table.chunks_exact_mut(8) {
        let target = usize::from(u16::from_be_bytes([entry[4], entry[5]]));
        if (from..to).contains(&target) {
            let last = (to - 1) as u16;
            entry[0..2].copy_from_slice(&last.to_be_bytes());
            entry[2..4].copy_from_slice(&(last + 1).to_be_bytes());
            entry[4..6].copy_from_slice(&last.to_be_bytes());
        }
    }
}
