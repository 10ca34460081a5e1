//! What the verifier asks about the class at hand and about others.

use super::updates::Rules;
use crate::classes::class::acc;
use crate::ids::{ClassId, LoaderId, Sym};
use crate::stop::Stop;
use crate::vm::Vm;

pub trait World {
    /// Which of HotSpot's rules hold.
    fn rules(&self) -> Rules {
        Rules::default()
    }
    fn intern(&mut self, name: &[u8]) -> Sym;
    fn bytes(&self, name: Sym) -> &'static [u8];
    /// The class's own name.
    fn this_name(&self) -> Sym;
    /// The names of the superclasses, nearest first.
    fn supers(&self) -> Vec<Sym>;
    /// The names of the direct superinterfaces.
    fn interfaces(&self) -> Vec<Sym>;
    /// Loads a class by the loader of the class at hand; whether it is an interface.
    fn is_interface(&mut self, name: Sym) -> Result<bool, Stop>;
    /// Whether one class (not an array) is a subclass of another, or the same.
    fn is_subclass(&mut self, sub: Sym, sup: Sym) -> Result<bool, Stop>;
    /// Whether `name` is the system's interface of that name (an array implements two of them).
    fn is_boot(&mut self, name: Sym) -> Result<bool, Stop>;
    /// Whether the member found in `owner`, one of the superclasses, is protected and of another package.
    fn is_protected_elsewhere(&mut self, owner: Sym, member: Member<'_>) -> Result<bool, Stop>;
    /// Whether the class itself declares this field.
    fn declares_field(&mut self, name: &[u8], desc: &[u8]) -> bool;
    /// The nearest class that both (classes, not interfaces) are.
    fn common_super(&mut self, a: Sym, b: Sym) -> Result<Sym, Stop>;
}

/// A field or method by name and descriptor.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    pub method: bool,
    pub name: &'a [u8],
    pub desc: &'a [u8],
}

/// The world of a class loaded into the VM.
pub struct Loaded<'a> {
    pub vm: &'a mut Vm,
    pub class: ClassId,
    pub rules: Rules,
}

impl Loaded<'_> {
    fn loader(&self) -> LoaderId {
        self.vm.class(self.class).loader
    }

    fn resolve(&mut self, name: Sym) -> Result<ClassId, Stop> {
        // A hidden class cannot be found by its name.
        if name == self.vm.class(self.class).name {
            return Ok(self.class);
        }
        let loader = self.loader();
        self.vm.load_class(loader, name)
    }
}

impl World for Loaded<'_> {
    fn rules(&self) -> Rules {
        self.rules
    }

    fn intern(&mut self, name: &[u8]) -> Sym {
        self.vm.syms.intern(name)
    }

    fn bytes(&self, name: Sym) -> &'static [u8] {
        self.vm.syms.bytes(name)
    }

    fn this_name(&self) -> Sym {
        self.vm.class(self.class).name
    }

    fn supers(&self) -> Vec<Sym> {
        let next = |c: &ClassId| self.vm.class(*c).super_class;
        std::iter::successors(next(&self.class), next)
            .map(|c| self.vm.class(c).name)
            .collect()
    }

    fn interfaces(&self) -> Vec<Sym> {
        let list = &self.vm.class(self.class).interfaces;
        list.iter().map(|i| self.vm.class(*i).name).collect()
    }

    fn is_interface(&mut self, name: Sym) -> Result<bool, Stop> {
        let class = self.resolve(name)?;
        Ok(self.vm.class(class).is_interface())
    }

    fn is_subclass(&mut self, sub: Sym, sup: Sym) -> Result<bool, Stop> {
        let sup = self.resolve(sup)?;
        let sub = self.resolve(sub)?;
        Ok(self.vm.is_subclass(sub, sup))
    }

    fn is_boot(&mut self, name: Sym) -> Result<bool, Stop> {
        let class = self.resolve(name)?;
        Ok(self.vm.class(class).loader == LoaderId::BOOT)
    }

    fn is_protected_elsewhere(&mut self, owner: Sym, member: Member<'_>) -> Result<bool, Stop> {
        let owner = self.resolve(owner)?;
        if !self.vm.is_subclass(self.class, owner) {
            return Ok(false);
        }
        let (Ok(name), Ok(desc)) = (std::str::from_utf8(member.name), std::str::from_utf8(member.desc))
        else {
            return Ok(false);
        };
        let found = if member.method {
            let method = self.vm.find_method(owner, name, desc);
            method.map(|m| (self.vm.method(m).access, self.vm.method(m).class))
        } else {
            let field = self.vm.find_field(owner, name, desc);
            field.map(|f| (self.vm.field(f).access, self.vm.field(f).class))
        };
        let Some((access, holder)) = found else {
            return Ok(false);
        };
        let (this, holder) = (self.vm.class(self.class), self.vm.class(holder));
        let same_package = this.loader == holder.loader && this.package == holder.package;
        Ok(access & acc::PROTECTED != 0 && !same_package)
    }

    fn declares_field(&mut self, name: &[u8], desc: &[u8]) -> bool {
        let (name, desc) = (self.intern(name), self.intern(desc));
        let fields = &self.vm.class(self.class).fields;
        fields.iter().any(|f| {
            let field = self.vm.field(*f);
            field.name == name && field.desc == desc
        })
    }

    fn common_super(&mut self, a: Sym, b: Sym) -> Result<Sym, Stop> {
        let (a, b) = (self.resolve(a)?, self.resolve(b)?);
        let (a, b) = (&self.vm.class(a).display, &self.vm.class(b).display);
        let common: Vec<ClassId> = a
            .iter()
            .zip(b)
            .take_while(|(x, y)| x == y)
            .map(|(x, _)| *x)
            .collect();
        for class in common.into_iter().rev() {
            // The name must mean that class here, not another loader's of the same name.
            let name = self.vm.class(class).name;
            if self.resolve(name)? == class {
                return Ok(name);
            }
        }
        Ok(self.intern(b"java/lang/Object"))
    }
}
