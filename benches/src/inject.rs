//! How many mutants `poldet inject` evaluates in a second of one core: 20 orders of classes of ten small tests each.
//!
//! Two runs with few and with many mutants are compared, so that booting, compiling and the selection of stable tests do not count.

use poldet_benches::generated::{Bench, bench};
use poldet_benches::measure;
use std::process::ExitCode;

const CLASSES: usize = 20;
const TESTS: usize = 10;
const FEW: usize = 20;
const MANY: usize = 420;

fn main() -> ExitCode {
    bench("inject", measured)
}

fn measured(bench: &Bench) -> Result<(), String> {
    bench.compile((0..CLASSES).map(|class| (format!("Bench{class}Test"), source(class))))?;
    let run = |limit: usize| -> Result<f64, String> {
        let mut command = bench.poldet("inject");
        command.arg("--sources").arg(&bench.sources);
        command.arg("--out").arg(bench.work.join(format!("out{limit}")));
        command.args(["--jobs", "1", "--reruns", "5", "--limit", &limit.to_string()]);
        Ok(measure::timed(&mut command)?.processor)
    };
    let (few, many) = (run(FEW)?, run(MANY)?);
    let each = (many - few) / (MANY - FEW) as f64;
    println!("{FEW} mutants: {few:.2} s of CPU, {MANY} mutants: {many:.2} s");
    println!(
        "{:.1} ms a mutant, {:.1} mutants a second and core",
        each * 1e3,
        1.0 / each
    );
    Ok(())
}

/// A class whose tests use a shared map, each behind a helper.
fn source(class: usize) -> String {
    let mut text = format!(
        "import static org.junit.Assert.assertEquals;\nimport java.util.*;\nimport org.junit.Test;\n\
         public class Bench{class}Test {{\n    static final Map<String, Integer> MAP = new HashMap<>();\n"
    );
    for test in 0..TESTS {
        text.push_str(&format!(
            "    @Test public void test{test}() {{\n        MAP.remove(\"k{test}\");\n        int sum = 0;\n        \
             for (int i = 0; i < 50; i++) {{ sum += i; }}\n        MAP.merge(\"k{test}\", sum, Integer::sum);\n        \
             assertEquals(1225, (int) MAP.get(\"k{test}\"));\n        MAP.remove(\"k{test}\");\n    }}\n"
        ));
    }
    text.push_str("}\n");
    text
}
