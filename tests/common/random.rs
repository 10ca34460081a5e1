//! Small random suites whose tests read and write static fields, maps, properties, files and classes with initialisers, and a model
//! that says what they do in every order.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

pub const VARS: [&str; 3] = ["a", "b", "c"];
pub const KEYS: [&str; 2] = ["x", "y"];
/// What a test does.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Set(usize, i32),
    Add(usize),
    IfSet(usize, i32, usize, i32),
    ExpectVar(usize, i32),
    Put(usize),
    Remove(usize),
    ExpectKey(usize, bool),
    /// The list is made by the class fixture, if at all.
    Append,
    ExpectLength(usize),
    /// Class 0 takes the value of `a`, class 1 sets `c` to 5.
    Touch(usize),
    SetLazy(usize, i32),
    ExpectLazy(usize, i32),
    Property(bool),
    ExpectProperty(bool),
    File(bool),
    ExpectFile(bool),
}

/// The state of a suite.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct State {
    vars: [i32; 3],
    keys: [bool; 2],
    length: usize,
    lazy: [Option<i32>; 2],
    property: bool,
    file: bool,
}

impl State {
    fn touch(&mut self, class: usize) {
        if self.lazy[class].is_none() {
            self.lazy[class] = Some(if class == 0 { self.vars[0] } else { 7 });
            if class == 1 {
                self.vars[2] = 5;
            }
        }
    }

    /// Whether the test goes on.
    fn apply(&mut self, op: Op) -> bool {
        match op {
            Op::Set(var, to) => self.vars[var] = to,
            Op::Add(var) => self.vars[var] += 1,
            Op::IfSet(var, is, other, to) => {
                if self.vars[var] == is {
                    self.vars[other] = to;
                }
            }
            Op::ExpectVar(var, is) => return self.vars[var] == is,
            Op::Put(key) => self.keys[key] = true,
            Op::Remove(key) => self.keys[key] = false,
            Op::ExpectKey(key, is) => return self.keys[key] == is,
            Op::Append => self.length += 1,
            Op::ExpectLength(is) => return self.length == is,
            Op::Touch(class) => self.touch(class),
            Op::SetLazy(class, to) => {
                self.touch(class);
                self.lazy[class] = Some(to);
            }
            Op::ExpectLazy(class, is) => {
                self.touch(class);
                return self.lazy[class] == Some(is);
            }
            Op::Property(on) => self.property = on,
            Op::ExpectProperty(is) => return self.property == is,
            Op::File(on) => self.file = on,
            Op::ExpectFile(is) => return self.file == is,
        }
        true
    }
}

pub fn java(op: Op) -> String {
    let check = |condition: String| format!("org.junit.Assert.assertTrue({condition});");
    match op {
        Op::Set(var, to) => format!("State.{} = {to};", VARS[var]),
        Op::Add(var) => format!("State.{}++;", VARS[var]),
        Op::IfSet(var, is, other, to) => {
            format!(
                "if (State.{} == {is}) {{ State.{} = {to}; }}",
                VARS[var], VARS[other]
            )
        }
        Op::ExpectVar(var, is) => check(format!("State.{} == {is}", VARS[var])),
        Op::Put(key) => format!("State.MAP.put(\"{}\", 1);", KEYS[key]),
        Op::Remove(key) => format!("State.MAP.remove(\"{}\");", KEYS[key]),
        Op::ExpectKey(key, is) => check(format!("State.MAP.containsKey(\"{}\") == {is}", KEYS[key])),
        Op::Append => "State.list.add(\"e\");".into(),
        Op::ExpectLength(is) => check(format!("State.list.size() == {is}")),
        Op::Touch(class) => format!("Lazy{class}.touch();"),
        Op::SetLazy(class, to) => format!("Lazy{class}.value = {to};"),
        Op::ExpectLazy(class, is) => check(format!("Lazy{class}.value == {is}")),
        Op::Property(true) => "System.setProperty(State.NAME, \"on\");".into(),
        Op::Property(false) => "System.clearProperty(State.NAME);".into(),
        Op::ExpectProperty(is) => check(format!("(System.getProperty(State.NAME) != null) == {is}")),
        Op::File(true) => "State.FILE.mkdir();".into(),
        Op::File(false) => "State.FILE.delete();".into(),
        Op::ExpectFile(is) => check(format!("State.FILE.exists() == {is}")),
    }
}

#[derive(Clone, Default)]
pub struct Class {
    before: Vec<Op>,
    after: Vec<Op>,
    /// The fixture makes a new list.
    new_list: bool,
}

pub struct Suite {
    pub package: String,
    pub classes: Vec<Class>,
    /// The class of each test, and what it does.
    pub tests: Vec<(usize, Vec<Op>)>,
}

/// A generator of numbers that is the same everywhere.
pub struct Chance(pub u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn op(&mut self, expects: bool) -> Op {
        let (var, value) = (self.below(3), self.below(3) as i32);
        let (other, key, class) = (self.below(3), self.below(2), self.below(2));
        let yes = self.below(2) == 0;
        if expects && self.below(3) == 0 {
            return match self.below(6) {
                0 | 1 => Op::ExpectVar(var, value),
                2 => Op::ExpectKey(key, yes),
                3 => Op::ExpectLength(self.below(3)),
                4 => Op::ExpectLazy(class, [0, 7][class]),
                _ if yes => Op::ExpectProperty(false),
                _ => Op::ExpectFile(false),
            };
        }
        match self.below(10) {
            0 | 1 => Op::Set(var, value),
            2 => Op::Add(var),
            // A test that repairs what it finds broken.
            3 if yes => Op::IfSet(var, 1 + value % 2, var, 0),
            3 => Op::IfSet(var, value, other, 1),
            4 if yes => Op::Put(key),
            4 => Op::Remove(key),
            5 => Op::Append,
            6 => Op::Touch(class),
            7 => Op::SetLazy(class, value),
            8 => Op::Property(yes),
            _ => Op::File(yes),
        }
    }

    pub fn suite(&mut self, package: String) -> Suite {
        let classes = (0..1 + self.below(3))
            .map(|_| Class {
                before: (0..self.below(2)).map(|_| self.op(false)).collect(),
                after: (0..self.below(2)).map(|_| self.op(false)).collect(),
                new_list: self.below(3) == 0,
            })
            .collect::<Vec<_>>();
        let tests = (0..3 + self.below(2))
            .map(|_| {
                let class = self.below(classes.len());
                (class, (0..1 + self.below(3)).map(|_| self.op(true)).collect())
            })
            .collect();
        Suite {
            package,
            classes,
            tests,
        }
    }
}

impl Suite {
    pub fn name(&self, test: usize) -> String {
        format!("{}.C{}Test#t{test}", self.package, self.tests[test].0)
    }

    /// Whether the last test of a sequence passes.
    fn passes(&self, sequence: &[usize]) -> bool {
        self.run(sequence, false)
    }

    /// Whether a test passes after another if the run of the other's class has ended.
    fn passes_apart(&self, first: usize, test: usize) -> bool {
        self.run(&[first, test], true)
    }

    fn run(&self, sequence: &[usize], apart: bool) -> bool {
        let mut state = State::default();
        let mut passed = false;
        for (i, &test) in sequence.iter().enumerate() {
            let (class, ops) = &self.tests[test];
            let fixture = &self.classes[*class];
            let same = |j: Option<usize>| {
                let test = j.and_then(|j| sequence.get(j));
                !apart && test.is_some_and(|t| self.tests[*t].0 == *class)
            };
            if !same(i.checked_sub(1)) {
                if fixture.new_list {
                    state.length = 0;
                }
                for op in &fixture.before {
                    state.apply(*op);
                }
            }
            passed = ops.iter().all(|op| state.apply(*op));
            if !same(Some(i + 1)) {
                for op in &fixture.after {
                    state.apply(*op);
                }
            }
        }
        passed
    }

    /// Every order of other tests before a test in which the tests of a class stand together, as JUnit runs them.
    fn orders_before(&self, test: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        let mut from = 0;
        while from < all.len() {
            for other in (0..self.tests.len()).filter(|t| *t != test) {
                if !all[from].contains(&other) {
                    all.push([&all[from][..], &[other]].concat());
                }
            }
            from += 1;
        }
        let together = |order: &Vec<usize>| {
            let classes: Vec<usize> = order.iter().chain([&test]).map(|t| self.tests[*t].0).collect();
            let mut blocks = classes.clone();
            blocks.dedup();
            let distinct: BTreeSet<usize> = blocks.iter().copied().collect();
            distinct.len() == blocks.len()
        };
        all.retain(together);
        all
    }

    /// What is to be found of a test: its verdict, and each single test that changes it, with its cleaners.
    pub fn truth(&self, test: usize) -> (String, BTreeMap<String, BTreeSet<String>>) {
        let run = |before: &[usize]| self.passes(&[before, &[test]].concat());
        let alone = run(&[]);
        let depends = self.orders_before(test).iter().any(|order| run(order) != alone);
        let verdict = match (depends, alone) {
            (true, true) => "victim",
            (true, false) => "brittle",
            (false, true) => "independent",
            (false, false) => "failing",
        };
        let mut causes = BTreeMap::new();
        for p in (0..self.tests.len()).filter(|p| *p != test && run(&[*p]) != alone) {
            // Class fixtures between the two may do so by themselves: then no test of another class is a cleaner.
            let class = self.tests[test].0;
            let fixtures = self.tests[p].0 == class && self.passes_apart(p, test);
            let cleans = |c: &usize| alone && run(&[p, *c]) && !(fixtures && self.tests[*c].0 != class);
            let cleaners = (0..self.tests.len()).filter(cleans).map(|c| self.name(c));
            causes.insert(self.name(p), cleaners.collect());
        }
        (verdict.to_owned(), causes)
    }

    pub fn write(&self, folder: &std::path::Path) {
        let package = &self.package;
        let folder = folder.join(package);
        fs::create_dir_all(&folder).expect("a folder");
        let save = |name: &str, text: String| {
            let text = format!("package {package};\n{text}");
            fs::write(folder.join(format!("{name}.java")), text).expect("a source");
        };
        save(
            "State",
            format!(
                "final class State {{\n static int a, b, c;\n\
             static final java.util.Map<String, Integer> MAP = new java.util.HashMap<>();\n\
             static java.util.List<String> list = new java.util.ArrayList<>();\n\
             static final String NAME = \"poldet.{package}\";\n\
             static final java.io.File FILE = new java.io.File(System.getProperty(\"java.io.tmpdir\"), \"poldet-{package}\");\n}}\n"
            ),
        );
        let lazy = |class: usize, value: &str, more: &str| {
            format!(
                "final class Lazy{class} {{\n static int value = {value};\n static {{ {more} }}\n static void touch() {{ }}\n}}\n"
            )
        };
        save("Lazy0", lazy(0, "State.a", ""));
        save("Lazy1", lazy(1, "7", "State.c = 5;"));
        for (number, class) in self.classes.iter().enumerate() {
            let lines = |ops: &[Op]| ops.iter().map(|op| java(*op)).collect::<Vec<_>>().join(" ");
            let list = if class.new_list {
                "State.list = new java.util.ArrayList<>();"
            } else {
                ""
            };
            let mut text = format!(
                "public class C{number}Test {{\n\
                 @org.junit.BeforeClass public static void before() {{ {list} {} }}\n\
                 @org.junit.AfterClass public static void after() {{ {} }}\n",
                lines(&class.before),
                lines(&class.after)
            );
            for (i, (_, ops)) in self.tests.iter().enumerate().filter(|(_, t)| t.0 == number) {
                writeln!(text, "@org.junit.Test public void t{i}() {{ {} }}", lines(ops)).expect("text");
            }
            save(&format!("C{number}Test"), text + "}\n");
        }
    }
}
