//! `poldet doctor`: checks a suite before it runs. The JDK, the suite's own JUnit, classes that are named and nowhere to
//! be found, and native methods that it may come to need and poldet does not have.

mod jdk;
mod look;

use crate::cli::{Doctor, DoctorFormat};
use crate::exit;
use crate::run::discover::{Globs, test_classes};
use crate::run::suite::Suite;
use crate::vm_options::unused_java_home;
use jdk::JdkClasses;
use poldet_records::JUnit;
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use serde::Serialize;
use std::io::{self, Write};

/// How many lines of each list people are shown.
const SHOWN: usize = 20;

/// The findings, in the form of the JSON document.
#[derive(Serialize)]
struct Report {
    schema: u32,
    poldet: &'static str,
    suite: String,
    jdk: String,
    jdk_home: String,
    junit: JUnit,
    classes: usize,
    test_classes: usize,
    warnings: Vec<String>,
    damaged: Vec<Damaged>,
    missing_classes: Vec<MissingClass>,
    own_natives: Vec<String>,
    missing_natives: Vec<MissingNative>,
    /// Test classes that need a JUnit 5 which is not there.
    #[serde(skip)]
    without_junit: usize,
}

#[derive(Serialize)]
struct Damaged {
    class: String,
    problem: String,
}

#[derive(Serialize)]
struct MissingClass {
    class: String,
    named_by: String,
    /// Only libraries name it.
    library: bool,
}

#[derive(Serialize)]
struct MissingNative {
    method: String,
    descriptor: String,
    /// The JDK's method through which it is reached.
    called: String,
    named_by: String,
}

/// Looks; the answer is the exit code, or one line about what is wrong with the input.
pub fn doctor(options: &Doctor) -> Result<i32, String> {
    let report = examine(options)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = match options.format {
        DoctorFormat::Human => report.show(&mut out),
        DoctorFormat::Json => serde_json::to_string_pretty(&report)
            .map_err(io::Error::other)
            .and_then(|text| writeln!(out, "{text}")),
    };
    match written.and_then(|()| out.flush()) {
        Ok(()) => Ok(report.exit_code()),
        // A reader that went away is no error.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(report.exit_code()),
        Err(e) => Err(format!("cannot write: {e}")),
    }
}

fn examine(options: &Doctor) -> Result<Report, String> {
    let jdk = Jdk::find(options.jdk.as_deref())?;
    let suite = Suite::open(&options.suite)?;
    let classes = JdkClasses::new(JImage::open(&jdk.modules())?);
    let tests = test_classes(&suite, &Globs::new(&[], &[])?);
    let look = look::look(&suite, &classes)?;
    let missing_natives = classes.lacking(&look.calls).into_iter().map(|l| MissingNative {
        method: l.native.text(),
        descriptor: l.native.desc.clone(),
        called: l.called.text(),
        named_by: dotted(&l.by),
    });
    Ok(Report {
        schema: 1,
        poldet: env!("CARGO_PKG_VERSION"),
        suite: suite.text(),
        jdk: jdk.version.clone(),
        jdk_home: jdk.home.display().to_string(),
        junit: suite.junit(),
        classes: look.seen.len(),
        test_classes: tests.len(),
        damaged: (look.damaged.iter())
            .map(|(class, problem)| Damaged {
                class: dotted(class),
                problem: problem.clone(),
            })
            .collect(),
        missing_classes: (look.missing.iter())
            .map(|(class, missing)| MissingClass {
                class: dotted(class),
                named_by: dotted(&missing.by),
                library: missing.library,
            })
            .collect(),
        own_natives: (look.own_natives.iter())
            .map(|(class, method)| format!("{}.{method}", dotted(class)))
            .collect(),
        missing_natives: missing_natives.collect(),
        without_junit: match suite.needs_junit() {
            true => tests.iter().filter(|c| c.new && !c.old).count(),
            false => 0,
        },
        warnings: (suite.warnings.into_iter())
            .chain(unused_java_home(options.jdk.as_deref(), &jdk))
            .collect(),
    })
}

impl Report {
    fn missing(&self, library: bool) -> Vec<String> {
        let of = self.missing_classes.iter().filter(|m| m.library == library);
        of.map(|m| format!("{} (named by {})", m.class, m.named_by))
            .collect()
    }

    fn own_natives_by_class(&self) -> Vec<String> {
        let mut classes: Vec<(&str, Vec<&str>)> = Vec::new();
        for native in &self.own_natives {
            let (class, method) = native.rsplit_once('.').unwrap_or(("", native));
            match classes.last_mut() {
                Some((last, methods)) if *last == class => methods.push(method),
                _ => classes.push((class, vec![method])),
            }
        }
        let text = |(class, methods): (&str, Vec<&str>)| match methods.as_slice() {
            few if few.len() <= 3 => format!("{class}: {}", few.join(", ")),
            many => format!("{class}: {}, … {} more", many[..3].join(", "), many.len() - 3),
        };
        classes.into_iter().map(text).collect()
    }

    /// What only libraries name and is not there is mostly meant to be optional.
    fn is_clean(&self) -> bool {
        self.damaged.is_empty()
            && self.missing_classes.iter().all(|m| m.library)
            && self.own_natives.is_empty()
            && self.missing_natives.is_empty()
    }

    fn exit_code(&self) -> i32 {
        if self.test_classes == 0 {
            exit::NO_TESTS
        } else if self.is_clean() {
            exit::COMPLETE
        } else {
            exit::INCOMPLETE
        }
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "JDK      {} in {}", self.jdk, self.jdk_home)?;
        match self.without_junit {
            0 => writeln!(out, "JUnit    {}", junit_text(self.junit))?,
            n => writeln!(
                out,
                "JUnit    missing: {} JUnit 5, which is not on the class path",
                if n == 1 {
                    "1 test class uses".to_owned()
                } else {
                    format!("{n} test classes use")
                }
            )?,
        }
        let tests = match self.test_classes {
            0 => "none matches the test name patterns: see --include of poldet run".to_owned(),
            1 => "1 matches the test name patterns".to_owned(),
            n => format!("{n} match the test name patterns"),
        };
        writeln!(out, "Classes  {} checked, {tests}", self.classes)?;
        for warning in &self.warnings {
            writeln!(out, "Warning  {warning}")?;
        }
        let damaged = self.damaged.iter().map(|d| format!("{}: {}", d.class, d.problem));
        list(out, "Damaged class files", &damaged.collect::<Vec<_>>())?;
        list(
            out,
            "Missing classes; tests that reach them will fail",
            &self.missing(false),
        )?;
        list(
            out,
            "Missing classes that only libraries name, perhaps optional",
            &self.missing(true),
        )?;
        list(
            out,
            "Native methods of the suite's own; native libraries cannot be loaded",
            &self.own_natives_by_class(),
        )?;
        let natives = self.missing_natives.iter().map(|n| {
            if n.called == n.method {
                format!("{} (named by {})", n.method, n.named_by)
            } else {
                format!("{} (by {}, which {} names)", n.method, n.called, n.named_by)
            }
        });
        list(
            out,
            "Native methods of the JDK that the suite may reach and poldet does not have",
            &natives.collect::<Vec<_>>(),
        )?;
        if self.missing_classes.iter().any(|m| !m.library) {
            let advice = "add the jars or folders that hold them with --cp; in the folder of a Maven or Gradle project, poldet run finds them itself";
            writeln!(out, "\nhint: {advice}")?;
        }
        if self.is_clean() {
            let what = if self.missing_classes.is_empty() {
                "Nothing is missing."
            } else {
                "Nothing that the suite itself names is missing."
            };
            writeln!(out, "{what}")?;
        }
        Ok(())
    }
}

fn junit_text(junit: JUnit) -> &'static str {
    match junit {
        JUnit::Platform => "the suite's JUnit platform",
        JUnit::Engines => "the suite's JUnit platform, whose launcher is not on the class path",
        JUnit::JUnit4 => "the suite's JUnit 4",
        JUnit::JUnit3 => "the suite's JUnit 3",
        JUnit::BuiltIn => "poldet's built-in org.junit: the suite brings none",
    }
}

fn list(out: &mut dyn Write, title: &str, lines: &[String]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", lines.len())?;
    for line in lines.iter().take(SHOWN) {
        writeln!(out, "  {line}")?;
    }
    if lines.len() > SHOWN {
        writeln!(out, "  … {} more: see --format json", lines.len() - SHOWN)?;
    }
    Ok(())
}

fn dotted(name: &str) -> String {
    name.replace('/', ".")
}
