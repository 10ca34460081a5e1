//! Type checking of field accesses and calls: receivers, protected members, constructors.

use super::check::Checker;
use super::error::{Context, Origin, Problem, Res};
use super::pool::Ref;
use super::types::VType;
use super::world::{Member, World};
use crate::classfile::tag;
use crate::link::decode::{bc, u16_at};

impl<W: World> Checker<'_, W> {
    fn push_range(&mut self, start: usize, end: usize) -> Res<()> {
        (start..end).try_for_each(|i| self.frame.push(self.pool.types[i]))
    }

    /// Pops values of these types, the last one first.
    fn pop_range(&mut self, (start, end): (usize, usize)) -> Res<()> {
        for i in (start..end).rev() {
            let ty = self.pool.types[i];
            self.frame.pop(&mut self.pool, ty)?;
        }
        Ok(())
    }

    pub fn field_op(&mut self, bci: usize, op: u8) -> Res<()> {
        let index = u16_at(self.code, bci + 1);
        self.pool.check_tag(bci, index, &[tag::FIELD])?;
        let field = self.pool.member(index);
        let is_static = matches!(op, bc::GETSTATIC | bc::PUTSTATIC);
        let may_be = self.pool.is_object(field.class) || (is_static && self.pool.is_array(field.class));
        if !may_be {
            let what = format!(
                "Expecting reference to class in class {} at constant pool index {index}",
                self.pool.java_name()
            );
            return Err(Context::types(bci, Origin::Pool(index, field.class), Origin::None).fail(what));
        }
        let (start, end) = field.args;
        match op {
            bc::GETSTATIC => self.push_range(start, end),
            bc::PUTSTATIC => self.pop_range(field.args),
            bc::GETFIELD => {
                let object = self.frame.pop(&mut self.pool, field.class)?;
                self.check_protected_field(bci, field, object, "getfield")?;
                self.push_range(start, end)
            }
            _ => {
                self.pop_range(field.args)?;
                let mut object = self.frame.pop_any()?;
                // A constructor may set the class's own fields before it calls the superclass's.
                if object == VType::UNINIT_THIS
                    && field.class == self.pool.this
                    && self.pool.world.declares_field(field.name, field.desc)
                {
                    object = self.pool.this;
                }
                if !self.pool.assignable(field.class, object, false)? {
                    let (found, expected) = (self.frame.top_origin(), Origin::Pool(index, field.class));
                    let context = Context::types(bci, found, expected);
                    return Err(context.fail("Bad type on operand stack in putfield"));
                }
                self.check_protected_field(bci, field, object, "putfield")
            }
        }
    }

    fn check_protected_field(&mut self, bci: usize, field: Ref, object: VType, op: &str) -> Res<()> {
        if object == self.pool.this || !self.is_protected(field, false)? {
            return Ok(());
        }
        self.check_receiver(bci, object, op)
    }

    /// The receiver of a protected member of a superclass in another package must be of this class.
    fn check_receiver(&mut self, bci: usize, object: VType, op: &str) -> Res<()> {
        let this = self.pool.this;
        if self.pool.assignable(this, object, true)? {
            return Ok(());
        }
        let context = Context::types(bci, self.frame.top_origin(), Origin::Implied(this));
        Err(context.fail(format!("Bad access to protected data in {op}")))
    }

    /// Whether a member of a superclass is protected, and its class in another package.
    fn is_protected(&mut self, member: Ref, method: bool) -> Res<bool> {
        match member.class.name() {
            Some(owner) if self.pool.supers.contains(&owner) => {
                let member = Member {
                    method,
                    name: member.name,
                    desc: member.desc,
                };
                Ok(self.pool.world.is_protected_elsewhere(owner, member)?)
            }
            _ => Ok(false),
        }
    }

    /// Checks a call; whether it was the constructor call that makes `this` an object.
    pub fn invoke(&mut self, bci: usize, op: u8, in_try: bool) -> Res<bool> {
        let index = u16_at(self.code, bci + 1);
        let major = self.pool.file.major;
        let tags: &[u8] = match op {
            bc::INVOKEINTERFACE => &[tag::INTERFACE_METHOD],
            bc::INVOKEDYNAMIC => &[tag::INVOKE_DYNAMIC],
            bc::INVOKESPECIAL | bc::INVOKESTATIC if major >= 52 => &[tag::INTERFACE_METHOD, tag::METHOD],
            _ => &[tag::METHOD],
        };
        self.pool.check_tag(bci, index, tags)?;
        if op == bc::INVOKEDYNAMIC && major < 51 {
            let what = format!(
                "invokedynamic instructions not supported by this class file version ({major}), class {}",
                self.pool.java_name()
            );
            return Err(super::error::Fail(Box::new(Problem::Format(what))));
        }
        let method = self.pool.member(index);
        self.check_operands(bci, op, method)?;
        let is_init = method.name == b"<init>";
        if method.name.first() == Some(&b'<') {
            if op != bc::INVOKESPECIAL || !is_init {
                return Err(Context::code(bci).fail("Illegal call to internal method"));
            }
        } else if op == bc::INVOKESPECIAL {
            self.check_special(bci, index, method)?;
        }
        self.pop_range(method.args)?;
        let mut made_this = false;
        match op {
            bc::INVOKESTATIC | bc::INVOKEDYNAMIC => {}
            _ if is_init => made_this = self.invoke_init(bci, index, method, in_try)?,
            bc::INVOKESPECIAL => {
                let this = self.pool.this;
                self.frame.pop(&mut self.pool, this)?;
            }
            bc::INVOKEVIRTUAL => {
                let object = self.frame.pop(&mut self.pool, method.class)?;
                if object != self.pool.this && self.is_protected(method, true)? {
                    // Arrays have a public clone().
                    let array_clone = method.class == self.pool.names.object
                        && method.name == b"clone"
                        && self.pool.is_array(object);
                    if !array_clone {
                        self.check_receiver(bci, object, "invokevirtual")?;
                    }
                }
            }
            _ => drop(self.frame.pop(&mut self.pool, method.class)?),
        }
        if is_init && method.end > method.args.1 {
            return Err(Context::code(bci).fail("Return type must be void in <init> method"));
        }
        self.push_range(method.args.1, method.end)?;
        Ok(made_this)
    }

    /// The extra operand bytes of invokeinterface and invokedynamic.
    fn check_operands(&self, bci: usize, op: u8, method: Ref) -> Res<()> {
        if op == bc::INVOKEINTERFACE {
            let words = method.args.1 - method.args.0;
            if usize::from(self.code[bci + 3]) != words + 1 {
                let what = "Inconsistent args count operand in invokeinterface";
                return Err(Context::code(bci).fail(what));
            }
            if self.code[bci + 4] != 0 {
                let what = "Fourth operand byte of invokeinterface must be zero";
                return Err(Context::code(bci).fail(what));
            }
        }
        if op == bc::INVOKEDYNAMIC && self.code[bci + 3..bci + 5] != [0, 0] {
            let what = "Third and fourth operand bytes of invokedynamic must be zero";
            return Err(Context::code(bci).fail(what));
        }
        Ok(())
    }

    /// invokespecial of an ordinary method: of this class, a superclass or a direct superinterface.
    fn check_special(&mut self, bci: usize, index: u16, method: Ref) -> Res<()> {
        let name = method.class.name();
        if method.class == self.pool.this
            || name.is_some_and(|n| self.pool.supers.first() == Some(&n))
            || name.is_some_and(|n| self.pool.world.interfaces().contains(&n))
        {
            return Ok(());
        }
        let this = self.pool.this;
        let what = if !self.pool.assignable(method.class, this, false)? {
            "Bad invokespecial instruction: current class isn't assignable to reference class."
        } else if self.pool.file.tag(index) == tag::INTERFACE_METHOD {
            "Bad invokespecial instruction: interface method reference is in an indirect superinterface."
        } else {
            return Ok(());
        };
        Err(Context::code(bci).fail(what))
    }

    fn invoke_init(&mut self, bci: usize, index: u16, method: Ref, in_try: bool) -> Res<bool> {
        let object = self.frame.pop(&mut self.pool, VType::ANY_REF)?;
        if object == VType::UNINIT_THIS {
            self.call_super(bci, method, in_try)?;
            return Ok(true);
        }
        if !object.is_uninit() {
            let context = Context::types(bci, self.frame.top_origin(), Origin::None);
            return Err(context.fail("Bad operand type when invoking <init>"));
        }
        let new_index = u16_at(self.code, object.new_bci() + 1);
        let class = self.pool.check_class(bci, new_index)?;
        if class != method.class {
            let context = Context::types(
                bci,
                Origin::Pool(new_index, class),
                Origin::Pool(index, method.class),
            );
            return Err(context.fail("Call to wrong <init> method"));
        }
        if self.is_protected(method, true)? {
            let this = self.pool.this;
            if !self.pool.assignable(this, class, true)? {
                let context = Context::types(bci, Origin::Pool(new_index, class), Origin::Implied(this));
                return Err(context.fail("Bad access to protected <init> method"));
            }
        }
        if in_try {
            self.match_handlers(self.frame.this_uninit)?;
        }
        self.frame.initialize(object, class);
        Ok(false)
    }

    /// `super(…)` or `this(…)` in a constructor.
    fn call_super(&mut self, bci: usize, method: Ref, in_try: bool) -> Res<()> {
        let this = self.pool.this;
        let super_name = self.pool.supers.first().copied();
        if method.class != this && method.class.name() != super_name {
            let context = Context::types(bci, Origin::Implied(method.class), Origin::Implied(this));
            return Err(context.fail("Bad <init> method call"));
        }
        if in_try {
            if self.pool.world.rules().handlers_must_throw {
                self.check_handlers_throw(bci)?;
            }
            self.match_handlers(true)?;
        }
        self.frame.initialize(VType::UNINIT_THIS, this);
        Ok(())
    }
}
