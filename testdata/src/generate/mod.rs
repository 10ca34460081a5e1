//! Random Java programs, the same for the same seed, that print a checksum for each of their methods.
//!
//! What a method comes to goes into its checksum: its result for many arguments, or the exception with its message and
//! the lines it passed through, and all that it left in static fields, arrays and objects. Every loop ends, recursion is
//! bounded, and what the specification leaves open (the bits of NaN, identity hashes, `Math.sin`) does not occur.

mod body;
mod expr;
pub mod judge;
pub mod rng;
mod stmt;
mod types;

use body::{Body, Kind, Method, Var};
use rng::Rng;
use std::fmt::Write;
use types::Ty;

/// The part that is the same in every program.
const SUPPORT: &str = include_str!("support.java.txt");
/// Subclasses of `Base`.
const CLASSES: usize = 4;
/// Methods of `Base` and `Face`: each has a body there and in some subclasses.
const VIRTUAL: usize = 8;
/// A method is called so often that its calls come to about this many operations.
const WORK: u64 = 150_000;

/// A program, and the names of what it measures, by number.
pub struct Generated {
    pub class: String,
    pub source: String,
    pub methods: Vec<String>,
    /// Bodies in the source: a virtual method has several.
    pub bodies: usize,
}

/// The program of a seed, with about `count` method bodies.
pub fn program(seed: u64, count: usize) -> Generated {
    let mut rng = Rng::new(seed);
    let class = format!("Generated{seed}");
    let mut methods: Vec<Method> = Vec::new();
    let mut text = String::new();
    let mut bodies = 0;
    let declared: Vec<Method> = (0..VIRTUAL).map(|n| virtual_method(&mut rng, n)).collect();
    let objects = objects(&mut rng, &declared, &mut methods, &mut bodies);
    while bodies < count {
        let method = static_method(&mut rng, &mut methods);
        text.push_str(&method);
        bodies += 1;
    }
    let calls: String = methods
        .iter()
        .enumerate()
        .map(|(n, m)| measured(&mut rng, n, m))
        .collect();
    let source = format!(
        "// A generated program; seed {seed}.\nimport java.util.function.*;\n\npublic class {class} {{\n{SUPPORT}\n{}{objects}\n{text}\n{calls}\n{}}}\n",
        statics(&mut rng),
        main(methods.len())
    );
    Generated {
        class,
        source,
        methods: methods.into_iter().map(|m| m.name).collect(),
        bodies,
    }
}

fn params(rng: &mut Rng) -> Vec<Ty> {
    (0..rng.between(1, 5)).map(|_| Ty::any(rng)).collect()
}

fn declaration(m: &Method) -> String {
    let params: Vec<String> = m
        .params
        .iter()
        .enumerate()
        .map(|(i, ty)| format!("{} a{i}", ty.java()))
        .collect();
    format!("{} {}({})", m.ret.java(), m.name, params.join(", "))
}

fn virtual_method(rng: &mut Rng, n: usize) -> Method {
    let interface = n % 2 == 1;
    Method {
        name: format!("{}{n}", if interface { "d" } else { "v" }),
        kind: if interface { Kind::Interface } else { Kind::Virtual },
        ret: Ty::any(rng),
        params: params(rng),
        recursive: false,
        cost: 0,
    }
}

/// `Base`, its subclasses and the methods of their interface. What they call is what came before them.
fn objects(rng: &mut Rng, declared: &[Method], methods: &mut Vec<Method>, bodies: &mut usize) -> String {
    let mut classes = vec![String::new(); CLASSES + 1];
    let mut defaults = String::new();
    for m in declared {
        let mut cost = 0;
        for (at, class) in classes.iter_mut().enumerate() {
            let base = at == 0;
            if !base && rng.percent(40) {
                continue;
            }
            let in_interface = base && m.kind == Kind::Interface;
            let (body, took) = method_body(rng, methods, m, !in_interface);
            cost = cost.max(took);
            *bodies += 1;
            let text = if in_interface { &mut defaults } else { class };
            let modifier = match (in_interface, rng.percent(10)) {
                (true, _) => "default",
                (false, true) => "public synchronized",
                (false, false) => "public",
            };
            let _ = write!(text, "    {modifier} {} {{\n{body}    }}\n", declaration(m));
        }
        methods.push(Method { cost, ..m.clone() });
    }
    let mut text = format!(
        "  interface Face {{\n{defaults}  }}\n  static class Base implements Face {{\n    int f; long g; double x;\n    long hash() {{ return f * 961L + g * 31 + h(x); }}\n{}  }}\n",
        classes[0]
    );
    for (n, class) in classes.iter().enumerate().skip(1) {
        let parent = if n == CLASSES { "K1" } else { "Base" };
        let _ = write!(text, "  static class K{n} extends {parent} {{\n{class}  }}\n");
    }
    text
}

fn static_method(rng: &mut Rng, methods: &mut Vec<Method>) -> String {
    let recursive = rng.percent(8);
    let mut m = Method {
        name: format!("m{}", methods.len()),
        kind: Kind::Static,
        ret: Ty::any(rng),
        params: params(rng),
        recursive,
        cost: 0,
    };
    if recursive {
        m.params.insert(0, Ty::Int);
    }
    // What came last is called most: chains of calls get deep.
    let near = &methods[methods.len().saturating_sub(40)..];
    let (body, cost) = method_body(rng, near, &m, false);
    let modifier = if rng.percent(6) {
        "static synchronized"
    } else {
        "static"
    };
    let text = format!("  {modifier} {} {{\n{body}  }}\n", declaration(&m));
    m.cost = if recursive { cost * 4 } else { cost } + 5;
    methods.push(m);
    text
}

/// The statements of a method, and about how many operations they come to.
fn method_body(rng: &mut Rng, callable: &[Method], m: &Method, fields: bool) -> (String, u64) {
    let mut body = Body::new(rng, callable, m.ret);
    if fields {
        for (name, ty) in [("f", Ty::Int), ("g", Ty::Long), ("x", Ty::Double)] {
            body.vars.push(Var {
                name: name.into(),
                ty,
                writable: true,
                capturable: true,
            });
        }
    }
    for (i, &ty) in m.params.iter().enumerate() {
        body.declare(&format!("a{i}"), ty, !(m.recursive && i == 0));
    }
    body.nesting = 1;
    if m.recursive {
        let end = body.result();
        body.line(&format!("if (a0 <= 0) return {end};"));
    }
    for _ in 0..body.rng.between(1, 4) {
        body.statement();
    }
    if m.recursive {
        let args: Vec<String> = m.params[1..].iter().map(|&ty| body.expr(ty, 1)).collect();
        body.line(&format!(
            "final {} again = {}(a0 - 1, {});",
            m.ret.java(),
            m.name,
            args.join(", ")
        ));
        body.declare("again", m.ret, false);
        for _ in 0..2 {
            body.statement();
        }
    }
    let end = body.result();
    body.line(&format!("return {end};"));
    (std::mem::take(&mut body.out), body.cost)
}

/// Calls a method often, and folds what comes of it.
fn measured(rng: &mut Rng, n: usize, m: &Method) -> String {
    let args: Vec<String> = m
        .params
        .iter()
        .enumerate()
        .map(|(i, ty)| {
            let arg = format!("g{}(n, {i})", ty.letter());
            if i == 0 && m.recursive {
                format!("{arg} & 3")
            } else {
                arg
            }
        })
        .collect();
    let receiver = match m.kind {
        Kind::Static => "",
        Kind::Virtual => "OBJECTS[n & 3].",
        Kind::Interface => "((Face) OBJECTS[n & 3]).",
    };
    let often = if rng.percent(10) { 5 } else { 1 };
    let times = (WORK / m.cost.max(1)).clamp(20, 300) * often;
    format!(
        "  static long c{n}() {{\n    long h = {n};\n    for (int n = 0; n < {times}; n++) {{\n      try {{ h = h * 31 + h({receiver}{}({})); }} catch (Throwable t) {{ h = h * 31 + h(t); if (trace) System.out.println(t); }}\n      h = h * 31 + state();\n      if (trace) System.out.println(\"call \" + n + \" \" + h);\n    }}\n    return h;\n  }}\n",
        m.name,
        args.join(", ")
    )
}

/// The static fields and arrays, and what they hold before each method is measured.
fn statics(rng: &mut Rng) -> String {
    let (mut fields, mut reset) = (String::new(), String::new());
    for ty in Ty::ALL {
        let (java, letter) = (ty.java(), ty.letter());
        let _ = writeln!(fields, "  static {java} s{letter};\n  static {java}[] a{letter};");
        let _ = writeln!(reset, "    s{letter} = {};", ty.constant(rng));
        let all: Vec<String> = (0..8).map(|_| ty.constant(rng)).collect();
        let _ = writeln!(reset, "    a{letter} = new {java}[] {{{}}};", all.join(", "));
    }
    format!(
        "{fields}  static void reset() {{\n{reset}    sO = \"o\";\n    aM = new int[4][8];\n    OBJECTS = new Base[] {{new Base(), new K1(), new K2(), new K3(), new K4(), new K1(), new K2(), null}};\n    for (int i = 0; i < 7; i++) {{ OBJECTS[i].f = i; OBJECTS[i].g = -i; OBJECTS[i].x = i / 2.0; }}\n  }}\n"
    )
}

fn main(count: usize) -> String {
    let mut cases = String::new();
    for n in 0..count {
        let _ = writeln!(cases, "      case {n}: return c{n}();");
    }
    format!(
        "  static long run(int m) {{\n    switch (m) {{\n{cases}      default: return 0;\n    }}\n  }}\n  public static void main(String[] args) {{\n    trace = args.length > 0;\n    for (int m = 0; m < {count}; m++) {{\n      if (trace && m != Integer.parseInt(args[0])) continue;\n      reset();\n      System.out.println(m + \" \" + run(m));\n    }}\n  }}\n"
    )
}
