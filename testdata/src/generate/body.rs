//! One method's body while it is generated: what is in scope, and how much work it has come to.

use super::rng::Rng;
use super::types::Ty;

/// More work than any one call may come to, in about operations.
pub const MOST_COST: u64 = 2000;

#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub writable: bool,
    /// A lambda may use it: a field, or a local variable that is assigned once.
    pub capturable: bool,
}

/// How a method is called: the text before its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Static,
    /// On a receiver of the class `Base`.
    Virtual,
    /// On a receiver of the interface `Face`.
    Interface,
}

#[derive(Clone)]
pub struct Method {
    pub name: String,
    pub kind: Kind,
    pub ret: Ty,
    pub params: Vec<Ty>,
    /// The first parameter counts down to the end of a recursion.
    pub recursive: bool,
    /// About how many operations a call takes.
    pub cost: u64,
}

pub struct Body<'a> {
    pub rng: &'a mut Rng,
    /// What may be called.
    pub methods: &'a [Method],
    pub vars: Vec<Var>,
    /// Arrays of eight elements.
    pub arrays: Vec<(String, Ty)>,
    /// Lambdas in scope: the call up to its arguments, the type, the number of arguments.
    pub lambdas: Vec<(String, Ty, usize)>,
    /// Labels of the loops around.
    pub loops: Vec<String>,
    pub ret: Ty,
    /// How often this point runs in a call of the method.
    pub weight: u64,
    pub cost: u64,
    /// An exception is caught nearby, so that it does not end the method.
    pub guarded: bool,
    pub nesting: usize,
    pub out: String,
    names: u32,
}

impl<'a> Body<'a> {
    pub fn new(rng: &'a mut Rng, methods: &'a [Method], ret: Ty) -> Body<'a> {
        let statics = Ty::ALL.map(|ty| Var {
            name: format!("s{}", ty.letter()),
            ty,
            writable: true,
            capturable: true,
        });
        let arrays = Ty::ALL.map(|ty| (format!("a{}", ty.letter()), ty));
        Body {
            rng,
            methods,
            vars: statics.into(),
            arrays: arrays.into(),
            lambdas: Vec::new(),
            loops: Vec::new(),
            ret,
            weight: 1,
            cost: 1,
            guarded: false,
            nesting: 0,
            out: String::new(),
            names: 0,
        }
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub fn declare(&mut self, name: &str, ty: Ty, writable: bool) {
        self.vars.push(Var {
            name: name.into(),
            ty,
            writable,
            capturable: !writable,
        });
    }

    /// A variable of the type, local ones more often than static fields.
    pub fn variable(&mut self, ty: Ty, writable: bool) -> Option<String> {
        let fits: Vec<&Var> = self
            .vars
            .iter()
            .filter(|v| v.ty == ty && (v.writable || !writable))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let at = self.rng.below(fits.len()).max(self.rng.below(fits.len()));
        Some(fits[at].name.clone())
    }

    /// Counts `n` operations at this point.
    pub fn spend(&mut self, n: u64) {
        self.cost += n * self.weight;
    }

    pub fn affords(&self, n: u64) -> bool {
        self.cost + n * self.weight <= MOST_COST
    }

    /// May this expression end in an exception?
    pub fn risky(&mut self) -> bool {
        let p = if self.guarded { 12 } else { 2 };
        self.rng.percent(p)
    }

    pub fn line(&mut self, text: &str) {
        for _ in 0..=self.nesting {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Runs `f` in a scope of its own.
    pub fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        let (vars, arrays, lambdas) = (self.vars.len(), self.arrays.len(), self.lambdas.len());
        self.nesting += 1;
        f(self);
        self.nesting -= 1;
        self.vars.truncate(vars);
        self.arrays.truncate(arrays);
        self.lambdas.truncate(lambdas);
    }
}
