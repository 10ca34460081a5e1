//! The compiler of the user's JDK, in a process of its own that stays.

use crate::run::spec::embedded;
use poldet_junit_shim::COMPILER_JAR;
use poldet_vm::jdk::Jdk;
use std::io::{BufReader, BufWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const MAIN: &str = "poldet.compiler.Service";

/// A source to compile: its path, which names it in messages, and its text.
pub struct Unit<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which of the sources; none if it is about no source.
    pub unit: Option<usize>,
    /// Where in it, in UTF-16 units from the start.
    pub position: Option<usize>,
    pub line: Option<u32>,
    pub message: String,
}

/// What became of a compilation.
#[derive(Default)]
pub struct Compiled {
    pub problems: Vec<Problem>,
    /// Class files, by internal name.
    pub classes: Vec<(String, Vec<u8>)>,
}

pub struct Compiler {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    /// Given with every compilation.
    options: Vec<String>,
}

impl Compiler {
    /// Starts the compiler of a JDK. One line if there is none, or it does not start.
    pub fn start(jdk: &Jdk, class_path: &[String], options: &[String]) -> Result<Compiler, String> {
        let java = jdk.home.join("bin/java");
        let jar = embedded("compiler", COMPILER_JAR)?;
        let failed = |e: std::io::Error| format!("cannot run \"{}\": {e}", java.display());
        let mut child = Command::new(&java)
            .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", &jar, MAIN])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C is for the search, which then lets the compiler go.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the compiler has no pipes".into());
        };
        let mut options = options.to_vec();
        let fixed = [
            "-Xjcov",
            "-g",
            "-nowarn",
            "-Xlint:none",
            "-implicit:none",
            "-Xmaxerrs",
            "1000000",
        ];
        options.extend(fixed.map(str::to_owned));
        if !options.iter().any(|o| o.starts_with("-proc")) {
            options.push("-proc:none".into());
        }
        let mut compiler = Compiler {
            child,
            to: BufWriter::new(to),
            from: BufReader::new(from),
            options,
        };
        let there = compiler.int().map_err(failed)?;
        if there == 0 {
            let home = jdk.home.display();
            return Err(format!(
                "the JDK in \"{home}\" has no compiler (module jdk.compiler): give another one with --jdk"
            ));
        }
        compiler.send_strings(class_path).map_err(failed)?;
        Ok(compiler)
    }

    /// Compiles sources to class files; there are none if there is a problem.
    pub fn compile(&mut self, units: &[Unit<'_>]) -> Result<Compiled, String> {
        let options = self.options.clone();
        self.ask(&options, units)
    }

    /// Only checks sources: all errors, also those of later stages where an earlier one has found some.
    pub fn check(&mut self, units: &[Unit<'_>]) -> Result<Vec<Problem>, String> {
        let mut options = self.options.clone();
        options.push("-XDshould-stop.ifError=FLOW".into());
        options.push("-XDshould-stop.ifNoError=FLOW".into());
        Ok(self.ask(&options, units)?.problems)
    }

    fn ask(&mut self, options: &[String], units: &[Unit<'_>]) -> Result<Compiled, String> {
        let gone = |e: std::io::Error| format!("the Java compiler has ended: {e}");
        self.send(options, units).map_err(gone)?;
        self.answer().map_err(gone)?
    }

    fn send(&mut self, options: &[String], units: &[Unit<'_>]) -> std::io::Result<()> {
        self.send_strings(options)?;
        self.to.write_all(&(units.len() as i32).to_be_bytes())?;
        for unit in units {
            self.send_string(unit.path)?;
            self.send_string(unit.text)?;
        }
        self.to.flush()
    }

    fn answer(&mut self) -> std::io::Result<Result<Compiled, String>> {
        let fault = self.string()?;
        let mut compiled = Compiled::default();
        for _ in 0..self.int()? {
            let unit = usize::try_from(self.int()?).ok();
            let position = usize::try_from(self.long()?).ok();
            let line = u32::try_from(self.long()?).ok();
            let message = self.string()?;
            compiled.problems.push(Problem {
                unit,
                position,
                line,
                message,
            });
        }
        for _ in 0..self.int()? {
            let name = self.string()?;
            let mut bytes = vec![0; self.int()? as usize];
            self.from.read_exact(&mut bytes)?;
            compiled.classes.push((name, bytes));
        }
        if fault.is_empty() {
            Ok(Ok(compiled))
        } else {
            Ok(Err(format!("the Java compiler failed: {fault}")))
        }
    }

    fn send_strings(&mut self, strings: &[String]) -> std::io::Result<()> {
        self.to.write_all(&(strings.len() as i32).to_be_bytes())?;
        strings.iter().try_for_each(|s| self.send_string(s))
    }

    fn send_string(&mut self, text: &str) -> std::io::Result<()> {
        self.to.write_all(&(text.len() as i32).to_be_bytes())?;
        self.to.write_all(text.as_bytes())
    }

    fn int(&mut self) -> std::io::Result<i32> {
        let mut bytes = [0; 4];
        self.from.read_exact(&mut bytes)?;
        Ok(i32::from_be_bytes(bytes))
    }

    fn long(&mut self) -> std::io::Result<i64> {
        let mut bytes = [0; 8];
        self.from.read_exact(&mut bytes)?;
        Ok(i64::from_be_bytes(bytes))
    }

    fn string(&mut self) -> std::io::Result<String> {
        let mut bytes = vec![0; self.int()? as usize];
        self.from.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
