//! Resolving an unresolved op into the form that runs.

use crate::classes::class::{CpEntry, InitState, Kind, acc};
use crate::classfile::tag;
use crate::ids::{ClassId, FieldId, MethodId, ObjRef};
use crate::link::op::Op;
use crate::natives::{Ctx, decline};
use crate::stop::Stop;
use crate::vm::{HotMethod, Vm};

/// Stands where an accessor's call finds that it needs no frame; run as a native it leaves all to the method's body.
fn accessor(_: &mut Ctx<'_>) -> Result<u64, Stop> {
    Err(decline())
}

impl Vm {
    /// If the running method does nothing but return a field of its receiver, and that is resolved now, calls need no
    /// frame for it any more.
    pub(crate) fn note_accessor(&mut self) {
        if let Some(m) = self.threads.cur().frames.last().map(|f| f.method) {
            self.note_accessor_of(m);
        }
    }

    /// The same for any method.
    pub(crate) fn note_accessor_of(&mut self, m: MethodId) {
        if self.heap.logs_reads() {
            return;
        }
        let method = &self.methods[m.index()];
        let &[first, last] = &*method.ops else { return };
        let (way, off) = match (first, last) {
            (Op::Gf4 { d, obj: 0, off }, Op::Ret { s }) if d == s => (HotMethod::READ_4, off),
            (Op::Gf8 { d, obj: 0, off }, Op::Ret { s }) if d == s => (HotMethod::READ_8, off),
            (Op::Gf1 { d, obj: 0, off }, Op::Ret { s } | Op::RetB { s }) if d == s => {
                (HotMethod::READ_BYTE, off)
            }
            (Op::Gf1 { d, obj: 0, off }, Op::RetZ { s }) if d == s => (HotMethod::READ_BOOLEAN, off),
            _ => return,
        };
        let hot = &mut self.hot[m.index()];
        let special = hot.flags & (HotMethod::SYNCHRONIZED | HotMethod::STATIC) != 0 || hot.leaf.is_some();
        // An old body that is still running is not what calls of the method get.
        if !special && off < HotMethod::FAR && hot.code == method.ops.as_ptr() {
            hot.accessor = way * HotMethod::FAR + off;
            hot.leaf = Some(accessor);
        }
    }

    /// The resolved form of an op that needs no initialised class.
    pub(crate) fn quicken(&mut self, op: Op) -> Result<Op, Stop> {
        let from = self.current_class();
        self.quicken_in(from, op)
    }

    /// The same for an op of a class.
    pub(crate) fn quicken_in(&mut self, from: ClassId, op: Op) -> Result<Op, Stop> {
        match op {
            Op::LdcU { d, cp } => self.resolve_constant(from, d, cp),
            Op::GetFieldU { d, obj, cp } => {
                let f = self.resolve_instance_field(from, cp)?;
                let field = self.field(f);
                let off = field.offset;
                Ok(match field.letter {
                    b'Z' | b'B' => Op::Gf1 { d, obj, off },
                    b'C' => Op::Gf2U { d, obj, off },
                    b'S' => Op::Gf2S { d, obj, off },
                    b'J' | b'D' => Op::Gf8 { d, obj, off },
                    _ => Op::Gf4 { d, obj, off },
                })
            }
            Op::PutFieldU { obj, v, cp } => {
                let f = self.resolve_instance_field(from, cp)?;
                self.check_final_write(from, f)?;
                let field = self.field(f);
                let off = field.offset;
                Ok(match field.letter {
                    b'Z' => Op::PfZ { obj, v, off },
                    b'B' => Op::Pf1 { obj, v, off },
                    b'C' | b'S' => Op::Pf2 { obj, v, off },
                    b'J' | b'D' => Op::Pf8 { obj, v, off },
                    b'L' | b'[' => Op::PfA { obj, v, off },
                    _ => Op::Pf4 { obj, v, off },
                })
            }
            Op::InvokeVirtualU { args, n, cp } => self.resolve_virtual(from, args, n, cp),
            Op::InvokeSpecialU { args, cp, .. } => {
                let m = self.resolve_special(from, cp)?;
                let method = self.method(m);
                if method.class == self.known.object && self.syms.bytes(method.name) == b"<init>" {
                    return Ok(Op::InvokeObjectInit { args });
                }
                Ok(Op::InvokeSpecial { args, m: m.0 })
            }
            Op::InvokeInterfaceU { args, cp, .. } => {
                let m = self.resolve_method(from, cp, true)?;
                let method = self.method(m);
                if method.is_static() {
                    return Err(self.expected_instance(m));
                }
                if method.is_private() {
                    return Ok(Op::InvokeSpecial { args, m: m.0 });
                }
                if method.vindex >= 0 {
                    // A method of Object, called on an interface type.
                    return Ok(Op::InvokeVirtual {
                        args,
                        vindex: method.vindex as u32,
                        m: m.0,
                    });
                }
                Ok(Op::InvokeInterface {
                    args,
                    m: m.0,
                    class: 0,
                    target: 0,
                })
            }
            Op::InvokeDynamicU { args, n, cp } => {
                let site = self.link_call_site(from, cp, self.current_site())?;
                if site.constant {
                    return Ok(Op::LdcRef {
                        d: args,
                        obj: site.appendix.0,
                    });
                }
                Ok(Op::InvokeLinked {
                    args,
                    n,
                    m: site.method.0,
                    appendix: site.appendix.0,
                })
            }
            Op::CheckCastU { s, cp } => Ok(Op::CheckCast {
                s,
                class: self.resolve_class(from, cp)?.0,
            }),
            Op::InstanceOfU { d, s, cp } => Ok(Op::InstanceOf {
                d,
                s,
                class: self.resolve_class(from, cp)?.0,
            }),
            Op::ANewArrayU { d, len, cp } => {
                let element = self.resolve_class(from, cp)?;
                Ok(Op::ANewArray {
                    d,
                    len,
                    class: self.array_class_of(element)?.0,
                })
            }
            other => Err(Stop::bug(format!("no resolved form of {other:?}"))),
        }
    }

    /// The resolved form of an op that needs its class initialised; and whether it is, for good.
    pub(crate) fn quicken_static(&mut self, op: Op) -> Result<(Op, bool), Stop> {
        let from = self.current_class();
        self.quicken_static_in(from, op)
    }

    /// The same for an op of a class.
    pub(crate) fn quicken_static_in(&mut self, from: ClassId, op: Op) -> Result<(Op, bool), Stop> {
        match op {
            Op::GetStaticU { d, cp } => {
                let (f, at, done) = self.resolve_static_field(from, cp)?;
                let op = match self.field(f).letter {
                    b'Z' | b'B' => Op::Gs1 { d, at },
                    b'C' => Op::Gs2U { d, at },
                    b'S' => Op::Gs2S { d, at },
                    b'J' | b'D' => Op::Gs8 { d, at },
                    _ => Op::Gs4 { d, at },
                };
                Ok((op, done))
            }
            Op::PutStaticU { v, cp } => {
                let (f, at, done) = self.resolve_static_field(from, cp)?;
                self.check_final_write(from, f)?;
                let op = match self.field(f).letter {
                    b'Z' => Op::PsZ { v, at },
                    b'B' => Op::Ps1 { v, at },
                    b'C' | b'S' => Op::Ps2 { v, at },
                    b'J' | b'D' => Op::Ps8 { v, at },
                    b'L' | b'[' => Op::PsA { v, at },
                    _ => Op::Ps4 { v, at },
                };
                Ok((op, done))
            }
            Op::InvokeStaticU { args, n, cp } => self.resolve_static_call(from, args, n, cp),
            Op::NewU { d, cp } => {
                let class = self.resolve_class(from, cp)?;
                let c = self.class(class);
                if c.access & (acc::ABSTRACT | acc::INTERFACE) != 0
                    || c.kind != Kind::Instance
                    || class == self.known.class
                {
                    let name = self.java_name(class);
                    return Err(self.throw("java/lang/InstantiationError", Some(&name)));
                }
                self.ensure_initialized(class)?;
                Ok((Op::New { d, class: class.0 }, self.is_initialized(class)))
            }
            other => Err(Stop::bug(format!("no resolved form of {other:?}"))),
        }
    }

    fn resolve_instance_field(&mut self, from: ClassId, cp: u16) -> Result<FieldId, Stop> {
        let f = self.resolve_field(from, cp)?;
        if self.field(f).is_static() {
            let message = format!("Expected non-static field {}", self.field_text(f));
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        Ok(f)
    }

    fn field_text(&self, f: FieldId) -> String {
        let field = self.field(f);
        format!("{}.{}", self.java_name(field.class), self.syms.str(field.name))
    }

    fn resolve_static_field(&mut self, from: ClassId, cp: u16) -> Result<(FieldId, u32, bool), Stop> {
        let f = self.resolve_field(from, cp)?;
        let field = self.field(f);
        let class = field.class;
        if !field.is_static() {
            let message = format!("Expected static field {}", self.field_text(f));
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        self.ensure_initialized(class)?;
        let at = self.mirror(class).0 + self.field(f).offset / 8;
        Ok((f, at, self.is_initialized(class)))
    }

    /// A final field is written only by its own class (and, since class file version 53, its initialisers).
    fn check_final_write(&mut self, from: ClassId, f: FieldId) -> Result<(), Stop> {
        let field = self.field(f);
        if field.access & acc::FINAL == 0 {
            return Ok(());
        }
        let (kind, initializer) = if field.is_static() {
            ("static", "<clinit>")
        } else {
            ("non-static", "<init>")
        };
        let own = self.class(from).version_of.unwrap_or(from);
        let message = if field.class != own {
            format!(
                "Update to {kind} final field {} attempted from a different class ({}) than the field's \
                 declaring class",
                self.field_text(f),
                self.java_name(from)
            )
        } else {
            let method = self.threads.cur().frames.last().map(|f| f.method);
            let method = method.map_or("", |m| self.syms.str(self.method(m).name));
            if method == initializer || self.class(from).file.is_none_or(|file| file.major < 53) {
                return Ok(());
            }
            format!(
                "Update to {kind} final field {} attempted from a different method ({method}) than the \
                 initializer method {initializer} ",
                self.field_text(f)
            )
        };
        Err(self.throw("java/lang/IllegalAccessError", Some(&message)))
    }

    fn expected_instance(&mut self, m: MethodId) -> Stop {
        let message = format!("Expected non-static method '{}'", self.method_text(m));
        self.throw("java/lang/IncompatibleClassChangeError", Some(&message))
    }

    /// The signature-polymorphic method a reference names, if it names one: (declaring class, name, descriptor).
    fn polymorphic(&mut self, from: ClassId, cp: u16) -> Result<Option<MethodId>, Stop> {
        let Some(file) = self.class(from).file else {
            return Ok(None);
        };
        let Some((class_cp, name, _)) = file.member(cp) else {
            return Ok(None);
        };
        if !matches!(
            file.class_name(class_cp),
            Some(b"java/lang/invoke/MethodHandle" | b"java/lang/invoke/VarHandle")
        ) {
            return Ok(None);
        }
        let owner = self.resolve_class(from, class_cp)?;
        let name = self.syms.intern(name);
        let found = self.class(owner).methods.iter().copied().find(|m| {
            let m = self.method(*m);
            m.name == name && m.traits.signature_polymorphic
        });
        Ok(found)
    }

    fn resolve_virtual(&mut self, from: ClassId, args: u16, n: u16, cp: u16) -> Result<Op, Stop> {
        if let Some(m) = self.polymorphic(from, cp)? {
            if self.syms.bytes(self.method(m).name) == b"invokeBasic" {
                return Ok(Op::InvokeBasic { args, n });
            }
            let method = self.method(m);
            let (class, name) = (method.class, self.syms.bytes(method.name));
            let desc = self
                .class(from)
                .file
                .and_then(|f| f.member(cp))
                .map_or(&b""[..], |m| m.2);
            let desc = self.syms.intern(desc);
            let site = self.link_method(from, cp, class, name, desc)?;
            return Ok(Op::InvokeLinked {
                args,
                n,
                m: site.method.0,
                appendix: site.appendix.0,
            });
        }
        let m = self.resolve_method(from, cp, false)?;
        let method = self.method(m);
        if method.is_static() {
            return Err(self.expected_instance(m));
        }
        if method.is_private() || method.access & acc::FINAL != 0 && !self.class(method.class).is_interface()
        {
            return Ok(Op::InvokeSpecial { args, m: m.0 });
        }
        if method.vindex < 0 {
            return Ok(Op::InvokeInterface {
                args,
                m: m.0,
                class: 0,
                target: 0,
            });
        }
        if self.class(method.class).access & acc::FINAL != 0 && !method.is_abstract() {
            return Ok(Op::InvokeSpecial { args, m: m.0 });
        }
        Ok(Op::InvokeVirtual {
            args,
            vindex: method.vindex as u32,
            m: m.0,
        })
    }

    /// invokespecial: constructors, private methods, and super calls.
    fn resolve_special(&mut self, from: ClassId, cp: u16) -> Result<MethodId, Stop> {
        let file = self
            .class(from)
            .file
            .ok_or_else(|| Stop::bug("code without a class file"))?;
        let interface = file.tag(cp) == tag::INTERFACE_METHOD;
        let m = self.resolve_method(from, cp, interface)?;
        let method = self.method(m);
        if method.is_static() {
            return Err(self.expected_instance(m));
        }
        let (name, desc, class) = (method.name, method.desc, method.class);
        let init = self.syms.bytes(name) == b"<init>";
        if init {
            let class_cp = file.member(cp).map_or(0, |m| m.0);
            let named = self.resolve_class(from, class_cp)?;
            if named != class {
                let message = format!("'{}'", self.signature_text(named, name, desc));
                return Err(self.throw("java/lang/NoSuchMethodError", Some(&message)));
            }
            return Ok(m);
        }
        if method.is_private() {
            return Ok(m);
        }
        let mut target = m;
        let c = self.class(from);
        if !interface
            && class != from
            && self.is_subclass(from, class)
            && (c.access & acc::SUPER != 0 || c.is_interface())
            && let Some(s) = c.super_class
            && let Some(found) = self.lookup_method(s, name, desc)
        {
            target = found;
        }
        if self.method(target).is_abstract() {
            return Err(self.abstract_method_error(from, target));
        }
        Ok(target)
    }

    fn resolve_static_call(&mut self, from: ClassId, args: u16, n: u16, cp: u16) -> Result<(Op, bool), Stop> {
        if let Some(m) = self.polymorphic(from, cp)? {
            let kind = match self.syms.bytes(self.method(m).name) {
                b"linkToVirtual" => 5,
                b"linkToStatic" => 6,
                b"linkToSpecial" => 7,
                b"linkToInterface" => 9,
                _ => return Err(self.expected_instance(m)),
            };
            return Ok((Op::LinkTo { args, n, kind }, true));
        }
        let file = self
            .class(from)
            .file
            .ok_or_else(|| Stop::bug("code without a class file"))?;
        let m = self.resolve_method(from, cp, file.tag(cp) == tag::INTERFACE_METHOD)?;
        let method = self.method(m);
        let class = method.class;
        if !method.is_static() {
            let message = format!("Expected static method '{}'", self.method_text(m));
            return Err(self.throw("java/lang/IncompatibleClassChangeError", Some(&message)));
        }
        self.ensure_initialized(class)?;
        Ok((
            Op::InvokeStatic { args, m: m.0 },
            self.class(class).state == InitState::Done,
        ))
    }

    fn resolve_constant(&mut self, from: ClassId, d: u16, cp: u16) -> Result<Op, Stop> {
        let file = self
            .class(from)
            .file
            .ok_or_else(|| Stop::bug("code without a class file"))?;
        if file.tag(cp) == tag::DYNAMIC {
            let bits = self.dynamic_constant(from, cp)?;
            let letter = file.dynamic(cp).and_then(|(_, _, desc)| desc.first().copied());
            return Ok(match letter {
                Some(b'J' | b'D') => Op::Const64 {
                    d,
                    lo: bits as u32,
                    hi: (bits >> 32) as u32,
                },
                Some(b'L' | b'[') => self.ldc_pinned(from, d, ObjRef::from_bits(bits)),
                _ => Op::Const { d, v: bits as u32 },
            });
        }
        if let CpEntry::Value(bits) = self.class(from).cp[usize::from(cp)] {
            return Ok(Op::LdcRef { d, obj: bits as u32 });
        }
        let object = match file.tag(cp) {
            tag::STRING => {
                return Ok(Op::LdcRef {
                    d,
                    obj: self.resolve_string(from, cp)?.0,
                });
            }
            tag::CLASS => {
                let class = self.resolve_class(from, cp)?;
                return Ok(Op::LdcRef {
                    d,
                    obj: self.mirror(class).0,
                });
            }
            tag::METHOD_TYPE => self.method_type_constant(from, cp)?,
            tag::METHOD_HANDLE => self.method_handle_constant(from, cp)?,
            other => return Err(Stop::bug(format!("ldc of a constant with tag {other}"))),
        };
        self.class_mut(from).cp[usize::from(cp)] = CpEntry::Value(object.bits());
        Ok(self.ldc_pinned(from, d, object))
    }

    /// The running instruction, as invokedynamic linkage knows it.
    fn current_site(&self) -> crate::invoke::Site {
        let Some(frame) = self.threads.get(self.threads.current).frames.last() else {
            return (MethodId(0), 0);
        };
        let ops = self.method(frame.method).ops.as_ptr() as usize;
        (
            frame.method,
            ((frame.pc as usize).wrapping_sub(ops) / size_of::<Op>()) as u32,
        )
    }

    /// `link_target` for the op's number of the kind.
    #[inline]
    pub(crate) fn link_target_by_number(
        &mut self,
        member: ObjRef,
        kind: u16,
        receiver: ObjRef,
    ) -> Result<MethodId, Stop> {
        match crate::invoke::LinkKind::from_number(kind) {
            Some(kind) => self.link_target(member, kind, receiver),
            None => Err(Stop::bug("no such linkTo kind")),
        }
    }

    /// The interned string of a String constant.
    pub fn resolve_string(&mut self, class: ClassId, cp: u16) -> Result<ObjRef, Stop> {
        if let CpEntry::Value(bits) = self.class(class).cp[usize::from(cp)] {
            return Ok(ObjRef::from_bits(bits));
        }
        let text = self.class(class).file.and_then(|f| f.string(cp)).unwrap_or(b"");
        let string = self.intern_mutf8(text)?;
        self.pin(class, string);
        self.class_mut(class).cp[usize::from(cp)] = CpEntry::Value(string.bits());
        Ok(string)
    }

    fn ldc_pinned(&mut self, from: ClassId, d: u16, object: ObjRef) -> Op {
        self.pin(from, object);
        Op::LdcRef { d, obj: object.0 }
    }
}
