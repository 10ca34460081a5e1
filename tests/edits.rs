//! Results of single tests that are known: after any edit of a project, runs with and without them give the same bytes, and
//! only tests that the edit can affect run again.

mod common;

use common::{binary, fresh};
use poldet_testdata::compile::junit_classes;
use poldet_testdata::need;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const CLASSES: usize = 4;
const TESTS: usize = 3;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

/// A project: classes with a number each, tests that use them, and a resource.
struct Project {
    dir: PathBuf,
    /// What methods return, by class.
    numbers: Vec<u32>,
    /// Bodies of tests, by class and test.
    bodies: BTreeMap<(usize, usize), String>,
    /// Methods that nobody calls.
    extra: Vec<usize>,
    resource: Option<String>,
}

impl Project {
    fn new(name: &str) -> Project {
        let mut bodies = BTreeMap::new();
        for class in 0..CLASSES {
            for test in 0..TESTS {
                bodies.insert((class, test), body(class, test, 0));
            }
        }
        Project {
            dir: fresh(&format!("edits-{name}")),
            numbers: vec![1; CLASSES],
            bodies,
            extra: vec![0; CLASSES],
            resource: None,
        }
    }

    fn write(&self) {
        let (source, classes) = (self.dir.join("src"), self.dir.join("classes"));
        for dir in [&source, &classes] {
            let _ = fs::remove_dir_all(dir);
            fs::create_dir_all(dir).expect("a folder");
        }
        for class in 0..CLASSES {
            let mut text = format!(
                "public class Lib{class} {{ public static int count; static final java.util.List<String> LOG = new java.util.ArrayList<>();\n\
                 public static int number() {{ count++; return {}; }}\n\
                 public static void log(String s) {{ LOG.add(s); }}\n",
                self.numbers[class]
            );
            for number in 0..self.extra[class] {
                text.push_str(&format!("public static void extra{number}() {{}}\n"));
            }
            fs::write(source.join(format!("Lib{class}.java")), text + "}\n").expect("a file");
            let mut text = format!("import org.junit.*;\npublic class Some{class}Test {{\n");
            for ((_, test), body) in self.bodies.range((class, 0)..(class + 1, 0)) {
                text.push_str(&format!(
                    "@Test public void t{test}() throws Exception {{ {body} }}\n"
                ));
            }
            fs::write(source.join(format!("Some{class}Test.java")), text + "}\n").expect("a file");
        }
        junit_classes(&source, &classes).expect("it compiles");
        if let Some(text) = &self.resource {
            fs::write(classes.join("data.txt"), text).expect("a file");
        }
    }

    /// One random edit; what it was.
    fn edit(&mut self, random: &mut Random, number: u32) -> String {
        let class = random.below(CLASSES);
        match random.below(6) {
            0 => {
                self.numbers[class] = number + 10;
                format!("Lib{class} returns another number")
            }
            1 | 2 => {
                let test = random.below(TESTS);
                self.bodies.insert((class, test), body(class, test, number));
                format!("another body for Some{class}Test.t{test}")
            }
            3 => {
                self.extra[class] += 1;
                format!("one more method in Lib{class}")
            }
            4 => {
                self.bodies
                    .insert((class, TESTS + number as usize), body(class, 1, number));
                format!("one more test in Some{class}Test")
            }
            _ => {
                self.resource = Some(format!("text {number}"));
                "another resource".into()
            }
        }
    }

    fn run(&self, args: &[&str], cached: bool) -> String {
        let cache = self.dir.join("cache");
        let output = Command::new(binary())
            .args(args)
            .args(["classes", "--format", "json", "--jobs", "2"])
            .current_dir(&self.dir)
            .env(
                "POLDET_RESULTS",
                if cached { cache.as_os_str() } else { "off".as_ref() },
            )
            .output()
            .expect("poldet can be run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            text.contains("\"tests\""),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    }

    fn entries(&self) -> usize {
        let output = Command::new(binary())
            .args(["cache", "stats"])
            .env("POLDET_RESULTS", self.dir.join("cache"))
            .output()
            .expect("poldet can be run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|l| l.strip_prefix("entries: "));
        line.expect("entries").parse().expect("a number")
    }
}

/// Tests that print, pollute, use a neighbour's state, read a resource, show hashes, or fail.
fn body(class: usize, test: usize, number: u32) -> String {
    let other = (class + 1) % CLASSES;
    match (test + number as usize) % 6 {
        0 => format!("System.out.print(Lib{class}.number() + {number}); Lib{class}.log(\"a{number}\");"),
        1 => format!("Assert.assertEquals(1, Lib{other}.number()); /* {number} */"),
        2 => format!(
            "java.io.InputStream in = Lib{class}.class.getResourceAsStream(\"/data.txt\"); System.out.print((in == null) + \"{number}\"); if (in != null) System.out.print(new String(in.readAllBytes()));"
        ),
        3 => format!(
            "Object o = new Object(); System.out.print(o.hashCode() + \" {number} \" + new Object());"
        ),
        4 => {
            format!("Assert.assertEquals(\"{number}\", 0, Lib{class}.LOG.size()); Lib{class}.LOG.add(\"x\");")
        }
        _ => format!(
            "System.setProperty(\"p{class}\", \"{number}\"); System.out.print(System.currentTimeMillis());"
        ),
    }
}

#[test]
fn known_results_are_those_of_a_run() {
    if need::javac().is_none() {
        return;
    }
    let mut project = Project::new("random");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let commands: [&[&str]; 3] = [
        &["run", "--isolate", "strict"],
        &["run", "--isolate", "method"],
        &["nio"],
    ];
    for number in 0..14 {
        let what = match number {
            0 => "nothing".into(),
            _ => project.edit(&mut random, number),
        };
        project.write();
        for command in commands {
            let (known, run) = (project.run(command, true), project.run(command, false));
            assert!(
                known == run,
                "{command:?} after {what} (edit {number}):\n{known}\n{run}"
            );
        }
        if number % 5 == 4 {
            let args = ["od", "--rerun", "1"];
            let (known, run) = (project.run(&args, true), project.run(&args, false));
            assert!(known == run, "od after {what} (edit {number}):\n{known}\n{run}");
        }
    }
}

#[test]
fn only_what_can_be_affected_runs_again() {
    if need::javac().is_none() {
        return;
    }
    let mut project = Project::new("affected");
    // Links from failing tests to polluters are made by runs of their own, which are kept, too.
    let args = ["run", "--isolate", "strict", "--no-links"];
    project.write();
    project.run(&args, true);
    let all = project.entries();
    // A body of one test: its class is used by its own tests alone.
    project
        .bodies
        .insert((2, 0), "System.out.print(\"quite another text\");".into());
    project.write();
    project.run(&args, true);
    let after = project.entries() - all;
    assert!(after <= TESTS + 3, "{after} new entries of {all}");
    // A class that two test classes use.
    project.numbers[1] = 1000;
    project.write();
    let before = project.entries();
    project.run(&args, true);
    let after = project.entries() - before;
    assert!(after > 0 && after < all - 2, "{after} new entries of {all}");
}
