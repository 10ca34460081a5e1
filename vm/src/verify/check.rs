//! The type checker (JVMS 4.10.1): one walk over the code, in order, with the stack map's frames where control
//! flow joins. The order of the checks is HotSpot's, since it decides which message is reported.

use super::error::{Context, Fail, Fault, Origin, Problem, Res, Shown, Subject, full_message};
use super::frame::Frame;
use super::insn::{self, EFFECT, Insn};
use super::pool::Pool;
use super::stackmap::{self, Limits, MapFrame, MapTable, TypeSource};
use super::types::VType;
use super::world::World;
use super::{Progress, Rejected};
use crate::classes::class::acc;
use crate::classes::resolve::type_text;
use crate::classfile::descriptor::{Prim, Type, method_types};
use crate::classfile::{ClassFile, Code, MemberInfo, tag, to_text};
use crate::link::decode::{SwitchInsn, bc, i16_at, i32_at, u16_at};
use crate::stop::Stop;

/// How type checking failed.
pub enum Failed {
    /// The old verifier may think otherwise.
    Rejected(Rejected),
    /// An exception that is final.
    Thrown(Rejected),
    Stop(Stop),
}

/// Type-checks all methods that are not proven yet.
pub fn verify<W: World>(
    world: &mut W,
    file: &'static ClassFile,
    progress: &mut Progress,
) -> Result<(), Failed> {
    let mut checker = Checker::new(world, file);
    while let Some(&slot) = progress.order.get(progress.done) {
        let method = &file.methods[slot];
        if let Some(code) = file.code(method) {
            checker
                .method(method, code)
                .map_err(|fail| checker.report(fail, method, &code))?;
        }
        progress.done += 1;
    }
    Ok(())
}

/// An entry of the exception table.
#[derive(Clone, Copy)]
pub struct Handler {
    pub start: usize,
    pub end: usize,
    pub target: usize,
    /// What the handler finds on the stack.
    catch: VType,
    /// The locals (and flag) last matched with the handler's frame.
    matched: (u32, bool),
}

impl Handler {
    pub fn covers(&self, bci: usize) -> bool {
        (self.start..self.end).contains(&bci)
    }
}

/// The most bytes the code of a method has.
const LONGEST_CODE: u64 = 65535;

const START: u8 = 1;
const NEW: u8 = 2;

pub struct Checker<'w, W: World> {
    pub pool: Pool<'w, W>,
    pub frame: Frame,
    pub map: MapTable,
    pub code: &'static [u8],
    pub handlers: Vec<Handler>,
    /// Where instructions start, and which are `new`.
    starts: Vec<u8>,
    /// Bytecode indices between which handlers stand.
    covered: (usize, usize),
    returns: VType,
    pub is_init: bool,
}

/// Reads types of the stack map.
struct MapSource<'a, 'w, W: World> {
    pool: &'a mut Pool<'w, W>,
    starts: &'a [u8],
}

impl<W: World> TypeSource for MapSource<'_, '_, W> {
    fn class_constant(&mut self, index: u16) -> Option<VType> {
        self.pool.class(index)
    }

    fn is_start(&self, bci: usize) -> bool {
        self.starts.get(bci).is_some_and(|s| *s != 0)
    }

    fn is_new(&self, bci: usize) -> bool {
        self.starts.get(bci) == Some(&NEW)
    }

    fn format_error(&self, message: &str) -> Fail {
        Fail(Box::new(Problem::Format(message.into())))
    }
}

impl<'w, W: World> Checker<'w, W> {
    fn new(world: &'w mut W, file: &'static ClassFile) -> Checker<'w, W> {
        Checker {
            pool: Pool::new(world, file),
            frame: Frame::default(),
            map: MapTable::default(),
            code: &[],
            handlers: Vec::new(),
            starts: Vec::new(),
            covered: (0, 0),
            returns: VType::TOP,
            is_init: false,
        }
    }

    /// The method as Java writes it, for format errors: built only for those.
    fn external_title(&self, method: &MemberInfo) -> String {
        let file = self.pool.file;
        let name = to_text(file.utf8(method.name).unwrap_or(b"?"));
        let desc = file.utf8(method.desc).unwrap_or(b"()V");
        let Some((params, ret)) = method_types(desc) else {
            return name;
        };
        let params: Vec<String> = params.into_iter().map(type_text).collect();
        let class = self.pool.java_name();
        format!("{} {class}.{name}({})", type_text(ret), params.join(", "))
    }

    fn report(&self, fail: Fail, method: &MemberInfo, code: &Code<'static>) -> Failed {
        let rejected = |format, message| Rejected { format, message };
        match *fail.0 {
            Problem::Stop(stop) => Failed::Stop(stop),
            Problem::Format(message) => {
                let message = format!("{message} in method '{}'", self.external_title(method));
                Failed::Rejected(rejected(true, message))
            }
            Problem::Thrown(message) => Failed::Thrown(rejected(true, message)),
            Problem::Verify(context, message) => {
                let file = self.pool.file;
                let text = |index| to_text(file.utf8(index).unwrap_or(b"?"));
                let class = self
                    .pool
                    .this
                    .name()
                    .map_or(&b""[..], |n| self.pool.world.bytes(n));
                let subject = Subject {
                    title: format!("{}.{}{}", to_text(class), text(method.name), text(method.desc)),
                    code,
                    stack_map: file.attr(code.attrs, "StackMapTable"),
                };
                let message = full_message(self.pool.world, &context, &message, &subject);
                Failed::Rejected(rejected(false, message))
            }
        }
    }

    fn method(&mut self, method: &MemberInfo, code: Code<'static>) -> Res<()> {
        let file = self.pool.file;
        self.code = code.bytes;
        self.frame.reset(code.max_locals.into(), code.max_stack.into());
        self.enter(method)?;
        self.find_starts()?;
        self.read_handlers(code.handlers)?;
        self.check_variables(&code)?;
        let entry = (&self.frame.locals[..self.frame.live], self.frame.this_uninit);
        let mut source = MapSource {
            pool: &mut self.pool,
            starts: &self.starts,
        };
        let limits = Limits {
            locals: code.max_locals.into(),
            stack: code.max_stack.into(),
        };
        match file.attr(code.attrs, "StackMapTable") {
            Some(data) => stackmap::read(&mut source, &mut self.map, data, entry, limits)?,
            None => self.map.clear(),
        }
        self.walk()
    }

    /// The frame the method is entered with, and what it returns.
    fn enter(&mut self, method: &MemberInfo) -> Res<()> {
        let file = self.pool.file;
        self.is_init = file.utf8(method.name) == Some(b"<init>");
        let mut local = 0;
        if method.access & acc::STATIC == 0 {
            let uninit = self.is_init && self.pool.this != self.pool.names.object;
            let this = if uninit {
                VType::UNINIT_THIS
            } else {
                self.pool.this
            };
            self.frame.this_uninit = uninit;
            self.frame.set(0, this)?;
            local = 1;
        }
        let Some((params, ret)) = method_types(file.utf8(method.desc).unwrap_or(b"")) else {
            return Err(Stop::bug("a method descriptor the parser has let pass").into());
        };
        for param in params {
            match param {
                Type::Prim(Prim::Long) => self.frame.set_pair(local, VType::LONG)?,
                Type::Prim(Prim::Double) => self.frame.set_pair(local, VType::DOUBLE)?,
                Type::Prim(Prim::Float) => self.frame.set(local, VType::FLOAT)?,
                Type::Prim(_) => self.frame.set(local, VType::INT)?,
                Type::Ref(name) => {
                    let ty = self.pool.named(name);
                    self.frame.set(local, ty)?;
                }
            }
            local += usize::from(param.slots());
        }
        self.returns = match ret {
            Type::Prim(Prim::Void) => VType::TOP,
            Type::Prim(Prim::Boolean) => VType::BOOLEAN,
            Type::Prim(Prim::Byte) => VType::BYTE,
            Type::Prim(Prim::Char) => VType::CHAR,
            Type::Prim(Prim::Short) => VType::SHORT,
            Type::Prim(Prim::Int) => VType::INT,
            Type::Prim(Prim::Float) => VType::FLOAT,
            Type::Prim(Prim::Long) => VType::LONG,
            Type::Prim(Prim::Double) => VType::DOUBLE,
            Type::Ref(name) => self.pool.named(name),
        };
        Ok(())
    }

    fn find_starts(&mut self) -> Res<()> {
        self.starts.clear();
        self.starts.resize(self.code.len(), 0);
        let mut bci = 0;
        while bci < self.code.len() {
            let Some(insn) = insn::at(self.code, bci) else {
                return Err(Context::code(bci).fail("Bad instruction"));
            };
            self.starts[bci] = if insn.op == bc::NEW { NEW } else { START };
            bci += insn.len;
        }
        Ok(())
    }

    fn is_start(&self, bci: usize) -> bool {
        self.starts.get(bci).is_some_and(|s| *s != 0)
    }

    fn read_handlers(&mut self, table: &[u8]) -> Res<()> {
        self.handlers.clear();
        self.covered = (self.code.len(), 0);
        for entry in table.chunks_exact(8) {
            let word = |at| usize::from(u16_at(entry, at));
            let (start, end, target) = (word(0), word(2), word(4));
            if !self.is_start(start) {
                return Err(self.bad_format(format!("Illegal exception table start_pc {start}")));
            }
            if end != self.code.len() && !self.is_start(end) {
                return Err(self.bad_format(format!("Illegal exception table end_pc {end}")));
            }
            if !self.is_start(target) {
                return Err(self.bad_format(format!("Illegal exception table handler_pc {target}")));
            }
            let throwable = self.pool.names.throwable;
            let index = u16_at(entry, 6);
            let mut catch = throwable;
            if index != 0 {
                catch = self.pool.check_class(target, index)?;
                if !self.pool.assignable(throwable, catch, false)? {
                    let (found, expected) = (Origin::Pool(index, catch), Origin::Implied(throwable));
                    return Err(Context::types(target, found, expected).fail(format!(
                        "Catch type is not a subclass of Throwable in exception handler {target}"
                    )));
                }
            }
            self.covered = (self.covered.0.min(start), self.covered.1.max(end));
            self.handlers.push(Handler {
                start,
                end,
                target,
                catch,
                matched: (0, false),
            });
        }
        Ok(())
    }

    fn bad_format(&self, message: String) -> Fail {
        Fail(Box::new(Problem::Format(message)))
    }

    /// The ranges of the local variable table must be bounded by instructions.
    fn check_variables(&self, code: &Code<'static>) -> Res<()> {
        for (name, content) in self.pool.file.attributes(code.attrs) {
            if name != b"LocalVariableTable" {
                continue;
            }
            for row in content.get(2..).unwrap_or(&[]).chunks_exact(10) {
                let (start, length) = (usize::from(u16_at(row, 0)), usize::from(u16_at(row, 2)));
                if !self.is_start(start) {
                    return Err(self.bad_format(format!("Illegal local variable table start_pc {start}")));
                }
                let end = start + length;
                if end != self.code.len() && !self.is_start(end) {
                    return Err(self.bad_format(format!("Illegal local variable table length {length}")));
                }
            }
        }
        Ok(())
    }

    fn walk(&mut self) -> Res<()> {
        let (mut bci, mut next_map, mut falls) = (0, 0, true);
        while bci < self.code.len() {
            let Some(insn) = insn::at(self.code, bci) else {
                return Err(Stop::bug("the second walk over a method differs from the first").into());
            };
            self.frame.bci = bci;
            self.frame.mark = self.frame.depth;
            self.meet_map(bci, &mut next_map, falls)?;
            let in_try = bci >= self.covered.0 && bci < self.covered.1;
            let stores = matches!(insn.op, bc::ISTORE..=bc::ASTORE_3);
            if in_try && stores {
                // A handler sees the locals as they were before the store.
                self.match_handlers(self.frame.this_uninit)?;
            }
            let effect = self.instruction(insn, in_try)?;
            falls = effect.falls;
            if in_try && !stores {
                self.match_handlers(self.frame.this_uninit || effect.made_this)?;
            }
            bci += insn.len;
        }
        if falls {
            return Err(Context::code(bci).fail("Control flow falls through code end"));
        }
        Ok(())
    }

    /// Joins the current frame with the stack map's, if it has one here.
    fn meet_map(&mut self, bci: usize, next: &mut usize, falls: bool) -> Res<()> {
        let Some(&map) = self.map.frames.get(*next) else {
            if falls {
                return Ok(());
            }
            return Err(Context::code(bci).fail("Expecting a stack map frame"));
        };
        if !falls && map.bci > bci {
            return Err(Context::of(bci, Fault::MissingMap).fail("Expecting a stack map frame"));
        }
        if map.bci == bci {
            if falls {
                let frame = &self.frame;
                let current = Current {
                    locals: &frame.locals,
                    stack: frame.stack(),
                    this_uninit: frame.this_uninit,
                };
                if let Some(mismatch) = matches(&mut self.pool, &self.map, current, &map)? {
                    let context = mismatch.context(&self.frame.shown(), &self.map, &map);
                    return Err(context.fail("Instruction type does not match stack map"));
                }
            }
            let (locals, stack) = (self.map.locals(&map), self.map.stack(&map));
            self.frame.assume(locals, stack, map.this_uninit);
            *next += 1;
        } else if map.bci < bci {
            return Err(self.bad_format(format!("Bad stack map offset {}", map.bci)));
        }
        Ok(())
    }

    /// The handlers in force here must accept the current locals.
    pub fn match_handlers(&mut self, this_uninit: bool) -> Res<()> {
        let (bci, state) = (self.frame.bci, (self.frame.version, this_uninit));
        for i in 0..self.handlers.len() {
            let handler = self.handlers[i];
            if !handler.covers(bci) || handler.matched == state {
                continue;
            }
            let shown = |stack: Vec<VType>| Shown {
                bci,
                this_uninit,
                locals: self.frame.locals[..self.frame.live].to_vec(),
                stack,
            };
            if self.frame.max_stack() == 0 {
                let context = Context::frames(bci, Fault::Overflow, shown(Vec::new()), None);
                return Err(context.fail("Operand stack overflow"));
            }
            let Some(map) = self.map.find(handler.target as i64) else {
                return Err(self.missing_target(handler.target as i64));
            };
            let stack = [handler.catch];
            let current = Current {
                locals: &self.frame.locals,
                stack: &stack,
                this_uninit,
            };
            if let Some(mismatch) = matches(&mut self.pool, &self.map, current, map)? {
                let context = mismatch.context(&shown(stack.to_vec()), &self.map, map);
                return Err(context.fail(format!(
                    "Stack map does not match the one at exception handler {}",
                    handler.target
                )));
            }
            self.handlers[i].matched = state;
        }
        Ok(())
    }

    fn missing_target(&self, target: i64) -> Fail {
        let context = Context::of(self.frame.bci, Fault::MissingMap);
        // HotSpot counts in 32 bits.
        context.fail(format!(
            "Expecting a stackmap frame at branch target {}",
            target as i32
        ))
    }

    /// A branch goes to a frame of the stack map that accepts the current one.
    fn branch(&mut self, target: i64) -> Res<()> {
        let offset = target - self.frame.bci as i64;
        if offset.unsigned_abs() > LONGEST_CODE && !self.pool.world.rules().far_branch_is_plain {
            let context = Context::frames(0, Fault::BadMap, self.frame.shown(), None);
            let bci = self.frame.bci;
            return Err(context.fail(format!(
                "Illegal target of jump or branch (bci {bci} + offset {offset})"
            )));
        }
        let Some(map) = self.map.find(target) else {
            return Err(self.missing_target(target));
        };
        let current = Current {
            locals: &self.frame.locals,
            stack: self.frame.stack(),
            this_uninit: self.frame.this_uninit,
        };
        if let Some(mismatch) = matches(&mut self.pool, &self.map, current, map)? {
            let context = mismatch.context(&self.frame.shown(), &self.map, map);
            return Err(context.fail(format!("Inconsistent stackmap frames at branch target {target}")));
        }
        Ok(())
    }

    fn instruction(&mut self, insn: Insn, in_try: bool) -> Res<Effect> {
        let (bci, op) = (insn.bci, insn.op);
        if insn.wide && op == bc::RET {
            return Err(Context::code(bci).fail("Bad wide instruction"));
        }
        if let Some(effect) = EFFECT.get(usize::from(op)).filter(|e| !e.is_empty()) {
            return self.simple(insn, effect.as_bytes());
        }
        let mut done = Effect {
            falls: true,
            made_this: false,
        };
        match op {
            bc::LDC => self.constant(bci, u16::from(self.code[bci + 1]), false)?,
            bc::LDC_W => self.constant(bci, u16_at(self.code, bci + 1), false)?,
            bc::LDC2_W => self.constant(bci, u16_at(self.code, bci + 1), true)?,
            bc::ILOAD..=bc::ALOAD_3 => self.load(insn)?,
            bc::IALOAD..=bc::SALOAD => self.array_load(bci, op)?,
            bc::ISTORE..=bc::ASTORE_3 => self.store(insn)?,
            bc::IASTORE..=bc::SASTORE => self.array_store(bci, op)?,
            bc::POP2..=bc::SWAP => self.shuffle(bci, op)?,
            bc::IINC => {
                let index = local_index(self.code, insn);
                let ty = self.frame.get(&mut self.pool, index, VType::INT)?;
                self.frame.set(index, ty)?;
            }
            bc::TABLESWITCH | bc::LOOKUPSWITCH => {
                self.switch(bci, op)?;
                done.falls = false;
            }
            bc::IRETURN..=bc::RETURN => {
                self.return_op(bci, op)?;
                done.falls = false;
            }
            bc::GETSTATIC..=bc::PUTFIELD => self.field_op(bci, op)?,
            bc::INVOKEVIRTUAL..=bc::INVOKEDYNAMIC => done.made_this = self.invoke(bci, op, in_try)?,
            bc::NEW..=bc::ANEWARRAY | bc::MULTIANEWARRAY => self.allocate(bci, op)?,
            bc::ARRAYLENGTH => {
                let ty = self.frame.pop(&mut self.pool, VType::ANY_REF)?;
                if ty != VType::NULL && !self.pool.is_array(ty) {
                    return Err(self.bad_operand(bci, None));
                }
                self.frame.push(VType::INT)?;
            }
            bc::CHECKCAST | bc::INSTANCEOF => {
                let class = self.pool.check_class(bci, u16_at(self.code, bci + 1))?;
                let object = self.pool.names.object;
                self.frame.pop(&mut self.pool, object)?;
                let result = if op == bc::CHECKCAST { class } else { VType::INT };
                self.frame.push(result)?;
            }
            bc::ATHROW => {
                let throwable = self.pool.names.throwable;
                self.frame.pop(&mut self.pool, throwable)?;
                done.falls = false;
            }
            bc::GOTO_W => {
                self.branch(bci as i64 + i64::from(i32_at(self.code, bci + 1)))?;
                done.falls = false;
            }
            _ => return Err(Context::code(bci).fail(format!("Bad instruction: {op:02x}"))),
        }
        Ok(done)
    }

    /// An instruction described by what it pops and pushes, and a branch if it is one.
    fn simple(&mut self, insn: Insn, effect: &[u8]) -> Res<Effect> {
        let arrow = effect.iter().position(|b| *b == b'>').unwrap_or(0);
        for letter in effect[..arrow].iter().rev() {
            match letter {
                b'I' => drop(self.frame.pop(&mut self.pool, VType::INT)?),
                b'F' => drop(self.frame.pop(&mut self.pool, VType::FLOAT)?),
                b'J' => self.frame.pop_pair(&mut self.pool, VType::LONG)?,
                b'D' => self.frame.pop_pair(&mut self.pool, VType::DOUBLE)?,
                b'R' => drop(self.frame.pop(&mut self.pool, VType::ANY_REF)?),
                _ => drop(self.frame.pop(&mut self.pool, VType::WORD)?),
            }
        }
        match effect.get(arrow + 1) {
            Some(b'I') => self.frame.push(VType::INT)?,
            Some(b'F') => self.frame.push(VType::FLOAT)?,
            Some(b'J') => self.frame.push_pair(VType::LONG)?,
            Some(b'D') => self.frame.push_pair(VType::DOUBLE)?,
            Some(b'N') => self.frame.push(VType::NULL)?,
            _ => {}
        }
        let branches = matches!(insn.op, bc::IFEQ..=bc::GOTO | bc::IFNULL | bc::IFNONNULL);
        let goto = matches!(insn.op, bc::GOTO | bc::GOTO_W);
        if branches {
            self.branch(insn.bci as i64 + i64::from(i16_at(self.code, insn.bci + 1)))?;
        } else if insn.op == bc::GOTO_W {
            self.branch(insn.bci as i64 + i64::from(i32_at(self.code, insn.bci + 1)))?;
        }
        Ok(Effect {
            falls: !goto,
            made_this: false,
        })
    }

    /// The complaint about the operand popped last.
    #[cold]
    pub fn bad_operand(&self, bci: usize, expected: Option<VType>) -> Fail {
        let expected = expected.map_or(Origin::None, Origin::Implied);
        let name = insn::name(self.code[bci]);
        Context::types(bci, self.frame.top_origin(), expected)
            .fail(format!("Bad type on operand stack in {name}"))
    }

    fn constant(&mut self, bci: usize, index: u16, wide: bool) -> Res<()> {
        const NARROW: [u8; 7] = [
            tag::INTEGER,
            tag::FLOAT,
            tag::STRING,
            tag::CLASS,
            tag::METHOD_HANDLE,
            tag::METHOD_TYPE,
            tag::DYNAMIC,
        ];
        const WIDE: [u8; 3] = [tag::DOUBLE, tag::LONG, tag::DYNAMIC];
        let tags: &[u8] = if wide { &WIDE } else { &NARROW };
        self.pool.check_tag(bci, index, tags)?;
        let names = &self.pool.names;
        match self.pool.file.tag(index) {
            tag::INTEGER => self.frame.push(VType::INT),
            tag::FLOAT => self.frame.push(VType::FLOAT),
            tag::LONG => self.frame.push_pair(VType::LONG),
            tag::DOUBLE => self.frame.push_pair(VType::DOUBLE),
            tag::STRING => self.frame.push(names.string),
            tag::CLASS => self.frame.push(names.class),
            tag::METHOD_HANDLE => self.frame.push(names.method_handle),
            tag::METHOD_TYPE => self.frame.push(names.method_type),
            _ => {
                let dynamic = self.pool.member(index);
                let (start, end) = dynamic.args;
                if end - start != 1 + usize::from(wide) {
                    let tags = &tags[..tags.len() - 1];
                    self.pool.check_tag(bci, index, tags)?;
                }
                (start..end).try_for_each(|i| self.frame.push(self.pool.types[i]))
            }
        }
    }

    fn load(&mut self, insn: Insn) -> Res<()> {
        let (kind, index) = local_kind(self.code, insn, bc::ILOAD, bc::ILOAD_0);
        match kind {
            0 => {
                self.frame.get(&mut self.pool, index, VType::INT)?;
                self.frame.push(VType::INT)
            }
            1 => {
                self.frame.get_pair(index, VType::LONG)?;
                self.frame.push_pair(VType::LONG)
            }
            2 => {
                self.frame.get(&mut self.pool, index, VType::FLOAT)?;
                self.frame.push(VType::FLOAT)
            }
            3 => {
                self.frame.get_pair(index, VType::DOUBLE)?;
                self.frame.push_pair(VType::DOUBLE)
            }
            _ => {
                let ty = self.frame.get(&mut self.pool, index, VType::ANY_REF)?;
                self.frame.push(ty)
            }
        }
    }

    fn store(&mut self, insn: Insn) -> Res<()> {
        let (kind, index) = local_kind(self.code, insn, bc::ISTORE, bc::ISTORE_0);
        match kind {
            0 => {
                self.frame.pop(&mut self.pool, VType::INT)?;
                self.frame.set(index, VType::INT)
            }
            1 => {
                self.frame.pop_pair(&mut self.pool, VType::LONG)?;
                self.frame.set_pair(index, VType::LONG)
            }
            2 => {
                self.frame.pop(&mut self.pool, VType::FLOAT)?;
                self.frame.set(index, VType::FLOAT)
            }
            3 => {
                self.frame.pop_pair(&mut self.pool, VType::DOUBLE)?;
                self.frame.set_pair(index, VType::DOUBLE)
            }
            _ => {
                let ty = self.frame.pop(&mut self.pool, VType::ANY_REF)?;
                self.frame.set(index, ty)
            }
        }
    }

    fn array_load(&mut self, bci: usize, op: u8) -> Res<()> {
        self.frame.pop(&mut self.pool, VType::INT)?;
        let array = self.array_operand(bci, op - bc::IALOAD)?;
        match op {
            bc::LALOAD => self.frame.push_pair(VType::LONG),
            bc::DALOAD => self.frame.push_pair(VType::DOUBLE),
            bc::FALOAD => self.frame.push(VType::FLOAT),
            bc::AALOAD if array == VType::NULL => self.frame.push(VType::NULL),
            bc::AALOAD => {
                let component = self.pool.component(array);
                self.frame.push(component)
            }
            _ => self.frame.push(VType::INT),
        }
    }

    fn array_store(&mut self, bci: usize, op: u8) -> Res<()> {
        match op {
            bc::LASTORE => self.frame.pop_pair(&mut self.pool, VType::LONG)?,
            bc::DASTORE => self.frame.pop_pair(&mut self.pool, VType::DOUBLE)?,
            bc::FASTORE => drop(self.frame.pop(&mut self.pool, VType::FLOAT)?),
            bc::AASTORE => {
                let object = self.pool.names.object;
                self.frame.pop(&mut self.pool, object)?;
            }
            _ => drop(self.frame.pop(&mut self.pool, VType::INT)?),
        }
        self.frame.pop(&mut self.pool, VType::INT)?;
        self.array_operand(bci, op - bc::IASTORE).map(|_| ())
    }

    /// Pops the array of the `kind`-th array instruction.
    fn array_operand(&mut self, bci: usize, kind: u8) -> Res<VType> {
        let array = self.frame.pop(&mut self.pool, VType::ANY_REF)?;
        let letters: &[u8] = [&b"I"[..], b"J", b"F", b"D", b"L[", b"BZ", b"C", b"S"][usize::from(kind)];
        if self.pool.is_array_of(array, letters) {
            return Ok(array);
        }
        let expected = match letters {
            b"L[" => Some(VType::ANY_REF),
            b"BZ" => None,
            _ => Some(self.pool.named(&[b'[', letters[0]])),
        };
        Err(self.bad_operand(bci, expected))
    }

    /// Pops a word, or one half and then the other of a two-word value; topmost first.
    fn pop_two(&mut self, bci: usize) -> Res<[VType; 2]> {
        let top = self.frame.pop_any()?;
        if top.is_word() {
            Ok([top, self.frame.pop(&mut self.pool, VType::WORD)?])
        } else if top.is_second() {
            Ok([top, self.frame.pop(&mut self.pool, VType::PAIR)?])
        } else {
            Err(self.bad_operand(bci, None))
        }
    }

    fn shuffle(&mut self, bci: usize, op: u8) -> Res<()> {
        let word = |c: &mut Self| c.frame.pop(&mut c.pool, VType::WORD);
        match op {
            bc::POP2 => drop(self.pop_two(bci)?),
            bc::DUP => {
                let a = word(self)?;
                self.push_all(&[a, a])?;
            }
            bc::DUP_X1 => {
                let (a, b) = (word(self)?, word(self)?);
                self.push_all(&[a, b, a])?;
            }
            bc::DUP_X2 => {
                let a = word(self)?;
                let [b, c] = self.pop_two(bci)?;
                self.push_all(&[a, c, b, a])?;
            }
            bc::DUP2 => {
                let [a, b] = self.pop_two(bci)?;
                self.push_all(&[b, a, b, a])?;
            }
            bc::DUP2_X1 => {
                let [a, b] = self.pop_two(bci)?;
                let c = word(self)?;
                self.push_all(&[b, a, c, b, a])?;
            }
            bc::DUP2_X2 => {
                let [a, b] = self.pop_two(bci)?;
                let [c, d] = self.pop_two(bci)?;
                self.push_all(&[b, a, d, c, b, a])?;
            }
            _ => {
                let (a, b) = (word(self)?, word(self)?);
                self.push_all(&[a, b])?;
            }
        }
        Ok(())
    }

    fn push_all(&mut self, types: &[VType]) -> Res<()> {
        types.iter().try_for_each(|ty| self.frame.push(*ty))
    }

    fn switch(&mut self, bci: usize, op: u8) -> Res<()> {
        let aligned = (bci & !3) + 4;
        if self.pool.file.major < 51 && self.code[bci + 1..aligned].iter().any(|b| *b != 0) {
            let what = "Nonzero padding byte in lookupswitch or tableswitch";
            return Err(Context::code(bci).fail(what));
        }
        self.frame.pop(&mut self.pool, VType::INT)?;
        let code = self.code;
        let switch = SwitchInsn::at(code, bci);
        if op == bc::LOOKUPSWITCH && (1..switch.len).any(|i| switch.key(i - 1) >= switch.key(i)) {
            return Err(Context::code(bci).fail("Bad lookupswitch instruction"));
        }
        self.branch(switch.default())?;
        (0..switch.len).try_for_each(|i| self.branch(switch.target(i)))
    }

    fn return_op(&mut self, bci: usize, op: u8) -> Res<()> {
        let returns = self.returns;
        let ty = match op {
            bc::IRETURN => self.frame.pop(&mut self.pool, VType::INT)?,
            bc::LRETURN => {
                self.frame.pop(&mut self.pool, VType::LONG2)?;
                self.frame.pop(&mut self.pool, VType::LONG)?
            }
            bc::FRETURN => self.frame.pop(&mut self.pool, VType::FLOAT)?,
            bc::DRETURN => {
                self.frame.pop(&mut self.pool, VType::DOUBLE2)?;
                self.frame.pop(&mut self.pool, VType::DOUBLE)?
            }
            bc::ARETURN => self.frame.pop(&mut self.pool, VType::ANY_REF)?,
            _ => {
                if returns != VType::TOP {
                    return Err(Context::code(bci).fail("Method expects a return value"));
                }
                if self.is_init && self.frame.this_uninit {
                    let what = "Constructor must call super() or this() before return";
                    return Err(Context::code(bci).fail(what));
                }
                return Ok(());
            }
        };
        let context = |c: &Self| Context::types(bci, c.frame.top_origin(), Origin::Signature(returns));
        if returns == VType::TOP {
            return Err(context(self).fail("Method does not expect a return value"));
        }
        if !self.pool.assignable(returns, ty, false)? {
            return Err(context(self).fail("Bad return type"));
        }
        Ok(())
    }

    fn allocate(&mut self, bci: usize, op: u8) -> Res<()> {
        if op == bc::NEWARRAY {
            let kind = usize::from(self.code[bci + 1]);
            let Some(&letter) = kind.checked_sub(4).and_then(|k| b"ZCFDBSIJ".get(k)) else {
                return Err(Context::code(bci).fail("Illegal newarray instruction"));
            };
            let array = self.pool.named(&[b'[', letter]);
            self.frame.pop(&mut self.pool, VType::INT)?;
            return self.frame.push(array);
        }
        let index = u16_at(self.code, bci + 1);
        let class = self.pool.check_class(bci, index)?;
        match op {
            bc::NEW => {
                if !self.pool.is_object(class) {
                    let context = Context::types(bci, Origin::Pool(index, class), Origin::None);
                    return Err(context.fail("Illegal new instruction"));
                }
                self.frame.push(VType::uninit(bci))
            }
            bc::ANEWARRAY => {
                self.frame.pop(&mut self.pool, VType::INT)?;
                if self.dimensions(class) >= 255 {
                    let what = "Illegal anewarray instruction, array has more than 255 dimensions";
                    return Err(Context::code(bci).fail(what));
                }
                let array = self.pool.array_of(class);
                self.frame.push(array)
            }
            _ => {
                if !self.pool.is_array(class) {
                    let context = Context::types(bci, Origin::Pool(index, class), Origin::None);
                    return Err(context.fail("Illegal constant pool index in multianewarray instruction"));
                }
                let dims = usize::from(self.code[bci + 3]);
                if dims < 1 || self.dimensions(class) < dims {
                    let what = format!("Illegal dimension in multianewarray instruction: {dims}");
                    return Err(Context::code(bci).fail(what));
                }
                for _ in 0..dims {
                    self.frame.pop(&mut self.pool, VType::INT)?;
                }
                self.frame.push(class)
            }
        }
    }

    fn dimensions(&self, ty: VType) -> usize {
        let name = ty.name().map_or(&b""[..], |n| self.pool.world.bytes(n));
        name.iter().take_while(|b| **b == b'[').count()
    }
}

/// What an instruction did to the flow.
struct Effect {
    /// Control may go on with the next instruction.
    falls: bool,
    /// It called the constructor of the superclass or of this class on `this`.
    made_this: bool,
}

/// The local variable of a load, store or iinc.
fn local_index(code: &[u8], insn: Insn) -> usize {
    if insn.wide {
        usize::from(u16_at(code, insn.bci + 2))
    } else {
        usize::from(code[insn.bci + 1])
    }
}

/// Kind (int, long, float, double, reference) and local variable of a load or store.
fn local_kind(code: &[u8], insn: Insn, first: u8, short: u8) -> (u8, usize) {
    match insn.op.checked_sub(short) {
        Some(n) => (n / 4, usize::from(n % 4)),
        None => (insn.op - first, local_index(code, insn)),
    }
}

/// The frame that comes to a frame of the stack map.
struct Current<'a> {
    locals: &'a [VType],
    stack: &'a [VType],
    this_uninit: bool,
}

/// Where two frames do not fit.
enum Mismatch {
    StackSize,
    Local(usize),
    Stack(usize),
    Flags,
}

impl Mismatch {
    fn context(self, shown: &Shown, table: &MapTable, map: &MapFrame) -> Context {
        let expected = table.shown(map);
        match self {
            Mismatch::StackSize => {
                Context::frames(shown.bci, Fault::StackSize, shown.clone(), Some(expected))
            }
            Mismatch::Flags => Context::frames(map.bci, Fault::Flags, shown.clone(), Some(expected)),
            Mismatch::Local(i) => {
                let found = shown.locals.get(i).copied().unwrap_or(VType::TOP);
                let wanted = expected.locals[i];
                let (found, expected) = (
                    Origin::Local(i, found, shown.clone()),
                    Origin::MapLocal(i, wanted, expected),
                );
                Context::types(map.bci, found, expected)
            }
            Mismatch::Stack(i) => {
                let found = shown.stack.get(i).copied().unwrap_or(VType::TOP);
                let wanted = expected.stack[i];
                let (found, expected) = (
                    Origin::Stack(i, found, shown.clone()),
                    Origin::MapStack(i, wanted, expected),
                );
                Context::types(map.bci, found, expected)
            }
        }
    }
}

fn matches<W: World>(
    pool: &mut Pool<'_, W>,
    table: &MapTable,
    current: Current<'_>,
    map: &MapFrame,
) -> Res<Option<Mismatch>> {
    let stack = table.stack(map);
    if current.stack.len() != stack.len() {
        return Ok(Some(Mismatch::StackSize));
    }
    for (i, &to) in table.locals(map).iter().enumerate() {
        if !pool.assignable(to, current.locals[i], false)? {
            return Ok(Some(Mismatch::Local(i)));
        }
    }
    for (i, &to) in stack.iter().enumerate() {
        if !pool.assignable(to, current.stack[i], false)? {
            return Ok(Some(Mismatch::Stack(i)));
        }
    }
    if current.this_uninit && !map.this_uninit {
        return Ok(Some(Mismatch::Flags));
    }
    Ok(None)
}
