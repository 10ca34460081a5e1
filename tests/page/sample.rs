//! Findings made by hand, and pages made of them.

use poldet::report::html::page::{Head, Page};
use poldet_records::graph::{Edge, Graph, Node, State};
use poldet_records::{
    FileChange, FileFinding, Finding, Frame, Kind, Label, Origin, PathStep, Place, Pollution, Root, Rule,
};
use serde_json::json;
use std::path::{Path, PathBuf};

pub struct Sample {
    pub suite: String,
    pub tests: Vec<(String, Pollution)>,
    pub fixtures: Vec<(String, Pollution)>,
    pub rules: Vec<Rule>,
}

impl Sample {
    pub fn html(&self) -> String {
        let head = Head {
            poldet: "0.1.0",
            suite: &self.suite,
            jdk: "17.0.21",
            seed: u64::MAX.to_string(),
            junit: "junit4",
            command: "poldet run shop-tests.jar".into(),
            captured: true,
            ..Head::default()
        };
        let judged = |(name, state): &(String, Pollution)| {
            let mut state = state.clone();
            state.judge(false);
            (name.clone(), state)
        };
        let tests: Vec<_> = self.tests.iter().map(judged).collect();
        let mut page = Page::new(head, &self.rules);
        for (name, state) in &tests {
            page.test(name.clone(), "passed", Some(state));
        }
        let fixtures: Vec<_> = self.fixtures.iter().map(judged).collect();
        for (class, state) in &fixtures {
            page.fixture(class, state);
        }
        let tests = tests.len();
        page.html(&json!({"classes": 1, "tests": tests, "passed": tests, "failed": 0}))
    }

    /// Writes the page to a file of this name.
    pub fn write(&self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join(format!("{name}.html"));
        std::fs::write(&file, self.html()).expect("the page can be written");
        file
    }
}

pub fn frame(class: &str, method: &str, file: &str, line: u32) -> Frame {
    Frame {
        class: class.into(),
        method: method.into(),
        file: Some(file.into()),
        line: Some(line),
        origin: None,
    }
}

pub fn finding(root: &str, path: &str, kind: Kind) -> Finding {
    Finding {
        also: Vec::new(),
        folded: None,
        restores: None,
        restored_by: None,
        impact: None,
        place: Place::parse(root, path),
        kind,
        before: "null".into(),
        after: "\"new\"".into(),
        label: Label::State,
        first_touch: false,
        observable: true,
        origin: Origin::Suite,
        ignored_by: None,
        written_at: vec![
            frame("java.util.HashMap", "putVal", "HashMap.java", 661),
            frame("shop.Registry", "register", "Registry.java", 41),
            frame("shop.RegistryTest", "registers", "RegistryTest.java", 22),
        ],
        graph: None,
    }
}

/// The registry's map before and after: one user came, one went, the count changed; the rest is closed at first.
pub fn graph() -> Graph {
    use State::{Added, Changed, Removed, Same};
    let nodes = [
        (0, "shop.Registry", Same),
        (1, "HashMap(2)", Changed),
        (2, "User alice", Same),
        (3, "User bob", Added),
        (4, "User carol", Removed),
        (5, "\"alice@example.org\"", Same),
        (6, "Locale en_US", Same),
        (7, "\"bob@example.org\"", Added),
    ];
    let edges = [
        (0, 1, "users", Same),
        (0, 6, "locale", Same),
        (1, 2, "[\"alice\"]", Same),
        (1, 3, "[\"bob\"]", Added),
        (1, 4, "[\"carol\"]", Removed),
        (2, 5, "mail", Same),
        (3, 7, "mail", Added),
        (3, 2, "invitedBy", Added),
        (3, 0, "home", Added),
    ];
    let node = |(id, label, state): (u32, &str, State)| Node {
        id,
        label: label.into(),
        state,
    };
    let edge = |(from, to, label, state): (u32, u32, &str, State)| Edge {
        from,
        to,
        label: label.into(),
        state,
    };
    Graph {
        nodes: nodes.into_iter().map(node).collect(),
        edges: edges.into_iter().map(edge).collect(),
    }
}

/// A bit of everything.
pub fn small() -> Sample {
    let added = Finding {
        graph: Some(graph()),
        ..finding("shop.Registry.users", "[\"bob\"]", Kind::Added)
    };
    let counter = Finding {
        label: Label::Counter,
        before: "41".into(),
        after: "42".into(),
        origin: Origin::Library,
        first_touch: true,
        written_at: vec![frame("org.lib.Sequence", "next", "Sequence.java", 7)],
        ..finding("org.lib.Sequence.last", "", Kind::Changed)
    };
    let locale = Finding {
        label: Label::Configuration,
        origin: Origin::Jdk,
        ..finding("java.util.Locale.defaultLocale", "", Kind::Replaced)
    };
    let internal = Finding {
        observable: false,
        ..finding("shop.Registry.names", ".modCount", Kind::Changed)
    };
    let ignored = Finding {
        ignored_by: Some("cache".into()),
        label: Label::CacheOrPool,
        ..finding("shop.Prices.cache", "", Kind::Resized)
    };
    let first = Pollution {
        pollutions: vec![locale, added, internal],
        files: vec![FileFinding {
            path: "out/report.txt".into(),
            change: FileChange::Created,
            ignored_by: None,
            restores: None,
            restored_by: None,
            impact: None,
            written_at: vec![frame("shop.Report", "save", "Report.java", 5)],
        }],
        hidden: [("cache".to_owned(), 3)].into(),
        ..Pollution::default()
    };
    let second = Pollution {
        pollutions: vec![counter, ignored],
        ..Pollution::default()
    };
    let fixture = Pollution {
        pollutions: vec![finding("shop.Shop.open", "", Kind::Changed)],
        hidden: [("junit".to_owned(), 2)].into(),
        ..Pollution::default()
    };
    let rule = |id: &str, pattern: &str, reason: &str| Rule {
        id: id.into(),
        pattern: pattern.into(),
        reason: reason.into(),
    };
    Sample {
        suite: "target/shop-tests.jar".into(),
        tests: vec![
            ("shop.RegistryTest#registers".into(), first),
            ("shop.SequenceTest#counts[1]".into(), second),
            ("shop.CleanTest#nothing".into(), Pollution::default()),
        ],
        fixtures: vec![("shop.ShopTest".into(), fixture)],
        rules: vec![
            rule("junit", "class: org.junit.*", "JUnit's own state"),
            rule("cache", "name: *cache*", "caches do not change what is computed"),
        ],
    }
}

/// As many findings, over a hundred roots and five hundred tests.
/// A long run: every tenth test pollutes one of 300 fields.
pub fn long(tests: usize) -> Sample {
    let mut sample = small();
    sample.fixtures.clear();
    sample.tests = (0..tests)
        .map(|i| {
            let mut state = Pollution::default();
            if i % 10 == 0 {
                let root = format!("org.acme.module{}.State{}.current", i / 5000, i / 10 % 300);
                state.pollutions.push(finding(&root, "", Kind::Changed));
            }
            let name = format!(
                "org.acme.module{}.Component{}Test#behavesInCase{i}",
                i / 5000,
                i / 20
            );
            (name, state)
        })
        .collect();
    sample
}

pub fn many(number: usize) -> Sample {
    let kinds = [
        Kind::Changed,
        Kind::Added,
        Kind::Removed,
        Kind::Replaced,
        Kind::Resized,
    ];
    let origins = [Origin::Suite, Origin::Library, Origin::Jdk];
    let mut tests: Vec<(String, Pollution)> = Vec::new();
    for i in 0..number {
        if i % 10 == 0 {
            tests.push((
                format!("big.suite.Case{:04}Test#works", i / 10),
                Pollution::default(),
            ));
        }
        let finding = Finding {
            before: i.to_string(),
            after: (i + 1).to_string(),
            origin: origins[i % 3],
            graph: Some(graph()),
            ..finding(
                &format!("big.code.Holder{:02}.value", i % 100),
                &format!("[{i}]"),
                kinds[i % 5],
            )
        };
        if let Some((_, state)) = tests.last_mut() {
            state.pollutions.push(finding);
        }
    }
    Sample {
        suite: "big.jar".into(),
        tests,
        fixtures: Vec::new(),
        rules: Vec::new(),
    }
}

pub const HOSTILE: &str = "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 2\">\
    <!--<script> {{js}} ]]> & &lt; \" ' ` \\ \u{2028}\u{2029}\u{202e}\u{0} \n é 漢 \u{1f600}";

/// Every text there is, made of what would do harm as markup.
pub fn hostile() -> Sample {
    let text = || HOSTILE.to_owned();
    let mut node_graph = graph();
    for node in &mut node_graph.nodes {
        node.label = text();
    }
    for edge in &mut node_graph.edges {
        edge.label = text();
    }
    let bad = Finding {
        place: Place {
            root: Root::Static {
                class: "a".into(),
                field: text().into(),
            },
            steps: vec![PathStep::Key(text())],
        },
        before: text(),
        after: format!("{}{}", HOSTILE, "x".repeat(200_000)),
        ignored_by: Some(text()),
        written_at: vec![Frame {
            class: text(),
            method: text(),
            file: Some(text()),
            line: None,
            origin: None,
        }],
        graph: Some(node_graph),
        ..finding("", "", Kind::Changed)
    };
    let file = FileFinding {
        path: text(),
        change: FileChange::Removed,
        ignored_by: None,
        restores: None,
        restored_by: None,
        impact: None,
        written_at: bad.written_at.clone(),
    };
    let state = Pollution {
        pollutions: vec![bad],
        files: vec![file],
        hidden: [(text(), 1)].into(),
        ..Pollution::default()
    };
    Sample {
        suite: text(),
        tests: vec![(text(), state.clone())],
        fixtures: vec![(text(), state)],
        rules: Vec::new(),
    }
}
