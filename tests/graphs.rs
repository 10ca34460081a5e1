//! The graphs of findings: what a change's surroundings look like, read from the report page.

use poldet_testdata::compile::{self, Jdk};
use poldet_testdata::suite::build;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The document in the page of a run of the suite.
fn document(jdk: &Jdk) -> Value {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    std::fs::create_dir_all(&cache).expect("a folder can be made");
    let api = build::builtin_api(jdk, &cache).expect("JUnit's names");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graphs/acme");
    let sources: [PathBuf; 2] = ["Registry.java", "RegistryTest.java"].map(|f| folder.join(f));
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let path = build::class_path(&[api]);
    let classes = compile::sources_into(jdk, &["-g", "-cp", &path], &sources, &cache, "acme")
        .expect("the suite compiles");
    let file = cache.join("graphs.html");
    let ended = Command::new(env!("CARGO_BIN_EXE_poldet"))
        .arg("run")
        .args([&classes, Path::new("--html"), &file])
        .output()
        .expect("poldet can be run");
    assert!(
        ended.status.success(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    let page = std::fs::read_to_string(&file).expect("the page");
    let (_, rest) = page.split_once("id=\"data\">").expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

/// The edges of a graph as lines `from -name-> to`, with signs for what came, went and changed.
fn lines(graph: &Value) -> Vec<String> {
    let sign = |state: &Value| match state.as_str() {
        Some("same") => "",
        Some("changed") => "~",
        Some("added") => "+",
        Some("removed") => "-",
        _ => "?",
    };
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let nodes = graph["nodes"].as_array().expect("nodes").iter();
    let named: BTreeMap<u64, String> = nodes
        .map(|n| {
            (
                n["id"].as_u64().unwrap_or(0),
                sign(&n["state"]).to_owned() + &text(&n["label"]),
            )
        })
        .collect();
    let edges = graph["edges"].as_array().expect("edges").iter();
    let node = |v: &Value| named[&v.as_u64().expect("an id")].clone();
    edges
        .map(|e| {
            format!(
                "{} {}{}> {}",
                node(&e["from"]),
                sign(&e["state"]),
                text(&e["label"]),
                node(&e["to"])
            )
        })
        .collect()
}

#[test]
fn graphs_show_the_way_and_both_sides() {
    let Some(jdk) = poldet_testdata::need::javac() else {
        return;
    };
    let document = document(&jdk);
    let mut drawn: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for finding in document["findings"].as_array().expect("findings") {
        let root = finding["root"].as_str().unwrap_or_default();
        if root.starts_with("acme.") {
            drawn.insert(root.to_owned(), lines(&finding["graph"]));
        }
    }
    let of = |root: &str| drawn.get(root).unwrap_or_else(|| panic!("{root} in {drawn:?}"));

    // Alice stood in the map before: bob only came to refer to her.
    assert_eq!(
        of("acme.Registry.users")[..6],
        [
            "acme.Registry users> ~HashMap(1) → HashMap(2)",
            "~HashMap(1) → HashMap(2) [\"alice\"]> Registry$User",
            "~HashMap(1) → HashMap(2) +[\"bob\"]> +Registry$User",
            "+Registry$User +name> +\"bob\"",
            "+Registry$User +invitedBy> Registry$User",
            "+Registry$User +mails> +ArrayList(0)",
        ]
    );
    assert_eq!(
        of("acme.Registry.names"),
        &[
            "acme.Registry names> ~ArrayList(3) → ArrayList(4)",
            "~ArrayList(3) → ArrayList(4) +[0]> +\"a\"",
            "~ArrayList(3) → ArrayList(4) [1]> \"b\"",
            "~ArrayList(3) → ArrayList(4) [2]> \"c\"",
            "~ArrayList(3) → ArrayList(4) [3]> \"d\"",
        ]
    );
    assert_eq!(
        of("acme.Registry.table"),
        &[
            "acme.Registry table> ~int[3]",
            "~int[3] [0]> 1",
            "~int[3] -[1]> -2",
            "~int[3] +[1]> +7",
            "~int[3] [2]> 3",
        ]
    );
    // Another map with one more entry: what is equal is not reported as removed and added.
    assert_eq!(
        of("acme.Registry.settings"),
        &[
            "acme.Registry settings> ~HashMap(1) → HashMap(2)",
            "~HashMap(1) → HashMap(2) [\"a\"]> \"1\"",
            "~HashMap(1) → HashMap(2) +[\"b\"]> +\"2\"",
        ]
    );
    let local = of("acme.Registry.local");
    let value = "ThreadLocal$SuppliedThreadLocal [thread \"main\"]> ~ArrayList(0) → ArrayList(1)";
    assert!(local.contains(&value.to_owned()), "{local:?}");
    assert!(
        local.contains(&"~ArrayList(0) → ArrayList(1) +[0]> +\"hello\"".to_owned()),
        "{local:?}"
    );
    // The boss is still there, in a field of his own.
    let deputy = of("acme.Registry.deputy");
    assert_eq!(
        deputy[..2],
        [
            "acme.Registry -deputy> Registry$User",
            "acme.Registry +deputy> +Registry$User"
        ]
    );
    assert!(
        deputy.contains(&"+Registry$User +invitedBy> Registry$User".to_owned()),
        "{deputy:?}"
    );
    // However far away, the difference is drawn; however much there is, the graph stays small.
    let chain = of("acme.Registry.chain");
    assert!(
        chain.contains(&"~Registry$Node +value> +-1".to_owned()),
        "{chain:?}"
    );
    assert!(chain.len() < 200, "{}", chain.len());
    let many = of("acme.Registry.many");
    assert!(
        many.contains(&"~ArrayList(0) → ArrayList(100000) ~> ~… 99984 more".to_owned()),
        "{many:?}"
    );
    assert!(many.len() < 100, "{}", many.len());
}
