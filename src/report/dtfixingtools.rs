//! The folder `.dtfixingtools` as iDFlakies and iFixFlakies write it, for scripts that read theirs.

use poldet_records::{OdDocument, OdTest, OdVerdict};
use serde_json::{Value, json};
use std::io::Result;
use std::path::Path;

/// Writes the folder into `dir`. Times and run ids, which those tools make of the clock, are fixed.
pub fn write(dir: &Path, document: &OdDocument) -> Result<()> {
    let root = dir.join(".dtfixingtools");
    for folder in ["detection-results", "minimized"] {
        std::fs::create_dir_all(root.join(folder))?;
    }
    let original: String = document.tests.iter().map(|t| dotted(&name(t)) + "\n").collect();
    std::fs::write(root.join("original-order"), original)?;
    let flaky: Vec<&OdTest> = document.tests.iter().filter(|t| t.verdict.is_od()).collect();
    let dts: Vec<Value> = flaky.iter().map(|t| flaky_test(t)).collect();
    let list: String = flaky.iter().map(|t| dotted(&name(t)) + "\n").collect();
    let results = root.join("detection-results");
    std::fs::write(
        results.join("flaky-lists.json"),
        json!({ "dts": dts }).to_string(),
    )?;
    std::fs::write(results.join("list.txt"), list)?;
    for test in flaky {
        let (file, value) = minimized(test);
        std::fs::write(root.join("minimized").join(file), value.to_string())?;
    }
    Ok(())
}

fn name(test: &OdTest) -> String {
    let orders = [&test.passing_order, &test.failing_order];
    orders.iter().find_map(|o| o.last().cloned()).unwrap_or_default()
}

/// `pkg.Class.method`: dots only.
fn dotted(name: &str) -> String {
    name.replace('#', ".")
}

fn names(tests: &[String]) -> Vec<String> {
    tests.iter().map(|t| dotted(t)).collect()
}

/// The word of those tools: FAILURE only for two classes of exceptions, ERROR for all others.
fn failing_word(test: &OdTest) -> &'static str {
    let first = test.stack.first().map_or("", String::as_str);
    let class = first.split([':', ' ', '\n']).next().unwrap_or_default();
    match class {
        "junit.framework.AssertionFailedError" | "org.junit.ComparisonFailure" => "FAILURE",
        _ => "ERROR",
    }
}

const RUN: &str = "0-00000000-0000-0000-0000-000000000000";

fn flaky_test(test: &OdTest) -> Value {
    let side = |order: &[String], result: &str| {
        let before = &order[..order.len().saturating_sub(1)];
        json!({ "order": names(before), "result": result, "testRunId": RUN })
    };
    json!({
        "name": dotted(&name(test)),
        "intended": side(&test.passing_order, "PASS"),
        "revealed": side(&test.failing_order, failing_word(test)),
        "type": "OD",
    })
}

fn no_time() -> Value {
    json!({ "startTime": 0, "endTime": 0, "elapsedSeconds": 0.0 })
}

fn minimized(test: &OdTest) -> (String, Value) {
    let own = dotted(&name(test));
    let victim = test.verdict == OdVerdict::Victim;
    let (order, expected) = match victim {
        true => (&test.failing_order, failing_word(test)),
        false => (&test.passing_order, "PASS"),
    };
    let order = names(order);
    let hash = md5_hex(order.concat().as_bytes());
    let times = || json!({ "addTime": no_time(), "totalTime": no_time() });
    let cleaner = |(i, tests): (usize, &Vec<String>)| {
        json!({
            "dependentTest": own, "originalSize": tests.len(), "cleanerTests": names(tests), "orderFound": i, "time": times(),
        })
    };
    let dependency = |i: usize, tests: &[String], cleaners: &[Vec<String>]| {
        json!({
            "time": no_time(), "index": i, "deps": names(tests),
            "cleanerData": {
                "dependentTest": own, "time": times(), "expected": expected,
                "isolationResult": if victim { "PASS" } else { failing_word(test) },
                "cleaners": cleaners.iter().enumerate().map(cleaner).collect::<Vec<_>>(),
            },
        })
    };
    let polluters: Vec<Value> = match victim {
        true => {
            let all = test.polluters.iter().enumerate();
            all.map(|(i, p)| dependency(i, &p.tests, &p.cleaners)).collect()
        }
        false => {
            let all = test.state_setters.iter().enumerate();
            all.map(|(i, s)| dependency(i, &s.tests, &[])).collect()
        }
    };
    let value = json!({
        "time": no_time(),
        "expectedRun": { "id": RUN, "testOrder": order, "results": {} },
        "expected": expected, "dependentTest": own, "polluters": polluters, "hash": hash, "flakyClass": "OD",
    });
    (format!("{own}-{hash}-{expected}-dependencies.json"), value)
}

fn md5_hex(bytes: &[u8]) -> String {
    use md5::{Digest, Md5};
    Md5::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
