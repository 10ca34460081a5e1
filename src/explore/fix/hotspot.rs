//! The checks of a patch again, on the user's `java`: each order in a JVM of its own, with an empty temporary folder.

use crate::explore::explorer::fresh_folder;
use crate::explore::fix::case::Case;
use crate::explore::fix::context::Context;
use crate::run::spec::embedded;
use poldet_junit_shim::COMPILER_JAR;
use poldet_junit_shim::driver::Mode;
use poldet_records::{Outcome, Verified};
use std::io::Write;
use std::process::{Command, Stdio};

const MAIN: &str = "poldet.compiler.Orders";

/// Runs the checks with these classes in front of the suite's; why the patch is no good, if it is not.
pub fn verify(
    context: &Context<'_>,
    case: &Case,
    checks: &[(String, Vec<usize>)],
    classes: &[(String, Vec<u8>)],
) -> Result<Vec<Verified>, String> {
    let patched = fresh_folder()?;
    for (name, bytes) in classes {
        let path = patched.dir.join(format!("{name}.class"));
        let fail = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(fail)?;
        }
        std::fs::write(&path, bytes).map_err(fail)?;
    }
    let mut class_path = vec![patched.dir.display().to_string()];
    class_path.extend(context.setup.spec.real_class_path());
    class_path.push(embedded("compiler", COMPILER_JAR)?);
    let class_path = class_path.join(":");
    let mut verified = Vec::new();
    for (what, order) in checks {
        let outcomes = run(context, &class_path, order)?;
        let at = order.iter().rposition(|t| *t == case.test);
        let outcome = outcomes[at.unwrap_or(order.len() - 1)];
        let fails =
            |i: usize| order[i] == case.test && matches!(outcomes[i], Outcome::Failed | Outcome::Error);
        if (0..order.len()).any(fails) {
            return Err(format!("on java the test still does not pass ({what})"));
        }
        verified.push(Verified {
            what: what.clone(),
            order: context.tests.names(order),
            outcome,
            worse: Vec::new(),
        });
    }
    Ok(verified)
}

fn run(context: &Context<'_>, class_path: &str, order: &[usize]) -> Result<Vec<Outcome>, String> {
    let java = context.setup.jdk.home.join("bin/java");
    let failed = |e: std::io::Error| format!("cannot run \"{}\": {e}", java.display());
    let folder = fresh_folder()?;
    let mut input = String::new();
    for member in context.tests.members(order) {
        let kind = match member.mode {
            Mode::Platform | Mode::Engines => "5",
            _ => "4",
        };
        input.push_str(&format!("{kind}\t{}\t{}\n", member.class(), member.test.id));
    }
    let dir = context.setup.spec.dir.clone();
    let mut child = Command::new(&java)
        .arg(format!("-Djava.io.tmpdir={}", folder.dir.display()))
        // As poldet runs them.
        .args([
            "-Duser.language=en",
            "-Duser.country=US",
            "-Duser.timezone=UTC",
            "-ea",
        ])
        .args(["-cp", class_path, MAIN])
        .current_dir(dir.map_or_else(|| folder.dir.clone(), std::path::PathBuf::from))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|l| l.strip_prefix("poldet\t"));
    let mut outcomes: Vec<Outcome> = lines
        .map(|word| match word {
            "passed" => Outcome::Passed,
            "failed" => Outcome::Failed,
            "error" => Outcome::Error,
            "skipped" => Outcome::Skipped,
            _ => Outcome::Crashed,
        })
        .collect();
    // A test that ends the JVM leaves nothing after it.
    outcomes.resize(order.len(), Outcome::Crashed);
    Ok(outcomes)
}
