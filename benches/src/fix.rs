//! What a patch costs: a victim, its polluter and 25 helpers in a suite of 500 small tests. The first patch, and with `--find-all` those
//! of all helpers, from what `poldet od` has found.

use poldet_benches::measure;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const CLASSES: usize = 50;
const TESTS: usize = 10;
const HELPERS: usize = 25;

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("fix: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let poldet = std::env::args()
        .nth(1)
        .map_or(top.join("target/release/poldet"), PathBuf::from);
    let work = std::env::temp_dir().join(format!("poldet-bench-fix-{}", std::process::id()));
    let done = in_folder(&top, &poldet, &work);
    let _ = std::fs::remove_dir_all(&work);
    done
}

fn in_folder(top: &Path, poldet: &Path, work: &Path) -> Result<(), String> {
    let fail = |e: std::io::Error| e.to_string();
    let sources = work.join("src");
    std::fs::create_dir_all(&sources).map_err(fail)?;
    let mut javac = Command::new("javac");
    javac
        .arg("-g")
        .arg("-cp")
        .arg(top.join("junit-shim/jars/junit.jar"));
    javac.arg("-d").arg(work.join("classes"));
    for class in 0..CLASSES {
        let file = sources.join(format!("Bench{class}Test.java"));
        std::fs::write(&file, source(class)).map_err(fail)?;
        javac.arg(file);
    }
    let file = sources.join("OrderTest.java");
    std::fs::write(&file, order()).map_err(fail)?;
    if !javac.arg(file).status().map_err(fail)?.success() {
        return Err("javac failed".into());
    }
    let found = work.join("od.json");
    let od = Command::new(poldet)
        .arg("od")
        .arg(work.join("classes"))
        .args(["--format", "json", "--rerun", "0"])
        .output();
    std::fs::write(&found, od.map_err(fail)?.stdout).map_err(fail)?;
    for all in [false, true] {
        let out = work.join(if all { "all" } else { "first" });
        let mut command = Command::new(poldet);
        command.arg("fix").arg(work.join("classes"));
        command.arg("--sources").arg(&sources).arg("--out").arg(&out);
        command.arg("--from").arg(&found).args(["--side", "victim"]);
        if all {
            command.arg("--find-all");
        }
        let cost = measure::timed(&mut command)?;
        let text = std::fs::read_to_string(out.join("fix.json")).map_err(fail)?;
        let document: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let patches = document["summary"]["patches"].as_u64().unwrap_or(0);
        println!(
            "{}: {patches} patches, {:.2} s, {:.2} s of CPU",
            if all { "--find-all" } else { "first" },
            cost.wall,
            cost.processor
        );
    }
    Ok(())
}

/// Tests that have nothing to do with the others.
fn source(class: usize) -> String {
    let mut text = format!(
        "import static org.junit.Assert.assertEquals;\nimport org.junit.Test;\npublic class Bench{class}Test {{\n"
    );
    let tests = if class == 0 {
        TESTS - HELPERS % TESTS
    } else {
        TESTS
    };
    for test in 0..tests {
        text.push_str(&format!(
            "    @Test public void test{test}() {{\n        int sum = 0;\n        for (int i = 0; i < 50; i++) {{ sum += i; }}\n        \
             assertEquals(1225, sum);\n    }}\n"
        ));
    }
    text.push_str("}\n");
    text
}

/// A victim, its polluter, and helpers of ten statements each of which one is needed.
fn order() -> String {
    let mut text = String::from(
        "import static org.junit.Assert.assertEquals;\nimport java.util.*;\nimport org.junit.Test;\npublic class OrderTest {\n    \
         static String state = \"clean\";\n    @Test public void pollutes() { state = \"dirty\"; }\n    \
         @Test public void victim() { assertEquals(\"clean\", state); }\n",
    );
    for helper in 0..HELPERS {
        text.push_str(&format!(
            "    @Test public void helper{helper}() {{\n        List<Integer> list = new ArrayList<>();\n"
        ));
        for i in 0..4 {
            text.push_str(&format!("        list.add({});\n", helper + i));
        }
        text.push_str(&format!("        state = \"clean{helper}\".substring(0, 5);\n"));
        text.push_str(&"        list.remove(0);\n".repeat(3));
        text.push_str("        assertEquals(1, list.size());\n    }\n");
    }
    text.push_str("}\n");
    text
}
