//! Statements. Every loop ends by itself, and nothing that javac would call unreachable follows a jump.

use super::body::{Body, MOST_COST};
use super::types::Ty;

/// Statements are nested this deep at most.
const DEEPEST: usize = 4;

impl Body<'_> {
    pub fn block(&mut self, most: usize) {
        let count = self.rng.between(1, most);
        self.scoped(|b| {
            for _ in 0..count {
                b.statement();
            }
        });
    }

    pub fn statement(&mut self) {
        let deep = self.nesting >= DEEPEST || !self.affords(40);
        match if deep {
            self.rng.below(12)
        } else {
            self.rng.below(29)
        } {
            0..=2 => self.local(),
            3..=6 => self.assignment(),
            7 | 8 => self.store_element(),
            9 => self.jump(),
            10 => self.object_store(),
            11 => self.local_array(),
            12..=14 => self.branch(),
            15..=18 => self.count_loop(),
            19 => self.while_loop(),
            20 => self.each_loop(),
            21 | 22 => self.switch(),
            23..=25 => self.attempt(),
            26 => self.locked(),
            _ => self.lambda(),
        }
    }

    fn local(&mut self) {
        let ty = Ty::any(self.rng);
        let e = self.expr(ty, 3);
        let name = self.fresh("v");
        let e = if ty == Ty::Text { format!("cut({e})") } else { e };
        if self.rng.percent(30) {
            self.line(&format!("final {} {name} = {e};", ty.java()));
            self.declare(&name, ty, false);
        } else {
            self.line(&format!("{} {name} = {e};", ty.java()));
            self.declare(&name, ty, true);
        }
    }

    fn assignment(&mut self) {
        let ty = Ty::any(self.rng);
        let Some(v) = self.variable(ty, true) else { return };
        let text = match ty {
            Ty::Text => format!("{v} = cut({});", self.expr(ty, 3)),
            Ty::Bool => format!("{v} = {};", self.expr(ty, 3)),
            _ if self.rng.percent(20) => format!("{v}{};", self.rng.pick(&["++", "--"])),
            _ if self.rng.percent(40) => format!("{v} {};", self.compound(ty, 2)),
            _ => format!("{v} = {};", self.expr(ty, 3)),
        };
        self.line(&text);
    }

    fn store_element(&mut self) {
        let (array, ty) = self.arrays[self.rng.below(self.arrays.len())].clone();
        let index = self.expr(Ty::Int, 1);
        let index = if self.risky() {
            index
        } else {
            format!("{index} & 7")
        };
        let e = self.expr(ty, 2);
        let text = match ty {
            Ty::Text => format!("{array}[{index}] = cut({e});"),
            Ty::Bool => format!("{array}[{index}] ^= {e};"),
            _ if self.rng.percent(40) => format!("{array}[{index}] {};", self.compound(ty, 2)),
            _ if self.rng.percent(15) => format!("{array}[{index}]++;"),
            _ => format!("{array}[{index}] = {e};"),
        };
        self.line(&text);
    }

    fn object_store(&mut self) {
        let e = self.expr(Ty::Int, 2);
        let ty = Ty::any(self.rng);
        let v = self.expr(ty, 2);
        let text = match self.rng.below(5) {
            0 => format!("sO = {v};"),
            1 => format!("sO = new Pair<Object>({v}, {e});"),
            2 => format!("OBJECTS[{e} & 3].f += {e};"),
            3 => format!("sO = OBJECTS[{e} & 7];"),
            _ => format!("aM[{e} & 3] = aM[1].clone();"),
        };
        self.line(&text);
    }

    fn local_array(&mut self) {
        let ty = Ty::any(self.rng);
        let name = self.fresh("w");
        let text = if self.rng.percent(50) {
            format!("{0}[] {name} = new {0}[8];", ty.java())
        } else {
            let all: Vec<String> = (0..8).map(|_| self.expr(ty, 1)).collect();
            format!("{}[] {name} = {{{}}};", ty.java(), all.join(", "))
        };
        self.line(&text);
        self.arrays.push((name, ty));
    }

    /// Leaves a loop or the method under a condition.
    fn jump(&mut self) {
        let c = self.expr(Ty::Bool, 2);
        if !self.loops.is_empty() && self.rng.percent(70) {
            let label = self.loops[self.rng.below(self.loops.len())].clone();
            let how = self.rng.pick(&["break", "continue"]);
            return self.line(&format!("if ({c}) {how} {label};"));
        }
        if self.guarded && self.rng.percent(60) {
            let (e, n) = (self.expr(Ty::Text, 1), self.expr(Ty::Int, 1));
            let what = match self.rng.below(3) {
                0 => format!("new Own(cut({e}), {n})"),
                1 => format!("new IllegalStateException(cut({e}))"),
                _ => "null".into(),
            };
            return self.line(&format!("if ({c}) throw {what};"));
        }
        let e = self.result();
        self.line(&format!("if ({c}) return {e};"));
    }

    /// An expression to return.
    pub fn result(&mut self) -> String {
        let e = self.expr(self.ret, 2);
        if self.ret == Ty::Text {
            format!("cut({e})")
        } else {
            e
        }
    }

    fn branch(&mut self) {
        let c = self.expr(Ty::Bool, 3);
        self.line(&format!("if ({c}) {{"));
        self.block(3);
        if self.rng.percent(50) {
            self.line("} else {");
            self.block(3);
        }
        self.line("}");
    }

    fn looped(&mut self, times: u64, head: &str, var: Option<(&str, Ty)>, last: Option<&str>) {
        let label = self.fresh("l");
        self.line(&format!("{label}: {head} {{"));
        let weight = self.weight;
        self.weight *= times;
        self.spend(2);
        self.loops.push(label);
        let vars = self.vars.len();
        if let Some((name, ty)) = var {
            // It may not be assigned, for the loop's sake, nor captured, for it changes.
            self.declare(name, ty, false);
            self.vars[vars].capturable = false;
        }
        if let Some(last) = last {
            self.nesting += 1;
            self.line(last);
            self.nesting -= 1;
        }
        self.block(3);
        self.vars.truncate(vars);
        self.loops.pop();
        self.weight = weight;
        self.line("}");
    }

    fn times(&mut self) -> u64 {
        let most = ((MOST_COST.saturating_sub(self.cost)) / (self.weight * 30)).clamp(1, 40);
        self.rng.between(1, most as usize) as u64
    }

    fn count_loop(&mut self) {
        let (n, i) = (self.times(), self.fresh("i"));
        let (ty, head) = match self.rng.below(5) {
            0 => (Ty::Int, format!("for (int {i} = {n}; {i} > 0; {i}--)")),
            1 => (Ty::Long, format!("for (long {i} = 0; {i} < {n}L; {i}++)")),
            2 => (
                Ty::Int,
                format!(
                    "for (int {i} = {}; {i} != Integer.MIN_VALUE; {i}++)",
                    i64::from(i32::MAX) - n as i64 + 1
                ),
            ),
            3 => (Ty::Double, format!("for (double {i} = 0; {i} < {n}; {i} += 1)")),
            _ => (Ty::Int, format!("for (int {i} = 0; {i} < {n}; {i}++)")),
        };
        self.looped(n, &head, Some((&i, ty)), None);
    }

    fn while_loop(&mut self) {
        let (n, i) = (self.times(), self.fresh("n"));
        let c = self.expr(Ty::Bool, 1);
        self.line(&format!("int {i} = {n};"));
        let head = format!("while ({i} > 0 && ({c} || {i} > 1))");
        self.looped(n, &head, Some((&i, Ty::Int)), Some(&format!("{i}--;")));
    }

    fn each_loop(&mut self) {
        let (array, ty) = self.arrays[self.rng.below(self.arrays.len())].clone();
        let v = self.fresh("e");
        self.looped(
            8,
            &format!("for ({} {v} : {array})", ty.java()),
            Some((&v, ty)),
            None,
        );
    }

    fn switch(&mut self) {
        let sparse = self.rng.percent(50);
        let e = self.expr(Ty::Int, 2);
        let on = if sparse { e } else { format!("{e} & 7") };
        self.line(&format!("switch ({on}) {{"));
        let mut label = if sparse { -100 } else { 0 };
        for _ in 0..self.rng.between(1, 4) {
            self.line(&format!("case {label}:"));
            label += if sparse { 1 + self.rng.below(90) as i64 } else { 1 };
            self.block(2);
            if self.rng.percent(70) {
                self.line("break;");
            }
        }
        self.line("default:");
        self.block(2);
        self.line("}");
    }

    fn attempt(&mut self) {
        let resource = self.rng.percent(20);
        if resource {
            let (n, r) = (self.expr(Ty::Int, 1), self.fresh("r"));
            self.line(&format!("try (Res {r} = new Res({n})) {{"));
        } else {
            self.line("try {");
        }
        let guarded = std::mem::replace(&mut self.guarded, true);
        self.spend(10);
        self.block(3);
        self.guarded = guarded;
        let finally = self.rng.percent(40);
        if !finally || self.rng.percent(60) {
            if self.rng.percent(30) {
                self.handler("Own", Some("code"));
            }
            if self.rng.percent(40) {
                self.handler("ArithmeticException | NullPointerException", None);
            }
            self.handler("RuntimeException", None);
        }
        if finally {
            self.line("} finally {");
            self.block(2);
        }
        self.line("}");
    }

    fn handler(&mut self, of: &str, field: Option<&str>) {
        let e = self.fresh("x");
        self.line(&format!("}} catch ({of} {e}) {{"));
        self.line(&format!("  sJ = sJ * 31 + h({e});"));
        if let Some(field) = field {
            self.line(&format!("  sI += {e}.{field};"));
        }
        self.block(2);
    }

    fn locked(&mut self) {
        let lock = self.rng.pick(&["LOCK", "aI", "OBJECTS[0]"]);
        self.line(&format!("synchronized ({lock}) {{"));
        self.spend(4);
        self.block(3);
        self.line("}");
    }

    /// A lambda in a local variable; it sees fields, and locals that are assigned once.
    fn lambda(&mut self) {
        let (ty, interface, call, count) = match self.rng.below(5) {
            0 => (Ty::Int, "IntBinaryOperator", "applyAsInt", 2),
            1 => (Ty::Long, "LongUnaryOperator", "applyAsLong", 1),
            2 => (Ty::Double, "DoubleBinaryOperator", "applyAsDouble", 2),
            3 => (Ty::Text, "UnaryOperator<String>", "apply", 1),
            _ => (Ty::Bool, "BinaryOperator<Boolean>", "apply", 2),
        };
        let name = self.fresh("f");
        let params: Vec<String> = (0..count).map(|_| self.fresh("q")).collect();
        self.line(&format!("{interface} {name} = ({}) -> {{", params.join(", ")));
        let (vars, loops) = (self.vars.clone(), std::mem::take(&mut self.loops));
        self.vars.retain(|v| v.capturable);
        // Arrays of this method, and lambdas, are assigned once: they can be captured as they are.
        for p in &params {
            self.declare(p, ty, true);
        }
        let (ret, weight, cost) = (self.ret, self.weight, self.cost);
        let nesting = std::mem::replace(&mut self.nesting, DEEPEST);
        (self.ret, self.weight) = (ty, 1);
        self.scoped(|b| {
            for _ in 0..b.rng.between(0, 2) {
                b.statement();
            }
            let e = b.result();
            b.line(&format!("return {e};"));
        });
        self.nesting = nesting;
        let body = self.cost - cost;
        (self.ret, self.weight, self.vars, self.loops) = (ret, weight, vars, loops);
        self.line("};");
        self.spend(20);
        // One that does much is not worth calling again and again.
        if body < 60 {
            self.lambdas.push((format!("{name}.{call}"), ty, count));
        }
    }
}
