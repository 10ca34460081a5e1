//! Expressions of every type. Each is a piece of Java source that can stand anywhere an operand can.

use super::body::{Body, Kind, Method};
use super::types::Ty;

impl Body<'_> {
    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        self.spend(1);
        if depth == 0 || self.rng.percent(15) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.rng.below(20) {
            0 => return self.conditional(ty, d),
            1 => return self.chosen(ty, d),
            2 | 3 => return self.assigned(ty, d),
            4 | 5 => return self.element(ty, d),
            6..=8 => {
                if let Some(call) = self.call(ty, d) {
                    return call;
                }
            }
            9 => return self.unboxed(ty, d),
            10 => {
                if let Some(call) = self.lambda_call(ty, d) {
                    return call;
                }
            }
            _ => {}
        }
        match ty {
            Ty::Bool => self.condition(d),
            Ty::Byte | Ty::Short | Ty::Char => self.narrowed(ty, d),
            Ty::Int | Ty::Long => self.integral(ty, d),
            Ty::Float | Ty::Double => self.floating(ty, d),
            Ty::Text => self.text(d),
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        if ty == Ty::Text && self.guarded && self.rng.percent(4) {
            return "((String) null)".into();
        }
        if self.rng.percent(70)
            && let Some(v) = self.variable(ty, false)
        {
            return v;
        }
        ty.constant(self.rng)
    }

    fn conditional(&mut self, ty: Ty, d: usize) -> String {
        let (c, a, b) = (self.expr(Ty::Bool, d), self.expr(ty, d), self.expr(ty, d));
        format!("({c} ? {a} : {b})")
    }

    /// A switch expression.
    fn chosen(&mut self, ty: Ty, d: usize) -> String {
        let on = self.expr(Ty::Int, d);
        // javac 17 writes wrong stack map frames for some conditions that are switches themselves.
        let same = if ty == Ty::Bool { "same" } else { "" };
        let (a, b, c) = (self.expr(ty, d), self.expr(ty, d), self.expr(ty, d));
        let (j, k) = (self.rng.below(4), 4 + self.rng.below(100));
        if self.rng.percent(30) {
            let label = self.rng.pick(&["\"a\"", "\"Zz\"", "\"0123456789\""]);
            let t = self.expr(Ty::Text, d.min(1));
            return format!(
                "{same}(switch (noNull({t})) {{ case {label} -> {a}; case \"\", \"-17\" -> {b}; default -> {c}; }})"
            );
        }
        let on = if self.rng.percent(60) {
            format!("{on} & 3")
        } else {
            on
        };
        format!("{same}(switch ({on}) {{ case {j} -> {a}; case {k}, -1 -> {b}; default -> {c}; }})")
    }

    /// An assignment whose value is used.
    fn assigned(&mut self, ty: Ty, d: usize) -> String {
        let Some(v) = self.variable(ty, true) else {
            return self.leaf(ty);
        };
        if ty == Ty::Text {
            let e = self.expr(ty, d);
            return format!("({v} = cut({e}))");
        }
        if ty == Ty::Bool {
            let e = self.expr(ty, d);
            let op = self.rng.pick(&["=", "&=", "|=", "^="]);
            return format!("({v} {op} {e})");
        }
        match self.rng.below(4) {
            0 => format!("({v}++)"),
            1 => format!("(--{v})"),
            2 => {
                let e = self.expr(ty, d);
                format!("({v} = {e})")
            }
            _ => {
                let compound = self.compound(ty, d);
                format!("({v} {compound})")
            }
        }
    }

    /// A compound assignment without its variable: an operator that narrows, and its operand.
    pub fn compound(&mut self, ty: Ty, d: usize) -> String {
        let other = Ty::number(self.rng);
        if ty.is_integral() && other.is_integral() {
            let op = self.rng.pick(&[
                "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "/=", "%=",
            ]);
            if matches!(op, "/=" | "%=") {
                let divisor = self.divisor(Ty::Int, d);
                return format!("{op} {divisor}");
            }
            let e = self.expr(other, d);
            return format!("{op} {e}");
        }
        let op = self.rng.pick(&["+=", "-=", "*="]);
        let e = self.expr(other, d);
        format!("{op} {e}")
    }

    fn index(&mut self, d: usize) -> String {
        let e = self.expr(Ty::Int, d.min(1));
        if self.risky() { e } else { format!("{e} & 7") }
    }

    fn element(&mut self, ty: Ty, d: usize) -> String {
        let fits: Vec<String> = self
            .arrays
            .iter()
            .filter(|a| a.1 == ty)
            .map(|a| a.0.clone())
            .collect();
        let index = self.index(d);
        let array = &fits[self.rng.below(fits.len())];
        if ty == Ty::Int && self.rng.percent(20) {
            let row = self.expr(Ty::Int, d.min(1));
            return format!("aM[{row} & 3][{index}]");
        }
        format!("{array}[{index}]")
    }

    fn affordable(&mut self, ty: Ty) -> Option<Method> {
        let fits: Vec<&Method> = self
            .methods
            .iter()
            .filter(|m| m.ret == ty && self.affords(m.cost))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let at = self.rng.below(fits.len());
        Some(fits[at].clone())
    }

    fn call(&mut self, ty: Ty, d: usize) -> Option<String> {
        let m = self.affordable(ty)?;
        self.spend(m.cost);
        let receiver = match m.kind {
            Kind::Static => String::new(),
            Kind::Virtual => format!("{}.", self.receiver(d)),
            Kind::Interface => format!("((Face) {}).", self.receiver(d)),
        };
        let args: Vec<String> = m
            .params
            .iter()
            .enumerate()
            .map(|(i, &ty)| {
                let e = self.expr(ty, d.min(2));
                if i == 0 && m.recursive {
                    format!("{e} & 3")
                } else {
                    e
                }
            })
            .collect();
        Some(format!("{receiver}{}({})", m.name, args.join(", ")))
    }

    /// One of the objects; the last may be null.
    fn receiver(&mut self, d: usize) -> String {
        let e = self.expr(Ty::Int, d.min(1));
        let mask = if self.risky() { 7 } else { 3 };
        format!("OBJECTS[{e} & {mask}]")
    }

    fn lambda_call(&mut self, ty: Ty, d: usize) -> Option<String> {
        let fits: Vec<(String, usize)> = self
            .lambdas
            .iter()
            .filter(|l| l.1 == ty)
            .map(|l| (l.0.clone(), l.2))
            .collect();
        if fits.is_empty() || !self.affords(20) {
            return None;
        }
        self.spend(20);
        let (call, count) = fits[self.rng.below(fits.len())].clone();
        let args: Vec<String> = (0..count).map(|_| self.expr(ty, d.min(1))).collect();
        Some(format!("{call}({})", args.join(", ")))
    }

    /// A value that goes through an object: boxes, casts of references, patterns.
    fn unboxed(&mut self, ty: Ty, d: usize) -> String {
        let (e, boxed, java) = (self.expr(ty, d), ty.boxed(), ty.java());
        match self.rng.below(4) {
            0 => format!("(({java}) ({boxed}) ((Object) {e}))"),
            1 if self.risky() => format!("(({java}) ({boxed}) sO)"),
            1 | 2 => {
                let v = self.fresh("p");
                format!("(sO instanceof {boxed} {v} ? ({java}) {v} : {e})")
            }
            _ => {
                let other = self.leaf(ty);
                let side = self.rng.pick(&["a", "b"]);
                format!("(({java}) new Pair<{boxed}>({e}, {other}).{side}())")
            }
        }
    }

    fn condition(&mut self, d: usize) -> String {
        let compared = Ty::number(self.rng);
        let (a, b) = (self.expr(compared, d), self.expr(compared, d));
        let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.rng.below(10) {
            0 => format!("(!({a} {op} {b}))"),
            1 | 2 => {
                let (p, q) = (self.expr(Ty::Bool, d), self.expr(Ty::Bool, d));
                let op = self.rng.pick(&["&&", "||", "&", "|", "^", "==", "!="]);
                format!("({p} {op} {q})")
            }
            3 => {
                let (s, t) = (self.expr(Ty::Text, d), self.expr(Ty::Text, d));
                let test = self
                    .rng
                    .pick(&["equals", "startsWith", "contains", "equalsIgnoreCase"]);
                format!("noNull({s}).{test}(noNull({t}))")
            }
            4 => format!(
                "(sO instanceof {})",
                self.rng.pick(&[
                    "String",
                    "Integer",
                    "Number",
                    "Pair",
                    "Face",
                    "int[]",
                    "Comparable"
                ])
            ),
            5 => format!("Float.isNaN((float) {a})"),
            6 => format!("Character.isLetterOrDigit((char) {a})"),
            _ => format!("({a} {op} {b})"),
        }
    }

    fn narrowed(&mut self, ty: Ty, d: usize) -> String {
        let from = if self.rng.percent(60) {
            Ty::Int
        } else {
            Ty::number(self.rng)
        };
        let e = self.expr(from, d);
        format!("(({}) {e})", ty.java())
    }

    /// Not zero, unless an exception may be.
    fn divisor(&mut self, ty: Ty, d: usize) -> String {
        if self.rng.percent(40) {
            let c = if self.rng.percent(25) && matches!(ty, Ty::Int | Ty::Long) {
                format!("{}.MIN_VALUE", ty.boxed())
            } else {
                ty.constant(self.rng)
            };
            let zero = c.trim_matches(|c| "()L".contains(c)) == "0";
            return if zero { "7".into() } else { c };
        }
        let e = self.expr(ty, d);
        if self.risky() { e } else { format!("({e} | 1)") }
    }

    fn integral(&mut self, ty: Ty, d: usize) -> String {
        let java = ty.boxed();
        match self.rng.below(16) {
            0..=4 => {
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {b})")
            }
            5 | 6 => {
                let (a, by) = (
                    self.expr(ty, d),
                    if self.rng.percent(70) { Ty::Int } else { Ty::Long },
                );
                let b = self.expr(by, d);
                let op = self.rng.pick(&["<<", ">>", ">>>"]);
                format!("({a} {op} {b})")
            }
            7 | 8 => {
                let b = self.divisor(ty, d);
                // The ends of the range, and what is next to them, come up too rarely by themselves.
                let a = match self.rng.below(4) {
                    0 => format!("({java}.MIN_VALUE + ({} & 1))", self.expr(ty, d)),
                    _ => self.expr(ty, d),
                };
                let op = self.rng.pick(&["/", "%"]);
                format!("({a} {op} {b})")
            }
            9 => {
                let a = self.expr(ty, d);
                let op = self.rng.pick(&["-", "~", "+"]);
                format!("({op} {a})")
            }
            10 | 11 => {
                let from = Ty::number(self.rng);
                let a = self.expr(from, d);
                format!("(({}) {a})", ty.java())
            }
            12 => {
                let a = self.expr(ty, d);
                let f = self
                    .rng
                    .pick(&["reverse", "reverseBytes", "highestOneBit", "lowestOneBit"]);
                format!("{java}.{f}({a})")
            }
            13 => {
                let (a, b) = (self.expr(ty, d), self.divisor(ty, d));
                let f = self
                    .rng
                    .pick(&["Math.floorMod", "Math.floorDiv", "Math.max", "Math.min"]);
                format!("{f}({a}, {b})")
            }
            14 => {
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                let f = self.rng.pick(&["addExact", "subtractExact", "multiplyExact"]);
                if self.risky() {
                    format!("Math.{f}({a}, {b})")
                } else {
                    format!("Math.abs({a})")
                }
            }
            _ => {
                let a = self.narrowed_to_int(d);
                if ty == Ty::Int { a } else { format!("((long) {a})") }
            }
        }
    }

    /// What answers an int about values of other types.
    fn narrowed_to_int(&mut self, d: usize) -> String {
        let compared = Ty::any(self.rng);
        let (a, b) = (self.expr(compared, d), self.expr(compared, d));
        let boxed = compared.boxed();
        let s = self.expr(Ty::Text, d);
        let int = self.expr(Ty::Int, d.min(1));
        let answer = match self.rng.below(11) {
            0 if compared != Ty::Text => format!("{boxed}.compare({a}, {b})"),
            0 => format!("noNull({a}).compareTo(noNull({b}))"),
            1 if compared != Ty::Text => format!("{boxed}.hashCode({a})"),
            1 => format!("java.util.Objects.hashCode({a})"),
            2 if self.risky() => format!("{s}.length()"),
            2 => format!("noNull({s}).length()"),
            3 if self.risky() => format!("((int) noNull({s}).charAt({int}))"),
            3 => format!("((int) (noNull({s}) + \"01234567\").charAt({int} & 7))"),
            4 => format!("noNull({s}).indexOf({int} & 127)"),
            5 => format!("Integer.bitCount({int})"),
            6 => format!("Integer.numberOfLeadingZeros({int})"),
            7 => format!("Long.numberOfTrailingZeros((long) {int})"),
            8 => format!("aI.length * {int}"),
            9 if self.risky() => format!("Integer.parseInt({s})"),
            9 => format!("Integer.rotateLeft({int}, {int})"),
            _ => format!("OBJECTS[{int} & 3].f"),
        };
        format!("({answer})")
    }

    fn floating(&mut self, ty: Ty, d: usize) -> String {
        let (boxed, java) = (ty.boxed(), ty.java());
        let (a, b) = (self.expr(ty, d), self.expr(ty, d));
        match self.rng.below(13) {
            0..=5 => {
                let op = self.rng.pick(&["+", "-", "*", "/", "%"]);
                format!("({a} {op} {b})")
            }
            6 => format!("(- {a})"),
            7 | 8 => {
                let from = Ty::number(self.rng);
                let e = self.expr(from, d);
                format!("(({java}) {e})")
            }
            9 => {
                let f = self.rng.pick(&["max", "min", "nextAfter"]);
                format!("(({java}) Math.{f}({a}, {b}))")
            }
            10 => {
                let f = self
                    .rng
                    .pick(&["abs", "sqrt", "floor", "ceil", "rint", "ulp", "signum", "round"]);
                format!("(({java}) Math.{f}({a}))")
            }
            11 => {
                let bits = self.expr(if ty == Ty::Float { Ty::Int } else { Ty::Long }, d);
                let of = if ty == Ty::Float {
                    "intBitsToFloat"
                } else {
                    "longBitsToDouble"
                };
                format!("{boxed}.{of}({bits})")
            }
            _ => {
                let e = self.expr(ty, d);
                format!("(({java}) Math.fma({a}, {b}, {e}))")
            }
        }
    }

    fn text(&mut self, d: usize) -> String {
        let ty = Ty::any(self.rng);
        let (a, s) = (self.expr(ty, d), self.expr(Ty::Text, d));
        let int = self.expr(Ty::Int, d.min(1));
        match self.rng.below(12) {
            0..=3 => format!("({s} + {a})"),
            4 => {
                let (ty, t) = (Ty::any(self.rng), self.expr(Ty::Text, d));
                let b = self.expr(ty, d);
                format!("(\"<\" + {a} + {s} + '|' + {b} + {t})")
            }
            5 => format!("String.valueOf({a})"),
            6 if self.risky() => format!("{s}.substring({int})"),
            6 => format!("tail(noNull({s}), {int})"),
            7 => format!("noNull({s}).replace('a', (char) {int})"),
            8 => format!("new StringBuilder(noNull({s})).append({a}).reverse().toString()"),
            9 => format!(
                "noNull({s}).{}()",
                self.rng.pick(&["trim", "toUpperCase", "intern", "strip"])
            ),
            10 => format!(
                "{}.toString({a})",
                if ty == Ty::Text {
                    "java.util.Objects"
                } else {
                    ty.boxed()
                }
            ),
            _ => format!("Integer.toHexString({int})"),
        }
    }
}
