//! What each instruction takes from the operand stack and leaves there, for the inferring verifier.

use super::infer::{INVOKEINIT, Infer, Res, Stack, fail};
use super::infer_types::{Info, Item};
use super::insn::EFFECT;
use super::world::World;
use crate::classfile::tag;
use crate::link::decode::bc;
use std::rc::Rc;

/// Element letters of the array instructions, in opcode order.
const ARRAYS: &[u8; 8] = b"ILFDABCS";

/// What the stack instructions pop and push: digits name values, `+` joins two words that may be one long.
fn shuffle(op: u8) -> (&'static [u8], &'static [u8]) {
    match op {
        bc::POP => (b"1", b""),
        bc::POP2 => (b"2+1", b""),
        bc::DUP => (b"1", b"11"),
        bc::DUP_X1 => (b"21", b"121"),
        bc::DUP_X2 => (b"3+21", b"1321"),
        bc::DUP2 => (b"2+1", b"2121"),
        bc::DUP2_X1 => (b"32+1", b"21321"),
        bc::DUP2_X2 => (b"4+32+1", b"214321"),
        _ => (b"21", b"12"),
    }
}

impl<W: World> Infer<'_, '_, W> {
    fn take(&self, stack: &mut Stack) -> Res<Info> {
        match Rc::make_mut(&mut stack.types).pop() {
            Some(ty) => {
                stack.size -= 1 + usize::from(ty.is_pair());
                Ok(ty)
            }
            None => fail("Unable to pop operand off an empty stack"),
        }
    }

    fn take_exactly(&self, stack: &mut Stack, ty: Info, name: &str) -> Res<()> {
        if self.take(stack)? != ty {
            return fail(format!("Expecting to find {name} on stack"));
        }
        Ok(())
    }

    fn take_letter(&mut self, i: usize, stack: &mut Stack, letter: u8) -> Res<Info> {
        match letter {
            b'I' => self.take_exactly(stack, Info::INT, "integer").map(|()| Info::INT),
            b'F' => self
                .take_exactly(stack, Info::FLOAT, "float")
                .map(|()| Info::FLOAT),
            b'D' => self
                .take_exactly(stack, Info::DOUBLE, "double")
                .map(|()| Info::DOUBLE),
            b'J' | b'L' => self.take_exactly(stack, Info::LONG, "long").map(|()| Info::LONG),
            _ => self.take_reference(i, stack),
        }
    }

    /// Pops an object or array; some instructions take uninitialised ones too.
    fn take_reference(&mut self, i: usize, stack: &mut Stack) -> Res<Info> {
        let top = self.take(stack)?;
        if top.is_reference() {
            return Ok(top);
        }
        let op = self.insns[i].op;
        if top.item() == Item::ReturnAddress && op == bc::ASTORE {
            return Ok(top);
        }
        let uninit = matches!(top.item(), Item::NewObject | Item::InitObject);
        if uninit && matches!(op, bc::ASTORE | bc::ALOAD | bc::IFNULL | bc::IFNONNULL) {
            return Ok(top);
        }
        // A constructor may set the class's own fields before it calls the superclass's.
        if top.item() == Item::InitObject
            && op == bc::PUTFIELD
            && self.insns[i].info2 == self.types.this
            && self.types.declares_field(self.insns[i].operand)
        {
            return Ok(self.types.this);
        }
        fail("Expecting to find object/array on stack")
    }

    fn take_array(&mut self, stack: &mut Stack, letter: u8) -> Res<Info> {
        let top = self.take(stack)?;
        if top == Info::NULL {
            return Ok(top);
        }
        let is = |item| top == Info::new(item, 1, 0);
        let (fits, name) = match letter {
            b'I' => (is(Item::Integer), "ints"),
            b'L' => (is(Item::Long), "longs"),
            b'F' => (is(Item::Float), "floats"),
            b'D' => (is(Item::Double), "doubles"),
            b'B' => (is(Item::Byte) || is(Item::Boolean), "bytes or Booleans"),
            b'C' => (is(Item::Char), "chars"),
            b'S' => (is(Item::Short), "shorts"),
            b'A' => (
                top.dims() > 1 || (top.dims() == 1 && top.item() == Item::Object),
                "objects or arrays",
            ),
            _ if top.dims() == 0 => return fail("Expecting to find array on stack"),
            _ => return Ok(top),
        };
        if fits {
            Ok(top)
        } else {
            fail(format!("Expecting to find array of {name} on stack"))
        }
    }

    /// Pops what instruction `i` takes, and checks the classes of objects.
    pub fn pop(&mut self, i: usize, stack: &mut Stack) -> Res<()> {
        let op = self.insns[i].op;
        if op != INVOKEINIT {
            let effect = EFFECT.get(usize::from(op)).copied().unwrap_or("").as_bytes();
            if op != bc::POP && !effect.is_empty() {
                let pops = effect.iter().position(|b| *b == b'>').unwrap_or(0);
                for &letter in effect[..pops].iter().rev() {
                    self.take_letter(i, stack, letter)?;
                }
                return Ok(());
            }
        }
        match op {
            bc::IALOAD..=bc::SALOAD => {
                self.take_letter(i, stack, b'I')?;
                let array = self.take_array(stack, ARRAYS[usize::from(op - bc::IALOAD)])?;
                self.swap[0] = array.component();
                Ok(())
            }
            bc::IASTORE..=bc::SASTORE => {
                let letter = ARRAYS[usize::from(op - bc::IASTORE)];
                let value = if matches!(letter, b'B' | b'C' | b'S') {
                    b'I'
                } else {
                    letter
                };
                self.take_letter(i, stack, value)?;
                self.take_letter(i, stack, b'I')?;
                self.take_array(stack, letter).map(|_| ())
            }
            bc::ISTORE..=bc::ASTORE => {
                let letter = b"ILFDA"[usize::from(op - bc::ISTORE)];
                self.take_letter(i, stack, letter).map(|_| ())
            }
            bc::POP..=bc::SWAP => self.pop_shuffled(shuffle(op).0, stack),
            bc::TABLESWITCH | bc::LOOKUPSWITCH | bc::NEWARRAY | bc::ANEWARRAY => {
                self.take_letter(i, stack, b'I').map(|_| ())
            }
            bc::IRETURN..=bc::RETURN => self.pop_result(i, stack),
            bc::PUTSTATIC | bc::GETFIELD | bc::PUTFIELD => self.pop_field(i, stack),
            bc::INVOKEVIRTUAL..=bc::INVOKEINTERFACE | INVOKEINIT => self.pop_call(i, stack),
            bc::ARRAYLENGTH => self.take_array(stack, b'?').map(|_| ()),
            bc::CHECKCAST | bc::INSTANCEOF => self.take_reference(i, stack).map(|_| ()),
            bc::ATHROW => {
                let top = self.take(stack)?;
                if top.item() != Item::Object || top.dims() != 0 {
                    return fail("Expecting to find object on stack");
                }
                let throwable = self.types.throwable;
                if !self.types.assignable(top, throwable)? {
                    return fail("Can only throw Throwable objects");
                }
                Ok(())
            }
            bc::MULTIANEWARRAY => {
                for _ in 0..self.insns[i].operand {
                    self.take_letter(i, stack, b'I')?;
                }
                Ok(())
            }
            bc::NEW => {
                let new = self.insns[i].info;
                if stack.types.contains(&new) {
                    return fail("Uninitialized object on stack at creating point");
                }
                self.swap[..2].copy_from_slice(&[new, Info::BOGUS]);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn pop_shuffled(&mut self, pattern: &[u8], stack: &mut Stack) -> Res<()> {
        let mut at = pattern.len();
        while at > 0 {
            at -= 1;
            let slot = usize::from(pattern[at] - b'1');
            let joined = at > 0 && pattern[at - 1] == b'+';
            let top = self.take(stack)?;
            if top.is_pair() {
                if !joined {
                    return fail("Attempt to split long or double on the stack");
                }
                // The lower word stands for the whole value when it is pushed again.
                self.swap[slot] = top.second();
                self.swap[usize::from(pattern[at - 2] - b'1')] = top;
                at -= 2;
            } else {
                self.swap[slot] = top;
                at -= usize::from(joined);
            }
        }
        Ok(())
    }

    fn pop_result(&mut self, i: usize, stack: &mut Stack) -> Res<()> {
        let op = self.insns[i].op;
        let fits = if op == bc::RETURN {
            self.returns == Info::VOID
        } else {
            let letter = b"ILFDA"[usize::from(op - bc::IRETURN)];
            let top = self.take_letter(i, stack, letter)?;
            let returns = self.returns;
            self.types.assignable(top, returns)?
        };
        if fits {
            Ok(())
        } else {
            fail("Wrong return type in function")
        }
    }

    fn letter_of(info: Info) -> u8 {
        match info {
            Info::INT => b'I',
            Info::FLOAT => b'F',
            Info::LONG => b'L',
            Info::DOUBLE => b'D',
            _ => b'A',
        }
    }

    fn pop_field(&mut self, i: usize, stack: &mut Stack) -> Res<()> {
        let op = self.insns[i].op;
        let field = self.field_info(self.insns[i].operand);
        let mut value = Info::BOGUS;
        if op != bc::GETFIELD {
            value = self.take_letter(i, stack, Self::letter_of(field))?;
        }
        if op != bc::PUTSTATIC {
            let object = self.take_reference(i, stack)?;
            let class = self.insns[i].info2;
            if !self.types.assignable(object, class)? {
                return fail("Incompatible type for getting or setting field");
            }
            let this = self.types.this;
            if self.insns[i].protected && !self.types.assignable(object, this)? {
                return fail("Bad access to protected data");
            }
        }
        if op != bc::GETFIELD && !self.types.assignable(value, field)? {
            return fail("Bad type in putfield/putstatic");
        }
        Ok(())
    }

    fn pop_call(&mut self, i: usize, stack: &mut Stack) -> Res<()> {
        let (op, class) = (self.insns[i].op, self.insns[i].info2);
        let index = self.insns[i].operand;
        let name = self
            .file
            .member(index as u16)
            .map_or(&b""[..], |(_, name, _)| name);
        let call = self.types.call(index);
        let mut args = Vec::with_capacity(call.params.len());
        for &param in call.params.iter().rev() {
            args.push(self.take_letter(i, stack, Self::letter_of(param))?);
        }
        if op == INVOKEINIT {
            self.check_init(i, stack)?;
        } else if op != bc::INVOKESTATIC {
            let object = self.take_reference(i, stack)?;
            if !self.types.assignable(object, class)? {
                return fail("Incompatible object argument for function call");
            }
            let this = self.types.this;
            if op == bc::INVOKESPECIAL && !self.types.assignable(object, this)? {
                return fail("Incompatible object argument for invokespecial");
            }
            if self.insns[i].protected && !self.types.assignable(object, this)? {
                // Arrays have a public clone().
                if class != self.types.object || object.dims() == 0 || name != b"clone" {
                    return fail("Bad access to protected data");
                }
            }
        }
        for (&param, &arg) in call.params.iter().zip(args.iter().rev()) {
            if param.is_reference() && !self.types.assignable(arg, param)? {
                return fail("Incompatible argument to function");
            }
        }
        Ok(())
    }

    fn check_init(&mut self, i: usize, stack: &mut Stack) -> Res<()> {
        let class = self.insns[i].info2;
        let object = self.take(stack)?;
        let made = match object.item() {
            Item::NewObject => {
                let made = self.insns[object.extra() as usize].info2;
                if made != class {
                    return fail("Call to wrong initialization method");
                }
                if self.insns[i].protected {
                    return fail("Bad access to protected data");
                }
                made
            }
            Item::InitObject => {
                if Some(class) != self.types.superclass() && class != self.types.this {
                    return fail("Call to wrong initialization method");
                }
                self.types.this
            }
            _ => return fail("Expecting to find unitialized object on stack"),
        };
        self.swap[..2].copy_from_slice(&[object, made]);
        Ok(())
    }

    fn put(stack: &mut Stack, ty: Info) {
        if ty != Info::VOID {
            stack.size += 1 + usize::from(ty.is_pair());
            Rc::make_mut(&mut stack.types).push(ty);
        }
    }

    /// Pushes what instruction `i` leaves.
    pub fn push(&mut self, i: usize, stack: &mut Stack, locals: &[Info]) -> Res<()> {
        let insn = &self.insns[i];
        let (op, operand, info) = (insn.op, insn.operand, insn.info);
        if let Some(effect) = EFFECT.get(usize::from(op)).filter(|e| !e.is_empty()) {
            match effect.as_bytes().last() {
                Some(b'I') => Self::put(stack, Info::INT),
                Some(b'F') => Self::put(stack, Info::FLOAT),
                Some(b'J') => Self::put(stack, Info::LONG),
                Some(b'D') => Self::put(stack, Info::DOUBLE),
                Some(b'N') => Self::put(stack, Info::NULL),
                _ => {}
            }
            return Ok(());
        }
        match op {
            bc::LDC | bc::LDC_W | bc::LDC2_W => {
                let ty = match self.file.tag(operand as u16) {
                    tag::INTEGER => Info::INT,
                    tag::FLOAT => Info::FLOAT,
                    tag::LONG => Info::LONG,
                    tag::DOUBLE => Info::DOUBLE,
                    tag::STRING => self.types.string,
                    _ => self.types.class,
                };
                Self::put(stack, ty);
            }
            bc::ILOAD..=bc::ALOAD => {
                let fixed = [Info::INT, Info::LONG, Info::FLOAT, Info::DOUBLE];
                let ty = fixed.get(usize::from(op - bc::ILOAD)).copied();
                Self::put(stack, ty.unwrap_or_else(|| locals[operand]));
            }
            bc::IALOAD..=bc::SALOAD => {
                let ty = match op {
                    bc::LALOAD => Info::LONG,
                    bc::FALOAD => Info::FLOAT,
                    bc::DALOAD => Info::DOUBLE,
                    bc::AALOAD => self.swap[0],
                    _ => Info::INT,
                };
                Self::put(stack, ty);
            }
            bc::DUP..=bc::SWAP => {
                let mut skip = false;
                for digit in shuffle(op).1 {
                    if std::mem::take(&mut skip) {
                        continue;
                    }
                    let ty = self.swap[usize::from(digit - b'1')];
                    skip = ty.is_pair();
                    Self::put(stack, ty);
                }
            }
            bc::JSR | bc::JSR_W => Self::put(stack, Info::new(Item::ReturnAddress, 0, operand as u32)),
            bc::GETSTATIC | bc::GETFIELD => {
                let ty = self.field_info(operand);
                Self::put(stack, ty);
            }
            bc::INVOKEVIRTUAL..=bc::INVOKEINTERFACE | INVOKEINIT => self.push_result(i, stack),
            bc::NEW | bc::CHECKCAST | bc::NEWARRAY | bc::ANEWARRAY | bc::MULTIANEWARRAY => {
                Self::put(stack, info);
            }
            bc::ARRAYLENGTH | bc::INSTANCEOF => Self::put(stack, Info::INT),
            _ => {}
        }
        Ok(())
    }

    fn push_result(&mut self, i: usize, stack: &mut Stack) {
        Self::put(stack, self.types.call(self.insns[i].operand).result);
        if self.insns[i].op == INVOKEINIT {
            let [from, to, ..] = self.swap;
            if stack.types.contains(&from) {
                for ty in Rc::make_mut(&mut stack.types) {
                    if *ty == from {
                        *ty = to;
                    }
                }
            }
        }
    }
}
