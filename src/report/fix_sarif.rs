//! Patches as fixes of SARIF 2.1.0.

use poldet_records::{FixDocument, FixTest, Patch};
use serde_json::{Value, json};
use std::path::Path;

/// The log of all tests, with what the patches in `out` replace.
pub fn log(document: &FixDocument, out: &Path) -> Result<String, String> {
    let mut results = Vec::new();
    for test in &document.tests {
        results.push(result(test, out)?);
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "poldet",
                "semanticVersion": document.head.poldet,
                "rules": [{
                    "id": "order-dependent",
                    "shortDescription": { "text": "The outcome of a test depends on what ran before it." },
                }],
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    let text = serde_json::to_string_pretty(&log).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

fn result(test: &FixTest, out: &Path) -> Result<Value, String> {
    let print = blake3::hash(format!("{}\0{}", test.test, test.verdict.text()).as_bytes());
    let print = &print.to_hex()[..32];
    let mut result = json!({
        "ruleId": "order-dependent",
        "level": "warning",
        "message": { "text": format!("{} ({}). Reproduce: {}", test.test, test.verdict.text(), test.reproduce) },
        "partialFingerprints": { "poldetTest/v1": print },
    });
    let mut fixes = Vec::new();
    for patch in &test.patches {
        let path = out.join(&patch.file);
        let bytes = std::fs::read(&path).map_err(|e| format!("cannot read \"{}\": {e}", path.display()))?;
        fixes.push(fix(patch, &String::from_utf8_lossy(&bytes)));
    }
    if let Some(file) = test.patches.first().and_then(|p| p.files.first()) {
        let line = fixes
            .first()
            .and_then(|f| f["artifactChanges"][0]["replacements"][0]["deletedRegion"]["startLine"].as_u64());
        result["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": file },
            "region": { "startLine": line.unwrap_or(1) },
        }}]);
    }
    if !fixes.is_empty() {
        result["fixes"] = Value::from(fixes);
    }
    Ok(result)
}

fn fix(patch: &Patch, diff: &str) -> Value {
    let mut changes: Vec<(String, Vec<Value>)> = Vec::new();
    let mut line = 0u64;
    let mut open: Option<(u64, u64, String)> = None;
    let close = |open: &mut Option<(u64, u64, String)>, changes: &mut Vec<(String, Vec<Value>)>| {
        if let (Some((start, end, text)), Some((_, list))) = (open.take(), changes.last_mut()) {
            list.push(json!({
                "deletedRegion": { "startLine": start, "startColumn": 1, "endLine": end, "endColumn": 1 },
                "insertedContent": { "text": text },
            }));
        }
    };
    for part in diff.split_inclusive('\n') {
        if let Some(name) = part.strip_prefix("+++ b/") {
            close(&mut open, &mut changes);
            changes.push((name.trim_end().to_owned(), Vec::new()));
        } else if part.starts_with("--- ") || part.starts_with("diff ") {
            close(&mut open, &mut changes);
        } else if let Some(head) = part.strip_prefix("@@ -") {
            close(&mut open, &mut changes);
            let number = head.split([',', ' ']).next();
            line = number.and_then(|n| n.parse().ok()).unwrap_or(1);
        } else if let Some(added) = part.strip_prefix('+') {
            open.get_or_insert((line, line, String::new())).2.push_str(added);
        } else if part.starts_with('-') {
            open.get_or_insert((line, line, String::new()));
            line += 1;
            if let Some(open) = &mut open {
                open.1 = line;
            }
        } else if part.starts_with(' ') {
            close(&mut open, &mut changes);
            line += 1;
        }
    }
    close(&mut open, &mut changes);
    let changes: Vec<Value> = changes
        .into_iter()
        .map(|(file, list)| json!({ "artifactLocation": { "uri": file }, "replacements": list }))
        .collect();
    json!({
        "description": { "text": format!("{} ({})", patch.code.join(" "), patch.placement) },
        "artifactChanges": changes,
    })
}
