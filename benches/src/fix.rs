//! What a patch costs: a victim, its polluter and 25 helpers in a suite of 500 small tests. The first patch, and with `--find-all` those
//! of all helpers, from what `poldet od` has found.

use poldet_benches::generated::{Bench, bench};
use poldet_benches::measure;
use std::process::ExitCode;

const CLASSES: usize = 50;
const TESTS: usize = 10;
const HELPERS: usize = 25;

fn main() -> ExitCode {
    bench("fix", measured)
}

fn measured(bench: &Bench) -> Result<(), String> {
    let fail = |e: std::io::Error| e.to_string();
    let others = (0..CLASSES).map(|class| (format!("Bench{class}Test"), source(class)));
    bench.compile(others.chain([("OrderTest".to_owned(), order())]))?;
    let found = bench.work.join("od.json");
    let od = bench
        .poldet("od")
        .args(["--format", "json", "--rerun", "0"])
        .output();
    std::fs::write(&found, od.map_err(fail)?.stdout).map_err(fail)?;
    for all in [false, true] {
        let out = bench.work.join(if all { "all" } else { "first" });
        let mut command = bench.poldet("fix");
        command
            .arg("--sources")
            .arg(&bench.sources)
            .arg("--out")
            .arg(&out);
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
