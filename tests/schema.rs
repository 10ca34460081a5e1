//! `poldet schema` against what poldet really writes: every field of every document must be in its schema, with its type.

mod common;

use common::{binary, command, fresh, path};
use poldet_testdata::compile::junit_classes;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Keywords that say nothing of what is valid.
const NOTES: [&str; 9] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "format",
    "examples",
    "maximum",
    "minimum",
];

/// A check of the part of JSON Schema that is used. A property that no part of the schema knows is wrong, too.
struct Check<'s> {
    root: &'s Value,
    wrong: Vec<String>,
}

impl<'s> Check<'s> {
    fn resolve(&self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(link) => {
                let name = link
                    .strip_prefix("#/$defs/")
                    .expect("a definition of the same schema");
                self.resolve(&self.root["$defs"][name])
            }
            None => schema,
        }
    }

    fn parts(&self, schema: &'s Value) -> Vec<&'s Value> {
        let lists = ["allOf", "anyOf", "oneOf"].map(|k| schema[k].as_array());
        lists.into_iter().flatten().flatten().collect()
    }

    /// The properties that a schema knows, parts of it included; none if it takes any.
    fn known(&self, schema: &'s Value, known: &mut BTreeSet<&'s str>) -> bool {
        let schema = self.resolve(schema);
        let own = schema["properties"].as_object();
        known.extend(own.into_iter().flat_map(|p| p.keys().map(String::as_str)));
        let mut any = schema.get("additionalProperties").is_some_and(|a| *a != false);
        for part in self.parts(schema) {
            any |= self.known(part, known);
        }
        any
    }

    fn value(&mut self, schema: &'s Value, value: &Value, at: &str) {
        let mut known = BTreeSet::new();
        if let Some(object) = value.as_object()
            && !self.known(schema, &mut known)
        {
            for name in object.keys().filter(|n| !known.contains(n.as_str())) {
                self.wrong.push(format!("{at}.{name}: not in the schema"));
            }
        }
        self.fits(schema, value, at);
    }

    fn fits(&mut self, schema: &'s Value, value: &Value, at: &str) {
        if let Some(link) = schema.get("$ref") {
            assert!(link.is_string());
            let other = self.resolve(schema);
            self.fits(other, value, at);
        }
        let Some(keywords) = schema.as_object() else {
            if *schema == false {
                self.wrong.push(format!("{at}: nothing is allowed here"));
            }
            return;
        };
        for (keyword, rule) in keywords {
            match keyword.as_str() {
                "$ref" => {}
                "type" => {
                    let types: Vec<&str> = match rule {
                        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
                        one => one.as_str().into_iter().collect(),
                    };
                    if !types.iter().any(|t| is_of(value, t)) {
                        self.wrong.push(format!("{at}: {value} is no {rule}"));
                    }
                }
                "enum" => {
                    if !rule.as_array().is_some_and(|all| all.contains(value)) {
                        self.wrong.push(format!("{at}: {value} is none of {rule}"));
                    }
                }
                "const" => {
                    if rule != value {
                        self.wrong.push(format!("{at}: {value} is not {rule}"));
                    }
                }
                "required" => {
                    for name in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        if value.is_object() && value.get(name).is_none() {
                            self.wrong.push(format!("{at}: no {name}"));
                        }
                    }
                }
                "properties" => {
                    for (name, rule) in rule.as_object().into_iter().flatten() {
                        if let Some(inner) = value.get(name) {
                            self.value(rule, inner, &format!("{at}.{name}"));
                        }
                    }
                }
                "additionalProperties" => {
                    let own = schema["properties"].as_object();
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        if !own.is_some_and(|o| o.contains_key(name)) {
                            self.value(rule, inner, &format!("{at}.{name}"));
                        }
                    }
                }
                "items" => {
                    for (i, inner) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(rule, inner, &format!("{at}[{i}]"));
                    }
                }
                "uniqueItems" => {}
                "allOf" => {
                    for part in rule.as_array().into_iter().flatten() {
                        self.fits(part, value, at);
                    }
                }
                "anyOf" | "oneOf" => self.any(rule, value, at),
                note if NOTES.contains(&note) => {}
                other => panic!("{at}: the check does not know {other}"),
            }
        }
    }

    fn any(&mut self, parts: &'s Value, value: &Value, at: &str) {
        let mut best: Option<Vec<String>> = None;
        for part in parts.as_array().into_iter().flatten() {
            let mut check = Check {
                root: self.root,
                wrong: Vec::new(),
            };
            check.fits(part, value, at);
            if best.as_ref().is_none_or(|b| check.wrong.len() < b.len()) {
                best = Some(check.wrong);
            }
        }
        self.wrong.extend(best.unwrap_or_default());
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => false,
    }
}

fn schema(name: &str) -> Value {
    let ended = command("schema", &[name]);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{name}: {e}\n{}", ended.stderr))
}

fn check(name: &str, document: &str) {
    let schema = schema(name);
    let value: Value = serde_json::from_str(document).unwrap_or_else(|e| panic!("{name}: {e}\n{document}"));
    let mut check = Check {
        root: &schema,
        wrong: Vec::new(),
    };
    check.value(&schema, &value, name);
    let wrong: Vec<&String> = check.wrong.iter().take(20).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn suite(test: &str, folder: &str, package: &str) -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(folder)
        .join("src")
        .join(package);
    junit_classes(&sources, &fresh(&format!("schema-{test}-{folder}")))
}

#[test]
fn runs_fit_their_schema() {
    let (Some(impact), Some(od)) = (suite("runs", "impact", "impact"), suite("runs", "od", "od")) else {
        return;
    };
    check(
        "run",
        &command(
            "run",
            &[path(&impact), "--access", "--impact", "--format", "json"],
        )
        .stdout,
    );
    let html = fresh("schema-page").join("page.html");
    let more = [
        "--sanitise",
        "network",
        "--format",
        "json",
        "--definition",
        "poldet",
        "--html",
        path(&html),
    ];
    let args: Vec<&str> = [path(&od)].into_iter().chain(more).collect();
    check("run", &command("run", &args).stdout);
    check(
        "run",
        &command("run", &[path(&od), "--no-capture", "--format", "json"]).stdout,
    );
    for line in command("run", &[path(&od), "--format", "jsonl"]).stdout.lines() {
        check("events", line);
    }
}

#[test]
fn searches_fit_their_schemas() {
    let (Some(nio), Some(od)) = (suite("searches", "nio", "nio"), suite("searches", "od", "od")) else {
        return;
    };
    check(
        "nio",
        &command("nio", &[path(&nio), "--confirm", "0", "--format", "json"]).stdout,
    );
    let certificate = fresh("schema-certificate").join("certificate.json");
    let args = [
        path(&od),
        "--rerun",
        "0",
        "--format",
        "json",
        "--certificate",
        path(&certificate),
    ];
    check("od", &command("od", &args).stdout);
    check(
        "certificate",
        &std::fs::read_to_string(&certificate).expect("the certificate is there"),
    );
}

#[test]
fn data_sets_fit_their_schema() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/impact/src");
    let Some(classes) = suite("data-sets", "impact", "impact") else {
        return;
    };
    let out = fresh("schema-inject");
    let args = [
        path(&classes),
        "--sources",
        path(&sources),
        "--out",
        path(&out),
        "--limit",
        "3",
        "--reruns",
        "2",
        "--orders",
        "2",
        "--format",
        "json",
    ];
    check("inject", &command("inject", &args).stdout);
}

#[test]
fn all_schemas_are_one_object() {
    let all: Value = serde_json::from_str(&command("schema", &[]).stdout).expect("JSON");
    let names: Vec<&String> = all.as_object().into_iter().flat_map(|o| o.keys()).collect();
    assert_eq!(
        names,
        ["certificate", "events", "fix", "inject", "nio", "od", "run"]
    );
    assert_eq!(
        all["run"]["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    // A document that lacks a field, has a wrong one or one too many does not fit.
    let schema = schema("certificate");
    for (text, count) in [("{}", 7), ("{\"independent\":1,\"extra\":2}", 8)] {
        let mut check = Check {
            root: &schema,
            wrong: Vec::new(),
        };
        check.value(&schema, &serde_json::from_str(text).expect("JSON"), "certificate");
        assert_eq!(check.wrong.len(), count, "{:?}", check.wrong);
    }
    let ended = std::process::Command::new(binary())
        .args(["schema", "nosuch"])
        .output()
        .expect("poldet runs");
    assert_eq!(ended.status.code(), Some(3));
}
